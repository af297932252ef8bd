#include "app/source/host_values.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "sim/lower/lower.h"

namespace warplens::app {

namespace {

constexpr std::size_t kLongestValue = 400;  // characters of an expression that names grew into

// The field's usual names for a quotient that is rounded up.
bool rounds_up(std::string_view name) {
  static const std::set<std::string, std::less<>> kNames{"ceildiv", "divup", "cdiv",      "idivup",
                                                         "divceil", "updiv", "divroundup"};
  std::string plain;
  for (const char c : name) {
    if (c != '_') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return kNames.contains(plain);
}

int bytes_of(std::string_view type) {
  static const std::map<std::string, int, std::less<>> kBytes{
      {"char", 1},     {"bool", 1},    {"short", 2},    {"int", 4},         {"float", 4},
      {"unsigned", 4}, {"half", 2},    {"__half", 2},   {"nv_bfloat16", 2}, {"__nv_bfloat16", 2},
      {"double", 8},   {"long", 8},    {"size_t", 8},   {"float2", 8},      {"int2", 8},
      {"int4", 16},    {"float4", 16}, {"uint32_t", 4}, {"int32_t", 4},     {"double2", 16}};
  const auto found = kBytes.find(type);
  return found == kBytes.end() ? 0 : found->second;
}

bool could_be_integer(const std::string& expression) {
  // Every name as 1: what is left over (calls, floats, members) is no integer expression.
  std::map<std::string, std::int64_t> ones;
  for (const std::string_view word : words_of(expression)) {
    if (is_name(word)) ones[std::string(word)] = 1;
  }
  const sim::IntegerResult result = sim::evaluate_integer(expression, ones);
  return result.value.has_value() || result.error.english().find("zero") != std::string::npos;
}

class Reader {
 public:
  Reader(std::string_view text, const Names& kept, Budget& budget)
      : words_(words_of(text)), kept_(kept), budget_(budget) {
    values_.names = kept;
  }

  HostValues read() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (words_[i] == "#") {
        i = read_directive(i);
      } else if (words_[i] == "dim3") {
        read_dim3(i);
      } else if (words_[i] == "cudaMalloc" || words_[i] == "cudaMallocManaged" ||
                 words_[i] == "cudaMallocAsync") {
        read_allocation(i);
      } else if (words_[i] == "for" && word(i + 1) == "(") {
        find_step(i + 1);
      } else if (i == step_) {
        i = behind_step_;
      } else if (words_[i] == "=" && i >= 2) {
        read_value(i);
      } else if (is_count(words_, i)) {
        read_count(i++);
      }
    }
    return std::move(values_);
  }

 private:
  std::string_view word(std::size_t i) const { return i < words_.size() ? words_[i] : std::string_view(); }

  // false: it is no integer's expression, and the name stays what it was.
  bool keep(std::string_view name, const std::string& expression) {
    budget_.check(Stage::Reading);
    if (kept_.contains(std::string(name))) return true;
    const std::string value = put_in(expression, values_.names);
    if (value.empty() || value.size() > kLongestValue || !could_be_integer(value)) return false;
    values_.names.insert_or_assign(std::string(name), is_plain(value) ? value : "(" + value + ")");
    return true;
  }

  // NAME operator= operand. What it comes to is not known where it may be made any number of times, or where
  // the operand is not known.
  void change(std::string_view name, const std::string& operation, const std::string& operand, bool once) {
    const auto known = values_.names.find(std::string(name));
    if (known == values_.names.end() || kept_.contains(known->first)) return;
    if (!once || !keep(name, known->second + operation + "(" + operand + ")"))
      values_.names.erase(std::string(name));
  }

  // A for's step is not made before its first turn, which is the one whose launch is read.
  void find_step(std::size_t open) {
    const std::size_t close = closing(words_, open);
    int semicolons = 0, depth = 0;
    for (std::size_t i = open; i < close; ++i) {
      depth += words_[i] == "(" || words_[i] == "{" || words_[i] == "[";
      depth -= words_[i] == ")" || words_[i] == "}" || words_[i] == "]";
      if (words_[i] != ";" || depth != 1 || ++semicolons < 2) continue;
      step_ = i;
      behind_step_ = close;
      return;
    }
  }

