// Places that the command line names and this kernel does not have.
#pragma once

#include <string>

#include "app/desktop/options.h"
#include "app/state/catalog.h"
#include "app/state/state.h"

namespace warplens::desktop {

// What --block, --warp, --step, --wavefront, --map-array, --lesson-step or a pasted target names and is not
// there, in words with what there is; empty: nothing, or the kernel cannot be run, which the window tells.
std::string wrong_place(const Options& options, const app::Catalog& catalog, const app::State& state);

}  // namespace warplens::desktop
