// asm(): operands in, instructions, operands out.
#include <algorithm>
#include <array>

#include "sim/lower/ptx/ptx_lowering.h"

namespace warplens::sim::lower {

void Lowering::lower(const cuda::AsmStmt& node, const cuda::Stmt&) {
  PtxLowering(*this, &node, b.place).run(node);
}

std::optional<ScalarType> ptx_type(std::string_view name) {
  using enum ScalarType;
  static constexpr Word<ScalarType> kTypes[] = {{"pred", Bool}, {"b8", U8},      {"u8", U8},    {"s8", I8},
                                                {"b16", U16},   {"u16", U16},    {"s16", I16},  {"f16", U16},
                                                {"bf16", U16},  {"b32", U32},    {"u32", U32},  {"s32", I32},
                                                {"f16x2", U32}, {"bf16x2", U32}, {"tf32", U32}, {"b64", U64},
                                                {"u64", U64},   {"s64", I64},    {"f32", F32},  {"f64", F64}};
  return meaning_of(name, kTypes);
}

namespace {

std::optional<ScalarType> type_of_constraint(std::string_view constraint) {
  constraint.remove_prefix(std::min(constraint.find_first_not_of("=+&"), constraint.size()));
  using enum ScalarType;
  static constexpr Word<ScalarType> kLetters[] = {{"h", U16}, {"r", U32}, {"l", U64},
                                                  {"n", U64}, {"f", F32}, {"d", F64}};
  return meaning_of(constraint, kLetters);
}

struct Refusal {
  std::string_view prefix;
  Message remedy;
};
const std::vector<Refusal>& refusals() {
  static const Message surfaces(
      "surfaces of one to three dimensions are simulated, of values of up to 32 bits, without layers");
  static const std::vector<Refusal> all{
      {"wgmma",
       Message(
           "m64nNk16 of f16 and bf16, k8 of tf32, k32 of s8, u8, e4m3 and e5m2 are simulated, without .sp")},
      {"tcgen05", Message("use mma.sync on fragments that ldmatrix loads")},
      {"wmma", Message("use mma.sync on fragments that ldmatrix loads")},
      {"cp.async.bulk.tensor", Message("boxes of one to three dimensions are simulated, between global and "
                                       "the block's own shared memory")},
      {"cp.async.bulk", Message("copies between global and the block's own shared memory are simulated")},
      {"cp.reduce", Message("use atomics")},
      {"mbarrier", Message("use mbarrier.init, arrive and try_wait of the block's own shared memory")},
      {"tex", Message("textures of one to three dimensions are simulated, without layers, levels of detail "
                      "and gradients, as parameters of a kernel in PTX")},
      {"suld", surfaces},
      {"sust", surfaces},
      {"tld4", Message("fetch the four texels one by one")},
      {"st.async", Message("store with st.shared::cluster, and order it by barrier.cluster")},
      {"red.async", Message("use red.shared::cluster, and order it by barrier.cluster")},
      {"clusterlaunchcontrol", Message("give every block its work by its index")},
  };
  return all;
}

}  // namespace

void PtxLowering::run(const cuda::AsmStmt& node) {
  ptx::Text text = ptx::parse(node.text);
  if (!text.error.empty()) complain(text.error);
  bind_operands(node);
  for (std::size_t i = 0; i < text.instructions.size(); ++i) {
    const Instruction& one = text.instructions[i];
    l_.step();
    if (!one.label.empty()) continue;
    one.name() == "bra" ? jump(text, i) : instruction(one);
  }
  assign_outputs(node);
}

void PtxLowering::complain(Message message, Message remedy) {
  l_.fail(range_, std::move(message), std::move(remedy));
}

// ---- operands

void PtxLowering::bind_operands(const cuda::AsmStmt& node) {
  std::size_t number = 0;
  for (const cuda::AsmOperand& operand : node.outputs) {
    const std::string name = "%" + std::to_string(number++);
    const Result target = l_.expr(*operand.expr);
    outputs_.push_back(target);
    l_.operators.check_assignable(target, *operand.expr);
    if (operand.constraint.starts_with("+"))
      bind_input(name, operand, true);
    else if (!type_of_constraint(operand.constraint))
      complain(Message("the asm constraint \"{}\" is not supported", operand.constraint));
  }
  for (const cuda::AsmOperand& operand : node.inputs)
    bind_input("%" + std::to_string(number++), operand, false);
}

void PtxLowering::bind_input(const std::string& name, const cuda::AsmOperand& operand, bool is_output) {
  const auto type = type_of_constraint(operand.constraint);
  if (!type) return complain(Message("the asm constraint \"{}\" is not supported", operand.constraint));
  const Result given = is_output ? l_.rvalue(outputs_.back(), *operand.expr) : l_.value_of(*operand.expr);
  Cell cell;
  cell.type = *type;
  cell.expr = operand.expr.get();
  if (given.type->is_pointer()) {
    cell.address = b_.settled(l_.address_of(given));
    cell.value = b_.address_value(*cell.address);
    cell.type = ScalarType::U64;
  } else if (given.type->is_scalar()) {
    const ScalarType from = given.type->scalar;
    if (is_small_float(from))
      cell.value = b_.bits_of_small(given.value(), from), cell.type = ScalarType::U16;
    else
      cell.value = b_.settled(*type, cast(given.value(), from, *type));
  } else {
    return complain(Message("asm takes numbers and pointers, not '{}'", name_of(given.type)));
  }
  cells_[name] = cell;
}

void PtxLowering::assign_outputs(const cuda::AsmStmt& node) {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const auto written = cells_.find("%" + std::to_string(i));
    if (written == cells_.end()) continue;
    const Result& target = outputs_[i];
    const TypeRef type = l_.types.plain(target.type);
    Value value = written->second.value;
    if (type->is_pointer())
      value = cast(value, written->second.type, ScalarType::U64);
    else if (!type->is_scalar())
      complain(Message("asm takes numbers and pointers, not '{}'", name_of(type)));
    else if (is_small_float(type->scalar))
      value = b_.single_of_bits(cast(value, written->second.type, ScalarType::U32), type->scalar);
    else
      value = cast(value, written->second.type, type->scalar);
    (void)l_.operators.assign(target, l_.value(type, value), *node.outputs[i].expr);
  }
}

