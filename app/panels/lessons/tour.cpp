// The tour: what lies lit, and the card beside it.
#include <algorithm>
#include <array>

#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/sheets/overlay.h"
#include "app/state/teaching.h"

namespace warplens::panels {
namespace {

using scene::Rect;

bool overlap(const Rect& a, const Rect& b) {
  return a.x < right(b) && b.x < right(a) && a.y < bottom(b) && b.y < bottom(a);
}

const Rect& place_of(const Layout& l, app::TourPanel panel) {
  constexpr Rect Layout::*kPlaces[] = {&Layout::picture,   &Layout::access,  &Layout::source,
                                       &Layout::transport, &Layout::picture, &Layout::parameters,
                                       &Layout::grid,      &Layout::times,   &Layout::top};
  if (panel == app::TourPanel::Times && l.times.height <= 1) return l.grid;
  return l.*kPlaces[static_cast<std::size_t>(panel)];
}

// Panels with an edge of their own are framed there; the strips at the bottom begin with their first letter.
Rect lit_place(const Layout& l, app::TourPanel panel) {
  const Rect r = place_of(l, panel);
  const bool strip = panel == app::TourPanel::Transport || panel == app::TourPanel::Parameters;
  const float x = (strip ? 10 : 0) * l.scale, y = (strip ? 2 : 0) * l.scale;
  return {r.x - x, r.y - y, r.width + 2 * x, r.height + 2 * y};
}

}  // namespace

std::vector<Rect> lit_places(const Layout& layout, const app::TourStop& stop) {
  std::vector<Rect> lit{lit_place(layout, stop.panel)};
  if (stop.also) lit.push_back(lit_place(layout, *stop.also));
  return lit;
}

std::vector<Rect> veil_around(const Rect& window, const std::vector<Rect>& lit) {
  // Bands from edge to edge, each cut where something lit stands in it.
  std::vector<float> edges{window.y, bottom(window)};
  for (const Rect& place : lit) {
    edges.push_back(std::clamp(place.y, window.y, bottom(window)));
    edges.push_back(std::clamp(bottom(place), window.y, bottom(window)));
  }
  std::sort(edges.begin(), edges.end());
  std::vector<Rect> veil;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const float y = edges[i], height = edges[i + 1] - y;
    if (height <= 0) continue;
    std::vector<Rect> here;
    for (const Rect& place : lit) {
      if (place.y < y + height && y < bottom(place)) here.push_back(place);
    }
    std::sort(here.begin(), here.end(), [](const Rect& a, const Rect& b) { return a.x < b.x; });
    float x = window.x;
    for (const Rect& place : here) {
      if (place.x > x) veil.push_back({x, y, place.x - x, height});
      x = std::max(x, right(place));
    }
    if (x < right(window)) veil.push_back({x, y, right(window) - x, height});
  }
  return veil;
}

Rect card_place(const Rect& window, const std::vector<Rect>& lit, float width, float height, float scale) {
  const float gap = 14 * scale, edge = 12 * scale;
  const Rect& panel = lit.front();
  const std::array<Rect, 4> places{Rect{right(panel) + gap, panel.y, width, height},
                                   Rect{panel.x - gap - width, panel.y, width, height},
                                   Rect{panel.x, bottom(panel) + gap, width, height},
                                   Rect{panel.x, panel.y - gap - height, width, height}};
  for (Rect place : places) {
    const bool sideways = place.y == panel.y;
    if (sideways) {
      place.y = std::clamp(place.y, edge, std::max(edge, window.height - edge - height));
    } else {
      place.x = std::clamp(place.x, edge, std::max(edge, window.width - edge - width));
    }
    const bool inside = place.x >= edge && right(place) <= window.width - edge && place.y >= edge &&
                        bottom(place) <= window.height - edge;
    if (inside && std::none_of(lit.begin(), lit.end(), [&](const Rect& r) { return overlap(place, r); }))
      return place;
  }
  return {0.5f * (window.width - width), 0.5f * (window.height - height), width, height};
}

// The tour: everything but one panel steps back, and a card beside it says what it is for.

namespace {

void dim(const View& view, const Rect& window, const std::vector<Rect>& lit) {
  const Color veil = scene::with_alpha(view.palette.window, 0.62f);
  for (const Rect& rect : veil_around(window, lit)) fill(rect, veil);
  for (const Rect& rect : lit) outline(rect, view.palette.accent, view.px(8), view.px(3));
}

}  // namespace

void draw_tour(const View& view, const Layout& layout, const Rect& window) {
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
  draw_box(card, p.panel, p.accent, view.px(10), view.px(1.5f));
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
    view.act(app::StepTour{1});
  end -= view.px(6) + pill_width(view, back, false);
  if (at > 0 &&
      pill(view, "back", {end, foot, pill_width(view, back, false), pill_height}, back, false).clicked)
    view.act(app::StepTour{-1});
  const float side = view.px(22);
  if (icon_button(view, "close", {right(card) - side - view.px(10), card.y + view.px(10), side, side},
                  Icon::Cross, false)
          .clicked)
    view.act(app::ShowTour{false});
}

}  // namespace warplens::panels
