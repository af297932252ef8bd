#include "app/source/other_guesses.h"

#include <algorithm>
#include <array>

#include "app/source/natural_length.h"
#include "app/source/predicted_gpu.h"
#include "sim/cuda/text/builtin_types.h"
#include "sim/lower/lower.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

using Block = std::array<std::string, 3>;

// The extents of a block that the constants of the file which the kernel names could be.
std::vector<std::string> named_extents(const LaunchForm& form, const FileFacts& facts) {
  constexpr std::size_t kMost = 6;
  const KernelFacts* kernel = facts.find(form.kernel);
  std::vector<std::string> names;
  if (kernel == nullptr) return names;
  for (const auto& [name, value] : facts.constants) {
    if (value > 1 && value <= 1024 && names.size() < kMost && mentions(kernel->text, name))
      names.push_back(name);
  }
  return names;
}

// Other shapes for a block that does not run.
std::vector<Block> other_blocks(const LaunchForm& form, const FileFacts& facts) {
  const std::vector<std::string> names = named_extents(form, facts);
  std::vector<Block> blocks;
  if (form.block[1] == "1") {
    for (const std::string& x : names) blocks.push_back({x, "1", "1"});
    blocks.insert(blocks.end(), {{"128", "1", "1"},
                                 {"64", "1", "1"},
                                 {"32", "1", "1"},
                                 {"512", "1", "1"},
                                 {"1024", "1", "1"},
                                 {"16", "16", "1"},
                                 {"32", "8", "1"},
                                 {"32", "32", "1"},
                                 {"8", "8", "1"},
                                 {"16", "1", "1"}});
    return blocks;
  }
  blocks = {{"32", "8", "1"}, {"32", "32", "1"}, {"16", "16", "1"}, {"8", "8", "1"}, {"32", "16", "1"}};
  if (form.block[2] != "1") blocks.insert(blocks.end(), {{"8", "8", "8"}, {"8", "4", "2"}, {"4", "4", "4"}});
  for (const std::string& x : names) {
    for (const std::string& y : names) blocks.push_back({x, y, "1"});
  }
  return blocks;
}

std::int64_t number_of(const std::string& text) {
  return sim::evaluate_integer(text, {}).value.value_or(0);
}

// The form with each of `values` for all of these fields, then for one after the other. `fits`: what a
// field's own value may give way to.
template <typename Fits>
void add_values(const LaunchForm& form, std::vector<LaunchForm::Value> LaunchForm::*list,
                const std::vector<std::size_t>& fields, const std::vector<std::int64_t>& values, Fits fits,
                std::vector<LaunchForm>* out) {
  const auto put = [&](LaunchForm* other, std::size_t field, std::int64_t value) {
    std::string& text = (other->*list)[field].text;
    if (!fits(number_of(text), value)) return false;
    text = std::to_string(value);
    return true;
  };
  for (const std::int64_t value : values) {
    LaunchForm other = form;
    bool changed = false;
    for (const std::size_t field : fields) changed |= put(&other, field, value);
    if (changed) out->push_back(std::move(other));
  }
  if (fields.size() < 2) return;
  for (const std::size_t field : fields) {
    for (const std::int64_t value : values) {
      LaunchForm other = form;
      if (put(&other, field, value)) out->push_back(std::move(other));
    }
  }
}

bool differs(std::int64_t old, std::int64_t value) {
  return old != value;
}

const std::vector<std::int64_t> kTiles{32, 64, 8, 128, 4, 2, 1};

// Both sides of a tile of a product at once: its other extents go with them.
void add_tiles(const LaunchForm& form, const OpenFields& open, std::vector<LaunchForm>* out) {
  for (const char* extent : {"128", "32"}) {
    LaunchForm other = form;
    int sides = 0;
    for (const std::size_t i : open.templates) {
      const std::string name = text::lower_case(other.templates[i].name);
      if (name != "bm" && name != "bn") continue;
      other.templates[i].text = extent;
      ++sides;
    }
    if (sides == 2) out->push_back(std::move(other));
  }
}

}  // namespace

OpenFields open_fields(const LaunchForm& form, const FileFacts& facts, const KnownLaunch* launch,
                       bool uses_shared) {
  OpenFields open;
  const KernelFacts* kernel = facts.find(form.kernel);
  for (std::size_t i = 0; i < form.templates.size(); ++i) {
    const bool said = launch != nullptr && i < launch->templates.size() && !launch->templates[i].empty();
    const bool has_default =
        kernel != nullptr && i < kernel->templates.size() && !kernel->templates[i].fallback.empty();
    if (said || has_default) continue;
    if (form.templates[i].is_type) open.types.push_back(i);
    if (!form.templates[i].is_type && form.templates[i].type != "bool") open.templates.push_back(i);
  }
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

std::vector<LaunchForm> other_types(const LaunchForm& form, const OpenFields& open) {
  constexpr std::size_t kMost = 4;  // types, of which each may be an index's
  const std::size_t count = std::min(open.types.size(), kMost);
  std::vector<LaunchForm> forms;
  for (unsigned chosen = 1; chosen < 1u << count; ++chosen) {
    LaunchForm other = form;
    for (std::size_t i = 0; i < count; ++i) {
      if ((chosen >> i & 1u) != 0) other.templates[open.types[i]].text = "int";
    }
    forms.push_back(std::move(other));
  }
  return forms;
}

std::vector<LaunchForm> other_template_arguments(const LaunchForm& form, const OpenFields& open) {
  std::vector<LaunchForm> forms;
  add_tiles(form, open, &forms);
  add_values(form, &LaunchForm::templates, open.templates, kTiles, differs, &forms);
  return forms;
}

std::vector<LaunchForm> other_shapes(const LaunchForm& form, const OpenFields& open, const FileFacts& facts) {
  std::vector<LaunchForm> forms;
  const auto add_plenty = [&](LaunchForm other) {
    other.shared = std::to_string(predicted_gpu().static_shared_bytes);
    forms.push_back(other);
    other.shared = std::to_string(predicted_gpu().max_shared_bytes);
    forms.push_back(std::move(other));
  };
  if (open.shared) add_plenty(form);
  if (!open.block) return forms;
  for (const auto& block : other_blocks(form, facts)) {
    LaunchForm other = form;
    other.block = block;
    if (open.shared) add_plenty(other);
    forms.push_back(std::move(other));
  }
  return forms;
}

std::vector<LaunchForm> other_fills(const LaunchForm& form) {
  LaunchForm zero = form;
  for (LaunchForm::Buffer& buffer : zero.buffers) buffer.fill = sim::Fill::Zero;
  if (zero == form) return {};
  return {zero};
}

std::vector<LaunchForm> smaller_sizes(const LaunchForm& form, const OpenFields& open) {
  std::vector<LaunchForm> forms;
  const auto less = [](std::int64_t old, std::int64_t value) { return value < old; };
  LaunchForm roomy = form;
  if (open.shared) roomy.shared = std::to_string(predicted_gpu().max_shared_bytes);
  add_values(roomy, &LaunchForm::scalars, open.sizes, {256, 64, 16, 4, 1}, less, &forms);
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

}  // namespace warplens::app
