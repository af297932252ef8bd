// One dynamic array for three, by casts.
__global__ void statistics(const double *values, const int *keys, double *out, short *order, int nv, int nk) {
  extern __shared__ char arena[];
  double *v = (double *)arena;
  int *k = (int *)&v[nv];
  short *o = reinterpret_cast<short *>(k + nk);
  const int t = threadIdx.x;
  if (t < nv) v[t] = values[blockIdx.x * nv + t];
  if (t < nk) k[t] = keys[t];
  o[t] = (short)(blockDim.x - 1 - t);
  __syncthreads();
  double sum = 0;
  for (int i = 0; i < nv; ++i) sum += v[i] * k[i % nk];
  out[blockIdx.x * blockDim.x + t] = sum + o[t];
  order[t] = o[o[t]];
}

// ---- host
size_t bytes(int nv, int nk, int nt) { return nv * sizeof(double) + nk * sizeof(int) + nt * sizeof(short); }
void run() { statistics<<<2, 32, bytes(16, 8, 32)>>>(v, k, out, order, 16, 8); }
