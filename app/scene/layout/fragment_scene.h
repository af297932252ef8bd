// The matrices of an mma.sync as they lie in a warp: each element in its lane's colour, with the lane and the
// register. D stands where a product stands: below B, beside A.
//
//            B
//          A D
#pragma once

#include "app/scene/views.h"
#include "sim/layout/fragment.h"

namespace warplens::scene {

struct FragmentView {
  layout::MmaShape shape;
};
Scene fragment_scene(const FragmentView& view, const Canvas& canvas);

}  // namespace warplens::scene
