// A lesson in its panel, the question that it or the class is asked, and the list of lessons.
#include <algorithm>
#include <bit>
#include <functional>

#include "app/actions/appliers.h"
#include "app/panels/panels.h"
#include "app/panels/widgets/ui.h"
#include "app/readout/words.h"
#include "app/scene/memory/question_scene.h"

namespace warplens::panels {
static float line_height(const View& view, const Type& type) {
  return std::round(view.px(1.36f * type.size));
}

void Column::paragraph(std::string_view words, const Type& type, float after) {
  if (words.empty()) return;
  const auto rows = wrapped(view, words, width, type);
  const float row = line_height(view, type);
  for (std::size_t i = 0; i < rows.size(); ++i) lines.push_back(y + row * static_cast<float>(i));
  y += draw_lines(view, {x, y}, rows, row, type);
  gap(after);
}

// A question of a lesson or of a prediction: its answers, the typed number, the truth.

namespace {

using app::Guess;
using app::Question;

Color verdict_color(const View& view, bool right) {
  return right ? view.palette.right : view.palette.costly;
}

// A box with what is typed; the caret stands after it.
void draw_typed(const View& view, const Guess& guess, const Rect& box, const Color& border) {
  const scene::Palette& p = view.palette;
  draw_box(box, p.cell, border, view.px(6), view.px(guess.locked ? 2.0f : 1.5f));
  const float x = box.x + view.px(12);
  const Type type{20, p.text, Align::Left, Face::CodeBold};
  const float width = draw_text(view, {x, middle(box)}, guess.typed, type);
  if (guess.locked) return;
  fill({x + width + view.px(2), box.y + view.px(6), std::max(1.5f, view.px(2)), box.height - view.px(12)},
       p.accent);
  if (guess.typed.empty())
    draw_text(view, {x + view.px(10), middle(box)}, view.strings("class.type"),
              {14, p.faint, Align::Left, Face::Words, right(box) - x - view.px(14)});
}

// Numbers to click on, as many a row as there is room for: last, as they can be typed as well.
void draw_offered(const Question& question, const Guess& guess, Column* column) {
  if (guess.locked || question.offered.empty()) return;
  const View& view = column->view;
  const bool many = question.offered.size() > 8;
  const float height = view.px(many ? 24 : 28), gap = view.px(many ? 3 : 6);
  const float least = view.px(many ? 34 : 42);
  const int a_row = many ? std::clamp(static_cast<int>((column->width + gap) / (least + gap)), 4, 16)
                         : static_cast<int>(question.offered.size());
  const float width = std::min((column->width + gap) / static_cast<float>(a_row) - gap, view.px(56));
  for (std::size_t i = 0; i < question.offered.size(); ++i) {
    const auto at = static_cast<int>(i);
    const Rect rect{column->x + static_cast<float>(at % a_row) * (width + gap),
                    column->y + static_cast<float>(at / a_row) * (height + gap), width, height};
    const std::string label = std::to_string(question.offered[i]);
    ImGui::PushID(at);
    const bool failed = guess.first == question.offered[i];
    // Where one has typed, Tab goes on to what locks the answer.
    if (pill(view, "offered", rect, label, guess.typed == label, guess.typed.empty()).clicked &&
        !guess.locked && !failed)
      view.act(app::SetGuess{label, -1});
    if (failed) fill(rect, scene::with_alpha(view.palette.panel, 0.7f), 0.5f * height);
    ImGui::PopID();
  }
  const int rows = (static_cast<int>(question.offered.size()) + a_row - 1) / a_row;
  column->y += static_cast<float>(rows) * (height + gap) + view.px(4);
}

// "1  larger blocks": a row each; a first one that was wrong says so.
void draw_choices(const Question& question, const Guess& guess, Column* column) {
  const View& view = column->view;
  const scene::Palette& p = view.palette;
  const Type type{14, p.text};
  const float lead = view.px(34), step = line_height(view, type);
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    const auto index = static_cast<int>(i);
    const auto lines = wrapped(view, question.choices[i], column->width - lead - view.px(10), type);
    const Rect row{column->x, column->y, column->width,
                   step * static_cast<float>(lines.size()) + view.px(10)};
    Hit hit = hit_area(index, row);
    hit.clicked |= control_pressed(row);
    const bool chosen = guess.chosen == index, failed = guess.first == index;
    const Color border = failed ? p.costly : chosen ? p.accent : p.line;
    draw_box(row, hit.hovered ? scene::mix(p.cell, p.text, 0.10f) : p.cell, border, view.px(6),
             chosen ? view.px(2) : 1);
    draw_text(view, {row.x + view.px(17), middle(row)}, std::to_string(index + 1),
              {14, chosen ? legible(border, p.cell, p) : p.secondary, Align::Center, Face::CodeBold});
    draw_lines(view, {row.x + lead, row.y + view.px(5)}, lines, step, type);
    if (hit.clicked && !failed) view.act(app::SetGuess{{}, index});
    column->y = bottom(row) + view.px(5);
  }
  column->gap(3);
}

// What was said and what is, each with its why. The rest of what was offered gives way: so they have room
// below their question.
void draw_truth(const Question& question, const Guess& guess, Column* column) {
  const View& view = column->view;
  const scene::Palette& p = view.palette;
  const auto verdict = [&](const std::string& words, const Color& color) {
    column->paragraph(words, {15, color, Align::Left, Face::WordsBold}, 3);
  };
  const auto why = [&](const std::string& words) { column->paragraph(words, {14, p.text}, 5); };
  const bool open = question.answer.has_value(), right = open && app::is_right(question, guess);
  if (open && guess.empty() && guess.first) {
    verdict(app::first_words(question, guess, view.strings), p.costly);
    why(app::why_wrong(question, *guess.first));
  }
  verdict(app::difference_words(question, guess, view.strings),
          open ? verdict_color(view, right || guess.empty()) : p.secondary);
  if (!open) return;
  if (!guess.empty() && !right) {
    why(app::why_wrong(question, guess.value()));
    Guess truth;
    truth.chosen = static_cast<int>(*question.answer);
    if (question.kind == Question::Kind::Choice)
      verdict(app::difference_words(question, truth, view.strings), p.right);
  }
  why(question.why);
}

// The question with its answers to type or click, and once locked how far off it was.
void draw_question(const Question& question, const Guess& guess, Column* column) {
  const View& view = column->view;
  const scene::Palette& p = view.palette;
  column->from = column->y, column->alone = guess.locked;
  // A stroke beside the question: not every script has a bold face to tell it from the text above.
  const Rect beside{column->x, column->y, view.px(3), 0};
  column->x += view.px(10), column->width -= view.px(10);
  column->paragraph(question.text, {15, p.text, Align::Left, Face::WordsBold});
  column->x = beside.x, column->width += view.px(10);
  fill({beside.x, beside.y + view.px(2), beside.width, column->y - beside.y - view.px(12)}, p.accent,
       view.px(1.5f));
  if (guess.locked) {
    draw_truth(question, guess, column);
  } else if (question.kind == Question::Kind::Choice) {
    draw_choices(question, guess, column);
  } else if (question.kind == Question::Kind::Draw) {
    column->paragraph(view.strings("class.draw", {{"n", std::popcount(guess.marks)}}), {14, p.secondary});
  } else {
    const Rect box{column->x, column->y, std::min(column->width, view.px(240)), view.px(36)};
    draw_typed(view, guess, box, p.accent);
    column->y = bottom(box) + view.px(8);
    column->from_first = false;  // the box goes before the question's first words
  }
  column->to = column->y;
  if (guess.waiting) column->paragraph(view.strings("class.working"), {14, p.secondary});
  if (guess.locked || !guess.first) return;
  column->paragraph(app::first_words(question, guess, view.strings),
                    {15, p.costly, Align::Left, Face::WordsBold}, 3);
  column->paragraph(app::why_wrong(question, *guess.first), {14, p.text}, 3);
  column->to = column->y;
}

// A lesson's step, or a prediction, in its place beside the pictures.

using app::ActiveLesson;

constexpr float kFoot = 44;

const std::string& words_of(const View& view, const lesson::LocalText& text) {
  return scenario::in_language(text, view.state.language);
}

using app::StepStanding;

// A tick where the answer was right, a cross where it was wrong: colour alone tells nobody.
void draw_standing(const View& view, const Rect& segment, StepStanding standing) {
  const scene::Palette& p = view.palette;
  const Color ground = standing == StepStanding::Open    ? p.cell
                       : standing == StepStanding::Wrong ? scene::mix(p.panel, p.costly, 0.35f)
                                                         : p.right;
  fill(segment, ground, view.px(3));
  if (standing == StepStanding::Wrong) outline(segment, p.costly, view.px(3), view.px(1.5f));
  const float size = segment.height - view.px(3);
  const ImVec2 centre{segment.x + 0.5f * segment.width, middle(segment)};
  if (standing == StepStanding::Wrong) draw_icon(view, Icon::Cross, centre, size, p.text);
  if (standing == StepStanding::Right) draw_icon(view, Icon::Tick, centre, size, p.panel);
}

// One segment a step and one for the challenge: as it stands, framed where we are.
void draw_steps(const View& view, const ActiveLesson& active, const Rect& rect) {
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
    if (hit.clicked) view.act(app::GoToLessonStep{i});
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
    const Color color = verdict == nullptr ? p.secondary : holds ? p.right : p.costly;
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
  if (active.lesson->challenge.solution.empty())  // only editing reaches them
    column->paragraph(view.strings("class.edit"), {14, p.text});
  const bool elsewhere = view.state.settings.own || view.state.settings.scenario != active.view().scenario;
  if (elsewhere) column->paragraph(view.strings("class.elsewhere"), {14, p.costly});
  if (active.grade && !active.grade->output_right)
    column->paragraph(view.strings("class.output", {{"words", view.strings(active.grade->first_difference)}}),
                      {14, p.costly});
  if (!active.trouble.empty()) {  // the text shows all of it at its lines
    const std::string words = view.strings(active.trouble.front());
    column->paragraph(view.strings("class.trouble", {{"words", words.substr(0, words.find('\n'))}}),
                      {14, p.costly});
  }
  if (!active.was_passed() || elsewhere) return;
  column->paragraph(view.strings(active.passed() ? "class.passed" : "class.passed.before"),
                    {15, p.right, Align::Left, Face::WordsBold});
  if (const auto next = view.catalog.after(*active.lesson); next != nullptr)
    column->paragraph(view.strings("class.passed.next", {{"title", words_of(view, next->title)}}),
                      {14, p.text});
}

void draw_hints(const View& view, const ActiveLesson& active, Column* column) {
  const Type type{14, scene::mix(view.palette.secondary, view.palette.accent, 0.5f)};
  if (active.hints == 0 || active.guess.locked) return;  // the answer says why
  if (const lesson::Prediction* prediction = active.prediction())
    return column->paragraph(view.strings("class.hint.is", {{"words", words_of(view, prediction->hint)}}),
                             type);
  if (!active.in_challenge()) return;
  const auto& hints = active.lesson->challenge.hints;
  for (int i = 0; i < std::min(active.hints, static_cast<int>(hints.size())); ++i)
    column->paragraph(
        view.strings("class.hint.is", {{"words", words_of(view, hints[static_cast<std::size_t>(i)])}}), type);
}

void draw_step(const View& view, const ActiveLesson& active, Column* column) {
  const scene::Palette& p = view.palette;
  if (active.step == 0)
    column->paragraph(view.strings("class.goal", {{"words", words_of(view, active.lesson->goal)}}),
                      {14, p.secondary});
  const lesson::LocalText& text = active.in_challenge()
                                      ? active.lesson->challenge.text
                                      : active.lesson->steps[static_cast<std::size_t>(active.step)].text;
  column->paragraph(words_of(view, text), {15, p.text});
  const auto question = app::question_of(view.state, view.sim, view.strings);
  if (active.in_challenge()) {
    draw_challenge(view, active, column);
  } else if (question) {
    draw_question(*question, active.guess, column);
    for (const Message& words : active.trouble)
      column->paragraph(view.strings("class.trouble", {{"words", view.strings(words)}}), {14, p.costly});
  }
  draw_hints(view, active, column);
  if (active.guess.first && !active.guess.locked) column->to = column->y;  // the hint is its answer's why
  if (question) draw_offered(*question, active.guess, column);
}

// A row of pills from the left, and the one that goes on at the right. It ends the row, and Tab comes to it
// before the others: Enter then locks what was typed.
struct Foot {
  const View& view;
  Rect rect;
  float x = rect.x;
  std::vector<std::function<void()>> pills{};

