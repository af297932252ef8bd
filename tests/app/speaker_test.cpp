// What the speaker alone is told, and where that window goes.
#include "app/readout/speaker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/platform/screens.h"
#include "app/readout/question.h"
#include "app/scene/palette.h"
#include "app/scene/scene.h"
#include "app/storage/teaching_files.h"
#include "tests/app/desk.h"
#include "tests/scene/checks.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;

struct Talk : Windowless {
  Talk() {
    state.notes_apart = true;
    const auto lecture = load_lecture(lectures_folder() / "ten-minutes.lecture.json", gallery());
    EXPECT_TRUE(lecture);
    act(TakeLecture{*lecture.value}).act(ShowNotes{true});
  }
  SpeakerTold told(double seconds = 0, bool apart = true) {
    std::string error;
    static const language::Strings english =
        load_words(std::filesystem::path(WARPLENS_SOURCE_DIR) / "assets/languages", "en", &error);
    return told_to_speaker(state, *seen, english, "14:05", seconds, apart);
  }
};

TEST(Speaker, IsToldNotesAnswerAndWhatComesNext) {
  Talk talk;
  ASSERT_TRUE(speaks(talk.state));
  SpeakerTold told = talk.told();
  EXPECT_EQ(told.place, "1 / 9");
  EXPECT_EQ(told.name, "One warp, one load");
  EXPECT_THAT(told.notes, HasSubstr("32 lanes read 32 words"));
  EXPECT_EQ(told.next, "The store");
  EXPECT_THAT(told.question, HasSubstr("sectors"));
  EXPECT_THAT(told.answer, HasSubstr("4")) << "the hall has not answered: the speaker knows";
  EXPECT_TRUE(hidden_in(talk.state).costs);
  EXPECT_FALSE(talk.state.notice) << "and nothing of it is said on the stage";
  talk.key(Key::PageDown);
  told = talk.told();
  EXPECT_EQ(told.place, "2 / 9");
  EXPECT_THAT(told.answer, HasSubstr("32"));
  talk.act(GoToScene{8});
  EXPECT_EQ(next_scene(talk.state), nullptr);
  told = talk.told();
  EXPECT_EQ(told.next, "this is the last scene");
  EXPECT_THAT(told.answer, HasSubstr("2"));
  talk.act(GoToScene{5});
  EXPECT_TRUE(talk.told().answer.empty()) << "nothing is asked";
  talk.state.notes_apart = false;
  EXPECT_FALSE(speaks(talk.state)) << "a browser has no second window";
}

TEST(Speaker, IsToldNoAnswerWhereTheHallSeesIt) {
  Talk talk;
  const SpeakerTold told = talk.told(0, false);
  EXPECT_TRUE(told.question.empty() && told.answer.empty() && told.why.empty());
  EXPECT_THAT(told.notes, HasSubstr("when it is locked"));
  EXPECT_EQ(told.next, "The store");
  const auto next = [&](bool apart) { return state_of_next(talk.state, *next_scene(talk.state), apart); };
  EXPECT_TRUE(hidden_in(next(false)).costs) << "scene 2 asks as well";
  EXPECT_FALSE(hidden_in(next(true)).costs);
  talk.act(GoToScene{1});
  EXPECT_TRUE(hidden_in(next(false)).costs) << "scene 3 asks nothing, and shows what scene 2 asks";
  talk.act(SetPredicting{false});
  EXPECT_FALSE(hidden_in(next(false)).costs) << "it is answered";
  talk.act(GoToScene{3});
  EXPECT_TRUE(hidden_in(next(false)).costs) << "nothing is asked now; scene 5 will";
  talk.act(GoToScene{0});
  talk.act(SetPredicting{false});
  EXPECT_THAT(talk.told(0, false).notes, HasSubstr("32 lanes read 32 words"));
}

TEST(Speaker, TimeIsTold) {
  Talk talk;
  EXPECT_EQ(talk.told(0).since, "0 min");
  EXPECT_EQ(talk.told(754.9).since, "12 min");
  EXPECT_EQ(talk.told(3723).since, "62 min");
  EXPECT_EQ(talk.told().clock, "14:05");
}

// Every word has room, in any window; long notes get smaller letters.
TEST(Speaker, APageHasRoomForEveryWord) {
  Talk talk;
  language::Strings strings;
  SpeakerTold told = talk.told();
  for (int times = 1; times <= 8; times *= 2) {
    float last = 0;
    for (const auto& [width, height] : {std::pair(1280.0f, 720.0f), {1600.0f, 900.0f}, {1000.0f, 760.0f}}) {
      const scene::Canvas canvas{width, height, std::min(width / 1280, height / 720), &scene::dark_palette(),
                                 &strings};
      const scene::Scene page = speaker_page(told, nullptr, canvas);
      std::string words;
      for (const scene::Label& label : scene::checks::labels_of(page)) {
        words += label.text + " ";
        const scene::Rect room = scene::bounds(label);
        EXPECT_GE(room.x, 0) << label.text;
        EXPECT_LE(room.x + room.width, width) << label.text;
        EXPECT_LE(room.y + room.height, height) << label.text;
        EXPECT_GE(label.size, 16 * canvas.scale) << label.text;
      }
      EXPECT_THAT(words, HasSubstr("every byte of them is used."))
          << "the notes to their end, " << told.notes.size() << " bytes";
      EXPECT_THAT(words, HasSubstr(told.answer));
      last = height;
    }
    EXPECT_GT(last, 0);
    told.notes += "\n" + told.notes;
  }
}

