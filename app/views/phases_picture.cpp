// The picture of a corner turn's phases; see phases.h.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/views/drawing.h"
#include "app/views/phases.h"

namespace warplens::views {
namespace {

// The way of a word between a lane and its place in a grid below.
//
//    ▮ lane        from the lane to the edge of the grid, above the column of the word: an arc, over no grid
//     ╲
//   ╭──╮ edge      along the column to the word: straight; lanes of one column share it, as they share a bank
//   │ ▪│ word
struct TurnWay {
  Point lane, edge, word;  // edge and word are above each other

  // The arc's share of the way's length: 0 to 1.
  float bent() const {
    const float arc = std::hypot(edge.x - lane.x, edge.y - lane.y), down = word.y - edge.y;
    return arc + down > 0 ? arc / (arc + down) : 1;
  }
  // How much of the arc, and of what is straight, lies before `t` of the way from the lane.
  float of_arc(float t) const { return bent() > 0 ? std::min(t / bent(), 1.0f) : 1; }
  float of_straight(float t) const { return bent() < 1 ? std::max((t - bent()) / (1 - bent()), 0.0f) : 0; }
  Point at(float t) const {
    if (t > bent()) return {word.x, edge.y + (word.y - edge.y) * of_straight(t)};
    return along_arc(lane, edge, of_arc(t));
  }
};

constexpr std::size_t kGrids = 0, kWords = 1, kNow = 2, kFlying = 3;
constexpr int kPhases = 4;
constexpr int kLanes = 32;
constexpr int kMostStripes = 8;  // of the words that a lane holds

Point middle_of(const Rect& r) {
  return {r.x + 0.5f * r.width, r.y + 0.5f * r.height};
}

class TurnPicture {
 public:
  TurnPicture(const CornerTurnView& view, const Canvas& canvas) : view_(view), pen_(canvas) {}

  Scene draw() {
    const std::string phase = pen_.text("scene.phases." + std::to_string(view_.now));
    pen_.scene().title = pen_.text("scene.phases.title", {{"n", view_.now + 1}, {"warp", view_.warp}});
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
                                          cost.units, {{"n", cost.units}});
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
    const auto now =
        std::ranges::find_if(view_.moments, [&](const TurnMoment& m) { return m.phase == view_.now; });
    return now == view_.moments.end() ? &view_.moments.front() : &*now;
  }

  // What happens, why it is worth it, what the colours mean; gives where it begins.
  float draw_foot() {
    std::vector<Pen::Paragraph> words;
    const Palette& p = pen_.palette();
    if (is_tiny()) return pen_.height();
    // Presenting, the grids need the room more than words that a teacher says anyway.
    if (only_moment() != nullptr && !is_short())
      words.push_back(
          {pen_.counted("scene.phases.say." + std::to_string(view_.now) + (says_words() ? ".wide" : ""),
                        view_.now == 2 ? view_.banks : 0, {{"banks", view_.banks}, {"words", view_.words}}),
           p.text});
    if (view_.straight > 0)
      words.push_back({pen_.text(view_.words > 1 ? "scene.phases.why.wide" : "scene.phases.why",
                                 {{"n", view_.straight},
                                  {"ideal", view_.straight_ideal},
                                  {"words", view_.words},
                                  {"through", through_text()}}),
                       view_.straight > view_.straight_ideal ? p.costly : p.text});
    // Words of one colour would puzzle; a lecturer says why.
    if (!on_stage()) words.push_back({pen_.text("scene.phases.colour"), p.secondary, 1});
    return pen_.foot(kNow, words, pen_.px(on_stage() ? 18 : 19));
  }
  // Reading the tile is the same for one word and for several.
  bool says_words() const { return view_.words > 1 && view_.now != 2; }
  std::string through_text() const {
    const TurnCost& cost = view_.costs[3];
    return pen_.counted("scene.phases.sectors", cost.units, {{"n", cost.units}});
  }

  // The phases in a row, each with what it costs this warp; the barrier between filling and reading the tile.
  float draw_cards() {
    const float gap = pen_.px(8), barrier = pen_.px(26), height = pen_.px(on_stage() ? 42 : 48);
    const float width = (pen_.width() - 2 * gap - barrier) / kPhases;
    float x = 0;
    for (int phase = 0; phase < kPhases; ++phase) {
      draw_card(phase, {x, 0, width, height});
      x += width;
      if (phase == 1) draw_barrier(x, barrier, height);
      x += phase == 1 ? barrier : gap;
    }
    return height;
  }

