// Where panels go.
#include "app/panels/layout.h"

#include <gtest/gtest.h>

#include "app/panels/widgets/ui.h"

namespace warplens::panels {
namespace {

// Buttons at the right end of a row are laid out from there.
TEST(Controls, AreGoneThroughFromLeftToRight) {
  const auto at = [](float x, float y) { return Rect{x, y, 50, 20}; };
  EXPECT_EQ(places_of({at(0, 0), at(60, 0), at(400, 2), at(340, 0), at(280, 0), at(0, 30), at(0, 60)}),
            (std::vector{0, 1, 4, 3, 2, 5, 6}));
}

// Where the divider is, the panes meet; together they are as wide as ever.
TEST(Layout, TheDividerGivesOnePaneWhatTheOtherLoses) {
  for (const bool present : {false, true}) {
    LayoutOptions options;
    options.compare = true;
    options.present = present;
    const Layout even = lay_out(options);
    EXPECT_EQ(even.a.picture.width, even.b.picture.width);
    EXPECT_GT(even.b.picture.height, 500);
    options.divider = 0.3f;
    const Layout moved = lay_out(options);
    const float both = even.a.picture.width + even.b.picture.width;
    EXPECT_NEAR(moved.a.picture.width, 0.3f * both, 2);
    EXPECT_NEAR(moved.a.picture.width + moved.b.picture.width, both, 2);
    EXPECT_EQ(moved.a.picture.height, moved.b.picture.height);
    EXPECT_EQ(moved.b.strip.width, moved.b.picture.width);
    EXPECT_EQ(moved.table.x, even.table.x);
    for (const Layout& layout : {even, moved}) {
      EXPECT_GE(layout.divider.x, layout.a.picture.x + layout.a.picture.width - 1);
      EXPECT_LE(layout.divider.x + layout.divider.width, layout.b.picture.x + 1);
      EXPECT_GE(layout.divider.height, layout.a.picture.height);
    }
  }
}

// Below every picture what it costs: on the workbench, of each side of A│B, presenting.
TEST(Layout, AStripIsBelowEveryPicture) {
  const auto expect_below = [](const scene::Rect& picture, const scene::Rect& strip) {
    EXPECT_GE(strip.height, 20);
    EXPECT_EQ(strip.width, picture.width);
    EXPECT_GE(strip.y, picture.y + picture.height);
    EXPECT_LE(strip.y, picture.y + picture.height + 12);
  };
  for (const bool present : {false, true}) {
    LayoutOptions options;
    options.width = 1280, options.height = 720;
    options.present = present;
    const Layout alone = lay_out(options);
    expect_below(alone.picture, alone.strip);
    options.compare = true;
    const Layout both = lay_out(options);
    expect_below(both.a.picture, both.a.strip);
    expect_below(both.b.picture, both.b.strip);
  }
}

// Presenting and without panels; what lies over it comes and goes, and moves nothing.
TEST(Layout, ByItselfThePictureHasTheWindow) {
  for (const auto& [width, height] : {std::pair{1280.0f, 720.0f}, {1920.0f, 1080.0f}, {3840.0f, 2160.0f}}) {
    for (const bool present : {false, true}) {
      LayoutOptions options;
      options.width = width, options.height = height;
      options.present = present;
      if (!present) options.panels.reset();
      const Layout layout = lay_out(options);
      EXPECT_EQ(layout.floats, present);
      EXPECT_GE(layout.picture.width * layout.picture.height, 0.85f * width * height) << width;
      LayoutOptions both = options;
      both.compare = both.headed = true;
      const Layout sides = lay_out(both);
      const float drawn = (sides.a.picture.width + sides.b.picture.width) * sides.a.picture.height;
      EXPECT_TRUE(!present || drawn >= 0.85f * width * height) << width;
      const scene::Rect& below = present ? layout.strip : layout.keys;
      EXPECT_GE(below.y, layout.picture.y + layout.picture.height);
      EXPECT_LE(below.y + below.height, height);
      if (present) {
        EXPECT_LE(layout.bottom.y + layout.bottom.height, below.y) << "its numbers can be clicked";
      }
      std::vector needing{&LayoutOptions::lesson, &LayoutOptions::index, &LayoutOptions::compare};
      needing.push_back(present ? &LayoutOptions::source : &LayoutOptions::form);
      if (!present) needing.push_back(&LayoutOptions::editing);
      for (bool LayoutOptions::*needs : needing) {
        LayoutOptions other = options;
        other.*needs = true;
        const Layout beside = lay_out(other);
        EXPECT_FALSE(beside.is_bare || (beside.floats && !other.compare));
        EXPECT_GT(beside.source.width + beside.b.source.width, 200) << "what is asked or typed has its place";
      }
    }
  }
}

// What is under way comes and goes over the picture's foot; what stays has a row.
TEST(Layout, WhatPassesMovesNothing) {
  for (const bool compare : {false, true}) {
    LayoutOptions options;
    options.compare = compare;
    const auto top = [&] { return compare ? lay_out(options).a.head.y : lay_out(options).source.y; };
    const float before = top();
    options.hint = options.passes = true;
    EXPECT_EQ(top(), before);
    EXPECT_TRUE(lay_out(options).hint_floats);
    options.passes = false;
    EXPECT_GT(top(), before);
  }
}

// A question and its answer are looked at where the picture stood before, and in a vote as during it. Nothing
// that is turned lies over an open question.
TEST(Layout, AnAnswerMovesNoPictureOnStage) {
  const auto same = [](const scene::Rect& a, const scene::Rect& b) {
    return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
  };
  LayoutOptions options;
  options.width = 1280, options.height = 720;
  options.present = true;
  const Layout before = lay_out(options);
  options.lesson = options.asks = options.open = true;
  const Layout asked = lay_out(options);
  options.open = false;
  const Layout answered = lay_out(options);
  EXPECT_TRUE(same(asked.picture, before.picture));
  EXPECT_TRUE(same(answered.picture, before.picture));
  EXPECT_TRUE(same(asked.lesson, before.strip));
  EXPECT_TRUE(same(answered.lesson, before.strip));
  EXPECT_EQ(asked.transport.width, 0);
  EXPECT_GT(answered.transport.width, 0);
  options.vote = options.open = true;
  const Layout votes = lay_out(options);
  options.open = false;
  const Layout revealed = lay_out(options);
  EXPECT_TRUE(same(revealed.picture, votes.picture));
  EXPECT_TRUE(same(revealed.vote, votes.vote));
  EXPECT_LE(votes.vote.x + votes.vote.width, votes.picture.x);
  EXPECT_GT(votes.picture.height, 680) << "no bar above or below it";
}

// On the desk a vote hides what is counted, and else the question's panel: nothing stands there twice.
TEST(Layout, AVoteHasThePlaceOfWhatItHides) {
  LayoutOptions options;
  const Layout before = lay_out(options);
  options.vote = true;
  const Layout votes = lay_out(options);
  EXPECT_EQ(votes.vote.x, before.access.x);
  EXPECT_EQ(votes.access.width + votes.grid.width + votes.times.width, 0);
  options.panels.reset(static_cast<std::size_t>(app::Panel::Access));
  options.lesson = true;
  const Layout asked = lay_out(options);
  EXPECT_EQ(asked.lesson.width, 0);
  EXPECT_EQ(asked.vote.x, before.lanes.x);
}

// Of the panels that are shown each has a place, the others none, and the picture what they leave.
TEST(Layout, PanelsStandAroundThePictureAndNotOverIt) {
  for (unsigned long chosen = 0; chosen <= app::kAllPanels; ++chosen) {
    LayoutOptions options;
    options.width = 1280, options.height = 720;
    options.panels = app::Panels(chosen);
    const Layout l = lay_out(options);
    EXPECT_EQ(l.is_bare, chosen == 0);
    const scene::Rect* places[] = {&l.source, &l.lanes, &l.access, &l.grid, &l.times};
    for (std::size_t i = 0; i < std::size(places); ++i)
      EXPECT_EQ(places[i]->width > 100 && places[i]->height > 60, options.panels.test(i))
          << chosen << " " << i;
    for (const scene::Rect* place : places) {
      const bool beside = place->x + place->width <= l.picture.x || place->x >= l.picture.x + l.picture.width;
      EXPECT_TRUE(place->width == 0 || beside) << chosen;
    }
    const bool left = (chosen & 3) != 0, right = (chosen & 28) != 0;
    EXPECT_EQ(l.picture.width > 700, !left || !right) << chosen;
  }
}

TEST(Layout, EmbeddedThePictureHasTheRoomOfParametersAndGivesSomeToAQuestion) {
  LayoutOptions options;
  options.alone = true;
  options.width = 800, options.height = 450;
  const Layout with = lay_out(options);
  options.parameters = false;
  const Layout without = lay_out(options);
  EXPECT_GT(with.parameters.height, 0);
  EXPECT_EQ(without.parameters.height, 0);
  EXPECT_EQ(without.picture.height, with.picture.height + with.parameters.height);
  options.parameters = options.lesson = true;
  const Layout wide = lay_out(options);
  EXPECT_GT(wide.lesson.width, 300);
  EXPECT_GE(wide.lesson.x, wide.picture.x + wide.picture.width) << "beside it";
  EXPECT_LE(wide.lesson.x + wide.lesson.width, 800);
  options.width = 390, options.height = 844;
  const Layout tall = lay_out(options);
  EXPECT_GT(tall.lesson.height, 200);
  EXPECT_GE(tall.lesson.y, tall.picture.y + tall.picture.height) << "below it";
  EXPECT_LE(tall.lesson.y + tall.lesson.height, tall.transport.y);
}

}  // namespace
}  // namespace warplens::panels
