#include "app/source/host/scope.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "app/source/host/arguments.h"
#include "app/source/host/changes.h"
#include "app/source/host/words.h"
#include "sim/cuda/text/lexer.h"
#include "sim/lower/lower.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

class Scope {
 public:
  explicit Scope(std::string_view text) : text_(text), lexer_(text, arena_, true) {}

  std::string read() {
    for (cuda::Token token = lexer_.next(); token.kind != cuda::TokenKind::End; token = lexer_.next()) {
      copy_space(token, false);
      if (token.line_start && token.is("#")) {
        copy_directive(token);
      } else if (!is_comment(token)) {
        if (token.is("{")) open_.push_back({kind(), out_.size(), is_bare()});
        out_ += text_of(token);
        if (token.is("}")) close();
      }
      at_ = static_cast<std::size_t>(token.end);
    }
    return std::move(out_);
  }

 private:
  enum class Kind { Body, Namespace, Values };
  struct Open {
    Kind kind;
    std::size_t begin;     // in out_
    bool is_bare = false;  // a block that is no statement's
  };

  static bool is_comment(const cuda::Token& token) {
    return token.kind == cuda::TokenKind::Comment ||
           (token.kind == cuda::TokenKind::Bad && token.text.starts_with("/*"));
  }
  std::string_view text_of(const cuda::Token& token) const {
    const auto begin = static_cast<std::size_t>(token.begin);
    return text_.substr(begin, static_cast<std::size_t>(token.end) - begin);
  }

  // What stands between the last token and this one; in a directive as if it had no further lines.
  void copy_space(const cuda::Token& token, bool in_directive) {
    const std::string_view space = text_.substr(at_, static_cast<std::size_t>(token.begin) - at_);
    const bool goes_on = in_directive && space.find('\n') != std::string_view::npos;
    out_ += goes_on ? std::string_view(" ") : space;
  }

  // A directive with its continuations as one line, whatever braces it has.
  void copy_directive(cuda::Token& token) {
    out_ += text_of(token);
    while (!lexer_.peek().line_start) {
      at_ = static_cast<std::size_t>(token.end);
      token = lexer_.next();
      copy_space(token, true);
      if (!is_comment(token)) out_ += text_of(token);
    }
  }

  Kind kind() const {
    const std::size_t last = out_.find_last_not_of(" \t\r\n");
    if (last == std::string::npos) return Kind::Body;
    const std::size_t end = out_.find_last_of(";{}", last);
    const std::string_view statement = std::string_view(out_).substr(
        end == std::string::npos ? 0 : end + 1, last - (end == std::string::npos ? 0 : end + 1) + 1);
    const auto has = [&](std::string_view word) { return statement.find(word) != std::string_view::npos; };
    const char before = out_[last];
    if (has("namespace") || has("extern \"C\"")) return Kind::Namespace;
    if (has("struct ") || has("class ") || has("union ") || has("enum ")) return Kind::Body;
    if (std::string_view(");{}]").find(before) != std::string_view::npos) return Kind::Body;
    for (const std::string_view word : {"else", "do", "try", "const", "noexcept", "override"})
      if (statement.ends_with(word)) return Kind::Body;
    return Kind::Values;  // int a[] = {1, 2}; dim3 g{1, 2};
  }

  bool is_bare() const {
    const std::size_t last = out_.find_last_not_of(" \t\r\n");
    return last != std::string::npos && std::string_view(";{}").find(out_[last]) != std::string_view::npos;
  }

  void close() {
    if (open_.empty()) return;
    const Open open = open_.back();
    open_.pop_back();
    if (open.kind != Kind::Body) return;
    std::string directives;
    for (std::size_t line = open.begin; line < out_.size();) {
      const std::size_t end = std::min(out_.find('\n', line), out_.size());
      const std::size_t first = out_.find_first_not_of(" \t", line);
      if (first < end && out_[first] == '#') directives += "\n" + out_.substr(line, end - line) + "\n";
      line = end + 1;
    }
    const std::string changes =
        changes_in(std::string_view(out_).substr(open.begin + 1, out_.size() - open.begin - 2), open.is_bare);
    out_.resize(open.begin);
    out_ += "{" + changes + "}" + directives;
  }

