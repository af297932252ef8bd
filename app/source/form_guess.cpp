#include "app/source/form_guess.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "app/source/programs.h"
#include "sim/cuda/text/names.h"
#include "sim/lower/lower.h"
#include "sim/text/scan.h"

namespace warplens::app {

bool mentions(const std::string& text, const std::string& name) {
  return text::names_word(text, name);
}

namespace {

// As many elements beyond its natural length are a slip; more are a plan.
constexpr std::uint64_t kFew = 4;
constexpr std::uint64_t kLeastLength = 32;  // fewer elements are a filter's, or one a warp's

struct Natural {
  std::string text;
  std::uint64_t elements = 0;
};

std::uint64_t product_of(const FormValues& values, const std::string& group) {
  std::uint64_t product = 1;
  for (const char* axis : {"x", "y", "z"}) {
    const auto extent = values.numbers.find(group + axis);
    if (extent == values.numbers.end() || extent->second < 1) return 0;
    product *= static_cast<std::uint64_t>(extent->second);
  }
  return product;
}

// Sizes, then products, then the threads: what is written in fewer words comes first.
std::vector<Natural> naturals_of(const LaunchForm& form, const FormValues& values) {
  std::vector<Natural> sizes;
  for (const LaunchForm::Value& value : form.scalars) {
    const auto number = values.numbers.find("scalar." + value.name);
    if (number == values.numbers.end() || value.type == "bool" || is_no_size(value.name)) continue;
    if (number->second > 1 && number->second < (std::int64_t{1} << 31))
      sizes.push_back({value.name, static_cast<std::uint64_t>(number->second)});
  }
  std::vector<Natural> naturals = sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (std::size_t j = i + 1; j < sizes.size(); ++j)
      naturals.push_back({sizes[i].text + " * " + sizes[j].text, sizes[i].elements * sizes[j].elements});
  }
  const std::uint64_t threads = product_of(values, "grid.") * product_of(values, "block.");
  naturals.push_back({std::to_string(threads), threads});
  return naturals;
}

// How far beyond `natural` a reach is still a slip. Threads that are more than the elements, for want of a
// guard, are one too where only the last block is not full.
std::uint64_t slip_beyond(const Natural& natural, const FormValues& values) {
  const std::uint64_t block = product_of(values, "block."), threads = block * product_of(values, "grid.");
  const bool last_block_has_room = threads > natural.elements && threads - natural.elements < block;
  return kFew + (last_block_has_room ? threads - natural.elements : 0);
}

bool is_distance(const std::string& name) {
  static const std::set<std::string> kDistances{"offset",  "shift", "start",  "first",     "pad",
                                                "padding", "r",     "radius", "halo_size", "halo"};
  return kDistances.contains(text::lower_case(name));
}

// A distance of 1 is everywhere; by its name alone it is one.
bool explains(const std::string& name, std::int64_t value, std::uint64_t excess) {
  if (value < (is_distance(name) ? 1 : 2)) return false;
  const auto v = static_cast<std::uint64_t>(value);
  return excess == v || excess == 2 * v || excess == v - 1 || excess == 2 * (v - 1);
}

// Whether a constant, a template argument or an argument that the kernel names is as much as the excess, to
// one side or both, counted with the element in the middle or without it.
bool is_explained(std::uint64_t excess, const LaunchForm& form, const FormValues& values,
                  const FileFacts& facts) {
  const KernelFacts* kernel = facts.find(form.kernel);
  const std::string text = kernel == nullptr ? std::string() : kernel->text;
  for (const auto& [name, value] : facts.constants) {
    if (explains(name, value, excess) && mentions(text, name)) return true;
  }
  const auto among = [&](const std::vector<LaunchForm::Value>& list, const std::string& group) {
    return std::any_of(list.begin(), list.end(), [&](const LaunchForm::Value& value) {
      const auto number = values.numbers.find(group + value.name);
      return number != values.numbers.end() && explains(value.name, number->second, excess);
    });
  };
  return among(form.templates, "template.") || among(form.scalars, "scalar.");
}

bool is_named_as_bounds(const std::string& buffer) {
  const std::string name = text::lower_case(buffer);
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  return has("ptr") || has("offset") || has("bound") || has("start") || has("begin") || has("prefix") ||
         has("displ") || has("row") || has("scan");
}

bool holds_bounds(const std::string& buffer, const BufferReach& reach, std::uint64_t natural) {
  if (!reach.of_integers) return false;
  bool within = false, decides = false;
  for (const auto& [unused, site] : reach.sites) {
    within |= site.elements <= natural;
    decides |= site.elements > natural && site.decides;
  }
  return within && (decides || is_named_as_bounds(buffer));
}

}  // namespace

std::uint64_t BufferReach::elements() const {
  std::uint64_t most = 0;
  for (const auto& [unused, site] : sites) most = std::max(most, site.elements);
  return most;
}

