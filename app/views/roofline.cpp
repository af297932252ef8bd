#include "app/views/roofline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "app/views/drawing.h"
#include "app/views/inputs.h"
#include "app/views/times.h"
#include "app/views/views.h"
#include "sim/base/numbers.h"

namespace warplens::views {

// ---- the picture

namespace {

using report::MemoryLevel;

constexpr std::array kLevels{MemoryLevel::Dram, MemoryLevel::L2, MemoryLevel::L1};

// A stretch of a logarithmic axis.
struct Decades {
  double from = 0, to = 0;  // logarithms to base 10
  float part(double value) const { return static_cast<float>((std::log10(value) - from) / (to - from)); }
  double at(double part) const { return std::pow(10, from + part * (to - from)); }
};

const char* key_of(MemoryLevel level) {
  return level == MemoryLevel::Dram ? "roofline.dram"
         : level == MemoryLevel::L2 ? "roofline.l2"
                                    : "roofline.l1";
}

class RooflinePicture {
 public:
  RooflinePicture(const RooflineView& view, const Canvas& canvas) : view_(view), pen_(canvas) {}

  Scene draw() {
    pen_.scene().title = pen_.text("roofline.title");
    pen_.scene().answer = view_.answer;
    if (pen_.too_small()) return pen_.finish();
    lay_out();
    if (room_.width < pen_.px(120) || room_.height < pen_.px(80)) return pen_.finish();
    draw_axes();
    for (const report::Roof& roof : view_.roofs.memory) draw_roof(roof);
    draw_ceiling();
    // The present one first: it has its numbers wherever it is, on a layer above the others.
    for (const bool current : {true, false})
      for (std::size_t i = 0; i < view_.rungs.size(); ++i)
        if (view_.rungs[i].current == current) draw_rung(i);
    draw_list();
    draw_legend();
    return pen_.finish();
  }

 private:
  float type() const { return pen_.size_of({}); }
  float line() const { return 1.5f * type(); }
  static Type words(Color color, Align align = Align::Left, bool bold = false) {
    return {13, color, align, Font::Words, bold};
  }
  static Type code(Color color, Align align = Align::Left, bool bold = false) {
    return {13, color, align, Font::Code, bold};
  }

  void lay_out() {
    scale_axes();
    const Palette& p = pen_.palette();
    const float foot = pen_.foot(0, {{view_.sentence, p.text}, {view_.source, p.secondary}}, line());
    legend_ = foot - 0.7f * line();
    const float left = pen_.width_of("1000 GFLOP/s", code({})) + pen_.px(8), above = 0.6f * line();
    const float high = legend_ - 2.8f * line() - above;
    // The list has a row for every rung, or is left out.
    const bool listed =
        pen_.width() > pen_.px(520) && high >= 1.15f * type() * static_cast<float>(view_.rungs.size());
    list_ = listed ? std::min(0.42f * pen_.width(), widest_row() + pen_.px(16)) : 0;
    room_ = {left, above, pen_.width() - left - list_ - pen_.px(10), high};
  }

  float widest_row() const {
    float widest = 0;
    for (std::size_t i = 0; i < view_.rungs.size(); ++i)
      widest =
          std::max(widest, pen_.width_of(row_text(i) + "  " + row_figure(i), words({}, Align::Left, true)));
    return widest + mark_size() + pen_.px(14);
  }

  // All marks and every place where a roof bends, with a little room around.
  void scale_axes() {
    double least_x = 1e300, most_x = 0, least_y = 1e300;
    const auto include = [&](double x) { least_x = std::min(least_x, x), most_x = std::max(most_x, x); };
    for (const report::Roof& roof : view_.roofs.memory)
      include(view_.roofs.flops_per_second / roof.bytes_per_second);
    for (const RooflineRung& rung : view_.rungs) {
      for (const report::RooflinePoint& mark : rung.marks) include(mark.intensity);
      if (!rung.marks.empty()) least_y = std::min(least_y, rung.per_second);
    }
    if (least_y > view_.roofs.flops_per_second) least_y = view_.roofs.flops_per_second / 100;
    x_ = {std::log10(least_x / 2), std::log10(most_x * 2.5)};
    y_ = {std::log10(least_y / 2.2), std::log10(view_.roofs.flops_per_second * 2.5)};
  }

