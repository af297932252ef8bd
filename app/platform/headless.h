// OpenGL without a display: an EGL context on no surface at all. To be drawn into a gl::Framebuffer.
//
//   std::string error;
//   // Current on this thread; software rendering will do.
//   auto context = platform::HeadlessContext::create(&error);
//   ... gl::load_functions(context->function_of, &error)
//
// libEGL is opened at run time: a machine without it gets a message, not a program that does not start.
#pragma once

#include <memory>
#include <string>

#include "app/platform/window.h"

namespace warplens::platform {

class HeadlessContext {
 public:
  // Makes a context current. nullptr: `error` says in words what is missing and what to do.
  static std::unique_ptr<HeadlessContext> create(std::string* error, GlKind kind = wanted_gl());
  ~HeadlessContext();
  HeadlessContext(const HeadlessContext&) = delete;
  HeadlessContext& operator=(const HeadlessContext&) = delete;

  static GlFunction function_of(const char* name);

 private:
  HeadlessContext() = default;
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace warplens::platform
