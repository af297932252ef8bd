// The syntax tree of a CUDA C++ file: kernels, device functions, constants, structs. Untyped: names are not
// resolved and templates not instantiated here; sim/lower does that for the arguments asked for.
//
// Names are normalised so that one thing has one name: `std::`, CUDA's and the file's own namespaces are
// dropped, `half` is `__half`, an enumerator is a constexpr int among the globals (`Axis::X` that of an enum
// class), and so is a static constexpr member of a struct (`Config::BM`). A function's name may be
// `operator+`.
#pragma once

#include <climits>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "sim/cuda/text/diagnostic.h"
#include "sim/cuda/text/operators.h"

namespace warplens::cuda {

struct Expr;
struct Stmt;
using ExprPtr = std::unique_ptr<Expr>;
using StmtPtr = std::unique_ptr<Stmt>;

// A type as written: `const float* __restrict__`, `unsigned int`, `T`, `float4`, `Tile<16, float>`.
// A template argument is a type or an expression; one that could be either (a lone name) is an expression.
struct TypeName;
struct TemplateArgument {
  std::shared_ptr<TypeName> type;  // one of the two is set
  std::shared_ptr<Expr> value;
};
struct TypeName {
  // Canonical for built-in types: "void", "bool", "char", "signed char", "unsigned char", "short",
  // "unsigned short", "int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long",
  // "float", "double", "__half". Otherwise the name as written, with its "::": "float4", "T", "uint32_t",
  // "size_t", "auto", "cg::thread_block".
  std::string name;
  std::vector<TemplateArgument> arguments;
  std::shared_ptr<TypeName> scope;  // of `Traits<T>::type` the `Traits<T>`
  bool is_const = false;
  bool is_volatile = false;
  int pointers = 0;                               // number of '*'
  std::shared_ptr<std::vector<ExprPtr>> pointed;  // `float (*)[4][8]`: 4 and 8
  bool reference = false;                         // a trailing '&' or '&&'
  bool takes_values = false;                      // '&&': what is no variable, too
  // For a function or a pointer to one, `arguments` are its result and the types of its parameters.
  bool is_function = false;
  std::shared_ptr<Expr> measured;  // the x of `decltype(x)`
  bool is_macro = false;           // no type, but an unknown word in front of one
  bool measures_place = false;     // `decltype((x))`: of a variable the reference to it
  SourceRange range;
};

// `template <int BX, typename T = float, bool B>`
struct TemplateParameter {
  bool is_type = false;
  TypeName value_type;  // of a value parameter
  std::string name;
  std::optional<TemplateArgument> fallback;
};

// ---- expressions

// 3u, 7LL. Typed by C++'s rules: 0xFFFFFFFF is unsigned, 3000000000 has longs == 1.
struct IntegerLiteral {
  std::uint64_t value = 0;
  bool is_unsigned = false;
  int longs = 0;
};
// 'x', a char, sign-extended; with the prefix L a wchar_t, with u a char16_t, with U a char32_t.
struct CharLiteral {
  std::uint64_t value = 0;
  char prefix = 0;
};
struct NullLiteral {};  // nullptr
struct FloatLiteral {
  double value = 0;
  bool is_float = false;
};  // 1.5f
struct BoolLiteral {
  bool value = false;
};
struct StringLiteral {
  std::string value;
};
// `x`, `threadIdx`, `cg::sync`, `load<4>`; arguments only where the parser knows a template of that name
// or the text can be nothing else.
// `scope`: of `Traits<T>::value` the `Traits<T>`. `this` is a name too.
struct NameExpr {
  std::string name;
  std::vector<TemplateArgument> arguments;
  std::shared_ptr<TypeName> scope = {};
  std::string qualifiers = {};  // namespaces as written: `a::b` of a::b::f
};
struct UnaryExpr {
  UnaryOp op;
  ExprPtr operand;
};
struct BinaryExpr {
  BinaryOp op;
  ExprPtr left, right;
  SourceRange op_range;
};
// `a = b`, or `a += b` with op set.
struct AssignExpr {
  std::optional<BinaryOp> op;
  ExprPtr target, value;
};
struct ConditionalExpr {
  ExprPtr condition, then_value, else_value;
};
// `kernel<<<grid, block, shared>>>(a, b)` in host code has a configuration: two to four expressions.
struct CallExpr {
  ExprPtr callee;
  std::vector<ExprPtr> arguments;
  std::vector<ExprPtr> configuration = {};
};
struct IndexExpr {
  ExprPtr base, index;
};
struct MemberExpr {
  ExprPtr base;
  std::string member;
  bool arrow = false;
  SourceRange member_range;
  std::vector<TemplateArgument> arguments = {};  // v.get<2>()
};
enum class CastKind { C, Functional, Static, Reinterpret, Const };
struct CastExpr {
  CastKind kind;
  TypeName type;
  ExprPtr operand;
};  // Functional: float(x)
struct ConstructExpr {
  TypeName type;
  std::vector<ExprPtr> arguments;
};  // dim3(1, 2), float4{a, b, c, d}
struct InitListExpr {
  std::vector<ExprPtr> elements;
};  // {0}, {{1, 2}, {3, 4}}
// `.x = 1` in a list of initial values.
struct DesignatedExpr {
  std::string member;
  ExprPtr value;
};
struct SizeofExpr {
  std::optional<TypeName> type;
  ExprPtr operand;
  // alignof; how many elements an array has, which only a range-based for asks.
  enum class Of { Size, Alignment, Extent } of = Of::Size;
};
// `[&](int i) { return a[i]; }`. What is captured by default: '&', '=', or 0.
struct Function;
struct LambdaCapture {
  std::string name;
  bool by_reference = false;
  ExprPtr initializer;  // or null
};
struct LambdaExpr {
  char captures_all = 0;
  std::set<std::string, std::less<>> names;  // that its body has
  std::vector<LambdaCapture> captures;
  std::shared_ptr<Function> function;
};

struct Expr {
  SourceRange range;
  std::variant<IntegerLiteral, CharLiteral, NullLiteral, FloatLiteral, BoolLiteral, StringLiteral, NameExpr,
               UnaryExpr, BinaryExpr, AssignExpr, ConditionalExpr, CallExpr, IndexExpr, MemberExpr, CastExpr,
               ConstructExpr, InitListExpr, DesignatedExpr, SizeofExpr, LambdaExpr>
      node;
  int height = 1;  // levels of expressions from here down, at most kMaxExpressionHeight: recursion is safe
};
inline constexpr int kMaxExpressionHeight = 600;

// ---- statements

// One declared name: `__shared__ float tile[BY][BX + PAD]`, `int i = 0`, `extern __shared__ float s[]`.
struct Declarator {
  TypeName type;  // with this declarator's own '*' and '&'
  std::string name;
  SourceRange name_range;
  std::vector<ExprPtr> extents;  // outermost first; a null pointer is `[]`
  ExprPtr initializer;           // or null; InitListExpr for braces
  bool points_to_array = false;  // `float (*rows)[4]`
  int alignment = 0;             // `int x alignas(16)`, of a member
};
struct DeclStmt {
  bool is_shared = false, is_extern = false, is_static = false, is_constexpr = false;
  std::vector<Declarator> declarators;
  bool is_constant_memory = false, is_device_memory = false;  // __constant__, __device__ at namespace scope
  int alignment = 0;                                          // __align__(16), alignas(16); 0: natural
  std::vector<ExprPtr> alignments = {};  // alignas(sizeof(T)): what is no number as it stands
  std::vector<TemplateParameter> template_parameters = {};  // of `template <typename T> constexpr T pi`
};
struct ExprStmt {
  ExprPtr expr;
};
struct CompoundStmt {
  std::vector<StmtPtr> body;
};
struct IfStmt {
  ExprPtr condition;
  StmtPtr then_branch, else_branch;
  bool is_constexpr = false;
};
struct ForStmt {
  StmtPtr init;
  ExprPtr condition, increment;
  StmtPtr body;
};  // each part may be null
struct WhileStmt {
  ExprPtr condition;
  StmtPtr body;
};
struct DoStmt {
  StmtPtr body;
  ExprPtr condition;
};
// The body's statements in order; labels say before which one they stand.
struct SwitchLabel {
  std::size_t before = 0;
  ExprPtr value;
  SourceRange range;
};  // null value: default
struct SwitchStmt {
  ExprPtr condition;
  std::vector<StmtPtr> body;
  std::vector<SwitchLabel> labels;
};
struct BreakStmt {};
struct ContinueStmt {};
struct ReturnStmt {
  ExprPtr value;
};
struct EmptyStmt {};
struct StaticAssertStmt {
  ExprPtr condition;
};
// using T = float; typedef float T; typedef float Row[4]; template <int N> using Tile = Array<float, N>;
struct UsingStmt {
  std::string name;
  TypeName type;
  std::vector<ExprPtr> extents = {};
  std::vector<TemplateParameter> template_parameters = {};
};

// asm volatile("..." : "=r"(x) : "r"(y) : "memory"); inline PTX.
struct AsmOperand {
  std::string constraint;  // "=r", "+f", "l"
  ExprPtr expr;
};
struct AsmStmt {
  std::string text;  // of all its strings
  std::vector<AsmOperand> outputs, inputs;
};

struct Stmt {
  SourceRange range;
  std::variant<DeclStmt, ExprStmt, CompoundStmt, IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt, BreakStmt,
               ContinueStmt, ReturnStmt, EmptyStmt, UsingStmt, AsmStmt, StaticAssertStmt>
      node;
};

// ---- file

struct Parameter {
  TypeName type;
  std::string name;  // may be empty
  SourceRange range;
  std::vector<ExprPtr> extents;  // `float a[]`, `int m[4]`: a pointer, as in C++
  ExprPtr fallback;
};
// `: x(a), v{1, 2}` of a constructor.
struct MemberInit {
  std::string name;
  std::vector<ExprPtr> arguments;
  SourceRange range;
};
// Which names of other namespaces are meant without these: `using namespace a;`, `using a::f;` of a function.
// As written.
struct Uses {
  std::vector<std::string> namespaces;
  std::vector<std::pair<std::string, std::string>> functions;  // name, namespace
};
struct Function {
  enum class Kind { Kernel, Device };  // __global__ / __device__ (with or without __host__)
  Kind kind = Kind::Kernel;
  std::string name;
  TypeName result;
  std::vector<TemplateParameter> template_parameters;
  std::vector<Parameter> parameters;
  StmtPtr body;  // CompoundStmt; null for a declaration
  SourceRange range, name_range;
  std::vector<ExprPtr> launch_bounds;  // of __launch_bounds__(a, b), as written
  std::vector<ExprPtr> cluster_dims;   // of __cluster_dims__(x, y, z)
  bool is_specialisation = false;      // template <> float f<float>(...)
  std::vector<TemplateArgument> specialised_for;
  // These describe a member function. A constructor has its struct's name, a conversion is `operator
  // conversion`; a destructor, which only the host has, `~P`.
  bool is_static = false, is_const = false, is_constructor = false, is_explicit = false, is_virtual = false;
  std::vector<MemberInit> member_inits;
  std::string scope;               // the namespaces around it: "a::b"
  std::size_t place = 0;           // in the order of the text with its headers
  Uses uses = {};                  // in its body
  std::vector<Diagnostic> errors;  // what is wrong with its body: a kernel that calls it cannot run
};
// One without a name of its own (`union { float4 v; float f[4]; };`), whose members are the struct's, is
// named "#0", "#1"; a base class "#:0", "#:1": bases come first.
struct StructField {
  TypeName type;
  std::string name;
  std::vector<ExprPtr> extents;
  SourceRange range;
  ExprPtr initializer = {};  // or null
  int alignment = 0;         // as Struct has it
  std::vector<ExprPtr> alignments = {};
};
struct Struct {
  std::string name;
  int alignment = 0;                // __align__(16), alignas(16); 0: natural
  std::vector<ExprPtr> alignments;  // alignas(sizeof(T)): what is no number as it stands
  std::vector<TemplateParameter> template_parameters;
  std::vector<StructField> fields;
  SourceRange range;
  bool is_specialisation = false;  // template <> struct Traits<float>; with parameters a partial one
  bool is_defined = true;          // false: `template <typename T> struct Traits;`
  std::vector<TemplateArgument> specialised_for;
  std::string spelled_for;               // the same as written: "<T*,4>"
  std::string scope;                     // the namespaces around it: "a::b"
  std::vector<Function> functions;       // __device__ and constexpr member functions
  std::vector<StmtPtr> members;          // of a template: static constants; aliases
  std::vector<std::string> methods;      // names of member functions that only the host has
  std::vector<std::string> used;         // `using Base::f;`: the base's f stand beside its own
  bool has_constructors = false;         // some of those are constructors
  bool has_default_constructor = false;  // `S() = default;`, for the device
  bool is_union = false;
  bool has_private_fields = false;
  std::vector<Diagnostic> errors;  // what is wrong with it where a kernel makes one
  // For `Outer::Inner`, the struct template Outer, whose parameters it may use; otherwise empty.
  std::string outer_template;
};
// What only the host has, where it was asked for. A statement that is not understood stands there as a call
// of `kUnread` with the addresses of all that it names: whatever that does to them.
inline constexpr const char* kUnread = "?";
struct HostCode {
  std::vector<Function> functions;  // of a class `Class::name`, where it is defined outside of it
  std::vector<Struct> structs;      // again, with the member functions that only the host has
  std::vector<StmtPtr> globals;
};

// What could not be parsed, by its name: an error in the kernels that use it, and in no other.
struct Broken {
  std::string name;
  bool is_kernel = false;
  std::vector<Diagnostic> diagnostics;
  bool is_device = false;  // marked as device code, not one of the host's that a kernel may use
};

struct TranslationUnit {
  int library = INT_MAX;  // where in the text that of libraries begins (library.h): to the end
  std::vector<Function> functions;
  std::vector<Struct> structs;
  // Namespace-scope constants (`constexpr int B = 32;`, `const`, `__constant__`, `__device__`) and aliases.
  std::vector<StmtPtr> globals;
  HostCode host;
  Uses uses;  // at namespace scope
  std::vector<Broken> broken;
  // Functions and variables that only the host has, by name: for saying so where a kernel uses one.
  std::vector<std::string> host_names;
  // Files named in #include, but for those of C, C++ and the CUDA Toolkit, which are not read: for saying so
  // where a name is unknown.
  std::vector<std::string> ignored_includes;
  // The includes that exist, but outside of what may be read.
  std::vector<std::string> outside_includes;
  // And the first that cannot be read: as named, and why.
  std::optional<std::pair<std::string, Message>> unread_include;
};

}  // namespace warplens::cuda
