#include "sim/report/counters.h"

#include <algorithm>

#include "sim/report/comparison.h"

namespace warplens::report {

namespace {

using memory::Op;
using memory::Space;
using Lines = std::span<const ReportLine>;

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
constexpr unsigned kRead = kLoad | kCopies | kTexture;  // as far as L2 can tell
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
    {"l1tex__t_output_wavefronts_pipe_lsu_mem_global", G, F::TagWavefronts, C::Tags, U::Pipe},
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
    {"smsp__sass_data_bytes_mem_global", G, F::Bytes, C::Global, U::Code, kEverything},
    {"smsp__sass_data_bytes_mem_shared", S, F::Bytes, C::Executed, U::Code, kEverything},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared", S, F::Wavefronts, C::Executed, U::Code,
     kEverything},
    {"smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared", S, F::Conflicts, C::Executed},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", S, F::Wavefronts, C::Executed, U::Code, kEverything},
    {"smsp__sass_l1tex_average_t_sectors_per_request_pipe_lsu_mem_global", G, F::Sectors, C::Average, U::Code,
     0, 1, F::Requests},
    {"smsp__sass_average_data_bytes_per_sector_mem_global", G, F::Bytes, C::Average, U::Code, kEverything, 1,
     F::Sectors},
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
    {"lts__t_sectors_srcunit_tex_op_read", G, F::Sectors, C::BehindCaches, U::Code, kRead},
    {"lts__t_sectors_srcunit_tex_op_write", G, F::Sectors, C::BehindCaches, U::Code, kStore},
    {"lts__t_sectors_op_read", G, F::Sectors, C::BehindCaches, U::Code, kRead},
    {"lts__t_sectors_op_write", G, F::Sectors, C::BehindCaches, U::Code, kStore},
    {"lts__t_sectors", G, F::Sectors, C::BehindCaches, U::Code, kEverything | kRead},
    {"lts__t_bytes", G, F::Sectors, C::BehindCaches, U::Code, kEverything | kRead, 32},
    {"dram__sectors_read", G, F::Sectors, C::BehindCaches, U::Code, kRead},
    {"dram__sectors_write", G, F::Sectors, C::BehindCaches, U::Code, kStore},
    {"dram__bytes_read", G, F::Sectors, C::BehindCaches, U::Code, kRead, 32},
    {"dram__bytes_write", G, F::Sectors, C::BehindCaches, U::Code, kStore, 32},
    {"dram__bytes", G, F::Sectors, C::BehindCaches, U::Code, kEverything | kRead, 32},
    {"l1tex__t_sectors_pipe_tex_mem_texture", G, F::Sectors, C::Global, U::Code, kTexture},
};

// Sectors that no access needs: the difference of two others.
constexpr std::string_view kExcessive = "derived__memory_l2_theoretical_sectors_global_excessive";

// The pipe's own counter of the conflicts of copies is left out: it reads 0 for copies past L1. The last is
// of all accesses to shared memory.
constexpr const char* kCounters[] = {
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_st.sum",
    "smsp__sass_inst_executed_op_shared_ld.sum",
    "smsp__sass_inst_executed_op_shared_st.sum",
    "smsp__inst_executed_op_shared_ld_pred_on_any.sum",
    "smsp__inst_executed_op_shared_st_pred_on_any.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
    "smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum",
    "smsp__sass_inst_executed_op_ldgsts.sum",
    "smsp__inst_executed_op_ldgsts.sum",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum",
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
      if (stem.counts == Counts::Tags && op != "ld" && op != "st") return 0;
      // What a copy writes is no load's.
      return stem.space == Space::Shared && op == "ld" ? kinds & ~kCopies : kinds;
    }
  return 0;
}

