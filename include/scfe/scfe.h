// Everything a C++ user needs.
#pragma once

#include "scfe/bundle.h"
#include "scfe/encoder.h"
#include "scfe/error.h"
#include "scfe/explainer.h"
#include "scfe/explanation.h"
#include "scfe/feature.h"
#include "scfe/matrix.h"
#include "scfe/metrics.h"
#include "scfe/model.h"
#include "scfe/onnx.h"
#include "scfe/options.h"
#include "scfe/row_limits.h"
#include "scfe/rules.h"
#include "scfe/schema.h"
#include "scfe/table.h"
