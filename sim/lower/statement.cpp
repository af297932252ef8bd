// Statements.
#include <algorithm>
#include <utility>

#include "sim/lower/ir/flow.h"
#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

void Lowering::statement(const cuda::Stmt& stmt) {
  tried([&] {
    step();
    const Within depth(depth_, deeper(stmt.range));
    const Within place(b.place, place_of(stmt.range));
    std::visit([&](const auto& node) { lower(node, stmt); }, stmt.node);
  });
}

void Lowering::statements(const std::vector<cuda::StmtPtr>& list) {
  for (const cuda::StmtPtr& stmt : list) {
    if (stmt) statement(*stmt);
  }
}

void Lowering::branch_statement(const cuda::StmtPtr& stmt) {
  const BlockScope scope(*this);
  if (stmt) statement(*stmt);
}

void Lowering::unreachable() {
  b.list = &scratch_;
  b.discarding = true;
  b.dead = true;
}

void Lowering::lower(const cuda::EmptyStmt&, const cuda::Stmt&) {}

// What is no constant here is one for the compiler, who says so.
void Lowering::lower(const cuda::StaticAssertStmt& node, const cuda::Stmt& stmt) {
  const std::size_t said = diagnostics.size();
  const auto condition = constant_integer(*node.condition, Message("the condition of '{}'", "static_assert"));
  diagnostics.resize(said);
  if (condition && *condition == 0)
    error(stmt.range, Message("this static_assert does not hold: nvcc refuses the kernel"),
          Message("choose other template arguments"));
}

void Lowering::lower(const cuda::ExprStmt& node, const cuda::Stmt&) {
  if (node.expr) expr(*node.expr);
}

void Lowering::lower(const cuda::CompoundStmt& node, const cuda::Stmt&) {
  const BlockScope scope(*this);
  statements(node.body);
}

void Lowering::lower(const cuda::UsingStmt& node, const cuda::Stmt& stmt) {
  const TypeRef type = aliased(node);
  declare(node.name, {.kind = Symbol::Kind::Type,
                      .object = bad(),
                      .type = type ? type : types.error(),
                      .range = stmt.range});
}

// ---- branches

void Lowering::lower(const cuda::IfStmt& node, const cuda::Stmt&) {
  Value condition = kNone;  // after a complaint, too: the branches are looked at all the same
  const bool is_good = tried([&] { condition = condition_of(*node.condition); });
  const auto known = b.bits(condition);
  if (node.is_constexpr) {
    if (!is_good) return;
    if (!known) {
      return error(node.condition->range,
                   Message("the condition of 'if constexpr' must be known when compiling"),
                   Message("use a plain 'if'"));
    }
    return branch_statement(*known ? node.then_branch : node.else_branch);
  }
  if (known) {
    List discarded;
    {
      const ListScope scope(b, discarded, b.region, Fate::Dead);
      branch_statement(*known ? node.else_branch : node.then_branch);
    }
    return branch_statement(*known ? node.then_branch : node.else_branch);
  }
  Sides sides(b);
  bool goes_on = b.dead;
  for (int i = 0; i < 2; ++i) {
    const ListScope scope(b, sides.lists[i], sides.regions[i], is_good ? Fate::Kept : Fate::Dead);
    branch_statement(i == 0 ? node.then_branch : node.else_branch);
    goes_on |= !b.dead;
  }
  if (!is_good) return;
  sides.append(b, condition, place_of(node.condition->range));
  if (!goes_on) unreachable();
}

void Lowering::lower(const cuda::SwitchStmt& node, const cuda::Stmt& stmt) {
  const Result selector = value_of(*node.condition);
  if (!selector.type->is_integer())
    fail(node.condition->range, Message("'switch' needs an integer, not '{}'", name_of(selector.type)));
  const ScalarType type = sim::promoted(selector.type->scalar);
  const Value chosen = b.settled(type, scalar_as(selector, type));
  std::vector<Value> conditions = case_conditions(node, type, chosen);
  // A branch for each label, in which those go on that come from the case before; `break` leaves all of them.
  const cuda::SourceRange place = place_of(stmt.range);
  const int region = b.ir.add_region(b.region);
  List cases;
  bool goes_on = false;
  frame().targets.push_back({region, -1});
  const BlockScope block(*this);
  for (std::size_t i = 0; i < node.labels.size(); ++i) {
    const ListScope scope(b, cases, region);
    if (goes_on) conditions[i] = b.op(Opcode::Or, ScalarType::Bool, conditions[i - 1], conditions[i]);
    const std::size_t end = i + 1 < node.labels.size() ? node.labels[i + 1].before : node.body.size();
    where(b, conditions[i], place, [&] {
      for (std::size_t at = node.labels[i].before; at < end; ++at)
        if (node.body[at]) statement(*node.body[at]);
      goes_on = !b.dead;
    });
  }
  const bool breaks = frame().targets.back().breaks;
  const auto is_default = [](const cuda::SwitchLabel& label) { return !label.value; };
  frame().targets.pop_back();
  append_part(b, cases, region, breaks);
  if (!goes_on && !breaks && std::ranges::any_of(node.labels, is_default)) unreachable();
}

