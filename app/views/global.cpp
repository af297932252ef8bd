// Where the lanes of an access go in global memory: see global.h.
#include "app/views/global.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "app/scene/memory/array_inset.h"
#include "app/scene/memory/lane_marks.h"
#include "app/scene/pen.h"
#include "app/scene/scene.h"
#include "app/views/memory.h"
#include "sim/base/numbers.h"
#include "sim/memory/coalescing.h"
#include "sim/memory/cost.h"

namespace warplens::views {
namespace {

using namespace scene;
using sim::Origin;

// ---- who touched a sector before

// Who touched a sector before, as the picture of a global access shows it: a colour, and along the sector's
// lower edge a strip, so that the colours need not be told apart.
//
//   first touch    no strip            another warp of the block   dashes
//   this warp      a line              a block beside it           dots

constexpr std::array kOrigins{Origin::First, Origin::Warp, Origin::Block};
constexpr std::size_t kLayer = 1;  // the layer

constexpr const char* kNames[] = {"reuse.first", "reuse.warp", "reuse.block"};

const char* key_of(Origin origin) {
  return kNames[static_cast<std::size_t>(origin)];
}

Color origin_color(const Palette& palette, Origin origin) {
  return palette.origins[static_cast<std::size_t>(origin)];
}

void draw_origin_mark(Pen* pen, std::size_t layer, const Rect& sector, Origin origin) {
  // Each is as long as the gap behind it, but for a single one.
  const int pieces = origin == Origin::First ? 0 : origin == Origin::Warp ? 1 : 3;
  const float thick = std::clamp(std::round(0.16f * sector.height), 2.0f, std::max(3.0f, pen->px(4)));
  if (pieces == 0 || sector.height < thick + 2 || sector.width < 4) return;
  const Palette& palette = pen->palette();
  const float top = sector.y + sector.height - thick;
  pen->cell(layer, {sector.x, top - 1, sector.width, thick + 1}, palette.panel).radius = 0;
  const float step = sector.width / (static_cast<float>(pieces) - (pieces > 1 ? 0.5f : 0));
  for (int i = 0; i < pieces; ++i) {
    const float width = pieces > 1 ? 0.5f * step : sector.width;
    pen->cell(layer, {sector.x + step * static_cast<float>(i), top, width, thick},
              origin_color(palette, origin))
        .radius = 0;
  }
}

std::string origin_tip(const Pen& pen, Origin origin) {
  return pen.text(std::string(key_of(origin)) + ".tip");
}

// Below the picture how many sectors are of each kind, and what the sharing comes to, as much of it as leaves
// the picture its room; gives where it begins.
float draw_reuse(Pen* pen, const ReuseView& view) {
  const Palette& p = pen->palette();
  const float row = std::ceil(1.55f * pen->size_of({14})), room = pen->height();
  if (pen->too_small() || room < 6 * row) return room;
  float top = room;
  if (!view.words.empty() && room >= 10 * row)
    top = pen->foot(kLayer, {{view.words, p.text, room >= 14 * row ? 2 : 1}}, row);
  const auto entries = [&](const char* form) {
    std::vector<Pen::LegendEntry> all;
    for (const Origin origin : kOrigins) {
      const auto count = std::ranges::count(view.origins, origin);
      const bool known = !view.origins.empty();
      all.push_back(
          {3, pen->text(std::string(key_of(origin)) + form, {{"n", known ? std::to_string(count) : "…"}}),
           [pen, origin](const Rect& swatch) {
             const Color color = origin_color(pen->palette(), origin);
             pen->framed(kLayer, swatch, color, color, 1);
             draw_origin_mark(pen, kLayer, swatch, origin);
           },
           origin_tip(*pen, origin)});
    }
    return all;
  };
  const Point at{0, top - 0.5f * row};
  const auto whole = entries(".legend");
  float wide = 0;
  for (const Pen::LegendEntry& entry : whole) wide += pen->width_of(entry.text, {13}) + 3.4f * row;
  pen->legend(kLayer, at, wide <= pen->width() ? whole : entries(".brief"));
  return top - row - std::round(pen->px(6));
}

// ---- the picture

// Of the animation: when a lane sets out, and when it has arrived; of a sector, how far it is lit.
float lane_begins(int lane) {
  return 0.25f * static_cast<float>(lane) / 31;
}
constexpr float kFlight = 0.4f;

class GlobalPicture {
 public:
  GlobalPicture(const GlobalView& view, const Canvas& canvas) : view_(view), pen_(canvas) {
    access_ = drawable(view.access);
    slots_ = slots_of(access_);
    sectors_ = memory::touched_sectors(access_);
    cost_ = memory::cost(access_);
    for (const auto& sector : sectors_) {
      const Address line = sector.address / kLine;
      if (lines_.empty() || lines_.back() != line) lines_.push_back(line);
    }
    const float progress = std::isfinite(view.progress) ? std::clamp(view.progress, 0.0f, 1.0f) : 1.0f;
    progress_ = progress;
    in_vain_ = eased(progress, 0.75f, 1.0f);
  }

