#include "app/desktop/window.h"

#include "app/gl/functions.h"
// GLFW after glad: it must not bring an OpenGL header of its own.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "app/desktop/drop.h"
#include "app/desktop/end_signals.h"
#include "app/desktop/gpu/kernel_check.h"
#include "app/desktop/gpu/live_gpu.h"
#include "app/desktop/pictures.h"
#include "app/desktop/x_errors.h"
#include "app/storage/session_file.h"
#include "sim/file/whole_file.h"
#include "sim/text/shown.h"

namespace warplens::desktop {
namespace {

constexpr int kCannot = 3;
std::mutex waking;
bool window_is_open = false;  // guarded by `waking`
int first_error = 0;          // GLFW's, with its words
std::string first_error_words;

void set_open(bool open) {
  const std::lock_guard lock(waking);
  window_is_open = open;
}

void on_error(int code, const char* words) {
  if (first_error != 0) return;
  first_error = code;
  first_error_words = words;
}

// What came in since the last frame.
struct Events {
  std::vector<session::KeyPress> keys;
  std::vector<std::string> dropped;  // files
  float wheel = 0, wheel_sideways = 0;
  long heard = 0;  // presses of keys and buttons, notches of the wheel and drops, since the window opened
  bool any = true;
  bool quit = false;
};

Events& events_of(GLFWwindow* window) {
  Events& events = *static_cast<Events*>(glfwGetWindowUserPointer(window));
  events.any = true;
  return events;
}

struct Named {
  int code;
  session::Key key;
};
constexpr Named kNamed[] = {
    {GLFW_KEY_SPACE, session::Key::Space},
    {GLFW_KEY_LEFT, session::Key::Left},
    {GLFW_KEY_RIGHT, session::Key::Right},
    {GLFW_KEY_UP, session::Key::Up},
    {GLFW_KEY_DOWN, session::Key::Down},
    {GLFW_KEY_PAGE_UP, session::Key::PageUp},
    {GLFW_KEY_PAGE_DOWN, session::Key::PageDown},
    {GLFW_KEY_HOME, session::Key::Home},
    {GLFW_KEY_END, session::Key::End},
    {GLFW_KEY_ENTER, session::Key::Enter},
    {GLFW_KEY_KP_ENTER, session::Key::Enter},
    {GLFW_KEY_BACKSPACE, session::Key::Backspace},
    {GLFW_KEY_DELETE, session::Key::Delete},
    {GLFW_KEY_TAB, session::Key::Tab},
    {GLFW_KEY_ESCAPE, session::Key::Escape},
    {GLFW_KEY_F1, session::Key::F1},
    {GLFW_KEY_F2, session::Key::F2},
    {GLFW_KEY_F3, session::Key::F3},
    {GLFW_KEY_F4, session::Key::F4},
    {GLFW_KEY_F5, session::Key::F5},
    {GLFW_KEY_F6, session::Key::F6},
    {GLFW_KEY_F7, session::Key::F7},
    {GLFW_KEY_F8, session::Key::F8},
    {GLFW_KEY_F9, session::Key::F9},
    {GLFW_KEY_F10, session::Key::F10},
    {GLFW_KEY_F12, session::Key::F12},
    {GLFW_KEY_F11, session::Key::F11},
};

bool is_modifier(int code) {
  return code >= GLFW_KEY_LEFT_SHIFT && code <= GLFW_KEY_RIGHT_SUPER;
}

void on_key(GLFWwindow* window, int code, int scancode, int action, int mods) {
  if (action == GLFW_RELEASE) return;
  Events& events = events_of(window);
  if (action == GLFW_PRESS && !is_modifier(code)) ++events.heard;
  session::KeyPress press;
  press.shift = (mods & GLFW_MOD_SHIFT) != 0;
  press.control = (mods & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER)) != 0;
  for (const Named& named : kNamed) {
    if (named.code != code) continue;
    press.key = named.key;
    events.keys.push_back(press);
    return;
  }
  // The letter on the key, in the layout that is in use.
  const char* name = glfwGetKeyName(code, scancode);
  if (name == nullptr || name[0] == 0 || name[1] != 0) return;
  press.character = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  if (session::is_quit(press)) events.quit = true;
  events.keys.push_back(press);
}

void on_character(GLFWwindow* window, unsigned code) {
  session::KeyPress press;
  press.key = session::Key::Text;
  const auto put = [&](unsigned byte) { press.text += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6), put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12), put(0x80 | (code >> 6 & 0x3f)), put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18), put(0x80 | (code >> 12 & 0x3f)), put(0x80 | (code >> 6 & 0x3f)),
        put(0x80 | (code & 0x3f));
  }
  events_of(window).keys.push_back(press);
}

