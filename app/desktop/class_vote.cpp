#include "app/desktop/class_vote.h"

#include <algorithm>

#include "app/storage/class_file.h"
#include "app/storage/link.h"
#include "sim/file/whole_file.h"
#include "sim/text/read_file.h"

namespace warplens::desktop {
namespace {

namespace fs = std::filesystem;
using vote::Phase;

constexpr int kFirstPort = 8090, kPorts = 10;
constexpr double kLookSeconds = 5, kLateSeconds = 90, kCountSeconds = 0.25;

fs::path class_folder(const fs::path& state) {
  return app::rounds_file(state).parent_path();
}

const char* key_of(platform::HttpTrouble::Kind kind) {
  constexpr const char* kKeys[] = {"", "vote.trouble.taken", "vote.trouble.no_address",
                                   "vote.trouble.not_built", "vote.trouble.failed"};
  return kKeys[static_cast<int>(kind)];
}

void tell_notice(App& app, const char* key, Message words, bool bad) {
  app.act({app::ShowNotice{{key, std::move(words), bad, false}}});
}

}  // namespace

ClassVote::ClassVote(jobs::Runner& runner, fs::path state_folder)
    : folder_(std::move(state_folder)), tester_(runner) {}

double ClassVote::due_in(double now) const {
  return due_ < 0 ? due_ : std::max(0.0, due_ - now);
}

void ClassVote::update(App& app, double now) {
  if (!told_ && !folder_.empty()) {
    told_ = true;
    before_ = vote::replay(app::journal_file(folder_));
    const int votes = before_->round ? vote::total(before_->round->counts()) : 0;
    if (votes > 0 && !before_->round->is_over() && !app.state().notice)
      tell_notice(app, "vote.interrupted", Message("{}", votes), false);
  }
  due_ = -1;
  if (!app.state().voting.wanted) return close(app);
  if (!box_) open(app);
  choose_address(app, now);
  follow(app, now);
  count(app, false);
  tell(app, now);
  test(app);
  const bool open = shown_ && shown_->takes_votes();
  due_ = now + (open ? kCountSeconds : kLookSeconds);
}

void ClassVote::open(App& /*app*/) {
  if (!folder_.empty()) {
    std::error_code failed;
    fs::create_directories(class_folder(folder_), failed);
    lock_ = file::Lock::take(class_folder(folder_) / "lock");
    Message error;
    text::read_file(class_folder(folder_) / "interface", 256, &interface_, &error);
  }
  network_ = {};
  if (!before_) before_.emplace();
  const bool ours = folder_.empty() || lock_;
  box_ = std::make_unique<vote::BallotBox>(folder_.empty() || !ours ? fs::path() : app::journal_file(folder_),
                                           std::string(), *before_);
  network_.code = box_->code();
  if (!ours) network_.trouble = "vote.trouble.other";
  looked_ = -100;
}

void ClassVote::close(App& /*app*/) {
  if (!box_) return;
  server_.reset();
  box_->leave();
  box_.reset();
  lock_.reset();
  before_.reset();
  listened_.clear();
  shown_.reset();
}

// Loopback until another one is picked, which is remembered.
void ClassVote::choose_address(App& app, double now) {
  if (network_.trouble == "vote.trouble.other") return;
  const int steps = app.state().voting.steps;
  if (now - looked_ > kLookSeconds || steps != 0) {
    looked_ = now;
    network_.addresses = platform::network_addresses();
    const auto& all = network_.addresses;
    const auto count = static_cast<int>(all.size());
    if (count == 0) return;
    auto known =
        std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.interface == interface_; });
    if (known == all.end())
      known = std::find_if(all.begin(), all.end(), [](const auto& a) { return a.address == "127.0.0.1"; });
    const int base = known == all.end() ? count - 1 : static_cast<int>(known - all.begin());
    network_.chosen = ((base + steps) % count + count) % count;
    if (steps != 0) {
      interface_ = network_.address()->interface;
      if (!folder_.empty()) file::write_whole(class_folder(folder_) / "interface", interface_);
      app.act({app::PickAddress{-steps}});  // it has been done
    }
  }
  if (network_.address() != nullptr && network_.address()->address != listened_) listen(app);
}

void ClassVote::listen(App& /*app*/) {
  server_.reset();
  listened_ = network_.address()->address;
  vote::ServerPlace place{listened_, 0, {}, {}};
  Message error;
  const fs::path assets = scenario::data_folder("assets");
  if (!text::read_file(assets / "class" / "phone.html", 1 << 20, &place.page, &error)) {
    network_.trouble = "vote.trouble.page", network_.words = error.english();
    return;
  }
  // The browser edition: beside an installed program, or as ./web has built it.
  for (const fs::path& site : {assets / "web", scenario::data_folder("build/web/site")}) {
    std::error_code failed;
    if (place.folder.empty() && fs::is_regular_file(site / "index.html", failed)) place.folder = site;
  }
  platform::HttpTrouble trouble;
  const int first = before_->port > 0 ? before_->port : network_.port > 0 ? network_.port : kFirstPort;
  for (int i = 0; i < kPorts && !server_; ++i) {
    place.port = first + i;
    server_ = vote::VoteServer::open(place, box_.get(), &trouble);
    if (!server_ && trouble.kind != platform::HttpTrouble::Kind::Taken) break;
  }
  network_.port = server_ ? server_->port() : first;
  network_.trouble = server_ ? "" : key_of(trouble.kind);
  network_.words = trouble.words;
}

