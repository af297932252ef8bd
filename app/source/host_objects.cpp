// What variables, arrays and allocations of host code hold, and what its names and types stand for.
#include <algorithm>

#include "app/source/host_run.h"
#include "sim/base/numbers.h"
#include "sim/cuda/text/names.h"

namespace warplens::app::host {
namespace {

constexpr int kDeepestObject = 1'000;  // of structs and names in one another, within expressions and calls

bool is_base(std::string_view field) {
  return field.starts_with("#:");
}

bool takes(const Function& function, std::size_t arguments) {
  const auto& parameters = function.parameters;
  const bool is_open = !parameters.empty() && parameters.back().type.name == "...";
  const auto least =
      std::ranges::count_if(parameters, [](const cuda::Parameter& parameter) { return !parameter.fallback; });
  return std::cmp_greater_equal(arguments, least - is_open) && (is_open || arguments <= parameters.size());
}

bool copies(const Function& function) {
  return function.is_constructor && function.parameters.size() == 1 &&
         function.parameters[0].type.reference &&
         last_part(function.parameters[0].type.name) == last_part(function.name);
}

}  // namespace

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

// ---- objects ----

Value HostRun::integer(std::int64_t value, ScalarType type) {
  return {.kind = Kind::Integer, .type = types_.of(type), .integer = value};
}

// As far as these are known. What differs is not worked out, but for a struct and its base.
bool HostRun::may_be_seen_as(const Type* seen, const Type* type) const {
  const auto is_open = [&](const Type* of) {
    return of == nullptr || (!of->scalar && of->pointers == 0 && !vector_type(of) && !find_struct(of));
  };
  if (seen == type || is_open(seen) || is_open(type)) return true;
  if (is_number(seen) && is_number(type))
    return sim::size_of(*seen->scalar) == sim::size_of(*type->scalar) && is_real(seen) == is_real(type);
  return (seen->pointers > 0 && type->pointers > 0) || (find_struct(seen) && find_struct(type));
}

Value HostRun::in_whole(Value pointer) {
  while (pointer.kind == Kind::Pointer && at(pointer.object).within >= 0) {
    const int whole = at(pointer.object).within;
    const Object& of = at(whole);
    const auto part =
        std::ranges::find_if(of.parts, [&](const auto& one) { return one.second == pointer.object; });
    std::int64_t begin = size_of(of.type).value_or(-1);
    if (of.is_list()) {
      for (const std::int64_t extent : of.extents) begin *= extent;
      if (part != of.parts.end() && begin >= 0) begin *= std::atoll(part->first.c_str());
    } else {
      const Field* field = part == of.parts.end() ? nullptr : field_of(of.type, part->first);
      begin = field != nullptr ? field->offset : -1;
    }
    pointer.has_offset &= begin >= 0 && part != of.parts.end();
    pointer.integer += begin;
    pointer.object = whole;
  }
  return pointer;
}

Value HostRun::pointer(int object, std::int64_t offset, const Type* type) const {
  return {.kind = Kind::Pointer, .type = type, .integer = offset, .object = object};
}

// How its members lie; without offsets and bytes where that is not worked out.
const HostRun::Layout& HostRun::layout_of(const Type* type) {
  static const Layout kNone;
  if (type == nullptr) return kNone;
  const auto [known, is_new] = layouts_.try_emplace(type);  // not known while it is worked out
  Layout& out = known->second;
  if (!is_new || depth_ > kDeepestObject) return out;
  const Within deeper(depth_, depth_ + 1);
  const auto with = [&](std::int64_t bytes, std::int64_t alignment) -> const Layout& {
    out.bytes = bytes;
    out.alignment = alignment;
    return out;
  };
  if (type->pointers > 0) return with(8, 8);
  if (type->scalar) return with(sim::size_of(*type->scalar), sim::size_of(*type->scalar));
  if (type->name == "string") return with(32, 8);  // of the GNU library
  if (type->name == "vector") return with(24, 8);
  if (const cuda::BuiltinType* vector = vector_type(type)) {
    const std::int64_t one = sim::size_of(vector->scalar), all = vector->components * one;
    for (int i = 0; i < vector->components; ++i)
      out.fields.push_back({std::string(1, "xyzw"[i]), types_.of(vector->scalar), {}, i * one});
    return with(all, vector->components == 3 ? one : std::min<std::int64_t>(all, 16));
  }
  const cuda::Struct* of = type->name == "array" ? nullptr : find_struct(type);
  if (of == nullptr && (type->name == "pair" || type->name == "tuple"))  // whose size is left open
    for (const Type* part : type->arguments)
      out.fields.push_back(
          {type->name == "pair" ? out.fields.empty() ? "first" : "second" : std::to_string(out.fields.size()),
           part});
  if (of == nullptr) return out;
  const OwnParameters own(*this, *of, type);
  constexpr std::int64_t kLargest = std::int64_t{1} << 40;
  const auto rounded = [](std::int64_t size, std::int64_t to) { return (size + to - 1) / to * to; };
  bool is_known = of->errors.empty() && of->alignments.empty();  // else with virtual functions
  std::int64_t size = 0, widest = std::max(of->alignment, 1);
  for (const cuda::StructField& field : of->fields) {
    const Type* type_of = resolve(field.type);
    const Layout& own_layout = layout_of(type_of);
    const bool is_empty = is_base(field.name) && own_layout.fields.empty() && find_struct(type_of) != nullptr;
    const std::int64_t alignment =
        is_empty ? 1 : std::max<std::int64_t>(own_layout.alignment, field.alignment);
    std::int64_t bytes = own_layout.bytes ? is_empty ? 0 : *own_layout.bytes : -1;
    out.fields.push_back({field.name, type_of, numbers_of(field.extents), -1, &field});
    for (const std::int64_t count : out.fields.back().extents)
      is_known &= count >= 0 && !__builtin_mul_overflow(bytes, count, &bytes);
    is_known &= bytes >= 0 && bytes <= kLargest && size <= kLargest && !field.type.reference &&
                field.alignments.empty() && !(is_base(field.name) && own_layout.is_padded);
    if (!is_known) continue;
    widest = std::max(widest, alignment);
    out.fields.back().offset = of->is_union ? 0 : rounded(size, alignment);
    size = std::max(size, out.fields.back().offset + bytes);
  }
  for (Field& field : out.fields)
    if (!is_known) field.offset = -1;
  out.is_padded = rounded(size, widest) > size;
  return is_known ? with(std::max<std::int64_t>(rounded(size, widest), 1), widest) : out;
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
        const auto number = count != nullptr ? number_in<std::int64_t>(count->name) : std::nullopt;
        object.bytes = number ? sized(integer(*number), object.type) : Value{};
      }
    } else if (vector_type(type) != nullptr || find_struct(type) != nullptr || type->name == "pair" ||
               type->name == "tuple" || type->name == "cudaDeviceProp" ||
               type->name == "cudaLaunchConfig_t") {
      object.kind = Object::Kind::Struct;
    }
  }
  if (objects_.size() >= kMostObjects) return 0;
  objects_.push_back(std::move(object));
  const int made = static_cast<int>(objects_.size()) - 1;
  if (type != nullptr && type->text == "dim3" && extents.empty())
    for (const char* axis : {"x", "y", "z"}) at(part(made, axis)).value = integer(1, ScalarType::U32);
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

