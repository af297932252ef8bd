// Calls of host code: its own functions, what CUDA and the standard library do, and launches.
#include <algorithm>
#include <cmath>

#include "app/source/host_run.h"
#include "app/source/programs.h"
#include "sim/cuda/text/names.h"
#include "sim/lower/lower.h"

namespace warplens::app::host {
namespace {

// What of a call's arguments is only read.
bool only_reads(std::string_view name) {
  static const std::set<std::string_view> kNames{
      "printf", "fprintf",      "puts",   "cudaFree",   "free",
      "assert", "cudaFreeHost", "delete", "accumulate", "cudaGetErrorString"};
  return kNames.contains(name);
}

}  // namespace

Value HostRun::call_expr(const Expr& expr, const cuda::CallExpr& node) {
  if (!node.configuration.empty()) return launch(expr, node);
  if (const auto* member = as<cuda::MemberExpr>(*node.callee)) return method(node, *member);
  const auto* name = as<cuda::NameExpr>(*node.callee);
  if (name == nullptr) {
    const Value callee = eval(*node.callee);
    if (callee.kind == Kind::Function) return call(Callable(callable_of(callee)), node.arguments);
    return unknown_call(node);
  }
  if (const auto variable = lookup(name->name)) {
    const Value callee = read(*variable);
    if (callee.kind == Kind::Function) return call(Callable(callable_of(callee)), node.arguments);
    if (const auto of_object = method_of(callee, "operator()", node.arguments.size()))
      return call(*of_object, node.arguments);
    const Value drawn = callee;  // of a uniform_int_distribution
    const Value called = unknown_call(node);
    return drawn.is_drawn() ? drawn : called;
  }
  if (frames_.back().self >= 0 && frames_.back().of != nullptr)
    if (const Function* own = find_method(*frames_.back().of, name->name, node.arguments.size()))
      return call({.function = own, .self = frames_.back().self, .of = frames_.back().of}, node.arguments);
  const Function* function = find_function(name->name, node.arguments.size());
  if (function == nullptr && functions_.count(name->name) > 1) {
    std::vector<Value> values;
    for (const cuda::ExprPtr& argument : node.arguments) values.push_back(eval(*argument));
    function = find_function(name->name, node.arguments.size(), &values);
  }
  if (function != nullptr)
    return call({.function = function, .templates = template_values(name->arguments)}, node.arguments);
  if (name->name.starts_with("cudaLaunch") || name->name.starts_with("cuLaunch"))
    return launch_call(expr, node, name->name);
  for (const auto known : {&HostRun::known_allocation, &HostRun::known_copy, &HostRun::known_device,
                           &HostRun::known_number, &HostRun::known_order, &HostRun::known_other})
    if (const auto value = (this->*known)({std::string(last_part(name->name)), *name, node.arguments}))
      return *value;
  return unknown_call(node);
}

// To what may change what a pointer leads to, and call a function.
void HostRun::hand_over(const Value& value) {
  forget_contents(value);
  if (value.kind != Kind::Function) return;
  constexpr std::size_t kMostHandedOver = 16;
  const Function& called = *callable_of(value).function;
  if (called.body && called.kind != Function::Kind::Kernel && frames_.size() < kMostHandedOver)
    may_happen([&] { (void)call(Callable(callable_of(value)), {}); });
}

// It may change what it is given the address of, and what its pointers lead to.
Value HostRun::unknown_call(const cuda::CallExpr& node) {
  const auto* name = as<cuda::NameExpr>(*node.callee);
  const bool reads = name != nullptr && only_reads(last_part(name->name));
  for (const cuda::ExprPtr& argument : node.arguments) {
    const Value value = eval(*argument);
    if (!reads) hand_over(value);
  }
  static const std::set<std::string_view> kChanging{"getline", "tie", "ref", "from_chars", "exchange"};
  if (name != nullptr && kChanging.contains(last_part(name->name)))
    for (const cuda::ExprPtr& argument : node.arguments) forget(place(*argument));
  if (name != nullptr && name->name.starts_with("cuda") && name->name.find("String") == std::string::npos &&
      name->name.find("Name") == std::string::npos)
    return integer(0);  // cudaSuccess
  if (name != nullptr && name->name.starts_with("cu") && name->name.size() > 2 && std::isupper(name->name[2]))
    return integer(0);
  return {};
}

bool HostRun::LibraryCall::is(std::initializer_list<std::string_view> names, std::size_t least) const {
  return arguments.size() >= least && std::find(names.begin(), names.end(), name) != names.end();
}

Value HostRun::argument(const LibraryCall& call, std::size_t i) {
  return i < call.arguments.size() ? eval(*call.arguments[i]) : Value{};
}

// What makes memory.
std::optional<Value> HostRun::known_allocation(const LibraryCall& call) {
  struct Row {
    std::string_view name;
    int target = 0, size = 1, times = -1;  // by place in the arguments; no target: it is what is returned
  };
  static constexpr Row kRows[] = {{"cudaMalloc"},       {"cudaMallocManaged"},       {"cudaMallocHost"},
                                  {"cudaHostAlloc"},    {"cudaMallocAsync"},         {"cuMemAlloc"},
                                  {"malloc", -1, 0},    {"_mm_malloc", -1, 0},       {"aligned_alloc", -1, 1},
                                  {"calloc", -1, 0, 1}, {"cudaMallocPitch", 0, 2, 3}};
  const auto& types = call.callee.arguments;
  if (call.is({"new"}, 0) && !types.empty() && types[0].type) {
    const Type* element = resolve(*types[0].type);
    const int made = call.arguments.empty()
                         ? make_object(element)
                         : make_allocation(element, sized(argument(call, 0), element), false);
    if (!at(made).is_list()) at(made).bytes = sized(integer(1), element);
    return pointer(made, 0, types_.pointer_to(element));
  }
  if (call.is({"new one"}, 1)) {
    const Value made = argument(call, 0);
    const int object = made.kind == Kind::Object ? made.object : make_object(made.type);
    if (made.kind != Kind::Object) write({object}, made);
    if (!at(object).is_list()) at(object).bytes = sized(integer(1), made.type);
    return pointer(object, 0, types_.pointer_to(made.type));
  }
  const auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) {
    return call.name == r.name && std::cmp_greater(call.arguments.size(), std::max(r.size, r.times));
  });
  if (row == std::end(kRows)) return {};
  const auto size = [&](int i) {
    return cast(argument(call, static_cast<std::size_t>(i)), types_.of(ScalarType::U64));
  };
  const Place target = row->target < 0 ? Place{} : deref(argument(call, 0));
  Value bytes = size(row->size);
  if (call.name == "cudaMallocPitch") {  // rows of multiples of 512 bytes
    const Place pitch = deref(argument(call, 1));
    if (bytes.kind == Kind::Integer)
      bytes =
          integer(static_cast<std::int64_t>((static_cast<std::uint64_t>(bytes.integer) + 511) / 512 * 512),
                  ScalarType::U64);
    write(pitch, bytes);
    if (pitch.is_valid()) bytes = read(pitch);
  }
  if (row->times >= 0) bytes = combined(BinaryOp::Mul, bytes, size(row->times));
  const bool is_variable = target.is_valid() && target.index == Place::kWhole;
  const Type* type = is_variable ? at(target.object).type : nullptr;
  const Type* element = type != nullptr && type->text != "void*" ? type->pointee : nullptr;
  if (row->target >= 0 && !target.is_valid()) return integer(0);
  const Value made = pointer(make_allocation(element, bytes, call.name == "calloc"), 0, type);
  if (row->target < 0) return made;
  write(target, made);
  return integer(0);
}

