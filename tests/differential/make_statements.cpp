// Statements of a random kernel that have no statements in them.
#include <algorithm>

#include "tests/differential/kernel_maker.h"

namespace warplens::differential {

Node KernelMaker::block(int depth, int least, int most) {
  const Scope outer = scope_;
  Node n;
  n.kind = Kind::Block;
  for (int count = random_.pick(least, most); count > 0; --count) n.parts.push_back(statement(depth));
  scope_ = outer;
  return n;
}

// In a device function there are neither arrays nor threads.
Node KernelMaker::function_statement(int depth) {
  switch (random_.pick(0, depth < 4 ? 7 : 4)) {
    case 0:
      return declaration();
    case 1:
    case 2:
      return leave();
    case 5:
      return branch(depth);
    case 6:
      return for_loop(depth);
    case 7:
      return switch_statement(depth);
    default:
      return assignment();
  }
}

Node KernelMaker::statement(int depth) {
  if (scope_.in_function) return function_statement(depth);
  const bool may_nest = depth < 3;
  switch (random_.pick(0, may_nest ? 25 : 15)) {
    case 0:
    case 1:
      return whole_load();
    case 2:
    case 3:
      return store();
    case 4:
      return atomic();
    case 5:
      return random_.chance(50) ? tensor_statement() : warp_wide();
    case 6:
      return leave();
    case 7:
      return random_.chance(50)   ? call_by_reference()
             : random_.chance(50) ? call_with_pointer()
                                  : member_calls();
    case 8:
      return random_.chance(50) ? narrow_variable() : wide_variable();
    case 9:
      return random_.chance(60) ? real_variable() : division();
    case 10:
      return pointer_statement();
    case 11:
      return random_.chance(60) ? gather() : assertion();
    case 12:
      if (scope_.uniform && random_.chance(35)) return tensor_statement();
      if (scope_.uniform || (risky_ && random_.chance(35)))
        return random_.chance(35) ? block_vote() : shared_phase();
      return simple_statement();
    case 13:
    case 14:
    case 15:
      return simple_statement();
    case 16:
    case 17:
    case 18:
      return branch(depth);
    case 19:
      return for_loop(depth);
    case 20:
      return uniform_for(depth);
    case 21:
      return while_loop(depth);
    case 22:
      return do_loop(depth);
    default:
      return switch_statement(depth);
  }
}

Node KernelMaker::pointer_statement() {
  switch (random_.pick(0, 5)) {
    case 5:
      return random_.chance(40) ? fetch_texture() : known_places();
    case 0:
      return pointer_walk();
    case 1:
      return generic_pointer();
    case 2:
      return chosen_pointer();
    case 3:
      return random_.chance(35) ? many_patterns() : generic_pointer();
    default:
      return reinterpret();
  }
}

Node KernelMaker::simple_statement() {
  if (has_own_ && !scope_.in_function && random_.chance(60)) return own_element();
  if (random_.chance(40)) {
    const Array* a = array(random_.chance(65)   ? Place::Global
                           : random_.chance(70) ? Place::Shared
                                                : Place::Local,
                           false, Level::Data);
    if (a != nullptr) return node(Kind::Statement, "sink += @;\n", load_of(*a, 0, some_level()));
  }
  return random_.chance(40) ? declaration() : assignment();
}

Node KernelMaker::declaration() {
  const Level level = some_level();
  Node value = integer(level);
  const std::string variable = name("v");
  auto& names = scope_.ints[static_cast<std::size_t>(level)];
  names.push_back(variable);
  scope_.variables[static_cast<std::size_t>(level)].push_back(variable);
  if (random_.chance(12)) {
    Node of = condition(level);
    const std::string flag = name("b");
    scope_.bools.push_back(flag);
    return with(node(Kind::Statement, "int " + variable + " = @; bool " + flag + " = @;\n", std::move(value),
                     std::move(of)),
                {Feature::BoolVariable});
  }
  return node(Kind::Statement, random_.one_of({"int ", "int ", "auto "}) + variable + " = (int)@;\n",
              std::move(value));
}

Node KernelMaker::into(Level level, Node value) {
  for (std::size_t i = static_cast<std::size_t>(level); i < kLevels; ++i) {
    if (scope_.variables[i].empty()) continue;
    return node(Kind::Statement,
                random_.one_of(scope_.variables[i]) + random_.one_of({" += ", " = ", " ^= "}) + "@;\n",
                std::move(value));
  }
  return node(Kind::Statement, "sink += @;\n", std::move(value));
}

Node KernelMaker::assignment() {
  const Level level = some_level();
  return into(level, integer(level));
}

Node KernelMaker::narrow_variable() {
  const Level level = some_level();
  const std::string v = name("c"),
                    type =
                        random_.one_of({"signed char", "unsigned char", "short", "unsigned short", "char"});
  Node first = integer(level), then = integer(1, level);
  Node n = node(Kind::Statement,
                type + " " + v + " = @; " + v + random_.one_of({" += ", " -= ", " *= ", " ^= "}) + "@; " + v +
                    random_.one_of({"++", " <<= 1", " >>= 2"}) + ";\n",
                std::move(first), std::move(then));
  scope_.ints[static_cast<std::size_t>(level)].push_back(v);
  return with(std::move(n), {Feature::NarrowVariable});
}

Node KernelMaker::wide_variable() {
  const Level level = some_level();
  Node value = wide(0, level);
  const std::string v = name("l");
  scope_.longs.push_back(v);
  return with(node(Kind::Statement, "long long " + v + " = @;\n", std::move(value)), {Feature::LongVariable});
}

Node KernelMaker::real_variable() {
  const Level level = some_level();
  Node value = real(0, level);
  const std::string v = name("r");
  scope_.reals.push_back(v);
  return with(node(Kind::Statement, random_.one_of({"float ", "double "}) + v + " = @;\n", std::move(value)),
              {Feature::RealVariable});
}

// By something that is zero somewhere in a risky kernel.
Node KernelMaker::division() {
  const Level level = some_level();
  const std::string guard = risky_ ? "" : " | 1";
  return with(node(Kind::Statement, "sink += @ " + random_.one_of({"/", "%"}) + " (@" + guard + ");\n",
                   integer(1, level), integer(1, level)),
              {Feature::Division, Feature::VariableDivisor});
}

// All lanes that the block has are there, and each lane's source is.
Node KernelMaker::shuffle(Level level) {
  const Node value = integer(1, level);
  const bool whole = scope_.uniform && !lanes_left_ && launch().block.count() % 32 == 0;
  if (!whole) return node(Kind::Int, "__shfl_sync(__activemask(), @, lane)", value);
  switch (random_.pick(0, 8)) {
    case 0:
      return node(Kind::Int, "__shfl_sync(0xffffffffu, @, @ & 31)", value, integer(1, level));
    case 1:
      return node(Kind::Int,
                  "__shfl_xor_sync(0xffffffffu, @, " + std::to_string(1 << random_.pick(0, 4)) + ")", value);
    case 2:
      return node(Kind::Int, "__shfl_up_sync(0xffffffffu, @, @ & 7)", value, integer(2, level));
    case 3:
      return node(Kind::Int,
                  "__shfl_down_sync(0xffffffffu, @, " + std::to_string(random_.pick(1, 16)) + ", 16)", value);
    case 4:
      return node(Kind::Int, "__shfl_sync(0xffffffffu, @, " + std::to_string(random_.pick(0, 31)) + ")",
                  value);
    case 5:
      return node(Kind::Int, "(int)__shfl_down_sync(0xffffffffu, (float)(@), 4)", value);
    case 6:
    case 8:
      has_group_ = true;
      return with(
          node(Kind::Int,
               random_.one_of({"group.shfl_xor(@, 3)", "group.shfl(@, 5)", "group.shfl_down(@, 2)"}), value),
          {Feature::CooperativeGroup});
    default:
      return node(Kind::Int, "(int)__shfl_xor_sync(0xffffffffu, (long long)(@), 2)", value);
  }
}

Node KernelMaker::vote(Level level) {
  const bool whole = scope_.uniform && !lanes_left_;
  const std::string mask = whole && launch().block.count() % 32 == 0 ? "0xffffffffu" : "__activemask()";
  if (random_.chance(12)) return node(Kind::Int, "(int)__activemask()");
  if (whole && random_.chance(30)) {
    has_group_ = true;
    return with(
        node(Kind::Int, random_.one_of({"(int)group.any(@)", "(int)group.ballot(@)"}), condition(1, level)),
        {Feature::CooperativeGroup});
  }
  return node(Kind::Int,
              random_.one_of({"(int)__ballot_sync(", "__any_sync(", "__all_sync(", "__popc(__ballot_sync("}) +
                  mask + ", @)",
              condition(1, level));
}

// A vote or shuffle, mostly of what differs from block to block, and something that it steers.
Node KernelMaker::warp_wide() {
  if (random_.chance(6))
    return node(Kind::Statement, random_.one_of({"__syncwarp();\n", "__threadfence();\n"}));
  const Level level = random_.chance(35) ? std::max(Level::Bent, some_level()) : some_level();
  const bool votes = random_.chance(50);
  Node value = with(votes ? vote(level) : shuffle(level), {votes ? Feature::Vote : Feature::Shuffle});
  if (value.text.starts_with("__popc(")) value.text += ")";
  const std::string v = name("w");
  scope_.ints[static_cast<std::size_t>(level)].push_back(v);
  return steered_by(v, std::move(value));
}

// The same of all threads of the block, behind a barrier.
Node KernelMaker::block_vote() {
  const Level level = some_level();
  Node value =
      with(node(Kind::Int,
                random_.one_of({"__syncthreads_count(@)", "__syncthreads_and(@)", "__syncthreads_or(@)"}),
                condition(1, level)),
           {Feature::Barrier, Feature::BlockVote});
  const std::string v = name("w");
  scope_.ints[static_cast<std::size_t>(std::max(Level::Bent, level))].push_back(v);
  return steered_by(v, std::move(value));
}

Node KernelMaker::steered_by(const std::string& v, Node value) {
  // The stride of an access tells most answers from each other.
  const Array* a = array(Place::Global, false, Level::Data);
  const bool steers =
      a != nullptr && a->rows == 0 && (a->elements == 0 || a->elements >= 256) && random_.chance(50);
  const std::string stride = "((" + v + " >> " + std::to_string(random_.pick(0, 20)) + ") & 7)";
  Node use = node(
      Kind::Statement,
      steers ? "sink += " + put_into(a->type->to_int, a->name + "[(t * " + stride + ") & 255]") + ";\n" : "");
  return node(Kind::Statement, "int " + v + " = @;\n@", std::move(value), std::move(use));
}

Node KernelMaker::assertion() {
  const std::string text =
      risky_ && random_.chance(90)
          ? random_.one_of({"assert(@ < 900);\n", "assert(gid != 777 || @ > 40);\n", "assert(@ != 3);\n"})
          : "assert(@ > 5 || t >= 0);\n";
  return with(node(Kind::Statement, text, integer(1, some_level())), {Feature::Assert});
}

}  // namespace warplens::differential
