// compile() and list_kernels().
#include <algorithm>

#include "sim/analyse/analyse.h"
#include "sim/lower/ir/registers.h"
#include "sim/lower/lower.h"
#include "sim/lower/lowering.h"

namespace warplens::sim {
namespace {

using cuda::Function;

cuda::Diagnostic error_at(const cuda::SourceRange& range, std::string message, std::string remedy) {
  return {cuda::Severity::Error, range, std::move(message), std::move(remedy)};
}

std::vector<const Function*> kernels_of(const cuda::TranslationUnit& unit) {
  std::vector<const Function*> kernels;
  for (const Function& function : unit.functions) {
    if (function.kind == Function::Kind::Kernel && function.body) kernels.push_back(&function);
  }
  return kernels;
}

std::string names_of(const std::vector<const Function*>& kernels) {
  std::string names;
  for (const Function* kernel : kernels) names += (names.empty() ? "" : ", ") + kernel->name;
  return names;
}

const Function* choose_kernel(const cuda::TranslationUnit& unit, const std::string& name,
                              std::vector<cuda::Diagnostic>& diagnostics) {
  const std::vector<const Function*> kernels = kernels_of(unit);
  if (kernels.empty()) {
    diagnostics.push_back(
        error_at({}, "the file has no kernel", "mark one: __global__ void name(...) { ... }"));
    return nullptr;
  }
  if (name.empty()) {
    if (kernels.size() == 1) return kernels[0];
    diagnostics.push_back(
        error_at(kernels[1]->name_range,
                 "the file has " + std::to_string(kernels.size()) + " kernels: " + names_of(kernels),
                 "choose one by its name"));
    return nullptr;
  }
  for (const Function* kernel : kernels) {
    if (kernel->name == name) return kernel;
  }
  std::vector<std::string> names;
  for (const Function* kernel : kernels) names.push_back(kernel->name);
  const std::string near = lower::suggestion(name, names);
  diagnostics.push_back(error_at({}, "the file has no kernel '" + name + "'",
                                 near.empty() ? "it has: " + names_of(kernels) : near));
  return nullptr;
}

std::string type_text(const cuda::TypeName& type) {
  std::string text = type.is_const ? "const " : "";
  text += type.name;
  text.append(static_cast<std::size_t>(type.pointers), '*');
  if (type.reference) text += '&';
  return text;
}

}  // namespace

namespace {

// An error of no place: what the budget ended says nothing of the text.
cuda::Diagnostic diagnostic_of(const Stopped& stopped) {
  return error_at({}, stopped.message(), stopped.remedy());
}

void compile(const CompileRequest& request, Budget& budget, CompileResult& result) {
  cuda::ParseResult parsed = cuda::parse(request.text, request.defines, budget);
  result.diagnostics = std::move(parsed.diagnostics);
  if (cuda::has_errors(result.diagnostics)) return;
  const Function* kernel = choose_kernel(parsed.unit, request.kernel, result.diagnostics);
  if (!kernel) return;

  lower::Lowering lowering(parsed.unit, request.text, budget);
  Program program;
  lowering.kernel(*kernel, request.template_arguments, program);
  result.diagnostics.insert(result.diagnostics.end(), lowering.diagnostics.begin(),
                            lowering.diagnostics.end());
  if (cuda::has_errors(result.diagnostics)) return;

  lower::Ir& ir = lowering.ir();
  lower::optimise(ir, budget);
  lower::trace_origins(ir, budget);
  lower::decide_uniformity(ir, budget);
  lower::emit(ir, lowering.dynamic_shared_offset(), program, budget);
  analyse(program, budget);  // before values share registers: it then knows of each what is its own
  lower::share_registers(program, budget);
  result.program = std::move(program);
}

void list_kernels(std::string_view text, const cuda::Defines& defines, Budget& budget, KernelList& list) {
  cuda::ParseResult parsed = cuda::parse(text, defines, budget);
  list.diagnostics = std::move(parsed.diagnostics);
  list.launches = std::move(parsed.unit.launches);
  for (const Function* kernel : kernels_of(parsed.unit)) {
    KernelSignature signature;
    signature.name = kernel->name;
    signature.range = kernel->name_range;
    for (const cuda::TemplateParameter& parameter : kernel->template_parameters) {
      signature.template_parameters.push_back(
          (parameter.is_type ? "typename " : type_text(parameter.value_type) + " ") + parameter.name);
    }
    for (const cuda::Parameter& parameter : kernel->parameters) {
      const std::string pointer = parameter.extents.empty() ? "" : "*";
      signature.parameters.push_back(type_text(parameter.type) + pointer +
                                     (parameter.name.empty() ? "" : " ") + parameter.name);
    }
    list.kernels.push_back(std::move(signature));
  }
}

}  // namespace

CompileResult compile(const CompileRequest& request, Budget* budget) {
  CompileResult result;
  result.stopped = stopped_in(
      Stage::Lowering, [&] { compile(request, budget != nullptr ? *budget : Budget::endless(), result); });
  if (result.stopped) result.diagnostics.push_back(diagnostic_of(*result.stopped));
  return result;
}

KernelList list_kernels(std::string_view text, const cuda::Defines& defines, Budget* budget) {
  KernelList list;
  list.stopped = stopped_in(Stage::Parsing, [&] {
    list_kernels(text, defines, budget != nullptr ? *budget : Budget::endless(), list);
  });
  if (list.stopped) list.diagnostics.push_back(diagnostic_of(*list.stopped));
  return list;
}

}  // namespace warplens::sim
