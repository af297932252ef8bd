#include "sim/lower/ptx/text.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "sim/base/numbers.h"
#include "sim/text/scan.h"

namespace warplens::sim::lower::ptx {

namespace {

// Of PTX: a $ too.
bool is_word(char c) {
  return text::is_word(c) || c == '$';
}

}  // namespace

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t dot = text.find('.');
    parts.emplace_back(text.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    text.remove_prefix(dot + 1);
  }
}

Text Reader::read() {
  Text text;
  try {
    while (skip_space()) statement(text);
  } catch (const Message& error) {
    text.error = error;
  }
  return text;
}

bool Reader::skip_space() {
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_);
    if (text::is_space(rest[0]))
      ++at_;
    else if (rest.starts_with("//"))
      at_ = std::min(text_.find('\n', at_), text_.size());
    else if (rest.starts_with("/*"))
      at_ = text_.find("*/", at_) == std::string_view::npos ? text_.size() : text_.find("*/", at_) + 2;
    else
      return true;
  }
  return false;
}

void Reader::skip_to(char c) {
  const std::size_t found = text_.find(c, at_);
  at_ = found == std::string_view::npos ? text_.size() : found + 1;
}

void Reader::expect(char c) {
  if (!accept(c)) fail(Message("the PTX text is not understood: '{}' was expected", c));
}

void Reader::statement(Text& read) {
  if (accept('{') || accept('}') || accept(';')) return;
  if (at('.')) return skip_to(';');  // .reg, .pragma
  read.instructions.push_back(instruction());
}

std::string_view Reader::dotted() {
  skip_space();
  const std::size_t first = at_;
  while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.' || text_[at_] == ':')) {
    if (text_[at_++] != ':') continue;
    if (at_ == text_.size() || text_[at_] != ':')
      break;  // of a label, which an instruction may follow at once
    ++at_;    // shared::cta
  }
  return text_.substr(first, at_ - first);
}

Instruction Reader::instruction() {
  Instruction one;
  if (accept('@')) {
    one.negated = accept('!');
    one.predicate = name();
  }
  one.text = std::string(dotted());
  if (one.text.empty()) fail(Message("the PTX text is not understood: an instruction was expected"));
  if (one.text.ends_with(':') || accept(':')) {
    one.label = one.text.substr(0, one.text.find(':'));
    one.parts = {one.label + ":"};
    return one;
  }
  one.parts = parts_of(one.text);
  if (!at(';') && at_ < text_.size()) {
    do one.operands.push_back(operand());
    while (accept(','));
  }
  if (at_ < text_.size()) expect(';');
  return one;
}

Operand Reader::list(char end) {
  Operand one;
  one.kind = Operand::Kind::Vector;
  while (!accept(end)) {
    if (at('{') || at('[') || at('('))
      fail(Message("the PTX text is not understood: a vector holds registers"));
    one.parts.push_back(plain());
    accept(',');
  }
  return one;
}

Operand Reader::operand() {
  if (accept('{')) return list('}');
  if (accept('(')) return list(')');  // what a call is given
  if (!accept('[')) return plain();
  Operand one = address();
  expect(']');
  return one;
}

// A register or a number.
Operand Reader::plain() {
  Operand one;
  skip_space();
  const bool numeric = at_ < text_.size() && (text::is_digit(text_[at_]) || text_[at_] == '-');
  if (numeric) return number();
  one.negated = accept('!');
  one.name = name();
  if (one.name == "WARP_SZ") return {.kind = Operand::Kind::Number, .number = 32};
  if (accept('|')) one.second = name();
  if (accept('+')) one.number = number().number;  // an address of a variable
  return one;
}

Operand Reader::address() {
  Operand one;
  skip_space();
  if (at_ < text_.size() && (text::is_digit(text_[at_]) || text_[at_] == '-')) {
    one = number();
  } else {
    one.name = name();
    const bool adds = accept('+');
    if (adds && at('%'))  // [%0 + %1], where the second is a constant
      one.parts.push_back({.name = name()});
    else if (adds || at('-'))
      one.number = number().number;
  }
  one.kind = Operand::Kind::Address;
  if (accept(',')) {
    expect('{');
    one.coordinates = list('}').parts;
  }
  return one;
}

// "%%laneid" and "%laneid" are one; "%0" is an operand of asm.
std::string Reader::name() {
  skip_space();
  const std::size_t first = at_;
  while (at_ < text_.size() && text_[at_] == '%') ++at_;
  const std::size_t word = at_;
  const bool is_special = word > first && at_ < text_.size() && !text::is_digit(text_[at_]);
  while (at_ < text_.size() && (is_word(text_[at_]) || (is_special && text_[at_] == '.'))) ++at_;
  if (at_ == word) fail(Message("the PTX text is not understood: a register was expected"));
  return (word > first ? "%" : "") + std::string(text_.substr(word, at_ - word));
}

Operand Reader::number() {
  Operand one;
  one.kind = Operand::Kind::Number;
  const bool negative = accept('-');
  const std::size_t first = at_;
  const bool is_decimal = text_.substr(first, 2).find_first_of("xXfFdD") == std::string_view::npos;
  const auto is_sign_of_exponent = [&] {
    return is_decimal && at_ > first && (text_[at_] == '-' || text_[at_] == '+') &&
           (text_[at_ - 1] | ' ') == 'e';
  };
  while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.' || is_sign_of_exponent())) ++at_;
  std::string_view digits = text_.substr(first, at_ - first);
  int base = 10;
  const auto prefixed = [&](std::string_view small, std::string_view large, int then = 16) {
    if (!digits.starts_with(small) && !digits.starts_with(large)) return false;
    digits.remove_prefix(2);
    base = then;
    return true;
  };
  if (digits.size() == 10 && prefixed("0f", "0F"))
    one.is_single = true;
  else if (digits.size() == 18 && prefixed("0d", "0D"))
    one.is_double = true;
  else if (!prefixed("0x", "0X"))
    (void)prefixed("0b", "0B", 2);
  if (base == 10 && digits.find_first_of(".eE") != std::string_view::npos) {
    if (const auto value = number_in<double>(digits)) {
      one.is_double = true;
      one.number = std::bit_cast<std::int64_t>(negative ? -*value : *value);
      return one;
    }
  }
  if (digits.ends_with('U')) digits.remove_suffix(1);
  if (base == 10 && digits.size() > 1 && digits[0] == '0') base = 8;
  const auto bits = number_in<std::uint64_t>(digits, base);
  if (!bits) fail(Message("the PTX text is not understood: '{}' is not a number", digits));
  one.number = static_cast<std::int64_t>(negative ? 0 - *bits : *bits);
  return one;
}

bool Instruction::has(std::string_view part) const {
  return std::ranges::find(parts, part) != parts.end();
}

bool gives_first(const Instruction& i) {
  if (i.operands.empty() || i.operands[0].kind == Operand::Kind::Address ||
      i.operands[0].kind == Operand::Kind::Number)
    return false;
  constexpr std::string_view kOthers[] = {"bra", "brx", "bar", "barrier", "nanosleep", "setmaxnreg", "call"};
  const bool is_other = std::ranges::find(kOthers, i.name()) != std::end(kOthers);
  return !is_other || (i.name().starts_with("bar") && i.has("red"));
}

Text parse(std::string_view text) {
  return Reader(text).read();
}

}  // namespace warplens::sim::lower::ptx
