#include "app/desktop/place_check.h"

#include "app/simulate/look.h"
#include "app/state/teaching/classroom.h"
#include "sim/scenario/permalink.h"
#include "sim/scenario/text_file.h"

namespace warplens::desktop {
namespace {

constexpr std::uint64_t kMostInstructions =
    100'000'000;  // about a second: a longer block is looked up in the window

std::string wrong_array(const std::string& name, const sim::Program& program) {
  std::vector<std::string> names;
  std::string list;
  for (const sim::KernelParameter& parameter : program.parameters) {
    if (!parameter.is_pointer) continue;
    if (parameter.name == name) return {};
    names.push_back(parameter.name);
    list += (list.empty() ? "" : ", ") + parameter.name;
  }
  return "--map-array " + name + ": the kernel has no such array" +
         scenario::did_you_mean(name, names).english() + (list.empty() ? "" : " (it has " + list + ")");
}

std::string wrong_access(const Options& options, const app::Position& asked, const app::Simulation& s) {
  const int access = options.step > 0 ? options.step - 1 : asked.access.number;
  if (access >= s.event_count())
    return (options.step > 0 ? "--step " : "access ") + std::to_string(access + 1) + ": warp " +
           std::to_string(asked.warp) + " has " + std::to_string(s.event_count()) + " accesses, from 1";
  const int wavefront = options.wavefront > 0 ? options.wavefront : asked.wavefront + 1;
  const int wavefronts = s.wavefronts_of(access >= 0 ? access : s.place.event);
  if (s.place.event >= 0 && wavefront > wavefronts)
    return (options.wavefront > 0 ? "--wavefront " : "wavefront ") + std::to_string(wavefront) +
           ": the access has " + std::to_string(wavefronts) + ", from 1";
  return {};
}

std::string wrong_lesson_step(const Options& options, const app::State& state) {
  if (options.lesson_step == 0) return {};
  const auto& active = state.classroom.active;
  if (!active) return "--lesson-step: goes with --lesson";
  const int last = static_cast<int>(active->lesson->steps.size()) + 1;
  if (options.lesson_step <= last) return {};
  return "--lesson-step " + std::to_string(options.lesson_step) + ": " + active->lesson->name + " has " +
         std::to_string(last) + ", from 1; the last is the challenge";
}

}  // namespace

std::string wrong_place(const Options& options, const app::Catalog& catalog, const app::State& state) {
  if (std::string wrong = wrong_lesson_step(options, state); !wrong.empty()) return wrong;
  const bool given = options.step > 0 || options.wavefront > 0 || options.warp >= 0 ||
                     !options.block.empty() || !options.map_array.empty() ||
                     scenario::is_permalink(options.target);
  if (!given) return {};
  sim::Limits limits;
  limits.instructions = kMostInstructions;
  const app::Look look = app::look_at(catalog, state.settings, state.position, limits);
  if (look.compiled && !options.map_array.empty()) {
    if (std::string wrong = wrong_array(options.map_array, look.compiled->program); !wrong.empty())
      return wrong;
  }
  if (look.limit) return {};
  if (look.compiled && !look.simulation && !look.problems.empty()) return look.problems.front();
  return look.simulation ? wrong_access(options, state.position, *look.simulation) : std::string();
}

}  // namespace warplens::desktop