namespace {

// What a program asks of the GPU: as a member of cudaDeviceProp, behind "cudaDevAttr", and of an array of
// numbers which.
struct DeviceFact {
  const char *member, *attribute;
  std::int64_t value;
  std::int64_t element = -1;
};

std::vector<DeviceFact> device_facts(const memory::GpuModel& gpu) {
  return {{"multiProcessorCount", "MultiProcessorCount", gpu.multiprocessors},
          {"maxThreadsPerBlock", "MaxThreadsPerBlock", gpu.max_threads_per_block},
          {"maxThreadsPerMultiProcessor", "MaxThreadsPerMultiProcessor", gpu.multiprocessor_threads},
          {"maxBlocksPerMultiProcessor", "MaxBlocksPerMultiprocessor", gpu.multiprocessor_blocks},
          {"warpSize", "WarpSize", memory::kWarpLanes},
          {"sharedMemPerBlock", "MaxSharedMemoryPerBlock", gpu.static_shared_bytes},
          {"sharedMemPerBlockOptin", "MaxSharedMemoryPerBlockOptin", gpu.max_shared_bytes},
          {"sharedMemPerMultiprocessor", "MaxSharedMemoryPerMultiprocessor", gpu.multiprocessor_shared_bytes},
          {"l2CacheSize", "L2CacheSize", static_cast<std::int64_t>(gpu.l2_bytes)},
          {"major", "ComputeCapabilityMajor", gpu.compute_major},
          {"maxGridSize", "MaxGridDimX", gpu.max_grid_x, 0},
          {"maxGridSize", "MaxGridDimY", gpu.max_grid_y, 1},
          {"maxGridSize", "MaxGridDimZ", gpu.max_grid_z, 2},
          {"maxThreadsDim", "MaxBlockDimX", gpu.max_block_x, 0},
          {"maxThreadsDim", "MaxBlockDimY", gpu.max_block_y, 1},
          {"maxThreadsDim", "MaxBlockDimZ", gpu.max_block_z, 2},
          {"canMapHostMemory", "CanMapHostMemory", 1},
          {"managedMemory", "ManagedMemory", 1}};
}

}  // namespace