// Another round, or another phase of it.
void ClassVote::follow(App& app, double now) {
  const std::optional<vote::Round> round = app.state().voting.round;
  if (server_) {
    const bool secret = round && !round->is_over();
    server_->set_place(secret ? std::string()
                              : app::write_link(app.state(), app.simulation(), app.catalog()));
  }
  const auto told = [](vote::Round r) {
    if (!r.by_hands) r.first.clear(), r.second.clear();
    return r;
  };
  if (!round && shown_) {
    box_->end();
    shown_.reset();
  }
  if (!round || (shown_ && told(*round) == told(*shown_))) return;
  const bool is_new = !shown_ || shown_->id != round->id;
  if (is_new && shown_ && !shown_->is_over() && !folder_.empty()) {  // asked anew: what was voted is kept
    vote::Round gone = *shown_;
    gone.counts() = box_->tally().counts;
    vote::move(&gone, vote::Move::Skip);
    app::keep_round(folder_, gone);
  }
  if (is_new) {
    take_up(app);
    box_->begin(*app.state().voting.round, network_.port);
    opened_ = now, kept_ = 0;
  } else if (round->is_over() && !shown_->is_over()) {
    box_->close();
    count(app, true);
    box_->show(*app.state().voting.round);
  } else {
    box_->show(*round);
    if (round->takes_votes()) opened_ = now;
  }
  shown_ = app.state().voting.round;
  const auto phases = static_cast<int>(shown_->phases.size());
  if (!shown_->is_over()) kept_ = 0;
  if (!shown_->is_over() || kept_ == phases || folder_.empty()) return;
  kept_ = phases;
  if (const Message words = app::keep_round(folder_, *shown_); !words.empty())
    tell_notice(app, "files.trouble", words, true);
}

// A program that was killed left a round: on the same question it goes on.
void ClassVote::take_up(App& app) {
  if (!before_ || !before_->round) return;
  const vote::Round before = *std::exchange(before_->round, std::nullopt);
  const vote::Round& asked = *app.state().voting.round;
  if (before.is_over()) return;
  if (before.question == asked.question && before.place == asked.place) {
    app.act({app::TakeRound{before, app.state().voting.truth}});
  } else if (const int votes = vote::total(before.counts()); votes > 0) {
    vote::Round gone = before;
    vote::move(&gone, vote::Move::Skip);
    app::keep_round(folder_, gone);
    tell_notice(app, "vote.interrupted.kept", Message("{}", votes), false);
  }
}

void ClassVote::count(App& app, bool last) {
  const vote::Tally tally = box_->tally();
  network_.joined = tally.joined, network_.outside = tally.outside;
  const auto& round = app.state().voting.round;
  if (!round || round->ballot() != tally.ballot) return;
  if (last || (!round->by_hands && round->counts() != tally.counts))
    app.act({app::TakeVotes{tally.ballot, tally.counts, last}});
  if (!last && shown_ && !round->by_hands) shown_->counts() = round->counts();
}

void ClassVote::tell(App& app, double now) {
  network_.late = shown_ && shown_->takes_votes() && now - opened_ > kLateSeconds;
  const auto& all = network_.addresses;
  const bool there =
      std::any_of(all.begin(), all.end(), [&](const auto& a) { return a.address == listened_; });
  if (server_ && !there) network_.trouble = "vote.trouble.no_address";
  if (server_ && there && network_.trouble == "vote.trouble.no_address") network_.trouble.clear();
  if (!(app.state().voting.network == network_)) app.act({app::TakeNetwork{network_}});
}

void ClassVote::test(App& app) {
  const auto& wanted = app.state().voting.test;
  if (!wanted) testing_ = false, tester_.cancel();
  if (wanted && !testing_ && network_.address() != nullptr) {
    testing_ = true;
    tester_.start(
        [address = listened_, port = network_.port](const std::atomic<bool>*, std::atomic<double>*) {
          app::SelfTest test;
          const bool answers = platform::answers_http(address, port, 2, &test.words);
          test.standing = answers ? app::SelfTest::Standing::Answers : app::SelfTest::Standing::Silent;
          test.ufw = platform::has_ufw();
          return test;
        });
  }
  if (auto test = tester_.take()) app.act({app::TakeTest{*test}});
}

}  // namespace warplens::desktop
