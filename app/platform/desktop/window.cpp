#include "app/platform/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <mutex>
#include <utility>

#include "app/platform/screens.h"
#include "sim/text/scan.h"

namespace warplens::platform {
namespace {

std::mutex waking;
bool is_open = false;  // guarded by `waking`
bool woken = false;    // the same
int first_error = 0;   // GLFW's, with its words
std::string first_error_words;

void on_error(int code, const char* words) {
  if (first_error != 0) return;
  first_error = code;
  first_error_words = words;
}

void set_open(bool open) {
  const std::lock_guard lock(waking);
  is_open = open;
}

// An X server answers some requests with an error later: the window that a drag came from is gone, say. By
// itself Xlib then ends the program. GLFW loads Xlib by itself, and only where there is an X server: it is
// asked for, not linked.
void survive_x_errors() {
  using Handler = int (*)(void* display, void* error);
  const Handler ignore = [](void*, void*) { return 0; };  // nothing here depends on an answer
  void* xlib = ::dlopen("libX11.so.6", RTLD_NOW | RTLD_NOLOAD);
  if (xlib == nullptr) return;
  if (void* set = ::dlsym(xlib, "XSetErrorHandler")) reinterpret_cast<Handler (*)(Handler)>(set)(ignore);
  ::dlclose(xlib);
}

Window::Events& events_of(GLFWwindow* window) {
  Window::Events& events = *static_cast<Window::Events*>(glfwGetWindowUserPointer(window));
  events.any = true;
  return events;
}

constexpr std::pair<int, Key> kNamed[] = {
    {GLFW_KEY_SPACE, Key::Space},
    {GLFW_KEY_LEFT, Key::Left},
    {GLFW_KEY_RIGHT, Key::Right},
    {GLFW_KEY_UP, Key::Up},
    {GLFW_KEY_DOWN, Key::Down},
    {GLFW_KEY_PAGE_UP, Key::PageUp},
    {GLFW_KEY_PAGE_DOWN, Key::PageDown},
    {GLFW_KEY_HOME, Key::Home},
    {GLFW_KEY_END, Key::End},
    {GLFW_KEY_ENTER, Key::Enter},
    {GLFW_KEY_KP_ENTER, Key::Enter},
    {GLFW_KEY_BACKSPACE, Key::Backspace},
    {GLFW_KEY_DELETE, Key::Delete},
    {GLFW_KEY_TAB, Key::Tab},
    {GLFW_KEY_ESCAPE, Key::Escape},
};

void on_key(GLFWwindow* window, int code, int scancode, int action, int mods) {
  if (action == GLFW_RELEASE) return;
  Window::Events& events = events_of(window);
  const bool modifier = code >= GLFW_KEY_LEFT_SHIFT && code <= GLFW_KEY_RIGHT_SUPER;
  if (action == GLFW_PRESS && !modifier) ++events.heard;
  KeyPress press;
  press.repeated = action == GLFW_REPEAT;
  press.shift = (mods & GLFW_MOD_SHIFT) != 0;
  press.control = (mods & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER)) != 0;
  if (code >= GLFW_KEY_F1 && code <= GLFW_KEY_F12) press.key = function_key(code - GLFW_KEY_F1 + 1);
  for (const auto& [known, key] : kNamed)
    if (known == code) press.key = key;
  if (press.key != Key::Character) return events.keys.push_back(press);
  if ((mods & GLFW_MOD_ALT) != 0) return;  // the window manager's
  // The letter on the key, in the layout that is in use.
  const char* name = glfwGetKeyName(code, scancode);
  if (name == nullptr || name[0] == 0 || name[1] != 0) return;
  press.character = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  events.keys.push_back(press);
}

void on_character(GLFWwindow* window, unsigned code) {
  KeyPress press;
  press.key = Key::Text;
  text::append_utf8(code, &press.text);
  events_of(window).keys.push_back(press);
}

void listen_to_keys(GLFWwindow* window, Window::Events* events) {
  glfwSetWindowUserPointer(window, events);
  glfwSetKeyCallback(window, on_key);
  glfwSetCharCallback(window, on_character);
}

void listen(GLFWwindow* window, Window::Events* events) {
  listen_to_keys(window, events);
  // A click that begins and ends between two frames is a click all the same.
  glfwSetInputMode(window, GLFW_STICKY_MOUSE_BUTTONS, GLFW_TRUE);
  glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
    Window::Events& e = events_of(w);
    ++e.heard;
    e.input.wheel += static_cast<float>(y);
    e.input.wheel_sideways += static_cast<float>(x);
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    Window::Events& e = events_of(w);
    ++e.heard;
    for (int i = 0; i < count; ++i) e.dropped.emplace_back(paths[i]);
    glfwFocusWindow(w);
  });
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { events_of(w); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { events_of(w); });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int, int, int) { ++events_of(w).heard; });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { events_of(w); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { events_of(w); });
}

