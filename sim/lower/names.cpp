#include "sim/lower/names.h"

#include <algorithm>

#include "sim/cuda/parse/children.h"
#include "sim/text/scan.h"

namespace warplens::sim::lower {
namespace {

using namespace cuda;

class NameScan {
 public:
  NameScan(NameUse& use, const ReferenceUse& functions)
      : use_(use), takes_references_(functions.changing), addressing_(functions.addressing) {}

  void statement(const Stmt& stmt) {
    std::visit([this](const auto& node) { note(node); }, stmt.node);
    each_child(
        stmt, [this](const Stmt& child) { statement(child); },
        [this](const Expr& child) { expression(child); });
  }

 private:
  using Names = std::set<std::string, std::less<>>;

  void expression(const Expr& expr) {
    std::visit([this](const auto& node) { note(node); }, expr.node);
    const auto* unary = std::get_if<UnaryExpr>(&expr.node);
    const auto* member = std::get_if<MemberExpr>(&expr.node);
    const bool is_of_self = (unary && unary->op == UnaryOp::Dereference && is_this(unary->operand)) ||
                            (member && is_this(member->base));
    if (is_of_self || std::holds_alternative<SizeofExpr>(expr.node)) return;
    each_child(expr, [this](const Expr& child) { expression(child); });
  }
  // The variables that an lvalue may be part of: x, x.y, (c ? x : y); none of x[i], *x, x->y.
  void add_roots(const ExprPtr& expr, Names& names) {
    if (!expr) return;
    if (const auto* name = std::get_if<NameExpr>(&expr->node)) {
      names.insert(name->name);
    } else if (const auto* member = std::get_if<MemberExpr>(&expr->node)) {
      if (!member->arrow) add_roots(member->base, names);
    } else if (const auto* choice = std::get_if<ConditionalExpr>(&expr->node)) {
      add_roots(choice->then_value, names);
      add_roots(choice->else_value, names);
    } else if (const auto* binary = std::get_if<BinaryExpr>(&expr->node)) {
      if (binary->op == BinaryOp::Comma) add_roots(binary->right, names);
    } else if (const auto* assign = std::get_if<AssignExpr>(&expr->node)) {
      add_roots(assign->target, names);
    } else if (const auto* unary = std::get_if<UnaryExpr>(&expr->node)) {
      if (unary->op == UnaryOp::PreIncrement || unary->op == UnaryOp::PreDecrement)
        add_roots(unary->operand, names);
    } else if (const auto* cast = std::get_if<CastExpr>(&expr->node)) {
      if (cast->type.reference) add_roots(cast->operand, names);
    }
  }
  void change(const std::vector<ExprPtr>& list) {
    for (const ExprPtr& expr : list) add_roots(expr, use_.changed);
  }
  static bool is_this(const ExprPtr& expr) {
    const auto* name = expr ? std::get_if<NameExpr>(&expr->node) : nullptr;
    return name && name->name == "this";
  }

  // What a node does to names beside what lies in it.
  template <class Node>
  void note(const Node&) {}
  void note(const NameExpr& node) {
    if (node.name == "this") use_.addressed.insert(node.name);
  }
  // What an operator may do to its operands, if a struct or a function defines it.
  void overloaded(const std::string& name, const ExprPtr& left, const ExprPtr& right) {
    if (takes_references_.contains("." + name)) add_roots(left, use_.changed);
    if (!takes_references_.contains(name)) return;
    add_roots(left, use_.changed);
    add_roots(right, use_.changed);
  }
  void note(const UnaryExpr& node) {
    if (node.op <= UnaryOp::Dereference)
      overloaded(std::string("operator") + spelling(node.op), node.operand, nullptr);
    if (node.op >= UnaryOp::PreIncrement) add_roots(node.operand, use_.changed);
    if (node.op == UnaryOp::AddressOf) add_roots(node.operand, use_.addressed);
  }
  void note(const BinaryExpr& node) {
    overloaded(std::string("operator") + spelling(node.op), node.left, node.right);
  }
  void note(const AssignExpr& node) { add_roots(node.target, use_.changed); }
  void note(const CallExpr& node) {
    const auto* callee = node.callee ? std::get_if<NameExpr>(&node.callee->node) : nullptr;
    const auto* member = node.callee ? std::get_if<MemberExpr>(&node.callee->node) : nullptr;
    std::string name = callee ? callee->name : member ? member->member : "operator()";
    if (member && !member->arrow && takes_references_.contains("." + name))
      add_roots(member->base, use_.changed);
    if (!member && takes_references_.contains(".operator()")) add_roots(node.callee, use_.changed);
    if (const std::size_t colons = name.rfind("::"); colons != std::string::npos)
      name = name.substr(colons + 2);
    if (const auto found = addressing_.find(name); found != addressing_.end()) {
      for (std::size_t i = 0; i < node.arguments.size() && i < 64; ++i)
        if ((found->second >> i & 1) != 0) add_roots(node.arguments[i], use_.addressed);
    }
    if (takes_references_.contains(name) || takes_references_.contains("operator()")) change(node.arguments);
  }
  void note(const IndexExpr& node) { overloaded("operator[]", node.base, nullptr); }
  void note(const CastExpr& node) {
    if (takes_references_.contains(node.type.name)) add_roots(node.operand, use_.changed);
  }
  void note(const ConstructExpr& node) {
    if (takes_references_.contains(node.type.name)) change(node.arguments);
  }
  // What it does to the variables around it, it may do wherever it is called.
  void note(const LambdaExpr& node) {
    for (const LambdaCapture& capture : node.captures) {
      if (capture.initializer) expression(*capture.initializer);
      if (capture.by_reference) use_.changed.insert(capture.name);
    }
    const Names returned = use_.returned;  // its returns are its own
    if (node.function->body) statement(*node.function->body);
    use_.returned = returned;
  }
  void note(const AsmStmt& node) {
    for (const AsmOperand& operand : node.outputs) add_roots(operand.expr, use_.changed);
  }
  void note(const DeclStmt& node) {
    for (const Declarator& declarator : node.declarators) {
      if (declarator.type.reference || declarator.type.measured)
        add_roots(declarator.initializer, use_.changed);
      if (declarator.type.reference) use_.references.insert(declarator.name);
      const auto* list =
          declarator.initializer ? std::get_if<InitListExpr>(&declarator.initializer->node) : nullptr;
      if (list && takes_references_.contains(declarator.type.name)) change(list->elements);
    }
  }
  void note(const ReturnStmt& node) {
    const auto* name = node.value ? std::get_if<NameExpr>(&node.value->node) : nullptr;
    use_.returned.insert(name && !name->scope ? name->name : std::string());
  }

