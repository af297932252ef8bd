// Member functions: finding them, binding *this, members that belong to a type.
#include <algorithm>
#include <utility>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

// ---- members of types

namespace {

bool depends(const cuda::TypeName& type, const std::vector<cuda::TemplateParameter>& parameters) {
  const auto is_parameter = [&](const std::string& name) {
    return std::ranges::any_of(
        parameters, [&](const cuda::TemplateParameter& parameter) { return parameter.name == name; });
  };
  return is_parameter(type.name) || (type.scope && depends(*type.scope, parameters)) ||
         std::ranges::any_of(type.arguments, [&](const cuda::TemplateArgument& argument) {
           if (argument.type) return depends(*argument.type, parameters);
           const auto* name = std::get_if<cuda::NameExpr>(&argument.value->node);
           const bool is_number = std::holds_alternative<cuda::IntegerLiteral>(argument.value->node);
           return name ? is_parameter(name->name) : !is_number;
         });
}

// Whether a base class follows from the parameters of the struct's template: then a plain name is not looked
// for in it (C++17, [temp.dep]).
bool is_dependent(const Record& record, const Field& base) {
  for (const cuda::StructField& written : record.definition->fields)
    if (written.name == base.name) return depends(written.type, record.definition->template_parameters);
  return false;
}

}  // namespace

// A static constant or an alias of a struct; of a plain struct the constants are globals (`Config::BM`).
Symbol* MemberLookup::find_member(const Record* record, std::string_view name, Bases bases) {
  l_.pace().step();
  if (!record->definition) return nullptr;
  const auto key = std::make_pair(record, std::string(name));
  if (const auto known = symbols_.find(key); known != symbols_.end()) return &known->second;
  const cuda::Struct& definition = *record->definition;
  if (Symbol* global = l_.find_global(definition.name + "::" + std::string(name))) return global;
  for (const cuda::StmtPtr& member : definition.members) {
    const auto* alias = member ? std::get_if<cuda::UsingStmt>(&member->node) : nullptr;
    const auto* constants = member ? std::get_if<cuda::DeclStmt>(&member->node) : nullptr;
    const cuda::Declarator* found = nullptr;
    for (std::size_t i = 0; constants && i < constants->declarators.size(); ++i) {
      const std::string& declared = constants->declarators[i].name;
      const bool is_same = declared == name || declared == definition.name + "::" + std::string(name);
      if (is_same) found = &constants->declarators[i];
    }
    if (!found && !(alias && alias->name == name)) continue;
    Symbol& symbol = symbols_[key];
    symbol.object = bad();
    symbol.range = member->range;
    const FrameOf own(frames_, l_.layout.scope_of(record), record);
    if (alias) {
      const TypeRef type = l_.aliased(*alias);
      symbol.kind = Symbol::Kind::Type;
      symbol.type = type ? type : types.error();
    } else {
      tried([&] { l_.evaluate_global(*constants, *found, symbol); });
    }
    return &symbol;
  }
  const cuda::Struct* nested = l_.struct_named(definition.name + "::" + std::string(name));
  if (nested == nullptr) return find_in_bases(record, name, bases);
  if (!nested->template_parameters.empty()) return nullptr;
  Symbol& symbol = symbols_[key];
  symbol.kind = Symbol::Kind::Type;
  symbol.object = bad();
  const FrameOf own(frames_, {}, record);
  symbol.type = l_.layout.struct_type(*nested, {}, nested->range);
  return &symbol;
}

Symbol* MemberLookup::find_in_bases(const Record* record, std::string_view name, Bases bases) {
  for (const Field& field : record->fields) {
    if (!is_base(field.name)) break;
    if (bases == Bases::Independent && is_dependent(*record, field)) continue;
    if (Symbol* found = find_member(field.type->record, name, bases)) return found;
  }
  return nullptr;
}

TypeRef Lowering::find_type(std::string_view name) {
  if (const Symbol* symbol = find_symbol(name)) {
    return symbol->kind == Symbol::Kind::Type ? symbol->type : nullptr;
  }
  const cuda::Struct* definition = struct_named(name);
  if (definition == nullptr || !definition->template_parameters.empty()) return nullptr;
  return layout.struct_type(*definition, {}, definition->range);
}

