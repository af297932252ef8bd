#include "app/source/host/values.h"

#include <algorithm>
#include <set>

#include "app/source/host/changes.h"
#include "sim/lower/lower.h"
#include "sim/text/scan.h"

namespace warplens::app {

namespace {

constexpr const char* kNotKnown = "?";      // an extent
constexpr std::size_t kLongestValue = 400;  // characters of an expression that names grew into

bool could_be_number(const std::string& expression) {
  // Every name as 1: what is left over (calls, members) is no number's expression.
  std::map<std::string, std::int64_t> ones;
  for (const std::string_view word : words_of(expression)) {
    if (is_name(word)) ones[std::string(word)] = 1;
  }
  const sim::IntegerResult result = sim::evaluate_integer("(int)(" + expression + ")", ones);
  return result.value.has_value() || result.error.english().find("zero") != std::string::npos;
}

class Reader {
 public:
  Reader(std::string_view text, const Names& kept, Budget& budget, const FileWords& file)
      : words_(words_of(text)),
        references_(reference_parameters(words_)),
        kept_(kept),
        budget_(budget),
        file_(file) {
    values_.names = kept;
    values_.macros = file.functions;
  }

  HostValues read() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (const std::string& name : handed_over(words_, i, false)) forget(name);
      pass_references(i);
      if (words_[i] == "{") hide_by_parameters(i);
      if (is_use_of_macro(i)) undo_by_macro(i);
      if (words_[i] == "#") {
        i = read_directive(i);
      } else if (is_in_directive(i)) {
        continue;  // a macro's body is no statement
      } else if (words_[i] == "dim3") {
        read_dim3(i);
      } else if (is_type(words_[i])) {
        read_declaration(i);
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
    values_.types = std::move(types_);
    return std::move(values_);
  }

 private:
  std::string_view word(std::size_t i) const { return i < words_.size() ? words_[i] : std::string_view(); }

  bool is_in_directive(std::size_t i) const { return i < directive_end_; }

  // Where the statement of the i-th word begins, behind a directive's line at the earliest.
  std::size_t begin_of(std::size_t i) const {
    std::size_t begin = statement_begin(words_, i);
    if (begin == kNoWord) return begin;
    if (directive_end_ <= i) begin = std::max(begin, directive_end_);
    while (begin < i && words_[begin] == "\n") ++begin;
    return begin;
  }

  // What the name holds is not known from here on.
  void forget(const std::string& name) {
    values_.allocated.erase(name);
    values_.pointers.erase(name);
    if (const auto extents = values_.dim3.find(name); extents != values_.dim3.end()) {
      for (std::size_t axis = 0; axis < 3; ++axis) set_extent(name, axis, kNotKnown);
    } else if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
      if (values_.dim3.contains(name.substr(0, dot)) && axis_of(name.substr(dot + 1)) < 3)
        set_extent(name.substr(0, dot), axis_of(name.substr(dot + 1)), kNotKnown);
    } else if (kept_.contains(name)) {
      forget_what_follows_from(name);
    } else {
      values_.names.erase(name);
    }
  }

  // set(n), whose parameter is an `int&`.
  void pass_references(std::size_t i) {
    if (word(i + 1) != "(" || (i > 0 && is_name(words_[i - 1]) && words_[i - 1] != "return")) return;
    const auto function = references_.find(words_[i]);
    if (function == references_.end()) return;
    const std::vector<std::string> arguments = text::split_list(join(words_, i + 2, closing(words_, i + 1)));
    for (const std::size_t place : function->second)
      if (place < arguments.size()) forget(arguments[place]);
  }

  // false: it is no number's expression, and the name is not known.
  bool keep(std::string_view name, const std::string& expression) {
    budget_.check(Stage::Reading);
    const std::string key(name);
    if (kept_.contains(key)) return forget_what_follows_from(key), true;
    std::string value = put_in(expression, values_);
    const auto type = types_.find(key);
    if (type != types_.end() && type->second != "auto") value = converted(value, type->second);
    const bool is_known = !value.empty() && value.size() <= kLongestValue && could_be_number(value);
    if (!is_known || aliased_.contains(key)) {
      forget(key);
      return false;
    }
    values_.pointers.erase(key);
    values_.allocated.erase(key);
    values_.names.insert_or_assign(key, is_plain(value) ? value : "(" + value + ")");
    return true;
  }