  // How often a loop was gone through, or which branch, is not known behind it.
  std::string changes_in(std::string_view block, bool is_bare) const {
    const bool is_in_function =
        std::any_of(open_.begin(), open_.end(), [](const Open& outer) { return outer.kind == Kind::Body; });
    return is_in_function ? left_behind(words_of(block), is_bare) : std::string();
  }

  const std::string_view text_;
  cuda::SpellingArena arena_;
  cuda::Lexer lexer_;
  std::size_t at_ = 0;  // behind the last token
  std::string out_;
  std::vector<Open> open_;
};

}  // namespace

std::string visible_before(std::string_view text, std::size_t offset) {
  const std::string ran = without_arguments(text.substr(0, std::min(offset, text.size())));
  return Scope(ran).read();
}

namespace {

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

// Behind the bracket that closes the one at `open`; npos where none does.
std::size_t behind_angle(std::string_view text, std::size_t open) {
  int depth = 0, round = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ';' || c == '{') return std::string_view::npos;
    round += (c == '(') - (c == ')');
    if (round == 0 && c == '<') ++depth;
    if (round == 0 && c == '>' && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

// The statement that begins the outermost function whose body is still open at the end: "template <int D>
// void run(float* q)".
std::string_view open_function(std::string_view seen) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] == '{') open.push_back(i);
    if (seen[i] == '}' && !open.empty()) open.pop_back();
  }
  for (const std::size_t brace : open) {
    std::size_t begin = brace == 0 ? std::string_view::npos : seen.find_last_of(";{}", brace - 1);
    begin = begin == std::string_view::npos ? 0 : begin + 1;
    const std::string_view head = seen.substr(begin, brace - begin);
    if (const std::size_t at = head.find("template"); at != std::string_view::npos) return head.substr(at);
  }
  return {};
}

struct Template {
  std::string name;
  std::vector<std::string> parameters;
};

Template template_of(std::string_view head) {
  Template out;
  const std::size_t open = head.find('<');
  const std::size_t end = open == std::string_view::npos ? open : behind_angle(head, open);
  if (end == std::string_view::npos) return out;
  for (std::string parameter : text::split_list(head.substr(open + 1, end - open - 2))) {
    parameter.resize(std::min(parameter.find('='), parameter.size()));
    while (!parameter.empty() && !text::is_word(parameter.back())) parameter.pop_back();
    std::size_t begin = parameter.size();
    while (begin > 0 && text::is_word(parameter[begin - 1])) --begin;
    out.parameters.push_back(parameter.substr(begin));
  }
  std::size_t last = head.find('(', end);
  if (last == std::string_view::npos) return out;
  while (last > end && std::isspace(static_cast<unsigned char>(head[last - 1]))) --last;
  std::size_t begin = last;
  while (begin > end && text::is_word(head[begin - 1])) --begin;
  out.name = head.substr(begin, last - begin);
  return out;
}

// A number, a truth value or a name that begins no expression: what a template takes as it stands.
bool stands_alone(const std::string& argument) {
  if (sim::evaluate_integer(argument, {}).value || argument == "true" || argument == "false") return true;
  return element_bytes(argument) > 0;
}

}  // namespace

Names instance_around(std::string_view seen, std::string_view text) {
  const Template around = template_of(open_function(seen));
  if (around.name.empty() || around.parameters.empty()) return {};
  for (std::size_t at = text.find(around.name); at != std::string_view::npos;
       at = text.find(around.name, at + 1)) {
    if (at > 0 && text::is_word(text[at - 1])) continue;
    const std::size_t open = skip_space(text, at + around.name.size());
    if (open >= text.size() || text[open] != '<') continue;
    const std::size_t end = behind_angle(text, open);
    if (end == std::string_view::npos) continue;
    const std::size_t call = skip_space(text, end);
    if (call >= text.size() || text[call] != '(') continue;
    const std::vector<std::string> arguments = text::split_list(text.substr(open + 1, end - open - 2));
    if (arguments.size() != around.parameters.size() ||
        !std::all_of(arguments.begin(), arguments.end(), stands_alone))
      continue;
    Names names;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string& argument = arguments[i];
      names[around.parameters[i]] = argument == "true" ? "1" : argument == "false" ? "0" : argument;
    }
    return names;
  }
  return {};
}

}  // namespace warplens::app
