// Tokens -> syntax tree, by recursive descent. One class over several files:
//   parser.cpp        tokens, errors, ranges, scopes
//   lookahead.cpp     is this a type, a template, a declaration? By looking at tokens, without a tree
//   types.cpp         types, template arguments
//   expressions.cpp   operators;  primary.cpp: their operands
//   statements.cpp    statements;  declarations.cpp: declarations, parameters
//   functions.cpp     functions and templates;  structs.cpp: structs, enums;  methods.cpp: their functions
//   file.cpp          the file's top level;  host.cpp: host code, which is skipped, or read at the end
//
// A syntax error is reported and thrown as SyntaxError, caught at the next statement or declaration; no
// exception leaves the parser. Decisions are made by looking ahead at tokens, never by parsing twice, so the
// time is linear.
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sim/base/within.h"
#include "sim/cuda/parse/parse.h"
#include "sim/cuda/text/lexer.h"
#include "sim/cuda/text/source.h"

namespace warplens::cuda {

// Thrown inside the parser after the error is reported.
struct SyntaxError {
  // What is given up. Declaration: the function ends before the token at hand, where another one begins.
  enum class Extent { Statement, Function, Declaration } extent = Extent::Statement;
};

class Parser {
 public:
  // All of them outlive the parser. Tokens end with one of kind End.
  Parser(std::string_view text, std::vector<Token> tokens, DiagnosticSink& sink, Budget& budget);

  TranslationUnit parse_file(HostText host = HostText::Skipped);
  // Into the sink: what is wrong with single functions, and with types that device code names.
  void report_broken(const TranslationUnit& unit);
  ExprPtr parse_lone_expression();  // null after an error
  std::optional<TypeName> parse_lone_type();

 private:
  enum class NameKind { Unknown, Type, Variable, Function, Concept };
  struct NameInfo {
    NameKind kind = NameKind::Unknown;
    bool is_template = false;
  };
  // What stands before a declaration's type, in any order.
  struct Specifiers {
    bool is_global = false, is_device = false, is_host = false, is_shared = false, is_constant = false;
    bool is_extern = false, is_static = false, is_constexpr = false, is_const = false, is_volatile = false;
    bool is_explicit = false;
    int alignment = 0;
    std::vector<ExprPtr> alignments;
    std::size_t packed = kNo;  // the token that says so
    std::vector<ExprPtr> launch_bounds, cluster_dims;
  };
  // What a declaration at namespace scope is, seen from its tokens.
  struct Head {
    bool device = false;    // __global__, __device__, __constant__, __managed__
    bool kernel = false;    // __global__
    bool constant = false;  // const or constexpr
    bool is_constexpr = false;
    bool function = false;
    std::string_view name;
  };
  struct ScopeGuard {
    explicit ScopeGuard(Parser& owner) : parser(owner) { parser.scopes_.emplace_back(); }
    ~ScopeGuard() {
      parser.scopes_.pop_back();
      auto& local = parser.local_homes_;
      while (!local.empty() && local.back().level > parser.scopes_.size()) local.pop_back();
      auto& used = parser.local_uses_;
      while (!used.empty() && used.back().first > parser.scopes_.size()) used.pop_back();
    }
    ScopeGuard(const ScopeGuard&) = delete;
    ScopeGuard& operator=(const ScopeGuard&) = delete;
    Parser& parser;
  };
  struct StaticMemberGuard {
    explicit StaticMemberGuard(Parser& owner) : parser(owner), outer(owner.static_members_) {}
    ~StaticMemberGuard() {
      parser.static_members_ = std::move(outer);
      parser.static_member_prefix_.clear();
    }
    StaticMemberGuard(const StaticMemberGuard&) = delete;
    StaticMemberGuard& operator=(const StaticMemberGuard&) = delete;
    Parser& parser;
    std::unordered_map<std::string, std::string> outer;
  };

