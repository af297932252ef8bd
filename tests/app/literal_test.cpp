// Every access in the text, or those that compilers make of it: the switch, and what follows it. Expectations
// can be counted by hand from the text here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "app/actions/appliers.h"
#include "app/derive/comparison.h"
#include "app/readout/permalink.h"
#include "app/simulate/pricing.h"
#include "app/state/user_kernel.h"
#include "app/storage/link.h"
#include "app/storage/session_file.h"
#include "app/views/compare.h"
#include "sim/scenario/target.h"
#include "tests/app/desk.h"

namespace warplens::app {
namespace literal_test {

using namespace views;

using ::testing::HasSubstr;
using ::testing::Not;

// Issued are a load of 16 bytes and the store. In the text there are four loads of 4 bytes, and one of a
// whole struct that nothing needs.
constexpr const char* kText = R"(struct __align__(16) Cell { float x, y, z, w; };
__global__ void weigh(const float4* quads, const Cell* cells, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell unused = cells[i];
  float sum = quads[i].x + quads[i].y + quads[i].z + quads[i].w;
  out[i] = sum;
}
int main() { weigh<<<4, 64>>>(quads, cells, out); }
)";

struct Desk : PlotDesk {
  Desk() : PlotDesk("transpose_shared") { act(OpenText{"/nowhere/weigh.cu", kText}); }
  void switch_accesses() { press({Key::Character, 'w', {}, true, false}); }
  std::uint64_t sectors() const {
    std::uint64_t sum = 0;
    for (const sim::SiteTotals& site : seen->totals->global_sites) sum += site.sectors;
    return sum;
  }
};

constexpr int kWarps = 8, kOf16 = 16, kOf4 = 4;  // of the grid; sectors of a request

TEST(Literal, AKeySwitchesAndPictureAndCountsFollow) {
  Desk d;
  ASSERT_TRUE(d.seen->problems.empty()) << d.seen->problems.front().message;
  EXPECT_EQ(d.seen->event_count(), 2);
  EXPECT_EQ(d.sectors(), kWarps * (kOf16 + kOf4));
  d.switch_accesses();
  EXPECT_TRUE(d.state.settings.literal);
  EXPECT_EQ(d.seen->event_count(), 6);
  // Four members of 16 bytes apart, the struct whole, the store.
  EXPECT_EQ(d.sectors(), kWarps * (4 * kOf16 + kOf16 + kOf4));
  d.switch_accesses();
  EXPECT_FALSE(d.state.settings.literal);
  EXPECT_EQ(d.seen->event_count(), 2);
}

TEST(Literal, TheMarginTellsWhatIsMadeOfALine) {
  Desk d;
  const auto fewer = fewer_accesses(d.seen->program());
  ASSERT_EQ(fewer.size(), 2u);
  EXPECT_EQ(std::tuple(fewer[0].line, fewer[0].written, fewer[0].issued), std::tuple(4, 1, 0));
  EXPECT_EQ(std::tuple(fewer[1].line, fewer[1].written, fewer[1].issued), std::tuple(5, 4, 1));
  d.switch_accesses();
  EXPECT_TRUE(fewer_accesses(d.seen->program()).empty());
  const auto lines = line_totals(d.seen->program(), *d.seen->totals);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1].line, 5);
  EXPECT_EQ(lines[1].sites.size(), 4u) << "each of its own";
}

TEST(Literal, IsUndoneAndRedone) {
  Desk d;
  const std::size_t before = d.state.past.size();
  d.switch_accesses();
  EXPECT_EQ(d.state.past.size(), before + 1);
  d.act(Undo{});
  EXPECT_EQ(d.seen->event_count(), 2);
  d.act(Redo{});
  EXPECT_EQ(d.seen->event_count(), 6);
}

