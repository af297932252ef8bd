// Work beside the frame: what is long under way never holds up what is shown, is cancelled by what is newer,
// and is not done twice.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "app/readout/code_rows.h"
#include "app/state/user_kernel.h"
#include "tests/app/desk.h"
#include "tests/app/slices.h"

namespace warplens::app::busy_test {

using std::chrono::milliseconds;

// Long to compile, whatever the limit of what is put in.
std::string long_before(const std::string& kernel) {
  std::string text;
  for (int i = 0; i < 12000; ++i)
    text += "__device__ float g" + std::to_string(i) + "(float x) { return x * 1.5f + 2; }\n";
  return text + kernel;
}

// Each function calls the one before twice: 2^40 bodies once all are put in.
std::string exponential() {
  std::string text = "__device__ float f0(float x) { return x * 1.5f; }\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string before = "f" + std::to_string(i - 1);
    text += "__device__ float f" + std::to_string(i) + "(float x) { return " + before + "(x) + " + before +
            "(x + 1.0f); }\n";
  }
  return long_before(text +
                     "__global__ void bomb(float* out) { out[threadIdx.x] = f40(out[threadIdx.x]); }\n");
}

// Work goes on where a test says so, and not as far as a clock lets it.
jobs::RunnerOptions in_slices() {
  return {.wait = std::chrono::hours(1), .wake = {}, .threads = false, .slices = platform::contexts};
}

struct Desk : Windowless {
  explicit Desk(jobs::RunnerOptions options = jobs::waits_for_all())
      : Windowless("transpose_shared", std::move(options)) {}
  // Until it holds; false: it never came.
  bool wait(const std::function<bool()>& holds) {
    for (int i = 0; i < 60'000; ++i) {
      seen = simulator.derive(state);
      if (holds()) return true;
      if (!runner.work()) std::this_thread::sleep_for(milliseconds(10));
    }
    return false;
  }
};

TEST(WhileATextIsCompiled, TheLastGoodPictureStaysAndSaysSo) {
  Desk d(in_slices());
  const auto good = d.seen->compiled;
  ASSERT_TRUE(d.seen->fresh);
  d.runner.set_wait(milliseconds(0));
  d.act(SetText{exponential(), {}, {}});
  EXPECT_EQ(d.seen->compiled, good);
  EXPECT_FALSE(d.seen->fresh);
  EXPECT_TRUE(d.seen->busy);
  EXPECT_TRUE(d.seen->compiling);
  EXPECT_TRUE(d.seen->problems.empty());
  // One may go on looking about in it.
  const int before = d.seen->place.event;
  d.act(GoToEnd{true});
  EXPECT_NE(d.seen->place.event, before);
}

TEST(WhileATextIsCompiled, ANewerEditTakesItsPlace) {
  Desk d;
  const std::string sound = gallery().find("transpose_shared")->text;
  d.runner.set_wait(milliseconds(0));
  d.act(SetText{exponential(), {}, {}});
  d.act(SetText{"// another\n" + sound, {}, {}});
  EXPECT_TRUE(d.wait([&] { return d.seen->fresh; })) << "the older one is not cancelled";
  EXPECT_EQ(*d.seen->compiled->settings.text, "// another\n" + sound);
}

TEST(WhileATextIsCompiled, ItCanBeStoppedAndGoesOn) {
  Desk d(in_slices());
  d.runner.set_wait(milliseconds(0));
  d.act(SetText{long_before(gallery().find("transpose_shared")->text), {}, {}});
  d.act(Halt{true});
  EXPECT_TRUE(d.seen->halted);
  EXPECT_FALSE(d.seen->busy);
  EXPECT_FALSE(d.wait([&, tries = 0]() mutable { return d.seen->fresh || ++tries > 20; }) && d.seen->fresh);
  d.act(Halt{false});
  EXPECT_TRUE(d.wait([&] { return d.seen->fresh; }));
  d.act(Halt{true});
  d.act(SelectScenario{"copy"});
  EXPECT_FALSE(d.seen->halted) << "what is newer is not stopped";
}

