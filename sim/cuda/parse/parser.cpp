#include "sim/cuda/parse/parser.h"

#include <utility>

#include "sim/cuda/library/library.h"
#include "sim/cuda/parse/children.h"
#include "sim/cuda/parse/parse.h"
#include "sim/cuda/preprocess/preprocessor.h"
#include "sim/cuda/text/lexer.h"
#include "sim/cuda/text/names.h"
#include "sim/cuda/text/source.h"

namespace warplens::cuda {

namespace {

constexpr std::size_t kDepthLimit = 500;  // of brackets, statements, operators, types within one another

}  // namespace

Parser::Parser(std::string_view text, std::vector<Token> tokens, DiagnosticSink& sink, Budget& budget)
    : text_(text), sink_(sink), pace_(budget, Stage::Parsing), scopes_(1) {
  tokens_.reserve(tokens.size());
  for (const Token& token : tokens) {
    tokens_.push_back(token);
    if (!token.is(">>")) continue;
    // Two tokens, for `A<B<int>>`; is_shift_right() sees them as one again, by their spellings' being
    // neighbours.
    tokens_.back().text.remove_suffix(1);
    tokens_.push_back(token);
    tokens_.back().text.remove_prefix(1);
    tokens_.back().line_start = false;
    if (token.end - token.begin == 2)
      tokens_.back().begin = tokens_[tokens_.size() - 2].end = token.begin + 1;
  }
}

bool Parser::is_shift_right(std::size_t i) const {
  const Token &a = token_at(i), &b = token_at(i + 1);
  return a.is(">") && b.is(">") && a.text.data() + 1 == b.text.data();
}

int Parser::deeper() {
  pace_.step();
  require_depth(static_cast<std::size_t>(depth_));
  return depth_ + 1;
}

void Parser::require_depth(std::size_t levels) {
  if (levels < kDepthLimit) return;
  report(peek(), Message("nested too deeply (more than {} levels)", kDepthLimit),
         Message("take parts out into variables or functions"));
  throw SyntaxError{SyntaxError::Extent::Function};
}

// ---- tokens ----

const Token& Parser::peek(std::size_t ahead) const {
  return token_at(next_ + ahead);
}

const Token& Parser::previous() const {
  return token_at(next_ > 0 ? next_ - 1 : 0);
}

bool Parser::accept(std::string_view text) {
  if (!at(text)) return false;
  ++next_;
  return true;
}

Message Parser::describe(const Token& token) const {
  if (token.kind == TokenKind::End) return Message("the end of the file");
  std::string text(token.text.substr(0, 40));
  return token.text.size() > 40 ? Message("'{}...'", text) : Message("'{}'", text);
}

void Parser::expect(std::string_view text, const Message& where) {
  if (accept(text)) return;
  bool closes = text == ")" || text == "]" || text == "}" || text == ">";
  if (closes || at_end())
    fail_after_previous(Message("expected '{}' {}, before {}", text, where, describe(peek())));
  fail(peek(), Message("expected '{}' {}, not {}", text, where, describe(peek())));
}

// A missing ';' is reported where it should stand; parsing goes on if the next statement may begin here.
void Parser::expect_semicolon(const Message& after) {
  if (accept(";")) return;
  refuse_unsupported(peek());
  const Token& last = previous();
  bool plausible = peek().line_start || at("}");
  if (plausible) {
    sink_.error(last.end, last.end + 1, Message("expected ';' after {}", after));
    if (!sink_.full()) return;
    throw SyntaxError{};
  }
  fail_after_previous(Message("expected ';' after {}, before {}", after, describe(peek())));
}

// ---- errors ----

void Parser::report(const Token& token, Message message, Message remedy) {
  int end = std::max(token.end, token.begin + (token.kind == TokenKind::End ? 0 : 1));
  sink_.error(token.begin, end, std::move(message), std::move(remedy));
}

void Parser::fail(const Token& token, Message message, Message remedy) {
  refuse_unsupported(token);
  report(token, std::move(message), std::move(remedy));
  throw SyntaxError{};
}

void Parser::fail_after_previous(Message message, Message remedy) {
  refuse_unsupported(peek());
  int at = previous().end;
  end_reported_ |= at_end();
  sink_.error(at, at + 1, std::move(message), std::move(remedy));
  throw SyntaxError{};
}

// Says what is wrong with a token that never stands in a kernel, rather than what was expected in its place.
void Parser::refuse_unsupported(const Token& token) {
  if (token.kind == TokenKind::Bad) {
    char first = token.text.empty() ? '\0' : token.text[0];
    if (token.text.find('"') != std::string_view::npos) {
      report(token, Message("this string does not end"), Message("end it with \" on the same line"));
    } else if (token.text.find('\'') != std::string_view::npos) {
      report(token, Message("this character literal does not end"),
             Message("end it with ' on the same line"));
    } else {
      report(token,
             first > 0x20 ? Message("stray '{}' in the text", first) : Message("stray byte in the text"));
    }
    throw SyntaxError{};
  }
  if (token.kind != TokenKind::Identifier || in_host_code_) return;
  const Unsupported* entry = find_unsupported(token.text);
  if (!entry || (!is_keyword(token.text) && lookup(token.text).kind != NameKind::Unknown)) return;
  report(token, entry->message, entry->remedy);
  throw SyntaxError{};
}

// ---- ranges and nodes ----

// From the first token to the last one read. Where a macro made one of them, the whole use of the macro.
SourceRange Parser::range_from(std::size_t first) const {
  const Token& begin = token_at(first);
  const Token& end = next_ > first ? previous() : begin;
  return sink_.range(std::min(begin.begin, end.begin), std::max(begin.end, end.end));
}

ExprPtr Parser::finish_expr(ExprPtr expr) {
  each_child(*expr, [&](const Expr& child) { expr->height = std::max(expr->height, child.height + 1); });
  if (expr->height > kMaxExpressionHeight) {
    const SourceRange& range = expr->range;
    sink_.error(range.begin.offset, range.end.offset,
                Message("the expression is too long (more than {} levels)", kMaxExpressionHeight),
                Message("split it into several statements"));
    throw SyntaxError{};
  }
  return expr;
}

// ---- recovery ----

// Over one token, or from a bracket past its partner.
void Parser::skip_balanced() {
  if (at("(") || at("[") || at("{")) {
    std::size_t close = match_brackets(next_, tokens_.size());
    next_ = close == kNo ? tokens_.size() - 1 : close + 1;
  } else if (!at_end()) {
    ++next_;
  }
}

// Behind the `(...)` of a for, if, while or switch at `first`; kNo where its end is in doubt.
std::size_t Parser::after_header(std::size_t first) const {
  const Token& word = token_at(first);
  bool header = word.is("for") || word.is("if") || word.is("while") || word.is("switch");
  if (!header || !token_at(first + 1).is("(")) return kNo;
  std::size_t close = match_brackets(first + 1, tokens_.size());
  for (std::size_t i = first; close != kNo && i < close; ++i) {
    if (tokens_[i].is("{")) return kNo;
  }
  return close == kNo ? kNo : close + 1;
}

// To behind the statement in which an error was found: past its ';' or block, or before the '}' around it.
void Parser::synchronize(std::size_t first) {
  if (next_ < first) next_ = first;
  std::size_t header_end = after_header(first);
  if (header_end != kNo && header_end > next_) next_ = header_end;
  while (!at_end() && !at("}")) {
    if (accept(";")) return;
    bool block = at("{");
    bool broken_line = next_ > first && previous().kind == TokenKind::Bad && peek().line_start;
    if (broken_line) return;  // an open string has swallowed its ';'
    if (!block && next_ > first && peek().line_start && peek().kind == TokenKind::Identifier &&
        is_keyword(peek().text) && !at("else")) {
      return;  // a new statement on a new line
    }
    skip_balanced();
    if (block) return;
  }
}

// ---- scopes ----

void Parser::declare(std::string_view name, NameKind kind, bool is_template) {
  if (!name.empty()) scopes_.back()[name] = {kind, is_template};
}

Parser::NameInfo Parser::lookup(std::string_view name) const {
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    auto found = scopes_[i].find(name);
    if (found != scopes_[i].end()) return found->second;
  }
  if (is_cuda_type(name)) return {NameKind::Type, false};
  return {};
}

