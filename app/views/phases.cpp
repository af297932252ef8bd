#include "app/views/phases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>
#include <unordered_map>

#include "app/scene/memory/array_inset.h"
#include "app/simulate/matrix_shape.h"
#include "app/views/drawing.h"
#include "app/views/inputs.h"

namespace warplens::views {
namespace {

using app::Compiled;
using app::PricedEvent;
using app::Simulation;
using memory::Address;

// ---- following the words

constexpr int kMostSide = 128, kMostPadding = 32;

TurnPhase phase_of(const memory::WarpAccess& access) {
  const bool load = app::loads(access);
  if (access.space == memory::Space::Shared) return load ? TurnPhase::ReadTile : TurnPhase::FillTile;
  return load ? TurnPhase::ReadRows : TurnPhase::WriteRows;
}

// `why_` is what was found out last, from false.
class Follower {
 public:
  Follower(const Compiled& compiled, const sim::Trace& trace, CornerTurn* turn)
      : compiled_(compiled), trace_(trace), turn_(*turn) {}

  bool follow() {
    if (std::ranges::none_of(trace_.events,
                             [](const sim::TraceEvent& e) { return e.space == memory::Space::Shared; }))
      // What comes by TMA and goes to wgmma is computed with, and no warp's access sees it.
      return no(compiled_.uncounted.empty() ? NoTurn::NoTile : NoTurn::Computed);
    if (std::ranges::any_of(trace_.events, [&](const sim::TraceEvent& e) {
          const memory::Op op = compiled_.program.sites[e.site].op;
          return memory::is_atomic(op);
        }))
      return no(NoTurn::Atomic);
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
      if (i >= kMostTurned) return no(NoTurn::TooLarge);
      if (!take(static_cast<std::uint32_t>(i))) return false;
    }
    if (trace_.error) return no(NoTurn::Unfinished);
    if (turn_.elements.empty() || written_ != turn_.elements.size()) return no(NoTurn::Computed);
    return place(0, 0) && place(2, 3) && place_tile() && is_transpose();
  }
  NoTurn why() const { return why_; }
  const std::string& array() const { return array_; }

 private:
  bool no(NoTurn why, const std::string& array = {}) {
    why_ = why;
    array_ = array;
    return false;
  }

  bool take(std::uint32_t index) {
    const memory::WarpAccess access = trace_.access(compiled_.program, index);
    const TurnPhase phase = phase_of(access);
    const auto step = static_cast<std::size_t>(phase);
    if (!measure(index, access.bytes, phase)) return false;
    const std::string& array = compiled_.program.sites[trace_.events[index].site].array;
    std::string& known = arrays_[step == 2 ? 1 : step];
    if (known.empty()) known = array;
    if (known != array) return no(NoTurn::Several);
    turn_.phase_of.push_back(static_cast<std::uint8_t>(phase));
    const std::uint32_t warp = trace_.events[index].warp;
    bool good = true;
    app::each_word(access, bytes_, [&](int lane, Address address) {
      if (!good) return;
      const std::optional<std::size_t> element =
          find(phase, warp * memory::kWarpLanes + static_cast<std::uint32_t>(lane), address);
      good = element.has_value();
      if (!good) return;
      turn_.elements[*element].events[step] = index;
      turn_.elements[*element].lanes[step] = lane;
    });
    return good;
  }

  // How long a word is: as long as the input's elements; accesses move whole ones.
  bool measure(std::uint32_t index, int access_bytes, TurnPhase phase) {
    if (bytes_ == 0) {
      const int parameter = app::parameter_of(compiled_.program, trace_.events[index].base);
      if (phase != TurnPhase::ReadRows || parameter < 0) return no(NoTurn::Computed);
      bytes_ = std::max(compiled_.program.parameters[static_cast<std::size_t>(parameter)].element_bytes, 1);
    }
    if (access_bytes < bytes_ || access_bytes % bytes_ != 0) return no(NoTurn::Computed);
    if (phase == TurnPhase::ReadRows || phase == TurnPhase::WriteRows)
      turn_.words = std::max(turn_.words, access_bytes / bytes_);
    return true;
  }

