#include <algorithm>
#include <regex>
#include <set>

#include "app/panels/widgets/text_input.h"
#include "app/readout/question.h"
#include "sim/text/shown.h"
#include "tests/probe/probes.h"

namespace warplens::desktop {
namespace {

using panels::DrawnText;

// "16-way", "32 sectors", "sectors: 4", "= 4 wavefronts", "wavefront 3 of 16", "128 visits".
const std::regex& figure() {
  static const std::regex kFigure(
      "[0-9]-way|(sectors|wavefronts|lines): [0-9]|[0-9] "
      "(sectors?|wavefronts?|lines|passes|visits?|loads|stores|bank conflicts?)\\b|wavefront [0-9]+ of "
      "|ideal [0-9]|Phases .* of 4|Timeline ·|Landscape ·|[0-9] × the (best|ideal)|[0-9…] (first|this "
      "warp|this block)|of these sectors|each sector|distinct ");
  return kFigure;
}

// "254 µs", "4.43 ms", "485 GFLOP/s": of a bar, a point, the stage's time.
const std::regex& time_told() {
  static const std::regex kTime("[0-9] (µs|ms|ns|[GT]?FLOP/s|GB/s)");
  return kTime;
}

struct Watcher {
  App& app;
  OffscreenTarget& target;
  const std::regex* telling = &figure();
  std::set<std::string> told{};
  double now = 0;
  int moments = 0, found = 0;

  // What is drawn with the pointer there; x < 0: nowhere. What is under the pointer is known a frame later.
  std::vector<DrawnText> texts_at(float x, float y, int frames = 2) {
    FrameInput in = input_of(target);
    in.input.mouse_inside = x >= 0;
    in.input.mouse_x = x, in.input.mouse_y = y;
    std::vector<DrawnText> texts;
    for (int i = 0; i < frames; ++i) {
      in.now = now += 1;
      texts.clear();
      panels::observe_texts([&](const DrawnText& text) { texts.push_back(text); });
      target.framebuffer->bind();
      app.frame(in);
      panels::observe_texts({});
    }
    return texts;
  }

  // `silent`: only counted.
  void look(const std::string& where, bool pointing, bool silent = false) {
    ++moments;
    const auto read = [&](float x, float y, int frames) {
      for (const DrawnText& text : texts_at(x, y, frames)) {
        if (!tells(text)) continue;
        ++found;
        if (!silent && told.insert(text.whole).second)
          text::say(stdout, "%s | %s, pointer at %.0f, %.0f\n", text.whole.c_str(), where.c_str(),
                    static_cast<double>(x), static_cast<double>(y));
      }
    };
    read(-1, -1, 2);
    constexpr int kColumns = 22, kRows = 18;
    for (int i = 0; pointing && i < kColumns * kRows; ++i)
      read((static_cast<float>(i % kColumns) + 0.5f) * static_cast<float>(target.framebuffer->width()) /
               kColumns,
           (static_cast<float>(i / kColumns) + 0.5f) * static_cast<float>(target.framebuffer->height()) /
               kRows,
           1);
  }

  panels::Layout layout() const {
    return panels::lay_out(panels::layout_options(app.state(), app.simulation(),
                                                  static_cast<float>(target.framebuffer->width()),
                                                  static_cast<float>(target.framebuffer->height())));
  }

  // What the bar of all accesses tells of their costs, with the pointer along it.
  std::set<std::string> told_by_scrubber() {
    std::set<std::string> texts;
    const scene::Rect bar = layout().transport;
    for (float x = 0.25f; x < 0.9f; x += 0.02f) {
      for (const DrawnText& text : texts_at(bar.x + x * bar.width, bar.y + 0.5f * bar.height))
        if (text.whole.starts_with("access ") && text.whole.find("ideal") != std::string::npos)
          texts.insert(text.whole);
    }
    return texts;
  }

