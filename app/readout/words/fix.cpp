#include "app/readout/words/fix.h"

#include "app/readout/comparison/result.h"

namespace warplens::app {

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
