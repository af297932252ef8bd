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
const Register kCases[] = {
    {CALLED("3 128 +512 g_idata=@300:iota g_odata=@3 n=300", reduction, reduce0<int>),
     {.totals = {{"barriers", 3 * 4 * 8}, {"global store requests", 3}}}},
    {CALLED("2 128 +1024 g_idata=@1024:random g_odata=@2 n=1024", reduction, reduce6<double, 128, true>),
     {.totals = {{"global load bytes", 1024 * 8}}}},
    {CALLED("3 64 +256 g_idata=@777:random g_odata=@3 n=777", reduction, reduce6<float, 64, false>)},
    // The host runs lanes one after another, so it cannot run code that relies on lockstep: sums of 1 to n by
    // hand.
    {LAUNCH("2 128 +512 g_idata=@512:iota g_odata=@2 n=512", reduction_volatile, reduce5<128>),
     {HOST(if (threadIdx.x == 0) static_cast<float*>(h["g_odata"])[blockIdx.x] =
               blockIdx.x == 0 ? 32640 : 98176)}},
    {CALLED("2 64 in=@1000:random n=1000 out=@64", histogram, histogram_gmem),
     {.totals = {{"global load bytes", 1000}, {"global reduction bytes", 4000}}}},
    {CALLED("3 96 in=@2000:random n=2000 out=@64", histogram, histogram_smem),
     {.totals = {{"shared atomic bytes", 8000}}}},
    {CALLED("4 64 in=@250:random n=250 lowest=@1 highest=@1 sum=@1", histogram, minmax)},
    {CALLED("2 128 points=@1000:random bins=@4 n=1000", tiled_histogram_2d, joint)},
    {CALLED("3,4 16,8 in=@1200:random out=@1200 nx=40 ny=30", stencil_2d, jacobi<float, 16, 8>)},
    {CALLED("2,2 8,8 in=@256:random out=@256 nx=16 ny=16", stencil_2d, jacobi<double, 8, 8>)},
    {CALLED("1 64 +1056 g_odata=@128 g_idata=@128:random n=128", scan_blelloch, prescan),
     {.totals = {{"barriers", 2 * 15}}}},
    {CALLED("3 128 in=@384:random out=@384 partial_sums=@3", scan_shuffle, blockScan<int, 128>)},
    // Windows of 18 and 16 columns lie in the image, and as many rows. The mask is in constant memory: not
    // counted.
    {LAUNCH("2,2 16,16 I=@900:random P=@900 height=30 width=30 M=@25:iota bias=@1", convolution_constant,
            convolution_2D),
     called(convolution_constant::convolution_2D,
            [](HostBuffers& h) { h.fill(convolution_constant::M, "M"); }),
     {.totals = {{"global load bytes", 34 * 34 * 4}, {"global store bytes", 3600}}}},
    {CALLED("3 64 +16 out=@300 inp=@300:random N=3 C=100", softmax, softmax_forward), {.tolerance = 1e-6}},
    {CALLED("2 128 out=@560 mean=@8 rstd=@8 inp=@560:random weight=@70:random bias=@70:random N=8 C=70",
            layernorm, layernorm_forward),
     {.tolerance = 1e-5}},
    {CALLED("4 64 out=@250 in=@250:iota index=@250:random n=250 mode=0", gather_scatter, permute)},
    {CALLED("4 64 out=@250 in=@250:iota index=@250:random n=250 mode=1", gather_scatter, permute)},
    {CALLED("2 64 d_DstKey=@256 d_DstVal=@256 d_SrcKey=@256:random d_SrcVal=@256:iota arrayLength=128 dir=1",
            bitonic_sort, bitonicSortShared)},
    {CALLED("1 64 values=@100:random n=100", odd_even, oddEvenSort)},
    // Row i has one element, i: its data times x of a random column.
    {CALLED("1 64 num_rows=60 ptr=@61:iota indices=@60:random data=@60:random x=@60:random y=@60:random",
            spmv_csr, spmv_csr_scalar)},
    {CALLED("8 64 num_rows=16 ptr=@17:iota indices=@60:random data=@60:random x=@60:random y=@60:random",
            spmv_csr, spmv_csr_vector)},
    {CALLED("2 64 offsets=@201:iota edges=@200:random levels=@200 frontier=@200 frontier_size=@1 "
            "vertices=200 level=5",
            bfs_frontier, bfs_step)},
    {LAUNCH("4 64 in=@1000:random partial=@4 total=@1 n=1000 factors=@4:iota", device_counter, sumLast),
     called(
         device_counter::sumLast, [](HostBuffers& h) { h.fill(device_counter::factors, "factors"); },
         [](HostBuffers& h) { h.take(device_counter::slots, "slots"); })}};

}  // namespace
}  // namespace warplens::language