  void button(const char* id, const std::string& label, const std::string& tip, Action action,
              bool enabled = true) {
    const float width = pill_width(view, label, false);
    const Rect box{x, rect.y, width, rect.height};
    x += width + view.px(6);
    pills.push_back([=, this] { put(id, box, label, tip, action, false, enabled); });
  }
  void last(const char* id, const std::string& label, const std::string& tip, Action action, bool enabled) {
    // Where a lesson's title has no room, its tooltip has it.
    const bool fits = right(rect) - pill_width(view, label, true) >= x;
    const std::string& words = fits ? label : view.strings("class.next");
    const float width = pill_width(view, words, true);
    put(id, {right(rect) - width, rect.y, width, rect.height}, words, fits ? tip : label + "\n" + tip, action,
        enabled, enabled);
    end();
  }
  void end() const {
    for (const auto& draw : pills) draw();
  }
  void put(const char* id, const Rect& box, const std::string& label, const std::string& tip,
           const Action& action, bool primary, bool enabled) {
    const Hit hit = pill(view, id, box, label, primary);
    if (!enabled) fill(box, scene::with_alpha(view.palette.panel, 0.55f), 0.5f * box.height);
    if (hit.hovered) tooltip(view, tip);
    if (hit.clicked && enabled) view.act(Action(action));
  }
};

// What locks an answer, or opens the truth after a first try; false: there is nothing to lock.
bool draw_lock(const View& view, const Guess& guess, Foot* foot) {
  if (!guess.empty())
    foot->last("lock", view.strings("class.lock"), view.strings("class.lock.tip"), app::LockGuess{}, true);
  else if (guess.first)
    foot->last("open", view.strings("class.open"), view.strings("class.open.tip"), app::LockGuess{}, true);
  return !guess.empty() || guess.first;
}

void draw_lesson_foot(const View& view, const ActiveLesson& active, const Rect& rect) {
  Foot foot{view, rect};
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
    if (!draw_lock(view, active.guess, &foot)) {
      foot.last("skip", view.strings("class.next"), view.strings("class.next.tip"), app::StepLesson{1},
                false);
    }
  } else if (!active.in_challenge()) {
    foot.last("next", view.strings("class.next"), view.strings("class.next.tip"), app::StepLesson{1}, true);
  } else if (const auto next = view.catalog.after(*active.lesson); active.was_passed() && next != nullptr) {
    foot.last("after", view.strings("class.after", {{"title", words_of(view, next->title)}}),
              view.strings("class.after.tip"), app::NextLesson{}, true);
  } else {
    foot.end();
  }
}

