// A class's vote on the screen.
#include "app/readout/words/vote.h"

#include "app/panels/memory/memory_panels.h"

namespace warplens::panels {
namespace {

bool is_revealed(const View& view) {
  return view.state.voting.round->phase() == vote::Phase::Revealed;
}

}  // namespace

// On the stage it has the place of the question and what is below that; on the desk that of what is counted
// and measured, which is hidden as long as the class is asked.
Rect vote_place(const View& view, const Layout& layout) {
  const bool beside = !view.state.present && layout.access.width >= view.px(240) && layout.times.height > 0;
  if (beside)
    return {layout.access.x, layout.access.y, layout.access.width, bottom(layout.times) - layout.access.y};
  Rect place = layout.lesson.width > 0 ? layout.lesson : layout.source;
  if (view.state.present && !is_revealed(view)) place.height = bottom(layout.bottom) - place.y - view.px(12);
  return place;
}

Actions draw_vote(const View& view, const Rect& rect) {
  const bool stage = view.state.present;
  Rect room = picture_room(rect, view.scale, false);
  if (stage) room.y += view.px(6), room.height -= view.px(6);
  scene::VoteView vote = app::vote_view(view.state.voting, stage, view.strings);
  // The code for cameras has all the room there is: the rest is beside it, below the picture.
  if (stage && vote.side > 0) {
    vote.address = vote.code = vote.count = vote.urgent = {};
    vote.lines.erase(vote.lines.begin(), vote.lines.end() - 1);  // which keys there are
  }
  scene::Scene scene = scene::vote_scene(vote, view.canvas(room.width, room.height));
  Heading heading{scene.title, scene.answer, view.palette.ideal, true};
  draw_panel(view, rect, heading);
  draw_scene(view, "scene", std::move(scene), top_left(room));
  return {};
}

Actions draw_vote_line(const View& view, const Rect& rect) {
  scene::VoteView vote = app::vote_view(view.state.voting, false, view.strings);
  if (vote.side == 0) return {};
  vote.lines.pop_back();
  draw_scene(view, "line", scene::vote_line_scene(vote, view.canvas(rect.width, rect.height)),
             top_left(rect));
  return {};
}

}  // namespace warplens::panels
