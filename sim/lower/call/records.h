// Structs: how they lie in memory, what is a member of them, and what their objects begin with.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/lower/part.h"

namespace warplens::sim::lower {

// Structs as types: instances of their templates, and where their fields lie (Itanium C++ ABI).
class RecordLayout : public LoweringPart {
 public:
  using LoweringPart::LoweringPart;
  TypeRef struct_type(const cuda::Struct& definition, const std::vector<cuda::TemplateArgument>& arguments,
                      const cuda::SourceRange& range);
  std::int64_t alignment_asked(int number, const std::vector<cuda::ExprPtr>& written);
  template <class Declared>
  std::int64_t alignment_asked(const Declared& of) {
    return alignment_asked(of.alignment, of.alignments);
  }
  // What stands for the parameters of its template, and for those of the one that it specialises.
  Scope& scope_of(const Record* record) { return scopes_[record]; }
  const Scope& primary_scope_of(const Record* record);
  const Record* outer_of(const Record* record) const;  // that it is nested in, of a struct template; or null
  TypeRef& instance(const std::string& key) { return instances_[key]; }
  void say_clash();

 private:
  const Record* outer_record(const std::string& name) const;
  void lay_out(const cuda::Struct& definition, Record& record);
  void lay_out_base(const cuda::StructField& base, Record& record, std::int64_t& size, std::int64_t& reach);
  std::int64_t place_empty_parts(const cuda::StructField& field, TypeRef type, std::int64_t offset,
                                 Record& record);
  TypeRef type_of_member(const cuda::StructField& field);
  void note_use(const cuda::Struct& definition, Record& record);

  std::map<const Record*, const Record*> outer_;                    // of those nested in struct templates
  std::map<const Record*, Scope> scopes_, primary_scopes_;          // the latter of specialisations
  std::map<std::string, TypeRef, std::less<>> instances_;           // null while being laid out
  std::optional<std::pair<cuda::SourceRange, std::string>> clash_;  // of empty structs, the first
};

// Bases that depend on a template's parameters are looked into only where the name is a member's for sure.
enum class Bases { All, Independent };

// What a name is in a struct and its bases (C++17, [class.member.lookup]).
class MemberLookup : public LoweringPart {
 public:
  using LoweringPart::LoweringPart;
  Symbol* find_member(const Record* record, std::string_view name,
                      Bases bases = Bases::All);  // a static constant or an alias
  Symbol* find_in_bases(const Record* record, std::string_view name, Bases bases);
  const Record* record_of_scope(const cuda::NameExpr& name, std::string& member);
  bool has_method(const Record* record, std::string_view name, Bases bases = Bases::All) const;
  bool has_own_method(const Record* record, std::string_view name) const;
  const Field* base_with_method(const Record* record, std::string_view name, Bases bases = Bases::All) const;
  std::vector<const cuda::Function*> methods_named(const Result& object, std::string_view name) const;
  Result as_base(Result object, const Record* base, const cuda::SourceRange& range);
  std::optional<Result> self_as(const Record* record, const cuda::SourceRange& range);
  Result no_method(const Record* record, const std::string& name, bool is_const,
                   const cuda::SourceRange& range);
  const cuda::ExprPtr* default_initializer(const Record* record, std::string_view field) const;
  TypeRef method_type(const Record* record, const cuda::TypeName& name);
  bool converts_from(const Record* record, const Result& from, bool is_implicit);
  const cuda::Function* conversion_to(const Record* record, TypeRef to);

 private:
  std::map<std::pair<const Record*, std::string>, Symbol, std::less<>> symbols_;
};

struct InitCursor;

// Initializers: what they make of registers, of memory, and of a variable of the file before the kernel runs.
class InitialValues : public LoweringPart {
 public:
  using LoweringPart::LoweringPart;
  Result construct(TypeRef type, const std::vector<cuda::ExprPtr>& arguments, const cuda::SourceRange& range);
  Result initial_value(TypeRef type, const cuda::Expr& initializer);
  void initialise_memory(TypeRef type, const Address& address, const cuda::Expr& initializer);
  void fill_list(TypeRef type, const Address& address, const std::vector<cuda::ExprPtr>& elements);
  using InitialImage = std::shared_ptr<const std::vector<InitialValue>>;
  InitialImage initial_image(TypeRef type, const cuda::Declarator& declarator);
  void store_initial(TypeRef type, const Address& address, const Result& initial, const AccessText& text);
  const cuda::InitListExpr* characters_of(TypeRef type, const cuda::Expr& initializer);

 private:
  void take_members(TypeRef type, InitCursor& cursor, std::vector<Value>& parts);
  void take_union(TypeRef type, InitCursor& cursor, std::vector<Value>& parts);
  void take_leaves(TypeRef type, InitCursor& cursor, std::vector<Value>& parts);
  void all_taken(const InitCursor& cursor, TypeRef type);
  void default_image(TypeRef type, const cuda::SourceRange& range);
  void fill_memory(TypeRef type, const Address& address, InitCursor& cursor);
  void zero_memory(TypeRef type, const Address& address);

  std::shared_ptr<std::vector<InitialValue>> image_;            // that is being made of an initial value
  std::map<const cuda::Expr*, cuda::InitListExpr> characters_;  // of strings that fill arrays
};

// Constructors: which one runs, of copies too, and what members begin with.
class ObjectConstruction : public LoweringPart {
 public:
  using LoweringPart::LoweringPart;
  bool needs_construction(TypeRef type) const;
  bool has_device_constructor(const Record* record) const;
  Result new_object(TypeRef type, const std::string& name);
  // An implicit construction leaves out constructors that are explicit.
  Result constructed(TypeRef type, std::vector<Argument> arguments, const cuda::SourceRange& range,
                     bool is_implicit = false);
  void construct_elements(TypeRef type, const Address& address, const cuda::SourceRange& range);
  void initialise_members(const cuda::Function& constructor);
  Result default_value(TypeRef type, const cuda::SourceRange& range);
  bool copies_by_function(TypeRef type);
  Result copied(const Result& object, const AccessText& text);
  Result copied(const Argument& given, const AccessText& text);
  Result copy_of(const cuda::Expr& e);

 private:
  Result made_of(const Result& object, const cuda::SourceRange& range);
  Result construct_by_function(TypeRef type, std::vector<Argument>& arguments, const cuda::SourceRange& range,
                               bool is_implicit);
  bool has_copy_constructor(const Record* record);
  void default_members(const Record* record, const Result& self, const cuda::SourceRange& range);
  void initialise_member(const Field& field, const std::vector<cuda::ExprPtr>* arguments,
                         const cuda::SourceRange& range);
};

// Variables, of functions, of blocks and of the host, and what operators do to them.

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
  Result address_taken(const cuda::UnaryExpr& node, const cuda::Expr& e);
  Result assign(const Result& target, const Result& value, const cuda::Expr& target_expr);
  void check_assignable(const Result& target, const cuda::Expr& expr);
  std::optional<Result> user_operator(const std::string& spelling, std::vector<Argument> arguments,
                                      const cuda::SourceRange& range);  // empty: there is none

 private:
  Result pointer_binary(cuda::BinaryOp op, const Result& left, const Result& right,
                        const cuda::SourceRange& range);
  Result compare_pointers(Opcode opcode, const Result& left, const Result& right,
                          const cuda::SourceRange& range);
};

}  // namespace warplens::sim::lower