namespace {

constexpr std::size_t kSizeLimit = 4 << 20;  // bytes

// The file's text and its headers', one behind the other.
Preprocessor::Source joined(std::string_view own, const Headers* headers, std::string& text,
                            LineTable& lines) {
  text = own;
  Preprocessor::Source source{{}, own.size(), headers};
  for (std::size_t i = 0; headers && i < headers->files.size(); ++i) {
    text += '\n';
    source.begins.push_back(text.size());
    lines.add_header(static_cast<int>(text.size()), headers->files[i].text, headers->files[i].name);
    text += headers->files[i].text;
  }
  source.text = text;
  return source;
}

std::size_t size_of(const Headers* headers) {
  std::size_t size = 0;
  for (std::size_t i = 0; headers && i < headers->files.size(); ++i) size += headers->files[i].text.size();
  return size;
}

// Why what is included and there was not read.
void tell_unread(const Headers& headers, TranslationUnit& unit) {
  for (const std::string& name : unit.ignored_includes) {
    for (const std::string& written : {"\"" + name + "\"", "<" + name + ">"}) {
      if (headers.refused.contains(written)) unit.outside_includes.push_back(name);
      const auto unread = headers.unread.find(written);
      if (unread != headers.unread.end() && !unit.unread_include)
        unit.unread_include.emplace(name, unread->second);
    }
  }
}

}  // namespace

