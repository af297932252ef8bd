// wgmma: each warp of a warpgroup multiplies its 16 rows of a with all columns of b, as mma.sync does.
// Waiting and fences are of no consequence: what is read is read when the instruction is issued.
#include <algorithm>
#include <charconv>

#include "sim/lower/memory/matrix_registers.h"
#include "sim/lower/ptx/ptx_lowering.h"

namespace warplens::sim::lower {

namespace {

constexpr ScalarType kGroupWord = MatrixRegisters::kWord;
constexpr int kTileColumns = 8;  // of a tile
constexpr std::uint64_t kWarpgroup = 128, kWarps = 4;

// The columns of "m64n128k16"; 0: another shape than of such a type.
int columns_of(std::string_view shape, int depth) {
  constexpr std::string_view kRows = "m64n";
  constexpr int kMost = 256;
  if (!shape.starts_with(kRows)) return 0;
  int columns = 0;
  const auto read = std::from_chars(shape.data() + kRows.size(), shape.data() + shape.size(), columns);
  const std::string behind = "k" + std::to_string(2 * depth);
  const bool fits = shape.substr(static_cast<std::size_t>(read.ptr - shape.data())) == behind;
  return fits && columns > 0 && columns <= kMost && columns % kTileColumns == 0 ? columns : 0;
}

}  // namespace

struct PtxLowering::WarpgroupProduct {
  const MatrixType *of_a = nullptr, *of_b = nullptr;
  int columns = 0;
  bool is_half = false;  // two results in a register
  bool from_registers = false, negative = false;
  bool a_along_k = true, b_along_k = true;

  ScalarType type() const { return of_a->is_integer ? ScalarType::I32 : ScalarType::F32; }
  ScalarType held() const { return is_half ? kGroupWord : type(); }
  std::size_t in_tile() const { return is_half ? 2 : 4; }  // registers of d
  std::size_t tiles() const { return static_cast<std::size_t>(columns / kTileColumns); }
};

// Shape and types: "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16".
PtxLowering::WarpgroupProduct PtxLowering::describe(const Instruction& i) {
  WarpgroupProduct p;
  const std::size_t n = i.parts.size();
  if (n < 8 || !i.has("mma_async") || i.has("sp") || i.operands.size() < 4) refuse(i);
  p.of_a = matrix_type(i.parts[n - 2]);
  p.of_b = matrix_type(i.last());
  const bool known = p.of_a != nullptr && p.of_b != nullptr && p.of_a->depth == p.of_b->depth &&
                     (p.of_a->depth == 16 || p.of_a == p.of_b) && p.of_a->is_integer == p.of_b->is_integer;
  if (!known) refuse(i);
  p.columns = columns_of(i.parts[n - 4], p.of_a->depth);
  const std::string& result = i.parts[n - 3];
  p.is_half = result == "f16" && p.of_a->type == ScalarType::F16;
  const bool fits = p.is_half || result == (p.of_a->is_integer ? "s32" : "f32");
  p.from_registers = i.operands[1].kind == Operand::Kind::Vector;
  if (p.columns == 0 || !fits) refuse(i);
  return p;
}

// Behind the operands: signs of a and b (1 or -1), and of 16-bit types the orders of those that lie in shared
// memory (1: along m or n).
void PtxLowering::read_orders(const Instruction& i, WarpgroupProduct& p) {
  const std::size_t signs = p.of_a->is_integer ? 0 : 2;
  const std::size_t orders = p.of_a->depth != 8 ? 0 : p.from_registers ? 1 : 2;
  takes(i, 4 + signs + orders, 4 + signs + orders);
  std::vector<std::uint64_t> set;
  for (std::size_t k = 4; k < i.operands.size(); ++k) {
    const Value given = read(i.operands[k], kGroupWord);
    const auto bits = b_.bits(given);
    if (!bits) complain(Message("'{}' needs signs and orders that are known when compiling", i.text));
    set.push_back(*bits);
  }
  p.negative = signs == 2 && (set[0] != 1) != (set[1] != 1);
  p.a_along_k = orders < 2 || set[signs] == 0;
  p.b_along_k = orders == 0 || set.back() == 0;
}

// d as it comes: zeros where nothing is added up.
std::vector<Value> PtxLowering::read_sums(const Instruction& i, const WarpgroupProduct& p) {
  std::vector<Value> sums = read_all(i.operands[0], p.held());
  const Value adds = read(i.operands[3], ScalarType::Bool);
  const std::size_t registers = p.tiles() * p.in_tile();
  if (sums.size() != registers || i.operands[0].parts.size() != registers)
    complain(Message("'{}' takes {} registers of d, not {}", i.text, registers, sums.size()));
  for (Value& one : sums) one = b_.op(Opcode::Select, p.held(), adds, one, b_.ir.constant(p.held(), 0));
  return sums;
}

// The four registers of a that a lane has, of its warp's 16 rows.
std::vector<Value> PtxLowering::read_rows(const Instruction& i, const WarpgroupProduct& p,
                                          const AccessText& text) {
  std::vector<Value> a;
  if (p.from_registers) {
    a = read_all(i.operands[1], kGroupWord);
  } else {
    DescribedMatrix rows(b_, read(i.operands[1], ScalarType::U64), p.a_along_k, text);
    const Number first = (input(kWarpIndex) & (kWarps - 1)) << 1u;
    for (int r = 0; r < 4; ++r) a.push_back(rows.word(first + static_cast<std::uint64_t>(r % 2), r / 2));
  }
  if (a.size() != 4)
    complain(Message("'{}' takes 4 registers of a, or its descriptor, and the descriptor of b", i.text));
  if (p.negative)
    for (Value& word : a) word = Number(b_, kGroupWord, word) ^ p.of_a->signs;
  return a;
}

void PtxLowering::claim_warpgroups() {
  const Number threads = input(kBlockDimX) * input(kBlockDimY) * input(kBlockDimZ);
  b_.claim(Claim::Warpgroups, (threads & (kWarpgroup - 1)) == 0u);
}

// wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 d, a, b, scale_d, scale_a, scale_b, transpose_a,
// transpose_b
void PtxLowering::multiply_warpgroup(const Instruction& i) {
  if (i.has("fence") || i.has("commit_group") || i.has("wait_group")) return;
  WarpgroupProduct p = describe(i);
  read_orders(i, p);
  const std::vector<Value> c = read_sums(i, p);
  const AccessText text{range_, i.parts[0], source_, AccessForm::Warpgroup};
  const std::vector<Value> a = read_rows(i, p, text);
  const Number descriptor = read(i.operands[2], ScalarType::U64);
  l_.async_copies.warn_of_warpgroups(range_);
  claim_warpgroups();
  DescribedMatrix others(b_, descriptor, p.b_along_k, text);
  MatrixProduct product(b_, *p.of_a, *p.of_b);
  const std::size_t in_tile = p.in_tile();
  for (std::size_t tile = 0; tile < p.tiles(); ++tile) {
    const auto first = c.begin() + static_cast<std::ptrdiff_t>(in_tile * tile);
    const std::vector<Value> before(first, first + static_cast<std::ptrdiff_t>(in_tile));
    const Number at = number(tile);
    const std::vector<Value> sums =
        product.sums(a, {others.word(at, 0), others.word(at, 1)}, p.is_half ? singles_of(before) : before);
    for (std::size_t r = 0; r < in_tile; ++r) {
      const Value one = p.is_half ? Value{pair_of(sums[2 * r], sums[2 * r + 1])} : sums[r];
      write(i.operands[0].parts[in_tile * tile + r], p.held(), one);
    }
  }
}

}  // namespace warplens::sim::lower
