// Letters for pictures without OpenGL, from the font files of the machine, each with fall-backs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/scene/file/canvas_pixels.h"
#include "app/scene/scene.h"

namespace warplens::scene {

class Glyphs {
 public:
  Glyphs();
  ~Glyphs();
  Glyphs(const Glyphs&) = delete;
  Glyphs& operator=(const Glyphs&) = delete;

  // false: no font at all was found.
  bool any() const;
  void draw(const Label& label, float scale, Pixels* pixels);

 private:
  struct Face;
  const Face* face_for(const Label& label, int code, int* glyph);
  const Face* open(const std::string& file);

  std::vector<std::pair<std::string, std::unique_ptr<Face>>> faces_;  // nullptr: cannot be read
};

}  // namespace warplens::scene
