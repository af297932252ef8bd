// Syntax tree -> Ir: one pass over the kernel with everything it calls, checking as a compiler would.
//
// A device function is lowered anew at each call (a Frame), with its parameters bound to the arguments.
// Scalars are values or variables, structs fall into their leaves, arrays and whatever has its address taken
// lie in memory. Errors are collected; an expression that has one is Result::Kind::Error, which is not
// complained about again.
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
#include "sim/lower/builtins/fragments.h"
#include "sim/lower/builtins/functions.h"
#include "sim/lower/builtins/textures.h"
#include "sim/lower/ir/builder.h"
#include "sim/lower/names.h"
#include "sim/lower/result.h"
#include "sim/lower/types.h"

namespace warplens::sim {
struct CompileRequest;
}

namespace warplens::sim::lower {

// Where `break` and `continue` go.
struct JumpTarget {
  int break_region = -1;
  int continue_region = -1;  // -1: a switch
  bool breaks = false;       // some lane may go there by `break`
};

// A function being lowered: the kernel, or a device function inlined into it.
struct Frame {
  const cuda::Function* function = nullptr;  // null for namespace-scope constants
  std::string key;                           // name and template arguments: the same one again is recursion
  const NameUse* names = nullptr;
  std::vector<Scope> scopes;  // [0]: template parameters
  std::vector<JumpTarget> targets;
  TypeRef result_type = nullptr;  // null: auto, not known yet
  int region = 0;                 // left by `return`
  List* body = nullptr;           // the function's own list: a return there needs no jump
  bool has_exits = false;
  bool returns_values = false;          // although its result is a reference: to something const
  bool dead = false;                    // the call itself never runs
  const Record* record = nullptr;       // of a member function, or the struct whose fields are laid out
  std::optional<Result> self;           // *this
  Result result;                        // of a return in `body`
  std::vector<Value> result_variables;  // of the others
};

// While it lives, names stand for what a scope says, and those of members for a struct's.
class FrameOf {
 public:
  FrameOf(std::vector<std::unique_ptr<Frame>>& frames, Scope scope, const Record* record = nullptr)
      : frames_(frames) {
    Frame& own = *frames_.emplace_back(std::make_unique<Frame>());
    own.scopes.push_back(std::move(scope));
    own.record = record;
  }
  FrameOf(const FrameOf&) = delete;
  ~FrameOf() { frames_.pop_back(); }

 private:
  std::vector<std::unique_ptr<Frame>>& frames_;
};

// What the source of a kernel in PTX declares, which PTX does not say: types and extents of its shared
// arrays, what its textures hold.
struct Declared {
  std::vector<SharedArray> shared_arrays;
  std::vector<KernelParameter> textures;
};

struct Argument {
  const cuda::Expr* expr = nullptr;  // may be null for one made up
  Result result;                     // not loaded yet
  bool is_list() const { return expr && std::holds_alternative<cuda::InitListExpr>(expr->node); }
};

class PtxLowering;        // of inline PTX: ptx/ptx_lowering.h
class PtxModuleLowering;  // of a module: ptx/module_lowering.h
namespace ptx {
struct Function;
struct Module;
}  // namespace ptx

class Lowering {
  friend PtxLowering;
  friend PtxModuleLowering;

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
  std::int64_t dynamic_shared_offset() const {
    return (shared_bytes_ + dynamic_alignment_ - 1) / dynamic_alignment_ * dynamic_alignment_;
  }
  std::vector<cuda::Diagnostic> diagnostics;

  TypeTable types;
  Builder b;
  MemoryFunctions memory{*this};
  WarpFunctions warp{*this};
  MathFunctions math{*this};
  Clusters clusters{*this};
  AsyncCopies async_copies{*this};
  Textures textures{*this};
  TensorMaps tensor_maps{*this};
  WmmaFragments fragments{*this};

  const cuda::TranslationUnit& unit() const { return unit_; }
  std::string_view text() const { return text_; }
  Program& program() { return *program_; }
  void step() { pace_.step(); }  // throws Stopped

  using Kind = Result::Kind;