  float x_of(double intensity) const { return room_.x + room_.width * x_.part(intensity); }
  float y_of(double rate) const { return room_.y + room_.height * (1 - y_.part(rate)); }

  void draw_axes() {
    const Palette& p = pen_.palette();
    const float thin = std::max(1.0f, pen_.px(1)), bottom = room_.y + room_.height;
    pen_.sharp(0, {room_.x, bottom, room_.width, thin}, p.secondary);
    pen_.sharp(0, {room_.x, room_.y, thin, room_.height}, p.secondary);
    for (int d = static_cast<int>(std::ceil(y_.from)); d <= static_cast<int>(std::floor(y_.to)); ++d) {
      const float y = std::round(y_of(std::pow(10, d)));
      pen_.sharp(0, {room_.x, y, room_.width, thin}, with_alpha(p.line, 0.8f));
      pen_.label(0, {room_.x - pen_.px(8), y}, rate_text(std::pow(10, d), "FLOP/s"),
                 code(p.secondary, Align::Right));
    }
    float free = room_.x;
    for (int d = static_cast<int>(std::ceil(x_.from)); d <= static_cast<int>(std::floor(x_.to)); ++d) {
      const float x = std::round(x_of(std::pow(10, d)));
      pen_.sharp(0, {x, room_.y, thin, room_.height}, with_alpha(p.line, 0.8f));
      const std::string text = formatted("%g", std::pow(10, d));
      const float half = 0.5f * pen_.width_of(text, code({})) + pen_.px(4);
      if (x - half < free) continue;
      pen_.label(0, {x, bottom + 0.7f * line()}, text, code(p.secondary, Align::Center));
      free = x + half;
    }
    pen_.label_fitting(0, {room_.x, bottom + 1.7f * line()}, pen_.width() - room_.x,
                       {pen_.text("roofline.axis"), pen_.text("roofline.axis.short")}, words(p.secondary));
  }

  // A dotted line: nearer dots for the faster levels.
  void dots(Point from, Point to, float apart) {
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    const float size = std::max(2.0f, pen_.px(2.5f));
    const int count = std::min(600, static_cast<int>(length / std::max(apart, 1.0f)));
    for (int i = 0; i <= count; ++i) {
      const float t = count == 0 ? 0 : static_cast<float>(i) / static_cast<float>(count);
      pen_.cell(1, {from.x + t * dx - 0.5f * size, from.y + t * dy - 0.5f * size, size, size},
                pen_.palette().secondary)
          .radius = 0.5f * size;
    }
  }

  // From where it enters the picture to where it meets the ceiling.
  std::optional<std::pair<Point, Point>> course(const report::Roof& roof) const {
    const double ridge = view_.roofs.flops_per_second / roof.bytes_per_second;
    const double left = std::max(x_.at(0), y_.at(0) / roof.bytes_per_second);
    if (left >= ridge) return {};
    return std::pair{Point{x_of(left), y_of(left * roof.bytes_per_second)},
                     Point{x_of(ridge), y_of(view_.roofs.flops_per_second)}};
  }

  void draw_roof(const report::Roof& roof) {
    const auto line = course(roof);
    if (!line) return;
    const float apart = roof.level == MemoryLevel::L1 ? 5 : roof.level == MemoryLevel::L2 ? 8 : 12;
    const auto [from, to] = *line;
    dots(from, to, pen_.px(apart));
    draw_mark(1, {from.x + 0.1f * (to.x - from.x), from.y + 0.1f * (to.y - from.y)}, roof.level, {},
              pen_.palette().panel, pen_.palette().secondary, 0.8f * mark_size());
  }

  void draw_ceiling() {
    const double most = view_.roofs.flops_per_second;
    double ridge = x_.at(1);
    for (const report::Roof& roof : view_.roofs.memory) ridge = std::min(ridge, most / roof.bytes_per_second);
    const float left = x_of(std::max(ridge, x_.at(0))), y = y_of(most), high = std::max(2.0f, pen_.px(2.5f));
    pen_.sharp(1, {left, y - 0.5f * high, room_.x + room_.width - left, high}, pen_.palette().secondary);
  }

  // Letters in it have the size that they must have.
  float mark_size() const { return std::max(pen_.px(20), 1.45f * type()); }

