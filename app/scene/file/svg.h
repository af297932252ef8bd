// A scene as a picture file that stands by itself: text in, text out.
//
// Opens in browsers, LibreOffice, Inkscape and librsvg: hatches are patterns, fonts are named with
// fall-backs, and nothing outside the file is referred to. The same scene gives the same bytes.
#pragma once

#include <string>

#include "app/scene/scene.h"
#include "sim/base/budget.h"

namespace warplens::scene {

// Throws Stopped where the budget ends.
std::string write_svg(const Scene& scene, Budget& budget = Budget::endless());

}  // namespace warplens::scene