  Scene draw() {
    name();
    if (pen_.too_small()) return pen_.finish();
    float margin = 0;
    for (const auto& sector : sectors_)
      margin = std::max(margin, pen_.width_of(offset_text(sector.address), code()));
    const bool parted =
        !sectors_.empty() && sectors_.back().address - sectors_.front().address >= kSector * sectors_.size();
    layout_ =
        layout_global(pen_, {touched_of_lines(), margin, parted, view_.array.has_value(), cost_.sectors});
    draw_lanes();
    draw_pile();
    for (std::size_t line = 0; line < lines_.size(); ++line) draw_line(static_cast<int>(line));
    for (auto slot = slots_.rbegin(); slot != slots_.rend(); ++slot)
      draw_slot(*slot);  // the nearest way whole
    for (const auto& sector : sectors_) draw_sector_frame(sector);
    label_sectors();
    draw_holes();
    if (layout_.caption_y > 0) draw_caption();
    if (lines_.empty()) say_nothing_active();
    if (access_.combined && std::popcount(access_.active) > 1) say_combined();
    draw_array();
    return pen_.finish();
  }

 private:
  using Address = memory::Address;
  static constexpr std::size_t kBack = 0, kMarks = 1, kFrames = 2;  // the layers
  static constexpr Address kLine = memory::kLineBytes, kSector = memory::kSectorBytes;

  Type code(Color color = {}, Align align = Align::Left) const {
    return {13, color, align, Font::Code, false};
  }
  Type words(Color color, Align align = Align::Left) const { return {13, color, align, Font::Words, false}; }

  int line_of(Address address) const {
    return static_cast<int>(std::lower_bound(lines_.begin(), lines_.end(), address / kLine) - lines_.begin());
  }
  bool atomic() const { return memory::is_atomic(access_.op); }
  bool ideal() const { return cost_.sectors <= cost_.ideal_sectors; }

  void draw_lanes() {
    for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
      const bool active = (access_.active >> lane & 1) != 0, refused = (view_.refused >> lane & 1) != 0;
      const Address address = access_.addresses[static_cast<std::size_t>(lane)];
      draw_lane(&pen_, layout_.lanes, lane,
                active    ? LaneState::Here
                : refused ? LaneState::Refused
                          : LaneState::Inactive,
                active ? pen_.text("scene.global.lane.tip",
                                   {{"lane", std::to_string(lane)}, {"place", place_text(address)}})
                       : pen_.text(refused ? "scene.lane.refused.tip" : "scene.lane.inactive.tip",
                                   {{"lane", std::to_string(lane)}}));
      if ((view_.differing_lanes >> lane & 1) != 0)
        draw_difference_bar(&pen_, kFrames, layout_.lanes.column(lane));
    }
    int bytes = 0;
    if (view_.program != nullptr) {
      const auto& all = view_.program->parameters;
      const auto buffer = std::ranges::find(all, view_.buffer_name, &sim::KernelParameter::name);
      if (buffer != all.end()) bytes = buffer->element_bytes;
    }
    draw_first_refused(&pen_, kFrames, layout_.lanes, view_.refused, view_.access,
                       {view_.buffer_name, view_.buffer_base, bytes});
  }

