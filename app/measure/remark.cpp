#include "app/measure/remark.h"

#include <cmath>

#include "kernels/protocol/measurement.h"
#include "sim/base/numbers.h"

namespace warplens::measure {

std::string in_words(const Remark& remark, const std::function<std::string(std::string_view)>& text_of) {
  const std::string text = text_of(remark.key);
  std::string words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '{' ? text.find('}', at) : std::string::npos;
    const auto value = end == std::string::npos ? remark.values.end()
                                                : remark.values.find(text.substr(at + 1, end - at - 1));
    if (value == remark.values.end()) {
      words += text[at++];
      continue;
    }
    words += value->second;
    at = end + 1;
  }
  return words;
}

Remark wrong_result(const Measurement& m) {
  return {"result.wrong",
          {{"buffer", m.check.buffer},
           {"element", std::to_string(m.check.element)},
           {"got", m.check.got},
           {"expected", m.check.expected},
           {"differing", grouped_number(static_cast<double>(m.check.differing))},
           {"compared", grouped_number(static_cast<double>(m.check.compared))}}};
}

std::string grouped_number(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  return grouped_text(fixed(value, whole ? 0 : 2));
}

}  // namespace warplens::measure
