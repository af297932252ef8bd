#include "sim/profile/csv_reader.h"

#include "sim/text/utf8.h"

namespace warplens::profile {

std::string_view CsvReader::rest_of_line() const {
  const std::string_view rest = text_.substr(std::min(at_, text_.size()));
  std::string_view line = rest.substr(0, rest.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void CsvReader::skip_line() {
  const std::size_t end = text_.find('\n', at_);
  at_ = end == std::string_view::npos ? text_.size() : end + 1;
  ++line_, column_ = 1;
}

void CsvReader::advance() {
  const char c = text_[at_++];
  if (c == '\n') {
    ++line_, column_ = 1;
  } else if (!text::continues_character(c)) {
    ++column_;
  }
}

bool CsvReader::fail(int line, int column, const Message& words) {
  error_ = Message("line {}, column {}: {}", line, column, words);
  return false;
}

bool CsvReader::take_end_of_line() {
  if (at_end()) return true;
  if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
  if (text_[at_] != '\n') return false;
  advance();
  return true;
}

bool CsvReader::read_quoted(std::string* cell) {
  const int line = line_, column = column_;
  advance();
  while (!at_end()) {
    const char c = text_[at_];
    if (c == '"' && (at_ + 1 == text_.size() || text_[at_ + 1] != '"')) {
      advance();
      return true;
    }
    if (c == '"') advance();
    advance();
    if (cell->size() >= kMostCellBytes)
      return fail(line, column, Message("the cell is longer than {} bytes", kMostCellBytes));
    *cell += c;
  }
  return fail(line, column, Message("the quote is never closed; is the file cut off?"));
}

bool CsvReader::read_plain(std::string* cell) {
  const int line = line_, column = column_;
  while (!at_end() && text_[at_] != separator_ && text_[at_] != '\n' && text_[at_] != '\r') {
    if (text_[at_] == '"')
      return fail(line_, column_, Message("a quote stands inside of a cell that does not begin with one"));
    if (cell->size() >= kMostCellBytes)
      return fail(line, column, Message("the cell is longer than {} bytes", kMostCellBytes));
    *cell += text_[at_];
    advance();
  }
  return true;
}

bool CsvReader::read_cell(CsvRow* row) {
  if (row->cells.size() >= kMostCells)
    return fail(line_, column_, Message("the row has more than {} cells", kMostCells));
  row->columns.push_back(column_);
  std::string& cell = row->cells.emplace_back();
  if (at_end() || text_[at_] != '"') return read_plain(&cell);
  return read_quoted(&cell);
}

bool CsvReader::next(CsvRow* row) {
  *row = {};
  row->line = line_;
  if (at_end() || !error_.empty()) return false;
  for (;;) {
    if (!read_cell(row)) return false;
    if (take_end_of_line()) return true;
    if (text_[at_] != separator_)
      return fail(line_, column_, Message("a separator or the end of the line is needed behind the cell"));
    advance();
  }
}

}  // namespace warplens::profile
