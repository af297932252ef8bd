#include "app/source/known_launch.h"

#include <algorithm>
#include <cctype>

#include "app/source/host_instance.h"
#include "app/source/host_scope.h"
#include "app/source/natural_length.h"
#include "app/source/tensor_maps.h"
#include "sim/lower/lower.h"

namespace warplens::app {
namespace {

bool resolves(const std::string& expression, const KernelFacts& kernel) {
  std::map<std::string, std::int64_t> names;
  for (const TemplateSlot& slot : kernel.templates) names[slot.name] = 1;
  for (const ParameterSlot& slot : kernel.parameters) {
    if (slot.is_integer && !slot.is_field()) names[slot.name] = 1;
  }
  const sim::IntegerResult result = sim::evaluate_integer(expression, names);
  return result.value.has_value();
}

bool is_identifier(const std::string& text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.eE+-fF") == std::string::npos &&
         text.find_first_of("0123456789") != std::string::npos;
}

// What an `int` holds of a number that only fits an unsigned one: 0xDEADBEEF.
std::string as_argument(const std::string& value, const std::string& type) {
  const auto number = sim::evaluate_integer(value, {}).value;
  const bool wraps = number && *number > INT32_MAX && *number <= UINT32_MAX;
  return wraps && type == "int" ? std::to_string(static_cast<std::int32_t>(*number)) : value;
}

// A template argument that is a type, where it is one here: not the parameter of a template around the
// launch, nor a name that only the function around it gives to one.
bool names_type(const std::string& argument, const std::string& text) {
  if (element_bytes(argument) > 0 || mentions(text, "struct " + argument)) return true;
  const std::string alias = "using " + argument;
  return mentions(text, alias) && mentions(visible_before(text, text.size()), alias);
}

// `Scale<float>(2)` or `Sum{}` as a host's argument: the struct that is made, where the file has it. Empty:
// no such thing.
std::string made_type(const std::string& argument, const std::string& text) {
  std::size_t end = 0;
  while (end < argument.size() && is_word(argument[end])) ++end;
  const std::string name = argument.substr(0, end);
  const std::size_t bracket = argument.find_first_of("({", end);
  if (!is_identifier(name) || bracket == std::string::npos) return {};
  if (!mentions(text, "struct " + name) && !mentions(text, "class " + name)) return {};
  const std::string arguments = argument.substr(end, bracket - end);
  const bool is_template = arguments.find('<') != std::string::npos;
  return is_template && arguments.find('>') == std::string::npos ? std::string() : name + arguments;
}

// Template arguments that the host does not write but that follow from what it passes.
void deduce_types(const cuda::HostLaunch& launch, const KernelFacts& kernel, const std::string& text,
                  KnownLaunch* known) {
  known->templates.resize(kernel.templates.size());
  for (std::size_t i = 0; i < kernel.templates.size(); ++i) {
    if (!kernel.templates[i].is_type || !known->templates[i].empty()) continue;
    for (const ParameterSlot& slot : kernel.parameters) {
      if (slot.type == kernel.templates[i].name && slot.argument < launch.arguments.size())
        known->templates[i] = made_type(launch.arguments[slot.argument], text);
    }
  }
}

}  // namespace

KnownLaunch known_launch(const cuda::HostLaunch& launch, const KernelFacts& kernel, const std::string& text,
                         const Names& constants, Budget& budget) {
  const std::string seen =
      visible_before(text, static_cast<std::size_t>(std::max(launch.range.begin.offset, 0)));
  Names instance = instance_around(seen, text);
  instance.insert(constants.begin(), constants.end());
  const HostValues plain = read_host_values(seen, instance, budget);
  KnownLaunch known;
  known.kernel = launch.kernel;
  known.line = launch.range.begin.line;
  // Where the host passes a variable of its own as a scalar or a template argument, the two are one: the grid
  // that follows from it is an expression over the kernel's.
  Names kept;
  for (const ParameterSlot& slot : kernel.parameters) {
    const std::size_t i = slot.argument;
    if (slot.is_field() || i >= launch.arguments.size()) continue;
    if (slot.is_integer && is_identifier(launch.arguments[i])) kept.emplace(launch.arguments[i], slot.name);
  }
  for (std::size_t i = 0; i < launch.template_arguments.size() && i < kernel.templates.size(); ++i) {
    if (!kernel.templates[i].is_type && is_identifier(launch.template_arguments[i]))
      kept[launch.template_arguments[i]] = kernel.templates[i].name;
  }
  kept.insert(instance.begin(), instance.end());
  const HostValues values = read_host_values(seen, kept, budget);
  // What the host passes is a number here or not known: its names are not the kernel's.
  const auto number = [&](const std::string& expression) {
    const std::string value = put_in(expression, plain.names);
    return sim::evaluate_integer(value, {}).value ? value : std::string();
  };
  for (std::size_t part = 0; part < 2 && part < launch.configuration.size(); ++part) {
    const auto extents = extents_of(launch.configuration[part], values);
    auto& out = part == 0 ? known.grid : known.block;
    for (std::size_t i = 0; i < 3; ++i) out[i] = resolves(extents[i], kernel) ? extents[i] : std::string();
    if (std::any_of(out.begin(), out.end(), [](auto& e) { return e.empty(); })) out = {"", "", ""};
  }
  if (launch.configuration.size() > 2) {
    const std::string bytes = put_in(launch.configuration[2], values.names);
    // A variable that is nothing at first is set by what is not read here.
    const bool is_set_later = launch.configuration[2] != "0" && sim::evaluate_integer(bytes, {}).value == 0;
    known.shared = resolves(bytes, kernel) && !is_set_later ? bytes : std::string();
  } else {
    known.shared = "0";
  }
  for (std::size_t i = 0; i < launch.template_arguments.size() && i < kernel.templates.size(); ++i) {
    const auto named = instance.find(launch.template_arguments[i]);
    const std::string argument =
        named != instance.end() && kernel.templates[i].is_type ? named->second : launch.template_arguments[i];
    if (kernel.templates[i].is_type)
      known.templates.push_back(names_type(argument, text) ? argument : std::string());
    else
      known.templates.push_back(argument == "true" || argument == "false" ? argument : number(argument));
  }
  deduce_types(launch, kernel, text, &known);
  for (const ParameterSlot& slot : kernel.parameters) {
    if (slot.argument >= launch.arguments.size() || slot.type.find("CUtensorMap") == std::string::npos)
      continue;
    for (const auto& [name, expression] : tensor_map_values(seen, launch.arguments[slot.argument]))
      if (const std::string value = number(expression); !value.empty())
        known.scalars[slot.name + name] = value;
  }
  for (const ParameterSlot& slot : kernel.parameters) {
    const std::size_t i = slot.argument;
    if (slot.is_field() || i >= launch.arguments.size())
      continue;  // a struct's values are a run's to find out
    std::string value;
    if (slot.is_integer) value = as_argument(number(launch.arguments[i]), slot.type);
    if (slot.is_floating && is_number(launch.arguments[i])) value = launch.arguments[i];
    if (!value.empty()) known.scalars[slot.name] = value;
    const auto allocated = values.allocated.find(launch.arguments[i]);
    const int bytes = slot.is_pointer ? element_bytes(slot.type) : 0;
    if (bytes == 0 || allocated == values.allocated.end()) continue;
    const std::string length = elements_in(allocated->second, bytes);
    if (resolves(length, kernel)) known.lengths[slot.name] = length;
  }
  return known;
}

}  // namespace warplens::app
