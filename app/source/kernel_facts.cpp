#include "app/source/kernel_facts.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "app/source/form_guess.h"
#include "app/source/host/known_launch.h"
#include "app/source/host/scope.h"
#include "app/source/host/values.h"
#include "sim/cuda/parse/parse.h"
#include "sim/cuda/text/names.h"
#include "sim/lower/lower.h"

namespace warplens::app {
namespace {

constexpr std::size_t kMostLaunches = 256;

std::string piece(const std::string& text, const cuda::SourceRange& range) {
  const auto begin =
      static_cast<std::size_t>(std::clamp(range.begin.offset, 0, static_cast<int>(text.size())));
  const auto end = static_cast<std::size_t>(std::max(range.end.offset, range.begin.offset));
  return text.substr(begin, std::min(end, text.size()) - begin);
}

std::string type_text(const cuda::TypeName& type, bool pointer) {
  std::string text = type.is_const ? "const " + type.name : type.name;
  text.append(static_cast<std::size_t>(type.pointers), '*');
  return pointer ? text + "*" : text;
}

bool is_integer(const std::string& type) {
  static const std::set<std::string, std::less<>> kMore{
      "bool",    "size_t",  "ssize_t",  "uint",    "ulong",    "ushort",   "uchar",    "int8_t",
      "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t",  "uint64_t", "ptrdiff_t",
      "char",    "short",   "int",      "long",    "unsigned", "intptr_t", "uintptr_t"};
  return kMore.contains(type.substr(0, type.find(' '))) || type.ends_with(" int") || type.ends_with(" long");
}

// The type in `extern __shared__ float4 tile[];`, or empty.
std::string dynamic_shared_type(const std::string& text) {
  std::size_t at = text.find("extern");
  for (; at != std::string::npos; at = text.find("extern", at + 1)) {
    const std::size_t end = text.find(';', at), shared = text.find("__shared__", at);
    if (end == std::string::npos || shared == std::string::npos || shared > end) continue;
    std::string rest = text.substr(shared + 10, end - shared - 10);
    const std::size_t bracket = rest.find('[');
    if (bracket != std::string::npos) rest.resize(bracket);
    while (!rest.empty() && !std::isspace(static_cast<unsigned char>(rest.back()))) rest.pop_back();
    while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest.back()))) rest.pop_back();
    const std::size_t last = rest.find_last_of(" \t\n)");
    return last == std::string::npos ? rest : rest.substr(last + 1);
  }
  return {};
}

TemplateSlot slot_of(const cuda::TemplateParameter& parameter, const std::string& text) {
  TemplateSlot slot;
  slot.name = parameter.name;
  slot.is_type = parameter.is_type;
  slot.type = parameter.is_type ? "typename" : type_text(parameter.value_type, false);
  if (slot.type.starts_with("const ")) slot.type.erase(0, 6);
  if (!parameter.fallback) return slot;
  if (parameter.fallback->type) slot.fallback = type_text(*parameter.fallback->type, false);
  if (parameter.fallback->value) slot.fallback = piece(text, parameter.fallback->value->range);
  return slot;
}

ParameterSlot slot_of(const cuda::Parameter& parameter) {
  ParameterSlot slot;
  slot.name = parameter.name;
  slot.type = type_text(parameter.type, !parameter.extents.empty());
  slot.is_pointer = parameter.type.pointers > 0 || !parameter.extents.empty();
  slot.is_floating = !slot.is_pointer && cuda::is_floating_type(parameter.type.name);
  slot.is_integer = !slot.is_pointer && is_integer(parameter.type.name);
  if (!slot.is_pointer && slot.type.starts_with("const ")) slot.type.erase(0, 6);
  // `float rows[][64]`: its elements are rows.
  if (parameter.extents.size() > 1 || (parameter.type.pointers > 0 && !parameter.extents.empty()))
    slot.type += "[]";
  return slot;
}

