// The scenes of the lecture: in order, with name and notes to type.
#include <algorithm>

#include "app/panels/sheets/overlay.h"
#include "app/panels/widgets/row_list.h"
#include "app/panels/widgets/text_input.h"
#include "app/state/chosen_kernel.h"
#include "app/state/teaching/lecture.h"
#include "app/views/views.h"

namespace warplens::panels {
namespace {

// What the scene shows: "tile · A│B", "naive · predict".
std::string scene_detail(const View& view, const app::LectureScene& scene) {
  const scenario::Scenario* s = app::scenario_of(view.catalog, scene.view.settings);
  std::string words = s == nullptr ? scene.view.settings.scenario
                                   : scenario::in_language(s->rung_label.empty() ? s->title : s->rung_label,
                                                           view.state.language);
  const auto add = [&](bool there, const char* key) {
    if (there) words += " · " + view.strings(key);
  };
  add(scene.view.pinned.has_value(), "top.compare");
  add(scene.view.question.has_value(), "top.predict");
  add(scene.view.shown != ViewId::Memory, views::row_of(scene.view.shown).tab);
  return words;
}

void draw_scene_row(const View& view, int i, const app::LectureScene& scene, const Rect& row, bool chosen,
                    bool hovered) {
  const scene::Palette& p = view.palette;
  if (chosen || hovered)
    fill(row, chosen ? scene::with_alpha(p.accent, 0.24f) : scene::mix(p.cell, p.text, 0.06f), view.px(5));
  if (chosen) outline(row, p.accent, view.px(5), view.px(1.5f));
  const Color quiet = chosen ? p.text : p.secondary;
  const bool here = i == view.state.lecturing.scene;
  draw_text(view, {row.x + view.px(32), middle(row)}, std::to_string(i + 1),
            {15, here ? p.text : quiet, Align::Right, here ? Face::CodeBold : Face::Code});
  if (here) fill({row.x, row.y + view.px(4), view.px(3), row.height - view.px(8)}, p.accent, view.px(1.5f));
  const float end = right(row) - view.px(12), x = row.x + view.px(44);
  const float used = draw_text(view, {end, middle(row)}, scene_detail(view, scene),
                               {13, quiet, Align::Right, Face::Words, 0.45f * row.width});
  draw_text(view, {x, middle(row)}, app::scene_words(scene.name, view.state.language),
            {15, p.text, Align::Left, Face::WordsBold, end - x - used - view.px(12)});
}

// Name and notes of the one selected; gives the height used, from the bottom.
void draw_fields(const View& view, const Rect& rect, Actions* actions) {
  const float label_room = std::max(text_width(view, view.strings("lecture.name"), {14}),
                                    text_width(view, view.strings("lecture.notes"), {14})) +
                           view.px(12);
  float y = rect.y;
  for (const auto& [id, label] :
       {std::pair(app::kSceneName, "lecture.name"), std::pair(app::kSceneNotes, "lecture.notes")}) {
    const Rect input{rect.x + label_room, y, rect.width - label_room, view.px(32)};
    draw_text(view, {rect.x, middle(input)}, view.strings(label), {14, view.palette.secondary});
    InputLook look;
    look.size = 14;
    look.placeholder = view.strings(id == app::kSceneName ? "lecture.name.empty" : "lecture.notes.empty");
    for (Action& action : draw_input(view, id, input, app::scene_field(view.state, id), look))
      actions->push_back(std::move(action));
    y += view.px(40);
  }
}

}  // namespace

Actions draw_scenes(const View& view, const Rect& window) {
  Actions actions;
  const app::Lecturing& now = view.state.lecturing;
  const int count = now.lecture ? static_cast<int>(now.lecture->scenes.size()) : 0;
  const std::string title = now.lecture ? app::scene_words(now.lecture->title, view.state.language) : "";
  const std::string heading = view.strings("lecture.scenes") + (title.empty() ? "" : " · " + title) +
                              (now.unsaved ? view.strings("source.edited") : "");
  const float row = view.px(34), least = view.px(260);
  const float height =
      std::min(std::max(view.px(250) + row * static_cast<float>(count), least), window.height - view.px(48));
  const Sheet sheet(view, window, {"scenes", view.px(860), height, 0.5f, 22, heading});
  if (sheet.closed()) actions.push_back(app::ShowScenes{false});
  const float foot = bottom(sheet.box());
  const Rect rows{sheet.left(), sheet.box().y + view.px(58), sheet.room(), height - view.px(58 + 152)};
  if (count == 0) {
    float y = rows.y + view.px(12);
    for (const std::string& line : wrapped(view, view.strings("lecture.none"), rows.width, {15})) {
      draw_text(view, {rows.x, y}, line, {15, view.palette.text});
      y += view.px(22);
    }
  } else {
    draw_list(view, "scene rows", rows, count, row, *now.list, [&](int i, const Rect& line) {
      const Hit hit = hit_area(i, line);
      draw_scene_row(view, i, now.lecture->scenes[static_cast<std::size_t>(i)], line, i == *now.list,
                     hit.hovered);
      if (hit.double_clicked)
        actions.push_back(app::GoToScene{i});
      else if (hit.clicked)
        actions.push_back(app::SelectScene{i - *now.list});
    });
    draw_fields(view, {sheet.left(), foot - view.px(144), sheet.room(), view.px(80)}, &actions);
  }
  const Type keys{13, view.palette.secondary, Align::Left, Face::Words, sheet.room()};
  draw_text(view, {sheet.left(), foot - view.px(46)},
            view.strings(count == 0 ? "lecture.keys.none" : "lecture.keys"), keys);
  if (count > 0)
    draw_text(view, {sheet.left(), foot - view.px(22)}, view.strings("lecture.keys.order"), keys);
  return actions;
}

}  // namespace warplens::panels
