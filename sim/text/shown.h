// Text of any origin on its way to a terminal, a spreadsheet or an XML file. A kernel's comments, a
// scenario's title, a file's name, what another machine says its GPU is called: all of it may hold characters
// that a terminal obeys, or that turn what a reader sees. They are written out instead: "\x1b", "\u202e".
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "sim/base/message.h"

namespace warplens::text {

// Characters that only steer: the controls of ASCII (newline and tab among them) and of Latin-1, marks that
// change the direction of writing, separators and joiners without width, tags, what is no character at all.
bool is_control(char32_t code);

enum class Form {
  Words,  // newline and tab stay
  Csv,    // and CR before LF, which ends a row
  Json,   // a sound document: its strings get \uXXXX, so that it says the same
};
std::string shown(std::string_view text, Form form = Form::Words);
// The same on a single line: newline and tab are written out too.
std::string shown_in_line(std::string_view text);
Message shown_in_line(const Message& message);

// For an element's text or an attribute in quotes. What XML cannot hold, or would turn what is seen, becomes
// U+FFFD; a newline becomes a blank.
std::string xml(std::string_view text);

// All that a program says leaves through these two. False: it could not be written (errno says why).
bool print(std::FILE* stream, std::string_view text, Form form = Form::Words);
[[gnu::format(printf, 2, 3)]] void say(std::FILE* stream, const char* format, ...);

}  // namespace warplens::text
