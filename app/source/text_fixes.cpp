#include "app/source/text_fixes.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include "sim/cuda/parse/parse.h"
#include "sim/text/scan.h"

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

namespace {

struct Span {
  std::size_t begin = 0, end = 0;  // in the text, `end` excluded
};
// A name with the indices behind it, each from "[" to "]".
struct Use {
  Span name;
  std::vector<Span> indices;
};

// From an opening bracket to the one that closes it; npos: none does.
std::size_t bracket_end(const std::string& text, std::size_t open, char left, char right) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    depth += text[at] == left ? 1 : text[at] == right ? -1 : 0;
    if (depth == 0) return at;
  }
  return std::string::npos;
}

// The uses of the name between two places. Comments and strings are no kernel's text: a name in them has no
// index, which keeps the fix from being offered rather than from being right.
std::vector<Use> uses_of(const std::string& text, const std::string& name, Span within) {
  std::vector<Use> uses;
  for (std::size_t at = text.find(name, within.begin); at != std::string::npos && at < within.end;
       at = text.find(name, at + name.size())) {
    const std::size_t end = at + name.size();
    const bool whole =
        (at == 0 || !text::is_word(text[at - 1])) && (end >= text.size() || !text::is_word(text[end]));
    if (!whole) continue;
    Use use{{at, end}, {}};
    for (std::size_t next = end; next < text.size();) {
      while (next < text.size() && text::is_space(text[next])) ++next;
      if (next >= text.size() || text[next] != '[') break;
      const std::size_t close = bracket_end(text, next, '[', ']');
      if (close == std::string::npos) break;
      use.indices.push_back({next, close + 1});
      next = close + 1;
    }
    uses.push_back(std::move(use));
  }
  return uses;
}

// From the declaration of the array to the end of the block that it is in; the first use is the declaration.
// Empty: some use has not all indices.
std::vector<Use> whole_uses(const std::string& text, const sim::SharedArray& array) {
  if (array.range.begin.offset < 0 || array.name.empty()) return {};
  const auto begin = static_cast<std::size_t>(array.range.begin.offset);
  std::size_t end = text.size();
  int depth = 0;
  for (std::size_t at = begin; at < text.size(); ++at) {
    depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
    if (depth < 0) {
      end = at;
      break;
    }
  }
  std::vector<Use> uses = uses_of(text, array.name, {begin, end});
  for (const Use& use : uses) {
    if (use.indices.size() != array.extents.size()) return {};
  }
  return uses.size() > 1 ? uses : std::vector<Use>{};
}

std::string inside(const std::string& text, const Span& index) {
  return text.substr(index.begin + 1, index.end - index.begin - 2);
}

bool has_side_effects(const std::string& index) {
  if (index.find("++") != std::string::npos || index.find("--") != std::string::npos) return true;
  for (std::size_t at = index.find('='); at != std::string::npos; at = index.find('=', at + 1)) {
    const bool compares = (at + 1 < index.size() && index[at + 1] == '=') ||
                          (at > 0 && std::string_view("=!<>").find(index[at - 1]) != std::string_view::npos);
    if (!compares) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> with_padding(const std::string& text, const sim::SharedArray& array,
                                        int elements) {
  if (array.extents.size() < 2 || elements == 0) return std::nullopt;
  const std::vector<Use> uses = whole_uses(text, array);
  if (uses.empty()) return std::nullopt;
  const Span& last = uses.front().indices.back();
  std::string out = text;
  out.insert(last.end - 1, (elements < 0 ? " - " : " + ") + std::to_string(std::abs(elements)));
  return out;
}

std::optional<std::string> with_swizzle(const std::string& text, const sim::SharedArray& array) {
  if (array.extents.size() != 2 || array.extents[1] < 2 ||
      !std::has_single_bit(static_cast<std::uint64_t>(array.extents[1])))
    return std::nullopt;
  const std::vector<Use> uses = whole_uses(text, array);
  if (uses.empty()) return std::nullopt;
  const std::string columns = inside(text, uses.front().indices[1]);
  std::string out = text;
  for (std::size_t i = uses.size(); i-- > 1;) {  // from behind, so that places before stay what they are
    const std::string row = inside(text, uses[i].indices[0]), column = inside(text, uses[i].indices[1]);
    const bool nested =
        row.find(array.name) != std::string::npos || column.find(array.name) != std::string::npos;
    if (nested || has_side_effects(row) || has_side_effects(column)) return std::nullopt;
    const Span& at = uses[i].indices[1];
    out.replace(at.begin, at.end - at.begin, "[(" + column + ") ^ ((" + row + ") % (" + columns + "))]");
  }
  return out;
}

std::optional<std::string> with_axes_swapped(const std::string& text, std::size_t begin, std::size_t end) {
  std::string out = text;
  bool has_y = false;
  for (const std::string name : {"threadIdx.", "blockIdx.", "blockDim.", "gridDim."}) {
    for (std::size_t at = text.find(name, begin); at != std::string::npos && at < end;
         at = text.find(name, at + name.size())) {
      const std::size_t axis = at + name.size();
      const bool whole = (at == 0 || !text::is_word(text[at - 1])) && axis < text.size() &&
                         (axis + 1 >= text.size() || !text::is_word(text[axis + 1]));
      if (!whole || (text[axis] != 'x' && text[axis] != 'y')) continue;
      has_y = has_y || text[axis] == 'y';
      out[axis] = text[axis] == 'x' ? 'y' : 'x';
    }
  }
  return has_y ? std::optional(out) : std::nullopt;
}

}  // namespace warplens::app
