#include "app/readout/words/published.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/readout/ladder_times.h"
#include "app/readout/profiler_names.h"
#include "app/readout/time_bar.h"
#include "sim/memory/nvprof.h"

namespace warplens::app {
namespace {

using language::Strings;
using measure::PublishedEntry;
using measure::PublishedPack;
using scene::TimeUnit;

constexpr const char* kLoads = "gld_transactions_per_request";

double amount_of(const PublishedEntry& entry, TimeUnit unit) {
  switch (unit) {
    case TimeUnit::Time:
      return entry.seconds;
    case TimeUnit::Bytes:
      return entry.gb_per_second;
    case TimeUnit::Operations:
      return entry.gflop_per_second;
    case TimeUnit::Peak:
      return 0;
  }
  return 0;
}

std::string size_of(const PublishedPack& pack, const Strings& strings) {
  return pack.size.empty() ? strings("published.size.unknown") : size_text(pack.size);
}

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string cell_text(const std::string& counter, double value) {
  return number_text(value) + (counter.ends_with("_efficiency") ? " %" : "");
}

// Of all entries, in the order of a profiler's list: loads before stores, counts before shares.
std::vector<std::string> counters_of(const PublishedPack& pack) {
  std::vector<std::string> names;
  for (const ProfilerName& known : profiler_names()) {
    const std::string name(known.nvprof);
    const auto has = [&](const PublishedEntry& entry) { return entry.counters.contains(name); };
    if (std::ranges::any_of(pack.entries, has)) names.push_back(name);
  }
  return names;
}

// Short enough to stand over a column; a name without such words stands itself.
std::string column_text(const std::string& counter, const Strings& strings) {
  for (const char* known : {kLoads, "gst_transactions_per_request", "gld_efficiency", "gst_efficiency"}) {
    if (counter == known) return strings("published.column." + counter);
  }
  return counter;
}

std::string label_of(const scenario::Scenario& rung, const Strings& strings) {
  return scenario::in_language(rung.rung_label.empty() ? rung.title : rung.rung_label, strings.language());
}

// Which rungs the entry is about, and what may differ.
std::string about_words(const PublishedEntry& entry, const std::vector<const scenario::Scenario*>& ladder,
                        const Strings& strings) {
  if (entry.is_reference) return {};
  std::string rungs;
  for (const scenario::Scenario* rung : ladder) {
    if (entry.is_about(rung->name)) rungs += (rungs.empty() ? "" : " · ") + label_of(*rung, strings);
  }
  std::string words =
      rungs.empty() ? strings("published.row.none") : strings("published.row.rungs", {{"rungs", rungs}});
  if (!entry.note.empty()) words += "\n" + scenario::in_language(entry.note, strings.language());
  return words;
}

scene::PublishedRow row_of(const PublishedPack& pack, const PublishedEntry& entry, TimeUnit unit,
                           const std::vector<const scenario::Scenario*>& ladder, const Strings& strings) {
  scene::PublishedRow row;
  row.label = scenario::in_language(entry.label, strings.language());
  row.amount = amount_of(entry, unit);
  row.reference = entry.is_reference;
  for (std::size_t i = 0; row.rung < 0 && i < ladder.size(); ++i) {
    if (entry.is_about(ladder[i]->name)) row.rung = static_cast<int>(i);
  }
  row.tooltip =
      strings("published.row.tip", {{"label", row.label},
                                    {"figure", scene::published_text(row.amount, unit)},
                                    {"source", scenario::in_language(pack.source, strings.language())}});
  const std::string about = about_words(entry, ladder, strings);
  if (!about.empty()) row.tooltip += "\n" + about;
  return row;
}

scene::PublishedFigure figure_of(const PublishedPack& pack, TimeUnit unit, bool counters,
                                 const std::vector<const scenario::Scenario*>& ladder,
                                 const scenario::Scenario& here, const Strings& strings) {
  scene::PublishedFigure figure;
  figure.heading = gpu_of(pack, strings) + " · " + size_of(pack, strings);
  figure.source =
      strings("published.source", {{"source", scenario::in_language(pack.source, strings.language())}});
  figure.unit = unit;
  const std::vector<std::string> names =
      counters && unit == TimeUnit::Time ? counters_of(pack) : std::vector<std::string>();
  for (const std::string& name : names) {
    figure.columns.push_back(column_text(name, strings));
    figure.column_tips.push_back(profiler_name_tip(name, strings));
  }
  for (const PublishedEntry& entry : pack.entries) {
    if (!(amount_of(entry, unit) > 0)) continue;
    scene::PublishedRow row = row_of(pack, entry, unit, ladder, strings);
    row.current = entry.is_about(here.name);
    // An entry may be about several rungs: a click on the one on screen stays.
    for (std::size_t i = 0; row.current && i < ladder.size(); ++i) {
      if (ladder[i]->name == here.name) row.rung = static_cast<int>(i);
    }
    for (const std::string& name : names) {
      const auto found = entry.counters.find(name);
      row.cells.push_back(found == entry.counters.end() ? "" : cell_text(name, found->second));
    }
    figure.rows.push_back(std::move(row));
  }
  return figure;
}

// Transactions a request of the warp's accesses to global memory, on average; 0: it makes none.
double computed_transactions(const Simulation& s, memory::Op op, const memory::GpuModel& gpu) {
  if (s.empty() || !s.trace || !s.events) return 0;
  constexpr double kMost = 10'000;  // of a long loop its beginning
  double total = 0, requests = 0;
  for (const PricedEvent& priced : *s.events) {
    if (priced.space != memory::Space::Global || requests >= kMost) continue;
    const memory::WarpAccess access = s.trace->access(s.program(), static_cast<std::size_t>(priced.event));
    if (access.op != op || access.active == 0) continue;
    total += memory::count_nvprof_transactions(access, gpu);
    ++requests;
  }
  return requests > 0 ? total / requests : 0;
}

std::string computed_words(const Simulation& s, const memory::GpuModel& gpu, const Strings& strings) {
  const double loads = computed_transactions(s, memory::Op::Load, gpu),
               stores = computed_transactions(s, memory::Op::Store, gpu);
  const auto text = [](double value) { return number_text(std::round(100 * value) / 100); };
  if (loads > 0 && stores > 0)
    return strings("published.computed", {{"loads", text(loads)}, {"stores", text(stores)}});
  if (loads > 0) return strings("published.computed.loads", {{"loads", text(loads)}});
  return stores > 0 ? strings("published.computed.stores", {{"stores", text(stores)}}) : std::string();
}

// Of a load of floats side by side: what the figures were published of.
std::string transactions_words(const memory::GpuModel& gpu, const Strings& strings) {
  memory::WarpAccess load;
  for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane) load.addresses[lane] = 4 * lane;
  const int parts = memory::count_load_parts(load, gpu), total = memory::count_nvprof_transactions(load, gpu);
  const auto number = [](int value) { return std::to_string(value); };
  return strings("published.transactions",
                 {{"total", number(total)},
                  {"gpu", std::string(gpu.title)},
                  {"lanes", number(memory::kWarpLanes / parts)},
                  {"bytes", number(load.bytes)},
                  {"parts", number(parts)},
                  {"part_bytes", number(total / parts * gpu.load_split.transaction_bytes)},
                  {"each", number(total / parts)},
                  {"transaction_bytes", number(gpu.load_split.transaction_bytes)},
                  {"sectors", number(memory::count_sectors(load))}});
}

// Why a profiler's counts are what they are, and what the model gives for the warp looked at.
std::vector<std::string> notes_of(const PublishedOf& of, const Strings& strings) {
  std::vector<std::string> notes;
  for (const PublishedPack* pack : published_of(of.packs, of.here->ladder)) {
    const memory::GpuModel* gpu = memory::find_gpu_model(pack->model);
    const bool counted = std::ranges::any_of(
        pack->entries, [](const PublishedEntry& entry) { return entry.counters.contains(kLoads); });
    if (gpu == nullptr || !gpu->load_split.splits() || !counted) continue;
    notes.push_back(transactions_words(*gpu, strings));
    const std::string computed =
        of.simulation != nullptr ? computed_words(*of.simulation, *gpu, strings) : "";
    if (!computed.empty()) notes.push_back(computed);
  }
  return notes;
}

}  // namespace