  // SET(n, 11) of `#define SET(v, x) v = x`: what it may change is not known.
  bool is_use_of_macro(std::size_t i) const {
    return word(i + 1) == "(" && !is_in_directive(i) && is_name(words_[i]) &&
           values_.macros.contains(std::string(words_[i])) &&
           !file_.functions.contains(std::string(words_[i]));
  }
  void undo_by_macro(std::size_t i) {
    const std::string block = "{" + values_.macros.at(std::string(words_[i])).body + ";}";
    std::set<std::string> changed = changed_in_functions(words_of(block));
    if (changed.empty()) return;
    const std::size_t close = closing(words_, i + 1);
    for (std::size_t k = i + 2; k < close; ++k)
      if (is_name(words_[k])) changed.emplace(words_[k]);
    for (const std::string& name : changed) forget(name);
  }

  // Whether the variable of the file that is declared at `begin` may hold something else where it is used.
  bool may_be_changed(const std::string& name, std::size_t begin) const {
    if (is_in_function_ || begin == kNoWord || !file_.changed.contains(name)) return false;
    for (std::size_t i = begin; i < words_.size() && i < begin + 8 && words_[i] != "="; ++i)
      if (words_[i] == "const" || words_[i] == "constexpr") return false;
    return true;
  }

  // As a variable of that type holds it: `int g = n / 256.0` cuts off what is behind the point.
  static std::string converted(const std::string& value, const std::string& type) {
    if (type == "float" || type == "double") return "(" + type + ")(" + value + ")";
    const std::string integer = has_floating_numbers(value) ? whole(value) : value;
    const auto number = sim::evaluate_integer(integer, {}).value;
    const auto held = sim::evaluate_integer("(" + type + ")(" + integer + ")", {}).value;
    return number && held && *number != *held ? std::to_string(*held) : integer;
  }

  // Of a variable that is the kernel's own by another name: what has been worked out from what it held before
  // is not known once it holds something else.
  void forget_what_follows_from(const std::string& kept) {
    const std::string& own = kept_.at(kept);
    if (!own.starts_with(kKernels)) return;
    const auto follows = [&](const std::string& value) {
      const Words words = words_of(value);
      return std::find(words.begin(), words.end(), own) != words.end();
    };
    std::erase_if(values_.names,
                  [&](const auto& name) { return !kept_.contains(name.first) && follows(name.second); });
    std::erase_if(values_.allocated, [&](const auto& buffer) { return follows(buffer.second); });
    for (auto& [name, extents] : values_.dim3)
      for (std::string& extent : extents)
        if (follows(extent)) extent = kNotKnown;
  }

  // The parameters of a function or lambda around the launch, whose body opens at i, hide what has the same
  // name outside.
  void hide_by_parameters(std::size_t i) {
    static const std::set<std::string_view> kBehind{"\n", "const", "noexcept", "mutable", "override"};
    static const std::set<std::string_view> kNoFunctions{"if",     "for",   "while",
                                                         "switch", "catch", "constexpr"};
    std::size_t close = i;
    while (close > 0 && kBehind.contains(words_[close - 1])) --close;
    if (close-- == 0 || words_[close] != ")" || closing(words_, i) != words_.size()) return;
    std::size_t open = close;
    for (int depth = -1; open > 0 && depth < 0;) depth += nesting(words_[--open]);
    if (open == 0 || words_[open] != "(" || kNoFunctions.contains(words_[open - 1])) return;
    if (!is_name(words_[open - 1]) && words_[open - 1] != "]") return;
    is_in_function_ = true;
    for (const std::string& parameter : text::split_list(join(words_, open + 1, close))) {
      const std::string declared = parameter.substr(0, parameter.find_first_of("=["));
      const Words words = words_of(declared);
      if (words.size() < 2 || !is_name(words.back())) continue;
      const std::string name(words.back());
      types_.erase(name);
      values_.dim3.erase(name);
      forget(name);
    }
  }

  // NAME operator= operand. What it comes to is not known where it may be made any number of times, or where
  // the operand is not known.
  void change(const std::string& name, const std::string& operation, const std::string& operand, bool once) {
    const auto known = values_.names.find(name);
    if (kept_.contains(name)) return forget_what_follows_from(name);
    if (!once || known == values_.names.end()) return forget(name);
    const std::string expression = known->second + operation + "(" + operand + ")";
    if (const std::size_t dot = name.find('.'); dot != std::string::npos && could_be_number(expression))
      set_extent(name.substr(0, dot), axis_of(name.substr(dot + 1)), put_in(expression, values_));
    else if (dot != std::string::npos)
      forget(name);
    else
      keep(name, expression);
  }

