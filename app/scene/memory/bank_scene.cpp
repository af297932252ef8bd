#include <algorithm>
#include <bit>
#include <cmath>

#include "app/scene/memory/bank_picture.h"
#include "app/scene/memory/bank_words.h"

namespace warplens::scene {
namespace {

using memory::Address;

constexpr Address kRow = 128;  // bytes of 32 words

}  // namespace

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

Scene bank_scene(const BankView& view, const Canvas& canvas) {
  return BankPicture(view, canvas).draw();
}

}  // namespace warplens::scene
