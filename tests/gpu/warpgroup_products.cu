// One wgmma a launch: what a warpgroup's registers hold afterwards. tests/gpu/warpgroup_products.py gives the
// descriptors, which are relative to the beginning of shared memory.
//
// Reads lines from standard input: kernel, descriptor of a, of b (hexadecimal), scale_d, seed, most of what shared memory is filled
// with. Shared memory (16384 words) is filled with what `fill` gives.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kWords = 16384;
struct Config {
  uint64_t a, b;
  int scale_d;
};

__global__ void f16_kk(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  float d[16];
  for (int i = 0; i < 16; ++i) d[i] = c.scale_d ? static_cast<float>(threadIdx.x % 5 + i % 3) : 0.f;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\nwgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p, %19, %20, %21, %22;\n}" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]) : "l"(c.a + at), "l"(c.b + at), "r"(c.scale_d), "n"(1), "n"(1), "n"(0), "n"(0) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 16; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

__global__ void f16_mk(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  float d[16];
  for (int i = 0; i < 16; ++i) d[i] = c.scale_d ? static_cast<float>(threadIdx.x % 5 + i % 3) : 0.f;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\nwgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p, %19, %20, %21, %22;\n}" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]) : "l"(c.a + at), "l"(c.b + at), "r"(c.scale_d), "n"(1), "n"(1), "n"(1), "n"(0) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 16; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

__global__ void f16_km(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  float d[16];
  for (int i = 0; i < 16; ++i) d[i] = c.scale_d ? static_cast<float>(threadIdx.x % 5 + i % 3) : 0.f;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\nwgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p, %19, %20, %21, %22;\n}" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]) : "l"(c.a + at), "l"(c.b + at), "r"(c.scale_d), "n"(1), "n"(1), "n"(0), "n"(1) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 16; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

__global__ void f16_mm(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  float d[16];
  for (int i = 0; i < 16; ++i) d[i] = c.scale_d ? static_cast<float>(threadIdx.x % 5 + i % 3) : 0.f;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\nwgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p, %19, %20, %21, %22;\n}" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]) : "l"(c.a + at), "l"(c.b + at), "r"(c.scale_d), "n"(1), "n"(1), "n"(1), "n"(1) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 16; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

__global__ void f16_8(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  float d[4];
  for (int i = 0; i < 4; ++i) d[i] = c.scale_d ? static_cast<float>(threadIdx.x % 5 + i % 3) : 0.f;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, %7, %8, %9, %10;\n}" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(c.a + at), "l"(c.b + at), "r"(c.scale_d), "n"(1), "n"(1), "n"(0), "n"(0) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

__global__ void f16_256(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  float d[128];
  for (int i = 0; i < 128; ++i) d[i] = c.scale_d ? static_cast<float>(threadIdx.x % 5 + i % 3) : 0.f;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\nwgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, %128, %129, p, %131, %132, %133, %134;\n}" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]), "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]), "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127]) : "l"(c.a + at), "l"(c.b + at), "r"(c.scale_d), "n"(1), "n"(1), "n"(0), "n"(0) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 128; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

__global__ void f16_256m(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  float d[128];
  for (int i = 0; i < 128; ++i) d[i] = c.scale_d ? static_cast<float>(threadIdx.x % 5 + i % 3) : 0.f;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\nwgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, %128, %129, p, %131, %132, %133, %134;\n}" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]), "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]), "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127]) : "l"(c.a + at), "l"(c.b + at), "r"(c.scale_d), "n"(1), "n"(1), "n"(1), "n"(1) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 128; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

__global__ void f16_rk(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  float d[16];
  for (int i = 0; i < 16; ++i) d[i] = c.scale_d ? static_cast<float>(threadIdx.x % 5 + i % 3) : 0.f;
  uint32_t a[4];
  for (int i = 0; i < 4; ++i) a[i] = from[4096 + 128 * i + threadIdx.x];
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %21, 0;\nwgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19}, %20, p, %22, %23, %24;\n}" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(c.b + at), "r"(c.scale_d), "n"(1), "n"(1), "n"(0) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 16; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

