#include "sim/machine/decode.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "sim/machine/handlers.h"
#include "sim/program/operands.h"
#include "sim/program/operations.h"
#include "sim/program/per_register.h"

namespace warplens::sim {

namespace {

// A rough upper bound for the steps, the accesses and the description of undefined values.
constexpr std::uint64_t kBytesAnInstr = 4 * sizeof(Step);

// Where a warp's registers lie: scratch and uniform ones of 8 bytes, then varying ones of 32 lanes each.
class RegisterLayout {
 public:
  explicit RegisterLayout(const Program& program)
      : program_(program), uses_(program), undefined_at_(program, -1) {}

  void use_instr(const Instr& instr, Keep keep) {
    if (keep == Keep::Nothing) return;
    const auto use = [&](Reg r, ScalarType type) {
      uses_[r].bytes = std::max(uses_[r].bytes, lane_bytes(type));
    };
    if (keep == Keep::Addresses) return each_address(instr, use);
    each_read(instr, use);
    each_written(instr, use);
  }
  // And a mask for each that some instruction writes: lanes that have a value.
  void use_variables() {
    for (const Variable& variable : program_.variables) {
      if (variable.reg == kNoReg) continue;
      Use& use = uses_[variable.reg];
      use.bytes = std::max(use.bytes, lane_bytes(variable.is_pointer ? ScalarType::U64 : variable.type));
      use.variable = true;
    }
    for (const Instr& instr : program_.code) {
      each_written(instr, [&](Reg r, ScalarType) { uses_[r].defined = uses_[r].variable; });
    }
  }
  // And a slot for each: they may have no value.
  void use_undefined(const std::vector<Reg>& registers) {
    for (const Reg r : registers) uses_[r].undefined = true;
  }
  void place(Code& code) {
    code.register_at = code.defined_at = PerRegister<std::int32_t>(program_, -1);
    std::int32_t at = 8 * kScratch;
    const auto eight = [&](std::int32_t& place) {
      place = at;
      at += 8;
    };
    uses_.each_uniform([&](Reg r, const Use& use) {
      if (use.bytes > 0) eight(code.register_at[r]);
    });
    uses_.each([&](Reg r, const Use& use) {
      if (use.defined) eight(code.defined_at[r]);
      if (use.undefined) eight(undefined_at_[r]);
    });
    at = (at + 63) / 64 * 64;
    code.first_scratch_varying = at;
    at += kScratch * kWarpLanes * 8;
    uses_.each([&](Reg r, const Use& use) {
      if (is_uniform(r) || use.bytes == 0) return;
      code.register_at[r] = at;
      at += kWarpLanes * use.bytes;
    });
    code.initial.assign(static_cast<std::size_t>(at / 64 + 1), RegisterLine{});
  }
  // -1: it always has a value.
  std::int32_t undefined_at(Reg r) const { return r == kNoReg ? -1 : undefined_at_[r]; }
  static std::int32_t scratch_uniform(int i) { return 8 * i; }

 private:
  static constexpr int kScratch = 4;  // of each kind
  struct Use {
    int bytes = 0;           // a lane; 0: unused
    bool variable = false;   // of the lane table
    bool defined = false;    // with a mask
    bool undefined = false;  // with a slot
  };
  const Program& program_;
  PerRegister<Use> uses_;
  PerRegister<std::int32_t> undefined_at_;
};

class Decoder {
 public:
  Decoder(const Bound& bound, const DecodeOptions& options)
      : program_(*bound.program),
        options_(options),
        pace_(options.budget != nullptr ? *options.budget : Budget::endless(), Stage::Preparing),
        held_(pace_.budget()),
        undefined_(undefined_of(program_, options)) {}

