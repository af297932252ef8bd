// Sensible values for a launch form at once, so that a picture appears as soon as a file is opened: those of
// the host code's launch where it says them, else what the names in the signature are commonly used for.
#pragma once

#include "app/source/launch_form.h"

namespace warplens::app {

// `launch`: one of the file's own, or null. Compiles the kernel where only that says what a parameter is.
LaunchForm guess_form(const KernelFacts& kernel, const FileFacts& facts, const KnownLaunch* launch,
                      const std::string& text, const Means& means);

}  // namespace warplens::app
