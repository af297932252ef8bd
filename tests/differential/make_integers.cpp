// Numbers and conditions of a random kernel.
#include <algorithm>

#include "tests/differential/kernel_maker.h"

namespace warplens::differential {

namespace {

std::size_t number_of(Level level) {
  return static_cast<std::size_t>(level);
}

}  // namespace

Level KernelMaker::some_level() {
  if (scope_.in_function) return Level::Thread;
  int rest = random_.pick(1, level_weights_[0] + level_weights_[1] + level_weights_[2] + level_weights_[3]);
  for (std::size_t i = 0; i < kLevels; ++i) {
    rest -= level_weights_[i];
    if (rest <= 0) return static_cast<Level>(i);
  }
  return Level::Thread;
}

Node KernelMaker::constant() {
  switch (random_.pick(0, 6)) {
    case 0:
      return node(Kind::Int, std::to_string(1 << random_.pick(0, 9)));
    case 1:
      return node(Kind::Int, std::to_string((1 << random_.pick(1, 7)) - 1));
    case 2:
      return node(Kind::Int, "(" + std::to_string(-random_.pick(1, 9)) + ")");
    case 3:
      return random_.chance(80) ? node(Kind::Int, std::to_string(random_.pick(0, 99)))
                                : node(Kind::Int, std::to_string(1 << random_.pick(20, 30)));
    case 4:
      if (random_.chance(30))
        return node(Kind::Int, random_.one_of({"'x'", "'\\n'", "sizeof(float4)", "0x7f"}));
      [[fallthrough]];
    default:
      return node(Kind::Int, std::to_string(random_.pick(0, 12)));
  }
}

Node KernelMaker::atom(int depth, Level level) {
  Level from = random_.chance(65) ? level : static_cast<Level>(random_.pick(0, static_cast<int>(level)));
  if (!scope_.in_function && depth < 4 && random_.chance(from == Level::Data ? 55 : 12)) {
    if (auto loaded = load(depth + 1, from)) return *std::move(loaded);
  }
  for (;; from = static_cast<Level>(number_of(from) - 1)) {
    const auto& names = scope_.ints[number_of(from)];
    if (!names.empty() && !(from == Level::Thread && random_.chance(25)))
      return node(Kind::Int, random_.one_of(names));
    if (from == Level::Thread) return constant();
  }
}

Node KernelMaker::integer(int depth, Level level) {
  if (depth >= 3 || random_.chance(30 + 14 * depth)) return atom(depth, level);
  if (level == Level::Affine) return affine(depth);
  const int kind = random_.pick(0, 9);
  if (kind == 0 && !functions_.empty() && !scope_.in_function) return call(depth, level);
  if (kind <= 3) return unusual_operation(depth, level);
  return operation(depth, level);
}

// c + s * b of a thread's c, a constant s and the block's b.
Node KernelMaker::affine(int depth) {
  const auto block = [&] {
    const auto& names = scope_.ints[number_of(Level::Affine)];
    return names.empty() ? constant() : node(Kind::Int, random_.one_of(names));
  };
  Node part = random_.chance(50) ? node(Kind::Int, "@ * @", block(), constant()) : block();
  if (random_.chance(25)) part = node(Kind::Int, "(@ - @)", std::move(part), block());
  return node(Kind::Int, random_.one_of({"(@ + @)", "(@ + @)", "(@ - @)"}), std::move(part),
              integer(depth + 1, Level::Thread));
}

Node KernelMaker::operation(int depth, Level level) {
  const auto operand = [&] { return integer(depth + 1, level); };
  const auto lower = [&] {
    return integer(depth + 1, static_cast<Level>(random_.pick(0, static_cast<int>(level))));
  };
  const auto amount = [&] {
    if (random_.chance(15)) return node(Kind::Int, "(@ & 31)", lower());
    return node(Kind::Int, std::to_string(random_.pick(0, random_.chance(90) ? 6 : 40)));
  };
  switch (random_.pick(0, 12)) {
    case 0:
    case 1:
      return node(Kind::Int, "(@ + @)", operand(), lower());
    case 2:
      return node(Kind::Int, "(@ - @)", lower(), operand());
    case 3:
      return node(Kind::Int, "(@ * @)", operand(), random_.chance(60) ? constant() : lower());
    case 4: {
      const std::string by =
          std::to_string(random_.chance(50) ? 1 << random_.pick(0, 5) : random_.pick(1, 9));
      return with(node(Kind::Int, random_.one_of({"(@ / ", "(@ % ", "(@ % -"}) + by + ")", operand()),
                  {Feature::Division});
    }
    case 5:
      return with(node(Kind::Int, random_.one_of({"(@ / (@ | 1))", "(@ % (@ | 1))"}), operand(), lower()),
                  {Feature::Division, Feature::VariableDivisor});
    case 6:
      return node(Kind::Int, "(@ & " + random_.one_of({"7", "31", "1", "255", "~7", "60"}) + ")", operand());
    case 7:
      return node(Kind::Int, random_.one_of({"(@ & @)", "(@ | @)", "(@ ^ @)"}), operand(), lower());
    case 8:
      return node(Kind::Int, random_.one_of({"(@ ^ ", "(@ | "}) + std::to_string(random_.pick(0, 63)) + ")",
                  operand());
    case 9:
      return node(Kind::Int, "(@ << @)", operand(), amount());
    case 10:
      return node(Kind::Int, "(@ >> @)", operand(), amount());
    case 11:
      return node(Kind::Int, random_.one_of({"min(@, @)", "max(@, @)"}), operand(), lower());
    default:
      return with(node(Kind::Int, "((@) ? @ : @)", condition(depth + 1, level), operand(), lower()),
                  {Feature::Ternary});
  }
}

Node KernelMaker::unusual_operation(int depth, Level level) {
  const auto operand = [&] { return integer(depth + 1, level); };
  switch (random_.pick(0, 13)) {
    case 0:
      return node(Kind::Int, "(-@)", operand());
    case 1:
      return node(Kind::Int, "(~@)", operand());
    case 2:
      return node(Kind::Int, "(!@)", operand());
    case 3:
      return node(Kind::Int, "abs(@)", operand());
    case 4:
      return node(
          Kind::Int,
          "(int)" +
              random_.one_of({"(signed char)", "(unsigned char)", "(short)", "(unsigned short)", "(bool)"}) +
              "(@)",
          operand());
    case 5:
      return node(Kind::Int,
                  "(int)((unsigned)(@) " + random_.one_of({"/", "%", ">>"}) + " " +
                      std::to_string(random_.pick(1, 9)) + "u)",
                  operand());
    case 6:
      return node(Kind::Int, "(int)(@)", wide(depth + 1, level));
    case 7:
      return with(
          node(Kind::Int, random_.one_of({"__popc(@)", "__clz(@)", "__ffs(@)", "(int)__brev(@)"}), operand()),
          {Feature::BitIntrinsic});
    case 8:
      return with(
          node(Kind::Int, "(int)__umulhi((unsigned)(@), " + std::to_string(1u << random_.pick(10, 30)) + "u)",
               operand()),
          {Feature::BitIntrinsic});
    case 9:
      return with(node(Kind::Int, "(int)(@)", real(depth + 1, level)), {Feature::RealVariable});
    case 10:
      return with(node(Kind::Int, "MIX(@, @)", operand(), constant()), {Feature::Macro});
    case 11:
      return node(Kind::Int, "(@, @)", constant(), operand());
    case 12:
      return node(Kind::Int, "(int)(@)", condition(depth + 1, level));
    default:
      return with(node(Kind::Int, "((@) ? @ : @)", condition(depth + 1, level), constant(), operand()),
                  {Feature::Ternary});
  }
}

Node KernelMaker::wide(int depth, Level level) {
  const Features long_ones = set_of({Feature::LongVariable});
  if (!scope_.longs.empty() && random_.chance(30)) {
    Node n = node(Kind::Long, random_.one_of(scope_.longs));
    n.features = long_ones;
    return n;
  }
  Node n = node(Kind::Long, "(long long)(@)", integer(depth + 1, level));
  switch (random_.pick(0, 8)) {
    case 7:  // near the ends of the type
      n = node(Kind::Long, "(@ << " + std::to_string(random_.pick(30, 62)) + ")", std::move(n));
      break;
    case 8:
      n = node(Kind::Long, random_.one_of({"(@ * 0x100000000000001ll)", "(@ - 0x7fffffffffffff00ll)"}),
               std::move(n));
      break;
    case 0:
      n = node(Kind::Long, "(@ * " + std::to_string(random_.pick(2, 100000)) + ")", std::move(n));
      break;
    case 1:
      n = node(Kind::Long, "(@ + (1ll << " + std::to_string(random_.pick(20, 40)) + "))", std::move(n));
      break;
    case 2:
      n = node(Kind::Long, "(@ >> " + std::to_string(random_.pick(0, 33)) + ")", std::move(n));
      break;
    case 3:
      n = node(Kind::Long, "(@ / " + std::to_string(random_.pick(1, 1000)) + ")", std::move(n));
      break;
    case 4:
      n = node(Kind::Long, "(@ % 96)", std::move(n));
      break;
    case 5:
      n = node(Kind::Long, "(long long)((unsigned long long)(@) >> 3)", std::move(n));
      break;
    default:
      break;
  }
  n.features |= long_ones;
  return n;
}

Node KernelMaker::real(int depth, Level level) {
  if (!scope_.reals.empty() && random_.chance(40)) return node(Kind::Real, random_.one_of(scope_.reals));
  Node n = node(Kind::Real,
                random_.one_of({"(float)(@)", "(double)(@)", "__half2float(__float2half((float)(@)))"}),
                integer(depth + 1, level));
  switch (random_.pick(0, 4)) {
    case 0:
      return node(Kind::Real, "(@ * 0.37f)", std::move(n));
    case 1:
      return node(Kind::Real, "(@ + 1.5)", std::move(n));
    case 2:
      return with(
          node(Kind::Real, random_.one_of({"sqrtf(fabsf(@))", "floorf(@)", "fminf(@, 40.0f)"}), std::move(n)),
          {Feature::Maths});
    case 3:
      return node(Kind::Real, "(@ / 7.0f)", std::move(n));
    default:
      return n;
  }
}

Node KernelMaker::condition(int depth, Level level) {
  const auto operand = [&] { return integer(depth + 1, level); };
  const std::string compare = random_.one_of({"<", "<", "<=", ">", ">=", "==", "!="});
  switch (random_.pick(0, 11)) {
    case 0:
      return node(Kind::Condition, "(@ & " + std::to_string(1 << random_.pick(0, 3)) + ") == 0", operand());
    case 1:
      if (depth > 2) break;
      return node(Kind::Condition, random_.one_of({"(@ && @)", "(@ || @)"}), condition(depth + 1, level),
                  condition(depth + 1, level));
    case 2:
      return node(Kind::Condition, "(unsigned)(@) " + compare + " (unsigned)(@)", operand(), constant());
    case 3:
      return with(node(Kind::Condition, "@ " + compare + " 2.5f", real(depth + 1, level)),
                  {Feature::RealVariable});
    case 4:
      return node(Kind::Condition, "@ " + compare + " @", operand(), operand());
    case 5:
      return with(
          node(Kind::Condition, "@ " + compare + random_.one_of({" @", " @", " ((long long)@ << 40)"}),
               wide(depth + 1, level), constant()),
          {Feature::LongVariable});
    case 6:
      if (scope_.bools.empty()) break;
      return with(node(Kind::Condition, random_.one_of({"", "!"}) + random_.one_of(scope_.bools)),
                  {Feature::BoolVariable});
    case 7:
      if (scope_.in_function) break;
      return node(Kind::Condition, random_.one_of({"x < n", "t < 20", "y < m", "gid < n * m", "lane >= m"}));
    default:
      break;
  }
  return node(Kind::Condition, "@ " + compare + " @", operand(), constant());
}

// The same for all threads of a block.
Node KernelMaker::uniform_condition() {
  const std::string of = random_.one_of({"bx", "by", "n", "m", "bz", "(bx + by)", "(int)gridDim.x"});
  if (random_.chance(25)) return node(Kind::Condition, "(" + of + " & 1) == 0");
  return node(Kind::Condition,
              of + random_.one_of({" < ", " > ", " != "}) + std::to_string(random_.pick(0, 12)));
}

}  // namespace warplens::differential