// The GPU is the one that is predicted for, and the only one.
std::optional<Value> HostRun::known_device(const LibraryCall& call) {
  if (!call.name.starts_with("cuda")) return {};
  const std::vector<DeviceFact> facts = device_facts(predicted_gpu());
  if (call.is({"cudaGetDeviceProperties"}, 1)) {
    const Place target = deref(argument(call, 0));
    const int properties = target.is_valid() ? whole(target) : -1;
    for (const DeviceFact& fact : facts) {
      if (properties < 0) break;
      const bool is_list = fact.element >= 0 && !at(properties).parts.contains(fact.member);
      if (is_list) {
        const int list = make_object(types_.of(ScalarType::I32), {3});
        at(properties).parts.emplace(fact.member, list);
      }
      write({part(properties, fact.member), fact.element}, integer(fact.value));
    }
  } else if (call.is({"cudaDeviceGetAttribute"}, 2)) {
    const Place target = deref(argument(call, 0));
    const auto* name = as<cuda::NameExpr>(*call.arguments[1]);
    forget(target);
    for (const DeviceFact& fact : facts)
      if (name != nullptr && last_part(name->name) == std::string("cudaDevAttr") + fact.attribute)
        write(target, integer(fact.value));
  } else if (call.is({"cudaGetDevice", "cudaGetDeviceCount"}, 1)) {
    write(deref(argument(call, 0)), integer(call.name == "cudaGetDevice" ? 0 : 1));
  } else {
    return {};
  }
  return integer(0);
}