std::string natural_length(const std::string& buffer, const BufferReach& reach, const LaunchForm& form,
                           const FormValues& values, const FileFacts& facts) {
  const std::uint64_t needed = reach.elements();
  for (const Natural& natural : naturals_of(form, values)) {
    if (natural.elements < kLeastLength || natural.elements >= needed) continue;
    const std::uint64_t excess = needed - natural.elements;
    if (excess > slip_beyond(natural, values)) continue;
    const bool is_meant =
        holds_bounds(buffer, reach, natural.elements) || is_explained(excess, form, values, facts);
    return is_meant ? natural.text + " + " + std::to_string(excess) : natural.text;
  }
  return {};
}

bool is_no_size(const std::string& scalar) {
  static const std::set<std::string> kNoSizes{
      "stride", "step", "offset", "shift", "start", "first", "bins",  "nbins", "num_bins",
      "radius", "seed", "iter",   "iters", "k",     "kk",    "niter", "pad",   "lda",
      "ldb",    "ldc",  "ld",     "alpha", "beta",  "batch", "times", "inc"};
  return kNoSizes.contains(text::lower_case(scalar));
}

namespace {

std::int64_t number_of(const std::string& text) {
  return sim::evaluate_integer(text, {}).value.value_or(0);
}

}  // namespace

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
      other.shared = std::to_string(predicted_gpu().static_shared_bytes);
      forms.push_back(other);
      other.shared = std::to_string(predicted_gpu().max_shared_bytes);
      forms.push_back(other);
      other.shared = form.shared;
    }
    if (block != form.block) forms.push_back(std::move(other));
  }
  return forms;
}

std::vector<LaunchForm> other_fills(const LaunchForm& form) {
  LaunchForm zero = form;
  for (LaunchForm::Buffer& buffer : zero.buffers)
    if (buffer.range.empty()) buffer.fill = sim::Fill::Zero;
  if (zero == form) return {};
  return {zero};
}

// All of them, then one after the other.
std::vector<LaunchForm> smaller_sizes(const LaunchForm& form, const OpenFields& open) {
  std::vector<LaunchForm> forms;
  LaunchForm roomy = form;
  if (open.shared) roomy.shared = std::to_string(predicted_gpu().max_shared_bytes);
  const auto add = [&](const std::vector<std::size_t>& fields, std::int64_t value) {
    LaunchForm other = roomy;
    for (const std::size_t i : fields)
      if (number_of(other.scalars[i].text) > value) other.scalars[i].text = std::to_string(value);
    if (!(other == roomy)) forms.push_back(std::move(other));
  };
  constexpr std::int64_t kSizes[] = {256, 64, 16, 4, 1};
  for (const std::int64_t value : kSizes) add(open.sizes, value);
  for (std::size_t i = 0; i < open.sizes.size() && open.sizes.size() > 1; ++i)
    for (const std::int64_t value : kSizes) add({open.sizes[i]}, value);
  return forms;
}

std::vector<LaunchForm> fewer_elements(const LaunchForm& form, const OpenFields& open) {
  constexpr std::int64_t kLeast = 16, kTimes = 4;
  constexpr std::size_t kMost = 6;
  std::vector<LaunchForm> forms;
  LaunchForm less = form;
  while (forms.size() < kMost) {
    bool changed = false;
    for (const std::size_t i : open.sizes) {
      const std::int64_t size = number_of(less.scalars[i].text);
      if (size < kLeast * kTimes) continue;
      less.scalars[i].text = std::to_string(size / kTimes);
      changed = true;
    }
    if (!changed) break;
    forms.push_back(less);
  }
  return forms;
}

