#include "tests/differential/random_kernel.h"

namespace warplens::differential {

namespace {

using sim::Buffer;
using sim::Fill;

std::string three(sim::Dim3 d) {
  return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z);
}

std::string describe(const sim::Argument& argument) {
  if (const auto* number = std::get_if<std::int64_t>(&argument)) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&argument)) return std::to_string(*number);
  const Buffer& buffer = std::get<Buffer>(argument);
  static constexpr const char* kFills[] = {"zero", "iota", "random"};
  const std::string elements = buffer.elements != 0 ? "@" + std::to_string(buffer.elements) : "@";
  return elements + ":" + kFills[static_cast<int>(buffer.fill)];
}

}  // namespace

Features RandomKernel::features() const {
  Features f = file.features;
  if (launch.block.y > 1) f |= set_of({Feature::Block2D});
  if (launch.block.z > 1) f |= set_of({Feature::Block3D});
  if (launch.grid.y > 1) f |= set_of({Feature::Grid2D});
  if (launch.grid.z > 1) f |= set_of({Feature::Grid3D});
  if (launch.block.count() % 32 != 0) f |= set_of({Feature::PartialWarp});
  for (const auto& [name, argument] : launch.arguments) {
    if (const auto* number = std::get_if<std::int64_t>(&argument)) {
      if (*number < 0) f |= set_of({Feature::NegativeScalar});
    } else if (const auto* buffer = std::get_if<Buffer>(&argument)) {
      if (buffer->elements != 0) f |= set_of({Feature::BufferEnd});
      if (buffer->fill == Fill::Iota) f |= set_of({Feature::FillIota});
      if (buffer->fill == Fill::Random) f |= set_of({Feature::FillRandom});
    }
  }
  return f;
}

std::string describe(const sim::Launch& launch) {
  std::string text = "grid " + three(launch.grid) + ", block " + three(launch.block);
  if (launch.shared_bytes != 0) text += ", shared " + std::to_string(launch.shared_bytes);
  for (const auto& [name, argument] : launch.arguments) text += ", " + name + " = " + describe(argument);
  return text;
}

}  // namespace warplens::differential
