#include "sim/lower/ptx/module.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>

#include "sim/base/numbers.h"
#include "sim/lower/ptx/text.h"
#include "sim/text/scan.h"

namespace warplens::sim::lower::ptx {

namespace {

constexpr std::size_t kMostStatements = 400'000;
constexpr int kMostScopes = 64;  // braces in braces
constexpr std::uint64_t kMostInitialBytes = 1 << 20;

class ModuleReader : private Reader {
 public:
  ModuleReader(std::string_view text, Budget& budget) : Reader(text), pace_(budget, Stage::Parsing) {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') lines_.push_back(i + 1);
  }

  Module read() {
    try {
      while (skip_space()) {
        pace_.step();
        top_level();
      }
    } catch (const Message& error) {
      const std::size_t at = std::min(at_, text_.size());
      const std::size_t end = std::min(text_.find_first_of(";\n", at), text_.size());
      module_.error = cuda::Diagnostic{cuda::Severity::Error, range(at, end), error, {}};
    }
    number_files();
    return std::move(module_);
  }

 private:
  cuda::SourcePlace place(std::size_t offset) const {
    const auto line = std::upper_bound(lines_.begin(), lines_.end(), offset) - 1;
    return {static_cast<int>(offset), static_cast<int>(line - lines_.begin()) + 1,
            static_cast<int>(offset - *line) + 1};
  }
  cuda::SourceRange range(std::size_t begin, std::size_t end) const { return {place(begin), place(end)}; }

  // ---- directives

  bool is_next(std::string_view word) {
    if (!skip_space() || !text_.substr(at_).starts_with(word)) return false;
    const char behind = at_ + word.size() < text_.size() ? text_[at_ + word.size()] : ' ';
    return !is_part(behind) || (behind == '.' && word[0] == '.');  // `.reg.b32`, as asm() may have it
  }
  static bool is_part(char c) { return text::is_word(c) || c == '.' || c == '$'; }
  bool accept_word(std::string_view word) {
    if (!is_next(word)) return false;
    at_ += word.size();
    return true;
  }
  std::string_view rest_of_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view rest = text_.substr(at_, end - at_);
    at_ = end;
    return text::trimmed(rest.substr(0, rest.find("//")));
  }
  std::uint64_t whole() {
    const Operand read = number();
    if (read.is_single || read.is_double)
      fail(Message("the PTX text is not understood: a whole number was expected"));
    return static_cast<std::uint64_t>(read.number);
  }
  std::vector<std::uint64_t> whole_list() {
    std::vector<std::uint64_t> list;
    do list.push_back(whole());
    while (accept(','));
    return list;
  }
  std::string quoted() {
    expect('"');
    const std::size_t end = std::min(text_.find('"', at_), text_.size());
    std::string text(text_.substr(at_, end - at_));
    at_ = std::min(end + 1, text_.size());
    return text;
  }

  void top_level() {
    if (accept(';')) return;
    if (accept_word(".version")) {
      module_.version = rest_of_line();
    } else if (accept_word(".target")) {
      module_.target = rest_of_line();
    } else if (accept_word(".address_size")) {
      if (whole() != 64)
        fail(Message("the module has 32-bit addresses; modules with 64-bit ones are simulated"));
    } else if (accept_word(".file")) {
      file();
    } else if (accept_word(".section") || accept_word("@@DWARF")) {
      section();
    } else if (accept_word(".pragma") || accept_word(".alias")) {
      skip_to(';');
    } else {
      linked();
    }
  }

  // `.file 1 "turn.cu", 1700000000, 2048`: its time and size are left out mostly.
  void file() {
    const auto number = static_cast<int>(whole());
    module_.files[number] = quoted();
    if (accept(',')) whole(), expect(','), whole();
  }

  // `.section .debug_info { ... }`: nothing is taken from it.
  void section() {
    if (at('@') || !accept_braces()) rest_of_line();
  }
  bool accept_braces() {
    const std::size_t brace = text_.find('{', at_), line = std::min(text_.find('\n', at_), text_.size());
    const std::size_t next =
        brace == std::string_view::npos ? brace : text_.find_first_not_of(" \t\r\n", line);
    if (brace == std::string_view::npos || (brace > line && brace != next)) return false;
    at_ = brace + 1;
    skip_to('}');
    return true;
  }