// Where a column opens: at its top, or as far down as the question and the box of its answer need; at a line.
float opening_scroll(const Column& column, float top, float height) {
  if (column.from < 0) return 0;
  const float least = column.to - top - height;  // its end is in sight
  const float most = column.from - top;          // its beginning is
  if (least <= 0) return 0;
  if (column.alone) return most;
  const float opening = column.from_first ? std::min(least, most) : least;
  const auto line = std::ranges::find_if(column.lines, [&](float y) { return y - top >= opening; });
  return line == column.lines.end() ? opening : *line - top;
}

// The middle of the panel; what has no room is scrolled to. `about`: what is shown; another text opens anew,
// as does one in another room.
template <typename Draw>
void draw_scrolled(const View& view, const char* id, const std::string& about, const Rect& rect, Draw draw) {
  Scrolled scrolled(id, rect);
  const ImVec2 origin = scrolled.origin;
  Column column{view, origin.x, origin.y, rect.width - view.px(12)};
  draw(&column);
  const float height = column.y - origin.y;
  const float opening = opening_scroll(column, origin.y, rect.height);
  scrolled.reach(std::max(column.y, opening > 0 ? origin.y + opening + rect.height : 0));
  ImGuiStorage* storage = ImGui::GetStateStorage();
  const ImGuiID kept = ImGui::GetID("height"), seen = ImGui::GetID("about");
  const std::string now = about + '\n' + std::to_string(rect.width) + ' ' + std::to_string(rect.height) +
                          ' ' + std::to_string(view.scale);
  const auto hash = static_cast<int>(std::hash<std::string>{}(now));
  if (storage->GetInt(seen, 0) != hash)
    ImGui::SetScrollY(opening);
  else if (storage->GetFloat(kept, 0) + 0.5f <
           height)  // more than a rounding: a hint added at the end is to be seen
    ImGui::SetScrollY(std::max(0.0f, height - rect.height));
  storage->SetInt(seen, hash);
  storage->SetFloat(kept, height);
}