  // What a library's own text does is shown where it is called: nobody reads that text.
  bool is_library(const cuda::SourceRange& range) const { return range.begin.offset >= unit_.library; }
  cuda::SourceRange place_of(const cuda::SourceRange& range) const {
    return is_library(range) ? b.place : range;
  }
  // Of a module in PTX `b.place` is in the source, and a complaint quotes the PTX: it stands at this
  // statement, whatever library's text is being lowered for it.
  cuda::SourceRange statement_;

  // ---- names.cpp, scope.cpp: complaints, names, places
  void error(const cuda::SourceRange& range, Message message, Message remedy = {});
  void warning(const cuda::SourceRange& range, Message message, Message remedy = {});
  Result bad() const { return {Kind::Error, types.error(), {}, {}}; }
  Result fail(const cuda::SourceRange& range, Message message, Message remedy = {});
  std::string text_of(const cuda::SourceRange& range) const;  // white space folded
  std::string folded_text(const cuda::SourceRange& range) const;
  AccessText access_text(const cuda::Expr& expr) const;
  bool too_large();
  void say_too_large();
  void hold_memory();
  bool enter(const cuda::SourceRange& range);  // one level deeper; false: too deep
  void leave() { --depth_; }
  Frame& frame() { return *frames_.back(); }
  void note_references(const cuda::Function& function, const std::string& name);
  void find_addressed_references();
  Symbol* find_symbol(std::string_view name);
  Symbol* member_named(std::string_view name);  // of `Type::Member`
  Symbol* find_global(std::string_view name);
  Symbol* variable_of_template(const cuda::NameExpr& node, const cuda::SourceRange& range);  // or null
  bool evaluate_global(const cuda::DeclStmt& stmt, const cuda::Declarator& declarator, Symbol& symbol);
  std::vector<std::string> visible_names();
  using Functions = std::vector<const cuda::Function*>;
  const Functions& functions_named(std::string_view name) const;
  Result unknown_name(const std::string& name, const cuda::SourceRange& range);
  // Whether the text has a `name` that could not be parsed: then its errors are the kernel's.
  bool say_broken(std::string_view name);
  bool say_errors(const std::vector<cuda::Diagnostic>& errors);  // whether there are some
  void undeclared(const std::string& name, const cuda::SourceRange& range, Message message, Message remedy);
  Symbol& declare(const std::string& name, Symbol symbol);
  void show(const std::string& name, const Result& object, const cuda::SourceRange& range,
            const std::string& type_text);
  void push_scope();
  void pop_scope();

  // ---- type_names.cpp
  TypeRef resolve(const cuda::TypeName& name, bool complain = true);  // `auto` gives null
  TypeRef resolve_base(const cuda::TypeName& name, bool complain);
  TypeRef aliased(const cuda::UsingStmt& alias);
  TypeRef alias_of_template(const cuda::UsingStmt& alias, const cuda::TypeName& written, bool complain);
  TypeRef with_extents(TypeRef element, const std::vector<cuda::ExprPtr>& extents, std::size_t from = 0);
  TypeRef parameter_type(const cuda::Parameter& parameter);
  const Record* outer_record(const std::string& name) const;
  TypeRef struct_type(const cuda::Struct& definition, const std::vector<cuda::TemplateArgument>& arguments,
                      const cuda::SourceRange& range);
  std::int64_t alignment_asked(int number, const std::vector<cuda::ExprPtr>& written);
  template <class Declared>
  std::int64_t alignment_asked(const Declared& of) {
    return alignment_asked(of.alignment, of.alignments);
  }
  TypeRef type_of_member(const cuda::StructField& field);
  void lay_out(const cuda::Struct& definition, Record& record);
  void note_use(const cuda::Struct& definition, Record& record);
  void lay_out_base(const cuda::StructField& base, Record& record, std::int64_t& size, std::int64_t& reach);
  std::int64_t place_empty_parts(const cuda::StructField& field, TypeRef type, std::int64_t offset,
                                 Record& record);
  const cuda::Struct& specialised(const cuda::Struct& definition, const std::string& key, Scope& scope);
  int fits_partly(const cuda::Struct& definition, const cuda::Struct& partial, const Scope& given,
                  Scope& bound);
  bool fits_pattern(const cuda::TemplateArgument& pattern, const Symbol& actual,
                    const std::vector<cuda::TemplateParameter>& parameters, Scope& bound);
  bool deduce_record(const cuda::TypeName& pattern, TypeRef type, const cuda::TemplateParameter& wanted,
                     Symbol& symbol);
  bool bind_template(const std::vector<cuda::TemplateParameter>& parameters,
                     const std::vector<cuda::TemplateArgument>& arguments, const cuda::SourceRange& range,
                     Scope& scope, std::string& key, bool complain);
  bool bind_template_argument(const cuda::TemplateParameter& parameter,
                              const cuda::TemplateArgument& argument, const cuda::SourceRange& range,
                              Scope& scope, std::string& key, bool complain);
  TypeRef type_of_argument(const cuda::TemplateArgument& argument, bool complain);
  std::optional<std::int64_t> constant_integer(const cuda::Expr& expr, const Message& what);
  Result constant_value(const cuda::Expr& expr, TypeRef type, const Message& what);
  TypeRef type_of(const cuda::Expr& expr);  // without evaluating it

