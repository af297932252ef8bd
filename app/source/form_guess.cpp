#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "app/platform/system.h"
#include "app/source/launch_form.h"
#include "app/source/programs.h"
#include "sim/count/totals.h"
#include "sim/cuda/text/names.h"
#include "sim/lower/lower.h"
#include "sim/text/scan.h"
#include "sim/trace/trace.h"

namespace warplens::app {

namespace {

bool one_of(const std::string& name, const std::set<std::string>& names) {
  return names.contains(text::lower_case(name));
}

// ---- values by name ---------------------------------------------------------------------------------------

// What course material and published kernels call things, and the values that they use. `names` that end with
// * are the begin or the end of one.
struct Named {
  enum class Of : std::uint8_t { Template, Argument, Field } of;
  std::set<std::string> names;
  const char* value;
  bool is_size = false;  // says how many elements there are
};

const Named* named(Named::Of of, const std::string& what) {
  using enum Named::Of;
  static const Named kNames[] = {
      {Template, {"bm", "bn"}, "64"},
      {Template, {"bk", "tm", "tn"}, "8"},
      {Template, {"wm", "wn"}, "32"},
      {Template, {"wniter"}, "2"},
      {Template, {"wmiter"}, "1"},
      {Argument, {"stride", "dilation", "step", "inc", "incx", "incy"}, "1"},
      {Argument, {"offset", "shift", "start", "first", "pad", "padding"}, "0"},
      {Argument, {"bins", "nbins", "num_bins", "nb"}, "256"},
      {Argument, {"radius", "r", "halo"}, "3"},
      {Argument, {"seed", "iter", "iters", "iterations", "niter", "times", "repeat", "batch"}, "4"},
      {Argument, {"batches", "depth", "channels", "nz", "d"}, "4", true},
      // The side of a filter, which is no size of an image.
      {Argument,
       {"kernel_*", "ksize*", "mask_*", "filter_*", "blur*", "window_*", "win_*", "pool_*", "*radius"},
       "3",
       true},
      // Of a tensor map: rows side by side, 1,024 numbers a row, small boxes; of a texture: the nearest
      // texel, at the edge, and coordinates in texels; of cuda::std::mdspan.
      {Field, {"slice", "swizzle", "filter", "normalized"}, "0"},
      {Field, {"pitch"}, "4096"},
      {Field, {"box_depth", "address"}, "1"},
      {Field, {"box_width", "box_height"}, "32"},
      {Field, {"e0", "e1", "e2"}, "256"}};
  const std::string name = text::lower_case(what);
  const auto fits = [&](const std::string& pattern) {
    const std::string_view all = pattern;
    return pattern.starts_with('*') ? name.ends_with(all.substr(1))
           : pattern.ends_with('*') ? name.starts_with(all.substr(0, all.size() - 1))
                                    : name == pattern;
  };
  const auto row = std::ranges::find_if(
      kNames, [&](const Named& one) { return one.of == of && std::ranges::any_of(one.names, fits); });
  return row == std::end(kNames) ? nullptr : row;
}

std::string template_value(const TemplateSlot& slot, const KernelFacts& kernel) {
  for (const TemplateSlot& other : kernel.templates)  // `typename V = T`
    if (&other < &slot && other.name == slot.fallback) return template_value(other, kernel);
  if (!slot.fallback.empty()) return slot.fallback;
  if (slot.is_type) return "float";
  if (slot.type == "bool") return "true";
  const Named* row = named(Named::Of::Template, slot.name);
  return row != nullptr ? row->value : "16";
}

// Names that arguments have which say how much and how far, but not how many elements there are.
const std::set<std::string> kNoSizes{"k", "kk", "lda", "ldb", "ldc", "ld", "alpha", "beta"};

std::string scalar_value(const ParameterSlot& slot, bool flat) {
  const std::string name = slot.name.substr(slot.name.rfind('.') + 1);
  if (slot.is_field() && !slot.fallback.empty() && one_of(name, {"swizzle", "pitch"}))
    return text::lower_case(name) == "pitch" ? "0" : slot.fallback;
  if (const Named* field = slot.is_field() ? named(Named::Of::Field, name) : nullptr) return field->value;
  if (slot.is_floating) return one_of(name, {"beta", "b"}) ? "0.0" : "1.0";
  if (slot.type == "bool") return "true";
  const Named* row = named(Named::Of::Argument, name);
  return row != nullptr ? row->value : flat && !one_of(name, kNoSizes) ? "1048576" : "1024";
}

std::vector<std::string> sizes_of(const KernelFacts& kernel) {
  std::vector<std::string> sizes;
  for (const ParameterSlot& slot : kernel.parameters) {
    const Named* row = named(Named::Of::Argument, slot.name);
    const bool is_size = !one_of(slot.name, kNoSizes) && (row == nullptr || row->is_size);
    if (!slot.is_field() && slot.is_integer && slot.type != "bool" && is_size) sizes.push_back(slot.name);
  }
  return sizes;
}

// What a row has where each block has one; empty: no block has.
std::string row_of_block(const KernelFacts& kernel) {
  return std::ranges::count(sizes_of(kernel), kernel.row_length) > 0 ? kernel.row_length : std::string();
}

std::string pick(const std::vector<std::string>& sizes, const std::set<std::string>& names,
                 std::size_t otherwise) {
  for (const std::string& size : sizes)
    if (one_of(size, names)) return size;
  return sizes.empty() ? std::string() : sizes[std::min(otherwise, sizes.size() - 1)];
}

std::string quotient(const std::string& size, const std::string& part) {
  return size.empty() ? "64" : "(" + size + " + " + part + " - 1) / " + part;
}

void guess_shape(const KernelFacts& kernel, const FileFacts& facts, LaunchForm* form) {
  // A template parameter, or a constant of the file, by its usual name; empty: there is none.
  const auto name = [&](const std::set<std::string>& names) -> std::string {
    for (const TemplateSlot& slot : kernel.templates)
      if (!slot.is_type && one_of(slot.name, names)) return slot.name;
    for (const auto& [constant, unused] : facts.constants)
      if (one_of(constant, names)) return constant;
    return {};
  };
  const std::string bm = name({"bm"}), bn = name({"bn"}), tm = name({"tm"}), tn = name({"tn"});
  const std::string tile = name({"block_size", "blocksize", "tile", "tile_dim", "tile_size", "tilesize",
                                 "tile_width", "block", "ts", "bs"});
  const bool is_tiled = !bm.empty() && !bn.empty();
  if (is_tiled) {
    const std::string of_thread = tm.empty() ? tn : tn.empty() ? tm : "(" + tm + " * " + tn + ")";
    form->block[0] = of_thread.empty() ? bm + " * " + bn : "(" + bm + " * " + bn + ") / " + of_thread;
    if (kernel.block_uses_y && !tm.empty() && !tn.empty())
      form->block = {bn + " / " + tn, bm + " / " + tm, "1"};
  } else if (kernel.block_uses_y) {
    const std::string bx = name({"bx", "block_x", "bdimx", "blockx"}),
                      by = name({"by", "block_y", "bdimy", "blocky", "block_rows"});
    const std::string side = tile.empty() ? "16" : tile;
    form->block = {bx.empty() ? side : bx, by.empty() ? side : by, "1"};
  } else {
    form->block[0] = tile.empty() ? "256" : tile;
  }
  std::vector<std::string> sizes = sizes_of(kernel);
  const std::string row = row_of_block(kernel);
  std::erase(sizes, row);
  const std::string across = pick(sizes,
                                  {"width", "w", "cols", "ncols", "n_cols", "nx", "columns", "n", "num_cols",
                                   "dimx", "sizex", "size_x", "pitch"},
                                  sizes.size() > 1 ? 1 : 0);
  const std::string down = pick(
      sizes, {"height", "h", "rows", "nrows", "n_rows", "ny", "m", "num_rows", "dimy", "sizey", "size_y"}, 0);
  if (is_tiled || kernel.uses_y)
    form->grid = {quotient(across, is_tiled ? bn : "block_x"), quotient(down, is_tiled ? bm : "block_y"),
                  "1"};
  else if (!row.empty())
    form->grid[0] = sizes.empty() ? "64" : down;
  else
    form->grid[0] = quotient(pick(sizes, {"n", "size", "len", "length", "count"}, 0), "block_x");
  if (kernel.dynamic_shared.empty()) return;
  const std::string bytes = kernel.dynamic_shared == "double" ? "8" : "4";
  form->shared = kernel.block_uses_y ? "block_x * block_y * " + bytes : "block_x * " + bytes;
}

// ---- what the host code says ------------------------------------------------------------------------------

void hold(const Written& written, LaunchForm::Buffer* buffer) {
  buffer->fill = written.fill;
  buffer->range = written.range;
  buffer->holds_written = written.bytes != nullptr;
  if (written.bytes != nullptr) buffer->written = written;
}

void use_launch(const KnownLaunch& launch, LaunchForm* form) {
  for (const auto& [field, text] : launch.fields) set_field(form, field, text);
  for (LaunchForm::Buffer& buffer : form->buffers)
    if (const auto contents = launch.contents.find(buffer.name); contents != launch.contents.end())
      hold(contents->second, &buffer);
  for (LaunchForm::Buffer& buffer : form->buffers) {
    const auto owner = std::ranges::find(form->buffers, buffer.same_as, &LaunchForm::Buffer::name);
    if (owner == form->buffers.end())
      buffer.same_as.clear();
    else
      buffer.fill = owner->fill, buffer.range = owner->range;
  }
}

// What of a form is a guess, of sizes by place in its scalars.
std::vector<std::size_t> open_sizes(const LaunchForm& form, const KnownLaunch& launch) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < form.scalars.size(); ++i) {
    const LaunchForm::Value& value = form.scalars[i];
    // What a launch says and the form does not have came to nothing.
    const bool said = launch.text("scalar." + value.name) == value.text;
    if (!said && value.type != "bool" && !cuda::is_floating_type(value.type)) open.push_back(i);
  }
  return open;
}

