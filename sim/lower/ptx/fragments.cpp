// wmma.load, wmma.store and wmma.mma: what nvcuda::wmma's fragments are in PTX, and in the text that is read
// for them (sim/cuda/library/wmma.cpp). A fragment's registers are those of mma.sync, whatever the layout
// that it was loaded by.
#include <algorithm>
#include <span>
#include <vector>

#include "sim/lower/lowering.h"
#include "sim/lower/memory/matrix_registers.h"
#include "sim/lower/ptx/ptx_lowering.h"

namespace warplens::sim::lower {

// Where the elements of wmma's fragments lie: in matrices of 8x8 registers, and in the memory that they are
// loaded from and stored to.
//
// The accesses are those that nvcc 13.0 makes for compute capability 9.0, seen in its machine code: halves
// come from shared memory with ldmatrix, from elsewhere 4 bytes a lane for each matrix of 8x8; bytes alike
// where they are summed over along memory, else one by one; tf32 4 bytes a lane from anywhere. Results go in
// pairs where these lie side by side, else halves are transposed first and floats go one by one.

// A fragment of wmma, and how it lies in registers. `tall`: 16 rows of a (or of the transposed b) to
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
};

// Where a register's 8x8 matrix begins. Of a: outer is the row, of b the column; inner is what is summed
// over. Of a result: the row and the column, those of its transpose where it is flat.
struct Block {
  int outer = 0, inner = 0;
};
static std::vector<Block> blocks_of(const Fragment& f) {
  std::vector<Block> blocks;
  const int height = f.is_tall() ? 16 : 8;
  for (int outer = 0; outer < f.outer(); outer += height)
    for (int inner = 0; inner < f.k; inner += f.depth())
      for (int half = 0; half < height; half += MatrixRegisters::kRows)
        blocks.push_back({outer + half, inner});
  return blocks;
}
// A result's tiles of 16 x 8.
static std::vector<Block> tiles_of(const Fragment& f) {
  if (f.m == 16) return {{0, 0}, {0, 8}};
  return {{0, 0}, {16, 0}};
}

// What lies side by side in memory is summed over.
static bool inner_is_dense(const Fragment& f) {
  return f.row_major == (f.use == Fragment::Use::A);
}

// Whether ldmatrix may bring it: rows of 16 bytes that are summed over, or transposed halves.
static bool is_by_rows(const Fragment& f) {
  return is_small_float(f.type) || (is_narrow(f.type) && inner_is_dense(f));
}

// `dense`: along `inner` elements lie side by side in memory, in rows of `length`; else along `outer`.
struct FragmentAccess {
  Builder& b;
  const Fragment& f;
  const Address& base;
  const Number& length;
  const AccessText& text;
  const bool dense;
  MatrixRegisters registers{b};

  // Of this lane, which has so many along `inner`.
  Address place(const Block& block, int own, bool side_by_side) {
    const auto more = [](const Number& v, int by) { return v + static_cast<std::uint64_t>(by); };
    const Number lane = registers.lane();
    const Number outer = more(lane >> 2u, block.outer),
                 inner = more((lane & 3u) * static_cast<std::uint64_t>(own), block.inner);
    return moved(side_by_side ? outer * length + inner : inner * length + outer);
  }
  Address moved(const Number& index) {
    Address address = base;
    b.add_index(address, index, MatrixRegisters::kWord, sim::size_of(f.type), false);
    return address;
  }

  // Halves go by rows of memory, and are transposed where those are columns.
  Block in_memory(const Block& block) { return dense ? block : Block{block.inner, block.outer}; }
  Address place_of_halves(const Block& block) { return place(in_memory(block), 2, true); }
  Value turned(Value halves) { return dense ? halves : Value{registers.transposed(halves)}; }

  Value load(const Address& address, ScalarType type = MatrixRegisters::kWord) {
    const Value loaded = b.ir.temp(type);
    b.load(address, text, type, {loaded});
    return loaded;
  }

