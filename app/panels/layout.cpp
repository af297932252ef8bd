#include "app/panels/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace warplens::panels {
namespace {

using scene::Rect;

constexpr float kSmallest = 0.8f;       // type: units of the design in a pixel
constexpr float kSmallestAlone = 0.7f;  // where there is little to be read

bool is_bare(const LayoutOptions& o) {
  return o.panels.none() && !o.present && !o.alone && !o.lesson && !o.form && !o.index && !o.compare &&
         !o.editing && !o.source;
}

float scale_of(const LayoutOptions& o) {
  const float density = std::max(o.density, 1.0f);
  if (o.alone) {
    const float fit =
        std::clamp(std::min(o.width / 560, o.height / 360), kSmallestAlone * density, 1.6f * density);
    return std::round(fit * 40) / 40;
  }
  // The design is made for 1920 x 1080. Smaller windows shrink type only so far, then the room between it;
  // the stage goes with the window, since a projector makes any of them as large.
  const float fit = std::min(o.width / 1920, o.height / 1080);
  const bool large = o.present || is_bare(o);
  const float plain =
      large ? std::clamp(fit, 0.5f, 8.0f) * 1.85f : std::clamp(fit, kSmallest * density, 8.0f);
  // Nor is anything enlarged until panels have no room for what they say.
  const float most =
      large ? std::min(o.width / 880, o.height / 495) : std::min(o.width / 960, o.height / 540);
  const float scale = std::min(plain * o.zoom, std::max(plain, most));
  return std::round(scale * 40) / 40;  // font sizes then repeat while a window is being resized
}

// Presenting, a row of the source, and how many are shown beside something else that has to be read.
constexpr float kStageRow = 24, kStageRows = 3, kStageLow = 540;

Rect rounded(const Rect& r) {
  const float x = std::round(r.x), y = std::round(r.y);
  return {x, y, std::max(0.0f, std::round(r.x + r.width) - x),
          std::max(0.0f, std::round(r.y + r.height) - y)};
}

// Enlarged so far that three columns would have no room for their words.
bool is_narrow(const LayoutOptions& o, float scale) {
  constexpr float kLeast = 1180;  // units of the design
  return !o.present && o.zoom > 1 && o.width / scale < kLeast;
}

// Presenting, the matrix map is as high as the window allows: what is turned stands below the source.
bool has_tall_map(const LayoutOptions& o) {
  return o.present && o.map && !o.compare && !o.lesson && o.source;
}

constexpr float kStageParameters = 44, kDeskStrip = 36;

void place_bottom(Layout* l, const LayoutOptions& o, float side) {
  const bool narrow = is_narrow(o, l->scale);
  const float s = l->scale;
  const float height = (has_tall_map(o) ? 54 : o.present ? 104 : narrow ? 132 : 152) * s;
  l->bottom = {0, o.height - height, o.width, height};
  const float outside = 16 * s, row = (o.present ? 44 : narrow ? 48 : 58) * s;
  const float left = o.present ? outside : outside + side + 22 * s;
  if (!o.present) l->map = {outside, l->bottom.y + 10 * s, side, height - 20 * s};
  const float width = o.width - left - outside;
  const float above = (o.present || narrow ? 5 : 10) * s;
  l->transport = {left, l->bottom.y + above, width, row};
  l->parameters = {left, l->transport.y + row + 4 * s, width, height - row - above - 9 * s};
}

// The picture, and below it the transport and the parameters, where they leave it half of the room.
void place_alone(Layout* l, const LayoutOptions& o) {
  const float s = l->scale, outside = 8 * s, row = 46 * s, inside = o.width - 2 * outside;
  const bool two = o.parameters && o.height > 7 * row;
  const float height = (two ? 2 : 1) * row + 6 * s;
  l->top = {0, 0, o.width, 0};
  l->bottom = {0, o.height - height, o.width, height};
  l->transport = {outside, l->bottom.y + 3 * s, inside, row};
  if (two) l->parameters = {outside, l->transport.y + row, inside, row};
  const float top = o.hint ? 34 * s : 0;
  if (o.hint) l->hint = {outside, 3 * s, inside, 28 * s};
  Rect room{outside, top + 4 * s, inside, l->bottom.y - top - 8 * s};
  if (o.lesson) {  // the question beside the picture, or on a narrow page below it
    const bool beside = o.width > o.height;
    const float gap = 8 * s;
    const float part = std::round(0.42f * (beside ? room.width : room.height));
    l->lesson = beside ? Rect{room.x + room.width - part, room.y, part, room.height}
                       : Rect{room.x, room.y + room.height - part, room.width, part};
    (beside ? room.width : room.height) -= part + gap;
  }
  l->picture = room;
}

// Below a picture what it costs, where that leaves it its room.
void keep_strip(Rect* picture, Rect* strip, float height, float gap) {
  if (picture->height < 6 * height) return;
  picture->height -= height + gap;
  *strip = {picture->x, picture->y + picture->height + gap, picture->width, height};
}

// Two panes with a divider between them, and the table beside them.
//
//   ├ A head ────┬ B head ─────┬ table ─┤
//   ├ A source ──┼ B source ───┤ A│B│Δ  │
//   ├ A picture ─┼ B picture ──┤  form  │
void place_panes(Layout* l, const LayoutOptions& o, const Rect& room) {
  const float s = l->scale, gap = (o.headed ? 8 : 12) * s;
  const bool narrow = is_narrow(o, s),
             one = o.present || narrow;  // of the two memories, for which there is room
  constexpr float kLeastTable = 330;     // names and figures beside each other
  const float table = one ? -gap : std::round(std::max(0.226f * (room.width - 2 * gap), kLeastTable * s));
  const float both = room.width - table - 2 * gap, part = std::floor(o.divider * both);
  const float notes = o.present && o.notes ? 60 * s : 0;  // a strip above the differences
  const float differences = one ? (o.headed ? 26 : 40) * s : 0;
  const float strip = differences + (notes > 0 ? notes + gap : 0);
  if (one) l->differences = {room.x, room.y + room.height - differences, room.width, differences};
  if (notes > 0) l->notes = {room.x, room.y + room.height - strip, room.width, notes};
  if (!one) l->table = {room.x + both + 2 * gap, room.y, table, room.height};
  if (!one && o.form) {  // the launch of B, below what it makes of the comparison
    const float upper = std::round(0.5f * (room.height - gap));
    l->table.height = upper;
    l->form = {l->table.x, room.y + upper + gap, table, room.height - gap - upper};
  }
  float x = room.x;
  for (Pane* pane : {&l->a, &l->b}) {
    const float width = pane == &l->a ? part : std::floor((1 - o.divider) * both);
    const float head = o.headed ? 0 : (o.present ? 34 : 60) * s;
    Rect rest{x, room.y + (o.headed ? 0 : head + (o.present ? 4 * s : gap)), width, 0};
    rest.height = room.y + room.height - rest.y - strip - (one && !o.headed ? gap : 0);
    if (!o.headed) pane->head = {x, room.y, width, head};
    x += width + gap;
    float source = std::round((o.editing ? 0.42f : 0.24f) * rest.height), below = source + gap;
    if (one) {
      const float rows = o.same_text && !o.editing ? 1 : kStageRows;  // the line, or its neighbours too
      const float lines = narrow && o.editing ? 0.5f * rest.height : kStageRow * rows * s + 8 * s;
      source = o.headed || (narrow && !o.editing) ? 0 : std::round(lines);
      below = source > 0 ? source + 6 * s : 0;
    }
    if (source > 0) pane->source = {rest.x, rest.y, width, source};
    pane->picture = {rest.x, rest.y + below, width, rest.height - below};
    keep_strip(&pane->picture, &pane->strip, (one ? 34 : kDeskStrip) * s, (o.headed ? 2 : 6) * s);
  }
  const Rect& first = l->a.picture;
  l->divider = {l->b.picture.x - gap, room.y, gap, first.y + first.height - room.y};
}

// The source beside the picture, and below it what goes with it.
//
//   ├ source ────┬ picture ──────────────┤
//   ├ notes ─────┤                       │
//   ├ (parameters)                       │      beside the matrix map
//   ├ strip ─────┴───────────────────────┤      or the question in its place, above the notes
void place_stage(Layout* l, const LayoutOptions& o, Rect room) {
  const float s = l->scale, gap = 8 * s;
  if (!o.lesson && !o.index) {
    room.height -= kStageStrip * s;
    l->strip = {room.x, room.y + room.height, room.width, kStageStrip * s};
    room.height -= gap;
  }
  const float width = std::round(0.36f * room.width), column = width - 10 * s;
  Rect rest{room.x, room.y, column, room.height};
  const auto from_bottom = [&](float height) {
    const Rect part{rest.x, rest.y + rest.height - height, rest.width, height};
    rest.height -= height + gap;
    return part;
  };
  if (o.lesson) {
    if (o.notes) l->notes = from_bottom(0.3f * room.height);
    // Enlarged, the question needs the room of the line's neighbours.
    const float rows = o.height < kStageLow * s ? 1 : kStageRows;
    l->lesson = from_bottom(rest.height - kStageRow * rows * s - 8 * s - gap);
  } else {
    if (has_tall_map(o)) l->parameters = from_bottom(kStageParameters * s);
    if (o.notes) l->notes = from_bottom(0.48f * room.height);
  }
  l->source = rest;
  l->picture = {room.x + width, room.y, room.width - width, room.height};
}

// The picture has the window, and below it a strip for what is told, asked or pressed there.
void place_large(Layout* l, const LayoutOptions& o, Rect* strip) {
  const float s = l->scale, air = 8 * s, below = kStageStrip * s;
  l->picture = {air, air, o.width - 2 * air, o.height - 2 * air - below};
  *strip = {air, o.height - below - 2 * s, o.width - 2 * air, below};
}

// The class's vote beside the picture, from top to foot in each of its phases: a reveal moves nothing.
void place_stage_vote(Layout* l, const LayoutOptions& o) {
  const float s = l->scale, air = 8 * s, width = std::round(0.34f * o.width);
  l->vote = {air, air, width, o.height - 2 * air};
  l->picture = {width + 2 * air, air, o.width - width - 3 * air, o.height - 2 * air};
}

// On the desk it has the place of what is counted and measured, which is hidden as long as the class is
// asked; else that of the question, or of the source.
void place_vote(Layout* l) {
  if (l->access.width >= 240 * l->scale && l->times.height > 0) {
    l->vote = {l->access.x, l->access.y, l->access.width, l->times.y + l->times.height - l->access.y};
    l->access = l->grid = l->times = {};
  } else {
    l->vote = std::exchange(l->lesson.width > 0 ? l->lesson : l->source, {});
  }
}

// Beside the source where that is too narrow for three columns: the picture of the memory looked at, and
// below it the grid; the access has the place of the lanes, and where a lesson or a form has that, it is
// beside the grid. The times have no room.
void place_narrow(Layout* l, const LayoutOptions& o, const Rect& room) {
  const float gap = 12 * l->scale;
  const bool beside = o.lesson || o.form;
  const float share = o.tall_grid ? 0.46f : beside ? 0.60f : 0.66f;
  const float upper = std::round(share * (room.height - gap)), y = room.y + upper + gap;
  l->picture = {room.x, room.y, room.width, upper};
  l->grid = {room.x, y, room.width, room.height - gap - upper};
  if (!beside) {
    l->access = std::exchange(l->lanes, {});
  } else if (!o.tall_grid) {
    const float half = std::round(0.5f * (room.width - gap));
    l->access = {room.x, y, half, l->grid.height};
    l->grid.x += half + gap, l->grid.width -= half + gap;
  }
}

// The picture, and at its right what is counted and measured: the last of the panels that are there goes down
// to the foot.
void place_beside_source(Layout* l, const LayoutOptions& o, const app::Panels& panels, const Rect& room,
                         float right_width) {
  const float s = l->scale, gap = 12 * s;
  if (is_narrow(o, s)) return place_narrow(l, o, room);
  struct Place {
    Rect* rect;
    float height;
  };
  std::vector<Place> places;
  if (has(panels, app::Panel::Access)) places.push_back({&l->access, std::min(300 * s, 0.43f * room.height)});
  if (has(panels, app::Panel::Grid))
    places.push_back({&l->grid, std::min((88 + 27 * static_cast<float>(std::max(o.grid_rows, 3))) * s,
                                         0.31f * room.height)});
  if (has(panels, app::Panel::Times) && !(o.tall_grid && has(panels, app::Panel::Grid)))
    places.push_back({&l->times, 0});
  l->picture = room;
  if (places.empty()) return;
  l->picture.width -= right_width + gap;
  Rect rest{room.x + room.width - right_width, room.y, right_width, room.height};
  for (const Place& place : places) {
    *place.rect = rest;
    if (&place == &places.back()) break;
    place.rect->height = place.height;
    rest.y += place.height + gap, rest.height -= place.height + gap;
  }
}

Layout all_rounded(Layout l) {
  for (Pane* pane : {&l.a, &l.b}) {
    for (Rect* r : {&pane->head, &pane->source, &pane->picture, &pane->strip}) *r = rounded(*r);
  }
  for (Rect* r :
       {&l.table, &l.divider, &l.differences, &l.top,       &l.source,     &l.lanes,  &l.picture, &l.access,
        &l.grid,  &l.times,   &l.map,         &l.transport, &l.parameters, &l.bottom, &l.hint,    &l.strip,
        &l.form,  &l.index,   &l.lesson,      &l.notes,     &l.keys,       &l.vote}) {
    *r = rounded(*r);
  }
  return l;
}

}  // namespace

