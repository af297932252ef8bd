// Presenting, pictures are larger than on the desk, and nothing in them is under 24 pixels at 1080p.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/actions/apply.h"
#include "app/language/strings.h"
#include "app/panels/layout.h"
#include "app/panels/widgets/ui.h"
#include "app/simulate/simulator.h"
#include "app/views/banks.h"
#include "app/views/global.h"
#include "app/views/inputs.h"
#include "app/views/map.h"
#include "app/views/phases.h"
#include "tests/app/waits.h"

namespace warplens::panels {
namespace {

struct Stage {
  explicit Stage(const std::string& scenario)
      : catalog(app::load_catalog(WARPLENS_SOURCE_DIR "/kernels")),
        simulator(&catalog, runner),
        state(app::opening(catalog, scenario)),
        seen(simulator.derive(state)) {}

  Rect panel(const LayoutOptions& options) const {
    layout = lay_out(options);
    return layout.picture;
  }
  scene::Canvas canvas(const LayoutOptions& options) const {
    const Rect all = panel(options);  // which lays out
    const Rect room = picture_room(all, layout.scale, options.present);
    scene::Canvas canvas{room.width,
                         room.height,
                         layout.scale,
                         &scene::dark_palette(),
                         &strings(),
                         -1,
                         options.present ? kLeastPresented : 0};
    tell_plain(layout.enlarged, options.height, &canvas);
    return canvas;
  }
  views::Inputs inputs() const { return {.simulation = seen.get()}; }
  static const language::Strings& strings() {
    static std::string error;
    static const auto english =
        language::Strings::load(WARPLENS_SOURCE_DIR "/assets/languages", "en", &error);
    return english;
  }

  app::Catalog catalog;
  jobs::Runner runner{jobs::waits_for_all()};
  app::Simulator simulator;
  app::State state;
  std::shared_ptr<const app::Simulation> seen;
  mutable Layout layout;
};

const LayoutOptions kDesks[] = {
    {.width = 1280, .height = 720}, {.width = 1920, .height = 1080}, {.width = 3840, .height = 2160}};

LayoutOptions presented(LayoutOptions options) {
  options.present = true;
  return options;
}

TEST(Stage, TheMatrixMapIsLargerThanOnTheDesk) {
  for (const char* name : {"transpose_naive_row", "transpose_shared"}) {
    const Stage stage(name);
    for (LayoutOptions desk : kDesks) {
      desk.map = true;
      const Rect small = views::matrix_map_room(stage.canvas(desk)),
                 large = views::matrix_map_room(stage.canvas(presented(desk)));
      EXPECT_GT(std::min(large.width, large.height), std::min(small.width, small.height))
          << name << " at " << desk.width << ": a square matrix";
    }
  }
}

// The lanes' cells and the words of the phases' arrays.
float widest_cell(const scene::Scene& scene) {
  float widest = 0;
  for (const scene::HotSpot& spot : scene.hot_spots)
    if (spot.lane >= 0) widest = std::max(widest, spot.rect.width);
  return widest;
}

TEST(Stage, ThePhasesAreLargerThanOnTheDesk) {
  const Stage stage("transpose_shared");
  ASSERT_NE(views::corner_turn(*stage.seen), nullptr);
  for (const LayoutOptions& desk : kDesks) {
    const float small = widest_cell(views::phases().draw(stage.inputs(), stage.canvas(desk))),
                large = widest_cell(views::phases().draw(stage.inputs(), stage.canvas(presented(desk))));
    ASSERT_GT(small, 0);
    EXPECT_GT(large, small) << "at " << desk.width;
  }
}

TEST(Stage, NothingInAPictureIsUnder24PixelsAt1080p) {
  const LayoutOptions options = presented(kDesks[1]);
  for (const char* name : {"transpose_naive_row", "transpose_shared", "sgemm_float4", "copy_stride"}) {
    const Stage stage(name);
    for (auto* picture : {views::global_memory, views::shared_memory, views::phases().draw}) {
      const scene::Scene scene = picture(stage.inputs(), stage.canvas(options));
      for (const scene::Layer& layer : scene.layers)
        for (const scene::Label& label : layer.labels)
          EXPECT_GE(label.size, 24) << name << ", " << scene.title << ": " << label.text;
    }
  }
  EXPECT_GE(kKeyMessage * lay_out(options).scale, 60) << "the key message";
}

// The chips over the gate and below it: how high they are, and how many have a number.
struct Chips {
  float high = 0;
  std::size_t numbered = 0;
};
Chips chips_of(const scene::Scene& scene) {
  Chips chips;
  for (const scene::Cell& cell : scene.layers.at(2).cells)
    chips.high = std::max(chips.high, cell.rect.height);
  for (const scene::Label& label : scene.layers.at(2).labels)
    chips.numbered += label.text.find_first_not_of("0123456789") == std::string::npos;
  return chips;
}

// The words of the array, the gaps and the reserve below give way to larger letters, and no chip does.
TEST(Stage, EnlargingMakesNoChipLower) {
  for (const char* name : {"transpose_shared", "flash_attention", "reduce_pairs", "shared_column"}) {
    const Stage stage(name);
    for (const LayoutOptions& desk : kDesks) {
      LayoutOptions options = presented(desk);
      const Chips plain = chips_of(views::shared_memory(stage.inputs(), stage.canvas(options)));
      for (const float zoom : {1.1f, 1.2f}) {
        options.zoom = zoom;
        const Chips chips = chips_of(views::shared_memory(stage.inputs(), stage.canvas(options)));
        EXPECT_GE(chips.high, plain.high) << name << " at " << desk.width << ", " << zoom;
        EXPECT_GE(chips.numbered, plain.numbered) << name << " at " << desk.width << ", " << zoom;
      }
    }
  }
}

}  // namespace
}  // namespace warplens::panels
