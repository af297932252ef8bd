// Why a launch takes that long, in words and as a picture's data: every branch of the sentences, where counts
// are from, the common axis of A│B; and the job that models it.
#include "app/views/why.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "tests/app/desk.h"
#include "tests/app/recorded.h"

namespace warplens::app::why_test {

using report::Bound;
using report::CountSource;
using report::Resource;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using views::why_answer;
using views::why_sentences;
using views::why_view;
using views::WhyOf;

const std::filesystem::path kSource = WARPLENS_SOURCE_DIR;

Bound bound(Resource resource, double count, const char* unit, double microseconds,
            CountSource source = CountSource::Predicted) {
  return {resource, count, unit, count / (microseconds * 1e-6), microseconds * 1e-6, source};
}

// DRAM needs 8, L1 4, of 10 µs.
report::Why sample() {
  report::Why why;
  why.peaks_of = "NVIDIA H200";
  why.measured_seconds = 10e-6;
  why.asked.blocks = 1000;
  why.asked.multiprocessors = 132;
  why.traffic.load_sectors = 1000;
  why.bounds = {bound(Resource::Dram, 32000, "bytes", 8, CountSource::Modelled),
                bound(Resource::L1, 4000, "wavefronts", 4, CountSource::Measured)};
  return why;
}

std::vector<std::string> said(const report::Why& why) {
  return why_sentences(why, english());
}
std::string all(const report::Why& why) {
  std::string text;
  for (const std::string& sentence : said(why)) text += sentence + "\n";
  return text;
}

TEST(WhySentences, NameTheBoundAndWhatComesNext) {
  EXPECT_THAT(said(sample()),
              ElementsAre("DRAM needs at least 8.00 µs of the 10.0 µs measured; L1 4.00 µs."));
  EXPECT_EQ(why_answer(sample(), english()), "limited by DRAM");
  report::Why alone = sample();
  alone.bounds.pop_back();
  EXPECT_THAT(said(alone), ElementsAre("DRAM needs at least 8.00 µs of the 10.0 µs measured."));
}

// Peaks are measured: which of two that are within a tenth of each other is the longer they do not tell.
TEST(WhySentences, NameBothWhereTwoAreAboutAsLong) {
  report::Why why = sample();
  why.bounds[1] = bound(Resource::L2, 4000, "sectors", 7.2);
  EXPECT_THAT(said(why),
              ElementsAre("DRAM needs at least 8.00 µs of the 10.0 µs measured, L2 about as long: 7.20 µs."));
  EXPECT_EQ(why_answer(why, english()), "limited by DRAM or L2");
  why.measured_seconds.reset();
  EXPECT_THAT(said(why), ElementsAre(AllOf(HasSubstr("L2 about as long"), HasSubstr("not measured"))));
  why.bounds[1] = bound(Resource::L2, 4000, "sectors", 7.1);
  EXPECT_EQ(why_answer(why, english()), "limited by DRAM");
  why.bounds = {bound(Resource::L1, 4000, "wavefronts", 8), bound(Resource::Shared, 4000, "wavefronts", 8)};
  EXPECT_EQ(why_answer(why, english()), "limited by L1") << "two names of one thing";
}

TEST(WhySentences, CallItLatencyWhereNothingIsBusyForHalfTheTime) {
  report::Why why = sample();
  why.measured_seconds = 17e-6;
  EXPECT_THAT(said(why), ElementsAre(AllOf(HasSubstr("Latency: no resource is busy for more than 47 %"),
                                           HasSubstr("17.0 µs"), HasSubstr("DRAM"))));
  EXPECT_EQ(why_answer(why, english()), "latency");
  why.measured_seconds = 16e-6;
  EXPECT_THAT(said(why), ElementsAre(HasSubstr("DRAM needs at least")));
}

TEST(WhySentences, SayWhatIsNotKnown) {
  report::Why why = sample();
  why.measured_seconds.reset();
  EXPECT_THAT(said(why),
              ElementsAre(AllOf(HasSubstr("DRAM needs at least 8.00 µs"), HasSubstr("not measured"))));
  why.bounds.clear();
  EXPECT_THAT(said(why), ElementsAre(AllOf(HasSubstr("No least times"), HasSubstr("measure --peaks"))));
  EXPECT_EQ(why_answer(why, english()), "");
}

// The compiler may leave out what was counted: then the least time is none of the program that ran.
TEST(WhySentences, AreNoBoundWhereMoreIsCountedThanRan) {
  report::Why why = sample();
  why.measured_seconds = 7.7e-6;
  EXPECT_THAT(said(why), ElementsAre(HasSubstr("the program that ran makes fewer accesses")));
  why.measured_seconds = 7.8e-6;
  EXPECT_THAT(said(why), ElementsAre(HasSubstr("DRAM needs at least"))) << "within what a clock leaves open";
}

TEST(WhySentences, TellALaunchTooSmallAndOneOfManyBlocks) {
  report::Why why = sample();
  why.measured_seconds = 3.5e-6;
  why.bounds = {bound(Resource::Launch, 1, "launches", 1.4), bound(Resource::L1, 32, "wavefronts", 0.001)};
  why.asked.blocks = 1;
  EXPECT_THAT(said(why),
              ElementsAre("The launch itself takes at least 1.40 µs of the 3.50 µs measured, everything "
                          "else < 0.01 µs: too little work to keep anything busy.",
                          "One block keeps one of 132 multiprocessors busy."));
  why.asked.blocks = 98;
  EXPECT_THAT(said(why).back(), HasSubstr("98 blocks keep at most 98 of 132"));
  why.asked.blocks = 99;
  EXPECT_EQ(said(why).size(), 1u) << "three quarters of them are nearly all";
  why.asked.blocks = 16384;
  why.bounds.front() = bound(Resource::Launch, 16384, "blocks", 3);
  EXPECT_THAT(said(why),
              ElementsAre(AllOf(HasSubstr("Giving 16,384 blocks"), HasSubstr("at least 3.00 µs"))));
}

TEST(WhySentences, TellWhichAtomicsWait) {
  report::Why why = sample();
  why.bounds.push_back(bound(Resource::Atomics, 468000, "turns of one slice", 9));
  EXPECT_THAT(all(why), AllOf(HasSubstr("Carrying out the atomics needs at least 9.00 µs"),
                              HasSubstr("busiest slice of L2 gets 468 k turns")));
  why.bounds.back().unit = "turns of one word";
  EXPECT_THAT(all(why), HasSubstr("go to one word"));
  why.bounds.back().unit = "turns";
  EXPECT_EQ(said(why).size(), 1u);
  why.bounds.back() = bound(Resource::Atomics, 468000, "turns of one slice", 2);
  EXPECT_EQ(said(why).size(), 1u) << "they hold nothing back";
}

// 8 of 10 µs are DRAM's; `bytes` of the two megabytes that keep it busy can be on their way.
report::Why flying(double bytes) {
  report::Why why = sample();
  report::InFlight f;
  f.residency.warps = f.most_warps = 64;
  f.warps = 8448;
  f.loads = 1;
  f.load_bytes = 128;
  f.bytes = bytes;
  f.needed_bytes = 2e6;
  f.latency_seconds = 500e-9;
  f.bytes_per_second = 4e12;
  why.in_flight = f;
  return why;
}

TEST(WhySentences, SayWhatLittlesLawIsOf) {
  EXPECT_EQ(
      why_view(flying(1e6), english()).facts.back(),
      "8,448 warps at once, each of which asks for 128 bytes before it waits, have 1.00 MB in flight at "
      "most. Reading at the full 4.00 TB/s takes 500 ns × 4.00 TB/s = 2.00 MB (Little's law).");
}

TEST(WhySentences, TellWhereTooFewBytesCanBeOnTheirWay) {
  EXPECT_THAT(said(flying(1e6)).back(),
              AllOf(HasSubstr("At most 1.00 MB can be in flight from DRAM, 50 % of the 2.00 MB"),
                    HasSubstr("only more loads before each waits")));
  report::Why few = flying(1e6);
  few.in_flight->residency = sim::residency(memory::default_gpu_model(), 32, 0);
  EXPECT_THAT(said(few).back(), HasSubstr("has 32 of 64 warps: blocks: a multiprocessor takes 32 at once"));
  few.in_flight->whole_grid = true;
  EXPECT_THAT(said(few).back(), HasSubstr("The grid has no more blocks."));
  EXPECT_EQ(said(flying(2e6)).size(), 1u) << "enough";
  few = flying(1e6);
  few.measured_seconds = 9e-6;
  EXPECT_EQ(said(few).size(), 1u) << "DRAM is busy for nearly all of the time";
  few.measured_seconds = 100e-6;
  EXPECT_THAT(said(few), ElementsAre(HasSubstr("Latency:"), HasSubstr("At most 1.00 MB")));
  few.bounds.push_back(bound(Resource::Launch, 1, "launches", 9));
  EXPECT_EQ(said(few).size(), 1u) << "there is too little work for any of that";
  few = flying(1e6);
  few.bounds[1] = bound(Resource::L1, 4000, "wavefronts", 8.2);
  EXPECT_EQ(said(few).size(), 1u) << "L1 is the bound";
  few = flying(1e6);
  few.in_flight->needed_bytes.reset();
  EXPECT_EQ(said(few).size(), 1u) << "its latency was not measured";
  few = flying(1e6);
  few.traffic.hit_sectors = 501;
  EXPECT_EQ(said(few).size(), 1u) << "most loads do not go to memory";
  few = flying(1e6);
  few.in_flight->loads = 0;
  EXPECT_EQ(said(few).size(), 1u) << "nothing is loaded";
}

// Loads of `sectors` where `ideal` would do, of which L1 asks L2 for `behind`.
report::Why loading(std::uint64_t sectors, std::uint64_t ideal, double behind) {
  report::Why why = sample();
  why.asked.loads.sectors = why.traffic.load_sectors = sectors;
  why.asked.loads.ideal_sectors = ideal;
  why.traffic.l2_read_sectors = behind;
  why.traffic.hit_sectors = static_cast<double>(sectors) - behind;
  return why;
}

TEST(WhySentences, TellWhoAnswersSectorsAskedForInVain) {
  EXPECT_EQ(said(loading(1200, 1000, 1200)).size(), 1u) << "hardly more than needed";
  EXPECT_THAT(said(loading(3000, 1000, 1000)).back(),
              AllOf(HasSubstr("Loads ask for 3 times"), HasSubstr("≈ 67 % of them hit in L1"),
                    HasSubstr("That is hidden: L1 needs at least 4.00 µs, DRAM 8.00 µs.")));
  report::Why of_l1 = loading(3000, 1000, 1000);
  of_l1.bounds[1] = bound(Resource::L1, 4000, "wavefronts", 9);
  EXPECT_THAT(said(of_l1).back(), HasSubstr("That takes the time here: L1 needs at least 9.00 µs."));
  report::Why latency = loading(3000, 1000, 1000);
  latency.measured_seconds = 100e-6;
  EXPECT_THAT(said(latency).back(), AllOf(HasSubstr("L1 needs at least 4.00 µs"), Not(HasSubstr("hidden")),
                                          Not(HasSubstr("here"))));
  EXPECT_THAT(said(loading(8000, 1000, 4000)).back(),
              AllOf(HasSubstr("≈ 50 % of them hit in L1"), HasSubstr("still sees ≈ 4 times"),
                    HasSubstr("takes the time here: DRAM")));
  EXPECT_THAT(said(loading(8000, 1000, 8000)).back(),
              AllOf(HasSubstr("hardly any"), HasSubstr("≈ 8 times"), HasSubstr("takes the time here: DRAM")));
  report::Why hidden = loading(8000, 1000, 8000);
  hidden.bounds.push_back(bound(Resource::Launch, 16384, "blocks", 9));
  EXPECT_THAT(said(hidden).back(), HasSubstr("hidden: DRAM needs at least 8.00 µs, the launch 9.00 µs."));
  latency = loading(8000, 1000, 8000);
  latency.measured_seconds = 100e-6;
  EXPECT_THAT(said(latency).back(), AllOf(Not(HasSubstr("here")), Not(HasSubstr("hidden"))));
}

TEST(WhySentences, TellOfStores) {
  report::Why why = sample();
  why.asked.stores.sectors = 8000;
  why.asked.stores.ideal_sectors = 1000;
  EXPECT_THAT(said(why).back(), "Stores send L2 8 times the sectors that their bytes need.");
  why.bounds.push_back(bound(Resource::L2, 8000, "sectors", 6));
  EXPECT_THAT(said(why).back(), HasSubstr("hidden: L2 needs at least 6.00 µs, DRAM 8.00 µs"));
}

TEST(WhySentences, TellWhetherConflictsCostTime) {
  report::Why why = sample();
  why.asked.shared.wavefronts = 3000;
  why.asked.shared.ideal_wavefronts = 1000;
  EXPECT_THAT(said(why).back(),
              AllOf(HasSubstr("3 times"), HasSubstr("hidden: L1 needs at least 4.00 µs, DRAM 8.00 µs")));
  why.bounds[1] = bound(Resource::L1, 4000, "wavefronts", 9);
  EXPECT_THAT(said(why).back(), HasSubstr("takes the time here: L1 needs at least 9.00 µs"));
  why.measured_seconds = 100e-6;
  EXPECT_THAT(said(why).back(), AllOf(HasSubstr("L1 needs at least 9.00 µs"), Not(HasSubstr("here"))));
  why.bounds.clear();
  EXPECT_THAT(said(why).back(), HasSubstr("3 times the wavefronts that they need."));
  why.asked.shared.ideal_wavefronts = 2900;
  EXPECT_EQ(said(why).size(), 1u) << "too few to be seen";
}

// L1's data stage and shared memory are one: the second is another resource.
TEST(WhySentences, ComparesWithAnotherResource) {
  report::Why why = sample();
  why.bounds.push_back(bound(Resource::Shared, 4000, "wavefronts", 9));
  why.bounds[1] = bound(Resource::L1, 4000, "wavefronts", 9.5);
  EXPECT_THAT(said(why).front(),
              HasSubstr("L1 needs at least 9.50 µs of the 10.0 µs measured; DRAM 8.00 µs"));
}

// The errors that the panel tells are those of docs/measured/caches.md.
TEST(WhyView, TellsTheModelsErrorAsMeasured) {
  std::ifstream file(kSource / "docs" / "measured" / "caches.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string page = text.str();
  const auto figure_after = [&](const std::string& words) {
    const auto at = page.find(words);
    EXPECT_NE(at, std::string::npos);
    char rounded[16];
    std::snprintf(rounded, sizeof rounded, "%.1f", std::stod(page.substr(at + words.size())));
    return std::string(rounded);
  };
  explain::Demand demand;
  demand.gpu = &memory::default_gpu_model();
  demand.waits.block_threads = 128;
  demand.traffic.load_sectors = 100;
  demand.traffic.l2_hits = 100;
  const auto caches = why_view({.demand = &demand, .gpu = "sm_90"}, nullptr, english()).facts;
  ASSERT_EQ(caches.size(), 2u);
  EXPECT_THAT(caches[0],
              AllOf(HasSubstr("hit in L1"), HasSubstr(figure_after("mean absolute error ") + " points")));
  EXPECT_THAT(caches[1], AllOf(HasSubstr("hit in L2"), HasSubstr(figure_after("L1 hit rate, ") + " points")));
}

// Beside the recorded time and peaks.
struct Desk : PlotDesk {
  using PlotDesk::PlotDesk;
  WhyOf of(const char* gpu = "sm_90") {
    const auto& known = times.of(gallery(), state.settings, recorded());
    const measure::Measurement* shown = nullptr;
    for (const RungTime& time : known)
      if (time.current) shown = time.measurement;
    return {.demand = demand(),
            .stale = !fresh(),
            .progress = 0,
            .launch = shown,
            .peaks = recorded().peaks(gpu, shown),
            .gpu = gpu};
  }

  const explain::Demand* demand() const { return made_of<explain::Demand>(made.get(), ViewId::Why).get(); }
  bool fresh() const { return made && !made->stale; }

  LadderTimes times;
};

TEST(WhyView, OfAnotherGpuHasNoTimes) {
  Desk desk("sum_aos");
  desk.act(ShowView{ViewId::Why});
  const views::WhyView view = why_view(desk.of("sm_61"), nullptr, english());
  EXPECT_EQ(view.measured, 0);
  EXPECT_THAT(view.sentences.front(), HasSubstr("measure --peaks"));
  EXPECT_THAT(view.facts.at(0), HasSubstr("not checked on this GPU"));
  EXPECT_TRUE(view.bars.empty());
}

TEST(WhyView, OfBothPanesHaveOneAxis) {
  Desk a("transpose_naive_row"), b("transpose_naive_col");
  a.act(ShowView{ViewId::Why});
  b.act(ShowView{ViewId::Why});
  const WhyOf of_a = a.of(), of_b = b.of();
  const double most = why_view(of_a, &of_b, english()).most;
  EXPECT_EQ(most, why_view(of_b, &of_a, english()).most);
  EXPECT_GT(most, why_view(of_b, nullptr, english()).most);
}

// Turned back, it is there at once; while it is modelled, what was there stays and is not of now.
TEST(WhyJob, IsKeptAndSaysWhatIsOfBefore) {
  Desk desk("sum_aos");
  desk.act(ShowView{ViewId::Why});
  const auto first = desk.demand();
  desk.act(SetParameter{"n", 12288, {}});
  EXPECT_NE(desk.demand(), first);
  desk.act(Undo{});
  EXPECT_EQ(desk.demand(), first) << "kept";
  desk.act(ShowView{});
  desk.act(ShowView{ViewId::Why});
  EXPECT_EQ(desk.demand(), first);
  EXPECT_THAT(why_view(desk.of(), nullptr, english()).bars.at(1).tooltip, HasSubstr("59,406,080 bytes"));
  WhyOf stale = desk.of();
  stale.stale = true;
  EXPECT_THAT(why_view(stale, nullptr, english()).working, HasSubstr("being modelled"));
  EXPECT_THAT(why_view({}, nullptr, english()).bars, IsEmpty());
}

TEST(WhyJob, IsStoppedAndGoesOn) {
  Desk desk("sum_aos");
  desk.act(Halt{true});
  desk.act(ShowView{ViewId::Why});
  ASSERT_TRUE(desk.made);
  EXPECT_FALSE(desk.made->busy);
  EXPECT_EQ(desk.demand(), nullptr);
  desk.act(Halt{false});
  EXPECT_TRUE(desk.fresh());
}

TEST(WhyJob, GoesByTheRegistersThatWereMeasured) {
  std::optional<int> registers = 16;
  Desk desk("sgemm_tiled", jobs::waits_for_all(), [&](const State&) { return registers; });
  desk.act(SetParameter{"n", 128, {}});
  desk.act(ShowView{ViewId::Why});
  ASSERT_TRUE(desk.fresh());
  const int many = desk.demand()->traffic.blocks_at_once;
  registers = 64;
  desk.derive();
  EXPECT_LT(desk.demand()->traffic.blocks_at_once, many);
}

}  // namespace warplens::app::why_test
