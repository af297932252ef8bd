#include "app/source/index_expression.h"

#include <algorithm>

#include "sim/cuda/parse/parse.h"

namespace warplens::app {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

// The place behind "#define INDEX" on the line that begins at `at`, or npos.
std::size_t behind_name(std::string_view text, std::size_t at, std::size_t end) {
  const auto skip = [&](std::string_view word) {
    while (at < end && is_blank(text[at])) ++at;
    if (text.substr(at, word.size()) != word) return false;
    at += word.size();
    return true;
  };
  if (!skip("#") || !skip("define") || !skip("INDEX")) return std::string_view::npos;
  return at < end && is_blank(text[at]) ? at : std::string_view::npos;
}

bool in_parentheses(std::string_view text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(';
    depth -= text[i] == ')';
    if (depth == 0 && i + 1 < text.size()) return false;
  }
  return depth == 0;
}

}  // namespace

std::optional<IndexExpression> find_index(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t behind = behind_name(text, at, end);
    at = end + 1;
    if (behind == std::string_view::npos) continue;
    std::size_t begin = behind, stop = std::min(text.find("//", behind), end);
    while (begin < stop && is_blank(text[begin])) ++begin;
    while (stop > begin && is_blank(text[stop - 1])) --stop;
    if (in_parentheses(text.substr(begin, stop - begin))) ++begin, --stop;
    return IndexExpression{std::string(text.substr(begin, stop - begin)), static_cast<int>(begin),
                           static_cast<int>(stop)};
  }
  return std::nullopt;
}

std::string with_index(std::string_view text, std::string_view expression) {
  const std::optional<IndexExpression> index = find_index(text);
  if (!index) return std::string(text);
  std::string one_line(expression);
  std::replace_if(
      one_line.begin(), one_line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  // No comment begins in it: the line goes on behind.
  for (std::size_t at = one_line.find('/'); at != std::string::npos; at = one_line.find('/', at + 1)) {
    if (at + 1 < one_line.size() && (one_line[at + 1] == '/' || one_line[at + 1] == '*'))
      one_line.insert(at + 1, " ");
  }
  // In parentheses, so that it stays one operand wherever it is put.
  const auto begin = static_cast<std::size_t>(index->begin), end = static_cast<std::size_t>(index->end);
  const bool enclosed = begin > 0 && text[begin - 1] == '(' && end < text.size() && text[end] == ')';
  std::string out(text.substr(0, begin));
  out += enclosed ? one_line : "(" + one_line + ")";
  out += text.substr(end);
  return out;
}

std::optional<std::string> other_index(std::string_view shown_text, std::string_view asked_text) {
  const auto shown = find_index(shown_text), asked = find_index(asked_text);
  if (!shown || !asked || shown->text == asked->text) return std::nullopt;
  return shown->text;
}

bool is_of_tile(std::string_view kernel_text) {
  return find_index(kernel_text) && kernel_text.find("int row, int column") != std::string_view::npos;
}

TypedIndex typed_index(std::string_view kernel_text, std::string_view typed, int element_bytes) {
  if (!is_of_tile(kernel_text) || !layout::looks_like_layout(typed)) return {std::string(typed), {}};
  layout::ParsedLayout parsed = layout::parse_layout(typed);
  if (!parsed.layout || !parsed.layout->swizzle.fits(element_bytes)) return {std::string(typed), {}};
  return {layout::index_text(*parsed.layout, element_bytes), std::move(parsed.layout)};
}

std::optional<cuda::Diagnostic> index_problem(std::string_view expression) {
  if (layout::looks_like_layout(expression)) {
    const layout::ParsedLayout parsed = layout::parse_layout(expression);
    if (parsed.layout) return std::nullopt;
    cuda::Diagnostic wrong;
    wrong.message = parsed.error;
    const int at = static_cast<int>(std::min(parsed.at, expression.size()));
    wrong.range = {{at, 1, at + 1}, {at + 1, 1, at + 2}};
    return wrong;
  }
  const cuda::ParsedExpression parsed = cuda::parse_expression(expression);
  for (const cuda::Diagnostic& d : parsed.diagnostics) {
    if (d.severity == cuda::Severity::Error) return d;
  }
  return std::nullopt;
}

}  // namespace warplens::app
