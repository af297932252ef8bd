#include "sim/lower/memory/described_matrix.h"

namespace warplens::sim::lower {

Value DescribedMatrix::field(Value descriptor, std::uint64_t shift, std::uint64_t mask) {
  const ScalarType wide = ScalarType::U64;
  const Value moved = b_.op(Opcode::Shr, wide, descriptor, b_.integer(wide, shift));
  return b_.convert(b_.op(Opcode::And, wide, moved, b_.integer(wide, mask)), wide, kWord);
}

DescribedMatrix::DescribedMatrix(Builder& b, Value descriptor, bool along_k, AccessText text)
    : b_(b), along_k_(along_k), text_(std::move(text)) {
  constexpr std::uint64_t kOffset = 0x3fff;
  start_ = op(Opcode::Shl, field(descriptor, 0, kOffset), number(4));
  leading_ = op(Opcode::Shl, field(descriptor, 16, kOffset), number(4));
  stride_ = op(Opcode::Shl, field(descriptor, 32, kOffset), number(4));
  base_ = field(descriptor, 49, 7);
  const Value mode = field(descriptor, 62, 3);
  const Value plain = op(Opcode::Eq, mode, number(0));
  level_ = b_.op(Opcode::Select, kWord, plain, number(0), op(Opcode::Sub, number(4), mode));
  const Value width = op(Opcode::Shl, number(16), level_);
  mask_ = op(Opcode::Sub, op(Opcode::Shl, number(1), level_), number(1));
  const Value lane = b_.ir.input(kLaneIndex, kWord);
  const Value row = op(Opcode::Shr, lane, number(2)), quarter = op(Opcode::And, lane, number(3));
  const auto either = [&](Value x, Value y) { return b_.op(Opcode::Select, kWord, plain, x, y); };
  if (along_k) {
    of_lane_[0] = op(Opcode::Add, op(Opcode::Mul, row, width), op(Opcode::Shl, quarter, number(2)));
    of_lane_[1] = of_lane_[0];
    block_step_ = stride_;
    half_step_ = either(leading_, number(16));
    return;
  }
  const Value first = op(Opcode::Mul, op(Opcode::Shl, quarter, number(1)), width);
  of_lane_[0] = op(Opcode::Add, op(Opcode::Shl, row, number(1)), first);
  of_lane_[1] = op(Opcode::Add, of_lane_[0], width);
  block_step_ = either(stride_, leading_);
  half_step_ = either(leading_, stride_);
}

Value DescribedMatrix::load(Value address, ScalarType type) {
  const Value moved = op(Opcode::Sub, op(Opcode::Shr, address, number(7)), base_);
  const Value flips = op(Opcode::Shl, op(Opcode::And, moved, mask_), number(4));
  Address at{b_.ir.constant(ScalarType::U64, kSharedWindow, {Origin::Kind::Shared, -1}), {}, 0};
  b_.add_index(at, op(Opcode::Xor, address, flips), kWord, 1, false);
  const Value read = b_.ir.temp(type);
  b_.load(at, text_, type, {read});
  return b_.convert(read, type, kWord);
}

Value DescribedMatrix::word(Value tile, int half) {
  const Value halves = op(Opcode::Mul, number(static_cast<std::uint64_t>(half)), half_step_);
  Value from = op(Opcode::Add, start_, halves);
  if (along_k_) {
    from = op(Opcode::Add, from, op(Opcode::Mul, tile, block_step_));
    return load(op(Opcode::Add, from, of_lane_[0]), kWord);
  }
  // The part of a row's elements that lies in this block, and how many rows' worth of elements lie before it.
  const Value within = op(Opcode::Shl, op(Opcode::And, tile, mask_), number(4));
  const Value before = op(Opcode::Mul, op(Opcode::Shr, tile, level_), block_step_);
  from = op(Opcode::Add, from, op(Opcode::Add, within, before));
  const Value low = load(op(Opcode::Add, from, of_lane_[0]), ScalarType::U16);
  const Value high = load(op(Opcode::Add, from, of_lane_[1]), ScalarType::U16);
  return op(Opcode::Or, low, op(Opcode::Shl, high, number(16)));
}

}  // namespace warplens::sim::lower
