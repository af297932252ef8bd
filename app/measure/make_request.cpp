#include "app/measure/make_request.h"

#include <algorithm>

#include "sim/launch/tensor_map.h"

namespace warplens::measure {
namespace {

using sim::KernelParameter;

KernelArgument buffer_argument(const KernelParameter& parameter, const sim::Buffer& buffer) {
  return {parameter.name, parameter.type,
          BufferArgument{buffer.elements, parameter.element_bytes, buffer.fill, parameter.is_const,
                         buffer.range}};
}

const sim::TensorMapUse* map_of(const sim::Program& program, const KernelParameter& parameter) {
  const auto index = static_cast<std::size_t>(&parameter - program.parameters.data());
  const auto found = std::ranges::find(program.tensor_maps, index, &sim::TensorMapUse::parameter);
  return found == program.tensor_maps.end() ? nullptr : &*found;
}

// "A.width" where A is a tensor map that the kernel uses.
bool is_part_of_map(const sim::Program& program, const KernelParameter& parameter) {
  const std::string owner = parameter.name.substr(0, parameter.name.find('.'));
  return owner != parameter.name && std::ranges::any_of(program.tensor_maps, [&](const auto& use) {
           return program.parameters[use.parameter].name == owner;
         });
}

// Every parameter in order, or what is missing, in words.
std::vector<KernelArgument> bind(const scenario::Setup& setup, const sim::Program& program,
                                 std::vector<Message>& errors) {
  std::vector<KernelArgument> arguments;
  if (program.waits_for_grid)
    errors.push_back(Message(
        "the blocks of its grid wait for one another: such a kernel is simulated, but cannot be measured"));
  for (const KernelParameter& parameter : program.parameters) {
    const auto given = setup.launch.arguments.find(parameter.name);
    const bool is_given = given != setup.launch.arguments.end();
    const sim::TensorMapUse* map = map_of(program, parameter);
    if (map != nullptr && parameter.type_text.find('*') != std::string::npos) {
      errors.push_back(
          Message("'{}' points to a tensor map: such a kernel is simulated, but cannot be "
                  "measured; pass the map itself, as const __grid_constant__ CUtensorMap",
                  parameter.name));
      continue;
    }
    if (is_part_of_map(program, parameter)) {
      const auto* number = is_given ? std::get_if<std::int64_t>(&given->second) : nullptr;
      if (number != nullptr) arguments.push_back({parameter.name, parameter.type, *number});
      continue;
    }
    if (parameter.is_texture && map == nullptr) {
      errors.push_back(
          Message("'{}' belongs to a texture or surface: such a kernel is simulated, but cannot be measured",
                  parameter.name));
      continue;
    }
    if (parameter.symbol_elements > 0 || parameter.is_member) {
      errors.push_back(parameter.is_member ? Message("'{}' is part of a struct that is passed by value: such "
                                                     "a kernel is simulated, but cannot be "
                                                     "measured",
                                                     parameter.name)
                                           : Message("'{}' is a variable of the file, not an argument: such "
                                                     "a kernel is simulated, but cannot be "
                                                     "measured",
                                                     parameter.name));
      continue;
    }
    if (parameter.is_pointer) {
      const auto* buffer = is_given ? std::get_if<sim::Buffer>(&given->second) : nullptr;
      if (buffer != nullptr && !buffer->is_filled())
        errors.push_back(Message(
            "'{}' is null, or has an offset or a file's contents: such a launch is simulated, but cannot "
            "be measured",
            parameter.name));
      else if (buffer == nullptr || buffer->elements == 0)
        errors.push_back(
            Message("a GPU needs the length of every buffer: give that of '{0}' with --set {0}=@ELEMENTS",
                    parameter.name));
      else
        arguments.push_back(buffer_argument(parameter, *buffer));
      if (map != nullptr && errors.empty())
        std::get<BufferArgument>(arguments.back().value).tensor = sim::shape_of(program, setup.launch, *map);
    } else if (!is_given) {
      errors.push_back(Message("parameter '{0}' has no value: give it with --set {0}=VALUE", parameter.name));
    } else if (const auto* integer = std::get_if<std::int64_t>(&given->second)) {
      arguments.push_back({parameter.name, parameter.type, *integer});
    } else if (const auto* real = std::get_if<double>(&given->second)) {
      arguments.push_back({parameter.name, parameter.type, *real});
    } else {
      errors.push_back(
          Message("parameter '{}' is no pointer, but a buffer was given for it", parameter.name));
    }
  }
  return arguments;
}

// A product's sizes are the kernel's arguments m, n and k; a kernel without them is held against a copy.
void hold_against(scenario::Reference reference, const sim::Launch& launch, MeasureRequest& request) {
  if (reference == scenario::Reference::Copy) return;
  std::array<std::uint64_t, 3> sizes{};
  const char* const names[] = {"m", "n", "k"};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto given = launch.arguments.find(names[i]);
    const auto* value = given == launch.arguments.end() ? nullptr : std::get_if<std::int64_t>(&given->second);
    if (value == nullptr || *value < 1) return;
    sizes[i] = static_cast<std::uint64_t>(*value);
  }
  request.reference_kind = reference;
  request.product = sizes;
}

}  // namespace

scenario::Outcome<MeasureRequest> make_request(const scenario::Setup& setup, const sim::Program& program,
                                               CompileMode mode) {
  scenario::Outcome<MeasureRequest> outcome;
  MeasureRequest request;
  request.subject = subject_of(setup, mode);
  request.subject.kernel = program.kernel;
  request.subject.arguments = bind(setup, program, outcome.errors);
  if (!setup.values.empty()) request.scenario = setup.name;
  request.parameters = setup.values;
  request.check = setup.check;
  request.useful_bytes = setup.useful_bytes;
  request.operations = setup.operations;
  hold_against(setup.reference, setup.launch, request);
  if (outcome.errors.empty()) outcome.value = std::move(request);
  return outcome;
}

}  // namespace warplens::measure
