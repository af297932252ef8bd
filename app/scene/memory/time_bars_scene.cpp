#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/scene/pen.h"
#include "app/scene/text.h"

namespace warplens::scene {
namespace {

// Three significant figures: "17.6 µs", "1.36 ms".
std::string time_text(double seconds) {
  struct Unit {
    double size;
    const char* name;
  };
  static constexpr std::array<Unit, 4> kUnits{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  Unit unit = kUnits.back();
  for (const Unit& candidate : kUnits) {
    if (seconds >= 0.9995 * candidate.size) {
      unit = candidate;
      break;
    }
  }
  const double value = seconds / unit.size;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  char text[48];
  std::snprintf(text, sizeof text, "%.*f %s", decimals, value, unit.name);
  return text;
}

bool measured(const TimeBar& bar) {
  return std::isfinite(bar.median_seconds) && bar.median_seconds > 0;
}

class BarsPicture {
 public:
  BarsPicture(const TimeBarsView& view, const Canvas& canvas) : view_(view), pen_(canvas) {}
  Scene draw();

 private:
  void measure();
  void choose_rows();
  std::string remark_of(const TimeBar& bar) const;
  float x_of(double seconds) const {
    return bars_x_ + bars_width_ * static_cast<float>(std::clamp(seconds / longest_, 0.0, 1.0));
  }
  float room_beside(const TimeBar& bar) const;
  float end_of(const TimeBar& bar) const;
  void draw_row(const TimeBar& bar, float middle);
  void draw_shape(const TimeBar& bar, float middle, float height);
  void draw_spread(const TimeBar& bar, float middle, float height);
  void draw_texts(const TimeBar& bar, float middle);
  void draw_caption();
  Color ink(const TimeBar& bar) const {
    const Palette& palette = pen_.palette();
    return bar.stale ? palette.faint : bar.current ? palette.text : palette.secondary;
  }

  const TimeBarsView& view_;
  Pen pen_;
  float bars_x_ = 0, bars_width_ = 0, percent_width_ = 0, row_ = 0;
  double longest_ = 0;   // seconds at the full width
  bool remarks_ = true;  // "recorded" fits beside every bar that is
  std::size_t first_ = 0, shown_ = 0;
};

bool has_spread(const TimeBar& bar) {
  return bar.high_seconds > bar.low_seconds && bar.low_seconds > 0 && std::isfinite(bar.high_seconds);
}

bool has_percent(const TimeBar& bar) {
  return bar.percent_of_reference > 0 && std::isfinite(bar.percent_of_reference);
}

std::string percent_text(const TimeBar& bar) {
  const double percent = std::min(bar.percent_of_reference, 1e6);
  char text[32];
  std::snprintf(text, sizeof text, percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
  return text;
}

void BarsPicture::measure() {
  float label = 0, time = 0;
  for (const TimeBar& bar : view_.bars) {
    label = std::max(label, pen_.width_of(bar.label, {.size = 14, .bold = true}));
    if (!measured(bar)) continue;
    time = std::max(time, pen_.width_of(time_text(bar.median_seconds), {.font = Font::Code, .bold = true}));
    longest_ = std::max({longest_, bar.median_seconds, has_spread(bar) ? bar.high_seconds : 0});
    if (!has_percent(bar)) continue;
    percent_width_ =
        std::max(percent_width_, pen_.width_of(percent_text(bar), {.font = Font::Code, .bold = true}));
  }
  bars_x_ = std::floor(std::min(label, 0.48f * pen_.width()) + pen_.px(12));
  bars_width_ = std::max(pen_.px(8), pen_.width() - bars_x_ - time - percent_width_ - pen_.px(24));
  for (const TimeBar& bar : view_.bars) {
    if (!measured(bar) || !bar.recorded) continue;
    const std::string text = time_text(bar.median_seconds) + " · " + pen_.text("scene.time.recorded");
    remarks_ = remarks_ && pen_.width_of(text, {.font = Font::Code, .bold = true}) <= room_beside(bar);
  }
}

// Where not all rows can be read, those that can are shown, the current one among them.
void BarsPicture::choose_rows() {
  const float caption = view_.caption.empty() ? 0 : pen_.px(20), least = pen_.px(15);
  const float room = pen_.height() - caption;
  const auto fit = static_cast<std::size_t>(std::max(1.0f, room / least));
  shown_ = std::min(fit, view_.bars.size());
  row_ = std::floor(std::min(room / static_cast<float>(std::max<std::size_t>(shown_, 1)), pen_.px(32)));
  if (shown_ == view_.bars.size()) return;
  for (std::size_t i = 0; i < view_.bars.size(); ++i) {
    if (view_.bars[i].current) first_ = std::min(i - std::min(i, fit / 2), view_.bars.size() - fit);
  }
}

float BarsPicture::end_of(const TimeBar& bar) const {
  const float end = std::max(x_of(bar.median_seconds), bars_x_ + 2);
  return has_spread(bar) ? std::max(end, x_of(bar.high_seconds)) : end;
}

float BarsPicture::room_beside(const TimeBar& bar) const {
  return pen_.width() - end_of(bar) - percent_width_ - pen_.px(16);
}

std::string BarsPicture::remark_of(const TimeBar& bar) const {
  if (bar.wrong_output) return pen_.text("scene.time.wrong");
  return bar.recorded && remarks_ ? pen_.text("scene.time.recorded") : std::string();
}

void BarsPicture::draw_row(const TimeBar& bar, float middle) {
  const float height = std::floor(std::min(0.62f * row_, pen_.px(18)));
  pen_.label_within(0, {0, middle}, bars_x_ - pen_.px(8), bar.label,
                    {14, ink(bar), Align::Left, Font::Words, bar.current});
  if (!measured(bar)) {
    pen_.label_within(0, {bars_x_, middle}, pen_.width() - bars_x_, pen_.text("scene.time.missing"),
                      {13, pen_.palette().faint, Align::Left, Font::Words, false});
    return;
  }
  draw_shape(bar, middle, height);
  if (has_spread(bar)) draw_spread(bar, middle, height);
  draw_texts(bar, middle);
}

void BarsPicture::draw_shape(const TimeBar& bar, float middle, float height) {
  const Palette& palette = pen_.palette();
  Color color = mix(palette.panel, palette.secondary, 0.55f);
  if (bar.current) color = palette.accent;
  if (bar.wrong_output) color = palette.costly;
  if (bar.stale) color = mix(palette.panel, color, 0.4f);
  const float width = std::max(x_of(bar.median_seconds) - bars_x_, 2.0f);
  Cell& cell = pen_.cell(0, {bars_x_, middle - 0.5f * height, width, height}, color);
  if (!bar.recorded) return;
  cell.border = color;
  cell.border_width = std::max(1.0f, pen_.px(1.5f));
  cell.fill = mix(palette.panel, color, 0.35f);
  cell.hatch = pen_.px(6);
  cell.hatch_color = color;
}

void BarsPicture::draw_spread(const TimeBar& bar, float middle, float height) {
  const float low = x_of(bar.low_seconds), high = x_of(bar.high_seconds),
              thick = std::max(1.0f, pen_.px(1.5f));
  const Color line = with_alpha(pen_.palette().text, 0.85f);
  pen_.cell(1, {low, middle - 0.5f * thick, std::max(1.0f, high - low), thick}, line).radius = 0;
  for (const float at : {low, high}) {
    pen_.cell(1, {at - 0.5f * thick, middle - 0.25f * height, thick, 0.5f * height}, line).radius = 0;
  }
}

void BarsPicture::draw_texts(const TimeBar& bar, float middle) {
  const Type time_type{13, bar.wrong_output ? pen_.palette().costly : ink(bar), Align::Left, Font::Code,
                       bar.current};
  const std::string time = time_text(bar.median_seconds), remark = remark_of(bar);
  const std::string both = remark.empty() ? time : time + " · " + remark;
  const float room = room_beside(bar);
  const bool fits = pen_.width_of(both, time_type) <= room;
  pen_.label_within(0, {end_of(bar) + pen_.px(8), middle}, room, fits ? both : time, time_type);
  if (!has_percent(bar)) return;
  pen_.label(0, {pen_.width(), middle}, percent_text(bar),
             {13, ink(bar), Align::Right, Font::Code, bar.current});
}

void BarsPicture::draw_caption() {
  std::string before, hatched;
  const auto is_live = [](const TimeBar& bar) { return measured(bar) && !bar.recorded; };
  if (!remarks_ && std::any_of(view_.bars.begin(), view_.bars.end(), is_live)) {
    hatched = pen_.text("scene.time.hatched") + (view_.caption.empty() ? "" : " · ");
  }
  if (shown_ < view_.bars.size()) {
    before = std::to_string(first_ + 1) + "–" + std::to_string(first_ + shown_) + " / " +
             std::to_string(view_.bars.size()) + "  ";
  }
  const Type type{13, pen_.palette().faint, Align::Left, Font::Words, false};
  const std::string whole = before + hatched + view_.caption;
  std::string words = whole;
  for (const std::string& caption : view_.shorter_captions) {
    if (pen_.width_of(words, type) > pen_.width()) words = before + hatched + caption;
  }
  const float height = pen_.px(18);
  pen_.label_within(0, {0, pen_.height() - 0.5f * height}, pen_.width(), words, type);
  if (pen_.width_of(whole, type) <= pen_.width()) return;
  HotSpot spot{{0, pen_.height() - height, pen_.width(), height}, -1, -1, -1, {}};
  spot.tooltip = whole;
  pen_.hot_spot(std::move(spot));
}

Scene BarsPicture::draw() {
  pen_.scene().title = pen_.text("scene.time.title");
  if (std::any_of(view_.bars.begin(), view_.bars.end(), has_percent)) {
    pen_.scene().answer = pen_.text("scene.time.percent");
  }
  if (pen_.too_small()) return pen_.finish();
  measure();
  choose_rows();
  for (std::size_t i = 0; i < shown_; ++i) {
    const TimeBar& bar = view_.bars[first_ + i];
    const float top = row_ * static_cast<float>(i);
    draw_row(bar, top + 0.5f * row_);
    HotSpot spot{{0, top, pen_.width(), row_}, -1, -1, static_cast<int>(first_ + i), {}};
    if (measured(bar)) {
      spot.tooltip = pen_.text("scene.time.tip", {{"label", bar.label},
                                                  {"time", time_text(bar.median_seconds)},
                                                  {"low", time_text(bar.low_seconds)},
                                                  {"high", time_text(bar.high_seconds)}});
    }
    pen_.hot_spot(std::move(spot));
  }
  draw_caption();
  return pen_.finish();
}

}  // namespace

Scene time_bars_scene(const TimeBarsView& view, const Canvas& canvas) {
  return BarsPicture(view, canvas).draw();
}

}  // namespace warplens::scene
