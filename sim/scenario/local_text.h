// Texts in several languages, as people write them in JSON: "padding", or {"en": "padding", "zh-CN": "填充"}.
#pragma once

#include <string>
#include <string_view>

#include "sim/scenario/json_document.h"
#include "sim/scenario/scenario.h"

namespace warplens::scenario {

// English must be there. An absent member gives {"en": fallback} without complaint.
LocalText read_words(const JsonValue& object, std::string_view member, std::string fallback = {});
LocalText required_words(const JsonValue& object, std::string_view member);
LocalText words_in(const JsonValue& value, std::string fallback = {});

}  // namespace warplens::scenario
