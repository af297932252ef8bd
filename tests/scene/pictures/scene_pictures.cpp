// scene_pictures OUTDIR [WIDTHxHEIGHT SCALE]: every scene of the interesting cases as SVG, to be looked at.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "../cases.h"
#include "app/scene/file/svg.h"
#include "app/scene/page.h"

namespace {

using namespace warplens::scene;

bool save(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  return static_cast<bool>(out.flush());
}

struct Size {
  const char* name;
  float width, global_height, bank_height, scale;
};

constexpr Size kSizes[] = {{"720p", 572, 190, 290, 1},
                           {"1080p", 872, 250, 500, 1},
                           {"small", 460, 180, 260, 1},
                           {"4k", 1744, 500, 1000, 2}};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "scene_pictures OUTDIR [720p|1080p|small|4k] [light] [zh-CN]\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  const Size* size = &kSizes[0];
  Canvas base = cases::canvas(0, 0);
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    for (const Size& candidate : kSizes)
      if (word == candidate.name) size = &candidate;
    if (word == "light") base.palette = &light_palette();
    if (word == "zh-CN") base.strings = &cases::chinese();
  }
  base.scale = size->scale;
  bool saved = true;
  const auto write = [&](const std::string& name, const Scene& scene) {
    saved = save(folder / (name + ".svg"),
                 write_svg(compose({&scene, 1}, *base.palette, {{}, {}, size->scale}))) &&
            saved;
  };
  const auto sized = [&](float width, float height) {
    Canvas canvas = base;
    canvas.width = width, canvas.height = height;
    return canvas;
  };
  for (const auto& c : cases::global_cases())
    write("global-" + c.name, global_scene(c.view, sized(size->width, size->global_height)));
  for (const float progress : {0.2f, 0.5f, 0.8f}) {
    GlobalView view = cases::global_cases()[8].view;
    view.progress = progress;
    write("global-progress-" + std::to_string(static_cast<int>(10 * progress)),
          global_scene(view, sized(size->width, size->global_height)));
  }
  for (const auto& c : cases::bank_cases())
    write("bank-" + c.name, bank_scene(c.view(), sized(size->width, size->bank_height)));
  const float s = size->scale;
  write("map-32x16", block_map_scene(cases::block_map_case(32, 16, 1, 3), sized(400 * s, 150 * s)));
  write("map-8x8", block_map_scene(cases::block_map_case(8, 8, 1, 1), sized(400 * s, 150 * s)));
  write("map-48x4", block_map_scene(cases::block_map_case(48, 4, 1, 1), sized(400 * s, 150 * s)));
  write("map-1x128", block_map_scene(cases::block_map_case(1, 128, 1, 2), sized(400 * s, 150 * s)));
  write("map-8x8x4", block_map_scene(cases::block_map_case(8, 8, 4, 3), sized(400 * s, 150 * s)));
  write("map-1024", block_map_scene(cases::block_map_case(1024, 1, 1, 30), sized(400 * s, 150 * s)));
  write("time", time_bars_scene(cases::time_bars_case(), sized(420 * s, 220 * s)));
  write("scrubber", scrubber_scene(cases::scrubber_case(), sized(650 * s, 18 * s)));
  return saved ? 0 : 1;
}
