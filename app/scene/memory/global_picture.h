// The picture of one global access while it is drawn: its sectors and lines, its layout, and the parts that
// make it up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/memory/global_layout.h"
#include "app/scene/memory/lane_marks.h"
#include "app/scene/views.h"
#include "sim/memory/coalescing.h"
#include "sim/memory/cost.h"

namespace warplens::scene {

class GlobalPicture {
 public:
  GlobalPicture(const GlobalView& view, const Canvas& canvas);

  Scene draw();

 private:
  using Address = memory::Address;
  static constexpr std::size_t kBack = 0, kMarks = 1, kFrames = 2;  // the layers
  static constexpr Address kLine = memory::kLineBytes, kSector = memory::kSectorBytes;

  Type code(Color color = {}, Align align = Align::Left) const {
    return {13, color, align, Font::Code, false};
  }
  Type words(Color color, Align align = Align::Left) const { return {13, color, align, Font::Words, false}; }

  std::string offset_text(Address address) const;
  std::string place_text(Address address) const;
  int line_of(Address address) const {
    return static_cast<int>(std::lower_bound(lines_.begin(), lines_.end(), address / kLine) - lines_.begin());
  }
  bool atomic() const { return access_.op == memory::Op::Atomic || access_.op == memory::Op::Reduction; }
  bool ideal() const { return cost_.sectors <= cost_.ideal_sectors; }

  void name();
  void draw_lanes();
  void draw_line(int line);
  void draw_slot(const Slot& slot);
  void draw_flying(int lane, Point from, Point to, float part, const Rect& word);
  void add_count(const Rect& rect, const Slot& slot, int line, int word);
  void draw_sector_frame(const memory::TouchedSector& sector);
  // Who touched it before; none where that is not shown, or not known yet.
  std::optional<sim::Origin> origin_of(const memory::TouchedSector& sector) const;
  void label_sector(int line, int index, const memory::TouchedSector* touched);
  void label_line(int line);
  std::vector<std::uint8_t> touched_of_lines() const;
  // Untouched lines before a touched one, and all of those between the first and the last.
  Address hole_before(std::size_t line) const { return lines_[line] - lines_[line - 1] - 1; }
  Address holes_between() const {
    return lines_.empty() ? 0 : lines_.back() - lines_.front() + 1 - lines_.size();
  }
  void draw_holes();
  std::string caption(float room) const;
  void draw_caption();
  void draw_array();
  bool is_crossed(const Rect& part);
  void say_nothing_active();
  const memory::TouchedSector* touched(Address sector) const;

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

}  // namespace warplens::scene
