// Random structured kernels and launches: index arithmetic over threads and blocks, branches, loops, tables,
// tiles.
#pragma once

#include <random>
#include <vector>

#include "sim/launch/launch.h"
#include "tests/sim/machine_builder.h"

namespace warplens::sim {

class RandomKernel {
 public:
  // Values are only stored to out[thread of the grid], so that the order of threads does not matter.
  explicit RandomKernel(std::uint32_t seed) : random_(seed), b_("random") {
    choose_launch();
    a_ = b_.pointer("a");
    table_ = b_.pointer("table", ScalarType::I32);
    out_ = b_.pointer("out", ScalarType::I32);
    n_ = b_.scalar("n");
    m_ = b_.scalar("m");
    tile_ = b_.shared("tile", kTile, ScalarType::I32);
    for (const Reg r :
         {kThreadIdxX, kThreadIdxY, kBlockIdxX, kBlockIdxX, kBlockIdxY, kBlockIdxZ, kBlockDimX, n_, m_}) {
      ints_.push_back(r);
    }
    ints_.push_back(global_index());
    const int variables = pick(1, 3);
    for (int i = 0; i < variables; ++i) {
      variables_.push_back(b_.varying());
      b_.mov(variables_.back(), any());
    }
    body(0, pick(3, 8));
    if (chance(40)) {
      tile_phase();
      body(0, pick(1, 4));
    }
    b_.access(Opcode::Store, SiteSpace::Global, ScalarType::I32, out_, grid_thread()).c = any_varying();
    program_ = b_.finish();
  }

  const Program& program() const { return program_; }
  const Launch& launch() const { return launch_; }

  static constexpr int kTile = 512;

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  template <class T>
  T one_of(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(pick(0, static_cast<int>(from.size()) - 1))];
  }

  void choose_launch() {
    const std::vector<Dim3> blocks = {{32, 1, 1}, {16, 4, 1}, {8, 8, 1}, {33, 1, 1},
                                      {5, 3, 2},  {1, 40, 1}, {64, 1, 1}};
    launch_.block = one_of(blocks);
    launch_.grid = {static_cast<std::uint32_t>(pick(1, 40)), static_cast<std::uint32_t>(pick(1, 9)),
                    static_cast<std::uint32_t>(chance(20) ? pick(1, 3) : 1)};
    const auto fill = [&] { return static_cast<Fill>(pick(0, 2)); };
    Buffer a, table{0, fill()}, out;
    if (chance(25)) a.elements = static_cast<std::uint64_t>(pick(100, 100000));
    if (chance(30)) table.elements = static_cast<std::uint64_t>(1 << pick(8, 20));
    launch_.arguments = {{"a", a}, {"table", table}, {"out", out}};
    launch_.arguments["n"] = std::int64_t{chance(50) ? pick(1, 300) : 1 << pick(0, 12)};
    launch_.arguments["m"] = std::int64_t{chance(50) ? pick(-20, 300) : 1 << pick(0, 12)};
  }

  Reg global_index() {
    const Reg x = b_.add(b_.mul(kBlockIdxX, kBlockDimX), kThreadIdxX);
    const Reg y = b_.add(b_.mul(kBlockIdxY, kBlockDimY), kThreadIdxY);
    const int kind = pick(0, 3);
    if (kind == 0) return x;
    if (kind == 1) return b_.add(b_.mul(y, n_), x);
    if (kind == 2) return b_.add(b_.mul(x, n_), y);
    return b_.add(b_.mul(b_.add(b_.mul(kBlockIdxY, kGridDimX), kBlockIdxX), kBlockDimX), kThreadIdxX);
  }

  // A number of its own for every thread of the grid.
  Reg grid_thread() {
    const Reg block =
        b_.add(b_.mul(b_.add(b_.mul(kBlockIdxZ, kGridDimY), kBlockIdxY), kGridDimX), kBlockIdxX);
    const Reg size = b_.mul(b_.mul(kBlockDimX, kBlockDimY), kBlockDimZ);
    return b_.add(b_.mul(block, size), thread());
  }
  Reg thread() {
    return b_.add(
        b_.add(b_.mul(b_.mul(kThreadIdxZ, kBlockDimY), kBlockDimX), b_.mul(kThreadIdxY, kBlockDimX)),
        kThreadIdxX);
  }