  // A function or a variable, behind `.visible`, `.extern` or `.weak`.
  void linked() {
    bool is_extern = false;
    while (true) {
      if (accept_word(".extern"))
        is_extern = true;
      else if (!accept_word(".visible") && !accept_word(".weak") && !accept_word(".common"))
        break;
    }
    if (accept_word(".entry")) return function(true, is_extern);
    if (accept_word(".func")) return function(false, is_extern);
    if (const auto space = accept_space()) {
      module_.variables.push_back(variable(*space));
      module_.variables.back().is_extern = is_extern;
      return more_of(module_.variables);
    }
    const std::string_view word = dotted();
    fail(Message("the PTX text is not understood: '{}' is not a directive that is known here", word));
  }

  std::optional<Variable::Space> accept_space() {
    using Space = Variable::Space;
    constexpr std::pair<std::string_view, Space> kSpaces[] = {{".global", Space::Global},
                                                              {".const", Space::Constant},
                                                              {".shared", Space::Shared},
                                                              {".local", Space::Local},
                                                              {".param", Space::Parameter}};
    for (const auto& [word, space] : kSpaces)
      if (accept_word(word)) return space;
    return {};
  }

  void read_name(auto& made) {
    skip_space();
    const std::size_t first = at_;
    made.name = name();
    made.range = range(first, at_);
  }

  // `.align 16 .b8 name[64] = {1, 2}`, without the semicolon; of a parameter `.u64 .ptr .global .align 1
  // name`.
  Variable variable(Variable::Space space) {
    Variable made;
    made.space = space;
    while (at('.')) {
      pace_.step();
      const std::string word(dotted());
      if (word == ".align")
        made.alignment = alignment();
      else if (word == ".ptr")
        made.is_pointer = true;
      else if (bytes_of(word.substr(1)) != 0)
        made.type = word.substr(1);
      else if (word == ".v2" || word == ".v4")
        made.elements = word == ".v2" ? 2 : 4;
      else if (word != ".global" && word != ".shared" && word != ".const" && word != ".local" &&
               word != ".attribute" && word != ".managed")
        fail(Message("the PTX text is not understood: a variable of type '{}'", word));
      if (word == ".attribute" && accept('(')) skip_to(')');
    }
    declarator(made);
    return made;
  }

  int alignment() {
    const std::uint64_t bytes = whole();
    if (!std::has_single_bit(bytes)) fail(Message("an alignment is a power of two, not {}", bytes));
    return static_cast<int>(std::min<std::uint64_t>(bytes, 1024));
  }

  // `name[2][3] = {{1, 2}, {4, 5, 6}}`
  void declarator(Variable& made) {
    read_name(made);
    std::vector<std::uint64_t> rows{bytes_of(made.type) * made.elements};  // bytes, the innermost last
    while (accept('[')) {
      const std::uint64_t extent = at(']') ? 0 : whole();
      expect(']');
      if (extent > (std::uint64_t{1} << 40))
        fail(Message("'{}' has more elements than any GPU has room for", made.name));
      made.elements *= extent;
      for (std::uint64_t& row : rows) row *= std::max<std::uint64_t>(1, extent);
      rows.push_back(bytes_of(made.type));
    }
    if (!accept('=')) return;
    initialise(made, rows);
    const std::uint64_t bytes = bytes_of(made.type), given = (made.initial.size() + bytes - 1) / bytes;
    if (made.elements == 0) made.elements = given;  // name[] = {1, 2}
    if (given > made.elements)
      fail(Message("'{}' has {} initial values and {} elements", made.name, given, made.elements));
  }

  void initialise(Variable& variable, const std::vector<std::uint64_t>& rows) {
    const std::uint64_t bytes = bytes_of(variable.type);
    const auto add = [&] {
      pace_.step();
      std::uint64_t bits = 0;
      skip_space();
      if (at('"')) {
        variable.initial += quoted();
        return;
      }
      const bool numeric = at_ < text_.size() && (text::is_digit(text_[at_]) || text_[at_] == '-');
      if (numeric) {
        const Operand given = number();
        bits = static_cast<std::uint64_t>(given.number);
        if (given.is_double && variable.type == "f32")
          bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
      } else {  // `generic(other)+4`: its address is not known before it is loaded
        const std::string of = name();
        if (accept('(')) skip_to(')');
        if (accept('+')) whole();
        if (variable.address_of.empty())
          variable.address_of = of == "generic" || of == "mask" ? "another" : of;
      }
      std::array<char, 16> raw{};
      std::memcpy(raw.data(), &bits, sizeof bits);
      variable.initial.append(raw.data(), bytes);
      if (variable.initial.size() > kMostInitialBytes)
        fail(Message("'{}' has more than {} bytes of initial values", variable.name, kMostInitialBytes));
    };
    if (!accept('{')) return add();
    int depth = 1;
    while (depth > 0) {
      if (accept('{')) {
        ++depth;
      } else if (accept('}')) {  // what a row does not say is zero
        const std::size_t row = rows[std::min(rows.size() - 1, static_cast<std::size_t>(--depth))];
        if (depth > 0 && row > 0 && row <= kMostInitialBytes)
          variable.initial.resize((variable.initial.size() + row - 1) / row * row);
      } else if (!accept(','))
        add();
    }
  }

