// A link that brings a kernel's text along: edited, or somebody's own (app/storage/link.h).
#pragma once

#include <optional>

#include "sim/scenario/permalink.h"
#include "sim/scenario/target.h"

namespace warplens::cli {

// Its launch; nullopt: it brings none, and what the scenario's name says holds. Throws CommandFailure.
std::optional<scenario::Setup> linked_setup(const scenario::Target& target, Budget& budget);
// Where it looks; nullopt: it is not of an own kernel.
std::optional<scenario::Permalink> linked_place(const scenario::Target& target);

}  // namespace warplens::cli