void listen(GLFWwindow* window, Events* events) {
  glfwSetWindowUserPointer(window, events);
  // A click that begins and ends between two frames is a click all the same.
  glfwSetInputMode(window, GLFW_STICKY_MOUSE_BUTTONS, GLFW_TRUE);
  glfwSetKeyCallback(window, on_key);
  glfwSetCharCallback(window, on_character);
  glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
    Events& e = events_of(w);
    ++e.heard;
    e.wheel += static_cast<float>(y);
    e.wheel_sideways += static_cast<float>(x);
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    Events& e = events_of(w);
    ++e.heard;
    for (int i = 0; i < count; ++i) e.dropped.emplace_back(paths[i]);
    glfwFocusWindow(w);
  });
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { events_of(w); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { events_of(w); });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int, int action, int) {
    Events& e = events_of(w);
    e.heard += action == GLFW_PRESS ? 1 : 0;
  });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { events_of(w); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { events_of(w); });
}

panels::Input read_input(GLFWwindow* window, Events* events) {
  panels::Input input;
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
  input.wheel = std::exchange(events->wheel, 0.0f);
  input.wheel_sideways = std::exchange(events->wheel_sideways, 0.0f);
  return input;
}

int tell_no_display() {
  text::say(stderr,
            "warplens: no display: %s\n"
            "  Set DISPLAY or WAYLAND_DISPLAY, or go without one: warplens --tour FOLDER and\n"
            "  warplens --screenshot FILE.png render pictures; warplens-cli prints the numbers.\n",
            first_error_words.c_str());
  return kCannot;
}

int tell_no_opengl(const std::string& what) {
  text::say(stderr,
            "warplens: %s\n"
            "  Warplens needs OpenGL 3.3. Try software rendering: LIBGL_ALWAYS_SOFTWARE=1 warplens\n"
            "  warplens-cli gives the same numbers without OpenGL.\n",
            what.c_str());
  return kCannot;
}

GLFWwindow* open_window(const Options& options) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "warplens");
  int width = options.width, height = options.height;
  const GLFWvidmode* mode = glfwGetPrimaryMonitor() ? glfwGetVideoMode(glfwGetPrimaryMonitor()) : nullptr;
  if (!options.size_given && mode != nullptr) {  // most of the screen, and never more
    width = std::min(1920, mode->width * 9 / 10);
    height = std::min(1080, mode->height * 9 / 10);
  }
  GLFWwindow* window = glfwCreateWindow(width, height, "Warplens", nullptr, nullptr);
  if (window != nullptr) glfwSetWindowSizeLimits(window, 900, 560, GLFW_DONT_CARE, GLFW_DONT_CARE);
  return window;
}

// Sleeps until there is something to draw.
void wait_for_events(const App& app, double due, Events* events, int* settling) {
  if (app.animates() || *settling > 0) {
    *settling = std::max(*settling - 1, 0);
    glfwPollEvents();
  } else if (app.awaits()) {
    glfwWaitEventsTimeout(0.1);  // progress
  } else if (due >= 0) {
    glfwWaitEventsTimeout(due + 0.001);  // the parameters, or the text, have rested long enough
  } else {
    glfwWaitEvents();
  }
  if (std::exchange(events->any, false)) *settling = 2;  // ImGui needs a frame or two to come to rest
}

// Of two times until something is due, negative: never.
double sooner(double a, double b) {
  return a < 0 ? b : b < 0 ? a : std::min(a, b);
}

// What a script reads: `heard` and `rests` tell it whether this is the state after what it did.
void keep_state(const App& app, const Options& options, long heard, bool rests, std::string* last) {
  if (options.state_file.empty()) return;
  auto state = session::to_json(app.state(), options.tell_answers ? app.simulation() : app.shown(),
                                options.tell_answers);
  state["seen"]["gpu"] = {
      {"text", app.gpu().text}, {"tooltip", app.gpu().tooltip}, {"trouble", app.gpu().trouble}};
  state["seen"]["window"] = {{"heard", heard}, {"rests", rests}};
  std::string text = state.dump(1) + "\n";
  if (text == *last) return;
  // For scripts, at every frame: it tells of this moment, and need not outlive a loss of power.
  const file::Written written =
      file::write_whole(options.state_file, text, {.to_pipes = true, .durable = false});
  if (!written) text::say(stderr, "warplens: %s\n", written.words.c_str());
  *last = std::move(text);
}

constexpr double kFlushSeconds = 5;

// An end without a question, such as a lost display, saves what was noted last.
session::Recovery* kept_at_exit = nullptr;
void flush_at_exit() {
  if (kept_at_exit != nullptr) kept_at_exit->flush(2);
}

