// The faces and sizes of look.md: Inter for words, JetBrains Mono for code and numbers, WenQuanYi for
// Chinese; DejaVu and the built-in font where they are missing. Sizes are those of the design (em, as in
// CSS).
#pragma once

#include <array>
#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/widgets/imgui_shim.h"
#include "app/platform/system.h"

namespace warplens::panels {

using platform::Face;

class Fonts {
 public:
  // Loads all faces for a scale, with every character that was needed so far: a character once on screen
  // stays loaded. Does nothing where all of it is there already. true: fonts were loaded, and what was drawn
  // with the old ones does not fit any more.
  bool prepare(ImGuiHost& host, float scale);
  // The next prepare() loads the text's characters. What is picked for a text or measured is needed.
  void need(std::string_view text) const { note(text, &words_); }

  // Files of fonts have come: all is loaded anew in the next frame.
  void forget() { scale_ = 0, chinese_.clear(); }

  // The font of the face nearest to `pixels` (of the screen, em), for that text.
  SizedFont pick(Face face, float pixels, std::string_view text) const;
  // From a text's vertical middle (of its capitals) to its top, in pixels: negative.
  float top_from_middle(Face face, float pixels) const;
  float width(Face face, float pixels, std::string_view text) const;

 private:
  struct Metrics {
    float line = 1.2f;  // ascent + descent in em: ImGui's size of a font of 1 em
    float ascent = 0.95f, capitals = 0.72f;
    float sample = 0;  // width of a line of usual words; 0: not known
  };
  struct Loaded {
    std::string file;
    Metrics metrics;
    float fit = 1;  // of the size asked for: a stand-in that runs wider is set smaller
    std::vector<std::pair<float, ImFont*>> sizes;  // em pixels, ascending
  };
  // ASCII is always there. Figures in display sizes ("4-way") have few characters, and a thousand Chinese
  // ones in those sizes would be half of all that is loaded.
  struct Characters {
    std::bitset<0x10000> all, loaded;
    std::vector<ImWchar> ranges{};
  };
  static void note(std::string_view text, Characters* characters);
  SizedFont nearest(Face face, float pixels) const;
  static Metrics read_metrics(const std::string& file);
  void load_face(FontLoader& loader, Face face, const std::vector<float>& sizes);

  std::array<Loaded, 4> faces_;
  std::string chinese_;
  Metrics chinese_metrics_;
  float scale_ = 0;
  mutable Characters words_, figures_;  // of what is picked: the latter in display sizes
};

}  // namespace warplens::panels
