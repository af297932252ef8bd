// A view, a whole slide or A│B as one page with caption and provenance.
#pragma once

#include "app/scene/scene.h"
#include "app/share/subject.h"
#include "app/state/share_sheet.h"
#include "app/views/inputs.h"

namespace warplens::share {

inline constexpr float kSlideWidth = 1280, kSlideHeight = 720;  // scene units
inline constexpr float kSlideScale = 1.5f;                      // pixels a unit of a PNG: 1920 x 1080

// Of the rows of share_rows() that are pictures. Preconditions: Map: subject.map; Timeline, Landscape:
// subject.made; Comparison: subject.beside.
scene::Scene page(app::ShareWhat what, const Subject& subject);

// The panel of the access looked at, its inside of that size, on a page as large as it needs.
scene::Scene access_page(const Subject& subject, float width, float height);

// One view without its page.
scene::Scene view(app::ShareWhat what, const Subject& subject, float width, float height);

}  // namespace warplens::share
