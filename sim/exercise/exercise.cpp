#include "sim/exercise/exercise.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>

#include "sim/memory/access.h"
#include "sim/memory/banks.h"
#include "sim/memory/cost.h"
#include "sim/report/report.h"
#include "sim/scenario/headers.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/target.h"
#include "sim/scenario/text_file.h"
#include "sim/trace/trace.h"

namespace warplens::exercise {

// ---- its figures

const char* name_of(Figure figure) {
  constexpr const char* kNames[] = {"coalesced", "sectors", "lines", "ways", "wavefronts"};
  return kNames[static_cast<std::size_t>(figure)];
}

std::optional<Figure> figure_named(std::string_view name) {
  const auto found = std::ranges::find(kFigures, name, [](Figure f) { return std::string_view(name_of(f)); });
  if (found == kFigures.end()) return std::nullopt;
  return *found;
}

bool belongs_to(Figure figure, memory::Space space) {
  const bool of_shared = figure == Figure::Ways || figure == Figure::Wavefronts;
  return of_shared == (space == memory::Space::Shared);
}

std::int64_t value_of(Figure figure, const memory::WarpAccess& access) {
  const memory::Cost cost = memory::cost(access);
  switch (figure) {
    case Figure::Coalesced:
      return cost.sectors <= cost.ideal_sectors ? 1 : 0;
    case Figure::Sectors:
      return cost.sectors;
    case Figure::Lines:
      return cost.lines;
    case Figure::Ways:
      return memory::plan_banks(access).degree;
    case Figure::Wavefronts:
      return cost.wavefronts;
  }
  return 0;
}

// ---- its files

namespace {

using scenario::JsonDocument;
using scenario::JsonValue;
using scenario::required_words;

constexpr std::string_view kEnding = ".exercise.json";
constexpr std::size_t kMostAsks = 64;

// An unknown one is an error of the document.
std::optional<memory::Op> read_op(const scenario::JsonValue& object) {
  const std::string name = object.optional_text("op");
  if (name.empty()) return std::nullopt;
  for (const memory::Op op : memory::kAllOps)
    if (name == report::name_of(op)) return op;
  object.error("op", Message("is \"{}\"; load, store, atomic, reduction or async is possible", name));
  return std::nullopt;
}

Ask read_ask(const JsonValue& value) {
  Ask ask;
  ask.field = value.field();
  ask.array = value.text("array");
  if (!value.has("op")) value.error("op", Message("is missing"));
  ask.op = read_op(value).value_or(memory::Op::Load);
  ask.nth = value.optional_within("nth", 1, 1000, 1);
  ask.turn = value.optional_within("turn", 0, 1'000'000, 0);
  for (const JsonValue& entry : value.list("figures")) {
    const std::string name = entry.as_text().value_or("");
    const auto figure = figure_named(name);
    if (!figure)
      entry.error(Message("is \"{}\"; coalesced, sectors, lines, ways or wavefronts is possible", name));
    else if (std::ranges::count(ask.figures, *figure) > 0)
      entry.error(Message("is there twice"));
    else
      ask.figures.push_back(*figure);
  }
  if (value.has("figures") && ask.figures.empty()) value.error("figures", Message("is empty"));
  return ask;
}

void read_asks(const JsonValue& root, Exercise& exercise) {
  const scenario::JsonList asks = root.list("asks");
  if (root.has("asks") && asks.empty()) root.error("asks", Message("is empty"));
  if (asks.size() > kMostAsks)
    return root.error("asks", Message("has {} entries; {} are possible", asks.size(), kMostAsks));
  for (const JsonValue& value : asks)
    if (value.is_object()) exercise.asks.push_back(read_ask(value));
}

void read_exercise(const JsonValue& root, Exercise& exercise) {
  exercise.name = root.text("name");
  exercise.title = required_words(root, "title");
  exercise.source = required_words(root, "source");
  exercise.task = required_words(root, "task");
  exercise.warp = root.optional_within("warp", 0, 31, 0);
  const auto [x, y, z] = root.optional_index("block");
  exercise.block = {x, y, z};
  read_asks(root, exercise);
}

}  // namespace

int Exercise::claims() const {
  std::size_t all = 0;
  for (const Ask& ask : asks) all += ask.figures.size();
  return static_cast<int>(all);
}

Outcome<Exercise> load_exercise(const std::filesystem::path& file, Budget* budget) {
  Outcome<Exercise> loaded = scenario::load_document<Exercise>(file, "exercise", read_exercise, budget);
  if (!loaded) return loaded;
  const std::string name = file.filename().string();
  const std::string stem = name.ends_with(kEnding) ? name.substr(0, name.size() - kEnding.size()) : name;
  const std::filesystem::path beside = file.parent_path() / (stem + ".scenario.json");
  if (!scenario::is_beside(beside, file))
    return Message("{}: must lie beside {}, and not only a link to it", beside.string(), name);
  Outcome<scenario::Scenario> scenario = scenario::load_scenario(beside, budget);
  if (!scenario) return scenario.errors;
  loaded.value->scenario = std::move(*scenario.value);
  return loaded;
}

Outcome<std::vector<Exercise>> load_exercises(const std::filesystem::path& folder, Budget* budget) {
  return scenario::load_all<Exercise>(folder, kEnding, load_exercise, budget);
}

Outcome<Exercise> find_exercise(const std::string& what, Budget* budget) {
  if (what.ends_with(".json")) return load_exercise(what, budget);
  const std::filesystem::path folder = scenario::data_folder("assets") / "exercises";
  const std::filesystem::path file = folder / (what + std::string(kEnding));
  std::error_code failed;
  if (what.find('/') == std::string::npos && std::filesystem::is_regular_file(file, failed))
    return load_exercise(file, budget);
  std::vector<std::string> names;
  const Outcome<std::vector<Exercise>> all = load_exercises(folder, budget);
  for (const Exercise& exercise : all.value.value_or(std::vector<Exercise>())) names.push_back(exercise.name);
  return Message("there is no exercise \"{}\"{} (warplens-cli list exercises)", what,
                 scenario::did_you_mean(what, names));
}

// ---- what is right

namespace {

// The site of the kernel that an ask names.
std::optional<std::size_t> site_of(const Ask& ask, const sim::Program& program) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < program.sites.size(); ++i)
    if (program.sites[i].array == ask.array && program.sites[i].op == ask.op) found.push_back(i);
  std::ranges::stable_sort(found, {}, [&](std::size_t i) {
    const cuda::SourcePlace& at = program.sites[i].range.begin;
    return std::pair(at.line, at.column);
  });
  const auto nth = static_cast<std::size_t>(ask.nth - 1);
  if (nth >= found.size()) return std::nullopt;
  return found[nth];
}

