#include "app/readout/code_rows.h"

#include <algorithm>

#include "app/language/strings.h"
#include "sim/base/numbers.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

std::vector<CodeLine> lines_of(const std::string& text) {
  std::vector<CodeLine> lines;
  for (std::size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    const bool carriage = end > begin && text[end - 1] == '\r';
    lines.push_back({static_cast<int>(begin), static_cast<int>(carriage ? end - 1 : end), 0, 0});
  }
  return lines;
}

}  // namespace

scene::Color token_color(const scene::Palette& p, cuda::TokenClass token) {
  switch (token) {
    case cuda::TokenClass::Comment:
      return p.faint;
    case cuda::TokenClass::Keyword:
    case cuda::TokenClass::Type:
    case cuda::TokenClass::Punctuation:
    case cuda::TokenClass::Preprocessor:
      return p.secondary;
    default:
      return p.text;
  }
}

CodeText read_code_text(const std::string& text) {
  CodeText code;
  code.text = text;
  code.lines = lines_of(text);
  code.tokens = cuda::colour_tokens(text);
  std::size_t token = 0;
  for (CodeLine& line : code.lines) {
    while (token < code.tokens.size() && code.tokens[token].end <= line.begin) ++token;
    line.first_token = token;
    line.columns = column_of(part(code, line.begin, line.end), line.end - line.begin);
    code.widest = std::max(code.widest, line.columns);
  }
  return code;
}

std::string_view part(const CodeText& code, int begin, int end) {
  return std::string_view(code.text).substr(static_cast<std::size_t>(begin),
                                            static_cast<std::size_t>(end - begin));
}

// From 0. An offset beyond the text belongs to the last line.
static int line_of_offset(const CodeText& code, int offset) {
  const auto after = std::upper_bound(code.lines.begin(), code.lines.end(), offset,
                                      [](int o, const CodeLine& l) { return o < l.begin; });
  return std::max(0, static_cast<int>(after - code.lines.begin()) - 1);
}

int columns_taken(char first_byte, int column) {
  if (text::continues_character(first_byte)) return 0;
  if (first_byte == '\t') return 4 - column % 4;
  return static_cast<unsigned char>(first_byte) >= 0xe2 ? 2 : 1;
}

int column_of(std::string_view chars, int offset, int from_column) {
  int column = from_column;
  const auto end = std::min(chars.size(), static_cast<std::size_t>(std::max(offset, 0)));
  for (std::size_t i = 0; i < end; ++i) column += columns_taken(chars[i], column);
  return column;
}

// The offset in `chars` that is nearest to a column.
static int offset_at(std::string_view chars, int column, int from_column) {
  int at = from_column;
  for (std::size_t i = 0; i < chars.size(); ++i) {
    if (text::continues_character(chars[i])) continue;
    const int taken = columns_taken(chars[i], at);
    if (column < at + (taken + 1) / 2) return static_cast<int>(i);
    at += taken;
  }
  return static_cast<int>(chars.size());
}

namespace {

constexpr int kLeastColumns = 8;

// What a break costs, in columns left free: nothing is torn out of brackets for a few columns' sake.
constexpr int kInBrackets = 20, kWithoutSpace = 10, kBeforeOperator = 12, kBetweenWords = 16,
              kLeavesLittle = 14, kOutOfPlace = 1000;
constexpr int kLongestCharacter = 4;  // bytes
constexpr int kLittle = 6;            // columns: less than that looks forgotten in a row of its own
constexpr int kWideGap = 3;           // ... and from here on of a comment's own

char at(const CodeText& code, int offset) {
  return code.text[static_cast<std::size_t>(offset)];
}

bool is_space(char c) {
  return c == ' ' || c == '\t';
}

// Finds the rows of one line, one after the other.
class Breaker {
 public:
  Breaker(const CodeText& code, const CodeLine& line) : code_(code), line_(line) {
    first_ = line.begin;
    while (first_ < line.end && is_space(at(code, first_))) ++first_;
    indent_ = column_of(part(code, line.begin, first_), first_ - line.begin);
    const bool comment = part(code, first_, line.end).starts_with("//");
    more_ = indent_ + (comment ? 3 : 2);
  }

  // Where the rows after the first begin.
  int indent(int columns) const { return std::min(more_ - cut_, columns / 2); }

  // Columns of its indentation that are left out: parameters that stand below the first one would leave a row
  // empty, and have none of the next.
  int cut(int columns) {
    cut_ = indent_ > columns / 3 ? indent_ - columns / 4 : 0;
    return cut_;
  }

