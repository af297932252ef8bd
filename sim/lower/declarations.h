// Variables, of functions, of blocks and of the host, and what operators do to them.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/lower/call/records.h"

namespace warplens::sim::lower {

// What a declaration makes of its names: values, registers, or places in a thread's or a block's memory.
class Declarations : public LoweringPart {
 public:
  using LoweringPart::LoweringPart;
  void declare_local(const cuda::DeclStmt& stmt, const cuda::Declarator& declarator);
  void declare_shared(const cuda::DeclStmt& stmt, const cuda::Declarator& declarator);
  Result reference_to(const cuda::Expr& initializer, TypeRef type, const cuda::TypeName& written);
  TypeRef extent_of_list(TypeRef type, const cuda::Declarator& declarator);
  bool must_lie_in_memory(const std::string& name, TypeRef type);
  bool check_new_name(const std::string& name, const cuda::SourceRange& range);

 private:
  void declare_static(const cuda::DeclStmt& stmt, const cuda::Declarator& declarator);
  void name_static(KernelParameter& variable);
  bool measures_reference(const cuda::TypeName& type);
  void declare_reference(const cuda::Declarator& declarator, TypeRef type);
  void declare_in_memory(const cuda::Declarator& declarator, TypeRef type);
  void declare_in_registers(const cuda::DeclStmt& stmt, const cuda::Declarator& declarator, TypeRef type);

  using Key = std::pair<const cuda::Declarator*, std::string>;
  std::map<Key, Result> shared_;   // a function's array is one array
  std::map<Key, Symbol> statics_;  // of a function: one variable
};

// A kernel's parameters, and variables of the file that the host fills.
class KernelMemory : public LoweringPart {
 public:
  using LoweringPart::LoweringPart;
  void kernel_parameters(const cuda::Function& function);
  Result host_variable(TypeRef type, const cuda::DeclStmt& stmt, const cuda::Declarator& declarator,
                       InitialValues::InitialImage initial);

 private:
  Result kernel_parameter(TypeRef type, KernelParameter described);
  void describe_parameter(TypeRef type, KernelParameter& described);
  Result large_parameter(TypeRef type, const KernelParameter& described);
};

// Operators, CUDA's own and a file's; assignments; the addresses of things.
class Operators : public LoweringPart {
 public:
  using LoweringPart::LoweringPart;
  Result binary(cuda::BinaryOp op, Result left, Result right, const cuda::SourceRange& range);
  Result offset_pointer(const Result& pointer, const Result& index, bool negative,
                        const cuda::SourceRange& range);
  Result step(const Result& lvalue, const cuda::UnaryExpr& node, const cuda::Expr& e);
  Result step_record(const Result& target, const cuda::UnaryExpr& node, const cuda::Expr& e);
  Result address_taken(const cuda::UnaryExpr& node, const cuda::Expr& e);
  Result assign(const Result& target, const Result& value, const cuda::Expr& target_expr);
  bool check_assignable(const Result& target, const cuda::Expr& expr);
  Result user_operator(const char* spelling, std::vector<Argument> arguments, const cuda::SourceRange& range,
                       bool& found);

 private:
  Result pointer_binary(cuda::BinaryOp op, const Result& left, const Result& right,
                        const cuda::SourceRange& range);
  Result compare_pointers(Opcode opcode, const Result& left, const Result& right,
                          const cuda::SourceRange& range);
};

}  // namespace warplens::sim::lower
