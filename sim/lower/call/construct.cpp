// Initializers: float4{a, b, c, d}, {0}, {{1, 2}, {3, 4}}, dim3(8, 8).
#include <map>
#include <optional>
#include <utility>

#include "sim/lower/ir/flow.h"
#include "sim/lower/lowering.h"
#include "sim/scalar/bits.h"

namespace warplens::sim::lower {
namespace {

const std::vector<cuda::ExprPtr> kNoElements;
const Address kImage;  // no memory of the machine's: initial values go to the image that is being made

}  // namespace

// Walks over a list's elements. One may have been lowered to see its type and not been taken yet.
struct InitCursor {
  const std::vector<cuda::ExprPtr>& elements;
  std::size_t next = 0;
  std::optional<Result> pending = {};

  bool at_end() const { return next >= elements.size(); }
  const cuda::DesignatedExpr* designated() const {
    return at_end() ? nullptr : std::get_if<cuda::DesignatedExpr>(&elements[next]->node);
  }
  // The value itself, also of `.x = 1`.
  const cuda::Expr& element() const { return designated() ? *designated()->value : *elements[next]; }
  const cuda::InitListExpr* list() const {
    return pending ? nullptr : std::get_if<cuda::InitListExpr>(&element().node);
  }
  void advance() {
    pending.reset();
    ++next;
  }
};

void InitialValues::all_taken(const InitCursor& cursor, TypeRef type) {
  if (!cursor.at_end()) fail(cursor.element().range, Message("too many values for '{}'", name_of(type)));
}

Result InitialValues::construct(TypeRef type, const std::vector<cuda::ExprPtr>& arguments,
                                const cuda::SourceRange& range) {
  l_.pace().step();
  if (leaf_count(type) > kMostLeaves) {
    return fail(range, Message("'{}' is too large to be built as a whole", name_of(type)),
                Message("assign its elements in a loop"));
  }
  InitCursor cursor{arguments};
  Result result{Kind::Rvalue, types.plain(type), {}, {}};
  if (type->is(Type::Kind::Record) && type->record->name == "dim3") {
    for (int i = 0; i < 3; ++i) {
      Result part = value(ScalarType::U32, b.integer(ScalarType::U32, 1));
      if (!cursor.at_end())
        part = l_.convert(l_.value_of(cursor.element()), part.type, cursor.element().range);
      result.parts.push_back(part.value());
      cursor.advance();
    }
  } else if (type->is(Type::Kind::Record) || type->is_scalar() || type->is_pointer()) {
    const bool is_own = type->is(Type::Kind::Record) && type->record->definition;
    if (is_own && (type->record->has_constructors || l_.objects.has_device_constructor(type->record))) {
      return l_.objects.constructed(type, l_.lower_arguments(arguments), range);
    }
    if (!type->is(Type::Kind::Record)) {
      take_leaves(type, cursor, result.parts);
    } else {
      if (arguments.size() == 1 && !cursor.list()) {
        cursor.pending = l_.objects.copy_of(*arguments[0]);
        const bool copies = types.plain(cursor.pending->type) == types.plain(type);
        if (copies) return *cursor.pending;
      }
      take_members(type, cursor, result.parts);
    }
  } else {
    return fail(range, Message("'{}' cannot be constructed here", name_of(type)));
  }
  all_taken(cursor, type);
  return result;
}

Result InitialValues::initial_value(TypeRef type, const cuda::Expr& initializer) {
  if (const auto* list = std::get_if<cuda::InitListExpr>(&initializer.node)) {
    return construct(type, list->elements, initializer.range);
  }
  return l_.convert(l_.objects.copy_of(initializer), type, initializer.range);
}

// The members of a record or the elements of an array, each from the cursor's list.
void InitialValues::take_members(TypeRef type, InitCursor& cursor, std::vector<Value>& parts) {
  if (type->is(Type::Kind::Record) && type->record->is_union) return take_union(type, cursor, parts);
  if (type->is(Type::Kind::Record)) {
    for (const Field& field : type->record->fields) {
      const cuda::ExprPtr* fallback = l_.members.default_initializer(type->record, field.name);
      const cuda::DesignatedExpr* designated = cursor.designated();
      const bool is_left_out = cursor.at_end() || (designated && designated->member != field.name);
      if (is_left_out && designated && !(fallback && !field.type->is(Type::Kind::Array))) {
        InitCursor nothing{kNoElements};
        take_leaves(field.type, nothing, parts);
        continue;
      }
      if (!is_left_out || !fallback || field.type->is(Type::Kind::Array)) {
        take_leaves(field.type, cursor, parts);
        continue;
      }
      const Result value = initial_value(types.plain(field.type), **fallback);
      const std::vector<Value> leaves =
          value.parts.empty() ? std::vector<Value>{l_.scalar_value(value)} : value.parts;
      parts.insert(parts.end(), leaves.begin(), leaves.end());
    }
  } else {
    for (std::int64_t i = 0; i < type->extent; ++i) take_leaves(type->element, cursor, parts);
  }
}

// The first member, or the one that is named: written to memory, and all bytes read back.
void InitialValues::take_union(TypeRef type, InitCursor& cursor, std::vector<Value>& parts) {
  const Record& record = *type->record;
  const Result object = l_.objects.new_object(types.plain(type), record.name);
  zero_memory(type, object.address);
  const cuda::DesignatedExpr* designated = cursor.designated();
  for (const Field& field : record.fields) {
    if (cursor.at_end() || (designated && designated->member != field.name)) continue;
    fill_memory(field.type, object.address, cursor);
    break;
  }
  const Result whole = l_.load(object, {b.place, record.name, nullptr});
  parts.insert(parts.end(), whole.parts.begin(), whole.parts.end());
}

// Takes one member: braces of its own, a value of its type, or, without braces, as many values as it has
// leaves:
// `{1, 2, 3, 4}` fills two float2.
void InitialValues::take_leaves(TypeRef type, InitCursor& cursor, std::vector<Value>& parts) {
  l_.pace().step();
  if (cursor.at_end()) {
    const bool constructs = type->is(Type::Kind::Record) && l_.objects.needs_construction(type);
    const Result zero = constructs ? construct(type, {}, b.place) : l_.zero_of(type);
    parts.insert(parts.end(), zero.parts.begin(), zero.parts.end());
    return;
  }
  const cuda::InitListExpr* braces = cursor.list();
  if (!braces && !cursor.pending) braces = characters_of(type, cursor.element());
  if (type->is(Type::Kind::Record) || type->is(Type::Kind::Array)) {
    const bool constructs = type->is(Type::Kind::Record) && l_.objects.has_device_constructor(type->record);
    if (constructs && (braces || !cursor.pending)) {
      const Result object = initial_value(types.plain(type), cursor.element());
      parts.insert(parts.end(), object.parts.begin(), object.parts.end());
      return cursor.advance();
    }
    if (braces) {
      InitCursor inner{braces->elements};
      take_members(type, inner, parts);
      all_taken(inner, type);
      return cursor.advance();
    }
    if (!cursor.pending) cursor.pending = l_.objects.copy_of(cursor.element());
    if (types.plain(cursor.pending->type) != types.plain(type)) return take_members(type, cursor, parts);
    parts.insert(parts.end(), cursor.pending->parts.begin(), cursor.pending->parts.end());
    return cursor.advance();
  }
  Result taken;
  if (braces) {
    if (braces->elements.size() > 1)
      fail(braces->elements[1]->range, Message("too many values for '{}'", name_of(type)));
    taken = braces->elements.empty() ? l_.zero_of(type) : initial_value(type, *braces->elements[0]);
  } else {
    const Result given = cursor.pending ? *cursor.pending : l_.value_of(cursor.element());
    taken = l_.convert(given, type, cursor.element().range);
  }
  parts.push_back(l_.scalar_value(taken));
  cursor.advance();
}

// ---- in memory

void InitialValues::fill_list(TypeRef type, const Address& address,
                              const std::vector<cuda::ExprPtr>& elements) {
  InitCursor cursor{elements};
  fill_memory(type, address, cursor);
  all_taken(cursor, type);
}

void InitialValues::initialise_memory(TypeRef type, const Address& address, const cuda::Expr& initializer) {
  const auto* list = std::get_if<cuda::InitListExpr>(&initializer.node);
  if (list == nullptr) list = characters_of(type, initializer);
  if (list && type->is(Type::Kind::Array)) return fill_list(type, address, list->elements);
  if (type->is(Type::Kind::Array))
    fail(initializer.range, Message("an array is initialised by a list in braces"), Message("write = {...}"));
  store_initial(type, address, initial_value(type, initializer), l_.access_text(initializer));
}

// What a variable of the file holds before the kernel runs.
InitialValues::InitialImage InitialValues::initial_image(TypeRef type, const cuda::Declarator& declarator) {
  const auto image = std::make_shared<std::vector<InitialValue>>();
  List discarded;
  const ListScope scope(b, discarded, b.region, Fate::Evaluated);
  const Within place(b.place, declarator.name_range);
  const Within into(image_, image);
  if (declarator.initializer)
    initialise_memory(type, kImage, *declarator.initializer);
  else if (l_.objects.needs_construction(type))
    default_image(type, declarator.name_range);
  return image;
}

// Most constructors leave zeros: then it does not matter of how many elements.
void InitialValues::default_image(TypeRef type, const cuda::SourceRange& range) {
  TypeRef element = type;
  while (element->is(Type::Kind::Array)) element = element->element;
  l_.objects.construct_elements(element, kImage, range);
  if (image_->empty() || element == type) return;
  image_->clear();
  l_.objects.construct_elements(type, kImage, range);
}

void InitialValues::store_initial(TypeRef type, const Address& address, const Result& initial,
                                  const AccessText& text) {
  if (address.base != kImage.base) return l_.store({Kind::Memory, type, {}, address}, initial, text);
  const std::vector<Leaf> leaves = leaves_of(type);
  Constants assigned;
  const bool is_run = run_constants(b.ir, *b.list, l_.pace(), assigned);
  // What a constructor has left in a variable, which was zero.
  const auto bits_of = [&](Value part) {
    const auto found = assigned.find(part);
    if (is_run && found != assigned.end()) return std::optional(found->second);
    return is_run && b.ir.is_variable(part) ? std::optional(std::uint64_t{0}) : b.bits(part);
  };
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto bits = bits_of(initial.parts.empty() ? l_.scalar_value(initial) : initial.parts[i]);
    if (!bits) {
      fail(text.range,
           Message("{} must be known when compiling", Message("the initial value of a variable of the file")),
           Message("use constants and template parameters"));
    }
    const ScalarType scalar = scalar_of(leaves[i].type);
    if (*bits != 0)
      image_->push_back({address.offset + leaves[i].offset, scalar, memory_bits(scalar, *bits)});
  }
  b.list->clear();  // each object's constructor is looked at by itself
}

