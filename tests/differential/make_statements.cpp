// Statements of a random kernel that have no statements in them.
#include <algorithm>

#include "tests/differential/kernel_maker.h"

namespace warplens::differential {

Piece KernelMaker::block(int depth, int least, int most) {
  const Scope outer = scope_;
  Piece n;
  for (int count = random_.pick(least, most); count > 0; --count) n += statement(depth);
  scope_ = outer;
  return n;
}

// In a device function there are neither arrays nor threads.
Piece KernelMaker::function_statement(int depth) {
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

Piece KernelMaker::statement(int depth) {
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
      if (risky_ && random_.chance(15))  // barriers of two kinds
        return with(made("if (t < #^4-5) __syncthreads(); else sink += __syncthreads_`or`count``(@C);\n"),
                    {Feature::Barrier});
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

Piece KernelMaker::pointer_statement() {
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

Piece KernelMaker::simple_statement() {
  if (has_own_ && !scope_.in_function && random_.chance(60)) return own_element();
  if (random_.chance(40)) {
    const Array* a = array(random_.chance(65)   ? Place::Global
                           : random_.chance(70) ? Place::Shared
                                                : Place::Local,
                           false, Level::Data);
    if (a != nullptr) return piece("sink += @;\n", {load_of(*a, 0, some_level())});
  }
  return random_.chance(40) ? declaration() : assignment();
}

Piece KernelMaker::declaration() {
  const Level level = some_level();
  const Piece value = integer(level);
  const std::string variable = name("v");
  scope_.ints[static_cast<std::size_t>(level)].push_back(variable);
  scope_.variables[static_cast<std::size_t>(level)].push_back(variable);
  if (random_.chance(12)) {
    const Piece of = condition(level);
    const std::string flag = name("b");
    scope_.bools.push_back(flag);
    return piece("int " + variable + " = @; bool " + flag + " = @;\n", {value, of}, {Feature::BoolVariable});
  }
  return piece(random_.one_of({"int ", "int ", "auto "}) + variable + " = (int)@;\n", {value});
}

Piece KernelMaker::into(Level level, Piece value) {
  for (std::size_t i = static_cast<std::size_t>(level); i < kLevels; ++i) {
    if (scope_.variables[i].empty()) continue;
    const std::string variable = random_.one_of(scope_.variables[i]);
    return piece(variable + random_.one_of({" += ", " = ", " ^= "}) + "@;\n", {std::move(value)});
  }
  return piece("sink += @;\n", {std::move(value)});
}

Piece KernelMaker::assignment() {
  const Level level = some_level();
  return into(level, integer(level));
}

Piece KernelMaker::narrow_variable() {
  const Level level = some_level();
  const std::string v = name("c");
  Piece n = made(named("`signed char`unsigned char`short`unsigned short`char`` $ = @i; $ `+=`-=`*=`^=`` @i; "
                       "$`++` <<= 1` >>= 2``;\n",
                       v),
                 0, level);
  scope_.ints[static_cast<std::size_t>(level)].push_back(v);
  return with(std::move(n), {Feature::NarrowVariable});
}

Piece KernelMaker::wide_variable() {
  const Piece value = wide(0, some_level());
  scope_.longs.push_back(name("l"));
  return piece("long long " + scope_.longs.back() + " = @;\n", {value}, {Feature::LongVariable});
}

Piece KernelMaker::real_variable() {
  const Piece value = real(0, some_level());
  scope_.reals.push_back(name("r"));
  return piece(random_.one_of({"float ", "double "}) + scope_.reals.back() + " = @;\n", {value},
               {Feature::RealVariable});
}

// By something that is zero somewhere in a risky kernel.
Piece KernelMaker::division() {
  return with(made(risky_ ? "sink += @i `/`%`` (@i);\n" : "sink += @i `/`%`` (@i | 1);\n", 0, some_level()),
              {Feature::Division, Feature::VariableDivisor});
}

// All lanes that the block has are there, and each lane's source is.
Piece KernelMaker::shuffle(Level level) {
  if (!scope_.uniform || lanes_left_ || launch().block.count() % 32 != 0)
    return made("__shfl_sync(__activemask(), @i, lane)", 0, level);
  if (random_.chance(35)) {
    has_group_ = true;
    return with(made("group.`shfl_xor(@i, 3)`shfl(@i, 5)`shfl_down(@i, 2)``", 0, level),
                {Feature::CooperativeGroup});
  }
  return one({{"__shfl_sync(0xffffffffu, @i, @i & 31)"},
              {"__shfl_xor_sync(0xffffffffu, @i, #^0-4)"},
              {"__shfl_up_sync(0xffffffffu, @i, @i & 7)"},
              {"__shfl_down_sync(0xffffffffu, @i, #1-16, 16)"},
              {"__shfl_sync(0xffffffffu, @i, #0-31)"},
              {"(int)__shfl_down_sync(0xffffffffu, (float)(@i), 4)"},
              {"(int)__shfl_xor_sync(0xffffffffu, (long long)(@i), 2)"}},
             0, level);
}

Piece KernelMaker::vote(Level level) {
  const bool whole = scope_.uniform && !lanes_left_;
  const std::string mask = whole && launch().block.count() % 32 == 0 ? "0xffffffffu" : "__activemask()";
  if (random_.chance(12)) return {"(int)__activemask()"};
  if (whole && random_.chance(50)) {
    has_group_ = true;
    return with(made("(int)group.`any`ballot``(@c)", 0, level), {Feature::CooperativeGroup});
  }
  const std::string arguments = "(" + mask + ", @c)";
  return made("`(int)__ballot_sync" + arguments + "`__any_sync" + arguments + "`__all_sync" + arguments +
                  "`__popc(__ballot_sync" + arguments + ")``",
              0, level);
}

// A vote or shuffle, mostly of what differs from block to block, and something that it steers.
Piece KernelMaker::warp_wide() {
  if (random_.chance(6)) return made("`__syncwarp()`__threadfence()``;\n");
  const Level level = random_.chance(35) ? std::max(Level::Bent, some_level()) : some_level();
  return steered_by(level, random_.chance(50) ? with(vote(level), {Feature::Vote})
                                              : with(shuffle(level), {Feature::Shuffle}));
}

// The same of all threads of the block, behind a barrier.
Piece KernelMaker::block_vote() {
  const Level level = some_level();
  return steered_by(std::max(Level::Bent, level), with(made("__syncthreads_`count`and`or``(@c)", 0, level),
                                                       {Feature::Barrier, Feature::BlockVote}));
}

Piece KernelMaker::steered_by(Level level, Piece value) {
  const std::string v = name("w");
  scope_.ints[static_cast<std::size_t>(level)].push_back(v);
  // The stride of an access tells most answers from each other.
  const Array* a = array(Place::Global, false, Level::Data);
  const bool steers =
      a != nullptr && a->rows == 0 && (a->elements == 0 || a->elements >= 256) && random_.chance(50);
  Piece n = piece("int " + v + " = @;\n", {std::move(value)});
  if (steers)
    n += made(named(
        "sink += " + put_into(a->type->to_int, a->name + "[(t * (($ >> #0-20) & 7)) & 255]") + ";\n", v));
  return n;
}

Piece KernelMaker::assertion() {
  return with(made(risky_ && random_.chance(90) ? "assert(`@I < 900`gid != 777 || @I > 40`@I != 3``);\n"
                                                : "assert(@I > 5 || t >= 0);\n"),
              {Feature::Assert});
}

}  // namespace warplens::differential
