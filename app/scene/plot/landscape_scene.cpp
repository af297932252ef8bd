#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/scene/pen.h"
#include "app/scene/plot/landscape.h"
#include "app/scene/text.h"

namespace warplens::scene {
namespace {

constexpr std::size_t kCellsLayer = 0, kMarksLayer = 1;
constexpr double kLogarithmicFrom = 4;  // times the least

// "1", "1.5", "16", "1.2k": three or four characters.
std::string brief_figure(double value) {
  char text[16];
  if (value >= 9'950'000) {
    std::snprintf(text, sizeof text, "%.0fM", value / 1e6);
  } else if (value >= 9'950) {
    std::snprintf(text, sizeof text, "%.0fk", value / 1e3);
  } else if (value < 9.95 && std::abs(value - std::round(value)) >= 0.05) {
    std::snprintf(text, sizeof text, "%.1f", value);
  } else {
    std::snprintf(text, sizeof text, "%.0f", value);
  }
  return text;
}

class LandscapePicture {
 public:
  LandscapePicture(const LandscapeView& view, const Canvas& canvas)
      : view_(view), pen_(canvas), scale_(landscape_scale(view)) {}

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
  float type() const { return pen_.px(std::max(13.0f, pen_.least_type())); }

  // Cells as large as fit, no wider than three times their height, in the middle of what is left.
  void lay_out() {
    float left = pen_.width_of(view_.y.label + " ↓", kBold);
    for (const std::string& value : view_.y.values) left = std::max(left, pen_.width_of(value, kCode));
    left += pen_.px(10);
    above_ = std::round(1.7f * type());
    lines_ = wrapped(view_.sentence, pen_.width(), type(), 2);
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

  Rect rect_of(int x, int y) const {
    const float gap = std::min(cell_.x, cell_.y) >= 6 ? 1.0f : 0.0f;
    return {room_.x + cell_.x * static_cast<float>(x), room_.y + cell_.y * static_cast<float>(y),
            cell_.x - gap, cell_.y - gap};
  }

  void draw_cell(int x, int y) {
    const Palette& p = pen_.palette();
    const int index = y * columns() + x;
    const LandscapeCell& cell = view_.cells[static_cast<std::size_t>(index)];
    const Rect r = rect_of(x, y);
    HotSpot spot;
    spot.rect = {r.x, r.y, cell_.x, cell_.y};
    spot.index = index;
    pen_.hot_spot(std::move(spot));
    if (cell.state == LandscapeCell::State::Waiting) {
      pen_.cell(kCellsLayer, r, p.cell).radius = radius();
    } else if (cell.state == LandscapeCell::State::Refused) {
      Cell& drawn = pen_.cell(kCellsLayer, r, mix(p.panel, p.cell, 0.5f));
      drawn.radius = radius();
      drawn.hatch = std::round(pen_.px(6));
      drawn.hatch_color = p.hatch;
    } else {
      const Color fill = landscape_color(p, scale_.part(cell.value));
      pen_.cell(kCellsLayer, r, fill).radius = radius();
      write(cell.value, r, fill);
    }
  }
  float radius() const { return std::min(3.0f, 0.2f * std::min(cell_.x, cell_.y)); }

  void write(double value, const Rect& r, const Color& fill) {
    const double figure = view_.factors ? value / std::max(best_value(), 1e-9) : value;
    const std::string text = brief_figure(figure);
    const Color black{0, 0, 0, 1}, white{1, 1, 1, 1};
    const Color color = contrast(fill, black) >= contrast(fill, white) ? black : white;
    const Type small{13, color, Align::Center, Font::Code, false};
    if (!figures_ || pen_.width_of(text, small) + pen_.px(2) > r.width) return;
    pen_.label(kCellsLayer, {r.x + 0.5f * r.width, r.y + 0.5f * r.height}, text, small);
  }
  double best_value() const {
    return view_.best >= 0 ? view_.cells[static_cast<std::size_t>(view_.best)].value : 1;
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
      pen_.framed(kMarksLayer, r, with_alpha(color, 0), color, thick).radius = radius() + outside;
    };
    const float thin = std::max(1.0f, std::round(pen_.px(2)));
    frame(view_.best, p.text, thin, thin);
    if (view_.x.here >= 0 && view_.y.here >= 0)
      frame(view_.y.here * columns() + view_.x.here, p.accent, thin + 1,
            view_.best == here() ? 2 * thin + 1 : thin);
    frame(view_.pointed, mix(p.text, p.panel, 0.25f), thin, 0);
  }
  int here() const { return view_.y.here * columns() + view_.x.here; }

