#include "sim/lower/types.h"

#include <algorithm>

namespace warplens::sim::lower {

TypeTable::TypeTable() {
  error_ = intern(Type{});
  void_ = intern(Type{.kind = Type::Kind::Void});
  for (std::size_t i = 0; i < std::size(scalars_); ++i) {
    scalars_[i] = intern(Type{.kind = Type::Kind::Scalar, .scalar = static_cast<ScalarType>(i)});
  }
  names_["void"] = void_;
  signed_char_ = intern(Type{.kind = Type::Kind::Scalar, .scalar = ScalarType::I8, .is_other = true});
  long_ = intern(Type{.kind = Type::Kind::Scalar, .scalar = ScalarType::I64, .is_other = true});
  unsigned_long_ = intern(Type{.kind = Type::Kind::Scalar, .scalar = ScalarType::U64, .is_other = true});
  null_ = intern(Type{.kind = Type::Kind::Pointer, .element = void_, .is_other = true});
  using Kind = cuda::BuiltinType::Kind;
  for (const auto& [name, type] : cuda::builtin_types()) {
    if (type.kind == Kind::Scalar) names_[name] = type.is_long ? long_or(type.scalar) : scalar(type.scalar);
    if (type.kind == Kind::SignedChar) names_[name] = signed_char_;
    if (type.kind == Kind::Null) names_[name] = null_;
    if (type.kind == Kind::Vector) names_[name] = vector(type);
    if (type.kind == Kind::Texture || type.kind == Kind::Surface)
      names_[name] = texture(-1, type.kind == Kind::Surface);
    if (type.kind == Kind::TensorMap) names_[name] = tensor_map(name);
  }
}

TypeRef TypeTable::vector(const cuda::BuiltinType& type) {
  if (const auto found = names_.find(type.record); found != names_.end()) return found->second;
  static constexpr const char* kNames[] = {"x", "y", "z", "w"};
  Record* r = new_record(type.record);
  const int bytes = sim::size_of(type.scalar), count = type.components;
  // char1 to char4 are of signed char, in CUDA too.
  const TypeRef component = type.scalar == ScalarType::I8 ? signed_char_
                            : type.is_long                ? long_or(type.scalar)
                                                          : scalar(type.scalar);
  for (int i = 0; i < count; ++i) r->fields.push_back({kNames[i], component, i * bytes});
  r->size = count * bytes;
  r->one_access = count == 2 || count == 4;
  r->alignment = r->one_access ? std::min(16, count * bytes) : bytes;
  r->is_vector = true;
  return names_[type.record] = record(r);
}

TypeRef TypeTable::intern(Type type) {
  const Key key{type.kind,     static_cast<int>(type.scalar),
                type.element,  type.record,
                type.extent,   type.is_surface,
                type.function, type.is_const,
                type.is_other};
  if (type.element) type.depth = type.element->depth + 1;
  if (type.depth > kMostTypeDepth) throw TypeTooDeep{};
  std::unique_ptr<Type>& slot = types_[key];
  if (!slot) slot = std::make_unique<Type>(type);
  return slot.get();
}

TypeRef TypeTable::long_or(ScalarType type) const {
  return type == ScalarType::I64 ? long_ : type == ScalarType::U64 ? unsigned_long_ : scalar(type);
}

TypeRef TypeTable::pointer(TypeRef element) {
  return intern(Type{.kind = Type::Kind::Pointer, .element = element});
}

TypeRef TypeTable::array(TypeRef element, std::int64_t extent) {
  return intern(Type{.kind = Type::Kind::Array, .element = element, .extent = extent});
}

TypeRef TypeTable::record(const Record* r) {
  return intern(Type{.kind = Type::Kind::Record, .record = r});
}

TypeRef TypeTable::function(int which) {
  return intern(Type{.kind = Type::Kind::Function, .function = which});
}

TypeRef TypeTable::texture(int which, bool is_surface) {
  return intern(Type{.kind = Type::Kind::Texture, .is_surface = is_surface, .function = which});
}

TypeRef TypeTable::tensor_map(const std::string& name) {
  Record* r = new_record(name);
  r->size = 128;
  r->alignment = 64;
  r->is_tensor_map = true;
  return record(r);
}

TypeRef TypeTable::with_const(TypeRef type, bool is_const) {
  if (type->is(Type::Kind::Array)) return array(with_const(type->element, is_const), type->extent);
  if (type->is_const == is_const || type->is(Type::Kind::Error)) return type;
  Type changed = *type;
  changed.is_const = is_const;
  return intern(changed);
}

TypeRef TypeTable::builtin(std::string_view name) const {
  if (name.starts_with("::")) name.remove_prefix(2);
  if (name.starts_with("std::")) name.remove_prefix(5);
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : found->second;
}

Record* TypeTable::new_record(std::string name) {
  records_.push_back(std::make_unique<Record>());
  records_.back()->name = std::move(name);
  return records_.back().get();
}

std::vector<std::string> TypeTable::builtin_names() const {
  std::vector<std::string> names;
  for (const auto& [name, type] : names_) names.push_back(name);
  return names;
}

std::int64_t size_of(TypeRef type) {
  switch (type->kind) {
    case Type::Kind::Scalar:
      return sim::size_of(type->scalar);
    case Type::Kind::Pointer:
      return 8;
    case Type::Kind::Record:
      return type->record->size;
    case Type::Kind::Array:
      return type->extent * size_of(type->element);
    default:
      return 0;
  }
}

std::int64_t alignment_of(TypeRef type) {
  if (type->kind == Type::Kind::Record) return type->record->alignment;
  if (type->kind == Type::Kind::Array) return alignment_of(type->element);
  return std::max<std::int64_t>(size_of(type), 1);
}

std::string name_of(TypeRef type) {
  const std::string prefix = type->is_const && !type->is_pointer() ? "const " : "";
  switch (type->kind) {
    case Type::Kind::Error:
      return "?";
    case Type::Kind::Void:
      return prefix + "void";
    case Type::Kind::Scalar:
      if (!type->is_other) return prefix + sim::name_of(type->scalar);
      return prefix + (type->scalar == ScalarType::I8    ? "signed char"
                       : type->scalar == ScalarType::I64 ? "long"
                                                         : "unsigned long");
    case Type::Kind::Pointer:
      if (type->is_null()) return "std::nullptr_t";
      if (type->element->is(Type::Kind::Array)) {
        TypeRef inner = type->element;
        std::string extents;
        for (; inner->is(Type::Kind::Array); inner = inner->element) {
          extents += "[" + std::to_string(inner->extent) + "]";
        }
        return name_of(inner) + " (*)" + extents;
      }
      return name_of(type->element) + "*" + (type->is_const ? " const" : "");
    case Type::Kind::Record:
      return prefix + type->record->name;
    case Type::Kind::Array: {
      TypeRef inner = type;
      std::string extents;
      for (; inner->is(Type::Kind::Array); inner = inner->element) {
        extents += "[" + (inner->extent ? std::to_string(inner->extent) : "") + "]";
      }
      return name_of(inner) + extents;
    }
    case Type::Kind::Function:
      return "function";
    case Type::Kind::Texture:
      return type->is_surface ? "cudaSurfaceObject_t" : "cudaTextureObject_t";
  }
  return "?";
}

std::string key_of(TypeRef type) {
  return name_of(type) + "@" + std::to_string(reinterpret_cast<std::uintptr_t>(type));
}

ScalarType scalar_of(TypeRef leaf) {
  return leaf->is_scalar() ? leaf->scalar : ScalarType::U64;
}

std::span<const Field> moved_fields(const Record& record) {
  const std::span<const Field> all(record.fields);
  return record.is_union && !all.empty() ? all.subspan(record.whole, 1) : all;
}

bool has_pointers(TypeRef type) {
  while (type->is(Type::Kind::Array)) type = type->element;
  if (!type->is(Type::Kind::Record)) return type->is_pointer();
  const Record& record = *type->record;
  if (record.pointers >= 0) return record.pointers != 0;
  const bool has =
      std::ranges::any_of(record.fields, [](const Field& field) { return has_pointers(field.type); });
  if (record.size > 0) record.pointers = has ? 1 : 0;
  return has;
}

bool contains_array(TypeRef type) {
  if (type->is(Type::Kind::Array)) return true;
  if (!type->is(Type::Kind::Record)) return false;
  const Record& record = *type->record;
  if (record.has_array >= 0) return record.has_array != 0;
  const bool has = record.is_union || std::ranges::any_of(record.fields, [](const Field& field) {
                     return contains_array(field.type);
                   });
  if (record.size > 0) record.has_array = has ? 1 : 0;
  return has;
}

int leaf_count(TypeRef type) {
  constexpr std::int64_t kMany = 1 << 20;  // more than anyone flattens
  switch (type->kind) {
    case Type::Kind::Scalar:
    case Type::Kind::Pointer:
      return 1;
    case Type::Kind::Record: {
      const Record& record = *type->record;
      if (record.leaves >= 0) return record.leaves;
      std::int64_t count = 0;
      for (const Field& field : moved_fields(record)) count += leaf_count(field.type);
      const int many = static_cast<int>(std::min(count, kMany));
      if (record.size > 0) record.leaves = many;
      return many;
    }
    case Type::Kind::Array: {
      const std::int64_t each = leaf_count(type->element);
      return static_cast<int>(each == 0 || type->extent <= kMany / each ? each * type->extent : kMany);
    }
    default:
      return 0;
  }
}

TypeRef first_leaf(TypeRef type) {
  while (type->is(Type::Kind::Array) || type->is(Type::Kind::Record)) {
    if (type->is(Type::Kind::Record) && type->record->fields.empty()) return nullptr;
    type = type->is(Type::Kind::Array) ? type->element : moved_fields(*type->record)[0].type;
  }
  return type->is_scalar() || type->is_pointer() ? type : nullptr;
}

namespace {

// What the member adds to the text of its object. Bases and members without a name are passed over.
std::string suffix_of(const Field& field) {
  if (!field.name.starts_with('#')) return "." + field.name;
  return field.type->is(Type::Kind::Record) ? std::string() : "." + field.name.substr(1);
}

void append(TypeRef type, const std::string& suffix, std::int64_t offset, std::vector<Leaf>& leaves) {
  if (leaf_count(type) == 0) return;  // of nothing there may be any number
  if (type->is(Type::Kind::Record)) {
    for (const Field& field : moved_fields(*type->record)) {
      append(field.type, suffix + suffix_of(field), offset + field.offset, leaves);
    }
  } else if (type->is(Type::Kind::Array)) {
    for (std::int64_t i = 0; i < type->extent; ++i) {
      append(type->element, suffix + "[" + std::to_string(i) + "]", offset + i * size_of(type->element),
             leaves);
    }
  } else if (type->is_scalar() || type->is_pointer()) {
    leaves.push_back({suffix, type, offset});
  }
}

void append_chunks(TypeRef type, const std::string& suffix, std::int64_t offset, int& leaf,
                   std::vector<Chunk>& chunks) {
  if (leaf_count(type) == 0) return;
  if (type->is(Type::Kind::Record) && type->record->one_access) {
    const ScalarType scalar = scalar_of(first_leaf(type));
    int left = leaf_count(type);
    const int most = std::max(1, 16 / sim::size_of(scalar));  // 16 bytes is the widest access there is
    const bool split = left > most;
    while (left > 0) {
      const int components = std::min(left, most);
      const std::string part = split ? suffix + (left == 4 ? ".xy" : ".zw") : suffix;
      chunks.push_back({leaf, components, offset, scalar, part});
      leaf += components;
      offset += components * sim::size_of(scalar);
      left -= components;
    }
  } else if (type->is(Type::Kind::Record)) {
    for (const Field& field : moved_fields(*type->record)) {
      append_chunks(field.type, suffix + suffix_of(field), offset + field.offset, leaf, chunks);
    }
  } else if (type->is(Type::Kind::Array)) {
    for (std::int64_t i = 0; i < type->extent; ++i) {
      append_chunks(type->element, suffix + "[" + std::to_string(i) + "]",
                    offset + i * size_of(type->element), leaf, chunks);
    }
  } else if (type->is_scalar() || type->is_pointer()) {
    chunks.push_back({leaf++, 1, offset, scalar_of(type), suffix});
  }
}

void require_few_leaves(TypeRef type) {
  if (leaf_count(type) > kMostListedLeaves) throw TypeTooLarge{name_of(type)};
}

}  // namespace

void append_leaves(TypeRef type, std::vector<Leaf>& leaves) {
  require_few_leaves(type);
  append(type, "", 0, leaves);
}

std::vector<Leaf> leaves_of(TypeRef type) {
  std::vector<Leaf> leaves;
  append_leaves(type, leaves);
  return leaves;
}

std::vector<Chunk> chunks_of(TypeRef type) {
  require_few_leaves(type);
  std::vector<Chunk> chunks;
  int leaf = 0;
  append_chunks(type, "", 0, leaf, chunks);
  return chunks;
}

std::optional<std::vector<std::string>> path_to_base(const Record* record, const Record* base) {
  if (record == base) return std::vector<std::string>{};
  for (const Field& field : record->fields) {
    if (!is_base(field.name)) break;
    if (auto path = path_to_base(field.type->record, base)) {
      path->insert(path->begin(), field.name);
      return path;
    }
  }
  return std::nullopt;
}

bool derives_from(TypeRef type, TypeRef base) {
  if (!type->is(Type::Kind::Record) || !base->is(Type::Kind::Record) || type->record == base->record)
    return false;
  return path_to_base(type->record, base->record).has_value();
}

// How far behind the beginning of a struct its base class begins, in bytes.
std::int64_t base_offset(const Record* record, const Record* base) {
  std::int64_t offset = 0;
  for (const std::string& part : path_to_base(record, base).value_or(std::vector<std::string>{})) {
    const auto field = std::ranges::find(record->fields, part, &Field::name);
    offset += field->offset;
    record = field->type->record;
  }
  return offset;
}

}  // namespace warplens::sim::lower
