// The whole grid: what was counted, beside what was measured of exactly this configuration.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/panels.h"
#include "app/panels/widgets/ui.h"
#include "app/readout/words.h"
#include "app/simulate/pricing.h"
#include "app/views/counts.h"
#include "sim/base/numbers.h"

namespace warplens::panels {
namespace {

using app::GridTab;
using views::CounterRow;
using views::WorstLine;

std::string simulated_text(const View& view, const sim::Totals& totals) {
  if (totals.blocks_simulated == totals.blocks_total) return view.strings("grid.all_simulated");
  return view.strings(totals.blocks_simulated == 1 ? "grid.simulated.one" : "grid.simulated",
                      {{"n", grouped(totals.blocks_simulated)}});
}

// One row's figures as they stand, so that columns can be as wide as they need to be.
struct Texts {
  std::string predicted, measured, difference;
};

// "37,814,272", or "37.8 M" where there is no room for the names otherwise; tooltips have all digits.
std::string figure_text(long long figure, bool brief) {
  constexpr long long kLong = 100'000;
  if (!brief || std::abs(figure) < kLong) return grouped(figure);
  return (figure < 0 ? "-" : "") + short_count(static_cast<std::uint64_t>(std::abs(figure)));
}

Texts texts_of(const CounterRow& row, bool brief) {
  Texts texts;
  if (row.predicted) texts.predicted = figure_text(static_cast<long long>(*row.predicted), brief);
  if (!row.predicted) texts.predicted = "–";
  if (!row.measured) return texts;
  const long long measured = std::llround(*row.measured);
  texts.measured = figure_text(measured, brief);
  if (!row.predicted) return texts;
  const long long difference = measured - static_cast<long long>(*row.predicted);
  texts.difference = difference == 0 ? "=" : (difference > 0 ? "+" : "") + figure_text(difference, brief);
  return texts;
}

// What gives way so that names have room: digits first, then what was measured and its difference.
enum class Spare { Nothing, Digits, Measured };

struct Columns {
  float predicted = 0, measured = 0, difference = 0;  // right ends; 0: there is none
  bool brief = false;                                 // figures are rounded
};

// How far prediction and measurement are apart is asked for with *counters*: beside totals it would be read
// as a failure to predict what no address decides (arbitration, caches).
Columns columns_of(const View& view, const std::vector<CounterRow>& rows, const Rect& inner, bool counters,
                   Spare spare) {
  Columns columns;
  const bool brief = columns.brief = spare != Spare::Nothing;
  columns.predicted = right(inner);
  if (!counters || spare == Spare::Measured) return columns;
  float difference = view.px(16), measured = text_width(view, view.strings("grid.recorded"), {13});
  for (const CounterRow& row : rows) {
    const Texts texts = texts_of(row, brief);
    difference =
        std::max(difference, text_width(view, texts.difference, {13, {}, Align::Right, Face::CodeBold}));
    measured = std::max(measured, text_width(view, texts.measured, {14, {}, Align::Right, Face::Code}));
  }
  columns.measured = right(inner);
  if (view.state.grid_tab == GridTab::Counters) {
    columns.difference = right(inner);
    columns.measured -= difference + view.px(12);
  }
  columns.predicted = columns.measured - measured - view.px(12);
  return columns;
}

float label_room(const View& view, const CounterRow& row, const Rect& inner, const Columns& columns) {
  const Texts texts = texts_of(row, columns.brief);
  return columns.predicted - text_width(view, texts.predicted, {14, {}, Align::Right, Face::Code}) - inner.x -
         view.px(8);
}

const std::string& shortest_label(const CounterRow& row) {
  return row.short_label.empty() ? row.label : row.short_label;
}

// As much as leaves every row's name its room.
Columns fitting_columns(const View& view, const std::vector<CounterRow>& rows, const Rect& inner,
                        bool counters) {
  const auto fits = [&](const Columns& columns) {
    return std::ranges::all_of(rows, [&](const CounterRow& row) {
      return text_width(view, shortest_label(row), {14}) <= label_room(view, row, inner, columns);
    });
  };
  for (const Spare spare : {Spare::Nothing, Spare::Digits}) {
    const Columns columns = columns_of(view, rows, inner, counters, spare);
    if (fits(columns)) return columns;
  }
  return columns_of(view, rows, inner, counters, Spare::Measured);
}

std::string tip_of(const View& view, const CounterRow& row) {
  std::string tip = row.label + "\n" + with_meaning(view, row.counter);
  if (row.predicted) {
    const std::string predicted = grouped(static_cast<long long>(*row.predicted));
    tip += "\n" + view.strings("grid.tip.predicted", {{"n", predicted}});
  }
  const measure::Measurement* measurement = app::measurement_of(view.times);
  if (row.measured && measurement != nullptr) {
    tip += "\n" + view.strings(measurement->recorded ? "grid.tip.recorded" : "grid.tip.measured",
                               {{"n", grouped(std::llround(*row.measured))}});
  }
  if (row.ideal) {
    tip += "\n" + view.strings("grid.ideal", {{"n", grouped(static_cast<long long>(*row.ideal))}});
  }
  if (!row.predicted) tip += "\n" + view.strings("grid.not_predicted");
  const std::string cause = views::cause_text(row.cause, view.strings);
  return cause.empty() ? tip : tip + "\n" + view.strings("grid.cause", {{"cause", cause}});
}

// "arbitration": what stands before the colon.
std::string cause_word(const View& view, const CounterRow& row) {
  const std::string text = views::cause_text(row.cause, view.strings);
  return text.substr(0, std::min(text.find(':'), text.find("：")));
}

void draw_row(const View& view, const CounterRow& line, const Rect& row, const Columns& columns, int id,
              bool with_cause) {
  const scene::Palette& p = view.palette;
  const Texts texts = texts_of(line, columns.brief);
  const std::string cause = with_cause ? cause_word(view, line) : std::string();
  const float y = cause.empty() ? middle(row) : row.y + 0.34f * row.height;
  const Color verdict = !line.ideal ? p.text : *line.predicted > *line.ideal ? p.costly : p.ideal;
  draw_text(view, {columns.predicted, y}, texts.predicted,
            {14, line.predicted ? verdict : p.faint, Align::Right, Face::Code});
  const Type type{14, p.secondary};
  const float room = label_room(view, line, row, columns);
  draw_text(view, {row.x, y}, first_that_fits(view, {line.label, shortest_label(line)}, room, type), type);
  if (line.measured && columns.measured > 0) {
    draw_text(view, {columns.measured, y}, texts.measured, {14, p.text, Align::Right, Face::Code});
    if (columns.difference > 0)
      draw_text(view, {columns.difference, y}, texts.difference,
                {13, texts.difference == "=" ? p.text : p.secondary, Align::Right, Face::CodeBold});
  }
  draw_text(view, {right(row), row.y + 0.76f * row.height}, cause,
            {13, p.faint, Align::Right, Face::Words, 0.6f * row.width});
  // Where the number comes from: the lines of the source that add up to it.
  const bool broken_down = view.state.grid_tab == GridTab::Totals && line.predicted;
  const std::string tip = tip_of(view, line) + (broken_down ? "\n" + view.strings("grid.tip.lines") : "");
  const Hit hit = hit_area(id, row);
  if (broken_down && hit.clicked) view.act(app::SetGridTab{GridTab::Lines});
  if (hit.hovered) tooltip(view, tip);
}

// What is to be known of the counts: data that steer them and that nobody chose, barriers that not all
// threads reach together, arrays whose accesses are not among them.
std::vector<Message> notes_of(const app::Simulation& s) {
  std::vector<Message> notes;
  if (!s.fresh || s.empty() || !s.totals) return notes;
  const Message& apart =
      s.totals->divergent_barrier.empty() ? s.trace->divergent_barrier : s.totals->divergent_barrier;
  if (!apart.empty()) notes.push_back(apart);
  for (const report::SteeringBuffer& buffer : report::steering_buffers(s.program(), s.compiled->setup.launch))
    notes.push_back(report::words_of(buffer));
  for (const report::LineNotes& line : report::local_memory_lines(s.program()))
    notes.insert(notes.end(), line.words.begin(), line.words.end());
  return notes;
}

// How the counts came about.
void draw_state(const View& view, const Rect& inner, float room) {
  const app::Simulation& s = view.sim;
  Type type{13, view.palette.faint};
  std::string state, brief;
  if (!s.fresh && s.empty()) return;  // nothing has been good yet
  if (!s.fresh) {
    const bool text = app::picture_of(s, view.state.settings) == app::PictureOf::OtherText;
    state = view.strings(text ? "grid.last_good" : "grid.last_launch"), type.color = view.palette.costly;
  } else if (s.totals) {
    state = simulated_text(view, *s.totals);
    brief = view.strings("grid.simulated.brief", {{"n", grouped(s.totals->blocks_simulated)}});
  } else if (!s.empty()) {
    state = view.strings("grid.counting",
                         {{"percent", std::to_string(static_cast<int>(100 * s.totals_progress))}});
  }
  if (brief.empty()) brief = state;
  const std::vector<Message> notes = notes_of(s);
  if (!notes.empty()) {
    const std::string mark = " · " + view.strings(notes.size() == 1 ? "grid.notes.one" : "grid.notes",
                                                  {{"n", std::to_string(notes.size())}});
    state += mark, brief += mark, type.color = view.palette.costly;
  }
  const float y = inner.y + view.px(8);
  draw_text(view, {inner.x, y}, first_that_fits(view, {state, brief}, room, type), type);
  const bool unlike = s.fresh && s.totals && !s.totals->data_dependent.empty();
  std::string tip;
  if (unlike) tip = view.strings("grid.unlike.tip", {{"why", view.strings(s.totals->data_dependent)}});
  for (const Message& note : notes) tip += (tip.empty() ? "" : "\n") + view.strings(note);
  const Rect words{inner.x, y - view.px(9), std::min(room, text_width(view, state, type)), view.px(18)};
  if (!tip.empty() && hit_area("state", words).hovered)
    tooltip(view, tip);
  else if (text_width(view, state, type) > room)
    tell_whole(view, {inner.x, y - view.px(9), room, view.px(18)}, state);
}

// The columns' names. Gives the room left of them.
float draw_titles(const View& view, const Rect& inner, const Columns& columns,
                  const measure::Measurement* measurement) {
  const float y = inner.y + view.px(8);
  const Type type{13, view.palette.faint, Align::Right};
  const float predicted = draw_text(view, {columns.predicted, y}, view.strings("grid.predicted"), type);
  const float room = columns.predicted - predicted - view.px(10) - inner.x;
  if (measurement == nullptr || columns.measured == 0) return room;
  draw_text(view, {columns.measured, y},
            view.strings(measurement->recorded ? "grid.recorded" : "grid.measured"), type);
  if (columns.difference > 0) draw_text(view, {columns.difference, y}, "Δ", type);
  return room;
}

// At the bottom: of what the figures are, or why there are none. Gives the height taken.
float draw_note(const View& view, const Rect& inner, const measure::Measurement* measurement,
                const std::vector<CounterRow>& rows, bool with_difference = true) {
  std::string words, brief;
  const auto say = [&](const std::string& key, std::initializer_list<language::Value> values) {
    words = view.strings(key, values), brief = view.strings(key + ".short", values);
  };
  const std::string uncounted = views::uncounted_text(view.sim.compiled->uncounted, view.strings);
  const bool few = view.state.grid_tab == GridTab::Totals;  // there every row says its cause itself, or else
  const std::string difference = few && with_difference ? views::note_key(rows) : "";
  if (!uncounted.empty()) {
    words = brief = uncounted;
  } else if (!difference.empty()) {
    say(difference, {});
  } else if (measurement != nullptr && !measurement->counters.values.empty()) {
    const bool optimised = measurement->subject.mode == measure::CompileMode::AsOptimised;
    say("grid.note.counters",
        {{"gpu", measurement->device.name},
         {"mode", view.strings(optimised ? "times.mode.optimised" : "times.mode.written")}});
  } else if (measurement != nullptr && !measurement->counters.reason.empty()) {
    words = brief =
        view.strings("grid.no_counters", {{"reason", view.strings(measurement->counters.reason)}});
  } else {
    say("grid.note.exact", {{"gpu", std::string(view.sim.compiled->gpu->name)}});
  }
  const Type type{13, uncounted.empty() ? view.palette.faint : view.palette.costly};
  auto lines = wrapped(view, words, inner.width, type);
  const std::size_t most = view.state.grid_tab == GridTab::Totals ? 1 : 4;
  const bool cut = lines.size() > most;
  if (cut) lines = {first_that_fits(view, {words, brief}, inner.width, type)};
  const float step = view.px(18), height = step * static_cast<float>(lines.size());
  const float top = bottom(inner) + view.px(4) - height;
  draw_lines(view, {inner.x, top}, lines, step, type);
  if (cut && hit_area("note", {inner.x, top, inner.width, height}).hovered) tooltip(view, words);
  return height;
}

void draw_counts(const View& view, const Rect& inner, bool all) {
  const measure::Measurement* measurement = app::measurement_of(view.times);
  const bool counters = measurement != nullptr && !measurement->counters.values.empty();
  std::vector<CounterRow> rows = views::counter_rows(view.sim.program(), *view.sim.totals, measurement,
                                                     view.strings, view.sim.compiled->uncounted);
  if (!all) rows = main_rows(std::move(rows));
  // Only all counters may have a note of more than a line.
  const float note = all ? draw_note(view, inner, measurement, rows) : view.px(18), least = view.px(18);
  const float top = inner.y + view.px(20), room = bottom(inner) - top - note;
  const int count = static_cast<int>(rows.size());
  const float shown = rows_width(view, {inner.x, top, inner.width, room}, count, least);
  const Columns columns = fitting_columns(view, rows, {inner.x, inner.y, shown, inner.height}, counters);
  if (!all) draw_note(view, inner, measurement, rows, columns.measured > 0);
  draw_state(view, inner, draw_titles(view, inner, columns, counters ? measurement : nullptr));
  draw_rows(view, "rows", {inner.x, top, inner.width, room}, count, view.px(all && counters ? 36.0f : 27.0f),
            least, [&](int i, const Rect& row) {
              draw_row(view, rows[static_cast<std::size_t>(i)], row, columns, i,
                       all && row.height > view.px(28));
            });
}

// In lines that are 20 units high.
void draw_sentence(const View& view, const Rect& room, const std::string& words, const Color& color) {
  const Type type{14, color};
  draw_lines(view, top_left(room), wrapped(view, words, room.width, type), view.px(20), type);
}

std::string title_of(const View& view) {
  if (view.sim.empty()) return view.strings("grid.title.none");
  const std::uint64_t count = view.sim.compiled->setup.launch.grid.count();
  return view.strings(count == 1 ? "grid.title.one" : "grid.title", {{"blocks", grouped(count)}});
}

// The title, then the tabs at the right.
Rect draw_heading(const View& view, const Rect& rect) {
  const GridTab now = view.state.grid_tab;
  const std::array tabs{Tab{view.strings("grid.tab.totals"), {}, now == GridTab::Totals},
                        Tab{view.strings("grid.tab.counters"), {}, now == GridTab::Counters},
                        Tab{view.strings("grid.tab.lines"), {}, now == GridTab::Lines}};
  const float taken = tabs_width(view, tabs);
  std::string title = title_of(view);  // in one row: where there is no room the number of blocks goes first
  const Type type{15, view.palette.text, Align::Left, Face::WordsBold};
  if (text_width(view, title, type) > rect.width - taken - view.px(36))
    title = view.strings("grid.title.none");
  const Rect inner = draw_panel(view, rect, {title, "", {}, false, taken});
  const TabChoice choice = draw_tabs(view, "tabs", {right(inner), rect.y + view.px(20)}, tabs);
  if (choice.clicked >= 0) view.act(app::SetGridTab{static_cast<GridTab>(choice.clicked)});
  return inner;
}

// Place and loss in one row, the share of the worst as a bar under it, then what to try. Gives the height.
float draw_lossy_line(const View& view, const WorstLine& line, std::uint64_t most, const Rect& room,
                      float y) {
  const scene::Palette& p = view.palette;
  const float step = view.px(18), bar = view.px(3);
  float at = y + view.px(12);
  float lost = 0;
  if (line.excess > 0) {
    lost = draw_text(view, {right(room), at}, views::loss_text(line, view.strings),
                     {13, p.costly, Align::Right, Face::WordsBold});
  }
  const std::string number = std::to_string(line.line);
  std::string place = view.strings("grid.lines.place", {{"line", number}, {"text", line.text}});
  const Type code{13, p.text, Align::Left, Face::Code};
  std::vector<std::string> rows;  // of the access, below its line's number where it has no room beside it
  if (text_width(view, place, code) > room.width - lost - view.px(10)) {
    place = view.strings("grid.lines.line", {{"line", number}});
    rows = wrapped(view, line.text, room.width, code);
  }
  draw_text(view, {room.x, at}, place, code);
  at += draw_lines(view, {room.x, at + view.px(8.5f)}, rows, view.px(17), code) + view.px(12);
  const double share = most > 0 ? static_cast<double>(line.lost_bytes) / static_cast<double>(most) : 0;
  fill({room.x, at, room.width, bar}, scene::with_alpha(p.line, 0.7f), 0.5f * bar);
  fill({room.x, at, static_cast<float>(share) * room.width, bar}, p.costly, 0.5f * bar);
  at += bar + view.px(12);
  const Type quiet{13, p.secondary};
  at += draw_lines(view, {room.x, at - 0.5f * step},
                   wrapped(view, views::advice_text(line, view.strings), room.width, quiet), step, quiet);
  return at - y + view.px(4);
}

void draw_worst_lines(const View& view, const Rect& room) {
  const std::vector<WorstLine>& lines = views::worst_lines(view.sim);
  if (lines.empty()) {
    const bool little = view.sim.totals && views::loses_anything(*view.sim.totals);
    return draw_sentence(view, {room.x, room.y + view.px(4), room.width, room.height},
                         view.strings(little ? "grid.lines.little" : "grid.lines.none"),
                         little ? view.palette.text : view.palette.ideal);
  }
  std::uint64_t most = 0;
  for (const WorstLine& line : lines) most = std::max(most, line.lost_bytes);
  const Scrolled scrolled("worst", {room.x, room.y, room.width + view.px(10), room.height});
  float y = scrolled.origin.y;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const float height = draw_lossy_line(view, lines[i], most, room, y);
    answer(view, hit_area(static_cast<int>(i), {room.x, y, room.width, height}),
           view.strings("grid.lines.go"), app::GoToLine{lines[i].line});
    y += height + view.px(6);
  }
}

}  // namespace