constexpr std::int64_t kLeastSize = 16;  // of a launch that takes long

// None of them is more than 262,144, then than a quarter of that, and so on down to `least`.
std::vector<LaunchForm> smaller_sizes(const LaunchForm& form, const std::vector<std::size_t>& sizes,
                                      std::int64_t least) {
  constexpr std::int64_t kMost = std::int64_t{1} << 18, kTimes = 4;
  std::vector<LaunchForm> forms;
  for (std::int64_t most = kMost; most >= least; most /= kTimes) {
    LaunchForm less = form;
    for (const std::size_t i : sizes)
      if (sim::evaluate_integer(less.scalars[i].text, {}).value.value_or(0) > most)
        less.scalars[i].text = std::to_string(most);
    if (!(less == form)) forms.push_back(std::move(less));
  }
  return forms;
}

LaunchForm::Buffer& add_buffer(const std::string& name, const std::string& type, LaunchForm* form) {
  return form->buffers.emplace_back(LaunchForm::Buffer{{}, name, type});
}

LaunchForm::Buffer& add_symbol(const sim::KernelParameter& of, LaunchForm* form) {
  LaunchForm::Buffer& buffer = add_buffer(of.name, of.type_text, form);
  buffer.elements = std::to_string(of.symbol_elements);
  buffer.is_symbol = true;
  return buffer;
}