  // What is moved, a bar of 32 bytes a sector: the bytes that lanes asked for in their colours, the others
  // hatched in the colour of waste. Of an atomic a bar is a pass, with the lanes that have their turn in it:
  // how many bytes are moved for it is not known.
  void draw_pile() {
    if (layout_.pile.width <= 0 || sectors_.empty()) return;
    const Palette& palette = pen_.palette();
    const Rect& room = layout_.pile;
    memory::WarpAccess asked = access_;
    int sectors = cost_.sectors;
    const bool turns = memory::lanes_take_turns(access_);
    if (view_.counting.what == Count::Used) asked.active &= pen_.lit_lanes();
    if (view_.counting.what == Count::Moved) sectors = view_.counting.n;
    const int used = memory::cost(asked).used_bytes, moved = memory::GpuModel::sector_bytes * sectors;
    const Type type{15, palette.text, Align::Left, Font::Words, false};
    const float line = pen_.px(20);
    const bool is_below = layout_.width >= pen_.width();  // with room for the bars that there are
    // Beside the lines its words are under it.
    const float said = (view_.block_uses > 0 ? 3 : 2) * line + pen_.px(4),
                top = room.y + (is_below ? said : 0), high = room.height - said;
    const float step =
        std::min(pen_.px(16), high / static_cast<float>(std::max(cost_.sectors, is_below ? 1 : 32)));
    const float thick = std::max(0.5f, step - cell_gap(pen_, step));
    float y = top;
    for (const memory::TouchedSector& sector : sectors_) {
      const int last = 31 - std::countl_zero(sector.lanes | 1u);
      const float lit = eased(progress_, lane_begins(last), lane_begins(last) + kFlight);
      const auto origin = origin_of(sector);
      for (int pass = 0; pass < std::max(1, sector.passes); ++pass, y += step) {
        if (lit <= 0) continue;
        const Color waste = origin ? origin_color(palette, *origin) : palette.costly;
        Cell& bar = pen_.framed(kBack, {room.x, y, room.width, thick}, with_alpha(palette.cell, lit),
                                with_alpha(waste, thick >= 5 ? 0.7f * lit : 0), 1);
        bar.radius = 1;
        const bool whole = sector.used_bytes == 0xffffffffu && (!turns || pass == 0);
        if (whole) bar.border_width = 0;
        if (is_counted(sector, pass)) bar.border = palette.text, bar.border_width = 1.5f;
        bar.hatch = whole ? 0 : std::max(3.0f, pen_.px(5));
        bar.hatch_color = with_alpha(waste, 0.75f * lit);
        draw_used(sector, {room.x, y, room.width, thick}, lit, turns ? pass : 0);
      }
    }
    const float words = is_below ? room.y : y + pen_.px(4);
    Type cost = type;  // what is moved is the cost; what is used of it is none
    if ((turns || moved > used) && !ideal()) cost.color = palette.costly;
    const int served = std::popcount(asked.active);
    pen_.backed_label(kFrames, {room.x, words + 0.5f * line}, room.width,
                      turns ? pen_.counted("scene.global.passes", sectors, {{"n", sectors}})
                            : pen_.text("scene.global.moved", {{"n", grouped(moved)}}),
                      cost);
    pen_.backed_label(kFrames, {room.x, words + 1.5f * line}, room.width,
                      turns ? pen_.counted("scene.global.served", served, {{"n", served}})
                            : pen_.text("scene.global.used", {{"n", grouped(used)}}),
                      type);
    if (view_.block_uses > 0)  // not in vain after all
      pen_.backed_label(kFrames, {room.x, words + 2.5f * line}, room.width,
                        pen_.text("scene.global.block", {{"n", grouped(view_.block_uses)}}), type);
    float at = words;
    for (const Count what : {Count::Moved, Count::Used}) {
      HotSpot spot{{room.x, at, room.width, line}, -1, -1, -1, pen_.text("access.count.tip")};
      spot.count = what;
      pen_.hot_spot(std::move(spot));
      at += line;
    }
    if (view_.block_uses > 0)
      pen_.hot_spot({{room.x, at, room.width, line}, -1, -1, -1, pen_.text("scene.global.block.tip")});
  }

  // `turn`: of lanes that share a word, so many have had theirs.
  void draw_used(const memory::TouchedSector& sector, const Rect& bar, float lit, int turn) {
    const float byte = bar.width / static_cast<float>(kSector);
    for (const Slot& slot : slots_) {
      if (slot.address / kSector * kSector != sector.address || turn >= std::popcount(slot.lanes)) continue;
      memory::LaneMask lanes = slot.lanes;
      for (int i = 0; i < turn; ++i) lanes &= lanes - 1;
      const int lane = std::countr_zero(lanes);
      const float strength = lit * lane_strength(pen_, turn > 0 ? memory::LaneMask{1} << lane : slot.lanes);
      const float gap = access_.bytes >= 4 && byte * 4 > 6 ? 1.0f : 0.0f;
      pen_.cell(kMarks,
                {bar.x + byte * static_cast<float>(slot.address % kSector), bar.y,
                 byte * static_cast<float>(access_.bytes) - gap, bar.height},
                mix(pen_.palette().cell, lane_color(pen_.palette(), lane), strength))
          .radius = std::min(2.0f, 0.2f * bar.height);
    }
  }