  // A circle for memory, a square for L2, a tall bar for L1.
  void draw_mark(std::size_t layer, Point at, MemoryLevel level, const std::string& text, Color fill,
                 Color edge, float size) {
    const float wide = level == MemoryLevel::L1 ? 0.72f * size : size;
    const float high = level == MemoryLevel::L1 ? 1.25f * size : size;
    Cell& cell = pen_.framed(layer, {at.x - 0.5f * wide, at.y - 0.5f * high, wide, high}, fill, edge,
                             std::max(1.5f, pen_.px(1.5f)));
    cell.radius = level == MemoryLevel::Dram ? 0.5f * size : level == MemoryLevel::L2 ? 0 : pen_.px(2);
    if (text.empty()) return;
    pen_.label(layer, at, text, {13, ink_on(fill), Align::Center, Font::Code, true});
  }

  Point place_of(const RooflineRung& rung, const report::RooflinePoint& mark) const {
    return {x_of(mark.intensity), y_of(rung.per_second)};
  }

  void draw_rung(std::size_t index) {
    const RooflineRung& rung = view_.rungs[index];
    if (rung.marks.empty()) return;
    const Palette& p = pen_.palette();
    const Color edge = rung.current ? p.text : p.secondary;
    const Color fill = rung.current ? p.accent : mix(p.panel, p.secondary, 0.25f);
    float left = 1e9f, right = -1e9f, y = 0;
    for (const report::RooflinePoint& mark : rung.marks) {
      const Point at = place_of(rung, mark);
      left = std::min(left, at.x), right = std::max(right, at.x), y = at.y;
    }
    const float thin = rung.current ? pen_.px(2) : std::max(1.0f, pen_.px(1));
    pen_.sharp(rung.current ? 4 : 3, {left, y - 0.5f * thin, right - left, thin}, with_alpha(edge, 0.6f));
    for (const report::RooflinePoint& mark : rung.marks) {
      const Point at = place_of(rung, mark);
      const bool hidden = !rung.current && !is_free(mark.level, at);
      placed_.emplace_back(mark.level, at);
      draw_mark(rung.current ? 4
                : hidden     ? 2
                             : 3,
                at, mark.level, hidden ? std::string() : std::to_string(index + 1), fill, edge,
                hidden ? 0.5f * mark_size() : mark_size());
      const float size = mark_size();
      pen_.hot_spot({.rect = {at.x - 0.5f * size, at.y - 0.5f * size, size, size},
                     .index = static_cast<int>(index),
                     .tooltip = rung.tooltip});
    }
  }

  // No other mark of the level is so near that the numbers would meet.
  bool is_free(MemoryLevel level, Point at) const {
    return std::ranges::none_of(placed_, [&](const auto& other) {
      return other.first == level && std::abs(other.second.x - at.x) < 0.8f * mark_size() &&
             std::abs(other.second.y - at.y) < 0.8f * mark_size();
    });
  }

  std::string row_text(std::size_t i) const { return std::to_string(i + 1) + "  " + view_.rungs[i].label; }
  std::string row_figure(std::size_t i) const {
    const RooflineRung& rung = view_.rungs[i];
    return rung.per_second > 0 ? rate_text(rung.per_second, "FLOP/s") : "–";
  }

  // The rungs by their numbers; of those without marks why.
  void draw_list() {
    if (list_ <= 0 || view_.rungs.empty()) return;
    const Palette& p = pen_.palette();
    const float left = pen_.width() - list_;
    const float row = std::min(1.7f * type(), room_.height / static_cast<float>(view_.rungs.size()));
    for (std::size_t i = 0; i < view_.rungs.size(); ++i) {
      const RooflineRung& rung = view_.rungs[i];
      const float y = room_.y + (static_cast<float>(i) + 0.5f) * row;
      const Color ink = rung.current ? p.accent : rung.missing.empty() ? p.text : p.secondary;
      const std::string figure = rung.missing.empty() ? row_figure(i) : rung.missing;
      const float taken =
          std::min(pen_.width_of(figure, rung.missing.empty() ? code({}) : words({})), 0.55f * list_);
      if (rung.missing.empty())
        pen_.label(0, {pen_.width(), y}, figure, code(ink, Align::Right, rung.current));
      else
        pen_.label_within(0, {pen_.width() - taken, y}, taken + 1, figure, words(ink));
      pen_.label_within(0, {left, y}, list_ - taken - pen_.px(8), row_text(i),
                        words(ink, Align::Left, rung.current));
      pen_.hot_spot({.rect = {left, y - 0.5f * row, list_, row},
                     .index = static_cast<int>(i),
                     .tooltip = rung.tooltip});
    }
  }

