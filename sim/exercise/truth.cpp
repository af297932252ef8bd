#include "sim/exercise/truth.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "sim/memory/banks.h"
#include "sim/memory/cost.h"
#include "sim/report/report.h"
#include "sim/scenario/target.h"
#include "sim/trace/trace.h"

namespace warplens::exercise {

namespace {

// The site of the kernel that an ask names.
std::optional<std::size_t> site_of(const Ask& ask, const sim::Program& program) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < program.sites.size(); ++i)
    if (program.sites[i].array == ask.array && program.sites[i].op == ask.op) found.push_back(i);
  std::ranges::stable_sort(found, {}, [&](std::size_t i) {
    const cuda::SourcePlace& at = program.sites[i].range.begin;
    return std::pair(at.line, at.column);
  });
  const auto nth = static_cast<std::size_t>(ask.nth - 1);
  if (nth >= found.size()) return std::nullopt;
  return found[nth];
}

Outcome<Truth> truth_of(const Exercise& exercise, const Ask& ask, const sim::Program& program,
                        const sim::Trace& trace) {
  const std::string& file = exercise.file.string();
  const auto site = site_of(ask, program);
  if (!site)
    return {{},
            {Message("{}: {}: {} has no such access: {} of {}, number {}", file, ask.field, program.kernel,
                     report::name_of(ask.op), ask.array, ask.nth)}};
  int turn = ask.turn;
  for (const std::uint32_t event : trace.warp_events[static_cast<std::size_t>(exercise.warp)]) {
    if (trace.events[event].site != *site || turn-- > 0) continue;
    Truth truth;
    truth.access = trace.access(program, event);
    truth.place = program.sites[*site].range.begin;
    truth.text = program.sites[*site].text;
    for (const Figure figure : ask.figures)
      if (!belongs_to(figure, truth.access.space))
        return {{},
                {Message("{}: {}: {} is in {} memory, which has no {}", file, ask.field, ask.array,
                         report::name_of(truth.access.space), name_of(figure))}};
    return {std::move(truth), {}};
  }
  return {{}, {Message("{}: {}: warp {} does not come by so often", file, ask.field, exercise.warp)}};
}

// Bytes from each active lane's address to the next one's, where that is the same for all.
std::optional<std::int64_t> common_step(const memory::WarpAccess& access) {
  std::optional<std::int64_t> step;
  int before = -1;
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((access.active >> lane & 1u) == 0) continue;
    if (before >= 0) {
      const auto here = static_cast<std::int64_t>(access.addresses[lane] - access.addresses[before]);
      if (lane != before + 1 || (step && *step != here)) return std::nullopt;
      step = here;
    }
    before = lane;
  }
  return step;
}

Message reason_of_global(const Truth& truth) {
  const memory::WarpAccess& access = truth.access;
  const memory::Cost cost = memory::cost(access);
  const int lanes = std::popcount(access.active);
  const auto step = common_step(access);
  if (!step)
    return Message(
        "its {} lanes take {} bytes each; sectors touched: {}, lines: {}, sectors that would hold as many "
        "bytes: {}",
        lanes, access.bytes, cost.sectors, cost.lines, cost.ideal_sectors);
  const auto first = access.addresses[static_cast<std::size_t>(std::countr_zero(access.active))] % 32;
  return Message(
      "its {} lanes take {} bytes each, {} bytes apart, from byte {} of a sector on; sectors touched: {}, "
      "lines: {}, "
      "sectors that would hold as many bytes: {}",
      lanes, access.bytes, *step, first, cost.sectors, cost.lines, cost.ideal_sectors);
}

Message reason_of_shared(const Truth& truth) {
  const memory::BankPlan plan = memory::plan_banks(truth.access);
  const auto fullest = std::ranges::max_element(plan.words_in_bank);
  const auto bank = fullest - plan.words_in_bank.begin();
  if (plan.groups > 1)
    return Message(
        "lanes that take {} bytes each are served in {} groups; the most different words of one group in one "
        "bank: {} "
        "(bank {}); wavefronts: {}",
        truth.access.bytes, plan.groups, *fullest, bank, plan.wavefronts);
  return Message("the most different words in one bank: {} (bank {}); wavefronts: {}", *fullest, bank,
                 plan.wavefronts);
}

}  // namespace

Outcome<std::vector<Truth>> truths_of(const Exercise& exercise, const sim::Limits& limits) {
  auto setup = scenario::make_setup(exercise.scenario, {}, limits.budget);
  if (!setup) return {{}, setup.errors};
  const Outcome<scenario::Prepared> prepared =
      scenario::prepare(std::move(*setup.value), memory::default_gpu_model(), limits.budget);
  if (!prepared) return {{}, prepared.errors};
  const sim::Launch& launch = prepared.value->setup.launch;
  const std::string& file = exercise.file.string();
  const sim::Dim3& block = exercise.block;
  if (block.x >= launch.grid.x || block.y >= launch.grid.y || block.z >= launch.grid.z)
    return {{}, {Message("{}: the grid has no block ({}, {}, {})", file, block.x, block.y, block.z)}};
  const sim::Trace trace =
      sim::trace_block(prepared.value->program, launch, *prepared.value->gpu, block, limits);
  if (trace.error) return {{}, {Message("{}: {}", file, trace.error->message)}};
  if (exercise.warp >= trace.warps)
    return {{}, {Message("{}: the block has no warp {}; it has {}", file, exercise.warp, trace.warps)}};
  Outcome<std::vector<Truth>> truths{std::vector<Truth>(), {}};
  for (const Ask& ask : exercise.asks) {
    Outcome<Truth> truth = truth_of(exercise, ask, prepared.value->program, trace);
    if (!truth) return {{}, truth.errors};
    truths.value->push_back(std::move(*truth.value));
  }
  return truths;
}

Message reason(const Truth& truth, Figure figure) {
  return belongs_to(figure, memory::Space::Shared) ? reason_of_shared(truth) : reason_of_global(truth);
}

}  // namespace warplens::exercise
