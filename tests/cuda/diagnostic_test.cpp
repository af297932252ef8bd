// Mistakes in device code: exact places and words beside those of tests/language/diagnostic_table_test.cpp,
// recovery, and how a diagnostic looks.
#include "tests/cuda/check.h"

namespace warplens::cuda {
namespace {

// The messages of one statement in a kernel on line 2.
std::string complaint(std::string_view statement) {
  return messages("__global__ void k(float* p, int x) {\n" + std::string(statement) + "\n}\n");
}

TEST(Mistakes, AreSaidWhereTheyAre) {
  EXPECT_EQ(complaint("int y = 5"), "2:10 expected ';' after the declaration");
  EXPECT_EQ(complaint("p[0] = 1.0f 2;"), "2:12 expected ';' after the expression, before '2'");
  EXPECT_EQ(complaint("x = f(1, );"), "2:10 expected an argument after ','");
  EXPECT_EQ(complaint("x = x ? 1;"), "2:10 expected ':' in the conditional expression '? :', not ';'");
  EXPECT_EQ(complaint("p.3 = 1;"), "2:2 expected ';' after the expression, before '.3'");
  EXPECT_EQ(complaint("p-> = 1;"), "2:5 expected the name of a member after '->', not '='");
  EXPECT_EQ(complaint("unsigned float y;"), "2:1 these words do not make a type together");
  EXPECT_EQ(complaint("case 1: x = 1;"), "2:1 'case' must stand directly in the block of its switch");
  EXPECT_EQ(complaint("if x > 3) x = 1;"), "2:4 expected '(' after 'if', not 'x'");
  EXPECT_EQ(complaint("for (int i = 0, i < 3; i++) x = i;"),
            "2:19 expected ';' after the first part of 'for', not '<'");
  EXPECT_EQ(complaint("while (x > 2 { x = 0; }"),
            "2:13 expected ')' after the condition of 'while', before '{'");
  EXPECT_EQ(complaint("do { x = 1; } while (x) x = 2;"),
            "2:24 expected ';' after 'do ... while (...)', before 'x'");
  EXPECT_EQ(complaint("int a[2] = {1, 2;"), "2:17 expected '}' after the list of initial values, before ';'");
  EXPECT_EQ(complaint("int a[3;"), "2:8 expected ']' after the array's extent, before ';'");
  EXPECT_EQ(complaint("x = static_cast<int x;"),
            "2:20 expected '>' after the type of 'static_cast', before 'x'");
  EXPECT_EQ(complaint("x = 3 $ 4;"), "2:6 expected ';' after the expression, before '$'");
  EXPECT_EQ(complaint("x = 'a;"), "2:5 this character literal does not end");
}

TEST(Mistakes, InLiterals) {
  EXPECT_EQ(complaint("x = 1f;"), "2:5 a float literal needs a point or an exponent: write '1.0f'");
  EXPECT_EQ(complaint("x = 0x;"), "2:5 a number needs digits after '0x'");
  EXPECT_EQ(complaint("x = 12q;"), "2:5 'q' is not a suffix of an integer literal");
  EXPECT_EQ(complaint("x = 1.5q;"), "2:5 'q' is not a suffix of a floating-point literal");
  EXPECT_EQ(complaint("x = 99999999999999999999;"), "2:5 the integer does not fit in 64 bits");
  EXPECT_EQ(complaint("x = '';"), "2:5 a character literal needs a character");
  EXPECT_EQ(complaint("x = 'ab';"), "2:5 a character literal holds one character of one byte");
}

TEST(Unsupported, IsSaidOnceAndClearly) {
  EXPECT_EQ(complaint("asm goto(\"bra %l0;\" :::: end);"), "2:5 asm goto is not supported");
  EXPECT_EQ(complaint("asm(\"mov\" : [x] \"=r\"(x));"), "2:13 named asm operands are not supported");
  EXPECT_EQ(complaint("delete[] p;"), "2:1 delete is not supported in a kernel");
  EXPECT_EQ(complaint("for (int v : list) x += v;"), "");
  EXPECT_EQ(complaint("p[0] = tex2D(t, 1, 2);"), "");
  EXPECT_EQ(complaint("decltype(x) y = 1;"), "");
  EXPECT_EQ(complaint("decltype(1, ) y = 1;"), "2:13 expected an expression, not ')'");
  EXPECT_EQ(complaint("float (*q)(int) = 0;"), "");
  EXPECT_EQ(complaint("auto [a, b] = p2;"), "");
  EXPECT_EQ(complaint("auto [a, 1] = p2;"), "2:10 expected the name of a variable, not '1'");
  EXPECT_EQ(complaint("auto q = dynamic_cast<float*>(p);"),
            "2:10 dynamic_cast is not supported in device code");
  EXPECT_EQ(complaint("again: x = 1;"), "");  // a label does nothing by itself
}

TEST(Unsupported, InDeclarations) {
  EXPECT_EQ(messages("__device__ void f(int (*g)(int)) {}"), "");
  EXPECT_EQ(messages("template <> __global__ void k<int>(int* p) {}"), "");
  EXPECT_EQ(messages("__device__ int S::f() { return 1; }"),
            "1:17 a member function defined outside of its struct is not supported here");
  EXPECT_EQ(messages("struct B {}; struct D : B {}; __global__ void k(D* d) {}"), "");
  EXPECT_EQ(messages("union U { int a; float b; }; __global__ void k(U* u) {}"), "");
  EXPECT_EQ(messages("template <class T> __device__ struct S { T x; };"),
            "1:1 the words in front of the struct of this template are not understood");
}

TEST(Recovery, AtStatementsAndFunctions) {
  EXPECT_EQ(messages("__global__ void a(float* p) {\n  p[0] = ;\n  p[1] = (1;\n  if (p[2] { }\n}\n"
                     "__global__ void b(float* p {\n  p[0] = 1;\n}\n"
                     "__global__ void c(float* p) {\n  p[0] 1;\n}\n"),
            "2:10 expected an expression, not ';'\n"
            "3:12 expected ')' after the expression in parentheses, before ';'\n"
            "4:11 expected ')' after the condition of 'if', before '{'\n"
            "6:27 expected ')' after the parameters, before '{'\n"
            "10:7 expected ';' after the expression, before '1'");
}

TEST(Recovery, AfterAMissingBraceAtTheNextFunction) {
  std::string text =
      "__global__ void a(int* p) { if (p) { p[0] = 1; }\n"
      "template <int N>\n"
      "__device__ int b() { return N; }\n"
      "static __device__ int c() { for (;;) { return 1; }\n"
      "extern \"C\" __global__ void d() { }\n";
  ParseResult result = parse(text);
  EXPECT_EQ(messages(text),
            "2:1 expected '}' at the end of 'a' before 'template'\n"
            "5:1 expected '}' at the end of 'c' before 'extern'");
  ASSERT_EQ(result.unit.functions.size(), 4u);
  EXPECT_EQ(result.unit.functions[3].name, "d");
}

TEST(Recovery, StrayAndOpenBraces) {
  EXPECT_EQ(messages("__global__ void a() { } }\n__global__ void b() { }"), "1:25 this '}' has no '{'");
  EXPECT_EQ(messages("__global__ void a() { if (1) {\n"),
            "1:31 expected '}' at the end of the block, before the end of the file");
  EXPECT_EQ(messages("__global__ void a()"), "1:20 expected the body of 'a', before the end of the file");
}

TEST(Recovery, EndsAfterTwentyErrors) {
  std::string text = "__global__ void k(int x) {\n";
  for (int i = 0; i < 50; ++i) text += "x = ;\n";
  std::vector<Diagnostic> diagnostics = parse(text + "}").diagnostics;
  ASSERT_EQ(diagnostics.size(), 21u);
  EXPECT_EQ(diagnostics[19].range.begin.line, 21);
  EXPECT_EQ(diagnostics[20].severity, Severity::Note);
  EXPECT_EQ(diagnostics[20].message, "stopped here: too many errors");
}

TEST(Render, UnderlinesTheRange) {
  std::string text = "__global__ void k(int x) {\n  x = static_cast<float>(1f);\n}\n";
  EXPECT_EQ(rendered(parse(text).diagnostics, text),
            "k.cu:2:26: error: a float literal needs a point or an exponent: write '1.0f'\n"
            "    x = static_cast<float>(1f);\n"
            "                           ^~\n");
}

TEST(Render, TabsAndOtherScriptsKeepTheCaretInPlace) {
  Diagnostic d{Severity::Warning, {{8, 1, 9}, {9, 1, 10}}, Message("here"), Message("do that")};
  EXPECT_EQ(render(d, "\tx\xC3\xA9\xE2\x82\xAC = y;\r\n", "a.cu"),
            "a.cu:1:9: warning: here\n      x\xC3\xA9\xE2\x82\xAC = y;\n          ^\n  do that\n");
}

TEST(Render, CutsLongLinesAroundTheCaret) {
  std::string text = std::string(500, 'a') + "@" + std::string(500, 'b');
  Diagnostic d{Severity::Error, {{500, 1, 501}, {501, 1, 502}}, Message("here"), {}};
  std::string out = render(d, text, "a.cu");
  EXPECT_EQ(out, "a.cu:1:501: error: here\n  ..." + std::string(80, 'a') + "@" + std::string(79, 'b') +
                     "...\n" + std::string(2 + 3 + 80, ' ') + "^\n");
}

TEST(Render, TakesAnyPlace) {
  EXPECT_EQ(render({Severity::Note, {}, Message("empty"), {}}, "", "a.cu"),
            "a.cu:1:1: note: empty\n  \n  ^\n");
  Diagnostic beyond{Severity::Error, {{900, 9, 9}, {2, 1, 1}}, Message("beyond"), {}};
  EXPECT_EQ(render(beyond, "ab\ncd", "a.cu"), "a.cu:9:9: error: beyond\n  cd\n    ^\n");
}

}  // namespace
}  // namespace warplens::cuda
