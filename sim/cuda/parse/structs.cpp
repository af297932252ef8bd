// Structs and enumerations; their member functions are in methods.cpp.
#include "sim/cuda/parse/parser.h"
#include "sim/cuda/text/names.h"

namespace warplens::cuda {

// `struct Name { fields } a, b;` with its ';'. Variables go to `variables`; in a typedef they are aliases.
void Parser::parse_struct(std::vector<TemplateParameter> template_parameters, std::vector<StmtPtr>* variables,
                          bool is_specialisation, const Struct* outer) {
  const Within depth(depth_, deeper());
  std::size_t first = next_;
  bool alias = next_ > 0 && token_at(next_ - 1).is("typedef");
  Struct result;
  result.is_specialisation = is_specialisation;
  result.template_parameters = std::move(template_parameters);
  Specifiers specifiers = parse_struct_head(result, alias);
  if (result.name.empty() && !outer) result.name = "unnamed " + std::to_string(unit_.structs.size());
  const std::string own_name = result.name;
  if (!outer && !own_name.empty() && is_at_namespace_scope())
    result.name = result.is_specialisation ? called({}, own_name) : declare_here(own_name);
  else if (!outer && !own_name.empty())
    result.name = declare_local(own_name);
  if (outer) name_in(*outer, result);
  if (accept(";")) {  // a declaration, which matters for the template that others specialise
    result.is_defined = false;
    if (!result.template_parameters.empty()) unit_.structs.push_back(std::move(result));
    return;
  }
  expect("{", Message("after 'struct {}'", result.name));
  {
    ScopeGuard scope(*this);
    StaticMemberGuard static_members(*this);
    const std::string whole_name =
        outer && !own_name.empty() ? std::exchange(result.name, own_name) : result.name;
    parse_fields(result);
    result.name = whole_name;
    result.scope = open_namespaces();
    for (Function& method : result.functions) method.scope = result.scope;
  }
  expect("}", Message("at the end of struct '{}'", result.name));
  Specifiers behind = parse_specifiers();  // `} __align__(16);`
  refuse_packed(behind);
  take_alignment(behind, specifiers);
  result.alignment = specifiers.alignment;
  result.alignments = std::move(specifiers.alignments);
  result.range = range_from(first);
  TypeName type;
  type.name = result.name.empty() ? "struct" : result.name;
  type.range = result.range;
  if (!at(";") && variables && alias) {
    std::string_view alias_name = tokens_[next_++].text;
    declare(alias_name, NameKind::Type);
    if (alias_name != (outer ? std::string_view(result.name) : own_name)) {
      variables->push_back(make_stmt(first, UsingStmt{std::string(alias_name), type}));
    }
  } else if (!at(";") && variables) {
    DeclStmt declaration = parse_declarators(specifiers, type);
    variables->push_back(make_stmt(first, std::move(declaration)));
  }
  expect_semicolon(Message("the struct"));
  unit_.structs.push_back(std::move(result));
}

// `struct __align__(8) Name`; the name of a nameless one in a typedef is its alias.
Parser::Specifiers Parser::parse_struct_head(Struct& result, bool alias) {
  result.is_union = at("union");
  hides_fields_ = at("class");
  ++next_;
  Specifiers specifiers = parse_specifiers();
  std::string_view name;
  if (peek().kind == TokenKind::Identifier && !is_keyword(peek().text)) name = tokens_[next_++].text;
  if (at("final") && peek(1).is("{")) ++next_;
  if (at("<")) {
    const std::size_t less = next_;
    result.is_specialisation = true;
    result.specialised_for = parse_template_arguments();
    result.spelled_for = spelled(less, next_);
    if (at("final") && peek(1).is("{")) ++next_;
  }
  if (name.empty() && alias) {
    std::size_t close = match_brackets(next_, tokens_.size());
    if (close != kNo && token_at(close + 1).kind == TokenKind::Identifier) name = token_at(close + 1).text;
  }
  bool is_template = !result.template_parameters.empty() || result.is_specialisation;
  if (!name.empty()) scopes_.front()[name] = {NameKind::Type, is_template};
  result.name = std::string(name);
  refuse_packed(specifiers);
  if (at(":")) parse_bases(result);
  return specifiers;
}

// `: public Base, private Other<T>`
void Parser::parse_bases(Struct& result) {
  do {
    ++next_;  // over ':' or ','
    while (accept("public") || accept("private") || accept("protected")) {
    }
    const std::size_t first = next_;
    TypeName type = parse_type_specifier();
    const std::string name = "#:" + std::to_string(result.fields.size());
    result.fields.push_back({std::move(type), name, {}, range_from(first), {}});
  } while (at(","));
}

// The fields, and then the member functions, whose bodies may use fields that stand behind them.
void Parser::parse_fields(Struct& result) {
  std::vector<std::size_t> methods;
  bool hides_fields = hides_fields_;
  while (!at("}") && !at_end()) {
    if ((at("public") || at("private") || at("protected")) && peek(1).is(":")) {
      hides_fields = !at("public");
      next_ += 2;
    } else if (!accept(";") && !note_method(result, methods)) {
      const std::size_t before = result.fields.size();
      parse_field(result);
      result.has_private_fields |= hides_fields && result.fields.size() > before;
    }
  }
  std::size_t end = next_;
  const Within inside(in_device_code_, !in_host_code_);
  for (std::size_t method : methods) {
    const std::size_t before = result.functions.size();
    bool lost = false;
    std::vector<Diagnostic> said = kept_back(lost, [&] { parse_method(result, method); });
    const bool of_the_body = !lost && result.functions.size() == before + 1 && has_errors(said);
    if (in_host_code_) continue;  // what is not understood of it is not known
    if (of_the_body) {
      result.functions.back().errors = std::move(said);
    } else {
      sink_.append(said);
    }
    if (lost) throw SyntaxError{};
  }
  next_ = end;
}

void Parser::refuse_bit_field() {
  fail(peek(), Message("bit fields are not supported"), Message("shift and mask an integer"));
}

void Parser::parse_field(Struct& result) {
  if (at("static") || peek(1).is("static")) return parse_static_member(result);
  if (at("using") || at("typedef")) return parse_member_alias(result);
  if (at("enum")) {
    std::size_t open = next_;
    while (!token_at(open).is("{") && !token_at(open).is(";") && token_at(open).kind != TokenKind::End)
      ++open;
    const std::size_t close = token_at(open).is("{") ? match_brackets(open, tokens_.size()) : kNo;
    if (close != kNo && !token_at(close + 1).is(";"))
      fail(token_at(close + 1), Message("a member beside its enumeration is not supported"),
           Message("end the enumeration with ';' and declare the member behind it"));
    static_member_prefix_ = result.name + "::";
    parse_enum(result.template_parameters.empty() ? unit_.globals : result.members);
    static_member_prefix_.clear();
    return;
  }
  const bool is_template = at("template");
  const std::size_t behind = is_template ? after_template_header(next_ + 1) : next_;
  if (behind != kNo && defines_type(behind)) return parse_nested_struct(result);
  if (at("template") || at("friend")) {
    fail(peek(), Message("'{}' in a struct is not supported", peek().text),
         Message("put it before the struct"));
  }
  Specifiers specifiers = parse_specifiers();
  TypeName base = parse_type_specifier();
  base.is_const |= specifiers.is_const;
  base.is_volatile |= specifiers.is_volatile;
  do {
    std::size_t first = next_;
    if (at(":") && !in_host_code_) refuse_bit_field();  // `unsigned : 3;`
    Declarator declarator = parse_declarator(base);
    if (at(":") && !in_host_code_) refuse_bit_field();
    if (accept(":"))  // where it lies is not worked out, as with an alignment that is no number
      specifiers.alignments.push_back(parse_conditional());
    if (declarator.points_to_array)
      fail(peek(), Message("'{}': a pointer to an array is not supported in a struct", declarator.name),
           Message("point to its elements"));
    result.fields.push_back({std::move(declarator.type), std::move(declarator.name),
                             std::move(declarator.extents), range_from(first),
                             std::move(declarator.initializer),
                             std::max(specifiers.alignment, declarator.alignment)});
    if (!specifiers.alignments.empty() && at(",") && !in_host_code_)
      fail(peek(), Message("declare each member by itself where alignas is more than a number"));
    result.fields.back().alignments = std::move(specifiers.alignments);
  } while (accept(","));
  expect_semicolon(Message("the field"));
}

// `struct Outer { struct Inner {...} a, b; union {...}; };`: a struct of the file, called Outer::Inner.
void Parser::parse_nested_struct(Struct& outer) {
  const std::size_t first = next_;
  std::vector<TemplateParameter> parameters;
  ScopeGuard scope(*this);
  if (at("template")) parameters = parse_template_header();
  const std::size_t before = unit_.structs.size();
  std::vector<StmtPtr> variables;
  parse_struct(std::move(parameters), &variables, false, &outer);
  if (unit_.structs.size() == before) return;
  const Struct& nested = unit_.structs.back();
  const std::string name = nested.name.substr(nested.name.rfind(':') + 1);
  if (variables.empty() && name.starts_with('#')) {
    TypeName type;
    type.name = nested.name;
    type.range = nested.range;
    outer.fields.push_back({std::move(type), name, {}, range_from(first), {}});
  }
  for (StmtPtr& variable : variables) {
    auto* declaration = std::get_if<DeclStmt>(&variable->node);
    for (std::size_t i = 0; declaration && i < declaration->declarators.size(); ++i) {
      Declarator& declarator = declaration->declarators[i];
      outer.fields.push_back({std::move(declarator.type), std::move(declarator.name),
                              std::move(declarator.extents), declarator.name_range,
                              std::move(declarator.initializer)});
    }
  }
}

void Parser::name_in(const Struct& outer, Struct& nested) {
  const bool is_template = !outer.template_parameters.empty() || outer.is_specialisation;
  const std::string inner = nested.name.empty() ? "#" + std::to_string(unit_.structs.size()) : nested.name;
  // The outer struct's own name is whole only once it is parsed: that of a struct around it is in the map.
  const auto around = static_members_.find(outer.name);
  const std::string owner = around == static_members_.end() ? outer.name : around->second;
  if (!nested.name.empty()) static_members_[nested.name] = owner + "::" + inner;
  nested.name = owner + "::" + inner;
  if (is_template || !outer.outer_template.empty()) nested.outer_template = owner;
}

void Parser::parse_member_alias(Struct& result) {
  if (at("using") && !peek(2).is("=")) {  // `using Base<T>::size;`: of a member the name is known without it
    while (!at(";") && !at("}") && !at_end()) skip_balanced();
    if (previous().kind == TokenKind::Identifier) result.used.emplace_back(previous().text);
    return expect_semicolon(Message("the using declaration"));
  }
  StmtPtr alias = parse_using_or_typedef();
  if (std::holds_alternative<UsingStmt>(alias->node)) result.members.push_back(std::move(alias));
}

// `static constexpr int BM = 128;` -> a global constant `Config::BM`; of a template, a member.
void Parser::parse_static_member(Struct& result) {
  bool is_template = !result.template_parameters.empty() || result.is_specialisation;
  if (!is_template) static_member_prefix_ = result.name + "::";
  StmtPtr declaration = parse_simple_declaration();
  static_member_prefix_.clear();
  expect_semicolon(Message("the static member"));
  (is_template ? result.members : unit_.globals).push_back(std::move(declaration));
}

// `enum Name : int { A, B = 4 };` -> an alias of int and `constexpr int A = 0, B = 4;`.
void Parser::parse_enum(std::vector<StmtPtr>& out) {
  bool alias = next_ > 0 && previous().is("typedef");
  std::size_t first = next_++;
  bool scoped = accept("class") || accept("struct");
  const bool is_of_namespace = static_member_prefix_.empty() && is_at_namespace_scope();
  const auto declared = [&](std::string_view own) {
    if (is_of_namespace) return declare_here(own);
    return static_member_prefix_.empty() ? declare_local(own) : std::string(own);
  };
  std::string_view name;
  if (peek().kind == TokenKind::Identifier && !is_keyword(peek().text)) name = tokens_[next_++].text;
  TypeName type;
  type.name = "int";
  if (accept(":")) type = parse_type();
  if (!name.empty()) {
    scopes_.front()[name] = {NameKind::Type, false};
    out.push_back(make_stmt(first, UsingStmt{declared(name), type}));
  }
  if (accept(";")) return;
  expect("{", Message("after 'enum'"));
  DeclStmt declaration;
  declaration.is_constexpr = true;
  type.is_const = true;
  std::string prefix = static_member_prefix_ + (scoped ? declared(name) + "::" : "");
  while (!at("}") && !at_end()) {
    parse_enumerator(declaration, type, prefix);
    if (!accept(",")) break;
  }
  expect("}", Message("at the end of the enumeration"));
  TypeName named = type;
  named.is_const = false;
  if (peek().kind == TokenKind::Identifier &&
      !is_keyword(peek().text)) {  // `typedef enum {...} Mode;`, or variables
    const Token& behind = tokens_[next_++];
    if (alias && behind.text != name) {
      scopes_.front()[behind.text] = {NameKind::Type, false};
      out.push_back(make_stmt(first, UsingStmt{declared(behind.text), named}));
    }
    while (!alias && !at(";") && !at("}") && !at_end()) skip_balanced();
  }
  expect_semicolon(Message("the enumeration"));
  if (!declaration.declarators.empty()) out.push_back(make_stmt(first, std::move(declaration)));
}

void Parser::parse_enumerator(DeclStmt& enumeration, const TypeName& type, const std::string& prefix) {
  std::size_t first = next_;
  const Token& token = peek();
  if (token.kind != TokenKind::Identifier) {
    fail(token, Message("expected the name of an enumerator, not {}", describe(token)));
  }
  ++next_;
  Declarator declarator;
  declarator.type = type;
  const bool is_of_namespace = prefix.empty() && is_at_namespace_scope();
  declarator.name = is_of_namespace  ? declare_here(token.text)
                    : prefix.empty() ? declare_local(token.text)
                                     : prefix + std::string(token.text);
  declarator.name_range = range_of(token);
  if (prefix.empty()) scopes_.front()[token.text] = {NameKind::Variable, false};
  if (!prefix.empty() && prefix == static_member_prefix_) {  // in a struct
    static_members_[std::string(token.text)] = declarator.name;
  }
  if (accept("=")) {
    declarator.initializer = parse_conditional();
  } else if (enumeration.declarators.empty()) {
    declarator.initializer = make_expr(first, IntegerLiteral{});
  } else {
    ExprPtr before = make_expr(first, NameExpr{enumeration.declarators.back().name, {}, {}});
    ExprPtr one = make_expr(first, IntegerLiteral{1});
    declarator.initializer =
        make_expr(first, BinaryExpr{BinaryOp::Add, std::move(before), std::move(one), range_of(token)});
  }
  enumeration.declarators.push_back(std::move(declarator));
}

}  // namespace warplens::cuda