// A block of one warp that stores in line 3 as often as `loop` turns.
State with_loop(const Desk& d, const std::string& loop) {
  return apply(d.state,
               OpenText{"/tmp/k.cu", "__global__ void k(float* a, int n) {\n  " + loop +
                                         "\n    a[threadIdx.x] += 1;\n}\nint main() {\n  float* a;\n"
                                         "  cudaMalloc(&a, 128);\n  k<<<1, 32>>>(a, 1000);\n}\n"},
               *d.seen, gallery());
}
constexpr const char* kAsLongAsN = "for (int i = 0; i < n * 300; ++i)";

// The grid has shown that it never ends: what is there stays, and nothing more is under way.
TEST(WhileABlockRuns, AKernelThatNeverEndsIsNotRunFurther) {
  Desk d(in_slices());
  d.runner.set_wait(milliseconds(0));
  d.state = with_loop(d, "while (true)");
  ASSERT_TRUE(d.wait([&] { return d.seen->unfinished && d.seen->totals && d.seen->totals->error; }));
  EXPECT_TRUE(d.wait([&] { return !d.seen->busy; }));
  EXPECT_TRUE(d.seen->fresh);
  EXPECT_GT(d.seen->event_count(), 1000);
  EXPECT_FALSE(d.seen->problems.empty());
  d.act(Halt{true});
  EXPECT_FALSE(d.seen->halted) << "nothing runs: there is nothing to go on with";
}

TEST(WhileABlockRuns, WhatItDidAtFirstIsShownAndStaysWhenItIsStopped) {
  Desk d(in_slices());
  d.runner.set_wait(milliseconds(0));
  d.state = with_loop(d, "for (int i = 0; i < 1000000000; ++i)");
  ASSERT_TRUE(d.wait([&] { return d.seen->unfinished.has_value(); }));
  EXPECT_EQ(d.seen->unfinished->line, 2) << "the loop's";
  EXPECT_TRUE(d.seen->fresh && d.seen->busy);
  EXPECT_TRUE(d.seen->problems.empty());
  EXPECT_GT(d.seen->event_count(), 1000);
  EXPECT_EQ(d.seen->events->front().units, 4);
  const auto trace = d.seen->trace;
  d.act(Halt{true});
  d.act(StepAccess{1});
  EXPECT_TRUE(d.seen->halted);
  EXPECT_FALSE(d.seen->busy);
  EXPECT_TRUE(d.seen->fresh);
  EXPECT_EQ(d.seen->trace, trace);
  EXPECT_TRUE(d.seen->unfinished);
  d.act(Halt{false});
  EXPECT_TRUE(d.seen->busy);
  ASSERT_TRUE(d.wait([&] { return d.seen->trace != trace; })) << "it does not go on";
}

