#include "app/cli/target/linked_text.h"

#include <utility>

#include "app/cli/command.h"
#include "app/state/catalog.h"
#include "app/state/chosen_kernel.h"
#include "app/storage/link.h"

namespace warplens::cli {
namespace {

bool has_view(const scenario::Target& target) {
  return scenario::is_permalink(target.what) && target.what.find("view=") != std::string::npos;
}

// A link is run as it is: an option that changed half of it would be about another kernel.
void refuse_options(const scenario::Target& target) {
  const bool any = !target.sets.empty() || !target.grid.empty() || !target.block.empty() ||
                   !target.shared.empty() || !target.kernel.empty() || !target.template_arguments.empty() ||
                   !target.defines.empty();
  if (any)
    throw CommandFailure(
        kInputWrong,
        "the link brings its own text and launch; open it in the app to change them, or save the "
        "kernel as a file");
}

}  // namespace

std::optional<scenario::Setup> linked_setup(const scenario::Target& target, Budget& budget) {
  if (!has_view(target)) return std::nullopt;
  const app::Catalog catalog = app::load_catalog(scenario::data_folder("kernels"));
  const auto link = app::read_link(target.what, catalog, {nullptr, &budget});
  if (!link) throw CommandFailure(kInputWrong, link.errors);
  const app::Settings& settings = (*link.value)->view.settings;
  if (!settings.text) return std::nullopt;
  refuse_options(target);
  const scenario::Scenario* scenario = app::scenario_of(catalog, settings);
  if (scenario == nullptr) throw CommandFailure(kInputWrong, "the link's kernel has no launch yet");
  auto setup = scenario::make_setup(*scenario, settings.values, *settings.text, &budget);
  if (!setup) throw CommandFailure(kInputWrong, setup.errors);
  setup.value->compile.literal = target.literal || settings.literal;
  return std::move(*setup.value);
}

std::optional<scenario::Permalink> linked_place(const scenario::Target& target) {
  if (!has_view(target) || scenario::scenario_of_permalink(target.what) != app::kOwnKernel)
    return std::nullopt;
  const auto place = scenario::read_permalink(target.what, scenario::Scenario{});
  if (!place) throw CommandFailure(kInputWrong, place.errors);
  return std::move(*place.value);
}

}  // namespace warplens::cli
