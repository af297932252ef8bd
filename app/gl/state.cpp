#include "app/gl/state.h"

namespace warplens::gl {
namespace {

void set_enabled(GLenum what, GLboolean on) {
  if (on) {
    glEnable(what);
  } else {
    glDisable(what);
  }
}

}  // namespace

StateGuard::StateGuard() {
  glGetIntegerv(GL_CURRENT_PROGRAM, &program_);
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &vertex_array_);
  glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &array_buffer_);
  glGetIntegerv(GL_VIEWPORT, viewport_);
  glGetIntegerv(GL_SCISSOR_BOX, scissor_);
  glGetIntegerv(GL_BLEND_SRC_RGB, &source_rgb_);
  glGetIntegerv(GL_BLEND_DST_RGB, &target_rgb_);
  glGetIntegerv(GL_BLEND_SRC_ALPHA, &source_alpha_);
  glGetIntegerv(GL_BLEND_DST_ALPHA, &target_alpha_);
  glGetIntegerv(GL_BLEND_EQUATION_RGB, &equation_rgb_);
  glGetIntegerv(GL_BLEND_EQUATION_ALPHA, &equation_alpha_);
  blend_ = glIsEnabled(GL_BLEND);
  cull_ = glIsEnabled(GL_CULL_FACE);
  depth_ = glIsEnabled(GL_DEPTH_TEST);
  stencil_ = glIsEnabled(GL_STENCIL_TEST);
  scissor_test_ = glIsEnabled(GL_SCISSOR_TEST);
}

StateGuard::~StateGuard() {
  const auto name = [](GLint value) { return static_cast<GLuint>(value); };
  glUseProgram(name(program_));
  glBindVertexArray(name(vertex_array_));
  glBindBuffer(GL_ARRAY_BUFFER, name(array_buffer_));
  glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
  glScissor(scissor_[0], scissor_[1], scissor_[2], scissor_[3]);
  glBlendEquationSeparate(name(equation_rgb_), name(equation_alpha_));
  glBlendFuncSeparate(name(source_rgb_), name(target_rgb_), name(source_alpha_), name(target_alpha_));
  set_enabled(GL_BLEND, blend_);
  set_enabled(GL_CULL_FACE, cull_);
  set_enabled(GL_DEPTH_TEST, depth_);
  set_enabled(GL_STENCIL_TEST, stencil_);
  set_enabled(GL_SCISSOR_TEST, scissor_test_);
}

}  // namespace warplens::gl
