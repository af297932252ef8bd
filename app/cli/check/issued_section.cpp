#include "app/cli/check/issued_section.h"

#include <algorithm>
#include <array>
#include <functional>

#include "sim/report/output/table.h"

namespace warplens::cli {
namespace {

// Requests and sectors of loads and stores: those of atomics are a model.
struct Tally {
  std::size_t rows = 0, counts = 0, equal = 0, literal = 0;
};

using Takes = std::function<bool(const CorrelationRow&)>;

Tally tally_of(const Correlation& correlation, const Takes& takes) {
  Tally sum;
  for (const CorrelationRow& row : correlation.rows) {
    if (!takes(row)) continue;
    ++sum.rows;
    for (const Point& point : row.points) {
      const bool plain = point.what.starts_with("load ") || point.what.starts_with("store ");
      if (point.quantity == Quantity::Wavefronts || !plain) continue;
      ++sum.counts;
      sum.equal += point.is_equal() ? 1 : 0;
      sum.literal += point.literal == point.measured ? 1 : 0;
    }
  }
  return sum;
}

std::string line_of(const std::string& what, const Tally& sum) {
  const auto n = [](std::size_t count) { return report::grouped(count); };
  return "| " + what + " | " + n(sum.rows) + " | " + n(sum.counts) + " | " + n(sum.equal) + " | " +
         n(sum.literal) + " |\n";
}

struct Kind {
  const char* name;
  const char* words;
};
constexpr std::array kKinds{
    Kind{kJoined, "members of one object are one access"},
    Kind{"unread", "what nothing needs is not loaded"},
    Kind{"known", "what is known already is not loaded again"},
    Kind{"each_turn", "what no turn of a loop changes is loaded once, in front of it"},
    Kind{"unchanged", "what lies there already is not stored"},
    Kind{"overwritten", "what the next store overwrites is not stored"}};

}  // namespace

std::string issued_section(const Correlation& correlation) {
  const Tally made = tally_of(correlation, [](const CorrelationRow& row) { return !row.made.empty(); });
  const Tally left = tally_of(correlation, [](const CorrelationRow& row) { return row.made.empty(); });
  std::string text =
      "## Accesses as compilers issue them\n\n"
      "Predicted are the accesses to global memory that [compilers make of the text]"
      "(language.md#accesses-that-compilers-make). The last column\n"
      "counts each access that is in the text (`--literal`): where it has less than the one before, what "
      "compilers make of the text is what\n"
      "makes prediction and counter equal. Counts are requests and sectors of loads and stores; a "
      "measurement "
      "stands in each row that\n"
      "it is an example of.";
  if (made.rows == 0) text += " Of these kernels compilers make each access of the text.";
  text +=
      "\n\n| what compilers do | measurements | counts | equal as issued | equal as in the text |\n"
      "|---|--:|--:|--:|--:|\n";
  for (const Kind& kind : kKinds) {
    const auto is = [&](const CorrelationRow& row) { return row.made.contains(kind.name); };
    if (const Tally sum = tally_of(correlation, is); sum.rows > 0) text += line_of(kind.words, sum);
  }
  if (made.rows > 0) text += line_of("any of these", made);
  return text + line_of("they make each access of the text", left) + "\n";
}

}  // namespace warplens::cli