  const memory::TouchedSector* touched(Address sector) const {
    const auto at = std::lower_bound(sectors_.begin(), sectors_.end(), sector,
                                     [](const memory::TouchedSector& s, Address a) { return s.address < a; });
    return at != sectors_.end() && at->address == sector ? &*at : nullptr;
  }

  // Who touched it before; none where that is not shown, or not known yet.
  std::optional<sim::Origin> origin_of(const memory::TouchedSector& sector) const {
    if (!view_.reuse || view_.reuse->origins.size() != sectors_.size()) return std::nullopt;
    return view_.reuse->origins[static_cast<std::size_t>(&sector - sectors_.data())];
  }

  // The words that no lane asked for: faint where the sector stays in memory, hatched where it is fetched all
  // the same.
  void draw_line(int line) {
    const Palette& palette = pen_.palette();
    for (int index = 0; index < 4; ++index) {
      const Address address =
          lines_[static_cast<std::size_t>(line)] * kLine + static_cast<Address>(index) * kSector;
      const memory::TouchedSector* sector = touched(address);
      if (!layout_.is_open(line, index)) continue;
      const std::optional<sim::Origin> origin = sector != nullptr ? origin_of(*sector) : std::nullopt;
      const Color ground =
          origin ? mix(palette.cell, origin_color(palette, *origin), 0.3f * in_vain_) : palette.cell;
      if (sector != nullptr &&
          std::min(layout_.pitch, layout_.step) < 10) {  // too small for a hatch of each word's own
        Cell& cell = pen_.framed(kBack, layout_.sector(line, index), ground, palette.line, 0);
        cell.hatch = 4;
        cell.hatch_color = with_alpha(origin ? palette.hatch : palette.costly, 0.75f * in_vain_);
        continue;
      }
      for (int word = 0; word < 8; ++word) {
        const bool used = sector != nullptr && (sector->used_bytes >> (4 * word) & 0xf) != 0;
        const Rect rect = layout_.run(line, 8 * index + word, 1);
        if (sector == nullptr) {
          pen_.framed(kBack, rect, with_alpha(palette.cell, 0.5f), with_alpha(palette.line, 0.9f), 1);
          continue;
        }
        Cell& cell = pen_.framed(kBack, rect, ground, palette.line, rect.width >= 6 ? 1.0f : 0.0f);
        if (used && access_.bytes >= 4) continue;
        cell.hatch = std::max(3.0f, std::min(pen_.px(6), 0.6f * std::min(rect.width, rect.height)));
        cell.hatch_color = with_alpha(origin ? palette.hatch : palette.costly, 0.75f * in_vain_);
      }
      if (layout_.form == LineForm::Full) label_sector(line, index, sector);
    }
    label_line(line);
  }

  void draw_slot(const Slot& slot) {
    const int line = line_of(slot.address), offset = static_cast<int>(slot.address % kLine);
    const Palette& palette = pen_.palette();
    MarkStyle style{.ground = palette.cell};
    if (const memory::TouchedSector* sector = touched(slot.address / kSector * kSector)) {
      if (const auto origin = origin_of(*sector)) style.fill = origin_color(palette, *origin);
    }
    // A word takes its colour as the first lane arrives.
    const bool arrived = progress_ >= lane_begins(std::countr_zero(slot.lanes)) + kFlight || progress_ >= 1;
    style.strength = arrived ? lane_strength(pen_, slot.lanes) : 0;
    style.number = arrived;
    const int hovered = pen_.hovered_lane();
    const bool followed = hovered >= 0 && hovered < 32 && (slot.lanes >> hovered & 1) != 0;
    if (followed) style.frame = palette.text;
    const Rect rect = layout_.run(line, offset / 4, std::max(1, access_.bytes / 4));
    if (access_.bytes < 4)
      draw_part(&pen_, rect, slot, access_.bytes, style);
    else if (style.strength > 0)
      draw_mark(&pen_, rect, slot.lanes, style);
    if (access_.bytes >= 4 && style.number) add_count(rect, slot, line, offset / 4);
    std::vector<Point> way = layout_.way_to(line, offset / 4, std::max(1, access_.bytes / 4));
    if (access_.bytes < 4 && way.size() == 1)
      way[0].x = rect.x + rect.width * static_cast<float>(offset % 4 * 2 + access_.bytes) / 8;
    for (memory::LaneMask rest = slot.lanes; rest != 0; rest &= rest - 1)
      draw_way(std::countr_zero(rest), way, rect);
  }

