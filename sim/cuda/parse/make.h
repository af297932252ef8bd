// Makes nodes of the tree; for the parser's files alone.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "sim/cuda/parse/parser.h"

namespace warplens::cuda {

template <typename Node>
ExprPtr Parser::make_expr(std::size_t first, Node node) {
  auto expr = std::make_unique<Expr>();
  expr->range = range_from(first);
  expr->node = std::move(node);
  return finish_expr(std::move(expr));
}

template <typename Node>
StmtPtr Parser::make_stmt(std::size_t first, Node node) {
  auto stmt = std::make_unique<Stmt>();
  stmt->range = range_from(first);
  stmt->node = std::move(node);
  return stmt;
}

}  // namespace warplens::cuda
