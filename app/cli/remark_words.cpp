#include "app/cli/remark_words.h"

#include "app/language/strings.h"
#include "sim/scenario/scenario.h"

namespace warplens::cli {

std::string lines_of(const std::vector<measure::Remark>& remarks, const std::string& indent) {
  std::string error;
  const auto strings = language::Strings::load(scenario::data_folder("assets") / "languages", "en", &error);
  std::string text;
  for (const measure::Remark& remark : remarks)
    text += indent + measure::in_words(remark, [&](std::string_view key) { return strings(key); }) + "\n";
  return text;
}

}  // namespace warplens::cli
