#include "sim/report/advice.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "sim/memory/banks.h"
#include "sim/report/report.h"

namespace warplens::report {

using memory::Space;

namespace {

constexpr std::array kRules = {AdviceRule::Stride,     AdviceRule::StructField,   AdviceRule::Narrow,
                               AdviceRule::Misaligned, AdviceRule::ShortRuns,     AdviceRule::Scattered,
                               AdviceRule::BankStride, AdviceRule::BankScattered, AdviceRule::SameAddress,
                               AdviceRule::IdleLanes,  AdviceRule::CopyOrder};

std::uint64_t cost_of(const ReportLine& line) {
  return line.space == Space::Global ? line.totals.sectors : line.totals.wavefronts;
}
std::uint64_t ideal_of(const ReportLine& line) {
  return line.space == Space::Global ? line.totals.ideal_sectors : line.totals.ideal_wavefronts;
}
std::uint64_t unit_bytes(Space space) {
  return space == Space::Global ? memory::kSectorBytes : memory::kLineBytes;
}

double per_request(std::uint64_t count, const ReportLine& line) {
  return line.totals.requests == 0 ? 0
                                   : static_cast<double>(count) / static_cast<double>(line.totals.requests);
}

// How many in a hundred of the distances between neighbouring lanes are the main one of all requests.
double percent_alike(const ReportLine& line, const sim::StepCount& step) {
  const std::uint64_t pairs = line.totals.active_lanes - line.totals.requests;
  if (pairs == 0) return 100;
  const auto kept = static_cast<double>(line.totals.active_lanes - line.shape.runs);
  return 100 * kept / static_cast<double>(pairs) * per_request(step.requests, line);
}

constexpr double kMostAlike = 75, kAllAlike = 99.95;  // in a hundred; all but what rounds away
Distance distance_of(double percent_alike) {
  if (percent_alike >= kAllAlike) return Distance::One;
  return percent_alike >= kMostAlike ? Distance::Mostly : Distance::Changing;
}

// A request of as many lanes as the line's have, all of them `step` bytes apart.
memory::WarpAccess progression(const ReportLine& line, std::int64_t step) {
  memory::WarpAccess access = line.shape.worst;
  const double lanes = std::round(per_request(line.totals.active_lanes, line));
  access.active = lanes >= 32 ? ~memory::LaneMask{0} : (memory::LaneMask{1} << static_cast<int>(lanes)) - 1;
  const std::int64_t begin = step < 0 ? -31 * step : 0;
  for (std::size_t i = 0; i < access.addresses.size(); ++i)
    access.addresses[i] = static_cast<memory::Address>(begin + static_cast<std::int64_t>(i) * step);
  return access;
}

// Whether a stretch of neighbours begins so late in a sector that it reaches one more than it has to.
bool is_cut_by_a_sector(const memory::WarpAccess& access, std::int64_t step) {
  using memory::Address;
  const auto is_cut = [&](Address low, Address high) {  // high: behind the last byte
    const Address sectors = (high - 1) / memory::kSectorBytes - low / memory::kSectorBytes + 1;
    return sectors > (high - low + memory::kSectorBytes - 1) / memory::kSectorBytes;
  };
  const auto bytes = static_cast<Address>(access.bytes);
  std::optional<Address> last;
  Address low = 0, high = 0;
  for (std::size_t lane = 0; lane < access.addresses.size(); ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    const Address at = access.addresses[lane];
    if (last && at == *last + static_cast<Address>(step)) {
      low = std::min(low, at), high = std::max(high, at + bytes);
    } else {
      if (last && is_cut(low, high)) return true;
      low = at, high = at + bytes;
    }
    last = at;
  }
  return last && is_cut(low, high);
}

// Of the lanes that are served together: the most that one of these groups goes to.
int banks_of_a_group(const memory::BankPlan& plan) {
  std::map<int, std::uint32_t> banks;  // by group, a bit a bank
  for (const memory::BankPlan::Word& word : plan.words)
    banks[plan.group[std::countr_zero(word.lanes)]] |= 1u << word.bank;
  int most = 0;
  for (const auto& [group, of_group] : banks) most = std::max(most, std::popcount(of_group));
  return most;
}

class Advisor {
 public:
  Advisor(const Report& report, Budget& budget) : report_(report), pace_(budget, Stage::Advising) {
    for (const ReportLine& line : report.lines) {
      requests_ += line.totals.requests;
      if (line.space == Space::Shared && line.shape.worst_excess >= 0 && !line.array.empty())
        shared_[line.array].push_back(&line);
      by_array_[line.array].push_back(&line);
    }
  }

