#include "kernels/protocol/measurement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <span>

#include "kernels/protocol/failure.h"

namespace warplens::measure {

using nlohmann::json;
using scenario::JsonValue;

const char* name_of(scenario::Reference reference) {
  for (const auto& [value, name] : scenario::kReferenceNames)
    if (value == reference) return name;
  return "copy";
}

void describe(Fields& f, const char* name, scenario::Reference& reference) {
  std::string wanted = name_of(reference);
  f(name, wanted);
  if (const auto named = scenario::reference_named(wanted))
    reference = *named;
  else
    f.complain(name, Message("must be copy, cublas_hgemm, cublas_sgemm or cublas_dgemm"));
}

void describe(Fields& f, DeviceInfo& d) {
  std::string capability = std::to_string(d.compute_major) + "." + std::to_string(d.compute_minor);
  char more = 0;
  f.required("name", d.name);
  f.required("compute_capability", capability);
  if (capability.find_first_not_of("0123456789.") != std::string::npos ||
      std::sscanf(capability.c_str(), "%3d.%3d%c", &d.compute_major, &d.compute_minor, &more) != 2)
    f.complain("compute_capability", Message("must look like 9.0"));
  f("driver", d.driver), f("cuda", d.cuda), f("nvrtc", d.nvrtc);
  f("memory_bytes", d.memory_bytes), f("free_bytes", d.free_bytes), f("l2_bytes", d.l2_bytes);
  f("multiprocessors", d.multiprocessors);
  f.object("clocks_mhz", [&](Fields& clocks) {
    clocks("sm_most", d.sm_clock_mhz), clocks("memory_most", d.memory_clock_mhz);
    clocks("sm", d.current_sm_clock_mhz), clocks("memory", d.current_memory_clock_mhz);
  });
}

namespace {

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - static_cast<double>(below));
}

}  // namespace

// `compact`: median and the like follow from the samples.
static void describe(Fields& f, Samples& samples, bool compact) {
  std::vector<std::int64_t> nanoseconds;
  for (const double s : samples.seconds) nanoseconds.push_back(std::llround(s * 1e9));
  if (!f.reads() && !compact)
    f("median", samples.median), f("minimum", samples.minimum), f("spread", samples.spread);
  if (f.reads() || !compact) f.values("samples", samples.seconds);
  if (f.reads() || compact) f.values("samples_ns", nanoseconds);
  if (f.reads()) {
    for (const std::int64_t ns : nanoseconds) samples.seconds.push_back(static_cast<double>(ns) / 1e9);
    if (!std::ranges::all_of(samples.seconds, [](double s) { return s >= 0 && std::isfinite(s); }))
      f.complain("samples", Message("must be times"));
    samples = summarise(std::move(samples.seconds));
  }
  f.given("complete", samples.complete, true);
}

static void describe(Fields& f, OutputResult& check) {
  f("how", check.how);
  if (!f.reads()) {
    f.out()["checked"] =
        check.state == CheckState::NotChecked ? json("not checked") : json(check.state == CheckState::Right);
  } else if (f.in().has("checked")) {
    const json& checked = f.in().json().at("checked");
    if (checked.is_boolean())
      check.state = checked.get<bool>() ? CheckState::Right : CheckState::Wrong;
    else if (checked != "not checked")
      f.complain("checked", Message("must be true, false or \"not checked\""));
  }
  if (check.state == CheckState::NotChecked) return;
  f("compared", check.compared);
  if (check.state != CheckState::Wrong) return;
  f.object("first_difference", [&](Fields& first) {
    first("buffer", check.buffer);
    first("element", check.element);
    first("expected", check.expected);
    first("got", check.got);
    first("differing", check.differing);
  });
}

