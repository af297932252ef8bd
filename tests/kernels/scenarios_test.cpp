// The gallery's files: complete in every language, plain CUDA, legible, with buffers not one element too
// long.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "app/language/strings.h"
#include "sim/memory/gpu_model.h"
#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

using testing::HasSubstr;
using testing::Not;

void expect_every_language(const scenario::LocalText& text, const std::string& where) {
  for (const std::string& known : language::languages()) {
    auto found = text.find(known);
    ASSERT_NE(found, text.end()) << where << ": no " << known;
    EXPECT_FALSE(found->second.empty()) << where << ": " << known << " is empty";
  }
}

TEST(Scenarios, SpeakEveryLanguage) {
  for (const scenario::Scenario& s : gallery()) {
    expect_every_language(s.title, s.name + ": title");
    expect_every_language(s.teaches, s.name + ": teaches");
    if (!s.ladder.empty()) expect_every_language(s.rung_label, s.name + ": rung_label");
    for (const scenario::ScenarioParameter& p : s.parameters)
      expect_every_language(p.label, s.name + ": " + p.name);
  }
}

TEST(Scenarios, HaveOneKeyAParameterAndOnePlaceALadder) {
  std::map<std::string, std::set<int>> rungs;
  for (const scenario::Scenario& s : gallery()) {
    std::set<std::string> keys;
    for (const scenario::ScenarioParameter& p : s.parameters) {
      EXPECT_FALSE(p.key.empty()) << s.name << ": " << p.name;
      EXPECT_TRUE(keys.insert(p.key).second) << s.name << ": key " << p.key << " twice";
    }
    if (s.ladder.empty()) continue;
    EXPECT_TRUE(rungs[s.ladder].insert(s.rung).second) << s.name << ": rung taken";
  }
  for (const auto& [ladder, taken] : rungs)
    EXPECT_EQ(*taken.rbegin() + 1, static_cast<int>(taken.size())) << ladder << " has a gap";
}

TEST(Scenarios, ShowPlainCuda) {
  for (const scenario::Scenario& s : gallery()) {
    EXPECT_THAT(s.text, Not(HasSubstr("arplens"))) << s.name;
    EXPECT_TRUE(s.text.starts_with("//")) << s.name << ": what it shows comes first";
    std::size_t longest = 0, lines = 0, begin = 0;
    for (std::size_t end; (end = s.text.find('\n', begin)) != std::string::npos; begin = end + 1, ++lines)
      longest = std::max(longest, end - begin);
    EXPECT_LE(longest, 72u) << s.name;
    // What the copy engine and wgmma are told has no shorter words than PTX.
    EXPECT_LE(lines, s.name == "hgemm_tma" ? 150u : 80u) << s.name;
  }
}

TEST(Scenarios, SayHowTheOutputIsCheckedAndWhatIsMoved) {
  for (const scenario::Scenario& s : gallery()) {
    scenario::Setup made = setup({s.name, {}});
    ASSERT_TRUE(made.check) << s.name;
    EXPECT_GT(made.useful_bytes, 0u) << s.name;
    EXPECT_TRUE(made.launch.arguments.contains(made.check->buffer)) << s.name;
  }
}

