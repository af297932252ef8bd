// What Ctrl S does to files that are there: nothing of others is replaced before that was asked.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "app/state/user_kernel.h"
#include "tests/app/desk.h"

namespace warplens::app::saving_test {

namespace fs = std::filesystem;

constexpr const char* kKernel = "__global__ void k(float* out) { out[threadIdx.x] = 1; }\n";

struct Window : FileDesk {
  std::string put(const std::string& name, const std::string& text, mode_t mode = 0644) {
    ::chmod(folder.write(name, text).c_str(), mode);
    return path(name);
  }
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }
  std::string read(const std::string& name) const { return folder.read(name); }
  void edit(const std::string& text) { act(SetText{text, {}, {}}); }
  std::string told() const { return state.notice ? state.notice->key : std::string(); }
  // The chooser's name typed anew, and Enter.
  void choose(const std::string& file) {
    act(EditField{file});
    act(ChooseEntry{});
  }
};

TEST(Saving, AFileThatChangedOutsideIsToldByItsContent) {
  Window w;
  w.act(OpenPath{w.put("a.cu", kKernel)});
  w.edit("// mine\n" + std::string(kKernel));
  // Touched, and written anew with the same text: not changed.
  w.put("a.cu", kKernel);
  w.act(Save{});
  EXPECT_EQ(w.told(), "files.saved");
  EXPECT_EQ(w.read("a.cu"), *w.state.settings.text);

  // Longer than any text that is read here.
  const std::string grown = w.read("a.cu") + std::string(3 << 20, '/');
  w.put("a.cu", grown);
  w.edit("// mine again\n" + std::string(kKernel));
  w.act(Save{});
  EXPECT_EQ(w.told(), "files.changed");
  EXPECT_EQ(w.read("a.cu"), grown);
  // Told of that one; it changes once more before it is replaced.
  w.put("a.cu", "// theirs\n");
  w.act(Save{});
  EXPECT_EQ(w.told(), "files.changed");
  EXPECT_EQ(w.read("a.cu"), "// theirs\n");
  w.act(Save{});
  EXPECT_EQ(w.told(), "files.saved");
  EXPECT_EQ(w.read("a.cu"), *w.state.settings.text);

  // Of the same length and date.
  std::string other = w.read("a.cu");
  other.back() = '/';
  w.put("a.cu", other);
  w.edit("// mine at last\n" + std::string(kKernel));
  w.act(Save{});
  EXPECT_EQ(w.told(), "files.changed");
  EXPECT_EQ(w.read("a.cu"), other);
}

TEST(Saving, AFileThatIsGoneIsWrittenAnewWhenThatWasSaid) {
  Window w;
  w.act(OpenPath{w.put("a.cu", kKernel)});
  w.edit("// mine\n" + std::string(kKernel));
  fs::remove(w.path("a.cu"));
  w.act(Save{});
  EXPECT_EQ(w.told(), "files.gone");
  EXPECT_FALSE(fs::exists(w.path("a.cu")));
  w.act(Save{});
  EXPECT_EQ(w.read("a.cu"), *w.state.settings.text);
}

TEST(Saving, AnotherNameAsksWhateverIsThere) {
  Window w;
  w.act(OpenPath{w.put("a.cu", "// a\n" + std::string(kKernel))});
  w.act(OpenPath{w.put("b.cu", kKernel)});
  w.edit("// mine\n" + std::string(kKernel));
  w.act(Save{true});
  w.choose(w.path("a.cu"));  // opened before
  ASSERT_TRUE(w.state.dialog);
  EXPECT_EQ(w.state.dialog->trouble_key, "files.exists");
  EXPECT_EQ(w.state.dialog->trouble, w.path("a.cu"));
  EXPECT_EQ(w.read("a.cu"), "// a\n" + std::string(kKernel));
  // Changed between the question and the answer: asked again.
  w.put("a.cu", "// newer\n");
  w.act(ChooseEntry{});
  ASSERT_TRUE(w.state.dialog);
  EXPECT_EQ(w.read("a.cu"), "// newer\n");
  w.act(ChooseEntry{});
  EXPECT_FALSE(w.state.dialog);
  EXPECT_EQ(w.read("a.cu"), *w.state.settings.text);
}

