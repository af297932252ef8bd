// What every pair of values of two parameters costs: its picture, its words, and how it is worked out. See
// landscape.h.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/simulate/simulation.h"
#include "app/views/drawing.h"
#include "app/views/inputs.h"
#include "app/views/landscape.h"
#include "sim/base/numbers.h"

namespace warplens::views {

// ---- what it derives
namespace {

using language::Strings;

app::Made derive_landscape(const Deriving& on) {
  app::PlotView axes;
  axes.x = on.plot_view.x, axes.y = on.plot_view.y;
  const auto plan = on.memos.now<std::optional<LandscapePlan>>(
      std::pair(on.settings, axes), [&] { return plan_landscape(on.scenario, on.settings, axes); });
  if (!*plan) return {ViewId::Landscape};
  const auto kept = on.memos.grow<LandscapeCells>(
      **plan, [&] { return std::make_shared<LandscapeCells>((*plan)->size()); },
      [plan = **plan](LandscapeCells* cells, Budget& budget, std::atomic<double>* progress) {
        count_landscape(plan, cells, {.cancel = budget.allowance().cancel, .progress = progress});
        budget.check(Stage::Counting);
      },
      {.begins = !on.halted});
  const auto& here = (*plan)->here;
  const auto landscape = on.memos.now<Landscape>(
      std::tuple(kept.value, kept.value->done(), here.x, here.y, on.plot_view.measure),
      [&] { return landscape_of(**plan, *kept.value, on.plot_view.measure); });
  return {ViewId::Landscape, landscape, kept.busy};
}

}  // namespace

// ---- how it is drawn

namespace {

constexpr std::size_t kCellsLayer = 0, kMarksLayer = 1;
constexpr double kLogarithmicFrom = 4;  // times the least

// "1", "1.5", "16", "1.2k": three or four characters.
std::string brief_figure(double value) {
  if (value >= 9'950'000) return fixed(value / 1e6, 0) + "M";
  if (value >= 9'950) return fixed(value / 1e3, 0) + "k";
  return fixed(value, value < 9.95 && std::abs(value - std::round(value)) >= 0.05 ? 1 : 0);
}

class LandscapePicture {
 public:
  LandscapePicture(const LandscapeView& view, const Canvas& canvas)
      : view_(view), pen_(canvas), scale_(landscape_ramp(view)) {}

  Scene draw() {
    if (pen_.too_small() || view_.cells.empty()) return pen_.finish();
    lay_out();
    if (cell_.x < 1 || cell_.y < 1) return pen_.finish();
    pen_.scene().layers.resize(kMarksLayer + 1);
    for (int y = 0; y < rows(); ++y) {
      for (int x = 0; x < columns(); ++x) draw_cell(x, y);
    }
    draw_edges();
    draw_marks();
    draw_legend();
    draw_sentence();
    return pen_.finish();
  }

 private:
  int columns() const { return static_cast<int>(view_.x.values.size()); }
  int rows() const { return static_cast<int>(view_.y.values.size()); }
  float type() const { return pen_.size_of({}); }

  // Cells as large as fit, no wider than three times their height, in the middle of what is left.
  void lay_out() {
    float left = pen_.width_of(view_.y.label + " ↓", kBold);
    for (const std::string& value : view_.y.values) left = std::max(left, pen_.width_of(value, kCode));
    left += pen_.px(10);
    above_ = std::round(1.7f * type());
    lines_ = pen_.lines_of(view_.sentence, pen_.width(), {}, 2);
    const float below = (1.7f + 1.9f + 1.35f * static_cast<float>(lines_.size()) + 0.3f) * type();
    const float wide = pen_.width() - left - pen_.px(4), high = pen_.height() - above_ - below;
    cell_.x = std::floor(wide / static_cast<float>(columns()));
    cell_.y = std::floor(high / static_cast<float>(rows()));
    cell_.x = std::min(cell_.x, std::max(3 * cell_.y, std::ceil(2.6f * type())));
    cell_.y = std::min(cell_.y, std::max(2 * cell_.x, std::ceil(5 * type())));
    // All cells have figures, or none.
    figures_ = cell_.x >= pen_.width_of("8.8", kCode) + pen_.px(4) && cell_.y >= 1.25f * type() + 1;
    room_ = {left, above_, cell_.x * static_cast<float>(columns()), cell_.y * static_cast<float>(rows())};
  }

  Rect rect_of(int x, int y) const { return CellGrid{room_, cell_, 6}.of(y, x); }

  void draw_cell(int x, int y) {
    const Palette& p = pen_.palette();
    const int index = y * columns() + x;
    const LandscapeCell& cell = view_.cells[static_cast<std::size_t>(index)];
    const Rect r = rect_of(x, y);
    pen_.hot_spot({.rect = {r.x, r.y, cell_.x, cell_.y}, .index = index});
    if (cell.state == LandscapeCell::State::Waiting) {
      pen_.cell(kCellsLayer, r, p.cell).radius = radius();
    } else if (cell.state == LandscapeCell::State::Refused) {
      pen_.cell(kCellsLayer, r, mix(p.panel, p.cell, 0.5f))
          .rounded(radius())
          .hatched(std::round(pen_.px(6)), p.hatch);
    } else {
      const Color fill = landscape_color(p, scale_.part(cell.value));
      pen_.cell(kCellsLayer, r, fill).radius = radius();
      write(cell.value, r, fill);
    }
  }
  float radius() const { return std::min(3.0f, 0.2f * std::min(cell_.x, cell_.y)); }

  void write(double value, const Rect& r, const Color& fill) {
    const double best = view_.best >= 0 ? view_.cells[static_cast<std::size_t>(view_.best)].value : 1;
    const std::string text = brief_figure(view_.factors ? value / std::max(best, 1e-9) : value);
    const Type small{13, ink_on(fill), Align::Center, Font::Code};
    if (!figures_ || pen_.width_of(text, small) + pen_.px(2) > r.width) return;
    pen_.label(kCellsLayer, {r.x + 0.5f * r.width, r.y + 0.5f * r.height}, text, small);
  }

  // Values along both edges, the present ones bold, as many as have room; what they are of.
  void draw_edges() {
    const Palette& p = pen_.palette();
    Type code = kCode;
    code.color = p.secondary;
    code.align = Align::Right;
    const auto every = [](float room, float needed) {
      int step = 1;
      while (static_cast<float>(step) * room < needed) ++step;
      return step;
    };
    const auto ticks = [&](const LandscapeView::Axis& axis, float room, float needed, auto put) {
      const int step = every(room, needed), count = static_cast<int>(axis.values.size());
      for (int i = 0; i < count; ++i) {
        const bool here = i == axis.here, beside = axis.here >= 0 && std::abs(i - axis.here) < step;
        if (!here && (i % step != 0 || beside)) continue;
        Type own = code;
        own.bold = here;
        if (here) own.color = p.accent;
        put(i, axis.values[static_cast<std::size_t>(i)], own);
      }
    };
    ticks(view_.y, cell_.y, 1.25f * type(), [&](int i, const std::string& text, const Type& own) {
      pen_.label(kMarksLayer, {room_.x - pen_.px(7), rect_of(0, i).y + 0.5f * cell_.y}, text, own);
    });
    float wide = 0;
    for (const std::string& value : view_.x.values) wide = std::max(wide, pen_.width_of(value, kBoldCode));
    const float below = room_.y + room_.height + 0.85f * type();
    ticks(view_.x, cell_.x, wide + pen_.px(6), [&](int i, const std::string& text, Type own) {
      own.align = Align::Center;
      pen_.label(kMarksLayer, {rect_of(i, 0).x + 0.5f * cell_.x, below}, text, own);
    });
    Type name = kBold;
    name.color = p.text;
    name.align = Align::Right;
    pen_.label(kMarksLayer, {room_.x - pen_.px(7), 0.5f * above_}, view_.y.label + " ↓", name);
    name.align = Align::Center;
    const float half = 0.5f * std::min(room_.width, pen_.width_of(view_.x.label + " →", name));
    pen_.label_within(kMarksLayer, {std::max(room_.x + 0.5f * room_.width, room_.x + half), 0.5f * above_},
                      pen_.width() - room_.x, view_.x.label + " →", name);
  }

  void draw_marks() {
    const Palette& p = pen_.palette();
    const auto frame = [&](int index, Color color, float thick, float outside) {
      if (index < 0) return;
      Rect r = rect_of(index % columns(), index / columns());
      r = {r.x - outside, r.y - outside, r.width + 2 * outside, r.height + 2 * outside};
      pen_.outline(kMarksLayer, r, color, thick).radius = radius() + outside;
    };
    const float thin = std::max(1.0f, std::round(pen_.px(2)));
    frame(view_.best, p.text, thin, thin);
    if (view_.x.here >= 0 && view_.y.here >= 0)
      frame(here(), p.accent, thin + 1, view_.best == here() ? 2 * thin + 1 : thin);
    frame(view_.pointed, mix(p.text, p.panel, 0.25f), thin, 0);
  }
  int here() const { return view_.y.here * columns() + view_.x.here; }

  // The ramp with its ends, what is counted, the two frames.
  void draw_legend() {
    const Palette& p = pen_.palette();
    const float y = room_.y + room_.height + (1.7f + 0.9f) * type(), high = 0.8f * type();
    float x = 0;
    const Type code{13, p.secondary, Align::Left, Font::Code};
    const Type words{13, p.secondary};
    const auto put = [&](const std::string& text, const Type& own, float gap) {
      if (x + pen_.width_of(text, own) > pen_.width()) return false;
      pen_.label(kMarksLayer, {x, y}, text, own);
      x += pen_.width_of(text, own) + gap;
      return true;
    };
    if (view_.best >= 0) {
      put(value_text(scale_.least), code, pen_.px(6));
      if (scale_.most > scale_.least) {
        const Rect bar{x, y - 0.5f * high, pen_.px(84), high};
        pen_.ramp(kMarksLayer, bar, 20, [&](float part) { return landscape_color(p, part); });
        x += bar.width + pen_.px(6);
        put(value_text(scale_.most), code, pen_.px(8));
      }
    }
    std::string legend = view_.legend;
    if (scale_.logarithmic) legend += " · " + pen_.text("scene.landscape.logarithmic");
    const std::string factors = view_.factors && figures_ ? pen_.text("scene.landscape.factors") : "";
    if (factors.empty() || !put(legend + " · " + factors, words, pen_.px(14)))
      if (!put(legend, words, pen_.px(14))) put(view_.legend, words, pen_.px(14));
    draw_keys(x, y, high);
  }
  void draw_keys(float x, float y, float high) {
    const Palette& p = pen_.palette();
    const Type words{13, p.secondary};
    const auto key = [&](const char* name, Color border, float hatch) {
      const std::string text = pen_.text(name);
      const float needed = high + pen_.px(6) + pen_.width_of(text, words);
      if (x + needed > pen_.width()) return;
      Cell& cell = pen_.framed(kMarksLayer, {x, y - 0.5f * high, high, high}, mix(p.panel, p.cell, 0.5f),
                               border, hatch > 0 ? 1.0f : std::max(1.0f, std::round(pen_.px(2))));
      cell.rounded(2).hatched(hatch, p.hatch);
      pen_.label(kMarksLayer, {x + high + pen_.px(6), y}, text, words);
      x += needed + pen_.px(14);
    };
    if (view_.x.here >= 0 && view_.y.here >= 0) key("scene.landscape.here", p.accent, 0);
    if (view_.best >= 0) key("scene.landscape.best", p.text, 0);
    const bool refused = std::ranges::any_of(
        view_.cells, [](const LandscapeCell& c) { return c.state == LandscapeCell::State::Refused; });
    if (refused) key("scene.landscape.refused", p.hatch, std::round(pen_.px(5)));
  }
  static std::string value_text(double value) {
    return value == std::floor(value) && value >= 1000 ? grouped(std::llround(value)) : brief_figure(value);
  }

  void draw_sentence() {
    const float step = 1.35f * type(), y = room_.y + room_.height + (1.7f + 1.9f + 0.55f) * type();
    pen_.lines(kMarksLayer, {0, y - 0.5f * step}, lines_, step, {13, pen_.palette().text});
  }

  static constexpr Type kCode{13, {}, Align::Left, Font::Code},
      kBoldCode{13, {}, Align::Left, Font::Code, true}, kBold{13, {}, Align::Left, Font::Words, true};

  const LandscapeView& view_;
  Pen pen_;
  LandscapeRamp scale_;
  Rect room_;
  Point cell_;  // a cell's width and height
  float above_ = 0;
  bool figures_ = false;
  std::vector<std::string> lines_;
};

}  // namespace

float LandscapeRamp::part(double value) const {
  if (!(most > least)) return 0;
  const double part =
      logarithmic ? std::log(value / least) / std::log(most / least) : (value - least) / (most - least);
  return static_cast<float>(std::clamp(part, 0.0, 1.0));
}

LandscapeRamp landscape_ramp(const LandscapeView& view) {
  LandscapeRamp scale;
  bool any = false;
  for (const LandscapeCell& cell : view.cells) {
    if (cell.state != LandscapeCell::State::Counted) continue;
    scale.least = any ? std::min(scale.least, cell.value) : cell.value;
    scale.most = any ? std::max(scale.most, cell.value) : cell.value;
    any = true;
  }
  if (view.ideals && any) scale.least = std::min(scale.least, 1.0), scale.most = std::max(scale.most, 2.0);
  scale.logarithmic = scale.least > 0 && scale.most > kLogarithmicFrom * scale.least;
  return scale;
}

// From a grey near the ground to waste, ever further from it.
Color landscape_color(const Palette& p, float part) {
  return mix(mix(p.panel, p.text, 0.12f), mix(p.costly, p.text, 0.2f), part);
}

Scene landscape_scene(const LandscapeView& view, const Canvas& canvas) {
  return LandscapePicture(view, canvas).draw();
}

// ---- what it says
namespace {

// "2", "2.5", "1,048,576".
std::string cost_text(double value) {
  if (value == std::floor(value)) return grouped(std::llround(value));
  return without_zeros(fixed(value, value < 10 ? 2 : 1));
}

std::string two_places(double value) {
  return cost_text(std::round(100 * value) / 100);
}

std::string axis_name(const LandscapeAxis& axis, const Strings& strings) {
  return scenario::in_language(axis.parameter->label, strings.language());
}

// A value as the scenario writes it: "float4".
std::string axis_text(const LandscapeAxis& axis, std::int64_t value) {
  const scenario::ScenarioParameter& parameter = *axis.parameter;
  for (std::size_t i = 0; i < parameter.choices.size() && i < parameter.texts.size(); ++i) {
    if (parameter.choices[i] == value) return parameter.texts[i];
  }
  return std::to_string(value);
}

std::string pair_text(const Landscape& landscape, std::size_t cell, const Strings& strings) {
  const LandscapePlan& plan = landscape.plan;
  const app::CellValues values = plan.values_of(cell);
  return strings("landscape.pair", {{"x", axis_name(plan.x, strings)},
                                    {"xv", axis_text(plan.x, values.x)},
                                    {"y", axis_name(plan.y, strings)},
                                    {"yv", axis_text(plan.y, values.y)}});
}

std::string measure_text(const Landscape& landscape, const Strings& strings) {
  return strings("landscape.of." + std::to_string(static_cast<int>(landscape.measure)));
}

// "1,048,576 wavefronts in the whole grid".
std::string count_words(app::LandscapeMeasure measure, double value, const Strings& strings) {
  const std::string key = "landscape.count." + std::to_string(static_cast<int>(measure));
  return strings(value == 1 ? key + ".one" : key, {{"n", two_places(value)}});
}

bool is_of_shared(const Landscape& landscape) {
  return landscape.measure == app::LandscapeMeasure::Wavefronts;
}

// "1 sector per 32 bytes", of those that lanes access; "31,250 sectors per million operations".
std::string per_work_words(const Landscape& landscape, double value, const Strings& strings) {
  const std::string unit = is_of_shared(landscape) ? "wavefronts" : "sectors";
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
  if (!is_of_shared(landscape))
    return value <= ideal ? strings("landscape.why.ideal") : strings("landscape.why.sectors", {{"n", times}});
  if (best.shared.bank_conflicts > 0) return strings("landscape.why.conflicts", {{"n", times}});
  const int banks = best.row_words % 32;
  if (banks == 0) return strings("landscape.why.free");
  return strings(banks == 1 ? "landscape.why.row.one" : "landscape.why.row",
                 {{"array", best.array}, {"words", best.row_words}, {"n", banks}});
}

// The ending of the keys that speak of a scale.
std::string scale_key(const Landscape& landscape) {
  constexpr const char* kEndings[] = {"", ".operations", ".bytes"};
  return kEndings[static_cast<std::size_t>(landscape.by)];
}

// "16", "1.5": how many times the least.
std::string factor_text(const Landscape& landscape, const LandscapeCounts& cell) {
  return two_places(cost_of(landscape, cell) / std::max(cost_of(landscape, best_of(landscape)), 1e-9));
}
bool is_ideal(const Landscape& landscape, const LandscapeCounts& cell) {
  return value_of(cell, landscape.measure) <= ideal_of(cell, landscape.measure);
}
// The least of all, or so near that no other number would be written.
bool is_best(const Landscape& landscape, const LandscapeCounts& cell) {
  return factor_text(landscape, cell) == "1";
}

// The best cell, and why it is; while cells are counted, no more than what holds of those that are.
std::string sentence(const Landscape& landscape, const Strings& strings) {
  if (landscape.best < 0) return {};
  const LandscapeCounts& best = best_of(landscape);
  const double least = cost_of(landscape, best);
  const bool whole = landscape.done == landscape.cells.size();
  const std::string key = "landscape.least" + scale_key(landscape);
  const std::string count = landscape.by == LandscapeScale::Count
                                ? count_words(landscape.measure, least, strings)
                                : per_work_words(landscape, least, strings);
  std::string text = strings(
      whole ? key : key + ".so_far",
      {{"pair", pair_text(landscape, static_cast<std::size_t>(landscape.best), strings)}, {"count", count}});
  if (!whole) return text;
  return text + (strings.language() == "en" ? " " : "") + reason(landscape, strings);
}

LandscapeView landscape_view_of(const Landscape& landscape, const app::PlotView& plot,
                                const Strings& strings) {
  const LandscapePlan& plan = landscape.plan;
  LandscapeView view;
  const auto axis = [&](const LandscapeAxis& from, std::int64_t here) {
    LandscapeView::Axis to;
    to.label = axis_name(from, strings);
    for (const std::int64_t value : from.values) to.values.push_back(axis_text(from, value));
    to.here = from.index_of(here);
    return to;
  };
  view.x = axis(plan.x, plan.here.x);
  view.y = axis(plan.y, plan.here.y);
  for (const LandscapeCounts& counts : landscape.cells) {
    const bool counted = counts.state == LandscapeCounts::State::Counted;
    view.cells.push_back({counts.state, counted ? cost_of(landscape, counts) : 0});
  }
  view.best = landscape.best;
  view.pointed = plot.pointed ? plan.cell_of(*plot.pointed) : -1;
  view.ideals = landscape.by == LandscapeScale::PerByte;
  view.factors = !view.ideals;
  view.legend = strings("landscape.legend" + (landscape.by == LandscapeScale::PerByte
                                                  ? is_of_shared(landscape) ? ".shared" : ".global"
                                                  : scale_key(landscape)),
                        {{"of", measure_text(landscape, strings)}});
  view.sentence = sentence(landscape, strings);
  if (plot.held && view.pointed >= 0) {  // by the keys: no pointer has a tooltip there
    view.sentence = cell_words(landscape, view.pointed, strings);
    std::ranges::replace(view.sentence, '\n', ' ');
  }
  return view;
}

// What the present settings are beside the least, or beside their ideal. Nothing ideal is called costly.
void answer_landscape(const Landscape& landscape, const Strings& strings, Scene* scene) {
  const int here = landscape.plan.cell_of(landscape.plan.here);
  if (landscape.done < landscape.cells.size()) {
    scene->answer = strings("landscape.answer.counting",
                            {{"done", grouped(landscape.done)}, {"total", grouped(landscape.cells.size())}});
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

Scene draw_landscape(const Inputs& in, const Canvas& canvas) {
  const Strings& strings = *canvas.strings;
  const auto shown = app::made_of<Landscape>(in.made, ViewId::Landscape);
  if (!shown) return nothing_of(canvas, "landscape.plain_title", strings("landscape.none"));
  const Landscape& landscape = *shown;
  Scene scene = landscape_scene(landscape_view_of(landscape, in.plot_view, strings), canvas);
  scene.title = strings("landscape.title", {{"x", axis_name(landscape.plan.x, strings)},
                                            {"y", axis_name(landscape.plan.y, strings)}});
  answer_landscape(landscape, strings, &scene);
  return scene;
}

}  // namespace

std::string cell_words(const Landscape& landscape, int cell, const Strings& strings) {
  const auto index = static_cast<std::size_t>(cell);
  const LandscapeCounts& counts = landscape.cells[index];
  const std::string pair = pair_text(landscape, index, strings) + "\n";
  if (counts.state == LandscapeCounts::State::Waiting) return pair + strings("landscape.tip.waiting");
  if (counts.state == LandscapeCounts::State::Refused)
    return pair + strings("landscape.tip.refused", {{"reason", strings(counts.reason)}});
  const app::LandscapeMeasure measure = landscape.measure;
  const std::string of = scale_key(landscape);
  return pair +
         strings("landscape.tip.counted",
                 {{"count", count_words(measure, value_of(counts, measure), strings)},
                  {"ideal", cost_text(ideal_of(counts, measure))}}) +
         "\n" +
         (is_best(landscape, counts)
              ? strings("landscape.tip.least" + of)
              : strings("landscape.tip.factor" + of, {{"n", factor_text(landscape, counts)}}));
}

// ---- what is done in it
namespace {

const Landscape* landscape_on(const Inputs& in) {
  return app::made_of<Landscape>(in.made, ViewId::Landscape).get();
}

// The two parameters and what is counted, each a word that a click changes.
std::vector<Choice> choices_of_landscape(const Inputs& in, const Strings& strings) {
  const Landscape* landscape = landscape_on(in);
  if (landscape == nullptr) return {};
  using M = app::LandscapeMeasure;
  const M next = landscape->measure == M::Sectors ? M::Wavefronts : M::Sectors;
  return {{"→ " + axis_name(landscape->plan.x, strings), "landscape.x.tip", app::StepLandscapeAxis{false, 1}},
          {"↓ " + axis_name(landscape->plan.y, strings), "landscape.y.tip", app::StepLandscapeAxis{true, 1}},
          {measure_text(*landscape, strings), "landscape.measure.tip", app::SetLandscapeMeasure{next}}};
}

Felt feel_landscape(const Inputs& in, const Canvas& canvas, const Pointer& pointer) {
  Felt felt;
  if (in.is_a) return felt;
  const app::PlotView& plot = in.plot_view;
  std::optional<app::CellValues> under;
  if (pointer.spot != nullptr && pointer.spot->index >= 0)
    under = landscape_on(in)->plan.values_of(static_cast<std::size_t>(pointer.spot->index));
  if (under) felt.tooltip = cell_words(*landscape_on(in), pointer.spot->index, *canvas.strings);
  const bool at_rest = pointer.dx == 0 && pointer.dy == 0;
  if (pointer.there && !(at_rest && plot.pointed) && under != plot.pointed && (under || !plot.held))
    felt.actions.emplace_back(app::PointAtCell{under});
  if (pointer.pressed && under) felt.actions.emplace_back(app::GoToCell{*under});
  return felt;
}

constexpr auto shows_landscape = shows<ViewId::Landscape>;
bool holds_landscape(app::In in) {
  return in.state.plot.held;
}
// Takes the arrow keys; with a cell chosen by them, goes there.
app::Actions enter_landscape(app::In in) {
  const app::PlotView& plot = in.state.plot;
  if (!plot.held) return {app::HoldView{true}};
  if (!plot.pointed) return {app::HoldView{false}};
  return {app::GoToCell{*plot.pointed}, app::HoldView{false}};
}

constexpr const char* kLandscapeKeys = "help.landscape_view";
constexpr const char* kCellKeys = "help.landscape_cells";
constexpr app::Command kLandscapeCommands[] = {
    {"landscape", app::Focus::Window, "Ctrl L", "help.landscape", app::toggles<ViewId::Landscape>},
    {"landscape_axis", app::Focus::Map, "Tab", nullptr,
     [](app::In in) {
       return app::Actions{app::StepLandscapeAxis{in.shift, 1}};
     },
     kLandscapeKeys, shows_landscape},
    {"landscape_measure", app::Focus::Map, ".", nullptr,
     [](app::In in) { return app::Actions{app::StepLandscapeMeasure{in.shift ? -1 : 1}}; }, kLandscapeKeys,
     shows_landscape},
    {"landscape_hold", app::Focus::Map, "Enter", nullptr, enter_landscape, kCellKeys, shows_landscape},
    {"landscape_left", app::Focus::Map, "←", nullptr, app::does<app::MoveOnLandscape, -1, 0>, kCellKeys,
     holds_landscape},
    {"landscape_right", app::Focus::Map, "→", nullptr, app::does<app::MoveOnLandscape, 1, 0>, kCellKeys,
     holds_landscape},
    {"landscape_up", app::Focus::Map, "↑", nullptr, app::does<app::MoveOnLandscape, 0, -1>, kCellKeys,
     holds_landscape},
    {"landscape_down", app::Focus::Map, "↓", nullptr, app::does<app::MoveOnLandscape, 0, 1>, kCellKeys,
     holds_landscape},
};

}  // namespace

const Row& landscape() {
  static const Row kRow{.id = ViewId::Landscape,
                        .tab = "landscape.tab",
                        .tip = "landscape.tab.tip",
                        .file = "landscape",
                        .where = Tab::WhereWide,
                        .derive = derive_landscape,
                        .draw = draw_landscape,
                        .feel = feel_landscape,
                        .choices = choices_of_landscape,
                        .commands = kLandscapeCommands};
  return kRow;
}

}  // namespace warplens::views