  // ---- access.cpp: loading, storing, decaying
  Result rvalue(Result result, const cuda::Expr& expr) {
    return rvalue(std::move(result), access_text(expr));
  }
  Result rvalue(Result result, const AccessText& text);
  Result referred(Result object);
  Result load(const Result& lvalue, const AccessText& text);
  bool is_read_only(const Result& place) const;
  void store(const Result& lvalue, const Result& value, const AccessText& text);
  void assign_parts(const std::vector<Value>& targets, TypeRef type, const std::vector<Value>& values);
  Result element_of(const Result& base, const Result& index, const cuda::Expr& expr);
  Result dereference(const Result& pointer, const cuda::SourceRange& range);
  Result member_of(const Result& base, const std::string& member, const cuda::SourceRange& range);
  Result field_of(const Result& base, const Field& field, int leaf);
  Result value(TypeRef type, Value v) const { return {Kind::Rvalue, type, {v}, {}}; }
  Result value(ScalarType type, Value v) const { return value(types.scalar(type), v); }
  Result pointer_value(TypeRef type, Address address) const {
    return {Kind::Rvalue, type, {}, std::move(address)};
  }
  Result void_result() const { return {Kind::Void, types.void_type(), {}, {}}; }
  Value scalar_value(const Result& result);   // of a scalar or pointer rvalue, in one register
  Address address_of(const Result& pointer);  // a pointer rvalue as an address
  Result settled(Result result);              // an rvalue that later assignments do not change
  Result zero_of(TypeRef type);

  // ---- conversion.cpp
  enum class Cast { Implicit, Static, Reinterpret, C };
  int conversion_rank(const Result& from, TypeRef to, bool is_lvalue_wanted);  // 0 best; -1: none
  Result convert(Result from, TypeRef to, const cuda::SourceRange& range, Cast cast = Cast::Implicit);
  Value to_bool(const Result& result, const cuda::SourceRange& range);  // kNone after a complaint
  TypeRef arithmetic_type(ScalarType type, TypeRef left, TypeRef right = nullptr) const;
  Value scalar_as(const Result& result, ScalarType to) {
    return b.convert(result.value(), result.type->scalar, to);
  }

  // ---- expression.cpp
  Result expr(const cuda::Expr& e, bool result_used = true);
  Result value_of(const cuda::Expr& e) { return rvalue(expr(e), e); }
  Value condition_of(const cuda::Expr& e);  // Bool; kNone after a complaint
  Result lower(const cuda::IntegerLiteral& node, const cuda::Expr& e);
  Result lower(const cuda::CharLiteral& node, const cuda::Expr& e);
  Result lower(const cuda::NullLiteral& node, const cuda::Expr& e);
  Result lower(const cuda::FloatLiteral& node, const cuda::Expr& e);
  Result lower(const cuda::BoolLiteral& node, const cuda::Expr& e);
  Result lower(const cuda::StringLiteral& node, const cuda::Expr& e);
  const cuda::InitListExpr* characters_of(TypeRef type, const cuda::Expr& initializer);
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
  Result lower(const cuda::LambdaExpr& node, const cuda::Expr& e);
  Result lower(const cuda::DesignatedExpr& node, const cuda::Expr& e);
  Result lower(const cuda::SizeofExpr& node, const cuda::Expr& e);
  std::optional<Result> builtin_variable(std::string_view name);
  Result choose_now(bool condition, const cuda::ConditionalExpr& node, const cuda::Expr& e);
  Result choose(Value condition, const cuda::ConditionalExpr& node, const cuda::Expr& e);
  TypeRef common_result_type(const Result& x, const Result& y, const cuda::SourceRange& range);
  Result short_circuit(const cuda::BinaryExpr& node, bool is_and);
  // Lowers into a list of its own; whether it is pure can be asked of the list afterwards.
  bool is_pure_list(const List& list) const;
  void splice(List& list);  // onto the current list

