// PNG writing, where drawing code looks for it.
#pragma once

#include "app/scene/file/png.h"

namespace warplens::gl {

using scene::Image;
using scene::write_png;

}  // namespace warplens::gl
