// Types as written -> types, template parameters -> what they stand for, constant expressions -> constants.
#include <algorithm>
#include <bit>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {
namespace {

constexpr std::int64_t kMostArrayBytes = std::int64_t{1} << 30;
constexpr std::size_t kMostInstances = 500;  // of struct templates

std::string without_leading_colons(const std::string& name) {
  return name.starts_with("::") ? name.substr(2) : name;
}

bool is_of_host_library(std::string_view name) {
  static constexpr std::string_view kNames[] = {"vector",     "string",  "array",    "map",      "set",
                                                "pair",       "tuple",   "optional", "function", "unique_ptr",
                                                "shared_ptr", "complex", "ostream",  "FILE"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

std::string constant_key(const Builder& b, const Result& value) {
  std::string key;
  if (value.type->is(Type::Kind::Function)) key = "function " + std::to_string(value.type->function) + ",";
  for (const Value part : value.parts) key += std::to_string(b.bits(part).value_or(0)) + ",";
  return key;
}

}  // namespace

TypeRef Lowering::resolve(const cuda::TypeName& name, bool complain) {
  if (name.name == "auto") return nullptr;
  TypeRef type = nullptr;
  tried([&] {
    const Within depth(depth_, deeper(name.range));
    type = resolve_base(name, complain);
  });
  if (!type || type->is(Type::Kind::Error)) return types.error();
  if (name.is_const) type = types.with_const(type, true);
  for (int i = 0; i < name.pointers; ++i) type = types.pointer(type);
  if (!name.pointed) return type;
  type = with_extents(type, *name.pointed);
  return type->is(Type::Kind::Error) ? type : types.pointer(type);
}

TypeRef Lowering::resolve_base(const cuda::TypeName& written, bool complain) {
  if (written.is_function) return types.function(-1);
  if (written.measured) return types.plain(type_of(*written.measured));
  const std::string name = without_leading_colons(written.name);
  if (written.scope) {
    const TypeRef scope = resolve(*written.scope, complain);
    if (!scope || !scope->is(Type::Kind::Record)) return types.error();
    const Symbol* member = members.find_member(scope->record, name);
    if (member && member->kind == Symbol::Kind::Type) return member->type;
    if (complain) error(written.range, Message("'{}' has no type '{}'", scope->record->name, name));
    return types.error();
  }
  const Record* own = frame().record;  // `Vec` inside of Vec<T>
  if (own && own->definition && own->definition->name == name && written.arguments.empty()) {
    return types.record(own);
  }
  const Symbol* own_name = find_symbol(written.name);
  if (own_name != nullptr && own_name->kind == Symbol::Kind::Type) return own_name->type;
  // A global type is called "::T" where a namespace has declared a T before it.
  const auto known = [&](const auto& named) {
    const auto found = named.find(written.name);
    return found != named.end() ? found : named.find(name);
  };
  if (const auto alias = known(alias_templates_); alias != alias_templates_.end())
    return alias_of_template(*alias->second, written, complain);
  if (const auto definition = known(structs_); definition != structs_.end()) {
    return layout.struct_type(*definition->second, written.arguments, written.range);
  }
  if (const TypeRef type = types.builtin(name)) return type;
  if (own_name != nullptr && complain) error(written.range, Message("'{}' is not a type", name));
  if (own_name != nullptr || !complain || say_broken(name)) return types.error();
  std::vector<std::string> names = types.builtin_names();
  for (const auto& [struct_name, definition] : structs_) names.push_back(struct_name);
  for (const Scope& scope : frame().scopes) {
    for (const auto& [symbol_name, symbol] : scope) {
      if (symbol.kind == Symbol::Kind::Type) names.push_back(symbol_name);
    }
  }
  if (name == "coalesced_group") {
    error(written.range, Message("type '{}' is not supported", name),
          Message("thread blocks and tiles of up to 32 threads are"));
  } else if (is_of_host_library(name)) {
    error(written.range, Message("'{}' is for the host: a kernel cannot use it", name),
          Message("use an array, a pointer or a plain struct"));
  } else if (written.is_macro) {
    undeclared(name, written.range, Message("'{}' is not known here: it seems to be a macro", name), {});
  } else {
    undeclared(name, written.range, Message("unknown type '{}'", name), suggestion(name, names));
  }
  return types.error();
}

// `Tile<32>` of `template <int N> using Tile = Array<float, N>`.
TypeRef Lowering::alias_of_template(const cuda::UsingStmt& alias, const cuda::TypeName& written,
                                    bool complain) {
  Scope scope;
  std::string key = alias.name;
  if (!templates.bind_template(alias.template_parameters, written.arguments, written.range, scope, key,
                               complain))
    return types.error();
  // Once for each set of arguments: an alias that names two is two of the one before, and so on.
  const auto known = aliases_.find(key);
  if (known != aliases_.end()) return known->second;
  const FrameOf own(frames_, std::move(scope));
  const TypeRef type = aliased(alias);
  if (!type || type->is(Type::Kind::Error)) return types.error();
  return aliases_[key] = type;
}

TypeRef Lowering::with_extents(TypeRef element, const std::vector<cuda::ExprPtr>& extents, std::size_t from) {
  TypeRef type = element;
  for (std::size_t i = extents.size(); i-- > from;) {
    if (!extents[i]) {
      type = types.array(type, 0);
      continue;
    }
    const auto extent = constant_integer(*extents[i], Message("an array's extent"));
    if (!extent) return types.error();
    if (*extent <= 0) {
      error(extents[i]->range, Message("an array cannot have {} elements", *extent));
      return types.error();
    }
    if (*extent > kMostArrayBytes / std::max<std::int64_t>(1, size_of(type))) {
      error(extents[i]->range, Message("the array is too large: {} elements", *extent));
      return types.error();
    }
    type = types.array(type, *extent);
  }
  return type;
}

TypeRef Lowering::parameter_type(const cuda::Parameter& parameter) {
  const TypeRef type = resolve(parameter.type);
  if (!type || type->is(Type::Kind::Error) || parameter.extents.empty()) return type;
  if (parameter.type.reference) return with_extents(type, parameter.extents);  // float (&a)[4]
  const TypeRef element = with_extents(type, parameter.extents, 1);
  return element->is(Type::Kind::Error) ? element : types.pointer(element);
}

// ---- structs

TypeRef RecordLayout::struct_type(const cuda::Struct& definition,
                                  const std::vector<cuda::TemplateArgument>& arguments,
                                  const cuda::SourceRange& range) {
  if (l_.say_broken(definition.name)) return types.error();  // a specialisation of it
  Scope scope;
  std::string key = definition.name;
  const Record* outer = nullptr;
  if (!definition.outer_template.empty()) {
    outer = outer_record(definition.outer_template);
    if (!outer) {
      error(range,
            Message("'{}' is named by its struct: {}<...>::", definition.name, definition.outer_template));
      return types.error();
    }
    scope = scopes_[outer];
    key = outer->key + "::" + key;
  }
  if (!l_.templates.bind_template(definition.template_parameters, arguments, range, scope, key, true))
    return types.error();
  if (const auto found = instances_.find(key); found != instances_.end()) return found->second;
  Scope bound = scope;
  const cuda::Struct& chosen = l_.templates.specialised(definition, key, bound);
  if (outer) bound.insert(scopes_[outer].begin(), scopes_[outer].end());
  if (l_.say_errors(chosen.errors)) return types.error();
  if (!chosen.is_defined) {
    error(range, Message("'{}' is declared, but not defined for these arguments", definition.name));
    return types.error();
  }
  if (instances_.size() >= kMostInstances) {
    error(range, Message("too many instances of structs, those of templates included: more than {}",
                         kMostInstances));
    return types.error();
  }
  std::string name = definition.name;
  if (!definition.template_parameters.empty()) name = l_.text_of(range);
  Record* record = types.new_record(name);
  record->definition = &chosen;
  record->key = key;
  record->size = 0;  // incomplete: its own fields may only point to it
  const TypeRef type = types.record(record);
  instances_[key] = type;
  if (&chosen != &definition) primary_scopes_[record] = std::move(scope);
  scopes_[record] = bound;
  if (outer) outer_[record] = outer;
  const FrameOf own(frames_, std::move(bound), record);
  lay_out(chosen, *record);
  return type;
}

const Record* RecordLayout::outer_of(const Record* record) const {
  const auto outer = outer_.find(record);
  return outer == outer_.end() ? nullptr : outer->second;
}

const Scope& RecordLayout::primary_scope_of(const Record* record) {
  const auto own = primary_scopes_.find(record);
  return own == primary_scopes_.end() ? scopes_[record] : own->second;
}

void RecordLayout::say_clash() {
  if (clash_)
    error(clash_->first,
          Message("two parts that are the empty struct '{}' would begin in one place", clash_->second),
          Message("leave one of them out"));
}

// The enclosing struct that is an instance of the template `name`; or null.
const Record* RecordLayout::outer_record(const std::string& name) const {
  const Record* record = frames_.back()->record;
  while (record && !(record->definition && record->definition->name == name)) record = outer_of(record);
  return record;
}

// `template <> struct Traits<float>`, where that is what is asked for; else the partial specialisation that
// says most. `scope` binds the template's parameters, and then the chosen one's.
const cuda::Struct& TemplateDeduction::specialised(const cuda::Struct& definition, const std::string& key,
                                                   Scope& scope) {
  const cuda::Struct* best = &definition;
  Scope best_scope = scope;
  int most = -1;
  for (const cuda::Struct& other : l_.unit().structs) {
    l_.pace().step();
    if (!other.is_specialisation || other.name != definition.name) continue;
    if (!other.template_parameters.empty()) {
      Scope bound;
      const int says = fits_partly(definition, other, scope, bound);
      const bool is_first = most < 0 && says >= 0;
      const bool is_better =
          says >= 0 && (is_more_special(other, *best) || (says > most && !is_more_special(*best, other)));
      if (!is_first && !is_better) continue;
      most = says;
      best = &other;
      best_scope = std::move(bound);
      continue;
    }
    Scope full;
    std::string other_key = definition.name;
    const bool is_bound = bind_template(definition.template_parameters, other.specialised_for, other.range,
                                        full, other_key, false);
    if (is_bound && other_key == key) return other;
  }
  scope = std::move(best_scope);
  return *best;
}

namespace {

// What C++03 calls a POD.
bool is_plain_data(const cuda::Struct& definition) {
  const bool constructs =
      definition.has_constructors || definition.has_default_constructor ||
      std::ranges::any_of(definition.functions, [](const cuda::Function& f) { return f.is_constructor; });
  return !constructs && !definition.has_private_fields &&
         std::ranges::none_of(definition.fields,
                              [](const cuda::StructField& f) { return is_base(f.name) || f.initializer; });
}

}  // namespace

// An empty base takes no room. One of the host's libraries (`std::hash`, `thrust::unary_function`) is taken
// for empty.
bool is_without_fields(const Record& record) {
  return record.is_empty || record.fields.empty();
}

void RecordLayout::lay_out_base(const cuda::StructField& base, Record& record, std::int64_t& size,
                                std::int64_t& reach) {
  const std::string& name = base.type.name;
  const bool is_library = name.starts_with("std::") || name.starts_with("thrust::") ||
                          name == "unary_function" || name == "binary_function";
  const TypeRef type = l_.resolve(base.type, !is_library);
  if (!type || type->is(Type::Kind::Error)) return;
  if (!type->is(Type::Kind::Record) || type->record->size == 0)
    return error(base.range, Message("'{}' cannot be a base class", name_of(type)));
  const bool was_said = std::max(record.bases, type->record->bases) > kMostBases;
  record.bases = std::min(kMostBases + 1, record.bases + 1 + type->record->bases);
  if (was_said) return;
  if (record.bases > kMostBases)
    return error(base.range, Message("'{}' has too many base classes: more than {}", record.name, kMostBases),
                 Message("one that two of its bases have counts twice, as it lies in the struct twice"));
  const bool is_empty = is_without_fields(*type->record);
  const std::int64_t alignment = alignment_of(type);
  const std::int64_t behind = (size + alignment - 1) / alignment * alignment;
  const std::int64_t offset = place_empty_parts(base, type, is_empty ? 0 : behind, record);
  record.fields.push_back({base.name, type, offset});
  record.alignment = std::max(record.alignment, alignment);
  record.needs_address |= type->record->needs_address;
  if (!is_empty) size = offset + type->record->used_size;
  reach = std::max(reach, offset + type->record->size);
}

// Two parts of one empty struct have two addresses (Itanium C++ ABI, 2.4 "Non-POD Class Types"): what would
// begin with one that the struct begins with already is moved to its next aligned place. Of an empty base
// none is looked for: kernel() says so, wherever the struct came up.
std::int64_t RecordLayout::place_empty_parts(const cuda::StructField& field, TypeRef type,
                                             std::int64_t offset, Record& record) {
  const std::int64_t next = offset + alignment_of(type);
  while (type->is(Type::Kind::Array)) type = type->element;
  if (offset != 0 || !type->is(Type::Kind::Record)) return offset;
  const auto& parts = type->record->empty_parts;
  const auto clash = std::ranges::find_if(
      parts, [&](const Record* empty) { return !record.is_union && record.empty_parts.contains(empty); });
  if (clash == parts.end()) {
    record.empty_parts.insert(parts.begin(), parts.end());
    return offset;
  }
  if (is_base(field.name) && is_without_fields(*type->record) && !clash_)
    clash_ = {field.range, (*clash)->name};
  return next;
}

// What __align__ and alignas say: the strictest of them; 0: nothing.
std::int64_t RecordLayout::alignment_asked(int number, const std::vector<cuda::ExprPtr>& written) {
  std::int64_t most = number;
  for (const cuda::ExprPtr& expr : written) {
    const auto one = l_.constant_integer(*expr, Message("an alignment"));
    if (!one) continue;
    if (*one < 0 || *one > 65536 || (*one & (*one - 1)) != 0)
      error(expr->range, Message("an alignment is a power of two up to 65536"));
    else
      most = std::max(most, *one);
  }
  return most;
}

// `int` stands for a type that was refused, so that the members behind it are still looked at.
TypeRef RecordLayout::type_of_member(const cuda::StructField& field) {
  TypeRef type = l_.resolve(field.type);
  if (type && field.type.reference && !type->is(Type::Kind::Error))
    error(field.range, Message("references as members are not supported"), Message("make it a pointer"));
  if (type && !type->is(Type::Kind::Error)) type = l_.with_extents(type, field.extents);
  const bool is_incomplete = type && type->is(Type::Kind::Record) && type->record->size == 0;
  if (!type || is_incomplete || (!type->is(Type::Kind::Error) && size_of(type) == 0)) {
    error(field.range, Message("member '{}' cannot have this type", field.name));
    return types.scalar(ScalarType::I32);
  }
  return type->is(Type::Kind::Error) ? types.scalar(ScalarType::I32) : type;
}

namespace {

constexpr std::int64_t kMostMoved = 16;  // bytes: the widest access there is

// Two, four, eight or sixteen of them, in members of whatever type, and no gap: a struct that is aligned like
// a vector type is moved like one.
bool are_equal_numbers(const Record& record) {
  if (record.is_union) return false;
  std::vector<Leaf> leaves;
  for (const Field& field : record.fields) append_leaves(field.type, leaves);
  if (leaves.size() < 2 || !std::has_single_bit(leaves.size())) return false;
  const TypeRef first = leaves[0].type;
  return static_cast<std::int64_t>(leaves.size()) * size_of(first) == record.size &&
         std::ranges::all_of(leaves, [&](const Leaf& leaf) {
           return leaf.type->is_scalar() && leaf.type->scalar == first->scalar;
         });
}

}  // namespace

void RecordLayout::lay_out(const cuda::Struct& definition, Record& record) {
  std::int64_t size = 0;
  std::int64_t reach = 0;  // of an empty base, which nothing has to lie behind
  record.is_union = definition.is_union;
  for (const cuda::StructField& field : definition.fields) {
    if (is_base(field.name)) {
      lay_out_base(field, record, size, reach);
      continue;
    }
    const TypeRef type = type_of_member(field);
    const std::int64_t alignment = std::max(alignment_of(type), alignment_asked(field));
    const std::int64_t behind = (size + alignment - 1) / alignment * alignment;
    const std::int64_t placed = place_empty_parts(field, type, record.is_union ? 0 : behind, record);
    const std::int64_t offset = (placed + alignment - 1) / alignment * alignment;
    if (size_of(type) > size) record.whole = record.fields.size();
    record.fields.push_back({field.name, type, offset});
    record.alignment = std::max(record.alignment, alignment);
    size = std::max(size, std::min(offset + size_of(type), kMostArrayBytes));
  }
  const std::int64_t asked = alignment_asked(definition);
  record.alignment = std::max(record.alignment, asked);
  const std::int64_t used = size, held = std::max<std::int64_t>({size, reach, 1});
  record.size = (held + record.alignment - 1) / record.alignment * record.alignment;
  record.used_size = is_plain_data(definition) ? record.size : std::max(used, reach);
  record.is_empty = size == 0;
  if (record.is_empty) record.empty_parts.insert(&record);
  record.has_constructors = definition.has_constructors;
  note_use(definition, record);
  record.one_access = asked >= size && size <= kMostMoved && are_equal_numbers(record);
}

// Whether a method takes the address of the struct or of a member.
void RecordLayout::note_use(const cuda::Struct& definition, Record& record) {
  for (const cuda::Function& method : definition.functions) {
    if (!method.body) continue;
    const auto& addressed = l_.name_uses.of(*method.body)->addressed;
    record.needs_address |= addressed.contains("this");
    for (const Field& field : record.fields) record.needs_address |= addressed.contains(field.name);
  }
}

// ---- templates

// One without a name is told apart by its place: partial specialisations say something of it too.
std::string name_of_parameter(const std::vector<cuda::TemplateParameter>& parameters, std::size_t i) {
  return parameters[i].name.empty() ? "#" + std::to_string(i) : parameters[i].name;
}

bool TemplateDeduction::bind_template(const std::vector<cuda::TemplateParameter>& parameters,
                                      const std::vector<cuda::TemplateArgument>& arguments,
                                      const cuda::SourceRange& range, Scope& scope, std::string& key,
                                      bool complain) {
  if (arguments.size() > parameters.size()) {
    if (complain) {
      error(range, Message("too many template arguments: {} given, {} expected", arguments.size(),
                           parameters.size()));
    }
    return false;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    cuda::TemplateParameter parameter = parameters[i];
    parameter.name = name_of_parameter(parameters, i);
    if (i < arguments.size()) {
      if (!bind_template_argument(parameter, arguments[i], range, scope, key, complain)) return false;
    } else if (parameter.fallback) {
      const FrameOf own(frames_, scope);  // a default sees the parameters before it
      if (!bind_template_argument(parameter, *parameter.fallback, range, scope, key, complain)) return false;
    } else {
      if (complain) error(range, Message("template argument '{}' is missing", parameter.name));
      return false;
    }
  }
  return true;
}

bool TemplateDeduction::bind_template_argument(const cuda::TemplateParameter& parameter,
                                               const cuda::TemplateArgument& argument,
                                               const cuda::SourceRange& range, Scope& scope, std::string& key,
                                               bool complain) {
  Symbol symbol;
  symbol.range = range;
  if (parameter.is_type) {
    const TypeRef type = type_of_argument(argument, complain);
    if (!type || type->is(Type::Kind::Error)) return false;
    symbol.kind = Symbol::Kind::Type;
    symbol.type = type;
    key += "<" + key_of(type) + ">";
  } else {
    if (!argument.value) {
      if (complain)
        error(range, Message("template argument '{}' must be a constant, not a type", parameter.name));
      return false;
    }
    const auto earlier = scope.find(parameter.value_type.name);
    const bool is_earlier = earlier != scope.end() && earlier->second.kind == Symbol::Kind::Type;
    TypeRef type = is_earlier ? earlier->second.type : nullptr;
    if (!type && parameter.value_type.arguments.empty()) type = l_.resolve(parameter.value_type);
    if (!type) {  // `Function<T> f` sees the parameters before it
      const FrameOf own(frames_, scope);
      type = l_.resolve(parameter.value_type);
    }
    Result& value = symbol.object;
    const Message what("template argument '{}'", parameter.name);
    if (!tried([&] { value = l_.constant_value(*argument.value, type, what); })) return false;
    value.type = types.with_const(value.type, true);
    key += "<" + constant_key(b, value) + ">";
  }
  if (!parameter.name.empty()) scope[parameter.name] = std::move(symbol);
  return true;
}

// A name that could be a type is one.
std::optional<cuda::TypeName> type_written(const cuda::TemplateArgument& argument) {
  if (argument.type) return *argument.type;
  const auto* name = argument.value ? std::get_if<cuda::NameExpr>(&argument.value->node) : nullptr;
  if (!name) return std::nullopt;
  cuda::TypeName type;
  type.name = name->name;
  type.arguments = name->arguments;
  type.scope = name->scope;
  type.range = argument.value->range;
  return type;
}

TypeRef TemplateDeduction::type_of_argument(const cuda::TemplateArgument& argument, bool complain) {
  if (argument.type) return l_.resolve(*argument.type, complain);
  if (!argument.value) return types.error();
  if (const auto type = type_written(argument)) return l_.resolve(*type, complain);
  if (complain) error(argument.value->range, Message("a type is expected here"));
  return types.error();
}

// ---- constants

Result Lowering::constant_value(const cuda::Expr& e, TypeRef type, const Message& what) {
  List discarded;
  const ListScope scope(b, discarded, b.region, Fate::Evaluated);
  Result result = type ? initial_values.initial_value(type, e) : value_of(e);
  const bool is_function = result.type && result.type->is(Type::Kind::Function) && result.type->function >= 0;
  if (is_function) return result;
  Constants known;
  if (run_constants(b.ir, discarded, pace_, known))
    for (Value& part : result.parts)
      if (const auto found = known.find(part); found != known.end())
        part = b.ir.constant(b.ir.values[part].type, found->second);
  const bool is_constant = !result.parts.empty() &&
                           std::ranges::all_of(result.parts, [&](Value v) { return b.bits(v).has_value(); });
  if (!is_constant)
    return fail(e.range, Message("{} must be known when compiling", what),
                Message("use constants and template parameters"));
  return result;
}

std::optional<std::int64_t> Lowering::constant_integer(const cuda::Expr& e, const Message& what) {
  std::optional<std::int64_t> found;
  tried([&] {
    const Result result = constant_value(e, nullptr, what);
    if (!result.type->is_integer())
      fail(e.range, Message("{} must be an integer, not '{}'", what, name_of(result.type)));
    found = b.constant_integer(result.value(), result.type->scalar);
  });
  return found;
}

TypeRef Lowering::type_of(const cuda::Expr& e) {
  List discarded;
  const ListScope scope(b, discarded, b.region, Fate::Dead);
  TypeRef type = types.error();
  tried([&] { type = expr(e).type; });
  return type;
}

}  // namespace warplens::sim::lower
