// The letters of labels where Dear ImGui draws none, from the font files of the machine, each with
// fall-backs: every letter at its own size and between pixels, as coverage on a sheet that SceneRenderer
// draws from.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/scene.h"

namespace warplens::gl {

class Letters {
 public:
  static constexpr int kColumns = 2048, kMostRows = 2048;  // of the sheet
  static constexpr int kFloats = 10;  // a letter: left, top, width, height; its place on the sheet; colour

  Letters();
  ~Letters();
  Letters(const Letters&) = delete;
  Letters& operator=(const Letters&) = delete;

  // false: no font at all was found.
  bool any();
  // `full` draws what is there and clears it, where the sheet has no more room.
  void add(const scene::Label& label, float scale, const std::function<void()>& full);
  void clear();

  const std::vector<float>& quads() const { return quads_; }
  const std::vector<unsigned char>& sheet() const { return sheet_; }  // kColumns a row
  int rows() const { return static_cast<int>(sheet_.size()) / kColumns; }

 private:
  struct Face;
  const Face* face_for(const scene::Label& label, int code, int* glyph);
  const Face* open(const std::string& file);
  bool make_room(int columns, int rows);

  std::vector<std::pair<std::string, std::unique_ptr<Face>>> faces_;  // nullptr: cannot be read
  std::vector<float> quads_;
  std::vector<unsigned char> sheet_;
  int x_ = 0, y_ = 0;  // where the next letter stands on the sheet, whose last row of letters ends with it
};

}  // namespace warplens::gl
