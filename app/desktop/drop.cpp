#include "app/desktop/drop.h"

namespace warplens::desktop {
namespace {

// What the last one has been refused for, or empty.
std::string refusal(const session::State& state) {
  if (state.dialog && !state.dialog->trouble.empty()) return state.dialog->trouble;
  return state.notice && state.notice->bad ? state.notice->words : std::string();
}

}  // namespace

void take_dropped(App& app, const std::vector<std::string>& paths) {
  std::vector<std::string> refused;
  for (const std::string& path : paths) {
    app.act({session::DismissNotice{}, session::OpenPath{path}});
    if (std::string words = refusal(app.state()); !words.empty()) refused.push_back(std::move(words));
  }
  // A file that opens takes away the words about the one before.
  if (refused.empty() || paths.size() == 1) return;
  std::string words = refused.front();
  if (refused.size() > 1) words += " (and " + std::to_string(refused.size() - 1) + " more)";
  app.act({session::Tell{{"files.trouble", words, true, false}}});
}

}  // namespace warplens::desktop
