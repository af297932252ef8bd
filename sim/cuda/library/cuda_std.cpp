#include "sim/cuda/library/library.h"

namespace warplens::cuda {

// cuda::std::span and cuda::std::array (https://nvidia.github.io/cccl/libcudacxx): checks of indices, which
// libcu++ makes where CCCL_ENABLE_ASSERTIONS is defined, are left out; the simulator looks at each access.
const LibraryText kSpan = {"span", {"::span", "std/span", "cuda::std::array"}, "", R"(
namespace cuda { namespace std {
constexpr size_t dynamic_extent = size_t(-1);
#define SPAN(count) \
  __host__ __device__ constexpr size_t size() const { return count; } \
  __host__ __device__ constexpr size_t size_bytes() const { return count * sizeof(T); } \
  __host__ __device__ constexpr bool empty() const { return count == 0; } \
  __host__ __device__ T* data() const { return ptr; } \
  __host__ __device__ T* begin() const { return ptr; } \
  __host__ __device__ T* end() const { return ptr + count; } \
  __host__ __device__ T& operator[](size_t i) const { return ptr[i]; } \
  __host__ __device__ T& front() const { return ptr[0]; } \
  __host__ __device__ T& back() const { return ptr[count - 1]; } \
  __host__ __device__ span<T> first(size_t n) const { return span<T>(ptr, n); } \
  __host__ __device__ span<T> last(size_t n) const { return span<T>(ptr + (count - n), n); } \
  __host__ __device__ span<T> subspan(size_t from, size_t n = size_t(-1)) const { \
    return span<T>(ptr + from, n == size_t(-1) ? count - from : n); \
  }
template <typename T, size_t N = size_t(-1)>
struct span {
  T* ptr;
  __host__ __device__ explicit span(T* p, size_t) : ptr(p) {}
  __host__ __device__ span(T (&a)[N]) : ptr(a) {}
  SPAN(N)
};
template <typename T>
struct span<T, size_t(-1)> {
  T* ptr;
  size_t count;
  __host__ __device__ span() : ptr(nullptr), count(0) {}
  __host__ __device__ span(T* p, size_t n) : ptr(p), count(n) {}
  template <size_t M>
  __host__ __device__ span(T (&a)[M]) : ptr(a), count(M) {}
  __host__ __device__ operator span<const T>() const { return span<const T>(ptr, count); }
  SPAN(count)
};
#undef SPAN
template <typename T, size_t N>
struct array {
  T elements[N];
  __host__ __device__ constexpr size_t size() const { return N; }
  __host__ __device__ T* data() { return elements; }
  __host__ __device__ const T* data() const { return elements; }
  __host__ __device__ T* begin() { return elements; }
  __host__ __device__ T* end() { return elements + N; }
  __host__ __device__ T& operator[](size_t i) { return elements[i]; }
  __host__ __device__ const T& operator[](size_t i) const { return elements[i]; }
};
} }
)"};

// cuda::std::mdspan of up to three dimensions; an extent known when compiling is a number, whatever the
// object holds. Left out: strided layouts, accessors, submdspan.
const LibraryText kMdspan = {"mdspan", {"mdspan"}, "", R"(
namespace cuda { namespace std {
template <typename I, size_t A = size_t(-2), size_t B = size_t(-2), size_t C = size_t(-2)>
struct extents {
  using index_type = I;
  I e0, e1, e2;
  __host__ __device__ extents(I a = 0, I b = 0, I c = 0) : e0(a), e1(b), e2(c) {}
  __host__ __device__ static constexpr size_t rank() { return C != size_t(-2) ? 3 : B != size_t(-2) ? 2 : 1; }
  __host__ __device__ I extent(size_t r) const {
    return r == 0 ? (A == size_t(-1) ? e0 : I(A)) : r == 1 ? (B == size_t(-1) ? e1 : I(B)) : C == size_t(-1) ? e2 : I(C);
  }
};
template <typename I, size_t R>
using dextents = extents<I, size_t(-1), (R > 1 ? size_t(-1) : size_t(-2)), (R > 2 ? size_t(-1) : size_t(-2))>;
template <size_t R, typename I = size_t>
using dims = extents<I, size_t(-1), (R > 1 ? size_t(-1) : size_t(-2)), (R > 2 ? size_t(-1) : size_t(-2))>;
struct layout_right { static constexpr bool is_right = true; };
struct layout_left { static constexpr bool is_right = false; };
template <typename T, typename E, typename L = layout_right>
struct mdspan {
  using element_type = T;
  using extents_type = E;
  using index_type = typename E::index_type;
  T* ptr;
  E ext;
  __host__ __device__ mdspan() : ptr(nullptr) {}
  __host__ __device__ explicit mdspan(T* p) : ptr(p) {}
  __host__ __device__ mdspan(T* p, const E& e) : ptr(p), ext(e) {}
  __host__ __device__ mdspan(T* p, index_type a) : ptr(p), ext(a) {}
  __host__ __device__ mdspan(T* p, index_type a, index_type b) : ptr(p), ext(a, b) {}
  __host__ __device__ mdspan(T* p, index_type a, index_type b, index_type c) : ptr(p), ext(a, b, c) {}
  __host__ __device__ static constexpr size_t rank() { return E::rank(); }
  __host__ __device__ index_type extent(size_t r) const { return ext.extent(r); }
  __host__ __device__ const E& extents() const { return ext; }
  __host__ __device__ T* data_handle() const { return ptr; }
  __host__ __device__ size_t size() const {
    size_t all = extent(0);
    if (rank() > 1) all *= extent(1);
    if (rank() > 2) all *= extent(2);
    return all;
  }
  __host__ __device__ index_type stride(size_t r) const {
    index_type s = 1;
    for (size_t i = 0; i < 3; ++i)
      if (i < rank() && (L::is_right ? i > r : i < r)) s *= extent(i);
    return s;
  }
  __host__ __device__ T& operator()(index_type i) const { return ptr[i]; }
  __host__ __device__ T& operator()(index_type i, index_type j) const {
    return ptr[L::is_right ? i * extent(1) + j : j * extent(0) + i];
  }
  __host__ __device__ T& operator()(index_type i, index_type j, index_type k) const {
    return ptr[L::is_right ? (i * extent(1) + j) * extent(2) + k : (k * extent(1) + j) * extent(0) + i];
  }
  __host__ __device__ T& operator[](index_type i) const { return ptr[i]; }
  __host__ __device__ T& operator[](index_type i, index_type j) const { return (*this)(i, j); }
  __host__ __device__ T& operator[](index_type i, index_type j, index_type k) const { return (*this)(i, j, k); }
};
} }
)"};

// cuda::atomic_ref and cuda::atomic of every scope. nvcc 13.0 keeps the old value, used or not: they are
// atomics and no reductions. What orders them, fences, is no access.
const LibraryText kAtomicRef = {"atomic", {"atomic_ref", "cuda::atomic<", "cuda::std::atomic<"}, "", R"(
namespace cuda {
enum class memory_order { relaxed, consume, acquire, release, acq_rel, seq_cst };
constexpr int memory_order_relaxed = 0, memory_order_consume = 1, memory_order_acquire = 2,
              memory_order_release = 3, memory_order_acq_rel = 4, memory_order_seq_cst = 5;
#define ATOMIC(at, how) \
  __host__ __device__ T load(int = 5) how { return __atomic_ref_load(at); } \
  __host__ __device__ void store(T v, int = 5) how { __atomic_ref_store(at, v); } \
  __host__ __device__ T exchange(T v, int = 5) how { return __atomic_ref_Exch(at, v); } \
  __host__ __device__ bool compare_exchange_strong(T& expected, T v, int = 5, int = 5) how { \
    const T before = expected, old = __atomic_ref_CAS(at, before, v); \
    if (old != before) expected = old; \
    return old == before; \
  } \
  __host__ __device__ bool compare_exchange_weak(T& expected, T v, int = 5, int = 5) how { \
    return compare_exchange_strong(expected, v); \
  } \
  __host__ __device__ T fetch_add(T v, int = 5) how { return __atomic_ref_Add(at, v); } \
  __host__ __device__ T fetch_sub(T v, int = 5) how { return __atomic_ref_Add(at, -v); } \
  __host__ __device__ T fetch_min(T v, int = 5) how { return __atomic_ref_Min(at, v); } \
  __host__ __device__ T fetch_max(T v, int = 5) how { return __atomic_ref_Max(at, v); } \
  __host__ __device__ T fetch_and(T v, int = 5) how { return __atomic_ref_And(at, v); } \
  __host__ __device__ T fetch_or(T v, int = 5) how { return __atomic_ref_Or(at, v); } \
  __host__ __device__ T fetch_xor(T v, int = 5) how { return __atomic_ref_Xor(at, v); } \
  __host__ __device__ operator T() how { return load(); } \
  __host__ __device__ T operator=(T v) how { store(v); return v; } \
  __host__ __device__ T operator++() how { return fetch_add(1) + 1; } \
  __host__ __device__ T operator++(int) how { return fetch_add(1); } \
  __host__ __device__ T operator--() how { return fetch_sub(1) - 1; } \
  __host__ __device__ T operator--(int) how { return fetch_sub(1); } \
  __host__ __device__ T operator+=(T v) how { return fetch_add(v) + v; } \
  __host__ __device__ T operator-=(T v) how { return fetch_sub(v) - v; } \
  __host__ __device__ T operator&=(T v) how { return fetch_and(v) & v; } \
  __host__ __device__ T operator|=(T v) how { return fetch_or(v) | v; } \
  __host__ __device__ T operator^=(T v) how { return fetch_xor(v) ^ v; }
template <typename T, int S = 0>
struct atomic_ref {
  T* ptr;
  __host__ __device__ explicit atomic_ref(T& x) : ptr(&x) {}
  ATOMIC(ptr, const)
};
template <typename T, int S = 0>
struct atomic {
  T value;
  ATOMIC(&value, )
};
#undef ATOMIC
}
)"};

// <cuda/cmath>, <cuda/std/utility>.
const LibraryText kCudaMath = {"cmath", {"cuda::ceil_div", "cuda/cmath", "std::swap"}, "", R"(
namespace cuda {
template <typename T, typename U>
__host__ __device__ constexpr common_type_t<T, U> ceil_div(T a, U b) { return a / b + (a % b != 0 ? 1 : 0); }
template <typename T, typename U>
__host__ __device__ constexpr common_type_t<T, U> round_up(T a, U b) { return ceil_div(a, b) * b; }
template <typename T, typename U>
__host__ __device__ constexpr common_type_t<T, U> round_down(T a, U b) { return a / b * b; }
namespace std {
template <typename T>
__host__ __device__ void swap(T& a, T& b) {
  T before = a;
  a = b;
  b = before;
}
}
}
)"};

}  // namespace warplens::cuda
