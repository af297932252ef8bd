// The shared array under its banks: see banks.h.
#include "app/views/banks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "app/scene/memory/lane_marks.h"
#include "app/scene/text.h"
#include "app/views/memory.h"

namespace warplens::views {
namespace {

using namespace scene;
using memory::Address;
using memory::BankPlan;

// ---- the array

const sim::SharedArray* find_array(const BankView& view, memory::Address lowest) {
  if (view.program == nullptr) return nullptr;
  const auto& arrays = view.program->shared_arrays;
  if (view.site != nullptr && !view.site->array.empty()) {
    for (const auto& array : arrays)
      if (array.name == view.site->array) return &array;
  }
  for (const auto& array : arrays) {
    const auto begin = static_cast<memory::Address>(array.offset);
    if (lowest >= begin &&
        lowest < begin + static_cast<memory::Address>(std::max<std::int64_t>(array.bytes, 1)))
      return &array;
  }
  return nullptr;
}

// "float tile[16][32 + 2]": figures, with the padding told apart.
std::string declaration_of(const sim::SharedArray& array, int padding_words) {
  std::string text = array.element_text + " " + array.name;
  for (std::size_t i = 0; i < array.extents.size(); ++i) {
    const std::int64_t extent = array.extents[i];
    const std::int64_t padding =
        i + 1 == array.extents.size() ? padding_words * 4 / std::max(1, array.element_bytes) : 0;
    text += "[";
    if (extent > 0)
      text += std::to_string(extent - padding) + (padding > 0 ? " + " + std::to_string(padding) : "");
    text += "]";
  }
  return text;
}

// The array named by the site; otherwise the one that holds the addresses; otherwise what the addresses span.
ArrayPlace shared_array_of(const BankView& view, const memory::WarpAccess& access) {
  memory::Address lowest = ~memory::Address{0}, highest = 0;
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    lowest = std::min(lowest, access.addresses[static_cast<std::size_t>(lane)]);
    highest = std::max(highest, access.addresses[static_cast<std::size_t>(lane)]);
  }
  if (lowest > highest) lowest = highest = 0;
  const memory::Address touched_end = highest + static_cast<memory::Address>(access.bytes);
  ArrayPlace place;
  const sim::SharedArray* array = find_array(view, lowest);
  if (array == nullptr) {
    place.begin = lowest / 128 * 128;
    place.end = (touched_end + 127) / 128 * 128;
    return place;
  }
  place.name = array->name;
  place.element_bytes = std::max(1, array->element_bytes);
  place.begin = static_cast<memory::Address>(std::max<std::int64_t>(array->offset, 0));
  place.end = place.begin + static_cast<memory::Address>(std::max<std::int64_t>(array->bytes, 0));
  if (array->bytes <= 0)
    place.end = std::max(place.begin + 128, (touched_end + 127) / 128 * 128);  // dynamic: what is known of it
  if (array->extents.size() >= 2 && array->extents.back() > 0)
    place.row_bytes = array->extents.back() * array->element_bytes;
  place.padding_words =
      view.padding_words_per_row >= 0 ? view.padding_words_per_row : padding_words(*array, {});
  if (place.row_bytes == 0 || 4 * std::int64_t{place.padding_words} >= place.row_bytes)
    place.padding_words = 0;
  for (const sim::AccessSite& site : view.program->sites) {
    if (site.space != sim::SiteSpace::Global && site.array == array->name)
      place.unit_words = std::max(place.unit_words, site.bytes / 4);
  }
  place.declaration = declaration_of(*array, place.padding_words);
  return place;
}

TitleParts bank_title(const Pen& pen, const BankView& view, const memory::WarpAccess& access,
                      const ArrayPlace& array) {
  static constexpr const char* kOps[] = {"scene.op.load", "scene.op.store", "scene.op.atomic",
                                         "scene.op.reduction"};
  const std::string op = pen.text(kOps[static_cast<std::size_t>(access.op) & 3]);
  const std::string text = view.site != nullptr ? view.site->text : array.name;
  return {pen.text("scene.bank.title", {{"op", op}}), text, array.declaration};
}

// ---- the picture

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

constexpr Address kRow = 128;  // bytes of 32 words

BankPicture::BankPicture(const BankView& view, const Canvas& canvas)
    : view_(view), canvas_(canvas), pen_(canvas) {
  access_ = drawable(view.access);
  access_.space = memory::Space::Shared;
  plan_ = memory::plan_banks(access_);
  now_ = std::clamp(view.wavefront, 0, std::max(0, plan_.wavefronts - 1));
  whole_ = view.wavefront >= plan_.wavefronts;
  progress_ = std::isfinite(view.progress) ? eased(view.progress) : 1;
  slide_ = view.previous != nullptr && std::isfinite(view.slide) ? eased(view.slide) : 1;
  array_ = shared_array_of(view, access_);
  if (slide_ >= 1 || view.previous_program == nullptr || view.previous_site == nullptr) return;
  BankView before;
  before.program = view.previous_program;
  before.site = view.previous_site;
  before.padding_words_per_row = view.previous_padding_words;
  before_ = shared_array_of(before, drawable(*view.previous));
  if (before_.row_bytes == array_.row_bytes) before_.row_bytes = 0;
}

Scene BankPicture::draw() {
  Scene& scene = pen_.scene();
  pen_.title(bank_title(pen_, view_, access_, array_));
  scene.answer = bank_answer(pen_, plan_, whole_ ? plan_.wavefronts : now_);
  scene.answer_is_costly = plan_.wavefronts > plan_.groups;
  scene.answer_is_ideal = plan_.wavefronts > 0 && !scene.answer_is_costly;
  if (view_.refused != 0) {
    scene.answer = refused_answer(pen_, view_.refused);
    scene.answer_is_costly = true, scene.answer_is_ideal = false;
  }
  if (pen_.too_small()) return pen_.finish();
  layout_ = layout_banks(pen_, needs());
  if (array_.padding_words > 0 && !shows_padding()) {  // of the rows that are left out: no word of hatching
    told_hatched_ = false;
    layout_ = layout_banks(pen_, needs());
  }
  make_room_beside();
  if (layout_.groups_height > 0) draw_groups();
  draw_towers();
  if (layout_.rows_y + layout_.high > pen_.height()) return pen_.finish();  // no room for a row
  if (slide_ < 1 && before_.row_bytes > 0 && array_.row_bytes > 0) {
    draw_array_sliding();
  } else {
    draw_array();
  }
  draw_holes();
  draw_inset(&pen_, inset_, inset_fit_);
  if (slide_ < 1) {
    draw_sliding();
  } else {
    for (const Slot& slot : slots_of(access_)) draw_slot(slot);
    draw_served();
    add_hot_spots();
  }
  draw_words();
  if (!takes_numbers(pen_, layout_.cell, layout_.high)) draw_legend();
  return pen_.finish();
}

BankNeeds BankPicture::needs() const {
  BankNeeds needs;
  needs.touched = touched_rows();
  needs.now = rows_now();
  const Address begin = array_.begin / kRow, end = (std::max(array_.end, array_.begin + 1) + kRow - 1) / kRow;
  needs.rows.first = std::min<Address>(begin, needs.touched.front());
  needs.rows.count = std::max<Address>(end, needs.touched.back() + 1) - needs.rows.first;
  if (array_.row_bytes > 0) needs.padded_rows = padded_rows();
  needs.most_words = most_words(needs);
  if (view_.beside != nullptr) {
    BankView beside = *view_.beside;
    beside.beside = nullptr;
    const BankNeeds other = BankPicture(beside, canvas_).needs();
    needs.padded_rows = std::max({needs.padded_rows, other.padded_rows, other.rows.count});
    needs.most_words = std::max({needs.most_words, other.most_words, most_words(needs)});
    needs.words_beside = other.words;
  }
  needs.groups = access_.bytes >= 8 && plan_.wavefronts > 0;
  needs.words = bank_sentence(pen_, {&access_, &plan_, array_.name, array_.row_bytes, array_.padding_words,
                                     array_.begin, array_.unit_words, told_hatched_});
  return needs;
}

bool BankPicture::shows_padding() const {
  return std::ranges::any_of(layout_.rows, [&](std::uint64_t row) {
    for (Address bank = 0; bank < 32; ++bank)
      if (array_.kind_of(row * kRow + 4 * bank) == WordKind::Padding) return true;
    return false;
  });
}

// Of the array with as much padding as it has, or two words, whichever is more: few need more.
std::uint64_t BankPicture::padded_rows() const {
  constexpr int kLittle = 2;
  const auto more = static_cast<Address>(4 * std::max(0, kLittle - array_.padding_words));
  const auto row_bytes = static_cast<Address>(array_.row_bytes);
  const Address rows = (array_.end - array_.begin) / row_bytes;
  return ((array_.begin % kRow) + rows * (row_bytes + more) + kRow - 1) / kRow;
}

// A bank has one word in every row of 32, and gives each but once; atomics take a turn a lane.
int BankPicture::most_words(const BankNeeds& needs) const {
  int most = *std::max_element(plan_.words_in_bank.begin(), plan_.words_in_bank.end());
  if (view_.previous != nullptr) {
    const memory::BankPlan before = memory::plan_banks(drawable(*view_.previous));
    most = std::max(most, *std::max_element(before.words_in_bank.begin(), before.words_in_bank.end()));
  }
  const auto rows = std::min<std::uint64_t>(std::max(needs.rows.count, needs.padded_rows), 32);
  return memory::lanes_take_turns(access_) ? 32 : std::max(most, static_cast<int>(rows));
}

std::vector<std::uint64_t> BankPicture::touched_rows() const {
  std::vector<std::uint64_t> rows;
  for (const auto& word : plan_.words) rows.push_back(word.address / kRow);
  if (rows.empty()) rows.push_back(array_.begin / kRow);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

RowRange BankPicture::rows_now() const {
  Address first = ~Address{0}, last = 0;
  for (const auto& word : plan_.words) {
    if (word.wavefront != now_ && !whole_) continue;
    first = std::min(first, word.address / kRow);
    last = std::max(last, word.address / kRow);
  }
  if (first > last) return {array_.begin / kRow, 1};
  return {first, last - first + 1};
}

// A word that several groups or lanes ask for is done when the last of them is.
Turn BankPicture::turn_of(Address address) const {
  Turn turn = Turn::Done;
  for (const auto& word : plan_.words) {
    if (word.address != address) continue;
    if (word.wavefront == now_) return Turn::Now;
    if (word.wavefront > now_) turn = Turn::Later;
  }
  return turn;
}

// The array as it lies in shared memory: 32 words a row; padding hatched; what lies outside the array left
// out.
void BankPicture::draw_array() {
  const Palette& palette = pen_.palette();
  const Type type{13, palette.faint, Align::Right, Font::Code, false};
  int stride = 1;
  while (layout_.step * static_cast<float>(stride) < pen_.px(14.5f)) stride *= 2;
  const std::uint64_t origin = array_.begin / kRow;
  for (int row = 0; row < layout_.shown_rows(); ++row) {
    const std::uint64_t number = layout_.rows[static_cast<std::size_t>(row)];
    const Rect first = layout_.word(row, 0);
    const bool clear = first.y + 0.5f * first.height - layout_.header_y >= pen_.px(14.5f);  // of "bank"
    if (number >= origin && row % stride == 0 && clear) {
      pen_.label_within(kBack, {layout_.grid_x - pen_.px(8), first.y + 0.5f * first.height},
                        layout_.gutter - pen_.px(8), std::to_string(number - origin), type);
    }
    for (int bank = 0; bank < 32; ++bank) {
      const Address address = number * kRow + 4 * static_cast<Address>(bank);
      const WordKind kind = array_.kind_of(address);
      if (kind == WordKind::Outside) continue;
      const float border = layout_.high >= 7 ? 1.0f : 0.0f;
      Cell& cell =
          pen_.framed(kBack, layout_.word(row, bank), palette.cell, with_alpha(palette.line, 0.6f), border);
      if (kind != WordKind::Padding) continue;
      cell.fill = palette.panel;
      cell.border = palette.hatch;
      cell.hatch = std::max(3.0f, std::min(pen_.px(6), 0.5f * layout_.high));
      cell.hatch_color = palette.hatch;
    }
  }
}

// Where the banks leave so much room that the array fits beside them as rows and columns, they stand at the
// left.
void BankPicture::make_room_beside() {
  if (!view_.with_array) return;
  const float width = 32 * layout_.pitch, air = pen_.px(16);
  const float left = layout_.gutter + width + air, top = layout_.groups_height;
  inset_ = inset_of(array_, access_);
  inset_fit_ = fit_inset(
      pen_, inset_, {left, top, std::max(0.0f, pen_.width() - left), layout_.words_y - top - pen_.px(12)});
  if (inset_fit_.cell <= 0) return;
  if (layout_.words_x == layout_.grid_x) layout_.words_x = layout_.gutter;
  layout_.grid_x = layout_.gutter;
}

MarkStyle BankPicture::style_of(Turn turn, memory::LaneMask lanes) const {
  const Palette& palette = pen_.palette();
  MarkStyle style{.layer = kMarks, .ground = palette.cell};
  const bool playing = plan_.wavefronts > 1 && !whole_;
  if (playing)
    style.strength = turn == Turn::Done ? 0.3f : turn == Turn::Later ? 0.72f : 0.72f + 0.28f * progress_;
  // A frame would be all that is seen of a low word.
  const bool takes_frame = layout_.high >= 5;
  if (playing && turn == Turn::Now && takes_frame) style.frame = with_alpha(palette.text, progress_);
  const int hovered = pen_.hovered_lane();
  if (hovered >= 0 && hovered < 32) {
    style.strength *= lane_strength(pen_, lanes);
    if ((lanes >> hovered & 1) != 0 && takes_frame) style.frame = palette.accent;
  }
  return style;
}

bool BankPicture::inside(Address word, int* row) const {
  *row = layout_.place_of(word / kRow);
  return *row >= 0;
}

// A lane's words side by side are one mark, as long as they take the same turn.
void BankPicture::draw_slot(const Slot& slot) {
  const int words = std::max(1, access_.bytes / 4);
  for (int first = 0; first < words;) {
    const Address address = (slot.address & ~Address{3}) + 4 * static_cast<Address>(first);
    const Turn turn = turn_of(address);
    int last = first;
    while (last + 1 < words && turn_of(address + 4 * static_cast<Address>(last + 1 - first)) == turn) ++last;
    int row = 0;
    if (inside(address, &row)) {
      Rect rect = layout_.word(row, static_cast<int>(address % kRow / 4));
      rect.width += layout_.pitch * static_cast<float>(last - first);
      const MarkStyle style = style_of(turn, slot.lanes);
      if (access_.bytes < 4) {
        draw_part(&pen_, rect, slot, access_.bytes, style);
      } else {
        draw_mark(&pen_, rect, slot.lanes, style);
        add_count(rect, slot, address);
      }
    }
    first = last + 1;
  }
}

// "x32" beside a word that is too small for it. Of several such words next to each other only one would have
// room for it, and seem to be the only one: then the words below and the tooltips tell.
void BankPicture::add_count(const Rect& rect, const Slot& slot, Address address) {
  const std::vector<Slot> slots = slots_of(access_);
  const auto is_shared = [](const Slot& s) { return !std::has_single_bit(s.lanes); };
  if (std::ranges::count_if(slots, is_shared) > 1) return;
  const auto free = [&](int from, int to) {
    for (int i = from; i <= to; ++i) {
      const Address other = address + static_cast<Address>(static_cast<std::int64_t>(4 * i));
      for (const auto& word : plan_.words)
        if (word.address == other) return false;
    }
    return true;
  };
  const int bank = static_cast<int>(address % kRow / 4), words = std::max(1, access_.bytes / 4);
  const int cells = cells_beside(pen_, layout_.pitch, slot.lanes);
  draw_count_beside(&pen_, rect, slot.lanes, bank + words + cells <= 32 && free(words, words + cells - 1),
                    bank >= cells && free(-cells, -1), row_is_alone(slots, slot));
}

// Where a word is on its way from one address to another: along the rows of 32, from a row's right end to the
// next row's left end, as a tape is pulled. Far apart, on a straight line.
Point BankPicture::place_between(Address then, Address now) const {
  const auto place = [this](std::uint64_t row, float bank) {
    const auto at = std::lower_bound(layout_.rows.begin(), layout_.rows.end(), row);
    const auto shown = std::min<std::ptrdiff_t>(at - layout_.rows.begin(), layout_.shown_rows() - 1);
    const Rect first = layout_.word(static_cast<int>(shown), 0);
    return Point{first.x + layout_.pitch * bank, first.y};
  };
  const auto from = static_cast<double>(then / 4), to = static_cast<double>(now / 4);
  if (std::abs(to - from) > 64) {
    const Point a = place(then / kRow, static_cast<float>(then % kRow / 4)),
                b = place(now / kRow, static_cast<float>(now % kRow / 4));
    return {a.x + (b.x - a.x) * slide_, a.y + (b.y - a.y) * slide_};
  }
  const double word = from + (to - from) * static_cast<double>(slide_);
  const double row = std::floor((word + 0.5) / 32);  // half over the edge, it is in the next row
  return place(static_cast<std::uint64_t>(row), static_cast<float>(word - 32 * row));
}

// The rows of the array have another length: each word goes from its old bank to its new one, by its place in
// its row. Padding comes where it is.
void BankPicture::draw_array_sliding() {
  const Palette& palette = pen_.palette();
  const float border = layout_.high >= 7 ? 1.0f : 0.0f;
  const std::int64_t old_words = before_.row_bytes / 4 - before_.padding_words, words = array_.row_bytes / 4;
  const auto rows = static_cast<std::int64_t>(array_.end - array_.begin) / array_.row_bytes;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t word = 0; word < words; ++word) {
      const Address now = array_.begin + static_cast<Address>(row * array_.row_bytes + 4 * word);
      if (layout_.place_of(now / kRow) < 0) continue;
      const bool padding = array_.kind_of(now) == WordKind::Padding;
      const bool is_new = padding || word >= old_words;
      const Address then = before_.begin + static_cast<Address>(row * before_.row_bytes + 4 * word);
      const Point at = place_between(is_new ? now : then, now);
      Cell& cell =
          pen_.framed(kBack, {at.x, at.y, layout_.cell, layout_.high},
                      with_alpha(padding ? palette.panel : palette.cell, is_new ? slide_ : 1),
                      with_alpha(padding ? palette.hatch : palette.line, is_new ? slide_ : 0.9f), border);
      if (!padding) continue;
      cell.hatch = std::max(3.0f, std::min(pen_.px(6), 0.5f * layout_.high));
      cell.hatch_color = with_alpha(palette.hatch, slide_);
    }
  }
}