// What fills it and copies.
std::optional<Value> HostRun::known_copy(const LibraryCall& call) {
  if (call.is({"cudaMemcpy", "cudaMemcpyAsync", "memcpy"}, 3)) {
    const Value to = argument(call, 0), from = argument(call, 1);
    copy_contents(to, from, argument(call, 2));
  } else if (call.is({"cudaMemset", "cudaMemsetAsync", "memset"}, 3)) {
    const Value to = argument(call, 0), byte = argument(call, 1), bytes = argument(call, 2);
    const Type* element = to.kind == Kind::Pointer ? at(to.object).type : nullptr;
    const auto every = static_cast<std::int64_t>(byte.integer & 0xff) * 0x0101010101010101;
    Value filled = byte;
    if (byte.kind == Kind::Integer && byte.integer != 0)
      filled =
          is_number(element) ? converted(integer(every, ScalarType::I64), *element->scalar, types_) : Value{};
    fill(to, bytes, filled);
  } else if (call.is({"cudaMemcpyToSymbol"}, 3)) {
    const Value to = argument(call, 0), from = argument(call, 1);
    const Place target = place(*call.arguments[0]);
    const auto* symbol = as<cuda::NameExpr>(*call.arguments[0]);
    if (symbol != nullptr && target.is_valid()) symbols_[symbol->name] = pointer(target.object, 0, nullptr);
    if (to.kind == Kind::Pointer)
      copy_contents(to, from, argument(call, 2));
    else
      write(target, from.kind == Kind::Pointer ? read(deref(from)) : Value{});
  } else if (call.name.starts_with("getopt") && !has_arguments_) {
    return integer(-1);
  } else if (call.is({"cudaHostGetDevicePointer"}, 2)) {
    const Place target = deref(argument(call, 0));
    write(target, argument(call, 1));
  } else if (call.name.starts_with("cuTensorMapEncodeTiled") && call.arguments.size() >= 10) {
    const Value map = argument(call, 0);
    if (map.kind == Kind::Pointer) encode(call.arguments, map.object);
  } else {
    return {};
  }
  return integer(0);
}

void HostRun::encode(Arguments arguments, int map) {
  const auto* swizzle = as<cuda::NameExpr>(*arguments[9]);
  for (const TensorPart& part_of : kTensorParts) {
    const bool is_list = part_of.list < 9;
    if (const Value list = is_list ? eval(*arguments[part_of.list]) : Value{}; list.kind == Kind::Pointer)
      write({part(map, part_of.name)}, read({list.object, part_of.at}));
    for (const auto& [end, bytes] : {std::pair{"_NONE", 0}, {"_32B", 32}, {"_64B", 64}, {"_128B", 128}})
      if (!is_list && swizzle != nullptr && swizzle->name.ends_with(end))
        write({part(map, part_of.name)}, integer(bytes));
  }
}

// So many bytes behind a pointer, all elements alike; whole arrays alone.
void HostRun::fill(const Value& to, const Value& bytes, const Value& value) {
  const Value all = bytes_of(to);
  forget_contents(to);
  const bool is_whole = to.kind == Kind::Pointer && to.has_offset && to.integer == 0 &&
                        bytes.kind == Kind::Integer && all.kind == Kind::Integer &&
                        bytes.integer >= all.integer;
  if (is_whole && value.kind != Kind::Unknown) fill_whole(to.object, value);
}