  // A for's step is not made before its first turn, which is the one whose launch is read; behind the loop it
  // has been made.
  void find_step(std::size_t open) {
    head_ = open;
    head_end_ = closing(words_, open);
    std::size_t body = head_end_ + 1;
    while (word(body) == "\n") ++body;
    is_open_head_ =
        word(body) == "{"
            ? closing(words_, body) == words_.size()
            : std::find(words_.begin() + static_cast<std::ptrdiff_t>(std::min(body, words_.size())),
                        words_.end(), ";") == words_.end();
    int semicolons = 0, depth = 0;
    for (std::size_t i = open; i < head_end_ && is_open_head_; ++i) {
      depth += nesting(words_[i]);
      if (words_[i] != ";" || depth != 1 || ++semicolons < 2) continue;
      step_ = i;
      behind_step_ = head_end_;
      return;
    }
  }

  // Whether the statement that begins with the i-th word is surely made, once: behind an if it may not be,
  // and in the head of a loop that has ended it may have been made more often.
  bool is_sure(std::size_t i) const {
    if (i > head_ && i < head_end_) return is_open_head_ && i == head_ + 1;
    while (i > 0 && words_[i - 1] == "\n" && i != directive_end_) --i;
    if (i == 0 || i == directive_end_) return true;
    return words_[i - 1] == ";" || words_[i - 1] == "{" || words_[i - 1] == "}";
  }

  // NAME++, --NAME: the first of two signs is the i-th word.
  void read_count(std::size_t i) {
    const bool is_behind = i > 0 && is_name(words_[i - 1]);
    const std::size_t at = is_behind ? i - 1 : i + 2;
    if (!is_name(word(at))) return;
    const std::string name = is_behind ? member_name(words_, at) : std::string(words_[at]);
    const std::size_t begin = !is_behind ? i : name.find('.') == std::string::npos ? at : at - 2;
    if (!name.empty()) change(name, std::string(words_[i]), "1", is_sure(begin));
  }

  // Where to go on behind the `#` at i: what a condition leaves out is passed over. A condition that the text
  // does not decide leaves out nothing.
  std::size_t read_directive(std::size_t i) {
    const std::string_view name = word(i + 1);
    directive_end_ = i;
    while (directive_end_ < words_.size() && words_[directive_end_] != "\n") ++directive_end_;
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
      if (!std::all_of(name.begin(), name.end(), text::is_word)) return std::nullopt;
      return defined_.contains(name) != negated;
    }
    const auto value = sim::evaluate_integer(put_in(join(words_, i + 1, end), values_), {}).value;
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
    if (!is_call && is_name(word(i + 1))) return void(keep(word(i + 1), join(words_, i + 2, end)));
    const std::size_t close = closing(words_, std::min(i + 2, words_.size()));
    if (!is_call || close >= end) return;
    values_.macros[std::string(word(i + 1))] = {text::split_list(join(words_, i + 3, close)),
                                                join(words_, close + 1, end)};
  }

  // `block.x` is a name too: grid((n - 1) / block.x + 1).
  void set_extent(const std::string& name, std::size_t axis, std::string value) {
    const std::string member = name + "." + "xyz"[axis];
    if (value.size() <= kLongestValue && value != kNotKnown)
      values_.names.insert_or_assign(member, is_plain(value) ? value : "(" + value + ")");
    else
      values_.names.erase(member);
    values_.dim3[name][axis] = std::move(value);
  }

  void set_dim3(const std::string& name, const std::array<std::string, 3>& extents) {
    for (std::size_t axis = 0; axis < 3; ++axis) set_extent(name, axis, extents[axis]);
  }

  static std::size_t axis_of(std::string_view member) {
    return member.size() == 1 ? std::string_view("xyz").find(member) : std::string_view::npos;
  }

