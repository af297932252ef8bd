// Colours that mean different things, as eyes without one kind of cone see them.
//
// The matrices are those of Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of
// Color Vision Deficiency" (IEEE TVCG 15(6), 2009), severity 1, on linear RGB.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/scene/palette.h"
#include "app/scene/scene.h"

namespace warplens::scene {
namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

constexpr Matrix kUsual{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritan{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
struct Eye {
  const char* name;
  Matrix matrix;
};
const std::vector<Eye> kEyes{
    {"usual", kUsual}, {"protan", kProtan}, {"deutan", kDeutan}, {"tritan", kTritan}};

double linear(double c) {
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

Vector times(const Matrix& m, const Vector& v) {
  Vector out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return out;
}

// CIE L*a*b*, D65.
Vector lab(const Color& color, const Matrix& eye) {
  Vector rgb = times(eye, {linear(color.r), linear(color.g), linear(color.b)});
  for (double& c : rgb) c = std::fmin(std::fmax(c, 0), 1);
  const Vector xyz =
      times({{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}}, rgb);
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f(xyz[0] / 0.95047), y = f(xyz[1]), z = f(xyz[2] / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Color& a, const Color& b, const Matrix& eye) {
  const Vector p = lab(a, eye), q = lab(b, eye);
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

struct Meaning {
  const char* name;
  Color color;
};

class Vision : public ::testing::TestWithParam<bool> {
 protected:
  // For every eye, each from each: ten is about where a glance tells two colours apart.
  static void expect_apart(const std::vector<Meaning>& colors) {
    for (const Eye& eye : kEyes)
      for (const Meaning& a : colors)
        for (const Meaning& b : colors)
          EXPECT_TRUE(a.name == b.name || distance(a.color, b.color, eye.matrix) >= 10)
              << eye.name << ": " << a.name << " and " << b.name;
  }
  const Palette& palette = GetParam() ? dark_palette() : light_palette();
};

// All of these have a glyph, a hatch or a number beside them too (everywhere_test.cpp).
TEST_P(Vision, MeaningsStayApart) {
  expect_apart({{"accent", palette.accent},
                {"costly", palette.costly},
                {"ideal", palette.ideal},
                {"quiet", palette.faint}});
}

// Hues are the lanes': what is selected, what was touched before, and what a lane's place costs look like
// none of them. Eyes without one kind of cone have a mark, a hatch or a word besides.
TEST_P(Vision, NothingButALaneHasALanesColour) {
  std::vector<Meaning> others{
      {"accent", palette.accent}, {"costly", palette.costly}, {"ideal", palette.ideal}};
  for (const Color& origin : palette.origins) others.push_back({"origin", origin});
  for (const Palette* p : {&palette, &presented(palette)})
    EXPECT_EQ(p->accent, p->text) << "selected is what has the ink's outline";
  for (const Eye& eye : kEyes) {
    const double least = eye.matrix == kUsual ? 15 : 9;
    for (const Meaning& one : others) {
      const bool is_verdict = one.color == palette.costly || one.color == palette.ideal;
      for (std::size_t lane = 0; lane < 32 && (is_verdict || eye.matrix == kUsual); ++lane)
        EXPECT_GE(distance(one.color, palette.lanes[lane], eye.matrix), least)
            << eye.name << ": " << one.name << " and lane " << lane;
    }
  }
  const auto chroma = [](const Color& color) {
    const Vector c = lab(color, kUsual);
    return std::hypot(c[1], c[2]);
  };
  for (const Meaning& one : others) {
    if (one.color == palette.costly || one.color == palette.ideal) continue;
    EXPECT_LE(chroma(one.color), 6) << one.name << " is a grey";
  }
}

// Who touched a sector before: each has a strip of its own, too (origin_marks.h).
TEST_P(Vision, OriginsStayApartAndReadOn) {
  const auto& origins = palette.origins;
  expect_apart({{"first", origins[0]}, {"warp", origins[1]}, {"block", origins[2]}});
  for (const Eye& eye : kEyes)
    for (const Color& origin : origins) EXPECT_GE(distance(origin, palette.cell, eye.matrix), 20) << eye.name;
  for (const Color& origin : palette.origins) {
    EXPECT_GE(std::max(contrast(origin, {0, 0, 0, 1}), contrast(origin, {1, 1, 1, 1})), 4.5f);
    EXPECT_GE(contrast(origin, palette.panel), 2.5f);
  }
}

// The four quarter-warps by their middle lanes; the number is in the cell as well.
TEST_P(Vision, QuarterWarpsStayApart) {
  const auto& lanes = palette.lanes;
  expect_apart({{"first", lanes[4]}, {"second", lanes[12]}, {"third", lanes[20]}, {"last", lanes[28]}});
}

double lightness(const Color& color, const Matrix& eye) {
  return lab(color, eye)[0];
}

// By lightness alone, for every eye: quarters side by side, on the whole and where the one ends and the next
// begins; and green from pink, which eyes without one kind of cone see as one grey.
TEST_P(Vision, NeighbouringQuarterWarpsDifferInLightness) {
  constexpr double kApart = 12;
  for (const Eye& eye : kEyes) {
    std::array<double, 4> middle{};
    for (std::size_t lane = 0; lane < 32; ++lane)
      middle[lane / 8] += lightness(palette.lanes[lane], eye.matrix) / 8;
    for (const auto& [a, b] : {std::pair{0u, 1u}, {1u, 2u}, {2u, 3u}, {1u, 3u}})
      EXPECT_GE(std::abs(middle[a] - middle[b]), kApart) << eye.name << ": quarters " << a << " and " << b;
    for (const std::size_t last : {7u, 15u, 23u}) {
      const double here = lightness(palette.lanes[last], eye.matrix);
      EXPECT_GE(std::abs(here - lightness(palette.lanes[last + 1], eye.matrix)), kApart)
          << eye.name << ": lanes " << last << " and " << last + 1;
    }
  }
}

TEST_P(Vision, TextReadsOnEveryGround) {
  const std::vector<Meaning> grounds{{"window", palette.window}, {"panel", palette.panel}};
  const std::vector<Meaning> inks{{"text", palette.text},     {"secondary", palette.secondary},
                                  {"faint", palette.faint},   {"accent", palette.accent},
                                  {"costly", palette.costly}, {"ideal", palette.ideal}};
  for (const Meaning& ground : grounds) {
    for (const Meaning& ink : inks)
      EXPECT_GE(contrast(ink.color, ground.color), 4.5f) << ink.name << " on " << ground.name;
  }
  for (const Meaning& ink : {inks[0], inks[1]})
    EXPECT_GE(contrast(ink.color, palette.cell), 4.5f) << ink.name << " on cell";
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_GE(contrast(palette.lane_texts[lane], palette.lanes[lane]), 5.2f) << "lane " << lane;
    EXPECT_EQ(palette.lane_texts[lane], palette.lane_texts[lane / 8 * 8]) << "one ink a quarter: " << lane;
  }
}

INSTANTIATE_TEST_SUITE_P(Themes, Vision, ::testing::Bool(),
                         [](const auto& named) { return std::string(named.param ? "dark" : "light"); });

}  // namespace
}  // namespace warplens::scene