  // What marks and the ceiling stand for, with the roofs' figures.
  void draw_legend() {
    const Palette& p = pen_.palette();
    std::vector<Pen::LegendEntry> entries;
    for (const MemoryLevel level : kLevels)
      if (const report::Roof* roof = view_.roofs.of(level))
        entries.push_back({1, pen_.text(key_of(level)) + " " + rate_text(roof->bytes_per_second, "B/s"),
                           [=, this](const Rect& r) {
                             draw_mark(0, {r.x + 0.5f * r.width, r.y + 0.5f * r.height}, level, {}, p.panel,
                                       p.secondary, r.height);
                           }});
    entries.push_back({2,
                       pen_.text("roofline.fp32") + " " + rate_text(view_.roofs.flops_per_second, "FLOP/s"),
                       [=, this](const Rect& r) {
                         pen_.sharp(0, {r.x, r.y + 0.4f * r.height, r.width, 0.2f * r.height}, p.secondary);
                       }});
    pen_.legend(0, {0, legend_}, entries);
  }

  const RooflineView& view_;
  Pen pen_;
  Rect room_{};
  Decades x_, y_;
  float list_ = 0, legend_ = 0;
  std::vector<std::pair<MemoryLevel, Point>> placed_;  // marks so far
};

}  // namespace

std::string rate_text(double per_second, const char* unit) {
  // What is whole has no fraction: "1 TFLOP/s", but "1.00 TFLOP/s" where it was rounded.
  const std::string text = with_prefix(per_second);
  const double scaled = per_second / std::pow(1000, std::floor(std::log10(std::max(per_second, 1.0)) / 3));
  const std::size_t blank = text.find(' ');
  const std::string figure = text.substr(0, blank);
  return (scaled == std::round(scaled) ? without_zeros(figure) : figure) + text.substr(blank) + unit;
}

Scene roofline_scene(const RooflineView& view, const Canvas& canvas) {
  if (view.nothing.empty() && !view.roofs.empty()) return RooflinePicture(view, canvas).draw();
  return nothing_of(canvas, "roofline.title",
                    view.nothing.empty() ? (*canvas.strings)("roofline.no_peaks") : view.nothing);
}

// ---- what it says

namespace {

using language::Strings;
using report::RooflinePoint;

// From this share on a roof is what holds a rung back.
constexpr double kNear = 0.5;

class RooflineMaker {
 public:
  RooflineMaker(const std::vector<app::RungTime>& times, const Strings& strings)
      : times_(times), strings_(strings) {}

  RooflineView make() {
    view_.nothing = why_nothing();
    if (view_.nothing.empty()) view_.roofs = report::roofs_of(shown_->peaks->peaks);
    if (view_.nothing.empty() && view_.roofs.empty()) view_.nothing = strings_("roofline.no_peaks");
    if (!view_.nothing.empty()) return std::move(view_);
    view_.source = source();
    for (const app::RungTime& time : times_) view_.rungs.push_back(rung_of(time));
    return std::move(view_);
  }

 private:
  // The one that names the GPU: what is looked at, or the first that was measured.
  std::string why_nothing() {
    bool doubles = false, operations = false;
    for (const app::RungTime& time : times_) {
      if (time.measurement == nullptr) continue;
      operations |= time.measurement->operations > 0;
      doubles |= time.measurement->reference == scenario::Reference::CublasDgemm;
      if (shown_ == nullptr || time.current) shown_ = &time;
    }
    if (shown_ == nullptr) return strings_("roofline.no_times");
    if (!operations) return strings_("roofline.no_operations");
    if (doubles) return strings_("roofline.doubles");
    return shown_->peaks == nullptr ? strings_("roofline.no_peaks") : std::string();
  }

  std::string source() const {
    const measure::Measurement& m = *shown_->measurement;
    const measure::PeakRecord& peaks = *shown_->peaks;
    return strings_(m.recorded ? "roofline.source.recorded" : "roofline.source.live",
                    {{"gpu", m.device.name},
                     {"mhz", peaks.sm_mhz},
                     {"date", m.when.substr(0, 10)},
                     {"peaks", peaks.when.substr(0, 10)}});
  }

