#include <algorithm>
#include <cmath>

#include "app/scene/pen.h"

namespace warplens::scene {
namespace {

// Neighbouring segments that would be thinner than a few pixels are drawn as one, in the colour of the
// costliest.
struct Strip {
  float x = 0, width = 0;
  bool costly = false, secret = false;
  int first = 0, last = 0;
};

struct Scale {
  std::vector<double> starts;  // of every segment, and the end, in cost
  float left = 0, width = 0;
  float x(double cost) const {
    return left + width * static_cast<float>(cost / std::max(starts.back(), 1.0));
  }
};

int width_of(const ScrubberView& view, const ScrubberView::Segment& segment) {
  return view.alike ? 1 : std::max(1, segment.cost);
}

std::vector<Strip> strips_of(const ScrubberView& view, const Scale& scale, float least) {
  std::vector<Strip> strips;
  for (std::size_t i = 0; i < view.segments.size(); ++i) {
    const float x = scale.x(scale.starts[i]), end = scale.x(scale.starts[i + 1]);
    const bool secret = view.segments[i].secret;
    const bool costly = !secret && view.segments[i].cost > view.segments[i].ideal;
    if (!strips.empty() && strips.back().width < least) {
      Strip& last = strips.back();
      last.width = end - last.x;
      last.costly = last.costly || costly;
      last.secret = last.secret && secret;
      last.last = static_cast<int>(i);
    } else {
      strips.push_back({x, end - x, costly, secret, static_cast<int>(i), static_cast<int>(i)});
    }
  }
  return strips;
}

void add_strip(Pen* pen, const ScrubberView& view, const Strip& strip, int current) {
  const Palette& palette = pen->palette();
  const float middle = 0.5f * pen->height();
  const float gap = strip.width >= pen->px(6) ? std::round(pen->px(2)) : strip.width >= 3 ? 1.0f : 0.0f;
  const float height = std::min(pen->height(), pen->px(strip.costly ? 9 : 5));
  const bool now = current >= strip.first && current <= strip.last;
  const Color color = strip.secret ? palette.secondary : strip.costly ? palette.costly : palette.ideal;
  const Rect rect{strip.x, middle - 0.5f * height, std::max(1.0f, strip.width - gap), height};
  pen->cell(0, rect, now ? color : mix(palette.panel, color, 0.72f)).radius =
      std::min(0.5f * height, 0.5f * rect.width);
  const auto& segment = view.segments[static_cast<std::size_t>(strip.first)];
  HotSpot spot{{strip.x, 0, strip.width, pen->height()}, -1, -1, strip.first, {}};
  const std::string n = std::to_string(strip.first + 1), total = std::to_string(view.segments.size());
  spot.tooltip = segment.secret ? pen->text("scene.scrubber.tip.secret", {{"n", n}, {"total", total}})
                                : pen->text("scene.scrubber.tip", {{"n", n},
                                                                   {"total", total},
                                                                   {"cost", std::to_string(segment.cost)},
                                                                   {"ideal", std::to_string(segment.ideal)}});
  pen->hot_spot(std::move(spot));
}

}  // namespace

Scene scrubber_scene(const ScrubberView& view, const Canvas& canvas) {
  Pen pen(canvas);
  if (pen.too_small()) return pen.finish();
  const float knob = std::min(pen.height(), pen.px(16));
  Scale scale;
  scale.left = 0.5f * knob;
  scale.width = std::max(1.0f, pen.width() - knob);
  scale.starts.push_back(0);
  for (const auto& segment : view.segments)
    scale.starts.push_back(scale.starts.back() + width_of(view, segment));
  if (view.segments.empty()) {
    const float height = std::min(pen.height(), pen.px(5));
    pen.cell(0, {scale.left, 0.5f * (pen.height() - height), scale.width, height}, pen.palette().line);
    return pen.finish();
  }
  const int count = static_cast<int>(view.segments.size()), current = std::clamp(view.current, 0, count - 1);
  for (const Strip& strip : strips_of(view, scale, 2.0f)) add_strip(&pen, view, strip, current);

  const auto at = static_cast<std::size_t>(current);
  const float within = std::isfinite(view.within) ? std::clamp(view.within, 0.0f, 1.0f) : 0.0f;
  const float x = scale.x(scale.starts[at] + within * (scale.starts[at + 1] - scale.starts[at]));
  Cell& handle = pen.framed(1, {x - 0.5f * knob, 0.5f * (pen.height() - knob), knob, knob},
                            pen.palette().text, pen.palette().panel, pen.px(2));
  handle.radius = 0.5f * knob;
  return pen.finish();
}

}  // namespace warplens::scene