// The struct before the last "::" of `Traits<T>::zero` or `Op::apply`; null where there is none.
const Record* MemberLookup::record_of_scope(const cuda::NameExpr& name, std::string& member) {
  TypeRef type = nullptr;
  member = name.name;
  if (name.scope) {
    type = l_.resolve(*name.scope);
  } else if (const std::size_t colons = name.name.rfind("::"); colons != std::string::npos && colons > 0) {
    type = l_.find_type(std::string_view(name.name).substr(0, colons));
    member = name.name.substr(colons + 2);
  }
  return type && type->is(Type::Kind::Record) ? type->record : nullptr;
}

// ---- calls

bool MemberLookup::has_own_method(const Record* record, std::string_view name) const {
  const auto& functions = record->definition->functions;
  return std::ranges::any_of(functions,
                             [&](const cuda::Function& f) { return f.name == name && !f.is_constructor; });
}

bool MemberLookup::has_method(const Record* record, std::string_view name, Bases bases) const {
  return record && record->definition &&
         (has_own_method(record, name) || base_with_method(record, name, bases) != nullptr);
}

// The part whose member functions have the name, where the struct itself has none of it; or null.
const Field* MemberLookup::base_with_method(const Record* record, std::string_view name, Bases bases) const {
  for (const Field& field : record->fields) {
    if (!is_base(field.name)) break;
    if (bases == Bases::Independent && is_dependent(*record, field)) continue;
    if (has_method(field.type->record, name, bases)) return &field;
  }
  return nullptr;
}

// The object as its base class has it.
Result MemberLookup::as_base(Result object, const Record* base, const cuda::SourceRange& range) {
  const auto path = path_to_base(object.type->record, base);
  for (const std::string& part : path.value_or(std::vector<std::string>{}))
    object = l_.member_of(object, part, range);
  return object;
}

// *this, for `Base::f()` in a member function of a struct that has that base; else empty.
std::optional<Result> MemberLookup::self_as(const Record* record, const cuda::SourceRange& range) {
  if (!frame().self || !path_to_base(frame().self->type->record, record)) return std::nullopt;
  return as_base(*frame().self, record, range);
}

std::vector<const cuda::Function*> MemberLookup::methods_named(const Result& object,
                                                               std::string_view name) const {
  std::vector<const cuda::Function*> found;
  const Record* record = object.type && object.type->is(Type::Kind::Record) ? object.type->record : nullptr;
  while (record && record->definition) {
    for (const cuda::Function& f : record->definition->functions) {
      if (f.name == name && !f.is_constructor) found.push_back(&f);
    }
    const Field* base = found.empty() ? base_with_method(record, name) : nullptr;
    record = base == nullptr ? nullptr : base->type->record;
  }
  return found;
}

Result MemberLookup::no_method(const Record* record, const std::string& name, bool is_const,
                               const cuda::SourceRange& range) {
  if (has_method(record, name)) {
    return is_const ? fail(range, Message("'{}' may change its object, which is const here", name),
                           Message("declare the function const: {}(...) const", name))
                    : fail(range, Message("'{}' needs an object of type '{}'", name, record->name),
                           Message("call it as object.{}()", name));
  }
  std::vector<std::string> names;
  if (record->definition) {
    const auto& host = record->definition->methods;
    if (std::ranges::find(host, name) != host.end()) {
      return fail(range, Message("'{}' is a member function for the host: a kernel cannot call it", name),
                  Message("mark it __device__"));
    }
    for (const cuda::Function& f : record->definition->functions) names.push_back(f.name);
  }
  return fail(range, Message("'{}' has no member function '{}'", record->name, name),
              suggestion(name, names));
}

