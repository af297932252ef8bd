// Lanes, shafts and chips: see banks_picture.h.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "app/scene/scene.h"
#include "app/views/banks_picture.h"
#include "app/views/memory.h"

namespace warplens::views {

std::vector<Chip> chips_of(const BankPlan& plan) {
  std::vector<Chip> chips;
  for (const BankPlan::Word& word : plan.words) {
    if (word.lanes == 0) continue;
    const int group = plan.group[static_cast<std::size_t>(std::countr_zero(word.lanes))];
    const auto joins = [&](const Chip& chip) {
      return chip.wavefront == word.wavefront && chip.lanes == word.lanes &&
             chip.bank + chip.banks == word.bank &&
             chip.address + 4 * static_cast<Address>(chip.banks) == word.address;
    };
    if (const auto left = std::ranges::find_if(chips, joins); left != chips.end()) {
      ++left->banks;
    } else {
      chips.push_back({word.wavefront, group, word.bank, 1, word.address, word.lanes});
    }
  }
  return chips;
}

namespace {

float mixed(float a, float b, float t) {
  return a + (b - a) * t;
}

// Sideways first, then down, as things slide and fall; upwards it is the same way back.
Rect along(const Rect& a, const Rect& b, float t) {
  if (b.y < a.y) return along(b, a, 1 - t);
  const float side = eased(t, 0, 0.75f);
  return {mixed(a.x, b.x, side), mixed(a.y, b.y, t * t), mixed(a.width, b.width, side),
          mixed(a.height, b.height, side)};
}

Rect straight(const Rect& a, const Rect& b, float t) {
  return {mixed(a.x, b.x, t), mixed(a.y, b.y, t), mixed(a.width, b.width, t), mixed(a.height, b.height, t)};
}

}  // namespace

Floors::Floors(const std::vector<Chip>& chips, const BankPlan& plan)
    : at_(static_cast<std::size_t>(std::max(0, plan.wavefronts)), -1) {
  for (const Chip& chip : chips) {
    int& group = at_[static_cast<std::size_t>(chip.wavefront)];
    group = group < 0 ? chip.group : std::min(group, chip.group);
  }
  // Wavefronts that serve no lane, as half of those of a swap, are of the floor of the one before. Where
  // floors would take turns, as in an atomic's loop, there is one.
  const auto serving = std::find_if(at_.begin(), at_.end(), [](int group) { return group >= 0; });
  for (int last = serving == at_.end() ? 0 : *serving; int& one : at_) last = one = one < 0 ? last : one;
  if (!std::is_sorted(at_.begin(), at_.end())) std::fill(at_.begin(), at_.end(), 0);
  int floor = 0, before = at_.empty() ? 0 : at_.front();
  for (int& one : at_) {
    floor += one != std::exchange(before, one) ? 1 : 0;
    one = floor;
  }
}

float Floors::below(float wavefront) const {
  if (at_.empty() || wavefront <= 0) return 0;
  const auto last = at_.size() - 1, low = std::min(static_cast<std::size_t>(wavefront), last),
             high = std::min(low + 1, last);
  return mixed(static_cast<float>(at_[low]), static_cast<float>(at_[high]),
               std::min(1.0f, wavefront - static_cast<float>(low)));
}

std::pair<int, int> Floors::wavefronts(int floor) const {
  const auto [first, end] = std::equal_range(at_.begin(), at_.end(), floor);
  return {static_cast<int>(first - at_.begin()), static_cast<int>(end - at_.begin())};
}

// How high a wavefront's chips stand over the gate; what is next stands on it.
float BankPicture::above(const Stage& at, int wavefront) const {
  const auto own = static_cast<float>(wavefront), passes = std::min(at.served, own - 1);
  return at.step * (own - passes - 1) +
         layout_.floor_gap * (at.floors->below(own) - at.floors->below(passes));
}

// How far a lane has fallen; the groups of a wide access come down one after another.
float BankPicture::fall_of(const Chip& chip, const Stage& at, int lane) const {
  const int groups = std::max(1, memory::kWarpLanes / std::max(1, at.plan->lanes_per_group));
  const float turn = groups > 1 ? static_cast<float>(chip.group) / static_cast<float>(groups - 1)
                                : static_cast<float>(lane) / (memory::kWarpLanes - 1);
  constexpr float kLast = 0.4f;  // when the last one begins
  return std::clamp((at.fall - kLast * turn) / (1 - kLast), 0.0f, 1.0f);
}

// Where a lane's chip comes from: the row of lanes; what is copied comes from global memory and passes no
// lane.
Rect BankPicture::home_of(const Chip& chip, int lane) const {
  if (!is_copy()) return layout_.lanes.column(lane);
  return layout_.chip(chip.bank, chip.banks, layout_.shafts_top - layout_.chip_step,
                      layout_.chip_step - cell_gap(pen_, layout_.chip_step));
}

Rect BankPicture::passing_rect(const Chip& chip) const {
  return layout_.chip(chip.bank, chip.banks, layout_.pass_y,
                      layout_.pass_step - cell_gap(pen_, layout_.pass_step));
}

Rect BankPicture::chip_rect(const Chip& chip, const Stage& at, int lane) const {
  const float level = chip.level(at.served);
  const Rect stacked =
                 layout_.chip(chip.bank, chip.banks, layout_.gate_y - at.step - above(at, chip.wavefront),
                              at.step - cell_gap(pen_, at.step)),
             pass = passing_rect(chip);
  if (at.fall < 1) return along(home_of(chip, lane), stacked, fall_of(chip, at, lane));
  if (level >= 1) return stacked;
  if (level >= 0) return straight(pass, stacked, level);
  const float gone = std::min(1.0f, -level);
  if (brings_back()) return straight(pass, home_of(chip, lane), gone);
  int row = 0;
  if (!inside(chip.address, &row)) return pass;
  Rect word = layout_.word(row, chip.bank);
  word.width = pass.width;
  return straight(pass, word, gone);
}

// Lanes whose chip is away have their outline; that of a store stays in the array.
void BankPicture::draw_lanes() {
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    const LaneMask bit = LaneMask{1} << lane;
    const auto own = std::ranges::find_if(chips_, [&](const Chip& chip) { return (chip.lanes & bit) != 0; });
    if (own == chips_.end()) {
      const bool refused = (view_.refused & bit) != 0;
      draw_lane(&pen_, layout_.lanes, lane, refused ? LaneState::Refused : LaneState::Inactive,
                pen_.text(refused ? "scene.lane.refused.tip" : "scene.lane.inactive.tip",
                          {{"lane", std::to_string(lane)}}));
      continue;
    }
    const float level = own->level(served_);
    const bool back = brings_back() && (level <= -1 || (level <= 0 && !std::has_single_bit(own->lanes)));
    const bool away = is_copy() || slide_ < 1 || (fall_of(*own, stage(), lane) > 0 && !back);
    draw_lane(&pen_, layout_.lanes, lane, away ? LaneState::Away : LaneState::Here,
              word_tip(bit, own->address, own->bank, own->wavefront));
  }
  const bool is_flat = array_.row_bytes == 0;  // else its elements have two indices
  draw_first_refused(&pen_, kChips, layout_.lanes, view_.refused, view_.access,
                     {array_.name, array_.begin, is_flat ? array_.element_bytes : 0});
}