  // The kernel's own comments and the question's own choices may speak of figures.
  bool tells(const DrawnText& text) const {
    if (text.whole.starts_with("//")) return false;
    const scene::Rect q = layout().lesson;
    const bool in_column = text.rect.x >= q.x && text.rect.x < q.x + q.width,
               in_question = in_column && text.rect.y >= q.y && text.rect.y < q.y + q.height;
    // A line of the step's own words may be scrolled out of its panel.
    const auto& active = app.state().classroom.active;
    const bool is_asked =
        in_column && active && !active->in_challenge() &&
        std::ranges::any_of(
            active->lesson->steps[static_cast<std::size_t>(active->step)].text,
            [&](const auto& one) { return one.second.find(text.whole) != std::string::npos; });
    return !in_question && !is_asked && std::regex_search(text.whole, *telling);
  }
};

// Everything that could show a figure, one after another, as asked and as not.
struct Way {
  const char* name;
  app::Actions enter, leave;
};
std::vector<Way> ways() {
  using namespace app;  // NOLINT: a list of actions
  return {{"plain", {}, {}},
          {"phases", {ShowView{ViewId::Phases}}, {ShowView{}}},
          {"timeline", {ShowView{ViewId::Timeline}}, {ShowView{}}},
          {"landscape", {ShowView{ViewId::Landscape}}, {ShowView{}}},
          {"profile", {ShowView{ViewId::Profile}}, {ShowView{}}},
          {"reuse", {ShowView{ViewId::Reuse}}, {ShowView{}}},
          {"why", {ShowView{ViewId::Why}}, {ShowView{}}},
          {"roofline", {ShowView{ViewId::Roofline}}, {ShowView{}}},
          {"layout", {ShowView{ViewId::Layout}}, {ShowView{}}},
          {"map", {SetMapScope{MapScope::Warp}, ShowView{ViewId::Map}}, {ShowView{}}},
          {"counters", {SetGridTab{GridTab::Counters}}, {SetGridTab{GridTab::Totals}}},
          {"lines", {SetGridTab{GridTab::Lines}}, {SetGridTab{GridTab::Totals}}},
          {"beside another", {PinA{}, StepParameter{"pad", 1}}, {Undo{}, LeaveComparison{}}},
          {"beside another's phases",
           {CompareRungs{}, ShowView{ViewId::Phases}},
           {LeaveComparison{}, ShowView{}}},
          {"presented", {SetPresent{true}}, {SetPresent{false}}},
          {"share", {ShowShare{true}}, {ShowShare{false}}},
          {"optimised", {SetOptimised{true}}, {SetOptimised{false}}}};
}

void watch_predictions(Watcher* watcher, const std::string& scenario, bool pointing) {
  App& app = watcher->app;
  app.act({app::SelectScenario{scenario}, app::GoToEnd{false}});
  // Data that is drawn at random makes every block another: of a million elements the map and each cell of
  // the landscape, an axis of which is the number of elements, take seconds.
  const bool random = scenario.starts_with("histogram");
  if (random) app.act({app::SetParameter{"n", 4096, {}}});
  const std::set<std::string> pointed{"plain", "margin", "lines", "presented"};
  for (int access = 0; access < 3; ++access) {
    for (const Way& way : ways()) {
      if (random && way.name == std::string("landscape")) continue;
      app.act(way.enter);
      app.act({app::SetPredicting{true}});
      watcher->look(scenario + " " + way.name, pointing && access == 2 && pointed.contains(way.name));
      app.act({app::SetPredicting{false}});
      app.act(way.leave);
    }
    app.act({app::StepAccess{1}});
  }
}

// Asked, the bar is silent; locked, it tells the truth of the access looked at and of no other; then of all.
void watch_scrubber(Watcher* watcher) {
  App& app = watcher->app;
  using Texts = std::set<std::string>;
  app.act({app::SelectScenario{"transpose_shared"}, app::GoToEvent{2, 0}});
  const auto expect = [&](const char* when, const Texts& wanted) {
    const Texts told = watcher->told_by_scrubber();
    ++watcher->moments;
    if (told == wanted) return;
    ++watcher->found;
    text::say(stdout, "the bar of accesses, %s, tells:\n", when);
    for (const std::string& text : told) text::say(stdout, "  %s\n", text.c_str());
  };
  app.act({app::SetPredicting{true}});
  expect("asked", {});
  app.act({app::SetGuess{"4", -1}, app::LockGuess{}, app::LockGuess{}});
  expect("locked", {"access 3 of 4: 16 wavefronts, ideal 1"});
  app.act({app::SetPredicting{false}});
  expect("nothing asked", {"access 1 of 4: 4 sectors, the ideal", "access 2 of 4: 1 wavefront, the ideal",
                           "access 3 of 4: 16 wavefronts, ideal 1", "access 4 of 4: 4 sectors, the ideal"});
}

// Figures as long as the step asks for one; times, in the ladder's bars and the roofline too, as long as its
// question or a later one is about times, asked and locked.
void watch_lessons(Watcher* watcher) {
  App& app = watcher->app;
  const std::set<std::string> with_times{"plain", "roofline", "presented", "optimised"};
  for (const auto& lesson : app.catalog().lessons) {
    app.act({app::OpenLesson{lesson->name}});
    for (std::size_t step = 0; step < lesson->steps.size(); ++step) {
      const std::string where = lesson->name + " " + std::to_string(step + 1);
      for (const bool locked : {false, true}) {
        app.act({app::GoToLessonStep{static_cast<int>(step)}});
        if (locked) app.act({app::SetGuess{"1", 0}, app::LockGuess{}, app::LockGuess{}});
        watcher->telling = &figure();
        if (app::hidden_in(app.state()).costs) watcher->look(where, false);
        if (!app::hidden_in(app.state()).times) continue;
        watcher->telling = &time_told();
        app.act({app::ShowView{}});  // Why so long is of this launch
        for (const Way& way : ways()) {
          if (!with_times.contains(way.name)) continue;
          app.act(way.enter);
          watcher->look(where + " " + way.name, false);
          app.act(way.leave);
        }
      }
    }
    app.act({app::LeaveLesson{}});
  }
}

}  // namespace

int check_secrets(App& app, OffscreenTarget& studio) {
  Watcher watcher{app, studio};
  app.act({app::SelectScenario{"transpose_shared"}});
  for (const auto& [telling, least] : {std::pair{&figure(), 5}, {&time_told(), 3}}) {
    watcher.found = 0, watcher.telling = telling;
    watcher.look("nothing is asked", false, true);
    if (watcher.found >= least) continue;
    text::say(stdout, "with nothing asked only %d figures and times are seen\n", watcher.found);
    return 1;
  }
  watcher.found = 0, watcher.telling = &figure();
  watch_predictions(&watcher, "transpose_shared", true);
  for (const char* scenario :
       {"transpose_float4", "transpose_naive_row", "index_expression", "histogram_shared"})
    watch_predictions(&watcher, scenario, false);
  watch_scrubber(&watcher);
  watch_lessons(&watcher);
  text::say(stdout, "%d moments with a question open: %d figures show\n", watcher.moments - 1, watcher.found);
  return watcher.found > 0;
}

}  // namespace warplens::desktop
