#include "tests/probe/text_check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "app/language/strings.h"
#include "app/scene/file/files.h"
#include "sim/text/shown.h"
#include "tests/probe/probes.h"

namespace warplens::desktop {
namespace {

using panels::DrawnText;

constexpr double kLeastContrast = 4.5;
constexpr float kLeastSize = 13, kLeastPresented = 24;  // pixels at 1080p
constexpr float kLeastPixels = 10.5f;                   // of a small window

bool visible(const DrawnText& t) {
  return t.rect.x + t.rect.width > t.clip.x && t.rect.x < t.clip.x + t.clip.width &&
         t.rect.y + 0.8f * t.rect.height > t.clip.y &&
         t.rect.y + 0.2f * t.rect.height < t.clip.y + t.clip.height;
}

// Against the colour that most of the pixels around the letters have, from one part of the line's height to
// another; 0: not to be told.
double contrast_within(const DrawnText& t, const scene::Image& image, float from, float to) {
  std::map<std::uint32_t, int> counts;
  const int left = std::max(static_cast<int>(t.rect.x), 0),
            right = std::min(static_cast<int>(t.rect.x + t.rect.width), image.width);
  const int top = std::max(static_cast<int>(t.rect.y + from * t.rect.height), 0),
            bottom = std::min(static_cast<int>(t.rect.y + to * t.rect.height), image.height);
  const auto width = static_cast<std::size_t>(image.width);
  for (int y = top; y < bottom; ++y) {
    std::uint32_t run = 0;  // pixels of one colour beside each other are counted together
    int length = 0;
    for (int x = left; x < right; ++x) {
      const auto at = 4 * (static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x));
      const std::uint32_t color =
          std::uint32_t{image.rgba[at]} << 16 | std::uint32_t{image.rgba[at + 1]} << 8 | image.rgba[at + 2];
      if (length > 0 && color != run) counts[run] += length, length = 0;
      run = color, ++length;
    }
    if (length > 0) counts[run] += length;
  }
  // Of large letters there is more than of their ground; a driver rounds their colour in its own way.
  const auto is_ink = [&](std::uint32_t color) {
    const auto near = [&](int shift, float part) {
      return std::abs(static_cast<float>(color >> shift & 255u) - 255 * part) < 1.6f;
    };
    return near(16, t.color.r) && near(8, t.color.g) && near(0, t.color.b);
  };
  if (counts.size() > 1) std::erase_if(counts, [&](const auto& of) { return is_ink(of.first); });
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](auto& a, auto& b) { return a.second < b.second; });
  if (most == counts.end()) return 0;
  const auto part = [&](int shift) { return static_cast<float>(most->first >> shift & 255u) / 255; };
  const scene::Color ground{part(16), part(8), part(0), 1};
  const scene::Color ink =
      t.color.a >= 1 ? t.color : scene::mix(ground, {t.color.r, t.color.g, t.color.b, 1}, t.color.a);
  return static_cast<double>(scene::contrast(ink, ground));
}

// Of the whole line, or of the digits' height, where a cell that they fill has another ground above and
// below; thin letters leave too little ground there. A text that is pale is so by both.
double contrast_of(const DrawnText& t, const scene::Image& image) {
  return std::max(contrast_within(t, image, 0, 1), contrast_within(t, image, 0.2f, 0.8f));
}

// What of the text can be seen.
scene::Rect seen(const DrawnText& t) {
  const float left = std::max(t.rect.x, t.clip.x), top = std::max(t.rect.y, t.clip.y);
  return {left, top, std::min(t.rect.x + t.rect.width, t.clip.x + t.clip.width) - left,
          std::min(t.rect.y + t.rect.height, t.clip.y + t.clip.height) - top};
}

}  // namespace

void TextCheck::complain(const char* what, const DrawnText& text, const std::string& figures) {
  std::string words = text.whole;
  std::replace(words.begin(), words.end(), '\n', ' ');
  const std::string once = what + words + app_.state().language + (app_.state().present ? "p" : "");
  if (!told_.insert(once).second) return;
  text::say(stdout, "%s | %s | %s | %s | %s\n", what, where_.c_str(), words.c_str(), figures.c_str(),
            text.window.c_str());
}

// Under an open sheet there is nothing to read.
void TextCheck::leave_covered_out(std::vector<DrawnText>* texts) const {
  const app::State& s = app_.state();
  const std::string top = texts->empty() ? std::string() : texts->back().window;
  if (s.help || s.share || s.dialog || s.lecturing.list || s.classroom.palette)
    std::erase_if(*texts, [&](const DrawnText& t) { return t.window.find(top) == std::string::npos; });
  // And on the stage what is told lies over the picture's foot.
  const auto floats = [](const DrawnText& t) { return t.window.find("warplens-hint") != std::string::npos; };
  const auto told = std::ranges::find_if(*texts, floats);
  if (told == texts->end()) return;
  const scene::Rect over = told->clip;
  std::erase_if(*texts, [&](const DrawnText& t) {
    return !floats(t) && t.rect.y < over.y + over.height && over.y < t.rect.y + t.rect.height;
  });
}