  RooflineRung rung_of(const app::RungTime& time) {
    RooflineRung rung;
    rung.label = app::rung_name(*time.scenario, strings_.language());
    if (!time.size.empty()) rung.label += " (" + time.size + ")";
    rung.current = time.current;
    const measure::Measurement* m = time.measurement;
    const bool timed = m != nullptr && m->is_valid() && m->cold.median > 0 && m->operations > 0 &&
                       m->device.same_gpu(shown_->measurement->device);
    if (!timed) {
      rung.missing = rung.tooltip = strings_("roofline.missing.time");
      return rung;
    }
    const auto operations = static_cast<double>(m->operations);
    rung.per_second = operations / m->cold.median;
    const report::CounterValues counters(m->counters.values.begin(), m->counters.values.end());
    const auto points =
        report::roofline_points(operations, m->cold.median, report::counts_of(counters), view_.roofs);
    for (const RooflinePoint& point : points)
      if (view_.roofs.of(point.level) != nullptr) rung.marks.push_back(point);
    if (rung.marks.empty()) rung.missing = strings_("roofline.missing.counters");
    rung.tooltip = tip_of(rung, points);
    if (rung.current) tell(rung, points);
    return rung;
  }

  std::string tip_of(const RooflineRung& rung, const std::vector<RooflinePoint>& points) const {
    std::string tip = rung.label + ": " + rate_text(rung.per_second, "FLOP/s");
    for (const RooflinePoint& point : points)
      tip += "\n" + strings_("roofline.tip", {{"level", strings_(key_of(point.level))},
                                              {"intensity", three_figures(point.intensity)},
                                              {"percent", whole_percent(point.share)}});
    return rung.missing.empty() ? tip : tip + "\n" + strings_("roofline.missing.counters.tip");
  }

  void tell(const RooflineRung& rung, const std::vector<RooflinePoint>& points) {
    view_.answer = rate_text(rung.per_second, "FLOP/s");
    const auto nearest = std::ranges::max_element(points, {}, &RooflinePoint::share);
    if (nearest == points.end()) {
      view_.sentence = strings_("roofline.missing.counters.tip");
      return;
    }
    const double of_units = rung.per_second / view_.roofs.flops_per_second;
    if (of_units >= nearest->share - 1e-9)  // beyond the bend of every roof
      view_.sentence = strings_(of_units >= kNear ? "roofline.units" : "roofline.units.far",
                                {{"percent", whole_percent(of_units)}});
    else
      view_.sentence = strings_(nearest->share >= kNear ? "roofline.near" : "roofline.far",
                                {{"level", strings_(key_of(nearest->level))},
                                 {"percent", whole_percent(nearest->share)},
                                 {"intensity", three_figures(nearest->intensity)}});
  }

  const std::vector<app::RungTime>& times_;
  const Strings& strings_;
  const app::RungTime* shown_ = nullptr;
  RooflineView view_;
};

}  // namespace

RooflineView roofline_view(const std::vector<app::RungTime>& times, const Strings& strings) {
  return RooflineMaker(times, strings).make();
}

// ---- the row

namespace {

Scene draw_roofline(const Inputs& in, const Canvas& canvas) {
  static const std::vector<app::RungTime> kNone;
  const std::vector<app::RungTime>& times = in.times == nullptr ? kNone : *in.times;
  if (in.simulation->hidden.times)
    return nothing_of(canvas, "roofline.title", times_hidden_words(in.simulation->hidden, *canvas.strings));
  return roofline_scene(roofline_view(times, *canvas.strings), canvas);
}

// A click on a mark or a row goes to its rung.
Felt feel_roofline(const Inputs& in, const Canvas&, const Pointer& pointer) {
  Felt felt;
  if (!pointer.pressed || pointer.spot == nullptr || in.times == nullptr || in.is_a) return felt;
  const auto rung = static_cast<std::size_t>(pointer.spot->index);
  if (pointer.spot->index >= 0 && rung < in.times->size())
    felt.actions.push_back(app::SelectScenario{(*in.times)[rung].scenario->name});
  return felt;
}

}  // namespace

const Row& roofline() {
  static const Row kRow{.id = ViewId::Roofline,
                        .file = "roofline",
                        .where = Tab::WhereThereIsOne,
                        .tells = {.of_access = false, .tells_times = true},
                        .draw = draw_roofline,
                        .feel = feel_roofline};
  return kRow;
}

}  // namespace warplens::views
