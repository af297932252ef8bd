#include <glad/egl.h>

#include "app/platform/window.h"
#include "sim/base/numbers.h"

namespace warplens::platform {
namespace {

std::string egl_error() {
  return "0x" + hexadecimal(static_cast<unsigned>(eglGetError()), 4);
}

bool has_word(const char* list, const std::string& word) {
  return list != nullptr && (" " + std::string(list) + " ").find(" " + word + " ") != std::string::npos;
}

// A display that needs no window system; where the driver has no surfaceless platform, the default one.
EGLDisplay open_display() {
  const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  if (has_word(client, "EGL_MESA_platform_surfaceless") && has_word(client, "EGL_EXT_platform_base")) {
    const auto get_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (get_display != nullptr) {
      const EGLDisplay display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
      if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) return display;
    }
  }
  const EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  return display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr) ? display : EGL_NO_DISPLAY;
}

EGLContext make_context(EGLDisplay display, GlKind kind, EGLSurface* surface, std::string* error) {
  const bool es = kind == GlKind::Es30;
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                           es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint found = 0;
  if (!eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API) ||
      !eglChooseConfig(display, wanted, &config, 1, &found) || found < 1) {
    *error = "EGL offers no OpenGL configuration (EGL error " + egl_error() + ")";
    return EGL_NO_CONTEXT;
  }
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                            3,
                            EGL_CONTEXT_MINOR_VERSION,
                            es ? 0 : 3,
                            es ? EGL_NONE : EGL_CONTEXT_OPENGL_PROFILE_MASK,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                            EGL_NONE};
  const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  if (context == EGL_NO_CONTEXT) {
    *error = std::string("EGL gives no OpenGL ") + (es ? "ES 3.0" : "3.3 core") + " context (EGL error " +
             egl_error() +
             "). Try LIBGL_ALWAYS_SOFTWARE=1; warplens-cli reports, and writes SVGs, without OpenGL";
    return EGL_NO_CONTEXT;
  }
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return context;
  const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1,
                         EGL_NONE};  // drivers that insist on a surface get a tiny one
  *surface = eglCreatePbufferSurface(display, config, size);
  if (*surface != EGL_NO_SURFACE && eglMakeCurrent(display, *surface, *surface, context)) return context;
  *error = "the OpenGL context could not be made current (EGL error " + egl_error() + ")";
  eglDestroyContext(display, context);
  return EGL_NO_CONTEXT;
}

}  // namespace

struct HeadlessContext::Handles {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  EGLSurface surface = EGL_NO_SURFACE;
};

std::unique_ptr<HeadlessContext> HeadlessContext::create(std::string* error, GlKind kind) {
  std::unique_ptr<HeadlessContext> result(new HeadlessContext);
  result->handles_ = std::make_unique<Handles>();
  Handles& handles = *result->handles_;
  if (gladLoaderLoadEGL(nullptr) == 0) {
    *error = "libEGL.so.1 was not found: install libegl1 and libgl1-mesa-dri to render without a display";
    return nullptr;
  }
  handles.display = open_display();
  if (handles.display == EGL_NO_DISPLAY) {
    *error = "EGL could not be started (EGL error " + egl_error() +
             "): install libgl1-mesa-dri for software rendering";
    return nullptr;
  }
  gladLoaderLoadEGL(
      handles.display);  // again: only a started display tells which version's functions there are
  handles.context = make_context(handles.display, kind, &handles.surface, error);
  if (handles.context == EGL_NO_CONTEXT) return nullptr;
  return result;
}

GlFunction HeadlessContext::function_of(const char* name) {
  return eglGetProcAddress(name);
}

HeadlessContext::~HeadlessContext() {
  if (handles_ == nullptr) return;
  if (handles_->display != EGL_NO_DISPLAY) {
    eglMakeCurrent(handles_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (handles_->surface != EGL_NO_SURFACE) eglDestroySurface(handles_->display, handles_->surface);
    if (handles_->context != EGL_NO_CONTEXT) eglDestroyContext(handles_->display, handles_->context);
    eglTerminate(handles_->display);
  }
}

}  // namespace warplens::platform
