// Where lanes, shafts, gate and array go, and what is said about them: see banks.h.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "app/scene/memory/lane_marks.h"
#include "app/scene/scene.h"
#include "app/views/banks.h"
#include "sim/memory/banks.h"

namespace warplens::views {
namespace {

using namespace scene;
using memory::BankPlan;

// ---- where everything goes

constexpr float kWordsStep = 18, kHeader = 18, kFloorGap = 12, kAir = 6,
                kGate = 3;  // at scale 1
constexpr float kHighestChip = 40, kHighestRow = 40;
constexpr float kLeastRow = 3;

// These rows, with a strip of that height wherever rows are left out.
void show_rows(const BankNeeds& needs, std::vector<std::uint64_t> rows, float hole, BankLayout* layout) {
  layout->all_rows = rows.size() == needs.rows.count;
  layout->holes.clear();
  int above = 0;
  std::uint64_t next = needs.rows.first;
  for (const std::uint64_t row : rows) {
    above += row > next;
    layout->holes.push_back(above);
    next = row + 1;
  }
  layout->hole_below = next < needs.rows.first + needs.rows.count;
  layout->hole = layout->hole_below || above > 0 ? hole : 0;
  layout->rows = std::move(rows);
}

// All rows, with room for those that a little padding adds, so that the scale stays as padding is turned;
// where they would be too low, the touched rows alone, without strips where those would leave them no height,
// and as many of them as have room. Gives the height of a row.
float choose_rows(const Pen& pen, const BankNeeds& needs, float room, BankLayout* layout) {
  const auto step = [&](float height, std::uint64_t rows) {
    return std::min(pen.px(kHighestRow), std::floor(height / static_cast<float>(rows)));
  };
  const float whole = step(room, needs.most_rows());
  if (whole >= kLeastRow) {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(needs.rows.count));
    std::iota(all.begin(), all.end(), needs.rows.first);
    show_rows(needs, std::move(all), 0, layout);
    return whole;
  }
  for (const float hole : {std::round(pen.px(4)), 0.0f}) {
    show_rows(needs, needs.touched, hole, layout);
    const float touched = step(room - layout->holes_height(), needs.touched.size());
    if (touched >= (hole > 0 ? kLeastRow : 1)) return touched;
  }
  std::vector<std::uint64_t> some = needs.touched;
  some.resize(std::min(some.size(), static_cast<std::size_t>(std::max(room, 1.0f))));
  show_rows(needs, std::move(some), 0, layout);
  return 1;
}

// The least distance of chips whose numbers do not touch, and one at which they stand well.
float least_numbered(const Pen& pen) {
  const float least = least_numbered_height(pen);
  return least + cell_gap(pen, least);
}
float numbered_chip(const Pen& pen) {
  return std::max(least_numbered(pen), std::ceil(pen.px(14)));
}

// Shares the height between the stacks and the array: three fifths for the stacks, or, where that is too
// little for the lanes' numbers, all but low rows of the array; and what the array at its highest leaves, but
// for a reserve that larger letters need. It depends on nothing of the array but how high it and its stacks
// can be, so that the scale stays as padding is turned. `plain`: the height of a chip before letters were
// enlarged: they take none of it.
void share_height(const Pen& pen, const BankNeeds& needs, float room, float plain, BankLayout* layout) {
  constexpr float kStacks = 0.6f, kMostStacks = 0.8f, kMostGap = 0.04f;
  layout->floor_gap = std::floor(std::min(pen.px(kFloorGap), kMostGap * room));
  room -= layout->floor_gap * static_cast<float>(needs.floors - 1);
  const auto chips = static_cast<float>(needs.most_wavefronts + 1);  // and the one that passes
  const float numbered = numbered_chip(pen),
              rows = static_cast<float>(std::min<std::uint64_t>(needs.most_rows(), memory::kWarpLanes));
  const auto beside = [&](float row) { return (room - row * rows) / chips; };  // rows that high
  const bool takes = takes_numbers(pen, layout->lanes.cell, numbered);
  float chip = std::max({kStacks * room / chips, takes ? std::min(numbered, beside(pen.px(kLeastRow))) : 0,
                         std::min(kMostStacks * room / chips, beside(pen.px(kHighestRow)))});
  chip = std::max(std::clamp(chip, 0.25f, std::round(pen.px(kHighestChip))), std::min(plain, beside(1)));
  layout->chip_step = chip >= 2 ? std::floor(chip) : chip;
  constexpr float kMostPassing = 0.08f;  // of the room, for the numbers of those that pass
  layout->numbered_step = takes && numbered <= kMostPassing * room ? numbered : 0;
  layout->numbered_high = least_numbered_height(pen);
  layout->pass_step = std::max(layout->chip_step, layout->numbered_step);
  layout->step = choose_rows(pen, needs, room - layout->chip_step * (chips - 1) - layout->pass_step, layout);
}

}  // namespace