  // A lane's way to its word, each part of it in the same time, and on it the lane's cell, which changes its
  // size.
  void draw_way(int lane, const std::vector<Point>& way, const Rect& word) {
    const Rect start = layout_.lanes.column(lane);
    Point from{start.x + 0.5f * start.width, start.y + start.height};
    const float drawn = eased(progress_, lane_begins(lane), lane_begins(lane) + kFlight),
                strength = lane_strength(pen_, memory::LaneMask{1} << lane);
    for (std::size_t i = 0; i < way.size(); ++i) {
      Arc& arc = pen_.arc(i == 0 ? kMarks : kFrames, from, way[i], lane_color(pen_.palette(), lane));
      arc.color.a = (i == 0 ? 0.75f : 1) * strength * strength;
      arc.width = pen_.px(lane == pen_.hovered_lane() ? 2.5f : 1.4f);
      arc.drawn = std::clamp(drawn * static_cast<float>(way.size()) - static_cast<float>(i), 0.0f, 1.0f);
      from = way[i];
      if (arc.drawn <= 0 || arc.drawn >= 1) continue;
      const Point at = along_arc(arc.from, arc.to, arc.drawn), end = way.back();
      const auto between = [&](float a, float b) { return a + (b - a) * drawn; };
      const Rect flying{at.x + between(0, word.x + 0.5f * word.width - end.x),
                        at.y + between(0, word.y + 0.5f * word.height - end.y),
                        between(start.width, word.width), between(start.height, word.height)};
      draw_mark(
          &pen_,
          {flying.x - 0.5f * flying.width, flying.y - 0.5f * flying.height, flying.width, flying.height},
          memory::LaneMask{1} << lane,
          {.strength = strength, .layer = static_cast<int>(kFrames), .ground = pen_.palette().cell});
    }
  }

  // "x32" beside a word that is too small for it.
  void add_count(const Rect& rect, const Slot& slot, int line, int word) {
    const auto free = [&](int from, int to) {
      if (layout_.form == LineForm::Sectors && from / 8 != to / 8) return false;  // its box ends there
      const Address begin = lines_[static_cast<std::size_t>(line)] * kLine + 4 * static_cast<Address>(from);
      const Address end = lines_[static_cast<std::size_t>(line)] * kLine + 4 * static_cast<Address>(to) + 4;
      return from >= 0 && to < 32 && std::none_of(slots_.begin(), slots_.end(), [&](const Slot& other) {
               return other.address < end && other.address + static_cast<Address>(access_.bytes) > begin;
             });
    };
    const int words = access_.bytes / 4;
    const int cells = cells_beside(pen_, layout_.pitch, slot.lanes);
    draw_count_beside(&pen_, rect, slot.lanes, free(word + words, word + words + cells - 1),
                      free(word - cells, word - 1), row_is_alone(slots_, slot));
  }

  // While they are counted one by one, in the order of their addresses; one that is passed twice counts
  // twice.
  bool is_counted(const memory::TouchedSector& sector, int pass) const {
    if (view_.counting.what != Count::Cost && view_.counting.what != Count::Moved) return false;
    int so_far = pass + 1;
    for (const memory::TouchedSector& one : sectors_)
      so_far += one.address < sector.address ? std::max(1, one.passes) : 0;
    return so_far <= view_.counting.n;
  }