// Functions of numbers.
std::optional<Value> HostRun::known_number(const LibraryCall& call) {
  // A float's `f` behind a function's name left out, and that of floating numbers in front of it.
  std::string name = call.name.size() > 1 && call.name.ends_with('f')
                         ? call.name.substr(0, call.name.size() - 1)
                         : call.name;
  if (name == "fmin" || name == "fmax") name.erase(0, 1);
  const bool is_of_one = call.arguments.size() == 1 && (name == "abs" || sim::apply_function(name, 1));
  const bool is_of_two =
      call.arguments.size() == 2 && (name == "min" || name == "max" || name == "pow" || name == "ceil_div");
  if (!is_of_one && !is_of_two) return {};
  const Value x = argument(call, 0);
  if (is_of_two) {
    const Value y = argument(call, 1);
    const bool is_known = x.is_number() && y.is_number();
    if (name == "ceil_div")
      return combined(BinaryOp::Div, combined(BinaryOp::Sub, combined(BinaryOp::Add, x, y), integer(1)), y);
    if (name == "pow") {
      Value out{.type = types_.of(ScalarType::F64)};
      if (is_known) out.kind = Kind::Floating, out.floating = std::pow(x.real(), y.real());
      return out;
    }
    Value out{.type = x.type};
    if (is_known) out = (name == "min" ? x.real() <= y.real() : x.real() >= y.real()) ? x : y;
    out.formula = quiet_ == 0 ? formulas_.call(name, {x, y}) : -1;
    return out;
  }
  if (name == "abs") {
    Value out = x.kind == Kind::Integer && x.integer < 0 ? apply(BinaryOp::Sub, integer(0), x, types_) : x;
    out.floating = std::abs(out.floating);
    out.formula = -1;
    return out;
  }
  const bool is_float = x.type && x.type->scalar == ScalarType::F32;
  Value out{.type = types_.of(is_float ? ScalarType::F32 : ScalarType::F64)};
  if (x.is_number()) out.kind = Kind::Floating, out.floating = *sim::apply_function(name, x.real());
  out.formula = quiet_ == 0 ? formulas_.call(name, {x}) : -1;
  return out;
}

// Of a literal, or of letters that an array holds; nullopt: not known.
std::optional<std::string> HostRun::text_of(const Expr& expr) {
  constexpr std::size_t kLongest = 4096;
  if (const auto* literal = as<cuda::StringLiteral>(expr)) return literal->value.substr(0, kLongest);
  Place at = deref(eval(expr));
  for (std::string text; at.index >= 0 && text.size() < kLongest; ++at.index) {
    const Value letter = read(at);
    if (letter.kind != Kind::Integer) break;
    if (letter.integer == 0) return text;
    text += static_cast<char>(letter.integer);
  }
  return {};
}

// What hands values on, and the rest.
std::optional<Value> HostRun::known_other(const LibraryCall& call) {
  const std::string& name = call.name;
  if (call.is({"pthread_create"}, 4)) {
    const Value start = argument(call, 2);
    if (start.kind == Kind::Function)
      (void)this->call(Callable(callable_of(start)), call.arguments.subspan(3, 1));
    return integer(0);
  }
  if (call.arguments.size() == 1 &&
      call.is({"move", "forward", "ref", "raw_pointer_cast", "data", "get", "as_const"}, 1)) {
    const Value made = argument(call, 0);
    if (made.kind == Kind::Object && name == "move") {
      const Value moved = copied(made);
      forget({made.object});
      return moved;
    }
    if (made.kind == Kind::Object && (name == "data" || name == "raw_pointer_cast"))
      return cast(made, types_.pointer_to(at(made.object).type));
    return made;
  }
  if (call.arguments.size() == 1 && call.is({"size", "begin", "end", "cbegin", "cend"}, 1))
    return container_method(argument(call, 0).object, name, {});
  if (call.is({"swap"}, 2)) {
    const Place a = place(*call.arguments[0]), b = place(*call.arguments[1]);
    const Value of_a = copied(read(a));
    write(a, read(b));
    write(b, of_a);
    return Value{};
  }
  if (name == "getenv") return Value{.kind = Kind::Null};
  if (call.is({"fill"}, 3)) {
    const Value from = argument(call, 0), until = argument(call, 1), filled = argument(call, 2);
    const bool is_known = until.kind == Kind::Pointer && until.has_offset &&
                          (from.kind != Kind::Pointer || at(from.object).type == nullptr ||
                           at(from.object).type->scalar.has_value());
    fill(from, is_known ? integer(until.integer) : Value{}, filled);
    return Value{};
  }
  if (name.starts_with("make_") && !call.arguments.empty() && cuda::builtin_types().contains(name.substr(5)))
    return construct(types_.of(name.substr(5)), call.arguments);
  if (call.is({"strlen"}, 1)) {
    const auto text = text_of(*call.arguments[0]);
    return text ? integer(static_cast<std::int64_t>(text->size()), ScalarType::U64)
                : Value{.type = types_.of(ScalarType::U64), .formula = formulas_.variable({})};
  }
  if (call.is({"strcpy"}, 2)) {
    const Value to = argument(call, 0);
    const Place first = deref(to);
    const auto text = text_of(*call.arguments[1]);
    if (!text || first.index < 0) hand_over(to);
    for (std::size_t i = 0; text && first.index >= 0 && i <= text->size(); ++i)
      write({first.object, first.index + static_cast<std::int64_t>(i)}, integer(text->c_str()[i]));
    return to;
  }
  if (call.is({"atoi", "stoi", "strtol", "atol", "rand"}, 0)) {
    for (const cuda::ExprPtr& given : call.arguments) (void)eval(*given);
    Value out{.type = types_.of(ScalarType::I32)};
    if (name == "rand") out.most = kMostDrawn;
    out.formula = quiet_ == 0 ? formulas_.variable(out) : -1;
    return out;
  }
  return {};
}