std::string about_guess(const Guess& guess) {
  return guess.typed + std::to_string(guess.marks) + (guess.locked ? " locked" : guess.first ? " again" : "");
}

Rect draw_frame(const View& view, const Rect& rect, const std::string& title) {
  return draw_panel(view, rect, {title, "", {}, true, view.px(26)});
}

// After the question and what answers it: so Tab comes to it last.
void draw_close(const View& view, const Rect& rect, const char* tip, Action close) {
  const float side = view.px(22);
  const Rect cross{right(rect) - view.px(12) - side, rect.y + view.px(9), side, side};
  answer(view, icon_button(view, "close", cross, Icon::Cross, false), view.strings(tip), std::move(close));
}

void draw_lesson(const View& view, const ActiveLesson& active, const Rect& rect) {
  const std::string place =
      active.in_challenge()
          ? view.strings("class.challenge")
          : view.strings("class.step", {{"n", std::to_string(active.step + 1)},
                                        {"of", std::to_string(active.lesson->steps.size())}});
  const Rect inner = draw_frame(view, rect, place + " · " + words_of(view, active.lesson->title));
  // Clear of a title in two rows.
  draw_steps(view, active, {inner.x, inner.y + view.px(4), inner.width, view.px(12)});
  const float top = inner.y + view.px(22), foot = bottom(inner) - view.px(kFoot - 12);
  const std::string id = active.lesson->name + std::to_string(active.step);
  // What is typed is seen although the box was scrolled away.
  const std::string about = about_guess(active.guess);
  draw_scrolled(view, id.c_str(), about, {inner.x, top, inner.width, foot - view.px(6) - top},
                [&](Column* column) { draw_step(view, active, column); });
  draw_lesson_foot(view, active, {inner.x, foot, inner.width, view.px(30)});
  draw_close(view, rect, "class.leave.tip", app::LeaveLesson{});
}

