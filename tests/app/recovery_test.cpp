#include "app/storage/recovery.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include "app/actions/apply.h"
#include "app/state/teaching.h"
#include "app/state/user_kernel.h"
#include "app/storage/files.h"
#include "tests/scenario/folder.h"

namespace warplens::app::recovery_test {

namespace fs = std::filesystem;

constexpr const char* kKernel = "__global__ void k(float* out) { out[threadIdx.x] = 1; }\n";

// A person's text of one file; `edited` is what was typed before it.
State state_of(const fs::path& file, const std::string& edited = {}) {
  State state;
  const auto text = std::make_shared<const std::string>(edited + kKernel);
  state.on_disk[file.string()] = std::make_shared<const std::string>(kKernel);
  state.settings = settings_of(opened_kernel(file, *text), text);
  return state;
}

// Within a patience that no disk at work needs.
bool comes(const std::function<bool()>& what) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < end) {
    if (what()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

struct Home {
  scenario::Folder folder;
  fs::path state = folder.path() / "state" / "warplens";
  std::vector<fs::path> kept() const {
    std::vector<fs::path> files;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(state, failed)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("recovery-") && name.ends_with(".json")) files.push_back(entry.path());
    }
    return files;
  }
  bool holds(const std::string& words) const {
    return std::ranges::any_of(
        kept(), [&](const fs::path& f) { return folder.read(f).find(words) != std::string::npos; });
  }
  Places places(const std::shared_ptr<Recovery>& recovery) const { return {{}, state, recovery}; }
  // What is there once the window has done what is asked for.
  State after(const Request& request, State before, const std::shared_ptr<Recovery>& recovery) const {
    for (const Action& action : perform(request, before, Catalog{}, places(recovery)))
      before = apply(std::move(before), action, Simulation{}, Catalog{});
    return before;
  }
};

// A run that types into each of these files and is killed.
void die_with(const Home& home, const std::vector<std::pair<std::string, std::string>>& texts) {
  const pid_t child = ::fork();
  if (child == 0) {
    Recovery recovery(home.state);
    for (const auto& [file, typed] : texts) recovery.keep(state_of(file, typed));
    ::_exit(recovery.flush(20) && ::kill(::getpid(), SIGKILL) != 0 ? 1 : 2);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status)) << "it could not keep them";
}

TEST(Recovery, IsWrittenWhileTypingGoesOn) {
  const Home home;
  Recovery recovery(home.state);
  recovery.keep(state_of("/a/one.cu"));
  ASSERT_TRUE(recovery.flush(20));
  EXPECT_FALSE(fs::exists(home.state)) << "no trace where nothing is unsaved";
  // A key every few milliseconds, without a rest and without a flush.
  std::string typed;
  const auto type_until_it_holds = [&](std::size_t letters) {
    return comes([&] {
      typed += static_cast<char>('a' + typed.size() % 26);
      recovery.keep(state_of("/a/one.cu", "// " + typed + "\n"));
      return typed.size() >= letters && home.holds("// " + typed.substr(0, letters));
    });
  };
  ASSERT_TRUE(type_until_it_holds(1));
  ASSERT_TRUE(type_until_it_holds(typed.size() + 1)) << "and what came after it";
  EXPECT_LE(home.kept().size(), 1u);
  ASSERT_TRUE(recovery.flush(20));
  EXPECT_TRUE(home.holds(typed)) << "at once where it is asked for";
  recovery.keep(state_of("/a/one.cu"));
  ASSERT_TRUE(recovery.flush(20));
  EXPECT_TRUE(home.kept().empty()) << "saved or taken back";
}

