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

}  // namespace warplens::scene
