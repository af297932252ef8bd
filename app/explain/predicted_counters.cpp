#include "app/explain/predicted_counters.h"

#include <algorithm>
#include <cmath>

namespace warplens::explain {

namespace {

using memory::Op;
using memory::Space;
using report::Report;
using report::ReportLine;

// How the counters of one kind of unit are called, and what they take in where the name ends without an
// operation. The pipe has no name of its own for matrices, and counts what a copy reads as loads;
// instructions and instrumented machine code have them apart.
enum class Unit : std::uint8_t { Pipe, Code };
struct Stem {
  std::string_view begin;
  Space space;
  Field field;
  Counts counts;
  Unit unit = Unit::Code;
  unsigned all = 0;  // without an operation; 0: no such counter
  double scale = 1;
  Field below = Field::None;  // of an average
};
constexpr unsigned kGlobal = kLoad | kStore | kAtomic | kReduction;
using C = Counts;
using F = Field;
using U = Unit;
constexpr Space G = Space::Global, S = Space::Shared;
constexpr Stem kStems[] = {
    {"l1tex__t_requests_pipe_lsu_mem_global", G, F::Requests, C::Global, U::Pipe},
    {"l1tex__t_sectors_pipe_lsu_mem_global", G, F::LoadSectors, C::Global, U::Pipe},
    {"l1tex__t_bytes_pipe_lsu_mem_global", G, F::LoadSectors, C::Global, U::Pipe, 0, 32},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global", G, F::LoadSectors, C::Average, U::Pipe, 0, 1,
     F::Requests},
    // Not l1tex__data_pipe_lsu_wavefronts_mem_shared of all: it counts some that are no access.
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared", S, F::Wavefronts, C::Pipe, U::Pipe},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared", S, F::Conflicts, C::Pipe, U::Pipe, kEverything},
    {"smsp__inst_executed_op_global", G, F::Requests, C::Issued},
    {"smsp__inst_executed_op_shared", S, F::Requests, C::Issued},
    {"smsp__inst_executed_op", S, F::Requests, C::Issued},
    {"smsp__sass_inst_executed_op_global", G, F::Requests, C::Global, U::Code, kGlobal},
    {"smsp__sass_inst_executed_op_shared", S, F::Requests, C::Executed, U::Code, kEverything & ~kCopies},
    {"smsp__sass_inst_executed_op", S, F::Requests, C::Executed},
    {"smsp__sass_l1tex_t_requests_pipe_lsu_mem_global", G, F::Requests, C::Global},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global", G, F::Sectors, C::Global},
    {"smsp__sass_sectors_mem_global", G, F::Sectors, C::Global, U::Code, kEverything},
    {"smsp__sass_l1tex_tags_mem_global", G, F::Lines, C::Global, U::Code, kEverything},
    {"smsp__sass_data_bytes_mem_global", G, F::UsedBytes, C::Global, U::Code, kEverything},
    {"smsp__sass_data_bytes_mem_shared", S, F::Bytes, C::Executed, U::Code, kEverything},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared", S, F::Wavefronts, C::Executed, U::Code,
     kEverything},
    {"smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared", S, F::Conflicts, C::Executed},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", S, F::Wavefronts, C::Executed, U::Code, kEverything},
    {"smsp__sass_l1tex_average_t_sectors_per_request_pipe_lsu_mem_global", G, F::Sectors, C::Average, U::Code,
     0, 1, F::Requests},
    {"smsp__sass_average_data_bytes_per_sector_mem_global", G, F::UsedBytes, C::Average, U::Code, kEverything,
     1, F::Sectors},
    {"smsp__sass_average_data_bytes_per_wavefront_mem_shared", S, F::Bytes, C::Average, U::Code, kEverything,
     1, F::Wavefronts},
    // Of source lines.
    {"memory_l1_wavefronts_shared", S, F::Wavefronts, C::Executed, U::Code, kEverything},
    {"memory_l1_wavefronts_shared_ideal", S, F::IdealWavefronts, C::Executed, U::Code, kEverything},
    {"derived__memory_l1_wavefronts_shared_excessive", S, F::Conflicts, C::Executed, U::Code, kEverything},
    {"memory_l1_tag_requests_global", G, F::Lines, C::Global, U::Code, kEverything},
    {"memory_l2_theoretical_sectors_global", G, F::Sectors, C::Global, U::Code, kEverything},
    {"memory_l2_theoretical_sectors_global_ideal", G, F::IdealSectors, C::Global, U::Code, kEverything},
    // What would pass if nothing were kept.
    {"lts__t_sectors_srcunit_tex_op_read", G, F::Sectors, C::BehindCaches, U::Code, kLoad | kCopies},
    {"lts__t_sectors_srcunit_tex_op_write", G, F::Sectors, C::BehindCaches, U::Code, kStore},
    {"lts__t_sectors_op_read", G, F::Sectors, C::BehindCaches, U::Code, kLoad | kCopies},
    {"lts__t_sectors_op_write", G, F::Sectors, C::BehindCaches, U::Code, kStore},
    {"lts__t_sectors", G, F::Sectors, C::BehindCaches, U::Code, kEverything},
    {"lts__t_bytes", G, F::Sectors, C::BehindCaches, U::Code, kEverything, 32},
    {"dram__sectors_read", G, F::Sectors, C::BehindCaches, U::Code, kLoad | kCopies},
    {"dram__sectors_write", G, F::Sectors, C::BehindCaches, U::Code, kStore},
    {"dram__bytes_read", G, F::Sectors, C::BehindCaches, U::Code, kLoad | kCopies, 32},
    {"dram__bytes_write", G, F::Sectors, C::BehindCaches, U::Code, kStore, 32},
    {"dram__bytes", G, F::Sectors, C::BehindCaches, U::Code, kEverything, 32},
};

