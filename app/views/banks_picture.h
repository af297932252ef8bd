// The picture of the banks while it is drawn: banks.cpp has the array and the words, banks_chips.cpp the
// lanes that fall, queue, pass and return.
#pragma once

#include <string>
#include <vector>

#include "app/scene/memory/array_inset.h"
#include "app/scene/memory/lane_marks.h"
#include "app/views/banks.h"

namespace warplens::views {

using namespace scene;
using memory::Address;
using memory::BankPlan;
using memory::LaneMask;

// What one or several lanes ask of the banks at once: words side by side that take the same turn.
struct Chip {
  int wavefront = 0, group = 0;
  int bank = 0, banks = 1;  // the first, and how many shafts wide
  Address address = 0;      // of its first word
  LaneMask lanes = 0;
  float level(float served) const { return static_cast<float>(wavefront) - served; }
};

std::vector<Chip> chips_of(const BankPlan& plan);

// The halves or quarters of a warp that a wide access serves one after another stand on floors of their own,
// so that what is no conflict does not look like one.
class Floors {
 public:
  Floors() = default;
  Floors(const std::vector<Chip>& chips, const BankPlan& plan);
  int count() const { return at_.empty() ? 1 : at_.back() + 1; }
  // Those between the gate and a wavefront, which need not be a whole number while one passes.
  float below(float wavefront) const;
  std::pair<int, int> wavefronts(int floor) const;  // the first of a floor, and behind its last

 private:
  std::vector<int> at_;  // by wavefront
};

// Of an access, how far it is: the wavefront that passes the gate, and how far the lanes have fallen.
struct Stage {
  const BankPlan* plan = nullptr;
  const Floors* floors = nullptr;
  float served = 0;  // -1: the stacks stand; k: wavefront k passes; as many as there are: all is done
  float fall = 1;
  float step = 0;  // distance of chips in the stacks
};

class BankPicture {
 public:
  BankPicture(const BankView& view, const Canvas& canvas);
  Scene draw();

 private:
  static constexpr std::size_t kBack = 0, kMarks = 1, kChips = 2;  // the layers
  Type small(Color color, Align align = Align::Left) const { return {13, color, align, Font::Words, false}; }
  BankNeeds needs() const;
  bool shows_padding() const;
  std::uint64_t padded_rows() const;
  int most_wavefronts(const BankNeeds& needs) const;
  std::vector<std::uint64_t> touched_rows() const;
  Stage stage() const { return {&plan_, &floors_, served_, fall_, step_of(plan_)}; }
  // Beside another pane both have the step of the higher stacks: heights are compared.
  float step_of(const BankPlan& plan) const {
    return layout_.step_of(std::max(plan.wavefronts, needs_.beside_wavefronts));
  }
  float above(const Stage& at, int wavefront) const;

  void draw_lanes();
  void draw_shafts();
  void draw_floors();
  void draw_header();
  void draw_array();
  void draw_holes();
  void draw_array_sliding();
  Point place_between(Address then, Address now) const;
  void draw_slot(const Slot& slot);
  void draw_sliding();
  void draw_chips();
  void draw_chips_sliding();
  void draw_rays(const Chip& chip, const Rect& from, float drawn, float strength);
  void add_chip(const Rect& rect, LaneMask lanes, float strength, bool passes);
  void draw_added();
  std::string word_tip(LaneMask lanes, Address address, int bank, int wavefront) const;
  Rect chip_rect(const Chip& chip, const Stage& at, int lane) const;
  float fall_of(const Chip& chip, const Stage& at, int lane) const;
  Rect passing_rect(const Chip& chip) const;
  Rect home_of(const Chip& chip, int lane) const;
  bool is_copy() const { return access_.op == memory::Op::Async; }
  bool brings_back() const {
    return access_.op != memory::Op::Store && !is_copy() && access_.op != memory::Op::Reduction;
  }
  void add_hot_spots();
  void draw_words();
  void number_beside();
  void say_what_waits();
  float turn_of(Address word) const;
  MarkStyle style_of(float turn, LaneMask lanes) const;
  bool inside(Address word, int* row) const;

  const BankView view_;
  const Canvas canvas_;
  Pen pen_;
  memory::WarpAccess access_;
  BankPlan plan_;
  std::vector<Chip> chips_;
  Floors floors_, then_floors_;
  struct Drawn {
    Rect rect;
    LaneMask lanes;
    float strength;
    bool passes;
  };
  std::vector<Drawn> drawn_;
  memory::WarpAccess then_access_;  // while chips slide: where they come from
  BankPlan then_plan_;
  ArrayPlace array_, before_;  // before_: while words slide; row_bytes 0: the array stays where it is
  BankNeeds needs_;
  BankLayout layout_;
  bool told_hatched_ = true;     // the sentence says what hatched words are
  bool numbers_beside_ = false;  // of the lanes in a tower: its chips are too small
  int now_ = 0;
  bool whole_ = false;  // no wavefront is singled out
  float served_ = 0, fall_ = 1, slide_ = 1;
};

}  // namespace warplens::views
