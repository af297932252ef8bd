// Constructors, default member values, conversions that a struct defines.
#include <algorithm>
#include <utility>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

bool ObjectConstruction::needs_construction(TypeRef type) const {
  while (type->is(Type::Kind::Array)) type = type->element;
  if (!type->is(Type::Kind::Record) || !type->record->definition) return false;
  const Record& record = *type->record;
  if (record.constructs >= 0) return record.constructs != 0;
  const cuda::Struct& definition = *record.definition;
  const bool has_values = std::ranges::any_of(
      definition.fields, [](const cuda::StructField& f) { return f.initializer != nullptr; });
  const bool constructs =
      has_device_constructor(&record) || has_values ||
      std::ranges::any_of(record.fields, [&](const Field& field) { return needs_construction(field.type); });
  if (record.size > 0) record.constructs = constructs ? 1 : 0;
  return constructs;
}

bool ObjectConstruction::has_device_constructor(const Record* record) const {
  if (!record->definition) return false;
  const auto& functions = record->definition->functions;
  return std::ranges::any_of(functions, [](const cuda::Function& f) { return f.is_constructor; });
}

// An object with nothing in it yet.
Result ObjectConstruction::new_object(TypeRef type, const std::string& name) {
  const bool in_memory =
      contains_array(type) || (type->is(Type::Kind::Record) && type->record->needs_address);
  return in_memory ? Result{Kind::Memory, type, {}, l_.new_local(type, name)} : l_.new_variable(type);
}

// The value of an object that was made for it.
Result ObjectConstruction::made_of(const Result& object, const cuda::SourceRange& range) {
  if (object.kind == Kind::Memory) return l_.load(object, {range, l_.text_of(range), nullptr});
  return l_.rvalue(object, AccessText{range, "", nullptr});
}

const cuda::ExprPtr* MemberLookup::default_initializer(const Record* record, std::string_view field) const {
  if (!record->definition) return nullptr;
  for (const cuda::StructField& known : record->definition->fields) {
    if (known.name == field) return known.initializer ? &known.initializer : nullptr;
  }
  return nullptr;
}

// ---- copies

namespace {

// Whether the expression names an object that lives on, and no value that is made where it stands.
bool names_object(const cuda::Expr& e) {
  if (const auto* unary = std::get_if<cuda::UnaryExpr>(&e.node))
    return unary->op == cuda::UnaryOp::Dereference;
  if (const auto* either = std::get_if<cuda::ConditionalExpr>(&e.node))
    return names_object(*either->then_value) && names_object(*either->else_value);
  return std::holds_alternative<cuda::NameExpr>(e.node) || std::holds_alternative<cuda::MemberExpr>(e.node) ||
         std::holds_alternative<cuda::IndexExpr>(e.node);
}

}  // namespace

// `P(const P& other) {...}`, for the device.
bool ObjectConstruction::has_copy_constructor(const Record* record) {
  if (!record->definition) return false;
  const auto& functions = record->definition->functions;
  return std::ranges::any_of(functions, [&](const cuda::Function& f) {
    const bool takes_one = f.is_constructor && f.template_parameters.empty() && !f.parameters.empty() &&
                           (f.parameters.size() == 1 || f.parameters[1].fallback);
    if (!takes_one || !f.parameters[0].type.reference || !f.parameters[0].extents.empty()) return false;
    const TypeRef type = l_.members.method_type(record, f.parameters[0].type);
    return type->is(Type::Kind::Record) && type->record == record;
  });
}

// Whether a copy of it runs a constructor of the file: its own, or a member's.
bool ObjectConstruction::copies_by_function(TypeRef type) {
  if (!type->is(Type::Kind::Record)) return false;
  const Record& record = *type->record;
  if (record.copies >= 0) return record.copies != 0;
  const bool copies = has_copy_constructor(&record) ||
                      (!record.is_union && std::ranges::any_of(record.fields, [&](const Field& f) {
                        return copies_by_function(f.type);
                      }));
  if (record.size > 0) record.copies = copies ? 1 : 0;
  return copies;
}

