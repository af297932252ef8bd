#include "app/panels/widgets/imgui_shim.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
// The OpenGL 3 backend alone: windows and input are fed in by begin_frame().
#include <backends/imgui_impl_opengl3.h>
#include <imgui_internal.h>  // ImFontAtlasGetBuilderForStbTruetype

#include "app/gl/framebuffer.h"
#include "sim/text/read_file.h"

namespace warplens::panels {
namespace {

void feed_mouse(ImGuiIO& io, const Input& input) {
#if IMGUI_VERSION_NUM >= 18700
  if (input.mouse_inside) {
    io.AddMousePosEvent(input.mouse_x, input.mouse_y);
  } else {
    io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  }
  for (int i = 0; i < 3; ++i) io.AddMouseButtonEvent(i, input.buttons[i]);
  if (input.wheel != 0 || input.wheel_sideways != 0) io.AddMouseWheelEvent(input.wheel_sideways, input.wheel);
  io.AddKeyEvent(ImGuiMod_Shift, input.shift);
  io.AddKeyEvent(ImGuiMod_Ctrl, input.control);
#else
  io.MousePos = input.mouse_inside ? ImVec2(input.mouse_x, input.mouse_y) : ImVec2(-FLT_MAX, -FLT_MAX);
  for (int i = 0; i < 3; ++i) io.MouseDown[i] = input.buttons[i];
  io.MouseWheel = input.wheel;
  io.MouseWheelH = input.wheel_sideways;
  io.KeyShift = input.shift;
  io.KeyCtrl = input.control;
#endif
}

// The keys of an input; ImGuiKey_COUNT: none of them.
int key_of(const app::KeyPress& press) {
  using app::Key;
  switch (press.key) {
    case Key::Left:
      return ImGuiKey_LeftArrow;
    case Key::Right:
      return ImGuiKey_RightArrow;
    case Key::Home:
      return ImGuiKey_Home;
    case Key::End:
      return ImGuiKey_End;
    case Key::Backspace:
      return ImGuiKey_Backspace;
    case Key::Delete:
      return ImGuiKey_Delete;
    case Key::Character: {
      constexpr std::pair<char, int> kWithControl[] = {{'a', ImGuiKey_A}, {'c', ImGuiKey_C},
                                                       {'v', ImGuiKey_V}, {'x', ImGuiKey_X},
                                                       {'y', ImGuiKey_Y}, {'z', ImGuiKey_Z}};
      for (const auto& [character, key] : kWithControl)
        if (press.control && press.character == character) return key;
      return ImGuiKey_COUNT;
    }
    default:
      return ImGuiKey_COUNT;
  }
}

// Each is pressed in this frame alone: how long it is held is the window system's affair, which repeats it.
void feed_keys(ImGuiIO& io, const std::vector<app::KeyPress>& typed) {
#if IMGUI_VERSION_NUM < 18700
  std::fill(std::begin(io.KeysDown), std::end(io.KeysDown), false);
  std::fill(std::begin(io.KeysDownDuration), std::end(io.KeysDownDuration), -1.0f);
#endif
  for (const app::KeyPress& press : typed) {
    if (press.key == app::Key::Text) {
      io.AddInputCharactersUTF8(press.text.c_str());
      io.KeyCtrl = false;  // it may be held for the key that comes next
    }
    const int key = key_of(press);
    if (key == ImGuiKey_COUNT) continue;
#if IMGUI_VERSION_NUM >= 18700
    io.AddKeyEvent(ImGuiMod_Shift, press.shift);
    io.AddKeyEvent(ImGuiMod_Ctrl, press.control);
    for (const bool down : {true, false}) io.AddKeyEvent(static_cast<ImGuiKey>(key), down);
#else
    io.KeyShift = press.shift;
    io.KeyCtrl = press.control;
    io.KeysDown[key] = true;
#endif
  }
}

const char* clipboard_text(void* clipboard) {
  static std::string text;
  text = static_cast<app::Clipboard*>(clipboard)->get();
  return text.c_str();
}
void set_clipboard_text(void* clipboard, const char* text) {
  static_cast<app::Clipboard*>(clipboard)->set(text);
}

#ifndef IMGUI_HAS_TEXTURES
// A glyph is white and covers more or less of a pixel: that is one byte. The backend's own upload takes four,
// twice, and with Chinese on a large screen these are hundreds of megabytes.
void upload_coverage(ImFontAtlas* atlas, GLuint* texture) {
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas->GetTexDataAsAlpha8(&pixels, &width, &height);
  if (*texture == 0) glGenTextures(1, texture);
  glBindTexture(GL_TEXTURE_2D, *texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  if (gl::is_es()) {  // WebGL swizzles nothing, but keeps the format of white and coverage that core OpenGL
                      // gave up
    std::vector<unsigned char> white(2 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                                     255);
    for (std::size_t i = 1; i < white.size(); i += 2) white[i] = pixels[i / 2];
    glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE_ALPHA, width, height, 0, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE,
                 white.data());
  } else {
    const GLint white[] = {GL_ONE, GL_ONE, GL_ONE, GL_RED};
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, white);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, pixels);
  }
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  atlas->SetTexID(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(*texture)));
}
#endif

}  // namespace

