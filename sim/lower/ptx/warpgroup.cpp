// wgmma: each warp of a warpgroup multiplies its 16 rows of a with all columns of b, as mma.sync does.
// Waiting and fences are of no consequence: what is read is read when the instruction is issued.
#include <algorithm>
#include <charconv>

#include "sim/lower/described_matrix.h"
#include "sim/lower/matrix_registers.h"
#include "sim/lower/ptx/matrix_types.h"
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

// wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 d, a, b, scale_d, scale_a, scale_b, transpose_a,
// transpose_b
bool PtxLowering::multiply_warpgroup(const Instruction& i) {
  if (i.has("fence") || i.has("commit_group") || i.has("wait_group")) return true;
  const std::size_t n = i.parts.size();
  const MatrixType *of_a = n > 7 ? matrix_type(i.parts[n - 2]) : nullptr,
                   *of_b = n > 7 ? matrix_type(i.last()) : nullptr;
  const bool known = i.has("mma_async") && !i.has("sp") && of_a != nullptr && of_b != nullptr &&
                     of_a->depth == of_b->depth && (of_a->depth == 16 || of_a == of_b) &&
                     of_a->is_integer == of_b->is_integer;
  const int columns = known ? columns_of(i.parts[n - 4], of_a->depth) : 0;
  const std::string& result = n > 7 ? i.parts[n - 3] : i.last();
  const bool is_half = result == "f16" && known && (of_a->type == ScalarType::F16);
  if (columns == 0 || (!is_half && result != (of_a->is_integer ? "s32" : "f32"))) return refuse(i);
  const bool is_small = of_a->depth == 8;
  const bool from_registers = i.operands.size() > 1 && i.operands[1].kind == Operand::Kind::Vector;
  const std::size_t scales = of_a->is_integer ? 0 : 2, orders = is_small ? (from_registers ? 1 : 2) : 0;
  if (!takes(i, 4 + scales + orders, 4 + scales + orders)) return false;
  // Signs and orders are known when compiling.
  std::vector<std::uint64_t> set;
  for (std::size_t k = 4; k < i.operands.size(); ++k) {
    const Value given = read(i.operands[k], kGroupWord);
    const auto bits = given == kNone ? std::nullopt : b_.bits(given);
    if (failed_) return false;
    if (!bits) return complain(Message("'{}' needs signs and orders that are known when compiling", i.text));
    set.push_back(*bits);
  }
  const bool negative = scales == 2 && (set[0] != 1) != (set[1] != 1);
  const bool a_along_k = orders < 2 || set[scales] == 0, b_along_k = orders == 0 || set.back() == 0;
  const ScalarType type = of_a->is_integer ? ScalarType::I32 : ScalarType::F32;
  const auto tiles = static_cast<std::size_t>(columns / kTileColumns), registers = tiles * (is_half ? 2 : 4);
  std::vector<Value> c = read_all(i.operands[0], is_half ? kGroupWord : type);
  const Value adds = read(i.operands[3], ScalarType::Bool);
  if (c.empty() || adds == kNone || failed_) return false;
  if (c.size() != registers)
    return complain(Message("'{}' takes {} registers of d, not {}", i.text, registers, c.size()));
  for (Value& one : c) {
    const ScalarType held = is_half ? kGroupWord : type;
    one = b_.op(Opcode::Select, held, adds, one, b_.ir.constant(held, 0));
  }

  l_.warn_of_warpgroups(range_);
  const Value threads = b_.op(Opcode::Mul, kGroupWord,
                              b_.op(Opcode::Mul, kGroupWord, b_.ir.input(kBlockDimX, kGroupWord),
                                    b_.ir.input(kBlockDimY, kGroupWord)),
                              b_.ir.input(kBlockDimZ, kGroupWord));
  const Value rest = b_.op(Opcode::And, kGroupWord, threads, number(kWarpgroup - 1));
  b_.claim(Claim::Warpgroups, b_.op(Opcode::Eq, kGroupWord, rest, number(0)));
  AccessText text{range_, i.parts[0], &node_, true, AccessForm::Warpgroup};
  std::vector<Value> a;
  if (from_registers) {
    a = read_all(i.operands[1], kGroupWord);
  } else {
    const Value descriptor = read(i.operands[1], ScalarType::U64);
    if (descriptor == kNone) return false;
    DescribedMatrix rows(b_, descriptor, a_along_k, text);
    const Value warp =
        b_.op(Opcode::And, kGroupWord, b_.ir.input(kWarpIndex, kGroupWord), number(kWarps - 1));
    const Value first = b_.op(Opcode::Shl, kGroupWord, warp, number(1));
    for (int r = 0; r < 4; ++r)
      a.push_back(
          rows.word(b_.op(Opcode::Add, kGroupWord, first, number(static_cast<std::uint64_t>(r % 2))), r / 2));
  }
  const Value descriptor = read(i.operands[2], ScalarType::U64);
  if (a.size() != 4 || descriptor == kNone)
    return complain(
        Message("'{}' takes 4 registers of a, or its descriptor, and the descriptor of b", i.text));
  if (negative)
    for (Value& word : a) word = b_.op(Opcode::Xor, kGroupWord, word, number(of_a->signs));
  DescribedMatrix others(b_, descriptor, b_along_k, text);
  MatrixProduct product(b_, *of_a, *of_b);
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const Value at = number(tile);
    const std::vector<Value> words{others.word(at, 0), others.word(at, 1)};
    if (!is_half) {
      const std::vector<Value> before(c.begin() + static_cast<std::ptrdiff_t>(4 * tile),
                                      c.begin() + static_cast<std::ptrdiff_t>(4 * tile + 4));
      const std::vector<Value> sums = product.sums(a, words, before);
      for (std::size_t r = 0; r < 4; ++r) write(i.operands[0].parts[4 * tile + r], type, sums[r]);
      continue;
    }
    const std::vector<Value> sums = product.sums(a, words, singles_of({c[2 * tile], c[2 * tile + 1]}));
    for (std::size_t r = 0; r < 2; ++r)
      write(i.operands[0].parts[2 * tile + r], kGroupWord, pair_of(sums[2 * r], sums[2 * r + 1]));
  }
  return true;
}

}  // namespace warplens::sim::lower
