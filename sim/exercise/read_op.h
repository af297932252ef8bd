// The kind of an access, as exercises and claim sheets name it.
#pragma once

#include <optional>
#include <string>

#include "sim/memory/access.h"
#include "sim/report/report.h"
#include "sim/scenario/json_document.h"

namespace warplens::exercise {

// "op" of an object: load, store, atomic, reduction or async; empty where it is left out. An unknown one is
// an error of the document.
inline std::optional<memory::Op> read_op(const scenario::JsonValue& object) {
  const std::string name = object.optional_text("op");
  if (name.empty()) return std::nullopt;
  for (const memory::Op op : memory::kAllOps)
    if (name == report::name_of(op)) return op;
  object.error("op", Message("is \"{}\"; load, store, atomic, reduction or async is possible", name));
  return std::nullopt;
}

}  // namespace warplens::exercise
