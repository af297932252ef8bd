#include "app/language/strings.h"
#include "app/state/teaching.h"
#include "app/storage/teaching_files.h"
#include "sim/text/shown.h"
#include "tests/probe/probes.h"
#include "tests/probe/text_check.h"

namespace warplens::desktop {
namespace {

using app::Action;
using app::Actions;
using app::Theme;

// Of four loads compilers make one, and none of what nothing needs.
constexpr const char* kMerged = R"(__global__ void weigh(const float4* quads, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float unused = out[i];
  out[i] = quads[i].x + quads[i].y + quads[i].z + quads[i].w;
}
)";

class TextTour {
 public:
  TextTour(App& app, TextCheck& check, TextTourOf of)
      : app_(app), check_(check), all_(of == TextTourOf::All), few_(of == TextTourOf::Few) {
    for (const scenario::Scenario& s : app.catalog().scenarios) names_.push_back(s.name);
  }

  void go() {
    const std::string first = app_.state().settings.scenario;
    scenarios();
    lessons();
    lecture();
    app_.act({app::SelectScenario{first}});
    for_each_look([&] {
      sheets();
      class_views();
      editing();
      user_kernel();
      maps_and_phases();
      pairs();
      times();
    });
  }
  std::size_t scenario_count() const { return names_.size(); }

