// Member functions: of those for the device the whole text, of the host's the names.
#include <algorithm>

#include "sim/cuda/parse/parser.h"
#include "sim/cuda/text/names.h"

namespace warplens::cuda {
namespace {

// Without the namespace that it may be told apart by.
std::string_view own_name(const Struct& definition) {
  const std::string_view name = definition.name;
  const std::size_t end = name.rfind("::");
  return end == std::string_view::npos ? name : name.substr(end + 2);
}

}  // namespace

// Whether a member function stands here; skipped. One for the device is noted by where it begins, of one for
// the host alone the name is kept.
bool Parser::note_method(Struct& result, std::vector<std::size_t>& methods) {
  std::string_view name;
  bool device = false, is_virtual = false, is_template = at("template");
  std::size_t i = next_;
  if (is_template) {
    i = after_template_header(next_ + 1);
    if (i == kNo) return false;
  }
  std::size_t specifiers = i;
  for (; i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.is("operator")) {  // operator[](...), operator()(...)
      name = "operator";
      if (token_at(i + 1).is("(") && token_at(i + 2).is(")")) i += 2;
      while (!token_at(i + 1).is("(") && !token_at(i + 1).is(";") && token_at(i + 1).kind != TokenKind::End)
        ++i;
      continue;
    }
    is_virtual |= token.is("virtual") && !in_host_code_;
    if (is_virtual && token.is("virtual") && result.template_parameters.empty()) refuse_unsupported(token);
    if (token.is("virtual") && result.errors.empty()) {  // it would give every object a pointer more
      const Unsupported& refused = *find_unsupported(token.text);
      result.errors.push_back({Severity::Error, range_of(token), refused.message, refused.remedy});
    }
    device |= token.is("__device__") || token.is("constexpr") || token.is("__global__");
    if (token.is("__align__") || token.is("alignas") || token.is("__launch_bounds__") ||
        token.is("decltype")) {
      if ((i = match_brackets(i + 1, i + 64)) == kNo) return false;
      continue;
    }
    if (token.is("<") && after_template_arguments(i) != kNo) {
      i = after_template_arguments(i) - 1;
      continue;
    }
    // `int a : sizeof(int)`, `float (*row)[4]`, `float (*f)(float)`: members.
    if (name.empty() &&
        (token.is(":") || (token.is("(") && (token_at(i + 1).is("*") || token_at(i + 1).is("&")))))
      return false;
    if (token.is("(") && name.empty() && i > specifiers) name = token_at(i - 1).text;
    if (token.is("(")) break;
    bool ends =
        token.is(";") || token.is("}") || token.is("{") || token.is("[") || token.kind == TokenKind::End;
    if (ends || (token.is("=") && name.empty())) return false;
  }
  if (name.empty()) return false;
  bool destructor = token_at(i - 2).is("~"), constructor = name == own_name(result) && !destructor;
  std::size_t first = next_;
  if (is_template) member_templates_.insert(name);
  next_ = i;
  while (!at(";") && !at("{") && !at("}") && !at("=") && !at_end()) skip_balanced();
  const bool is_default = at("=") && peek(1).is("default"), is_deleted = at("=") && peek(1).is("delete");
  while (!at(";") && !at("{") && !at("}") && !at_end()) skip_balanced();  // `= default`
  while (at("{")) {  // `: a{1}, b{2} {}`: more than one block
    skip_balanced();
    while (at(",") || (peek().kind == TokenKind::Identifier && previous().is(","))) ++next_;
  }
  const bool is_empty = previous().is("}") && token_at(next_ - 2).is("{");
  accept(";");
  if (next_ == first) ++next_;
  if (is_default || is_deleted) {
    // What is defaulted at once is both the host's and the device's, whatever it is marked (CUDA C++
    // Programming Guide, "Explicitly-defaulted functions").
    result.has_default_constructor |= is_default && constructor && token_at(i + 1).is(")");
    return true;
  }
  if (is_virtual || (destructor && is_empty)) return true;
  if (device || in_host_code_) {
    methods.push_back(first);
  } else {
    result.has_constructors |= constructor;
    if (!constructor && !destructor) result.methods.emplace_back(name);
  }
  return true;
}

