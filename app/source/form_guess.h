// Sensible values for a launch form at once, so that a picture appears as soon as a file is opened: those of
// the host code's launch where it says them, else what the names in the signature are commonly used for.
#pragma once

#include <string>

#include "app/source/kernel_facts.h"
#include "app/source/launch_form.h"

namespace warplens::app {

// `launch`: one of the file's own, or null. Compiles the kernel where only that says what a parameter is.
LaunchForm guess_form(const KernelFacts& kernel, const FileFacts& facts, const KnownLaunch* launch,
                      const std::string& text, const Means& means);

// Whether the launch has said all three extents of the form: "grid.", "block.".
bool says_all(const KnownLaunch& launch, const LaunchForm& form, const std::string& group);

// The compiler has not said what is within a parameter, since the text has a mistake.
bool lacks_members(const LaunchForm& form, const KernelFacts& kernel);

// `form` after a run of the grid's corners: shapes and sizes that fail give way to others. Takes a fraction
// of a second at most, whatever the kernel does. What `launch` says stays as it is, also where the kernel
// fails with it. `has_lengths`: buffers that nobody gives a length become as long as the corners need, else
// they have no end, since how far a few blocks reach is none for the others.
LaunchForm probed(LaunchForm form, const FileFacts& facts, const std::string& text, const KnownLaunch* launch,
                  const Means& means, bool has_lengths = false);

}  // namespace warplens::app
