// Something said about a measurement, in no language yet: a key of assets/languages/measure.*.json and its
// values. The app and the command line put it into words.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/protocol/measurement.h"

namespace warplens::measure {

struct Remark {
  std::string key;                            // "result.wrong"
  std::map<std::string, std::string> values;  // "differing" -> "4,096"
  friend bool operator==(const Remark&, const Remark&) = default;
};

// `text_of` gives a key's text, with {name} where a value goes: language::Strings is one.
std::string in_words(const Remark& remark, const std::function<std::string(std::string_view)>& text_of);

std::string grouped_number(double value);  // 2097152 -> "2,097,152"; what is no whole number with two digits

struct Measurement;
// "result.wrong": the first differing element of a measurement whose output failed its check.
Remark wrong_result(const Measurement& measurement);

}  // namespace warplens::measure
