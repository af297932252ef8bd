// Stepping and playing: buttons, where we are, the scrubber, the speed.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "app/input/commands.h"
#include "app/panels/panels.h"
#include "app/panels/widgets/ui.h"
#include "app/readout/verdict.h"
#include "app/state/catalog.h"
#include "app/state/teaching.h"
#include "sim/base/numbers.h"

namespace warplens::panels {
namespace {

void buttons(const View& view, const Rect& rect, float* x) {
  const float shrink = std::min(1.0f, rect.height / view.px(52));  // presenting
  const float size = shrink * view.px(38), big = shrink * view.px(44), gap = view.px(8);
  const auto button = [&](const char* id, Icon icon, const char* tip, Action action, bool primary = false) {
    const float s = primary ? big : size;
    answer(view, icon_button(view, id, {*x, middle(rect) - 0.5f * s, s, s}, icon, primary), view.strings(tip),
           std::move(action));
    *x += s + gap;
  };
  const bool playing = view.state.playback.playing;
  button("first", Icon::First, "transport.first.tip", app::GoToEnd{false});
  button("previous", Icon::Previous, "transport.previous.tip", app::StepAccess{-1});
  button("play", playing ? Icon::Pause : Icon::Play, "transport.play.tip", app::SetPlaying{!playing}, true);
  button("next", Icon::Next, "transport.next.tip", app::StepAccess{1});
  button("last", Icon::Last, "transport.last.tip", app::GoToEnd{true});
}

// A block that still runs has no last access yet, and of one that never ends the first are recorded.
std::string access_text(const View& view, const std::string& n) {
  const auto& trace = view.sim.trace;
  const bool never_ends = trace && trace->error && trace->error->kind == sim::RunError::Kind::EndlessLoop;
  return view.strings(view.sim.unfinished                  ? "transport.access.so_far"
                      : never_ends || view.sim.cut_short() ? "transport.access.first"
                                                           : "transport.access",
                      {{"n", n}, {"total", grouped(view.sim.event_count())}});
}

std::string step_text(const View& view) {
  const app::Simulation& s = view.sim;
  if (s.event_count() == 0 || s.place.event < 0) return view.strings("transport.no_access");
  std::string text = access_text(view, grouped(s.place.event + 1));
  const int wavefronts = s.wavefronts_of(s.place.event);
  if (wavefronts > 1) {
    text += " · " + view.strings("transport.wavefront", {{"n", std::to_string(s.place.wavefront + 1)},
                                                         {"total", std::to_string(wavefronts)}});
  }
  return text;
}

void scrubber(const View& view, const Rect& rect) {
  const app::Simulation& s = view.sim;
  if (!s.events || s.place.event < 0) return;
  scene::ScrubberView picture;
  const bool alike = picture.alike = s.hidden.rest;
  for (const auto& event : *s.events)
    picture.segments.push_back({std::max(event.units, 1), std::max(event.ideal, 1), event.units == 0,
                                event.space == memory::Space::Shared ? "strip.wavefronts" : "strip.sectors"});
  picture.current = s.place.event;
  const int wavefronts = s.wavefronts_of(s.place.event);
  picture.within = (static_cast<float>(std::min(s.place.wavefront, wavefronts - 1)) + 0.5f) /
                   static_cast<float>(wavefronts);
  draw_scene(view, "scrubber", scene::scrubber_scene(picture, view.canvas(rect.width, rect.height)),
             top_left(rect));
  if (!ImGui::IsItemActive()) return;
  // Where each begins: scrubber_scene draws segments as wide as they cost, if that is to be seen.
  std::vector<double> starts{0};
  for (const auto& event : *s.events)
    starts.push_back(starts.back() + (alike ? 1 : std::max(event.units, 1)));
  const float knob = std::min(rect.height, view.px(16));
  const double part = std::clamp(
      (ImGui::GetIO().MousePos.x - rect.x - 0.5f * knob) / std::max(rect.width - knob, 1.0f), 0.0f, 1.0f);
  const double cost = part * starts.back();
  const auto after = std::upper_bound(starts.begin(), starts.end(), cost);
  const int event = std::clamp(static_cast<int>(after - starts.begin()) - 1, 0, s.event_count() - 1);
  const int wavefront = !alike && s.wavefronts_of(event) > 1
                            ? static_cast<int>(cost - starts[static_cast<std::size_t>(event)])
                            : 0;
  if (event != s.place.event || std::min(wavefront, s.wavefronts_of(event) - 1) != s.place.wavefront) {
    view.act(app::GoToEvent{event, wavefront});
  }
}

// From slow to fast along a logarithmic track.
void speed(const View& view, const Rect& rect) {
  const scene::Palette& p = view.palette;
  const float label =
      draw_text(view, {rect.x, middle(rect)}, view.strings("transport.speed"), {14, p.secondary});
  const float value = view.px(44), left = rect.x + label + view.px(18);
  const Rect track{left, rect.y, right(rect) - value - left - view.px(8), rect.height};
  const double span = std::log(app::kFastest / app::kSlowest);
  const auto part = static_cast<float>(std::log(view.state.playback.speed / app::kSlowest) / span);
  const auto slide = slider(view, "speed", track, part);
  const std::string text = formatted("×%.3g", view.state.playback.speed);
  draw_text(view, {right(rect), middle(rect)}, text, {13, p.text, Align::Right, Face::Code});
  if (!slide) return;
  const double octaves = std::round(*slide * span / std::log(2.0) * 2) / 2;
  view.act(app::SetSpeed{app::kSlowest * std::exp2(octaves)});
}

}  // namespace

void draw_transport(const View& view, const Rect& rect) {
  float x = rect.x;
  buttons(view, rect, &x);
  x += view.px(6);
  // Room for the longest text of this warp, so that the scrubber does not move while stepping.
  const Type type{14, view.palette.text, Align::Left, Face::Words};
  const std::string longest = access_text(view, grouped(view.sim.event_count())) + " · " +
                              view.strings("transport.wavefront", {{"n", "32"}, {"total", "32"}});
  draw_text(view, {x, middle(rect)}, step_text(view), type);
  // On a small screen the scrubber gives way instead.
  x += text_width(view, view.alone ? step_text(view) : longest, type) + view.px(16);
  const bool with_scene = view.state.present && app::scene_at(view.state) != nullptr;
  const bool wide = rect.width > view.px(900);
  // Where there is no room for a scene's name, there is for its number: PgDn goes on with the lecture. The
  // stage has no slider for the speed: its keys do.
  const float side = with_scene                    ? view.px(wide ? 330 : 124)
                     : wide && !view.state.present ? view.px(220)
                                                   : 0.0f;
  const float end = right(rect) - side;
  const float height = view.px(26);
  scrubber(view, {x, middle(rect) - 0.5f * height, std::max(end - x - view.px(24), view.px(60)), height});
  const Rect at_end{end, rect.y, side, rect.height};
  if (with_scene)
    draw_scene_place(view, at_end);
  else if (side > 0)
    speed(view, at_end);
}

// ---- Below the picture that stands alone: the few keys that go on from there, which can be clicked as well,
// and the sentence of the tour that asks for one of them.

namespace {

struct FirstKey {
  std::string_view command;
  std::string key, words;
  app::Action action;
  std::string tip{};
};

// The kernel behind the one on screen; null: it is the last of its ladder, or in none.
const scenario::Scenario* next_rung(const View& view) {
  const scenario::Scenario* here = view.scenario();
  if (here == nullptr) return nullptr;
  const auto rungs = view.catalog.ladder_of(*here);
  const auto at = std::ranges::find(rungs, here);
  return at == rungs.end() || at + 1 == rungs.end() ? nullptr : *(at + 1);
}

// What the ladder is about: its padding, or its stride; null: neither.
const scenario::ScenarioParameter* offered_parameter(const View& view) {
  const scenario::Scenario* here = view.scenario();
  if (here == nullptr || view.state.settings.own) return nullptr;
  const auto& all = here->parameters;
  auto offered = std::ranges::find(all, "p", &scenario::ScenarioParameter::key);
  if (offered == all.end()) offered = std::ranges::find(all, "stride", &scenario::ScenarioParameter::name);
  return offered == all.end() ? nullptr : &*offered;
}

// The command that mends what the access looked at loses; empty: nothing is lost, or nothing known mends it.
std::string_view mending_key(const View& view) {
  const app::Diagnosis* found = app::diagnosis_of(view.state);
  const bool is_shared = view.sim.now && view.sim.now->access.space == memory::Space::Shared;
  if (found == nullptr || !found->fix || !view.sim.now || found->fix->shared != is_shared ||
      app::judge(view.sim, view.strings).verdict != app::Verdict::Costly)
    return {};
  const app::Fix& fix = *found->fix;
  const scenario::ScenarioParameter* turned = offered_parameter(view);
  if (fix.kind == app::Fix::Kind::Padding && turned != nullptr && turned->name == fix.name) {
    // Pressed once or twice, its key leads there.
    const std::int64_t now = app::value_of(*turned, view.state.settings.values),
                       to = app::value_of(*turned, fix.settings.values);
    if (to > now && to <= app::stepped(*turned, now, 2)) return "parameter";
  }
  const scenario::Scenario* next = next_rung(view);
  const bool is_next = next != nullptr && fix.kind == app::Fix::Kind::Rung && next->name == fix.name;
  return is_next ? "rung_next" : "show_fix";
}

// `mends`: mending_key().
std::vector<FirstKey> first_keys(const View& view, std::string_view mends) {
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
  if (const app::TourStop* stop = app::tour_stop(view.state);
      stop != nullptr && std::string_view(stop->command) == "count")
    all.push_back(of("count", view.strings("first.count"), app::CountOut{}));
  if (const scenario::Scenario* here = view.scenario(); here != nullptr && !view.state.settings.own) {
    if (const scenario::ScenarioParameter* offered = offered_parameter(view)) {
      const std::int64_t now = app::value_of(*offered, view.state.settings.values);
      const auto shown = [&](std::int64_t value) {
        return " " + scenario::shown_value(*offered, value, view.state.language);
      };
      const std::int64_t next = app::stepped(*offered, now, 1);
      all.push_back({"parameter", std::string(1, static_cast<char>(std::toupper(offered->key.front()))),
                     scenario::in_language(offered->label, view.state.language) + shown(now) +
                         (next == now ? "" : " →" + shown(next)),
                     app::StepParameter{offered->name, 1}});
    }
    if (const scenario::Scenario* next = next_rung(view)) {
      all.push_back(of("rung_next", app::rung_name(*next, view.state.language), app::StepRung{1}));
      if (!next->teaches.empty()) all.back().tip = scenario::in_language(next->teaches, view.state.language);
    }
  }
  if (mends == "show_fix")
    all.push_back(of("show_fix",
                     app::fix_text(*app::diagnosis_of(view.state)->fix, view.catalog, view.strings),
                     app::ShowFix{}));
  all.push_back(
      of("lessons", view.strings("first.lessons"), app::ShowPalette{app::CommandPalette::Offer::Lessons}));
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
std::string_view asked_key(const View& view, std::string_view mends) {
  if (const app::TourStop* stop = app::tour_stop(view.state)) return stop->command;
  return mends.empty() ? "play" : mends;
}

}  // namespace

// "[Space] next access   [P] padding 0   [W] workbench"; one of them asks to be pressed (View::asks).
void draw_first_keys(const View& view, const Rect& whole) {
  const scene::Palette& p = view.palette;
  const app::TourStop* stop = app::tour_stop(view.state);
  Rect rect = whole;
  if (stop != nullptr) {
    const float words = view.px(kTourWords);
    rect.y += words, rect.height -= words;
    Type type{17, p.text, Align::Center, Face::WordsBold};
    type.room = rect.width - view.px(24);
    draw_text(view, {rect.x + 0.5f * rect.width, whole.y + 0.5f * words}, view.strings(stop->words), type);
  }
  const std::string_view mends = mending_key(view), asked = asked_key(view, mends);
  const std::vector<FirstKey> all = first_keys(view, mends);
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
