// The operators of C++: how they are written, how tightly they bind, and what they give of two integers.
#pragma once

#include <cstdint>
#include <string_view>

namespace warplens::cuda {

enum class UnaryOp {
  Plus,
  Minus,
  Not,
  BitNot,
  Dereference,
  AddressOf,
  PreIncrement,
  PreDecrement,
  PostIncrement,
  PostDecrement
};
enum class BinaryOp {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Shl,
  Shr,
  Lt,
  Le,
  Gt,
  Ge,
  Eq,
  Ne,
  BitAnd,
  BitXor,
  BitOr,
  And,
  Or,
  Comma
};

inline constexpr const char* kUnarySpellings[] = {"+", "-", "!", "~", "*", "&", "++", "--", "++", "--"};
struct BinaryOperator {
  const char* text;
  int level;  // higher binds tighter
};
inline constexpr BinaryOperator kBinaryOperators[] = {{"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
                                                      {"<<", 8}, {">>", 8}, {"<", 7},  {"<=", 7}, {">", 7},
                                                      {">=", 7}, {"==", 6}, {"!=", 6}, {"&", 5},  {"^", 4},
                                                      {"|", 3},  {"&&", 2}, {"||", 1}, {",", 0}};

constexpr const char* spelling(UnaryOp op) {
  return kUnarySpellings[static_cast<int>(op)];
}
constexpr const char* spelling(BinaryOp op) {
  return kBinaryOperators[static_cast<int>(op)].text;
}
constexpr int level_of(BinaryOp op) {
  return kBinaryOperators[static_cast<int>(op)].level;
}
// But for the comma, which is none everywhere. False: `text` is no such operator.
constexpr bool find_binary(std::string_view text, BinaryOp& op) {
  for (int i = 0; i < static_cast<int>(BinaryOp::Comma); ++i) {
    if (text != kBinaryOperators[i].text) continue;
    op = static_cast<BinaryOp>(i);
    return true;
  }
  return false;
}

// The result of an operator on two 64-bit integers that have both been evaluated. `value` wraps around where
// the result does not fit, a shift's amount is taken modulo 64, and a quotient by zero is 0.
struct IntegerValue {
  enum class Fault { None, Overflow, ZeroDivisor, ShiftAmount };
  std::int64_t value = 0;
  Fault fault = Fault::None;
};
IntegerValue apply(BinaryOp op, std::int64_t x, std::int64_t y);

}  // namespace warplens::cuda
