#include "app/scene/memory/origin_marks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/scene/text.h"

namespace warplens::scene {
namespace {

using sim::Origin;

constexpr std::array kOrigins{Origin::First, Origin::Warp, Origin::Block, Origin::Resident};
constexpr std::size_t kLayer = 1;  // the layer
constexpr float kLetters = 13;

constexpr const char* kNames[] = {"reuse.first", "reuse.warp", "reuse.block", "reuse.resident"};

const char* key_of(Origin origin) {
  return kNames[static_cast<std::size_t>(origin)];
}

// How many pieces the strip has; each is as long as the gap behind it, but for a single one.
int pieces_of(Origin origin) {
  return origin == Origin::First ? 0 : origin == Origin::Warp ? 1 : origin == Origin::Block ? 3 : 7;
}

float swatch_width(const Pen& pen) {
  return pen.px(30);
}

}  // namespace

Color origin_color(const Palette& palette, Origin origin) {
  return palette.origins[static_cast<std::size_t>(origin)];
}

void draw_origin_mark(Pen* pen, std::size_t layer, const Rect& sector, Origin origin) {
  const int pieces = pieces_of(origin);
  const float thick = std::clamp(std::round(0.16f * sector.height), 2.0f, std::max(3.0f, pen->px(4)));
  if (pieces == 0 || sector.height < thick + 2 || sector.width < 4) return;
  const Palette& palette = pen->palette();
  const float top = sector.y + sector.height - thick;
  pen->cell(layer, {sector.x, top - 1, sector.width, thick + 1}, palette.panel).radius = 0;
  const float step = sector.width / (static_cast<float>(pieces) - (pieces > 1 ? 0.5f : 0));
  for (int i = 0; i < pieces; ++i) {
    const float width = pieces > 1 ? 0.5f * step : sector.width;
    pen->cell(layer, {sector.x + step * static_cast<float>(i), top, width, thick},
              origin_color(palette, origin))
        .radius = 0;
  }
}

std::string origin_name(const Pen& pen, Origin origin) {
  return pen.text(key_of(origin));
}

std::string origin_tip(const Pen& pen, Origin origin) {
  return pen.text(std::string(key_of(origin)) + ".tip");
}

ReuseFoot::ReuseFoot(const Canvas& canvas, const ReuseView& view) : canvas_(canvas), view_(view) {
  const Pen pen(canvas);
  if (pen.too_small()) return;
  size_ = std::max(kLetters, pen.least_type());
  row_ = std::ceil(pen.px(1.55f * size_));
  const float room = canvas.height;
  if (room < 6 * row_) return;
  struct Form {
    const char* words;
    bool all;
  };
  for (const Form form : {Form{".legend", true}, {".brief", true}, {".brief", false}, {".count", true}}) {
    legend_ = entries(pen, form.words);
    if (!form.all) std::erase_if(legend_, [](const Entry& entry) { return entry.none; });
    if (width_of(pen, legend_) <= pen.width()) break;
  }
  if (width_of(pen, legend_) > pen.width()) legend_.clear();
  const int most = room >= 14 * row_ ? 2 : room >= 10 * row_ ? 1 : 0;
  if (most > 0 && !view.words.empty()) lines_ = wrapped(view.words, pen.width(), pen.px(size_), most);
  const std::size_t rows = lines_.size() + (legend_.empty() ? 0 : 1);
  height_ = rows == 0 ? 0 : row_ * static_cast<float>(rows) + std::round(pen.px(6));
}

// One for each kind, those of which there is none among them where there is room: what is on screen keeps its
// place from access to access.
std::vector<ReuseFoot::Entry> ReuseFoot::entries(const Pen& pen, const char* form) const {
  std::vector<Entry> all;
  for (const Origin origin : kOrigins) {
    const auto count = std::count(view_.origins.begin(), view_.origins.end(), origin);
    const bool known = !view_.origins.empty() && (origin != Origin::Resident || view_.residents);
    all.push_back({origin, known && count == 0,
                   pen.text(std::string(key_of(origin)) + form,
                            {{"n", known ? std::to_string(count) : std::string("…")}})});
  }
  return all;
}

float ReuseFoot::width_of(const Pen& pen, const std::vector<Entry>& entries) const {
  float width = 0;
  for (const Entry& entry : entries)
    width += swatch_width(pen) + pen.px(6) + pen.width_of(entry.text, {size_}) + pen.px(16);
  return width - pen.px(16);
}

void ReuseFoot::draw_legend(Pen* pen, float y) const {
  const Palette& palette = pen->palette();
  float x = 0;
  for (const Entry& entry : legend_) {
    const float high = std::round(0.62f * row_), width = pen->width_of(entry.text, {size_});
    const Rect swatch{x, std::round(y - 0.5f * high), swatch_width(*pen), high};
    pen->framed(kLayer, swatch, origin_color(palette, entry.origin), origin_color(palette, entry.origin), 1);
    draw_origin_mark(pen, kLayer, swatch, entry.origin);
    const float left = x + swatch.width + pen->px(6);
    pen->label(kLayer, {left, y}, entry.text, {size_, palette.secondary});
    HotSpot spot{{x, y - 0.5f * row_, left - x + width, row_}, -1, -1, -1, {}};
    spot.tooltip = origin_tip(*pen, entry.origin);
    if (entry.origin == Origin::Resident && view_.residents)
      spot.tooltip +=
          "\n" + pen->counted("reuse.residents", *view_.residents, {{"n", std::to_string(*view_.residents)}});
    pen->hot_spot(std::move(spot));
    x = left + width + pen->px(16);
  }
}

void ReuseFoot::add_to(Scene* scene) const {
  if (height_ == 0) return;
  Pen pen(canvas_);
  float y = canvas_.height - height_ + std::round(pen.px(6)) + 0.5f * row_;
  if (!legend_.empty()) draw_legend(&pen, y), y += row_;
  for (const std::string& line : lines_) {
    pen.label(kLayer, {0, y}, line, {size_, pen.palette().text});
    y += row_;
  }
  Scene foot = pen.finish();
  if (scene->layers.size() < foot.layers.size()) scene->layers.resize(foot.layers.size());
  for (std::size_t i = 0; i < foot.layers.size(); ++i) {
    Layer &to = scene->layers[i], &from = foot.layers[i];
    to.cells.insert(to.cells.end(), from.cells.begin(), from.cells.end());
    to.labels.insert(to.labels.end(), from.labels.begin(), from.labels.end());
  }
  for (HotSpot& spot : foot.hot_spots) scene->hot_spots.push_back(std::move(spot));
  scene->height = canvas_.height;
}

}  // namespace warplens::scene
