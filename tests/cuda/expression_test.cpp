// Expressions by themselves, and their places. What they are worth: tests/language/kernels/cpp.cu.
#include "tests/cuda/check.h"

namespace warplens::cuda {
namespace {

TEST(LoneExpression, MayBeATypeAndMustEnd) {
  for (const char* text : {"float4", "unsigned", "const float*", "(ncols + block_x - 1) / block_x"}) {
    const ParsedExpression parsed = parse_expression(text);
    EXPECT_NE(parsed.expr, nullptr) << text;
    EXPECT_EQ(rendered(parsed.diagnostics, text), "") << text;
  }
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
