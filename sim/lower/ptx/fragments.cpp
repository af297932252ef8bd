// wmma.load, wmma.store and wmma.mma: what nvcuda::wmma's fragments are in PTX, and in the text that is read
// for them (sim/cuda/library/wmma.cpp). A fragment's registers are those of mma.sync, whatever the layout
// that it was loaded by.
#include <algorithm>
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
// over.
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

// What lies side by side in memory is summed over.
static bool inner_is_dense(const Fragment& f) {
  return f.row_major == (f.use == Fragment::Use::A);
}

// Whether ldmatrix may bring it: rows of 16 bytes that are summed over, or transposed halves.
static bool is_by_rows(const Fragment& f) {
  return is_small_float(f.type) || (is_narrow(f.type) && inner_is_dense(f));
}

// Rows and columns of a result's tiles of 16 x 8, of its transpose where it is flat.
struct Tile {
  int row = 0, column = 0;
};
static std::vector<Tile> tiles_of(const Fragment& f) {
  if (f.m == 16) return {{0, 0}, {0, 8}};
  return {{0, 0}, {16, 0}};
}

class FragmentAccess {
 public:
  // `words`: the fragment's registers.
  FragmentAccess(Builder& b, std::vector<Value>& words) : b_(b), registers_(b), words_(words) {}

  Value get(int byte) { return words_[static_cast<std::size_t>(byte) / 4]; }
  void put(int byte, Value value) { words_[static_cast<std::size_t>(byte) / 4] = value; }

  // An element's place in memory: rows of `length` elements, of them row + i / 4 and column + 2 (i mod 4), or
  // as many as a register holds.
  Address at(const Address& base, const Number& length, int row, int column, int bytes) {
    const Number down = plus(lane() >> 2u, row), across = plus(quarter(bytes), column);
    return moved(base, down * length + across, bytes);
  }
  // The same where the columns lie side by side: row (i mod 4) of so many, and column i / 4.
  Address turned(const Address& base, const Number& length, int row, int column, int bytes) {
    const Number down = plus(quarter(bytes), row), across = plus(lane() >> 2u, column);
    return moved(base, down * length + across, bytes);
  }
  Address moved(const Address& base, const Number& index, int bytes) {
    Address address = base;
    b_.add_index(address, index, MatrixRegisters::kWord, bytes, false);
    return address;
  }

  Number plus(const Number& v, int more) { return v + static_cast<std::uint64_t>(more); }
  Number number(std::uint64_t value) { return registers_.number(value); }
  Number lane() { return registers_.lane(); }
  MatrixRegisters& registers() { return registers_; }

  // Matrices from global memory, or one that is not known, a row to four lanes.
  Value from_memory(const Address& base, const Number& length, Block block, bool dense,
                    const AccessText& text, ScalarType type) {
    if (type == ScalarType::F32 || (is_narrow(type) && dense)) {
      const int bytes = sim::size_of(type);
      const Value word = b_.ir.temp(MatrixRegisters::kWord);
      b_.load(dense ? at(base, length, block.outer, block.inner, bytes)
                    : turned(base, length, block.inner, block.outer, bytes),
              text, MatrixRegisters::kWord, {word});
      return word;
    }
    if (is_narrow(type)) return from_bytes(base, length, block, text);
    const Address address =
        at(base, length, dense ? block.outer : block.inner, dense ? block.inner : block.outer, 2);
    const Value word = b_.ir.temp(MatrixRegisters::kWord);
    b_.load(address, text, MatrixRegisters::kWord, {word});
    return dense ? word : registers_.transposed(word);
  }

  // Four bytes that do not lie side by side, one by one.
  Value from_bytes(const Address& base, const Number& length, Block block, const AccessText& text) {
    Number word = number(0);
    for (int i = 0; i < 4; ++i) {
      const Number byte(b_, ScalarType::U8, b_.ir.temp(ScalarType::U8));
      b_.load(turned(base, length, block.inner + i, block.outer, 1), text, ScalarType::U8, {byte});
      word = word | (byte.to(MatrixRegisters::kWord) << static_cast<std::uint64_t>(8 * i));
    }
    return word;
  }

  // All matrices of a or b; from shared memory by ldmatrix, where is_by_rows().
  std::vector<Value> inputs(const Address& base, const Number& length, const Fragment& f, bool by_ldmatrix,
                            const AccessText& text) {
    const std::vector<Block> blocks = blocks_of(f);
    const bool dense = inner_is_dense(f);
    std::vector<Value> loaded;
    if (!by_ldmatrix) {
      for (const Block& block : blocks)
        loaded.push_back(from_memory(base, length, block, dense, text, f.type));
      return loaded;
    }
    const int bytes = sim::size_of(f.type);
    const std::size_t at_once = bytes == 1 ? 2 : 4;  // matrices of an ldmatrix
    for (std::size_t first = 0; first < blocks.size(); first += at_once) {
      const auto begin = blocks.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = begin + static_cast<std::ptrdiff_t>(std::min(at_once, blocks.size() - first));
      for (const Value one : from_shared(base, length, {begin, end}, dense, text, bytes))
        loaded.push_back(one);
    }
    return loaded;
  }

