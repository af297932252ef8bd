// The lessons to choose from: what each is about, and how far one has come.
#include <algorithm>

#include "app/actions/class_actions.h"
#include "app/panels/lessons/class_panels.h"
#include "app/panels/sheets/overlay.h"

namespace warplens::panels {
namespace {

const std::string& words_of_lesson(const View& view, const lesson::LocalText& text) {
  return scenario::in_language(text, view.state.language);
}

struct Standing {
  std::string words;
  Color color;
};

Standing standing_of(const View& view, const lesson::Lesson& one) {
  const auto& progress = view.state.classroom.progress;
  const auto known = progress.find(one.name);
  const std::string minutes = view.strings("class.minutes", {{"n", std::to_string(one.minutes)}});
  if (known == progress.end()) return {minutes, view.palette.secondary};
  const session::LessonRecord& r = known->second;
  int right = 0;
  for (const auto& [step, prediction] : r.predictions) right += prediction.first;
  const std::string score =
      r.predictions.empty()
          ? std::string()
          : " · " + view.strings("class.score", {{"right", std::to_string(right)},
                                                 {"of", std::to_string(r.predictions.size())}});
  if (r.passed) return {view.strings("class.state.passed") + score, view.palette.ideal};
  return {view.strings("class.state.steps",
                       {{"n", std::to_string(r.done.size())}, {"of", std::to_string(one.steps.size())}}) +
              score,
          view.palette.accent};
}

void draw_row(const View& view, const lesson::Lesson& one, const Rect& row, bool chosen, bool hovered) {
  const scene::Palette& p = view.palette;
  if (chosen || hovered)
    fill(row, chosen ? scene::with_alpha(p.accent, 0.24f) : scene::mix(p.cell, p.text, 0.06f), view.px(5));
  if (chosen) outline(row, p.accent, view.px(5), view.px(1.5f));
  // On the tint of the chosen row only the text's own colour reads.
  const Color quiet = chosen ? p.text : p.secondary;
  Standing standing = standing_of(view, one);
  if (chosen) standing.color = p.text;
  const float end = right(row) - view.px(12), x = row.x + view.px(44);
  const float upper = row.y + 0.31f * row.height, lower = row.y + 0.71f * row.height;
  draw_text(view, {row.x + view.px(32), upper}, std::to_string(one.order),
            {15, quiet, Align::Right, Face::Code});
  const float used =
      draw_text(view, {end, upper}, standing.words, {14, standing.color, Align::Right, Face::WordsBold});
  draw_text(view, {x, upper}, words_of_lesson(view, one.title),
            {15, p.text, Align::Left, Face::WordsBold, end - x - used - view.px(12)});
  draw_text(view, {x, lower}, words_of_lesson(view, one.goal),
            {13, quiet, Align::Left, Face::Words, end - x});
}

Actions draw_rows(const View& view, const Rect& rect) {
  Actions actions;
  const auto& lessons = view.catalog.lessons;
  const int selected = *view.state.classroom.list, count = static_cast<int>(lessons.size());
  ImGui::SetCursorScreenPos(top_left(rect));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("lessons", {rect.width, rect.height}, false, ImGuiWindowFlags_NoNav);
  const float row =
      std::round(std::max(view.px(46), std::floor(rect.height / static_cast<float>(std::max(count, 1)))));
  const float height = std::min(row, view.px(52));
  ImGuiStorage* storage = ImGui::GetStateStorage();
  const ImGuiID kept = ImGui::GetID("kept");
  if (storage->GetInt(kept, -1) != selected) {
    storage->SetInt(kept, selected);
    const float y = height * static_cast<float>(selected);
    if (y < ImGui::GetScrollY()) ImGui::SetScrollY(y);
    if (y + height > ImGui::GetScrollY() + rect.height) ImGui::SetScrollY(y + height - rect.height);
  }
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  for (int i = 0; i < count; ++i) {
    const auto& one = lessons[static_cast<std::size_t>(i)];
    const Rect line{origin.x, origin.y + height * static_cast<float>(i), rect.width - view.px(12), height};
    const Hit hit = hit_area(i, line);
    draw_row(view, *one, line, i == selected, hit.hovered);
    if (hit.clicked) actions.push_back(session::OpenLesson{one->name});
  }
  ImGui::SetCursorScreenPos({origin.x, origin.y + height * static_cast<float>(count)});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
  ImGui::PopStyleVar();
  return actions;
}

}  // namespace

Actions draw_lesson_list(const View& view, const Rect& window) {
  Actions actions;
  const scene::Palette& p = view.palette;
  const Overlay overlay(view, "lesson list", window, 0.72f);
  const auto count = static_cast<float>(view.catalog.lessons.size());
  const float width = std::min(view.px(860), window.width - view.px(60));
  const float height = std::min(view.px(116) + view.px(52) * count, window.height - view.px(48));
  const Rect sheet{std::round(window.x + 0.5f * (window.width - width)),
                   std::round(window.y + 0.5f * (window.height - height)), width, height};
  fill(sheet, p.panel, view.px(10));
  outline(sheet, p.accent, view.px(10), view.px(1.5f));
  const float margin = view.px(22), left = sheet.x + margin, side = view.px(24);
  draw_text(view, {left, sheet.y + view.px(32)}, view.strings("class.lessons"),
            {19, p.text, Align::Left, Face::WordsBold});
  if (icon_button(view, "close", {right(sheet) - margin - side, sheet.y + view.px(20), side, side},
                  Icon::Cross, false)
          .clicked)
    actions.push_back(session::ShowLessons{false});
  const Rect rows{left, sheet.y + view.px(58), width - 2 * margin, height - view.px(58 + 44)};
  for (Action& action : draw_rows(view, rows)) actions.push_back(std::move(action));
  const std::string own = view.strings("class.list.own");
  draw_text(view, {left, bottom(sheet) - view.px(22)}, view.strings("class.list.keys"),
            {13, p.secondary, Align::Left, Face::Words,
             sheet.width - 2 * margin - pill_width(view, own, false) - view.px(12)});
  const float own_width = pill_width(view, own, false);
  if (pill(view, "own",
           {right(sheet) - margin - own_width, bottom(sheet) - view.px(37), own_width, view.px(30)}, own,
           false)
          .clicked) {
    actions.push_back(session::ShowLessons{false});
    actions.push_back(session::ShowDialog{false});
  }
  return actions;
}

}  // namespace warplens::panels