  // Matrices from global memory, or one that is not known, a row to four lanes.
  Value from_memory(const Block& block) {
    if (is_small_float(f.type)) return turned(load(place_of_halves(block)));
    if (!is_narrow(f.type) || dense) return load(place(block, f.in_register(), dense));
    Number word = registers.number(0);  // bytes that do not lie side by side, one by one
    for (int i = 0; i < 4; ++i) {
      const Address at = place({block.outer, block.inner + i}, 4, false);
      const Number byte(b, ScalarType::U8, load(at, ScalarType::U8));
      word = word | (byte.to(MatrixRegisters::kWord) << static_cast<std::uint64_t>(8 * i));
    }
    return word;
  }

  // All matrices of a or b; from shared memory by ldmatrix, where is_by_rows().
  std::vector<Value> inputs(bool by_ldmatrix) {
    const std::vector<Block> blocks = blocks_of(f);
    std::vector<Value> loaded;
    const std::size_t at_once = !by_ldmatrix ? 1 : is_narrow(f.type) ? 2 : 4;  // matrices of an ldmatrix
    for (std::size_t first = 0; first < blocks.size(); first += at_once) {
      if (by_ldmatrix)
        from_shared(std::span(blocks).subspan(first, std::min(at_once, blocks.size() - first)), loaded);
      else
        loaded.push_back(from_memory(blocks[first]));
    }
    return loaded;
  }

  // Up to four of them from shared memory.
  void from_shared(std::span<const Block> blocks, std::vector<Value>& loaded) {
    const Number matrix = registers.lane() >> 3u;
    std::vector<Value> rows, columns;
    for (const Block& block : blocks) {
      const Block at = in_memory(block);
      rows.push_back(registers.number(static_cast<std::uint64_t>(at.outer)));
      columns.push_back(registers.number(static_cast<std::uint64_t>(at.inner)));
    }
    const Number row = registers.chosen(rows, matrix) + (registers.lane() & 7u);
    const Number index = row * length + registers.chosen(columns, matrix);
    const auto count = static_cast<int>(blocks.size());
    const std::vector<Value> words = registers.load_rows(moved(index), text, count);
    for (int i = 0; i < count; ++i) loaded.push_back(turned(registers.row_part(words, i)));
  }

  // A result's registers, which are loaded or stored. A lane has two columns that are neighbours.
  void move_result(std::vector<Value>& words, bool loads) {
    auto own = words.begin();
    const bool halves = f.type == ScalarType::F16;
    const int columns = halves || dense ? 2 : 1;  // at once
    for (const Block& tile : tiles_of(f)) {
      for (const int half : {0, MatrixRegisters::kRows}) {
        for (int k = 0; k < 2; k += columns) {
          const Block block{tile.outer + half, tile.inner + k};
          if (halves && loads) {
            *own++ = turned(load(place_of_halves(block)));
          } else if (halves) {
            b.store(place_of_halves(block), text, MatrixRegisters::kWord, {turned(*own++)});
          } else {
            const Address at = place(block, 2, dense);
            std::vector<Value> values(own, own + columns);
            if (loads)
              values = columns == 1 ? std::vector<Value>{b.ir.temp(f.type)}
                                    : b.ir.group(ValueInfo::Kind::Temp, f.type, 2, b.region);
            loads ? b.load(at, text, f.type, values) : b.store(at, text, f.type, values);
            own = std::copy(values.begin(), values.end(), own);
          }
        }
      }
    }
  }
};