  DecodeResult run(const Bound& bound) {
    RegisterLayout layout(program_);
    for (std::size_t i = 0; i < program_.code.size(); ++i)
      layout.use_instr(program_.code[i], keep(program_.code[i]));
    if (options_.variables) layout.use_variables();
    held_.need(program_.code.size() * kBytesAnInstr, Stage::Preparing);
    for (std::size_t v = 0; options_.check && v < program_.variables.size(); ++v) {
      const Variable& variable = program_.variables[v];
      if (variable.read_early) declared_at_[variable.first_instr].push_back(static_cast<int>(v));
    }
    layout.use_undefined(undefined_);
    layout.place(code_);
    layout_ = &layout;
    code_.frames = program_.frames;
    std::vector<std::int32_t> first_step(program_.code.size() + 1);
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      first_step[i] = static_cast<std::int32_t>(code_.steps.size());
      instr_ = static_cast<std::int32_t>(i);
      pace_.step();
      if (keep(program_.code[i]) == Keep::Nothing) continue;
      const Instr instr = without_idle_vote(program_.code[i]);
      if (!undefined_.empty()) check_undefined(instr);
      decode_instr(instr);
      if (!undefined_.empty()) pass_undefined(instr);
      if (options_.variables) note_definitions(instr);
    }
    first_step[program_.code.size()] = static_cast<std::int32_t>(code_.steps.size());
    instr_ = static_cast<std::int32_t>(program_.code.size()) - 1;
    emit(control_handler(Opcode::End, false));  // falling off the end ends
    link(first_step);
    fill_initial(bound);
    return {std::move(code_), std::move(error_)};
  }

 private:
  static const std::vector<Reg>& undefined_of(const Program& program, const DecodeOptions& options) {
    static const std::vector<Reg> none;
    return options.check ? program.undefined_checking : options.counting ? program.undefined_counting : none;
  }
  Keep keep(const Instr& instr) const { return options_.counting ? instr.keep : Keep::Everything; }
  // A barrier whose vote does not count is a plain one.
  Instr without_idle_vote(Instr instr) const {
    if (instr.op != Opcode::Barrier || instr.a == kNoReg || keep(instr) == Keep::Everything) return instr;
    instr.dst = instr.a = kNoReg;
    instr.function = static_cast<std::uint8_t>(BlockVote::None);
    return instr;
  }

  Step& emit(Handler handler, std::int32_t dst = 0, std::int32_t a = 0, std::int32_t b = 0,
             std::int32_t c = 0) {
    if (handler == nullptr && error_.empty()) {
      error_ = Message("the simulator has no operation for instruction {} of {}", instr_, program_.kernel);
    }
    Step step;
    step.run = handler;
    step.dst = dst;
    step.a = a;
    step.b = b;
    step.c = c;
    step.instr = std::max(instr_, 0);
    code_.steps.push_back(step);
    return code_.steps.back();
  }

  std::int32_t at(Reg r) const { return r == kNoReg ? 0 : code_.at(r); }
  static std::int32_t scratch_uniform(int i) { return RegisterLayout::scratch_uniform(i); }

  // An operand made uniform (for a uniform result) or varying (for handlers that know only that).
  std::int32_t as_uniform(Reg r, ScalarType type, int scratch) {
    if (r == kNoReg || is_uniform(r)) return at(r);
    emit(first_lane_handler(lane_class(type)), scratch_uniform(scratch), at(r));
    return scratch_uniform(scratch);
  }
  std::int32_t as_varying(Reg r, ScalarType type, int scratch) {
    if (r == kNoReg) return code_.scratch_varying(scratch);
    if (!is_uniform(r)) return at(r);
    emit(broadcast_handler(lane_class(type)), code_.scratch_varying(scratch), at(r));
    return code_.scratch_varying(scratch);
  }

