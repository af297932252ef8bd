// Any bytes end in a result, and soon: deep nesting, exploding macros. Mutated programs: tests/fuzz.
#include <algorithm>

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
  EXPECT_EQ(messages(chain + "#if B0 == 0\n#error reached\n#endif\n"), "20002:1 #error: reached");
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

}  // namespace
}  // namespace warplens::cuda
