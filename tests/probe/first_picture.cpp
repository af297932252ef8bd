#include "tests/probe/first_picture.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/desktop/window.h"
#include "app/panels/widgets/text_input.h"
#include "sim/text/shown.h"

namespace warplens::desktop {
namespace {

bool is_short(const std::string& text) {
  return std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }) <= 2;
}

}  // namespace

PictureCount count_picture(App& app, const Options& options) {
  FrameInput in;
  in.input.width = options.width;
  in.input.height = options.height;
  PictureCount count;
  std::set<std::pair<std::string, long>> rows;  // of short labels, by window and height
  for (int i = 0; i < 3; ++i) {                 // scroll positions follow a frame later
    in.now = 100.0 + i;
    count = {};
    rows.clear();
    panels::observe_texts([&](const panels::DrawnText& text) {
      if (is_short(text.text))
        rows.emplace(text.window, std::lround(text.rect.y));
      else
        ++count.texts;
    });
    panels::observe_areas(
        [&](panels::Drawn drawn) { ++(drawn == panels::Drawn::Control ? count.controls : count.panels); });
    app.frame(in);
  }
  panels::observe_texts({});
  panels::observe_areas({});
  count.texts += static_cast<int>(rows.size());
  --count.panels;  // the picture itself
  return count;
}

int print_first_picture(App& app, const Options& options) {
  OffscreenTarget studio;
  if (!open_target(app, options.width, options.height, &studio)) return kCannot;
  const PictureCount count = count_picture(app, options);
  text::say(stdout, "{\"controls\": %d, \"texts\": %d, \"panels\": %d}\n", count.controls, count.texts,
            count.panels);
  return 0;
}

}  // namespace warplens::desktop
