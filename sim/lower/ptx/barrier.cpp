// mbarrier, the jumps around a try to wait for it, and what copies in bulk. Bytes that a barrier is told to
// expect are there when the copy has been issued, so that arrivals alone make its phases.
#include "sim/lower/ptx/ptx_lowering.h"

namespace warplens::sim::lower {

namespace {

constexpr std::uint64_t kArrivalBits = 12, kMostArrivals = (1u << kArrivalBits) - 1;

// Barriers that lie in shared memory: mbarrier of PTX, cuda::barrier and what is made of it.
//
// One is eight bytes, as on a GPU, where what they hold is not documented: here the arrivals so far, and
// behind them how many make a phase (12 bits) with the bytes that are still expected in this one (20 bits,
// which may come before they are expected). All that it does is atomics, loads and stores of those, which are
// no sites: what a GPU's own cost is not known. A wait ends the warp's turn until the phase is over.
class MemoryBarrier {
 public:
  static constexpr ScalarType kCount = ScalarType::U32;

  MemoryBarrier(Builder& b, const Address& at, const cuda::SourceRange& range)
      : b_(b), at_(b.settled(at)), second_(at_), text_{range, "", nullptr, AccessForm::Barrier} {
    second_.advance(4);
  }

  void initialise(const Number& arrivals) {
    expect_arrivals(arrivals);
    b_.store(at_, text_, kCount, {arrivals.of(0u)});
  }
  void expect_arrivals(const Number& arrivals) {
    b_.claim(Claim::BarrierArrivals, arrivals - 1u < kMostArrivals);
    b_.store(second_, text_, kCount, {arrivals});
  }
  // Gives the phase that it belongs to.
  Number arrive(const Number& count) {
    const Number before(b_, kCount, b_.atomic(AtomicFunction::Add, at_, text_, kCount, count));
    return before / wanted().arrivals;
  }
  void expect(const Number& bytes) { change_bytes(AtomicFunction::Add, bytes); }    // in the phase under way
  void complete(const Number& bytes) { change_bytes(AtomicFunction::Sub, bytes); }  // those have come
  Number is_over(const Number& phase) { return phases() > phase; }
  // The phase under way has the other parity.
  Number has_parity_passed(const Number& parity) { return (phases() & 1u) != (parity & 1u); }
  template <class Test>
  void wait(Test is_over) {
    repeat(
        b_, b_.ir.add_region(b_.region), text_.range, [&] { return !is_over(); },
        [&] { b_.plain(Opcode::Pause); }, [] {});
    b_.plain(Opcode::Passed);
  }

 private:
  struct Wanted {
    Number arrivals, bytes;
  };
  Number loaded(const Address& from) {
    const Value value = b_.ir.temp(kCount);
    b_.load(from, text_, kCount, {value});
    return {b_, kCount, value};
  }
  // One that was not initialised expects none.
  Wanted wanted() {
    const Number value = loaded(second_), arrivals = value & kMostArrivals;
    b_.claim(Claim::BarrierIsThere, arrivals != 0u);
    return {arrivals, value >> kArrivalBits};
  }
  void change_bytes(AtomicFunction function, const Number& bytes) {
    (void)b_.atomic(function, second_, text_, kCount, bytes << kArrivalBits);
  }
  // That are over. While bytes are missing the last arrival does not end its phase.
  Number phases() {
    const Number arrivals = loaded(at_);
    const Wanted of = wanted();
    return (arrivals - min(arrivals, (of.bytes != 0u).to(kCount))) / of.arrivals;
  }

