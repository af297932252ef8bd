// Every difference between Dear ImGui 1.86 and 1.92 that we meet, in one place. Panels include this, never a
// backend, and draw text with fonts.h.
#pragma once

#include <imgui.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/gl/damage.h"
#include "app/input/commands.h"
#include "app/platform/input.h"
#include "app/scene/scene.h"

namespace warplens::panels {

using platform::Input;  // what the frame is told of the outside

// Adds fonts while the atlas is made anew. A file is read once for all its sizes, and what was read is given
// back when the atlas is made: ImGui by itself keeps a copy for every size, 80 MB with Chinese.
class FontLoader {
 public:
  explicit FontLoader(ImFontAtlas& atlas) : atlas_(atlas) {}
  // `size` in pixels from ascent to descent; `ranges` (pairs, ending with 0) must outlive the atlas's making.
  // Merged: adds glyphs to the last one. Null: the file cannot be read.
  ImFont* add(const std::filesystem::path& file, float size, const ImWchar* ranges, bool merge);
  ImFont* add_built_in(float size);

 private:
  ImFontAtlas& atlas_;
  std::map<std::filesystem::path, std::string> files_;
};

// One ImGui context, its OpenGL backend, and its font texture. No file is read or written by it.
class ImGuiHost {
 public:
  // Needs a current OpenGL context. false: `error` in words.
  bool create(std::string* error);
  void destroy();  // while the context is still current
  ~ImGuiHost() { destroy(); }
  ImGuiHost() = default;
  ImGuiHost(const ImGuiHost&) = delete;
  ImGuiHost& operator=(const ImGuiHost&) = delete;

  void use_clipboard(app::Clipboard* clipboard);  // which outlives this
  void begin_frame(const Input& input);
  void end_frame();
  ImDrawData* drawn();  // what end_frame() made, until the next begin_frame()
  void render();        // into the bound framebuffer, whose rows go from the top

  // Font files changed: the texture is made anew. `build` adds fonts to the atlas.
  void rebuild_fonts(const std::function<void(FontLoader&)>& build);

 private:
  ImGuiContext* context_ = nullptr;
  bool backend_ = false;
  unsigned coverage_ = 0;  // the texture of all glyphs
};

// A font that ImGui can draw, with its size in ImGui's sense (ascent to descent).
struct SizedFont {
  ImFont* font = nullptr;
  float size = 0;  // as ImGui takes it
  float em = 0;    // of its letters, in pixels
};

// From 1.92 on one font serves all sizes and glyphs are made when they are needed.
bool fonts_are_dynamic();

float text_width(const SizedFont& font, const char* begin, const char* end);
void push_font(const SizedFont& font);
// Where the caret of the input that has the keyboard stands, by its left upper corner. ImGui tells it the
// input method of the system (io.ImeSetInputScreenPosFn, since 1.87 SetPlatformImeDataFn).
ImVec2 text_caret();
void set_text_caret(ImVec2 at, float height);

// The pixels that the OpenGL backend lets a command draw in, by its own rounding.
gl::PixelRect clipped_pixels(const ImVec4& clip, int framebuffer_height);
// Tells textures apart, also those that are not made yet.
std::uint64_t texture_of(const ImDrawCmd& command);

ImU32 color_of(const scene::Color& color);
void add_rect(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color, float rounding, float thickness);
void add_polyline(ImDrawList* list, const ImVec2* points, int count, ImU32 color, float thickness);
bool begin_tooltip();
void end_tooltip();

}  // namespace warplens::panels
