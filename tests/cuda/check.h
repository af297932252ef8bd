// What the tests of the front-end share.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "sim/cuda/parse/parse.h"

namespace warplens::cuda {

inline std::string rendered(const std::vector<Diagnostic>& diagnostics, std::string_view text) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += render(diagnostic, text, "k.cu");
  return out;
}

// "2:7 message" of every diagnostic, one a line.
inline std::string messages(std::string_view text, const Defines& defines = {}) {
  std::string out;
  for (const Diagnostic& d : parse(text, defines).diagnostics) {
    const SourcePlace& place = d.range.begin;
    out += (out.empty() ? "" : "\n") + std::to_string(place.line) + ":" + std::to_string(place.column) + " " +
           d.message.english();
  }
  return out;
}

}  // namespace warplens::cuda