// The words of the wavefront that is served now leave their places for their banks.
void BankPicture::draw_served() {
  if (progress_ >= 1 || progress_ <= 0 || plan_.wavefronts < 2 || whole_) return;
  for (const auto& word : plan_.words) {
    int row = 0;
    if (word.wavefront != now_ || word.lanes == 0 || !inside(word.address, &row)) continue;
    const Rect from = layout_.word(row, word.bank);
    const float up = layout_.towers_base - layout_.high;
    const Rect rect{from.x, from.y + (up - from.y) * progress_, from.width, from.height};
    MarkStyle style{.layer = kMarks, .ground = pen_.palette().cell};
    style.frame = pen_.palette().text;
    draw_mark(&pen_, rect, word.lanes, style);
  }
}

// After a change of padding or block shape every lane's mark moves from its old place to its new one.
void BankPicture::draw_sliding() {
  const memory::WarpAccess before = drawable(*view_.previous);
  const float words = static_cast<float>(std::max(1, access_.bytes / 4));
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    const memory::LaneMask bit = memory::LaneMask{1} << lane;
    if ((access_.active & bit) == 0) continue;
    const Address to = access_.addresses[static_cast<std::size_t>(lane)];
    const bool was = (before.active & bit) != 0 && before.bytes == access_.bytes;
    const Point at = place_between(was ? before.addresses[static_cast<std::size_t>(lane)] : to, to);
    const Rect rect{at.x, at.y, words * layout_.pitch - (layout_.pitch - layout_.cell), layout_.high};
    draw_mark(&pen_, rect, bit, style_of(Turn::Later, bit));
  }
}

