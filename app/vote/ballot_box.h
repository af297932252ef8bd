// What phones do to a vote, apart from how they are spoken to: who has joined, which answer each gave last,
// and what they may know.
//
// The server's thread asks it, and the window's. It knows no truth and tells no count before they are for
// all.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/vote/round.h"

namespace warplens::vote {

// What every phone may know: a round without its truth and counts until these are revealed.
class Notice {
 public:
  Notice() = default;  // nothing is asked now
  explicit Notice(const Round& round);
  bool takes(const std::string& ballot, std::int64_t answer) const;
  const std::string& ballot() const { return ballot_; }
  void close() { open_ = false; }
  // {"phase":"first", ..., "mine":4}
  std::string text(const std::optional<std::int64_t>& mine) const;

 private:
  bool open_ = false;
  std::string ballot_;
  Question question_;
  std::string text_ = R"({"phase":"wait")";  // but for the phone's own answer and the end
};

// What the window is told; counts are for it alone.
struct Tally {
  std::string ballot;
  Counts counts;
  int joined = 0;   // phones that were heard of in the last quarter of a minute, or have voted and sleep
  int outside = 0;  // of all that joined those on other machines
  friend bool operator==(const Tally&, const Tally&) = default;
};

class BallotBox {
 public:
  using Clock = std::chrono::steady_clock;
  BallotBox();
  // What is typed: six digits, and two more each time that so many wrong ones have come that one in ten
  // thousand would have been right. Nobody is kept out over the wrong ones: who guesses may be behind the
  // same address as a whole hall.
  std::string code() const;
  const std::string& key() const { return key_; }  // of the QR code: as many digits as there may ever be

  // The window's. From its return on the phones are told this and nothing else.
  void show(const Round& round);
  void close();  // no vote is taken any more
  void end();    // nothing is asked any more
  Tally tally(Clock::time_point now = Clock::now()) const;

  // A phone's. `token` is that of its cookie.
  enum class Joined : std::uint8_t { Yes, WrongCode, TooMany };
  struct Visitor {
    std::string address;
    bool outside = false;  // on another machine
  };
  Joined join(const std::string& code, const Visitor& who, Clock::time_point now, std::string* token);
  // What it is told; nothing: it has not joined.
  std::optional<std::string> ask(const std::string& token, Clock::time_point now);
  enum class Voted : std::uint8_t { Yes, Closed, NotJoined, TooOften };
  Voted vote(const std::string& token, const std::string& ballot, std::int64_t answer, Clock::time_point now);

 private:
  struct Phone {
    Clock::time_point seen;
    std::map<std::string, std::int64_t> answers;  // by ballot
    std::map<std::string, int> changes;           // likewise
    bool outside = false;
  };
  struct Asker {  // an address, and what it may still try
    double joins = 600;
    Clock::time_point at;
  };
  Asker& asker(const std::string& remote, Clock::time_point now);

  static constexpr std::size_t kDigits = 6, kMostDigits = 12;
  mutable std::mutex mutex_;
  std::string key_;
  double wrong_ = 0;  // codes since the last two digits came
  std::size_t digits_ = kDigits;
  Notice notice_;
  std::unordered_map<std::string, Phone> phones_;
  std::unordered_map<std::string, Asker> askers_;
};

}  // namespace warplens::vote
