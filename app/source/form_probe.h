// A guessed launch form tried: a few blocks are run, shapes that fail give way to others, and buffers become
// as long as the kernel needs.
#pragma once

#include "app/source/launch_form.h"

namespace warplens::app {

// `form` after a run of the grid's corners. Takes a fraction of a second at most, whatever the kernel does.
// What `launch` says stays as it is, also where the kernel fails with it.
LaunchForm probed(LaunchForm form, const FileFacts& facts, const std::string& text, const KnownLaunch* launch,
                  const Means& means);

}  // namespace warplens::app