  static bool ends_statement(std::string_view word) { return word == ";" || word == "{" || word == "}"; }

  // NAME++, --NAME: the first of two signs is the i-th word.
  void read_count(std::size_t i) {
    const bool is_behind = i > 0 && is_name(words_[i - 1]);
    const std::string_view name = is_behind ? words_[i - 1] : word(i + 2);
    if (is_name(name))
      change(name, std::string(words_[i]), "1", ends_statement(before(is_behind ? i - 1 : i)));
  }

  // Where to go on behind the `#` at i: what a condition leaves out is passed over. A condition that the text
  // does not decide leaves out nothing.
  std::size_t read_directive(std::size_t i) {
    const std::string_view name = word(i + 1);
    if (name == "define") {
      defined_.insert(word(i + 2));
      read_macro(i + 1);
    } else if (name == "undef") {
      defined_.erase(word(i + 2));
    } else if (name == "ifdef" || name == "ifndef" || name == "if") {
      conditions_.push_back(holds(i + 1));
      return conditions_.back() == false ? before_other_branch(i + 1) : i + 1;
    } else if ((name == "else" || name == "elif") && !conditions_.empty()) {
      std::optional<bool>& condition = conditions_.back();
      if (condition == true) return before_other_branch(i + 1);
      if (condition == false) condition = name == "else" ? true : holds(i + 1);
      return condition == false ? before_other_branch(i + 1) : i + 1;
    } else if (name == "endif" && !conditions_.empty()) {
      conditions_.pop_back();
    }
    return i + 1;
  }

  // The condition of the directive whose word is the i-th; nullopt: the text does not say.
  std::optional<bool> holds(std::size_t i) const {
    if (words_[i] == "ifdef") return defined_.contains(word(i + 1));
    if (words_[i] == "ifndef") return !defined_.contains(word(i + 1));
    std::size_t end = i;
    while (end < words_.size() && words_[end] != "\n") ++end;
    std::string condition = join(words_, i + 1, end);
    std::erase_if(condition, [](char c) { return c == '(' || c == ')' || c == ' '; });
    const bool negated = condition.starts_with("!");
    if (condition.starts_with(negated ? "!defined" : "defined")) {
      const std::string name = condition.substr(negated ? 8 : 7);
      if (!std::all_of(name.begin(), name.end(), is_word)) return std::nullopt;
      return defined_.contains(name) != negated;
    }
    const auto value = sim::evaluate_integer(put_in(join(words_, i + 1, end), values_.names), {}).value;
    return value ? std::optional<bool>(*value != 0) : std::nullopt;
  }

  // The word before the #else, #elif or #endif that ends the branch.
  std::size_t before_other_branch(std::size_t i) const {
    int depth = 0;
    for (; i + 1 < words_.size(); ++i) {
      if (words_[i] != "#") continue;
      const std::string_view name = words_[i + 1];
      if (depth == 0 && (name == "else" || name == "elif" || name == "endif")) return i - 1;
      depth += name == "if" || name == "ifdef" || name == "ifndef";
      depth -= name == "endif";
    }
    return words_.size();
  }

  // #define NAME value
  void read_macro(std::size_t i) {
    std::size_t end = i;
    while (end < words_.size() && words_[end] != "\n") ++end;
    const bool is_call = word(i + 2) == "(" && word(i + 2).data() == word(i + 1).data() + word(i + 1).size();
    if (!is_call && is_name(word(i + 1))) keep(word(i + 1), join(words_, i + 2, end));
  }

  // `block.x` is a name too: grid((n - 1) / block.x + 1).
  void set_extent(const std::string& name, std::size_t axis, std::string value) {
    const std::string member = name + "." + "xyz"[axis];
    if (value.size() <= kLongestValue)
      values_.names.insert_or_assign(member, is_plain(value) ? value : "(" + value + ")");
    else
      values_.names.erase(member);
    values_.dim3[name][axis] = std::move(value);
  }

  void set_dim3(const std::string& name, const std::array<std::string, 3>& extents) {
    for (std::size_t axis = 0; axis < 3; ++axis) set_extent(name, axis, extents[axis]);
  }

