// Sensible values for a launch form at once, so that a picture appears as soon as a file is opened: those of
// the host code's launch where it says them, else what the names in the signature are commonly used for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/source/kernel_facts.h"
#include "app/source/launch_form.h"

namespace warplens::app {

// `launch`: one of the file's own, or null. Compiles the kernel where only that says what a parameter is.
LaunchForm guess_form(const KernelFacts& kernel, const FileFacts& facts, const KnownLaunch* launch,
                      const std::string& text, const Means& means);

// The compiler has not said what is within a parameter, since the text has a mistake.
bool lacks_members(const LaunchForm& form, const KernelFacts& kernel);

// `form` after a run of the grid's corners: shapes and sizes that fail give way to others. Takes a fraction
// of a second at most, whatever the kernel does. What `launch` says stays as it is, also where the kernel
// fails with it. `has_lengths`: buffers that nobody gives a length become as long as the corners need, else
// they have no end, since how far a few blocks reach is none for the others.
LaunchForm probed(LaunchForm form, const FileFacts& facts, const std::string& text, const KnownLaunch* launch,
                  const Means& means, bool has_lengths = false);

// What else a launch form could say where its guess does not run: smaller sizes, other blocks, more shared
// memory. Only what nobody said is guessed again.

// What of a form is a guess.
struct OpenFields {
  std::vector<std::size_t> sizes;  // by place in its scalars
  bool block = true, shared = true;
};
// `launch`: what the host code says, or null. `uses_shared`: the kernel has dynamic shared memory.
OpenFields open_fields(const LaunchForm& form, const KnownLaunch* launch, bool uses_shared);

// The likeliest first. As much as a block may have: what is needed of it is seen then.
std::vector<LaunchForm> other_shapes(const LaunchForm& form, const OpenFields& open);
// Contents that are no place outside of any array.
std::vector<LaunchForm> other_fills(const LaunchForm& form);
// None of them is more than 262,144, then than a quarter of that, and so on down to `least`.
inline constexpr std::int64_t kLeastSize = 16;  // of a launch that takes long
std::vector<LaunchForm> smaller_sizes(const LaunchForm& form, const OpenFields& open, std::int64_t least);

}  // namespace warplens::app
