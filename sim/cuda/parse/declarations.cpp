// Variables, aliases and parameters.
#include <algorithm>
#include <iterator>

#include "sim/cuda/parse/parser.h"
#include "sim/cuda/preprocess/preprocessor.h"
#include "sim/cuda/text/lexer.h"
#include "sim/cuda/text/names.h"

namespace warplens::cuda {

Parser::Specifiers Parser::parse_specifiers() {
  Specifiers specifiers;
  while (parse_specifier(specifiers)) {
  }
  return specifiers;
}

void Parser::refuse_packed(const Specifiers& s) {
  if (s.packed == kNo) return;
  fail(token_at(s.packed), Message("packed structs are not supported"),
       Message("order the members so that there is nothing to pack: nvcc reads those of a packed struct byte "
               "by byte"));
}

void Parser::take_alignment(Specifiers& from, Specifiers& to) {
  to.alignment = std::max(to.alignment, from.alignment);
  std::move(from.alignments.begin(), from.alignments.end(), std::back_inserter(to.alignments));
}

// One word that may stand before a type, unless it is part of the type.
bool Parser::parse_specifier(Specifiers& s) {
  if (accept("__global__")) return s.is_global = true;
  if (accept("__device__") || accept("__managed__")) return s.is_device = true;
  if (accept("__host__")) return s.is_host = true;
  if (accept("__shared__")) return s.is_shared = true;
  if (accept("__constant__")) return s.is_constant = true;
  if (accept("static")) return s.is_static = true;
  if (accept("constexpr")) return s.is_constexpr = true;
  if (accept("const")) return s.is_const = true;
  if (accept("volatile") || accept("__volatile__")) return s.is_volatile = true;
  if (accept("extern")) {
    if (peek().kind == TokenKind::String) ++next_;  // extern "C"
    return s.is_extern = true;
  }
  if (at("__align__") || at("alignas")) {
    parse_alignment(s);
    return true;
  }
  if (at(kPacked)) {
    s.packed = next_++;
    return true;
  }
  if (accept("__launch_bounds__")) {
    expect("(", Message("after '__launch_bounds__'"));
    s.launch_bounds = parse_arguments(")");
    return true;
  }
  if (accept("__cluster_dims__")) {
    expect("(", Message("after '__cluster_dims__'"));
    s.cluster_dims = parse_arguments(")");
    return true;
  }
  if (accept("__maxnreg__")) {
    if (at("(")) skip_balanced();
    return true;
  }
  if (accept("explicit")) return s.is_explicit = true;
  return accept("inline") || accept("__forceinline__") || accept("__noinline__") || accept("__inline__") ||
         accept("register") || accept("mutable") || accept("friend") || accept("__grid_constant__");
}

// `__align__(16)`, `alignas(float4)`, `alignas(sizeof(T))`. The strictest of several counts.
void Parser::parse_alignment(Specifiers& s) {
  const std::size_t first = next_++;
  expect("(", Message("after the alignment's keyword"));
  if (peek().kind == TokenKind::Number && peek(1).is(")")) {
    NumberResult number = parse_number(peek().text);
    auto* literal = std::get_if<IntegerLiteral>(&number);
    bool power = literal && literal->value != 0 && (literal->value & (literal->value - 1)) == 0;
    if (!power || literal->value > 65536) fail(peek(), Message("an alignment is a power of two up to 65536"));
    s.alignment = std::max(s.alignment, static_cast<int>(literal->value));
    ++next_;
  } else if (type_is_argument()) {
    SizeofExpr node;
    node.type = parse_type();
    node.of = SizeofExpr::Of::Alignment;
    s.alignments.push_back(make_expr(first, std::move(node)));
  } else {
    s.alignments.push_back(parse_conditional());
  }
  expect(")", Message("after the alignment"));
}

StmtPtr Parser::parse_declaration() {
  std::size_t first = next_;
  if (at("enum") && (peek(1).is("{") || peek(1).is("class") || peek(2).is("{") || peek(2).is(":"))) {
    CompoundStmt unused;
    parse_enum(unit_.globals);
    return make_stmt(first, EmptyStmt{});
  }
  if (at("extern") && peek(1).kind != TokenKind::String && !peek(1).is("__shared__") &&
      look_at_head(next_).function) {  // declared here, defined elsewhere
    while (!at(";") && !at("{") && !at("}") && !at_end()) skip_balanced();
    expect_semicolon(Message("the declaration"));
    return make_stmt(first, EmptyStmt{});
  }
  if (at("__device__") || at("static") || at("extern") || at("inline")) {
    Head head = look_at_head(next_);
    if (head.device && head.function) refuse_nested_declaration();
  }
  StmtPtr declaration = parse_simple_declaration();
  expect_semicolon(Message("the declaration"));
  declaration->range = range_from(first);
  return declaration;
}

// Without the token that ends it, which is for the caller to check.
StmtPtr Parser::parse_simple_declaration() {
  std::size_t first = next_;
  Specifiers specifiers = parse_specifiers();
  if (!at("enum") && defines_type(next_)) {  // `__shared__ union {...} room;`
    std::vector<StmtPtr> variables;
    parse_struct({}, &variables);
    --next_;  // its ';'
    if (variables.empty()) return make_stmt(first, EmptyStmt{});
    auto& made = std::get<DeclStmt>(variables.front()->node);
    specify(specifiers, made);
    for (Declarator& declarator : made.declarators)
      declarator.type.is_const |= specifiers.is_const || specifiers.is_constexpr;
    return std::move(variables.front());
  }
  TypeName base = parse_type_specifier();
  Specifiers after;  // `float __shared__ tile[32]`
  while (parse_specifier(after)) {
  }
  specifiers.is_shared |= after.is_shared;
  specifiers.is_extern |= after.is_extern;
  specifiers.is_static |= after.is_static;
  specifiers.is_constant |= after.is_constant;
  specifiers.is_device |= after.is_device;
  specifiers.is_constexpr |= after.is_constexpr;
  take_alignment(after, specifiers);
  base.is_const |= specifiers.is_const || specifiers.is_constexpr || after.is_const;
  base.is_volatile |= specifiers.is_volatile || after.is_volatile;
  DeclStmt declaration = parse_declarators(specifiers, base);
  return make_stmt(first, std::move(declaration));
}

void Parser::specify(Specifiers& specifiers, DeclStmt& declaration) {
  declaration.is_shared = specifiers.is_shared;
  declaration.is_extern = specifiers.is_extern;
  declaration.is_static = specifiers.is_static;
  declaration.is_constexpr = specifiers.is_constexpr;
  declaration.is_constant_memory = specifiers.is_constant;
  declaration.is_device_memory = specifiers.is_device && !specifiers.is_constant;
  declaration.alignment = std::max(declaration.alignment, specifiers.alignment);
  std::move(specifiers.alignments.begin(), specifiers.alignments.end(),
            std::back_inserter(declaration.alignments));
}

DeclStmt Parser::parse_declarators(Specifiers& specifiers, const TypeName& base) {
  DeclStmt declaration;
  specify(specifiers, declaration);
  const std::size_t behind = after_pointers(next_);
  if (base.name == "auto" && token_at(behind).is("[")) {
    parse_bindings(base, declaration);
    return declaration;
  }
  do {
    declaration.declarators.push_back(parse_declarator(base));
  } while (accept(","));
  return declaration;
}

// `auto [x, y] = p`: a variable of no name that anyone writes, and references to its parts: of the first of
// two `p.#part<0, 2>`.
void Parser::parse_bindings(const TypeName& base, DeclStmt& declaration) {
  Declarator whole;
  whole.type = base;
  whole.name = "bound at '" + std::to_string(next_) + "'";
  const std::size_t first = next_;
  parse_pointers(whole.type);
  expect("[", {});
  std::vector<const Token*> names;
  do {
    const Token& name = peek();
    if (name.kind != TokenKind::Identifier || is_keyword(name.text))
      fail(name, Message("expected the name of a variable, not {}", describe(name)));
    names.push_back(&tokens_[next_++]);
  } while (accept(","));
  expect("]", Message("after the names"));
  whole.name_range = range_from(first);
  parse_initializer(whole);
  const std::string of = whole.name;
  declaration.declarators.push_back(std::move(whole));
  const auto number = [&](std::size_t value) {
    return TemplateArgument{nullptr, make_expr(first, IntegerLiteral{value})};
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    Declarator declarator;
    declarator.type = base;
    declarator.type.reference = true;
    declarator.name = std::string(names[i]->text);
    declarator.name_range = range_of(*names[i]);
    declarator.initializer = make_expr(first, MemberExpr{make_expr(first, NameExpr{of, {}, {}}),
                                                         std::string(kPart),
                                                         false,
                                                         declarator.name_range,
                                                         {number(i), number(names.size())}});
    declare(names[i]->text, NameKind::Variable);
    declaration.declarators.push_back(std::move(declarator));
  }
}

Declarator Parser::parse_declarator(const TypeName& base) {
  Declarator declarator;
  declarator.type = base;
  parse_pointers(declarator.type);
  bool array_reference =
      at("(") && peek(1).is("&") && peek(2).kind == TokenKind::Identifier && peek(3).is(")");
  std::size_t named = after_pointers(next_ + 1);
  bool array_pointer = at("(") && peek(1).is("*") && !peek(2).is("*") && token_at(named + 1).is(")") &&
                       token_at(named + 2).is("[");
  if (array_pointer) next_ = named;
  const bool function_pointer = !array_pointer && !array_reference && function_type_ahead();
  if (function_pointer) {
    const Token& pointer = token_at(after_pointers(next_ + 1));
    const std::string_view named_so = parse_function_type(declarator.type, &declarator.extents);
    declarator.name = std::string(named_so);
    declarator.name_range = range_of(pointer);
    declare(named_so, NameKind::Variable);
    parse_initializer(declarator);
    return declarator;
  }
  if (array_reference) next_ += 2;
  const Token& name = peek();
  if (name.kind != TokenKind::Identifier || is_keyword(name.text) || is_type_word(name.text)) {
    fail(name, Message("expected the name of a variable, not {}", describe(name)));
  }
  declarator.name = std::string(name.text);
  declarator.name_range = range_of(name);
  ++next_;
  if (array_reference || array_pointer) ++next_;
  declarator.type.reference |= array_reference;
  declarator.points_to_array = array_pointer;
  declare(name.text, NameKind::Variable);
  if (!static_member_prefix_.empty()) {
    declarator.name.insert(0, static_member_prefix_);
    static_members_[std::string(name.text)] = declarator.name;
  }
  if (at("__align__") || at("alignas")) {
    Specifiers behind;
    parse_alignment(behind);
    if (!behind.alignments.empty())
      fail(name, Message("'{}': write what it is aligned on in front of its type", declarator.name));
    declarator.alignment = behind.alignment;
  }
  declarator.extents = parse_extents();
  parse_initializer(declarator);
  return declarator;
}

// `= value`, `= {a, b}`, `{a, b}` or `(a, b)`.
void Parser::parse_initializer(Declarator& declarator) {
  std::size_t first = next_;
  if (accept("=")) {
    declarator.initializer = parse_initializer_value();
  } else if (at("{")) {
    declarator.initializer = parse_init_list();
  } else if (at("(")) {
    declarator.initializer = construct(first, declarator.type);
  }
}

std::vector<ExprPtr> Parser::parse_extents() {
  std::vector<ExprPtr> extents;
  while (accept("[")) {
    require_depth(extents.size());
    const Within inside(greater_closes_, false);
    extents.push_back(at("]") ? nullptr : parse_expression());
    expect("]", Message("after the array's extent"));
  }
  return extents;
}

StmtPtr Parser::parse_using_or_typedef() {
  return at("using") ? parse_using() : parse_typedef();
}

StmtPtr Parser::parse_using() {
  std::size_t first = next_++;
  if (at("namespace")) {
    next_ = first;
    parse_using_namespace();
    return make_stmt(first, EmptyStmt{});
  }
  const Token& name = peek();
  if (peek(1).is("=") && name.kind == TokenKind::Identifier) {
    next_ += 2;
    UsingStmt alias;
    alias.name = std::string(name.text);
    alias.type = parse_type();
    if (function_type_ahead()) {
      parse_function_type(alias.type);
    } else if (at("(")) {
      parse_function_parameters(alias.type);
    }
    alias.extents = parse_extents();
    expect_semicolon(Message("the alias"));
    declare(name.text, NameKind::Type);
    return make_alias(first, std::move(alias));
  }
  // `using std::max;`: the name is known without it.
  std::size_t last = 0;
  const std::string meant = parse_qualified_name(last);
  use_declared(token_at(last).text, meant);
  expect_semicolon(Message("the using declaration"));
  return make_stmt(first, EmptyStmt{});
}

StmtPtr Parser::parse_typedef() {
  std::size_t first = next_++;
  if (at("enum") && (peek(1).is("{") || peek(2).is("{") || peek(2).is(":"))) {
    parse_enum(unit_.globals);
    return make_stmt(first, EmptyStmt{});
  }
  if ((at("struct") || at("union")) &&
      (peek(1).is("{") || peek(2).is("{") || peek(1).is("__align__") || peek(1).is("alignas"))) {
    std::vector<StmtPtr> aliases;
    parse_struct({}, &aliases);
    return aliases.empty() ? make_stmt(first, EmptyStmt{}) : std::move(aliases.front());
  }
  UsingStmt alias;
  alias.type = parse_type();
  const Token& name = function_type_ahead() ? token_at(next_ + 2) : peek();
  if (name.kind != TokenKind::Identifier || is_keyword(name.text)) {
    fail(name, Message("expected the alias's name, not {}", describe(name)));
  }
  if (at("(")) {
    parse_function_type(alias.type);
  } else {
    ++next_;
    if (at("(")) parse_function_parameters(alias.type);  // typedef float fn(float);
  }
  alias.name = std::string(name.text);
  alias.extents = parse_extents();
  expect_semicolon(Message("the typedef"));
  declare(name.text, NameKind::Type);
  return make_alias(first, std::move(alias));
}

// `using vec3 = other::vec3;` names what has that name already: namespaces are dropped.
StmtPtr Parser::make_alias(std::size_t first, UsingStmt alias) {
  const TypeName& type = alias.type;
  const bool says_nothing = type.name == alias.name && type.arguments.empty() && !type.scope &&
                            type.pointers == 0 && alias.extents.empty();
  if (says_nothing) return make_stmt(first, EmptyStmt{});
  return make_stmt(first, std::move(alias));
}

// After the '(' and up to and with the ')'.
std::vector<Parameter> Parser::parse_parameters() {
  std::vector<Parameter> parameters;
  if (at("void") && peek(1).is(")")) ++next_;
  while (!at(")")) {
    parameters.push_back(parse_parameter());
    if (!accept(",")) break;
    if (at(")")) fail(peek(), Message("expected a parameter after ','"));
  }
  expect(")", Message("after the parameters"));
  return parameters;
}

Parameter Parser::parse_parameter() {
  std::size_t first = next_;
  Parameter parameter;
  Specifiers specifiers = parse_specifiers();
  if (!at("...")) parameter.type = parse_type_specifier();
  parameter.type.is_const |= specifiers.is_const;
  parameter.type.is_volatile |= specifiers.is_volatile;
  parse_pointers(parameter.type);
  parse_parameter_name(parameter);
  for (ExprPtr& extent : parse_extents()) parameter.extents.push_back(std::move(extent));
  if (accept("=")) parameter.fallback = parse_initializer_value();
  parameter.range = range_from(first);
  return parameter;
}

// `name`, nothing, `(*name)[4]` as `name[][4]`, or `(&name)[4]`.
void Parser::parse_parameter_name(Parameter& parameter) {
  if (at("...") && !in_host_code_)
    fail(peek(), Message("parameter packs and variable arguments are not supported"),
         Message("write the parameters out"));
  if (accept("...")) parameter.type.name = "...";
  if (function_type_ahead()) {
    const std::string_view named = parse_function_type(parameter.type, &parameter.extents);
    parameter.name = std::string(named);
    return declare(named, NameKind::Variable);
  }
  bool grouped = at("(") && (peek(1).is("*") || peek(1).is("&"));
  if (grouped) {
    bool pointer = peek(1).is("*");
    next_ += 2;
    while (accept("__restrict__") || accept("const")) {
    }
    if (pointer) {
      parameter.extents.push_back(nullptr);
    } else {
      parameter.type.reference = true;
    }
  }
  const Token& name = peek();
  if (name.kind == TokenKind::Identifier && !is_keyword(name.text)) {
    ++next_;
    parameter.name = std::string(name.text);
    declare(name.text, NameKind::Variable);
  }
  if (!grouped) return;
  expect(")", Message("after the parameter's name"));
}

}  // namespace warplens::cuda
