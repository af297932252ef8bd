// What a profiler counted, number by number: bars of what each consists of. Those that differ stand first,
// with their sum in words; those that are as predicted have a line each.
#include "app/views/profile.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/readout/words.h"
#include "app/views/drawing.h"
#include "app/views/inputs.h"
#include "app/views/views.h"
#include "sim/report/report.h"

namespace warplens::views {

// ---- what it derives

// `launch`: its ID; empty: the first that fits. Precondition: totals.
static ProfileReading read_beside(const std::shared_ptr<const app::LoadedProfile>& profile,
                                  const app::Simulation& simulation, const std::string& launch) {
  if (simulation.totals->error)
    return {profile, {Message("nothing to compare it with: {}", simulation.totals->error->message)}, {}, {}};
  const app::Compiled& compiled = *simulation.compiled;
  const report::Report report =
      report::make_report({compiled.setup, compiled.program, compiled.gpu, {}}, *simulation.totals);
  ProfileReading reading;
  reading.of = profile;
  auto choice = explain::choose_launch(
      profile->profile,
      {{report.kernel}, report.template_arguments, report.launch.grid, report.launch.block, launch},
      profile->file);
  reading.trouble = std::move(choice.errors);
  if (!choice) return reading;
  reading.choice = std::move(*choice.value);
  reading.explanation =
      explain::explain_launch(report, reading.launch(), {reading.choice.differs.empty(), nullptr});
  return reading;
}

namespace {

struct ReadBeside {
  std::shared_ptr<const app::LoadedProfile> profile;
  std::shared_ptr<const sim::Totals> totals;
  std::string launch;  // that was asked for
  friend bool operator==(const ReadBeside&, const ReadBeside&) = default;
};

// A launch has some thousands of metrics at most: that is read within the frame.
app::Made derive_profile(const Deriving& on) {
  const app::Simulation& s = on.simulation;
  app::Made made{ViewId::Profile};
  if (!on.profile) return made;
  if (!s.fresh || !s.totals) {
    made.busy = s.busy || (s.fresh && !s.totals);
    return made;
  }
  made.value = on.memos.now<ProfileReading>(ReadBeside{on.profile, s.totals, on.plot_view.launch},
                                            [&] { return read_beside(on.profile, s, on.plot_view.launch); });
  return made;
}

// ---- how it is drawn, and what it says

using explain::Agreement;
using explain::ExplainedCounter;
using language::Strings;

constexpr float kWhole = 50, kLine = 22, kFoot = 22;  // of the design: a row with its sum, without, the foot
constexpr std::size_t kMostShares = 4, kMostNamed = 24;  // in a tooltip

// Those that differ stand first.
int rank_of(const ExplainedCounter* counter) {
  constexpr std::array kFirst{Agreement::Unexplained, Agreement::Explained, Agreement::Behind};
  return static_cast<int>(std::ranges::find(kFirst, counter->state) - kFirst.begin());
}

class ProfilePicture {
 public:
  ProfilePicture(const ProfileReading& reading, const Canvas& canvas)
      : reading_(reading), pen_(canvas), strings_(*canvas.strings) {
    for (const ExplainedCounter& counter : reading.explanation.counters)
      if (counter.predicted) rows_.push_back(&counter);
    std::ranges::stable_sort(rows_, {}, rank_of);
    name_others();
  }

