// The functions that the catalogue refers to, one or more per operator file: each lowers a node into steps of
// the plan.
#pragma once

#include "model/onnx/site.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

void lower_activation(Site& site);
void lower_argmax(Site& site);
void lower_array_feature_extractor(Site& site);
void lower_average_pool(Site& site);
void lower_batch_norm(Site& site);
void lower_binarizer(Site& site);
void lower_binary(Site& site);
void lower_cast(Site& site);
void lower_clip(Site& site);
void lower_concat(Site& site);
void lower_constant(Site& site);
void lower_constant_of_shape(Site& site);
void lower_conv(Site& site);
void lower_conv_transpose(Site& site);
void lower_cumsum(Site& site);
void lower_depth_to_space(Site& site);
void lower_einsum(Site& site);
void lower_expand(Site& site);
void lower_eye_like(Site& site);
void lower_feature_vectorizer(Site& site);
void lower_flatten(Site& site);
void lower_gather(Site& site);
void lower_gemm(Site& site);
void lower_global_pool(Site& site);
void lower_group_norm(Site& site);
void lower_gru(Site& site);
void lower_identity(Site& site);
void lower_imputer(Site& site);
void lower_instance_norm(Site& site);
void lower_label_encoder(Site& site);
void lower_layer_norm(Site& site);
void lower_linear_classifier(Site& site);
void lower_linear_regressor(Site& site);
void lower_lp_norm(Site& site);
void lower_lstm(Site& site);
void lower_matmul(Site& site);
void lower_max_pool(Site& site);
void lower_mean_variance_norm(Site& site);
void lower_normalizer(Site& site);
void lower_one_hot(Site& site);
void lower_one_hot_encoder(Site& site);
void lower_pad(Site& site);
void lower_prelu(Site& site);
void lower_range(Site& site);
void lower_reduce(Site& site);
void lower_reshape(Site& site);
void lower_resize(Site& site);
void lower_rnn(Site& site);
void lower_scaler(Site& site);
void lower_shape(Site& site);
void lower_slice(Site& site);
void lower_softmax(Site& site);
void lower_split(Site& site);
void lower_squeeze(Site& site);
void lower_sum(Site& site);
void lower_svm_classifier(Site& site);
void lower_svm_regressor(Site& site);
void lower_tile(Site& site);
void lower_transpose(Site& site);
void lower_tree_classifier(Site& site);
void lower_tree_ensemble(Site& site);
void lower_tree_regressor(Site& site);
void lower_trilu(Site& site);
void lower_unary(Site& site);
void lower_unsqueeze(Site& site);
void lower_where(Site& site);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