  // The element that a thread moves; a thread stores its words in the order in which it loaded them.
  std::optional<std::size_t> find(TurnPhase phase, std::uint32_t thread, Address address) {
    std::deque<std::size_t>& holds = holds_[thread];
    const auto take_up = [&](std::size_t element) {
      holds.push_back(element);
      turn_.deepest = std::max(turn_.deepest, static_cast<int>(holds.size()));
      return element;
    };
    if (phase == TurnPhase::ReadRows) {
      if (turn_.elements.size() >= kMostTurned) return no(NoTurn::TooLarge), std::nullopt;
      TurnedElement& element = turn_.elements.emplace_back();
      element.at = {{{address}, {~Address{0}}, {}}};
      return take_up(turn_.elements.size() - 1);
    }
    if (phase == TurnPhase::ReadTile) {
      const auto at = in_tile_.find(address);
      if (at == in_tile_.end()) return no(NoTurn::Computed), std::nullopt;
      return take_up(at->second);
    }
    if (holds.empty()) return no(NoTurn::Computed), std::nullopt;
    const std::size_t element = holds.front();
    holds.pop_front();
    if (phase == TurnPhase::FillTile) {
      turn_.elements[element].at[1].address = address;
      in_tile_[address] = element;
    } else {
      if (!in_tile_.contains(turn_.elements[element].at[1].address))  // straight from the input
        return no(NoTurn::Computed), std::nullopt;
      turn_.elements[element].at[2].address = address;
      ++written_;
    }
    return element;
  }

  bool place(std::size_t grid, std::size_t array) {
    const int parameter = app::parameter_of(compiled_.program, turn_.elements.front().at[grid].address);
    if (parameter < 0) return no(NoTurn::Computed);
    const scene::MatrixShape shape = app::matrix_shape(compiled_, trace_, parameter);
    if (!shape.known) return no(NoTurn::UnknownRows, arrays_[array]);
    if (shape.element_bytes != bytes_) return no(NoTurn::Computed);
    app::RowsAndColumns box;
    for (TurnedElement& e : turn_.elements) {
      TurnedElement::Place& at = e.at[grid];
      if (app::parameter_of(compiled_.program, at.address) != parameter) return no(NoTurn::Several);
      const auto byte = static_cast<std::int64_t>(at.address % sim::kBufferSpacing);
      at.row = static_cast<int>(byte / shape.row_bytes());
      at.column = static_cast<int>(byte % shape.row_bytes() / bytes_);
      box.add(at.row, at.column);
    }
    for (TurnedElement& e : turn_.elements)
      e.at[grid].row -= static_cast<int>(box.top), e.at[grid].column -= static_cast<int>(box.left);
    turn_.grids[grid] = {arrays_[array], static_cast<int>(box.rows()), static_cast<int>(box.columns()), 0};
    return (box.rows() <= kMostSide && box.columns() <= kMostSide) || no(NoTurn::TooLarge);
  }

  bool place_tile() {
    const auto& arrays = compiled_.program.shared_arrays;
    const auto array = std::ranges::find_if(arrays, [&](const auto& a) { return a.name == arrays_[1]; });
    if (array == arrays.end() || array->extents.size() != 2 || array->extents.back() <= 0)
      return no(NoTurn::TileShape, arrays_[1]);
    const std::int64_t columns = array->extents.back();
    app::RowsAndColumns box;
    for (TurnedElement& e : turn_.elements) {
      TurnedElement::Place& at = e.at[1];
      const std::int64_t index = (static_cast<std::int64_t>(at.address) - array->offset) / bytes_;
      at.row = static_cast<int>(index / columns);
      at.column = static_cast<int>(index % columns);
      box.add(at.row, at.column);
    }
    const int padding = scene::padding_words(*array, compiled_.settings.values) * 4 / bytes_;
    TurnGrid& tile = turn_.grids[1];
    tile = {arrays_[1], static_cast<int>(std::max(array->extents[0], box.bottom + 1)),
            static_cast<int>(columns), padding};
    return (tile.rows <= kMostSide && tile.columns <= kMostSide + kMostPadding) || no(NoTurn::TooLarge);
  }

  bool is_transpose() {
    const auto turned = [](const TurnedElement& e) {
      return e.at[2].row == e.at[0].column && e.at[2].column == e.at[0].row;
    };
    return std::ranges::all_of(turn_.elements, turned) || no(NoTurn::NotTransposed);
  }

