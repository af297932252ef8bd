// wmma.load, wmma.store and wmma.mma: what nvcuda::wmma's fragments are in PTX, and in the text that is read
// for them (sim/cuda/library/wmma.cpp). A fragment's registers are those of mma.sync, whatever the layout
// that it was loaded by.
#include "sim/lower/ptx/fragment_access.h"
#include "sim/lower/ptx/ptx_lowering.h"

namespace warplens::sim::lower {
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
bool PtxLowering::fragments(const Instruction& i) {
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
  return move_fragment(i, f);
}

bool PtxLowering::move_fragment(const Instruction& i, const Fragment& f) {
  const bool loads = i.parts[1] == "load", is_result = f.use == Fragment::Use::Result;
  if (!takes(i, 2, 3)) return false;
  const Operand &of_registers = i.operands[loads ? 0 : 1], &place = i.operands[loads ? 1 : 0];
  Space space{};
  if (!space_of(i, space) || place.kind != Operand::Kind::Address) return refuse(i);
  const auto base = address(place, space);
  if (!base) return false;
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
  if (given < needed) return complain(Message("'{}' takes {} registers, not {}", i.text, needed, given));
  words.resize(given);
  FragmentAccess access(b_, words);
  if (is_result) {
    move_result(b_, access, f, *base, length, f.row_major != f.is_flat(), loads, text);
  } else {
    FragmentLoads& loads_so_far = l_.fragment_loads;
    const std::size_t load = loads_so_far.count++;
    const bool by_ldmatrix = is_by_rows(f) && (space == Space::Shared || is_shared(b_.ir, base->base) ||
                                               loads_so_far.in_shared.contains(load));
    std::size_t next = b_.ir.accesses.size();
    const std::vector<Value> loaded = access.inputs(*base, length, f, by_ldmatrix, text);
    for (; is_by_rows(f) && !by_ldmatrix && next < b_.ir.accesses.size(); ++next)
      loads_so_far.of_access[next] = load;
    for (std::size_t w = 0; w < given; ++w) words[w] = loaded[w % loaded.size()];  // halves are there twice
  }
  for (std::size_t w = 0; loads && w < given; ++w) write(of_registers.parts[w], type, words[w]);
  return true;
}

// d, a, b, c; types of d, a, b, c, or of d and c where a and b are halves.
bool PtxLowering::multiply_fragments(const Instruction& i, Fragment f) {
  const std::size_t parts = i.parts.size();
  const Element* input = element_of(i.parts[parts - 2], true);
  if (element_of(i.parts[parts - 4], false) == nullptr || input == nullptr) input = element_of("f16", true);
  const std::string& of_d = i.parts[parts - (input->name == "f16" ? 2 : 4)];
  const Element *result = element_of(of_d, false), *before = element_of(i.last(), false);
  const bool is_integer = is_narrow(input->type);
  if (result == nullptr || before == nullptr || f.k != input->k ||
      is_integer != (result->type == ScalarType::I32) || is_integer != (before->type == ScalarType::I32) ||
      !takes(i, 4, 4))
    return refuse(i);
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
    return complain(Message("'{}' takes {} registers of a, {} of b and {} of c and d", i.text,
                            f.is_tall() ? tall : wide, f.is_tall() ? wide : tall, to_halves ? 4 : 8));
  };
  for (const Tile& tile : tiles_of(tiled)) {
    const std::size_t left = static_cast<std::size_t>(tile.row) / 16 * 2 * steps,
                      right = static_cast<std::size_t>(tile.column) / 8 * steps, sum = sums.size();
    if (a.size() < left + 2 * steps || b.size() < right + steps || c.size() < sum + 4) return refuse_counts();
    const auto of = [](const std::vector<Value>& all, std::size_t first, std::size_t count) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
      return std::vector<Value>(begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    const auto products = MatrixRegisters(b_).products(of(a, left, 2 * steps), of(b, right, steps),
                                                       of(c, sum, 4), single, f.type, f.type);
    sums.insert(sums.end(), products.begin(), products.end());
  }
  if (to.parts.size() != (to_halves ? sums.size() / 2 : sums.size())) return refuse_counts();
  for (std::size_t r = 0; r < to.parts.size(); ++r) {
    if (to_halves)
      write(to.parts[r], pair_of(sums[2 * r], sums[2 * r + 1]));
    else
      write(to.parts[r], single, sums[r]);
  }
  return true;
}

}  // namespace warplens::sim::lower
