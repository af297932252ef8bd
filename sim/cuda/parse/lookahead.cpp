// Is this a type, a template, a declaration, a cast? Decided on tokens and declared names, without building a
// tree.
#include "sim/cuda/parse/parser.h"
#include "sim/cuda/text/names.h"

namespace warplens::cuda {

namespace {

constexpr std::size_t kTemplateReach = 256;  // tokens in which a template argument list must end

bool is_any(const Token& token, std::initializer_list<std::string_view> words) {
  for (std::string_view word : words) {
    if (token.is(word)) return true;
  }
  return false;
}

bool is_cv(const Token& token) {
  return is_any(token, {"const", "volatile", "__volatile__"});
}

bool is_name(const Token& token) {
  return token.kind == TokenKind::Identifier && !is_keyword(token.text) && !is_type_word(token.text);
}

}  // namespace

// The partner of a bracket before `limit`. Braces are matched by braces alone, so that a mistake within a
// block does not reach beyond it.
std::size_t Parser::match_brackets(std::size_t open, std::size_t limit) const {
  bool block = token_at(open).is("{");
  int braces = 0, others = 0;
  limit = std::min(limit, tokens_.size() - 1);
  for (std::size_t i = open; i < limit; ++i) {
    if (i % 16 == 0) pace_.step();
    const Token& token = tokens_[i];
    if (token.kind != TokenKind::Punct || token.text.size() != 1) continue;
    char c = token.text[0];
    if (c == '{') ++braces;
    if (c == '}' && --braces < 0) return kNo;
    if (c == '}' && block && braces == 0) return i;
    if (block) continue;
    if (c == '(' || c == '[') ++others;
    if ((c == ')' || c == ']') && --others == 0) return i;
  }
  return kNo;
}

// From a '<' to behind its '>'; kNo where this is a comparison.
std::size_t Parser::after_template_arguments(std::size_t less) const {
  return after_angles(less, false);
}

// The same for a template's parameters, which may have defaults, and what they have to meet.
std::size_t Parser::after_template_header(std::size_t less) const {
  return after_requires(after_angles(less, true));
}

// `requires std::integral<T> && (sizeof(T) > 1)`: nvcc says where that does not hold.
std::size_t Parser::after_requires(std::size_t i) const {
  if (i == kNo || !token_at(i).is("requires")) return i;
  const auto over = [&](std::string_view open) {
    if (i == kNo || !token_at(i).is(open)) return;
    i = match_brackets(i, i + kTemplateReach);
    if (i != kNo) ++i;
  };
  do {
    for (++i; is_any(token_at(i), {"!", "::"}) || (is_name(token_at(i)) && token_at(i + 1).is("::"));) ++i;
    const bool has_block = token_at(i).is("requires");  // `requires(T a) { a + a; }`
    if (has_block) ++i;
    if (is_name(token_at(i)) && token_at(++i).is("<")) i = after_template_arguments(i);
    over("(");
    if (has_block) over("{");
  } while (i != kNo && is_any(token_at(i), {"&&", "||"}));
  return i;
}

// Behind `std::integral`, `SameAs<float>` as what a template's type has to meet; kNo: it is none.
std::size_t Parser::after_concept(std::size_t i) const {
  const bool is_std = token_at(i).is("std") && token_at(i + 1).is("::");
  while (is_name(token_at(i)) && token_at(i + 1).is("::")) i += 2;
  const bool is_known =
      is_std && is_any(token_at(i), {"integral", "floating_point", "same_as", "convertible_to",
                                     "signed_integral", "unsigned_integral"});
  if (!is_known && lookup(token_at(i).text).kind != NameKind::Concept) return kNo;
  return token_at(i + 1).is("<") ? after_template_arguments(i + 1) : i + 1;
}

std::size_t Parser::after_angles(std::size_t less, bool defaults) const {
  int depth = 0;
  for (std::size_t i = less; i < less + kTemplateReach && i < tokens_.size(); ++i) {
    if (i % 16 == 0) pace_.step();
    const Token& token = tokens_[i];
    if (token.kind == TokenKind::End || token.kind == TokenKind::Bad) return kNo;
    if (token.kind != TokenKind::Punct) continue;
    if (is_any(token, {"(", "[", "{"})) {
      i = match_brackets(i, less + kTemplateReach);
      if (i == kNo) return kNo;
    } else if (token.is("<")) {
      ++depth;
    } else if (token.is(">")) {
      if (--depth == 0) return i + 1;
    } else if (!(defaults && token.is("=")) &&
               is_any(token, {")", "]", "}", ";", "=", "+=", "-=", "<<<", "++", "--"})) {
      return kNo;
    }
  }
  return kNo;
}

// Whether the '<' at i begins template arguments of `name`.
bool Parser::names_template(std::size_t i, std::string_view name) const {
  if (!token_at(i).is("<")) return false;
  NameInfo info = lookup(name);
  const bool is_qualified = i > 1 && token_at(i - 2).is("::");  // another namespace's may be a template
  if (info.kind != NameKind::Unknown && !info.is_template && !is_qualified) return false;
  std::size_t after = after_template_arguments(i);
  if (after == kNo) return false;
  if (info.is_template) return true;
  for (std::size_t k = i; k < after; ++k) {
    if (is_any(tokens_[k], {"&&", "||", "?"})) return false;
  }
  for (std::size_t k = i; k < after; ++k) {  // is_same_v<T, float>
    const bool is_type = tokens_[k + 1].kind == TokenKind::Identifier && is_type_word(tokens_[k + 1].text);
    if (is_type && is_any(tokens_[k], {"<", ","})) return true;
  }
  return is_any(token_at(after), {"(", "{", "::", "<<<"});
}

// Behind the `Outer<T>::Inner::` of a member that is defined outside of its struct: at its name. kNo: there
// is none.
std::size_t Parser::after_owner(std::size_t i) const {
  std::size_t after = kNo;
  while (is_name(token_at(i))) {
    std::size_t end = i + 1;
    if (token_at(end).is("<")) end = after_template_arguments(end);
    if (end == kNo || !token_at(end).is("::")) break;
    i = after = end + 1;
  }
  return after;
}

// `Vec<T>::Vec`, at the second: a constructor.
bool Parser::names_itself(std::size_t member) const {
  std::size_t i = member - 2;
  int depth = 0;
  do {
    depth += token_at(i).is(">") ? 1 : token_at(i).is("<") ? -1 : 0;
  } while ((depth > 0 || token_at(i).is("<")) && i-- > 0);
  return token_at(i).text == token_at(member).text;
}

// Tokens without the white space between them: equal where the same is written.
std::string Parser::spelled(std::size_t begin, std::size_t end) const {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) text += token_at(i).text;
  return text;
}

