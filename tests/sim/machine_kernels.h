// Kernels written down as Programs, as a lowering would.
#pragma once

#include "tests/sim/machine_builder.h"

namespace warplens::sim {

inline Reg global_x(Builder& b) {
  return b.add(b.mul(kBlockIdxX, kBlockDimX), kThreadIdxX);
}
inline Reg global_y(Builder& b) {
  return b.add(b.mul(kBlockIdxY, kBlockDimY), kThreadIdxY);
}

// if (i < n) out[i] = in[i]
inline Program copy_program() {
  Builder b("copy");
  const Reg out = b.pointer("out"), in = b.pointer("in"), n = b.scalar("n");
  const Reg i = global_x(b);
  b.if_then(b.lt(i, n), [&] { b.store(out, i, b.load(in, i)); });
  return b.finish();
}

// if (c < ncols && r < nrows) out[c * nrows + r] = in[r * ncols + c]
inline Program naive_transpose_program() {
  Builder b("transpose");
  const Reg out = b.pointer("out"), in = b.pointer("in"), nrows = b.scalar("nrows"),
            ncols = b.scalar("ncols");
  const Reg c = global_x(b), r = global_y(b);
  b.if_then(b.lt(c, ncols), [&] {
    b.if_then(b.lt(r, nrows), [&] {
      const Reg value = b.load(in, b.add(b.mul(r, ncols), c));
      b.store(out, b.add(b.mul(c, nrows), r), value);
    });
  });
  return b.finish();
}

// 32 x 32 threads: tile[ty][tx] = in[...]; barrier; out[...] = tile[tx][ty]; for sizes that are multiples of
// 32
inline Program tiled_transpose_program(int pad) {
  Builder b("transpose_shared");
  const Reg out = b.pointer("out"), in = b.pointer("in"), n = b.scalar("n");
  const Reg tile = b.shared("tile", 32 * (32 + pad));
  const Reg row = b.integer(32 + pad), side = b.integer(32);
  const Reg x0 = b.mul(kBlockIdxX, side), y0 = b.mul(kBlockIdxY, side);
  const Reg from = b.add(b.mul(b.add(y0, kThreadIdxY), n), b.add(x0, kThreadIdxX));
  b.store(tile, b.add(b.mul(kThreadIdxY, row), kThreadIdxX), b.load(in, from), ScalarType::F32,
          SiteSpace::Shared);
  b.emit(Opcode::Barrier);
  const Reg to = b.add(b.mul(b.add(x0, kThreadIdxY), n), b.add(y0, kThreadIdxX));
  const Reg value =
      b.load(tile, b.add(b.mul(kThreadIdxX, row), kThreadIdxY), ScalarType::F32, SiteSpace::Shared);
  b.store(out, to, value);
  return b.finish();
}

// One C element a thread, k by k; a warp walks along a row of B.
inline Program sgemm_program() {
  Builder b("sgemm");
  const Reg a = b.pointer("A"), bm = b.pointer("B"), c = b.pointer("C");
  const Reg n = b.scalar("N"), depth = b.scalar("K"), m = b.scalar("M");
  const Reg col = global_x(b), row = global_y(b);
  b.if_then(b.op(Opcode::And, ScalarType::Bool, b.lt(col, n), b.lt(row, m)), [&] {
    const Reg sum = b.varying();
    b.mov(sum, b.real(0), ScalarType::F32);
    b.for_uniform(depth, [&](Reg k) {
      const Reg left = b.load(a, b.add(b.mul(row, depth), k));
      const Reg right = b.load(bm, b.add(b.mul(k, n), col));
      b.mov(sum, b.op(Opcode::Fma, ScalarType::F32, left, right, sum), ScalarType::F32);
    });
    b.store(c, b.add(b.mul(row, n), col), sum);
  });
  return b.finish();
}

}  // namespace warplens::sim
