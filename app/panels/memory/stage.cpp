// What a stage has beside source and picture: the kernel's time, the speaker's notes, which scene this is.
#include <algorithm>

#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/memory/memory_panels.h"
#include "app/state/teaching.h"
#include "sim/base/numbers.h"

namespace warplens::panels {
namespace {

const app::RungTime* rung_on_screen(const View& view) {
  const auto now = std::ranges::find_if(view.times, &app::RungTime::current);
  return now == view.times.end() ? nullptr : &*now;
}

// "recorded · NVIDIA H200", then how near it comes to a copy or to cuBLAS, and of what: size and mode.
struct TimeWords {
  std::string figure, from, detail;
};
TimeWords time_words(const View& view) {
  if (view.sim.hidden.times) return {"–", times_hidden_words(view), {}};
  const app::RungTime* now = rung_on_screen(view);
  const measure::Measurement* m = now != nullptr ? now->measurement : nullptr;
  if (m == nullptr) {
    const bool waits = view.gpu.kind == GpuLine::Kind::Measuring || view.gpu.kind == GpuLine::Kind::Starting;
    return {"–", view.strings(waits ? "stage.time.waits" : "stage.time.none"), {}};
  }
  const bool optimised = m->subject.mode == measure::CompileMode::AsOptimised;
  TimeWords words{
      seconds_text(m->cold.median),
      view.strings(m->recorded ? "stage.time.recorded" : "stage.time.measured", {{"gpu", m->device.name}}),
      {}};
  const auto add = [&](const std::string& more) {
    if (!more.empty()) words.detail += (words.detail.empty() ? "" : " · ") + more;
  };
  const double percent = now->percent_of_reference;
  if (percent > 0) {
    const bool copies = m->reference == scenario::Reference::Copy;
    add(view.strings("stage.time.share", {{"n", std::to_string(static_cast<int>(percent + 0.5))},
                                          {"of", copies ? "cudaMemcpy" : "cuBLAS"}}));
  }
  add(now->size.empty() ? app::size_text(view.state.settings.values) : now->size);
  add(view.strings(optimised ? "times.mode.optimised" : "times.mode.written"));
  return words;
}

}  // namespace

Actions draw_stage_time(const View& view, const Rect& rect) {
  const scene::Palette& p = view.palette;
  fill_ground(view, rect, p.panel, view.px(8));
  outline(rect, p.line, view.px(8), 1);
  const TimeWords words = time_words(view);
  const float x = rect.x + view.px(14), end = right(rect) - view.px(14);
  const float upper = rect.y + view.px(25), lower = rect.y + view.px(52);
  const Type from{14, p.secondary}, large{30, p.text, Align::Left, Face::WordsBold};
  Type figure = large;  // smaller where the GPU's name would have no room beside it
  if (text_width(view, words.figure, large) + view.px(12) + text_width(view, words.from, from) > end - x)
    figure.size = 24;
  const float width = draw_text(view, {x, upper}, words.figure, figure);
  const float left = x + width + view.px(12);
  draw_text(view, {left, upper + view.px(4)}, words.from,
            {14, p.secondary, Align::Left, Face::Words, end - left});
  draw_text(view, {x, lower}, words.detail, {13, p.secondary, Align::Left, Face::Words, end - x});
  if (hit_area("time", rect).hovered)
    tooltip(view, words.figure + " " + words.from + (words.detail.empty() ? "" : "\n" + words.detail));
  return {};
}

Actions draw_notes(const View& view, const Rect& rect) {
  const app::LectureScene* scene = app::scene_at(view.state);
  if (scene == nullptr) return {};
  const scene::Palette& p = view.palette;
  const Color ground = scene::mix(p.panel, p.accent, 0.10f);
  fill(rect, ground, view.px(8));
  outline(rect, p.accent, view.px(8), 1);
  const std::string notes = app::scene_words(scene->notes, view.state.language);
  const Type type{15, p.text};
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("notes", {rect.width, rect.height}, false, ImGuiWindowFlags_NoNav);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  Column column{view, origin.x + view.px(14), origin.y + view.px(10), rect.width - view.px(34)};
  column.paragraph(notes.empty() ? view.strings("lecture.no_notes") : notes, type);
  ImGui::Dummy({1, column.y - origin.y});
  ImGui::EndChild();
  ImGui::PopStyleVar();
  return {};
}

// "‹ 3 / 9 ›  Sixteen words in two banks"
Actions draw_scene_place(const View& view, const Rect& rect) {
  Actions actions;
  const app::LectureScene* scene = app::scene_at(view.state);
  if (scene == nullptr) return actions;
  const scene::Palette& p = view.palette;
  const app::Lecturing& now = view.state.lecturing;
  const int count = static_cast<int>(now.lecture->scenes.size());
  const float size = view.px(26);
  float x = rect.x;
  const auto button = [&](const char* id, Icon icon, const char* tip, Action action) {
    const Hit hit = icon_button(view, id, {x, middle(rect) - 0.5f * size, size, size}, icon, false);
    if (hit.hovered) tooltip(view, view.strings(tip));
    if (hit.clicked) actions.push_back(std::move(action));
    x += size + view.px(6);
  };
  button("earlier", Icon::Previous, "lecture.previous.tip", app::StepScene{-1});
  const std::string of = std::to_string(count);
  const Type figures{14, p.text, Align::Center, Face::CodeBold};
  const float room = text_width(view, of + "/" + of, figures);
  draw_text(view, {x + 0.5f * room, middle(rect)}, std::to_string(now.scene + 1) + "/" + of, figures);
  x += room + view.px(6);
  button("later", Icon::Next, "lecture.next.tip", app::StepScene{1});
  x += view.px(4);
  const std::string name = app::scene_words(scene->name, view.state.language);
  const Rect words{x, rect.y, right(rect) - x, rect.height};
  const Type bold{14, p.text, Align::Left, Face::WordsBold, words.width};
  if (words.width > view.px(100) || text_width(view, name, bold) <= words.width)
    draw_text(view, {x, middle(rect)}, name, bold);
  const Hit hit = hit_area("scene", words);
  if (hit.hovered) tooltip(view, name + "\n" + view.strings("lecture.list.tip"));
  if (hit.clicked) actions.push_back(app::ShowScenes{});
  return actions;
}

}  // namespace warplens::panels
