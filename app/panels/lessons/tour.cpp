// The tour: everything but one panel steps back, and a card beside it says what it is for.
#include "app/state/teaching/tour.h"

#include <algorithm>

#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/lessons/tour_places.h"
#include "app/panels/sheets/overlay.h"

namespace warplens::panels {
namespace {

void dim(const View& view, const Rect& window, const std::vector<Rect>& lit) {
  const Color veil = scene::with_alpha(view.palette.window, 0.62f);
  for (const Rect& rect : veil_around(window, lit)) fill(rect, veil);
  for (const Rect& rect : lit) outline(rect, view.palette.accent, view.px(8), view.px(3));
}

}  // namespace

Actions draw_tour(const View& view, const Layout& layout, const Rect& window) {
  Actions actions;
  const auto stops = app::tour_stops();
  const int at = std::clamp(*view.state.classroom.tour, 0, static_cast<int>(stops.size()) - 1);
  const app::TourStop& stop = stops[static_cast<std::size_t>(at)];
  const Overlay overlay(view, "tour", window, 0);
  const std::vector<Rect> lit = lit_places(layout, stop);
  dim(view, window, lit);
  const scene::Palette& p = view.palette;
  const float width = view.px(400), margin = view.px(18);
  const Type body{15, p.text};
  const std::string words = view.strings(stop.words);
  const auto lines = wrapped(view, words, width - 2 * margin, body).size();
  const float height = view.px(118) + line_height(view, body) * static_cast<float>(lines);
  const Rect card = card_place(window, lit, width, height, view.px(1));
  fill(card, p.panel, view.px(10));
  outline(card, p.accent, view.px(10), view.px(1.5f));
  Column column{view, card.x + margin, card.y + view.px(14), width - 2 * margin};
  column.paragraph(view.strings(stop.title), {19, p.text, Align::Left, Face::WordsBold});
  column.paragraph(words, body);
  const float foot = bottom(card) - view.px(44), pill_height = view.px(30);
  const std::string count = std::to_string(at + 1) + " / " + std::to_string(stops.size());
  draw_text(view, {column.x, foot + 0.5f * pill_height}, count, {14, p.secondary, Align::Left, Face::Code});
  const bool is_last = at + 1 == static_cast<int>(stops.size());
  const std::string next = view.strings(is_last ? "tour.end" : "class.next"),
                    back = view.strings("class.back");
  float end = right(card) - margin - pill_width(view, next, true);
  if (pill(view, "next", {end, foot, pill_width(view, next, true), pill_height}, next, true).clicked)
    actions.push_back(app::StepTour{1});
  end -= view.px(6) + pill_width(view, back, false);
  if (at > 0 &&
      pill(view, "back", {end, foot, pill_width(view, back, false), pill_height}, back, false).clicked)
    actions.push_back(app::StepTour{-1});
  const float side = view.px(22);
  if (icon_button(view, "close", {right(card) - side - view.px(10), card.y + view.px(10), side, side},
                  Icon::Cross, false)
          .clicked)
    actions.push_back(app::ShowTour{false});
  return actions;
}

}  // namespace warplens::panels