static void describe(Fields& f, ClockRecord& clocks) {
  f("throttled", clocks.throttled);
  f.given("reasons", clocks.throttle_reasons);
  std::vector<int> mhz;
  if (clocks.sm_mhz_most > 0) mhz = {clocks.sm_mhz_least, clocks.sm_mhz_most};
  f.values("sm_mhz", mhz);
  if (mhz.size() == 2) clocks.sm_mhz_least = mhz[0], clocks.sm_mhz_most = mhz[1];
}

static void describe(Fields& f, Counters& counters) {
  describe(f, "reason", counters.reason);
  describe(f, "exact_reason", counters.exact_reason);
  for (const auto& [name, counts] : {std::pair("values", &counters.values), {"warm", &counters.warm}}) {
    f.map(name, *counts);
    for (const auto& [counter, count] : *counts)
      if (f.reads() && (!(count >= 0) || !std::isfinite(count)))
        f.complain(std::string(name) + "." + counter, Message("is not a count"));
  }
}

static void describe_reference(Fields& f, Measurement& m, bool compact) {
  describe(f, "kind", m.reference);
  f.given("reason", m.reference_reason);
  f.given("what", m.reference_what);
  if (m.reference_what.empty()) return;
  f("bytes", m.reference_bytes);
  f.needed("cold", [&](Fields& own) { describe(own, m.reference_cold, compact); });
  f.needed("warm", [&](Fields& own) { describe(own, m.reference_warm, compact); });
}

static void describe(Fields& f, Measurement& m, bool compact) {
  const auto samples = [&](const char* name, Samples& of) {
    f.needed(name, [&](Fields& own) { describe(own, of, compact); });
  };
  const auto object = [&](const char* name, auto& of) {
    f.object(name, [&](Fields& own) { describe(own, of); });
  };
  f.needed("subject", [&](Fields& own) { describe(own, m.subject, false); });
  f.required("when", m.when);
  f.given("as_written", m.as_written);
  f("useful_bytes", m.useful_bytes);
  f.given("counted_bytes", m.counted_bytes), f.given("operations", m.operations);
  samples("cold", m.cold), samples("warm", m.warm);
  f("event_floor", m.event_floor), f("event_pair", m.event_pair), f("subtracted", m.subtracted);
  f("registers", m.registers), f("static_shared_bytes", m.static_shared_bytes);
  object("clocks", m.clocks), object("check", m.check), object("counters", m.counters);
  if (f.reads() || !compact) object("device", m.device);
  if (f.reads() || !m.scenario.empty())
    f.object("scenario",
             [&](Fields& own) { own.required("name", m.scenario), own.map("parameters", m.parameters); });
  if (f.reads() || !m.reference_what.empty() || !m.reference_reason.empty())
    f.object("reference", [&](Fields& own) { describe_reference(own, m, compact); });
}

std::string DeviceInfo::sm() const {
  return "sm_" + std::to_string(compute_major) + std::to_string(compute_minor);
}

bool DeviceInfo::same_gpu(const DeviceInfo& other) const {
  return name == other.name && driver == other.driver && cuda == other.cuda && nvrtc == other.nvrtc;
}

Samples summarise(std::vector<double> seconds) {
  Samples samples;
  samples.seconds = std::move(seconds);
  if (samples.seconds.empty()) return samples;
  std::vector<double> sorted = samples.seconds;
  std::ranges::sort(sorted);
  samples.median = quantile(sorted, 0.5);
  samples.minimum = sorted.front();
  if (samples.median > 0) samples.spread = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / samples.median;
  return samples;
}

double drift(const Samples& samples) {
  const std::size_t third = samples.seconds.size() / 3;
  if (third < 3) return 0;
  const auto begin = samples.seconds.begin(), end = samples.seconds.end();
  const double first = summarise({begin, begin + static_cast<std::ptrdiff_t>(third)}).median;
  const double last = summarise({end - static_cast<std::ptrdiff_t>(third), end}).median;
  return first > 0 ? last / first - 1 : 0;
}

double Measurement::gb_per_second(const Samples& samples) const {
  const std::uint64_t bytes = useful_bytes > 0 ? useful_bytes : counted_bytes;
  return samples.median > 0 ? static_cast<double>(bytes) / samples.median * 1e-9 : 0;
}

