// tex, suld.b and sust.b of textures and surfaces of one to three dimensions, which are parameters of the
// kernel. They are what CUDA C++ makes them from: builtins/texture.cpp.
#include <algorithm>

#include "sim/lower/ptx/ptx_lowering.h"

namespace warplens::sim::lower {

// The texture or surface whose object the operand holds.
Texture& PtxLowering::texture_of(const Instruction& i, const Operand& operand) {
  const Value base =
      operand.kind == Operand::Kind::Address && operand.number == 0 ? base_of_object(operand) : kNone;
  for (Texture& texture : l_.textures.all())
    if (base != kNone && texture.base == base && texture.is_surface == (i.name() != "tex")) return texture;
  complain(Message("which texture '{}' uses is not known when compiling", i.text),
           Message("give it a parameter of the kernel"));
}

// Of three dimensions PTX gives four coordinates.
std::vector<Value> PtxLowering::read_coordinates(const Instruction& i, const Operand& operand,
                                                 std::size_t dimensions, ScalarType type) {
  if (operand.coordinates.size() != (dimensions == 3 ? 4 : dimensions)) refuse(i);
  std::vector<Value> values;
  for (std::size_t k = 0; k < dimensions; ++k)
    values.push_back(b_.settled(type, read(operand.coordinates[k], type)));
  return values;
}

// tex.2d.v4.f32.f32 {r, g, b, a}, [texture, {x, y}]; of tex1Dfetch() tex.1d.v4.f32.s32
void PtxLowering::fetch_texture(const Instruction& i) {
  const std::size_t dimensions = dimensions_of(i);
  const bool is_whole = i.last() == "s32";
  if (i.parts.size() != 5 || dimensions == 0 || i.parts[2] != "v4" ||
      (is_whole ? dimensions != 1 : i.last() != "f32"))
    return refuse(i);
  const auto given = ptx_type(i.parts[3]);
  if (!given || size_of(*given) != 4) return refuse(i);
  takes(i, 2, 2);
  const Operand &to = i.operands[0], &from = i.operands[1];
  if (to.parts.size() != 4) refuse(i);
  Texture& texture = texture_of(i, from);
  const std::vector<Value> coordinates =
      read_coordinates(i, from, dimensions, is_whole ? ScalarType::I32 : ScalarType::F32);
  const ScalarType held = scalar_of(first_leaf(texture.element));
  const int count = static_cast<int>(size_of(texture.element)) / size_of(held);
  texture.normalizes = is_floating(*given) && !is_floating(held) && size_of(held) < 4;
  const TypeRef type = texture.normalizes ? l_.textures.texel_type(*given, count) : texture.element;
  AccessText text = text_of(i, from);
  text.form = AccessForm::Texture;
  l_.textures.set_fetch_text(&text);
  Result found;
  if (is_whole) {
    found = l_.textures.fetch(texture, type, coordinates[0], text);
  } else {
    std::vector<Value> whole;
    for (const Value coordinate : coordinates) whole.push_back(l_.textures.texel_of(coordinate));
    l_.textures.warn_of_arrays(texture, range_);
    found = l_.textures.sample(texture, type, coordinates, whole, range_);
  }
  l_.textures.set_fetch_text(nullptr);
  const ScalarType part = scalar_of(first_leaf(type));
  for (std::size_t k = 0; k < 4; ++k) {
    const bool is_there = k < found.parts.size();
    const Value value = is_there ? found.parts[k] : b_.ir.constant(part, 0);
    write(to.parts[k], *given,
          size_of(part) < 4 ? b_.convert(value, part, *given) : cast(value, part, *given));
  }
}

// suld.b.2d.v2.b32.trap {a, b}, [surface, {x, y}]; sust.b.2d.v2.b32.trap [surface, {x, y}], {a, b}
void PtxLowering::access_surface(const Instruction& i) {
  constexpr std::pair<std::string_view, Boundary> kBoundaries[] = {
      {"trap", Boundary::Trap}, {"clamp", Boundary::Clamp}, {"zero", Boundary::Zero}};
  const auto mode = std::ranges::find(kBoundaries, i.last(), &std::pair<std::string_view, Boundary>::first);
  const std::size_t dimensions = dimensions_of(i), parts = i.parts.size();
  if (parts < 5 || parts > 6 || i.parts[1] != "b" || dimensions == 0 || mode == std::end(kBoundaries))
    return refuse(i);
  const auto type = ptx_type(i.parts[parts - 2]);
  const int count = parts == 5 ? 1 : i.has("v2") ? 2 : i.has("v4") ? 4 : 0;
  if (!type || size_of(*type) > 4 || count == 0) return refuse(i);
  takes(i, 2, 2);
  const bool writes = i.name() == "sust";
  const Operand &place = i.operands[writes ? 0 : 1], &values = i.operands[writes ? 1 : 0];
  Texture& surface = texture_of(i, place);
  std::vector<Value> indices = read_coordinates(i, place, dimensions, ScalarType::I32);
  const TypeRef element = l_.textures.texel_type(*type, count);
  l_.textures.give_element(surface, element, range_);
  AccessText text = text_of(i, place);
  text.form = AccessForm::Surface;
  Result written{Result::Kind::Rvalue, element, {}, {}};
  if (writes) written.parts = read_all(values, *type);
  if (writes && written.parts.size() != static_cast<std::size_t>(count)) refuse(i);
  l_.textures.warn_of_arrays(surface, range_);
  const Result found = l_.textures.access(surface, element, mode->second, std::move(indices),
                                          writes ? &written : nullptr, text);
  if (writes) return;
  for (std::size_t k = 0; k < found.parts.size(); ++k)
    write(count == 1 && values.kind != Operand::Kind::Vector ? values : values.parts[k], *type,
          found.parts[k]);
}

}  // namespace warplens::sim::lower
