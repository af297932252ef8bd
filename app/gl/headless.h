// OpenGL without a display: an EGL context on no surface at all, and a framebuffer to draw into.
//
//   std::string error;
//   auto context = gl::HeadlessContext::create(&error);      // current on this thread; software rendering
//   will do auto framebuffer = gl::Framebuffer::create(1920, 1080, &error); framebuffer->bind();  ... draw
//   ... scene::Image picture = framebuffer->read();
//
// libEGL is opened at run time: a machine without it gets a message, not a program that does not start.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/gl/functions.h"
#include "app/scene/png.h"

namespace warplens::gl {

class HeadlessContext {
 public:
  // Makes an OpenGL 3.3 core context current and loads its functions. nullptr: `error` says in words what is
  // missing and what to do.
  static std::unique_ptr<HeadlessContext> create(std::string* error);
  ~HeadlessContext();
  HeadlessContext(const HeadlessContext&) = delete;
  HeadlessContext& operator=(const HeadlessContext&) = delete;

 private:
  HeadlessContext() = default;
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

// A colour target of a given size, RGBA with 8 bits a channel.
class Framebuffer {
 public:
  // nullptr: `error` says why (a size that the driver does not take, for one).
  static std::unique_ptr<Framebuffer> create(int width, int height, std::string* error);
  ~Framebuffer();
  Framebuffer(const Framebuffer&) = delete;
  Framebuffer& operator=(const Framebuffer&) = delete;

  void bind() const;                       // draw into it, viewport and all
  void copy_to(GLuint framebuffer) const;  // whole, of the same size; that one is bound afterwards
  scene::Image read() const;               // waits for the drawing; rows from the top, alpha made opaque
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  Framebuffer() = default;
  int width_ = 0, height_ = 0;
  GLuint framebuffer_ = 0, color_ = 0;
};

}  // namespace warplens::gl
