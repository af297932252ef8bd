#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>

#include "app/platform/system.h"
#include "app/source/form_guess.h"
#include "app/source/programs.h"
#include "sim/count/totals.h"
#include "sim/text/scan.h"
#include "sim/trace/trace.h"

namespace warplens::app {
namespace {

constexpr std::uint64_t kProbeInstructions = 600'000, kProbeEvents = 200'000;  // of one block
constexpr std::uint64_t kSoonInstructions = 3'000'000;  // of a grid that is counted soon
// Of computing, after which no other is begun: on a busy machine as much is tried as on an idle one, and the
// guess is the same.
constexpr std::chrono::milliseconds kProbePatience{150};

struct Probe {
  bool compiled = false;
  bool ran = false;                  // without an error
  bool complete = true;              // every block to its end
  bool may_be_sizes = false;         // the error is one that other sizes may mend
  std::vector<BufferReach> reaches;  // of each buffer of the form
  // Of dynamic shared memory: how far the blocks reached, in bytes; nullopt: the kernel has none.
  std::optional<std::int64_t> dynamic_shared;
};

class Prober {
 public:
  Prober(const FileFacts& facts, const std::string& text, const Means& means)
      : facts_(facts), text_(text), means_(means) {}

  Probe run(const LaunchForm& form) {
    Probe probe;
    const auto until = platform::computed() + kProbePatience;
    probe.compiled = probe.may_be_sizes = true;
    const auto setup = setup_of(form);
    if (!setup) return probe;
    const sim::Program* program = compiled(setup.value->compile);
    const memory::GpuModel& gpu = predicted_gpu();
    if (program != nullptr && program->uses_dynamic_shared) probe.dynamic_shared = 0;
    probe.compiled = program != nullptr;
    if (program == nullptr || !sim::check_launch(*program, setup.value->launch, gpu).empty()) return probe;
    probe.may_be_sizes = false;
    probe.reaches.assign(form.buffers.size(), {});
    probe.ran = true;
    for (const sim::Dim3& block : corners(setup.value->launch.grid)) {
      if (platform::computed() > until) {
        probe.complete = false;
        break;
      }
      sim::Limits limits;
      limits.instructions = kProbeInstructions;
      limits.trace_events = kProbeEvents;
      limits.check_memory = check_memory_;
      limits.memory_bytes = std::uint64_t{256} << 20;
      limits.cancel = means_.budget->allowance().cancel;
      limits.deadline = means_.budget->allowance().deadline;
      const sim::Trace trace = sim::trace_block(*program, setup.value->launch, gpu, block, limits);
      if (trace.error && !trace.error->is_limit()) {
        probe.ran = false;
        probe.may_be_sizes = is_of_sizes(trace.error->kind);
      }
      measure(*program, trace, form, &probe);
      if (trace.error) probe.complete = false;
      if (!probe.ran) break;
    }
    return probe;
  }

  // What share of the grid is counted soon, 1: all of it. 0: an error that other sizes may mend, which the
  // corners do not show (sums beyond an int's range).
  double counted_soon(const LaunchForm& form) {
    const auto setup = setup_of(form);
    const sim::Program* program = setup ? compiled(setup.value->compile) : nullptr;
    if (program == nullptr) return 1;
    std::atomic<double> progress{0};
    sim::TotalsOptions options;
    options.threads = 1;
    options.limits.instructions = kSoonInstructions;
    options.limits.cancel = means_.budget->allowance().cancel;
    options.limits.deadline = means_.budget->allowance().deadline;
    options.limits.progress = &progress;
    const sim::Totals totals = sim::grid_totals(*program, setup.value->launch, predicted_gpu(), options);
    if (totals.error && is_of_sizes(totals.error->kind)) return 0;
    const bool is_cut = totals.error && totals.error->kind == sim::RunError::Kind::InstructionLimit;
    return is_cut ? std::clamp(progress.load(), 1e-6, 0.99) : 1;
  }

  // Races and values that nobody wrote are no errors from now on.
  void look_past_races() { check_memory_ = false; }