void BankPicture::draw_shafts() {
  const Palette& palette = pen_.palette();
  const float half_gap = 0.5f * (layout_.lanes.pitch - layout_.lanes.cell),
              high = layout_.gate_y - layout_.shafts_top;
  int every = 1;
  while (layout_.lanes.pitch * static_cast<float>(every) < 8) every *= 2;
  for (int bank = 0; bank <= 32; bank += every)
    pen_.cell(kBack,
              {layout_.lanes.x + layout_.lanes.pitch * static_cast<float>(bank) - half_gap - 0.5f,
               layout_.shafts_top, 1, high},
              with_alpha(palette.line, 0.55f))
        .radius = 0;
  pen_.cell(
          kBack,
          {layout_.lanes.x - half_gap, layout_.gate_y, 32 * layout_.lanes.pitch, std::max(1.0f, pen_.px(2))},
          mix(palette.line, palette.text, 0.45f))
      .radius = 0;
}

// What each floor above the gate stands on, and whose it is.
void BankPicture::draw_floors() {
  if (fall_ < 1 || slide_ < 1 || floors_.count() == 1) return;
  const Palette& palette = pen_.palette();
  const Type type = small(palette.secondary, Align::Right);
  const float left = layout_.lanes.x - 0.5f * (layout_.lanes.pitch - layout_.lanes.cell);
  const auto y_of = [&](int wavefront) { return layout_.gate_y - above(stage(), wavefront); };
  for (int floor = 0; floor < floors_.count(); ++floor) {
    const auto [first, end] = floors_.wavefronts(floor);
    const int next = std::max(first, static_cast<int>(std::floor(served_)) + 1);
    if (next >= end) continue;  // it has passed
    const float y = y_of(next), top = y_of(end - 1) - step_of(plan_);
    if (next == first && y < layout_.gate_y)
      pen_.cell(kBack, {left, y, 32 * layout_.lanes.pitch, std::max(1.0f, pen_.px(1))},
                mix(palette.line, palette.text, 0.25f))
          .radius = 0;
    const auto own = std::ranges::find(chips_, first, &Chip::wavefront);
    const int lane = own->group * plan_.lanes_per_group;
    const std::string lanes = std::to_string(lane) + "–" + std::to_string(lane + plan_.lanes_per_group - 1);
    if (pen_.width_of(lanes, type) + pen_.px(2) <= left && y - top + layout_.floor_gap >= pen_.px(type.size))
      pen_.label(kBack, {left - pen_.px(2), 0.5f * (y + top)}, lanes, type);
  }
}

