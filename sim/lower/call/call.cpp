// Calls of device functions: which one is meant, and its template arguments.
#include <algorithm>
#include <utility>

#include "sim/lower/lowering.h"
#include "sim/text/scan.h"

namespace warplens::sim::lower {

std::vector<Argument> Lowering::lower_arguments(const std::vector<cuda::ExprPtr>& exprs) {
  std::vector<Argument> arguments;
  for (const cuda::ExprPtr& e : exprs) {
    const bool is_list = std::holds_alternative<cuda::InitListExpr>(e->node);
    arguments.push_back({e.get(), is_list ? Result{Kind::Void, types.void_type(), {}, {}} : expr(*e)});
  }
  return arguments;
}

// k<<<grid, block, shared, stream>>>(...) in a kernel: what it is given is evaluated, and that is all.
Result Lowering::grid_launch(const cuda::CallExpr& node, const cuda::SourceRange& range) {
  constexpr std::size_t kStream = 3;  // a stream, or a name of CUDA's for one
  warning(range,
          Message("the grid that this kernel launches is not simulated: its accesses are not in the "
                  "counts, and what it writes is not there"),
          Message("report the launched kernel by itself"));
  const auto look_at = [&](const cuda::ExprPtr& given) {
    const auto* list = std::get_if<cuda::InitListExpr>(&given->node);  // {1, 1, 1}
    if (list == nullptr) (void)settled(value_of(*given));
    if (list != nullptr)
      for (const cuda::ExprPtr& one : list->elements) (void)settled(value_of(*one));
  };
  for (std::size_t i = 0; i < node.configuration.size() && i < kStream; ++i) look_at(node.configuration[i]);
  for (const cuda::ExprPtr& argument : node.arguments) look_at(argument);
  return void_result();
}

Result Lowering::lower(const cuda::CallExpr& node, const cuda::Expr& e) {
  if (!node.configuration.empty()) return grid_launch(node, e.range);
  BuiltinCall c;
  c.node = &node;
  c.range = e.range;
  if (const auto* member = std::get_if<cuda::MemberExpr>(&node.callee->node)) {
    return member_call(*member, node, e);
  }
  const auto* callee = std::get_if<cuda::NameExpr>(&node.callee->node);
  if (!callee) return call_object(expr(*node.callee), node, e);
  const std::string& name = callee->name;
  std::string member;
  const Record* record = members.record_of_scope(*callee, member);
  if (record && (callee->scope || functions_named(name).empty())) {
    return call_method(record, members.self_as(record, e.range), member, callee->arguments,
                       lower_arguments(node.arguments), node.callee->range, e.range);
  }
  if (callee->scope)
    return fail(node.callee->range, Message("what '{}' is a function of is not a struct here", name));
  const Symbol* symbol = callee->qualifiers == "std" ? nullptr : find_symbol(name);
  if (symbol && symbol->kind == Symbol::Kind::Object) return call_object(symbol->object, node, e);
  const Bases bases = functions_named(name).empty() ? Bases::All : Bases::Independent;
  if (!symbol && members.has_method(frame().record, name, bases)) {
    return call_method(frame().record, frame().self, name, callee->arguments, lower_arguments(node.arguments),
                       node.callee->range, e.range);
  }
  bool is_function = !functions_named(name).empty();  // also one that is called `half`
  if (const auto own = builtins().find(name); is_function && own != builtins().end() && own->second.runs()) {
    is_function = overloads.users_or_builtin(name, own->second, node, callee->arguments) ==
                  OverloadResolution::Meant::Users;
  }
  const bool is_type = symbol || (!is_function && (structs_.contains(name) || types.builtin(name)));
  if (is_type) {
    const TypeRef type = templates.type_of_argument(
        {nullptr, std::shared_ptr<cuda::Expr>(std::shared_ptr<void>(), node.callee.get())}, true);
    if (type->is(Type::Kind::Error)) stop();
    return initial_values.construct(type, node.arguments, e.range);
  }
  if (is_function) {
    return call(*callee, lower_arguments(node.arguments), node.callee->range, e.range);
  }
  if (say_broken(name)) stop();
  c.name = name;
  c.template_arguments = &callee->arguments;
  if (const auto found = builtins().find(name); found != builtins().end()) return builtin(found->second, c);
  const auto& host = unit_.host_names;
  if (std::ranges::find(host, name) != host.end()) {
    return fail(node.callee->range, Message("'{}' is a host function: a kernel cannot call it", name),
                Message("mark it __device__"));
  }
  std::vector<std::string> names;
  for (const auto& [known, entry] : builtins())
    if (entry.is_there()) names.push_back(known);
  for (const auto& [known, functions] : functions_) names.emplace_back(known);
  undeclared(name, node.callee->range, Message("function '{}' is not declared here", name),
             suggestion(name, names));
  stop();
}

// `object.name(...)`, `pointer->name(...)`.
Result Lowering::member_call(const cuda::MemberExpr& member, const cuda::CallExpr& node,
                             const cuda::Expr& e) {
  Result object = object_of(member);
  if (member.member.starts_with("~"))
    return void_result();  // no type here has a destructor that does something
  if (object.type->is(Type::Kind::Function) && object.type->function >= 0 && member.member == "operator()")
    return function_values.call_function(function_values.at(object.type), node, e, member.arguments);
  if (!object.type->is(Type::Kind::Record)) {
    return fail(member.member_range, Message("'{}' has no member functions", name_of(object.type)));
  }
  const Record* record = object.type->record;
  const auto& fields = record->fields;
  const bool is_field =
      std::ranges::any_of(fields, [&](const Field& field) { return field.name == member.member; });
  if (is_field) return call_object(member_of(object, member.member, member.member_range), node, e);
  return call_method(record, std::move(object), member.member, member.arguments,
                     lower_arguments(node.arguments), member.member_range, e.range);
}

// An object with operator().
Result Lowering::call_object(const Result& object, const cuda::CallExpr& node, const cuda::Expr& e) {
  if (object.type->is(Type::Kind::Function)) {
    if (object.type->function >= 0)
      return function_values.call_function(function_values.at(object.type), node, e);
    return fail(node.callee->range, Message("which function is called here is not known when compiling"),
                Message("call functions by their names, or pass them as template arguments"));
  }
  if (!members.methods_named(object, "operator()").empty()) {
    return call_method(object.type->record, object, "operator()", {}, lower_arguments(node.arguments),
                       node.callee->range, e.range);
  }
  const auto* name = std::get_if<cuda::NameExpr>(&node.callee->node);
  if (!name)
    return fail(node.callee->range, Message("this cannot be called"),
                Message("call functions by their names"));
  return fail(node.callee->range, Message("'{}' is not a function", name->name));
}

// ---- choosing the function

// Where in the text each of the functions of one name is declared first, be it by a declaration alone.
void OverloadResolution::note_declarations(const Functions& functions) {
  std::map<std::string, std::size_t> first;  // of a declaration, by namespace and parameters
  const auto signature_of = [](const cuda::Function& function) {
    std::string signature = function.scope;
    for (const cuda::Parameter& parameter : function.parameters)
      signature += "," + parameter.type.name + std::to_string(parameter.type.pointers) +
                   (parameter.type.reference ? "&" : "");
    return signature;
  };
  for (const cuda::Function* function : functions) {
    if (function->body) continue;
    const auto [known, is_new] = first.try_emplace(signature_of(*function), function->place);
    if (!is_new) known->second = std::min(known->second, function->place);
  }
  for (const cuda::Function* function : functions) {
    std::size_t& place = declared_[function] = function->place;
    if (first.empty()) continue;
    const auto declaration = first.find(signature_of(*function));
    if (declaration != first.end()) place = std::min(place, declaration->second);
  }
}

// Marks what C++'s lookup of the name finds: with qualifiers what these namespaces have, else the namespaces
// around the call, the innermost that has such a function, those of using directives, and those of the
// arguments' structs. What is declared behind the caller is found by a template alone, in the latter. An
// operator is looked for everywhere.
void OverloadResolution::find_by_name(std::vector<Candidate>& candidates, const cuda::NameExpr& callee,
                                      const std::vector<Argument>& arguments) const {
  if (callee.name.starts_with("operator") || candidates.size() < 2) return;
  const std::string& qualifiers = callee.qualifiers;
  const cuda::Function* caller = frames_.back()->function;
  const auto is_declared = [&](const cuda::Function& function) {
    return !caller || declared_.at(&function) <= caller->place;
  };
  const auto has = [&](const std::string& space) {
    return std::ranges::any_of(candidates, [&](const Candidate& candidate) {
      return candidate.function->scope == space && is_declared(*candidate.function);
    });
  };
  std::string around = caller ? caller->scope : std::string();
  while (qualifiers.empty() && !around.empty() && !has(around)) {
    const std::size_t end = around.rfind("::");
    around.resize(end == std::string::npos ? 0 : end);
  }
  std::vector<std::string> used = l_.unit().uses.namespaces, of_arguments;
  if (caller) used.insert(used.end(), caller->uses.namespaces.begin(), caller->uses.namespaces.end());
  for (const Argument& argument : arguments) {
    TypeRef type = argument.result.type;
    while (type && (type->is_pointer() || type->is(Type::Kind::Array))) type = type->element;
    if (type && type->is(Type::Kind::Record) && type->record->definition)
      of_arguments.push_back(type->record->definition->scope);
  }
  const auto lists = [](const std::vector<std::string>& spaces, const std::string& space) {
    return std::ranges::find(spaces, space) != spaces.end();
  };
  const Record* record = frames_.back()->record;
  const bool is_template =
      caller && (!caller->template_parameters.empty() ||
                 (record && record->definition && !record->definition->template_parameters.empty()));
  const auto is_named = [](const cuda::Uses& uses, const cuda::Function& function) {
    return std::ranges::find(uses.functions, std::pair(function.name, function.scope)) !=
           uses.functions.end();
  };
  // `using a::f;` in the function hides what is around it.
  const bool hides = qualifiers.empty() && caller && std::ranges::any_of(candidates, [&](const Candidate& c) {
                       return is_named(caller->uses, *c.function);
                     });
  for (Candidate& candidate : candidates) {
    const cuda::Function& function = *candidate.function;
    const std::string& space = function.scope;
    if (qualifiers == "::")
      candidate.is_found = space.empty();
    else if (!qualifiers.empty())
      candidate.is_found = space == qualifiers || space.ends_with("::" + qualifiers);
    else if (hides)
      candidate.is_found = is_named(caller->uses, function);
    else
      candidate.is_found = space == around || lists(used, space) || lists(of_arguments, space) ||
                           is_named(l_.unit().uses, function);
    const bool is_reached = is_template && lists(of_arguments, space);
    if (!is_reached && !is_declared(function)) candidate.is_found = false;
  }
}

Result Lowering::call(const cuda::NameExpr& callee, std::vector<Argument> arguments,
                      const cuda::SourceRange& name_range, const cuda::SourceRange& range) {
  const std::string& name = callee.name;
  if (say_broken(name)) stop();  // an overload that may be the one that is meant
  const std::string key = callee.arguments.empty()
                              ? overloads.chosen_key(callee.qualifiers + " " + name,
                                                     {frame().function, frame().record}, arguments)
                              : std::string();
  if (const Candidate* known = overloads.known(key)) {
    Candidate again = *known;
    return inlined_calls.inline_call(again, arguments, range);
  }
  std::vector<Candidate> candidates;
  for (const cuda::Function* function : functions_named(name)) {
    Candidate& candidate = candidates.emplace_back();
    candidate.function = function;
    candidate.key = name;
  }
  overloads.find_by_name(candidates, callee, arguments);
  Candidate& chosen = overloads.choose_candidate(candidates, name, callee.arguments, arguments, name_range);
  if (chosen.function->kind == cuda::Function::Kind::Kernel) {
    return fail(name_range, Message("'{}' is a kernel: device code cannot call it", name),
                Message("make it a __device__ function"));
  }
  if (!key.empty()) overloads.keep(key, chosen);
  return inlined_calls.inline_call(chosen, arguments, range);
}

// What the choice of a function follows from, where its template's arguments are not written: what is called,
// from where, and all that conversion_rank() asks of the arguments. Calls that agree in it mean one function.
std::string OverloadResolution::chosen_key(std::string_view name, std::initializer_list<const void*> where,
                                           const std::vector<Argument>& arguments) const {
  std::string key(name);
  const auto add = [&key](const void* pointer) {
    key += "," + std::to_string(reinterpret_cast<std::uintptr_t>(pointer));
  };
  for (const void* pointer : where) add(pointer);
  for (const Argument& given : arguments) {
    const Result& result = given.result;
    add(result.type);
    key += given.is_list() ? 'l' : static_cast<char>('0' + static_cast<int>(result.kind));
    const bool is_zero = result.type && result.type->is_integer() && !result.parts.empty() &&
                         b.bits(result.parts[0]) == std::uint64_t{0};
    if (is_zero) key += 'z';
  }
  return key;
}

const Candidate* OverloadResolution::known(const std::string& key) const {
  const auto found = chosen_.find(key);
  return found == chosen_.end() ? nullptr : found->second.get();
}

void OverloadResolution::keep(const std::string& key, const Candidate& chosen) {
  chosen_[key] = std::make_shared<const Candidate>(chosen);
}

// Whether one of the functions takes the arguments as they are, without a conversion.
bool OverloadResolution::takes_exactly(const std::vector<const cuda::Function*>& functions,
                                       const Record* record, const std::vector<Argument>& arguments) {
  return std::ranges::any_of(functions, [&](const cuda::Function* function) {
    Candidate candidate;
    candidate.function = function;
    candidate.key = function->name;
    candidate.record = record;
    if (record) candidate.scope = l_.layout.scope_of(record);
    return consider(candidate, {}, arguments) &&
           std::ranges::all_of(candidate.ranks, [](int rank) { return rank == 0; });
  });
}

// In no argument worse, and in one better, or the one that says more.
bool OverloadResolution::is_better(const Candidate& x, const Candidate& y) {
  l_.pace().step();
  bool is_better = false;
  for (std::size_t i = 0; i < x.ranks.size(); ++i) {
    if (x.ranks[i] > y.ranks[i]) return false;
    is_better = is_better || x.ranks[i] < y.ranks[i];
  }
  if (is_better) return true;
  for (std::size_t i = 0; i < x.ranks.size(); ++i) {  // T& before const T&
    const bool references =
        x.function->parameters[i].type.reference && y.function->parameters[i].type.reference;
    const bool x_const = x.types[i]->is_const, y_const = y.types[i]->is_const;
    if (references && x_const != y_const && types.plain(x.types[i]) == types.plain(y.types[i]))
      return y_const;
  }
  if (x.function->is_const != y.function->is_const) return y.function->is_const;  // the object is not const
  const bool x_plain = x.function->template_parameters.empty(),
             y_plain = y.function->template_parameters.empty();
  if (x_plain != y_plain) return x_plain;
  if (!x_plain && is_more_special(*x.function, *y.function)) return true;
  const bool x_library = l_.is_library(x.function->range), y_library = l_.is_library(y.function->range);
  if (x_library != y_library) return y_library;  // a file's own come first
  return x.function->body && !y.function->body;  // a declaration and its definition
}

// Errors of overloads that are not meant: a few, so that many of them are not taken for those that end the
// lowering.
constexpr std::size_t kKeptOfOverloads = 4;

// The one that fits best. Each is compared with the best so far alone: with all, a
// call of n overloads would take n² looks.
Candidate& OverloadResolution::choose_candidate(std::vector<Candidate>& candidates, const std::string& name,
                                                const std::vector<cuda::TemplateArgument>& template_arguments,
                                                const std::vector<Argument>& arguments,
                                                const cuda::SourceRange& range) {
  const std::size_t said = diagnostics.size();
  Candidate* best = nullptr;
  std::size_t equals = 0;
  for (const bool found : {true, false}) {
    std::vector<Candidate*> viable;
    for (Candidate& candidate : candidates) {
      if (candidate.is_found != found) continue;
      const bool fits = consider(candidate, template_arguments, arguments);
      if (diagnostics.size() > said + kKeptOfOverloads) diagnostics.resize(said + kKeptOfOverloads);
      if (!fits) continue;
      viable.push_back(&candidate);
      if (!best || is_better(candidate, *best)) best = &candidate;
    }
    if (viable.empty()) continue;
    // The one that none is better than is best only if it is better than each.
    equals = static_cast<std::size_t>(std::ranges::count_if(
        viable, [&](const Candidate* other) { return other != best && !is_better(*best, *other); }));
    break;
  }
  if (!best) {
    if (diagnostics.size() == said) no_candidate(name, candidates, arguments, range);
    stop();
  }
  if (std::ranges::any_of(best->types, [](TypeRef type) { return type->is(Type::Kind::Error); })) stop();
  if (diagnostics.size() > said) diagnostics.resize(said);  // of those that are not meant
  if (equals > 0)
    fail(range, Message("which '{}' is meant? {} fit equally well", name, equals + 1),
         Message("convert the arguments to the parameters' types"));
  if (!best->function->body && !specialisation_of(*best)) {
    if (l_.say_broken(name)) stop();
    fail(range, Message("'{}' is declared, but its body is not in this file", name));
  }
  return *best;
}

// The explicit specialisation for the chosen candidate's arguments: `template <> float load<float>(...)`.
const cuda::Function* OverloadResolution::specialisation_of(const Candidate& chosen) {
  if (chosen.record || chosen.function->template_parameters.empty()) return nullptr;
  for (const cuda::Function* special : l_.specialisations_named(chosen.function->name)) {
    l_.pace().step();
    if (!special->body) continue;
    const auto [known, is_new] = special_keys_.try_emplace({special, chosen.function});
    std::optional<std::string>& key = known->second;
    if (is_new) key = special_key(*special, chosen);
    if (!key || !chosen.key.starts_with(*key)) continue;
    if (*key == chosen.key) return special;
    const FrameOf own(frames_, {});
    if (std::equal(special->parameters.begin(), special->parameters.end(), chosen.types.begin(),
                   chosen.types.end(),
                   [&](const cuda::Parameter& one, TypeRef type) { return l_.parameter_type(one) == type; }))
      return special;
  }
  return nullptr;
}

// Its template's arguments; empty where they are none of that template's. What it leaves to be deduced, its
// parameters' types say: template <> float mul<float>(float, float).
std::optional<std::string> OverloadResolution::special_key(const cuda::Function& special,
                                                           const Candidate& chosen) {
  const auto& parameters = chosen.function->template_parameters;
  if (special.specialised_for.size() > parameters.size()) return {};
  Scope scope;
  std::string key = special.name;
  for (std::size_t i = 0; i < special.specialised_for.size(); ++i) {
    if (!l_.templates.bind_template_argument(parameters[i], special.specialised_for[i], special.name_range,
                                             scope, key, false))
      return {};
  }
  return key;
}

void OverloadResolution::no_candidate(const std::string& name, const std::vector<Candidate>& candidates,
                                      const std::vector<Argument>& arguments,
                                      const cuda::SourceRange& range) {
  using Verdict = Candidate::Verdict;
  if (candidates.size() == 1) {
    const Candidate& only = candidates[0];
    if (only.verdict == Verdict::WrongCount) {
      fail(range, wrong_count(name, Message("{}", only.function->parameters.size()),
                              only.function->parameters.size() == 1, arguments.size()));
    }
    if (only.verdict == Verdict::WrongTemplate) {
      fail(range, Message("the template arguments of '{}' do not fit or cannot be deduced", name),
           Message("write them: {}<...>(...)", name));
    }
    const Argument& given = arguments[only.failed_argument];
    const cuda::Parameter& parameter = only.function->parameters[only.failed_argument];
    const TypeRef type = only.types[only.failed_argument];
    const bool by_reference = parameter.type.reference && !type->is_const;
    fail(given.expr ? given.expr->range : range,
         Message("'{}' cannot be passed to parameter '{}' of '{}', which is '{}'", name_of(given.result.type),
                 parameter.name, name, name_of(type) + (by_reference ? "&" : "")),
         by_reference && !given.result.is_lvalue() ? Message("pass a variable") : Message());
  }
  const std::string list =
      text::joined(arguments, [&](const Argument& given) { return name_of(types.plain(given.result.type)); });
  fail(range, Message("none of the {} functions '{}' takes ({})", candidates.size(), name, list));
}

bool OverloadResolution::consider(Candidate& candidate,
                                  const std::vector<cuda::TemplateArgument>& template_arguments,
                                  const std::vector<Argument>& arguments) {
  l_.pace().step();
  const cuda::Function& function = *candidate.function;
  const auto reject = [&](Candidate::Verdict verdict) {
    candidate.verdict = verdict;
    return false;
  };
  const std::size_t count = function.parameters.size();
  if (arguments.size() > count) return reject(Candidate::Verdict::WrongCount);
  if (arguments.size() < count && !function.parameters[arguments.size()].fallback) {
    return reject(Candidate::Verdict::WrongCount);
  }
  if (template_arguments.size() > function.template_parameters.size())
    return reject(Candidate::Verdict::WrongTemplate);
  for (std::size_t i = 0; i < template_arguments.size(); ++i) {
    if (!l_.templates.bind_template_argument(function.template_parameters[i], template_arguments[i],
                                             function.name_range, candidate.scope, candidate.key, false)) {
      return reject(Candidate::Verdict::WrongTemplate);
    }
  }
  if (!l_.templates.deduce(function, arguments, candidate.scope, candidate.key))
    return reject(Candidate::Verdict::WrongTemplate);
  {
    const FrameOf own(frames_, candidate.scope, candidate.record);
    for (const cuda::Parameter& parameter : function.parameters) {
      const TypeRef type = l_.parameter_type(parameter);
      candidate.types.push_back(type ? type : types.error());
    }
    // What has no type for these template arguments is no candidate: std::enable_if.
    const cuda::TypeName& result = function.result;
    const bool is_open = !function.template_parameters.empty();
    const bool may_fail = is_open && !result.measured && (result.scope || !result.arguments.empty());
    const TypeRef returned = may_fail ? l_.resolve(result) : nullptr;
    const auto is_error = [](TypeRef type) { return type->is(Type::Kind::Error); };
    if (is_open && ((returned && is_error(returned)) || std::ranges::any_of(candidate.types, is_error)))
      return reject(Candidate::Verdict::WrongTemplate);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const TypeRef type = candidate.types[i];
    const bool is_list = arguments[i].is_list();
    const cuda::TypeName& written = function.parameters[i].type;
    const Result& given = arguments[i].result;
    const bool takes_value = written.takes_values && (!given.is_lvalue() || given.type->is_const);
    const bool by_reference = written.reference && !type->is_const && !takes_value;
    const int rank =
        is_list ? (by_reference ? -1 : 2) : l_.conversion_rank(arguments[i].result, type, by_reference);
    if (rank < 0) {
      candidate.failed_argument = i;
      return reject(Candidate::Verdict::WrongArgument);
    }
    candidate.ranks.push_back(rank);
  }
  return true;
}

}  // namespace warplens::sim::lower