void BankPicture::add_hot_spots() {
  for (const auto& word : plan_.words) {
    int row = 0;
    if (!inside(word.address, &row) || word.lanes == 0) continue;
    HotSpot spot{layout_.word(row, word.bank), std::countr_zero(word.lanes), -1, -1, {}};
    spot.tooltip = pen_.counted("scene.bank.word.tip", std::popcount(word.lanes),
                                {{"lanes", number_list(pen_, word.lanes)},
                                 {"address", hex_text(word.address)},
                                 {"bank", std::to_string(word.bank)},
                                 {"k", std::to_string(word.wavefront + 1)},
                                 {"n", std::to_string(plan_.wavefronts)}});
    pen_.hot_spot(std::move(spot));
  }
}

// Above the array: the groups of a wide access, and the load of every bank.

constexpr float kNameAbove = 7;  // at scale 1: of the towers' base, where "words" stands
constexpr float kLine = 14.5f;   // from one line of small letters to the next

int BankPicture::group_now() const {
  for (const auto& word : plan_.words) {
    if (word.wavefront == now_ && word.lanes != 0)
      return plan_.group[static_cast<std::size_t>(std::countr_zero(word.lanes))];
  }
  return 0;
}

// Words a bank must give for the group that is served now; and how many it has given before this wavefront.
std::array<int, 32> BankPicture::load_now(int* done_in_bank) const {
  std::array<int, 32> load{};
  std::fill(done_in_bank, done_in_bank + 32, 0);
  if (whole_) return plan_.words_in_bank;
  const int group = group_now();
  for (const auto& word : plan_.words) {
    if (word.lanes == 0 || plan_.group[static_cast<std::size_t>(std::countr_zero(word.lanes))] != group)
      continue;
    const auto bank = static_cast<std::size_t>(word.bank) & 31;
    ++load[bank];
    if (word.wavefront < now_) ++done_in_bank[bank];
  }
  return load;
}

