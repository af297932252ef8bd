#include "app/source/form_guess.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "app/platform/system.h"
#include "app/source/programs.h"
#include "sim/count/totals.h"
#include "sim/cuda/text/names.h"
#include "sim/lower/lower.h"
#include "sim/text/scan.h"
#include "sim/trace/trace.h"

namespace warplens::app {

namespace {

// ---- what else a form could say where its guess does not run; only what nobody said is guessed again ----

// What of a form is a guess.
struct OpenFields {
  std::vector<std::size_t> sizes;  // by place in its scalars
  bool block = true, shared = true;
};

constexpr std::int64_t kLeastSize = 16;  // of a launch that takes long

std::int64_t number_of(const std::string& text) {
  return sim::evaluate_integer(text, {}).value.value_or(0);
}

// `launch`: what the host code says, or null. `uses_shared`: the kernel has dynamic shared memory.
OpenFields open_fields(const LaunchForm& form, const KnownLaunch* launch, bool uses_shared) {
  OpenFields open;
  for (std::size_t i = 0; i < form.scalars.size(); ++i) {
    const LaunchForm::Value& value = form.scalars[i];
    // What a launch says and the form does not have came to nothing.
    const bool said = launch != nullptr && launch->scalars.contains(value.name) &&
                      launch->scalars.at(value.name) == value.text;
    if (said || value.type == "bool" || cuda::is_floating_type(value.type)) continue;
    open.sizes.push_back(i);
  }
  open.block = launch == nullptr || launch->block[0].empty() || launch->block != form.block;
  open.shared = uses_shared && (launch == nullptr || launch->shared.empty() || launch->shared != form.shared);
  return open;
}

// The likeliest first. As much as a block may have: what is needed of it is seen then.
std::vector<LaunchForm> other_shapes(const LaunchForm& form, const OpenFields& open) {
  using Block = std::array<std::string, 3>;
  std::vector<Block> blocks{form.block};
  if (open.block && form.block[1] == "1")
    blocks.insert(
        blocks.end(),
        {{"128", "1", "1"}, {"64", "1", "1"}, {"32", "1", "1"}, {"512", "1", "1"}, {"16", "1", "1"}});
  else if (open.block)
    blocks.insert(blocks.end(), {{"32", "8", "1"}, {"32", "32", "1"}, {"8", "8", "1"}, {"32", "16", "1"}});
  std::vector<LaunchForm> forms;
  for (const Block& block : blocks) {
    LaunchForm other = form;
    other.block = block;
    if (open.shared) {
      other.shared = std::to_string(predicted_gpu().max_shared_bytes);
      forms.push_back(other);
      other.shared = form.shared;
    }
    if (block != form.block) forms.push_back(std::move(other));
  }
  return forms;
}

// Contents that are no place outside of any array.
std::vector<LaunchForm> other_fills(const LaunchForm& form) {
  LaunchForm zero = form;
  for (LaunchForm::Buffer& buffer : zero.buffers)
    if (buffer.range.empty()) buffer.fill = sim::Fill::Zero;
  if (zero == form) return {};
  return {zero};
}

// None of them is more than 262,144, then than a quarter of that, and so on down to `least`.
std::vector<LaunchForm> smaller_sizes(const LaunchForm& form, const OpenFields& open, std::int64_t least) {
  constexpr std::int64_t kMost = std::int64_t{1} << 18, kTimes = 4;
  std::vector<LaunchForm> forms;
  for (std::int64_t most = kMost; most >= least; most /= kTimes) {
    LaunchForm less = form;
    for (const std::size_t i : open.sizes)
      if (number_of(less.scalars[i].text) > most) less.scalars[i].text = std::to_string(most);
    if (!(less == form)) forms.push_back(std::move(less));
  }
  return forms;
}

bool one_of(const std::string& name, const std::set<std::string>& names) {
  return names.contains(text::lower_case(name));
}

// ---- values by name ---------------------------------------------------------------------------------------

struct Named {
  const char* name;
  const char* value;
};
// What course material and published kernels call the parts of a tile, and the values that they use.
constexpr Named kTileNames[] = {{"bm", "64"}, {"bn", "64"}, {"bk", "8"},     {"tm", "8"},    {"tn", "8"},
                                {"wm", "32"}, {"wn", "32"}, {"wniter", "2"}, {"wmiter", "1"}};

std::string template_value(const TemplateSlot& slot, const KernelFacts& kernel) {
  for (const TemplateSlot& other : kernel.templates)  // `typename V = T`
    if (&other < &slot && other.name == slot.fallback) return template_value(other, kernel);
  if (!slot.fallback.empty()) return slot.fallback;
  if (slot.is_type) return "float";
  if (slot.type == "bool") return "true";
  for (const Named& named : kTileNames) {
    if (text::lower_case(slot.name) == named.name) return named.value;
  }
  return "16";
}

// The side of a filter, which is no size of an image: "kernel_h", "mask_width", "blur_size".
bool is_of_filter(const std::string& name) {
  for (const char* begin : {"kernel_", "ksize", "mask_", "filter_", "blur", "window_", "win_"})
    if (name.starts_with(begin)) return true;
  return name.ends_with("radius");
}

std::string scalar_value(const ParameterSlot& slot, bool flat) {
  const std::string name = text::lower_case(slot.name.substr(slot.name.rfind('.') + 1));
  // Of a tensor map: rows side by side, small boxes.
  if (name == "pitch" && slot.fallback.empty() && slot.is_field()) return "4096";  // bytes of 1,024 numbers
  if (name == "slice" || (name == "pitch" && slot.is_field())) return "0";
  if (name == "swizzle") return slot.fallback.empty() ? "0" : slot.fallback;
  if (name.starts_with("box_")) return name == "box_depth" ? "1" : "32";
  // Of a texture: the nearest texel, at the edge, and coordinates in texels.
  if (name == "filter" || name == "normalized") return "0";
  if (name == "address") return "1";
  if (slot.is_floating) return one_of(name, {"beta", "b"}) ? "0.0" : "1.0";
  if (slot.type == "bool") return "true";
  if (one_of(name, {"stride", "dilation", "step", "inc", "incx", "incy"})) return "1";
  if (one_of(name, {"offset", "shift", "start", "first", "pad", "padding"})) return "0";
  if (one_of(name, {"bins", "nbins", "num_bins", "nb"})) return "256";
  if (one_of(name, {"radius", "r", "halo"}) || is_of_filter(name)) return "3";
  if (one_of(name, {"seed", "iter", "iters", "iterations", "niter", "times", "repeat"})) return "4";
  if (one_of(name, {"batch", "batches", "depth", "channels", "nz", "d"})) return "4";
  if (one_of(name, {"e0", "e1", "e2"}) && slot.is_field()) return "256";  // of cuda::std::mdspan
  return flat ? "1048576" : "1024";
}

const std::set<std::string> kAcross{"width", "w",        "cols", "ncols", "n_cols", "nx",   "columns",
                                    "n",     "num_cols", "dimx", "sizex", "size_x", "pitch"};
const std::set<std::string> kDown{"height", "h",        "rows", "nrows", "n_rows", "ny",
                                  "m",      "num_rows", "dimy", "sizey", "size_y"};

// Names that arguments have which say how much and how far, but not how many elements there are.
bool is_no_size(const std::string& scalar) {
  static const std::set<std::string> kNoSizes{
      "stride", "step", "offset", "shift", "start", "first", "bins",  "nbins", "num_bins",
      "radius", "seed", "iter",   "iters", "k",     "kk",    "niter", "pad",   "lda",
      "ldb",    "ldc",  "ld",     "alpha", "beta",  "batch", "times", "inc"};
  return kNoSizes.contains(text::lower_case(scalar));
}

std::vector<std::string> sizes_of(const KernelFacts& kernel) {
  std::vector<std::string> sizes;
  for (const ParameterSlot& slot : kernel.parameters) {
    if (!slot.is_field() && slot.is_integer && slot.type != "bool" && !is_no_size(slot.name))
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
};

void guess_block(const Slots& slots, LaunchForm* form) {
  const KernelFacts& kernel = slots.kernel;
  const std::string bm = slots.name({"bm"}), bn = slots.name({"bn"}), tm = slots.name({"tm"}),
                    tn = slots.name({"tn"});
  const std::string bx = slots.name({"bx", "block_x", "bdimx", "blockx"}),
                    by = slots.name({"by", "block_y", "bdimy", "blocky", "block_rows"});
  const std::string tile = slots.name({"block_size", "blocksize", "tile", "tile_dim", "tile_size", "tilesize",
                                       "tile_width", "block", "ts", "bs"});
  if (!bm.empty() && !bn.empty()) {
    std::string text = bm + " * " + bn;
    if (!tm.empty() || !tn.empty())
      text = "(" + text + ") / " + (tm.empty() ? tn : tn.empty() ? tm : "(" + tm + " * " + tn + ")");
    form->block = {text, "1", "1"};
  } else if (kernel.block_uses_y) {
    const std::string x = !bx.empty() ? bx : !tile.empty() ? tile : "16";
    form->block = {x, !by.empty() ? by : !tile.empty() ? tile : "16", "1"};
  } else if (!tile.empty()) {
    form->block = {tile, "1", "1"};
  } else {
    form->block = {"256", "1", "1"};
  }
}

void guess_grid(const Slots& slots, LaunchForm* form) {
  const std::vector<std::string> sizes = sizes_of(slots.kernel);
  const std::string bm = slots.name({"bm"}), bn = slots.name({"bn"});
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

void hold(const Written& written, LaunchForm::Buffer* buffer) {
  buffer->fill = written.fill;
  buffer->range = written.range;
  buffer->holds_written = written.bytes != nullptr;
  if (written.bytes != nullptr) buffer->written = written;
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
    const auto offset = launch.offsets.find(buffer.name);
    if (offset != launch.offsets.end()) buffer.offset = offset->second;
    if (const auto contents = launch.contents.find(buffer.name); contents != launch.contents.end())
      hold(contents->second, &buffer);
  }
  if (!launch.block[0].empty()) form->block = launch.block;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!launch.grid[axis].empty()) form->grid[axis] = launch.grid[axis];
  if (!launch.shared.empty()) form->shared = launch.shared;
}

// Of a tensor map there are numbers beside its buffer, which the compiler names.
bool is_number_or_buffer(const ParameterSlot& slot) {
  if (slot.type.find("CUtensorMap") != std::string::npos) return false;
  return slot.is_pointer || slot.is_floating || slot.is_integer;
}

Programs::Result compiled(const LaunchForm& form, const FileFacts& facts, const std::string& text,
                          const Means& means) {
  sim::CompileRequest request;
  request.text = text;
  request.kernel = form.kernel;
  request.template_arguments = scenario_of(form, work_out(form, facts), form).template_rules;
  request.headers = facts.headers;
  return means.compile_soon(request);
}

// Variables of the device's memory that the host has copied to, as far as the kernel reads them.
void add_symbols(const KnownLaunch& launch, const FileFacts& facts, const std::string& text,
                 const Means& means, LaunchForm* form) {
  const auto is_argument = [&](const auto& contents) {
    return std::any_of(form->buffers.begin(), form->buffers.end(),
                       [&](const LaunchForm::Buffer& buffer) { return buffer.name == contents.first; });
  };
  if (std::all_of(launch.contents.begin(), launch.contents.end(), is_argument)) return;
  const Programs::Result result = compiled(*form, facts, text, means);
  if (!result->program) return;
  for (const sim::KernelParameter& parameter : result->program->parameters) {
    const auto contents = launch.contents.find(parameter.name);
    const bool is_whole = parameter.symbol_elements > 0 && contents != launch.contents.end() &&
                          std::cmp_equal(contents->second.elements, parameter.symbol_elements);
    if (!is_whole) continue;
    LaunchForm::Buffer buffer{parameter.name, parameter.type_text, std::to_string(parameter.symbol_elements)};
    hold(contents->second, &buffer);
    buffer.is_symbol = true;
    form->buffers.push_back(std::move(buffer));
  }
}

// `form` guessed from the file's words alone; these do not say what a struct template holds, or what another
// name for a type stands for: `View<float> v` is v.data and v.length. The compiler does. As it is where the
// text has a mistake.
KernelFacts with_members(const KernelFacts& kernel, const LaunchForm& form, const FileFacts& facts,
                         const std::string& text, const Means& means) {
  const Programs::Result result = compiled(form, facts, text, means);
  if (!result->program) return kernel;
  KernelFacts whole = kernel;
  whole.parameters.clear();
  for (const ParameterSlot& slot : kernel.parameters) {
    if (is_number_or_buffer(slot)) whole.parameters.push_back(slot);
    for (const sim::KernelParameter& parameter : result->program->parameters) {
      const bool is_part = parameter.name == slot.name || parameter.name.starts_with(slot.name + ".");
      // A large struct is zero where nothing is said.
      if (!is_number_or_buffer(slot) && is_part && parameter.symbol_elements == 0)
        whole.parameters.push_back(compiled_slot(parameter, slot.argument));
    }
  }
  return whole;
}

bool has_grid(const LaunchForm& form, const FileFacts& facts) {
  const FormValues values = work_out(form, facts);
  return std::none_of(values.errors.begin(), values.errors.end(),
                      [](const auto& error) { return error.first.starts_with("grid."); });
}

// Sizes that are guesses are no larger than the host's grid allows: their product may be beyond all bounds. A
// grid that comes to nothing whatever they are is one that the text does not say: it is `guessed`.
LaunchForm with_a_grid(LaunchForm form, const KnownLaunch& launch, const FileFacts& facts,
                       const std::array<std::string, 3>& guessed) {
  if (has_grid(form, facts)) return form;
  for (LaunchForm& smaller : smaller_sizes(form, open_fields(form, &launch, false), kLeastSize))
    if (has_grid(smaller, facts)) return std::move(smaller);
  form.grid = guessed;
  return form;
}

LaunchForm guess_by_name(const KernelFacts& kernel, const FileFacts& facts, const KnownLaunch* launch) {
  LaunchForm form;
  form.kernel = kernel.name;
  const Slots slots{kernel, facts};
  const std::vector<std::string> sizes = sizes_of(kernel);
  const bool tiled = !slots.name({"bm"}).empty();
  for (const TemplateSlot& slot : kernel.templates)
    form.templates.push_back({slot.name, slot.type, template_value(slot, kernel), slot.is_type});
  for (const ParameterSlot& slot : kernel.parameters) {
    if (slot.is_pointer) {
      form.buffers.push_back(
          {slot.name, slot.type, "", slot.type.starts_with("const ") ? sim::Fill::Iota : sim::Fill::Zero});
    } else if (!slot.name.empty()) {
      const bool flat = !kernel.uses_y && sizes.size() <= 1 && !tiled;
      form.scalars.push_back({slot.name, slot.type, scalar_value(slot, flat), false});
    }
  }
  guess_block(slots, &form);
  guess_grid(slots, &form);
  if (!kernel.dynamic_shared.empty()) {
    const std::string bytes = kernel.dynamic_shared == "double"   ? "8"
                              : kernel.dynamic_shared == "float4" ? "16"
                                                                  : "4";
    form.shared = kernel.block_uses_y ? "block_x * block_y * " + bytes : "block_x * " + bytes;
  }
  if (launch == nullptr) return form;
  const std::array<std::string, 3> guessed = form.grid;
  use_launch(*launch, &form);
  return with_a_grid(std::move(form), *launch, facts, guessed);
}

}  // namespace

bool lacks_members(const LaunchForm& form, const KernelFacts& kernel) {
  return std::any_of(form.scalars.begin(), form.scalars.end(), [&](const LaunchForm::Value& value) {
    return std::any_of(kernel.parameters.begin(), kernel.parameters.end(), [&](const ParameterSlot& slot) {
      return !is_number_or_buffer(slot) && slot.name == value.name && slot.type == value.type;
    });
  });
}

LaunchForm guess_form(const KernelFacts& kernel, const FileFacts& facts, const KnownLaunch* launch,
                      const std::string& text, const Means& means) {
  LaunchForm form = guess_by_name(kernel, facts, launch);
  if (!std::all_of(kernel.parameters.begin(), kernel.parameters.end(), is_number_or_buffer)) {
    LaunchForm whole = guess_by_name(with_members(kernel, form, facts, text, means), facts, launch);
    whole.templates = form.templates;  // the members' types are what these made of them
    form = std::move(whole);
  }
  if (launch != nullptr) add_symbols(*launch, facts, text, means, &form);
  return form;
}

namespace {

// ---- runs of a few blocks
// ----------------------------------------------------------------------------------

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
