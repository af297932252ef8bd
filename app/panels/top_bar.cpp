#include <algorithm>

#include "app/input/palette.h"
#include "app/language/strings.h"
#include "app/measure/pack.h"
#include "app/panels/panels.h"
#include "app/panels/widgets/text_input.h"
#include "app/source/programs.h"

namespace warplens::panels {
namespace {

// The GPUs of the recorded times on screen.
std::string times_text(const View& view) {
  std::string names;
  for (const app::RungTime& time : view.times)
    if (time.measurement != nullptr && time.measurement->recorded)
      measure::add_gpu_name(time.measurement->device, &names);
  if (view.gpu.kind != GpuLine::Kind::Recorded) return view.gpu.text;
  return names.empty() ? view.strings("gpu.unrecorded") : view.strings("gpu.recorded", {{"gpu", names}});
}

// Where times are from; where another architecture than theirs is predicted for, that first.
struct GpuWords {
  std::string text, tooltip;
};
GpuWords gpu_words(const View& view) {
  const memory::GpuModel& gpu = app::predicted_gpu();
  if (&gpu == &memory::default_gpu_model()) return {times_text(view), view.gpu.tooltip};
  const std::string name(gpu.name);
  std::string tip = view.strings("gpu.predicted.tip", {{"gpu", name}, {"title", std::string(gpu.title)}});
  if (!gpu.unchecked.empty()) tip += "\n" + view.strings("gpu.predicted.unchecked", {{"gpu", name}});
  return {view.strings("gpu.predicted", {{"gpu", name}, {"times", times_text(view)}}),
          tip + "\n" + view.gpu.tooltip};
}

constexpr float kShort = 1200;  // units of the design: letters are large, or the window is small

// The GPU's line at the right end, its mark alone where the bar is short; gives its left end.
float draw_gpu(const View& view, const Rect& bar) {
  const scene::Palette& p = view.palette;
  const bool live = view.gpu.kind == GpuLine::Kind::Live || view.gpu.kind == GpuLine::Kind::Measuring;
  const Type type{14, p.secondary};
  const bool brief = bar.width < view.px(kShort);  // the tooltip has its name
  const GpuWords words = gpu_words(view);
  const float width =
      brief ? view.px(34) : std::min(text_width(view, words.text, type) + view.px(42), 0.24f * bar.width);
  const Rect rect{right(bar) - view.px(16) - width, bar.y + 0.5f * (bar.height - view.px(30)), width,
                  view.px(30)};
  const Hit hit = hit_area("gpu", rect);
  draw_box(rect, p.cell, p.line, 0.5f * rect.height);
  const ImVec2 dot{rect.x + view.px(17), middle(rect)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool broken = view.gpu.kind == GpuLine::Kind::Broken;
  if (live) {
    list->AddCircleFilled(dot, view.px(5), color_of(p.text), 20);
  } else {
    list->AddCircle(dot, view.px(4.5f), color_of(broken ? p.costly : p.faint), 20,
                    std::max(1.5f, view.px(2)));
  }
  if (!brief)
    draw_text(view, {rect.x + view.px(29), middle(rect)}, words.text,
              {14, p.secondary, Align::Left, Face::Words, width - view.px(38)});
  if (hit.hovered) tooltip(view, (brief ? words.text + "\n" : "") + words.tooltip);
  return rect.x;
}

// Presenting, letters are large and the bar is short: what is known (the app's name) or has a key and is used
// before the lecture begins (export, theme, where times are from) gives way to the rungs.
bool is_short(const View& view, const Rect& bar) {
  return view.state.present && bar.width < view.px(kShort);
}

// Language, theme and presenting; gives their left end.
float draw_switches(const View& view, const Rect& bar, float end) {
  const float height = view.px(30), y = bar.y + 0.5f * (bar.height - height), gap = view.px(8);
  const auto place = [&](float width) {
    end -= gap + width;
    return Rect{end, y, width, height};
  };
  const auto word = [&](const char* id, bool on, const char* label, const char* tip, Action action) {
    const std::string text = view.strings(label);
    answer(view, pill(view, id, place(pill_width(view, text, on)), text, on), view.strings(tip),
           std::move(action));
  };
  const app::Classroom& c = view.state.classroom;
  const bool compares = view.state.pinned.has_value();
  word("present", view.state.present, "top.present", "top.present.tip", app::SetPresent{!view.state.present});
  word("predict", c.predicting.has_value(), "top.predict", "top.predict.tip",
       app::SetPredicting{!c.predicting});
  word("lessons", c.active.has_value(), "top.lessons", "top.lessons.tip",
       app::ShowPalette{app::CommandPalette::Offer::Lessons});
  word("compare", compares, "top.compare", "top.compare.tip",
       compares ? Action(app::LeaveComparison{}) : Action(app::PinA{}));
  if (!is_short(view, bar)) {
    const bool dark = view.state.theme == app::Theme::Dark;
    answer(view, icon_button(view, "theme", place(height), dark ? Icon::Sun : Icon::Moon, false),
           view.strings("top.theme.tip"), app::SetTheme{dark ? app::Theme::Light : app::Theme::Dark});
    answer(view, icon_button(view, "share", place(height), Icon::Share, false), view.strings("share.tip"),
           app::ShowShare{true});
  }
  word("language", false, "top.language", "top.language.tip",
       app::SetLanguage{language::next_language(view.state.language)});
  if (!view.state.present) {  // the stage has no panels
    const Rect panels = place(height);
    answer(view, icon_button(view, "panels", panels, Icon::Panels, false), view.strings("panels.tip"),
           app::ShowPanels{});
    draw_menu(view, app::Menu::Of::Panels, panels, {.width = 200});
  }
  return end;
}

// The ladder's rungs from `x` on; those without room go into a list at the end.
void draw_rungs(const View& view, const Rect& bar, float x, float end) {
  const auto rungs = app::rungs_of(view.state, view.catalog);
  const float height = view.px(30), y = bar.y + 0.5f * (bar.height - height), gap = view.px(6);
  const float more_width = view.px(46);
  std::vector<float> widths;
  float total = -gap;
  for (const app::MenuEntry& rung : rungs) {
    widths.push_back(pill_width(view, rung.label, rung.is_now));
    total += widths.back() + gap;
  }
  // The present rung is always among those shown.
  const float room = end - x - (total > end - x ? more_width + gap : 0);
  std::vector<bool> shown(rungs.size(), false);
  float used = 0;
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    if (rungs[i].is_now) shown[i] = true, used = widths[i] + gap;
  }
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    if (shown[i]) continue;
    if (used + widths[i] > room) break;
    shown[i] = true;
    used += widths[i] + gap;
  }
  int hidden = 0;
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    if (!shown[i]) {
      ++hidden;
      continue;
    }
    const Hit hit = pill(view, ("rung" + std::to_string(i)).c_str(), {x, y, widths[i], height},
                         rungs[i].label, rungs[i].is_now);
    const auto* leads = rungs[i].chosen.as<app::SelectScenario>();
    const scenario::Scenario* rung = leads != nullptr ? view.catalog.find(leads->name) : nullptr;
    if (hit.hovered && rung != nullptr) {
      std::string words = scenario::in_language(rung->title, view.state.language);
      // What it teaches is what a prediction asks for.
      if (!rung->teaches.empty() && !view.sim.hidden.rest)
        words += "\n" + scenario::in_language(rung->teaches, view.state.language);
      // Below the panels' titles and the row of lanes, which the words speak of.
      tooltip_below(view, words, bottom(bar) + view.px(bar.y > 0 ? 6 : 78));
    }
    if (hit.clicked) view.act(rungs[i].chosen);
    x += widths[i] + gap;
  }
  if (hidden == 0) return;
  const Rect more{x, y, more_width, height};
  if (pill(view, "more", more, "+" + std::to_string(hidden), false).clicked)
    view.act(app::ShowMenu{app::Menu::Of::Rungs});
  draw_menu(view, app::Menu::Of::Rungs, more, {});
}

}  // namespace

