// The types of literals, and types that look alike and are not: what C++ makes of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace lower_types_test {

std::vector<int> values_of(const std::string& text, std::size_t count, std::size_t warnings = 0) {
  const CompileResult compiled = compile({.text = text, .kernel = "k"});
  for (std::size_t i = warnings; i < compiled.diagnostics.size(); ++i)
    ADD_FAILURE() << render(compiled.diagnostics[i], text, "k.cu");
  EXPECT_GE(compiled.diagnostics.size(), warnings);
  if (!compiled.program) return {};
  Launch launch{.grid = {}, .block = {1}, .arguments = {{"out", Buffer{count}}}};
  return sim::values_of<int>(*compiled.program, launch);
}

TEST(LowerTypes, PointersToCharAndSignedCharAreTwo) {
  const std::string text =
      "__device__ int first(const signed char* p) { return p[0]; }\n"
      "__global__ void k(const char* in, int* out) { out[0] = first(in); }\n";
  EXPECT_FALSE(compile({.text = text, .kernel = "k"}).program);
}

std::optional<RunError> error_of(const std::string& body) {
  const std::string text =
      "__global__ void k(int* out, int n) {\n  __shared__ int tile[32][32];\n  " + body + "\n}\n";
  const CompileResult compiled = compile({.text = text, .kernel = "k"});
  if (!compiled.program) return std::nullopt;
  Launch launch{
      .grid = {}, .block = {32}, .arguments = {{"out", Buffer{1024}}, {"n", std::int64_t{1 << 27}}}};
  const Totals totals = grid_totals(*compiled.program, launch, memory::default_gpu_model());
  const GridValues values = run_grid(*compiled.program, launch, memory::default_gpu_model());
  EXPECT_EQ(totals.error.has_value(), values.error.has_value()) << body;
  return values.error;
}

// A row number times a row's length may leave 32 bits: it does not come back into the array.
TEST(LowerTypes, SubscriptsFarOutsideDoNotWrap) {
  for (const char* body :
       {"tile[1 << 27][0] = 1;", "tile[n][threadIdx.x] = 1;", "tile[-n][threadIdx.x] = 1;",
        "tile[threadIdx.x + n][threadIdx.x] = 1;", "for (int j = n; j < n + 2; ++j) tile[j][j - n] = 1;",
        "unsigned far = n; tile[far * 2][threadIdx.x] = 1;"}) {
    const auto error = error_of(body);
    ASSERT_TRUE(error) << body;
    EXPECT_EQ(error->kind, RunError::Kind::OutOfRange) << body;
  }
  for (const char* body :
       {"tile[threadIdx.x][31 - threadIdx.x] = 1;", "tile[n >> 23][threadIdx.x] = 1;",
        "for (int j = 0; j < 32; ++j) tile[j][threadIdx.x] = 1;", "tile[-1 + 1][threadIdx.x] = 1;"})
    EXPECT_FALSE(error_of(body)) << body;
}

TEST(Types, AMemberIsNotDroppedInSilence) {
  const auto refused = [](const std::string& definition, const std::string& use) {
    const CompileResult compiled = compile(
        {.text = definition + "\n__global__ void k(V* v, int* out) { " + use + " }\n", .kernel = "k"});
    return compiled.program ? std::string("taken") : compiled.diagnostics[0].message.english();
  };
  for (const char* packed : {"struct __attribute__((packed)) V { char c; int d; };",
                             "struct V { char c; int d; } __attribute__((packed));",
                             "struct [[gnu::packed]] V { char c; int d; };"})
    EXPECT_EQ(refused(packed, "out[0] = v->d;"), "packed structs are not supported");
  EXPECT_EQ(refused("struct V { float (*r)[4]; int d; };", "out[0] = v->d;"),
            "'r': a pointer to an array is not supported in a struct");
  EXPECT_EQ(refused("struct V { enum K { x, y } k; int d; };", "out[0] = v->d;"),
            "a member beside its enumeration is not supported");
  EXPECT_EQ(refused("struct V { float (*f)(float); int d; };", "out[0] = v->d;"),
            "member 'f' cannot have this type");
  EXPECT_EQ(refused("struct alignas(3) V { int d; };", "out[0] = v->d;"),
            "an alignment is a power of two up to 65536");
}

// A struct of more members than are listed one by one lies in constant memory.
TEST(LowerTypes, ALargeStructIsAParameter) {
  const CompileResult compiled = compile({.text = "struct P { int scale; float table[1000]; };\n"
                                                  "__global__ void k(const P p, float* out) { "
                                                  "out[threadIdx.x] = p.table[threadIdx.x] * p.scale; }\n",
                                          .kernel = "k"});
  ASSERT_TRUE(compiled.program) << compiled.diagnostics[0].message.english();
  const KernelParameter& p = compiled.program->parameters[0];
  EXPECT_EQ(p.name, "p");
  EXPECT_TRUE(p.is_member) << "it cannot be measured";
  EXPECT_EQ(p.symbol_elements, 1);
  EXPECT_EQ(p.element_bytes, 4004);
  const CompileResult changed =
      compile({.text = "struct P { int scale; float table[1000]; };\n"
                       "__global__ void k(P p, float* out) { p.scale = 3; out[0] = p.scale; }\n",
               .kernel = "k"});
  EXPECT_FALSE(changed.program);
  const CompileResult with_pointer = compile({.text = "struct P { float* rows[200]; };\n"
                                                      "__global__ void k(P p) { p.rows[0][0] = 3; }\n",
                                              .kernel = "k"});
  ASSERT_FALSE(with_pointer.program);
  EXPECT_THAT(with_pointer.diagnostics[0].message.english(), testing::HasSubstr("small structs"));
}

// Whole and half numbers are exact; of a half2 each part is 1 where the comparison holds, else 0.
TEST(LowerMath, HalfTurnsReciprocalsAndComparisonsOfPairs) {
  const std::string text =
      "#include <cuda_fp16.h>\n__global__ void k(int* out) { int i = 0; float x = out[0];\n"
      "out[i++] = sinpif(x + 1.0f) == 0; out[i++] = 1000 * sinpi(x + 0.5); out[i++] = cospif(x + 0.5f) == "
      "0;\n"
      "out[i++] = 1000 * cospi(x + 1.0); out[i++] = 1000 * cospif(x + 2.0f / 3); out[i++] = 1000 * sinpif(x "
      "+ 11.0f / 6);\n"
      "out[i++] = 1000 * normcdf(x + 0.0); out[i++] = 100 * __drcp_rn(x + 4.0);\n"
      "__half2 a = __floats2half2_rn(x + 1, x + 2), b = __floats2half2_rn(x + 1, x + 1);\n"
      "out[i++] = 10 * __low2float(__hgt2(a, b)) + __high2float(__hgt2(a, b));\n"
      "out[i++] = 10 * __low2float(__heq2(a, b)) + __high2float(__heq2(a, b)); }";
  const std::vector<int> expected{1, 1000, 1, -1000, -500, -500, 500, 25, 1, 10};
  const std::vector<int> values = values_of(text, expected.size(), 1);  // of the tables that it reads
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], expected[i], i > 3 && i < 6 ? 1 : 0) << i;
}

}  // namespace lower_types_test
}  // namespace warplens::sim