void TextCheck::look(const std::string& where) {
  where_ = where;
  ++looks_;
  FrameInput in = input_of(target_);
  std::vector<DrawnText> texts;
  for (int i = 0; i < 2; ++i) {  // scroll positions follow a frame later
    in.now = now_ += 1;
    texts.clear();
    panels::observe_texts([&](const DrawnText& text) { texts.push_back(text); });
    target_.framebuffer->bind();
    app_.frame(in);
    panels::observe_texts({});
  }
  told_at_once(texts);
  leave_covered_out(&texts);
  const scene::Image image = target_.framebuffer->read();
  if (!pictures_.empty()) keep(image);
  for (const DrawnText& text : texts) judge(text, image);
  overlaps(texts);
}

// The question of a lesson that is answered, and why what was said is right or wrong: nothing of it is
// scrolled away.
void TextCheck::told_at_once(const std::vector<DrawnText>& texts) {
  const app::State& s = app_.state();
  const auto& active = s.classroom.active;
  const bool has_room = target_.framebuffer->width() >= 1280 && s.zoom <= 1 && !s.classroom.palette;
  if (!has_room || !active || active->prediction() == nullptr || !active->guess.locked) return;
  std::string all;
  for (const DrawnText& t : texts) {
    const bool whole = t.rect.y + 0.2f * t.rect.height >= t.clip.y &&
                       t.rect.y + 0.8f * t.rect.height <= t.clip.y + t.clip.height;
    if (whole) all += t.text;
  }
  std::erase(all, ' ');
  const lesson::Prediction& asked = *active->prediction();
  std::vector<lesson::LocalText> told{asked.question, asked.why};
  const app::Guess& guess = active->guess;
  for (const lesson::WrongAnswer& one : asked.wrong)
    if (one.answer == (guess.empty() ? guess.first.value_or(-1) : guess.value())) told.push_back(one.why);
  for (const lesson::LocalText& one : told) {
    DrawnText missing;
    missing.whole = missing.text = scenario::in_language(one, s.language);
    std::erase(missing.text, ' ');
    if (all.find(missing.text) == std::string::npos) complain("not all in sight", missing, "");
  }
}

void TextCheck::keep(const scene::Image& image) const {
  char number[16];
  std::snprintf(number, sizeof number, "%03d ", looks_);
  Message error;
  if (!scene::write_png(pictures_ / (number + where_ + ".png"), image, &error))
    text::say(stderr, "%s\n", error.english().c_str());
}

void TextCheck::judge(const DrawnText& t, const scene::Image& image) {
  if (!visible(t)) return;  // scrolled away
  char figures[120];
  const float out = std::max(t.clip.x - t.rect.x, t.rect.x + t.rect.width - t.clip.x - t.clip.width);
  std::snprintf(figures, sizeof figures, "%.0f px", static_cast<double>(out));
  if (out > 2) complain("clipped", t, figures);
  std::snprintf(figures, sizeof figures, "%.0f px", static_cast<double>(t.beyond));
  if (t.beyond > 2) complain("outside its picture", t, figures);
  // Scenes shorten their labels themselves. A text may leave its last parts out, whole.
  const bool parts = t.whole.starts_with(t.text + std::string(language::kDot));
  if ((t.text != t.whole && !parts) || t.text.ends_with("…")) complain("shortened", t, t.text);
  // A projector shows a window of any shape as large as the wall allows.
  const float scale =
      std::min(static_cast<float>(image.width) / 1920, static_cast<float>(image.height) / 1080);
  const float asked =
      app_.state().present ? kLeastPresented * scale : std::max(kLeastSize * scale, kLeastPixels);
  const float least = 0.5f * std::floor(2 * asked);  // loaded fonts stand at half pixels
  std::snprintf(figures, sizeof figures, "%.1f px, %.1f is the least", static_cast<double>(t.size),
                static_cast<double>(least));
  if (t.size + 0.05f < least) complain("small", t, figures);
  const float measured = t.rect.height / 1.24f;  // draw_text()
  std::snprintf(figures, sizeof figures, "%.1f px", static_cast<double>(measured));
  if (std::abs(t.size - measured) > 0.09f * measured) complain("not as large as measured", t, figures);
  if (steps_back(t)) return;
  const double c = contrast_of(t, image);
  std::snprintf(figures, sizeof figures, "%.2f", c);
  if (c > 0 && c < kLeastContrast) complain("pale", t, figures);
}

// A picture that is not of the text on screen is under a veil, and that is written over it, on purpose.
bool TextCheck::steps_back(const DrawnText& t) const {
  return !app_.simulation().fresh && t.window == "warplens";
}

void TextCheck::overlaps(const std::vector<DrawnText>& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      const auto &a = texts[i], &b = texts[j];
      if (!visible(a) || !visible(b) || steps_back(a) || steps_back(b)) continue;
      const scene::Rect p = seen(a), q = seen(b);
      const float wide = std::min(p.x + p.width, q.x + q.width) - std::max(p.x, q.x);
      // Of the letters themselves: lines may stand closer than ascenders and descenders would ask.
      const float high = std::min(p.y + 0.8f * p.height, q.y + 0.8f * q.height) -
                         std::max(p.y + 0.2f * p.height, q.y + 0.2f * q.height);
      if (wide > 1.5f && high > 1.5f) complain("overlap", a, "over \"" + b.text + "\"");
    }
  }
}

}  // namespace warplens::desktop
