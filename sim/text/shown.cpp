#include "sim/text/shown.h"

#include <algorithm>
#include <cstdarg>
#include <iterator>

#include "sim/base/numbers.h"
#include "sim/text/scan.h"

namespace warplens::text {

namespace {

struct Range {
  char32_t first, last;
};
constexpr Range kControls[] = {
    {0x00, 0x1f},      {0x7f, 0x9f},     {0x61c, 0x61c},    // Arabic letter mark
    {0x180e, 0x180e},  {0x200b, 0x200b}, {0x200e, 0x200f},  // marks of direction
    {0x2028, 0x202e},  {0x2060, 0x206f},                    // separators, overrides, isolates
    {0xfdd0, 0xfdef},  {0xfeff, 0xfeff}, {0xfff0, 0xfffb},  // no characters; byte order mark
    {0xe0000, 0xe0fff}};                                    // tags

std::string written_out(char32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code == '\r') return "\\r";
  if (code < 0x80) return "\\x" + hexadecimal(code, 2);
  return code < 0x10000 ? "\\u" + hexadecimal(code, 4) : "\\U" + hexadecimal(code, 8);
}

// As JSON spells it, beyond 16 bits in two halves.
std::string written_in_json(char32_t code) {
  if (code < 0x10000) return "\\u" + hexadecimal(code, 4);
  const char32_t above = code - 0x10000;
  return "\\u" + hexadecimal(0xd800 | above >> 10, 4) + "\\u" + hexadecimal(0xdc00 | (above & 0x3ff), 4);
}

// Calls keep(bytes) for what stays, and replace(code, byte) for the rest; `byte` is one that is no UTF-8, or
// negative.
template <typename Stays, typename Keep, typename Replace>
void sift(std::string_view text, Stays stays, Keep keep, Replace replace) {
  std::size_t kept = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t code = next_code_point(text, &at);
    const bool broken = code == kReplacement && at == begin + 1;
    if (!broken && (!is_control(code) || stays(code, at))) continue;
    keep(text.substr(kept, begin - kept));
    replace(code, broken ? static_cast<int>(static_cast<unsigned char>(text[begin])) : -1);
    kept = at;
  }
  keep(text.substr(kept));
}

template <typename Stays>
std::string sifted(std::string_view text, Stays stays, bool json) {
  std::string out;
  out.reserve(text.size());
  sift(
      text, stays, [&](std::string_view bytes) { out += bytes; },
      [&](char32_t code, int byte) {
        if (byte >= 0)
          out += json ? "\\ufffd" : "\\x" + hexadecimal(static_cast<unsigned>(byte), 2);
        else
          out += json ? written_in_json(code) : written_out(code);
      });
  return out;
}

}  // namespace

bool is_control(char32_t code) {
  if ((code & 0xfffe) == 0xfffe) return true;  // the last two of each plane are no characters
  const Range* range = std::lower_bound(std::begin(kControls), std::end(kControls), code,
                                        [](const Range& r, char32_t c) { return r.last < c; });
  return range != std::end(kControls) && range->first <= code;
}

std::string shown(std::string_view text, Form form) {
  const auto stays = [&](char32_t code, std::size_t next) {
    if (code == '\r') return form == Form::Csv && next < text.size() && text[next] == '\n';
    return code == '\n' || (code == '\t' && form != Form::Json);
  };
  return sifted(text, stays, form == Form::Json);
}

std::string shown_in_line(std::string_view text) {
  return sifted(
      text, [](char32_t, std::size_t) { return false; }, false);
}

Message shown_in_line(const Message& message) {
  if (message.pattern().empty()) return Message::verbatim(shown_in_line(message.english()));
  std::vector<Message> arguments;
  for (const Message& argument : message.arguments()) arguments.push_back(shown_in_line(argument));
  return Message::received(message.pattern(), std::move(arguments));
}

std::string xml(std::string_view text) {
  std::string out;
  const auto keep = [&](std::string_view bytes) {
    for (const char c : bytes) {
      if (c == '&')
        out += "&amp;";
      else if (c == '<')
        out += "&lt;";
      else if (c == '>')
        out += "&gt;";
      else if (c == '"')
        out += "&quot;";
      else if (c == '\'')
        out += "&#39;";
      else
        out += c;
    }
  };
  sift(
      text, [](char32_t code, std::size_t) { return code == '\t'; }, keep,
      [&](char32_t code, int) {
        if (code == '\n')
          out += ' ';
        else
          append_utf8(kReplacement, &out);
      });
  return out;
}

bool print(std::FILE* stream, std::string_view text, Form form) {
  const std::string out = shown(text, form);
  return std::fwrite(out.data(), 1, out.size(), stream) == out.size() && std::fflush(stream) == 0;
}

void say(std::FILE* stream, const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  const std::string text = formatted_list(format, values);
  va_end(values);
  print(stream, text);
}

}  // namespace warplens::text