// Values of one width are the same in a register; of another one the low bits, or zeros before them.
Number PtxLowering::cast(Value value, ScalarType from, ScalarType to) {
  const Number given(b_, from, value);
  if (from == to) return given;
  const bool same_width = size_of(from) == size_of(to) && size_of(from) >= 4;
  const auto bits_of = [](ScalarType type) { return size_of(type) == 4 ? ScalarType::U32 : ScalarType::U64; };
  if (!same_width) {
    if (is_floating(from)) return cast(value, bits_of(from), to);
    return is_floating(to) ? cast(given.to(bits_of(to)), to) : given.to(to);
  }
  if (!is_floating(from) && !is_floating(to)) return given.to(to);
  return {b_, to, b_.bit_cast(value, to)};
}

Number PtxLowering::special(const std::string& name) {
  static constexpr Word<Reg> kRegisters[] = {
      {"%laneid", kLaneIndex},  {"%warpid", kWarpIndex},  {"%tid.x", kThreadIdxX},  {"%tid.y", kThreadIdxY},
      {"%tid.z", kThreadIdxZ},  {"%ntid.x", kBlockDimX},  {"%ntid.y", kBlockDimY},  {"%ntid.z", kBlockDimZ},
      {"%ctaid.x", kBlockIdxX}, {"%ctaid.y", kBlockIdxY}, {"%ctaid.z", kBlockIdxZ}, {"%nctaid.x", kGridDimX},
      {"%nctaid.y", kGridDimY}, {"%nctaid.z", kGridDimZ}};
  if (const auto known = meaning_of(name, kRegisters)) return input(*known);
  if (const auto known = l_.clusters.cluster_register(name)) return *known;
  const Number bit = number(1) << lane(), below = bit - 1u;
  if (name == "%lanemask_eq") return bit;
  if (name == "%lanemask_lt") return below;
  if (name == "%lanemask_le") return below | bit;
  if (name == "%lanemask_ge") return ~below;
  if (name == "%lanemask_gt") return ~(below | bit);
  if (name == "%clock" || name == "%clock64" || name == "%globaltimer" || name == "%clock_hi" ||
      name == "%globaltimer_lo")
    return Number(b_, ScalarType::I64, l_.memory.next_clock(name, range_)).to(ScalarType::U32);
  if (name.starts_with("%envreg"))
    complain(Message("grid.sync() is not simulated as compiled"),
             Message("the kernel as written is simulated with it: leave --compiled out"));
  complain(Message("the PTX register '{}' is not simulated", name),
           name == "%smid" || name == "%nsmid" || name == "%warpid"
               ? Message("which multiprocessor a block runs on is not simulated: go by the block's index")
               : Message{});
}