std::string gpu_of(const PublishedPack& pack, const Strings& strings) {
  if (pack.gpu.empty()) return strings("published.gpu.unknown");
  return pack.architecture.empty() ? pack.gpu : pack.gpu + " (" + pack.architecture + ")";
}

scene::PublishedView published_view(const PublishedOf& of, bool counters, const Strings& strings) {
  scene::PublishedView view;
  if (of.here == nullptr) return view;
  for (const PublishedPack* pack : published_of(of.packs, of.here->ladder)) {
    for (const TimeUnit unit : {TimeUnit::Time, TimeUnit::Bytes, TimeUnit::Operations}) {
      scene::PublishedFigure figure = figure_of(*pack, unit, counters, of.ladder, *of.here, strings);
      if (!figure.rows.empty()) view.figures.push_back(std::move(figure));
    }
  }
  if (counters) view.notes = notes_of(of, strings);
  return view;
}

TimesApart times_apart(const PublishedOf& of, const std::vector<RungTime>& times, const State& state,
                       const Strings& strings) {
  TimesApart out;
  out.published = published_view(of, true, strings);
  out.measured = time_bars_of(times, shown_unit(of.here, state.time_unit), state.language);
  const measure::Measurement* any = nullptr;
  const RungTime* shown = nullptr;
  for (const RungTime& time : times) {
    if (time.measurement != nullptr && (any == nullptr || time.current))
      any = time.measurement, shown = &time;
  }
  if (any == nullptr) return out;
  const std::string size = size_text(state.settings.values);
  // What the percents beside the bars are of.
  if (!out.measured.percent_of.empty() && any->share_of_reference() > 0)
    out.measured.caption = strings("times.share", {{"of", out.measured.percent_of}});
  out.heading = any->device.name + (size.empty() ? "" : " · " + size);
  const bool optimised = any->subject.mode == measure::CompileMode::AsOptimised;
  const std::string mode =
      shown->one_program ? "" : " · " + strings(optimised ? "times.mode.optimised" : "times.mode.written");
  out.source = strings(any->recorded ? "times.caption.recorded.short" : "times.caption.live.short",
                       {{"date", any->when.substr(0, 10)}, {"n", std::to_string(any->cold.seconds.size())}}) +
               mode;
  return out;
}

PublishedLine published_line(const std::vector<PublishedPack>& packs, const scenario::Scenario* here,
                             const Strings& strings) {
  if (here == nullptr) return {};
  for (const PublishedPack* pack : published_of(packs, here->ladder)) {
    for (const PublishedEntry& entry : pack->entries) {
      if (!entry.is_about(here->name) || !(entry.seconds > 0)) continue;
      const std::string figure = scene::published_text(entry.seconds, TimeUnit::Time);
      const std::string gpu = pack->gpu.empty() ? strings("published.line.unknown") : pack->gpu;
      const auto words = [&](const scenario::LocalText& text) {
        return text.empty() ? std::string() : scenario::in_language(text, strings.language());
      };
      return {strings("published.line", {{"figure", figure}, {"gpu", gpu}}),
              strings("published.line.short", {{"figure", figure}, {"gpu", gpu}}),
              strings("published.line.tip", {{"title", words(pack->title)},
                                             {"size", size_of(*pack, strings)},
                                             {"source", words(pack->source)},
                                             {"label", words(entry.label)},
                                             {"note", words(entry.note)}})};
    }
  }
  return {};
}

}  // namespace warplens::app
