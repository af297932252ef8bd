// Exports as files: written whole or not at all, and never over a file that is there.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "app/gl/offscreen.h"
#include "app/language/strings.h"
#include "app/scene/file/files.h"
#include "app/scene/scene.h"
#include "app/share/subject.h"
#include "app/state/share_sheet.h"
#include "app/views/inputs.h"
#include "app/vote/round.h"
#include "sim/base/budget.h"

namespace warplens::share {

// All that an export needs, its own copies: it runs beside the frame.
struct Source {
  Subject subject;  // its simulation may be empty(); then only the session can be written
  // With what is hidden: a film goes through its accesses and shows of each what may be seen.
  std::shared_ptr<const app::Simulation> whole;
  std::string name;     // of the scenario or kernel, for file names
  std::string session;  // warplens.session/1, for ShareWhat::Session
};

struct Order {
  app::ShareWhat what = app::ShareWhat::Slide;
  app::ShareFormat format = app::ShareFormat::Png;
  std::filesystem::path folder;  // empty: the present one
  std::filesystem::path
      file;  // not empty: exactly this one, in place of a name of its own; replaced if there
};

struct Result {
  std::filesystem::path written;  // the file, or the folder of a numbered set
  std::size_t files = 0;
  std::string key;  // what went wrong, of the languages; empty: nothing
  Message words;
};

// Where the budget ends, the result says so ("share.stopped") and nothing is left behind.
Result carry_out(const Order& order, const Source& source, Budget& budget, std::atomic<double>* progress);

// What a state will show that nothing was simulated for yet, without its page; of A│B B's side. Throws
// Stopped where the budget ends.
scene::Scene preview(const app::State& state, const app::Catalog& catalog, const language::Strings& strings,
                     const scene::Canvas& canvas, Budget& budget);

// A scene as PNG of `scale` pixels a unit, drawn by `offscreen`, or as SVG; what went wrong in words, or
// empty. Throws Stopped where the budget ends.
Message write_scene(const scene::Scene& scene, const scene::Palette& palette, app::ShareFormat format,
                    float scale, const std::filesystem::path& file, gl::Offscreen& offscreen, Budget& budget);

// One moment of a film: the access of the warp and its wavefront, both from 0, and how long it stays.
struct FilmFrame {
  int event = 0, wavefront = 0;
  double seconds = 1;
};
// Every access; of a film also every wavefront, as long as there are not too many.
std::vector<FilmFrame> film_frames(const app::Simulation& simulation, bool wavefronts);

// ---- a view, a whole slide or A│B as one page with caption and provenance

inline constexpr float kSlideWidth = 1280, kSlideHeight = 720;  // scene units
inline constexpr float kSlideScale = 1.5f;                      // pixels a unit of a PNG: 1920 x 1080

// Of the rows of share_rows() that are pictures. Preconditions: Map: subject.map; Timeline, Landscape:
// subject.made; Comparison: subject.beside.
scene::Scene page(app::ShareWhat what, const Subject& subject);

// One view without its page.
scene::Scene view(app::ShareWhat what, const Subject& subject, float width, float height);

}  // namespace warplens::share