struct OpName {
  std::string_view end;
  unsigned of_code, of_pipe;
};
constexpr OpName kOps[] = {
    {"ld", kLoad, kLoad | kMatrixLoad | kCopies},
    {"st", kStore, kStore | kMatrixStore},
    {"atom", kAtomic, kAtomic},
    {"red", kReduction, kReduction},
    {"ldsm", kMatrixLoad, 0},
    {"stsm", kMatrixStore, 0},
    {"ldgsts", kCopies, kCopies},
    {"ldgsts_cache_access", kCopyThroughL1, kCopyThroughL1},
    {"ldgsts_cache_bypass", kCopyPastL1, 0},
};

const Stem* longest_stem(std::string_view name) {
  const Stem* best = nullptr;
  for (const Stem& stem : kStems)
    if (name.starts_with(stem.begin) && (best == nullptr || stem.begin.size() > best->begin.size()))
      best = &stem;
  return best;
}

// "_op_ld", "_ld" (behind "op_global"), "": which kinds; 0: it is no such name.
unsigned kinds_of(const Stem& stem, std::string_view op) {
  if (op.empty()) return stem.all;
  if (op.starts_with("_op_")) op.remove_prefix(3);
  if (op.starts_with("_")) op.remove_prefix(1);
  for (const OpName& known : kOps)
    if (known.end == op) {
      const unsigned kinds = stem.unit == Unit::Pipe ? known.of_pipe : known.of_code;
      // What a copy writes is no load's.
      if (stem.space == Space::Shared && op == "ld") return kinds & ~kCopies;
      return kinds;
    }
  return 0;
}

bool of_kind(const ReportLine& line, Space space, unsigned kinds) {
  return line.space == space && (kind_of(line) & kinds) != 0;
}

// Lanes that share a word ask for more bytes than their sectors, or their wavefronts, could hold.
bool lanes_share(const Report& report, Space space, unsigned kinds) {
  return std::ranges::any_of(report.lines, [&](const ReportLine& line) {
    const sim::SiteTotals& t = line.totals;
    const std::uint64_t room = space == Space::Global ? 32 * t.ideal_sectors : 128 * t.ideal_wavefronts;
    return of_kind(line, space, kinds) && t.bytes > room;
  });
}

bool has(const Report& report, Space space, unsigned kinds) {
  return sum_of(report, space, kinds, Field::Requests) > 0;
}

