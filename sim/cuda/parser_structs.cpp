// Structs and enumerations. Member functions are not parsed: their names are kept, for saying so.
#include "sim/cuda/names.h"
#include "sim/cuda/parser_make.h"

namespace warplens::cuda {

// `struct Name { fields } a, b;` with its ';'. Variables go to `variables`; in a typedef they are aliases.
void Parser::parse_struct(std::vector<TemplateParameter> template_parameters,
                          std::vector<StmtPtr>* variables) {
  std::size_t first = next_;
  bool alias = next_ > 0 && token_at(next_ - 1).is("typedef");
  Struct result;
  result.template_parameters = std::move(template_parameters);
  Specifiers specifiers = parse_struct_head(result, alias);
  if (accept(";")) return;  // a declaration
  expect("{", "after 'struct " + result.name + "'");
  {
    ScopeGuard scope(*this);
    StaticMemberGuard static_members(*this);
    parse_fields(result);
  }
  expect("}", "at the end of struct '" + result.name + "'");
  Specifiers behind = parse_specifiers();  // `} __align__(16);`
  if (behind.alignment > 0) result.alignment = behind.alignment;
  result.range = range_from(first);
  TypeName type;
  type.name = result.name.empty() ? "struct" : result.name;
  type.range = result.range;
  if (!at(";") && variables && alias) {
    std::string_view alias_name = tokens_[next_++].text;
    declare(alias_name, NameKind::Type);
    if (alias_name != result.name) {
      variables->push_back(make_stmt(first, UsingStmt{std::string(alias_name), type}));
    }
  } else if (!at(";") && variables) {
    DeclStmt declaration = parse_declarators(specifiers, type);
    variables->push_back(make_stmt(first, std::move(declaration)));
  }
  expect_semicolon("the struct");
  unit_.structs.push_back(std::move(result));
}

// `struct __align__(8) Name`; the name of a nameless one in a typedef is its alias.
Parser::Specifiers Parser::parse_struct_head(Struct& result, bool alias) {
  if (at("union")) fail(peek(), "unions are not supported", "use a struct, or __float_as_int and its kin");
  ++next_;
  Specifiers specifiers = parse_specifiers();
  result.alignment = specifiers.alignment;
  std::string_view name;
  if (peek().kind == TokenKind::Identifier && !is_keyword(peek().text)) name = tokens_[next_++].text;
  if (at("final") && peek(1).is("{")) ++next_;
  if (at(":")) fail(peek(), "base classes are not supported", "put the fields of the base into the struct");
  if (at("<")) fail(peek(), "a specialisation of a template is not supported");
  if (name.empty() && alias) {
    std::size_t close = match_brackets(next_, tokens_.size());
    if (close != kNo && token_at(close + 1).kind == TokenKind::Identifier) name = token_at(close + 1).text;
  }
  if (!name.empty()) scopes_.front()[name] = {NameKind::Type, !result.template_parameters.empty()};
  result.name = std::string(name);
  return specifiers;
}

void Parser::parse_fields(Struct& result) {
  while (!at("}") && !at_end()) {
    if ((at("public") || at("private") || at("protected")) && peek(1).is(":")) {
      next_ += 2;
    } else if (!accept(";") && !skip_method(result)) {
      parse_field(result);
    }
  }
}

// Whether a member function stands here; skipped, its name kept.
bool Parser::skip_method(Struct& result) {
  std::string_view name;
  bool constructor = false;
  for (std::size_t i = next_; i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.is("operator")) name = "operator";
    if (token.is("__align__") || token.is("alignas") || token.is("__launch_bounds__")) {
      if ((i = match_brackets(i + 1, i + 64)) == kNo) return false;
      continue;
    }
    if (token.is("<") && after_template_arguments(i) != kNo) {
      i = after_template_arguments(i) - 1;
      continue;
    }
    if (token.is("(") && name.empty() && i > next_) {
      name = token_at(i - 1).text;
      constructor = name == result.name;
    }
    if (token.is("(")) break;
    bool ends =
        token.is(";") || token.is("}") || token.is("{") || token.is("[") || token.kind == TokenKind::End;
    if (ends || (token.is("=") && name.empty())) return false;
  }
  if (name.empty()) return false;
  std::size_t first = next_;
  result.has_constructors |= constructor && !at("~");
  if (!constructor) result.methods.emplace_back(name);
  while (!at(";") && !at("{") && !at("}") && !at_end()) skip_balanced();
  while (at("{")) {  // `: a{1}, b{2} {}`: more than one block
    skip_balanced();
    while (at(",") || (peek().kind == TokenKind::Identifier && previous().is(","))) ++next_;
  }
  accept(";");
  if (next_ == first) ++next_;
  return true;
}