namespace {

constexpr ScalarType kRegister = MatrixRegisters::kWord;

struct Element {
  std::string_view name;
  ScalarType type;
  int k;          // of m16n16 and its kin
  bool is_input;  // a, b; else c, d
};
constexpr Element kElements[] = {{"f16", ScalarType::F16, 16, true}, {"bf16", ScalarType::BF16, 16, true},
                                 {"tf32", ScalarType::F32, 8, true}, {"s8", ScalarType::I8, 16, true},
                                 {"u8", ScalarType::U8, 16, true},   {"f16", ScalarType::F16, 0, false},
                                 {"f32", ScalarType::F32, 0, false}, {"s32", ScalarType::I32, 0, false}};

const Element* element_of(std::string_view name, bool is_input) {
  for (const Element& element : kElements)
    if (element.name == name && element.is_input == is_input) return &element;
  return nullptr;
}

bool read_shape(const std::vector<std::string>& parts, Fragment& f) {
  for (const std::string& part : parts)
    if (std::sscanf(part.c_str(), "m%dn%dk%d", &f.m, &f.n, &f.k) == 3)
      return (f.m == 16 && f.n == 16) || (f.k == 16 && f.m * f.n == 256 && (f.m == 32 || f.m == 8));
  return false;
}

// Whether nothing but shared memory can be meant, as far as is seen here.
bool is_shared(const Ir& ir, Value base) {
  return ir.space_of(base) == Origin::Kind::Shared || ir.values[base].kind == ValueInfo::Kind::DynamicShared;
}

}  // namespace

std::set<std::size_t> FragmentLoads::found_in_shared(const Ir& ir, Pace& pace) const {
  std::set<std::size_t> found;
  if (of_access.empty()) return found;
  each_node(ir.body, pace, [&](const Node& node) {
    const bool is_access = node.kind == Node::Kind::Op && node.op.access >= 0;
    const auto load = is_access ? of_access.find(static_cast<std::size_t>(node.op.access)) : of_access.end();
    if (load != of_access.end() && is_shared(ir, node.op.instr.a)) found.insert(load->second);
  });
  return found;
}

// wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1, ...}, [%rd1], %r9;
// wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {...}, {...}, {...}, {...};
void PtxLowering::fragments(const Instruction& i) {
  Fragment f;
  if (i.parts.size() < 7 || !read_shape(i.parts, f) || i.has("satfinite")) return refuse(i);
  if (i.parts[1] == "mma") return multiply_fragments(i, f);
  const std::string& what = i.parts[2];
  const bool is_input = what == "a" || what == "b";
  const Element* element = element_of(i.last(), is_input);
  if (element == nullptr || (is_input && f.k != element->k) || i.has("row") == i.has("col")) return refuse(i);
  f.use = what == "a" ? Fragment::Use::A : what == "b" ? Fragment::Use::B : Fragment::Use::Result;
  f.type = element->type;
  f.row_major = i.has("row");
  move_fragment(i, f);
}

void PtxLowering::move_fragment(const Instruction& i, const Fragment& f) {
  const bool loads = i.parts[1] == "load", is_result = f.use == Fragment::Use::Result;
  takes(i, 2, 3);
  const Operand &of_registers = i.operands[loads ? 0 : 1], &place = i.operands[loads ? 1 : 0];
  const Space space = space_of(i);
  if (place.kind != Operand::Kind::Address) refuse(i);
  const auto base = address(place, space);
  // Left out, rows or columns lie side by side.
  const int rows = f.use == Fragment::Use::B ? f.k : f.m, columns = f.use == Fragment::Use::A ? f.k : f.n;
  const Number length = i.operands.size() > 2
                            ? read(i.operands[2], kRegister)
                            : number(static_cast<std::uint64_t>(f.row_major ? columns : rows));
  const AccessText text = text_of(i, place);
  const ScalarType type = f.type == ScalarType::F32 && is_result ? ScalarType::F32 : kRegister;
  std::vector<Value> words;
  if (!loads) words = read_all(of_registers, type);
  const std::size_t needed =
      is_result ? static_cast<std::size_t>(8 * sim::size_of(f.type) / 4) : blocks_of(f).size();
  const std::size_t given = of_registers.parts.size();
  if (given < needed) complain(Message("'{}' takes {} registers, not {}", i.text, needed, given));
  words.resize(given);
  FragmentAccess access{b_,     f,    base,
                        length, text, is_result ? f.row_major != f.is_flat() : inner_is_dense(f)};
  if (is_result) {
    access.move_result(words, loads);
  } else {
    FragmentLoads& loads_so_far = l_.fragment_loads;
    const std::size_t load = loads_so_far.count++;
    const bool by_ldmatrix = is_by_rows(f) && (space == Space::Shared || is_shared(b_.ir, base.base) ||
                                               loads_so_far.in_shared.contains(load));
    std::size_t next = b_.ir.accesses.size();
    const std::vector<Value> loaded = access.inputs(by_ldmatrix);
    for (; is_by_rows(f) && !by_ldmatrix && next < b_.ir.accesses.size(); ++next)
      loads_so_far.of_access[next] = load;
    for (std::size_t w = 0; w < given; ++w) words[w] = loaded[w % loaded.size()];  // halves are there twice
  }
  for (std::size_t w = 0; loads && w < given; ++w) write(of_registers.parts[w], type, words[w]);
}

