// Any bytes end in a result, and soon: deep nesting, exploding macros, mutated programs.
#include <algorithm>
#include <random>

#include "sim/lower/builtins/colour.h"
#include "tests/cuda/check.h"

namespace warplens::cuda {
namespace {

std::string repeated(std::string_view piece, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += piece;
  return out;
}

bool complains(std::string_view text, std::string_view words) {
  std::vector<Diagnostic> diagnostics = parse(text).diagnostics;
  return std::any_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& d) {
    return d.message.english().find(words) != std::string::npos;
  });
}

constexpr std::string_view kOpen = "__global__ void k(int* p) { ";

TEST(Depth, IsLimitedInWords) {
  for (const char* piece : {"(", "{", "-", "p[", "if (1) ", "for (;;) ", "x ? ", "(int*)", "f(", "!", "do ",
                            "*&", "switch (1) {", "float4{", "else if (1) ; ", "p[0] = f<int>("}) {
    std::string text = std::string(kOpen) + (std::string_view(piece) == "else if (1) ; " ? "if (1) ; " : "");
    EXPECT_TRUE(complains(text + repeated(piece, 100'000), "nested too deeply")) << piece;
  }
}

TEST(Depth, OfLongChainsIsLimitedToo) {
  for (const char* piece : {" + 1", ".y", "[0]", ", 1", "()", "++"}) {
    EXPECT_TRUE(complains(std::string(kOpen) + "p = x" + repeated(piece, 100'000) + "; }", "too long"))
        << piece;
  }
  EXPECT_FALSE(
      has_errors(parse(std::string(kOpen) + "p[0] = 1" + repeated(" + 1", 500) + "; }").diagnostics));
}

TEST(Depth, OfReasonableCodeIsFine) {
  std::string nested = std::string(kOpen) + repeated("if (p[0]) { ", 60) + "p[0] = " + repeated("(1 + ", 60) +
                       "1" + repeated(")", 60) + ";" + repeated("}", 61);
  EXPECT_EQ(messages(nested), "");
}

TEST(Macros, ThatExplodeAreStopped) {
  std::string doubling;
  for (int i = 0; i < 60; ++i) {
    std::string name = "A" + std::to_string(i + 1);
    doubling += "#define A" + std::to_string(i) + " " + name + " " + name + "\n";
  }
  EXPECT_TRUE(complains(doubling + "int x = A0;", "1,000,000 tokens"));
  std::string calls = "#define F(x) x x\nint x = " + repeated("F(", 60) + "1" + repeated(")", 60) + ";";
  EXPECT_TRUE(complains(calls, "1,000,000 tokens"));
  EXPECT_TRUE(complains("#define F(x) x\nint x = " + repeated("F(", 5000) + "1" + repeated(")", 5000) + ";",
                        "nested too deeply"));
  EXPECT_TRUE(complains("#define F(x) x\nint x = " + repeated("F(", 100'000), "do not end"));
}

TEST(Macros, InALongChainAreFine) {
  std::string chain;
  for (int i = 0; i < 20'000; ++i)
    chain += "#define B" + std::to_string(i) + " B" + std::to_string(i + 1) + "\n";
  EXPECT_EQ(tree(chain + "const int x = B0;"), "const int x = B20000;\n");
}

TEST(Size, IsLimited) {
  EXPECT_TRUE(complains(std::string((4 << 20) + 1, ' '), "larger than 4 MiB"));
  EXPECT_TRUE(parse(std::string(4 << 20, ' ')).diagnostics.empty());
  EXPECT_TRUE(complains(repeated("; ", 2'000'001), "2,000,000 tokens"));
}

TEST(Size, UnclosedThingsEnd) {
  for (const char* piece : {"#if 1\n",
                            "#if (",
                            "template <",
                            "struct S { ",
                            "namespace a { ",
                            "void f() { k<<<1,(",
                            "typedef int ",
                            "using X = ",
                            "enum { a = ",
                            "const int a = 1 + ( ",
                            "\\\n",
                            "\"",
                            "'",
                            "/*",
                            "a<",
                            "k<<<1,1>>>(x); ",
                            "const int a = x<b<c<; ",
                            "#define F(x) F(x\n",
                            "R\"(",
                            "}",
                            ")",
                            "__global__ ",
                            "__device__ void ",
                            "template <int A> ",
                            "extern \"C\" { "}) {
    parse(repeated(piece, 20'000));
  }
}

// ---- invariants ----

void check_range(const SourceRange& range, std::size_t size) {
  EXPECT_GE(range.begin.offset, 0);
  EXPECT_LE(range.begin.offset, range.end.offset);
  EXPECT_LE(static_cast<std::size_t>(range.begin.offset), size);
  EXPECT_GE(range.begin.line, 1);
  EXPECT_GE(range.begin.column, 1);
}

void check_colours(std::string_view text) {
  int end = 0;
  for (const ColouredToken& token : colour_tokens(text)) {
    ASSERT_GE(token.begin, end);
    ASSERT_GT(token.end, token.begin);
    ASSERT_LE(static_cast<std::size_t>(token.end), text.size());
    end = token.end;
  }
}

void check_everything(const std::string& text) {
  ParseResult result = parse(text);
  for (const Diagnostic& diagnostic : result.diagnostics) {
    check_range(diagnostic.range, text.size());
    std::string out = render(diagnostic, text, "k.cu");
    ASSERT_EQ(out.back(), '\n');
  }
  for (const Function& function : result.unit.functions)
    if (function.range.begin.offset < result.unit.library) check_range(function.range, text.size());
  EXPECT_LE(result.diagnostics.size(), 100u);
  dump(result.unit);
  check_colours(text);
  parse_expression(text.substr(0, 200));
}

const char* const kTexts[] = {"transpose.cu", "sgemm_vectorised.cu", "reduction.cu", "histogram_stencil.cu"};

std::string mutated(std::string text, std::mt19937& random) {
  static const std::string kPieces[] = {
      "(",      ")",         "{",        "}",       "<",        ">",      "[",          "]",          ";",
      ",",      "\"",        "'",        "#",       "\n",       "\\\n",   "/*",         "*/",         "//",
      "<<<",    ">>>",       "##",       "::",      "template", "struct", "__global__", "__shared__", "#if",
      "#endif", "#define X", "operator", "0x",      "1e",       "if",     "for",        "\xff",       "const",
      "...",    "=",         "->",       "typedef", "enum",     "using",  "sizeof",     "case"};
  int changes = 1 + static_cast<int>(random() % 4);
  for (int i = 0; i < changes && !text.empty(); ++i) {
    std::size_t at = random() % text.size();
    std::size_t length = 1 + random() % 20;
    switch (random() % 5) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, kPieces[random() % std::size(kPieces)]);
        break;
      case 2:
        text.insert(at, text.substr(random() % text.size(), length * 3));
        break;
      case 3:
        text[at] = static_cast<char>(random() % 256);
        break;
      default:
        if (random() % 8 == 0)
          text.resize(at);
        else
          text.erase(at, 1);
        break;
    }
  }
  return text;
}

TEST(Fuzz, MutatedProgramsEnd) {
  std::mt19937 random(20240521);
  for (const char* name : kTexts) {
    std::string text = read_text(name);
    for (int i = 0; i < 700; ++i) {
      check_everything(mutated(text, random));
      ASSERT_FALSE(HasFailure()) << name << ", mutation " << i;
    }
  }
}

TEST(Fuzz, EveryPrefixEnds) {
  for (const char* name : kTexts) {
    std::string text = read_text(name);
    for (std::size_t length = 0; length < text.size(); length += 7) check_everything(text.substr(0, length));
  }
}

TEST(Fuzz, RandomTokensEnd) {
  static const std::string kWords[] = {"int",        "float4",
                                       "T",          "x",
                                       "f",          "(",
                                       ")",          "{",
                                       "}",          "<",
                                       ">",          "[",
                                       "]",          ";",
                                       ",",          "*",
                                       "&",          "=",
                                       "+",          "-",
                                       "::",         ".",
                                       "->",         "?",
                                       ":",          "1",
                                       "2.5f",       "template",
                                       "struct",     "__global__ void k(",
                                       "__device__", "const",
                                       "if",         "else",
                                       "for",        "while",
                                       "do",         "switch",
                                       "case",       "default",
                                       "return",     "using",
                                       "typedef",    "enum",
                                       "sizeof",     "static_cast<",
                                       "operator",   "namespace",
                                       "extern",     "\n#define F(x) x\n",
                                       "F",          "<<<",
                                       ">>>",        "\"C\"",
                                       "'a'",        "auto",
                                       "constexpr",  "__shared__",
                                       "...",        "~",
                                       "#"};
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    std::string text = i % 2 ? std::string(kOpen) : "";
    for (int n = static_cast<int>(random() % 80); n > 0; --n)
      text += kWords[random() % std::size(kWords)] + " ";
    check_everything(text);
    ASSERT_FALSE(HasFailure()) << text;
  }
}

}  // namespace
}  // namespace warplens::cuda
