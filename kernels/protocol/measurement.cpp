#include "kernels/protocol/measurement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "kernels/protocol/failure.h"

namespace warplens::measure {
namespace {

using nlohmann::json;

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - static_cast<double>(below));
}

json samples_to_json(const Samples& samples, bool compact) {
  json document{{"median", samples.median}, {"minimum", samples.minimum}, {"spread", samples.spread}};
  if (!samples.complete) document["complete"] = false;
  if (compact) {
    json& list = document["samples_ns"] = json::array();
    for (const double s : samples.seconds) list.push_back(std::llround(s * 1e9));
    document.erase("median");  // they follow from the samples
    document.erase("minimum");
    document.erase("spread");
  } else {
    document["samples"] = samples.seconds;
  }
  return document;
}

Samples samples_from_json(const Fields& fields) {
  std::vector<double> seconds = fields.numbers("samples");
  for (const double ns : fields.numbers("samples_ns")) seconds.push_back(ns / 1e9);
  for (const double s : seconds)
    if (!(s >= 0) || !std::isfinite(s)) fields.complain("samples", Message("must be times"));
  Samples samples = summarise(std::move(seconds));
  samples.complete = fields.flag_or("complete", true);
  return samples;
}

json check_to_json(const OutputResult& check) {
  json document{{"how", check.how}};
  if (check.state == CheckState::NotChecked) {
    document["checked"] = "not checked";
    return document;
  }
  document["checked"] = check.state == CheckState::Right;
  document["compared"] = check.compared;
  if (check.state == CheckState::Wrong)
    document["first_difference"] = {{"buffer", check.buffer},
                                    {"element", check.element},
                                    {"expected", check.expected},
                                    {"got", check.got},
                                    {"differing", check.differing}};
  return document;
}

OutputResult check_from_json(const Fields& fields) {
  OutputResult check;
  check.how = fields.text_or("how", {});
  const auto checked = fields.document().find("checked");
  if (checked != fields.document().end() && checked->is_boolean())
    check.state = checked->get<bool>() ? CheckState::Right : CheckState::Wrong;
  else if (checked != fields.document().end() && *checked != "not checked")
    fields.complain("checked", Message("must be true, false or \"not checked\""));
  check.compared = static_cast<std::uint64_t>(fields.integer_or("compared", 0, kMany, 0));
  if (check.state != CheckState::Wrong || !fields.has("first_difference")) return check;
  const Fields first = fields.object("first_difference");
  check.buffer = first.text_or("buffer", {});
  check.element = static_cast<std::uint64_t>(first.integer_or("element", 0, kMany, 0));
  check.expected = first.text_or("expected", {});
  check.got = first.text_or("got", {});
  check.differing = static_cast<std::uint64_t>(first.integer_or("differing", 0, kMany, 0));
  return check;
}

json state_to_json(const ClockState& state) {
  json document{{"sm_mhz", state.sm_mhz}, {"memory_mhz", state.memory_mhz}};
  if (state.celsius > 0) document["celsius"] = state.celsius;
  if (state.milliwatts > 0) document["milliwatts"] = state.milliwatts;
  if (!state.slowed_by.empty()) document["slowed_by"] = state.slowed_by;
  return document;
}

std::optional<ClockState> state_from_json(const Fields& fields, const char* name) {
  if (!fields.has(name)) return std::nullopt;
  const Fields state = fields.object(name);
  ClockState found;
  found.sm_mhz = static_cast<int>(state.integer_or("sm_mhz", 0, 1 << 20, 0));
  found.memory_mhz = static_cast<int>(state.integer_or("memory_mhz", 0, 1 << 20, 0));
  found.celsius = static_cast<int>(state.integer_or("celsius", 0, 1 << 20, 0));
  found.milliwatts = static_cast<int>(state.integer_or("milliwatts", 0, 1 << 30, 0));
  found.slowed_by = state.text_or("slowed_by", {});
  return found;
}

json clocks_to_json(const ClockRecord& clocks) {
  json document{{"throttled", clocks.throttled}};
  if (clocks.sm_mhz_most > 0) document["sm_mhz"] = {clocks.sm_mhz_least, clocks.sm_mhz_most};
  if (!clocks.throttle_reasons.empty()) document["reasons"] = clocks.throttle_reasons;
  if (clocks.before) document["before"] = state_to_json(*clocks.before);
  if (clocks.after) document["after"] = state_to_json(*clocks.after);
  return document;
}

ClockRecord clocks_from_json(const Fields& fields) {
  ClockRecord clocks;
  clocks.throttled = fields.flag_or("throttled", false);
  clocks.throttle_reasons = fields.text_or("reasons", {});
  clocks.before = state_from_json(fields, "before");
  clocks.after = state_from_json(fields, "after");
  const std::vector<double> mhz = fields.numbers("sm_mhz");
  if (mhz.size() == 2 && mhz[0] >= 0 && mhz[1] <= 1e6) {
    clocks.sm_mhz_least = static_cast<int>(mhz[0]);
    clocks.sm_mhz_most = static_cast<int>(mhz[1]);
  }
  return clocks;
}

