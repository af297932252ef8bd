// What reads PTX: words, numbers, operands and instructions. Inline PTX is a list of them, a module has
// directives around them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lower/ptx/text.h"

namespace warplens::sim::lower::ptx {

class Reader {
 public:
  explicit Reader(std::string_view text)
      : text_(text), at_(text.starts_with("\xef\xbb\xbf") ? 3 : 0) {}  // behind a byte order mark

  Text read();  // all instructions of inline PTX

 protected:
  bool skip_space();  // and comments; false at the end
  bool at(char c) { return skip_space() && text_[at_] == c; }
  bool accept(char c) {
    if (!at(c)) return false;
    ++at_;
    return true;
  }
  void expect(char c);
  void fail(Message message);  // the first one stays, with its place
  std::string name();          // of a register, a label, a variable
  std::string_view dotted();   // "ld.global.v2.f32", "$L__BB0_3:"
  Operand number();            // of any notation, as its bits
  Operand operand();           // a register, a number, an address, a vector
  Instruction instruction();   // up to its semicolon; or a label
  void skip_to(char c);        // behind the next one

  std::string_view text_;
  std::size_t at_;
  Message error_;
  std::size_t error_at_ = 0;

 private:
  void statement(Text& read);
  Operand list(char end);  // behind its opening brace
  Operand plain();
  Operand address();
};

}  // namespace warplens::sim::lower::ptx