  const Compiled& compiled_;
  const sim::Trace& trace_;
  CornerTurn& turn_;
  NoTurn why_ = NoTurn::NoTile;
  std::string array_;
  int bytes_ = 0;
  std::size_t written_ = 0;
  std::unordered_map<std::uint32_t, std::deque<std::size_t>> holds_;  // by thread
  std::unordered_map<Address, std::size_t> in_tile_;
  std::array<std::string, kTurnPhases> arrays_;
};

FollowedTurn follow_turn(std::shared_ptr<const Compiled> compiled, std::shared_ptr<const sim::Trace> trace) {
  auto turn = std::make_shared<CornerTurn>();
  turn->compiled = std::move(compiled);
  turn->trace = std::move(trace);
  Follower follower(*turn->compiled, *turn->trace, turn.get());
  if (!follower.follow()) return {nullptr, follower.why(), follower.array()};
  return {std::move(turn), {}, {}};
}

// What the words that one access reads would cost if each lane stored its own where they have to go, one
// after another.
void price_straight(const CornerTurn& turn, const Compiled& compiled, std::uint32_t read,
                    CornerTurnView* view) {
  std::array<std::vector<const TurnedElement*>, memory::kWarpLanes> words;
  std::size_t most = 0;
  for (const TurnedElement& e : turn.elements) {
    if (e.events[0] != read) continue;
    auto& own = words[static_cast<std::size_t>(e.lanes[0])];
    own.push_back(&e);
    most = std::max(most, own.size());
  }
  memory::WarpAccess store = turn.trace->access(compiled.program, read);
  store.op = memory::Op::Store;
  store.bytes /= std::max(1, static_cast<int>(most));
  for (std::size_t i = 0; i < most; ++i) {
    store.active = 0;
    for (std::size_t lane = 0; lane < words.size(); ++lane) {
      if (words[lane].size() <= i) continue;
      store.addresses[lane] = words[lane][i]->at[2].address;
      store.active |= memory::LaneMask{1} << lane;
    }
    const memory::Cost cost = memory::cost(store);
    view->straight += cost.sectors;
    view->straight_ideal += cost.ideal_sectors;
  }
}

}  // namespace

FollowedTurn followed_turn(const Simulation& s) {
  if (s.empty() || !s.trace) return {};
  thread_local jobs::Newest<std::shared_ptr<const sim::Trace>, FollowedTurn> known(2);
  return *known.get(s.trace,
                    [&] { return std::make_shared<const FollowedTurn>(follow_turn(s.compiled, s.trace)); });
}

std::shared_ptr<const CornerTurn> corner_turn(const Simulation& s) {
  return followed_turn(s).turn;
}

// ---- one moment of it

int CornerTurnView::lane_of(const TurnedElement& e) const {
  const auto phase = static_cast<std::size_t>(now);
  return e.events[phase] == event ? e.lanes[phase] : -1;
}

std::array<std::vector<int>, memory::kWarpLanes> CornerTurnView::held() const {
  std::array<std::vector<int>, memory::kWarpLanes> held;
  for (const TurnedElement& e : turn->elements) {
    for (const std::size_t read : {std::size_t{0}, std::size_t{2}}) {
      const bool holds = has(e, read) && !has(e, read + 1);
      if (holds && static_cast<int>(turn->trace->events[e.events[read]].warp) == warp)
        held[static_cast<std::size_t>(e.lanes[read])].push_back(e.lanes[0]);
    }
  }
  return held;
}

CornerTurnView turn_view(std::shared_ptr<const CornerTurn> of, const Simulation& s, float progress) {
  CornerTurnView view{.turn = std::move(of), .progress = progress, .warp = s.place.warp};
  const CornerTurn& turn = *view.turn;
  view.event = (*s.events)[static_cast<std::size_t>(s.place.event)].event;
  view.now = turn.phase_of[view.event];
  // Of each phase the warp's own access: that looked at, or its first.
  std::array<std::optional<std::uint32_t>, kTurnPhases> own;
  for (const PricedEvent& priced : *s.events) {
    const std::size_t phase = turn.phase_of[priced.event];
    TurnCost& cost = view.costs[phase];
    ++cost.accesses;
    if (priced.event == view.event) cost.access = cost.accesses;
    if (own[phase] && priced.event != view.event) continue;
    own[phase] = priced.event;
    cost.units = priced.units, cost.ideal = priced.ideal, cost.known = true;
  }
  if (own[0]) price_straight(turn, *turn.compiled, *own[0], &view);
  if (own[2]) {
    const memory::BankPlan plan = memory::plan_banks(turn.trace->access(turn.compiled->program, *own[2]));
    view.banks = static_cast<int>(std::ranges::count_if(plan.words_in_bank, [](int n) { return n > 0; }));
  }
  return view;
}