// A new object like this one: what its copy constructor makes of it, or those of its members.
Result ObjectConstruction::copied(const Result& object, const AccessText& text) {
  l_.pace().step();
  if (!object.type || !copies_by_function(object.type)) return l_.rvalue(object, text);
  const TypeRef type = types.plain(object.type);
  if (has_copy_constructor(type->record)) {
    std::vector<Argument> arguments{{nullptr, object}};
    return construct_by_function(type, arguments, text.range, true);
  }
  Result copy{Kind::Rvalue, type, {}, {}};
  for (const Field& field : type->record->fields) {
    const Result part = copied(l_.member_of(object, field.name, text.range), text);
    const std::vector<Value> leaves = part.parts.empty() && part.type->is_pointer()
                                          ? std::vector<Value>{l_.scalar_value(part)}
                                          : part.parts;
    copy.parts.insert(copy.parts.end(), leaves.begin(), leaves.end());
  }
  return copy;
}

// A value that was made for this is no copy of anything.
Result ObjectConstruction::copied(const Argument& given, const AccessText& text) {
  const bool is_object = given.result.is_lvalue() || (given.expr && names_object(*given.expr));
  return is_object ? copied(given.result, text) : l_.rvalue(given.result, text);
}

Result ObjectConstruction::copy_of(const cuda::Expr& e) {
  return copied({&e, l_.expr(e)}, l_.access_text(e));
}

// `Vec(1, 2)`, `Vec v(1, 2)`, `Vec v{1, 2}`, where the struct has constructors for the device.
Result ObjectConstruction::constructed(TypeRef type, std::vector<Argument> arguments,
                                       const cuda::SourceRange& range, bool is_implicit) {
  type = types.plain(type);
  const Record* record = type->record;
  const bool copies =
      arguments.size() == 1 && !arguments[0].is_list() && types.plain(arguments[0].result.type) == type;
  if (copies) {
    return copied(arguments[0],
                  arguments[0].expr ? l_.access_text(*arguments[0].expr) : AccessText{range, "", nullptr});
  }
  if (arguments.empty() && record->definition->has_default_constructor) {
    const Result object = new_object(type, record->name);
    default_members(record, object, range);
    return made_of(object, range);
  }
  return construct_by_function(type, arguments, range, is_implicit);
}

Result ObjectConstruction::construct_by_function(TypeRef type, std::vector<Argument>& arguments,
                                                 const cuda::SourceRange& range, bool is_implicit) {
  const Record* record = type->record;
  std::vector<Candidate> candidates;
  for (const cuda::Function& function : record->definition->functions) {
    if (!function.is_constructor || (is_implicit && function.is_explicit)) continue;
    Candidate& candidate = candidates.emplace_back();
    candidate.function = &function;
    candidate.record = record;
    candidate.scope = l_.layout.scope_of(record);
    candidate.key = record->key + "::" + function.name;
  }
  if (candidates.empty()) {
    return fail(range, Message("'{}' has constructors for the host alone", record->name),
                Message("mark them __device__, or assign its members"));
  }
  Candidate& chosen = l_.overloads.choose_candidate(candidates, record->name, {}, arguments, range);
  const Result object = new_object(type, record->name);
  l_.inlined_calls.inline_call(chosen, arguments, range, object);
  return made_of(object, range);
}

// What `Vec v;` holds where that is not nothing.
Result ObjectConstruction::default_value(TypeRef type, const cuda::SourceRange& range) {
  const Record* record = type->record;
  if (has_device_constructor(record)) return constructed(type, {}, range);
  const Result object = new_object(types.plain(type), record->name);
  default_members(record, object, range);
  return made_of(object, range);
}

void ObjectConstruction::default_members(const Record* record, const Result& self,
                                         const cuda::SourceRange& range) {
  l_.pace().step();
  const FrameOf own(frames_, l_.layout.scope_of(record), record);
  frame().names = frames_[frames_.size() - 2]->names;
  l_.declare_self(self, range);
  for (const Field& field : record->fields) initialise_member(field, nullptr, range);
}

namespace {

// A base class is initialised by its name.
bool is_for(const cuda::MemberInit& init, const Field& field) {
  if (!is_base(field.name)) return init.name == field.name;
  const std::size_t colons = init.name.rfind("::");
  const std::string_view name =
      std::string_view(init.name).substr(colons == std::string::npos ? 0 : colons + 2);
  const cuda::Struct* definition = field.type->record->definition;
  return definition != nullptr && definition->name == name;
}

}  // namespace

