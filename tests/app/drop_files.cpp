// Drops files onto a window as a file manager does: the source's side of XDND 5, without a mouse.
//
//   drop_files WINDOW FILE...     WINDOW: its number, as xdotool prints it
//
// Ends with 0 when the window has said that it took them, 1 when it would not, 2 when it did not answer.
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

namespace {

constexpr long kVersion = 5;
constexpr int kPatience = 300'000;  // milliseconds for each answer: a busy machine may be slow

class Source {
 public:
  Source(Display* display, Window target, std::string uris)
      : display_(display), target_(target), uris_(std::move(uris)) {
    own_ = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    XSetSelectionOwner(display, atom("XdndSelection"), own_, CurrentTime);
  }

  int drop() {
    send("XdndEnter", kVersion << 24, static_cast<long>(atom("text/uri-list")), 0, 0);
    Window child = 0;
    int x = 0, y = 0;
    XTranslateCoordinates(display_, target_, DefaultRootWindow(display_), 200, 200, &x, &y, &child);
    send("XdndPosition", 0, x << 16 | y, CurrentTime, static_cast<long>(atom("XdndActionCopy")));
    XEvent event{};
    if (!await("XdndStatus", &event)) return 2;
    if ((event.xclient.data.l[1] & 1) == 0) return 1;
    send("XdndDrop", 0, CurrentTime, 0, 0);
    if (!await("XdndFinished", &event)) return 2;
    return event.xclient.data.l[1] != 0 ? 0 : 1;  // GLFW says how many bytes it got
  }

 private:
  Atom atom(const char* name) { return XInternAtom(display_, name, False); }

  void send(const char* what, long a, long b, long c, long d) {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = target_;
    event.xclient.message_type = atom(what);
    event.xclient.format = 32;
    const long data[5] = {static_cast<long>(own_), a, b, c, d};
    std::memcpy(event.xclient.data.l, data, sizeof data);
    XSendEvent(display_, target_, False, NoEventMask, &event);
    XFlush(display_);
  }

  // Serves every request for the names, until the message comes.
  bool await(const char* what, XEvent* event) {
    for (;;) {
      while (XPending(display_) > 0) {
        XNextEvent(display_, event);
        if (event->type == SelectionRequest) serve(event->xselectionrequest);
        if (event->type == ClientMessage && event->xclient.message_type == atom(what)) return true;
      }
      pollfd waiting{ConnectionNumber(display_), POLLIN, 0};
      if (poll(&waiting, 1, kPatience) <= 0) return false;
    }
  }

  void serve(const XSelectionRequestEvent& asked) {
    XChangeProperty(display_, asked.requestor, asked.property, asked.target, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(uris_.data()), static_cast<int>(uris_.size()));
    XEvent answer{};
    answer.xselection.type = SelectionNotify;
    answer.xselection.requestor = asked.requestor;
    answer.xselection.selection = asked.selection;
    answer.xselection.target = asked.target;
    answer.xselection.property = asked.property;
    answer.xselection.time = asked.time;
    XSendEvent(display_, asked.requestor, False, NoEventMask, &answer);
    XFlush(display_);
  }

  Display* display_;
  Window target_, own_ = 0;
  std::string uris_;
};

std::string uri_of(const std::string& path) {
  std::string uri = "file://";
  for (const unsigned char c : std::filesystem::absolute(path).string()) {
    char escaped[4];
    std::snprintf(escaped, sizeof escaped, "%%%02X", c);
    const bool plain = std::isalnum(c) != 0 || std::strchr("/._-", c) != nullptr;
    uri += plain ? std::string(1, static_cast<char>(c)) : escaped;
  }
  return uri + "\r\n";
}

}  // namespace

// What a window manager sends where the cross of a window is pressed.
static int close_window(Display* display, Window window) {
  XEvent event{};
  event.xclient.type = ClientMessage;
  event.xclient.window = window;
  event.xclient.message_type = XInternAtom(display, "WM_PROTOCOLS", False);
  event.xclient.format = 32;
  event.xclient.data.l[0] = static_cast<long>(XInternAtom(display, "WM_DELETE_WINDOW", False));
  const int sent = XSendEvent(display, window, False, NoEventMask, &event);
  XCloseDisplay(display);
  return sent != 0 ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: drop_files WINDOW FILE..., or drop_files WINDOW --close\n");
    return 2;
  }
  Display* display = XOpenDisplay(nullptr);
  if (display == nullptr) return 2;
  if (std::string_view(argv[2]) == "--close") return close_window(display, std::strtoul(argv[1], nullptr, 0));
  std::string uris;
  for (int i = 2; i < argc; ++i) uris += uri_of(argv[i]);
  const int code = Source(display, std::strtoul(argv[1], nullptr, 0), uris).drop();
  XCloseDisplay(display);
  return code;
}