void draw_top_bar(const View& view, const Rect& bar) {
  const scene::Palette& p = view.palette;
  fill_ground(view, bar, p.panel, 0);
  fill({bar.x, bottom(bar) - 1, bar.width, 1}, p.line);
  float x = bar.x + view.px(18);
  float end = right(bar) - view.px(8);
  if (!is_short(view, bar)) {
    x += draw_text(view, {x, middle(bar)}, view.strings("top.name"),
                   {19, p.text, Align::Left, Face::WordsBold});
    x += view.px(20);
    end = draw_gpu(view, bar);
  }
  end = draw_switches(view, bar, end);

  // Which ladder: its name is a list of all ladders.
  if (const scenario::Scenario* here = view.scenario()) {
    const std::string key = "ladder." + here->ladder;
    std::string name = view.strings(key);
    if (here->ladder.empty()) name = scenario::in_language(here->title, view.state.language);
    if (!here->ladder.empty() && name == key) name = here->ladder;  // a user's own ladder
    const Rect rect{x, bar.y + 0.5f * (bar.height - view.px(30)), text_width(view, name, {14}) + view.px(24),
                    view.px(30)};
    const Hit hit = hit_area("ladder", rect);
    const Color ink = hit.hovered ? p.text : p.secondary;
    draw_text(view, {rect.x, middle(rect)}, name, {14, ink});
    draw_icon(view, Icon::Down, {right(rect) - view.px(12), middle(rect)}, view.px(9), ink);
    answer(view, hit, view.strings("top.ladder.tip"),
           app::ShowPalette{app::CommandPalette::Offer::Scenarios});
    x = right(rect) + view.px(8);
  }
  draw_rungs(view, bar, x, end - view.px(16));
}

}  // namespace warplens::panels
