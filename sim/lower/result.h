// What lowering an expression gives, and what names stand for.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/lower/ir/builder.h"
#include "sim/lower/types.h"

namespace warplens::sim::lower {

struct Result {
  enum class Kind {
    Error,  // already complained about
    Void,
    Rvalue,    // `parts`, one a leaf of the type; a pointer may be an `address` instead
    Variable,  // an lvalue in registers: `parts`
    Memory,    // an lvalue at `address`; just assigned: `parts` are its value
  };
  Kind kind = Kind::Error;
  TypeRef type = nullptr;
  std::vector<Value> parts;
  Address address;

  bool is_error() const { return kind == Kind::Error; }
  bool is_lvalue() const { return kind == Kind::Variable || kind == Kind::Memory; }
  Value value() const { return parts.empty() ? kNone : parts[0]; }
};

struct Symbol {
  enum class Kind { Object, Type };
  Kind kind = Kind::Object;
  Result object;           // Object
  TypeRef type = nullptr;  // Type; of an Object only while its initial value is lowered
  cuda::SourceRange range;
  const cuda::Expr* given = nullptr;  // of a parameter in a library's text: the argument
};

using Scope = std::map<std::string, Symbol, std::less<>>;

}  // namespace warplens::sim::lower
