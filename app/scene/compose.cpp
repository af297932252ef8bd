#include <algorithm>

#include "app/scene/file/svg.h"
#include "app/scene/text.h"

namespace warplens::scene {
namespace {

void append_moved(const Scene& scene, float x, float y, std::vector<Layer>* layers) {
  for (Layer layer : scene.layers) {
    for (Arc& arc : layer.arcs) arc.from.x += x, arc.from.y += y, arc.to.x += x, arc.to.y += y;
    for (Picture& picture : layer.pictures) picture.rect.x += x, picture.rect.y += y;
    for (Cell& cell : layer.cells) cell.rect.x += x, cell.rect.y += y;
    for (Label& label : layer.labels) label.at.x += x, label.at.y += y;
    layers->push_back(std::move(layer));
  }
}

// Title left, answer right in the colour of the verdict; the title gives way.
void add_heading(const Scene& scene, const Palette& palette, const Rect& row, float scale, Layer* layer) {
  const float middle = row.y + 0.5f * row.height;
  const Color verdict = scene.answer_is_costly  ? palette.costly
                        : scene.answer_is_ideal ? palette.ideal
                                                : palette.secondary;
  const float answer_size = 14 * scale, title_size = 15 * scale;
  const std::string answer = shortened(scene.answer, row.width, answer_size, Font::Words, true);
  const float answer_width = text_width(answer, answer_size, Font::Words, true);
  layer->labels.push_back(
      {{row.x + row.width, middle}, answer, answer_size, verdict, Align::Right, Font::Words, true});
  const std::string title = title_within(scene, row.width - answer_width - 16 * scale, title_size);
  layer->labels.push_back(
      {{row.x, middle}, title, title_size, palette.secondary, Align::Left, Font::Words, true});
}

}  // namespace

Scene compose(std::span<const Scene> scenes, const Palette& palette, const SvgOptions& options) {
  const float s = options.scale;
  const float outside = options.panels ? 16 * s : 0, between = options.panels ? 12 * s : 0;
  const float inside = options.panels ? 14 * s : 0, heading = options.panels ? 32 * s : 0;
  Scene out;
  Layer ground;
  std::vector<Layer> layers;
  float width = 0;
  for (const Scene& scene : scenes) width = std::max(width, scene.width);
  float y = outside;
  for (const Scene& scene : scenes) {
    if (out.title.empty()) out.title = scene.title;
    const Rect panel{outside, y, width + 2 * inside, scene.height + heading + 2 * inside};
    if (options.panels) {
      ground.cells.push_back({panel, 8 * s, palette.panel, palette.line, s, 0, {}});
      add_heading(scene, palette, {panel.x + inside, y + 0.5f * inside, width, heading}, s, &ground);
    }
    append_moved(scene, panel.x + inside, y + inside + heading, &layers);
    y += panel.height + between;
  }
  y += outside - between;
  const float text_width = width + 2 * inside;
  for (const std::string& line : wrapped(options.caption, text_width, 15 * s, 3)) {
    ground.labels.push_back({{outside, y + 8 * s}, line, 15 * s, palette.text});
    y += 24 * s;
  }
  for (const std::string& line : wrapped(options.provenance, text_width, 13 * s, 3)) {
    ground.labels.push_back({{outside, y + 6 * s}, line, 13 * s, palette.faint});
    y += 20 * s;
  }
  if (!options.caption.empty() || !options.provenance.empty()) y += 4 * s;
  out.width = width + 2 * (inside + outside);
  out.height = y;
  ground.cells.insert(ground.cells.begin(), {{0, 0, out.width, out.height}, 0, palette.window, {}, 0, 0, {}});
  out.layers.push_back(std::move(ground));
  out.layers.insert(out.layers.end(), layers.begin(), layers.end());
  return out;
}

}  // namespace warplens::scene