bool ImGuiHost::create(std::string* error) {
  IMGUI_CHECKVERSION();
  context_ = ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
  io.ConfigInputTextCursorBlink = false;  // an idle window draws nothing
#if IMGUI_VERSION_NUM < 18700
  std::iota(std::begin(io.KeyMap), std::end(io.KeyMap), 0);
#endif
  backend_ = ImGui_ImplOpenGL3_Init(gl::glsl_version());
  if (gl::is_es()) io.BackendFlags &= ~ImGuiBackendFlags_RendererHasVtxOffset;  // ES 3.0 has no base vertices
  if (!backend_ && error) *error = "Dear ImGui could not start on this OpenGL context";
#ifndef IMGUI_HAS_TEXTURES
  // The backend makes its shaders in the first frame, and a texture of all fonts with them; now that is one
  // small font, which rebuild_fonts() replaces.
  if (backend_) {
    ImGui_ImplOpenGL3_CreateDeviceObjects();
    ImGui_ImplOpenGL3_DestroyFontsTexture();
  }
#endif
  return backend_;
}

void ImGuiHost::destroy() {
  if (backend_) ImGui_ImplOpenGL3_Shutdown();
  if (backend_ && coverage_ != 0) glDeleteTextures(1, &coverage_);
  coverage_ = 0;
  if (context_) ImGui::DestroyContext(context_);
  backend_ = false;
  context_ = nullptr;
}

void ImGuiHost::use_clipboard(app::Clipboard* clipboard) {
#if IMGUI_VERSION_NUM >= 19110
  ImGuiPlatformIO& io = ImGui::GetPlatformIO();
  io.Platform_ClipboardUserData = clipboard;
  io.Platform_GetClipboardTextFn = [](ImGuiContext*) {
    return clipboard_text(ImGui::GetPlatformIO().Platform_ClipboardUserData);
  };
  io.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
    set_clipboard_text(ImGui::GetPlatformIO().Platform_ClipboardUserData, text);
  };
#else
  ImGuiIO& io = ImGui::GetIO();
  io.ClipboardUserData = clipboard;
  io.GetClipboardTextFn = clipboard_text;
  io.SetClipboardTextFn = set_clipboard_text;
#endif
}

void ImGuiHost::begin_frame(const Input& input) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(input.width), static_cast<float>(input.height));
  io.DisplayFramebufferScale = ImVec2(1, 1);
  io.DeltaTime = static_cast<float>(std::clamp(input.seconds, 1e-4, 0.25));
  feed_mouse(io, input);
  feed_keys(io, input.typed);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
}

void ImGuiHost::end_frame() {
  ImGui::Render();
}
ImDrawData* ImGuiHost::drawn() {
  return ImGui::GetDrawData();
}
void ImGuiHost::render() {
  // The backend draws for rows from the bottom. A display that begins at its lower edge and goes upwards
  // turns over what it projects and where it cuts; only the edges of a cut have to change places.
  ImDrawData& frame = *ImGui::GetDrawData();
  const ImVec2 size = frame.DisplaySize;
  frame.DisplayPos = {0, size.y};
  frame.DisplaySize = {size.x, -size.y};
  frame.FramebufferScale = {1, -1};
  for (int i = 0; i < frame.CmdListsCount; ++i) {
    // WebGL takes an upload of no bytes for one of all there are.
    if (frame.CmdLists[i]->IdxBuffer.empty()) frame.CmdLists[i]->IdxBuffer.push_back(0);
    if (frame.CmdLists[i]->VtxBuffer.empty()) frame.CmdLists[i]->VtxBuffer.push_back({});
    for (ImDrawCmd& command : frame.CmdLists[i]->CmdBuffer)
      if (command.UserCallback == nullptr) std::swap(command.ClipRect.y, command.ClipRect.w);
  }
  ImGui_ImplOpenGL3_RenderDrawData(&frame);
}

void ImGuiHost::rebuild_fonts(const std::function<void(FontLoader&)>& build) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  FontLoader loader(atlas);
#ifdef IMGUI_HAS_TEXTURES
  atlas.Clear();
  build(loader);
