#include "sim/cuda/parse/parse.h"

#include "sim/cuda/parse/parser.h"
#include "sim/cuda/preprocess/preprocessor.h"
#include "sim/cuda/text/lexer.h"
#include "sim/cuda/text/source.h"

namespace warplens::cuda {

namespace {

constexpr std::size_t kSizeLimit = 4 << 20;  // bytes

}  // namespace

ParseResult parse(std::string_view text, const Defines& defines, Budget& budget) {
  ParseResult result;
  if (text.size() > kSizeLimit) {
    Diagnostic diagnostic;
    diagnostic.message = "the file is larger than 4 MiB";
    diagnostic.remedy = "give the kernels alone";
    result.diagnostics.push_back(std::move(diagnostic));
    return result;
  }
  DiagnosticSink sink(text);
  SpellingArena arena;
  Preprocessor preprocessor(text, arena, sink, budget);
  preprocessor.define_all(defines);
  Parser parser(text, preprocessor.run(), sink, budget);
  result.unit = parser.parse_file();
  result.unit.ignored_includes = preprocessor.ignored_includes();
  result.diagnostics = sink.take();
  return result;
}

ParsedExpression parse_expression(std::string_view text, Budget& budget) {
  ParsedExpression result;
  if (text.size() > kSizeLimit) {
    result.diagnostics.push_back({Severity::Error, {}, "the expression is larger than 4 MiB", ""});
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
    result.diagnostics.push_back({Severity::Error, {}, "the type is larger than 4 MiB", ""});
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