  // Emits an operation whose handler exists for all shapes but "varying result of uniform operands".
  template <class Give>
  void emit_shaped(const Instr& instr, ScalarType a_type, ScalarType operand_type, bool masked, Give give) {
    const auto is_given_uniform = [](Reg r) { return r == kNoReg || is_uniform(r); };
    const bool all_uniform =
        is_given_uniform(instr.a) && is_given_uniform(instr.b) && is_given_uniform(instr.c);
    const ScalarType result = result_type(instr);
    if (is_uniform(instr.dst)) {
      const std::int32_t a = as_uniform(instr.a, a_type, 0), b = as_uniform(instr.b, operand_type, 1),
                         c = as_uniform(instr.c, operand_type, 2);
      emit(give(Shape{true, true, true, true}), at(instr.dst), a, b, c);
    } else if (all_uniform && !masked) {
      emit(give(Shape{true, true, true, true}), scratch_uniform(3), at(instr.a), at(instr.b), at(instr.c));
      emit(broadcast_handler(lane_class(result)), at(instr.dst), scratch_uniform(3));
    } else {
      emit(
          give(Shape{false, is_given_uniform(instr.a), is_given_uniform(instr.b), is_given_uniform(instr.c)}),
          at(instr.dst), at(instr.a), at(instr.b), at(instr.c));
    }
    if (is_narrow(result) || is_small_float(result)) narrow(instr.dst, result, instr.op);
  }

  void narrow(Reg dst, ScalarType type, Opcode op) {
    const bool keeps_width = op == Opcode::Mov || op == Opcode::Select || op == Opcode::And ||
                             op == Opcode::Or || op == Opcode::Xor || op == Opcode::Min ||
                             op == Opcode::Max || op == Opcode::Rem;
    if (op == Opcode::Convert && is_small_float(type)) return;  // small_float_handler has rounded
    if (keeps_width && !(op == Opcode::Rem && is_small_float(type))) return;
    emit(narrow_handler(type, is_uniform(dst)), at(dst), at(dst));
  }

  UndefinedOperand undefined_operand(Reg r) const {
    if (r == kNoReg) return {-1, -1, true};
    return {layout_->undefined_at(r), at(r), is_uniform(r)};
  }
  UndefinedStep& emit_undefined(UndefinedStep::Kind kind) {
    emit(undefined_handler()).immediate = code_.undefined.size();
    UndefinedStep& step = code_.undefined.emplace_back();
    step.kind = kind;
    step.instr = instr_;
    return step;
  }

  // Variables that begin here, and operands that must have a value.
  void check_undefined(const Instr& instr) {
    const auto declared = declared_at_.find(instr_);
    for (const int v : declared != declared_at_.end() ? declared->second : std::vector<int>()) {
      const Variable& variable = program_.variables[v];
      UndefinedStep& step = emit_undefined(UndefinedStep::Kind::Declare);
      step.masked = true;
      step.dst_uniform = is_uniform(variable.reg);
      step.dst = layout_->undefined_at(variable.reg);
      step.variable = v;
    }
    std::vector<UndefinedOperand> counts, checked;
    const auto into = [&](std::vector<UndefinedOperand>& list) {
      return [&](Reg r, ScalarType) {
        if (layout_->undefined_at(r) >= 0) list.push_back(undefined_operand(r));
      };
    };
    const bool divides = (instr.op == Opcode::Div || instr.op == Opcode::Rem) && !is_floating(instr.type);
    if (is_access(instr.op)) {
      each_address(instr, into(counts));
      if (keep(instr) == Keep::Everything) each_stored(instr, into(checked));
    } else if (divides) {
      if (instr.b != kNoReg) into(counts)(instr.b, instr.type);
    } else if (instr.op == Opcode::Barrier) {  // what other warps are told follows from it
      each_read(instr, into(instr.keep == Keep::Everything ? counts : checked));
    } else if (instr.op == Opcode::Assert || (is_control(instr.op) && instr.a != kNoReg)) {
      each_read(instr, into(counts));
    } else if (instr.op == Opcode::Vote) {
      each_read(instr, into(checked));
    }
    if (!counts.empty()) {
      UndefinedStep& step = emit_undefined(UndefinedStep::Kind::Check);
      step.operands = std::move(counts);
    }
    if (!checked.empty()) {
      UndefinedStep& step = emit_undefined(UndefinedStep::Kind::Check);
      step.operands = std::move(checked);
      step.only_checked = true;
    }
    if (instr.op == Opcode::Shuffle) check_shuffle(instr);
  }

