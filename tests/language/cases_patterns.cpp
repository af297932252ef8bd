// Reductions, scans, histograms, stencils, sorting, gathering.
#include "bfs_frontier.cu.h"
#include "bitonic_sort.cu.h"
#include "convolution_constant.cu.h"
#include "device_counter.cu.h"
#include "gather_scatter.cu.h"
#include "histogram.cu.h"
#include "layernorm.cu.h"
#include "odd_even.cu.h"
#include "reduction.cu.h"
#include "reduction_volatile.cu.h"
#include "scan_blelloch.cu.h"
#include "scan_shuffle.cu.h"
#include "softmax.cu.h"
#include "spmv_csr.cu.h"
#include "stencil_2d.cu.h"
#include "tests/language/language_case.h"
#include "tiled_histogram_2d.cu.h"

namespace warplens::language {
namespace {

// Stride 1: no conflicts; the tree has 7 levels for 128 elements, and every level two barriers' worth of
// warps.
const Register reduce0({.launch = {"reduction.cu", "reduce0<int>", {3}, {128}, 512},
                        .arguments = {buffer("g_idata", 300, I), buffer("g_odata", 3), number("n", 300)},
                        .host = called(reduction::reduce0<int>),
                        .totals = {{"barriers", 3 * 4 * 8}, {"global store requests", 3}}});
const Register reduce6({.launch = {"reduction.cu", "reduce6<double, 128, true>", {2}, {128}, 1024},
                        .arguments = {buffer("g_idata", 1024, R), buffer("g_odata", 2), number("n", 1024)},
                        .host = called(reduction::reduce6<double, 128, true>),
                        .totals = {{"global load bytes", 1024 * 8}}});
const Register reduce6_odd({.launch = {"reduction.cu", "reduce6<float, 64, false>", {3}, {64}, 256},
                            .arguments = {buffer("g_idata", 777, R), buffer("g_odata", 3), number("n", 777)},
                            .host = called(reduction::reduce6<float, 64, false>)});
// The host runs lanes one after another, so it cannot run code that relies on lockstep: sums of 1 to n by
// hand.
const Register lockstep({
  .launch = {"reduction_volatile.cu", "reduce5<128>", {2}, {128}, 512},
  .arguments = {buffer("g_idata", 512, I), buffer("g_odata", 2), number("n", 512)},
  .host = HOST(if (threadIdx.x == 0) static_cast<float*>(h["g_odata"])[blockIdx.x] =
                   blockIdx.x == 0 ? 32640 : 98176)
});

const Register bins_global({.launch = {"histogram.cu", "histogram_gmem", {2}, {64}},
                            .arguments = {buffer("in", 1000, R), number("n", 1000), buffer("out", 64)},
                            .host = called(histogram::histogram_gmem),
                            .totals = {{"global load bytes", 1000}, {"global reduction bytes", 4000}}});
const Register bins_shared({.launch = {"histogram.cu", "histogram_smem", {3}, {96}},
                            .arguments = {buffer("in", 2000, R), number("n", 2000), buffer("out", 64)},
                            .host = called(histogram::histogram_smem),
                            .totals = {{"shared atomic bytes", 8000}}});
const Register extremes({.launch = {"histogram.cu", "minmax", {4}, {64}},
                         .arguments = {buffer("in", 250, R), number("n", 250), buffer("lowest", 1),
                                       buffer("highest", 1), buffer("sum", 1)},
                         .host = called(histogram::minmax)});
const Register joint({.launch = {"tiled_histogram_2d.cu", "joint", {2}, {128}},
                      .arguments = {buffer("points", 1000, R), buffer("bins", 4), number("n", 1000)},
                      .host = called(tiled_histogram_2d::joint)});

const Register plane({.launch = {"stencil_2d.cu", "jacobi<float, 16, 8>", {3, 4}, {16, 8}},
                      .arguments = {buffer("in", 40 * 30, R), buffer("out", 40 * 30), number("nx", 40),
                                    number("ny", 30)},
                      .host = called(stencil_2d::jacobi<float, 16, 8>)});
const Register plane_double({.launch = {"stencil_2d.cu", "jacobi<double, 8, 8>", {2, 2}, {8, 8}},
                             .arguments = {buffer("in", 16 * 16, R), buffer("out", 16 * 16), number("nx", 16),
                                           number("ny", 16)},
                             .host = called(stencil_2d::jacobi<double, 8, 8>)});

const Register tree_scan({.launch = {"scan_blelloch.cu", "prescan", {1}, {64}, 1056},
                          .arguments = {buffer("g_odata", 128), buffer("g_idata", 128, R), number("n", 128)},
                          .host = called(scan_blelloch::prescan),
                          .totals = {{"barriers", 2 * 15}}});
const Register warp_scan({.launch = {"scan_shuffle.cu", "blockScan<int, 128>", {3}, {128}},
                          .arguments = {buffer("in", 384, R), buffer("out", 384), buffer("partial_sums", 3)},
                          .host = called(scan_shuffle::blockScan<int, 128>)});

// Windows of 18 and 16 columns lie in the image, and as many rows. The mask is in constant memory: not
// counted.
const Register mask({.launch = {"convolution_constant.cu", "convolution_2D", {2, 2}, {16, 16}},
                     .arguments = {buffer("I", 900, R), buffer("P", 900), number("height", 30),
                                   number("width", 30), buffer("M", 25, I), buffer("bias", 1)},
                     .before = [](HostBuffers& h) { h.fill(convolution_constant::M, "M"); },
                     .host = called(convolution_constant::convolution_2D),
                     .totals = {{"global load bytes", 34 * 34 * 4}, {"global store bytes", 3600}}});
const Register rows_softmax({.launch = {"softmax.cu", "softmax_forward", {3}, {64}, 16},
                             .arguments = {buffer("out", 300), buffer("inp", 300, R), number("N", 3),
                                           number("C", 100)},
                             .host = called(softmax::softmax_forward),
                             .tolerance = 1e-6});
const Register rows_norm({.launch = {"layernorm.cu", "layernorm_forward", {2}, {128}},
                          .arguments = {buffer("out", 8 * 70), buffer("mean", 8), buffer("rstd", 8),
                                        buffer("inp", 8 * 70, R), buffer("weight", 70, R),
                                        buffer("bias", 70, R), number("N", 8), number("C", 70)},
                          .host = called(layernorm::layernorm_forward),
                          .tolerance = 1e-5});

const Register gathered({.launch = {"gather_scatter.cu", "permute", {4}, {64}},
                         .arguments = {buffer("out", 250), buffer("in", 250, I), buffer("index", 250, R),
                                       number("n", 250), number("mode", 0)},
                         .host = called(gather_scatter::permute)});
const Register scattered({.launch = {"gather_scatter.cu", "permute", {4}, {64}},
                          .arguments = {buffer("out", 250), buffer("in", 250, I), buffer("index", 250, R),
                                        number("n", 250), number("mode", 1)},
                          .host = called(gather_scatter::permute)});
const Register sorted({.launch = {"bitonic_sort.cu", "bitonicSortShared", {2}, {64}},
                       .arguments = {buffer("d_DstKey", 256), buffer("d_DstVal", 256),
                                     buffer("d_SrcKey", 256, R), buffer("d_SrcVal", 256, I),
                                     number("arrayLength", 128), number("dir", 1)},
                       .host = called(bitonic_sort::bitonicSortShared)});
const Register odd_even_sorted({.launch = {"odd_even.cu", "oddEvenSort", {1}, {64}},
                                .arguments = {buffer("values", 100, R), number("n", 100)},
                                .host = called(odd_even::oddEvenSort)});
// Row i has one element, i: its data times x of a random column.
const Register sparse({.launch = {"spmv_csr.cu", "spmv_csr_scalar", {1}, {64}},
                       .arguments = {number("num_rows", 60), buffer("ptr", 61, I), buffer("indices", 60, R),
                                     buffer("data", 60, R), buffer("x", 60, R), buffer("y", 60, R)},
                       .host = called(spmv_csr::spmv_csr_scalar)});
const Register sparse_warps({.launch = {"spmv_csr.cu", "spmv_csr_vector", {8}, {64}},
                             .arguments = {number("num_rows", 16), buffer("ptr", 17, I),
                                           buffer("indices", 60, R), buffer("data", 60, R),
                                           buffer("x", 60, R), buffer("y", 60, R)},
                             .host = called(spmv_csr::spmv_csr_vector)});
const Register frontier({.launch = {"bfs_frontier.cu", "bfs_step", {2}, {64}},
                         .arguments = {buffer("offsets", 201, I), buffer("edges", 200, R),
                                       buffer("levels", 200), buffer("frontier", 200),
                                       buffer("frontier_size", 1), number("vertices", 200),
                                       number("level", 5)},
                         .host = called(bfs_frontier::bfs_step)});
const Register ticket({.launch = {"device_counter.cu", "sumLast", {4}, {64}},
                       .arguments = {buffer("in", 1000, R), buffer("partial", 4), buffer("total", 1),
                                     number("n", 1000), buffer("factors", 4, I)},
                       .before = [](HostBuffers& h) { h.fill(device_counter::factors, "factors"); },
                       .host = called(device_counter::sumLast),
                       .after = [](HostBuffers& h) { h.take(device_counter::slots, "slots"); }});

}  // namespace
}  // namespace warplens::language
