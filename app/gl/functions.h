// OpenGL 3.3 core through glad. Include this, never <GL/gl.h>.
//
//   glfwMakeContextCurrent(window);
//   if (!gl::load_functions(glfwGetProcAddress, &error)) ...
#pragma once

#include <glad/gl.h>

#include <string>

namespace warplens::gl {

using GetProcAddress = void (*(*)(const char* name))();

// Loads OpenGL's entry points for the current context. Less than 3.3: false, and `error` says which version
// there is and what to do.
bool load_functions(GetProcAddress get, std::string* error);

// "4.5 (Core Profile) Mesa 22.3.6, llvmpipe ...": of the current context.
std::string description();

}  // namespace warplens::gl