void draw_prediction(const View& view, const Rect& rect) {
  const app::Guess& guess = view.state.classroom.predicting->guess;
  const Rect inner = draw_frame(view, rect, view.strings("class.predict"));
  const float foot = bottom(inner) - view.px(kFoot - 12);
  const auto question = app::question_of(view.state, view.sim, view.strings);
  const std::string about = (question ? question->text : "") + about_guess(guess);
  draw_scrolled(view, "predict", about, {inner.x, inner.y, inner.width, foot - view.px(6) - inner.y},
                [&](Column* column) {
                  if (!question) {
                    column->paragraph(view.strings(view.sim.no_access()), {15, view.palette.secondary});
                    return;
                  }
                  draw_question(*question, guess, column);
                  draw_offered(*question, guess, column);
                  column->paragraph(
                      view.strings(guess.locked ? "class.predict.locked" : "class.predict.keys"),
                      {13, view.palette.secondary});
                });
  Foot row{view, {inner.x, foot, inner.width, view.px(30)}};
  // Tab asks something else too: where both have no room, what goes on stays.
  const float both = pill_width(view, view.strings("class.other"), false) + view.px(6) +
                     pill_width(view, view.strings(guess.locked ? "class.next_access" : "class.lock"), true);
  if (both <= inner.width)
    row.button("other", view.strings("class.other"), view.strings("class.other.tip"), app::NextQuestion{1});
  if (guess.locked) {
    row.last("next", view.strings("class.next_access"), view.strings("class.next_access.tip"),
             app::StepAccess{1}, true);
  } else if (!draw_lock(view, guess, &row)) {
    row.last("lock", view.strings("class.lock"), view.strings("class.lock.tip"), app::LockGuess{}, false);
  }
  draw_close(view, rect, "class.predict.leave.tip", app::SetPredicting{false});
}

}  // namespace