#else
  atlas.Clear();
  atlas.TexDesiredWidth = 0;  // as Dear ImGui thinks best
  atlas.Flags |= ImFontAtlasFlags_NoMouseCursors | ImFontAtlasFlags_NoPowerOfTwoHeight;
  // stb_truetype, not FreeType: the packaged FreeType builder rounds every advance up to whole pixels.
  atlas.FontBuilderIO = ImFontAtlasGetBuilderForStbTruetype();
  build(loader);
  atlas.Build();
  // Large letters in Chinese fill more than a texture may be high: side by side there is room.
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  while (atlas.TexHeight > largest && 2 * atlas.TexWidth <= largest) {
    atlas.TexDesiredWidth = 2 * atlas.TexWidth;
    atlas.Clear();
    build(loader);
    atlas.Build();
  }
  upload_coverage(&atlas, &coverage_);
  atlas.ClearTexData();  // the driver has it now
  atlas.ClearInputData();
#endif
}

ImFont* FontLoader::add(const std::filesystem::path& file, float size, const ImWchar* ranges, bool merge) {
  ImFontConfig config;
  config.MergeMode = merge;
  config.OversampleH = 2;  // glyphs stand between pixels; no size is scaled, so none more
  config.OversampleV = 1;
  config.PixelSnapH = false;
#ifdef IMGUI_HAS_TEXTURES  // glyphs are made from the file for as long as the font lives
  return atlas_.AddFontFromFileTTF(file.c_str(), size, &config, ranges);
#else
  std::string& bytes = files_[file];
  if (bytes.empty()) {
    Message error;
    text::read_file(file, text::kMostFontBytes, &bytes, &error);
  }
  if (bytes.empty()) return nullptr;
  config.FontDataOwnedByAtlas = false;
  return atlas_.AddFontFromMemoryTTF(bytes.data(), static_cast<int>(bytes.size()), size, &config, ranges);
#endif
}

ImFont* FontLoader::add_built_in(float size) {
  ImFontConfig config;
  config.SizePixels = size;
  return atlas_.AddFontDefault(&config);
}

bool fonts_are_dynamic() {
#ifdef IMGUI_HAS_TEXTURES
  return true;
#else
  return false;
#endif
}

float text_width(const SizedFont& font, const char* begin, const char* end) {
  if (font.font == nullptr) return 0;
  return font.font->CalcTextSizeA(font.size, FLT_MAX, 0, begin, end).x;
}

void push_font(const SizedFont& font) {
#ifdef IMGUI_HAS_TEXTURES
  ImGui::PushFont(font.font, font.size);
#else
  ImGui::PushFont(font.font);
#endif
}

ImVec2 text_caret() {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::GetCurrentContext()->PlatformImeData.InputPos;
#else
  return ImGui::GetCurrentContext()->PlatformImePos;
#endif
}

void set_text_caret(ImVec2 at, [[maybe_unused]] float height) {
#if IMGUI_VERSION_NUM >= 18700
  ImGuiPlatformImeData& data = ImGui::GetCurrentContext()->PlatformImeData;
  data.WantVisible = true;
  data.InputPos = at;
  data.InputLineHeight = height;
#else
  ImGui::GetCurrentContext()->PlatformImePos = at;
#endif
}

gl::PixelRect clipped_pixels(const ImVec4& clip, int framebuffer_height) {
  const float high = static_cast<float>(framebuffer_height);
  const auto left = static_cast<int>(clip.x), from_below = static_cast<int>(high - clip.w);
  const auto width = static_cast<int>(clip.z - clip.x), height = static_cast<int>(clip.w - clip.y);
  const int bottom = framebuffer_height - from_below;
  return gl::intersection({left, bottom - height, left + width, bottom}, {0, 0, 1 << 20, framebuffer_height});
}

std::uint64_t texture_of(const ImDrawCmd& command) {
#ifdef IMGUI_HAS_TEXTURES
  if (command.TexRef._TexData != nullptr)
    return static_cast<std::uint64_t>(command.TexRef._TexData->UniqueID);
  return static_cast<std::uint64_t>(command.TexRef._TexID);
#else
  return reinterpret_cast<std::uint64_t>(command.GetTexID());
#endif
}

ImU32 color_of(const scene::Color& c) {
  const auto channel = [](float v) { return static_cast<ImU32>(std::clamp(v, 0.0f, 1.0f) * 255.0f + 0.5f); };
  return IM_COL32(channel(c.r), channel(c.g), channel(c.b), channel(c.a));
}

void add_rect(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color, float rounding, float thickness) {
#if IMGUI_VERSION_NUM >= 19280
  list->AddRect(min, max, color, rounding, thickness, 0);
#else
  list->AddRect(min, max, color, rounding, 0, thickness);
#endif
}

void add_polyline(ImDrawList* list, const ImVec2* points, int count, ImU32 color, float thickness) {
#if IMGUI_VERSION_NUM >= 19280
  list->AddPolyline(points, count, color, thickness, 0);
#else
  list->AddPolyline(points, count, color, 0, thickness);
#endif
}

bool begin_tooltip() {
#if IMGUI_VERSION_NUM >= 18970
  return ImGui::BeginTooltip();
#else
  ImGui::BeginTooltip();
  return true;
#endif
}

void end_tooltip() {
  ImGui::EndTooltip();
}

}  // namespace warplens::panels