// What is not known of these accesses: distinct bytes where lanes share some, and distinct sectors of
// atomics, whose lanes wait for each other.
bool is_unknown(const Report& report, const Stem& stem, unsigned kinds, Field field) {
  if (field == Field::Sectors && stem.counts != Counts::BehindCaches &&
      has(report, Space::Global, kinds & (kAtomic | kReduction)))
    return true;
  // No pipe sees what goes past L1.
  if (field == Field::Conflicts && stem.counts == Counts::Pipe) kinds &= ~kCopyPastL1;
  if (field == Field::Wavefronts || field == Field::Conflicts)
    return std::ranges::any_of(report.lines, [&](const ReportLine& line) {
      return of_kind(line, Space::Shared, kinds) && line.totals.uncertain > 0;
    });
  if (field == Field::IdealSectors || field == Field::UsedBytes || field == Field::Bytes)
    return lanes_share(report, stem.space, kinds);
  return false;
}

// The pipe leaves out of a copy's conflicts the turns in which L1 looks up its lines, four at a time, and has
// none of what goes past L1. Nothing: they differ from request to request.
std::optional<double> pipe_conflicts(const Report& report, unsigned kinds) {
  double sum = sum_of(report, Space::Shared, kinds & ~kCopies, Field::Conflicts);
  for (const ReportLine& line : report.lines) {
    if (!of_kind(line, Space::Shared, kinds & kCopyThroughL1) || line.totals.bank_conflicts == 0) continue;
    const auto read = std::ranges::find_if(report.lines, [&](const ReportLine& other) {
      return other.space == Space::Global && other.op == line.op &&
             (other.site == line.site || other.site + 1 == line.site);
    });
    const std::uint64_t n = line.totals.requests;
    if (read == report.lines.end() || read->totals.requests != n || read->totals.lines % n != 0 ||
        line.totals.wavefronts % n != 0)
      return std::nullopt;
    const std::uint64_t lookups = (read->totals.lines / n + 3) / 4 * n;
    sum += static_cast<double>(
        line.totals.wavefronts -
        std::min(line.totals.wavefronts, std::max(line.totals.ideal_wavefronts, lookups)));
  }
  return sum;
}

std::optional<Prediction> of_stem(const Report& report, const Stem& stem, std::string_view op, double scale) {
  Prediction p{stem.counts,    0, stem.space, kinds_of(stem, op), stem.field, stem.scale * scale,
               std::string(op)};
  if (is_unknown(report, stem, p.kinds, stem.field) ||
      (stem.below != Field::None && is_unknown(report, stem, p.kinds, stem.below)))
    return std::nullopt;
  if (p.field == Field::Conflicts && p.counts == Counts::Pipe) {
    const auto conflicts = pipe_conflicts(report, p.kinds);
    if (!conflicts) return std::nullopt;
    p.value = *conflicts;
  } else {
    if (p.field == Field::Conflicts && stem.begin.starts_with("smsp__sass")) p.kinds &= ~kCopyPastL1;
    p.value = p.scale * sum_of(report, p.space, p.kinds, p.field);
  }
  if (stem.below != Field::None) {
    const double below = sum_of(report, p.space, p.kinds, stem.below);
    if (below == 0) return std::nullopt;
    p.value /= below;
  }
  if (p.counts == Counts::Global && p.field != Field::Requests &&
      has(report, Space::Global, p.kinds & (kAtomic | kReduction)))
    p.counts = Counts::Atomics;
  return p;
}

// Counters of source lines, which ncu adds up itself.
bool is_of_source_lines(std::string_view name) {
  return name.starts_with("memory_") || name.starts_with("derived__memory_");
}

struct KnownName {
  const Stem* stem = nullptr;
  std::string op;  // "_op_ld"
  double scale = 1;
};
std::optional<KnownName> known_name(std::string_view given) {
  // The same sum, of multiprocessors and of their quarters.
  std::string name =
      given.starts_with("sm__sass_") ? "smsp" + std::string(given.substr(2)) : std::string(given);
  const bool percent = name.ends_with(".pct");
  for (const std::string_view end : {".sum", ".ratio", ".pct", "_pred_on_any"})
    if (name.ends_with(end)) name.resize(name.size() - end.size());
  const Stem* stem = longest_stem(name);
  if (stem == nullptr) return std::nullopt;
  const bool average = stem->below != Field::None, of_lines = !given.ends_with(".sum");
  if (average ? !percent && !given.ends_with(".ratio") : of_lines && !is_of_source_lines(given))
    return std::nullopt;
  std::string op = name.substr(stem->begin.size());
  if (kinds_of(*stem, op) == 0) return std::nullopt;
  // A sector has 32 bytes, a wavefront 128.
  const double scale = !percent ? 1 : stem->below == Field::Wavefronts ? 100.0 / 128 : 100.0 / 32;
  return KnownName{stem, std::move(op), scale};
}