  void draw_sector_frame(const memory::TouchedSector& sector) {
    const Palette& palette = pen_.palette();
    const int line = line_of(sector.address), index = static_cast<int>(sector.address % kLine / kSector);
    const Rect inner = layout_.sector(line, index);
    const float room = layout_.word >= 8 ? std::max(1.0f, std::round(pen_.px(1))) : 1.0f;
    const Rect rect{inner.x - room, inner.y - room, inner.width + 2 * room, inner.height + 2 * room};
    const bool whole = sector.used_bytes == 0xffffffffu && sector.passes == 1;
    const int hovered = pen_.hovered_lane();
    const bool named =
        pen_.lit_sector() && hovered >= 0 && hovered < 32 && (sector.lanes >> hovered & 1) != 0;
    const std::optional<sim::Origin> origin = origin_of(sector);
    const bool lights = is_counted(sector, std::max(1, sector.passes) - 1);
    const Color verdict = lights   ? palette.text
                          : named  ? palette.accent
                          : origin ? origin_color(palette, *origin)
                          : whole  ? palette.ideal
                                   : palette.costly;
    // Lit by the last of its lanes, from its left end to its right.
    const int last = 31 - std::countl_zero(sector.lanes | 1u);
    const float lit =
        eased(progress_, lane_begins(last) + kFlight, std::min(1.0f, lane_begins(last) + kFlight + 0.3f));
    if (lit > 0) {
      const Rect part{rect.x, rect.y, std::max(rect.width * lit, std::min(rect.width, 4.0f)), rect.height};
      Cell& frame = pen_.framed(kFrames, part, with_alpha(verdict, 0.25f * (1 - lit)), verdict,
                                std::max(1.0f, std::round(pen_.px(named || lights      ? 4
                                                                  : layout_.word >= 12 ? 2
                                                                                       : 1))));
      frame.radius = pen_.px(layout_.word >= 12 ? 4 : 2);
    }
    if (origin && lit >= 1) draw_origin_mark(&pen_, kFrames, inner, *origin);
    HotSpot spot{rect, -1, -1, -1, {}};
    spot.tooltip = pen_.counted("scene.global.sector.tip", std::popcount(sector.lanes),
                                {{"place", place_text(sector.address)},
                                 {"used", std::to_string(std::popcount(sector.used_bytes))},
                                 {"lanes", number_list(pen_, sector.lanes)}});
    if (sector.passes > 1) {
      spot.tooltip += pen_.text(access_.texture ? "scene.global.groups.tip" : "scene.global.passes.tip",
                                {{"n", std::to_string(sector.passes)}});
    }
    if (origin) spot.tooltip += "\n" + origin_tip(pen_, *origin);
    pen_.hot_spot(std::move(spot));
  }

  std::vector<std::uint8_t> touched_of_lines() const {
    std::vector<std::uint8_t> touched(lines_.size(), 0);
    for (const auto& sector : sectors_) {
      auto& mask = touched[static_cast<std::size_t>(line_of(sector.address))];
      mask = static_cast<std::uint8_t>(mask | 1 << (sector.address % kLine / kSector));
    }
    return touched;
  }

  // The warp's elements in the array as one thinks of it, where the picture leaves room.
  void draw_array() {
    if (!view_.array || lines_.empty()) return;
    const ArrayInset inset = inset_of(*view_.array, access_, view_.buffer_name);
    const InsetFit below = fit_inset(pen_, inset, layout_.below, 0.4f);
    const InsetFit beside = fit_inset(pen_, inset, layout_.beside, 1);
    draw_inset(&pen_, inset, below.cell >= beside.cell ? below : beside);
  }

  // "+8,192" from the buffer's start.
  std::string offset_text(Address address) const {
    return address >= view_.buffer_base ? "+" + grouped(address - view_.buffer_base)
                                        : "-" + grouped(view_.buffer_base - address);
  }

  std::string place_text(Address address) const {
    std::string offset = offset_text(address);
    if (view_.buffer_name.empty()) return offset;
    return view_.buffer_name + " " + offset.substr(0, 1) + " " + offset.substr(1);
  }

  void name() {
    Scene& scene = pen_.scene();
    const std::string text = view_.site != nullptr ? view_.site->text : view_.buffer_name;
    pen_.title({pen_.text("scene.global.title", {{"op", pen_.text(op_key(access_.op))}}), text, {}});
    if (view_.refused != 0 || cost_.requests == 0) {
      scene.answer = refused_answer(pen_, view_.refused);
      scene.answer_is_costly = view_.refused != 0;
      return;
    }
    const std::string share = percent(static_cast<double>(cost_.used_bytes) /
                                      (memory::GpuModel::sector_bytes * std::max(cost_.sectors, 1)));
    const std::string key = atomic() ? "scene.global.answer.atomic" : "scene.global.answer";
    const std::string counts = pen_.counted(
        key, cost_.sectors,
        {{"sectors", grouped(cost_.sectors)}, {"ideal", grouped(cost_.ideal_sectors)}, {"percent", share}});
    const double ratio = static_cast<double>(cost_.sectors) / std::max(cost_.ideal_sectors, 1);
    scene.answer = (ideal() ? "= " : "×" + without_zeros(fixed(ratio, 2)) + " · ") + counts;
    scene.answer_is_ideal = ideal() && access_.active == ~memory::LaneMask{0};
    scene.answer_is_costly = !ideal();
  }

