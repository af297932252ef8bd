// How long every rung of the ladder takes: live, or recorded and labelled so.
#include "app/views/times.h"

#include <algorithm>
#include <array>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/widgets/ui.h"
#include "app/readout/ladder_times.h"
#include "sim/base/numbers.h"

namespace warplens::panels {
namespace {

// The kernel's time in the other mode; empty without both. Where a GPU refused the kernel, or stopped it:
// why.
std::string difference_text(const View& view) {
  if (!view.gpu.trouble.empty()) return view.strings("times.trouble") + " · " + view.gpu.trouble;
  const app::RungTime* now = app::current_of(view.times);
  if (now != nullptr && now->one_program && view.state.optimised)
    return view.strings("difference.same_program");
  if (now == nullptr || now->measurement == nullptr || now->other == nullptr) return {};
  const bool swapped = now->measurement->subject.mode == measure::CompileMode::AsOptimised;
  return view.strings(swapped ? "times.other.written" : "times.other.optimised",
                      {{"time", seconds_text(now->other->cold.median)}});
}

constexpr float kFewBars = 50;  // two rows and the caption, of the design

// As far as the bars leave room; what is cut is in a tooltip whole. Gives the height taken at the bottom of
// `room`.
float draw_difference(const View& view, const Rect& room) {
  const std::string all = difference_text(view);
  const bool trouble = !view.gpu.trouble.empty();
  const Type type{13, trouble ? view.palette.costly : view.palette.secondary};
  const float step = view.px(18), most = trouble ? 0.5f * room.height : room.height - view.px(kFewBars);
  if (all.empty() || most < step) return 0;
  const std::size_t fit = std::min<std::size_t>(static_cast<std::size_t>(most / step), trouble ? 6 : 2);
  std::vector<std::string> lines = wrapped(view, all, room.width, type);
  const bool cut = lines.size() > fit;
  if (cut) {
    lines.resize(fit);
    lines.back() = shortened(view, lines.back() + "…", room.width, type);
  }
  const float height = step * static_cast<float>(lines.size());
  const Rect box{room.x, bottom(room) - height, room.width, height};
  draw_lines(view, top_left(box), lines, step, type);
  if (hit_area("difference", box).hovered) tooltip(view, cut ? all : view.strings("times.mode.tip"));
  return height + view.px(2);
}

// The other compile mode is measured only where there is a GPU; whoever came to it without one can leave it.
bool chooses_mode(const View& view) {
  using Kind = GpuLine::Kind;
  const Kind kind = view.gpu.kind;
  return view.state.optimised || kind == Kind::Starting || kind == Kind::Live || kind == Kind::Measuring;
}

// The title, with the switch between the compile modes at its right where there is a choice.
Rect draw_heading(const View& view, const Rect& rect, const measure::Measurement* any) {
  const std::string tip = view.strings("times.mode.tip");
  std::vector<Tab> tabs;
  if (chooses_mode(view))
    tabs = {Tab{view.strings("times.tab.written"), tip, !view.state.optimised},
            Tab{view.strings("times.tab.optimised"), tip, view.state.optimised}};
  // A bar of another size says so itself. A number alone would be read as the time.
  const std::string size = app::size_text(view.state.settings.values),
                    what = size.find_first_not_of("0123456789,") == std::string::npos ? "n = " : "",
                    after = size.empty() ? "" : " · " + what + size;
  const std::string brief = view.strings("times.title") + after;
  const std::string with_gpu =
      any == nullptr ? brief : view.strings("times.title.gpu", {{"gpu", any->device.name}}) + after;
  const float reserve = tabs.empty() ? 0 : tabs_width(view, tabs), room = rect.width - view.px(40) - reserve;
  const bool fits = text_width(view, with_gpu, {15, {}, Align::Left, Face::WordsBold}) <= room;
  const Rect inner = draw_panel(view, rect, {fits ? with_gpu : brief, "", {}, false, reserve});
  if (tabs.empty()) return inner;
  const TabChoice choice = draw_tabs(view, "modes", {right(inner), rect.y + view.px(20)}, tabs);
  if (choice.clicked >= 0) view.act(app::SetOptimised{choice.clicked == 1});
  return inner;
}

constexpr float kUnitsHeight = 24;

// A tab a unit that the kernel has, on a line of their own under the title; none where the bars need the
// room. Gives the height taken.
float draw_units(const View& view, const Rect& room, float bars) {
  if (room.height < std::max(view.px(150), bars + view.px(kUnitsHeight))) return 0;
  const scene::TimeUnit shown = views::shown_unit(view.scenario(), view.state.time_unit);
  constexpr std::array<const char*, scene::kTimeUnits> kWords{"times.unit.time", "times.unit.bytes",
                                                              "times.unit.operations"};
  std::vector<Tab> tabs;
  std::vector<scene::TimeUnit> units;
  for (int i = 0; i < scene::kTimeUnits; ++i) {
    const auto unit = static_cast<scene::TimeUnit>(i);
    if (!views::has_unit(view.scenario(), unit)) continue;
    units.push_back(unit);
    tabs.push_back(
        {view.strings(kWords[static_cast<std::size_t>(i)]), view.strings("times.unit.tip"), unit == shown});
  }
  const float y = room.y + view.px(8), width = tabs_width(view, tabs) - view.px(12);
  const TabChoice choice = draw_tabs(view, "units", {room.x + width, y}, tabs);
  if (choice.clicked >= 0) view.act(app::SetTimeUnit{units[static_cast<std::size_t>(choice.clicked)]});
  return view.px(kUnitsHeight);
}

// Of what the times and the percents are, the fullest wording first.
std::vector<std::string> captions_of(const View& view, const measure::Measurement* any,
                                     const views::TimeBarsView& bars) {
  if (any == nullptr) {
    switch (view.gpu.kind) {
      case GpuLine::Kind::Live:
      case GpuLine::Kind::Broken:
        return {view.sim.problems.empty() ? std::string() : view.strings("times.caption.wrong")};
      case GpuLine::Kind::Recorded:  // the row says it
      case GpuLine::Kind::Measuring:
        return {std::string()};
      default:
        return {view.strings("times.caption.none")};
    }
  }
  const bool shares = std::ranges::any_of(bars.bars, [](auto& bar) { return bar.percent_of_reference > 0; });
  const std::string after = shares ? " · " + view.strings("times.share", {{"of", bars.percent_of}}) : "";
  std::string before;
  const app::RungTime* now = app::current_of(view.times);
  if (now != nullptr && now->measurement != nullptr && !now->one_program && now->other == nullptr &&
      (now->measurement->subject.mode == measure::CompileMode::AsOptimised) != view.state.optimised) {
    const char* mode = view.state.optimised ? "times.mode.written" : "times.mode.optimised";
    before = view.strings("times.mode.only", {{"mode", view.strings(mode)}}) + " · ";
  }
  const auto words = [&](const char* key) {
    return view.strings(key,
                        {{"n", std::to_string(any->cold.seconds.size())}, {"date", any->when.substr(0, 10)}});
  };
  if (app::are_too_short(view.times)) {
    const std::string warning = view.strings("times.caption.short");
    return {
        warning + " · " + words(any->recorded ? "times.caption.recorded.date" : "times.caption.live.short"),
        warning, view.strings("times.caption.short.brief")};
  }
  if (!any->recorded)
    return {before + words("times.caption.live") + after, before + words("times.caption.live.short") + after,
            before + words("times.caption.live.short")};
  return {before + words("times.caption.recorded") + after,
          before + words("times.caption.recorded.short") + after,
          words("times.caption.recorded.date") + after, words("times.caption.recorded.date")};
}

}  // namespace

void draw_times(const View& view, const Rect& rect) {
  if (view.sim.hidden.times)
    return draw_calm_panel(view, rect, view.strings("times.title"),
                           views::times_hidden_words(view.sim.hidden, view.strings));
  const scene::TimeUnit unit = views::shown_unit(view.scenario(), view.state.time_unit);
  views::TimeBarsView picture = views::time_bars_of(view.times, unit, view.state.language);
  const measure::Measurement* any = app::any_measurement(view.times);
  picture.captions = captions_of(view, any, picture);
  const Rect probe = draw_heading(view, rect, any);
  Rect room{probe.x, probe.y + view.px(4), probe.width, probe.height - view.px(4)};
  if (room.height < view.px(18)) return;
  const float bars = views::height_of_all_bars(picture, view.canvas(room.width, room.height));
  room.height -= draw_difference(view, room);
  const float units = draw_units(view, room, bars);
  room.y += units, room.height -= units;
  if (room.height < view.px(46)) return;  // a bar and its caption would stand on each other
  const scene::HotSpot* spot = draw_scene(
      view, "bars", views::time_bars_scene(picture, view.canvas(room.width, room.height)), top_left(room));
  if (!scene_clicked() || spot == nullptr || spot->index < 0 || spot->index >= std::ssize(view.times)) return;
  const app::RungTime& rung = view.times[static_cast<std::size_t>(spot->index)];
  if (rung.nearest)
    view.act(app::SetValues{*rung.nearest});
  else
    view.act(app::SelectScenario{rung.scenario->name});
}

}  // namespace warplens::panels
