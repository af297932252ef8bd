// What the picture of banks says below the array: the explanation, which rows are shown, which lanes have
// which colours; and how many rows are left out.
#include <algorithm>
#include <cmath>

#include "app/scene/memory/bank_picture.h"
#include "app/scene/text.h"

namespace warplens::scene {

using memory::Address;

// Where rows are left out: how many, or dots where there is no room for words.
void BankPicture::draw_holes() {
  if (layout_.hole <= 0) return;
  const RowRange all = needs().rows;
  std::uint64_t next = all.first;
  const auto draw = [&](std::uint64_t until, float bottom) {
    if (until <= next) return;
    const auto n = static_cast<long long>(until - next);
    const float y = bottom - 0.5f * layout_.hole, middle = layout_.grid_x + 16 * layout_.pitch;
    if (layout_.hole >= pen_.px(14)) {
      pen_.label(kBack, {middle, y}, pen_.counted("scene.bank.untouched", n, {{"n", std::to_string(n)}}),
                 small(pen_.palette().secondary, Align::Center));
      return;
    }
    const float dot = std::max(1.0f, std::round(pen_.px(1.4f)));
    for (int i = -1; i <= 1; ++i)
      pen_.cell(kBack, {middle + 3 * dot * static_cast<float>(i), y - 0.5f * dot, dot, dot},
                pen_.palette().secondary)
          .radius = 0.5f * dot;
  };
  for (int row = 0; row < layout_.shown_rows(); ++row) {
    const std::uint64_t number = layout_.rows[static_cast<std::size_t>(row)];
    draw(number, layout_.top_of(row));
    next = number + 1;
  }
  draw(all.first + all.count, layout_.rows_y + layout_.rows_height());
}

void BankPicture::draw_words() {
  const Palette& palette = pen_.palette();
  float y = layout_.words_y;
  for (const std::string& line : layout_.words) {
    pen_.label(kBack, {layout_.words_x, y}, line, small(palette.text));
    y += layout_.words_step;
  }
  std::vector<Address> beyond;
  for (const auto& word : plan_.words) {
    int row = 0;
    if (!inside(word.address, &row)) beyond.push_back(word.address);
  }
  std::sort(beyond.begin(), beyond.end());
  beyond.erase(std::unique(beyond.begin(), beyond.end()), beyond.end());
  const std::string rows = rows_text(pen_, layout_, needs().rows, static_cast<int>(beyond.size()));
  if (!rows.empty() && layout_.words_y + 0.5f * layout_.words_step <= pen_.height())
    pen_.label_within(kBack, {pen_.width(), layout_.words_y}, pen_.width(), rows,
                      small(palette.secondary, Align::Right));
}

bool BankPicture::is_free(const Rect& part) {
  for (const Layer& layer : pen_.scene().layers) {
    for (const Label& label : layer.labels) {
      const Rect r = bounds(label);
      if (r.x < part.x + part.width && part.x < r.x + r.width && r.y < part.y + part.height &&
          part.y < r.y + r.height)
        return false;
    }
  }
  return part.y >= 0 && part.y + part.height <= pen_.height();
}

// Where words are too small for numbers: "lane [colours] 0–7 [colours] 8–15 ...", the quarters of the warp,
// light to dark as in the words; below the explanation, or else above the towers. In a narrow picture the
// first lane of each.
void BankPicture::draw_legend() {
  constexpr int kQuarter = 8;
  const Type type = small(pen_.palette().secondary);
  const float piece = std::max(2.0f, std::round(pen_.px(2.5f))), high = pen_.px(10), gap = pen_.px(4);
  const float half = 0.5f * pen_.px(std::max(type.size, pen_.least_type()));
  const std::string word = pen_.text("scene.global.lanes");
  const float lead = pen_.width_of(word, type) + 2 * gap;
  const float below = layout_.words_y + static_cast<float>(layout_.words.size()) * layout_.words_step,
              above = layout_.towers_top - 0.5f * pen_.px(16), end = layout_.grid_x + 32 * layout_.pitch;
  for (const bool whole : {true, false}) {
    const auto name = [&](int first) {
      return std::to_string(first) + (whole ? "–" + std::to_string(first + kQuarter - 1) : "");
    };
    float width = lead - 2 * gap;
    for (int first = 0; first < memory::kWarpLanes; first += kQuarter)
      width += kQuarter * piece + 3 * gap + pen_.width_of(name(first), type);
    for (const Point at : {Point{layout_.words_x, below}, {end - width, above}, {layout_.grid_x, above}}) {
      if (at.x < 0 || at.x + width > pen_.width() || !is_free({at.x, at.y - half, width, 2 * half})) continue;
      pen_.label(kBack, at, word, type);
      float x = at.x + lead;
      for (int first = 0; first < memory::kWarpLanes; first += kQuarter) {
        for (int lane = first; lane < first + kQuarter; ++lane, x += piece)
          pen_.cell(kMarks, {x, at.y - 0.5f * high, piece, high}, lane_color(pen_.palette(), lane)).radius =
              0;
        pen_.label(kBack, {x + gap, at.y}, name(first), type);
        x += 3 * gap + pen_.width_of(name(first), type);
      }
      return;
    }
  }
}

}  // namespace warplens::scene