  // dim3 a(x, y), b = dim3(x), c{x};
  void read_dim3(std::size_t i) {
    for (++i; is_name(word(i)); ++i) {
      const std::string name(words_[i++]);
      std::size_t open = i;
      if (word(i) == "=") open = word(i + 1) == "dim3" ? i + 2 : i + 1;
      if (word(open) != "(" && word(open) != "{") {
        if (word(i) == "=") return;
        set_dim3(name, {"1", "1", "1"});
      } else {
        const std::size_t close = closing(words_, open);
        set_dim3(name, extents_of("dim3(" + join(words_, open + 1, close) + ")", values_));
        i = close + 1;
      }
      if (word(i) != ",") return;
    }
  }

  // cudaMalloc(&NAME, bytes), cudaMalloc((void**)&NAME, bytes)
  void read_allocation(std::size_t i) {
    if (word(i + 1) != "(") return;
    const auto arguments = split_list(join(words_, i + 2, closing(words_, i + 1)));
    if (arguments.size() < 2) return;
    const std::size_t address = arguments[0].rfind('&');
    const std::string name = address == std::string::npos ? std::string() : arguments[0].substr(address + 1);
    if (!is_name(name) || !std::all_of(name.begin(), name.end(), is_word)) return;
    const std::string bytes = put_in(arguments[1], values_.names);
    values_.allocated.insert_or_assign(name, bytes);
  }

  // The word before the `i`-th that is no line's end.
  std::string_view before(std::size_t i) const {
    while (i > 0 && words_[i - 1] == "\n") --i;
    return i > 0 ? words_[i - 1] : std::string_view(";");
  }

  // Where the name stands whose value the operator= that ends at the i-th word changes; i where it is none.
  std::size_t changed_name(std::size_t i) const {
    static const std::set<std::string, std::less<>> kOperators{"+", "-", "*", "/", "%", "&", "|", "^"};
    if (i >= 2 && kOperators.contains(words_[i - 1])) return i - 2;
    const bool shifts = i >= 3 && (words_[i - 1] == "<" || words_[i - 1] == ">");
    return shifts && words_[i - 2] == words_[i - 1] ? i - 3 : i;
  }

  // TYPE NAME = expression, until , or ;  NAME = expression;  NAME *= expression;
  void read_value(std::size_t i) {
    const std::size_t changed = changed_name(i);
    const bool changes = changed != i;
    const std::size_t at = changes ? changed : i - 1;
    const std::string_view name = words_[at];
    if (!is_name(name) || word(i + 1) == "=") return;
    const std::string_view first = before(at);
    if (first == "." && !changes && read_extent(at, i)) return;
    // An assignment that stands by itself; one behind an if may not be made, and a name that is not known
    // stays so.
    const bool alone = ends_statement(first);
    if (changes) return change(name, join(words_, at + 1, i), expression_after(i), alone);
    if (alone) {
      if (values_.names.contains(std::string(name))) keep(name, expression_after(i));
      return;
    }
    static const std::set<std::string, std::less<>> kNoTypes{"return", "dim3", "float", "double", "else"};
    if (!(is_name(first) || first == ",") || kNoTypes.contains(first)) return;
    keep(name, expression_after(i));
  }

  // grid.x = expression; what is no integer's expression is not known.
  bool read_extent(std::size_t at, std::size_t i) {
    const auto known = at >= 2 ? values_.dim3.find(std::string(words_[at - 2])) : values_.dim3.end();
    const std::size_t axis = std::string_view("xyz").find(words_[at]);
    if (known == values_.dim3.end() || axis > 2) return false;
    set_extent(known->first, axis, put_in(expression_after(i), values_.names));
    return true;
  }

  std::string expression_after(std::size_t i) const {
    int depth = 0;
    std::size_t end = i + 1;
    for (; end < words_.size() && end < i + 80; ++end) {
      const std::string_view w = words_[end];
      if (w == "(" || w == "{" || w == "[") ++depth;
      if (w == ")" || w == "}" || w == "]") --depth;
      if (depth < 0 || (depth == 0 && (w == "," || w == ";"))) break;
    }
    return join(words_, i + 1, end);
  }

  Words words_;
  const Names& kept_;
  Budget& budget_;
  HostValues values_;
  std::size_t step_ = 0, behind_step_ = 0;  // of the last for, to be passed over
  std::set<std::string_view> defined_{"__CUDACC__", "__NVCC__", "__cplusplus"};
  std::vector<std::optional<bool>> conditions_;  // of the branches that are open
};

}  // namespace

