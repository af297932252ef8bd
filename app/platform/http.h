// A small server of HTTP on one address: everything on one thread, which waits for all of its connections at
// once, so that who sends slowly, wrongly or not at all costs a buffer and never a thread. It gives way to
// the program's other threads.
//
//   HttpTrouble trouble;
//   auto server = HttpServer::open("192.168.1.23", 8090, [](const HttpRequest& request) { ... }, &trouble);
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warplens::platform {

struct HttpRequest {
  std::string method, path, cookie, origin, host;
  std::string remote;                         // the other side's address
  std::map<std::string, std::string> fields;  // of a form's body
};

struct HttpAnswer {
  int status = 200;
  std::string type = "application/json; charset=utf-8", body;
  std::vector<std::pair<std::string, std::string>> headers{};
  std::shared_ptr<const std::string>
      file{};  // in place of the body: shared by all who ask for it, never copied
};

struct HttpTrouble {
  enum class Kind { None, Taken, NoAddress, Failed };
  Kind kind = Kind::None;
  std::string words;  // the system's own
};

// What one connection, and all of them, may ask for.
struct HttpBounds {
  std::size_t head = 4096, target = 512, body = 256;  // bytes of a request
  double request = 5, rest = 20;                      // seconds to send one, and between two
  int a_second = 40;                                  // requests of one connection
  std::size_t connections = 1500;
  std::size_t waiting = std::size_t{4} << 20;  // bytes of answers that nobody has read yet
};

class HttpServer {
 public:
  // Called on the server's thread, one request after another.
  using Handler = std::function<HttpAnswer(const HttpRequest&)>;
  // `port` 0: any that is free.
  static std::unique_ptr<HttpServer> open(const std::string& address, int port, Handler handler,
                                          HttpTrouble* trouble, const HttpBounds& bounds = {});
  virtual ~HttpServer() = default;  // ends the thread and closes every connection
  virtual int port() const = 0;
};

}  // namespace warplens::platform