// Halves or quarters of the warp as brackets over the banks; the one that is served now stands out.
void BankPicture::draw_groups() {
  const Palette& palette = pen_.palette();
  const int groups = std::max(1, 32 / std::max(1, plan_.lanes_per_group)), current = group_now();
  const float width = 32 * layout_.pitch / static_cast<float>(groups),
              height = layout_.groups_height - pen_.px(3);
  for (int group = 0; group < groups; ++group) {
    int wavefronts = 0, first = 33, last = -1;
    bool active = false;
    for (const auto& word : plan_.words) {
      if (plan_.group[static_cast<std::size_t>(std::countr_zero(word.lanes))] != group) continue;
      active = true;
      first = std::min(first, word.wavefront), last = std::max(last, word.wavefront);
    }
    if (active) wavefronts = last - first + 1;
    const Rect rect{layout_.grid_x + width * static_cast<float>(group), layout_.groups_y, width - pen_.px(3),
                    height};
    const bool now = active && !whole_ && group == current;
    pen_.framed(kBack, rect, now ? mix(palette.panel, palette.accent, 0.16f) : palette.cell,
                now ? palette.accent : palette.line, std::max(1.0f, pen_.px(now ? 1.5f : 1)));
    const std::string lanes = std::to_string(group * plan_.lanes_per_group) + "–" +
                              std::to_string((group + 1) * plan_.lanes_per_group - 1);
    const std::string key = !active          ? "scene.bank.group.idle"
                            : access_.matrix ? "scene.bank.group.matrix"
                            : plan_.merged   ? "scene.bank.group.merged"
                                             : "scene.bank.group";
    std::string text = pen_.counted(
        key, wavefronts,
        {{"lanes", lanes}, {"n", std::to_string(wavefronts)}, {"matrix", std::to_string(group)}});
    const Type type = small(now ? palette.text : palette.secondary, Align::Center);
    if (active && pen_.width_of(text, type) > rect.width - pen_.px(6)) {
      text = pen_.text("scene.bank.group.short", {{"lanes", lanes}, {"n", std::to_string(wavefronts)}});
    }
    if (pen_.width_of(text, type) > rect.width) text = lanes;
    if (pen_.width_of(text, type) <= rect.width)
      pen_.label(kBack, {rect.x + 0.5f * rect.width, rect.y + 0.5f * rect.height}, text, type);
  }
}