  NameUse& use_;
  const Names& takes_references_;
  const std::map<std::string, std::uint64_t, std::less<>>& addressing_;
};

NameUse find_name_use(const Stmt& body, const ReferenceUse& functions) {
  NameUse use;
  NameScan(use, functions).statement(body);
  return use;
}

}  // namespace

NameUses::NameUses(const cuda::TranslationUnit& unit) {
  for (const cuda::Function& function : unit.functions) note_references(function, function.name);
  for (const cuda::Struct& definition : unit.structs) {
    for (const cuda::StructField& field : definition.fields)
      if (field.type.reference && !field.type.is_const) references_.changing.insert(definition.name);
    for (const cuda::Function& method : definition.functions) {
      note_references(method, method.name);
      if (!method.is_const && !method.is_static) references_.changing.insert("." + method.name);
    }
  }
  find_addressed_references(unit);
}

const NameUse* NameUses::of(const cuda::Stmt& body) {
  const auto [found, is_new] = uses_.try_emplace(&body);
  if (is_new) found->second = find_name_use(body, references_);
  return &found->second;
}

// Functions that take the address of what a reference stands for, or hand it to one that does. What is called
// most often stands above its callers, so that few rounds find all.
void NameUses::find_addressed_references(const cuda::TranslationUnit& unit) {
  constexpr int kMostRounds = 4;
  bool found_more = true;
  for (int round = 0; found_more && round < kMostRounds; ++round) {
    found_more = false;
    for (const cuda::Function& function : unit.functions) {
      std::uint64_t references = 0, addressed = 0;
      for (std::size_t i = 0; i < function.parameters.size() && i < 64; ++i)
        if (function.parameters[i].type.reference) references |= std::uint64_t{1} << i;
      if (references == 0 || !function.body) continue;
      const NameUse use = find_name_use(*function.body, references_);
      for (std::size_t i = 0; i < function.parameters.size() && i < 64; ++i)
        if (use.addressed.contains(function.parameters[i].name))
          addressed |= references & std::uint64_t{1} << i;
      if (addressed == 0) continue;
      std::uint64_t& known = references_.addressing[function.name];
      found_more |= (addressed & ~known) != 0;
      known |= addressed;
    }
  }
}

// Functions through whose parameters their arguments can change.
void NameUses::note_references(const cuda::Function& function, const std::string& name) {
  for (const cuda::Parameter& parameter : function.parameters) {
    const bool is_const = parameter.type.is_const && parameter.type.pointers == 0;
    if (parameter.type.reference && !is_const) references_.changing.insert(name);
  }
}

Message suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.empty()) return {};
  // A third of the letters may be wrong, but not all.
  const std::size_t most = std::min(std::max<std::size_t>(1, name.size() / 3), name.size() - 1);
  const std::string nearest = text::nearest_name(name, candidates, most);
  return nearest.empty() ? Message() : Message("did you mean '{}'?", nearest);
}

Message wrong_count(std::string_view name, const Message& wanted, bool one, std::size_t given) {
  const Message takes = one ? Message("'{}' takes {} argument", name, wanted)
                            : Message("'{}' takes {} arguments", name, wanted);
  return given == 1 ? Message("{}, {} is given", takes, given) : Message("{}, {} are given", takes, given);
}

}  // namespace warplens::sim::lower