Number PtxLowering::read(const Operand& operand, ScalarType type) {
  const auto bits = static_cast<std::uint64_t>(operand.number);
  if (operand.kind == Operand::Kind::Number) {
    if (operand.is_single || operand.is_double) {
      const ScalarType given = operand.is_single ? ScalarType::F32 : ScalarType::F64;
      const Number literal(b_, given, b_.ir.constant(given, bits));
      return is_floating(type) ? literal.to(type) : cast(literal, type);
    }
    if (type == ScalarType::Bool) return number(bits != 0, type);
    return cast(number(bits, size_of(type) == 8 ? ScalarType::U64 : ScalarType::U32), type);
  }
  if (operand.kind != Operand::Kind::Name)
    complain(Message("the PTX text is not understood: a register was expected"));
  const auto found = cells_.find(operand.name);
  if (found != cells_.end()) touch(found->second);
  if (const Cell* cell = found != cells_.end() ? &found->second : first_value(operand.name)) {
    const Number value = cast(cell->value, cell->type, type);
    if (operand.negated) return !value;
    return bits == 0 ? value : value + bits;  // an address in a variable: tile+16
  }
  const bool is_special =
      operand.name.size() > 1 && operand.name[0] == '%' && (operand.name[1] < '0' || operand.name[1] > '9');
  if (is_special) return cast(special(operand.name), type);
  complain(Message("the PTX register '{}' is read before it has a value", operand.name));
}

std::vector<Value> PtxLowering::read_all(const Operand& operand, ScalarType type) {
  std::vector<Value> values;
  if (operand.kind != Operand::Kind::Vector) return {read(operand, type)};
  for (const Operand& part : operand.parts) values.push_back(read(part, type));
  return values;
}

void PtxLowering::write(const Operand& operand, ScalarType type, Value value) {
  if (operand.name == "_" || value == kNone) return;
  const auto target = targets_.find(operand.name);
  if (target != targets_.end()) {
    b_.move(target->second.value, target->second.type, cast(value, type, target->second.type));
    return;
  }
  Cell& cell = cells_[operand.name];
  if (cell.stays) {
    touch(cell);
    value = cast(value, type, cell.type);
    if (condition_ != kNone) value = b_.op(Opcode::Select, cell.type, condition_, value, cell.value);
    b_.move(cell.value, cell.type, value);
    return;
  }
  value = b_.settled(type, value);
  if (condition_ != kNone) {
    const Value before = cell.value == kNone ? b_.ir.constant(type, 0) : cast(cell.value, cell.type, type);
    value = b_.op(Opcode::Select, type, condition_, value, before);
  }
  const cuda::Expr* expr = cell.expr;
  cell = {value, type, {}, expr, false, array_of(operand.name)};
}

// ---- instructions

