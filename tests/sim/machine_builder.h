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

  Reg pointer(const std::string& name, ScalarType type = ScalarType::F32) {
    KernelParameter p;
    p.name = name;
    p.is_pointer = true;
    p.type = type;
    p.element_bytes = size_of(type);
    p.type_text = std::string(name_of(type)) + "*";
    p.reg = uniform();
    program.parameters.push_back(p);
    return p.reg;
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
  Reg lt(Reg a, Reg b) { return op(Opcode::Lt, ScalarType::I32, a, b); }
  Reg convert(Reg a, ScalarType from, ScalarType to) {
    const Reg dst = like(a);
    emit(Opcode::Convert, from, dst, a).to = to;
    return dst;
  }
  void mov(Reg dst, Reg a, ScalarType type = ScalarType::I32) { emit(Opcode::Mov, type, dst, a); }

  // Of global memory.
  Instr& access(Opcode opcode, ScalarType type, Reg base, Reg index) {
    AccessSite s;
    s.op = opcode == Opcode::Load ? memory::Op::Load : memory::Op::Store;
    s.space = SiteSpace::Global;
    s.element = type;
    s.bytes = size_of(type);
    s.range.begin.line = s.range.end.line = here() + 1;
    program.sites.push_back(s);
    Instr& i = emit(opcode, type, kNoReg, base, index);
    i.scale = size_of(type);
    i.site = static_cast<int>(program.sites.size()) - 1;
    i.leads_to = kAnyBuffer;
    for (std::size_t p = 0; p < program.parameters.size(); ++p)
      if (program.parameters[p].reg == base) i.leads_to = place_of_parameter(p);
    return i;
  }
  void load(Reg base, Reg index) { access(Opcode::Load, ScalarType::F32, base, index).dst = like(index); }
  void store(Reg base, Reg index, Reg value, ScalarType type) {
    access(Opcode::Store, type, base, index).c = value;
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
  Program finish() {
    // Joins outside every other join end the warp where no lane is left; End does that by itself.
    control(Opcode::End);
    analyse(program);
    return program;
  }
};

}  // namespace warplens::sim