namespace {

// ---- the view
scene::Scene draw_phases(const Inputs& in, const scene::Canvas& canvas) {
  const language::Strings& strings = *canvas.strings;
  const app::Simulation& s = *in.simulation;
  const FollowedTurn followed = followed_turn(s);
  if (followed.turn == nullptr || s.place.event < 0) {
    const std::string key = "phases.none." + std::to_string(static_cast<int>(followed.why));
    return nothing_of(canvas, "phases.title",
                      strings("phases.none") + "\n" + strings(key, {{"array", followed.array}}));
  }
  const float progress = in.motion != nullptr ? in.motion->access(in.now) : 1;
  return corner_turn_scene(turn_view(followed.turn, s, progress), canvas);
}

constexpr app::Command kPhasesCommands[] = {
    {"phases", app::Focus::Window, "F11", "help.phases", app::toggles<ViewId::Phases>},
};

}  // namespace

const Row& phases() {
  static const Row kRow{
      .id = ViewId::Phases,
      .file = "phases",
      .where = Tab::WhereThereIsOne,
      .is_there = [](const app::State&, const Simulation& s) { return corner_turn(s) != nullptr; },
      .with_verdict = true,
      .draw = draw_phases,
      .feel = feel_lanes,
      .commands = kPhasesCommands};
  return kRow;
}

// ---- The picture of a corner turn's phases; see phases.h.

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

class TurnPicture {
 public:
  TurnPicture(const CornerTurnView& view, const Canvas& canvas)
      : view_(view), turn_(*view.turn), pen_(canvas) {}

