#include "app/source/host/arguments.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "app/source/host/words.h"
#include "sim/lower/lower.h"

namespace warplens::app {
namespace {

class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text), words_(words_of(text)), out_(text) {}

  std::string run() {
    for (std::size_t i = 0; i + 1 < words_.size(); ++i)
      if (words_[i] == "if" && words_[i + 1] == "(" && (i == 0 || words_[i - 1] != "#")) decide(i);
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kNoEnd = static_cast<std::size_t>(-1);

  void decide(std::size_t i) {
    const std::size_t close = closing(words_, i + 1);
    const std::optional<bool> holds = value_of(i + 2, close);
    if (!holds) return;
    const std::size_t then = statement(close + 1), then_end = end_of(then);
    if (then_end == kNoEnd) return;
    const std::size_t otherwise = statement(then_end);
    const bool has_else = otherwise < words_.size() && words_[otherwise] == "else";
    const std::size_t else_begin = has_else ? statement(otherwise + 1) : then_end;
    const std::size_t else_end = has_else ? end_of(else_begin) : then_end;
    if (else_end == kNoEnd) return;
    // What stays is a statement by itself.
    blank(i, then);
    if (*holds && has_else) blank(otherwise, else_end);
    if (!*holds) blank(then, else_begin);
  }

  std::optional<bool> value_of(std::size_t begin, std::size_t end) const {
    if (std::find(words_.begin() + static_cast<std::ptrdiff_t>(begin),
                  words_.begin() + static_cast<std::ptrdiff_t>(end),
                  "argc") == words_.begin() + static_cast<std::ptrdiff_t>(end))
      return {};
    const auto value = sim::evaluate_integer(join(words_, begin, end), {{"argc", 1}}).value;
    return value ? std::optional<bool>(*value != 0) : std::nullopt;
  }

  std::size_t statement(std::size_t i) const {
    while (i < words_.size() && words_[i] == "\n") ++i;
    return i;
  }
  // Behind the statement at i; kNoEnd where the text has none, or where it is one of several.
  std::size_t end_of(std::size_t i) const {
    static const std::set<std::string_view> kOfSeveral{"if", "for", "while", "do", "switch", "try"};
    if (i >= words_.size() || kOfSeveral.contains(words_[i])) return kNoEnd;
    if (words_[i] == "{") {
      const std::size_t close = closing(words_, i);
      return close < words_.size() ? close + 1 : kNoEnd;
    }
    int depth = 0;
    for (std::size_t k = i; k < words_.size(); ++k) {
      depth += nesting(words_[k]);
      if (depth < 0) break;
      if (depth == 0 && words_[k] == ";") return k + 1;
    }
    return kNoEnd;
  }

  void blank(std::size_t begin, std::size_t end) {
    const std::size_t from = place_of(begin), to = place_of(end);
    for (std::size_t at = from; at < to; ++at)
      if (out_[at] != '\n') out_[at] = ' ';
  }
  // Of the word's first character in the text. The end of a line has none.
  std::size_t place_of(std::size_t i) const {
    i = statement(i);
    return i < words_.size() ? static_cast<std::size_t>(words_[i].data() - text_.data()) : text_.size();
  }

  const std::string_view text_;
  const Words words_;
  std::string out_;
};

}  // namespace

std::string without_arguments(std::string_view text) {
  return Blanker(text).run();
}

}  // namespace warplens::app
