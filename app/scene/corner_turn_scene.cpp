#include "app/scene/corner_turn_scene.h"

#include <algorithm>
#include <cmath>

#include "app/scene/lane_marks.h"
#include "app/scene/text.h"

namespace warplens::scene {
namespace {

constexpr std::size_t kBack = 0, kWords = 1, kNow = 2, kFlying = 3;
constexpr int kPhases = 4;
constexpr int kLanes = 32;

Point middle_of(const Rect& r) {
  return {r.x + 0.5f * r.width, r.y + 0.5f * r.height};
}

// Where an arc is at `t`, as the renderer draws it: it leaves and arrives vertically.
Point along(Point a, Point d, float t) {
  const float u = 1 - t, bend = 0.5f * (d.y - a.y);
  const Point b{a.x, a.y + bend}, c{d.x, d.y - bend};
  const float p = u * u * u, q = 3 * u * u * t, r = 3 * u * t * t, s = t * t * t;
  return {p * a.x + q * b.x + r * c.x + s * d.x, p * a.y + q * b.y + r * c.y + s * d.y};
}

class TurnPicture {
 public:
  TurnPicture(const CornerTurnView& view, const Canvas& canvas) : view_(view), pen_(canvas) {}

  Scene draw() {
    const std::string phase = pen_.text("scene.phases." + std::to_string(view_.now));
    pen_.scene().title = pen_.text(
        "scene.phases.title", {{"n", std::to_string(view_.now + 1)}, {"warp", std::to_string(view_.warp)}});
    pen_.scene().answer = phase + " · " + cost_text(view_.now);
    pen_.scene().answer_is_costly = is_costly(view_.now);
    pen_.scene().answer_is_ideal = !is_costly(view_.now);
    if (pen_.too_small() || view_.moments.empty()) return pen_.finish();
    const float foot = draw_foot();
    const float gap = pen_.px(10);
    if (view_.moments.size() == 1) {
      const float cards = draw_cards();
      draw_moment(view_.moments.front(), {0, cards + gap, pen_.width(), foot - cards - 2 * gap});
    } else {
      draw_stills({0, 0, pen_.width(), foot - gap});
    }
    return pen_.finish();
  }

 private:
  bool is_costly(int phase) const {
    const TurnCost& cost = view_.costs[static_cast<std::size_t>(phase)];
    return cost.known && cost.units > cost.ideal;
  }
  std::string cost_text(int phase) const {
    const TurnCost& cost = view_.costs[static_cast<std::size_t>(phase)];
    if (!cost.known) return "–";
    const bool shared = phase == 1 || phase == 2;
    const std::string text = pen_.counted(shared ? "scene.phases.wavefronts" : "scene.phases.sectors",
                                          cost.units, {{"n", std::to_string(cost.units)}});
    return is_costly(phase) ? text : "= " + text;
  }
  Color cost_color(int phase) const {
    return is_costly(phase) ? pen_.palette().costly : pen_.palette().ideal;
  }

  bool is_short() const { return pen_.height() < pen_.px(420); }

  // What happens, why it is worth it, what the colours mean; gives where it begins.
  float draw_foot() {
    const float line = pen_.px(19), width = pen_.width();
    struct Line {
      std::string text;
      Color color;
    };
    std::vector<Line> lines;
    const auto add = [&](const std::string& text, Color color, int most) {
      for (const std::string& piece : wrapped(text, width, pen_.px(std::max(14.0f, pen_.least_type())), most))
        lines.push_back({piece, color});
    };
    const Palette& p = pen_.palette();
    // Presenting, the grids need the room more than words that a teacher says anyway.
    const bool short_of_room = is_short();
    if (view_.moments.size() == 1 && !short_of_room)
      add(pen_.text("scene.phases.say." + std::to_string(view_.now),
                    {{"banks", std::to_string(view_.banks)}}),
          p.text, 2);
    if (view_.straight > 0)
      add(pen_.text("scene.phases.why", {{"n", std::to_string(view_.straight)},
                                         {"ideal", std::to_string(view_.straight_ideal)},
                                         {"through", through_text()}}),
          view_.straight > view_.straight_ideal ? p.costly : p.text, 2);
    if (!short_of_room) add(pen_.text("scene.phases.colour"), p.secondary, 1);
    float y = pen_.height() - line * static_cast<float>(lines.size());
    const float top = y;
    for (const Line& l : lines) {
      pen_.label(kNow, {0, y + 0.5f * line}, l.text, {14, l.color});
      y += line;
    }
    return top;
  }
  std::string through_text() const {
    const TurnCost& cost = view_.costs[3];
    return pen_.counted("scene.phases.sectors", cost.units, {{"n", std::to_string(cost.units)}});
  }

