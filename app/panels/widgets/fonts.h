// The faces and sizes of look.md: Inter for words, JetBrains Mono for code and numbers, WenQuanYi for
// Chinese; DejaVu and the built-in font where they are missing. Sizes are those of the design (em, as in
// CSS).
#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/widgets/imgui_shim.h"
#include "app/platform/system.h"

namespace warplens::panels {

using platform::Face;

// What is to be written. Figures in display sizes ("4-way") have few characters, and a thousand Chinese ones
// in those sizes would be half of all that is loaded; ASCII is always there.
struct Characters {
  std::set<char32_t> all;
  std::set<char32_t> display;  // of them, those of figures in kDisplaySize and above
};
inline constexpr float kDisplaySize = 30;  // em, of the design

class Fonts {
 public:
  // Loads all faces for a scale, with every character of `characters.all`. Does nothing where all of it is
  // there already. true: fonts were loaded, and what was drawn with the old ones does not fit any more.
  bool prepare(ImGuiHost& host, float scale, const Characters& characters);

  // Files of fonts have come: all is loaded anew in the next frame.
  void forget() { scale_ = 0, chinese_.clear(); }

  // The font of the face nearest to `pixels` (of the screen, em).
  SizedFont pick(Face face, float pixels) const;
  // From a text's vertical middle (of its capitals) to its top, in pixels: negative.
  float top_from_middle(Face face, float pixels) const;
  float width(Face face, float pixels, std::string_view text) const;

  const std::vector<std::string>& missing() const { return missing_; }  // fonts that were replaced, in words

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
  static Metrics read_metrics(const std::string& file);
  void load_face(FontLoader& loader, Face face, const std::vector<float>& sizes);

  std::array<Loaded, 4> faces_;
  std::string chinese_;
  Metrics chinese_metrics_;
  float scale_ = 0;
  Characters characters_;
  std::vector<ImWchar> ranges_, display_ranges_;
  std::vector<std::string> missing_;
};

// All characters of a UTF-8 text but ASCII, which fonts always have; bytes that are none are left out.
void collect_characters(std::string_view text, std::set<char32_t>* out);

}  // namespace warplens::panels
