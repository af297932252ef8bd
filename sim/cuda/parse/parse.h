// CUDA C++ text -> syntax tree: lexer, preprocessor, recursive-descent parser.
//
//   ParseResult r = parse("__global__ void k(float* a) { a[threadIdx.x] = 1; }", {{"PAD", "1"}});
//
// Host code is skipped, or read where it is asked for, without complaint. Places refer to the text given,
// also inside macro expansions (then to the place of use) and headers (line and column of the #include; the
// offset is the header's own). Never recurses beyond a fixed depth, ends on any input; throws nothing but
// Stopped, where the budget ends it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/budget.h"
#include "sim/cuda/parse/syntax.h"
#include "sim/cuda/text/diagnostic.h"
#include "sim/cuda/text/headers.h"
#include "sim/cuda/text/source.h"

namespace warplens::cuda {

using Defines =
    std::vector<std::pair<std::string, std::string>>;  // as -DNAME=VALUE on a compiler's command line

struct ParseResult {
  TranslationUnit unit;  // what could be parsed; complete where there is no error
  std::vector<Diagnostic> diagnostics;
  // Those of them that concern the file as a whole. The others are of one function or type, which has them
  // too (Function::errors, TranslationUnit::broken): they matter to the kernels that need it.
  std::vector<Diagnostic> of_the_file;
  std::string text;  // the text given, and behind it that of its headers: what offsets refer to
  LineTable lines;   // of `text`
  // Of the text's macros without parameters what they come to: where host code is read.
  std::vector<std::pair<std::string, std::string>> macros;
};

enum class HostText { Skipped, Read };
ParseResult parse(std::string_view text, const Defines& defines = {}, Budget& budget = Budget::endless(),
                  const HeaderSet& headers = {}, HostText host = HostText::Skipped);

// A single expression, as in a scenario's launch rule ("(ncols + block_x - 1) / block_x") or --template.
struct ParsedExpression {
  ExprPtr expr;  // null where there is an error
  std::vector<Diagnostic> diagnostics;
};
ParsedExpression parse_expression(std::string_view text, Budget& budget = Budget::endless());

// A type, as in --template "Sum<float>". Names are not looked up.
struct ParsedType {
  std::optional<TypeName> type;  // empty where there is an error
  std::vector<Diagnostic> diagnostics;
};
ParsedType parse_type(std::string_view text, Budget& budget = Budget::endless());

}  // namespace warplens::cuda