 private:
  scenario::Outcome<scenario::Setup> setup_of(const LaunchForm& form) const {
    const FormValues values = work_out(form, facts_);
    if (!values.errors.empty()) return {};
    scenario::Scenario scenario = scenario_of(form, values, form);
    scenario.headers = facts_.headers;
    return scenario::make_setup(scenario, scenario::defaults(scenario), text_);
  }

  const sim::Program* compiled(const sim::CompileRequest& request) {
    if (!result_ || arguments_ != request.template_arguments) {
      arguments_ = request.template_arguments;
      result_ = means_.compile_soon(request);
    }
    return result_->program ? &*result_->program : nullptr;
  }

  // A race or a barrier that not all reach is a mistake to be seen, whatever the sizes are.
  static bool is_of_sizes(sim::RunError::Kind kind) {
    using Kind = sim::RunError::Kind;
    return kind == Kind::OutOfRange || kind == Kind::Misaligned || kind == Kind::DivisionByZero ||
           kind == Kind::Assertion || kind == Kind::BadLaunch;
  }

  static std::vector<sim::Dim3> corners(const sim::Dim3& grid) {
    std::vector<sim::Dim3> blocks;
    // The last one first: it reaches furthest.
    for (const std::uint32_t z : {grid.z - 1, 0u}) {
      for (const std::uint32_t y : {grid.y - 1, 0u}) {
        for (const std::uint32_t x : {grid.x - 1, 0u}) {
          const sim::Dim3 block{x, y, z};
          if (std::find(blocks.begin(), blocks.end(), block) == blocks.end()) blocks.push_back(block);
        }
      }
    }
    return blocks;
  }

  // How many bytes behind the event's base its lanes reach.
  static std::int64_t reach_of(const sim::Program& program, const sim::Trace& trace,
                               const sim::TraceEvent& event) {
    std::int64_t most = 0;
    for (std::uint32_t lane = 0; lane < memory::kWarpLanes; ++lane) {
      if ((event.active >> lane & 1u) != 0) most = std::max(most, trace.patterns[event.pattern][lane]);
    }
    return most + program.sites[event.site].bytes;
  }

  static void measure(const sim::Program& program, const sim::Trace& trace, const LaunchForm& form,
                      Probe* probe) {
    for (const sim::TraceEvent& event : trace.events) {
      if (event.space == memory::Space::Shared && probe->dynamic_shared) {
        const std::int64_t end = static_cast<std::int64_t>(event.base) + reach_of(program, trace, event) -
                                 program.static_shared_bytes;
        probe->dynamic_shared = std::max(*probe->dynamic_shared, end);
      }
      if (event.space != memory::Space::Global) continue;
      const memory::Address window = event.base / sim::kBufferSpacing;
      if (window < 1 || window > program.parameters.size()) continue;
      const sim::KernelParameter& parameter = program.parameters[window - 1];
      const std::uint64_t end =
          event.base % sim::kBufferSpacing + static_cast<std::uint64_t>(reach_of(program, trace, event));
      const auto bytes = static_cast<std::uint64_t>(std::max(parameter.element_bytes, 1));
      for (std::size_t i = 0; i < form.buffers.size(); ++i) {
        if (form.buffers[i].name != parameter.name) continue;
        BufferReach& reach = probe->reaches[i];
        reach.of_integers = !sim::is_floating(parameter.type);
        BufferReach::Site& site = reach.sites[event.site];
        site.elements = std::max(site.elements, (end + bytes - 1) / bytes);
        site.decides |= program.code[event.instr].keep == sim::Keep::Everything;
      }
    }
  }

