#include "checks.h"

#include <algorithm>
#include <cmath>

#include "app/scene/scene.h"
#include "cases.h"

namespace warplens::scene::checks {
namespace {

std::string at(const Rect& r) {
  const auto text = [](float v) { return std::to_string(static_cast<int>(std::lround(v))); };
  return " at " + text(r.x) + "," + text(r.y) + " " + text(r.width) + "x" + text(r.height);
}

bool contains(const Rect& r, Point p) {
  return p.x >= r.x && p.x <= r.x + r.width && p.y >= r.y && p.y <= r.y + r.height;
}

Color over(Color top, Color bottom) {
  return with_alpha(mix(bottom, with_alpha(top, 1), top.a), 1);
}

}  // namespace

// Not with the ink of a cell of its own.
static bool is_bare_number(const Label& l) {
  const bool on_cell = l.color == ink_on({0, 0, 0}) || l.color == ink_on({1, 1, 1});
  return l.font == Font::Code && l.align == Align::Center && !on_cell;
}

std::vector<std::string> overlapping_labels(const Scene& scene) {
  std::vector<std::string> complaints;
  const std::vector<Label> labels = labels_of(scene);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Rect a = bounds(labels[i]);
    for (std::size_t j = i + 1; j < labels.size(); ++j) {
      const Rect b = bounds(labels[j]);
      const float across = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
      const float down = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
      const bool in_a_row = is_bare_number(labels[i]) && is_bare_number(labels[j]);  // with air between them
      if (across <= (in_a_row ? -0.12f * labels[i].size : 0.5f) || down <= 1.0f) continue;
      complaints.push_back("\"" + labels[i].text + "\"" + at(a) + " and \"" + labels[j].text + "\"" + at(b) +
                           " overlap");
    }
  }
  return complaints;
}

std::vector<std::string> things_outside(const Scene& scene) {
  std::vector<std::string> complaints;
  const auto inside = [&scene](const Rect& r) {
    const float room = 1.0f;
    const bool numbers =
        std::isfinite(r.x) && std::isfinite(r.y) && std::isfinite(r.width) && std::isfinite(r.height);
    return numbers && r.x >= -room && r.y >= -room && r.x + r.width <= scene.width + room &&
           r.y + r.height <= scene.height + room;
  };
  for (const Layer& layer : scene.layers) {
    for (const Cell& cell : layer.cells)
      if (!inside(cell.rect)) complaints.push_back("a cell lies outside" + at(cell.rect));
    for (const Label& label : layer.labels)
      if (!inside(bounds(label)))
        complaints.push_back("\"" + label.text + "\" lies outside" + at(bounds(label)));
    for (const Arc& arc : layer.arcs) {
      if (!inside({arc.from.x, arc.from.y, 0, 0}) || !inside({arc.to.x, arc.to.y, 0, 0}))
        complaints.push_back("an arc ends outside");
    }
  }
  for (const HotSpot& spot : scene.hot_spots)
    if (!inside(spot.rect)) complaints.push_back("a hot spot lies outside" + at(spot.rect));
  return complaints;
}

std::vector<std::string> pale_labels(const Scene& scene, const Palette& palette) {
  std::vector<std::string> complaints;
  for (const Label& label : labels_of(scene)) {
    Color ground = palette.panel;
    for (const Layer& layer : scene.layers) {
      for (const Cell& cell : layer.cells)
        if (contains(cell.rect, label.at)) ground = over(cell.fill, ground);
    }
    const float value = contrast(over(label.color, ground), ground);
    if (value < 4.5f)
      complaints.push_back("\"" + label.text + "\" has a contrast of " + std::to_string(value));
  }
  return complaints;
}

std::vector<std::string> all(const Scene& scene, const Palette& palette) {
  std::vector<std::string> complaints = overlapping_labels(scene);
  for (auto&& more : {things_outside(scene), pale_labels(scene, palette)})
    complaints.insert(complaints.end(), more.begin(), more.end());
  return complaints;
}

std::vector<std::string> at_all(const std::vector<Size>& sizes,
                                const std::function<Scene(const Canvas&)>& draw) {
  std::vector<std::string> complaints;
  for (const Size& size : sizes) {
    for (const auto* strings : {&cases::english(), &cases::chinese()}) {
      for (const Palette* palette : {&dark_palette(), &light_palette()}) {
        Canvas canvas = cases::canvas(size.width, size.height, size.scale, *strings);
        canvas.palette = palette;
        canvas.least_type = size.least_type;
        const Rect whole{0, 0, size.width, size.height};
        for (const std::string& one : all(draw(canvas), *palette))
          complaints.push_back("of" + at(whole) + (palette->dark ? " dark, " : " light, ") + one);
      }
    }
  }
  return complaints;
}

float smallest_numbered_cell(const Scene& scene) {
  float smallest = 1000;
  for (const Layer& layer : scene.layers) {
    for (const Label& label : layer.labels) {
      if (!label.bold || label.font != Font::Code || label.text.starts_with("×")) continue;
      for (const Cell& cell : layer.cells) {
        const bool square =
            cell.rect.width < 1.5f * cell.rect.height && cell.rect.height < 1.5f * cell.rect.width;
        if (square && contains(cell.rect, label.at) && cell.fill.a == 1)
          smallest = std::min(smallest, cell.rect.height);
      }
    }
  }
  return smallest;
}

std::vector<Label> labels_of(const Scene& scene) {
  std::vector<Label> labels;
  for (const Layer& layer : scene.layers)
    labels.insert(labels.end(), layer.labels.begin(), layer.labels.end());
  return labels;
}

std::vector<Arc> arcs_of(const Scene& scene) {
  std::vector<Arc> arcs;
  for (const Layer& layer : scene.layers) arcs.insert(arcs.end(), layer.arcs.begin(), layer.arcs.end());
  return arcs;
}

std::string words_of(const Scene& scene) {
  std::string words;
  for (const Label& label : labels_of(scene)) words += label.text + "\n";
  return words;
}

bool has_label(const Scene& scene, const std::string& text) {
  const std::vector<Label> labels = labels_of(scene);
  return std::any_of(labels.begin(), labels.end(), [&](const Label& label) { return label.text == text; });
}

int count_cells(const Scene& scene, bool (*matches)(const Cell&)) {
  int count = 0;
  for (const Layer& layer : scene.layers)
    count += static_cast<int>(std::count_if(layer.cells.begin(), layer.cells.end(), matches));
  return count;
}

int count_borders(const Scene& scene, Color border) {
  int count = 0;
  for (const Layer& layer : scene.layers) {
    for (const Cell& cell : layer.cells) count += cell.border_width > 0 && cell.border == border;
  }
  return count;
}

}  // namespace warplens::scene::checks
