// A question of a lesson or of a prediction: its answers, the typed number, the truth.
#include <algorithm>

#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/memory/memory_panels.h"
#include "app/panels/widgets/legible.h"
#include "app/scene/memory/question_scene.h"

namespace warplens::panels {
namespace {

using app::Guess;
using app::Question;

Color verdict_color(const View& view, bool right) {
  return right ? view.palette.ideal : view.palette.costly;
}

// A box with what is typed; the caret stands after it.
void draw_typed(const View& view, const Guess& guess, const Rect& box, const Color& border) {
  const scene::Palette& p = view.palette;
  fill(box, p.cell, view.px(6));
  outline(box, border, view.px(6), view.px(guess.locked ? 2.0f : 1.5f));
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

// Numbers to click on, as many a row as there is room for.
Actions draw_offered(const Question& question, const Guess& guess, Column* column) {
  Actions actions;
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
    if (pill(view, "offered", rect, label, guess.typed == label).clicked && !guess.locked)
      actions.push_back(app::SetGuess{label, -1});
    ImGui::PopID();
  }
  const int rows = (static_cast<int>(question.offered.size()) + a_row - 1) / a_row;
  column->y += static_cast<float>(rows) * (height + gap) + view.px(4);
  return actions;
}

// "1  larger blocks": a row each; locked, the right one and the chosen one say so.
Actions draw_choices(const Question& question, const Guess& guess, Column* column) {
  Actions actions;
  const View& view = column->view;
  const scene::Palette& p = view.palette;
  const Type type{14, p.text};
  const float lead = view.px(34), step = line_height(view, type);
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    const auto index = static_cast<int>(i);
    const auto lines = wrapped(view, question.choices[i], column->width - lead - view.px(10), type);
    const Rect row{column->x, column->y, column->width,
                   step * static_cast<float>(lines.size()) + view.px(10)};
    const Hit hit = hit_area(index, row);
    const bool chosen = guess.chosen == index, open = guess.locked && question.answer.has_value();
    const bool is_answer = open && *question.answer == index;
    const Color border = is_answer ? p.ideal : chosen ? (open ? p.costly : p.accent) : p.line;
    fill(row, hit.hovered && !guess.locked ? scene::mix(p.cell, p.text, 0.10f) : p.cell, view.px(6));
    outline(row, border, view.px(6), chosen || is_answer ? view.px(2) : 1);
    draw_text(
        view, {row.x + view.px(17), middle(row)}, std::to_string(index + 1),
        {14, chosen || is_answer ? legible(border, p.cell, p) : p.secondary, Align::Center, Face::CodeBold});
    for (std::size_t k = 0; k < lines.size(); ++k)
      draw_text(view, {row.x + lead, row.y + view.px(5) + step * (static_cast<float>(k) + 0.5f)}, lines[k],
                type);
    if (hit.clicked && !guess.locked) actions.push_back(app::SetGuess{{}, index});
    column->y = bottom(row) + view.px(5);
  }
  column->gap(3);
  return actions;
}

}  // namespace

float line_height(const View& view, const Type& type) {
  return std::round(view.px(1.36f * type.size));
}

void Column::paragraph(std::string_view words, const Type& type, float after) {
  if (words.empty()) return;
  const float step = line_height(view, type);
  for (const std::string& line : wrapped(view, words, width, type)) {
    draw_text(view, {x, y + 0.5f * step}, line, type);
    y += step;
  }
  gap(after);
}

Actions draw_question(const Question& question, const Guess& guess, Column* column) {
  const View& view = column->view;
  const scene::Palette& p = view.palette;
  column->from = column->y;
  // A stroke beside the question: not every script has a bold face to tell it from the text above.
  const Rect beside{column->x, column->y, view.px(3), 0};
  column->x += view.px(10), column->width -= view.px(10);
  column->paragraph(question.text, {15, p.text, Align::Left, Face::WordsBold});
  column->x = beside.x, column->width += view.px(10);
  fill({beside.x, beside.y + view.px(2), beside.width, column->y - beside.y - view.px(12)}, p.accent,
       view.px(1.5f));
  Actions actions;
  const bool open = guess.locked && question.answer;
  const bool right = open && app::is_right(question, guess);
  if (question.kind == Question::Kind::Choice) {
    actions = draw_choices(question, guess, column);
  } else {
    const Rect box{column->x, column->y, std::min(column->width, view.px(240)), view.px(36)};
    draw_typed(view, guess, box, open ? verdict_color(view, right) : p.accent);
    column->y = bottom(box) + view.px(8);
    column->to = column->y, column->from_first = false;  // the box goes before the question's first words
    if (!question.offered.empty() && !guess.locked) {
      for (Action& action : draw_offered(question, guess, column)) actions.push_back(std::move(action));
    }
  }
  if (question.kind == Question::Kind::Choice) column->to = column->y;
  if (!guess.locked) return actions;
  column->from = column->y, column->from_first = true;
  const Color color = open ? verdict_color(view, right) : p.secondary;
  column->paragraph(app::difference_words(question, guess, view.strings),
                    {15, color, Align::Left, Face::WordsBold});
  if (open) column->paragraph(question.why, {14, p.text});
  column->to = column->y;
  return actions;
}

}  // namespace warplens::panels