TEST(WhileABlockRuns, ThePictureOfOtherValuesStaysAWhile) {
  Desk d(in_slices());
  d.state = with_loop(d, kAsLongAsN);
  d.seen = d.simulator.derive(d.state);
  EXPECT_EQ(d.seen->event_count(), 600'000);
  EXPECT_FALSE(d.seen->unfinished || d.seen->busy);
  const auto before = d.seen->compiled;
  d.runner.set_wait(milliseconds(0));
  d.act(SetFormField{"scalar.n", "2000", {}});
  bool beginning = false;
  ASSERT_TRUE(d.wait([&] {
    beginning = beginning || d.seen->unfinished;
    return d.seen->fresh;
  }));
  EXPECT_FALSE(beginning) << "a picture between the two";
  EXPECT_NE(d.seen->compiled, before);
  EXPECT_EQ(d.seen->event_count(), 1'200'000);
}

TEST(Programs, AreCompiledOnceForAllTheirLaunches) {
  Desk d;
  d.act(OpenText{"/tmp/k.cu",
                 "__global__ void k(float* a, int n) {\n  if (threadIdx.x < n) a[threadIdx.x] = 1;\n}\n"});
  ASSERT_TRUE(d.seen->fresh);
  const int before = d.programs->compilations();
  d.act(SetFormField{"scalar.n", "5", {}});
  d.act(SetFormField{"block.x", "64", {}});
  d.act(Undo{});
  EXPECT_TRUE(d.seen->fresh);
  EXPECT_EQ(d.programs->compilations(), before);
  // The other half of the window shares them.
  Simulator other(&gallery(), d.runner, {.programs = d.programs});
  EXPECT_TRUE(other.derive(d.state)->fresh);
  EXPECT_EQ(d.programs->compilations(), before);
  d.act(SetText{"// other\n" + *d.state.settings.text, {}, {}});
  EXPECT_EQ(d.programs->compilations(), before + 1);
}

TEST(KernelSettler, BringsWhatWasWishedWhereverItStands) {
  Desk d;
  d.act(OpenText{"/tmp/k.cu",
                 "__global__ void k(float* a, int n) { a[threadIdx.x] = n; }\n"
                 "__global__ void other(float* b) { b[threadIdx.x] = 1; }\n"});
  d.act(ChooseKernel{"other"});
  EXPECT_TRUE(is_unsettled(d.state.settings));
  EXPECT_TRUE(d.seen->busy);
  EXPECT_EQ(d.seen->compiled->program.kernel, "k") << "there is no launch for the other one yet";
  d.act(SetFormField{"scalar.n", "7", {}});  // the wish is now in the past as well
  KernelSettler settler(d.runner, d.programs);
  int rounds = 0;
  for (; rounds < 5 && d.state.settings.own->wish; ++rounds) {
    for (const Action& action : settler.update(d.state)) d.act(action);
  }
  EXPECT_FALSE(d.state.settings.own->wish);
  EXPECT_EQ(d.state.settings.own->form.kernel, "other");
  EXPECT_TRUE(d.seen->fresh);
  EXPECT_EQ(d.seen->compiled->program.kernel, "other");
}

TEST(KernelSettler, DropsWhatIsNotWantedAnyMore) {
  Desk d;
  d.act(OpenText{"/tmp/k.cu", "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n"});
  KernelSettler settler(d.runner, d.programs);
  d.act(SetText{"__global__ void k(float* a, int one) { a[threadIdx.x] = 1; }\n", {}, {}});
  d.runner.set_wait(milliseconds(0));
  settler.update(d.state);
  d.act(SetText{"__global__ void k(float* a, int one, int two) { a[threadIdx.x] = 1; }\n", {}, {}});
  for (int i = 0; i < 60'000 && d.state.settings.own->wish; ++i) {
    for (const Action& action : settler.update(d.state)) d.act(action);
    std::this_thread::sleep_for(milliseconds(10));
  }
  EXPECT_EQ(d.state.settings.own->form.scalars.size(), 2u);
}

// Ten times what a file may hold: work that grows with the square of a text's length would not come to its
// end here.
TEST(LongTexts, AWordAsLongAsTheFileIsBrokenIntoRowsAtOnce) {
  for (const std::string& line :
       {"//" + std::string(9'000'000, 'x'), "// " + std::string(9'000'000, ' ') + "x",
        "a = " + std::string(9'000'000, 'x') + ";"}) {
    const CodeText code = read_code_text("int a;\n" + line + "\n");
    const std::vector<CodeRow> rows = code_rows(code, {});
    int end = 7;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      ASSERT_EQ(rows[i].begin, end);
      end = rows[i].end;
    }
    EXPECT_EQ(end, static_cast<int>(code.text.size()) - 1);
  }
}

TEST(LongTexts, AnAccessAmongManyIsFoundAtOnce) {
  sim::Program program;
  std::vector<PricedEvent> events;
  constexpr std::uint32_t kSites = 1'000'000, kEvents = 8'000'000;  // each with each would have no end
  for (std::uint32_t i = 0; i < kSites; ++i) {
    sim::AccessSite site;
    site.array = i % 2 != 0 ? "in" : "out";
    site.op = i % 2 != 0 ? memory::Op::Load : memory::Op::Store;
    program.sites.push_back(site);
  }
  for (std::uint32_t i = 0; i < kEvents; ++i)
    events.push_back({i, i % kSites, memory::Space::Global, 4, 4, 0});
  AccessId name;
  name.any = false;
  name.array = "in";
  name.nth = 400'000;
  EXPECT_EQ(find_event(program, events, name), 800'001);
}

}  // namespace warplens::app::busy_test
