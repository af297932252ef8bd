#include "app/simulate/look.h"

#include "app/simulate/compilation.h"
#include "app/simulate/simulator.h"
#include "app/state/chosen_kernel.h"

namespace warplens::app {

namespace {

std::string extents_text(const sim::Dim3& dim) {
  return std::to_string(dim.x) + " x " + std::to_string(dim.y) + " x " + std::to_string(dim.z);
}

}  // namespace

Look look_at(const Catalog& catalog, const Settings& settings, const Position& position,
             const sim::Limits& limits) {
  Look look;
  look.compiled = compile_settings(settings, scenario_of(catalog, settings), {}).compiled;
  if (!look.compiled) return look;
  const sim::Dim3 grid = look.compiled->setup.launch.grid, block = position.block;
  if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z) {
    look.problems.push_back(Message("block {},{},{}: the grid has {} blocks; indices begin at 0", block.x,
                                    block.y, block.z, extents_text(grid)));
    return look;
  }
  auto trace = std::make_shared<sim::Trace>(sim::trace_block(
      look.compiled->program, look.compiled->setup.launch, *look.compiled->gpu, block, limits));
  if (trace->error) {
    look.limit = trace->error->is_limit() || trace->error->kind == sim::RunError::Kind::Cancelled;
    look.problems.push_back(Message("{}:{}: {}", look.compiled->setup.source_name,
                                    trace->error->range.begin.line, trace->error->message));
  }
  if (position.warp < 0 || position.warp >= trace->warps) {
    look.problems.push_back(Message("warp {}: the block has {} warps, from 0", position.warp, trace->warps));
    return look;
  }
  look.simulation =
      simulation_of(look.compiled, std::move(trace), position.warp, position.access, position.wavefront);
  return look;
}

}  // namespace warplens::app
