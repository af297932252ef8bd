// CUDA C++ in strings of Python and cells of notebooks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/lower/lower.h"
#include "sim/scenario/text_file.h"

namespace warplens::scenario {
namespace {

std::string of(const std::string& text, const char* file = "k.py") {
  const auto taken = kernel_text(text, file);
  return taken ? *taken.value : taken.errors.front().english();
}

TEST(CudaText, OfPythonIsItsStringsOnTheirLines) {
  const std::string text =
      "import torch  # it's \"a\" start\n"
      "src = r'''\n__global__ void k(float* x) { x[threadIdx.x] = '\\n'; }\n'''\n"
      "doc = \"\"\"no\nkernel\"\"\"\n"
      "other = '__global__ void one(int* p) { *p = 1; }\\n'\n"
      "cpp = f\"\"\"__device__ int two() {{ return {N}; }} \\\\\n\"\"\"\n";
  EXPECT_EQ(of(text),
            "\n\n__global__ void k(float* x) { x[threadIdx.x] = '\\n'; }\n\n\n\n"
            "__global__ void one(int* p) { *p = 1; }\n\n__device__ int two() { return {N}; } \\\n\n");
  EXPECT_EQ(of("a.cu stays", "a.cu"), "a.cu stays");
  const std::string kernel = "x = '''\n\n__global__ void k(float* x) {\n  x[threadIdx.x] = 1;\n}\n'''\n";
  const sim::KernelList list = sim::list_kernels(of(kernel));
  ASSERT_EQ(list.kernels.size(), 1u);
  EXPECT_EQ(list.kernels[0].range.begin.line, 3) << "as in the file";
}

TEST(CudaText, OfANotebookIsItsCells) {
  const std::string notebook = R"json({"cells": [
    {"cell_type": "markdown", "source": ["__global__ void not_this() {}"]},
    {"cell_type": "code", "source": ["%%writefile scan.cu\n", "__global__ void first() {}\n"]},
    {"cell_type": "code", "source": "%%writefile notes.txt\n__global__ void not_this() {}"},
    {"cell_type": "code", "source": ["%%cuda -c \"--stats\"\n", "__global__ void second() {}\n"]},
    {"cell_type": "code", "source": ["m = load_inline(cuda_sources='''__global__ void third() {}''')"]},
    {"cell_type": "code", "source": ["%%writefile scan.cu\n", "__global__ void again() {}\n"]}, 7, {"cell_type": 3}]
})json";
  EXPECT_EQ(of(notebook, "n.ipynb"),
            "\n__global__ void second() {}\n\n__global__ void third() {}\n\n__global__ void again() {}\n\n");
  const std::string cell = "__global__ void __launch_bounds__(64) k(int) {}";
  EXPECT_EQ(of(R"({"cells": [{"cell_type": "code", "source": "%%cu\n)" + cell +
                   R"("}, {"cell_type": "code", "source": "%%file b.cu\n)" + cell + R"("}]})",
               "n.ipynb"),
            "\n" + cell + "\nnamespace part_2 {\n" + cell + "\n}");
}

TEST(CudaText, SaysWhereThereIsNone) {
  EXPECT_THAT(of("print('hello')"), testing::HasSubstr("none of its strings is CUDA C++"));
  for (const char* text :
       {"", "{}", "[1]", "{\"cells\": 3}", "{\"cells\": [{\"cell_type\": \"code\"}]}", "{\"cells\""})
    EXPECT_THAT(of(text, "n.ipynb"), testing::HasSubstr("none of its cells is CUDA C++")) << text;
  const std::string whole = "a = r\"\"\"__global__ void k() {}\"\"\" 'open\nb = '''__global__\\";
  for (std::size_t length = 0; length <= whole.size(); ++length) (void)of(whole.substr(0, length));
}

}  // namespace
}  // namespace warplens::scenario
