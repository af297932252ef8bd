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

std::string shape_of(int count, bool transposed) {
  return ".sync.aligned.m8n8.x" + std::to_string(count) + (transposed ? ".trans" : "") + ".shared.b16 ";
}

}  // namespace

// With all 32 lanes of each warp at hand, matrices; else what a lane does for itself.
Node KernelMaker::tensor_statement() {
  const bool whole = scope_.uniform && !lanes_left_ && launch().block.count() % 32 == 0;
  const Array* panel = nullptr;
  for (const Array& a : arrays_)
    if (a.name == "panel") panel = &a;
  if (panel == nullptr) return whole && random_.chance(50) ? multiply_matrices() : fetch_texture();
  if (!whole || random_.chance(20)) return copy_async();
  switch (random_.pick(0, 4)) {
    case 0:
    case 1:
      return load_matrices(*panel);
    case 2:
    case 3:
      return store_matrices(*panel);
    default:
      return multiply_matrices();
  }
}

// Rows of 16 bytes, anywhere in the panel; misaligned in some risky kernels.
Node KernelMaker::load_matrices(const Array& panel) {
  const int count = 1 << random_.pick(0, 2);
  const std::string v = name("w"), r = name("r"),
                    step = risky_ && random_.chance(25) ? " & 127) * 2" : " & 127) * 4";
  Node row = integer(1, Level::Thread);
  scope_.ints[static_cast<std::size_t>(panel.level)].push_back(v);
  return with(node(Kind::Statement,
                   "unsigned " + listed(count, r + "_", "") + ";\nasm volatile(\"ldmatrix" +
                       shape_of(count, random_.chance(40)) + "{" + listed(count, "%", "") + "}, [%" +
                       std::to_string(count) + "];\" : " + listed(count, "\"=r\"(" + r + "_", ")") +
                       " : \"r\"(" + address_of("panel[(@" + step + "]") + "));\nint " + v + " = (int)(" + r +
                       "_0 ^ " + r + "_" + std::to_string(count - 1) + " * 3u);\n",
                   std::move(row)),
              {Feature::MatrixLoad, Feature::SharedSteers});
}

Node KernelMaker::store_matrices(const Array& panel) {
  const int count = 1 << random_.pick(0, 2);
  std::string values;
  for (int i = 0; i < count; ++i) values += std::string(i == 0 ? "" : ", ") + "\"r\"(@)";
  Node n =
      node(Kind::Statement, "asm volatile(\"stmatrix" + shape_of(count, random_.chance(40)) + "[%0], {" +
                                listed(count, "%", "", 1) + "};\" :: \"r\"(" +
                                address_of("panel[(@ & 127) * 4]") + "), " + values + " : \"memory\");\n");
  n.parts.push_back(integer(1, Level::Thread));
  for (int i = 0; i < count; ++i) n.parts.push_back(integer(1, std::min(panel.level, some_level())));
  return with(std::move(n), {Feature::MatrixStore});
}

// Whole numbers, so that every order of the sums is the same.
Node KernelMaker::multiply_matrices() {
  const Level level = some_level();
  const std::string v = name("w"), d = name("d");
  const auto value = [&] { return integer(1, level); };
  Node n = node(Kind::Statement,
                "int " + listed(4, d + "_", "") +
                    ";\nasm volatile(\"mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, "
                    "{%4, %5}, {%6}, {%7, %8, %7, %8};\" : " +
                    listed(4, "\"=r\"(" + d + "_", ")") +
                    " : \"r\"(@), \"r\"(@), \"r\"(@), \"r\"(@), \"r\"(@));\nint " + v + " = " + d + "_0 + " +
                    d + "_3;\n",
                value(), value(), value(), value(), value());
  scope_.ints[static_cast<std::size_t>(level)].push_back(v);
  return with(std::move(n), {Feature::MatrixProduct});
}

// From a buffer of words without an end to the panel, in whole or with zeros behind.
Node KernelMaker::copy_async() {
  const Array *from = nullptr, *panel = nullptr;
  for (const Array& a : arrays_) {
    if (a.name == "panel") panel = &a;
    const bool words = a.place == Place::Global && a.elements == 0 && a.reads && !a.writes && a.rows == 0;
    if (words && a.type->bytes == 4) from = &a;
  }
  if (from == nullptr || panel == nullptr) return simple_statement();
  const int words = 1 << random_.pick(0, 2);
  const std::string bytes = std::to_string(4 * words), times = ") * " + std::to_string(words) + "]";
  const std::string to = "panel[(@ & " + std::to_string(512 / words - 1) + times,
                    source = from->name + "[(@ & 0xfff" + times;
  const bool past_l1 = words == 4 && random_.chance(50);
  const std::string wait = random_.one_of(
      {"asm volatile(\"cp.async.wait_all;\");\n",
       "asm volatile(\"cp.async.commit_group;\");\nasm volatile(\"cp.async.wait_group 0;\");\n"});
  // Which lanes read: all, some or none, by a size that is none or all, by any other, by a predicate.
  const std::string some =
      random_.one_of({"(lane & 1) != 0", "lane < 24", "lane == 5", "lane > 32", "threadIdx.x % 3 != 0"});
  const std::vector<std::string> every{"lane & " + bytes, some + " ? " + bytes + " : 0",
                                       "lane % " + std::to_string(4 * words + 1), "0"};
  const std::string size = random_.one_of(every);
  const bool sizes = random_.chance(40), ignores = !sizes && random_.chance(20);
  const std::string more = sizes ? ", %2;" : ignores ? ", q;" : ";";
  const std::string asm_copy =
      "asm volatile(\"" + std::string(ignores ? "{ .reg .pred q; setp.ne.u32 q, %2, 0; " : "") + "cp.async." +
      (past_l1 ? "cg" : "ca") + ".shared.global [%0], [%1], " + bytes + more + (ignores ? " }" : "") +
      "\" :: \"r\"(" + address_of(to) + "), \"l\"(&" + source + ")" + (sizes ? ", \"r\"(" + size + ")" : "") +
      (ignores ? ", \"r\"(" + some + " ? 1 : 0)" : "") + " : \"memory\");\n" + wait;
  const std::string filled =
      random_.chance(40) ? ", " + some + " ? 0 : " + random_.one_of({bytes.c_str(), "4", "1"}) : "";
  const std::string copy = random_.chance(30)
                               ? "__pipeline_memcpy_async(&" + to + ", &" + source + ", " + bytes + filled +
                                     ");\n__pipeline_commit();\n__pipeline_wait_prior(0);\n"
                               : asm_copy;
  return with(node(Kind::Statement, copy, integer(1, Level::Thread),
                   integer(1, std::min(panel->level, some_level()))),
              {Feature::AsyncCopy});
}

// Also past the end of the texture, where it has zeros.
Node KernelMaker::fetch_texture() {
  if (!has_texture_) return simple_statement();
  return with(into(Level::Data, node(Kind::Int, "tex1Dfetch<int>(tex, @)", endless_index(1, some_level()))),
              {Feature::Texture});
}

}  // namespace warplens::differential