void Parser::parse_method(Struct& result, std::size_t first) {
  next_ = first;
  if (at("friend")) return parse_friend(result);
  ScopeGuard scope(*this);
  Function function;
  if (at("template")) function.template_parameters = parse_template_header();
  function.is_virtual = in_host_code_ && accept("virtual");
  Specifiers specifiers = parse_specifiers();
  function.kind = Function::Kind::Device;
  function.is_static = specifiers.is_static;
  function.is_explicit = specifiers.is_explicit;
  function.place = next_;
  const bool destroys = in_host_code_ && accept("~");
  if (at("~"))
    fail(peek(), Message("destructors are not supported in device code"),
         Message("call a function at the end"));
  function.is_constructor = !destroys && at(own_name(result)) && peek(1).is("(");
  function.result.name = "void";
  const bool converts = at("operator") && peek(1).kind == TokenKind::Identifier;
  if (!function.is_constructor && !converts && !destroys) {
    function.result = parse_type_specifier();
    Specifiers late;
    while (parse_specifier(late)) {
    }
    parse_pointers(function.result);
    function.is_static |= late.is_static;
    function.result.is_const |= specifiers.is_const;
  }
  parse_method_name(result, function);
  if (destroys) function.name = "~" + function.name;
  parse_method_tail(function);
  function.range = range_from(first);
  result.functions.push_back(std::move(function));
}

// A name, `operator+`, `operator float*` or, of a constructor, the struct's.
void Parser::parse_method_name(const Struct& of, Function& function) {
  std::size_t first = next_;
  if (accept("operator")) {
    if (peek().kind == TokenKind::Identifier) {
      function.result = parse_type();
      function.name = "operator conversion";
    } else {
      next_ = first;
      function.name = parse_function_name(function);
    }
    function.name_range = range_from(first);
    return;
  }
  const Token& name = peek();
  if (name.kind != TokenKind::Identifier || is_keyword(name.text)) {
    fail(name, Message("expected the name of a member function, not {}", describe(name)));
  }
  ++next_;
  function.name_range = range_of(name);
  function.name = std::string(name.text);
  if (function.is_constructor) function.name = of.name;
}

// From the '(' of the parameters on.
void Parser::parse_method_tail(Function& function) {
  expect("(", Message("after the name of '{}'", function.name));
  function.parameters = parse_parameters();
  while (true) {
    if (accept("const")) {
      function.is_const = true;
    } else if (accept("override")) {
      function.is_virtual = true;
    } else if (!accept("noexcept") && !accept("volatile") && !accept("final") && !accept("&")) {
      break;
    }
  }
  if (accept("->")) function.result = parse_type();
  if (at(":")) parse_member_inits(function);
  parse_function_body(function);
}

void Parser::parse_member_inits(Function& function) {
  do {
    ++next_;  // over ':' or ','
    std::size_t first = next_;
    MemberInit init;
    std::size_t last = 0;
    init.name = parse_qualified_name(last);
    if (at("<")) parse_template_arguments();  // of a base, which has its name
    bool braces = at("{");
    if (!braces && !at("("))
      fail(peek(), Message("expected '(' or '{' after '{}', not {}", init.name, describe(peek())));
    ++next_;
    init.arguments = parse_arguments(braces ? "}" : ")");
    init.range = range_from(first);
    function.member_inits.push_back(std::move(init));
  } while (at(","));
}

// A friend that is defined in the struct is a function like any other.
void Parser::parse_friend(Struct& result) {
  if (!result.template_parameters.empty()) {
    fail(peek(), Message("a friend of a struct template is not supported"),
         Message("put the function behind the struct"));
  }
  std::size_t first = next_;
  ScopeGuard scope(*this);
  unit_.functions.push_back(parse_function({}, first));
}