  // Before the shuffle itself, which may write over what it reads.
  void check_shuffle(const Instr& instr) {
    if (layout_->undefined_at(instr.dst) < 0) return;
    UndefinedStep& step = emit_undefined(UndefinedStep::Kind::Shuffle);
    step.masked = true;
    step.dst_uniform = is_uniform(instr.dst);
    step.dst = layout_->undefined_at(instr.dst);
    step.shuffle = static_cast<ShuffleMode>(instr.function);
    for (const Reg r : {instr.a, instr.b, instr.c, instr.d}) step.operands.push_back(undefined_operand(r));
  }

  void pass_undefined(const Instr& instr) {
    using Kind = UndefinedStep::Kind;
    if (instr.op == Opcode::Shuffle) return;
    const bool is_bool = instr.type == ScalarType::Bool;
    Kind kind = Kind::Pass;
    if (instr.op == Opcode::Select) kind = Kind::Select;
    if (instr.op == Opcode::And && is_bool) kind = Kind::And;
    if (instr.op == Opcode::Or && is_bool) kind = Kind::Or;
    if (instr.op == Opcode::Vote) kind = Kind::Vote;
    each_written(instr, [&](Reg dst, ScalarType) {
      if (layout_->undefined_at(dst) < 0) return;
      UndefinedStep& step = emit_undefined(kind);
      step.masked = instr.op == Opcode::Mov || is_access(instr.op) || instr.op == Opcode::Vote;
      step.dst_uniform = is_uniform(dst);
      step.dst = layout_->undefined_at(dst);
      if (is_access(instr.op)) return;  // what memory holds is looked after there
      for (const Reg r : {instr.a, instr.b, instr.c}) {
        if (r != kNoReg) step.operands.push_back(undefined_operand(r));
      }
    });
  }

  void decode_instr(const Instr& instr) {
    const LaneClass type = lane_class(instr.type);
    switch (instr.op) {
      case Opcode::Mov:
        return emit_shaped(instr, instr.type, instr.type, true,
                           [&](Shape s) { return move_handler(type, s); });
      case Opcode::Convert:
        return decode_convert(instr);
      case Opcode::Select:
        return emit_shaped(instr, ScalarType::Bool, instr.type, false,
                           [&](Shape s) { return select_handler(type, s); });
      case Opcode::Fma:
        if (is_small_float(instr.type)) return decode_small_mul_add(instr);
        break;
      case Opcode::Math:
        return decode_math(instr);
      case Opcode::Load:
      case Opcode::Store:
      case Opcode::Atomic:
        return decode_access(instr);
      case Opcode::Shuffle:
        return decode_shuffle(instr);
      case Opcode::MatrixDot:
        return decode_matrix_dot(instr);
      case Opcode::Vote:
        emit(vote_handler(is_uniform(instr.dst), instr.a == kNoReg || is_uniform(instr.a)), at(instr.dst),
             at(instr.a))
            .immediate = instr.function;
        if (options_.check) emit(sync_warp_handler());
        return;
      case Opcode::Assert:
        emit(assert_handler(is_uniform(instr.a)), 0, at(instr.a)).immediate = instr.function;
        return;
      default:
        break;
    }
    if (is_control(instr.op) || is_meeting(instr.op)) return decode_control(instr);
    const Instr known = without_greater(instr);
    emit_shaped(known, known.type, known.type, false,
                [&](Shape s) { return operation_handler(known.op, type, s); });
  }

  void decode_convert(const Instr& instr) {
    const LaneClass from = lane_class(instr.type), to = lane_class(instr.to);
    emit_shaped(instr, instr.type, instr.type, false, [&](Shape s) {
      if (instr.to == ScalarType::Bool) return bool_handler(from, s.dst_uniform);
      if (is_small_float(instr.to)) return small_float_handler(instr.to, from, s.dst_uniform);
      return convert_handler(from, to, s.dst_uniform);
    });
  }

