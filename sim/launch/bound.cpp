#include "sim/launch/bound.h"

#include <algorithm>
#include <cstring>

namespace warplens::sim {

namespace {

Region bind_buffer(const Program& program, const Launch& launch, std::size_t index) {
  const KernelParameter& parameter = program.parameters[index];
  const Argument* given = launch.argument(parameter.name);
  Buffer buffer{static_cast<std::uint64_t>(parameter.symbol_elements), Fill::Zero};
  Region region;
  if (given != nullptr)
    buffer = std::get<Buffer>(*given);  // as by cudaMemcpyToSymbol()
  else
    region.initial = parameter.initial.get();
  region.begin = buffer_base(index);
  region.element_bytes = buffer.element ? size_of(*buffer.element) : std::max(1, parameter.element_bytes);
  if (buffer.data && buffer.elements == 0)
    buffer.elements = buffer.data->size() / static_cast<std::size_t>(region.element_bytes);
  region.elements = buffer.elements;
  region.offset = buffer.offset * static_cast<std::uint64_t>(region.element_bytes) + buffer.offset_bytes;
  region.range = buffer.range;
  region.data = buffer.data;
  region.type = buffer.element.value_or(parameter.type);
  region.fill = buffer.fill;
  region.end =
      region.begin + (buffer.elements == 0 ? kBufferSpacing / 2
                                           : buffer.elements * static_cast<unsigned>(region.element_bytes));
  if (!buffer.same_as.empty()) region.end = region.begin;  // nothing lies there
  return region;
}

memory::Address begin_of(const Bound& bound, const std::string& name) {
  for (std::size_t i = 0; i < bound.regions.size(); ++i)
    if (bound.program->parameters[i].name == name) return bound.regions[i].begin;
  return 0;  // check_launch() has refused it
}

// Where an argument's buffer begins, its own or that of another parameter.
memory::Address begin_of(const Bound& bound, std::size_t index, const Buffer* buffer) {
  const bool is_own = buffer == nullptr || buffer->same_as.empty();
  return is_own ? bound.regions[index].begin : begin_of(bound, buffer->same_as);
}

std::uint64_t bits_of_number(const KernelParameter& parameter, const Launch& launch) {
  const Argument* given = launch.argument(parameter.name);
  return bind_scalar(parameter, given != nullptr ? *given : Argument{parameter.fallback.value_or(0)}).bits;
}

}  // namespace

Message bind(const Program& program, const Launch& launch, const memory::GpuModel& gpu, Bound& bound) {
  const std::vector<Message> messages = check_launch(program, launch, gpu);
  if (!messages.empty()) return messages.front();
  bound = Bound{};
  bound.program = &program;
  bound.launch = launch;
  bound.threads = static_cast<int>(launch.block.count());
  bound.warps = (bound.threads + memory::kWarpLanes - 1) / memory::kWarpLanes;
  bound.shared_bytes = static_cast<std::uint64_t>(program.static_shared_bytes) + launch.shared_bytes;
  bound.uniform.assign(static_cast<std::size_t>(std::max(program.uniform_registers, kFirstFreeUniform)), 0);
  const std::uint32_t dims[] = {launch.grid.x,  launch.grid.y,  launch.grid.z,
                                launch.block.x, launch.block.y, launch.block.z};
  for (int i = 0; i < 6; ++i) bound.uniform[reg_index(kGridDimX) + i] = dims[i];
  for (const UniformConstant& constant : program.constants)
    bound.uniform[reg_index(constant.reg)] = constant.bits;
  bound.regions.resize(program.parameters.size());
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const KernelParameter& parameter = program.parameters[i];
    if (parameter.is_pointer) bound.regions[i] = bind_buffer(program, launch, i);
  }
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const KernelParameter& parameter = program.parameters[i];
    const Buffer* buffer = launch.buffer(parameter.name);
    if (buffer != nullptr)
      for (const Addresses& some : buffer->addresses)
        bound.regions[i].addresses.push_back({begin_of(bound, some.of), some.places});
    if (parameter.reg == kNoReg) continue;
    const bool is_null = parameter.is_pointer && buffer != nullptr && buffer->is_null;
    bound.uniform[reg_index(parameter.reg)] = is_null ? 0
                                              : parameter.is_pointer
                                                  ? begin_of(bound, i, buffer) + bound.regions[i].offset
                                                  : bits_of_number(parameter, launch);
  }
  return {};
}

void Region::fill_bytes(std::uint64_t first, std::byte* out, std::uint64_t count) const {
  if (data) {
    std::memset(out, 0, count);
    if (first < data->size()) std::memcpy(out, data->data() + first, std::min(count, data->size() - first));
  } else {
    sim::fill_bytes(fill, type, elements, range, first, out, count);
  }
  for (const Addresses& some : addresses)
    for (auto at = std::ranges::lower_bound(*some.places, first);
         at != some.places->end() && *at + sizeof some.begin <= first + count; ++at) {
      memory::Address address = 0;
      std::memcpy(&address, out + (*at - first), sizeof address);
      address += some.begin;
      std::memcpy(out + (*at - first), &address, sizeof address);
    }
  if (initial == nullptr) return;
  const auto before = [](const InitialValue& value, std::uint64_t at) {
    return static_cast<std::uint64_t>(value.offset) < at;
  };
  auto value = std::lower_bound(initial->begin(), initial->end(), first, before);
  for (; value != initial->end() && before(*value, first + count); ++value) {
    const std::uint64_t at = static_cast<std::uint64_t>(value->offset) - first;
    std::memcpy(out + at, &value->bits, static_cast<std::size_t>(size_of(value->type)));
  }
}

const Region* Bound::region_of(memory::Address address) const {
  const std::uint64_t window = address / kBufferSpacing;
  if (window == 0 || window > regions.size()) return nullptr;
  const Region& region = regions[window - 1];
  return address >= region.begin && address < region.end ? &region : nullptr;
}

Message Bound::name_of_address(std::size_t parameter, memory::Address address) const {
  const Region& region = regions[parameter];
  const auto bytes = static_cast<std::uint64_t>(region.element_bytes);
  std::string index;
  std::uint64_t rest = 0;
  const memory::Address from = region.begin + region.offset;  // as the kernel counts
  if (address >= from) {
    const std::uint64_t distance = address - from;
    index = std::to_string(distance / bytes);
    rest = distance % bytes;
  } else {
    const std::uint64_t before = from - address, elements = (before + bytes - 1) / bytes;
    index = "-" + std::to_string(elements);
    rest = elements * bytes - before;
  }
  const std::string element = program->parameters[parameter].name + "[" + index + "]";
  return rest == 0 ? Message::verbatim(element) : Message("{} + {} bytes", element, rest);
}

}  // namespace warplens::sim
