// Rounds, ballots and what is kept of them, without a network.
#include "app/vote/round.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/vote/ballot_box.h"
#include "app/vote/vote_server.h"

namespace warplens::vote::round_test {

using testing::HasSubstr;
using testing::Not;

Round round_about_banks() {
  Round round;
  round.id = "r1";
  round.question.kind = Question::Kind::Bank;
  round.question.text = {{"en", "Which bank does lane 5 hit?"}, {"zh-CN", "通道 5 访问哪个存储体？"}};
  round.question.places = 32;
  return round;
}

struct Hall {
  Round round = round_about_banks();
  BallotBox box;
  BallotBox::Clock::time_point now{std::chrono::hours(1)};
  Hall() { box.show(round); }
  std::string phone(const std::string& remote = "192.168.1.77") {
    std::string token;
    EXPECT_EQ(box.join(box.code(), {remote, true}, now, &token), BallotBox::Joined::Yes);
    return token;
  }
  BallotBox::Voted vote(const std::string& token, std::int64_t answer) {
    return box.vote(token, round.ballot(), answer, now);
  }
  void move_on(Move what) {
    ASSERT_TRUE(move(&round, what));
    box.show(round);
  }
};

TEST(Rounds, GoFromTheFirstVoteToTheTruthAndBack) {
  Round r = round_about_banks();
  EXPECT_TRUE(r.takes_votes());
  EXPECT_FALSE(move(&r, Move::Second)) << "there is talk before the second vote";
  EXPECT_FALSE(move(&r, Move::Undo));
  ASSERT_TRUE(move(&r, Move::Close));
  EXPECT_FALSE(r.takes_votes());
  EXPECT_EQ(r.ballot(), "r1-1");
  ASSERT_TRUE(move(&r, Move::Second));
  EXPECT_TRUE(r.takes_votes());
  EXPECT_EQ(r.ballot(), "r1-2");
  ASSERT_TRUE(move(&r, Move::Reveal));
  EXPECT_TRUE(r.is_over());
  EXPECT_FALSE(move(&r, Move::Skip));
  ASSERT_TRUE(move(&r, Move::Undo));
  EXPECT_EQ(r.phase(), Phase::Second);
}

TEST(Rounds, OneVoteIsEnough) {
  Round r = round_about_banks();
  ASSERT_TRUE(move(&r, Move::Reveal));
  EXPECT_FALSE(r.has_second());
}

TEST(Rounds, ASecondVoteThatWasTakenBackIsNone) {
  Round r = round_about_banks();
  r.first = {{4, 12}};
  move(&r, Move::Close), move(&r, Move::Second);
  r.second = {{31, 7}};
  ASSERT_TRUE(move(&r, Move::Undo));
  EXPECT_EQ(r.second, (Counts{{31, 7}})) << "begun again, it is there";
  ASSERT_TRUE(move(&r, Move::Reveal));
  EXPECT_EQ(r.second, Counts{}) << "it is neither shown nor kept";
  EXPECT_THAT(csv_of({r}), Not(HasSubstr("31:7")));
}

TEST(Rounds, AreReadAsTheyWereWritten) {
  Round r = round_about_banks();
  r.first = {{4, 12}, {31, 30}};
  r.truth = 4;
  r.began = "2026-11-23T22:00:00Z";
  r.question.kind = Question::Kind::Choice;
  r.question.choices = {{{"en", "more"}}, {{"en", "fewer"}}};
  move(&r, Move::Reveal);
  EXPECT_EQ(round_of(to_json(r)), r);
  EXPECT_FALSE(round_of(nlohmann::json{{"schema", "warplens.class/1"}}));
  EXPECT_FALSE(round_of(nlohmann::json("text")));
}

TEST(Rounds, CountShares) {
  EXPECT_EQ(majority({}), std::nullopt);
  EXPECT_EQ(majority({{1, 5}, {2, 9}, {3, 9}}), 2);
  EXPECT_DOUBLE_EQ(percent_right({{1, 1}, {2, 3}}, 2), 75);
  EXPECT_LT(percent_right({}, 2), 0);
  EXPECT_LT(percent_right({{1, 1}}, std::nullopt), 0);
}

TEST(Rounds, ThatWereTakenBackAreKeptOnce) {
  Round a = round_about_banks(), b = a;
  b.first = {{1, 2}};
  const auto kept = without_repeats({a, b});
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0], b);
  EXPECT_THAT(csv_of(kept), HasSubstr("Which bank does lane 5 hit?"));
}

