// What a user reads about an error, as a value: an English pattern and what stands in its places.
//
//   Message("expected {}, not {}", what, found)      english(): "expected a name, not '7'"
//
// Everybody but the app's windows reads the English: the command line, logs, tests. The app shows the text
// that the user's language has for the pattern (assets/languages/messages.*.json), filled with the same
// arguments. An argument is either the same in every language, a name or a number, or a Message of its own.
//
// The pattern stands as a literal behind `Message(`: the test app.messages collects it there.
#pragma once

#include <concepts>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace warplens {

// A place in a pattern: {} counts from the left, {0} and {1} name theirs; all other braces are text.
struct MessagePlace {
  std::size_t number = 0, length = 0;  // which value stands there; in bytes, 0: no place begins here
};
// `counted`: how many {} stand before `at`.
constexpr MessagePlace place_at(std::string_view pattern, std::size_t at, std::size_t& counted) {
  if (pattern[at] != '{') return {};
  std::size_t end = at + 1, number = 0;
  for (; end < pattern.size() && end < at + 3 && pattern[end] >= '0' && pattern[end] <= '9'; ++end)
    number = number * 10 + static_cast<std::size_t>(pattern[end] - '0');
  if (end >= pattern.size() || pattern[end] != '}') return {};
  if (end == at + 1) number = counted++;
  return {number, end + 1 - at};
}

// How many values a pattern needs.
constexpr std::size_t values_needed(std::string_view pattern) {
  std::size_t counted = 0, needed = 0;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const MessagePlace place = place_at(pattern, at, counted);
    if (place.length > 0 && place.number + 1 > needed) needed = place.number + 1;
  }
  return needed;
}

// The pattern with its values; a place without one stays as it is.
std::string filled(std::string_view pattern, const std::vector<std::string>& values);

class Message {
 public:
  // A literal with as many places as there are arguments, which the compiler checks.
  template <class... Arguments>
  struct Pattern {
    template <class Text>
    requires std::convertible_to<const Text&, std::string_view>
    consteval Pattern(const Text& literal) : text(literal) {
      if (values_needed(text) != sizeof...(Arguments)) throw "places and arguments differ in number";
    }
    std::string_view text;
  };

  // A literal without places: it costs nothing until it is a Message.
  using Text = Pattern<>;

  Message() = default;
  template <class... Arguments>
  explicit Message(Pattern<std::type_identity_t<Arguments>...> pattern, const Arguments&... arguments)
      : Message(std::string(pattern.text), {argument(arguments)...}) {}

  // A text that no language changes: what the system or a compiler says, or somebody's own words.
  static Message verbatim(std::string text);
  // A text that its author wrote in several languages, "en" among them.
  static Message of_languages(const std::map<std::string, std::string>& texts);
  // As it came from elsewhere (the GPU's program), with whatever pattern it has there.
  static Message received(std::string pattern, std::vector<Message> arguments) {
    return Message(std::move(pattern), std::move(arguments));
  }

  const std::string& english() const { return english_; }
  operator const std::string&() const { return english_; }
  bool empty() const { return english_.empty(); }
  // Empty for what is said verbatim.
  const std::string& pattern() const { return pattern_; }
  const std::vector<Message>& arguments() const { return arguments_; }
  // Its author's own text in a language; null: there is none.
  const std::string* text_in(const std::string& language) const;

  bool operator==(const Message& other) const { return english_ == other.english_; }
  bool operator==(std::string_view text) const { return english_ == text; }
  friend std::ostream& operator<<(std::ostream& out, const Message& message);

 private:
  Message(std::string pattern, std::vector<Message> arguments);

  static Message argument(const Message& message) { return message; }
  static Message argument(std::string_view text) { return verbatim(std::string(text)); }
  static Message argument(char character) { return verbatim(std::string(1, character)); }
  template <std::integral Number>
  static Message argument(Number number) {
    return verbatim(std::to_string(number));
  }
  static Message argument(std::floating_point auto number) = delete;  // numbers.h says with how many digits

  std::string english_, pattern_;
  std::vector<Message> arguments_;
  std::shared_ptr<const std::map<std::string, std::string>> texts_;
};

// What the system says of an error number (errno), the frequent ones as messages.
Message system_words(int error);

// For who reads English.
std::vector<std::string> english(const std::vector<Message>& messages);

}  // namespace warplens
