// Numbers and conditions of a random kernel, and the forms that all of it is written in.
#include <algorithm>
#include <charconv>

#include "tests/differential/kernel_maker.h"

namespace warplens::differential {

namespace {

std::size_t number_of(Level level) {
  return static_cast<std::size_t>(level);
}

}  // namespace

Piece KernelMaker::made(std::string_view form, int depth, Level level) {
  Piece out;
  for (std::size_t at = 0; at < form.size(); ++at) {
    if (form[at] == '@') {
      out += sign(form[++at], depth, level);
    } else if (form[at] == '`') {
      const std::size_t end = form.find("``", at + 1);
      std::vector<std::string_view> choices;
      for (std::size_t begin = at + 1; begin <= end;) {
        const std::size_t next = std::min(end, form.find('`', begin));
        choices.push_back(form.substr(begin, next - begin));
        begin = next + 1;
      }
      out += made(random_.one_of(choices), depth, level);
      at = end + 1;
    } else if (form[at] == '#') {
      const char kind = form[at + 1];
      int low = 0, high = 0;
      const char *begin = form.data() + at + (kind == '^' || kind == '~' ? 2 : 1),
                 *end = form.data() + form.size();
      const char* behind = std::from_chars(std::from_chars(begin, end, low).ptr + 1, end, high).ptr;
      const int number = random_.pick(low, high);
      out.text += std::to_string(kind == '^' ? 1 << number : kind == '~' ? (1 << number) - 1 : number);
      at = static_cast<std::size_t>(behind - form.data()) - 1;
    } else {
      out.text += form[at];
    }
  }
  return out;
}

Piece KernelMaker::sign(char sign, int depth, Level level) {
  switch (sign) {
    case 'i':
      return integer(depth + 1, level);
    case 'l':
      return integer(depth + 1, static_cast<Level>(random_.pick(0, static_cast<int>(level))));
    case 't':
      return integer(depth + 1, Level::Thread);
    case 'k':
      return constant();
    case 's':
      return made(random_.chance(15) ? "(@l & 31)" : random_.chance(90) ? "#0-6" : "#0-40", depth, level);
    case 'c':
      return condition(depth + 1, level);
    case 'v':
      return {random_.one_of(scope_.bools)};
    case 'w':
      return wide(depth + 1, level);
    case 'r':
      return real(depth + 1, level);
    case 'b':
      return made("`(float)(@i)`(double)(@i)`__half2float(__float2half((float)(@i)))``", depth, level);
    case '=':
      return made("`<`<`<=`>`>=`==`!=``");
    case 'I':
      return integer(1, some_level());
    case 'C':
      return condition(1, some_level());
    default:
      return endless_index(1, some_level());
  }
}

Piece KernelMaker::one(const std::vector<Form>& forms, int depth, Level level) {
  int rest = 0;
  for (const Form& form : forms) rest += form.weight;
  rest = random_.pick(1, rest);
  auto chosen = forms.begin();
  while ((rest -= chosen->weight) > 0) ++chosen;
  Piece out = made(chosen->text, depth, level);
  out.features |= chosen->features;
  return out;
}

Level KernelMaker::some_level() {
  if (scope_.in_function) return Level::Thread;
  int rest = random_.pick(1, level_weights_[0] + level_weights_[1] + level_weights_[2] + level_weights_[3]);
  for (std::size_t i = 0; i < kLevels; ++i) {
    rest -= level_weights_[i];
    if (rest <= 0) return static_cast<Level>(i);
  }
  return Level::Thread;
}

Piece KernelMaker::constant() {
  return one({{"#^0-9", {}, 40},
              {"#~1-7", {}, 40},
              {"(-#1-9)", {}, 40},
              {"#0-99", {}, 32},
              {"#^20-30", {}, 8},
              {"`'x'`'\\n'`sizeof(float4)`0x7f``", {}, 12},
              {"#0-12", {}, 108}});
}

Piece KernelMaker::atom(int depth, Level level) {
  Level from = random_.chance(65) ? level : static_cast<Level>(random_.pick(0, static_cast<int>(level)));
  if (!scope_.in_function && depth < 4 && random_.chance(from == Level::Data ? 55 : 12)) {
    if (auto loaded = load(depth + 1, from)) return *std::move(loaded);
  }
  for (;; from = static_cast<Level>(number_of(from) - 1)) {
    const auto& names = scope_.ints[number_of(from)];
    if (!names.empty() && !(from == Level::Thread && random_.chance(25))) return {random_.one_of(names)};
    if (from == Level::Thread) return constant();
  }
}

Piece KernelMaker::integer(int depth, Level level) {
  if (depth >= 3 || random_.chance(30 + 14 * depth)) return atom(depth, level);
  if (level == Level::Affine) return affine(depth);
  const int kind = random_.pick(0, 9);
  if (kind == 0 && !functions_.empty() && !scope_.in_function) return call(depth, level);
  if (kind <= 3) return unusual_operation(depth, level);
  return operation(depth, level);
}

// c + s * b of a thread's c, a constant s and the block's b.
Piece KernelMaker::affine(int depth) {
  const auto block = [&] {
    const auto& names = scope_.ints[number_of(Level::Affine)];
    return names.empty() ? constant() : Piece{random_.one_of(names)};
  };
  Piece part = random_.chance(50) ? piece("@ * @", {block(), constant()}) : block();
  if (random_.chance(25)) part = piece("(@ - @)", {part, block()});
  const Piece own = integer(depth + 1, Level::Thread);
  return piece(random_.chance(67) ? "(@ + @)" : "(@ - @)", {part, own});
}

Piece KernelMaker::operation(int depth, Level level) {
  using F = Feature;
  return one({{"(@i + @l)", {}, 2},
              {"(@l - @i)"},
              {"(@i * `@k`@k`@k`@l`@l``)"},
              {"(@i `/`%`% -```#^0-5`#1-9``)", {F::Division}},
              {"(@i `/`%`` (@l | 1))", {F::Division, F::VariableDivisor}},
              {"(@i & `7`31`1`255`~7`60``)"},
              {"(@i `&`|`^`` @l)"},
              {"(@i `^`|`` #0-63)"},
              {"(@i `<<`>>`` @s)", {}, 2},
              {"`min`max``(@i, @l)"},
              {"((@c) ? @i : @l)", {F::Ternary}}},
             depth, level);
}

Piece KernelMaker::unusual_operation(int depth, Level level) {
  using F = Feature;
  return one({{"(`-`~`!``@i)", {}, 3},
              {"abs(@i)"},
              {"(int)(`signed char`unsigned char`short`unsigned short`bool``)(@i)"},
              {"(int)((unsigned)(@i) `/`%`>>`` #1-9u)"},
              {"(int)(@w)"},
              {"`__popc`__clz`__ffs`(int)__brev``(@i)", {F::BitIntrinsic}},
              {"(int)__umulhi((unsigned)(@i), #^10-30u)", {F::BitIntrinsic}},
              {"(int)(@r)", {F::RealVariable}},
              {"MIX(@i, @k)", {F::Macro}},
              {"(@k, @i)"},
              {"(int)(@c)"},
              {"((@c) ? @k : @i)", {F::Ternary}}},
             depth, level);
}

// Some near the ends of the type.
Piece KernelMaker::wide(int depth, Level level) {
  Piece n;
  if (!scope_.longs.empty() && random_.chance(30))
    n.text = random_.one_of(scope_.longs);
  else
    n = one({{"((long long)(@i) `<< #30-62`* #2-100000`+ (1ll << #20-40)`>> #0-33`/ #1-1000`% 96``)", {}, 6},
             {"((long long)(@i) `* 0x100000000000001ll`- 0x7fffffffffffff00ll``)"},
             {"(long long)((unsigned long long)((long long)(@i)) >> 3)"},
             {"(long long)(@i)"}},
            depth, level);
  return with(std::move(n), {Feature::LongVariable});
}

Piece KernelMaker::real(int depth, Level level) {
  if (!scope_.reals.empty() && random_.chance(40)) return {random_.one_of(scope_.reals)};
  return one({{"(@b * 0.37f)"},
              {"(@b + 1.5)"},
              {"`sqrtf(fabsf(@b))`floorf(@b)`fminf(@b, 40.0f)``", {Feature::Maths}},
              {"(@b / 7.0f)"},
              {"@b"}},
             depth, level);
}

Piece KernelMaker::condition(int depth, Level level) {
  using F = Feature;
  const std::string usual = "@i @= @k";
  if (random_.chance(25)) {
    switch (random_.pick(0, 2)) {
      case 0:
        return made(depth > 2 ? usual : "(@c `&&`||`` @c)", depth, level);
      case 1:
        if (scope_.bools.empty()) break;
        return with(made("`@v`!@v``"), {F::BoolVariable});
      default:
        if (!scope_.in_function) return made("`x < n`t < 20`y < m`gid < n * m`lane >= m``");
    }
    return made(usual, depth, level);
  }
  return one({{"(@i & #^0-3) == 0"},
              {"(unsigned)(@i) @= (unsigned)(@k)"},
              {"@r @= 2.5f", {F::RealVariable}},
              {"@i @= @i"},
              {"@w @= `@k`@k`((long long)@k << 40)``", {F::LongVariable}},
              {usual, {}, 4}},
             depth, level);
}

// The same for all threads of a block.
Piece KernelMaker::uniform_condition() {
  const Piece of = made("`bx`by`n`m`bz`(bx + by)`(int)gridDim.x``");
  return random_.chance(25) ? piece("(@ & 1) == 0", {of}) : piece("@ @", {of, made("`<`>`!=`` #0-12")});
}

}  // namespace warplens::differential