TEST(Ballots, OfAPhoneCountOnceAndTheLastOneCounts) {
  Hall hall;
  const std::string a = hall.phone(), b = hall.phone();
  EXPECT_EQ(hall.vote(a, 3), BallotBox::Voted::Yes);
  EXPECT_EQ(hall.vote(a, 7), BallotBox::Voted::Yes);
  EXPECT_EQ(hall.vote(b, 7), BallotBox::Voted::Yes);
  EXPECT_EQ(hall.box.tally(hall.now).counts, (Counts{{7, 2}}));
  EXPECT_EQ(hall.box.tally(hall.now).joined, 2);
  EXPECT_EQ(hall.vote(a, 32), BallotBox::Voted::Closed) << "there is no bank 32";
  EXPECT_EQ(hall.vote("nobody", 3), BallotBox::Voted::NotJoined);
}

// A phone's screen goes dark soon after its vote: it is one of those that are there all the same, or half a
// class would seem to be all of it.
TEST(Ballots, OfPhonesThatSleepAreOfPhonesThatAreThere) {
  Hall hall;
  const std::string a = hall.phone(), b = hall.phone();
  hall.vote(a, 3);
  hall.now += std::chrono::minutes(1);
  const std::string c = hall.phone();
  EXPECT_EQ(hall.box.tally(hall.now).joined, 2) << "the one that voted and the one that has just come";
  hall.move_on(Move::Close), hall.move_on(Move::Second);
  EXPECT_EQ(hall.box.tally(hall.now).joined, 1) << "in the second vote it has not voted yet";
}

TEST(Ballots, OfPhonesAreRefusedWhileHandsAreCounted) {
  Hall hall;
  const std::string a = hall.phone();
  hall.round.by_hands = true, hall.round.first = {{4, 12}};
  hall.box.show(hall.round);
  EXPECT_EQ(hall.vote(a, 3), BallotBox::Voted::Closed)
      << "it would not count, and may not be told that it does";
  EXPECT_THAT(*hall.box.ask(a, hall.now), HasSubstr("\"phase\":\"hands\""));
  EXPECT_THAT(*hall.box.ask(a, hall.now), Not(HasSubstr("12")));
  hall.round.by_hands = false;
  hall.box.show(hall.round);
  EXPECT_EQ(hall.vote(a, 3), BallotBox::Voted::Yes);
}

TEST(Ballots, AreRefusedAfterTheCloseAlsoWhenReplayed) {
  Hall hall;
  const std::string a = hall.phone(), first = hall.round.ballot();
  hall.vote(a, 3);
  hall.move_on(Move::Close);
  EXPECT_EQ(hall.vote(a, 4), BallotBox::Voted::Closed);
  hall.move_on(Move::Second);
  EXPECT_EQ(hall.box.vote(a, first, 4, hall.now), BallotBox::Voted::Closed) << "a request of the first vote";
  EXPECT_TRUE(hall.box.tally(hall.now).counts.empty());
  EXPECT_EQ(hall.vote(a, 5), BallotBox::Voted::Yes);
  hall.move_on(Move::Undo);
  EXPECT_EQ(hall.box.tally(hall.now).counts, (Counts{{3, 1}}))
      << "those of the first vote are there as they were";
}

