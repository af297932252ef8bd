#include "app/gl/picture_cache.h"

#include <algorithm>
#include <cmath>

#include "app/gl/framebuffer.h"
#include "app/gl/scene_renderer.h"
#include "app/scene/file/png.h"

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
  // The oldest give way; one of the same size only changes its pixels.
  Entry entry{image, 0, 0};
  while (is_full(*image)) {
    Entry oldest = std::move(entries_.front());
    entries_.erase(entries_.begin());
    const bool fits = oldest.image->width == image->width && oldest.image->height == image->height;
    if (fits && entry.texture == 0) {
      entry.texture = oldest.texture, entry.framebuffer = oldest.framebuffer;
    } else {
      destroy(&oldest);
    }
  }
  if (entry.texture != 0) {
    glBindTexture(GL_TEXTURE_2D, entry.texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, image->width, image->height, GL_RGBA, GL_UNSIGNED_BYTE,
                    image->rgba.data());
  } else {
    create(*image, &entry);
  }
  entries_.push_back(std::move(entry));
  return &entries_.back();
}

// Two stay in any case: the halves of A│B are drawn in turn.
bool PictureCache::is_full(const scene::Image& image) const {
  if (entries_.size() < 2) return false;
  std::size_t bytes = image.rgba.size();
  for (const Entry& entry : entries_) bytes += entry.image->rgba.size();
  return entries_.size() >= kMost || bytes > kMostBytes;
}

void PictureCache::create(const scene::Image& image, Entry* entry) {
  GLint read = 0, draw = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw);
  entry->texture = create_window_texture(image.width, image.height);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE,
                  image.rgba.data());
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
  const GLint top = pixel(at.y + r.y * at.scale), bottom = pixel(at.y + (r.y + r.height) * at.scale);
  const GLint width = picture.image->width, height = picture.image->height;
  if (right - left == width && bottom - top == height && at.clip.width > 0) {
    // Cut here and not by the scissor: scaled or scissored, software rendering draws it pixel by pixel.
    const auto cut_left = std::max(left, static_cast<GLint>(at.clip.x)),
               cut_right = std::min(right, static_cast<GLint>(at.clip.x + at.clip.width));
    const auto cut_top = std::max(top, static_cast<GLint>(at.clip.y)),
               cut_bottom = std::min(bottom, static_cast<GLint>(at.clip.y + at.clip.height));
    glDisable(GL_SCISSOR_TEST);
    if (cut_left < cut_right && cut_top < cut_bottom)
      glBlitFramebuffer(cut_left - left, cut_top - top, cut_right - left, cut_bottom - top, cut_left, cut_top,
                        cut_right, cut_bottom, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glEnable(GL_SCISSOR_TEST);
  } else {
    glBlitFramebuffer(0, 0, width, height, left, top, right, bottom, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read));
}

}  // namespace warplens::gl
