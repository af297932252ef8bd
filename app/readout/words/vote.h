// A class's vote: the question as phones are asked it, and what the stage shows of it.
#pragma once

#include <vector>

#include "app/language/strings.h"
#include "app/scene/plot/vote_scene.h"
#include "app/simulate/simulation.h"
#include "app/state/catalog.h"
#include "app/vote/round.h"

namespace warplens::app {

struct AskedRound {
  vote::Round round;                  // but for its id and when it began
  std::optional<std::int64_t> truth;  // not known yet: the simulator is at it
};
// Of the question on screen, in each of the languages; nothing: none is asked.
std::optional<AskedRound> round_on_screen(const State& state, const Simulation& simulation,
                                          const Catalog& catalog,
                                          const std::vector<const language::Strings*>& languages);

// `question`: said here too. Precondition: a round.
scene::VoteView vote_view(const Voting& voting, bool question, const language::Strings& strings);
// The histograms alone, of a round that is kept.
scene::VoteView vote_view(const vote::Round& round, const language::Strings& strings);

// A line each.
std::vector<std::string> self_test_words(const SelfTest& test, const ClassNetwork& network,
                                         const language::Strings& strings);
// "http://192.168.1.23:8090/#123456"; empty: phones cannot come.
std::string url_of(const ClassNetwork& network);

}  // namespace warplens::app