  const FileFacts& facts_;
  const std::string& text_;
  const Means& means_;
  Programs::Result result_;
  std::vector<std::string> arguments_;
  bool check_memory_ = true;
};

struct Length {
  std::string text, first, second;  // "m * k"; a size alone has no second
  std::uint64_t elements = 0;
};

// Every size, and every product of two, in the order of the signature.
std::vector<Length> lengths_of(const LaunchForm& form, const FormValues& values) {
  std::vector<std::pair<std::string, std::uint64_t>> sizes;
  for (const LaunchForm::Value& value : form.scalars) {
    const auto number = values.numbers.find("scalar." + value.name);
    if (number == values.numbers.end() || value.type == "bool") continue;
    if (number->second > 1 && number->second < (std::int64_t{1} << 31))
      sizes.emplace_back(value.name, static_cast<std::uint64_t>(number->second));
  }
  std::vector<Length> lengths;
  for (const auto& [name, size] : sizes) lengths.push_back({name, name, {}, size});
  for (const auto& [a, x] : sizes) {
    for (const auto& [b, y] : sizes) lengths.push_back({a + " * " + b, a, b, x * y});
  }
  return lengths;
}

// How well a length suits a buffer's name, among those of the same number: A is m * k, B is k * n and C is
// m * n, as in every textbook; then sizes of different names.
int fitness(const Length& length, const std::string& buffer) {
  static const std::map<std::string, std::pair<std::string, std::string>> kOperands{
      {"a", {"m", "k"}}, {"b", {"k", "n"}}, {"c", {"m", "n"}}};
  if (length.second.empty()) return 3;
  const auto operand = kOperands.find(text::lower_case(buffer));
  if (operand != kOperands.end() && text::lower_case(length.first) == operand->second.first &&
      text::lower_case(length.second) == operand->second.second)
    return 2;
  return length.first != length.second ? 1 : 0;
}

// A length as one would write it: the least size or product that is enough, where it is not far from what was
// needed; a natural length that is a little less; else the number. `complete`: the blocks were run to their
// ends; otherwise more may be needed, and where no size is enough the buffer has no end.
std::string length_text(const std::string& buffer, const BufferReach& reach, bool complete,
                        const LaunchForm& form, const FormValues& values, const FileFacts& facts) {
  const std::uint64_t needed = reach.elements();
  const Length* best = nullptr;
  const std::vector<Length> lengths = lengths_of(form, values);
  for (const Length& length : lengths) {
    if (length.elements < needed) continue;
    const bool better =
        best == nullptr || length.elements < best->elements ||
        (length.elements == best->elements && fitness(length, buffer) > fitness(*best, buffer));
    if (better) best = &length;
  }
  if (best != nullptr && (!complete || best->elements <= needed + needed / 4)) return best->text;
  if (!complete) return {};
  const std::string natural = natural_length(buffer, reach, form, values, facts);
  return natural.empty() ? std::to_string(needed) : natural;
}

// A guess that does not run, or not to its end, and what else was tried in its place.
class Search {
 public:
  Search(Prober& prober, const KnownLaunch* launch) : prober_(prober), launch_(launch) {}

  // `form`, or the first of the others that runs; as it was where none does.
  void run(LaunchForm* form, Probe* probe) {
    if (!probe->compiled) return;
    if (!probe->ran) take(form, probe, without_nulls(*form));
    if (!probe->ran) take(form, probe, other_shapes(*form, open(*form, *probe)));
    if (probe->ran) return;
    // No guess is to blame for a race, or for a value that nobody wrote: these are told with the report.
    prober_.look_past_races();
    *probe = prober_.run(*form);
    if (!probe->ran) take(form, probe, other_shapes(*form, open(*form, *probe)));
    if (!probe->ran && probe->may_be_sizes) take(form, probe, other_fills(*form));
    if (!probe->ran && probe->may_be_sizes) take(form, probe, smaller_sizes(*form, open(*form, *probe)));
  }

  // Sizes that are guesses are such that the whole grid is counted soon, and no smaller.
  void shorten(LaunchForm* form, Probe* probe) {
    double share = prober_.counted_soon(*form);
    if (share == 1) return;
    const std::vector<LaunchForm> others = fewer_elements(*form, open(*form, *probe));
    const std::size_t first = std::min(steps_to(share), others.size());
    for (std::size_t i = first; i > 0 && i <= others.size() && share < 1; i += steps_to(share)) {
      share = try_shorter(others[i - 1], share, form, probe);
      if (share < 1) continue;
      for (std::size_t larger = i - 1; larger > 0; --larger)
        if (prober_.counted_soon(others[larger - 1]) < 1 ||
            try_shorter(others[larger - 1], 0, form, probe) < 1)
          break;
    }
  }

