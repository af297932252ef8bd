#include "sim/launch/tensor_map.h"

#include <algorithm>
#include <string>

namespace warplens::sim {

namespace {

constexpr std::int64_t kUnit = 16, kMostBox = 256, kSwizzles[] = {0, 32, 64, 128};
constexpr std::array<const char*, 3> kSides{"width", "height", "depth"};

std::int64_t number(const Program& program, const Launch& launch, const std::string& name) {
  const Argument* given = launch.argument(name);
  if (const auto* integer = std::get_if<std::int64_t>(given)) return *integer;
  if (const auto* floating = std::get_if<double>(given)) return static_cast<std::int64_t>(*floating);
  const auto known = std::ranges::find(program.parameters, name, &KernelParameter::name);
  return known == program.parameters.end() ? 0 : known->fallback.value_or(0);
}

class MapCheck {
 public:
  MapCheck(const Program& program, const Launch& launch, const TensorMapUse& use,
           std::vector<Message>& messages)
      : launch_(launch),
        use_(use),
        shape_(shape_of(program, launch, use)),
        name_(program.parameters[use.parameter].name),
        messages_(messages) {}

  void run() {
    const auto rank = static_cast<std::size_t>(use_.dimensions);
    for (std::size_t d = 0; d < rank; ++d) {
      at_least(std::string(".") + kSides[d], shape_.size[d], 1);
      const std::string side = std::string(".box_") + kSides[d];
      at_least(side, shape_.box[d], 1);
      if (shape_.box[d] > kMostBox)
        complain(Message("{}{} is {}: a box has at most {} elements in a dimension", name_, side,
                         shape_.box[d], kMostBox));
    }
    if (!messages_.empty()) return;
    check_box();
    if (rank > 1) check_stride(".pitch", shape_.pitch);
    if (rank > 2) check_stride(".slice", shape_.slice);
    if (messages_.empty()) check_length(rank);
  }

 private:
  void complain(Message message) { messages_.push_back(std::move(message)); }
  void at_least(const std::string& what, std::int64_t given, std::int64_t least) {
    if (given < least) complain(Message("{}{} is {}: it is at least {}", name_, what, given, least));
  }

  void check_box() {
    const std::int64_t row = shape_.box[0] * use_.element_bytes;
    if (std::ranges::find(kSwizzles, shape_.swizzle) == std::end(kSwizzles))
      return complain(Message("{}.swizzle is {}: it is 0, 32, 64 or 128 bytes", name_, shape_.swizzle));
    if (row % kUnit != 0)
      return complain(
          Message("a row of {}'s box has {} bytes: they are a multiple of {}", name_, row, kUnit));
    if (shape_.swizzle != 0 && row > shape_.swizzle)
      complain(Message("a row of {}'s box has {} bytes: with a swizzle of {} at most that many", name_, row,
                       shape_.swizzle));
  }

  void check_stride(const std::string& what, std::int64_t bytes) {
    if (bytes < kUnit || bytes % kUnit != 0)
      complain(Message("{}{} is {} bytes: it is a multiple of {}", name_, what, bytes, kUnit));
  }

  void check_length(std::size_t rank) {
    const Buffer* buffer = launch_.buffer(name_);
    if (buffer == nullptr || buffer->elements == 0) return;
    long double bytes = static_cast<long double>(shape_.size[0]) * use_.element_bytes;
    if (rank > 1) bytes += static_cast<long double>(shape_.pitch) * (shape_.size[1] - 1);
    if (rank > 2) bytes += static_cast<long double>(shape_.slice) * (shape_.size[2] - 1);
    const long double held = static_cast<long double>(buffer->elements - buffer->offset) * use_.element_bytes;
    if (buffer->offset > buffer->elements || bytes > held)
      complain(Message("the tensor of {} takes {} bytes, and its buffer has {} elements", name_,
                       static_cast<std::int64_t>(bytes), buffer->elements));
  }

  const Launch& launch_;
  const TensorMapUse& use_;
  const TensorMapShape shape_;
  const std::string name_;
  std::vector<Message>& messages_;
};

}  // namespace

TensorMapShape shape_of(const Program& program, const Launch& launch, const TensorMapUse& use) {
  const std::string& name = program.parameters[use.parameter].name;
  const auto told = [&](const std::string& what) { return number(program, launch, name + what); };
  TensorMapShape shape;
  shape.dimensions = use.dimensions;
  for (std::size_t d = 0; d < static_cast<std::size_t>(use.dimensions); ++d) {
    shape.size[d] = told(std::string(".") + kSides[d]);
    shape.box[d] = told(std::string(".box_") + kSides[d]);
  }
  shape.swizzle = told(".swizzle");
  const std::int64_t pitch = told(".pitch"), slice = told(".slice");
  shape.pitch = pitch != 0 ? pitch : shape.size[0] * use.element_bytes;
  shape.slice = slice != 0 ? slice : shape.pitch * shape.size[1];
  return shape;
}

void check_tensor_maps(const Program& program, const Launch& launch, std::vector<Message>& messages) {
  for (const TensorMapUse& use : program.tensor_maps) MapCheck(program, launch, use, messages).run();
}

}  // namespace warplens::sim
