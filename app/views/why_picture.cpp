// How Why is drawn: sentences, a bar for each resource, facts.
#include <algorithm>
#include <cmath>

#include "app/scene/plot/time_axis.h"
#include "app/views/drawing.h"
#include "app/views/why.h"

namespace warplens::views {
namespace {

// Of the design, at scale 1.
constexpr float kWhyLine = 20, kWhyFirst = 25, kWhyLeastRow = 20, kWhyWholeRow = 44, kWhyMostRow = 54,
                kWhyMark = 22, kWhyAxis = 22;
constexpr int kWhyMostLines = 4;  // of a sentence
constexpr Type kWhyLabel{.size = 14, .bold = true},
    kWhyAmount{.size = 13.5f, .font = Font::Code, .bold = true};

class WhyPicture {
 public:
  WhyPicture(const WhyView& view, const Canvas& canvas) : view_(view), pen_(canvas) {}

  Scene draw() {
    pen_.scene().title = view_.title;
    pen_.scene().answer = view_.working.empty() ? view_.answer : "";
    if (pen_.too_small()) return pen_.finish();
    if (view_.bars.empty()) {
      pen_.scene().nothing = words_alone();
      return pen_.finish();
    }
    plan();
    measure();
    float y = draw_paragraphs(0);
    const float top = y;
    if (view_.measured > 0) y += high(kWhyMark);
    for (const WhyBar* bar : rows_) {
      draw_row(*bar, y);
      y += row_;
    }
    draw_measured(top, y + pen_.px(2));
    draw_axis(y);
    y += high(kWhyAxis) + pen_.px(4);
    if (legend_) y = draw_legend(y);
    draw_facts(y);
    return pen_.finish();
  }

 private:
  struct Paragraph {
    std::vector<std::string> lines;
    bool first = false;
  };
  // Without bars: what there is to say, a paragraph each.
  std::string words_alone() const {
    if (!view_.working.empty()) return view_.working;
    if (view_.sentences.empty()) return pen_.text("why.nothing");
    std::string words;
    for (const std::string& sentence : view_.sentences) words += (words.empty() ? "" : "\n") + sentence;
    for (const std::string& fact : view_.facts) words += "\n" + fact;
    return words;
  }
  bool brief() const { return pen_.least_type() > 0; }  // presenting: fewer words
  // A line of letters no smaller than they may be.
  float high(float units) const { return pen_.px(std::max(units, 1.35f * pen_.least_type())); }
  Color ink(const Color& color) const {
    return view_.working.empty() ? color : mix(pen_.palette().panel, color, 0.45f);
  }
  Type type_of(bool first) const {
    const Palette& p = pen_.palette();
    return first ? Type{17, p.text, Align::Left, Font::Words, true} : Type{14, p.secondary};
  }
  float line_of(const Paragraph& paragraph) const { return high(paragraph.first ? kWhyFirst : kWhyLine); }
  float height_of(const Paragraph& paragraph) const {
    return line_of(paragraph) * static_cast<float>(paragraph.lines.size()) + pen_.px(4);
  }

  Paragraph paragraph(const std::string& text, bool first) const {
    return {pen_.lines_of(text, pen_.width(), type_of(first), kWhyMostLines), first};
  }
  // The first sentence and a row for every bar come first; then where counts are from, the other sentences,
  // the facts; what is left lets rows say what they divide.
  void plan() {
    float room = pen_.height() - pen_.px(6);
    const bool told = !view_.sentences.empty();
    if (told) {
      paragraphs_.push_back(paragraph(view_.sentences.front(), true));
      room -= height_of(paragraphs_.back());
    }
    room -= high(kWhyAxis) + pen_.px(4) + (view_.measured > 0 ? high(kWhyMark) : 0);
    float rows = high(kWhyLeastRow) * static_cast<float>(view_.bars.size());
    const auto take = [&](float height) {
      if (room - rows < height) return false;
      room -= height;
      return true;
    };
    legend_ = !view_.bars.empty() && take(high(kWhyLine));
    if (told) {
      for (std::size_t i = 1; i < view_.sentences.size(); ++i) {
        Paragraph next = paragraph(view_.sentences[i], false);
        if (!take(height_of(next))) break;
        paragraphs_.push_back(std::move(next));
      }
    }
    for (std::size_t i = 0; i < view_.facts.size() && !brief(); ++i) {
      facts_.push_back(pen_.lines_of(view_.facts[i], pen_.width(), {13, {}}, kWhyMostLines));
      if (take(high(kWhyLine) * static_cast<float>(facts_.back().size()))) continue;
      facts_.pop_back();
      break;
    }
    choose_rows(std::max(0.0f, room + 0.5f));
  }