using platform::is_lost;
using platform::place_beside;
using platform::ScreenRect;
constexpr ScreenRect kLaptop{0, 0, 1920, 1080}, kProjector{1920, 0, 1280, 720};
constexpr ScreenRect kOnLaptop{60, 40, 1600, 900}, kOnProjector{1930, 10, 1200, 700};

TEST(SpeakersPlace, IsTheMonitorThatTheHallDoesNotSee) {
  const std::vector<ScreenRect> both{kLaptop, kProjector};
  const ScreenRect place = place_beside(kOnProjector, both);
  EXPECT_TRUE(is_apart(kOnProjector, place, both));
  EXPECT_EQ(monitor_of(place, both), 0);
  EXPECT_EQ(shared_area(place, kProjector), 0);
  EXPECT_EQ(monitor_of(place_beside(kOnLaptop, both), both), 1);
}

TEST(SpeakersPlace, CoversTheStageWhereThereIsOneScreen) {
  for (const auto& monitors : {std::vector{kLaptop}, std::vector{kLaptop, ScreenRect{0, 0, 1280, 720}}}) {
    const ScreenRect place = place_beside(kOnLaptop, monitors);
    EXPECT_FALSE(is_apart(kOnLaptop, place, monitors)) << "mirrors count as one";
    EXPECT_EQ(monitor_of(place, monitors), 0);
  }
  EXPECT_EQ(place_beside(kOnLaptop, {}), kOnLaptop);
}

TEST(SpeakersPlace, IsApartOnlyAsLongAsTheHallSeesNothingOfIt) {
  const std::vector<ScreenRect> both{kLaptop, kProjector};
  EXPECT_TRUE(is_apart(kOnProjector, kOnLaptop, both));
  EXPECT_FALSE(is_apart(kOnProjector, ScreenRect{1700, 40, 400, 300}, both))
      << "moved, it reaches onto the projector";
  const std::vector<ScreenRect> mirrored{kLaptop, {0, 0, 1280, 720}};
  EXPECT_FALSE(is_apart(ScreenRect{10, 10, 1200, 700}, kOnLaptop, mirrored));
  EXPECT_FALSE(is_apart(ScreenRect{1300, 800, 100, 100}, ScreenRect{10, 10, 300, 200}, mirrored))
      << "what the projector shows of the laptop's screen";
  const std::vector<ScreenRect> crossed{{0, 0, 1920, 1080}, {0, 0, 1200, 1600}};
  EXPECT_FALSE(is_apart(ScreenRect{1300, 10, 500, 500}, ScreenRect{10, 1200, 300, 300}, crossed))
      << "each lies where the other monitor does not reach, but they show the same";
  EXPECT_FALSE(is_apart(kOnLaptop, kOnProjector, {kLaptop})) << "its monitor is gone";
  EXPECT_FALSE(is_apart(kOnLaptop, kOnProjector, {}));
  EXPECT_FALSE(is_apart(kOnProjector, std::nullopt, both)) << "under Wayland it may be on the projector";
}

// The laptop's screen is mirrored, and the stage stands on a third.
TEST(SpeakersPlace, IsNoMonitorThatAnotherMirrors) {
  const std::vector<ScreenRect> all{kLaptop, ScreenRect{0, 0, 1280, 720}, kProjector};
  EXPECT_EQ(monitor_of(place_beside(kOnProjector, all), all), 2);
  EXPECT_FALSE(is_apart(kOnProjector, kOnLaptop, all));
}

// What a window manager leaves of a window whose monitor is gone: a strip at the edge.
TEST(SpeakersPlace, IsBroughtBackWhereOnlyAnEdgeIsLeft) {
  EXPECT_TRUE(is_lost(ScreenRect{1749, 70, 1728, 918}, {kLaptop}));
  EXPECT_FALSE(is_lost(ScreenRect{1749, 70, 1728, 918}, {kLaptop, kProjector})) << "it is on both";
  EXPECT_FALSE(is_lost(kOnLaptop, {kLaptop}));
}

// Half of the stage on either monitor: the hall sees both.
TEST(SpeakersPlace, IsNotWhereAPartOfTheStageIs) {
  const ScreenRect half{1500, 0, 1000, 700};
  EXPECT_FALSE(is_apart(half, place_beside(half, {kLaptop, kProjector}), {kLaptop, kProjector}));
}

}  // namespace
}  // namespace warplens::app
