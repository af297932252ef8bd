// The picture of one shared access while it is drawn: its plan, its layout, and the parts that make it up.
#pragma once

#include <array>
#include <cstdint>

#include "app/scene/memory/array_inset.h"
#include "app/scene/memory/bank_layout.h"
#include "app/scene/memory/lane_marks.h"
#include "app/scene/memory/shared_array.h"

namespace warplens::scene {

enum class Turn : std::uint8_t { Done, Now, Later };

class BankPicture {
 public:
  BankPicture(const BankView& view, const Canvas& canvas);
  Scene draw();

 private:
  static constexpr std::size_t kBack = 0, kMarks = 1;  // the layers
  Type small(Color color, Align align = Align::Left) const { return {13, color, align, Font::Words, false}; }
  BankNeeds needs() const;
  bool shows_padding() const;
  std::uint64_t padded_rows() const;
  int most_words(const BankNeeds& needs) const;
  std::vector<std::uint64_t> touched_rows() const;
  RowRange rows_now() const;
  Turn turn_of(memory::Address word) const;
  int group_now() const;
  std::array<int, 32> load_now(int* done_in_bank) const;

  void draw_groups();
  void draw_towers();
  void draw_tower(std::size_t bank, float words, int done, int load);
  void draw_scale();
  void label_towers(const std::array<int, 32>& load);
  void draw_header(const std::array<int, 32>& load);
  void make_room_beside();
  void draw_array();
  void draw_holes();
  void draw_array_sliding();
  void draw_served();
  Point place_between(memory::Address then, memory::Address now) const;
  void draw_slot(const Slot& slot);
  void add_count(const Rect& rect, const Slot& slot, memory::Address address);
  void draw_sliding();
  void add_hot_spots();
  void draw_words();
  void draw_legend();
  bool is_free(const Rect& part);  // of labels, and in the picture
  MarkStyle style_of(Turn turn, memory::LaneMask lanes) const;
  bool inside(memory::Address word, int* row) const;

  const BankView view_;
  const Canvas canvas_;
  Pen pen_;
  memory::WarpAccess access_;
  memory::BankPlan plan_;
  ArrayPlace array_, before_;  // before_: while words slide; row_bytes 0: the array stays where it is
  BankLayout layout_;
  bool told_hatched_ = true;  // the sentence says what hatched words are
  ArrayInset inset_;          // the array as rows and columns, at the right where there is room
  InsetFit inset_fit_;
  int now_ = 0;
  bool whole_ = false;  // no wavefront is singled out
  float progress_ = 1, slide_ = 1;
};

}  // namespace warplens::scene
