// Stencil in two dimensions: the mean of an element and its neighbours
// in a star, up to R away; R = 1 is the five-point stencil. Those to
// the left and right lie in the row's own sectors, those above and
// below in rows of their own: every thread that needs them fetches
// them again. `in` has R rows and columns more on each side.
template <int R>
__global__ void stencil_2d_global(float* out, const float* in,
                                  int nrows, int ncols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= ncols || row >= nrows)
    return;
  int width = ncols + 2 * R;
  int at = (row + R) * width + col + R;
  float sum = in[at];
  for (int j = 1; j <= R; ++j)
    sum += in[at - j] + in[at + j] + in[at - j * width] +
           in[at + j * width];
  out[row * ncols + col] = sum / (4 * R + 1);
}
