// What a page asks of the app, as window.warplens and embedding pages do. Texts are UTF-8; those returned live
// until the next call.
#include <emscripten.h>

#include <string>

#include "app/desktop/window.h"

namespace {

std::string answer;

const char* keep(std::string text) {
  answer = std::move(text);
  return answer.c_str();
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* wl_state() {
  return keep(warplens::desktop::state_on_screen());
}

}  // extern "C"