// A member by its name, or an element by its index.
int HostRun::part(int object, const std::string& name) {
  if (const auto known = at(object).parts.find(name); known != at(object).parts.end()) return known->second;
  ++steps_;
  const Type* type = at(object).type;
  const cuda::Struct* of = find_struct(type);
  int made = -1;
  const Expr* initializer = nullptr;
  if (at(object).is_list()) {
    made = make_object(type, at(object).extents);
    const bool is_pointer = at(made).kind == Object::Kind::Scalar && type != nullptr && type->pointee;
    if (at(object).is_zero && is_pointer) at(made).value.kind = Kind::Null;
  } else if (const Field* field = field_of(type, name)) {
    made = make_object(field->type, field->extents);
    const cuda::StructField* own = field->written;
    at(made).is_shared = own && (of->is_union || own->type.reference || !own->alignments.empty());
    initializer = own != nullptr ? own->initializer.get() : nullptr;
  } else if (of != nullptr) {
    for (const int base : with_bases(object))
      if (field_of(at(base).type, name) != nullptr) return part(base, name);
  }
  if (made < 0) made = make_object(nullptr);
  at(object).parts.emplace(name, made);
  if (at(made).kind != Object::Kind::Container && made != object) at(made).within = object;
  if (initializer != nullptr) initialise(made, eval(*initializer));
  const cuda::Struct* own = at(object).is_list() ? find_struct(at(made).type) : nullptr;
  at(made).is_shared |= at(object).is_shared;
  // What a constructor makes of it, or somebody may have written.
  if (own != nullptr && has_constructor(*own, 0)) forget({made});
  if (at(object).is_list() && !at(object).is_known) forget({made});
  return made;
}