  // ---- operator.cpp
  Result binary(cuda::BinaryOp op, Result left, Result right, const cuda::SourceRange& range);
  Result pointer_binary(cuda::BinaryOp op, const Result& left, const Result& right,
                        const cuda::SourceRange& range);
  Result compare_pointers(Opcode opcode, const Result& left, const Result& right,
                          const cuda::SourceRange& range);
  Result offset_pointer(const Result& pointer, const Result& index, bool negative,
                        const cuda::SourceRange& range);
  Result step_record(const Result& target, const cuda::UnaryExpr& node, const cuda::Expr& e);
  Result step(const Result& lvalue, const cuda::UnaryExpr& node, const cuda::Expr& e);
  Result in_memory(const cuda::Expr& e, const Result& number);
  Result address_taken(const cuda::UnaryExpr& node, const cuda::Expr& e);
  Result assign(const Result& target, const Result& value, const cuda::Expr& target_expr);
  void keep_value(Result& left, const ListMark& mark);
  bool check_assignable(const Result& target, const cuda::Expr& expr);
  Result user_operator(const char* spelling, std::vector<Argument> arguments, const cuda::SourceRange& range,
                       bool& found);
  std::vector<const cuda::Function*> methods_named(const Result& object, std::string_view name) const;
  bool takes_exactly(const std::vector<const cuda::Function*>& functions, const Record* record,
                     const std::vector<Argument>& arguments);
  bool measures_reference(const cuda::TypeName& type);

  // ---- construct.cpp: initializers
  Result construct(TypeRef type, const std::vector<cuda::ExprPtr>& arguments, const cuda::SourceRange& range);
  Result initial_value(TypeRef type, const cuda::Expr& initializer);
  struct InitCursor;
  void take_members(TypeRef type, InitCursor& cursor, std::vector<Value>& parts);
  void take_union(TypeRef type, InitCursor& cursor, std::vector<Value>& parts);
  void take_leaves(TypeRef type, InitCursor& cursor, std::vector<Value>& parts);
  using InitialImage = std::shared_ptr<const std::vector<InitialValue>>;
  InitialImage initial_image(TypeRef type, const cuda::Declarator& declarator);
  void default_image(TypeRef type, const cuda::SourceRange& range);
  void store_initial(TypeRef type, const Address& address, const Result& initial, const AccessText& text);
  void initialise_memory(TypeRef type, const Address& address, const cuda::Expr& initializer);
  void fill_memory(TypeRef type, const Address& address, InitCursor& cursor);
  void fill_list(TypeRef type, const Address& address, const std::vector<cuda::ExprPtr>& elements);
  void zero_memory(TypeRef type, const Address& address);

