// A part of a kernel's text, and the features that it brings.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tests/differential/feature.h"

namespace warplens::differential {

struct Piece {
  std::string text;
  Features features = {};

  Piece& operator+=(const Piece& more) {
    text += more.text;
    features |= more.features;
    return *this;
  }
};

// `form` with the parts for its '@', in turn. Parts stand in braces, where they are drawn from left to right:
// by every compiler a seed names one kernel.
inline Piece piece(std::string_view form, std::vector<Piece> parts = {},
                   std::initializer_list<Feature> features = {}) {
  Piece whole{{}, set_of(features)};
  auto part = parts.begin();
  for (const char c : form) {
    if (c == '@')
      whole += *part++;
    else
      whole.text += c;
  }
  return whole;
}
// `form` with the name for each '$'.
inline std::string named(std::string_view form, const std::string& name) {
  std::string text;
  for (const char c : form) text += c == '$' ? name : std::string(1, c);
  return text;
}
inline Piece with(Piece one, std::initializer_list<Feature> features) {
  one.features |= set_of(features);
  return one;
}

}  // namespace warplens::differential
