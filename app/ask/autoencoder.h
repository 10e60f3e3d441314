// --autoencoder FILE: the autoencoder of the methods that weigh one (cem-pn, cem-pp).
#pragma once

#include "ask/arguments.h"
#include "scfe/bundle.h"

namespace scfe::app {

Flag autoencoder_flag();
// Gives the explainer the autoencoder of the flag, if there is one.
void add_autoencoder(Bundle& bundle, const Arguments& arguments);

}  // namespace scfe::app