  // ---- call.cpp: device functions
  struct Candidate;  // candidate.h
  // ---- builtins/function_value.cpp: functions as arguments, of templates and others
  struct FunctionValue {
    const cuda::Function* function = nullptr;  // null: CUDA's own
    std::string name, key;
    Scope scope;                     // its template arguments; of a lambda all names that it can see
    const Record* record = nullptr;  // of a lambda in a member function
    std::optional<Result> self = {};
    bool operator==(const FunctionValue& o) const { return function == o.function && key == o.key; }
  };
  Result function_value(const cuda::NameExpr& name, const cuda::SourceRange& range);
  Result captured(const Symbol& symbol, const std::string& name);  // by value
  Result call_function_with(const FunctionValue& f, std::vector<Argument> arguments,
                            const cuda::SourceRange& name_range, const cuda::SourceRange& range);
  Result call_function(const FunctionValue& f, const cuda::CallExpr& node, const cuda::Expr& e);
  bool takes_whichever(TypeRef type, TypeRef given) const;  // a function, or a group of threads
  // A user's function beside a built-in one of the same name: which one is meant?
  enum class Meant { Users, Builtin, Neither };
  Meant users_or_builtin(const std::string& name, const Builtin& f, const cuda::CallExpr& node,
                         const std::vector<cuda::TemplateArgument>& template_arguments);
  void note_declarations(const Functions& functions);
  void find_by_name(std::vector<Candidate>& candidates, const cuda::NameExpr& callee,
                    const std::vector<Argument>& arguments) const;
  std::string chosen_key(std::string_view name, std::initializer_list<const void*> where,
                         const std::vector<Argument>& arguments) const;
  Result call(const cuda::NameExpr& callee, std::vector<Argument> arguments,
              const cuda::SourceRange& name_range, const cuda::SourceRange& range);
  Result member_call(const cuda::MemberExpr& member, const cuda::CallExpr& node, const cuda::Expr& e);
  Result call_object(const Result& object, const cuda::CallExpr& node, const cuda::Expr& e);
  Result grid_launch(const cuda::CallExpr& node, const cuda::SourceRange& range);
  bool is_better(const Candidate& x, const Candidate& y);  // fits better
  Candidate* choose_candidate(std::vector<Candidate>& candidates, const std::string& name,
                              const std::vector<cuda::TemplateArgument>& template_arguments,
                              const std::vector<Argument>& arguments, const cuda::SourceRange& range);
  const cuda::Function* specialisation_of(const Candidate& chosen);
  std::optional<std::string> special_key(const cuda::Function& special, const Candidate& chosen);
  bool consider(Candidate& candidate, const std::vector<cuda::TemplateArgument>& template_arguments,
                const std::vector<Argument>& arguments);
  bool deduce(const cuda::Function& function, const std::vector<Argument>& arguments, Scope& scope,
              std::string& key);
  bool deduce_extents(const cuda::Parameter& parameter, TypeRef& type,
                      const std::vector<cuda::TemplateParameter>& parameters, Scope& scope);
  bool has_types(const cuda::TemplateParameter& parameter, const Scope& scope);
  bool deduce_default(const cuda::TemplateParameter& parameter, Scope& scope, std::string& key);
  bool deduce_from(const cuda::TypeName& pattern, TypeRef type,
                   const std::vector<cuda::TemplateParameter>& parameters, Scope& scope);
  Result inline_call(Candidate& candidate, std::vector<Argument>& arguments, const cuda::SourceRange& range,
                     const std::optional<Result>& self = {});
  Result finish_call(Frame& finished, List& body, const cuda::Function& function);
  // Calls with nothing but constants that leave nothing behind but a constant: what they gave the first time
  // stands for all. Without that a constexpr fib(30) takes a million calls.
  using FoldedCall = std::tuple<const cuda::Function*, std::string, std::vector<std::pair<TypeRef, Value>>>;
  std::optional<FoldedCall> foldable(const Candidate& candidate, const std::vector<Result>& bound,
                                     const std::optional<Result>& self) const;
  bool is_folded(const Frame& finished, const List& body) const;
  void return_reference(const cuda::ReturnStmt& node, const cuda::SourceRange& range);
  bool bind_parameters(const Candidate& candidate, const std::vector<Argument>& arguments,
                       std::vector<Result>& bound);
  void bind_parameter(const cuda::Parameter& parameter, TypeRef type, const Result& bound);
  Result no_candidate(const std::string& name, const std::vector<Candidate>& candidates,
                      const std::vector<Argument>& arguments, const cuda::SourceRange& range);
  const NameUse* name_use(const cuda::Stmt& body);
  bool runs_already(const Candidate& candidate) const;
  bool is_recursive(const Candidate& candidate, const std::vector<Argument>& arguments) const;
  std::vector<Argument> lower_arguments(const std::vector<cuda::ExprPtr>& exprs);

