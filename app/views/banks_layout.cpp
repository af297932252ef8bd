// Where banks and the shared array go, and what is said about them: see banks.h.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

#include "app/scene/memory/lane_marks.h"
#include "app/scene/text.h"
#include "app/views/banks.h"
#include "sim/memory/rows.h"

namespace warplens::views {
namespace {

using namespace scene;
using memory::BankPlan;

}  // namespace

// ---- where everything goes

namespace {

constexpr float kWordsStep = 18, kHeader = 19, kGroups = 22, kCount = 16;  // at scale 1

// The height of a word in the towers follows from the picture's size alone, so that a tower of more words is
// higher in whatever picture of that size it stands. Where 32 of them would take too much of a low picture,
// they are thinner.
float brick_height(const Pen& pen) {
  constexpr float kShare = 0.27f;  // of the picture, at most, for 32 words
  const float room = kShare * pen.height() / 32, wish = std::max(1.0f, std::round(pen.px(2)));
  return room >= 1 ? std::min(wish, std::floor(room)) : room;
}

// The window of `shown` rows that shows what is served now, and as much as it can of the rest.
std::uint64_t window_start(const BankNeeds& needs, std::uint64_t shown) {
  const std::uint64_t rows_end = needs.rows.first + needs.rows.count;
  const std::uint64_t first = needs.touched.front(), end = needs.touched.back() + 1;
  if (end <= needs.rows.first + shown) return needs.rows.first;
  std::uint64_t start = first;
  if (end - first > shown) {
    // Move on by halves of a window, so that playing does not scroll at every wavefront.
    const std::uint64_t step = std::max<std::uint64_t>(1, shown / 2);
    start += (needs.now.first - first) / step * step;
    const std::uint64_t now_end = needs.now.first + needs.now.count;
    if (needs.now.count <= shown && start + shown < now_end) start = now_end - shown;
  }
  return std::max(needs.rows.first, std::min(start, rows_end - shown));
}

void show_window(const BankNeeds& needs, std::uint64_t shown, BankLayout* layout) {
  layout->all_rows = shown >= needs.rows.count;
  const std::uint64_t first = layout->all_rows ? needs.rows.first : window_start(needs, shown);
  layout->rows.resize(static_cast<std::size_t>(std::min(shown, needs.rows.count)));
  std::iota(layout->rows.begin(), layout->rows.end(), first);
}

// Heights in pixels: what the rows of the array and their cells can have.
struct RowRoom {
  float room = 0;    // for the rows
  float steady = 0;  // ... and where the explanation has two lines, as it has with padding and without
  float widest = 0;  // columns at most
  float numbers = 0, numbered_row = 0;  // the least width and height of words whose lanes can be numbered
};

// All rows of the array, as high as they can be; with room for the rows that a little padding adds, so that
// the scale stays as padding is turned.
float steady_step(const BankNeeds& needs, const RowRoom& r) {
  const auto rows = static_cast<float>(std::max(needs.rows.count, needs.padded_rows));
  return std::min(r.numbered_row, std::max(1.0f, std::floor(std::min(r.room, r.steady) / rows)));
}

// The touched rows alone, with a strip of that height wherever rows are left out.
void show_touched(const BankNeeds& needs, float hole, BankLayout* layout) {
  layout->rows = needs.touched;
  layout->all_rows = needs.touched.size() == needs.rows.count;
  layout->holes.clear();
  int above = 0;
  std::uint64_t next = needs.rows.first;
  for (const std::uint64_t row : needs.touched) {
    above += row > next;
    layout->holes.push_back(above);
    next = row + 1;
  }
  layout->hole_below = next < needs.rows.first + needs.rows.count;
  layout->hole = layout->hole_below || above > 0 ? hole : 0;
}

int count_holes(const BankNeeds& needs) {
  BankLayout layout;
  show_touched(needs, 1, &layout);
  return layout.holes.back() + (layout.hole_below ? 1 : 0);
}

constexpr float kMuchLarger = 1.4f;
constexpr float kMostUpright = 1.5f;            // of a word of few rows: its height by its width
constexpr float kToldHole = 16, kThinHole = 4;  // with room to say how many rows are left out, and without

// The touched rows alone, so high that their lanes can be numbered; false: too many for that.
bool choose_touched_rows(const Pen& pen, const BankNeeds& needs, const RowRoom& r, BankLayout* layout) {
  const int holes = count_holes(needs);
  const auto distinct = static_cast<float>(needs.touched.size());
  for (const float hole : {kToldHole, kThinHole}) {
    const float room = r.room - static_cast<float>(holes) * pen.px(hole);
    const float step = std::floor(std::min(kMostUpright * r.widest, room / distinct));
    if (step < r.numbered_row) continue;
    layout->step = step;
    layout->pitch = std::min(r.widest, std::max(r.numbers, layout->step));
    show_touched(needs, pen.px(hole), layout);
    return true;
  }
  return false;
}

// Rows too low for the numbers of their lanes; false: too low to be told apart. What the access touches is in
// the picture, whole: all rows, or the touched ones alone where those are much higher so.
bool choose_low_rows(const Pen& pen, const BankNeeds& needs, const RowRoom& r, BankLayout* layout) {
  constexpr float kLeastRow = 3;
  const auto distinct = static_cast<float>(needs.touched.size());
  float whole = std::floor(r.room / static_cast<float>(needs.rows.count));
  if (const float steady = steady_step(needs, r); steady >= kLeastRow) whole = std::min(whole, steady);
  const float steady_room = r.steady >= kLeastRow * distinct ? r.steady : r.room;
  const float touched = std::min(r.numbered_row, std::floor(steady_room / distinct));
  const bool roomy = whole >= std::floor(pen.px(8));
  const bool alone = !roomy && touched >= kLeastRow && touched >= 1.5f * whole;
  if (!alone && whole < kLeastRow) return false;
  layout->step = alone ? touched : whole;
  // Wider than high: the banks, their numbers and what is said below keep their place.
  layout->pitch = std::min(r.widest, std::max(r.numbers, std::floor(2.5f * layout->step)));
  if (alone) {
    show_touched(needs, 0, layout);  // no room for strips: the words below say how many rows there are
  } else {
    show_window(needs, needs.rows.count, layout);
  }
  return true;
}

// In this order: all rows where their lanes can be numbered; the stretch of touched rows so; the touched rows
// alone so; all rows, low; the touched rows alone, low; a window that follows what is served.
void choose_rows(const Pen& pen, const BankNeeds& needs, const RowRoom& r, BankLayout* layout) {
  const float stretch = static_cast<float>(needs.touched.back() - needs.touched.front() + 1);
  // Few rows are higher than wide.
  const auto step_of = [&](float room, float rows) {
    return std::max(1.0f, std::min(std::floor(kMostUpright * r.widest), std::floor(room / rows)));
  };
  const float whole = step_of(r.room, static_cast<float>(needs.rows.count));
  float step = r.numbered_row;
  if (whole >= r.numbered_row) {
    // As large as it is with a little padding as well, where that leaves room for numbers.
    const float steady = step_of(r.steady, static_cast<float>(needs.padded_rows));
    step = std::max(r.numbered_row, std::min(whole, steady));
  } else if (stretch * r.numbered_row <= r.room) {
    step = std::max(r.numbered_row, step_of(r.room, std::max(12.0f, stretch)));
    // Many rows between a few touched ones: those alone, where that makes them much larger.
    BankLayout touched = *layout;
    if (choose_touched_rows(pen, needs, r, &touched) && touched.step >= kMuchLarger * step) {
      *layout = touched;
      return;
    }
  } else if (choose_touched_rows(pen, needs, r, layout) || choose_low_rows(pen, needs, r, layout)) {
    return;
  }
  step = std::min(step, std::max(1.0f, std::floor(r.room)));
  layout->step = step;
  layout->pitch = std::min(r.widest, std::max(r.numbers, step));
  show_window(needs, static_cast<std::uint64_t>(std::max(1.0f, std::floor(r.room / step))), layout);
}

}  // namespace

int BankLayout::place_of(std::uint64_t row) const {
  const auto at = std::lower_bound(rows.begin(), rows.end(), row);
  return at != rows.end() && *at == row ? static_cast<int>(at - rows.begin()) : -1;
}

std::string rows_text(const Pen& pen, const BankLayout& layout, const RowRange& rows, int beyond) {
  if (layout.all_rows) return {};
  const std::uint64_t first = layout.rows.front() - rows.first, last = layout.rows.back() - rows.first;
  if (last - first >= layout.rows.size()) {
    return pen.text("scene.bank.rows.touched",
                    {{"n", std::to_string(layout.rows.size())}, {"count", std::to_string(rows.count)}});
  }
  const std::string text = pen.text("scene.bank.rows", {{"first", std::to_string(first)},
                                                        {"last", std::to_string(last)},
                                                        {"count", std::to_string(rows.count)}});
  if (beyond == 0) return text;
  return text + pen.counted("scene.bank.beyond", beyond, {{"n", std::to_string(beyond)}});
}

namespace {

bool is_low(const Pen& pen) {
  return pen.height() < pen.px(190);
}

// One to three lines, of about the same length; `if_low`: as many at most where the picture is low.
std::vector<std::string> balanced(const Pen& pen, const std::string& text, float width, int if_low) {
  int most = pen.height() < pen.px(220) ? 1 : 2;
  std::vector<std::string> best = wrapped(text, width, pen.px(13), most);
  while (!best.empty() && best.back().ends_with("…") &&
         most < (is_low(pen)                  ? if_low
                 : pen.height() < pen.px(220) ? 2
                                              : 3))
    best = wrapped(text, width, pen.px(13), ++most);
  if (!best.empty() && best.back().ends_with("…")) {  // whole clauses, or nothing: the verdict stands above
    const auto fits = [&](const std::string& words) {
      return !wrapped(words, width, pen.px(13), most).back().ends_with("…");
    };
    const std::string clauses = whole_clauses(text, fits);
    return clauses.empty() ? std::vector<std::string>{} : wrapped(clauses, width, pen.px(13), most);
  }
  if (best.size() < 2) return best;
  for (float narrow = 0.95f * width; narrow > 0.4f * width; narrow -= 0.05f * width) {
    std::vector<std::string> lines = wrapped(text, narrow, pen.px(13), most);
    if (lines.size() != best.size() || lines.back().ends_with("…")) break;
    best = std::move(lines);
  }
  return best;
}

// Lays out with the explanation broken to `width`.
BankLayout lay_out(const Pen& pen, const BankNeeds& needs, float width, int if_low) {
  BankLayout layout;
  float left = 0;
  for (const char* key : {"scene.bank.words", "scene.bank.lanes", "scene.bank.bank"}) {
    left = std::max(left, pen.width_of(pen.text(key), {}));
  }
  layout.gutter = std::ceil(left + pen.px(8));
  layout.words_step = pen.px(kWordsStep);
  const float text_room = is_low(pen) ? width : width - layout.gutter;
  layout.words = balanced(pen, needs.words, text_room, if_low);
  layout.groups_height = needs.groups ? pen.px(kGroups) : 0;

  const float text_lines = static_cast<float>(layout.words.size());
  const float fixed =
      layout.groups_height + pen.px(kCount + kHeader) + text_lines * layout.words_step + pen.px(4);
  const auto beside = static_cast<float>(
      needs.words_beside.empty() ? 0 : balanced(pen, needs.words_beside, text_room, if_low).size());
  const float more_lines = std::max({0.0f, 2 - text_lines, beside - text_lines}) * layout.words_step;
  const float widest = std::max(1.0f, std::floor(std::min((pen.width() - layout.gutter) / 32, pen.px(30))));
  const float word = std::max(15.0f, std::ceil(pen.px(15)));
  const float numbers = std::min(widest, word + cell_gap(pen, word));
  const float least = least_numbered_height(pen), numbered_row = least + cell_gap(pen, least);
  layout.brick = brick_height(pen);
  const float tower = std::ceil(layout.brick * static_cast<float>(std::clamp(needs.most_words, 1, 32)));
  const float room = pen.height() - fixed - tower;
  choose_rows(pen, needs, {room, std::max(0.0f, room - more_lines), widest, numbers, numbered_row}, &layout);

  const float gap = cell_gap(pen, std::min(layout.pitch, layout.step));
  layout.cell = layout.pitch - gap;
  layout.high = layout.step - gap;
  layout.grid_x = layout.gutter + std::floor(0.5f * (pen.width() - layout.gutter - 32 * layout.pitch));
  layout.towers_top = std::floor(layout.groups_height + pen.px(kCount));
  layout.towers_base = layout.towers_top + tower;
  layout.header_y = layout.towers_base + pen.px(0.5f * kHeader);
  layout.rows_y = std::floor(layout.towers_base + pen.px(kHeader));
  layout.words_x = layout.grid_x;  // under the array where there is room
  for (const std::string& line : layout.words) {
    const float words = pen.width_of(line, {});
    if (layout.grid_x + words > width) layout.words_x = std::min(layout.words_x, layout.gutter);
    if (layout.gutter + words > width) layout.words_x = 0;
  }
  layout.words_y = layout.rows_y + layout.rows_height() + pen.px(3) + 0.5f * layout.words_step;
  return layout;
}

BankLayout settle(const Pen& pen, const BankNeeds& needs, int if_low) {
  // The explanation gives way to "rows a-b of n" at its right, which in turn depends on the rows that are
  // left.
  float beside = 0;
  BankLayout layout;
  for (int i = 0; i < 4; ++i) {
    layout = lay_out(pen, needs, pen.width() - beside, if_low);
    if (layout.all_rows) return layout;
    const bool beyond =
        layout.place_of(needs.touched.front()) < 0 || layout.place_of(needs.touched.back()) < 0;
    const float need = pen.width_of(rows_text(pen, layout, needs.rows, beyond ? 32 : 0), {}) + pen.px(16);
    if (need <= beside) return layout;
    beside = need;
  }
  return layout;
}

bool words_fit(const Pen& pen, const BankLayout& layout) {
  const float lines = static_cast<float>(layout.words.size());
  return layout.words.empty() || layout.words_y + (lines - 0.5f) * layout.words_step <= pen.height();
}

}  // namespace

BankLayout layout_banks(const Pen& pen, const BankNeeds& needs) {
  // Where the picture is low, what is touched comes before all lines of the explanation.
  for (int lines = 3; lines > 1 && is_low(pen); --lines) {
    BankLayout layout = settle(pen, needs, lines);
    if (layout.place_of(needs.touched.front()) >= 0 && layout.place_of(needs.touched.back()) >= 0 &&
        words_fit(pen, layout))
      return layout;
  }
  BankLayout layout = settle(pen, needs, 1);
  if (words_fit(pen, layout)) return layout;
  BankNeeds silent = needs;  // not even a row has room above the explanation
  silent.words.clear(), silent.words_beside.clear();
  return settle(pen, silent, 1);
}

// ---- the sentence, and the heading's answer

namespace {

bool conflicts(const BankPlan& plan) {
  return plan.wavefronts > plan.groups;
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

std::string increment_sentence(const Pen& pen, const BankFacts& facts) {
  const std::string lanes = std::to_string(std::popcount(facts.access->active));
  if (!conflicts(*facts.plan)) return pen.text("scene.bank.say.increment", {{"lanes", lanes}});
  return pen.text("scene.bank.say.increment.conflict", {{"n", std::to_string(facts.plan->degree)}});
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
  if (plan.wavefronts == 0) return pen.text("scene.no_lane");
  if (memory::lanes_take_turns(*facts.access)) return atomic_sentence(pen, facts);
  if (facts.access->increments) return increment_sentence(pen, facts);
  if (!conflicts(plan)) return free_sentence(pen, facts);
  int count = 0;
  const std::string banks = fullest_banks(pen, plan, &count);
  const std::string n = std::to_string(plan.degree), wavefronts = std::to_string(plan.wavefronts);
  if (plan.groups > 1) {
    return pen.counted(
        "scene.bank.say.conflict.groups", count,
        {{"n", n}, {"banks", banks}, {"group", group_name(pen, facts)}, {"wavefronts", wavefronts}});
  }
  if (facts.padding_words > 0) {
    return pen.counted(padded_key(facts), count,
                       {{"pad", std::to_string(facts.padding_words)}, {"n", n}, {"banks", banks}});
  }
  const bool column = is_column(facts);
  return pen.counted(column ? "scene.bank.say.conflict.column" : "scene.bank.say.conflict", count,
                     {{"array", facts.array}, {"n", n}, {"banks", banks}});
}

std::string bank_answer(const Pen& pen, const BankPlan& plan, int wavefront) {
  if (plan.wavefronts == 0) return pen.text("scene.no_lane");
  const std::string total = std::to_string(plan.wavefronts);
  const bool whole = wavefront >= plan.wavefronts || plan.wavefronts == 1;
  const std::string now =
      whole ? pen.counted("scene.bank.wavefronts", plan.wavefronts, {{"n", total}})
            : pen.text("scene.bank.wavefront", {{"k", std::to_string(wavefront + 1)}, {"n", total}});
  if (!conflicts(plan)) return "= " + pen.text("scene.bank.answer.free", {{"now", now}});
  return pen.text("scene.bank.answer.conflict", {{"n", std::to_string(plan.degree)}, {"now", now}});
}

}  // namespace warplens::views