void Parser::parse_field(Struct& result) {
  if (at("static")) return parse_static_member(result);
  if (at("using") || at("typedef") || at("template") || at("enum") || at("union") || at("struct") ||
      at("class") || at("friend")) {
    fail(peek(), "'" + std::string(peek().text) + "' in a struct is not supported",
         "only plain fields are; put it before the struct");
  }
  Specifiers specifiers = parse_specifiers();
  TypeName base = parse_type_specifier();
  base.is_const |= specifiers.is_const;
  base.is_volatile |= specifiers.is_volatile;
  do {
    std::size_t first = next_;
    Declarator declarator = parse_declarator(base);
    if (at(":")) fail(peek(), "bit fields are not supported", "shift and mask an integer");
    if (declarator.initializer) result.has_constructors = true;
    result.fields.push_back({std::move(declarator.type), std::move(declarator.name),
                             std::move(declarator.extents), range_from(first)});
  } while (accept(","));
  expect_semicolon("the field");
}

// `static constexpr int BM = 128;` -> a global constant `Config::BM`.
void Parser::parse_static_member(const Struct& result) {
  if (!result.template_parameters.empty()) {
    fail(peek(), "a static member of a struct template is not supported", "make it a template parameter");
  }
  static_member_prefix_ = result.name + "::";
  StmtPtr declaration = parse_simple_declaration();
  static_member_prefix_.clear();
  expect_semicolon("the static member");
  unit_.globals.push_back(std::move(declaration));
}

// `enum Name : int { A, B = 4 };` -> an alias of int and `constexpr int A = 0, B = 4;`.
void Parser::parse_enum(std::vector<StmtPtr>& out) {
  std::size_t first = next_++;
  bool scoped = accept("class") || accept("struct");
  std::string_view name;
  if (peek().kind == TokenKind::Identifier && !is_keyword(peek().text)) name = tokens_[next_++].text;
  TypeName type;
  type.name = "int";
  if (accept(":")) type = parse_type();
  if (!name.empty()) {
    scopes_.front()[name] = {NameKind::Type, false};
    out.push_back(make_stmt(first, UsingStmt{std::string(name), type}));
  }
  if (accept(";")) return;
  expect("{", "after 'enum'");
  DeclStmt declaration;
  declaration.is_constexpr = true;
  type.is_const = true;
  std::string prefix = scoped ? std::string(name) + "::" : "";
  while (!at("}") && !at_end()) {
    parse_enumerator(declaration, type, prefix);
    if (!accept(",")) break;
  }
  expect("}", "at the end of the enumeration");
  expect_semicolon("the enumeration");
  if (!declaration.declarators.empty()) out.push_back(make_stmt(first, std::move(declaration)));
}

void Parser::parse_enumerator(DeclStmt& enumeration, const TypeName& type, const std::string& prefix) {
  std::size_t first = next_;
  const Token& token = peek();
  if (token.kind != TokenKind::Identifier) {
    fail(token, "expected the name of an enumerator, not " + describe(token));
  }
  ++next_;
  Declarator declarator;
  declarator.type = type;
  declarator.name = prefix + std::string(token.text);
  declarator.name_range = range_of(token);
  if (prefix.empty()) scopes_.front()[token.text] = {NameKind::Variable, false};
  if (accept("=")) {
    declarator.initializer = parse_conditional();
  } else if (enumeration.declarators.empty()) {
    declarator.initializer = make_expr(first, IntegerLiteral{});
  } else {
    ExprPtr before = make_expr(first, NameExpr{enumeration.declarators.back().name, {}});
    ExprPtr one = make_expr(first, IntegerLiteral{1});
    declarator.initializer =
        make_expr(first, BinaryExpr{BinaryOp::Add, std::move(before), std::move(one), range_of(token)});
  }
  enumeration.declarators.push_back(std::move(declarator));
}

}  // namespace warplens::cuda
