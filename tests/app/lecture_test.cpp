// Lectures: scenes are kept, gone through by a clicker, put in order, and are the same from a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/readout/question.h"
#include "app/storage/session_file.h"
#include "app/storage/teaching_files.h"
#include "tests/app/desk.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;

struct Stage : FileDesk {
  using FileDesk::FileDesk;
  int count() const {
    return state.lecturing.lecture ? static_cast<int>(state.lecturing.lecture->scenes.size()) : 0;
  }
  std::string name(int i) const {
    return state.lecturing.lecture->scenes[static_cast<std::size_t>(i)].name.at("en");
  }
};

// Three scenes that differ in all that a view has.
void keep_three_scenes(Stage& s) {
  s.act(SetPresent{true}).act(KeepScene{});
  s.act(SetParameter{"pad", 1, {}}).act(PinA{}).act(SetParameter{"pad", 2, {}});
  s.act(GoToEvent{2, 0}).act(KeepScene{});
  s.act(LeaveComparison{}).act(SelectScenario{"transpose_naive_row"}).act(GoToEvent{1, 0});
  s.act(ShowView{ViewId::Map}).act(SetMapScope{MapScope::Warp}).act(ZoomMap{4}).act(KeepScene{});
}

TEST(Lectures, NotesOfAQuestionWaitForItsAnswer) {
  Stage s;
  s.act(SetPresent{true}).act(SetPredicting{true}).act(ShowNotes{true});
  ASSERT_TRUE(s.state.classroom.predicting);
  EXPECT_TRUE(notes_wait(s.state));
  ASSERT_TRUE(s.state.notice) << "the key is not dead: it says why there is nothing to see";
  EXPECT_EQ(s.state.notice->key, "lecture.notes_wait");
  s.state.classroom.predicting->guess.locked = true;
  EXPECT_FALSE(notes_wait(s.state));
}

TEST(Lectures, AViewIsKeptAndGoneBackTo) {
  Stage s;
  keep_three_scenes(s);
  ASSERT_EQ(s.count(), 3);
  EXPECT_EQ(s.name(0), "tile · tile[c][r]");
  EXPECT_EQ(s.name(1), "tile · tile[c][r] · padding 2") << "what it is beside the first";
  EXPECT_EQ(s.state.lecturing.scene, 2);
  const Viewpoint last = viewpoint_of(s.state);
  s.key(Key::PageUp);
  EXPECT_EQ(s.state.lecturing.scene, 1);
  ASSERT_TRUE(s.state.pinned);
  EXPECT_EQ(s.state.pinned->values.at("pad"), 1);
  EXPECT_EQ(s.state.settings.values.at("pad"), 2);
  EXPECT_NE(s.state.shown, ViewId::Map);
  s.key(Key::PageDown);
  EXPECT_EQ(viewpoint_of(s.state), last);
  s.key(Key::PageDown);
  EXPECT_EQ(s.state.lecturing.scene, 2) << "there is no scene behind the last one";
  s.letter('z', false, true);
  EXPECT_TRUE(s.state.present) << "settings are undone, the stage stays";
}

TEST(Lectures, AClickerGoesThroughScenesOnlyWhilePresenting) {
  Stage s;
  keep_three_scenes(s);
  s.act(GoToScene{0});
  ASSERT_NE(s.state.shown, ViewId::Map);
  s.act(SetPresent{false});
  s.key(Key::PageDown);
  EXPECT_EQ(s.state.lecturing.scene, 0) << "on the desk they go through blocks";
  EXPECT_EQ(s.state.position.block.x, 1u);
  s.act(SetPresent{true}).act(SetPredicting{true});
  s.key(Key::PageDown);
  EXPECT_EQ(s.state.lecturing.scene, 1) << "also while a question is open";
  EXPECT_FALSE(s.state.classroom.predicting);
}

// Nor is a clicker dead where no lecture is open.
TEST(Lectures, WithoutOneAClickerGoesThroughAccesses) {
  Stage s;
  s.act(SetPresent{true}).act(GoToEvent{0, 0});
  s.key(Key::PageDown);
  EXPECT_EQ(s.seen->place.event, 1);
  s.key(Key::Enter);
  EXPECT_EQ(s.seen->place.event, 2);
  s.key(Key::PageUp);
  EXPECT_EQ(s.seen->place.event, 1);
  EXPECT_EQ(s.state.position.block.x, 0u);
}

