// Assembles Programs by hand: for tests of the machine that do without the front-end.
#pragma once

#include <bit>
#include <string>
#include <vector>

#include "sim/analyse/analyse.h"
#include "sim/program/program.h"

namespace warplens::sim {

class Builder {
 public:
  Program program;

  explicit Builder(std::string kernel = "kernel") { program.kernel = std::move(kernel); }

  Reg varying() { return program.varying_registers++; }
  Reg uniform() { return uniform_reg(program.uniform_registers++); }
  Reg like(Reg r) { return is_uniform(r) ? uniform() : varying(); }

  Reg constant(std::uint64_t bits) {
    const Reg r = uniform();
    program.constants.push_back({r, bits});
    return r;
  }
  Reg integer(int value) { return constant(static_cast<std::uint32_t>(value)); }
  Reg real(float value) { return constant(std::bit_cast<std::uint32_t>(value)); }

  Reg pointer(const std::string& name, ScalarType type = ScalarType::F32, int element_bytes = 0) {
    KernelParameter p;
    p.name = name;
    p.is_pointer = true;
    p.type = type;
    p.element_bytes = element_bytes != 0 ? element_bytes : size_of(type);
    p.type_text = std::string(name_of(type)) + "*";
    p.reg = uniform();
    program.parameters.push_back(p);
    return p.reg;
  }
  // A shared array; gives the register that holds its address.
  Reg shared(const std::string& name, std::int64_t elements, ScalarType type = ScalarType::F32) {
    SharedArray a;
    a.name = name;
    a.element = type;
    a.element_bytes = size_of(type);
    a.extents = {elements};
    a.offset = program.static_shared_bytes;
    a.bytes = elements * a.element_bytes;
    program.static_shared_bytes += (a.bytes + 15) / 16 * 16;
    program.shared_arrays.push_back(a);
    return constant(kSharedWindow + static_cast<std::uint64_t>(a.offset));
  }

  Instr& emit(Opcode op, ScalarType type = ScalarType::I32, Reg dst = kNoReg, Reg a = kNoReg, Reg b = kNoReg,
              Reg c = kNoReg) {
    Instr i;
    i.op = op;
    i.type = type;
    i.dst = dst;
    i.a = a;
    i.b = b;
    i.c = c;
    i.place = static_cast<std::int32_t>(program.places.size());
    cuda::SourceRange place;
    place.begin.line = place.end.line = static_cast<int>(program.code.size()) + 1;
    program.places.push_back(place);
    program.code.push_back(i);
    return program.code.back();
  }
  Reg op(Opcode opcode, ScalarType type, Reg a, Reg b = kNoReg, Reg c = kNoReg) {
    const auto one = [](Reg r) { return r == kNoReg || is_uniform(r); };
    const Reg dst = one(a) && one(b) && one(c) ? uniform() : varying();
    emit(opcode, type, dst, a, b, c);
    return dst;
  }
  Reg add(Reg a, Reg b) { return op(Opcode::Add, ScalarType::I32, a, b); }
  Reg mul(Reg a, Reg b) { return op(Opcode::Mul, ScalarType::I32, a, b); }
  Reg lt(Reg a, Reg b) { return op(Opcode::Lt, ScalarType::I32, a, b); }
  Reg convert(Reg a, ScalarType from, ScalarType to) {
    const Reg dst = like(a);
    emit(Opcode::Convert, from, dst, a).to = to;
    return dst;
  }
  void mov(Reg dst, Reg a, ScalarType type = ScalarType::I32) { emit(Opcode::Mov, type, dst, a); }

  int site(memory::Op op, SiteSpace space, ScalarType type, int components = 1) {
    AccessSite s;
    s.op = op;
    s.space = space;
    s.element = type;
    s.bytes = size_of(type) * components;
    s.range.begin.line = s.range.end.line = static_cast<int>(program.code.size()) + 1;
    program.sites.push_back(s);
    return static_cast<int>(program.sites.size()) - 1;
  }
  Instr& access(Opcode opcode, SiteSpace space, ScalarType type, Reg base, Reg index, int components = 1,
                ScalarType index_type = ScalarType::I32) {
    const memory::Op kind = opcode == Opcode::Load    ? memory::Op::Load
                            : opcode == Opcode::Store ? memory::Op::Store
                                                      : memory::Op::Atomic;
    const int id = site(kind, space, type, components);
    Instr& i = emit(opcode, type, kNoReg, base, index);
    i.components = static_cast<std::uint8_t>(components);
    i.index_type = index_type;
    i.scale = size_of(type) * components;
    i.site = id;
    if (space == SiteSpace::Shared) i.leads_to = kSharedPlace;
    if (space == SiteSpace::Global) i.leads_to = kAnyBuffer;
    for (std::size_t p = 0; p < program.parameters.size(); ++p)
      if (program.parameters[p].reg == base) i.leads_to = place_of_parameter(p);
    return i;
  }
  Reg load(Reg base, Reg index, ScalarType type = ScalarType::F32, SiteSpace space = SiteSpace::Global) {
    const Reg dst = index != kNoReg ? like(index) : like(base);
    access(Opcode::Load, space, type, base, index).dst = dst;
    return dst;
  }
  void store(Reg base, Reg index, Reg value, ScalarType type = ScalarType::F32,
             SiteSpace space = SiteSpace::Global) {
    access(Opcode::Store, space, type, base, index).c = value;
  }

  int frame() { return program.frames++; }
  int here() const { return static_cast<int>(program.code.size()); }
  int control(Opcode op, int frame_number = -1, Reg a = kNoReg, int target = -1) {
    Instr& i = emit(op, ScalarType::I32, kNoReg, a);
    i.frame = frame_number;
    i.target = target;
    return here() - 1;
  }
  void target(int instr, int to) { program.code[static_cast<std::size_t>(instr)].target = to; }

  // if (condition) then();
  template <class Then>
  void if_then(Reg condition, Then then) {
    const int f = frame(), begin = control(Opcode::If, f, condition);
    then();
    target(begin, here());
    const int end = control(Opcode::EndIf, f);
    target(end, here());
  }
  template <class Then, class Else>
  void if_else(Reg condition, Then then, Else otherwise) {
    const int f = frame(), begin = control(Opcode::If, f, condition);
    then();
    target(begin, here());
    const int middle = control(Opcode::Else, f);
    otherwise();
    target(middle, here());
    const int end = control(Opcode::EndIf, f);
    target(end, here());
  }
  // while (condition()) body(); of lanes that may leave one by one.
  template <class Condition, class Body>
  void while_varying(Condition condition, Body body) {
    const int f = frame();
    control(Opcode::Enter, f);
    const int top = here();
    const int test = control(Opcode::Test, f, condition());
    body(f);
    control(Opcode::Jump, -1, kNoReg, top);
    target(test, here());
    const int leave = control(Opcode::Leave, f);
    target(leave, here());
  }

  Program finish() {
    // Joins outside every other join end the warp where no lane is left; End does that by itself.
    control(Opcode::End);
    analyse(program);
    return program;
  }
};

}  // namespace warplens::sim