// A text, with what it is made of where the sender said so.
Message words_of(const Fields& fields, const char* name) {
  return fields.text_or(name, {}).empty() ? Message() : read_message(fields.document(), name);
}

json counters_to_json(const Counters& counters) {
  json document;
  if (counters.values.empty()) {
    put_message(document, "reason", counters.reason);
    return document;
  }
  document["values"] = counters.values;
  if (!counters.warm.empty()) document["warm"] = counters.warm;
  if (!counters.exact_reason.empty()) put_message(document, "exact_reason", counters.exact_reason);
  return document;
}

void read_counts(const Fields& fields, std::map<std::string, double>* counts) {
  for (const auto& [name, value] : fields.document().items()) {
    const double count = (*counts)[name] = fields.number(name.c_str());
    if (!(count >= 0) || !std::isfinite(count)) fields.complain(name, Message("is no count"));
  }
}

Counters counters_from_json(const Fields& fields) {
  Counters counters;
  counters.reason = words_of(fields, "reason");
  counters.exact_reason = words_of(fields, "exact_reason");
  if (!fields.has("values")) return counters;
  read_counts(fields.object("values"), &counters.values);
  if (fields.has("warm")) read_counts(fields.object("warm"), &counters.warm);
  return counters;
}

json code_to_json(const Measurement& m) {
  if (m.machine_code.empty()) return {{"reason", m.machine_code_reason}};
  return {{"instructions", m.machine_code}};
}

void code_from_json(const Fields& fields, Measurement& m) {
  m.machine_code_reason = fields.text_or("reason", {});
  if (!fields.has("instructions")) return;
  const Fields list = fields.object("instructions");
  for (const auto& [name, value] : list.document().items())
    m.machine_code[name] = static_cast<int>(list.integer(name.c_str(), 0, 1 << 30));
}

json reference_to_json(const Measurement& m, bool compact) {
  json document{{"kind", name_of(m.reference)}};
  if (m.reference_what.empty()) {
    document["reason"] = m.reference_reason;
    return document;
  }
  document["what"] = m.reference_what;
  document["bytes"] = m.reference_bytes;
  document["cold"] = samples_to_json(m.reference_cold, compact);
  document["warm"] = samples_to_json(m.reference_warm, compact);
  return document;
}

void reference_from_json(const Fields& fields, Measurement& m) {
  m.reference = reference_named(fields, "kind");
  m.reference_reason = fields.text_or("reason", {});
  m.reference_what = fields.text_or("what", {});
  if (m.reference_what.empty()) return;
  m.reference_bytes = static_cast<std::uint64_t>(fields.integer_or("bytes", 0, kMany, 0));
  m.reference_cold = samples_from_json(fields.object("cold"));
  m.reference_warm = samples_from_json(fields.object("warm"));
}

}  // namespace

const char* name_of(scenario::Reference reference) {
  for (const auto& [value, name] : scenario::kReferenceNames)
    if (value == reference) return name;
  return "copy";
}