  // dim3 a(x, y), b = dim3(x), c{x}, d = a;
  void read_dim3(std::size_t i) {
    const std::size_t begin = begin_of(i);
    if (begin != kNoWord && begin > 0 && words_[begin - 1] == "(") return;  // a parameter, or made in a call
    for (++i; is_name(word(i)); ++i) {
      if (word(i) == "const") ++i;
      const std::string name(word(i++));
      if (may_be_changed(name, begin)) {
        set_dim3(name, {kNotKnown, kNotKnown, kNotKnown});
        i = end_of_expression(i - 1);
      } else if (word(i) == "(" || word(i) == "{") {
        const std::size_t close = closing(words_, i);
        set_dim3(name, extents_of("dim3(" + join(words_, i + 1, close) + ")", values_));
        i = close + 1;
      } else if (word(i) == "=") {
        values_.dim3[name];
        assign_dim3(name, expression_after(i));
        i = end_of_expression(i);
      } else {
        set_dim3(name, {"1", "1", "1"});
      }
      if (word(i) != ",") return;
    }
  }

  // NAME = dim3(x, y), {x, y}, another dim3 variable, or a number.
  void assign_dim3(const std::string& name, const std::string& expression) {
    const bool is_list = expression.starts_with("{");
    const auto other = values_.dim3.find(expression);
    if (other != values_.dim3.end())
      set_dim3(name, std::array<std::string, 3>(other->second));
    else if (is_list || expression.starts_with("dim3") || could_be_number(put_in(expression, values_)))
      set_dim3(name, extents_of(is_list ? "dim3" + expression : expression, values_));
    else
      forget(name);
  }

  // cudaMalloc(&NAME, bytes), cudaMalloc((void**)&NAME, bytes)
  void read_allocation(std::size_t i) {
    if (word(i + 1) != "(") return;
    const auto arguments = text::split_list(join(words_, i + 2, closing(words_, i + 1)));
    if (arguments.size() < 2) return;
    const std::size_t address = arguments[0].rfind('&');
    const std::string name = address == std::string::npos ? std::string() : arguments[0].substr(address + 1);
    if (!is_name(name) || !std::all_of(name.begin(), name.end(), text::is_word)) return;
    const std::string bytes = put_in(arguments[1], values_);
    forget(name);
    values_.allocated.insert_or_assign(name, bytes);
  }

  // The word before the `i`-th that is no line's end.
  std::string_view before(std::size_t i) const {
    while (i > 0 && words_[i - 1] == "\n") --i;
    return i > 0 ? words_[i - 1] : std::string_view(";");
  }

  static bool is_type(std::string_view word) {
    static const std::set<std::string, std::less<>> kTypes{
        "int",      "unsigned", "long",    "short",    "size_t", "float", "double",    "auto",
        "int32_t",  "uint32_t", "int64_t", "uint64_t", "char",   "bool",  "ptrdiff_t", "int16_t",
        "uint16_t", "int8_t",   "uint8_t", "uint",     "ushort", "uchar", "signed"};
    return kTypes.contains(word);
  }

  // int n, m(8), k{8}; a variable without a value hides one of the same name.
  void read_declaration(std::size_t i) {
    const std::size_t begin = begin_of(i);
    if (begin == kNoWord || (begin > 0 && words_[begin - 1] == "(")) return;
    if (i > 0 && is_type(words_[i - 1])) return;  // of `unsigned char` the second
    std::string type;
    for (std::size_t k = i; is_type(word(k)); ++k) type += (type.empty() ? "" : " ") + std::string(words_[k]);
    int depth = 0;
    bool is_in_value = false;
    for (std::size_t k = i + 1; k < words_.size() && k < i + 80 && words_[k] != ";"; ++k) {
      const std::string_view w = words_[k];
      depth += nesting(w);
      if (depth < 0) return;
      if (depth > 0) continue;
      is_in_value = w == "=" || (is_in_value && w != ",");
      if (is_in_value || !is_name(w) || is_type(w) || is_name(word(k + 1))) continue;
      const bool begins = is_type(words_[k - 1]) || words_[k - 1] == "," || words_[k - 1] == "*";
      if (begins) declare(std::string(w), k, words_[k - 1] == "*" ? std::string_view() : type);
    }
  }

  // `type`: empty of a pointer.
  void declare(const std::string& name, std::size_t at, std::string_view type) {
    const std::string_view next = word(at + 1);
    if (next != ";" && next != "," && next != "=" && next != "{" && next != "(") return;
    types_.erase(name);
    if (!type.empty()) types_[name] = type;
    if (next == "{" || next == "(")
      keep(name, join(words_, at + 2, closing(words_, at + 1)));
    else if (next != "=")
      forget(name);
  }

