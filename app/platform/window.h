// One window that OpenGL draws into, with its loop, what is done to it, and the clipboard.
//
//   auto window = platform::Window::open({.width = 1600, .height = 900}, &trouble);
//   ... gl::load_functions(window->function_of, &error)
//   window->run([&]() -> std::optional<double> { ... draw ...; window->show(); return kUntilSomethingHappens;
//   });
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/platform/input.h"

namespace warplens::platform {

enum class GlKind { Core33, Es30 };

// Core33, unless the environment says WARPLENS_OPENGL=es.
GlKind wanted_gl();

using GlFunction = void (*)();

struct WindowTrouble {
  bool no_opengl = false;  // there is a display, without such an OpenGL
  std::string words;       // the system's
};

struct WindowSize {
  int width = 0, height = 0;  // 0: most of the screen
};

class Window {
 public:
  // Its context is current from then on. nullptr: see `trouble`. One at a time.
  static std::unique_ptr<Window> open(WindowSize size, WindowTrouble* trouble, GlKind kind = wanted_gl());
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  static GlFunction function_of(const char* name);

  // Calls `frame` again and again; between two calls it sleeps for the seconds that `frame` gives, or until
  // something happens. No number: the end. A browser calls by itself: there this returns at once, and
  // `frame`, which then owns what it needs, the window too, is kept until it ends.
  void run(std::function<std::optional<double>()> frame);
  static constexpr double kUntilSomethingHappens = -1;

  struct Events {
    Input input;
    std::vector<KeyPress> keys;
    std::vector<std::string> dropped;  // files
    // Presses of keys, presses and releases of buttons, notches of the wheel and drops, since the window
    // opened.
    long heard = 0;
    bool any = false;           // something happened; also where nothing of it is told here
    bool woken = false;         // by wake_window()
    bool close = false;         // the window is asked to close, and stays until the loop is ended
    bool close_second = false;  // ... or the second one, until close_second()
    bool stale_second = false;  // that one has another size, or what was drawn is lost
  };
  Events take_events();  // since the last call

  // What was drawn into it stays until it is drawn over, and its rows are counted from the top: what differs
  // from the frame before is enough.
  bool keeps_picture() const;
  void show();  // what was drawn

  // A second window, for one person beside what is for all: on a monitor that shows nothing of this one, if
  // there is any, else over it. Its keys are this one's; it has no mouse. A browser has none.
  static bool may_have_second();
  bool open_second(const std::string& title);  // false: it cannot be opened
  // ... where the hall does not see it now; brings both windows back where their monitor is gone.
  bool has_apart();
  void close_second();
  WindowSize second_size() const;  // in pixels; 0: there is none, or it is minimised
  // `draw` has its context, on which alone what it makes is there.
  void draw_second(const std::function<void()>& draw);

  std::string clipboard() const;
  void set_clipboard(const std::string& text);

 private:
  Window() = default;
  struct System;
  std::unique_ptr<System> system_;
};

// Ends the sleep of the window that is open, if one is. From any thread.
void wake_window();

// OpenGL without a display: an EGL context on no surface at all. To be drawn into a gl::Framebuffer.
//
//   std::string error;
//   // Current on this thread; software rendering will do.
//   auto context = platform::HeadlessContext::create(&error);
//   ... gl::load_functions(context->function_of, &error)
//
// libEGL is opened at run time: a machine without it gets a message, not a program that does not start.
class HeadlessContext {
 public:
  // Makes a context current. nullptr: `error` says in words what is missing and what to do.
  static std::unique_ptr<HeadlessContext> create(std::string* error, GlKind kind = wanted_gl());
  ~HeadlessContext();
  HeadlessContext(const HeadlessContext&) = delete;
  HeadlessContext& operator=(const HeadlessContext&) = delete;

  static GlFunction function_of(const char* name);

 private:
  HeadlessContext() = default;
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace warplens::platform