// "float4", "int2": how many of which number; 0: no such type.
int vector_length(const std::string& type, std::string* element) {
  if (type.size() < 2 || type.back() < '1' || type.back() > '4') return 0;
  const std::string plain = type.substr(0, type.size() - 1);
  constexpr std::pair<std::string_view, std::string_view> kElements[] = {{"char", "char"},
                                                                         {"uchar", "unsigned char"},
                                                                         {"short", "short"},
                                                                         {"ushort", "unsigned short"},
                                                                         {"int", "int"},
                                                                         {"uint", "unsigned int"},
                                                                         {"long", "long long"},
                                                                         {"ulong", "unsigned long long"},
                                                                         {"float", "float"},
                                                                         {"double", "double"},
                                                                         {"longlong", "long long"},
                                                                         {"ulonglong", "unsigned long long"}};
  for (const auto& [name, of] : kElements) {
    if (plain != name) continue;
    *element = of;
    return type.back() - '0';
  }
  return 0;
}

// "p.row[0]", "p.row[1]" of an array of plain length; the name itself of what is none. Empty: it is not
// known.
std::vector<std::string> elements_of(const std::string& name, const cuda::StructField& field,
                                     const std::string& text) {
  constexpr std::int64_t kMost = 64;
  std::vector<std::string> names{name};
  for (const cuda::ExprPtr& extent : field.extents) {
    const auto count = extent ? sim::evaluate_integer(piece(text, extent->range), {}).value : std::nullopt;
    if (!count || *count < 1 || *count * static_cast<std::int64_t>(names.size()) > kMost) return {};
    std::vector<std::string> longer;
    for (const std::string& each : names) {
      for (std::int64_t i = 0; i < *count; ++i) longer.push_back(each + "[" + std::to_string(i) + "]");
    }
    names = std::move(longer);
  }
  return names;
}

// Adds the members of a struct or vector, as the program names its parameters: numbers ask for a value,
// pointers are buffers. false: a member is neither (an array, a template's, one of a union or without a
// name).
bool add_members(const std::string& name, const cuda::TypeName& type, std::size_t argument,
                 const cuda::TranslationUnit& unit, const std::string& text, int depth,
                 std::vector<ParameterSlot>* slots) {
  constexpr int kMostDepth = 8;
  ParameterSlot slot;
  slot.name = name;
  slot.type = type_text(type, false);
  slot.argument = argument;
  slot.is_pointer = type.pointers > 0;
  slot.is_floating = !slot.is_pointer && cuda::is_floating_type(type.name);
  slot.is_integer = !slot.is_pointer && is_integer(type.name);
  if (slot.is_pointer || slot.is_floating || slot.is_integer) {
    if (!slot.is_pointer && slot.type.starts_with("const ")) slot.type.erase(0, 6);
    slots->push_back(std::move(slot));
    return true;
  }
  std::string element;
  if (const int length = vector_length(type.name, &element); length > 0) {
    for (int i = 0; i < length; ++i) {
      slot.name = name + "." + "xyzw"[i];
      slot.type = element;
      slot.is_floating = cuda::is_floating_type(element);
      slot.is_integer = !slot.is_floating;
      slots->push_back(slot);
    }
    return true;
  }
  const auto known = std::find_if(unit.structs.begin(), unit.structs.end(), [&](const cuda::Struct& s) {
    return s.name == type.name && s.is_defined && s.template_parameters.empty();
  });
  if (known == unit.structs.end() || depth >= kMostDepth || known->is_union) return false;
  return std::all_of(known->fields.begin(), known->fields.end(), [&](const cuda::StructField& field) {
    const std::vector<std::string> elements = elements_of(name + "." + field.name, field, text);
    return !elements.empty() && !field.name.starts_with('#') &&
           std::all_of(elements.begin(), elements.end(), [&](const std::string& each) {
             return add_members(each, field.type, argument, unit, text, depth + 1, slots);
           });
  });
}

