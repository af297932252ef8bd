// Values never given, while the machine runs: see analyse.h for what is followed, and where it
// counts.
#include <algorithm>
#include <array>
#include <cstring>

#include "sim/machine/handlers.h"
#include "sim/machine/lanes.h"

namespace warplens::sim {

namespace {

struct Found {
  LaneMask lanes = 0;
  std::uint32_t from = 0;  // a variable's number, or a FromShuffle
};

// Who took a value from whom: the first lane without one.
struct FromShuffle {
  static constexpr std::uint32_t kMark = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kMostSteps = 1 << 19;
  enum class Why : std::uint8_t { SourceAbsent, SourceNotNamed, SelfNotNamed };
  std::uint32_t step = 0;  // index into Code::undefined
  int lane = 0, source = 0;
  Why why = Why::SourceAbsent;

  std::uint32_t packed() const {
    return kMark | std::min(step, kMostSteps - 1) << 12 | static_cast<std::uint32_t>(why) << 10 |
           static_cast<std::uint32_t>(lane) << 5 | static_cast<std::uint32_t>(source);
  }
  static FromShuffle unpacked(std::uint32_t bits) {
    return {(bits & ~kMark) >> 12, static_cast<int>(bits >> 5 & 31), static_cast<int>(bits & 31),
            static_cast<Why>(bits >> 10 & 3)};
  }
};

Found read_slot(const Machine& m, const UndefinedOperand& operand) {
  if (operand.slot < 0) return {};
  std::uint64_t bits = 0;
  std::memcpy(&bits, m.registers + operand.slot, sizeof bits);
  Found found{static_cast<LaneMask>(bits), static_cast<std::uint32_t>(bits >> 32)};
  if (operand.uniform && found.lanes != 0) found.lanes = ~LaneMask{0};
  return found;
}

std::uint32_t read_value(const Machine& m, const UndefinedOperand& operand, int lane, std::uint32_t none) {
  if (operand.value < 0) return none;
  std::uint32_t value = 0;
  std::memcpy(&value, m.registers + operand.value + (operand.uniform ? 0 : 4 * lane), sizeof value);
  return value;
}

// The lanes that take what no lane gives: from a lane that is not here, or not in the mask, or without being
// in their own mask; or what the other lane has no value of.
Found take_from_lanes(const Machine& m, const UndefinedStep& step, std::uint32_t number) {
  using Why = FromShuffle::Why;
  const Found given = read_slot(m, step.operands[0]);
  Found found;
  memory::each_lane(m.active, [&](int lane) {
    const int source = shuffle_source(step.shuffle, lane, read_value(m, step.operands[1], lane, 0),
                                      read_value(m, step.operands[2], lane, 0));
    const LaneMask named = read_value(m, step.operands[3], lane, ~std::uint32_t{0});
    const bool self_named = (named & lane_bit(lane)) != 0, source_named = (named & lane_bit(source)) != 0;
    const bool present = (m.active & lane_bit(source)) != 0;
    const bool passed_on = (given.lanes & lane_bit(source)) != 0;
    if (self_named && source_named && present && !passed_on) return;
    const Why why = !self_named ? Why::SelfNotNamed : !source_named ? Why::SourceNotNamed : Why::SourceAbsent;
    const bool good = self_named && source_named && present;
    if (found.lanes == 0) found.from = good ? given.from : FromShuffle{number, lane, source, why}.packed();
    found.lanes |= lane_bit(lane);
  });
  return found;
}

LaneMask truth(Machine& m, const UndefinedOperand& operand) {
  if (operand.uniform) return uniform<std::uint32_t>(m, operand.value) != 0 ? ~LaneMask{0} : LaneMask{0};
  return nonzero_lanes(lanes<std::uint32_t>(m, operand.value));
}

Found combine(Machine& m, const UndefinedStep& step) {
  Found all;
  std::array<Found, 8> of{};
  for (std::size_t i = 0; i < step.operands.size() && i < of.size(); ++i) {
    of[i] = read_slot(m, step.operands[i]);
    if (of[i].lanes == 0) continue;
    if (all.lanes == 0) all.from = of[i].from;
    all.lanes |= of[i].lanes;
  }
  if (all.lanes == 0) return all;
  using Kind = UndefinedStep::Kind;
  if (step.kind == Kind::Select) {
    const LaneMask a = truth(m, step.operands[0]);
    all.lanes = of[0].lanes | (a & of[1].lanes) | (~a & of[2].lanes);
  } else if (step.kind == Kind::And || step.kind == Kind::Or) {
    const LaneMask flip = step.kind == Kind::Or ? ~LaneMask{0} : LaneMask{0};
    const LaneMask a = truth(m, step.operands[0]) ^ flip, b = truth(m, step.operands[1]) ^ flip;
    all.lanes = (of[0].lanes & (of[1].lanes | b)) | (of[1].lanes & (of[0].lanes | a));
  }
  return all;
}

const Step* fail_shuffle(Machine& m, const Step* s, const FromShuffle& from, LaneMask wrong) {
  const Program& program = *m.bound->program;
  const Instr& shuffle = program.code[m.code->undefined[from.step].instr];
  cuda::SourceRange place;
  if (shuffle.place >= 0) place = program.places[shuffle.place];
  const Message why = from.why == FromShuffle::Why::SelfNotNamed
                          ? Message("lane {} is not in its own mask", int{from.lane})
                      : from.why == FromShuffle::Why::SourceNotNamed
                          ? Message("lane {} is not in the mask", int{from.source})
                          : Message("lane {} does not take part", int{from.source});
  fail(
      m, s, RunError::Kind::Uninitialised, __builtin_ctz(wrong),
      Message(
          "this depends on what lane {} takes from lane {} by the shuffle in line {}, where it is undefined: "
          "{}",
          int{from.lane}, int{from.source}, place.begin.line, why));
  m.error.remedy = Message("shuffle where all lanes of the mask take part, and name all of them in the mask");
  m.error.other = place;
  return nullptr;
}

const Step* fail_undefined(Machine& m, const Step* s, Found found, LaneMask wrong) {
  if ((found.from & FromShuffle::kMark) != 0)
    return fail_shuffle(m, s, FromShuffle::unpacked(found.from), wrong);
  const Program& program = *m.bound->program;
  const Variable& variable = program.variables[found.from];
  fail(m, s, RunError::Kind::Uninitialised, __builtin_ctz(wrong),
       Message("this depends on {}, which was declared in line {} and has no value here", variable.name,
               variable.range.begin.line));
  m.error.remedy = Message("give it a value where it is declared");
  m.error.other = variable.range;
  return nullptr;
}

const Step* check_operands(Machine& m, const Step* s, const UndefinedStep& step) {
  if (step.only_checked && m.checker == nullptr) return s + 1;
  for (const UndefinedOperand& operand : step.operands) {
    const Found found = read_slot(m, operand);
    if ((found.lanes & m.active) != 0) return fail_undefined(m, s, found, found.lanes & m.active);
  }
  return s + 1;
}

const Step* run_undefined(Machine& m, const Step* s) {
  const UndefinedStep& step = m.code->undefined[s->immediate];
  using Kind = UndefinedStep::Kind;
  if (step.kind == Kind::Check) return check_operands(m, s, step);
  Found now;
  if (step.kind == Kind::Declare)
    now = {m.active, static_cast<std::uint32_t>(step.variable)};
  else if (step.kind == Kind::Shuffle)
    now = take_from_lanes(m, step, static_cast<std::uint32_t>(s->immediate));
  else
    now = combine(m, step);
  if (step.dst_uniform || step.kind == Kind::Vote)
    now.lanes = (now.lanes & m.active) != 0 ? ~LaneMask{0} : LaneMask{0};
  if (!step.dst_uniform && step.masked) {
    const Found before = read_slot(m, {step.dst, -1, false});
    if ((now.lanes & m.active) == 0) now.from = before.from;
    now.lanes = (before.lanes & ~m.active) | (now.lanes & m.active);
  }
  const std::uint64_t bits = std::uint64_t{now.from} << 32 | now.lanes;
  std::memcpy(m.registers + step.dst, &bits, sizeof bits);
  return s + 1;
}

}  // namespace

Handler undefined_handler() {
  return run_undefined;
}

}  // namespace warplens::sim