  // Where it leaves lengths that the host code says: by smaller sizes, if they are guesses.
  void keep_within(LaunchForm* form, Probe* probe) {
    Probe within = prober_.run(*form);
    if (within.ran || !within.may_be_sizes) return;
    take(form, &within, smaller_sizes(*form, open(*form, within)));
    if (within.ran) *probe = std::move(within);
  }

 private:
  // Takes `other` if it runs and more than `share` of it is counted soon (fewer elements may be more work: a
  // difference of unsigned sizes wraps around). Returns what share of the form is, then.
  double try_shorter(const LaunchForm& other, double share, LaunchForm* form, Probe* probe) {
    Probe again = prober_.run(other);
    const double counted = again.ran ? prober_.counted_soon(other) : 0;
    if (counted <= share) return share;
    *probe = std::move(again);
    *form = other;
    return counted;
  }

  // Where so little is counted, as many steps of fewer_elements are too few if the work grows with the square
  // of each size.
  static std::size_t steps_to(double share) {
    std::size_t steps = 1;
    for (; share > 0 && share < 1.0 / 64 && steps < 4; share *= 64) ++steps;
    return steps;
  }

  // A null pointer that the kernel goes through stands for a buffer: a text that only shows a launch passes
  // 0.
  static std::vector<LaunchForm> without_nulls(const LaunchForm& form) {
    LaunchForm other = form;
    for (LaunchForm::Buffer& buffer : other.buffers)
      if (buffer.elements == scenario::kNull) buffer.elements.clear();
    if (other == form) return {};
    return {std::move(other)};
  }

  OpenFields open(const LaunchForm& form, const Probe& probe) const {
    return open_fields(form, launch_, probe.dynamic_shared.has_value());
  }

  void take(LaunchForm* form, Probe* probe, std::vector<LaunchForm> others) {
    for (LaunchForm& other : others) {
      if (tried_++ >= kMostTried || platform::computed() > until_) return;
      Probe again = prober_.run(other);
      if (!again.ran) continue;
      // Shared memory was as much as there is: what is needed of it is seen now.
      if (other.shared != form->shared && again.dynamic_shared &&
          *again.dynamic_shared <= predicted_gpu().max_shared_bytes) {
        other.shared = std::to_string((*again.dynamic_shared + 15) / 16 * 16);
      }
      *probe = std::move(again);
      *form = std::move(other);
      return;
    }
  }

  static constexpr int kMostTried = 96;
  static constexpr std::chrono::milliseconds kSearchPatience{1500};
  Prober& prober_;
  const KnownLaunch* launch_;
  const std::chrono::nanoseconds until_ = platform::computed() + kSearchPatience;
  int tried_ = 0;
};

}  // namespace

LaunchForm probed(LaunchForm form, const FileFacts& facts, const std::string& text, const KnownLaunch* launch,
                  const Means& means) {
  // The lengths that the file says stand, also where they are too short: that is a mistake to be seen. But
  // the shape of a block is not to blame for it.
  const std::vector<LaunchForm::Buffer> said = form.buffers;
  for (LaunchForm::Buffer& buffer : form.buffers)
    if (buffer.elements != scenario::kNull && !buffer.holds_written && !buffer.is_symbol)
      buffer.elements.clear();
  Prober prober(facts, text, means);
  Probe probe = prober.run(form);
  Search search(prober, launch);
  search.run(&form, &probe);
  for (std::size_t i = 0; i < form.buffers.size(); ++i)
    if (said[i].elements != scenario::kNull) form.buffers[i].elements = said[i].elements;
  if (!probe.ran) return form;
  if (std::any_of(said.begin(), said.end(), [](const auto& buffer) { return !buffer.elements.empty(); }))
    search.keep_within(&form, &probe);
  search.shorten(&form, &probe);
  const FormValues values = work_out(form, facts);
  for (std::size_t i = 0; i < form.buffers.size(); ++i) {
    if (probe.reaches[i].elements() > 0 && form.buffers[i].elements.empty())
      form.buffers[i].elements =
          length_text(form.buffers[i].name, probe.reaches[i], probe.complete, form, values, facts);
  }
  return form;
}

}  // namespace warplens::app
