// What the host's text says of a launch, and what it does not: scopes, conversions, variables that change or
// are called as the kernel's own. What each launch comes to can be worked out by hand from the text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/source/kernel_facts.h"
#include "app/state/user_kernel.h"

namespace warplens::app {
namespace known_launch_test {

constexpr const char* kKernel =
    "__global__ void k(float* x, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) x[i] = 1;\n}\n";

KnownLaunch launch_of(const std::string& host) {
  const FileFacts facts = read_facts(kKernel + host);
  return facts.launches.empty() ? KnownLaunch{} : facts.launches[0];
}

// "grid | n" of the launch in `body`, which begins with `int m = 1000;`
std::string said(const std::string& body) {
  const KnownLaunch launch =
      launch_of("int main(int argc, char** argv) {\n  float* x; int m = 1000;\n" + body + "\n}\n");
  return launch.grid[0] + " | " + (launch.scalars.contains("n") ? launch.scalars.at("n") : "?");
}

// The grid's number, worked out as the form has it.
std::int64_t grid_of(const std::string& body) {
  const UserKernel own = opened_kernel(
      "k.cu", kKernel + ("int main(int argc, char** argv) {\n  float* x; int m = 1000;\n" + body + "\n}\n"));
  return own.values.numbers.at("grid.x");
}

TEST(KnownLaunch, FloatingNumbersAreConvertedAsTheHostDoesIt) {
  EXPECT_EQ(grid_of("k<<<ceil(m / 256.0), 256>>>(x, m);"), 4);
  EXPECT_EQ(grid_of("k<<<ceil(m / 256), 256>>>(x, m);"), 3) << "the integers' quotient is cut first";
  EXPECT_EQ(grid_of("k<<<(int)std::ceil((float)m / 256), 256>>>(x, m);"), 4);
  EXPECT_EQ(grid_of("int g = m / 256.0; k<<<g, 256>>>(x, m);"), 3);
  EXPECT_EQ(grid_of("float g = m / 256.0f; k<<<ceil(g), 256>>>(x, m);"), 4);
  EXPECT_EQ(grid_of("auto g = m / 256.0; k<<<ceil(g), 256>>>(x, m);"), 4);
  EXPECT_EQ(grid_of("dim3 g(m / 256.0); k<<<g, 256>>>(x, m);"), 3);
  EXPECT_EQ(grid_of("double half = 0.5; int g = 9 * half; k<<<g, 256>>>(x, m);"), 4);
  EXPECT_EQ(said("k<<<2, 256>>>(x, m * 0.75);"), "2 | (int)(1000*0.75)");
  EXPECT_EQ(said("m = m * 1.5; k<<<2, 256>>>(x, m + 0);"), "2 | (int)(((int)(1000*1.5))+0)");
}

TEST(KnownLaunch, AVariableIsWhatItIsDeclaredWith) {
  EXPECT_EQ(said("int p = 5; int q = m * p; k<<<4, 256>>>(x, q + p);"), "4 | (1000*5)+5");
  EXPECT_EQ(said("int p{128}, q(3 * p); k<<<q, p>>>(x, p);"), "(3*n) | 128");
  EXPECT_EQ(said("int n; int q = m * n; k<<<q, 32>>>(x, q);"), "n | ?") << "nobody sets n";
  EXPECT_EQ(said("int f(int); int q = f(m); k<<<4, 32>>>(x, q);"), "4 | ?");
}

// The file's n is not the one that the launch names.
TEST(KnownLaunch, AParameterHidesWhatIsCalledAlikeOutside) {
  for (const char* host :
       {"const int n = 1000;\nvoid run(float* x, int n) { k<<<4, 256>>>(x, n); }",
        "const int n = 1000;\nvoid run(float* x, int n = 7) { k<<<4, 256>>>(x, n); }",
        "const int n = 1000;\nstruct Run { void go(float* x, const int& n) const { k<<<4, 256>>>(x, n); } };",
        "const int n = 1000;\nint main() { float* x; auto run = [&](int n) { k<<<4, 256>>>(x, n); }; }",
        "const int n = 1000;\nint main() { float* x; auto run = [=](int n) mutable { k<<<4, 256>>>(x, n); }; "
        "}"})
    EXPECT_FALSE(launch_of(host).scalars.contains("n")) << host;
  for (const char* host :
       {"const int n = 1000;\nvoid run(float* x, int m) { k<<<4, 256>>>(x, n); }",
        "const int n = 1000;\nvoid run(float* x) { for (int i = 0; i < 3; ++i) { k<<<4, 256>>>(x, n); } }",
        "const int n = 1000;\nvoid run(float* x) { if (int(n)) { k<<<4, 256>>>(x, n); } }"})
    EXPECT_EQ(launch_of(host).scalars.at("n"), "1000") << host;
}

TEST(KnownLaunch, AVariableThatIsCalledAsTheKernelsIsNotIt) {
  EXPECT_EQ(said("int n = atoi(argv[1]); k<<<n / 256, 256>>>(x, m);"), " | 1000");
  EXPECT_EQ(said("int n = atoi(argv[1]); k<<<n / 256, 256>>>(x, n);"), "n/256 | ?");
  EXPECT_EQ(said("int n = atoi(argv[1]); int g = n / 256; k<<<g, 256>>>(x, m);"), " | 1000");
  EXPECT_EQ(said("int q = atoi(argv[1]); k<<<q / 256, 256>>>(x, (int)q);"), "n/256 | ?");
  EXPECT_EQ(said("size_t q = atoi(argv[1]); k<<<q / 256, 256>>>(x, static_cast<int>(q));"), "n/256 | ?");
  EXPECT_EQ(said("k<<<argv.size / 256, 256>>>(x, int(argv.size));"), "n/256 | ?");
}

TEST(KnownLaunch, WhatWasWorkedOutBeforeAChangeIsOfTheOldValue) {
  EXPECT_EQ(said("int g = m / 100; m = 5000; k<<<g, 256>>>(x, m);"), "(1000/100) | 5000");
  EXPECT_EQ(said("dim3 g(m / 100); m += 500; k<<<g, 256>>>(x, m);"), "1000/100 | (1000+(500))");
  EXPECT_EQ(said("dim3 g(m / 100); ++m; k<<<g, 256>>>(x, m);"), "1000/100 | (1000+(1))");
  EXPECT_EQ(said("int q = ask(), g = q / 100; q = 5000; k<<<g, 256>>>(x, q);"), " | 5000");
  EXPECT_EQ(said("int g = m / 100; k<<<g, 256>>>(x, m);"), "(n/100) | 1000");
  const KnownLaunch launch =
      launch_of("int main() { float* x; int q = ask(); cudaMalloc(&x, q * 4); q = 50; k<<<1, 32>>>(x, q); }");
  EXPECT_FALSE(launch.lengths.contains("x"));
}

TEST(KnownLaunch, IsThatOfAProgramThatIsStartedWithoutArguments) {
  EXPECT_EQ(said("if (argc > 1) m = atoi(argv[1]); k<<<m / 100, 32>>>(x, m);"), "n/100 | 1000");
  EXPECT_EQ(said("if (argc > 1) { m = atoi(argv[1]); f(m); }\n k<<<4, 32>>>(x, m);"), "4 | 1000");
  EXPECT_EQ(said("if (argc < 2) m = 7; else m = atoi(argv[1]); k<<<4, 32>>>(x, m);"), "4 | 7");
  EXPECT_EQ(said("if (argc == 2) { m = 9; } else { m = 8; } k<<<4, 32>>>(x, m);"), "4 | 8");
  EXPECT_EQ(said("if (argc != 1) return 1; k<<<4, 32>>>(x, m);"), "4 | 1000");
  EXPECT_EQ(said("if (argc > 1) { k<<<4, 32>>>(x, m); }"), "4 | 1000") << "the launch stands there";
  EXPECT_EQ(said("if (argc > 1 || flag) m = 5; k<<<4, 32>>>(x, m);"), "4 | ?");
  EXPECT_EQ(said("if (argc > 1) if (flag) m = 5; k<<<4, 32>>>(x, m);"), "4 | ?");
  EXPECT_EQ(said("if (argc"), " | ?");
  EXPECT_EQ(said("if (argc > 1) {"), " | ?");
}

TEST(KnownLaunch, MacrosAreWrittenOut) {
  const std::string macros =
      "#define lesser(a, b) (a < b ? a : b)\n#define TWICE(x) (lesser(x, x) + lesser(x, 9))\n";
  const auto grid = [&](const std::string& body) {
    return opened_kernel("k.cu",
                         macros + kKernel + "int main() {\n  float* x; int m = 1000;\n" + body + "\n}\n")
        .values.numbers.at("grid.x");
  };
  EXPECT_EQ(grid("int g = lesser(32, (m + 255) / 256); k<<<g, 256>>>(x, m);"), 4);
  EXPECT_EQ(grid("k<<<lesser(3, m), 256>>>(x, m);"), 3);
  EXPECT_EQ(grid("k<<<TWICE(4), 256>>>(x, m);"), 8);
}

TEST(KnownLaunch, APointerThatIsNullIs) {
  const auto length = [&](const std::string& body) {
    const KnownLaunch launch = launch_of("int main() {\n  float* x = NULL; float* y; " + body + "\n}\n");
    return launch.lengths.contains("x") ? launch.lengths.at("x") : std::string("?");
  };
  EXPECT_EQ(length("k<<<1, 32>>>(nullptr, 9);"), "null");
  EXPECT_EQ(length("k<<<1, 32>>>(x, 9);"), "null");
  EXPECT_EQ(length("k<<<1, 32>>>(y, 9);"), "?");
  EXPECT_EQ(length("cudaMalloc(&x, 400); k<<<1, 32>>>(x, 9);"), "100");
  EXPECT_EQ(length("x = make(); k<<<1, 32>>>(x, 9);"), "?");
  EXPECT_EQ(length("make(&x); k<<<1, 32>>>(x, 9);"), "?");
  const UserKernel own = opened_kernel(
      "k.cu",
      "__global__ void k(float* x, const float* bias) { x[threadIdx.x] = bias ? bias[threadIdx.x] : 0; }\n"
      "int main() { float* x; cudaMalloc(&x, 128); k<<<1, 32>>>(x, nullptr); }\n");
  EXPECT_EQ(field_text(own.form, "elements.bias"), "null");
  const UserKernel shown =
      opened_kernel("k.cu", kKernel + std::string("int main() { k<<<1, 32>>>(0, 32); }\n"));
  EXPECT_EQ(field_text(shown.form, "elements.x"), "n") << "a launch that only is shown";
  EXPECT_TRUE(own.values.errors.empty());
  const auto scenario = scenario_of(own.form, own.values, own.form);
  EXPECT_EQ(scenario.buffer_rules.at("bias").elements, "null");
}

TEST(KnownLaunch, AMacroThatChangesAVariableLeavesItUnknown) {
  const auto n = [&](const std::string& macro, const std::string& use) {
    const KnownLaunch launch =
        launch_of(macro + "\nint main() {\n  float* x; int m = 5; " + use + "\n  k<<<4, 32>>>(x, m);\n}\n");
    return launch.scalars.contains("n") ? launch.scalars.at("n") : std::string("?");
  };
  EXPECT_EQ(n("#define SET(x, v) do { x = v; } while (0)", "SET(m, 11);"), "?");
  EXPECT_EQ(n("#define SET(x, v) x = v", "SET(m, 11);"), "?");
  EXPECT_EQ(n("#define SET() ++m", "SET();"), "?");
  EXPECT_EQ(n("#define CHECK(x) if ((x) != 0) exit(1)", "CHECK(m);"), "5");
}

// What the file's other functions do to its variables.
TEST(KnownLaunch, AVariableOfTheFileMayBeSetElsewhere) {
  const std::string run = "void run(float* x) { k<<<grid, 32>>>(x, size); }\n";
  const auto said = [&](const std::string& before, const std::string& behind) {
    const KnownLaunch launch = launch_of(before + run + behind);
    return launch.grid[0] + " | " + (launch.scalars.contains("n") ? launch.scalars.at("n") : "?");
  };
  EXPECT_EQ(said("int size = 9; dim3 grid(3);\n", ""), "3 | 9");
  EXPECT_EQ(said("int size = 9; dim3 grid(3);\n", "int main() { size = 30; grid.x = 4; run(0); }\n"), " | ?");
  EXPECT_EQ(
      said("const int size = 9; const dim3 grid(3);\n", "int main() { int size = 1; size = 30; run(0); }\n"),
      "3 | 9");
  EXPECT_EQ(said("int size = 9, grid = 3;\nvoid set() { read(&size); ++grid; }\n", ""), " | ?");
}

TEST(KnownLaunch, AFunctionIsWhatItReturns) {
  const auto grid = [&](const std::string& function, const std::string& call) {
    return launch_of(function + "\nint main() { float* x; int m = 1000; k<<<" + call + ", 256>>>(x, m); }\n")
        .grid[0];
  };
  EXPECT_EQ(grid("int ceil_div(int b, int a) { return (a + b - 1) / b; }", "ceil_div(256, m)"),
            "((n+256-1)/256)");
  EXPECT_EQ(grid("int half(int a) { return a / 2; }", "half(m + 2)"), "((n+2)/2)");
  EXPECT_EQ(grid("int ceil_div(int a, int b) { int c = a; return c / b; }", "ceil_div(m, 256)"), "");
  EXPECT_EQ(grid("int f(float x) { return x + 1; }", "f(m / 2.0)"), "")
      << "a float's conversion is not followed";
  EXPECT_EQ(grid("int step = 2;\nint f(int x) { return x + step; }", "f(m)"), "")
      << "which step it means is not known";
}

TEST(KnownLaunch, TheGridFollowsFromABlockThatIsNotKnown) {
  const KnownLaunch launch = launch_of(
      "void run(float* x, int count, int threads) { k<<<(count + threads - 1) / threads, threads, threads * "
      "4>>>(x, count); }");
  EXPECT_EQ(launch.block[0], "");
  EXPECT_EQ(launch.grid[0], "(n+block_x-1)/block_x");
  EXPECT_EQ(launch.shared, "block_x*4");
  EXPECT_EQ(
      launch_of("void run(float* x, int t) { dim3 b(t, 2); k<<<dim3(64 / b.x, b.y), b>>>(x, 9); }").grid[0],
      "64/block_x");
  const KnownLaunch partly = launch_of("void run(float* x, int rows) { k<<<dim3(8, rows), 32>>>(x, 9); }");
  EXPECT_EQ(partly.grid[0], "8");
  EXPECT_EQ(partly.grid[1], "");
}

TEST(KnownLaunch, AnArgumentMayFollowFromOneInFrontOfIt) {
  const std::string kernel = "__global__ void k(float* x, int rows, int steps) { x[rows] = steps; }\n";
  const auto steps = [&](const std::string& host) {
    const FileFacts facts = read_facts(kernel + host);
    const auto& scalars = facts.launches.at(0).scalars;
    return scalars.contains("steps") ? scalars.at("steps") : std::string("?");
  };
  EXPECT_EQ(steps("void run(float* x, int h) { int s = h / 8; k<<<4, 32>>>(x, h, s); }"), "(rows/8)");
  EXPECT_EQ(steps("void run(float* x, int h) { k<<<4, 32>>>(x, h, h + 1); }"), "rows+1");
  EXPECT_EQ(steps("void run(float* x, int h, int s) { k<<<4, 32>>>(x, h, s); }"), "?");
  EXPECT_EQ(steps("void run(float* x, int h) { int s = h / 8; h = 5; k<<<4, 32>>>(x, h, s); }"), "?");
}

TEST(KnownLaunch, APointerThatIsMovedByWhatIsNotKnownIsToldOf) {
  for (const char* moved :
       {"x + argc", "&x[argc]", "x - 1", "argc + x", "(float*)x + 2", "argc ? x : x + 3"}) {
    const KnownLaunch launch = launch_of(
        std::string("int main(int argc, char** argv) { float* x; k<<<1, 32>>>(") + moved + ", 9); }");
    EXPECT_THAT(launch.moved, testing::ElementsAre("x")) << moved;
  }
  for (const char* still : {"x", "x + 4", "(float*)x"}) {
    const KnownLaunch launch =
        launch_of(std::string("int main() { float* x; k<<<1, 32>>>(") + still + ", 9); }");
    EXPECT_THAT(launch.moved, testing::IsEmpty()) << still;
  }
}

// A product of guesses that wraps to nothing leaves every thread without work: they are smaller, and the grid
// is the host's.
TEST(KnownLaunch, GuessedSizesAreSuchThatSomethingHappens) {
  const std::string kernel =
      "__global__ void k(float* x, int a, int b, int c, int d) {\n  int i = blockIdx.x * blockDim.x + "
      "threadIdx.x;\n"
      "  if (i < a * b * c * d) x[i] = 1;\n}\n";
  const UserKernel own =
      opened_kernel("k.cu", kernel +
                                "void run(float* x, int a, int b, int c, int d) {\n"
                                "  k<<<(a * b * c * d + 255) / 256, 256>>>(x, a, b, c, d);\n}\n");
  const auto& numbers = own.values.numbers;
  const std::int64_t product =
      numbers.at("scalar.a") * numbers.at("scalar.b") * numbers.at("scalar.c") * numbers.at("scalar.d");
  EXPECT_LE(product, INT32_MAX);
  EXPECT_EQ(numbers.at("grid.x"), (product + 255) / 256);
}

}  // namespace known_launch_test
}  // namespace warplens::app