  std::vector<Advice> advise() {
    for (std::size_t i = 0; i < report_.lines.size(); ++i) {
      pace_.step();
      const ReportLine& line = report_.lines[i];
      if (line.totals.requests == 0) continue;
      if (loses(line)) advise_loss(i, line);
      advise_idle(i, line);
    }
    std::ranges::stable_sort(
        found_, [](const Advice& a, const Advice& b) { return a.wasted_bytes > b.wasted_bytes; });
    return std::move(found_);
  }

 private:
  static std::uint64_t excess(const ReportLine& line) {
    return cost_of(line) - std::min(cost_of(line), ideal_of(line));
  }

  // A tenth of what the line costs; how little that may be of the whole, its place in the list says.
  static bool loses(const ReportLine& line) {
    const std::uint64_t lost = excess(line);
    return lost > 0 && lost * 10 >= cost_of(line);
  }

  void add(std::size_t index, AdviceRule rule, std::vector<AdviceFigure> figures) {
    const ReportLine& line = report_.lines[index];
    const bool shared = line.space == Space::Shared;
    if (rule != AdviceRule::IdleLanes) {
      figures.push_back({shared ? "wavefronts" : "sectors", per_request(cost_of(line), line)});
      figures.push_back({"ideal", per_request(ideal_of(line), line)});
    }
    const std::uint64_t lost = rule == AdviceRule::IdleLanes ? 0 : excess(line);
    found_.push_back({rule, index, std::move(figures), lost, lost * unit_bytes(line.space)});
  }

  // Whether half of an asynchronous copy would lose nothing as a load or a store.
  static bool loses_by_its_pair(const ReportLine& line) {
    if (line.op != memory::Op::Async || line.shape.worst_excess <= 0) return false;
    memory::WarpAccess alone = line.shape.worst;
    alone.op = line.space == Space::Global ? memory::Op::Load : memory::Op::Store;
    return sim::excess(memory::cost(alone)) == 0;
  }

  void advise_loss(std::size_t index, const ReportLine& line) {
    if (loses_by_its_pair(line)) return add(index, AdviceRule::CopyOrder, {});
    if (is_atomic(line) && !line.increments && turns_outweigh(line))
      return add(index, AdviceRule::SameAddress, {{"lanes", per_request(line.shape.same_address, line)}});
    if (const std::uint64_t elements = crowded_elements(line); elements != 0)
      return add(index, AdviceRule::SameAddress,
                 {{"lanes", per_request(line.shape.same_address, line)},
                  {"atomics", static_cast<double>(line.totals.active_lanes)},
                  {"elements", static_cast<double>(elements)}});
    const sim::StepCount* step = line.shape.main_step();
    if (step == nullptr) return;
    if (line.space == Space::Shared) return advise_banks(index, line, *step);
    if (!step->regular)
      return add(index, AdviceRule::Scattered, {{"bytes", static_cast<double>(line.bytes_per_lane)}});
    if (std::abs(step->step) > line.bytes_per_lane) return advise_stride(index, line, *step);
    advise_dense(index, line, step->step);
  }

  // Lanes of an atomic that wait for each other at an address, against those that merely go elsewhere: of
  // global memory all such turns, of shared memory those at the address of a request that most want.
  static bool turns_outweigh(const ReportLine& line) {
    const std::uint64_t turns =
        line.space == Space::Global ? line.shape.turns : line.shape.same_address - line.totals.requests;
    const auto wavefronts = static_cast<std::uint64_t>(memory::wavefronts_a_turn(line.shape.worst.way));
    return 2 * turns * wavefronts >= excess(line);
  }

  // Of the array that atomics of the whole grid crowd, a thousand and more an element on average: they wait
  // for those of other warps, wherever the lanes of one request go. 0: there is none.
  std::uint64_t crowded_elements(const ReportLine& line) const {
    constexpr std::uint64_t kCrowd = 1000;
    if (!is_atomic(line) || line.increments || line.space != Space::Global) return 0;
    const sim::Buffer* buffer = report_.launch.buffer(line.array);
    return buffer != nullptr && line.totals.active_lanes / kCrowd >= buffer->elements ? buffer->elements : 0;
  }

