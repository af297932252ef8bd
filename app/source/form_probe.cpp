#include <algorithm>
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

// How far a buffer is read and written by a few blocks, in elements from its begin.
struct Reach {
  std::uint64_t elements = 0;  // 0: it is not used
  bool of_integers = false;
};

struct Probe {
  bool compiled = false;
  bool ran = false;            // without an error
  bool complete = true;        // every block to its end
  bool may_be_sizes = false;   // the error is one that other sizes may mend
  std::vector<Reach> reaches;  // of each buffer of the form
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
      // No guess is to blame for a race, or for a value that nobody wrote: these are told with the report.
      limits.check_memory = false;
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

  // Not: an error that other sizes may mend, which the corners do not show (sums beyond an int's range).
  bool is_counted_soon(const LaunchForm& form) {
    const auto setup = setup_of(form);
    const sim::Program* program = setup ? compiled(setup.value->compile) : nullptr;
    if (program == nullptr) return true;
    sim::TotalsOptions options;
    options.threads = 1;
    options.limits.instructions = kSoonInstructions;
    options.limits.cancel = means_.budget->allowance().cancel;
    options.limits.deadline = means_.budget->allowance().deadline;
    const sim::Totals totals = sim::grid_totals(*program, setup.value->launch, predicted_gpu(), options);
    return !totals.error ||
           !(totals.error->kind == sim::RunError::Kind::InstructionLimit || is_of_sizes(totals.error->kind));
  }

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
        Reach& reach = probe->reaches[i];
        reach.of_integers = !sim::is_floating(parameter.type);
        reach.elements = std::max(reach.elements, (end + bytes - 1) / bytes);
      }
    }
  }

  const FileFacts& facts_;
  const std::string& text_;
  const Means& means_;
  Programs::Result result_;
  std::vector<std::string> arguments_;
};

struct Length {
  std::string text, first, second;  // "m * k"; a size alone has no second
  std::uint64_t elements = 0;
};

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

// Every size, and every product of two, in the order of the signature; what suits the buffer first.
std::vector<Length> lengths_of(const std::string& buffer, const LaunchForm& form, const FormValues& values) {
  std::vector<Length> lengths;
  for (const LaunchForm::Value& value : form.scalars) {
    const auto number = values.numbers.find("scalar." + value.name);
    if (number == values.numbers.end() || value.type == "bool") continue;
    if (number->second > 1 && number->second < (std::int64_t{1} << 31))
      lengths.push_back({value.name, value.name, {}, static_cast<std::uint64_t>(number->second)});
  }
  const std::size_t sizes = lengths.size();
  for (std::size_t i = 0; i < sizes; ++i) {
    for (std::size_t j = 0; j < sizes; ++j) {
      const Length a = lengths[i], b = lengths[j];
      lengths.push_back({a.text + " * " + b.text, a.text, b.text, a.elements * b.elements});
    }
  }
  std::stable_sort(lengths.begin(), lengths.end(),
                   [&](const Length& a, const Length& b) { return fitness(a, buffer) > fitness(b, buffer); });
  return lengths;
}

std::uint64_t extent_of(const FormValues& values, const std::string& group) {
  std::uint64_t product = 1;
  for (const char* axis : {"x", "y", "z"})
    product *= static_cast<std::uint64_t>(values.numbers.at(group + "." + axis));
  return product;
}

// A length as one would write it: the least size or product that is enough, where it is not far from what was
// needed; else one that is a little less; else the number. `complete`: the blocks were run to their ends;
// otherwise more may be needed, and where no size is enough the buffer has no end.
std::string length_text(const std::string& buffer, const Reach& reach, bool complete, const LaunchForm& form,
                        const FormValues& values) {
  std::vector<Length> lengths = lengths_of(buffer, form, values);
  const Length* best = nullptr;
  for (const Length& length : lengths) {
    const bool is_enough = length.elements >= reach.elements;
    if (is_enough && (best == nullptr || length.elements < best->elements)) best = &length;
  }
  if (best != nullptr && (!complete || best->elements <= reach.elements + reach.elements / 4))
    return best->text;
  if (!complete) return {};
  // `out[i] = in[i + 1]` reads an element more than n, and so does a last block without a guard: in has n,
  // and that is the mistake to be seen. Integers may be bounds (`first[i + 1]`), of which there is one more,
  // and a halo has two sides.
  constexpr std::uint64_t kFew = 4, kLeast = 32;
  const std::uint64_t block = extent_of(values, "block"), threads = block * extent_of(values, "grid");
  lengths.push_back({std::to_string(threads), {}, {}, threads});
  for (const Length& length : lengths) {
    if (length.elements < kLeast || length.elements >= reach.elements) continue;
    const std::uint64_t excess = reach.elements - length.elements;
    const bool has_last_block = threads > length.elements && threads - length.elements < block;
    const std::uint64_t unguarded = has_last_block ? threads - length.elements : 0;
    if (!reach.of_integers && (excess == 1 || (unguarded > 0 && excess <= unguarded + 1))) return length.text;
    if (excess <= kFew) return length.text + " + " + std::to_string(excess);
  }
  return std::to_string(reach.elements);
}

// A guess that does not run, or not to its end, and what else was tried in its place.
class Search {
 public:
  Search(Prober& prober, const KnownLaunch* launch) : prober_(prober), launch_(launch) {}

  // `form`, or the first of the others that runs; as it was where none does.
  void run(LaunchForm* form, Probe* probe) {
    if (!probe->compiled) return;
    take(form, probe, without_nulls(*form));
    take(form, probe, other_shapes(*form, open(*form, *probe)));
    if (probe->may_be_sizes) take(form, probe, other_fills(*form));
    if (!probe->may_be_sizes) return;
    LaunchForm roomy = *form;
    const OpenFields fields = open(*form, *probe);
    if (fields.shared) roomy.shared = std::to_string(predicted_gpu().max_shared_bytes);
    take(form, probe, smaller_sizes(roomy, fields, 1));
    for (const std::size_t one : fields.sizes)  // then one after the other
      take(form, probe, smaller_sizes(roomy, {.sizes = {one}}, 1));
  }

  // Sizes that are guesses are such that the whole grid is counted soon.
  void shorten(LaunchForm* form, Probe* probe) {
    if (prober_.is_counted_soon(*form)) return;
    for (LaunchForm& other : smaller_sizes(*form, open(*form, *probe), kLeastSize)) {
      Probe again = prober_.run(other);
      if (!again.ran) continue;
      *probe = std::move(again);
      *form = std::move(other);
      if (prober_.is_counted_soon(*form)) return;
    }
  }

 private:
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
    if (probe->ran) return;
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
                  const Means& means, bool has_lengths) {
  Prober prober(facts, text, means);
  Probe probe = prober.run(form);
  Search search(prober, launch);
  search.run(&form, &probe);
  if (!probe.ran) return form;
  search.shorten(&form, &probe);
  const FormValues values = work_out(form, facts);
  for (std::size_t i = 0; has_lengths && i < form.buffers.size(); ++i) {
    LaunchForm::Buffer& buffer = form.buffers[i];
    if (probe.reaches[i].elements > 0 && buffer.elements.empty())
      buffer.elements = length_text(buffer.name, probe.reaches[i], probe.complete, form, values);
  }
  return form;
}

}  // namespace warplens::app
