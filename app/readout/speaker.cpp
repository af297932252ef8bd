#include "app/readout/speaker.h"

#include <algorithm>
#include <cmath>

#include "app/readout/question.h"
#include "app/scene/pen.h"
#include "sim/base/numbers.h"

namespace warplens::app {

bool speaks(const State& state) {
  const auto& lecture = state.lecturing.lecture;
  return state.present && state.notes_apart && state.lecturing.notes && lecture != nullptr &&
         !lecture->scenes.empty();
}

const LectureScene* next_scene(const State& state) {
  const Lecturing& now = state.lecturing;
  const auto next = static_cast<std::size_t>(now.scene + 1);
  return now.lecture != nullptr && next < now.lecture->scenes.size() ? &now.lecture->scenes[next] : nullptr;
}

State state_of_next(const State& state, const LectureScene& next, bool apart) {
  State shown = state;
  look_from(&shown, next.view);
  shown.settings = next.view.settings;
  shown.classroom.active.reset();
  shown.classroom.predicting.reset();
  if (!apart && (next.view.question || notes_wait(state)))
    shown.classroom.predicting = Predicting{next.view.question.value_or(0), {}};
  return shown;
}

SpeakerTold told_to_speaker(const State& state, const Simulation& simulation,
                            const language::Strings& strings, std::string clock, double seconds, bool apart) {
  SpeakerTold told;
  told.clock = std::move(clock);
  told.since = strings("speaker.minutes", {{"n", static_cast<long long>(std::max(seconds, 0.0)) / 60}});
  const LectureScene *scene = scene_at(state), *next = next_scene(state);
  told.place = scene == nullptr ? "–" : std::to_string(state.lecturing.scene + 1);
  if (state.lecturing.lecture) told.place += " / " + std::to_string(state.lecturing.lecture->scenes.size());
  if (scene != nullptr) {
    told.name = scene_words(scene->name, state.language);
    told.notes = scene_words(scene->notes, state.language);
  }
  if (told.notes.empty()) told.notes = strings("lecture.no_notes");
  told.next = next != nullptr ? scene_words(next->name, state.language) : strings("speaker.last");
  if (!apart && notes_wait(state)) {
    told.notes = strings("lecture.notes_wait");
  } else if (const auto question = question_of(state, simulation, strings)) {
    told.question = question->text;
    told.answer = difference_words(*question, {}, strings);
    told.why = question->why;
  }
  return told;
}

namespace {

constexpr float kAround = 28, kHead = 76, kRight = 400, kNextName = 66, kInside = 8;

struct PageColumns {
  scene::Rect left, right;
};
PageColumns page_columns(const scene::Canvas& canvas) {
  const float s = canvas.scale, top = kHead * s, height = canvas.height - top - kAround * s;
  const float right = std::min(kRight * s, 0.42f * canvas.width);
  const float x = canvas.width - right - kAround * s;
  return {{kAround * s, top, x - 2 * kAround * s, height}, {x, top, right, height}};
}

// In the largest letters that leave room for all of it; of more than that, what has room.
void write_notes(scene::Pen& pen, const std::string& notes, const scene::Rect& room) {
  constexpr float kLargest = 42, kLeast = 18, kStep = 1.42f;
  for (float size = kLargest;; size -= 2) {
    const scene::Type type{size, pen.palette().text};
    const float step = pen.px(kStep * size);
    const int most = std::max(1, static_cast<int>(room.height / step));
    std::vector<std::string> lines = pen.lines_of(notes, room.width, type, most + 1);
    if (static_cast<int>(lines.size()) > most && size > kLeast) continue;
    if (static_cast<int>(lines.size()) > most) lines = pen.lines_of(notes, room.width, type, most);
    pen.lines(1, {room.x, room.y}, lines, step, type);
    return;
  }
}

}  // namespace

scene::Rect next_room(const scene::Canvas& canvas) {
  const scene::Rect column = page_columns(canvas).right;
  const float top = column.y + kNextName * canvas.scale;
  const float inside = kInside * canvas.scale;
  return {column.x + inside, top + inside, column.width - 2 * inside,
          std::round(0.42f * column.height) - 2 * inside};
}

scene::Scene speaker_page(const SpeakerTold& told, const scene::Scene* next, const scene::Canvas& canvas) {
  scene::Pen pen(canvas);
  if (pen.too_small()) return pen.finish();
  const scene::Palette& p = pen.palette();
  const auto [left, right] = page_columns(canvas);
  const float head = pen.px(40), end = canvas.width - pen.px(kAround);
  const scene::Type figure{32, p.text, scene::Align::Left, scene::Font::Words, true};
  const scene::Type quiet{18, p.secondary};
  // The scene at the left, the time at the right, where a glance finds them.
  pen.label(1, {left.x, head}, told.place, figure);
  const float from = left.x + pen.width_of(told.place, figure) + pen.px(20);
  pen.label_within(1, {from, head}, right.x - from - pen.px(12), told.name,
                   {22, p.secondary, scene::Align::Left, scene::Font::Words, true});
  pen.label(1, {right.x, head}, told.since, figure);
  pen.label_within(1, {right.x + pen.width_of(told.since, figure) + pen.px(10), head + pen.px(3)},
                   pen.px(160), pen.text("speaker.since"), quiet);
  pen.label(1, {end, head}, told.clock, {32, p.secondary, scene::Align::Right, scene::Font::Words, true});
  pen.sharp(0, {0, pen.px(kHead - 8), canvas.width, pen.px(1)}, p.line);
  write_notes(pen, told.notes, {left.x, left.y + pen.px(8), left.width, left.height - pen.px(8)});

  const scene::Rect room = next_room(canvas);
  pen.label(1, {right.x, right.y + pen.px(14)}, pen.text("speaker.next"), quiet);
  pen.label_within(1, {right.x, right.y + pen.px(40)}, right.width, told.next,
                   {20, p.text, scene::Align::Left, scene::Font::Words, true});
  const float inside = pen.px(kInside);
  const scene::Rect frame{room.x - inside, room.y - inside, room.width + 2 * inside,
                          room.height + 2 * inside};
  pen.framed(0, frame, p.panel, p.line, pen.px(1)).rounded(pen.px(8));
  float y = frame.y + frame.height + pen.px(24);
  if (!told.answer.empty()) {
    const float top = y;
    const scene::Type asked{17, p.secondary},
        answer{26, p.text, scene::Align::Left, scene::Font::Words, true};
    const float width = right.width - pen.px(32), x = right.x + pen.px(16);
    y = pen.lines(2, {x, y + pen.px(10)}, pen.lines_of(told.question, width, asked, 3), pen.px(24), asked);
    y = pen.lines(2, {x, y + pen.px(6)}, pen.lines_of(told.answer, width, answer, 2), pen.px(36), answer);
    const int rest = std::max(0, static_cast<int>((right.y + right.height - y - pen.px(14)) / pen.px(24)));
    if (rest > 0) y = pen.lines(2, {x, y}, pen.lines_of(told.why, width, asked, rest), pen.px(24), asked);
    pen.framed(1, {right.x, top, right.width, y + pen.px(12) - top}, p.panel, p.accent, pen.px(1.5f))
        .rounded(pen.px(8));
  }
  scene::Scene page = pen.finish();
  if (next != nullptr) scene::add_part(&page, *next, {room.x, room.y});
  return page;
}

}  // namespace warplens::app
