#include "app/source/host_scope.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace warplens::session {
namespace {

class Scope {
 public:
  explicit Scope(std::string_view text) : text_(text) {}

  std::string read() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  enum class Kind { Block, Namespace, Values };
  struct Open {
    Kind kind;
    std::size_t begin;  // in out_
  };

  void step() {
    const char c = text_[at_];
    if (text_.substr(at_, 2) == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (text_.substr(at_, 2) == "/*") {
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else if (c == '"' || c == '\'') {
      copy_quoted(c);
    } else if (c == '#' && begins_line()) {
      copy_directive();
    } else if (c == '{') {
      open_.push_back({kind(), out_.size()});
      out_ += text_[at_++];
    } else if (c == '}') {
      close();
    } else {
      out_ += text_[at_++];
    }
  }

  void copy_quoted(char quote) {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, text_.size());
    out_ += text_.substr(begin, at_ - begin);
  }

  // A directive with its continuations as one line, whatever braces it has.
  void copy_directive() {
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      const bool goes_on = text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n';
      out_ += goes_on ? ' ' : text_[at_];
      if (goes_on) ++at_;
    }
  }

  bool begins_line() const {
    const std::size_t before = out_.find_last_not_of(" \t");
    return before == std::string::npos || out_[before] == '\n';
  }

  Kind kind() const {
    const std::size_t last = out_.find_last_not_of(" \t\r\n");
    if (last == std::string::npos) return Kind::Block;
    const std::size_t end = out_.find_last_of(";{}", last);
    const std::string_view statement = std::string_view(out_).substr(
        end == std::string::npos ? 0 : end + 1, last - (end == std::string::npos ? 0 : end + 1) + 1);
    const auto has = [&](std::string_view word) { return statement.find(word) != std::string_view::npos; };
    const char before = out_[last];
    if (has("namespace") || has("extern \"C\"")) return Kind::Namespace;
    if (has("struct ") || has("class ") || has("union ") || has("enum ")) return Kind::Block;
    if (std::string_view(");{}]").find(before) != std::string_view::npos) return Kind::Block;
    for (const std::string_view word : {"else", "do", "try", "const", "noexcept", "override"})
      if (statement.ends_with(word)) return Kind::Block;
    return Kind::Values;  // int a[] = {1, 2}; dim3 g{1, 2};
  }

  void close() {
    out_ += text_[at_++];
    if (open_.empty()) return;
    const Open open = open_.back();
    open_.pop_back();
    if (open.kind != Kind::Block) return;
    std::string directives;
    for (std::size_t line = open.begin; line < out_.size();) {
      const std::size_t end = std::min(out_.find('\n', line), out_.size());
      const std::size_t first = out_.find_first_not_of(" \t", line);
      if (first < end && out_[first] == '#') directives += "\n" + out_.substr(line, end - line) + "\n";
      line = end + 1;
    }
    out_.resize(open.begin);
    out_ += "{}" + directives;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  std::vector<Open> open_;
};

}  // namespace

std::string visible_before(std::string_view text, std::size_t offset) {
  return Scope(text.substr(0, std::min(offset, text.size()))).read();
}

}  // namespace warplens::session
