#include "app/platform/headless.h"

namespace warplens::platform {

struct HeadlessContext::Handles {};

std::unique_ptr<HeadlessContext> HeadlessContext::create(std::string* error, GlKind) {
  *error = "a browser has no OpenGL without a canvas";
  return nullptr;
}
HeadlessContext::~HeadlessContext() = default;
GlFunction HeadlessContext::function_of(const char*) {
  return nullptr;
}

}  // namespace warplens::platform
