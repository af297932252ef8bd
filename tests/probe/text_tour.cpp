#include "tests/probe/text_tour.h"

#include <cstdio>

#include "app/desktop/studio.h"
#include "app/language/languages.h"
#include "app/state/tour.h"
#include "sim/text/shown.h"
#include "tests/probe/text_check.h"

namespace warplens::desktop {
namespace {

using session::Action;
using session::Actions;
using session::Theme;

class TextTour {
 public:
  TextTour(App& app, TextCheck& check, bool all) : app_(app), check_(check), all_(all) {
    for (const scenario::Scenario& s : app.catalog().scenarios) names_.push_back(s.name);
  }

  void go() {
    const std::string first = app_.state().settings.scenario;
    scenarios();
    lessons();
    app_.act({session::SelectScenario{first}});
    for_each_look([&] {
      sheets();
      class_views();
      editing();
      own_kernel();
      maps_and_phases();
      pairs();
      times();
    });
  }
  std::size_t scenario_count() const { return names_.size(); }

 private:
  void dress(const char* language, Theme theme) {
    app_.act({session::SetLanguage{language}, session::SetTheme{theme}});
  }
  // In every language and theme; or in both languages, each in a theme of its own.
  template <typename Visit>
  void for_each_look(Visit visit) {
    for (const char* language : language::kLanguages) {
      const bool english = language == std::string_view("en");
      for (const Theme theme : {Theme::Dark, Theme::Light}) {
        if (!all_ && english != (theme == Theme::Dark)) continue;
        dress(language, theme);
        visit();
      }
    }
  }
  // The same for one thing of many: without all, one look, another one for the next.
  template <typename Visit>
  void for_one_of_many(Visit visit) {
    if (all_) return for_each_look(visit);
    dress(turn_ % 2 == 0 ? "en" : "zh-CN", turn_ / 2 % 2 == 0 ? Theme::Dark : Theme::Light);
    ++turn_;
    visit();
  }

  void at(const std::string& view, const Actions& actions = {}) {
    app_.act(actions);
    const session::State& s = app_.state();
    check_.look(s.language + (s.theme == Theme::Dark ? " dark " : " light ") + s.settings.scenario + " " +
                view);
  }

  void scenarios() {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      for_one_of_many([&] {
        using session::GridTab;
        at("costliest", {session::SelectScenario{names_[i]}});
        if (all_ || i % 2 == 0) at("first", {session::GoToEnd{false}});
        at("counters", {session::SetGridTab{GridTab::Counters}, session::SetGridMargin{true}});
        if (all_ || i % 3 == 0) at("lines", {session::SetGridTab{GridTab::Lines}});
        app_.act({session::SetGridTab{GridTab::Totals}, session::SetGridMargin{false}});
        at("present", {session::SetPresent{true}});
        if (all_) at("last", {session::GoToEnd{true}});
        app_.act({session::SetPresent{false}});
      });
    }
  }

  void lessons() {
    for (const auto& lesson : app_.catalog().lessons) {
      for (int step = 0; step <= static_cast<int>(lesson->steps.size()); ++step) {
        for_one_of_many([&] {
          const std::string name = "lesson " + lesson->name + " " + std::to_string(step + 1);
          at(name, {session::OpenLesson{lesson->name}, session::GoToLessonStep{step}});
          app_.act({session::ShowHint{}});
          if (step < static_cast<int>(lesson->steps.size()) &&
              lesson->steps[static_cast<std::size_t>(step)].prediction)
            at(name + " answered", {session::SetGuess{"1", 0}, session::LockGuess{}});
          app_.act({session::LeaveLesson{}});
        });
      }
    }
  }

  void sheets() {
    at("help", {session::SetHelp{true}});
    at("share", {session::SetHelp{false}, session::ShowShare{true}});
    at("lessons", {session::ShowShare{false}, session::ShowLessons{true}});
    at("dialog", {session::ShowLessons{false}, session::ShowDialog{false}});
    at("palette", {session::CloseDialog{}, session::ShowPalette{true}});
    app_.act({session::ShowPalette{false}});
    for (std::size_t i = 0; i < session::tour_stops().size(); ++i)
      at("tour " + std::to_string(i + 1),
         {i == 0 ? Action(session::ShowTour{true}) : Action(session::StepTour{1})});
    app_.act({session::ShowTour{false}});
    at("notice",
       {session::ShowNotice{{"files.trouble", "/a/folder/kernel.cu: no such file or folder", true, false}}});
    at("offer", {session::ShowNotice{{"files.recover.more", "3", false, true}}});
    at("not kept",
       {session::ShowNotice{{"kept.no_room", "/home/student/.local/state/warplens", true, false}}});
    at("leave", {session::ShowNotice{{"leave.ask", "2", true, false, true}}});
    app_.act({session::DismissNotice{}});
  }

