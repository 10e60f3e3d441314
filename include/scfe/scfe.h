// Everything a C++ user needs.
#pragma once

#include "scfe/density.h"
#include "scfe/error.h"
#include "scfe/explainer.h"
#include "scfe/explanation.h"
#include "scfe/feature.h"
#include "scfe/matrix.h"
#include "scfe/metrics.h"
#include "scfe/model.h"
#include "scfe/options.h"
