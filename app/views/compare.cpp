#include "app/views/compare.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/language/strings.h"
#include "app/readout/verdict.h"
#include "app/simulate/pricing.h"
#include "app/views/drawing.h"
#include "sim/base/numbers.h"

namespace warplens::views {
namespace {

std::string size_of(const app::Simulation* simulation) {
  if (simulation == nullptr || simulation->empty()) return {};
  return app::size_text(simulation->compiled->settings.values);
}

// ---- what it comes to

constexpr double kTimesAlike = 0.01;  // as in the table

struct Sums {
  double a = 0, b = 0;
  double gap() const { return std::abs(a - b); }
};

enum class Of : std::uint8_t { All, Atomics };
Sums sums_of(const app::Comparison& c, memory::Space space, const char* count, Of of = Of::All) {
  Sums sums;
  for (const report::ComparedCount& each : c.counts) {
    const bool is_atomic = memory::is_atomic(each.op);
    if (each.space != space || each.count != count || (of == Of::Atomics && !is_atomic)) continue;
    sums.a += static_cast<double>(each.a);
    sums.b += static_cast<double>(each.b);
  }
  return sums;
}
Sums of_a_request(Sums sums, const Sums& requests) {
  sums.a /= std::max(requests.a, 1.0);
  sums.b /= std::max(requests.b, 1.0);
  return sums;
}

struct Times {
  std::string words;
  int direction = 0;  // -1: B is faster
};
Times times_of(const TableInput& in, const language::Strings& strings) {
  if (in.time_a == nullptr || in.time_b == nullptr || !same_work(in)) return {};
  const double a = in.time_a->cold.median, b = in.time_b->cold.median;
  if (a <= 0 || b <= 0) return {};
  if (std::abs(b - a) < kTimesAlike * a) return {strings("compare.result.time.same"), 0};
  const bool faster = b < a;
  const double times = b / a;
  return {faster ? strings("compare.result.time.less", {{"n", whole_percent(times)}})
                 : strings("compare.result.time.more", {{"n", fixed(times, times >= 9.995 ? 1 : 2)}}),
          faster ? -1 : 1};
}

// Bytes that went from and to device memory, as measured; where they are nearly the same, the caches served
// what the counts of sectors differ by. (Of shared memory they serve nothing.)
std::optional<std::uint64_t> common_traffic(const measure::Measurement& a, const measure::Measurement& b) {
  constexpr double kNearly = 0.1;
  const auto traffic = [](const measure::Measurement& m) {
    double bytes = 0;
    for (const char* counter : {"dram__bytes_read.sum", "dram__bytes_write.sum"}) {
      const auto found = m.counters.values.find(counter);
      if (found == m.counters.values.end()) return 0.0;
      bytes += found->second;
    }
    return bytes;
  };
  const double of_a = traffic(a), of_b = traffic(b);
  if (!(of_a > 0) || std::abs(of_a - of_b) > kNearly * of_a) return std::nullopt;
  return static_cast<std::uint64_t>(of_b);
}

}  // namespace

bool same_work(const TableInput& in) {
  return size_of(in.a) == size_of(in.b);
}

// What the warps issue, of both memories. It explains a time that sectors and wavefronts do not: they may be
// the same while fewer lanes work in each request, or fewer while there is as much to issue.
struct Requests {
  std::string words;  // empty: as many, within a tenth
  double ratio = 1;   // B's to A's
};
Requests requests_of(const app::Comparison& c, const language::Strings& strings) {
  constexpr double kAsMany = 0.1;
  const Sums global = sums_of(c, memory::Space::Global, "requests"),
             shared = sums_of(c, memory::Space::Shared, "requests");
  const double a = global.a + shared.a, b = global.b + shared.b;
  if (a <= 0 || std::abs(b - a) <= kAsMany * a) return {};
  return {app::change_words(a, b, strings("compare.count.requests"), strings), b / a};
}

bool explain(const Requests& requests, const Times& times) {
  return !requests.words.empty() && times.direction != 0 && (requests.ratio < 1) == (times.direction < 0);
}

std::string explaining_requests(const TableInput& in, const language::Strings& strings) {
  if (in.comparison == nullptr || in.comparison->counts.empty()) return {};
  const Requests requests = requests_of(*in.comparison, strings);
  return explain(requests, times_of(in, strings)) ? requests.words : std::string();
}

std::string comparison_result(const TableInput& in, const language::Strings& strings) {
  if (in.comparison == nullptr || in.comparison->counts.empty()) return {};
  struct Need {
    std::string words;
    double bytes = 0;
    bool fewer = false;
    bool shared = false;
    bool only = false;  // A has none
    double ratio = 1;   // B's to A's
  };
  std::vector<Need> needs;
  const bool alike = same_work(in);
  const auto add = [&](memory::Space space, const char* count, int bytes) {
    Sums sums = sums_of(*in.comparison, space, count);
    if (!alike) sums = of_a_request(sums, sums_of(*in.comparison, space, "requests"));
    std::string unit = strings(std::string("compare.count.") + count);
    // Where atomics make most of the difference their own factor says more than that of all together.
    const Sums atomics = sums_of(*in.comparison, space, count, Of::Atomics);
    if (alike && atomics.a > 0 && atomics.b > 0 && 2 * atomics.gap() > sums.gap()) {
      sums = atomics;
      unit = strings("compare.result.of_atomics", {{"unit", unit}});
    }
    std::string words = app::change_words(sums.a, sums.b, unit, strings);
    if (!words.empty())
      needs.push_back({std::move(words), sums.gap() * bytes, sums.b < sums.a, space == memory::Space::Shared,
                       sums.a == 0, sums.b / std::max(sums.a, 1.0)});
  };
  add(memory::Space::Global, "sectors", memory::kSectorBytes);
  add(memory::Space::Shared, "wavefronts", memory::kLineBytes);
  // What A has none of is a part of how B does it, and no measure of how much less it needs.
  std::ranges::stable_sort(
      needs, [](const Need& a, const Need& b) { return a.only != b.only ? b.only : a.bytes > b.bytes; });
  if (!alike) {
    std::string request = strings("compare.result.request.same");
    if (!needs.empty()) request = strings("compare.result.request", {{"needs", needs[0].words}});
    return strings("compare.result.sizes", {{"request", request}});
  }
  const Times times = times_of(in, strings);
  const Requests requests = requests_of(*in.comparison, strings);
  const bool requests_explain = explain(requests, times);
  if (needs.empty() && requests_explain)
    return strings("compare.result.requests", {{"requests", requests.words}, {"time", times.words}});
  if (needs.empty()) {
    return times.words.empty() ? strings("compare.result.same")
                               : strings("compare.result.same.time", {{"time", times.words}});
  }
  std::string words = needs[0].words;
  const bool only = std::ranges::any_of(needs, [](const Need& need) { return need.only; });
  const std::string join = only ? ".only" : "";  // what has a comma in it is joined by semicolons
  if (needs.size() > 1)
    words = strings("compare.result.and" + join, {{"one", needs[0].words}, {"other", needs[1].words}});
  if (times.words.empty()) return strings("compare.result.needs", {{"needs", words}});
  // Fewer sectors that take longer are worth a "but", and what was measured behind the caches may say why.
  const bool against = times.direction == 0 || needs[0].fewer != (times.direction < 0);
  if (against && requests_explain)
    return strings("compare.result.but.requests" + join,
                   {{"needs", words}, {"requests", requests.words}, {"time", times.words}});
  // Far less to move, and hardly less time.
  constexpr double kFar = 1.0 / 3, kHardly = 0.5;
  const double ratio = in.time_b->cold.median / in.time_a->cold.median;
  if (!against && times.direction < 0 && needs[0].ratio < kFar && ratio > kHardly && requests.words.empty())
    return strings("compare.result.as_many" + join, {{"needs", words}, {"time", times.words}});
  const auto both = against && !needs[0].shared ? common_traffic(*in.time_a, *in.time_b) : std::nullopt;
  if (both)
    return strings("compare.result.but.memory" + join,
                   {{"needs", words}, {"time", times.words}, {"amount", volume(*both)}});
  return strings((against ? "compare.result.but" : "compare.result.both") + join,
                 {{"needs", words}, {"time", times.words}});
}

// ---- the table

namespace {

// "÷16", "×2.5", "=": B beside A; "→0" where nothing is left, "0→" where nothing was.
std::string ratio_text(double a, double b) {
  if (a == b) return "=";
  if (a <= 0 || b <= 0) return b <= 0 ? "→0" : "0→";
  const double factor = std::max(a, b) / std::min(a, b);
  const int decimals = factor >= 99.95 ? 0 : factor >= 9.995 ? 1 : 2;
  return (b < a ? "÷" : "×") + without_zeros(fixed(factor, decimals));
}

Change change_of(double a, double b, bool less_is_better) {
  return a == b ? Change::None : !less_is_better ? Change::Other : b < a ? Change::Better : Change::Worse;
}

class TableMaker {
 public:
  TableMaker(const TableInput& input, const language::Strings& strings) : in_(input), strings_(strings) {}

