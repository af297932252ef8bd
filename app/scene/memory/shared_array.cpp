#include "app/scene/memory/shared_array.h"

#include <algorithm>
#include <numeric>

#include "sim/base/numbers.h"
#include "sim/text/scan.h"

namespace warplens::scene {
namespace {

bool as_number(std::string_view text, std::int64_t* value) {
  const auto number = number_in<std::int64_t>(text.substr(0, text.find_last_not_of("uU") + 1));
  if (number) *value = *number;
  return number.has_value();
}

int words_of(std::int64_t elements, const sim::SharedArray& array) {
  if (elements <= 0 || array.extents.empty() || elements >= array.extents.back()) return 0;
  return static_cast<int>(elements * array.element_bytes / 4);
}

const sim::SharedArray* find_array(const BankView& view, memory::Address lowest) {
  if (view.program == nullptr) return nullptr;
  const auto& arrays = view.program->shared_arrays;
  if (view.site != nullptr && !view.site->array.empty()) {
    for (const auto& array : arrays)
      if (array.name == view.site->array) return &array;
  }
  for (const auto& array : arrays) {
    const auto begin = static_cast<memory::Address>(array.offset);
    if (lowest >= begin &&
        lowest < begin + static_cast<memory::Address>(std::max<std::int64_t>(array.bytes, 1)))
      return &array;
  }
  return nullptr;
}

// "float tile[16][32 + 2]": figures, with the padding told apart.
std::string declaration_of(const sim::SharedArray& array, int padding_words) {
  std::string text = array.element_text + " " + array.name;
  for (std::size_t i = 0; i < array.extents.size(); ++i) {
    const std::int64_t extent = array.extents[i];
    const std::int64_t padding =
        i + 1 == array.extents.size() ? padding_words * 4 / std::max(1, array.element_bytes) : 0;
    text += "[";
    if (extent > 0)
      text += std::to_string(extent - padding) + (padding > 0 ? " + " + std::to_string(padding) : "");
    text += "]";
  }
  return text;
}

}  // namespace

int padding_words(const sim::SharedArray& array, const std::map<std::string, std::int64_t>& names) {
  if (array.extent_texts.empty()) return 0;
  const std::string& text = array.extent_texts.back();
  const std::size_t plus = text.rfind('+');
  if (plus == std::string::npos) return 0;
  const std::string_view added = text::trimmed(std::string_view(text).substr(plus + 1), " ()");
  std::int64_t value = 0;
  if (as_number(added, &value)) return words_of(value, array);
  for (const auto& [name, number] : names) {
    if (text::lower_case(name) == text::lower_case(added)) return words_of(number, array);
  }
  return 0;
}

WordKind ArrayPlace::kind_of(memory::Address word) const {
  if (word + 4 <= begin || word >= end) return WordKind::Outside;
  if (padding_words <= 0 || row_bytes <= 0 || word < begin) return WordKind::Element;
  const auto in_row = static_cast<std::int64_t>((word - begin) % static_cast<memory::Address>(row_bytes));
  return in_row >= row_bytes - 4 * padding_words ? WordKind::Padding : WordKind::Element;
}

ArrayPlace shared_array_of(const BankView& view, const memory::WarpAccess& access) {
  memory::Address lowest = ~memory::Address{0}, highest = 0;
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    lowest = std::min(lowest, access.addresses[static_cast<std::size_t>(lane)]);
    highest = std::max(highest, access.addresses[static_cast<std::size_t>(lane)]);
  }
  if (lowest > highest) lowest = highest = 0;
  const memory::Address touched_end = highest + static_cast<memory::Address>(access.bytes);
  ArrayPlace place;
  const sim::SharedArray* array = find_array(view, lowest);
  if (array == nullptr) {
    place.begin = lowest / 128 * 128;
    place.end = (touched_end + 127) / 128 * 128;
    return place;
  }
  place.name = array->name;
  place.element_bytes = std::max(1, array->element_bytes);
  place.begin = static_cast<memory::Address>(std::max<std::int64_t>(array->offset, 0));
  place.end = place.begin + static_cast<memory::Address>(std::max<std::int64_t>(array->bytes, 0));
  if (array->bytes <= 0)
    place.end = std::max(place.begin + 128, (touched_end + 127) / 128 * 128);  // dynamic: what is known of it
  if (array->extents.size() >= 2 && array->extents.back() > 0)
    place.row_bytes = array->extents.back() * array->element_bytes;
  place.padding_words =
      view.padding_words_per_row >= 0 ? view.padding_words_per_row : padding_words(*array, {});
  if (place.row_bytes == 0 || 4 * std::int64_t{place.padding_words} >= place.row_bytes)
    place.padding_words = 0;
  for (const sim::AccessSite& site : view.program->sites) {
    if (site.space != sim::SiteSpace::Global && site.array == array->name)
      place.unit_words = std::max(place.unit_words, site.bytes / 4);
  }
  place.declaration = declaration_of(*array, place.padding_words);
  return place;
}

TitleParts bank_title(const Pen& pen, const BankView& view, const memory::WarpAccess& access,
                      const ArrayPlace& array) {
  static constexpr const char* kOps[] = {"scene.op.load", "scene.op.store", "scene.op.atomic",
                                         "scene.op.reduction"};
  const std::string op = pen.text(kOps[static_cast<std::size_t>(access.op) & 3]);
  const std::string text = view.site != nullptr ? view.site->text : array.name;
  return {pen.text("scene.bank.title", {{"op", op}}), text, array.declaration};
}

}  // namespace warplens::scene