  void more_of(std::vector<Variable>& list) {
    while (accept(',')) {  // of the same type: `.shared .f32 a, b[32];`
      Variable more = list.back();
      more.elements = 1;
      more.initial.clear();
      declarator(more);
      list.push_back(std::move(more));
    }
    expect(';');
  }

  // ---- functions

  std::vector<Variable> parameters() {
    std::vector<Variable> list;
    if (!accept('(')) return list;
    while (!accept(')')) {
      accept(',');
      if (accept_word(".reg") || accept_word(".param"))
        list.push_back(variable(Variable::Space::Parameter));
      else
        fail(Message("the PTX text is not understood: a parameter was expected"));
    }
    return list;
  }

  void function(bool is_entry, bool is_extern) {
    Function made;
    made.is_entry = is_entry;
    made.is_extern = is_extern;
    made.results = parameters();
    read_name(made);
    made.parameters = parameters();
    while (!at('{') && !at(';') && skip_space()) {
      pace_.step();
      if (accept_word(".reqntid"))
        made.threads = whole_list();
      else if (accept_word(".maxntid"))
        made.most_threads = whole_list();
      else if (accept_word(".reqnctapercluster"))
        made.cluster = whole_list();
      else if (accept_word(".minnctapersm") || accept_word(".maxnreg") || accept_word(".maxnctapersm") ||
               accept_word(".maxclusterrank") || accept_word(".abi_preserve"))
        whole_list();
      else if (accept_word(".pragma"))
        skip_to(';');
      else if (!accept_word(".noreturn") && !accept_word(".explicitcluster") &&
               !accept_word(".blocksareclusters") && !accept_word(".unified"))
        fail(Message("the PTX text is not understood: '{}' is not a directive that is known here", dotted()));
    }
    location_ = -1;
    const bool is_defined = !accept(';') && accept('{');
    const auto [same, is_new] = functions_.try_emplace(made.name, module_.functions.size());
    if (is_new) module_.functions.emplace_back();
    function_ = &module_.functions[same->second];
    if (!function_->body.empty() && is_defined)
      fail(Message("the function '{}' is defined twice in the module", made.name));
    if (is_new || is_defined) *function_ = std::move(made);  // else declared once more
    if (is_defined) body();
  }

  // Names that a block in braces declares are its own: they get its number, as "%p{2}".
  struct Scope {
    std::map<std::string, std::string, std::less<>> names;  // "<%p" of %p<4>
    std::map<std::string, std::string, std::less<>> labels;
    std::size_t first = 0;  // statement
    int number = 0;
  };

  void body() {
    scopes_.assign(1, Scope{});
    while (!scopes_.empty()) {
      pace_.step();
      if (!skip_space()) fail(Message("the function '{}' has no end", function_->name));
      if (accept(';')) continue;
      if (accept('{')) {
        if (scopes_.size() >= kMostScopes) fail(Message("braces are nested more than {} deep", kMostScopes));
        scopes_.push_back({{}, {}, function_->body.size(), ++blocks_});
      } else if (accept('}')) {
        rename_labels(scopes_.back());
        scopes_.pop_back();
      } else if (at('.')) {
        directive();
      } else {
        statement();
      }
    }
  }

  void directive() {
    if (accept_word(".loc")) return location();
    if (accept_word(".file")) return file();
    if (accept_word(".reg")) return registers();
    if (accept_word(".pragma") || accept_word(".callprototype") || accept_word(".calltargets"))
      return skip_to(';');
    if (accept_word(".branchtargets")) {
      std::vector<std::string> targets;
      do targets.push_back(name());
      while (accept(','));
      expect(';');
      if (function_->body.empty() || function_->body.back().instruction.label.empty())
        fail(Message("the PTX text is not understood: .branchtargets has no label"));
      function_->body.back().targets = std::move(targets);
      return;
    }
    if (accept_word(".section")) return section();
    const auto space = accept_space();
    if (!space)
      fail(Message("the PTX text is not understood: '{}' is not a directive that is known here", dotted()));
    const std::size_t before = function_->variables.size();
    function_->variables.push_back(variable(*space));
    more_of(function_->variables);
    for (std::size_t i = before; i < function_->variables.size(); ++i)
      function_->variables[i].name = own(function_->variables[i].name);
  }