// `self` is empty for `Type::name(...)`.
Result Lowering::call_method(const Record* record, std::optional<Result> self, const std::string& name,
                             const std::vector<cuda::TemplateArgument>& template_arguments,
                             std::vector<Argument> arguments, const cuda::SourceRange& name_range,
                             const cuda::SourceRange& range) {
  pace_.step();
  if (record->definition && !members.has_own_method(record, name)) {
    if (const Field* base = members.base_with_method(record, name)) {
      if (self) self = member_of(*self, base->name, name_range);
      return call_method(base->type->record, std::move(self), name, template_arguments, std::move(arguments),
                         name_range, range);
    }
  }
  const bool is_const = self && self->type->is_const;
  const auto run = [&](Candidate& chosen) {
    if (self && chosen.record != record) self = members.as_base(*self, chosen.record, name_range);
    if (chosen.function->is_static) self.reset();
    if (self) self = bound_self(*self, chosen.function->is_const);
    return inlined_calls.inline_call(chosen, arguments, range, self);
  };
  const std::string key = template_arguments.empty() ? overloads.chosen_key(name + (!self      ? "::"
                                                                                    : is_const ? " const"
                                                                                               : ""),
                                                                            {record}, arguments)
                                                     : std::string();
  if (const Candidate* known = overloads.known(key)) {
    Candidate again = *known;
    return run(again);
  }
  std::vector<Candidate> candidates;
  if (record->definition) {
    for (const cuda::Function& function : record->definition->functions) {
      const bool fits = function.name == name && !function.is_constructor &&
                        (function.is_static || (self && (!is_const || function.is_const)));
      if (!fits) continue;
      Candidate& candidate = candidates.emplace_back();
      candidate.function = &function;
      candidate.record = record;
      candidate.scope = layout.scope_of(record);
      candidate.key = record->key + "::" + name;
    }
    const auto& used = record->definition->used;
    if (std::ranges::find(used, name) != used.end())
      return fail(name_range, Message("'{}' of a base beside the struct's own is not supported", name),
                  Message("give one of them another name"));
  }
  if (candidates.empty()) return members.no_method(record, name, is_const, name_range);
  Candidate& chosen = overloads.choose_candidate(candidates, name, template_arguments, arguments, name_range);
  if (!key.empty()) overloads.keep(key, chosen);
  return run(chosen);
}

// The object as the function sees it. A value that may be changed gets variables of its own, and one whose
// arrays may be indexed, a place in memory.
Result Lowering::bound_self(const Result& self, bool is_const) {
  Result object = referred(self);
  const bool needs_place = object.type->record->needs_address || contains_array(object.type);
  if (object.kind == Kind::Rvalue && (!is_const || needs_place)) {
    object = objects.new_object(types.plain(self.type), "a value");
    if (object.kind == Kind::Memory) {
      store(object, self, {b.place, "", nullptr});
    } else {
      assign_parts(object.parts, object.type, settled(self).parts);
    }
  } else if (object.kind == Kind::Rvalue) {
    object = settled(object);
  }
  if (is_const) object.type = types.with_const(object.type, true);
  return object;
}

// In the callee: its members by their names. `this` is lowered where it occurs.
void Lowering::declare_self(const Result& self, const cuda::SourceRange& range) {
  frame().self = self;
  frame().scopes.emplace_back();
  declare_members(self, range);
}

// Those without a name of their own, and base classes, give theirs. `yields`: to variables of the file, as
// those of a base do that depends on a template's parameters.
void Lowering::declare_members(const Result& object, const cuda::SourceRange& range, bool yields) {
  const Record& record = *object.type->record;
  const bool in_value = record.is_union && object.kind != Kind::Memory;
  const auto part = [&](const Field& field, int leaf) {
    return in_value ? member_of(object, field.name, range) : field_of(object, field, leaf);
  };
  int leaf = 0;
  for (const Field& field : record.fields) {
    pace_.step();
    const int first = std::exchange(leaf, leaf + leaf_count(field.type));
    if (!field.name.starts_with('#') || !field.type->is(Type::Kind::Record)) continue;
    declare_members(part(field, first), range,
                    yields || (is_base(field.name) && record.definition && is_dependent(record, field)));
  }
  leaf = 0;
  for (const Field& field : record.fields) {
    const int first = std::exchange(leaf, leaf + leaf_count(field.type));
    if (yields && globals_.contains(field.name)) continue;
    frame().scopes.back()[field.name] = {.object = part(field, first), .range = range};
  }
}

}  // namespace warplens::sim::lower
