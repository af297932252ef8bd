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
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "app/source/kernel_facts.h"
#include "app/source/launch_form.h"

namespace warplens::app {

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

}  // namespace warplens::app
