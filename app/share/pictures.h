// A panel, or a whole slide, as one scene of a slide's shape with caption and provenance.
//
//   scene::Scene slide = picture(session::ShareWhat::Slide, subject);
//   scene::write_svg / scene::rasterize(slide, 1.5f, ...)          1920 x 1080 pixels
#pragma once

#include "app/scene/scene.h"
#include "app/share/subject.h"
#include "app/state/share_sheet.h"

namespace warplens::share {

inline constexpr float kSlideWidth = 1280, kSlideHeight = 720;  // scene units
inline constexpr float kSlideScale = 1.5f;                      // pixels a unit of a PNG: 1920 x 1080

// Of the rows of share_rows() that are pictures: Slide, Global, Shared, Map, Source, Lanes, Times.
scene::Scene picture(session::ShareWhat what, const Subject& subject);

// A panel's inside, for `width` x `height`; its title and answer are the scene's.
scene::Scene global_picture(const Subject& subject, float width, float height);
scene::Scene shared_picture(const Subject& subject, float width, float height);
scene::Scene map_picture(const Subject& subject, float width, float height);
scene::Scene lanes_picture(const Subject& subject, float width, float height);
scene::Scene times_picture(const Subject& subject, float width, float height);
// The lines around the access looked at, each with what it costs the warp.
scene::Scene source_picture(const Subject& subject, float width, float height);

}  // namespace warplens::share
