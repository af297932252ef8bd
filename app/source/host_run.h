// Host code gone through as a run without arguments goes through it, statement by statement, over what its
// text says: sizes, dim3, allocations, pointers, functions. What only a real run finds out (files, clocks,
// the device) is not known, and nothing is run: calls into libraries are known by what they do, or not.
//
//   HostRun run(unit, text, budget, [](const LaunchSeen& launch) { … });
//   run.main();      // what the program launches, in turn
//   run.the_rest();  // launches that this does not reach: of functions nobody calls, behind `if (argc > 1)`
//
// Where a condition is not known both ways are gone, and what they leave differently is not known; so is what
// a loop changes that does not end soon.
#pragma once

#include <deque>
#include <functional>
#include <set>
#include <span>
#include <unordered_map>

#include "app/source/host_values.h"
#include "app/source/kernel_facts.h"
#include "sim/base/budget.h"
#include "sim/base/within.h"
#include "sim/cuda/parse/children.h"
#include "sim/cuda/parse/parse.h"
#include "sim/cuda/parse/syntax.h"
#include "sim/cuda/text/names.h"

namespace warplens::app::host {

using cuda::BinaryOp, cuda::Expr, cuda::Function, sim::ScalarType;
using Kind = Value::Kind;

template <typename Node>
const Node* as(const cuda::Expr& expr) {
  return std::get_if<Node>(&expr.node);
}
template <typename Node>
const Node* written_as(const Value& value) {
  return value.from != nullptr ? as<Node>(*value.from) : nullptr;
}

// All expressions that are part of one, or of a statement, with those of lambdas; the whole one first.
template <typename F>
void each_within(const cuda::Stmt& stmt, const F& f);
template <typename F>
void each_within(const cuda::Expr& expr, const F& f) {
  f(expr);
  if (const auto* lambda = as<cuda::LambdaExpr>(expr); lambda && lambda->function->body)
    each_within(*lambda->function->body, f);
  cuda::each_child(expr, [&](const cuda::Expr& child) { each_within(child, f); });
}
template <typename F>
void each_within(const cuda::Stmt& stmt, const F& f) {
  const auto go_on = [&](const auto& child) { each_within(child, f); };
  cuda::each_child(stmt, go_on, go_on);
}

// Of an array's numbers as many are kept, behind as many that are left out; memory for so many costs a step;
// and objects.
inline constexpr std::size_t kMostNumbers = std::size_t{1} << 20, kMostSkipped = 4096;
inline constexpr std::int64_t kNumbersOfAStep = 8;
inline constexpr std::size_t kMostObjects = 200'000;
inline constexpr std::int64_t kMostDrawn = 0x7fffffff;  // of rand()

bool is_container(std::string_view name);                // "vector"
const cuda::BuiltinType* vector_type(const Type* type);  // float4; nullptr: it is none
std::string_view last_part(std::string_view name);       // "sort" of "std::sort"
bool launches_by_api(std::string_view function);         // cudaLaunchKernel and kin

struct TemplateValue {
  const Type* type = nullptr;  // of a type
  std::optional<Value> value;  // of a number
};

struct LaunchSeen {
  const cuda::Function* kernel = nullptr;
  std::vector<TemplateValue> templates;  // as far as they are written
  std::vector<Value> configuration;      // grid, block, and what else there is
  std::vector<Value> arguments;
  std::int64_t shared_limit = 0;  // of dynamic shared memory, as cudaFuncSetAttribute has raised it
  cuda::SourceRange range;
  bool is_reached = true;  // by a run without arguments
};

class HostRun {
 public:
  using Seen = std::function<void(const LaunchSeen&)>;
  // All of them outlive it. `text`: what the offsets of `unit` refer to.
  HostRun(const cuda::TranslationUnit& unit, const std::string& text, Budget& budget, Seen seen);
  void main();
  void the_rest();

