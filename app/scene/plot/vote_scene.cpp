#include "app/scene/plot/vote_scene.h"

#include <algorithm>
#include <cmath>

#include "app/scene/pen.h"
#include "app/scene/text.h"

namespace warplens::scene {
namespace {

constexpr float kVoteLine = 1.42f;  // of the type's size

class VotePicture {
 public:
  VotePicture(const VoteView& view, const Canvas& canvas) : view_(view), pen_(canvas), most_(1) {
    for (const VoteRow& row : view.rows) most_ = std::max({most_, row.first, row.second});
  }

  Scene draw() {
    pen_.scene().title = view_.title;
    pen_.scene().answer = view_.answer;
    if (pen_.too_small()) return pen_.finish();
    bottom_ = pen_.height();
    for (auto line = view_.lines.rbegin(); line != view_.lines.rend(); ++line)
      draw_below(*line, pen_.palette().secondary);
    if (!view_.urgent.empty()) draw_below(view_.urgent, pen_.palette().accent, true);
    if (!view_.question.empty())
      draw_paragraph(view_.question, {16, pen_.palette().text, Align::Left, Font::Words, true});
    for (const std::string& choice : view_.choices) draw_paragraph(choice, {14, pen_.palette().text});
    if (!view_.rows.empty())
      draw_rows();
    else
      draw_way_in();
    return pen_.finish();
  }

 private:
  float size_of(const Type& type) const { return pen_.px(std::max(type.size, pen_.least_type())); }

  std::vector<std::string> lines_of(const std::string& text, const Type& type, float width) const {
    return wrapped(text, width, size_of(type), 12, type.font, type.bold);
  }

  void draw_paragraph(const std::string& text, const Type& type) {
    const float step = kVoteLine * size_of(type);
    for (const std::string& line : lines_of(text, type, pen_.width())) {
      pen_.label(1, {0, top_ + 0.5f * step}, line, type);
      top_ += step;
    }
    top_ += pen_.px(6);
  }
  // From the foot upwards.
  void draw_below(const std::string& text, Color color, bool bold = false) {
    const Type type{14, color, Align::Left, Font::Words, bold};
    const float step = kVoteLine * size_of(type);
    const auto lines = lines_of(text, type, pen_.width());
    float y = bottom_ - step * static_cast<float>(lines.size());
    bottom_ = y - pen_.px(4);
    for (const std::string& line : lines) {
      pen_.label(1, {0, y + 0.5f * step}, line, type);
      y += step;
    }
  }

  // As large as there is room: the code for cameras, and beside or below it what is to be typed.
  void draw_way_in() {
    const Palette& p = pen_.palette();
    const float room = bottom_ - top_, width = pen_.width();
    const bool beside = view_.side > 0 && width > 1.25f * room;
    const float text = beside ? 0 : pen_.px(view_.address.empty() ? 40 : 118);
    const float side =
        view_.side > 0 ? std::min(beside ? room : room - text, beside ? 0.55f * width : width) : 0;
    if (side > pen_.px(60)) draw_qr({0, top_, side, side});
    const float x = beside ? side + pen_.px(14) : 0;
    float y = beside || side <= pen_.px(60) ? top_ + pen_.px(6) : top_ + side + pen_.px(8);
    const auto line = [&](const std::string& words, float most, Color color, Font font,
                          const std::string& before = {}) {
      if (words.empty()) return;
      Type type{most, color, Align::Left, font, true};
      const float lead = before.empty() ? 0 : pen_.width_of(before, {14, color}) + pen_.px(8);
      while (type.size > 13 && pen_.width_of(words, type) > width - x - lead) type.size -= 1;
      const float step = 1.3f * size_of(type);
      pen_.label(1, {x, y + 0.5f * step}, before, {14, color});
      pen_.label_within(1, {x + lead, y + 0.5f * step}, width - x - lead, words, type);
      y += step;
    };
    line(view_.address, 27, p.text, Font::Words);
    line(view_.code, 27, p.accent, Font::Words, view_.code_word);
    line(view_.count, 22, p.text, Font::Words);
  }

  // Black on white in either theme, with the margin that cameras look for. A run of modules is one cell.
  void draw_qr(const Rect& at) {
    constexpr int kQuiet = 3;
    const auto count = static_cast<float>(view_.side + 2 * kQuiet);
    const float module = std::max(1.0f, std::floor(at.width / count)), whole = module * count;
    const Rect ground{std::round(at.x), std::round(at.y), whole, whole};
    pen_.cell(0, ground, {1, 1, 1, 1}).radius = 0;
    for (int row = 0; row < view_.side; ++row) {
      for (int column = 0; column < view_.side;) {
        int end = column;
        const auto is_black = [&](int i) {
          return view_.black[static_cast<std::size_t>(row * view_.side + i)];
        };
        while (end < view_.side && is_black(end) == is_black(column)) ++end;
        if (is_black(column)) {
          // A little higher, so that no seam is left between two rows.
          const Rect run{ground.x + module * static_cast<float>(column + kQuiet),
                         ground.y + module * static_cast<float>(row + kQuiet),
                         module * static_cast<float>(end - column), module + 0.5f};
          pen_.cell(1, run, {0, 0, 0, 1}).radius = 0;
        }
        column = end;
      }
    }
  }

