// Every view of a target as a picture, with caption and provenance.
#include <algorithm>
#include <map>
#include <memory>

#include "app/cli/target.h"
#include "app/derive/comparison.h"
#include "app/language/joined.h"
#include "app/share/export.h"
#include "app/simulate/pricing.h"
#include "app/simulate/simulation.h"
#include "app/source/programs.h"
#include "app/storage/teaching_files.h"
#include "app/views/profile.h"
#include "app/views/roofline.h"

namespace warplens::cli {

namespace {

using app::ShareFormat;
using app::ShareWhat;

struct RenderOptions : CommonOptions {
  std::string file, block, theme = "light", size = "1200x600", view = "access", set_format = "png", against,
                           array, scope = "block", measure, profile, launch;
  std::vector<std::string> axes;
  int step = -1, warp = -1;
  bool predict = false, reuse = false;
};

struct Size {
  float width = 0, height = 0;
};

Size parse_size(const std::string& text) {
  const sim::Dim3 size = value_of(scenario::parse_extents(text, "--size"));
  if (size.x < 320 || size.y < 200 || size.x > 8192 || size.y > 8192 || size.z != 1) {
    throw CommandFailure(kInputWrong, "--size " + text + ": from 320x200 to 8192x8192");
  }
  return {static_cast<float>(size.x), static_cast<float>(size.y)};
}

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
  app::AccessId access;
  access.any = false;
  access.number = choose_step(*app::price_warp(*compiled, trace, options.warp, budget).events, options);
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

std::vector<app::ParameterDifference> parameter_differences(const scenario::ParameterValues& a,
                                                            const scenario::ParameterValues& b) {
  std::map<std::string, app::ParameterDifference> differences;
  for (const auto& [name, value] : a) differences[name].a = value;
  for (const auto& [name, value] : b) differences[name].b = value;
  std::vector<app::ParameterDifference> out;
  for (auto& [name, difference] : differences) {
    difference.name = name;
    if (difference.a != difference.b) out.push_back(difference);
  }
  return out;
}

// A of A│B, at the access that comes closest to B's.
void add_beside(const RenderOptions& options, const scenario::Prepared& prepared, share::Subject* subject) {
  Budget& budget = options.simulation.budget();
  scenario::Target target;
  target.what = options.against;
  const scenario::Prepared prepared_a = prepare_target(target, options.simulation);
  const auto name = app::name_of(*subject->simulation, subject->simulation->place.event);
  auto beside = std::make_shared<share::Beside>();
  beside->a = counted(*app::simulation_of(compiled_of(prepared_a, nullptr, budget),
                                          trace_for(prepared_a, options), options.warp, name, 0, budget),
                      prepared_a, options);
  subject->simulation = counted(*subject->simulation, prepared, options);
  app::Comparison& c = beside->comparison;
  c.parameters = parameter_differences(prepared_a.setup.values, prepared.setup.values);
  c.lines = app::line_differences(prepared_a.setup.compile.text, prepared.setup.compile.text);
  app::compare_accesses(*beside->a, *subject->simulation, &c);
  beside->rows = views::comparison_table({&c, beside->a.get(), subject->simulation.get(), nullptr, nullptr},
                                         subject->strings);
  const auto words = [&](bool is_a, const std::string& what, const scenario::Prepared& side) {
    const auto scenario = scenario_of(what, budget);
    views::SideWords out =
        views::side_words(c, is_a, scenario.get(), false, options.language, subject->strings);
    if (out.name.empty()) out.name = side.setup.name;
    return out;
  };
  beside->words_a = words(true, options.against, prepared_a);
  beside->words_b = words(false, options.target.target.what, prepared);
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
  auto profile = value_of(app::load_profile(options.profile, options.simulation.budget()));
  subject->simulation = counted(*subject->simulation, prepared, options);
  const views::ProfileReading reading = views::read_beside(profile, *subject->simulation, options.launch);
  if (!reading.trouble.empty()) throw CommandFailure(kInputWrong, reading.trouble);
  subject->profile = std::move(profile);
  subject->plot_view.launch = options.launch;
}

// What --view why stands beside: the same launch as recorded, and what its GPU can do at most.
void add_recorded(const RenderOptions& options, const scenario::Prepared& prepared, share::Subject* subject) {
  subject->simulation = counted(*subject->simulation, prepared, options);
  RecordedLaunch recorded = recorded_launch(prepared);
  if (recorded.launch) {
    app::RungTime launch;
    launch.current = true, launch.measurement = &*recorded.launch;
    subject->times = app::kept({launch});
  }
  if (recorded.peaks)
    subject->peaks = std::make_shared<const measure::PeakRecord>(std::move(*recorded.peaks));
}

// The target's ladder as recorded: of the packs that come with the program.
void add_roofline(const RenderOptions& options, const scenario::Prepared& prepared, share::Subject* subject) {
  if (!subject->scenario) throw CommandFailure(kInputWrong, "--view roofline: the target is on no ladder");
  Budget& budget = options.simulation.budget();
  const app::Catalog catalog = app::load_catalog(scenario::data_folder("kernels"), &budget);
  app::Measurements measurements;
  auto packs = measure::load_packs(scenario::data_folder("assets") / "recorded", &budget);
  if (packs) measurements.packs = std::move(*packs.value);
  app::LadderTimes times;
  const app::Settings settings{subject->scenario->name, prepared.setup.values, nullptr, nullptr};
  subject->times = app::kept(times.of(catalog, settings, measurements));
  const std::string nothing = views::roofline_view(*subject->times, subject->strings).nothing;
  if (!nothing.empty()) throw CommandFailure(kInputWrong, nothing);
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
  add_plot_view(options, subject, &subject.plot_view);
  using app::MapScope;
  subject.plot_view.map.scope = options.scope == "warp" ? MapScope::Warp : MapScope::Block;
  if (options.view == "comparison") add_beside(options, prepared, &subject);
  if (options.view == "profile") add_profile(options, prepared, &subject);
  if (options.view == "why") add_recorded(options, prepared, &subject);
  if (options.view == "roofline") add_roofline(options, prepared, &subject);
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

const app::ShareRow& row_named(const std::string& name) {
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
  const share::Order order{row.what, format_of(options, row), {}, options.file};
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

// The memory panel of the access alone, of any size.
void render_access(const RenderOptions& options) {
  const bool svg = options.file.ends_with(".svg");
  if (!svg && !options.file.ends_with(".png"))
    throw CommandFailure(kInputWrong, "-o " + options.file + ": FILE.svg or FILE.png is needed");
  const Size size = parse_size(options.size);
  share::Subject subject = subject_of(options, prepare_target(options.target.target, options.simulation));
  Budget& budget = options.simulation.budget();
  subject.whole = !place_of(options.target.target, budget).wavefront;
  share::add_reuse(&subject, budget);
  gl::Offscreen offscreen;
  const std::string error =
      share::write_scene(share::access_page(subject, size.width, size.height), *subject.palette,
                         svg ? ShareFormat::Svg : ShareFormat::Png, 1, options.file, offscreen, budget);
  if (!error.empty()) throw CommandFailure(kMachineCannot, error);
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
  if (options.predict && options.view == "access")
    throw CommandFailure(kInputWrong,
                         "--predict: not of --view access; --view slide asks with the source beside it");
  if ((options.view == "comparison") != !options.against.empty())
    throw CommandFailure(kInputWrong, "--view comparison and --against TARGET go together");
  if ((options.view == "profile") != !options.profile.empty())
    throw CommandFailure(kInputWrong, "--view profile and --profile FILE go together");
  if (options.view != "steps") require_place(options.file);
  std::error_code unknown;
  const bool was_there = std::filesystem::exists(options.file, unknown);
  if (options.view != "steps" || !was_there) require_place(options.file);
  if (options.view == "access")
    render_access(options);
  else
    render_view(options);
  if (was_there) warn(options.file + " was there and has been replaced");
  return kDone;
}

}  // namespace

void add_render(Program& program) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* command =
      program.app.add_subcommand("render", "A view of a target as a picture, with caption and provenance");
  options->target.add_to(*command);
  options->simulation.add_to(*command, false);
  command
      ->add_option("-o,--output", options->file, "FILE.svg or FILE.png; of --view steps a folder or FILE.gif")
      ->required();
  add_choice(*command, "--view", &options->view, view_names(),
             "access: the memory picture alone; slide: with source and verdict; steps: a slide of every "
             "access; comparison: beside another target; or one panel")
      ->capture_default_str();
  command->add_flag("--predict", options->predict,
                    "Ask instead of telling: no costs, sectors or banks; not of --view access");
  command->add_flag("--reuse", options->reuse,
                    "Global memory tells who touched its sectors before: this warp, its block, a block that "
                    "shares the multiprocessor");
  command->add_option("--against", options->against,
                      "A of --view comparison: a target, with its parameters as 'warplens:...'");
  command->add_option("--profile", options->profile, "What ncu --csv printed, for --view profile");
  command->add_option("--launch", options->launch, "Its launch with this ID; left out: the first that fits");
  command->add_option("--array", options->array, "The array of --view matrix; left out: that of the access");
  add_choice(*command, "--scope", &options->scope, {"warp", "block"},
             "Whose visits --view matrix counts: warp or block")
      ->capture_default_str();
  command
      ->add_option("--axes", options->axes,
                   "The two parameters of --view landscape; left out: those that the scenario is about")
      ->expected(2);
  add_choice(*command, "--of", &options->measure, {"wavefronts", "sectors"},
             "What --view landscape counts; left out: what tells most");
  add_choice(*command, "--as", &options->set_format, {"png", "svg"},
             "png or svg, of --view steps in a folder")
      ->capture_default_str();
  add_number(*command, "--step", &options->step, 0, kMostNumber,
             "The access of the warp, from 0; left out: its costliest");
  command->add_option("--blocks", options->block, "The block's index X,Y,Z; left out: 0,0,0");
  add_number(*command, "--warp", &options->warp, 0, kMostNumber, "The warp, from 0; left out: 0");
  command->add_option("--size", options->size, "Of the picture's inside, in pixels")->capture_default_str();
  add_choice(*command, "--theme", &options->theme, {"light", "dark"}, "light or dark")->capture_default_str();
  add_language(*command, &options->language);
  program.runs(command, options, run_render);
}

}  // namespace warplens::cli
