// Syntax tree -> Ir: one pass over the kernel with everything it calls, checking as a compiler would.
//
// A device function is lowered anew at each call (a Frame), with its parameters bound to the arguments.
// Scalars are values or variables, structs fall into their leaves, arrays and whatever has its address taken
// lie in memory. Errors are collected, the first of each statement: Complained.
#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/cuda/parse/parse.h"
#include "sim/lower/builtins/functions.h"
#include "sim/lower/call/calls.h"
#include "sim/lower/call/records.h"
#include "sim/lower/ir/builder.h"
#include "sim/lower/names.h"
#include "sim/lower/part.h"
#include "sim/lower/types.h"

namespace warplens::sim {
struct CompileRequest;
}

namespace warplens::sim::lower {

// What the source of a kernel in PTX declares, which PTX does not say: types and extents of its shared
// arrays, what its textures hold.
struct Declared {
  std::vector<SharedArray> shared_arrays;
  std::vector<KernelParameter> textures;
};

namespace ptx {
struct Function;
struct Module;
}  // namespace ptx

// What a block's arrays take; those without an extent begin behind all others.
struct SharedMemory {
  std::int64_t bytes = 0, dynamic_alignment = 16;
  std::int64_t named_barriers = -1;  // where they begin; -1: the kernel has none
  bool is_settled = false;           // as in a module: nothing can be added
  std::int64_t dynamic_offset() const {
    return (bytes + dynamic_alignment - 1) / dynamic_alignment * dynamic_alignment;
  }
};

// The walk over expressions and statements, and the words that it shares with its parts: names and scopes,
// types as written, loads and stores, conversions. A part is a class with the rules that change together.
class Lowering {
 public:
  Lowering(const cuda::TranslationUnit& unit, std::string_view text, Budget& budget);

  // Lowers a kernel instantiated with `template_arguments`; what could be lowered is in `ir` and `program`.
  // Throws Stopped.
  void kernel(const cuda::Function& function, const std::vector<std::string>& template_arguments,
              Program& program);

  // The same of a kernel of a PTX module, whose text this was made for.
  void entry(const ptx::Module& module, const ptx::Function& entry, const CompileRequest& request,
             const Declared& declared, Program& program);

  Ir& ir() { return b.ir; }
  std::vector<cuda::Diagnostic> diagnostics;

  TypeTable types;
  Builder b;
  SharedMemory shared_memory;
  NameUses name_uses;
  MemoryFunctions memory{*this};
  WarpFunctions warp{*this};
  MathFunctions math{*this};
  Clusters clusters{*this};
  AsyncCopies async_copies{*this};
  Textures textures{*this};
  TensorMaps tensor_maps{*this};
  FragmentLoads fragment_loads;
  TemplateDeduction templates{*this};
  OverloadResolution overloads{*this};
  FunctionValues function_values{*this};
  RecordLayout layout{*this};
  MemberLookup members{*this};
  InitialValues initial_values{*this};
  ObjectConstruction objects{*this};
  InlinedCalls inlined_calls{*this};
  Declarations declarations{*this};
  KernelMemory kernel_memory{*this};
  Operators operators{*this};

  const cuda::TranslationUnit& unit() const { return unit_; }
  std::string_view text() const { return text_; }
  Program& program() { return *program_; }
  std::vector<std::unique_ptr<Frame>>& frames() { return frames_; }
  Pace& pace() { return pace_; }
  List& prologue() { return prologue_; }
  // Of a module in PTX `b.place` is in the source, and a complaint quotes the PTX: it stands at this
  // statement, whatever library's text is being lowered for it.
  void stand_at(const cuda::SourceRange& statement) { statement_ = statement; }
  // What a library's own text does is shown where it is called: nobody reads that text.
  bool is_library(const cuda::SourceRange& range) const { return range.begin.offset >= unit_.library; }
  cuda::SourceRange place_of(const cuda::SourceRange& range) const {
    return is_library(range) ? b.place : range;
  }