TEST(Lectures, AQuestionIsAskedAnew) {
  Stage s("transpose_naive_row");
  s.act(SetPresent{true}).act(SetPredicting{true}).act(KeepScene{});
  s.act(SetGuess{"3", -1}).act(LockGuess{}).act(LockGuess{});
  ASSERT_TRUE(s.state.classroom.predicting->guess.locked);
  s.act(GoToScene{0});
  ASSERT_TRUE(s.state.classroom.predicting);
  EXPECT_FALSE(s.state.classroom.predicting->guess.locked);
  EXPECT_TRUE(hidden_in(s.state).costs);
}

TEST(Lectures, ScenesArePutInOrderNamedRemovedAndHadAgain) {
  Stage s;
  keep_three_scenes(s);
  s.letter('l', true, true);
  ASSERT_EQ(s.state.lecturing.list, 2);
  s.key(Key::Up, true);
  EXPECT_EQ(s.state.lecturing.list, 1);
  EXPECT_EQ(s.state.lecturing.scene, 1) << "it is still the one on screen";
  EXPECT_EQ(s.name(1), "naive · out[col * nrows + row]");
  s.key(Key::F2);
  ASSERT_EQ(s.state.field.id, kSceneName);
  s.act(EditField{"The store"});
  s.key(Key::Tab);
  ASSERT_EQ(s.state.field.id, kSceneNotes);
  s.act(EditField{"32 for 4"});
  s.key(Key::Enter);
  EXPECT_EQ(s.name(1), "The store");
  EXPECT_EQ(scene_field(s.state, kSceneNotes), "32 for 4");
  s.key(Key::Delete);
  EXPECT_EQ(s.count(), 2);
  EXPECT_EQ(s.state.lecturing.scene, -1) << "what is on screen is no scene now";
  s.letter('z', false, true);
  ASSERT_EQ(s.count(), 3);
  EXPECT_EQ(s.name(1), "The store");
  s.act(MoveSelection{-1}).key(Key::Enter);
  EXPECT_FALSE(s.state.lecturing.list) << "the list closes";
  EXPECT_EQ(s.state.lecturing.scene, 0);
}

class LectureFiles : public testing::Test {
 protected:
  std::string trouble(const std::string& text) {
    const auto loaded = load_lecture(own_.write("a.lecture.json", text), gallery());
    return loaded ? "none" : loaded.errors.front().english();
  }
  const scenario::Folder own_;
  const std::filesystem::path folder_ = own_.path();
};

TEST_F(LectureFiles, AFileBringsEveryViewBack) {
  Stage s;
  keep_three_scenes(s);
  const auto file = folder_ / "mine.lecture.json";
  WriteFile to{file.string(), {}, {}, true};
  const Actions answers = perform(WriteLecture{s.state.lecturing.lecture, to}, s.state, gallery(), {});
  ASSERT_EQ(answers.size(), 1u);
  s.act(answers[0]);
  EXPECT_FALSE(s.state.lecturing.unsaved);
  const auto loaded = load_lecture(file, gallery());
  ASSERT_TRUE(loaded) << loaded.errors.front();
  const Lecture& kept = *s.state.lecturing.lecture;
  ASSERT_EQ((*loaded.value)->scenes.size(), kept.scenes.size());
  for (std::size_t i = 0; i < kept.scenes.size(); ++i) {
    EXPECT_EQ((*loaded.value)->scenes[i].name, kept.scenes[i].name);
    EXPECT_EQ((*loaded.value)->scenes[i].view, kept.scenes[i].view) << i;
  }
  EXPECT_EQ(lecture_text(**loaded.value), lecture_text(kept));
}

