#include "app/scene/memory/corner_turn_scene.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/scene/memory/lane_marks.h"
#include "app/scene/text.h"

namespace warplens::scene {
namespace {

constexpr std::size_t kGrids = 0, kWords = 1, kNow = 2, kFlying = 3;
constexpr int kPhases = 4;
constexpr int kLanes = 32;
constexpr int kMostStripes = 8;  // of the words that a lane holds

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
    if (const TurnMoment* one = only_moment()) {
      const float cards = draw_cards();
      draw_moment(*one, {0, cards + gap, pen_.width(), foot - cards - 2 * gap});
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

  bool on_stage() const { return pen_.least_type() > 0; }  // where the grids are to be as large as they can
  bool is_short() const { return pen_.height() < pen_.px(420); }
  // Two panes beside each other on a projector: the words must give way.
  bool is_tiny() const { return pen_.height() < pen_.px(240); }
  bool is_narrow() const { return pen_.width() < pen_.px(480); }

  // Null: there is a strip of stills, and room for it.
  const TurnMoment* only_moment() const {
    if (view_.moments.size() > 1 && !is_tiny() && !is_narrow()) return nullptr;
    const auto now = std::find_if(view_.moments.begin(), view_.moments.end(),
                                  [&](const TurnMoment& m) { return m.phase == view_.now; });
    return now == view_.moments.end() ? &view_.moments.front() : &*now;
  }

  // What happens, why it is worth it, what the colours mean; gives where it begins.
  float draw_foot() {
    const float line = pen_.px(on_stage() ? 18 : 19), width = pen_.width();
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
    if (is_tiny()) return pen_.height();
    if (only_moment() != nullptr && !short_of_room)
      add(pen_.text("scene.phases.say." + std::to_string(view_.now) + (says_words() ? ".wide" : ""),
                    {{"banks", std::to_string(view_.banks)}, {"words", std::to_string(view_.words)}}),
          p.text, 2);
    if (view_.straight > 0)
      add(pen_.text(view_.words > 1 ? "scene.phases.why.wide" : "scene.phases.why",
                    {{"n", std::to_string(view_.straight)},
                     {"ideal", std::to_string(view_.straight_ideal)},
                     {"words", std::to_string(view_.words)},
                     {"through", through_text()}}),
          view_.straight > view_.straight_ideal ? p.costly : p.text, 2);
    // Words of one colour would puzzle; a lecturer says why.
    if (!on_stage()) add(pen_.text("scene.phases.colour"), p.secondary, 1);
    float y = pen_.height() - line * static_cast<float>(lines.size());
    const float top = y;
    for (const Line& l : lines) {
      pen_.label(kNow, {0, y + 0.5f * line}, l.text, {14, l.color});
      y += line;
    }
    return top;
  }
  // Reading the tile is the same for one word and for several.
  bool says_words() const { return view_.words > 1 && view_.now != 2; }
  std::string through_text() const {
    const TurnCost& cost = view_.costs[3];
    return pen_.counted("scene.phases.sectors", cost.units, {{"n", std::to_string(cost.units)}});
  }

  // The phases in a row, each with what it costs this warp; the barrier between filling and reading the tile.
  // In a narrow room the others are their numbers alone.
  float draw_cards() {
    const float gap = pen_.px(8), barrier = pen_.px(26), height = pen_.px(on_stage() ? 42 : 48),
                number = pen_.px(30);
    const float room = pen_.width() - 2 * gap - barrier;
    float x = 0;
    for (int phase = 0; phase < kPhases; ++phase) {
      const bool whole = !is_narrow() || phase == view_.now;
      const float width = !is_narrow() ? room / kPhases : whole ? room - (kPhases - 1) * number : number;
      draw_card(phase, {x, 0, width, height}, whole);
      x += width;
      if (phase == 1) draw_barrier(x, barrier, height);
      x += phase == 1 ? barrier : gap;
    }
    return height;
  }

  void draw_card(int phase, const Rect& rect, bool whole) {
    const Palette& p = pen_.palette();
    const bool now = phase == view_.now;
    Cell& card = pen_.framed(kGrids, rect, now ? mix(p.cell, p.accent, 0.16f) : p.cell,
                             now ? p.accent : p.line, now ? std::max(1.5f, pen_.px(2)) : 1);
    card.radius = pen_.px(6);
    const std::string number = std::to_string(phase + 1);
    const Type type{14, p.text, Align::Left, Font::Words, true};
    if (!whole) {
      Type alone = type;
      alone.align = Align::Center;
      pen_.label(kNow, {rect.x + 0.5f * rect.width, 0.5f * rect.height}, number, alone);
      return;
    }
    const float inside = pen_.px(9), room = rect.width - 2 * inside, upper = 0.30f * rect.height;
    const std::string name = number + "  " + pen_.text("scene.phases." + std::to_string(phase));
    pen_.label_within(kNow, {rect.x + inside, upper}, room, name, type);
    draw_turn(phase, {rect.x + rect.width - inside, upper}, room - pen_.width_of(name, type) - pen_.px(8));
    pen_.label_within(kNow, {rect.x + inside, 0.72f * rect.height}, room, cost_text(phase),
                      {13, mix(cost_color(phase), p.text, 0.35f), Align::Left, Font::Words, true});
    if (!is_costly(phase)) return;
    Cell& bar = pen_.cell(
        kNow, {rect.x + rect.width - pen_.px(26), 0.62f * rect.height, pen_.px(18), 0.2f * rect.height},
        p.costly);
    bar.hatch = pen_.px(5), bar.hatch_color = p.cell;
  }

  void draw_barrier(float x, float width, float height) {
    const Color color = view_.now >= 2 ? pen_.palette().text : pen_.palette().faint;
    for (const float at : {0.40f, 0.54f})
      pen_.cell(kNow, {x + at * width, 0.15f * height, pen_.px(2), 0.7f * height}, color).radius = 0;
  }

  // "3/16": of the accesses that this warp makes in the phase, where they are several and there is room.
  void draw_turn(int phase, Point end, float room) {
    const TurnCost& cost = view_.costs[static_cast<std::size_t>(phase)];
    if (cost.accesses < 2) return;
    const std::string text =
        (cost.access > 0 ? std::to_string(cost.access) + "/" : "×") + std::to_string(cost.accesses);
    const Type type{13, pen_.palette().secondary, Align::Right, Font::Code};
    if (pen_.width_of(text, type) <= room) pen_.label(kNow, end, text, type);
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
      pen_.cell(kGrids, {r.x, r.y + head, r.width, moment.phase == view_.now ? pen_.px(2) : 1.0f},
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
    const float strip = (is_short() ? 0 : pen_.px(20)) + lane + stack_height(),
                between = std::clamp((on_stage() ? 0.08f : 0.16f) * room.height, pen_.px(10), pen_.px(90));
    const TurnGrid* grids[] = {&view_.in, &view_.tile, &view_.out};
    int columns = 0, rows = 1;
    for (const TurnGrid* grid : grids) columns += grid->columns, rows = std::max(rows, grid->rows);
    const float high = room.height - head - strip - between;
    float cell =
        std::min((room.width - 2 * gap - 4) / static_cast<float>(columns), high / static_cast<float>(rows));
    cell = std::min(cell > 4 ? std::floor(cell) : cell, pen_.px(34));
    if (cell < 1) {
      float line = room.y + 0.3f * room.height;
      const float size = pen_.px(std::max(14.0f, pen_.least_type()));
      for (const std::string& piece : wrapped(pen_.text("scene.phases.no_room"), room.width, size, 2)) {
        pen_.label(kNow, {room.x, line}, piece, {14, pen_.palette().secondary});
        line += 1.4f * size;
      }
      return;
    }
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
    pen_.cell(kGrids, place.rect, p.cell).radius = 0;
    if (grid.padding > 0) {
      const float wide = place.cell * static_cast<float>(grid.padding);
      Cell& padding =
          pen_.framed(kGrids, {place.rect.x + place.rect.width - wide, place.rect.y, wide, place.rect.height},
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
    std::array<Taken, kLanes> taken;
    for (const TurnCell& word : words) {
      const Rect rect = place.of(word.row, word.column);
      const Color color = lane_color(p, word.colour);
      if (word.here) pen_.cell(kWords, rect, word.lane >= 0 ? color : mix(p.cell, color, 0.5f));
      if (word.lane >= 0) taken[static_cast<std::size_t>(word.lane)].add(rect, word);
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      if (taken[static_cast<std::size_t>(lane)].any)
        draw_taken(lane, taken[static_cast<std::size_t>(lane)], place, moment, lanes);
    }
  }

  // What one lane accesses in a grid: a word, or the neighbouring ones of a wide access as one.
  struct Taken {
    Rect rect;
    bool any = false, here = false;
    int colour = 0;
    void add(const Rect& r, const TurnCell& word) {
      const float left = any ? std::min(rect.x, r.x) : r.x, top = any ? std::min(rect.y, r.y) : r.y;
      const float end = any ? std::max(rect.x + rect.width, r.x + r.width) : r.x + r.width;
      const float foot = any ? std::max(rect.y + rect.height, r.y + r.height) : r.y + r.height;
      rect = {left, top, end - left, foot - top};
      any = true, here = word.here, colour = word.colour;
    }
  };
  void draw_taken(int number_of_lane, const Taken& taken, const Place& place, const TurnMoment& moment,
                  const Place& lanes) {
    const Palette& p = pen_.palette();
    const bool loads = moment.phase == 0 || moment.phase == 2;
    const float t = eased(moment.progress);
    const Rect& rect = taken.rect;
    const Color color = lane_color(p, taken.colour);
    Cell& frame =
        pen_.framed(kNow, {rect.x - 1, rect.y - 1, rect.width + 2, rect.height + 2}, with_alpha(p.text, 0),
                    p.text, std::clamp(0.16f * place.cell, 1.0f, pen_.px(2)));
    frame.radius = std::min(frame.radius, 2.0f);
    const Rect own = lanes.of(0, number_of_lane);
    const Point at = middle_of(rect), lane{own.x + 0.5f * own.width, own.y};
    Arc& arc = pen_.arc(kGrids, loads ? at : lane, loads ? lane : at, with_alpha(color, 0.55f));
    arc.width = std::max(1.0f, pen_.px(1.2f));
    arc.drawn = moment.progress < 1 ? t : 1;
    if (taken.here && takes_numbers(pen_, rect.width, rect.height)) number(number_of_lane, rect, color);
    if (moment.progress >= 1 || moment.progress <= 0) return;
    const Point from = loads ? at : middle_of(own), to = loads ? middle_of(own) : at;
    const float size = from.y == to.y ? own.width : std::min(own.width, std::max(rect.width, pen_.px(6)));
    const Point now_at = along(from, to, t);
    pen_.cell(kFlying, {now_at.x - 0.5f * size, now_at.y - 0.5f * size, size, size}, color);
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

  // Where a lane holds several words: stripes below its number, one a word.
  bool stacks() const { return view_.deepest > 1 && !is_tiny(); }
  float stripe() const { return pen_.px(view_.deepest > 4 ? 4.0f : 6.0f); }
  float stack_height() const {
    return stacks() ? stripe() * static_cast<float>(std::min(view_.deepest, kMostStripes)) + pen_.px(2) : 0;
  }

  // Each lane with the word that it holds, in the word's colour; empty ones are framed.
  void draw_lanes(const TurnMoment& moment, const Place& lanes) {
    const Palette& p = pen_.palette();
    for (int lane = 0; lane < kLanes; ++lane) {
      const std::vector<int>& held = moment.held[static_cast<std::size_t>(lane)];
      const Rect rect = lanes.of(0, lane);
      const bool coloured = !held.empty() && !stacks();
      const Color ground = coloured ? lane_color(p, held.front()) : p.cell;
      pen_.framed(kWords, rect, ground, coloured ? with_alpha(p.line, 0) : p.line, coloured ? 0.0f : 1.0f);
      if (takes_numbers(pen_, rect.width, rect.height)) number(lane, rect, ground);
      for (std::size_t i = 0; stacks() && i < std::min<std::size_t>(held.size(), kMostStripes); ++i)
        pen_.cell(kWords,
                  {rect.x, rect.y + rect.height + pen_.px(2) + stripe() * static_cast<float>(i), rect.width,
                   stripe() - 1},
                  lane_color(p, held[i]))
            .radius = 1;
      HotSpot spot;
      spot.rect = rect;
      spot.lane = lane;
      pen_.hot_spot(spot);
    }
    if (is_short()) return;
    pen_.label_within(kNow, {lanes.rect.x, lanes.rect.y + lanes.rect.height + stack_height() + pen_.px(11)},
                      lanes.rect.width,
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