  Builder& b_;
  const Address at_;
  Address second_;  // of its two words
  const AccessText text_;
};

}  // namespace

// Forwards, and where it is known when compiling: what waits for a barrier in a loop of tries waits in the
// first.
void PtxLowering::jump(const ptx::Text& text, std::size_t& at) {
  const Instruction& jump = text.instructions[at];
  std::optional<std::uint64_t> taken = 1;
  if (!jump.predicate.empty()) {
    taken = b_.bits(read({.name = jump.predicate}, ScalarType::Bool));
    if (taken && jump.negated) *taken = *taken == 0 ? 1 : 0;
  }
  if (taken == std::uint64_t{0}) return;
  for (std::size_t to = at + 1; taken && jump.operands.size() == 1 && to < text.instructions.size(); ++to)
    if (text.instructions[to].label == jump.operands[0].name) return void(at = to);
  complain(Message("a jump in inline PTX is not simulated, but forwards behind a try to wait"),
           Message("write the branch in C++"));
}

// mbarrier.arrive.expect_tx.shared::cta.b64 state, [address], bytes
void PtxLowering::memory_barrier(const Instruction& i) {
  const bool initialises = i.has("init"), arrives = i.has("arrive"),
             waits = i.has("test_wait") || i.has("try_wait");
  const bool expects = i.has("expect_tx"), completes = i.has("complete_tx");
  if (i.has("inval")) return;
  if ((!initialises && !arrives && !waits && !expects && !completes) || i.has("shared::cluster") ||
      i.has("noComplete") || i.last() != "b64")
    return refuse(i);
  takes(i, arrives ? 1 : 2, 4);
  const std::size_t place = i.operands[0].kind == Operand::Kind::Address ? 0 : 1;
  if (place >= i.operands.size() || i.operands[place].kind != Operand::Kind::Address) return refuse(i);
  const auto at = address(i.operands[place], Space::Shared);
  const bool has_number = i.operands.size() > place + 1;
  if ((expects || completes) && !has_number) return refuse(i);
  const Number number_given = has_number ? read(i.operands[place + 1], MemoryBarrier::kCount) : number(1);
  MemoryBarrier barrier(b_, at, range_);
  if (initialises) return barrier.initialise(number_given);
  if (expects) barrier.expect(number_given);
  if (completes) barrier.complete(number_given);
  if (arrives) {
    const Number phase = barrier.arrive(expects ? number(1) : number_given);
    if (place == 1) write(i.operands[0], cast(phase, ScalarType::U64));
    return;
  }
  if (!waits) return;
  if (!has_number || place != 1) return refuse(i);
  const auto has_passed = [&] {
    return i.has("parity") ? barrier.has_parity_passed(number_given) : barrier.is_over(number_given);
  };
  if (i.has("test_wait")) {
    b_.plain(Opcode::Pause);
    const Number is_over = has_passed();
    where(b_, is_over, range_, [&] { b_.plain(Opcode::Passed); });
    return write(i.operands[0], is_over);
  }
  // To try is to wait as long as it takes: a GPU ends a try sooner, and the text tries again.
  barrier.wait(has_passed);
  return write(i.operands[0], number(1, ScalarType::Bool));
}

// bar.sync which, threads; bar.arrive which, threads. They lie in the block's shared memory, of which they
// take 128 bytes more than on a GPU, that has sixteen of them beside it.
void PtxLowering::named_barrier(const Instruction& i) {
  constexpr std::int64_t kBytes = 8;
  constexpr unsigned kBarriers = 16;
  if (l_.shared_memory.named_barriers < 0) {
    l_.shared_memory.named_barriers = (l_.shared_memory.bytes + kBytes - 1) / kBytes * kBytes;
    l_.shared_memory.bytes = l_.shared_memory.named_barriers + kBarriers * kBytes;
  }
  const Number which = read(i.operands[0], MemoryBarrier::kCount),
               threads = read(i.operands[1], MemoryBarrier::kCount);
  Address at;
  at.base = b_.ir.constant(ScalarType::U64,
                           kSharedWindow + static_cast<std::uint64_t>(l_.shared_memory.named_barriers),
                           Origin{Origin::Kind::Shared, -1});
  b_.add_index(at, which & (kBarriers - 1), MemoryBarrier::kCount, kBytes, false);
  MemoryBarrier barrier(b_, at, range_);
  barrier.expect_arrivals(threads);  // each says how many there will be
  const Number phase = barrier.arrive(number(1));
  if (i.has("sync")) barrier.wait([&] { return barrier.is_over(phase); });
}

// cp.async.mbarrier.arrive.noinc.shared.b64 [address]: the copies are there, so it arrives now. Without
// .noinc it is expected beside the others, and arrives.
void PtxLowering::copies_arrive(const Instruction& i) {
  if (!i.has("arrive") || i.has("shared::cluster")) refuse(i);
  takes(i, 1, 1);
  const auto at = address(i.operands[0], Space::Shared);
  if (i.has("noinc")) (void)MemoryBarrier(b_, at, range_).arrive(number(1));
}

// What has come counts where the barrier is told of it, before or after it expects it.
void PtxLowering::complete(const Instruction& i, std::size_t operand, const Number& bytes) {
  const Operand& barrier = i.operands[operand];
  if (barrier.kind != Operand::Kind::Address) refuse(i);
  const auto at = address(barrier, Space::Shared);
  MemoryBarrier(b_, at, range_).complete(bytes);
}

// cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], bytes, [barrier]; and back,
// .global.shared::cta.bulk_group [to], [from], bytes.
void PtxLowering::copy_in_bulk(const Instruction& i) {
  if (i.has("commit_group") || i.has("wait_group") || i.has("prefetch")) return nothing(i);
  const std::size_t first = i.has("reduce") ? 4 : 3;
  const bool is_pair = i.parts.size() > first + 1;
  const bool to_shared = is_pair && i.parts[first].starts_with("shared") && i.parts[first + 1] == "global";
  const bool to_global = is_pair && i.parts[first] == "global" && i.parts[first + 1].starts_with("shared");
  const bool is_known = (to_shared || to_global) && i.name() == "cp" && !i.has("multicast::cluster");
  if (!is_known) refuse(i);
  takes(i, to_shared ? 4 : 3, 5);
  const Operand &to = i.operands[0], &from = i.operands[1];
  if (to.kind != Operand::Kind::Address || from.kind != Operand::Kind::Address) return refuse(i);
  const Number bytes = read(i.operands[2], ScalarType::U32);
  const auto target = address(to, to_shared ? Space::Shared : Space::Generic),
             source = address(from, to_global ? Space::Shared : Space::Generic);
  GroupCopy copy{b_.settled(target), b_.settled(source), text_of(i, to), text_of(i, from)};
  copy.rank = number(0);
  copy.threads = number(1);
  copy.bytes = bytes;
  copy.chunk = 16;
  copy.form = AccessForm::Bulk;
  if (i.has("reduce")) {
    const auto function = combining(i);
    const auto type = atomic_type(i.last());
    if (!to_global || !function || !type) return refuse(i);
    copy.combines = function;
    copy.type = *type;
    copy.chunk = size_of(*type);
  }
  l_.async_copies.warn_of_bulk(range_);
  l_.async_copies.copy_together(copy);
  if (to_shared) complete(i, 3, bytes);
}

}  // namespace warplens::sim::lower
