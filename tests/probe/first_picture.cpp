#include <algorithm>
#include <cmath>
#include <set>

#include "app/panels/widgets/text_input.h"
#include "sim/text/shown.h"
#include "tests/probe/probes.h"

namespace warplens::desktop {
namespace {

bool is_short(const std::string& text) {
  return std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }) <= 2;
}

}  // namespace

int count_picture(App& app, OffscreenTarget& target) {
  FrameInput in = input_of(target);
  int controls = 0, texts = 0, panels = 0;
  std::set<std::pair<std::string, long>> rows;  // of short labels, by window and height
  for (int i = 0; i < 3; ++i) {                 // scroll positions follow a frame later
    in.now = 100.0 + i;
    controls = texts = panels = 0;
    rows.clear();
    panels::observe_texts([&](const panels::DrawnText& text) {
      if (is_short(text.text))
        rows.emplace(text.window, std::lround(text.rect.y));
      else
        ++texts;
    });
    panels::observe_areas(
        [&](panels::Drawn drawn) { ++(drawn == panels::Drawn::Control ? controls : panels); });
    app.frame(in);
  }
  panels::observe_texts({});
  panels::observe_areas({});
  text::say(stdout, "{\"controls\": %d, \"texts\": %d, \"panels\": %d}\n", controls,
            texts + static_cast<int>(rows.size()), panels - 1);  // without the picture itself
  return 0;
}

}  // namespace warplens::desktop
