#include "tests/differential/shrink.h"

#include <algorithm>

namespace warplens::differential {

namespace {

using sim::Buffer;
using sim::Dim3;
using sim::Fill;
using sim::Launch;

// The parts of a tree in preorder.
void list(Node& node, std::vector<Node*>& nodes) {
  nodes.push_back(&node);
  for (Node& part : node.parts) list(part, nodes);
}
std::vector<Node*> nodes_of(RandomKernel& kernel) {
  std::vector<Node*> nodes;
  list(kernel.file, nodes);
  return nodes;
}

void list_of_kind(const Node& node, Kind kind, std::vector<Node>& found) {
  for (const Node& part : node.parts) {
    if (part.kind == kind) found.push_back(part);
    list_of_kind(part, kind, found);
  }
}

// What may stand in the node's place, the smallest first.
std::vector<Node> replacements(const Node& node) {
  std::vector<Node> found;
  const auto text = [&](const char* t) {
    if (node.text != t) found.push_back(differential::node(node.kind, t));
  };
  switch (node.kind) {
    case Kind::Fixed:
      return found;
    case Kind::Statement:
      text("");
      list_of_kind(node, Kind::Statement, found);
      list_of_kind(node, Kind::Block, found);
      break;
    case Kind::Block:
      if (!node.parts.empty())
        found.push_back({.kind = Kind::Block, .features = {}, .text = {}, .parts = {}});
      return found;
    case Kind::Int:
    case Kind::Long:
      for (const char* t : {"0", "1", "t", "bx"}) text(t);
      list_of_kind(node, node.kind, found);
      if (node.kind == Kind::Long) list_of_kind(node, Kind::Int, found);
      break;
    case Kind::Real:
      text("1.0f");
      list_of_kind(node, Kind::Real, found);
      break;
    case Kind::Condition:
      text("true");
      text("false");
      list_of_kind(node, Kind::Condition, found);
      break;
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Node& a, const Node& b) { return size_of(a) < size_of(b); });
  return found;
}

std::vector<Launch> plainer_dims(const Launch& launch) {
  std::vector<Launch> found;
  const auto add = [&](Dim3 grid, Dim3 block) {
    Launch plainer = launch;
    plainer.grid = grid;
    plainer.block = block;
    if (!(grid == launch.grid) || !(block == launch.block)) found.push_back(plainer);
  };
  const Dim3 g = launch.grid, b = launch.block;
  for (const std::uint32_t blocks : {2u, 4u, 8u, 32u})
    if (g.count() > blocks) add({blocks, 1, 1}, b);
  add({static_cast<std::uint32_t>(g.count()), 1, 1}, b);
  add({(g.x + 1) / 2, g.y, g.z}, b);
  add({g.x, (g.y + 1) / 2, g.z}, b);
  add({g.x, g.y, (g.z + 1) / 2}, b);
  if (b.count() > 32) add(g, {32, 1, 1});
  add(g, {static_cast<std::uint32_t>(b.count()), 1, 1});
  return found;
}

std::vector<Launch> plainer_launches(const Launch& launch) {
  std::vector<Launch> found = plainer_dims(launch);
  const auto add = [&](const std::string& name, const sim::Argument& value) {
    Launch plainer = launch;
    plainer.arguments[name] = value;
    if (plainer.arguments != launch.arguments) found.push_back(plainer);
  };
  for (const auto& [name, argument] : launch.arguments) {
    if (const auto* buffer = std::get_if<Buffer>(&argument)) {
      add(name, Buffer{});
      add(name, Buffer{0, buffer->fill});
      add(name, Buffer{buffer->elements, Fill::Zero});
    } else if (const auto* number = std::get_if<std::int64_t>(&argument)) {
      for (const std::int64_t plain : {0, 1, 32})
        if (std::abs(plain) < std::abs(*number)) add(name, plain);
    }
  }
  return found;
}

class Shrinker {
 public:
  Shrinker(RandomKernel kernel, const std::function<bool(const RandomKernel&)>& shows_fault, int tries)
      : kernel_(std::move(kernel)), shows_fault_(shows_fault), left_(tries) {}

  RandomKernel run() {
    bool smaller = true;
    while (smaller && left_ > 0) {
      smaller = shrink_text();
      smaller |= shrink_launch();
    }
    return std::move(kernel_);
  }

 private:
  bool take(RandomKernel candidate) {
    if (left_-- <= 0 || !shows_fault_(candidate)) return false;
    kernel_ = std::move(candidate);
    return true;
  }

  bool shrink_text() {
    bool smaller = false;
    for (std::size_t i = 0; i < nodes_of(kernel_).size() && left_ > 0; ++i) {
      while (replace(i)) smaller = true;
    }
    return smaller;
  }

  // One replacement of node i that makes the text shorter.
  bool replace(std::size_t i) {
    const std::vector<Node*> nodes = nodes_of(kernel_);
    if (i >= nodes.size()) return false;
    const std::size_t size = size_of(*nodes[i]);
    for (const Node& other : replacements(*nodes[i])) {
      if (size_of(other) >= size) continue;
      RandomKernel candidate = kernel_;
      *nodes_of(candidate)[i] = other;
      if (take(std::move(candidate))) return true;
    }
    return false;
  }

  bool shrink_launch() {
    bool smaller = false, again = true;
    while (again && left_ > 0) {
      again = false;
      for (Launch& launch : plainer_launches(kernel_.launch)) {
        RandomKernel candidate = kernel_;
        candidate.launch = std::move(launch);
        if (!take(std::move(candidate))) continue;
        smaller = again = true;
        break;
      }
    }
    return smaller;
  }

  RandomKernel kernel_;
  const std::function<bool(const RandomKernel&)>& shows_fault_;
  int left_;
};

}  // namespace

RandomKernel shrink(RandomKernel kernel, const std::function<bool(const RandomKernel&)>& shows_fault,
                    int tries) {
  return Shrinker(std::move(kernel), shows_fault, tries).run();
}

}  // namespace warplens::differential
