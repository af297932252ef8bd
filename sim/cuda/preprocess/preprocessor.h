// Turns a text into the tokens that a parser sees: directives are obeyed, macros expanded, comments removed.
//
// #include inserts the text of a header that was read beforehand (text/headers.h), and is ignored otherwise:
// the contents of CUDA and standard headers are built in. Every token keeps its place in the text; a token
// from a macro's body has the place of the macro's use.
#pragma once

#include <climits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/cuda/parse/parse.h"
#include "sim/cuda/text/headers.h"
#include "sim/cuda/text/lexer.h"
#include "sim/cuda/text/source.h"

// A macro as defined, and the macros that exist before the first line.

namespace warplens::cuda {

struct Macro {
  enum class Origin { Predefined, CommandLine, Text };

  std::string_view name;
  bool function_like = false;
  bool variadic = false;  // the last parameter takes the rest
  std::vector<std::string_view> parameters;
  std::vector<Token> body;
  Origin origin = Origin::Text;
  int being_expanded = 0;
};

bool same_definition(const Macro& a, const Macro& b);

// "INT_MAX" -> "2147483647": the constants of the standard and CUDA headers, which #include would define. A
// text may redefine one without a message.
struct PredefinedMacro {
  std::string_view name, parameters, body;  // parameters: "(x)" or empty
};
const PredefinedMacro* predefined_macro(std::string_view name);  // null where there is none

class Preprocessor {
 public:
  // All of them outlive the tokens. `text` ends with the texts of the headers, if there are any: header i
  // begins at `begins[i]`, and the file's own text ends at `own_size`.
  struct Source {
    std::string_view text;
    std::size_t own_size = 0;
    const Headers* headers = nullptr;
    std::vector<std::size_t> begins = {};
  };
  Preprocessor(Source source, SpellingArena& arena, DiagnosticSink& sink, Budget& budget);
  Preprocessor(std::string_view text, SpellingArena& arena, DiagnosticSink& sink, Budget& budget)
      : Preprocessor(Source{text, text.size()}, arena, sink, budget) {}

  void define_all(const Defines& defines);
  std::vector<Token> run();  // ends with a token of kind End
  const std::vector<std::string>& ignored_includes() const { return ignored_includes_; }
  // At the end of the text: the values of its own macros without parameters, by name.
  std::vector<std::pair<std::string, std::string>> values();

 private:
  using MacroPtr = std::shared_ptr<Macro>;
  using Tokens = std::vector<Token>;
  struct Context {  // tokens to be read before the text goes on
    MacroPtr macro;
    Tokens tokens;
    std::size_t next = 0;
  };
  struct Open {  // a text that is being read
    Lexer lexer;
    int header = kOwnText;
    std::size_t conditionals = 0;  // open where it began
  };
  struct Conditional {  // an #if and its branches
    int begin = 0, end = 0;
    bool taken = false;  // one of its branches was
    bool seen_else = false;
  };

  // Directives.
  Token from_text();
  void directive(const Token& hash);
  Tokens rest_of_line();
  void conditional_directive(const Token& name, const Tokens& line);
  void define_directive(const Tokens& line, Macro::Origin origin);
  bool macro_parameters(const Tokens& line, std::size_t& i, Macro& macro);
  void add_macro(MacroPtr macro, const Token& name);
  MacroPtr find_macro(std::string_view name);  // null where there is none
  void undef_directive(const Token& directive_name, const Tokens& line);
  void error_directive(const Token& name, const Tokens& line);
  void skip_group();
  void include_directive(const Token& hash, const Token& name, Tokens line);
  int find_header(const std::string& written) const;  // or kNoHeader
  void open(int header);
  void leave_header();
  Lexer& lexer() { return open_.back().lexer; }
  bool enters_branch(const Token& name, const Tokens& line);
  bool condition(const Token& name, Tokens line);
  void replace_defined(Tokens& line);
  void define_text(std::string_view definition, Macro::Origin origin);

  // Expansion.
  Token next_raw();
  void leave_contexts();
  bool next_is_open_parenthesis();
  Token next_expanded();
  bool expand(const Token& name, MacroPtr macro);
  bool expand_special(const Token& name);
  bool collect_arguments(const Token& name, const Macro& macro, std::vector<Tokens>& arguments, int& end);
  bool arguments_fit(const Token& name, const Macro& macro, std::vector<Tokens>& arguments);
  Tokens substitute(const Macro& macro, const std::vector<Tokens>& arguments, int begin, int end);
  static int parameter_at(const Macro& macro, std::size_t i);
  static bool drop_comma(const Macro& macro, std::size_t i, const std::vector<Tokens>& arguments,
                         Tokens& result);
  void append(Tokens& result, const Tokens& piece, bool pasting, int begin, int end);
  void paste(Tokens& result, const Token& right, int begin, int end);
  bool short_enough(std::size_t bytes, int begin, int end);
  Token stringize(const Tokens& argument, int begin, int end);
  Tokens expand_all(Tokens tokens);
  void push(MacroPtr macro, Tokens tokens);
  bool spend(std::size_t tokens, int begin, int end);

  Source source_;
  std::string_view text_;
  SpellingArena& arena_;
  DiagnosticSink& sink_;
  Pace pace_;
  std::vector<Open> open_;       // the file, and the headers being read in it
  std::vector<bool> read_once_;  // by header: #pragma once
  bool read_own_ = false;        // the own text was begun
  int library_ = INT_MAX;        // where that of libraries begins: to the end
  std::size_t headers_read_ = 0;
  std::unordered_map<std::string_view, MacroPtr> macros_;  // null: undefined, a predefined one too
  std::vector<Context> contexts_;
  std::vector<Conditional> conditionals_;
  int isolation_ = 0;  // > 0 while a list of its own is expanded: its end is the end
  std::size_t expanded_tokens_ = 0;
  bool exhausted_ = false;  // no macro is expanded any more
  int counter_ = 0;
  std::vector<std::string> ignored_includes_;  // "helper.h", not <cuda.h>
};

// The value of an #if expression in which macros are expanded and `defined` replaced; tokens end with End.
// Empty if it is not an integer constant expression, which has then been reported.
std::optional<std::int64_t> evaluate_condition(const std::vector<Token>& tokens, std::string_view text,
                                               DiagnosticSink& sink, Budget& budget);

// `__attribute__((...))` and `[[...]]` as the parser sees them: only those of a struct that determine its
// layout in memory.
inline constexpr std::string_view kAttributeWords = "__attribute_words__";  // what the macro leaves of one
inline constexpr std::string_view kPacked = "__packed_struct__";

// After `struct`, `union`, `class` and after a '}', `aligned(16)` becomes `__align__(16)` and `packed` a word
// of its own. Elsewhere attributes are removed.
std::vector<Token> settle_attributes(std::vector<Token> tokens);

}  // namespace warplens::cuda
