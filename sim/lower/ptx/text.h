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
  std::string name;                           // "%0", "p", "%laneid"; of an Address the base, or empty
  std::int64_t number = 0;                    // Number: its bits; of an Address what is added
  bool is_single = false, is_double = false;  // Number: bits of a float, 0f3F800000, or a double
  std::vector<Operand> parts;                 // Vector; of an Address a register that is added
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

}  // namespace warplens::sim::lower::ptx
