// The whole of the server: sockets, requests and answers.
//
// It reads requests by itself, by the letter of RFC 9112 and a small part of it, since what libraries forgive
// is what attacks are made of: cpp-httplib unpacks a body before anybody is asked, and libevent's evhttp,
// like it, takes a bare LF for the end of a line, joins folded lines, takes the first of two lengths, and
// waits anew for each byte.
#include "app/platform/http.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <deque>
#include <optional>
#include <thread>
#include <unordered_map>

#include "sim/text/scan.h"

namespace warplens::platform {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kTurn = std::size_t{256} << 10;  // bytes that one connection is sent before the next
constexpr int kPriority = 10;  // the thread's niceness: frames go first, however many requests there are

Clock::duration seconds(double count) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(count));
}

// ---- requests ---------------------------------------------------------------------------------------------

struct Reading {
  std::size_t length = 0;  // of the request, in bytes; 0: it is not all there
  int refused = 0;         // with this status
  bool last = false;       // the connection ends with it
  HttpRequest request;
};

// Each of these headers changes what the bytes mean, and a phone's browser sends none of them: they are
// refused with this status before a byte of a body is read.
constexpr std::pair<std::string_view, int> kRefused[] = {
    {"transfer-encoding", 411}, {"content-encoding", 415}, {"range", 416},
    {"if-range", 416},          {"expect", 417},           {"trailer", 400}};

bool is_token(std::string_view text) {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](unsigned char c) {
    return std::isalnum(c) != 0 || kOthers.find(static_cast<char>(c)) != std::string::npos;
  });
}

// "%41" to "A", and in a form "+" to a space; nothing: it is not encoded rightly.
std::optional<std::string> decoded(std::string_view text, bool form) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += form && text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    int byte = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (failed != std::errc() || digits.size() != 2 || end != digits.data() + 2 || digits[0] == '-')
      return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

// "a=1&b=2"; false: it is encoded wrongly, or names a field twice.
bool read_form(std::string_view body, std::map<std::string, std::string>* fields) {
  while (!body.empty()) {
    const std::string_view one = body.substr(0, body.find('&'));
    const std::size_t equals = std::min(one.find('='), one.size());
    const auto name = decoded(one.substr(0, equals), true);
    const auto value = decoded(one.substr(std::min(equals + 1, one.size())), true);
    if (!name || !value || !fields->emplace(*name, *value).second) return false;
    body.remove_prefix(std::min(one.size() + 1, body.size()));
  }
  return true;
}

// How long the head of a request is, its empty line included; 0: it is not all there. `looked`: so far it has
// been read before. A line ends with CR and LF together: where one of them stood alone, or another control
// character, two readers could see different lines.
std::size_t head_length(std::string_view text, std::size_t most, std::size_t* looked, int* refused) {
  for (std::size_t& i = *looked; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool after_cr = i > 0 && text[i - 1] == '\r';
    if (i >= most) return *refused = 431, 0;
    if (after_cr != (c == '\n') || (c < 32 && c != '\r' && c != '\n' && c != '\t') || c == 127)
      return *refused = 400, 0;
    if (c == '\n' && i >= 3 && text[i - 2] == '\n') return i + 1;
  }
  return 0;
}

// "GET /state?x HTTP/1.1"; the answer is a status, 0: understood.
int read_first_line(std::string_view line, std::size_t most, Reading* in) {
  const std::size_t target = line.find(' ') + 1, version = line.rfind(' ') + 1;
  if (line.size() > most) return 414;
  if (target == 0 || version <= target) return 400;
  in->request.method = line.substr(0, target - 1);
  const std::string_view path = line.substr(target, version - 1 - target);
  in->last = line.substr(version) == "HTTP/1.0";
  const bool plain = std::all_of(path.begin(), path.end(), [](char c) { return c > ' ' && c < 127; });
  if (!plain || !path.starts_with('/') || (!in->last && line.substr(version) != "HTTP/1.1")) return 400;
  if (in->request.method != "GET" && in->request.method != "POST") return 405;
  const auto clear = decoded(path.substr(0, path.find('?')), false);
  in->request.path = clear.value_or("");
  return clear ? 0 : 400;
}

