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

std::string type_of(const Array& array) {
  return array.type->name;
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

// A buffer without end that is only read, of elements that are no structs.
const Array* KernelMaker::endless_array() {
  std::vector<const Array*> found;
  for (const Array* a : arrays(Place::Global, false, Level::Data))
    if (a->elements == 0 && !a->type->is_struct) found.push_back(a);
  return found.empty() ? nullptr : random_.one_of(found);
}

// Any index that buffers without end have.
Piece KernelMaker::endless_index(int depth, Level level) {
  using F = Feature;
  const bool thread = level == Level::Thread;
  return one({{"(@i & 0xffff)"},
              {thread ? "`t`t * 2`lane * 33`(n & 1023) + t``"
                      : "`gid`x`y * 256 + x`x * 64 + y`gid * 3 + 1`y * 33 + x``"},
              {thread ? "(99 - t)" : "`(200000 - gid)`(65536 - x * 3)`(x + 1)`gid / 2 + lane``"},
              {"(unsigned)(@i)", {F::UnsignedIndex}},
              {"abs((@i >> 2))"},
              {"max(@i, 0)"},
              {"((long long)(@i & 0xfff) * #1-40 + (@t & 127))", {F::LongIndex}},
              {"((size_t)(@i & 0x3fff) * 5)", {F::LongIndex}},
              risky_ ? Form{"(@w)", {F::LongIndex}} : Form{"(@i & 1023)"},
              {risky_ ? "@i" : "(@i & `1023`8191`63`0x3ffff``)"},
              {"(@i & `1023`8191`63`0x3ffff``)", {}, 3}},
             depth, level);
}

// An index below the array's number of elements, but where the kernel is a risky one.
Piece KernelMaker::bounded_index(const Array& array, int depth, Level level) {
  using F = Feature;
  const std::string count = std::to_string(array.elements), last = std::to_string(array.elements - 1),
                    mask = std::to_string(std::bit_floor(array.elements) - 1), usual = "(@i & " + mask + ")";
  const bool is_grid = array.place == Place::Global && level >= Level::Affine &&
                       array.elements >= launch().grid.count() * launch().block.count();
  const bool is_block = array.elements >= launch().block.count();
  return one({{is_grid    ? "gid"
               : is_block ? "t"
                          : usual,
               {},
               2},
              {is_grid    ? "(" + last + " - gid)"
               : is_block ? "(t ^ 1) % " + count
                          : usual},
              {"min(@i & 0xfffff, " + last + ")"},
              {"(unsigned)(@i) % " + count + "u", {F::UnsignedIndex}},
              {"((long long)(@i) & " + mask + ")", {F::LongIndex}},
              {risky_ && random_.chance(70) ? "`@i`t + @k``" : usual},
              {usual, {}, 3}},
             depth, level);
}

Piece KernelMaker::index(const Array& array, int depth, Level level) {
  return array.elements == 0 ? endless_index(depth, level) : bounded_index(array, depth, level);
}

// The element itself, to read or to write.
Piece KernelMaker::element(const Array& array, int depth, Level level) {
  Piece n;
  if (array.rows > 0) {
    const auto within = [&](int extent, const char* usual) {
      return made((random_.chance(35) ? usual : "@i") + (" & " + std::to_string(extent - 1)), depth, level);
    };
    n = piece(array.name + "[@][@]", {within(array.rows, "t"), within(array.columns, "(t >> 3)")});
  } else if (array.place == Place::Global && array.elements == 0 && random_.chance(7)) {
    n = with(made("(" + array.name + " + 70000)[-(@i & 0xffff)]", depth, level), {Feature::NegativeIndex});
  } else {
    n = piece(array.name + "[@]", {index(array, depth, level)});
  }
  n.features |= features_of_place(array);
  return n;
}

Piece KernelMaker::load_of(const Array& array, int depth, Level level) {
  const bool cached =
      array.place == Place::Global && !array.writes && array.type->whole[0] == 0 && random_.chance(10);
  const std::string call =
      cached ? random_.one_of({"__ldg(&@)", "__ldcg(&@)", "__ldca(&@)", "__ldcs(&@)"}) : "@";
  std::string format = put_into(array.type->to_int, call);
  if (array.type->is_struct || format.size() > 1) format = "(" + format + ")";
  Piece n = piece(format, {element(array, depth, level)});
  return cached ? with(std::move(n), {Feature::CacheOperator}) : n;
}

// A value of this level at most: where what memory holds does not depend on the block, nor does the place.
std::optional<Piece> KernelMaker::load(int depth, Level level) {
  const Place place = random_.chance(50)   ? Place::Global
                      : random_.chance(60) ? Place::Shared
                      : random_.chance(60) ? Place::Local
                                           : Place::Constant;
  const Array* from = array(place, false, level);
  if (from == nullptr) return std::nullopt;
  const Level where = level == Level::Data ? some_level() : Level::Thread;
  Piece n = with(load_of(*from, depth, where), {place == Place::Shared  ? Feature::SharedSteers
                                                : place == Place::Local ? Feature::LocalSteers
                                                                        : Feature::LoadedSteers});
  return place == Place::Global && from->writes ? with(std::move(n), {Feature::WrittenIsRead}) : n;
}

Piece KernelMaker::whole_load() {
  std::vector<const Array*> wide;
  for (const Array* a : arrays(Place::Global, false, Level::Data))
    if (a->type->whole[0] != 0) wide.push_back(a);
  if (wide.empty()) return simple_statement();
  const Array& a = *random_.one_of(wide);
  const std::string copy = name("w");
  Piece n = piece("{ " + type_of(a) + " " + copy + " = @; sink += " + put_into(a.type->whole, copy) + " + " +
                      put_into(a.type->to_int, copy) + "; }\n",
                  {element(a, 0, some_level())});
  return a.type->is_struct ? with(std::move(n), {Feature::WholeStruct}) : n;
}

Piece KernelMaker::store() {
  const Level level = some_level();
  const Place place = random_.chance(50) ? Place::Global : random_.chance(60) ? Place::Shared : Place::Local;
  const Array* to = array(place, true, level);
  if (to == nullptr) return assignment();
  const Level where = place == Place::Global ? some_level() : std::min(to->level, some_level());
  return piece("@ = @;\n",
               {element(*to, 0, where), piece(to->type->from_int, {integer(std::min(to->level, level))})});
}

Piece KernelMaker::atomic_call(const Array& array, Level level) {
  const std::string type = type_of(array), value = "(" + type + ")(@i)";
  const Piece place = element(array, 1, level);
  std::string call = "`atomicAdd`atomicMin`atomicMax`atomicExch`atomicAnd`atomicOr`atomicXor`" +
                     std::string(array.type->bytes == 8 ? "atomicAdd" : "atomicSub") + "``(&$, " + value +
                     ")";
  Features features;
  if (type == "float" || type == "double") {
    call = (type == "float" && random_.chance(25) ? "atomicExch(&$, " : "atomicAdd(&$, ") + value + ")";
    features = set_of({Feature::RealAtomic});
  } else if (random_.chance(15)) {
    call = "atomicCAS(&$, (" + type + ")(`0`@i``), " + value + ")";
    features = set_of({Feature::CompareAndSwap});
  } else if (random_.chance(25)) {
    call = "atomicAdd(&$, 1)";
  } else if (type == "unsigned" && random_.chance(40)) {
    call = "`atomicInc`atomicDec``(&$, (unsigned)(@i) & 15u)";
  }
  Piece n = made(call, 0, level);
  n.text = named(n.text, place.text);
  n.features |= features | place.features;
  return n;
}

// An atomic whose old value is not read, or whose old value steers.
Piece KernelMaker::atomic() {
  const Place place = random_.chance(55) ? Place::Shared : Place::Global;
  const std::vector<std::string> types = {"int", "unsigned", "unsigned long long", "float", "double"};
  std::vector<const Array*> found;
  for (const Array* a : arrays(place, true, Level::Thread))
    if (a->rows == 0 && std::find(types.begin(), types.end(), a->type->name) != types.end())
      found.push_back(a);
  if (found.empty()) return assignment();
  const Array& a = *random_.one_of(found);
  const Level level = std::min(a.level, some_level());
  Piece call = with(atomic_call(a, place == Place::Global ? some_level() : level),
                    {place == Place::Global ? Feature::GlobalAtomic : Feature::SharedAtomic});
  if (a.type->bytes == 8) call.features |= set_of({Feature::WideAtomic});
  if (random_.chance(45)) return piece("@;\n", {call});
  if (place == Place::Global && !a.reads && !random_.chance(8)) return piece("sink += (int)@;\n", {call});
  Piece old = piece("(int)@", {call}, {Feature::OldValueSteers});
  if (place == Place::Global) old.features |= set_of({Feature::GlobalOldValueSteers});
  return into(place == Place::Global ? Level::Data : a.level, std::move(old));
}

Piece KernelMaker::pointer_walk() {
  const Array* a = endless_array();
  if (a == nullptr) return simple_statement();
  const std::string p = name("p");
  Piece n = made(named("{ const " + type_of(*a) + "* $ = " + a->name +
                           " + 512 + @E; for (int k$ = 0; k$ < 3; ++k$) { sink += " +
                           put_into(a->type->to_int, "(*$)") + "; $`+= 32`-= 7`++`+= blockDim.x``; } }\n",
                       p));
  n.features |= a->type->features;
  return with(std::move(n), {Feature::PointerWalk});
}

// One access that goes to shared memory in some lanes and to global memory in others.
Piece KernelMaker::generic_pointer() {
  const Array *shared = nullptr, *global = nullptr;
  const bool writes = random_.chance(40);
  for (const Array* a : arrays(Place::Shared, writes, writes ? Level::Thread : Level::Data))
    if (type_of(*a) == "int" && a->rows == 0) shared = a;
  for (const Array* a : arrays(Place::Global, writes, writes ? Level::Thread : Level::Data))
    if (type_of(*a) == "int") global = a;
  if (shared == nullptr || global == nullptr) return simple_statement();
  const std::string p = name("p");
  return piece(
      named(writes ? "{ int* $ = (@) ? &@ : &@; *$ = t; }\n"
                   : "{ const int* $ = (@) ? &@ : &@; sink += *$; }\n",
            p),
      {condition(1, some_level()), element(*shared, 1, Level::Thread), element(*global, 1, some_level())},
      {Feature::GenericPointer});
}

// One of two buffers, lane by lane or block by block; or pointers that memory holds.
Piece KernelMaker::chosen_pointer() {
  const Array *a = endless_array(), *b = a;
  if (a == nullptr) return simple_statement();
  for (const Array* other : arrays(Place::Global, false, Level::Data))
    if (other->elements == 0 && other->type == a->type) b = other;
  const std::string type = "{ const " + type_of(*a) + "* $", one = a->name + " + 8",
                    two = b->name + " + 1024";
  const bool stored = random_.chance(40);
  const std::string pointer =
      stored ? type + "[2] = {" + one + ", " + two + "}" : type + " = (@C) ? " + one + " : " + two;
  Piece n = made(
      named(pointer + "; sink += " + put_into(a->type->to_int, stored ? "$[@I & 1][@E]" : "$[@E]") + "; }\n",
            name("p")));
  return stored ? with(std::move(n), {Feature::StoredPointer, Feature::LocalArray})
                : with(std::move(n), {Feature::PointerChoice});
}

// Places in a local array that are known before the kernel runs; just outside of it in some risky kernels.
Piece KernelMaker::known_places() {
  const Array* a = array(Place::Local, true, Level::Thread);
  if (a == nullptr) return simple_statement();
  const std::string at = risky_ && random_.chance(40) ? "[$`- 1`+ 1`+ 2``]" : "[`$`7 - $``]";
  const bool reads = random_.chance(50);
  const Piece loop =
      made(named("for (int $ = 0; $ < 8; ++$) " +
                     (reads ? "sink += " + put_into(a->type->to_int, a->name + at) : a->name + at),
                 name("q")));
  if (reads) return piece("@;\n", {loop}, {Feature::LocalArray});
  return piece("@ = @;\n", {loop, piece(a->type->from_int, {integer(1, std::min(a->level, some_level()))})},
               {Feature::LocalArray});
}

// Loads of one place again and again, with stores to it and to others between them: what compilers leave out.
// The place is the thread's own, so that what it holds does not depend on the order of threads.
Piece KernelMaker::own_element() {
  // No block has 2048 threads: the same place by another name.
  const std::string same = "own[mine + (t >> 11)]";
  const std::string change =
      random_.one_of<std::string>({"", "own[mine] = sink & 1023; ", "out[t] = 3; ", same + " = sink & 1023; ",
                                   same + " += 7; ", "atomicAdd(&" + same + ", 5); "});
  const std::string form = random_.one_of(
      {"if (@C && own[mine] > 40) { sink += own[mine]; ~sink += own[mine]; } else sink += own[mine] * 3;\n",
       "if (@C || own[mine] < 50) { sink += own[mine] * 5; ~} else sink += own[mine];\n",
       "{ bool $ = @C && own[mine] > 9 && own[mine] < 600; ~sink += $ ? own[mine] : 5; }\n",
       "{ int $ = @C ? own[mine] : 4; ~sink += 2; if (@C) $ = @I; sink += own[mine] + $; }\n",
       "{ int $ = own[mine]; ~sink += @C ? ($ / 3 + 7) ^ $ : @I; }\n",
       "{ own[mine] = @I; ~if (@C) own[mine] = @I; sink += own[mine]; }\n",
       "for (int $ = own[mine] & 7; $ < 9 && own[mine] > 20; ++$) { sink += own[mine]; if (@C) break; "
       "own[mine] -= $; }\n",
       "{ int $ = atomicAdd(&own[mine], 3); ~sink += @C ? 2 : `$`6``; }\n"});
  std::string whole;
  for (const char c : named(form, name("q"))) whole += c == '~' ? change : std::string(1, c);
  return with(made(whole), {Feature::OwnElement});
}

// More shapes at one access than are kept apart: a loop whose every turn has another.
Piece KernelMaker::many_patterns() {
  const Array* a = array(random_.chance(50) ? Place::Shared : Place::Global, false, Level::Data);
  if (a == nullptr || loops_ > 0 || a->rows > 0) return simple_statement();
  const std::uint64_t mask = a->elements == 0 ? 2047 : std::bit_floor(a->elements) - 1;
  const std::string place =
      a->name + "[(t * $ + ($ >> 2) * (t ^ $) + `0`bx`t``) & " + std::to_string(mask) + "]";
  return with(made(named("for (int $ = 0; $ < 600; ++$) sink += " + put_into(a->type->to_int, place) + ";\n",
                         name("j"))),
              {Feature::ManyPatterns});
}

// Several elements as one vector, misaligned in some risky kernels.
Piece KernelMaker::reinterpret() {
  const bool writes = random_.chance(30);
  std::vector<const Array*> found;
  for (const Array* a : arrays(Place::Global, writes, writes ? Level::Thread : Level::Data))
    if (a->elements == 0 && (type_of(*a) == "float" || type_of(*a) == "int")) found.push_back(a);
  if (found.empty()) return simple_statement();
  const Array& a = *random_.one_of(found);
  const std::string lanes = random_.one_of({"2", "4"}), wide = type_of(a) + lanes;
  const std::string step = risky_ && random_.chance(60) ? "`* 2`* 4 + 1`* 1``" : "* 4";
  const std::string place = "*>(&" + a.name + "[(@I & 0xfff) " + step + "])[0]";
  const std::string text = writes ? "reinterpret_cast<" + wide + place + " = make_" + wide +
                                        (lanes == "2" ? "(1, t);\n" : "(1, 2, t, 3);\n")
                                  : "{ " + wide + " $ = reinterpret_cast<const " + wide + place +
                                        "; sink += (int)($.x + $.y); }\n";
  return with(made(named(text, name("w"))),
              {Feature::Reinterpret, lanes == "4" ? Feature::SixteenBytes : Feature::EightBytes});
}

// An element through an index that memory holds.
Piece KernelMaker::gather() {
  const Array *to = array(Place::Global, false, Level::Data), *by = array(Place::Global, false, Level::Data);
  if (to == nullptr || to->writes || to->rows > 0 || by->writes) return simple_statement();
  const std::uint64_t mask = to->elements == 0 ? 4095 : std::bit_floor(to->elements) - 1;
  Piece n =
      piece("sink += " + put_into(to->type->to_int, to->name + "[@ & " + std::to_string(mask) + "]") + ";\n",
            {load_of(*by, 1, random_.chance(50) ? Level::Thread : some_level())});
  n.features |= to->type->features;
  return with(std::move(n), {Feature::Gather, Feature::LoadedSteers});
}

// What one thread writes, others read after a barrier.
Piece KernelMaker::shared_phase() {
  const Array* a = array(Place::Shared, true, Level::Thread);
  if (a == nullptr) return {"__syncthreads();\n", set_of({Feature::Barrier})};
  const Level level = std::min(a->level, some_level());
  const Piece value = piece(a->type->from_int, {integer(1, level)});
  return piece("@ = @;\n__syncthreads();\n@",
               {element(*a, 1, Level::Thread), value, into(a->level, load_of(*a, 1, level))},
               {Feature::Barrier});
}

}  // namespace warplens::differential
