#include "app/vote/ballot_box.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace warplens::vote {
namespace {

using nlohmann::json;

constexpr std::size_t kMostPhones = 3000, kMostAskers = 4096;
constexpr int kMostChanges = 300;  // of one phone in a vote
constexpr std::chrono::seconds kPresent{15};

}  // namespace

Notice::Notice(const Round& round)
    : open_(round.takes_votes() && !round.by_hands), ballot_(round.ballot()), question_(round.question) {
  constexpr const char* kTold[] = {"first", "talk", "second", "shown", "wait"};
  constexpr const char* kKinds[] = {"number", "choice", "lane", "bank", "sector"};
  const bool hands = round.takes_votes() && round.by_hands;  // a vote by phone would not count
  json out = {{"phase", hands ? "hands" : kTold[static_cast<int>(round.phase())]}};
  if (round.phase() != Phase::Skipped) {
    out["ballot"] = ballot_;
    out["question"] = question_.text;
    out["kind"] = kKinds[static_cast<int>(question_.kind)];
    if (!question_.choices.empty()) out["choices"] = question_.choices;
    if (question_.places > 0) out["places"] = question_.places;
    if (question_.kind == Question::Kind::Number)
      out["least"] = question_.least, out["most"] = question_.most;
  }
  if (round.phase() == Phase::Revealed) {
    if (round.truth) out["truth"] = *round.truth;
    out["first"] = json(round.first);
    out["second"] = json(round.second);
  }
  text_ = out.dump(-1, ' ', false, json::error_handler_t::replace);
  text_.pop_back();
}

bool Notice::takes(const std::string& ballot, std::int64_t answer) const {
  return open_ && ballot == ballot_ && question_.takes(answer);
}

std::string Notice::text(const std::optional<std::int64_t>& mine) const {
  return text_ + (mine ? ",\"mine\":" + std::to_string(*mine) : "") + "}";
}

BallotBox::BallotBox() : key_(random_text(kMostDigits, "0123456789")) {}

void BallotBox::show(const Round& round) {
  const std::lock_guard lock(mutex_);
  const auto is_of_another = [&](const auto& one) { return !one.first.starts_with(round.id + "-"); };
  for (auto& [token, phone] : phones_) {
    std::erase_if(phone.changes, is_of_another);
    std::erase_if(phone.answers, is_of_another);
  }
  notice_ = Notice(round);
}

void BallotBox::close() {
  const std::lock_guard lock(mutex_);
  notice_.close();
}

void BallotBox::end() {
  const std::lock_guard lock(mutex_);
  notice_ = {};
}

std::string BallotBox::code() const {
  const std::lock_guard lock(mutex_);
  return key_.substr(0, digits_);
}

Tally BallotBox::tally(Clock::time_point now) const {
  const std::lock_guard lock(mutex_);
  Tally tally{notice_.ballot(), {}, 0, 0};
  for (const auto& [token, phone] : phones_) {
    const auto answer = phone.answers.find(tally.ballot);
    const bool voted = answer != phone.answers.end();
    if (voted) ++tally.counts[answer->second];
    tally.joined += voted || now - phone.seen < kPresent ? 1 : 0;
    tally.outside += phone.outside ? 1 : 0;
  }
  return tally;
}

BallotBox::Asker& BallotBox::asker(const std::string& remote, Clock::time_point now) {
  if (askers_.size() >= kMostAskers && !askers_.contains(remote)) askers_.clear();
  const auto [found, is_new] = askers_.try_emplace(remote);
  Asker& a = found->second;
  const double seconds = is_new ? 0 : std::chrono::duration<double>(now - a.at).count();
  a.joins = std::min(600.0, a.joins + seconds);
  a.at = now;
  return a;
}

BallotBox::Joined BallotBox::join(const std::string& code, const Visitor& who, Clock::time_point now,
                                  std::string* token) {
  const std::lock_guard lock(mutex_);
  // Whoever has the code comes in, whatever others have tried from there.
  if (code != key_ && code != key_.substr(0, digits_)) {
    if (++wrong_ < 1e-4 * std::pow(10, digits_) || digits_ + 2 > key_.size()) return Joined::WrongCode;
    wrong_ = 0, digits_ += 2;
    return Joined::WrongCode;
  }
  Asker& a = asker(who.address, now);
  if (a.joins < 1) return Joined::TooMany;
  if (phones_.size() >= kMostPhones) {
    // Who was not heard of for long and has not voted gives way.
    std::erase_if(phones_, [&](const auto& one) {
      return one.second.answers.empty() && now - one.second.seen > 4 * kPresent;
    });
    if (phones_.size() >= kMostPhones) return Joined::TooMany;
  }
  a.joins -= 1;
  *token = random_text(32, "0123456789abcdef");
  Phone& phone = phones_[*token];
  phone.seen = now;
  phone.outside = who.outside;
  return Joined::Yes;
}

std::optional<std::string> BallotBox::ask(const std::string& token, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  const auto phone = phones_.find(token);
  if (phone == phones_.end()) return std::nullopt;
  phone->second.seen = now;
  const auto mine = phone->second.answers.find(notice_.ballot());
  return notice_.text(mine == phone->second.answers.end() ? std::nullopt : std::optional(mine->second));
}

BallotBox::Voted BallotBox::vote(const std::string& token, const std::string& ballot, std::int64_t answer,
                                 Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  const auto found = phones_.find(token);
  if (found == phones_.end()) return Voted::NotJoined;
  Phone& phone = found->second;
  phone.seen = now;
  if (!notice_.takes(ballot, answer)) return Voted::Closed;
  const auto before = phone.answers.find(ballot);
  if (before != phone.answers.end() && before->second == answer) return Voted::Yes;
  if (++phone.changes[ballot] > kMostChanges) return Voted::TooOften;
  phone.answers[ballot] = answer;
  return Voted::Yes;
}

}  // namespace warplens::vote