void BankPicture::add_chip(const Rect& rect, LaneMask lanes, float strength, bool passes) {
  drawn_.push_back({rect, lanes, strength, passes});
}

// Of chips that lie over each other on their way each has its number whose digits no later one covers.
void BankPicture::draw_added() {
  const Type type{14, {}, Align::Left, Font::Code, true};
  const float wide = pen_.width_of("00", type);
  const auto covers_number = [&](const Rect& chip, const Rect& later) {
    const float high = std::min(chip.height, pen_.size_of(type)), x = chip.x + 0.5f * (chip.width - wide),
                y = chip.y + 0.5f * (chip.height - high);
    return later.x < x + wide && x < later.x + later.width && later.y < y + high &&
           y < later.y + later.height;
  };
  const bool moves = fall_ < 1 || slide_ < 1;
  for (std::size_t i = 0; i < drawn_.size(); ++i) {
    const Drawn& chip = drawn_[i];
    MarkStyle style{.layer = static_cast<int>(kChips), .ground = pen_.palette().panel};
    style.strength = chip.strength * lane_strength(pen_, chip.lanes);
    if (chip.passes && std::min(chip.rect.width, chip.rect.height) >= 5 * std::max(1.0f, pen_.px(2)))
      style.frame = pen_.palette().text;
    const auto covers = [&](const Drawn& later) { return covers_number(chip.rect, later.rect); };
    const bool has_room = chip.rect.height >= layout_.numbered_high;
    style.number = has_room && (!moves || std::none_of(drawn_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                                       drawn_.end(), covers));
    const bool counted = draw_mark(&pen_, chip.rect, chip.lanes, style);
    // Of a broadcast, whose chip may be too small for it; above the gate, since bank numbers stand below.
    if (drawn_.size() == 1 && !std::has_single_bit(chip.lanes) && !counted)
      pen_.label(kChips,
                 {chip.rect.x + chip.rect.width + pen_.px(4),
                  std::min(chip.rect.y + 0.5f * chip.rect.height, layout_.gate_y - pen_.px(9))},
                 "×" + std::to_string(std::popcount(chip.lanes)),
                 {13, pen_.palette().text, Align::Left, Font::Code, true});
  }
}

