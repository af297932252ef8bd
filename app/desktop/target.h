// What the command line names -> the state that the app opens with.
#pragma once

#include "app/desktop/options.h"
#include "app/session/catalog.h"
#include "app/session/state.h"

namespace warplens::desktop {

// May add a scenario to the catalog (a kernel file of somebody's own). Errors in words.
scenario::Outcome<session::State> open_target(const Options& options, session::Catalog* catalog);

}  // namespace warplens::desktop
