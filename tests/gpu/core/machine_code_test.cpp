// Memory instructions counted from disassembly, in the forms of nvdisasm and of cuobjdump.
#include "kernels/gpu/cuda/machine_code.h"

#include <gtest/gtest.h>

namespace warplens::gpu {
namespace {

using Counts = std::map<std::string, int>;

constexpr const char* kNvdisasm =
    "\t.section\t.text._Z1kPf,\"ax\",@progbits\n"
    ".text._Z1kPf:\n"
    "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
    "        /*0010*/              @!P0 LDS.128 R4, [R2+0x10] ;\n"
    "        /*0020*/                   LDS R8, [R3] ;\n"
    "        /*0030*/                   LDS R9, [R3+0x80] ;\n"
    "        /*0040*/                   STS.64 [R3], R8 ;\n"
    ".L_x_1:\n"
    "        /*0050*/                   LDG.E.64.CONSTANT R2, desc[UR4][R2.64] ;\n"
    "        /*0060*/                   STG.E desc[UR4][R2.64], R5 ;\n"
    "        /*0070*/                   LDS.U8 R9, [R3] ;\n"
    "        /*0080*/                   EXIT ;\n"
    ".text._Z5otherPf:\n"
    "        /*0000*/                   LDS R8, [R3] ;\n";

TEST(MachineCode, CountsMemoryInstructionsByWidth) {
  EXPECT_EQ(count_memory_instructions(kNvdisasm, "_Z1kPf"),
            (Counts{{"LDG.64", 1}, {"LDS", 2}, {"LDS.128", 1}, {"LDS.U8", 1}, {"STG", 1}, {"STS.64", 1}}));
  EXPECT_EQ(count_memory_instructions(kNvdisasm, "_Z5otherPf"), (Counts{{"LDS", 1}}));
  EXPECT_EQ(count_memory_instructions(kNvdisasm, "").at("LDS"), 3);
}

TEST(MachineCode, ReadsCuobjdump) {
  EXPECT_EQ(count_memory_instructions(
                "\t\tFunction : k\n\t.headerflags\t@\"EF_CUDA_SM90\"\n"
                "        /*0000*/    @P0 ATOMS.POPC.INC.32 RZ, [R4] ;   /* 0x000000000400798c */\n"
                "                                              /* 0x000fe20000000000 */\n"
                "        /*0010*/        RED.E.ADD.STRONG.GPU desc[UR4][R2.64], R5 ;\n",
                "k"),
            (Counts{{"ATOMS", 1}, {"RED", 1}}));
}

TEST(MachineCode, PassesOverWhatIsNoDisassembly) {
  EXPECT_TRUE(count_memory_instructions("", "").empty());
  EXPECT_TRUE(count_memory_instructions("LDS R1\n/**/ LDS\n/*zz*/ LDS R1\n/*0010*/\n", "").empty());
}

}  // namespace
}  // namespace warplens::gpu
