// Random kernels as text, whole as a person would write them: guards, early returns, swizzled block indices,
// tiles, while loops, gathers, atomics on both memories. Classes of alike blocks against brute force, in
// every field.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "sim/warp/lower.h"
#include "sim/warp/totals.h"

namespace warplens::warp {
namespace {

class RandomText {
 public:
  explicit RandomText(std::uint32_t seed) : random_(seed) {
    choose_launch();
    text_ =
        "__global__ void k(float* out, const float* in, const int* index, int* bins, int n, int m) {\n"
        "  __shared__ int tile[1100];\n"
        "  int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;\n";
    block_indices();
    text_ += "  int x = bx * blockDim.x + threadIdx.x, y = by * blockDim.y + threadIdx.y;\n  int i = " +
             position() + ", acc = 0;\n";
    if (chance(70)) text_ += "  if (" + guard() + ") return;\n";
    for (int count = pick(1, 4); count > 0; --count) statement("  ");
    if (chance(60)) tile();
    text_ += "  out[" + in_range(position()) + "] = acc + " +
             one_of({"t", "i", "x * y", "in[" + in_range("i") + "]"}) + ";\n}\n";
  }
  const std::string& text() const { return text_; }
  const Launch& launch() const { return launch_; }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  std::string one_of(std::vector<std::string> from) {
    return from[static_cast<std::size_t>(pick(0, static_cast<int>(from.size()) - 1))];
  }
  static std::string number(int value) { return std::to_string(value); }

  void choose_launch() {
    const std::vector<Dim3> blocks = {{32, 1, 1}, {64, 1, 1}, {16, 8, 1}, {32, 8, 1},
                                      {7, 5, 1},  {4, 4, 4},  {1, 48, 1}};
    launch_.block = blocks[static_cast<std::size_t>(pick(0, 6))];
    launch_.grid = {static_cast<std::uint32_t>(pick(1, 24)),
                    static_cast<std::uint32_t>(chance(60) ? pick(1, 9) : 1),
                    static_cast<std::uint32_t>(chance(25) ? pick(1, 3) : 1)};
    const auto size = static_cast<std::uint64_t>(1 << pick(6, 16));
    launch_.arguments = {{"in", Buffer{0, chance(50) ? Fill::Iota : Fill::Random}},
                         {"index", Buffer{size, static_cast<Fill>(pick(0, 2))}},
                         {"n", std::int64_t{chance(60) ? pick(1, 400) : 1 << pick(3, 10)}},
                         {"m", std::int64_t{pick(1, 200)}}};
    index_size_ = static_cast<int>(size);
  }

  void block_indices() {
    const std::string flat = "int b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;\n  ";
    switch (pick(0, 4)) {
      case 0:  // diagonal
        text_ += "  int bx = (blockIdx.x + blockIdx.y) % gridDim.x, by = blockIdx.x;\n";
        break;
      case 1:  // in columns of four blocks
        text_ += "  " + flat + "int bx = b % 4, by = b / 4;\n";
        break;
      case 2:
        text_ += "  " + flat + "int by = b % gridDim.y, bx = (b / gridDim.y + by) % gridDim.x;\n";
        break;
      default:
        text_ += "  int bx = blockIdx.x, by = blockIdx.y;\n";
    }
  }

  std::string position() {
    return one_of({"x", "y * n + x", "x * n + y", "x + m", "y * m + x * 3", "blockIdx.z * n + x"});
  }
  std::string in_range(const std::string& index) { return "(" + index + ") & 0x3ffff"; }
  std::string guard() {
    return one_of({"x >= n", "y >= m", "x >= n || y >= m", "i >= n * m", "(t & 3) == 1 && bx == 2"});
  }
  std::string value() {
    return one_of({"i", "t", "acc", number(pick(0, 99)), "x + y", "(i ^ " + number(pick(1, 63)) + ")",
                   "x / 3", "i % m"});
  }
  std::string atomic(const std::string& memory, int size) {
    const std::string call = one_of({"atomicAdd", "atomicMax", "atomicExch"}) + "(&" + memory + "[(" +
                             value() + ") & " + number(size - 1) + "], 1);\n";
    return chance(50) ? call : "acc += " + call;
  }