void BankPicture::draw_towers() {
  const Palette& palette = pen_.palette();
  std::array<int, 32> done{};
  std::array<int, 32> load = load_now(done.data());
  std::array<float, 32> shown{};
  for (std::size_t b = 0; b < 32; ++b) shown[b] = static_cast<float>(load[b]);
  if (slide_ < 1) {
    const BankPlan before = memory::plan_banks(drawable(*view_.previous));
    for (std::size_t b = 0; b < 32; ++b) {
      const float old = static_cast<float>(before.words_in_bank[b]);
      shown[b] = old + (shown[b] - old) * slide_;
    }
  }
  draw_scale();
  for (std::size_t b = 0; b < 32; ++b) {
    if (shown[b] > 0) draw_tower(b, shown[b], done[b], load[b]);
  }
  const bool atomic = memory::lanes_take_turns(access_);
  pen_.label(kBack, {layout_.grid_x - pen_.px(8), layout_.towers_base - pen_.px(kNameAbove)},
             pen_.text(atomic ? "scene.bank.lanes" : "scene.bank.words"), small(palette.faint, Align::Right));
  label_towers(load);
  draw_header(load);
}

// A brick a word, all of one height. From below: what is served already, the word of this wavefront, those
// that wait.
void BankPicture::draw_tower(std::size_t bank, float words, int done, int load) {
  const Palette& palette = pen_.palette();
  const bool costly = words > 1.01f, playing = costly && slide_ >= 1 && !whole_;
  const float x = layout_.word(0, static_cast<int>(bank)).x, brick = layout_.brick;
  const float gap = brick >= 3 ? 1.0f : 0.0f;
  for (int i = 0; static_cast<float>(i) < words; ++i) {
    const float part = std::min(1.0f, words - static_cast<float>(i));
    const float top = layout_.towers_base - brick * (static_cast<float>(i) + part);
    Color color = costly ? palette.costly : palette.ideal;
    if (playing && i < done) color = mix(palette.panel, palette.costly, 0.4f);
    if (playing && i == done && done < load) color = mix(palette.costly, palette.text, 0.55f * progress_);
    Cell& cell = pen_.cell(kBack, {x, top, layout_.cell, std::max(brick * part - gap, 0.5f)}, color);
    cell.radius = std::min(1.0f, 0.2f * brick);
  }
}

