#include "app/readout/words/fix.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sim/base/numbers.h"

namespace warplens::app {
namespace {

constexpr double kAlike = 0.005;  // counts that differ by less are told as the same
constexpr double kInTimes = 1.5;  // from here on "times", below "%"

std::string times_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text,
                value >= 99.95                     ? "%.0f"
                : value >= 1.095 || value < 0.0995 ? "%.1f"
                                                   : "%.2f",
                value);
  return text;
}

// A count, or a mean a request.
std::string amount_of(double value) {
  const long long whole = std::llround(value);
  const bool is_whole = value >= 100 || std::abs(value - static_cast<double>(whole)) < 0.005;
  return is_whole ? grouped(whole) : times_text(value);
}

}  // namespace

std::string change_words(double a, double b, const std::string& unit, const language::Strings& strings) {
  if (a == b) return {};
  if (b == 0) return strings("compare.result.none", {{"unit", unit}});
  if (a == 0) return strings("compare.result.only", {{"n", amount_of(b)}, {"unit", unit}});
  const double factor = std::max(a, b) / std::min(a, b);
  if (factor < 1 + kAlike) return {};
  const bool fewer = b < a;
  if (factor >= kInTimes)
    return strings(fewer ? "compare.result.fewer" : "compare.result.more",
                   {{"n", times_text(factor)}, {"unit", unit}});
  const double percent = 100 * std::abs(b - a) / a;
  return strings(
      fewer ? "compare.result.fewer.percent" : "compare.result.more.percent",
      {{"n", percent < 0.95 ? times_text(percent) : std::to_string(std::lround(percent))}, {"unit", unit}});
}

std::string fix_text(const Fix& fix, const Catalog& catalog, const language::Strings& strings) {
  switch (fix.kind) {
    case Fix::Kind::Padding:
      return strings("diagnosis.fix.padding", {{"n", fix.value}});
    case Fix::Kind::BlockShape:
      return strings("diagnosis.fix.block", {{"shape", fix.value}});
    case Fix::Kind::Swapped:
      return strings("diagnosis.fix.swapped");
    case Fix::Kind::Swizzle:
      return strings("diagnosis.fix.swizzle", {{"array", fix.name}});
    case Fix::Kind::Rung:
      break;
  }
  const scenario::Scenario* s = catalog.find(fix.name);
  if (s == nullptr) return fix.name;
  const scenario::LocalText& label = s->rung_label.empty() ? s->title : s->rung_label;
  return strings("diagnosis.fix.rung", {{"name", scenario::in_language(label, strings.language())}});
}

std::string fix_gain(const Fix& fix, const language::Strings& strings) {
  const std::string unit = strings(fix.shared ? "compare.count.wavefronts" : "compare.count.sectors");
  return change_words(fix.before, fix.after, unit, strings);
}

std::string fix_gain_in_full(const Fix& fix, const language::Strings& strings) {
  return strings("diagnosis.gain", {{"gain", fix_gain(fix, strings)}});
}

std::string fix_gain_in_brief(const Fix& fix, const language::Strings& strings) {
  if (fix.after == 0) return fix_gain(fix, strings);
  std::string words = change_words(fix.before, fix.after, "", strings);
  if (words.ends_with(' ')) words.pop_back();
  return words;
}

}  // namespace warplens::app
