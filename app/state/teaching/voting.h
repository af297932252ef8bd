// A class that votes on the question on screen, as far as the lecturer is in the middle of it. A part of
// State.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/platform/network.h"
#include "app/vote/round.h"

namespace warplens::app {

// Where phones find it, and whether they do. The window tells (app/desktop/class_vote.h).
struct ClassNetwork {
  std::vector<platform::NetworkAddress> addresses;  // of this machine
  int chosen = -1;                                  // of them; -1: none is listened on
  int port = 0;
  std::string code;     // the digits that are typed
  std::string key;      // of the QR code: more of them
  std::string trouble;  // why phones cannot vote, a key of the languages; empty: they can
  std::string words;    // the system's own about it
  int joined = 0;       // phones that are there
  int outside = 0;      // of all that came those on other machines
  bool late = false;    // the vote has been open for long
  friend bool operator==(const ClassNetwork&, const ClassNetwork&) = default;
  const platform::NetworkAddress* address() const {
    return chosen >= 0 && chosen < static_cast<int>(addresses.size())
               ? &addresses[static_cast<std::size_t>(chosen)]
               : nullptr;
  }
};

// Whether the address answers, asked from outside of the server.
struct SelfTest {
  enum class Standing : std::uint8_t { Asking, Answers, Silent };
  Standing standing = Standing::Asking;
  std::string words;  // the system's own, where it is silent
  bool ufw = false;
  friend bool operator==(const SelfTest&, const SelfTest&) = default;
};

// Hands that are counted: so many for an answer, as they are typed.
struct HandCount {
  std::string answer, count;
  bool at_count = false;
  bool empty() const { return answer.empty() && count.empty(); }
};

struct Voting {
  bool wanted = false;  // phones may come
  int steps = 0;        // by which another address was asked for
  std::optional<vote::Round> round;
  std::optional<std::int64_t> truth;  // of the round, not told yet
  HandCount hand;
  ClassNetwork network;
  std::optional<SelfTest> test;
};

}  // namespace warplens::app
