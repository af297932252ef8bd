#include "app/gl/framebuffer.h"

#include <cstddef>

namespace warplens::gl {
namespace {

bool es = false;

const char* text_of(GLenum name) {
  const auto* text = reinterpret_cast<const char*>(glGetString(name));
  return text != nullptr ? text : "unknown";
}

}  // namespace

bool load_functions(GetProcAddress get, std::string* error) {
  // Both kinds tell which they are by the same function.
  glad_glGetString = reinterpret_cast<PFNGLGETSTRINGPROC>(get("glGetString"));
  es = glad_glGetString != nullptr && std::string(text_of(GL_VERSION)).starts_with("OpenGL ES");
  const int version = es ? gladLoadGLES2(get) : gladLoadGL(get);
  if (version >= (es ? GLAD_MAKE_VERSION(3, 0) : GLAD_MAKE_VERSION(3, 3))) return true;
  const std::string remedy = "; OpenGL 3.3 is needed. Try LIBGL_ALWAYS_SOFTWARE=1";
  if (version == 0) {
    *error = "no OpenGL functions could be loaded" + remedy;
  } else {
    *error = std::string("this machine offers OpenGL ") + (es ? "ES " : "") +
             std::to_string(GLAD_VERSION_MAJOR(version)) + "." + std::to_string(GLAD_VERSION_MINOR(version)) +
             remedy;
  }
  return false;
}

bool is_es() {
  return es;
}

const char* glsl_version() {
  return es ? "#version 300 es" : "#version 330 core";
}

std::string description() {
  return std::string(text_of(GL_VERSION)) + ", " + text_of(GL_RENDERER);
}

GLuint create_texture() {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  return texture;
}

GLuint create_window_texture(int width, int height) {
  const GLuint texture = create_texture();
  // OpenGL has no name for the order of channels in memory; drivers take that of the first upload, even of
  // none. OpenGL ES knows but one order.
  const GLenum order = is_es() ? GL_RGBA : GL_BGRA,
               type = is_es() ? GL_UNSIGNED_BYTE : GL_UNSIGNED_INT_8_8_8_8_REV;
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, order, type, nullptr);
  return texture;
}

std::unique_ptr<Framebuffer> Framebuffer::create(int width, int height, std::string* error) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  if (width < 1 || height < 1 || width > largest || height > largest) {
    *error = "a picture of " + std::to_string(width) + " x " + std::to_string(height) +
             " pixels cannot be drawn: each side must lie between 1 and " + std::to_string(largest);
    return nullptr;
  }
  std::unique_ptr<Framebuffer> result(new Framebuffer);
  result->width_ = width;
  result->height_ = height;
  result->color_ = create_window_texture(width, height);
  glGenFramebuffers(1, &result->framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, result->framebuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, result->color_, 0);
  const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
  const bool out_of_memory = glGetError() == GL_OUT_OF_MEMORY;
  if (status != GL_FRAMEBUFFER_COMPLETE || out_of_memory) {
    *error = "the driver gives no framebuffer of " + std::to_string(width) + " x " + std::to_string(height) +
             (out_of_memory ? " pixels: out of memory" : " pixels");
    return nullptr;
  }
  return result;
}

Framebuffer::~Framebuffer() {
  if (framebuffer_ != 0) glDeleteFramebuffers(1, &framebuffer_);
  if (color_ != 0) glDeleteTextures(1, &color_);
}

void Framebuffer::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, width_, height_);
}

void Framebuffer::copy_to(GLuint framebuffer) const {
  glDisable(GL_SCISSOR_TEST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
  // OpenGL counts a window's rows from the bottom: there the first of ours is the last.
  const bool window = framebuffer == 0;
  glBlitFramebuffer(0, 0, width_, height_, 0, window ? height_ : 0, width_, window ? 0 : height_,
                    GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

scene::Image Framebuffer::read() const {
  scene::Image image{width_, height_, {}};
  image.rgba.resize(static_cast<std::size_t>(width_) * 4 * static_cast<std::size_t>(height_));
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
  return image;
}

}  // namespace warplens::gl
