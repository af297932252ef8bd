// What the parts of the lowering have in common: each is a family of rules that changes by itself, with its
// own state, and reaches the others through the whole.
#pragma once

#include "sim/lower/frame.h"

namespace warplens::sim::lower {

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
  Result fail(const cuda::SourceRange& range, Message message, Message remedy = {});
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