int BankLayout::place_of(std::uint64_t row) const {
  const auto at = std::lower_bound(rows.begin(), rows.end(), row);
  return at != rows.end() && *at == row ? static_cast<int>(at - rows.begin()) : -1;
}

std::string rows_text(const Pen& pen, const BankLayout& layout, const RowRange& rows) {
  if (layout.all_rows) return {};
  const auto touched = static_cast<long long>(layout.rows.size());
  return pen.counted("scene.bank.rows.touched", touched,
                     {{"n", std::to_string(touched)}, {"count", std::to_string(rows.count)}});
}

namespace {

bool is_low(const Pen& pen) {
  return pen.height() < pen.px(190);
}

// As many lines have room as the explanation can have, so that nothing moves as padding is turned.
int most_lines(const Pen& pen) {
  return is_low(pen) || pen.width() >= pen.px(820) ? 1 : 2;
}

// Of a sentence so many lines of about the same length; where it has no room, whole clauses of it, or
// nothing: the verdict stands above.
std::vector<std::string> balanced(const Pen& pen, const std::string& text, float width) {
  const int most = most_lines(pen);
  const auto broken = [&](const std::string& words, float room) {
    return wrapped(words, room, pen.px(13), most);
  };
  const auto fits = [&](const std::string& words) { return !broken(words, width).back().ends_with("…"); };
  std::vector<std::string> best = broken(text, width);
  if (!best.empty() && best.back().ends_with("…")) {
    const std::string clauses = whole_clauses(text, fits);
    return clauses.empty() ? std::vector<std::string>{} : broken(clauses, width);
  }
  for (float narrow = 0.95f * width; best.size() > 1 && narrow > 0.4f * width; narrow -= 0.05f * width) {
    std::vector<std::string> lines = broken(text, narrow);
    if (lines.size() != best.size() || lines.back().ends_with("…")) break;
    best = std::move(lines);
  }
  return best;
}

BankLayout lay_out(const Pen& pen, const BankNeeds& needs) {
  BankLayout layout;
  layout.lanes = lane_row(pen, pen.width());
  layout.words_step = pen.px(kWordsStep);
  const float lines = needs.words.empty() ? 0.0f : static_cast<float>(most_lines(pen));
  layout.shafts_top = std::floor(layout.lanes.end() + pen.px(kAir));
  const float fixed = layout.shafts_top + pen.px(kGate + kHeader + 4) + lines * layout.words_step;
  Canvas plain = pen.canvas();
  float before = 0;
  if (std::exchange(plain.plain_height, 0.0f) > 0) {
    plain.height = pen.canvas().plain_height, plain.scale = plain.plain_scale;
    const Pen smaller(plain);
    const float step = lay_out(smaller, needs).chip_step;
    before = step - cell_gap(smaller, step) + cell_gap(pen, step);
  }
  share_height(pen, needs, std::max(1.0f, pen.height() - fixed), before, &layout);
  // The explanation gives way to what stands at its right.
  const float width =
      pen.width() - (layout.all_rows ? 0 : pen.width_of(rows_text(pen, layout, needs.rows), {}) + pen.px(16));
  layout.words = balanced(pen, needs.words, is_low(pen) ? width : width - layout.lanes.gutter);
  layout.stacks_high = std::ceil(layout.chip_step * static_cast<float>(needs.most_wavefronts));
  layout.gate_y =
      layout.shafts_top + layout.stacks_high + layout.floor_gap * static_cast<float>(needs.floors - 1);
  layout.pass_y = layout.gate_y + std::round(pen.px(kGate));
  layout.high = std::max(1.0f, layout.step - cell_gap(pen, layout.step));
  layout.header_y = layout.pass_y + layout.pass_step + pen.px(0.5f * kHeader);
  layout.rows_y = std::floor(layout.pass_y + layout.pass_step + pen.px(kHeader));
  layout.words_x = layout.lanes.x;  // under the array where there is room
  for (const std::string& line : layout.words) {
    const float words = pen.width_of(line, {});
    if (layout.lanes.x + words > width) layout.words_x = std::min(layout.words_x, layout.lanes.gutter);
    if (layout.lanes.gutter + words > width) layout.words_x = 0;
  }
  layout.words_y = layout.rows_y + layout.rows_height() + pen.px(3) + 0.5f * layout.words_step;
  return layout;
}

}  // namespace

