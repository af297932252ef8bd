#include "sim/report/steering.h"

#include "sim/program/operands.h"

namespace warplens::report {

std::vector<SteeringBuffer> steering_buffers(const sim::Program& program, const sim::Launch& launch) {
  sim::Places steering =
      0;  // a load that brings its value feeds an address or a decision: see sim/analyse/slice.h
  for (const sim::Instr& instr : program.code)
    if (instr.op == sim::Opcode::Load && instr.keep == sim::Keep::Everything) steering |= instr.leads_to;
  std::vector<SteeringBuffer> buffers;
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const sim::KernelParameter& parameter = program.parameters[i];
    if (!parameter.is_pointer || parameter.initial != nullptr || (steering & sim::place_of_parameter(i)) == 0)
      continue;
    const auto argument = launch.arguments.find(parameter.name);
    const auto* buffer =
        argument == launch.arguments.end() ? nullptr : std::get_if<sim::Buffer>(&argument->second);
    const sim::Fill fill = buffer != nullptr ? buffer->fill : sim::Fill::Zero;
    const bool is_chosen = buffer != nullptr && (buffer->data || buffer->is_null || buffer->range);
    if (!is_chosen && (fill == sim::Fill::Zero || fill == sim::Fill::Iota))
      buffers.push_back({parameter.name, fill});
  }
  return buffers;
}

Message words_of(const SteeringBuffer& buffer) {
  return buffer.fill == sim::Fill::Zero ? Message(
                                              "addresses or decisions follow from what {} holds, and here "
                                              "all of it is zero: other values "
                                              "give other counts",
                                              buffer.name)
                                        : Message(
                                              "addresses or decisions follow from what {} holds, and here "
                                              "that is 0, 1, 2, ...: other values "
                                              "give other counts",
                                              buffer.name);
}

}  // namespace warplens::report