void InitialValues::fill_memory(TypeRef type, const Address& address, InitCursor& cursor) {
  l_.pace().step();
  if (cursor.at_end()) return zero_memory(type, address);
  if (!type->is(Type::Kind::Array)) {
    Result parts{Kind::Rvalue, types.plain(type), {}, {}};
    if (leaf_count(type) > kMostLeaves) {
      fail(b.place, Message("'{}' is too large to be built as a whole", name_of(type)),
           Message("assign its elements in a loop"));
    }
    if (const cuda::InitListExpr* list = type->is(Type::Kind::Record) ? cursor.list() : nullptr) {
      parts = construct(type, list->elements, cursor.element().range);
      cursor.advance();
    } else {
      take_leaves(type, cursor, parts.parts);
    }
    return store_initial(type, address, parts, {b.place, "", nullptr});
  }
  const std::int64_t size = size_of(type->element);
  for (std::int64_t i = 0; i < type->extent; ++i) {
    Address element = address;
    element.advance(size, i);
    if (cursor.at_end()) return zero_memory(types.array(type->element, type->extent - i), element);
    const cuda::InitListExpr* list = type->element->is(Type::Kind::Array) ? cursor.list() : nullptr;
    if (!list) list = characters_of(type->element, cursor.element());
    if (!list) {
      fill_memory(type->element, element, cursor);
      continue;
    }
    InitCursor inner{list->elements};
    fill_memory(type->element, element, inner);
    if (!inner.at_end()) fail(inner.element().range, Message("too many values for the array"));
    cursor.advance();
  }
}