  // ---- parser.cpp
  const Token& peek(std::size_t ahead = 0) const;
  const Token& previous() const;
  bool at(std::string_view text) const { return peek().is(text); }
  bool at_end() const { return peek().kind == TokenKind::End; }
  bool accept(std::string_view text);
  void expect(std::string_view text, const Message& where);
  void expect_semicolon(const Message& after);
  bool is_shift_right(std::size_t i) const;
  [[noreturn]] void fail(const Token& token, Message message, Message remedy = {});
  [[noreturn]] void fail_after_previous(Message message, Message remedy = {});
  void report(const Token& token, Message message, Message remedy = {});
  void refuse_unsupported(const Token& token);
  Message describe(const Token& token) const;
  void require_depth(std::size_t levels);  // of a type; throws SyntaxError beyond the limit
  int deeper();                            // one level more; likewise
  SourceRange range_from(std::size_t first) const;
  SourceRange range_of(const Token& token) const { return sink_.range(token.begin, token.end); }
  void skip_balanced();
  std::size_t after_header(std::size_t first) const;
  void synchronize(std::size_t first);
  void declare(std::string_view name, NameKind kind, bool is_template = false);
  NameInfo lookup(std::string_view name) const;
  template <typename Node>
  ExprPtr make_expr(std::size_t first, Node node);
  template <typename Node>
  StmtPtr make_stmt(std::size_t first, Node node);
  ExprPtr finish_expr(ExprPtr expr);

  // ---- namespaces.cpp
  std::string open_namespaces() const;  // "a::b"
  bool is_at_namespace_scope() const { return bodies_open_ == 0; }
  std::string declare_here(std::string_view name);   // at namespace scope; returns how it is called here
  std::string declare_local(std::string_view name);  // a type or an enumerator of a function; likewise
  // `is_global`: ::name.
  std::string called(const std::string& qualifiers, std::string_view name, bool is_global = false) const;
  void use_declared(std::string_view name, const std::string& meant);  // `using a::name;`

  // ---- lookahead.cpp: positions of tokens; kNo where it is not one
  static constexpr std::size_t kNo = static_cast<std::size_t>(-1);
  const Token& token_at(std::size_t i) const {
    pace_.step();
    return tokens_[i < tokens_.size() ? i : tokens_.size() - 1];
  }
  std::size_t match_brackets(std::size_t open, std::size_t limit) const;
  std::size_t after_template_arguments(std::size_t less) const;
  std::size_t after_template_header(std::size_t less) const;
  std::size_t after_requires(std::size_t i) const;
  std::size_t after_concept(std::size_t i) const;
  std::size_t after_angles(std::size_t less, bool defaults) const;
  std::size_t after_type_specifier(std::size_t i, bool known_only) const;
  std::size_t after_type_name(std::size_t i, bool known_only) const;
  std::size_t after_pointers(std::size_t i) const;
  std::size_t after_type(std::size_t i, bool known_only) const;
  bool starts_declaration() const;
  bool cast_ahead() const;
  bool names_template(std::size_t i, std::string_view name) const;
  std::size_t after_owner(std::size_t i) const;
  bool names_itself(std::size_t member) const;
  std::string spelled(std::size_t begin, std::size_t end) const;
  bool type_is_argument() const;

  // ---- types.cpp
  TypeName parse_type();            // with pointers: `const float4*`
  TypeName parse_type_specifier();  // without: `const float4`
  void parse_type_words(TypeName& type);
  void parse_decltype(TypeName& type);
  void parse_named_type(TypeName& type);
  void parse_pointers(TypeName& type);
  std::string parse_qualified_name(std::size_t& last_name);
  void parse_scoped_rest(std::string& name, std::vector<TemplateArgument>& arguments,
                         std::shared_ptr<TypeName>& scope, std::size_t first);
  std::string canonical_name(std::vector<std::string_view> parts, bool is_global = false);
  std::vector<TemplateArgument> parse_template_arguments();
  TemplateArgument parse_template_argument();
  bool accept_qualifier(TypeName& type);
  bool points_to_array(std::size_t i) const;
  bool function_type_ahead() const;  // at the '(' of `(*f)(int)`, `(*)(int)`
  // Makes it of its result; gives the name or "".
  std::string_view parse_function_type(TypeName& result, std::vector<ExprPtr>* extents = nullptr);
  void parse_function_parameters(TypeName& type);

  // ---- expressions.cpp
  ExprPtr parse_expression();  // with commas
  ExprPtr parse_assignment();
  ExprPtr parse_conditional();
  ExprPtr parse_binary(int lowest);
  ExprPtr parse_unary();
  ExprPtr parse_postfix();
  ExprPtr parse_postfix_of(std::size_t first, ExprPtr base);
  ExprPtr parse_member(std::size_t first, ExprPtr base);
  ExprPtr parse_initializer_value();  // an assignment or {a, b}
  ExprPtr parse_init_list();
  std::vector<ExprPtr> parse_arguments(std::string_view close);
  // ---- primary.cpp
  ExprPtr parse_primary();
  ExprPtr parse_number_token();
  ExprPtr parse_string_tokens();
  ExprPtr parse_parenthesised();
  ExprPtr parse_named_cast();
  ExprPtr parse_sizeof();
  ExprPtr parse_type_expression();
  ExprPtr parse_name();
  ExprPtr construct(std::size_t first, TypeName type);

