#include "app/share/class_picture.h"

#include "app/readout/words/vote.h"
#include "app/scene/file/svg.h"
#include "app/scene/page.h"
#include "app/scene/palette.h"

namespace warplens::share {

std::string class_picture(const std::vector<vote::Round>& rounds, const language::Strings& strings) {
  constexpr float kWidth = 760, kAround = 110, kRow = 30;
  std::vector<scene::Scene> scenes;
  for (const vote::Round& round : rounds) {
    if (round.phase() != vote::Phase::Revealed) continue;
    const scene::VoteView view = app::vote_view(round, strings);
    const float height = kAround + kRow * static_cast<float>(view.rows.size());
    scenes.push_back(scene::vote_scene(view, {kWidth, height, 1, &scene::light_palette(), &strings}));
  }
  return scenes.empty() ? std::string() : scene::write_svg(scene::compose(scenes, scene::light_palette()));
}

}  // namespace warplens::share
