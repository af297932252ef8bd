// The plainest reading of program.h: one thread at a time, one register a number, arithmetic in 128-bit
// integers. Slow, and nothing shared with the machine but the Program.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>
#include <vector>

#include "sim/launch/launch.h"
#include "sim/program/program.h"

namespace warplens::sim {

__extension__ using Wide = __int128;

// What a register's bits say, and the other way round.
inline Wide reference_integer(ScalarType type, std::uint64_t bits) {
  switch (type) {
    case ScalarType::Bool:
      return (bits & 0xffffffffu) != 0;
    case ScalarType::I8:
    case ScalarType::I16:
    case ScalarType::I32:
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
    case ScalarType::U8:
    case ScalarType::U16:
    case ScalarType::U32:
      return static_cast<std::uint32_t>(bits);
    case ScalarType::I64:
      return static_cast<std::int64_t>(bits);
    default:
      return static_cast<Wide>(bits);
  }
}
// Wraps to the type's width and extends to the register's.
inline std::uint64_t wrapped(ScalarType type, Wide value) {
  const auto low = static_cast<std::uint64_t>(value);
  switch (type) {
    case ScalarType::Bool:
      return value != 0;
    case ScalarType::I8:
      return static_cast<std::uint32_t>(static_cast<std::int8_t>(low));
    case ScalarType::U8:
      return static_cast<std::uint8_t>(low);
    case ScalarType::I16:
      return static_cast<std::uint32_t>(static_cast<std::int16_t>(low));
    case ScalarType::U16:
      return static_cast<std::uint16_t>(low);
    case ScalarType::I32:
    case ScalarType::U32:
      return static_cast<std::uint32_t>(low);
    default:
      return low;
  }
}
inline int width_of(ScalarType type) {
  return size_of(type) == 8 ? 64 : 32;
}  // of the register

inline double reference_number(ScalarType type, std::uint64_t bits) {
  return type == ScalarType::F64 ? std::bit_cast<double>(bits)
                                 : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
inline std::uint64_t rounded(ScalarType type, double value) {
  return type == ScalarType::F64 ? std::bit_cast<std::uint64_t>(value)
                                 : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

struct ReferenceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline std::uint64_t reference_integer(Opcode op, ScalarType type, std::uint64_t a_bits, std::uint64_t b_bits,
                                       std::uint64_t c_bits = 0) {
  const Wide a = reference_integer(type, a_bits), b = reference_integer(type, b_bits),
             c = reference_integer(type, c_bits);
  const Wide modulus = Wide{1} << width_of(type);
  const Wide unsigned_b = b < 0 ? b + modulus : b;
  switch (op) {
    case Opcode::Add:
      return wrapped(type, a + b);
    case Opcode::Sub:
      return wrapped(type, a - b);
    // The low half of a product of two 64-bit numbers is that of their unsigned product.
    case Opcode::Mul:
      return wrapped(type, static_cast<Wide>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)));
    case Opcode::Fma:
      return wrapped(type,
                     static_cast<Wide>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)) + c);
    case Opcode::Div:
      if (b == 0) throw ReferenceError("division by zero");
      return wrapped(type, a / b);
    case Opcode::Rem:
      if (b == 0) throw ReferenceError("division by zero");
      return wrapped(type, a % b);
    case Opcode::And:
      return wrapped(type, a & b);
    case Opcode::Or:
      return wrapped(type, a | b);
    case Opcode::Xor:
      return wrapped(type, a ^ b);
    case Opcode::Shl:
      return unsigned_b >= width_of(type) ? 0 : wrapped(type, a * (Wide{1} << static_cast<int>(b)));
    case Opcode::Shr:
      if (unsigned_b >= width_of(type)) return wrapped(type, a < 0 ? -1 : 0);
      return wrapped(type, a >> static_cast<int>(b));
    case Opcode::Min:
      return wrapped(type, a < b ? a : b);
    case Opcode::Max:
      return wrapped(type, a < b ? b : a);
    case Opcode::Neg:
      return wrapped(type, -a);
    case Opcode::BitNot:
      return wrapped(type, ~a);
    case Opcode::Abs:
      return wrapped(type, a < 0 ? -a : a);
    case Opcode::Not:
      return a == 0;
    case Opcode::Lt:
      return a < b;
    case Opcode::Le:
      return a <= b;
    case Opcode::Gt:
      return a > b;
    case Opcode::Ge:
      return a >= b;
    case Opcode::Eq:
      return a == b;
    case Opcode::Ne:
      return a != b;
    case Opcode::MulHigh: {
      if (width_of(type) == 32) return wrapped(type, (a * b) >> 32);
      // Schoolbook, in halves of 32 bits; then what a sign takes away.
      const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
      const std::uint64_t al = ua & 0xffffffffu, ah = ua >> 32, bl = ub & 0xffffffffu, bh = ub >> 32;
      const std::uint64_t middle = ah * bl + ((al * bl) >> 32), other = al * bh + (middle & 0xffffffffu);
      std::uint64_t high = ah * bh + (middle >> 32) + (other >> 32);
      if (a < 0) high -= ub;
      if (b < 0) high -= ua;
      return high;
    }
    default:
      throw std::logic_error("the reference lacks an integer operation");
  }
}

