// Declarations inside functions: values, variables, references, local and shared arrays.
#include <algorithm>
#include <utility>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {
namespace {

constexpr std::int64_t kMostLocalBytes = 512 * 1024;  // a thread's local memory on the GPU
constexpr std::int64_t kMostSharedBytes =
    16 * 1024 * 1024;  // far beyond any GPU; the launch checks the real limit

std::int64_t aligned(std::int64_t offset, TypeRef type, std::int64_t asked) {
  // Rows of a float array are read as float4 as well; real compilers place large arrays so that this works.
  const std::int64_t natural = size_of(type) % 16 == 0 && size_of(type) > 0 ? 16 : alignment_of(type);
  const std::int64_t alignment = std::max<std::int64_t>(natural, asked);
  return (offset + alignment - 1) / alignment * alignment;
}

// What a local array is called in a message.
SharedArray array_of(const std::string& name, TypeRef type, std::int64_t offset) {
  SharedArray array;
  array.name = name;
  array.bytes = size_of(type);
  array.offset = offset;
  TypeRef element = type;
  for (; element->is(Type::Kind::Array); element = element->element) array.extents.push_back(element->extent);
  array.element_text = name_of(element);
  array.element_bytes = static_cast<int>(size_of(element));
  return array;
}

}  // namespace

void Lowering::lower(const cuda::DeclStmt& node, const cuda::Stmt&) {
  for (const cuda::Declarator& declarator : node.declarators) {
    const Within place(b.place, place_of(declarator.name_range));
    tried([&] {
      node.is_shared ? declarations.declare_shared(node, declarator)
                     : declarations.declare_local(node, declarator);
    });
  }
}

bool Declarations::check_new_name(const std::string& name, const cuda::SourceRange& range) {
  const Scope& scope = frame().scopes.back();
  const auto found = scope.find(name);
  if (found == scope.end() || name.empty()) return true;
  error(range,
        Message("'{}' is already declared in this block, in line {}", name, found->second.range.begin.line));
  return false;
}

// An array without an extent has that of its list.
TypeRef Declarations::extent_of_list(TypeRef type, const cuda::Declarator& declarator) {
  if (!type->is(Type::Kind::Array) || type->extent != 0 || !declarator.initializer) return type;
  const auto* list = std::get_if<cuda::InitListExpr>(&declarator.initializer->node);
  if (list == nullptr) list = l_.initial_values.characters_of(type, *declarator.initializer);
  return list ? types.array(type->element, static_cast<std::int64_t>(list->elements.size())) : type;
}

void Declarations::declare_local(const cuda::DeclStmt& stmt, const cuda::Declarator& declarator) {
  check_new_name(declarator.name, declarator.name_range);
  Symbol symbol{.object = bad(), .range = declarator.name_range};
  l_.declare(declarator.name, symbol);
  if (stmt.is_extern) {
    return error(declarator.name_range, Message("'extern' is only possible for __shared__ arrays here"));
  }
  TypeRef type = l_.resolve(declarator.type);
  if (type && type->is(Type::Kind::Error)) return;
  const bool is_array = !declarator.points_to_array && !declarator.type.reference &&
                        (!declarator.extents.empty() || (type && contains_array(type)));
  const bool is_constant = stmt.is_constexpr || declarator.type.is_const;
  if (stmt.is_static && (!is_constant || (type && is_array && !has_pointers(type))))
    return declare_static(stmt, declarator);
  if (declarator.type.reference || measures_reference(declarator.type))
    return declare_reference(declarator, type);
  if (type) type = l_.with_extents(type, declarator.extents);
  if (type && type->is(Type::Kind::Error)) return;
  if (type && declarator.points_to_array) type = types.pointer(type);
  if (type && type->is(Type::Kind::Void)) {
    return error(declarator.name_range, Message("a variable cannot have type 'void'"));
  }
  if (!type && (!declarator.initializer || !declarator.extents.empty())) {
    return error(declarator.name_range, Message("'auto' needs a value to take its type from"));
  }
  if (type) type = extent_of_list(type, declarator);
  if (type && type->is(Type::Kind::Array) && type->extent == 0) {
    return error(declarator.name_range, Message("array '{}' has no extent", declarator.name),
                 Message("write one: [N]"));
  }
  frame().scopes.back()[declarator.name].type = type;  // for sizeof and decltype in its own value
  if (type && must_lie_in_memory(declarator.name, type)) return declare_in_memory(declarator, type);
  declare_in_registers(stmt, declarator, type);
}

