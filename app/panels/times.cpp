// How long every rung of the ladder takes: live, or recorded and labelled so.
#include <algorithm>

#include "app/panels/panels.h"

namespace warplens::panels {
namespace {

scene::TimeBar bar_of(const View& view, const session::RungTime& time) {
  scene::TimeBar bar;
  const scenario::LocalText& label =
      time.scenario->rung_label.empty() ? time.scenario->title : time.scenario->rung_label;
  bar.label = scenario::in_language(label, view.state.language);
  bar.current = time.current;
  if (time.measurement == nullptr) return bar;
  const measure::Samples& samples = time.measurement->cold;
  bar.median_seconds = samples.median;
  if (!samples.seconds.empty()) {
    std::vector<double> sorted = samples.seconds;
    std::sort(sorted.begin(), sorted.end());
    bar.low_seconds = sorted[sorted.size() / 4];
    bar.high_seconds = sorted[sorted.size() - 1 - sorted.size() / 4];
  }
  bar.percent_of_copy = time.percent_of_copy;
  bar.recorded = time.measurement->recorded;
  bar.wrong_output = time.measurement->check.state == measure::CheckState::Wrong;
  return bar;
}

// "4096 × 4096": what the sizes are that all bars share.
std::string size_text(const View& view) {
  const auto& values = view.state.settings.values;
  const auto rows = values.find("nrows"), columns = values.find("ncols"), n = values.find("n");
  if (rows != values.end() && columns != values.end()) {
    return std::to_string(rows->second) + " × " + std::to_string(columns->second);
  }
  return n != values.end() ? language::grouped(n->second) : std::string();
}

}  // namespace

Actions draw_times(const View& view, const Rect& rect) {
  scene::TimeBarsView picture;
  const measure::Measurement* any = nullptr;
  for (const session::RungTime& time : view.times) {
    picture.bars.push_back(bar_of(view, time));
    if (time.measurement != nullptr && (any == nullptr || time.current)) any = time.measurement;
  }
  const std::string size = size_text(view);
  std::string title = view.strings("times.title");
  if (any != nullptr) title = view.strings("times.title.gpu", {{"gpu", any->device.name}});
  if (!size.empty()) title += " · " + size;
  if (any != nullptr) {
    picture.caption =
        view.strings(any->recorded ? "times.caption.recorded" : "times.caption.live",
                     {{"n", std::to_string(any->cold.seconds.size())}, {"date", any->when.substr(0, 10)}});
  } else {
    picture.caption = view.strings(view.gpu.kind == GpuLine::Kind::Recorded ? "times.caption.not_recorded"
                                                                            : "times.caption.none");
  }
  const Rect probe =
      draw_panel(view, rect, {title, any != nullptr ? view.strings("times.percent") : "", {}, false});
  const Rect room{probe.x, probe.y + view.px(4), probe.width, probe.height - view.px(4)};
  Actions actions;
  const scene::HotSpot* spot = draw_scene(
      view, "bars", scene::time_bars_scene(picture, view.canvas(room.width, room.height)), top_left(room));
  const bool clicked = ImGui::IsItemClicked();
  if (spot != nullptr && spot->index >= 0 && clicked && spot->index < static_cast<int>(view.times.size())) {
    actions.push_back(
        session::SelectScenario{view.times[static_cast<std::size_t>(spot->index)].scenario->name});
  }
  return actions;
}

}  // namespace warplens::panels
