// httplib reads requests and writes answers; whom it reads from and writes to is decided here. A request
// comes to it whole, from memory, and its answer goes to memory: httplib's own threads, one a connection,
// could all be held by slow phones.
#include "app/platform/http.h"

#ifdef WARPLENS_HTTP
#include <arpa/inet.h>
#include <fcntl.h>
#include <httplib.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <thread>
#include <unordered_map>

namespace warplens::platform {
namespace {

using Clock = std::chrono::steady_clock;

// What is to be sent: a text of one's own, or a part of a file that all share.
struct Piece {
  std::string own;
  std::shared_ptr<const std::string> file;
  std::size_t begin = 0, end = 0;
  const char* data() const { return (file ? file->data() : own.data()) + begin; }
};

// A whole request, and where its answer goes.
class Exchange : public httplib::Stream {
 public:
  Exchange(std::string_view request, std::string remote) : request_(request), remote_(std::move(remote)) {}

  bool is_readable() const override { return at_ < request_.size(); }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, size_t size) override {
    const std::size_t count = std::min(size, request_.size() - at_);
    std::memcpy(to, request_.data() + at_, count);
    at_ += count;
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* from, size_t size) override {
    const bool shared = file && from >= file->data() && from + size <= file->data() + file->size();
    if (shared) {
      const auto begin = static_cast<std::size_t>(from - file->data());
      answer.push_back({{}, file, begin, begin + size});
    } else {
      if (answer.empty() || answer.back().file) answer.emplace_back();
      answer.back().own.append(from, size);
      answer.back().end = answer.back().own.size();
    }
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override { ip = remote_, port = 0; }
  void get_local_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  socket_t socket() const override { return -1; }

  std::deque<Piece> answer;
  std::shared_ptr<const std::string> file;  // of the answer that is being written

 private:
  std::string_view request_;
  std::size_t at_ = 0;
  std::string remote_;
};

// Requests to answers, as httplib understands HTTP.
class Reader : public httplib::Server {
 public:
  Reader(HttpServer::Handler handler, const HttpBounds& bounds) : handler_(std::move(handler)) {
    const auto answer = [this](const httplib::Request& in, httplib::Response& out) { respond(in, out); };
    svr_sock_ = 0;  // it sends no file while it takes itself for stopped
    Get(".*", answer);
    Post(".*", answer);
    set_payload_max_length(bounds.body);
    set_keep_alive_max_count(10'000);
    set_keep_alive_timeout(static_cast<time_t>(bounds.rest));
  }

  // false: the connection ends with it.
  bool serve(Exchange* exchange) {
    exchange_ = exchange;
    bool closed = false;
    const bool done = process_request(*exchange, false, closed, [](httplib::Request& request) {
      request.headers.erase(
          "Accept-Encoding");  // what is sent is small, and packing it anew each time is not
    });
    return done && !closed;
  }

 private:
  void respond(const httplib::Request& in, httplib::Response& out) {
    HttpRequest request{in.method,
                        in.path,
                        in.get_header_value("Cookie"),
                        in.get_header_value("Origin"),
                        in.get_header_value("Host"),
                        in.remote_addr,
                        {}};
    if (in.method == "POST") {
      for (const auto& [name, value] : in.params) request.fields.emplace(name, value);
    }
    HttpAnswer answer = handler_(request);
    out.status = answer.status;
    for (const auto& [name, value] : answer.headers) out.set_header(name, value);
    if (!answer.file) return out.set_content(std::move(answer.body), answer.type);
    exchange_->file = answer.file;
    out.set_content_provider(answer.file->size(), answer.type,
                             [file = answer.file](size_t from, size_t count, httplib::DataSink& sink) {
                               return sink.write(file->data() + from, count);
                             });
  }

  HttpServer::Handler handler_;
  Exchange* exchange_ = nullptr;
};

struct Connection {
  std::string remote, in;
  std::deque<Piece> out;
  Clock::time_point since, until;  // the last request was whole; what it does now has to be done
  Clock::time_point second;        // the present second began, in which it asked
  int asked = 0;
  int* beside = nullptr;  // connections of its address
  bool last = false;      // closed once `out` is sent
};

// How long the first request in `text` is; 0: it is not all there. A status other than 0: it is refused.
std::size_t length_of_request(std::string_view text, const HttpBounds& bounds, int* refused) {
  const std::size_t line = text.find("\r\n");
  if (std::min(line, text.size()) > bounds.target) return *refused = 414, 0;
  const std::size_t end = text.find("\r\n\r\n");
  if (std::min(end, text.size()) > bounds.head) return *refused = 431, 0;
  if (end == std::string_view::npos) return 0;
  std::string head(text.substr(0, end));
  std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) { return std::tolower(c); });
  if (head.find("\r\ntransfer-encoding:") != std::string::npos) return *refused = 411, 0;
  // Parts of what is asked for are of no use to a phone, and a long list of them is of use to nobody.
  if (head.find("\r\nrange:") != std::string::npos || head.find("\r\nexpect:") != std::string::npos)
    return *refused = 400, 0;
  std::size_t body = 0;
  constexpr std::string_view kLength = "\r\ncontent-length:";
  if (const std::size_t at = head.find(kLength); at != std::string::npos) {
    body = static_cast<std::size_t>(std::strtoull(head.c_str() + at + kLength.size(), nullptr, 10));
    if (body > bounds.body || head.find(kLength, at + 1) != std::string::npos) return *refused = 413, 0;
  }
  return text.size() >= end + 4 + body ? end + 4 + body : 0;
}

class PollingServer : public HttpServer {
 public:
  PollingServer(int listener, int port, Handler handler, const HttpBounds& bounds)
      : bounds_(bounds), reader_(std::move(handler), bounds), listener_(listener), port_(port) {
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
    epoll_event events[64];
    Clock::time_point swept = Clock::now();
    for (;;) {
      const int count = ::epoll_wait(poll_, events, 64, 250);
      for (int i = 0; i < count; ++i) {
        const int socket = events[i].data.fd;
        if (socket == end_) return;
        if (socket == listener_)
          accept_all();
        else if (const auto found = connections_.find(socket); found != connections_.end())
          handle(found->first, &found->second, events[i].events);
      }
      if (Clock::now() - swept < std::chrono::milliseconds(250)) continue;
      swept = Clock::now();
      std::vector<int> late;
      for (const auto& [socket, connection] : connections_) {
        if (swept > connection.until) late.push_back(socket);
      }
      for (const int socket : late) close(socket);
    }
  }

