// A value with its type, so that what is computed of it reads as C++: each operator appends an instruction.
#pragma once

#include <concepts>

#include "sim/lower/ir/builder.h"

namespace warplens::sim::lower {

// The right side of an operator is a Number, or a constant that is unsigned or floating: a plain int could be
// a Value, which does not say its type.
class Number {
 public:
  Number() = default;
  Number(Builder& b, ScalarType type, Value value) : b_(&b), type_(type), value_(value) {}

  operator Value() const { return value_; }
  explicit operator bool() const = delete;  // whether it holds is known when the kernel runs
  ScalarType type() const { return type_; }
  Number to(ScalarType type) const { return {*b_, type, b_->convert(value_, type_, type)}; }
  Number math(MathFunction function) const { return {*b_, type_, b_->math(function, type_, type_, value_)}; }
  // Of its type.
  const Number& of(const Number& other) const { return other; }
  Number of(std::unsigned_integral auto constant) const { return {*b_, type_, b_->integer(type_, constant)}; }
  Number of(double constant) const { return {*b_, type_, b_->number(type_, constant)}; }

  Number apply(Opcode opcode, const auto& other) const {
    return {*b_, is_comparison(opcode) ? ScalarType::Bool : type_, b_->op(opcode, type_, value_, of(other))};
  }
  Number operator+(const auto& other) const { return apply(Opcode::Add, other); }
  Number operator-(const auto& other) const { return apply(Opcode::Sub, other); }
  Number operator*(const auto& other) const { return apply(Opcode::Mul, other); }
  Number operator/(const auto& other) const { return apply(Opcode::Div, other); }
  Number operator%(const auto& other) const { return apply(Opcode::Rem, other); }
  Number operator&(const auto& other) const { return apply(Opcode::And, other); }
  Number operator|(const auto& other) const { return apply(Opcode::Or, other); }
  Number operator^(const auto& other) const { return apply(Opcode::Xor, other); }
  Number operator<<(const auto& other) const { return apply(Opcode::Shl, other); }
  Number operator>>(const auto& other) const { return apply(Opcode::Shr, other); }
  Number operator<(const auto& other) const { return apply(Opcode::Lt, other); }
  Number operator<=(const auto& other) const { return apply(Opcode::Le, other); }
  Number operator>(const auto& other) const { return apply(Opcode::Gt, other); }
  Number operator>=(const auto& other) const { return apply(Opcode::Ge, other); }
  Number operator==(const auto& other) const { return apply(Opcode::Eq, other); }
  Number operator!=(const auto& other) const { return apply(Opcode::Ne, other); }
  Number operator~() const { return {*b_, type_, b_->op(Opcode::BitNot, type_, value_)}; }
  Number operator-() const { return {*b_, type_, b_->op(Opcode::Neg, type_, value_)}; }
  Number operator!() const { return {*b_, type_, b_->op(Opcode::Not, type_, value_)}; }

  friend Number min(const Number& x, const auto& y) { return x.apply(Opcode::Min, y); }
  friend Number max(const Number& x, const auto& y) { return x.apply(Opcode::Max, y); }
  friend Number abs(const Number& x) { return {*x.b_, x.type_, x.b_->op(Opcode::Abs, x.type_, x)}; }
  friend Number select(const Number& condition, const Number& x, const auto& y) {
    return {*x.b_, x.type_, x.b_->op(Opcode::Select, x.type_, condition, x, x.of(y))};
  }

 private:
  Builder* b_ = nullptr;
  ScalarType type_ = ScalarType::U32;
  Value value_ = kNone;
};

}  // namespace warplens::sim::lower