void InitialValues::zero_memory(TypeRef type, const Address& address) {
  constexpr std::int64_t kMostStores = 32;  // a loop beyond
  if (address.base == kImage.base) return;
  TypeRef element = type;
  while (element->is(Type::Kind::Array)) element = element->element;
  if (!element->is_scalar()) {  // zero bits are a zero of any type
    const bool by_words = alignment_of(type) >= 4 && size_of(type) % 4 == 0;
    element = types.scalar(by_words ? ScalarType::U32 : ScalarType::U8);
  }
  const std::int64_t size = size_of(element), count = size_of(type) / std::max<std::int64_t>(1, size);
  const Result zero = l_.zero_of(element);
  const AccessText text{b.place, "", nullptr};
  if (count <= kMostStores) {
    for (std::int64_t i = 0; i < count; ++i) {
      Address at = address;
      at.advance(size, i);
      l_.store({Kind::Memory, element, {}, at}, zero, text);
    }
    return;
  }
  const auto number = [&](std::int64_t n) {
    return b.integer(ScalarType::I32, static_cast<std::uint64_t>(n));
  };
  count_up(b, ScalarType::I32, number(0), number(count), number(1), {}, [&](Value i) {
    Address at = address;
    b.add_index(at, i, ScalarType::I32, size, true);
    l_.store({Kind::Memory, element, {}, at}, zero, text);
  });
}

}  // namespace warplens::sim::lower
