// What a profiler counted, number by number: bars of what each consists of. Those that differ stand first,
// with their sum in words; those that are as predicted have a line each.
#include "app/views/profile.h"

#include <algorithm>
#include <cmath>

#include "app/readout/words/explanation.h"
#include "app/views/drawing.h"
#include "app/views/inputs.h"
#include "app/views/views.h"
#include "sim/report/report.h"

namespace warplens::views {

// ---- what it derives

ProfileReading read_beside(const std::shared_ptr<const app::LoadedProfile>& profile,
                           const app::Simulation& simulation, const std::string& launch) {
  if (simulation.totals->error)
    return {profile, {Message("nothing to hold it against: {}", simulation.totals->error->message)}, {}, {}};
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
  reading.explanation = explain::explain_launch(report, reading.launch(), {reading.choice.same(), nullptr});
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

// ---- how it is drawn

struct ProfileRow {
  enum class Kind : std::uint8_t { Unexplained, Explained, Behind, Equal };
  Kind kind = Kind::Equal;
  std::string label;     // "bank conflicts, shared store"
  std::string measured;  // "16,012,462"
  // "= 15,728,640 by addresses + 283,822 by arbitration", or that it is as predicted.
  std::string sum;
  double exact = 0, total = 0;  // what is predicted, and what was measured; both 0: no bar
  std::string tip;
};

struct ProfileView {
  std::vector<ProfileRow> rows;  // in any order
  std::string title, answer;
  bool answer_is_costly = false;  // something is not explained
  std::string foot;               // what is not predicted, in a line
  std::string foot_tip;
};

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
    return row.kind == ProfileRow::Kind::Equal         ? p.text
           : row.kind == ProfileRow::Kind::Unexplained ? p.costly
                                                       : p.secondary;
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
      pen_.label_within(1, {x, y}, room, row.sum, {13, p.text});
    } else {
      draw_bar(row, {x, top + pen_.px(5), room, line - pen_.px(10)});
      pen_.label_within(1, {0, top + 1.5f * line}, pen_.width(), row.sum, {13, ink_of(row)});
    }
    pen_.hot_spot({.rect = {0, top, pen_.width(), height}, .tooltip = row.tip});
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
    if (both > 0) pen_.sharp(0, {room.x, room.y, both, room.height}, mix(p.panel, p.accent, 0.7f));
    const float rest = std::max(room.width - both, row.exact == row.total ? 0 : 2 * thin);
    if (rest <= 0) return;
    const Rect box{room.x + room.width - rest, room.y, rest, room.height};
    const Color color = unexplained ? p.costly : p.secondary;
    pen_.framed(0, box, with_alpha(color, 0.12f), color, thin)
        .rounded(0)
        .hatched(row.total > row.exact ? pen_.px(6) : 0, with_alpha(color, 0.8f));
  }

  void draw_rest(float top, std::size_t shown) {
    const auto count = static_cast<long long>(rows_.size() - shown);
    const bool equal = rows_[shown]->kind == ProfileRow::Kind::Equal;
    const std::string text =
        pen_.counted(equal ? "explain.more.equal" : "explain.more", count, {{"n", count}});
    pen_.label_within(1, {0, top + 0.5f * pen_.px(kLine)}, pen_.width(), text,
                      {13, pen_.palette().secondary});
    std::string tip;
    for (std::size_t i = shown; i < std::min(rows_.size(), shown + 20); ++i)
      tip += (i > shown ? "\n" : "") + rows_[i]->label + ": " + rows_[i]->measured;
    pen_.hot_spot({.rect = {0, top, pen_.width(), pen_.px(kLine)}, .tooltip = std::move(tip)});
  }

  void draw_foot() {
    if (view_.foot.empty()) return;
    const float height = pen_.px(kFoot), top = pen_.height() - height;
    pen_.label_within(1, {0, top + 0.5f * height}, pen_.width(), view_.foot, {13, pen_.palette().faint});
    pen_.hot_spot({.rect = {0, top, pen_.width(), height}, .tooltip = view_.foot_tip});
  }

  const ProfileView& view_;
  Pen pen_;
  std::vector<const ProfileRow*> rows_;
  float figure_right_ = 0;
};

// ---- what it says

using explain::Agreement;
using explain::ExplainedCounter;
using language::Strings;

constexpr std::size_t kMostShares = 4, kMostNamed = 24;  // in a tooltip

std::string tip_of(const ExplainedCounter& counter, const Strings& strings) {
  std::string tip = counter.name + "\n" +
                    strings("explain.tip", {{"measured", app::measured_text(counter)},
                                            {"predicted", app::predicted_text(counter)}});
  for (std::size_t i = 0; i < std::min(counter.shares.size(), kMostShares); ++i)
    tip += "\n" + app::share_text(counter.shares[i], strings);
  const std::string reason = app::reason_of(counter, strings);
  return reason.empty() ? tip : tip + "\n" + reason;
}