// Which of Kinds a line is.
unsigned kind_of(const ReportLine& line) {
  if (line.op == Op::Async) return line.past_l1 ? kCopyPastL1 : kCopyThroughL1;
  if (line.form == sim::AccessForm::Texture) return kTexture;
  if (line.form == sim::AccessForm::Surface) return kSurface;
  if (line.form == sim::AccessForm::Matrix) return line.op == Op::Store ? kMatrixStore : kMatrixLoad;
  return report::kind_of(counted_as(line.space, line.op));
}

bool of_kind(const ReportLine& line, Space space, unsigned kinds) {
  return line.space == space && (kind_of(line) & kinds) != 0;
}

bool has(Lines lines, Space space, unsigned kinds) {
  return sum_of(lines, space, kinds, Field::Requests) > 0;
}

// Lanes that share a word ask for more bytes than their sectors, or their wavefronts, could hold.
bool lanes_share(Lines lines, Space space, unsigned kinds) {
  return std::ranges::any_of(lines, [&](const ReportLine& line) {
    const sim::SiteTotals& t = line.totals;
    const std::uint64_t room = space == Space::Global ? 32 * t.ideal_sectors : 128 * t.ideal_wavefronts;
    return of_kind(line, space, kinds) && t.bytes > room;
  });
}

// What is not known of these accesses: distinct bytes where lanes share some, distinct sectors of atomics,
// whose lanes wait for each other, and what the tags' model says of copies.
bool is_unknown(Lines lines, const Stem& stem, unsigned kinds, Field field) {
  if (field == Field::Sectors && stem.counts != Counts::BehindCaches &&
      has(lines, Space::Global, kinds & (kAtomic | kReduction)))
    return true;
  if (field == Field::TagWavefronts) return has(lines, Space::Global, kinds & kCopies);
  if (field == Field::IdealSectors || field == Field::Bytes) return lanes_share(lines, stem.space, kinds);
  return false;
}

bool is_certain(Lines lines, const Stem& stem, unsigned kinds) {
  if (stem.field != Field::Wavefronts && stem.field != Field::Conflicts && stem.below != Field::Wavefronts)
    return true;
  // No pipe sees what goes past L1.
  if (stem.field == Field::Conflicts && stem.counts == Counts::Pipe) kinds &= ~kCopyPastL1;
  return std::ranges::none_of(lines, [&](const ReportLine& line) {
    return of_kind(line, Space::Shared, kinds) && line.totals.uncertain > 0;
  });
}

// The pipe leaves out of a copy's conflicts the turns in which L1 looks up its lines, four at a time, and has
// none of what goes past L1. Nothing: they differ from request to request.
std::optional<double> pipe_conflicts(Lines lines, unsigned kinds) {
  double sum = sum_of(lines, Space::Shared, kinds & ~kCopies, Field::Conflicts);
  for (const ReportLine& line : lines) {
    if (!of_kind(line, Space::Shared, kinds & kCopyThroughL1) || line.totals.bank_conflicts == 0) continue;
    const auto read = std::ranges::find_if(lines, [&](const ReportLine& other) {
      return other.space == Space::Global && other.op == line.op &&
             (other.site == line.site || other.site + 1 == line.site);
    });
    const std::uint64_t n = line.totals.requests;
    if (read == lines.end() || read->totals.requests != n || read->totals.lines % n != 0 ||
        line.totals.wavefronts % n != 0)
      return std::nullopt;
    const std::uint64_t lookups = (read->totals.lines / n + 3) / 4 * n;
    sum += static_cast<double>(
        line.totals.wavefronts -
        std::min(line.totals.wavefronts, std::max(line.totals.ideal_wavefronts, lookups)));
  }
  return sum;
}

