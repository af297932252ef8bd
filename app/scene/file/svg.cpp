
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/scene/file/files.h"
#include "sim/base/numbers.h"
#include "sim/text/shown.h"

namespace warplens::scene {
namespace {

// Two decimals at most, and never an exponent or "-0".
std::string number(float value) {
  if (!std::isfinite(value)) value = 0;
  const std::string text = without_zeros(fixed(static_cast<double>(value), 2));
  return text == "-0" ? "0" : text;
}

std::string hex(Color c) {
  const auto byte = [](float v) {
    return static_cast<unsigned>(std::lround(std::clamp(v, 0.0f, 1.0f) * 255.0f));
  };
  return formatted("#%02x%02x%02x", byte(c.r), byte(c.g), byte(c.b));
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}

std::string paint(const char* name, Color color) {
  if (color.a <= 0) return attribute(name, "none");
  std::string out = attribute(name, hex(color));
  if (color.a < 1) out += attribute((std::string(name) + "-opacity").c_str(), number(color.a));
  return out;
}

// Hatches are patterns, one for every distance and colour in use, in order of first use.
class Hatches {
 public:
  std::string id(float distance, Color color) {
    const std::pair<std::string, std::string> key{number(distance), paint("stroke", color)};
    const auto found = std::ranges::find(keys_, key);
    const auto index = static_cast<std::size_t>(found - keys_.begin());
    if (found == keys_.end()) keys_.push_back(key), widths_.push_back(number(0.25f * distance));
    return "hatch" + std::to_string(index);
  }

  std::string definitions() const {
    if (keys_.empty()) return {};
    std::string out = "<defs>\n";
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const std::string& distance = keys_[i].first;
      out += "<pattern" + attribute("id", "hatch" + std::to_string(i)) + attribute("width", distance) +
             attribute("height", distance) +
             " patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><line x1=\"0\" y1=\"0\" "
             "x2=\"0\"" +
             attribute("y2", distance) + keys_[i].second + attribute("stroke-width", widths_[i]) +
             "/></pattern>\n";
    }
    return out + "</defs>\n";
  }

 private:
  std::vector<std::pair<std::string, std::string>> keys_;
  std::vector<std::string> widths_;
};

std::string place(const Rect& r) {
  return attribute("x", number(r.x)) + attribute("y", number(r.y)) + attribute("width", number(r.width)) +
         attribute("height", number(r.height));
}

std::string rect(const Rect& r, float radius, const std::string& paints) {
  if (!(r.width > 0) || !(r.height > 0)) return {};
  radius = std::min({radius, 0.5f * r.width, 0.5f * r.height});
  return "<rect" + place(r) + (radius > 0 ? attribute("rx", number(radius)) : "") + paints + "/>\n";
}

// SVG strokes straddle the edge; ours lie inside it.
Rect inset(const Rect& r, float by) {
  return {r.x + by, r.y + by, r.width - 2 * by, r.height - 2 * by};
}

// As a PNG inside of the file.
std::string draw(const Picture& picture, Budget& budget) {
  if (!picture.image) return {};
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::vector<std::uint8_t> bytes = png_bytes(*picture.image, budget);
  std::string data;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (k < left ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) data += k <= left ? kDigits[three >> (18 - 6 * k) & 63] : '=';
  }
  return "<image" + place(picture.rect) + attribute("preserveAspectRatio", "none") +
         " href=\"data:image/png;base64," + data + "\"/>\n";
}

std::string draw(const Cell& cell, Hatches* hatches) {
  std::string out;
  const bool bordered = cell.border_width > 0 && cell.border.a > 0;
  const float half = bordered ? 0.5f * cell.border_width : 0;
  std::string stroke;
  if (bordered) stroke = paint("stroke", cell.border) + attribute("stroke-width", number(cell.border_width));
  const bool hatched = cell.hatch > 0 && cell.hatch_color.a > 0;
  const Rect inside = inset(cell.rect, half);
  if (cell.fill.a > 0 || (bordered && !hatched))
    out += rect(inside, cell.radius - half, paint("fill", cell.fill) + (hatched ? "" : stroke));
  if (hatched)
    out += rect(inside, cell.radius - half,
                attribute("fill", "url(#" + hatches->id(cell.hatch, cell.hatch_color) + ")") + stroke);
  return out;
}

// The part [0, t] of a cubic by de Casteljau's construction.
std::string draw(const Arc& arc) {
  if (arc.drawn <= 0 || arc.color.a <= 0 || arc.width <= 0) return {};
  const float t = std::min(arc.drawn, 1.0f);
  const float bend = 0.5f * (arc.to.y - arc.from.y);
  const auto between = [t](Point a, Point b) { return Point{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; };
  const Point a = arc.from, b{a.x, a.y + bend}, d = arc.to, c{d.x, d.y - bend};
  const Point ab = between(a, b), bc = between(b, c), cd = between(c, d);
  const Point abc = between(ab, bc), bcd = between(bc, cd), end = between(abc, bcd);
  const auto at = [](Point p) { return number(p.x) + " " + number(p.y); };
  return "<path" + attribute("d", "M" + at(a) + "C" + at(ab) + " " + at(abc) + " " + at(end)) +
         " fill=\"none\"" + paint("stroke", arc.color) + attribute("stroke-width", number(arc.width)) +
         "/>\n";
}

std::string draw(const Label& label) {
  if (label.text.empty() || label.color.a <= 0) return {};
  const char* anchor = label.align == Align::Left ? "start" : label.align == Align::Center ? "middle" : "end";
  const char* family = label.font == Font::Words ? "Inter, 'DejaVu Sans', 'WenQuanYi Micro Hei', sans-serif"
                                                 : "'JetBrains Mono', 'DejaVu Sans Mono', monospace";
  // Half the height of a capital below the middle: baselines are placed alike everywhere, `dominant-baseline`
  // is not.
  return "<text" + attribute("x", number(label.at.x)) +
         attribute("y", number(label.at.y + 0.364f * label.size)) + attribute("font-family", family) +
         attribute("font-size", number(label.size)) + (label.bold ? " font-weight=\"600\"" : "") +
         attribute("text-anchor", anchor) + paint("fill", label.color) + " xml:space=\"preserve\">" +
         text::xml(label.text) + "</text>\n";
}

std::string draw(const Scene& scene, Hatches* hatches, Budget& budget) {
  std::string out;
  for (const Layer& layer : scene.layers) {
    for (const Picture& picture : layer.pictures) out += draw(picture, budget);
    for (const Arc& arc : layer.arcs) out += draw(arc);
    for (const Cell& cell : layer.cells) out += draw(cell, hatches);
    for (const Label& label : layer.labels) out += draw(label);
  }
  return out;
}

}  // namespace

std::string write_svg(const Scene& scene, Budget& budget) {
  Hatches hatches;
  const std::string body = draw(scene, &hatches, budget);
  const std::string width = number(scene.width), height = number(scene.height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) +
         attribute("height", height) + attribute("viewBox", "0 0 " + width + " " + height) + ">\n" +
         (scene.title.empty() ? "" : "<title>" + text::xml(scene.title) + "</title>\n") +
         hatches.definitions() + body + "</svg>\n";
}

}  // namespace warplens::scene
