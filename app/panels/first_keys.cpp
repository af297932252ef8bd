// Below the picture that stands alone: the few keys that go on from there, which can be clicked as well, and
// the sentence of the tour that asks for one of them.
#include <algorithm>
#include <vector>

#include "app/input/commands.h"
#include "app/panels/panels.h"
#include "app/panels/widgets/ui.h"
#include "app/readout/verdict.h"
#include "app/state/catalog.h"
#include "app/state/teaching.h"

namespace warplens::panels {
namespace {

struct FirstKey {
  std::string_view command;
  std::string key, words;
  app::Action action;
  std::string tip{};
};

const app::TourStop* stop_of(const View& view) {
  const std::optional<int>& tour = view.state.classroom.tour;
  return tour ? &app::tour_stops()[static_cast<std::size_t>(*tour)] : nullptr;
}

// The kernel behind the one on screen; null: it is the last of its ladder, or in none.
const scenario::Scenario* next_rung(const View& view) {
  const scenario::Scenario* here = view.scenario();
  if (here == nullptr) return nullptr;
  const auto rungs = view.catalog.ladder_of(*here);
  const auto at = std::ranges::find(rungs, here);
  return at == rungs.end() || at + 1 == rungs.end() ? nullptr : *(at + 1);
}

std::vector<FirstKey> first_keys(const View& view) {
  const auto keys = [&](std::string_view id) {
    const auto all = app::commands();
    const auto one =
        std::ranges::find(all, id, [](const app::Command* c) { return std::string_view(c->id); });
    return one == all.end() ? std::string() : app::in_language(app::shown_keys(**one), view.strings);
  };
  const auto of = [&](std::string_view id, std::string words, app::Action action) {
    return FirstKey{id, keys(id), std::move(words), std::move(action)};
  };
  std::vector<FirstKey> all{of("play", view.strings("first.next"), app::PlayNext{})};
  if (const app::TourStop* stop = stop_of(view);
      stop != nullptr && std::string_view(stop->command) == "count")
    all.push_back(of("count", view.strings("first.count"), app::CountOut{}));
  if (const scenario::Scenario* here = view.scenario(); here != nullptr && !view.state.settings.own) {
    const auto& turned = here->parameters;
    const auto padding = std::ranges::find(turned, "p", &scenario::ScenarioParameter::key);
    if (padding != turned.end()) {
      const std::int64_t now = app::value_of(*padding, view.state.settings.values);
      const auto shown = [&](std::int64_t value) {
        return " " + scenario::shown_value(*padding, value, view.state.language);
      };
      const std::int64_t next = app::stepped(*padding, now, 1);
      all.push_back({"parameter", "P",
                     scenario::in_language(padding->label, view.state.language) + shown(now) +
                         (next == now ? "" : " →" + shown(next)),
                     app::StepParameter{padding->name, 1}});
    }
    if (const scenario::Scenario* next = next_rung(view)) {
      all.push_back(of("rung_next", app::rung_name(*next, view.state.language), app::StepRung{1}));
      if (!next->teaches.empty()) all.back().tip = scenario::in_language(next->teaches, view.state.language);
    }
  }
  all.push_back(of("lessons", view.strings("first.lessons"), app::ShowLessons{true}));
  all.push_back(of("workbench", view.strings("first.workbench"), app::ShowPanels{}));
  return all;
}

constexpr float kInside = 9, kBetween = 8, kApart = 26;

float width_of(const View& view, const FirstKey& one) {
  return text_width(view, one.key, {14, {}, Align::Left, Face::WordsBold}) +
         text_width(view, one.words, {15, {}}) + view.px(2 * kInside + kBetween);
}

// What asks to be pressed: what the tour speaks of; where the access looked at loses something, what mends
// it; else the next access.
std::string_view asked_key(const View& view, const std::vector<FirstKey>& all) {
  if (const app::TourStop* stop = stop_of(view)) return stop->command;
  const app::Diagnosis* found = app::diagnosis_of(view.state);
  const bool is_shared = view.sim.now && view.sim.now->access.space == memory::Space::Shared;
  if (found == nullptr || !found->fix || !view.sim.now || found->fix->shared != is_shared ||
      app::judge(view.sim, view.strings).verdict != app::Verdict::Costly)
    return "play";
  std::string_view mends = found->fix->kind == app::Fix::Kind::Padding ? "parameter" : "play";
  const scenario::Scenario* next = next_rung(view);
  if (next != nullptr && found->fix->kind == app::Fix::Kind::Rung && next->name == found->fix->name)
    mends = "rung_next";
  return std::ranges::count(all, mends, &FirstKey::command) > 0 ? mends : "play";
}

}  // namespace

// "[Space] next access   [P] padding 0   [W] workbench"; one of them asks to be pressed (View::asks).
void draw_first_keys(const View& view, const Rect& whole) {
  const scene::Palette& p = view.palette;
  const app::TourStop* stop = stop_of(view);
  Rect rect = whole;
  if (stop != nullptr) {
    const float words = view.px(kTourWords);
    rect.y += words, rect.height -= words;
    Type type{17, p.text, Align::Center, Face::WordsBold};
    type.room = rect.width - view.px(24);
    draw_text(view, {rect.x + 0.5f * rect.width, whole.y + 0.5f * words}, view.strings(stop->words), type);
  }
  const std::vector<FirstKey> all = first_keys(view);
  const std::string_view asked = asked_key(view, all);
  float width = -view.px(kApart);
  for (const FirstKey& one : all) width += width_of(view, one) + view.px(kApart);
  float x = rect.x + std::max(0.0f, 0.5f * (rect.width - width));
  const float height = view.px(26), y = middle(rect) - 0.5f * height;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const FirstKey& one = all[i];
    const Rect area{x, y, width_of(view, one), height};
    const Hit hit = hit_area(static_cast<int>(i), area);
    if (hit.hovered) tooltip(view, one.tip);
    if (hit.clicked || control_pressed(area)) view.act(one.action);
    const Type letters{14, p.text, Align::Center, Face::WordsBold},
        words{15, hit.hovered ? p.text : p.secondary};
    const Rect cap{x, y, text_width(view, one.key, letters) + view.px(2 * kInside), height};
    const float asks = one.command == asked ? view.asks : 0;
    fill(cap, scene::mix(hit.hovered ? scene::mix(p.cell, p.text, 0.10f) : p.cell, p.text, 0.25f * asks),
         view.px(5));
    outline(cap, scene::mix(p.line, p.text, asks), view.px(5), view.px(1 + asks));
    draw_text(view, {cap.x + 0.5f * cap.width, middle(cap)}, one.key, letters);
    draw_text(view, {right(cap) + view.px(kBetween), middle(cap)}, one.words, words);
    x += area.width + view.px(kApart);
  }
}

}  // namespace warplens::panels
