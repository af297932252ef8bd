// What is lit at every stop of the tour, what is veiled, and where the card stands.
#include "app/panels/lessons/lesson_panels.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warplens::panels {
namespace {

using app::TourPanel;
using scene::Rect;

struct Window {
  float width, height;
  Rect rect{0, 0, width, height};
  Layout layout = lay_out({.width = width, .height = height});
};
const Window kWindows[] = {{1280, 720}, {1920, 1080}, {2560, 1440}};

bool holds(const Rect& r, float x, float y) {
  return x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height;
}
bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

const app::TourStop& stop_about(TourPanel panel) {
  const auto stops = app::tour_stops();
  return *std::find_if(stops.begin(), stops.end(), [&](const auto& stop) { return stop.panel == panel; });
}

TEST(TourPlaces, TheVeilIsEverythingButWhatIsLitAndNothingTwice) {
  for (const Window& window : kWindows) {
    for (const app::TourStop& stop : app::tour_stops()) {
      const auto lit = lit_places(window.layout, stop);
      const auto veil = veil_around(window.rect, lit);
      for (float y = 0.5f; y < window.height; y += 7) {
        for (float x = 0.5f; x < window.width; x += 7) {
          const auto here = [&](const Rect& r) { return holds(r, x, y); };
          const bool is_lit = std::any_of(lit.begin(), lit.end(), here);
          ASSERT_EQ(std::count_if(veil.begin(), veil.end(), here), is_lit ? 0 : 1)
              << stop.words << " at " << x << ", " << y;
        }
      }
    }
  }
}

TEST(TourPlaces, WhereThePaddingIsTurnedTheBanksAreLit) {
  for (const Window& window : kWindows) {
    const Rect picture = window.layout.picture;
    const auto lit = lit_places(window.layout, stop_about(TourPanel::Parameters));
    EXPECT_TRUE(std::any_of(lit.begin(), lit.end(), [&](const Rect& r) {
      return holds(r, picture.x + 1, picture.y + 1) &&
             holds(r, picture.x + picture.width - 1, picture.y + picture.height - 1);
    }));
  }
}

TEST(TourPlaces, AFrameAroundAStripCrossesNothingOfIt) {
  for (const Window& window : kWindows) {
    for (const auto& [panel, strip] : {std::pair{TourPanel::Transport, window.layout.transport},
                                       std::pair{TourPanel::Parameters, window.layout.parameters}}) {
      const Rect lit = lit_places(window.layout, stop_about(panel)).front();
      const float room = 6 * window.layout.scale;
      EXPECT_LE(lit.x + room, strip.x);
      EXPECT_GE(lit.x + lit.width, strip.x + strip.width + room);
      EXPECT_GE(lit.x, 0);
      EXPECT_LE(lit.x + lit.width, window.width);
    }
  }
}

TEST(TourPlaces, TheCardCoversNothingThatIsLit) {
  for (const Window& window : kWindows) {
    const float s = window.layout.scale;
    for (const app::TourStop& stop : app::tour_stops()) {
      const auto lit = lit_places(window.layout, stop);
      const Rect card = card_place(window.rect, lit, 400 * s, 230 * s, s);
      EXPECT_GE(card.x, 0);
      EXPECT_GE(card.y, 0);
      EXPECT_LE(card.x + card.width, window.width);
      EXPECT_LE(card.y + card.height, window.height);
      for (const Rect& place : lit) EXPECT_FALSE(overlap(card, place)) << stop.words << " " << window.width;
    }
  }
}

}  // namespace
}  // namespace warplens::panels