  void draw_card(int phase, const Rect& rect) {
    const Palette& p = pen_.palette();
    const bool now = phase == view_.now;
    pen_.framed(kGrids, rect, now ? mix(p.cell, p.accent, 0.08f) : p.cell, now ? p.accent : p.line,
                now ? std::max(1.5f, pen_.px(2)) : 1)
        .rounded(pen_.px(6));
    const std::string number = std::to_string(phase + 1);
    const Type type{14, p.text, Align::Left, Font::Words, true};
    const float inside = pen_.px(9), room = rect.width - 2 * inside, upper = 0.30f * rect.height;
    const std::string name = number + "  " + pen_.text("scene.phases." + std::to_string(phase));
    pen_.label_fitting(kNow, {rect.x + inside, upper}, room, {name, number}, type);
    draw_turn(phase, {rect.x + rect.width - inside, upper}, room - pen_.width_of(name, type) - pen_.px(8));
    const float beside = is_costly(phase) && room > pen_.px(60) ? pen_.px(26) : 0;  // a hatched mark
    pen_.label_fitting(kNow, {rect.x + inside, 0.72f * rect.height}, room - beside,
                       {cost_text(phase), std::to_string(view_.costs[static_cast<std::size_t>(phase)].units)},
                       {13, mix(cost_color(phase), p.text, 0.35f), Align::Left, Font::Words, true});
    if (beside > 0)
      pen_.cell(kNow,
                {rect.x + rect.width - pen_.px(26), 0.62f * rect.height, pen_.px(18), 0.2f * rect.height},
                p.costly)
          .hatched(pen_.px(5), p.cell);
  }

  void draw_barrier(float x, float width, float height) {
    const Color color = view_.now >= 2 ? pen_.palette().text : pen_.palette().faint;
    for (const float at : {0.40f, 0.54f})
      pen_.sharp(kNow, {x + at * width, 0.15f * height, pen_.px(2), 0.7f * height}, color);
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
      const std::string number = std::to_string(moment.phase + 1),
                        name = number + "  " + pen_.text("scene.phases." + std::to_string(moment.phase));
      pen_.label_fitting(kNow, {r.x, r.y + 0.5f * head}, r.width - pen_.width_of(text, cost) - pen_.px(8),
                         {name, number}, type);
      pen_.cell(kGrids, {r.x, r.y + head, r.width, moment.phase == view_.now ? pen_.px(2) : 1.0f},
                moment.phase == view_.now ? p.accent : p.line);
      draw_moment(moment, {r.x, r.y + head + pen_.px(6), r.width, r.height - head - pen_.px(6)});
    }
  }

  // The warp's lanes above, and below them input, tile and output beside each other: what goes sideways goes
  // between them, where no grid is.
  void draw_moment(const TurnMoment& moment, const Rect& room) {
    const float name = pen_.px(20), lane = std::floor(std::min(pen_.px(22), room.width / kLanes));
    const float head = is_short() ? 0 : pen_.px(22), strip = head + lane + stack_height();
    const float least = std::clamp(0.1f * room.height, pen_.px(10), pen_.px(44));
    const Point cell = cell_in(room.width, room.height - strip - least - name);
    if (cell.x < 1 || cell.y < 1) return say_no_room(room);
    const TurnGrid* grids[] = {&view_.in, &view_.tile, &view_.out};
    const float wide = cell.x * static_cast<float>(columns()), high = cell.y * static_cast<float>(rows());
    const float gap = std::clamp((room.width - 4 - wide) / 4, least_gap(), pen_.px(110));
    // What is left goes to the way between them, and around.
    const float spare = std::max(0.0f, room.height - strip - least - name - high);
    const float between = std::floor(least + std::min(0.5f * spare, pen_.px(70)));
    const float top = room.y + std::floor(0.4f * std::max(0.0f, spare - (between - least)));
    const CellGrid lanes{
        {room.x + std::floor(0.5f * (room.width - lane * kLanes)), top + head, lane * kLanes, lane},
        {lane, lane}};
    Point at{room.x + std::floor(0.5f * (room.width - wide - 2 * gap)), top + strip + between};
    const std::vector<TurnCell>* words[] = {&moment.in, &moment.tile, &moment.out};
    for (std::size_t i = 0; i < 3; ++i) {
      const CellGrid place{{at.x, at.y, cell.x * static_cast<float>(grids[i]->columns),
                            cell.y * static_cast<float>(grids[i]->rows)},
                           cell};
      draw_grid(*grids[i], place, i == 1 ? "scene.phases.shared" : "scene.phases.global",
                place.rect.width + (i == 2 ? 0 : gap - pen_.px(6)));
      draw_words(*words[i], place, moment, lanes);
      at.x += place.rect.width + gap;
    }
    draw_lanes(moment, lanes);
  }