__global__ void f16_rm(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  float d[16];
  for (int i = 0; i < 16; ++i) d[i] = c.scale_d ? static_cast<float>(threadIdx.x % 5 + i % 3) : 0.f;
  uint32_t a[4];
  for (int i = 0; i < 4; ++i) a[i] = from[4096 + 128 * i + threadIdx.x];
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %21, 0;\nwgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19}, %20, p, %22, %23, %24;\n}" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(c.b + at), "r"(c.scale_d), "n"(1), "n"(1), "n"(1) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 16; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

__global__ void half_kk(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  uint32_t d[8];
  for (int i = 0; i < 8; ++i) d[i] = 0;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %10, 0;\nwgmma.mma_async.sync.aligned.m64n32k16.f16.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, %11, %12, %13, %14;\n}" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]) : "l"(c.a + at), "l"(c.b + at), "r"(c.scale_d), "n"(1), "n"(1), "n"(0), "n"(0) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 8; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

__global__ void bf16_kk(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  float d[16];
  for (int i = 0; i < 16; ++i) d[i] = c.scale_d ? static_cast<float>(threadIdx.x % 5 + i % 3) : 0.f;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\nwgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p, %19, %20, %21, %22;\n}" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]) : "l"(c.a + at), "l"(c.b + at), "r"(c.scale_d), "n"(1), "n"(1), "n"(0), "n"(0) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 16; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

__global__ void tf32_kk(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  float d[16];
  for (int i = 0; i < 16; ++i) d[i] = c.scale_d ? static_cast<float>(threadIdx.x % 5 + i % 3) : 0.f;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\nwgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p, %19, %20;\n}" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]) : "l"(c.a + at), "l"(c.b + at), "r"(c.scale_d), "n"(1), "n"(1) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 16; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

__global__ void s8_kk(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  uint32_t d[16];
  for (int i = 0; i < 16; ++i) d[i] = 0;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\nwgmma.mma_async.sync.aligned.m64n32k32.s32.s8.s8 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p;\n}" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]), "+r"(d[8]), "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15]) : "l"(c.a + at), "l"(c.b + at), "r"(c.scale_d) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 16; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

__global__ void u8_kk(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  uint32_t d[16];
  for (int i = 0; i < 16; ++i) d[i] = 0;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\nwgmma.mma_async.sync.aligned.m64n32k32.s32.u8.u8 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p;\n}" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]), "+r"(d[8]), "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15]) : "l"(c.a + at), "l"(c.b + at), "r"(c.scale_d) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 16; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

__global__ void e4m3_kk(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  float d[16];
  for (int i = 0; i < 16; ++i) d[i] = c.scale_d ? static_cast<float>(threadIdx.x % 5 + i % 3) : 0.f;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\nwgmma.mma_async.sync.aligned.m64n32k32.f32.e4m3.e4m3 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p, %19, %20;\n}" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]) : "l"(c.a + at), "l"(c.b + at), "r"(c.scale_d), "n"(1), "n"(1) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 16; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

__global__ void s8_rk(const uint32_t* from, Config c, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t tile[];
  for (int i = threadIdx.x; i < kWords; i += 128) tile[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) >> 4;
  uint32_t d[16];
  for (int i = 0; i < 16; ++i) d[i] = 0;
  uint32_t a[4];
  for (int i = 0; i < 4; ++i) a[i] = from[4096 + 128 * i + threadIdx.x];
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %21, 0;\nwgmma.mma_async.sync.aligned.m64n32k32.s32.s8.s8 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19}, %20, p;\n}" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]), "+r"(d[8]), "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(c.b + at), "r"(c.scale_d) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 16; ++i) {
    uint32_t bits;
    memcpy(&bits, &d[i], 4);
    out[128 * i + threadIdx.x] = bits;
  }
}