  // For those who are told of a launch: values as they are then.
  Types& types() { return types_; }
  Value member(const Value& object, const std::string& name);
  // Of what is within a struct, with `name` before it: "p.n", "p.at.x"; of another value itself.
  using Told = std::function<void(const std::string& name, const Value& value)>;
  void each_member(const Value& of, const std::string& name, const Told& tell);
  std::string name_of(const Value& function) const;         // "plus"; none of a template
  Value bytes_of(const Value& pointer) const;               // of the allocation
  Value counted(const Value& bytes, std::int64_t element);  // how many elements have these bytes
  std::optional<std::int64_t> size_of(const Type* type) { return layout_of(type).bytes; }
  Value in_whole(Value pointer);  // the same place as one of the whole that a member or an element is in
  const Type* type_named(const std::string& name) { return named_type(name, {}); }
  // What the array that it points into holds, from its begin; nullopt: not all of it is known. `taken`: for
  // what the kernel takes its elements, and how many these are; null: for what the host does.
  std::optional<Written> written_of(const Value& pointer, const Type* taken = nullptr,
                                    std::optional<std::uint64_t> elements = {});
  // Memory as it lies there, where it holds addresses.
  struct Image {
    struct Address {
      std::uint64_t at = 0;  // whose 8 bytes have the offset into
      int object = -1;
      std::string path;  // "->next", "[2].name"
    };
    std::string bytes;
    std::vector<Address> addresses;
    bool is_whole = true;  // all of its pointers are known
  };
  std::optional<Image> image_of(int object);
  const Type* element_of(int object) const { return at(object).type; }
  Value begin_of(int object) const { return pointer(object, 0, nullptr); }
  // Variables of the device's memory to which the host has copied: pointers to them, by name.
  const std::map<std::string, Value>& symbols() const { return symbols_; }
  bool is_struct(const Type* type) const { return find_struct(type) || special_.contains(type->name); }
  const std::map<std::string, std::int64_t>& constants() const { return constants_; }

