// nvcuda::wmma: fragments of matrices, in a thread's local memory.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/lower/builtins/functions.h"

namespace warplens::sim::lower {

// A fragment of nvcuda::wmma, and how it lies in registers. `tall`: 16 rows of a (or of the transposed b) to
// every four registers; else 8 columns of b to every two. Of a result `tiles` of 16 x 8, eight values.
struct Fragment {
  enum class Use { A, B, Result };
  Use use = Use::A;
  int m = 16, n = 16, k = 16;
  ScalarType type = ScalarType::F16;
  bool row_major = true;                   // A, B
  bool is_flat() const { return m == 8; }  // computed as its transpose
  bool is_tall() const { return (use == Use::A) != is_flat(); }
  int outer() const { return use == Use::A ? m : n; }
  // How many factors a lane's register holds: two halves, a tf32 or four bytes. The sum runs over them.
  int in_register() const { return 4 / sim::size_of(type); }
  int depth() const { return 4 * in_register(); }  // the k of an 8x8 matrix of registers
  int steps() const { return k / depth(); }
  // Halves are there twice.
  int elements() const {
    return use == Use::Result ? 8 : is_small_float(type) ? 16 : outer() * k / memory::kWarpLanes;
  }
};

class WmmaFragments : public BuiltinWork {
 public:
  using BuiltinWork::BuiltinWork;
  std::optional<TypeRef> fragment_type(const cuda::TypeName& written, bool complain);
  const Fragment* fragment_of(TypeRef type) const;
  Result load_fragment(const Builtin& f, const BuiltinCall& c);
  Result store_fragment(const Builtin& f, const BuiltinCall& c);
  Result fill_fragment(const Builtin& f, const BuiltinCall& c);
  Result round_to_tf32(const Builtin& f, const BuiltinCall& c);
  Result multiply_fragments(const Builtin& f, const BuiltinCall& c);
  // wmma::load_matrix_sync() is ldmatrix where its pointer leads to shared memory, which is known of a
  // variable only once everything is lowered and trace_origins() has run: the calls, by their order, of which
  // that is found then, and that were lowered as others. Lowering the kernel once more with `known` makes
  // them right.
  std::set<std::size_t> found_in_shared();
  void set_in_shared(std::set<std::size_t> known) { in_shared_ = std::move(known); }

 private:
  const Fragment* fragment_argument(const BuiltinCall& c, std::size_t index, Address& at);

  std::map<const Record*, Fragment> fragments_;
  std::set<std::size_t> in_shared_;
  std::vector<std::size_t> fragment_loads_;  // where the accesses of each begin, in Ir::accesses, and end
};

}  // namespace warplens::sim::lower
