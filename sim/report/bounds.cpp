#include "sim/report/bounds.h"

#include <algorithm>

namespace warplens::report {

namespace {

class BoundMaker {
 public:
  BoundMaker(const LaunchCounts& counts, const Peaks& peaks) : c_(counts), p_(peaks) {}

  std::vector<Bound> make() {
    add(Resource::Launch, {{Counted{1}, p_.launches, "launches"}, {Counted{c_.blocks}, p_.blocks, "blocks"}});
    both_ways(Resource::Dram, c_.dram_read, c_.dram_write, p_.dram_read, p_.dram_write, p_.dram_copy,
              "bytes");
    both_ways(Resource::L2, c_.l2_read, c_.l2_write, p_.l2_read, p_.l2_write, p_.l2_copy, "sectors");
    add(Resource::L1,
        {{c_.l1_wavefronts, p_.shared_wavefronts, "wavefronts"}, {c_.l1_lines, p_.l1_lines, "lines"}});
    add(Resource::Shared, {{c_.shared_wavefronts, p_.shared_wavefronts, "wavefronts"}});
    add(Resource::Atomics, {{c_.atomic_turns, p_.atomic_turns, "turns"},
                            {c_.atomic_slice, p_.atomic_slice, "turns of one slice"},
                            {c_.atomic_one_address, p_.atomic_one_address, "turns of one word"}});
    add(Resource::Issue, {{c_.instructions, p_.fma, "warp instructions"}});
    add(Resource::Fp32, {{c_.fma, p_.fma, "warp instructions"}});
    return std::move(bounds_);
  }

 private:
  struct Part {
    std::optional<Counted> count;
    double peak;
    const char* unit;
  };

  // A resource that consists of several parts takes as long as the part that takes longest.
  void add(Resource resource, std::initializer_list<Part> parts) {
    Bound most{resource};
    for (const Part& part : parts) {
      if (!part.count || part.count->value <= 0 || part.peak <= 0) continue;
      const double seconds = part.count->value / part.peak;
      if (seconds > most.seconds)
        most = {resource, part.count->value, part.unit, part.peak, seconds, part.count->source};
    }
    if (most.seconds > 0) bounds_.push_back(most);
  }

  // Reading and writing at a time goes at the rate of a copy, as far as there are as many of both.
  void both_ways(Resource resource, const std::optional<Counted>& read, const std::optional<Counted>& written,
                 double peak_read, double peak_written, double peak_both, const char* unit) {
    if (!read || !written || peak_read <= 0 || peak_written <= 0 || peak_both <= 0) return;
    const double both = std::min(read->value, written->value), count = read->value + written->value;
    if (count <= 0) return;
    const double seconds =
        2 * both / peak_both + (read->value - both) / peak_read + (written->value - both) / peak_written;
    bounds_.push_back(
        {resource, count, unit, count / seconds, seconds, std::max(read->source, written->source)});
  }

  const LaunchCounts& c_;
  const Peaks& p_;
  std::vector<Bound> bounds_;
};

}  // namespace

const char* name_of(Resource resource) {
  constexpr const char* kNames[] = {"launch", "dram", "l2", "l1", "shared", "atomics", "issue", "fp32"};
  return kNames[static_cast<std::size_t>(resource)];
}

const char* name_of(CountSource source) {
  constexpr const char* kNames[] = {"predicted", "modelled", "measured"};
  return kNames[static_cast<std::size_t>(source)];
}

std::vector<Bound> bounds(const LaunchCounts& counts, const Peaks& peaks) {
  return BoundMaker(counts, peaks).make();
}

const Bound* longest(const std::vector<Bound>& all) {
  const auto most = std::ranges::max_element(all, {}, &Bound::seconds);
  return most == all.end() ? nullptr : &*most;
}

bool is_data_stage(const Bound& bound) {
  return bound.resource == Resource::Shared ||
         (bound.resource == Resource::L1 && std::string_view(bound.unit) == "wavefronts");
}

const Bound* second(const std::vector<Bound>& all) {
  const Bound *const most = longest(all), *next = nullptr;
  for (const Bound& bound : all) {
    if (&bound == most || (is_data_stage(bound) && is_data_stage(*most))) continue;
    if (next == nullptr || bound.seconds > next->seconds) next = &bound;
  }
  return next;
}

const Bound* tied(const std::vector<Bound>& all) {
  constexpr double kWithin = 0.9;
  const Bound* const next = second(all);
  return next != nullptr && next->seconds >= kWithin * longest(all)->seconds ? next : nullptr;
}

}  // namespace warplens::report
