#include <algorithm>
#include <bit>
#include <cmath>

#include "app/scene/bank_layout.h"
#include "app/scene/bank_words.h"
#include "app/scene/lane_marks.h"
#include "app/scene/shared_array.h"

namespace warplens::scene {
namespace {

using memory::Address;
using memory::BankPlan;

constexpr std::size_t kBack = 0, kMarks = 1;
constexpr Address kRow = 128;  // bytes of 32 words

enum class Turn : std::uint8_t { Done, Now, Later };

class BankPicture {
 public:
  BankPicture(const BankView& view, const Canvas& canvas)
      : view_(view), gpu_(view.gpu != nullptr ? *view.gpu : memory::default_gpu_model()), pen_(canvas) {
    access_ = drawable(view.access);
    access_.space = memory::Space::Shared;
    plan_ = memory::plan_banks(gpu_, access_);
    now_ = std::clamp(view.wavefront, 0, std::max(0, plan_.wavefronts - 1));
    progress_ = std::isfinite(view.progress) ? eased(view.progress) : 1;
    slide_ = view.previous != nullptr && std::isfinite(view.slide) ? eased(view.slide) : 1;
    array_ = shared_array_of(view, access_);
  }

  Scene draw();

 private:
  Type small(Color color, Align align = Align::Left) const { return {13, color, align, Font::Words, false}; }
  BankNeeds needs() const;
  RowRange rows_of(bool only_now) const;
  Turn turn_of(Address word) const;
  int group_now() const;
  std::array<int, 32> load_now(int* done_in_bank) const;

  void draw_groups();
  void draw_towers();
  void label_towers(const std::array<int, 32>& load);
  void draw_header(const std::array<int, 32>& load);
  void draw_array();
  void draw_slot(const Slot& slot);
  void add_count(const Rect& rect, const Slot& slot, Address address);
  void draw_sliding();
  void add_hot_spots();
  void draw_words();
  MarkStyle style_of(Turn turn, memory::LaneMask lanes) const;
  bool inside(Address word, int* row) const;