namespace {

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

std::string scalar_value(const ParameterSlot& slot, bool flat, bool small) {
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
  if (one_of(name, {"stride", "step", "inc", "incx", "incy"})) return "1";
  if (one_of(name, {"offset", "shift", "start", "first", "pad", "padding"})) return "0";
  if (one_of(name, {"bins", "nbins", "num_bins", "nb"})) return "256";
  if (one_of(name, {"radius", "r", "halo"}) || is_of_filter(name)) return "3";
  if (one_of(name, {"seed", "iter", "iters", "iterations", "niter", "times", "repeat"})) return "4";
  if (one_of(name, {"batch", "batches", "depth", "channels", "nz", "d"})) return "4";
  if (one_of(name, {"e0", "e1", "e2"}) && slot.is_field()) return "256";  // of cuda::std::mdspan
  if (flat) return "1048576";
  return small ? "256" : "1024";
}

const std::set<std::string> kAcross{"width", "w",        "cols", "ncols", "n_cols", "nx",   "columns",
                                    "n",     "num_cols", "dimx", "sizex", "size_x", "pitch"};
const std::set<std::string> kDown{"height", "h",        "rows", "nrows", "n_rows", "ny",
                                  "m",      "num_rows", "dimy", "sizey", "size_y"};
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

// What the compiler makes of a parameter: itself, or its members.
std::vector<ParameterSlot> slots_of(const ParameterSlot& whole, const sim::Program& program) {
  std::vector<ParameterSlot> slots;
  for (const sim::KernelParameter& parameter : program.parameters) {
    if (parameter.name != whole.name && !parameter.name.starts_with(whole.name + ".")) continue;
    if (parameter.symbol_elements > 0) continue;  // a large struct, which is zero where nothing is said
    ParameterSlot slot{parameter.name, parameter.type_text};
    slot.is_pointer = parameter.is_pointer;
    slot.is_floating = !slot.is_pointer && sim::is_floating(parameter.type);
    slot.is_integer = !slot.is_pointer && !slot.is_floating;
    if (!slot.is_pointer && slot.type.starts_with("const ")) slot.type.erase(0, 6);
    slot.argument = whole.argument;
    if (parameter.fallback) slot.fallback = std::to_string(*parameter.fallback);
    slots.push_back(std::move(slot));
  }
  return slots;
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
    if (is_number_or_buffer(slot)) {
      whole.parameters.push_back(slot);
      continue;
    }
    for (ParameterSlot& member : slots_of(slot, *result->program))
      whole.parameters.push_back(std::move(member));
  }
  return whole;
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
      form.scalars.push_back({slot.name, slot.type, scalar_value(slot, flat, false), false});
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
  if (launch != nullptr) use_launch(*launch, &form);
  return form;
}

}  // namespace

namespace {

// An extent that comes to nothing (`n / block` of an n that only a run of the host code sets) is one that the
// text does not say.
KnownLaunch sensible(const KnownLaunch& launch, const LaunchForm& form, const FileFacts& facts) {
  KnownLaunch out = launch;
  const FormValues values = work_out(form, facts);
  const auto bytes = values.numbers.find("shared");
  if (launch.shared != "0" && bytes != values.numbers.end() && bytes->second == 0) out.shared.clear();
  for (const auto& [field, error] : values.errors) {
    if (field.starts_with("grid.")) {
      out.grid = {};
      // A size of 0 is one that a run of the host code sets.
      std::erase_if(out.scalars, [](const auto& scalar) { return scalar.second == "0"; });
    }
    if (field.starts_with("block.")) out.block = {};
    if (field == "shared") out.shared.clear();
    if (field.starts_with("elements.")) out.lengths.erase(field.substr(9));
    if (field.starts_with("offset.")) out.offsets.erase(field.substr(7));
  }
  return out;
}

bool has_grid(const LaunchForm& form, const FileFacts& facts) {
  const FormValues values = work_out(form, facts);
  return std::none_of(values.errors.begin(), values.errors.end(),
                      [](const auto& error) { return error.first.starts_with("grid."); });
}

// Sizes that are guesses are no larger than the host's grid allows: their product may be beyond all bounds.
LaunchForm with_a_grid(const LaunchForm& form, const KnownLaunch& launch, const FileFacts& facts) {
  constexpr int kMostRounds = 5;
  LaunchForm smaller = form;
  for (int round = 0; round < kMostRounds; ++round) {
    if (has_grid(smaller, facts)) return smaller;
    for (LaunchForm::Value& value : smaller.scalars) {
      const auto number = sim::evaluate_integer(value.text, {}).value;
      if (!launch.scalars.contains(value.name) && number && *number >= 64)
        value.text = std::to_string(*number / 4);
    }
  }
  return has_grid(smaller, facts) ? smaller : form;
}

LaunchForm guess_sensibly(const KernelFacts& kernel, const FileFacts& facts, const KnownLaunch* launch) {
  LaunchForm form = guess_by_name(kernel, facts, launch);
  if (launch == nullptr) return form;
  form = with_a_grid(form, *launch, facts);
  const KnownLaunch corrected = sensible(*launch, form, facts);
  LaunchForm out = guess_by_name(kernel, facts, &corrected);
  for (std::size_t i = 0; i < out.scalars.size(); ++i)
    if (!corrected.scalars.contains(out.scalars[i].name) && !launch->scalars.contains(out.scalars[i].name))
      out.scalars[i].text = form.scalars[i].text;
  return out;
}

}  // namespace

LaunchForm guess_form(const KernelFacts& kernel, const FileFacts& facts, const KnownLaunch* launch,
                      const std::string& text, const Means& means) {
  LaunchForm form = guess_sensibly(kernel, facts, launch);
  if (!std::all_of(kernel.parameters.begin(), kernel.parameters.end(), is_number_or_buffer)) {
    LaunchForm whole = guess_sensibly(with_members(kernel, form, facts, text, means), facts, launch);
    whole.templates = form.templates;  // the members' types are what these made of them
    form = std::move(whole);
  }
  if (launch != nullptr) add_symbols(*launch, facts, text, means, &form);
  return form;
}

}  // namespace warplens::app
