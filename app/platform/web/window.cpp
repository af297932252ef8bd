// The canvas of a page, which tells of what a person does by calling the functions at the end.
#include "app/platform/window.h"

#include <emscripten.h>
#include <emscripten/html5.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

// app/platform/web/library.js
extern "C" {
void wl_page_copy(const char* text);
void wl_page_wake();
}

namespace warplens::platform {
namespace {

constexpr const char* kCanvas = "#canvas";

std::string pasted;          // the browser's clipboard, as far as the page may know it
bool pressed_since[3] = {};  // a press that ended before the next frame is one all the same
bool is_down[3] = {};
std::function<std::optional<double>()> the_frame;

// false: a key that the app knows nothing of.
bool read_key(std::string_view name, KeyPress* press) {
  for (const NamedKey& named : kNamedKeys) {
    if (named.of_page != name) continue;
    press->key = named.key;
    return true;
  }
  if (const int n = number_of_function_key(name); n > 0) {
    press->key = function_key(n);
    return true;
  }
  if (name.size() != 1) return false;
  press->character = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  return true;
}

}  // namespace

struct Window::System {
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = 0;
  Events events;
};

namespace {
Window::Events* the_events = nullptr;

void happened() {
  if (the_events != nullptr) the_events->any = true;
  wl_page_wake();
}
}  // namespace

std::unique_ptr<Window> Window::open(WindowSize, WindowTrouble* trouble, GlKind) {
  std::unique_ptr<Window> result(new Window);
  result->system_ = std::make_unique<System>();
  EmscriptenWebGLContextAttributes wanted;
  emscripten_webgl_init_context_attributes(&wanted);
  wanted.majorVersion = 2;
  wanted.alpha = wanted.depth = wanted.stencil = wanted.antialias = false;
  wanted.preserveDrawingBuffer = true;
  wanted.enableExtensionsByDefault = true;
  result->system_->context = emscripten_webgl_create_context(kCanvas, &wanted);
  if (result->system_->context <= 0 ||
      emscripten_webgl_make_context_current(result->system_->context) != EMSCRIPTEN_RESULT_SUCCESS) {
    *trouble = {true, "this browser gives no WebGL 2"};
    return nullptr;
  }
  the_events = &result->system_->events;
  emscripten_get_canvas_element_size(kCanvas, &the_events->input.width, &the_events->input.height);
  return result;
}

Window::~Window() {
  the_events = nullptr;
  if (system_ && system_->context > 0) emscripten_webgl_destroy_context(system_->context);
}

GlFunction Window::function_of(const char* name) {
  return reinterpret_cast<GlFunction>(emscripten_webgl_get_proc_address(name));
}

void Window::run(std::function<std::optional<double>()> frame) {
  the_frame = std::move(frame);
}

Window::Events Window::take_events() {
  Events& events = system_->events;
  for (int i = 0; i < 3; ++i) {
    const bool pressed = std::exchange(pressed_since[i], false);
    events.input.buttons[i] = is_down[i] || pressed;
  }
  events.woken = true;  // a page's loop is not told why it runs
  Events taken = events;
  events.keys.clear();
  events.dropped.clear();
  events.any = false;
  events.input.wheel = events.input.wheel_sideways = 0;
  return taken;
}

// style.css turns the canvas over. A copy of a whole frame that is turned over on the way takes software
// rendering longer than all the drawing does.
bool Window::keeps_picture() const {
  return true;
}
void Window::show() {}  // the browser shows what was drawn when the frame has been returned from

bool Window::may_have_second() {
  return false;
}
bool Window::has_apart() {
  return false;
}
bool Window::open_second(const std::string&) {
  return false;
}
void Window::close_second() {}
WindowSize Window::second_size() const {
  return {};
}
void Window::draw_second(const std::function<void()>&) {}

std::string Window::clipboard() const {
  return pasted;
}
void Window::set_clipboard(const std::string& text) {
  pasted = text;
  wl_page_copy(text.c_str());
}

void wake_window() {
  wl_page_wake();
}

}  // namespace warplens::platform

// What the page calls (app/platform/web/page/). Positions and sizes in pixels of the canvas.
using namespace warplens::platform;

extern "C" {

// One turn of the loop: 0: another is wanted at once; above 0: seconds until something is due; below 0: it
// sleeps until something happens.
EMSCRIPTEN_KEEPALIVE double wl_frame() {
  if (!the_frame) return Window::kUntilSomethingHappens;
  const std::optional<double> rest = the_frame();
  // A page stays: what ends in a window goes on here.
  return rest.value_or(Window::kUntilSomethingHappens);
}

EMSCRIPTEN_KEEPALIVE void wl_resize(int width, int height, double density) {
  if (the_events == nullptr) return;
  const Input& before = the_events->input;
  if (before.width != width || before.height != height)  // the canvas is empty then
    emscripten_set_canvas_element_size(kCanvas, width, height);
  the_events->input.width = width;
  the_events->input.height = height;
  the_events->input.density = static_cast<float>(density);
  happened();
}

// `buttons` as MouseEvent.buttons: 1 left, 2 right, 4 middle.
EMSCRIPTEN_KEEPALIVE void wl_pointer(double x, double y, int buttons, int inside) {
  if (the_events == nullptr) return;
  Input& input = the_events->input;
  input.mouse_x = static_cast<float>(x);
  input.mouse_y = static_cast<float>(y);
  input.mouse_inside = inside != 0 || buttons != 0;
  for (int i = 0; i < 3; ++i) {
    const bool down = (buttons >> i & 1) != 0;
    if (down != is_down[i]) ++the_events->heard;
    if (down && !is_down[i]) pressed_since[i] = true;
    is_down[i] = down;
  }
  happened();
}

EMSCRIPTEN_KEEPALIVE void wl_wheel(double sideways, double up) {
  if (the_events == nullptr) return;
  ++the_events->heard;
  the_events->input.wheel += static_cast<float>(up);
  the_events->input.wheel_sideways += static_cast<float>(sideways);
  happened();
}

EMSCRIPTEN_KEEPALIVE void wl_modifiers(int shift, int control) {
  if (the_events == nullptr) return;
  the_events->input.shift = shift != 0;
  the_events->input.control = control != 0;
}

// `name` as KeyboardEvent.key. 0: nothing for the app.
EMSCRIPTEN_KEEPALIVE int wl_key(const char* name, int shift, int control, int repeated) {
  KeyPress press;
  if (the_events == nullptr || !read_key(name, &press)) return 0;
  press.shift = shift != 0;
  press.control = control != 0;
  press.repeated = repeated != 0;
  if (repeated == 0) ++the_events->heard;
  the_events->keys.push_back(press);
  happened();
  return 1;
}

// What was typed, in UTF-8: of a key, or composed by an input method.
EMSCRIPTEN_KEEPALIVE void wl_text(const char* text) {
  if (the_events == nullptr || text[0] == '\0') return;
  KeyPress press;
  press.key = Key::Text;
  press.text = text;
  the_events->keys.push_back(press);
  happened();
}

// A file in the page's file system, as if it had been dropped onto a window.
EMSCRIPTEN_KEEPALIVE void wl_drop(const char* path) {
  if (the_events == nullptr) return;
  ++the_events->heard;
  the_events->dropped.emplace_back(path);
  happened();
}

EMSCRIPTEN_KEEPALIVE void wl_clipboard(const char* text) {
  pasted = text;
}

}  // extern "C"