const HostRun::Field* HostRun::field_of(const Type* type, const std::string& name) {
  const auto& fields = layout_of(type).fields;
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

// -1: not known.
std::vector<std::int64_t> HostRun::numbers_of(Exprs extents) {
  std::vector<std::int64_t> numbers;
  for (const cuda::ExprPtr& extent : extents) {
    const Value count = extent ? eval(*extent) : Value{};
    numbers.push_back(count.kind == Kind::Integer ? count.integer : -1);
  }
  return numbers;
}

void HostRun::note(int object) {
  if (regions_.empty() || at(object).epoch == regions_.back()) return;
  at(object).epoch = regions_.back();
  notes_.push_back({object, at(object).value, at(object).bytes});
}

Value HostRun::read(const Place& place) {
  Value value = held(place);
  value.place = place;
  return value;
}

Value HostRun::held(const Place& place) {
  if (!place.is_valid()) return {};
  Object& object = at(place.object);
  if (place.index == Place::kWhole) {
    Value value = object.value;
    if (object.kind == Object::Kind::Array) return pointer(place.object, 0, types_.pointer_to(object.type));
    if (object.kind != Object::Kind::Scalar)
      return {.kind = object.kind == Object::Kind::Opaque ? Kind::Unknown : Kind::Object,
              .type = object.kind == Object::Kind::Container ? object.whole : object.type,
              .object = place.object};
    if (object.is_shared) return {.has_offset = false, .type = object.type};
    if (value.kind != Kind::Unknown) return value;
    if (object.type != nullptr && object.type->pointee && value.has_offset) {
      object.value = pointer(make_opaque(), 0, object.type);
      return at(place.object).value;
    }
    value.type = object.type;
    value.has_offset &= object.type != nullptr;
    if (!value.formula && (object.type == nullptr || object.type->scalar))
      value.formula = object.value.formula = std::make_shared<const Formula>();
    return value;
  }
  if (place.index == Place::kWithin) return {.has_offset = false};
  Value value{.type = object.type};
  if (place.index < 0 || !object.is_known || object.is_shared || object.kind == Object::Kind::Scalar)
    return value;
  if (!object.is_plain()) return read({part(place.object, std::to_string(place.index))});
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
  if (at(place.object).is_shared || at(place.object).kind == Object::Kind::Opaque) hand_over(value);
  if (place.index == Place::kWhole && written_as<cuda::InitListExpr>(value))
    return initialise(place.object, value);
  note(place.object);
  if (place.index == Place::kWhole) {
    Object& object = at(place.object);
    if (object.kind == Object::Kind::Scalar) {
      value = object.type != nullptr ? cast(value, object.type) : copied(value);
      if (object.type != nullptr && object.type->pointee && value.kind == Kind::Unknown)
        value = pointer(make_opaque(), 0, object.type), value.has_offset = false;
      if (value.kind == Kind::Unknown) value.has_offset = false;
      if (!value.formula && (value.is_number() || value.kind == Kind::Unknown))
        value.formula = std::make_shared<const Formula>();
      value.place = {};
      value.from = nullptr;
      at(place.object).value = value;
    } else if (value.kind == Kind::Object) {
      const int base = as_base(value.object, object.type);
      copy_object(place.object, base >= 0 ? base : value.object);
    } else if (object.type != nullptr && object.type->text == "dim3" &&
               (value.is_number() || value.formula)) {
      write({part(place.object, "x")}, value);
      for (const char* axis : {"y", "z"}) write({part(place.object, axis)}, integer(1, ScalarType::U32));
    } else {
      forget(place);
    }
    return;
  }
  Object& object = at(place.object);
  if (object.kind == Object::Kind::Scalar) return forget(place);
  const bool is_scalar = object.is_plain();
  if (is_scalar && sim::is_floating(*object.type->scalar)) return;
  if (place.index < 0) return forget(place);
  if (!is_scalar) return write({part(place.object, std::to_string(place.index))}, value);
  if (value.kind == Kind::Floating) value = converted(value, *object.type->scalar, types_);
  const auto index = static_cast<std::size_t>(place.index);
  const bool has_gap = place.index > object.length() && !object.is_zero;
  if (value.is_drawn() && (object.is_drawn() || index == 0) && !has_gap)
    return object.draw(value, place.index + 1);
  const std::size_t kept = object.numbers ? object.numbers->size() : 0;
  const bool is_far = index >= kMostNumbers || index > kept + kMostSkipped || steps_ > kAllSteps;
  if (value.kind == Kind::Pointer && sim::size_of(*object.type->scalar) == 8) object.leads_to = value.object;
  if (value.kind != Kind::Integer || object.is_drawn() || is_far || has_gap)
    return void(object.is_known = false);
  if (index >= kept) steps_ += static_cast<std::int64_t>(index - kept) / kNumbersOfAStep;
  if (!object.numbers)
    object.numbers = std::make_shared<std::vector<std::int64_t>>();
  else if (object.numbers.use_count() > 1)
    object.numbers = std::make_shared<std::vector<std::int64_t>>(*object.numbers),
    steps_ += static_cast<std::int64_t>(kept) / kNumbersOfAStep;
  if (index >= object.numbers->size()) object.numbers->resize(index + 1);
  (*object.numbers)[index] = wrapped(value.integer, *object.type->scalar);
}

// Of an object another one.
Value HostRun::copied(const Value& value) {
  if (value.kind != Kind::Object) return value;
  const int copy = make_object(value.type);
  write({copy}, value);
  return made(copy);
}

void HostRun::copy_object(int to, int from) {
  gave_up_ |= depth_ > kDeepestObject || ++steps_ > kAllSteps;
  if (to == from || gave_up_) return;
  const Within deeper(depth_, depth_ + 1);
  if (at(from).kind == Object::Kind::Scalar) return write({to}, read({from}));
  if (!at(from).is_list())
    for (const Field& field : layout_of(at(from).type).fields) (void)part(from, field.name);
  const Object source = at(from);
  note(to);
  Object& target = at(to);
  static_cast<Held&>(target) = source;
  target.bytes = source.bytes;
  target.value = source.value;
  if (target.is_list()) target.parts.clear();
  constexpr std::size_t kMostCopies = 4096;
  if (source.parts.size() > kMostCopies) target.is_known = false;
  for (const auto& [name, element] : source.parts)
    if (const Field* field = field_of(source.type, name);
        field && field->written && field->written->type.reference)
      at(to).parts.insert_or_assign(name, element);
    else if (source.parts.size() <= kMostCopies && at(element).kind == Object::Kind::Struct)
      initialise(part(to, name), read({element}));
    else if (source.parts.size() <= kMostCopies)
      copy_object(part(to, name), element);
}

// What memory holds, copied to other memory; whole allocations alone.
void HostRun::copy_contents(const Value& to, const Value& from, const Value& bytes) {
  if (to.kind != Kind::Pointer) return;
  const Place target_at = deref(to), source_at = deref(from);
  if (target_at.is_valid() && source_at.is_valid() && target_at.index != Place::kSomewhere) {
    const Value value = read(source_at);  // `cudaMemcpy(&n, d_n, sizeof(int), …)`
    const bool is_list = value.kind == Kind::Object && at(value.object).is_list();
    const auto size = is_list ? std::nullopt : size_of(value.type);
    const bool is_all = size && bytes.kind == Kind::Integer && bytes.integer == *size;
    if (is_all && !may_be_seen_as(value.type, read(target_at).type)) return forget(target_at);
    if (is_all) return write(target_at, value);
  }
  if (!at(to.object).is_list()) return forget({to.object});
  const auto covers = [&](const Value& all) {
    return all.kind != Kind::Integer || bytes.kind != Kind::Integer || bytes.integer >= all.integer;
  };
  const bool is_whole = covers(bytes_of(to)) && from.kind == Kind::Pointer && to.integer == 0 &&
                        from.integer == 0 && to.has_offset && from.has_offset &&
                        may_be_seen_as(at(from.object).type, at(to.object).type) &&
                        at(from.object).extents == at(to.object).extents;
  if (!is_whole) return forget_contents(to);
  const Value own = bytes_of(to);
  copy_object(to.object, from.object);
  at(to.object).bytes = own;
}

void HostRun::forget(const Place& place) {
  if (!place.is_valid() || at(place.object).is_const) return;
  note(place.object);
  Object& object = at(place.object);
  if (object.kind == Object::Kind::Scalar)
    return void(object.value = {.has_offset = false, .type = object.type});
  object.is_known = false;
  if (place.index >= 0 || object.kind == Object::Kind::Opaque) return;
  if (object.kind == Object::Kind::Struct)
    for (const Field& field : layout_of(object.type).fields) (void)part(place.object, field.name);
  if (object.kind == Object::Kind::Container && place.index == Place::kWhole) object.bytes = {};
  forget_parts(place.object);
}

// From now on somebody may change it whom nobody follows.
void HostRun::share(const Place& place) {
  if (!place.is_valid() || at(place.object).is_shared || at(place.object).is_const) return;
  forget(place);
  at(place.object).is_shared = true;
  const auto parts = at(place.object).parts;
  for (const auto& [unused, element] : parts) share({element});
}

void HostRun::forget_parts(int object) {
  const Within deeper(depth_, depth_ + 1);
  const auto parts = at(object).parts;
  gave_up_ |= depth_ > kDeepestObject || (steps_ += static_cast<std::int64_t>(parts.size())) > kAllSteps;
  for (const auto& [unused, element] : parts)
    if (element != object && !gave_up_) forget({element});
}

void HostRun::forget_contents(const Value& value) {
  if (value.kind != Kind::Pointer && value.kind != Kind::Object) return;
  const Object& of = at(value.object);
  const bool is_itself = value.kind == Kind::Object || value.type == nullptr;  // it may be made longer
  if (of.is_list() || value.kind == Kind::Pointer)
    forget(
        {value.object, is_itself && of.kind == Object::Kind::Container ? Place::kWhole : Place::kSomewhere});
}

// Of all that it is part of: what is behind it or in front of it.
Place HostRun::somewhere_in(int object) const {
  while (at(object).within >= 0) object = at(object).within;
  return {object, Place::kSomewhere};
}

Place HostRun::deref(const Value& pointer) {
  if (pointer.kind != Kind::Pointer) return {};
  Object& object = at(pointer.object);
  if (object.kind == Object::Kind::Opaque) return {};
  const Type* seen_as = pointer.type != nullptr ? pointer.type->pointee : nullptr;
  const bool is_whole =
      pointer.type == nullptr ||
      (seen_as != nullptr && is_container(last_part(seen_as->name)) && seen_as != object.type);
  if (object.kind == Object::Kind::Container && is_whole && pointer.integer == 0)
    return {pointer.object};  // the container, not its first element
  const Place somewhere = somewhere_in(pointer.object);
  if (!may_be_seen_as(seen_as, object.type)) return somewhere;
  if (!object.is_list())
    return pointer.integer == 0 && pointer.has_offset ? Place{pointer.object} : somewhere;
  if (object.type == nullptr && pointer.type != nullptr) object.type = pointer.type->pointee;
  const auto bytes = size_of(object.type);
  if (pointer.has_offset && pointer.integer == 0) return {pointer.object, 0};
  if (!bytes || !pointer.has_offset || pointer.integer < 0) return somewhere;
  return {pointer.object, pointer.integer / *bytes};
}

Value HostRun::member(const Value& object, const std::string& name) {
  if (object.kind != Kind::Object || at(object.object).kind != Object::Kind::Struct) return {};
  return read({part(object.object, name)});
}

// Arrays are left out.
void HostRun::each_member(const Value& of, const std::string& name, const Told& tell) {
  if (of.kind != Kind::Object) return tell(name, of);
  if (at(of.object).kind != Object::Kind::Struct || depth_ > kDeepestObject || ++steps_ > kAllSteps) return;
  const Within deeper(depth_, depth_ + 1);
  for (const Field& field : layout_of(of.type).fields) {
    const int member = part(of.object, field.name);
    const std::string whole = is_base(field.name) ? name : name + "." + field.name;
    if (at(member).kind != Object::Kind::Array) each_member(read({member}), whole, tell);
  }
}

std::string HostRun::name_of(const Value& function) const {
  const bool is_plain = function.kind == Kind::Function && callable_of(function).templates.empty();
  return is_plain ? callable_of(function).function->name : std::string();
}

Value HostRun::bytes_of(const Value& pointer) const {
  return pointer.kind == Kind::Pointer ? at(pointer.object).bytes : Value{};
}

std::optional<bool> HostRun::truth(const Value& value) const {
  if (is_open_) return {};
  if (value.is_number()) return value.real() != 0;
  if (value.kind == Kind::Pointer || value.kind == Kind::Function) return true;
  if (value.kind == Kind::Null) return false;
  return {};
}

// ---- names and types ----

HostRun::OwnParameters::OwnParameters(HostRun& run, const cuda::Struct& of, const Type* type) : Scope(run) {
  for (std::size_t i = 0; i < of.template_parameters.size() && i < type->arguments.size(); ++i) {
    const cuda::TemplateParameter& parameter = of.template_parameters[i];
    const Type* argument = type->arguments[i];
    if (argument == nullptr) continue;
    if (parameter.is_type) {
      run.frames_.back().types.emplace_back(parameter.name, argument);
    } else if (const auto number = number_in<std::int64_t>(argument->name)) {
      const int object = run.make_object(run.types_.of(ScalarType::I32));
      run.at(object).value = run.integer(*number);
      run.entries_.push_back({parameter.name, {object}});
    }
  }
}

std::optional<Place> HostRun::lookup(std::string_view name) {
  std::size_t end = entries_.size();
  for (int frame = static_cast<int>(frames_.size()) - 1; frame > 0 || frames_.size() == 1;) {
    const Frame& of = frames_[static_cast<std::size_t>(frame)];
    for (std::size_t i = end; i-- > of.begin;)
      if (entries_[i].name == name) return entries_[i].place;
    if (of.self >= 0) {
      const auto known = at(of.self).parts.find(name);
      if (known != at(of.self).parts.end()) return Place{known->second};
      for (const int one : with_bases(of.self))
        if (std::string whole(name); field_of(at(one).type, whole)) return Place{part(one, whole)};
    }
    end = of.outer_end;
    if (of.outer < 0 || of.outer >= frame || end > entries_.size())
      break;  // or the function around a lambda has ended
    frame = of.outer;
  }
  const auto global = globals_.find(name);
  const bool is_one = global != globals_.end() && global->second.is_valid();  // not of several namespaces
  return is_one ? std::optional(global->second) : std::nullopt;
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
  if (alias != aliases_.end() && alias->second->type.name != name && depth_ < kDeepestObject &&
      alias->second->extents.empty() && alias->second->template_parameters.empty()) {
    const Within deeper(depth_, depth_ + 1);
    return resolve(alias->second->type);
  }
  return types_.of(name, std::move(arguments));
}

const Type* HostRun::resolve(const cuda::TypeName& name) {
  pace_.step();
  if (++steps_ > kAllSteps) return nullptr;
  if (name.measured) return eval(*name.measured).type;
  if (name.name.starts_with("auto") || name.scope) return nullptr;
  if (name.is_function) return types_.pointer_to(types_.of("function"));
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
    TemplateValue& value = values.emplace_back();
    if (argument.type) value.type = resolve(*argument.type);
    if (argument.value) value.value = eval(*argument.value);
  }
  return values;
}

