// The control flow of a PTX kernel: basic blocks, who dominates whom, and loops.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/budget.h"
#include "sim/lower/ptx/module.h"

namespace warplens::sim::lower::ptx {

struct Block {
  enum class Exit : std::uint8_t { Goto, Branch, Switch, Return };
  std::size_t begin = 0, end = 0;  // of the statements, jump and labels aside
  Exit exit = Exit::Return;
  std::size_t jump = 0;   // the statement that jumps; of a block that runs on, the last one
  std::vector<int> next;  // Goto: one; Branch: where the predicate holds, where not; Switch: by its index
  int dominator = -1;     // the immediate one
  int order = -1;         // in reverse postorder; -1: it cannot be reached
  int loop =
      -1;  // of the innermost loop that it lies in, the header; with what stands before its ways out meet
  bool is_header = false;
  int entered = 0;  // from how many places, those that close a loop aside
  bool returns_at_once() const { return exit == Exit::Return && begin == end; }
};

struct Graph {
  std::vector<Block> blocks;  // 0: the entry
  std::vector<int> order;     // those that can be reached, in reverse postorder
  std::vector<int> around;    // by header: the header of the loop around it, or -1
  std::optional<cuda::Diagnostic> error;

  bool dominates(int above, int below) const;
  // Whether `block` lies in the loop of `header`.
  bool is_in(int block, int header) const;
};

// Of statements without calls. Every loop has one entry (the graph is reducible), or `error` says where not.
// Throws Stopped.
Graph graph_of(const std::vector<Statement>& body, Budget& budget);

}  // namespace warplens::sim::lower::ptx