  // The phases in a row, each with what it costs this warp; the barrier between filling and reading the tile.
  float draw_cards() {
    const Palette& p = pen_.palette();
    const float gap = pen_.px(8), barrier = pen_.px(26), height = pen_.px(48);
    const float width = (pen_.width() - 2 * gap - barrier) / kPhases;
    float x = 0;
    for (int phase = 0; phase < kPhases; ++phase) {
      const bool now = phase == view_.now;
      Cell& card = pen_.framed(kBack, {x, 0, width, height}, now ? mix(p.cell, p.accent, 0.16f) : p.cell,
                               now ? p.accent : p.line, now ? std::max(1.5f, pen_.px(2)) : 1);
      card.radius = pen_.px(6);
      const float inside = pen_.px(9), room = width - 2 * inside;
      pen_.label_within(kNow, {x + inside, 0.30f * height}, room,
                        std::to_string(phase + 1) + "  " + pen_.text("scene.phases." + std::to_string(phase)),
                        {14, p.text, Align::Left, Font::Words, true});
      pen_.label_within(kNow, {x + inside, 0.72f * height}, room, cost_text(phase),
                        {13, cost_color(phase), Align::Left, Font::Words, true});
      if (is_costly(phase)) {
        Cell& bar =
            pen_.cell(kNow, {x + width - pen_.px(26), 0.62f * height, pen_.px(18), 0.2f * height}, p.costly);
        bar.hatch = pen_.px(5), bar.hatch_color = p.cell;
      }
      x += width;
      if (phase == 1) {
        const bool passed = view_.now >= 2;
        for (const float at : {0.40f, 0.54f})
          pen_.cell(kNow, {x + at * barrier, 0.15f * height, pen_.px(2), 0.7f * height},
                    passed ? p.text : p.faint)
              .radius = 0;
        x += barrier;
      } else {
        x += gap;
      }
    }
    return height;
  }