  void decode_math(const Instr& instr) {
    const LaneClass type = lane_class(instr.type);
    const bool one = is_uniform(instr.dst);
    const std::int32_t a = one ? as_uniform(instr.a, instr.type, 0) : as_varying(instr.a, instr.type, 0);
    const std::int32_t b = one ? as_uniform(instr.b, instr.type, 1) : as_varying(instr.b, instr.type, 1);
    emit(math_handler(type, one), at(instr.dst), a, b).immediate = instr.function;
    if (is_narrow(instr.type) || is_small_float(instr.type)) narrow(instr.dst, result_type(instr), instr.op);
  }

  void decode_small_mul_add(const Instr& instr) {
    const bool one = is_uniform(instr.dst);
    const auto operand = [&](Reg r, int i) {
      return one ? as_uniform(r, instr.type, i) : as_varying(r, instr.type, i);
    };
    const std::int32_t a = operand(instr.a, 0), b = operand(instr.b, 1), c = operand(instr.c, 2);
    emit(small_mul_add_handler(instr.type, one), at(instr.dst), a, b, c);
  }

  void decode_shuffle(const Instr& instr) {
    const LaneClass type = lane_class(instr.type);
    const std::int32_t a = as_varying(instr.a, instr.type, 0), b = as_varying(instr.b, ScalarType::U32, 1);
    std::int32_t c = as_varying(instr.c, ScalarType::U32, 2);
    // No width: a register of zeros, which the handler takes as the whole warp.
    if (instr.c == kNoReg) c = code_.scratch_varying(3);
    const bool one = is_uniform(instr.dst);
    const std::int32_t dst = one ? code_.scratch_varying(0) : at(instr.dst);
    emit(shuffle_handler(type), dst, a, b, c).immediate = instr.function;
    if (one) emit(first_lane_handler(type), at(instr.dst), dst);
    if (options_.check) emit(sync_warp_handler());
  }

  void decode_matrix_dot(const Instr& instr) {
    const std::int32_t a = as_varying(instr.a, ScalarType::U32, 0),
                       b = as_varying(instr.b, ScalarType::U32, 1), c = as_varying(instr.c, instr.type, 2);
    emit(matrix_dot_handler(instr.to, instr.index_type), at(instr.dst), a, b, c).immediate = instr.function;
    if (options_.check) emit(sync_warp_handler());
  }

  void decode_access(const Instr& instr) {
    AccessStep x;
    x.site = instr.site;
    x.places = instr.leads_to;
    x.opcode = instr.op;
    x.form = instr.form;
    x.op = instr.op == Opcode::Load    ? memory::Op::Load
           : instr.op == Opcode::Store ? memory::Op::Store
                                       : memory::Op::Atomic;
    if (instr.site >= 0) {
      const AccessSite& site = program_.sites[instr.site];
      x.op = site.op;
      x.increments = site.increments;
      // A copy past the registers leads from global to shared memory, whatever its pointers were made from.
      if (site.form == AccessForm::AsyncCopy)
        x.places &= instr.op == Opcode::Load ? kAnyBuffer : kSharedPlace;
    }
    x.type = instr.type;
    x.components = std::max<std::uint8_t>(1, instr.components);
    x.function = instr.function;
    x.component_bytes = size_of(instr.type);
    x.bytes = x.component_bytes * x.components;
    x.base_uniform = is_uniform(instr.a);
    x.base = at(instr.a);
    x.index_type = instr.index_type;
    x.index_at = at(instr.b);
    x.scale = instr.scale;
    x.offset = instr.offset;
    x.instr = instr_;
    x.want_values = keep(instr) == Keep::Everything;
    if (instr.b == kNoReg)
      x.index = IndexKind::None;
    else if (is_uniform(instr.b))
      x.index = IndexKind::Uniform;
    else if (lane_bytes(instr.index_type) == 8)
      x.index = IndexKind::Lanes64;
    else
      x.index = is_signed(instr.index_type) ? IndexKind::Lanes32Signed : IndexKind::Lanes32Unsigned;
    if (x.want_values && instr.op == Opcode::Store) {
      x.values_uniform = is_uniform(instr.c);
      for (int j = 0; j < x.components; ++j) x.value[j] = at(next_reg(instr.c, j));
    } else if (x.want_values && instr.op == Opcode::Atomic) {
      x.value = {at(instr.c), at(instr.d)};
      x.operand_uniform = {instr.c != kNoReg && is_uniform(instr.c),
                           instr.d != kNoReg && is_uniform(instr.d)};
    }
    x.has_dst = x.want_values && instr.op != Opcode::Store && instr.dst != kNoReg;
    if (x.has_dst) {
      x.dst_uniform = is_uniform(instr.dst);
      const int count = instr.op == Opcode::Load ? x.components : 1;
      for (int j = 0; j < count; ++j) x.dst[j] = at(next_reg(instr.dst, j));
    }
    const Handler plain = options_.check ? checked_access_handler() : access_handler();
    const Handler handler = options_.access != nullptr ? options_.access(x) : plain;
    emit(handler).access = static_cast<std::int32_t>(code_.accesses.size());
    code_.accesses.push_back(x);
  }

