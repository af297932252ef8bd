#include "sim/report/advice.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <tuple>

#include "sim/memory/banks.h"
#include "sim/report/report.h"

namespace warplens::report {

using memory::Space;

namespace {

constexpr std::array kRules = {AdviceRule::Stride,     AdviceRule::StructField,   AdviceRule::Narrow,
                               AdviceRule::Misaligned, AdviceRule::ShortRuns,     AdviceRule::Scattered,
                               AdviceRule::BankStride, AdviceRule::BankScattered, AdviceRule::SameAddress,
                               AdviceRule::IdleLanes};

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

bool is_atomic(const ReportLine& line) {
  return line.op == memory::Op::Atomic || line.op == memory::Op::Reduction;
}

// The access with rows that are `pad` bytes longer, in an array that begins at `begin`.
memory::WarpAccess padded(memory::WarpAccess access, memory::Address begin, memory::Address row,
                          memory::Address pad) {
  for (memory::Address& address : access.addresses) {
    if (address >= begin) address += (address - begin) / row * pad;
  }
  return access;
}

int banks_of(const memory::WarpAccess& access) {
  const memory::BankPlan plan = memory::plan_banks(access);
  return static_cast<int>(std::ranges::count_if(plan.words_in_bank, [](int words) { return words > 0; }));
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
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Advice& a, const Advice& b) { return a.wasted_bytes > b.wasted_bytes; });
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

  void advise_loss(std::size_t index, const ReportLine& line) {
    const double lanes = per_request(line.shape.same_address, line);
    if (is_atomic(line) && !line.increments && lanes >= 2)
      return add(index, AdviceRule::SameAddress, {{"lanes", lanes}});
    const sim::StepCount* step = line.shape.main_step();
    if (step == nullptr) return;
    if (line.space == Space::Shared) return advise_banks(index, line, *step);
    if (!step->regular)
      return add(index, AdviceRule::Scattered, {{"bytes", static_cast<double>(line.bytes_per_lane)}});
    if (std::abs(step->step) > line.bytes_per_lane) return advise_stride(index, line, step->step);
    advise_dense(index, line);
  }

  void advise_stride(std::size_t index, const ReportLine& line, std::int64_t step) {
    AdviceRule rule = AdviceRule::Stride;
    if (step == line.element_bytes)
      rule = AdviceRule::StructField;
    else if (step <= 16 && std::has_single_bit(static_cast<std::uint64_t>(std::abs(step))) &&
             fills(line, step))
      rule = AdviceRule::Narrow;
    std::vector<AdviceFigure> figures{{"step", static_cast<double>(step)},
                                      {"bytes", static_cast<double>(line.bytes_per_lane)}};
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
  void advise_dense(std::size_t index, const ReportLine& line) {
    const double lanes = per_request(line.totals.active_lanes, line);
    const double run = static_cast<double>(line.totals.active_lanes) / static_cast<double>(line.shape.runs);
    const int offset = std::countr_zero(line.shape.starts & ~std::uint32_t{1});
    if (run < 32 && run < lanes && (run * line.bytes_per_lane < 32 || offset >= 32)) {
      return add(index, AdviceRule::ShortRuns,
                 {{"run", run}, {"bytes", static_cast<double>(line.bytes_per_lane)}});
    }
    if (offset < 32) add(index, AdviceRule::Misaligned, {{"offset", static_cast<double>(offset)}});
  }

  void advise_banks(std::size_t index, const ReportLine& line, const sim::StepCount& step) {
    if (!step.regular) return add(index, AdviceRule::BankScattered, {});
    add(index, AdviceRule::BankStride,
        {{"words", static_cast<double>(step.step) / 4},
         {"banks", static_cast<double>(banks_of(line.shape.worst))},
         {"pad", static_cast<double>(find_pad(line, step))}});
  }

  int find_pad(const ReportLine& line, const sim::StepCount& step) {
    const std::int64_t row = line.row_bytes != 0 ? line.row_bytes : std::abs(step.step);
    if (row <= 0) return 0;
    const int unit = std::max(1, std::max(line.element_bytes, line.bytes_per_lane) / 4);
    if (line.array.empty()) return best_pad(line, row, unit);
    const auto [known, is_new] = pads_.try_emplace({line.array, row, unit}, 0);
    if (is_new) known->second = best_pad(line, row, unit);
    return known->second;
  }

  int best_pad(const ReportLine& line, std::int64_t row, int unit) {
    int best = 0;
    std::uint64_t least = wavefronts(line, row, 0);
    for (int pad = unit; pad <= 32; pad += unit) {
      const std::uint64_t count = wavefronts(line, row, pad);
      if (count >= least) continue;
      least = count;
      best = pad;
    }
    return best;
  }

  // Of the worst access of each line that goes to the same array, weighted as often as the line runs.
  std::uint64_t wavefronts(const ReportLine& line, std::int64_t row, int pad) {
    std::uint64_t sum = 0;
    std::vector<const ReportLine*> alone{&line};
    for (const ReportLine* each : line.array.empty() ? alone : shared_[line.array]) {
      pace_.step();
      const ReportLine& other = *each;
      if (other.shape.worst_excess < 0) continue;
      const memory::WarpAccess access =
          padded(other.shape.worst, static_cast<memory::Address>(other.array_begin),
                 static_cast<memory::Address>(row), static_cast<memory::Address>(4 * pad));
      sum += static_cast<std::uint64_t>(memory::count_wavefronts(access).wavefronts) * other.totals.requests;
    }
    return sum;
  }

  void advise_idle(std::size_t index, const ReportLine& line) {
    const double lanes = per_request(line.totals.active_lanes, line);
    if (lanes < 24 && line.totals.requests * 20 >= requests_)
      add(index, AdviceRule::IdleLanes, {{"lanes", lanes}});
  }

  const Report& report_;
  Pace pace_;
  std::map<std::string_view, std::vector<const ReportLine*>> by_array_, shared_;
  std::map<std::tuple<std::string_view, std::int64_t, int>, int> pads_;  // by array, row, unit
  std::uint64_t requests_ = 0;
  std::vector<Advice> found_;
};

}  // namespace

std::string_view id_of(AdviceRule rule) {
  constexpr std::string_view kIds[] = {"stride",       "struct_field", "narrow",      "misaligned",
                                       "short_runs",   "scattered",    "bank_stride", "bank_scattered",
                                       "same_address", "idle_lanes"};
  return kIds[static_cast<std::size_t>(rule)];
}

std::span<const AdviceRule> all_advice_rules() {
  return kRules;
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

}  // namespace warplens::report