// Nothing where several fit, unless the arguments' types say which; without arguments any.
const Function* HostRun::find_function(const std::string& name, const std::string& qualifiers,
                                       const Values* arguments) {
  const Function *any = nullptr, *declared = nullptr;
  std::vector<const Function*> fitting;
  bool is_special = false;
  const auto [first, last] = functions_.equal_range(name);
  const Function* around = frames_.back().function;
  const std::string& space = qualifiers.empty() && around != nullptr ? around->scope : qualifiers;
  const auto is_meant = [&](const auto& named) {
    const std::string& scope = named.second->scope;
    return scope == space || scope.ends_with("::" + space);
  };
  const bool is_qualified =
      (around != nullptr || !space.empty()) && std::any_of(first, last, is_meant);  // else by another name
  const Value* object = arguments && arguments->size() == 1 && (*arguments)[0].kind == Kind::Object
                            ? &(*arguments)[0]
                            : nullptr;
  for (auto it = first; it != last; ++it) {
    const Function& function = *it->second;
    if (is_qualified && !is_meant(*it)) continue;
    is_special |= function.is_specialisation && function.kind != Function::Kind::Kernel;
    const bool is_own = object != nullptr && last_part(object->type->name) == last_part(function.name);
    if (function.is_specialisation || copies(function) != is_own) continue;
    if (any == nullptr || function.body) any = &function;
    if (arguments == nullptr || !takes(function, arguments->size())) continue;
    declared = &function;
    if (function.body) fitting.push_back(&function);
  }
  if (arguments == nullptr) return any;
  if (std::ranges::count(fitting, false, &Function::is_const) > 0)  // the one that may change the object
    std::erase_if(fitting, [](const Function* function) { return function->is_const; });
  if (fitting.empty()) return declared;
  if (fitting.size() == 1) return is_special ? nullptr : fitting.front();
  std::erase_if(fitting, [&](const Function* function) {  // but for those that take them as they are
    const auto& parameters = function->parameters;
    bool is_exact = function->template_parameters.empty() && arguments->size() <= parameters.size();
    for (std::size_t i = 0; is_exact && i < arguments->size(); ++i)
      is_exact = (*arguments)[i].type && resolve(parameters[i].type) == (*arguments)[i].type;
    return !is_exact;
  });
  return fitting.size() == 1 ? fitting.front() : nullptr;
}

