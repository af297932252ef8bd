// The profile that is open, beside the prediction.
#include "app/picture/pictures.h"
#include "app/readout/words/explanation.h"
#include "app/scene/plot/profile_scene.h"

namespace warplens::picture {
namespace {

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

scene::ProfileRow profile_row(const ExplainedCounter& counter, const Strings& strings) {
  using Kind = scene::ProfileRow::Kind;
  scene::ProfileRow row;
  row.kind = counter.state == Agreement::Equal         ? Kind::Equal
             : counter.state == Agreement::Explained   ? Kind::Explained
             : counter.state == Agreement::Unexplained ? Kind::Unexplained
                                                       : Kind::Behind;
  row.label = app::label_of(counter, strings);
  row.counter = counter.name;
  row.measured = app::measured_text(counter);
  const std::string sum = app::equation(counter, strings);
  // Of what is as predicted the line that makes it says more than that it is so.
  if (row.kind == Kind::Equal) {
    row.sum = strings("explain.as_predicted");
    if (counter.shares.size() == 1) row.sum += " · " + app::share_text(counter.shares.front(), strings);
    row.tip = tip_of(counter, strings);
    return row;
  }
  // The figure stands above it already.
  const std::size_t equals = sum.find("= ");
  row.sum = equals != std::string::npos ? sum.substr(equals)
                                        : strings("explain.predicted", {{"n", app::predicted_text(counter)}});
  row.exact = counter.predicted.value_or(0);
  row.total = counter.measured;
  row.tip = tip_of(counter, strings);
  return row;
}

// "Not predicted: L2 Hit Rate 50.21 %, ..."
void add_profile_foot(const explain::Explanation& explanation, const Strings& strings,
                      scene::ProfileView* view) {
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
  if (count > 0) view->foot = strings("explain.foot", {{"n", std::to_string(count)}, {"names", names}});
}

std::string profile_title(const app::ProfileReading& reading, const Strings& strings) {
  const std::size_t others = reading.choice.others.size();
  return strings(
      others == 0 ? "explain.title" : "explain.title.others",
      {{"file", reading.of->file}, {"id", reading.launch().id}, {"n", std::to_string(others + 1)}});
}

scene::ProfileView profile_view(const app::ProfileReading& reading, const Strings& strings) {
  scene::ProfileView view;
  view.title = profile_title(reading, strings);
  const explain::Explanation& explanation = reading.explanation;
  const std::size_t open = explanation.count(Agreement::Unexplained);
  view.answer_is_costly = open > 0;
  view.answer = open > 0 ? strings(open == 1 ? "explain.answer.open.one" : "explain.answer.open",
                                   {{"n", std::to_string(open)}})
                         : strings("explain.answer.all");
  for (const ExplainedCounter& counter : explanation.counters)
    if (counter.predicted) view.rows.push_back(profile_row(counter, strings));
  if (!reading.choice.same()) view.answer = strings("explain.answer.other"), view.answer_is_costly = true;
  if (view.rows.empty()) view.answer.clear();
  add_profile_foot(explanation, strings, &view);
  return view;
}

}  // namespace

scene::Scene profile(const Inputs& in, const scene::Canvas& canvas) {
  const Strings& strings = *canvas.strings;
  scene::Scene scene;
  scene.width = canvas.width, scene.height = canvas.height;
  const app::ProfileReading* reading = in.plots == nullptr ? nullptr : in.plots->reading.get();
  if (reading == nullptr) {
    scene.title = strings("explain.title.none");
    scene.nothing = strings(in.plots != nullptr && in.plots->busy ? "explain.busy" : "explain.none");
    return scene;
  }
  if (!reading->trouble.empty()) {
    scene.title = strings("explain.title.file", {{"file", reading->of->file}});
    scene.nothing = strings(reading->trouble.front());
    return scene;
  }
  scene::ProfileView view = profile_view(*reading, strings);
  if (!view.rows.empty()) return scene::profile_scene(view, canvas);
  scene.title = view.title;
  scene.nothing = strings("explain.nothing_known") + (view.foot.empty() ? "" : "\n" + view.foot);
  return scene;
}

}  // namespace warplens::picture