bool has_lesson_panel(const app::State& state) {
  return state.classroom.active || state.classroom.predicting;
}

void draw_asked(const View& view, const Rect& rect) {
  const scene::Palette& p = view.palette;
  const app::Guess& guess = view.state.classroom.predicting->guess;
  const auto question = app::question_of(view.state, view.sim, view.strings);
  const float gap = view.px(16), width = view.px(150), inside = view.px(14);
  // The dial where the strip has it.
  const Type dial{15, p.text, Align::Right, Face::WordsBold};
  float end = right(rect) - inside;
  if (const float taken = draw_text(view, {end, rect.y + 0.7f * rect.height}, turned_words(view), dial);
      taken > 0)
    end -= taken + gap;
  const Rect box{end - width, middle(rect) - view.px(20), width, view.px(40)};
  const bool answered = guess.locked || guess.waiting;
  Column column{view, rect.x + inside, rect.y, box.x - rect.x - 2 * gap};
  if (!question) return column.paragraph(view.strings(view.sim.no_access()), {15, p.secondary});
  const bool open = guess.locked && question->answer;
  // The class's answer: nobody was right or wrong here.
  const bool given = !guess.empty();
  const Color color = open && given ? verdict_color(view, app::is_right(*question, guess)) : p.text;
  draw_typed(view, guess, box, open && given ? color : p.accent);
  const Type large{19, color, Align::Left, Face::WordsBold}, small{13, p.secondary};
  if (answered) {
    column.paragraph(app::difference_words(*question, guess, view.strings), large, 2);
    return column.paragraph(question->text, small);
  }
  // In one row, or in two without what is below it.
  Type asked = large;
  while (asked.size > 15 && text_width(view, question->text, asked) > column.width) asked.size -= 1;
  column.paragraph(question->text, asked, 2);
  if (column.y + line_height(view, small) > bottom(rect) + view.px(2)) return;
  const bool in_lecture = app::scene_at(view.state) != nullptr;  // whose question is the scene's
  column.paragraph(guess.first
                       ? app::first_words(*question, guess, view.strings) + " " + view.strings("class.again")
                       : view.strings(in_lecture ? "class.asked.keys" : "class.predict.keys"),
                   small);
}

void draw_lesson_panel(const View& view, const Rect& rect) {
  const app::Classroom& c = view.state.classroom;
  if (c.predicting) return draw_prediction(view, rect);
  if (c.active) draw_lesson(view, *c.active, rect);
}

}  // namespace warplens::panels
