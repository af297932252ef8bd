// Expressions of host code, and what calls into CUDA and the standard library do.
#include <algorithm>
#include <cmath>

#include "app/source/host_run.h"
#include "sim/cuda/text/names.h"

namespace warplens::app::host {
namespace {

using cuda::BinaryOp;
using cuda::Expr;
using cuda::Function;
using cuda::UnaryOp;
using sim::ScalarType;
using Kind = Value::Kind;

constexpr std::size_t kMostNumbers = std::size_t{1} << 20, kMostSkipped = 4096;  // that are kept of an array
constexpr std::size_t kMostKept = std::size_t{1} << 23;                          // of all
constexpr std::size_t kMostObjects = 200'000;
constexpr std::int64_t kMostDrawn = 0x7fffffff;  // of rand()

bool is_container(std::string_view name) {
  static const std::set<std::string_view> kNames{
      "vector", "host_vector", "device_vector", "thrust::host_vector", "thrust::device_vector",
      "array",  "unique_ptr",  "string",        "thrust::vector"};
  return kNames.contains(name);
}

const cuda::BuiltinType* vector_type(const Type* type) {
  if (type == nullptr || type->pointers > 0) return nullptr;
  const auto found = cuda::builtin_types().find(type->name);
  const bool is_vector =
      found != cuda::builtin_types().end() && found->second.kind == cuda::BuiltinType::Kind::Vector;
  return is_vector ? &found->second : nullptr;
}

std::string_view last_part(std::string_view name) {
  const std::size_t colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

// A float's `f` behind a function's name left out.
std::optional<double> apply_function(std::string_view name, double x) {
  if (name == "ceil" || name == "ceilf") return std::ceil(x);
  if (name == "floor" || name == "floorf") return std::floor(x);
  if (name == "round" || name == "roundf") return std::round(x);
  if (name == "trunc" || name == "truncf") return std::trunc(x);
  if (name == "sqrt" || name == "sqrtf") return std::sqrt(x);
  if (name == "log2" || name == "log2f") return std::log2(x);
  if (name == "log" || name == "logf") return std::log(x);
  if (name == "fabs" || name == "fabsf") return std::abs(x);
  return {};
}

// `rand() % n + 1` is as much drawn as rand() is.
void stay_drawn(BinaryOp op, const Value& drawn, std::int64_t by, Value* out) {
  if (out->type == nullptr || !out->type->scalar || sim::is_floating(*out->type->scalar)) return;
  std::int64_t least = drawn.least, most = drawn.most;
  if (op == BinaryOp::Rem && by > 0 && least >= 0) {
    if (most >= by) least = 0, most = by - 1;
  } else if (op == BinaryOp::BitAnd && by >= 0 && least >= 0) {
    least = 0, most = std::min(most, by);
  } else if (op == BinaryOp::Add || op == BinaryOp::Sub) {
    const std::int64_t distance = op == BinaryOp::Add ? by : -by;
    if (std::abs(distance) > kMostDrawn) return;
    least += distance, most += distance;
  } else if (op == BinaryOp::Div && by > 0) {
    least /= by, most /= by;
  } else {
    return;
  }
  if (wrapped(least, *out->type->scalar) == least && wrapped(most, *out->type->scalar) == most)
    out->least = least, out->most = most;
}

// What of a call's arguments is only read.
bool only_reads(std::string_view name) {
  static const std::set<std::string_view> kNames{
      "printf", "fprintf",      "puts",   "cudaFree",   "free",
      "assert", "cudaFreeHost", "delete", "accumulate", "cudaGetErrorString"};
  return kNames.contains(name);
}

}  // namespace

// ---- objects ----

Value HostRun::integer(std::int64_t value, ScalarType type) {
  Value out;
  out.kind = Kind::Integer;
  out.integer = value;
  out.type = types_.of(type);
  return out;
}

Value HostRun::pointer(int object, std::int64_t offset, const Type* type) const {
  Value out;
  out.kind = Kind::Pointer;
  out.object = object;
  out.integer = offset;
  out.type = type;
  return out;
}

std::optional<std::int64_t> HostRun::size_of(const Type* type) {
  if (type == nullptr) return {};
  if (type->pointers > 0) return 8;
  if (type->scalar) return sim::size_of(*type->scalar);
  if (type->name == "string") return 32;  // of the GNU library
  if (type->name == "vector") return 24;
  if (type->name == "array") return {};
  if (const cuda::BuiltinType* vector = vector_type(type))
    return vector->components * sim::size_of(vector->scalar);
  const cuda::Struct* of = find_struct(type);
  if (of != nullptr && special_.contains(type->name)) return {};
  const auto [known, is_new] = sizes_.try_emplace(type);
  if (of == nullptr || depth_ > 300 || !is_new) return known->second;
  ++depth_;
  const OwnParameters own(*this, *of, type);
  constexpr std::int64_t kLargest = std::int64_t{1} << 40;
  std::int64_t size = 0, widest = std::max(of->alignment, 1);
  bool is_known = true;
  for (const cuda::StructField& field : of->fields) {
    const Type* of_field = resolve(field.type);
    std::int64_t count = 1;
    for (const cuda::ExprPtr& extent : field.extents) {
      const Value value = extent ? eval(*extent) : Value{};
      is_known &= value.kind == Kind::Integer;
      count = std::min<std::int64_t>(count * std::clamp<std::int64_t>(value.integer, 0, 1 << 20), 1 << 20);
    }
    const auto bytes = size_of(of_field);
    is_known &= bytes.has_value() && !field.bits && !field.name.starts_with("#:") && !field.type.reference;
    if (!is_known) break;
    std::int64_t align = std::min<std::int64_t>(*bytes, 8);
    if (const auto inner = alignments_.find(of_field); inner != alignments_.end()) align = inner->second;
    if (const cuda::BuiltinType* vector = vector_type(of_field))
      align = vector->components == 3 ? sim::size_of(vector->scalar) : std::min<std::int64_t>(*bytes, 16);
    while (align > 1 && *bytes % align != 0) align /= 2;
    widest = std::max(widest, align);
    if (of->is_union) {
      size = std::max(size, *bytes * count);
      continue;
    }
    size = std::min(size, kLargest) + align - 1;
    size = size / align * align + std::min(*bytes, kLargest) * std::min<std::int64_t>(count, 1 << 20);
  }
  --depth_;
  if (!is_known || size > kLargest) return {};
  alignments_[type] = widest;
  return sizes_[type] = std::max<std::int64_t>((size + widest - 1) / widest * widest, 1);
}

int HostRun::make_object(const Type* type, const std::vector<std::int64_t>& extents) {
  Object object;
  object.type = type;
  if (!extents.empty()) {
    object.kind = Object::Kind::Array;
    object.extents.assign(extents.begin() + 1, extents.end());
    std::int64_t all = size_of(type).value_or(-1);
    for (const std::int64_t extent : extents)
      if (extent <= 0 || all < 0 || __builtin_mul_overflow(all, extent, &all)) all = -1;
    if (all > 0) object.bytes = integer(all, ScalarType::U64);
  } else if (type != nullptr && type->pointers == 0 && !type->scalar) {
    if (is_container(last_part(type->name))) {
      object.kind = Object::Kind::Container;
      object.whole = type;
      object.type = type->arguments.empty() ? types_.of("char") : type->arguments.front();
      object.is_zero = true;
      object.bytes = integer(0, ScalarType::U64);
      if (last_part(type->name) == "array") {
        const Type* count = type->arguments.size() > 1 ? type->arguments[1] : nullptr;
        const bool is_known =
            count != nullptr && count->name.find_first_not_of("0123456789") == std::string::npos;
        object.bytes = is_known ? sized(integer(std::atoll(count->name.c_str())), object.type) : Value{};
      }
    } else if (vector_type(type) != nullptr || find_struct(type) != nullptr || type->name == "CUtensorMap") {
      object.kind = Object::Kind::Struct;
    }
  }
  if (objects_.size() >= kMostObjects) return 0;
  objects_.push_back(std::move(object));
  const int made = static_cast<int>(objects_.size()) - 1;
  if (type != nullptr && type->text == "dim3" && extents.empty())
    for (const char* axis : {"x", "y", "z"})
      at(member_object(made, axis)).value = integer(1, ScalarType::U32);
  return made;
}

int HostRun::make_allocation(const Type* element, const Value& bytes, bool is_zero) {
  const int made = make_object(element, {-1});
  at(made).bytes = bytes;
  at(made).is_zero = is_zero;
  return made;
}

int HostRun::make_opaque() {
  const int made = make_object(nullptr);
  at(made).kind = Object::Kind::Opaque;
  return made;
}

int HostRun::member_object(int object, const std::string& name) {
  for (const auto& [known, member] : at(object).members)
    if (known == name) return member;
  const Type* type = at(object).type;
  int made = -1;
  ++steps_;
  if (const cuda::BuiltinType* vector = vector_type(type)) {
    made = make_object(types_.of(vector->scalar));
  } else if (const cuda::Struct* of = find_struct(type)) {
    const OwnParameters own(*this, *of, type);
    for (const cuda::StructField& field : of->fields) {
      if (field.name != name) continue;
      made = make_object(resolve(field.type), numbers_of(field.extents));
      at(made).is_shared = of->is_union || field.bits || field.type.reference;
      at(object).members.emplace_back(name, made);
      if (field.initializer) initialise(made, *field.initializer);
      return made;
    }
  }
  if (made < 0) made = make_object(nullptr);
  at(object).members.emplace_back(name, made);
  return made;
}

// -1: not known.
std::vector<std::int64_t> HostRun::numbers_of(const std::vector<cuda::ExprPtr>& extents) {
  std::vector<std::int64_t> numbers;
  for (const cuda::ExprPtr& extent : extents) {
    const Value count = extent ? eval(*extent) : Value{};
    numbers.push_back(count.kind == Kind::Integer ? count.integer : -1);
  }
  return numbers;
}

int HostRun::element_object(int object, std::int64_t index) {
  const auto known = at(object).elements.find(index);
  if (known != at(object).elements.end()) return known->second;
  const int made = make_object(at(object).type, at(object).extents);
  if (at(object).is_zero && at(made).kind == Object::Kind::Scalar && at(made).type != nullptr &&
      at(made).type->pointee)
    at(made).value.kind = Kind::Null;
  at(object).elements.emplace(index, made);
  return made;
}

void HostRun::note(int object) {
  if (regions_.empty() || at(object).epoch == regions_.back()) return;
  at(object).epoch = regions_.back();
  notes_.push_back({object, at(object).value, at(object).bytes});
}

Value HostRun::read(const Place& place) {
  if (!place.is_valid()) return {};
  Object& object = at(place.object);
  if (place.index == Place::kWhole) {
    Value value = object.value;
    if (object.kind == Object::Kind::Array) return pointer(place.object, 0, types_.pointer_to(object.type));
    if (object.kind != Object::Kind::Scalar) {
      value = {};
      value.kind = object.kind == Object::Kind::Opaque ? Kind::Unknown : Kind::Object;
      value.object = place.object;
      value.type = object.kind == Object::Kind::Container ? object.whole : object.type;
      return value;
    }
    if (object.is_shared) {
      value = {};
      value.has_offset = false;
      value.type = object.type;
      return value;
    }
    if (value.kind != Kind::Unknown) return value;
    if (object.type != nullptr && object.type->pointee && value.has_offset) {
      object.value = pointer(make_opaque(), 0, object.type);
      return at(place.object).value;
    }
    value.type = object.type;
    if (value.formula < 0 && (object.type == nullptr || object.type->scalar))
      value.formula = object.value.formula = formulas_.variable(value);
    return value;
  }
  Value value;
  value.type = object.type;
  if (place.index < 0 || !object.is_known || object.kind == Object::Kind::Scalar) return value;
  if (object.type == nullptr || !object.type->scalar || !object.extents.empty())
    return read({element_object(place.object, place.index)});
  if (sim::is_floating(*object.type->scalar)) return value;
  const auto index = static_cast<std::size_t>(place.index);
  if (object.is_drawn()) {
    value.least = object.least;
    value.most = object.most;
    return value;
  }
  if (object.numbers && index < object.numbers->size())
    return converted(integer((*object.numbers)[index], ScalarType::I64), *object.type->scalar, types_);
  return object.is_zero ? converted(integer(0), *object.type->scalar, types_) : value;
}

void HostRun::write(const Place& place, Value value) {
  if (!place.is_valid()) return;
  note(place.object);
  if (place.index == Place::kWhole) {
    Object& object = at(place.object);
    if (object.kind == Object::Kind::Scalar) {
      if (object.type != nullptr) value = cast(value, object.type);
      if (object.type != nullptr && object.type->pointee && value.kind == Kind::Unknown) {
        value = pointer(make_opaque(), 0, object.type);
      } else if (value.formula < 0 && quiet_ == 0 && (value.is_number() || value.kind == Kind::Unknown)) {
        value.formula = formulas_.variable(value);
      }
      at(place.object).value = value;
    } else if (value.kind == Kind::Object) {
      copy_object(place.object, value.object);
    } else if (object.type != nullptr && object.type->text == "dim3" &&
               (value.is_number() || value.formula >= 0)) {
      write({member_object(place.object, "x")}, value);
      for (const char* axis : {"y", "z"})
        write({member_object(place.object, axis)}, integer(1, ScalarType::U32));
    } else if (object.kind == Object::Kind::Container && value.kind == Kind::Pointer) {
      object.value = value;  // a unique_ptr
    } else {
      forget(place);
    }
    return;
  }
  Object& object = at(place.object);
  if (object.kind == Object::Kind::Scalar) return forget(place);
  const bool is_scalar = object.type != nullptr && object.type->scalar && object.extents.empty();
  if (is_scalar && sim::is_floating(*object.type->scalar)) return;
  if (place.index < 0) return forget(place);
  if (!is_scalar) return write({element_object(place.object, place.index)}, value);
  if (value.kind == Kind::Floating) value = converted(value, *object.type->scalar, types_);
  const auto index = static_cast<std::size_t>(place.index);
  if (object.is_drawn() && !value.is_drawn()) object.is_known = false;
  if (value.is_drawn()) {
    object.is_known &= object.is_drawn() || index == 0;
    if (!object.is_drawn()) object.numbers = nullptr;
    object.add_drawn(value.least, value.most);
    value = integer(value.least, *object.type->scalar);
  }
  const std::size_t kept = object.numbers ? object.numbers->size() : 0;
  const bool is_far = index >= kMostNumbers || index > kept + kMostSkipped || numbers_kept_ > kMostKept;
  if (value.kind != Kind::Integer || is_far) return void(object.is_known = false);
  if (index >= kept) numbers_kept_ += index + 1 - kept;
  if (!object.numbers)
    object.numbers = std::make_shared<std::vector<std::int64_t>>();
  else if (object.numbers.use_count() > 1)
    object.numbers = std::make_shared<std::vector<std::int64_t>>(*object.numbers), numbers_kept_ += kept;
  if (index > object.numbers->size() && !object.is_zero) object.is_known = false;
  if (index >= object.numbers->size()) object.numbers->resize(index + 1);
  (*object.numbers)[index] = value.integer;
}

void HostRun::copy_object(int to, int from) {
  if (to == from || depth_ > 300 || ++steps_ > kAllSteps) return;
  ++depth_;
  const Object source = at(from);
  note(to);
  if (source.kind == Object::Kind::Struct) {
    if (const cuda::Struct* of = find_struct(source.type))
      for (const cuda::StructField& field : of->fields) (void)member_object(from, field.name);
    const auto members = at(from).members;
    for (const auto& [name, member] : members) write({member_object(to, name)}, read({member}));
  } else {
    Object& target = at(to);
    target.bytes = source.bytes;
    target.numbers = source.numbers;
    target.is_zero = source.is_zero;
    target.is_known = source.is_known;
    target.least = source.least;
    target.most = source.most;
    target.drawn_length = source.drawn_length;
    target.value = source.value;
    target.elements.clear();
    constexpr std::size_t kMostCopies = 4096;
    if (source.elements.size() > kMostCopies) target.is_known = false;
    for (const auto& [index, element] : source.elements) {
      if (source.elements.size() > kMostCopies) break;
      const int made = make_object(source.type, source.extents);
      copy_object(made, element);
      if (at(made).kind == Object::Kind::Scalar) write({made}, read({element}));
      at(to).elements.emplace(index, made);
    }
  }
  --depth_;
}

// What memory holds, copied to other memory; whole allocations alone.
void HostRun::copy_contents(const Value& to, const Value& from, const Value& bytes) {
  if (to.kind != Kind::Pointer) return;
  const Place target_at = deref(to), source_at = deref(from);
  if (target_at.is_valid() && source_at.is_valid() && target_at.index != Place::kSomewhere) {
    const Value value = read(source_at);  // `cudaMemcpy(&n, d_n, sizeof(int), …)`
    const auto size = value.type != nullptr && value.type->scalar ? size_of(value.type) : std::nullopt;
    if (size && bytes.kind == Kind::Integer && bytes.integer == *size) return write(target_at, value);
  }
  const bool is_one = from.kind == Kind::Pointer && at(to.object).kind == at(from.object).kind &&
                      at(to.object).kind != Object::Kind::Array &&
                      at(to.object).kind != Object::Kind::Container;
  if (is_one && at(to.object).type == at(from.object).type) return write({to.object}, read({from.object}));
  if (at(to.object).kind != Object::Kind::Array && at(to.object).kind != Object::Kind::Container)
    return forget({to.object});
  const auto covers = [&](const Value& all) {
    return all.kind != Kind::Integer || bytes.kind != Kind::Integer || bytes.integer >= all.integer;
  };
  const bool is_whole = covers(bytes_of(to)) && from.kind == Kind::Pointer && to.integer == 0 &&
                        from.integer == 0 && to.has_offset && from.has_offset;
  if (!is_whole) return forget_contents(to);
  note(to.object);
  const Object source = at(from.object);
  Object& target = at(to.object);
  target.numbers = source.numbers;
  target.is_zero = source.is_zero;
  target.is_known = source.is_known;
  target.least = source.least;
  target.most = source.most;
  target.drawn_length = source.drawn_length;
  if (target.type == nullptr) target.type = source.type;
}

void HostRun::forget(const Place& place) {
  if (!place.is_valid()) return;
  note(place.object);
  Object& object = at(place.object);
  const bool is_scalar = object.kind == Object::Kind::Scalar;
  object.is_known = is_scalar && object.is_known;
  if (place.index != Place::kWhole && !is_scalar) return;
  if (object.kind == Object::Kind::Scalar) {
    object.value = {};
    object.value.has_offset = false;
    object.value.type = object.type;
  } else if (object.kind == Object::Kind::Struct) {
    if (const cuda::Struct* of = find_struct(object.type))
      for (const cuda::StructField& field : of->fields) (void)member_object(place.object, field.name);
    const auto members = at(place.object).members;
    for (const auto& [unused, member] : members)
      if (member != place.object && depth_ < 300 && ++steps_ < kAllSteps) {
        ++depth_;
        forget({member});
        --depth_;
      }
  } else if (object.kind == Object::Kind::Container) {
    object.bytes = {};
  }
}

void HostRun::forget_contents(const Value& value) {
  if (value.kind != Kind::Pointer && value.kind != Kind::Object) return;
  const Object::Kind kind = at(value.object).kind;
  const bool is_itself = value.kind == Kind::Object || value.type == nullptr;  // it may be made longer
  if (kind == Object::Kind::Container && is_itself) forget({value.object});
  if (kind == Object::Kind::Array || kind == Object::Kind::Container) {
    note(value.object);
    at(value.object).is_known = false;
    const auto elements = at(value.object).elements;
    steps_ += static_cast<std::int64_t>(elements.size());
    for (const auto& [unused, element] : elements)
      if (at(element).kind != Object::Kind::Array) forget({element});
  } else if (value.kind == Kind::Pointer) {
    forget({value.object});
  }
}

HostRun::Place HostRun::deref(const Value& pointer) {
  if (pointer.kind != Kind::Pointer) return {};
  Object& object = at(pointer.object);
  if (object.kind == Object::Kind::Opaque) return {};
  const Type* seen_as = pointer.type != nullptr ? pointer.type->pointee : nullptr;
  const bool is_whole =
      pointer.type == nullptr || (seen_as != nullptr && is_container(last_part(seen_as->name)));
  if (object.kind == Object::Kind::Container && is_whole && pointer.integer == 0)
    return {pointer.object};  // the container, not its first element
  const bool is_other = seen_as != nullptr && object.type != nullptr && seen_as->scalar &&
                        object.type->scalar && seen_as->scalar != object.type->scalar;
  if (object.kind != Object::Kind::Array && object.kind != Object::Kind::Container) {
    if (is_other) return {pointer.object, Place::kSomewhere};
    return pointer.integer == 0 && pointer.has_offset ? Place{pointer.object} : Place{};
  }
  if (is_other && sim::size_of(*seen_as->scalar) != sim::size_of(*object.type->scalar))
    return {pointer.object, Place::kSomewhere};
  if (object.type == nullptr && pointer.type != nullptr) object.type = pointer.type->pointee;
  const auto bytes = size_of(object.type);
  if (pointer.has_offset && pointer.integer == 0) return {pointer.object, 0};
  if (!bytes || !pointer.has_offset || pointer.integer < 0) return {pointer.object, Place::kSomewhere};
  return {pointer.object, pointer.integer / *bytes};
}

std::optional<Value> HostRun::member(const Value& object, std::string_view path) {
  if (object.kind != Kind::Object) return {};
  if (const auto map = tensor_maps_.find(object.object); map != tensor_maps_.end())
    if (const auto value = map->second.find(path); value != map->second.end()) return value->second;
  Place place{object.object};
  while (!path.empty()) {
    const bool is_index = path.front() == '[';
    const std::size_t end = path.find_first_of(".[", 1);
    std::string part(path.substr(1, end == std::string_view::npos ? end : end - 1));
    path = end == std::string_view::npos ? std::string_view() : path.substr(end);
    if (is_index) {
      const std::int64_t index = std::atoll(part.c_str());
      const Object& array = at(place.object);
      const bool is_number = array.type != nullptr && array.type->scalar && array.extents.empty();
      place = is_number ? Place{place.object, index} : Place{element_object(place.object, index)};
    } else {
      if (at(place.object).kind != Object::Kind::Struct) return {};
      place = {member_object(place.object, part)};
    }
  }
  return read(place);
}

std::string HostRun::name_of(const Value& function) const {
  if (function.kind != Kind::Function) return {};
  const Callable& callable = callables_[static_cast<std::size_t>(function.object)];
  std::string arguments;
  for (const TemplateValue& argument : callable.templates) {
    const bool is_said = argument.type != nullptr || (argument.value && argument.value->is_number());
    if (!is_said) return {};
    arguments += (arguments.empty() ? "" : ", ") +
                 (argument.type ? argument.type->text : number_text(*argument.value));
  }
  return callable.function->name + (arguments.empty() ? "" : "<" + arguments + ">");
}

Value HostRun::bytes_of(const Value& pointer) const {
  return pointer.kind == Kind::Pointer ? at(pointer.object).bytes : Value{};
}

std::optional<bool> HostRun::truth(const Value& value) const {
  if (value.is_number()) return value.real() != 0;
  if (value.kind == Kind::Pointer || value.kind == Kind::Function) return true;
  if (value.kind == Kind::Null) return false;
  return {};
}

// ---- names and types ----

HostRun::OwnParameters::OwnParameters(HostRun& run, const cuda::Struct& of, const Type* type)
    : run_(run), types_(run.frames_.back().types.size()), entries_(run.entries_.size()) {
  for (std::size_t i = 0; i < of.template_parameters.size() && i < type->arguments.size(); ++i) {
    const cuda::TemplateParameter& parameter = of.template_parameters[i];
    const Type* argument = type->arguments[i];
    if (argument == nullptr) continue;
    if (parameter.is_type) {
      run.frames_.back().types.emplace_back(parameter.name, argument);
    } else if (argument->name.find_first_not_of("0123456789") == std::string::npos) {
      const int object = run.make_object(run.types_.of(ScalarType::I32));
      run.at(object).value = run.integer(std::atoll(argument->name.c_str()));
      run.entries_.push_back({parameter.name, {object}});
    }
  }
}

HostRun::OwnParameters::~OwnParameters() {
  run_.frames_.back().types.resize(types_);
  run_.entries_.resize(entries_);
}

std::optional<HostRun::Place> HostRun::lookup(std::string_view name) {
  std::size_t begin = frames_.back().begin, end = entries_.size();
  for (int frame = static_cast<int>(frames_.size()) - 1; frame > 0;) {
    const Frame& of = frames_[static_cast<std::size_t>(frame)];
    for (std::size_t i = end; i-- > begin;)
      if (entries_[i].name == name) return entries_[i].place;
    if (of.self >= 0) {
      for (const auto& [known, member] : at(of.self).members)
        if (known == name) return Place{member};
      if (of.of != nullptr)
        for (const cuda::StructField& field : of.of->fields)
          if (field.name == name) return Place{member_object(of.self, field.name)};
    }
    end = of.outer_end;
    if (of.outer >= frame) break;  // the function around a lambda has ended
    frame = of.outer;
    if (frame > 0) begin = frames_[static_cast<std::size_t>(frame)].begin;
    if (end > entries_.size()) break;
  }
  if (frames_.size() == 1)
    for (std::size_t i = entries_.size(); i-- > 0;)
      if (entries_[i].name == name) return entries_[i].place;
  const auto global = globals_.find(name);
  return global == globals_.end() || ambiguous_.contains(name) ? std::nullopt : std::optional(global->second);
}

const cuda::Struct* HostRun::find_struct(const Type* type) const {
  if (type == nullptr || type->pointers > 0) return nullptr;
  const auto found = structs_.find(type->name);
  return found == structs_.end() ? nullptr : found->second;
}

const Type* HostRun::named_type(const std::string& name, std::vector<const Type*> arguments) {
  for (int frame = static_cast<int>(frames_.size()) - 1; frame >= 0;) {
    const Frame& of = frames_[static_cast<std::size_t>(frame)];
    for (std::size_t i = of.types.size(); i-- > 0;)
      if (of.types[i].first == name && arguments.empty()) return of.types[i].second;
    if (of.outer >= frame) break;
    frame = of.outer;
  }
  const auto alias = aliases_.find(name);
  if (alias != aliases_.end() && alias->second->type.name != name && depth_ < 300 &&
      alias->second->extents.empty() && alias->second->template_parameters.empty()) {
    ++depth_;
    const Type* type = resolve(alias->second->type);
    --depth_;
    return type;
  }
  return types_.of(name, std::move(arguments));
}

const Type* HostRun::resolve(const cuda::TypeName& name) {
  pace_.step();
  if (++steps_ > kAllSteps) return nullptr;
  if (name.measured) return eval(*name.measured).type;
  if (name.name.starts_with("auto") || name.is_function || name.scope) return nullptr;
  std::vector<const Type*> arguments;
  for (const TemplateValue& argument : template_values(name.arguments)) {
    const bool is_number = argument.value && argument.value->kind == Kind::Integer;
    arguments.push_back(is_number ? types_.of(std::to_string(argument.value->integer)) : argument.type);
  }
  const Type* type = named_type(name.name, std::move(arguments));
  for (int i = 0; i < name.pointers; ++i) type = types_.pointer_to(type);
  return type;
}

std::vector<TemplateValue> HostRun::template_values(const std::vector<cuda::TemplateArgument>& arguments) {
  std::vector<TemplateValue> values;
  for (const cuda::TemplateArgument& argument : arguments) {
    TemplateValue value;
    if (argument.type) value.type = resolve(*argument.type);
    const auto* name = argument.value ? as<cuda::NameExpr>(*argument.value) : nullptr;
    if (name != nullptr && !lookup(name->name)) {  // a lone name may be a type's
      const std::string plain = name->name.substr(0, name->name.find('*'));
      const Type* type = named_type(plain, {});
      if (!name->arguments.empty() && type != nullptr) {
        cuda::TypeName whole;
        whole.name = name->name;
        whole.arguments = name->arguments;
        type = resolve(whole);
      }
      const bool is_other = name->arguments.empty() && find_function(name->name, SIZE_MAX) == nullptr;
      const bool is_type = type != nullptr &&
                           (is_other || type->scalar || type->pointers > 0 || find_struct(type) != nullptr ||
                            vector_type(type) != nullptr || type->name != plain);
      if (is_type) value.type = type;
      for (std::size_t i = plain.size(); value.type != nullptr && i < name->name.size(); ++i)
        value.type = types_.pointer_to(value.type);
    }
    if (argument.value && value.type == nullptr) value.value = eval(*argument.value);
    values.push_back(std::move(value));
  }
  return values;
}

// Nothing where several fit, unless the values' types say which.
const Function* HostRun::find_function(const std::string& name, std::size_t arguments,
                                       const std::vector<Value>* values) {
  const auto takes = [&](const Function& function) {
    std::size_t least = 0;
    for (const cuda::Parameter& parameter : function.parameters) least += parameter.fallback ? 0 : 1;
    return arguments >= least && arguments <= function.parameters.size();
  };
  const Function *any = nullptr, *declared = nullptr;
  std::vector<const Function*> fitting;
  bool is_special = false;
  const auto [first, last] = functions_.equal_range(name);
  for (auto it = first; it != last; ++it) {
    const Function& function = *it->second;
    if (function.is_specialisation) {
      is_special |= function.kind != Function::Kind::Kernel;
      continue;
    }
    const bool fits = takes(function);
    if (fits && function.body) fitting.push_back(&function);
    if (fits) declared = &function;
    if (any == nullptr || function.body) any = &function;
  }
  if (arguments == SIZE_MAX) return any;
  if (fitting.size() > 1 && values != nullptr) {  // the one that takes them as they are
    std::vector<const Function*> exact;
    for (const Function* function : fitting) {
      bool is_exact = function->template_parameters.empty();
      for (std::size_t i = 0; i < values->size() && is_exact; ++i)
        is_exact = (*values)[i].type != nullptr && resolve(function->parameters[i].type) == (*values)[i].type;
      if (is_exact) exact.push_back(function);
    }
    if (exact.size() == 1) return exact.front();
  }
  if (fitting.size() > 1 || (is_special && !fitting.empty())) return nullptr;
  return fitting.empty() ? declared : fitting.front();
}

const Function* HostRun::find_method(const cuda::Struct& of, const std::string& name, std::size_t arguments,
                                     bool constructor) {
  const Function* found = nullptr;
  int fitting = 0;
  for (const Function& function : of.functions) {
    const bool is_named = constructor ? function.is_constructor : function.name == name;
    std::size_t least = 0;
    for (const cuda::Parameter& parameter : function.parameters) least += parameter.fallback ? 0 : 1;
    if (!is_named || !function.body || function.parameters.size() < arguments || least > arguments) continue;
    found = &function;
    ++fitting;
  }
  if (found != nullptr) return fitting == 1 ? found : nullptr;
  const std::string last(last_part(of.name));
  return find_function(of.name + "::" + (constructor ? last : name), arguments);
}

// Of a struct that a name stands for: `Traits::threads`, where Traits is Fixed<128>.
std::optional<Value> HostRun::static_member(const std::string& owner, std::string_view name) {
  const Type* type = named_type(owner, {});
  const cuda::Struct* of = find_struct(type);
  if (of == nullptr || special_.contains(type->name)) return {};
  if (const auto plain = lookup(type->name + "::" + std::string(name))) return read(*plain);
  const OwnParameters own(*this, *of, type);
  for (const cuda::StmtPtr& stmt : of->members)
    if (const auto* variables = stmt ? std::get_if<cuda::DeclStmt>(&stmt->node) : nullptr)
      for (const cuda::Declarator& member : variables->declarators)
        if (last_part(member.name) == name && member.initializer) return eval(*member.initializer);
  return {};
}

std::optional<HostRun::Callable> HostRun::method_of(const Value& object, const std::string& name,
                                                    std::size_t arguments) {
  if (object.kind != Kind::Object) return {};
  const cuda::Struct* of = find_struct(at(object.object).type);
  const Function* function = of ? find_method(*of, name, arguments) : nullptr;
  if (function == nullptr) return {};
  Callable callable;
  callable.function = function;
  callable.self = object.object;
  callable.of = of;
  return callable;
}

Value HostRun::function_value(const cuda::NameExpr& name) {
  const Function* function = find_function(name.name, SIZE_MAX);
  if (function == nullptr) return {};
  Callable callable;
  callable.function = function;
  callable.templates = template_values(name.arguments);
  return callable_value(std::move(callable));
}

Value HostRun::callable_value(Callable callable) {
  constexpr std::size_t kMostCallables = 50'000;
  Value value;
  if (callables_.size() >= kMostCallables) return value;
  callables_.push_back(std::move(callable));
  value.kind = Kind::Function;
  value.object = static_cast<int>(callables_.size()) - 1;
  return value;
}

// ---- expressions ----

Value HostRun::eval(const Expr& expr) {
  pace_.step();
  ++steps_;
  if (depth_ > 800) return {};
  ++depth_;
  const Value value = eval_node(expr);
  --depth_;
  return value;
}

Value HostRun::eval_node(const Expr& expr) {
  if (const auto* name = as<cuda::NameExpr>(expr)) {
    if (const auto found = lookup(name->name)) return read(*found);
    if (name->name == "this" && frames_.back().self >= 0) return pointer(frames_.back().self, 0, nullptr);
    if (name->name == "cudaSuccess" || name->name == "CUDA_SUCCESS") return integer(0);
    if (name->name == "RAND_MAX") return integer(kMostDrawn);
    if (const std::size_t colons = name->name.rfind("::"); colons != std::string::npos)
      if (const auto value = static_member(name->name.substr(0, colons), name->name.substr(colons + 2)))
        return *value;
    Value value = function_value(*name);
    if (value.kind == Kind::Unknown) {  // of a header that is not here, say: one value wherever it stands
      const auto [known, is_new] = undeclared_.emplace(name->name, -1);
      if (is_new) known->second = formulas_.variable(value);
      value.formula = known->second;
    }
    return value;
  }
  if (const auto* literal = as<cuda::IntegerLiteral>(expr)) {
    const bool is_wide =
        literal->longs > 0 || literal->value > (literal->is_unsigned ? UINT32_MAX : INT32_MAX);
    const ScalarType type = literal->is_unsigned ? (is_wide ? ScalarType::U64 : ScalarType::U32)
                                                 : (is_wide ? ScalarType::I64 : ScalarType::I32);
    return integer(static_cast<std::int64_t>(literal->value), type);
  }
  if (const auto* node = as<cuda::BinaryExpr>(expr)) return binary(*node);
  if (const auto* node = as<cuda::IndexExpr>(expr)) {
    const auto* list = as<cuda::InitListExpr>(*node->base);  // of `for (int n : {1, 2})`
    if (list == nullptr) return read(place(expr));
    const Value index = eval(*node->index);
    const auto i = static_cast<std::size_t>(index.integer);
    return index.kind == Kind::Integer && i < list->elements.size() ? eval(*list->elements[i]) : Value{};
  }
  if (const auto* node = as<cuda::AssignExpr>(expr)) return assign(*node);
  if (const auto* node = as<cuda::UnaryExpr>(expr)) return unary(*node);
  if (const auto* node = as<cuda::CallExpr>(expr)) return call_expr(expr, *node);
  if (as<cuda::MemberExpr>(expr)) {
    const Place found = place(expr);
    return found.is_valid() ? read(found) : Value{};
  }
  if (const auto* node = as<cuda::CastExpr>(expr)) {
    const Type* type = resolve(node->type);
    if (type != nullptr && !type->scalar && type->pointers == 0 && node->kind == cuda::CastKind::Functional) {
      const Value operand = eval(*node->operand);
      const int object = make_object(type);
      if (const cuda::Struct* of = find_struct(type);
          of != nullptr && find_method(*of, of->name, 1, true) != nullptr && operand.type != type) {
        Callable callable;
        callable.function = find_method(*of, of->name, 1, true);
        callable.self = object;
        callable.of = of;
        std::vector<cuda::ExprPtr> arguments;
        arguments.emplace_back(const_cast<Expr*>(node->operand.get()));
        (void)call(callable, arguments);
        (void)arguments.front().release();
        return read({object});
      }
      if (at(object).kind == Object::Kind::Container && operand.kind != Kind::Object) {
        if (operand.kind == Kind::Pointer)
          at(object).value = operand;
        else
          at(object).bytes = sized(operand, at(object).type);
        return read({object});
      }
      write({object}, operand);
      return read({object});
    }
    return cast(eval(*node->operand), type);
  }
  if (const auto* literal = as<cuda::FloatLiteral>(expr)) {
    Value value;
    value.kind = Kind::Floating;
    value.floating = literal->value;
    value.type = types_.of(literal->is_float ? ScalarType::F32 : ScalarType::F64);
    return value;
  }
  if (const auto* literal = as<cuda::BoolLiteral>(expr)) return integer(literal->value, ScalarType::Bool);
  if (const auto* literal = as<cuda::CharLiteral>(expr))
    return integer(static_cast<std::int64_t>(literal->value), ScalarType::I8);
  if (as<cuda::NullLiteral>(expr)) {
    Value value;
    value.kind = Kind::Null;
    return value;
  }
  if (const auto* node = as<cuda::ConditionalExpr>(expr)) {
    const auto holds = truth(eval(*node->condition));
    if (holds) return eval(*holds ? *node->then_value : *node->else_value);
    Value values[2];
    (void)either({[&] {
                    values[0] = eval(*node->then_value);
                    return Flow::Next;
                  },
                  [&] {
                    values[1] = eval(*node->else_value);
                    return Flow::Next;
                  }});
    const bool is_same =
        values[0].is_number() && values[1].is_number() && values[0].real() == values[1].real();
    if (is_same) return values[0];
    for (const Value& way : values)
      if (way.kind == Kind::Pointer) {
        at(way.object).is_shared |= at(way.object).kind == Object::Kind::Scalar;
        forget_contents(way);
      }
    Value value;
    value.type = values[0].type;
    value.has_offset = false;
    return value;
  }
  if (const auto* node = as<cuda::SizeofExpr>(expr)) {
    if (node->of == cuda::SizeofExpr::Of::Alignment) return {};
    if (node->of == cuda::SizeofExpr::Of::Extent && node->operand) {
      if (const auto* list = as<cuda::InitListExpr>(*node->operand))
        return integer(static_cast<std::int64_t>(list->elements.size()));
      const Place array = place(*node->operand);
      if (!array.is_valid() || array.index != Place::kWhole) return {};
      const Object& object = at(array.object);
      std::int64_t bytes = size_of(object.type).value_or(0);
      for (const std::int64_t extent : object.extents) bytes *= extent;
      return object.bytes.kind == Kind::Integer && bytes > 0 ? integer(object.bytes.integer / bytes)
                                                             : Value{};
    }
    std::optional<std::int64_t> bytes;
    if (node->type) {
      bytes = size_of(resolve(*node->type));
    } else if (node->operand) {
      if (const Place of = place(*node->operand); of.is_valid() && of.index == Place::kWhole &&
                                                  at(of.object).kind == Object::Kind::Array &&
                                                  at(of.object).bytes.kind == Kind::Integer)
        bytes = at(of.object).bytes.integer;
      else
        bytes = size_of(eval(*node->operand).type);
    }
    return bytes ? integer(*bytes, ScalarType::U64) : Value{};
  }
  if (const auto* node = as<cuda::ConstructExpr>(expr))
    return construct(resolve(node->type), node->arguments);
  if (const auto* node = as<cuda::InitListExpr>(expr)) {
    for (const cuda::ExprPtr& element : node->elements) (void)eval(*element);
    return {};
  }
  if (const auto* node = as<cuda::LambdaExpr>(expr)) {
    Callable callable;
    callable.function = node->function.get();
    callable.outer = static_cast<int>(frames_.size()) - 1;
    callable.outer_end = entries_.size();
    callable.self = frames_.back().self;
    callable.of = frames_.back().of;
    const auto capture = [&](std::string_view name) {
      const auto found = lookup(name);
      const auto global = globals_.find(name);
      const bool is_local = found && (global == globals_.end() || global->second.object != found->object);
      if (!is_local || found->index != Place::kWhole || at(found->object).kind == Object::Kind::Array) return;
      const Value now = read(*found);
      const int copy = make_object(now.type);
      at(copy).value = now;
      if (now.kind == Kind::Object) write({copy}, now);
      callable.captured.push_back({name, {copy}});
    };
    for (const std::string& name : node->names)
      if (node->captures_all == '=') capture(name);
    for (const cuda::LambdaCapture& captured : node->captures)
      if (!captured.by_reference && !captured.initializer) capture(captured.name);
    return callable_value(std::move(callable));
  }
  return {};
}

HostRun::Place HostRun::place(const Expr& expr) {
  if (depth_ > 800) return {};
  ++depth_;
  struct Depth {
    int& depth;
    ~Depth() { --depth; }
  } deeper{depth_};
  if (const auto* name = as<cuda::NameExpr>(expr)) return lookup(name->name).value_or(Place{});
  if (const auto* node = as<cuda::MemberExpr>(expr)) {
    if (node->member == cuda::kPart) return {};
    Place base = node->arrow ? deref(eval(*node->base)) : place(*node->base);
    if (!base.is_valid() && !node->arrow) {
      const Value value = eval(*node->base);
      if (value.kind == Kind::Object) base = {value.object};
    }
    if (!base.is_valid()) return {};
    if (base.index >= 0) base = {element_object(base.object, base.index)};
    if (base.index != Place::kWhole) return {};
    const Object::Kind kind = at(base.object).kind;
    if (kind == Object::Kind::Array || kind == Object::Kind::Container) return {};
    if (kind == Object::Kind::Scalar && at(base.object).type != nullptr && at(base.object).type->scalar)
      return {};
    return {member_object(base.object, node->member)};
  }
  if (const auto* node = as<cuda::IndexExpr>(expr)) {
    const Value index = eval(*node->index);
    Value base = eval(*node->base);
    if (base.kind == Kind::Object && at(base.object).kind == Object::Kind::Container) {
      if (at(base.object).value.kind == Kind::Pointer)
        base = at(base.object).value;
      else
        base = pointer(base.object, 0, types_.pointer_to(at(base.object).type));
    }
    if (base.kind != Kind::Pointer) return {};
    Object& object = at(base.object);
    if (object.type == nullptr && base.type != nullptr) object.type = base.type->pointee;
    Place first = deref(base);
    if (!first.is_valid()) return {};
    if (first.index == Place::kWhole)
      return index.kind == Kind::Integer && index.integer == 0 ? first : Place{};
    std::int64_t sum = 0;
    const bool is_known = first.index >= 0 && index.kind == Kind::Integer &&
                          !__builtin_add_overflow(first.index, index.integer, &sum) && sum >= 0;
    if (!is_known) return {first.object, Place::kSomewhere};
    first.index = sum;
    const Object& of = at(first.object);
    const bool is_number = of.type != nullptr && of.type->scalar && of.extents.empty();
    if (is_number || of.type == nullptr) return first;
    return first.index < 4096 ? Place{element_object(first.object, first.index)} : Place{};
  }
  if (const auto* node = as<cuda::UnaryExpr>(expr)) {
    if (node->op == UnaryOp::Dereference) return deref(eval(*node->operand));
    if (node->op == UnaryOp::PreIncrement || node->op == UnaryOp::PreDecrement) {
      (void)unary(*node);
      return place(*node->operand);
    }
  }
  if (const auto* node = as<cuda::AssignExpr>(expr)) {
    (void)assign(*node);
    return place(*node->target);
  }
  if (const auto* node = as<cuda::ConditionalExpr>(expr)) {
    const auto holds = truth(eval(*node->condition));
    if (holds) return place(*holds ? *node->then_value : *node->else_value);
    for (const auto* way : {&node->then_value, &node->else_value})
      if (const Place of = place(**way); of.is_valid()) {
        at(of.object).is_shared = true;
        forget(of);
      }
  }
  return {};
}

Value HostRun::cast(const Value& value, const Type* type) {
  if (type == nullptr) return value;
  if (type->pointers > 0) {
    Value out = value;
    if (value.kind == Kind::Integer && value.integer == 0) out = Value{}, out.kind = Kind::Null;
    if (value.kind == Kind::Object && at(value.object).kind == Object::Kind::Container)
      out = pointer(value.object, 0, type);
    if (out.kind == Kind::Pointer && at(out.object).kind == Object::Kind::Array &&
        at(out.object).type == nullptr && type->pointee != nullptr && type->pointee->text != "void")
      at(out.object).type = type->pointee;
    out.type = type;
    return out;
  }
  if (!type->scalar || value.kind == Kind::Pointer || value.kind == Kind::Object ||
      value.kind == Kind::Function)
    return value;
  Value out = converted(value.kind == Kind::Null ? integer(0) : value, *type->scalar, types_);
  out.type = type;
  if (value.is_drawn() && !sim::is_floating(*type->scalar)) out.least = value.least, out.most = value.most;
  if (value.formula < 0) return out;
  const bool to_real = sim::is_floating(*type->scalar);
  const bool from_real = value.type != nullptr && value.type->scalar && sim::is_floating(*value.type->scalar);
  // `(int)n` of a size_t is a size that fits; a char or a bool is not.
  const bool narrows = value.type != nullptr && value.type->scalar && sim::size_of(*type->scalar) < 4 &&
                       type->scalar != value.type->scalar;
  const bool is_same = value.is_number() ? out.integer == value.integer : !narrows;
  if (to_real == from_real)
    out.formula = to_real || is_same ? value.formula : -1;
  else if (quiet_ == 0)
    out.formula =
        formulas_.call(to_real ? "(" + std::string(sim::name_of(*type->scalar)) + ")" : "(int)", {value});
  return out;
}

Value HostRun::combined(BinaryOp op, const Value& left, const Value& right) {
  const bool pointers = left.kind == Kind::Pointer || right.kind == Kind::Pointer ||
                        left.kind == Kind::Null || right.kind == Kind::Null;
  if (pointers) {
    const bool l = left.kind == Kind::Pointer, r = right.kind == Kind::Pointer;
    if (op == BinaryOp::Eq || op == BinaryOp::Ne) {
      const auto is_null = [](const Value& v) {
        return v.kind == Kind::Null || (v.kind == Kind::Integer && v.integer == 0);
      };
      if (is_null(left) && is_null(right)) return integer(op == BinaryOp::Eq, ScalarType::Bool);
      if ((l && is_null(right)) || (r && is_null(left))) return integer(op == BinaryOp::Ne, ScalarType::Bool);
      return {};
    }
    if (l == r || (op != BinaryOp::Add && op != BinaryOp::Sub)) return {};
    Value out = l ? left : right;
    const Value& by = l ? right : left;
    const auto bytes = size_of(out.type != nullptr ? out.type->pointee : nullptr);
    out.has_offset &= bytes.has_value() && by.kind == Kind::Integer;
    std::int64_t distance = 0;
    out.has_offset = out.has_offset && !__builtin_mul_overflow(by.integer, *bytes, &distance) &&
                     !(op == BinaryOp::Add ? __builtin_add_overflow(out.integer, distance, &out.integer)
                                           : __builtin_sub_overflow(out.integer, distance, &out.integer));
    return out;
  }
  Value out = apply(op, left, right, types_);
  if (left.is_drawn() && right.kind == Kind::Integer) stay_drawn(op, left, right.integer, &out);
  if (right.is_drawn() && left.kind == Kind::Integer && op == BinaryOp::Add)
    stay_drawn(op, right, left.integer, &out);
  const bool is_arithmetic = op <= BinaryOp::Shr || op == BinaryOp::BitAnd || op == BinaryOp::BitOr;
  if (is_arithmetic && quiet_ == 0) out.formula = formulas_.binary(op, left, right);
  return out;
}

Value HostRun::binary(const cuda::BinaryExpr& node) {
  const Value left = eval(*node.left);
  if (node.op == BinaryOp::And || node.op == BinaryOp::Or) {
    const auto first = truth(left);
    const bool decides = node.op == BinaryOp::Or;
    if (first == decides) return integer(decides, ScalarType::Bool);
    std::optional<bool> second;
    const auto right = [&] {
      second = truth(eval(*node.right));
      return Flow::Next;
    };
    if (first)
      right();
    else
      (void)either({right, [] { return Flow::Next; }});
    if (second == decides) return integer(decides, ScalarType::Bool);
    return first && second ? integer(*second, ScalarType::Bool) : Value{};
  }
  const Value right = eval(*node.right);
  if (node.op == BinaryOp::Comma) return right;
  if (node.op == BinaryOp::Shr && (left.type == nullptr || !left.type->scalar)) {
    forget(place(*node.right));  // a stream
    return {};
  }
  return combined(node.op, left, right);
}

Value HostRun::unary(const cuda::UnaryExpr& node) {
  if (node.op == UnaryOp::AddressOf) {
    if (const auto* element = as<cuda::IndexExpr>(*node.operand)) {
      const Value base = eval(*element->base);
      const bool is_flat = base.kind == Kind::Pointer && at(base.object).extents.empty();
      if (is_flat) return combined(BinaryOp::Add, base, eval(*element->index));
    }
    Place of = place(*node.operand);
    if (!of.is_valid()) {
      const auto* name = as<cuda::NameExpr>(*node.operand);
      return name != nullptr ? function_value(*name) : Value{};
    }
    const Object& object = at(of.object);
    if (of.index == Place::kWhole) {
      const bool is_container = object.kind == Object::Kind::Container;
      return pointer(of.object, 0, is_container ? nullptr : types_.pointer_to(object.type));
    }
    Value out = pointer(of.object, 0, types_.pointer_to(object.type));
    const auto bytes = size_of(object.type);
    out.has_offset =
        of.index >= 0 && bytes.has_value() && !__builtin_mul_overflow(of.index, *bytes, &out.integer);
    return out;
  }
  if (node.op == UnaryOp::Dereference) return read(deref(eval(*node.operand)));
  const bool counts = node.op >= UnaryOp::PreIncrement;
  if (counts) {
    const Place of = place(*node.operand);
    const Value before = of.is_valid() ? read(of) : Value{};
    const bool adds = node.op == UnaryOp::PreIncrement || node.op == UnaryOp::PostIncrement;
    Value after = combined(adds ? BinaryOp::Add : BinaryOp::Sub, before, integer(1));
    after.formula = -1;
    write(of, after);
    if (!of.is_valid()) lose(*node.operand);
    return node.op == UnaryOp::PreIncrement || node.op == UnaryOp::PreDecrement ? read(of) : before;
  }
  const Value value = eval(*node.operand);
  if (node.op == UnaryOp::Not) {
    const auto holds = truth(value);
    return holds ? integer(!*holds, ScalarType::Bool) : Value{};
  }
  if (node.op == UnaryOp::Minus) {
    if (value.kind == Kind::Floating) {
      Value out = value;
      out.floating = -value.floating;
      out.formula = -1;
      return out;
    }
    return combined(BinaryOp::Sub, integer(0), value);
  }
  if (node.op == UnaryOp::BitNot) return combined(BinaryOp::BitXor, value, integer(-1));
  return value;
}

Value HostRun::assign(const cuda::AssignExpr& node) {
  if (as<cuda::InitListExpr>(*node.value)) {
    const Place of = place(*node.target);
    if (of.is_valid() && of.index == Place::kWhole) initialise(of.object, *node.value);
    return {};
  }
  Value value = eval(*node.value);
  const Place of = place(*node.target);
  if (!of.is_valid()) {
    lose(*node.target);
    return value;
  }
  if (node.op) value = combined(*node.op, read(of), value);
  write(of, value);
  return read(of);
}

Value HostRun::sized(const Value& count, const Type* element) {
  const auto bytes = size_of(element);
  return bytes ? combined(BinaryOp::Mul, cast(count, types_.of(ScalarType::U64)),
                          integer(*bytes, ScalarType::U64))
               : Value{};
}

Value HostRun::construct(const Type* type, const std::vector<cuda::ExprPtr>& arguments) {
  const int object = make_object(type);
  const Object::Kind kind = at(object).kind;
  if (kind == Object::Kind::Struct) {
    const cuda::Struct* of = find_struct(type);
    const Function* constructor = of ? find_method(*of, of->name, arguments.size(), true) : nullptr;
    if (constructor != nullptr) {
      Callable callable;
      callable.function = constructor;
      callable.self = object;
      callable.of = of;
      (void)call(callable, arguments);
      return read({object});
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string name =
          of ? (i < of->fields.size() ? of->fields[i].name : "") : std::string(1, "xyzw"[i % 4]);
      if (!name.empty()) initialise(member_object(object, name), *arguments[i]);
    }
    return read({object});
  }
  if (kind == Object::Kind::Container && !arguments.empty()) {
    const Value first = eval(*arguments.front());
    if (first.is_number() || first.formula >= 0) {
      at(object).bytes = sized(first, at(object).type);
      fill_whole(object, arguments.size() > 1 ? eval(*arguments[1]) : integer(0));
    } else if (first.kind == Kind::Pointer) {  // vector(begin, end)
      const Value end = arguments.size() > 1 ? eval(*arguments[1]) : Value{};
      const bool is_range =
          end.kind == Kind::Pointer && end.object == first.object && end.has_offset && first.has_offset;
      at(object).bytes = is_range ? integer(end.integer - first.integer, ScalarType::U64) : Value{};
      copy_contents(pointer(object, 0, nullptr), first, at(object).bytes);
    } else {
      at(object).bytes = {};
    }
    return read({object});
  }
  if (type != nullptr && last_part(type->name) == "uniform_int_distribution" && arguments.size() == 2) {
    const Value least = eval(*arguments[0]), most = eval(*arguments[1]);
    Value drawn;
    if (least.kind == Kind::Integer && most.kind == Kind::Integer)
      drawn.least = least.integer, drawn.most = most.integer;
    drawn.type = types_.of(ScalarType::I32);
    return drawn;
  }
  if (arguments.size() == 1) {
    const Value value = eval(*arguments.front());
    if (kind == Object::Kind::Scalar) {
      if (type != nullptr && !type->scalar && type->pointers == 0) hand_over(value);  // std::thread t(f, &x)
      return cast(value, type);
    }
    write({object}, value);
    return read({object});
  }
  for (const cuda::ExprPtr& argument : arguments) hand_over(eval(*argument));
  if (arguments.empty() && type != nullptr && type->scalar) return cast(integer(0), type);
  return kind == Object::Kind::Scalar ? Value{} : read({object});
}

void HostRun::initialise(int object, const Expr& initializer) {
  const auto* list = as<cuda::InitListExpr>(initializer);
  if (const auto* text = as<cuda::StringLiteral>(initializer);
      text && at(object).kind == Object::Kind::Array) {
    steps_ += static_cast<std::int64_t>(text->value.size());
    for (std::size_t i = 0; i <= text->value.size() && i < 4096; ++i)
      write({object, static_cast<std::int64_t>(i)}, integer(i < text->value.size() ? text->value[i] : 0));
    if (at(object).bytes.kind != Kind::Integer)
      at(object).bytes = integer(static_cast<std::int64_t>(text->value.size()) + 1, ScalarType::U64);
    return;
  }
  if (list == nullptr) return write({object}, eval(initializer));
  const Object::Kind kind = at(object).kind;
  if (kind == Object::Kind::Scalar) {
    if (list->elements.empty())
      write({object}, cast(integer(0), at(object).type));
    else
      write({object}, eval(*list->elements.front()));
    return;
  }
  if (kind == Object::Kind::Struct) {
    const cuda::Struct* of = find_struct(at(object).type);
    if (of != nullptr && !list->elements.empty() &&
        !std::get_if<cuda::DesignatedExpr>(&list->elements[0]->node) &&
        find_method(*of, of->name, list->elements.size(), true) != nullptr)
      return write({object}, construct(at(object).type, list->elements));
    for (std::size_t i = 0; i < list->elements.size(); ++i) {
      const auto* named = as<cuda::DesignatedExpr>(*list->elements[i]);
      const std::string name = named ? named->member
                               : of  ? (i < of->fields.size() ? of->fields[i].name : "")
                                     : std::string(1, "xyzw"[i % 4]);
      if (!name.empty()) initialise(member_object(object, name), named ? *named->value : *list->elements[i]);
    }
    return;
  }
  const bool is_number = at(object).type != nullptr && at(object).type->scalar && at(object).extents.empty();
  at(object).is_zero = true;
  for (std::size_t i = 0; i < list->elements.size() && i < kMostNumbers; ++i) {
    const auto index = static_cast<std::int64_t>(i);
    if (is_number)
      write({object, index}, eval(*list->elements[i]));
    else
      initialise(element_object(object, index), *list->elements[i]);
  }
  const bool has_length = kind == Object::Kind::Array && at(object).bytes.kind == Kind::Integer;
  if (!has_length)
    at(object).bytes = sized(integer(static_cast<std::int64_t>(list->elements.size())), at(object).type);
}

// ---- calls ----

Value HostRun::call_expr(const Expr& expr, const cuda::CallExpr& node) {
  if (!node.configuration.empty()) return launch(expr, node);
  if (const auto* member = as<cuda::MemberExpr>(*node.callee)) return method(node, *member);
  const auto* name = as<cuda::NameExpr>(*node.callee);
  if (name == nullptr) {
    const Value callee = eval(*node.callee);
    if (callee.kind == Kind::Function)
      return call(Callable(callables_[static_cast<std::size_t>(callee.object)]), node.arguments);
    return unknown_call(node);
  }
  if (const auto variable = lookup(name->name)) {
    const Value callee = read(*variable);
    if (callee.kind == Kind::Function)
      return call(Callable(callables_[static_cast<std::size_t>(callee.object)]), node.arguments);
    if (const auto of_object = method_of(callee, "operator()", node.arguments.size()))
      return call(*of_object, node.arguments);
    const Value drawn = callee;  // of a uniform_int_distribution
    const Value called = unknown_call(node);
    return drawn.is_drawn() ? drawn : called;
  }
  if (frames_.back().self >= 0 && frames_.back().of != nullptr)
    if (const Function* own = find_method(*frames_.back().of, name->name, node.arguments.size())) {
      Callable callable;
      callable.function = own;
      callable.self = frames_.back().self;
      callable.of = frames_.back().of;
      return call(callable, node.arguments);
    }
  const Function* function = find_function(name->name, node.arguments.size());
  if (function == nullptr && functions_.count(name->name) > 1) {
    std::vector<Value> values;
    for (const cuda::ExprPtr& argument : node.arguments) values.push_back(eval(*argument));
    function = find_function(name->name, node.arguments.size(), &values);
  }
  if (function != nullptr) {
    Callable callable;
    callable.function = function;
    callable.templates = template_values(name->arguments);
    return call(callable, node.arguments);
  }
  if (name->name.starts_with("cudaLaunch") || name->name.starts_with("cuLaunch"))
    return launch_call(expr, node, name->name);
  if (const auto known = known_call(std::string(last_part(name->name)), *name, node)) return *known;
  return unknown_call(node);
}

// To what may change what a pointer leads to, and call a function.
void HostRun::hand_over(const Value& value) {
  forget_contents(value);
  if (value.kind != Kind::Function) return;
  const Function& called = *callables_[static_cast<std::size_t>(value.object)].function;
  if (called.body && called.kind != Function::Kind::Kernel) forget_effects(effects_of(*called.body));
}

// It may change what it is given the address of, and what its pointers lead to.
Value HostRun::unknown_call(const cuda::CallExpr& node) {
  const auto* name = as<cuda::NameExpr>(*node.callee);
  const bool reads = name != nullptr && only_reads(last_part(name->name));
  for (const cuda::ExprPtr& argument : node.arguments) {
    const Value value = eval(*argument);
    if (!reads) hand_over(value);
  }
  static const std::set<std::string_view> kChanging{"getline", "tie", "ref", "from_chars", "exchange"};
  if (name != nullptr && kChanging.contains(last_part(name->name)))
    for (const cuda::ExprPtr& argument : node.arguments) forget(place(*argument));
  if (name != nullptr && name->name.starts_with("cuda") && name->name.find("String") == std::string::npos &&
      name->name.find("Name") == std::string::npos)
    return integer(0);  // cudaSuccess
  if (name != nullptr && name->name.starts_with("cu") && name->name.size() > 2 && std::isupper(name->name[2]))
    return integer(0);
  return {};
}

std::optional<Value> HostRun::known_call(const std::string& name, const cuda::NameExpr& callee,
                                         const cuda::CallExpr& node) {
  const auto& arguments = node.arguments;
  const std::size_t count = arguments.size();
  const auto value = [&](std::size_t i) { return i < count ? eval(*arguments[i]) : Value{}; };
  const auto u64 = types_.of(ScalarType::U64);
  static const std::set<std::string_view> kAllocate{"cudaMalloc",    "cudaMallocManaged", "cudaMallocHost",
                                                    "cudaHostAlloc", "cudaMallocAsync",   "cuMemAlloc"};
  if (kAllocate.contains(name) && count >= 2) {
    const Place target = deref(value(0));
    const Value bytes = cast(value(1), u64);
    const Type* type = target.is_valid() && target.index == Place::kWhole ? at(target.object).type : nullptr;
    const Type* element = type != nullptr ? type->pointee : nullptr;
    if (element != nullptr && element->text == "void") element = nullptr;
    if (target.is_valid()) write(target, pointer(make_allocation(element, bytes, false), 0, type));
    return integer(0);
  }
  if (name == "cudaMallocPitch" && count >= 4) {
    const Place target = deref(value(0)), pitch = deref(value(1));
    const Value width = value(2), height = value(3);
    const auto padded = (static_cast<std::uint64_t>(width.integer) + 511) / 512 * 512;
    const Value rows =
        width.kind == Kind::Integer ? integer(static_cast<std::int64_t>(padded), ScalarType::U64) : Value{};
    write(pitch, rows);
    const Type* type = target.is_valid() && target.index == Place::kWhole ? at(target.object).type : nullptr;
    const Value bytes = combined(BinaryOp::Mul, pitch.is_valid() ? read(pitch) : rows, cast(height, u64));
    if (target.is_valid())
      write(target, pointer(make_allocation(type ? type->pointee : nullptr, bytes, false), 0, type));
    return integer(0);
  }
  if (name == "malloc" && count == 1)
    return pointer(make_allocation(nullptr, cast(value(0), u64), false), 0, nullptr);
  if ((name == "aligned_alloc" || name == "_mm_malloc") && count == 2)
    return pointer(make_allocation(nullptr, cast(value(name == "aligned_alloc" ? 1 : 0), u64), false), 0,
                   nullptr);
  if (name == "calloc" && count == 2) {
    const Value number = cast(value(0), u64), size = cast(value(1), u64);
    return pointer(make_allocation(nullptr, combined(BinaryOp::Mul, number, size), true), 0, nullptr);
  }
  if (name == "new" && !callee.arguments.empty() && callee.arguments[0].type) {
    const Type* element = resolve(*callee.arguments[0].type);
    if (count == 0) return pointer(make_object(element), 0, types_.pointer_to(element));
    return pointer(make_allocation(element, sized(value(0), element), false), 0, types_.pointer_to(element));
  }
  if (name == "new one" && count == 1) {
    const Value made = value(0);
    const Type* type = made.type;
    const int object = made.kind == Kind::Object ? made.object : make_object(type);
    if (made.kind != Kind::Object) write({object}, made);
    return pointer(object, 0, types_.pointer_to(type));
  }
  if ((name == "cudaMemcpy" || name == "cudaMemcpyAsync" || name == "memcpy") && count >= 3) {
    const Value to = value(0), from = value(1);
    copy_contents(to, from, value(2));
    return integer(0);
  }
  if ((name == "cudaMemset" || name == "cudaMemsetAsync" || name == "memset") && count >= 3) {
    const Value to = value(0), filled = value(1), bytes = value(2), all = bytes_of(to);
    forget_contents(to);
    const bool is_whole =
        bytes.kind == Kind::Integer && all.kind == Kind::Integer && bytes.integer >= all.integer;
    const Type* element = to.kind == Kind::Pointer ? at(to.object).type : nullptr;
    if (is_whole && to.integer == 0 && filled.kind == Kind::Integer &&
        (filled.integer == 0 || element != nullptr)) {
      const std::int64_t every = (filled.integer & 0xff) * 0x0101010101010101;
      fill_whole(to.object, filled.integer == 0 || !element->scalar
                                ? filled
                                : converted(integer(every, ScalarType::I64), *element->scalar, types_));
    }
    return integer(0);
  }
  if (name == "cudaMemcpyToSymbol" && count >= 3) {
    const Value to = value(0), from = value(1);
    if (const auto* symbol = as<cuda::NameExpr>(*arguments[0]))
      if (const Place of = place(*arguments[0]); of.is_valid())
        symbols_[symbol->name] = pointer(of.object, 0, nullptr);
    if (to.kind == Kind::Pointer) {
      copy_contents(to, from, value(2));
    } else if (const Place target = place(*arguments[0]); target.is_valid()) {
      write(target, from.kind == Kind::Pointer ? read(deref(from)) : Value{});
    }
    return integer(0);
  }
  if (name == "cudaGetDevice" && count == 1) {
    write(deref(value(0)), integer(0));
    return integer(0);
  }
  if (name.starts_with("getopt") && !has_arguments_) return integer(-1);
  if (name == "cudaHostGetDevicePointer" && count >= 2) {
    const Place target = deref(value(0));
    write(target, value(1));
    return integer(0);
  }
  if (name.starts_with("cuTensorMapEncodeTiled") && count >= 10) {
    const Value map = value(0);
    if (map.kind == Kind::Pointer) {
      auto& of = tensor_maps_[map.object];
      const auto put = [&](std::size_t argument, std::vector<const char*> names) {
        const Value list = value(argument);
        for (std::size_t i = 0; i < names.size() && list.kind == Kind::Pointer; ++i)
          of[names[i]] = read({list.object, static_cast<std::int64_t>(i)});
      };
      put(4, {".width", ".height", ".depth"});
      put(5, {".pitch", ".slice"});
      put(6, {".box_width", ".box_height", ".box_depth"});
      if (const auto* swizzle = as<cuda::NameExpr>(*arguments[9])) {
        const std::string kind(last_part(swizzle->name));
        if (kind.ends_with("SWIZZLE_NONE")) of[".swizzle"] = integer(0);
        for (const int bytes : {32, 64, 128})
          if (kind.ends_with("SWIZZLE_" + std::to_string(bytes) + "B")) of[".swizzle"] = integer(bytes);
      }
    }
    return integer(0);
  }
  if ((name == "min" || name == "max" || name == "fmin" || name == "fmax") && count == 2) {
    const Value a = value(0), b = value(1);
    Value out;
    if (a.is_number() && b.is_number()) {
      const bool first = name.ends_with("min") ? a.real() <= b.real() : a.real() >= b.real();
      out = first ? a : b;
    } else {
      out.type = a.type;
    }
    out.formula = quiet_ == 0 ? formulas_.call(name.ends_with("min") ? "min" : "max", {a, b}) : -1;
    return out;
  }
  if (count == 1 && apply_function(name, 1)) {
    const Value x = value(0);
    Value out;
    out.type = types_.of(x.type && x.type->scalar == ScalarType::F32 ? ScalarType::F32 : ScalarType::F64);
    if (x.is_number()) {
      out.kind = Kind::Floating;
      out.floating = *apply_function(name, x.real());
    }
    const std::string plain = name.ends_with('f') && name != "f" ? name.substr(0, name.size() - 1) : name;
    out.formula = quiet_ == 0 ? formulas_.call(plain, {x}) : -1;
    return out;
  }
  if (name == "abs" && count == 1) {
    Value x = value(0);
    if (x.kind == Kind::Integer && x.integer < 0) x = apply(BinaryOp::Sub, integer(0), x, types_);
    if (x.kind == Kind::Floating) x.floating = std::abs(x.floating);
    x.formula = -1;
    return x;
  }
  if ((name == "pow" || name == "powf") && count == 2) {
    const Value x = value(0), y = value(1);
    Value out;
    out.type = types_.of(ScalarType::F64);
    if (x.is_number() && y.is_number())
      out.kind = Kind::Floating, out.floating = std::pow(x.real(), y.real());
    return out;
  }
  if (name == "ceil_div" && count == 2) {
    const Value x = value(0), y = value(1);
    return combined(BinaryOp::Div, combined(BinaryOp::Sub, combined(BinaryOp::Add, x, y), integer(1)), y);
  }
  if ((name == "move" || name == "forward" || name == "ref" || name == "raw_pointer_cast" || name == "data" ||
       name == "get" || name == "as_const") &&
      count == 1) {
    const Value made = value(0);
    if (made.kind == Kind::Object && name == "move") {
      const int moved = make_object(made.type);
      write({moved}, made);
      forget({made.object});
      return read({moved});
    }
    if (made.kind == Kind::Object && (name == "data" || name == "raw_pointer_cast"))
      return cast(made, types_.pointer_to(at(made.object).type));
    return made;
  }
  if (name == "size" && count == 1) return container_method(value(0).object, "size", node);
  if (name == "swap" && count == 2) {
    const Place a = place(*arguments[0]), b = place(*arguments[1]);
    const Value of_a = read(a), of_b = read(b);
    if (of_a.kind == Kind::Object) {
      const int kept = make_object(of_a.type);
      write({kept}, of_a);
      write(a, of_b);
      write(b, read({kept}));
      return Value{};
    }
    write(a, of_b);
    write(b, of_a);
    return Value{};
  }
  if (name == "getenv") {
    Value out;
    out.kind = Kind::Null;
    return out;
  }
  if (name == "fill" && count == 3) {
    const Value from = value(0), until = value(1), filled = value(2), all = bytes_of(from);
    forget_contents(from);
    const bool is_whole = from.kind == Kind::Pointer && until.kind == Kind::Pointer && from.has_offset &&
                          until.has_offset && from.integer == 0 && all.kind == Kind::Integer &&
                          until.integer >= all.integer;
    if (is_whole && (at(from.object).type == nullptr || at(from.object).type->scalar))
      fill_whole(from.object, filled);
    return Value{};
  }
  if (name == "iota" && count == 3) {
    const Value from = value(0), until = value(1), first = value(2);
    const Place begin = deref(from);
    const Value bytes = bytes_of(from);
    if (begin.is_valid() && begin.index == 0 && first.kind == Kind::Integer && bytes.kind == Kind::Integer) {
      const std::int64_t length = bytes.integer / size_of(at(begin.object).type).value_or(1);
      for (std::int64_t i = 0; i < std::min<std::int64_t>(length, kMostNumbers); ++i)
        write({begin.object, i}, integer(first.integer + i, ScalarType::I64));
    }
    return until;
  }
  if (name.starts_with("make_") && count >= 1 && cuda::builtin_types().contains(name.substr(5)))
    return construct(types_.of(name.substr(5)), arguments);
  if (name == "atoi" || name == "stoi" || name == "strtol" || name == "atol" || name == "rand" ||
      name == "strlen") {
    for (const cuda::ExprPtr& argument : arguments) (void)eval(*argument);
    Value out;
    out.type = types_.of(name == "strlen" ? ScalarType::U64 : ScalarType::I32);
    if (name == "rand") out.most = kMostDrawn;
    out.formula = quiet_ == 0 ? formulas_.variable(out) : -1;
    return out;
  }
  return {};
}

Value HostRun::method(const cuda::CallExpr& node, const cuda::MemberExpr& callee) {
  Value base;
  if (callee.arrow) {
    const Place of = deref(eval(*callee.base));
    if (of.is_valid()) base = read(of.index >= 0 ? Place{element_object(of.object, of.index)} : of);
  } else {
    base = eval(*callee.base);
  }
  if (base.kind == Kind::Object) {
    if (at(base.object).kind == Object::Kind::Container)
      if (const auto known = container_method(base.object, callee.member, node)) return *known;
    if (auto callable = method_of(base, callee.member, node.arguments.size())) {
      callable->templates = template_values(callee.arguments);
      return call(*callable, node.arguments);
    }
    forget({base.object});
  }
  return unknown_call(node);
}

std::optional<Value> HostRun::container_method(int object, const std::string& name,
                                               const cuda::CallExpr& node) {
  if (object < 0) return Value{};
  const auto value = [&](std::size_t i) {
    return i < node.arguments.size() ? eval(*node.arguments[i]) : Value{};
  };
  const Type* element = at(object).type;
  const auto bytes = size_of(element);
  if (name == "data" || name == "begin" || name == "cbegin" || name == "get" || name == "end" ||
      name == "cend") {
    if (at(object).value.kind == Kind::Pointer) return at(object).value;
    Value out = pointer(object, 0, types_.pointer_to(element));
    if (name.ends_with("end")) {
      out.integer = at(object).bytes.integer;
      out.has_offset = at(object).bytes.kind == Kind::Integer;
    }
    return out;
  }
  if (name == "size" || name == "length") {
    const Value& all = at(object).bytes;
    if (!bytes) return Value{};
    Value out = apply(BinaryOp::Div, all, integer(*bytes, ScalarType::U64), types_);
    out.formula = formulas_.divided(all.formula, *bytes);
    if (out.type == nullptr) out.type = types_.of(ScalarType::U64);
    return out;
  }
  if (name == "empty") {
    const Value& all = at(object).bytes;
    return all.kind == Kind::Integer ? integer(all.integer == 0, ScalarType::Bool) : Value{};
  }
  if (name == "resize" || name == "assign") {
    const Value count = value(0), filled = node.arguments.size() > 1 ? value(1) : integer(0);
    note(object);
    const bool is_plain = count.is_number() || count.formula >= 0;
    const Value before = at(object).bytes;
    const bool is_new = name == "assign" || (before.kind == Kind::Integer && before.integer == 0);
    at(object).bytes = is_plain ? sized(count, element) : Value{};
    fill_whole(object, filled);
    at(object).is_known = is_new;
    return Value{};
  }
  if (name == "push_back" || name == "emplace_back") {
    const Value added = value(0);
    note(object);
    const Value all = at(object).bytes;
    if (all.kind != Kind::Integer || !bytes || *bytes == 0) return Value{};
    write({object, all.integer / *bytes}, added);
    at(object).bytes = apply(BinaryOp::Add, all, integer(*bytes, ScalarType::U64), types_);
    return Value{};
  }
  if (name == "at" || name == "back" || name == "front") {
    const Value index = name == "at" ? value(0) : integer(0);
    if (name == "back" || index.kind != Kind::Integer) return Value{};
    return read({object, index.integer});
  }
  if (name == "reserve" || name == "clear" || name == "c_str" || name == "shrink_to_fit") {
    if (name == "clear") {
      note(object);
      at(object).bytes = integer(0, ScalarType::U64);
      fill_whole(object, {});
    }
    return Value{};
  }
  return {};
}

// ---- launches ----

Value HostRun::launch(const Expr& expr, const cuda::CallExpr& node) {
  LaunchSeen seen;
  seen.range = expr.range;
  const Value kernel = eval(*node.callee);
  for (const cuda::ExprPtr& part : node.configuration) {
    if (as<cuda::InitListExpr>(*part)) {
      const int object = make_object(types_.of("dim3"));
      initialise(object, *part);
      seen.configuration.push_back(read({object}));
    } else {
      seen.configuration.push_back(eval(*part));
    }
  }
  for (const cuda::ExprPtr& argument : node.arguments) {
    seen.arguments.push_back(eval(*argument));
    seen.written.push_back(argument.get());
  }
  tell(kernel, std::move(seen));
  return {};
}

// cudaLaunchKernel((void*)kernel, grid, block, arguments, bytes, stream), also cooperative;
// cudaLaunchKernelEx(&config, kernel, a, b).
Value HostRun::launch_call(const Expr& expr, const cuda::CallExpr& node, std::string_view name) {
  LaunchSeen seen;
  seen.range = expr.range;
  std::vector<Value> values;
  for (const cuda::ExprPtr& argument : node.arguments) values.push_back(eval(*argument));
  if (name == "cudaLaunchKernelEx" && values.size() >= 2) {
    const Place config = deref(values[0]);
    if (config.is_valid() && at(config.object).kind == Object::Kind::Scalar) {
      for (const char* part : {"gridDim", "blockDim", "dynamicSmemBytes"})
        seen.configuration.push_back(read({member_object(config.object, part)}));
    }
    for (std::size_t i = 2; i < values.size(); ++i) {
      seen.arguments.push_back(values[i]);
      seen.written.push_back(node.arguments[i].get());
    }
    tell(values[1], std::move(seen));
  } else if (values.size() >= 4) {
    seen.configuration = {values[1], values[2]};
    if (values.size() > 4) seen.configuration.push_back(values[4]);
    const Value kernel = values[0];
    const std::size_t count =
        kernel.kind == Kind::Function
            ? callables_[static_cast<std::size_t>(kernel.object)].function->parameters.size()
            : 0;
    for (std::size_t i = 0; i < count && values[3].kind == Kind::Pointer; ++i) {
      Value address = read({values[3].object, static_cast<std::int64_t>(i)});
      const Place of = deref(address);
      seen.arguments.push_back(of.is_valid() ? read(of) : Value{});
      seen.written.push_back(nullptr);
    }
    tell(kernel, std::move(seen));
  }
  return integer(0);
}

void HostRun::tell(const Value& kernel, LaunchSeen seen) {
  constexpr std::size_t kFewest = 2;
  if (kernel.kind != Kind::Function || seen.configuration.size() < kFewest) return;
  const Callable& callable = callables_[static_cast<std::size_t>(kernel.object)];
  const Function* function = find_function(callable.function->name, seen.arguments.size(), &seen.arguments);
  seen.kernel = function != nullptr ? function : callable.function;
  if (seen.kernel->kind != Function::Kind::Kernel || gave_up_) return;
  seen.templates = callable.templates;
  seen.is_reached = !explores_;
  seen_offsets_.insert(seen.range.begin.offset);
  seen_(seen);
  // What the kernel takes as constant it leaves as it is.
  for (std::size_t i = 0; i < seen.arguments.size(); ++i) {
    const cuda::TypeName* type =
        i < seen.kernel->parameters.size() ? &seen.kernel->parameters[i].type : nullptr;
    if (type == nullptr || !type->is_const || type->pointers != 1) forget_contents(seen.arguments[i]);
  }
  for (auto symbol = symbols_.begin(); symbol != symbols_.end();)
    symbol = written_by_kernels_.contains(symbol->first) ? symbols_.erase(symbol) : std::next(symbol);
}

}  // namespace warplens::app::host
