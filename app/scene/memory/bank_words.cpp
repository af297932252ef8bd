#include "app/scene/memory/bank_words.h"

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "sim/memory/rows.h"

namespace warplens::scene {
namespace {

using memory::BankPlan;

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

}  // namespace warplens::scene