// When each label is meant.
std::vector<Value> Lowering::case_conditions(const cuda::SwitchStmt& node, ScalarType type, Value chosen) {
  std::vector<Value> conditions;
  Value matched = b.ir.constant(ScalarType::Bool, 0);
  std::set<std::int64_t> seen;
  bool has_default = false;
  for (const cuda::SwitchLabel& label : node.labels) {
    Value& condition = conditions.emplace_back(kNone);
    if (!label.value) {
      if (std::exchange(has_default, true))
        error(label.range, Message("'default' stands twice in this switch"));
      continue;
    }
    const Result constant = constant_value(*label.value, types.scalar(type), Message("a case"));
    if (!seen.insert(*b.constant_integer(constant.value(), type)).second)
      error(label.range, Message("this case stands twice in the switch"));
    condition = b.op(Opcode::Eq, type, chosen, constant.value());
    matched = b.op(Opcode::Or, ScalarType::Bool, matched, condition);
  }
  std::ranges::replace(conditions, kNone, b.op(Opcode::Not, ScalarType::Bool, matched));
  return conditions;
}

// ---- loops

void Lowering::lower(const cuda::ForStmt& node, const cuda::Stmt&) {
  const BlockScope block(*this);
  const int region = b.ir.add_region(b.region);
  {
    // What is declared here lives in the loop: only lanes that are still inside look at it.
    const ListScope scope(b, *b.list, region);
    if (node.init) statement(*node.init);
  }
  loop(node.condition.get(), node.increment.get(), node.body, region, true);
}

void Lowering::lower(const cuda::WhileStmt& node, const cuda::Stmt&) {
  loop(node.condition.get(), nullptr, node.body, b.ir.add_region(b.region), true);
}

void Lowering::lower(const cuda::DoStmt& node, const cuda::Stmt&) {
  loop(node.condition.get(), nullptr, node.body, b.ir.add_region(b.region), false);
}

void Lowering::loop(const cuda::Expr* condition, const cuda::Expr* increment, const cuda::StmtPtr& body,
                    int region, bool test_first) {
  Node made;
  made.kind = Node::Kind::Loop;
  made.range = condition ? place_of(condition->range) : b.place;
  made.region = region;
  made.body_region = b.ir.add_region(region);
  made.test_first = test_first;
  bool never_runs = false, goes_on = true;
  {
    const ListScope scope(b, made.header, region);
    made.condition = b.integer(ScalarType::Bool, 1);
    never_runs = condition && !tried([&] { made.condition = condition_of(*condition); });
    never_runs |= test_first && b.bits(made.condition) == std::uint64_t{0};
  }
  const Fate fate = never_runs ? Fate::Dead : Fate::Kept;
  List turn;
  const int turn_region = b.ir.add_region(made.body_region);
  frame().targets.push_back({region, turn_region});
  {
    const ListScope scope(b, turn, turn_region, fate);
    branch_statement(body);
  }
  {
    const ListScope scope(b, made.body, made.body_region, fate);
    append_part(b, turn, turn_region, frame().targets.back().continues);
  }
  goes_on = never_runs || b.bits(made.condition) != std::uint64_t{1} || frame().targets.back().breaks;
  frame().targets.pop_back();
  {
    const ListScope scope(b, made.other, region, fate);
    if (increment) expr(*increment);
  }
  if (never_runs) return;
  b.append(Node::Kind::Loop) = std::move(made);
  if (!goes_on) unreachable();  // `while (true)` without a break ends by a return
}

// ---- jumps

void Lowering::lower(const cuda::BreakStmt&, const cuda::Stmt& stmt) {
  if (frame().targets.empty())
    return error(stmt.range, Message("'break' stands outside of a loop or switch"));
  b.append(Node::Kind::Exit).region = frame().targets.back().break_region;
  frame().targets.back().breaks |= !b.dead;
  unreachable();
}

void Lowering::lower(const cuda::ContinueStmt&, const cuda::Stmt& stmt) {
  std::vector<JumpTarget>& targets = frame().targets;
  for (auto target = targets.rbegin(); target != targets.rend(); ++target) {
    if (target->continue_region < 0) continue;
    b.append(Node::Kind::Exit).region = target->continue_region;
    target->continues = true;
    return unreachable();
  }
  error(stmt.range, Message("'continue' stands outside of a loop"));
}

void Lowering::lower(const cuda::ReturnStmt& node, const cuda::Stmt& stmt) {
  if (frame().function->kind != cuda::Function::Kind::Kernel) {
    const bool is_good = tried([&] { return_value(node, stmt.range); });
    if (!is_good && !frame().result_type) frame().result_type = types.error();
    return;
  }
  if (node.value)
    return error(node.value->range, Message("a kernel returns nothing"),
                 Message("write the result to memory"));
  b.append(Node::Kind::Return);
  unreachable();
}

