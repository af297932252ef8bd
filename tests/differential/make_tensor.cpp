// Accesses of the tensor-core era: rows of 8 x 8 matrices, copies past the registers, textures.
#include "tests/differential/kernel_maker.h"

namespace warplens::differential {

namespace {

std::string address_of(const std::string& place) {
  return "(unsigned)__cvta_generic_to_shared(&" + place + ")";
}

// "r0, r1" for 2 registers, each in `before` and `behind`.
std::string listed(int count, const std::string& before, const std::string& behind, int first = 0) {
  std::string text;
  for (int i = first; i < first + count; ++i)
    text += (i == first ? "" : ", ") + before + std::to_string(i) + behind;
  return text;
}

const char* const kShape = ".sync.aligned.m8n8.x$`.shared`.shared`.shared`.trans.shared`.trans.shared``.b16 ";

}  // namespace

const Array* KernelMaker::panel() const {
  for (const Array& a : arrays_)
    if (a.name == "panel") return &a;
  return nullptr;
}

// With all 32 lanes of each warp at hand, matrices; else what a lane does for itself.
Piece KernelMaker::tensor_statement() {
  const bool whole = scope_.uniform && !lanes_left_ && launch().block.count() % 32 == 0;
  if (panel() == nullptr) return whole && random_.chance(50) ? multiply_matrices() : fetch_texture();
  if (!whole || random_.chance(20)) return copy_async();
  const int kind = random_.pick(0, 4);
  return kind < 2 ? load_matrices(*panel()) : kind < 4 ? store_matrices(*panel()) : multiply_matrices();
}

// Rows of 16 bytes, anywhere in the panel; misaligned in some risky kernels.
Piece KernelMaker::load_matrices(const Array& panel) {
  const int count = 1 << random_.pick(0, 2);
  const std::string v = name("w"), r = name("r"), number = std::to_string(count),
                    step = risky_ && random_.chance(60) ? " & 127) * 2" : " & 127) * 4";
  Piece n = made("unsigned " + listed(count, r + "_", "") + ";\nasm volatile(\"ldmatrix" +
                 named(kShape, number) + "{" + listed(count, "%", "") + "}, [%" + number +
                 "];\" : " + listed(count, "\"=r\"(" + r + "_", ")") + " : \"r\"(" +
                 address_of("panel[(@t" + step + "]") + "));\nint " + v + " = (int)(" + r + "_0 ^ " + r +
                 "_" + std::to_string(count - 1) + " * 3u);\n");
  scope_.ints[static_cast<std::size_t>(panel.level)].push_back(v);
  return with(std::move(n), {Feature::MatrixLoad, Feature::SharedSteers});
}

Piece KernelMaker::store_matrices(const Array& panel) {
  const int count = 1 << random_.pick(0, 2);
  Piece n = made("asm volatile(\"stmatrix" + named(kShape, std::to_string(count)) + "[%0], {" +
                 listed(count, "%", "", 1) + "};\" :: \"r\"(" + address_of("panel[(@t & 127) * 4]") + ")");
  for (int i = 0; i < count; ++i) n += piece(", \"r\"(@)", {integer(1, std::min(panel.level, some_level()))});
  n.text += " : \"memory\");\n";
  return with(std::move(n), {Feature::MatrixStore});
}

// Whole numbers, so that every order of the sums is the same.
Piece KernelMaker::multiply_matrices() {
  const Level level = some_level();
  const std::string v = name("w"), d = name("d");
  Piece n = made("int " + listed(4, d + "_", "") +
                     ";\nasm volatile(\"mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, "
                     "{%4, %5}, {%6}, {%7, %8, %7, %8};\" : " +
                     listed(4, "\"=r\"(" + d + "_", ")") +
                     " : \"r\"(@i), \"r\"(@i), \"r\"(@i), \"r\"(@i), \"r\"(@i));\nint " + v + " = " + d +
                     "_0 + " + d + "_3;\n",
                 0, level);
  scope_.ints[static_cast<std::size_t>(level)].push_back(v);
  return with(std::move(n), {Feature::MatrixProduct});
}

// From a buffer of words without an end to the panel, in whole or with zeros behind.
Piece KernelMaker::copy_async() {
  const Array* from = nullptr;
  for (const Array& a : arrays_) {
    const bool words = a.place == Place::Global && a.elements == 0 && a.reads && !a.writes && a.rows == 0;
    if (words && a.type->bytes == 4) from = &a;
  }
  if (from == nullptr || panel() == nullptr) return simple_statement();
  const int words = 1 << random_.pick(0, 2);
  const std::string bytes = std::to_string(4 * words), times = ") * " + std::to_string(words) + "]";
  const std::string to = "panel[(@t & " + std::to_string(512 / words - 1) + times,
                    source = from->name + "[($ & 0xfff" + times;
  // Which lanes read: all, some or none, by a size that is none or all, by any other, by a predicate.
  const std::string some =
      random_.one_of({"(lane & 1) != 0", "lane < 24", "lane == 5", "lane > 32", "threadIdx.x % 3 != 0"});
  std::string copy = "__pipeline_memcpy_async(&" + to + ", &" + source + ", " + bytes +
                     (random_.chance(40) ? ", " + some + " ? 0 : `" + bytes + "`4`1``" : "") +
                     ");\n__pipeline_commit();\n__pipeline_wait_prior(0);\n";
  if (!random_.chance(30)) {
    const bool past_l1 = words == 4 && random_.chance(50), sizes = random_.chance(40),
               ignores = !sizes && random_.chance(20);
    copy = "asm volatile(\"" + std::string(ignores ? "{ .reg .pred q; setp.ne.u32 q, %2, 0; " : "") +
           "cp.async." + (past_l1 ? "cg" : "ca") + ".shared.global [%0], [%1], " + bytes +
           (sizes     ? ", %2;"
            : ignores ? ", q; }"
                      : ";") +
           "\" :: \"r\"(" + address_of(to) + "), \"l\"(&" + source + ")" +
           (sizes ? ", \"r\"(`lane & " + bytes + "`" + some + " ? " + bytes + " : 0`lane % " +
                        std::to_string(4 * words + 1) + "`0``)"
            : ignores ? ", \"r\"(" + some + " ? 1 : 0)"
                      : "") +
           " : \"memory\");\nasm volatile(\"cp.async.`wait_all`commit_group;\");\nasm "
           "volatile(\"cp.async.wait_group "
           "0``;\");\n";
  }
  Piece n = made(copy);
  const Piece index = integer(1, std::min(panel()->level, some_level()));
  n.text = named(n.text, index.text);
  n.features |= index.features;
  return with(std::move(n), {Feature::AsyncCopy});
}

// Also past the end of the texture, where it has zeros.
Piece KernelMaker::fetch_texture() {
  if (!has_texture_) return simple_statement();
  return with(into(Level::Data, made("tex1Dfetch<int>(tex, @E)")), {Feature::Texture});
}

}  // namespace warplens::differential