// A parameter's slots: itself, or the members of a struct.
std::vector<ParameterSlot> slots_of(const cuda::Parameter& parameter, std::size_t argument,
                                    const cuda::TranslationUnit& unit, const std::string& text) {
  ParameterSlot whole = slot_of(parameter);
  whole.argument = argument;
  if (whole.is_pointer || whole.is_floating || whole.is_integer) return {whole};
  std::vector<ParameterSlot> members;
  if (add_members(parameter.name, parameter.type, argument, unit, text, 0, &members)) return members;
  return {whole};
}

// The macros and device functions that the kernel names, whose indices are its own.
std::string around_kernel(const std::string& kernel, const std::string& text,
                          const cuda::TranslationUnit& unit) {
  std::string out;
  for (const cuda::Function& function : unit.functions) {
    if (function.kind == cuda::Function::Kind::Device && mentions(kernel, function.name))
      out += piece(text, function.range) + "\n";
  }
  for (std::size_t at = text.find("#define "); at != std::string::npos; at = text.find("#define ", at + 1)) {
    const std::size_t begin = at + 8, end = std::min(text.find('\n', at), text.size());
    const std::string macro = text.substr(begin, text.find_first_of(" (\t\n", begin) - begin);
    if (mentions(kernel, macro)) out += text.substr(at, end - at) + "\n";
  }
  return out;
}

KernelFacts facts_of(const cuda::Function& function, const std::string& text,
                     const cuda::TranslationUnit& unit) {
  KernelFacts facts;
  facts.name = function.name;
  facts.line = function.name_range.begin.line;
  facts.arguments = function.parameters.size();
  facts.text = piece(text, function.range);
  for (const auto& parameter : function.template_parameters)
    facts.templates.push_back(slot_of(parameter, text));
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    for (ParameterSlot& slot : slots_of(function.parameters[i], i, unit, text))
      facts.parameters.push_back(std::move(slot));
  if (!function.launch_bounds.empty() && function.launch_bounds.front())
    facts.most_threads = piece(text, function.launch_bounds.front()->range);
  const std::string around = around_kernel(facts.text, text, unit);
  const auto uses = [&](char axis) {
    for (const char* name : {"threadIdx.", "blockIdx.", "blockDim.", "gridDim."}) {
      if (mentions(facts.text, name + std::string(1, axis)) || mentions(around, name + std::string(1, axis)))
        return true;
    }
    return false;
  };
  facts.uses_y = uses('y');
  facts.uses_z = uses('z');
  const auto block_uses = [&](const char* axis) {
    const auto in = [&](const std::string& where) {
      return mentions(where, std::string("threadIdx.") + axis) ||
             mentions(where, std::string("blockDim.") + axis);
    };
    return in(facts.text) || in(around);
  };
  facts.block_uses_y = facts.uses_y && block_uses("y");
  facts.block_uses_z = facts.uses_z && block_uses("z");
  facts.dynamic_shared = dynamic_shared_type(facts.text);
  return facts;
}

std::map<std::string, std::int64_t> constants_of(const std::string& text, const HostValues& values,
                                                 Budget& budget) {
  std::map<std::string, std::int64_t> constants;
  const bool any = text.find("constexpr") != std::string::npos || text.find("const ") != std::string::npos;
  for (const auto& [name, expression] : values.names) {
    budget.check(Stage::Reading);
    const sim::IntegerResult result = sim::evaluate_integer(expression, {});
    if (result.value && (any || text.find("#define " + name) != std::string::npos))
      constants[name] = *result.value;
  }
  return constants;
}