  Reg constant() {
    const int kind = pick(0, 3);
    if (kind == 0) return b_.integer(1 << (chance(10) ? pick(20, 30) : pick(0, 9)));
    if (kind == 1) return b_.integer((1 << pick(1, 9)) - 1);
    return b_.integer(pick(-3, 40));
  }
  Reg any() { return chance(25) ? constant() : chance(20) ? one_of(variables_or_ints()) : one_of(ints_); }
  Reg any_varying() {
    const Reg r = b_.varying();
    b_.mov(r, any());
    return r;
  }
  std::vector<Reg> variables_or_ints() { return variables_.empty() ? ints_ : variables_; }

  void keep(Reg r) { ints_.push_back(r); }

  void expression() {
    using O = Opcode;
    const std::vector<Opcode> common = {O::Add, O::Add, O::Sub, O::Mul, O::Mul, O::Min, O::Max, O::And,
                                        O::Or,  O::Xor, O::Shl, O::Shr, O::Div, O::Rem, O::Div, O::Rem};
    const ScalarType type = chance(75) ? ScalarType::I32 : ScalarType::U32;
    const Opcode op = one_of(common);
    const Reg left = any();
    Reg right = any();
    if (op == O::Shl || op == O::Shr) right = b_.integer(pick(0, chance(5) ? 40 : 6));
    if (op == O::Div || op == O::Rem) {
      right = chance(70) ? b_.integer(chance(50) ? 1 << pick(0, 6) : pick(1, 50))
                         : b_.op(O::Or, ScalarType::I32, right, b_.integer(1));
    }
    if ((op == O::And || op == O::Or || op == O::Xor) && chance(70)) right = constant();
    keep(b_.op(op, type, left, right));
  }

  void unusual() {
    const ScalarType narrow[] = {ScalarType::I8, ScalarType::U8, ScalarType::I16, ScalarType::U16};
    switch (pick(0, 6)) {
      case 0:
        keep(b_.op(Opcode::Neg, ScalarType::I32, any()));
        break;
      case 1:
        keep(b_.op(Opcode::Abs, ScalarType::I32, any()));
        break;
      case 2:
        keep(b_.op(Opcode::BitNot, ScalarType::I32, any()));
        break;
      case 3:
        keep(b_.op(Opcode::Select, ScalarType::I32, condition(), any(), any()));
        break;
      case 4:
        keep(b_.op(Opcode::Fma, ScalarType::I32, any(), any(), any()));
        break;
      case 5: {
        const ScalarType to = narrow[pick(0, 3)];
        keep(b_.convert(b_.convert(any(), ScalarType::I32, to), to, ScalarType::I32));
        break;
      }
      default: {
        // Through 64 bits, where nothing wraps.
        const Reg wide = b_.convert(any(), chance(50) ? ScalarType::I32 : ScalarType::U32, ScalarType::I64);
        const Reg other = b_.convert(any(), ScalarType::I32, ScalarType::I64);
        const Opcode op = chance(50) ? Opcode::Mul : Opcode::Add;
        keep(b_.convert(b_.op(op, ScalarType::I64, wide, other), ScalarType::I64, ScalarType::I32));
      }
    }
  }

  Reg condition() {
    const std::vector<Opcode> comparisons = {Opcode::Lt, Opcode::Lt, Opcode::Le, Opcode::Gt,
                                             Opcode::Ge, Opcode::Eq, Opcode::Ne};
    return b_.op(one_of(comparisons), chance(75) ? ScalarType::I32 : ScalarType::U32, any(), any());
  }

  // An index that mostly is in range.
  Reg index(int size) {
    const Reg r = any();
    if (chance(35)) return global_index();
    if (chance(50)) return b_.op(Opcode::And, ScalarType::I32, r, b_.integer(size - 1));
    if (chance(50)) return b_.op(Opcode::Rem, ScalarType::U32, r, b_.integer(size));
    return chance(97) ? b_.op(Opcode::Max, ScalarType::I32, r, b_.integer(0)) : r;
  }

