// Numbers among the options of both programs: decimal or 0x..., nothing around them, within a range. CLI11's
// own conversions take "010" for 8, -1 for 2^64 - 1, and let NaN pass every range.
#pragma once

#include <CLI/CLI.hpp>
#include <limits>
#include <string>
#include <type_traits>

#include "sim/scenario/target.h"

namespace warplens::cli {

inline constexpr int kMostNumber = std::numeric_limits<int>::max();

// `*target` keeps its value where the option is left out.
template <typename T>
CLI::Option* add_number(CLI::App& app, const std::string& name, T* target, T least, T most,
                        const std::string& description, const std::string& left_out = "") {
  const auto read = [=](const std::string& text) {
    constexpr bool kReal = std::is_floating_point_v<T>;
    const std::string what = name.substr(name.rfind(',') + 1);
    const auto take = [&](const auto& parsed) {
      if (!parsed)
        throw CLI::ValidationError(parsed.errors.front().english(), CLI::ExitCodes::ValidationError);
      *target = static_cast<T>(*parsed.value);
    };
    if constexpr (kReal) {
      take(scenario::parse_real(text, what, least, most));
    } else {
      constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
      const bool wide =
          sizeof(T) == 8 && static_cast<std::uint64_t>(most) > static_cast<std::uint64_t>(kMost);
      take(scenario::parse_whole(text, what, static_cast<std::int64_t>(least),
                                 wide ? kMost : static_cast<std::int64_t>(most)));
    }
  };
  CLI::Option* option = app.add_option_function<std::string>(name, read, description);
  option->type_name("NUMBER");
  if (!left_out.empty()) option->default_str(left_out);
  return option;
}

}  // namespace warplens::cli
