// What conditions load, again behind them; what one side of a choice alone needs; variables that a branch
// assigns.

__device__ bool positive(const float* a, int i, int n) {
  return i < n && a[i] > 0.f;
}

// a[i] in a condition, and again behind it.
__global__ void known_again(const float* a, const int* next, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  if (i < n && a[i] > 0.5f) sum += a[i];
  if (i >= n || a[i] < 0.25f)
    sum += 2;
  else
    sum += a[i];
  if (positive(a, i, n) && next[i] != i && a[next[i]] > 0.1f) sum += a[next[i]];
  if (i > 7 && a[i * 2 - 7] > 0.25f) sum += a[i * 2 - 7] * (n - i);
  int k = n;
  if (i > 9 && a[(i * k) & 63] > 0.5f) {
    k = 3;
    sum += a[(i * k) & 63] + a[(i * n) & 63];
  }
  bool small = i > 3 && a[i] < 0.5f && a[i] > 0.1f;
  if (!small || i > 100)
    sum += 1;
  else
    sum += a[i] * 4;
  int at = i;
  while (at < n && a[at] > 0.2f && sum < 50) {
    sum += a[at];
    at += 7;
  }
  do {
    at += 3;
  } while (at < n && a[at] > 0.3f);
  sum += at < n ? a[at] : 1.f;
  out[i] = sum;
}

// What is stored in between, by the same pointer or another, is seen.
__global__ void stored_between(float* a, float* b, float* out, int n) {
  const int i = threadIdx.x;
  if (i < n && a[i] > 0.5f) {
    b[i] = 3;
    out[i] = a[i];
    a[i] = 9;
  } else {
    out[i] = a[i] + 1;
  }
  if (i < n && a[i] > 0.5f) out[i] += a[i];
  float x = a[i];
  if (i & 1) a[i] = 4;
  out[i] += a[i] + x;
  bool big = i > 2 && a[i] > 1.f;
  a[i] = i;
  if (big) out[i] += a[i];
}

// `zero` is 0: the store is to where the load was made, by another name.
__global__ void same_place(float* a, float* out, int n, int zero) {
  const int i = threadIdx.x;
  float x = a[i];
  a[i + zero] = 7;
  if (i < n) out[i] = x;
  float y = a[i + 64];
  a[i + 64 + zero] = 3;
  out[i + 64] = i < n ? expf(y) * y : 0.f;
  bool big = i > 2 && a[i + 128] > 0.5f;
  a[i + 128 + zero] = 2;
  if (big) out[i + 128] = a[i + 128];
  if (i < n && a[i + 192] > 0.5f) {
    a[i + 192 + zero] = 4;
    out[i + 192] = a[i + 192];
  } else {
    out[i + 192] = a[i + 192] + 1;
  }
}

// A variable that is a copy of another on one side alone.
__global__ void copies(const float* a, const float* b, float* out, int n) {
  const int i = threadIdx.x;
  int k = i + 3;
  float x = a[i];
  if (i < n) {
    k = i;
    x = b[i];
  } else {
    x += a[k];
    out[i + 64] = b[k];
  }
  bool first = i > 5, second = first;
  if (second) second = a[k] > 0.5f;
  if (i & 4) first = !first;
  out[i] = x + a[k] + (first ? a[i] : 2.f) + (second ? a[k] : 1.f);
}

// In front of the choice: all lanes load.
__global__ void chosen(const float4* b, float* out, int n) {
  const int i = threadIdx.x;
  float4 v = b[i];
  float q = i < n ? v.x * v.y + v.z * v.w + v.x * v.w + v.y * v.z : 1.f;
  out[i] = q;
}
__global__ void chosen_function(const float* a, float* out, int n) {
  const int i = threadIdx.x;
  float x = a[i], y = a[i + 1] * 2;
  float p = i < n ? y : expf(x) * x + y;
  out[i] = p;
}

// Five operations on one side alone.
__global__ void computed(const float* a, float* out, int n) {
  const int i = threadIdx.x;
  float x = a[i];
  out[i] = i < n ? (x * 2 + 1) * x - x : 0.f;
}

// What is loaded for q first is needed by no one.
__global__ void overwritten(const float* a, const float* b, float* out, int n) {
  const int i = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    float q = i < 40 ? a[i + k] : 0.f;
    if (k == 3) continue;
    float t = b[i + k];
    q = i < 50 ? t * 2 : 1.f;
    sum += q;
    if (sum > 30) break;
    q = a[i];
  }
  out[i] = sum;
}
// Needed on the way that the loop is left.
__global__ void needed_later(const float* a, float* out, int n) {
  const int i = threadIdx.x;
  float q = 1, sum = 0;
  for (int k = 0; k < n; ++k) {
    const float t = a[i + k];
    q = a[i + k + 32];
    if (t > 0.8f) break;
    if (t < 0.1f) continue;
    q = 2;
    sum += k;
  }
  out[i] = sum + q;
}

// ---- host
int main() {
  const float* a = nullptr;
  const int* next = nullptr;
  float* out = nullptr;
  known_again<<<2, 64>>>(a, next, out, 100);
}
