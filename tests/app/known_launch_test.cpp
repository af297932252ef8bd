// What the host's text says of a launch, and what it does not: scopes, conversions, variables that change or
// are called as the kernel's own. What each launch comes to can be worked out by hand from the text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/source/kernel_facts.h"
#include "app/state/user_kernel.h"

namespace warplens::app::known_launch_test {

constexpr const char* kKernel =
    "__global__ void k(float* x, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) x[i] = 1;\n}\n";

KnownLaunch launch_of(const std::string& host) {
  const FileFacts facts = read_facts(kKernel + host);
  return facts.launches.empty() ? KnownLaunch{} : facts.launches[0];
}

// "?": it does not say it.
std::string field_of(const KnownLaunch& launch, const std::string& field) {
  return launch.fields.contains(field) ? launch.fields.at(field) : "?";
}
std::string grid_and_n(const KnownLaunch& launch) {
  return launch.text("grid.x") + " | " + field_of(launch, "scalar.n");
}

// "grid | n" of the launch in `body`, which begins with `int m = 1000;`
std::string said(const std::string& body) {
  return grid_and_n(
      launch_of("int main(int argc, char** argv) {\n  float* x; int m = 1000;\n" + body + "\n}\n"));
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
  EXPECT_EQ(said("k<<<2, 256>>>(x, m * 0.75);"), "2 | 750");
  EXPECT_EQ(said("m = m * 1.5; k<<<2, 256>>>(x, m + 0);"), "2 | 1500");
}

TEST(KnownLaunch, AVariableIsWhatItIsDeclaredWith) {
  EXPECT_EQ(said("int p = 5; int q = m * p; k<<<4, 256>>>(x, q + p);"), "4 | 5005");
  EXPECT_EQ(said("int p{128}, q(3 * p); k<<<q, p>>>(x, p);"), "3 * n | 128");
  EXPECT_EQ(said("int n; int q = m * n; k<<<q, 32>>>(x, q);"), "n | ?") << "nobody sets n";
  EXPECT_EQ(said("int f(int); int q = f(m); k<<<4, 32>>>(x, q);"), "4 | ?");
}

std::string launched_by(const std::string& outside, const std::string& body) {
  std::string all;
  for (const KnownLaunch& launch :
       read_facts(kKernel + ("__global__ void twice(float* x, int n) { x[n] *= 2; }\n" + outside +
                             "int main() {\n  float* x = nullptr;\n" + body + "\n}\n"))
           .launches)
    all += launch.kernel + " " + launch.text("block.x") + " " + launch.text("scalar.n") + "; ";
  return all;
}

TEST(KnownLaunch, KernelsInTablesStructsVectorsAndCasesAreEachLaunched) {
  const std::string both = "k 32 1; twice 64 2; ";
  const std::string row = "struct Row { std::string name; void (*kernel)(float*, int); int block; };\n";
  const std::string rows =
      "{{\"a\", k, 32}, {\"b\", twice, 64}};\n int n = 0;\n"
      "for (const auto& r : rows) r.kernel<<<1, r.block>>>(x, ++n);";
  EXPECT_EQ(launched_by(row, "Row rows[] = " + rows), both);
  EXPECT_EQ(launched_by(row, "std::vector<Row> rows = " + rows), both);
  EXPECT_EQ(launched_by("using F = void (*)(float*, int);\n",
                        "std::vector<F> f;\n f.push_back(k);\n f.push_back(twice);\n"
                        "for (int i = 0; i < f.size(); i++) f[i]<<<1, 32 * (i + 1)>>>(x, i + 1);"),
            both);
  EXPECT_EQ(launched_by("struct Size { int block, n; };\n",
                        "std::vector<Size> s;\n s.push_back({32, 1});\n s.push_back(Size{64, 2});\n"
                        "k<<<1, s[0].block>>>(x, s[0].n);\n twice<<<1, s[1].block>>>(x, s[1].n);"),
            both);
  EXPECT_EQ(launched_by("",
                        "void (*f)(float*, int);\n for (int i = 0; i < 2; ++i) {\n"
                        "  switch (i) { case 0: f = &k; break; default: f = &twice; break; }\n"
                        "  f<<<1, 32 * (i + 1)>>>(x, i + 1);\n }"),
            both);
}

// In a namespace of their own and beside each other, also where one is a template; main begins anew each
// time.
TEST(KnownLaunch, TheNamespaceThatIsNamedIsTheOneThatIsMeant) {
  const std::string other =
      "namespace a { template <class T> __global__ void twice(T* x, int n) { x[n] = 1; } }\n";
  EXPECT_EQ(launched_by(other, "a::twice<float><<<1, 96>>>(x, 3); ::twice<<<1, 64>>>(x, 4);"),
            "a::twice 96 3; twice 64 4; ");
  const std::string own =
      "namespace p { __global__ void k(float* x, int n) { x[n] = 2; }\nvoid go() { k<<<1, 96>>>(0, 3); } }\n";
  EXPECT_EQ(launched_by(own, "p::go(); k<<<1, 64>>>(x, 4);"), "p::k 96 3; k 64 4; ");
  EXPECT_EQ(launched_by("int all = 5;\n", "if (x) k<<<1, 32>>>(x, all); all *= 2; twice<<<1, 32>>>(x, all);"),
            "twice 32 10; k 32 5; ");
}

TEST(KnownLaunch, AThreadThatIsStartedLaunches) {
  EXPECT_EQ(launched_by("void* work(void* of) {\n  k<<<1, 32>>>(nullptr, *(int*)of);\n  return 0;\n}\n",
                        "int n = 7;\n pthread_t t;\n pthread_create(&t, NULL, work, &n);"),
            "k 32 ; ");
  EXPECT_EQ(launched_by("int work(int n) {\n  k<<<1, 32>>>(nullptr, n);\n  return n;\n}\n",
                        "std::map<std::pair<int, int>, int> made;\n made[{1, 2}] = work(7);"),
            "k 32 7; ");
  EXPECT_EQ(launched_by("", "use([&](int n) { k<<<1, n>>>(x, n); });"), "k n ; ");
}

// Each way once, behind the launches of the text, whose order sessions go by.
TEST(KnownLaunch, InALoopItIsToldAgainWhereItsValuesDiffer) {
  const FileFacts facts =
      read_facts(kKernel + std::string("int main() {\n  float* x;\n  int blocks[] = {32, 128, 32};\n"
                                       "  for (int b : blocks)\n    for (int twice = 0; twice < 2; ++twice)\n"
                                       "      k<<<4096 / b, b>>>(x, 9);\n  k<<<1, 64>>>(x, 64);\n"
                                       "  for (int i = 0; i < 1000; ++i) k<<<1, 1>>>(x, i);\n}\n"));
  ASSERT_GE(facts.launches.size(), 5u);
  EXPECT_EQ(facts.launches.size(), 3u + 1 + 15) << "a long loop is not gone through to its end";
  EXPECT_EQ(facts.launches[0].text("block.x"), "32");
  EXPECT_EQ(facts.launches[1].text("block.x"), "64");
  EXPECT_EQ(facts.launches[3].line, facts.launches[0].line);
  EXPECT_EQ(facts.launches[3].text("block.x"), "128");
  EXPECT_EQ(facts.launches[3].otherwise, "block.x 128");
  EXPECT_EQ(facts.launches[3].words(), "10: k<<<4096 / b, b>>>(x, 9)  block.x 128");
  EXPECT_EQ(facts.launches[4].otherwise, "n 1");
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
    EXPECT_FALSE(launch_of(host).fields.contains("scalar.n")) << host;
  for (const char* host :
       {"const int n = 1000;\nvoid run(float* x, int m) { k<<<4, 256>>>(x, n); }",
        "const int n = 1000;\nvoid run(float* x) { for (int i = 0; i < 3; ++i) { k<<<4, 256>>>(x, n); } }",
        "const int n = 1000;\nvoid run(float* x) { if (int(n)) { k<<<4, 256>>>(x, n); } }"})
    EXPECT_EQ(launch_of(host).fields.at("scalar.n"), "1000") << host;
}

TEST(KnownLaunch, AVariableThatIsCalledAsTheKernelsIsNotIt) {
  EXPECT_EQ(said("int n = atoi(argv[1]); k<<<n / 256, 256>>>(x, m);"), " | 1000");
  EXPECT_EQ(said("int n = atoi(argv[1]); k<<<n / 256, 256>>>(x, n);"), "n / 256 | ?");
  EXPECT_EQ(said("int n = atoi(argv[1]); int g = n / 256; k<<<g, 256>>>(x, m);"), " | 1000");
  EXPECT_EQ(said("int q = atoi(argv[1]); k<<<q / 256, 256>>>(x, (int)q);"), "n / 256 | ?");
  EXPECT_EQ(said("size_t q = atoi(argv[1]); k<<<q / 256, 256>>>(x, static_cast<int>(q));"), "n / 256 | ?");
  EXPECT_EQ(said("k<<<argv.size / 256, 256>>>(x, int(argv.size));"), "n / 256 | ?");
  EXPECT_EQ(said("k<<<OF_A_HEADER / 256, 256>>>(x, OF_A_HEADER);"), "n / 256 | ?");
}

TEST(KnownLaunch, WhatWasWorkedOutBeforeAChangeIsOfTheOldValue) {
  EXPECT_EQ(said("int g = m / 100; m = 5000; k<<<g, 256>>>(x, m);"), "10 | 5000");
  EXPECT_EQ(said("dim3 g(m / 100); m += 500; k<<<g, 256>>>(x, m);"), "10 | 1500");
  EXPECT_EQ(said("dim3 g(m / 100); ++m; k<<<g, 256>>>(x, m);"), "10 | 1001");
  EXPECT_EQ(said("int q = ask(), g = q / 100; q = 5000; k<<<g, 256>>>(x, q);"), " | 5000");
  EXPECT_EQ(said("int g = m / 100; k<<<g, 256>>>(x, m);"), "n / 100 | 1000");
  const KnownLaunch launch =
      launch_of("int main() { float* x; int q = ask(); cudaMalloc(&x, q * 4); q = 50; k<<<1, 32>>>(x, q); }");
  EXPECT_FALSE(launch.fields.contains("elements.x"));
}

TEST(KnownLaunch, IsThatOfAProgramThatIsStartedWithoutArguments) {
  EXPECT_EQ(said("if (argc > 1) m = atoi(argv[1]); k<<<m / 100, 32>>>(x, m);"), "n / 100 | 1000");
  EXPECT_EQ(said("if (argc > 1) { m = atoi(argv[1]); f(m); }\n k<<<4, 32>>>(x, m);"), "4 | 1000");
  EXPECT_EQ(said("if (argc < 2) m = 7; else m = atoi(argv[1]); k<<<4, 32>>>(x, m);"), "4 | 7");
  EXPECT_EQ(said("if (argc == 2) { m = 9; } else { m = 8; } k<<<4, 32>>>(x, m);"), "4 | 8");
  EXPECT_EQ(said("if (argc != 1) return 1; k<<<4, 32>>>(x, m);"), "4 | 1000");
  EXPECT_EQ(said("if (argc > 1) { k<<<4, 32>>>(x, m); }"), "4 | 1000") << "the launch stands there";
  EXPECT_EQ(said("if (argc > 1 || flag) m = 5; k<<<4, 32>>>(x, m);"), "4 | ?");
  EXPECT_EQ(said("if (argc > 1) if (flag) m = 5; k<<<4, 32>>>(x, m);"), "4 | 1000");
  EXPECT_EQ(said("if (argc > 1) { k<<<2, 32>>>(x, 7); } k<<<4, 32>>>(x, m);"), "4 | 1000")
      << "it comes first";
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
    return field_of(launch_of("int main() {\n  float* x = NULL; float* y; " + body + "\n}\n"), "elements.x");
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

TEST(KnownLaunch, AMacroDoesWhatItsTextDoes) {
  const auto n = [&](const std::string& macro, const std::string& use) {
    return field_of(
        launch_of(macro + "\nint main() {\n  float* x; int m = 5; " + use + "\n  k<<<4, 32>>>(x, m);\n}\n"),
        "scalar.n");
  };
  EXPECT_EQ(n("#define SET(x, v) do { x = v; } while (0)", "SET(m, 11);"), "11");
  EXPECT_EQ(n("#define SET(x, v) x = v", "SET(m, 11);"), "11");
  EXPECT_EQ(n("#define SET() ++m", "SET();"), "6");
  EXPECT_EQ(n("#define CHECK(x) if ((x) != cudaSuccess) exit(1)", "CHECK(cudaMalloc(&x, 8));"), "5");
  EXPECT_EQ(n("#define CHECK(x) if ((x) != 0) exit(1)", "CHECK(work(m));"), "5") << "it goes on, or it ends";
}

// What the file's other functions do to its variables.
TEST(KnownLaunch, AVariableOfTheFileMayBeSetElsewhere) {
  const std::string run = "void run(float* x) { k<<<grid, 32>>>(x, size); }\n";
  const auto said = [&](const std::string& before, const std::string& behind) {
    return grid_and_n(launch_of(before + run + behind));
  };
  EXPECT_EQ(said("int size = 9; dim3 grid(3);\n", ""), "3 | 9");
  EXPECT_EQ(said("int size = 9; dim3 grid(3);\n", "int main() { size = 30; grid.x = 4; run(0); }\n"),
            "4 | 30");
  EXPECT_EQ(
      said("const int size = 9; const dim3 grid(3);\n", "int main() { int size = 1; size = 30; run(0); }\n"),
      "3 | 9");
  EXPECT_EQ(said("int size = 9, grid = 3;\nvoid set() { read(&size); ++grid; }\n", ""), " | ?");
}

TEST(KnownLaunch, AFunctionIsWhatItReturns) {
  const auto grid = [&](const std::string& function, const std::string& call) {
    return launch_of(function + "\nint main() { float* x; int m = 1000; k<<<" + call + ", 256>>>(x, m); }\n")
        .text("grid.x");
  };
  EXPECT_EQ(grid("int ceil_div(int b, int a) { return (a + b - 1) / b; }", "ceil_div(256, m)"),
            "(n + 256 - 1) / 256");
  EXPECT_EQ(grid("int half(int a) { return a / 2; }", "half(m + 2)"), "(n + 2) / 2");
  EXPECT_EQ(grid("int ceil_div(int a, int b) { int c = a; return c / b; }", "ceil_div(m, 256)"), "n / 256");
  EXPECT_EQ(grid("int f(float x) { return x + 1; }", "f(m / 2.0)"), "(int)(n / 2.0 + 1)");
  EXPECT_EQ(grid("int step = 2;\nint f(int x) { return x + step; }", "f(m)"), "n + 2");
  EXPECT_EQ(grid("int f(int x) { if (x > 9) return f(x / 2); return x; }", "f(m)"),
            "n / 2 / 2 / 2 / 2 / 2 / 2 / 2");
  EXPECT_EQ(grid("int f(int x) { return x < 0 ? 1 : f(x + 1); }", "f(1)"), "") << "it has no end";
  EXPECT_EQ(grid("int f(int x) { if (ask(x)) return 3; return 4; }", "f(m)"), "") << "which of them?";
}

TEST(KnownLaunch, TheGridFollowsFromABlockThatIsNotKnown) {
  const KnownLaunch launch = launch_of(
      "void run(float* x, int count, int threads) { k<<<(count + threads - 1) / threads, threads, threads * "
      "4>>>(x, count); }");
  EXPECT_EQ(launch.text("block.x"), "");
  EXPECT_EQ(launch.text("grid.x"), "(n + block_x - 1) / block_x");
  EXPECT_EQ(launch.text("shared"), "block_x * 4");
  EXPECT_EQ(launch_of("void run(float* x, int t) { dim3 b(t, 2); k<<<dim3(64 / b.x, b.y), b>>>(x, 9); }")
                .text("grid.x"),
            "64 / block_x");
  const KnownLaunch partly = launch_of("void run(float* x, int rows) { k<<<dim3(8, rows), 32>>>(x, 9); }");
  EXPECT_EQ(partly.text("grid.x"), "8");
  EXPECT_EQ(partly.text("grid.y"), "");
}

TEST(KnownLaunch, AnArgumentMayFollowFromOneInFrontOfIt) {
  const std::string kernel = "__global__ void k(float* x, int rows, int steps) { x[rows] = steps; }\n";
  const auto steps = [&](const std::string& host) {
    return field_of(read_facts(kernel + host).launches.at(0), "scalar.steps");
  };
  EXPECT_EQ(steps("void run(float* x, int h) { int s = h / 8; k<<<4, 32>>>(x, h, s); }"), "rows / 8");
  EXPECT_EQ(steps("void run(float* x, int h) { k<<<4, 32>>>(x, h, h + 1); }"), "rows + 1");
  EXPECT_EQ(steps("void run(float* x, int h, int s) { k<<<4, 32>>>(x, h, s); }"), "?");
  EXPECT_EQ(steps("void run(float* x, int h) { int s = h / 8; h = 5; k<<<4, 32>>>(x, h, s); }"), "?");
}

TEST(KnownLaunch, APointerThatIsMovedByWhatIsNotKnownIsToldOf) {
  for (const char* moved : {"x + ask()", "&x[ask()]", "x - 1", "ask() + x", "ask() ? x : x + 3"}) {
    const KnownLaunch launch = launch_of(
        std::string("int main(int argc, char** argv) { float* x; k<<<1, 32>>>(") + moved + ", 9); }");
    EXPECT_THAT(launch.moved, testing::ElementsAre("x")) << moved;
  }
  for (const char* still : {"x", "x + 4", "(float*)x", "x + argc", "(float*)x + 2"}) {
    const KnownLaunch launch =
        launch_of(std::string("int main(int argc, char**) { float* x; k<<<1, 32>>>(") + still + ", 9); }");
    EXPECT_THAT(launch.moved, testing::IsEmpty()) << still;
  }
}

// The host's n at the launch behind `body`; "?": it is not known.
void expect(const std::string& body, const std::string& n, const std::string& before = "") {
  const KnownLaunch launch =
      launch_of(before + "int main(int argc, char** argv) {\n  float* x; int w = 3;\n" + body +
                "\n  k<<<4, 32>>>(x, n);\n}\n");
  EXPECT_EQ(field_of(launch, "scalar.n"), n) << before << body;
}

// What is not said for certain is not known, rather than as it was before.
TEST(HostRun, WhatIsNotReadLeavesNothingKnown) {
  for (const char* lost : {"n = atoi(argv[1]);",
                           "n = f();",
                           "n = list[1];",
                           "if (flag > 1) n = 7;",
                           "if (flag > 1) { n = 64; } else { n = 128; }",
                           "switch (flag) { case 1: n = 10; break; default: n = 20; }",
                           "try { n = std::stoi(argv[1]); } catch (...) { }",
                           "for (int i = 0; i < flag; ++i) n = n * 2;",
                           "while (flag) n = 3;",
                           "while (true) { if (flag) break; n++; }",
                           "for (int i = 0; i < 1000000000; ++i) n += i;",
                           "set(&n);",
                           "{ scanf(\"%d\", &n); }",
                           "int& r = n; r = f();",
                           "int* p = &n; *p = f();",
                           "std::cin >> n;",
                           "auto g = [&] { n = f(); }; g();",
                           "if (flag) w = 3, n = 5;",
                           "do n = f(); while (argc > 7);",
                           "cudaOccupancyMaxPotentialBlockSize(&w, &n, set);",
                           "for each (int v in list) { n = v; }",
                           "n *= s.size(0);",
                           "int m = 0; if (flag) m = 5; n = m;",
                           "std::vector<int> v(9); load(v); n = v.size();",
                           "std::vector<int> v(9); load(&v); n = v.size();"})
    expect(std::string("int n = 1000;\n") + lost, "?");
  expect("int n = f();", "?");
  expect("int n;", "?");
}

TEST(HostRun, WhatIsAssignedToIsFollowedOrNotKnown) {
  const char* own =
      "struct S { int d[3] = {}; int& operator[](int i) { return d[i]; } int& operator*() { return d[0]; }\n"
      "  S* operator->() { return this; } int& last() { return d[2]; } };\n";
  expect("int n = 1; (n += 1) *= 4;", "8");
  expect("int n = 1; ++(++n) *= 8;", "24");
  expect("int n = 1, m = 2; (n < m ? n : m) = 24;", "24");
  expect("int n = 1, m = 2; (f() ? n : m) = 24;", "?");
  expect("int n = 1; (w, n) = 24;", "24");
  expect("int n = 1; pick(n, w) = 24;", "?");
  expect("int n = 1; int& r = pick(n); n = 2; r = 24;", "?");
  expect("int a[2] = {1, 2}; 1[a] = 24; int n = a[1];", "24");
  expect("int a[2] = {1, 2}; int (*r)[2] = &a; (*r)[1] = 24; int n = a[1];", "?");
  expect("int a[2][2] = {{1, 2}, {3, 4}}; int* p = (int*)a; p[2] = 24; int n = a[1][0];", "?");
  expect("int a[2][2] = {{1, 2}, {3, 4}}; int* p = &a[0][0]; int n = p[2];", "?");
  expect("P p{1, 2}; int* q = (int*)&p; q[1] = 24; int n = p.b;", "?", "struct P { int a, b; };\n");
  expect("P p{1, 2}; int* q = &p.a; q[1] = 24; int n = p.b;", "?", "struct P { int a, b; };\n");
  expect("S s; s[2] = 24; int n = s.d[2];", "24", own);
  expect("S s; *s = 24; int n = s.d[0];", "24", own);
  expect("S s; s->d[1] = 24; int n = s.d[1];", "24", own);
  expect("S s; s.last() = 24; int n = s.d[2];", "24", own);
  expect("int n = 1; R m(n); m.r = 24;", "24", "struct R { int& r; R(int& q) : r(q) {} };\n");
  expect("int n = 1; [&] { n = 24; }();", "24");
  expect("int m = 1; auto g = [m = m + 23] { return m; }; int n = g();", "24");
  expect("int n = 1, m = 24; std::swap(n, m);", "24");
  expect("int n = 1; std::thread t([](int& q) { q = 24; }, std::ref(n)); t.join();", "?");
  expect("int a[2] = {1, 1}; std::map<int, int*> m; m[0] = a; m[0][1] = 24; int n = a[1];", "?");
  expect("int n = 10; Options o(argc, argv, n);", "?", "#include \"options.h\"\n");
  expect("int n = 10; Options o{argc, argv, &n};", "?", "#include \"options.h\"\n");
  expect("int n = 10; set(w, n);", "?", "template <class... A> void set(A&... a) { read(a...); }\n");
  expect("const int n = 10; void* a[] = {(void*)&n}; look(a);", "10");
}

TEST(HostRun, WhatConstructorsMakeAndBytesSayIsRightOrNotKnown) {
  const char* copied = "struct C { int v; C(int q) : v(q) {} C(const C& o) : v(o.v * 2) {} };\n";
  const char* bases =
      "struct B { int v = 3; B(int q) { v = q * 2; } int get() { return 7; } };\n"
      "struct D : B { int w; D() : B(5), w(v + 1) {} };\n";
  expect("D d; int n = d.v;", "10", bases);
  expect("D d; int n = d.w;", "11", bases);
  expect("D d; int n = 7; d.B::get();", "7", bases);
  expect("C c(16); int n = c.v;", "16", copied);
  expect("C c(16); C d = c; int n = d.v;", "32", copied);
  expect("struct H { C c; }; H h{C(3)}; H g = h; int n = g.c.v;", "6", copied);
  expect("int n = of(C(16)) + half({4, 2});", "18",
         (std::string(copied) + "struct P { int a, b; }; P swapped(P p) { return {p.b, p.a}; }\n"
                                "int of(C c) { return c.v; } int half(P p) { return swapped(p).a; }\n")
             .c_str());
  expect("Z<int> z; int n = z.f();", "?",
         "template <class T> struct Z { int f() { return 1; } };\ntemplate <> struct Z<int> {};\n");
  expect("std::vector<std::vector<int>> v(3, std::vector<int>(8)); int n = v[0].size();", "?");
  expect("std::vector<std::vector<int>> v; v.push_back({1, 2, 3}); int n = v[0].size();", "3");
  expect("std::vector<std::vector<int>> v(3); for (auto& e : v) e.push_back(1); int n = v[2].size();", "1");
  expect("int bits = 0x43800000; float g; memcpy(&g, &bits, 4); int n = g;", "?");
  expect("F f; f.lo = 9; int n = f.lo;", "?", "struct F { unsigned lo : 3, hi : 5; };\n");
  expect("int n = sizeof(V);", "?", "struct V { int a; virtual int f() { return a; } };\n");
  expect("int n = sizeof(long double);", "?");
  expect("int n = sizeof(int[8]);", "32");
}

// Where these are defined and what the object is whose they are; what is defined elsewhere is not known.
TEST(HostRun, MemberFunctionsAreFollowedWhereverTheyStand) {
  const char* out =
      "struct P { int n = 10, b = 64; P(int); P(); ~P(); };\n"
      "P::P(int m) { n = m; }\nP::P() { n = 30; }\n";
  expect("P p(100); int n = p.n;", "100", out);
  expect("P p; int n = p.n;", "30", out);
  expect("B<float> b(600); int n = b.n;", "600",
         "template <class T> struct B { int n = 1; B(int m); };\n"
         "template <class T> B<T>::B(int m) { n = m * sizeof(T) / 4; }\n");
  expect("A a; B b{7}; P p(a, b); int n = p.n;", "7",
         "struct A {}; struct B { int n; };\nstruct P { int n; P(A, A); P(A, B); };\n"
         "P::P(A, A) { n = 3; }\nP::P(A, B b) { n = b.n; }\n");
  const char* elsewhere = "struct P { int n = 10, b = 64; P(int); P(int*, int); void set(); };\n";
  expect("P p(256); int n = p.n;", "?", elsewhere);
  expect("int a[2] = {5, 6}; P p(a, 2); int n = a[0];", "?", elsewhere);
  expect("int m = 5; struct Q { int* at; void set(); }; Q q{&m}; q.set(); int n = m;", "?");
  const char* fixed =
      "struct A { static void parse(int& n) { n = f(50); } static int f(int m) { return 2 * m; } int n = "
      "10;\n"
      "  static A make(int m) { A a; a.n = m; return a; } };\n";
  expect("int n = 10; A::parse(n);", "100", fixed);
  expect("A a = A::make(7); int n = a.n;", "7", fixed);
  const char* job =
      "struct Job { virtual int size() { return 10; } virtual int more() = 0; int plain() { return 1; }\n"
      "  int run() { return size() + more() + plain(); } };\nstruct Big : Job { int more() { return 5; }\n"
      "  int size() override { return 100; } int plain() { return 9; } };\n";
  expect("Big b; Job* p = &b; int n = p->run();", "?", job);
  expect("Big b; int n = b.plain();", "9", job);
  expect("int n = 10; Set s; s.to(&n);", "?", "struct Set { virtual void to(int* n) { *n = 5; } };\n");
  const char* hides = "struct A { int n = 1; }; struct B : A { int n = 2; };\nint of(A a) { return a.n; }\n";
  expect("B b; A& r = b; A* p = &r; p->n += 4; int n = b.n * 10 + r.n;", "25", hides);
  expect("B b; int n = of(b);", "1", hides);
  expect("int n = 5;", "5", "struct S { S& operator=(S o); };\nS& S::operator=(S o) { return *this; }\n");
}

TEST(HostRun, ADestructorRunsWhereTheBlockEnds) {
  const char* guard =
      "struct G { int* q; G(int* p) : q(p) { *p = 5; } ~G() { *q *= 20; } };\n"
      "struct H { G g; H(int* p) : g(p) {} };\nG make(int* p) { G g(p); return g; }\n";
  expect("int n = 1; { G g(&n); }", "100", guard);
  expect("int n = 1; { H h(&n); }", "100", guard);
  expect("int n = 1; G* g = new G(&n); delete g;", "100", guard);
  expect("int n = 1; { G g[1] = {G(&n)}; }", "100", guard);
  expect("int n = 1; { std::unique_ptr<G> g(new G(&n)); }", "?", guard);
  expect("int n = 1; G g(&n);", "5", guard);
  expect("int n = 1; G g = make(&n);", "5", guard);
  expect("int m = 1; { G g(&m); } int n = m;", "?", "struct G { int* q; G(int* p) : q(p) {} ~G(); };\n");
}

// The launch behind is found all the same.
TEST(HostRun, WhereAJumpLeadsIsNotKnown) {
  const char* jumps =
      "int once(int n) { int i = 0; again: ++i; if (i < n) goto again; return i; }\n"
      "int caught(int n) { try { if (n > 2) throw 5; return 1; } catch (int e) { return e; } }\n";
  expect("int n = 5; once(n);", "5", jumps);
  expect("int n = once(5);", "?", jumps);
  expect("int n = 5; caught(n);", "5", jumps);
  expect("int n = caught(5);", "?", jumps);
  expect("int n = 1; again: if (++n < 9) goto again;", "?");
}

// "+6": from that element on; "?": it is told that nobody knows.
TEST(HostRun, WhereAPointerLeadsIsToldOrSaidToBeAGuess) {
  const auto where = [](const std::string& body) {
    const KnownLaunch launch = launch_of(
        "struct S { float a; float b[3]; int c; };\nint main() { float* x; cudaMalloc(&x, 4000); S* s; "
        "cudaMalloc(&s, 4000); float4* v; cudaMalloc(&v, 4000);\n" +
        body + " }\n");
    return !launch.moved.empty() ? "?" : "+" + launch.text("offset.x");
  };
  constexpr std::pair<const char*, const char*> kArguments[] = {
      {"x", "+"},     {"x + 5", "+5"},       {"&v[3].y", "+13"}, {"s[1].b", "+6"},
      {"s->b", "+1"}, {"&s[2].b[1]", "+12"}, {"make(x)", "?"},   {"x + rank()", "?"}};
  for (const auto& [argument, expected] : kArguments)
    EXPECT_EQ(where(std::string("k<<<1, 32>>>(") + argument + ", 9);"), expected) << argument;
  EXPECT_EQ(where("float* y = make(x); k<<<1, 32>>>(y, 9);"), "?");
  EXPECT_EQ(where("std::advance(x, 3); k<<<1, 32>>>(x, 9);"), "?");
  EXPECT_EQ(where("float (*m)[10]; cudaMalloc(&m, 4000); k<<<1, 32>>>(m[3], 9);"), "?");
}

TEST(HostRun, WhatABufferHoldsIsNotToldBehindAWriteThatIsNotFollowed) {
  const auto is_told = [](const std::string& write) {
    const FileFacts facts = read_facts(
        "__global__ void g(const int* at, float* x) { x[at[threadIdx.x]] = 1; }\n"
        "struct V { int* p; int& operator[](int i) { return p[i]; } };\n"
        "struct W { int* p; W(); W(W& o); W(int* q, int n); void run(); };\nint main() { float* x; int *d, "
        "h[32];\n"
        "for (int i = 0; i < 32; ++i) h[i] = 5;\n" +
        write +
        "\ncudaMalloc(&d, 128); cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice); g<<<1, 32>>>(d, x); }\n");
    const auto known = facts.launches.at(0).contents.find("at");
    return known == facts.launches[0].contents.end() ? "?" : known->second.words;
  };
  EXPECT_EQ(is_told(""), "5");
  EXPECT_EQ(is_told("V v{h}; v[3] = 80;"), "32 values from 5 to 80");
  EXPECT_EQ(is_told("auto f = [p = h](int i) { p[i] = 80; }; f(3);"), "32 values from 5 to 80");
  for (const char* write :
       {"int* e = h; void* a[1]; a[0] = &e; cudaLaunchCooperativeKernel(ask(), 1, 32, a);", "W w(h, 32);",
        "W w; w.p = h; w.run();", "W w; w.p = h; W v = w;", "int2* f = (int2*)h; f[3].y = 80;",
        "auto at = std::find(h, h + 32, 5); *at = 80;", "union { int* a; float* b; } u; u.a = h; u.b[3] = 1;",
        "pick(h)[3] = 80;"})
    EXPECT_EQ(is_told(write), "?") << write;
}

TEST(KnownLaunch, AGridThatTheTextHasAsZeroIsAnErrorOfTheLaunch) {
  const UserKernel own = opened_kernel(
      "k.cu", kKernel + std::string("int main() { int n = 100; float* x; k<<<n / 256, 256>>>(x, n); }\n"));
  ASSERT_TRUE(own.values.errors.contains("grid.x"));
  EXPECT_EQ(own.values.errors.at("grid.x").english(), "the grid is 0: the launch fails");
}

TEST(HostRun, FollowsWhatTheTextSays) {
  expect("int n; n = 1000;", "1000");
  expect("int n, m; n = m = 1000;", "1000");
  expect("int n = 1; { n = 500; } { int n = 64; n = 5; }", "500");
  expect("int n = 1; s.n = 5; p->n = 6; list[2] = 7; if (n == 3) { work(n); }", "1");
  expect("int n = 1; cudaMemcpy(d, &n, 4, kind); printf(\"%p\", &n);", "1");
  expect("int n = 1; if (flag) { return 1; }\n#ifdef X\n#endif\nn = 4;", "4");
  expect("int n = 1; n <<= 4; n |= 1; n++; --n;", "17");
  expect("int n = 1; for (int i = 0; i < 3; ++i) { n *= 2; if (n == 4) continue; }", "8");
  expect("int n = 64; while (n > 9) n >>= 1; do ++n; while (n < 8);", "9");
  expect("int n = 2; switch (argc) { case 1: n = 10; case 2: n += 5; break; default: n = 20; }", "15");
  expect("int n = 7, m = 3; std::swap(n, m); int* p = &n; *p += 2; int& r = n; r -= 1;", "4");
  expect("int n = 5; auto add = [&](int by) { n += by; }; add(3); add(4);", "12");
  expect("int v[] = {3, 4, 5}; int n = 0; for (int i : v) n += i; n += sizeof(v) / sizeof(v[0]);", "15");
  expect("std::vector<int> v(9); v.push_back(2); int n = v.size() + v[9];", "12");
  expect("std::vector<int> v(9); load(v.data()); int n = v.size();", "9");
  expect("const char* e = getenv(\"N\"); int n = e ? atoi(e) : 77;", "77");
  expect("unsigned char n = 250; n += 10;", "4");
  expect("size_t m = 3; int n = (m - 4) > 100 ? 1 : 2;", "1");
  expect("int n = std::max(3, std::min(9, 7)) + (int)std::ceil(2.5f) + 07 + 0x10;", "33");
  expect("P p{4}; p.grow(3); int n = p.n;", "7", "struct P { int n; void grow(int by) { n += by; } };\n");
  expect("R<4> r(3); int n = r();", "12",
         "template <int W> struct R { int h; R(int a) : h(a) {} int operator()(); };\n"
         "template <int W> int R<W>::operator()() { return h * W; }\n");
  expect("int n = 0; set(n); put(&n);", "9", "void set(int& p) { p = 7; }\nvoid put(int* p) { *p += 2; }\n");
  expect("int n = N * twice(S);", "96",
         "#define N 8\nenum Size { S = 6 };\nconstexpr int twice(int a) { return 2 * a; }\n");
  expect(
      "dim3 g(7, 8); g.x *= 4; { g.y = 2; } dim3 t = g; t.x = 1; g = {g.x, 3}; int n = g.x + g.y + t.y + "
      "g.z;",
      "34");
}

TEST(HostRun, KeepsWhatALoopLeavesAloneThatIsNotFollowed) {
  const std::string many = "for (int i = 0; i < 100000000; ++i) ", some = "for (int i = 0; i < flag; ++i) ";
  expect("std::vector<float> v(9); " + many + "v[i % 9] += 1; int n = v.size();", "9");
  expect("std::vector<int> v(9); " + some + "{ if (ask()) v[0] = i; } int n = v.size();", "9");
  expect("std::vector<int> v(9); " + some + "v.push_back(1); int n = v.size();", "?");
  expect("int n = 9, *p = &w; " + some + "{ *p = i; if (i > 3) p = &n; }", "?");
  const KnownLaunch launch =
      launch_of("int main() { float* x; cudaMalloc(&x, 400); " + some + "x[i] = i; k<<<1, 32>>>(x, 9); }");
  EXPECT_EQ(launch.text("elements.x"), "100");
}

TEST(HostRun, GoesThroughEachProgramOfANotebook) {
  const FileFacts facts = read_facts(std::string(kKernel) +
                                     "int main() { float* x; k<<<1, 32>>>(x, 1); }\n"
                                     "int main() { float* x; k<<<2, 32>>>(x, 2); }\n");
  ASSERT_EQ(facts.launches.size(), 2u);
  EXPECT_TRUE(facts.launches[0].is_reached && facts.launches[1].is_reached);
}

// In terms of what the kernel is given, also where that is not known.
TEST(KnownLaunch, AConditionIsPartOfWhatItChooses) {
  const auto grid = [](const std::string& body, const std::string& before = "") {
    return launch_of(before + "void run(float* x, int n, bool big) {\n" + body + " }\n").text("grid.x");
  };
  EXPECT_EQ(grid("k<<<div(n, 256), 256>>>(x, n);",
                 "int div(int a, int b) { return a % b != 0 ? a / b + 1 : a / b; }\n"),
            "n % 256 != 0 ? n / 256 + 1 : n / 256");
  EXPECT_EQ(grid("int g = n / 64; if (n % 64) ++g; k<<<g, 64>>>(x, n);"), "n % 64 ? n / 64 + 1 : n / 64");
  EXPECT_EQ(grid("int g; if (n < 99 && n > 0) g = 1; else g = n / 99; k<<<g + 1, 64>>>(x, n);"),
            "(n < 99 && n > 0 ? 1 : n / 99) + 1");
  EXPECT_EQ(grid("k<<<!n ? 1 : n, 64>>>(x, n);"), "n == 0 ? 1 : n");
  EXPECT_EQ(grid("k<<<big ? n : 1, 64>>>(x, n);"), "") << "the kernel is not given it";
  EXPECT_EQ(grid("k<<<n > 5 ? ask() : 1, 64>>>(x, n);"), "");
  EXPECT_EQ(grid("int g = 1; for (int i = 0; i < n; ++i) if (n > 9) g = n; k<<<g, 64>>>(x, n);"), "");
  const KnownLaunch sized = launch_of(
      "void run(int m, int n) { float* x; cudaMalloc(&x, sizeof(float) * n * m); k<<<m, 64>>>(x, n); }");
  EXPECT_EQ(sized.text("elements.x"), "") << "nor m";
  EXPECT_EQ(launch_of("void run(int n) { float* x; cudaMalloc(&x, 4 * n * 3); k<<<9, 64>>>(x, n); }")
                .text("elements.x"),
            "4 * n * 3 / 4");
}

// Also through pointers to kernels, wrappers and methods.
TEST(HostRun, FindsTheLaunch) {
  for (const char* host :
       {"int main() { float* x; void (*f)(float*, int) = k; f<<<4, 64>>>(x, 9); }",
        "int main() { float* x; void (*f[2])(float*, int); f[1] = k; f[1]<<<4, 64>>>(x, 9); }",
        "int main() { float* x; k << <4, 64 >> >(x, 9); }",
        "template <int T = 9, class V = float> void go(V* x) { k<<<4, 64>>>(x, T); }\nint main() { float* x; "
        "go(x); }",
        "typedef int Nothing; typedef void Result;\n"
        "int main() { float* x; Result (*f[])(float*, int) = {k}; for (auto g : f) g<<<4, 64>>>(x, 9); }",
        "template <class F> void run(F f, float* x, int n) { f<<<4, 64>>>(x, n); }\n"
        "int main() { float* x; run(k, x, 9); }",
        "int main() { float* x; int n = 9; void* a[] = {&x, &n}; cudaLaunchKernel((void*)k, 4, 64, a); }",
        "int main() { cudaLaunchConfig_t c; c.gridDim = 4; c.blockDim = 64; cudaLaunchKernelEx(&c, k, 0, 9); "
        "}",
        "#include \"timed.h\"\nvoid run(float* x, int n) { k<<<4, 64>>>(x, n); }\n"
        "int main() { float* x; timed([&] { run(x, 9); }); }",
        "struct Row { std::string name; void (*run)(float*, int); };\n"
        "void run(float* x, int n) { k<<<4, 64>>>(x, n); }\n"
        "int main() { float* x; Row rows[] = {{\"a\", run}}; for (const Row& row : rows) row.run(x, 9); }",
        "struct Row { const char* name; void (*run)(float*, int); };\n"
        "void run(float* x, int n) { k<<<4, 64>>>(x, n); }\n"
        "int main() { float* x; Row rows[] = {{\"a\", run}}; for (auto [name, f] : rows) f(x, 9); }",
        "template <int B> void run(float* x, int n) { k<<<4, B>>>(x, n); }\n"
        "int main() { float* x; using F = std::function<void(float*, int)>;\n"
        "  std::vector<std::tuple<std::string, F>> all{{\"a\", run<64>}};\n"
        "  for (auto& [name, f] : all) f(x, 9); }",
        "int main() { float* x; std::pair<int, dim3> p{9, 64}; k<<<4, p.second>>>(x, p.first); }",
        "int main() { std::function<void(int)> f = [&](int b) { k<<<4, b>>>(nullptr, 9); }; f(64); }",
        "struct End { ~End() { k<<<4, 64>>>(0, 9); } };\nint main() { End end; }",
        "struct App { int n; float* x; App(int a) : n(a) {} void go(); };\n"
        "void App::go() { k<<<4, n + 55>>>(x, n); }\nint main() { App* a = new App(9); a->go(); }",
        "typedef void (*K)(float*, int);\nvoid go(K f, int which) { switch (which) { case 2: f<<<4, 64>>>(0, "
        "9); } }\n"
        "int main() { for (int i = 0; i < 4; ++i) go(k, i); }"}) {
    const FileFacts facts = read_facts(std::string(kKernel) + host);
    ASSERT_EQ(facts.launches.size(), 1u) << host;
    EXPECT_EQ(facts.launches[0].text("grid.x"), "4") << host;
    EXPECT_THAT(facts.launches[0].text("block.x"), testing::AnyOf("64", "n + 55")) << host;
    EXPECT_EQ(facts.launches[0].fields.at("scalar.n"), "9") << host;
    EXPECT_TRUE(facts.launches[0].is_reached) << host;
  }
  const FileFacts several =
      read_facts(std::string(kKernel) +
                 "void never(float* x) { k<<<1, 32>>>(x, 1); }\n"
                 "int main(int argc, char**) { float* x; k<<<3, 32>>>(x, 3);\n"
                 "  if (argc > 1) k<<<2, 32>>>(x, 2); for (;;) k<<<4, 32>>>(x, 4); }\n");
  std::string order;
  for (const KnownLaunch& launch : several.launches)
    order += launch.text("grid.x") + (launch.is_reached ? " " : "- ");
  EXPECT_EQ(order, "3 4 2- 1- ");
}

TEST(KnownLaunch, WhatALaunchLeavesOutIsTheTemplatesOwn) {
  const FileFacts facts = read_facts(
      "template <int A, bool B = true, typename T = double, typename V = T> __global__ void k(float* x, int "
      "n) {\n"
      "  if (B && threadIdx.x < n) x[threadIdx.x] = (T)A;\n}\n"
      "int main() { float* x; cudaMalloc(&x, 256); k<3><<<1, 64>>>(x, 64); k<4, false><<<1, 64>>>(x, 64); "
      "}\n");
  ASSERT_EQ(facts.launches.size(), 2u);
  EXPECT_EQ(facts.launches[0].text("template.B"), "true");
  EXPECT_EQ(facts.launches[0].text("template.T"), "double");
  EXPECT_EQ(facts.launches[0].text("template.V"), "double");
  EXPECT_EQ(facts.launches[1].text("template.B"), "false");
}

// What `case 128:` says of the number that is looked at holds for the launch there, also for what was worked
// out of it before.
TEST(KnownLaunch, OnAWayThatANumberLeadsToItIsThatNumber) {
  const std::string begin = "void host(float* x, int h) { dim3 block(h / 4);\n";
  for (const char* ways :
       {"switch (h) { case 64: k<<<h, block>>>(x, h); break; case 128: k<<<h, block>>>(x, h); }",
        "if (h == 64) k<<<h, block>>>(x, h); else if (h == 128) k<<<h, block>>>(x, h);"}) {
    const FileFacts facts = read_facts(kKernel + begin + ways + " k<<<2, block>>>(x, 5); }\n");
    ASSERT_EQ(facts.launches.size(), 3u) << ways;
    const std::vector<std::string> grids{"64", "128", "2"}, blocks{"64 / 4", "128 / 4", ""};
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(facts.launches[i].text("grid.x"), grids[i]) << ways;
      EXPECT_EQ(facts.launches[i].text("block.x"), blocks[i]) << ways;
      EXPECT_EQ(facts.launches[i].text("scalar.n"), i < 2 ? grids[i] : "5") << ways;
    }
  }
  // What is compared is worked out once.
  const FileFacts counted = read_facts(
      kKernel + std::string("void host(float* x, int h) { int c = 63; if (++c == h) k<<<1, c>>>(x, c); }\n"));
  ASSERT_EQ(counted.launches.size(), 1u);
  EXPECT_EQ(counted.launches[0].text("scalar.n"), "64");
  // Two cases that are one way, and what is behind it, say nothing.
  const FileFacts both = read_facts(kKernel + begin +
                                    "switch (h) { case 64: case 128: k<<<h, block>>>(x, h); }\n"
                                    "k<<<h, 32>>>(x, 7); }\n");
  ASSERT_EQ(both.launches.size(), 2u);
  EXPECT_EQ(both.launches[0].text("grid.x"), "n");
  EXPECT_EQ(both.launches[1].text("grid.x"), "");
}

TEST(HostRun, KnowsWhatTheLibrarySays) {
  expect("char t[] = \"a short line\"; int n = strlen(t);", "12");
  expect("int n = pow(2, 10);", "1024");
  expect("cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); int n = of(p);", "32",
         "int of(cudaDeviceProp p) { return p.warpSize; }\n");
  const FileFacts facts =
      read_facts("__global__ void f(float* a, int n = 9) { a[n] = 1; }\nint main() { f<<<1, 1>>>(0); }\n");
  EXPECT_EQ(facts.launches.at(0).text("scalar.n"), "9");
}

// Of an argument that has to be guessed a float's formula is no integer.
TEST(HostRun, KnowsWhatRoundsUpAndWhatHipAndPitchedMemoryAre) {
  const std::string grid = "k<<<" + std::string("cdiv(m, 256), 256>>>(x, m);");
  EXPECT_EQ(said(grid), "(n + 256 - 1) / 256 | 1000");
  EXPECT_EQ(said("k<<<lib::CEIL_DIV(m, 256), 256>>>(x, m);"), "(n + 256 - 1) / 256 | 1000");
  EXPECT_EQ(said("auto cdiv = [](int a, int b) { return a / b; }; " + grid), "n / 256 | 1000");
  const KnownLaunch hip = launch_of("int main() { float* x; hipMalloc(&x, 400); k<<<1, 64>>>(x, 100); }");
  EXPECT_EQ(hip.text("elements.x"), "100");
  const KnownLaunch rows = launch_of(
      "int main() { float* x; size_t pitch; cudaMallocPitch(&x, &pitch, 100 * 4, 3);\n"
      "  k<<<1, 64>>>(x, pitch / 4); }");
  EXPECT_EQ(field_of(rows, "scalar.n"), "128") << "rows begin at whole numbers of 512 bytes";
  EXPECT_EQ(rows.text("elements.x"), "384");
}

// What is not said of a shape is guessed, and what is said of it stays.
TEST(KnownLaunch, OfABlockItSaysWhatIsKnown) {
  const KnownLaunch part = launch_of("void run(float* x) { dim3 b(48, 2, channels()); k<<<4, b>>>(x, 9); }");
  EXPECT_EQ(part.text("block.x"), "48");
  EXPECT_EQ(part.text("block.y"), "2");
  EXPECT_EQ(part.text("block.z"), "");
  const UserKernel own = opened_kernel(
      "k.cu", kKernel + std::string("void run(float* x, int m) { k<<<4, dim3(m / 4096, m)>>>(x, m); }\n"));
  EXPECT_TRUE(own.values.errors.empty()) << "a block that comes to nothing, whatever m is, is a guess";
}

TEST(KnownLaunch, AFloatMayFollowFromASize) {
  const UserKernel own = opened_kernel(
      "k.cu",
      "__global__ void k(float* x, int n, float step) { if (threadIdx.x < n) x[threadIdx.x] = step; }\n"
      "int main(int argc, char** argv) { float* x; int n = atoi(argv[1]); float step = 0.5f / n;\n"
      "  cudaMalloc(&x, n * 4); k<<<1, 64>>>(x, n, step); }\n");
  EXPECT_TRUE(own.values.errors.empty());
  EXPECT_EQ(std::stod(own.scenario.scalar_rules.at("step")) * own.values.numbers.at("scalar.n"), 0.5);
  // ... and from another float, which is no number that a form works with.
  const UserKernel two =
      opened_kernel("k.cu",
                    "__global__ void k(float* x, float a, float b) { x[threadIdx.x] = a + b; }\n"
                    "int main(int argc, char** argv) { float* x; float a = atof(argv[1]), b = a;\n"
                    "  cudaMalloc(&x, 256); k<<<1, 64>>>(x, a, b); }\n");
  EXPECT_TRUE(two.values.errors.empty());
}

TEST(KnownLaunch, TheGpuIsTheOneThatIsPredictedFor) {
  const std::string many = std::to_string(2 * predicted_gpu().multiprocessors);
  EXPECT_EQ(said("cudaDeviceProp prop; cudaGetDeviceProperties(&prop, 0);\n"
                 "k<<<prop.multiProcessorCount * 2, prop.maxThreadsPerBlock>>>(x, m);"),
            many + " | 1000");
  EXPECT_EQ(said("int v = 3; cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0); k<<<v, 64>>>(x, m);"),
            " | 1000");
}

// A run that has seen much follows no calls without a launch, whose arguments are evaluated all the same.
TEST(KnownLaunch, WhatACallIsGivenIsKnownWhereItIsNotFollowed) {
  const KnownLaunch launch = launch_of(
      "void check(int error) { if (error) exit(1); }\nint burn(int s) { for (int i = 0; i < 1 << 30; i++) s "
      "^= s * i; return s; }\n"
      "int main() { int s = 0; for (int i = 0; i < 9; ++i) { int t = 1; while (t < 60000) t += 1 + (t & 1); "
      "}\n"
      "  for (int i = 0; i < 9; ++i) { int t = 1; while (t < 60000) t += 1 + (t & 1); s = burn(s); }\n"
      "  float* x; check(cudaMalloc(&x, 400)); k<<<4, 64>>>(x, 100); }\n");
  EXPECT_EQ(launch.text("elements.x"), "100");
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

// Stores through the one are loads through the other.
TEST(KnownLaunch, WhatTwoParametersPointIntoIsOneBuffer) {
  const std::string kernel =
      "__global__ void k(int* out, const int* in, float* c) {\n  c[in[threadIdx.x]] = out[0];\n}\n";
  const auto opened = [&](const std::string& launch) {
    return opened_kernel("k.cu", kernel +
                                     "int main() { int *p, *q; float* c;\n  cudaMalloc(&p, 256); "
                                     "cudaMalloc(&q, 256); cudaMalloc(&c, 256);\n  " +
                                     launch + " }\n");
  };
  UserKernel own = opened("k<<<1, 32>>>(p, p + 16, c);");
  EXPECT_EQ(own.scenario.buffer_rules.at("in").same_as, "out");
  EXPECT_EQ(own.scenario.buffer_rules.at("in").offset, "16");
  EXPECT_EQ(own.scenario.buffer_rules.at("in").fill, own.scenario.buffer_rules.at("out").fill);
  EXPECT_EQ(own.scenario.buffer_rules.at("c").same_as, "");
  EXPECT_TRUE(own.values.errors.empty());
  EXPECT_EQ(opened("k<<<1, 32>>>(p, q, c);").scenario.buffer_rules.at("in").same_as, "");
  // Who types what it holds makes it one of its own.
  EXPECT_TRUE(set_field(&own.form, "elements.in", "64"));
  EXPECT_EQ(field_text(own.form, "elements.in"), "64");
  EXPECT_TRUE(set_field(&own.form, "fill.in", "random"));
  EXPECT_EQ(with_form(own, own.form).scenario.buffer_rules.at("in").same_as, "");
}

TEST(KnownLaunch, WhatABaseClassHoldsIsPartOfTheStruct) {
  const FileFacts facts = read_facts(
      "struct Base { double d; int n, m; };\nstruct Shape { int id; };\nstruct Derived : Base, Shape { int "
      "own; };\n"
      "struct Padded { double d; int n; };\nstruct Behind : Padded { int own; };\n"
      "__global__ void k(Derived p, Derived* x, Behind* y) { x[p.n].own = y[p.m].own; }\n"
      "int main() { Derived p, *x; Behind* y; p.n = 100; p.own = 5;\n"
      "  cudaMalloc(&x, 64 * sizeof(Derived)); cudaMalloc(&y, 64 * sizeof(Behind));\n"
      "  k<<<sizeof(Derived), 32>>>(p, x, y); }\n");
  ASSERT_EQ(facts.launches.size(), 1u);
  EXPECT_EQ(field_of(facts.launches[0], "grid.x"), "24");
  EXPECT_EQ(field_of(facts.launches[0], "scalar.p.n"), "100");
  EXPECT_EQ(field_of(facts.launches[0], "scalar.p.own"), "5");
  EXPECT_EQ(field_of(facts.launches[0], "elements.x"), "64");
  EXPECT_EQ(field_of(facts.launches[0], "elements.y"), "?")
      << "whether own lies in the padding is not looked into";
}

TEST(KnownLaunch, WhatIsNotKnownDeepInCallsIsNotWhatItWasBefore) {
  EXPECT_EQ(grid_and_n(launch_of("int up(int n, int d) { return n / d + 1; }\n"
                                 "void run(float* x, int n) { dim3 g(up(n, 128)); k<<<g, 32>>>(x, n); }\n"
                                 "void rec(float* x, int n, int l) { if (l > 1) rec(x, n / 2, l - 1);\n"
                                 "  run(x, n); }\n")),
            " | ?");
}

TEST(KnownLaunch, WhatALayoutOrAConditionLeavesOpenIsNotKnown) {
  EXPECT_EQ(said("struct P { int of[2]; int last; }; P p = {1, 2, 3}; k<<<4, 32>>>(x, p.last);"), "4 | ?");
  EXPECT_EQ(said("struct alignas(16) Q { int of; }; k<<<sizeof(Q), 32>>>(x, m);"), "16 | 1000");
  EXPECT_EQ(said("struct R { char c; alignas(16) char d; }; k<<<sizeof(R), 32>>>(x, m);"), "32 | 1000");
}

TEST(KnownLaunch, ATemplatesPackOfArgumentsIsEachOfThem) {
  const std::string timed =
      "template <typename K, typename... Args> void timed(K kernel, dim3 grid, dim3 block, Args... args) {\n"
      "  kernel<<<grid, block>>>(args...);\n}\n";
  const std::string forwarded =
      "template <typename K, typename... Args> void forwarded(K kernel, int grid, Args&&... args) {\n"
      "  auto once = [&] { kernel<<<grid, 96>>>(std::forward<Args>(args)...); };\n  once();\n}\n";
  const std::string last =
      "template <typename T, typename... Rest> void last(T first, Rest... rest) {\n"
      "  if (first > 1) last(rest...); else timed(k, 2, first, rest...);\n}\n";
  EXPECT_EQ(launched_by(timed, "timed(k, dim3(7), dim3(64), x, 500);"), "k 64 500; ");
  EXPECT_EQ(launched_by(forwarded, "int n = 3; forwarded(twice, n, x, n + 1);"), "twice 96 4; ");
  EXPECT_EQ(launched_by(timed + last, "last(3, 2, 1, x, 9);"), "k 1 9; ") << "each call has its own";
}

TEST(KnownLaunch, AConstantOfTheDeviceIsCopiedToTheHost) {
  const std::string outside =
      "__constant__ int side = 32;\n__device__ int counter = 5;\n"
      "__global__ void count() { counter = 7; }\n";
  EXPECT_EQ(
      launched_by(outside, "int n = 0; cudaMemcpyFromSymbol(&n, side, sizeof(int)); k<<<1, n>>>(x, n);"),
      "k n 32; ");
  EXPECT_EQ(
      launched_by(outside, "int n = 0; cudaMemcpyFromSymbol(&n, counter, sizeof(int)); k<<<1, 8>>>(x, n);"),
      "k 8 ; ")
      << "a kernel may have written it";
}

TEST(KnownLaunch, ALoopThatCountsDownLeavesTheStepsToTheRest) {
  const std::string outside =
      "template <typename T> void fill(T* to, long long n) { while (n--) *to++ = 1; }\n"
      "int size = 40960;\nint up(int a, int b) { return (a + b - 1) / b; }\n";
  EXPECT_EQ(launched_by(outside,
                        "for (int i = 0; i < 4; ++i) { float* a = new float[1 << 24]; fill(a, 1 << 24); }\n"
                        "k<<<1, up(size, 128)>>>(x, size);"),
            "k (n + 128 - 1) / 128 40960; ");
}

TEST(KnownLaunch, WhatAnObjectsMembersAreBeforeAMethodIsCalledIsNotKnown) {
  const FileFacts facts = read_facts(std::string(kKernel) +
                                     "class Runner {\n public:\n  void set(int n) { n_ = n; }\n"
                                     "  void run(float* x) { k<<<(n_ + 63) / 64, kThreads>>>(x, n_); }\n"
                                     " private:\n  static constexpr int kThreads = 64;\n  int n_ = 0;\n};\n");
  ASSERT_EQ(facts.launches.size(), 1u);
  EXPECT_EQ(grid_and_n(facts.launches[0]), "(n + 63) / 64 | ?");
  EXPECT_EQ(facts.launches[0].text("block.x"), "64");
}

TEST(KnownLaunch, AParameterWithoutANameIsGivenWhatTheHostGives) {
  const UserKernel own = opened_kernel(
      "k.cu",
      "__global__ void k(float* x, float /*scale*/, int n, int*) { if (threadIdx.x < n) x[0] = n; }\n"
      "int main() { float* x; int* y; cudaMalloc(&x, 64); cudaMalloc(&y, 32); k<<<1, 32>>>(x, 0.5f, 3, y); "
      "}");
  EXPECT_TRUE(own.values.errors.empty());
  EXPECT_EQ(own.scenario.scalar_rules.at("parameter2"), "0.5");
  EXPECT_EQ(own.scenario.buffer_rules.at("parameter4").elements, "8");
}

TEST(KnownLaunch, BehindAConditionThatEndsTheRunIsALaunchToo) {
  const FileFacts facts =
      read_facts(std::string(kKernel) +
                 "int main() {\n  float* x; int n = 100, gpus;\n  cudaGetDeviceCount(&gpus);\n"
                 "  int m = 0;\n  if (gpus < 2 || m < 1) { n = 7; return 1; }\n  k<<<2, 32>>>(x, n);\n  "
                 "k<<<m, 32>>>(x, n);\n}\n");
  ASSERT_EQ(facts.launches.size(), 2u);
  EXPECT_EQ(grid_and_n(facts.launches[0]), "2 | 100");
  EXPECT_FALSE(facts.launches[0].is_reached);
  EXPECT_EQ(grid_and_n(facts.launches[1]), " | 100") << "m is not 0 there";
}

}  // namespace warplens::app::known_launch_test