// d, a, b, c; types of d, a, b, c, or of d and c where a and b are halves.
void PtxLowering::multiply_fragments(const Instruction& i, Fragment f) {
  const std::size_t parts = i.parts.size();
  const Element* input = element_of(i.parts[parts - 2], true);
  if (element_of(i.parts[parts - 4], false) == nullptr || input == nullptr) input = element_of("f16", true);
  const std::string& of_d = i.parts[parts - (input->name == "f16" ? 2 : 4)];
  const Element *result = element_of(of_d, false), *before = element_of(i.last(), false);
  const bool is_integer = is_narrow(input->type);
  if (result == nullptr || before == nullptr || f.k != input->k ||
      is_integer != (result->type == ScalarType::I32) || is_integer != (before->type == ScalarType::I32))
    refuse(i);
  takes(i, 4, 4);
  f.use = Fragment::Use::A, f.type = input->type;
  const ScalarType single = is_integer ? ScalarType::I32 : ScalarType::F32;
  const bool from_halves = before->type == ScalarType::F16, to_halves = result->type == ScalarType::F16;
  std::vector<Value> a = read_all(i.operands[1], kRegister), b = read_all(i.operands[2], kRegister),
                     c = read_all(i.operands[3], from_halves ? kRegister : single);
  if (from_halves) c = singles_of(c);
  if (!f.is_tall()) std::swap(a, b);  // computed as its transpose
  std::vector<Value> sums;
  const auto steps = static_cast<std::size_t>(f.steps());
  const Operand& to = i.operands[0];
  const auto refuse_counts = [&] {
    const std::size_t tall = f.m == 16 ? 2 * steps : 4 * steps, wide = f.m == 16 ? 2 * steps : steps;
    complain(Message("'{}' takes {} registers of a, {} of b and {} of c and d", i.text,
                     f.is_tall() ? tall : wide, f.is_tall() ? wide : tall, to_halves ? 4 : 8));
  };
  for (const Block& tile : tiles_of(f)) {
    const std::size_t left = static_cast<std::size_t>(tile.outer) / 16 * 2 * steps,
                      right = static_cast<std::size_t>(tile.inner) / 8 * steps, sum = sums.size();
    if (a.size() < left + 2 * steps || b.size() < right + steps || c.size() < sum + 4) refuse_counts();
    const auto of = [](const std::vector<Value>& all, std::size_t first, std::size_t count) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
      return std::vector<Value>(begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    const auto products = MatrixRegisters(b_).products(of(a, left, 2 * steps), of(b, right, steps),
                                                       of(c, sum, 4), single, f.type, f.type);
    sums.insert(sums.end(), products.begin(), products.end());
  }
  if (to.parts.size() != (to_halves ? sums.size() / 2 : sums.size())) refuse_counts();
  for (std::size_t r = 0; r < to.parts.size(); ++r) {
    if (to_halves)
      write(to.parts[r], pair_of(sums[2 * r], sums[2 * r + 1]));
    else
      write(to.parts[r], single, sums[r]);
  }
}

}  // namespace warplens::sim::lower
