// The body of a device function in the place of its call.
#include <algorithm>
#include <utility>

#include "sim/lower/ir/flow.h"
#include "sim/lower/lowering.h"

namespace warplens::sim::lower {
namespace {

constexpr std::size_t kMostNestedCalls = 64;

}  // namespace

bool InlinedCalls::runs_already(const Candidate& candidate) const {
  return std::ranges::any_of(frames_, [&](const std::unique_ptr<Frame>& f) {
    return f->function == candidate.function && f->key == candidate.key;
  });
}

bool InlinedCalls::is_recursive(const Candidate& candidate, const std::vector<Argument>& arguments) const {
  if (!runs_already(candidate)) return false;
  // With nothing but constants, as constexpr functions have, it ends by itself or at the limit.
  return !std::ranges::all_of(arguments, [&](const Argument& given) {
    const std::vector<Value>& parts = given.result.parts;
    return !parts.empty() && std::ranges::all_of(parts, [&](Value v) { return b.bits(v).has_value(); });
  });
}

// Loads and converts the arguments, in the caller.
std::vector<Result> InlinedCalls::bound_parameters(const Candidate& candidate,
                                                   const std::vector<Argument>& arguments) {
  std::vector<Result> bound;
  const cuda::Function& function = *candidate.function;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const cuda::Parameter& parameter = function.parameters[i];
    const Argument& given = arguments[i];
    const TypeRef type = candidate.types[i];
    const bool is_list = given.is_list();
    Result& object = bound.emplace_back();
    if (is_list) {
      object = l_.initial_values.initial_value(types.plain(type), *given.expr);
    } else if (parameter.type.reference && given.result.is_lvalue() &&
               (types.plain(given.result.type) == types.plain(type) ||
                derives_from(given.result.type, type))) {
      object = type->is(Type::Kind::Record) ? l_.members.as_base(given.result, type->record, b.place)
                                            : given.result;
      object.type = types.with_const(object.type, type->is_const || given.result.type->is_const);
      object = l_.referred(std::move(object));
    } else {
      const AccessText text = given.expr ? l_.access_text(*given.expr) : AccessText{b.place, "", nullptr};
      const bool copies = !parameter.type.reference && types.plain(given.result.type) == types.plain(type);
      object = copies ? l_.objects.copied(given, text)
                      : l_.convert(l_.rvalue(given.result, text), type, text.range);
    }
  }
  return bound;
}

void InlinedCalls::bind_parameter(const cuda::Parameter& parameter, TypeRef type, const Result& bound) {
  Symbol symbol;
  symbol.range = parameter.range;
  symbol.object = bound;
  const bool is_changed = frame().names->changed.contains(parameter.name);
  if (bound.kind == Kind::Rvalue && !parameter.name.empty() &&
      l_.declarations.must_lie_in_memory(parameter.name, type)) {
    symbol.object = {Kind::Memory, type, {}, l_.new_local(type, parameter.name)};
    l_.store(symbol.object, bound, {parameter.range, parameter.name, &parameter});
  } else if (bound.kind == Kind::Rvalue && is_changed) {
    symbol.object = l_.new_variable(type);
    l_.assign_parts(symbol.object.parts, type, l_.settled(bound).parts);
  } else if (bound.kind == Kind::Rvalue) {
    symbol.object = l_.settled(bound);
    symbol.object.type = types.with_const(symbol.object.type, type->is_const);
  }
  if (bound.kind == Kind::Rvalue) l_.show(parameter.name, symbol.object, parameter.range, name_of(type));
  if (!parameter.name.empty()) l_.declare(parameter.name, std::move(symbol));
}

