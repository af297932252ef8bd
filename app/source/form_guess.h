// Sensible values for a launch form at once, so that a picture appears as soon as a file is opened: those of
// the host code's launch where it says them, else what the names in the signature are commonly used for. Then
// a few blocks are run: shapes that fail give way to others, and buffers become as long as the kernel needs.
#pragma once

#include "app/source/launch_form.h"

namespace warplens::app {

// `launch`: one of the file's own, or null.
LaunchForm guess_form(const KernelFacts& kernel, const FileFacts& facts, const KnownLaunch* launch);

// The same after a run of the grid's corners. Takes a fraction of a second at most, whatever the kernel does.
// What `launch` says stays as it is, also where the kernel fails with it.
LaunchForm probed(LaunchForm form, const FileFacts& facts, const std::string& text, const KnownLaunch* launch,
                  const Means& means);

}  // namespace warplens::app
