// A tile of 32 rows, and where its elements lie: rows of COLUMNS + PAD
// elements, and over them CuTe's Swizzle<BITS, BASE, SHIFT>. It flips
// BITS bits of the index, from bit BASE on, by those SHIFT higher.
//
//     Swizzle<3, 0, 5>, 32 columns:   row 0   0 1 2 3 4 5 6 7 ..
//                                     row 1   1 0 3 2 5 4 7 6 ..
//                                     row 2   2 3 0 1 6 7 4 5 ..
template <int COLUMNS, int PAD, int BITS, int BASE, int SHIFT>
__device__ int f(int row, int column) {
  int i = row * (COLUMNS + PAD) + column;
  return i ^ ((i >> (BASE + SHIFT) & ((1 << BITS) - 1)) << BASE);
}

// READ: 0 by rows, 1 by columns, 2 in patches of 8 rows and 4 columns,
// as the fragments of tensor cores lie in a warp.
template <typename T, int READ, int COLUMNS, int PAD, int BITS,
          int BASE, int SHIFT>
__global__ void layout_swizzle(T* out, const T* in) {
  __shared__ T tile[32][COLUMNS + PAD];
  T* words = &tile[0][0];
  for (int i = threadIdx.x; i < 32 * COLUMNS; i += blockDim.x) {
    int row = i / COLUMNS, column = i % COLUMNS;
    words[f<COLUMNS, PAD, BITS, BASE, SHIFT>(row, column)] = in[i];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 32 * COLUMNS; i += blockDim.x) {
    int row = i / COLUMNS, column = i % COLUMNS;
    if (READ == 1)
      row = i % 32, column = i / 32;
    if (READ == 2) {
      row = i / 32 % 4 * 8 + i % 32 / 4;
      column = i / 128 * 4 + i % 4;
    }
    out[i] = words[f<COLUMNS, PAD, BITS, BASE, SHIFT>(row, column)];
  }
}