// What is returned stays what it is, an lvalue; from a branch only one in memory can be, or a number that is
// const: its value says all.
void Lowering::return_reference(const cuda::ReturnStmt& node, const cuda::SourceRange& range) {
  Frame& callee = frame();
  Result result = expr(*node.value);
  if (!callee.result_type) callee.result_type = result.type;
  if (callee.result_type->is(Type::Kind::Error)) return;
  const TypeRef type = callee.result_type;
  const bool is_const = type->is_const || callee.function->result.is_const;
  if (!result.is_lvalue() && is_const) {
    result = settled(convert(result, type, range));  // a const reference to a value: the value
  } else if (!result.is_lvalue() || types.plain(result.type) != types.plain(type)) {
    return error(node.value->range, Message("'{}&' cannot refer to this value", name_of(type)),
                 Message("return a variable, or return by value"));
  }
  if (b.dead && !callee.dead) return;
  result = referred(std::move(result));
  if (b.list == callee.body && !callee.has_exits) {
    callee.result = std::move(result);
    return unreachable();
  }
  if (is_const && (type->is_scalar() || type->is_pointer())) {
    result = convert(rvalue(result, *node.value), types.plain(type), range);
    if (!callee.has_exits) {
      const ListScope outside(b, *b.list, b.ir.regions[callee.region].parent);
      callee.result_variables = new_variable(types.plain(type)).parts;
    }
    callee.has_exits = callee.returns_values = true;
    b.move(callee.result_variables[0], scalar_of(type), scalar_value(result));
    b.append(Node::Kind::Exit).region = callee.region;
    return unreachable();
  }
  if (result.kind != Kind::Memory) {
    return error(range,
                 Message("a reference to a variable in registers can be returned only at the function's end"),
                 Message("return by value"));
  }
  if (!callee.has_exits) {
    const ListScope outside(b, *b.list, b.ir.regions[callee.region].parent);
    callee.result_variables = {b.ir.variable(ScalarType::U64, b.region)};
  }
  callee.has_exits = true;
  b.move(callee.result_variables[0], ScalarType::U64, b.address_value(result.address));
  b.append(Node::Kind::Exit).region = callee.region;
  unreachable();
}

// All returns name one variable of the function: nvcc makes it where the result is to be, and copies nothing.
bool Lowering::returns_own_variable(const cuda::ReturnStmt& node) const {
  const Frame& callee = *frames_.back();
  const auto* name = std::get_if<cuda::NameExpr>(&node.value->node);
  const bool is_only = name && !name->scope && callee.names->returned.size() == 1;
  if (!is_only || callee.names->references.contains(name->name)) return false;
  const std::size_t outside = callee.self ? 3 : 2;  // template parameters, members, parameters
  return std::any_of(callee.scopes.begin() + std::min(outside, callee.scopes.size()), callee.scopes.end(),
                     [&](const Scope& scope) { return scope.contains(name->name); });
}

void Lowering::return_value(const cuda::ReturnStmt& node, const cuda::SourceRange& range) {
  Frame& callee = frame();
  if (callee.function->result.reference && node.value) return return_reference(node, range);
  const bool is_list = node.value && std::holds_alternative<cuda::InitListExpr>(node.value->node);
  Result result = void_result();
  if (node.value) {
    result = is_list && callee.result_type ? initial_values.initial_value(callee.result_type, *node.value)
             : returns_own_variable(node)  ? value_of(*node.value)
                                           : objects.copy_of(*node.value);
  }
  if (!callee.result_type) callee.result_type = types.plain(result.type);
  const bool wants_value = !callee.result_type->is(Type::Kind::Void);
  if (wants_value != (result.kind != Kind::Void)) {
    return error(range,
                 wants_value
                     ? Message("'{}' must return '{}'", callee.function->name, name_of(callee.result_type))
                     : Message("'{}' returns nothing: its type is 'void'", callee.function->name));
  }
  if (wants_value) {
    result = convert(result, callee.result_type, range);
    if (result.parts.empty() && result.type->is_pointer()) result.parts = {scalar_value(result)};
  }
  if (b.dead && !callee.dead) return;  // never runs
  if (b.list == callee.body && !callee.has_exits) {
    callee.result = std::move(result);
    return unreachable();
  }
  if (!callee.has_exits && wants_value) {
    const ListScope outside(b, *b.list, b.ir.regions[callee.region].parent);
    callee.result_variables = new_variable(callee.result_type).parts;
  }
  callee.has_exits = true;
  if (wants_value) assign_parts(callee.result_variables, callee.result_type, result.parts);
  b.append(Node::Kind::Exit).region = callee.region;
  unreachable();
}

}  // namespace warplens::sim::lower