// Of unit_.structs the one that a member defined outside of it belongs to. `own`: the header for it, whose
// parameters may go by other names than the struct's: from here to the definition's end they get those.
// [begin, end): its arguments, as written.
std::size_t Parser::find_owner(const std::string& name, const std::vector<TemplateParameter>* own,
                               std::size_t begin, std::size_t end) {
  const std::size_t count = own ? own->size() : 0;
  for (std::size_t at = 0; at < unit_.structs.size(); ++at) {
    const Struct& candidate = unit_.structs[at];
    pace_.step();
    if (candidate.name != name || !candidate.is_defined) continue;
    const auto& wanted = candidate.template_parameters;
    if (wanted.size() != count) continue;
    std::unordered_map<std::string_view, std::string_view> renamed;
    std::string names, written;
    for (std::size_t i = 0; i < count; ++i) {
      renamed.emplace((*own)[i].name, *spellings_.insert(wanted[i].name).first);
      names += (i == 0 ? "<" : ",") + wanted[i].name;
    }
    const auto in_its_words = [&](const Token& token) {
      const auto found = renamed.find(token.text);
      return found == renamed.end() ? token.text : found->second;
    };
    for (std::size_t i = begin; i < end; ++i) written += in_its_words(tokens_[i]);
    if (written != (candidate.is_specialisation ? candidate.spelled_for : names + (count > 0 ? ">" : "")))
      continue;
    for (const auto& [mine, its] : renamed) declare(its, lookup(mine).kind);
    std::erase_if(renamed, [](const auto& pair) { return pair.first == pair.second; });
    const std::size_t last = renamed.empty() ? begin : host_declaration_end(begin, true);
    for (std::size_t i = begin; i < last; ++i) {
      const std::string_view text = std::exchange(tokens_[i].text, in_its_words(tokens_[i]));
      const bool is_taken = std::ranges::any_of(renamed, [&](auto& pair) { return pair.second == text; });
      if (is_taken && !renamed.contains(text))
        fail(tokens_[i], Message("'{}' is what the struct calls a parameter of its template", text),
             Message("call the parameters here as the struct does"));
    }
    return at;
  }
  fail(token_at(begin), Message("a member function defined outside of its struct is not supported here"),
       Message("define it in the struct"));
}

// `T Outer<T>::Inner::norm() const {...}` at namespace scope, at the outermost struct's name; the member's
// own is at `name`.
void Parser::parse_member_definition(Function& function, std::vector<std::vector<TemplateParameter>> headers,
                                     std::size_t name) {
  function.kind = Function::Kind::Device;
  while (peek(1).is("::") && namespaces_.contains(std::string(peek().text))) next_ += 2;
  std::string path;
  std::size_t used = 0, owner = 0;
  while (next_ < name) {
    const std::string part(tokens_[next_++].text);
    path = path.empty() ? called({}, part) : path + "::" + part;
    const std::size_t begin = next_;
    if (at("<")) next_ = after_template_arguments(next_);
    const bool has_header = begin < next_ && used < headers.size();
    owner = find_owner(path, has_header ? &headers[used] : nullptr, begin, next_);
    if (has_header) ++used;
    expect("::", Message("after '{}'", path));
  }
  if (used < headers.size()) {
    if (headers[used].empty())
      fail(peek(), Message("a specialisation of a member function is not supported"),
           Message("use if constexpr in it"));
    function.template_parameters = std::move(headers[used]);
  }
  ScopeGuard scope(*this);
  function.place = next_;
  function.scope = unit_.structs[owner].scope;
  parse_method_name(unit_.structs[owner], function);
  bool lost = false;
  function.errors = kept_back(lost, [&] { parse_method_tail(function); });
  if (lost) sink_.append(function.errors);
  if (lost) throw SyntaxError{};
  add_member(unit_.structs[owner], std::move(function));
}

// In the place of its declaration, which may say more.
void Parser::add_member(Struct& owner, Function&& function) {
  const auto is_same = [](const TypeName& x, const TypeName& y) {
    return x.name == y.name && x.pointers == y.pointers && x.is_const == y.is_const &&
           x.reference == y.reference;
  };
  const auto takes_same = [&](const Function& declared) {
    return declared.is_const == function.is_const &&
           (function.name != "operator conversion" || is_same(declared.result, function.result)) &&
           std::equal(declared.parameters.begin(), declared.parameters.end(), function.parameters.begin(),
                      [&](const Parameter& x, const Parameter& y) { return is_same(x.type, y.type); });
  };
  for (const bool exactly : {true, false}) {
    for (Function& declared : owner.functions) {
      const bool is_named = declared.is_constructor == function.is_constructor &&
                            (function.is_constructor || declared.name == function.name);
      if (declared.body || !is_named || declared.parameters.size() != function.parameters.size()) continue;
      if (exactly && !takes_same(declared)) continue;
      for (std::size_t i = 0; i < function.parameters.size(); ++i)
        function.parameters[i].fallback = std::move(declared.parameters[i].fallback);
      for (std::size_t i = 0; i < declared.template_parameters.size(); ++i)
        if (i < function.template_parameters.size())
          function.template_parameters[i].fallback = std::move(declared.template_parameters[i].fallback);
      function.is_static = declared.is_static;
      function.is_explicit = declared.is_explicit;
      function.result = std::move(declared.result);
      declared = std::move(function);
      return;
    }
  }
  owner.functions.push_back(std::move(function));
}

}  // namespace warplens::cuda
