#include "app/derive/fix_finder.h"

#include <algorithm>
#include <chrono>
#include <ranges>
#include <set>

#include "app/simulate/simulator.h"
#include "app/source/text_fixes.h"
#include "app/state/catalog.h"
#include "app/state/user_kernel.h"
#include "sim/count/footprint.h"
#include "sim/report/advice.h"
#include "sim/report/report.h"

namespace warplens::app {
namespace {

constexpr std::uint64_t kFixInstructions = 300'000'000;  // for a fix: what takes longer is not offered
constexpr std::size_t kMostRungs = 4;
// A frame that waits longer is a picture's, which has its diagnosis; no frame of a window waits for it.
constexpr std::chrono::seconds kPictureWaits{1};
// In a window: so long the settings have to stand before anything is looked for. A search that the next
// toggle ends would only take the processor from the frames.
constexpr std::chrono::milliseconds kStands{150};

// What is counted over the whole grid.
struct Counts {
  std::uint64_t sectors = 0, wavefronts = 0, stored = 0;
  std::uint64_t ideal = 0;  // of bytes()
  std::uint64_t bytes() const { return sectors * memory::kSectorBytes + wavefronts * memory::kLineBytes; }
  std::uint64_t loss() const { return bytes() - std::min(bytes(), ideal); }
  std::uint64_t of(bool shared) const { return shared ? wavefronts : sectors; }
};
Counts counts_of(const sim::Program& program, const sim::Totals& totals) {
  Counts counts;
  for (const sim::SiteTotals& site : totals.shared_sites) {
    counts.wavefronts += site.wavefronts;
    counts.ideal += site.ideal_wavefronts * memory::kLineBytes;
  }
  for (std::size_t i = 0; i < totals.global_sites.size(); ++i) {
    counts.sectors += totals.global_sites[i].sectors;
    counts.ideal += totals.global_sites[i].ideal_sectors * memory::kSectorBytes;
    // Not of atomics: how often a sum is added to is what a kernel may do better.
    if (program.sites[i].op == memory::Op::Store) counts.stored += totals.global_sites[i].bytes;
  }
  return counts;
}

// Two kernels of a ladder that are checked against the same values; or that have their data in other arrays,
// where the values are other ones and same_data() decides.
bool computes_the_same(const scenario::Scenario& a, const scenario::Scenario& b) {
  if (!a.check || !b.check) return false;
  if (a.check->buffer == b.check->buffer && a.check->expected == b.check->expected &&
      a.check->before == b.check->before)
    return true;
  const auto by_name = [](const auto& one, const auto& other) { return one.first < other.first; };
  const auto has_all = [&](const auto& all, const auto& some) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end(), by_name);
  };
  return !has_all(a.buffer_rules, b.buffer_rules) && !has_all(b.buffer_rules, a.buffer_rules);
}

class CandidateMaker {
 public:
  CandidateMaker(const Catalog& catalog, const Simulation& simulation)
      : catalog_(catalog),
        compiled_(*simulation.compiled),
        settings_(compiled_.settings),
        scenario_(scenario_of(catalog, settings_)),
        report_(
            report::make_report({compiled_.setup, compiled_.program, compiled_.gpu, {}}, *simulation.totals)),
        advice_(report::advise_lines(report_)) {}

  std::vector<FixCandidate> make() {
    std::erase_if(advice_, [](const report::LineAdvice& of) { return of.advice.wasted_bytes == 0; });
    if (advice_.empty() || scenario_ == nullptr) return {};
    line_ = &report_.lines[advice_.front().advice.line];
    if (line_->space == memory::Space::Shared) add_padding();
    // An index expression is over threadIdx and blockDim as they are: another block reads other elements.
    if (!find_index(text_of(catalog_, settings_))) add_block_shapes();
    add_swapped();
    if (line_->space == memory::Space::Shared) add_swizzle();
    add_rungs();
    return std::move(out_);
  }

 private:
  void add(Fix::Kind kind, Settings settings, std::string name, std::string value) {
    if (settings == settings_) return;
    const scenario::Scenario* s = settings.own ? nullptr : catalog_.find(settings.scenario);
    Fix fix;
    fix.kind = kind;
    fix.settings = std::move(settings);
    fix.name = std::move(name);
    fix.value = std::move(value);
    fix.shared = line_->space == memory::Space::Shared;
    out_.push_back({std::move(fix), s});
  }