  void class_views() {
    for (const char* name : {"transpose_shared", "transpose_naive_row", "histogram_shared"}) {
      for (const bool present : {false, true}) {
        const std::string where = present ? "prediction presented" : "prediction";
        at(where,
           {session::SelectScenario{name}, session::SetPresent{present}, session::SetPredicting{true}});
        at(where + " locked", {session::SetGuess{"7", 0}, session::LockGuess{}});
        app_.act({session::SetPredicting{false}, session::SetPresent{false}});
      }
    }
  }

  // A text that is being written, sound and with mistakes.
  void editing() {
    for (const char* name : {"transpose_swizzle", "sgemm_float4"}) {
      const scenario::Scenario* s = app_.catalog().find(name);
      if (s == nullptr) continue;
      std::string text = s->text;
      app_.act({session::SelectScenario{name}, session::SetEditing{true}, session::SetCaret{{0, 0}}});
      at("editing",
         {session::SetCaret{{static_cast<int>(text.size()) / 2, static_cast<int>(text.size()) / 3}}});
      if (const std::size_t body = text.find("{\n"); body != std::string::npos)
        text.insert(body + 2,
                    "  int wrong = undeclared_name_that_is_long + another_name[threadIdx.x] * missing;\n");
      const int caret = static_cast<int>(text.find("undeclared"));
      at("mistake", {session::SetText{text, {caret, caret}, {}}});
      at("mistake, not editing", {session::SetEditing{false}});
      app_.act({session::RevertText{}});
    }
  }

  void own_kernel() {
    const scenario::Scenario* s = app_.catalog().find("transpose_shared");
    if (s == nullptr) return;
    app_.act({session::OpenText{"/a/folder/of_my_own/transpose_of_my_own_kernel.cu", s->text}});
    at("own kernel", {session::ShowForm{true}});
    at("own kernel without form", {session::ShowForm{false}});
    at("own kernel's launch wrong", {session::ShowForm{true}, session::SetFormField{"block.x", "many", {}}});
    app_.act({session::SelectScenario{s->name}});
  }

  void maps_and_phases() {
    using session::MapScope;
    for (const char* name : {"transpose_naive_row", "sgemm_float4", "histogram_shared"}) {
      app_.act({session::SelectScenario{name}});
      for (const MapScope scope : {MapScope::Warp, MapScope::Grid})
        at("map", {session::SetMapScope{scope}, session::ShowMap{true}, session::FindOnMap{}});
      at("map presented", {session::SetPresent{true}});
      app_.act({session::SetPresent{false}, session::ShowMap{false}});
    }
    for (const bool stills : {false, true}) {
      at("phases", {session::SelectScenario{"transpose_shared"}, session::SetStills{stills},
                    session::ShowPhases{true}});
      at("phases presented", {session::SetPresent{true}});
      app_.act({session::SetPresent{false}, session::ShowPhases{false}, session::SetStills{false}});
    }
  }

  void pairs() {
    std::vector<std::string> names{"transpose_shared", "transpose_swizzle", "sgemm_float4", "copy_stride"};
    if (all_) names = names_;
    for (const std::string& name : names) {
      at("A│B", {session::SelectScenario{name}, session::CompareRungs{}});
      if (!app_.state().pinned) at("A│B alike", {session::PinA{}});
      at("A│B first", {session::GoToEnd{false}});
      at("A│B editing", {session::SetEditing{true}});
      at("A│B presented", {session::SetEditing{false}, session::SetPresent{true}});
      app_.act({session::SetPresent{false}, session::LeaveComparison{}});
    }
  }

  // Times of a GPU at hand in place of recorded ones.
  void times() {
    using Kind = panels::GpuLine::Kind;
    const panels::GpuLine recorded = app_.gpu();
    for (const char* name : {"transpose_padded", "sgemm_float4", "dgemm_global_sum"}) {
      at("optimised", {session::SelectScenario{name}, session::SetOptimised{true}});
      app_.set_gpu({Kind::Live, "NVIDIA H200", "driver 560.35", {}});
      at("live", {session::SetOptimised{false}});
      const char* trouble =
          "the kernel did not end within ten seconds and was stopped: is there a loop without end?";
      app_.set_gpu({Kind::Broken, "NVIDIA H200", trouble, trouble});
      at("trouble");
      app_.set_gpu(recorded);
    }
  }

  App& app_;
  TextCheck& check_;
  bool all_;
  int turn_ = 0;
  std::vector<std::string> names_;
};

}  // namespace

int check_texts(App& app, const Options& options, bool all) {
  Studio studio;
  if (!open_studio(app, options.width, options.height, &studio)) return kCannot;
  TextCheck check(app, *studio.framebuffer);
  TextTour tour(app, check, all);
  tour.go();
  text::say(stdout, "%d frames of %zu scenarios in 2 languages at %d x %d\n", check.looks(),
            tour.scenario_count(), options.width, options.height);
  return 0;
}

}  // namespace warplens::desktop