  // ---- method.cpp: member functions, constructors, members of types
  // Bases that depend on a template's parameters are looked into only where the name is a member's for sure.
  enum class Bases { All, Independent };
  Symbol* find_member(const Record* record, std::string_view name,
                      Bases bases = Bases::All);  // a static constant or an alias
  TypeRef find_type(std::string_view name);       // null where the name is no type
  const Record* record_of_scope(const cuda::NameExpr& name, std::string& member);
  bool has_method(const Record* record, std::string_view name, Bases bases = Bases::All) const;
  bool has_own_method(const Record* record, std::string_view name) const;
  const Field* base_with_method(const Record* record, std::string_view name, Bases bases = Bases::All) const;
  Symbol* find_in_bases(const Record* record, std::string_view name, Bases bases);
  bool derives_from(TypeRef type, TypeRef base) const;
  std::int64_t base_offset(const Record* record, const Record* base) const;
  Result as_base(Result object, const Record* base, const cuda::SourceRange& range);
  std::optional<Result> self_as(const Record* record, const cuda::SourceRange& range);
  Result call_method(const Record* record, std::optional<Result> self, const std::string& name,
                     const std::vector<cuda::TemplateArgument>& template_arguments,
                     std::vector<Argument> arguments, const cuda::SourceRange& name_range,
                     const cuda::SourceRange& range);
  Result no_method(const Record* record, const std::string& name, bool is_const,
                   const cuda::SourceRange& range);
  Result bound_self(const Result& self, bool is_const);
  void declare_self(const Result& self, const cuda::SourceRange& range);
  void declare_members(const Result& object, const cuda::SourceRange& range, bool yields = false);
  bool needs_construction(TypeRef type) const;
  bool has_device_constructor(const Record* record) const;
  Result new_object(TypeRef type, const std::string& name);
  Result made_of(const Result& object, const cuda::SourceRange& range);
  // An implicit construction leaves out constructors that are explicit.
  Result constructed(TypeRef type, std::vector<Argument> arguments, const cuda::SourceRange& range,
                     bool is_implicit = false);
  Result construct_by_function(TypeRef type, std::vector<Argument>& arguments, const cuda::SourceRange& range,
                               bool is_implicit);
  bool has_copy_constructor(const Record* record);
  bool copies_by_function(TypeRef type);
  Result copied(const Result& object, const AccessText& text);
  Result copied(const Argument& given, const AccessText& text);
  Result copy_of(const cuda::Expr& e);
  Result default_value(TypeRef type, const cuda::SourceRange& range);
  void default_members(const Record* record, const Result& self, const cuda::SourceRange& range);
  void initialise_members(const cuda::Function& constructor);
  void initialise_member(const Field& field, const std::vector<cuda::ExprPtr>* arguments,
                         const cuda::SourceRange& range);
  const cuda::ExprPtr* default_initializer(const Record* record, std::string_view field) const;
  bool converts_from(const Record* record, const Result& from, bool is_implicit);
  const cuda::Function* conversion_to(const Record* record, TypeRef to);
  TypeRef method_type(const Record* record, const cuda::TypeName& name);

  // ---- builtins/: CUDA's own functions
  Result builtin(const Builtin& f, const BuiltinCall& c);

  // ---- declaration.cpp
  void lower(const cuda::DeclStmt& node, const cuda::Stmt& stmt);
  void declare_local(const cuda::DeclStmt& stmt, const cuda::Declarator& declarator);
  void declare_static(const cuda::DeclStmt& stmt, const cuda::Declarator& declarator);
  void name_static(KernelParameter& variable);
  TypeRef extent_of_list(TypeRef type, const cuda::Declarator& declarator);
  void declare_shared(const cuda::DeclStmt& stmt, const cuda::Declarator& declarator);
  void declare_reference(const cuda::Declarator& declarator, TypeRef type);
  Result reference_to(const cuda::Expr& initializer, TypeRef type, const cuda::TypeName& written);
  void declare_in_memory(const cuda::Declarator& declarator, TypeRef type);
  void declare_in_registers(const cuda::DeclStmt& stmt, const cuda::Declarator& declarator, TypeRef type);
  Result new_variable(TypeRef type);
  void construct_elements(TypeRef type, const Address& address, const cuda::SourceRange& range);
  Address new_local(TypeRef type, const std::string& name);
  bool must_lie_in_memory(const std::string& name, TypeRef type);
  bool check_new_name(const std::string& name, const cuda::SourceRange& range);

  // ---- statement.cpp
  void statement(const cuda::Stmt& stmt);
  void statements(const std::vector<cuda::StmtPtr>& list);
  void lower(const cuda::ExprStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::CompoundStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::IfStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::ForStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::WhileStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::DoStmt& node, const cuda::Stmt& stmt);
  void lower(const cuda::SwitchStmt& node, const cuda::Stmt& stmt);
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
  bool returns_own_variable(const cuda::ReturnStmt& node) const;
  void return_value(const cuda::ReturnStmt& node, const cuda::SourceRange& range);
  void unreachable();  // the rest of the list cannot be reached