  void label_sector(int line, int index, const memory::TouchedSector* sector) {
    const Palette& palette = pen_.palette();
    const Rect box = layout_.sector(line, index);
    const Point at{box.x + 0.5f * box.width, box.y + box.height + pen_.px(10)};
    const std::string number = std::to_string(index);
    Type type = words(palette.faint, Align::Center);
    std::string text = pen_.text("scene.global.sector.idle", {{"n", number}});
    if (sector != nullptr) {
      const bool whole = sector->used_bytes == 0xffffffffu && sector->passes == 1;
      type.color = mix(palette.faint, whole ? palette.ideal : palette.costly, in_vain_);
      const std::string used = std::to_string(std::popcount(sector->used_bytes));
      const std::string key =
          sector->passes > 1 ? access_.texture ? "scene.global.sector.groups" : "scene.global.sector.passes"
          : whole            ? "scene.global.sector"
                             : "scene.global.sector.part";
      text = pen_.text(key, {{"n", number}, {"used", used}, {"passes", std::to_string(sector->passes)}});
      if (const auto origin = origin_of(*sector)) {
        text = pen_.text("reuse.sector", {{"n", number}, {"who", pen_.text(key_of(*origin))}});
        type.color = palette.secondary;
      }
    }
    if (pen_.width_of(text, type) > box.width - pen_.px(6)) {
      text = pen_.text(sector != nullptr ? "scene.global.sector" : "scene.global.idle", {{"n", number}});
    }
    pen_.backed_label(kFrames, at, box.width - pen_.px(6), text, type);
  }

  void label_line(int line) {
    const Palette& palette = pen_.palette();
    const Address address = lines_[static_cast<std::size_t>(line)] * kLine;
    const Rect first = layout_.sector(line, 0), last = layout_.sector(line, 3);
    if (layout_.form == LineForm::Sectors) return;
    if (layout_.form == LineForm::Rows) {
      if (view_.addresses || line == 0) label_beside(first, address);
      return;
    }
    const float y = first.y - pen_.px(10), right = last.x + last.width;
    pen_.backed_label(kFrames, {right, y}, right - first.x, name_of_line(address),
                      code(palette.secondary, Align::Right));
  }

  void label_beside(const Rect& box, Address address) {
    pen_.backed_label(
        kFrames, {box.x - pen_.px(8), std::min(box.y + 0.5f * box.height, pen_.height() - pen_.px(7))},
        layout_.gutter - pen_.px(8), offset_text(address), code(pen_.palette().secondary, Align::Right));
  }

  // Sectors that stand alone: where they are, of as many as have room for it, and that memory between two of
  // them is left out.
  void label_sectors() {
    if (layout_.form != LineForm::Sectors) return;
    int stride = view_.addresses ? 1 : layout_.rows;
    while (layout_.line_step * static_cast<float>(stride) < 1.1f * pen_.size_of(code())) ++stride;
    for (std::size_t i = 0; i < sectors_.size(); ++i) {
      const Address address = sectors_[i].address;
      const Rect box = layout_.sector(line_of(address), static_cast<int>(address % kLine / kSector));
      if (!layout_.bare && static_cast<int>(i) % layout_.rows % stride == 0) label_beside(box, address);
      if (i + 1 < sectors_.size() && sectors_[i + 1].address != address + kSector)
        draw_left_out(&pen_, kFrames,
                      {box.x + box.width + 0.55f * pen_.px(kLeftOut), box.y + 0.5f * box.height});
    }
  }

  std::string name_of_line(Address address) const {
    return pen_.text("scene.global.line", {{"place", place_text(address)}});
  }

