#include <algorithm>
#include <bit>
#include <cmath>

#include "app/scene/memory/array_inset.h"
#include "app/scene/memory/global_picture.h"
#include "app/scene/memory/origin_marks.h"

namespace warplens::scene {
namespace {

// Of the animation: when a lane sets out, and when it has arrived; of a sector, how far it is lit.
float lane_begins(int lane) {
  return 0.25f * static_cast<float>(lane) / 31;
}
constexpr float kFlight = 0.4f;

// Where a lane is on its way: along the arc, which leaves and arrives vertically.
Point along_arc(Point a, Point d, float t) {
  const float bend = 0.5f * (d.y - a.y), u = 1 - t;
  const auto cubic = [&](float p, float q, float r, float s) {
    return u * u * u * p + 3 * u * u * t * q + 3 * u * t * t * r + t * t * t * s;
  };
  return {cubic(a.x, a.x, d.x, d.x), cubic(a.y, a.y + bend, d.y - bend, d.y)};
}

}  // namespace

GlobalPicture::GlobalPicture(const GlobalView& view, const Canvas& canvas) : view_(view), pen_(canvas) {
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

Scene GlobalPicture::draw() {
  name();
  if (pen_.too_small()) return pen_.finish();
  float margin = 0;
  for (const Address line : lines_)
    margin = std::max(margin, pen_.width_of(offset_text(line * kLine), code()));
  layout_ = layout_global(pen_, {touched_of_lines(), margin, holes_between() > 0, view_.array.has_value()});
  draw_lanes();
  for (std::size_t line = 0; line < lines_.size(); ++line) draw_line(static_cast<int>(line));
  for (const Slot& slot : slots_) draw_slot(slot);
  for (const auto& sector : sectors_) draw_sector_frame(sector);
  draw_holes();
  if (layout_.caption_y > 0 && !lines_.empty()) draw_caption();
  if (lines_.empty()) say_nothing_active();
  draw_array();
  return pen_.finish();
}

void GlobalPicture::draw_lanes() {
  const Palette& palette = pen_.palette();
  const float middle = layout_.lane_y + 0.5f * layout_.lane_cell;
  pen_.label(kBack, {layout_.lane_x - pen_.px(8), middle}, pen_.text("scene.global.lanes"),
             words(palette.faint, Align::Right));
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    const Rect rect = layout_.lane(lane);
    const bool active = (access_.active >> lane & 1) != 0, refused = (view_.refused >> lane & 1) != 0;
    if (active) {
      MarkStyle style{.ground = palette.cell};
      style.strength = lane_strength(pen_, memory::LaneMask{1} << lane);
      if (lane == pen_.hovered_lane()) style.frame = palette.text;
      draw_mark(&pen_, rect, memory::LaneMask{1} << lane, style);
    } else {
      Cell& cell = pen_.framed(kMarks, rect, with_alpha(palette.cell, 0.5f),
                               refused ? palette.costly : palette.line, refused ? pen_.px(1.5f) : 1);
      if (refused) cell.hatch = std::max(3.0f, pen_.px(4)), cell.hatch_color = palette.costly;
    }
    if ((view_.differing_lanes >> lane & 1) != 0) draw_difference_bar(&pen_, kFrames, rect);
    if (layout_.lane_numbers_y > 0 && lane % 8 == 0) {
      pen_.label(kMarks, {rect.x + 0.5f * rect.width, layout_.lane_numbers_y}, std::to_string(lane),
                 {13, palette.secondary, Align::Center, Font::Code, false});
    }
    const Address address = access_.addresses[static_cast<std::size_t>(lane)];
    HotSpot spot{rect, lane, -1, -1, {}};
    spot.tooltip = active ? pen_.text("scene.global.lane.tip",
                                      {{"lane", std::to_string(lane)}, {"place", place_text(address)}})
                          : pen_.text(refused ? "scene.lane.refused.tip" : "scene.lane.inactive.tip",
                                      {{"lane", std::to_string(lane)}});
    pen_.hot_spot(std::move(spot));
  }
}

const memory::TouchedSector* GlobalPicture::touched(Address sector) const {
  const auto at = std::lower_bound(sectors_.begin(), sectors_.end(), sector,
                                   [](const memory::TouchedSector& s, Address a) { return s.address < a; });
  return at != sectors_.end() && at->address == sector ? &*at : nullptr;
}

std::optional<sim::Origin> GlobalPicture::origin_of(const memory::TouchedSector& sector) const {
  if (!view_.reuse || view_.reuse->origins.size() != sectors_.size()) return std::nullopt;
  return view_.reuse->origins[static_cast<std::size_t>(&sector - sectors_.data())];
}

// The words that no lane asked for: faint where the sector stays in memory, hatched where it is fetched all
// the same.
void GlobalPicture::draw_line(int line) {
  const Palette& palette = pen_.palette();
  for (int index = 0; index < 4; ++index) {
    const Address address =
        lines_[static_cast<std::size_t>(line)] * kLine + static_cast<Address>(index) * kSector;
    const memory::TouchedSector* sector = touched(address);
    if (!layout_.is_open(line, index)) {
      pen_.framed(kBack, layout_.sector(line, index), with_alpha(palette.cell, 0.5f),
                  with_alpha(palette.line, 0.9f), 1);
      continue;
    }
    const std::optional<sim::Origin> origin = sector != nullptr ? origin_of(*sector) : std::nullopt;
    const Color ground =
        origin ? mix(palette.cell, origin_color(palette, *origin), 0.3f * in_vain_) : palette.cell;
    if (sector != nullptr &&
        std::min(layout_.pitch, layout_.step) < 10) {  // too small for a hatch of each word's own
      Cell& cell = pen_.framed(kBack, layout_.sector(line, index), ground, palette.line, 0);
      cell.hatch = 4;
      cell.hatch_color = with_alpha(palette.hatch, in_vain_);
      continue;
    }
    for (int word = 0; word < 8; ++word) {
      const bool used = sector != nullptr && (sector->used_bytes >> (4 * word) & 0xf) != 0;
      const Rect rect = layout_.run(line, 8 * index + word, 1).front();
      if (sector == nullptr) {
        pen_.framed(kBack, rect, with_alpha(palette.cell, 0.5f), with_alpha(palette.line, 0.9f), 1);
        continue;
      }
      Cell& cell = pen_.framed(kBack, rect, ground, palette.line, rect.width >= 6 ? 1.0f : 0.0f);
      if (used && access_.bytes >= 4) continue;
      cell.hatch = std::max(3.0f, std::min(pen_.px(6), 0.6f * std::min(rect.width, rect.height)));
      cell.hatch_color = with_alpha(palette.hatch, in_vain_);
    }
    if (layout_.form == LineForm::Full) label_sector(line, index, sector);
  }
  label_line(line);
}

void GlobalPicture::draw_slot(const Slot& slot) {
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
  std::vector<Rect> rects = layout_.run(line, offset / 4, std::max(1, access_.bytes / 4));
  for (std::size_t i = 0; i < rects.size(); ++i) {
    if (access_.bytes < 4) {
      draw_part(&pen_, rects[i], slot, access_.bytes, style);
    } else if (style.strength > 0) {
      MarkStyle part = style;
      part.number = style.number && i == 0;
      draw_mark(&pen_, rects[i], slot.lanes, part);
    }
  }
  if (access_.bytes >= 4 && style.number && layout_.form != LineForm::Columns)
    add_count(rects[0], slot, line, offset / 4);
  Point to{rects[0].x + 0.5f * rects[0].width, rects[0].y};
  if (access_.bytes < 4)
    to.x = rects[0].x + rects[0].width * static_cast<float>(offset % 4 * 2 + access_.bytes) / 8;
  for (memory::LaneMask rest = slot.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Rect from = layout_.lane(lane);
    const float strength = lane_strength(pen_, memory::LaneMask{1} << lane);
    Arc& arc = pen_.arc(kMarks, {from.x + 0.5f * from.width, from.y + from.height}, to,
                        with_alpha(lane_color(palette, lane), 0.75f * strength * strength));
    arc.width = pen_.px(lane == hovered ? 2.5f : 1.4f);
    arc.drawn = eased(progress_, lane_begins(lane), lane_begins(lane) + kFlight);
    if (arc.drawn > 0 && arc.drawn < 1) draw_flying(lane, arc.from, to, arc.drawn, rects[0]);
  }
}

// The lane's cell between the row of lanes and its word, changing size on the way.
void GlobalPicture::draw_flying(int lane, Point from, Point to, float part, const Rect& word) {
  const Rect start = layout_.lane(lane);
  const float width = start.width + (word.width - start.width) * part,
              height = start.height + (word.height - start.height) * part;
  const Point at = along_arc(from, {to.x, to.y + 0.5f * word.height}, part);
  MarkStyle style{.ground = pen_.palette().cell};
  style.strength = lane_strength(pen_, memory::LaneMask{1} << lane);
  style.layer = static_cast<int>(kFrames);
  draw_mark(&pen_, {at.x - 0.5f * width, at.y - 0.5f * height, width, height}, memory::LaneMask{1} << lane,
            style);
}

// "x32" beside a word that is too small for it.
void GlobalPicture::add_count(const Rect& rect, const Slot& slot, int line, int word) {
  const auto free = [&](int from, int to) {
    if (layout_.form == LineForm::Stacks && from / 8 != to / 8) return false;  // a folded one lies there
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

void GlobalPicture::draw_sector_frame(const memory::TouchedSector& sector) {
  const Palette& palette = pen_.palette();
  const int line = line_of(sector.address), index = static_cast<int>(sector.address % kLine / kSector);
  const Rect inner = layout_.sector(line, index);
  const float room = layout_.word >= 8 ? std::max(1.0f, std::round(pen_.px(1))) : 1.0f;
  const Rect rect{inner.x - room, inner.y - room, inner.width + 2 * room, inner.height + 2 * room};
  const bool whole = sector.used_bytes == 0xffffffffu && sector.passes == 1;
  const int hovered = pen_.hovered_lane();
  const bool named = pen_.lit_sector() && hovered >= 0 && hovered < 32 && (sector.lanes >> hovered & 1) != 0;
  const std::optional<sim::Origin> origin = origin_of(sector);
  const Color verdict = named              ? palette.accent
                        : origin           ? origin_color(palette, *origin)
                        : whole || ideal() ? palette.ideal
                                           : palette.costly;
  // Lit by the last of its lanes, from its left end to its right.
  const int last = 31 - std::countl_zero(sector.lanes | 1u);
  const float lit =
      eased(progress_, lane_begins(last) + kFlight, std::min(1.0f, lane_begins(last) + kFlight + 0.3f));
  if (lit > 0) {
    const Rect part{rect.x, rect.y, std::max(rect.width * lit, std::min(rect.width, 4.0f)), rect.height};
    Cell& frame = pen_.framed(kFrames, part, with_alpha(verdict, 0.25f * (1 - lit)), verdict,
                              std::max(1.0f, std::round(pen_.px(named                ? 4
                                                                : layout_.word >= 12 ? 2
                                                                                     : 1))));
    frame.radius = pen_.px(layout_.word >= 12 ? 4 : 2);
  }
  if (origin && lit >= 1) draw_origin_mark(&pen_, kFrames, inner, *origin);
  const auto& only_here = view_.differing_sectors;
  // Between thin lines the bars would hide the frames; the lanes above have theirs.
  const bool has_room = !layout_.bare || layout_.line_step >= pen_.px(18);
  if (has_room && std::binary_search(only_here.begin(), only_here.end(), sector.address))
    draw_difference_bar(&pen_, kFrames, rect);
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

std::vector<std::uint8_t> GlobalPicture::touched_of_lines() const {
  std::vector<std::uint8_t> touched(lines_.size(), 0);
  for (const auto& sector : sectors_) {
    auto& mask = touched[static_cast<std::size_t>(line_of(sector.address))];
    mask = static_cast<std::uint8_t>(mask | 1 << (sector.address % kLine / kSector));
  }
  return touched;
}

// Whether any arc goes through this part of the picture.
bool GlobalPicture::is_crossed(const Rect& part) {
  constexpr int kSamples = 48;
  const float air = pen_.px(4);  // an arc cuts no corner between two samples
  for (const Layer& layer : pen_.scene().layers) {
    for (const Arc& arc : layer.arcs) {
      for (int i = 0; i <= kSamples; ++i) {
        const Point p = along_arc(arc.from, arc.to, static_cast<float>(i) / kSamples);
        if (p.x > part.x - air && p.x < part.x + part.width + air && p.y > part.y - air &&
            p.y < part.y + part.height + air)
          return true;
      }
    }
  }
  return false;
}

// The warp's elements in the array as one thinks of it, where the picture leaves room. At the right it stays
// below the arcs, so that each of them is seen to its end.
void GlobalPicture::draw_array() {
  if (!view_.array || lines_.empty()) return;
  const ArrayInset inset = inset_of(*view_.array, access_, view_.buffer_name);
  const InsetFit below = fit_inset(pen_, inset, layout_.below, 0.4f);
  Rect room = layout_.beside;
  InsetFit beside = fit_inset(pen_, inset, room, 1);
  while (beside.cell > below.cell && is_crossed(beside.around)) {
    const float lower = room.y + room.height - beside.around.height + pen_.px(12);
    room.height = std::max(0.0f, room.y + room.height - lower), room.y = lower;
    beside = fit_inset(pen_, inset, room, 1);
  }
  draw_inset(&pen_, inset, below.cell >= beside.cell ? below : beside);
}

Scene global_scene(const GlobalView& view, const Canvas& canvas) {
  if (!view.reuse) return GlobalPicture(view, canvas).draw();
  const ReuseFoot foot(canvas, *view.reuse);
  Canvas above = canvas;
  above.height -= foot.height();
  Scene scene = GlobalPicture(view, above).draw();
  foot.add_to(&scene);
  return scene;
}

}  // namespace warplens::scene