BankLayout layout_banks(const Pen& pen, const BankNeeds& needs) {
  BankLayout layout = lay_out(pen, needs);
  const auto lines = static_cast<float>(layout.words.size());
  if (lines == 0 || layout.words_y + (lines - 0.5f) * layout.words_step <= pen.height()) return layout;
  BankNeeds silent = needs;  // not even a row has room above the explanation
  silent.words.clear();
  return lay_out(pen, silent);
}

// ---- the sentence, and the heading's answer

namespace {

bool conflicts(const BankPlan& plan) {
  return plan.wavefronts > plan.least;
}

// "bank 0", "banks 0 and 1", "all 32 banks": those that need the most wavefronts.
std::string fullest_banks(const Pen& pen, const BankPlan& plan, int* count) {
  std::uint32_t set = 0;
  for (std::size_t bank = 0; bank < 32; ++bank)
    set |= std::uint32_t{plan.words_in_bank[bank] == plan.degree} << bank;
  *count = std::popcount(set);
  if (*count == 32) return pen.text("scene.banks.all");
  return pen.counted("scene.banks", *count, {{"list", number_list(pen, set, 4)}});
}

// The words of the first bank that is fullest lie one row of the array apart: a column.
bool is_column(const BankFacts& facts) {
  const BankPlan& plan = *facts.plan;
  if (facts.row_bytes <= 0 || facts.array.empty() || plan.degree < 3) return false;
  const auto fullest = std::find(plan.words_in_bank.begin(), plan.words_in_bank.end(), plan.degree);
  const auto bank = static_cast<int>(fullest - plan.words_in_bank.begin());
  std::vector<memory::Address> addresses;
  for (const auto& word : plan.words)
    if (word.bank == bank) addresses.push_back(word.address);
  std::sort(addresses.begin(), addresses.end());
  for (std::size_t i = 1; i < addresses.size(); ++i) {
    if (addresses[i] - addresses[i - 1] != static_cast<memory::Address>(facts.row_bytes)) return false;
  }
  return true;
}

// More padding parts the words, or none does: then because they lie in one row, or because rows meet again.
const char* padded_key(const BankFacts& facts) {
  const auto row = static_cast<memory::Address>(facts.row_bytes);
  if (row == 0 || !memory::padding_cannot_help(*facts.access, {facts.begin, row, facts.unit_words}))
    return "scene.bank.say.conflict.padded";
  const BankPlan& plan = *facts.plan;
  for (std::size_t bank = 0; bank < 32; ++bank) {
    if (plan.words_in_bank[bank] != plan.degree) continue;
    std::set<memory::Address> rows;
    for (const auto& word : plan.words) {
      if (word.bank == static_cast<int>(bank) && word.address >= facts.begin)
        rows.insert((word.address - facts.begin) / row);
    }
    if (rows.size() > 1) return "scene.bank.say.conflict.unpaddable";
  }
  return "scene.bank.say.conflict.one_row";
}

std::string atomic_sentence(const Pen& pen, const BankFacts& facts) {
  const BankPlan& plan = *facts.plan;
  if (facts.access->way != memory::AtomicWay::Native) {
    const std::string how = facts.access->way == memory::AtomicWay::Swap ? "swap" : "loop";
    return pen.text("scene.bank.say.atomic." + how + (plan.degree > 1 ? "" : ".free"),
                    {{"n", std::to_string(plan.degree)}, {"wavefronts", std::to_string(plan.wavefronts)}});
  }
  if (!conflicts(plan)) return pen.text("scene.bank.say.atomic.free");
  int most_on_word = 0;
  std::vector<memory::Address> addresses;
  for (const auto& word : plan.words) addresses.push_back(word.address);
  for (const memory::Address address : addresses) {
    most_on_word =
        std::max(most_on_word, static_cast<int>(std::count(addresses.begin(), addresses.end(), address)));
  }
  const std::string n = std::to_string(plan.degree);
  if (most_on_word == plan.degree) return pen.text("scene.bank.say.atomic.word", {{"n", n}});
  int count = 0;
  const std::string banks = fullest_banks(pen, plan, &count);
  return pen.counted("scene.bank.say.atomic.bank", count, {{"n", n}, {"banks", banks}});
}

std::string group_name(const Pen& pen, const BankFacts& facts) {
  const BankPlan& plan = *facts.plan;
  if (facts.access->matrix) return pen.text("scene.bank.matrix");
  return pen.text(plan.lanes_per_group == 16 ? "scene.bank.half" : "scene.bank.quarter");
}

std::string free_sentence(const Pen& pen, const BankFacts& facts) {
  const BankPlan& plan = *facts.plan;
  const bool store = facts.access->op == memory::Op::Store || facts.access->op == memory::Op::Async;
  std::vector<memory::Address> distinct;
  for (const auto& word : plan.words) distinct.push_back(word.address);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const int active = std::popcount(facts.access->active);
  if (facts.access->increments && static_cast<int>(distinct.size()) < active)
    return pen.text("scene.bank.say.increment", {{"lanes", std::to_string(active)}});
  if (distinct.size() == 1 && active > 1)
    return pen.text(store ? "scene.bank.say.same.store" : "scene.bank.say.same");
  if (facts.access->matrix)
    return pen.counted("scene.bank.say.matrices", plan.groups, {{"n", std::to_string(plan.groups)}});
  if (facts.access->bytes >= 8) {
    const std::string bytes = std::to_string(facts.access->bytes);
    if (plan.merged)
      return pen.text("scene.bank.say.merged",
                      {{"bytes", bytes}, {"lanes", std::to_string(plan.lanes_per_group)}});
    return pen.counted(
        "scene.bank.say.groups", plan.groups,
        {{"bytes", bytes}, {"n", std::to_string(plan.groups)}, {"group", group_name(pen, facts)}});
  }
  const std::string banks = std::to_string(distinct.size());
  if (facts.padding_words > 0) {
    const std::string shift = std::to_string(facts.padding_words % 32);
    const std::string words =
        pen.counted("scene.bank.say.padded", facts.padding_words,
                    {{"n", std::to_string(facts.padding_words)}, {"shift", shift}, {"banks", banks}});
    return facts.hatched ? pen.text("scene.bank.say.hatched", {{"words", words}}) : words;
  }
  if (static_cast<int>(distinct.size()) < active && facts.access->bytes == 4) {
    return pen.text("scene.bank.say.shared", {{"lanes", std::to_string(active)}, {"n", banks}});
  }
  return pen.counted("scene.bank.say.free", static_cast<long long>(distinct.size()), {{"n", banks}});
}

}  // namespace