  // Where lines between two touched ones are left out: how many. In other forms the addresses tell it.
  void draw_holes() {
    const bool tells = layout_.form == LineForm::Full || layout_.form == LineForm::Compact;
    const Type type = words(pen_.palette().secondary);
    for (std::size_t line = 1; tells && line < lines_.size(); ++line) {
      const Address hole = lines_[line] - lines_[line - 1] - 1;
      const Rect first = layout_.sector(static_cast<int>(line), 0),
                 last = layout_.sector(static_cast<int>(line), 3);
      const std::string left_out = pen_.counted("scene.global.untouched", static_cast<long long>(hole),
                                                {{"n", grouped(static_cast<long long>(hole))}});
      // The line's own name stands at the right of the same row, and goes first.
      const float free = last.x + last.width - first.x - pen_.px(12) -
                         pen_.width_of(name_of_line(lines_[line] * kLine), code());
      if (hole > 0 && pen_.width_of(left_out, type) <= free)
        pen_.backed_label(kFrames, {first.x, first.y - pen_.px(10)}, free, left_out, type);
    }
  }

  // How many lines or sectors there are and how far apart: as much as has room below them.
  void draw_caption() {
    const bool alone = layout_.form == LineForm::Sectors;
    std::vector<Address> places;
    if (alone)
      for (const auto& sector : sectors_) places.push_back(sector.address);
    else
      for (const Address line : lines_) places.push_back(line * kLine);
    const Address step = places.size() > 1 ? places[1] - places[0] : 0;
    bool even = step > 0;
    for (std::size_t i = 1; i < places.size(); ++i) even = even && places[i] - places[i - 1] == step;
    const Type type = words(pen_.palette().text);
    const float room = layout_.width - layout_.lanes.x;
    const std::string text =
        pen_.text(std::string(alone ? "scene.global.sectors" : "scene.global.lines") + (even ? ".apart" : ""),
                  {{"n", places.size()}, {"step", grouped(step)}});
    pen_.label(
        kBack, {layout_.lanes.x, layout_.caption_y},
        whole_clauses(text, [&](const std::string& part) { return pen_.width_of(part, type) <= room; }),
        type);
  }

  // Below the one line that such an access has, beside its pile.
  void say_combined() {
    const Rect sector = layout_.sector(0, 0);
    pen_.label_within(kBack, {layout_.lanes.x, sector.y + sector.height + pen_.px(44)},
                      0.7f * (layout_.width - layout_.lanes.x),
                      pen_.text("scene.global.combined", {{"n", std::popcount(access_.active)}}),
                      words(pen_.palette().text));
  }

  void say_nothing_active() {
    pen_.label_within(kBack, {0.5f * pen_.width(), 0.6f * pen_.height()}, pen_.width(),
                      refused_answer(pen_, view_.refused),
                      {15, pen_.palette().secondary, Align::Center, Font::Words, false});
  }

  const GlobalView& view_;
  Pen pen_;
  memory::WarpAccess access_;
  std::vector<Slot> slots_;
  std::vector<memory::TouchedSector> sectors_;
  std::vector<Address> lines_;  // numbers of the touched lines, ascending
  memory::Cost cost_;
  GlobalLayout layout_;
  float in_vain_ = 1;   // of the animation: how far what is fetched in vain shows, last of all
  float progress_ = 1;  // of the animation
};

}  // namespace

Scene global_scene(const GlobalView& view, const Canvas& canvas) {
  if (!view.reuse) return GlobalPicture(view, canvas).draw();
  Pen foot(canvas);
  Canvas above = canvas;
  above.height = draw_reuse(&foot, *view.reuse);
  Scene scene = GlobalPicture(view, above).draw();
  add_part(&scene, foot.finish(), {});
  scene.height = canvas.height;
  return scene;
}

// ---- what it is of

namespace {

Scene draw_global(const Inputs& in, const app::PricedAccess& moment, const Canvas& canvas) {
  const app::Simulation& s = *in.simulation;
  GlobalView view;
  view.program = &s.program();
  view.site = moment.site;
  view.access = moment.access;
  view.buffer_base = moment.buffer_base;
  view.buffer_name = moment.buffer_name;
  view.refused = moment.refused;
  view.array = moment.array;
  view.reuse = in.reuse;
  view.block_uses = in.block_uses;
  view.counting = in.counting;
  view.addresses = in.addresses;
  if (in.motion != nullptr && moment.event == s.place.event) view.progress = in.motion->access(in.now);
  if (in.comparison != nullptr) {
    const auto& differs = in.is_a ? in.comparison->global_a : in.comparison->global_b;
    if (differs) view.differing_lanes = differs->lanes;
  }
  return global_scene(view, canvas);
}

}  // namespace

Scene global_memory(const Inputs& in, const Canvas& canvas) {
  return memory_picture(in, {in.simulation->global, "memory.global", "memory.global.none", draw_global},
                        canvas);
}

}  // namespace warplens::views
