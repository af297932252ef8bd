// Loads, stores and atomics of a random kernel.
#include <algorithm>
#include <bit>

#include "tests/differential/kernel_maker.h"

namespace warplens::differential {

namespace {

Features features_of_place(const Array& array) {
  Features f = array.type->features | array.features;
  if (array.place == Place::Local) f |= set_of({Feature::LocalArray});
  if (array.place == Place::Shared) f |= set_of({Feature::SharedArray});
  if (array.place == Place::Constant) f |= set_of({Feature::Constant});
  return f;
}

}  // namespace

std::vector<const Array*> KernelMaker::arrays(Place place, bool written, Level level) const {
  std::vector<const Array*> found;
  for (const Array& a : arrays_) {
    if (a.place == place && (written ? a.writes : a.reads) && (written ? a.level >= level : a.level <= level))
      found.push_back(&a);
  }
  return found;
}

const Array* KernelMaker::array(Place place, bool written, Level level) {
  const std::vector<const Array*> found = arrays(place, written, level);
  return found.empty() ? nullptr : random_.one_of(found);
}

// Any index that buffers without end have.
Node KernelMaker::endless_index(int depth, Level level) {
  const auto value = [&] { return integer(depth + 1, level); };
  switch (random_.pick(0, 12)) {
    case 0:
      return node(Kind::Int, "(@ & 0xffff)", value());
    case 1:
      if (level == Level::Thread)
        return node(Kind::Int, random_.one_of({"t", "t * 2", "lane * 33", "(n & 1023) + t"}));
      return node(Kind::Int,
                  random_.one_of({"gid", "x", "y * 256 + x", "x * 64 + y", "gid * 3 + 1", "y * 33 + x"}));
    case 2:
      if (level == Level::Thread) return node(Kind::Int, "(99 - t)");
      return node(Kind::Int,
                  random_.one_of({"(200000 - gid)", "(65536 - x * 3)", "(x + 1)", "gid / 2 + lane"}));
    case 3:
      return with(node(Kind::Int, "(unsigned)(@)", value()), {Feature::UnsignedIndex});
    case 4:
      return node(Kind::Int, "abs(@)", node(Kind::Int, "(@ >> 2)", value()));
    case 5:
      return node(Kind::Int, "max(@, 0)", value());
    case 6:
      return with(
          node(Kind::Long, "((long long)(@ & 0xfff) * " + std::to_string(random_.pick(1, 40)) + " + @)",
               value(), node(Kind::Int, "(@ & 127)", integer(depth + 1, Level::Thread))),
          {Feature::LongIndex});
    case 7:
      return with(node(Kind::Long, "((size_t)(@ & 0x3fff) * 5)", value()), {Feature::LongIndex});
    case 8:
      if (!risky_) return node(Kind::Int, "(@ & 1023)", value());
      return with(node(Kind::Long, "(@)", wide(depth + 1, level)), {Feature::LongIndex});
    case 9:
      if (risky_) return value();
      [[fallthrough]];
    default:
      return node(Kind::Int, "(@ & " + random_.one_of({"1023", "8191", "63", "0x3ffff"}) + ")", value());
  }
}

// An index below the array's number of elements, but where the kernel is a risky one.
Node KernelMaker::bounded_index(const Array& array, int depth, Level level) {
  const std::uint64_t mask = std::bit_floor(array.elements) - 1;
  const std::string last = std::to_string(array.elements - 1);
  const bool is_grid = array.place == Place::Global && level >= Level::Affine &&
                       array.elements >= launch().grid.count() * launch().block.count();
  const bool is_block = array.elements >= launch().block.count();
  const auto value = [&] { return integer(depth + 1, level); };
  switch (random_.pick(0, 9)) {
    case 0:
    case 1:
      if (is_grid) return node(Kind::Int, "gid");
      if (is_block) return node(Kind::Int, "t");
      break;
    case 2:
      if (is_grid) return node(Kind::Int, "(" + last + " - gid)");
      if (is_block) return node(Kind::Int, "(t ^ 1) % " + std::to_string(array.elements));
      break;
    case 3:
      return node(Kind::Int, "min(@ & 0xfffff, " + last + ")", value());
    case 4:
      return with(node(Kind::Int, "(unsigned)(@) % " + std::to_string(array.elements) + "u", value()),
                  {Feature::UnsignedIndex});
    case 5:
      return with(node(Kind::Long, "((long long)(@) & " + std::to_string(mask) + ")", value()),
                  {Feature::LongIndex});
    case 6:
      if (risky_ && random_.chance(70))
        return random_.chance(50) ? value() : node(Kind::Int, "t + @", constant());
      break;
    default:
      break;
  }
  return node(Kind::Int, "(@ & " + std::to_string(mask) + ")", value());
}

Node KernelMaker::index(const Array& array, int depth, Level level) {
  return array.elements == 0 ? endless_index(depth, level) : bounded_index(array, depth, level);
}

// The element itself, to read or to write.
Node KernelMaker::element(const Array& array, int depth, Level level) {
  Node n;
  if (array.rows > 0) {
    const auto within = [&](int extent, const char* usual) {
      if (random_.chance(35)) return node(Kind::Int, std::string(usual) + " & " + std::to_string(extent - 1));
      return node(Kind::Int, "@ & " + std::to_string(extent - 1), integer(depth + 1, level));
    };
    n = node(Kind::Fixed, array.name + "[@][@]", within(array.rows, "t"), within(array.columns, "(t >> 3)"));
  } else if (array.place == Place::Global && array.elements == 0 && random_.chance(7)) {
    n = with(node(Kind::Fixed, "(" + array.name + " + 70000)[-(@ & 0xffff)]", integer(depth + 1, level)),
             {Feature::NegativeIndex});
  } else {
    n = node(Kind::Fixed, array.name + "[@]", index(array, depth, level));
  }
  n.features |= features_of_place(array);
  return n;
}

Node KernelMaker::load_of(const Array& array, int depth, Level level) {
  const bool cached =
      array.place == Place::Global && !array.writes && array.type->whole[0] == 0 && random_.chance(10);
  const std::string call =
      cached ? random_.one_of({"__ldg(&@)", "__ldcg(&@)", "__ldca(&@)", "__ldcs(&@)"}) : "@";
  std::string format = put_into(array.type->to_int, call);
  if (array.type->is_struct || format.size() > 1) format = "(" + format + ")";
  Node n = node(Kind::Int, format, element(array, depth, level));
  return cached ? with(std::move(n), {Feature::CacheOperator}) : n;
}

// A value of this level at most: where what memory holds does not depend on the block, nor does the place.
std::optional<Node> KernelMaker::load(int depth, Level level) {
  const Place place = random_.chance(50)   ? Place::Global
                      : random_.chance(60) ? Place::Shared
                      : random_.chance(60) ? Place::Local
                                           : Place::Constant;
  const Array* from = array(place, false, level);
  if (from == nullptr) return std::nullopt;
  const Level where = level == Level::Data ? some_level() : Level::Thread;
  Node n = load_of(*from, depth, where);
  n.features |= set_of({place == Place::Shared  ? Feature::SharedSteers
                        : place == Place::Local ? Feature::LocalSteers
                                                : Feature::LoadedSteers});
  if (place == Place::Global && from->writes) n.features |= set_of({Feature::WrittenIsRead});
  return n;
}

Node KernelMaker::whole_load() {
  std::vector<const Array*> wide;
  for (const Array* a : arrays(Place::Global, false, Level::Data))
    if (a->type->whole[0] != 0) wide.push_back(a);
  if (wide.empty()) return simple_statement();
  const Array& a = *random_.one_of(wide);
  const std::string copy = name("w");
  Node n =
      node(Kind::Statement,
           "{ " + std::string(a.type->name) + " " + copy + " = @; sink += " + put_into(a.type->whole, copy) +
               " + " + put_into(a.type->to_int, copy) + "; }\n",
           element(a, 0, some_level()));
  if (a.type->is_struct) n.features |= set_of({Feature::WholeStruct});
  return n;
}

Node KernelMaker::store() {
  const Level level = some_level();
  const Place place = random_.chance(50) ? Place::Global : random_.chance(60) ? Place::Shared : Place::Local;
  const Array* to = array(place, true, level);
  if (to == nullptr) return assignment();
  const Level where = place == Place::Global ? some_level() : std::min(to->level, some_level());
  Node value = node(Kind::Fixed, to->type->from_int, integer(std::min(to->level, level)));
  return node(Kind::Statement, "@ = @;\n", element(*to, 0, where), std::move(value));
}

Node KernelMaker::atomic_call(const Array& array, Level level) {
  const std::string type = array.type->name;
  const auto value = [&] { return node(Kind::Int, "@", integer(1, level)); };
  std::string call;
  Features features;
  const bool is_real = type == "float" || type == "double";
  if (is_real) {
    call = type == "float" && random_.chance(25) ? "atomicExch(&@, (float)(@))"
                                                 : "atomicAdd(&@, (" + type + ")(@))";
    features = set_of({Feature::RealAtomic});
  } else if (random_.chance(15)) {
    Node n =
        with(node(Kind::Fixed, "atomicCAS(&@, (" + type + ")(@), (" + type + ")(@))",
                  element(array, 1, level), random_.chance(50) ? node(Kind::Int, "0") : value(), value()),
             {Feature::CompareAndSwap});
    return n;
  } else if (random_.chance(25)) {
    return node(Kind::Fixed, "atomicAdd(&@, 1)", element(array, 1, level));
  } else if (type == "unsigned" && random_.chance(40)) {
    call = random_.one_of({"atomicInc", "atomicDec"}) + "(&@, (unsigned)(@) & 15u)";
  } else {
    std::string function = random_.one_of({"atomicAdd", "atomicMin", "atomicMax", "atomicExch", "atomicAnd",
                                           "atomicOr", "atomicXor", "atomicSub"});
    if (array.type->bytes == 8 && function == "atomicSub") function = "atomicAdd";
    call = function + "(&@, (" + type + ")(@))";
  }
  Node n = node(Kind::Fixed, call, element(array, 1, level), value());
  n.features |= features;
  return n;
}

// An atomic whose old value is not read, or whose old value steers.
Node KernelMaker::atomic() {
  const Place place = random_.chance(55) ? Place::Shared : Place::Global;
  const std::vector<std::string> types = {"int", "unsigned", "unsigned long long", "float", "double"};
  std::vector<const Array*> found;
  for (const Array* a : arrays(place, true, Level::Thread))
    if (a->rows == 0 && std::find(types.begin(), types.end(), a->type->name) != types.end())
      found.push_back(a);
  if (found.empty()) return assignment();
  const Array& a = *random_.one_of(found);
  const Level level = std::min(a.level, some_level());
  Node call = with(atomic_call(a, place == Place::Global ? some_level() : level),
                   {place == Place::Global ? Feature::GlobalAtomic : Feature::SharedAtomic});
  if (a.type->bytes == 8) call.features |= set_of({Feature::WideAtomic});
  if (random_.chance(45)) return node(Kind::Statement, "@;\n", std::move(call));
  if (place == Place::Global && !a.reads && !random_.chance(8))
    return node(Kind::Statement, "sink += (int)@;\n", std::move(call));
  Node old = with(node(Kind::Int, "(int)@", std::move(call)), {Feature::OldValueSteers});
  if (place == Place::Global) old.features |= set_of({Feature::GlobalOldValueSteers});
  return into(place == Place::Global ? Level::Data : a.level, std::move(old));
}

Node KernelMaker::pointer_walk() {
  std::vector<const Array*> found;
  for (const Array* a : arrays(Place::Global, false, Level::Data))
    if (a->elements == 0 && !a->type->is_struct) found.push_back(a);
  if (found.empty()) return simple_statement();
  const Array& a = *random_.one_of(found);
  const std::string p = name("p"), k = name("k");
  Node n = node(Kind::Statement,
                "{ const " + std::string(a.type->name) + "* " + p + " = " + a.name + " + 512 + @; for (int " +
                    k + " = 0; " + k + " < 3; ++" + k +
                    ") { sink += " + put_into(a.type->to_int, "(*" + p + ")") + "; " + p +
                    random_.one_of({" += 32; } }\n", " -= 7; } }\n", "++; } }\n", " += blockDim.x; } }\n"}),
                endless_index(1, some_level()));
  n.features = a.type->features | set_of({Feature::PointerWalk});
  return n;
}

// One access that goes to shared memory in some lanes and to global memory in others.
Node KernelMaker::generic_pointer() {
  const Array *shared = nullptr, *global = nullptr;
  const bool writes = random_.chance(40);
  for (const Array* a : arrays(Place::Shared, writes, writes ? Level::Thread : Level::Data))
    if (a->type->name == std::string("int") && a->rows == 0) shared = a;
  for (const Array* a : arrays(Place::Global, writes, writes ? Level::Thread : Level::Data))
    if (a->type->name == std::string("int")) global = a;
  if (shared == nullptr || global == nullptr) return simple_statement();
  const std::string p = name("p"), type = writes ? "int* " : "const int* ";
  Node n = node(
      Kind::Statement,
      "{ " + type + p + " = (@) ? &@ : &@; " + (writes ? "*" + p + " = t; }\n" : "sink += *" + p + "; }\n"),
      condition(1, some_level()), element(*shared, 1, Level::Thread), element(*global, 1, some_level()));
  n.parts[1].kind = n.parts[2].kind = Kind::Fixed;
  return with(std::move(n), {Feature::GenericPointer});
}

// One of two buffers, lane by lane or block by block; or pointers that memory holds.
Node KernelMaker::chosen_pointer() {
  std::vector<const Array*> found;
  for (const Array* a : arrays(Place::Global, false, Level::Data))
    if (a->elements == 0 && !a->type->is_struct) found.push_back(a);
  if (found.empty()) return simple_statement();
  const Array& a = *random_.one_of(found);
  const Array* b = &a;
  for (const Array* other : found)
    if (other->type == a.type) b = other;
  const std::string p = name("p"), type = "const " + std::string(a.type->name) + "*";
  const std::string one = a.name + " + 8", two = b->name + " + 1024";
  if (random_.chance(40)) {
    return with(node(Kind::Statement,
                     "{ " + type + " " + p + "[2] = {" + one + ", " + two +
                         "}; sink += " + put_into(a.type->to_int, p + "[@ & 1][@]") + "; }\n",
                     integer(1, some_level()), endless_index(1, some_level())),
                {Feature::StoredPointer, Feature::LocalArray});
  }
  return with(node(Kind::Statement,
                   "{ " + type + " " + p + " = (@) ? " + one + " : " + two +
                       "; sink += " + put_into(a.type->to_int, p + "[@]") + "; }\n",
                   condition(1, some_level()), endless_index(1, some_level())),
              {Feature::PointerChoice});
}

// Places in a local array that are known before the kernel runs; just outside of it in some risky kernels.
Node KernelMaker::known_places() {
  const Array* a = array(Place::Local, true, Level::Thread);
  if (a == nullptr) return simple_statement();
  const std::string q = name("q");
  const std::string at = risky_ && random_.chance(40) ? "[" + q + random_.one_of({" - 1]", " + 1]", " + 2]"})
                                                      : "[" + random_.one_of({"", "7 - "}) + q + "]";
  const std::string loop = "for (int " + q + " = 0; " + q + " < 8; ++" + q + ") ";
  if (random_.chance(50)) {
    return with(node(Kind::Statement, loop + "sink += " + put_into(a->type->to_int, a->name + at) + ";\n"),
                {Feature::LocalArray});
  }
  return with(node(Kind::Statement, loop + a->name + at + " = @;\n",
                   node(Kind::Fixed, a->type->from_int, integer(1, std::min(a->level, some_level())))),
              {Feature::LocalArray});
}

// Loads of one place again and again, with stores to it and to others between them: what compilers leave out.
// The place is the thread's own, so that what it holds does not depend on the order of threads.
Node KernelMaker::own_element() {
  const auto value = [&] { return integer(1, some_level()); };
  const auto decision = [&] { return condition(1, some_level()); };
  // No block has 2048 threads: the same place by another name.
  const std::string same = "own[mine + (t >> 11)]";
  const std::string change =
      random_.one_of<std::string>({"", "own[mine] = sink & 1023; ", "out[t] = 3; ", same + " = sink & 1023; ",
                                   same + " += 7; ", "atomicAdd(&" + same + ", 5); "});
  const std::string q = name("q");
  Node n;
  switch (random_.pick(0, 7)) {
    case 0:
      n = node(Kind::Statement,
               "if (@ && own[mine] > 40) { sink += own[mine]; " + change +
                   "sink += own[mine]; } else sink += own[mine] * 3;\n",
               decision());
      break;
    case 1:
      n = node(Kind::Statement,
               "if (@ || own[mine] < 50) { sink += own[mine] * 5; " + change + "} else sink += own[mine];\n",
               decision());
      break;
    case 2:
      n = node(Kind::Statement,
               "{ bool " + q + " = @ && own[mine] > 9 && own[mine] < 600; " + change + "sink += " + q +
                   " ? own[mine] : 5; }\n",
               decision());
      break;
    case 3:
      n = node(Kind::Statement,
               "{ int " + q + " = @ ? own[mine] : 4; " + change + "sink += 2; if (@) " + q +
                   " = @; sink += own[mine] + " + q + "; }\n",
               decision(), decision(), value());
      break;
    case 4:
      n = node(
          Kind::Statement,
          "{ int " + q + " = own[mine]; " + change + "sink += @ ? (" + q + " / 3 + 7) ^ " + q + " : @; }\n",
          decision(), value());
      break;
    case 5:
      n = node(Kind::Statement, "{ own[mine] = @; " + change + "if (@) own[mine] = @; sink += own[mine]; }\n",
               value(), decision(), value());
      break;
    case 6:
      n = node(Kind::Statement,
               "for (int " + q + " = own[mine] & 7; " + q + " < 9 && own[mine] > 20; ++" + q +
                   ") { sink += own[mine]; if (@) break; own[mine] -= " + q + "; }\n",
               decision());
      break;
    default:
      n = node(Kind::Statement,
               "{ int " + q + " = atomicAdd(&own[mine], 3); " + change +
                   "sink += @ ? 2 : " + (random_.chance(50) ? q : "6") + "; }\n",
               decision());
  }
  return with(std::move(n), {Feature::OwnElement});
}

// More shapes at one access than are kept apart: a loop whose every turn has another.
Node KernelMaker::many_patterns() {
  const Array* a = array(random_.chance(50) ? Place::Shared : Place::Global, false, Level::Data);
  if (a == nullptr || loops_ > 0 || a->rows > 0) return simple_statement();
  const std::uint64_t mask = a->elements == 0 ? 2047 : std::bit_floor(a->elements) - 1;
  const std::string j = name("j"), shift = random_.one_of({"0", "bx", "t"});
  return with(node(Kind::Statement,
                   "for (int " + j + " = 0; " + j + " < 600; ++" + j + ") sink += " +
                       put_into(a->type->to_int, a->name + "[(t * " + j + " + (" + j + " >> 2) * (t ^ " + j +
                                                     ") + " + shift + ") & " + std::to_string(mask) + "]") +
                       ";\n"),
              {Feature::ManyPatterns});
}

// Several elements as one vector, misaligned in some risky kernels.
Node KernelMaker::reinterpret() {
  const bool writes = random_.chance(30);
  std::vector<const Array*> found;
  for (const Array* a : arrays(Place::Global, writes, writes ? Level::Thread : Level::Data)) {
    const std::string type = a->type->name;
    if (a->elements == 0 && (type == "float" || type == "int")) found.push_back(a);
  }
  if (found.empty()) return simple_statement();
  const Array& a = *random_.one_of(found);
  const std::string lanes = random_.one_of({"2", "4"}), wide = a.type->name + lanes, w = name("w");
  const std::string step = risky_ && random_.chance(60) ? random_.one_of({" * 2", " * 4 + 1", ""}) : " * 4";
  const std::string place = "*>(&" + a.name + "[(@ & 0xfff)" + step + "])[0]";
  const std::string text = writes ? "reinterpret_cast<" + wide + place + " = make_" + wide +
                                        (lanes == "2" ? "(1, t);\n" : "(1, 2, t, 3);\n")
                                  : "{ " + wide + " " + w + " = reinterpret_cast<const " + wide + place +
                                        "; sink += (int)(" + w + ".x + " + w + ".y); }\n";
  return with(node(Kind::Statement, text, integer(some_level())),
              {Feature::Reinterpret, lanes == "4" ? Feature::SixteenBytes : Feature::EightBytes});
}

// An element through an index that memory holds.
Node KernelMaker::gather() {
  const Array *to = array(Place::Global, false, Level::Data), *by = array(Place::Global, false, Level::Data);
  if (to == nullptr || to->writes || to->rows > 0 || by->writes) return simple_statement();
  const std::uint64_t mask = to->elements == 0 ? 4095 : std::bit_floor(to->elements) - 1;
  Node n =
      node(Kind::Statement,
           "sink += " + put_into(to->type->to_int, to->name + "[@ & " + std::to_string(mask) + "]") + ";\n",
           load_of(*by, 1, random_.chance(50) ? Level::Thread : some_level()));
  n.features = to->type->features | set_of({Feature::Gather, Feature::LoadedSteers});
  return n;
}

// What one thread writes, others read after a barrier.
Node KernelMaker::shared_phase() {
  const Array* a = array(Place::Shared, true, Level::Thread);
  if (a == nullptr) return with(node(Kind::Statement, "__syncthreads();\n"), {Feature::Barrier});
  const Level level = std::min(a->level, some_level());
  Node value = node(Kind::Fixed, a->type->from_int, integer(1, level));
  Node write = node(Kind::Statement, "@ = @;\n", element(*a, 1, Level::Thread), std::move(value));
  Node read = into(a->level, load_of(*a, 1, level));
  return with(node(Kind::Statement, "@__syncthreads();\n@", std::move(write), std::move(read)),
              {Feature::Barrier});
}

}  // namespace warplens::differential