  void statement(const std::string& indent) {
    switch (pick(0, 7)) {
      case 0:
        text_ += indent + "acc += (int)in[" + in_range(chance(50) ? position() : value()) + "];\n";
        break;
      case 1:  // gather
        text_ += indent + "acc += (int)in[index[(" + position() + ") & " + number(index_size_ - 1) +
                 "] & 0xffff];\n";
        break;
      case 2:  // histogram: an old value that is used would make the blocks' order matter
        text_ += indent + "atomicAdd(&bins[(" + value() + ") & 63], 1);\n";
        break;
      case 3:
        text_ += indent + "for (int j = 0; j < " + one_of({"3", "m % 7", "bx % 4", "t % 5"}) + "; ++j) {\n";
        if (indent.size() < 6) statement(indent + "  ");
        text_ += indent + "  acc += (int)in[" + in_range(position() + " + j * " + one_of({"n", "32", "5"})) +
                 "];\n" + indent + "}\n";
        break;
      case 4:
        text_ += indent + "{ int w = " + value() + " & 15; while (w > 0) { if (w == " + number(pick(2, 9)) +
                 ") break; out[" + in_range("i + w * " + one_of({"8", "n"})) +
                 "] = w; w -= 1 + (t & 1); } }\n";
        break;
      case 5:
        text_ += indent + "if (" + guard() + ") {\n";
        if (indent.size() < 6) statement(indent + "  ");
        text_ += indent + "} else acc -= " + value() + ";\n";
        break;
      default:
        text_ += indent + "acc = " + value() + " * " + number(pick(1, 9)) + " + " + value() + ";\n";
    }
  }

  void tile() {
    text_ += "  tile[t] = " + value() + ";\n";
    if (chance(50)) text_ += "  " + atomic("tile", 512);
    text_ += "  __syncthreads();\n  acc += tile[" +
             one_of({"t ^ 1", "(t * 33) % 1024", "acc & 511", "(t + bx) & 255",
                     "threadIdx.x * 17 + threadIdx.y"}) +
             "];\n";
  }

  std::mt19937 random_;
  std::string text_;
  Launch launch_;
  int index_size_ = 0;
};

TEST(MachineTextClasses, EqualBruteForceInEveryField) {
  int counted = 0, quicker = 0, dependent = 0;
  const char* from = std::getenv("WARPLENS_SEED");  // begins elsewhere, for a longer search
  const auto first = static_cast<std::uint32_t>(from != nullptr ? std::atoi(from) : 1);
  for (std::uint32_t seed = first; seed < first + 400; ++seed) {
    const RandomText kernel(seed);
    SCOPED_TRACE(testing::Message() << "seed " << seed << "\n" << kernel.text());
    const CompileResult compiled =
        compile({.text = kernel.text(), .kernel = "", .template_arguments = {}, .defines = {}});
    for (const cuda::Diagnostic& d : compiled.diagnostics) ADD_FAILURE() << render(d, kernel.text(), "k.cu");
    ASSERT_TRUE(compiled.program);
    TotalsOptions options;
    options.threads = 1;
    const Totals classes =
        grid_totals(*compiled.program, kernel.launch(), memory::default_gpu_model(), options);
    options.brute_force = true;
    options.threads = 2;
    const Totals brute =
        grid_totals(*compiled.program, kernel.launch(), memory::default_gpu_model(), options);
    ASSERT_EQ(classes.error.has_value(), brute.error.has_value());
    if (brute.error) continue;
    ASSERT_TRUE(classes.global_sites == brute.global_sites);
    ASSERT_TRUE(classes.shared_sites == brute.shared_sites);
    ASSERT_TRUE(classes.global_shapes == brute.global_shapes);
    ASSERT_TRUE(classes.shared_shapes == brute.shared_shapes);
    ASSERT_EQ(classes.barriers, brute.barriers);
    ASSERT_EQ(brute.blocks_simulated, brute.blocks_total);
    ++counted;
    quicker += classes.blocks_simulated * 2 < classes.blocks_total ? 1 : 0;
    dependent += classes.data_dependent.empty() ? 0 : 1;
  }
  // Most run to their end; many have alike blocks, and some depend on what they read.
  EXPECT_GT(counted, 300);
  EXPECT_GT(quicker, 60);
  EXPECT_GT(dependent, 20);
}

}  // namespace
}  // namespace warplens::warp
