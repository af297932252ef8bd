#include "app/platform/window.h"

namespace warplens::platform {

struct HeadlessContext::Handles {};

// A page has one context, its canvas's, and it is current for as long as there is a page.
std::unique_ptr<HeadlessContext> HeadlessContext::create(std::string*, GlKind) {
  return std::unique_ptr<HeadlessContext>(new HeadlessContext);
}
HeadlessContext::~HeadlessContext() = default;
GlFunction HeadlessContext::function_of(const char*) {
  return nullptr;
}

}  // namespace warplens::platform
