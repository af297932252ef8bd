// The server by its wire: what it sends, what it refuses, and that nobody holds it up.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>
#include <utility>

#include "app/vote/vote_server.h"
#include "tests/scenario/folder.h"

namespace warplens::vote::server_test {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Closed when it is let go.
class Socket {
 public:
  explicit Socket(int number) : number_(number) {}
  Socket(Socket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  ~Socket() { ::close(number_); }
  operator int() const { return number_; }

 private:
  int number_;
};

void say(int socket, const std::string& text) {
  (void)::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
}
// `from`: another address of this machine, as if somebody else came. `buffer`: so little is taken in unread.
Socket connect_to(int port, const std::string& says = {}, const char* from = nullptr, int buffer = 0) {
  Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in to{};
  if (buffer > 0) ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  if (from != nullptr) {
    sockaddr_in own{};
    own.sin_family = AF_INET;
    ::inet_pton(AF_INET, from, &own.sin_addr);
    EXPECT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&own), sizeof own), 0);
  }
  to.sin_family = AF_INET, to.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
  EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  say(socket, says);
  return socket;
}
// All that comes until the other side closes, or one whole answer.
std::string hear(int socket) {
  std::string text;
  pollfd waits{socket, POLLIN, 0};
  char bytes[65536];
  while (::poll(&waits, 1, 300'000) > 0) {  // a busy machine may be slow
    const ssize_t count = ::recv(socket, bytes, sizeof bytes, 0);
    if (count <= 0) break;
    text.append(bytes, static_cast<std::size_t>(count));
    const std::size_t head = text.find("\r\n\r\n"), length = text.find("Content-Length: ");
    if (head != std::string::npos && length < head &&
        text.size() >= head + 4 + std::strtoull(text.c_str() + length + 16, nullptr, 10))
      break;
  }
  return text;
}

// A server of one's own answers.
std::unique_ptr<platform::HttpServer> serve(
    std::function<platform::HttpAnswer(const platform::HttpRequest&)> answer,
    const platform::HttpBounds& bounds = {}) {
  platform::HttpTrouble trouble;
  auto server = platform::HttpServer::open("127.0.0.1", 0, std::move(answer), &trouble, bounds);
  EXPECT_TRUE(server);
  return server;
}

struct Hall {
  const scenario::Folder own;
  const std::filesystem::path folder = own.path() / "app";
  BallotBox box;
  Round round;
  std::unique_ptr<VoteServer> server;

  Hall() {
    own.write("app/index.html", "<p>app</p>");
    own.write("app/sub/big.wasm", std::string(3'000'000, 'w'));
    own.write("secret", "outside");
    round.id = "q7";
    round.question.text = {{"en", "How many sectors?"}};
    round.question.kind = Question::Kind::Number;
    platform::HttpTrouble trouble;
    server = VoteServer::open(
        {"127.0.0.1", 0, 1, own.read(WARPLENS_SOURCE_DIR "/assets/class/phone.html"), folder}, &box,
        &trouble);
    box.show(round);
  }
  std::string host() const { return "Host: 127.0.0.1:" + std::to_string(server->port()) + "\r\n"; }
  std::string raw(const std::string& request) { return hear(connect_to(server->port(), request)); }
  std::string get(const std::string& path, const std::string& more = {}) {
    return raw("GET " + path + " HTTP/1.1\r\n" + host() + more + "\r\n");
  }
  std::string post(const std::string& path, const std::string& body, const std::string& more = {}) {
    return raw("POST " + path + " HTTP/1.1\r\n" + host() + more +
               "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " +
               std::to_string(body.size()) + "\r\n\r\n" + body);
  }
  // The cookie of a phone that has joined.
  std::string join() {
    const std::string answer = post("/join", "code=" + box.code());
    const std::size_t at = answer.find("Set-Cookie: ");
    EXPECT_NE(at, std::string::npos) << answer;
    return "Cookie: " + answer.substr(at + 12, answer.find(';', at) - at - 12) + "\r\n";
  }
  std::string vote(const std::string& cookie, const std::string& answer) {
    return post("/vote", "ballot=" + round.ballot() + "&answer=" + answer, cookie);
  }
  void move_on(Move what) {
    ASSERT_TRUE(move(&round, what));
    box.show(round);
  }
};

// Two halls that differ in truth and in what the others voted, and one phone in each that does the same: what
// it is sent is the same to the byte, but for the numbers that are drawn by lot.
TEST(VoteServer, SendsTheSameWhateverTheTruthIsAndWhateverOthersSaid) {
  const auto heard = [](std::int64_t truth, const std::vector<std::string>& others) {
    Hall hall;
    hall.round.truth = truth;
    hall.box.show(hall.round);
    std::string all;
    const auto add = [&](const std::string& answer) {
      const bool page = answer.find("nonce-") != std::string::npos;
      all += page ? answer.substr(0, answer.find("Content-Length")) : answer;
    };
    const std::string a = hall.join();
    std::vector<std::string> cookies;
    for (std::size_t i = 0; i < others.size(); ++i) cookies.push_back(hall.join());
    for (const Move step : {Move::Undo, Move::Close, Move::Second}) {
      if (step != Move::Undo) hall.move_on(step);
      for (std::size_t i = 0; i < others.size(); ++i) hall.vote(cookies[i], others[i]);
      hall.round.counts() = hall.box.tally().counts;
      hall.box.show(hall.round);
      for (const char* path : {"/", "/state", "/app/", "/tally"}) add(hall.get(path, a));
      add(hall.vote(a, "5")), add(hall.vote(a, "none")), add(hall.post("/join", "code=1", a));
      add(hall.post("/vote", "ballot=q7-9&answer=5", a));
    }
    const std::string port = std::to_string(hall.server->port()), token = a.substr(17, 32);
    for (const std::string& lot : {port, token}) {
      for (std::size_t at = all.find(lot); at != std::string::npos; at = all.find(lot))
        all.erase(at, lot.size());
    }
    for (std::size_t at = all.find("nonce-"); at != std::string::npos; at = all.find("nonce-", at + 1))
      all.erase(at + 6, all.find('\'', at) - at - 6);
    return all;
  };
  const std::string one = heard(4, {"4", "4", "4"});
  EXPECT_GT(one.size(), 5000u);
  EXPECT_EQ(one, heard(31337, {"99", "31337", "-7"}));
  EXPECT_EQ(one, heard(4, {}));
}

TEST(VoteServer, SendsOnePageWithAStrictPolicy) {
  Hall hall;
  const std::string page = hall.get("/"), again = hall.get("/");
  EXPECT_LE(page.size(), 50'000u);
  EXPECT_THAT(page, HasSubstr("default-src 'none'; script-src 'nonce-"));
  EXPECT_THAT(page, Not(HasSubstr("NONCE")));
  EXPECT_THAT(page, Not(HasSubstr("unsafe-")));
  EXPECT_THAT(page, Not(HasSubstr("https://")));
  EXPECT_NE(page, again) << "a nonce is used once";
  const std::string joined = hall.post("/join", "code=" + hall.box.code());
  EXPECT_THAT(joined, HasSubstr("HttpOnly; SameSite=Strict"));
}

TEST(VoteServer, SendsTheFilesOfItsFolderAndNoOthers) {
  Hall hall;
  EXPECT_THAT(hall.get("/app/"), HasSubstr("<p>app</p>"));
  EXPECT_EQ(hall.get("/app/sub/big.wasm").find(std::string(3'000'000, 'w')) != std::string::npos, true);
  for (const char* path : {"/app/../secret", "/app/%2e%2e/secret", "/app/%2e%2e%2fsecret", "/app//etc/passwd",
                           "/app/..%5c..%5cetc/passwd", "/phone.html"}) {
    const std::string answer = hall.get(path);
    EXPECT_THAT(answer, testing::Not(StartsWith("HTTP/1.1 200"))) << path;
    EXPECT_THAT(answer, Not(HasSubstr("outside")));
  }
}

// Each ends with an answer or a closed connection, and the next phone is served.
TEST(VoteServer, OutlivesEveryBrokenRequest) {
  Hall hall;
  const std::string a = hall.join();
  const std::string long_text(100'000, 'a');
  const std::vector<std::string> broken = {
      "\r\n\r\n",
      "GET\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "GET /" + long_text + " HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nX: " + long_text + "\r\n\r\n",
      std::string("GET /\0 HTTP/1.1\r\n\r\n", 19),
      "\x16\x03\x01\x02\x01\x01",  // TLS
      "POST /vote HTTP/1.1\r\n" + hall.host() + a +
          "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 5\r\n\r\n--x--",
  };
  for (const std::string& request : broken) {
    const Socket socket = connect_to(hall.server->port(), request);
    ::shutdown(socket, SHUT_WR);
    EXPECT_THAT(hear(socket), Not(HasSubstr("HTTP/1.1 5"))) << request.substr(0, 60);
  }
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {  // whole requests with bytes changed
    std::string request =
        "POST /vote HTTP/1.1\r\n" + hall.host() + a +
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 22\r\n\r\nballot=q7-1&answer=123";
    for (int k = 0; k < 4; ++k) request[random() % request.size()] = static_cast<char>(random());
    const Socket socket = connect_to(hall.server->port(), request);
    ::shutdown(socket, SHUT_WR);
    hear(socket);
  }
  EXPECT_THAT(hall.vote(a, "16"), HasSubstr("\"mine\":16"));
}

TEST(VoteServer, IsNotHeldUpByWhoSaysNothing) {
  Hall hall;
  std::vector<Socket> slow;
  for (int i = 0; i < 300; ++i) {
    slow.push_back(connect_to(hall.server->port(), i % 2 == 0 ? "GET /sta" : ""));
  }
  const std::string a = hall.join();
  for (int i = 0; i < 20; ++i) EXPECT_THAT(hall.vote(a, std::to_string(i)), StartsWith("HTTP/1.1 200"));
  std::string rest;
  for (const Socket& socket : slow)
    rest += hear(socket);  // each is closed by the server, which waits for none for ever
  EXPECT_EQ(rest, "");
}

TEST(VoteServer, AnswersRequestsThatComeInPartsAndTogether) {
  Hall hall;
  const std::string a = hall.join(), one = "GET /state HTTP/1.1\r\n" + hall.host() + a + "\r\n";
  const Socket socket = connect_to(hall.server->port());
  for (const char c : one) say(socket, std::string(1, c));
  EXPECT_THAT(hear(socket), StartsWith("HTTP/1.1 200"));
  say(socket, one + one);
  EXPECT_THAT(hear(socket), StartsWith("HTTP/1.1 200"));
  std::string many;
  for (int i = 0; i < 60; ++i) many += one;
  say(socket, many);
  std::string all;
  for (std::string more = hear(socket); !more.empty(); more = hear(socket)) all += more;
  EXPECT_THAT(all, HasSubstr("429")) << "one connection asks so often and no more";
}

// What is no number of the question, in any notation, is no vote.
TEST(VoteServer, CountsWholeNumbersAlone) {
  Hall hall;
  const std::string a = hall.join();
  EXPECT_THAT(hall.vote(a, "7"), StartsWith("HTTP/1.1 200"));
  for (const char* text : {"",
                           "+4",
                           "%2B4",
                           "4.0",
                           "4e1",
                           "0x10",
                           "%204",
                           "4%20",
                           "4%0A",
                           "4%00",
                           "--4",
                           "-",
                           "\xef\xbc\x94",
                           "%EF%BC%94",
                           "%D9%A4",
                           "four",
                           "4,5",
                           "4;5",
                           "9223372036854775808",
                           "-9223372036854775809",
                           "NaN",
                           "null",
                           "[4]"})
    EXPECT_THAT(hall.vote(a, text), StartsWith("HTTP/1.1 400")) << text;
  for (const char* text : {"1000000000", "-1000000000", "9223372036854775807", "-9223372036854775808"})
    EXPECT_THAT(hall.vote(a, text), StartsWith("HTTP/1.1 409")) << text;
  EXPECT_EQ(hall.box.tally().counts, (Counts{{7, 1}}));
  EXPECT_THAT(hall.vote(a, "-3"), StartsWith("HTTP/1.1 409")) << "no request takes less than no sectors";
  hall.round.question.least = -9, hall.round.question.most = 512;
  hall.box.show(hall.round);
  EXPECT_THAT(hall.vote(a, "-3"), StartsWith("HTTP/1.1 200")) << "a difference may be asked for";
  for (const char* text : {"-10", "513", "999999999"})
    EXPECT_THAT(hall.vote(a, text), StartsWith("HTTP/1.1 409")) << text;
}

TEST(VoteServer, BelievesNoCookieThatItDidNotGive) {
  Hall hall;
  const std::string a = hall.join(), token = a.substr(17, 32);
  ASSERT_EQ(token.size(), 32u);
  for (const std::string& forged :
       {"warplens=" + token.substr(0, 31), "warplens=" + token + "0", std::string("warplens="),
        "Warplens=" + token, "xwarplens=" + token, "warplens=" + token.substr(1) + "; x=" + token,
        "warplens=\"" + token + "\"", "warplens=../" + token, std::string("warplens=*")})
    EXPECT_THAT(hall.vote("Cookie: " + forged + "\r\n", "4"), StartsWith("HTTP/1.1 403")) << forged;
  EXPECT_THAT(hall.get("/state"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(hall.post("/join", "code=12345"), StartsWith("HTTP/1.1 403"));
  EXPECT_TRUE(hall.box.tally().counts.empty());
  EXPECT_THAT(hall.vote("Cookie: other=1; warplens=" + token + "; more=2\r\n", "4"),
              StartsWith("HTTP/1.1 200"));
  // Who joins again with a cookie stays the device that it is.
  EXPECT_THAT(hall.post("/join", "code=" + hall.box.code(), a), Not(HasSubstr("Set-Cookie")));
  EXPECT_EQ(hall.box.tally().joined, 1);
}

TEST(VoteServer, HearsNoOtherSite) {
  Hall hall;
  const std::string a = hall.join(), body = "ballot=q7-1&answer=1";
  for (const char* origin : {"null", "http://127.0.0.1", "https://127.0.0.1", "http://127.0.0.1:1",
                             "http://localhost", "http://evil.example"})
    EXPECT_THAT(hall.post("/vote", body, a + "Origin: " + origin + "\r\n"), StartsWith("HTTP/1.1 421"))
        << origin;
  EXPECT_THAT(hall.raw("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"), StartsWith("HTTP/1.1 421"));
  EXPECT_THAT(hall.raw("GET /state HTTP/1.1\r\n" + a + "\r\n"), StartsWith("HTTP/1.1 421"));
  const std::string own = "http://127.0.0.1:" + std::to_string(hall.server->port());
  EXPECT_THAT(hall.post("/vote", body, a + "Origin: " + own + "\r\n"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(hall.get("/vote?" + body, a), StartsWith("HTTP/1.1 404"))
      << "an address that is opened votes for nobody";
  EXPECT_THAT(hall.get("/state", a), Not(HasSubstr("Access-Control-Allow"))) << "no other page may read it";
}

// One request behind another that says it is longer or shorter than it is, by every rule that servers
// disagree on: each byte belongs to one request, and what is not clear ends the connection.
TEST(VoteServer, TakesNoRequestForAPartOfAnother) {
  Hall hall;
  const std::string a = hall.join(), vote = "ballot=q7-1&answer=666";
  const std::string hidden =
      "POST /vote HTTP/1.1\r\n" + hall.host() +
      "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + std::to_string(vote.size()) +
      "\r\n\r\n" + vote;
  for (const char* length :
       {"Content-Length: 0\r\nContent-Length: 200\r\n",
        "Content-Length: 200\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding : chunked\r\n",
        "Transfer-Encoding:\tchunked\r\n", "Content-Length : 200\r\n", "X: y\nContent-Length: 200\r\n",
        "X: y\rContent-Length: 200\r\n", "Content-Length: 0x64\r\n", "Content-Length:\r\n 200\r\n",
        "Content-Length: 200, 0\r\n"}) {
    const std::string outer = "GET /state HTTP/1.1\r\n" + hall.host() + a + length + "\r\n";
    const Socket socket = connect_to(hall.server->port(), outer + hidden);
    ::shutdown(socket, SHUT_WR);
    std::string all;
    for (std::string more = hear(socket); !more.empty(); more = hear(socket)) all += more;
    EXPECT_THAT(all, Not(HasSubstr("\"mine\"")))
        << length << "the inner request has no cookie, and gets none";
  }
  EXPECT_TRUE(hall.box.tally().counts.empty());
}

// What changes the meaning of bytes, or lets two readers see different lines, is refused in the head, and
// whoever would answer is not asked.
TEST(VoteServer, RefusesInTheHeadWhatNoPhoneSends) {
  int asked = 0;
  const auto server = serve([&](const platform::HttpRequest&) {
    ++asked;
    return platform::HttpAnswer{};
  });
  const auto answer = [&](const std::string& head, const std::string& body = {}) {
    const Socket socket = connect_to(server->port(), head + "\r\n" + body);
    const std::string text = hear(socket);
    return text.substr(0, 12);
  };
  const std::string get = "GET / HTTP/1.1\r\nHost: x\r\n", post = "POST / HTTP/1.1\r\nHost: x\r\n";
  for (const char* encoding : {"br", "gzip", "deflate", "zstd", "identity", ""})
    EXPECT_EQ(answer(post + "Content-Length: 3\r\ncontent-ENCODING: " + encoding + "\r\n", "a=1"),
              "HTTP/1.1 415");
  EXPECT_EQ(answer(get + "Content-Encoding: br\r\n"), "HTTP/1.1 415") << "also without a body";
  for (const char* field : {"Range: bytes=0-", "range: bytes=0-,0-,0-", "If-Range: x"})
    EXPECT_EQ(answer(get + field + "\r\n"), "HTTP/1.1 416") << field;
  EXPECT_EQ(answer(get + "Expect: 100-continue\r\n"), "HTTP/1.1 417");
  for (const char* coding : {"chunked", "identity", "gzip, chunked"})
    EXPECT_EQ(answer(post + "Transfer-Encoding: " + coding + "\r\n"), "HTTP/1.1 411") << coding;
  EXPECT_EQ(answer(post), "HTTP/1.1 411") << "nobody knows where it ends";
  for (const char* length : {"4", "257", "999999999999999999999"})
    EXPECT_EQ(answer(post + "Content-Length: 4\r\nContent-Length: " + length + "\r\n", "a=11"),
              "HTTP/1.1 400")
        << "twice is once too often, also where both say the same";
  EXPECT_EQ(answer(post + "Content-Length: 257\r\n"), "HTTP/1.1 413");
  for (const char* length : {"", "+4", "-4", "4 4", "4,4", "0x4", "4.0"})
    EXPECT_EQ(answer(post + "Content-Length: " + length + "\r\n", "a=11"), "HTTP/1.1 400") << length;
  EXPECT_EQ(answer(get + "Content-Length: 4\r\n", "a=11"), "HTTP/1.1 400");
  for (const char* line : {"X: a\nRange: bytes=0-\r\n", "X: a\r\n folded\r\n", " X: a\r\n", "\tX: a\r\n",
                           "X: a\rRange: bytes=0-\r\n", "X : a\r\n", ": a\r\n", "no colon\r\n",
                           "X\xc3\xa4: a\r\n", "X: a\x01\r\n", "X: a\x7f\r\n", "Host: y\r\n",
                           "Cookie: a=1\r\nCookie: a=2\r\n", "Origin: http://x\r\nOrigin: http://y\r\n"})
    EXPECT_EQ(answer(get + line), "HTTP/1.1 400") << line;
  EXPECT_EQ(answer(get + std::string("X: \0\r\n", 6)), "HTTP/1.1 400");
  for (const char* first :
       {"GET  / HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1", "GET /", "GET / HTTP/1.2", "GET / HTTP/2",
        "GET / http/1.1", "GET http://x/ HTTP/1.1", "GET * HTTP/1.1", "GET /% HTTP/1.1", "GET /%g1 HTTP/1.1",
        "GET /%-1 HTTP/1.1", "GET /\xff HTTP/1.1"})
    EXPECT_EQ(answer(std::string(first) + "\r\nHost: x\r\n"), "HTTP/1.1 400") << first;
  for (const char* method : {"HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "PRI"})
    EXPECT_EQ(answer(std::string(method) + " / HTTP/1.1\r\nHost: x\r\n"), "HTTP/1.1 405") << method;
  const std::string form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n";
  for (const char* body : {"a=1&a=2", "a=%&b=1", "a=%4&b=", "%ff=%zz"})
    EXPECT_EQ(answer(post + form, body), "HTTP/1.1 400") << body;
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(answer(get + "X: tabs\tand \xc3\xa4\r\nAccept-Encoding: br, gzip\r\n"), "HTTP/1.1 200");
  EXPECT_EQ(answer(post + form, "a=%41&b"), "HTTP/1.1 200");
  EXPECT_EQ(asked, 2);
}

// Connections take turns, a request each: who asks on many of them at once keeps nobody waiting for long. Nor
// do frames wait for any of them.
TEST(VoteServer, AnswersOneRequestOfEachConnectionInTurn) {
  constexpr int kGreedy = 20, kEach = 39;
  int answered = 0, before = 0, most = 0, asked = 0,
      niceness = 0;  // of the server's thread until it has ended
  auto server = serve([&](const platform::HttpRequest& request) {
    niceness = ::getpriority(PRIO_PROCESS, 0);
    if (request.path == "/greedy") {
      ++answered;
    } else {
      ++asked;
      most = std::max(most, answered - before);
      before = answered;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(request.path == "/first" ? 300 : 0));
    return platform::HttpAnswer{};
  });
  const auto requests = [](const std::string& path, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    return text;
  };
  const Socket first = connect_to(server->port(), requests("/first", 1));  // the others come meanwhile
  std::vector<Socket> greedy;
  for (int i = 0; i < kGreedy; ++i) greedy.push_back(connect_to(server->port(), requests("/greedy", kEach)));
  const Socket phone = connect_to(server->port(), requests("/", 10));
  std::size_t heard = 0;
  for (std::string more = hear(phone); !more.empty(); more = heard < 10 ? hear(phone) : "")
    for (std::size_t at = more.find("HTTP/1.1 200"); at != std::string::npos;
         at = more.find("HTTP/1.1 200", at + 1))
      ++heard;
  server.reset();
  EXPECT_EQ(asked, 11);
  EXPECT_LE(most, 3 * kGreedy);
  EXPECT_GT(niceness, ::getpriority(PRIO_PROCESS, 0));
}

// A byte now and then does not hold a connection: a request has its seconds, from its first byte to its last.
TEST(VoteServer, EndsARequestThatNeverEnds) {
  platform::HttpBounds bounds;
  bounds.request = 0.5, bounds.connections = 8;
  const auto server = serve([](const platform::HttpRequest&) { return platform::HttpAnswer{}; }, bounds);
  const Socket drips = connect_to(server->port(), "GET / HTTP/1.1\r\n");
  bool ended = false;
  for (int i = 0; i < 3000 && !ended; ++i) {  // minutes, of which half a second is allowed
    say(drips, "X: y\r\n");
    pollfd waits{drips, POLLIN, 0};
    char byte = 0;
    ended = ::poll(&waits, 1, 100) > 0 && ::recv(drips, &byte, 1, 0) <= 0;
  }
  EXPECT_TRUE(ended);
  // More of them than there may be connections: the one that is idle for the longest time gives way to each
  // that comes.
  std::vector<Socket> held;
  for (int i = 0; i < 40; ++i) held.push_back(connect_to(server->port(), "GET /"));
  const Socket phone = connect_to(server->port(), "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(hear(phone), StartsWith("HTTP/1.1 200"));
}

// Who asks and never reads holds an answer each. They are let go of one after another; a phone is answered.
TEST(VoteServer, IsNotHeldUpByWhoReadsNothing) {
  platform::HttpBounds bounds;
  bounds.waiting = 1'000'000;
  const std::string large(200'000, 'x');
  const auto server = serve(
      [&](const platform::HttpRequest& request) {
        return platform::HttpAnswer{200, "text/plain", request.path == "/large" ? large : "small"};
      },
      bounds);
  std::string many;
  for (int i = 0; i < 39; ++i) many += "GET /large HTTP/1.1\r\nHost: x\r\n\r\n";
  std::vector<Socket> held;
  for (int i = 0; i < 30; ++i) {
    held.push_back(connect_to(server->port(), many, "127.0.0.2", 4096));
  }
  for (int i = 0; i < 20; ++i) {
    const Socket phone = connect_to(server->port(), "GET /small HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_THAT(hear(phone), StartsWith("HTTP/1.1 200"));
  }
}

// One address that opens connection after connection takes its own away, and no phone's.
TEST(VoteServer, LetsGoOfThoseOfWhoHasTheMost) {
  platform::HttpBounds bounds;
  bounds.connections = 8;
  const auto server = serve([](const platform::HttpRequest&) { return platform::HttpAnswer{}; }, bounds);
  const std::string one = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  const Socket phone = connect_to(server->port(), one);
  EXPECT_THAT(hear(phone), StartsWith("HTTP/1.1 200"));
  std::vector<Socket> held;
  for (int i = 0; i < 40; ++i) {
    held.push_back(connect_to(server->port(), i % 2 == 0 ? "GET /" : one, "127.0.0.2"));
  }
  say(phone, one);
  EXPECT_THAT(hear(phone), StartsWith("HTTP/1.1 200")) << "the connection that it has had all the time";
}

TEST(VoteServer, TriesThePortsBesideOneThatIsTaken) {
  Hall hall;
  platform::HttpTrouble trouble;
  const auto other = VoteServer::open({"127.0.0.1", hall.server->port(), 10, {}, {}}, &hall.box, &trouble);
  ASSERT_TRUE(other);
  EXPECT_GT(other->port(), hall.server->port());
}

TEST(VoteServer, SaysThatThePortIsTaken) {
  Hall hall;
  platform::HttpTrouble trouble;
  EXPECT_EQ(VoteServer::open({"127.0.0.1", hall.server->port(), 1, {}, {}}, &hall.box, &trouble), nullptr);
  EXPECT_EQ(trouble.kind, platform::HttpTrouble::Kind::Taken);
  EXPECT_EQ(VoteServer::open({"203.0.113.7", 0, 1, {}, {}}, &hall.box, &trouble), nullptr);
  EXPECT_EQ(trouble.kind, platform::HttpTrouble::Kind::NoAddress);
}

}  // namespace warplens::vote::server_test
