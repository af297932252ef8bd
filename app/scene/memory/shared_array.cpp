#include "app/scene/memory/shared_array.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>

namespace warplens::scene {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '(')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == ')')) text.remove_suffix(1);
  return text;
}

bool as_number(std::string_view text, std::int64_t* value) {
  while (!text.empty() && (text.back() == 'u' || text.back() == 'U')) text.remove_suffix(1);
  const auto result = std::from_chars(text.data(), text.data() + text.size(), *value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size() && !text.empty();
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
  const std::string_view added = trimmed(std::string_view(text).substr(plus + 1));
  std::int64_t value = 0;
  if (as_number(added, &value)) return words_of(value, array);
  for (const auto& [name, number] : names) {
    if (lower(name) == lower(added)) return words_of(number, array);
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