LaunchForm guess_by_name(const KernelFacts& kernel, const FileFacts& facts, const KnownLaunch* launch) {
  LaunchForm form;
  form.kernel = kernel.name;
  const bool is_flat =
      !kernel.uses_y && sizes_of(kernel).size() <= 1 && row_of_block(kernel).empty() &&
      std::ranges::none_of(kernel.templates, [](const auto& slot) { return one_of(slot.name, {"bm"}); });
  for (const TemplateSlot& slot : kernel.templates)
    form.templates.push_back({slot.name, slot.type, template_value(slot, kernel), slot.is_type});
  for (const ParameterSlot& slot : kernel.parameters) {
    if (slot.is_pointer)
      add_buffer(slot.name, slot.type, &form).fill =
          slot.type.starts_with("const ") ? sim::Fill::Iota : sim::Fill::Zero;
    else
      form.scalars.push_back({slot.name, slot.type, scalar_value(slot, is_flat), false});
  }
  guess_shape(kernel, facts, &form);
  if (launch == nullptr) return form;
  for (const sim::KernelParameter& memory : launch->behind) add_symbol(memory, &form).behind = memory;
  use_launch(*launch, &form);
  return form;
}

// ---- what only the compiler knows -------------------------------------------------------------------------

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
void add_symbols(const KnownLaunch& launch, const sim::Program& program, LaunchForm* form) {
  for (const sim::KernelParameter& parameter : program.parameters) {
    const auto contents = launch.contents.find(parameter.name);
    const bool is_whole = parameter.symbol_elements > 0 && contents != launch.contents.end() &&
                          std::cmp_equal(contents->second.elements, parameter.symbol_elements);
    if (!is_whole) continue;
    hold(contents->second, &add_symbol(parameter, form));
  }
}

