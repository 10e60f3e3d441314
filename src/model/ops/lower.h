// The functions that the catalogue refers to, one or more per operator file: each lowers a node into steps of
// the plan.
#pragma once

#include "model/onnx/site.h"

namespace scfe::onnx::inline SCFE_PRECISION {

using LowerNode = void(Site& site);
LowerNode lower_activation, lower_argmax, lower_array_feature_extractor, lower_average_pool, lower_batch_norm,
    lower_binarizer, lower_binary, lower_cast, lower_clip, lower_concat, lower_constant,
    lower_constant_of_shape, lower_conv, lower_conv_transpose, lower_cumsum, lower_depth_to_space,
    lower_einsum, lower_expand, lower_eye_like, lower_feature_vectorizer, lower_flatten, lower_gather,
    lower_gemm, lower_global_pool, lower_group_norm, lower_gru, lower_identity, lower_imputer,
    lower_instance_norm, lower_label_encoder, lower_layer_norm, lower_linear_classifier,
    lower_linear_regressor, lower_lp_norm, lower_lstm, lower_matmul, lower_max_pool, lower_mean_variance_norm,
    lower_normalizer, lower_one_hot, lower_one_hot_encoder, lower_pad, lower_prelu, lower_range, lower_reduce,
    lower_reshape, lower_resize, lower_rnn, lower_scaler, lower_shape, lower_slice, lower_softmax,
    lower_split, lower_squeeze, lower_sum, lower_svm_classifier, lower_svm_regressor, lower_tile,
    lower_transpose, lower_tree_classifier, lower_tree_ensemble, lower_tree_regressor, lower_trilu,
    lower_unary, lower_unsqueeze, lower_where;

}  // namespace scfe::onnx::inline SCFE_PRECISION