  const BankView& view_;
  const memory::GpuModel& gpu_;
  Pen pen_;
  memory::WarpAccess access_;
  BankPlan plan_;
  ArrayPlace array_;
  BankLayout layout_;
  int now_ = 0;
  float progress_ = 1, slide_ = 1;
};

Scene BankPicture::draw() {
  Scene& scene = pen_.scene();
  scene.title = bank_title(pen_, view_, access_, array_);
  scene.answer = bank_answer(pen_, plan_, now_);
  scene.answer_is_costly = plan_.wavefronts > plan_.groups;
  scene.answer_is_ideal = plan_.wavefronts > 0 && !scene.answer_is_costly;
  if (pen_.too_small()) return pen_.finish();
  layout_ = layout_banks(pen_, needs());
  if (layout_.groups_height > 0) draw_groups();
  draw_towers();
  draw_array();
  if (slide_ < 1) {
    draw_sliding();
  } else {
    for (const Slot& slot : slots_of(access_)) draw_slot(slot);
    add_hot_spots();
  }
  draw_words();
  return pen_.finish();
}

BankNeeds BankPicture::needs() const {
  BankNeeds needs;
  needs.touched = rows_of(false);
  needs.now = rows_of(true);
  const Address first = array_.begin / kRow, end = (std::max(array_.end, array_.begin + 1) + kRow - 1) / kRow;
  needs.rows = {std::min<Address>(first, needs.touched.first), 0};
  needs.rows.count = std::max<Address>(end, needs.touched.first + needs.touched.count) - needs.rows.first;
  needs.groups = access_.bytes >= 8 && plan_.wavefronts > 0;
  needs.words = bank_sentence(pen_, {&access_, &plan_, array_.name, array_.row_bytes, array_.padding_words});
  return needs;
}

RowRange BankPicture::rows_of(bool only_now) const {
  Address first = ~Address{0}, last = 0;
  for (const auto& word : plan_.words) {
    if (only_now && word.wavefront != now_) continue;
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
    const bool now = active && group == current;
    pen_.framed(kBack, rect, now ? mix(palette.panel, palette.accent, 0.16f) : palette.cell,
                now ? palette.accent : palette.line, std::max(1.0f, pen_.px(now ? 1.5f : 1)));
    const std::string lanes = std::to_string(group * plan_.lanes_per_group) + "–" +
                              std::to_string((group + 1) * plan_.lanes_per_group - 1);
    const std::string key = !active        ? "scene.bank.group.idle"
                            : plan_.merged ? "scene.bank.group.merged"
                                           : "scene.bank.group";
    std::string text = pen_.counted(key, wavefronts, {{"lanes", lanes}, {"n", std::to_string(wavefronts)}});
    const Type type = small(now ? palette.text : palette.secondary, Align::Center);
    if (active && pen_.width_of(text, type) > rect.width - pen_.px(6)) {
      text = pen_.text("scene.bank.group.short", {{"lanes", lanes}, {"n", std::to_string(wavefronts)}});
    }
    pen_.label_within(kBack, {rect.x + 0.5f * rect.width, rect.y + 0.5f * rect.height}, rect.width, text,
                      type);
  }
}

void BankPicture::draw_towers() {
  const Palette& palette = pen_.palette();
  std::array<int, 32> done{};
  std::array<int, 32> load = load_now(done.data());
  std::array<float, 32> shown{};
  for (std::size_t b = 0; b < 32; ++b) shown[b] = static_cast<float>(load[b]);
  if (slide_ < 1) {
    const BankPlan before = memory::plan_banks(gpu_, drawable(*view_.previous));
    for (std::size_t b = 0; b < 32; ++b) {
      const float old = static_cast<float>(before.words_in_bank[b]);
      shown[b] = old + (shown[b] - old) * slide_;
    }
  }
  const float most = std::max(2.0f, *std::max_element(shown.begin(), shown.end()));
  const float full = layout_.towers_base - layout_.towers_top, thin = std::max(2.0f, std::round(pen_.px(3)));
  pen_.cell(kBack, {layout_.grid_x, layout_.towers_base, 32 * layout_.pitch, std::max(1.0f, pen_.px(1))},
            palette.line)
      .radius = 0;
  for (std::size_t b = 0; b < 32; ++b) {
    if (shown[b] <= 0) continue;
    const bool costly = shown[b] > 1.01f;
    const float x = layout_.word(0, static_cast<int>(b)).x, unit = full / most;
    const float height = costly ? std::max(thin, unit * shown[b]) : thin;
    const Rect tower{x, layout_.towers_base - height, layout_.cell, height};
    pen_.cell(kBack, tower, costly ? palette.costly : palette.ideal);
    if (!costly || slide_ < 1) continue;
    // From below: what is served already, then the word of this wavefront.
    const float served = unit * static_cast<float>(done[b]);
    if (served > 0) {
      pen_.cell(kBack, {x, layout_.towers_base - served, layout_.cell, served},
                mix(palette.panel, palette.costly, 0.4f));
    }
    if (done[b] < load[b]) {
      pen_.cell(kBack, {x, layout_.towers_base - served - unit, layout_.cell, std::max(2.0f, unit)},
                mix(palette.costly, palette.text, 0.55f * progress_));
    }
  }
  const float middle = 0.5f * (layout_.towers_top + layout_.towers_base);
  const bool atomic = access_.op == memory::Op::Atomic || access_.op == memory::Op::Reduction;
  pen_.label(kBack, {layout_.gutter - pen_.px(8), middle},
             pen_.text(atomic ? "scene.bank.lanes" : "scene.bank.words"), small(palette.faint, Align::Right));
  label_towers(load);
  draw_header(load);
}

// "x16" over a bank, or once over neighbours that have the same load.
void BankPicture::label_towers(const std::array<int, 32>& load) {
  const float full = layout_.towers_base - layout_.towers_top;
  const int most = std::max(2, *std::max_element(load.begin(), load.end()));
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
    const float top = layout_.towers_base - full * static_cast<float>(n) / static_cast<float>(most);
    pen_.label(kBack, {centre, top - pen_.px(8)}, text, type);
  }
}

void BankPicture::draw_header(const std::array<int, 32>& load) {
  const Palette& palette = pen_.palette();
  Type type{12, palette.secondary, Align::Center, Font::Code, false};
  int stride = 1;
  while (stride < 32 && layout_.pitch * static_cast<float>(stride) < pen_.width_of("00", type) + pen_.px(2))
    stride *= 2;
  for (int bank = 0; bank < 32; bank += stride) {
    const Rect column = layout_.word(0, bank);
    const bool costly = load[static_cast<std::size_t>(bank)] > 1;
    type.color = costly ? palette.costly : palette.secondary;
    type.bold = costly;
    pen_.label(kBack, {column.x + 0.5f * column.width, layout_.header_y}, std::to_string(bank), type);
  }
  pen_.label(kBack, {layout_.gutter - pen_.px(8), layout_.header_y}, pen_.text("scene.bank.bank"),
             small(palette.faint, Align::Right));
}

// The array as it lies in shared memory: 32 words a row; padding hatched; what lies outside the array left
// out.
void BankPicture::draw_array() {
  const Palette& palette = pen_.palette();
  const Type type{12, palette.faint, Align::Right, Font::Code, false};
  int stride = 1;
  while (layout_.pitch * static_cast<float>(stride) < pen_.px(13)) stride *= 2;
  const std::uint64_t origin = array_.begin / kRow;
  for (int row = 0; row < layout_.shown_rows; ++row) {
    const std::uint64_t number = layout_.first_row + static_cast<std::uint64_t>(row);
    if (number >= origin && (number - origin) % static_cast<std::uint64_t>(stride) == 0) {
      const Rect first = layout_.word(row, 0);
      pen_.label_within(kBack, {layout_.grid_x - pen_.px(8), first.y + 0.5f * first.height},
                        layout_.gutter - pen_.px(8), std::to_string(number - origin), type);
    }
    for (int bank = 0; bank < 32; ++bank) {
      const Address address = number * kRow + 4 * static_cast<Address>(bank);
      const WordKind kind = array_.kind_of(address);
      if (kind == WordKind::Outside) continue;
      const float border = layout_.cell >= 7 ? 1.0f : 0.0f;
      Cell& cell =
          pen_.framed(kBack, layout_.word(row, bank), palette.cell, with_alpha(palette.line, 0.6f), border);
      if (kind != WordKind::Padding) continue;
      cell.fill = palette.panel;
      cell.border = palette.hatch;
      cell.hatch = std::max(3.0f, std::min(pen_.px(6), 0.5f * layout_.cell));
      cell.hatch_color = palette.hatch;
    }
  }
}

MarkStyle BankPicture::style_of(Turn turn, memory::LaneMask lanes) const {
  const Palette& palette = pen_.palette();
  MarkStyle style{.layer = kMarks, .ground = palette.cell};
  const bool playing = plan_.wavefronts > 1;
  if (playing)
    style.strength = turn == Turn::Done ? 0.3f : turn == Turn::Later ? 0.72f : 0.72f + 0.28f * progress_;
  if (playing && turn == Turn::Now) style.frame = with_alpha(palette.text, progress_);
  const int hovered = pen_.hovered_lane();
  if (hovered >= 0 && hovered < 32) {
    style.strength *= lane_strength(pen_, lanes);
    if ((lanes >> hovered & 1) != 0) style.frame = palette.accent;
  }
  return style;
}

bool BankPicture::inside(Address word, int* row) const {
  const std::uint64_t number = word / kRow;
  if (number < layout_.first_row ||
      number - layout_.first_row >= static_cast<std::uint64_t>(layout_.shown_rows))
    return false;
  *row = static_cast<int>(number - layout_.first_row);
  return true;
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

// "x32" beside a word that is too small for it.
void BankPicture::add_count(const Rect& rect, const Slot& slot, Address address) {
  const auto free = [&](int from, int to) {
    for (int i = from; i <= to; ++i) {
      const Address other = address + static_cast<Address>(static_cast<std::int64_t>(4 * i));
      for (const auto& word : plan_.words)
        if (word.address == other) return false;
    }
    return true;
  };
  const int bank = static_cast<int>(address % kRow / 4), words = std::max(1, access_.bytes / 4);
  draw_count_beside(&pen_, rect, slot.lanes, bank + words + 1 < 32 && free(words, words + 1),
                    bank >= 2 && free(-2, -1));
}

// After a change of padding or block shape every lane's mark moves from its old place to its new one.
void BankPicture::draw_sliding() {
  const memory::WarpAccess before = drawable(*view_.previous);
  const float words = static_cast<float>(std::max(1, access_.bytes / 4));
  const auto place = [this](Address address) {
    const float row = address / kRow >= layout_.first_row
                          ? static_cast<float>(std::min<Address>(address / kRow - layout_.first_row, 4096))
                          : -1.0f;
    const float last = static_cast<float>(layout_.shown_rows - 1);
    const Rect origin = layout_.word(0, static_cast<int>(address % kRow / 4));
    return Point{origin.x, origin.y + layout_.pitch * std::clamp(row, 0.0f, last)};
  };
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    const memory::LaneMask bit = memory::LaneMask{1} << lane;
    if ((access_.active & bit) == 0) continue;
    const Point to = place(access_.addresses[static_cast<std::size_t>(lane)]);
    Point from = to;
    if ((before.active & bit) != 0 && before.bytes == access_.bytes)
      from = place(before.addresses[static_cast<std::size_t>(lane)]);
    const Rect rect{from.x + (to.x - from.x) * slide_, from.y + (to.y - from.y) * slide_,
                    words * layout_.pitch - (layout_.pitch - layout_.cell), layout_.cell};
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

void BankPicture::draw_words() {
  const Palette& palette = pen_.palette();
  float y = layout_.words_y;
  for (const std::string& line : layout_.words) {
    pen_.label(kBack, {layout_.gutter, y}, line, small(palette.text));
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
  if (!rows.empty())
    pen_.label_within(kBack, {pen_.width(), layout_.words_y}, pen_.width(), rows,
                      small(palette.secondary, Align::Right));
}

}  // namespace

Scene bank_scene(const BankView& view, const Canvas& canvas) {
  return BankPicture(view, canvas).draw();
}

}  // namespace warplens::scene
