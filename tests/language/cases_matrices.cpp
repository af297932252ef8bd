// Matrix products, transposes, matrix-vector products.
#include "tests/language/language_case.h"

namespace sgemm_naive {
#include "sgemm_naive.cu.h"
}
namespace sgemm_shared {
#include "sgemm_shared.cu.h"
}
namespace sgemm_1d {
#include "sgemm_1d_blocktiling.cu.h"
}
namespace sgemm_2d {
#include "sgemm_2d_vectorized.cu.h"
}
namespace sgemm_warp {
#include "sgemm_warptiling.cu.h"
}
namespace sgemm_double {
#include "sgemm_double_buffer.cu.h"
}
namespace transpose {
#include "transpose.cu.h"
}
namespace guide {
#include "matmul_2d_arrays.cu.h"
}
namespace matvec {
#include "matvec.cu.h"
}
namespace dgemm {
#include "dgemm_transposed.cu.h"
}

namespace warplens::language {
namespace {

constexpr Fill R = Fill::Random;

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

const Register naive({.file = "sgemm_naive.cu",
                      .kernel = "sgemm_naive",
                      .grid = {2, 2},
                      .block = {16, 16},
                      .arguments = product(28, 30, 17),
                      .host = HOST(sgemm_naive::sgemm_naive(28, 30, 17, 0.5f, h["A"], h["B"], 2.0f,
                                                            h["C"]))});
// A warp is a row of 32 elements; each of the 64 multiplies takes a load of A (one address) and of B (a
// line).
const Register coalesced({.file = "sgemm_naive.cu",
                          .kernel = "sgemm_coalesced",
                          .template_arguments = {"32"},
                          .grid = {2, 2},
                          .block = {1024},
                          .arguments = product(64, 64, 64),
                          .host = HOST(sgemm_naive::sgemm_coalesced<32>(64, 64, 64, 0.5f, h["A"], h["B"],
                                                                        2.0f, h["C"])),
                          .totals = {{"global load requests", 4 * 32 * (2 * 64 + 1)},
                                     {"global load sectors", 4 * 32 * (64 * 5 + 4)},
                                     {"global store sectors", 4 * 32 * 4}}});
const Register shared({.file = "sgemm_shared.cu",
                       .kernel = "sgemm_shared_mem_block",
                       .template_arguments = {"32"},
                       .grid = {2, 2},
                       .block = {1024},
                       .arguments = product(64, 64, 64),
                       .host = HOST(sgemm_shared::sgemm_shared_mem_block<32>(64, 64, 64, 0.5f, h["A"], h["B"],
                                                                             2.0f, h["C"])),
                       .totals = {{"global load requests", 4 * 32 * (2 * 2 + 1)},
                                  {"shared load requests", 4 * 32 * 2 * 64},
                                  {"shared load bank_conflicts", 0},
                                  {"barriers", 4 * 32 * 4}}});
const Register blocks_1d({.file = "sgemm_1d_blocktiling.cu",
                          .kernel = "sgemm1DBlocktiling",
                          .template_arguments = {"64", "64", "8", "8"},
                          .grid = {2, 1},
                          .block = {512},
                          .arguments = product(64, 128, 16),
                          .host = HOST(sgemm_1d::sgemm1DBlocktiling<64, 64, 8, 8>(64, 128, 16, 0.5f, h["A"],
                                                                                  h["B"], 2.0f, h["C"])),
                          .totals = {{"global load requests", 2 * 16 * (2 * 2 + 8)},
                                     {"shared load requests", 2 * 16 * 16 * (1 + 8)}}});
const Register blocks_2d({.file = "sgemm_2d_vectorized.cu",
                          .kernel = "sgemmVectorize",
                          .template_arguments = {"64", "64", "8", "8", "8"},
                          .grid = {1, 2},
                          .block = {64},
                          .arguments = product(128, 64, 16),
                          .host = HOST(sgemm_2d::sgemmVectorize<64, 64, 8, 8, 8>(128, 64, 16, 0.5f, h["A"],
                                                                                 h["B"], 2.0f, h["C"]))});
const Register warps({.file = "sgemm_warptiling.cu",
                      .kernel = "sgemmWarptiling",
                      .template_arguments = {"64", "64", "16", "32", "32", "2", "4", "4", "128"},
                      .grid = {1, 1},
                      .block = {128},
                      .arguments = product(64, 64, 32),
                      .host = HOST((sgemm_warp::sgemmWarptiling<64, 64, 16, 32, 32, 2, 4, 4, 128>(
                          64, 64, 32, 0.5f, h["A"], h["B"], 2.0f, h["C"])))});
const Register double_buffered(
    {.file = "sgemm_double_buffer.cu",
     .kernel = "Sgemm",
     .template_arguments = {"64", "8", "64", "8", "8"},
     .grid = {1, 2},
     .block = {8, 8},
     .arguments = {buffer("A", 128 * 24, R), buffer("B", 24 * 64, R), buffer("C", 128 * 64), number("M", 128),
                   number("N", 64), number("K", 24)},
     .host = HOST((sgemm_double::Sgemm<64, 8, 64, 8, 8>(h["A"], h["B"], h["C"], 128, 64, 24)))});

std::vector<NamedArgument> square(int n) {
  const auto size = static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(n);
  return {buffer("odata", size), buffer("idata", size, Fill::Iota), number("width", n), number("height", n)};
}
const Register copied({.file = "transpose.cu",
                       .kernel = "copySharedMem",
                       .grid = {2, 2},
                       .block = {32, 32},
                       .arguments = square(64),
                       .host = HOST(transpose::copySharedMem(h["odata"], h["idata"], 64, 64))});
const Register padded({.file = "transpose.cu",
                       .kernel = "transposeNoBankConflicts",
                       .grid = {2, 2},
                       .block = {32, 16},
                       .arguments = square(64),
                       .host = HOST(transpose::transposeNoBankConflicts(h["odata"], h["idata"], 64, 64)),
                       .totals = {{"global load sectors", 64 * 64 / 8},
                                  {"global store sectors", 64 * 64 / 8},
                                  {"shared load bank_conflicts", 0}}});
const Register diagonal({.file = "transpose.cu",
                         .kernel = "transposeDiagonal",
                         .grid = {3, 3},
                         .block = {32, 16},
                         .arguments = square(96),
                         .host = HOST(transpose::transposeDiagonal(h["odata"], h["idata"], 96, 96))});

const Register guide_matrices(
    {.file = "matmul_2d_arrays.cu",
     .kernel = "MatMulKernel",
     .grid = {3, 2},
     .block = {16, 16},
     .arguments = {number("A.width", 32), number("A.height", 32), number("A.stride", 32),
                   buffer("A.elements", 32 * 32, R), number("B.width", 48), number("B.height", 32),
                   number("B.stride", 48), buffer("B.elements", 32 * 48, R), number("C.width", 48),
                   number("C.height", 32), number("C.stride", 48), buffer("C.elements", 32 * 48)},
     .host = HOST(guide::MatMulKernel({32, 32, 32, h["A.elements"]}, {48, 32, 48, h["B.elements"]},
                                      {48, 32, 48, h["C.elements"]}))});
const Register vectors({.file = "matvec.cu",
                        .kernel = "sgemv_k128_f32x4_kernel",
                        .grid = {3},
                        .block = {32, 4},
                        .arguments = {buffer("a", 10 * 256, R), buffer("x", 256, R), buffer("y", 10),
                                      number("M", 10), number("K", 256)},
                        .host = HOST(matvec::sgemv_k128_f32x4_kernel(h["a"], h["x"], h["y"], 10, 256)),
                        .totals = {{"global load requests", 10 * 2 * 2},
                                   {"global load sectors", 10 * 2 * 2 * 16},
                                   {"global store sectors", 10}}});
const Register transposed(
    {.file = "dgemm_transposed.cu",
     .kernel = "gemm_tn",
     .template_arguments = {"double"},
     .grid = {3, 2},
     .block = {256},
     .arguments = {number("m", 40), number("n", 24), number("k", 33), real("alpha", 1.5),
                   buffer("a", 40 * 33, R), number("lda", 33), buffer("b", 24 * 33, R), number("ldb", 33),
                   real("beta", 0.5), buffer("c", 40 * 24, R), number("ldc", 40)},
     .host = HOST(dgemm::gemm_tn<double>(40, 24, 33, 1.5, h["a"], 33, h["b"], 33, 0.5, h["c"], 40))});

}  // namespace
}  // namespace warplens::language
