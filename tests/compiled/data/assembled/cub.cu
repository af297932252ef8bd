// CUB's blocks: exchanges, scans, sorts.
#include <cub/cub.cuh>

template <int Items>
__device__ void blocked(const int* in, int (&items)[Items]) {
  for (int i = 0; i < Items; ++i) items[i] = in[(blockIdx.x * 128 + threadIdx.x) * Items + i];
}
template <int Items>
__device__ void written(int* out, const int (&items)[Items]) {
  for (int i = 0; i < Items; ++i) out[(blockIdx.x * Items + i) * 128 + threadIdx.x] = items[i];
}
#define KERNEL(NAME) extern "C" __global__ void __launch_bounds__(128) NAME(const int* in, int* out, int n)

KERNEL(scan) {
  using Scan = cub::BlockScan<int, 128>;
  __shared__ typename Scan::TempStorage storage;
  int items[4];
  blocked(in, items);
  Scan(storage).InclusiveSum(items, items);
  written(out, items);
}
KERNEL(raking_scan) {
  using Scan = cub::BlockScan<int, 128, cub::BLOCK_SCAN_RAKING>;
  __shared__ typename Scan::TempStorage storage;
  int items[2];
  blocked(in, items);
  Scan(storage).ExclusiveSum(items, items);
  written(out, items);
}
KERNEL(raking_reduce) {
  using Reduce = cub::BlockReduce<int, 128, cub::BLOCK_REDUCE_RAKING>;
  __shared__ typename Reduce::TempStorage storage;
  int items[2];
  blocked(in, items);
  const int sum = Reduce(storage).Sum(items[0] + items[1]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
KERNEL(to_striped) {
  using Exchange = cub::BlockExchange<int, 128, 4>;
  __shared__ typename Exchange::TempStorage storage;
  int items[4];
  blocked(in, items);
  Exchange(storage).BlockedToStriped(items, items);
  written(out, items);
}
KERNEL(to_blocked) {
  using Exchange = cub::BlockExchange<int, 128, 4>;
  __shared__ typename Exchange::TempStorage storage;
  int items[4];
  for (int i = 0; i < 4; ++i) items[i] = in[(blockIdx.x * 4 + i) * 128 + threadIdx.x];
  Exchange(storage).StripedToBlocked(items, items);
  written(out, items);
}
KERNEL(sort) {
  using Sort = cub::BlockRadixSort<int, 128, 4>;
  __shared__ typename Sort::TempStorage storage;
  int items[4];
  blocked(in, items);
  Sort(storage).Sort(items);
  written(out, items);
}
KERNEL(histogram) {
  using Histogram = cub::BlockHistogram<int, 128, 4, 64, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ int counts[64];
  int items[4];
  blocked(in, items);
  for (int& item : items) item &= 63;
  Histogram(storage).Histogram(items, counts);
  __syncthreads();
  if (threadIdx.x < 64) out[blockIdx.x * 64 + threadIdx.x] = counts[threadIdx.x];
}