  std::vector<TableRow> make() {
    if (std::string words = comparison_result(in_, strings_); !words.empty())
      rows_.push_back({.result = true, .label = std::move(words)});
    add_access();
    add_grid();
    add_times();
    return std::move(rows_);
  }

 private:
  void heading(std::string label) { rows_.push_back({.heading = true, .label = std::move(label)}); }

  void count(std::string label, std::uint64_t a, std::uint64_t b, bool less_is_better, int rank) {
    const double of_a = static_cast<double>(a), of_b = static_cast<double>(b);
    rows_.push_back({.label = std::move(label),
                     .a = grouped(a),
                     .b = grouped(b),
                     .factor = ratio_text(of_a, of_b),
                     .change = change_of(of_a, of_b, less_is_better),
                     .rank = rank});
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
    if (in_.a->now->known != app::Known::All || in_.b->now->known != app::Known::All) return;
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
    const app::Comparison& c = *in_.comparison;
    const report::ComparedCount* before = nullptr;
    for (const report::ComparedCount& count_of : c.counts) {
      if (count_of.count == "used_bytes") continue;  // mostly the same as what is asked for
      const bool barriers = count_of.count == "barriers";
      const bool new_group =
          before == nullptr || before->space != count_of.space || before->op != count_of.op;
      if (barriers) {
        if (count_of.a == 0 && count_of.b == 0) continue;
        heading(strings_("compare.grid.rest"));
      } else if (new_group) {
        const bool shared = count_of.space == memory::Space::Shared;
        heading(strings_(shared ? "compare.grid.shared" : "compare.grid.global",
                         {{"op", app::op_text(count_of.op, strings_)}}));
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
      // Less than a hundredth counts as the same.
      const bool same = std::abs(seconds_b - seconds_a) < 0.01 * seconds_a;
      row.factor = same ? "=" : ratio_text(seconds_a, seconds_b);
      row.change = same ? Change::None : change_of(seconds_a, seconds_b, true);
    }
    rows_.push_back(std::move(row));
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
    // At last what is the same on both sides.
    const auto goes = [&](const TableRow& row) {
      return highest > 0 ? row.rank == highest : row.change == Change::None && !row.is_time;
    };
    if (0 ==
        std::erase_if(rows, [&](const TableRow& row) { return !row.heading && !row.result && goes(row); }))
      break;
    for (std::size_t i = rows.size(); i-- > 0;) {
      if (rows[i].heading && (i + 1 == rows.size() || rows[i + 1].heading))
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return rows;
}

// ---- who each side is

namespace {

std::string differences_of(const app::Comparison& c, bool is_a, const scenario::Scenario* s,
                           const std::string& language, const language::Strings& strings) {
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : " · ") + more; };
  if (c.compiled_a) add(strings(*c.compiled_a == is_a ? "compare.as_compiled" : "compare.as_written"));
  for (const app::ParameterDifference& d : c.parameters) {
    if (c.compiled_a && (!d.a || !d.b))
      continue;  // what the compiler was given once is no parameter any more
    const std::optional<std::int64_t>& mine = is_a ? d.a : d.b;
    const scenario::ScenarioParameter* p = s ? find_parameter(*s, d.name) : nullptr;
    if (mine && p != nullptr)
      add(scenario::in_language(p->label, language) + " " + scenario::shown_value(*p, *mine, language));
  }
  const int lines = std::max(c.lines.count_a, c.lines.count_b);
  if (lines > 0) add(strings(lines == 1 ? "compare.lines.one" : "compare.lines", {{"n", lines}}));
  if (text.empty() && c.parameters.empty() && lines == 0) return strings("compare.same");
  return text;
}

}  // namespace

SideWords side_words(const app::Comparison& c, bool is_a, const scenario::Scenario* s, bool edited,
                     const std::string& language, const language::Strings& strings) {
  SideWords words;
  if (s != nullptr) words.name = app::rung_name(*s, language) + (edited ? strings("source.edited") : "");
  words.differences = differences_of(c, is_a, s, language, strings);
  if (is_a && !c.a_follows)
    words.differences =
        strings("compare.no_such_access") + (words.differences.empty() ? "" : " · " + words.differences);
  return words;
}

// ---- the picture

namespace {

// "37.8 M" for "37,814,272", whose digits the tooltip has; anything but a large count as it is.
std::string shown_figure(std::string text) {
  constexpr std::size_t kLong = 9;  // of a million
  if (text.size() < kLong || text.find_first_not_of("0123456789,") != std::string::npos) return text;
  std::erase(text, ',');
  return short_count(std::stoull(text.substr(0, 19)));
}

constexpr Type kFigure{13, {}, Align::Right, Font::Code};
constexpr Type kGist{13, {}, Align::Right, Font::Code, true};

struct SideColumns {
  float a = 0, b = 0, factor = 0;  // right ends
};

SideColumns side_columns(const Pen& pen, const std::vector<TableRow>& rows) {
  float b = 0, factor = pen.px(12);
  for (const TableRow& row : rows) {
    b = std::max(b, pen.width_of(shown_figure(row.b), kFigure));
    factor = std::max(factor, pen.width_of(row.factor, kGist));
  }
  const float end = pen.width() - factor - pen.px(12);
  return {end - b - pen.px(12), end, pen.width()};
}

void draw_side_row(Pen* pen, const TableRow& line, const Rect& row, const SideColumns& columns) {
  const Palette& p = pen->palette();
  if (line.heading) {
    const float y = std::round(row.y + 0.58f * row.height);
    const Type type{13, mix(p.secondary, p.text, 0.55f), Align::Left, Font::Words, true};
    pen->label_within(1, {row.x, y}, row.width, line.label, type);
    // Beside the words: below them, in a low window, it would cut their descenders.
    const float left = row.x + pen->width_of(line.label, type) + pen->px(8);
    if (left < row.x + row.width) pen->sharp(0, {left, y, row.x + row.width - left, 1}, p.line);
    return;
  }
  const auto put = [&](float end, const std::string& text, Type type, Color color) {
    type.color = color;
    pen->label(1, {end, row.y + 0.5f * row.height}, text, type);
  };
  const std::string a = shown_figure(line.a);
  put(columns.a, a, kFigure, p.text);
  put(columns.b, shown_figure(line.b), kFigure, p.text);
  put(columns.factor, line.factor, kGist, change_color(p, line.change));
  const float room = columns.a - pen->width_of(a, kFigure) - row.x - pen->px(8);
  pen->label_within(1, {row.x, row.y + 0.5f * row.height}, room, line.label, {13, p.secondary});
  pen->hot_spot({.rect = row, .tooltip = line.label + "\nA " + line.a + "\nB " + line.b + " " + line.factor});
}

// What the whole comes to, above the rows that it comes from. Gives the height taken.
float draw_result(Pen* pen, const std::string& words) {
  const Type type{15, pen->palette().text, Align::Left, Font::Words, true};
  constexpr int kMostLines = 24;
  const auto lines = pen->lines_of(words, pen->width(), type, kMostLines);
  return pen->lines(1, {0, pen->px(4)}, lines, pen->px(21), type) + pen->px(6);
}

}  // namespace

Color change_color(const Palette& p, Change change) {
  return change == Change::Worse  ? p.costly
         : change == Change::None ? p.faint
                                  : p.text;  // what is better need not be the best
}

Scene comparison(const std::vector<TableRow>& all_rows, bool counted, const Canvas& canvas) {
  Pen pen(canvas);
  const Palette& p = pen.palette();
  pen.scene().title = "A│B";
  if (pen.too_small()) return pen.finish();
  std::vector<TableRow> all = all_rows;
  float result = 0;
  if (!all.empty() && all.front().result) {
    result = draw_result(&pen, all.front().label);
    all.erase(all.begin());
  }
  const float titles = pen.px(20), note = pen.px(20), room = pen.height() - result - titles - note;
  const auto most = static_cast<std::size_t>(std::max(room / pen.px(18.5f), 1.0f));
  const std::vector<TableRow> rows = fitting_rows(all, most);
  const float step = std::min(pen.px(27), room / static_cast<float>(std::max<std::size_t>(rows.size(), 1)));
  const SideColumns columns = side_columns(pen, rows);
  const Type title{13, p.faint, Align::Right, Font::Words, true};
  pen.label(1, {columns.a, result + 0.5f * titles}, "A", title);
  pen.label(1, {columns.b, result + 0.5f * titles}, "B", title);
  for (std::size_t i = 0; i < rows.size(); ++i)
    draw_side_row(&pen, rows[i], {0, result + titles + step * static_cast<float>(i), pen.width(), step},
                  columns);
  pen.label_within(1, {0, pen.height() - 0.3f * note}, pen.width(),
                   pen.text(counted ? "compare.note" : "compare.counting"), {13, p.faint});
  return pen.finish();
}

}  // namespace warplens::views
