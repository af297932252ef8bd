#include <algorithm>

#include "app/desktop/beside.h"
#include "app/storage/teaching_files.h"
#include "app/vote/vote_server.h"
#include "sim/file/whole_file.h"
#include "sim/text/read_file.h"

namespace warplens::desktop {
namespace {

namespace fs = std::filesystem;

constexpr int kFirstPort = 8090, kPorts = 10;
constexpr const char* kNoAddress = "vote.trouble.no_address";
constexpr double kLookSeconds = 5, kLateSeconds = 90, kCountSeconds = 0.25;

fs::path class_folder(const fs::path& state) {
  return app::rounds_file(state).parent_path();
}

const char* key_of(platform::HttpTrouble::Kind kind) {
  constexpr const char* kKeys[] = {"", "vote.trouble.taken", kNoAddress, "vote.trouble.failed"};
  return kKeys[static_cast<int>(kind)];
}

class ClassVote final : public Beside {
 public:
  explicit ClassVote(fs::path state_folder) : folder_(std::move(state_folder)) {}
  void update(App& app, double now) override {
    due_ = -1;
    if (!app.state().voting.wanted) return close();
    if (!box_) open();
    choose_address(app, now);
    follow(app, now);
    count(app, false);
    tell_network(app, now);
    due_ = now + (shown_ && shown_->takes_votes() ? kCountSeconds : kLookSeconds);
  }

  double due_in(double now) const override { return due_ < 0 ? due_ : std::max(0.0, due_ - now); }

 private:
  void open() {
    Message error;
    if (!folder_.empty()) text::read_file(class_folder(folder_) / "interface", 256, &interface_, &error);
    network_ = {};
    box_ = std::make_unique<vote::BallotBox>();
    looked_ = -100;
  }

  void close() {
    if (!box_) return;
    keep_unfinished();
    server_.reset();
    box_.reset();
    listened_.clear();
    shown_.reset();
  }

  // The address that is listened on, or one of the interface that was picked last; -1: neither is there.
  int place_of_choice() const {
    const auto& all = network_.addresses;
    auto found = std::ranges::find(all, listened_, [](const auto& a) { return a.address; });
    if (found == all.end())
      found = std::ranges::find(all, interface_, [](const auto& a) { return a.interface; });
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
  }

  // The pick is remembered. A cable that was pulled may be put in again, and what holds a port may end: the
  // server waits on an address that is gone, and tries again.
  void choose_address(App& app, double now) {
    const int steps = app.state().voting.steps;
    if (now - looked_ <= kLookSeconds && steps == 0) return;
    looked_ = now;
    network_.addresses = platform::network_addresses();  // last is this machine's own
    network_.ufw = platform::has_ufw();
    const auto count = static_cast<int>(network_.addresses.size());
    int base = place_of_choice();
    if (base < 0 && (listened_.empty() || steps != 0)) base = app::place_in_a_hall(network_.addresses);
    network_.chosen = base < 0 ? -1 : ((base + steps) % count + count) % count;
    if (steps != 0) app.act({app::PickAddress{-steps}});  // it has been done
    if (network_.address() == nullptr) {
      network_.trouble = kNoAddress, network_.words = listened_;
      return;
    }
    if (steps != 0) {
      interface_ = network_.address()->interface;
      if (std::error_code failed; !folder_.empty()) {
        fs::create_directories(class_folder(folder_), failed);
        file::write_whole(class_folder(folder_) / "interface", interface_);
      }
    }
    if (network_.trouble == kNoAddress) network_.trouble.clear();
    if (!server_ || network_.address()->address != listened_) listen();
  }

  void listen() {
    server_.reset();
    listened_ = network_.address()->address;
    const int first = network_.port > 0 ? network_.port : kFirstPort;
    vote::ServerPlace place{listened_, first, kPorts, {}, {}};
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
    server_ = vote::VoteServer::open(place, box_.get(), &trouble);
    network_.port = server_ ? server_->port() : first;
    network_.trouble = server_ ? "" : key_of(trouble.kind);
    network_.words = network_.trouble == kNoAddress ? listened_ : trouble.words;
  }

  // Another round, or another phase of it.
  void follow(App& app, double now) {
    const std::optional<vote::Round> round = app.state().voting.round;
    const auto told = [](vote::Round r) {
      if (!r.by_hands) r.first.clear(), r.second.clear();
      return r;
    };
    if (!round && shown_) {
      keep_unfinished();
      box_->end();
      shown_.reset();
    }
    if (!round || (shown_ && told(*round) == told(*shown_))) return;
    const bool is_new = !shown_ || shown_->id != round->id;
    if (is_new) {
      keep_unfinished();
      opened_ = now;
    } else {
      // Every answer that has arrived counts for the vote that ends, also where two keys came at once.
      if (round->ballot() != shown_->ballot() || (round->is_over() && !shown_->is_over())) {
        box_->close();
        count(app, true);
      }
      if (round->takes_votes()) opened_ = now;
    }
    shown_ = app.state().voting.round;
    box_->show(*shown_);
    if (const Message words = keep(*shown_); !words.empty()) tell(app, "files.trouble", words, true);
  }

  // As it stands, whenever a vote ends, so that a program that is killed has kept it: one that goes on is one
  // that was skipped until a later line says otherwise.
  Message keep(vote::Round round) {
    const bool is_over = round.is_over();
    if (!is_over) vote::move(&round, vote::Move::Skip);
    const bool is_empty = vote::total(round.first) + vote::total(round.second) == 0;
    if ((is_empty && !is_over) || kept_ == round || folder_.empty()) return {};
    kept_ = round;
    return app::keep_round(folder_, round);
  }

  // A round that ends without a reveal or a skip: asked anew, or the class left. What was voted is kept.
  void keep_unfinished() {
    if (!shown_ || shown_->is_over()) return;
    box_->close();
    vote::Round gone = *shown_;
    if (!gone.by_hands) gone.counts() = box_->tally().counts;
    (void)keep(gone);
  }

  void count(App& app, bool last) {
    const vote::Tally tally = box_->tally();
    network_.joined = tally.joined, network_.outside = tally.outside;
    const auto& round = app.state().voting.round;
    if (!round || (!last && round->ballot() != tally.ballot)) return;
    if (last || (!round->by_hands && round->counts() != tally.counts))
      app.act({app::TakeVotes{tally.ballot, tally.counts, last}});
    if (!last && shown_ && !round->by_hands) shown_->counts() = round->counts();
  }

  void tell_network(App& app, double now) {
    network_.code = box_->code(), network_.key = box_->key();
    network_.late = shown_ && shown_->takes_votes() && now - opened_ > kLateSeconds;
    if (!(app.state().voting.network == network_)) app.act({app::TakeNetwork{network_}});
  }

  std::filesystem::path folder_;  // empty: nothing is kept
  std::unique_ptr<vote::BallotBox> box_;
  std::unique_ptr<vote::VoteServer> server_;  // goes before the box that it asks
  app::ClassNetwork network_;
  std::string interface_, listened_;  // remembered; the address that is listened on
  std::optional<vote::Round> shown_;  // as phones were told it
  std::optional<vote::Round> kept_;   // as it was kept last
  double looked_ = -100, opened_ = 0, due_ = -1;
};

}  // namespace

std::unique_ptr<Beside> class_vote(fs::path state_folder) {
  return std::make_unique<ClassVote>(std::move(state_folder));
}

}  // namespace warplens::desktop