  // The end of the row from `begin`, which stands at `from_column` of the line, with room for `columns`;
  // `next`: the columns in which the rest would go on.
  int end_of(int begin, int from_column, int columns, int next) {
    measure(begin, from_column, columns);
    if (fitting_ >= line_.end) return line_.end;
    best_ = -1;
    look_between_tokens(begin, from_column + columns, next);
    if (best_ > begin) return best_;
    return std::max(fitting_,
                    begin + static_cast<int>(language::character_length(part(code_, begin, line_.end), 0)));
  }

 private:
  // Up to where the text fits, and the column of every offset to there.
  void measure(int begin, int from_column, int columns) {
    columns_.clear();
    int column = from_column;
    const int most = from_column + columns;
    fitting_ = begin;
    for (int i = begin; i < line_.end; ++i) {
      columns_.push_back(column);
      const int taken = columns_taken(at(code_, i), column);
      // Spaces at a row's end are not seen.
      if (column + taken > most && !is_space(at(code_, i))) return;
      column += taken;
      const bool whole = i + 1 == line_.end || columns_taken(at(code_, i + 1), column) > 0;
      if (whole) fitting_ = i + 1;
    }
    columns_.push_back(column);
  }

  void offer(int begin, int where, int most, int penalty) {
    if (where <= begin || where <= first_ || where > fitting_) return;
    int last = where;  // the spaces before the break leave no hole
    while (last > begin && is_space(at(code_, last - 1))) --last;
    penalty += most - columns_[static_cast<std::size_t>(last - begin)];
    if (best_ >= 0 && penalty > least_) return;
    best_ = where;
    least_ = penalty;
  }

  void look_between_tokens(int begin, int most, int next) {
    const auto& tokens = code_.tokens;
    auto t = static_cast<std::size_t>(
        std::upper_bound(tokens.begin() + static_cast<std::ptrdiff_t>(line_.first_token), tokens.end(), begin,
                         [](int o, const cuda::ColouredToken& token) { return o < token.end; }) -
        tokens.begin());
    int depth = 0;
    for (; t < tokens.size() && tokens[t].begin < line_.end && tokens[t].begin <= fitting_; ++t) {
      const cuda::ColouredToken& token = tokens[t];
      const bool comment = token.token_class == cuda::TokenClass::Comment;
      if (token.begin > begin && t > 0) {
        const bool all_below = comment && columns_from(token.begin) <= next;
        offer(begin, token.begin, most,
              all_below ? -kOutOfPlace : penalty_between(tokens[t - 1], token, depth));
      }
      if (comment) look_between_words(begin, std::max(token.begin, begin), most);
      for (int i = token.begin; i < token.end && token.token_class == cuda::TokenClass::Punctuation; ++i) {
        if (at(code_, i) == '(' || at(code_, i) == '[') ++depth;
        if (at(code_, i) == ')' || at(code_, i) == ']') depth = std::max(0, depth - 1);
      }
    }
  }

  // Columns of the line's rest, as if it began a row.
  int columns_from(int offset) const {
    return column_of(part(code_, offset, std::min(line_.end, offset + 400)), line_.end - offset);
  }

  int penalty_between(const cuda::ColouredToken& a, const cuda::ColouredToken& b, int depth) const {
    const bool space = b.begin > a.end;
    const std::string_view before = part(code_, a.begin, a.end), after = part(code_, b.begin, b.end);
    const auto is_any = [](std::string_view token, std::initializer_list<std::string_view> all) {
      return std::ranges::find(all, token) != all.end();
    };
    int penalty = kInBrackets * std::min(depth, 3);
    if (line_.end - b.begin < kLittle) penalty += kLeavesLittle;
    if (is_any(after, {",", ";", ")", "]", "{", ".", "->", "::", "++", "--", ":"}) ||
        is_any(before, {"(", "[", ".", "->", "::", "!", "~", "#"}) ||
        (!space && (is_any(before, {"&", "*", "-"}) || is_any(after, {"(", "["}))))
      return penalty + kOutOfPlace;
    if (!space) penalty += kWithoutSpace;
    if (is_any(before, {";"})) penalty -= kInBrackets;
    if (is_any(before, {","})) penalty -= kInBrackets / 2;
    const bool word_after = b.token_class != cuda::TokenClass::Punctuation;
    const bool operand = a.token_class != cuda::TokenClass::Punctuation || is_any(before, {")", "]"});
    if (space && operand && !is_any(after, {"(", "["}))
      penalty += word_after ? kBetweenWords : kBeforeOperator;
    return penalty;
  }