  void accept_all() {
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
      const int on = 1;
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      Connection connection;
      connection.remote = remote;
      connection.beside = &of_address_[remote];
      ++*connection.beside;
      connection.since = Clock::now();
      connection.until = in(bounds_.request);
      connections_.emplace(socket, std::move(connection));
      watch(socket, EPOLLIN, EPOLL_CTL_ADD);
    }
  }

  static Clock::time_point in(double seconds) {
    return Clock::now() + std::chrono::milliseconds(static_cast<int>(1000 * seconds));
  }

  // Of the address that has the most, the one that has asked for nothing for the longest time: that is who
  // only holds on.
  void close_oldest() {
    const auto oldest =
        std::min_element(connections_.begin(), connections_.end(), [](const auto& a, const auto& b) {
          const int all_of_a = *a.second.beside, all_of_b = *b.second.beside;
          return all_of_a != all_of_b ? all_of_a > all_of_b : a.second.since < b.second.since;
        });
    if (oldest != connections_.end()) close(oldest->first);
  }

  // The answer that nobody has read for the longest time; false: there is none.
  bool close_unread() {
    const auto unread = [](const auto& one) { return !one.second.out.empty() && !one.second.out[0].file; };
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
    for (const Piece& piece : found->second.out) waiting_ -= piece.file ? 0 : piece.own.size();
    if (--*found->second.beside == 0) of_address_.erase(found->second.remote);
    connections_.erase(found);
    ::close(socket);
  }

  // What came behind the last request is taken in: closed over it, the connection would lose its answer.
  void take_leave(int socket) {
    ::shutdown(socket, SHUT_WR);
    char bytes[4096];
    for (int i = 0; i < 16 && ::recv(socket, bytes, sizeof bytes, 0) > 0; ++i) {
    }
    close(socket);
  }

