// Host code: skipped by its brackets, whatever stands in it, and read behind the rest where that is asked
// for.
#include "sim/cuda/parse/parser.h"
#include "sim/cuda/text/names.h"

namespace warplens::cuda {

namespace {

constexpr std::size_t kReach = 256;  // tokens in which a declaration's front, or a launch, is looked for

bool may_precede_function(const Token& token) {
  return token.is("static") || token.is("inline") || token.is("extern") || token.is("const") ||
         token.is("constexpr") || token.is("__forceinline__") || token.is("__host__") ||
         token.is("__device__") || token.is("__noinline__") ||
         (token.kind == TokenKind::Identifier && is_type_word(token.text));
}

}  // namespace

void Parser::skip_host_declaration(std::size_t first) {
  std::size_t end = std::max(host_declaration_end(first, false), first + 1);
  host_pieces_.push_back({first, namespaces_open_});
  next_ = std::min(end, tokens_.size() - 1);
}

// Behind the ';' or '}' that ends the declaration; earlier where device code begins, as it does when a brace
// is missing in the host code before it.
std::size_t Parser::host_declaration_end(std::size_t first, bool own_specifier) const {
  int braces = 0;
  bool until_semicolon = false;  // after `=`, or for a class: the '}' is not the end
  bool type = false, parenthesis = false;
  for (std::size_t i = first; i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.kind == TokenKind::End) return i;
    std::size_t start = 0;
    bool own = own_specifier && braces == 0 && !parenthesis;
    if (i > first && !own && starts_device_code(i, first, type, start)) return start;
    const bool is_template = braces == 0 && token.is("template") && token_at(i + 1).is("<");
    if (const std::size_t behind = is_template ? after_template_header(i + 1) : kNo; behind != kNo) {
      i = behind - 1;  // `template <int N = 2>` initialises nothing
    } else if (token.is("{")) {
      ++braces;
    } else if (token.is("}")) {
      if (braces == 0) return i;
      bool ends = --braces == 0 && !until_semicolon && !(type && !parenthesis);
      const Token& following = token_at(i + 1);
      if (ends && !following.is(",") && !following.is("{") && !following.is("catch")) return i + 1;
    } else if (braces == 0) {
      if (token.is(";")) return i + 1;
      if (token.is("=") && !parenthesis && !token_at(i - 1).is("operator")) until_semicolon = true;
      if (token.is("(") || token.is(")")) parenthesis = true;
      if (token.is("class") || token.is("struct") || token.is("union") || token.is("enum")) type = true;
    }
  }
  return tokens_.size() - 1;
}

// Whether a kernel, or outside of a class a device function, begins with the specifier at i: its start.
bool Parser::starts_device_code(std::size_t i, std::size_t first, bool in_type, std::size_t& start) const {
  const Token& token = tokens_[i];
  bool kernel = token.is("__global__");
  bool device = !in_type && (token.is("__device__") || token.is("__constant__"));
  if (!kernel && !device) return false;
  start = declaration_start(i, first);
  if (start <= first) return false;
  const Token& before = token_at(start - 1);
  return kernel || before.is(";") || before.is("}") || before.is("{") || before.is(")");
}

// Back from a specifier over others, `extern "C"` and `template <...>`.
std::size_t Parser::declaration_start(std::size_t i, std::size_t first) const {
  std::size_t earliest = i > first + kReach ? i - kReach : first + 1;
  while (i > earliest && (may_precede_function(tokens_[i - 1]) || tokens_[i - 1].kind == TokenKind::String))
    --i;
  if (i <= first || !tokens_[i - 1].is(">")) return i;
  int depth = 0;
  for (std::size_t k = i - 1; k > first && i - k < kReach; --k) {
    if (tokens_[k].is(">")) ++depth;
    if (tokens_[k].is("<") && --depth == 0) return tokens_[k - 1].is("template") ? k - 1 : i;
  }
  return i;
}

// ---- read ----

// After the rest of the file, so that nothing of it is called otherwise than without. What is wrong with host
// code is not said: nvcc says it.
void Parser::read_host_code() {
  in_host_code_ = true;
  in_device_code_ = false;
  for (const HostPiece& piece : host_pieces_) {
    const std::size_t structs = unit_.structs.size();
    bool lost = false;
    namespaces_open_ = piece.namespaces;
    (void)kept_back(lost, [&] { read_host_piece(piece.first); });
    if (lost) (void)kept_back(lost, [&] { read_body(piece.first); });
    scopes_.resize(1);
    greater_closes_ = in_configuration_ = false;
    for (std::size_t i = structs; i < unit_.structs.size(); ++i)
      unit_.host.structs.push_back(std::move(unit_.structs[i]));
    unit_.structs.resize(structs);
  }
}

