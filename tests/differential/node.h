// A kernel's text as a tree: every part knows what it is, and which features it brings.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/differential/feature.h"

namespace warplens::differential {

enum class Kind : std::uint8_t {
  Fixed,      // only ever goes with what it is part of
  Block,      // statements one after another
  Statement,  // may be left out; so may be a declaration
  Int,        // an int
  Long,       // a long long
  Real,       // a float or double
  Condition,
};

struct Node {
  Kind kind = Kind::Fixed;
  Features features;
  std::string text;  // each '@' stands for the next part; of a Block: nothing
  std::vector<Node> parts;
};

template <class... Parts>
Node node(Kind kind, std::string text, Parts... parts) {
  Node n;
  n.kind = kind;
  n.text = std::move(text);
  (n.parts.push_back(std::move(parts)), ...);
  return n;
}
inline Node with(Node n, std::initializer_list<Feature> features) {
  n.features |= set_of(features);
  return n;
}

std::string render(const Node& node);
Features features_of(const Node& node);  // of the node and all its parts

}  // namespace warplens::differential
