#include "app/gl/scene_renderer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gl/framebuffer.h"
#include "app/scene/file/files.h"
#include "sim/text/read_file.h"

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
  const auto known = std::ranges::find_if(entries_, [&](const Entry& entry) { return entry.image == image; });
  if (known != entries_.end()) return &*known;
  // The oldest give way; one of the same size only changes its pixels.
  Entry entry{image, 0, 0};
  while (is_full(*image)) {
    Entry oldest = std::move(entries_.front());
    entries_.erase(entries_.begin());
    const bool fits = oldest.image->width == image->width && oldest.image->height == image->height;
    if (fits && entry.texture == 0)
      entry.texture = oldest.texture, entry.framebuffer = oldest.framebuffer;
    else
      destroy(&oldest);
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

namespace {

constexpr int kCellFloats =
    23;  // rect 4, fill 4, border 4, hatch colour 4, radius, border width, hatch, part 4
constexpr std::size_t kMostShaderBytes = 1 << 20;
constexpr std::array<float, 4> kWholeCell{-1, -1, 1, 1};
constexpr int kArcFloats = 10;    // ends 4, colour 4, width, drawn
constexpr int kArcVertices = 66;  // of a strip of 32 segments

void push(std::vector<float>* out, const scene::Color& c) {
  out->insert(out->end(), {c.r, c.g, c.b, c.a});
}

GLuint compile(GLenum kind, const std::filesystem::path& file, std::string* error) {
  std::string text;
  Message wrong;
  if (!text::read_file(file, kMostShaderBytes, &text, &wrong)) {
    *error = wrong.english() + "; the app's shaders folder is missing or incomplete";
    return 0;
  }
  // One text in both dialects: what a desktop's takes for granted, the other wants to be told.
  text = std::string(glsl_version()) + "\nprecision highp float;\nprecision highp int;\n#line 1\n" + text;
  const GLuint shader = glCreateShader(kind);
  const char* source = text.c_str();
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  GLint compiled = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled) return shader;
  char log[2048] = "";
  glGetShaderInfoLog(shader, sizeof log, nullptr, log);
  *error = file.string() + ": does not compile: " + log;
  glDeleteShader(shader);
  return 0;
}

GLuint link(GLuint vertex, GLuint fragment, const std::string& name, std::string* error) {
  const GLuint program = glCreateProgram();
  glAttachShader(program, vertex);
  glAttachShader(program, fragment);
  glLinkProgram(program);
  GLint linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (linked) return program;
  char log[2048] = "";
  glGetProgramInfoLog(program, sizeof log, nullptr, log);
  *error = name + ".vert and " + name + ".frag do not link: " + log;
  glDeleteProgram(program);
  return 0;
}

// Per-instance attributes of the bound array buffer: `sizes` floats each, one after another.
void describe_instances(std::initializer_list<int> sizes, int floats) {
  GLuint index = 0;
  std::size_t offset = 0;
  for (const int size : sizes) {
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, size, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(floats * sizeof(float)),
                          reinterpret_cast<const void*>(offset));
    glVertexAttribDivisor(index, 1);
    offset += static_cast<std::size_t>(size) * sizeof(float);
    ++index;
  }
}

void set_scissor(const Placement& placement) {
  const scene::Rect& clip = placement.clip;
  if (clip.width <= 0) {
    glDisable(GL_SCISSOR_TEST);
    return;
  }
  const auto left = static_cast<GLint>(clip.x), width = static_cast<GLsizei>(clip.width);
  const auto height = static_cast<GLsizei>(clip.height > 0 ? clip.height : 0);
  glEnable(GL_SCISSOR_TEST);
  glScissor(left, static_cast<GLint>(clip.y), width, height);
}

void push_cell(const scene::Cell& cell, const std::array<float, 4>& part, std::vector<float>* out) {
  out->insert(out->end(), {cell.rect.x, cell.rect.y, cell.rect.width, cell.rect.height});
  push(out, cell.fill);
  push(out, cell.border);
  push(out, cell.hatch_color);
  out->insert(out->end(), {cell.radius, cell.border_width, cell.hatch});
  out->insert(out->end(), part.begin(), part.end());
}