  // Values of parameters; of somebody's own kernel those are fields of its form.
  std::optional<Settings> with_values(const scenario::ParameterValues& values) const {
    Settings settings = settings_;
    if (!settings_.own) {
      for (const auto& [name, value] : values) settings.values[name] = value;
      return settings;
    }
    LaunchForm form = settings_.own->form;
    for (const auto& [name, value] : values) {
      if (!set_field(&form, field_of(*settings_.own, name), std::to_string(value))) return std::nullopt;
    }
    return with_own(settings_, with_form(*settings_.own, std::move(form)));
  }

  int in_elements(std::string_view figure, int least_bytes) const {  // of words
    return static_cast<int>(advice_.front().advice.figure(figure)) * 4 /
           std::max(line_->element_bytes, least_bytes);
  }
  // As the value of the parameter; where there is none, in the text, beside what is there.
  void add_padding(const scenario::ScenarioParameter* pad, int by) {
    if (pad != nullptr) {
      if (auto settings = clamped(*pad, by) == by ? with_values({{pad->name, by}}) : std::nullopt)
        add(Fix::Kind::Padding, std::move(*settings), pad->name, std::to_string(by));
    } else if (const sim::SharedArray* array = array_of_line()) {
      if (auto text = with_padding(text_of(catalog_, settings_), *array, by))
        add(Fix::Kind::Padding, with_text(catalog_, settings_, *text), array->name, std::to_string(by));
    }
  }

  void add_padding() {
    const scenario::ScenarioParameter* pad = nullptr;
    for (const scenario::ScenarioParameter& p : scenario_->parameters) {
      if (p.name.starts_with("pad")) pad = &p;
    }
    // Padding that makes the conflicts itself is taken away.
    if (const int less = in_elements("less", 1)) add_padding(pad, pad != nullptr ? 0 : -less);
    std::set<std::int64_t> tried;
    for (const int wanted : {in_elements("pad", 4), 1, 2, 4, 8})
      if (wanted > 0 && tried.insert(wanted).second) add_padding(pad, wanted);
  }

  const sim::SharedArray* array_of_line() const {
    for (const sim::SharedArray& array : compiled_.program.shared_arrays) {
      if (array.name == line_->array) return &array;
    }
    return nullptr;
  }

  void add_swizzle() {
    const sim::SharedArray* array = array_of_line();
    if (array == nullptr) return;
    if (auto text = with_swizzle(text_of(catalog_, settings_), *array))
      add(Fix::Kind::Swizzle, with_text(catalog_, settings_, *text), array->name, {});
  }

  // As many threads in other shapes, the widest warp first.
  void add_block_shapes() {
    const scenario::ScenarioParameter *x = find_parameter(*scenario_, "block_x"),
                                      *y = find_parameter(*scenario_, "block_y");
    if (x == nullptr || y == nullptr) return add_named_shapes();
    const sim::Dim3& block = compiled_.setup.launch.block;
    const std::int64_t threads = std::int64_t{block.x} * block.y;
    for (const std::int64_t across : {32, 64, 16, 128, 8}) {
      const std::int64_t down = threads / across;
      if (down < 1 || across * down != threads || across == block.x) continue;
      if (clamped(*x, across) != across || clamped(*y, down) != down) continue;
      if (auto settings = with_values({{"block_x", across}, {"block_y", down}}))
        add(Fix::Kind::BlockShape, std::move(*settings), {},
            std::to_string(across) + " × " + std::to_string(down));
    }
  }
  void add_named_shapes() {
    const scenario::ScenarioParameter* shape = find_parameter(*scenario_, "shape");
    if (shape == nullptr || settings_.own || shape->texts.empty()) return;
    for (std::size_t i = 0; i < shape->choices.size() && i < shape->texts.size(); ++i)
      if (auto settings = with_values({{"shape", shape->choices[i]}}))
        add(Fix::Kind::BlockShape, std::move(*settings), {}, shape->texts[i]);
  }