 private:
  static constexpr std::int64_t kAllSteps = 1'500'000;  // of a run, which ends then
  enum class Flow { Next, Break, Continue, Return, Goto, Exit };
  using Exprs = std::span<const cuda::ExprPtr>;
  using Values = std::vector<Value>;
  struct Field {
    std::string name;  // "#:B" of a base
    const Type* type = nullptr;
    std::vector<std::int64_t> extents = {};
    std::int64_t offset = -1;
    const cuda::StructField* written = nullptr;  // of a vector type: none
  };
  struct Layout {
    std::optional<std::int64_t> bytes = {};
    std::int64_t alignment = 1;
    bool is_padded = false;          // at its end, where a derived struct's own fields may lie
    std::vector<Field> fields = {};  // of a struct or vector
  };
  const Layout& layout_of(const Type* type);
  const Field* field_of(const Type* type, const std::string& name);
  // What an array holds.
  struct Held {
    std::shared_ptr<std::vector<std::int64_t>> numbers;  // the first of its integers
    int leads_to = -1;     // where these are addresses, which are not kept: into which object
    bool is_zero = false;  // what was not written is 0
    bool is_known = true;  // its numbers are
    // Where rand() fills it: between which two its numbers are, and how many of the first are drawn; kSome:
    // as many as a loop draws that was not gone through.
    static constexpr std::int64_t kSome = INT64_MAX;
    std::int64_t least = 0, most = -1, drawn_length = 0;
    bool is_drawn() const { return least <= most; }
    void draw(const Value& value, std::int64_t end) {
      if (!is_drawn()) numbers = nullptr;
      least = is_drawn() ? std::min(least, value.least) : value.least;
      most = std::max(most, value.most);
      drawn_length = std::max(drawn_length, end);
    }
    std::int64_t length() const {  // of what was written
      return is_drawn() ? drawn_length : numbers ? static_cast<std::int64_t>(numbers->size()) : 0;
    }
  };
  // A variable, an array, or an allocation.
  struct Object : Held {
    enum class Kind : std::uint8_t { Scalar, Struct, Array, Container, Opaque } kind = Kind::Scalar;
    const Type* type = nullptr;                     // of an array that of its elements
    std::vector<std::int64_t> extents;              // of an array of arrays, but for the first
    Value value;                                    // of a scalar
    Value bytes;                                    // of an array, an allocation or a container
    std::map<std::string, int, std::less<>> parts;  // members, and elements that are no numbers
    const Type* whole = nullptr;                    // of a container
    bool is_shared = false;                         // changed through what is not followed: never known
    bool is_const = false;                          // never changed
    int within = -1;                                // of a member or an element: whose it is
    int epoch = 0;                                  // in which it was noted last
    bool is_list() const { return kind == Kind::Array || kind == Kind::Container; }
    bool is_plain() const {
      return is_number(type) && extents.empty();
    }  // of a list: numbers are its elements
  };
  struct Note {  // what an object was, or is
    int object = -1;
    Value value, bytes;
  };
  struct Entry {
    std::string_view name;
    Place place;
    bool is_own = false;  // and ends with its block
  };
  // What can be called or launched.
  struct Callable {
    const cuda::Function* function = nullptr;
    int self = -1;  // of a member function
    const cuda::Struct* of = nullptr;
    std::vector<TemplateValue> templates = {};
    std::string qualifiers = {};  // as it was named
    std::vector<std::pair<std::string, const Type*>> types = {};
    std::vector<Entry> captured = {};  // by a lambda, as they were
    int outer = -1;                    // of a lambda: the frame around it
    std::size_t outer_end = 0;         // and of what is seen there
  };
  struct Frame : Callable {
    std::size_t begin = 0;  // of its entries
  };
  enum class Way { Run, Unknown, Open };  // as a run goes; what nobody calls; for what it may change alone
  struct Scope {                          // What is declared in it is gone with it.
    explicit Scope(HostRun& run)
        : in(run), types(run.frames_.back().types.size()), entries(run.entries_.size()) {}
    ~Scope() {
      in.frames_.back().types.resize(types);
      in.entries_.resize(entries);
    }
    HostRun& in;
    std::size_t types, entries;
  };
  struct OwnParameters : Scope {  // with what the parameters of a struct's template stand for
    OwnParameters(HostRun& run, const cuda::Struct& of, const Type* type);
  };
  struct Region {  // of statements whose changes are noted
    explicit Region(HostRun& run) : in(run), begin(run.notes_.size()) {
      run.regions_.push_back(++run.last_epoch_);
    }
    ~Region() { in.regions_.pop_back(); }
    HostRun& in;
    std::size_t begin;
  };

  // host_run.cpp: statements and functions
  void globals();
  void find_calls(const cuda::Function& function);
  void go_through(const cuda::Function& function, const cuda::Struct* of, Way way);
  bool is_called_elsewhere(const cuda::Function& function) const;
  bool holds_unseen_launch(const cuda::SourceRange& range) const;
  Flow exec(const cuda::Stmt& stmt);
  Flow exec_all(const std::vector<cuda::StmtPtr>& body, std::size_t from = 0);
  Flow exec_if(const cuda::IfStmt& node);
  Flow exec_loop(const cuda::Stmt* init, const cuda::Expr* condition, const cuda::Expr* increment,
                 const cuda::Stmt* body, bool body_first);
  void may_happen(const std::function<void()>& what);
  void forget_globals();
  void lose(const cuda::Expr& target, bool is_handed);
  void lose(const Value& target, bool is_handed);
  void share(const Place& place);
  Flow exec_switch(const cuda::SwitchStmt& node);
  Flow assuming(const Value& condition, const std::function<Flow()>& way);
  Flow either(const std::vector<std::function<Flow()>>& ways, const Value& condition = {});
  void lead_anywhere(const Value& pointer);
  void declare(const cuda::Declarator& declarator, bool is_static);
  void end_lives(std::size_t from);
  void destroy(int object);
  Value call(Callable callable, const Values* arguments);  // null: they are not known
  Value call(Callable callable, const Values& arguments) { return call(std::move(callable), &arguments); }
  void bind_parameters(const cuda::Function& function, const Values* arguments, Callable& callable,
                       std::vector<Entry>* entries);
  void deduce(const cuda::TypeName& wanted, const Type* given, const cuda::Function& function,
              Callable& callable);
  std::map<int, Note> undo(const Region& region);
  void forget_changes(const Region& region);