// "": a constructor, "~": the destructor.
std::string HostRun::name_in(const cuda::Struct& of, const std::string& name) {
  const bool is_class = name.empty() || name == "~";
  return of.name + "::" + name + (is_class ? std::string(last_part(of.name)) : std::string());
}

const Function* HostRun::find_method(const cuda::Struct& of, const std::string& name,
                                     const Values& arguments) {
  return find_function(name_in(of, name), {}, &arguments);
}

// That takes so many.
bool HostRun::has_constructor(const cuda::Struct& of, std::size_t arguments) const {
  const auto [first, last] = functions_.equal_range(name_in(of, ""));
  return std::any_of(first, last, [&](const auto& named) {
    const Function& one = *named.second;
    return one.is_constructor && !copies(one) && takes(one, arguments);
  });
}

// Of a struct that a name stands for: `Traits::threads`, where Traits is Fixed<128>.
std::optional<Value> HostRun::static_member(const std::string& owner, std::string_view name) {
  const Type* type = named_type(owner, {});
  const cuda::Struct* of = find_struct(type);
  if (of == nullptr) return {};
  if (const auto plain = lookup(type->name + "::" + std::string(name))) return read(*plain);
  const OwnParameters own(*this, *of, type);
  for (const cuda::StmtPtr& stmt : of->members)
    if (const auto* variables = stmt ? std::get_if<cuda::DeclStmt>(&stmt->node) : nullptr)
      for (const cuda::Declarator& member : variables->declarators)
        if (last_part(member.name) == name && member.initializer) return eval(*member.initializer);
  return {};
}

