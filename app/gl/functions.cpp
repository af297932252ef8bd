#include "app/gl/functions.h"

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

}  // namespace warplens::gl