  // host_contents.cpp
  bool holds_pointers(const Type* type);
  void lay(int object, std::uint64_t begin, const std::string& path, Image* image);
  void lay_pointer(Value value, const Type* pointee, std::uint64_t begin, const std::string& path,
                   Image* image);
  void empty(int object, bool is_zero);

  // host_objects.cpp, host_expressions.cpp, host_calls.cpp
  Value eval(const cuda::Expr& expr);
  Value worked_out(const cuda::Expr& expr);
  Value size_asked(const cuda::SizeofExpr& node);
  Value selected(const cuda::MemberExpr& node);
  Value indexed(const cuda::IndexExpr& node);
  Place deref(const Value& pointer);
  Place somewhere_in(int object) const;
  Place element(int object, std::int64_t index);
  Place pointed(const cuda::Expr& base);
  // Where an object is; of one that nobody refers to itself.
  static Place object_of(const Value& value) {
    return value.place.is_valid() || value.kind != Kind::Object ? value.place : Place{value.object};
  }
  // The object that is at a place; of an element of numbers, or one that is not known, the array.
  int whole(const Place& place) {
    return place.index >= 0 ? part(place.object, std::to_string(place.index)) : place.object;
  }
  Value read(const Place& place);
  Value held(const Place& place);
  Value made(int object) { return held({object}); }  // which nobody refers to
  void write(const Place& place, Value value);
  void forget(const Place& place);
  void forget_parts(int object);
  void forget_contents(const Value& pointer);
  void note(int object);
  Value copied(const Value& value);
  void copy_object(int to, int from);
  void copy_contents(const Value& to, const Value& from, const Value& bytes);
  std::optional<bool> truth(const Value& value) const;
  Value binary(const cuda::BinaryExpr& node);
  Value combined(cuda::BinaryOp op, const Value& left, const Value& right);
  Value unary(const cuda::UnaryExpr& node);
  Value assign(const cuda::AssignExpr& node);
  Value chosen(const cuda::ConditionalExpr& node);
  Value cast(Value value, const Type* type);
  Value call_expr(const cuda::Expr& expr, const cuda::CallExpr& node);
  Value launch(const cuda::Expr& expr, const cuda::CallExpr& node);
  bool launch_by_api(const cuda::Expr& expr, const cuda::NameExpr& callee, const Values& arguments);
  Value launched(LaunchSeen seen, const Value& kernel);
  std::optional<Value> known_call(const cuda::NameExpr& callee, const Values& arguments);
  std::optional<Value> known_number(std::string name, const Values& arguments);
  Values values_of(Exprs arguments);
  void hand_over(const Value& value, bool is_reference = false);
  std::optional<Value> own_operator(const Value& left, const std::string& name, const Values& others);
  Value unknown_call(const std::string& name, const Values& arguments);
  Value method(const cuda::CallExpr& node, const cuda::MemberExpr& callee);
  std::optional<Value> container_method(int object, const std::string& name, const Values& arguments);
  Value construct(const Type* type, const Values& arguments);
  void make(int object, const Values& arguments);
  void make_struct(int object, const Values& arguments);
  void make_members(int object, const std::vector<cuda::MemberInit>& inits);
  bool bind(int object, const std::string& member, const Value& to);
  static std::string name_in(const cuda::Struct& of, const std::string& name);
  const cuda::Function* find_method(const cuda::Struct& of, const std::string& name, const Values& arguments);
  bool has_constructor(const cuda::Struct& of, std::size_t arguments) const;
  std::vector<int> with_bases(int object);
  int derived_of(int object) const;
  int as_base(int object, const Type* type);
  Place referred(const Value& value, const cuda::TypeName& type);
  void initialise(int object, const Value& value);
  int make_object(const Type* type, const std::vector<std::int64_t>& extents = {});
  int make_allocation(const Type* element, const Value& bytes, bool is_zero);
  int make_opaque();
  std::optional<Callable> method_of(const Value& object, const std::string& name, const Values& arguments);
  Value callable_value(Callable callable);
  const Callable& callable_of(const Value& function) const {
    return callables_[static_cast<std::size_t>(function.object)];
  }
  Value function_value(const cuda::NameExpr& name);
  Value sized(const Value& count, const Type* element);
  int part(int object, const std::string& name);
  std::vector<std::int64_t> numbers_of(Exprs extents);
  Value pointer(int object, std::int64_t offset, const Type* type) const;
  bool may_be_seen_as(const Type* seen, const Type* type) const;
  Value integer(std::int64_t value, sim::ScalarType type = sim::ScalarType::I32);
  std::optional<Place> lookup(std::string_view name);
  std::optional<Value> static_member(const std::string& owner, std::string_view name);
  std::vector<TemplateValue> template_values(const std::vector<cuda::TemplateArgument>& arguments);
  const Type* resolve(const cuda::TypeName& name);
  const Type* named_type(const std::string& name, std::vector<const Type*> arguments);
  const cuda::Struct* find_struct(const Type* type) const;
  const cuda::Function* find_function(const std::string& name, const std::string& qualifiers,
                                      const Values* arguments);
  Object& at(int object) { return objects_[static_cast<std::size_t>(object)]; }
  const Object& at(int object) const { return objects_[static_cast<std::size_t>(object)]; }