void read_input(GLFWwindow* window, Input& input) {
  glfwGetFramebufferSize(window, &input.width, &input.height);
  int window_width = 0, window_height = 0;
  glfwGetWindowSize(window, &window_width, &window_height);
  double x = 0, y = 0;
  glfwGetCursorPos(window, &x, &y);
  // The pointer comes in window units; frames are in pixels.
  const double scale = window_width > 0 ? static_cast<double>(input.width) / window_width : 1;
  input.mouse_x = static_cast<float>(x * scale);
  input.mouse_y = static_cast<float>(y * scale);
  input.mouse_inside = glfwGetWindowAttrib(window, GLFW_HOVERED) != 0;
  for (int i = 0; i < 3; ++i) {
    input.buttons[i] = glfwGetMouseButton(window, i) == GLFW_PRESS;
    input.mouse_inside = input.mouse_inside || input.buttons[i];  // a drag may leave the window
  }
  const auto down = [&](int a, int b) {
    return glfwGetKey(window, a) == GLFW_PRESS || glfwGetKey(window, b) == GLFW_PRESS;
  };
  input.shift = down(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
  input.control = down(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
}

void want(GlKind kind) {
  const bool es = kind == GlKind::Es30;
  glfwWindowHint(GLFW_CLIENT_API, es ? GLFW_OPENGL_ES_API : GLFW_OPENGL_API);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, es ? 0 : 3);
  if (!es) {
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  }
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "warplens");
}

std::vector<ScreenRect> monitors() {
  int count = 0;
  GLFWmonitor** all = glfwGetMonitors(&count);
  std::vector<ScreenRect> rects;
  for (int i = 0; i < count; ++i) {
    ScreenRect& r = rects.emplace_back();
    glfwGetMonitorWorkarea(all[i], &r.x, &r.y, &r.width, &r.height);
    if (r.width <= 0 || r.height <= 0) rects.pop_back();
  }
  return rects;
}

// Nothing: windows do not know where they are, as under Wayland, and it is the person's to move them.
std::optional<ScreenRect> place_of(GLFWwindow* window) {
  ScreenRect place;
  glfwGetError(nullptr);
  glfwGetWindowPos(window, &place.x, &place.y);
  if (glfwGetError(nullptr) != GLFW_NO_ERROR) return std::nullopt;
  glfwGetWindowSize(window, &place.width, &place.height);
  return place;
}

GLFWwindow* create(WindowSize size, GlKind kind) {
  want(kind);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  const bool given = size.width > 0;
  if (!given) size = {1920, 1080};
  GLFWwindow* window = glfwCreateWindow(size.width, size.height, "Warplens", nullptr, nullptr);
  if (window == nullptr) return nullptr;
  glfwSetWindowSizeLimits(window, 900, 560, GLFW_DONT_CARE, GLFW_DONT_CARE);
  GLFWmonitor* screen = glfwGetPrimaryMonitor();
  if (const GLFWvidmode* mode = screen != nullptr ? glfwGetVideoMode(screen) : nullptr;
      mode != nullptr && !given) {
    // Most of the screen, and never more. Under Wayland a window's units are not the screen's pixels.
    float pixels = 1;
    if (!place_of(window)) glfwGetMonitorContentScale(screen, &pixels, nullptr);
    const auto most = [pixels](int of) { return static_cast<int>(0.9f * static_cast<float>(of) / pixels); };
    glfwSetWindowSize(window, std::min(1920, most(mode->width)), std::min(1080, most(mode->height)));
  }
  glfwShowWindow(window);
  return window;
}

void put(GLFWwindow* window, const ScreenRect& place) {
  glfwSetWindowSize(window, place.width, place.height);
  glfwSetWindowPos(window, place.x, place.y);
}

}  // namespace

struct Window::System {
  GLFWwindow* window = nullptr;
  Events events;
  GlKind kind = GlKind::Core33;
  GLFWwindow* second = nullptr;
  std::vector<ScreenRect> monitors;  // at the look before
  ~System() {
    set_open(false);
    if (second != nullptr) glfwDestroyWindow(second);
    if (window != nullptr) glfwDestroyWindow(window);
    glfwTerminate();
  }
};