  void advise_stride(std::size_t index, const ReportLine& line, const sim::StepCount& main) {
    const std::int64_t step = main.step;
    AdviceRule rule = AdviceRule::Stride;
    if (step == line.element_bytes)
      rule = AdviceRule::StructField;
    else if (step <= 16 && std::has_single_bit(static_cast<std::uint64_t>(std::abs(step))) &&
             fills(line, step))
      rule = AdviceRule::Narrow;
    std::vector<AdviceFigure> figures{{"step", static_cast<double>(step)},
                                      {"bytes", static_cast<double>(line.bytes_per_lane)}};
    if (rule == AdviceRule::Stride) figures.push_back({"alike", percent_alike(line, main)});
    if (rule == AdviceRule::StructField)
      figures.push_back({"taken", static_cast<double>(taken_bytes(line, step))});
    add(index, rule, std::move(figures));
  }

  // Bytes of an element that all accesses with this step take, each field (by its name) once.
  int taken_bytes(const ReportLine& line, std::int64_t step) {
    std::map<std::string_view, int> fields;
    for (const ReportLine* other : by_array_[line.array]) {
      pace_.step();
      const sim::StepCount* main = other->shape.main_step();
      const std::size_t dot = other->text.rfind('.');
      if (main != nullptr && main->regular && main->step == step && other->op == line.op &&
          dot != std::string::npos)
        fields[std::string_view(other->text).substr(dot)] = other->bytes_per_lane;
    }
    int bytes = 0;
    for (const auto& [unused, its] : fields) bytes += its;
    return bytes;
  }

  // Whether the accesses of the array with this step and operation together take all bytes between
  // neighbours.
  bool fills(const ReportLine& line, std::int64_t step) {
    std::uint32_t starts = 0;
    for (const ReportLine* each : by_array_[line.array]) {
      pace_.step();
      const ReportLine& other = *each;
      const sim::StepCount* main = other.shape.main_step();
      const bool alike = main != nullptr && main->regular && main->step == step &&
                         other.array == line.array && other.space == line.space && other.op == line.op &&
                         other.bytes_per_lane == line.bytes_per_lane;
      if (alike) starts |= other.shape.starts;
    }
    for (std::int64_t at = 0; at < step; at += line.bytes_per_lane) {
      bool taken = false;
      for (std::int64_t start = at; start < 32; start += step) taken |= (starts >> start & 1) != 0;
      if (!taken) return false;
    }
    return true;
  }

  // Neighbours lie side by side, or share an address: what is lost is lost at the ends.
  void advise_dense(std::size_t index, const ReportLine& line, std::int64_t step) {
    const double lanes = per_request(line.totals.active_lanes, line);
    const double run = static_cast<double>(line.totals.active_lanes) / static_cast<double>(line.shape.runs);
    const std::uint32_t starts = line.shape.starts;
    const bool cut = (starts & ~std::uint32_t{1}) != 0 && is_cut_by_a_sector(line.shape.worst, step);
    const double reach = step == 0 ? line.bytes_per_lane : run * line.bytes_per_lane;
    if (run < 32 && run < lanes && (reach < 32 || !cut)) {
      return add(index, AdviceRule::ShortRuns,
                 {{"run", run},
                  {"bytes", static_cast<double>(line.bytes_per_lane)},
                  {"step", static_cast<double>(step)},
                  {"block_x", static_cast<double>(report_.launch.block.x)}});
    }
    const int offset = std::has_single_bit(starts) ? std::countr_zero(starts) : 0;
    if (cut) add(index, AdviceRule::Misaligned, {{"offset", static_cast<double>(offset)}});
  }

  // Words apart and banks are those of one request: of the worst one, unless most others keep another
  // distance.
  void advise_banks(std::size_t index, const ReportLine& line, const sim::StepCount& step) {
    if (!step.regular) return add(index, AdviceRule::BankScattered, {});
    const double alike = percent_alike(line, step);
    const sim::LaneStride worst = sim::lane_stride(line.shape.worst);
    memory::WarpAccess request = line.shape.worst;
    std::int64_t apart = step.step;
    if (distance_of(alike) == Distance::Changing) {
      if (!worst.regular) return add(index, AdviceRule::BankScattered, {});
      apart = worst.step;
    } else if (!worst.regular || worst.step != step.step) {
      request = progression(line, step.step);
    }
    const Remedy remedy = find_remedy(line, apart);
    const memory::BankPlan plan = memory::plan_banks(request);
    add(index, AdviceRule::BankStride,
        {{"words", static_cast<double>(apart) / 4},
         {"lanes", static_cast<double>(plan.lanes_per_group)},
         {"banks", static_cast<double>(banks_of_a_group(plan))},
         {"worst", static_cast<double>(plan.wavefronts)},
         {"rows", line.row_bytes > 0 ? 1.0 : 0.0},
         {"pad", static_cast<double>(remedy.pad)},
         {"swizzle", static_cast<double>(remedy.swizzle)},
         {"less", static_cast<double>(remedy.less)},
         {"row", static_cast<double>(remedy.row_words)},
         {"alike", alike}});
  }