void tell_plain(float enlarged, float window_height, scene::Canvas* canvas) {
  if (enlarged <= 1) return;
  canvas->plain_scale = canvas->scale / enlarged;
  canvas->plain_height = window_height - (window_height - canvas->height) / enlarged;
}

Rect picture_room(const Rect& panel, float scale, bool present) {
  const float inside = 14 * scale, title = (present ? kStageHeading : kHeading) * scale;
  return {panel.x + inside, panel.y + title, std::max(0.0f, panel.width - 2 * inside),
          std::max(0.0f, panel.height - title - 12 * scale)};
}

bool has_room_for_the_picture_only(const LayoutOptions& o) {
  const float smallest = kSmallest * std::max(o.density, 1.0f);
  return o.width / smallest < 880 || o.height / smallest < 540;
}

Layout lay_out(const LayoutOptions& o) {
  Layout l;
  const float s = l.scale = scale_of(o);
  LayoutOptions plain = o;
  plain.zoom = std::min(o.zoom, 1.0f);
  l.enlarged = s / scale_of(plain);
  l.height = o.height;
  // What is told on the stage, or is under way, lies over the picture's foot and moves nothing.
  if (o.hint && !o.alone && (o.present || o.passes || is_bare(o))) {
    LayoutOptions without = o;
    without.hint = false;
    l = lay_out(without);
    const scene::Rect& over = o.compare ? l.b.picture : l.picture;
    const float from = (o.compare ? l.a.picture : over).x + 8 * s;
    l.hint = {from, over.y + over.height - 36 * s, over.x + over.width - 8 * s - from, 28 * s};
    l.hint_floats = true;
    return all_rounded(l);
  }
  if (o.alone) {
    place_alone(&l, o);
    if (o.vote) place_vote(&l);
    return all_rounded(l);
  }
  if (is_bare(o)) {
    l.is_bare = true;
    l.top = {0, 0, o.width, 0};
    l.bottom = {0, o.height, o.width, 0};
    place_large(&l, o, &l.keys);
    const float words = o.tour ? kTourWords * s : 0;
    l.picture.height -= words, l.keys.y -= words, l.keys.height += words;
    return all_rounded(l);
  }
  const float outside = 16 * s, gap = 12 * s;
  l.top = {0, 0, o.width, (o.present ? 44 : 52) * s};
  const float inside = o.width - 2 * outside - 2 * gap;
  const bool narrow = is_narrow(o, s);
  const float left = (narrow ? 0.36f : 0.290f) * inside,
              right_width = std::max(0.236f * inside, 326 * s);  // names and figures beside each other
  place_bottom(&l, o, left);
  if (o.present && o.open) l.transport = l.parameters = {};
  // On the stage A and B have the window too.
  l.floats = o.present && o.compare && !o.index;
  const float air = (o.headed ? 6 : o.present ? 8 : 14) * s, above = l.floats ? 0 : l.top.height;
  if (o.hint) l.hint = {outside, above + 8 * s, o.width - 2 * outside, 28 * s};
  const float top = o.hint ? l.hint.y + l.hint.height + 8 * s : above + air;
  const float height = (l.floats ? o.height : l.bottom.y) - air - top;
  const float strip = o.index ? std::min(112 * s, 0.3f * height) : 0;
  const float beside = o.headed ? air : outside;
  const Rect below{beside, top + strip, o.width - 2 * beside, height - strip};
  if (o.index && (o.compare || (o.present && !o.vote))) l.index = {outside, top, below.width, strip - gap};
  if (o.compare) {
    place_panes(&l, o, below);
  } else if (o.present && o.vote) {
    l.floats = true;
    place_stage_vote(&l, o);
  } else if (o.present && !o.source && (!o.lesson || o.asks) && !o.notes && !o.index) {
    l.floats = true;
    place_large(&l, o, o.asks ? &l.lesson : &l.strip);
  } else if (o.present) {
    place_stage(&l, o, below);
  } else {
    // Where something is asked or typed that has its place at the left, that column is there.
    app::Panels panels = o.panels;
    const bool below_source = o.lesson || o.form;
    if (panels.none()) panels.set();
    if (below_source || o.index || o.editing || narrow)
      panels.set(static_cast<std::size_t>(app::Panel::Source));
    const bool has_source = has(panels, app::Panel::Source),
               has_lanes = below_source || narrow || has(panels, app::Panel::Lanes);
    const float index = o.index ? 124 * s : 0;  // two rows for what is wrong
    const float column = height - (o.index ? index + gap : 0), from = top + height - column;
    const float source = !has_source  ? -gap
                         : !has_lanes ? column
                                      : std::round((o.lesson ? 0.40f
                                                    : o.form ? 0.44f
                                                             : 0.55f) *
                                                   (column - gap));
    if (o.index) l.index = {outside, top, left, index};
    if (has_source) l.source = {outside, from, left, source};
    if (has_lanes)
      (o.lesson ? l.lesson
       : o.form ? l.form
                : l.lanes) = {outside, from + source + gap, left, column - gap - source};
    const float taken = has_source || has_lanes ? left + gap : 0;
    place_beside_source(&l, o, panels, {outside + taken, top, o.width - 2 * outside - taken, height},
                        right_width);
    keep_strip(&l.picture, &l.strip, kDeskStrip * s, 6 * s);
    if (o.vote) place_vote(&l);
  }
  // They lie over the picture, and leave its headline and caption to be read, and the strip below it, which
  // is clicked.
  if (l.floats) {
    constexpr float kCaption = 22;
    l.top.y = o.compare ? l.a.picture.y + kStageHeading * s : l.picture.y + (kStageHeading + kCaption) * s;
    const Rect& picture = o.compare ? l.a.picture : l.picture;
    const float up = o.height - picture.y - picture.height;
    for (Rect* r : {&l.bottom, &l.transport, &l.parameters}) r->y -= up;
  }
  return all_rounded(l);
}

}  // namespace warplens::panels