  std::string own(const std::string& name, const char* kind = "") {
    if (scopes_.size() <= 1) return name;
    Scope& scope = scopes_.back();
    return scope.names[kind + name] = name + "{" + std::to_string(scope.number) + "}";
  }
  // Jumps to a label may stand before it.
  void rename_labels(const Scope& scope) {
    if (scope.labels.empty()) return;
    const auto renamed = [&](std::string& name) {
      if (const auto found = scope.labels.find(name); found != scope.labels.end()) name = found->second;
    };
    for (std::size_t i = scope.first; i < function_->body.size(); ++i) {
      pace_.step();
      Statement& one = function_->body[i];
      for (Operand& operand : one.instruction.operands) renamed(operand.name);
      for (std::string& target : one.targets) renamed(target);
    }
  }

  // `.reg .b32 %r<12>, %x;`
  void registers() {
    std::string type;
    while (at('.')) {
      const std::string word(dotted());
      if (bytes_of(word.substr(1)) == 0)
        fail(Message("the PTX text is not understood: a register of type '{}'", word));
      type = word.substr(1);
    }
    do {
      pace_.step();
      const std::string declared = name();
      const bool is_many = accept('<');
      if (is_many && static_cast<std::int64_t>(whole()) < 0)
        fail(Message("the PTX text is not understood: it declares fewer than 0 registers"));
      if (is_many) expect('>');
      const char* kind = is_many ? "<" : "";
      function_->registers[kind + own(declared, kind)] = type;
    } while (accept(','));
    expect(';');
  }

  // `.loc 1 105 0`, and behind it `, function_name $L__info_string0, inlined_at 1 37 16`: what the line
  // before said last of that place tells where that was inlined.
  void location() {
    Location here = location_read();
    const std::size_t behind = at_;
    while (accept(',')) {
      if (accept_word("function_name")) {
        name();
        if (accept('+')) whole();
      } else if (accept_word("inlined_at")) {
        here.inlined_at = index_of(location_read());
      } else {
        fail(Message("the PTX text is not understood: a .loc directive"));
      }
    }
    if (here.inlined_at < 0) here.inlined_at = inlined_by_comment(behind);
    location_ = index_of(here);
  }
  Location location_read() {
    Location read;
    for (int* number : {&read.file, &read.line, &read.column}) *number = static_cast<int>(whole());
    return read;
  }
  // Without debug information Triton says in a comment where a place was inlined, from the inside out:
  // `// standard.py:170:27 @[ standard.py:191:40 @[ matmul.py:27:29 ] ]`.
  int inlined_by_comment(std::size_t begin) {
    std::string_view line = text_.substr(begin, std::min(text_.find('\n', begin), text_.size()) - begin);
    line = text::trimmed(line);
    if (!line.starts_with("//")) return -1;
    int around = -1;
    while (true) {
      const std::size_t open = line.rfind("@[");
      if (open == std::string_view::npos) return around;
      std::string_view place = text::trimmed(line.substr(open + 2));
      while (!place.empty() && (place.back() == ']' || text::is_space(place.back()))) place.remove_suffix(1);
      line = line.substr(0, open);
      const std::size_t column = place.rfind(':'), row = column == std::string_view::npos || column == 0
                                                             ? column
                                                             : place.rfind(':', column - 1);
      if (row == std::string_view::npos) return around;
      const auto number = number_in<int>(place.substr(row + 1, column - row - 1)),
                 from = number_in<int>(place.substr(column + 1));
      if (!number || !from) return around;
      const std::string name(place.substr(0, row));
      const auto known = std::ranges::find(named_files_, name);
      const auto file = static_cast<int>(known - named_files_.begin());
      if (known == named_files_.end()) named_files_.push_back(name);
      around = index_of({kNamedFile + file, *number, *from, around});
    }
  }
  // .file stands behind what speaks of it.
  void number_files() {
    for (Location& location : module_.locations) {
      if (location.file < kNamedFile) continue;
      const std::string& name = named_files_[location.file - kNamedFile];
      location.file = -1;
      for (const auto& [number, file] : module_.files)
        if (file.substr(file.find_last_of('/') + 1) == name) location.file = number;
    }
  }
  // Of what surrounds an inlined place only the place is said: it is the last one of that place.
  int index_of(const Location& location) {
    const std::array<int, 4> place{location.file, location.line, location.column, -1};
    std::array<int, 4> whole = place;
    whole[3] = location.inlined_at;
    if (const auto known = places_.find(whole); known != places_.end()) return known->second;
    module_.locations.push_back(location);
    const int index = static_cast<int>(module_.locations.size()) - 1;
    places_[place] = places_[whole] = index;
    return index;
  }