TEST(Recovery, KeepsEveryTextThatWasLeft) {
  const Home home;
  {
    Recovery recovery(home.state), another_window(home.state);
    recovery.keep(state_of("/a/one.cu", "// first\n"));
    recovery.keep(state_of("/a/two.cu", "// second\n"));
    recovery.keep(state_of("/a/three.cu"));
    recovery.keep(state_of("/a/one.cu"));  // without what was typed
    another_window.keep(state_of("/a/one.cu", "// of the other window\n"));
    EXPECT_TRUE(recovery.flush(20) && another_window.flush(20));
    EXPECT_TRUE(recovery.left_over().empty()) << "both live";
    EXPECT_TRUE(another_window.left_over().empty());
    EXPECT_EQ(recovery.unsaved(), 2);
  }
  EXPECT_EQ(home.kept().size(), 3u);
  EXPECT_EQ(Recovery(home.state).left_over().size(), 3u);
  for (const char* words : {"first", "second", "of the other window"}) EXPECT_TRUE(home.holds(words));
}

TEST(Recovery, KeepsScenesThatAreNotSaved) {
  const Home home;
  const fs::path file = home.folder.write("one.cu", kKernel);
  auto recovery = std::make_shared<Recovery>(home.state);
  State state = state_of(file);
  const auto keep_scenes = [&](std::size_t scenes, bool unsaved) {
    Lecture lecture;
    lecture.scenes.assign(scenes, {{{"en", "Mine"}}, {}, std::nullopt, viewpoint_of(state)});
    state.lecturing.before =
        std::exchange(state.lecturing.lecture, std::make_shared<const Lecture>(std::move(lecture)));
    state.lecturing.unsaved = unsaved;
    recovery->keep(state);
    EXPECT_TRUE(recovery->flush(20));
  };
  keep_scenes(1, false);
  EXPECT_EQ(recovery->unsaved(), 0) << "a lecture as it is in its file";
  keep_scenes(2, true);
  state.position.warp = 1;  // nothing of the scenes
  keep_scenes(3, true);
  EXPECT_EQ(recovery->unsaved(), 1);
  keep_scenes(4, false);  // another lecture, opened over it
  EXPECT_EQ(home.kept().size(), 1u) << "that one stays for the next start";
  keep_scenes(2, true);
  EXPECT_EQ(home.kept().size(), 2u);
  state.lecturing.unsaved = false;  // saved
  state.lecturing.before = nullptr;
  recovery->keep(state);
  ASSERT_TRUE(recovery->flush(20));
  EXPECT_EQ(home.kept().size(), 1u);

  recovery = nullptr;  // that run has ended
  recovery = std::make_shared<Recovery>(home.state);
  const State next = home.after(ReadRecovery{}, {}, recovery);
  ASSERT_TRUE(next.lecturing.lecture);
  EXPECT_EQ(next.lecturing.lecture->scenes.size(), 3u);
  EXPECT_TRUE(next.lecturing.unsaved) << "brought back, but in no file yet";
  recovery->keep(next);
  ASSERT_TRUE(recovery->flush(20));
  EXPECT_EQ(home.kept().size(), 1u);
  EXPECT_EQ(recovery->unsaved(), 1);
}

// Opened once more, as it is on the disk: what was typed into it before stands in no window any more.
TEST(Recovery, KeepsTheTextOfAFileThatIsReadAnew) {
  const Home home;
  const fs::path file = home.folder.write("one.cu", kKernel);
  const auto recovery = std::make_shared<Recovery>(home.state);
  for (const bool on_screen : {true, false}) {
    const std::string typed = on_screen ? "// seen\n" : "// left\n";
    recovery->keep(state_of(file, typed));
    State state = on_screen ? state_of(file, typed) : state_of("/a/two.cu");
    recovery->keep(state);
    state = home.after(ReadFile{file.string()}, std::move(state), recovery);
    EXPECT_FALSE(is_edited(state));
    recovery->keep(state);
    ASSERT_TRUE(recovery->flush(20));
    EXPECT_TRUE(home.holds(typed.substr(0, 7)));
  }
  EXPECT_EQ(home.kept().size(), 2u);
}

