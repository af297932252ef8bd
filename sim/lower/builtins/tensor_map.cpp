// Tensor maps as parameters of kernels: `const __grid_constant__ CUtensorMap map`, `const CUtensorMap* map`.
#include <algorithm>
#include <array>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

namespace {

using Word = std::string_view;

constexpr std::array<std::pair<Word, ScalarType>, 13> kElements{
    {{"CU_TENSOR_MAP_DATA_TYPE_UINT8", ScalarType::U8},
     {"CU_TENSOR_MAP_DATA_TYPE_UINT16", ScalarType::U16},
     {"CU_TENSOR_MAP_DATA_TYPE_UINT32", ScalarType::U32},
     {"CU_TENSOR_MAP_DATA_TYPE_INT32", ScalarType::I32},
     {"CU_TENSOR_MAP_DATA_TYPE_UINT64", ScalarType::U64},
     {"CU_TENSOR_MAP_DATA_TYPE_INT64", ScalarType::I64},
     {"CU_TENSOR_MAP_DATA_TYPE_FLOAT16", ScalarType::F16},
     {"CU_TENSOR_MAP_DATA_TYPE_BFLOAT16", ScalarType::BF16},
     {"CU_TENSOR_MAP_DATA_TYPE_FLOAT32", ScalarType::F32},
     {"CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ", ScalarType::F32},
     {"CU_TENSOR_MAP_DATA_TYPE_TFLOAT32", ScalarType::F32},
     {"CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ", ScalarType::F32},
     {"CU_TENSOR_MAP_DATA_TYPE_FLOAT64", ScalarType::F64}}};
constexpr std::array<std::pair<Word, std::int64_t>, 4> kSwizzles{{{"CU_TENSOR_MAP_SWIZZLE_NONE", 0},
                                                                  {"CU_TENSOR_MAP_SWIZZLE_32B", 32},
                                                                  {"CU_TENSOR_MAP_SWIZZLE_64B", 64},
                                                                  {"CU_TENSOR_MAP_SWIZZLE_128B", 128}}};

}  // namespace

TensorMapSettings tensor_map_settings(std::string_view text) {
  TensorMapSettings found;
  found.element = the_one_named<ScalarType>(text, kElements, {});
  found.swizzle = the_one_named<std::int64_t>(text, kSwizzles, 0);
  found.is_interleaved = text::names_word(text, "CU_TENSOR_MAP_INTERLEAVE_16B") ||
                         text::names_word(text, "CU_TENSOR_MAP_INTERLEAVE_32B");
  found.fills_nan = text::names_word(text, "CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA");
  return found;
}

bool TensorMaps::is_tensor_map(TypeRef type) const {
  if (type->is_pointer()) type = type->element;
  return type->is(Type::Kind::Record) && type->record->is_tensor_map;
}

// By value an object in memory, whose address is that of its elements; by pointer that address.
Result TensorMaps::new_tensor_map(TypeRef type, KernelParameter described) {
  described.type_text = name_of(type);
  const Value base = add_tensor_map(std::move(described), l_.text());
  if (type->is_pointer()) return value(types.plain(type), base);
  return {Kind::Memory, types.with_const(type, true), {}, Address{base, {}, 0}};
}

// Its address. `host_code` says what it holds.
Value TensorMaps::add_tensor_map(KernelParameter described, std::string_view host_code) {
  if (!tensor_map_settings_) tensor_map_settings_ = tensor_map_settings(host_code);
  TensorMap map;
  map.name = described.name;
  map.parameter = l_.program().parameters.size();
  described.is_pointer = described.is_texture = true;
  described.type = tensor_map_settings_->element.value_or(ScalarType::F16);
  described.element_bytes = sim::size_of(described.type);
  map.base = add_parameter(b, l_.program(), std::move(described), ScalarType::U64);
  tensor_maps_.push_back(std::move(map));
  return tensor_maps_.back().base;
}

// Null where an address is none of a map.
TensorMap* TensorMaps::tensor_map_at(Value address) {
  const auto found = std::ranges::find(tensor_maps_, address, &TensorMap::base);
  return found == tensor_maps_.end() ? nullptr : &*found;
}

// Before its first copy.
void TensorMaps::give_element(TensorMap& map, const cuda::SourceRange& range) {
  const TensorMapSettings& set = *tensor_map_settings_;
  if (!set.element)
    fail(range,
         Message("what '{}' holds is not known: the file's host code does not name one type of its elements",
                 map.name),
         Message("write the call that makes it into the file: cuTensorMapEncodeTiled(&{}, "
                 "CU_TENSOR_MAP_DATA_TYPE_FLOAT16, ...)",
                 map.name));
  if (set.is_interleaved)
    fail(range, Message("interleaved tensor maps are not simulated"),
         Message("use CU_TENSOR_MAP_INTERLEAVE_NONE"));
  if (set.fills_nan)
    fail(range, Message("a tensor map that fills with NaN is not simulated"),
         Message("use CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE, which fills with zeros"));
  map.element = *set.element;
}

TensorCopy::Numbers TensorMaps::numbers_of(TensorMap& map, std::size_t dimensions) {
  constexpr const char* kExtents[] = {".width", ".height", ".depth"};
  constexpr const char* kBox[] = {".box_width", ".box_height", ".box_depth"};
  TensorCopy::Numbers numbers;
  const auto number = [&](const char* name, ScalarType type, std::optional<std::int64_t> fallback) {
    return Number(b, type, host_number(b, l_.program(), map.parameter, name, type, fallback));
  };
  for (std::size_t d = 0; d < dimensions; ++d) {
    numbers.extents.push_back(number(kExtents[d], ScalarType::I32, std::nullopt));
    numbers.box.push_back(number(kBox[d], ScalarType::I32, std::nullopt));
  }
  numbers.swizzle = number(".swizzle", ScalarType::I32, tensor_map_settings_->swizzle);
  // A pitch of 0 bytes means that rows, and slices, lie side by side.
  constexpr ScalarType kWide = ScalarType::I64;
  const auto given_or = [&](const char* name, const Number& dense) {
    const Number given = number(name, kWide, 0);
    return select(given == 0u, dense, given);
  };
  if (dimensions > 1)
    numbers.pitch =
        given_or(".pitch", numbers.extents[0].to(kWide) * std::uint64_t(sim::size_of(map.element)));
  if (dimensions > 2) numbers.slice = given_or(".slice", numbers.extents[1].to(kWide) * numbers.pitch);
  if (map.dimensions < static_cast<int>(dimensions)) {
    map.dimensions = static_cast<int>(dimensions);
    auto& uses = l_.program().tensor_maps;
    std::erase_if(uses, [&](const TensorMapUse& use) { return use.parameter == map.parameter; });
    uses.push_back({map.parameter, sim::size_of(map.element), map.dimensions});
  }
  return numbers;
}

}  // namespace warplens::sim::lower
