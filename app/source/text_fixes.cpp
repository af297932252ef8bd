#include "app/source/text_fixes.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include "sim/cuda/parse/parse.h"
#include "sim/cuda/text/lexer.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

bool in_parentheses(std::string_view text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth == 0 && i + 1 < text.size()) return false;
  }
  return depth == 0;
}

}  // namespace

std::optional<IndexExpression> find_index(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    line = line.substr(0, line.find("//"));
    const auto skip = [&](std::string_view word) {
      line = text::trimmed(line);
      if (!line.starts_with(word)) return false;
      line.remove_prefix(word.size());
      return true;
    };
    const bool is_it =
        skip("#") && skip("define") && skip("INDEX") && !line.empty() && text::is_space(line[0]);
    line = text::trimmed(line);
    if (!is_it) continue;
    if (in_parentheses(line)) line = line.substr(1, line.size() - 2);
    const auto begin = static_cast<int>(line.data() - text.data());
    return IndexExpression{std::string(line), begin, begin + static_cast<int>(line.size())};
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
  const auto wrong =
      std::ranges::find(parsed.diagnostics, cuda::Severity::Error, &cuda::Diagnostic::severity);
  return wrong == parsed.diagnostics.end() ? std::nullopt : std::optional(*wrong);
}

namespace {

// The tokens between two places. Their texts live as long as `text` and `arena`.
std::vector<cuda::Token> tokens_of(const std::string& text, cuda::SpellingArena& arena, std::size_t begin,
                                   std::size_t end) {
  std::vector<cuda::Token> tokens;
  cuda::Lexer lexer(std::string_view(text).substr(0, end), arena, false, begin);
  for (cuda::Token token = lexer.next(); token.kind != cuda::TokenKind::End; token = lexer.next())
    tokens.push_back(token);
  return tokens;
}

// Places of an index in the text, without its brackets.
struct Index {
  std::size_t begin = 0, end = 0;
  bool has_side_effects = false, has_own_name = false;
  std::string of(const std::string& text) const { return text.substr(begin, end - begin); }
};
using Use = std::vector<Index>;

// From the declaration of the array, which is the first use, to the end of the block that it is in. Empty:
// some use has not all indices.
std::vector<Use> whole_uses(const std::string& text, const sim::SharedArray& array) {
  if (array.range.begin.offset < 0 || array.name.empty()) return {};
  cuda::SpellingArena arena;
  const auto tokens = tokens_of(text, arena, static_cast<std::size_t>(array.range.begin.offset), text.size());
  std::vector<Use> uses;
  int braces = 0;
  for (std::size_t i = 0; i < tokens.size() && braces >= 0; ++i) {
    braces += tokens[i].is("{") - tokens[i].is("}");
    if (!tokens[i].is(array.name)) continue;
    Use use;
    for (std::size_t next = i + 1; next < tokens.size() && tokens[next].is("["); ++next) {
      Index index{static_cast<std::size_t>(tokens[next].end)};
      int depth = 1;
      while (++next < tokens.size() && (depth += tokens[next].is("[") - tokens[next].is("]")) > 0) {
        const std::string_view word = tokens[next].text;
        const bool compares = word == "==" || word == "!=" || word == "<=" || word == ">=";
        index.has_own_name |= word == array.name;
        index.has_side_effects |= word == "++" || word == "--" || (word.ends_with('=') && !compares);
      }
      if (depth != 0) return {};
      index.end = static_cast<std::size_t>(tokens[next].begin);
      use.push_back(index);
    }
    if (use.size() != array.extents.size()) return {};
    uses.push_back(std::move(use));
  }
  return uses.size() > 1 ? uses : std::vector<Use>{};
}

}  // namespace

std::optional<std::string> with_padding(const std::string& text, const sim::SharedArray& array,
                                        int elements) {
  if (array.extents.size() < 2 || elements == 0) return std::nullopt;
  const std::vector<Use> uses = whole_uses(text, array);
  if (uses.empty()) return std::nullopt;
  std::string out = text;
  return out.insert(uses.front().back().end,
                    (elements < 0 ? " - " : " + ") + std::to_string(std::abs(elements)));
}

std::optional<std::string> with_swizzle(const std::string& text, const sim::SharedArray& array) {
  if (array.extents.size() != 2 || array.extents[1] < 2 ||
      !std::has_single_bit(static_cast<std::uint64_t>(array.extents[1])))
    return std::nullopt;
  const std::vector<Use> uses = whole_uses(text, array);
  if (uses.empty()) return std::nullopt;
  std::string out = text;
  for (std::size_t i = uses.size(); i-- > 1;) {  // from behind, so that places before stay what they are
    for (const Index& index : uses[i])
      if (index.has_own_name || index.has_side_effects) return std::nullopt;
    const Index &row = uses[i][0], &column = uses[i][1];
    out.replace(column.begin, column.end - column.begin,
                "(" + column.of(text) + ") ^ ((" + row.of(text) + ") % (" + uses[0][1].of(text) + "))");
  }
  return out;
}

std::optional<std::string> with_axes_swapped(const std::string& text, std::size_t begin, std::size_t end) {
  std::string out = text;
  bool has_y = false;
  cuda::SpellingArena arena;
  const auto tokens = tokens_of(text, arena, begin, end);
  for (std::size_t i = 2; i < tokens.size(); ++i) {
    const std::string_view of = tokens[i - 2].text;
    const bool is_axis = tokens[i - 1].is(".") && (tokens[i].is("x") || tokens[i].is("y"));
    if (!is_axis || (of != "threadIdx" && of != "blockIdx" && of != "blockDim" && of != "gridDim")) continue;
    has_y |= tokens[i].is("y");
    out[static_cast<std::size_t>(tokens[i].begin)] = tokens[i].is("x") ? 'y' : 'x';
  }
  return has_y ? std::optional(out) : std::nullopt;
}

}  // namespace warplens::app