using Kernel = void (*)(const uint32_t*, Config, uint32_t*);
struct Known {
  const char* name;
  Kernel kernel;
  int registers;
  const char* type;
} known[] = {
    {"f16_kk", f16_kk, 16, "f16f32"},
    {"f16_mk", f16_mk, 16, "f16f32"},
    {"f16_km", f16_km, 16, "f16f32"},
    {"f16_mm", f16_mm, 16, "f16f32"},
    {"f16_8", f16_8, 4, "f16f32"},
    {"f16_256", f16_256, 128, "f16f32"},
    {"f16_256m", f16_256m, 128, "f16f32"},
    {"f16_rk", f16_rk, 16, "f16f32"},
    {"f16_rm", f16_rm, 16, "f16f32"},
    {"half_kk", half_kk, 8, "f16f16"},
    {"bf16_kk", bf16_kk, 16, "bf16"},
    {"tf32_kk", tf32_kk, 16, "tf32"},
    {"s8_kk", s8_kk, 16, "s8"},
    {"u8_kk", u8_kk, 16, "u8"},
    {"e4m3_kk", e4m3_kk, 16, "e4m3"},
    {"s8_rk", s8_rk, 16, "s8"},
};

// Small whole numbers, so that sums are exact: the same in warpgroup_products.py.
uint32_t number_at(uint32_t seed, uint32_t i) {
  uint32_t x = (i + 1) * 2654435761u + seed * 40503u;
  x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
  return x % 9;  // - 4
}
uint32_t half_of(int v) {  // |v| <= 4
  static const uint32_t bits[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400};
  return (v < 0 ? 0x8000u : 0) | bits[v < 0 ? -v : v];
}
uint32_t word_of(const char* type, uint32_t seed, uint32_t i) {
  const auto at = [&](uint32_t per, uint32_t k) { return static_cast<int>(number_at(seed, per * i + k)) - 4; };
  if (!std::strncmp(type, "f16", 3)) return half_of(at(2, 0)) | half_of(at(2, 1)) << 16;
  float f[2];
  uint32_t bits[2];
  if (!std::strcmp(type, "bf16")) {
    f[0] = at(2, 0), f[1] = at(2, 1);
    std::memcpy(bits, f, 8);
    return bits[0] >> 16 | (bits[1] >> 16 << 16);
  }
  if (!std::strcmp(type, "tf32")) {
    f[0] = at(1, 0);
    std::memcpy(bits, f, 4);
    return bits[0];
  }
  static const uint32_t e4m3[] = {0, 0x38, 0x40, 0x44, 0x48};
  uint32_t word = 0;
  for (uint32_t k = 0; k < 4; ++k) {
    const int v = at(4, k);
    const uint32_t byte = !std::strcmp(type, "e4m3") ? (v < 0 ? 0x80u : 0) | e4m3[v < 0 ? -v : v] : static_cast<uint32_t>(v) & 0xff;
    word |= byte << 8 * k;
  }
  return word;
}

int main() {
  uint32_t *from = nullptr, *out = nullptr;
  constexpr int kMost = 128 * 128;
  if (cudaMalloc(&from, 4 * kWords) || cudaMalloc(&out, 4 * kMost)) return 1;
  char name[64];
  unsigned long long a, b;
  int scale_d;
  unsigned seed;
  while (std::scanf("%63s %llx %llx %d %u", name, &a, &b, &scale_d, &seed) == 5) {
    for (const Known& k : known) {
      if (std::strcmp(k.name, name) != 0) continue;
      std::vector<uint32_t> words(kWords), results(kMost);
      for (uint32_t i = 0; i < kWords; ++i) words[i] = word_of(k.type, seed, i);
      cudaMemcpy(from, words.data(), 4 * kWords, cudaMemcpyHostToDevice);
      cudaFuncSetAttribute(k.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 4 * kWords);
      k.kernel<<<1, 128, 4 * kWords>>>(from, Config{a, b, scale_d}, out);
      if (const auto error = cudaDeviceSynchronize()) {
        std::printf("%s failed %s\n", name, cudaGetErrorString(error));
        return 2;
      }
      cudaMemcpy(results.data(), out, 4 * kMost, cudaMemcpyDeviceToHost);
      std::printf("%s", name);
      for (int i = 0; i < 128 * k.registers; ++i) std::printf(" %x", results[i]);
      std::printf("\n");
    }
  }
  return 0;
}