// A frame with nothing in it is drawn as its four sides: software rendering pays for every pixel, seen or
// not.
void push_frame(const scene::Cell& cell, float scale, std::vector<float>* out) {
  // From the quad's edge, a pixel outside of the cell, to where border and corner have surely ended.
  const float side = (std::max(cell.border_width, cell.radius) * scale + 3) * 2;
  const float across = side / (cell.rect.width * scale + 2), down = side / (cell.rect.height * scale + 2);
  if (!(across < 0.9f && down < 0.9f)) return push_cell(cell, kWholeCell, out);
  push_cell(cell, {-1, -1, 1, -1 + down}, out);
  push_cell(cell, {-1, 1 - down, 1, 1}, out);
  push_cell(cell, {-1, -1 + down, -1 + across, 1 - down}, out);
  push_cell(cell, {1 - across, -1 + down, 1, 1 - down}, out);
}

bool may_show(const PixelRect& bounds, const Placement& placement) {
  const scene::Rect& clip = placement.clip;
  if (clip.width <= 0) return true;
  return !intersection(bounds, pixels_around(clip.x, clip.y, clip.x + clip.width, clip.y + clip.height))
              .empty();
}

}  // namespace

static PixelRect bounds_of(const scene::Rect& r, const Placement& at, float more) {
  return pixels_around(at.x + r.x * at.scale - more, at.y + r.y * at.scale - more,
                       at.x + (r.x + r.width) * at.scale + more, at.y + (r.y + r.height) * at.scale + more);
}

// A pixel more than the shape on every side, for its soft edge; an arc stays between its ends.
PixelRect bounds_of(const scene::Cell& cell, const Placement& at) {
  return bounds_of(cell.rect, at, 2);
}

PixelRect bounds_of(const scene::Arc& arc, const Placement& at) {
  const float soft = 0.5f * arc.width * at.scale + 2;
  return pixels_around(at.x + std::min(arc.from.x, arc.to.x) * at.scale - soft,
                       at.y + std::min(arc.from.y, arc.to.y) * at.scale - soft,
                       at.x + std::max(arc.from.x, arc.to.x) * at.scale + soft,
                       at.y + std::max(arc.from.y, arc.to.y) * at.scale + soft);
}

std::array<PixelRect, kArcPieces> pieces_of(const scene::Arc& arc, const Placement& at) {
  // As arc.vert has it: it rises and goes sideways all the way, so that a piece is in the box of its ends.
  // The ribbon's straight segments leave it by less than a pixel.
  const float soft = 0.5f * arc.width * at.scale + 4, bend = 0.5f * (arc.to.y - arc.from.y);
  const auto point = [&](float t) {
    const float u = 1 - t, p = u * u * u, q = 3 * u * u * t, r = 3 * u * t * t, s = t * t * t;
    return scene::Point{
        at.x + at.scale * ((p + q) * arc.from.x + (r + s) * arc.to.x),
        at.y + at.scale * (p * arc.from.y + q * (arc.from.y + bend) + r * (arc.to.y - bend) + s * arc.to.y)};
  };
  std::array<PixelRect, kArcPieces> pieces;
  scene::Point from = point(0);
  for (std::size_t i = 0; i < kArcPieces; ++i) {
    const float drawn = std::clamp(arc.drawn, 0.0f, 1.0f);
    const scene::Point to = point(drawn * static_cast<float>(i + 1) / static_cast<float>(kArcPieces));
    pieces[i] = pixels_around(std::min(from.x, to.x) - soft, std::min(from.y, to.y) - soft,
                              std::max(from.x, to.x) + soft, std::max(from.y, to.y) + soft);
    from = to;
  }
  return pieces;
}

PixelRect bounds_of(const scene::Picture& picture, const Placement& at) {
  return bounds_of(picture.rect, at, 1);
}

bool SceneRenderer::create(const std::filesystem::path& shader_folder, std::string* error) {
  destroy();
  if (!create_pipeline(&cells_, shader_folder, "cell", error)) return false;
  describe_instances({4, 4, 4, 4, 3, 4}, kCellFloats);
  if (!create_pipeline(&arcs_, shader_folder, "arc", error)) {
    destroy();
    return false;
  }
  describe_instances({4, 4, 2}, kArcFloats);
  return true;
}

bool SceneRenderer::create_pipeline(Pipeline* pipeline, const std::filesystem::path& folder, const char* name,
                                    std::string* error) {
  const GLuint vertex = compile(GL_VERTEX_SHADER, folder / (std::string(name) + ".vert"), error);
  if (vertex == 0) return false;
  const GLuint fragment = compile(GL_FRAGMENT_SHADER, folder / (std::string(name) + ".frag"), error);
  if (fragment != 0) {
    pipeline->program = link(vertex, fragment, name, error);
    glDeleteShader(fragment);
  }
  glDeleteShader(vertex);
  if (pipeline->program == 0) return false;
  pipeline->view = glGetUniformLocation(pipeline->program, "view");
  pipeline->extra = glGetUniformLocation(pipeline->program, "extra");
  glGenVertexArrays(1, &pipeline->vertex_array);
  glBindVertexArray(pipeline->vertex_array);
  glGenBuffers(1, &pipeline->buffer);
  glBindBuffer(GL_ARRAY_BUFFER, pipeline->buffer);
  return true;
}