Result InlinedCalls::inline_call(Candidate& candidate, std::vector<Argument>& arguments,
                                 const cuda::SourceRange& range, const std::optional<Result>& self) {
  l_.pace().step();
  if (const cuda::Function* special = l_.overloads.specialisation_of(candidate)) candidate.function = special;
  const cuda::Function& function = *candidate.function;
  if (l_.say_errors(function.errors)) stop();
  if (b.dead && runs_already(candidate) && !function.result.reference) {
    const TypeRef type = l_.resolve(function.result);
    if (!type || type->is(Type::Kind::Error)) stop();
    return type->is(Type::Kind::Void) ? void_result() : l_.zero_of(type);
  }
  if (is_recursive(candidate, arguments)) {
    return fail(range, Message("'{}' calls itself: recursion is not supported", function.name),
                Message("write a loop, or a template that ends with if constexpr"));
  }
  if (frames_.size() > kMostNestedCalls) {
    return fail(range, Message("calls are nested too deeply: more than {} functions", kMostNestedCalls));
  }
  const std::vector<Result> bound = bound_parameters(candidate, arguments);
  const std::optional<FoldedCall> folded = foldable(candidate, bound, self);
  if (folded) {
    if (const auto known = folded_.find(*folded); known != folded_.end()) return known->second;
  }
  ++inlined_[&function];
  const std::size_t said = diagnostics.size();

  List body;
  frames_.push_back(std::make_unique<Frame>());
  Frame& callee = frame();
  callee.function = &function;
  callee.key = candidate.key;
  callee.names = l_.name_uses.of(*function.body);
  callee.scopes.push_back(candidate.scope);
  callee.region = b.ir.add_region(b.region);
  callee.body = &body;
  callee.dead = b.dead;
  callee.record = candidate.record;
  const bool is_good = tried([&] {
    const ListScope scope(b, body, callee.region);
    if (!function.result.measured) callee.result_type = l_.resolve(function.result);
    if (self) l_.declare_self(*self, range);
    const BlockScope block(l_);
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const cuda::Parameter& parameter = function.parameters[i];
      const TypeRef type = candidate.types[i];
      const Result given =
          i < arguments.size() ? bound[i] : l_.initial_values.initial_value(type, *parameter.fallback);
      bind_parameter(parameter, type, given);
      if (l_.is_library(parameter.range) && i < arguments.size() && !parameter.name.empty())
        frame().scopes.back()[parameter.name].given = arguments[i].expr;
    }
    if (function.result.measured) callee.result_type = l_.resolve(function.result);  // `-> decltype(a + b)`
    if (function.is_constructor) l_.objects.initialise_members(function);
    l_.statement(*function.body);
    const bool wants_value = callee.result_type && !callee.result_type->is(Type::Kind::Void);
    if (callee.has_exits && wants_value && b.dead == callee.dead) {
      warning(function.name_range, Message("'{}' may end without returning a value", function.name),
              Message("end it with a return"));
    }
  });
  const std::unique_ptr<Frame> finished = std::move(frames_.back());
  frames_.pop_back();
  if (!is_good) stop();
  const bool folds = folded && said == diagnostics.size() && is_folded(*finished, body);
  Result result = finish_call(*finished, body, function);
  if (folds) folded_[*folded] = result;
  return result;
}

// Empty where the call may give something else, or do something, the next time.
std::optional<InlinedCalls::FoldedCall> InlinedCalls::foldable(const Candidate& candidate,
                                                               const std::vector<Result>& bound,
                                                               const std::optional<Result>& self) const {
  if (self || b.dead) return std::nullopt;
  FoldedCall call{candidate.function, candidate.key, {}};
  for (const Result& given : bound) {
    if (given.kind != Kind::Rvalue || given.parts.empty()) return std::nullopt;
    for (const Value part : given.parts) {
      if (!b.bits(part)) return std::nullopt;
      std::get<2>(call).emplace_back(given.type, part);
    }
  }
  return call;
}

bool InlinedCalls::is_folded(const Frame& finished, const List& body) const {
  const bool does_nothing = std::ranges::all_of(body, [](const Node& node) {
    return node.kind == Node::Kind::Begin || node.kind == Node::Kind::Finish;
  });
  const Result& result = finished.result;
  const bool is_void = finished.result_type && finished.result_type->is(Type::Kind::Void);
  return does_nothing && !finished.has_exits &&
         (is_void ||
          (result.kind == Kind::Rvalue && !result.parts.empty() &&
           std::ranges::all_of(result.parts, [&](Value part) { return b.bits(part).has_value(); })));
}

// Puts the body into the caller and gives what it returns.
Result InlinedCalls::finish_call(Frame& finished, List& body, const cuda::Function& function) {
  const TypeRef type = finished.result_type;
  append_part(b, body, finished.region, finished.has_exits);
  if (type && type->is(Type::Kind::Error)) stop();
  if (!type || type->is(Type::Kind::Void)) return void_result();
  if (finished.has_exits && function.result.reference && !finished.returns_values) {
    return {Kind::Memory, type, {}, Address{finished.result_variables[0], {}, 0}};
  }
  if (finished.has_exits) return {Kind::Rvalue, types.plain(type), finished.result_variables, {}};
  if (finished.result.is_error() && has_errors(diagnostics)) stop();
  if (finished.result.is_error())
    fail(function.name_range,
         Message("'{}' returns nothing, but should return '{}'", function.name, name_of(type)),
         Message("end it with a return"));
  return finished.result;
}

}  // namespace warplens::sim::lower
