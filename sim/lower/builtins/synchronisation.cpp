// cuda::barrier and cuda::pipeline: their types, what they do, and waiting.
//
// A pipeline of a thread waits for its own copies alone, and those are there at once. One of a block has two
// barriers a stage, as libcu++ of CUDA 13 has: producers arrive at the first, consumers at the second.
#include <algorithm>

#include "sim/lower/ir/flow.h"
#include "sim/lower/lowering.h"
#include "sim/lower/memory/barrier.h"

namespace warplens::sim::lower {

namespace {

constexpr ScalarType kCounter = MemoryBarrier::kCount;
constexpr const char* kBarrier = "cuda::barrier";
constexpr const char* kPipeline = "cuda::pipeline";
constexpr const char* kState = "cuda::pipeline_shared_state";
constexpr std::int64_t kStageBytes = 2 * MemoryBarrier::kBytes;

bool is_named(TypeRef type, std::string_view name) {
  return type->is(Type::Kind::Record) && type->record->definition == nullptr &&
         type->record->name.starts_with(name);
}

// The last word of `cuda::thread_scope_block`, as a type or as a value.
std::string last_word(const cuda::TemplateArgument& argument) {
  std::string word;
  if (argument.type) word = argument.type->name;
  const auto* name = argument.value ? std::get_if<cuda::NameExpr>(&argument.value->node) : nullptr;
  if (name != nullptr) word = name->name;
  return word.substr(word.rfind(':') + 1);
}

}  // namespace

bool Lowering::is_library_type(std::string_view name) const {
  return name == kBarrier || name == kPipeline || name == kState || name == "cuda::aligned_size_t";
}

// Empty where another type is meant.
std::optional<TypeRef> Lowering::library_type(const cuda::TypeName& written, bool complain) {
  if (!is_library_type(written.name)) return {};
  const auto& arguments = written.arguments;
  const std::string scope = arguments.empty() ? "" : last_word(arguments[0]);
  if (written.name == "cuda::aligned_size_t") {
    const auto bytes = arguments.empty() || !arguments[0].value
                           ? std::nullopt
                           : constant_integer(*arguments[0].value, Message("an alignment"));
    if (!bytes) return types.error();
    return library_record(written.name + "<" + std::to_string(*bytes) + ">",
                          {{"value", types.scalar(ScalarType::U64), 0}}, 8);
  }
  if (scope != "thread_scope_block" && (written.name != kPipeline || scope != "thread_scope_thread")) {
    if (complain)
      error(written.range, Message("'{}' of this scope is not simulated", written.name),
            Message("one of cuda::thread_scope_block is"));
    return types.error();
  }
  const std::string name = written.name + "<" + scope + ">";
  const TypeRef counter = types.scalar(kCounter);
  if (written.name == kBarrier)
    return library_record(name, {{"arrivals", counter, 0}, {"expected", counter, 4}}, 8);
  if (written.name == kPipeline) return library_record(name, pipeline_fields(), 24);
  const auto stages = arguments.size() < 2 || !arguments[1].value
                          ? std::nullopt
                          : constant_integer(*arguments[1].value, Message("a number of stages"));
  if (!stages || *stages < 1 || *stages > 255) return types.error();
  // Behind the barriers a count of the threads that use it.
  const TypeRef barriers = types.array(types.scalar(ScalarType::U64), 2 * *stages + 1);
  return library_record(name + std::to_string(*stages), {{"stages", barriers, 0}}, *stages * kStageBytes + 8);
}

TypeRef Lowering::library_record(const std::string& name, std::vector<Field> fields, std::int64_t size) {
  TypeRef& known = instantiated_structs_[name];
  if (known) return known;
  Record* record = types.new_record(name);
  record->fields = std::move(fields);
  record->size = size;
  record->alignment = 8;
  record->key = name;
  return known = types.record(record);
}

bool Lowering::is_barrier(TypeRef type) const {
  return is_named(type, kBarrier);
}
bool Lowering::is_pipeline(TypeRef type) const {
  return is_named(type, "cuda::pipeline<");
}
bool Lowering::is_thread_pipeline(TypeRef type) const {
  return is_named(type, "cuda::pipeline<thread_scope_thread");
}

// 0: not such a size; else the alignment that it promises.
std::int64_t Lowering::promised_alignment(TypeRef type) const {
  constexpr std::string_view kName = "cuda::aligned_size_t<";
  return is_named(type, kName) ? std::stoll(type->record->name.substr(kName.size())) : 0;
}

// Empty where the object is neither.
std::optional<Result> Lowering::synchronisation_method(const Result& object, const std::string& method,
                                                       const BuiltinCall& c) {
  if (is_pipeline(object.type)) return pipeline_method(object, method, c);
  if (!is_barrier(object.type)) return {};
  return object.kind == Kind::Memory ? barrier_method(object, method, c)
                                     : fail(c.range, Message("a barrier lies in memory"),
                                            Message("declare it __shared__, and pass it by reference"));
}

Result Lowering::barrier_method(const Result& object, const std::string& method, const BuiltinCall& c) {
  MemoryBarrier barrier(b, object.address, c.range);
  const std::size_t given = c.node->arguments.size();
  const auto phase_of = [&](Value v) { return value(kCounter, v); };
  if (method == "arrive" && given <= 1) {
    const Value count = given == 1 ? argument_as(c, 0, kCounter) : b.integer(kCounter, 1);
    return count == kNone ? bad() : phase_of(barrier.arrive(count));
  }
  if (method == "arrive_and_wait" && given == 0) {
    barrier.wait_for(barrier.arrive(b.integer(kCounter, 1)));
    return void_result();
  }
  if ((method == "wait" || method == "wait_parity" || method == "try_wait" || method == "try_wait_parity") &&
      given == 1) {
    const Value which = argument_as(c, 0, kCounter);
    if (which == kNone) return bad();
    if (method.ends_with("parity"))
      barrier.wait_for_parity(which);
    else
      barrier.wait_for(which);
    // To try is to wait as long as it takes: a GPU ends a try sooner, and the kernel tries again.
    return method.starts_with("try") ? value(ScalarType::Bool, b.integer(ScalarType::Bool, 1))
                                     : void_result();
  }
  return fail(c.range, Message("a barrier has no function '{}' with {} arguments here", method, given),
              Message("arrive, wait, arrive_and_wait and wait_parity are simulated"));
}

// The barrier of a stage that is `turn` modulo the number of stages; the second one: of the consumers.
Address Lowering::stage_barrier(const Result& pipeline, Value turn, bool second) {
  Address address{pipeline.parts[3], {}, 0};
  const Value stage = b.op(Opcode::Rem, kCounter, turn, pipeline.parts[2]);
  b.add_index(address, stage, kCounter, kStageBytes, false);
  if (second) address.advance(MemoryBarrier::kBytes);
  return address;
}

Result Lowering::pipeline_method(const Result& object, const std::string& method, const BuiltinCall& c) {
  static constexpr std::string_view kKnown[] = {"producer_acquire", "producer_commit", "consumer_wait",
                                                "consumer_release", "quit"};
  if (std::find(std::begin(kKnown), std::end(kKnown), method) == std::end(kKnown) ||
      !c.node->arguments.empty())
    return fail(
        c.range,
        Message("a pipeline has no function '{}' with {} arguments here", method, c.node->arguments.size()),
        Message("producer_acquire, producer_commit, consumer_wait and consumer_release are simulated"));
  if (method == "quit") return value(ScalarType::Bool, b.integer(ScalarType::Bool, 1));
  if (is_thread_pipeline(object.type)) return void_result();
  const Result now = settled(rvalue(object, AccessText{c.range, text_of(c.range), c.node}));
  if (now.is_error()) return bad();
  const bool produces = method.starts_with("producer"),
             counts = method.ends_with("commit") || method.ends_with("release");
  const std::size_t field = produces ? 0 : 1;
  const Value turn = now.parts[field], one = b.integer(kCounter, 1);
  MemoryBarrier barrier(
      b, stage_barrier(now, turn, method == "producer_acquire" || method == "consumer_release"), c.range);
  const Value round = b.op(Opcode::Div, kCounter, turn, now.parts[2]);
  if (!counts) {
    barrier.wait_for_phases(produces ? round : b.op(Opcode::Add, kCounter, round, one));
    return void_result();
  }
  (void)barrier.arrive(one);
  const Result counter = member_of(object, produces ? "head" : "tail", c.range);
  (void)assign(counter, value(kCounter, b.op(Opcode::Add, kCounter, turn, one)), *c.node->callee);
  return void_result();
}

// make_pipeline(), make_pipeline(block, &state), and with the number of producers or the thread's role.
Result Lowering::make_pipeline(const BuiltinCall& c) {
  if (!arguments_are(c, 0, 3)) return bad();
  const std::size_t given = c.node->arguments.size();
  if (given < 2) {
    const TypeRef type = library_record("cuda::pipeline<thread_scope_thread>", pipeline_fields(), 24);
    return zero_of(type);
  }
  const Result group = argument(c, 0), state = argument(c, 1);
  if (group.is_error() || state.is_error()) return bad();
  const bool fits = group.type->is(Type::Kind::Group) && group.type->group_size == 0 &&
                    state.type->is_pointer() && is_named(state.type->element, kState);
  if (!fits)
    return fail(c.range,
                Message("'{}' needs a thread block and the address of a pipeline_shared_state", c.name));
  const std::int64_t stages = (size_of(state.type->element) - 8) / kStageBytes;
  const Value threads = block_method("size", no_arguments_of(c)).value();
  Value producers = threads, consumers = threads;
  if (given == 3) {
    producers = number_of_producers(c);
    if (producers == kNone) return bad();
    consumers = b.op(Opcode::Sub, kCounter, threads, producers);
  }
  const Address at = b.settled(address_of(state));
  const Value is_first = b.op(Opcode::Eq, kCounter, thread_rank(), b.integer(kCounter, 0));
  where(b, is_first, c.range, [&] {
    for (std::int64_t i = 0; i < 2 * stages; ++i) {
      Address barrier = at;
      barrier.advance(MemoryBarrier::kBytes, i);
      MemoryBarrier(b, barrier, c.range).initialise(i % 2 == 0 ? producers : consumers);
    }
  });
  b.plain(Opcode::Barrier);
  const TypeRef type = library_record("cuda::pipeline<thread_scope_block>", pipeline_fields(), 24);
  const Value zero = b.integer(kCounter, 0);
  const Value count = b.integer(kCounter, static_cast<std::uint64_t>(stages));
  return {Kind::Rvalue, type, {zero, zero, count, b.address_value(at)}, {}};
}

std::vector<Field> Lowering::pipeline_fields() const {
  const TypeRef counter = types.scalar(kCounter);
  return {{"head", counter, 0},
          {"tail", counter, 4},
          {"stages", counter, 8},
          {"state", types.scalar(ScalarType::U64), 16}};
}

// The third argument of make_pipeline(): how many of the block's first threads produce, or whether this one
// does.
Value Lowering::number_of_producers(const BuiltinCall& c) {
  const cuda::Expr& given = *c.node->arguments[2];
  if (const Value role = role_of(given); role != kNone)
    return b.convert(b.block_vote(BlockVote::Count, role), ScalarType::I32, kCounter);
  return argument_as(c, 2, kCounter);
}

// Bool: whether `cuda::pipeline_role::producer` is meant, also by a variable; kNone where it is no role.
Value Lowering::role_of(const cuda::Expr& e) {
  if (std::holds_alternative<cuda::NameExpr>(e.node)) {
    const Result named = expr(e);
    const bool is_role =
        !named.is_error() && named.type->is_scalar() && scalar_of(named.type) == ScalarType::Bool;
    return is_role ? condition_of(e) : kNone;
  }
  const auto* choice = std::get_if<cuda::ConditionalExpr>(&e.node);
  if (choice == nullptr) return kNone;
  const Value first = role_of(*choice->then_value), second = role_of(*choice->else_value);
  if (first == kNone || second == kNone) return kNone;
  const Value condition = condition_of(*choice->condition);
  return condition == kNone ? kNone : b.op(Opcode::Select, ScalarType::Bool, condition, first, second);
}

// init(&barrier, threads)
Result Lowering::initialise_barrier(const BuiltinCall& c) {
  if (!arguments_are(c, 2, 2)) return bad();
  const Result pointer = argument(c, 0);
  const Value count = argument_as(c, 1, kCounter);
  if (pointer.is_error() || count == kNone) return bad();
  if (!pointer.type->is_pointer() || !is_barrier(pointer.type->element))
    return fail(c.range, Message("'{}' needs the address of a cuda::barrier, not '{}'", c.name,
                                 name_of(pointer.type)));
  MemoryBarrier(b, address_of(pointer), c.range).initialise(count);
  return void_result();
}

Result Lowering::builtin_pipeline(const Builtin& f, const BuiltinCall& c) {
  switch (f.as<PipelineFunction>()) {
    case PipelineFunction::Make:
      return make_pipeline(c);
    case PipelineFunction::Copy:
      return library_copy(c);
    case PipelineFunction::Initialise:
      return initialise_barrier(c);
    case PipelineFunction::Move:
      return arguments_are(c, 1, 1) ? expr(*c.node->arguments[0]) : bad();
    case PipelineFunction::Wait:
      break;
  }
  for (const cuda::ExprPtr& given : c.node->arguments) (void)expr(*given);
  return void_result();
}

Lowering::BuiltinCall Lowering::no_arguments_of(const BuiltinCall& c) const {
  static const cuda::CallExpr none;
  BuiltinCall other = c;
  other.node = &none;
  return other;
}

}  // namespace warplens::sim::lower
