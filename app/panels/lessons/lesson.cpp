// A lesson's step, or a prediction, in its place beside the pictures.
#include <algorithm>
#include <functional>

#include "app/actions/lesson_actions.h"
#include "app/panels/lessons/lesson_panels.h"
#include "app/readout/words/figure.h"

namespace warplens::panels {
namespace {

using app::ActiveLesson;

constexpr float kFoot = 44;

const std::string& words_of(const View& view, const lesson::LocalText& text) {
  return scenario::in_language(text, view.state.language);
}

void append(Actions* all, Actions more) {
  all->insert(all->end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

using app::StepStanding;

// A tick where the answer was right, a cross where it was wrong: colour alone tells nobody.
void draw_standing(const View& view, const Rect& segment, StepStanding standing) {
  const scene::Palette& p = view.palette;
  const Color ground = standing == StepStanding::Open    ? p.cell
                       : standing == StepStanding::Wrong ? scene::mix(p.panel, p.costly, 0.35f)
                                                         : p.ideal;
  fill(segment, ground, view.px(3));
  if (standing == StepStanding::Wrong) outline(segment, p.costly, view.px(3), view.px(1.5f));
  const float size = segment.height - view.px(3);
  const ImVec2 centre{segment.x + 0.5f * segment.width, middle(segment)};
  if (standing == StepStanding::Wrong) draw_icon(view, Icon::Cross, centre, size, p.text);
  if (standing == StepStanding::Right) draw_icon(view, Icon::Tick, centre, size, p.panel);
}

// One segment a step and one for the challenge: as it stands, framed where we are.
void draw_steps(const View& view, const ActiveLesson& active, const Rect& rect, Actions* actions) {
  const scene::Palette& p = view.palette;
  const auto& progress = view.state.classroom.progress;
  const auto known = progress.find(app::lesson_key(view.catalog, *active.lesson));
  const app::LessonRecord record = known == progress.end() ? app::LessonRecord{} : known->second;
  const int steps = static_cast<int>(active.lesson->steps.size());
  const float gap = view.px(4);
  const float width = (rect.width + gap) / static_cast<float>(steps + 1) - gap;
  constexpr const char* kTips[] = {"class.segment.open", "class.segment.done", "class.segment.right",
                                   "class.segment.wrong"};
  for (int i = 0; i <= steps; ++i) {
    const Rect segment{rect.x + static_cast<float>(i) * (width + gap), rect.y, width, rect.height};
    const StepStanding standing = app::standing_of(record, i, steps);
    draw_standing(view, segment, standing);
    if (i == active.step) outline(segment, p.text, view.px(3), view.px(2));
    const Rect felt{segment.x, segment.y - view.px(3), width, rect.height + view.px(6)};
    const Hit hit = hit_area(100 + i, felt);
    if (hit.clicked) actions->push_back(app::GoToLessonStep{i});
    if (!hit.hovered) continue;
    const char* challenge =
        standing == StepStanding::Right ? "class.segment.challenge.right" : "class.segment.challenge.open";
    tooltip(view, i == steps ? view.strings(challenge)
                             : view.strings(kTips[static_cast<std::size_t>(standing)],
                                            {{"n", std::to_string(i + 1)}}));
  }
}

// What the challenge asks for, one line a goal, each with what the simulator finds now.
void draw_goals(const View& view, const ActiveLesson& active, Column* column) {
  const scene::Palette& p = view.palette;
  const auto& goals = active.lesson->challenge.goals;
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const lesson::GoalVerdict* verdict =
        active.grade && i < active.grade->goals.size() ? &active.grade->goals[i] : nullptr;
    const bool holds = verdict != nullptr && verdict->holds;
    const Color color = verdict == nullptr ? p.secondary : holds ? p.ideal : p.costly;
    const char* key = verdict == nullptr ? "class.goal.open"
                      : holds            ? "class.goal.holds"
                                         : "class.goal.misses";
    column->paragraph(view.strings(key, {{"words", words_of(view, goals[i].words)}}),
                      {14, color, Align::Left, Face::WordsBold}, verdict != nullptr && !holds ? 1 : 5);
    if (verdict != nullptr && !holds)
      column->paragraph(
          app::figure_words(verdict->figures, view.scenario(), view.state.language, view.strings),
          {13, p.secondary}, 6);
  }
}

void draw_challenge(const View& view, const ActiveLesson& active, Column* column) {
  const scene::Palette& p = view.palette;
  draw_goals(view, active, column);
  const bool elsewhere = view.state.settings.own || view.state.settings.scenario != active.view().scenario;
  if (elsewhere) column->paragraph(view.strings("class.elsewhere"), {14, p.costly});
  if (active.grade && !active.grade->output_right)
    column->paragraph(view.strings("class.output", {{"words", view.strings(active.grade->first_difference)}}),
                      {14, p.costly});
  for (const Message& words : active.trouble)
    column->paragraph(view.strings("class.trouble", {{"words", view.strings(words)}}), {14, p.costly});
  if (!active.was_passed() || elsewhere) return;
  column->paragraph(view.strings(active.passed() ? "class.passed" : "class.passed.before"),
                    {15, p.ideal, Align::Left, Face::WordsBold});
  if (const auto next = view.catalog.after(*active.lesson); next != nullptr)
    column->paragraph(view.strings("class.passed.next", {{"title", words_of(view, next->title)}}),
                      {14, p.text});
}

void draw_hints(const View& view, const ActiveLesson& active, Column* column) {
  const Type type{14, scene::mix(view.palette.secondary, view.palette.accent, 0.5f)};
  if (active.hints == 0) return;
  if (const lesson::Prediction* prediction = active.prediction())
    return column->paragraph(view.strings("class.hint.is", {{"words", words_of(view, prediction->hint)}}),
                             type);
  if (!active.in_challenge()) return;
  const auto& hints = active.lesson->challenge.hints;
  for (int i = 0; i < std::min(active.hints, static_cast<int>(hints.size())); ++i)
    column->paragraph(
        view.strings("class.hint.is", {{"words", words_of(view, hints[static_cast<std::size_t>(i)])}}), type);
}

Actions draw_step(const View& view, const ActiveLesson& active, Column* column) {
  const scene::Palette& p = view.palette;
  Actions actions;
  if (active.step == 0)
    column->paragraph(view.strings("class.goal", {{"words", words_of(view, active.lesson->goal)}}),
                      {14, p.secondary});
  const lesson::LocalText& text = active.in_challenge()
                                      ? active.lesson->challenge.text
                                      : active.lesson->steps[static_cast<std::size_t>(active.step)].text;
  column->paragraph(words_of(view, text), {15, p.text});
  if (active.in_challenge()) {
    draw_challenge(view, active, column);
  } else if (const auto question = app::question_of(view.state, view.sim, view.strings)) {
    append(&actions, draw_question(*question, active.guess, column));
    for (const Message& words : active.trouble)
      column->paragraph(view.strings("class.trouble", {{"words", view.strings(words)}}), {14, p.costly});
  }
  draw_hints(view, active, column);
  return actions;
}

// A row of pills from the left, and the one that goes on at the right.
struct Foot {
  const View& view;
  Rect rect;
  Actions* actions;
  float x = rect.x;

  void button(const char* id, const std::string& label, const std::string& tip, Action action,
              bool enabled = true) {
    const float width = pill_width(view, label, false);
    const Rect box{x, rect.y, width, rect.height};
    x += width + view.px(6);
    put(id, box, label, tip, std::move(action), false, enabled);
  }
  void last(const char* id, const std::string& label, const std::string& tip, Action action, bool enabled) {
    const float width = pill_width(view, label, true);
    put(id, {right(rect) - width, rect.y, width, rect.height}, label, tip, std::move(action), enabled,
        enabled);
  }
  void put(const char* id, const Rect& box, const std::string& label, const std::string& tip, Action action,
           bool primary, bool enabled) {
    const Hit hit = pill(view, id, box, label, primary);
    if (!enabled) fill(box, scene::with_alpha(view.palette.panel, 0.55f), 0.5f * box.height);
    if (hit.hovered) tooltip(view, tip);
    if (hit.clicked && enabled) actions->push_back(std::move(action));
  }
};

Actions draw_lesson_foot(const View& view, const ActiveLesson& active, const Rect& rect) {
  Actions actions;
  Foot foot{view, rect, &actions};
  foot.button("back", view.strings("class.back"), view.strings("class.back.tip"), app::StepLesson{-1},
              active.step > 0);
  const int left = active.hint_count() - active.hints;
  if (active.hint_count() > 0)
    foot.button("hint", view.strings("class.hint"), view.strings("class.hint.tip"), app::ShowHint{},
                left > 0);
  const bool away = !app::is_as_put(view.state, view.sim);
  if (away)
    foot.button("put_back", view.strings("class.put_back"), view.strings("class.put_back.tip"),
                app::PutBack{});
  if (active.prediction() != nullptr && !active.guess.locked) {
    if (!active.guess.empty()) {
      foot.last("lock", view.strings("class.lock"), view.strings("class.lock.tip"), app::LockGuess{}, true);
    } else {
      foot.last("skip", view.strings("class.next"), view.strings("class.next.tip"), app::StepLesson{1},
                false);
    }
  } else if (!active.in_challenge()) {
    foot.last("next", view.strings("class.next"), view.strings("class.next.tip"), app::StepLesson{1}, true);
  } else if (const auto next = view.catalog.after(*active.lesson); active.was_passed() && next != nullptr) {
    foot.last("after", view.strings("class.after", {{"title", words_of(view, next->title)}}),
              view.strings("class.after.tip"), app::NextLesson{}, true);
  } else {
    foot.last("list", view.strings("class.lessons"), view.strings("class.lessons.tip"), app::ShowLessons{},
              true);
  }
  return actions;
}

// Where a column opens: at its top, or as far down as the question and the box of its answer need.
float opening_scroll(const Column& column, float top, float height) {
  if (column.from < 0) return 0;
  const float least = column.to - top - height;  // its end is in sight
  const float most = column.from - top;          // its beginning is
  return std::max(0.0f, column.from_first ? std::min(least, most) : least);
}

// The middle of the panel; what has no room is scrolled to. `about`: what is shown; another text opens anew,
// as does one in another room.
template <typename Draw>
Actions scrolled(const View& view, const char* id, const std::string& about, const Rect& rect, Draw draw) {
  ImGui::SetCursorScreenPos(top_left(rect));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild(id, {rect.width, rect.height}, false, ImGuiWindowFlags_NoNav);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  Column column{view, origin.x, origin.y, rect.width - view.px(12)};
  Actions actions = draw(&column);
  const float height = column.y - origin.y;
  ImGui::SetCursorScreenPos({origin.x, origin.y + height - 1});
  ImGui::Dummy({1, 1});
  ImGuiStorage* storage = ImGui::GetStateStorage();
  const ImGuiID kept = ImGui::GetID("height"), seen = ImGui::GetID("about");
  const std::string now = about + '\n' + std::to_string(rect.width) + ' ' + std::to_string(rect.height) +
                          ' ' + std::to_string(view.scale);
  const auto hash = static_cast<int>(std::hash<std::string>{}(now));
  if (storage->GetInt(seen, 0) != hash)
    ImGui::SetScrollY(opening_scroll(column, origin.y, rect.height));
  else if (storage->GetFloat(kept, 0) < height)  // a hint added at the end is to be seen
    ImGui::SetScrollY(std::max(0.0f, height - rect.height));
  storage->SetInt(seen, hash);
  storage->SetFloat(kept, height);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  return actions;
}

Rect draw_frame(const View& view, const Rect& rect, const std::string& title, const char* close_tip,
                Action close, Actions* actions) {
  const Rect inner = draw_panel(view, rect, {title, "", {}, true, view.px(26)});
  const float side = view.px(22);
  const Rect cross{right(rect) - view.px(12) - side, rect.y + view.px(9), side, side};
  const Hit hit = icon_button(view, "close", cross, Icon::Cross, false);
  if (hit.hovered) tooltip(view, view.strings(close_tip));
  if (hit.clicked) actions->push_back(std::move(close));
  return inner;
}

Actions draw_lesson(const View& view, const ActiveLesson& active, const Rect& rect) {
  Actions actions;
  const std::string place =
      active.in_challenge()
          ? view.strings("class.challenge")
          : view.strings("class.step", {{"n", std::to_string(active.step + 1)},
                                        {"of", std::to_string(active.lesson->steps.size())}});
  const Rect inner = draw_frame(view, rect, place + " · " + words_of(view, active.lesson->title),
                                "class.leave.tip", app::LeaveLesson{}, &actions);
  // Clear of a title in two rows.
  draw_steps(view, active, {inner.x, inner.y + view.px(4), inner.width, view.px(12)}, &actions);
  const float top = inner.y + view.px(22), foot = bottom(inner) - view.px(kFoot - 12);
  const std::string id = active.lesson->name + std::to_string(active.step);
  // What is typed is seen although the box was scrolled away.
  const std::string about = active.guess.typed + (active.guess.locked ? " locked" : "");
  append(&actions, scrolled(view, id.c_str(), about, {inner.x, top, inner.width, foot - view.px(6) - top},
                            [&](Column* column) { return draw_step(view, active, column); }));
  append(&actions, draw_lesson_foot(view, active, {inner.x, foot, inner.width, view.px(30)}));
  return actions;
}

Actions draw_prediction(const View& view, const Rect& rect) {
  Actions actions;
  const app::Guess& guess = view.state.classroom.predicting->guess;
  const Rect inner = draw_frame(view, rect, view.strings("class.predict"), "class.predict.leave.tip",
                                app::SetPredicting{false}, &actions);
  const float foot = bottom(inner) - view.px(kFoot - 12);
  const auto question = app::question_of(view.state, view.sim, view.strings);
  const std::string about = (question ? question->text : "") + guess.typed + (guess.locked ? " locked" : "");
  append(&actions,
         scrolled(view, "predict", about, {inner.x, inner.y, inner.width, foot - view.px(6) - inner.y},
                  [&](Column* column) -> Actions {
                    if (!question) {
                      column->paragraph(view.strings("lanes.no_access"), {15, view.palette.secondary});
                      return {};
                    }
                    Actions more = draw_question(*question, guess, column);
                    column->paragraph(
                        view.strings(guess.locked ? "class.predict.locked" : "class.predict.keys"),
                        {13, view.palette.secondary});
                    return more;
                  }));
  Foot row{view, {inner.x, foot, inner.width, view.px(30)}, &actions};
  // Tab asks something else too: where both have no room, what goes on stays.
  const float both = pill_width(view, view.strings("class.other"), false) + view.px(6) +
                     pill_width(view, view.strings(guess.locked ? "class.next_access" : "class.lock"), true);
  if (both <= inner.width)
    row.button("other", view.strings("class.other"), view.strings("class.other.tip"), app::NextQuestion{1});
  if (guess.locked) {
    row.last("next", view.strings("class.next_access"), view.strings("class.next_access.tip"),
             app::StepAccess{1}, true);
  } else {
    row.last("lock", view.strings("class.lock"), view.strings("class.lock.tip"), app::LockGuess{},
             !guess.empty());
  }
  return actions;
}

}  // namespace

bool has_lesson_panel(const app::State& state) {
  return state.classroom.active || state.classroom.predicting;
}

Actions draw_lesson_panel(const View& view, const Rect& rect) {
  const app::Classroom& c = view.state.classroom;
  if (c.predicting) return draw_prediction(view, rect);
  return c.active ? draw_lesson(view, *c.active, rect) : Actions{};
}

}  // namespace warplens::panels
