// Matrix products, transposes, reductions. What else courses do with a matrix or a row, the gallery does.
#include "matmul_2d_arrays.cu.h"
#include "reduction.cu.h"
#include "reduction_volatile.cu.h"
#include "sgemm_double_buffer.cu.h"
#include "tests/language/language_case.h"
#include "transpose.cu.h"

namespace warplens::language {
namespace {

const Register kCases[] = {
    {CALLED("1,2 8,8 A=@3072:random B=@1536:random C=@8192 M=128 N=64 K=24", sgemm_double_buffer,
            Sgemm<64, 8, 64, 8, 8>)},
    {CALLED("2,2 32,32 odata=@4096 idata=@4096:iota width=64 height=64", transpose, copySharedMem)},
    {CALLED("2,2 32,16 odata=@4096 idata=@4096:iota width=64 height=64", transpose, transposeNoBankConflicts),
     {.totals = {{"global load sectors", 64 * 64 / 8},
                 {"global store sectors", 64 * 64 / 8},
                 {"shared load bank_conflicts", 0}}}},
    {CALLED("3,3 32,16 odata=@9216 idata=@9216:iota width=96 height=96", transpose, transposeDiagonal)},
    {LAUNCH("3,2 16,16 A.width=32 A.height=32 A.stride=32 A.elements=@1024:random B.width=48 B.height=32 "
            "B.stride=48 B.elements=@1536:random C.width=48 C.height=32 C.stride=48 C.elements=@1536",
            matmul_2d_arrays, MatMulKernel),
     {HOST(matmul_2d_arrays::MatMulKernel({32, 32, 32, h["A.elements"]}, {48, 32, 48, h["B.elements"]},
                                          {48, 32, 48, h["C.elements"]}))}}};

// Stride 1: no conflicts; the tree has 7 levels for 128 elements, and every level two barriers' worth of
// warps.
const Register kReductions[] = {
    {CALLED("3 128 +512 g_idata=@300:iota g_odata=@3 n=300", reduction, reduce0<int>),
     {.totals = {{"barriers", 3 * 4 * 8}, {"global store requests", 3}}}},
    {CALLED("2 128 +1024 g_idata=@1024:random g_odata=@2 n=1024", reduction, reduce6<double, 128, true>),
     {.totals = {{"global load bytes", 1024 * 8}}}},
    {CALLED("3 64 +256 g_idata=@777:random g_odata=@3 n=777", reduction, reduce6<float, 64, false>)},
    // The host runs lanes one after another, so it cannot run code that relies on lockstep: sums of 1 to n by
    // hand.
    {LAUNCH("2 128 +512 g_idata=@512:iota g_odata=@2 n=512", reduction_volatile, reduce5<128>),
     {HOST(if (threadIdx.x == 0) static_cast<float*>(h["g_odata"])[blockIdx.x] =
               blockIdx.x == 0 ? 32640 : 98176)}}};

}  // namespace
}  // namespace warplens::language