  // The wavefronts of the worst access of each line that goes to the same array, times how often the line
  // runs.
  template <class Change>
  std::uint64_t wavefronts(const ReportLine& line, const Change& change) {
    std::uint64_t sum = 0;
    std::vector<const ReportLine*> alone{&line};
    for (const ReportLine* each : line.array.empty() ? alone : shared_[line.array]) {
      pace_.step();
      const ReportLine& other = *each;
      if (other.shape.worst_excess < 0) continue;
      const int count = memory::count_wavefronts(change(other.shape.worst)).wavefronts;
      sum += static_cast<std::uint64_t>(count) * other.totals.requests;
    }
    return sum;
  }

  // What an access takes at once at the most: rows are not shifted by less.
  int unit_words(const ReportLine& line) {
    int bytes = std::max(line.element_bytes, line.bytes_per_lane);
    if (!line.array.empty()) {
      for (const ReportLine* other : shared_[line.array]) bytes = std::max(bytes, other->bytes_per_lane);
    }
    return std::max(1, bytes / 4);
  }
  // An array of one dimension has the rows that its index makes: as long as neighbours are apart, or the
  // banks once.
  memory::Rows rows_of(const ReportLine& line, std::int64_t apart) {
    const int unit = unit_words(line);
    std::int64_t bytes = line.row_bytes;
    if (bytes <= 0) bytes = std::max<std::int64_t>(std::abs(apart) / 4 * 4, memory::kLineBytes);
    return {static_cast<memory::Address>(line.array_begin), static_cast<memory::Address>(bytes), unit};
  }

  // What parts the words of an array's rows. Looked for once for all lines that access it.
  struct Remedy {
    int pad = 0;      // words after each row; 0: no padding helps
    int swizzle = 0;  // the column with row / swizzle; 0: no swizzle helps
    int less = 0;     // words of padding to take away first, which is better than both
    int row_words = 0;
  };
  Remedy find_remedy(const ReportLine& line, std::int64_t apart) {
    const memory::Rows rows = rows_of(line, apart);
    if (line.array.empty()) return remedy_of(line, rows);
    const auto [known, is_new] =
        remedies_.try_emplace({line.array, static_cast<std::int64_t>(rows.bytes), rows.unit_words});
    if (is_new) known->second = remedy_of(line, rows);
    return known->second;
  }

  struct Found {
    int what = 0;
    std::uint64_t wavefronts = ~std::uint64_t{0};
    void take(int other, std::uint64_t its) {
      if (its < wavefronts) what = other, wavefronts = its;
    }
  };
  // A swizzle is of rows as long as a power of two: of longer ones it supposes that what is beyond is
  // padding, and goes.
  Remedy remedy_of(const ReportLine& line, const memory::Rows& rows) {
    Remedy remedy{.row_words = static_cast<int>(rows.bytes / 4)};
    Found pad;
    for (int words = 0; words <= 32; words += rows.unit_words)
      pad.take(words,
               wavefronts(line, [&](const auto& access) { return with_longer_rows(access, rows, words); }));
    remedy.pad = pad.what;
    const memory::Address unit = 4 * static_cast<memory::Address>(rows.unit_words);
    const memory::Address whole = std::bit_floor(std::max<memory::Address>(1, rows.bytes / unit)) * unit;
    const int less = static_cast<int>((rows.bytes - std::min(rows.bytes, whole)) / 4);
    if (line.row_bytes <= 0 || (less > 0 && !fits(line, rows, static_cast<int>(whole)))) return remedy;
    const Found swizzle = best_swizzle(line, rows, less);
    if (less == 0) {
      remedy.swizzle = swizzle.what;
    } else if (swizzle.wavefronts < pad.wavefronts) {
      remedy.pad = 0, remedy.swizzle = swizzle.what, remedy.less = less;
    }
    return remedy;
  }