  // ---- names.cpp, scope.cpp: complaints, names, places
  void error(const cuda::SourceRange& range, Message message, Message remedy = {});
  void warning(const cuda::SourceRange& range, Message message, Message remedy = {});
  [[noreturn]] Result fail(const cuda::SourceRange& range, Message message, Message remedy = {});
  [[noreturn]] void stop();                                   // it has been complained about
  std::string text_of(const cuda::SourceRange& range) const;  // white space folded
  AccessText access_text(const cuda::Expr& expr) const;
  AccessText pointee_text(const cuda::Expr& pointer) const;
  Symbol* find_symbol(std::string_view name);
  void step();  // throws TooManyNodes
  Symbol* find_global(std::string_view name);
  Result in_memory(const cuda::Expr& e, const Result& number);  // of the file
  void evaluate_global(const cuda::DeclStmt& stmt, const cuda::Declarator& declarator, Symbol& symbol);
  const Functions& functions_named(std::string_view name) const;
  const Functions& specialisations_named(std::string_view name) const;
  const cuda::Struct* struct_named(std::string_view name) const;  // or null
  // Whether the text has a `name` that could not be parsed: then its errors are the kernel's.
  bool say_broken(std::string_view name);
  bool say_errors(const std::vector<cuda::Diagnostic>& errors);  // whether there are some

  // ---- type_names.cpp
  TypeRef resolve(const cuda::TypeName& name, bool complain = true);  // `auto` gives null
  TypeRef aliased(const cuda::UsingStmt& alias);
  TypeRef with_extents(TypeRef element, const std::vector<cuda::ExprPtr>& extents, std::size_t from = 0);
  TypeRef parameter_type(const cuda::Parameter& parameter);
  std::optional<std::int64_t> constant_integer(const cuda::Expr& expr, const Message& what);
  Result constant_value(const cuda::Expr& expr, TypeRef type, const Message& what);
  TypeRef type_of(const cuda::Expr& expr);  // without evaluating it

  // ---- access.cpp: loading, storing, decaying
  Result rvalue(Result result, const cuda::Expr& expr) {
    return rvalue(std::move(result), access_text(expr));
  }
  Result rvalue(Result result, const AccessText& text);
  Result load(const Result& lvalue, const AccessText& text);
  bool is_read_only(const Result& place) const;
  void store(const Result& lvalue, const Result& value, const AccessText& text);
  void assign_parts(const std::vector<Value>& targets, TypeRef type, const std::vector<Value>& values);
  Result dereference(const Result& pointer, const cuda::SourceRange& range);
  Result member_of(const Result& base, const std::string& member, const cuda::SourceRange& range);
  Result value(TypeRef type, Value v) const { return {Result::Kind::Rvalue, type, {v}, {}}; }
  Result value(ScalarType type, Value v) const { return value(types.scalar(type), v); }
  Result pointer_value(TypeRef type, Address address) const {
    return {Result::Kind::Rvalue, type, {}, std::move(address)};
  }
  Value scalar_value(const Result& result);   // of a scalar or pointer rvalue, in one register
  Address address_of(const Result& pointer);  // a pointer rvalue as an address
  Result settled(Result result);              // an rvalue that later assignments do not change
  Result zero_of(TypeRef type);

  // ---- conversion.cpp
  enum class Cast { Implicit, Static, Reinterpret, C };
  int conversion_rank(const Result& from, TypeRef to, bool is_lvalue_wanted);  // 0 best; -1: none
  Result convert(Result from, TypeRef to, const cuda::SourceRange& range, Cast cast = Cast::Implicit);
  TypeRef arithmetic_type(ScalarType type, TypeRef left, TypeRef right = nullptr) const;
  Value scalar_as(const Result& result, ScalarType to) {
    return b.convert(result.value(), result.type->scalar, to);
  }

  // ---- expression.cpp
  Result expr(const cuda::Expr& e);
  Result value_of(const cuda::Expr& e) { return rvalue(expr(e), e); }
  Value condition_of(const cuda::Expr& e);  // Bool

  // ---- call.cpp: device functions
  Result call(const cuda::NameExpr& callee, std::vector<Argument> arguments,
              const cuda::SourceRange& name_range, const cuda::SourceRange& range);
  std::vector<Argument> lower_arguments(const std::vector<cuda::ExprPtr>& exprs);

  // ---- method.cpp: member functions
  TypeRef find_type(std::string_view name);  // null where the name is no type
  Result call_method(const Record* record, std::optional<Result> self, const std::string& name,
                     const std::vector<cuda::TemplateArgument>& template_arguments,
                     std::vector<Argument> arguments, const cuda::SourceRange& name_range,
                     const cuda::SourceRange& range);
  void declare_self(const Result& self, const cuda::SourceRange& range);

  // ---- builtins/: CUDA's own functions
  Result builtin(const Builtin& f, const BuiltinCall& c);

  // ---- declaration.cpp
  Result new_variable(TypeRef type);
  Address new_local(TypeRef type, const std::string& name);

