// What variables of host code hold, as far as its text says it: numbers with the formulas they came from,
// pointers into allocations, and what is not known.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/cuda/text/operators.h"
#include "sim/scalar/types.h"

namespace warplens::cuda {
struct Expr;
}

namespace warplens::app::host {

// `const float*` is "float" with one pointer: qualifiers and references are no part of it.
struct Type {
  std::string name;  // "float", "dim3", "vector"
  std::vector<const Type*> arguments;
  int pointers = 0;
  std::string text;                       // "vector<int>*"
  std::optional<sim::ScalarType> scalar;  // of a number
  const Type* pointee = nullptr;          // of a pointer
  mutable const Type* pointer = nullptr;  // to it, once it was asked for
};

inline bool is_number(const Type* type) {
  return type != nullptr && type->scalar.has_value();
}
inline bool is_real(const Type* type) {
  return is_number(type) && sim::is_floating(*type->scalar);
}
inline bool is_integer(const Type* type) {
  return is_number(type) && !is_real(type);
}

// Each type once, so that equal ones have one address.
class Types {
 public:
  const Type* of(const std::string& name, std::vector<const Type*> arguments = {}, int pointers = 0);
  const Type* of(sim::ScalarType scalar);
  const Type* pointer_to(const Type* type);

 private:
  std::map<std::string, std::unique_ptr<Type>, std::less<>> types_;
  std::array<const Type*, std::size(sim::kScalarTraits)> scalars_{};
};

// A variable, an array, or an element of one.
struct Place {
  static constexpr std::int64_t kWhole = -1, kSomewhere = -2;  // wherever in it
  static constexpr std::int64_t kWithin = -3;                  // in what may be anywhere in it
  int object = -1;
  std::int64_t index = kWhole;  // of an array's element
  bool is_valid() const { return object >= 0; }
};

struct Value {
  // Object: a struct, a container or an array itself. Function: a kernel, a function or a lambda.
  enum class Kind : std::uint8_t { Unknown, Integer, Floating, Pointer, Null, Object, Function };
  Kind kind = Kind::Unknown;
  bool has_offset = true;      // of a pointer: the offset is known
  const Type* type = nullptr;  // null: not known
  std::int64_t integer = 0;    // of a pointer its offset in bytes
  double floating = 0;
  int object = -1;  // what a pointer points into; of a function its number
  // Of a number, known or not: where it came from.
  std::shared_ptr<const struct Formula> formula = {};
  std::int64_t least = 0, most = -1;  // of one that is not known, but drawn by rand(): between which two
  // Of what an expression has come to: the variable that it is, and the expression, which a list in braces is
  // until it gets to something with a type. Nothing keeps them.
  Place place = {};
  const cuda::Expr* from = nullptr;

  bool is_drawn() const { return kind == Kind::Unknown && least <= most; }

  bool is_same(const Value& other) const {
    return kind == other.kind && integer == other.integer && floating == other.floating &&
           object == other.object;
  }
  bool is_number() const { return kind == Kind::Integer || kind == Kind::Floating; }
  double real() const { return kind == Kind::Floating ? floating : static_cast<double>(integer); }
};

// How a number came about: from numbers by an operator or a function, or it is a variable. So the grid of a
// launch can be told in terms of the arguments which the kernel is given.
struct Formula {
  static constexpr int kCall = 20;  // binds tighter than any operator
  std::string op = {};              // "+", "ceil", "(int)", "?" of three; empty: a variable
  int level = 0;                    // how tightly it binds
  std::vector<Value> operands = {};
  int size = 1;                      // in numbers and variables
  mutable std::string assumed = {};  // what a variable is on the way that is gone: of `case 128:` the 128
  using Of = std::shared_ptr<const Formula>;
  // Null where an operand is not known, or none has a formula: the number alone says it.
  static Of made(std::string op, int level, std::vector<Value> operands);
  static Of made(cuda::BinaryOp op, const Value& left, const Value& right);
};
using Names = std::map<const Formula*, std::string>;
// A number in terms of those with names, or, where none is in it, itself; empty: it is not known.
std::string text_of(const Value& value, const Names& names);

std::string number_text(const Value& value);  // "1024", "0.5"

// As C++ does it with numbers that are known; Unknown where one is not, or the result is none. With the type
// of the result, and no formula.
Value apply(cuda::BinaryOp op, const Value& left, const Value& right, Types& types);
Value converted(const Value& number, sim::ScalarType to, Types& types);
std::int64_t wrapped(std::int64_t value, sim::ScalarType to);  // of an integer

}  // namespace warplens::app::host
