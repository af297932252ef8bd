#include "app/vote/vote_server.h"

#include <random>

#include "sim/base/numbers.h"
#include "sim/text/read_file.h"

#ifdef WARPLENS_QR
#include <qrencode.h>
#endif

namespace warplens::vote {
namespace {

namespace fs = std::filesystem;
using platform::HttpAnswer, platform::HttpRequest;

constexpr std::size_t kMostFile = std::size_t{64} << 20, kMostFiles = 500;
constexpr const char* kCookie = "warplens";
// The browser edition's: its own files alone, and the simulator as WebAssembly.
constexpr const char* kAppPolicy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

HttpAnswer secured(HttpAnswer answer) {
  answer.headers.emplace_back("X-Content-Type-Options", "nosniff");
  answer.headers.emplace_back("Referrer-Policy", "no-referrer");
  if (answer.type.find("json") != std::string::npos) answer.headers.emplace_back("Cache-Control", "no-store");
  return answer;
}

HttpAnswer refusal(int status, const char* phase) {
  return {status, "application/json; charset=utf-8", std::string(R"({"phase":")") + phase + "\"}"};
}

std::string token_in(const std::string& cookies) {
  const std::string name = std::string(kCookie) + "=";
  for (std::size_t at = cookies.find(name); at != std::string::npos; at = cookies.find(name, at + 1)) {
    if (at == 0 || cookies[at - 1] == ' ' || cookies[at - 1] == ';')
      return cookies.substr(at + name.size(), cookies.find(';', at) - at - name.size());
  }
  return {};
}

std::string field(const HttpRequest& request, const char* name) {
  const auto found = request.fields.find(name);
  return found == request.fields.end() ? std::string() : found->second;
}

std::string type_of(const fs::path& file) {
  static const std::map<std::string, std::string> kTypes = {{".html", "text/html; charset=utf-8"},
                                                            {".js", "text/javascript"},
                                                            {".css", "text/css"},
                                                            {".wasm", "application/wasm"},
                                                            {".json", "application/json"},
                                                            {".png", "image/png"},
                                                            {".svg", "image/svg+xml"},
                                                            {".woff2", "font/woff2"}};
  const auto found = kTypes.find(file.extension().string());
  return found == kTypes.end() ? "application/octet-stream" : found->second;
}

}  // namespace

VoteServer::VoteServer(const ServerPlace& place, BallotBox* box)
    : box_(box), address_(place.address), page_(place.page) {
  std::error_code failed;
  if (place.folder.empty()) return;
  for (fs::recursive_directory_iterator at(place.folder, failed), end;
       !failed && at != end && files_.size() < kMostFiles; at.increment(failed)) {
    if (at->is_regular_file(failed))
      files_["/app/" + at->path().lexically_relative(place.folder).generic_string()].at = at->path();
  }
}

std::unique_ptr<VoteServer> VoteServer::open(const ServerPlace& place, BallotBox* box,
                                             platform::HttpTrouble* trouble) {
  std::unique_ptr<VoteServer> server(new VoteServer(place, box));
  VoteServer* self = server.get();
  const auto handler = [self](const HttpRequest& request) { return secured(self->answer(request)); };
  for (int i = 0; i < place.ports && !server->http_; ++i) {
    server->http_ = platform::HttpServer::open(place.address, place.port + i, handler, trouble, place.bounds);
    if (trouble->kind != platform::HttpTrouble::Kind::Taken) break;
  }
  return server->http_ ? std::move(server) : nullptr;
}

// Asked by this address: another site's page that names it (its name led here) is not spoken to.
bool VoteServer::is_own(const HttpRequest& request) const {
  const std::string host = request.host.substr(0, request.host.find(':'));
  const bool named = host == address_ || (address_ == "127.0.0.1" && host == "localhost");
  return named && (request.origin.empty() || request.origin == "http://" + request.host);
}

HttpAnswer VoteServer::answer(const HttpRequest& request) {
  if (!is_own(request)) return refusal(421, "elsewhere");
  if (request.method == "POST") {
    if (request.path == "/join") return join(request);
    if (request.path == "/vote") return vote(request);
    return refusal(404, "none");
  }
  if (request.path == "/") return page();
  if (request.path == "/state") {
    const auto told = box_->ask(token_in(request.cookie), BallotBox::Clock::now());
    return told ? HttpAnswer{200, "application/json; charset=utf-8", *told} : refusal(403, "code");
  }
  return file(request.path);
}

// Its script and style run by a number that is new each time.
HttpAnswer VoteServer::page() {
  static std::random_device random;
  std::string nonce = std::to_string(random()) + std::to_string(random()), text = page_;
  constexpr std::string_view kMark = "NONCE";
  for (std::size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at + nonce.size()))
    text.replace(at, kMark.size(), nonce);
  const std::string policy =
      "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'nonce-" + nonce +
      "'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return {200,
          "text/html; charset=utf-8",
          std::move(text),
          {{"Content-Security-Policy", policy}, {"Cache-Control", "no-store"}}};
}

