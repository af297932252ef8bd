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
  std::string key;                            // "difference.loads"
  std::map<std::string, std::string> values;  // "before" -> "4,096"
  friend bool operator==(const Remark&, const Remark&) = default;
};

// `text_of` gives a key's text, with {name} where a value goes: language::Strings is one.
std::string in_words(const Remark& remark, const std::function<std::string(std::string_view)>& text_of);

std::string grouped_number(double value);  // 2097152 -> "2,097,152"; what is no whole number with two digits

struct Measurement;
// "result.wrong": the first differing element of a measurement whose output failed its check.
Remark wrong_result(const Measurement& measurement);

// What the compiler made of a kernel: the difference between a measurement as written and one as optimised, in
// instructions executed, machine code, registers and time. Which accesses those are is seen as compiled.
//
//   for (const Remark& remark : mode_difference(written, optimised)) say(in_words(remark, strings));

// Both of one text and one launch; an empty list where they are of different ones. Counts that changed come
// first, then registers, machine code and the time. Keys begin with "difference.".
std::vector<Remark> mode_difference(const Measurement& as_written, const Measurement& as_optimised);

// The same text, kernel, launch and arguments, whatever the mode.
bool same_but_mode(const Measurement& a, const Measurement& b);

}  // namespace warplens::measure