std::optional<Prediction> of_launch(const Report& report, std::string_view name) {
  const sim::Launch& launch = report.launch;
  const auto whole = [](std::uint64_t value) {
    return Prediction{Counts::Launch, static_cast<double>(value)};
  };
  if (name == "launch__grid_size") return whole(launch.grid.count());
  if (name == "launch__block_size") return whole(launch.block.count());
  if (name == "launch__thread_count") return whole(launch.grid.count() * launch.block.count());
  return std::nullopt;
}

}  // namespace

unsigned kind_of(const ReportLine& line) {
  if (line.op == Op::Async) return line.past_l1 ? kCopyPastL1 : kCopyThroughL1;
  if (line.form == sim::AccessForm::Matrix) return line.op == Op::Store ? kMatrixStore : kMatrixLoad;
  switch (line.op) {
    case Op::Load:
      return kLoad;
    case Op::Store:
      return kStore;
    case Op::Atomic:
      return kAtomic;
    default:
      return line.space == Space::Shared ? kAtomic : kReduction;
  }
}

const char* name_of(Field field) {
  constexpr const char* kNames[] = {"",      "requests", "sectors",    "sectors",          "ideal_sectors",
                                    "lines", "bytes",    "wavefronts", "ideal_wavefronts", "bank_conflicts",
                                    "bytes"};
  return kNames[static_cast<std::size_t>(field)];
}

double amount_of(const ReportLine& line, Field field) {
  using T = sim::SiteTotals;
  static constexpr std::uint64_t T::*kValues[] = {
      nullptr,   &T::requests,   &T::sectors,          &T::load_sectors,   &T::ideal_sectors, &T::lines,
      &T::bytes, &T::wavefronts, &T::ideal_wavefronts, &T::bank_conflicts, &T::bytes};
  if (field == Field::None) return 0;
  if (field == Field::LoadSectors && line.op != Op::Async) field = Field::Sectors;
  return static_cast<double>(line.totals.*kValues[static_cast<std::size_t>(field)]);
}

double sum_of(const Report& report, Space space, unsigned kinds, Field field) {
  double sum = 0;
  for (const ReportLine& line : report.lines)
    if (of_kind(line, space, kinds)) sum += amount_of(line, field);
  return sum;
}

std::optional<double> modelled_counter(const sim::Traffic& traffic, std::string_view name) {
  if (traffic.error) return std::nullopt;
  if (name == "lts__t_sectors_srcunit_tex_op_read.sum" || name == "lts__t_sectors_op_read.sum")
    return traffic.l2_read_sectors;
  // Stores and atomics are looked up too, and found in few of the kernels that were counted; a kernel of
  // loads is what the model knows.
  if (name == "l1tex__t_sector_hit_rate.pct" ||
      name == "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct")
    return 100 * traffic.l1_hit_rate();
  if (name == "lts__t_sector_hit_rate.pct") return 100 * traffic.l2_hit_rate();
  if (name == "dram__bytes_read.sum") return traffic.dram_read_bytes;
  if (name == "dram__bytes_write.sum") return traffic.dram_write_bytes;
  if (name == "dram__sectors_read.sum") return traffic.dram_read_bytes / 32;
  if (name == "dram__sectors_write.sum") return traffic.dram_write_bytes / 32;
  return std::nullopt;
}

std::optional<Prediction> predict_counter(const Report& report, std::string_view name) {
  if (auto p = of_launch(report, name)) return p;
  if (name == "derived__memory_l2_theoretical_sectors_global_excessive") {
    auto p = predict_counter(report, "memory_l2_theoretical_sectors_global");
    const auto ideal = predict_counter(report, "memory_l2_theoretical_sectors_global_ideal");
    if (!p || !ideal) return std::nullopt;
    p->value -= ideal->value;
    return p;
  }
  const auto known = known_name(name);
  return known ? of_stem(report, *known->stem, known->op, known->scale) : std::nullopt;
}

bool knows_counter(std::string_view name) {
  return name == "derived__memory_l2_theoretical_sectors_global_excessive" || known_name(name);
}

}  // namespace warplens::explain