ParseResult parse(std::string_view text, const Defines& defines, Budget& budget, const HeaderSet& given,
                  HostText host) {
  const HeaderSet headers = with_library(text, given);
  ParseResult result;
  const bool is_utf16 = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
  if (is_utf16 || text.size() + size_of(headers.get()) > kSizeLimit) {
    Diagnostic diagnostic;
    diagnostic.message = is_utf16  ? Message("the file is UTF-16")
                         : headers ? Message("the file and its headers are larger than 4 MiB together")
                                   : Message("the file is larger than 4 MiB");
    diagnostic.remedy = is_utf16 ? Message("save it as UTF-8") : Message("give the kernels alone");
    result.of_the_file = result.diagnostics = {std::move(diagnostic)};
    return result;
  }
  DiagnosticSink sink(text);
  SpellingArena arena;
  Preprocessor preprocessor(joined(text, headers.get(), result.text, sink.lines()), arena, sink, budget);
  preprocessor.define_all(defines);
  Parser parser(result.text, preprocessor.run(), sink, budget);
  if (host == HostText::Read) result.macros = preprocessor.values();
  result.unit = parser.parse_file(host);
  result.unit.ignored_includes = preprocessor.ignored_includes();
  if (headers != given)  // behind the others, each with a new line before it
    result.unit.library =
        static_cast<int>(text.size() + size_of(given.get()) + (given ? given->files.size() : 0));
  if (headers) tell_unread(*headers, result.unit);
  result.of_the_file = sink.take();
  for (const Diagnostic& d : result.of_the_file) {
    if (d.severity != Severity::Note) sink.append({d});
  }
  parser.report_broken(result.unit);
  result.diagnostics = sink.take();
  result.lines = sink.lines();
  return result;
}

namespace {

// `what` of the text's tokens, by itself; null after an error. `large`: what is said of too long a text.
template <class Parsed, class What>
auto parse_alone(std::string_view text, const Message& large, Budget& budget, Parsed& into, What what) {
  if (text.size() > kSizeLimit) {
    into.diagnostics.push_back({Severity::Error, {}, large, {}});
    return decltype(what(std::declval<Parser&>())){};
  }
  DiagnosticSink sink(text);
  SpellingArena arena;
  Preprocessor preprocessor(text, arena, sink, budget);
  Parser parser(text, preprocessor.run(), sink, budget);
  auto made = what(parser);
  into.diagnostics = sink.take();
  if (has_errors(into.diagnostics)) made = {};
  return made;
}

}  // namespace

ParsedExpression parse_expression(std::string_view text, Budget& budget) {
  ParsedExpression result;
  result.expr = parse_alone(text, Message("the expression is larger than 4 MiB"), budget, result,
                            [](Parser& parser) { return parser.parse_lone_expression(); });
  return result;
}

ParsedType parse_type(std::string_view text, Budget& budget) {
  ParsedType result;
  result.type = parse_alone(text, Message("the type is larger than 4 MiB"), budget, result,
                            [](Parser& parser) { return parser.parse_lone_type(); });
  return result;
}

}  // namespace warplens::cuda