std::string key_of_unkept(file::Trouble trouble) {
  switch (trouble) {
    case file::Trouble::NoName:
      return "kept.no_home";
    case file::Trouble::NoRoom:
      return "kept.no_room";
    default:
      return "kept.cannot";
  }
}

// What is unsaved and cannot be kept is told at once, not when it is lost.
void tell_unkept(App& app, const session::Recovery& recovery, bool* told) {
  const file::Written kept = recovery.trouble();
  const auto& notice = app.state().notice;
  if (kept && *told && notice && notice->key.starts_with("kept.")) app.act({session::DismissNotice{}});
  if (!kept && !*told && !(notice && notice->asks_to_leave))
    app.act({session::Tell{{key_of_unkept(kept.trouble), app.places().state.string(), true, false}}});
  *told = !kept;
}

// Nothing is lost by it, or the person has said that it may be.
bool may_leave(App& app, session::Recovery& recovery) {
  const auto& notice = app.state().notice;
  const bool asked = notice && notice->asks_to_leave;
  if (app.state().leaving || asked || recovery.flush(kFlushSeconds)) return true;
  const std::string count = std::to_string(recovery.unsaved());
  app.act({session::Tell{{"leave.ask", count, true, false, true}}});
  return false;
}

void run_loop(App& app, GLFWwindow* window, const Options& options) {
  Events events;
  listen(window, &events);
  app.clipboard.get = [window] {
    const char* text = glfwGetClipboardString(window);
    return std::string(text ? text : "");
  };
  app.clipboard.set = [window](const std::string& text) { glfwSetClipboardString(window, text.c_str()); };
  std::string last_state;
  LiveGpu gpu(app.runner(), options.via);
  KernelCheck check(app.runner(), options.via);
  session::Recovery& recovery = *app.places().recovery;
  kept_at_exit = &recovery;
  std::atexit(flush_at_exit);
  const EndSignals signals(wake_window, [&recovery] { recovery.flush(1); });
  bool told_unkept = false;
  int settling = 2;
  double last = seconds_now();
  while (true) {
    FrameInput in;
    in.input = read_input(window, &events);
    if (in.input.width > 0 && in.input.height > 0) {  // not minimised
      in.now = seconds_now();
      in.input.seconds = in.now - last;
      last = in.now;
      in.keys = std::exchange(events.keys, {});
      const long heard = events.heard;
      take_dropped(app, std::exchange(events.dropped, {}));
      gpu.update(app, in.now);
      check.update(app);
      app.frame(in);
      glfwSwapBuffers(window);
      const bool rests = settling == 0 && !app.animates() && !app.awaits();
      keep_state(app, options, heard, rests, &last_state);
    }
    recovery.keep(app.state(), seconds_now());
    tell_unkept(app, recovery, &told_unkept);
    if (EndSignals::received() != 0) break;  // after a frame that took in what was typed before it
    if (glfwWindowShouldClose(window) || events.quit || app.state().leaving) {
      if (may_leave(app, recovery)) break;
      glfwSetWindowShouldClose(window, GLFW_FALSE);
      events.quit = false;
      events.any = true;
    }
    wait_for_events(app, sooner(gpu.due_in(seconds_now()), recovery.due_in(seconds_now())), &events,
                    &settling);
  }
  // What was not saved is offered at the next start.
  if (!recovery.flush(kFlushSeconds) && EndSignals::received() != 0)
    text::say(stderr, "warplens: what was not saved is lost: %s\n", recovery.trouble().words.c_str());
  kept_at_exit = nullptr;
}

}  // namespace

void wake_window() {
  const std::lock_guard lock(waking);
  if (window_is_open) glfwPostEmptyEvent();
}

int run_window(App& app, const Options& options) {
  glfwSetErrorCallback(on_error);
  if (!glfwInit()) return tell_no_display();
  GLFWwindow* window = open_window(options);
  std::string error;
  int code = 0;
  if (window == nullptr) {
    code = first_error == GLFW_VERSION_UNAVAILABLE || first_error == GLFW_API_UNAVAILABLE
               ? tell_no_opengl(first_error_words)
               : tell_no_display();
  } else {
    survive_x_errors();
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
    if (!gl::load_functions(glfwGetProcAddress, &error) || !app.create_graphics(&error)) {
      code = tell_no_opengl(error);
    } else {
      set_open(true);
      run_loop(app, window, options);
      set_open(false);
      app.destroy_graphics();
    }
    glfwDestroyWindow(window);
  }
  glfwTerminate();
  if (const int signal = EndSignals::received(); signal != 0) end_by(signal);
  return code;
}

}  // namespace warplens::desktop