  // ---- of a function that is being lowered
  Symbol& declare(const std::string& name, Symbol symbol);
  void show(const std::string& name, const Result& object, const cuda::SourceRange& range,
            const std::string& type_text);
  Result referred(Result object);
  void statement(const cuda::Stmt& stmt);

 private:
  using Kind = Result::Kind;

  // ---- names.cpp, scope.cpp: complaints, names, places
  Result bad() const { return {Kind::Error, types.error(), {}, {}}; }
  void say(cuda::Severity severity, const cuda::SourceRange& range, Message message, Message remedy);
  void say_too_large();
  int deeper(const cuda::SourceRange& range);  // one level more
  Frame& frame() { return *frames_.back(); }
  Symbol* member_named(std::string_view name);  // of `Type::Member`
  Symbol* variable_of_template(const cuda::NameExpr& node, const cuda::SourceRange& range);  // or null
  std::vector<std::string> visible_names();
  Result unknown_name(const std::string& name, const cuda::SourceRange& range);
  void undeclared(const std::string& name, const cuda::SourceRange& range, Message message, Message remedy);

  // ---- type_names.cpp
  TypeRef resolve_base(const cuda::TypeName& name, bool complain);
  TypeRef alias_of_template(const cuda::UsingStmt& alias, const cuda::TypeName& written, bool complain);

  // ---- access.cpp: loading, storing, decaying
  Result element_of(const Result& base, const Result& index, const cuda::Expr& expr);
  Result field_of(const Result& base, const Field& field, int leaf);
  Result void_result() const { return {Kind::Void, types.void_type(), {}, {}}; }

  // ---- conversion.cpp
  Value to_bool(const Result& result, const cuda::SourceRange& range);

  // ---- expression.cpp
  Result lower(const cuda::IntegerLiteral& node, const cuda::Expr& e);
  Result lower(const cuda::CharLiteral& node, const cuda::Expr& e);
  Result lower(const cuda::NullLiteral& node, const cuda::Expr& e);
  Result lower(const cuda::FloatLiteral& node, const cuda::Expr& e);
  Result lower(const cuda::BoolLiteral& node, const cuda::Expr& e);
  Result lower(const cuda::StringLiteral& node, const cuda::Expr& e);
  Result lower(const cuda::NameExpr& node, const cuda::Expr& e);
  Result lower(const cuda::UnaryExpr& node, const cuda::Expr& e);
  Result lower(const cuda::BinaryExpr& node, const cuda::Expr& e);
  Result lower(const cuda::AssignExpr& node, const cuda::Expr& e);
  Result lower(const cuda::ConditionalExpr& node, const cuda::Expr& e);
  Result lower(const cuda::CallExpr& node, const cuda::Expr& e);
  Result lower(const cuda::IndexExpr& node, const cuda::Expr& e);
  Result lower(const cuda::MemberExpr& node, const cuda::Expr& e);
  Result lower(const cuda::CastExpr& node, const cuda::Expr& e);
  Result cast_to_record(TypeRef type, const cuda::CastExpr& node, const cuda::Expr& e);
  Result object_of(const cuda::MemberExpr& node);  // what stands before the '.' or '->'
  Result bound_part(const Result& base, const cuda::MemberExpr& node);
  void add_indices(const cuda::Expr& index, const Result& base, std::vector<Argument>& operands);
  Result lower(const cuda::ConstructExpr& node, const cuda::Expr& e);
  Result lower(const cuda::InitListExpr& node, const cuda::Expr& e);
  Result lower(const cuda::LambdaExpr& node, const cuda::Expr&) { return function_values.lambda(node); }
  Result lower(const cuda::DesignatedExpr& node, const cuda::Expr& e);
  Result lower(const cuda::SizeofExpr& node, const cuda::Expr& e);
  std::optional<Result> builtin_variable(std::string_view name);
  // What a name stands for, unless its declaration was complained about.
  const Result& known(const Result& object) {
    if (object.is_error()) stop();
    return object;
  }
  Result choose_now(bool condition, const cuda::ConditionalExpr& node, const cuda::Expr& e);
  Result choose(Value condition, const cuda::ConditionalExpr& node, const cuda::Expr& e);
  TypeRef common_result_type(const Result& x, const Result& y, const cuda::SourceRange& range);
  Result short_circuit(const cuda::BinaryExpr& node, bool is_and);
  // Lowers into a list of its own; whether it is pure can be asked of the list afterwards.
  bool is_pure_list(const List& list) const;

