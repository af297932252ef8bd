// The shared array under its banks: see banks.h.
#include "app/views/banks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "app/scene/scene.h"
#include "app/views/banks_picture.h"
#include "app/views/memory.h"
#include "sim/base/numbers.h"

namespace warplens::views {
namespace {

// ---- the array

const sim::SharedArray* find_array(const BankView& view, memory::Address lowest) {
  if (view.program == nullptr) return nullptr;
  const auto& arrays = view.program->shared_arrays;
  if (view.site != nullptr && !view.site->array.empty()) {
    const auto named = std::ranges::find(arrays, view.site->array, &sim::SharedArray::name);
    if (named != arrays.end()) return &*named;
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
  const std::string op = pen.text(op_key(access.op));
  const std::string text = view.site != nullptr ? view.site->text : array.name;
  return {pen.text("scene.bank.title", {{"op", op}}), text, array.declaration};
}

// ---- the picture

constexpr Address kRow = 128;  // bytes of 32 words
// Lower rows have no room for strokes: padding is filled.
constexpr float kLeastHatched = 4;

}  // namespace

BankPicture::BankPicture(const BankView& view, const Canvas& canvas)
    : view_(view), canvas_(canvas), pen_(canvas) {
  access_ = drawable(view.access);
  access_.space = memory::Space::Shared;
  plan_ = memory::plan_banks(access_);
  chips_ = chips_of(plan_);
  floors_ = Floors(chips_, plan_);
  now_ = std::clamp(view.wavefront, 0, std::max(0, plan_.wavefronts - 1));
  whole_ = view.wavefront >= plan_.wavefronts && !view.finished;
  const float progress = std::isfinite(view.progress) ? eased(view.progress) : 1;
  fall_ = std::isfinite(view.fall) ? std::clamp(view.fall, 0.0f, 1.0f) : 1;
  served_ = static_cast<float>(now_) + (view.backwards ? 1 - progress : progress - 1);
  if (whole_ || fall_ < 1) served_ = -1;
  if (view.finished) served_ = static_cast<float>(plan_.wavefronts);
  slide_ = view.previous != nullptr && std::isfinite(view.slide) ? eased(view.slide) : 1;
  if (view.previous != nullptr) {
    then_access_ = drawable(*view.previous);
    then_access_.space = memory::Space::Shared;
    then_plan_ = memory::plan_banks(then_access_);
    then_floors_ = Floors(chips_of(then_plan_), then_plan_);
  }
  array_ = shared_array_of(view, access_);
  if (slide_ >= 1 || view.previous_program == nullptr || view.previous_site == nullptr) return;
  BankView before;
  before.program = view.previous_program;
  before.site = view.previous_site;
  before.padding_words_per_row = view.previous_padding_words;
  before_ = shared_array_of(before, then_access_);
  if (before_.row_bytes == array_.row_bytes) before_.row_bytes = 0;
}

Scene BankPicture::draw() {
  Scene& scene = pen_.scene();
  pen_.title(bank_title(pen_, view_, access_, array_));
  scene.answer = bank_answer(pen_, plan_, whole_ ? plan_.wavefronts : now_);
  scene.answer_is_costly = plan_.wavefronts > plan_.groups;
  scene.answer_is_ideal = plan_.wavefronts > 0 && !scene.answer_is_costly && access_.active == ~LaneMask{0};
  if (view_.refused != 0 || plan_.wavefronts == 0) {
    scene.answer = refused_answer(pen_, view_.refused);
    scene.answer_is_costly = view_.refused != 0, scene.answer_is_ideal = false;
  }
  if (pen_.too_small()) return pen_.finish();
  layout_ = layout_banks(pen_, needs_ = needs());
  // Of rows that are left out, or too low for strokes, no word of hatching.
  if (array_.padding_words > 0 && (!shows_padding() || layout_.high < pen_.px(kLeastHatched))) {
    told_hatched_ = false;
    layout_ = layout_banks(pen_, needs_ = needs());
  }
  const float high = step_of(plan_) - cell_gap(pen_, step_of(plan_));
  numbers_beside_ = fall_ >= 1 && plan_.degree > 2 && !takes_numbers(pen_, layout_.lanes.cell, high);
  draw_lanes();
  draw_shafts();
  draw_floors();
  draw_header();
  if (layout_.rows_y + layout_.high <= pen_.height()) {  // else there is no room for a row
    if (slide_ < 1 && before_.row_bytes > 0 && array_.row_bytes > 0) {
      draw_array_sliding();
    } else {
      draw_array();
    }
    draw_holes();
    if (slide_ < 1) {
      draw_sliding();
    } else {
      for (const Slot& slot : slots_of(access_)) draw_slot(slot);
    }
  }
  if (slide_ < 1) {
    draw_chips_sliding();
  } else {
    draw_chips();
    add_hot_spots();
    number_beside();
    say_what_waits();
  }
  draw_added();
  draw_words();
  return pen_.finish();
}

BankNeeds BankPicture::needs() const {
  BankNeeds needs;
  needs.touched = touched_rows();
  const Address begin = array_.begin / kRow, end = (std::max(array_.end, array_.begin + 1) + kRow - 1) / kRow;
  needs.rows.first = std::min<Address>(begin, needs.touched.front());
  needs.rows.count = std::max<Address>(end, needs.touched.back() + 1) - needs.rows.first;
  if (array_.row_bytes > 0) needs.padded_rows = padded_rows();
  needs.most_wavefronts = most_wavefronts(needs);
  if (view_.beside != nullptr) {
    BankView beside = *view_.beside;
    beside.beside = nullptr;
    const BankPicture picture(beside, canvas_);
    const BankNeeds other = picture.needs();
    needs.beside_wavefronts = picture.plan_.wavefronts;
    needs.padded_rows = std::max({needs.padded_rows, other.padded_rows, other.rows.count});
    needs.most_wavefronts = std::max({needs.most_wavefronts, other.most_wavefronts, most_wavefronts(needs)});
    needs.floors = other.floors;
  }
  needs.floors = std::max({needs.floors, floors_.count(), then_floors_.count()});
  needs.words =
      plan_.wavefronts == 0
          ? refused_answer(pen_, view_.refused)
          : bank_sentence(pen_, {&access_, &plan_, array_.name, array_.row_bytes, array_.padding_words,
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

// The scale is of the array rather than of the access, so that it stays as padding is turned: a bank has one
// word in every row of 32, and gives each but once to a group; atomics take a turn a lane.
int BankPicture::most_wavefronts(const BankNeeds& needs) const {
  constexpr int kLeast = 8;
  const int most = std::max({plan_.wavefronts, then_plan_.wavefronts, kLeast});
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

// How far a word is: 1 and more, it waits; 0, it passes the gate; below that it is done. One that several
// groups or lanes ask for is done when the last of them is.
float BankPicture::turn_of(Address address) const {
  float turn = -2;
  for (const auto& word : plan_.words) {
    if (word.address != address) continue;
    const float of = static_cast<float>(word.wavefront) - served_;
    if (std::abs(of) < 1) return of;
    turn = std::max(turn, of);
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
  // At the left stands the number of the row's first word, whatever the array's own rows are: a number's
  // remainder by 32 is its bank. The first one says that it is a word's.
  bool named = false;
  for (int row = 0; row < layout_.shown_rows(); ++row) {
    const std::uint64_t number = layout_.rows[static_cast<std::size_t>(row)];
    const Rect first = layout_.word(row, 0);
    const bool clear = first.y + 0.5f * first.height - layout_.header_y >= pen_.px(14.5f);  // of "bank"
    if (number >= origin && row % stride == 0 && clear) {
      const float end = layout_.lanes.x - pen_.px(8);
      std::string text = std::to_string((number - origin) * (kRow / 4));
      if (!std::exchange(named, true)) {
        std::string words = pen_.text("scene.bank.first_word", {{"n", text}});
        if (pen_.width_of(words, type) <= end) text = std::move(words);
      }
      pen_.label_within(kBack, {end, first.y + 0.5f * first.height}, end, text, type);
    }
    for (int bank = 0; bank < 32; ++bank) {
      const Address address = number * kRow + 4 * static_cast<Address>(bank);
      const WordKind kind = array_.kind_of(address);
      if (kind == WordKind::Outside) continue;
      const float border = layout_.high >= 4 ? 1.0f : 0.0f;
      Cell& cell =
          pen_.framed(kBack, layout_.word(row, bank), palette.cell, with_alpha(palette.line, 0.6f), border);
      if (kind != WordKind::Padding) continue;
      cell.fill = palette.panel;
      cell.border = palette.hatch;
      if (layout_.high < pen_.px(kLeastHatched)) cell.fill = palette.hatch;
      cell.hatch = std::max(3.0f, std::min(pen_.px(6), 0.5f * layout_.high));
      cell.hatch_color = palette.hatch;
    }
  }
}

MarkStyle BankPicture::style_of(float turn, LaneMask lanes) const {
  constexpr float kWaits = 0.24f, kDone = 0.5f;
  const Palette& palette = pen_.palette();
  MarkStyle style{.number = false, .layer = kMarks, .ground = palette.cell};
  const float now = std::max(0.0f, 1 - std::abs(turn));  // lit
  style.strength = whole_ ? 0.85f : std::max(now, turn > 0 ? kWaits : kDone);
  // A frame would be all that is seen of a low word.
  const bool takes_frame = layout_.high >= 4 * std::max(1.0f, pen_.px(2));
  if (now > 0 && takes_frame) style.frame = with_alpha(palette.text, now);
  const int hovered = pen_.hovered_lane();
  if (hovered >= 0 && hovered < 32) {
    style.strength *= lane_strength(pen_, lanes);
    if ((lanes >> hovered & 1) != 0 && takes_frame) style.frame = palette.text;
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
    const float turn = turn_of(address);
    int last = first;
    while (last + 1 < words && turn_of(address + 4 * static_cast<Address>(last + 1 - first)) == turn) ++last;
    int row = 0;
    if (inside(address, &row)) {
      Rect rect = layout_.word(row, static_cast<int>(address % kRow / 4));
      rect.width += layout_.lanes.pitch * static_cast<float>(last - first);
      const MarkStyle style = style_of(turn, slot.lanes);
      if (access_.bytes < 4) {
        draw_part(&pen_, rect, slot, access_.bytes, style);
      } else {
        draw_mark(&pen_, rect, slot.lanes, style);
      }
    }
    first = last + 1;
  }
}

// Where a word is on its way from one address to another: along the rows of 32, from a row's right end to the
// next row's left end, as a tape is pulled. Far apart, on a straight line.
Point BankPicture::place_between(Address then, Address now) const {
  const auto place = [this](std::uint64_t row, float bank) {
    const auto at = std::lower_bound(layout_.rows.begin(), layout_.rows.end(), row);
    const auto shown = std::min<std::ptrdiff_t>(at - layout_.rows.begin(), layout_.shown_rows() - 1);
    const Rect first = layout_.word(static_cast<int>(shown), 0);
    return Point{first.x + layout_.lanes.pitch * bank, first.y};
  };
  const auto from = static_cast<double>(then / 4), to = static_cast<double>(now / 4);
  if (std::abs(to - from) > 64) {
    const Point a = place(then / kRow, static_cast<float>(then % kRow / 4)),
                b = place(now / kRow, static_cast<float>(now % kRow / 4));
    return {a.x + (b.x - a.x) * slide_, a.y + (b.y - a.y) * slide_};
  }
  const double word = from + (to - from) * static_cast<double>(slide_);
  const double row = std::floor((word + 0.5) / 32);  // half over the edge, it is in the next row
  return place(static_cast<std::uint64_t>(row), std::clamp(static_cast<float>(word - 32 * row), 0.0f, 31.0f));
}

// The rows of the array have another length: each word goes from its old bank to its new one, by its place in
// its row. Padding comes where it is.
void BankPicture::draw_array_sliding() {
  const Palette& palette = pen_.palette();
  const float border = layout_.high >= 4 ? 1.0f : 0.0f;
  const std::int64_t old_words = before_.row_bytes / 4 - before_.padding_words, words = array_.row_bytes / 4;
  const auto rows = static_cast<std::int64_t>(array_.end - array_.begin) / array_.row_bytes;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t word = 0; word < words; ++word) {
      const Address now = array_.begin + static_cast<Address>(row * array_.row_bytes + 4 * word);
      if (layout_.place_of(now / kRow) < 0) continue;
      const bool padding = array_.kind_of(now) == WordKind::Padding;
      const bool is_new = padding || word >= old_words, low = layout_.high < pen_.px(kLeastHatched);
      const Address then = before_.begin + static_cast<Address>(row * before_.row_bytes + 4 * word);
      const Point at = place_between(is_new ? now : then, now);
      Cell& cell =
          pen_.framed(kBack, {at.x, at.y, layout_.lanes.cell, layout_.high},
                      with_alpha(!padding ? palette.cell
                                 : low    ? palette.hatch
                                          : palette.panel,
                                 is_new ? slide_ : 1),
                      with_alpha(padding ? palette.hatch : palette.line, is_new ? slide_ : 0.9f), border);
      if (!padding) continue;
      cell.hatch = std::max(3.0f, std::min(pen_.px(6), 0.5f * layout_.high));
      cell.hatch_color = with_alpha(palette.hatch, slide_);
    }
  }
}

// After a change of padding or block shape every lane's mark moves from its old place to its new one.
void BankPicture::draw_sliding() {
  const memory::WarpAccess& before = then_access_;
  const float words = static_cast<float>(std::max(1, access_.bytes / 4));
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    const memory::LaneMask bit = memory::LaneMask{1} << lane;
    if ((access_.active & bit) == 0) continue;
    const Address to = access_.addresses[static_cast<std::size_t>(lane)];
    const bool was = (before.active & bit) != 0 && before.bytes == access_.bytes;
    const Point at = place_between(was ? before.addresses[static_cast<std::size_t>(lane)] : to, to);
    const float width = words * layout_.lanes.pitch - (layout_.lanes.pitch - layout_.lanes.cell);
    // On its way from a row's right end to the next one's left end a wide one would stick out.
    const float most = layout_.lanes.column(memory::kWarpLanes - 1).x + layout_.lanes.cell - width;
    const Rect rect{std::min(at.x, most), at.y, width, layout_.high};
    draw_mark(&pen_, rect, bit, style_of(0, bit));
  }
}

std::string BankPicture::word_tip(LaneMask lanes, Address address, int bank, int wavefront) const {
  return pen_.counted("scene.bank.word.tip", std::popcount(lanes),
                      {{"lanes", number_list(pen_, lanes)},
                       {"address", grouped(address)},
                       {"bank", std::to_string(bank)},
                       {"k", std::to_string(wavefront + 1)},
                       {"n", std::to_string(plan_.wavefronts)}});
}

void BankPicture::add_hot_spots() {
  const auto add = [&](const Rect& rect, LaneMask lanes, Address address, int bank, int wavefront) {
    pen_.hot_spot({rect, std::countr_zero(lanes), -1, -1, word_tip(lanes, address, bank, wavefront)});
  };
  for (const auto& word : plan_.words) {
    int row = 0;
    if (inside(word.address, &row) && word.lanes != 0)
      add(layout_.word(row, word.bank), word.lanes, word.address, word.bank, word.wavefront);
  }
  for (const Chip& chip : chips_) {
    if (chip.level(served_) <= -1 || fall_ < 1) continue;
    add(chip_rect(chip, stage(), std::countr_zero(chip.lanes)), chip.lanes, chip.address, chip.bank,
        chip.wavefront);
  }
}

void BankPicture::draw_header() {
  const Palette& palette = pen_.palette();
  Type type{13, palette.secondary, Align::Center, Font::Code, false};
  int stride = 1;
  while (stride < 32 && layout_.lanes.pitch * static_cast<float>(stride) < pen_.width_of("000", type))
    stride *= 2;
  const bool fits =
      layout_.header_y + 0.4f * pen_.px(std::max(type.size, pen_.least_type())) <= pen_.height();
  // Where the longest queue stands: chips that several lanes share catch the eye first.
  const int fullest = *std::ranges::max_element(plan_.words_in_bank);
  const auto is_fullest = [&](int bank) {
    return fullest > 1 && plan_.words_in_bank[static_cast<std::size_t>(bank)] == fullest;
  };
  // The banks that lanes queue at have their numbers first, the others where there is room left.
  std::array<bool, 32> named{};
  const auto has_room = [&](int bank) {
    for (int other = 0; other < 32; ++other) {
      // Of those that are in question the air may be less than between those that stand evenly.
      const float apart = layout_.lanes.pitch * static_cast<float>(std::abs(bank - other)),
                  both = pen_.width_of(
                      std::to_string(bank) + (is_fullest(bank) ? "0" : "00") + std::to_string(other), type);
      if (named[static_cast<std::size_t>(other)] && apart < 0.5f * both) return false;
    }
    return true;
  };
  const auto name = [&](int bank) {
    if (!fits || !has_room(bank)) return;
    named[static_cast<std::size_t>(bank)] = true;
    const Rect column = layout_.lanes.column(bank);
    Type own = type;
    if (is_fullest(bank)) own.color = palette.costly, own.bold = true;
    pen_.label(kBack, {column.x + 0.5f * column.width, layout_.header_y}, std::to_string(bank), own);
  };
  for (int bank = 0; bank < 32; ++bank)
    if (is_fullest(bank)) name(bank);
  for (int bank = 0; bank < 32; bank += stride) name(bank);
  for (int bank = 0; bank < 32; ++bank) {
    const bool is_used = std::ranges::any_of(
        chips_, [&](const Chip& chip) { return bank >= chip.bank && bank < chip.bank + chip.banks; });
    if (is_used && (view_.differing_banks >> bank & 1) != 0)
      pen_.cell(kBack,
                {layout_.lanes.column(bank).x, layout_.pass_y + layout_.pass_step, layout_.lanes.cell,
                 std::max(2.0f, pen_.px(2))},
                palette.text)
          .radius = 0;
  }
  const auto head_of = [&](int bank) -> Rect {
    const Rect column = layout_.lanes.column(bank);
    const float half = pen_.px(9);
    return {column.x - 1, layout_.header_y - half, column.width + 2, 2 * half};
  };
  const auto& votes = pen_.bank_votes();
  const int most = *std::ranges::max_element(votes);
  for (int bank = 0; bank < 32; ++bank) {
    const int n = votes[static_cast<std::size_t>(bank)];
    if (n == 0) continue;
    const float share = static_cast<float>(n) / static_cast<float>(most);
    pen_.cell(kBack, head_of(bank), with_alpha(palette.secondary, 0.15f + 0.45f * share));
    pen_.hot_spot(
        {head_of(bank), -1, -1, -1,
         pen_.text("scene.bank.votes", {{"n", std::to_string(n)}, {"bank", std::to_string(bank)}})});
  }
  if (pen_.lit_bank() >= 0)
    pen_.framed(kBack, head_of(pen_.lit_bank()), with_alpha(palette.text, 0), palette.text,
                std::max(2.0f, pen_.px(2)));
  if (fits)
    pen_.label(kBack, {layout_.lanes.x - pen_.px(8), layout_.header_y}, pen_.text("scene.bank.bank"),
               small(palette.faint, Align::Right));
}

// Dots where rows are left out: beside the array, since over it they would line up like a border of banks.
void BankPicture::draw_holes() {
  if (layout_.hole <= 0) return;
  const RowRange& all = needs_.rows;
  std::uint64_t next = all.first;
  const auto draw = [&](std::uint64_t until, float bottom) {
    if (until > next)
      draw_left_out(&pen_, kBack, {layout_.lanes.x - pen_.px(4.5f), bottom - 0.5f * layout_.hole});
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
  const std::string rows = rows_text(pen_, layout_, needs_.rows);
  if (!rows.empty() && layout_.words_y + 0.5f * layout_.words_step <= pen_.height())
    pen_.label_within(kBack, {pen_.width(), layout_.words_y}, pen_.width(), rows,
                      small(palette.secondary, Align::Right));
}

// ---- what it is of

namespace {

int padding_of(const app::Compiled& compiled, const std::string& array) {
  const auto& arrays = compiled.program.shared_arrays;
  const auto declared = std::ranges::find(arrays, array, &sim::SharedArray::name);
  return declared != arrays.end() ? padding_words(*declared, compiled.names) : -1;
}

// The array and its access, without what moves.
BankView bank_view(const app::Simulation& s, const app::PricedAccess& moment) {
  BankView view;
  view.program = &s.program();
  view.site = moment.site;
  view.access = moment.access;
  view.refused = moment.refused;
  view.padding_words_per_row = padding_of(*s.compiled, moment.site->array);
  return view;
}

// Words slide from where they lay before padding or block shape was turned.
void add_slide(const Inputs& in, const app::PricedAccess& moment, BankView* view) {
  if (in.motion == nullptr || !in.motion->previous) return;
  view->previous = in.motion->previous.get();
  view->previous_wavefront = in.motion->previous_wavefront;
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
  view.wavefront = in.whole || !active ? wavefronts : s.place.wavefront;
  if (in.motion != nullptr && active) {
    view.progress = in.motion->wavefront(in.now);
    view.backwards = in.motion->backwards;
    if (s.place.wavefront == 0) view.fall = in.motion->access(in.now);
  }
  if (in.comparison != nullptr) {
    const auto& differs = in.is_a ? in.comparison->shared_a : in.comparison->shared_b;
    if (differs) view.differing_banks = differs->banks;
  }
  // Done while the other one still has wavefronts to go.
  const bool longer = in.comparison != nullptr && in.comparison->wavefronts > wavefronts;
  view.finished = active && longer && in.other_wavefront >= wavefronts;
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

std::string array_declaration(const app::Simulation& s, const app::PricedAccess& moment) {
  return shared_array_of(bank_view(s, moment), moment.access).declaration;
}

Scene shared_memory(const Inputs& in, const Canvas& canvas) {
  const app::Simulation& s = *in.simulation;
  if (!s.shared && !s.empty() && s.program().shared_arrays.empty())
    return nothing_of(canvas, "memory.shared", (*canvas.strings)("memory.shared.unused"));
  return memory_picture(in, {s.shared, "memory.shared", "memory.shared.none", draw_banks}, canvas);
}

}  // namespace warplens::views