  void statement() {
    if (function_->body.size() >= kMostStatements)
      fail(Message("the function '{}' has more than {} instructions", function_->name, kMostStatements));
    skip_space();
    const std::size_t first = at_;
    Statement made;
    made.instruction = instruction();
    made.range = range(first, at_);
    made.location = location_;
    std::string& label = made.instruction.label;
    if (label.empty())
      rename(made.instruction);
    else if (scopes_.size() > 1)
      label = scopes_.back().labels[label] = label + "{" + std::to_string(scopes_.back().number) + "}";
    function_->body.push_back(std::move(made));
  }

  std::string named(const std::string& name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto found = scope->names.find(name); found != scope->names.end()) return found->second;
    // Of %r<4> by its number.
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (digits == 0 || digits >= name.size()) break;
      if (const auto found = scope->names.find("<" + name.substr(0, digits)); found != scope->names.end())
        return found->second + name.substr(digits);
    }
    return name;
  }
  void rename(Instruction& one) const {
    if (scopes_.size() <= 1) return;
    if (!one.predicate.empty()) one.predicate = named(one.predicate);
    for (Operand& operand : one.operands)
      each_name(operand, [&](std::string& name) {
        if (!name.empty()) name = named(name);
      });
  }

  Pace pace_;
  Module module_;
  std::map<std::string, std::size_t, std::less<>> functions_;  // by name: in module_
  std::vector<std::size_t> lines_{0};                          // where each begins
  Function* function_ = nullptr;
  std::vector<Scope> scopes_;
  int blocks_ = 0;
  int location_ = -1;
  std::map<std::array<int, 4>, int> places_;  // index of a location
  static constexpr int kNamedFile = 1 << 30;  // and its place in the next, until all files are known
  std::vector<std::string> named_files_;
};

}  // namespace

std::uint64_t bytes_of(std::string_view type) {
  if (type == "pred") return 1;
  const std::size_t digits = type.find_first_of("0123456789");
  if (digits == std::string_view::npos || digits == 0) return 0;
  const auto bits = number_in<std::uint64_t>(type.substr(digits, type.find('x') - digits));
  return bits && *bits % 8 == 0 && *bits <= 128 ? *bits / 8 : 0;
}

const Function* Module::function(std::string_view name) const {
  const auto found = std::ranges::find(functions, name, &Function::name);
  return found == functions.end() ? nullptr : &*found;
}

bool is_module(std::string_view text) {
  class Begin : private Reader {
   public:
    explicit Begin(std::string_view text) : Reader(text) {}
    bool is_ptx() { return skip_space() && text_.substr(at_).starts_with(".version"); }
  };
  return Begin(text).is_ptx();
}

Module parse_module(std::string_view text, Budget& budget) {
  return ModuleReader(text, budget).read();
}

std::string_view type_of_register(const Function& function, std::string_view name) {
  if (const auto found = function.registers.find(name); found != function.registers.end())
    return found->second;
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits == 0 || digits >= name.size()) return {};
  const auto many = function.registers.find("<" + std::string(name.substr(0, digits)));
  return many == function.registers.end() ? std::string_view{} : many->second;
}

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return name;  // "f" would be the type float
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> read(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status != 0 || !read ? name : read.get();
}

std::string plain_name(const std::string& name) {
  const std::string whole = demangled(name);
  if (whole == name) return name;
  std::string_view plain = whole;
  // "turn<32, 16>(float*)::tile": behind the last :: outside of brackets.
  int depth = 0;
  std::size_t first = 0, end = plain.size();
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    if (c == '(' && depth == 0 && i > 0) end = i;
    depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
    if (depth == 0 && plain.substr(i).starts_with("::")) first = i + 2, end = plain.size();
    if (depth == 0 && c == ' ' && end == plain.size()) first = i + 1;  // the type of the result
  }
  return std::string(plain.substr(first, end - first));
}

}  // namespace warplens::sim::lower::ptx
