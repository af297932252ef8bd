#include "tests/differential/node.h"

namespace warplens::differential {

namespace {

void append(const Node& node, std::string& text) {
  if (node.kind == Kind::Block) {
    for (const Node& part : node.parts) append(part, text);
    return;
  }
  std::size_t next = 0;
  for (const char c : node.text) {
    if (c == '@')
      append(node.parts.at(next++), text);
    else
      text += c;
  }
}

}  // namespace

std::string render(const Node& node) {
  std::string text;
  append(node, text);
  return text;
}

Features features_of(const Node& node) {
  Features features = node.features;
  for (const Node& part : node.parts) features |= features_of(part);
  return features;
}

}  // namespace warplens::differential
