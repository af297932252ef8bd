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

std::vector<NamedArgument> product(int m, int n, int k) {
  const auto size = [](int x, int y) {
    return static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y);
  };
  return {number("M", m),
          number("N", n),
          number("K", k),
          real("alpha", 0.5),
          buffer("A", size(m, k), R),
          buffer("B", size(k, n), R),
          real("beta", 2),
          buffer("C", size(m, n), R)};
}

const Register shared({.launch = {"sgemm_shared.cu", "sgemm_shared_mem_block<32>", {2, 2}, {1024}},
                       .arguments = product(64, 64, 64),
                       .host = HOST(sgemm_shared::sgemm_shared_mem_block<32>(64, 64, 64, 0.5f, h["A"], h["B"],
                                                                             2.0f, h["C"])),
                       .totals = {{"global load requests", 4 * 32 * (2 * 2 + 1)},
                                  {"shared load requests", 4 * 32 * 2 * 64},
                                  {"shared load bank_conflicts", 0},
                                  {"barriers", 4 * 32 * 4}}});
const Register blocks_2d(
    {.launch = {"sgemm_2d_vectorized.cu", "sgemmVectorize<64, 64, 8, 8, 8>", {1, 2}, {64}},
     .arguments = product(128, 64, 16),
     .host = HOST(sgemm_2d_vectorized::sgemmVectorize<64, 64, 8, 8, 8>(128, 64, 16, 0.5f, h["A"], h["B"],
                                                                       2.0f, h["C"]))});
const Register warps(
    {.launch = {"sgemm_warptiling.cu", "sgemmWarptiling<64, 64, 16, 32, 32, 2, 4, 4, 128>", {1, 1}, {128}},
     .arguments = product(64, 64, 32),
     .host = HOST((sgemm_warptiling::sgemmWarptiling<64, 64, 16, 32, 32, 2, 4, 4, 128>(
         64, 64, 32, 0.5f, h["A"], h["B"], 2.0f, h["C"])))});
const Register double_buffered(
    {.launch = {"sgemm_double_buffer.cu", "Sgemm<64, 8, 64, 8, 8>", {1, 2}, {8, 8}},
     .arguments = {buffer("A", 128 * 24, R), buffer("B", 24 * 64, R), buffer("C", 128 * 64), number("M", 128),
                   number("N", 64), number("K", 24)},
     .host = called(sgemm_double_buffer::Sgemm<64, 8, 64, 8, 8>)});

std::vector<NamedArgument> square(int n) {
  const auto size = static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(n);
  return {buffer("odata", size), buffer("idata", size, I), number("width", n), number("height", n)};
}
const Register copied({.launch = {"transpose.cu", "copySharedMem", {2, 2}, {32, 32}},
                       .arguments = square(64),
                       .host = HOST(transpose::copySharedMem(h["odata"], h["idata"], 64, 64))});
const Register padded({.launch = {"transpose.cu", "transposeNoBankConflicts", {2, 2}, {32, 16}},
                       .arguments = square(64),
                       .host = HOST(transpose::transposeNoBankConflicts(h["odata"], h["idata"], 64, 64)),
                       .totals = {{"global load sectors", 64 * 64 / 8},
                                  {"global store sectors", 64 * 64 / 8},
                                  {"shared load bank_conflicts", 0}}});
const Register diagonal({.launch = {"transpose.cu", "transposeDiagonal", {3, 3}, {32, 16}},
                         .arguments = square(96),
                         .host = HOST(transpose::transposeDiagonal(h["odata"], h["idata"], 96, 96))});

const Register guide_matrices(
    {.launch = {"matmul_2d_arrays.cu", "MatMulKernel", {3, 2}, {16, 16}},
     .arguments = {number("A.width", 32), number("A.height", 32), number("A.stride", 32),
                   buffer("A.elements", 32 * 32, R), number("B.width", 48), number("B.height", 32),
                   number("B.stride", 48), buffer("B.elements", 32 * 48, R), number("C.width", 48),
                   number("C.height", 32), number("C.stride", 48), buffer("C.elements", 32 * 48)},
     .host = HOST(matmul_2d_arrays::MatMulKernel({32, 32, 32, h["A.elements"]}, {48, 32, 48, h["B.elements"]},
                                                 {48, 32, 48, h["C.elements"]}))});
const Register vectors({.launch = {"matvec.cu", "sgemv_k128_f32x4_kernel", {3}, {32, 4}},
                        .arguments = {buffer("a", 10 * 256, R), buffer("x", 256, R), buffer("y", 10),
                                      number("M", 10), number("K", 256)},
                        .host = called(matvec::sgemv_k128_f32x4_kernel),
                        .totals = {{"global load requests", 10 * 2 * 2},
                                   {"global load sectors", 10 * 2 * 2 * 16},
                                   {"global store sectors", 10}}});
const Register transposed({.launch = {"dgemm_transposed.cu", "gemm_tn<double>", {3, 2}, {256}},
                           .arguments = {number("m", 40), number("n", 24), number("k", 33),
                                         real("alpha", 1.5), buffer("a", 40 * 33, R), number("lda", 33),
                                         buffer("b", 24 * 33, R), number("ldb", 33), real("beta", 0.5),
                                         buffer("c", 40 * 24, R), number("ldc", 40)},
                           .host = called(dgemm_transposed::gemm_tn<double>)});

}  // namespace
}  // namespace warplens::language