std::string bank_sentence(const Pen& pen, const BankFacts& facts) {
  const BankPlan& plan = *facts.plan;
  if (memory::lanes_take_turns(*facts.access)) return atomic_sentence(pen, facts);
  if (!conflicts(plan)) return free_sentence(pen, facts);
  const std::string n = std::to_string(plan.degree);
  if (plan.groups > 1)  // which banks differs from group to group
    return pen.text(
        "scene.bank.say.conflict.groups",
        {{"n", n}, {"group", group_name(pen, facts)}, {"wavefronts", std::to_string(plan.wavefronts)}});
  int count = 0;
  const std::string banks = fullest_banks(pen, plan, &count);
  if (facts.padding_words > 0) {
    return pen.counted(padded_key(facts), count,
                       {{"pad", std::to_string(facts.padding_words)}, {"n", n}, {"banks", banks}});
  }
  const bool column = is_column(facts);
  return pen.counted(column ? "scene.bank.say.conflict.column" : "scene.bank.say.conflict", count,
                     {{"array", facts.array}, {"n", n}, {"banks", banks}});
}

std::string bank_answer(const Pen& pen, const BankPlan& plan, int wavefront) {
  const std::string total = std::to_string(plan.wavefronts);
  const bool whole = wavefront >= plan.wavefronts || plan.wavefronts == 1;
  const std::string now =
      whole ? pen.counted("scene.bank.wavefronts", plan.wavefronts, {{"n", total}})
            : pen.text("scene.bank.wavefront", {{"k", std::to_string(wavefront + 1)}, {"n", total}});
  if (!conflicts(plan)) return "= " + pen.text("scene.bank.answer.free", {{"now", now}});
  return pen.text("scene.bank.answer.conflict", {{"n", std::to_string(plan.degree)}, {"now", now}});
}

}  // namespace warplens::views