// `static __device__ int count;`, `static int count = 1;`: a variable of the file that has its name here.
// There is one for each instance of a template.
void Declarations::declare_static(const cuda::DeclStmt& stmt, const cuda::Declarator& declarator) {
  const auto [known, is_new] = statics_.try_emplace({&declarator, frame().key});
  if (is_new) {
    cuda::DeclStmt of_file;
    of_file.is_device_memory = !stmt.is_constant_memory;
    of_file.is_constant_memory = stmt.is_constant_memory;
    of_file.is_constexpr = stmt.is_constexpr;
    of_file.alignment = stmt.alignment;
    auto& made = known->second;
    made.object = bad();
    made.range = declarator.name_range;
    if (tried([&] { l_.evaluate_global(of_file, declarator, made); }))
      name_static(l_.program().parameters.back());
  }
  l_.declare(declarator.name, known->second);
}

// Two of one name are told apart by their function.
void Declarations::name_static(KernelParameter& variable) {
  const std::string name = variable.name;
  const auto is_taken = [&] {
    return std::ranges::count_if(l_.program().parameters, [&](const KernelParameter& other) {
             return other.name == variable.name;
           }) > 1;
  };
  if (is_taken()) variable.name = frame().function->name + "::" + name;
  for (int number = 2; is_taken(); ++number)
    variable.name = frame().function->name + "::" + name + "#" + std::to_string(number);
}

bool Declarations::must_lie_in_memory(const std::string& name, TypeRef type) {
  const bool needs_address = type->is(Type::Kind::Record) && type->record->needs_address;
  return needs_address || contains_array(type) || frame().names->addressed.contains(name);
}

void Declarations::declare_in_memory(const cuda::Declarator& declarator, TypeRef type) {
  Result object{Kind::Memory, type, {}, l_.new_local(type, declarator.name)};
  if (declarator.initializer) {
    l_.initial_values.initialise_memory(type, object.address, *declarator.initializer);
  } else if (l_.objects.needs_construction(type)) {
    l_.objects.construct_elements(type, object.address, declarator.name_range);
  }
  l_.declare(declarator.name, {.object = std::move(object), .range = declarator.name_range});
}

// `Vec v;`, `Vec v[4];` where Vec has a constructor without arguments or values for its members.
void ObjectConstruction::construct_elements(TypeRef type, const Address& address,
                                            const cuda::SourceRange& range) {
  constexpr std::int64_t kMost = 1024;
  TypeRef element = type;
  while (element->is(Type::Kind::Array)) element = element->element;
  const std::int64_t size = size_of(element), count = size_of(type) / std::max<std::int64_t>(1, size);
  if (count > kMost) {
    return error(range, Message("an array of {} objects with a constructor is too large", count),
                 Message("assign its elements in a loop"));
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const Result initial = default_value(element, range);
    Address at = address;
    at.advance(size, i);
    l_.initial_values.store_initial(element, at, initial, {range, "", nullptr});
  }
}

