#include "app/scene/plot/profile_scene.h"

#include <algorithm>
#include <cmath>

#include "app/scene/pen.h"
#include "app/scene/text.h"

namespace warplens::scene {
namespace {

constexpr float kWhole = 50, kLine = 22, kFoot = 22;  // of the design: a row with its sum, without, the foot

class ProfilePicture {
 public:
  ProfilePicture(const ProfileView& view, const Canvas& canvas) : view_(view), pen_(canvas) {
    for (const ProfileRow& row : view.rows) rows_.push_back(&row);
    std::ranges::stable_sort(rows_, {}, [](const ProfileRow* row) { return row->kind; });
  }

  Scene draw() {
    pen_.scene().title = view_.title;
    pen_.scene().answer = view_.answer;
    pen_.scene().answer_is_costly = view_.answer_is_costly;
    pen_.scene().answer_is_ideal = !view_.answer_is_costly && !view_.rows.empty();
    if (pen_.too_small()) return pen_.finish();
    figure_right_ = std::floor(std::min(0.62f * pen_.width(), pen_.px(400)));
    const float bottom = pen_.height() - (view_.foot.empty() ? 0 : pen_.px(kFoot));
    float y = 0;
    std::size_t shown = 0;
    for (; shown < rows_.size(); ++shown) {
      const float height = height_of(*rows_[shown]);
      const bool last = shown + 1 == rows_.size();
      if (y + height > bottom - (last ? 0 : pen_.px(kLine))) break;
      draw_row(*rows_[shown], y, height);
      y += height;
    }
    if (shown < rows_.size()) draw_rest(y, shown);
    draw_foot();
    return pen_.finish();
  }

 private:
  bool has_sum(const ProfileRow& row) const { return row.kind != ProfileRow::Kind::Equal; }
  float height_of(const ProfileRow& row) const { return pen_.px(has_sum(row) ? kWhole : kLine); }

  Color ink_of(const ProfileRow& row) const {
    const Palette& p = pen_.palette();
    switch (row.kind) {
      case ProfileRow::Kind::Equal:
        return p.ideal;
      case ProfileRow::Kind::Unexplained:
        return p.costly;
      default:
        return p.secondary;
    }
  }

  void draw_row(const ProfileRow& row, float top, float height) {
    const Palette& p = pen_.palette();
    const float line = pen_.px(kLine), y = top + 0.5f * line, gap = pen_.px(12);
    const Type number{14, p.text, Align::Right, Font::Code, has_sum(row)};
    const float figure = pen_.width_of(row.measured, number);
    pen_.label(1, {figure_right_, y}, row.measured, number);
    pen_.label_within(1, {0, y}, figure_right_ - figure - gap, row.label,
                      {14, p.text, Align::Left, Font::Words, has_sum(row)});
    const float x = figure_right_ + gap, room = pen_.width() - x;
    if (!has_sum(row)) {
      pen_.label_within(1, {x, y}, room, row.sum, {13, p.ideal, Align::Left, Font::Words, false});
    } else {
      draw_bar(row, {x, top + pen_.px(5), room, line - pen_.px(10)});
      pen_.label_within(1, {0, top + 1.5f * line}, pen_.width(), row.sum,
                        {13, ink_of(row), Align::Left, Font::Words, false});
    }
    HotSpot spot{{0, top, pen_.width(), height}, -1, -1, -1, {}};
    spot.tooltip = row.tip;
    pen_.hot_spot(std::move(spot));
  }

  // As long as the larger of the two: what is exact is plain, what came on top is hatched, what is missing is
  // a frame alone.
  void draw_bar(const ProfileRow& row, const Rect& room) {
    const Palette& p = pen_.palette();
    const double most = std::max(row.exact, row.total);
    if (!(most > 0) || room.width < pen_.px(24) || !std::isfinite(most)) return;
    const float thin = std::max(1.0f, pen_.px(1));
    const auto part = [&](double amount) { return static_cast<float>(amount / most) * room.width; };
    const float both = part(std::min(row.exact, row.total));
    const bool unexplained = row.kind == ProfileRow::Kind::Unexplained;
    if (both > 0) pen_.cell(0, {room.x, room.y, both, room.height}, mix(p.panel, p.accent, 0.7f)).radius = 0;
    const float rest = std::max(room.width - both, row.exact == row.total ? 0 : 2 * thin);
    if (rest <= 0) return;
    const Rect box{room.x + room.width - rest, room.y, rest, room.height};
    const Color color = unexplained ? p.costly : p.secondary;
    Cell& cell = pen_.framed(0, box, with_alpha(color, 0.12f), color, thin);
    cell.radius = 0;
    if (row.total <= row.exact) return;
    cell.hatch = pen_.px(6);
    cell.hatch_color = with_alpha(color, 0.8f);
  }

  void draw_rest(float top, std::size_t shown) {
    const auto count = static_cast<long long>(rows_.size() - shown);
    const bool equal = rows_[shown]->kind == ProfileRow::Kind::Equal;
    const std::string text =
        pen_.counted(equal ? "explain.more.equal" : "explain.more", count, {{"n", std::to_string(count)}});
    pen_.label_within(1, {0, top + 0.5f * pen_.px(kLine)}, pen_.width(), text,
                      {13, pen_.palette().secondary, Align::Left, Font::Words, false});
    HotSpot spot{{0, top, pen_.width(), pen_.px(kLine)}, -1, -1, -1, {}};
    for (std::size_t i = shown; i < std::min(rows_.size(), shown + 20); ++i)
      spot.tooltip += (i > shown ? "\n" : "") + rows_[i]->label + ": " + rows_[i]->measured;
    pen_.hot_spot(std::move(spot));
  }

  void draw_foot() {
    if (view_.foot.empty()) return;
    const float height = pen_.px(kFoot), top = pen_.height() - height;
    pen_.label_within(1, {0, top + 0.5f * height}, pen_.width(), view_.foot,
                      {13, pen_.palette().faint, Align::Left, Font::Words, false});
    HotSpot spot{{0, top, pen_.width(), height}, -1, -1, -1, {}};
    spot.tooltip = view_.foot_tip;
    pen_.hot_spot(std::move(spot));
  }

  const ProfileView& view_;
  Pen pen_;
  std::vector<const ProfileRow*> rows_;
  float figure_right_ = 0;
};

}  // namespace

Scene profile_scene(const ProfileView& view, const Canvas& canvas) {
  return ProfilePicture(view, canvas).draw();
}

}  // namespace warplens::scene