  void handle(int socket, Connection* c, std::uint32_t events) {
    if ((events & EPOLLIN) != 0 && c->out.empty()) {
      char bytes[4096];
      const ssize_t count = ::recv(socket, bytes, sizeof bytes, 0);
      if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return close(socket);
      if (count > 0) {
        if (c->in.empty()) c->until = in(bounds_.request);
        c->in.append(bytes, static_cast<std::size_t>(count));
      }
    } else if ((events & (EPOLLERR | EPOLLHUP)) != 0) {
      return close(socket);
    }
    while (c->out.empty() && !c->last && answer_one(c)) {
      if (!send(socket, c)) return close(socket);
    }
    if (!send(socket, c)) return close(socket);
    if (c->last && c->out.empty()) return take_leave(socket);
    watch(socket, c->out.empty() ? EPOLLIN : EPOLLOUT, EPOLL_CTL_MOD);
  }

  // One whole request, if there is one.
  bool answer_one(Connection* c) {
    int refused = 0;
    const std::size_t length = length_of_request(c->in, bounds_, &refused);
    if (refused == 0 && length == 0) return false;
    const Clock::time_point now = Clock::now();
    if (now - c->second > std::chrono::seconds(1)) c->second = now, c->asked = 0;
    if (refused == 0 && ++c->asked > bounds_.a_second) refused = 429;
    while (waiting_ > bounds_.waiting && close_unread()) {
    }
    if (refused != 0) {
      const std::string text = "HTTP/1.1 " + std::to_string(refused) +
                               " refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
      c->out.push_back({text, nullptr, 0, text.size()});
      c->last = true;
    } else {
      Exchange exchange(std::string_view(c->in).substr(0, length), c->remote);
      c->last = !reader_.serve(&exchange);
      c->out = std::move(exchange.answer);
    }
    for (const Piece& piece : c->out) waiting_ += piece.file ? 0 : piece.own.size();
    c->in.erase(0, refused != 0 ? c->in.size() : length);
    c->since = now;
    c->until = in(c->in.empty() ? bounds_.rest : bounds_.request);
    return true;
  }

  // false: the connection is broken.
  bool send(int socket, Connection* c) {
    while (!c->out.empty()) {
      Piece& piece = c->out.front();
      const ssize_t count = ::send(socket, piece.data(), piece.end - piece.begin, MSG_NOSIGNAL);
      if (count < 0) return errno == EAGAIN || errno == EINTR;
      piece.begin += static_cast<std::size_t>(count);
      if (count > 0) c->until = in(bounds_.rest);
      if (piece.begin < piece.end) continue;
      waiting_ -= piece.file ? 0 : piece.own.size();
      c->out.pop_front();
    }
    return true;
  }

  HttpBounds bounds_;
  Reader reader_;
  int listener_, port_, poll_ = -1, end_ = -1;
  std::unordered_map<int, Connection> connections_;
  std::unordered_map<std::string, int> of_address_;  // how many connections each has
  std::size_t waiting_ = 0;
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
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
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

bool answers_http(const std::string& address, int port, double seconds, std::string* words) {
  httplib::Client client(address, port);
  client.set_connection_timeout(std::chrono::milliseconds(static_cast<int>(1000 * seconds)));
  client.set_read_timeout(std::chrono::milliseconds(static_cast<int>(1000 * seconds)));
  const auto answer = client.Get("/");
  if (!answer) *words = httplib::to_string(answer.error());
  return static_cast<bool>(answer);
}

}  // namespace warplens::platform
#else
namespace warplens::platform {

std::unique_ptr<HttpServer> HttpServer::open(const std::string& /*address*/, int /*port*/,
                                             Handler /*handler*/, HttpTrouble* trouble,
                                             const HttpBounds& /*bounds*/) {
  *trouble = {HttpTrouble::Kind::NotBuilt, {}};
  return nullptr;
}
bool answers_http(const std::string& /*address*/, int /*port*/, double /*seconds*/, std::string* /*words*/) {
  return false;
}

}  // namespace warplens::platform
#endif
