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

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Text read() {
    while (error_.empty() && skip_space()) statement();
    if (!error_.empty()) read_.error = error_;
    return std::move(read_);
  }

 private:
  // False at the end.
  bool skip_space() {
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
  bool at(char c) { return skip_space() && text_[at_] == c; }
  bool accept(char c) {
    if (!at(c)) return false;
    ++at_;
    return true;
  }
  void fail(Message message) {
    if (error_.empty()) error_ = std::move(message);
  }
  void expect(char c) {
    if (!accept(c)) fail(Message("the PTX text is not understood: '{}' was expected", c));
  }

  void statement() {
    if (accept('{') || accept('}') || accept(';')) return;
    if (at('.')) {  // .reg, .pragma
      at_ = text_.find(';', at_);
      if (at_ == std::string_view::npos) at_ = text_.size();
      return;
    }
    Instruction instruction;
    if (accept('@')) {
      instruction.negated = accept('!');
      instruction.predicate = name();
    }
    skip_space();
    const std::size_t first = at_;
    while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.' || text_[at_] == ':')) ++at_;
    instruction.text = std::string(text_.substr(first, at_ - first));
    if (instruction.text.empty())
      return fail(Message("the PTX text is not understood: an instruction was expected"));
    if (instruction.text.ends_with(':')) {
      instruction.label = instruction.text.substr(0, instruction.text.size() - 1);
      instruction.parts = {instruction.text};
      read_.instructions.push_back(std::move(instruction));
      return;
    }
    split(instruction);
    if (!at(';') && at_ < text_.size()) operands(instruction.operands);
    if (at_ < text_.size()) expect(';');
    if (error_.empty()) read_.instructions.push_back(std::move(instruction));
  }

  static void split(Instruction& instruction) {
    std::string_view rest = instruction.text;
    while (true) {
      const std::size_t dot = rest.find('.');
      instruction.parts.emplace_back(rest.substr(0, dot));
      if (dot == std::string_view::npos) return;
      rest.remove_prefix(dot + 1);
    }
  }

  void operands(std::vector<Operand>& list) {
    do list.push_back(operand());
    while (error_.empty() && accept(','));
  }

  Operand operand() {
    Operand one;
    if (accept('{')) {
      one.kind = Operand::Kind::Vector;
      while (error_.empty() && !accept('}')) {
        if (accept('{') || at('[')) {
          fail(Message("the PTX text is not understood: a vector holds registers"));
          break;
        }
        one.parts.push_back(operand());
        accept(',');
      }
      return one;
    }
    if (accept('[')) {
      one = address();
      expect(']');
      return one;
    }
    skip_space();
    const bool numeric = at_ < text_.size() && (text::is_digit(text_[at_]) || text_[at_] == '-');
    if (numeric) return number();
    accept('!');
    one.name = name();
    if (accept('|')) one.second = name();
    return one;
  }

  Operand address() {
    Operand one;
    skip_space();
    if (at_ < text_.size() && (text::is_digit(text_[at_]) || text_[at_] == '-')) {
      one = number();
    } else {
      one.name = name();
      if (accept('+'))
        one.number = at('%') ? added(one) : number().number;
      else if (at('-'))
        one.number = number().number;
    }
    one.kind = Operand::Kind::Address;
    if (accept(',')) {
      if (!at('{')) fail(Message("the PTX text is not understood: a vector holds registers"));
      if (error_.empty()) one.coordinates = operand().parts;
    }
    return one;
  }

  // [%0 + %1], where the second is a constant.
  std::int64_t added(Operand& to) {
    Operand more;
    more.name = name();
    to.parts.push_back(std::move(more));
    return 0;
  }

  // "%%laneid" and "%laneid" are one; "%0" is an operand of asm.
  std::string name() {
    skip_space();
    const std::size_t first = at_;
    while (at_ < text_.size() && text_[at_] == '%') ++at_;
    const std::size_t word = at_;
    const bool is_special = word > first && at_ < text_.size() && !text::is_digit(text_[at_]);
    while (at_ < text_.size() && (is_word(text_[at_]) || (is_special && text_[at_] == '.'))) ++at_;
    if (at_ == word) {
      fail(Message("the PTX text is not understood: a register was expected"));
      return {};
    }
    return (word > first ? "%" : "") + std::string(text_.substr(word, at_ - word));
  }

  Operand number() {
    Operand one;
    one.kind = Operand::Kind::Number;
    const bool negative = accept('-');
    const std::size_t first = at_;
    while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.')) ++at_;
    std::string_view digits = text_.substr(first, at_ - first);
    int base = 10;
    const auto prefixed = [&](std::string_view small, std::string_view large) {
      if (!digits.starts_with(small) && !digits.starts_with(large)) return false;
      digits.remove_prefix(2);
      base = 16;
      return true;
    };
    if (digits.size() == 10 && prefixed("0f", "0F"))
      one.is_single = true;
    else if (digits.size() == 18 && prefixed("0d", "0D"))
      one.is_double = true;
    else
      (void)prefixed("0x", "0X");
    if (base == 10 && digits.find('.') != std::string_view::npos) {
      if (const auto value = number_in<double>(digits)) {
        one.is_double = true;
        one.number = std::bit_cast<std::int64_t>(negative ? -*value : *value);
        return one;
      }
    }
    if (digits.ends_with('U')) digits.remove_suffix(1);
    const auto bits = number_in<std::uint64_t>(digits, base);
    if (!bits) fail(Message("the PTX text is not understood: '{}' is no number", digits));
    const std::uint64_t number = bits.value_or(0);
    one.number = static_cast<std::int64_t>(negative ? 0 - number : number);
    return one;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Text read_;
  Message error_;
};

}  // namespace

bool Instruction::has(std::string_view part) const {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

Text parse(std::string_view text) {
  return Reader(text).read();
}

}  // namespace warplens::sim::lower::ptx