ProfileRow profile_row(const ExplainedCounter& counter, const Strings& strings) {
  using Kind = ProfileRow::Kind;
  ProfileRow row;
  row.kind = counter.state == Agreement::Equal         ? Kind::Equal
             : counter.state == Agreement::Explained   ? Kind::Explained
             : counter.state == Agreement::Unexplained ? Kind::Unexplained
                                                       : Kind::Behind;
  row.label = app::label_of(counter, strings);
  row.measured = app::measured_text(counter);
  row.tip = tip_of(counter, strings);
  // Of what is as predicted the line that makes it says more than that it is so.
  if (row.kind == Kind::Equal) {
    row.sum = strings("explain.as_predicted");
    if (counter.shares.size() == 1) row.sum += " · " + app::share_text(counter.shares.front(), strings);
    return row;
  }
  // The figure stands above it already.
  const std::string sum = app::equation(counter, strings);
  const std::size_t equals = sum.find("= ");
  row.sum = equals != std::string::npos ? sum.substr(equals)
                                        : strings("explain.predicted", {{"n", app::predicted_text(counter)}});
  row.exact = counter.predicted.value_or(0);
  row.total = counter.measured;
  return row;
}

// "Not predicted: L2 Hit Rate 50.21 %, ..."
void add_profile_foot(const explain::Explanation& explanation, const Strings& strings, ProfileView* view) {
  std::string names;
  std::size_t count = 0;
  for (const ExplainedCounter& counter : explanation.counters) {
    if (counter.state != Agreement::NotPredicted) continue;
    const std::string figure = app::label_of(counter, strings) + " " + app::measured_text(counter);
    if (count < kMostNamed) {
      names += (count == 0 ? "" : " · ") + figure;
      const std::string meaning = app::reason_of(counter, strings);
      view->foot_tip += (count == 0 ? "" : "\n") + figure + (meaning.empty() ? "" : ": " + meaning);
    }
    ++count;
  }
  if (count > kMostNamed) names += " …", view->foot_tip += "\n…";
  if (count > 0) view->foot = strings("explain.foot", {{"n", count}, {"names", names}});
}

ProfileView profile_view(const ProfileReading& reading, const Strings& strings) {
  ProfileView view;
  const std::size_t others = reading.choice.others.size();
  view.title = strings(others == 0 ? "explain.title" : "explain.title.others",
                       {{"file", reading.of->file}, {"id", reading.launch().id}, {"n", others + 1}});
  const explain::Explanation& explanation = reading.explanation;
  const std::size_t open = explanation.count(Agreement::Unexplained);
  view.answer_is_costly = open > 0;
  view.answer = open > 0
                    ? strings(open == 1 ? "explain.answer.open.one" : "explain.answer.open", {{"n", open}})
                    : strings("explain.answer.all");
  for (const ExplainedCounter& counter : explanation.counters)
    if (counter.predicted) view.rows.push_back(profile_row(counter, strings));
  if (!reading.choice.same()) view.answer = strings("explain.answer.other"), view.answer_is_costly = true;
  if (view.rows.empty()) view.answer.clear();
  add_profile_foot(explanation, strings, &view);
  return view;
}

Scene draw_profile(const Inputs& in, const Canvas& canvas) {
  const Strings& strings = *canvas.strings;
  const auto reading = app::made_of<ProfileReading>(in.made, ViewId::Profile);
  if (reading == nullptr)
    return nothing_of(canvas, "explain.title.none",
                      strings(in.made != nullptr && in.made->busy ? "explain.busy" : "explain.none"));
  Scene scene = nothing_of(canvas, "explain.title.file", {});
  if (!reading->trouble.empty()) {
    scene.title = strings("explain.title.file", {{"file", reading->of->file}});
    scene.nothing = strings(reading->trouble.front());
    return scene;
  }
  const ProfileView view = profile_view(*reading, strings);
  if (!view.rows.empty()) return ProfilePicture(view, canvas).draw();
  scene.title = view.title;
  scene.nothing = strings("explain.nothing_known") + (view.foot.empty() ? "" : "\n" + view.foot);
  return scene;
}

}  // namespace

const Row& profile() {
  static const Row kRow{
      .id = ViewId::Profile,
      .tab = "explain.tab",
      .tip = "explain.tab.tip",
      .file = "profile",
      .where = Tab::WhereThereIsOne,
      .is_there = [](const app::State& state, const app::Simulation&) { return state.profile != nullptr; },
      .derive = derive_profile,
      .draw = draw_profile};
  return kRow;
}

}  // namespace warplens::views
