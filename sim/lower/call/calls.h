// Which function a call means: overload resolution, the arguments of templates, functions that are passed on;
// and its body, where the call stands.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/lower/builtins/table.h"
#include "sim/lower/part.h"

namespace warplens::sim::lower {

// A function that a call may mean, and how well it fits.
struct Candidate {
  const cuda::Function* function = nullptr;
  const Record* record = nullptr;  // of a member function
  Scope scope;                     // what template parameters stand for, the struct's included
  std::string key;
  bool is_found = true;  // by C++'s lookup of the name; else by its arguments' types at most
  std::vector<TypeRef> types;
  std::vector<int> ranks;
  std::size_t failed_argument = 0;
  enum class Verdict { Viable, WrongCount, WrongTemplate, WrongArgument } verdict = Verdict::Viable;
};

// What stands for the i-th parameter of a template is kept under this name.
std::string name_of_parameter(const std::vector<cuda::TemplateParameter>& parameters, std::size_t i);

// The type that a template's argument is, if it may be one.
std::optional<cuda::TypeName> type_written(const cuda::TemplateArgument& argument);

// Whether x is more specialised than y, and so is chosen where both templates fit equally well (C++17,
// [temp.func.order]).
bool is_more_special(const cuda::Function& x, const cuda::Function& y);
bool is_more_special(const cuda::Struct& x, const cuda::Struct& y);  // of two partial specialisations

using Functions = std::vector<const cuda::Function*>;

// What stands for the parameters of templates: as written, else from the types of a call's arguments, else
// from defaults; and the specialisation that fits.
class TemplateDeduction : public LoweringPart {
 public:
  using LoweringPart::LoweringPart;
  bool bind_template(const std::vector<cuda::TemplateParameter>& parameters,
                     const std::vector<cuda::TemplateArgument>& arguments, const cuda::SourceRange& range,
                     Scope& scope, std::string& key, bool complain);
  bool bind_template_argument(const cuda::TemplateParameter& parameter,
                              const cuda::TemplateArgument& argument, const cuda::SourceRange& range,
                              Scope& scope, std::string& key, bool complain);
  TypeRef type_of_argument(const cuda::TemplateArgument& argument, bool complain);
  bool deduce(const cuda::Function& function, const std::vector<Argument>& arguments, Scope& scope,
              std::string& key);
  const cuda::Struct& specialised(const cuda::Struct& definition, const std::string& key, Scope& scope);

 private:
  bool has_types(const cuda::TemplateParameter& parameter, const Scope& scope);
  bool deduce_default(const cuda::TemplateParameter& parameter, Scope& scope, std::string& key);
  bool deduce_extents(const cuda::Parameter& parameter, TypeRef& type,
                      const std::vector<cuda::TemplateParameter>& parameters, Scope& scope);
  bool deduce_from(const cuda::TypeName& pattern, TypeRef type,
                   const std::vector<cuda::TemplateParameter>& parameters, Scope& scope,
                   bool is_array = false);
  bool deduce_record(const cuda::TypeName& pattern, TypeRef type, const cuda::TemplateParameter& wanted,
                     Symbol& symbol);
  int fits_partly(const cuda::Struct& definition, const cuda::Struct& partial, const Scope& given,
                  Scope& bound);
  bool fits_pattern(const cuda::TemplateArgument& pattern, const Symbol& actual,
                    const std::vector<cuda::TemplateParameter>& parameters, Scope& bound);
};

// The function among several of one name (C++17, [over.match]).
class OverloadResolution : public LoweringPart {
 public:
  using LoweringPart::LoweringPart;
  void note_declarations(const Functions& functions);
  // Marks which candidates C++'s lookup of the name finds.
  void find_by_name(std::vector<Candidate>& candidates, const cuda::NameExpr& callee,
                    const std::vector<Argument>& arguments) const;
  Candidate& choose_candidate(std::vector<Candidate>& candidates, const std::string& name,
                              const std::vector<cuda::TemplateArgument>& template_arguments,
                              const std::vector<Argument>& arguments, const cuda::SourceRange& range);
  const cuda::Function* specialisation_of(const Candidate& chosen);
  bool takes_exactly(const Functions& functions, const Record* record,
                     const std::vector<Argument>& arguments);
  // A user's function beside a built-in one of the same name: which one is meant?
  enum class Meant { Users, Builtin, Neither };
  Meant users_or_builtin(const std::string& name, const Builtin& f, const cuda::CallExpr& node,
                         const std::vector<cuda::TemplateArgument>& template_arguments);
  // What was chosen before stands for all calls of its key.
  std::string chosen_key(std::string_view name, std::initializer_list<const void*> where,
                         const std::vector<Argument>& arguments) const;
  const Candidate* known(const std::string& key) const;  // or null
  void keep(const std::string& key, const Candidate& chosen);

