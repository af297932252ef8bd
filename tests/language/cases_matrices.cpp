// Matrix products, transposes, matrix-vector products.
#include "dgemm_transposed.cu.h"
#include "matmul_2d_arrays.cu.h"
#include "matvec.cu.h"
#include "sgemm_2d_vectorized.cu.h"
#include "sgemm_double_buffer.cu.h"
#include "sgemm_shared.cu.h"
#include "sgemm_warptiling.cu.h"
#include "tests/language/language_case.h"
#include "transpose.cu.h"

namespace warplens::language {
namespace {

const Register kCases[] = {
    {CALLED("2,2 1024 M=64 N=64 K=64 alpha=0.5 A=@4096:random B=@4096:random beta=2 C=@4096:random",
            sgemm_shared, sgemm_shared_mem_block<32>),
     {.totals = {{"global load requests", 4 * 32 * (2 * 2 + 1)},
                 {"shared load requests", 4 * 32 * 2 * 64},
                 {"shared load bank_conflicts", 0},
                 {"barriers", 4 * 32 * 4}}}},
    {CALLED("1,2 64 M=128 N=64 K=16 alpha=0.5 A=@2048:random B=@1024:random beta=2 C=@8192:random",
            sgemm_2d_vectorized, sgemmVectorize<64, 64, 8, 8, 8>)},
    {CALLED("1,1 128 M=64 N=64 K=32 alpha=0.5 A=@2048:random B=@2048:random beta=2 C=@4096:random",
            sgemm_warptiling, sgemmWarptiling<64, 64, 16, 32, 32, 2, 4, 4, 128>)},
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
                                          {48, 32, 48, h["C.elements"]}))}},
    {CALLED("3 32,4 a=@2560:random x=@256:random y=@10 M=10 K=256", matvec, sgemv_k128_f32x4_kernel),
     {.totals = {{"global load requests", 10 * 2 * 2},
                 {"global load sectors", 10 * 2 * 2 * 16},
                 {"global store sectors", 10}}}},
    {CALLED("3,2 256 m=40 n=24 k=33 alpha=1.5 a=@1320:random lda=33 b=@792:random ldb=33 beta=0.5 "
            "c=@960:random ldc=40",
            dgemm_transposed, gemm_tn<double>)}};

}  // namespace
}  // namespace warplens::language