// The towers' base, and how high 8, 16 and 32 words are: the same in every picture of this size.
void BankPicture::draw_scale() {
  const Palette& palette = pen_.palette();
  const float width = 32 * layout_.pitch, line = std::max(1.0f, pen_.px(1));
  pen_.cell(kBack, {layout_.grid_x, layout_.towers_base, width, line}, palette.line).radius = 0;
  float free_below = layout_.towers_base - pen_.px(kNameAbove + kLine);
  for (const int words : {8, 16, 32}) {
    const float y = layout_.towers_base - layout_.brick * static_cast<float>(words);
    if (y < layout_.towers_top - 0.5f || y > free_below) continue;
    free_below = y - pen_.px(kLine);
    pen_.cell(kBack, {layout_.grid_x, y, width, 1}, with_alpha(palette.line, 0.6f)).radius = 0;
    pen_.label(kBack, {layout_.grid_x - pen_.px(8), y}, std::to_string(words),
               {13, palette.faint, Align::Right, Font::Code, false});
  }
}

// "x16" over a bank, or once over neighbours that have the same load.
void BankPicture::label_towers(const std::array<int, 32>& load) {
  float free_from = -1e9f;
  for (int first = 0; first < 32;) {
    int last = first;
    const int n = load[static_cast<std::size_t>(first)];
    while (last < 31 && load[static_cast<std::size_t>(last) + 1] == n) ++last;
    const float left = layout_.word(0, first).x, right = layout_.word(0, last).x + layout_.cell;
    first = last + 1;
    if (n < 2) continue;
    const std::string text = "×" + std::to_string(n);
    const Type type{13, pen_.palette().costly, Align::Center, Font::Code, true};
    const float half = 0.5f * pen_.width_of(text, type);
    const float centre = std::clamp(0.5f * (left + right), half, pen_.width() - half);
    if (centre - half < free_from) continue;
    free_from = centre + half + pen_.px(2);
    const float top = layout_.towers_base - layout_.brick * static_cast<float>(n);
    pen_.label(kBack, {centre, top - pen_.px(8)}, text, type);
  }
}

