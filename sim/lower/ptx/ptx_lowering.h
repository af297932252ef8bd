// Instructions of PTX -> Ir: what asm() holds, and, derived from it, the kernels of a module. Registers of
// the text are values; nothing of it needs a machine instruction of its own but mma, which is made of
// Opcode::MatrixDot: ldmatrix is a load of rows and shuffles, cp.async a load and a store.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/lower/ir/flow.h"
#include "sim/lower/ir/number.h"
#include "sim/lower/lowering.h"
#include "sim/lower/memory/tensor_copy.h"
#include "sim/lower/ptx/text.h"

namespace warplens::sim::lower {

// What a word of PTX stands for.
template <class T>
struct Word {
  std::string_view name;
  T meaning;
};
template <class T, std::size_t N>
std::optional<T> meaning_of(std::string_view name, const Word<T> (&words)[N]) {
  const auto found = std::ranges::find(words, name, &Word<T>::name);
  return found == std::end(words) ? std::nullopt : std::optional(found->meaning);
}
// Of the first word that the instruction has.
template <class T, std::size_t N>
std::optional<T> meaning_in(const ptx::Instruction& i, const Word<T> (&words)[N]) {
  const auto found = std::ranges::find_if(words, [&](const Word<T>& word) { return i.has(word.name); });
  return found == std::end(words) ? std::nullopt : std::optional(found->meaning);
}

struct Fragment;

class PtxLowering {
 public:
  PtxLowering(Lowering& lowering, const void* source, const cuda::SourceRange& range)
      : l_(lowering), b_(lowering.b), source_(source), range_(range) {}
  virtual ~PtxLowering() = default;
  PtxLowering(const PtxLowering&) = delete;
  PtxLowering& operator=(const PtxLowering&) = delete;
  void run(const cuda::AsmStmt& node);

 protected:
  // What a register holds: a value of a type as wide as the register. Halves are held as their bits.
  struct Cell {
    Value value = kNone;
    ScalarType type = ScalarType::U32;
    std::optional<Address> address = {};  // of a pointer: as it was given
    const cuda::Expr* expr = nullptr;     // of an operand of asm
    bool stays = false;                   // `value` is a variable, which is written where the register is
    int array = -1;                       // of an address in shared or local memory: in which of Ir::arrays
  };
  enum class Space : std::uint8_t { Generic, Shared, Local };  // Generic: global memory as well
  using Instruction = ptx::Instruction;
  using Operand = ptx::Operand;
  using Work = void (PtxLowering::*)(const Instruction&);
  // What a predicate makes of it: it chooses between results, or it is a branch. Refused is what all lanes do
  // together: asm() does not say what those do that a predicate leaves out.
  enum class Predicate { Chooses, Branches, Refused };
  struct Entry {
    std::string_view names;  // "add sub"
    Work work;
    Predicate predicate = Predicate::Branches;
    std::size_t least = 0, most = 99;  // operands
    std::string_view words = {};       // that it may have beside types; empty: it looks itself
  };

  // ---- asm_statement.cpp
  void bind_operands(const cuda::AsmStmt& node);
  void bind_input(const std::string& name, const cuda::AsmOperand& operand, bool is_output);
  void assign_outputs(const cuda::AsmStmt& node);
  void jump(const ptx::Text& text, std::size_t& at);
  void instruction(const Instruction& instruction);
  void work(const Instruction& instruction, const Entry& entry);
  // Of what a module knows more than asm(): the type that a register is declared with; its value where
  // nothing was written yet, or null.
  virtual std::optional<ScalarType> declared_type(const std::string&) const { return {}; }
  virtual const Cell* first_value(const std::string&) { return nullptr; }
  virtual int array_of(const std::string&) const {
    return -1;
  }                                   // that an address in it leads to, as Cell has it
  virtual void touch(const Cell&) {}  // it is read or written
  void predicated(const Instruction& instruction, const Entry& entry, Value condition);
  static const Entry* entry_of(const Instruction& instruction);
  [[noreturn]] void refuse(const Instruction& instruction);
  [[noreturn]] void complain(Message message, Message remedy = {});
  void takes(const Instruction& instruction, std::size_t least, std::size_t most);
  // Operands as values of a type.
  Number read(const Operand& operand, ScalarType type);
  std::vector<Value> read_all(const Operand& operand, ScalarType type);  // a vector's parts, or the one
  void write(const Operand& operand, ScalarType type, Value value);
  void write(const Operand& operand, const Number& n) { return write(operand, n.type(), n); }
  void write_second(const Instruction& i, const Number& n) {  // of p|q the q, where it is there
    if (!i.operands[0].second.empty()) write({.name = i.operands[0].second}, n);
  }
  Number cast(Value value, ScalarType from, ScalarType to);  // bits as they are, as far as they fit
  Number cast(const Number& n, ScalarType to) { return cast(n, n.type(), to); }
  Number special(const std::string& name);
  Number number(std::uint64_t value, ScalarType type = ScalarType::U32) {
    return {b_, type, b_.integer(type, value)};
  }
  Number single_of_bits(const Number& bits, ScalarType small) {
    return {b_, ScalarType::F32, b_.single_of_bits(bits, small)};
  }
  Number bits_of_small(const Number& single, ScalarType small) {
    return {b_, ScalarType::U32, b_.bits_of_small(single, small)};
  }
  Number input(Reg reg) { return {b_, ScalarType::U32, b_.ir.input(reg, ScalarType::U32)}; }
  Number lane() { return input(kLaneIndex); }

