#include "app/readout/comparison/table.h"

#include <algorithm>
#include <cmath>

#include "app/readout/comparison/result.h"
#include "app/readout/verdict.h"
#include "sim/base/numbers.h"

namespace warplens::app {
namespace {

// "÷16", "×2.5": B beside A; "→0" where nothing is left, "0→" where nothing was.
std::string factor_text(double a, double b) {
  if (a == b) return {};
  if (a <= 0 || b <= 0) return b <= 0 ? "→0" : "0→";
  const double factor = std::max(a, b) / std::min(a, b);
  return (b < a ? "÷" : "×") + without_zeros(three_figures(factor));
}

Change change_of(double a, double b, bool less_is_better) {
  if (a == b) return Change::None;
  if (!less_is_better) return Change::Other;
  return b < a ? Change::Better : Change::Worse;
}

class TableMaker {
 public:
  TableMaker(const TableInput& input, const language::Strings& strings) : in_(input), strings_(strings) {}

  std::vector<TableRow> make() {
    if (std::string words = comparison_result(in_, strings_); !words.empty()) {
      TableRow row;
      row.result = true;
      row.label = std::move(words);
      rows_.push_back(std::move(row));
    }
    add_access();
    add_grid();
    add_times();
    return std::move(rows_);
  }

 private:
  void heading(std::string label) {
    TableRow row;
    row.heading = true;
    row.label = std::move(label);
    rows_.push_back(std::move(row));
  }

  void count(std::string label, std::uint64_t a, std::uint64_t b, bool less_is_better, int rank) {
    TableRow row;
    row.label = std::move(label);
    row.a = grouped(a);
    row.b = grouped(b);
    row.difference = report::difference_text(a, b);
    row.factor = factor_text(static_cast<double>(a), static_cast<double>(b));
    row.change = change_of(static_cast<double>(a), static_cast<double>(b), less_is_better);
    row.rank = rank;
    rows_.push_back(std::move(row));
  }
  // Of the whole grid: no winner where there is more to be done.
  void total(std::string label, std::uint64_t a, std::uint64_t b, bool less_is_better, int rank) {
    const bool alike = same_work(in_);
    count(std::move(label), a, b, less_is_better && alike, rank);
    if (!alike) rows_.back().factor.clear();
  }

  // What both of them show, where that is of one space.
  void add_access() {
    if (in_.a == nullptr || in_.b == nullptr || !in_.a->now || !in_.b->now) return;
    if (in_.a->now->known != Known::All || in_.b->now->known != Known::All) return;
    const memory::Cost &a = in_.a->now->cost, &b = in_.b->now->cost;
    const memory::Space space = in_.b->now->access.space;
    if (in_.a->now->access.space != space) return;
    heading(strings_("compare.access"));
    const auto row = [&](const char* key, int memory::Cost::*figure, bool less, int rank) {
      count(strings_(key), static_cast<std::uint64_t>(a.*figure), static_cast<std::uint64_t>(b.*figure), less,
            rank);
    };
    if (space == memory::Space::Shared) {
      row("compare.count.wavefronts", &memory::Cost::wavefronts, true, 0);
      row("compare.count.ideal_wavefronts", &memory::Cost::ideal_wavefronts, false, 3);
    } else {
      row("compare.count.sectors", &memory::Cost::sectors, true, 0);
      row("compare.count.ideal_sectors", &memory::Cost::ideal_sectors, false, 3);
    }
    row("compare.count.bytes", &memory::Cost::bytes, false, 4);
  }

  static int rank_of(const std::string& count) {
    if (count == "bytes") return 5;
    if (count == "lines") return 4;
    return count.starts_with("ideal") || count == "requests" ? 2 : 0;
  }

  void add_grid() {
    const Comparison& c = *in_.comparison;
    const report::ComparedCount* before = nullptr;
    for (const report::ComparedCount& count_of : c.counts) {
      const bool barriers = count_of.count == "barriers";
      const bool new_group =
          before == nullptr || before->space != count_of.space || before->op != count_of.op;
      if (barriers) {
        if (count_of.a == 0 && count_of.b == 0) continue;
        heading(strings_("compare.grid.rest"));
      } else if (new_group) {
        const bool shared = count_of.space == memory::Space::Shared;
        heading(strings_(shared ? "compare.grid.shared" : "compare.grid.global",
                         {{"op", op_text(count_of.op, strings_)}}));
      }
      const bool less = count_of.count == "sectors" || count_of.count == "wavefronts" ||
                        count_of.count == "bank_conflicts" || count_of.count == "requests" || barriers;
      total(strings_("compare.count." + count_of.count), count_of.a, count_of.b, less,
            barriers ? 3 : rank_of(count_of.count));
      before = &count_of;
    }
  }

  void add_times() {
    const measure::Measurement *a = in_.time_a, *b = in_.time_b;
    if (a == nullptr && b == nullptr) return;
    const measure::Measurement& any = a != nullptr ? *a : *b;
    std::string title = strings_(any.recorded ? "compare.time.recorded" : "compare.time.measured",
                                 {{"gpu", any.device.name}});
    const std::string size_a = size_of(in_.a), size_b = size_of(in_.b);
    if (size_a != size_b && !size_a.empty() && !size_b.empty()) title += " · " + size_a + " | " + size_b;
    heading(std::move(title));
    const double seconds_a = a != nullptr ? a->cold.median : 0, seconds_b = b != nullptr ? b->cold.median : 0;
    TableRow row;
    row.label = strings_("compare.time");
    row.is_time = true;
    row.a = a != nullptr ? seconds_text(seconds_a) : "–";
    row.b = b != nullptr ? seconds_text(seconds_b) : "–";
    if (same_work(in_) && a != nullptr && b != nullptr && seconds_a > 0) {
      row.difference = formatted("%+.0f %%", 100 * (seconds_b / seconds_a - 1));
      row.factor = factor_text(seconds_a, seconds_b);
      // Less than a hundredth counts as the same.
      const bool same = std::abs(seconds_b - seconds_a) < 0.01 * seconds_a;
      row.change = same ? Change::None : change_of(seconds_a, seconds_b, true);
      if (same) row.difference = "=", row.factor.clear();
    }
    rows_.push_back(std::move(row));
  }

  static std::string size_of(const Simulation* simulation) {
    if (simulation == nullptr || simulation->empty()) return {};
    return size_text(simulation->compiled->settings.values);
  }

  const TableInput& in_;
  const language::Strings& strings_;
  std::vector<TableRow> rows_;
};

}  // namespace

std::vector<TableRow> comparison_table(const TableInput& input, const language::Strings& strings) {
  return TableMaker(input, strings).make();
}

std::vector<TableRow> fitting_rows(std::vector<TableRow> rows, std::size_t count) {
  while (rows.size() > count) {
    int highest = 0;
    for (const TableRow& row : rows) highest = std::max(highest, row.heading || row.result ? 0 : row.rank);
    if (highest == 0) break;
    std::erase_if(rows, [&](const TableRow& row) { return !row.heading && row.rank == highest; });
    for (std::size_t i = rows.size(); i-- > 0;) {
      if (rows[i].heading && (i + 1 == rows.size() || rows[i + 1].heading))
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return rows;
}

const measure::Measurement* measurement_of(const std::vector<RungTime>& times) {
  for (const RungTime& time : times) {
    if (time.current) return time.measurement;
  }
  return nullptr;
}

}  // namespace warplens::app