  // ---- statements.cpp
  StmtPtr parse_statement();
  StmtPtr parse_statement_here();
  StmtPtr parse_keyword_statement(std::string_view word);
  StmtPtr parse_asm();
  std::string parse_asm_string();
  std::vector<AsmOperand> parse_asm_operands();
  StmtPtr skip_try();
  StmtPtr parse_compound();
  void parse_statements_into(std::vector<StmtPtr>& body);
  StmtPtr parse_if();
  StmtPtr parse_for();
  StmtPtr parse_range_for(std::size_t first, StmtPtr declaration);
  StmtPtr parse_static_assert();
  StmtPtr parse_while();
  StmtPtr parse_do();
  StmtPtr parse_switch();
  bool parse_switch_label(SwitchStmt& statement);
  StmtPtr parse_return();
  StmtPtr parse_expression_statement();
  StmtPtr parse_substatement(const Message& of);
  ExprPtr parse_condition(StmtPtr& declaration, std::string_view of);
  StmtPtr with_declaration(std::size_t first, StmtPtr declaration, StmtPtr statement);
  [[noreturn]] void refuse_nested_declaration();

  // ---- declarations.cpp
  Specifiers parse_specifiers();
  bool parse_specifier(Specifiers& specifiers);
  StmtPtr parse_declaration();  // in a function; up to and with the ';'
  StmtPtr parse_simple_declaration();
  static void specify(Specifiers& specifiers, DeclStmt& declaration);
  DeclStmt parse_declarators(Specifiers& specifiers, const TypeName& base);
  void parse_bindings(const TypeName& base, DeclStmt& declaration);
  Declarator parse_declarator(const TypeName& base);
  void parse_initializer(Declarator& declarator);
  std::vector<ExprPtr> parse_extents();
  StmtPtr parse_using_or_typedef();
  StmtPtr parse_using();
  StmtPtr parse_typedef();
  StmtPtr make_alias(std::size_t first, UsingStmt alias);
  std::vector<Parameter> parse_parameters();
  Parameter parse_parameter();
  void parse_parameter_name(Parameter& parameter);
  void parse_alignment(Specifiers& s);
  void refuse_packed(const Specifiers& s);
  static void take_alignment(Specifiers& from, Specifiers& to);

  // ---- functions.cpp
  Function parse_function(std::vector<std::vector<TemplateParameter>> headers, std::size_t first);
  void parse_member_definition(Function& function, std::vector<std::vector<TemplateParameter>> headers,
                               std::size_t name);
  std::size_t find_owner(const std::string& name, const std::vector<TemplateParameter>* own,
                         std::size_t begin, std::size_t end);
  void add_member(Struct& owner, Function&& function);
  std::string parse_function_name(Function& function);
  void parse_function_body(Function& function);
  ExprPtr parse_lambda();
  LambdaCapture parse_capture();
  void parse_lambda_signature(Function& function);
  std::vector<TemplateParameter> parse_template_header();
  TemplateParameter parse_template_parameter();

  // ---- structs.cpp
  void parse_struct(std::vector<TemplateParameter> template_parameters, std::vector<StmtPtr>* variables,
                    bool is_specialisation = false, const Struct* outer = nullptr);
  Specifiers parse_struct_head(Struct& result, bool alias);
  void parse_bases(Struct& result);
  void parse_nested_struct(Struct& outer);
  void name_in(const Struct& outer, Struct& nested);
  void parse_fields(Struct& result);
  void parse_field(Struct& result);
  [[noreturn]] void refuse_bit_field();
  bool note_method(Struct& result, std::vector<std::size_t>& methods);
  void parse_method(Struct& result, std::size_t first);
  void parse_method_name(const Struct& of, Function& function);
  void parse_method_tail(Function& function);
  void parse_member_inits(Function& function);
  void parse_friend(Struct& result);
  void parse_member_alias(Struct& result);
  void parse_static_member(Struct& result);
  void parse_enum(std::vector<StmtPtr>& out);
  void parse_enumerator(DeclStmt& enumeration, const TypeName& type, const std::string& prefix);

