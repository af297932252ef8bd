#include "app/source/kernel_facts.h"

#include <algorithm>
#include <set>

#include "app/source/host_run.h"
#include "sim/cuda/parse/children.h"
#include "sim/cuda/parse/parse.h"
#include "sim/cuda/text/names.h"
#include "sim/lower/lower.h"
#include "sim/lower/ptx/module.h"

namespace warplens::app {
namespace {

std::string type_text(const cuda::TypeName& type, bool pointer) {
  std::string text = type.is_const ? "const " + type.name : type.name;
  text.append(static_cast<std::size_t>(type.pointers), '*');
  return pointer ? text + "*" : text;
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

ParameterSlot slot_of(const cuda::Parameter& parameter, std::size_t argument) {
  ParameterSlot slot;
  slot.name = parameter.name.empty() ? "parameter" + std::to_string(argument + 1) : parameter.name;
  slot.type = type_text(parameter.type, !parameter.extents.empty());
  slot.is_pointer = parameter.type.pointers > 0 || !parameter.extents.empty();
  const auto type = cuda::builtin_types().find(parameter.type.name);
  using Kind = cuda::BuiltinType::Kind;
  const bool is_number = !slot.is_pointer && type != cuda::builtin_types().end() &&
                         (type->second.kind == Kind::Scalar || type->second.kind == Kind::SignedChar);
  slot.is_floating = is_number && sim::is_floating(type->second.scalar);
  slot.is_integer = is_number && !slot.is_floating;
  slot.argument = argument;
  if (!slot.is_pointer && slot.type.starts_with("const ")) slot.type.erase(0, 6);
  // `float rows[][64]`: its elements are rows.
  if (parameter.extents.size() > 1 || (parameter.type.pointers > 0 && !parameter.extents.empty()))
    slot.type += "[]";
  return slot;
}

void find_dynamic_shared(const cuda::Stmt& stmt, KernelFacts* facts) {
  const auto* variables = std::get_if<cuda::DeclStmt>(&stmt.node);
  if (variables != nullptr && variables->is_extern && variables->is_shared && facts->dynamic_shared.empty())
    facts->dynamic_shared = type_text(variables->declarators.front().type, false);
  cuda::each_child(
      stmt, [&](const cuda::Stmt& child) { find_dynamic_shared(child, facts); }, [](const cuda::Expr&) {});
}

using Member = std::pair<std::string_view, std::string_view>;
Member member_of_name(const cuda::Expr& expr) {  // {"blockDim", "x"} of blockDim.x
  const auto* member = host::as<cuda::MemberExpr>(expr);
  const auto* base = member != nullptr ? host::as<cuda::NameExpr>(*member->base) : nullptr;
  return base == nullptr ? Member() : Member(base->name, member->member);
}

// A walk over a kernel's body and those of the functions that it calls, each once.
struct Scan {
  const cuda::TranslationUnit& unit;
  KernelFacts* facts;
  std::set<const cuda::Function*> seen = {};
  std::set<std::string> stepped = {};                            // what blockDim.x is added to
  std::vector<std::pair<std::string, std::string>> bounds = {};  // what stays below which name
  bool has_blocks = false, strides = false;  // strides: a place counts all blocks' threads

  void function(const cuda::Function& function);
  void part(const cuda::Expr& expr);
};

void Scan::part(const cuda::Expr& expr) {
  using cuda::BinaryOp;
  const auto [name, member] = member_of_name(expr);
  const bool of_block = name == "threadIdx" || name == "blockDim";
  facts->uses_y |= (of_block || name == "blockIdx" || name == "gridDim") && member == "y";
  facts->block_uses_y |= of_block && member == "y";
  has_blocks |= name == "blockIdx" && member == "x";
  strides |= name == "gridDim";
  const auto* step = host::as<cuda::AssignExpr>(expr);
  const auto* counter = step != nullptr ? host::as<cuda::NameExpr>(*step->target) : nullptr;
  if (counter != nullptr && step->op == BinaryOp::Add &&
      member_of_name(*step->value) == Member("blockDim", "x"))
    stepped.insert(counter->name);
  const auto* both = host::as<cuda::BinaryExpr>(expr);
  if (both == nullptr) return;
  const std::set<std::string_view> sides{member_of_name(*both->left).first,
                                         member_of_name(*both->right).first};
  strides |= both->op == BinaryOp::Mul && sides.contains("blockIdx") && sides.contains("blockDim");
  const auto* below = both->op == BinaryOp::Lt ? host::as<cuda::NameExpr>(*both->left) : nullptr;
  const cuda::Expr* first = both->right.get();  // n of "n / 4"
  while (const auto* more = host::as<cuda::BinaryExpr>(*first)) first = more->left.get();
  const auto* bound = host::as<cuda::NameExpr>(*first);
  if (below != nullptr && bound != nullptr) bounds.emplace_back(below->name, bound->name);
}

void Scan::function(const cuda::Function& function) {
  constexpr std::size_t kMostCalls = 256;
  find_dynamic_shared(*function.body, facts);
  host::each_within(*function.body, [&](const cuda::Expr& expr) {
    part(expr);
    const auto* name = host::as<cuda::NameExpr>(expr);
    for (const cuda::Function& called : unit.functions)
      if (name != nullptr && called.name == name->name && called.kind == cuda::Function::Kind::Device &&
          called.body && seen.size() < kMostCalls && seen.insert(&called).second)
        this->function(called);
  });
}

KernelFacts facts_of(const cuda::Function& function, const std::string& text,
                     const cuda::TranslationUnit& unit) {
  KernelFacts facts;
  facts.name = function.name;
  facts.line = function.name_range.begin.line;
  facts.offset = function.name_range.begin.offset;
  facts.text = piece(text, function.range);
  for (const auto& parameter : function.template_parameters)
    facts.templates.push_back(slot_of(parameter, text));
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    facts.parameters.push_back(slot_of(function.parameters[i], i));
  Scan scan{unit, &facts};
  scan.function(function);
  for (const auto& [variable, bound] : scan.bounds)
    if (scan.has_blocks && !scan.strides && scan.stepped.contains(variable)) facts.row_length = bound;
  return facts;
}

}  // namespace

const KernelFacts* FileFacts::find(const std::string& kernel) const {
  const auto found = std::ranges::find(kernels, kernel, &KernelFacts::name);
  if (found != kernels.end() || kernel.empty()) return found == kernels.end() ? nullptr : &*found;
  std::vector<sim::KernelName> wholes;
  for (const KernelFacts& one : kernels) wholes.push_back(one.whole);
  const auto meant = sim::meant(wholes, sim::read_kernel_name(sim::lower::ptx::demangled(kernel)));
  return meant.size() == 1 ? &kernels[meant[0]] : nullptr;
}

const KnownLaunch* FileFacts::first_launch(std::string_view kernel) const {
  const auto found = std::ranges::find(launches, kernel, &KnownLaunch::kernel);
  return found == launches.end() ? nullptr : &*found;
}

ParameterSlot compiled_slot(const sim::KernelParameter& parameter, std::size_t argument) {
  ParameterSlot slot{parameter.name, parameter.type_text, parameter.is_pointer};
  slot.is_floating = !slot.is_pointer && sim::is_floating(parameter.type);
  slot.is_integer = !slot.is_pointer && !slot.is_floating;
  slot.argument = argument;
  if (!slot.is_pointer && slot.type.starts_with("const ")) slot.type.erase(0, 6);
  if (parameter.fallback) slot.fallback = std::to_string(*parameter.fallback);
  return slot;
}

namespace {

// A kernel of a PTX module: its parameters by how it uses them, and the block that it was compiled for.
void add_entry(const sim::NamedEntry& named, sim::CompileRequest request, Budget& budget, FileFacts* facts) {
  const sim::lower::ptx::Function& entry = *named.function;
  request.kernel = entry.name;
  const sim::CompileResult compiled = sim::compile(request, &budget);
  KernelFacts kernel;
  kernel.name = named.name;
  kernel.whole = named.whole;
  kernel.line = entry.range.begin.line;
  kernel.offset = entry.range.begin.offset;
  std::set<std::string> used;
  for (const sim::lower::ptx::Statement& one : entry.body)
    each_register(one.instruction, [&](const std::string& special, bool) { used.insert(special); });
  kernel.block_uses_y = used.contains("%tid.y") || used.contains("%ntid.y");
  kernel.uses_y = kernel.block_uses_y || used.contains("%ctaid.y");
  if (!compiled.program) {
    facts->diagnostics.insert(facts->diagnostics.end(), compiled.diagnostics.begin(),
                              compiled.diagnostics.end());
    facts->kernels.push_back(std::move(kernel));
    return;
  }
  const sim::Program& program = *compiled.program;
  if (program.uses_dynamic_shared) kernel.dynamic_shared = "char";
  for (const sim::KernelParameter& parameter : program.parameters) {
    if (parameter.symbol_elements > 0 || parameter.fallback) continue;  // it is not used
    kernel.parameters.push_back(compiled_slot(parameter, kernel.parameters.size()));
  }
  if (!entry.threads.empty()) {
    KnownLaunch launch;
    launch.kernel = kernel.name;
    launch.label = ".reqntid";
    launch.line = kernel.line;
    for (std::size_t d = 0; d < 3; ++d)
      launch.fields[std::string("block.") + "xyz"[d]] =
          std::to_string(d < entry.threads.size() ? entry.threads[d] : 1);
    facts->launches.push_back(std::move(launch));
  }
  facts->kernels.push_back(std::move(kernel));
}

}  // namespace

FileFacts facts_of_module(const sim::CompileRequest& request, const Means& means) {
  FileFacts facts;
  facts.source = request.source;
  facts.source_name = request.source_name;
  facts.parameters = request.parameters;
  if (!facts.parameters.empty()) facts.entry = request.kernel;
  const auto stopped = stopped_in(Stage::Parsing, [&] {
    const sim::lower::ptx::Module module = sim::lower::ptx::parse_module(request.text, *means.budget);
    if (module.error) facts.diagnostics.push_back(*module.error);
    facts.sound = !module.error;
    for (const sim::NamedEntry& named : sim::named_entries(module))
      if (facts.entry.empty() || named.function->name == facts.entry)
        add_entry(named, request, *means.budget, &facts);
  });
  if (stopped)
    facts.diagnostics.push_back({cuda::Severity::Error, {}, stopped->message(), stopped->remedy()});
  facts.sound = facts.sound && !stopped;
  return facts;
}

FileFacts read_facts(const std::string& text, const Means& means, cuda::HeaderSet headers) {
  if (sim::lower::ptx::is_module(text)) {
    sim::CompileRequest request;
    request.text = text;
    return facts_of_module(request, means);
  }
  FileFacts facts;
  facts.headers = std::move(headers);
  Budget& budget = *means.budget;
  const auto stopped = stopped_in(Stage::Parsing, [&] {
    cuda::ParseResult parsed = cuda::parse(text, {}, budget, facts.headers, cuda::HostText::Read);
    facts.diagnostics = std::move(parsed.diagnostics);
    facts.sound = !cuda::has_errors(parsed.of_the_file) &&
                  std::none_of(parsed.unit.broken.begin(), parsed.unit.broken.end(),
                               [](const cuda::Broken& broken) { return broken.is_device; });
    const bool is_included = facts.headers && facts.headers->around != cuda::kNoHeader;
    for (const auto& [name, function, whole] : sim::named_kernels(parsed.unit)) {
      budget.check(Stage::Parsing);
      const auto offset = static_cast<std::size_t>(function->name_range.begin.offset);
      if (is_included && offset >= text.size()) continue;  // of the file that includes it
      facts.kernels.push_back(facts_of(*function, parsed.text, parsed.unit));
      facts.kernels.back().name = name;
      facts.kernels.back().whole = whole;
    }
    read_host(parsed, budget, &facts);
    for (const auto& [name, text_of] : parsed.macros)
      if (const auto value = sim::evaluate_integer(text_of, facts.constants).value)
        facts.constants.emplace(name, *value);
  });
  if (facts.kernels.empty() && facts.headers && !stopped) {
    // A library's headers that are not understood: the file by itself, which a full compiler may be asked
    // for.
    FileFacts alone = read_facts(text, means, nullptr);
    alone.headers = facts.headers;
    alone.sound = false;
    if (!alone.kernels.empty()) return alone;
  }
  if (stopped)
    facts.diagnostics.push_back({cuda::Severity::Error, {}, stopped->message(), stopped->remedy()});
  facts.sound = facts.sound && !stopped;
  return facts;
}

}  // namespace warplens::app
