#include "sim/cuda/parse/parse.h"

#include "sim/cuda/library/library.h"
#include "sim/cuda/parse/parser.h"
#include "sim/cuda/preprocess/preprocessor.h"
#include "sim/cuda/text/lexer.h"
#include "sim/cuda/text/source.h"

namespace warplens::cuda {

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
    const std::string written = "\"" + name + "\"";
    if (headers.refused.contains(written)) unit.outside_includes.push_back(name);
    const auto unread = headers.unread.find(written);
    if (unread != headers.unread.end() && !unit.unread_include)
      unit.unread_include.emplace(name, unread->second);
  }
}

}  // namespace

ParseResult parse(std::string_view text, const Defines& defines, Budget& budget, const HeaderSet& given) {
  const HeaderSet headers = with_library(text, given);
  ParseResult result;
  if (text.size() + size_of(headers.get()) > kSizeLimit) {
    Diagnostic diagnostic;
    diagnostic.message = headers ? Message("the file and its headers are larger than 4 MiB together")
                                 : Message("the file is larger than 4 MiB");
    diagnostic.remedy = Message("give the kernels alone");
    result.of_the_file = result.diagnostics = {std::move(diagnostic)};
    return result;
  }
  DiagnosticSink sink(text);
  SpellingArena arena;
  Preprocessor preprocessor(joined(text, headers.get(), result.text, sink.lines()), arena, sink, budget);
  preprocessor.define_all(defines);
  Parser parser(result.text, preprocessor.run(), sink, budget);
  result.unit = parser.parse_file();
  result.unit.ignored_includes = preprocessor.ignored_includes();
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

ParsedExpression parse_expression(std::string_view text, Budget& budget) {
  ParsedExpression result;
  if (text.size() > kSizeLimit) {
    result.diagnostics.push_back({Severity::Error, {}, Message("the expression is larger than 4 MiB"), {}});
    return result;
  }
  DiagnosticSink sink(text);
  SpellingArena arena;
  Preprocessor preprocessor(text, arena, sink, budget);
  Parser parser(text, preprocessor.run(), sink, budget);
  result.expr = parser.parse_lone_expression();
  result.diagnostics = sink.take();
  if (has_errors(result.diagnostics)) result.expr = nullptr;
  return result;
}

ParsedType parse_type(std::string_view text, Budget& budget) {
  ParsedType result;
  if (text.size() > kSizeLimit) {
    result.diagnostics.push_back({Severity::Error, {}, Message("the type is larger than 4 MiB"), {}});
    return result;
  }
  DiagnosticSink sink(text);
  SpellingArena arena;
  Preprocessor preprocessor(text, arena, sink, budget);
  Parser parser(text, preprocessor.run(), sink, budget);
  result.type = parser.parse_lone_type();
  result.diagnostics = sink.take();
  if (has_errors(result.diagnostics)) result.type.reset();
  return result;
}

}  // namespace warplens::cuda