// In the constructor's frame, before its body: all members in the order of the struct.
void ObjectConstruction::initialise_members(const cuda::Function& constructor) {
  const Record* record = frame().record;
  const Result self = *frame().self;
  const auto& inits = constructor.member_inits;
  for (const cuda::MemberInit& init : inits) {
    if (init.name == record->definition->name) {  // another constructor of the struct does it
      const Result whole =
          constructed(types.plain(self.type), l_.lower_arguments(init.arguments), init.range);
      if (self.kind == Kind::Memory) return l_.store(self, whole, {init.range, "", nullptr});
      return l_.assign_parts(self.parts, self.type, whole.parts);
    }
    const auto& fields = record->fields;
    if (std::ranges::none_of(fields, [&](const Field& f) { return is_for(init, f); })) {
      return error(init.range, Message("'{}' has no member '{}'", record->name, init.name));
    }
  }
  for (const Field& field : record->fields) {
    const auto init =
        std::ranges::find_if(inits, [&](const cuda::MemberInit& i) { return is_for(i, field); });
    if (init == inits.end()) {
      initialise_member(field, nullptr, constructor.name_range);
    } else {
      initialise_member(field, &init->arguments, init->range);
    }
  }
}

void ObjectConstruction::initialise_member(const Field& field, const std::vector<cuda::ExprPtr>* arguments,
                                           const cuda::SourceRange& range) {
  const Within place(b.place, l_.place_of(range));
  const cuda::ExprPtr* fallback =
      arguments ? nullptr : l_.members.default_initializer(frame().record, field.name);
  const Result target = l_.member_of(*frame().self, field.name, range);
  const TypeRef type = types.plain(field.type);
  if (type->is(Type::Kind::Array) && target.kind == Kind::Memory) {
    if (fallback) l_.initial_values.initialise_memory(type, target.address, **fallback);
    if (arguments) l_.initial_values.fill_list(type, target.address, *arguments);
  } else if (arguments || fallback || needs_construction(type)) {
    const Result value = arguments  ? l_.initial_values.construct(type, *arguments, range)
                         : fallback ? l_.initial_values.initial_value(type, **fallback)
                                    : default_value(type, range);
    if (target.kind == Kind::Memory) l_.store(target, value, {range, field.name, nullptr});
    if (target.kind == Kind::Variable) {
      std::vector<Value> parts = value.parts;
      if (parts.empty() && value.type->is_pointer()) parts = {l_.scalar_value(value)};
      l_.assign_parts(target.parts, type, parts);
    }
  }
}

// ---- conversions

// A type in a member function's signature.
TypeRef MemberLookup::method_type(const Record* record, const cuda::TypeName& name) {
  const FrameOf own(frames_, l_.layout.scope_of(record), record);
  const TypeRef type = l_.resolve(name, false);
  return type ? type : types.error();
}

bool MemberLookup::converts_from(const Record* record, const Result& from, bool is_implicit) {
  if (!record->definition || from.type->is(Type::Kind::Record)) return false;
  const auto& functions = record->definition->functions;
  return std::ranges::any_of(functions, [&](const cuda::Function& f) {
    const bool takes_one = f.is_constructor && !f.parameters.empty() && f.template_parameters.empty() &&
                           (f.parameters.size() == 1 || f.parameters[1].fallback);
    if (!takes_one || !f.parameters[0].extents.empty() || (is_implicit && f.is_explicit)) return false;
    const TypeRef type = method_type(record, f.parameters[0].type);
    return !type->is(Type::Kind::Error) && !type->is(Type::Kind::Record) &&
           l_.conversion_rank(from, type, false) >= 0;
  });
}

const cuda::Function* MemberLookup::conversion_to(const Record* record, TypeRef to) {
  if (!record->definition) return nullptr;
  const cuda::Function* possible = nullptr;
  for (const cuda::Function& f : record->definition->functions) {
    if (f.name != "operator conversion") continue;
    const TypeRef type = types.plain(method_type(record, f.result));
    if (type == types.plain(to)) return &f;
    if (type->is_scalar() && to->is_scalar()) possible = &f;
  }
  return possible;
}

}  // namespace warplens::sim::lower