// Over `const unsigned int`, `typename T::type`, `Tile<4>`. With known_only a name must be declared as a
// type.
std::size_t Parser::after_type_specifier(std::size_t i, bool known_only) const {
  while (is_cv(token_at(i)) || is_any(token_at(i), {"typename", "struct", "class", "enum", "union"})) {
    if (!is_cv(token_at(i))) known_only = false;
    ++i;
  }
  const Token& token = token_at(i);
  if (token.is("auto") || is_any(token, {"decltype", "typeof", "__typeof__"})) {
    ++i;
    if (token_at(i).is("(")) i = match_brackets(i, i + kTemplateReach);
    if (i != kNo && token_at(i).is(")")) ++i;
  } else if (token.kind == TokenKind::Identifier && is_type_word(token.text)) {
    while ((token_at(i).kind == TokenKind::Identifier && is_type_word(token_at(i).text)) ||
           is_cv(token_at(i)))
      ++i;
  } else {
    i = after_type_name(i, known_only);
  }
  while (i != kNo && is_cv(token_at(i))) ++i;
  return i;
}

std::size_t Parser::after_type_name(std::size_t i, bool known_only) const {
  if (token_at(i).is("::")) ++i;
  while (is_name(token_at(i))) {
    const Token& name = tokens_[i];
    NameInfo info = lookup(name.text);
    bool qualifies = token_at(i + 1).is("::");
    if (!qualifies && (info.kind == NameKind::Variable || info.kind == NameKind::Function)) return kNo;
    bool known = info.kind == NameKind::Type;
    ++i;
    if (token_at(i).is("<") && (info.is_template || info.kind == NameKind::Unknown)) {
      std::size_t after = after_template_arguments(i);
      if (after != kNo) i = after;
    }
    if (!token_at(i).is("::")) return known || !known_only ? i : kNo;
    ++i;
    if (token_at(i).is("template")) ++i;
  }
  return kNo;
}

