// Above the array: the groups of a wide access, and the load of every bank.
#include <algorithm>
#include <bit>
#include <cmath>

#include "app/scene/memory/bank_picture.h"

namespace warplens::scene {
namespace {

using memory::BankPlan;

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
    if (!costly || slide_ < 1 || whole_) continue;
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
  const bool atomic = memory::lanes_take_turns(access_);
  pen_.label(kBack, {layout_.grid_x - pen_.px(8), middle},
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
  Type type{13, palette.secondary, Align::Center, Font::Code, false};
  int stride = 1;
  while (stride < 32 && layout_.pitch * static_cast<float>(stride) < pen_.width_of("00", type) + pen_.px(3))
    stride *= 2;
  for (int bank = 0; bank < 32; bank += stride) {
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
  pen_.label(kBack, {layout_.grid_x - pen_.px(8), layout_.header_y}, pen_.text("scene.bank.bank"),
             small(palette.faint, Align::Right));
}

}  // namespace warplens::scene
