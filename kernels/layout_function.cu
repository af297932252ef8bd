// Your own layout: where element (row, column) of a tile lies. Write an
// expression over row, column, ROWS and COLUMNS, or a layout as CuTe
// writes it:
//
//     row * (COLUMNS + 1) + column     (32,32):(33,1)
//     row * COLUMNS + (column ^ row)   Swizzle<5,0,5> o (32,32):(32,1)
#define INDEX (row * COLUMNS + column)

template <int ROWS, int COLUMNS>
__device__ int f(int row, int column) {
  return INDEX;
}

// READ: 0 by rows, 1 by columns, 2 in patches of 8 rows and 4 columns,
// as the fragments of tensor cores lie in a warp.
template <typename T, int READ, int ROWS, int COLUMNS>
__global__ void layout_function(T* out, const T* in) {
  __shared__ T tile[sizeof(T) > 8 ? 2560 : 4096];
  for (int i = threadIdx.x; i < ROWS * COLUMNS; i += blockDim.x)
    tile[f<ROWS, COLUMNS>(i / COLUMNS, i % COLUMNS)] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < ROWS * COLUMNS; i += blockDim.x) {
    int row = i / COLUMNS, column = i % COLUMNS;
    if (READ == 1)
      row = i % ROWS, column = i / ROWS;
    if (READ == 2) {
      row = i / 32 % (ROWS / 8) * 8 + i % 32 / 4;
      column = i / 32 / (ROWS / 8) * 4 + i % 4;
    }
    out[i] = tile[f<ROWS, COLUMNS>(row, column)];
  }
}
