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

// A guessed launch form tried: a few blocks are run, shapes that fail give way to others, and buffers become
// as long as the kernel needs.

// `form` after a run of the grid's corners. Takes a fraction of a second at most, whatever the kernel does.
// What `launch` says stays as it is, also where the kernel fails with it.
LaunchForm probed(LaunchForm form, const FileFacts& facts, const std::string& text, const KnownLaunch* launch,
                  const Means& means);

// The length that a buffer has by nature, where a kernel that the host code says nothing of reaches a little
// beyond it: `out[i] = in[i + 1]` with n threads reads n + 1 elements, but in has n, and that is the mistake
// to be seen. A buffer made as long as what is read would hide it.
//
// Natural are the kernel's sizes, the products of two, and the number of the launch's threads. A buffer may
// be longer than those by design:
//
//   row_ptr[row] … row_ptr[row + 1]   an array of bounds has one more: integers, read within the natural
//   length
//                                     as well, which decide what is read next, or which are named as bounds
//                                     are
//   in[i + RADIUS], in[i + shift]     what is read in excess is what a constant or an argument says

// How far a buffer is read and written by a few blocks, in elements from its begin.
struct BufferReach {
  struct Site {
    std::uint64_t elements = 0;
    bool decides = false;  // the value read decides addresses or ways
  };
  std::map<std::uint32_t, Site> sites;  // by index into Program::sites
  bool of_integers = false;

  std::uint64_t elements() const;  // of the furthest; 0: it is not used
};

// "n", where `reach` is a little more than n and nothing says why; "n + 1" where something does; empty: no
// natural length is near.
std::string natural_length(const std::string& buffer, const BufferReach& reach, const LaunchForm& form,
                           const FormValues& values, const FileFacts& facts);

// Names that arguments have which say how much and how far, but not how many elements there are.
bool is_no_size(const std::string& scalar);

// Whether the text has the name as a word of its own.
bool mentions(const std::string& text, const std::string& name);

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
std::vector<LaunchForm> smaller_sizes(const LaunchForm& form, const OpenFields& open);
// For a launch that takes long: a quarter of its sizes, a sixteenth, and so on; small ones stay.
std::vector<LaunchForm> fewer_elements(const LaunchForm& form, const OpenFields& open);

}  // namespace warplens::app
