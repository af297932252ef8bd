// What the lowering says about texts that are wrong, where it is not one thing at its place: for that see
// tests/language/diagnostic_table_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/lower/lower.h"

namespace warplens::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// "column: message (remedy)" of each error, columns in the one line of text.
std::vector<std::string> errors_in(const std::string& text,
                                   const std::vector<std::string>& template_arguments = {}) {
  CompileRequest request;
  request.text = text;
  request.template_arguments = template_arguments;
  const CompileResult result = compile(request);
  std::vector<std::string> errors;
  for (const cuda::Diagnostic& d : result.diagnostics) {
    if (d.severity != cuda::Severity::Error) continue;
    errors.push_back(std::to_string(d.range.begin.column) + ": " + d.message.english() +
                     (d.remedy.empty() ? "" : " (" + d.remedy.english() + ")"));
  }
  EXPECT_EQ(errors.empty(), result.program.has_value());
  return errors;
}

TEST(LowerDiagnostics, DeadCodeIsCheckedAllTheSame) {
  EXPECT_THAT(
      errors_in("__global__ void k(int* out) { if (false) out[0] = nothing; return; out[1] = void_too; }"),
      ElementsAre(HasSubstr("'nothing'"), HasSubstr("'void_too'")));
  EXPECT_THAT(errors_in("__global__ void k(int* out) { if constexpr (sizeof(int) == 8) out[0] = nothing; }"),
              IsEmpty());
}

TEST(LowerDiagnostics, AMistakeInAFunctionIsToldOnce) {
  EXPECT_THAT(errors_in("__device__ int f(int a) { return b; } __global__ void k() { f(1); f(2); f(3); }"),
              ElementsAre(HasSubstr("'b' is not declared here")));
}

TEST(LowerDiagnostics, OfTemplateArguments) {
  const std::string kernel = "template <int N, typename T> __global__ void k(T* out) { out[0] = N; }";
  EXPECT_THAT(errors_in(kernel, {"3", "float"}), IsEmpty());
  EXPECT_THAT(errors_in(kernel, {"3", "flot"}),
              ElementsAre("46: unknown type 'flot' (did you mean 'float'?)"));
  EXPECT_THAT(errors_in(kernel, {"n", "float"}), ElementsAre("46: 'n' is not declared here"));
  EXPECT_THAT(errors_in(kernel, {"3", "int", "4"}),
              ElementsAre("46: 'k' takes 2 template arguments, 3 are given"));
}

}  // namespace
}  // namespace warplens::sim