// The file's words alone do not say what a struct template holds, or what another name for a type stands for:
// `View<float> v` is v.data and v.length.
KernelFacts with_members(const KernelFacts& kernel, const sim::Program& program) {
  KernelFacts whole = kernel;
  whole.parameters.clear();
  for (const ParameterSlot& slot : kernel.parameters) {
    if (is_number_or_buffer(slot)) {
      whole.parameters.push_back(slot);
      continue;
    }
    for (const sim::KernelParameter& parameter : program.parameters) {
      const bool is_part = parameter.name == slot.name || parameter.name.starts_with(slot.name + ".");
      // A large struct is zero where nothing is said.
      if (is_part && parameter.symbol_elements == 0)
        whole.parameters.push_back(compiled_slot(parameter, slot.argument));
    }
  }
  for (const sim::KernelParameter& parameter : program.parameters) {  // of textures that the file declares
    const std::string texture = parameter.name.substr(0, parameter.name.find('.'));
    if (parameter.is_texture && std::ranges::count(kernel.parameters, texture, &ParameterSlot::name) == 0)
      whole.parameters.push_back(compiled_slot(parameter, kernel.parameters.size()));
  }
  return whole;
}

}  // namespace

bool says_all(const KnownLaunch& launch, const LaunchForm& form, const std::string& group) {
  return std::ranges::all_of(std::string_view("xyz"), [&](char axis) {
    return launch.text(group + axis) == field_text(form, group + axis);
  });
}

bool lacks_members(const LaunchForm& form, const KernelFacts& kernel) {
  return std::ranges::any_of(form.scalars, [&](const LaunchForm::Value& value) {
    return std::ranges::any_of(kernel.parameters, [&](const ParameterSlot& slot) {
      return !is_number_or_buffer(slot) && slot.name == value.name && slot.type == value.type;
    });
  });
}

LaunchForm guess_form(const KernelFacts& kernel, const FileFacts& facts, const KnownLaunch* launch,
                      const std::string& text, const Means& means) {
  LaunchForm form = guess_by_name(kernel, facts, launch);
  const bool is_plain = std::ranges::all_of(kernel.parameters, is_number_or_buffer) &&
                        kernel.text.find("tex") == std::string::npos;  // which no signature has to name
  const bool has_symbols =
      launch != nullptr && std::ranges::any_of(launch->contents, [&](const auto& of) {
        return std::ranges::count(form.buffers, of.first, &LaunchForm::Buffer::name) == 0;
      });
  if (is_plain && !has_symbols) return form;
  const Programs::Result result = compiled(form, facts, text, means);
  if (!result->program) return form;
  if (!is_plain) {
    LaunchForm whole = guess_by_name(with_members(kernel, *result->program), facts, launch);
    whole.templates = form.templates;  // the members' types are what these made of them
    form = std::move(whole);
  }
  if (has_symbols) add_symbols(*launch, *result->program, &form);
  return form;
}

