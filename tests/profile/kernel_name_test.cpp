#include "sim/profile/kernel_name.h"

#include <gmock/gmock.h>

namespace warplens::profile {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(KernelName, AsNcuPrintsThem) {
  EXPECT_EQ(read_kernel_name("smem_cuda_transpose(int, const double *, double *)").name,
            "smem_cuda_transpose");
  EXPECT_EQ(read_kernel_name("k").name, "k");
  const KernelName k = read_kernel_name("void lab::k<(int)32, (bool)1, float, 4u>(T3 *, void (*)(int))");
  EXPECT_EQ(k.name, "lab::k");
  EXPECT_THAT(k.template_arguments, ElementsAre("32", "true", "float", "4"));
  EXPECT_EQ(read_kernel_name("_Z5scalePfi").name, "scale");
  EXPECT_EQ(read_kernel_name("_Z1kILi32EEvPf").template_arguments, std::vector<std::string>{"32"});
  EXPECT_THAT(read_kernel_name("scale(std::pair<int, int>)").template_arguments, IsEmpty());
  EXPECT_EQ(read_kernel_name("_Zbroken").name, "_Zbroken");
  for (const char* text : {"", "<", ">", "(", "k<", "k<(", ")k<>", "<>(", "void ", "k<a,,b>"})
    read_kernel_name(text);
}

TEST(KernelName, NamespacesMayBeLeftOut) {
  EXPECT_TRUE(names_kernel(read_kernel_name("void lab::scale<float>(float *)"), "scale"));
  EXPECT_TRUE(names_kernel(read_kernel_name("scale"), "lab::scale"));
  EXPECT_FALSE(names_kernel(read_kernel_name("rescale(float *)"), "scale"));
  EXPECT_FALSE(names_kernel(read_kernel_name("scale2"), "scale"));
  EXPECT_FALSE(names_kernel(read_kernel_name(""), ""));
}

}  // namespace
}  // namespace warplens::profile