 private:
  bool consider(Candidate& candidate, const std::vector<cuda::TemplateArgument>& template_arguments,
                const std::vector<Argument>& arguments);
  bool is_better(const Candidate& x, const Candidate& y);  // fits better
  std::optional<std::string> special_key(const cuda::Function& special, const Candidate& chosen);
  [[noreturn]] void no_candidate(const std::string& name, const std::vector<Candidate>& candidates,
                                 const std::vector<Argument>& arguments, const cuda::SourceRange& range);

  std::map<std::string, std::shared_ptr<const Candidate>> chosen_;  // by chosen_key()
  std::map<std::pair<const cuda::Function*, const cuda::Function*>, std::optional<std::string>>
      special_keys_;                                       // of a specialisation as one of a template
  std::map<const cuda::Function*, std::size_t> declared_;  // in which place, where known
};

// The body of a function in place of its call.
class InlinedCalls : public LoweringPart {
 public:
  using LoweringPart::LoweringPart;
  Result inline_call(Candidate& candidate, std::vector<Argument>& arguments, const cuda::SourceRange& range,
                     const std::optional<Result>& self = {});
  void bind_parameter(const cuda::Parameter& parameter, TypeRef type, const Result& bound);
  const std::map<const cuda::Function*, std::size_t>& counts() const { return inlined_; }

 private:
  // Calls with nothing but constants that leave nothing behind but a constant: what they gave the first time
  // stands for all. Without that a constexpr fib(30) takes a million calls.
  using FoldedCall = std::tuple<const cuda::Function*, std::string, std::vector<std::pair<TypeRef, Value>>>;
  std::optional<FoldedCall> foldable(const Candidate& candidate, const std::vector<Result>& bound,
                                     const std::optional<Result>& self) const;
  bool is_folded(const Frame& finished, const List& body) const;
  Result finish_call(Frame& finished, List& body, const cuda::Function& function);
  std::vector<Result> bound_parameters(const Candidate& candidate, const std::vector<Argument>& arguments);
  bool runs_already(const Candidate& candidate) const;
  bool is_recursive(const Candidate& candidate, const std::vector<Argument>& arguments) const;

  std::map<FoldedCall, Result> folded_;
  std::map<const cuda::Function*, std::size_t> inlined_;  // how often
};

struct FunctionValue {
  const cuda::Function* function = nullptr;  // null: CUDA's own
  std::string name, key;
  Scope scope;                     // its template arguments; of a lambda all names that it can see
  const Record* record = nullptr;  // of a lambda in a member function
  std::optional<Result> self = {};
  bool operator==(const FunctionValue& o) const { return function == o.function && key == o.key; }
};

// Functions as arguments, of templates and others, lambdas among them: which one it is is known when
// compiling.
class FunctionValues : public LoweringPart {
 public:
  using LoweringPart::LoweringPart;
  Result function_value(const cuda::NameExpr& name, const cuda::SourceRange& range);
  Result lambda(const cuda::LambdaExpr& node);
  Result call_function_with(const FunctionValue& f, std::vector<Argument> arguments,
                            const cuda::SourceRange& name_range, const cuda::SourceRange& range,
                            const std::vector<cuda::TemplateArgument>& template_arguments = {});
  Result call_function(const FunctionValue& f, const cuda::CallExpr& node, const cuda::Expr& e,
                       const std::vector<cuda::TemplateArgument>& template_arguments = {});
  bool takes_whichever(TypeRef type, TypeRef given) const;  // a function, or a group of threads
  // A copy: a call may make more of them.
  FunctionValue at(TypeRef type) const { return values_[type->function]; }

 private:
  Result captured(const Symbol& symbol, const std::string& name);  // by value

  std::vector<FunctionValue> values_;  // by Type::function
};

}  // namespace warplens::sim::lower