  Scene draw() {
    const std::string phase = pen_.text("scene.phases." + std::to_string(view_.now));
    pen_.scene().title = pen_.text("scene.phases.title", {{"n", view_.now + 1}, {"warp", view_.warp}});
    pen_.scene().answer = phase + " · " + cost_text(view_.now);
    pen_.scene().answer_is_costly = is_costly(view_.now);
    pen_.scene().answer_is_ideal = !is_costly(view_.now);
    if (pen_.too_small()) return pen_.finish();
    const float foot = draw_foot();
    const float gap = pen_.px(10), cards = draw_cards();
    draw_moment({0, cards + gap, pen_.width(), foot - cards - 2 * gap});
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

  // What happens, why it is worth it, what the colours mean; gives where it begins.
  float draw_foot() {
    std::vector<Pen::Paragraph> words;
    const Palette& p = pen_.palette();
    if (is_tiny()) return pen_.height();
    // Presenting, the grids need the room more than words that a teacher says anyway.
    if (!is_short())
      words.push_back(
          {pen_.counted("scene.phases.say." + std::to_string(view_.now) + (says_words() ? ".wide" : ""),
                        view_.now == 2 ? view_.banks : 0, {{"banks", view_.banks}, {"words", turn_.words}}),
           p.text});
    if (view_.straight > 0) {
      words.push_back(
          {pen_.text(turn_.words > 1 ? "scene.phases.why.wide" : "scene.phases.why",
                     {{"n", view_.straight}, {"ideal", view_.straight_ideal}, {"words", turn_.words}}),
           view_.straight > view_.straight_ideal ? p.costly : p.text});
      words.push_back(
          {pen_.counted("scene.phases.through", view_.costs[3].units, {{"n", view_.costs[3].units}}),
           p.text});
    }
    // Words of one colour would puzzle; a lecturer says why.
    if (!on_stage()) words.push_back({pen_.text("scene.phases.colour"), p.secondary, 1});
    return pen_.foot(kNow, words, pen_.px(on_stage() ? 18 : 19));
  }
  // Reading the tile is the same for one word and for several.
  bool says_words() const { return turn_.words > 1 && view_.now != 2; }

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

  // The warp's lanes above, and below them input, tile and output beside each other: what goes sideways goes
  // between them, where no grid is.
  void draw_moment(const Rect& room) {
    const float name = pen_.px(20), lane = std::floor(std::min(pen_.px(22), room.width / kLanes));
    const float head = is_short() ? 0 : pen_.px(22), strip = head + lane + stack_height();
    const float least = std::clamp(0.1f * room.height, pen_.px(10), pen_.px(44));
    const Point cell = cell_in(room.width, room.height - strip - least - name);
    if (cell.x < 1 || cell.y < 1) return say_no_room(room);
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
    for (std::size_t i = 0; i < 3; ++i) {
      const TurnGrid& grid = turn_.grids[i];
      const CellGrid place{
          {at.x, at.y, cell.x * static_cast<float>(grid.columns), cell.y * static_cast<float>(grid.rows)},
          cell};
      draw_grid(grid, place, i == 1 ? "scene.phases.shared" : "scene.phases.global",
                place.rect.width + (i == 2 ? 0 : gap - pen_.px(6)));
      draw_words(i, place, lanes);
      at.x += place.rect.width + gap;
    }
    draw_lanes(lanes);
  }

  int columns() const { return turn_.grids[0].columns + turn_.grids[1].columns + turn_.grids[2].columns; }
  int rows() const { return std::max({1, turn_.grids[0].rows, turn_.grids[1].rows, turn_.grids[2].rows}); }
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

  // Each in the colour of the lane that read it from the input.
  void draw_words(std::size_t grid, const CellGrid& place, const CellGrid& lanes) {
    constexpr std::size_t kFilledBy[] = {0, 1, 3};
    const Palette& p = pen_.palette();
    const bool accessed = grid == static_cast<std::size_t>(view_.now + 1) / 2;
    std::array<Taken, kLanes> taken;
    for (const TurnedElement& e : turn_.elements) {
      const int lane = accessed ? view_.lane_of(e) : -1;
      const bool here = grid == 0 || view_.has(e, kFilledBy[grid]);
      const Rect rect = place.of(e.at[grid].row, e.at[grid].column);
      const Color color = lane_color(p, e.lanes[0]);
      if (here) pen_.cell(kWords, rect, lane >= 0 ? color : mix(p.cell, color, 0.5f));
      if (lane >= 0) taken[static_cast<std::size_t>(lane)].add(rect, here, e.lanes[0]);
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      if (taken[static_cast<std::size_t>(lane)].any)
        draw_taken(lane, taken[static_cast<std::size_t>(lane)], place, lanes);
    }
  }

  // What one lane accesses in a grid: a word, or the neighbouring ones of a wide access as one.
  struct Taken {
    Rect rect;
    bool any = false, here = false;
    int colour = 0;
    void add(const Rect& r, bool is_here, int its_colour) {
      const float left = any ? std::min(rect.x, r.x) : r.x, top = any ? std::min(rect.y, r.y) : r.y;
      const float end = any ? std::max(rect.x + rect.width, r.x + r.width) : r.x + r.width;
      const float foot = any ? std::max(rect.y + rect.height, r.y + r.height) : r.y + r.height;
      rect = {left, top, end - left, foot - top};
      any = true, here = is_here, colour = its_colour;
    }
  };

  TurnWay way_of(int number_of_lane, const Rect& word, const CellGrid& place, const CellGrid& lanes) const {
    const Rect own = lanes.of(0, number_of_lane);
    const Point word_at{word.x + 0.5f * word.width, word.y + 0.5f * word.height};
    return {
        {own.x + 0.5f * own.width, own.y + own.height + stack_height()}, {word_at.x, place.rect.y}, word_at};
  }

  void draw_taken(int number_of_lane, const Taken& taken, const CellGrid& place, const CellGrid& lanes) {
    const Palette& p = pen_.palette();
    const bool loads = view_.now == 0 || view_.now == 2;
    const float t = eased(view_.progress), drawn = view_.progress < 1 ? t : 1;
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
    if (view_.progress >= 1 || view_.progress <= 0) return;
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
  bool stacks() const { return turn_.deepest > 1 && !is_tiny(); }
  float stripe() const { return pen_.px(turn_.deepest > 4 ? 4.0f : 6.0f); }
  float stack_height() const {
    return stacks() ? stripe() * static_cast<float>(std::min(turn_.deepest, kMostStripes)) + pen_.px(2) : 0;
  }

  // Each lane with the word that it holds, in the word's colour; empty ones are framed.
  void draw_lanes(const CellGrid& lanes) {
    const Palette& p = pen_.palette();
    const auto held_by = view_.held();
    for (int lane = 0; lane < kLanes; ++lane) {
      const std::vector<int>& held = held_by[static_cast<std::size_t>(lane)];
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
                      pen_.text("scene.phases.lanes", {{"warp", view_.warp}}), {13, p.secondary});
  }

  const CornerTurnView& view_;
  const CornerTurn& turn_;
  Pen pen_;
};

}  // namespace

Scene corner_turn_scene(const CornerTurnView& view, const Canvas& canvas) {
  return TurnPicture(view, canvas).draw();
}

}  // namespace warplens::views
