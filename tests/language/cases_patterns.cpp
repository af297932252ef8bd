// Reductions, scans, histograms, stencils, sorting, gathering.
#include "tests/language/language_case.h"

namespace reduction {
#include "reduction.cu.h"
}
namespace reduction_volatile {
#include "reduction_volatile.cu.h"
}
namespace histogram {
#include "histogram.cu.h"
}
namespace stencil_1 {
#include "stencil_1d.cu.h"
}
namespace stencil_2 {
#include "stencil_2d.cu.h"
}
namespace stencil_3 {
#include "stencil_3d.cu.h"
}
namespace scan_hs {
#include "scan_hillis_steele.cu.h"
}
namespace scan_b {
#include "scan_blelloch.cu.h"
}
namespace scan_s {
#include "scan_shuffle.cu.h"
}
namespace convolution {
#include "convolution_constant.cu.h"
}
namespace softmax {
#include "softmax.cu.h"
}
namespace layernorm {
#include "layernorm.cu.h"
}
namespace gather {
#include "gather_scatter.cu.h"
}
namespace bitonic {
#include "bitonic_sort.cu.h"
}
namespace spmv {
#include "spmv_csr.cu.h"
}
namespace joint_histogram {
#include "tiled_histogram_2d.cu.h"
}
namespace odd_even {
#include "odd_even.cu.h"
}
namespace bfs {
#include "bfs_frontier.cu.h"
}
namespace last_block {
#include "device_counter.cu.h"
}

