// The ten-minute demonstration of docs/teaching.md, followed to the letter: its own keys, read from the page,
// lead where the page says.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "app/actions/apply.h"
#include "app/input/keys.h"
#include "app/readout/question.h"
#include "app/simulate/simulator.h"
#include "app/storage/teaching_files.h"
#include "tests/app/waits.h"

namespace warplens::app {
namespace lecture_script_test {

struct Lecture {
  Catalog catalog = load_catalog(WARPLENS_SOURCE_DIR "/kernels");
  State state = opening(catalog, "transpose_naive_row");
  jobs::Runner runner{jobs::waits_for_all()};
  Simulator simulator{&catalog, runner};
  std::shared_ptr<const Simulation> seen = simulator.derive(state);

  void act(const Action& action) {
    state = apply(std::move(state), action, *seen, catalog);
    seen = simulator.derive(state);
  }
  void press(const KeyPress& key) {
    for (const Action& action : actions_of(key, state, catalog, {})) act(action);
  }
  bool asks() const { return state.classroom.predicting && !state.classroom.predicting->guess.locked; }
  const std::string& text() const { return seen->now->site->text; }
  std::pair<int, int> cost() const {
    const auto& event = (*seen->events)[static_cast<std::size_t>(seen->place.event)];
    return {event.units, event.ideal};
  }
};

// "| 5 | <kbd>5</kbd> takes ... | what to say |": minute -> what to do.
std::map<int, std::string> minutes() {
  std::stringstream page;
  page << std::ifstream(WARPLENS_SOURCE_DIR "/docs/teaching.md").rdbuf();
  std::map<int, std::string> found;
  const std::regex row(R"(^\| ([0-9]+) \| (.*) \| .* \|$)");
  std::smatch match;
  for (std::string line; std::getline(page, line);) {
    if (std::regex_match(line, match, row)) found[std::stoi(match[1])] = match[2];
  }
  return found;
}

// Presses the keys of a row, "twice" or "fifteen times" where that follows; before Enter, where a question
// waits, a student guesses.
void follow(const std::string& row, Lecture* lecture) {
  static const std::map<std::string, int> kTimes{{"twice", 2}, {"fifteen times", 15}, {"sixteen times", 16}};
  const std::regex chord("(<kbd>Ctrl</kbd> \\+ )?<kbd>([^<]*)</kbd>(,? (twice|[a-z]+ times))?");
  for (std::sregex_iterator at(row.begin(), row.end(), chord), end; at != end; ++at) {
    std::vector<KeyPress> presses = presses_of((*at)[2].str());
    ASSERT_EQ(presses.size(), 1u) << row;
    KeyPress& press = presses[0];
    press.control = (*at)[1].matched;
    int times = 1;
    if ((*at)[4].matched) {
      ASSERT_TRUE(kTimes.contains((*at)[4])) << (*at)[4];
      times = kTimes.at((*at)[4]);
    }
    if (press.key == Key::Enter && lecture->asks()) lecture->press({Key::Character, '3', {}, false, false});
    for (int i = 0; i < times; ++i) lecture->press(press);
  }
}

TEST(LectureScript, LeadsWhereThePageSays) {
  using Cost = std::pair<int, int>;
  const std::map<int, std::string> script = minutes();
  ASSERT_EQ(script.size(), 10u);
  Lecture lecture;
  const auto file =
      load_lecture(WARPLENS_SOURCE_DIR "/assets/lectures/ten-minutes.lecture.json", lecture.catalog);
  ASSERT_TRUE(file) << file.errors.front();
  lecture.act(TakeLecture{*file.value});
  const auto minute = [&](int n) {
    follow(script.at(n), &lecture);
    EXPECT_TRUE(lecture.state.present) << "minute " << n << " leaves the stage";
  };
  const auto locked = [&] { return lecture.state.classroom.predicting && !lecture.asks(); };

  EXPECT_TRUE(lecture.asks());
  minute(0);
  EXPECT_TRUE(locked());
  EXPECT_EQ(lecture.cost(), Cost(4, 4));
  minute(2);
  EXPECT_TRUE(locked());
  EXPECT_EQ(lecture.cost(), Cost(32, 4));
  minute(3);
  EXPECT_EQ(lecture.state.shown, ViewId::Map);
  EXPECT_FALSE(hidden_in(lecture.state).costs);
  minute(4);
  EXPECT_EQ(lecture.state.settings.scenario, "transpose_shared");
  EXPECT_EQ(lecture.state.shown, ViewId::Phases);
  EXPECT_FALSE(lecture.state.playback.playing);
  minute(5);
  EXPECT_EQ(lecture.text(), "tile[c][r]");
  EXPECT_EQ(lecture.cost(), Cost(16, 1));
  EXPECT_EQ(lecture.seen->place.wavefront, 0);
  minute(6);
  EXPECT_EQ(lecture.text(), "tile[c][r]");
  EXPECT_EQ(lecture.seen->place.wavefront, 15);
  minute(7);
  EXPECT_TRUE(locked());
  EXPECT_EQ(lecture.state.settings.values.at("pad"), 1);
  EXPECT_EQ(lecture.cost(), Cost(2, 1));
  minute(8);
  EXPECT_EQ(lecture.state.settings.values.at("pad"), 2);
  EXPECT_EQ(lecture.cost(), Cost(1, 1));
  minute(9);
  ASSERT_TRUE(lecture.state.pinned);
  EXPECT_EQ(lecture.state.pinned->values.at("pad"), 0);
  minute(10);
  ASSERT_TRUE(lecture.state.pinned);
  EXPECT_EQ(lecture.state.pinned->scenario, "transpose_naive_row");
  EXPECT_EQ(lecture.text(), "out[row * nrows + col]");
  const Hidden hidden = hidden_in(lecture.state);
  EXPECT_FALSE(hidden.costs || hidden.rest) << "the whole grid's counts are to be seen";
}

}  // namespace lecture_script_test
}  // namespace warplens::app
