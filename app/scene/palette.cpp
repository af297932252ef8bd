#include "app/scene/palette.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::scene {
namespace {

constexpr Color rgb(unsigned hex) {
  return {static_cast<float>(hex >> 16 & 0xff) / 255.0f, static_cast<float>(hex >> 8 & 0xff) / 255.0f,
          static_cast<float>(hex & 0xff) / 255.0f, 1.0f};
}

float linear(float channel) {
  return channel <= 0.04045f ? channel / 12.92f : std::pow((channel + 0.055f) / 1.055f, 2.4f);
}

float luminance(Color c) {
  return 0.2126f * linear(c.r) + 0.7152f * linear(c.g) + 0.0722f * linear(c.b);
}

struct Ramp {
  Color first, last;  // of a quarter-warp's eight lanes
};

void fill_lanes(Palette* palette, const std::array<Ramp, 4>& quarters) {
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const Ramp& ramp = quarters[lane / 8];
    palette->lanes[lane] = mix(ramp.first, ramp.last, static_cast<float>(lane % 8) / 7.0f);
    palette->lane_texts[lane] = ink_on(palette->lanes[lane]);
  }
}

Palette make_dark() {
  Palette p;
  p.dark = true;
  p.window = rgb(0x0e1116);
  p.panel = rgb(0x151a21);
  p.cell = rgb(0x1b2129);
  p.line = rgb(0x2a323d);
  p.text = rgb(0xe8ecf1);
  p.secondary = rgb(0x9aa6b5);
  p.faint = rgb(0x7f8b9a);
  p.accent = p.text;
  p.costly = rgb(0xe8743b);
  p.ideal = p.right = rgb(0x4fd832);
  p.hatch = rgb(0x465260);
  fill_lanes(&p, {{{rgb(0x1a86c4), rgb(0x3b97df)},
                   {rgb(0x84d0a0), rgb(0x5ab485)},
                   {rgb(0xffe9b3), rgb(0xf5cd58)},
                   {rgb(0xc779a6), rgb(0xb16796)}}});
  p.origins = {rgb(0xe6eaee), rgb(0xb5bbc2), rgb(0x8c9299)};
  return p;
}

Palette make_light() {
  Palette p;
  p.dark = false;
  p.window = rgb(0xf4f6f8);
  p.panel = rgb(0xffffff);
  p.cell = rgb(0xeceff3);
  p.line = rgb(0xd5dbe2);
  p.text = rgb(0x14181d);
  p.secondary = rgb(0x4b5661);
  p.faint = rgb(0x5f6a76);
  p.accent = p.text;
  p.costly = rgb(0xb94d00);
  p.ideal = p.right = rgb(0x0b7034);
  p.hatch = rgb(0xaab4c0);
  fill_lanes(&p, {{{rgb(0x00558c), rgb(0x1e6bb4)},
                   {rgb(0x65ba8e), rgb(0x3f956b)},
                   {rgb(0xf8cc6f), rgb(0xdfb55a)},
                   {rgb(0x995080), rgb(0x8b3c66)}}});
  p.origins = {rgb(0x989fa6), rgb(0x727981), rgb(0x50565d)};
  return p;
}

}  // namespace

const Palette& dark_palette() {
  static const Palette palette = make_dark();
  return palette;
}

const Palette& light_palette() {
  static const Palette palette = make_light();
  return palette;
}

Color with_alpha(Color color, float alpha) {
  color.a = alpha;
  return color;
}

Color mix(Color a, Color b, float t) {
  t = std::clamp(t, 0.0f, 1.0f);
  return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t, a.a + (b.a - a.a) * t};
}

float contrast(Color a, Color b) {
  const float la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05f) / (std::min(la, lb) + 0.05f);
}

Color ink_on(Color ground) {
  const Color black{0, 0, 0, 1}, white{1, 1, 1, 1};
  return contrast(ground, black) >= contrast(ground, white) ? black : white;
}

const Palette& presented(const Palette& palette) {
  const auto stronger = [](Palette p) {
    p.text = p.accent = p.dark ? Color{1, 1, 1, 1} : Color{0, 0, 0, 1};
    p.faint = mix(p.secondary, p.text, 0.25f);
    p.secondary = mix(p.secondary, p.text, 0.6f);
    p.line = mix(p.line, p.text, 0.30f);
    return p;
  };
  static const Palette kDark = stronger(dark_palette()), kLight = stronger(light_palette());
  return palette.dark ? kDark : kLight;
}

const Palette& with_more_to_gain(const Palette& palette) {
  using Pair = std::pair<const Palette*, Palette>;
  const auto changed = [](const Palette& from) {
    Pair pair(&from, from);
    pair.second.ideal = from.text;
    return pair;
  };
  static const std::array<Pair, 4> kAll{changed(dark_palette()), changed(light_palette()),
                                        changed(presented(dark_palette())),
                                        changed(presented(light_palette()))};
  const auto found = std::ranges::find(kAll, &palette, &Pair::first);
  return found == kAll.end() ? palette : found->second;
}

}  // namespace warplens::scene