namespace warplens::language {
namespace {

constexpr Fill R = Fill::Random, I = Fill::Iota;

// Stride 1: no conflicts; the tree has 7 levels for 128 elements, and every level two barriers' worth of
// warps.
const Register reduce0({.file = "reduction.cu",
                        .kernel = "reduce0",
                        .template_arguments = {"int"},
                        .grid = {3},
                        .block = {128},
                        .shared_bytes = 512,
                        .arguments = {buffer("g_idata", 300, I), buffer("g_odata", 3), number("n", 300)},
                        .host = HOST(reduction::reduce0<int>(h["g_idata"], h["g_odata"], 300)),
                        .totals = {{"barriers", 3 * 4 * 8}, {"global store requests", 3}}});
const Register reduce6({.file = "reduction.cu",
                        .kernel = "reduce6",
                        .template_arguments = {"double", "128", "true"},
                        .grid = {2},
                        .block = {128},
                        .shared_bytes = 1024,
                        .arguments = {buffer("g_idata", 1024, R), buffer("g_odata", 2), number("n", 1024)},
                        .host = HOST((reduction::reduce6<double, 128, true>(h["g_idata"], h["g_odata"],
                                                                            1024))),
                        .totals = {{"global load bytes", 1024 * 8}}});
const Register reduce6_odd({.file = "reduction.cu",
                            .kernel = "reduce6",
                            .template_arguments = {"float", "64", "false"},
                            .grid = {3},
                            .block = {64},
                            .shared_bytes = 256,
                            .arguments = {buffer("g_idata", 777, R), buffer("g_odata", 3), number("n", 777)},
                            .host = HOST((reduction::reduce6<float, 64, false>(h["g_idata"], h["g_odata"],
                                                                               777)))});
// The host runs lanes one after another, so it cannot run code that relies on lockstep: sums of 1 to n by
// hand.
const Register lockstep({
  .file = "reduction_volatile.cu", .kernel = "reduce5", .template_arguments = {"128"}, .grid = {2},
  .block = {128}, .shared_bytes = 512,
  .arguments = {buffer("g_idata", 512, I), buffer("g_odata", 2), number("n", 512)},
  .host = HOST(if (threadIdx.x == 0) static_cast<float*>(h["g_odata"])[blockIdx.x] =
                   blockIdx.x == 0 ? 32640 : 98176)
});

const Register bins_global({.file = "histogram.cu",
                            .kernel = "histogram_gmem",
                            .grid = {2},
                            .block = {64},
                            .arguments = {buffer("in", 1000, R), number("n", 1000), buffer("out", 64)},
                            .host = HOST(histogram::histogram_gmem(h["in"], 1000, h["out"])),
                            .totals = {{"global load bytes", 1000}, {"global reduction bytes", 4000}}});
const Register bins_shared({.file = "histogram.cu",
                            .kernel = "histogram_smem",
                            .grid = {3},
                            .block = {96},
                            .arguments = {buffer("in", 2000, R), number("n", 2000), buffer("out", 64)},
                            .host = HOST(histogram::histogram_smem(h["in"], 2000, h["out"])),
                            .totals = {{"shared atomic bytes", 8000}}});
const Register extremes({.file = "histogram.cu",
                         .kernel = "minmax",
                         .grid = {4},
                         .block = {64},
                         .arguments = {buffer("in", 250, R), number("n", 250), buffer("lowest", 1),
                                       buffer("highest", 1), buffer("sum", 1)},
                         .host = HOST(histogram::minmax(h["in"], 250, h["lowest"], h["highest"], h["sum"]))});
const Register joint({.file = "tiled_histogram_2d.cu",
                      .kernel = "joint",
                      .grid = {2},
                      .block = {128},
                      .arguments = {buffer("points", 1000, R), buffer("bins", 4), number("n", 1000)},
                      .host = HOST(joint_histogram::joint(h["points"], h["bins"], 1000))});

// The halo costs two requests of three lanes in the first warp of a block: 3 elements of 4 bytes each.
const Register line({.file = "stencil_1d.cu",
                     .kernel = "stencil_1d",
                     .grid = {4},
                     .block = {64},
                     .arguments = {buffer("in", 262, I), buffer("out", 256)},
                     .host = HOST(stencil_1::stencil_1d(h["in"], h["out"])),
                     .totals = {{"global load requests", 4 * (2 + 2)},
                                {"global load bytes", 4 * (64 + 6) * 4},
                                {"shared load requests", 4 * 2 * 7}}});
const Register plane({.file = "stencil_2d.cu",
                      .kernel = "jacobi",
                      .template_arguments = {"float", "16", "8"},
                      .grid = {3, 4},
                      .block = {16, 8},
                      .arguments = {buffer("in", 40 * 30, R), buffer("out", 40 * 30), number("nx", 40),
                                    number("ny", 30)},
                      .host = HOST((stencil_2::jacobi<float, 16, 8>(h["in"], h["out"], 40, 30)))});
const Register plane_double({.file = "stencil_2d.cu",
                             .kernel = "jacobi",
                             .template_arguments = {"double", "8", "8"},
                             .grid = {2, 2},
                             .block = {8, 8},
                             .arguments = {buffer("in", 16 * 16, R), buffer("out", 16 * 16), number("nx", 16),
                                           number("ny", 16)},
                             .host = HOST((stencil_2::jacobi<double, 8, 8>(h["in"], h["out"], 16, 16)))});
const Register volume({.file = "stencil_3d.cu",
                       .kernel = "stencil3d",
                       .grid = {2, 2},
                       .block = {8, 8},
                       .arguments = {buffer("in", 16 * 16 * 6, R), buffer("out", 16 * 16 * 6),
                                     number("nx", 16), number("ny", 16), number("nz", 6)},
                       .host = HOST(stencil_3::stencil3d(h["in"], h["out"], 16, 16, 6))});

const Register naive_scan({.file = "scan_hillis_steele.cu",
                           .kernel = "scan",
                           .block = {128},
                           .shared_bytes = 1024,
                           .arguments = {buffer("g_odata", 128), buffer("g_idata", 128, R), number("n", 128)},
                           .host = HOST(scan_hs::scan(h["g_odata"], h["g_idata"], 128)),
                           .totals = {{"barriers", 4 * 8}}});
const Register tree_scan({.file = "scan_blelloch.cu",
                          .kernel = "prescan",
                          .block = {64},
                          .shared_bytes = 1056,
                          .arguments = {buffer("g_odata", 128), buffer("g_idata", 128, R), number("n", 128)},
                          .host = HOST(scan_b::prescan(h["g_odata"], h["g_idata"], 128)),
                          .totals = {{"barriers", 2 * 15}}});
const Register warp_scan({.file = "scan_shuffle.cu",
                          .kernel = "blockScan",
                          .template_arguments = {"int", "128"},
                          .grid = {3},
                          .block = {128},
                          .arguments = {buffer("in", 384, R), buffer("out", 384), buffer("partial_sums", 3)},
                          .host = HOST((scan_s::blockScan<int, 128>(h["in"], h["out"], h["partial_sums"])))});

// Windows of 18 and 16 columns lie in the image, and as many rows. The mask is in constant memory: not
// counted.
const Register mask({.file = "convolution_constant.cu",
                     .kernel = "convolution_2D",
                     .grid = {2, 2},
                     .block = {16, 16},
                     .arguments = {buffer("I", 900, R), buffer("P", 900), number("height", 30),
                                   number("width", 30), buffer("M", 25, I), buffer("bias", 1)},
                     .before = [](HostBuffers& h) { h.fill(convolution::M, "M"); },
                     .host = HOST(convolution::convolution_2D(h["I"], h["P"], 30, 30)),
                     .totals = {{"global load bytes", 34 * 34 * 4}, {"global store bytes", 3600}}});
const Register rows_softmax({.file = "softmax.cu",
                             .kernel = "softmax_forward",
                             .grid = {3},
                             .block = {64},
                             .shared_bytes = 16,
                             .arguments = {buffer("out", 300), buffer("inp", 300, R), number("N", 3),
                                           number("C", 100)},
                             .host = HOST(softmax::softmax_forward(h["out"], h["inp"], 3, 100)),
                             .tolerance = 1e-6});
const Register rows_norm({.file = "layernorm.cu",
                          .kernel = "layernorm_forward",
                          .grid = {2},
                          .block = {128},
                          .arguments = {buffer("out", 8 * 70), buffer("mean", 8), buffer("rstd", 8),
                                        buffer("inp", 8 * 70, R), buffer("weight", 70, R),
                                        buffer("bias", 70, R), number("N", 8), number("C", 70)},
                          .host = HOST(layernorm::layernorm_forward(h["out"], h["mean"], h["rstd"], h["inp"],
                                                                    h["weight"], h["bias"], 8, 70)),
                          .tolerance = 1e-5});

const Register gathered({.file = "gather_scatter.cu",
                         .kernel = "permute",
                         .grid = {4},
                         .block = {64},
                         .arguments = {buffer("out", 250), buffer("in", 250, I), buffer("index", 250, R),
                                       number("n", 250), number("mode", 0)},
                         .host = HOST(gather::permute(h["out"], h["in"], h["index"], 250, 0))});
const Register scattered({.file = "gather_scatter.cu",
                          .kernel = "permute",
                          .grid = {4},
                          .block = {64},
                          .arguments = {buffer("out", 250), buffer("in", 250, I), buffer("index", 250, R),
                                        number("n", 250), number("mode", 1)},
                          .host = HOST(gather::permute(h["out"], h["in"], h["index"], 250, 1))});
const Register sorted({.file = "bitonic_sort.cu",
                       .kernel = "bitonicSortShared",
                       .grid = {2},
                       .block = {64},
                       .arguments = {buffer("d_DstKey", 256), buffer("d_DstVal", 256),
                                     buffer("d_SrcKey", 256, R), buffer("d_SrcVal", 256, I),
                                     number("arrayLength", 128), number("dir", 1)},
                       .host = HOST(bitonic::bitonicSortShared(h["d_DstKey"], h["d_DstVal"], h["d_SrcKey"],
                                                               h["d_SrcVal"], 128, 1))});
const Register odd_even_sorted({.file = "odd_even.cu",
                                .kernel = "oddEvenSort",
                                .block = {64},
                                .arguments = {buffer("values", 100, R), number("n", 100)},
                                .host = HOST(odd_even::oddEvenSort(h["values"], 100))});
// Row i has one element, i: its data times x of a random column.
const Register sparse({.file = "spmv_csr.cu",
                       .kernel = "spmv_csr_scalar",
                       .block = {64},
                       .arguments = {number("num_rows", 60), buffer("ptr", 61, I), buffer("indices", 60, R),
                                     buffer("data", 60, R), buffer("x", 60, R), buffer("y", 60, R)},
                       .host = HOST(spmv::spmv_csr_scalar(60, h["ptr"], h["indices"], h["data"], h["x"],
                                                          h["y"]))});
const Register sparse_warps(
    {.file = "spmv_csr.cu",
     .kernel = "spmv_csr_vector",
     .grid = {8},
     .block = {64},
     .arguments = {number("num_rows", 16), buffer("ptr", 17, I), buffer("indices", 60, R),
                   buffer("data", 60, R), buffer("x", 60, R), buffer("y", 60, R)},
     .host = HOST(spmv::spmv_csr_vector(16, h["ptr"], h["indices"], h["data"], h["x"], h["y"]))});
const Register frontier({.file = "bfs_frontier.cu",
                         .kernel = "bfs_step",
                         .grid = {2},
                         .block = {64},
                         .arguments = {buffer("offsets", 201, I), buffer("edges", 200, R),
                                       buffer("levels", 200), buffer("frontier", 200),
                                       buffer("frontier_size", 1), number("vertices", 200),
                                       number("level", 5)},
                         .host = HOST(bfs::bfs_step(h["offsets"], h["edges"], h["levels"], h["frontier"],
                                                    h["frontier_size"], 200, 5))});
const Register ticket({.file = "device_counter.cu",
                       .kernel = "sumLast",
                       .grid = {4},
                       .block = {64},
                       .arguments = {buffer("in", 1000, R), buffer("partial", 4), buffer("total", 1),
                                     number("n", 1000), buffer("factors", 4, I)},
                       .before = [](HostBuffers& h) { h.fill(last_block::factors, "factors"); },
                       .host = HOST(last_block::sumLast(h["in"], h["partial"], h["total"], 1000)),
                       .after = [](HostBuffers& h) { h.take(last_block::slots, "slots"); }});

}  // namespace
}  // namespace warplens::language
