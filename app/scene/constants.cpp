#include "app/scene/constants.h"

#include <algorithm>

namespace warplens::scene {
namespace {

void add(std::map<std::string, std::int64_t>* names, const std::string& name, const std::string& text) {
  const sim::IntegerResult result = sim::evaluate_integer(text, *names);
  if (!name.empty() && result.value) (*names)[name] = *result.value;
}

// "int BX" or "unsigned int PAD = 1" -> "BX", "PAD"; a type's name is no trouble, as its argument is no
// integer.
std::string name_of(const std::string& parameter) {
  const std::string declared = parameter.substr(0, parameter.find('='));
  const std::size_t end = declared.find_last_not_of(' ');
  if (end == std::string::npos) return {};
  const std::size_t begin = declared.find_last_of(" &*", end);
  return declared.substr(begin == std::string::npos ? 0 : begin + 1,
                         end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

}  // namespace

std::map<std::string, std::int64_t> constants_of(const sim::CompileRequest& request, Budget& budget) {
  std::map<std::string, std::int64_t> names;
  for (const auto& [name, value] : request.defines) add(&names, name, value);
  for (const sim::KernelSignature& kernel :
       sim::list_kernels(request.text, request.defines, &budget, request.headers).kernels) {
    if (!request.kernel.empty() && kernel.name != request.kernel) continue;
    const std::size_t count = std::min(kernel.template_parameters.size(), request.template_arguments.size());
    for (std::size_t i = 0; i < count; ++i)
      add(&names, name_of(kernel.template_parameters[i]), request.template_arguments[i]);
  }
  return names;
}

}  // namespace warplens::scene
