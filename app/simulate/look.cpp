#include "app/simulate/look.h"

#include "app/simulate/simulator.h"
#include "app/state/chosen_kernel.h"
#include "app/state/own_kernel.h"
#include "sim/scenario/target.h"

namespace warplens::session {

namespace {

std::string extents_text(const warp::Dim3& dim) {
  return std::to_string(dim.x) + " x " + std::to_string(dim.y) + " x " + std::to_string(dim.z);
}

std::shared_ptr<const Compiled> compile(const Catalog& catalog, const Settings& settings,
                                        std::vector<std::string>* problems) {
  const scenario::Scenario* scenario = scenario_of(catalog, settings);
  if (scenario == nullptr) {
    problems->push_back("there is no scenario " + settings.scenario);
    return nullptr;
  }
  if (settings.own) {
    for (const auto& [field, error] : settings.own->values.errors)
      problems->push_back("launch: " + field + ": " + error.words);
    if (!problems->empty()) return nullptr;
  }
  auto setup = scenario::make_setup(*scenario, settings.values,
                                    settings.text ? *settings.text : std::string_view(scenario->text));
  if (!setup) return *problems = std::move(setup.errors), nullptr;
  auto prepared = scenario::prepare(std::move(*setup.value), memory::default_gpu_model());
  if (!prepared) return *problems = std::move(prepared.errors), nullptr;
  auto compiled =
      std::make_shared<Compiled>(std::make_shared<const warp::Program>(std::move(prepared.value->program)),
                                 std::move(prepared.value->setup), *prepared.value->gpu);
  compiled->settings = settings;
  compiled->scenario = scenario;
  return compiled;
}

}  // namespace

Look look_at(const Catalog& catalog, const Settings& settings, const Position& position,
             const warp::Limits& limits) {
  Look look;
  look.compiled = compile(catalog, settings, &look.problems);
  if (!look.compiled) return look;
  const warp::Dim3 grid = look.compiled->setup.launch.grid, block = position.block;
  if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z) {
    look.problems.push_back("block " + std::to_string(block.x) + "," + std::to_string(block.y) + "," +
                            std::to_string(block.z) + ": the grid has " + extents_text(grid) +
                            " blocks; indices begin at 0");
    return look;
  }
  auto trace = std::make_shared<warp::Trace>(warp::trace_block(
      look.compiled->program, look.compiled->setup.launch, *look.compiled->gpu, block, limits));
  if (trace->error) {
    look.limit = trace->error->is_limit() || trace->error->kind == warp::RunError::Kind::Cancelled;
    look.problems.push_back(look.compiled->setup.source_name + ":" +
                            std::to_string(trace->error->range.begin.line) + ": " + trace->error->message);
  }
  if (position.warp < 0 || position.warp >= trace->warps) {
    look.problems.push_back("warp " + std::to_string(position.warp) + ": the block has " +
                            std::to_string(trace->warps) + " warps, from 0");
    return look;
  }
  look.simulation =
      simulation_of(look.compiled, std::move(trace), position.warp, position.access, position.wavefront);
  return look;
}

}  // namespace warplens::session