  Scene draw() {
    const std::size_t others = reading_.choice.others.size();
    pen_.scene().title =
        pen_.text(others == 0 ? "explain.title" : "explain.title.others",
                  {{"file", reading_.of->file}, {"id", reading_.launch().id}, {"n", others + 1}});
    if (rows_.empty()) {
      pen_.scene().nothing = pen_.text("explain.nothing_known") + (foot_.empty() ? "" : "\n" + foot_);
      return pen_.finish();
    }
    answer();
    if (pen_.too_small()) return pen_.finish();
    figure_right_ = std::floor(std::min(0.62f * pen_.width(), pen_.px(400)));
    const float bottom = pen_.height() - (foot_.empty() ? 0 : pen_.px(kFoot));
    float y = 0;
    std::size_t shown = 0;
    for (; shown < rows_.size(); ++shown) {
      const float height = pen_.px(differs(*rows_[shown]) ? kWhole : kLine);
      const bool last = shown + 1 == rows_.size();
      if (y + height > bottom - (last ? 0 : pen_.px(kLine))) break;
      draw_row(*rows_[shown], y, height);
      y += height;
    }
    if (shown < rows_.size()) draw_rest(y, shown);
    if (!foot_.empty())
      draw_line(pen_.height() - pen_.px(kFoot), kFoot, foot_, pen_.palette().faint, foot_tip_);
    return pen_.finish();
  }

 private:
  static bool differs(const ExplainedCounter& counter) { return counter.state != Agreement::Equal; }

  void answer() {
    const std::size_t open = reading_.explanation.count(Agreement::Unexplained);
    const bool other = !reading_.choice.differs.empty();
    Scene& scene = pen_.scene();
    scene.answer = other ? pen_.text("explain.answer.other")
                   : open > 0
                       ? pen_.counted("explain.answer.open", static_cast<long long>(open), {{"n", open}})
                       : pen_.text("explain.answer.all");
    scene.answer_is_costly = other || open > 0;
    scene.answer_is_ideal = !scene.answer_is_costly;
  }

  // "Not predicted: L2 Hit Rate 50.21 %, ..."
  void name_others() {
    std::string names;
    std::size_t count = 0;
    for (const ExplainedCounter& counter : reading_.explanation.counters) {
      if (counter.state != Agreement::NotPredicted || ++count > kMostNamed) continue;
      const std::string figure = app::label_of(counter, strings_) + " " + app::measured_text(counter);
      const std::string reason = app::reason_of(counter, strings_);
      names += (count == 1 ? "" : " · ") + figure;
      foot_tip_ += (count == 1 ? "" : "\n") + figure + (reason.empty() ? "" : ": " + reason);
    }
    if (count > kMostNamed) names += " …", foot_tip_ += "\n…";
    if (count > 0) foot_ = strings_("explain.foot", {{"n", count}, {"names", names}});
  }

  // Of what is as predicted the line that makes it says more than that it is so.
  std::string sum_of(const ExplainedCounter& counter) const {
    if (!differs(counter))
      return strings_("explain.as_predicted") +
             (counter.shares.size() == 1 ? " · " + app::share_text(counter.shares.front(), strings_) : "");
    const std::string sum = app::equation(counter, strings_);
    const std::size_t equals = sum.find("= ");  // the figure stands above it already
    return equals != std::string::npos ? sum.substr(equals)
                                       : strings_("explain.predicted", {{"n", app::predicted_text(counter)}});
  }

  std::string tip_of(const ExplainedCounter& counter) const {
    std::string tip = counter.name + "\n" +
                      strings_("explain.tip", {{"measured", app::measured_text(counter)},
                                               {"predicted", app::predicted_text(counter)}});
    for (std::size_t i = 0; i < std::min(counter.shares.size(), kMostShares); ++i)
      tip += "\n" + app::share_text(counter.shares[i], strings_);
    const std::string reason = app::reason_of(counter, strings_);
    return reason.empty() ? tip : tip + "\n" + reason;
  }

  void draw_row(const ExplainedCounter& counter, float top, float height) {
    const Palette& p = pen_.palette();
    const bool bold = differs(counter);
    const float line = pen_.px(kLine), y = top + 0.5f * line, gap = pen_.px(12);
    const Type number{14, p.text, Align::Right, Font::Code, bold};
    const std::string measured = app::measured_text(counter), sum = sum_of(counter);
    pen_.label(1, {figure_right_, y}, measured, number);
    pen_.label_within(1, {0, y}, figure_right_ - pen_.width_of(measured, number) - gap,
                      app::label_of(counter, strings_), {14, p.text, Align::Left, Font::Words, bold});
    const float x = figure_right_ + gap, room = pen_.width() - x;
    if (!bold) {
      pen_.label_within(1, {x, y}, room, sum, {13, p.text});
    } else {
      draw_bar(counter, {x, top + pen_.px(5), room, line - pen_.px(10)});
      const bool open = counter.state == Agreement::Unexplained;
      pen_.label_within(1, {0, top + 1.5f * line}, pen_.width(), sum, {13, open ? p.costly : p.secondary});
    }
    pen_.hot_spot({.rect = {0, top, pen_.width(), height}, .tooltip = tip_of(counter)});
  }

