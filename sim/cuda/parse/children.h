// The expressions and statements that a node of the syntax tree is made of, one level down, in the order of
// the text.
#pragma once

#include <type_traits>

#include "sim/cuda/parse/syntax.h"

namespace warplens::cuda {

template <class F>
void each_child(const Expr& expr, F f) {
  const auto one = [&](const ExprPtr& child) {
    if (child) f(*child);
  };
  const auto all = [&](const std::vector<ExprPtr>& children) {
    for (const ExprPtr& child : children) one(child);
  };
  std::visit(
      [&](const auto& node) {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, UnaryExpr> || std::is_same_v<Node, CastExpr> ||
                      std::is_same_v<Node, SizeofExpr>) {
          one(node.operand);
        } else if constexpr (std::is_same_v<Node, BinaryExpr>) {
          one(node.left), one(node.right);
        } else if constexpr (std::is_same_v<Node, AssignExpr>) {
          one(node.target), one(node.value);
        } else if constexpr (std::is_same_v<Node, ConditionalExpr>) {
          one(node.condition), one(node.then_value), one(node.else_value);
        } else if constexpr (std::is_same_v<Node, CallExpr>) {
          one(node.callee), all(node.configuration), all(node.arguments);
        } else if constexpr (std::is_same_v<Node, IndexExpr>) {
          one(node.base), one(node.index);
        } else if constexpr (std::is_same_v<Node, MemberExpr>) {
          one(node.base);
        } else if constexpr (std::is_same_v<Node, ConstructExpr>) {
          all(node.arguments);
        } else if constexpr (std::is_same_v<Node, InitListExpr>) {
          all(node.elements);
        } else if constexpr (std::is_same_v<Node, DesignatedExpr>) {
          one(node.value);
        }
      },
      expr.node);
}

// Not the body of a lambda, which is run where it is called.
template <class OnStmt, class OnExpr>
void each_child(const Stmt& stmt, OnStmt on_stmt, OnExpr on_expr) {
  const auto body = [&](const StmtPtr& child) {
    if (child) on_stmt(*child);
  };
  const auto bodies = [&](const std::vector<StmtPtr>& children) {
    for (const StmtPtr& child : children) body(child);
  };
  const auto expression = [&](const ExprPtr& child) {
    if (child) on_expr(*child);
  };
  std::visit(
      [&](const auto& node) {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, ExprStmt>) {
          expression(node.expr);
        } else if constexpr (std::is_same_v<Node, DeclStmt>) {
          for (const Declarator& declarator : node.declarators) expression(declarator.initializer);
        } else if constexpr (std::is_same_v<Node, CompoundStmt>) {
          bodies(node.body);
        } else if constexpr (std::is_same_v<Node, IfStmt>) {
          expression(node.condition), body(node.then_branch), body(node.else_branch);
        } else if constexpr (std::is_same_v<Node, ForStmt>) {
          body(node.init), expression(node.condition), expression(node.increment), body(node.body);
        } else if constexpr (std::is_same_v<Node, WhileStmt>) {
          expression(node.condition), body(node.body);
        } else if constexpr (std::is_same_v<Node, DoStmt>) {
          body(node.body), expression(node.condition);
        } else if constexpr (std::is_same_v<Node, SwitchStmt>) {
          expression(node.condition), bodies(node.body);
        } else if constexpr (std::is_same_v<Node, ReturnStmt>) {
          expression(node.value);
        } else if constexpr (std::is_same_v<Node, AsmStmt>) {
          for (const auto* operands : {&node.outputs, &node.inputs})
            for (const AsmOperand& operand : *operands) expression(operand.expr);
        }
      },
      stmt.node);
}

}  // namespace warplens::cuda
