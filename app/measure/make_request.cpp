#include "app/measure/make_request.h"

namespace warplens::measure {
namespace {

using warp::KernelParameter;

KernelArgument buffer_argument(const KernelParameter& parameter, const warp::Buffer& buffer) {
  return {parameter.name, parameter.type,
          BufferArgument{buffer.elements, parameter.element_bytes, buffer.fill, parameter.is_const}};
}

// Every parameter in order, or what is missing, in words.
std::vector<KernelArgument> bind(const scenario::Setup& setup, const warp::Program& program,
                                 std::vector<std::string>& errors) {
  std::vector<KernelArgument> arguments;
  for (const KernelParameter& parameter : program.parameters) {
    const auto given = setup.launch.arguments.find(parameter.name);
    const bool is_given = given != setup.launch.arguments.end();
    if (parameter.is_pointer) {
      const auto* buffer = is_given ? std::get_if<warp::Buffer>(&given->second) : nullptr;
      if (buffer == nullptr || buffer->elements == 0)
        errors.push_back("a GPU needs the length of every buffer: give that of '" + parameter.name +
                         "' with --set " + parameter.name + "=@ELEMENTS");
      else
        arguments.push_back(buffer_argument(parameter, *buffer));
    } else if (!is_given) {
      errors.push_back("parameter '" + parameter.name + "' has no value: give it with --set " +
                       parameter.name + "=VALUE");
    } else if (const auto* integer = std::get_if<std::int64_t>(&given->second)) {
      arguments.push_back({parameter.name, parameter.type, *integer});
    } else if (const auto* real = std::get_if<double>(&given->second)) {
      arguments.push_back({parameter.name, parameter.type, *real});
    } else {
      errors.push_back("parameter '" + parameter.name + "' is no pointer, but a buffer was given for it");
    }
  }
  return arguments;
}

}  // namespace

scenario::Outcome<MeasureRequest> make_request(const scenario::Setup& setup, const warp::Program& program,
                                               CompileMode mode) {
  scenario::Outcome<MeasureRequest> outcome;
  MeasureRequest request;
  Subject& subject = request.subject;
  subject.source_name = setup.source_name;
  subject.text = setup.compile.text;
  subject.text_hash = hash_text(subject.text);
  subject.kernel = program.kernel;
  subject.template_arguments = setup.compile.template_arguments;
  subject.defines = setup.compile.defines;
  subject.mode = effective_mode(subject.text, mode);
  subject.grid = setup.launch.grid;
  subject.block = setup.launch.block;
  subject.shared_bytes = setup.launch.shared_bytes;
  subject.arguments = bind(setup, program, outcome.errors);
  if (!setup.values.empty()) request.scenario = setup.name;
  request.parameters = setup.values;
  request.check = setup.check;
  request.useful_bytes = setup.useful_bytes;
  if (outcome.errors.empty()) outcome.value = std::move(request);
  return outcome;
}

}  // namespace warplens::measure