  void look_between_words(int begin, int from, int most) {
    // What follows beyond the next character is of no interest, and may be as long as the text.
    const std::string_view words = part(code_, 0, std::min(line_.end, fitting_ + kLongestCharacter));
    auto at = static_cast<std::size_t>(from);
    // Nothing is left alone: "//" stays with the first word.
    at = language::piece_end(words, at);
    while (at < words.size() && static_cast<int>(at) <= fitting_) {
      std::size_t after = at;
      while (after < words.size() && is_space(words[after])) ++after;
      // A drawing, or what is written in columns, is broken between its parts and not within one.
      const int gap = static_cast<int>(after - at), between = gap < kWideGap ? 0 : gap * kOutOfPlace;
      if (after < words.size()) offer(begin, static_cast<int>(after), most, -between);
      at = language::piece_end(words, at);
    }
  }

  const CodeText& code_;
  const CodeLine& line_;
  int first_ = 0, indent_ = 0, more_ = 0, cut_ = 0;
  int fitting_ = 0;
  std::vector<int> columns_;
  int best_ = -1, least_ = 0;
};

// `to_write`: somebody writes there, and needs every space.
void add_line(const CodeText& code, int index, int columns, int reserved, bool to_write,
              std::vector<CodeRow>* rows) {
  const CodeLine& line = code.lines[static_cast<std::size_t>(index)];
  const int first = std::max(columns - reserved, kLeastColumns);
  if (line.columns <= first) {
    rows->push_back({index, line.begin, line.end, 0, 0, -1, 0});
    return;
  }
  Breaker breaker(code, line);
  const int cut = to_write ? 0 : breaker.cut(columns);
  const int indent = breaker.indent(columns), next = columns - indent;
  int begin = line.begin, column = 0;
  for (int i = 0; i == 0 || begin < line.end; ++i) {
    const int end = breaker.end_of(begin, column, i == 0 ? first + cut : next, next);
    rows->push_back({index, begin, end, column, i == 0 ? -cut : indent, -1, i});
    column = column_of(part(code, begin, end), end - begin, column);
    begin = end;
  }
}

// Lines that have rows: after the last line's end comes nothing, except for who wants to write there.
int line_count(const CodeText& code, bool empty_end) {
  const bool empty = code.lines.size() > 1 && code.lines.back().begin == code.lines.back().end;
  return static_cast<int>(code.lines.size()) - (empty && !empty_end ? 1 : 0);
}

}  // namespace

std::vector<CodeRow> code_rows(const CodeText& code, const RowRequest& request) {
  std::vector<CodeRow> rows;
  const int columns = std::max(request.columns, kLeastColumns);
  const int count = line_count(code, request.empty_end);
  auto reserve = request.reserved.begin();
  for (int line = 0; line < count; ++line) {
    while (reserve != request.reserved.end() && reserve->line < line) ++reserve;
    const bool has_cost = reserve != request.reserved.end() && reserve->line == line;
    add_line(code, line, columns, has_cost ? reserve->columns : 0, request.empty_end, &rows);
    const int end = code.lines[static_cast<std::size_t>(line)].end;
    for (std::size_t n = 0; n < request.notes.size(); ++n) {
      if (request.notes[n].line != line) continue;
      for (int i = 0; i < request.notes[n].rows; ++i)
        rows.push_back({line, end, end, 0, 0, static_cast<int>(n), i});
    }
  }
  return rows;
}

bool fits_unbroken(const CodeText& code, const RowRequest& request) {
  if (code.widest > request.columns) return false;
  return std::ranges::all_of(request.reserved, [&](const RowRequest::Reserve& r) {
    return r.line >= static_cast<int>(code.lines.size()) ||
           code.lines[static_cast<std::size_t>(r.line)].columns + r.columns <= request.columns;
  });
}

int first_row_of(const std::vector<CodeRow>& rows, int line) {
  const auto found =
      std::lower_bound(rows.begin(), rows.end(), line, [](const CodeRow& r, int l) { return r.line < l; });
  return std::min(static_cast<int>(found - rows.begin()), static_cast<int>(rows.size()) - 1);
}

int row_of_offset(const CodeText& code, const std::vector<CodeRow>& rows, int offset) {
  const int first = first_row_of(rows, line_of_offset(code, offset));
  int row = first;
  for (std::size_t i = static_cast<std::size_t>(first) + 1; i < rows.size(); ++i) {
    const CodeRow& r = rows[i];
    if (r.line != rows[static_cast<std::size_t>(first)].line || r.note >= 0 || r.begin > offset) break;
    row = static_cast<int>(i);
  }
  return row;
}

int column_in_row(const CodeText& code, const CodeRow& row, int offset) {
  const int column = column_of(part(code, row.begin, row.end), offset - row.begin, row.from_column);
  return std::max(0, column - row.from_column + row.indent);
}