// Beside a tower whose chips have no room for numbers, where its neighbours leave room: those of as many
// lanes as stand apart.
void BankPicture::number_beside() {
  if (!numbers_beside_) return;
  const Stage now = stage();
  const Type type{13, pen_.palette().secondary, Align::Center, Font::Code, false};
  const float wide = pen_.width_of("00", type) + pen_.px(5);
  int every = 1;
  while (now.step * static_cast<float>(every) < pen_.size_of(type)) every *= 2;
  const auto is_free = [&](int from, int to) {  // banks
    return std::ranges::none_of(chips_, [&](const Chip& chip) {
      return chip.level(served_) > 0.5f && chip.bank < to && chip.bank + chip.banks > from;
    });
  };
  const int banks = static_cast<int>(std::ceil(wide / layout_.lanes.pitch));
  std::vector<Point> placed;
  for (const Chip& chip : chips_) {
    if (chip.level(served_) < 1 || !std::has_single_bit(chip.lanes) || chip.wavefront % every != 0) continue;
    const int end = chip.bank + chip.banks;
    const bool left = floors_.count() == 1 && is_free(chip.bank - banks, chip.bank);
    if (!left && (end + banks > 32 || !is_free(end, end + banks))) continue;
    const int lane = std::countr_zero(chip.lanes);
    const Rect rect = chip_rect(chip, now, lane);
    const Point middle{left ? rect.x - 0.5f * wide : rect.x + rect.width + 0.5f * wide,
                       rect.y + 0.5f * rect.height};
    const auto touches = [&](const Point& other) {
      return std::abs(other.x - middle.x) < wide && std::abs(other.y - middle.y) < pen_.size_of(type);
    };
    if (std::ranges::any_of(placed, touches)) continue;
    placed.push_back(middle);
    pen_.label(kChips, middle, std::to_string(lane), type);
  }
}

// One word for several lanes: it is handed to each of them.
void BankPicture::draw_rays(const Chip& chip, const Rect& from, float drawn, float strength) {
  for (LaneMask rest = chip.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Rect to = layout_.lanes.column(lane);
    const float own = strength * lane_strength(pen_, LaneMask{1} << lane);
    Arc& arc =
        pen_.arc(kMarks, {from.x + 0.5f * from.width, from.y}, {to.x + 0.5f * to.width, to.y + to.height},
                 with_alpha(lane_color(pen_.palette(), lane), 0.8f * own));
    arc.width = pen_.px(lane == pen_.hovered_lane() ? 2.5f : 1.4f);
    arc.drawn = drawn;
  }
}

void BankPicture::draw_chips() {
  const Stage now = stage();
  for (const Chip& chip : chips_) {
    const float level = chip.level(served_);
    if (level <= -1) continue;
    const bool fused = !std::has_single_bit(chip.lanes);
    if (fused && fall_ < 1) {
      for (LaneMask rest = chip.lanes; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        if (fall_of(chip, now, lane) > 0) add_chip(chip_rect(chip, now, lane), LaneMask{1} << lane, 1, false);
      }
      continue;
    }
    const int lane = std::countr_zero(chip.lanes);
    if (fall_ < 1 && fall_of(chip, now, lane) <= 0) continue;  // still in its row
    if (!fused || !brings_back()) {
      add_chip(chip_rect(chip, now, lane), chip.lanes, 1, std::abs(level) < 0.5f);
      continue;
    }
    const Rect rect = level >= 0 ? chip_rect(chip, now, lane) : passing_rect(chip);
    const float left = std::min(1.0f, 1 + level);  // of it, once it is handed out
    if (level < 1) draw_rays(chip, rect, eased(1 - level, 0.5f, 1), left);
    add_chip(rect, chip.lanes, left, level < 0.5f);
  }
}