TEST(Recovery, OffersThemInTurnAndLosesNone) {
  const Home home;
  die_with(home, {{"/a/one.cu", "// first\n"}, {"/a/two.cu", "// second\n"}});
  die_with(home, {{"/a/one.cu", "// third\n"}});
  const auto recovery = std::make_shared<Recovery>(home.state);
  EXPECT_EQ(offer_of(home.places(recovery))->words, "3");
  State state;
  for (int left = 2; left >= 0; --left) {
    state = home.after(ReadRecovery{}, std::move(state), recovery);
    ASSERT_TRUE(is_edited(state));
    EXPECT_EQ(state.notice.has_value(), left > 0);
    const std::string named = left == 1 ? state.notice->words.english() : "one.cu";
    EXPECT_TRUE(named == "one.cu" || named == "two.cu") << named;
    recovery->keep(state);
    ASSERT_TRUE(recovery->flush(20));
    EXPECT_EQ(home.kept().size(), 3u) << "a copy at every moment, of those of the same file too";
  }
  EXPECT_EQ(recovery->unsaved(), 3);
  // The file name in it was not chosen here.
  EXPECT_TRUE(state.chosen.empty());
}

TEST(Recovery, IsDeletedByTheUserAlone) {
  const Home home;
  die_with(home, {{"/a/one.cu", "// first\n"}});
  {
    Recovery next(home.state);  // the same process as ever: a number of a process says nothing
    next.keep(state_of("/a/one.cu"));
    next.keep(state_of("/a/one.cu", "// typed meanwhile\n"));
    next.keep(state_of("/a/one.cu"));
    next.flush(20);
  }
  EXPECT_TRUE(home.holds("first"));
  const auto recovery = std::make_shared<Recovery>(home.state);
  const Actions actions = perform(DiscardRecovery{}, {}, Catalog{}, home.places(recovery));
  EXPECT_TRUE(home.kept().empty());
  EXPECT_TRUE(std::ranges::any_of(actions, [](const Action& a) { return a.as<DismissNotice>() != nullptr; }));
  int discarded = 0;
  for (const auto& entry : fs::directory_iterator(home.state))
    discarded += entry.path().filename().string().starts_with("discarded-") ? 1 : 0;
  EXPECT_EQ(discarded, 1) << "in case of second thoughts";
  EXPECT_FALSE(offer_of(home.places(recovery)));
}

TEST(Recovery, OfAnOlderVersionIsOfferedToo) {
  const Home home;
  home.folder.write("state/warplens/recovery-" + std::to_string(::getpid()) + ".warplens.json",
                    R"({"schema": "warplens.session/1"})");
  EXPECT_EQ(Recovery(home.state).left_over().size(), 1u);
}

TEST(Recovery, LeavesWhatItCannotRead) {
  const Home home;
  const fs::path file =
      home.folder.write("state/warplens/recovery-999999999.warplens.json",
                        R"({"schema": "warplens.session/1", "scenario": "none_such", "text": "x"})");
  const Actions actions =
      perform(ReadRecovery{}, {}, Catalog{}, home.places(std::make_shared<Recovery>(home.state)));
  ASSERT_FALSE(actions.empty());
  ASSERT_NE(actions.front().as<CouldNotSave>(), nullptr);
  EXPECT_NE(actions.front().as<CouldNotSave>()->words.english().find("none_such"), std::string::npos);
  EXPECT_TRUE(fs::exists(file)) << "it is the only copy";
}

TEST(Recovery, SaysWhereNothingCanBeKept) {
  const Home home;
  home.folder.write("state", "no folder");
  Recovery recovery(home.state), homeless({});
  EXPECT_TRUE(recovery.flush(20) && homeless.flush(20)) << "nothing is unsaved";
  for (Recovery* one : {&recovery, &homeless}) {
    one->keep(state_of("/a/one.cu", "// typed\n"));
    EXPECT_FALSE(one->flush(20));
    EXPECT_FALSE(one->trouble());
    EXPECT_NE(one->trouble().words, "");
  }
  // It is tried again by itself, and told when it goes.
  fs::remove(home.folder.path() / "state");
  EXPECT_TRUE(comes([&] { return static_cast<bool>(recovery.trouble()); }));
  EXPECT_TRUE(home.holds("typed"));
}

}  // namespace warplens::app::recovery_test
