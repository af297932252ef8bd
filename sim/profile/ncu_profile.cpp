#include "sim/profile/ncu_profile.h"

#include <algorithm>
#include <map>
#include <set>

#include "sim/base/numbers.h"
#include "sim/lower/ptx/module.h"
#include "sim/text/scan.h"
#include "sim/text/shown.h"

namespace warplens::profile {

namespace {

constexpr std::size_t kMostLaunches = 100'000, kMostMetrics = 4'000'000;  // of a file
constexpr std::size_t kMostOfLaunch = 20'000;                             // metrics

// What is no table at all, and what to do about it; empty: it may be one.
Message not_a_table(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    return Message(
        "is UTF-16, as PowerShell's > writes it; let ncu write the file itself: ncu --csv "
        "--log-file ncu.csv ...");
  if (text.starts_with("NVR") || text.substr(0, 4096).find('\0') != std::string_view::npos)
    return Message(
        "is not a text file; if it is a report of Nsight Compute, print its table: ncu --import FILE.ncu-rep "
        "--csv --page raw > ncu.csv");
  if (text.empty()) return Message("is empty; make it with ncu --csv --page raw ... > ncu.csv");
  return {};
}

// What a text without a header is.
Message no_header(std::string_view text) {
  const auto has = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
  if (has("Section: ") && has("Metric Value"))
    return Message(
        "is ncu's table for people; make it once more with --csv: ncu --csv --page raw ... > ncu.csv");
  if (has("==ERROR=="))
    return Message("holds no table, but an error of ncu: look at the line that begins with ==ERROR==");
  return Message(
      "holds no table of ncu, whose first row names the columns (\"ID\", \"Kernel Name\", ...); make "
      "it with ncu --csv --page raw ... > ncu.csv");
}

// "(32, 16, 1)", "(256,1,1)", "128".
std::optional<sim::Dim3> extents_of(std::string_view given) {
  std::string text(given);
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return std::string_view("()x ").find(c) != std::string_view::npos; }, ',');
  sim::Dim3 dim{1, 1, 1};
  unsigned* const parts[] = {&dim.x, &dim.y, &dim.z};
  std::size_t part = 0;
  for (const std::string& extent : text::split_list(text)) {
    if (extent.empty()) continue;
    const auto number = number_in<unsigned>(extent);
    if (!number || *number == 0 || part == 3) return std::nullopt;
    *parts[part++] = *number;
  }
  return part > 0 ? std::optional(dim) : std::nullopt;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& name, Budget& budget)
      : text_(text), name_(name), csv_(text, ','), pace_(budget, Stage::Reading) {}

  scenario::Outcome<NcuProfile> read() {
    const auto refuse = [&](const Message& words) {
      return Message("{}: {}", text::shown_in_line(name_), words);
    };
    if (text_.starts_with("\xef\xbb\xbf")) csv_ = CsvReader(text_ = text_.substr(3), ',');
    if (Message words = not_a_table(text_); !words.empty()) return refuse(words);
    if (!find_header()) return refuse(problem_.empty() ? no_header(text_) : problem_);
    if (!read_rows()) return refuse(problem_);
    if (profile_.launches.empty())
      return refuse(
          Message("names the columns and no launch; did ncu find no kernel? Look at its ==WARNING== lines"));
    number_cells();
    return std::move(profile_);
  }

 private:
  using Columns = std::map<std::string, std::size_t, std::less<>>;
  struct Cell {
    std::size_t launch = 0;
    std::string label, unit, text;
    bool by_rule = false;
  };

  bool fail(const Message& words) {
    problem_ = words;
    return false;
  }
  bool fail_at(const CsvRow& row, const Message& words) {
    return fail(Message("line {}: {}", row.line, words));
  }

  // The first line that names the columns. Before it stand lines of ncu and of the program that it ran.
  bool find_header() {
    for (; !csv_.at_end(); csv_.skip_line()) {
      pace_.step();
      const std::string_view line = csv_.rest_of_line();
      if (line.find("Kernel Name") == std::string_view::npos || line.starts_with("==")) continue;
      for (const char separator : {',', ';', '\t'}) {
        const std::size_t at = line.find(separator);
        if (at == std::string_view::npos) continue;
        CsvReader one(line, separator);
        CsvRow row;
        if (!one.next(&row) || row.cells.size() < 3 ||
            std::ranges::find(row.cells, "Kernel Name") == row.cells.end())
          continue;
        row.line = csv_.line();
        quoted_ = line.starts_with('"');
        csv_.set_separator(separator);
        csv_.skip_line();
        return take_header(std::move(row));
      }
    }
    return false;
  }

  bool take_header(CsvRow row) {
    columns_.clear();
    for (std::size_t i = 0; i < row.cells.size(); ++i) columns_.emplace(row.cells[i], i);
    header_ = std::move(row.cells);
    const auto has = [&](std::string_view column) { return columns_.find(column) != columns_.end(); };
    if (has("Minimum") && has("Maximum") && !has("Metric Value"))
      return fail_at(row, Message("this is a summary of several launches; make it without --print-summary"));
    const bool details = has("Metric Name");
    if (details && !has("Metric Value")) return fail_at(row, Message("there is no column \"Metric Value\""));
    if (!has("ID")) return fail_at(row, Message("there is no column \"ID\", which numbers the launches"));
    profile_.page = details ? NcuProfile::Page::Details : NcuProfile::Page::Raw;
    units_expected_ = !details;
    units_.clear();
    return true;
  }

  bool is_of_table(std::string_view line) const {
    if (line.empty() || line.starts_with("==")) return false;
    return !quoted_ || line.starts_with('"');
  }

  bool read_rows() {
    CsvRow row;
    while (!csv_.at_end()) {
      pace_.step();
      if (!is_of_table(csv_.rest_of_line())) {
        csv_.skip_line();
        continue;
      }
      if (!csv_.next(&row)) return fail(csv_.error());
      if (std::ranges::find(row.cells, "Kernel Name") != row.cells.end()) {  // files put one behind another
        if (!take_header(std::move(row))) return false;
        continue;
      }
      if (!take_row(row)) return false;
    }
    return true;
  }

  std::string cell(const CsvRow& row, std::string_view column) const {
    const auto at = columns_.find(column);
    return at == columns_.end() ? std::string() : row.cells[at->second];
  }

  bool take_row(CsvRow& row) {
    // ncu leaves out the columns of rules behind a metric, but for the first separator.
    if (!row.cells.empty() && row.cells.size() < header_.size() && row.cells.back().empty() &&
        columns_.count("Rule Name") > 0)
      row.cells.resize(header_.size());
    if (row.cells.size() != header_.size())
      return fail_at(row, Message("the row has {} cells, and {} columns are named; is the file cut off?",
                                  row.cells.size(), header_.size()));
    if (units_expected_) {
      units_expected_ = false;
      if (cell(row, "ID").empty()) {
        units_ = row.cells;
        return true;
      }
    }
    if (cell(row, "ID").empty()) return fail_at(row, Message("the launch has no ID"));
    const std::size_t launch = launch_of(row);
    if (profile_.launches.size() > kMostLaunches)
      return fail_at(row, Message("more than {} launches; profile fewer with --launch-count", kMostLaunches));
    if (cells_.size() > kMostMetrics)
      return fail_at(row, Message("more than {} metrics; profile fewer with --metrics", kMostMetrics));
    if (profile_.page == NcuProfile::Page::Raw) {
      take_raw(row, launch);
      return true;
    }
    if (std::string label = cell(row, "Metric Name"); !label.empty())
      cells_.push_back({launch, std::move(label), cell(row, "Metric Unit"), cell(row, "Metric Value")});
    for (RuleFigure& figure : figures_of_rule(cell(row, "Rule Description")))
      cells_.push_back({launch, std::move(figure.name), {}, std::move(figure.number), true});
    return true;
  }

  void take_raw(const CsvRow& row, std::size_t launch) {
    for (std::size_t i = 0; i < header_.size(); ++i) {
      // The columns before the metrics are words ("Process Name") and ranges ("Id:Domain:...").
      if (header_[i].find('_') == std::string::npos || header_[i].find_first_of(" :") != std::string::npos)
        continue;
      cells_.push_back({launch, header_[i], i < units_.size() ? units_[i] : std::string(), row.cells[i]});
    }
  }

  std::size_t launch_of(const CsvRow& row) {
    const auto [known, is_new] =
        known_.emplace(std::pair(cell(row, "ID"), cell(row, "Process ID")), profile_.launches.size());
    if (!is_new) return known->second;
    ProfiledLaunch launch;
    launch.id = cell(row, "ID");
    launch.kernel = cell(row, "Kernel Name");
    launch.grid = extents_of(cell(row, "Grid Size"));
    launch.block = extents_of(cell(row, "Block Size"));
    launch.device = cell(row, "Device");
    launch.compute_capability = cell(row, "CC");
    launch.line = row.line;
    profile_.launches.push_back(std::move(launch));
    return profile_.launches.size() - 1;
  }

  // Only the whole file tells how it writes its decimals: "1,234" alone may be either. What tells most rows
  // wins.
  void number_cells() {
    std::ptrdiff_t commas = 0;
    for (const Cell& cell : cells_)
      if (const auto decimal = decimal_of(cell.text); decimal && !cell.by_rule)
        commas += *decimal == Decimal::Comma ? 1 : -1;
    const Decimal decimal = commas > 0 ? Decimal::Comma : Decimal::Point;
    std::vector<std::set<std::string>> seen(profile_.launches.size());
    for (const bool by_rule : {false, true})  // a metric's own row before what a sentence says of it
      for (Cell& cell : cells_) {
        pace_.step();
        if (cell.by_rule != by_rule) continue;
        const auto number = read_number(cell.text, by_rule ? Decimal::Point : decimal);
        if (!number) continue;
        const Unit unit = base_unit(cell.unit);
        std::string name = metric_name(cell.label, unit.base);
        if (seen[cell.launch].size() >= kMostOfLaunch || !seen[cell.launch].insert(name).second) continue;
        profile_.launches[cell.launch].metrics.push_back({std::move(name), cell.label, unit.base,
                                                          number->value * unit.scale,
                                                          number->resolution * unit.scale, cell.text});
      }
  }

  std::string_view text_;
  std::string name_;
  CsvReader csv_;
  Pace pace_;
  NcuProfile profile_;
  Columns columns_;
  std::vector<std::string> header_, units_;
  bool quoted_ = true, units_expected_ = false;
  std::map<std::pair<std::string, std::string>, std::size_t> known_;  // ID and process -> launch
  std::vector<Cell> cells_;
  Message problem_;
};

}  // namespace

