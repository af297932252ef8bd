#include "sim/report/why.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/numbers.h"
#include "sim/report/output/table.h"

namespace warplens::report {

namespace {

std::uint64_t whole(double count) {
  return static_cast<std::uint64_t>(std::llround(count));
}

std::string in_microseconds(double seconds) {
  const double us = seconds * 1e6;
  return formatted(us < 10 ? "%.2f us" : us < 1000 ? "%.1f us" : "%.0f us", us);
}

std::optional<Counted> measured_or(const CounterValues& measured, const char* name, double modelled) {
  const auto found = measured.find(name);
  if (found != measured.end()) return Counted{found->second, CountSource::Measured};
  return Counted{modelled, CountSource::Modelled};
}

std::optional<Counted> only_measured(const CounterValues& measured, const char* name) {
  const auto found = measured.find(name);
  if (found == measured.end()) return std::nullopt;
  return Counted{found->second, CountSource::Measured};
}

// What the compiler made of the text may ask for less than the text: then only counters tell it.
void take_optimised(const CounterValues& measured, LaunchCounts* counts) {
  counts->shared_wavefronts = only_measured(measured, "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum");
}

}  // namespace

LaunchCounts launch_counts(const Report& report, const sim::Traffic& traffic, const sim::AtomicLoad& atomics,
                           const CounterValues& measured, bool optimised) {
  LaunchCounts counts;
  counts.blocks = static_cast<double>(report.blocks_total);
  counts.dram_read = measured_or(measured, "dram__bytes_read.sum", traffic.dram_read_bytes);
  counts.dram_write = measured_or(measured, "dram__bytes_write.sum", traffic.dram_write_bytes);
  counts.l2_read = measured_or(measured, "lts__t_sectors_srcunit_tex_op_read.sum", traffic.l2_read_sectors);
  counts.l2_write = Counted{static_cast<double>(traffic.store_sectors + traffic.atomic_sectors)};
  double shared = 0, global = 0, lines = 0;
  for (const sim::SiteTotals& group : report.shared) shared += static_cast<double>(group.wavefronts);
  for (const sim::SiteTotals& group : report.global) {
    global += static_cast<double>(group.data_wavefronts);
    lines += static_cast<double>(group.lines);
  }
  counts.l1_wavefronts = measured_or(measured, "l1tex__data_pipe_lsu_wavefronts.sum", shared + global);
  counts.l1_lines = Counted{lines};
  counts.shared_wavefronts = Counted{shared};
  const CountSource source = atomics.sampled ? CountSource::Modelled : CountSource::Predicted;
  counts.atomic_turns = Counted{atomics.turns, source};
  counts.atomic_slice = Counted{atomics.hottest_slice, source};
  counts.atomic_one_address = Counted{atomics.one_word, source};
  counts.instructions = only_measured(measured, "smsp__inst_executed.sum");
  counts.fma = only_measured(measured, "sm__inst_executed_pipe_fma.sum");
  if (optimised) take_optimised(measured, &counts);
  return counts;
}

nlohmann::ordered_json why_json(const Why& why) {
  const sim::Traffic& t = why.traffic;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Bound& bound : why.bounds)
    list.push_back({{"resource", name_of(bound.resource)},
                    {"count", bound.count},
                    {"of", bound.unit},
                    {"peak_per_second", bound.peak_per_second},
                    {"seconds", bound.seconds},
                    {"source", name_of(bound.source)}});
  const Bound* most = longest(why.bounds);
  nlohmann::ordered_json document{
      {"schema", "warplens.why/1"},
      {"kernel", why.kernel},
      {"gpu", why.gpu},
      {"l2_before", why.warm ? "warm" : "cold"},
      {"l1",
       {{"load_sectors", t.load_sectors},
        {"hit_sectors", whole(t.hit_sectors)},
        {"hit_rate", t.l1_hit_rate()}}},
      {"l2",
       {{"read_sectors", whole(t.l2_read_sectors)},
        {"write_sectors", t.store_sectors},
        {"atomic_sectors", t.atomic_sectors},
        {"hit_rate", t.l2_hit_rate()}}},
      {"dram", {{"read_bytes", whole(t.dram_read_bytes)}, {"write_bytes", whole(t.dram_write_bytes)}}},
      {"bounds", std::move(list)},
      {"bound", most == nullptr ? "" : name_of(most->resource)}};
  if (const Bound* also = tied(why.bounds)) document["tied"] = name_of(also->resource);
  if (!why.peaks_of.empty()) document["peaks_of"] = why.peaks_of;
  if (why.measured_seconds) document["measured_seconds"] = *why.measured_seconds;
  if (why.in_flight) document["in_flight"] = in_flight_json(*why.in_flight);
  return document;
}

std::string why_text(const Why& why) {
  const sim::Traffic& t = why.traffic;
  std::string text =
      std::string("What the caches answer (modelled, L2 ") + (why.warm ? "warm" : "cold") + ")\n";
  if (t.load_sectors > 0)
    text += formatted("  L1    %5.1f %% of ", 100 * t.l1_hit_rate()) + grouped(t.load_sectors) +
            " sectors loaded; L2 is asked for " + grouped(whole(t.l2_read_sectors)) + "\n";
  else
    text += "  L1    nothing is loaded\n";
  const bool looked_up = t.l2_hits + t.l2_misses > 0;
  text += (looked_up ? formatted("  L2    %5.1f %% of its lookups; memory reads ", 100 * t.l2_hit_rate())
                     : "  L2    nothing is looked up; memory reads ") +
          grouped(whole(t.dram_read_bytes)) + " bytes and writes " + grouped(whole(t.dram_write_bytes)) +
          "\n";
  const std::string in_flight =
      why.in_flight ? "\n" + in_flight_text(*why.in_flight, !t.l1_answers_most()) : "";
  if (why.bounds.empty())
    return text + in_flight +
           "\nNo bounds: what a GPU can do at most is measured by: warplens-cli measure --peaks -o FILE\n";
  text += "\nThe least time that each resource needs, on " + why.peaks_of + "\n";
  const Bound* most = longest(why.bounds);
  for (const Bound& bound : why.bounds) {
    text += formatted("  %-8s %10s", name_of(bound.resource), in_microseconds(bound.seconds).c_str());
    if (why.measured_seconds) text += formatted("  %3.0f %%", 100 * bound.seconds / *why.measured_seconds);
    const bool one_launch = bound.count == 1 && std::string_view(bound.unit) == "launches";
    text += "  " + (one_launch ? "1 launch" : grouped(whole(bound.count)) + " " + bound.unit) +
            formatted(" at %.3g a second", bound.peak_per_second) + ", " + name_of(bound.source) +
            (&bound == most               ? "  <- the bound"
             : &bound == tied(why.bounds) ? "  <- about as long"
                                          : "") +
            "\n";
  }
  return text + in_flight;
}

}  // namespace warplens::report
