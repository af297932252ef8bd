// The integer constant expressions of #if and #elif.
#include <string>

#include "sim/cuda/preprocess/preprocessor.h"
#include "sim/cuda/text/literals.h"
#include "sim/cuda/text/operators.h"

namespace warplens::cuda {

namespace {

constexpr int kNestingLimit = 200;

// Wraps around as two's complement, where C++ leaves it open.
long long wrapped(unsigned long long value) {
  return static_cast<long long>(value);
}

class ConditionParser {
 public:
  ConditionParser(const std::vector<Token>& tokens, DiagnosticSink& sink) : tokens_(tokens), sink_(sink) {}

  std::optional<long long> parse() {
    long long value = ternary(true);
    if (!failed_ && peek().kind != TokenKind::End) fail(Message("'{}' is not expected here", peek().text));
    if (failed_) return std::nullopt;
    return value;
  }

 private:
  const Token& peek() const { return tokens_[next_]; }
  bool accept(std::string_view text) {
    if (failed_ || !peek().is(text)) return false;
    ++next_;
    return true;
  }
  void fail(const Message& what) {
    if (!failed_) sink_.error(peek().begin, peek().end, Message("in this condition, {}", what));
    failed_ = true;
  }

  // `live` is false in what && || and ?: do not evaluate: there a division by zero is no mistake.
  long long ternary(bool live) {
    if (++depth_ > kNestingLimit) fail(Message("parentheses are nested too deeply"));
    long long value = binary(1, live);
    if (!failed_ && accept("?")) {
      long long yes = ternary(live && value != 0);
      if (!accept(":")) fail(Message("':' is missing"));
      long long no = failed_ ? 0 : ternary(live && value == 0);
      value = value != 0 ? yes : no;
    }
    --depth_;
    return value;
  }

  long long binary(int lowest, bool live) {
    long long left = unary(live);
    while (!failed_ && peek().kind == TokenKind::Punct) {
      BinaryOp op = BinaryOp::Comma;
      if (!find_binary(peek().text, op) || level_of(op) < lowest) break;
      ++next_;
      bool right_live = live && !(op == BinaryOp::And && left == 0) && !(op == BinaryOp::Or && left != 0);
      const IntegerValue result = apply(op, left, binary(level_of(op) + 1, right_live));
      if (result.fault == IntegerValue::Fault::ZeroDivisor && right_live) fail(Message("a division by zero"));
      left = result.value;
    }
    return left;
  }

  long long unary(bool live) {
    if (++depth_ > kNestingLimit) fail(Message("operators are nested too deeply"));
    long long value = 0;
    if (failed_) {
    } else if (accept("!")) {
      value = unary(live) == 0;
    } else if (accept("-")) {
      value = wrapped(0 - static_cast<unsigned long long>(unary(live)));
    } else if (accept("+")) {
      value = unary(live);
    } else if (accept("~")) {
      value = ~unary(live);
    } else {
      value = primary(live);
    }
    --depth_;
    return value;
  }

  long long primary(bool live) {
    if (accept("(")) {
      long long value = ternary(live);
      if (!failed_ && !accept(")")) fail(Message("')' is missing"));
      return value;
    }
    Token token = peek();
    if (token.kind == TokenKind::Identifier) {  // a name that is no macro is 0
      ++next_;
      return token.text == "true";
    }
    if (token.kind == TokenKind::Char) {
      auto value = parse_char(token.text);
      if (auto* error = std::get_if<Message>(&value)) fail(*error);
      ++next_;
      return failed_ ? 0 : wrapped(std::get<std::uint64_t>(value));
    }
    if (token.kind == TokenKind::Number) {
      NumberResult number = parse_number(token.text);
      if (auto* error = std::get_if<Message>(&number)) fail(*error);
      if (std::holds_alternative<FloatLiteral>(number)) fail(Message("only integers can stand"));
      ++next_;
      return failed_ ? 0 : wrapped(std::get<IntegerLiteral>(number).value);
    }
    fail(Message("a value is missing"));
    return 0;
  }

  const std::vector<Token>& tokens_;
  DiagnosticSink& sink_;
  std::size_t next_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<long long> evaluate_condition(const std::vector<Token>& tokens, DiagnosticSink& sink) {
  return ConditionParser(tokens, sink).parse();
}

}  // namespace warplens::cuda