Value HostRun::method(const cuda::CallExpr& node, const cuda::MemberExpr& callee) {
  Value base;
  if (callee.arrow) {
    const Place of = deref(eval(*callee.base));
    if (of.is_valid()) base = read({whole(of)});
  } else {
    base = eval(*callee.base);
  }
  if (base.kind == Kind::Object) {
    if (at(base.object).kind == Object::Kind::Container)
      if (const auto known = container_method(base.object, callee.member, node.arguments)) return *known;
    if (auto callable = method_of(base, callee.member, node.arguments.size())) {
      callable->templates = template_values(callee.arguments);
      return call(*callable, node.arguments);
    }
    forget({base.object});
  }
  return unknown_call(node);
}

std::optional<Value> HostRun::container_method(int object, const std::string& name, Arguments arguments) {
  if (object < 0) return Value{};
  const auto value = [&](std::size_t i) { return i < arguments.size() ? eval(*arguments[i]) : Value{}; };
  const Type* element = at(object).type;
  const auto bytes = size_of(element);
  if (name == "data" || name == "begin" || name == "cbegin" || name == "get" || name == "end" ||
      name == "cend") {
    Value out = pointer(object, 0, types_.pointer_to(element));
    if (name.ends_with("end")) {
      out.integer = at(object).bytes.integer;
      out.has_offset = at(object).bytes.kind == Kind::Integer;
    }
    return out;
  }
  if (name == "size" || name == "length") {
    const Value& all = at(object).bytes;
    if (!bytes) return Value{};
    Value out = apply(BinaryOp::Div, all, integer(*bytes, ScalarType::U64), types_);
    out.formula = formulas_.divided(all.formula, *bytes);
    if (out.type == nullptr) out.type = types_.of(ScalarType::U64);
    return out;
  }
  if (name == "empty") {
    const Value& all = at(object).bytes;
    return all.kind == Kind::Integer ? integer(all.integer == 0, ScalarType::Bool) : Value{};
  }
  if (name == "resize" || name == "assign") {
    const Value count = value(0), filled = arguments.size() > 1 ? value(1) : integer(0);
    note(object);
    const bool is_plain = count.is_number() || count.formula >= 0;
    const Value before = at(object).bytes;
    const bool is_new = name == "assign" || (before.kind == Kind::Integer && before.integer == 0);
    at(object).bytes = is_plain ? sized(count, element) : Value{};
    fill_whole(object, filled);
    at(object).is_known = is_new;
    return Value{};
  }
  if (name == "push_back" || name == "emplace_back") {
    const auto* list = arguments.empty() ? nullptr : as<cuda::InitListExpr>(*arguments.front());
    const Value added = list != nullptr        ? construct(element, list->elements)
                        : arguments.size() > 1 ? construct(element, arguments)
                                               : value(0);
    note(object);
    const Value all = at(object).bytes;
    if (all.kind != Kind::Integer || !bytes || *bytes == 0) return Value{};
    write({object, all.integer / *bytes}, added);
    at(object).bytes = apply(BinaryOp::Add, all, integer(*bytes, ScalarType::U64), types_);
    return Value{};
  }
  if (name == "reserve" || name == "clear" || name == "c_str" || name == "shrink_to_fit") {
    if (name == "clear") {
      note(object);
      at(object).bytes = integer(0, ScalarType::U64);
      fill_whole(object, {});
    }
    return Value{};
  }
  return {};
}