  // A picture for each phase, as many beside each other as make them largest.
  void draw_stills(const Rect& room) {
    const int count = static_cast<int>(view_.moments.size());
    const int columns = room.width > 2.2f * room.height ? count : std::min(count, 2);
    const int rows = (count + columns - 1) / columns;
    const float gap = pen_.px(18), head = pen_.px(24);
    const float width = (room.width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    const float height = (room.height - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows);
    for (int i = 0; i < count; ++i) {
      const TurnMoment& moment = view_.moments[static_cast<std::size_t>(i)];
      const Rect r{room.x + static_cast<float>(i % columns) * (width + gap),
                   room.y + static_cast<float>(i / columns) * (height + gap), width, height};
      const Palette& p = pen_.palette();
      const Type type{14, moment.phase == view_.now ? p.text : p.secondary, Align::Left, Font::Words, true};
      const Type cost{14, cost_color(moment.phase), Align::Right, Font::Words, true};
      const std::string text = cost_text(moment.phase);
      pen_.label(kNow, {r.x + r.width, r.y + 0.5f * head}, text, cost);
      pen_.label_within(
          kNow, {r.x, r.y + 0.5f * head}, r.width - pen_.width_of(text, cost) - pen_.px(8),
          std::to_string(moment.phase + 1) + "  " + pen_.text("scene.phases." + std::to_string(moment.phase)),
          type);
      pen_.cell(kBack, {r.x, r.y + head, r.width, moment.phase == view_.now ? pen_.px(2) : 1.0f},
                moment.phase == view_.now ? p.accent : p.line);
      draw_moment(moment, {r.x, r.y + head + pen_.px(6), r.width, r.height - head - pen_.px(6)});
    }
  }

  struct Place {
    Rect rect;
    float cell = 0;
    Rect of(int row, int column) const {
      const float gap = cell >= 5 ? 1.0f : 0.0f;
      return {rect.x + cell * static_cast<float>(column), rect.y + cell * static_cast<float>(row), cell - gap,
              cell - gap};
    }
  };

  // Input, tile and output beside each other, and the warp's lanes below.
  void draw_moment(const TurnMoment& moment, const Rect& room) {
    const float head = pen_.px(22);
    float gap = pen_.px(26);
    const float lane = std::floor(std::min(pen_.px(22), room.width / kLanes));
    const float strip = (is_short() ? 0 : pen_.px(20)) + lane,
                between = std::clamp(0.16f * room.height, pen_.px(10), pen_.px(90));
    const TurnGrid* grids[] = {&view_.in, &view_.tile, &view_.out};
    int columns = 0, rows = 1;
    for (const TurnGrid* grid : grids) columns += grid->columns, rows = std::max(rows, grid->rows);
    const float high = room.height - head - strip - between;
    float cell =
        std::min((room.width - 2 * gap - 4) / static_cast<float>(columns), high / static_cast<float>(rows));
    cell = std::min(cell > 4 ? std::floor(cell) : cell, pen_.px(34));
    if (cell < 1) return;
    gap = std::clamp((room.width - 4 - cell * static_cast<float>(columns)) / 4, gap, pen_.px(110));
    const float used = cell * static_cast<float>(columns) + 2 * gap;
    const float spare = std::max(0.0f, high - cell * static_cast<float>(rows));
    const float y = room.y + head + std::floor(0.4f * spare);
    float x = room.x + std::floor(0.5f * (room.width - used));
    Place places[3];
    for (std::size_t i = 0; i < 3; ++i) {
      places[i] = {
          {x, y, cell * static_cast<float>(grids[i]->columns), cell * static_cast<float>(grids[i]->rows)},
          cell};
      draw_grid(*grids[i], places[i], i == 1 ? "scene.phases.shared" : "scene.phases.global",
                places[i].rect.width + (i == 2 ? 0 : gap - pen_.px(6)));
      x += places[i].rect.width + gap;
    }
    const float top = std::min(room.y + room.height - strip, y + cell * static_cast<float>(rows) + between);
    const Place lanes{{room.x + std::floor(0.5f * (room.width - lane * kLanes)), top, lane * kLanes, lane},
                      lane};
    draw_words(moment.in, places[0], moment, lanes);
    draw_words(moment.tile, places[1], moment, lanes);
    draw_words(moment.out, places[2], moment, lanes);
    draw_lanes(moment, lanes);
  }

  void draw_grid(const TurnGrid& grid, const Place& place, const char* name, float room) {
    const Palette& p = pen_.palette();
    pen_.cell(kBack, place.rect, p.cell).radius = 0;
    if (grid.padding > 0) {
      const float wide = place.cell * static_cast<float>(grid.padding);
      Cell& padding =
          pen_.framed(kBack, {place.rect.x + place.rect.width - wide, place.rect.y, wide, place.rect.height},
                      p.panel, p.line, 1);
      padding.radius = 0, padding.hatch = std::max(4.0f, pen_.px(5)), padding.hatch_color = p.hatch;
    }
    const Type type{13, p.secondary, Align::Left, Font::Words, true};
    const std::string whole = pen_.text(name, {{"name", grid.name}});
    pen_.label_within(kNow, {place.rect.x, place.rect.y - pen_.px(11)}, room,
                      pen_.width_of(whole, type) <= room ? whole : grid.name, type);
  }

  void draw_words(const std::vector<TurnCell>& words, const Place& place, const TurnMoment& moment,
                  const Place& lanes) {
    const Palette& p = pen_.palette();
    const bool loads = moment.phase == 0 || moment.phase == 2;
    const float t = eased(moment.progress);
    for (const TurnCell& word : words) {
      const Rect rect = place.of(word.row, word.column);
      const Color color = lane_color(p, word.colour);
      const bool now = word.lane >= 0;
      if (word.here) pen_.cell(kWords, rect, now ? color : mix(p.cell, color, 0.5f));
      if (!now) continue;
      Cell& frame =
          pen_.framed(kNow, {rect.x - 1, rect.y - 1, rect.width + 2, rect.height + 2}, with_alpha(p.text, 0),
                      p.text, std::clamp(0.16f * rect.width, 1.0f, pen_.px(2)));
      frame.radius = std::min(frame.radius, 2.0f);
      const Rect own = lanes.of(0, word.lane);
      const Point at = middle_of(rect), lane{own.x + 0.5f * own.width, own.y};
      Arc& arc = pen_.arc(kBack, loads ? at : lane, loads ? lane : at, with_alpha(color, 0.55f));
      arc.width = std::max(1.0f, pen_.px(1.2f));
      arc.drawn = moment.progress < 1 ? t : 1;
      if (word.here && takes_numbers(pen_, rect.width)) number(word.lane, rect, color);
      if (moment.progress >= 1 || moment.progress <= 0) continue;
      const Point from = loads ? at : middle_of(own), to = loads ? middle_of(own) : at;
      const float size = from.y == to.y ? own.width : std::min(own.width, std::max(rect.width, pen_.px(6)));
      const Point now_at = along(from, to, t);
      pen_.cell(kFlying, {now_at.x - 0.5f * size, now_at.y - 0.5f * size, size, size}, color);
    }
  }

  void number(int lane, const Rect& rect, Color ground) {
    const std::string text = std::to_string(lane);
    const float size = std::min(fitting_size(pen_, "00", rect.width, rect.height), 14.0f);
    const Color black{0, 0, 0, 1}, white{1, 1, 1, 1};
    if (size > 0)
      pen_.label(kNow, middle_of(rect), text,
                 {size, contrast(ground, black) >= contrast(ground, white) ? black : white, Align::Center,
                  Font::Code, true});
  }

  // Each lane with the word that it holds, in the word's colour; empty ones are framed.
  void draw_lanes(const TurnMoment& moment, const Place& lanes) {
    const Palette& p = pen_.palette();
    for (int lane = 0; lane < kLanes; ++lane) {
      const int held = moment.held[static_cast<std::size_t>(lane)];
      const Rect rect = lanes.of(0, lane);
      const Color ground = held >= 0 ? lane_color(p, held) : p.cell;
      pen_.framed(kWords, rect, ground, held >= 0 ? with_alpha(p.line, 0) : p.line, held >= 0 ? 0.0f : 1.0f);
      if (takes_numbers(pen_, rect.width)) number(lane, rect, ground);
      HotSpot spot;
      spot.rect = rect;
      spot.lane = lane;
      pen_.hot_spot(spot);
    }
    if (is_short()) return;
    pen_.label_within(kNow, {lanes.rect.x, lanes.rect.y + lanes.rect.height + pen_.px(11)}, lanes.rect.width,
                      pen_.text("scene.phases.lanes", {{"warp", std::to_string(moment.warp)}}),
                      {13, p.secondary});
  }

  const CornerTurnView& view_;
  Pen pen_;
};

}  // namespace

Scene corner_turn_scene(const CornerTurnView& view, const Canvas& canvas) {
  return TurnPicture(view, canvas).draw();
}

}  // namespace warplens::scene
