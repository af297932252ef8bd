// Appends instructions to the list under construction, folding constants on the way.
#pragma once

#include <initializer_list>
#include <optional>

#include "sim/lower/ir/ir.h"

namespace warplens::sim::lower {

// A byte address: base + terms + offset.
struct Address {
  Value base = kNone;
  std::vector<Term> terms;
  std::int64_t offset = 0;

  void advance(std::int64_t bytes, std::int64_t times = 1) {  // wraps, as addresses do
    offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(offset) +
                                       static_cast<std::uint64_t>(bytes) * static_cast<std::uint64_t>(times));
  }
};

struct AccessText {
  cuda::SourceRange range;
  std::string text;
  const void* source = nullptr;  // the expression
  AccessForm form = AccessForm::Plain;
  bool past_l1 = false;  // as Access has it, and the next
  Value source_bytes = kNone;
  bool is_volatile = false;
};

struct TooManyNodes {};

class Builder {
 public:
  Ir ir;

  Value integer(ScalarType type, std::uint64_t value);
  Value number(ScalarType type, double value);       // floating types
  std::optional<std::uint64_t> bits(Value v) const;  // of a constant
  std::optional<std::int64_t> constant_integer(Value v, ScalarType type) const;

  // A pure instruction's result. Comparisons give Bool.
  Value op(Opcode opcode, ScalarType type, Value a, Value b = kNone, Value c = kNone);
  Value math(MathFunction function, ScalarType type, ScalarType result, Value a, Value b = kNone);
  // A value that changes its type; free where the bits in the register stay the same.
  Value convert(Value v, ScalarType from, ScalarType to);
  // The same bits of the register as another type of up to 32 bits, or of 64.
  Value bit_cast(Value v, ScalarType to);
  // A half's or bfloat16's 16 bits in 32, of the single that is rounded to one; and what those bits stand
  // for.
  Value bits_of_small(Value single, ScalarType small);
  Value single_of_bits(Value bits, ScalarType small);
  void move(Value variable, ScalarType type, Value v);
  Value copy(ScalarType type, Value v);  // into a temporary, if v may change
  Value settled(ScalarType type, Value v) { return ir.is_variable(v) ? copy(type, v) : v; }

  void load(const Address& address, const AccessText& text, ScalarType type,
            const std::vector<Value>& results);
  void store(const Address& address, const AccessText& text, ScalarType type,
             const std::vector<Value>& values);
  // Gives the old value: where nothing reads it, `optimise` makes a reduction of it.
  Value atomic(AtomicFunction function, const Address& address, const AccessText& text, ScalarType type,
               Value value, Value new_value = kNone);
  // `mask` of the lanes that take part; kNone: all
  Value shuffle(ShuffleMode mode, ScalarType type, Value v, Value lane, Value width, Value mask);
  // One register of what mma.sync gives; types of what a and b hold.
  Value matrix_dot(ScalarType type, ScalarType of_a, ScalarType of_b, Value a, Value b, Value c, int column);
  Value vote(VoteFunction function, ScalarType result, Value v);
  Value block_vote(BlockVote function, Value v);  // a barrier's
  void cluster_barrier();
  void plain(Opcode opcode, Value a = kNone);  // Barrier, SyncWarp, Assert
  void claim(Claim claim, Value holds);

  Value address_value(const Address& address);  // as one U64
  Address settled(Address address);             // of values that will not change
  // address + index * scale, the index of an integer type. An address keeps few terms apart: what a chain of
  // pointers adds up would be carried along, and copied, by each of them.
  void add_index(Address& address, Value index, ScalarType type, std::int64_t scale, bool bounded);

  Node& append(Node::Kind kind);

  // Where things go: the list under construction, in which region, for which text. Code that cannot be
  // reached or is only checked goes to a list that is thrown away.
  List* list = &ir.body;
  int region = 0;
  int fences = 0;           // so far, of PTX
  bool discarding = false;  // nothing is kept
  bool dead = false;        // because it can never run
  cuda::SourceRange place;

  std::size_t appended() const { return appended_; }  // nodes so far, kept or thrown away
  std::size_t most_nodes = 1'000'000;                 // append() throws TooManyNodes beyond

 private:
  Value append_op(Instr instr, Value dst, int access = -1);
  Origin pointed_at(std::initializer_list<Value> operands) const;
  std::optional<Value> simplified(Opcode opcode, ScalarType type, Value a, Value b);
  int add_access(const Address& address, const AccessText& text, memory::Op op, ScalarType type,
                 int components);

  std::size_t appended_ = 0;
};

enum class Fate { Kept, Dead, Evaluated };  // Evaluated: only what comes out matters, a constant

// While it lives, instructions go to `target`.
class ListScope {
 public:
  ListScope(Builder& builder, List& target, int region, Fate fate = Fate::Kept)
      : builder_(builder),
        list_(builder.list),
        region_(builder.region),
        discarding_(builder.discarding),
        dead_(builder.dead) {
    builder.list = &target;
    builder.region = region;
    builder.discarding = discarding_ || fate != Fate::Kept;
    builder.dead = fate == Fate::Dead || (dead_ && fate != Fate::Evaluated);
  }
  ~ListScope() {
    builder_.list = list_;
    builder_.region = region_;
    builder_.discarding = discarding_;
    builder_.dead = dead_;
  }
  ListScope(const ListScope&) = delete;
  ListScope& operator=(const ListScope&) = delete;

 private:
  Builder& builder_;
  List* list_;
  int region_;
  bool discarding_, dead_;
};

// Whether values of the two types look alike in a register.
bool same_representation(ScalarType from, ScalarType to);

}  // namespace warplens::sim::lower
