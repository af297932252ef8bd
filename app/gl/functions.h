// OpenGL 3.3 core or OpenGL ES 3.0 (WebGL 2) through glad: whichever the context is of. Include this, never
// <GL/gl.h>.
//
//   if (!gl::load_functions(context->function_of, &error)) ...
#pragma once

#include <glad/gl.h>

#include <string>

namespace warplens::gl {

using GetProcAddress = void (*(*)(const char* name))();

// Loads the entry points of the current context, which is_es() tells of from then on. Less than 3.3, or than
// ES 3.0: false, and `error` says which version there is and what to do.
bool load_functions(GetProcAddress get, std::string* error);

bool is_es();

// What a shader's text begins with, for Dear ImGui's too: "#version 330 core", or "#version 300 es".
const char* glsl_version();

// "4.5 (Core Profile) Mesa 22.3.6, llvmpipe ...": of the current context.
std::string description();

}  // namespace warplens::gl
