// Measured and published times apart.
#include <algorithm>

#include "app/picture/pictures.h"
#include "app/scene/page.h"
#include "app/scene/pen.h"

namespace warplens::picture {
namespace {

constexpr float kBeside = 760;  // of the design: from here on the two stand beside each other
constexpr float kGiven = 5;     // what a published row can be lower
constexpr float kGap = 36, kHeading = 22, kSource = 20;

bool has_times(const scene::TimeBarsView& view) {
  return std::ranges::any_of(view.bars, [](const scene::TimeBar& bar) { return bar.median_seconds > 0; });
}

scene::Canvas part_of(const scene::Canvas& canvas, float width, float height) {
  scene::Canvas part = canvas;
  part.width = width, part.height = height;
  return part;
}

float line_of(const scene::Canvas& canvas, float units) {
  return canvas.scale * std::max(units, 1.4f * canvas.least_type);
}

// The measured ones, headed as the published ones are.
scene::Scene measured_part(const app::TimesApart& times, const scene::Canvas& canvas) {
  scene::Pen pen(canvas);
  if (pen.too_small()) return pen.finish();
  const scene::Palette& palette = pen.palette();
  const float heading = line_of(canvas, kHeading), source = line_of(canvas, kSource);
  pen.label_within(0, {0, 0.5f * heading}, pen.width(), times.heading,
                   {14, palette.text, scene::Align::Left, scene::Font::Words, true});
  pen.label_within(0, {0, heading + 0.5f * source}, pen.width(), times.source,
                   {13, palette.secondary, scene::Align::Left, scene::Font::Words, false});
  const float above = heading + source;
  scene::Scene out = pen.finish();
  const scene::Canvas below = part_of(canvas, canvas.width, std::max(0.0f, canvas.height - above));
  scene::add_part(&out, scene::time_bars_scene(times.measured, below), {0, above});
  return out;
}

}  // namespace

scene::Scene published_times(const app::TimesApart& times, const scene::Canvas& canvas) {
  scene::Scene published = scene::published_scene(times.published, canvas);
  if (!published.nothing.empty() || !has_times(times.measured)) return published;
  scene::Pen pen(canvas);
  pen.scene().title = pen.text("published.title.both");
  if (pen.too_small()) return pen.finish();
  const float gap = pen.px(kGap);
  const bool beside = canvas.width >= pen.px(kBeside);
  if (beside) {
    const float width = std::floor(0.5f * (canvas.width - gap));
    pen.cell(0, {width + 0.5f * gap, 0, 1, canvas.height}, pen.palette().line).radius = 0;
    scene::Scene out = pen.finish();
    scene::add_part(&out, measured_part(times, part_of(canvas, width, canvas.height)), {0, 0});
    scene::add_part(&out, scene::published_scene(times.published, part_of(canvas, width, canvas.height)),
                    {width + gap, 0});
    return out;
  }
  // What is published is whole; the bars have the rest, at least some of them.
  const float least = line_of(canvas, kHeading) + line_of(canvas, kSource) + pen.px(70);
  float rows = 0;
  for (const scene::PublishedFigure& figure : times.published.figures)
    rows += static_cast<float>(figure.rows.size());
  const float given = canvas.least_type > 0 ? 0 : pen.px(kGiven) * rows;
  const float needed = scene::published_height(times.published, canvas) + 0.5f * gap - given;
  const float upper =
      std::clamp(canvas.height - needed, std::min(least, 0.5f * canvas.height), 0.6f * canvas.height);
  pen.cell(0, {0, std::round(upper), canvas.width, 1}, pen.palette().line).radius = 0;
  scene::Scene out = pen.finish();
  scene::add_part(&out, measured_part(times, part_of(canvas, canvas.width, upper - 0.25f * gap)), {0, 0});
  const float top = upper + 0.4f * gap;
  scene::add_part(&out,
                  scene::published_scene(times.published,
                                         part_of(canvas, canvas.width, std::max(0.0f, canvas.height - top))),
                  {0, top});
  return out;
}

}  // namespace warplens::picture