const PtxLowering::Entry* PtxLowering::entry_of(const Instruction& instruction) {
  using P = PtxLowering;
  using enum Predicate;
  static constexpr auto kEntries = std::to_array<Entry>({
      {"mov", &P::move, Chooses, 2, 2, "-"},
      {"add sub", &P::two, Chooses, 3, 3, "rn rz rm rp ftz sat cc relu"},
      {"addc subc", &P::with_carry, Chooses, 3, 3, "cc"},
      {"madc", &P::with_carry, Chooses, 4, 4, "lo hi cc"},
      {"div", &P::two, Chooses, 3, 3, "rn rz rm rp ftz full approx"},
      {"rem and or xor", &P::two, Chooses, 3, 3, "-"},
      {"min max", &P::two, Chooses, 3, 3, "ftz NaN relu"},
      {"shl shr", &P::shift, Chooses, 3, 3, "-"},
      {"neg abs", &P::one, Chooses, 2, 2, "ftz"},
      {"not", &P::one, Chooses, 2, 2, "-"},
      {"mul", &P::multiply, Chooses, 3, 3, "rn rz rm rp ftz sat lo hi wide"},
      {"mad", &P::multiply_add, Chooses, 4, 4, "rn rz rm rp ftz sat lo hi wide cc"},
      {"fma", &P::multiply_add, Chooses, 4, 4, "rn rz rm rp ftz sat relu"},
      {"setp set", &P::compare, Chooses, 3, 4},
      {"selp", &P::choose_value, Chooses, 4, 4, "-"},
      {"slct", &P::choose_value, Chooses, 4, 4, "ftz"},
      {"cvt", &P::convert, Chooses, 2, 3,
       "rn rz rm rp rni rzi rmi rpi rna ftz sat satfinite relu e4m3x2 e5m2x2"},
      {"lop3", &P::logic3, Chooses, 5, 5, "-"},
      {"ex2 lg2 rsqrt sin cos", &P::function, Chooses, 2, 2, "approx ftz"},
      {"rcp", &P::function, Chooses, 2, 2, "rn rz rm rp ftz approx"},
      {"sqrt", &P::function, Chooses, 2, 2, "rn ftz approx"},
      {"tanh", &P::function, Chooses, 2, 2, "approx"},
      {"popc clz brev", &P::function, Chooses, 2, 2, "-"},
      {"cvta", &P::address_space, Chooses, 2, 2},
      {"isspacep", &P::is_in_space, Chooses, 2, 2},
      {"ld ldu", &P::load, Branches, 2, 3},
      {"st", &P::store, Branches, 2, 3},
      {"atom", &P::atomic, Branches, 3, 4},
      {"red", &P::atomic, Branches, 2, 3},
      {"cp", &P::copy},
      {"tex", &P::fetch_texture},
      {"suld sust", &P::access_surface},
      {"prefetch prefetchu discard nanosleep griddepcontrol applypriority setmaxnreg pmevent", &P::nothing},
      {"membar fence", &P::fence},
      {"bar barrier", &P::barrier, Refused},
      {"mapa", &P::map_address, Chooses, 3, 3},
      {"ldmatrix", &P::load_matrix, Refused, 2, 2},
      {"wmma", &P::fragments, Refused},
      {"stmatrix", &P::store_matrix, Refused, 2, 2},
      {"mma", &P::multiply_matrices, Refused},
      {"mbarrier", &P::memory_barrier, Branches, 1, 4},
      {"wgmma", &P::multiply_warpgroup, Refused},
      {"prmt", &P::permute_bytes, Chooses, 4, 4},
      {"bfe", &P::take_bits, Chooses, 4, 4},
      {"bfi", &P::put_bits, Chooses, 5, 5},
      {"bmsk", &P::make_mask, Chooses, 3, 3},
      {"copysign", &P::copy_sign, Chooses, 3, 3},
      {"shf", &P::funnel, Chooses, 4, 4},
      {"bfind", &P::find_bit, Chooses, 2, 2},
      {"dp4a dp2a", &P::dot_product, Chooses, 4, 4},
      {"elect", &P::elect, Refused, 2, 2},
      {"vote", &P::vote, Refused, 2, 3},
      {"match", &P::match, Refused, 3, 3},
      {"redux", &P::reduce_lanes, Refused, 3, 3},
      {"shfl", &P::shuffle, Refused, 4, 5},
      {"activemask", &P::active_lanes, Refused, 1, 1},
      {"trap brkpt", &P::trap},
      {"createpolicy", &P::give_policy, Chooses, 1, 99},
  });
  const auto found = std::ranges::find_if(
      kEntries, [&](const Entry& entry) { return text::names_word(entry.names, instruction.name()); });
  return found == kEntries.end() ? nullptr : &*found;
}

