// Pictures of a scene that come as pixels (the matrix map): kept as textures while they are on screen, and
// copied into the framebuffer, which software rendering does many times faster than drawing them.
#pragma once

#include <memory>
#include <vector>

#include "app/gl/functions.h"
#include "app/scene/scene.h"

namespace warplens::gl {

struct Placement;

class PictureCache {
 public:
  ~PictureCache() { destroy(); }
  PictureCache() = default;
  PictureCache(const PictureCache&) = delete;
  PictureCache& operator=(const PictureCache&) = delete;
  void destroy();  // while the context is current

  // Into the bound framebuffer, inside of the scissor that is set.
  void draw(const scene::Picture& picture, const Placement& placement);

 private:
  struct Entry {
    std::shared_ptr<const scene::Image> image;
    GLuint texture = 0, framebuffer = 0;
  };
  static constexpr std::size_t kMost = 4, kMostBytes = std::size_t{128} << 20;
  bool is_full(const scene::Image& image) const;  // with this one
  const Entry* find(const std::shared_ptr<const scene::Image>& image);
  void create(const scene::Image& image, Entry* entry);
  static void destroy(Entry* entry);

  std::vector<Entry> entries_;  // newest last
};

}  // namespace warplens::gl