HostValues read_host_values(std::string_view text, const Names& kept, Budget& budget) {
  return Reader(text, kept, budget).read();
}

std::string put_in(std::string_view expression, const Names& names) {
  const Words words = words_of(expression);
  std::string out;
  const auto add = [&](std::string_view piece) {
    if (!out.empty() && !piece.empty() && is_word(out.back()) && is_word(piece.front())) out += ' ';
    out += piece;
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view w = words[i];
    const bool is_call = i + 1 < words.size() && words[i + 1] == "(";
    if (w == "\n") continue;
    if (w == "sizeof" && is_call) {
      const std::size_t close = closing(words, i + 1);
      const int bytes = bytes_of(join(words, i + 2, close));
      if (bytes > 0) {
        add(std::to_string(bytes));
        i = close;
        continue;
      }
    }
    if (is_call && rounds_up(w)) {
      const std::size_t close = closing(words, i + 1);
      const auto parts = split_list(join(words, i + 2, close));
      if (parts.size() == 2) {
        const std::string a = put_in(parts[0], names), b = put_in(parts[1], names);
        add("((" + a + " + " + b + " - 1) / (" + b + "))");
        i = close;
        continue;
      }
    }
    std::string name(w);
    if (i + 2 < words.size() && words[i + 1] == "." &&
        names.contains(name + "." + std::string(words[i + 2]))) {
      name += "." + std::string(words[i + 2]);
      i += 2;
    }
    const auto known = names.find(name);
    add(known != names.end() && !is_call ? std::string_view(known->second) : w);
  }
  return out;
}

int element_bytes(std::string_view type) {
  if (std::count(type.begin(), type.end(), '*') > 1) return 0;
  int bytes = 0;  // "unsigned char": the last word says it, but for "long int"
  for (const std::string_view word : words_of(type)) {
    if (word == "long") return bytes_of(word);
    if (const int known = bytes_of(word); known > 0) bytes = known;
  }
  return bytes;
}

std::string elements_in(const std::string& bytes, int element_bytes) {
  std::string product = bytes;
  while (is_enclosed(product)) product = product.substr(1, product.size() - 2);
  // A quotient stays, since it says where the number is from.
  const bool is_quotient = product.find('/') != std::string::npos;
  if (const auto number = sim::evaluate_integer(product, {}).value;
      number && !is_quotient && *number % element_bytes == 0)
    return std::to_string(*number / element_bytes);
  // Factors outside of brackets; nothing else may stand between them.
  const std::string size = std::to_string(element_bytes);
  std::vector<std::string> factors(1);
  int depth = 0;
  for (const char c : product) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (depth == 0 && c == '*') {
      factors.emplace_back();
      continue;
    }
    if (depth == 0 && std::string_view("+-/%<>?&|^").find(c) != std::string_view::npos)
      return "(" + product + ") / " + size;
    if (!std::isspace(static_cast<unsigned char>(c))) factors.back() += c;
  }
  const auto found = std::find(factors.begin(), factors.end(), size);
  if (found == factors.end() || factors.size() < 2) return "(" + product + ") / " + size;
  factors.erase(found);
  std::string rest;
  for (const std::string& factor : factors) rest += (rest.empty() ? "" : " * ") + factor;
  while (is_enclosed(rest)) rest = rest.substr(1, rest.size() - 2);
  return rest;
}

std::array<std::string, 3> extents_of(std::string_view expression, const HostValues& values) {
  const Words words = words_of(expression);
  if (words.size() == 1) {
    if (const auto known = values.dim3.find(std::string(words[0])); known != values.dim3.end())
      return known->second;
  }
  std::vector<std::string> parts{std::string(expression)};
  if (words.size() > 2 && words[0] == "dim3" && (words[1] == "(" || words[1] == "{"))
    parts = split_list(join(words, 2, closing(words, 1)));
  std::array<std::string, 3> extents{"1", "1", "1"};
  for (std::size_t i = 0; i < parts.size() && i < 3; ++i) {
    if (!parts[i].empty()) extents[i] = put_in(parts[i], values.names);
  }
  return extents;
}

}  // namespace warplens::app
