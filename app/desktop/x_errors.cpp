#include "app/desktop/x_errors.h"

#include <dlfcn.h>

namespace warplens::desktop {
namespace {

// What was asked for is not done; nothing here depends on an answer.
int ignore(void* /*display*/, void* /*error*/) {
  return 0;
}

}  // namespace

// GLFW loads Xlib by itself, and only where there is an X server: it is asked for, not linked.
void survive_x_errors() {
  using Handler = int (*)(void* display, void* error);
  void* xlib = ::dlopen("libX11.so.6", RTLD_NOW | RTLD_NOLOAD);
  if (xlib == nullptr) return;
  if (void* set = ::dlsym(xlib, "XSetErrorHandler")) reinterpret_cast<Handler (*)(Handler)>(set)(ignore);
  ::dlclose(xlib);
}

}  // namespace warplens::desktop