std::optional<Prediction> of_stem(Lines lines, const Stem& stem, std::string_view op, double scale) {
  Prediction p{stem.counts,    0, stem.space, kinds_of(stem, op), stem.field, stem.scale * scale,
               std::string(op)};
  if (is_unknown(lines, stem, p.kinds, stem.field) || is_unknown(lines, stem, p.kinds, stem.below))
    return std::nullopt;
  p.certain = is_certain(lines, stem, p.kinds);
  if (p.field == Field::Conflicts && p.counts == Counts::Pipe) {
    const auto conflicts = pipe_conflicts(lines, p.kinds);
    if (!conflicts) return std::nullopt;
    p.value = *conflicts;
  } else {
    if (p.field == Field::Conflicts && stem.begin.starts_with("smsp__sass")) p.kinds &= ~kCopyPastL1;
    p.value = p.scale * sum_of(lines, p.space, p.kinds, p.field);
  }
  if (stem.below != Field::None) {
    const double below = sum_of(lines, p.space, p.kinds, stem.below);
    if (below == 0) return std::nullopt;
    p.value /= below;
  }
  if (p.counts == Counts::Global && p.field != Field::Requests &&
      has(lines, Space::Global, p.kinds & (kAtomic | kReduction)))
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

using T = sim::SiteTotals;
struct {
  const char* name;
  std::uint64_t T::*value;
} constexpr kFields[] = {{"", nullptr},
                         {"requests", &T::requests},
                         {"sectors", &T::sectors},
                         {"sectors", &T::load_sectors},
                         {"ideal_sectors", &T::ideal_sectors},
                         {"lines", &T::lines},
                         {"tag_wavefronts", &T::tag_wavefronts},
                         {"wavefronts", &T::wavefronts},
                         {"ideal_wavefronts", &T::ideal_wavefronts},
                         {"bank_conflicts", &T::bank_conflicts},
                         {"bytes", &T::bytes}};

}  // namespace

const char* name_of(Field field) {
  return kFields[static_cast<std::size_t>(field)].name;
}

double amount_of(const ReportLine& line, Field field) {
  if (field == Field::None) return 0;
  if (field == Field::LoadSectors && line.op != Op::Async) field = Field::Sectors;
  return static_cast<double>(line.totals.*kFields[static_cast<std::size_t>(field)].value);
}

double sum_of(Lines lines, Space space, unsigned kinds, Field field) {
  double sum = 0;
  for (const ReportLine& line : lines)
    if (of_kind(line, space, kinds)) sum += amount_of(line, field);
  return sum;
}

bool Prediction::takes_in(const ReportLine& line) const {
  return of_kind(line, space, kinds);
}

const char* suffix_of(Op op) {
  constexpr const char* kSuffixes[] = {"ld", "st", "atom", "red", "ldgsts"};
  return kSuffixes[static_cast<std::size_t>(op)];
}

std::array<std::string, 3> instruction_counters(Op op) {
  const std::string end = std::string("inst_executed_op_shared_") + suffix_of(op);
  return {"smsp__sass_" + end + ".sum", "smsp__" + end + "_pred_on_any.sum", "smsp__" + end + ".sum"};
}

std::span<const char* const> counters() {
  return kCounters;
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

std::optional<Prediction> predict_counter(Lines lines, std::string_view name) {
  if (name == kExcessive) {
    auto p = predict_counter(lines, "memory_l2_theoretical_sectors_global");
    const auto ideal = predict_counter(lines, "memory_l2_theoretical_sectors_global_ideal");
    if (!p || !ideal) return std::nullopt;
    p->value -= ideal->value;
    return p;
  }
  const auto known = known_name(name);
  return known ? of_stem(lines, *known->stem, known->op, known->scale) : std::nullopt;
}

std::optional<Prediction> predict_counter(const Report& report, std::string_view name) {
  const std::uint64_t blocks = report.launch.grid.count(), threads = report.launch.block.count();
  for (const auto& [known, value] : {std::pair{"launch__grid_size", blocks},
                                     {"launch__block_size", threads},
                                     {"launch__thread_count", blocks * threads}})
    if (name == known) return Prediction{Counts::Launch, static_cast<double>(value)};
  return predict_counter(report.lines, name);
}

}  // namespace warplens::report
