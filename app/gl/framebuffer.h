// What the app draws into: a picture in the driver's memory, kept as a window's is.
#pragma once

#include <glad/gl.h>

#include <memory>
#include <string>

#include "app/scene/file/files.h"

// OpenGL 3.3 core or OpenGL ES 3.0 (WebGL 2) through glad: whichever the context is of. Include this, never
// <GL/gl.h>.

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

GLuint create_texture();  // of one level, whose pixels are taken as they are; bound
// A texture without pixels yet, in the format of windows: 8 bits a channel, BGRA where that can be said. It
// is bound.
GLuint create_window_texture(int width, int height);

// A colour target of a given size, with rows from the top and the channels of windows, so that a picture is
// copied into one as it is. Turned over or converted on the way, software rendering draws it pixel by pixel,
// which takes seven times as long. What is drawn into it counts y from the top (see SceneRenderer and
// ImGuiHost).
class Framebuffer {
 public:
  // nullptr: `error` says why (a size that the driver does not take, for one).
  static std::unique_ptr<Framebuffer> create(int width, int height, std::string* error);
  ~Framebuffer();
  Framebuffer(const Framebuffer&) = delete;
  Framebuffer& operator=(const Framebuffer&) = delete;

  void bind() const;  // draw into it, viewport and all
  // Whole, into a Framebuffer of the same size or, 0, the window; that one is bound afterwards.
  void copy_to(GLuint framebuffer) const;
  scene::Image read() const;  // waits for the drawing; rows from the top, alpha made opaque
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  Framebuffer() = default;
  int width_ = 0, height_ = 0;
  GLuint framebuffer_ = 0, color_ = 0;  // its texture
};

}  // namespace warplens::gl