// After a parameter was turned each lane's chip goes from where it stood to where it stands: a tower slides
// apart, or builds up, one chip after another.
void BankPicture::draw_chips_sliding() {
  const BankPlan& plan = then_plan_;
  const std::vector<Chip> before = chips_of(plan);
  const Stage then{
      &plan, &then_floors_,
      static_cast<float>(std::clamp(view_.previous_wavefront, 0, std::max(0, plan.wavefronts - 1))), 1,
      step_of(plan)};
  const Stage now = stage();
  const bool collapses = plan.wavefronts >= plan_.wavefronts;
  const auto most = static_cast<float>(std::max({1, plan.wavefronts, plan_.wavefronts}));
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    const LaneMask bit = LaneMask{1} << lane;
    const auto has_it = [&](const Chip& chip) { return (chip.lanes & bit) != 0; };
    const auto a = std::ranges::find_if(before, has_it);
    const auto b = std::ranges::find_if(chips_, has_it);
    if (a == before.end() && b == chips_.end()) continue;
    if (b == chips_.end() || a == before.end()) {
      const bool comes = b != chips_.end();
      add_chip(comes ? chip_rect(*b, now, lane) : chip_rect(*a, then, lane), bit, comes ? slide_ : 1 - slide_,
               false);
      continue;
    }
    constexpr float kLast = 0.35f;  // of the way, until the highest one leaves
    const float height = static_cast<float>((collapses ? a : b)->wavefront) / most;
    const auto part = [&](float t) { return std::clamp((t - kLast * height) / (1 - kLast), 0.0f, 1.0f); };
    const float t = collapses ? part(slide_) : 1 - part(1 - slide_);
    add_chip(along(chip_rect(*a, then, lane), chip_rect(*b, now, lane), t), bit, 1, false);
  }
}

// "26 lanes wait. 30 banks stand idle.", where no chip waits and there is room: a bank of which no chip
// passes in this wavefront is idle, also where it served one before or will serve one later.
void BankPicture::say_what_waits() {
  if (fall_ < 1 || plan_.wavefronts <= plan_.least) return;
  int waiting = 0;
  std::uint32_t busy = 0, crossed = 0;
  for (const Chip& chip : chips_) {
    const std::uint32_t banks = ((std::uint64_t{1} << chip.banks) - 1) << chip.bank & 0xffffffffu;
    if (whole_ ? chip.wavefront == 0 : std::abs(chip.level(std::max(0.0f, served_))) < 0.5f) busy |= banks;
    if (chip.level(served_) > 0.5f) waiting += std::popcount(chip.lanes), crossed |= banks;
    if (!std::has_single_bit(chip.lanes) && chip.level(served_) > -1) return;  // its rays go anywhere
  }
  const int idle = 32 - std::popcount(busy);
  std::vector<std::string> lines;
  if (waiting > 0)
    lines.push_back(pen_.counted("scene.bank.waits", waiting, {{"n", std::to_string(waiting)}}));
  if (idle > 0) lines.push_back(pen_.counted("scene.bank.idle", idle, {{"n", std::to_string(idle)}}));
  int best = 0, first = 0;
  for (int from = 0; from < 32; ++from) {
    int to = from;
    while (to < 32 && (crossed >> to & 1) == 0) ++to;
    if (to - from > best) best = to - from, first = from;
    from = to;
  }
  const Type type{18, pen_.palette().text, Align::Left, Font::Words, false};
  const float line = pen_.px(26), air = pen_.px(numbers_beside_ ? 40 : 16),
              x = layout_.lanes.column(first).x + air;
  const float room = layout_.lanes.pitch * static_cast<float>(best) - 2 * air;
  float y = layout_.shafts_top + 0.5f * (layout_.gate_y - layout_.shafts_top) -
            0.5f * line * static_cast<float>(lines.size() - 1);
  if (lines.empty() || line * static_cast<float>(lines.size() + 1) > layout_.gate_y - layout_.shafts_top)
    return;
  for (const std::string& text : lines) {
    if (pen_.width_of(text, type) > room) return;
  }
  for (const std::string& text : lines) {
    if (floors_.count() > 1)
      pen_.backed_label(kBack, {x, y}, room, text, type);  // floors are lines behind it
    else
      pen_.label(kBack, {x, y}, text, type);
    y += line;
  }
}

}  // namespace warplens::views