  // ---- kernel.cpp
  const cuda::Function& specialised(const cuda::Function& function);
  void lower_kernel(const cuda::Function& general, const std::vector<std::string>& template_arguments,
                    Program& program);
  void kernel_parameters(const cuda::Function& function, Program& program);
  Result kernel_parameter(TypeRef type, KernelParameter described, Program& program);
  void describe_parameter(TypeRef type, KernelParameter& described);
  Result large_parameter(TypeRef type, const KernelParameter& described);
  Result host_variable(TypeRef type, const cuda::DeclStmt& stmt, const cuda::Declarator& declarator,
                       InitialImage initial);
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

  const cuda::TranslationUnit& unit_;
  std::string_view text_;
  Program* program_ = nullptr;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<OpenScope> open_scopes_;
  std::map<std::string, Global, std::less<>> globals_;
  std::map<std::string, Global, std::less<>> variable_templates_;
  std::map<std::string, const cuda::UsingStmt*, std::less<>> alias_templates_;
  std::map<std::string, TypeRef, std::less<>> aliases_;  // by alias and arguments
  std::map<std::string, const cuda::Struct*, std::less<>> structs_;
  std::map<const Record*, const Record*> outer_records_;  // of those nested in struct templates
  std::map<const Record*, Scope> record_scopes_;          // template arguments of the struct
  std::map<const Record*, Scope> primary_scopes_;         // of a specialisation: by the template's own names
  std::map<std::pair<const Record*, std::string>, Symbol, std::less<>> member_symbols_;
  std::map<std::string, TypeRef, std::less<>> instantiated_structs_;  // null while being laid out
  ReferenceUse reference_use_;
  std::shared_ptr<std::vector<InitialValue>> image_;  // that is being made of an initial value
  std::map<std::pair<const cuda::Declarator*, std::string>, Result>
      shared_;  // a function's array is one array
  std::map<std::pair<const cuda::Declarator*, std::string>, Symbol> statics_;  // of a function: one variable
  std::vector<std::shared_ptr<cuda::Expr>> parsed_;  // template arguments given as text
  std::int64_t shared_bytes_ = 0;
  std::int64_t dynamic_alignment_ = 16;  // of the arrays without an extent
  std::int64_t local_top_ = 0;           // of the local memory in use here: a block's end gives it back
  std::int64_t local_floor_ = 0;         // end of the tables of constants, which stay
  std::map<const cuda::Stmt*, NameUse> name_use_;  // by function body
  List prologue_;                                  // runs before the kernel: tables of constants
  List scratch_;                                   // what cannot be reached
  Pace pace_;
  HeldMemory held_;
  std::size_t held_nodes_ = 0;
  std::size_t steps_ = 0;             // expressions and statements so far, those that fold away included
  const std::byte* stack_ = nullptr;  // where it began to grow
  std::map<std::string_view, Functions> functions_, specialisations_;  // by name
  std::map<const cuda::Function*, std::size_t> inlined_;               // how often
  std::vector<FunctionValue> function_values_;                         // by Type::function
  std::vector<std::string> undeclared_;    // names that a header may declare which is not here
  std::map<std::string, Result> strings_;  // of the text
  std::map<const cuda::Expr*, cuda::InitListExpr> characters_;  // of strings that fill arrays
  std::map<FoldedCall, Result> folded_;
  mutable std::map<std::pair<int, int>, std::string> folded_texts_;  // by their places
  std::map<std::string, std::shared_ptr<const Candidate>> chosen_;   // by chosen_key()
  std::map<std::pair<const cuda::Function*, const cuda::Function*>, std::optional<std::string>>
      special_keys_;                                       // of a specialisation as one of a template
  std::map<const cuda::Function*, std::size_t> declared_;  // in which place, where known
  std::optional<std::pair<cuda::SourceRange, std::string>> clash_;  // of empty structs, the first
  bool gave_up_ = false;
  int depth_ = 0;            // of statements and expressions, inlined ones included
  bool result_used_ = true;  // of the expression about to be lowered
};

}  // namespace warplens::sim::lower
