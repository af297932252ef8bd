// Above the array: the groups of a wide access, and the load of every bank.
#include <algorithm>
#include <bit>
#include <cmath>

#include "app/scene/memory/bank_picture.h"

namespace warplens::scene {
namespace {

using memory::BankPlan;

constexpr float kNameAbove = 7;  // at scale 1: of the towers' base, where "words" stands
constexpr float kLine = 14.5f;   // from one line of small letters to the next

}  // namespace

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
    const std::string key = !active           ? "scene.bank.group.idle"
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

}  // namespace warplens::scene
