#include "app/cli/target/published_text.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/watch.h"
#include "app/readout/words/published.h"
#include "sim/memory/nvprof.h"
#include "sim/trace/trace.h"

namespace warplens::cli {

namespace {

using measure::PublishedEntry;
using measure::PublishedPack;
using nlohmann::ordered_json;

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

bool has_counters(const PublishedEntry& entry) {
  return entry.counters.contains("gld_transactions_per_request") ||
         entry.counters.contains("gst_transactions_per_request");
}

void compute(const scenario::Prepared& prepared, const SimulationOptions& options, Published* out) {
  const memory::GpuModel* gpu = memory::find_gpu_model(out->pack.model);
  if (gpu == nullptr || !has_counters(out->pack.entries.front())) return;
  sim::Limits limits = options.limits();
  sim::Trace trace;
  {
    const Watch watch(limits);
    trace = sim::trace_block(prepared.program, prepared.setup.launch, *prepared.gpu, {0, 0, 0}, limits);
  }
  if (trace.error) return;
  double total[2] = {}, requests[2] = {};
  for (std::size_t event = 0; event < trace.events.size(); ++event) {
    const memory::WarpAccess access = trace.access(prepared.program, event);
    const bool load = access.op == memory::Op::Load;
    if (access.space != memory::Space::Global || (!load && access.op != memory::Op::Store)) continue;
    total[load ? 0 : 1] += memory::count_nvprof_transactions(access, *gpu);
    ++requests[load ? 0 : 1];
  }
  if (requests[0] > 0) out->load_transactions = total[0] / requests[0];
  if (requests[1] > 0) out->store_transactions = total[1] / requests[1];
}

std::string figures_text(const PublishedEntry& entry) {
  std::string text;
  const auto add = [&](double amount, scene::TimeUnit unit) {
    if (amount > 0) text += (text.empty() ? "" : ", ") + scene::published_text(amount, unit);
  };
  add(entry.seconds, scene::TimeUnit::Time);
  add(entry.gb_per_second, scene::TimeUnit::Bytes);
  add(entry.gflop_per_second, scene::TimeUnit::Operations);
  return text;
}

std::string computed_text(const Published& one) {
  std::string text;
  const auto add = [&](double value, const char* name) {
    if (value > 0) text += (text.empty() ? "" : ", ") + std::string(name) + " " + number_text(value);
  };
  add(one.load_transactions, "gld_transactions_per_request");
  add(one.store_transactions, "gst_transactions_per_request");
  return text;
}

}  // namespace

std::vector<Published> published_of(const scenario::Prepared& prepared, const SimulationOptions& options) {
  std::vector<Published> out;
  const auto packs =
      measure::load_published_packs(scenario::data_folder("assets") / "published", &options.budget());
  for (const Message& error : packs.errors) warn(error.english());
  if (!packs.value) return out;
  for (const PublishedPack& pack : *packs.value) {
    for (const PublishedEntry& entry : pack.entries) {
      if (!entry.is_about(prepared.setup.name)) continue;
      Published& one = out.emplace_back(Published{pack, 0, 0});
      one.pack.entries = {entry};
      compute(prepared, options, &one);
    }
  }
  return out;
}

std::string published_text(const std::vector<Published>& published) {
  if (published.empty()) return {};
  std::string text = "published by others, not measured here\n";
  for (const Published& one : published) {
    const PublishedPack& pack = one.pack;
    const PublishedEntry& entry = pack.entries.front();
    const std::string size = app::size_text(pack.size);
    const std::string gpu = pack.gpu.empty()            ? "GPU not named"
                            : pack.architecture.empty() ? pack.gpu
                                                        : pack.gpu + " (" + pack.architecture + ")";
    text += "  " + figures_text(entry) + "  \"" + scenario::in_language(entry.label, "en") + "\", " + gpu +
            ", " + (size.empty() ? "size not published" : size) + ", " +
            scenario::in_language(pack.source, "en") + "\n";
    std::string counters;
    for (const auto& [name, value] : entry.counters)
      counters += (counters.empty() ? "" : ", ") + name + " " + number_text(value);
    if (!counters.empty()) text += "    nvprof showed: " + counters + "\n";
    if (const std::string computed = computed_text(one); !computed.empty())
      text += "    computed for " + pack.model + ", this launch: " + computed + "\n";
    if (!entry.note.empty()) text += "    " + scenario::in_language(entry.note, "en") + "\n";
  }
  return text;
}

ordered_json published_json(const std::vector<Published>& published) {
  ordered_json list = ordered_json::array();
  for (const Published& one : published) {
    const PublishedPack& pack = one.pack;
    const PublishedEntry& entry = pack.entries.front();
    ordered_json json{{"label", scenario::in_language(entry.label, "en")},
                      {"gpu", pack.gpu.empty() ? ordered_json() : ordered_json(pack.gpu)},
                      {"source", scenario::in_language(pack.source, "en")},
                      {"measured_here", false},
                      {"size", pack.size}};
    if (entry.seconds > 0) json["seconds"] = entry.seconds;
    if (entry.gb_per_second > 0) json["gb_per_second"] = entry.gb_per_second;
    if (entry.gflop_per_second > 0) json["gflop_per_second"] = entry.gflop_per_second;
    if (!entry.counters.empty()) json["counters"] = entry.counters;
    ordered_json computed = ordered_json::object();
    if (one.load_transactions > 0) computed["gld_transactions_per_request"] = one.load_transactions;
    if (one.store_transactions > 0) computed["gst_transactions_per_request"] = one.store_transactions;
    if (!computed.empty()) json["computed"] = {{"gpu", pack.model}, {"counters", std::move(computed)}};
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace warplens::cli
