#include "kernels/protocol/protocol.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace warplens::measure {
namespace {

using nlohmann::json;
constexpr std::size_t kMostCounters = 100;

json check_rule_to_json(const scenario::OutputCheck& check) {
  json document{{"buffer", check.buffer},
                {"elements", check.elements},
                {"expected", check.expected},
                {"tolerance", check.tolerance}};
  if (!check.counted.empty()) document["counted"] = check.counted;
  if (check.margin > 0) document["margin"] = check.margin;
  for (const scenario::CheckStep& step : check.before)
    document["before"].push_back({{"name", step.name},
                                  {"elements", step.elements},
                                  {"terms", step.terms},
                                  {step.largest ? "largest" : "sum", step.of}});
  return document;
}

scenario::CheckStep check_step_from_json(const Fields& fields) {
  scenario::CheckStep step{fields.text("name"), fields.text("elements"), fields.text("terms"), {}};
  step.largest = fields.has("largest");
  step.of = fields.text(step.largest ? "largest" : "sum");
  return step;
}

scenario::OutputCheck check_rule_from_json(const Fields& fields) {
  scenario::OutputCheck check;
  check.buffer = fields.text("buffer");
  check.elements = fields.text("elements");
  check.expected = fields.text("expected");
  check.tolerance = fields.number_or("tolerance", 0);
  check.counted = fields.text_or("counted", {});
  check.margin = fields.number_or("margin", 0);
  for (const auto& [name, value] : {std::pair{"tolerance", check.tolerance}, {"margin", check.margin}})
    if (!(value >= 0) || !std::isfinite(value)) fields.complain(name, Message("must be 0 or more"));
  if (!fields.has("before")) return check;
  Message error;
  for (const json& step : fields.array("before"))
    check.before.push_back(check_step_from_json(Fields(step, fields.place_of("before"), error)));
  if (!error.empty()) fields.complain("before", Message("is wrong: {}", error));
  return check;
}

Hello hello_from_json(const Fields& fields) {
  Hello hello;
  hello.version = fields.text_or("version", "unknown");
  hello.reason = read_message(fields.document(), "reason");
  if (fields.has("gpu")) hello.gpu = device_from_json(fields.object("gpu"));
  return hello;
}

json body_of(const Hello& hello) {
  json body{{"reply", "hello"}, {"version", hello.version}, {"gpu", nullptr}};
  if (hello.gpu) body["gpu"] = to_json(*hello.gpu);
  if (!hello.reason.empty()) put_message(body, "reason", hello.reason);
  return body;
}
json body_of(const Progress& progress) {
  return {{"reply", "progress"}, {"stage", progress.stage}, {"done", progress.done}};
}
json body_of(const Measurement& measurement) {
  return {{"reply", "measurement"}, {"measurement", to_json(measurement)}};
}
json body_of(const Ptx& made) {
  return {{"reply", "ptx"}, {"ptx", made.ptx}, {"compiler", made.compiler}};
}
json body_of(const PeakRecord& record) {
  return {{"reply", "peaks"}, {"peaks", to_json(record)}};
}
json body_of(const Failure& failure) {
  return {{"reply", "error"}, {"error", to_json(failure)}};
}

}  // namespace

json to_json(const MeasureRequest& r) {
  json document{{"schema", kProtocol},
                {"request", "measure"},
                {"id", r.id},
                {"subject", to_json(r.subject, true)},
                {"simulate_for_check", r.simulate_for_check},
                {"useful_bytes", r.useful_bytes},
                {"samples", {{"cold", r.cold_samples}, {"warm", r.warm_samples}, {"warm_up", r.warm_up}}},
                {"reference", r.reference},
                {"counters", r.counters},
                {"deadline_seconds", r.deadline_seconds}};
  if (r.counted_bytes > 0) document["counted_bytes"] = r.counted_bytes;
  if (r.operations > 0) document["operations"] = r.operations;
  if (r.reference_kind != scenario::Reference::Copy) {
    document["reference_kind"] = name_of(r.reference_kind);
    document["product"] = r.product;
  }
  if (r.flush_by_writing) document["flush"] = "write";
  if (!r.machine_code) document["machine_code"] = false;
  if (!r.scenario.empty()) document["scenario"] = r.scenario;
  if (!r.more_counters.empty()) document["more_counters"] = r.more_counters;
  if (!r.parameters.empty()) document["parameters"] = r.parameters;
  if (r.check) document["check"] = check_rule_to_json(*r.check);
  return document;
}

namespace {

double deadline_from_json(const Fields& fields) {
  const double seconds = fields.number_or("deadline_seconds", 60);
  if (!(seconds > 0 && seconds <= 86400))
    fields.complain("deadline_seconds", Message("must be above 0 and at most 86400"));
  return seconds;
}

void read_reference(const Fields& fields, MeasureRequest& r) {
  constexpr double kLongestSide = 1 << 20;
  r.counted_bytes = static_cast<std::uint64_t>(fields.integer_or("counted_bytes", 0, kMany, 0));
  r.operations = static_cast<std::uint64_t>(fields.integer_or("operations", 0, kMany, 0));
  r.machine_code = fields.flag_or("machine_code", true);
  r.flush_by_writing = fields.text_or("flush", "read") == "write";
  r.reference = fields.flag_or("reference", true);
  r.reference_kind = reference_named(fields, "reference_kind");
  if (r.reference_kind == scenario::Reference::Copy) return;
  const std::vector<double> sizes = fields.numbers("product");
  if (sizes.size() != r.product.size()) return fields.complain("product", Message("must be [m, n, k]"));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!(sizes[i] >= 1 && sizes[i] <= kLongestSide) || sizes[i] != std::floor(sizes[i]))
      return fields.complain("product", Message("must hold whole numbers from 1 to 1048576"));
    r.product[i] = static_cast<std::uint64_t>(sizes[i]);
  }
}

}  // namespace

