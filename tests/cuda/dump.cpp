#include "tests/cuda/dump.h"

#include <array>
#include <string_view>

#include "sim/base/numbers.h"

namespace warplens::cuda {

namespace {

std::string dump(const ExprPtr& expr) {
  return expr ? dump(*expr) : "";
}
std::string dump(const StmtPtr& stmt) {
  return stmt ? dump(*stmt) : ";";
}

template <typename List, typename Each>
std::string joined(const List& list, Each each, std::string_view separator = ", ") {
  std::string out;
  for (const auto& item : list) {
    if (&item != &list.front()) out += separator;
    out += each(item);
  }
  return out;
}

std::string dump_all(const std::vector<ExprPtr>& exprs) {
  return joined(exprs, [](const ExprPtr& e) { return dump(e); });
}

std::string dump_arguments(const std::vector<TemplateArgument>& arguments) {
  if (arguments.empty()) return "";
  auto each = [](const TemplateArgument& a) {
    return a.type ? dump(*a.type) : a.value ? dump(*a.value) : "?";
  };
  return "<" + joined(arguments, each) + ">";
}

std::string dump_extents(const std::vector<ExprPtr>& extents) {
  std::string out;
  for (const ExprPtr& extent : extents) out += "[" + dump(extent) + "]";
  return out;
}

struct ExprDumper {
  std::string operator()(const IntegerLiteral& e) const {
    std::string suffix = e.is_unsigned ? "u" : "";
    return std::to_string(e.value) + suffix + std::string(e.longs, 'l');
  }
  std::string operator()(const CharLiteral& e) const { return "char " + std::to_string(e.value); }
  std::string operator()(const NullLiteral&) const { return "nullptr"; }
  std::string operator()(const FloatLiteral& e) const {
    std::string text = formatted("%.9g", e.value);
    if (text.find_first_of(".einf") == std::string::npos) text += ".0";
    return text + (e.is_float ? "f" : "");
  }
  std::string operator()(const BoolLiteral& e) const { return e.value ? "true" : "false"; }
  std::string operator()(const StringLiteral& e) const { return "\"" + e.value + "\""; }
  std::string operator()(const NameExpr& e) const {
    return (e.scope ? cuda::dump(*e.scope) + "::" : "") + e.name + dump_arguments(e.arguments);
  }
  std::string operator()(const UnaryExpr& e) const {
    const std::string symbol = spelling(e.op), operand = dump(e.operand);
    return "(" + (e.op <= UnaryOp::PreDecrement ? symbol + operand : operand + symbol) + ")";
  }
  std::string operator()(const BinaryExpr& e) const {
    return "(" + dump(e.left) + " " + spelling(e.op) + " " + dump(e.right) + ")";
  }
  std::string operator()(const AssignExpr& e) const {
    std::string op = e.op ? std::string(spelling(*e.op)) : "";
    return "(" + dump(e.target) + " " + op + "= " + dump(e.value) + ")";
  }
  std::string operator()(const ConditionalExpr& e) const {
    return "(" + dump(e.condition) + " ? " + dump(e.then_value) + " : " + dump(e.else_value) + ")";
  }
  std::string operator()(const CallExpr& e) const {
    const std::string launch = e.configuration.empty() ? "" : "<<<" + dump_all(e.configuration) + ">>>";
    return dump(e.callee) + launch + "(" + dump_all(e.arguments) + ")";
  }
  std::string operator()(const IndexExpr& e) const { return dump(e.base) + "[" + dump(e.index) + "]"; }
  std::string operator()(const MemberExpr& e) const {
    return dump(e.base) + (e.arrow ? "->" : ".") + e.member;
  }
  std::string operator()(const CastExpr& e) const {
    constexpr std::array<std::string_view, 5> kKind = {"c", "", "static", "reinterpret", "const"};
    if (e.kind == CastKind::Functional) return cuda::dump(e.type) + "(" + dump(e.operand) + ")";
    std::string kind(kKind[static_cast<std::size_t>(e.kind)]);
    return kind + "_cast<" + cuda::dump(e.type) + ">(" + dump(e.operand) + ")";
  }
  std::string operator()(const ConstructExpr& e) const {
    return cuda::dump(e.type) + "{" + dump_all(e.arguments) + "}";
  }
  std::string operator()(const LambdaExpr& e) const { return "lambda " + e.function->name; }
  std::string operator()(const InitListExpr& e) const { return "{" + dump_all(e.elements) + "}"; }
  std::string operator()(const DesignatedExpr& e) const { return "." + e.member + " = " + dump(e.value); }
  std::string operator()(const SizeofExpr& e) const {
    constexpr const char* kWords[] = {"sizeof(", "alignof(", "extent("};
    return std::string(kWords[static_cast<int>(e.of)]) + (e.type ? cuda::dump(*e.type) : dump(e.operand)) +
           ")";
  }
};

std::string dump_declarator(const Declarator& d) {
  std::string out = cuda::dump(d.type) + " " + d.name + dump_extents(d.extents);
  return d.initializer ? out + " = " + dump(d.initializer) : out;
}

struct StmtDumper {
  std::string operator()(const DeclStmt& s) const {
    std::string out = s.is_constant_memory ? "__constant__ " : s.is_device_memory ? "__device__ " : "";
    if (s.is_extern) out += "extern ";
    if (s.is_static) out += "static ";
    if (s.is_constexpr) out += "constexpr ";
    if (s.is_shared) out += "__shared__ ";
    if (s.alignment > 0) out += "align(" + std::to_string(s.alignment) + ") ";
    return out + joined(s.declarators, dump_declarator) + ";";
  }
  std::string operator()(const ExprStmt& s) const { return dump(s.expr) + ";"; }
  std::string operator()(const CompoundStmt& s) const {
    return "{ " +
           joined(
               s.body, [](const StmtPtr& child) { return dump(child) + " "; }, "") +
           "}";
  }
  std::string operator()(const IfStmt& s) const {
    std::string out =
        (s.is_constexpr ? "if constexpr (" : "if (") + dump(s.condition) + ") " + dump(s.then_branch);
    return s.else_branch ? out + " else " + dump(s.else_branch) : out;
  }
  std::string operator()(const ForStmt& s) const {
    return "for (" + dump(s.init) + " " + dump(s.condition) + "; " + dump(s.increment) + ") " + dump(s.body);
  }
  std::string operator()(const WhileStmt& s) const {
    return "while (" + dump(s.condition) + ") " + dump(s.body);
  }
  std::string operator()(const DoStmt& s) const {
    return "do " + dump(s.body) + " while (" + dump(s.condition) + ");";
  }
  std::string operator()(const SwitchStmt& s) const {
    std::string out = "switch (" + dump(s.condition) + ") { ";
    std::size_t label = 0;
    for (std::size_t i = 0; i <= s.body.size(); ++i) {
      for (; label < s.labels.size() && s.labels[label].before == i; ++label) {
        out += s.labels[label].value ? "case " + dump(s.labels[label].value) + ": " : "default: ";
      }
      if (i < s.body.size()) out += dump(s.body[i]) + " ";
    }
    return out + "}";
  }
  std::string operator()(const BreakStmt&) const { return "break;"; }
  std::string operator()(const ContinueStmt&) const { return "continue;"; }
  std::string operator()(const ReturnStmt& s) const {
    return s.value ? "return " + dump(s.value) + ";" : "return;";
  }
  std::string operator()(const EmptyStmt&) const { return ";"; }
  std::string operator()(const StaticAssertStmt& s) const {
    return "static_assert(" + dump(*s.condition) + ");";
  }
  std::string operator()(const AsmStmt& s) const {
    std::string out = "asm(\"" + s.text + "\"";
    for (const auto* operands : {&s.outputs, &s.inputs}) {
      out += " :";
      for (const AsmOperand& operand : *operands)
        out += " \"" + operand.constraint + "\"(" + dump(operand.expr) + ")";
    }
    return out + ");";
  }
  std::string operator()(const UsingStmt& s) const {
    return "using " + s.name + " = " + cuda::dump(s.type) + ";";
  }
};

std::string dump_template(const std::vector<TemplateParameter>& parameters) {
  if (parameters.empty()) return "";
  auto each = [](const TemplateParameter& p) {
    std::string out = (p.is_type ? "typename" : dump(p.value_type)) + (p.name.empty() ? "" : " " + p.name);
    if (!p.fallback) return out;
    return out + " = " + (p.fallback->type ? dump(*p.fallback->type) : dump(*p.fallback->value));
  };
  return "template <" + joined(parameters, each) + "> ";
}

std::string dump_parameter(const Parameter& p) {
  std::string out = dump(p.type) + (p.name.empty() ? "" : " " + p.name) + dump_extents(p.extents);
  return p.fallback ? out + " = " + dump(p.fallback) : out;
}

std::string dump_struct(const Struct& s) {
  std::string out = dump_template(s.template_parameters) + "struct " + s.name;
  if (s.alignment > 0) out += " align(" + std::to_string(s.alignment) + ")";
  out += " { ";
  for (const StmtPtr& member : s.members) out += dump(member) + " ";
  for (const StructField& f : s.fields) {
    out += dump(f.type) + " " + f.name + dump_extents(f.extents);
    out += (f.initializer ? " = " + dump(f.initializer) : "") + "; ";
  }
  for (const Function& f : s.functions) out += dump(f) + " ";
  return out + "}";
}

}  // namespace

std::string dump(const TypeName& type) {
  std::string out = std::string(type.is_const ? "const " : "") + (type.is_volatile ? "volatile " : "");
  if (type.scope) out += dump(*type.scope) + "::";
  out += type.name + dump_arguments(type.arguments) + std::string(type.pointers, '*');
  return out + (type.reference ? "&" : "");
}

std::string dump(const Expr& expr) {
  return std::visit(ExprDumper{}, expr.node);
}

std::string dump(const Stmt& stmt) {
  return std::visit(StmtDumper{}, stmt.node);
}

std::string dump(const Function& function) {
  std::string out = dump_template(function.template_parameters);
  bool kernel = function.kind == Function::Kind::Kernel;
  out += kernel ? "kernel " : "device " + dump(function.result) + " ";
  if (!function.launch_bounds.empty()) out += "bounds(" + dump_all(function.launch_bounds) + ") ";
  out += function.name + dump_arguments(function.specialised_for);
  out += "(" + joined(function.parameters, dump_parameter) + ")" + (function.is_const ? " const" : "");
  for (const MemberInit& init : function.member_inits) {
    out += (&init == &function.member_inits.front() ? " : " : ", ") + init.name + "(" +
           dump_all(init.arguments) + ")";
  }
  return out + (function.body ? " " + dump(function.body) : ";");
}

std::string dump(const TranslationUnit& unit) {
  std::string out;
  for (const StmtPtr& global : unit.globals) out += dump(global) + "\n";
  for (const Struct& s : unit.structs) out += dump_struct(s) + "\n";
  for (const Function& function : unit.functions) out += dump(function) + "\n";
  for (const StmtPtr& global : unit.host.globals) out += "host " + dump(global) + "\n";
  for (const Struct& s : unit.host.structs) out += "host " + dump_struct(s) + "\n";
  for (const Function& function : unit.host.functions) out += "host " + dump(function) + "\n";
  return out;
}

}  // namespace warplens::cuda
