// Functions that are passed on: arguments of templates and of other functions, known when compiling. And
// which function a name means where a user's stands beside a built-in one.
#include <algorithm>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

bool FunctionValues::takes_whichever(TypeRef type, TypeRef given) const {
  const bool any_function = type->is(Type::Kind::Function) && type->function < 0;
  const bool any_texture = type->is(Type::Kind::Texture) && type->function < 0;
  if (any_texture && type->is_surface != given->is_surface) return false;
  return (any_function || any_texture) && type->kind == given->kind;
}

// `square` or `square<float>`, not called.
Result FunctionValues::function_value(const cuda::NameExpr& name, const cuda::SourceRange& range) {
  FunctionValue value{nullptr, name.name, name.name, {}};
  for (const cuda::Function* function : l_.functions_named(name.name)) {
    if (!value.function || !value.function->body) {
      value.function = function;
    } else if (function->body) {
      fail(range, Message("'{}' is the name of several functions: which one is passed here?", name.name),
           Message("pass one that has a name of its own"));
    }
  }
  if (const cuda::Function* function = value.function) {
    if (l_.say_broken(name.name)) stop();
    // Arguments that are not written follow from what it is called with, as those of a lambda's `auto` do.
    if (!name.arguments.empty() && !l_.templates.bind_template(function->template_parameters, name.arguments,
                                                               range, value.scope, value.key, true))
      stop();
  } else {
    const auto found = builtins().find(name.name);
    const bool plain = found != builtins().end() && found->second.runs();
    const Domain domain = plain ? found->second.domain : Domain::Any;
    if (!plain || domain == Domain::Any || domain == Domain::Common) {
      fail(range,
           plain ? Message("'{}' is the name of several functions: which one is passed here?", name.name)
                 : Message("'{}' cannot be passed as a function", name.name),
           Message("pass a __device__ function of your own that calls it"));
    }
  }
  auto known = std::ranges::find(values_, value);
  if (known == values_.end()) known = values_.insert(known, std::move(value));
  const auto index = static_cast<int>(known - values_.begin());
  return {Kind::Rvalue, types.function(index), {}, {}};
}

Result FunctionValues::call_function(const FunctionValue& f, const cuda::CallExpr& node, const cuda::Expr& e,
                                     const std::vector<cuda::TemplateArgument>& template_arguments) {
  if (!f.function) {
    BuiltinCall c;
    c.name = f.name;
    c.node = &node;
    c.range = e.range;
    return l_.builtin(builtins().find(f.name)->second, c);
  }
  return call_function_with(f, l_.lower_arguments(node.arguments), node.callee->range, e.range,
                            template_arguments);
}

Result FunctionValues::call_function_with(const FunctionValue& f, std::vector<Argument> arguments,
                                          const cuda::SourceRange& name_range, const cuda::SourceRange& range,
                                          const std::vector<cuda::TemplateArgument>& template_arguments) {
  std::vector<Candidate> candidates(1);
  candidates[0].function = f.function;
  candidates[0].scope = f.scope;
  candidates[0].key = f.key;
  candidates[0].record = f.record;
  Candidate& chosen =
      l_.overloads.choose_candidate(candidates, f.name, template_arguments, arguments, name_range);
  if (const cuda::Function* special = l_.overloads.specialisation_of(chosen)) chosen.function = special;
  return l_.inlined_calls.inline_call(chosen, arguments, range, f.self);
}

// ---- lambdas

// A copy, that later assignments to the variable do not change. Arrays stay where they are.
Result FunctionValues::captured(const Symbol& symbol, const std::string& name) {
  Result object = symbol.object;
  const bool copies = object.type && l_.objects.copies_by_function(object.type);
  if ((!object.is_lvalue() && !copies) || contains_array(object.type)) return object;
  const TypeRef type = object.type;
  object = l_.settled(l_.objects.copied(object, AccessText{b.place, name, nullptr}));
  object.type = types.with_const(type, true);
  return object;
}

// A function that sees the names around it, as they are here: by reference what they stand for, else copies.
Result FunctionValues::lambda(const cuda::LambdaExpr& node) {
  FunctionValue value{node.function.get(), "lambda", {}, {}, frame().record, frame().self};
  value.key = "lambda " + std::to_string(values_.size());
  const auto own = [&](const std::string& name) {
    return std::ranges::find(node.captures, name, &cuda::LambdaCapture::name);
  };
  for (const Scope& scope : frame().scopes) {
    for (const auto& [name, symbol] : scope) {
      Symbol& seen = value.scope[name] = symbol;
      if (symbol.kind != Symbol::Kind::Object || symbol.object.is_error()) continue;
      const auto capture = own(name);
      const bool by_reference =
          capture != node.captures.end() ? capture->by_reference : node.captures_all == '&';
      const bool by_value =
          capture != node.captures.end() ? !capture->by_reference : node.captures_all == '=';
      if (by_value && node.names.contains(name))
        seen.object = captured(symbol, name);
      else if (!by_reference && symbol.object.kind == Kind::Variable)
        value.scope.erase(name);  // not captured: not known inside
    }
  }
  for (const cuda::LambdaCapture& capture : node.captures) {
    if (!capture.initializer) continue;
    Symbol made{.object = l_.expr(*capture.initializer), .range = capture.initializer->range};
    if (!capture.by_reference) made.object = captured(made, capture.name);
    value.scope[capture.name] = std::move(made);
  }
  values_.push_back(std::move(value));
  return {Kind::Rvalue, types.function(static_cast<int>(values_.size()) - 1), {}, {}};
}

// ---- functions that stand beside CUDA's

// As overload resolution has it, with CUDA's own for each scalar type.
OverloadResolution::Meant OverloadResolution::users_or_builtin(
    const std::string& name, const Builtin& f, const cuda::CallExpr& node,
    const std::vector<cuda::TemplateArgument>& template_arguments) {
  List discarded;
  const ListScope scope(b, discarded, b.region, Fate::Dead);
  const std::vector<Argument> arguments = l_.lower_arguments(node.arguments);
  bool exact = false, viable = false, is_template = false;
  for (const cuda::Function* function : l_.functions_named(name)) {
    Candidate candidate;
    candidate.function = function;
    candidate.key = name;
    if (!consider(candidate, template_arguments, arguments)) continue;
    viable = true;
    const bool fits = std::ranges::all_of(candidate.ranks, [](int r) { return r == 0; });
    if (fits) is_template = !function->template_parameters.empty() && (!exact || is_template);
    exact = exact || fits;
  }
  if (!viable) return Meant::Builtin;
  const bool same = computes(f) && arguments.size() == f.arguments && template_arguments.empty() &&
                    std::ranges::all_of(arguments, [&](const Argument& given) {
                      return given.result.type && given.result.type->is_scalar() &&
                             types.plain(given.result.type) == types.plain(arguments[0].result.type);
                    });
  const ScalarType type = same && !arguments.empty() ? arguments[0].result.type->scalar : ScalarType::Bool;
  const bool floating = type == ScalarType::F32 || type == ScalarType::F64;
  const bool of_builtin =
      same && ((f.domain == Domain::Common && size_of(type) >= 4) || (f.domain == Domain::Any && floating) ||
               (f.domain == Domain::Float && type == ScalarType::F32));
  if (exact) return is_template && of_builtin ? Meant::Builtin : Meant::Users;
  return of_builtin ? Meant::Builtin : Meant::Users;
}

}  // namespace warplens::sim::lower
