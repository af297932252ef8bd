#include "tests/language/host/host_cuda.h"

#include <ucontext.h>

#include <memory>
#include <stdexcept>
#include <vector>

thread_local uint3 threadIdx, blockIdx;
thread_local dim3 blockDim, gridDim;

namespace host {
namespace {

constexpr std::size_t kStack = 64 * 1024;

// A thread of the block. It waits for its block (or warp) until as many barriers have been passed there.
struct Thread {
  ucontext_t context{};
  std::unique_ptr<char[]> stack;
  uint3 index{};
  int warp = 0, lane = 0;
  bool ended = false;
  int block_barriers = 0, warp_barriers = 0;  // reached
  bool waits_for_block = false, waits_for_warp = false;
  std::uint64_t given = 0;
};

struct Block {
  ucontext_t scheduler{};
  std::vector<Thread> threads;
  Thread* running = nullptr;
  const std::function<void()>* body = nullptr;
  std::vector<char> dynamic;
};
Block* block = nullptr;

void thread_main() {
  (*block->body)();
  block->running->ended = true;
  swapcontext(&block->running->context, &block->scheduler);
}

void yield() {
  swapcontext(&block->running->context, &block->scheduler);
}

bool may_go_on(const Thread& t) {
  for (const Thread& other : block->threads) {
    if (other.ended) continue;
    if (t.waits_for_block && other.block_barriers < t.block_barriers) return false;
    if (t.waits_for_warp && other.warp == t.warp && other.warp_barriers < t.warp_barriers) return false;
  }
  return true;
}

void prepare(Thread& t) {
  getcontext(&t.context);
  t.context.uc_stack.ss_sp = t.stack.get();
  t.context.uc_stack.ss_size = kStack;
  makecontext(&t.context, thread_main, 0);
}

void run_block() {
  for (std::size_t left = block->threads.size(); left > 0;) {
    bool moved = false;
    for (Thread& t : block->threads) {
      if (t.ended || !may_go_on(t)) continue;
      t.waits_for_block = t.waits_for_warp = false;
      moved = true;
      block->running = &t;
      threadIdx = t.index;
      swapcontext(&block->scheduler, &t.context);
      if (t.ended) --left;
    }
    if (!moved) throw std::runtime_error("the threads of the block wait for each other");
  }
}

}  // namespace

void launch(dim3 grid, dim3 size, std::size_t dynamic_bytes, const std::function<void()>& body) {
  Block made;
  made.body = &body;
  made.dynamic.assign(dynamic_bytes + 16, 0);
  block = &made;
  blockDim = size;
  gridDim = grid;
  const unsigned count = size.x * size.y * size.z;
  for (unsigned b = 0; b < grid.x * grid.y * grid.z; ++b) {
    blockIdx = {b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
    made.threads.resize(count);
    for (unsigned i = 0; i < count; ++i) {
      Thread& t = made.threads[i];
      std::unique_ptr<char[]> stack = std::move(t.stack);
      t = Thread{};
      t.stack = stack ? std::move(stack) : std::make_unique<char[]>(kStack);
      t.index = {i % size.x, i / size.x % size.y, i / size.x / size.y};
      t.warp = static_cast<int>(i / 32);
      t.lane = static_cast<int>(i % 32);
      prepare(t);
    }
    run_block();
  }
  block = nullptr;
}

void* dynamic_shared() {
  const auto at = reinterpret_cast<std::uintptr_t>(block->dynamic.data());
  return reinterpret_cast<void*>((at + 15) / 16 * 16);
}

void block_barrier() {
  ++block->running->block_barriers;
  block->running->waits_for_block = true;
  yield();
}

void warp_barrier() {
  ++block->running->warp_barriers;
  block->running->waits_for_warp = true;
  yield();
}

int lane() {
  return block->running->lane;
}

std::uint64_t exchange(std::uint64_t bits, int from) {
  Thread& self = *block->running;
  self.given = bits;
  warp_barrier();
  std::uint64_t result = bits;
  for (const Thread& other : block->threads) {
    if (other.warp == self.warp && other.lane == from) result = other.given;
  }
  warp_barrier();
  return result;
}

int block_votes(bool vote) {
  block->running->given = vote;
  block_barrier();
  int result = 0;
  for (const Thread& other : block->threads) result += !other.ended && other.given ? 1 : 0;
  block_barrier();
  return result;
}

}  // namespace host
