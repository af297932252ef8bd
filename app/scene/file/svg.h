// A scene as a picture file that stands by itself: text in, text out, no library.
//
//   write_svg(bank_scene(view, canvas), dark_palette(),
//             {.caption = "Figure 3", .provenance = "predicted, sm_90"})
//
// Opens in browsers, LibreOffice, Inkscape and librsvg: hatches are patterns, fonts are named with
// fall-backs, and nothing outside the file is referred to. The same scenes give the same bytes.
#pragma once

#include <span>
#include <string>

#include "app/scene/palette.h"
#include "app/scene/scene.h"

namespace warplens::scene {

struct SvgOptions {
  std::string caption;     // below the pictures; may be empty
  std::string provenance;  // smaller, below the caption: what the numbers are, from where; may be empty
  float scale = 1;         // of the titles, margins and captions: the scenes' own canvas scale
  bool panels = true;      // each scene in a panel with its title and answer; false: the bare drawing
};

std::string write_svg(const Scene& scene, const Palette& palette, const SvgOptions& options = {});
// Several scenes, one below the other.
std::string write_svg(std::span<const Scene> scenes, const Palette& palette, const SvgOptions& options = {});

// The same composition as one scene: panels, titles and captions become cells and labels.
Scene compose(std::span<const Scene> scenes, const Palette& palette, const SvgOptions& options = {});

}  // namespace warplens::scene
