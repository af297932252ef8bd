// The picture of one access of a target, as SVG or PNG, with caption and provenance.
#include <memory>

#include "app/cli/number_option.h"
#include "app/cli/place.h"
#include "app/cli/target_options.h"
#include "app/cli/watch.h"
#include "app/language/languages.h"
#include "app/language/strings.h"
#include "app/scene/file/raster.h"
#include "app/scene/file/svg.h"
#include "app/scene/memory/step.h"
#include "app/scene/views.h"
#include "app/share/export.h"
#include "app/simulate/pricing.h"
#include "sim/file/whole_file.h"
#include "sim/memory/cost.h"

namespace warplens::cli {

namespace {

struct Options {
  TargetOptions target;
  SimulationOptions simulation;
  std::string file, block, language = "en", theme = "light", size = "1200x600", view = "access",
                           set_format = "png";
  int step = -1, warp = -1;
  bool predict = false;
};

struct Size {
  float width = 0, height = 0;
};

Size parse_size(const std::string& text) {
  const auto extents = scenario::parse_extents(text, "--size");
  if (!extents) throw CommandFailure(kInputWrong, extents.errors);
  const warp::Dim3 size = *extents.value;
  if (size.x < 320 || size.y < 200 || size.x > 8192 || size.y > 8192 || size.z != 1) {
    throw CommandFailure(kInputWrong, "--size " + text + ": from 320x200 to 8192x8192");
  }
  return {static_cast<float>(size.x), static_cast<float>(size.y)};
}

// Left out: the access that costs most beyond its ideal, the first of them.
std::size_t choose_step(const scenario::Prepared& prepared, const warp::Trace& trace,
                        const Options& options) {
  const auto warp = static_cast<std::size_t>(options.warp);
  const std::size_t steps = warp < trace.warp_events.size() ? trace.warp_events[warp].size() : 0;
  const std::string who = "warp " + std::to_string(options.warp);
  warp_index(options.warp, prepared.setup.launch.block.count());
  if (steps == 0) throw CommandFailure(kInputWrong, who + " accesses no memory: there is nothing to picture");
  if (options.step >= static_cast<int>(steps)) {
    throw CommandFailure(kInputWrong, "--step " + std::to_string(options.step) + ": " + who + " has " +
                                          std::to_string(steps) + " accesses, from 0");
  }
  if (options.step >= 0) return static_cast<std::size_t>(options.step);
  std::size_t costliest = 0;
  int most = -1;
  Pace pace(options.simulation.budget(), Stage::Drawing);
  for (std::size_t step = 0; step < steps; ++step) {
    pace.step();
    const memory::Cost c =
        memory::cost(*prepared.gpu, trace.access(prepared.program, trace.warp_events[warp][step]));
    const int beyond = c.sectors - c.ideal_sectors + c.wavefronts - c.ideal_wavefronts;
    if (beyond > most) most = beyond, costliest = step;
  }
  return costliest;
}

// Of a pasted target, from 0.
int wavefront_of(const Options& options) {
  return place_of(options.target.target, options.simulation.budget()).wavefront.value_or(1) - 1;
}

void check_wavefront(int wavefront, int count) {
  if (wavefront >= count)
    throw CommandFailure(kInputWrong, "#wavefront=" + std::to_string(wavefront + 1) + ": the access has " +
                                          std::to_string(count) + ", from 1");
}

// What padding may be written with: template arguments, macros and the scenario's parameters.
std::map<std::string, std::int64_t> names_of(const scenario::Setup& setup) {
  std::map<std::string, std::int64_t> names = scene::constants_of(setup.compile);
  names.insert(setup.values.begin(), setup.values.end());
  return names;
}

scene::Scene access_scene(const scenario::Prepared& prepared, const warp::Trace& trace, std::size_t event,
                          const scene::Canvas& canvas) {
  const memory::WarpAccess access = trace.access(prepared.program, event);
  const warp::AccessSite& site = prepared.program.sites[trace.events[event].site];
  if (access.space == memory::Space::Global) {
    return scene::global_scene(scene::global_view_of(prepared.program, *prepared.gpu, site, access), canvas);
  }
  scene::BankView view =
      scene::bank_view_of(prepared.program, *prepared.gpu, site, access, names_of(prepared.setup));
  view.wavefront = memory::cost(*prepared.gpu, access).wavefronts;  // all of them are done
  return scene::bank_scene(view, canvas);
}

std::string extents_text(const warp::Dim3& dim) {
  return std::to_string(dim.x) + " x " + std::to_string(dim.y) + " x " + std::to_string(dim.z);
}

scene::SvgOptions captions(const scenario::Prepared& prepared, const warp::Trace& trace,
                           const Options& options, std::size_t step, const language::Strings& strings) {
  const auto& events = trace.warp_events[static_cast<std::size_t>(options.warp)];
  const warp::AccessSite& site = prepared.program.sites[trace.events[events[step]].site];
  scene::SvgOptions svg;
  svg.caption = strings("render.caption",
                        {{"kernel", prepared.program.kernel},
                         {"line", std::to_string(site.range.begin.line)},
                         {"text", site.text},
                         {"block", std::to_string(trace.block.x) + "," + std::to_string(trace.block.y) + "," +
                                       std::to_string(trace.block.z)},
                         {"warp", std::to_string(options.warp)},
                         {"step", std::to_string(step)},
                         {"last", std::to_string(events.size() - 1)}});
  std::string arguments;
  for (const auto& [name, value] : prepared.setup.values)
    arguments += ", " + name + " = " + std::to_string(value);
  svg.provenance = strings("render.provenance", {{"gpu", std::string(prepared.gpu->name)},
                                                 {"version", WARPLENS_VERSION},
                                                 {"grid", extents_text(prepared.setup.launch.grid)},
                                                 {"block", extents_text(prepared.setup.launch.block)},
                                                 {"values", arguments}});
  return svg;
}

warp::Trace trace_for(const scenario::Prepared& prepared, const Options& options) {
  warp::Limits limits = options.simulation.limits();
  const warp::Dim3 index =
      options.block.empty() ? warp::Dim3{0, 0, 0} : block_index(options.block, prepared.setup.launch.grid);
  warp::Trace trace;
  {
    const Watch watch(limits);
    trace = warp::trace_block(prepared.program, prepared.setup.launch, *prepared.gpu, index, limits);
  }
  if (trace.error) fail_run(prepared, *trace.error);
  return trace;
}

void write_picture(const Options& options, const scene::Scene& picture, const scene::Palette& palette,
                   const scene::SvgOptions& captions) {
  std::string error;
  if (options.file.ends_with(".svg")) {
    error = file::write_whole(options.file, scene::write_svg(picture, palette, captions), {.to_pipes = true})
                .words;
  } else {
    const scene::Image image = scene::rasterize(scene::compose({&picture, 1}, palette, captions), 1,
                                                palette.window, &error, options.simulation.budget());
    if (image.width > 0) scene::write_png(options.file, image, &error, options.simulation.budget());
  }
  if (!error.empty()) throw CommandFailure(kMachineCannot, error);
}

// The views that the app exports, for a slide.
const std::map<std::string, session::ShareWhat>& views() {
  using session::ShareWhat;
  static const std::map<std::string, ShareWhat> kViews{
      {"slide", ShareWhat::Slide}, {"global", ShareWhat::Global}, {"shared", ShareWhat::Shared},
      {"map", ShareWhat::Map},     {"source", ShareWhat::Source}, {"lanes", ShareWhat::Lanes},
      {"steps", ShareWhat::Steps}};
  return kViews;
}

session::ShareFormat format_of(const Options& options, session::ShareWhat what) {
  using session::ShareFormat;
  const auto& formats = session::row_of(what).formats;
  std::string known;
  for (const ShareFormat format : formats) {
    const std::string extension = session::extension_of(format);
    if (options.file.ends_with(extension)) {
      if (what == session::ShareWhat::Steps && (format == ShareFormat::Png || format == ShareFormat::Svg))
        continue;
      return format;
    }
    known += (known.empty() ? "" : ", ") + extension;
  }
  if (what == session::ShareWhat::Steps)
    return options.set_format == "svg" ? ShareFormat::Svg : ShareFormat::Png;  // -o names a folder
  throw CommandFailure(kInputWrong,
                       "-o " + options.file + ": --view " + options.view + " is written as " + known);
}

share::Subject subject_of(const Options& options, const scenario::Prepared& prepared,
                          std::shared_ptr<const warp::Trace> trace, std::size_t step) {
  auto compiled =
      std::make_shared<session::Compiled>(std::make_shared<const warp::Program>(prepared.program));
  compiled->setup = prepared.setup;
  compiled->gpu = prepared.gpu;
  session::AccessName access;
  access.any = false;
  access.number = static_cast<int>(step);
  share::Subject subject;
  const int wavefront = wavefront_of(options);
  subject.simulation = session::simulation_of(compiled, std::move(trace), options.warp, access, wavefront,
                                              options.simulation.budget());
  check_wavefront(wavefront, subject.simulation->wavefronts_of(subject.simulation->place.event));
  subject.palette = options.theme == "dark" ? &scene::dark_palette() : &scene::light_palette();
  std::string error;
  subject.strings =
      language::Strings::load(scenario::data_folder("assets") / "languages", options.language, &error);
  if (!error.empty()) throw CommandFailure(kInputWrong, error);
  subject.title = prepared.setup.name;
  if (auto scenario = scenario::find_scenario(options.target.target.what, &options.simulation.budget())) {
    subject.title = scenario::in_language(scenario.value->title, options.language);
    subject.scenario = std::make_shared<const scenario::Scenario>(std::move(*scenario.value));
  }
  return subject;
}

void render_view(const Options& options) {
  const session::ShareWhat what = views().at(options.view);
  share::Order order{what, format_of(options, what), {}, options.file};
  const scenario::Prepared prepared = prepare_target(options.target.target, options.simulation);
  auto trace = std::make_shared<const warp::Trace>(trace_for(prepared, options));
  const std::size_t step = choose_step(prepared, *trace, options);
  share::Source source;
  source.subject = subject_of(options, prepared, std::move(trace), step);
  source.name = prepared.setup.name;
  source.subject.hidden.costs = options.predict;
  if (what == session::ShareWhat::Source && order.format == session::ShareFormat::Csv)
    throw CommandFailure(kInputWrong, "-o " + options.file + ": warplens-cli report --csv writes this table");
  std::error_code unknown;
  if (what == session::ShareWhat::Steps && std::filesystem::is_directory(options.file, unknown))
    throw CommandFailure(kInputWrong,
                         "-o " + options.file + ": is there already; a folder of its own is needed");
  Budget& budget = options.simulation.budget();
  const share::Result result = share::carry_out(order, source, budget, nullptr);
  if (budget.stopped() != StopReason::None) throw failure_of(budget.why(Stage::Drawing));
  const bool limit = result.key == "share.too_many" || result.key == "share.stopped";
  if (!result.key.empty())
    throw CommandFailure(limit ? kLimitHit : kMachineCannot,
                         source.subject.strings(result.key, {{"words", result.words}}));
}

// What a pasted target says and no option does.
void take_place(Options* options) {
  const scenario::ShortText place = place_of(options->target.target, options->simulation.budget());
  if (place.block && options->block.empty())
    options->block = std::to_string(place.block->x) + "," + std::to_string(place.block->y) + "," +
                     std::to_string(place.block->z);
  if (options->warp < 0) options->warp = place.warp.value_or(0);
  if (place.access && options->step < 0) options->step = *place.access - 1;
}

void render_access(const Options& options);

ExitCode run_render(Options options) {
  take_place(&options);
  if (options.predict && options.view == "access")
    throw CommandFailure(kInputWrong,
                         "--predict: not of --view access; --view slide asks with the source beside it");
  std::error_code unknown;
  const bool was_there = std::filesystem::exists(options.file, unknown);
  if (options.view == "access") {
    render_access(options);
  } else {
    render_view(options);
  }
  if (was_there) warn(options.file + " was there and has been replaced");
  return kDone;
}

void render_access(const Options& options) {
  if (!options.file.ends_with(".svg") && !options.file.ends_with(".png")) {
    throw CommandFailure(kInputWrong, "-o " + options.file + ": FILE.svg or FILE.png is needed");
  }
  const Size size = parse_size(options.size);
  const scenario::Prepared prepared = prepare_target(options.target.target, options.simulation);
  std::string error;
  const auto strings =
      language::Strings::load(scenario::data_folder("assets") / "languages", options.language, &error);
  if (!error.empty()) throw CommandFailure(kInputWrong, error);
  const warp::Trace trace = trace_for(prepared, options);
  const std::size_t step = choose_step(prepared, trace, options);
  const scene::Palette& palette = options.theme == "dark" ? scene::dark_palette() : scene::light_palette();
  scene::Canvas canvas;
  canvas.width = size.width;
  canvas.height = size.height;
  canvas.palette = &palette;
  canvas.strings = &strings;
  const std::size_t event = trace.warp_events[static_cast<std::size_t>(options.warp)][step];
  const memory::WarpAccess access = trace.access(prepared.program, event);
  const bool shared = access.space == memory::Space::Shared;
  check_wavefront(wavefront_of(options),
                  shared ? std::max(memory::cost(*prepared.gpu, access).wavefronts, 1) : 1);
  write_picture(options, access_scene(prepared, trace, event, canvas), palette,
                captions(prepared, trace, options, step, strings));
}

}  // namespace

Command add_render(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("render", "The picture of one access, with caption and provenance");
  options->target.add_to(*command);
  options->simulation.add_to(*command, false);
  command
      ->add_option("-o,--output", options->file,
                   "FILE.svg or FILE.png; of --view steps a folder, FILE.gif or FILE.mp4")
      ->required();
  command
      ->add_option(
          "--view", options->view,
          "access: the memory picture alone; slide: with source and verdict; steps: a slide of every "
          "access; or one panel")
      ->check(CLI::IsMember({"access", "slide", "global", "shared", "map", "source", "lanes", "steps"}))
      ->capture_default_str();
  command->add_flag("--predict", options->predict,
                    "Ask instead of telling: no costs, sectors or banks; not of --view access");
  command->add_option("--as", options->set_format, "png or svg, of --view steps in a folder")
      ->check(CLI::IsMember({"png", "svg"}))
      ->capture_default_str();
  add_number(*command, "--step", &options->step, 0, kMostNumber,
             "The access of the warp, from 0; left out: its costliest");
  command->add_option("--blocks", options->block, "The block's index X,Y,Z; left out: 0,0,0");
  add_number(*command, "--warp", &options->warp, 0, kMostNumber, "The warp, from 0; left out: 0");
  command->add_option("--size", options->size, "Of the picture's inside, in pixels")->capture_default_str();
  command->add_option("--theme", options->theme, "light or dark")
      ->check(CLI::IsMember({"light", "dark"}))
      ->capture_default_str();
  command->add_option("--lang", options->language, language::language_choice())
      ->check(CLI::IsMember(language::languages()))
      ->capture_default_str();
  return {command, [options] { return run_render(*options); }};
}

}  // namespace warplens::cli
