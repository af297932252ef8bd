// What else a launch form could say where its guess does not run: other shapes of the block, smaller sizes,
// more shared memory, other template arguments. Only what nobody said is guessed again.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/source/kernel_facts.h"
#include "app/source/launch_form.h"

namespace warplens::app {

// What of a form is a guess, by place in its lists.
struct OpenFields {
  std::vector<std::size_t> types, templates, sizes;  // template arguments that are types and that are numbers
  bool block = true, shared = true;
};
// `launch`: what the host code says, or null. `uses_shared`: the kernel has dynamic shared memory.
OpenFields open_fields(const LaunchForm& form, const FileFacts& facts, const KnownLaunch* launch,
                       bool uses_shared);

// The likeliest first. For a text that does not compile with these types: a parameter that is an index is an
// integer.
std::vector<LaunchForm> other_types(const LaunchForm& form, const OpenFields& open);
// For a launch that is refused, or a kernel that leaves its buffers or asserts. Shared memory is as much as a
// block may have; what is needed of it is seen then.
std::vector<LaunchForm> other_shapes(const LaunchForm& form, const OpenFields& open, const FileFacts& facts);
// Contents that are no place outside of any array.
std::vector<LaunchForm> other_fills(const LaunchForm& form);
std::vector<LaunchForm> other_template_arguments(const LaunchForm& form, const OpenFields& open);
std::vector<LaunchForm> smaller_sizes(const LaunchForm& form, const OpenFields& open);
// For a launch that takes long: a quarter of its sizes, a sixteenth, and so on; small ones stay.
std::vector<LaunchForm> fewer_elements(const LaunchForm& form, const OpenFields& open);

}  // namespace warplens::app