  void decode_control(const Instr& instr) {
    if (instr.op == Opcode::SyncWarp) {
      if (options_.check) emit(sync_warp_handler());
      return;
    }
    code_.has_barrier |= instr.op == Opcode::Barrier;
    const bool a_uniform = instr.a != kNoReg && is_uniform(instr.a);
    if (instr.op == Opcode::Barrier && instr.a != kNoReg) {
      emit(vote_barrier_handler(a_uniform), at(instr.dst), at(instr.a)).immediate = instr.function;
      return;
    }
    Step& step = emit(control_handler(instr.op, a_uniform), 0, at(instr.a));
    step.frame = std::max(instr.frame, 0);
    if (instr.op == Opcode::Barrier) step.immediate = instr.function;
  }

  // Remembers which lanes a variable has been given a value in.
  void note_definitions(const Instr& instr) {
    each_written(instr, [&](Reg r, ScalarType) {
      const std::int32_t place = code_.defined_at[r];
      if (place >= 0) emit(define_handler(is_uniform(r)), place);
    });
  }

  void link(const std::vector<std::int32_t>& first_step) {
    for (std::size_t i = 0; i < code_.steps.size(); ++i) {
      Step& step = code_.steps[i];
      if (program_.code.empty()) continue;
      const Instr& instr = program_.code[step.instr];
      if (!jumps(instr.op) || instr.target < 0) continue;
      const auto target = std::min<std::size_t>(static_cast<std::size_t>(instr.target), program_.code.size());
      step.jump = first_step[target] - static_cast<std::int32_t>(i);
    }
  }

  void fill_initial(const Bound& bound) {
    auto* bytes = reinterpret_cast<std::byte*>(code_.initial.data());
    code_.register_at.each_uniform([&](Reg r, std::int32_t at) {
      if (at >= 0) std::memcpy(bytes + at, &bound.uniform[reg_index(r)], 8);
    });
  }

  const Program& program_;
  const DecodeOptions& options_;
  Pace pace_;
  HeldMemory held_;
  std::unordered_map<std::int32_t, std::vector<int>>
      declared_at_;                    // variables without a value, by instruction
  const std::vector<Reg>& undefined_;  // registers that may have no value
  const RegisterLayout* layout_ = nullptr;
  Code code_;
  Message error_;
  std::int32_t instr_ = 0;
};

}  // namespace

DecodeResult decode(const Bound& bound, const DecodeOptions& options) {
  return Decoder(bound, options).run(bound);
}

Prepared prepare(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                 const DecodeOptions& options) {
  Prepared prepared;
  prepared.wrong = bind(program, launch, gpu, prepared.bound);
  if (!prepared.wrong.empty()) return prepared;
  DecodeResult decoded = decode(prepared.bound, options);
  prepared.code = std::move(decoded.code);
  prepared.wrong = std::move(decoded.error);
  return prepared;
}

RunError bad_launch(Message message) {
  RunError error;
  error.kind = RunError::Kind::BadLaunch;
  error.message = std::move(message);
  return error;
}

}  // namespace warplens::sim