const Metric* ProfiledLaunch::find(std::string_view name) const {
  const auto at = std::ranges::find(metrics, name, &Metric::name);
  return at == metrics.end() ? nullptr : &*at;
}

sim::KernelName ProfiledLaunch::name() const {
  sim::KernelName read =
      sim::read_kernel_name(sim::lower::ptx::demangled(std::string(text::trimmed(kernel))));
  for (std::string& argument : read.arguments) argument = sim::plain_argument(argument);
  return read;
}

bool ProfiledLaunch::may_be(std::string_view wanted) const {
  const std::string own = "::" + name().qualified(), other = "::" + sim::read_kernel_name(wanted).qualified();
  return own != "::" && other != "::" && (own.ends_with(other) || other.ends_with(own));
}

scenario::Outcome<NcuProfile> read_ncu_profile(std::string_view text, const std::string& name,
                                               Budget& budget) {
  return Reader(text, name, budget).read();
}

// ---- names of metrics

namespace {

struct Label {
  std::string_view label, unit, name;  // no unit: whatever it is
};
constexpr Label kLabels[] = {
    {"L1/TEX Hit Rate", "", "l1tex__t_sector_hit_rate.pct"},
    {"L2 Hit Rate", "", "lts__t_sector_hit_rate.pct"},
    {"Duration", "", "gpu__time_duration.sum"},
    {"Elapsed Cycles", "", "sm__cycles_elapsed.max"},
    {"SM Active Cycles", "", "sm__cycles_active.avg"},
    {"DRAM Frequency", "", "dram__cycles_elapsed.avg.per_second"},
    {"SM Frequency", "", "sm__cycles_elapsed.avg.per_second"},
    {"Memory Throughput", "%", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Memory Throughput", "byte/second", "dram__bytes.sum.per_second"},
    {"DRAM Throughput", "%", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1/TEX Cache Throughput", "%", "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    {"L2 Cache Throughput", "%", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Compute (SM) Throughput", "%", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Mem Busy", "%", "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Max Bandwidth", "%", "gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Mem Pipes Busy", "%", "sm__memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Executed Instructions", "", "smsp__inst_executed.sum"},
    {"Issued Instructions", "", "smsp__inst_issued.sum"},
    {"Registers Per Thread", "", "launch__registers_per_thread"},
    {"Grid Size", "", "launch__grid_size"},
    {"Block Size", "", "launch__block_size"},
    {"Threads", "", "launch__thread_count"},
    {"Waves Per SM", "", "launch__waves_per_multiprocessor"},
    {"Dynamic Shared Memory Per Block", "", "launch__shared_mem_per_block_dynamic"},
    {"Static Shared Memory Per Block", "", "launch__shared_mem_per_block_static"},
    {"Theoretical Occupancy", "", "sm__maximum_warps_per_active_cycle_pct"},
    {"Achieved Occupancy", "", "sm__warps_active.avg.pct_of_peak_sustained_active"},
};

// The memory tables: what is counted, of which space, by which kind of access.
std::string of_memory_table(std::string_view label) {
  const std::string words = text::lower_case(label);
  const auto has = [&](std::string_view word) { return words.find(word) != std::string::npos; };
  if (!has("shared") || has("%") || has("peak")) return {};
  const std::string op = has("load") ? "_op_ld" : has("store") ? "_op_st" : has("atomic") ? "_op_atom" : "";
  if (has("bank conflict")) return "l1tex__data_bank_conflicts_pipe_lsu_mem_shared" + op + ".sum";
  if (has("wavefronts")) return "l1tex__data_pipe_lsu_wavefronts_mem_shared" + op + ".sum";
  return {};
}

}  // namespace

std::string metric_name(std::string_view label, std::string_view unit) {
  if (label.find('_') != std::string_view::npos) return std::string(label);  // a counter's own
  for (const Label& known : kLabels)
    if (known.label == label && (known.unit.empty() || known.unit == unit)) return std::string(known.name);
  std::string name = of_memory_table(label);
  return name.empty() ? std::string(label) : name;
}

std::string label_of(std::string_view name) {
  for (const Label& known : kLabels)
    if (known.name == name) return std::string(known.label);
  return std::string(name);
}

namespace {

// The number that ends before `word`, or that begins behind it.
std::string number_before(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return {};
  std::size_t begin = at;
  while (begin > 0 && std::string_view("0123456789.,").find(text[begin - 1]) != std::string_view::npos)
    --begin;
  return std::string(text.substr(begin, at - begin));
}

void add_conflicts(std::string_view text, std::string_view kind, const std::string& op,
                   std::vector<RuleFigure>* figures) {
  const auto add = [&](const std::string& name, const std::string& number) {
    if (!number.empty()) figures->push_back({name, number});
  };
  add("smsp__inst_executed_op_shared_" + op + ".sum",
      number_before(text, " shared " + std::string(kind) + " requests"));
  add("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + op + ".sum",
      number_before(text, " bank conflicts"));
  add("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + op + ".sum",
      number_before(text, " wavefronts for shared " + std::string(kind) + "s"));
}

}  // namespace

std::vector<RuleFigure> figures_of_rule(std::string_view given) {
  std::string text(given);  // its lines are broken anywhere
  std::ranges::replace(text, '\n', ' ');
  std::vector<RuleFigure> figures;
  const auto has = [&](std::string_view words) { return text.find(words) != std::string::npos; };
  if (has("bank conflict"))
    for (const auto& [kind, op] : {std::pair{"load", "ld"}, {"store", "st"}})
      if (has(std::string("memory access pattern for shared ") + kind))
        add_conflicts(text, kind, op, &figures);
  // "The memory access pattern for global loads from L1TEX might not be optimal. On average, only 26.4 of the
  // 32 bytes transmitted per sector are utilized by each thread."
  for (const auto& [kind, op] : {std::pair{"loads", "ld"}, {"stores", "st"}})
    for (const char* space : {"global", "local"})
      if (has(std::string("memory access pattern for ") + space + " " + kind) &&
          has("transmitted per sector"))
        figures.push_back(
            {std::string("smsp__sass_average_data_bytes_per_sector_mem_") + space + "_op_" + op + ".ratio",
             number_before(text, " of the 32 bytes")});
  for (const auto& [unit, excess, all] :
       {std::tuple{"sectors", "derived__memory_l2_theoretical_sectors_global_excessive",
                   "memory_l2_theoretical_sectors_global"},
        {"wavefronts", "derived__memory_l1_wavefronts_shared_excessive", "memory_l1_wavefronts_shared"}}) {
    const std::string excessive = number_before(text, std::string(" excessive ") + unit);
    if (excessive.empty() || !has("uncoalesced")) continue;
    figures.push_back({excess, excessive});
    const std::string rest = text.substr(text.find(std::string(" excessive ") + unit) + 11);
    if (const std::string total = number_before(rest, std::string(" ") + unit); !total.empty())
      figures.push_back({all, total});
  }
  std::erase_if(figures, [](const RuleFigure& figure) { return figure.number.empty(); });
  return figures;
}

}  // namespace warplens::profile
