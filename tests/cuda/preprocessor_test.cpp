// Conditionals, what is defined already, and the places of what macros make. What macros make:
// tests/language/kernels/cpp.cu.
#include "tests/cuda/check.h"

namespace warplens::cuda {
namespace {

// Which of the text's #error lines are reached, each called after what it says: "1 2". Another mistake is
// one.
std::string reached(const std::string& text, const Defines& defines = {}) {
  std::string words;
  for (const Diagnostic& d : parse(text, defines).diagnostics) {
    const std::string message = d.message.english(), error = "#error: ";
    EXPECT_TRUE(d.severity == Severity::Warning || message.starts_with(error)) << message;
    if (message.starts_with(error)) words += (words.empty() ? "" : " ") + message.substr(error.size());
  }
  return words;
}

TEST(Macros, PredefinedUnlessTheTextDefinesThem) {
  EXPECT_EQ(
      reached("#if INT_MAX == 2147483647 && __CUDA_ARCH__ == 900 && __LINE__ == 1\n#error yes\n#endif\n"),
      "yes");
  EXPECT_EQ(reached("#define INT_MAX 3\n#if INT_MAX == 3\n#error yes\n#endif\n"), "yes");
}

TEST(Defines, FromOutsideWinOverGuardedDefaults) {
  const std::string text =
      "#ifndef PAD\n#define PAD 1\n#endif\n#if PAD == 1\n#error 1\n#elif PAD == 2\n#error 2\n#endif\n";
  EXPECT_EQ(reached(text), "1");
  EXPECT_EQ(reached(text, {{"PAD", "2"}}), "2");
  EXPECT_EQ(reached(text, {{"PAD", ""}}), "1");
}

TEST(Defines, FromOutsideLoseToAnUnguardedDefinitionWithAWarning) {
  const std::string text = "#define PAD 1\n#if PAD == 1\n#error 1\n#endif\n";
  EXPECT_EQ(reached(text, {{"PAD", "2"}}), "1");
  const ParseResult result = parse("#define PAD 1\n", {{"PAD", "2"}});
  EXPECT_EQ(
      rendered(result.diagnostics, "#define PAD 1\n"),
      "k.cu:1:9: warning: this replaces the value of 'PAD' that was given from outside\n  #define PAD 1\n"
      "          ^~~\n  put it between #ifndef PAD and #endif\n");
  EXPECT_TRUE(parse("#define PAD 1\n", {{"PAD", "1"}}).diagnostics.empty());
  EXPECT_EQ(messages("#define PAD 1\n", {{"3x", "1"}}), "1:1 '3x' is not a name that can be defined");
}

std::string taken(const std::string& condition) {
  return reached("#define THREE 3\n#define EMPTY\n#if " + condition +
                 "\n#error 1\n#else\n#error 0\n#endif\n");
}

TEST(Conditionals, EvaluateTheirConditions) {
  for (const char* yes :
       {"1", "THREE == 3", "defined(THREE) && defined THREE", "!defined(FOUR)", "UNKNOWN == 0",
        "1 + 2 * 3 == 7", "(1 << 4) > 15 && -1 < 0", "0 ? 0 : 1", "__CUDA_ARCH__ >= 700", "~0 == -1",
        "1 || 1 / 0", "'a' == 97", "0x10 == 16 && 10u == 10", "true", "7 % 4 == 3 && 7 / 4 == 1"}) {
    EXPECT_EQ(taken(yes), "1") << yes;
  }
  for (const char* no :
       {"0", "THREE != 3", "defined(FOUR)", "UNKNOWN", "false", "0 && 1 / 0", "1 ? 0 : 1",
        "__has_include(<x>)", "__has_builtin(THREE)", "__has_cpp_attribute(THREE) >= 3", "EMPTY + 0"}) {
    EXPECT_EQ(taken(no), "0") << no;
  }
}

TEST(Conditionals, TakeOneBranch) {
  const std::string text =
      "#if A == 1\n#error 1\n#elif A == 2\n#error 2\n#elif A == 2 || A == 3\n#error 3\n#else\n#error "
      "4\n#endif\n";
  for (const char* value : {"1", "2", "3", "4"}) EXPECT_EQ(reached(text, {{"A", value}}), value);
}

TEST(Directives, Mistakes) {
  EXPECT_EQ(messages("#endif\n#else\n"), "1:1 #endif without #if\n2:1 #else without #if");
  EXPECT_EQ(messages("#if 0\n#else\n#else\n#endif"), "3:1 #else after #else");
  EXPECT_EQ(messages("#if 1 +\n#endif"), "1:8 in this condition, a value or an operator is missing");
  EXPECT_EQ(messages("#if 1 / 0\n#endif"), "1:7 in this condition, a division by zero");
  EXPECT_EQ(messages("#if 1.5\n#endif"), "1:5 in this condition, only integers can stand");
  EXPECT_EQ(messages("#frobnicate\n"), "1:1 '#frobnicate' is not a preprocessor directive");
  EXPECT_EQ(messages("#define 3\n"), "1:9 #define needs a name");
  EXPECT_EQ(messages("#define F(a) a\nint x = F(1, 2);"), "2:9 macro 'F' takes 1 argument, not 2");
  EXPECT_EQ(messages("#define F(a) a\nint x = F(1, 2;"), "2:9 the arguments of macro 'F' do not end");
  EXPECT_EQ(messages("#define CAT(a, b) a##b\nint x = CAT(+, /);"),
            "2:9 '##' gives '+/', which is not a single token");
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
