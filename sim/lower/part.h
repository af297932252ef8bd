// What the parts of the lowering have in common: each is a family of rules that changes by itself, with its
// own state, and reaches the others through the whole. And a function being lowered, with what it is called
// with.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/within.h"
#include "sim/lower/ir/builder.h"
#include "sim/lower/names.h"
#include "sim/lower/types.h"

namespace warplens::sim::lower {

// Thrown where something was complained about: a statement ends there, and the next one is looked at.
struct Complained {};
// Whether `work` comes to its end.
template <class Work>
bool tried(Work work) {
  try {
    work();
  } catch (const Complained&) {
    return false;
  }
  return true;
}

// What lowering an expression gives, and what names stand for.
struct Result {
  enum class Kind {
    Error,  // of a name whose declaration was complained about
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

// Where `break` and `continue` go; whether some lane may go there.
struct JumpTarget {
  int break_region = -1;
  int continue_region = -1;  // -1: a switch
  bool breaks = false, continues = false;
};

// A function being lowered: the kernel, or a device function inlined into it.
struct Frame {
  const cuda::Function* function = nullptr;  // null for namespace-scope constants
  std::string key;                           // name and template arguments: the same one again is recursion
  const NameUse* names = nullptr;
  std::vector<Scope> scopes;  // [0]: template parameters
  std::vector<JumpTarget> targets;
  TypeRef result_type = nullptr;  // null: auto, not known yet
  int region = 0;                 // left by `return`
  List* body = nullptr;           // the function's own list: a return there needs no jump
  bool has_exits = false;
  bool returns_values = false;          // although its result is a reference: to something const
  bool dead = false;                    // the call itself never runs
  const Record* record = nullptr;       // of a member function, or the struct whose fields are laid out
  std::optional<Result> self;           // *this
  Result result;                        // of a return in `body`
  std::vector<Value> result_variables;  // of the others
};

// While it lives, names stand for what a scope says, and those of members for a struct's.
class FrameOf {
 public:
  FrameOf(std::vector<std::unique_ptr<Frame>>& frames, Scope scope, const Record* record = nullptr)
      : frames_(frames) {
    Frame& own = *frames_.emplace_back(std::make_unique<Frame>());
    own.scopes.push_back(std::move(scope));
    own.record = record;
  }
  FrameOf(const FrameOf&) = delete;
  ~FrameOf() { frames_.pop_back(); }

 private:
  std::vector<std::unique_ptr<Frame>>& frames_;
};

struct Argument {
  const cuda::Expr* expr = nullptr;  // may be null for one made up
  Result result;                     // not loaded yet
  bool is_list() const { return expr && std::holds_alternative<cuda::InitListExpr>(expr->node); }
};

class Lowering;

class LoweringPart {
 public:
  explicit LoweringPart(Lowering& lowering);
  LoweringPart(const LoweringPart&) = delete;
  LoweringPart& operator=(const LoweringPart&) = delete;

 protected:
  using Kind = Result::Kind;

  void error(const cuda::SourceRange& range, Message message, Message remedy = {});
  void warning(const cuda::SourceRange& range, Message message, Message remedy = {});
  [[noreturn]] Result fail(const cuda::SourceRange& range, Message message, Message remedy = {});
  [[noreturn]] void stop();  // it has been complained about
  Result bad() const { return {Kind::Error, types.error(), {}, {}}; }
  Result void_result() const { return {Kind::Void, types.void_type(), {}, {}}; }
  Result value(TypeRef type, Value v) const { return {Kind::Rvalue, type, {v}, {}}; }
  Result value(ScalarType type, Value v) const { return value(types.scalar(type), v); }

  Frame& frame() { return *frames_.back(); }

  Lowering& l_;
  Builder& b;
  TypeTable& types;
  std::vector<std::unique_ptr<Frame>>& frames_;
  std::vector<cuda::Diagnostic>& diagnostics;
};

}  // namespace warplens::sim::lower