double Measurement::gflop_per_second(const Samples& samples) const {
  return samples.median > 0 ? static_cast<double>(operations) / samples.median * 1e-9 : 0;
}

double Measurement::reference_rate() const {
  if (!(reference_cold.median > 0)) return 0;
  const bool copies = reference == scenario::Reference::Copy;
  return (copies ? static_cast<double>(reference_bytes) : 1) / reference_cold.median;
}

double Measurement::share_of_reference(const Measurement& beside) const {
  const double rate = beside.reference_rate();
  if (!(cold.median > 0) || !(rate > 0)) return 0;
  const bool copies = reference == scenario::Reference::Copy;  // else the same product both times
  return (copies ? static_cast<double>(useful_bytes) : 1) / cold.median / rate;
}

json to_json(const Measurement& m, bool compact) {
  json document{{"key", m.key.digest}};
  Fields fields(document);
  describe(fields, const_cast<Measurement&>(m), compact);
  if (compact) return document;
  document["schema"] = "warplens.measurement/1";
  document["gb_per_second"] = {{"cold", m.gb_per_second(m.cold)}, {"warm", m.gb_per_second(m.warm)}};
  if (m.operations > 0)
    document["gflop_per_second"] = {{"cold", m.gflop_per_second(m.cold)},
                                    {"warm", m.gflop_per_second(m.warm)}};
  return document;
}

void subtract_event_pair(Measurement& m) {
  if (m.subtracted > 0 || m.event_pair <= 0) return;
  m.subtracted = m.event_pair;
  for (Samples* samples : {&m.cold, &m.warm, &m.reference_cold, &m.reference_warm}) {
    for (double& s : samples->seconds) s = std::max(0.0, s - m.event_pair);
    const bool complete = samples->complete;
    *samples = summarise(std::move(samples->seconds));
    samples->complete = complete;
  }
}

Measurement measurement_from_json(const JsonValue& value) {
  Measurement m;
  Fields fields(value);
  describe(fields, m, false);
  m.key = key_of(m.subject);  // never believed from the file
  if (m.when.size() < 10 || m.when.find_first_not_of("0123456789-:TZ.+ ") != std::string::npos)
    value.error("when", Message("must be a date, as in 2025-01-31T12:00:00Z"));
  if (!value.has("subtracted")) subtract_event_pair(m);
  return m;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// Figures above 0, those that there are.
static void describe(Fields& f, std::span<const report::PeakName> names, const char* field, const char* of,
                     report::Peaks& peaks) {
  for (const report::PeakName& peak : names) {
    double& figure = peaks.*peak.value;
    if (!f.reads() && figure > 0) f.out()[peak.name] = {{field, figure}};
    if (!f.reads() && figure > 0 && of != nullptr) f.out()[peak.name][of] = peak.unit;
    if (!f.reads() || !f.in().has(peak.name)) continue;
    f.object(peak.name, [&](Fields& own) { own(field, figure); });
    if (!(figure > 0) || !std::isfinite(figure)) f.complain(peak.name, Message("must be above 0"));
  }
}

void describe(Fields& f, PeakRecord& record, bool compact) {
  f("when", record.when);
  f.object("clocks_mhz",
           [&](Fields& clocks) { clocks("sm", record.sm_mhz), clocks("memory", record.memory_mhz); });
  if (f.reads() || !compact) f.object("device", [&](Fields& own) { describe(own, record.device); });
  f.needed("per_second",
           [&](Fields& rates) { describe(rates, report::peak_names(), "most", "of", record.peaks); });
  if (f.reads() || record.peaks.dram_latency > 0 || record.peaks.l2_latency > 0)
    f.object("seconds", [&](Fields& times) {
      describe(times, report::latency_names(), "least", nullptr, record.peaks);
    });
}

}  // namespace warplens::measure
