// Is the file the model? Compares a fitted model with the training labels, and with predictions that the
// training library made itself (fit --predictions COLUMN).
#pragma once

#include "ask/question.h"

namespace scfe::app {

// How often the model gives a training row its label; empty without a label.
std::string label_agreement(const Bundle& bundle, const Table& training);

// How often the file's prediction is that of the column, and the rows with the largest differences. The
// column holds classes, or probabilities of the second of two classes. Throws an Error below the share
// `least`.
std::string prediction_agreement(const Bundle& bundle, const Table& training, const std::string& column,
                                 double least);

}  // namespace scfe::app