// Integers of the headers, whose text begins at `begin`, but for those that the file names itself.
Names header_constants(const std::string& text, std::size_t begin,
                       const std::map<std::string, std::int64_t>& own, Budget& budget) {
  Names names;
  if (begin >= text.size()) return names;
  const std::string headers = text.substr(begin);
  const std::string seen = visible_before(headers, headers.size());
  for (const auto& [name, value] : constants_of(headers, read_host_values(seen, {}, budget), budget)) {
    if (!own.contains(name)) names[name] = std::to_string(value);
  }
  return names;
}

}  // namespace

const KernelFacts* FileFacts::find(std::string_view kernel) const {
  for (const KernelFacts& facts : kernels) {
    if (facts.name == kernel) return &facts;
  }
  return nullptr;
}

const KnownLaunch* FileFacts::first_launch(std::string_view kernel) const {
  for (const KnownLaunch& launch : launches) {
    if (launch.kernel == kernel) return &launch;
  }
  return nullptr;
}

// The kernel that a launch of `name` with so many arguments means; of several the first.
const KernelFacts* FileFacts::launched(std::string_view name, std::size_t arguments) const {
  const KernelFacts* fitting = find(name);
  for (const KernelFacts& facts : kernels) {
    const std::string_view known = facts.name;
    const std::string_view whole = known.substr(0, known.find('('));
    const std::size_t colons = whole.rfind("::");
    const std::string_view last = colons == std::string_view::npos ? whole : whole.substr(colons + 2);
    if (last == name && !fitting && facts.arguments == arguments) fitting = &facts;
  }
  return fitting;
}

FileFacts read_facts(const std::string& text, const Means& means, cuda::HeaderSet headers) {
  FileFacts facts;
  facts.headers = std::move(headers);
  Budget& budget = *means.budget;
  const auto stopped = stopped_in(Stage::Parsing, [&] {
    cuda::ParseResult parsed = cuda::parse(text, {}, budget, facts.headers);
    facts.diagnostics = std::move(parsed.diagnostics);
    facts.sound = !cuda::has_errors(parsed.of_the_file) &&
                  std::none_of(parsed.unit.broken.begin(), parsed.unit.broken.end(),
                               [](const cuda::Broken& broken) { return broken.is_device; });
    const bool is_included = facts.headers && facts.headers->around != cuda::kNoHeader;
    for (const auto& [name, function] : sim::named_kernels(parsed.unit)) {
      budget.check(Stage::Parsing);
      const auto offset = static_cast<std::size_t>(function->name_range.begin.offset);
      if (is_included && offset >= text.size()) continue;  // of the file that includes it
      facts.kernels.push_back(facts_of(*function, parsed.text, parsed.unit));
      facts.kernels.back().name = name;
    }
    const std::string seen = visible_before(text, text.size());
    facts.constants = constants_of(text, read_host_values(seen, {}, budget), budget);
    const Names of_headers = header_constants(parsed.text, text.size(), facts.constants, budget);
    for (const auto& [name, value] : of_headers)
      facts.constants[name] = sim::evaluate_integer(value, {}).value.value_or(0);
    const FileWords words = parsed.unit.launches.empty() ? FileWords{} : words_of_file(parsed.text);
    for (const cuda::HostLaunch& launch : parsed.unit.launches) {
      const KernelFacts* kernel = facts.launched(launch.kernel, launch.arguments.size());
      if (kernel == nullptr || facts.launches.size() >= kMostLaunches) continue;
      facts.launches.push_back(known_launch(launch, *kernel, parsed.text, words, of_headers, budget));
      facts.launches.back().kernel = kernel->name;
      facts.launches.back().label = piece(parsed.text, launch.range);
      if (const auto place = parsed.lines.header_place(launch.range.begin.offset); !place.name.empty()) {
        facts.launches.back().file = place.name;
        facts.launches.back().line = place.line;
      }
    }
  });
  if (stopped)
    facts.diagnostics.push_back({cuda::Severity::Error, {}, stopped->message(), stopped->remedy()});
  facts.sound = facts.sound && !stopped;
  return facts;
}

}  // namespace warplens::app