// ---- launches ----

Value HostRun::launch(const Expr& expr, const cuda::CallExpr& node) {
  LaunchSeen seen;
  seen.range = expr.range;
  const Value kernel = eval(*node.callee);
  for (const cuda::ExprPtr& part : node.configuration) {
    const auto* list = as<cuda::InitListExpr>(*part);
    seen.configuration.push_back(list ? construct(types_.of("dim3"), list->elements) : eval(*part));
  }
  for (const cuda::ExprPtr& argument : node.arguments) seen.arguments.push_back(eval(*argument));
  tell(kernel, std::move(seen));
  return {};
}

// cudaLaunchKernel((void*)kernel, grid, block, arguments, bytes, stream), also cooperative;
// cudaLaunchKernelEx(&config, kernel, a, b).
Value HostRun::launch_call(const Expr& expr, const cuda::CallExpr& node, std::string_view name) {
  LaunchSeen seen;
  seen.range = expr.range;
  std::vector<Value> values;
  for (const cuda::ExprPtr& argument : node.arguments) values.push_back(eval(*argument));
  if (name == "cudaLaunchKernelEx" && values.size() >= 2) {
    const Place config = deref(values[0]);
    if (config.is_valid() && at(config.object).kind == Object::Kind::Scalar)
      for (const char* field : {"gridDim", "blockDim", "dynamicSmemBytes"})
        seen.configuration.push_back(read({part(config.object, field)}));
    seen.arguments.assign(values.begin() + 2, values.end());
    tell(values[1], std::move(seen));
  } else if (values.size() >= 4) {
    seen.configuration = {values[1], values[2]};
    if (values.size() > 4) seen.configuration.push_back(values[4]);
    const Value &kernel = values[0], &list = values[3];
    const bool is_known = kernel.kind == Kind::Function && list.kind == Kind::Pointer;
    const std::size_t count = is_known ? callable_of(kernel).function->parameters.size() : 0;
    for (std::size_t i = 0; i < count; ++i)
      seen.arguments.push_back(read(deref(read({list.object, static_cast<std::int64_t>(i)}))));
    tell(kernel, std::move(seen));
  }
  return integer(0);
}

void HostRun::tell(const Value& kernel, LaunchSeen seen) {
  constexpr std::size_t kFewest = 2;
  if (kernel.kind != Kind::Function || seen.configuration.size() < kFewest) return;
  const Callable& callable = callable_of(kernel);
  const Function* function = find_function(callable.function->name, seen.arguments.size(), &seen.arguments);
  seen.kernel = function != nullptr ? function : callable.function;
  if (seen.kernel->kind != Function::Kind::Kernel || gave_up_) return;
  seen.templates = callable.templates;
  seen.is_reached = !explores_;
  if (!is_open_) {
    launches_.erase(seen.range.begin.offset);
    seen_(seen);
  }
  // What the kernel takes as constant it leaves as it is.
  for (std::size_t i = 0; i < seen.arguments.size(); ++i) {
    const cuda::TypeName* type =
        i < seen.kernel->parameters.size() ? &seen.kernel->parameters[i].type : nullptr;
    if (type == nullptr || !type->is_const || type->pointers != 1) forget_contents(seen.arguments[i]);
  }
  std::erase_if(symbols_, [&](const auto& symbol) { return written_by_kernels_.contains(symbol.first); });
}

}  // namespace warplens::app::host
