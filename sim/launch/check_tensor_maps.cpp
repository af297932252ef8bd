// What cuTensorMapEncodeTiled() asks of a tensor map (CUDA Driver API, "Tensor Map Object Management").
#include <algorithm>
#include <array>

#include "sim/launch/bound.h"

namespace warplens::sim {

namespace {

constexpr std::int64_t kUnit = 16, kMostBox = 256, kSwizzles[] = {0, 32, 64, 128};
constexpr std::array<const char*, 3> kSides{"width", "height", "depth"};

class MapCheck {
 public:
  MapCheck(const Program& program, const Launch& launch, const TensorMapUse& use,
           std::vector<Message>& messages)
      : program_(program),
        launch_(launch),
        use_(use),
        name_(program.parameters[use.parameter].name),
        messages_(messages) {}

  void run() {
    const auto rank = static_cast<std::size_t>(use_.dimensions);
    for (std::size_t d = 0; d < rank; ++d) {
      at_least(std::string(".") + kSides[d], 1);
      const std::string side = std::string(".box_") + kSides[d];
      at_least(side, 1);
      if (number(side) > kMostBox)
        complain(Message("{}{} is {}: a box has at most {} elements in a dimension", name_, side,
                         number(side), kMostBox));
    }
    if (!messages_.empty()) return;
    check_box();
    if (rank > 1) check_stride(".pitch");
    if (rank > 2) check_stride(".slice");
    if (messages_.empty()) check_length(rank);
  }

 private:
  void complain(Message message) { messages_.push_back(std::move(message)); }
  std::int64_t number(const std::string& what) const {
    const auto given = launch_.arguments.find(name_ + what);
    if (given != launch_.arguments.end()) {
      if (const auto* integer = std::get_if<std::int64_t>(&given->second)) return *integer;
      if (const auto* floating = std::get_if<double>(&given->second))
        return static_cast<std::int64_t>(*floating);
    }
    const auto known = std::find_if(program_.parameters.begin(), program_.parameters.end(),
                                    [&](const KernelParameter& p) { return p.name == name_ + what; });
    return known == program_.parameters.end() ? 0 : known->fallback.value_or(0);
  }
  void at_least(const std::string& what, std::int64_t least) {
    if (number(what) < least)
      complain(Message("{}{} is {}: it is at least {}", name_, what, number(what), least));
  }

  void check_box() {
    const std::int64_t row = number(".box_width") * use_.element_bytes, swizzle = number(".swizzle");
    if (std::find(std::begin(kSwizzles), std::end(kSwizzles), swizzle) == std::end(kSwizzles))
      return complain(Message("{}.swizzle is {}: it is 0, 32, 64 or 128 bytes", name_, swizzle));
    if (row % kUnit != 0)
      return complain(
          Message("a row of {}'s box has {} bytes: they are a multiple of {}", name_, row, kUnit));
    if (swizzle != 0 && row > swizzle)
      complain(Message("a row of {}'s box has {} bytes: with a swizzle of {} at most that many", name_, row,
                       swizzle));
  }

  // Of rows that lie side by side too.
  std::int64_t pitch() const {
    const std::int64_t given = number(".pitch");
    return given != 0 ? given : number(".width") * use_.element_bytes;
  }
  std::int64_t slice() const {
    const std::int64_t given = number(".slice");
    return given != 0 ? given : pitch() * number(".height");
  }
  void check_stride(const std::string& what) {
    const std::int64_t bytes = what == ".pitch" ? pitch() : slice();
    if (bytes < kUnit || bytes % kUnit != 0)
      complain(Message("{}{} is {} bytes: it is a multiple of {}", name_, what, bytes, kUnit));
  }

  void check_length(std::size_t rank) {
    const auto given = launch_.arguments.find(name_);
    const auto* buffer = given == launch_.arguments.end() ? nullptr : std::get_if<Buffer>(&given->second);
    if (buffer == nullptr || buffer->elements == 0) return;
    long double bytes = static_cast<long double>(number(".width")) * use_.element_bytes;
    if (rank > 1) bytes += static_cast<long double>(pitch()) * (number(".height") - 1);
    if (rank > 2) bytes += static_cast<long double>(slice()) * (number(".depth") - 1);
    const long double held = static_cast<long double>(buffer->elements - buffer->offset) * use_.element_bytes;
    if (buffer->offset > buffer->elements || bytes > held)
      complain(Message("the tensor of {} takes {} bytes, and its buffer has {} elements", name_,
                       static_cast<std::int64_t>(bytes), buffer->elements));
  }

  const Program& program_;
  const Launch& launch_;
  const TensorMapUse& use_;
  const std::string name_;
  std::vector<Message>& messages_;
};

}  // namespace

void check_tensor_maps(const Program& program, const Launch& launch, std::vector<Message>& messages) {
  for (const TensorMapUse& use : program.tensor_maps) MapCheck(program, launch, use, messages).run();
}

}  // namespace warplens::sim
