// Every view of a target as a picture, with caption and provenance.
#include <algorithm>
#include <memory>

#include "app/cli/target.h"
#include "app/derive/comparison.h"
#include "app/language/joined.h"
#include "app/share/export.h"
#include "app/simulate/matrix_shape.h"
#include "app/simulate/pricing.h"
#include "app/simulate/simulation.h"
#include "app/source/programs.h"
#include "app/storage/teaching_files.h"
#include "app/views/memory.h"

namespace warplens::cli {

namespace {

using app::ShareFormat;
using app::ShareWhat;

struct RenderOptions : CommonOptions {
  std::string file, block, theme = "light", view = "access", set_format = "png", against, array,
                           scope = "block", measure, profile, launch;
  std::vector<std::string> axes;
  int step = -1, warp = -1;
  bool predict = false, reuse = false;
};

// The one asked for; left out: the access that costs most beyond its ideal, the first of them.
int choose_step(const std::vector<app::PricedEvent>& events, const RenderOptions& options) {
  const std::string who = "warp " + std::to_string(options.warp);
  const auto count = static_cast<int>(events.size());
  if (count == 0) throw CommandFailure(kInputWrong, who + " accesses no memory: there is nothing to picture");
  if (options.step >= count) {
    throw CommandFailure(kInputWrong, "--step " + std::to_string(options.step) + ": " + who + " has " +
                                          std::to_string(count) + " accesses, from 0");
  }
  if (options.step >= 0) return options.step;
  const auto costs_less = [](const app::PricedEvent& a, const app::PricedEvent& b) {
    return a.units - a.ideal < b.units - b.ideal;
  };
  return static_cast<int>(std::max_element(events.begin(), events.end(), costs_less) - events.begin());
}

std::shared_ptr<const sim::Trace> trace_for(const scenario::Prepared& prepared,
                                            const RenderOptions& options) {
  const sim::Dim3 index =
      options.block.empty() ? sim::Dim3{0, 0, 0} : block_index(options.block, prepared.setup.launch.grid);
  auto trace = std::make_shared<sim::Trace>(sim::trace_block(
      prepared.program, prepared.setup.launch, *prepared.gpu, index, options.simulation.limits()));
  if (trace->error) fail_run(prepared, *trace->error);
  warp_index(options.warp, prepared.setup.launch.block.count());
  return trace;
}

// `scenario`: says how long the rows of its arrays are; outlives the result. Null: a file.
std::shared_ptr<const app::Compiled> compiled_of(const scenario::Prepared& prepared,
                                                 const scenario::Scenario* scenario, Budget& budget) {
  auto compiled = std::make_shared<app::Compiled>(std::make_shared<const sim::Program>(prepared.program),
                                                  prepared.setup, *prepared.gpu, budget);
  compiled->scenario = scenario;
  return compiled;
}

std::shared_ptr<const app::Simulation> simulation_of(const scenario::Prepared& prepared,
                                                     const scenario::Scenario* scenario,
                                                     const RenderOptions& options) {
  Budget& budget = options.simulation.budget();
  const auto compiled = compiled_of(prepared, scenario, budget);
  const auto trace = trace_for(prepared, options);
  const auto access = app::AccessId::numbered(
      choose_step(*app::price_warp(*compiled, trace, options.warp, budget).events, options));
  const int wavefront = place_of(options.target.target, budget).wavefront.value_or(1) - 1;
  auto simulation = app::simulation_of(compiled, trace, options.warp, access, wavefront, budget);
  const int count = simulation->wavefronts_of(simulation->place.event);
  if (wavefront >= count)
    throw CommandFailure(kInputWrong, "#wavefront=" + std::to_string(wavefront + 1) + ": the access has " +
                                          std::to_string(count) + ", from 1");
  return simulation;
}

// The scenario of a target, or null: a file.
std::shared_ptr<const scenario::Scenario> scenario_of(const std::string& target, Budget& budget) {
  auto found = scenario::find_scenario(target, &budget);
  return found ? std::make_shared<const scenario::Scenario>(std::move(*found.value)) : nullptr;
}

// With what the whole grid costs.
std::shared_ptr<const app::Simulation> counted(const app::Simulation& simulation,
                                               const scenario::Prepared& prepared,
                                               const RenderOptions& options) {
  app::Simulation out = simulation;
  out.totals = std::make_shared<const sim::Totals>(totals_of(prepared, options.simulation));
  return std::make_shared<const app::Simulation>(std::move(out));
}

// One of the two that --view comparison shows; `scenario` null: a file.
app::State side_of(const scenario::Prepared& side, const scenario::Scenario* scenario,
                   const std::string& language, app::Catalog* catalog) {
  app::State state;
  state.language = language;
  state.settings.values = side.setup.values;
  if (scenario != nullptr) state.settings.scenario = catalog->scenarios.emplace_back(*scenario).name;
  if (scenario == nullptr || scenario->text != side.setup.compile.text)
    state.settings.text = std::make_shared<const std::string>(side.setup.compile.text);
  return state;
}

// A of A│B, at the access that comes closest to B's.
void add_beside(const RenderOptions& options, const scenario::Prepared& prepared, share::Subject* subject) {
  Budget& budget = options.simulation.budget();
  scenario::Target target;
  target.what = options.against;
  const scenario::Prepared prepared_a = prepare_target(target, options.simulation);
  const auto name = app::name_of(*subject->simulation, subject->simulation->place.event);
  const auto a = counted(*app::simulation_of(compiled_of(prepared_a, nullptr, budget),
                                             trace_for(prepared_a, options), options.warp, name, 0, budget),
                         prepared_a, options);
  subject->simulation = counted(*subject->simulation, prepared, options);
  app::Catalog catalog;
  const app::State of_a =
      side_of(prepared_a, scenario_of(options.against, budget).get(), options.language, &catalog);
  app::State of_b = side_of(prepared, subject->scenario.get(), options.language, &catalog);
  of_b.pinned = of_a.settings;
  auto beside = std::make_shared<share::Beside>(
      *share::beside_of({of_a, a}, {of_b, subject->simulation},
                        app::compare(catalog, of_b, *a, *subject->simulation), catalog, subject->strings));
  for (const auto& [words, side] : {std::pair(&beside->words_a, &prepared_a), {&beside->words_b, &prepared}})
    if (words->name.empty()) words->name = side->setup.name;
  subject->beside = std::move(beside);
}

// What --view landscape is of.
void add_plot_view(const RenderOptions& options, const share::Subject& subject, app::PlotView* view) {
  using M = app::LandscapeMeasure;
  if (!options.measure.empty()) view->measure = options.measure == "sectors" ? M::Sectors : M::Wavefronts;
  if (options.view == "landscape" && (!subject.scenario || subject.scenario->parameters.size() < 2))
    throw CommandFailure(kInputWrong, "--view landscape: the target has no two parameters to turn");
  if (options.axes.empty()) return;
  for (const std::string& name : options.axes) {
    if (subject.scenario && app::find_parameter(*subject.scenario, name) != nullptr) continue;
    throw CommandFailure(kInputWrong, "--axes " + name + ": there is no such parameter");
  }
  if (options.axes[0] == options.axes[1])
    throw CommandFailure(kInputWrong, "--axes: two different parameters are needed");
  view->x = options.axes[0], view->y = options.axes[1];
}

// What --view profile stands beside: the whole grid's prediction.
void add_profile(const RenderOptions& options, const scenario::Prepared& prepared, share::Subject* subject) {
  subject->profile = value_of(app::load_profile(options.profile, options.simulation.budget()));
  subject->simulation = counted(*subject->simulation, prepared, options);
  subject->plot_view.launch = options.launch;
}

// What --view why and --view roofline stand beside: the ladder as recorded, in the packs that come with the
// program, and what the GPU can do at most.
void add_times(const RenderOptions& options, const scenario::Prepared& prepared, share::Subject* subject) {
  if (options.view == "why") subject->simulation = counted(*subject->simulation, prepared, options);
  Budget& budget = options.simulation.budget();
  app::Measurements measurements;
  measurements.packs = measure::load_packs(scenario::data_folder("assets") / "recorded", &budget)
                           .value.value_or(std::vector<measure::Pack>());
  const app::Catalog catalog = app::load_catalog(scenario::data_folder("kernels"), &budget);
  app::LadderTimes times;
  if (subject->scenario)
    subject->times = app::kept(
        times.of(catalog, {subject->scenario->name, prepared.setup.values, nullptr, nullptr}, measurements));
  if (const auto* peaks = measurements.peaks(prepared.gpu->name, share::measured_of(*subject)))
    subject->peaks = std::make_shared<const measure::PeakRecord>(*peaks);
}

share::Subject subject_of(const RenderOptions& options, const scenario::Prepared& prepared) {
  Budget& budget = options.simulation.budget();
  share::Subject subject;
  subject.palette = options.theme == "dark" ? &scene::dark_palette() : &scene::light_palette();
  subject.strings = words_in(options.language);
  subject.scenario = scenario_of(options.target.target.what, budget);
  subject.simulation = simulation_of(prepared, subject.scenario.get(), options);
  subject.title = prepared.setup.name;
  if (subject.scenario) subject.title = scenario::in_language(subject.scenario->title, options.language);
  subject.with_reuse = options.reuse;
  subject.plot_view.map.array = options.array;
  const sim::Program& program = subject.simulation->program();
  const bool is_there = std::ranges::any_of(app::mapped_buffers(program), [&](int index) {
    return program.parameters[static_cast<std::size_t>(index)].name == options.array;
  });
  if (!options.array.empty() && !is_there)
    throw CommandFailure(kInputWrong, "--array: " + program.kernel +
                                          " has no array in global memory called '" + options.array + "'");
  add_plot_view(options, subject, &subject.plot_view);
  using app::MapScope;
  subject.plot_view.map.scope = options.scope == "warp" ? MapScope::Warp : MapScope::Block;
  if (options.view == "comparison") add_beside(options, prepared, &subject);
  if (options.view == "profile") add_profile(options, prepared, &subject);
  if (options.view == "why" || options.view == "roofline") add_times(options, prepared, &subject);
  return subject;
}

// The views that the app exports, for a slide; those of measured times have no command line.
std::vector<std::string> view_names() {
  std::vector<std::string> names{"access"};
  for (const app::ShareRow& row : app::share_rows()) {
    const bool is_picture = row.formats.size() > 1 && row.formats[1] == ShareFormat::Svg;
    if (is_picture && row.what != ShareWhat::Times) names.emplace_back(row.name);
  }
  return names;
}

// "access": the panel of the memory looked at; which of the two that is, is known when it is simulated.
const app::ShareRow& row_named(const std::string& name) {
  if (name == "access") return app::row_of(ShareWhat::Global);
  return *std::ranges::find(app::share_rows(), name, &app::ShareRow::name);
}

ShareFormat format_of(const RenderOptions& options, const app::ShareRow& row) {
  const bool is_set = row.what == ShareWhat::Steps;
  for (const ShareFormat format : row.formats) {
    const bool is_picture = format == ShareFormat::Png || format == ShareFormat::Svg;
    if (options.file.ends_with(app::extension_of(format)) && !(is_set && is_picture)) return format;
  }
  if (is_set && options.file.ends_with(".mp4"))
    throw CommandFailure(
        kInputWrong, "-o " + options.file +
                         ": MP4 is not written: -o FILE.gif is a film, -o FOLDER has its pictures as PNG");
  if (is_set) return options.set_format == "svg" ? ShareFormat::Svg : ShareFormat::Png;  // -o names a folder
  throw CommandFailure(kInputWrong, "-o " + options.file + ": --view " + options.view + " is written as " +
                                        language::joined(row.formats, ", ", app::extension_of));
}

void render_view(const RenderOptions& options) {
  const app::ShareRow& row = row_named(options.view);
  share::Order order{row.what, format_of(options, row), {}, options.file};
  if (row.what == ShareWhat::Source && order.format == ShareFormat::Csv)
    throw CommandFailure(kInputWrong, "-o " + options.file + ": warplens-cli report --csv writes this table");
  std::error_code unknown;
  if (row.what == ShareWhat::Steps && std::filesystem::is_directory(options.file, unknown))
    throw CommandFailure(kInputWrong,
                         "-o " + options.file + ": is there already; a folder of its own is needed");
  const scenario::Prepared prepared = prepare_target(options.target.target, options.simulation);
  app::predict_for(*prepared.gpu);  // the landscape compiles by itself
  share::Source source;
  source.subject = subject_of(options, prepared);
  if (options.view == "access") {
    if (views::looks_at_shared(*source.subject.simulation)) order.what = ShareWhat::Shared;
    source.subject.whole = !place_of(options.target.target, options.simulation.budget()).wavefront;
  }
  source.whole = source.subject.simulation;
  if (options.predict)
    source.subject.simulation = app::visible(source.whole, {.costs = true, .lanes = false, .rest = true});
  source.name = prepared.setup.name;
  Budget& budget = options.simulation.budget();
  const share::Result result = share::carry_out(order, source, budget, nullptr);
  if (budget.stopped() != StopReason::None) throw failure_of(budget.why(Stage::Drawing));
  const bool limit = result.key == "share.too_many" || result.key == "share.stopped";
  const bool asked_wrongly = result.key == "share.nothing" || result.key == "share.hidden";
  if (!result.key.empty())
    throw CommandFailure(limit           ? kLimitHit
                         : asked_wrongly ? kInputWrong
                                         : kMachineCannot,
                         source.subject.strings(result.key, {{"words", result.words}}));
}

// What a pasted target says and no option does.
void take_place(RenderOptions* options) {
  const scenario::Permalink place = place_of(options->target.target, options->simulation.budget());
  if (place.block && options->block.empty()) options->block = comma_list(*place.block);
  if (options->warp < 0) options->warp = place.warp.value_or(0);
  if (place.access && options->step < 0) options->step = *place.access - 1;
}

ExitCode run_render(const RenderOptions& asked) {
  RenderOptions options = asked;
  take_place(&options);
  if ((options.view == "comparison") != !options.against.empty())
    throw CommandFailure(kInputWrong, "--view comparison and --against TARGET go together");
  if ((options.view == "profile") != !options.profile.empty())
    throw CommandFailure(kInputWrong, "--view profile and --profile FILE go together");
  if (options.view != "steps") require_place(options.file);
  std::error_code unknown;
  const bool was_there = std::filesystem::exists(options.file, unknown);
  if (options.view != "steps" || !was_there) require_place(options.file);
  render_view(options);
  if (was_there) warn(options.file + " was there and has been replaced");
  return kDone;
}

}  // namespace

void add_render(Program& program) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* command =
      program.app.add_subcommand("render", "Draw a view of a target, with caption and provenance");
  options->target.add_to(*command);
  options->simulation.add_to(*command, false);
  command
      ->add_option("-o,--output", options->file, "FILE.svg or FILE.png; --view steps: a folder or FILE.gif")
      ->required();
  add_choice(*command, "--view", &options->view, view_names(),
             "access: the memory panel alone; slide: with source and verdict; steps: a slide of every "
             "access; comparison: beside another target; any other name: that view")
      ->capture_default_str();
  command->add_flag("--predict", options->predict, "Ask a question: show no costs, sectors or banks");
  command->add_flag("--reuse", options->reuse,
                    "Colour the sectors of global memory by who touched them before: this warp, or "
                    "another warp of its block");
  command->add_option("--against", options->against,
                      "Side A of --view comparison: a target, with its parameters as 'warplens:...'");
  command->add_option("--profile", options->profile, "The output of ncu --csv, for --view profile");
  command->add_option("--launch", options->launch, "The ID of its launch; default: the first that fits");
  command->add_option("--array", options->array, "The array of --view matrix; default: that of the access");
  add_choice(*command, "--scope", &options->scope, {"warp", "block"},
             "Whose visits --view matrix counts: warp or block")
      ->capture_default_str();
  command
      ->add_option("--axes", options->axes,
                   "The two parameters of --view landscape; default: those that the scenario is about")
      ->expected(2);
  add_choice(*command, "--of", &options->measure, {"wavefronts", "sectors"},
             "What --view landscape counts; default: wavefronts if there are any");
  add_choice(*command, "--as", &options->set_format, {"png", "svg"},
             "The format of --view steps in a folder: png or svg")
      ->capture_default_str();
  add_number(*command, "--step", &options->step, 0, kMostNumber,
             "The access of the warp, from 0; default: its costliest");
  command->add_option("--blocks", options->block, "The block's index X,Y,Z; default: 0,0,0");
  add_number(*command, "--warp", &options->warp, 0, kMostNumber, "The warp, from 0; default: 0");
  add_choice(*command, "--theme", &options->theme, {"light", "dark"}, "light or dark")->capture_default_str();
  add_language(*command, &options->language);
  program.runs(command, options, run_render);
}

}  // namespace warplens::cli