TEST_F(LectureFiles, SavingReplacesOnlyWhatWasRead) {
  Stage s;
  keep_three_scenes(s);
  const std::string path = (folder_ / "mine.lecture.json").string();
  for (const Action& a :
       perform(WriteLecture{s.state.lecturing.lecture, {path, {}, {}, true}}, s.state, gallery(), {}))
    s.act(a);
  s.act(KeepScene{}).act(SaveLecture{});
  EXPECT_EQ(s.state.notice->key, "files.saved");
  own_.write("mine.lecture.json", "somebody else's");
  s.act(KeepScene{}).act(SaveLecture{});
  EXPECT_EQ(s.state.notice->key, "files.changed") << "it is asked first";
  s.act(SaveLecture{});
  EXPECT_EQ(s.state.notice->key, "files.saved");
}

TEST_F(LectureFiles, AMistakeIsToldWithItsPlace) {
  const std::string head = R"({"schema": "warplens.lecture/1", "scenes": [)";
  EXPECT_THAT(trouble(head + "]}"), HasSubstr("scenes"));
  EXPECT_THAT(trouble(head + R"({"scenario": "no_such"}]})"), HasSubstr("scenes[0].scenario"));
  EXPECT_THAT(trouble(head + R"({"scenario": "transpose_shared", "values": {"padd": 1}}]})"),
              HasSubstr("scenes[0].values.padd"));
  EXPECT_THAT(trouble(head + R"({"scenario": "copy_row", "theme": "blue"}]})"), HasSubstr("scenes[0].theme"));
  EXPECT_THAT(trouble(head + R"({"scenario": "copy_row", "text": "int x;"}]})"), HasSubstr("scenes[0].text"));
  EXPECT_THAT(trouble(head + R"({"scenario": "copy_row", "notes": ")" +
                      std::string(kMostSceneNotes + 1, 'x') + R"("}]})"),
              HasSubstr("at most 4000"));
  EXPECT_THAT(trouble(R"({"schema": "warplens.lecture/2", "scenes": []})"), HasSubstr("schema"));
  std::string many = head;
  for (std::size_t i = 0; i <= kMostScenes; ++i)
    many += std::string(i ? "," : "") + R"({"scenario": "copy_row"})";
  EXPECT_THAT(trouble(many + "]}"), HasSubstr("at most 200"));
  EXPECT_EQ(trouble(head + R"({"scenario": "copy_row"}]})"), "none");
}

TEST_F(LectureFiles, ASessionKeepsTheLecture) {
  Stage s;
  keep_three_scenes(s);
  s.act(GoToScene{1});
  const auto file = own_.write("s.warplens.json", to_json(s.state, *s.seen).dump());
  const auto loaded = load_session(file, gallery());
  ASSERT_TRUE(loaded) << loaded.errors.front();
  ASSERT_TRUE(loaded.value->lecturing.lecture);
  EXPECT_EQ(loaded.value->lecturing.scene, 1);
  EXPECT_EQ(lecture_text(*loaded.value->lecturing.lecture), lecture_text(*s.state.lecturing.lecture));
  EXPECT_EQ(viewpoint_of(*loaded.value), viewpoint_of(s.state));
}

TEST(Lectures, ThereAreAtMostSoMany) {
  Stage s;
  for (std::size_t i = 0; i < kMostScenes + 1; ++i) s.state = apply(s.state, KeepScene{}, *s.seen, gallery());
  EXPECT_EQ(s.count(), static_cast<int>(kMostScenes));
  EXPECT_EQ(s.state.notice->key, "lecture.full");
}

TEST(Lectures, ALectureBeginsOnTheStage) {
  const auto loaded =
      load_lecture(WARPLENS_SOURCE_DIR "/assets/lectures/ten-minutes.lecture.json", gallery());
  ASSERT_TRUE(loaded) << loaded.errors.front();
  Stage s("copy_row");
  s.act(OpenLesson{"padding"}).act(TakeLecture{*loaded.value});
  EXPECT_TRUE(s.state.present);
  EXPECT_FALSE(s.state.classroom.active);
  EXPECT_EQ(s.state.lecturing.scene, 0);
  for (const LectureScene& scene : (*loaded.value)->scenes) {
    for (const char* language : {"en", "zh-CN"}) {
      EXPECT_TRUE(scene.name.contains(language));
      EXPECT_TRUE(scene.notes.contains(language));
    }
  }
}

}  // namespace
}  // namespace warplens::app