int offset_in_row(const CodeText& code, const CodeRow& row, int column) {
  const int within =
      offset_at(part(code, row.begin, row.end), column - row.indent + row.from_column, row.from_column);
  // A broken row's end is the next one's begin: what is right of it means its last character.
  const CodeLine& line = code.lines[static_cast<std::size_t>(row.line)];
  if (row.note < 0 && row.end < line.end && row.begin + within >= row.end) {
    int last = row.end - 1;
    while (last > row.begin && columns_taken(at(code, last), 0) == 0) --last;
    return last;
  }
  return row.begin + within;
}

// ---- what stands beside a line

std::vector<MarginLine> margin_of_requests(const std::vector<LineCost>& costs) {
  std::vector<MarginLine> lines;
  for (const LineCost& cost : costs) {
    MarginLine line{cost.line, {}};
    const bool some = std::ranges::any_of(cost.sites, [](auto& site) { return site.requests > 0; });
    for (const SiteCost& site : cost.sites) {
      const bool reached = site.requests > 0;
      if (!reached && some) continue;  // only of a line that no lane has come to
      // "≤ 8": of requests that cost differently, the costliest.
      const std::string figure = (site.least == site.most ? "" : "≤ ") + std::to_string(site.most);
      line.sites.push_back({site.space, reached ? figure : "–", reached, site.most > site.ideal,
                            static_cast<std::uint64_t>(std::max(site.least, 0)),
                            static_cast<std::uint64_t>(std::max(site.most, 0))});
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

static bool is_of_one_space(const MarginLine& line) {
  return std::ranges::all_of(line.sites, [&](auto& site) { return site.space == line.sites.front().space; });
}

CostText MarginWriter::text(const MarginLine& line, bool with_unit) const {
  const scene::Palette& p = palette;
  const bool one_space = is_of_one_space(line);
  CostText text;
  if (!line.became.empty())
    text.parts.emplace_back(line.became + (line.sites.empty() ? "" : " · "), p.secondary);
  if (line.summed > 0) {
    const std::string n = std::to_string(line.summed);
    text.parts.emplace_back(with_unit ? strings("source.accesses", {{"n", n}}) + " " : std::string("Σ "),
                            p.secondary);
  }
  const bool apart = with_unit || std::ranges::any_of(line.sites, [](auto& s) { return s.least != s.most; });
  for (std::size_t i = 0; i < line.sites.size(); ++i) {
    const MarginSite& site = line.sites[i];
    if (i > 0) text.parts.emplace_back(!with_unit && !one_space ? " · " : apart ? " + " : "+", p.secondary);
    std::string words = site.figure;
    if (with_unit && (i + 1 == line.sites.size() || !one_space)) {
      const char* key = site.space == memory::Space::Shared ? "source.wavefront" : "source.sector";
      words += " " + strings(site.reached && site.most == 1 ? std::string(key) + ".one" : key);
    }
    text.parts.emplace_back(words, !site.reached ? p.faint : site.costly ? p.costly : p.ideal);
  }
  for (const auto& [words, color] : text.parts) text.width += width_of(words);
  return text;
}

CostText MarginWriter::beside(const MarginLine& line, float room) const {
  CostText whole = text(line, true);
  return line.has_units || whole.width <= room ? whole : text(line, false);
}

// "4 + 32" would be sectors and wavefronts in one sum, and "4" either of them where others count both.
std::vector<MarginLine> MarginWriter::fitting(std::vector<MarginLine> lines, float room) const {
  MarginLine all;
  for (const MarginLine& line : lines)
    all.sites.insert(all.sites.end(), line.sites.begin(), line.sites.end());
  const bool counts_both = !is_of_one_space(all);
  for (MarginLine& line : lines) {
    line.has_units = counts_both && text(line, true).width <= room;
    if (line.sites.size() < 2 || line.has_units || text(line, false).width <= room) continue;
    std::vector<MarginSite> sums;
    for (const MarginSite& site : line.sites) {
      auto sum = std::ranges::find(sums, site.space, &MarginSite::space);
      if (sum == sums.end()) sum = sums.insert(sums.end(), {site.space, {}, false, false, 0, 0});
      if (!site.reached) continue;
      sum->reached = true;
      sum->costly = sum->costly || site.costly;
      sum->least += site.least, sum->most += site.most;
    }
    for (MarginSite& sum : sums) {
      sum.figure = !sum.reached            ? "–"
                   : sum.least == sum.most ? short_count(sum.most)
                                           : short_count(sum.least) + "–" + short_count(sum.most);
    }
    line.summed = static_cast<int>(line.sites.size());
    line.sites = std::move(sums);
    line.has_units = text(line, true).width <= room;
  }
  return lines;
}

}  // namespace warplens::app