  // Where not all rows can be read, the longest are shown.
  void choose_rows(float room) {
    for (const WhyBar& bar : view_.bars) rows_.push_back(&bar);
    const auto fit = static_cast<std::size_t>(std::max(0.0f, room / high(kWhyLeastRow)));
    while (rows_.size() > std::max<std::size_t>(fit, 1))
      rows_.erase(std::ranges::min_element(rows_, {}, &WhyBar::seconds));
    if (rows_.empty()) return;
    const float each = std::floor(room / static_cast<float>(rows_.size()));
    details_ = !brief() && each >= high(kWhyWholeRow);
    row_ = std::min(each, high(details_ ? kWhyMostRow : 1.5f * kWhyLeastRow));
  }

  void measure() {
    float label = 0, amount = 0, share = 0;
    for (const WhyBar& bar : view_.bars) {
      label = std::max({label, pen_.width_of(bar.label, kWhyLabel), pen_.width_of(bar.mark, kWhyLabel)});
      amount = std::max(amount, pen_.width_of(bar.amount, kWhyAmount));
      share = std::max(share, pen_.width_of(bar.share, kWhyAmount));
    }
    share_right_ = pen_.width();
    amount_right_ = share_right_ - (share > 0 ? share + pen_.px(14) : 0);
    bars_x_ = std::floor(std::min(label, 0.4f * pen_.width()) + pen_.px(14));
    bars_width_ = amount_right_ - amount - pen_.px(14) - bars_x_;
    most_ = std::max({view_.most, why_most(view_), 1e-12});
  }
  float x_of(double seconds) const {
    return bars_x_ + bars_width_ * static_cast<float>(std::clamp(seconds / most_, 0.0, 1.0));
  }

  float draw_paragraphs(float y) {
    // Of before nothing is told, and nothing moves.
    const bool awaited = !view_.working.empty();
    if (awaited)
      pen_.label_within(1, {0, y + 0.5f * high(kWhyFirst)}, pen_.width(), view_.working, type_of(true));
    for (const Paragraph& one : paragraphs_) {
      if (!awaited) pen_.lines(1, {0, y}, one.lines, line_of(one), type_of(one.first));
      y += height_of(one);
    }
    return y;
  }

  // Across all rows, its words above it: at its left where it stands far right.
  void draw_measured(float top, float bottom) {
    if (!(view_.measured > 0) || !view_.working.empty() || bars_width_ <= pen_.px(24)) return;
    const Palette& p = pen_.palette();
    const float x = std::round(x_of(view_.measured)), wide = std::max(2.0f, pen_.px(2));
    pen_.sharp(2,
               {x - 0.5f * wide, top + 0.55f * high(kWhyMark), wide, bottom - top - 0.55f * high(kWhyMark)},
               ink(p.text));
    const bool at_left = x > 0.5f * pen_.width();
    const float gap = pen_.px(8), room = at_left ? x - gap : pen_.width() - x - gap;
    Type type{13, ink(p.text), at_left ? Align::Right : Align::Left, Font::Words, true};
    pen_.label_fitting(2, {at_left ? x - gap : x + gap, top + 0.5f * high(kWhyMark)}, room,
                       view_.measured_words, type);
  }

  void draw_row(const WhyBar& bar, float top) {
    const Palette& p = pen_.palette();
    const bool two = details_;
    const float middle = top + (two ? 0.3f : 0.5f) * row_, below = top + 0.72f * row_;
    const Color text = ink(bar.mark.empty() ? p.text : p.accent);
    Type label{14, text, Align::Left, Font::Words, !bar.mark.empty()};
    pen_.label_within(1, {0, middle}, bars_x_ - pen_.px(8), bar.label, label);
    if (two) pen_.label_within(1, {0, below}, bars_x_ - pen_.px(8), bar.mark, label);
    pen_.hot_spot({.rect = {0, top, pen_.width(), row_}, .tooltip = bar.tooltip});
    if (bar.seconds > 0 && bars_width_ > pen_.px(24)) {
      const float height = std::min(pen_.px(brief() ? 24 : 16), (two ? 0.5f : 0.72f) * row_);
      const float end = std::max(x_of(bar.seconds), bars_x_ + std::max(2.0f, pen_.px(2)));
      draw_shape(bar.kind, !bar.mark.empty(), {bars_x_, middle - 0.5f * height, end - bars_x_, height});
    }
    pen_.label(1, {amount_right_, middle}, bar.amount,
               {13.5f, text, Align::Right, Font::Code, !bar.mark.empty()});
    if (view_.working.empty())
      pen_.label(1, {share_right_, middle}, bar.share,
                 {13.5f, text, Align::Right, Font::Code, !bar.mark.empty()});
    if (two)
      pen_.label_within(1, {bars_x_, below}, pen_.width() - bars_x_, bar.detail, {13, ink(p.secondary)});
  }