  // As long as the larger of the two: what is exact is plain, what came on top is hatched, what is missing is
  // a frame alone.
  void draw_bar(const ExplainedCounter& counter, const Rect& room) {
    const Palette& p = pen_.palette();
    const double exact = *counter.predicted, total = counter.measured, most = std::max(exact, total);
    if (!(most > 0) || room.width < pen_.px(24) || !std::isfinite(most)) return;
    const float thin = std::max(1.0f, pen_.px(1));
    const float both = static_cast<float>(std::min(exact, total) / most) * room.width;
    if (both > 0) pen_.sharp(0, {room.x, room.y, both, room.height}, mix(p.panel, p.accent, 0.7f));
    const float rest = std::max(room.width - both, exact == total ? 0 : 2 * thin);
    if (rest <= 0) return;
    const Rect box{room.x + room.width - rest, room.y, rest, room.height};
    const Color color = counter.state == Agreement::Unexplained ? p.costly : p.secondary;
    pen_.framed(0, box, with_alpha(color, 0.12f), color, thin)
        .rounded(0)
        .hatched(total > exact ? pen_.px(6) : 0, with_alpha(color, 0.8f));
  }

  void draw_line(float top, float height, const std::string& words, Color ink, std::string tip) {
    pen_.label_within(1, {0, top + 0.5f * pen_.px(height)}, pen_.width(), words, {13, ink});
    pen_.hot_spot({.rect = {0, top, pen_.width(), pen_.px(height)}, .tooltip = std::move(tip)});
  }

  void draw_rest(float top, std::size_t shown) {
    const auto count = static_cast<long long>(rows_.size() - shown);
    std::string tip;
    for (std::size_t i = shown; i < std::min(rows_.size(), shown + 20); ++i)
      tip +=
          (i > shown ? "\n" : "") + app::label_of(*rows_[i], strings_) + ": " + app::measured_text(*rows_[i]);
    draw_line(
        top, kLine,
        pen_.counted(differs(*rows_[shown]) ? "explain.more" : "explain.more.equal", count, {{"n", count}}),
        pen_.palette().secondary, std::move(tip));
  }

  const ProfileReading& reading_;
  Pen pen_;
  const Strings& strings_;
  std::vector<const ExplainedCounter*> rows_;
  std::string foot_, foot_tip_;  // what is not predicted, in a line
  float figure_right_ = 0;
};

Scene draw_profile(const Inputs& in, const Canvas& canvas) {
  const Strings& strings = *canvas.strings;
  const auto reading = app::made_of<ProfileReading>(in.made, ViewId::Profile);
  if (reading == nullptr)
    return nothing_of(canvas, "explain.title.none",
                      strings(in.made != nullptr && in.made->busy ? "explain.busy" : "explain.none"));
  if (reading->trouble.empty()) return ProfilePicture(*reading, canvas).draw();
  Scene scene = nothing_of(canvas, "explain.title.file", strings(reading->trouble.front()));
  scene.title = strings("explain.title.file", {{"file", reading->of->file}});
  return scene;
}

}  // namespace

const Row& profile() {
  static const Row kRow{
      .id = ViewId::Profile,
      .file = "profile",
      .where = Tab::WhereThereIsOne,
      .is_there = [](const app::State& state, const app::Simulation&) { return state.profile != nullptr; },
      .derive = derive_profile,
      .draw = draw_profile};
  return kRow;
}

}  // namespace warplens::views
