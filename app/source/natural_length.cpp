#include "app/source/natural_length.h"

#include <algorithm>
#include <set>
#include <vector>

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

}  // namespace warplens::app