  // Exact: plain. Modelled: hatched. Measured: framed, with a thick end.
  void draw_shape(CountKind kind, bool marked, const Rect& rect) {
    const Palette& p = pen_.palette();
    const Color color = ink(marked ? p.accent : p.secondary);
    const float thin = std::max(1.0f, pen_.px(1.5f));
    if (kind == CountKind::Exact) {
      pen_.sharp(1, rect, mix(p.panel, color, marked ? 1.0f : 0.75f));
      return;
    }
    const bool modelled = kind == CountKind::Modelled;
    pen_.framed(1, rect, mix(p.panel, color, modelled ? 0.15f : 0.35f), color, thin)
        .rounded(0)
        .hatched(modelled ? pen_.px(6) : 0, color);
    if (modelled) return;
    const float end = std::min(rect.width, pen_.px(4));
    pen_.sharp(1, {rect.x + rect.width - end, rect.y, end, rect.height}, color);
  }

  void draw_axis(float y) {
    if (bars_width_ <= pen_.px(24)) return;
    const Palette& p = pen_.palette();
    pen_.sharp(0, {bars_x_, std::round(y + pen_.px(2)), bars_width_, std::max(1.0f, pen_.px(1.5f))},
               ink(p.secondary));
    const float middle = y + 0.58f * high(kWhyAxis), end = bars_x_ + bars_width_;
    Type figure{13, ink(p.secondary), Align::Left, Font::Code};
    const std::string last = seconds_text(most_);
    const float zero = pen_.width_of("0", figure), most = pen_.width_of(last, figure);
    pen_.label(0, {bars_x_, middle}, "0", figure);
    figure.align = Align::Right;
    if (bars_width_ > zero + most + pen_.px(16)) pen_.label(0, {end, middle}, last, figure);
    const float left = bars_x_ + zero + pen_.px(10), right = end - most - pen_.px(10);
    pen_.label_fitting(0, {0.5f * (left + right), middle}, right - left,
                       {pen_.text("why.axis"), pen_.text("why.axis.brief")},
                       {13, ink(p.secondary), Align::Center});
  }

  // A swatch for each kind of count that is on screen.
  float draw_legend(float y) {
    std::vector<Pen::LegendEntry> entries;
    for (const CountKind kind : {CountKind::Exact, CountKind::Modelled, CountKind::Measured}) {
      if (std::ranges::none_of(rows_, [&](const WhyBar* bar) { return bar->kind == kind; })) continue;
      entries.push_back({2, pen_.text("why.legend." + std::to_string(static_cast<int>(kind))),
                         [this, kind](const Rect& rect) { draw_shape(kind, false, rect); }});
    }
    pen_.legend(1, {0, y + 0.5f * high(kWhyLine)}, entries);
    return y + high(kWhyLine);
  }

  void draw_facts(float y) {
    if (!view_.working.empty()) return;
    for (const std::vector<std::string>& lines : facts_)
      for (const std::string& line : lines) {
        pen_.label_within(1, {0, y + 0.5f * high(kWhyLine)}, pen_.width(), line,
                          {13, pen_.palette().secondary});
        y += high(kWhyLine);
      }
  }

  const WhyView& view_;
  Pen pen_;
  std::vector<Paragraph> paragraphs_;
  std::vector<const WhyBar*> rows_;
  double most_ = 1;
  float bars_x_ = 0, bars_width_ = 0, row_ = 0, share_right_ = 0, amount_right_ = 0;
  bool details_ = false, legend_ = false;
  std::vector<std::vector<std::string>> facts_;  // as lines
};

}  // namespace

double why_most(const WhyView& view) {
  double most = view.measured;
  for (const WhyBar& bar : view.bars) most = std::max(most, bar.seconds);
  return most;
}

Scene why_scene(const WhyView& view, const Canvas& canvas) {
  return WhyPicture(view, canvas).draw();
}

}  // namespace warplens::views