inline std::uint64_t reference_convert(ScalarType from, ScalarType to, std::uint64_t bits) {
  if (is_floating(from) && is_floating(to)) return rounded(to, reference_number(from, bits));
  if (is_floating(to)) {
    const Wide value = reference_integer(from, bits);
    // long double holds every 64-bit integer: one rounding.
    if (to == ScalarType::F32)
      return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<long double>(value)));
    return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<long double>(value)));
  }
  if (!is_floating(from)) return wrapped(to, reference_integer(from, bits));
  const double value = reference_number(from, bits);
  if (to == ScalarType::Bool) return value != 0;
  const int width = width_of(to);
  const Wide least = is_signed(to) ? -(Wide{1} << (width - 1)) : 0;
  const Wide most = is_signed(to) ? (Wide{1} << (width - 1)) - 1 : (Wide{1} << width) - 1;
  if (std::isnan(value))
    return from == ScalarType::F64 || width == 64 ? wrapped(to, Wide{1} << (width - 1)) : 0;
  if (std::fabs(value) > 1e30) return wrapped(to, value < 0 ? least : most);
  const Wide whole = static_cast<Wide>(std::trunc(value));
  return wrapped(to, whole < least ? least : whole > most ? most : whole);
}

// One block, thread by thread; global memory outlives it.
class ReferenceGrid {
 public:
  ReferenceGrid(const Program& program, const Launch& launch) : program_(program), launch_(launch) {
    lanes_per_site.resize(program.sites.size());
  }

  void run() {
    for (std::uint32_t z = 0; z < launch_.grid.z; ++z) {
      for (std::uint32_t y = 0; y < launch_.grid.y; ++y) {
        for (std::uint32_t x = 0; x < launch_.grid.x; ++x) run_block({x, y, z});
      }
    }
  }

  std::vector<std::uint64_t> lanes_per_site;
  std::uint64_t load_byte(memory::Address address) {
    const auto found = global_.find(address);
    if (found != global_.end()) return found->second;
    const std::size_t p = address / kBufferSpacing - 1;
    const KernelParameter& parameter = program_.parameters.at(p);
    const Buffer buffer = buffer_of(parameter);
    const std::uint64_t at = address % kBufferSpacing,
                        size = static_cast<std::uint64_t>(size_of(parameter.type));
    return fill_element(buffer.fill, parameter.type, at / size, buffer.elements) >> (8 * (at % size)) & 0xff;
  }

 private:
  struct Frame {
    bool pending = false, joined = false, exited = false, continued = false;
  };
  struct Thread {
    std::size_t pc = 0;
    bool active = true, live = true, waits = false, ended = false, votes = false;
    std::vector<std::uint64_t> uniform, varying;
    std::vector<Frame> frames;
    std::vector<std::uint8_t> local;
  };

  Buffer buffer_of(const KernelParameter& parameter) const {
    const auto found = launch_.arguments.find(parameter.name);
    return found == launch_.arguments.end() ? Buffer{} : std::get<Buffer>(found->second);
  }

  void run_block(Dim3 block) {
    shared_.assign(static_cast<std::size_t>(program_.static_shared_bytes) + launch_.shared_bytes, 0);
    std::vector<Thread> threads;
    const Dim3 d = launch_.block;
    for (std::uint32_t t = 0; t < d.count(); ++t) {
      threads.push_back(start(block, {t % d.x, t / d.x % d.y, t / d.x / d.y}, t));
    }
    for (bool going = true; going;) {
      going = false;
      for (Thread& thread : threads) {
        thread.waits = false;
        while (!thread.ended && !thread.waits) step(thread);
        going |= !thread.ended;
      }
      tell_votes(threads);
    }
  }