TEST(Literal, StaysWithTheKernelWhateverElseIsChanged) {
  Desk d;
  d.switch_accesses();
  d.act(SetFormField{"grid.x", "2", {}});
  EXPECT_TRUE(d.state.settings.literal) << "another launch";
  d.act(SetText{std::string(kText) + "// more\n", {}, {}});
  EXPECT_TRUE(d.state.settings.literal) << "another text";
  const auto before = d.state.settings.own;
  ASSERT_TRUE(before->wish);
  const auto after = std::make_shared<const UserKernel>(settled(*before, *d.state.settings.text, {}));
  d.act(KernelSettled{before, after});
  ASSERT_FALSE(d.state.settings.own->wish);
  EXPECT_TRUE(d.state.settings.literal) << "once its text has been read";
  d.act(WasSaved{"/nowhere/other.cu", *d.state.settings.text});
  EXPECT_TRUE(d.state.settings.literal) << "under another name";
}

TEST(Literal, GoesAlongALadderAndNoFurther) {
  PlotDesk d("transpose_shared");
  d.act(SetLiteral{true});
  d.act(StepRung{1});
  EXPECT_TRUE(d.state.settings.literal);
  d.act(CompareRungs{});
  ASSERT_TRUE(d.state.pinned);
  EXPECT_TRUE(d.state.pinned->literal);
  d.act(SelectScenario{"copy"});
  EXPECT_FALSE(d.state.settings.literal) << "a kernel opens as it opens";
}

TEST(Literal, BesideTheOther) {
  Desk d;
  d.act(PinA{});
  d.switch_accesses();
  const Comparison c = compare_settings(gallery(), d.state);
  const auto& words = strings_of("en");
  EXPECT_EQ(side_words(c, true, nullptr, false, "en", words).differences, "accesses as issued");
  EXPECT_EQ(side_words(c, false, nullptr, false, "en", words).differences, "accesses in the text");
  d.act(ReturnToA{});
  EXPECT_FALSE(d.state.settings.literal);
}

TEST(Literal, IsInASessionAndInALink) {
  Desk d;
  d.act(PinA{});
  d.switch_accesses();
  const auto file = std::filesystem::temp_directory_path() / "warplens_literal.warplens.json";
  std::ofstream(file) << to_json(d.state, *d.seen, false).dump();
  const auto again = load_session(file, gallery());
  std::filesystem::remove(file);
  ASSERT_TRUE(again) << ::testing::PrintToString(again.errors);
  EXPECT_TRUE(again.value->settings.literal);
  ASSERT_TRUE(again.value->pinned);
  EXPECT_FALSE(again.value->pinned->literal);
  const auto link = read_link(write_link(d.state, *d.seen, gallery()), gallery());
  ASSERT_TRUE(link) << ::testing::PrintToString(link.errors);
  EXPECT_TRUE((*link.value)->view.settings.literal);
  ASSERT_TRUE((*link.value)->view.pinned);
  EXPECT_FALSE((*link.value)->view.pinned->literal);
}

// In words, so that the command line counts what the window counts.
TEST(Literal, IsAFieldOfALinkToTheGallery) {
  PlotDesk d("copy");
  EXPECT_THAT(write_permalink(d.state, *d.seen, gallery()), Not(HasSubstr("literal")));
  d.act(SetLiteral{true});
  const std::string text = write_permalink(d.state, *d.seen, gallery());
  EXPECT_THAT(text, HasSubstr("&literal=1"));
  const auto place = read_permalink(text, gallery());
  ASSERT_TRUE(place);
  EXPECT_TRUE(place.value->settings.literal);
  const auto link = read_link(write_link(d.state, *d.seen, gallery()), gallery());
  ASSERT_TRUE(link);
  EXPECT_TRUE((*link.value)->view.settings.literal);
  scenario::Target target;
  target.what = text;
  const auto setup = scenario::resolve(target);
  ASSERT_TRUE(setup) << ::testing::PrintToString(setup.errors);
  EXPECT_TRUE(setup.value->compile.literal);
  EXPECT_FALSE(read_permalink("warplens:copy#literal=yes", gallery()));
}

TEST(Literal, ALessonIsOfWhatIsIssued) {
  PlotDesk d("copy");
  d.act(OpenLesson{gallery().lessons.front()->name});
  ASSERT_TRUE(is_as_put(d.state, *d.seen));
  d.act(SetLiteral{true});
  EXPECT_FALSE(is_as_put(d.state, *d.seen));
  d.act(PutBack{});
  EXPECT_FALSE(d.state.settings.literal);
}

}  // namespace literal_test
}  // namespace warplens::app
