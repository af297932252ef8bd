#include <cstddef>
// A view of a matrix, row- or column-major, with bounds; references into memory through operator().
enum Layout { RowMajor, ColumnMajor };

template <typename T, Layout L> class MatrixView {
 public:
  __host__ __device__ MatrixView(T *data, int rows, int columns) : data_(data), rows_(rows), columns_(columns) {}
  __host__ __device__ T &operator()(int r, int c) const { return data_[index(r, c)]; }
  __host__ __device__ int rows() const { return rows_; }
  __host__ __device__ int columns() const { return columns_; }
  __host__ __device__ bool contains(int r, int c) const { return r < rows_ && c < columns_; }

 private:
  __host__ __device__ int index(int r, int c) const { return L == RowMajor ? r * columns_ + c : c * rows_ + r; }
  T *data_;
  int rows_, columns_;
};

template <typename View> __device__ float row_sum(const View &v, int r) {
  float sum = 0;
  for (int c = 0; c < v.columns(); ++c) sum += v(r, c);
  return sum;
}

template <Layout L>
__global__ void scaleRows(float *data, int rows, int columns, float *sums) {
  MatrixView<float, L> m(data, rows, columns);
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (!m.contains(r, 0)) return;
  const float sum = row_sum(m, r);
  for (int c = 0; c < m.columns(); ++c) m(r, c) = m(r, c) * 2.0f + sum;
  sums[r] = sum;
}

// ---- host
int main() { scaleRows<RowMajor><<<1, 64>>>(d, 40, 24, s); scaleRows<ColumnMajor><<<1, 64>>>(d, 40, 24, s); }
