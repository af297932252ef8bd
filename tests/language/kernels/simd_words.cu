// Every SIMD function of the CUDA Math API, on words whose bytes and halves go through the ends of their ranges.
#define EACH(f) out[slot++ * n + i] = f##2(a, b), out[slot++ * n + i] = f##4(a, b);
#define EACH_ALONE(f) out[slot++ * n + i] = f##2(a), out[slot++ * n + i] = f##4(a);

__global__ void simd_words(const unsigned* in, const unsigned* other, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned ends[4] = {0x80007fffu, 0xff8000ffu, 0x7f80ff01u, 0x00fe8081u};
  const unsigned a = i % 3 ? in[i] * 2654435761u : ends[i / 3 & 3];
  const unsigned b = i % 5 ? other[i] * 2246822519u + i : ends[i / 5 & 3];
  int slot = 0;
  EACH(__vadd) EACH(__vaddss) EACH(__vaddus) EACH(__vsub) EACH(__vsubss) EACH(__vsubus) EACH(__vabsdiffs)
  EACH(__vabsdiffu) EACH(__vavgs) EACH(__vavgu) EACH(__vhaddu) EACH(__vmaxs) EACH(__vmaxu) EACH(__vmins)
  EACH(__vminu) EACH(__vcmpeq) EACH(__vcmpne) EACH(__vcmpges) EACH(__vcmpgeu) EACH(__vcmpgts)
  EACH(__vcmpgtu) EACH(__vcmples) EACH(__vcmpleu) EACH(__vcmplts) EACH(__vcmpltu) EACH(__vseteq)
  EACH(__vsetne) EACH(__vsetges) EACH(__vsetgeu) EACH(__vsetgts) EACH(__vsetgtu) EACH(__vsetles)
  EACH(__vsetleu) EACH(__vsetlts) EACH(__vsetltu) EACH(__vsads) EACH(__vsadu)
  EACH_ALONE(__vabs) EACH_ALONE(__vabsss) EACH_ALONE(__vneg) EACH_ALONE(__vnegss)
}

// ---- host
int main() { simd_words<<<2, 64>>>(in, other, out, 100); }