  // ---- call.cpp: device functions
  Result member_call(const cuda::MemberExpr& member, const cuda::CallExpr& node, const cuda::Expr& e);
  Result call_object(const Result& object, const cuda::CallExpr& node, const cuda::Expr& e);
  Result grid_launch(const cuda::CallExpr& node, const cuda::SourceRange& range);

  // ---- method.cpp: member functions
  Result bound_self(const Result& self, bool is_const);
  void declare_members(const Result& object, const cuda::SourceRange& range, bool yields = false);

  // ---- declaration.cpp
  void lower(const cuda::DeclStmt& node, const cuda::Stmt& stmt);

  // ---- statement.cpp
  void statements(const std::vector<cuda::StmtPtr>& list);
  void lower(const cuda::ExprStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::CompoundStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::IfStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::ForStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::WhileStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::DoStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::SwitchStmt& node, const cuda::Stmt& stmt);
  std::vector<Value> case_conditions(const cuda::SwitchStmt& node, ScalarType type, Value chosen);
  void lower(const cuda::BreakStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::ContinueStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::ReturnStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::EmptyStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::StaticAssertStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::UsingStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::AsmStmt& node, const cuda::Stmt& stmt);  // ptx/asm_statement.cpp
  void branch_statement(const cuda::StmtPtr& stmt);               // in a scope of its own
  void loop(const cuda::Expr* condition, const cuda::Expr* increment, const cuda::StmtPtr& body, int region,
            bool test_first);
  void return_reference(const cuda::ReturnStmt& node, const cuda::SourceRange& range);
  bool returns_own_variable(const cuda::ReturnStmt& node) const;
  void return_value(const cuda::ReturnStmt& node, const cuda::SourceRange& range);
  void unreachable();  // the rest of the list cannot be reached

  // ---- kernel.cpp
  const cuda::Function& specialised(const cuda::Function& function);
  void lower_kernel(const cuda::Function& general, const std::vector<std::string>& template_arguments,
                    Program& program);
  bool bind_kernel_template(const cuda::Function& function, const std::vector<std::string>& arguments);

  struct Global {
    const cuda::DeclStmt* stmt = nullptr;
    const cuda::Declarator* declarator = nullptr;
    const cuda::UsingStmt* alias = nullptr;
    bool busy = false, done = false, good = false;
    Symbol symbol{};
    Result memory{Kind::Error, nullptr, {}, {}};  // of a number whose address was taken
  };
  void work_out(Global& global, Scope arguments);

  struct OpenScope {
    List* list = nullptr;
    std::vector<int> symbols;
    std::int64_t local_top = 0;
  };
  friend class BlockScope;

  const cuda::TranslationUnit& unit_;
  std::string_view text_;
  Program* program_ = nullptr;
  cuda::SourceRange statement_;  // see stand_at()
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<OpenScope> open_scopes_;
  std::map<std::string, Global, std::less<>> globals_;
  std::map<std::string, Global, std::less<>> variable_templates_;
  std::map<std::string, const cuda::UsingStmt*, std::less<>> alias_templates_;
  std::map<std::string, TypeRef, std::less<>> aliases_;  // by alias and arguments
  std::map<std::string, const cuda::Struct*, std::less<>> structs_;
  std::vector<std::shared_ptr<cuda::Expr>> parsed_;  // template arguments given as text
  std::int64_t local_top_ = 0;    // of the local memory in use here: a block's end gives it back
  std::int64_t local_floor_ = 0;  // end of the tables of constants, which stay
  List prologue_;                 // runs before the kernel: tables of constants
  List scratch_;                  // what cannot be reached
  Pace pace_;
  HeldMemory held_;
  std::size_t held_nodes_ = 0;
  std::size_t steps_ = 0;             // expressions and statements so far, those that fold away included
  const std::byte* stack_ = nullptr;  // where it began to grow
  std::map<std::string_view, Functions> functions_, specialisations_;  // by name
  std::vector<std::string> undeclared_;    // names that a header may declare which is not here
  std::map<std::string, Result> strings_;  // of the text
  mutable std::map<std::pair<int, int>, std::string> folded_texts_;  // by their places
  int depth_ = 0;  // of statements and expressions, inlined ones included
};

// A block of the function that is being lowered, while it lives.
class BlockScope {
 public:
  explicit BlockScope(Lowering& lowering);
  ~BlockScope();
  BlockScope(const BlockScope&) = delete;

 private:
  Lowering& l_;
  Frame& frame_;
};

}  // namespace warplens::sim::lower