  // The ramp with its ends, what is counted, the two frames.
  void draw_legend() {
    const Palette& p = pen_.palette();
    const float y = room_.y + room_.height + (1.7f + 0.9f) * type(), high = 0.8f * type();
    float x = 0;
    const Type code{13, p.secondary, Align::Left, Font::Code, false};
    const Type words{13, p.secondary, Align::Left, Font::Words, false};
    const auto put = [&](const std::string& text, const Type& own, float gap) {
      if (x + pen_.width_of(text, own) > pen_.width()) return false;
      pen_.label(kMarksLayer, {x, y}, text, own);
      x += pen_.width_of(text, own) + gap;
      return true;
    };
    if (view_.best >= 0) {
      const auto end = [&](double value) { return value_text(value); };
      put(end(scale_.least), code, pen_.px(6));
      if (scale_.most > scale_.least) {
        constexpr int kParts = 20;
        const float bar = pen_.px(84);
        for (int i = 0; i < kParts; ++i)
          pen_.cell(kMarksLayer,
                    {x + bar * static_cast<float>(i) / kParts, y - 0.5f * high, bar / kParts + 0.5f, high},
                    landscape_color(p, (static_cast<float>(i) + 0.5f) / kParts))
              .radius = 0;
        x += bar + pen_.px(6);
        put(end(scale_.most), code, pen_.px(8));
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
    const Type words{13, p.secondary, Align::Left, Font::Words, false};
    const auto key = [&](const char* name, Color border, float hatch) {
      const std::string text = pen_.text(name);
      const float needed = high + pen_.px(6) + pen_.width_of(text, words);
      if (x + needed > pen_.width()) return;
      Cell& cell = pen_.framed(kMarksLayer, {x, y - 0.5f * high, high, high}, mix(p.panel, p.cell, 0.5f),
                               border, hatch > 0 ? 1.0f : std::max(1.0f, std::round(pen_.px(2))));
      cell.radius = 2;
      cell.hatch = hatch;
      cell.hatch_color = p.hatch;
      pen_.label(kMarksLayer, {x + high + pen_.px(6), y}, text, words);
      x += needed + pen_.px(14);
    };
    if (view_.x.here >= 0 && view_.y.here >= 0) key("scene.landscape.here", p.accent, 0);
    if (view_.best >= 0) key(view_.nearest ? "scene.landscape.best.ideal" : "scene.landscape.best", p.text, 0);
    const bool refused = std::ranges::any_of(
        view_.cells, [](const LandscapeCell& c) { return c.state == LandscapeCell::State::Refused; });
    if (refused) key("scene.landscape.refused", p.hatch, std::round(pen_.px(5)));
  }
  static std::string value_text(double value) {
    return value == std::floor(value) && value >= 1000 ? language::grouped(static_cast<long long>(value))
                                                       : brief_figure(value);
  }

  void draw_sentence() {
    float y = room_.y + room_.height + (1.7f + 1.9f + 0.55f) * type();
    for (const std::string& line : lines_) {
      pen_.label(kMarksLayer, {0, y}, line, {13, pen_.palette().text, Align::Left, Font::Words, false});
      y += 1.35f * type();
    }
  }

  static constexpr Type kCode{13, {}, Align::Left, Font::Code, false},
      kBoldCode{13, {}, Align::Left, Font::Code, true}, kBold{13, {}, Align::Left, Font::Words, true};

  const LandscapeView& view_;
  Pen pen_;
  LandscapeScale scale_;
  Rect room_;
  Point cell_;  // a cell's width and height
  float above_ = 0;
  bool figures_ = false;
  std::vector<std::string> lines_;
};

}  // namespace

float LandscapeScale::part(double value) const {
  if (!(most > least)) return 0;
  const double part =
      logarithmic ? std::log(value / least) / std::log(most / least) : (value - least) / (most - least);
  return static_cast<float>(std::clamp(part, 0.0, 1.0));
}

LandscapeScale landscape_scale(const LandscapeView& view) {
  LandscapeScale scale;
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

// Calm to costly, ever further from the ground.
Color landscape_color(const Palette& p, float part) {
  const Color low = mix(p.panel, p.ideal, p.dark ? 0.55f : 0.30f);
  const Color middle = p.dark ? Color{0.72f, 0.62f, 0.30f, 1} : Color{0.82f, 0.60f, 0.16f, 1};
  const Color high = p.dark ? Color{1.0f, 0.62f, 0.42f, 1} : Color{0.62f, 0.20f, 0.0f, 1};
  return part < 0.5f ? mix(low, middle, 2 * part) : mix(middle, high, 2 * part - 1);
}

Scene landscape_scene(const LandscapeView& view, const Canvas& canvas) {
  return LandscapePicture(view, canvas).draw();
}

}  // namespace warplens::scene