// It, and the parts of it that are its bases.
std::vector<int> HostRun::with_bases(int object) {
  constexpr std::size_t kMost = 64;
  std::vector<int> all{object};
  for (std::size_t i = 0; i < all.size() && all.size() < kMost; ++i)
    if (const cuda::Struct* of = at(all[i]).is_list() ? nullptr : find_struct(at(all[i]).type))
      for (const cuda::StructField& field : of->fields)
        if (is_base(field.name)) all.push_back(part(all[i], field.name));
  return all;
}

// Whose base it is; -1: nobody's.
int HostRun::derived_of(int object) const {
  const int whole = at(object).within;
  const auto is_it = [&](const auto& part) { return part.second == object && is_base(part.first); };
  return whole >= 0 && std::ranges::any_of(at(whole).parts, is_it) ? whole : -1;
}

// Of an object and all that it is a base of the part that has this type; -1: none has it.
int HostRun::as_base(int object, const Type* type) {
  for (int whole = at(object).kind == Object::Kind::Struct ? object : -1; whole >= 0;
       whole = derived_of(whole))
    for (const int one : with_bases(whole))
      if (at(one).type == type) return one;
  return -1;
}

// What a reference of that type refers to.
Place HostRun::referred(const Value& value, const cuda::TypeName& type) {
  const Place of = value.place;
  const int base = of.is_valid() && of.index == Place::kWhole ? as_base(of.object, resolve(type)) : -1;
  return base >= 0 ? Place{base} : of;
}

// Its own, or a base's, with the part of the object that this is.
std::optional<HostRun::Callable> HostRun::method_of(const Value& object, const std::string& name,
                                                    const Values& arguments) {
  if (object.kind != Kind::Object) return {};
  for (const int one : with_bases(object.object))
    if (const cuda::Struct* of = find_struct(at(one).type);
        of && (one == object.object || name != "operator="))
      if (const Function* own = find_method(*of, name, arguments))
        return Callable{.function = own, .self = one, .of = of};
  return {};
}

Value HostRun::function_value(const cuda::NameExpr& name) {
  const Function* function = find_function(name.name, name.qualifiers, nullptr);
  if (function == nullptr) return {};
  return callable_value(
      {.function = function, .templates = template_values(name.arguments), .qualifiers = name.qualifiers});
}

Value HostRun::callable_value(Callable callable) {
  constexpr std::size_t kMostCallables = 50'000;
  if (callables_.size() >= kMostCallables) return {};
  callables_.push_back(std::move(callable));
  return {.kind = Kind::Function, .object = static_cast<int>(callables_.size()) - 1};
}

}  // namespace warplens::app::host