  int columns() const { return view_.in.columns + view_.tile.columns + view_.out.columns; }
  int rows() const { return std::max({1, view_.in.rows, view_.tile.rows, view_.out.rows}); }
  float least_gap() const { return pen_.px(is_narrow() ? 12 : 22); }

  // Words as large as the room allows, of whole pixels: neither side more than so many times the other.
  Point cell_in(float width, float height) const {
    constexpr float kMostFlat = 2, kMostUpright = 1.5f;
    Point cell{(width - 2 * least_gap() - 4) / static_cast<float>(columns()),
               height / static_cast<float>(rows())};
    cell = {std::min({cell.x, kMostFlat * cell.y, pen_.px(34)}),
            std::min({cell.y, kMostUpright * cell.x, pen_.px(34)})};
    return {cell.x > 4 ? std::floor(cell.x) : cell.x, cell.y > 4 ? std::floor(cell.y) : cell.y};
  }

  void say_no_room(const Rect& room) {
    const Type type{14, pen_.palette().secondary};
    const float step = 1.4f * pen_.size_of(type);
    pen_.lines(kNow, {room.x, room.y + 0.3f * room.height - 0.5f * step},
               pen_.lines_of(pen_.text("scene.phases.no_room"), room.width, type, 2), step, type);
  }

  void draw_grid(const TurnGrid& grid, const CellGrid& place, const char* name, float room) {
    const Palette& p = pen_.palette();
    pen_.sharp(kGrids, place.rect, p.cell);
    if (grid.padding > 0) {
      const float wide = place.cell.x * static_cast<float>(grid.padding);
      pen_.framed(kGrids, {place.rect.x + place.rect.width - wide, place.rect.y, wide, place.rect.height},
                  p.panel, p.line, 1)
          .rounded(0)
          .hatched(std::max(4.0f, pen_.px(5)), p.hatch);
    }
    // Below: what comes from above would cross it.
    const Type type{13, p.secondary, Align::Left, Font::Words, true};
    pen_.label_fitting(kNow, {place.rect.x, place.rect.y + place.rect.height + pen_.px(10)}, room,
                       {pen_.text(name, {{"name", grid.name}}), grid.name}, type);
  }

