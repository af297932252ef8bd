// compile() and list_kernels().
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "sim/analyse/analyse.h"
#include "sim/lower/ir/ir.h"
#include "sim/lower/kernel_name.h"
#include "sim/lower/lower.h"
#include "sim/lower/lowering.h"
#include "sim/lower/ptx/module.h"
#include "sim/text/scan.h"

namespace warplens::sim {
namespace {

using cuda::Function;

cuda::Diagnostic error_at(const cuda::SourceRange& range, Message message, Message remedy) {
  return {cuda::Severity::Error, range, std::move(message), std::move(remedy)};
}

// A number or a name, as an extent or a template's argument.
std::string value_text(const cuda::Expr* value) {
  if (value == nullptr) return "";
  if (const auto* name = std::get_if<cuda::NameExpr>(&value->node)) return name->name;
  const auto* number = std::get_if<cuda::IntegerLiteral>(&value->node);
  return number ? std::to_string(number->value) : "...";
}

std::string type_text(const cuda::TypeName& type) {
  std::string text = type.is_const ? "const " : "";
  if (type.scope) text += type_text(*type.scope) + "::";
  text += type.name;
  const auto text_of = [](const cuda::TemplateArgument& argument) {
    return argument.type ? type_text(*argument.type) : value_text(argument.value.get());
  };
  if (!type.arguments.empty()) text += "<" + text::joined(type.arguments, text_of) + ">";
  text.append(static_cast<std::size_t>(type.pointers), '*');
  if (type.reference) text += '&';
  return text;
}

std::string type_text(const cuda::Parameter& parameter) {
  std::string text = type_text(parameter.type);
  if (parameter.extents.size() == 1) text += "*";
  if (parameter.extents.size() > 1) text += "(*)";
  for (std::size_t i = 1; i < parameter.extents.size(); ++i)
    text += "[" + value_text(parameter.extents[i].get()) + "]";
  return text;
}

std::string signature_of(const Function& function) {
  const auto text_of = [](const cuda::Parameter& parameter) { return type_text(parameter); };
  return "(" + text::joined(function.parameters, text_of) + ")";
}

KernelName whole_name(const Function& kernel) {
  return {kernel.scope, kernel.name, signature_of(kernel), {}};
}
KernelName whole_name(const lower::ptx::Function& entry) {
  return read_kernel_name(lower::ptx::demangled(entry.name));
}
const cuda::SourceRange& place_of(const Function& kernel) {
  return kernel.name_range;
}
const cuda::SourceRange& place_of(const lower::ptx::Function& entry) {
  return entry.range;
}

template <typename Named>
std::vector<KernelName> wholes_of(const std::vector<Named>& kernels) {
  std::vector<KernelName> wholes;
  for (const Named& kernel : kernels) wholes.push_back(kernel.whole);
  return wholes;
}

template <typename Named>
std::vector<Named> named(std::vector<Named> kernels) {
  for (Named& kernel : kernels) kernel.whole = whole_name(*kernel.function);
  const std::vector<std::string> names = told_apart(wholes_of(kernels));
  for (std::size_t i = 0; i < kernels.size(); ++i) kernels[i].name = names[i];
  return kernels;
}

template <typename Named>
std::string listed(const std::vector<Named>& kernels) {
  return text::joined(kernels, &Named::name);
}

// The kernel that is wanted; empty: the only one there is. Null: it is none or several, which is told.
template <typename Named>
auto choose(const std::vector<Named>& kernels, const std::string& wanted, const Message& how_to_mark,
            std::vector<cuda::Diagnostic>& diagnostics) -> decltype(Named::function) {
  std::vector<Named> fitting;
  for (const std::size_t i : meant(wholes_of(kernels), read_kernel_name(wanted)))
    fitting.push_back(kernels[i]);
  if (fitting.size() == 1) return fitting[0].function;
  if (kernels.empty()) {
    diagnostics.push_back(error_at({}, Message("the file has no kernel"), how_to_mark));
  } else if (fitting.empty()) {
    std::vector<std::string> names;
    for (const Named& kernel : kernels) names.push_back(kernel.name);
    const Message near = lower::suggestion(wanted, names);
    diagnostics.push_back(error_at({}, Message("the file has no kernel '{}'", wanted),
                                   near.empty() ? Message("it has: {}", listed(kernels)) : near));
  } else {
    const bool are_alike = fitting[0].name == fitting[1].name;  // cells of a notebook, say
    diagnostics.push_back(error_at(
        place_of(*fitting[1].function),
        wanted.empty() ? Message("the file has {} kernels: {}", fitting.size(), listed(fitting))
                       : Message("the file has {} kernels '{}': {}", fitting.size(), wanted, listed(fitting)),
        are_alike        ? Message("nothing tells these apart: give a file that has one of them")
        : wanted.empty() ? Message("choose one by its name")
                         : Message("choose one of these")));
  }
  return nullptr;
}

const Function* choose_kernel(const cuda::TranslationUnit& unit, const std::string& wanted,
                              std::vector<cuda::Diagnostic>& diagnostics) {
  const std::vector<NamedKernel> kernels = named_kernels(unit);
  for (const cuda::Broken& broken : unit.broken) {
    const bool meant = wanted.empty() ? kernels.empty() : broken.name == read_kernel_name(wanted).qualified();
    if (!broken.is_kernel || !meant) continue;
    diagnostics.insert(diagnostics.end(), broken.diagnostics.begin(), broken.diagnostics.end());
    return nullptr;
  }
  const auto declared = std::ranges::find(unit.functions, Function::Kind::Kernel, &Function::kind);
  const Message how =
      kernels.empty() && declared != unit.functions.end()
          ? Message("'{}' is only declared here: give the file that defines it", declared->name)
          : Message("mark one: __global__ void name(...) { ... }");
  return choose(kernels, wanted, how, diagnostics);
}

// Functions that cannot be read and that the kernel does not call are only remarked on.
void note_left_out(const cuda::TranslationUnit& unit, const Function& kernel,
                   std::vector<cuda::Diagnostic>& diagnostics) {
  constexpr int kMost = 10;
  int noted = 0;
  const auto note = [&](const std::string& name, const std::vector<cuda::Diagnostic>& errors) {
    for (const cuda::Diagnostic& error : errors) {
      if (error.severity != cuda::Severity::Error) continue;
      if (++noted > kMost) return;
      cuda::Diagnostic left_out = error;
      left_out.severity = cuda::Severity::Warning;
      left_out.message =
          Message("'{}', which '{}' does not need, is left out: {}", name, kernel.name, error.message);
      diagnostics.push_back(std::move(left_out));
      return;
    }
  };
  for (const Function& function : unit.functions) note(function.name, function.errors);
  for (const cuda::Broken& broken : unit.broken) {
    if (broken.is_device) note(broken.name, broken.diagnostics);
  }
}

}  // namespace

namespace {

// An error of no place: what the budget ended says nothing of the text.
cuda::Diagnostic diagnostic_of(const Stopped& stopped) {
  return error_at({}, stopped.message(), stopped.remedy());
}

// The entry of a PTX module by its name, as the module or as a person writes it.
const lower::ptx::Function* choose_entry(const lower::ptx::Module& module, const std::string& wanted,
                                         std::vector<cuda::Diagnostic>& diagnostics) {
  const std::vector<NamedEntry> entries = named_entries(module);
  for (const NamedEntry& entry : entries)
    if (entry.function->name == wanted) return entry.function;
  return choose(entries, wanted, Message("a kernel is an .entry"), diagnostics);
}

// What is left to do once it is known what every pointer leads to.
Program finished(lower::Lowering& lowering, Program program, Budget& budget) {
  lower::Ir& ir = lowering.ir();
  lower::decide_uniformity(ir, budget);
  lower::emit(ir, lowering.shared_memory.dynamic_offset(), program, budget);
  analyse(program, budget);  // before values share registers: it then knows of each what is its own
  lower::share_registers(program, budget);
  return program;
}

void compile(cuda::ParseResult& parsed, const CompileRequest& request, Budget& budget,
             CompileResult& result) {
  result.diagnostics = std::move(parsed.of_the_file);
  if (cuda::has_errors(result.diagnostics)) {
    result.diagnostics = std::move(parsed.diagnostics);
    return;
  }
  const Function* kernel = choose_kernel(parsed.unit, request.kernel, result.diagnostics);
  if (!kernel) return;
  if (!kernel->errors.empty()) {
    result.diagnostics.insert(result.diagnostics.end(), kernel->errors.begin(), kernel->errors.end());
    return;
  }

  Program program;
  const bool gives = !request.template_arguments.empty();
  const std::vector<std::string> arguments =
      gives ? request.template_arguments : read_kernel_name(request.kernel).arguments;
  std::optional<lower::Lowering> lowered;
  std::set<std::size_t> in_shared, found;
  do {  // twice at the most: the second time nothing is found that the first did not
    program = {};
    program.cluster = request.cluster;
    program.buffers_overlap = request.buffers_overlap;
    lowered.emplace(parsed.unit, parsed.text, budget).fragment_loads.in_shared = in_shared;
    lowered->kernel(*kernel, arguments, program);
    if (cuda::has_errors(lowered->diagnostics)) break;
    lower::decide_copy_sizes(lowered->ir(), budget);
    lower::optimise(lowered->ir(), budget);
    lower::trace_origins(lowered->ir(), program, budget);
    found = lowered->fragment_loads.found_in_shared(lowered->ir(), lowered->pace());
  } while (std::exchange(in_shared, found).empty() && !in_shared.empty());
  lower::Lowering& lowering = *lowered;
  for (cuda::Diagnostic& diagnostic : lowering.diagnostics) {
    const Message header = parsed.lines.in_header(diagnostic.range.begin.offset);
    const bool says_so = header.empty() || diagnostic.message.english().starts_with(header.english());
    if (!says_so) diagnostic.message = Message("{}: {}", header, diagnostic.message);
    result.diagnostics.push_back(std::move(diagnostic));
  }
  if (cuda::has_errors(result.diagnostics)) return;
  note_left_out(parsed.unit, *kernel, result.diagnostics);

  lower::Ir& ir = lowering.ir();
  lower::decide_what_is_known(ir, budget);
  lower::use_known_indices(ir, program, budget);
  result.program = finished(lowering, std::move(program), budget);
}

bool has_textures(const CompileRequest& request) {
  return request.text.find("tex.") != std::string::npos;
}

// What its source says of the kernel, where that has to be known; nothing where it cannot be compiled here.
std::optional<Program> program_of_source(const CompileRequest& request, const lower::ptx::Module& module,
                                         const lower::ptx::Function& entry, Budget& budget) {
  const auto is_shared = [](const lower::ptx::Variable& variable) {
    return variable.space == lower::ptx::Variable::Space::Shared;
  };
  const bool has_shared = std::ranges::any_of(module.variables, is_shared) ||
                          std::ranges::any_of(module.functions, [&](const lower::ptx::Function& function) {
                            return std::ranges::any_of(function.variables, is_shared);
                          });
  const bool is_wanted =
      (has_shared && request.shared_arrays.empty()) || (has_textures(request) && request.textures.empty());
  if (!is_wanted || request.source.empty() || request.source_name.ends_with(".py")) return {};
  CompileRequest source;
  source.text = request.source;
  source.kernel = read_kernel_name(lower::ptx::demangled(entry.name)).with_arguments();
  return compile(source, &budget).program;
}

// A kernel of a PTX module: a compiler has decided which accesses there are.
void compile_module(const CompileRequest& request, Budget& budget, CompileResult& result) {
  const lower::ptx::Module module = lower::ptx::parse_module(request.text, budget);
  if (module.error) return result.diagnostics.push_back(*module.error);
  const lower::ptx::Function* entry = choose_entry(module, request.kernel, result.diagnostics);
  if (entry == nullptr) return;
  // What tex does is written in CUDA C++, all of which is a library's.
  cuda::ParseResult library;
  if (has_textures(request)) library = cuda::parse("// tex1D", {}, budget);
  library.unit.library = 0;
  lower::Lowering lowering(library.unit, request.text, budget);
  Program program;
  program.compiled = true;
  program.buffers_overlap = request.buffers_overlap;
  const std::optional<Program> source = program_of_source(request, module, *entry, budget);
  lower::Declared declared{request.shared_arrays, request.textures};
  if (source && declared.shared_arrays.empty()) declared.shared_arrays = source->shared_arrays;
  if (source && declared.textures.empty())
    std::ranges::copy_if(source->parameters, std::back_inserter(declared.textures),
                         [](const KernelParameter& one) { return one.is_texture && one.is_pointer; });
  lowering.entry(module, *entry, request, declared, program);
  result.diagnostics.insert(result.diagnostics.end(), lowering.diagnostics.begin(),
                            lowering.diagnostics.end());
  if (cuda::has_errors(result.diagnostics)) return;
  lower::decide_copy_sizes(lowering.ir(), budget);
  lower::optimise(lowering.ir(), budget);
  lower::trace_origins(lowering.ir(), program, budget);
  if (request.assembled) {
    lower::join_accesses(lowering.ir(), budget);
    lower::trace_origins(lowering.ir(), program, budget);
    program.static_shared_bytes =
        (program.static_shared_bytes + 15) / 16 * 16;  // 16 bytes are read at its end
  } else {
    lower::find_joinable_accesses(lowering.ir(), budget);
  }
  lower::decide_what_is_known(lowering.ir(), budget);
  result.program = finished(lowering, std::move(program), budget);
}

// What is told of a header is told at the #include that brings it.
void show_in_text(const cuda::LineTable& lines, std::vector<cuda::Diagnostic>& diagnostics) {
  for (cuda::Diagnostic& diagnostic : diagnostics) diagnostic.range = lines.in_text(diagnostic.range);
}

// Whether the code of a line, its comment aside, says FIXME: what courses write where the student is to.
bool is_left_to_write(std::string_view line) {
  return text::names_word(line.substr(0, line.find("//")), "FIXME");
}

// An error in a line that is left to write says which lines of the text are.
void say_what_is_left(std::string_view text, std::vector<cuda::Diagnostic>& diagnostics) {
  std::vector<int> lines;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (is_left_to_write(text.substr(0, end))) lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const auto first = std::ranges::find_if(diagnostics, [&](const cuda::Diagnostic& d) {
    return d.severity == cuda::Severity::Error && std::ranges::binary_search(lines, d.range.begin.line);
  });
  if (first == diagnostics.end()) return;
  const std::string list = text::joined(lines, [](int line) { return std::to_string(line); });
  first->remedy = lines.size() == 1 ? Message("line {} says FIXME: it is left to write", list)
                                    : Message("lines {} say FIXME: they are left to write", list);
}

void compile_as_it_is(const CompileRequest& request, Budget& budget, CompileResult& result) {
  cuda::ParseResult parsed = cuda::parse(request.text, request.defines, budget, request.headers);
  compile(parsed, request, budget, result);
  show_in_text(parsed.lines, result.diagnostics);
  if (cuda::has_errors(result.diagnostics)) say_what_is_left(request.text, result.diagnostics);
}

// What files call a warp's lanes, and a header that is not here often declares. Empty: that is not what is
// missing.
std::string missing_warp_size(const std::vector<cuda::Diagnostic>& diagnostics) {
  for (const char* name : {"WARP_SIZE", "WARPSIZE", "kWarpSize"}) {
    const std::string missing = Message("'{}' is not declared here", name).english();
    for (const cuda::Diagnostic& diagnostic : diagnostics)
      if (diagnostic.message.english().ends_with(missing)) return name;
  }
  return {};
}

void compile(const CompileRequest& request, Budget& budget, CompileResult& result) {
  if (lower::ptx::is_module(request.text)) return compile_module(request, budget, result);
  compile_as_it_is(request, budget, result);
  const std::string name = result.program ? std::string() : missing_warp_size(result.diagnostics);
  if (name.empty()) return;
  CompileRequest with_lanes = request;
  with_lanes.defines.emplace_back(name, "32");
  CompileResult again;
  compile_as_it_is(with_lanes, budget, again);
  if (!again.program) return;
  cuda::Diagnostic taken =
      error_at({}, Message("'{}' is declared in no file that is here: taken for 32", name),
               Message("--define {}=VALUE says another value", name));
  taken.severity = cuda::Severity::Warning;
  again.diagnostics.insert(again.diagnostics.begin(), std::move(taken));
  result = std::move(again);
}

void list_kernels(std::string_view text, const cuda::Defines& defines, Budget& budget,
                  const cuda::HeaderSet& headers, KernelList& list) {
  if (lower::ptx::is_module(text)) {
    const lower::ptx::Module module = lower::ptx::parse_module(text, budget);
    if (module.error) list.diagnostics.push_back(*module.error);
    for (const auto& [name, entry, whole] : named_entries(module)) {
      KernelSignature signature;
      signature.name = name;
      signature.range = entry->range;
      for (const lower::ptx::Variable& parameter : entry->parameters)
        signature.parameters.push_back("." + parameter.type + " " + parameter.name);
      list.kernels.push_back(std::move(signature));
    }
    return;
  }
  cuda::ParseResult parsed = cuda::parse(text, defines, budget, headers);
  list.diagnostics = std::move(parsed.diagnostics);
  show_in_text(parsed.lines, list.diagnostics);
  for (const auto& [name, kernel, whole] : named_kernels(parsed.unit)) {
    KernelSignature signature;
    signature.name = name;
    signature.range = kernel->name_range;
    for (const cuda::TemplateParameter& parameter : kernel->template_parameters) {
      signature.template_parameters.push_back(
          (parameter.is_type ? "typename " : type_text(parameter.value_type) + " ") + parameter.name);
    }
    for (const cuda::Parameter& parameter : kernel->parameters) {
      signature.parameters.push_back(type_text(parameter) + (parameter.name.empty() ? "" : " ") +
                                     parameter.name);
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
  if (result.program)
    result.program->parameters.insert(result.program->parameters.end(), request.behind.begin(),
                                      request.behind.end());
  return result;
}

std::vector<NamedKernel> named_kernels(const cuda::TranslationUnit& unit) {
  std::vector<NamedKernel> kernels;
  for (const Function& function : unit.functions) {
    if (function.kind != Function::Kind::Kernel || !function.body) continue;
    if (!function.is_specialisation) kernels.push_back({{}, &function});  // goes by its template's name
  }
  return named(std::move(kernels));
}

std::vector<NamedEntry> named_entries(const lower::ptx::Module& module) {
  std::vector<NamedEntry> entries;
  for (const lower::ptx::Function& function : module.functions)
    if (function.is_entry) entries.push_back({{}, &function});
  return named(std::move(entries));
}

KernelPlace place_of_kernel(std::string_view text, const std::string& kernel, const cuda::Defines& defines,
                            const cuda::HeaderSet& headers) {
  constexpr double kMostSeconds = 3;
  const std::size_t end = kernel.find_first_of("<("), colon = kernel.substr(0, end).rfind("::");
  KernelPlace place{{}, colon == std::string::npos ? kernel : kernel.substr(colon + 2)};
  if (kernel.empty() || text.find("namespace") == std::string_view::npos) return place;
  Budget budget({.deadline = Budget::in(kMostSeconds)});
  (void)stopped_in(Stage::Parsing, [&] {
    const cuda::ParseResult parsed = cuda::parse(text, defines, budget, headers);
    std::vector<cuda::Diagnostic> ignored;
    if (const Function* found = choose_kernel(parsed.unit, kernel, ignored)) place.scope = found->scope;
  });
  return place;
}

KernelList list_kernels(std::string_view text, const cuda::Defines& defines, Budget* budget,
                        const cuda::HeaderSet& headers) {
  KernelList list;
  list.stopped = stopped_in(Stage::Parsing, [&] {
    list_kernels(text, defines, budget != nullptr ? *budget : Budget::endless(), headers, list);
  });
  if (list.stopped) list.diagnostics.push_back(diagnostic_of(*list.stopped));
  // A library's headers that are not understood hide what the file says by itself.
  if (list.kernels.empty() && headers && !list.stopped) {
    KernelList alone;
    (void)stopped_in(Stage::Parsing, [&] {
      list_kernels(text, defines, budget != nullptr ? *budget : Budget::endless(), nullptr, alone);
    });
    list.kernels = std::move(alone.kernels);
  }
  return list;
}

}  // namespace warplens::sim
