// What drawing changes of OpenGL's state, put back at the end of a scope.
#pragma once

#include "app/gl/functions.h"

namespace warplens::gl {

class StateGuard {
 public:
  StateGuard();
  ~StateGuard();
  StateGuard(const StateGuard&) = delete;
  StateGuard& operator=(const StateGuard&) = delete;

 private:
  GLint program_ = 0, vertex_array_ = 0, array_buffer_ = 0;
  GLint viewport_[4] = {}, scissor_[4] = {};
  GLint source_rgb_ = 0, target_rgb_ = 0, source_alpha_ = 0, target_alpha_ = 0;
  GLint equation_rgb_ = 0, equation_alpha_ = 0;
  GLboolean blend_ = 0, cull_ = 0, depth_ = 0, stencil_ = 0, scissor_test_ = 0;
};

}  // namespace warplens::gl