// Somebody who guesses, and a hall behind the same address: the hall comes in at every moment.
TEST(Ballots, NobodyGuessesTheCodeAndNobodyIsKeptOutOverIt) {
  Hall hall;
  std::string token;
  const auto join = [&](const std::string& code) {
    return hall.box.join(code, {"10.0.0.9"}, hall.now, &token);
  };
  const std::string key = hall.box.key();
  ASSERT_EQ(key.size(), 12u);
  double chance = 0;  // that one of the guesses was right
  for (const auto& [digits, guesses] :
       {std::pair{6u, 100}, {8u, 10'000}, {10u, 1'000'000}, {12u, 1'000'000}}) {
    const std::string code = hall.box.code();
    ASSERT_EQ(code, key.substr(0, digits));
    EXPECT_EQ(join(code), BallotBox::Joined::Yes);
    EXPECT_EQ(join(key), BallotBox::Joined::Yes) << "by the QR code, whatever is typed now";
    if (digits > 6) {
      EXPECT_EQ(join(key.substr(0, digits - 2)), BallotBox::Joined::WrongCode) << "it is known no more";
    }
    for (int i = digits > 6 ? 1 : 0; i < guesses; ++i) {
      std::string wrong = code;
      wrong[static_cast<std::size_t>(i) % code.size()] ^= 1;
      ASSERT_EQ(join(wrong), BallotBox::Joined::WrongCode) << i;
      if (i == guesses / 2) {
        EXPECT_EQ(join(code), BallotBox::Joined::Yes) << "in the middle of it";
      }
    }
    chance += guesses / std::pow(10, digits);
  }
  EXPECT_LT(chance, 0.0005);
  EXPECT_EQ(join(""), BallotBox::Joined::WrongCode);
  EXPECT_EQ(join(key + "0"), BallotBox::Joined::WrongCode);
}

TEST(Ballots, OneAddressDoesNotFillTheHall) {
  Hall hall;
  std::string token;
  int joined = 0;
  while (joined < 5000 &&
         hall.box.join(hall.box.code(), {"10.0.0.9"}, hall.now, &token) == BallotBox::Joined::Yes)
    ++joined;
  EXPECT_EQ(joined, 600);
  EXPECT_EQ(hall.box.join(hall.box.code(), {"10.0.0.10"}, hall.now, &token), BallotBox::Joined::Yes);
}

TEST(Ballots, ThatGoBackAndForthEnd) {
  Hall hall;
  const std::string a = hall.phone();
  int changes = 0;
  while (changes < 5000 && hall.vote(a, changes % 32) == BallotBox::Voted::Yes) ++changes;
  EXPECT_EQ(changes, 300);
  const std::int64_t last = (changes - 1) % 32;
  EXPECT_EQ(hall.box.tally(hall.now).counts, (Counts{{last, 1}}));
  hall.move_on(Move::Close), hall.move_on(Move::Second);
  EXPECT_EQ(hall.vote(a, 7), BallotBox::Voted::Yes) << "the second vote has its own";
}

TEST(Notices, TellTheTruthAndTheCountsOnlyAtTheEnd) {
  Hall hall;
  const std::string a = hall.phone();
  EXPECT_THAT(*hall.box.ask(a, hall.now), HasSubstr("\"kind\":\"bank\""));
  hall.vote(a, 3);
  hall.round.truth = 27, hall.round.first = {{3, 41}, {19, 55}};
  for (const Move step : {Move::Close, Move::Second}) {
    hall.move_on(step);
    const std::string told = *hall.box.ask(a, hall.now);
    for (const char* secret : {"27", "41", "55", "19", "truth", "first\":"})
      EXPECT_THAT(told, Not(HasSubstr(secret)));
  }
  hall.move_on(Move::Reveal);
  EXPECT_THAT(*hall.box.ask(a, hall.now), HasSubstr("\"truth\":27"));
  EXPECT_THAT(*hall.box.ask(a, hall.now), HasSubstr("[19,55]"));
  hall.box.end();
  EXPECT_EQ(*hall.box.ask(a, hall.now), R"({"phase":"wait"})");
}

TEST(QrCodes, HaveTheirThreeCorners) {
  const QrCode code = qr_code("http://192.168.1.2:8090/#123456");
  if (code.side == 0) GTEST_SKIP() << "built without libqrencode";
  ASSERT_EQ(code.black.size(), static_cast<std::size_t>(code.side * code.side));
  for (const auto& [x, y] : {std::pair{0, 0}, {code.side - 7, 0}, {0, code.side - 7}}) {
    for (int i = 0; i < 7; ++i) EXPECT_TRUE(code.black[static_cast<std::size_t>(y * code.side + x + i)]);
    EXPECT_FALSE(code.black[static_cast<std::size_t>((y + 1) * code.side + x + 1)]);
  }
}

}  // namespace warplens::vote::round_test
