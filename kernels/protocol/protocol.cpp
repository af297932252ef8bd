#include "kernels/protocol/protocol.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace warplens::measure {

using nlohmann::json;

static void describe(Fields& f, scenario::CheckStep& step) {
  f.required("name", step.name), f.required("elements", step.elements), f.required("terms", step.terms);
  if (f.reads()) step.largest = f.in().has("largest");
  f.required(step.largest ? "largest" : "sum", step.of);
}

static void describe(Fields& f, scenario::OutputCheck& check) {
  f.required("buffer", check.buffer), f.required("elements", check.elements);
  f.required("expected", check.expected);
  f("tolerance", check.tolerance), f.given("counted", check.counted), f.given("margin", check.margin);
  for (const auto& [name, value] : {std::pair{"tolerance", check.tolerance}, {"margin", check.margin}})
    if (!(value >= 0) || !std::isfinite(value)) f.complain(name, Message("must be 0 or more"));
  if (f.reads() || !check.before.empty())
    f.list("before", check.before, [](Fields& own, scenario::CheckStep& step) { describe(own, step); });
}

// What every request begins with.
static void describe(Fields& f, const char* request, std::uint64_t& id) {
  if (!f.reads()) f.out()["schema"] = kProtocol, f.out()["request"] = request;
  if (f.reads() && !f.in().has("id")) return f.complain("id", Message("is missing"));
  f.whole("id", id, 1, Fields::kMany);
}

static void describe_deadline(Fields& f, double& seconds) {
  f("deadline_seconds", seconds);
  if (!(seconds > 0 && seconds <= 86400))
    f.complain("deadline_seconds", Message("must be above 0 and at most 86400"));
}

static void describe_subject(Fields& f, Subject& subject) {
  f.needed("subject", [&](Fields& own) {
    describe(own, subject, true);
    if (own.reads() && subject.text.empty()) own.complain("text", Message("is missing"));
  });
}

static void describe(Fields& f, Hello& hello) {
  if (f.reads()) hello.version = "unknown";
  f("version", hello.version), describe(f, "reason", hello.reason);
  if (!f.reads()) f.out()["gpu"] = nullptr;
  f.maybe("gpu", hello.gpu, [](Fields& own, DeviceInfo& gpu) { describe(own, gpu); });
}
static void describe(Fields& f, Progress& progress) {
  f("stage", progress.stage), f("done", progress.done);
}
static void describe(Fields& f, Ptx& made) {
  f.required("ptx", made.ptx), f.required("compiler", made.compiler);
}

// What stands beside "reply" and its kind, in the order of the kinds.
constexpr const char* kReplies[] = {"hello", "progress", "measurement", "peaks", "error", "ptx"};
static void describe_body(Fields& f, decltype(Reply::body)& body) {
  const char* name = kReplies[body.index()];
  if (auto* measurement = std::get_if<Measurement>(&body)) {
    if (!f.reads()) f.out()[name] = to_json(*measurement);
    if (f.reads() && !f.in().has(name)) return f.complain(name, Message("is missing"));
    if (f.reads()) *measurement = measurement_from_json(f.in().member(name));
  } else if (auto* peaks = std::get_if<PeakRecord>(&body)) {
    f.needed(name, [&](Fields& own) { describe(own, *peaks, false); });
  } else if (auto* failure = std::get_if<Failure>(&body)) {
    f.needed(name, [&](Fields& own) { describe(own, *failure); });
  } else if (auto* hello = std::get_if<Hello>(&body)) {
    describe(f, *hello);
  } else if (auto* progress = std::get_if<Progress>(&body)) {
    describe(f, *progress);
  } else {
    describe(f, std::get<Ptx>(body));
  }
}

template <std::size_t... kinds>
static void choose(decltype(Reply::body)& body, std::size_t kind, std::index_sequence<kinds...>) {
  ((kinds == kind ? static_cast<void>(body.emplace<kinds>()) : void()), ...);
}

void describe(Fields& f, MeasureRequest& r) {
  describe(f, "measure", r.id);
  describe_subject(f, r.subject);
  f.given("scenario", r.scenario), f.map("parameters", r.parameters);
  f.maybe("check", r.check, [](Fields& own, scenario::OutputCheck& check) { describe(own, check); });
  f("useful_bytes", r.useful_bytes);
  f.given("counted_bytes", r.counted_bytes), f.given("operations", r.operations);
  f.object("samples", [&](Fields& samples) {
    samples.whole("cold", r.cold_samples, 0, 100000);
    samples.whole("warm", r.warm_samples, 0, 100000);
    samples.whole("warm_up", r.warm_up, 0, 1000);
  });
  f("reference", r.reference), f("counters", r.counters);
  if (f.reads() || r.reference_kind != scenario::Reference::Copy)
    describe(f, "reference_kind", r.reference_kind);
  std::vector<std::uint64_t> sizes(r.product.begin(), r.product.end());
  if (r.reference_kind == scenario::Reference::Copy) sizes.clear();
  f.values("product", sizes);
  const auto is_side = [](std::uint64_t side) { return side >= 1 && side <= 1 << 20; };
  if (sizes.size() == r.product.size() && std::ranges::all_of(sizes, is_side))
    std::copy(sizes.begin(), sizes.end(), r.product.begin());
  else if (r.reference_kind != scenario::Reference::Copy)
    f.complain("product", Message("must be [m, n, k], whole numbers from 1 to 1048576"));
  describe_deadline(f, r.deadline_seconds);
}

void describe(Fields& f, PeaksRequest& r) {
  describe(f, "peaks", r.id);
  describe_deadline(f, r.deadline_seconds);
}

void describe(Fields& f, PtxRequest& r) {
  describe(f, "ptx", r.id);
  describe_subject(f, r.subject);
  f.whole("architecture", r.architecture, 10, 999);
  f.values("folders", r.folders);
}

json to_json(const Reply& reply) {
  json document{{"schema", kProtocol}, {"id", reply.id}, {"reply", kReplies[reply.body.index()]}};
  Fields fields(document);
  describe_body(fields, const_cast<Reply&>(reply).body);
  return document;
}

std::optional<Reply> reply_from_line(const std::string& line, Message& error) {
  auto document = scenario::JsonDocument::parse(line, "reply", limits_of_lines());
  const scenario::JsonValue root = document.root();
  Reply reply;
  if (document.ok() && root.is_object()) {
    const std::string schema = root.text("schema"), kind = root.text("reply");
    Fields fields(root);
    fields("id", reply.id);
    const auto known = std::ranges::find(kReplies, kind);
    choose(reply.body, static_cast<std::size_t>(known - kReplies),
           std::make_index_sequence<std::size(kReplies)>());
    if (document.ok() && schema != kProtocol)
      root.error("schema", Message("it speaks \"{}\", this program \"{}\"", schema, kProtocol));
    else if (known == std::end(kReplies))
      root.error("reply", Message("its reply \"{}\" is unknown", kind));
    else
      describe_body(fields, reply.body);
  }
  if (document.ok()) return reply;
  error = document.errors().front();
  return std::nullopt;
}

json simple_request(const char* name, std::uint64_t id) {
  return {{"schema", kProtocol}, {"request", name}, {"id", id}, {"version", WARPLENS_VERSION}};
}

}  // namespace warplens::measure