void PtxLowering::refuse(const Instruction& instruction) {
  Message remedy(
      "write it in C++; ldmatrix, stmatrix, mma.sync, cp.async, ld, st, atom, cvta and arithmetic are "
      "simulated");
  std::size_t longest = 0;
  for (const Refusal& refusal : refusals()) {
    if (!instruction.text.starts_with(refusal.prefix) || refusal.prefix.size() < longest) continue;
    longest = refusal.prefix.size();
    remedy = refusal.remedy;
  }
  complain(Message("the PTX instruction '{}' is not simulated", instruction.text), remedy);
}

void PtxLowering::takes(const Instruction& instruction, std::size_t least, std::size_t most) {
  if (instruction.operands.size() < least || instruction.operands.size() > most)
    complain(Message("'{}' does not take {} operands", instruction.text, instruction.operands.size()));
}

// What the operands are is read from the text; each instruction takes as many as its row says, and no word
// that is not known, as if it meant nothing.
void PtxLowering::work(const Instruction& instruction, const Entry& entry) {
  const auto is_known = [&](const std::string& part) {
    return ptx_type(part) || part.ends_with("x2") || text::names_word(entry.words, part);
  };
  if (!entry.words.empty() && !std::all_of(instruction.parts.begin() + 1, instruction.parts.end(), is_known))
    refuse(instruction);
  takes(instruction, entry.least, entry.most);
  (this->*entry.work)(instruction);
}

void PtxLowering::instruction(const Instruction& instruction) {
  const Entry* entry = entry_of(instruction);
  if (entry == nullptr) return refuse(instruction);
  if (instruction.predicate.empty()) return work(instruction, *entry);
  Number condition = read({.name = instruction.predicate}, ScalarType::Bool);
  if (instruction.negated) condition = !condition;
  const auto known = b_.bits(condition);
  if (!known) return predicated(instruction, *entry, condition);
  if (*known != 0) work(instruction, *entry);
}

// Lanes that a predicate leaves out keep what a register held before.
void PtxLowering::predicated(const Instruction& instruction, const Entry& entry, Value condition) {
  if (entry.predicate == Predicate::Chooses) {
    condition_ = condition;
    work(instruction, entry);
    condition_ = kNone;
    return;
  }
  if (entry.predicate == Predicate::Refused)
    complain(Message("a predicate on '{}' is not supported", instruction.text),
             Message("write an if around it"));
  ptx::each_register(instruction, [&](const std::string& name, bool is_written) {
    if (!is_written) return;
    const auto before = cells_.find(name);
    if (before != cells_.end() && before->second.stays) return;
    const auto type = declared_type(name) ? declared_type(name) : ptx_type(instruction.last());
    if (!type) return;
    const Cell cell{b_.ir.variable(*type, b_.region), *type};
    b_.move(cell.value, *type,
            before == cells_.end() ? b_.ir.constant(*type, 0)
                                   : cast(before->second.value, before->second.type, *type));
    targets_[name] = cell;
  });
  where(b_, condition, range_, [&] { work(instruction, entry); });
  for (const auto& [register_name, cell] : targets_)
    cells_[register_name] = {b_.copy(cell.type, cell.value), cell.type};
  targets_.clear();
}

}  // namespace warplens::sim::lower