  // The launch has to be swapped with the axes. A scenario's follows its rules: only a square one stays
  // itself.
  void add_swapped() {
    const sim::Launch& launch = compiled_.setup.launch;
    const bool square = launch.block.x == launch.block.y && launch.grid.x == launch.grid.y;
    const std::string& text = text_of(catalog_, settings_);
    if (!square || line_->space == memory::Space::Shared) return;
    std::size_t begin = 0, end = text.size();
    if (settings_.own) {
      const KernelFacts* facts = settings_.own->facts.find(settings_.own->form.kernel);
      begin = facts == nullptr ? std::string::npos : text.find(facts->text);
      if (begin == std::string::npos) return;
      end = begin + facts->text.size();
    }
    if (auto swapped = with_axes_swapped(text, begin, end))
      add(Fix::Kind::Swapped, with_text(catalog_, settings_, *swapped), {}, {});
  }

  // Further rungs first, then those before: a lesson may end with what not to do.
  void add_rungs() {
    if (settings_.own || settings_.text) return;
    std::vector<const scenario::Scenario*> rungs = catalog_.ladder_of(*scenario_);
    const auto at = std::ranges::find(rungs, scenario_);
    if (at == rungs.end()) return;
    std::reverse(rungs.begin(), at);
    std::rotate(rungs.begin(), at, rungs.end());
    std::size_t added = 0;
    for (const scenario::Scenario* rung : rungs) {
      if (rung == scenario_ || !computes_the_same(*scenario_, *rung)) continue;
      if (++added > kMostRungs) break;
      Settings settings;
      settings.scenario = rung->name;
      settings.values = carried_over_in_size(*scenario_, settings_.values, *rung);
      add(Fix::Kind::Rung, std::move(settings), rung->name, {});
    }
  }

  const Catalog& catalog_;
  const Compiled& compiled_;
  const Settings& settings_;
  const scenario::Scenario* scenario_;
  report::Report report_;
  std::vector<report::LineAdvice> advice_;
  const report::ReportLine* line_ = nullptr;
  std::vector<FixCandidate> out_;
};

// What is counted of a launch, and what that was.
struct Counted {
  std::shared_ptr<const Compiled> compiled;
  Counts counts;
};

sim::Limits fix_limits(const std::atomic<bool>* cancel) {
  sim::Limits limits;
  limits.instructions = kFixInstructions;
  limits.memory_bytes = app_allowance(cancel).memory_bytes;
  limits.cancel = cancel;
  return limits;
}

// Counts the candidate; nothing where it cannot run.
std::optional<Counted> count(FixCandidate* candidate, Programs* programs, const std::atomic<bool>* cancel) {
  Budget budget(app_allowance(cancel));
  const Means means{programs, &budget};
  Settings& settings = candidate->fix.settings;
  if (is_unsettled(settings)) settings = with_own(settings, settled(*settings.own, *settings.text, means));
  const scenario::Scenario* s = settings.own ? &settings.own->scenario : candidate->scenario;
  const Compilation made = compile_settings(settings, s, means);
  if (!made.compiled) return std::nullopt;
  sim::TotalsOptions options;
  options.threads = 1;
  options.limits = fix_limits(cancel);
  const Compiled& c = *made.compiled;
  const sim::Totals totals = sim::grid_totals(c.program, c.setup.launch, *c.gpu, options);
  if (totals.error) return std::nullopt;
  return Counted{made.compiled, counts_of(c.program, totals)};
}

sim::Footprint footprint_of(const Compiled& c, const std::atomic<bool>* cancel) {
  return sim::grid_footprint(c.program, c.setup.launch, *c.gpu, fix_limits(cancel));
}

// Whether the same bytes of the same arrays are loaded, and the same stored. Another kernel of the ladder may
// have its data in other arrays (three instead of one of structs): then as many bytes of all.
bool same_data(const sim::Footprint& a, const sim::Footprint& b, bool rung) {
  if (a.error || b.error) return false;
  if (std::ranges::is_permutation(a.buffers, b.buffers)) return true;
  const auto names_of = [](const sim::Footprint& footprint) {
    std::set<std::string> names;
    for (const sim::BufferFootprint& buffer : footprint.buffers) names.insert(buffer.name);
    return names;
  };
  if (!rung || names_of(a) == names_of(b)) return false;
  const auto bytes_of = [](const sim::Footprint& footprint) {
    std::pair<std::uint64_t, std::uint64_t> bytes;
    for (const sim::BufferFootprint& buffer : footprint.buffers) {
      bytes.first += buffer.loaded.count();
      bytes.second += buffer.stored.count();
    }
    return bytes;
  };
  return bytes_of(a) == bytes_of(b);
}

