#include <algorithm>

#include "sim/program/access.h"

namespace warplens::sim {

namespace {

bool is_open(const SharedArray& array) {
  return !array.extents.empty() && array.extents[0] == 0;
}

bool holds(const SharedArray& array, std::uint64_t offset) {
  const auto begin = static_cast<std::uint64_t>(array.offset);
  return offset >= begin && (is_open(array) || offset - begin < static_cast<std::uint64_t>(array.bytes));
}

}  // namespace

const SharedArray* shared_array_at(const Program& program, std::uint64_t offset, const std::string& name) {
  const SharedArray* found = nullptr;
  for (const SharedArray& array : program.shared_arrays) {
    if (!holds(array, offset)) continue;
    if (!name.empty() && array.name == name) return &array;
    if (found == nullptr) found = &array;
  }
  return found;
}

const SharedArray* local_array_at(const Program& program, std::uint64_t offset) {
  const SharedArray* found = nullptr;
  for (const SharedArray& array : program.local_arrays) {
    if (!holds(array, offset)) continue;
    if (found != nullptr) return nullptr;  // two that are never alive together
    found = &array;
  }
  return found;
}

Message verb_of(Opcode opcode) {
  return opcode == Opcode::Load    ? Message("load")
         : opcode == Opcode::Store ? Message("store")
                                   : Message("atomic");
}

Message element_name(const SharedArray& array, std::int64_t offset) {
  const std::int64_t bytes = std::max(1, array.element_bytes);
  std::int64_t element = offset / bytes, rest = offset % bytes;
  if (rest < 0) {
    rest += bytes;
    --element;
  }
  std::string indices;
  for (std::size_t i = array.extents.size(); i > 0; --i) {
    const std::int64_t extent = i > 1 ? std::max<std::int64_t>(1, array.extents[i - 1]) : 0;
    const std::int64_t index = extent == 0 ? element : ((element % extent) + extent) % extent;
    if (extent != 0) element = (element - index) / extent;
    indices.insert(0, "[" + std::to_string(index) + "]");
  }
  if (array.extents.empty()) rest = offset;
  const std::string name = array.name + indices;
  return rest == 0 ? Message::verbatim(name) : Message("{} + {} bytes", name, rest);
}

std::string declaration_of(const SharedArray& array) {
  std::string text = array.element_text + " " + array.name;
  for (const std::int64_t extent : array.extents)
    text += extent == 0 ? std::string("[]") : "[" + std::to_string(extent) + "]";
  return text;
}

}  // namespace warplens::sim
