// OpenGL without a display: an EGL context on no surface at all. To be drawn into a Framebuffer.
//
//   std::string error;
//   // Current on this thread; software rendering will do.
//   auto context = gl::HeadlessContext::create(&error);
//
// libEGL is opened at run time: a machine without it gets a message, not a program that does not start.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/gl/functions.h"
#include "app/scene/file/png.h"

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

}  // namespace warplens::gl