Outcome<Truth> truth_of(const Exercise& exercise, const Ask& ask, const sim::Program& program,
                        const sim::Trace& trace) {
  const std::string& file = exercise.file.string();
  const auto site = site_of(ask, program);
  if (!site)
    return Message("{}: {}: {} has no such access: {} of {}, number {}", file, ask.field, program.kernel,
                   report::name_of(ask.op), ask.array, ask.nth);
  int turn = ask.turn;
  for (const std::uint32_t event : trace.warp_events[exercise.warp]) {
    if (trace.events[event].site != *site || turn-- > 0) continue;
    Truth truth;
    truth.access = trace.access(program, event);
    truth.place = program.sites[*site].range.begin;
    truth.text = program.sites[*site].text;
    for (const Figure figure : ask.figures)
      if (!belongs_to(figure, truth.access.space))
        return Message("{}: {}: {} is in {} memory, which has no {}", file, ask.field, ask.array,
                       report::name_of(truth.access.space), name_of(figure));
    return truth;
  }
  return Message("{}: {}: warp {} does not get there so often", file, ask.field, exercise.warp);
}

// Bytes from each active lane's address to the next one's, where that is the same for all.
std::optional<std::int64_t> common_step(const memory::WarpAccess& access) {
  std::optional<std::int64_t> step;
  int before = -1;
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((access.active >> lane & 1u) == 0) continue;
    if (before >= 0) {
      const auto here = static_cast<std::int64_t>(access.addresses[lane] - access.addresses[before]);
      if (lane != before + 1 || (step && *step != here)) return std::nullopt;
      step = here;
    }
    before = lane;
  }
  return step;
}