  const cuda::TranslationUnit& unit_;
  const std::string text_;
  Pace pace_;
  Seen seen_;
  Types types_;
  std::deque<Object> objects_;
  std::vector<Entry> entries_;
  std::vector<Frame> frames_;
  std::vector<Callable> callables_;
  std::unordered_map<std::string_view, Place> globals_;
  std::map<std::string, const cuda::UsingStmt*> aliases_;
  std::multimap<std::string, const cuda::Function*, std::less<>> functions_;  // of a class `Class::name`
  std::map<std::string, const cuda::Struct*, std::less<>> structs_;
  std::map<std::string, std::int64_t> constants_;
  std::set<std::string_view> virtual_;  // member functions of some class
  std::set<const cuda::Function*> entered_;
  std::set<std::string_view> special_;           // templates of structs that have specialisations
  std::set<int> launches_;                       // where those stand that were not told yet
  std::multimap<std::string_view, int> called_;  // and where functions are called
  std::map<std::string_view, Formula::Of> undeclared_;
  std::map<const Type*, Layout> layouts_;
  std::map<std::string, Value> symbols_;
  std::map<const cuda::Function*, std::int64_t> shared_limits_;  // of kernels
  std::set<std::string_view> written_by_kernels_;  // variables of the device's memory that are no constants
  std::vector<Note> notes_;
  std::vector<int> regions_;  // their epochs
  int last_epoch_ = 0;
  Value returned_;
  std::set<int> handed_;        // objects that what is not followed may have the address of
  bool may_have_left_ = false;  // a loop or switch, where a condition is not known
  bool may_have_returned_ = false;
  bool exited_ = false;           // the program
  bool thrown_ = false;           // by the statement that was last
  bool gave_up_ = false;          // something was too much: nothing is known any more
  bool has_destructors_ = false;  // any class
  bool explores_ = false;         // ways that a run does not go
  bool is_open_ = false;          // all ways are gone, for what they may change
  std::int64_t open_until_ = 0;   // steps
  std::int64_t distance_ = 0;     // of what was compared last
  bool has_arguments_ = false;    // the program, and nobody knows which
  int depth_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace warplens::app::host

namespace warplens::app {

// The launches of a file's host code as a launch form can take them, in numbers and in the kernel's own
// names: those of a run without arguments first, in turn; and its const integers. `parsed`: with its host
// code read. `facts`: has its kernels. Throws Stopped where the budget ends.
void read_host(const cuda::ParseResult& parsed, Budget& budget, FileFacts* facts);

// What stands there in `text`, which the offsets refer to.
std::string piece(const std::string& text, const cuda::SourceRange& range);

}  // namespace warplens::app