std::unique_ptr<Window> Window::open(WindowSize size, WindowTrouble* trouble, GlKind kind) {
  std::unique_ptr<Window> result(new Window);
  result->system_ = std::make_unique<System>();
  glfwSetErrorCallback(on_error);
  GLFWwindow* window = glfwInit() ? create(size, kind) : nullptr;
  if (window == nullptr) {
    trouble->no_opengl = first_error == GLFW_VERSION_UNAVAILABLE || first_error == GLFW_API_UNAVAILABLE;
    trouble->words = first_error_words;
    return nullptr;
  }
  result->system_->window = window;
  result->system_->kind = kind;
  survive_x_errors();  // GLFW has set Xlib's own handler again while it made the window
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  listen(window, &result->system_->events);
  glfwSetWindowCloseCallback(window, [](GLFWwindow* w) { events_of(w); });
  set_open(true);
  return result;
}

Window::~Window() = default;

GlFunction Window::function_of(const char* name) {
  return glfwGetProcAddress(name);
}

void Window::run(std::function<std::optional<double>()> frame) {
  while (const std::optional<double> seconds = frame()) {
    if (*seconds == 0) {
      glfwPollEvents();
    } else if (*seconds > 0) {
      glfwWaitEventsTimeout(*seconds);
    } else {
      glfwWaitEvents();
    }
  }
}

Window::Events Window::take_events() {
  Events& events = system_->events;
  read_input(system_->window, events.input);
  events.close = glfwWindowShouldClose(system_->window) != 0;
  glfwSetWindowShouldClose(system_->window, GLFW_FALSE);
  events.close_second = system_->second != nullptr && glfwWindowShouldClose(system_->second) != 0;
  {
    const std::lock_guard lock(waking);
    events.woken = std::exchange(woken, false);
  }
  Events taken = std::exchange(events, {});
  events.heard = taken.heard;
  return taken;
}

bool Window::keeps_picture() const {
  return false;
}
void Window::show() {
  glfwSwapBuffers(system_->window);
}

bool Window::may_have_second() {
  return true;
}

bool Window::open_second(const std::string& title) {
  if (system_->second != nullptr) return true;
  want(system_->kind);
  const auto first = place_of(system_->window);
  const ScreenRect place = first ? place_beside(*first, monitors()) : ScreenRect{0, 0, 1280, 720};
  // Apart, the keyboard may stay where it is: keys mean the same here and there.
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, is_apart(first, place, monitors()) ? GLFW_FALSE : GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow* second = glfwCreateWindow(place.width, place.height, title.c_str(), nullptr, nullptr);
  glfwDefaultWindowHints();
  survive_x_errors();
  if (second == nullptr) return false;
  system_->second = second;
  listen_to_keys(second, &system_->events);
  glfwSetFramebufferSizeCallback(second, [](GLFWwindow* w, int, int) { events_of(w).stale_second = true; });
  glfwSetWindowRefreshCallback(second, [](GLFWwindow* w) { events_of(w).stale_second = true; });
  glfwSetWindowCloseCallback(second, [](GLFWwindow* w) { events_of(w); });
  if (first) glfwSetWindowPos(second, place.x, place.y);
  glfwShowWindow(second);
  glfwMakeContextCurrent(second);
  glfwSwapInterval(0);  // the frame waits for its own screen alone
  glfwMakeContextCurrent(system_->window);
  return true;
}

void Window::close_second() {
  if (system_->second == nullptr) return;
  glfwDestroyWindow(std::exchange(system_->second, nullptr));
  glfwFocusWindow(system_->window);
}

// Asked anew every time: GLFW's callback hears of monitors that come and go, not of those that are mirrored.
bool Window::has_apart() {
  if (system_->second == nullptr) return false;
  const auto first = place_of(system_->window), second = place_of(system_->second);
  const std::vector<ScreenRect> all = monitors();
  const bool same = std::exchange(system_->monitors, all) == all;
  if (same || all.empty() || !first || !second) return is_apart(first, second, all);
  // A window manager may leave a strip of either window at the edge.
  const ScreenRect stage = is_lost(*first, all) ? inside(all.front()) : *first;
  if (stage != *first) put(system_->window, stage);
  if (is_lost(*second, all)) put(system_->second, place_beside(stage, all));
  return is_apart(first, second, all);
}

WindowSize Window::second_size() const {
  WindowSize size;
  if (system_->second != nullptr) glfwGetFramebufferSize(system_->second, &size.width, &size.height);
  return size;
}

void Window::draw_second(const std::function<void()>& draw) {
  if (system_->second == nullptr) return;
  glfwMakeContextCurrent(system_->second);
  draw();
  glfwSwapBuffers(system_->second);
  glfwMakeContextCurrent(system_->window);
}

std::string Window::clipboard() const {
  const char* text = glfwGetClipboardString(system_->window);
  return text != nullptr ? text : "";
}

void Window::set_clipboard(const std::string& text) {
  glfwSetClipboardString(system_->window, text.c_str());
}

void wake_window() {
  const std::lock_guard lock(waking);
  woken = true;
  if (is_open) glfwPostEmptyEvent();
}

}  // namespace warplens::platform