TEST(Saving, ModeAndLinksStay) {
  Window w;
  w.put("real.cu", kKernel, 0600);
  fs::create_symlink("real.cu", w.path("link.cu"));
  w.act(OpenPath{w.path("link.cu")});
  w.edit("// mine\n" + std::string(kKernel));
  w.act(Save{});
  EXPECT_EQ(w.told(), "files.saved");
  EXPECT_TRUE(fs::is_symlink(w.path("link.cu")));
  EXPECT_EQ(w.read("real.cu"), *w.state.settings.text);
  struct stat status {};
  ASSERT_EQ(::stat(w.path("real.cu").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
}

std::string session_of(const std::string& file, const std::string& text) {
  return nlohmann::json{{"schema", "warplens.session/1"},
                        {"scenario", "k"},
                        {"text", text},
                        {"own", {{"file", file}, {"kernel", "k"}, {"fields", nlohmann::json::object()}}}}
      .dump();
}

TEST(Saving, ANameThatCameWithASessionIsNotWrittenToBeforeItIsChosen) {
  Window w;
  w.put("precious.cu", "# precious\n", 0600);
  const std::string theirs = "// theirs\n" + std::string(kKernel);
  w.act(OpenPath{w.put("s.warplens.json", session_of(w.path("precious.cu"), theirs))});
  ASSERT_TRUE(w.state.settings.own);
  w.act(Save{});
  ASSERT_TRUE(w.state.dialog && w.state.dialog->saving) << "another name is asked for";
  EXPECT_EQ(w.state.field.text, "precious.cu");
  EXPECT_EQ(w.state.dialog->folder, w.folder.path().string());
  EXPECT_EQ(w.read("precious.cu"), "# precious\n");
  w.choose(w.path("precious.cu"));
  ASSERT_TRUE(w.state.dialog || w.read("precious.cu") == "# precious\n");
  EXPECT_EQ(w.read("precious.cu"), "# precious\n") << "asked once more, by its name";
  w.act(CloseSheet{});
  // The person opens a file, and then takes a session that names it: chosen for another text.
  w.act(OpenPath{w.put("a.cu", kKernel)});
  w.act(OpenPath{w.put("t.warplens.json", session_of(w.path("a.cu"), theirs))});
  w.act(Save{});
  EXPECT_TRUE(w.state.dialog);
  EXPECT_EQ(w.read("a.cu"), kKernel);
  w.choose(w.path("a.cu"));
  w.act(ChooseEntry{});
  EXPECT_EQ(w.read("a.cu"), theirs) << "chosen, told, and chosen again";
  w.edit("// mine\n" + std::string(kKernel));
  w.act(Save{});
  EXPECT_EQ(w.told(), "files.saved") << "from now on it is the person's own";
}

TEST(Saving, WhatIsNoFileIsRefusedInWordsOfTheLanguages) {
  Window w;
  w.act(OpenPath{w.put("a.cu", kKernel)});
  w.edit("// mine\n" + std::string(kKernel));
  ASSERT_EQ(::mkfifo(w.path("pipe.cu").c_str(), 0666), 0);
  fs::create_directories(w.path("folder.cu"));
  const std::pair<const char*, const char*> refused[] = {
      {"pipe.cu", "write.no_file"}, {"folder.cu", "write.folder"}, {"absent/x.cu", "write.no_folder"}};
  for (const auto& [name, key] : refused) {
    w.act(Save{true});
    w.choose(w.path(name));
    ASSERT_TRUE(w.state.dialog);
    EXPECT_EQ(w.state.dialog->trouble_key, key);
    EXPECT_EQ(w.state.dialog->overwrite, "");
    w.act(CloseSheet{});
  }
  EXPECT_EQ(w.read("a.cu"), kKernel);
}

// The list is that of the folder that is typed, searched for the letters behind it.
TEST(Chooser, FollowsAPathThatIsTyped) {
  Window w;
  w.put("course/hist.cu", kKernel);
  w.put("course/scan.cu", kKernel);
  w.act(ShowDialog{false});
  const auto shown = [&] {
    std::vector<std::string> labels;
    for (const ShownEntry& entry : shown_entries(w.state)) labels.push_back(entry.label);
    return labels;
  };
  w.act(EditField{w.path("course") + "/"});
  EXPECT_EQ(w.state.dialog->folder, w.path("course"));
  EXPECT_EQ(w.state.field.text, w.path("course") + "/") << "what is typed stays";
  EXPECT_EQ(shown(), (std::vector<std::string>{"..", "hist.cu", "scan.cu"}));
  w.act(EditField{w.path("course/sc")});
  EXPECT_EQ(shown(), std::vector<std::string>{"scan.cu"});
  w.act(ChooseEntry{});
  ASSERT_TRUE(w.state.settings.own) << "the beginning of a name is enough";
  EXPECT_EQ(w.state.settings.own->file, w.path("course/scan.cu"));
  w.act(ShowDialog{false});
  w.choose(w.path("absent/x.cu"));
  EXPECT_TRUE(w.state.dialog) << "nothing else is opened in its place";
  EXPECT_EQ(w.state.settings.own->file, w.path("course/scan.cu"));
}

// News is about what was on screen; what is wrong stays until it is closed.
TEST(News, GoesWithWhatItIsAbout) {
  Window w;
  w.act(OpenPath{w.put("a.cu", kKernel)});
  w.edit("// mine\n" + std::string(kKernel));
  w.act(Save{});
  ASSERT_EQ(w.told(), "files.saved");
  w.act(HoverLane{3});
  EXPECT_EQ(w.told(), "files.saved");
  w.edit("// more\n" + std::string(kKernel));
  EXPECT_EQ(w.told(), "");
  for (const Action& next : {Action{TogglePanel{Panel::Lanes}}, Action{SetHelp{true}}}) {
    w.act(ShowNotice{{"idle.parameter", {}, false, false}});
    w.act(next);
    EXPECT_EQ(w.told(), "");
  }
  w.act(SetHelp{false});
  w.act(ShowNotice{{"files.trouble", {}, true, false}});
  w.edit("// still more\n" + std::string(kKernel));
  EXPECT_EQ(w.told(), "files.trouble");
}

TEST(RecentFiles, OfTwoWindowsAreMerged) {
  Window w;
  std::vector<std::string> files;
  for (int i = 0; i < 8; ++i) files.push_back(w.put("f" + std::to_string(i), "x"));
  const auto remember = [&](int from) {
    for (int i = from; i < 8; i += 2) remember_file(w.places, files[static_cast<std::size_t>(i)]);
  };
  std::thread one(remember, 0), other(remember, 1);
  one.join();
  other.join();
  EXPECT_EQ(recent_files(w.places).size(), 8u);
}

}  // namespace warplens::app::saving_test