namespace {

// ---- runs of a few blocks ---------------------------------------------------------------------------------

constexpr std::uint64_t kProbeInstructions = 600'000, kProbeEvents = 200'000;  // of one block
constexpr std::uint64_t kSoonInstructions = 3'000'000;  // of a grid that is counted soon
// Of computing, after which no other is begun: on a busy machine as much is tried as on an idle one, and the
// guess is the same.
constexpr std::chrono::milliseconds kProbePatience{150}, kSearchPatience{1500};

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

// A race or a barrier that not all reach is a mistake to be seen, whatever the sizes are.
bool is_of_sizes(sim::RunError::Kind kind) {
  using Kind = sim::RunError::Kind;
  return kind == Kind::OutOfRange || kind == Kind::Misaligned || kind == Kind::DivisionByZero ||
         kind == Kind::Assertion || kind == Kind::BadLaunch;
}

// The last one first: it reaches furthest.
std::vector<sim::Dim3> corners(const sim::Dim3& grid) {
  std::vector<sim::Dim3> blocks;
  for (const std::uint32_t z : {grid.z - 1, 0u})
    for (const std::uint32_t y : {grid.y - 1, 0u})
      for (const std::uint32_t x : {grid.x - 1, 0u})
        if (const sim::Dim3 block{x, y, z}; std::find(blocks.begin(), blocks.end(), block) == blocks.end())
          blocks.push_back(block);
  return blocks;
}

// Buffers and shared memory as far as the block has reached.
void measure(const sim::Program& program, const sim::Trace& trace, const LaunchForm& form, Probe* probe) {
  for (const sim::TraceEvent& event : trace.events) {
    if (event.active == 0) continue;  // out of range in every lane
    std::int64_t most = 0;            // behind the event's base
    for (std::uint32_t lane = 0; lane < memory::kWarpLanes; ++lane)
      if ((event.active >> lane & 1u) != 0) most = std::max(most, trace.patterns[event.pattern][lane]);
    most += program.sites[event.site].bytes;
    if (event.space == memory::Space::Shared && probe->dynamic_shared)
      probe->dynamic_shared = std::max(
          *probe->dynamic_shared, static_cast<std::int64_t>(event.base) + most - program.static_shared_bytes);
    const memory::Address window = event.base / sim::kBufferSpacing;
    if (event.space != memory::Space::Global || window < 1 || window > program.parameters.size()) continue;
    const sim::KernelParameter& parameter = program.parameters[window - 1];
    const std::uint64_t end = event.base % sim::kBufferSpacing + static_cast<std::uint64_t>(most);
    const auto bytes = static_cast<std::uint64_t>(std::max(parameter.element_bytes, 1));
    for (std::size_t i = 0; i < form.buffers.size(); ++i) {
      if (form.buffers[i].name != parameter.name) continue;
      probe->reaches[i].of_integers = !sim::is_floating(parameter.type);
      probe->reaches[i].elements = std::max(probe->reaches[i].elements, (end + bytes - 1) / bytes);
    }
  }
}

// ---- how long a buffer is ---------------------------------------------------------------------------------

struct Length {
  std::string text;  // "m * k"
  std::uint64_t elements = 0;
  int fitness = 3;  // for the buffer's name, among those of the same number
};

// Every size, and every product of two, in the order of the signature; what suits the buffer first: A is m *
// k, B is k * n and C is m * n, as in every textbook; then sizes of different names.
std::vector<Length> lengths_of(const std::string& buffer, const LaunchForm& form, const FormValues& values) {
  static const std::map<std::string, std::string> kOperands{{"a", "m * k"}, {"b", "k * n"}, {"c", "m * n"}};
  const auto operand = kOperands.find(text::lower_case(buffer));
  std::vector<Length> lengths;
  for (const LaunchForm::Value& value : form.scalars) {
    const auto number = values.numbers.find("scalar." + value.name);
    if (number == values.numbers.end() || value.type == "bool") continue;
    if (number->second > 1 && number->second < (std::int64_t{1} << 31))
      lengths.push_back({value.name, static_cast<std::uint64_t>(number->second)});
  }
  const std::vector<Length> sizes = lengths;
  for (const Length& a : sizes)
    for (const Length& b : sizes) {
      const std::string text = a.text + " * " + b.text;
      const bool is_operand = operand != kOperands.end() && text::lower_case(text) == operand->second;
      lengths.push_back({text, a.elements * b.elements, is_operand ? 2 : a.text != b.text ? 1 : 0});
    }
  std::ranges::stable_sort(lengths, std::greater{}, &Length::fitness);
  return lengths;
}

std::uint64_t extent_of(const FormValues& values, const std::string& group) {
  std::uint64_t product = 1;
  for (const char* axis : {".x", ".y", ".z"})
    product *= static_cast<std::uint64_t>(values.numbers.at(group + axis));
  return product;
}

// A length as one would write it: the least size or product that is enough, where it is not far from what was
// needed; else one that is a little less; else the number. `complete`: the blocks were run to their ends;
// otherwise more may be needed, and where no size is enough the buffer has no end.
std::string length_text(const std::string& buffer, const Reach& reach, bool complete, const LaunchForm& form,
                        const FormValues& values) {
  std::vector<Length> lengths = lengths_of(buffer, form, values);
  const Length* best = nullptr;
  for (const Length& length : lengths)
    if (length.elements >= reach.elements && (best == nullptr || length.elements < best->elements))
      best = &length;
  if (best != nullptr && (!complete || best->elements <= reach.elements + reach.elements / 4))
    return best->text;
  if (!complete) return {};
  // `out[i] = in[i + 1]` reads an element more than n, and so does a last block without a guard: in has n,
  // and that is the mistake to be seen. Integers may be bounds (`first[i + 1]`), of which there is one more,
  // and a halo has two sides.
  constexpr std::uint64_t kFew = 4, kLeast = 32;
  const std::uint64_t block = extent_of(values, "block"), threads = block * extent_of(values, "grid");
  lengths.push_back({std::to_string(threads), threads});
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

// ---- what is tried in place of a guess that does not run, or not to its end; only what nobody said

class Search {
 public:
  Search(LaunchForm form, const FileFacts& facts, const std::string& text, const KnownLaunch* launch,
         const Means& means)
      : form_(std::move(form)),
        facts_(facts),
        text_(text),
        launch_(launch != nullptr ? *launch : KnownLaunch{}),
        means_(means),
        probe_(run(form_)) {}

  LaunchForm found(bool has_lengths) {
    if (probe_.compiled && !probe_.ran)
      for (LaunchForm& other : others())
        if (platform::computed() > until_ || (other != form_ && take(std::move(other)))) break;
    if (!probe_.ran) return form_;
    // Sizes that are guesses are such that the whole grid is counted soon.
    if (!is_counted_soon(form_))
      for (LaunchForm& other : smaller_sizes(form_, open_sizes(form_, launch_), kLeastSize))
        if (take(std::move(other)) && is_counted_soon(form_)) break;
    // So are contents: not each number up to the length is how often a loop turns.
    LaunchForm less = form_;
    for (std::size_t i = 0; !probe_.complete && i < less.buffers.size(); ++i)
      if (LaunchForm::Buffer& buffer = less.buffers[i]; is_open(buffer) && probe_.reaches[i].of_integers)
        buffer.fill = sim::Fill::Random, buffer.range = {"0", "63"};
    if (less != form_)
      if (Probe again = run(less); again.ran && again.complete)
        form_ = std::move(less), probe_ = std::move(again);
    const FormValues values = work_out(form_, facts_);
    for (std::size_t i = 0; has_lengths && i < form_.buffers.size(); ++i) {
      LaunchForm::Buffer& buffer = form_.buffers[i];
      if (probe_.reaches[i].elements > 0 && buffer.elements.empty())
        buffer.elements = length_text(buffer.name, probe_.reaches[i], probe_.complete, form_, values);
    }
    return form_;
  }

 private:
  using Extents = std::array<std::string, 3>;
  // Nobody says what it holds.
  bool is_open(const LaunchForm::Buffer& buffer) const {
    return !launch_.says_contents(buffer.name) && buffer.fill == sim::Fill::Iota && buffer.range.empty();
  }
  // What is tried in its place, the likeliest first.
  std::vector<LaunchForm> others() const {
    // A null pointer that the kernel goes through stands for a buffer: a text that shows a launch passes 0.
    std::vector<LaunchForm> all{form_};
    for (LaunchForm::Buffer& buffer : all.back().buffers)
      if (buffer.elements == scenario::kNull) buffer.elements.clear();
    // As much shared memory as a block may have, where nobody says it: what is needed of it is seen then.
    LaunchForm ample = form_;
    if (probe_.dynamic_shared && launch_.text("shared") != form_.shared)
      ample.shared = std::to_string(predicted_gpu().max_shared_bytes);
    std::vector<Extents> blocks{form_.block};
    const bool is_open = !says_all(launch_, form_, "block.");
    if (is_open && form_.block[1] == "1")
      for (const char* threads : {"128", "64", "32", "512", "16"}) blocks.push_back({threads, "1", "1"});
    else if (is_open)
      blocks.insert(blocks.end(), {{"32", "8", "1"}, {"32", "32", "1"}, {"8", "8", "1"}, {"32", "16", "1"}});
    for (const auto& block : blocks)
      for (LaunchForm other : {ample, form_}) {
        for (std::size_t axis = 0; axis < 3; ++axis)
          if (launch_.text(std::string("block.") + "xyz"[axis]).empty()) other.block[axis] = block[axis];
        if (other != all.back()) all.push_back(std::move(other));
      }
    if (!probe_.may_be_sizes) return all;
    all.push_back(form_);  // contents that are no place outside of any array
    for (LaunchForm::Buffer& buffer : all.back().buffers)
      if (buffer.range.empty()) buffer.fill = sim::Fill::Zero;
    const std::vector<std::size_t> sizes = open_sizes(form_, launch_);
    for (LaunchForm& less : smaller_sizes(ample, sizes, 1)) all.push_back(std::move(less));
    all.push_back(ample);  // of a grid that comes to nothing with less
    for (const std::size_t one : sizes)
      if (std::string& size = all.back().scalars[one].text; size == "1024") size = "1048576";
    for (const std::size_t one : sizes)  // then one after the other
      for (LaunchForm& less : smaller_sizes(ample, {one}, 1)) all.push_back(std::move(less));
    // A shape that comes to nothing whatever the sizes are is one that the text does not say.
    const bool is_none = !work_out(form_, facts_).errors.empty() && !sizes.empty();
    const bool is_guessed = !says_all(launch_, form_, "grid.");
    for (const Extents& grid : {form_.grid, Extents{"64", "1", "1"}, Extents{"1", "1", "1"}})
      for (const Extents& block : {form_.block, Extents{"32", "1", "1"}})
        if (!launch_.kernel.empty() && (is_none || (block == form_.block && is_guessed)))
          all.push_back(ample), all.back().grid = grid, all.back().block = block;
    return all;
  }

  // Where it runs, or does not compile and nothing more is to be seen, it takes the place of the other.
  bool take(LaunchForm other) {
    Probe again = run(other);
    if (again.compiled && !again.ran) return false;
    // Shared memory was as much as there is: what is needed of it is seen now.
    if (other.shared != form_.shared && again.dynamic_shared &&
        *again.dynamic_shared <= predicted_gpu().max_shared_bytes)
      other.shared = std::to_string((*again.dynamic_shared + 15) / 16 * 16);
    probe_ = std::move(again);
    form_ = std::move(other);
    return true;
  }

  std::optional<scenario::Setup> setup_of(const LaunchForm& form) const {
    const FormValues values = work_out(form, facts_);
    if (!values.errors.empty()) return {};
    scenario::Scenario scenario = scenario_of(form, values, form);
    scenario.headers = facts_.headers;
    return scenario::make_setup(scenario, scenario::defaults(scenario), text_).value;
  }

  const sim::Program* compiled(const sim::CompileRequest& request) {
    result_ = means_.compile_soon(request);
    return result_->program ? &*result_->program : nullptr;
  }

  sim::Limits limits(std::uint64_t instructions) const {
    sim::Limits limits;
    limits.instructions = instructions;
    limits.cancel = means_.budget->allowance().cancel;
    limits.deadline = means_.budget->allowance().deadline;
    return limits;
  }

  Probe run(const LaunchForm& form) {
    Probe probe;
    const auto until = platform::computed() + kProbePatience;
    probe.compiled = probe.may_be_sizes = true;
    const auto setup = setup_of(form);
    if (!setup) return probe;
    const sim::Program* program = compiled(setup->compile);
    const memory::GpuModel& gpu = predicted_gpu();
    if (program != nullptr && program->uses_dynamic_shared) probe.dynamic_shared = 0;
    probe.compiled = program != nullptr;
    if (program == nullptr || !sim::check_launch(*program, setup->launch, gpu).empty()) return probe;
    probe.may_be_sizes = false;
    probe.reaches.assign(form.buffers.size(), {});
    probe.ran = true;
    sim::Limits of_block = limits(kProbeInstructions);
    of_block.trace_events = kProbeEvents;
    // No guess is to blame for a race, or for a value that nobody wrote: these are told with the report.
    of_block.check_memory = false;
    of_block.memory_bytes = std::uint64_t{256} << 20;
    for (const sim::Dim3& block : corners(setup->launch.grid)) {
      if (platform::computed() > until) probe.complete = false;
      if (platform::computed() > until || !probe.ran) break;
      const sim::Trace trace = sim::trace_block(*program, setup->launch, gpu, block, of_block);
      probe.ran = !trace.error || trace.error->is_limit();
      probe.may_be_sizes = !probe.ran && is_of_sizes(trace.error->kind);
      probe.complete &= !trace.error;
      measure(*program, trace, form, &probe);
    }
    return probe;
  }

  // Not: an error that other sizes may mend, which the corners do not show (sums beyond an int's range).
  bool is_counted_soon(const LaunchForm& form) {
    const auto setup = setup_of(form);
    const sim::Program* program = setup ? compiled(setup->compile) : nullptr;
    if (program == nullptr) return true;
    sim::TotalsOptions options;
    options.threads = 1;
    options.limits = limits(kSoonInstructions);
    const sim::Totals totals = sim::grid_totals(*program, setup->launch, predicted_gpu(), options);
    return !totals.error ||
           !(totals.error->kind == sim::RunError::Kind::InstructionLimit || is_of_sizes(totals.error->kind));
  }

  LaunchForm form_;
  const FileFacts& facts_;
  const std::string& text_;
  const KnownLaunch launch_;  // nothing where there is none
  const Means& means_;
  Programs::Result result_;
  const std::chrono::nanoseconds until_ = platform::computed() + kSearchPatience;
  Probe probe_;  // of form_
};

}  // namespace

LaunchForm probed(LaunchForm form, const FileFacts& facts, const std::string& text, const KnownLaunch* launch,
                  const Means& means, bool has_lengths) {
  return Search(std::move(form), facts, text, launch, means).found(has_lengths);
}

}  // namespace warplens::app
