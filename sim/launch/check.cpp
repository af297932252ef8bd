#include <algorithm>
#include <cmath>
#include <sstream>

#include "sim/launch/bound.h"
#include "sim/launch/tensor_map.h"
#include "sim/scalar/bits.h"

namespace warplens::sim {

namespace {

using Messages = std::vector<Message>;

template <class... Parts>
std::string words(const Parts&... parts) {
  std::ostringstream out;
  out.precision(17);
  (out << ... << parts);
  return out.str();
}

std::string shape(Dim3 d) {
  std::string text = words(d.x, " x ", d.y);
  return d.z == 1 ? text : text + words(" x ", d.z);
}

void check_block(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                 Messages& messages) {
  const Dim3 d = launch.block;
  if (d.x == 0 || d.y == 0 || d.z == 0) {
    messages.push_back(Message("block {} has no threads; every side must be at least 1", shape(d)));
    return;
  }
  const auto most = static_cast<std::uint64_t>(gpu.max_threads_per_block);
  // Sides first: their product may not fit 64 bits.
  const struct {
    char name;
    std::uint32_t size;
    int most;
  } sides[] = {{'x', d.x, gpu.max_block_x}, {'y', d.y, gpu.max_block_y}, {'z', d.z, gpu.max_block_z}};
  bool sides_fit = true;
  for (const auto& side : sides) {
    if (side.size <= static_cast<std::uint32_t>(side.most)) continue;
    sides_fit = false;
    messages.push_back(Message("block {} is {} wide in {}; {} takes at most {}", shape(d), side.size,
                               side.name, gpu.name, side.most));
  }
  const auto asked = [&](std::size_t side) { return side < program.block.size() ? program.block[side] : 1; };
  if (!program.block.empty() && (d.x != asked(0) || d.y != asked(1) || d.z != asked(2)))
    messages.push_back(Message("block {}: {} takes {} x {} x {} alone, as its .reqntid says", shape(d),
                               program.kernel, asked(0), asked(1), asked(2)));
  if (sides_fit && d.count() > most) {
    messages.push_back(
        Message("block {} has {} threads; {} takes at most {}", shape(d), d.count(), gpu.name, most));
  } else if (sides_fit && program.max_threads_per_block > 0 &&
             d.count() > static_cast<std::uint64_t>(program.max_threads_per_block)) {
    messages.push_back(Message("block {} has {} threads; {} is declared with __launch_bounds__({})", shape(d),
                               d.count(), program.kernel, program.max_threads_per_block));
  }
}

void check_grid(const Launch& launch, const memory::GpuModel& gpu, Messages& messages) {
  const Dim3 d = launch.grid;
  if (d.x == 0 || d.y == 0 || d.z == 0) {
    messages.push_back(Message("grid {} has no blocks; every side must be at least 1", shape(d)));
    return;
  }
  const struct {
    char name;
    std::uint32_t size;
    long most;
  } sides[] = {{'x', d.x, gpu.max_grid_x}, {'y', d.y, gpu.max_grid_y}, {'z', d.z, gpu.max_grid_z}};
  for (const auto& side : sides) {
    if (side.size <= static_cast<std::uint64_t>(side.most)) continue;
    messages.push_back(Message("grid {} has {} blocks in {}; {} takes at most {}", shape(d), side.size,
                               side.name, gpu.name, side.most));
  }
}

void check_cluster(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                   Messages& messages) {
  const Dim3 cluster{program.cluster[0], program.cluster[1], program.cluster[2]}, grid = launch.grid;
  if (const Dim3 given = launch.cluster.value_or(cluster);
      given.x != cluster.x || given.y != cluster.y || given.z != cluster.z)
    messages.push_back(Message("clusters of {} blocks: {} is compiled for clusters of {}", shape(given),
                               program.kernel, shape(cluster)));
  if (cluster.count() == 1) return;
  constexpr int kFirstMajor = 9;
  constexpr std::uint64_t kMost = 16;
  if (cluster.x > kMost || cluster.y > kMost || cluster.z > kMost || cluster.count() > kMost)
    messages.push_back(Message("a cluster has 1 to 16 blocks"));
  if (gpu.compute_major < kFirstMajor)
    messages.push_back(Message("{} has no clusters of blocks: they came with sm_90", gpu.name));
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
    messages.push_back(
        Message("grid {} is not a whole number of clusters of {} blocks", shape(grid), shape(cluster)));
}

// Each block of a grid that waits is looked at once, while all the others run beside it.
void check_grid_that_waits(const Program& program, const Launch& launch, Messages& messages) {
  constexpr std::uint64_t kMostTogether = 128;
  if (!program.waits_for_grid || launch.grid.count() <= kMostTogether) return;
  messages.push_back(Message(
      "the blocks of a grid that waits with grid.sync() run together here: {} of them at most, not {}; "
      "choose a smaller grid (--grid)",
      kMostTogether, launch.grid.count()));
}

void check_shared(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                  Messages& messages) {
  const auto fixed = static_cast<std::uint64_t>(program.static_shared_bytes);
  if (fixed > static_cast<std::uint64_t>(gpu.static_shared_bytes)) {
    messages.push_back(
        Message("{} declares {} bytes of shared memory; {} takes at most {} declared statically: use extern "
                "__shared__ for more",
                program.kernel, fixed, gpu.name, gpu.static_shared_bytes));
  }
  const auto most = static_cast<std::uint64_t>(gpu.max_shared_bytes);
  if (launch.shared_bytes > most || fixed + launch.shared_bytes > most) {
    messages.push_back(Message(
        "a block needs {} bytes of static and {} bytes of dynamic shared memory; {} has {} for a block",
        fixed, launch.shared_bytes, gpu.name, most));
  }
}

void check_buffer(const KernelParameter& parameter, const Buffer& buffer, Messages& messages) {
  const auto fixed = static_cast<std::uint64_t>(parameter.symbol_elements);
  if (fixed > 0 && buffer.elements != fixed) {
    messages.push_back(
        Message("{} is declared with {} elements, not {}", parameter.name, fixed, buffer.elements));
  }
  const std::uint64_t most =
      kBufferSpacing / 2 / static_cast<std::uint64_t>(std::max(1, parameter.element_bytes));
  if (buffer.elements > most) {
    messages.push_back(Message("{} has {} elements of {} bytes; a buffer holds at most {} of them",
                               parameter.name, buffer.elements, parameter.element_bytes, most));
  }
}

// One buffer for two parameters: the other one has it, and the program was compiled for that.
void check_sharing(const Program& program, const Launch& launch, const KernelParameter& parameter,
                   const Buffer& buffer, Messages& messages) {
  if (buffer.same_as.empty()) return;
  const bool is_pointer = std::ranges::any_of(
      program.parameters, [&](const KernelParameter& p) { return p.name == buffer.same_as && p.is_pointer; });
  const Buffer* owner = launch.buffer(buffer.same_as);
  const bool has_one = owner != nullptr && owner->same_as.empty() && !owner->is_null;
  if (!is_pointer || !has_one || !program.buffers_overlap)
    messages.push_back(Message("{} is to share the buffer of {}, which has none of its own", parameter.name,
                               buffer.same_as));
}

// What is to lie in the buffer are places of 8 bytes, and buffers whose addresses they get.
void check_addresses(const Program& program, const KernelParameter& parameter, const Buffer& buffer,
                     Messages& messages) {
  for (const Addresses& some : buffer.addresses) {
    const bool is_pointer = std::ranges::any_of(
        program.parameters, [&](const KernelParameter& p) { return p.name == some.of && p.is_pointer; });
    const bool has_places = some.places != nullptr &&
                            std::is_sorted(some.places->begin(), some.places->end()) &&
                            std::ranges::all_of(*some.places, [](std::uint64_t at) { return at % 8 == 0; });
    if (!is_pointer || !has_places || !buffer.data)
      messages.push_back(Message("{} is to hold addresses of {}, which has none", parameter.name, some.of));
  }
}

void check_arguments(const Program& program, const Launch& launch, Messages& messages) {
  for (const KernelParameter& parameter : program.parameters) {
    const Argument* given = launch.argument(parameter.name);
    if (parameter.is_pointer) {
      if (given == nullptr) continue;
      if (const auto* buffer = std::get_if<Buffer>(given)) {
        check_buffer(parameter, *buffer, messages);
        check_sharing(program, launch, parameter, *buffer, messages);
        check_addresses(program, parameter, *buffer, messages);
      } else
        messages.push_back(Message("{} is a pointer ({}): give its buffer's length as @ELEMENTS",
                                   parameter.name, parameter.type_text));
    } else if (given == nullptr) {
      if (parameter.fallback) continue;
      messages.push_back(Message("{} ({}) has no value: {} needs one; on the command line: --set {}=VALUE",
                                 parameter.name, parameter.type_text, program.kernel, parameter.name));
    } else if (const BoundScalar bound = bind_scalar(parameter, *given); !bound.error.empty()) {
      messages.push_back(bound.error);
    }
  }
  for (const auto& given : launch.arguments) {
    const bool known = std::ranges::any_of(program.parameters,
                                           [&](const KernelParameter& p) { return p.name == given.first; });
    if (!known) messages.push_back(Message("{} has no parameter named {}", program.kernel, given.first));
  }
}

}  // namespace

Argument integer_argument(ScalarType type, std::uint64_t bits) {
  const std::int64_t value = integer_of(type, bits);
  if (type == ScalarType::U64 && value < 0) return bits;
  return value;
}

BoundScalar bind_scalar(const KernelParameter& parameter, const Argument& argument) {
  if (std::holds_alternative<Buffer>(argument)) {
    return {0, Message("{} ({}) is a number, not a buffer", parameter.name, parameter.type_text)};
  }
  const auto* large = std::get_if<std::uint64_t>(&argument);
  const auto* integer = std::get_if<std::int64_t>(&argument);
  const auto* floating = std::get_if<double>(&argument);
  if (floating != nullptr && std::isnan(*floating)) {
    return {0, Message("{} is not a number (NaN); give it a value", parameter.name)};
  }
  const ScalarType type = parameter.type;
  const Number number = large != nullptr     ? Number(*large)
                        : integer != nullptr ? Number(*integer)
                                             : Number(*floating);
  if (const auto bits = fitting_bits(type, number)) return {*bits, {}};
  const std::string given =
      words(parameter.name, " = ", std::visit([](auto value) { return words(value); }, number));
  if (is_floating(type))
    return {0, Message("{} does not fit {} (at most {})", given, parameter.type_text, words(greatest(type)))};
  if (floating != nullptr && (*floating != std::trunc(*floating) || std::fabs(*floating) > 0x1p62))
    return {0, Message("{} is not a whole number that fits {}", given, parameter.type_text)};
  const IntegerRange range = integer_range(type);
  return {0, Message("{} does not fit {} ({} to {})", given, parameter.type_text, range.least, range.most)};
}

std::vector<Message> check_launch(const Program& program, const Launch& launch, const memory::GpuModel& gpu) {
  Messages messages;
  check_block(program, launch, gpu, messages);
  check_grid(launch, gpu, messages);
  check_cluster(program, launch, gpu, messages);
  check_grid_that_waits(program, launch, messages);
  check_shared(program, launch, gpu, messages);
  check_arguments(program, launch, messages);
  if (messages.empty()) check_tensor_maps(program, launch, messages);
  return messages;
}

}  // namespace warplens::sim