  // TYPE NAME = expression, until , or ;  NAME = expression;  NAME *= expression;
  void read_value(std::size_t i) {
    const std::size_t at = assigned_name(words_, i);
    if (at == kNoWord) return;
    const std::string name = member_name(words_, at);
    if (name.empty()) return;
    const bool changes = at + 1 != i;
    const std::size_t from = chain_begin(name.find('.') == std::string::npos ? at : at - 2);
    const std::size_t begin = begin_of(from);
    const bool sure = is_sure(from) && !is_in_call(begin);
    const bool is_declared =
        !sure && begin != kNoWord && (declares(words_, begin) || words_[begin] == "template");
    if (is_declared && is_in_call(begin)) return;  // a parameter's default
    if (begin != kNoWord && begin > 0 && words_[begin - 1] == "[") return;
    if (is_declared && words_[from - 1] == "&") return read_reference(begin, name, i);
    if (is_declared && words_[from - 1] == "*") return read_pointer(name, chained(expression_after(i)));
    if (changes) return change(name, join(words_, at + 1, i), expression_after(i), sure);
    if (!sure && !is_declared) return forget(name);
    const std::string expression = chained(expression_after(i));
    if (may_be_changed(name.substr(0, name.find('.')), begin)) return forget(name);
    if (values_.dim3.contains(name)) return assign_dim3(name, expression);
    if (name.find('.') == std::string::npos)
      keep(name, expression);
    else if (values_.dim3.contains(name.substr(0, name.find('.'))))
      set_extent(name.substr(0, name.find('.')), std::min<std::size_t>(axis_of(words_[at]), 2),
                 put_in(expression, values_));
  }

  void read_pointer(const std::string& name, std::string expression) {
    forget(name);
    if (aliased_.contains(name)) return;
    // What it is taken from may be set anew behind this.
    if (expression != name && !expression.starts_with("(")) values_.pointers[name] = std::move(expression);
  }

  // Whether the statement stands in the brackets of a call or a condition; a for's is made.
  bool is_in_call(std::size_t begin) const {
    return begin != kNoWord && begin > 0 && words_[begin - 1] == "(" &&
           (begin < 2 || words_[begin - 2] != "for");
  }

  // int& r = n; what is written to r is not followed.
  void read_reference(std::size_t begin, const std::string& name, std::size_t i) {
    if (words_[begin] == "const") return void(keep(name, expression_after(i)));
    for (const std::string& lost : {name, expression_after(i)}) {
      aliased_.insert(lost);
      forget(lost);
    }
  }

  // n = m = 1000: where the first of them stands, and what the last is set to.
  std::size_t chain_begin(std::size_t at) const {
    while (at >= 2 && words_[at - 1] == "=" && is_name(words_[at - 2]) &&
           assigned_name(words_, at - 1) == at - 2)
      at -= 2;
    return at;
  }
  static std::string chained(std::string expression) {
    const Words words = words_of(expression);
    std::size_t last = 0;
    while (last + 2 < words.size() && is_name(words[last]) && assigned_name(words, last + 1) == last)
      last += 2;
    return last == 0 ? std::move(expression) : join(words, last, words.size());
  }

  std::size_t end_of_expression(std::size_t i) const {
    int depth = 0;
    std::size_t end = i + 1;
    for (; end < words_.size() && end < i + 80; ++end) {
      const std::string_view w = words_[end];
      depth += nesting(w);
      if (depth < 0 || (depth == 0 && (w == "," || w == ";"))) break;
    }
    return end;
  }
  std::string expression_after(std::size_t i) const { return join(words_, i + 1, end_of_expression(i)); }

  Words words_;
  const References references_;  // of the functions of the text
  const Names& kept_;
  Budget& budget_;
  HostValues values_;
  std::size_t step_ = 0, behind_step_ = 0;  // of the last for, to be passed over
  std::size_t directive_end_ = 0;           // of the last one
  std::size_t head_ = 0, head_end_ = 0;     // the brackets of the last for
  bool is_open_head_ = false;               // the text ends in its loop
  const FileWords& file_;
  bool is_in_function_ = false;    // around the launch
  std::set<std::string> aliased_;  // they are not followed
  Names types_;                    // of the variables, where they are basic ones
  std::set<std::string_view> defined_{"__CUDACC__", "__NVCC__", "__cplusplus"};
  std::vector<std::optional<bool>> conditions_;  // of the branches that are open
};

}  // namespace

HostValues read_host_values(std::string_view text, const Names& kept, Budget& budget, const FileWords& file) {
  return Reader(text, kept, budget, file).read();
}

}  // namespace warplens::app
