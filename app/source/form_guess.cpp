#include "app/source/form_guess.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <optional>
#include <set>

#include "app/source/host_values.h"
#include "sim/trace/trace.h"

namespace warplens::app {
namespace {

constexpr std::uint64_t kProbeInstructions = 600'000, kProbeEvents = 200'000;  // of one block
constexpr std::chrono::milliseconds kProbePatience{150};  // after which no other is begun
constexpr double kCompileSeconds = 1;

std::string lower(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool one_of(const std::string& name, const std::set<std::string>& names) {
  return names.contains(lower(name));
}

// ---- values by name ---------------------------------------------------------------------------------------

struct Named {
  const char* name;
  const char* value;
};
// What course material and published kernels call the parts of a tile, and the values that they use.
constexpr Named kTileNames[] = {{"bm", "64"},          {"bn", "64"},
                                {"bk", "8"},           {"tm", "8"},
                                {"tn", "8"},           {"wm", "32"},
                                {"wn", "32"},          {"wniter", "2"},
                                {"wmiter", "1"},       {"num_threads", "128"},
                                {"numthreads", "128"}, {"nthreads", "128"},
                                {"threads", "128"},    {"nt", "128"},
                                {"block_size", "16"},  {"blocksize", "16"},
                                {"tile_dim", "32"},    {"tile_size", "16"},
                                {"tilesize", "16"},    {"tile", "16"},
                                {"bx", "32"},          {"by", "8"},
                                {"block_x", "32"},     {"block_y", "8"},
                                {"block_rows", "8"},   {"pad", "0"},
                                {"padding", "0"},      {"unroll", "4"},
                                {"coarse", "4"},       {"coarse_factor", "4"},
                                {"bins", "256"},       {"num_bins", "256"},
                                {"radius", "3"},       {"stride", "1"},
                                {"vec", "4"}};

std::string template_value(const TemplateSlot& slot) {
  if (!slot.fallback.empty()) return slot.fallback;
  if (slot.is_type) return "float";
  if (slot.type == "bool") return "true";
  for (const Named& named : kTileNames) {
    if (lower(slot.name) == named.name) return named.value;
  }
  return "16";
}

std::string scalar_value(const ParameterSlot& slot, bool flat, bool small) {
  const std::string name = lower(slot.name.substr(slot.name.rfind('.') + 1));
  if (slot.is_floating) return one_of(name, {"beta", "b"}) ? "0.0" : "1.0";
  if (slot.type == "bool") return "true";
  if (one_of(name, {"stride", "step", "inc", "incx", "incy"})) return "1";
  if (one_of(name, {"offset", "shift", "start", "first", "pad", "padding"})) return "0";
  if (one_of(name, {"bins", "nbins", "num_bins", "nb"})) return "256";
  if (one_of(name, {"radius", "r", "halo"})) return "3";
  if (one_of(name, {"seed", "iter", "iters", "iterations", "niter", "times", "repeat"})) return "4";
  if (one_of(name, {"batch", "batches", "depth", "channels", "nz", "d"})) return "4";
  if (flat) return "1048576";
  return small ? "256" : "1024";
}

const std::set<std::string> kAcross{"width", "w",        "cols", "ncols", "n_cols", "nx",   "columns",
                                    "n",     "num_cols", "dimx", "sizex", "size_x", "pitch"};
const std::set<std::string> kDown{"height", "h",        "rows", "nrows", "n_rows", "ny",
                                  "m",      "num_rows", "dimy", "sizey", "size_y"};
const std::set<std::string> kNoSizes{"stride", "step",     "offset", "shift", "start", "first", "bins",
                                     "nbins",  "num_bins", "radius", "seed",  "iter",  "iters", "k",
                                     "kk",     "niter",    "pad",    "lda",   "ldb",   "ldc",   "ld",
                                     "alpha",  "beta",     "batch",  "times", "inc"};

std::vector<std::string> sizes_of(const KernelFacts& kernel) {
  std::vector<std::string> sizes;
  for (const ParameterSlot& slot : kernel.parameters) {
    if (!slot.is_field() && slot.is_integer && slot.type != "bool" && !one_of(slot.name, kNoSizes))
      sizes.push_back(slot.name);
  }
  return sizes;
}

std::string pick(const std::vector<std::string>& sizes, const std::set<std::string>& names,
                 std::size_t otherwise) {
  for (const std::string& size : sizes) {
    if (one_of(size, names)) return size;
  }
  return sizes.empty() ? std::string() : sizes[std::min(otherwise, sizes.size() - 1)];
}

std::string quotient(const std::string& size, const std::string& part) {
  if (size.empty()) return "64";
  return "(" + size + " + " + part + " - 1) / " + part;
}

// ---- block and grid ---------------------------------------------------------------------------------------

struct Slots {
  const KernelFacts& kernel;
  const FileFacts& facts;
  // A template parameter, or a constant of the file, by its usual name; empty: there is none.
  std::string name(const std::set<std::string>& names) const {
    for (const TemplateSlot& slot : kernel.templates) {
      if (!slot.is_type && one_of(slot.name, names)) return slot.name;
    }
    for (const auto& [constant, unused] : facts.constants) {
      if (one_of(constant, names)) return constant;
    }
    return {};
  }
  // The same, or a constant of the kernel's own that follows from them: `constexpr int BM = 8 * BY;`
  std::string extent(const std::string& wanted) const {
    if (const std::string own = name({wanted}); !own.empty()) return own;
    Names kept;
    std::map<std::string, std::int64_t> known = facts.constants;
    for (const TemplateSlot& slot : kernel.templates) {
      if (!slot.is_type) kept[slot.name] = slot.name, known[slot.name] = 1;
    }
    for (const auto& [local, expression] : read_host_values(kernel.text, kept).names) {
      if (lower(local) == wanted && sim::evaluate_integer(expression, known).value) return expression;
    }
    return {};
  }
};

void guess_block(const Slots& slots, LaunchForm* form) {
  const KernelFacts& kernel = slots.kernel;
  const std::string bm = slots.name({"bm"}), bn = slots.name({"bn"}), tm = slots.name({"tm"}),
                    tn = slots.name({"tn"});
  const std::string threads = slots.name({"num_threads", "numthreads", "nthreads", "threads", "nt",
                                          "threads_per_block", "block_threads", "blockthreads"});
  const std::string bx = slots.name({"bx", "block_x", "bdimx", "blockx"}),
                    by = slots.name({"by", "block_y", "bdimy", "blocky", "block_rows"});
  const std::string tile = slots.name({"block_size", "blocksize", "tile", "tile_dim", "tile_size", "tilesize",
                                       "tile_width", "block", "ts", "bs"});
  const bool told = std::any_of(kernel.most_threads.begin(), kernel.most_threads.end(),
                                [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
  if (!threads.empty()) {
    form->block = {threads, "1", "1"};
  } else if (told && !kernel.uses_y) {  // __launch_bounds__(BM * BN / 64)
    form->block = {kernel.most_threads, "1", "1"};
  } else if (!bm.empty() && !bn.empty()) {
    std::string text = bm + " * " + bn;
    if (!tm.empty() || !tn.empty())
      text = "(" + text + ") / " + (tm.empty() ? tn : tn.empty() ? tm : "(" + tm + " * " + tn + ")");
    form->block = {text, "1", "1"};
  } else if (kernel.uses_y) {
    const std::string x = !bx.empty() ? bx : !tile.empty() ? tile : "16";
    form->block = {x, !by.empty() ? by : !tile.empty() ? tile : "16", "1"};
  } else if (!tile.empty()) {
    form->block = {tile, "1", "1"};
  } else {
    form->block = {"256", "1", "1"};
  }
  if (kernel.uses_z && kernel.uses_y && tile.empty() && bx.empty()) form->block = {"8", "8", "4"};
  if (threads.empty() && bm.empty() && !kernel.most_threads.empty() && !kernel.uses_y && tile.empty())
    form->block[0] = kernel.most_threads;
}

void guess_grid(const Slots& slots, LaunchForm* form) {
  const std::vector<std::string> sizes = sizes_of(slots.kernel);
  const std::string bm = slots.extent("bm"), bn = slots.extent("bn");
  const std::string across = pick(sizes, kAcross, sizes.size() > 1 ? 1 : 0), down = pick(sizes, kDown, 0);
  if (!bm.empty() && !bn.empty()) {
    form->grid = {quotient(across, bn), quotient(down, bm), "1"};
  } else if (slots.kernel.uses_y) {
    form->grid = {quotient(across, "block_x"), quotient(down, "block_y"), "1"};
    if (slots.kernel.uses_z) form->grid[2] = sizes.size() > 2 ? quotient(sizes[2], "block_z") : "1";
  } else {
    form->grid = {quotient(pick(sizes, {"n", "size", "len", "length", "count"}, 0), "block_x"), "1", "1"};
  }
}

void use_launch(const KnownLaunch& launch, LaunchForm* form) {
  for (std::size_t i = 0; i < launch.templates.size() && i < form->templates.size(); ++i) {
    if (!launch.templates[i].empty()) form->templates[i].text = launch.templates[i];
  }
  for (LaunchForm::Value& value : form->scalars) {
    const auto known = launch.scalars.find(value.name);
    if (known != launch.scalars.end()) value.text = known->second;
  }
  for (LaunchForm::Buffer& buffer : form->buffers) {
    const auto known = launch.lengths.find(buffer.name);
    if (known != launch.lengths.end()) buffer.elements = known->second;
  }
  if (!launch.block[0].empty()) form->block = launch.block;
  if (!launch.grid[0].empty()) form->grid = launch.grid;
  if (!launch.shared.empty()) form->shared = launch.shared;
}

// ---- probing ----------------------------------------------------------------------------------------------

struct Probe {
  bool ran = false;                   // without an error
  bool complete = true;               // every block to its end
  std::vector<std::uint64_t> needed;  // elements of each buffer of the form
};

class Prober {
 public:
  Prober(const FileFacts& facts, const std::string& text, const Means& means)
      : facts_(facts), text_(text), means_(means) {}

  Probe run(const LaunchForm& form) {
    Probe probe;
    const FormValues values = work_out(form, facts_);
    if (!values.errors.empty()) return probe;
    Scenario scenario = scenario_of(form, values, form);
    scenario.headers = facts_.headers;
    auto setup = scenario::make_setup(scenario, scenario::defaults(scenario), text_);
    if (!setup) return probe;
    const sim::Program* program = compiled(setup.value->compile);
    const memory::GpuModel& gpu = memory::default_gpu_model();
    if (program == nullptr || !sim::check_launch(*program, setup.value->launch, gpu).empty()) return probe;
    probe.needed.assign(form.buffers.size(), 0);
    probe.ran = true;
    for (const sim::Dim3& block : corners(setup.value->launch.grid)) {
      if (std::chrono::steady_clock::now() > until_) {
        probe.complete = false;
        break;
      }
      sim::Limits limits;
      limits.instructions = kProbeInstructions;
      limits.trace_events = kProbeEvents;
      limits.memory_bytes = std::uint64_t{256} << 20;
      limits.cancel = means_.budget->allowance().cancel;
      limits.deadline = means_.budget->allowance().deadline;
      const sim::Trace trace = sim::trace_block(*program, setup.value->launch, gpu, block, limits);
      if (trace.error && !trace.error->is_limit()) probe.ran = false;
      measure(*program, trace, form, &probe);
      if (trace.error) probe.complete = false;
      if (!probe.ran) break;
    }
    return probe;
  }

 private:
  using Scenario = scenario::Scenario;

  const sim::Program* compiled(const sim::CompileRequest& request) {
    if (!result_ || arguments_ != request.template_arguments) {
      arguments_ = request.template_arguments;
      // A guess is not worth a long wait.
      Allowance allowance = means_.budget->allowance();
      allowance.deadline = std::min(allowance.deadline, Budget::in(kCompileSeconds));
      Budget budget(allowance);
      result_ = Means{means_.programs, &budget}.compile(request);
    }
    return result_->program ? &*result_->program : nullptr;
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

  static void measure(const sim::Program& program, const sim::Trace& trace, const LaunchForm& form,
                      Probe* probe) {
    for (const sim::TraceEvent& event : trace.events) {
      if (event.space != memory::Space::Global) continue;
      const memory::Address window = event.base / sim::kBufferSpacing;
      if (window < 1 || window > program.parameters.size()) continue;
      const sim::KernelParameter& parameter = program.parameters[window - 1];
      std::int64_t most = 0;
      for (std::uint32_t lane = 0; lane < memory::kWarpLanes; ++lane) {
        if ((event.active >> lane & 1u) != 0) most = std::max(most, trace.patterns[event.pattern][lane]);
      }
      const std::uint64_t end = event.base % sim::kBufferSpacing + static_cast<std::uint64_t>(most) +
                                static_cast<std::uint64_t>(program.sites[event.site].bytes);
      const auto bytes = static_cast<std::uint64_t>(std::max(parameter.element_bytes, 1));
      for (std::size_t i = 0; i < form.buffers.size(); ++i) {
        if (form.buffers[i].name == parameter.name)
          probe->needed[i] = std::max(probe->needed[i], (end + bytes - 1) / bytes);
      }
    }
  }

  const FileFacts& facts_;
  const std::string& text_;
  const std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::now() + kProbePatience;
  const Means& means_;
  Programs::Result result_;
  std::vector<std::string> arguments_;
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
  const auto operand = kOperands.find(lower(buffer));
  if (operand != kOperands.end() && lower(length.first) == operand->second.first &&
      lower(length.second) == operand->second.second)
    return 2;
  return length.first != length.second ? 1 : 0;
}

// A length as one would write it: the least size or product that is enough, where it is not far from what was
// needed; else the number. `complete`: the blocks were run to their ends; otherwise more may be needed, and
// where no size is enough the buffer has no end.
std::string length_text(const std::string& buffer, std::uint64_t needed, bool complete,
                        const LaunchForm& form, const FormValues& values) {
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
  return complete ? std::to_string(needed) : std::string();
}

// Other shapes for a block that does not run.
std::vector<std::array<std::string, 3>> other_blocks(const LaunchForm& form) {
  const bool flat = form.block[1] == "1";
  if (flat)
    return {{"128", "1", "1"}, {"64", "1", "1"}, {"32", "1", "1"}, {"512", "1", "1"}, {"1024", "1", "1"}};
  return {{"32", "8", "1"}, {"32", "32", "1"}, {"16", "16", "1"}, {"8", "8", "1"}, {"32", "16", "1"}};
}

}  // namespace

LaunchForm guess_form(const KernelFacts& kernel, const FileFacts& facts, const KnownLaunch* launch) {
  LaunchForm form;
  form.kernel = kernel.name;
  const Slots slots{kernel, facts};
  const std::vector<std::string> sizes = sizes_of(kernel);
  const bool tiled = !slots.name({"bm"}).empty();
  for (const TemplateSlot& slot : kernel.templates)
    form.templates.push_back({slot.name, slot.type, template_value(slot), slot.is_type});
  for (const ParameterSlot& slot : kernel.parameters) {
    if (slot.is_pointer) {
      form.buffers.push_back(
          {slot.name, slot.type, "", slot.type.starts_with("const ") ? sim::Fill::Iota : sim::Fill::Zero});
    } else if (!slot.name.empty()) {
      const bool flat = !kernel.uses_y && sizes.size() <= 1 && !tiled;
      form.scalars.push_back({slot.name, slot.type, scalar_value(slot, flat, false), false});
    }
  }
  guess_block(slots, &form);
  guess_grid(slots, &form);
  if (!kernel.dynamic_shared.empty()) {
    const std::string bytes = kernel.dynamic_shared == "double"   ? "8"
                              : kernel.dynamic_shared == "float4" ? "16"
                                                                  : "4";
    form.shared = kernel.uses_y ? "block_x * block_y * " + bytes : "block_x * " + bytes;
  }
  if (launch != nullptr) use_launch(*launch, &form);
  return form;
}

LaunchForm probed(LaunchForm form, const FileFacts& facts, const std::string& text, const KnownLaunch* launch,
                  const Means& means) {
  // The lengths that the file says stand, also where they are too short: that is a mistake to be seen. But
  // the shape of a block is not to blame for it.
  const std::vector<LaunchForm::Buffer> said = form.buffers;
  for (LaunchForm::Buffer& buffer : form.buffers) buffer.elements.clear();
  Prober prober(facts, text, means);
  Probe probe = prober.run(form);
  const bool block_is_said = launch != nullptr && !launch->block[0].empty();
  if (!probe.ran && !block_is_said) {
    for (const auto& block : other_blocks(form)) {
      LaunchForm other = form;
      other.block = block;
      const Probe again = prober.run(other);
      if (!again.ran) continue;
      probe = again;
      form = std::move(other);
      break;
    }
  }
  for (std::size_t i = 0; i < form.buffers.size(); ++i) form.buffers[i].elements = said[i].elements;
  if (!probe.ran) return form;
  const FormValues values = work_out(form, facts);
  for (std::size_t i = 0; i < form.buffers.size(); ++i) {
    if (probe.needed[i] > 0 && form.buffers[i].elements.empty())
      form.buffers[i].elements =
          length_text(form.buffers[i].name, probe.needed[i], probe.complete, form, values);
  }
  return form;
}

}  // namespace warplens::app