void Declarations::declare_in_registers(const cuda::DeclStmt& stmt, const cuda::Declarator& declarator,
                                        TypeRef type) {
  const cuda::Expr* initializer = declarator.initializer.get();
  Result initial;
  if (initializer && stmt.is_constexpr) {
    initial = l_.constant_value(*initializer, type, Message("'{}'", declarator.name));
  } else if (initializer) {
    initial = type ? l_.initial_values.initial_value(type, *initializer) : l_.objects.copy_of(*initializer);
  } else if (type && l_.objects.needs_construction(type)) {
    initial = l_.objects.default_value(type, declarator.name_range);
  }
  if (initial.kind == Kind::Void && initializer) {
    return error(initializer->range, Message("an expression of type 'void' has no value"));
  }
  if (!initializer && (stmt.is_constexpr || (declarator.type.is_const && declarator.type.pointers == 0))) {
    return error(declarator.name_range, Message("'{}' is const and needs a value", declarator.name));
  }
  if (!type || (initial.type && l_.function_values.takes_whichever(type, initial.type))) type = initial.type;
  if (!stmt.is_constexpr && must_lie_in_memory(declarator.name, type)) {  // its type was `auto`
    Result object{Kind::Memory, type, {}, l_.new_local(type, declarator.name)};
    l_.store(object, initial, {declarator.name_range, declarator.name, &declarator});
    l_.declare(declarator.name, {.object = std::move(object), .range = declarator.name_range});
    return;
  }
  Result object;
  const bool has_value = initial.kind == Kind::Rvalue;
  // What `changed` names may be changed, for example by a function that takes references; a constant is not.
  const bool is_constant = stmt.is_constexpr || (declarator.type.is_const && declarator.type.pointers == 0);
  if (has_value && (is_constant || !frame().names->changed.contains(declarator.name))) {
    object = l_.settled(initial);
  } else {
    object = l_.new_variable(type);
    if (has_value) l_.assign_parts(object.parts, type, l_.settled(initial).parts);
  }
  object.type = types.with_const(type, type->is_const || declarator.type.is_const || stmt.is_constexpr);
  if (declarator.type.pointers > 0) object.type = types.with_const(type, stmt.is_constexpr);
  const std::size_t shown = b.ir.symbols.size();
  l_.show(declarator.name, object, declarator.name_range, name_of(types.plain(type)));
  for (std::size_t i = shown; i < b.ir.symbols.size(); ++i) b.ir.symbols[i].variable.given = has_value;
  l_.declare(declarator.name, {.object = std::move(object), .range = declarator.name_range});
}

// `decltype((x))`, `decltype(a[0])`: what is a place, and not just named, gives a reference.
bool Declarations::measures_reference(const cuda::TypeName& type) {
  if (!type.measured || type.pointers > 0) return false;
  const bool is_name = std::holds_alternative<cuda::NameExpr>(type.measured->node) ||
                       std::holds_alternative<cuda::MemberExpr>(type.measured->node);
  if (is_name && !type.measures_place) return false;
  List discarded;
  const ListScope scope(b, discarded, b.region, Fate::Dead);
  return l_.expr(*type.measured).is_lvalue();
}

void Declarations::declare_reference(const cuda::Declarator& declarator, TypeRef type) {
  if (!declarator.initializer) {
    return error(declarator.name_range,
                 Message("reference '{}' needs something to refer to", declarator.name));
  }
  Result object = reference_to(*declarator.initializer, type, declarator.type);
  l_.declare(declarator.name, {.object = std::move(object), .range = declarator.name_range});
}

// What a reference of that type stands for; null: of the initializer's own.
Result Declarations::reference_to(const cuda::Expr& initializer, TypeRef type,
                                  const cuda::TypeName& written) {
  Result object = l_.referred(l_.expr(initializer));
  if (!type) type = types.with_const(object.type, object.type->is_const || written.is_const);
  if (object.is_lvalue() && derives_from(object.type, type))
    object = l_.members.as_base(object, type->record, initializer.range);
  if (object.is_lvalue() && types.plain(object.type) == types.plain(type)) {
    if (object.type->is_const && !type->is_const) {
      return fail(initializer.range,
                  Message("'{}' is const: it needs a const reference", l_.text_of(initializer.range)),
                  Message("write const {}&", name_of(types.plain(type))));
    }
  } else if (type->is_const) {
    object = l_.settled(l_.convert(l_.rvalue(object, initializer), type, initializer.range));
  } else {
    return fail(initializer.range,
                Message("'{}&' cannot refer to a value of type '{}'", name_of(type), name_of(object.type)),
                Message("copy it to a variable, or make the reference const"));
  }
  object.type = type;
  return object;
}

Result Lowering::new_variable(TypeRef type) {
  Result object{Kind::Variable, type, {}, {}};
  for (const Chunk& chunk : chunks_of(type)) {
    if (chunk.components == 1) {
      object.parts.push_back(b.ir.variable(chunk.scalar, b.region));
    } else {
      const std::vector<Value> group =
          b.ir.group(ValueInfo::Kind::Variable, chunk.scalar, chunk.components, b.region);
      object.parts.insert(object.parts.end(), group.begin(), group.end());
    }
  }
  return object;
}