// "Name: value": lines without their end. A line that begins with a space, which would continue the one
// before, has no name and is refused as any other.
int read_fields(std::string_view head, std::map<std::string, std::string>* fields) {
  constexpr std::string_view kRead[] = {"host",       "origin",       "cookie",
                                        "connection", "content-type", "content-length"};
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(std::min(line.size() + 2, head.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return 400;
    const std::string name = text::lower_case(line.substr(0, colon));
    for (const auto& [refused, status] : kRefused) {
      if (name == refused) return status;
    }
    const std::string_view value = text::trimmed(line.substr(colon + 1), " \t");
    if (std::find(std::begin(kRead), std::end(kRead), name) == std::end(kRead)) continue;
    if (!fields->emplace(name, value).second) return 400;  // which of the two counts, is anybody's guess
  }
  return 0;
}

int read_body(std::string_view text, std::size_t head, const std::map<std::string, std::string>& fields,
              std::size_t most, Reading* in) {
  std::size_t body = 0;
  const bool post = in->request.method == "POST";
  if (const auto length = fields.find("content-length"); length != fields.end()) {
    const std::string& digits = length->second;
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return 400;
    if (digits.size() > 9 || std::stoul(digits) > most) return 413;
    body = std::stoul(digits);
    if (!post && body > 0) return 400;
  } else if (post) {
    return 411;
  }
  if (text.size() < head + body) return 0;
  in->length = head + body;
  const auto type = fields.find("content-type");
  const bool form =
      type != fields.end() && text::lower_case(type->second).starts_with("application/x-www-form-urlencoded");
  return !form || read_form(text.substr(head, body), &in->request.fields) ? 0 : 400;
}

Reading read_request(std::string_view text, std::size_t* looked, const HttpBounds& bounds) {
  Reading in;
  const std::size_t head = head_length(text, bounds.head, looked, &in.refused);
  if (head == 0) return in;
  std::string_view lines = text.substr(0, head - 2);
  const std::string_view first = lines.substr(0, lines.find("\r\n"));
  lines.remove_prefix(first.size() + 2);
  std::map<std::string, std::string> fields;
  in.refused = read_first_line(first, bounds.target, &in);
  if (in.refused == 0) in.refused = read_fields(lines, &fields);
  if (in.refused == 0) in.refused = read_body(text, head, fields, bounds.body, &in);
  in.last = in.last || text::lower_case(fields["connection"]).find("close") != std::string::npos;
  in.request.cookie = fields["cookie"], in.request.origin = fields["origin"],
  in.request.host = fields["host"];
  return in;
}

// ---- connections ------------------------------------------------------------------------------------------

// What is to be sent: a text of one's own, or a file that all share.
struct Piece {
  std::string own;
  std::shared_ptr<const std::string> file;
  std::size_t sent = 0;
  const std::string& text() const { return file ? *file : own; }
};

struct Connection {
  std::string remote, in;
  std::size_t looked = 0;  // into `in`, see head_length
  bool more = false;       // `in` may hold another whole request
  std::deque<Piece> out;
  Clock::time_point since, until;  // the last request was whole; what it does now has to be done
  Clock::time_point second;        // the present second began, in which it asked
  int asked = 0;
  bool last = false;  // closed once `out` is sent
};

class PollingServer : public HttpServer {
 public:
  PollingServer(int listener, int port, Handler handler, const HttpBounds& bounds)
      : bounds_(bounds), handler_(std::move(handler)), listener_(listener), port_(port) {
    poll_ = ::epoll_create1(EPOLL_CLOEXEC);
    end_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    watch(listener_, EPOLLIN, EPOLL_CTL_ADD);
    watch(end_, EPOLLIN, EPOLL_CTL_ADD);
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
      files.rlim_cur = std::max(files.rlim_cur, std::min<rlim_t>(files.rlim_max, 4096));
      ::setrlimit(RLIMIT_NOFILE, &files);
      bounds_.connections = std::min<std::size_t>(bounds_.connections, files.rlim_cur - files.rlim_cur / 4);
    }
    thread_ = std::thread([this] { run(); });
  }
  ~PollingServer() override {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(end_, &one, sizeof one);
    thread_.join();
    for (const auto& [socket, connection] : connections_) ::close(socket);
    for (const int descriptor : {listener_, end_, poll_}) ::close(descriptor);
  }
  int port() const override { return port_; }

 private:
  void watch(int socket, std::uint32_t events, int how) {
    epoll_event event{};
    event.events = events;
    event.data.fd = socket;
    ::epoll_ctl(poll_, how, socket, &event);
  }

  void run() {
    ::pthread_setname_np(::pthread_self(), "class-server");
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kPriority);
    epoll_event events[64];
    Clock::time_point swept = Clock::now();
    for (;;) {
      const int count = ::epoll_wait(poll_, events, 64, 250);
      for (int i = 0; i < count; ++i) {
        const int socket = events[i].data.fd;
        if (socket == end_) return;
        if (socket == listener_)
          accept_some();
        else
          handle(socket, events[i].events);
      }
      if (Clock::now() - swept >= std::chrono::milliseconds(250)) sweep(swept = Clock::now());
    }
  }

  void sweep(Clock::time_point now) {
    std::vector<int> late;
    for (const auto& [socket, c] : connections_) {
      if (now > c.until) late.push_back(socket);
    }
    for (const int socket : late) close(socket);
  }

  // ---- connections

  void accept_some() {
    for (int i = 0; i < 64; ++i) {
      sockaddr_in from{};
      socklen_t size = sizeof from;
      const int socket =
          ::accept4(listener_, reinterpret_cast<sockaddr*>(&from), &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (socket < 0 && errno == EMFILE) close_oldest();
      if (socket < 0) return;
      if (connections_.size() >= bounds_.connections) close_oldest();
      char remote[INET_ADDRSTRLEN] = {};
      ::inet_ntop(AF_INET, &from.sin_addr, remote, sizeof remote);
      Connection& c = connections_[socket];
      c.remote = remote;
      ++held_[c.remote];
      c.since = Clock::now();
      c.until = c.since + seconds(bounds_.request);
      watch(socket, EPOLLIN | EPOLLONESHOT, EPOLL_CTL_ADD);
    }
  }

  // Closes the connection that has asked for nothing for the longest time, of the address that has the most
  // connections: it only holds a place.
  void close_oldest() {
    const auto oldest =
        std::min_element(connections_.begin(), connections_.end(), [&](const auto& a, const auto& b) {
          const int all_of_a = held_.at(a.second.remote), all_of_b = held_.at(b.second.remote);
          return all_of_a != all_of_b ? all_of_a > all_of_b : a.second.since < b.second.since;
        });
    if (oldest != connections_.end()) close(oldest->first);
  }

  // The answer that nobody has read for the longest time; false: there is none.
  bool close_unread() {
    const auto unread = [](const auto& one) {
      const auto& out = one.second.out;
      return std::any_of(out.begin(), out.end(), [](const Piece& piece) { return !piece.file; });
    };
    const auto oldest =
        std::min_element(connections_.begin(), connections_.end(), [&](const auto& a, const auto& b) {
          return unread(a) != unread(b) ? unread(a) : a.second.since < b.second.since;
        });
    if (oldest == connections_.end() || !unread(*oldest)) return false;
    close(oldest->first);
    return true;
  }

  void close(int socket) {
    const auto found = connections_.find(socket);
    if (found == connections_.end()) return;
    const Connection& c = found->second;
    for (const Piece& piece : c.out) unread_ -= piece.own.size();
    if (const auto held = held_.find(c.remote); --held->second == 0) held_.erase(held);
    connections_.erase(found);
    ::close(socket);
  }

  // What came behind the last request is taken in: closed over it, the connection would lose its answer.
  static void take_leave(int socket) {
    ::shutdown(socket, SHUT_WR);
    char bytes[4096];
    for (int i = 0; i < 16 && ::recv(socket, bytes, sizeof bytes, 0) > 0; ++i) {
    }
  }

  // A turn of one connection: a request at most, and a part of its answer. Then the next one has its own.
  void handle(int socket, std::uint32_t events) {
    const auto found = connections_.find(socket);
    if (found == connections_.end()) return;
    Connection& c = found->second;
    if (take_turn(socket, &c, events))
      watch(socket, (c.out.empty() && !c.more ? EPOLLIN : EPOLLOUT) | EPOLLONESHOT, EPOLL_CTL_MOD);
    else
      close(socket);
  }

  // false: the connection ends.
  bool take_turn(int socket, Connection* c, std::uint32_t events) {
    if (c->out.empty() && !c->more) {
      if ((events & EPOLLIN) == 0) return false;  // nothing to read any more: it is broken
      char bytes[4096];
      const ssize_t count = ::recv(socket, bytes, sizeof bytes, 0);
      if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return false;
      if (count > 0) {
        if (c->in.empty()) c->until = Clock::now() + seconds(bounds_.request);
        c->in.append(bytes, static_cast<std::size_t>(count));
      }
    }
    if (c->out.empty()) answer_one(c);
    if (!send(socket, c)) return false;
    if (!c->last || !c->out.empty()) return true;
    take_leave(socket);
    return false;
  }

  // One whole request, if there is one.
  void answer_one(Connection* c) {
    Reading in = read_request(c->in, &c->looked, bounds_);
    c->more = false;
    if (in.refused == 0 && in.length == 0) return;
    const Clock::time_point now = Clock::now();
    if (now - c->second > std::chrono::seconds(1)) c->second = now, c->asked = 0;
    if (in.refused == 0 && ++c->asked > bounds_.a_second) in.refused = 429;
    while (unread_ > bounds_.waiting && close_unread()) {
    }
    HttpAnswer answer{in.refused, {}, {}};
    if (in.refused == 0) {
      in.request.remote = c->remote;
      answer = handler_(in.request);
    }
    c->last = in.refused != 0 || in.last;
    c->in.erase(0, in.refused != 0 ? c->in.size() : in.length);
    c->looked = 0;
    c->more = !c->in.empty();
    c->since = now;
    c->until = now + seconds(c->in.empty() ? bounds_.rest : bounds_.request);
    put(std::move(answer), c);
  }

  void put(HttpAnswer answer, Connection* c) {
    const std::size_t size = answer.file ? answer.file->size() : answer.body.size();
    std::string text =
        "HTTP/1.1 " + std::to_string(answer.status) + (answer.status < 400 ? " OK" : " Refused");
    for (const auto& [name, value] : answer.headers) text += "\r\n" + name + ": " + value;
    if (!answer.type.empty()) text += "\r\nContent-Type: " + answer.type;
    if (c->last) text += "\r\nConnection: close";
    text += "\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n" + answer.body;
    unread_ += text.size();
    c->out.push_back({std::move(text), nullptr});
    if (answer.file) c->out.push_back({{}, std::move(answer.file)});
  }

  // false: the connection is broken.
  bool send(int socket, Connection* c) {
    for (std::size_t turn = 0; !c->out.empty() && turn < kTurn;) {
      Piece& piece = c->out.front();
      const std::size_t size = std::min(piece.text().size() - piece.sent, kTurn);
      const ssize_t count = ::send(socket, piece.text().data() + piece.sent, size, MSG_NOSIGNAL);
      if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
      if (count < 0) break;
      piece.sent += static_cast<std::size_t>(count), turn += static_cast<std::size_t>(count);
      if (count > 0) c->until = Clock::now() + seconds(bounds_.rest);
      if (piece.sent < piece.text().size()) continue;
      unread_ -= piece.own.size();
      c->out.pop_front();
    }
    return true;
  }

  HttpBounds bounds_;
  Handler handler_;
  int listener_, port_, poll_ = -1, end_ = -1;
  std::unordered_map<int, Connection> connections_;
  std::unordered_map<std::string, int> held_;  // connections of an address
  std::size_t unread_ = 0;                     // bytes of answers, files apart
  std::thread thread_;
};

