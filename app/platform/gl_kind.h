// The two kinds of OpenGL that the app draws with, from the same shaders and calls.
#pragma once

namespace warplens::platform {

enum class GlKind { Core33, Es30 };

// Core33, unless the environment says WARPLENS_OPENGL=es.
GlKind wanted_gl();

using GlFunction = void (*)();

}  // namespace warplens::platform