// The first that helps much; where one further on leaves much less of the loss, that one. A kernel's loss is
// held against its own ideal: a tile costs wavefronts, but loses none.
std::optional<Fix> best_of(std::vector<FixCandidate> candidates, const Compiled& shown, const Counts& now,
                           Programs* programs, const std::atomic<bool>* cancel) {
  std::optional<Fix> best;
  std::optional<sim::Footprint> data;  // of what is shown; looked at only where something helps
  std::uint64_t least = now.loss();
  for (FixCandidate& candidate : candidates) {
    if (*cancel) break;
    if (best && least * 10 <= now.loss()) break;  // nine tenths are gone
    const auto counted = count(&candidate, programs, cancel);
    if (!counted) continue;
    const Counts& counts = counted->counts;
    Fix& fix = candidate.fix;
    if (counts.stored != now.stored || counts.bytes() * 10 > now.bytes() * 9) continue;
    if (counts.of(fix.shared) >= now.of(fix.shared)) continue;
    if (counts.loss() * 10 + now.loss() > least * 10) continue;
    if (!data) data = footprint_of(shown, cancel);
    if (!same_data(*data, footprint_of(*counted->compiled, cancel), fix.kind == Fix::Kind::Rung)) continue;
    least = counts.loss();
    fix.before = now.of(fix.shared);
    fix.after = counts.of(fix.shared);
    best = std::move(fix);
  }
  return best;
}

}  // namespace

std::vector<FixCandidate> fix_candidates(const Catalog& catalog, const Simulation& simulation) {
  return CandidateMaker(catalog, simulation).make();
}

jobs::Kept<Diagnosis> FixFinder::diagnose(const Simulation& shown) {
  const auto now = jobs::Runner::Clock::now();
  if (looks_at_ != shown.compiled) looks_at_ = shown.compiled, since_ = now;
  const bool in_a_window = runner_.deadline() < now + kPictureWaits;
  const bool begins = !in_a_window || now - since_ >= kStands;
  using Candidates = std::vector<FixCandidate>;
  std::shared_ptr<const Candidates> candidates;
  if (begins)
    candidates = memos_.now<Candidates>(shown.compiled, [&] { return fix_candidates(*catalog_, shown); });
  const auto work = [candidates, compiled = shown.compiled, totals = shown.totals, programs = programs_](
                        Budget& budget, std::atomic<double>*) {
    const Counts counts = counts_of(compiled->program, *totals);
    return std::make_shared<const Diagnosis>(
        Diagnosis{compiled->settings,
                  best_of(*candidates, *compiled, counts, programs.get(), budget.allowance().cancel)});
  };
  // Who toggles a parameter to and fro is not held up by the same search again.
  constexpr std::size_t kMostKnown = 32;
  return memos_.get<Diagnosis>(shown.compiled->settings, work,
                               {.most = kMostKnown, .begins = begins, .waits = !in_a_window});
}

Actions FixFinder::update(const State& state, const Simulation& shown) {
  const bool wanted = shown.fresh && !shown.empty() && shown.totals && !shown.totals->error &&
                      !state.pinned && !state.classroom.active && !shown.hidden.rest && !state.halted &&
                      shown.compiled->settings == state.settings && diagnosis_of(state) == nullptr;
  memos_.begin_frame();
  jobs::Kept<Diagnosis> found;
  if (wanted) found = diagnose(shown);
  memos_.end_frame();
  if (!found.failure.empty())
    found.value = std::make_shared<const Diagnosis>(Diagnosis{state.settings, std::nullopt});
  if (!wanted || found.value) looks_at_ = nullptr;
  return found.value ? Actions{TakeDiagnosis{found.value}} : Actions{};
}

Actions ErrorFollower::update(const State& state, const Simulation& simulation) {
  if (!(state.settings == settings_)) {
    // With the first change the access looked at gets its name, which is nobody's choice.
    if (position_.access.any && state.settings.text == settings_.text)
      position_.access = state.position.access, position_.warp = state.position.warp;
    settings_ = state.settings;
    stood_ = state.position;
    const bool is_chosen = !(state.position == position_) && !(state.position == Position());
    const bool types = state.editing || !state.field.id.empty();
    waits_ = !is_chosen && !types && !state.classroom.active && !state.pinned;
  }
  position_ = state.position;
  if (!waits_ || failure_of(simulation) == nullptr) return {};
  waits_ = false;
  return state.position == stood_ ? Actions{GoToError{false}} : Actions{};
}

}  // namespace warplens::app