  // The division of the row's number with which a swizzle needs fewest wavefronts, of rows that are `less`
  // words shorter; 0: as they are then.
  Found best_swizzle(const ReportLine& line, const memory::Rows& rows, int less) {
    const memory::Rows bare{rows.begin, rows.bytes - 4 * static_cast<memory::Address>(less), rows.unit_words};
    Found best;
    const auto shorter = [&](const auto& access) { return with_longer_rows(access, rows, -less); };
    best.take(0, wavefronts(line, shorter));
    for (int together = 1; together <= 8; together *= 2)
      best.take(together, wavefronts(line, [&](const auto& access) {
                  return with_swizzled_rows(shorter(access), bare, together);
                }));
    return best;
  }

  // Whether all that is known of the array's accesses stays within so many bytes of its rows.
  bool fits(const ReportLine& line, const memory::Rows& rows, int bytes) {
    const std::vector<const ReportLine*> alone{&line};
    for (const ReportLine* other : line.array.empty() ? alone : shared_[line.array])
      for (std::size_t lane = 0; lane < other->shape.worst.addresses.size(); ++lane) {
        pace_.step();
        const memory::Address at = other->shape.worst.addresses[lane];
        if ((other->shape.worst.active >> lane & 1) == 0 || at < rows.begin) continue;
        if ((at - rows.begin) % rows.bytes + static_cast<memory::Address>(other->bytes_per_lane) >
            static_cast<memory::Address>(bytes))
          return false;
      }
    return true;
  }

  // The lanes that give no row of an ldmatrix of one matrix or two take part all the same.
  void advise_idle(std::size_t index, const ReportLine& line) {
    if (line.form == sim::AccessForm::Matrix) return;
    const double lanes = per_request(line.totals.active_lanes, line);
    if (lanes < 24 && line.totals.requests * 20 >= requests_)
      add(index, AdviceRule::IdleLanes, {{"lanes", lanes}});
  }

  const Report& report_;
  Pace pace_;
  std::map<std::string_view, std::vector<const ReportLine*>> by_array_, shared_;
  std::map<std::tuple<std::string_view, std::int64_t, int>, Remedy> remedies_;  // by array, row, unit
  std::uint64_t requests_ = 0;
  std::vector<Advice> found_;
};

}  // namespace

std::string_view id_of(AdviceRule rule) {
  constexpr std::string_view kIds[] = {"stride",       "struct_field", "narrow",      "misaligned",
                                       "short_runs",   "scattered",    "bank_stride", "bank_scattered",
                                       "same_address", "idle_lanes",   "copy_order"};
  return kIds[static_cast<std::size_t>(rule)];
}

std::span<const AdviceRule> all_advice_rules() {
  return kRules;
}

Distance Advice::distance() const {
  const auto alike = std::ranges::find(figures, "alike", &AdviceFigure::name);
  return alike == figures.end() ? Distance::One : distance_of(alike->value);
}

double Advice::figure(std::string_view name) const {
  for (const AdviceFigure& figure : figures) {
    if (figure.name == name) return figure.value;
  }
  return 0;
}

std::vector<Advice> advise(const Report& report, Budget& budget) {
  return Advisor(report, budget).advise();
}

std::vector<LineAdvice> advise_lines(const Report& report, Budget& budget) {
  std::vector<LineAdvice> lines;
  for (Advice& advice : advise(report, budget)) {
    const ReportLine& line = report.lines[advice.line];
    const auto same = std::ranges::find_if(lines, [&](const LineAdvice& other) {
      const ReportLine& first = report.lines[other.advice.line];
      return first.line == line.line && first.space == line.space && is_atomic(first) == is_atomic(line) &&
             other.advice.rule == advice.rule && other.advice.figures == advice.figures;
    });
    if (same == lines.end()) {
      lines.push_back({std::move(advice), line.text});
      continue;
    }
    same->advice.excess += advice.excess;
    same->advice.wasted_bytes += advice.wasted_bytes;
    if ((", " + same->text + ", ").find(", " + line.text + ", ") == std::string::npos)
      same->text += ", " + line.text;
  }
  std::ranges::stable_sort(lines, [](const LineAdvice& a, const LineAdvice& b) {
    return a.advice.wasted_bytes > b.advice.wasted_bytes;
  });
  return lines;
}

}  // namespace warplens::report
