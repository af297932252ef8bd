// Expressions: literals, precedence, casts, templates against comparisons.
#include "tests/cuda/check.h"

namespace warplens::cuda {
namespace {

TEST(Literals, IntegersHaveTheirValueAndType) {
  EXPECT_EQ(expression("42"), "42");
  EXPECT_EQ(expression("0x2A"), "42");
  EXPECT_EQ(expression("0b101010"), "42");
  EXPECT_EQ(expression("052"), "42");
  EXPECT_EQ(expression("1'000'000"), "1000000");
  EXPECT_EQ(expression("7u"), "7u");
  EXPECT_EQ(expression("7UL"), "7ul");
  EXPECT_EQ(expression("7llu"), "7ull");
  EXPECT_EQ(expression("0"), "0");
}

TEST(Literals, IntegersWidenAsInCpp) {
  EXPECT_EQ(expression("2147483647"), "2147483647");
  EXPECT_EQ(expression("2147483648"), "2147483648l");  // decimal: never unsigned int
  EXPECT_EQ(expression("0x7fffffff"), "2147483647");
  EXPECT_EQ(expression("0xffffffff"), "4294967295u");  // hexadecimal: unsigned int before long
  EXPECT_EQ(expression("0x100000000"), "4294967296l");
  EXPECT_EQ(expression("4294967296u"), "4294967296ul");
  EXPECT_EQ(expression("0xffffffffffffffff"), "18446744073709551615ul");
}

TEST(Literals, FloatsAreRoundedOnce) {
  EXPECT_EQ(expression("1.5"), "1.5");
  EXPECT_EQ(expression("1.f"), "1.0f");
  EXPECT_EQ(expression(".5e-1F"), "0.0500000007f");
  EXPECT_EQ(expression("1e3"), "1000.0");
  EXPECT_EQ(expression("0x1.8p1f"), "3.0f");
  EXPECT_EQ(expression("INFINITY"), "inff");
  // Nearer to 1 + 2^-23 than to 1; through double it would land on the tie, and on 1.
  EXPECT_EQ(expression("1.00000005960464477539062500000001f"), "1.00000012f");
}

TEST(Literals, CharactersAndStrings) {
  EXPECT_EQ(expression("'a'"), "char 97");
  EXPECT_EQ(expression("'\\n'"), "char 10");
  EXPECT_EQ(expression("'\\x41'"), "char 65");
  EXPECT_EQ(expression("'\\0'"), "char 0");
  EXPECT_EQ(expression("\"a\" \"b\""), "\"ab\"");
  EXPECT_EQ(expression("R\"x(a\\n)\" )x\""), "\"a\\n)\" \"");
  EXPECT_EQ(expression("true ? nullptr : false"), "(true ? nullptr : false)");
}

TEST(Precedence, BindsAsInCpp) {
  EXPECT_EQ(expression("a + b * c - d"), "((a + (b * c)) - d)");
  EXPECT_EQ(expression("a << 1 + 2 < b"), "((a << (1 + 2)) < b)");
  EXPECT_EQ(expression("a & b == c | d ^ e"), "((a & (b == c)) | (d ^ e))");
  EXPECT_EQ(expression("a || b && !c"), "(a || (b && (!c)))");
  EXPECT_EQ(expression("a = b += c ? d : e, f"), "((a = (b += (c ? d : e))) , f)");
  EXPECT_EQ(expression("a ? b : c ? d : e"), "(a ? b : (c ? d : e))");
  EXPECT_EQ(expression("-a.b[1]++"), "(-(a.b[1]++))");
  EXPECT_EQ(expression("*p++ = &*q"), "((*(p++)) = (&(*q)))");
  EXPECT_EQ(expression("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(expression("x >> 3 >= 1"), "((x >> 3) >= 1)");
  EXPECT_EQ(expression("x >>= y >> 1"), "(x >>= (y >> 1))");
  EXPECT_EQ(expression("p->q->r(1, 2)[3]"), "p->q->r(1, 2)[3]");
  EXPECT_EQ(expression("a and not b or c xor d"), "((a && (!b)) || (c ^ d))");
}

TEST(Casts, OfAllKinds) {
  EXPECT_EQ(expression("(float)x * y"), "(c_cast<float>(x) * y)");
  EXPECT_EQ(expression("(unsigned long long int)x"), "c_cast<unsigned long long>(x)");
  EXPECT_EQ(expression("(float4*)p"), "c_cast<float4*>(p)");
  EXPECT_EQ(expression("*(const float4 *)&a[3]"), "(*c_cast<const float4*>((&a[3])))");
  EXPECT_EQ(expression("((float4*)C)[i].x"), "c_cast<float4*>(C)[i].x");
  EXPECT_EQ(expression("reinterpret_cast<float4*>(&x[i])[0]"), "reinterpret_cast<float4*>((&x[i]))[0]");
  EXPECT_EQ(expression("static_cast<int>(x) + const_cast<float*>(p)[1]"),
            "(static_cast<int>(x) + const_cast<float*>(p)[1])");
  EXPECT_EQ(expression("float(x) + int(3.5f)"), "(float(x) + int(3.5f))");
  EXPECT_EQ(expression("float4{1, 2, 3, 4}.x"), "float4{1, 2, 3, 4}.x");
  EXPECT_EQ(expression("dim3(1, 2)"), "dim3{1, 2}");
  EXPECT_EQ(expression("float2()"), "float2{}");
  EXPECT_EQ(expression("make_float4(1, 2, 3, 4)"), "make_float4(1, 2, 3, 4)");
  EXPECT_EQ(expression("(Unknown*)p"), "c_cast<Unknown*>(p)");
  EXPECT_EQ(expression("(n) * x"), "(n * x)");
  EXPECT_EQ(expression("(n) - 1"), "(n - 1)");
  EXPECT_EQ(expression("sizeof(float) * sizeof x + sizeof(x[0])"),
            "((sizeof(float) * sizeof(x)) + sizeof(x[0]))");
}

TEST(Casts, AVariableNamedLikeATypeIsAVariable) {
  EXPECT_EQ(body("int half = n / 2; n = (half) * 2; half * m;"),
            "int half = (n / 2); (n = (half * 2)); (half * m);");
  EXPECT_EQ(body("n = (half) - 2;"), "(n = c_cast<__half>((-2)));");
}

TEST(Templates, AgainstComparisons) {
  std::string load = "template <int W, typename T> __device__ T load(const T* p) { return p[W]; }\n";
  EXPECT_EQ(body("a[0] = load<4>(b);", load), "(a[0] = load<4>(b));");
  EXPECT_EQ(body("a[0] = load<(4 > 2), const float*>(b) > 3;", load),
            "(a[0] = (load<(4 > 2), const float*>(b) > 3));");
  EXPECT_EQ(body("if (n < m && m > (3)) n = 1;"), "if (((n < m) && (m > 3))) (n = 1);");
  EXPECT_EQ(body("n = n<m>(3);"), "(n = ((n < m) > 3));");
  EXPECT_EQ(body("bool q = n < 3, r = m > (2);"), "bool q = (n < 3), bool r = (m > 2);");
  EXPECT_EQ(body("unknown<3>(n);"), "unknown<3>(n);");
  EXPECT_EQ(body("Pair<int, Vec<Vec<int>>> p; n = Pair<1, Vec<2>>(3) >> 1;"),
            "Pair<int, Vec<Vec<int>>> p; (n = (Pair<1, Vec<2>>(3) >> 1));");
}

TEST(Names, AreNormalised) {
  EXPECT_EQ(expression("std::min(a, ::max(b, 1))"), "min(a, max(b, 1))");
  EXPECT_EQ(expression("cooperative_groups::this_thread_block()"), "this_thread_block()");
  EXPECT_EQ(expression("half(x)"), "__half(x)");
}

TEST(LoneExpression, MayBeATypeAndMustEnd) {
  EXPECT_EQ(expression("float4"), "float4");
  EXPECT_EQ(expression("unsigned"), "unsigned int");
  EXPECT_EQ(expression("const float*"), "float*");
  EXPECT_EQ(expression("(ncols + block_x - 1) / block_x"), "(((ncols + block_x) - 1) / block_x)");
  EXPECT_EQ(parse_expression("1 2").expr, nullptr);
  EXPECT_EQ(parse_expression("").expr, nullptr);
  EXPECT_EQ(rendered(parse_expression("1 +").diagnostics, "1 +"),
            "k.cu:1:4: error: expected an expression, not the end of the file\n  1 +\n     ^\n");
}

TEST(Ranges, CoverWhatIsWritten) {
  std::string text = "a[i + 1] * (b[2])";
  ParsedExpression parsed = parse_expression(text);
  ASSERT_TRUE(parsed.expr);
  auto written = [&](const Expr& e) {
    return text.substr(e.range.begin.offset, e.range.end.offset - e.range.begin.offset);
  };
  const auto& product = std::get<BinaryExpr>(parsed.expr->node);
  EXPECT_EQ(written(*parsed.expr), text);
  EXPECT_EQ(written(*product.left), "a[i + 1]");
  EXPECT_EQ(written(*product.right), "b[2]");
  EXPECT_EQ(product.op_range.begin.column, 10);
  EXPECT_EQ(parsed.expr->height, 4);  // * over [] over + over i
}

}  // namespace
}  // namespace warplens::cuda