  void draw_rows() {
    const Palette& p = pen_.palette();
    const float least = kVoteLine * size_of({13, p.text}), gap = pen_.px(12);
    const Type head{14, p.secondary, Align::Left, Font::Words, true};
    float widest = 0;
    for (const VoteRow& row : view_.rows)
      widest = std::max(widest, pen_.width_of(row.label, {14, p.text, Align::Left, Font::Words, true}));
    const float labels = std::min(widest + pen_.px(34), 0.45f * pen_.width());
    const float column =
        (pen_.width() - labels - (view_.with_second ? gap : 0)) / (view_.with_second ? 2 : 1);
    float heads = top_;
    for (int i = 0; i < (view_.with_second ? 2 : 1); ++i) {
      float y = top_;
      for (const std::string& words : i == 0 ? view_.first : view_.second) {
        for (const std::string& line : lines_of(words, head, column)) {
          pen_.label_within(1, {labels + static_cast<float>(i) * (column + gap), y + 0.5f * least}, column,
                            line, head);
          y += least;
        }
      }
      heads = std::max(heads, y);
    }
    top_ = heads + pen_.px(4);
    const std::vector<VoteRow> rows = rows_for(static_cast<int>((bottom_ - top_) / least));
    const float high =
        std::min((bottom_ - top_) / static_cast<float>(std::max<std::size_t>(rows.size(), 1)), pen_.px(44));
    for (const VoteRow& row : rows) {
      draw_label(row, labels - pen_.px(6), high);
      draw_bar(row, row.first, {labels, top_, column, high}, !view_.with_second);
      if (view_.with_second) draw_bar(row, row.second, {labels + column + gap, top_, column, high}, true);
      top_ += high;
    }
  }

  // Those with the most votes where not all have room; the truth and the majority always.
  std::vector<VoteRow> rows_for(int room) const {
    std::vector<VoteRow> rows = view_.rows;
    while (static_cast<int>(rows.size()) > std::max(room, 2)) {
      const auto weight = [](const VoteRow& row) {
        return row.first + row.second + (row.truth || row.majority ? 1'000'000 : 0);
      };
      rows.erase(std::min_element(rows.begin(), rows.end(),
                                  [&](const VoteRow& a, const VoteRow& b) { return weight(a) < weight(b); }));
    }
    return rows;
  }

  void draw_label(const VoteRow& row, float width, float high) {
    const Palette& p = pen_.palette();
    const Color color = row.truth ? p.ideal : row.majority ? p.costly : p.text;
    const float middle = top_ + 0.5f * high;
    if (row.truth || row.majority)
      pen_.label(1, {pen_.px(8), middle}, row.truth ? "✓" : "×",
                 {16, color, Align::Center, Font::Words, true});
    pen_.label_within(1, {pen_.px(20), middle}, width - pen_.px(20), row.label,
                      {14, color, Align::Left, Font::Words, row.truth || row.majority});
  }

  void draw_bar(const VoteRow& row, int votes, const Rect& at, bool last) {
    const Palette& p = pen_.palette();
    const Type type{14, p.text, Align::Left, Font::Code, true};
    const float figure = pen_.width_of(std::to_string(most_), type) + pen_.px(10);
    const float length = (at.width - figure) * static_cast<float>(votes) / static_cast<float>(most_);
    const Rect bar{at.x, at.y + 0.16f * at.height, std::max(length, 1.0f), 0.68f * at.height};
    Cell& cell = pen_.cell(0, bar, row.truth ? p.ideal : row.majority && last ? p.costly : p.faint);
    if (row.majority && last && !row.truth)
      cell.hatch = pen_.px(6), cell.hatch_color = with_alpha(p.panel, 0.5f);
    pen_.label(1, {bar.x + bar.width + pen_.px(5), at.y + 0.5f * at.height}, std::to_string(votes), type);
  }

  const VoteView& view_;
  Pen pen_;
  int most_;
  float top_ = 0, bottom_ = 0;
};

}  // namespace

Scene vote_line_scene(const VoteView& view, const Canvas& canvas) {
  Pen pen(canvas);
  if (pen.too_small()) return pen.finish();
  const Palette& p = pen.palette();
  Type large{30, p.text, Align::Left, Font::Words, true};
  const float gap = pen.px(22);
  const Type lead{16, p.accent};
  const float word = pen.width_of(view.code_word, lead) + pen.px(8);
  while (large.size > 16 && pen.width_of(view.address + view.code, large) + gap + word > pen.width())
    large.size -= 1;
  const float step = pen.px(1.15f * large.size);
  pen.label(0, {0, 0.5f * step}, view.address, large);
  const float x = pen.width_of(view.address, large) + gap;
  large.color = p.accent;
  pen.label(0, {x, 0.5f * step}, view.code_word, lead);
  pen.label(0, {x + word, 0.5f * step}, view.code, large);
  const Type count{19, p.text, Align::Left, Font::Words, true},
      urgent{17, p.accent, Align::Left, Font::Words, true};
  float y = step + pen.px(11);
  pen.label(0, {0, y}, view.count, count);
  const float after = pen.width_of(view.count, count) + gap;
  pen.label_within(0, {after, y}, pen.width() - after, view.urgent, urgent);
  for (const std::string& line : view.lines) {
    y += pen.px(18);
    if (y + pen.px(7) <= pen.height()) pen.label_within(0, {0, y}, pen.width(), line, {13, p.secondary});
  }
  return pen.finish();
}

Scene vote_scene(const VoteView& view, const Canvas& canvas) {
  return VotePicture(view, canvas).draw();
}

}  // namespace warplens::scene
