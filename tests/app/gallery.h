// The gallery and its lessons as the repository has them, read once.
#pragma once

#include "app/state/catalog.h"

namespace warplens::app {

inline const Catalog& gallery() {
  static const Catalog kCatalog = [] {
    Catalog c = load_catalog(WARPLENS_SOURCE_DIR "/kernels");
    load_lessons(WARPLENS_SOURCE_DIR "/assets/lessons", &c);
    return c;
  }();
  return kCatalog;
}

}  // namespace warplens::app
