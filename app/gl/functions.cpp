#include "app/gl/functions.h"

namespace warplens::gl {
namespace {

const char* text_of(GLenum name) {
  const auto* text = reinterpret_cast<const char*>(glGetString(name));
  return text != nullptr ? text : "unknown";
}

}  // namespace

bool load_functions(GetProcAddress get, std::string* error) {
  const int version = gladLoadGL(get);
  if (version >= GLAD_MAKE_VERSION(3, 3)) return true;
  const std::string remedy =
      "; OpenGL 3.3 is needed. Try LIBGL_ALWAYS_SOFTWARE=1, or use warplens-cli, which needs no OpenGL";
  if (version == 0) {
    *error = "no OpenGL functions could be loaded" + remedy;
  } else {
    *error = "this machine offers OpenGL " + std::to_string(GLAD_VERSION_MAJOR(version)) + "." +
             std::to_string(GLAD_VERSION_MINOR(version)) + remedy;
  }
  return false;
}

std::string description() {
  return std::string(text_of(GL_VERSION)) + ", " + text_of(GL_RENDERER);
}

}  // namespace warplens::gl