  // Up to four of them from shared memory.
  std::vector<Value> from_shared(const Address& base, const Number& length, std::vector<Block> blocks,
                                 bool dense, const AccessText& text, int bytes) {
    const Number matrix = lane() >> 3u;
    std::vector<Value> rows, columns;
    for (const Block& block : blocks) {
      rows.push_back(number(static_cast<std::uint64_t>(dense ? block.outer : block.inner)));
      columns.push_back(number(static_cast<std::uint64_t>(dense ? block.inner : block.outer)));
    }
    const Number row = registers_.chosen(rows, matrix) + (lane() & 7u);
    const Number index = row * length + registers_.chosen(columns, matrix);
    const auto count = static_cast<int>(blocks.size());
    const std::vector<Value> words = registers_.load_rows(moved(base, index, bytes), text, count);
    std::vector<Value> loaded;
    for (int i = 0; i < count; ++i) {
      const Number part = registers_.row_part(words, i);
      loaded.push_back(dense ? part : registers_.transposed(part));
    }
    return loaded;
  }

 private:
  // The first of those elements of four lanes that are this one's.
  Number quarter(int bytes) { return (lane() & 3u) * static_cast<std::uint64_t>(std::max(1, 4 / bytes)); }

  Builder& b_;
  MatrixRegisters registers_;
  std::vector<Value>& words_;
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

// Loads a result's tiles, or stores them; `dense`: the two columns of a register lie side by side.
void move_result(Builder& b, FragmentAccess& access, const Fragment& f, const Address& base,
                 const Number& length, bool dense, bool loads, const AccessText& text) {
  const int bytes = sim::size_of(f.type);
  const std::vector<Tile> tiles = tiles_of(f);
  for (std::size_t i = 0; i < 4 * tiles.size();
       i += 2) {  // pairs of values: columns 2 (i mod 4) and the next
    const Tile& tile = tiles[i / 4];
    const int row = tile.row + (i % 4 != 0 ? 8 : 0), own = static_cast<int>(i) * bytes;
    const bool half = bytes == 2;
    if (half) {
      const Address at = dense ? access.at(base, length, row, tile.column, bytes)
                               : access.at(base, length, tile.column, row, bytes);
      if (loads) {
        const Value word = b.ir.temp(kRegister);
        b.load(at, text, kRegister, {word});
        access.put(own, dense ? word : Value{access.registers().transposed(word)});
      } else {
        const Value word = access.get(own);
        b.store(at, text, kRegister, {dense ? word : Value{access.registers().transposed(word)}});
      }
      continue;
    }
    const Number across = access.plus(access.lane() >> 2u, row), pair = (access.lane() & 3u) << 1u;
    const int count = dense ? 2 : 1;
    for (int k = 0; k < 2; k += count) {
      const Number along = access.plus(pair, tile.column + k);
      const Address at = access.moved(base, dense ? across * length + along : along * length + across, bytes);
      std::vector<Value> values = count == 1 ? std::vector<Value>{b.ir.temp(f.type)}
                                             : b.ir.group(ValueInfo::Kind::Temp, f.type, 2, b.region);
      if (loads) b.load(at, text, f.type, values);
      for (int j = 0; j < count; ++j) {
        const auto at_value = static_cast<std::size_t>(j);
        if (loads)
          access.put(own + (k + j) * bytes, values[at_value]);
        else
          values[at_value] = access.get(own + (k + j) * bytes);
      }
      if (!loads) b.store(at, text, f.type, values);
    }
  }
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
  FragmentAccess access(b_, words);
  if (is_result) {
    move_result(b_, access, f, base, length, f.row_major != f.is_flat(), loads, text);
  } else {
    FragmentLoads& loads_so_far = l_.fragment_loads;
    const std::size_t load = loads_so_far.count++;
    const bool by_ldmatrix = is_by_rows(f) && (space == Space::Shared || is_shared(b_.ir, base.base) ||
                                               loads_so_far.in_shared.contains(load));
    std::size_t next = b_.ir.accesses.size();
    const std::vector<Value> loaded = access.inputs(base, length, f, by_ldmatrix, text);
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
  Fragment tiled = f;
  tiled.use = Fragment::Use::Result;
  const Operand& to = i.operands[0];
  const auto refuse_counts = [&] {
    const std::size_t tall = f.m == 16 ? 2 * steps : 4 * steps, wide = f.m == 16 ? 2 * steps : steps;
    complain(Message("'{}' takes {} registers of a, {} of b and {} of c and d", i.text,
                     f.is_tall() ? tall : wide, f.is_tall() ? wide : tall, to_halves ? 4 : 8));
  };
  for (const Tile& tile : tiles_of(tiled)) {
    const std::size_t left = static_cast<std::size_t>(tile.row) / 16 * 2 * steps,
                      right = static_cast<std::size_t>(tile.column) / 8 * steps, sum = sums.size();
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