// Of a function whose head is not understood: `TEST(Scan, Adds) { ... }`.
void Parser::read_body(std::size_t first) {
  const std::size_t end = host_declaration_end(first, false);
  if (defines_type(first)) return;
  for (next_ = first; next_ < end && !at("{") && !at("=") && !at(";");) skip_balanced();
  if (!at("{")) return;
  Function function;
  function.name = kUnread;
  parse_function_body(function);
  function.range = range_from(first);
  unit_.host.functions.push_back(std::move(function));
}

void Parser::read_host_piece(std::size_t first) {
  next_ = first;
  ScopeGuard scope(*this);
  std::vector<std::vector<TemplateParameter>> headers;
  while (at("template")) headers.push_back(parse_template_header());
  if (defines_type(next_)) {
    std::vector<StmtPtr> variables;
    if (at("enum")) return;  // of which the file has all
    if (headers.empty()) headers.emplace_back();
    parse_struct(std::move(headers.back()), &variables);
    for (StmtPtr& variable : variables) unit_.host.globals.push_back(std::move(variable));
  } else if (look_at_head(next_).function) {
    unit_.host.functions.push_back(parse_function(std::move(headers), first));
    unit_.host.functions.back().scope = open_namespaces();
  } else {
    StmtPtr variables = parse_simple_declaration();
    if (auto* declaration = std::get_if<DeclStmt>(&variables->node))
      for (const Declarator& variable : declaration->declarators)
        scopes_.front()[*spellings_.insert(variable.name).first] = {NameKind::Variable, false};
    unit_.host.globals.push_back(std::move(variables));
  }
}

// At the "<<<" behind a kernel, which formatters write "<< <".
ExprPtr Parser::parse_launch(std::size_t first, ExprPtr kernel) {
  next_ += at("<<<") ? 1 : 2;
  CallExpr launch{std::move(kernel), {}, {}};
  const Within inside(in_configuration_, true);
  do {
    launch.configuration.push_back(parse_initializer_value());
  } while (accept(","));
  for (int i = 0; i < 3; ++i) expect(">", {});
  expect("(", {});
  launch.arguments = parse_arguments(")");
  return make_expr(first, std::move(launch));
}

// `new T[n]` as the call new<T>(n), `new T(a)` as new<T>() of a construction; delete and throw as calls.
ExprPtr Parser::parse_new() {
  const std::size_t first = next_++;
  NameExpr word{std::string(tokens_[first].text), {}, {}};
  CallExpr call;
  if (word.name != "new") {
    if (accept("[")) expect("]", {});
    if (!at(";") && !at(")")) call.arguments.push_back(parse_assignment());
  } else {
    if (at("(")) skip_balanced();
    TypeName type = parse_type();
    word.arguments.push_back({std::make_shared<TypeName>(type), nullptr});
    if (accept("[")) {
      call.arguments.push_back(parse_expression());
      expect("]", {});
      if (at("(") || at("{")) skip_balanced();
    } else if (at("(") || at("{")) {
      word.name = "new one";
      const std::size_t begin = next_;
      call.arguments.push_back(construct(begin, std::move(type)));
    }
  }
  call.callee = make_expr(first, std::move(word));
  return make_expr(first, std::move(call));
}

// What a handler does may happen or not: it is not understood.
StmtPtr Parser::parse_try() {
  const std::size_t first = next_++;
  CompoundStmt block;
  block.body.push_back(parse_compound());
  const std::size_t handlers = next_;
  while (accept("catch")) {
    skip_balanced();
    skip_balanced();
  }
  block.body.push_back(unread_statement(handlers));
  return make_stmt(first, std::move(block));
}

// The statement from `first` to here, as HostCode has it.
StmtPtr Parser::unread_statement(std::size_t first) {
  CallExpr call;
  for (std::size_t i = first; i < next_; ++i) {
    if (tokens_[i].kind != TokenKind::Identifier || is_keyword(tokens_[i].text) ||
        is_type_word(tokens_[i].text))
      continue;
    ExprPtr name = make_expr(i, NameExpr{std::string(tokens_[i].text), {}, {}});
    call.arguments.push_back(make_expr(i, UnaryExpr{UnaryOp::AddressOf, std::move(name)}));
  }
  call.callee = make_expr(first, NameExpr{kUnread, {}, {}});
  ExprPtr unread = make_expr(first, std::move(call));
  return make_stmt(first, ExprStmt{std::move(unread)});
}

}  // namespace warplens::cuda