HttpAnswer VoteServer::join(const HttpRequest& request) {
  const auto now = BallotBox::Clock::now();
  std::string token = token_in(request.cookie);
  if (const auto told = box_->ask(token, now)) return {200, "application/json; charset=utf-8", *told};
  const bool outside = !request.remote.starts_with("127.") && request.remote != address_;
  switch (box_->join(field(request, "code"), {request.remote, outside}, now, &token)) {
    case BallotBox::Joined::WrongCode:
      return refusal(403, "code");
    case BallotBox::Joined::TooMany:
      return refusal(429, "many");
    case BallotBox::Joined::Yes:
      break;
  }
  HttpAnswer answer{200, "application/json; charset=utf-8", box_->ask(token, now).value_or("{}")};
  answer.headers.emplace_back("Set-Cookie", std::string(kCookie) + "=" + token +
                                                "; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict");
  return answer;
}

HttpAnswer VoteServer::vote(const HttpRequest& request) {
  const std::string token = token_in(request.cookie);
  const auto now = BallotBox::Clock::now();
  const auto answer = number_in<std::int64_t>(field(request, "answer"));
  if (!answer) return refusal(400, "none");
  const auto voted = box_->vote(token, field(request, "ballot"), *answer, now);
  if (voted == BallotBox::Voted::NotJoined) return refusal(403, "code");
  if (voted == BallotBox::Voted::TooOften) return refusal(429, "many");
  const int status = voted == BallotBox::Voted::Closed ? 409 : 200;
  return {status, "application/json; charset=utf-8", box_->ask(token, now).value_or("{}")};
}

HttpAnswer VoteServer::file(const std::string& path) {
  const auto found = files_.find(path == "/app/" ? "/app/index.html" : path);
  if (found == files_.end()) return refusal(404, "none");
  if (!found->second.text) {
    std::string text;
    Message error;
    if (!text::read_file(found->second.at, kMostFile, &text, &error)) return refusal(404, "none");
    found->second.text = std::make_shared<const std::string>(std::move(text));
  }
  HttpAnswer answer{200, type_of(path == "/app/" ? "index.html" : path), {}};
  answer.headers.emplace_back("Content-Security-Policy", kAppPolicy);
  answer.file = found->second.text;
  return answer;
}

QrCode qr_code([[maybe_unused]] const std::string& text) {
  QrCode code;
#ifdef WARPLENS_QR
  const std::unique_ptr<QRcode, void (*)(QRcode*)> made(
      QRcode_encodeString8bit(text.c_str(), 0, QR_ECLEVEL_M), QRcode_free);
  if (!made) return code;
  code.side = made->width;
  for (int i = 0; i < made->width * made->width; ++i) code.black.push_back((made->data[i] & 1) != 0);
#endif
  return code;
}

}  // namespace warplens::vote