int refuse(int socket, HttpTrouble* trouble) {
  trouble->words = std::strerror(errno);
  trouble->kind = errno == EADDRINUSE || errno == EACCES ? HttpTrouble::Kind::Taken
                  : errno == EADDRNOTAVAIL               ? HttpTrouble::Kind::NoAddress
                                                         : HttpTrouble::Kind::Failed;
  if (socket >= 0) ::close(socket);
  return -1;
}

bool fill_in(const std::string& address, int port, sockaddr_in* to) {
  to->sin_family = AF_INET;
  to->sin_port = htons(static_cast<std::uint16_t>(port));
  return ::inet_pton(AF_INET, address.c_str(), &to->sin_addr) == 1;
}

int listen_on(const std::string& address, int* port, HttpTrouble* trouble) {
  sockaddr_in to{};
  if (!fill_in(address, *port, &to)) return errno = EADDRNOTAVAIL, refuse(-1, trouble);
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  if (socket < 0) return refuse(socket, trouble);
  // Connections have these from it: what the system holds of one that reads nothing is bounded too.
  constexpr int kOut = 64 << 10, kIn = 8 << 10;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &kOut, sizeof kOut);
  ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &kIn, sizeof kIn);
  auto* where = reinterpret_cast<sockaddr*>(&to);
  socklen_t size = sizeof to;
  if (::bind(socket, where, size) != 0 || ::listen(socket, 1024) != 0 ||
      ::getsockname(socket, where, &size) != 0)
    return refuse(socket, trouble);
  *port = ntohs(to.sin_port);
  return socket;
}

}  // namespace

std::unique_ptr<HttpServer> HttpServer::open(const std::string& address, int port, Handler handler,
                                             HttpTrouble* trouble, const HttpBounds& bounds) {
  *trouble = {};
  const int listener = listen_on(address, &port, trouble);
  if (listener < 0) return nullptr;
  return std::make_unique<PollingServer>(listener, port, std::move(handler), bounds);
}

}  // namespace warplens::platform
