// Draws scenes: one instanced draw call for a layer's arcs and one for its cells, anti-aliased in the shader.
// A window draws the labels over the cells by itself, with its own fonts; a picture (offscreen.h) draws layer
// by layer, and each one's letters. What it needs of OpenGL's state it sets; it puts nothing back.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/gl/damage.h"
#include "app/gl/framebuffer.h"
#include "app/scene/scene.h"

namespace warplens::gl {

struct Placement;

// The letters of labels where Dear ImGui draws none, from the font files of the machine, each with
// fall-backs: every letter at its own size and between pixels, as coverage on a sheet that SceneRenderer
// draws from.
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

// Pictures that come as pixels (the matrix map): textures while they are on screen, which software rendering
// copies into the framebuffer many times faster than it draws them.
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

// Where on the framebuffer. All in framebuffer pixels, y from the top, and so are the framebuffer's rows.
struct Placement {
  float x = 0, y = 0;  // of the scene's top left corner
  float scale = 1;     // framebuffer pixels a scene unit: content scale on high-density displays
  int framebuffer_width = 0, framebuffer_height = 0;
  scene::Rect clip{};  // nothing is drawn outside, whole pixels; width 0: the whole framebuffer
  float opacity = 1;
};

// The pixels that it may touch.
PixelRect bounds_of(const scene::Cell& cell, const Placement& placement);
PixelRect bounds_of(const scene::Arc& arc, const Placement& placement);
PixelRect bounds_of(const scene::Picture& picture, const Placement& placement);
// Of the part of an arc that is drawn, more closely: boxes along it.
inline constexpr std::size_t kArcPieces = 12;
std::array<PixelRect, kArcPieces> pieces_of(const scene::Arc& arc, const Placement& placement);

class SceneRenderer {
 public:
  SceneRenderer() = default;
  ~SceneRenderer() { destroy(); }  // the context must still be current, or destroy() called before
  SceneRenderer(const SceneRenderer&) = delete;
  SceneRenderer& operator=(const SceneRenderer&) = delete;

  // Reads cell.vert, cell.frag, arc.vert and arc.frag from the folder. false: `error` names the file and says
  // what the compiler said. Needs a current context whose functions are loaded.
  bool create(const std::filesystem::path& shader_folder, std::string* error);
  void destroy();
  bool created() const { return cells_.program != 0; }

  void draw(const scene::Scene& scene, const Placement& placement);

  // The same in parts: once what all need of OpenGL's state, then each layer, and letters over it. Only these
  // need the shaders for letters.
  bool create_letters(const std::filesystem::path& shader_folder, std::string* error);
  void begin(const Placement& placement);
  void draw(const scene::Layer& layer, const Placement& placement);
  void draw(const Letters& letters, const Placement& placement);

 private:
  struct Pipeline {
    GLuint program = 0, vertex_array = 0, buffer = 0;
    GLint view = -1, extra = -1;  // uniforms
  };
  bool create_pipeline(Pipeline* pipeline, const std::filesystem::path& folder, const char* name,
                       std::string* error);
  void draw_arcs(const scene::Layer& layer, const Placement& placement);
  void draw_cells(const scene::Layer& layer, const Placement& placement);
  // `floats` of staging_ an instance, each a triangle strip of `vertices`.
  void draw_instances(const Pipeline& pipeline, const Placement& placement, int vertices, int floats);
  static void destroy_pipeline(Pipeline* pipeline);

  Pipeline cells_, arcs_, letters_;
  GLuint sheet_ = 0;  // of the letters
  PictureCache pictures_;
  std::vector<float> staging_;  // kept between frames, so that drawing does not allocate
};

}  // namespace warplens::gl
