// The landscape of two parameters.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/picture/pictures.h"
#include "app/scene/plot/landscape.h"

namespace warplens::picture {
namespace {

using app::Landscape;
using app::LandscapeCounts;
using app::LandscapeScale;
using language::Strings;

scene::Scene empty_plot(const scene::Canvas& canvas, std::string title, std::string why) {
  scene::Scene scene;
  scene.width = canvas.width, scene.height = canvas.height;
  scene.title = std::move(title);
  scene.nothing = std::move(why);
  return scene;
}

std::string count_text(std::uint64_t count) {
  return language::grouped(static_cast<long long>(count));
}

// "2", "2.5", "1,048,576".
std::string value_text(double value) {
  if (value == std::floor(value)) return language::grouped(static_cast<long long>(value));
  char figure[32];
  std::snprintf(figure, sizeof figure, value < 10 ? "%.2f" : "%.1f", value);
  std::string text = figure;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string two_places(double value) {
  return value_text(std::round(100 * value) / 100);
}

std::string name_of(const app::LandscapeAxis& axis, const Strings& strings) {
  return scenario::in_language(axis.parameter->label, strings.language());
}

// A value as the scenario writes it: "float4".
std::string text_of(const app::LandscapeAxis& axis, std::int64_t value) {
  const scenario::ScenarioParameter& parameter = *axis.parameter;
  for (std::size_t i = 0; i < parameter.choices.size() && i < parameter.texts.size(); ++i) {
    if (parameter.choices[i] == value) return parameter.texts[i];
  }
  return std::to_string(value);
}

std::string pair_text(const Landscape& landscape, std::size_t cell, const Strings& strings) {
  const app::LandscapePlan& plan = landscape.plan;
  const app::CellValues values = plan.values_of(cell);
  return strings("landscape.pair", {{"x", name_of(plan.x, strings)},
                                    {"xv", text_of(plan.x, values.x)},
                                    {"y", name_of(plan.y, strings)},
                                    {"yv", text_of(plan.y, values.y)}});
}

std::string measure_text(const Landscape& landscape, const Strings& strings) {
  return strings("landscape.of." + std::to_string(static_cast<int>(landscape.measure)));
}

// "1,048,576 wavefronts in the whole grid", "1 sector a request".
std::string count_words(app::LandscapeMeasure measure, double value, const Strings& strings) {
  const std::string key = "landscape.count." + std::to_string(static_cast<int>(measure));
  return strings(value == 1 ? key + ".one" : key, {{"n", two_places(value)}});
}

// "1 sector per 32 bytes", of those that lanes access; "31,250 sectors per million operations".
std::string per_work_words(const Landscape& landscape, double value, const Strings& strings) {
  const std::string unit = is_of_shared(landscape.measure) ? "wavefronts" : "sectors";
  if (landscape.by == LandscapeScale::PerOperation)
    return strings("landscape.per.operations." + unit, {{"n", two_places(value)}});
  const std::string n = two_places(value);
  return strings("landscape.per." + unit + (n == "1" ? ".one" : ""), {{"n", n}});
}

const LandscapeCounts& best_of(const Landscape& landscape) {
  return landscape.cells[static_cast<std::size_t>(landscape.best)];
}

// Why the best cell is as good as it is: what follows from its counts, and no more.
std::string reason(const Landscape& landscape, const Strings& strings) {
  const LandscapeCounts& best = best_of(landscape);
  const double value = value_of(best, landscape.measure), ideal = ideal_of(best, landscape.measure);
  const std::string times = two_places(value / std::max(ideal, 1e-9));
  if (!is_of_shared(landscape.measure))
    return value <= ideal ? strings("landscape.why.ideal") : strings("landscape.why.sectors", {{"n", times}});
  if (best.shared.bank_conflicts > 0) return strings("landscape.why.conflicts", {{"n", times}});
  const int banks = best.row_words % 32;
  if (banks == 0) return strings("landscape.why.free");
  return strings(
      banks == 1 ? "landscape.why.row.one" : "landscape.why.row",
      {{"array", best.array}, {"words", std::to_string(best.row_words)}, {"n", std::to_string(banks)}});
}

// How many are as good as the best, with it.
std::ptrdiff_t as_good(const Landscape& landscape) {
  return std::count_if(landscape.cells.begin(), landscape.cells.end(), [&](const auto& cell) {
    return cell.state == LandscapeCounts::State::Counted && !is_better(landscape, best_of(landscape), cell);
  });
}

// The ending of the keys that speak of a scale.
std::string scale_key(const Landscape& landscape) {
  constexpr const char* kEndings[] = {"", ".operations", ".bytes", ".ideal"};
  return kEndings[static_cast<std::size_t>(landscape.by)];
}

// "16", "1.5": how many times the ideal, or the least.
std::string factor_text(const Landscape& landscape, const LandscapeCounts& cell) {
  const double least = landscape.by == LandscapeScale::Ideal ? 1 : cost_of(landscape, best_of(landscape));
  return two_places(cost_of(landscape, cell) / std::max(least, 1e-9));
}
bool is_ideal(const Landscape& landscape, const LandscapeCounts& cell) {
  return value_of(cell, landscape.measure) <= ideal_of(cell, landscape.measure);
}
// A request at its ideal, or the least of all, or so near that no other number would be written.
bool is_best(const Landscape& landscape, const LandscapeCounts& cell) {
  return factor_text(landscape, cell) == "1";
}

// Few lanes are easily served: that is said of a request.
std::string lanes_words(const Landscape& landscape, const Strings& strings) {
  const double lanes = lanes_of(costliest_of(best_of(landscape), landscape.measure));
  if (landscape.by != LandscapeScale::Ideal || lanes > 31.9) return {};
  return strings("landscape.why.lanes", {{"n", two_places(lanes)}});
}

// The best cell, and why it is; while cells are counted, no more than what holds of those that are.
std::string sentence(const Landscape& landscape, const Strings& strings) {
  if (landscape.best < 0) return {};
  const LandscapeCounts& best = best_of(landscape);
  const double least = cost_of(landscape, best);
  const bool whole = landscape.done == landscape.cells.size(), ideal = is_ideal(landscape, best);
  const bool of_requests = landscape.by == LandscapeScale::Ideal;
  const std::string key = of_requests && ideal ? "landscape.ideal" : "landscape.least" + scale_key(landscape);
  const bool per_work =
      landscape.by == LandscapeScale::PerByte || landscape.by == LandscapeScale::PerOperation;
  const std::string count = per_work
                                ? per_work_words(landscape, least, strings)
                                : count_words(landscape.measure, value_of(best, landscape.measure), strings);
  std::string text =
      strings(whole ? key : key + ".so_far",
              {{"pair", pair_text(landscape, static_cast<std::size_t>(landscape.best), strings)},
               {"n", two_places(least)},
               {"count", count}});
  if (!whole) return text;
  const auto add = [&, space = strings.language() == "en" ? " " : ""](const std::string& more) {
    if (!more.empty()) text += space + more;
  };
  if (ideal || !of_requests) add(reason(landscape, strings));
  add(lanes_words(landscape, strings));
  const std::ptrdiff_t ties = as_good(landscape);
  if (ties == 2) add(strings("landscape.ties.one"));
  if (ties > 2) add(strings("landscape.ties", {{"n", std::to_string(ties - 1)}}));
  return text;
}

scene::LandscapeView view_of(const Landscape& landscape, const app::PlotView& plot, const Strings& strings) {
  const app::LandscapePlan& plan = landscape.plan;
  scene::LandscapeView view;
  const auto axis = [&](const app::LandscapeAxis& from, std::int64_t here) {
    scene::LandscapeView::Axis to;
    to.label = name_of(from, strings);
    for (const std::int64_t value : from.values) to.values.push_back(text_of(from, value));
    to.here = from.index_of(here);
    return to;
  };
  view.x = axis(plan.x, plan.here.x);
  view.y = axis(plan.y, plan.here.y);
  for (const LandscapeCounts& counts : landscape.cells) {
    scene::LandscapeCell cell;
    cell.state = static_cast<scene::LandscapeCell::State>(counts.state);
    if (counts.state == LandscapeCounts::State::Counted) cell.value = cost_of(landscape, counts);
    view.cells.push_back(cell);
  }
  view.best = landscape.best;
  view.pointed = plot.pointed ? plan.cell_of(*plot.pointed) : -1;
  view.factors = landscape.by == LandscapeScale::Count || landscape.by == LandscapeScale::PerOperation;
  view.ideals = !view.factors;
  view.nearest = landscape.by == LandscapeScale::Ideal;
  view.legend = strings("landscape.legend" + (landscape.by == LandscapeScale::PerByte
                                                  ? is_of_shared(landscape.measure) ? ".shared" : ".global"
                                                  : scale_key(landscape)),
                        {{"of", measure_text(landscape, strings)}});
  view.sentence = sentence(landscape, strings);
  return view;
}

// What the present settings are beside the least, or beside their ideal. Nothing ideal is called costly.
void answer(const Landscape& landscape, const Strings& strings, scene::Scene* scene) {
  const int here = landscape.plan.cell_of(landscape.plan.here);
  if (landscape.done < landscape.cells.size()) {
    scene->answer = strings("landscape.answer.counting", {{"done", count_text(landscape.done)},
                                                          {"total", count_text(landscape.cells.size())}});
  } else if (here >= 0 && landscape.best >= 0) {
    const LandscapeCounts& counts = landscape.cells[static_cast<std::size_t>(here)];
    if (counts.state == LandscapeCounts::State::Refused) {
      scene->answer = strings("landscape.answer.refused");
      return;
    }
    const bool best = is_best(landscape, counts);
    scene->answer_is_ideal = best, scene->answer_is_costly = !best && !is_ideal(landscape, counts);
    const std::string of = scale_key(landscape);
    scene->answer = best ? strings("landscape.answer.best" + of)
                         : strings("landscape.answer.factor" + of, {{"n", factor_text(landscape, counts)}});
  }
}

}  // namespace

scene::Scene landscape(const Inputs& in, const scene::Canvas& canvas) {
  const Strings& strings = *canvas.strings;
  if (in.plots == nullptr || !in.plots->landscape)
    return empty_plot(canvas, strings("landscape.plain_title"), strings("landscape.none"));
  const Landscape& landscape = *in.plots->landscape;
  scene::Scene scene = scene::landscape_scene(view_of(landscape, in.plot_view, strings), canvas);
  scene.title = strings("landscape.title", {{"x", name_of(landscape.plan.x, strings)},
                                            {"y", name_of(landscape.plan.y, strings)}});
  answer(landscape, strings, &scene);
  return scene;
}

std::string cell_words(const Landscape& landscape, int cell, const Strings& strings) {
  const auto index = static_cast<std::size_t>(cell);
  const LandscapeCounts& counts = landscape.cells[index];
  const std::string pair = pair_text(landscape, index, strings) + "\n";
  if (counts.state == LandscapeCounts::State::Waiting) return pair + strings("landscape.tip.waiting");
  if (counts.state == LandscapeCounts::State::Refused)
    return pair + strings("landscape.tip.refused", {{"reason", strings(counts.reason)}});
  using M = app::LandscapeMeasure;
  const bool shared = is_of_shared(landscape.measure);
  const M grid = shared ? M::Wavefronts : M::Sectors,
          request = shared ? M::WavefrontsARequest : M::SectorsARequest;
  std::string text =
      pair + strings("landscape.tip.counted", {{"count", count_words(grid, value_of(counts, grid), strings)},
                                               {"ideal", value_text(ideal_of(counts, grid))}});
  const std::string of = scale_key(landscape);
  text += "\n" + (is_best(landscape, counts)
                      ? strings("landscape.tip.least" + of)
                      : strings("landscape.tip.factor" + of, {{"n", factor_text(landscape, counts)}}));
  const app::CostliestAccess& costliest = costliest_of(counts, landscape.measure);
  if (costliest.totals.requests == 0) return text;
  return text + "\n" +
         strings("landscape.tip.request",
                 {{"line", std::to_string(costliest.line)},
                  {"text", costliest.text},
                  {"count", count_words(request, value_of(counts, request), strings)},
                  {"ideal", two_places(ideal_of(counts, request))}});
}

}  // namespace warplens::picture