  Thread start(Dim3 block, Dim3 index, std::uint32_t number) {
    Thread t;
    t.uniform.resize(static_cast<std::size_t>(program_.uniform_registers));
    t.varying.resize(static_cast<std::size_t>(program_.varying_registers));
    t.frames.resize(static_cast<std::size_t>(program_.frames));
    t.local.resize(static_cast<std::size_t>(program_.local_bytes));
    const std::uint32_t fixed[] = {launch_.grid.x,  launch_.grid.y,  launch_.grid.z, launch_.block.x,
                                   launch_.block.y, launch_.block.z, block.x,        block.y,
                                   block.z,         number / 32};
    for (std::size_t i = 0; i < 10; ++i) t.uniform[i] = fixed[i];
    const std::uint32_t lanes[] = {index.x, index.y, index.z, number % 32};
    for (std::size_t i = 0; i < 4; ++i) t.varying[i] = lanes[i];
    for (const UniformConstant& c : program_.constants) at(t, c.reg) = c.bits;
    for (std::size_t p = 0; p < program_.parameters.size(); ++p) {
      const KernelParameter& parameter = program_.parameters[p];
      if (parameter.is_pointer)
        at(t, parameter.reg) = (p + 1) * kBufferSpacing;
      else
        at(t, parameter.reg) =
            wrapped(parameter.type, std::get<std::int64_t>(launch_.arguments.at(parameter.name)));
    }
    return t;
  }

  // To all that wait, each of which has just passed its barrier.
  void tell_votes(std::vector<Thread>& threads) {
    const auto waiting = [&](const auto& which) {
      return std::count_if(threads.begin(), threads.end(),
                           [&](const Thread& t) { return t.waits && which(t); });
    };
    const auto all = waiting([](const Thread&) { return true; });
    const auto in_favour = waiting([](const Thread& t) { return t.votes; });
    for (Thread& t : threads) {
      if (!t.waits) continue;
      const Instr& barrier = program_.code.at(t.pc - 1);
      if (barrier.dst == kNoReg) continue;
      switch (static_cast<BlockVote>(barrier.function)) {
        case BlockVote::Count:
          at(t, barrier.dst) = static_cast<std::uint64_t>(in_favour);
          break;
        case BlockVote::All:
          at(t, barrier.dst) = in_favour == all;
          break;
        default:
          at(t, barrier.dst) = in_favour > 0;
      }
    }
  }

  static std::uint64_t& at(Thread& t, Reg r) {
    return is_uniform(r) ? t.uniform.at(static_cast<std::size_t>(~r))
                         : t.varying.at(static_cast<std::size_t>(r));
  }
  static std::uint64_t get(Thread& t, Reg r) { return r == kNoReg ? 0 : at(t, r); }

  void step(Thread& t) {
    const Instr& i = program_.code.at(t.pc);
    ++t.pc;
    if (i.op >= Opcode::If) return control(t, i);
    if (i.op == Opcode::Barrier) {
      t.waits = t.active;
      t.votes = t.active && static_cast<std::uint32_t>(get(t, i.a)) != 0;
      return;
    }
    // What inactive threads compute is never seen; division and memory must not happen for them.
    if (!t.active) return;
    switch (i.op) {
      case Opcode::SyncWarp:
        return;
      case Opcode::Load:
      case Opcode::Store:
        return access(t, i);
      case Opcode::Mov:
        at(t, i.dst) = get(t, i.a);
        return;
      case Opcode::Select:
        at(t, i.dst) = static_cast<std::uint32_t>(get(t, i.a)) != 0 ? get(t, i.b) : get(t, i.c);
        return;
      case Opcode::Convert:
        at(t, i.dst) = reference_convert(i.type, i.to, get(t, i.a));
        return;
      default:
        break;
    }
    if (is_floating(i.type)) throw std::logic_error("the reference lacks a floating operation");
    at(t, i.dst) = reference_integer(i.op, i.type, get(t, i.a), get(t, i.b), get(t, i.c));
  }

  void access(Thread& t, const Instr& i) {
    std::uint64_t index = 0;
    if (i.b != kNoReg) index = static_cast<std::uint64_t>(reference_integer(i.index_type, get(t, i.b)));
    const memory::Address address =
        get(t, i.a) + index * static_cast<std::uint64_t>(i.scale) + static_cast<std::uint64_t>(i.offset);
    const auto bytes = static_cast<std::uint64_t>(size_of(i.type) * i.components);
    check(address, bytes);
    if (i.site >= 0) ++lanes_per_site[static_cast<std::size_t>(i.site)];
    for (int j = 0; j < i.components; ++j) {
      const auto size = static_cast<std::uint64_t>(size_of(i.type));
      const memory::Address from = address + static_cast<std::uint64_t>(j) * size;
      const int way = is_uniform(i.op == Opcode::Load ? i.dst : i.c) ? -j : j;
      if (i.op == Opcode::Load) {
        std::uint64_t bits = 0;
        for (std::uint64_t b = 0; b < size; ++b) bits |= byte(t, from + b) << (8 * b);
        if (i.dst != kNoReg)
          at(t, i.dst + way) = is_floating(i.type) ? bits : wrapped(i.type, static_cast<Wide>(bits));
      } else {
        for (std::uint64_t b = 0; b < size; ++b)
          put(t, from + b, static_cast<std::uint8_t>(get(t, i.c + way) >> (8 * b)));
      }
    }
  }