MeasureRequest request_from_json(const Fields& fields) {
  MeasureRequest r;
  r.id = static_cast<std::uint64_t>(fields.integer("id", 1, kMany));
  r.subject = subject_from_json(fields.object("subject"));
  if (r.subject.text.empty()) fields.complain("subject.text", Message("is missing"));
  r.scenario = fields.text_or("scenario", {});
  if (fields.has("parameters")) {
    const Fields parameters = fields.object("parameters");
    for (const auto& [name, value] : parameters.document().items())
      r.parameters[name] = parameters.integer(name.c_str(), INT64_MIN, INT64_MAX);
  }
  if (fields.has("check")) r.check = check_rule_from_json(fields.object("check"));
  r.simulate_for_check = fields.flag_or("simulate_for_check", true);
  r.useful_bytes = static_cast<std::uint64_t>(fields.integer_or("useful_bytes", 0, kMany, 0));
  if (fields.has("samples")) {
    const Fields samples = fields.object("samples");
    r.cold_samples = static_cast<int>(samples.integer_or("cold", 0, 100000, r.cold_samples));
    r.warm_samples = static_cast<int>(samples.integer_or("warm", 0, 100000, r.warm_samples));
    r.warm_up = static_cast<int>(samples.integer_or("warm_up", 0, 1000, r.warm_up));
  }
  read_reference(fields, r);
  r.counters = fields.flag_or("counters", true);
  r.more_counters = fields.texts("more_counters");
  if (r.more_counters.size() > kMostCounters)
    fields.complain("more_counters", Message("names more than 100 counters"));
  r.deadline_seconds = deadline_from_json(fields);
  return r;
}

json to_json(const PeaksRequest& r) {
  return {
      {"schema", kProtocol}, {"request", "peaks"}, {"id", r.id}, {"deadline_seconds", r.deadline_seconds}};
}

PeaksRequest peaks_request_from_json(const Fields& fields) {
  PeaksRequest r;
  r.id = static_cast<std::uint64_t>(fields.integer("id", 1, kMany));
  r.deadline_seconds = deadline_from_json(fields);
  return r;
}

json to_json(const PtxRequest& r) {
  return {{"schema", kProtocol},
          {"request", "ptx"},
          {"id", r.id},
          {"subject", to_json(r.subject, true)},
          {"architecture", r.architecture},
          {"folders", r.folders}};
}

PtxRequest ptx_request_from_json(const Fields& fields) {
  PtxRequest r;
  r.id = static_cast<std::uint64_t>(fields.integer("id", 1, kMany));
  r.subject = subject_from_json(fields.object("subject"));
  if (r.subject.text.empty()) fields.complain("subject.text", Message("is missing"));
  r.architecture = static_cast<int>(fields.integer("architecture", 10, 999));
  r.folders = fields.texts("folders");
  return r;
}

json to_json(const Reply& reply) {
  json document = std::visit([](const auto& body) { return body_of(body); }, reply.body);
  document["schema"] = kProtocol;
  document["id"] = reply.id;
  return document;
}

std::optional<Reply> reply_from_line(const std::string& line, Message& error) {
  const auto document = parse_json(line, error);
  if (!document) return std::nullopt;
  const Fields fields(*document, "", error);
  const std::string schema = fields.text("schema");
  if (error.empty() && schema != kProtocol)
    error = Message("it speaks \"{}\", this program \"{}\"", schema, kProtocol);
  Reply reply;
  reply.id = static_cast<std::uint64_t>(fields.integer_or("id", 0, kMany, 0));
  const std::string kind = fields.text("reply");
  if (!error.empty()) return std::nullopt;
  if (kind == "hello") {
    reply.body = hello_from_json(fields);
  } else if (kind == "progress") {
    reply.body = Progress{fields.text_or("stage", {}), fields.number_or("done", 0)};
  } else if (kind == "measurement") {
    reply.body = measurement_from_json(fields.object("measurement"));
  } else if (kind == "peaks") {
    reply.body = peak_record_from_json(fields.object("peaks"));
  } else if (kind == "ptx") {
    reply.body = Ptx{fields.text("ptx"), fields.text("compiler")};
  } else if (kind == "error") {
    const Fields described = fields.object("error");
    reply.body = failure_from_json(described.document());
  } else {
    error = Message("its reply \"{}\" is unknown", kind);
  }
  if (!error.empty()) return std::nullopt;
  return reply;
}

json simple_request(const char* name, std::uint64_t id) {
  return {{"schema", kProtocol}, {"request", name}, {"id", id}, {"version", WARPLENS_VERSION}};
}

}  // namespace warplens::measure
