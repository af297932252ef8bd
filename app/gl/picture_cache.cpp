#include "app/gl/picture_cache.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/gl/scene_renderer.h"
#include "app/scene/png.h"

namespace warplens::gl {

void PictureCache::destroy(Entry* entry) {
  glDeleteFramebuffers(1, &entry->framebuffer);
  glDeleteTextures(1, &entry->texture);
}

void PictureCache::destroy() {
  for (Entry& entry : entries_) destroy(&entry);
  entries_.clear();
}

const PictureCache::Entry* PictureCache::find(const std::shared_ptr<const scene::Image>& image) {
  const auto known = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.image == image; });
  if (known != entries_.end()) return &*known;
  // The oldest gives way; one of the same size only changes its pixels.
  Entry entry{image, 0, 0};
  if (entries_.size() >= kMost) {
    Entry oldest = std::move(entries_.front());
    entries_.erase(entries_.begin());
    if (oldest.image->width == image->width && oldest.image->height == image->height) {
      entry.texture = oldest.texture, entry.framebuffer = oldest.framebuffer;
    } else {
      destroy(&oldest);
    }
  }
  GLint texture = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &texture);
  turn_over(*image);
  if (entry.texture != 0) {
    glBindTexture(GL_TEXTURE_2D, entry.texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, image->width, image->height, GL_RGBA, GL_UNSIGNED_BYTE,
                    rows_.data());
  } else {
    create(*image, &entry);
  }
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(texture));
  entries_.push_back(std::move(entry));
  return &entries_.back();
}

// OpenGL's rows go upwards. Turned over here, a picture is copied as it is; turned over while it is copied,
// software rendering draws it pixel by pixel, and first compiles how.
void PictureCache::turn_over(const scene::Image& image) {
  const std::size_t row = 4 * static_cast<std::size_t>(image.width),
                    rows = static_cast<std::size_t>(image.height);
  rows_.resize(row * rows);
  for (std::size_t y = 0; y < rows; ++y)
    std::memcpy(rows_.data() + y * row, image.rgba.data() + (rows - 1 - y) * row, row);
}

void PictureCache::create(const scene::Image& image, Entry* entry) {
  GLint read = 0, draw = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw);
  glGenTextures(1, &entry->texture);
  glBindTexture(GL_TEXTURE_2D, entry->texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image.width, image.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               rows_.data());
  glGenFramebuffers(1, &entry->framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, entry->framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, entry->texture, 0);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read));
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw));
}

void PictureCache::draw(const scene::Picture& picture, const Placement& at) {
  if (!picture.image || picture.image->width < 1 || picture.image->height < 1) return;
  const Entry* entry = find(picture.image);
  GLint read = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, entry->framebuffer);
  const auto pixel = [](float v) { return static_cast<GLint>(std::lround(v)); };
  const scene::Rect& r = picture.rect;
  const GLint left = pixel(at.x + r.x * at.scale), right = pixel(at.x + (r.x + r.width) * at.scale);
  const GLint top = at.framebuffer_height - pixel(at.y + r.y * at.scale),
              bottom = at.framebuffer_height - pixel(at.y + (r.y + r.height) * at.scale);
  const GLint width = picture.image->width, height = picture.image->height;
  if (right - left == width && top - bottom == height && at.clip.width > 0) {
    // Cut here and not by the scissor, for the same reason.
    const auto cut_left = std::max(left, static_cast<GLint>(at.clip.x)),
               cut_right = std::min(right, static_cast<GLint>(at.clip.x + at.clip.width));
    const auto cut_bottom =
                   std::max(bottom, at.framebuffer_height - static_cast<GLint>(at.clip.y + at.clip.height)),
               cut_top = std::min(top, at.framebuffer_height - static_cast<GLint>(at.clip.y));
    glDisable(GL_SCISSOR_TEST);
    if (cut_left < cut_right && cut_bottom < cut_top)
      glBlitFramebuffer(cut_left - left, cut_bottom - bottom, cut_right - left, cut_top - bottom, cut_left,
                        cut_bottom, cut_right, cut_top, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glEnable(GL_SCISSOR_TEST);
  } else {
    glBlitFramebuffer(0, 0, width, height, left, bottom, right, top, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read));
}

}  // namespace warplens::gl