  void access() {
    switch (pick(0, 4)) {
      case 0:
        b_.load(a_, index(1 << 16));
        break;
      case 1:
        keep(b_.load(table_, index(1 << 8), ScalarType::I32));
        break;
      case 2:
        b_.access(Opcode::Load, SiteSpace::Global, ScalarType::F32, a_, index(1 << 12), 4).dst = four();
        break;
      case 3: {
        const ScalarType wide = chance(50) ? ScalarType::I64 : ScalarType::U64;
        const Reg at = b_.convert(index(1 << 14), ScalarType::I32, wide);
        b_.access(Opcode::Load, SiteSpace::Global, ScalarType::F32, a_, at, 1, wide).dst = b_.varying();
        break;
      }
      default:
        break;
    }
  }
  Reg four() {
    const Reg first = b_.varying();
    for (int i = 0; i < 3; ++i) b_.varying();
    return first;
  }

  // Everything named in a scope is forgotten after it: lanes that were not in it never see it.
  template <class Body>
  void scope(Body inner) {
    const std::size_t known = ints_.size();
    inner();
    ints_.resize(known);
  }

  void body(int depth, int statements) {
    for (int i = 0; i < statements; ++i) statement(depth);
  }

  void statement(int depth) {
    const int kind = pick(0, depth < 3 ? 14 : 9);
    if (kind <= 4) return expression();
    if (kind == 5) return unusual();
    if (kind <= 8) return access();
    if (kind == 9) {
      if (!variables_.empty()) b_.mov(one_of(variables_), any());
      return;
    }
    if (kind <= 11) return b_.if_then(condition(), [&] { scope([&] { body(depth + 1, pick(1, 3)); }); });
    if (kind == 12) {
      return b_.if_else(
          condition(), [&] { scope([&] { body(depth + 1, pick(1, 3)); }); },
          [&] { scope([&] { body(depth + 1, pick(1, 3)); }); });
    }
    if (kind == 13) {
      const Reg count = chance(60) ? b_.integer(pick(0, 4))
                                   : b_.op(Opcode::Min, ScalarType::I32, kBlockIdxX, b_.integer(3));
      return b_.for_uniform(count, [&](Reg k) {
        scope([&] {
          keep(k);
          body(depth + 1, pick(1, 3));
        });
      });
    }
    loop(depth);
  }

  // A loop of up to 7 turns that lanes leave one by one, by its condition, by break, by continue.
  void loop(int depth) {
    const Reg counter = b_.varying();
    b_.mov(counter, b_.op(Opcode::And, ScalarType::I32, any(), b_.integer(7)));
    b_.while_varying([&] { return b_.op(Opcode::Gt, ScalarType::I32, counter, b_.integer(0)); },
                     [&](int frame) {
                       scope([&] {
                         b_.mov(counter, b_.op(Opcode::Sub, ScalarType::I32, counter, b_.integer(1)));
                         keep(counter);
                         body(depth + 1, pick(1, 2));
                         if (chance(40)) leave_early(frame, chance(50) ? Opcode::Exit : Opcode::Skip);
                         body(depth + 1, pick(0, 2));
                       });
                     });
  }

  // if (condition) break; or continue;
  void leave_early(int frame, Opcode how) {
    const int f = b_.frame(), begin = b_.control(Opcode::If, f, condition());
    const int out = b_.control(how, frame);
    b_.target(begin, b_.here());
    b_.target(out, b_.here());
    const int end = b_.control(Opcode::EndIf, f);
    b_.target(end, b_.here());
  }

  // Plain, or with a vote whose answer may count later.
  void barrier() {
    if (chance(50)) {
      b_.emit(Opcode::Barrier);
      return;
    }
    const Reg flag = condition(), answer = b_.uniform();
    b_.emit(Opcode::Barrier, ScalarType::Bool, answer, flag).function = static_cast<std::uint8_t>(pick(1, 3));
    keep(answer);
  }

  // tile[thread] = value; __syncthreads(); reads of other threads' words
  void tile_phase() {
    b_.access(Opcode::Store, SiteSpace::Shared, ScalarType::I32, tile_, thread()).c = any_varying();
    barrier();
    const Reg at = b_.op(Opcode::And, ScalarType::I32, any(), b_.integer(31));
    keep(b_.load(tile_, at, ScalarType::I32, SiteSpace::Shared));
  }

  std::mt19937 random_;
  Builder b_;
  Program program_;
  Launch launch_;
  Reg a_ = kNoReg, table_ = kNoReg, out_ = kNoReg, n_ = kNoReg, m_ = kNoReg, tile_ = kNoReg;
  std::vector<Reg> ints_, variables_;
};

}  // namespace warplens::sim
