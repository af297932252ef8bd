// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: boxes that a tensor map describes.
#include <algorithm>

#include "sim/lower/ptx/ptx_lowering.h"
#include "sim/lower/tensor_copy.h"

namespace warplens::sim::lower {

std::optional<ScalarType> atomic_type(std::string_view name) {
  if (name == "f16") return ScalarType::F16;
  if (name == "bf16") return ScalarType::BF16;
  const auto type = ptx_type(name);
  return type && size_of(*type) >= 4 ? type : std::nullopt;
}

std::optional<AtomicFunction> PtxLowering::combining(const Instruction& i) const {
  using enum AtomicFunction;
  constexpr std::pair<std::string_view, AtomicFunction> kNames[] = {{"add", Add}, {"min", Min}, {"max", Max},
                                                                    {"inc", Inc}, {"dec", Dec}, {"and", And},
                                                                    {"or", Or},   {"xor", Xor}};
  for (const auto& [name, function] : kNames)
    if (i.has(name)) return function;
  return {};
}

// .2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [to], [map, {x, y}], [barrier]; and back,
// .2d.global.shared::cta.tile.bulk_group [map, {x, y}], [from].
bool PtxLowering::copy_tensor_box(const Instruction& i) {
  if (i.has("prefetch")) return true;
  constexpr std::size_t kMostDimensions = 3;
  std::size_t rank = 0;
  for (std::size_t d = 1; d <= kMostDimensions; ++d)
    if (i.has(std::to_string(d) + "d")) rank = d;
  const auto global = std::find(i.parts.begin(), i.parts.end(), "global");
  const bool reduces = i.has("reduce");
  const bool to_global =
      global != i.parts.end() && global + 1 != i.parts.end() && (global + 1)->starts_with("shared");
  const bool is_known = rank != 0 && global != i.parts.end() && i.has("multicast::cluster") == false &&
                        std::none_of(i.parts.begin(), i.parts.end(),
                                     [](const std::string& part) { return part.starts_with("im2col"); });
  if (!is_known || (reduces && !to_global)) return refuse(i);
  if (!takes(i, to_global ? 2 : 3, 4)) return false;
  const Operand &of_map = i.operands[to_global ? 0 : 1], &of_tile = i.operands[to_global ? 1 : 0];
  const bool are_addresses = of_map.kind == Operand::Kind::Address && of_tile.kind == Operand::Kind::Address;
  if (!are_addresses || of_map.coordinates.size() != rank)
    return complain(Message("'{}' takes a tensor map with {} coordinates", i.text, rank));
  const auto place = address(of_map, false), tile = address(of_tile, true);
  if (!place || !tile || failed_) return false;
  const bool is_plain = place->terms.empty() && place->offset == 0;
  TensorMap* map = is_plain ? l_.tensor_map_at(place->base) : nullptr;
  if (map == nullptr)
    return complain(
        Message("which tensor map '{}' uses is not known when compiling", i.text),
        Message("give it the address of a parameter of the kernel: const __grid_constant__ CUtensorMap map"));
  if (!l_.give_element(*map, range_)) return failed_ = true, false;
  TensorCopy copy;
  copy.base = map->base;
  copy.element = map->element;
  copy.bytes = size_of(map->element);
  copy.numbers = l_.numbers_of(*map, rank);
  for (const Operand& given : of_map.coordinates) {
    const Value coordinate = read(given, ScalarType::I32);
    if (coordinate == kNone) return false;
    copy.coordinates.push_back(coordinate);
  }
  const Value window = number(kSharedWindow, ScalarType::U64);
  const Value shared = b_.op(Opcode::Sub, ScalarType::U64, b_.address_value(*tile), window);
  copy.shared = b_.convert(shared, ScalarType::U64, ScalarType::U32);
  copy.to_shared = !to_global;
  if (reduces) {
    copy.combines = combining(i);
    const ScalarType type = map->element;
    if (!copy.combines || size_of(type) == 1 || type == ScalarType::U16) return refuse(i);
  }
  copy.text = text_of(i, of_map);
  copy.text.form = AccessForm::Bulk;
  l_.warn_of_bulk(range_);
  const Value bytes = copy_tensor(b_, copy);
  return to_global || complete(i.operands[2], bytes) || refuse(i);
}

}  // namespace warplens::sim::lower