void draw_grid(const View& view, const Rect& rect) {
  const Rect inner = draw_heading(view, rect);
  if (view.sim.hidden.rest)
    return void(draw_text(view, {inner.x, inner.y + view.px(34)},
                          view.strings(view.sim.hidden.costs ? "class.hidden" : "class.rest"),
                          {14, view.palette.secondary, Align::Left, Face::Words, inner.width}));
  const bool counted = view.sim.totals && !view.sim.empty();
  const bool as_columns = counted && !view.sim.totals->error && view.state.grid_tab != GridTab::Lines;
  if (!as_columns) draw_state(view, inner, inner.width);
  if (!counted) return;
  const Rect room{inner.x, inner.y + view.px(20), inner.width, inner.height - view.px(20)};
  if (view.sim.totals->error) {
    // What went wrong stands beside the text, and under the headline of the access.
    const bool is_said =
        view.sim.fresh && (view.state.panels.none() || has(view.state.panels, app::Panel::Access));
    draw_sentence(view, room,
                  is_said ? view.strings("grid.stopped") : view.strings(view.sim.totals->error->message),
                  view.palette.costly);
  } else if (view.state.grid_tab == GridTab::Lines) {
    draw_worst_lines(view, room);
  } else {
    draw_counts(view, inner, view.state.grid_tab == GridTab::Counters);
  }
}

}  // namespace warplens::panels
