#include "cases.h"

#include <cstdio>
#include <cstdlib>
#include <random>

namespace warplens::scene::cases {
namespace {

using memory::Address;
using memory::Op;
using memory::WarpAccess;

constexpr Address kBase = Address{1} << 40;

GlobalCase global(std::string name, const WarpAccess& access, std::string buffer = "in") {
  GlobalCase result;
  result.name = std::move(name);
  result.view.access = access;
  result.view.buffer_base = kBase;
  result.view.buffer_name = std::move(buffer);
  return result;
}

WarpAccess from_lanes(Op op, int bytes, Address (*address)(int lane)) {
  WarpAccess access = strided(op, bytes, kBase, 0);
  for (int lane = 0; lane < 32; ++lane)
    access.addresses[static_cast<std::size_t>(lane)] = kBase + address(lane);
  return access;
}

WarpAccess masked(WarpAccess access, memory::LaneMask active) {
  access.active = active;
  return access;
}

WarpAccess random_access(int bytes, Address span) {
  std::mt19937 random(7);
  WarpAccess access = strided(Op::Load, bytes, kBase, 0);
  for (Address& address : access.addresses)
    address = kBase + random() % span / static_cast<Address>(bytes) * static_cast<Address>(bytes);
  return access;
}

BankCase bank(std::string name, WarpAccess access, const std::string& declaration,
              std::vector<std::int64_t> extents, int element = 4) {
  BankCase result;
  result.name = std::move(name);
  access.space = memory::Space::Shared;
  result.access = access;
  sim::SharedArray array;
  array.name = "tile";
  array.element_text = declaration;
  array.element_bytes = element;
  array.extents = std::move(extents);
  array.bytes = element;
  for (const std::int64_t extent : array.extents) {
    array.bytes *= extent;
    array.extent_texts.push_back(std::to_string(extent));
  }
  result.program.shared_arrays.push_back(array);
  sim::AccessSite site;
  site.text = "tile[c][r]";
  site.array = "tile";
  site.space = sim::SiteSpace::Shared;
  site.op = access.op;
  site.bytes = access.bytes;
  result.program.sites.push_back(site);
  return result;
}

language::Strings load(const char* language) {
  std::string error;
  language::Strings strings =
      language::Strings::load(std::string(WARPLENS_SOURCE_DIR) + "/assets/languages", language, &error);
  if (!error.empty()) std::fprintf(stderr, "%s\n", error.c_str());
  return strings;
}

}  // namespace

WarpAccess strided(Op op, int bytes, Address base, std::int64_t stride) {
  WarpAccess access;
  access.op = op;
  access.bytes = bytes;
  for (int lane = 0; lane < 32; ++lane) {
    access.addresses[static_cast<std::size_t>(lane)] = base + static_cast<Address>(stride * lane);
  }
  return access;
}

BankView BankCase::view() const {
  BankView view;
  view.program = &program;
  view.site = &program.sites.front();
  view.access = access;
  view.wavefront = wavefront;
  view.padding_words_per_row = padding_words;
  view.previous = has_previous ? &previous : nullptr;
  view.slide = slide;
  return view;
}

BankCase column_case(const std::string& name, int rows, int columns, int padding) {
  WarpAccess access = strided(Op::Load, 4, 0, 0);
  for (int lane = 0; lane < 32; ++lane) {
    access.addresses[static_cast<std::size_t>(lane)] =
        static_cast<Address>(4 * (lane % rows * (columns + padding) + lane / rows));
  }
  BankCase result = bank(name, access, "float", {rows, columns + padding});
  result.padding_words = padding;
  if (padding > 0)
    result.program.shared_arrays[0].extent_texts.back() =
        std::to_string(columns) + " + " + std::to_string(padding);
  return result;
}

GlobalView with_reuse(GlobalView view) {
  ReuseView reuse;
  const std::size_t sectors = memory::touched_sectors(view.access).size();
  for (std::size_t i = 0; i < sectors; ++i) reuse.origins.push_back(static_cast<sim::Origin>(i % 3));
  reuse.words = "33 % of these sectors' bytes are its own, but x, y and z share them: 100 % over 3 loads";
  view.reuse = std::move(reuse);
  return view;
}

const std::vector<GlobalCase>& global_cases() {
  static const std::vector<GlobalCase> cases = [] {
    std::vector<GlobalCase> all;
    all.push_back(global("coalesced", strided(Op::Load, 4, kBase, 4)));
    all.push_back(global("offset-1", strided(Op::Load, 4, kBase + 4, 4)));
    all.push_back(global("stride-2", strided(Op::Load, 4, kBase, 8)));
    all.push_back(global("stride-4", strided(Op::Load, 4, kBase, 16)));
    all.push_back(global("stride-8", strided(Op::Load, 4, kBase, 32)));
    all.push_back(global("stride-16", strided(Op::Load, 4, kBase, 64)));
    all.push_back(global("column-store", strided(Op::Store, 4, kBase + 64, 0x4000), "out"));
    all.push_back(
        global("column-store-sparse", masked(strided(Op::Store, 4, kBase + 64, 0x4000), 0x00ff0fffu), "out"));
    all.push_back(
        global("two-rows",
               from_lanes(Op::Store, 4,
                          [](int lane) { return Address{4} * (lane % 16) + Address{0x2000} * (lane / 16); }),
               "out"));
    all.push_back(global("eight-rows", from_lanes(Op::Load, 4, [](int lane) {
                           return Address{4} * (lane % 4) + Address{0x2000} * (lane / 4);
                         })));
    all.push_back(global("eleven-rows", from_lanes(Op::Load, 4, [](int lane) {
                           return Address{4} * (lane % 3) + Address{0x1000} * (lane / 3);
                         })));
    all.push_back(global("broadcast", strided(Op::Load, 4, kBase + 20, 0)));
    all.push_back(global("pairs", from_lanes(Op::Load, 4, [](int lane) { return Address{4} * (lane / 2); })));
    all.push_back(global("bytes", strided(Op::Load, 1, kBase, 1)));
    all.push_back(global("halves", strided(Op::Load, 2, kBase, 2)));
    all.push_back(global("doubles", strided(Op::Load, 8, kBase, 8)));
    all.push_back(global("float4", strided(Op::Load, 16, kBase, 16)));
    all.push_back(global("float4-column", strided(Op::Load, 16, kBase, 0x1000)));
    all.push_back(global("float4-broadcast", strided(Op::Load, 16, kBase + 32, 0)));
    all.push_back(global("even-lanes", masked(strided(Op::Load, 4, kBase, 4), 0x55555555u)));
    all.push_back(global("no-lane", masked(strided(Op::Load, 4, kBase, 4), 0)));
    all.push_back(global("atomic-one", strided(Op::Atomic, 4, kBase, 0), "count"));
    all.push_back(global(
        "atomic-bins", from_lanes(Op::Reduction, 4, [](int lane) { return Address{4} * (lane * lane % 11); }),
        "bins"));
    all.push_back(global("random", random_access(4, 1 << 16)));
    all.push_back(global("reversed", strided(Op::Load, 4, kBase + 124, -4)));
    return all;
  }();
  return cases;
}

const std::deque<BankCase>& bank_cases() {
  static const std::deque<BankCase> cases = [] {
    std::deque<BankCase> all;
    all.push_back(column_case("tile16-pad0", 16, 32, 0));
    all.back().wavefront = 2;
    all.push_back(column_case("tile16-pad1", 16, 32, 1));
    all.push_back(column_case("tile16-pad2", 16, 32, 2));
    all.push_back(column_case("tile32-pad0", 32, 32, 0));
    all.back().wavefront = 20;
    all.push_back(column_case("tile32-pad1", 32, 32, 1));
    all.push_back(column_case("tile8-pad0", 8, 8, 0));
    all.push_back(column_case("tile32x64-pad0", 32, 64, 0));
    all.back().wavefront = 9;
    all.push_back(column_case("tile16-sliding", 16, 32, 2));
    all.back().has_previous = true;
    all.back().previous = all.front().access;
    all.back().slide = 0.5f;
    all.push_back(bank("row", strided(Op::Store, 4, 0, 4), "float", {32, 32}));
    all.push_back(bank("broadcast", strided(Op::Load, 4, 128 * 3 + 40, 0), "float", {32, 32}));
    all.push_back(bank("doubles", strided(Op::Load, 8, 0, 8), "double", {16, 16}, 8));
    all.push_back(bank("doubles-stride-2", strided(Op::Load, 8, 0, 16), "double", {16, 32}, 8));
    all.back().wavefront = 1;
    all.push_back(bank("float4", strided(Op::Load, 16, 0, 16), "float", {16, 32}));
    all.back().wavefront = 1;
    all.push_back(bank("float4-column", strided(Op::Load, 16, 0, 128), "float", {32, 32}));
    all.back().wavefront = 3;
    WarpAccess merged = strided(Op::Load, 16, 0, 0);
    for (int lane = 0; lane < 32; ++lane)
      merged.addresses[static_cast<std::size_t>(lane)] = static_cast<Address>(16 * (lane / 2));
    all.push_back(bank("float4-merged", merged, "float", {16, 32}));
    all.push_back(bank("bytes-stride-4", strided(Op::Load, 1, 0, 1), "unsigned char", {8, 128}, 1));
    all.push_back(bank("atomic-word", strided(Op::Atomic, 4, 64, 0), "int", {64}));
    all.back().wavefront = 5;
    WarpAccess bins = strided(Op::Atomic, 4, 0, 0);
    for (int lane = 0; lane < 32; ++lane)
      bins.addresses[static_cast<std::size_t>(lane)] = static_cast<Address>(4 * (lane * lane % 23 * 3));
    all.push_back(bank("atomic-bins", bins, "int", {256}));
    all.push_back(bank("half-warp", masked(strided(Op::Load, 4, 0, 8), 0x0000ffffu), "float", {8, 32}));
    WarpAccess none = strided(Op::Load, 4, 0, 4);
    none.active = 0;
    all.push_back(bank("no-lane", none, "float", {8, 32}));
    WarpAccess random = random_access(4, 64 * 128);
    for (Address& address : random.addresses) address -= kBase;
    all.push_back(bank("random", random, "float", {64, 32}));
    return all;
  }();
  return cases;
}

BlockMapView block_map_case(std::uint32_t x, std::uint32_t y, std::uint32_t z, int warp) {
  BlockMapView view;
  view.grid = {64, 128, 1};
  view.block = {x, y, z};
  view.block_index = {3, 40, 0};
  view.warp = warp;
  view.active = 0xffffffffu;
  return view;
}

TimeBarsView time_bars_case() {
  TimeBarsView view;
  view.bars = {{"copy", 17.6e-6, 17.3e-6, 18.2e-6, 100, true, false, false, false},
               {"naive", 69.6e-6, 68.9e-6, 73.5e-6, 25, true, false, false, false},
               {"shared tile", 24.4e-6, 24.0e-6, 26.1e-6, 72, false, true, false, false},
               {"tile + padding", 19.2e-6, 19.0e-6, 20.0e-6, 92, false, false, true, false},
               {"swizzle", 0, 0, 0, 0, false, false, false, false},
               {"two tiles a block", 14.2e-6, 14.0e-6, 15.0e-6, 0, false, false, false, true}};
  view.percent_of = "cudaMemcpy";
  view.captions = {"NVIDIA H200 · median of 200 cold runs · 2048 × 2048"};
  return view;
}

ScrubberView scrubber_case() {
  ScrubberView view;
  view.segments = {{4, 4}, {1, 1}, {16, 1}, {4, 4}};
  view.current = 2;
  view.within = 0.2f;
  return view;
}

const language::Strings& english() {
  static const language::Strings strings = load("en");
  return strings;
}

const language::Strings& chinese() {
  static const language::Strings strings = load("zh-CN");
  return strings;
}

Canvas canvas(float width, float height, float scale, const language::Strings& strings) {
  Canvas result;
  result.width = width;
  result.height = height;
  result.scale = scale;
  result.palette = &dark_palette();
  result.strings = &strings;
  return result;
}

}  // namespace warplens::scene::cases
