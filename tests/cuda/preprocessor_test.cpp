// Macros, conditionals and the places of what they make.
#include "tests/cuda/check.h"

namespace warplens::cuda {
namespace {

TEST(Macros, ObjectAndFunctionLike) {
  EXPECT_EQ(body("n = N; n = TWICE(3) * TWICE(TWICE(n));", "#define N 7\n#define TWICE(x) ((x) * 2)\n"),
            "(n = 7); (n = ((3 * 2) * ((n * 2) * 2)));");
  EXPECT_EQ(
      body("n = AREA; n = F; n = F (4);", "#define W 3\n#define AREA (W * H)\n#define H 2\n#define F(x) x\n"),
      "(n = (3 * 2)); (n = F); (n = 4);");
  EXPECT_EQ(body("n = EMPTY() ONE(); n = PAIR((1, 2), 3);",
                 "#define EMPTY()\n#define ONE() 1\n#define PAIR(a, b) a + b\n"),
            "(n = 1); (n = ((1 , 2) + 3));");
}

TEST(Macros, LinesMayBeSplicedAndCommented) {
  EXPECT_EQ(body("n = SUM(1,\n 2);", "#define SUM(a, b) \\\n  a + /* and */ \\\n  b // done\n"),
            "(n = (1 + 2));");
  EXPECT_EQ(body("n = 1\\\n2;"), "(n = 12);");
}

TEST(Macros, StringizePasteAndVariadic) {
  EXPECT_EQ(body("f(STR(a + \"b\"));", "#define STR(x) #x\n"), "f(\"a + \"b\"\");");
  EXPECT_EQ(body("int CAT(x, 1) = 2; n = CAT(, 3);", "#define CAT(a, b) a##b\n"), "int x1 = 2; (n = 3);");
  EXPECT_EQ(body("f(XCAT(P, Q));",
                 "#define P x\n#define Q y\n#define CAT(a, b) a##b\n#define XCAT(a, b) CAT(a, b)\n"),
            "f(xy);");
  EXPECT_EQ(body("LOG(\"a\"); LOG(\"b\", 1, 2); V();",
                 "#define LOG(f, ...) printf(f, ##__VA_ARGS__)\n#define V(...) g(__VA_ARGS__)\n"),
            "printf(\"a\"); printf(\"b\", 1, 2); g();");
}

TEST(Macros, DoNotExpandThemselves) {
  EXPECT_EQ(body("n = n1 + A;", "#define A B + A\n#define B A * 2\n"), "(n = ((n1 + (A * 2)) + A));");
  EXPECT_EQ(body("f(1);", "#define f(x) f(x + 1)\n"), "f((1 + 1));");
  EXPECT_EQ(body("n = OBJ(3);", "#define OBJ FUN\n#define FUN(x) (x * 2)\n"), "(n = (3 * 2));");
}

TEST(Macros, UndefAndRedefine) {
  EXPECT_EQ(body("n = N;\n#undef N\nn = N;\n#define N 2\nn = N;\n", "#define N 1\n"),
            "(n = 1); (n = N); (n = 2);");
}

TEST(Macros, PredefinedUnlessTheTextDefinesThem) {
  EXPECT_EQ(body("n = INT_MAX; m = UINT_MAX; a[0] = FLT_MAX;"),
            "(n = 2147483647); (m = 4294967295u); (a[0] = 3.40282347e+38f);");
  EXPECT_EQ(body("a[0] = M_PI;", "#define M_PI 3.0f\n"), "(a[0] = 3.0f);");
  EXPECT_EQ(body("n = __CUDA_ARCH__; m = __LINE__;"), "(n = 900); (m = 2);");
}

TEST(Defines, FromOutsideWinOverGuardedDefaults) {
  std::string text = "#ifndef PAD\n#define PAD 1\n#endif\n__global__ void k() { int x = PAD; }";
  EXPECT_EQ(tree(text), "kernel k() { int x = 1; }\n");
  EXPECT_EQ(tree(text, {{"PAD", "2"}}), "kernel k() { int x = 2; }\n");
  EXPECT_EQ(tree(text, {{"PAD", ""}}), "kernel k() { int x = 1; }\n");
}

TEST(Defines, FromOutsideLoseToAnUnguardedDefinitionWithAWarning) {
  std::string text = "#define PAD 1\n__global__ void k() { int x = PAD; }";
  ParseResult result = parse(text, {{"PAD", "2"}});
  EXPECT_EQ(dump(result.unit), "kernel k() { int x = 1; }\n");
  EXPECT_EQ(
      rendered(result.diagnostics, text),
      "k.cu:1:9: warning: this replaces the value of 'PAD' that was given from outside\n  #define PAD 1\n"
      "          ^~~\n  put it between #ifndef PAD and #endif\n");
  EXPECT_TRUE(parse(text, {{"PAD", "1"}}).diagnostics.empty());
  EXPECT_EQ(messages(text, {{"3x", "1"}}), "1:1 '3x' is no name that can be defined");
}

// The value of the branch that is taken.
std::string taken(std::string_view condition) {
  return body("n = \n#if " + std::string(condition) + "\n1\n#else\n0\n#endif\n;",
              "#define THREE 3\n#define EMPTY\n");
}

TEST(Conditionals, EvaluateTheirConditions) {
  for (const char* yes :
       {"1", "THREE == 3", "defined(THREE) && defined THREE", "!defined(FOUR)", "UNKNOWN == 0",
        "1 + 2 * 3 == 7", "(1 << 4) > 15 && -1 < 0", "0 ? 0 : 1", "__CUDA_ARCH__ >= 700", "~0 == -1",
        "1 || 1 / 0", "'a' == 97", "0x10 == 16 && 10u == 10", "true", "7 % 4 == 3 && 7 / 4 == 1"}) {
    EXPECT_EQ(taken(yes), "(n = 1);") << yes;
  }
  for (const char* no : {"0", "THREE != 3", "defined(FOUR)", "UNKNOWN", "false", "0 && 1 / 0", "1 ? 0 : 1",
                         "__has_include(<x>)", "EMPTY + 0"}) {
    EXPECT_EQ(taken(no), "(n = 0);") << no;
  }
}

TEST(Conditionals, TakeOneBranch) {
  std::string text = "#if A == 1\n1\n#elif A == 2\n2\n#elif A == 2 || A == 3\n3\n#else\n4\n#endif\n";
  for (int a = 1; a <= 4; ++a) {
    std::string value = std::to_string(a);
    EXPECT_EQ(body("n =\n" + text + ";", "#define A " + value + "\n"), "(n = " + value + ");");
  }
}

TEST(Conditionals, NestAndHideEverythingInSkippedBranches) {
  EXPECT_EQ(
      body("#ifdef NO\n#if 1 / 0\n#error no\n#else\n\"open\n#endif\n#include <x>\n#else\nn = 1;\n#endif\n"),
      "(n = 1);");
  EXPECT_EQ(body("\n#if 1\n#if 0\nn = 0;\n#else\nn = 1;\n#endif\n#elif 1 / 0\n#endif\n"), "(n = 1);");
}

TEST(Directives, Mistakes) {
  EXPECT_EQ(messages("#error no luck\n"), "1:1 #error: no luck");
  EXPECT_EQ(messages("#if 1\n"), "1:1 this conditional has no #endif");
  EXPECT_EQ(messages("#endif\n#else\n"), "1:1 #endif without #if\n2:1 #else without #if");
  EXPECT_EQ(messages("#if 0\n#else\n#else\n#endif"), "3:1 #else after #else");
  EXPECT_EQ(messages("#if 1 +\n#endif"), "1:8 in this condition, a value or an operator is missing");
  EXPECT_EQ(messages("#if 1 / 0\n#endif"), "1:7 in this condition, a division by zero");
  EXPECT_EQ(messages("#if 1.5\n#endif"), "1:5 in this condition, only integers can stand");
  EXPECT_EQ(messages("#frobnicate\n"), "1:1 '#frobnicate' is no preprocessor directive");
  EXPECT_EQ(messages("#define 3\n"), "1:9 #define needs a name");
  EXPECT_EQ(messages("#define F(a b) 1\n"), "1:13 the parameters of macro 'F' are malformed");
  EXPECT_EQ(messages("#define F(a) a\nint x = F(1, 2);"), "2:9 macro 'F' takes 1 argument, not 2");
  EXPECT_EQ(messages("#define F(a) a\nint x = F(1, 2;"), "2:9 the arguments of macro 'F' do not end");
  EXPECT_EQ(messages("#define CAT(a, b) a##b\nint x = CAT(+, /);"),
            "2:9 '##' gives '+/', which is no single token");
  EXPECT_EQ(messages("int x; /* open"), "1:8 this comment does not end");
}

// What stands in the text where an expression is said to be.
std::string place_of_assignment(std::string_view macros, std::string_view statement) {
  std::string text =
      std::string(macros) + "__global__ void k(float* a, int i) { " + std::string(statement) + " }";
  ParseResult result = parse(text);
  EXPECT_TRUE(result.diagnostics.empty());
  const auto& block = std::get<CompoundStmt>(result.unit.functions.at(0).body->node);
  const auto& expr = std::get<ExprStmt>(block.body.at(0)->node).expr;
  const SourceRange range = std::get<AssignExpr>(expr->node).value->range;
  return text.substr(range.begin.offset, range.end.offset - range.begin.offset);
}

TEST(Places, InsideAMacroAreThePlaceOfItsUse) {
  EXPECT_EQ(place_of_assignment("#define N 3 + 4\n", "i = N;"), "N");
  EXPECT_EQ(place_of_assignment("#define AT(p, x) p[x]\n", "a[0] = AT(a, i + 1);"), "AT(a, i + 1)");
  EXPECT_EQ(place_of_assignment("#define IX(r, c) ((r) * 4 + (c))\n", "a[0] = a[IX(i, 2)];"), "a[IX(i, 2)]");
  EXPECT_EQ(place_of_assignment("#define F4(x) (reinterpret_cast<float4*>(&(x))[0])\n", "a[0] = F4(a[i]).x;"),
            "F4(a[i]).x");
  EXPECT_EQ(place_of_assignment("#define ID(x) x\n", "a[0] = ID(a[i]);"), "a[i]");
}

}  // namespace
}  // namespace warplens::cuda
