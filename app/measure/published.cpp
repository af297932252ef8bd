#include "app/measure/published.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>

#include "sim/memory/gpu_model.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/local_text.h"

namespace warplens::measure {
namespace {

using scenario::JsonValue;

void refuse_unknown(const JsonValue& object, std::span<const std::string_view> known) {
  for (const auto& [name, value] : object.json().items()) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      object.error(name, Message("is not known here"));
  }
}

scenario::LocalText needed_words(const JsonValue& object, std::string_view member) {
  if (!object.has(member)) object.error(member, Message("is missing"));
  return scenario::read_words(object, member);
}

// 0: absent.
double figure(const JsonValue& object, std::string_view member) {
  const double value = object.optional_number(member, 0);
  if (object.has(member) && object.member(member).json().is_number() &&
      !(std::isfinite(value) && value > 0 && value < 1e15))
    object.error(member, Message("must be a positive number"));
  return value;
}

std::vector<std::string> read_rungs(const JsonValue& entry, std::set<std::string>* told) {
  std::vector<std::string> rungs;
  for (const JsonValue& rung : entry.optional_list("rungs")) {
    const auto name = rung.as_text();
    if (!name) continue;
    if (name->empty()) rung.error(Message("is empty"));
    if (!told->insert(*name).second) rung.error(Message("is told of twice: \"{}\"", *name));
    rungs.push_back(*name);
  }
  return rungs;
}

PublishedEntry read_entry(const JsonValue& value, std::set<std::string>* told) {
  static constexpr std::array<std::string_view, 8> kKnown{
      "label", "rungs", "reference", "seconds", "gb_per_second", "gflop_per_second", "counters", "note"};
  refuse_unknown(value, kKnown);
  PublishedEntry entry;
  entry.label = needed_words(value, "label");
  entry.rungs = read_rungs(value, told);
  entry.is_reference = value.optional_flag("reference", false);
  entry.seconds = figure(value, "seconds");
  entry.gb_per_second = figure(value, "gb_per_second");
  entry.gflop_per_second = figure(value, "gflop_per_second");
  if (value.has("counters")) {
    const JsonValue counters = value.member("counters");
    for (const auto& [name, counter] : value.optional_members("counters"))
      entry.counters[name] = figure(counters, name);
  }
  if (value.has("note")) entry.note = scenario::read_words(value, "note");
  if (entry.rungs.empty() != entry.is_reference)
    value.error(Message("either \"rungs\" or \"reference\" is needed, and not both"));
  if (entry.seconds == 0 && entry.gb_per_second == 0 && entry.gflop_per_second == 0)
    value.error(Message("has no figure: \"seconds\", \"gb_per_second\" or \"gflop_per_second\" is needed"));
  return entry;
}

void read_gpu(const JsonValue& root, PublishedPack* pack) {
  static constexpr std::array<std::string_view, 3> kKnown{"name", "architecture", "model"};
  if (!root.has("gpu")) return;
  const JsonValue gpu = root.member("gpu");
  if (!gpu.is_object()) return;
  refuse_unknown(gpu, kKnown);
  pack->gpu = gpu.text("name");
  pack->architecture = gpu.optional_text("architecture");
  pack->model = gpu.optional_text("model");
  if (!pack->model.empty() && memory::find_gpu_model(pack->model) == nullptr)
    gpu.error("model", Message("is \"{}\", which is not known", pack->model));
}

PublishedPack read_pack(const JsonValue& root) {
  static constexpr std::array<std::string_view, 7> kKnown{"schema", "title", "source", "gpu",
                                                          "ladder", "size",  "entries"};
  PublishedPack pack;
  refuse_unknown(root, kKnown);
  pack.title = needed_words(root, "title");
  pack.source = needed_words(root, "source");
  pack.ladder = root.text("ladder");
  read_gpu(root, &pack);
  for (const auto& [name, value] : root.optional_members("size")) {
    const std::int64_t size = value.as_integer().value_or(1);
    if (size < 1) value.error(Message("must be a positive number"));
    pack.size[name] = size;
  }
  std::set<std::string> told;
  const scenario::JsonList entries = root.list("entries");
  if (root.has("entries") && entries.empty()) root.error("entries", Message("is empty"));
  for (const JsonValue& entry : entries) {
    if (entry.is_object()) pack.entries.push_back(read_entry(entry, &told));
  }
  return pack;
}

}  // namespace

bool PublishedEntry::is_about(std::string_view scenario) const {
  return std::find(rungs.begin(), rungs.end(), scenario) != rungs.end();
}

scenario::Outcome<PublishedPack> load_published(const std::filesystem::path& file, Budget* budget) {
  scenario::JsonLimits limits;
  limits.budget = budget;
  scenario::JsonDocument document = scenario::JsonDocument::load(file, limits);
  PublishedPack pack;
  if (document.ok() && document.root().is_object() && document.has_schema("published"))
    pack = read_pack(document.root());
  if (!document.ok()) return {{}, document.errors()};
  pack.file = file;
  return {std::move(pack), {}};
}

scenario::Outcome<std::vector<PublishedPack>> load_published_packs(const std::filesystem::path& folder,
                                                                   Budget* budget) {
  scenario::Outcome<std::vector<PublishedPack>> outcome;
  outcome.value.emplace();
  std::vector<std::filesystem::path> files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    auto pack = load_published(file, budget);
    if (pack.value) outcome.value->push_back(std::move(*pack.value));
    outcome.errors.insert(outcome.errors.end(), pack.errors.begin(), pack.errors.end());
  }
  return outcome;
}

std::vector<const PublishedPack*> published_of(const std::vector<PublishedPack>& packs,
                                               std::string_view ladder) {
  std::vector<const PublishedPack*> out;
  for (const PublishedPack& pack : packs) {
    if (!ladder.empty() && pack.ladder == ladder) out.push_back(&pack);
  }
  return out;
}

}  // namespace warplens::measure
