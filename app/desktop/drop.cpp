#include "app/desktop/drop.h"

namespace warplens::desktop {

void take_dropped(App& app, const std::vector<std::string>& paths) {
  if (paths.empty()) return;
  app.act({app::DismissNotice{},
           app::OpenPath{paths.front(), std::vector<std::string>(paths.begin() + 1, paths.end())}});
}

}  // namespace warplens::desktop