Message reason_of_global(const Truth& truth) {
  const memory::WarpAccess& access = truth.access;
  const memory::Cost cost = memory::cost(access);
  const int lanes = std::popcount(access.active);
  const auto step = common_step(access);
  if (!step)
    return Message(
        "its {} lanes take {} bytes each; sectors touched: {}, lines: {}, sectors that would hold as many "
        "bytes: {}",
        lanes, access.bytes, cost.sectors, cost.lines, cost.ideal_sectors);
  const auto first = access.addresses[std::countr_zero(access.active)] % 32;
  return Message(
      "its {} lanes take {} bytes each, {} bytes apart, from byte {} of a sector on; sectors touched: {}, "
      "lines: {}, "
      "sectors that would hold as many bytes: {}",
      lanes, access.bytes, *step, first, cost.sectors, cost.lines, cost.ideal_sectors);
}

Message reason_of_shared(const Truth& truth) {
  const memory::BankPlan plan = memory::plan_banks(truth.access);
  const auto fullest = std::ranges::max_element(plan.words_in_bank);
  const auto bank = fullest - plan.words_in_bank.begin();
  if (plan.groups > 1)
    return Message(
        "lanes that take {} bytes each are served in {} groups; the most different words of one group in one "
        "bank: {} "
        "(bank {}); wavefronts: {}",
        truth.access.bytes, plan.groups, *fullest, bank, plan.wavefronts);
  return Message("the most different words in one bank: {} (bank {}); wavefronts: {}", *fullest, bank,
                 plan.wavefronts);
}

}  // namespace

Outcome<std::vector<Truth>> truths_of(const Exercise& exercise, const sim::Limits& limits) {
  auto setup = scenario::make_setup(exercise.scenario, {}, limits.budget);
  if (!setup) return setup.errors;
  const Outcome<scenario::Prepared> prepared =
      scenario::prepare(std::move(*setup.value), memory::default_gpu_model(), limits.budget);
  if (!prepared) return prepared.errors;
  const sim::Launch& launch = prepared.value->setup.launch;
  const std::string& file = exercise.file.string();
  const sim::Dim3& block = exercise.block;
  if (block.x >= launch.grid.x || block.y >= launch.grid.y || block.z >= launch.grid.z)
    return Message("{}: the grid has no block ({}, {}, {})", file, block.x, block.y, block.z);
  const sim::Trace trace =
      sim::trace_block(prepared.value->program, launch, *prepared.value->gpu, block, limits);
  if (trace.error) return Message("{}: {}", file, trace.error->message);
  if (exercise.warp >= trace.warps)
    return Message("{}: the block has no warp {}; it has {}", file, exercise.warp, trace.warps);
  Outcome<std::vector<Truth>> truths{std::vector<Truth>(), {}};
  for (const Ask& ask : exercise.asks) {
    Outcome<Truth> truth = truth_of(exercise, ask, prepared.value->program, trace);
    if (!truth) return truth.errors;
    truths.value->push_back(std::move(*truth.value));
  }
  return truths;
}

Message reason(const Truth& truth, Figure figure) {
  return belongs_to(figure, memory::Space::Shared) ? reason_of_shared(truth) : reason_of_global(truth);
}

}  // namespace warplens::exercise
