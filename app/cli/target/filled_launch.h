// A kernel file without --block: its launch is filled in as the window's form does it, from the file's own
// host code and, where that does not say, from the signature.
//
//   warplens-cli report mine.cu                       as line 40 of mine.cu launches it
//   warplens-cli report mine.cu --set n=4096          the same with another size; the grid follows
#pragma once

#include <optional>

#include "app/source/kernel_facts.h"
#include "sim/scenario/target.h"

namespace warplens::cli {

// nullopt: the target is no kernel file, or says its block itself. What was filled in is told on standard
// error. Throws CommandFailure, and Stopped where the budget ends.
std::optional<scenario::Setup> filled_launch(const scenario::Target& target, Budget& budget);

// The same where kernel, template arguments and extents are a profile's: of the launches in the host code the
// one that agrees with them says the rest.
scenario::Setup launch_of_row(const scenario::Target& target, Budget& budget);
// What the file has; nullopt: the target is no kernel file.
std::optional<std::vector<app::KernelFacts>> kernels_in(const scenario::Target& target, Budget& budget);

}  // namespace warplens::cli