  // ---- file.cpp
  void parse_top_level();
  bool parse_namespace_thing();
  void parse_namespace();
  void parse_using_namespace();
  void parse_alias();
  void parse_template(std::size_t first);
  void skip_broken_template(std::size_t first);
  bool defines_type(std::size_t i) const;
  void parse_type_definition(std::size_t first, bool is_template);
  void parse_external_declaration(std::size_t first, bool is_template);
  Head look_at_head(std::size_t i) const;
  void parse_device_code(std::size_t first, bool is_template, const Head& head);
  void parse_device_function(std::size_t first, bool is_template);
  void parse_global_variable(std::size_t first, bool is_template);
  void parse_variable_template(std::size_t first);
  // What it says is kept back; `lost`: a syntax error ended it.
  template <typename Parse>
  std::vector<Diagnostic> kept_back(bool& lost, Parse parse) {
    DiagnosticSink::Captured outer = sink_.begin_capture();
    lost = false;
    try {
      parse();
    } catch (const SyntaxError&) {
      lost = true;
    }
    return sink_.end_capture(std::move(outer));
  }
  template <typename Parse>
  bool parse_if_needed(std::string_view name, std::size_t first, Parse parse);

  // ---- host.cpp
  void skip_host_declaration(std::size_t first);
  std::size_t host_declaration_end(std::size_t first, bool own_specifier) const;
  bool starts_device_code(std::size_t i, std::size_t first, bool in_type, std::size_t& start) const;
  std::size_t declaration_start(std::size_t i, std::size_t first) const;
  void read_host_code();
  void read_host_piece(std::size_t first);
  void read_body(std::size_t first);
  ExprPtr parse_launch(std::size_t first, ExprPtr kernel);
  ExprPtr parse_new();
  StmtPtr unread_statement(std::size_t first);
  StmtPtr parse_try();

  std::string_view text_;
  std::vector<Token> tokens_;
  DiagnosticSink& sink_;
  mutable Pace pace_;  // looking ahead costs, too
  std::size_t next_ = 0;
  int depth_ = 0;
  bool greater_closes_ = false;  // inside template arguments: '>' is no operator
  bool in_device_code_ = false;
  bool in_host_code_ = false;      // which is read when the file has been: all of its types are known then
  bool in_configuration_ = false;  // of a launch: '>>>' ends it
  struct HostPiece {
    std::size_t first = 0;
    std::vector<std::string> namespaces;
  };
  std::vector<HostPiece> host_pieces_;        // functions, variables and classes, in the order of the text
  std::string function_;                      // whose body is being parsed
  bool end_reported_ = false;                 // an error at the file's end is said once
  bool device_code_before_ = false;           // the last thing parsed at namespace scope
  std::vector<std::string> namespaces_open_;  // what their '{' belong to; empty for `extern "C" {`
  std::unordered_set<std::string_view>
      member_templates_;  // names of member functions with template parameters
  std::vector<std::unordered_map<std::string_view, NameInfo>> scopes_;
  std::unordered_map<std::string, std::string> namespace_aliases_;
  std::unordered_set<std::string> namespaces_;  // of the file: dropped from names that one of them declares
  // Where the file declares a type or a variable, by its name, and how it is called here: the first as it is,
  // one of the same name in another namespace as `b::P`.
  struct Home {
    std::string space, name;
  };
  std::unordered_map<std::string, std::vector<Home>> homes_;
  // Types and enumerators of functions, and what using declarations there name: two functions may have the
  // same.
  struct LocalHome {
    std::size_t level = 0;  // of scopes_
    std::string name, called;
  };
  std::vector<LocalHome> local_homes_;
  std::vector<std::pair<std::size_t, std::string>> local_uses_;  // using directives of blocks, by their level
  std::unordered_set<std::string> local_names_;                  // all that there were
  int bodies_open_ = 0;                                          // of functions
  Uses function_uses_;                                           // of the function being parsed
  std::set<std::string> spellings_;                              // of tokens that were renamed
  std::string qualifiers_;  // of the name that was parsed last: `a::b` of a::b::f
  std::unordered_map<std::string, std::string> static_members_;  // of the struct being parsed: N -> S::N
  std::string static_member_prefix_;            // "S::" while its static members are declared
  bool hides_fields_ = false;                   // of the struct whose head was read: a class
  std::unordered_set<std::string> used_names_;  // by device code
  TranslationUnit unit_;
};

// Makes nodes of the tree; for the parser's files alone.

template <typename Node>
ExprPtr Parser::make_expr(std::size_t first, Node node) {
  auto expr = std::make_unique<Expr>();
  expr->range = range_from(first);
  expr->node = std::move(node);
  return finish_expr(std::move(expr));
}

template <typename Node>
StmtPtr Parser::make_stmt(std::size_t first, Node node) {
  auto stmt = std::make_unique<Stmt>();
  stmt->range = range_from(first);
  stmt->node = std::move(node);
  return stmt;
}

}  // namespace warplens::cuda
