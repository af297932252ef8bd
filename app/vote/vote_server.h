// The page that phones open, and what they ask for. It hears of rounds through its box alone.
//
//   GET /        the page          POST /join  code=123456          GET /state
//   GET /app/... the files of a folder           POST /vote  ballot=ID&answer=4
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/platform/http.h"
#include "app/vote/ballot_box.h"

namespace warplens::vote {

struct ServerPlace {
  std::string address = "127.0.0.1";
  int port = 8090, ports = 1;    // so many are tried from it on; 0: any that is free
  std::string page;              // its text
  std::filesystem::path folder;  // of the files below /app/; empty: none
  platform::HttpBounds bounds{};
};

class VoteServer {
 public:
  // Null: see `trouble`.
  static std::unique_ptr<VoteServer> open(const ServerPlace& place, BallotBox* box,
                                          platform::HttpTrouble* trouble);
  int port() const { return http_->port(); }

 private:
  VoteServer(const ServerPlace& place, BallotBox* box);
  platform::HttpAnswer answer(const platform::HttpRequest& request);
  platform::HttpAnswer page();
  platform::HttpAnswer join(const platform::HttpRequest& request);
  platform::HttpAnswer vote(const platform::HttpRequest& request);
  platform::HttpAnswer file(const std::string& path);
  bool is_own(const platform::HttpRequest& request) const;

  BallotBox* box_;
  std::string address_, page_;
  struct File {
    std::filesystem::path at;
    std::shared_ptr<const std::string> text;  // once somebody has asked for it
  };
  std::map<std::string, File> files_;           // by their path below /app/
  std::unique_ptr<platform::HttpServer> http_;  // last: its thread ends before what it asks goes
};

// Its address as a QR code.

struct QrCode {
  int side = 0;             // modules; 0: it cannot be made (built without libqrencode)
  std::vector<bool> black;  // row by row
};
QrCode qr_code(const std::string& text);

}  // namespace warplens::vote