void BankPicture::draw_header(const std::array<int, 32>& load) {
  const Palette& palette = pen_.palette();
  Type type{13, palette.secondary, Align::Center, Font::Code, false};
  int stride = 1;
  while (stride < 32 && layout_.pitch * static_cast<float>(stride) < pen_.width_of("00", type) + pen_.px(3))
    stride *= 2;
  const bool fits =
      layout_.header_y + 0.4f * pen_.px(std::max(type.size, pen_.least_type())) <= pen_.height();
  for (int bank = 0; fits && bank < 32; bank += stride) {
    const Rect column = layout_.word(0, bank);
    const bool costly = load[static_cast<std::size_t>(bank)] > 1;
    type.color = costly ? palette.costly : palette.secondary;
    type.bold = costly;
    pen_.label(kBack, {column.x + 0.5f * column.width, layout_.header_y}, std::to_string(bank), type);
  }
  for (int bank = 0; bank < 32; ++bank) {
    if ((view_.differing_banks >> bank & 1) != 0)
      pen_.cell(kBack,
                {layout_.word(0, bank).x, layout_.towers_base + 1, layout_.cell, std::max(2.0f, pen_.px(2))},
                palette.accent)
          .radius = 0;
  }
  const auto frame = [&](int bank, Color color) -> Cell* {
    if (bank < 0 || bank >= 32) return nullptr;
    const Rect column = layout_.word(0, bank);
    const float half = pen_.px(9);
    return &pen_.framed(kBack, {column.x - 1, layout_.header_y - half, column.width + 2, 2 * half},
                        with_alpha(color, 0), color, std::max(2.0f, pen_.px(2)));
  };
  frame(pen_.lit_bank(), palette.accent);
  if (Cell* said = frame(pen_.said_bank(), palette.costly)) {  // hatched: what is not so
    said->hatch = pen_.px(5);
    said->hatch_color = palette.costly;
  }
  if (fits)
    pen_.label(kBack, {layout_.grid_x - pen_.px(8), layout_.header_y}, pen_.text("scene.bank.bank"),
               small(palette.faint, Align::Right));
}

// Below it: the explanation, which rows are shown, which lanes have which colours.

// Where rows are left out: how many, or dots where there is no room for words.
void BankPicture::draw_holes() {
  if (layout_.hole <= 0) return;
  const RowRange all = needs().rows;
  std::uint64_t next = all.first;
  const auto draw = [&](std::uint64_t until, float bottom) {
    if (until <= next) return;
    const auto n = static_cast<long long>(until - next);
    const float y = bottom - 0.5f * layout_.hole, middle = layout_.grid_x + 16 * layout_.pitch;
    if (layout_.hole >= pen_.px(14)) {
      pen_.label(kBack, {middle, y}, pen_.counted("scene.bank.untouched", n, {{"n", std::to_string(n)}}),
                 small(pen_.palette().secondary, Align::Center));
      return;
    }
    const float dot = std::max(1.0f, std::round(pen_.px(1.4f)));
    for (int i = -1; i <= 1; ++i)
      pen_.cell(kBack, {middle + 3 * dot * static_cast<float>(i), y - 0.5f * dot, dot, dot},
                pen_.palette().secondary)
          .radius = 0.5f * dot;
  };
  for (int row = 0; row < layout_.shown_rows(); ++row) {
    const std::uint64_t number = layout_.rows[static_cast<std::size_t>(row)];
    draw(number, layout_.top_of(row));
    next = number + 1;
  }
  draw(all.first + all.count, layout_.rows_y + layout_.rows_height());
}

void BankPicture::draw_words() {
  const Palette& palette = pen_.palette();
  float y = layout_.words_y;
  for (const std::string& line : layout_.words) {
    pen_.label(kBack, {layout_.words_x, y}, line, small(palette.text));
    y += layout_.words_step;
  }
  std::vector<Address> beyond;
  for (const auto& word : plan_.words) {
    int row = 0;
    if (!inside(word.address, &row)) beyond.push_back(word.address);
  }
  std::sort(beyond.begin(), beyond.end());
  beyond.erase(std::unique(beyond.begin(), beyond.end()), beyond.end());
  const std::string rows = rows_text(pen_, layout_, needs().rows, static_cast<int>(beyond.size()));
  if (!rows.empty() && layout_.words_y + 0.5f * layout_.words_step <= pen_.height())
    pen_.label_within(kBack, {pen_.width(), layout_.words_y}, pen_.width(), rows,
                      small(palette.secondary, Align::Right));
}

bool BankPicture::is_free(const Rect& part) {
  for (const Layer& layer : pen_.scene().layers) {
    for (const Label& label : layer.labels) {
      const Rect r = bounds(label);
      if (r.x < part.x + part.width && part.x < r.x + r.width && r.y < part.y + part.height &&
          part.y < r.y + r.height)
        return false;
    }
  }
  return part.y >= 0 && part.y + part.height <= pen_.height();
}