  void check(memory::Address address, std::uint64_t bytes) const {
    if (address % bytes != 0) throw ReferenceError("misaligned");
    const auto fits = [&](memory::Address base, std::uint64_t size) {
      return address >= base && address - base < size && size - (address - base) >= bytes;
    };
    if (fits(kSharedWindow, shared_.size())) return;
    if (fits(kLocalWindow, static_cast<std::uint64_t>(program_.local_bytes))) return;
    for (std::size_t p = 0; p < program_.parameters.size(); ++p) {
      const KernelParameter& parameter = program_.parameters[p];
      if (!parameter.is_pointer) continue;
      const std::uint64_t elements = buffer_of(parameter).elements;
      const std::uint64_t size =
          elements == 0 ? kBufferSpacing / 2 : elements * static_cast<unsigned>(parameter.element_bytes);
      if (fits((p + 1) * kBufferSpacing, size)) return;
    }
    throw ReferenceError("out of range");
  }

  std::uint64_t byte(Thread& t, memory::Address address) {
    if (address >= kLocalWindow) return t.local.at(address - kLocalWindow);
    if (address >= kSharedWindow) return shared_.at(address - kSharedWindow);
    return load_byte(address);
  }
  void put(Thread& t, memory::Address address, std::uint8_t value) {
    if (address >= kLocalWindow)
      t.local.at(address - kLocalWindow) = value;
    else if (address >= kSharedWindow)
      shared_.at(address - kSharedWindow) = value;
    else
      global_[address] = value;
  }

  void control(Thread& t, const Instr& i) {
    Frame none;
    Frame& f = i.frame >= 0 ? t.frames.at(static_cast<std::size_t>(i.frame)) : none;
    const bool a = i.a != kNoReg && static_cast<std::uint32_t>(get(t, i.a)) != 0;
    const auto jump = [&] { t.pc = static_cast<std::size_t>(i.target); };
    const auto jump_if_none = [&] {
      if (!t.active) jump();
    };
    switch (i.op) {
      case Opcode::If:
        f.pending = t.active && !a;
        f.joined = false;
        t.active = t.active && a;
        return jump_if_none();
      case Opcode::Else:
        f.joined = t.active;
        t.active = f.pending;
        f.pending = false;
        return jump_if_none();
      case Opcode::EndIf:
        t.active = t.active || f.joined || f.pending;
        return jump_if_none();
      case Opcode::Enter:
        f.exited = f.continued = false;
        return;
      case Opcode::Test:
        f.exited = f.exited || (t.active && !a);
        t.active = t.active && a;
        return jump_if_none();
      case Opcode::Exit:
        f.exited = f.exited || t.active;
        t.active = false;
        return jump();
      case Opcode::Skip:
        f.continued = f.continued || t.active;
        t.active = false;
        return jump();
      case Opcode::Next:
        t.active = t.active || f.continued;
        f.continued = false;
        return jump_if_none();
      case Opcode::Leave:
        t.active = f.exited;
        return jump_if_none();
      case Opcode::Switch:
        f.pending = t.active;
        f.exited = false;
        t.active = false;
        return;
      case Opcode::Case: {
        const bool chosen = f.pending && a;
        f.pending = f.pending && !chosen;
        t.active = t.active || chosen;
        return;
      }
      case Opcode::EndSwitch:
        t.active = t.active || f.exited || f.pending;
        return jump_if_none();
      case Opcode::Branch:
        if (!a) jump();
        return;
      case Opcode::Jump:
        return jump();
      case Opcode::JumpIfNone:
        return jump_if_none();
      case Opcode::Return:
        t.live = t.active = false;
        return jump();
      default:
        t.ended = true;
    }
  }

  const Program& program_;
  const Launch& launch_;
  std::map<memory::Address, std::uint8_t> global_;
  std::vector<std::uint8_t> shared_;
};

}  // namespace warplens::sim
