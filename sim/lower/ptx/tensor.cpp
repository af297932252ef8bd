// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: boxes that a tensor map describes.
#include <algorithm>

#include "sim/lower/memory/tensor_copy.h"
#include "sim/lower/ptx/ptx_lowering.h"

namespace warplens::sim::lower {

std::optional<ScalarType> atomic_type(std::string_view name) {
  if (name == "f16") return ScalarType::F16;
  if (name == "bf16") return ScalarType::BF16;
  const auto type = ptx_type(name);
  return type && size_of(*type) >= 4 ? type : std::nullopt;
}

std::optional<AtomicFunction> PtxLowering::combining(const Instruction& i) const {
  using enum AtomicFunction;
  static constexpr Word<AtomicFunction> kNames[] = {{"add", Add}, {"min", Min}, {"max", Max}, {"inc", Inc},
                                                    {"dec", Dec}, {"and", And}, {"or", Or},   {"xor", Xor}};
  return meaning_in(i, kNames);
}

std::size_t PtxLowering::dimensions_of(const Instruction& i) {
  constexpr std::size_t kMost = 3;
  for (std::size_t d = 1; d <= kMost; ++d)
    if (i.has(std::to_string(d) + "d")) return d;
  return 0;
}

namespace {

bool is_im2col(const std::string& part) {
  return part.starts_with("im2col");
}

}  // namespace

Value PtxLowering::base_of_map(const Operand& operand) {
  const Address place = address(operand, Space::Generic);
  return place.terms.empty() && place.offset == 0 ? place.base : kNone;
}

// The map whose address the operand is.
TensorMap& PtxLowering::tensor_map(const Instruction& i, const Operand& operand) {
  const Value base = base_of_map(operand);
  TensorMap* map = base != kNone ? l_.tensor_maps.tensor_map_at(base) : nullptr;
  if (map == nullptr)
    complain(
        Message("which tensor map '{}' uses is not known when compiling", i.text),
        Message("give it the address of a parameter of the kernel: const __grid_constant__ CUtensorMap map"));
  l_.tensor_maps.give_element(*map, range_);
  return *map;
}

// .2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [to], [map, {x, y}], [barrier]; and back,
// .2d.global.shared::cta.tile.bulk_group [map, {x, y}], [from].
void PtxLowering::copy_tensor_box(const Instruction& i) {
  if (i.has("prefetch")) return nothing(i);
  const std::size_t rank = dimensions_of(i);
  const auto global = std::ranges::find(i.parts, "global");
  const bool reduces = i.has("reduce"), is_named = global != i.parts.end();
  const bool to_global = is_named && global + 1 != i.parts.end() && (global + 1)->starts_with("shared");
  const bool is_known =
      rank != 0 && is_named && !i.has("multicast::cluster") && std::ranges::none_of(i.parts, is_im2col);
  if (!is_known || (reduces && !to_global)) return refuse(i);
  takes(i, to_global ? 2 : 3, 4);
  const Operand &of_map = i.operands[to_global ? 0 : 1], &of_tile = i.operands[to_global ? 1 : 0];
  const bool are_addresses = of_map.kind == Operand::Kind::Address && of_tile.kind == Operand::Kind::Address;
  if (!are_addresses || of_map.coordinates.size() != rank)
    complain(Message("'{}' takes a tensor map with {} coordinates", i.text, rank));
  TensorMap& map = tensor_map(i, of_map);
  TensorCopy copy{.base = map.base, .bytes = size_of(map.element), .element = map.element};
  copy.numbers = l_.tensor_maps.numbers_of(map, rank);
  copy.to_shared = !to_global;
  if (reduces) copy.combines = combining(i);
  const bool combines_words = size_of(map.element) > 1 && map.element != ScalarType::U16;
  if (reduces && (!copy.combines || !combines_words)) return refuse(i);
  for (const Operand& given : of_map.coordinates) copy.coordinates.push_back(read(given, ScalarType::I32));
  const auto tile = address(of_tile, Space::Shared);
  const Number generic(b_, ScalarType::U64, b_.address_value(tile));
  copy.shared = (generic - kSharedWindow).to(ScalarType::U32);
  copy.text = text_of(i, of_map);
  copy.text.form = AccessForm::Bulk;
  l_.async_copies.warn_of_bulk(range_);
  const Number bytes = copy_tensor(b_, copy);
  if (!to_global) complete(i, 2, bytes);
}

}  // namespace warplens::sim::lower
