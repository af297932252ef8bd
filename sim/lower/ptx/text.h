// The text of inline PTX: what asm() holds, as instructions. Nothing is known here of what they do.
//
//   { .reg .pred p; setp.ne.b32 p, %1, 0; @p ld.global.v2.f32 {%2, %3}, [%4 + 16]; }
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/message.h"

namespace warplens::sim::lower::ptx {

struct Operand {
  enum class Kind : std::uint8_t { Name, Number, Address, Vector };
  Kind kind = Kind::Name;
  std::string name = {};                      // "%0", "p", "%laneid"; of an Address the base, or empty
  std::int64_t number = 0;                    // Number: its bits; of an Address or a variable what is added
  bool is_single = false, is_double = false;  // Number: bits of a float, 0f3F800000, or a double
  bool negated = false;                       // Name: of !p
  std::vector<Operand> parts = {};            // Vector; of an Address a register that is added
  std::string second = {};                    // of a|b, the b
  std::vector<Operand> coordinates = {};      // of an Address of a tensor map: [%0, {%1, %2}]
};

struct Instruction {
  std::string text;                // "ld.global.v2.f32"
  std::vector<std::string> parts;  // "ld", "global", "v2", "f32"
  std::string predicate;           // of @p; empty: none
  bool negated = false;            // @!p
  std::vector<Operand> operands;
  std::string label = {};  // a place to jump to, and no instruction

  const std::string& name() const { return parts.front(); }
  bool has(std::string_view part) const;
  const std::string& last() const { return parts.back(); }
};

struct Text {
  std::vector<Instruction> instructions;  // declarations of registers are left out: names need none
  Message error;                          // empty: none
};

Text parse(std::string_view text);
std::vector<std::string> parts_of(std::string_view text);  // "ld.global": "ld", "global"

// Whether the instruction's first operand is what it gives: not of stores, jumps, barriers.
bool gives_first(const Instruction& instruction);

// Calls visit(name) for each name in an operand, where it may be changed.
template <class Visit>
void each_name(Operand& operand, Visit visit) {
  visit(operand.name);
  visit(operand.second);
  for (std::vector<Operand>* parts : {&operand.parts, &operand.coordinates})
    for (Operand& part : *parts) visit(part.name), visit(part.second);
}

// Calls visit(name, is_written) for every register, variable and label that the instruction names: first what
// it reads, then what it writes.
template <class Visit>
void each_register(const Instruction& i, Visit visit) {
  const auto one = [&](const Operand& operand) {
    if (!operand.name.empty() && operand.name != "_") visit(operand.name, false);
  };
  const auto read = [&](const Operand& operand) {
    one(operand);
    for (const Operand& part : operand.parts) one(part);
    for (const Operand& part : operand.coordinates) one(part);
  };
  const bool gives = gives_first(i);
  if (!i.predicate.empty()) visit(i.predicate, false);
  for (std::size_t k = gives && !i.has("mma_async") ? 1 : 0; k < i.operands.size(); ++k) read(i.operands[k]);
  if (!gives) return;
  const Operand& to = i.operands[0];
  if (!to.name.empty() && to.name != "_") visit(to.name, true);
  if (!to.second.empty() && to.second != "_") visit(to.second, true);
  for (const Operand& part : to.parts)
    if (part.name != "_") visit(part.name, true);
}

// What reads PTX: words, numbers, operands and instructions. Inline PTX is a list of them, a module has
// directives around them.
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
  [[noreturn]] static void fail(const Message& message) { throw message; }  // it is wrong here
  std::string name();         // of a register, a label, a variable
  std::string_view dotted();  // "ld.global.v2.f32", "$L__BB0_3:"
  Operand number();           // of any notation, as its bits
  Operand operand();          // a register, a number, an address, a vector
  Instruction instruction();  // up to its semicolon; or a label
  void skip_to(char c);       // behind the next one

  std::string_view text_;
  std::size_t at_;

 private:
  void statement(Text& read);
  Operand list(char end);  // behind its opening brace
  Operand plain();
  Operand address();
};

}  // namespace warplens::sim::lower::ptx