std::size_t Parser::after_pointers(std::size_t i) const {
  while (is_cv(token_at(i)) ||
         is_any(token_at(i), {"*", "&", "&&", "__restrict__", "__restrict", "restrict"}))
    ++i;
  return i;
}

std::size_t Parser::after_type(std::size_t i, bool known_only) const {
  i = after_type_specifier(i, known_only);
  if (i == kNo) return kNo;
  i = after_pointers(i);
  if (!points_to_array(i)) return i;
  for (i += 3; i != kNo && token_at(i).is("[");) {
    i = match_brackets(i, i + kTemplateReach);
    if (i != kNo) ++i;
  }
  return i;
}

// At the '(' of `float (*)[4]`.
bool Parser::points_to_array(std::size_t i) const {
  return token_at(i).is("(") && token_at(i + 1).is("*") && token_at(i + 2).is(")") && token_at(i + 3).is("[");
}

bool Parser::starts_declaration() const {
  const Token& token = peek();
  if (is_any(token, {"static",     "extern",  "constexpr",    "const",      "volatile",     "register",
                     "__shared__", "inline",  "__constant__", "__device__", "__managed__",  "typename",
                     "struct",     "class",   "union",        "enum",       "thread_local", "alignas",
                     "__align__",  "mutable", "auto",         "decltype",   "typeof",       "__typeof__"})) {
    return true;
  }
  std::size_t known = after_type_specifier(next_, true);
  std::size_t after = known != kNo ? known : after_type_specifier(next_, false);
  if (after == kNo) return false;
  const Token& following = token_at(after);
  if (following.is("(")) {  // `float (*p)[4]`, not `float(x)`
    bool pointer = is_any(token_at(after + 1), {"*", "&"}) && is_name(token_at(after + 2));
    const bool closes = token_at(after + 3).is(")") && is_any(token_at(after + 4), {"[", "("});
    return known != kNo && pointer && (closes || token_at(after + 3).is("["));
  }
  if (is_any(following, {"{", "::"})) return false;
  std::size_t named = after_pointers(after);
  if (token.kind == TokenKind::Identifier && is_type_word(token.text)) return true;
  if (known != kNo) return !is_any(following, {".", "->", "=", "+=", "-=", "[", "++", "--", "<"});
  if (!is_name(token_at(named))) return false;
  return named == after || is_any(token_at(named + 1), {"=", ";", ",", "["});
}

// At a '(': is it `(type) operand`?
bool Parser::cast_ahead() const {
  std::size_t after = after_type(next_ + 1, true);
  if (after != kNo && token_at(after).is(")")) return true;
  after = after_type(next_ + 1, false);
  if (after == kNo || !token_at(after).is(")")) return false;
  if (is_any(token_at(after - 1), {"*", "]"})) return true;  // `(Node*)`, `(Node (*)[4])` are nothing else
  const Token& operand = token_at(after + 1);
  return is_name(operand) || operand.kind == TokenKind::Number;
}

// In template arguments, or in sizeof(): is a type here, up to the next ',' or bracket? A lone name that is
// not known is not.
bool Parser::type_is_argument() const {
  auto ends = [&](std::size_t i) { return i != kNo && is_any(token_at(i), {",", ">", ")"}); };
  if (ends(after_type(next_, true))) return true;
  std::size_t after = after_type(next_, false);
  return ends(after) && after > next_ + 1 && is_any(token_at(after - 1), {"*", "&", ">"});
}

}  // namespace warplens::cuda
