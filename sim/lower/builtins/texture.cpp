// Textures and surfaces, as objects and as references of the file.
//
// tex1Dfetch() reads linear memory. How a CUDA array lies in memory is not documented; here its rows lie one
// after another, as those of a texture that is bound to pitched memory do, and a warning says so.
#include <algorithm>

#include "sim/lower/ir/flow.h"
#include "sim/lower/lowering.h"
#include "sim/lower/memory/tensor_copy.h"

namespace warplens::sim::lower {

namespace {

constexpr ScalarType kTexelIndex = ScalarType::I32, kTexelFloat = ScalarType::F32;

// The word that a template argument is, "cudaTextureType2D"; empty for others.
std::string argument_word(const cuda::TemplateArgument& argument) {
  if (argument.type) return argument.type->name;
  const auto* name = argument.value ? std::get_if<cuda::NameExpr>(&argument.value->node) : nullptr;
  return name ? name->name : "";
}

// The x of `x + 0.5f`, which addresses the middle of a texel; null for any other expression.
const cuda::Expr* middle_of(const cuda::Expr& e) {
  const auto* sum = std::get_if<cuda::BinaryExpr>(&e.node);
  if (sum == nullptr || sum->op != cuda::BinaryOp::Add) return nullptr;
  for (const bool swapped : {false, true}) {
    const cuda::Expr &x = swapped ? *sum->right : *sum->left, &half = swapped ? *sum->left : *sum->right;
    const auto* number = std::get_if<cuda::FloatLiteral>(&half.node);
    if (number != nullptr && number->value == 0.5) return &x;
  }
  return nullptr;
}

// cudaReadModeNormalizedFloat: the greatest integer is one.
Value to_one(Builder& b, Value part, ScalarType from) {
  constexpr ScalarType kFloat = ScalarType::F32;
  const double most = size_of(from) == 1 ? (is_signed(from) ? 127 : 255) : (is_signed(from) ? 32767 : 65535);
  const Number quotient = Number(b, from, part).to(kFloat) / most;
  return is_signed(from) ? max(quotient, -1.0) : quotient;
}

}  // namespace

Value host_number(Builder& b, Program& program, std::size_t parameter, const std::string& name,
                  ScalarType type, std::optional<std::int64_t> fallback) {
  const std::string whole = program.parameters[parameter].name + name;
  for (const KernelParameter& known : program.parameters)
    if (known.name == whole) return b.ir.input(known.reg, type);
  KernelParameter described;
  described.name = whole;
  described.type_text = type == ScalarType::I64 ? "long long" : "int";
  described.type = type;
  described.is_texture = true;
  described.range = program.parameters[parameter].range;
  described.fallback = fallback;
  return add_parameter(b, program, std::move(described), type);
}

// ---- declarations

// `host_code` says what it is like.
Result Textures::new_texture(KernelParameter described, bool is_surface, std::string_view host_code) {
  if (!texture_settings_) texture_settings_ = texture_settings(host_code);
  Texture texture;
  texture.name = described.name;
  texture.parameter = l_.program().parameters.size();
  texture.is_surface = is_surface;
  described.is_pointer = described.is_texture = true;
  described.is_const = !is_surface;
  described.type = kTexelFloat;
  texture.base = add_parameter(b, l_.program(), std::move(described), ScalarType::U64);
  textures_.push_back(std::move(texture));
  return object_of(textures_.back());
}

Result Textures::object_of(const Texture& texture) {
  const auto same = [&](const Texture& one) { return one.parameter == texture.parameter; };
  const auto index = std::ranges::find_if(textures_, same) - textures_.begin();
  return {Kind::Rvalue, types.texture(static_cast<int>(index), texture.is_surface), {}, {}};
}

// "float", or the vector of two or four.
TypeRef Textures::texel_type(ScalarType part, int count) const {
  const std::string vector = cuda::vector_name(part, count);
  return count > 1 && !vector.empty() ? types.builtin(vector) : types.scalar(part);
}

// `texture<uchar4, 2, cudaReadModeNormalizedFloat> image;`, `surface<void, 2> target;`
Result Textures::texture_reference(const cuda::Declarator& declarator) {
  const bool is_surface = declarator.type.name == "surface";
  const auto& arguments = declarator.type.arguments;
  KernelParameter described;
  described.name = declarator.name;
  described.range = declarator.name_range;
  described.type_text = l_.text_of(declarator.type.range);
  const Result made = new_texture(std::move(described), is_surface, l_.text());
  Texture& texture = textures_.back();
  if (is_surface || arguments.empty()) return made;
  const TypeRef element = types.plain(l_.templates.type_of_argument(arguments[0], true));
  if (element->is(Type::Kind::Error)) stop();
  give_element(texture, element, declarator.type.range);
  texture.normalizes = arguments.size() > 2 && argument_word(arguments[2]) == "cudaReadModeNormalizedFloat";
  return made;
}

Value Textures::texture_number(Texture& texture, const std::string& name,
                               std::optional<std::int64_t> fallback) {
  return host_number(b, l_.program(), texture.parameter, name, ScalarType::I32, fallback);
}

// ---- calls

Texture& Textures::texture_argument(const BuiltinCall& c, std::size_t index) {
  const Result given = argument(c, index);
  if (!given.type->is(Type::Kind::Texture) || given.type->function < 0) {
    fail(c.node->arguments[index]->range,
         Message("'{}' needs a texture or surface that is known when compiling, not '{}'", c.name,
                 name_of(given.type)),
         Message("pass the kernel's parameter, or name the reference"));
  }
  return textures_[given.type->function];
}

void Textures::fail_of_types(const Texture& texture, TypeRef here, TypeRef elsewhere,
                             const cuda::SourceRange& range) {
  fail(range,
       Message("'{}' is read as '{}' here and as '{}' elsewhere", texture.name, name_of(here),
               name_of(elsewhere)),
       Message("read it as one type"));
}

// All accesses of a texture read one type.
void Textures::give_element(Texture& texture, TypeRef element, const cuda::SourceRange& range) {
  const TypeRef leaf = first_leaf(element);
  const std::int64_t count = leaf == nullptr ? 0 : size_of(element) / size_of(leaf);
  const bool is_plain =
      leaf != nullptr && leaf->is_scalar() &&
      (element->is_scalar() || (element->is(Type::Kind::Record) && element->record->is_vector));
  if (!is_plain || count == 3 || size_of(leaf) > 4) {
    fail(range, Message("a texture or surface cannot hold '{}'", name_of(element)),
         Message("use numbers of up to 32 bits, or vectors of one, two or four of them"));
  }
  if (texture.element == nullptr) {
    texture.element = element;
    KernelParameter& described = l_.program().parameters[texture.parameter];
    described.type = scalar_of(leaf);
    described.element_bytes = static_cast<int>(size_of(element));
  }
  if (texture.element != element) fail_of_types(texture, element, texture.element, range);
}

// An object that is read as floats, in a file whose host code reads textures with
// cudaReadModeNormalizedFloat: it holds those floats, or as many bytes or shorts as the one description of
// the file that has so many.
void Textures::settle_read_mode(Texture& texture, TypeRef read, const BuiltinCall& c) {
  const auto count = [](TypeRef type) { return size_of(type) / size_of(first_leaf(type)); };
  std::vector<TypeRef> held;
  bool known = true;
  for (const std::string& format : texture_settings_->formats) {
    TypeRef type = types.builtin(format);
    if (type == nullptr && !format.empty()) type = l_.find_type(format);
    if (type != nullptr && type->is(Type::Kind::Record) && type->record->fields.size() == 1)
      type = first_leaf(type);  // float1 is float
    known = known && type != nullptr && first_leaf(type) != nullptr;
    if (!known) break;
    type = types.plain(type);
    const TypeRef leaf = first_leaf(type);
    const bool fits =
        type == read || (leaf->is_integer() && size_of(leaf) <= 2 && count(type) == count(read));
    if (fits && std::ranges::find(held, type) == held.end()) held.push_back(type);
  }
  if (!known || held.size() != 1) {
    fail(c.range,
         Message("what '{}' holds is not known: the file reads a texture with cudaReadModeNormalizedFloat",
                 texture.name),
         Message(
             "let the file describe one such texture, cudaCreateChannelDesc<uchar4>(), or read integers and "
             "divide"));
  }
  if (held[0] == read) return;
  texture.normalizes = true;
  give_element(texture, held[0], c.range);
}

// What an access gives.
TypeRef Textures::fetched_type(Texture& texture, const BuiltinCall& c) {
  const bool is_written = c.template_arguments != nullptr && !c.template_arguments->empty();
  if (!is_written && texture.element == nullptr) {
    fail(c.range, Message("'{}' needs the type that it reads: {}<float>(...)", c.name, c.name));
  }
  TypeRef type = is_written ? types.plain(l_.templates.type_of_argument(c.template_arguments->front(), true))
                            : texture.element;
  if (type->is(Type::Kind::Error)) stop();
  const TypeRef leaf = first_leaf(type);
  const bool may_be_integers = texture_settings_->reads_normalized && leaf != nullptr && leaf->is_scalar() &&
                               leaf->scalar == kTexelFloat && texture.element == nullptr &&
                               !texture.is_surface;
  if (may_be_integers) settle_read_mode(texture, type, c);
  if (texture.normalizes) {
    const auto count = size_of(texture.element) / size_of(first_leaf(texture.element));
    const TypeRef floats = types.builtin(count == 1 ? "float" : "float" + std::to_string(count));
    if (is_written && type != floats) fail_of_types(texture, type, floats, c.range);
    return floats;
  }
  give_element(texture, type, c.range);
  return type;
}

Result Textures::builtin_texture(const Builtin& f, const BuiltinCall& c) {
  const std::size_t dimensions = f.code;
  Texture& texture = texture_argument(c, 0);
  const TypeRef type = fetched_type(texture, c);
  if (dimensions == 0) {
    AccessText text{b.place, l_.text_of(b.place), c.node, AccessForm::Texture};
    if (fetch_text_ != nullptr)
      text = *fetch_text_;
    else if (l_.is_library(c.range))
      text.source = l_.text().data() + b.place.begin.offset;  // one site a call of the file
    return fetch(texture, type, argument_as(c, 1, kTexelIndex), text);
  }
  std::vector<Value> coordinates, whole;
  for (std::size_t k = 1; k <= dimensions; ++k) {
    const cuda::Expr& given = *c.node->arguments[k];
    const cuda::Expr* inner = middle_of(given);
    const TypeRef inner_type = inner != nullptr ? l_.type_of(*inner) : nullptr;
    const bool is_middle = inner_type != nullptr && inner_type->is_integer();
    const Result value = l_.settled(l_.value_of(is_middle ? *inner : given));
    const Result single = l_.convert(value, types.scalar(kTexelFloat), given.range);
    const bool is_whole = value.type->is_integer();
    const Number given_value(b, kTexelFloat, single.value());
    coordinates.push_back(is_middle ? given_value + 0.5 : given_value);
    whole.push_back(is_whole ? l_.scalar_as(value, kTexelIndex) : texel_of(single.value()));
  }
  warn_of_arrays(texture, c.range);
  return sample(texture, type, coordinates, whole, c.range);
}

// An element of linear memory, as `type`.
Result Textures::fetch(const Texture& texture, TypeRef type, Value index, const AccessText& text) {
  Result place{Kind::Memory, texture.element, {}, Address{texture.base, {}, 0}};
  b.add_index(place.address, index, kTexelIndex, size_of(texture.element), false);
  const Result loaded = l_.load(place, text);
  if (!texture.normalizes) return loaded;
  const Result floats = l_.new_variable(type);
  std::vector<Value> parts = loaded.parts;
  for (Value& part : parts) part = to_one(b, part, scalar_of(first_leaf(texture.element)));
  l_.assign_parts(floats.parts, type, parts);
  return l_.settled(l_.rvalue(floats, text));
}

Value Textures::texel_of(Value coordinate) {
  return Number(b, kTexelFloat, coordinate).math(MathFunction::Floor).to(kTexelIndex);
}

// What the texture has at coordinates that lie in the texels `whole`.
Result Textures::sample(Texture& texture, TypeRef type, const std::vector<Value>& coordinates,
                        const std::vector<Value>& whole, const cuda::SourceRange& range) {
  const std::size_t dimensions = coordinates.size();
  const TextureSettings& set = *texture_settings_;
  const std::vector<Value> extents = extents_of(texture, dimensions);
  // library/textures.cpp has what is done with them. Dimensions that are not there have one texel.
  std::vector<Argument> arguments{{nullptr, object_of(texture)}, {nullptr, l_.zero_of(type)}};
  const auto add = [&](ScalarType of, Value v) { arguments.push_back({nullptr, value(of, v)}); };
  const auto add_all = [&](ScalarType of, const std::vector<Value>& given, Value others) {
    for (std::size_t k = 0; k < 3; ++k) add(of, k < dimensions ? given[k] : others);
  };
  add_all(kTexelFloat, coordinates, b.number(kTexelFloat, 0.5));
  add_all(kTexelIndex, whole, b.integer(kTexelIndex, 0));
  add_all(kTexelIndex, extents, b.integer(kTexelIndex, 1));
  add(kTexelIndex, b.integer(kTexelIndex, std::uint64_t{1} << dimensions));
  add(ScalarType::Bool, b.integer(ScalarType::Bool, scalar_of(first_leaf(type)) == kTexelFloat));
  add(kTexelIndex, texture_number(texture, ".filter", set.filter));
  add(kTexelIndex, texture_number(texture, ".address", set.address));
  add(kTexelIndex, texture_number(texture, ".normalized", set.normalized));
  return l_.call(cuda::NameExpr{"__sample", {}, {}, {}}, std::move(arguments), range, range);
}

std::vector<Value> Textures::extents_of(Texture& texture, std::size_t dimensions) {
  constexpr const char* kNames[] = {".width", ".height", ".depth"};
  std::vector<Value> extents;
  for (std::size_t k = 0; k < dimensions; ++k)
    extents.push_back(texture_number(texture, kNames[k], std::nullopt));
  return extents;
}

void Textures::warn_of_arrays(const Texture& texture, const cuda::SourceRange& range) {
  warn_once(
      range,
      Message("how a CUDA array lies in memory is not documented: '{}' is taken as rows that lie one after "
              "another, so its sectors are not known",
              texture.name),
      Message("requests are known; bind pitched memory (cudaResourceTypePitch2D) to have rows"));
}

namespace {

// Trap where nothing is given; empty: what is given is not known when compiling.
std::optional<Boundary> boundary_of(const cuda::CallExpr& call, std::size_t index) {
  if (index >= call.arguments.size()) return Boundary::Trap;
  const auto* name = std::get_if<cuda::NameExpr>(&call.arguments[index]->node);
  if (name == nullptr) return {};
  if (name->name == "cudaBoundaryModeTrap") return Boundary::Trap;
  if (name->name == "cudaBoundaryModeClamp") return Boundary::Clamp;
  return name->name == "cudaBoundaryModeZero" ? std::optional(Boundary::Zero) : std::nullopt;
}

}  // namespace

// surf2Dread<T>(surface, bytes, y), surf2Dwrite(value, surface, bytes, y), each with a boundary mode behind
// it.
Result Textures::builtin_surface(const Builtin& f, const BuiltinCall& c) {
  const bool writes = f.code >= kWrites;
  const std::size_t dimensions = f.code % kWrites, first = writes ? 1 : 0;
  Texture& surface = texture_argument(c, first);
  Result written;
  TypeRef type = nullptr;
  if (writes) {
    written = argument(c, 0);
    const bool is_named = c.template_arguments != nullptr && !c.template_arguments->empty();
    type = is_named ? types.plain(l_.templates.type_of_argument(c.template_arguments->front(), true))
                    : types.plain(written.type);
    written = l_.convert(written, type, c.range);
    give_element(surface, type, c.range);
  } else {
    type = fetched_type(surface, c);
  }
  const std::optional<Boundary> mode = boundary_of(*c.node, f.arguments);
  if (!mode) return fail(c.range, Message("'{}' needs a cudaBoundaryMode known when compiling", c.name));
  std::vector<Value> indices;
  for (std::size_t k = 0; k < dimensions; ++k) {
    indices.push_back(b.settled(kTexelIndex, argument_as(c, first + 1 + k, kTexelIndex)));
  }
  warn_of_arrays(surface, c.range);
  const AccessText text{c.range, l_.text_of(c.range), c.node, AccessForm::Surface};
  return access(surface, type, *mode, std::move(indices), writes ? &written : nullptr, text);
}

// A load, or a store of what is `written`.
Result Textures::access(Texture& surface, TypeRef type, Boundary mode, std::vector<Value> indices,
                        const Result* written, const AccessText& text) {
  const bool writes = written != nullptr;
  const std::size_t dimensions = indices.size();
  const std::vector<Value> extents = extents_of(surface, dimensions);
  const auto bytes = static_cast<std::uint64_t>(size_of(type));
  Number inside(b, ScalarType::Bool, b.integer(ScalarType::Bool, 1)), row;
  for (std::size_t k = dimensions; k-- > 0;) {  // the first index is in bytes
    const std::uint64_t unit = k == 0 ? bytes : 1;
    const Number extent(b, kTexelIndex, extents[k]), end = extent * unit;
    Number index(b, kTexelIndex, indices[k]);
    inside = (index >= 0u) & (index < end) & inside;
    if (mode == Boundary::Clamp) index = max(index.of(0u), min(index, end - unit));
    if (k > 0) row = k + 1 == dimensions ? index : row * extent + index;
    indices[k] = index;
  }
  if (mode == Boundary::Trap) b.plain(Opcode::Assert, inside);
  Address address{surface.base, {}, 0};
  if (dimensions > 1)
    b.add_index(address, row * Number(b, kTexelIndex, extents[0]), kTexelIndex, size_of(type), false);
  b.add_index(address, indices[0], kTexelIndex, 1, false);
  const Result place{Kind::Memory, type, {}, address};
  if (mode != Boundary::Zero) {
    if (!writes) return l_.load(place, text);
    l_.store(place, *written, text);
    return void_result();
  }
  const Result result = l_.new_variable(type);
  if (!writes) l_.assign_parts(result.parts, type, l_.zero_of(type).parts);
  where(b, inside, text.range, [&] {
    if (writes)
      l_.store(place, *written, text);
    else
      l_.assign_parts(result.parts, type, l_.load(place, text).parts);
  });
  return writes ? void_result() : l_.settled(l_.rvalue(result, text));
}

}  // namespace warplens::sim::lower