scenario::Reference reference_named(const Fields& fields, const char* field) {
  const std::string wanted = fields.text_or(field, "copy");
  if (const auto named = scenario::reference_named(wanted)) return *named;
  fields.complain(field, Message("must be copy, cublas_hgemm, cublas_sgemm or cublas_dgemm"));
  return scenario::Reference::Copy;
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

json to_json(const DeviceInfo& d) {
  return {{"name", d.name},
          {"compute_capability", std::to_string(d.compute_major) + "." + std::to_string(d.compute_minor)},
          {"driver", d.driver},
          {"cuda", d.cuda},
          {"nvrtc", d.nvrtc},
          {"memory_bytes", d.memory_bytes},
          {"free_bytes", d.free_bytes},
          {"l2_bytes", d.l2_bytes},
          {"multiprocessors", d.multiprocessors},
          {"clocks_mhz",
           {{"sm_most", d.sm_clock_mhz},
            {"memory_most", d.memory_clock_mhz},
            {"sm", d.current_sm_clock_mhz},
            {"memory", d.current_memory_clock_mhz}}}};
}

DeviceInfo device_from_json(const Fields& fields) {
  DeviceInfo d;
  d.name = fields.text("name");
  const std::string capability = fields.text("compute_capability");
  const std::size_t dot = capability.find('.');
  if (dot == std::string::npos || dot == 0 || capability.size() > 6 ||
      capability.find_first_not_of("0123456789.") != std::string::npos || dot + 1 == capability.size()) {
    fields.complain("compute_capability", Message("must look like 9.0"));
  } else {
    d.compute_major = std::atoi(capability.substr(0, dot).c_str());
    d.compute_minor = std::atoi(capability.substr(dot + 1).c_str());
  }
  d.driver = fields.text_or("driver", {});
  d.cuda = fields.text_or("cuda", {});
  d.nvrtc = fields.text_or("nvrtc", {});
  d.memory_bytes = static_cast<std::uint64_t>(fields.integer_or("memory_bytes", 0, kMany, 0));
  d.free_bytes = static_cast<std::uint64_t>(fields.integer_or("free_bytes", 0, kMany, 0));
  d.l2_bytes = static_cast<std::uint64_t>(fields.integer_or("l2_bytes", 0, kMany, 0));
  d.multiprocessors = static_cast<int>(fields.integer_or("multiprocessors", 0, 1 << 20, 0));
  if (!fields.has("clocks_mhz")) return d;
  const Fields clocks = fields.object("clocks_mhz");
  d.sm_clock_mhz = static_cast<int>(clocks.integer_or("sm_most", 0, 1 << 20, 0));
  d.memory_clock_mhz = static_cast<int>(clocks.integer_or("memory_most", 0, 1 << 20, 0));
  d.current_sm_clock_mhz = static_cast<int>(clocks.integer_or("sm", 0, 1 << 20, 0));
  d.current_memory_clock_mhz = static_cast<int>(clocks.integer_or("memory", 0, 1 << 20, 0));
  return d;
}

json to_json(const Measurement& m, bool compact) {
  json document{{"key", m.key.digest},
                {"subject", to_json(m.subject, false)},
                {"when", m.when},
                {"useful_bytes", m.useful_bytes},
                {"cold", samples_to_json(m.cold, compact)},
                {"warm", samples_to_json(m.warm, compact)},
                {"clocks", clocks_to_json(m.clocks)},
                {"check", check_to_json(m.check)},
                {"counters", counters_to_json(m.counters)},
                {"event_floor", m.event_floor},
                {"event_pair", m.event_pair},
                {"subtracted", m.subtracted},
                {"registers", m.registers},
                {"static_shared_bytes", m.static_shared_bytes}};
  if (!m.as_written.empty()) document["as_written"] = m.as_written;
  if (!m.scenario.empty()) document["scenario"] = {{"name", m.scenario}, {"parameters", m.parameters}};
  if (m.counted_bytes > 0) document["counted_bytes"] = m.counted_bytes;
  if (m.operations > 0) document["operations"] = m.operations;
  if (!m.machine_code.empty() || !m.machine_code_reason.empty()) document["machine_code"] = code_to_json(m);
  if (!m.reference_what.empty() || !m.reference_reason.empty())
    document["reference"] = reference_to_json(m, compact);
  if (compact) return document;
  document["schema"] = "warplens.measurement/1";
  document["device"] = to_json(m.device);
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

Measurement measurement_from_json(const Fields& fields) {
  Measurement m;
  m.subject = subject_from_json(fields.object("subject"));
  m.key = key_of(m.subject);  // never believed from the file
  m.when = fields.text("when");
  if (m.when.size() < 10 || m.when.find_first_not_of("0123456789-:TZ.+ ") != std::string::npos)
    fields.complain("when", Message("must be a date, as in 2025-01-31T12:00:00Z"));
  m.as_written = fields.text_or("as_written", {});
  m.useful_bytes = static_cast<std::uint64_t>(fields.integer_or("useful_bytes", 0, kMany, 0));
  m.cold = samples_from_json(fields.object("cold"));
  m.warm = samples_from_json(fields.object("warm"));
  m.event_floor = fields.number_or("event_floor", 0);
  m.event_pair = fields.number_or("event_pair", 0);
  m.registers = static_cast<int>(fields.integer_or("registers", 0, 1 << 16, 0));
  m.static_shared_bytes = static_cast<std::uint64_t>(fields.integer_or("static_shared_bytes", 0, kMany, 0));
  if (fields.has("clocks")) m.clocks = clocks_from_json(fields.object("clocks"));
  if (fields.has("check")) m.check = check_from_json(fields.object("check"));
  if (fields.has("counters")) m.counters = counters_from_json(fields.object("counters"));
  if (fields.has("device")) m.device = device_from_json(fields.object("device"));
  if (fields.has("scenario")) {
    const Fields scenario = fields.object("scenario");
    m.scenario = scenario.text("name");
    const Fields parameters = scenario.object("parameters");
    for (const auto& [name, value] : parameters.document().items())
      m.parameters[name] = parameters.integer(name.c_str(), INT64_MIN, INT64_MAX);
  }
  m.counted_bytes = static_cast<std::uint64_t>(fields.integer_or("counted_bytes", 0, kMany, 0));
  m.operations = static_cast<std::uint64_t>(fields.integer_or("operations", 0, kMany, 0));
  if (fields.has("machine_code")) code_from_json(fields.object("machine_code"), m);
  if (fields.has("reference")) reference_from_json(fields.object("reference"), m);
  m.subtracted = fields.number_or("subtracted", 0);
  if (!fields.has("subtracted")) subtract_event_pair(m);
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

}  // namespace warplens::measure
