// All pictures at all sizes, in both languages and palettes: nothing overlaps, nothing is cut off, everything
// reads.
#include <gmock/gmock.h>

#include <limits>
#include <ostream>
#include <random>

#include "cases.h"
#include "checks.h"

namespace warplens::scene {
namespace {

using ::testing::IsEmpty;

struct Setting {
  float width, global_height, bank_height, scale;
  bool dark, english;
};

std::ostream& operator<<(std::ostream& out, const Setting& s) {
  return out << s.width << (s.dark ? "-dark" : "-light") << (s.english ? "-en" : "-zh");
}

class Everywhere : public ::testing::TestWithParam<Setting> {
 protected:
  Canvas canvas(float width, float height) const {
    const Setting& setting = GetParam();
    Canvas result =
        cases::canvas(width, height, setting.scale, setting.english ? cases::english() : cases::chinese());
    result.palette = setting.dark ? &dark_palette() : &light_palette();
    return result;
  }
  const Palette& palette() const { return GetParam().dark ? dark_palette() : light_palette(); }
};

// Numbers stand only in cells of at least 15 pixels (16 with the gap), however small the scale.
TEST_P(Everywhere, GlobalMemoryAlsoWithItsReuse) {
  for (const auto& c : cases::global_cases()) {
    for (const GlobalView& view : {c.view, cases::with_reuse(c.view)}) {
      const Scene scene = global_scene(view, canvas(GetParam().width, GetParam().global_height));
      EXPECT_THAT(checks::all(scene, palette()), IsEmpty()) << c.name;
      EXPECT_FALSE(scene.title.empty() || scene.answer.empty());
      EXPECT_FLOAT_EQ(scene.height, GetParam().global_height) << c.name;
      EXPECT_GE(checks::smallest_numbered_cell(scene), 12) << c.name;
    }
  }
}

TEST_P(Everywhere, Banks) {
  for (const auto& c : cases::bank_cases()) {
    const Scene scene = bank_scene(c.view(), canvas(GetParam().width, GetParam().bank_height));
    EXPECT_THAT(checks::all(scene, palette()), IsEmpty()) << c.name;
    EXPECT_GE(checks::smallest_numbered_cell(scene), 12) << c.name;
  }
}

TEST_P(Everywhere, BlockMap) {
  for (const auto& [x, y, z] : {std::tuple{32u, 16u, 1u},
                                {8u, 8u, 1u},
                                {48u, 4u, 1u},
                                {1u, 128u, 1u},
                                {8u, 8u, 4u},
                                {1024u, 1u, 1u},
                                {1u, 1u, 64u},
                                {5u, 7u, 3u},
                                {1u, 1u, 1u},
                                {33u, 31u, 1u}}) {
    const Scene scene = block_map_scene(cases::block_map_case(x, y, z, 0),
                                        canvas(0.6f * GetParam().width, 0.8f * GetParam().global_height));
    EXPECT_THAT(checks::all(scene, palette()), IsEmpty()) << x << " x " << y << " x " << z;
  }
}

TEST_P(Everywhere, TimeBarsAndScrubber) {
  const Scene bars =
      time_bars_scene(cases::time_bars_case(), canvas(0.7f * GetParam().width, GetParam().global_height));
  EXPECT_THAT(checks::all(bars, palette()), IsEmpty());
  const Scene scrubber =
      scrubber_scene(cases::scrubber_case(), canvas(GetParam().width, 18 * GetParam().scale));
  EXPECT_THAT(checks::all(scrubber, palette()), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Panels, Everywhere,
    ::testing::Values(Setting{460, 180, 260, 1, true, true}, Setting{572, 190, 290, 1, true, true},
                      Setting{572, 230, 330, 1, false, false}, Setting{680, 230, 420, 1, true, false},
                      Setting{872, 250, 500, 1, false, true}, Setting{1744, 460, 900, 2, true, true},
                      Setting{1200, 420, 700, 1.6f, false, false}, Setting{1200, 560, 600, 1, false, true},
                      Setting{586, 170, 310, 0.87f, true, true}));

memory::WarpAccess random_access(std::mt19937_64* random) {
  const auto pick = [random](std::uint64_t count) { return (*random)() % count; };
  memory::WarpAccess access;
  access.space = pick(2) == 0 ? memory::Space::Global : memory::Space::Shared;
  access.op = static_cast<memory::Op>(pick(4));
  access.bytes = 1 << pick(5);
  access.active = pick(4) == 0 ? 0xffffffffu : static_cast<memory::LaneMask>((*random)());
  const std::uint64_t spans[] = {64, 256, 4096, 1 << 20, std::uint64_t{1} << 50};
  const std::uint64_t span = spans[pick(5)];
  for (memory::Address& address : access.addresses) address = pick(span);
  return access;
}

TEST(Random, AccessesStayInThePicture) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 400; ++i) {
    const memory::WarpAccess access = random_access(&random), previous = random_access(&random);
    Canvas canvas =
        cases::canvas(460 + static_cast<float>(random() % 1000), 180 + static_cast<float>(random() % 500));
    canvas.hovered_lane = static_cast<int>(random() % 40) - 4;
    GlobalView global;
    global.access = access;
    global.progress = static_cast<float>(random() % 11) / 10;
    EXPECT_THAT(checks::things_outside(global_scene(global, canvas)), IsEmpty()) << i;
    BankView bank;
    bank.access = access;
    if (i % 10 != 0) {  // shared memory as large as there is; now and then addresses that cannot be
      for (memory::Address& address : bank.access.addresses) address %= 227 * 1024;
    }
    bank.wavefront = static_cast<int>(random() % 70) - 4;
    bank.previous = i % 2 == 0 ? &previous : nullptr;
    bank.slide = static_cast<float>(random() % 11) / 10;
    (i % 3 == 0 ? bank.fall : bank.progress) = static_cast<float>(random() % 11) / 10;
    canvas.height += 80;
    EXPECT_THAT(checks::things_outside(bank_scene(bank, canvas)), IsEmpty()) << i;
  }
}

TEST(Random, OddCanvasesAndViewsDoNotCrash) {
  const float odd[] = {0,
                       -5,
                       1,
                       7,
                       20,
                       60,
                       1e9f,
                       std::numeric_limits<float>::quiet_NaN(),
                       std::numeric_limits<float>::infinity()};
  const cases::BankCase& bank = cases::bank_cases().front();
  for (const float width : odd) {
    for (const float height : odd) {
      for (const float scale : {1.0f, 0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN(), 1e9f}) {
        Canvas canvas = cases::canvas(width, height, scale);
        canvas.palette = nullptr;
        canvas.strings = nullptr;
        GlobalView global = cases::global_cases().front().view;
        global.progress = width;
        global_scene(global, canvas);
        BankView view = bank.view();
        view.progress = view.slide = height;
        bank_scene(view, canvas);
        BlockMapView map = cases::block_map_case(0xffffffffu, 0, 5, -3);
        block_map_scene(map, canvas);
        map.block = {16, 16, 1};
        map.grid = {0, 0, 0};
        map.warp = 99;
        block_map_scene(map, canvas);
        TimeBarsView bars = cases::time_bars_case();
        bars.bars[0].median_seconds = static_cast<double>(width);
        bars.bars[1].high_seconds = static_cast<double>(height);
        bars.bars[2].percent_of_reference = static_cast<double>(width);
        time_bars_scene(bars, canvas);
        ScrubberView scrubber = cases::scrubber_case();
        scrubber.current = 1000;
        scrubber.within = height;
        scrubber.segments[0].cost = -7;
        scrubber_scene(scrubber, canvas);
      }
    }
  }
}

}  // namespace
}  // namespace warplens::scene
