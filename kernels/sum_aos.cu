// An array of structures: x, y and z of a point lie side by side, so
// neighbouring lanes' x are 12 bytes apart. Each of the three loads
// fetches all the sectors of 32 points, and uses a third of them.
struct Point {
  float x, y, z;
};

__global__ void sum_aos(float* out, const Point* points, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = points[i].x
           + points[i].y
           + points[i].z;
}