Address Lowering::new_local(TypeRef type, const std::string& name) {
  b.ir.locals_have_addresses = true;
  const std::int64_t offset = aligned(local_top_, type, 1);
  const std::int64_t end = offset + size_of(type);
  if (end > kMostLocalBytes) {
    error(b.place, Message("'{}' is too large: a thread has {} bytes of local memory, and {} are needed",
                           name, kMostLocalBytes, end));
  } else {
    local_top_ = end;
    if (!b.discarding) {
      program_->local_bytes = std::max(program_->local_bytes, static_cast<int>(end));
      program_->local_arrays.push_back(array_of(name, type, offset));
      program_->local_arrays.back().range = b.place;
    }
  }
  const bool is_kept = end <= kMostLocalBytes && !b.discarding;
  const int number = is_kept ? static_cast<int>(program_->local_arrays.size()) - 1 : -1;
  ValueInfo base{.kind = ValueInfo::Kind::Constant,
                 .type = ScalarType::U64,
                 .bits = kLocalWindow + static_cast<std::uint64_t>(offset),
                 .origin = b.ir.add_array({name, Origin::Kind::Local, number})};
  return {b.ir.add_value(base), {}, 0};
}

void Declarations::declare_shared(const cuda::DeclStmt& stmt, const cuda::Declarator& declarator) {
  check_new_name(declarator.name, declarator.name_range);
  l_.declare(declarator.name, {.object = bad(), .range = declarator.name_range});
  TypeRef type = l_.resolve(declarator.type);
  if (type) type = l_.with_extents(type, declarator.extents);
  if (!type || declarator.type.reference || type->is(Type::Kind::Void)) {
    return error(declarator.name_range, Message("a __shared__ variable cannot have this type"));
  }
  if (type->is(Type::Kind::Error)) return;
  if (declarator.initializer) {
    error(declarator.initializer->range, Message("a __shared__ variable cannot have an initial value"),
          Message("assign it in one thread, then __syncthreads()"));
  }
  const bool is_open = type->is(Type::Kind::Array) && type->extent == 0;
  if (is_open != stmt.is_extern) {
    return error(declarator.name_range,
                 is_open ? Message("shared array '{}' has no extent", declarator.name)
                         : Message("'{}' is extern and must leave its first extent open", declarator.name),
                 is_open ? Message("write one, or make it extern __shared__")
                         : Message("write [] and give the size at the launch"));
  }
  Result object{Kind::Memory, type, {}, {}};
  const auto known = shared_.find({&declarator, frame().key});
  if (known != shared_.end()) {
    object = known->second;
  } else {
    const std::int64_t offset =
        is_open ? 0 : aligned(l_.shared_memory.bytes, type, l_.layout.alignment_asked(stmt));
    SharedArray array = array_of(declarator.name, types.plain(type), offset);
    array.range = declarator.name_range;
    for (std::size_t i = 0; i < array.extents.size(); ++i) {
      const bool is_written = i < declarator.extents.size() && declarator.extents[i];
      array.extent_texts.push_back(is_written ? l_.text_of(declarator.extents[i]->range) : "");
    }
    if (const TypeRef leaf = first_leaf(type)) array.element = scalar_of(leaf);
    ValueInfo base{.kind = is_open ? ValueInfo::Kind::DynamicShared : ValueInfo::Kind::Constant,
                   .type = ScalarType::U64,
                   .bits = kSharedWindow + static_cast<std::uint64_t>(offset),
                   .origin = b.ir.add_array({declarator.name, Origin::Kind::Shared})};
    object.address.base = b.ir.add_value(base);
    if (!b.discarding) {
      if (array.offset + array.bytes > kMostSharedBytes) {
        return error(declarator.name_range,
                     Message("'{}' is too large for shared memory: {} bytes", declarator.name, array.bytes));
      }
      l_.shared_memory.bytes = std::max(l_.shared_memory.bytes, array.offset + array.bytes);
      if (is_open)
        l_.shared_memory.dynamic_alignment =
            std::max(l_.shared_memory.dynamic_alignment, l_.layout.alignment_asked(stmt));
      l_.program().uses_dynamic_shared = l_.program().uses_dynamic_shared || is_open;
      l_.program().shared_arrays.push_back(std::move(array));
      shared_[{&declarator, frame().key}] = object;
    }
  }
  l_.declare(declarator.name, {.object = std::move(object), .range = declarator.name_range});
}

}  // namespace warplens::sim::lower