  // ---- arithmetic.cpp
  void move(const Instruction& i);
  void two(const Instruction& i);
  void shift(const Instruction& i);
  void one(const Instruction& i);
  void multiply(const Instruction& i);
  void multiply_add(const Instruction& i);
  void with_carry(const Instruction& i);
  void compare(const Instruction& i);
  void write_truth(const Instruction& i, const Number& low, const Number* high);  // set
  void choose_value(const Instruction& i);                                        // selp, slct
  void convert(const Instruction& i);
  Number clamped(const Instruction& i, Number value);
  Number rounded(const Instruction& i, const Number& exact);
  Number arithmetic(const Instruction& i, Opcode opcode, const std::vector<Number>& x);
  Number within(const Number& value, ScalarType type);
  Number integral(const Instruction& i, const Number& value);
  void function(const Instruction& i);
  void logic3(const Instruction& i);
  template <class Compute>
  void each_half(const Instruction& i, std::size_t operands, Compute compute);

  // ---- bits.cpp
  void permute_bytes(const Instruction& i);  // prmt
  void take_bits(const Instruction& i);      // bfe
  void put_bits(const Instruction& i);       // bfi
  Number amount(const Instruction& i, std::size_t operand);
  void make_mask(const Instruction& i);  // bmsk
  void copy_sign(const Instruction& i);
  Number shifted_left(const Number& bits, const Number& by);
  void funnel(const Instruction& i);       // shf
  void dot_product(const Instruction& i);  // dp4a, dp2a
  void find_bit(const Instruction& i);     // bfind
  void convert_fp8(const Instruction& i);  // cvt

  // ---- warp.cpp
  void elect(const Instruction& i);
  void vote(const Instruction& i);
  void match(const Instruction& i);
  void reduce_lanes(const Instruction& i);  // redux
  void shuffle(const Instruction& i);
  std::pair<Number, Number> shuffle_source(ShuffleMode mode, const Number& by, const Number& segment);
  void active_lanes(const Instruction& i);
  void trap(const Instruction& i);
  void give_policy(const Instruction& i);  // createpolicy
  Value mask_of(const Operand& operand);   // kNone: all lanes
  Number product(const Instruction& i);

  // ---- memory.cpp
  void load(const Instruction& i);
  void store(const Instruction& i);
  void atomic(const Instruction& i);
  void address_space(const Instruction& i);  // cvta
  void is_in_space(const Instruction& i);    // isspacep
  void copy(const Instruction& i);           // cp.async
  Value source_bytes(const Operand& operand, std::uint64_t all);
  void nothing(const Instruction& i);              // but what it reads is needed
  void fence(const Instruction&) { ++b_.fences; }  // it only keeps accesses apart
  void barrier(const Instruction& i);
  void map_address(const Instruction& i);  // mapa
  Address address(const Operand& operand, Space space);
  virtual AccessText text_of(const Instruction& i, const Operand& operand) const;
  Space space_of(const Instruction& i);

  // ---- barrier.cpp
  void memory_barrier(const Instruction& i);
  void named_barrier(const Instruction& i);
  void copies_arrive(const Instruction& i);
  void copy_in_bulk(const Instruction& i);
  void complete(const Instruction& i, std::size_t operand, const Number& bytes);

  // ---- tensor.cpp
  void copy_tensor_box(const Instruction& i);
  TensorMap& tensor_map(const Instruction& i, const Operand& operand);
  virtual Value base_of_map(const Operand& operand);       // kNone: it is not known
  static std::size_t dimensions_of(const Instruction& i);  // "2d": 2; 0: none, or more than are simulated
  std::optional<AtomicFunction> combining(const Instruction& i) const;

  // ---- texture.cpp
  void fetch_texture(const Instruction& i);
  void access_surface(const Instruction& i);
  Texture& texture_of(const Instruction& i, const Operand& operand);
  virtual Value base_of_object(const Operand&) { return kNone; }  // of a texture; kNone: it is not known
  std::vector<Value> read_coordinates(const Instruction& i, const Operand& operand, std::size_t dimensions,
                                      ScalarType type);

  // ---- matrix.cpp
  void load_matrix(const Instruction& i);
  void store_matrix(const Instruction& i);
  void multiply_matrices(const Instruction& i);
  int matrices_of(const Instruction& i);
  std::vector<Value> singles_of(const std::vector<Value>& pairs);
  Number pair_of(Value low, Value high);

  // ---- fragments.cpp: wmma
  void fragments(const Instruction& i);
  void move_fragment(const Instruction& i, const Fragment& f);
  void multiply_fragments(const Instruction& i, Fragment f);

  // ---- warpgroup.cpp: wgmma
  struct WarpgroupProduct;
  void multiply_warpgroup(const Instruction& i);
  WarpgroupProduct describe(const Instruction& i);
  void read_orders(const Instruction& i, WarpgroupProduct& p);
  std::vector<Value> read_sums(const Instruction& i, const WarpgroupProduct& p);
  std::vector<Value> read_rows(const Instruction& i, const WarpgroupProduct& p, const AccessText& text);
  void claim_warpgroups();

  Lowering& l_;
  Builder& b_;
  const void* source_;  // the same one makes the same site
  cuda::SourceRange range_;
  std::map<std::string, Cell> cells_;
  std::vector<Result> outputs_;
  Value condition_ = kNone;              // of the predicate, where results are chosen between
  std::map<std::string, Cell> targets_;  // variables that a predicated load writes
};

std::optional<ScalarType> ptx_type(std::string_view name);     // "u32"; of halves their bits'
std::optional<ScalarType> atomic_type(std::string_view name);  // of a reduction in bulk

}  // namespace warplens::sim::lower