// Where words are too small for numbers: "lane [colours] 0–7 [colours] 8–15 ...", the quarters of the warp,
// light to dark as in the words; below the explanation, or else above the towers. In a narrow picture the
// first lane of each.
void BankPicture::draw_legend() {
  constexpr int kQuarter = 8;
  const Type type = small(pen_.palette().secondary);
  const float piece = std::max(2.0f, std::round(pen_.px(2.5f))), high = pen_.px(10), gap = pen_.px(4);
  const float half = 0.5f * pen_.px(std::max(type.size, pen_.least_type()));
  const std::string word = pen_.text("scene.global.lanes");
  const float lead = pen_.width_of(word, type) + 2 * gap;
  const float below = layout_.words_y + static_cast<float>(layout_.words.size()) * layout_.words_step,
              above = layout_.towers_top - 0.5f * pen_.px(16), end = layout_.grid_x + 32 * layout_.pitch;
  for (const bool whole : {true, false}) {
    const auto name = [&](int first) {
      return std::to_string(first) + (whole ? "–" + std::to_string(first + kQuarter - 1) : "");
    };
    float width = lead - 2 * gap;
    for (int first = 0; first < memory::kWarpLanes; first += kQuarter)
      width += kQuarter * piece + 3 * gap + pen_.width_of(name(first), type);
    for (const Point at : {Point{layout_.words_x, below}, {end - width, above}, {layout_.grid_x, above}}) {
      if (at.x < 0 || at.x + width > pen_.width() || !is_free({at.x, at.y - half, width, 2 * half})) continue;
      pen_.label(kBack, at, word, type);
      float x = at.x + lead;
      for (int first = 0; first < memory::kWarpLanes; first += kQuarter) {
        for (int lane = first; lane < first + kQuarter; ++lane, x += piece)
          pen_.cell(kMarks, {x, at.y - 0.5f * high, piece, high}, lane_color(pen_.palette(), lane)).radius =
              0;
        pen_.label(kBack, {x + gap, at.y}, name(first), type);
        x += 3 * gap + pen_.width_of(name(first), type);
      }
      return;
    }
  }
}

// ---- what it is of

const sim::SharedArray* array_of(const sim::Program& program, const std::string& name) {
  for (const sim::SharedArray& array : program.shared_arrays) {
    if (array.name == name) return &array;
  }
  return nullptr;
}

int padding_of(const app::Compiled& compiled, const std::string& array) {
  const sim::SharedArray* declared = array_of(compiled.program, array);
  return declared != nullptr ? padding_words(*declared, compiled.names) : -1;
}

// The array and its access, without what moves.
BankView bank_view(const app::Simulation& s, const app::PricedAccess& moment) {
  BankView view;
  view.program = &s.program();
  view.site = moment.site;
  view.access = moment.access;
  view.refused = moment.refused;
  view.padding_words_per_row = padding_of(*s.compiled, moment.site->array);
  view.with_array = true;
  return view;
}

// Words slide from where they lay before padding or block shape was turned.
void add_slide(const Inputs& in, const app::PricedAccess& moment, BankView* view) {
  if (in.motion == nullptr || !in.motion->previous) return;
  view->previous = in.motion->previous.get();
  view->slide = in.motion->slide(in.now);
  const app::Compiled* before = in.motion->previous_compiled.get();
  if (before == nullptr) return;
  view->previous_program = &before->program;
  view->previous_padding_words = padding_of(*before, moment.site->array);
  for (const sim::AccessSite& site : before->program.sites) {
    if (site.array == moment.site->array && site.op == moment.site->op) view->previous_site = &site;
  }
}

Scene draw_banks(const Inputs& in, const app::PricedAccess& moment, const Canvas& canvas) {
  const app::Simulation& s = *in.simulation;
  const bool active = moment.event == s.place.event;
  const int wavefronts = s.wavefronts_of(moment.event);
  BankView view = bank_view(s, moment), beside;
  view.wavefront = in.whole ? wavefronts : active ? s.place.wavefront : 0;
  if (in.motion != nullptr && active) view.progress = in.motion->wavefront(in.now);
  if (in.comparison != nullptr) {
    const auto& differs = in.is_a ? in.comparison->shared_a : in.comparison->shared_b;
    if (differs) view.differing_banks = differs->banks;
  }
  // Done while the other one still has wavefronts to go.
  const bool longer = in.comparison != nullptr && in.comparison->wavefronts > wavefronts;
  if (active && longer && in.other_wavefront >= wavefronts) view.wavefront = wavefronts;
  if (in.other != nullptr && in.other->shared && in.other->shared->known == app::Known::All) {
    beside = bank_view(*in.other, *in.other->shared);
    view.beside = &beside;
  }
  add_slide(in, moment, &view);
  return BankPicture(view, canvas).draw();
}

}  // namespace

Scene bank_scene(const BankView& view, const Canvas& canvas) {
  return BankPicture(view, canvas).draw();
}

Scene shared_memory(const Inputs& in, const Canvas& canvas) {
  const app::Simulation& s = *in.simulation;
  if (!s.shared && !s.empty() && s.program().shared_arrays.empty())
    return nothing_of(canvas, "memory.shared", (*canvas.strings)("memory.shared.unused"));
  return memory_picture(in, {s.shared, "memory.shared", "memory.shared.none", draw_banks}, canvas);
}

}  // namespace warplens::views