void SceneRenderer::destroy_pipeline(Pipeline* pipeline) {
  if (pipeline->program != 0) glDeleteProgram(pipeline->program);
  if (pipeline->vertex_array != 0) glDeleteVertexArrays(1, &pipeline->vertex_array);
  if (pipeline->buffer != 0) glDeleteBuffers(1, &pipeline->buffer);
  *pipeline = {};
}

void SceneRenderer::destroy() {
  destroy_pipeline(&cells_);
  destroy_pipeline(&arcs_);
  destroy_pipeline(&letters_);
  if (sheet_ != 0) glDeleteTextures(1, &sheet_);
  sheet_ = 0;
  pictures_.destroy();
}

bool SceneRenderer::create_letters(const std::filesystem::path& shader_folder, std::string* error) {
  if (!create_pipeline(&letters_, shader_folder, "letter", error)) return false;
  describe_instances({4, 2, 4}, Letters::kFloats);
  sheet_ = create_texture();
  return true;
}

void SceneRenderer::draw(const scene::Scene& scene, const Placement& placement) {
  if (!created() || placement.framebuffer_width < 1 || placement.framebuffer_height < 1) return;
  begin(placement);
  for (const scene::Layer& layer : scene.layers) draw(layer, placement);
}

void SceneRenderer::begin(const Placement& placement) {
  glViewport(0, 0, placement.framebuffer_width, placement.framebuffer_height);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);  // shaders give premultiplied colours
  set_scissor(placement);
}

void SceneRenderer::draw(const scene::Layer& layer, const Placement& placement) {
  for (const scene::Picture& picture : layer.pictures) {
    if (may_show(bounds_of(picture, placement), placement)) pictures_.draw(picture, placement);
  }
  draw_arcs(layer, placement);
  draw_cells(layer, placement);
}

void SceneRenderer::draw(const Letters& letters, const Placement& placement) {
  if (letters.quads().empty()) return;
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, sheet_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, Letters::kColumns, letters.rows(), 0, GL_RED, GL_UNSIGNED_BYTE,
               letters.sheet().data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  staging_ = letters.quads();
  draw_instances(letters_, placement, 4, Letters::kFloats);
}

void SceneRenderer::draw_arcs(const scene::Layer& layer, const Placement& placement) {
  staging_.clear();
  for (const scene::Arc& arc : layer.arcs) {
    if (arc.drawn <= 0 || !may_show(bounds_of(arc, placement), placement)) continue;
    staging_.insert(staging_.end(), {arc.from.x, arc.from.y, arc.to.x, arc.to.y});
    push(&staging_, arc.color);
    staging_.insert(staging_.end(), {arc.width, arc.drawn < 1 ? arc.drawn : 1});
  }
  draw_instances(arcs_, placement, kArcVertices, kArcFloats);
}

void SceneRenderer::draw_cells(const scene::Layer& layer, const Placement& placement) {
  staging_.clear();
  for (const scene::Cell& cell : layer.cells) {
    const bool hollow = cell.fill.a <= 0 && (cell.hatch <= 0 || cell.hatch_color.a <= 0);
    const bool bordered = cell.border_width > 0 && cell.border.a > 0;
    if ((hollow && !bordered) || !may_show(bounds_of(cell, placement), placement)) continue;
    if (hollow)
      push_frame(cell, placement.scale, &staging_);
    else
      push_cell(cell, kWholeCell, &staging_);
  }
  draw_instances(cells_, placement, 4, kCellFloats);
}

void SceneRenderer::draw_instances(const Pipeline& pipeline, const Placement& placement, int vertices,
                                   int floats) {
  const auto instances = static_cast<GLsizei>(staging_.size() / static_cast<std::size_t>(floats));
  if (instances == 0) return;
  glUseProgram(pipeline.program);
  glUniform4f(pipeline.view, placement.x, placement.y, static_cast<float>(placement.framebuffer_width),
              static_cast<float>(placement.framebuffer_height));
  glUniform2f(pipeline.extra, placement.scale, placement.opacity);
  glBindVertexArray(pipeline.vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, pipeline.buffer);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(staging_.size() * sizeof(float)), staging_.data(),
               GL_STREAM_DRAW);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, vertices, instances);
}

}  // namespace warplens::gl
