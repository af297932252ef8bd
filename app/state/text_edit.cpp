#include "app/state/text_edit.h"

#include <algorithm>

#include "sim/text/scan.h"

namespace warplens::app {
namespace {

constexpr int kPageLines = 12;

bool is_word(char c) {
  return text::is_word(c) || static_cast<unsigned char>(c) >= 0x80;
}
char at(std::string_view text, int offset) {
  return text[static_cast<std::size_t>(offset)];
}
int size_of(std::string_view text) {
  return static_cast<int>(text.size());
}

// The cursor never stands between the two characters of a Windows line end.
bool splits_line_end(std::string_view text, int offset) {
  return offset > 0 && offset < size_of(text) && at(text, offset) == '\n' && at(text, offset - 1) == '\r';
}

int before(std::string_view text, int offset) {
  if (offset <= 0) return 0;
  do --offset;
  while (offset > 0 && (text::continues_character(at(text, offset)) || splits_line_end(text, offset)));
  return offset;
}
int after(std::string_view text, int offset) {
  if (offset >= size_of(text)) return size_of(text);
  do ++offset;
  while (offset < size_of(text) &&
         (text::continues_character(at(text, offset)) || splits_line_end(text, offset)));
  return offset;
}
int line_start(std::string_view text, int offset) {
  while (offset > 0 && at(text, offset - 1) != '\n') --offset;
  return offset;
}
int line_end(std::string_view text, int offset) {
  while (offset < size_of(text) && at(text, offset) != '\n') ++offset;
  return offset;
}
int characters(std::string_view text, int from, int to) {
  int count = 0;
  for (int i = from; i < to; i = after(text, i)) ++count;
  return count;
}

// `by` lines down or up, in the same column where the line is long enough.
int other_line(std::string_view text, int offset, int by) {
  int start = line_start(text, offset);
  const int column = characters(text, start, offset);
  for (; by < 0; ++by) {
    if (start == 0) return 0;
    start = line_start(text, start - 1);
  }
  for (; by > 0; --by) {
    const int end = line_end(text, start);
    if (end == size_of(text)) return end;
    start = end + 1;
  }
  int place = start;
  for (int i = 0; i < column && place < line_end(text, start); ++i) place = after(text, place);
  return place;
}

int word_left(std::string_view text, int offset) {
  while (offset > 0 && !is_word(at(text, offset - 1))) --offset;
  while (offset > 0 && is_word(at(text, offset - 1))) --offset;
  return offset;
}
int word_right(std::string_view text, int offset) {
  while (offset < size_of(text) && is_word(at(text, offset))) ++offset;
  while (offset < size_of(text) && !is_word(at(text, offset))) ++offset;
  return offset;
}

// By Move.
constexpr int (*kTargets[])(std::string_view text, int offset) = {
    before,
    after,
    word_left,
    word_right,
    [](std::string_view text, int offset) { return other_line(text, offset, -1); },
    [](std::string_view text, int offset) { return other_line(text, offset, 1); },
    [](std::string_view text, int offset) { return other_line(text, offset, -kPageLines); },
    [](std::string_view text, int offset) { return other_line(text, offset, kPageLines); },
    line_start,
    line_end,
    [](std::string_view, int) { return 0; },
    [](std::string_view text, int) { return size_of(text); }};

}  // namespace

Caret valid(std::string_view text, Caret caret) {
  // Behind the byte order mark that some editors begin a file with: it stays the first thing in it.
  const int first = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  for (int* offset : {&caret.offset, &caret.anchor}) {
    *offset = std::clamp(*offset, first, size_of(text));
    while (*offset > 0 && *offset < size_of(text) && text::continues_character(at(text, *offset))) --*offset;
    if (splits_line_end(text, *offset)) --*offset;
  }
  return caret;
}

Caret moved(std::string_view text, const Caret& from, Move move, bool extend) {
  const Caret caret = valid(text, from);
  const bool collapses =
      !extend && caret.offset != caret.anchor && (move == Move::Left || move == Move::Right);
  int to = kTargets[static_cast<std::size_t>(move)](text, caret.offset);
  if (collapses)
    to = move == Move::Left ? std::min(caret.offset, caret.anchor) : std::max(caret.offset, caret.anchor);
  return valid(text, {to, extend ? caret.anchor : to});
}

std::string_view selected(std::string_view text, const Caret& from) {
  const Caret caret = valid(text, from);
  const int begin = std::min(caret.offset, caret.anchor), end = std::max(caret.offset, caret.anchor);
  return text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

Edited insert(std::string_view text, const Caret& from, std::string_view what) {
  const Caret caret = valid(text, from);
  const auto begin = static_cast<std::size_t>(std::min(caret.offset, caret.anchor));
  const auto end = static_cast<std::size_t>(std::max(caret.offset, caret.anchor));
  Edited edited;
  edited.text.reserve(text.size() + what.size());
  edited.text.append(text.substr(0, begin)).append(what).append(text.substr(end));
  edited.caret.offset = edited.caret.anchor = static_cast<int>(begin + what.size());
  return edited;
}

Edited break_line(std::string_view text, const Caret& from) {
  const Caret caret = valid(text, from);
  const int begin = std::min(caret.offset, caret.anchor), start = line_start(text, begin);
  std::string what = text.find("\r\n") != std::string_view::npos ? "\r\n" : "\n";  // as the file has them
  for (int i = start; i < begin && (at(text, i) == ' ' || at(text, i) == '\t'); ++i) what += at(text, i);
  return insert(text, caret, what);
}

Edited erase_before(std::string_view text, const Caret& from) {
  Caret caret = valid(text, from);
  if (caret.offset == caret.anchor) caret.anchor = before(text, caret.offset);
  return insert(text, caret, {});
}

Edited erase_after(std::string_view text, const Caret& from) {
  Caret caret = valid(text, from);
  if (caret.offset == caret.anchor) caret.anchor = after(text, caret.offset);
  return insert(text, caret, {});
}

}  // namespace warplens::app
