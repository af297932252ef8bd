// Launches that nobody says, of kernels that the first guess does not suit: what is guessed in its place, and
// that what somebody says stands. Expectations can be counted by hand from the texts here.
#include <gtest/gtest.h>

#include "app/source/kernel_facts.h"
#include "app/state/user_kernel.h"

namespace warplens::app {
namespace {

std::string field(const UserKernel& own, const std::string& name) {
  return field_text(own.form, name);
}

TEST(GuessAgain, WhatTheFirstGuessDoesNotSuit) {
  struct Row {
    const char* why;
    std::string text;
    std::vector<std::pair<const char*, const char*>> fields;
  };
  const std::string keep =
      "__global__ void keep(float* x, int count) {\n  float own[64];\n"
      "  for (int i = 0; i < count; ++i) own[i] = x[i];\n"
      "  for (int i = 0; i < count; ++i) x[threadIdx.x] += own[count - 1 - i];\n}\n";
  const std::string fill = "template <typename T> __global__ void fill(T* x) { x[threadIdx.x] = 1; }\n",
                    alias = "using Wide = double;\n", launch = "  fill<Wide><<<1, 32>>>((Wide*)x);\n}\n";
  for (const Row& row : {
           Row{"shared memory is as much as a block may ask for: 256 * 100 floats",
               "__global__ void wide(float* x) {\n  extern __shared__ float s[];\n"
               "  s[threadIdx.x * 100 + 99] = x[threadIdx.x];\n  __syncthreads();\n"
               "  x[threadIdx.x] = s[threadIdx.x * 100 + 99];\n}\n",
               {{"block.x", "256"}, {"shared", "102400"}}},
           {"shared memory that the host counts later is open: that it is nothing only a run finds out",
            "__global__ void later(float* x) {\n  extern __shared__ float s[];\n"
            "  s[threadIdx.x + blockDim.x] = x[threadIdx.x];\n  __syncthreads();\n"
            "  x[threadIdx.x] = s[threadIdx.x + blockDim.x];\n}\n"
            "void run(float* x) {\n  int n = 0;\n  ask(&n);\n  later<<<4, 64, n * sizeof(float)>>>(x);\n}\n",
            {{"block.x", "64"}, {"shared", "512"}}},
           {"sizes are no larger than an array of the kernel", keep, {{"scalar.count", "64"}}},
           {"what the host says stands, also where it is a mistake",
            keep + "int main() { float* x; keep<<<1, 32>>>(x, 100); }\n",
            {{"scalar.count", "100"}}},
           {"sizes keep within what the host allocates",
            "__global__ void weigh(float* out, const float* mask, int width) {\n  float sum = 0;\n"
            "  for (int i = 0; i < width; ++i) sum += mask[i];\n  out[threadIdx.x] = sum;\n}\n"
            "void run(float* out, int width) {\n  float* mask;\n  cudaMalloc(&mask, 10 * sizeof(float));\n"
            "  weigh<<<1, 32>>>(out, mask, width);\n}\n",
            {{"elements.mask", "10"}, {"scalar.width", "4"}}},
           {"indices that are read stay inside",
            "__global__ void look(float* out, const int* which) {\n  __shared__ float s[64];\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  s[threadIdx.x % 64] = i;\n"
            "  __syncthreads();\n  out[i] = s[which[i]];\n}\n",
            {{"fill.which", "zero"}, {"block.x", "256"}}},
           {"a race is a mistake to be seen, whatever the sizes are",
            "__global__ void race(float* out, int count) {\n  __shared__ float s[32];\n"
            "  int t = threadIdx.x % 32;\n"
            "  if (t < count) s[t] = t;\n  out[t] = t > 0 && t < count ? s[t - 1] : 0;\n}\n"
            "void run(float* out, int count) { race<<<1, 32>>>(out, count); }\n",
            {{"scalar.count", "1048576"}}},
           {"threadIdx.y is never asked for: the block has one row, whatever the grid has",
            "__global__ void rows(float* x, int width, int height) {\n"
            "  int c = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  if (c < width && blockIdx.y < height) x[blockIdx.y * width + c] = 1;\n}\n",
            {{"block.x", "256"},
             {"block.y", "1"},
             {"grid.y", "(height + block_y - 1) / block_y"},
             {"scalar.height", "1024"}}},
           {"a macro's index is the kernel's",
            "#define ROW (blockIdx.y * blockDim.y + threadIdx.y)\n"
            "__global__ void helped(float* x, int width, int height) {\n"
            "  int c = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  if (c < width && ROW < height) x[ROW * width + c] = 1;\n}\n",
            {{"block.y", "16"}}},
           {"a functor is the one that the host makes",
            "struct Plain { float x; };\n"
            "template <typename T>\nstruct Half { __device__ T operator()(T x) const { return x / 2; } };\n"
            "struct Raise { float by; __device__ float operator()(float x) const { return x + by; } };\n"
            "template <typename T, typename F> __global__ void each(T* x, F op, int n) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) x[i] = op(x[i]);\n}\n"
            "void run(float* x) { each<<<4, 64>>>(x, Raise{2}, 256); }\n",
            {{"template.F", "Raise"}, {"scalar.op.by", "2.0"}, {"block.x", "64"}}},
           {"an alias in the host's function is the type that it stands for",
            fill + "void run(void* x) {\n" + alias + launch,
            {{"template.T", "double"}}},
           {"and so is one of the file",
            fill + alias + "void run(void* x) {\n" + launch,
            {{"template.T", "double"}}},
           {"all threads go through everything: 1024 by 1024 would be counted for minutes",
            "__global__ void pairs(float* x, int rows, int cols) {\n  float sum = 0;\n"
            "  for (int i = 0; i < rows * cols; ++i) sum += x[(i * (threadIdx.x + 1)) % (rows * cols)];\n"
            "  if (threadIdx.x < cols) x[threadIdx.x] = sum;\n}\n"
            "void run(float* x, int rows, int cols) { pairs<<<4, 256>>>(x, rows, cols); }\n",
            {{"scalar.rows", "64"}, {"scalar.cols", "64"}}},
           {"what loops turn by is small: each number up to a million would be as many turns",
            "__global__ void work(const int* turns, float* x) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float sum = 0;\n"
            "  for (int k = 0; k < turns[i]; ++k) sum += 1 / (sum + k);\n  x[i] = sum;\n}\n"
            "void run(const int* turns, float* x) { work<<<4096, 256>>>(turns, x); }\n",
            {{"fill.turns", "random(0,63)"}}},
           {"a texture of the file is bound with a width",
            "texture<float, 1> signal;\n"
            "__global__ void mean(float* x) { x[threadIdx.x] = tex1D(signal, threadIdx.x + 0.5f); }\n"
            "void run(float* x) { mean<<<1, 64>>>(x); }\n",
            {{"scalar.signal.width", "1048576"}, {"scalar.signal.address", "1"}}},
           {"of `zero`, which is called a size and is none, no grid can be made",
            "__global__ void k(float* x, int zero) { x[threadIdx.x + zero] = 1; }\n"
            "void run(float* x) { k<<<blocks_of(x), 64>>>(x, 0); }\n",
            {{"grid.x", "64"}}},
           {"a block that goes along a row has a row: there are as many blocks as rows",
            "__global__ void sum(const float* x, float* y, int rows, int n) {\n  int row = blockIdx.x;\n"
            "  float s = 0;\n  for (int c = threadIdx.x; c < n; c += blockDim.x) s += x[row * n + c];\n"
            "  if (s > 0) y[row] = s;\n}\n",
            {{"grid.x", "rows"}, {"elements.x", "rows * n"}, {"elements.y", "rows"}}},
           {"where nothing says how many rows there are, it is a few of an ordinary length",
            "__global__ void scale(float* x, int n) {\n"
            "  for (int c = threadIdx.x; c < n / 4; c += blockDim.x) x[blockIdx.x * n + c] *= 2;\n}\n",
            {{"grid.x", "64"}, {"scalar.n", "1024"}}},
           {"what a comment speaks of is in no kernel, however long it is",
            "__global__ void scale(float* x, int n) {  // not blockIdx.x * blockDim.x + threadIdx.x; c < n " +
                std::string(400'000, 'a') +
                "\n  for (int c = threadIdx.x; c < n; c += blockDim.x) x[blockIdx.x * n + c] *= 2;\n}\n",
            {{"grid.x", "64"}, {"scalar.n", "1024"}}},
           {"the bins of a histogram are no row",
            "__global__ void count(const int* x, int* bins, int n, int nbins) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  for (int b = threadIdx.x; b < nbins; b += blockDim.x) bins[b] = 0;\n"
            "  if (i < n) bins[x[i] % nbins] = 1;\n}\n",
            {{"grid.x", "(n + block_x - 1) / block_x"}}},
           {"a side of a filter is small",
            "__global__ void blur(float* x, int width, int kernel_w, int search_radius) {\n"
            "  for (int i = 0; i < kernel_w + search_radius; ++i) x[threadIdx.x * width + i] = 1;\n}\n",
            {{"scalar.kernel_w", "3"}, {"scalar.search_radius", "3"}}},
           {"a template of a function is filled in with its name",
            "using Op = float (*)(float);\n__device__ float twice(float a) { return 2 * a; }\n"
            "template <Op op> __global__ void row(float* out) { out[threadIdx.x] = op(out[threadIdx.x]); }\n"
            "template <Op op> void launch(float* out) { row<op><<<1, 64>>>(out); }\n"
            "int main() { float* out; launch<twice>(out); }\n",
            {{"template.op", "twice"}}},
           {"a name for a type is the type",
            "typedef double real;\nusing count_t = unsigned;\n"
            "__global__ void scale(real* x, real by, count_t n) { if (threadIdx.x < n) x[threadIdx.x] *= by; "
            "}\n"
            "int main() { real* x; cudaMalloc(&x, 40 * sizeof(real)); scale<<<1, 64>>>(x, 3.61, 40); }\n",
            {{"scalar.by", "3.61"}, {"scalar.n", "40"}, {"elements.x", "40"}}},
           {"a number of a template's type may be a float",
            "template <typename T> __global__ void axpy(T* y, T a) { y[threadIdx.x] += a; }\n"
            "int main() { double* y; cudaMalloc(&y, 256); const double a = 0.1; axpy<double><<<1, 32>>>(y, "
            "a); }\n",
            {{"scalar.a", "0.1"}}},
           {"a texture of the file is no parameter, and what the host binds to it is guessed",
            "texture<float, 1, cudaReadModeElementType> curve;\n"
            "__global__ void look(float* out, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  if (i < n) out[i] = tex1D(curve, i + 0.5f);\n}\n"
            "int main() { float* out; cudaMalloc(&out, 400); look<<<1, 128>>>(out, 100); }\n",
            {{"scalar.curve.width", "1048576"}, {"scalar.curve.normalized", "0"}, {"elements.out", "100"}}},
           {"an allocation of nothing has no length",
            "__global__ void k(float* x, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  if (i < n) x[i] = 1;\n}\n"
            "int main() { float* x; int n = 1 << 16; cudaMalloc(&x, n * n * sizeof(float)); k<<<4, 256>>>(x, "
            "n); }\n",
            {{"grid.x", "4"}}},
       }) {
    SCOPED_TRACE(row.why);
    const UserKernel own = opened_kernel("k.cu", row.text);
    EXPECT_TRUE(own.values.errors.empty());
    for (const auto& [name, text] : row.fields) EXPECT_EQ(field(own, name), text) << name;
  }
}

// In 15 rounds, of which each goes twice as far.
TEST(Facts, ALoopOfDoublingIsGoneThrough) {
  const FileFacts facts = read_facts(
      "__global__ void k(float* x) { x[threadIdx.x] = 1; }\n"
      "int next_power(int n) { int p = 1; while (p < n) p <<= 1; return p; }\n"
      "int main() { float* x; k<<<next_power(2 * 16384 - 1), 32>>>(x); }\n");
  EXPECT_EQ(facts.launches.at(0).text("grid.x"), "32768");
}

TEST(Facts, ALaunchInAHostTemplateHasTheArgumentsOfItsCall) {
  const FileFacts facts = read_facts(
      "template <int D, int W> __global__ void part(float* x) { x[threadIdx.x] = D; }\n"
      "template <const int D> void run(float* x) {\n  constexpr int W = D < 128 ? 8 : 4;\n"
      "  dim3 block(W * 32);\n  part<D, W><<<4, block>>>(x);\n}\n"
      "int main() { float* x; run<64>(x); }\n");
  ASSERT_EQ(facts.launches.size(), 1u);
  EXPECT_EQ(facts.launches[0].text("template.D"), "64");
  EXPECT_EQ(facts.launches[0].text("template.W").empty() ? "" : "said", "said");
}

TEST(Facts, ATypeThatTheHostDoesNotWriteIsThatOfWhatItPasses) {
  const std::string kernel =
      "template <int B, typename T> __global__ void t(T* out, const T* in, int n) { out[n] = in[B]; }\n"
      "template <typename T> __global__ void fill(T value, int n) {}\ntypedef double Real; struct Pixel { "
      "int x; };\n";
  const auto type = [&](const std::string& body, std::size_t which = 1) {
    const FileFacts facts = read_facts(kernel + "void run(const short* s, void* v) {\n" + body + "\n}\n");
    return facts.launches.at(0).text("template." +
                                     facts.find(facts.launches.at(0).kernel)->templates.at(which).name);
  };
  EXPECT_EQ(type("double *a, *b; t<128><<<4, 256>>>(a, b, 9);"), "double");
  EXPECT_EQ(type("float4* a; float *b; t<128><<<4, 256>>>(a, a, 9);"), "float4");
  EXPECT_EQ(type("unsigned char* a = nullptr; t<8><<<4, 256>>>(a, a, 9);"), "unsigned char");
  EXPECT_EQ(type("float* a; t<8><<<4, 256>>>((float4*)a, (float4*)a, 9);"), "float4");
  EXPECT_EQ(type("float* a; t<8><<<4, 256>>>(reinterpret_cast<int2*>(a), 0, 9);"), "int2");
  EXPECT_EQ(type("t<8><<<4, 256>>>(unknown(), s, 9);"), "short");
  EXPECT_EQ(type("int* a; t<8><<<4, 256>>>(a + 4, &a[3], 9);"), "int");
  EXPECT_EQ(type("Pixel* a; t<8><<<4, 256>>>(a, a, 9);"), "Pixel");
  EXPECT_EQ(type("t<8><<<4, 256>>>(v, v, 9);"), "") << "no T is void";
  EXPECT_EQ(type("auto a = make(); t<8><<<4, 256>>>(a, a, 9);"), "");
  EXPECT_EQ(type("t<8><<<4, 256>>>(elsewhere, p.x, 9);"), "");
  EXPECT_EQ(type("{ double* a; } float* a; { int* a; } t<8><<<4, 256>>>(a, a, 9);"), "float")
      << "the one in scope";
  EXPECT_EQ(type("t<8, int><<<4, 256>>>((float*)v, (float*)v, 9);"), "int") << "as it is written";
  EXPECT_EQ(type("fill<<<4, 256>>>(2.0f, 9);", 0), "float");
  EXPECT_EQ(type("fill<<<4, 256>>>(2.0, 9);", 0), "double");
  EXPECT_EQ(type("size_t m = 4; fill<<<4, 256>>>(m, 9);", 0), "size_t");
  const FileFacts facts =
      read_facts(kernel + "int main() { double* a; cudaMalloc(&a, 80); t<8><<<4, 256>>>(a, a, 9); }");
  EXPECT_EQ(facts.launches[0].fields.at("elements.out"), "10") << "elements of the type";
}

constexpr const char* kShift =
    "__global__ void shift(float* out, const float* in, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = in[i];\n}\n";

// "length of in, offset": of a launch behind `body`.
std::string in_of(const std::string& body) {
  const FileFacts facts =
      read_facts(kShift +
                 std::string("int main(int argc, char** argv) {\n  int n = 1000; float *a, *b;\n"
                             "  cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4);\n") +
                 body + "\n}\n");
  const KnownLaunch& launch = facts.launches.at(0);
  const auto text = [&](const std::string& field) {
    return launch.fields.contains(field) ? launch.fields.at(field) : std::string("?");
  };
  return text("elements.in") + ", " + text("offset.in");
}

TEST(Facts, APointerIntoABufferHasAnOffset) {
  EXPECT_EQ(in_of("shift<<<4, 256>>>(a, b, 9);"), "1000, ?");
  EXPECT_EQ(in_of("shift<<<4, 256>>>(a, b + 1, 9);"), "1000, 1");
  EXPECT_EQ(in_of("shift<<<4, 256>>>(a, &b[n / 2], 9);"), "1000, 500");
  EXPECT_EQ(in_of("float* c = b + 1; shift<<<4, 256>>>(a, c + 2, 9);"), "1000, 3");
  EXPECT_EQ(in_of("float* c; c = b + 3; shift<<<4, 256>>>(a, c, 9);"), "1000, 3");
  EXPECT_EQ(in_of("shift<<<4, 256>>>(a, (float*)b, 9);"), "1000, ?");
  EXPECT_EQ(in_of("shift<<<4, 256>>>(a, b + argc, 9);"), "1000, 1");
  EXPECT_EQ(in_of("b += 4; shift<<<4, 256>>>(a, b, 9);"), "1000, 4");
  EXPECT_EQ(in_of("cudaMalloc(&a, 8); std::swap(a, b); shift<<<4, 256>>>(a, b, 9);"), "2, ?");
  for (const char* unknown :
       {"shift<<<4, 256>>>(a, b + atoi(argv[1]), 9);", "if (flag) b = a; shift<<<4, 256>>>(a, b, 9);",
        "shift<<<4, 256>>>(a, b - 1, 9);", "turn(&b); shift<<<4, 256>>>(a, b, 9);"})
    EXPECT_EQ(in_of(unknown), "?, ?") << unknown;
  const UserKernel own = opened_kernel(
      "shift.cu",
      kShift + std::string("int main() { float *a, *b; cudaMalloc(&a, 400); cudaMalloc(&b, 400);\n"
                           "  shift<<<1, 128>>>(a, b + 1, 99); }\n"));
  EXPECT_EQ(field(own, "offset.in"), "1");
  EXPECT_EQ(field(own, "offset.out"), "");
  EXPECT_EQ(field(own, "elements.in"), "100");
  EXPECT_EQ(own.values.numbers.at("offset.in"), 1);
}

}  // namespace
}  // namespace warplens::app