 private:
  void dress(const char* language, Theme theme) {
    app_.act({app::SetLanguage{language}, app::SetTheme{theme}});
  }
  // In every language and theme; or in both languages, each in a theme of its own.
  template <typename Visit>
  void for_each_look(Visit visit) {
    for (const char* language : language::kLanguages) {
      const bool english = language == std::string_view("en");
      for (const Theme theme : {Theme::Dark, Theme::Light}) {
        if (!all_ && english != (theme == Theme::Dark)) continue;
        if (few_ && english) continue;  // of many, some are looked at in English
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
    const app::State& s = app_.state();
    check_.look(s.language + (s.theme == Theme::Dark ? " dark " : " light ") + s.settings.scenario + " " +
                view);
  }

  void scenarios() {
    for (std::size_t i = 0; i < names_.size(); i += few_ ? 5 : 1) {
      for_one_of_many([&] {
        using app::GridTab;
        at("costliest", {app::SelectScenario{names_[i]}});
        if (all_ || i % 2 == 0) at("first", {app::GoToEnd{false}});
        at("counters", {app::SetGridTab{GridTab::Counters}});
        if (all_ || i % 3 == 0) at("lines", {app::SetGridTab{GridTab::Lines}});
        app_.act({app::SetGridTab{GridTab::Totals}});
        at("present", {app::SetPresent{true}});
        if (all_) at("last", {app::GoToEnd{true}});
        app_.act({app::SetPresent{false}});
      });
    }
  }

  void lecture() {
    const auto file = app::lectures_folder() / (std::string("ten-minutes") + app::kLectureEnding);
    const auto loaded = app::load_lecture(file, app_.catalog());
    if (!loaded) {
      text::print(stdout, "lecture | " + loaded.errors.front().english() + " | | |\n");
      return;
    }
    for_one_of_many([&] {
      app_.act({app::TakeLecture{*loaded.value}});
      for (int i = 0; i < static_cast<int>((*loaded.value)->scenes.size()); ++i) {
        at("scene " + std::to_string(i + 1), {app::GoToScene{i}});
        at("scene " + std::to_string(i + 1) + " notes", {app::ShowNotes{true}});
        app_.act({app::ShowNotes{false}});
      }
      at("scenes", {app::ShowScenes{true}});
      app_.act({app::ShowScenes{false}, app::SetPresent{false}, app::SetPredicting{false},
                app::LeaveComparison{}, app::ShowView{}, app::ShowView{}});
    });
  }

  void lessons() {
    for (const auto& lesson : app_.catalog().lessons) {
      for (int step = 0; step <= static_cast<int>(lesson->steps.size()); step += few_ ? 4 : 1) {
        for_one_of_many([&] {
          const std::string name = "lesson " + lesson->name + " " + std::to_string(step + 1);
          at(name, {app::OpenLesson{lesson->name}, app::GoToLessonStep{step}});
          if (step == 0 && !few_) {
            at(name + " presented", {app::SetPresent{true}});
            app_.act({app::SetPresent{false}});
          }
          app_.act({app::ShowHint{}});
          if (step < static_cast<int>(lesson->steps.size()) &&
              lesson->steps[static_cast<std::size_t>(step)].prediction) {
            at(name + " tried", {app::SetGuess{"1", 0}, app::MarkPlace{0}, app::LockGuess{}});
            at(name + " answered", {app::SetGuess{"2", 1}, app::MarkPlace{1}, app::LockGuess{}});
            at(name + " answered presented", {app::SetPresent{true}});
            app_.act({app::SetPresent{false}});
          }
          app_.act({app::LeaveLesson{}});
        });
      }
    }
  }

  void sheets() {
    at("help", {app::SetHelp{true}});
    at("share", {app::SetHelp{false}, app::ShowShare{true}});
    at("share figure", {app::ChooseShare{1000, 0}});
    at("lessons", {app::ShowShare{false}, app::ShowPalette{app::CommandPalette::Offer::Lessons}});
    at("dialog", {app::ShowDialog{false}});
    at("palette", {app::CloseSheet{}, app::ShowPalette{}});
    if (!few_) presented_sheets();
    const auto before = std::pair{app_.state().settings, app_.state().panels};
    at("tour", {app::ShowTour{true}});
    for (const Action& asked : {Action(app::CountOut{}), Action(app::PlayNext{}), Action(app::StepRung{1}),
                                Action(app::StepRung{1}), Action(app::StepParameter{"pad", 1}),
                                Action(app::StepParameter{"pad", 1})})
      at("tour " + std::to_string(*app_.state().classroom.tour + 2), {asked});
    app_.act(
        {app::ShowTour{false}, app::ShowPanels{before.second}, app::SelectScenario{before.first.scenario}});
    at("notice", {app::ShowNotice{{"files.trouble",
                                   Message("{}: cannot be opened: {}", "/a/folder/kernel.cu",
                                           Message("No such file or directory")),
                                   true, false}}});
    at("offer", {app::ShowNotice{{"files.recover.more", Message::verbatim("3"), false, true}}});
    at("not kept", {app::ShowNotice{{"kept.no_room", Message::verbatim("/home/student/.local/state/warplens"),
                                     true, false}}});
    at("leave", {app::ShowNotice{{"leave.ask", Message::verbatim("2"), true, false, true}}});
    app_.act({app::DismissNotice{}});
  }

  void presented_sheets() {
    at("palette presented", {app::SetPresent{true}, app::ShowPalette{}});
    at("help presented", {app::CloseSheet{}, app::SetHelp{true}});
    at("lessons presented", {app::SetHelp{false}, app::ShowPalette{app::CommandPalette::Offer::Lessons}});
    app_.act({app::CloseSheet{}, app::SetPresent{false}});
  }

  void class_views() {
    for (const char* name : {"transpose_shared", "transpose_naive_row", "histogram_shared"}) {
      for (const bool present : {false, true}) {
        const std::string where = present ? "prediction presented" : "prediction";
        at(where, {app::SelectScenario{name}, app::SetPresent{present}, app::SetPredicting{true}});
        at(where + " locked", {app::SetGuess{"7", 0}, app::LockGuess{}, app::LockGuess{}});
        app_.act({app::SetPredicting{false}, app::SetPresent{false}});
      }
    }
  }

  // A text that is being written, sound and with mistakes.
  void editing() {
    for (const char* name : {"transpose_swizzle", "sgemm_float4"}) {
      const scenario::Scenario* s = app_.catalog().find(name);
      if (s == nullptr) continue;
      std::string text = s->text;
      app_.act({app::SelectScenario{name}, app::SetEditing{true}, app::SetCaret{{0, 0}}});
      at("editing", {app::SetCaret{{static_cast<int>(text.size()) / 2, static_cast<int>(text.size()) / 3}}});
      if (const std::size_t body = text.find("{\n"); body != std::string::npos)
        text.insert(body + 2,
                    "  int wrong = undeclared_name_that_is_long + another_name[threadIdx.x] * missing;\n");
      const int caret = static_cast<int>(text.find("undeclared"));
      at("mistake", {app::SetText{text, {caret, caret}, {}}});
      at("mistake, not editing", {app::SetEditing{false}});
    }
  }

  void user_kernel() {
    const scenario::Scenario* s = app_.catalog().find("transpose_shared");
    if (s == nullptr) return;
    app_.act({app::OpenText{"/a/folder/of_my_own/transpose_of_my_own_kernel.cu", s->text}});
    at("own kernel", {app::ShowForm{true}});
    at("own kernel without form", {app::ShowForm{false}});
    at("own kernel's launch wrong", {app::ShowForm{true}, app::SetFormField{"block.x", "many", {}}});
    app_.act({app::OpenText{"/a/folder/of_my_own/weigh.cu", kMerged}, app::ShowForm{false}});
    at("wide own kernel");
    at("wide own kernel presented", {app::SetPresent{true}});
    app_.act({app::SetPresent{false}, app::SelectScenario{s->name}});
  }

  void maps_and_phases() {
    using app::MapScope;
    for (const char* name : {"transpose_naive_row", "sgemm_float4", "histogram_shared"}) {
      app_.act({app::SelectScenario{name}});
      for (const MapScope scope : {MapScope::Warp, MapScope::Block})
        at("map", {app::SetMapScope{scope}, app::ShowView{ViewId::Map}, app::FindOnMap{}});
      at("map presented", {app::SetPresent{true}});
      app_.act({app::SetPresent{false}, app::ShowView{}});
    }
    for (const char* name : {"transpose_shared", "reduce_pairs", "shared_stride", "sgemm_tiled"}) {
      app_.act({app::SelectScenario{name}});
      for (const ViewId plot : {ViewId::Timeline, ViewId::Landscape, ViewId::Why, ViewId::Roofline}) {
        at("plot", {app::ShowView{plot}});
        at("plot presented", {app::SetPresent{true}});
        app_.act({app::SetPresent{false}, app::ShowView{}});
      }
    }
    for (const bool stills : {false, true}) {
      at("reuse", {app::SelectScenario{"sum_aos"}, app::GoToEnd{false}, app::ShowView{ViewId::Reuse}});
      at("reuse presented", {app::SetPresent{true}});
      app_.act({app::SetPresent{false}, app::ShowView{}});
      at("phases",
         {app::SelectScenario{"transpose_shared"}, app::SetStills{stills}, app::ShowView{ViewId::Phases}});
      at("phases presented", {app::SetPresent{true}});
      app_.act({app::SetPresent{false}, app::ShowView{}, app::SetStills{false}});
    }
  }

  void pairs() {
    std::vector<std::string> names{"transpose_shared", "transpose_swizzle", "sgemm_float4", "copy_stride"};
    if (all_) names = names_;
    for (const std::string& name : names) {
      at("A│B", {app::SelectScenario{name}, app::CompareRungs{}});
      if (!app_.state().pinned) at("A│B alike", {app::PinA{}});
      at("A│B first", {app::GoToEnd{false}});
      at("A│B why", {app::ShowView{ViewId::Why}});
      at("A│B why presented", {app::SetPresent{true}});
      app_.act({app::SetPresent{false}, app::ShowView{}});
      at("A│B editing", {app::SetEditing{true}});
      at("A│B presented", {app::SetEditing{false}, app::SetPresent{true}});
      app_.act({app::SetPresent{false}, app::LeaveComparison{}});
    }
  }

  // Times of a GPU at hand in place of recorded ones.
  void times() {
    using Kind = panels::GpuLine::Kind;
    const panels::GpuLine recorded = app_.gpu();
    for (const char* name : {"transpose_padded", "sgemm_float4", "dgemm_global_sum"}) {
      at("optimised", {app::SelectScenario{name}, app::SetOptimised{true}});
      app_.set_gpu({Kind::Live, "NVIDIA H200", "driver 560.35", {}});
      at("live", {app::SetOptimised{false}});
      const char* trouble =
          "the kernel did not end within ten seconds and was stopped: is there a loop without end?";
      app_.set_gpu({Kind::Broken, "NVIDIA H200", trouble, trouble});
      at("trouble");
      app_.set_gpu(recorded);
    }
  }

  App& app_;
  TextCheck& check_;
  bool all_, few_;
  int turn_ = 0;
  std::vector<std::string> names_;
};

}  // namespace

int check_texts(App& app, OffscreenTarget& studio, TextTourOf of, const std::filesystem::path& pictures) {
  TextCheck check(app, studio);
  check.keep_pictures(pictures);
  TextTour tour(app, check, of);
  tour.go();
  text::say(stdout, "%d frames of %zu scenarios in 2 languages at %d x %d\n", check.looks(),
            tour.scenario_count(), studio.framebuffer->width(), studio.framebuffer->height());
  return 0;
}

}  // namespace warplens::desktop
