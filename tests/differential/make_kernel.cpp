// The launch of a random kernel, its arrays, and the file as a whole.
#include <algorithm>

#include "tests/differential/kernel_maker.h"

namespace warplens::differential {

KernelMaker::KernelMaker(std::uint64_t seed) : random_(seed * 0x100000001b3u + 7) {
  kernel_.seed = seed;
}

RandomKernel KernelMaker::make() {
  static constexpr std::array<std::array<int, kLevels>, 4> kMoods = {
      {{50, 45, 5, 0}, {30, 50, 14, 6}, {25, 35, 22, 18}, {10, 20, 30, 40}}};
  const int mood = random_.pick(1, 100);
  level_weights_ = kMoods[mood <= 40 ? 0 : mood <= 70 ? 1 : mood <= 88 ? 2 : 3];
  risky_ = random_.chance(18);
  choose_launch();
  Piece declarations = choose_functions();
  choose_arrays();
  Piece body = declare_arrays();
  body += head();
  body += fills();
  body += block(0, 2, 6);
  body += tail();
  if (has_group_) {
    body = piece("auto group = cg::tiled_partition<16>(cg::this_thread_block());\n@", {body});
    declarations = piece("namespace cg = cooperative_groups;\n@", {declarations});
  }
  const std::string before = has_template_ ? "template <int P, class T>\n" : "";
  const std::string bounds = random_.chance(10) ? "__launch_bounds__(128) " : "";
  const Piece list = parameters();
  for (const ElementType& type : element_types()) {
    const auto has_type = [&](const Array& a) { return a.type == &type; };
    if (type.is_struct && std::any_of(arrays_.begin(), arrays_.end(), has_type))
      kernel_.file.text += declaration_of(type);
  }
  kernel_.file +=
      piece("#define MIX(a, b) ((a) * 3 + (b))\n@@" + before + "__global__ void " + bounds + "k(@) {\n@}\n",
            {symbols_, declarations, list, body});
  if (has_template_) kernel_.file.features |= set_of({Feature::KernelTemplate});
  return std::move(kernel_);
}

void KernelMaker::choose_launch() {
  static const std::vector<sim::Dim3> kBlocks = {{32, 1, 1}, {32, 1, 1}, {64, 1, 1}, {64, 1, 1}, {33, 1, 1},
                                                 {48, 1, 1}, {16, 4, 1}, {8, 8, 1},  {32, 2, 1}, {7, 5, 1},
                                                 {4, 4, 2},  {1, 40, 1}, {96, 1, 1}, {5, 3, 2},  {16, 2, 1}};
  launch().block = random_.one_of(kBlocks);
  const auto extent = [&](int low, int high) { return static_cast<std::uint32_t>(random_.pick(low, high)); };
  switch (random_.pick(0, 4)) {
    case 0:
      launch().grid = {extent(6, 14), extent(5, 12), 1};
      break;
    case 1:
      launch().grid = {extent(3, 8), extent(3, 5), extent(4, 6)};
      break;
    case 2:
      launch().grid = {extent(100, 200), 1, 1};
      break;
    default:
      launch().grid = {extent(30, 90), 1, 1};
  }
  const auto number = [&] {
    if (random_.chance(35)) return std::int64_t{random_.pick(-60, 400)};
    return std::int64_t{1} << random_.pick(0, 11);
  };
  launch().arguments["n"] = number();
  launch().arguments["m"] = random_.chance(25) ? std::int64_t{random_.pick(-30, -1)} : number();
  launch().arguments["u"] =
      std::int64_t{random_.chance(70) ? random_.pick(0, 100) : 1 << random_.pick(20, 30)};
  has_template_ = random_.chance(20);
  if (has_template_)
    kernel_.template_arguments = {std::to_string(random_.pick(1, 40)),
                                  random_.one_of({"float", "int", "short"})};
  has_texture_ = random_.chance(25);
  if (has_texture_) launch().arguments["tex"] = sim::Buffer{4096, static_cast<sim::Fill>(random_.pick(0, 2))};
  has_config_ = random_.chance(15);
  if (!has_config_) return;
  launch().arguments["config.count"] = std::int64_t{random_.pick(-20, 300)};
  launch().arguments["config.offset"] = std::int64_t{random_.pick(0, 64)};
  launch().arguments["config.scale"] = 0.75;
}

std::uint64_t KernelMaker::buffer_elements() {
  const std::uint64_t threads = launch().grid.count() * launch().block.count();
  const int kind = random_.pick(0, 9);
  if (kind <= 4) return 0;
  if (kind == 5) return std::uint64_t{1} << random_.pick(6, 13);
  if (kind == 6) return threads + static_cast<std::uint64_t>(random_.pick(0, 200));
  if (risky_ && random_.chance(60))
    return threads - static_cast<std::uint64_t>(random_.chance(50) ? 1 : random_.pick(1, 40));
  return threads;
}

void KernelMaker::add_buffer(const ElementType& type, bool written) {
  Array a;
  a.name = name("g");
  a.type = &type;
  a.elements = buffer_elements();
  a.writes = written;
  a.reads = !written || random_.chance(11);
  a.level = written ? Level::Data : Level::Thread;
  const auto fill = static_cast<sim::Fill>(random_.pick(0, 2));
  launch().arguments[a.name] = sim::Buffer{a.elements, fill};
  arrays_.push_back(a);
}

void KernelMaker::choose_arrays() {
  add_buffer(element_type("int"), false);
  if (random_.chance(60)) add_buffer(element_type("float"), false);
  for (int i = random_.pick(1, 4); i > 0; --i) {
    const ElementType& type = random_.one_of(element_types());
    add_buffer(type, random_.chance(35));
  }
  if (random_.chance(50))
    add_buffer(
        element_type(random_.one_of({"int", "unsigned", "unsigned long long", "float", "double"}).c_str()),
        true);
  if (random_.chance(15)) {
    Array rows{"rows", &random_.one_of(element_types()), Place::Global, 4096, true, false, Level::Thread, 256,
               16,     set_of({Feature::RowPointer})};
    launch().arguments["rows"] = sim::Buffer{0, static_cast<sim::Fill>(random_.pick(0, 2))};
    arrays_.push_back(rows);
  }
  has_own_ = random_.chance(18);
  if (has_own_) {
    const std::uint64_t threads = launch().grid.count() * launch().block.count();
    launch().arguments["own"] =
        sim::Buffer{threads, random_.chance(50) ? sim::Fill::Iota : sim::Fill::Random};
  }
  Array out;
  out.name = "out";
  out.type = &element_type("int");
  out.writes = true;
  out.reads = random_.chance(3);
  const std::uint64_t threads = launch().grid.count() * launch().block.count();
  out.elements = random_.chance(60) ? 0 : threads - (risky_ && random_.chance(30) ? 3 : 0);
  launch().arguments["out"] = sim::Buffer{out.elements, sim::Fill::Zero};
  arrays_.push_back(out);
  if (random_.chance(25)) {
    const bool filled = random_.chance(50);
    symbols_.text += filled ? "__constant__ int table[16];\n"
                            : "__constant__ int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};\n";
    if (filled) launch().arguments["table"] = sim::Buffer{16, sim::Fill::Iota};
    arrays_.push_back(
        {"table", &element_type("int"), Place::Constant, 16, true, false, Level::Thread, 0, 0, {}});
  }
  if (random_.chance(20)) {
    symbols_ += made("__device__ int counts[64]`;` = {9, 7};``\n");
    arrays_.push_back({"counts", &element_type("int"), Place::Global, 64, random_.chance(10), true,
                       Level::Data, 0, 0, set_of({Feature::DeviceVariable})});
  }
  if (random_.chance(20)) {
    symbols_.text += "__device__ int steps[512] = {3, 1, 4, 1, 5, 9, 2, 6};\n";
    arrays_.push_back({"steps", &element_type("int"), Place::Global, 512, true, false, Level::Data, 0, 0,
                       set_of({Feature::DeviceVariable})});
  }
}

// Arrays of the block and of the thread, at levels of their own.
Piece KernelMaker::declare_arrays() {
  Piece all;
  const auto level = [&] { return random_.chance(15) ? Level::Data : some_level(); };
  const auto some_type = [&]() -> const ElementType& {
    return random_.chance(55)
               ? element_type(
                     random_.one_of({"int", "int", "unsigned", "float", "unsigned long long"}).c_str())
               : random_.one_of(element_types());
  };
  const auto declare = [&](const std::string& prefix, const ElementType& type, const std::string& name,
                           const std::string& extents, Array a) {
    all.text += prefix + type.name + " " + name + extents + ";\n";
    a.type = &type;
    if (a.name.empty()) a.name = name;
    arrays_.push_back(std::move(a));
  };
  if (random_.chance(70)) {
    const ElementType& type = some_type();
    const int elements = 1 << random_.pick(5, 8);
    declare("__shared__ ", type, "tile", "[" + std::to_string(elements) + "]",
            {"", nullptr, Place::Shared, static_cast<std::uint64_t>(elements), true, true, level()});
  }
  if (random_.chance(20)) {
    const ElementType& type = some_type();
    launch().shared_bytes = 128 * static_cast<std::uint64_t>(type.bytes);
    declare("extern __shared__ ", type, "dynamic", "[]",
            {"", nullptr, Place::Shared, 128, true, true, level(), 0, 0, set_of({Feature::ExternShared})});
  }
  if (random_.chance(65))
    declare("__shared__ __align__(16) ", element_type("int"), "panel", "[512]",
            {"", nullptr, Place::Shared, 512, true, true, level()});
  if (random_.chance(50)) {
    const ElementType& type = random_.chance(45) ? element_type("int") : some_type();
    declare("", type, "local", "[8]", {"", nullptr, Place::Local, 8, true, true, level()});
  }
  if (random_.chance(40)) {  // of two dimensions, or three
    const ElementType& type = random_.one_of(element_types());
    const int rows = 1 << random_.pick(2, 5), columns = 1 << random_.pick(2, 5), padding = random_.pick(0, 2);
    const bool planes = random_.chance(25) && rows * columns <= 128;
    const std::string width = std::to_string(columns) + (padding > 0 ? " + " + std::to_string(padding) : "");
    Features features = set_of({Feature::SharedMatrix});
    if (padding > 0) features |= set_of({Feature::Padding});
    declare("__shared__ ", type, "cells", (planes ? "[4][" : "[") + std::to_string(rows) + "][" + width + "]",
            {planes ? "cells[lane & 3]" : "cells", nullptr, Place::Shared,
             static_cast<std::uint64_t>(rows * columns), true, true, some_level(), rows, columns, features});
  }
  return all;
}

Piece KernelMaker::parameters() {
  Piece list{"int* out"};
  for (const Array& a : arrays_) {
    if (a.features == set_of({Feature::RowPointer}))
      list.text += ", const " + std::string(a.type->name) + " (*rows)[16]";
    if (a.name[0] == 'g')
      list.text += (a.writes ? ", " : ", const ") + std::string(a.type->name) + "* " + a.name;
  }
  if (has_own_) list.text += ", int* own";
  if (has_texture_) list.text += ", cudaTextureObject_t tex";
  list.text += ", int n, int m, unsigned u";
  if (has_config_) {
    list += {", Config config", set_of({Feature::StructParameter})};
    symbols_.text += "struct Config {\n  int count, offset;\n  float scale;\n};\n";
  }
  return list;
}

// The names that statements read.
Piece KernelMaker::head() {
  Piece n;
  const bool swizzled = random_.chance(18);
  n.text += "int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, lane = t & 31;\n";
  const std::string flat = "((int)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x",
                    threads = std::to_string(launch().block.count());
  if (has_own_) n.text += "int mine = (" + flat + ") * " + threads + " + t;\n";
  n += made(swizzled
                ? "int flat = " + flat +
                      ";\nint bx = `flat % 4`(blockIdx.x + blockIdx.y) % gridDim.x`flat / 3`flat ^ 1``, by = "
                      "`flat / 4`blockIdx.x`flat >> 3``, bz = blockIdx.z;\n"
                : "int bx = blockIdx.x, by = blockIdx.y, bz = blockIdx.z;\n");
  n.text += "int x = bx * blockDim.x + threadIdx.x, y = by * blockDim.y + threadIdx.y;\n";
  n.text += "int gid = (" + flat + ") * " + threads + " + t;\nint sum = 0, sink = 0;\n";
  auto& ints = scope_.ints;
  ints[0] = {"t",
             "t",
             "lane",
             "lane",
             "n",
             "m",
             "(int)u",
             "(int)threadIdx.x",
             "(int)threadIdx.y",
             "(int)blockDim.x"};
  for (const char* moving : {"bx", "by", "x", "y", "bz"}) ints[swizzled ? 2 : 1].push_back(moving);
  ints[1].insert(ints[1].end(), {"gid", "(int)blockIdx.x", "(int)(blockIdx.y * 32 + threadIdx.x)"});
  ints[3] = {"sum"};
  scope_.variables[3] = {"sum"};
  if (has_template_) ints[0].push_back("P");
  if (has_config_) ints[0].insert(ints[0].end(), {"config.count", "config.offset"});
  if (has_template_) n.text += "sink += (int)((T)t / (T)2);\n";
  return n;
}

Piece KernelMaker::fills() {
  Piece n;
  bool shared = false;
  for (const Array& a : arrays_) {
    if ((a.place != Place::Shared && a.place != Place::Local) || !random_.chance(75)) continue;
    const Piece value = piece(a.type->from_int, {integer(1, a.level)});
    n += a.place == Place::Local ? piece("for (int q = 0; q < 8; ++q) local[q] = @;\n", {value})
                                 : piece("@ = @;\n", {element(a, 1, Level::Thread), value});
    shared |= a.place == Place::Shared;
  }
  if (shared) n += {"__syncthreads();\n", set_of({Feature::Barrier})};
  return n;
}

Piece KernelMaker::tail() {
  const Array& out =
      *std::find_if(arrays_.begin(), arrays_.end(), [](const Array& a) { return a.name == "out"; });
  return made(random_.chance(60) || out.elements != 0 ? "out[gid] = sum + sink;\n"
                                                      : "out[@E] = sum + sink;\n");
}

RandomKernel random_kernel(std::uint64_t seed) {
  return KernelMaker(seed).make();
}

}  // namespace warplens::differential
