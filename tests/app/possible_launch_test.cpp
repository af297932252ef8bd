// A launch that cannot be is not tried: keys, sliders and typed values go as far as they can and say why no
// further, so that nothing that is pictured has to step back for it.
#include <gmock/gmock.h>

#include "app/simulate/simulator.h"
#include "app/state/catalog.h"
#include "tests/app/desk.h"

namespace warplens::app::possible_launch_test {

State opened(const char* name) {
  return opening(gallery(), name);
}

std::int64_t value_of(const State& state, const char* name) {
  return state.settings.values.at(name);
}

// 32 × 16, X: 64 × 16 is as many threads as a block can have. Y for 64 × 32 stays.
TEST(PossibleLaunch, KeysStopAtTheMostThreads) {
  State state = done(opened("transpose_shared"), {StepParameter{"block_x", 1}});
  EXPECT_EQ(value_of(state, "block_x"), 64);
  EXPECT_FALSE(state.notice);
  const Settings before = state.settings;
  state = done(std::move(state), {StepParameter{"block_y", 1}});
  EXPECT_EQ(value_of(state, "block_y"), 16);
  EXPECT_EQ(state.settings, before) << "nothing to be undone";
  ASSERT_TRUE(state.notice);
  EXPECT_EQ(state.notice->key, "limit.threads");
  EXPECT_THAT(state.notice->words, testing::HasSubstr("16"));
  state = done(std::move(state), {StepParameter{"block_y", -1}});
  EXPECT_EQ(value_of(state, "block_y"), 8);
  EXPECT_FALSE(state.notice) << "the words are of what was asked for before";
}

TEST(PossibleLaunch, TheLimitIsForgottenWhenOneGoesBackOrOn) {
  const State refused =
      done(opened("transpose_shared"), {StepParameter{"block_x", 1}, StepParameter{"block_y", 1}});
  ASSERT_TRUE(refused.notice);
  EXPECT_FALSE(done(refused, {Undo{}}).notice);
  EXPECT_FALSE(done(refused, {StepAccess{1}}).notice);
  EXPECT_FALSE(done(refused, {StepRung{-1}}).notice);
  EXPECT_TRUE(done(refused, {Tick{0.01}}).notice) << "time alone does not take it away";
}

TEST(PossibleLaunch, TypedValuesGoAsFarAsTheyCan) {
  State state =
      done(opened("transpose_shared"), {SetParameter{"block_x", 48, {}}, SetParameter{"block_y", 1000, {}}});
  EXPECT_EQ(value_of(state, "block_y"), 21);  // 48 × 21 = 1008
  EXPECT_TRUE(state.notice);
  // A slider comes to powers of two alone.
  state = done(std::move(state), {SetParameter{"block_y", 1, {}}, SetParameter{"block_y", 8, "drag"},
                                  SetParameter{"block_y", 64, "drag"}});
  EXPECT_EQ(value_of(state, "block_y"), 16);
  EXPECT_EQ(state.past.size(), 4u) << "a drag is one step";
  EXPECT_EQ(value_of(done(std::move(state), {Undo{}}), "block_y"), 1);
}

TEST(PossibleLaunch, RequirementsAreKeptAndTold) {
  // More than 16 sums a thread and more than 512 threads need too many registers.
  State state = done(opened("sgemm_register_distance"),
                     {SetParameter{"block_x", 32, {}}, SetParameter{"block_y", 32, {}}});
  EXPECT_EQ(value_of(state, "block_y"), 16);
  ASSERT_TRUE(state.notice);
  EXPECT_EQ(state.notice->key, "limit.rule");
  EXPECT_THAT(state.notice->words, testing::HasSubstr("registers"));
}

TEST(PossibleLaunch, WhatIsBrokenAlreadyHoldsNothingBack) {
  const scenario::Scenario& s = *gallery().find("transpose_shared");
  scenario::ParameterValues values = scenario::defaults(s);
  values["block_x"] = 128;  // × 16
  EXPECT_EQ(limit_of(s, values), LaunchLimit::Threads);
  const PossibleValue free = nearest_possible(s, values, "block_y", 32, true);
  EXPECT_EQ(free.value, 32);
  EXPECT_EQ(free.limit, LaunchLimit::None);
  EXPECT_EQ(limit_of(s, made_possible(s, values)), LaunchLimit::None);
}

// The other rungs, and A of A│B, take over what was turned; each of them can be launched.
TEST(PossibleLaunch, OtherRungsTakeOverWhatCanBeLaunched) {
  for (const scenario::Scenario& s : gallery().scenarios) {
    for (const scenario::ScenarioParameter& parameter : s.parameters) {
      if (!parameter.name.starts_with("block_")) continue;
      const scenario::ParameterValues turned =
          done(opened(s.name.c_str()), {SetParameter{parameter.name, parameter.maximum, {}}}).settings.values;
      for (const scenario::Scenario* rung : gallery().ladder_of(s)) {
        for (const auto& values : {carried_to(s, turned, *rung), carried_in_size(s, turned, *rung)})
          EXPECT_EQ(limit_of(*rung, values), LaunchLimit::None) << s.name << " to " << rung->name;
      }
    }
  }
}

// No end of a slider, and no two of them, lead to a kernel that cannot be compiled and launched.
TEST(PossibleLaunch, EveryKernelOfTheGalleryTakesTheEndsOfItsSliders) {
  Programs programs;
  const auto complaint = [&](const scenario::Scenario& s, const State& state) {
    const Compilation made = compile_settings(state.settings, &s, {&programs});
    return made.compiled           ? std::string()
           : made.problems.empty() ? "?"
                                   : made.problems.front().message.english();
  };
  for (const scenario::Scenario& s : gallery().scenarios) {
    for (const scenario::ScenarioParameter& one : s.parameters) {
      for (const int by : {-64, 64}) {
        const State state = done(opened(s.name.c_str()), {StepParameter{one.name, by}});
        EXPECT_EQ(complaint(s, state), "")
            << s.name << " " << one.name << " " << value_of(state, one.name.c_str());
        for (const scenario::ScenarioParameter& other : s.parameters) {
          if (other.name == one.name || !other.name.starts_with("block_")) continue;
          const State both = done(state, {StepParameter{other.name, 64}});
          EXPECT_EQ(complaint(s, both), "")
              << s.name << " " << one.name << " " << value_of(both, one.name.c_str()) << ", " << other.name
              << " " << value_of(both, other.name.c_str());
        }
      }
    }
  }
}

// A of A│B is what the picture is of, also while what is typed cannot be compiled.
TEST(PossibleLaunch, WhatIsPinnedCanBeShown) {
  Windowless d("transpose_naive_row");
  const Settings good = d.state.settings;
  d.act(SetText{"__global__ void broken(", {}, {}});
  ASSERT_FALSE(d.seen->fresh);
  EXPECT_EQ(picture_of(*d.seen, d.state.settings), PictureOf::OtherText);
  d.act(PinA{});
  ASSERT_TRUE(d.state.pinned);
  EXPECT_EQ(*d.state.pinned, good);
}

// Nothing of one kernel is on screen under another's name: there is no picture, and no verdict, of a kernel
// that cannot be compiled.
TEST(PossibleLaunch, ABrokenKernelHasNoOtherKernelsPicture) {
  Catalog catalog = gallery();
  for (scenario::Scenario& s : catalog.scenarios) {
    if (s.name == "transpose_shared") s.text = "__global__ void transpose_shared(";
  }
  jobs::Runner runner{jobs::waits_for_all()};
  Simulator simulator(&catalog, runner);
  State state = opening(catalog, "transpose_naive_row");
  const auto derived = [&] {
    runner.begin_frame();
    return simulator.derive(state);
  };
  ASSERT_TRUE(derived()->now);
  state.settings = opening(catalog, "transpose_shared").settings;
  auto seen = derived();
  EXPECT_TRUE(seen->empty());
  EXPECT_FALSE(seen->now);
  EXPECT_FALSE(seen->totals);
  EXPECT_FALSE(seen->problems.empty());
  state.settings = opening(catalog, "transpose_naive_row").settings;
  seen = derived();
  EXPECT_TRUE(seen->fresh);
  EXPECT_TRUE(seen->now);
  // The same kernel with other values that cannot be launched keeps its picture, which says of what it is.
  state.settings.values["block_x"] = 256;
  seen = derived();
  EXPECT_FALSE(seen->fresh);
  EXPECT_TRUE(seen->now);
  EXPECT_EQ(picture_of(*seen, state.settings), PictureOf::OtherLaunch);
}

}  // namespace warplens::app::possible_launch_test