  void draw_words(const std::vector<TurnCell>& words, const CellGrid& place, const TurnMoment& moment,
                  const CellGrid& lanes) {
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

  TurnWay way_of(int number_of_lane, const Rect& word, const CellGrid& place, const CellGrid& lanes) const {
    const Rect own = lanes.of(0, number_of_lane);
    const Point word_at = middle_of(word);
    return {
        {own.x + 0.5f * own.width, own.y + own.height + stack_height()}, {word_at.x, place.rect.y}, word_at};
  }

  void draw_taken(int number_of_lane, const Taken& taken, const CellGrid& place, const TurnMoment& moment,
                  const CellGrid& lanes) {
    const Palette& p = pen_.palette();
    const bool loads = moment.phase == 0 || moment.phase == 2;
    const float t = eased(moment.progress), drawn = moment.progress < 1 ? t : 1;
    const Rect& rect = taken.rect;
    const Color color = lane_color(p, taken.colour);
    Cell& frame = pen_.outline(kNow, {rect.x - 1, rect.y - 1, rect.width + 2, rect.height + 2}, p.text,
                               std::clamp(0.16f * std::min(rect.width, rect.height), 1.0f, pen_.px(2)));
    frame.radius = std::min(frame.radius, 2.0f);
    const TurnWay way = way_of(number_of_lane, rect, place, lanes);
    draw_way(way, loads, drawn, color);
    if (taken.here && takes_numbers(pen_, rect.width, rect.height))
      draw_number(&pen_, kNow, rect, std::to_string(number_of_lane), color);
    else
      draw_end(way.word, rect);
    if (moment.progress >= 1 || moment.progress <= 0) return;
    const float size = std::min(lanes.cell.x, std::max(rect.width, pen_.px(6)));
    const Point now_at = way.at(loads ? 1 - t : t);
    pen_.cell(kFlying, {now_at.x - 0.5f * size, now_at.y - 0.5f * size, size, size}, color);
  }

  // As far as it has come: a load from the word, a store from the lane.
  void draw_way(const TurnWay& way, bool loads, float drawn, const Color& color) {
    const Palette& p = pen_.palette();
    const float thick = std::max(1.0f, pen_.px(1.2f));
    const float part = loads ? 1 - way.of_straight(1 - drawn) : way.of_straight(drawn);
    const float down = (way.word.y - way.edge.y) * part;
    const float from = loads ? way.word.y - down : way.edge.y;
    pen_.sharp(kNow, {way.word.x - 0.5f * thick, from, thick, down}, mix(color, p.text, 0.35f));
    Arc& arc =
        pen_.arc(kNow, loads ? way.edge : way.lane, loads ? way.lane : way.edge, with_alpha(color, 0.75f));
    arc.width = thick;
    arc.drawn = loads ? 1 - way.of_arc(1 - drawn) : way.of_arc(drawn);
  }

  // Where it ends, in a word without a number.
  void draw_end(Point at, const Rect& word) {
    const float size =
        std::clamp(0.5f * std::min(word.width, word.height), std::min(2.0f, word.width), pen_.px(6));
    pen_.cell(kNow, {at.x - 0.5f * size, at.y - 0.5f * size, size, size}, pen_.palette().text)
        .rounded(0.5f * size);
  }

  // Where a lane holds several words: stripes below its number, one a word.
  bool stacks() const { return view_.deepest > 1 && !is_tiny(); }
  float stripe() const { return pen_.px(view_.deepest > 4 ? 4.0f : 6.0f); }
  float stack_height() const {
    return stacks() ? stripe() * static_cast<float>(std::min(view_.deepest, kMostStripes)) + pen_.px(2) : 0;
  }

  // Each lane with the word that it holds, in the word's colour; empty ones are framed.
  void draw_lanes(const TurnMoment& moment, const CellGrid& lanes) {
    const Palette& p = pen_.palette();
    for (int lane = 0; lane < kLanes; ++lane) {
      const std::vector<int>& held = moment.held[static_cast<std::size_t>(lane)];
      const Rect rect = lanes.of(0, lane);
      const bool coloured = !held.empty() && !stacks();
      const Color ground = coloured ? lane_color(p, held.front()) : p.cell;
      pen_.framed(kWords, rect, ground, coloured ? with_alpha(p.line, 0) : p.line, coloured ? 0.0f : 1.0f);
      draw_number(&pen_, kNow, rect, std::to_string(lane), ground);
      for (std::size_t i = 0; stacks() && i < std::min<std::size_t>(held.size(), kMostStripes); ++i)
        pen_.cell(kWords,
                  {rect.x, rect.y + rect.height + pen_.px(2) + stripe() * static_cast<float>(i), rect.width,
                   stripe() - 1},
                  lane_color(p, held[i]))
            .radius = 1;
      pen_.hot_spot({.rect = rect, .lane = lane});
    }
    if (is_short()) return;
    pen_.label_within(kNow, {lanes.rect.x, lanes.rect.y - pen_.px(11)}, lanes.rect.width,
                      pen_.text("scene.phases.lanes", {{"warp", moment.warp}}), {13, p.secondary});
  }

  const CornerTurnView& view_;
  Pen pen_;
};

}  // namespace

Scene corner_turn_scene(const CornerTurnView& view, const Canvas& canvas) {
  return TurnPicture(view, canvas).draw();
}

}  // namespace warplens::views