// Every buffer is needed whole: one element less, and an access is out of range. One element more would hide
// that.
TEST(Scenarios, BufferSizesAreExact) {
  for (Case c :
       {Case{"copy", {{"n", 1000}}},
        {"copy_offset", {{"n", 1000}, {"offset", 3}}},
        {"copy_stride", {{"n", 1000}, {"stride", 7}}},
        {"copy_row", {{"nrows", 37}, {"ncols", 70}}},
        {"copy_col", {{"nrows", 37}, {"ncols", 70}}},
        {"transpose_naive_row", {{"nrows", 37}, {"ncols", 70}}},
        {"transpose_naive_col", {{"nrows", 37}, {"ncols", 70}}},
        {"transpose_shared", {{"nrows", 37}, {"ncols", 70}}},
        {"transpose_swizzle", {{"nrows", 37}, {"ncols", 70}}},
        {"transpose_unroll2", {{"nrows", 37}, {"ncols", 70}}},
        {"transpose_shape", {{"nrows", 37}, {"ncols", 70}}},
        {"gather", {{"n", 1000}}},
        {"sum_aos", {{"n", 1000}}},
        {"sum_soa", {{"n", 1000}}},
        {"shared_stride", {}},
        {"sgemm_naive", {{"m", 50}, {"n", 37}, {"k", 9}}},
        {"sgemm_coalesced_1d", {{"m", 50}, {"n", 37}, {"k", 9}}},
        {"sgemm_coalesced_2d", {{"m", 50}, {"n", 37}, {"k", 9}}},
        {"sgemm_tiled", {{"m", 50}, {"n", 37}, {"k", 9}}},
        {"reduce_pairs", {{"n", 1000}}},
        {"reduce_strided", {{"n", 1000}}},
        {"reduce_sequential", {{"n", 1000}}},
        {"histogram_global", {{"n", 1000}}},
        {"histogram_shared", {{"n", 1000}}},
        {"histogram_warps", {{"n", 1000}}},
        {"copy_unroll", {{"n", 1000}}},
        {"transpose_batch", {{"nrows", 37}, {"ncols", 70}}},
        {"transpose_float4", {{"nrows", 36}, {"ncols", 72}}},
        {"sgemm_untiled", {{"m", 50}, {"n", 37}, {"k", 9}}},
        {"sgemm_register_distance", {{"m", 50}, {"n", 37}, {"k", 9}}},
        {"sgemm_register_stride", {{"m", 50}, {"n", 37}, {"k", 9}}},
        {"sgemm_register_tiled", {{"m", 50}, {"n", 37}, {"k", 9}}},
        {"sgemm_float4", {{"m", 50}, {"n", 36}, {"k", 12}}},
        {"sgemm_warptiled", {{"m", 50}, {"n", 36}, {"k", 16}}},
        {"hgemm_wmma", {{"m", 48}, {"n", 80}, {"k", 32}}},
        {"hgemm_tiled", {{"m", 128}, {"n", 256}, {"k", 128}}},
        {"hgemm_padded", {{"m", 128}, {"n", 256}, {"k", 128}}},
        {"hgemm_swizzle", {{"m", 256}, {"n", 256}, {"k", 128}}},
        {"hgemm_async", {{"m", 256}, {"n", 256}, {"k", 128}}},
        {"hgemm_tma", {{"m", 256}, {"n", 256}, {"k", 384}}},
        {"dgemm_tiled", {{"m", 50}, {"n", 37}, {"k", 9}}},
        {"dgemm_global_sum", {{"m", 50}, {"n", 37}, {"k", 9}}},
        {"shared_row", {}},
        {"shared_column", {}},
        {"shared_broadcast", {}},
        {"shared_multicast", {}},
        {"shared_swizzle", {}},
        {"layout_swizzle", {}},
        {"layout_function", {{"rows", 7}, {"columns", 9}}},
        {"layout_ldmatrix", {}},
        {"layout_fragment", {}},
        {"softmax_thread", {{"nrows", 37}, {"ncols", 70}}},
        {"softmax_block", {{"nrows", 37}, {"ncols", 70}}},
        {"softmax_online", {{"nrows", 37}, {"ncols", 70}}},
        {"softmax_float4", {{"nrows", 37}, {"ncols", 72}}},
        {"layer_norm_thread", {{"nrows", 37}, {"ncols", 70}}},
        {"layer_norm_warp", {{"nrows", 37}, {"ncols", 70}}},
        {"layer_norm_shared", {{"nrows", 37}, {"ncols", 72}}},
        {"rope_pairs", {{"positions", 7}, {"heads", 3}}},
        {"rope_halves", {{"positions", 7}, {"heads", 3}}},
        {"rope_float2", {{"positions", 7}, {"heads", 3}}},
        {"scan_hillis_steele", {{"n", 1000}}},
        {"scan_blelloch", {{"n", 1000}}},
        {"scan_shuffle", {{"n", 1000}}},
        {"stencil_1d_global", {{"n", 1000}}},
        {"stencil_1d_shared", {{"n", 1000}}},
        {"stencil_2d_shared", {{"nrows", 37}, {"ncols", 70}}},
        {"spmv_scalar", {{"nrows", 37}, {"ncols", 5}}},
        {"spmv_vector", {{"nrows", 37}, {"ncols", 5}}},
        {"attention_global", {{"n", 45}, {"heads", 2}}},
        {"flash_attention", {{"n", 45}, {"heads", 2}}},
        {"index_expression", {{"length", 1}, {"stride", 3}, {"offset", 2}, {"size", 2}, {"base", 5}}}}) {
    scenario::Setup made = setup(c);
    sim::Program program = compile(made);
    for (auto& [name, argument] : made.launch.arguments) {
      auto* buffer = std::get_if<sim::Buffer>(&argument);
      if (buffer == nullptr) continue;
      ASSERT_GT(buffer->elements, 0u) << c << ": " << name << " has no end";
      --buffer->elements;
      sim::Totals totals = sim::grid_totals(program, made.launch, memory::default_gpu_model());
      ++buffer->elements;
      ASSERT_TRUE(totals.error) << c << ": " << name << " is longer than needed";
      // A tensor map says how much it describes: the launch is refused before a lane comes to its end.
      const bool map = std::ranges::any_of(program.tensor_maps, [&](const sim::TensorMapUse& use) {
        return program.parameters[use.parameter].name == name;
      });
      EXPECT_EQ(totals.error->kind, map ? sim::RunError::Kind::BadLaunch : sim::RunError::Kind::OutOfRange)
          << totals.error->message;
      EXPECT_GT(totals.error->range.begin.line, 0);
    }
    EXPECT_FALSE(sim::grid_totals(program, made.launch, memory::default_gpu_model()).error) << c;
  }
}

// All block shapes that a block parameter can take, where the product is a block; padding to its end.
TEST(Scenarios, TakeTheWholeRangeOfTheirParameters) {
  for (const scenario::Scenario& s : gallery()) {
    for (const scenario::ScenarioParameter& p : s.parameters) {
      std::vector<std::int64_t> values =
          p.choices.empty() ? std::vector<std::int64_t>{p.minimum, p.maximum} : p.choices;
      for (std::int64_t value : values) {
        scenario::ParameterValues set{{p.name, value}};
        for (const scenario::ScenarioParameter& other : s.parameters)
          if ((p.name == "block_x" && other.name == "block_y") ||
              (p.name == "block_y" && other.name == "block_x"))
            set[other.name] = other.choices.empty() ? 1 : std::ranges::min(other.choices);
        // The least value that the requirements let through: of k, 8 in place of 1.
        for (int up = 0; !s.requirements.empty() && up < 7 && !scenario::make_setup(s, set); ++up)
          ++set[p.name];
        scenario::Setup made = setup({s.name, set});
        EXPECT_THAT(sim::check_launch(compile(made), made.launch, memory::default_gpu_model()),
                    testing::IsEmpty())
            << s.name << " with " << p.name << " = " << set[p.name];
      }
    }
  }
}

}  // namespace
}  // namespace warplens::test
