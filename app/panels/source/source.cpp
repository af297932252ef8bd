// The kernel's text: colours, the access looked at, what every line costs, what is wrong and where; and its
// editor.
#include <algorithm>
#include <cmath>

#include "app/language/joined.h"
#include "app/panels/panels.h"
#include "app/panels/source/page.h"
#include "app/panels/widgets/text_input.h"
#include "app/panels/widgets/ui.h"
#include "app/readout/verdict.h"
#include "app/scene/scene.h"
#include "app/source/text_fixes.h"
#include "app/state/catalog.h"
#include "app/state/user_kernel.h"
#include "app/views/landscape.h"

namespace warplens::panels {
namespace {

using app::Problem;

// Keeps the row looked at (or the caret's) in view when it or the pane's height changes; of a line's rows the
// last too where it can.
void follow_row(const View& view, const SourcePage& page, float view_height) {
  const bool has_now = view.sim.now && view.sim.fresh;
  const std::vector<CodeRow>& rows = *page.rows;
  int row = 0;
  if (view.state.editing) {
    row = app::row_of_offset(page.code, rows, view.state.caret.offset);
  } else if (has_now) {
    row = app::first_row_of(rows, view.sim.now->site->range.begin.line - 1);
  }
  int last = row;
  const auto more = [&](std::size_t next) {
    return next < rows.size() && rows[next].note < 0 &&
           rows[next].line == rows[static_cast<std::size_t>(row)].line;
  };
  while (!view.state.editing && more(static_cast<std::size_t>(last) + 1)) ++last;
  ImGuiStorage* storage = ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetID("row");
  // A pane that became lower or higher (a question took its place below) follows anew.
  const ImGuiID height = ImGui::GetID("height");
  if (storage->GetInt(id, -1) == row && storage->GetFloat(height, 0) == view_height) return;
  storage->SetInt(id, row);
  storage->SetFloat(height, view_height);
  // In a low pane the row stands in the middle.
  const float scroll = ImGui::GetScrollY();
  const float spare = page.row * std::clamp(std::floor(0.5f * (view_height / page.row - 1)), 0.0f, 2.0f);
  // The topmost row is seen whole, and no line from its middle: from its first row, or else the next one is.
  const auto scroll_to = [&](float y) {
    const int least = std::max(0, static_cast<int>(std::ceil(y / page.row)));
    const auto is_torn = [&](int at) { return rows[static_cast<std::size_t>(at)].part > 0; };
    int top = std::min(least, row);
    while (is_torn(top)) --top;
    if (page.row * static_cast<float>(last + 1 - top) > view_height)
      for (top = std::min(least, row); is_torn(top);) ++top;
    storage->SetInt(ImGui::GetID("top"), top);
    ImGui::SetScrollY(page.row * static_cast<float>(top));
  };
  const float from = page.row * static_cast<float>(row), to = page.row * static_cast<float>(last + 1);
  if (to > scroll + view_height - spare) scroll_to(std::min(from - spare, to + spare - view_height));
  if (from < scroll + spare) scroll_to(from - spare);
}

void feel_mouse(const View& view, const SourcePage& page, float origin_y) {
  const Rect felt{page.area.x, origin_y, page.area.width, page.row * static_cast<float>(page.rows->size())};
  const Hit hit = hit_area("text", felt);
  if (!hit.hovered && !hit.held) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const int offset = page.offset_under(origin_y, mouse);
  const CodeRow& row = page.row_under(origin_y, mouse.y);
  if (view.state.editing) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    if (ImGui::IsItemActivated()) {
      const bool extend = ImGui::GetIO().KeyShift;
      view.act(app::SetCaret{{offset, extend ? view.state.caret.anchor : offset}});
    } else if (hit.held && offset != view.state.caret.offset) {
      view.act(app::SetCaret{{offset, view.state.caret.anchor}});
    }
  } else if (hit.double_clicked) {
    view.act(app::SetEditing{true});
    view.act(app::SetCaret{{offset, offset}});
  } else if (hit.clicked) {
    view.act(app::GoToLine{row.line + 1});
  } else if (hit.hovered && row.note >= 0) {
    const SourceNote& note = page.notes[static_cast<std::size_t>(row.note)];
    if (!note.whole.empty()) tooltip(view, note.whole);
  } else if (hit.hovered && row.part == 0) {
    const MarginLine* cost = margin_of(page.margin->costs, row.line + 1);
    const bool over = cost != nullptr && mouse.x > right(page.area) - margin_width(view, *cost);
    if (over) tooltip(view, margin_tip(view, row.line + 1));
  }
}

// A message in a box of its own above `foot`. Gives its height; `drawn`: else only that.
float draw_message_box(const View& view, const Rect& area, float foot, const std::string& words,
                       const Color& ink, bool drawn = true) {
  const Color ground = scene::mix(view.palette.panel, ink, 0.14f);
  const Type type{14, legible(ink, ground, view.palette)};
  const auto lines = wrapped(view, words, area.width - view.px(20), type);
  const float step = view.px(20), height = step * static_cast<float>(lines.size()) + view.px(12);
  if (!drawn) return height;
  const Rect box{area.x, foot - height, area.width, height};
  draw_box(box, ground, ink, view.px(5));
  draw_lines(view, {box.x + view.px(10), box.y + view.px(6)}, lines, step, type);
  return height;
}

// The same where there is no room for more than a row: the beginning of the first message, how many more
// there are, and all of them in a tooltip.
float draw_one_row(const View& view, const Rect& area, const std::vector<std::string>& all,
                   const Color& ink) {
  const Rect row{area.x, bottom(area) - view.px(24), area.width, view.px(24)};
  const Color ground = scene::mix(view.palette.panel, ink, 0.14f);
  draw_box(row, ground, ink, view.px(5));
  Type type{13, legible(ink, ground, view.palette), Align::Right};
  float more = 0;
  if (all.size() > 1)
    more =
        view.px(10) + draw_text(view, {right(row) - view.px(10), middle(row)},
                                view.strings("source.more", {{"n", std::to_string(all.size() - 1)}}), type);
  type.align = Align::Left, type.room = std::max(row.width - more - view.px(20), 1.0f);
  const auto fits = [&](const std::string& words) { return text_width(view, words, type) <= type.room; };
  const std::string clauses = scene::whole_clauses(all.front(), fits);
  draw_text(view, {row.x + view.px(10), middle(row)}, clauses.empty() ? all.front() : clauses, type);
  if (hit_area("placeless", row).hovered) tooltip(view, language::joined(all, "\n"));
  return row.height + view.px(4);
}

// A file that is not understood here, as it was opened.
bool needs_compiler(const View& view) {
  const bool was_asked = view.state.findings && view.state.findings->settings == view.state.settings;
  const bool is_as_opened =
      view.state.settings.own && !app::is_edited(view.state) && !view.state.editing && !was_asked;
  return is_as_opened && !view.is_a && !view.sim.fresh && !app::is_compiled(view.state.settings) &&
         std::ranges::any_of(view.sim.problems, [](const Problem& problem) {
           return problem.severity == cuda::Severity::Error && problem.range && !problem.at;
         });
}

// Problems without a place (a launch that cannot be made) stand below the text, which keeps two fifths of its
// pane; those of the text too, unless they are seen there.
float draw_below_text(const View& view, const Rect& area, bool seen) {
  std::vector<std::string> all;
  std::vector<Color> inks;
  const float gap = view.px(6);
  float height = 0;
  for (const Problem& problem : view.sim.problems) {
    if (problem.range && seen) continue;
    const std::string words = view.strings(problem.message, problem.remedy);
    all.push_back(problem.range ? std::to_string(problem.range->begin.line) + ": " + words : words);
    inks.push_back(severity_color(view, problem));
    height += draw_message_box(view, area, 0, all.back(), inks.back(), false) + gap;
  }
  if (all.empty() && needs_compiler(view))
    all.push_back(view.strings("source.needs_compiler")), inks.push_back(view.palette.accent);
  if (height > 0.6f * area.height) return draw_one_row(view, area, all, inks.front());
  float y = bottom(area);
  for (std::size_t i = 0; i < all.size(); ++i) y -= draw_message_box(view, area, y, all[i], inks[i]) + gap;
  return bottom(area) - y;
}

Heading source_heading(const View& view) {
  Heading heading;
  if (const scenario::Scenario* s = view.scenario()) heading.title = s->source.filename().string();
  if (app::is_edited(view.state)) heading.title += view.strings("source.edited");
  const bool broken = cuda::Severity::Error ==
                      (view.sim.problems.empty() ? cuda::Severity::Note : view.sim.problems.front().severity);
  if (broken) {
    const bool text = app::picture_of(view.sim, view.state.settings) == app::PictureOf::OtherText;
    heading.answer = view.strings(view.sim.fresh     ? "source.stopped"
                                  : view.sim.empty() ? "source.no_picture"
                                  : text             ? "source.last_good.short"
                                                     : "source.last_launch.short");
    heading.answer_color = view.palette.costly;
  } else if (view.sim.busy && view.sim.compiling) {
    heading.answer = view.strings("source.compiling");
  } else if (view.sim.busy) {
    heading.answer = view.strings("source.simulating");
  } else if (view.state.editing) {
    heading.answer = view.strings("source.editing");
  } else {  // what the margin's costs are of
    heading.answer = view.strings("source.cost");
  }
  heading.active = view.state.editing;
  return heading;
}

// Left of the pencil: open, save where there is something to save, the launch. Gives their left end.
float file_buttons(const View& view, const Rect& pencil) {
  float x = pencil.x;
  const auto button = [&](const char* id, Icon icon, bool active, const char* tip, Action action) {
    x -= pencil.width + view.px(6);
    answer(view, icon_button(view, id, {x, pencil.y, pencil.width, pencil.height}, icon, active),
           view.strings(tip), std::move(action));
  };
  if (view.state.settings.own)
    button("launch", Icon::Launch, view.state.form, "form.tip", app::ShowForm{!view.state.form});
  if (app::is_edited(view.state)) button("save", Icon::Save, false, "files.save.tip", app::Save{});
  button("open", Icon::Open, false, "files.open.tip", app::ShowDialog{});
  return x;
}

void draw_pencil(const View& view, const Rect& button) {
  answer(view, icon_button(view, "edit", button, view.state.editing ? Icon::Cross : Icon::Pencil, false),
         view.strings(view.state.editing ? "source.edit.done" : "source.edit.tip"),
         app::SetEditing{!view.state.editing});
}

// The text and what is wrong with it, in the room below a heading.
void draw_text_of(const View& view, const Rect& rect, Rect inner) {
  const std::shared_ptr<const CodeText> code = code_text(view.source());
  inner.x = rect.x + 1;
  inner.width = rect.width - 2;
  const auto foot = [&] {
    return Rect{rect.x + view.px(6), inner.y, rect.width - view.px(12), inner.height};
  };
  ImGuiStorage* kept = ImGui::GetStateStorage();
  const ImGuiID seen = ImGui::GetID("seen");
  inner.height -= draw_below_text(view, foot(), !view.state.editing || kept->GetBool(seen));
  if (inner.height < 1) return;   // for ImGui no height is all that is left of the window
  const float bar = view.px(12);  // the scrollbar's room
  const SourcePage page = lay_out_source(view, *code, {inner.x, inner.y, inner.width - bar, inner.height});
  if (view.state.present)  // no row that is cut
    inner.height = std::max(page.row, page.row * std::floor(inner.height / page.row));
  Scrolled scrolled("code", inner);
  follow_row(view, page, inner.height);
  const float origin = ImGui::GetCursorScreenPos().y;
  const auto count = static_cast<int>(page.rows->size());
  const int first = std::clamp(static_cast<int>((inner.y - origin) / page.row), 0, count);
  const int last = std::clamp(static_cast<int>((inner.y + inner.height - origin) / page.row) + 1, 0, count);
  bool is_seen = false;
  for (int i = first; i < last; ++i) {
    const Rect row{inner.x, origin + page.row * static_cast<float>(i), page.area.width, page.row};
    draw_source_row(view, page, (*page.rows)[static_cast<std::size_t>(i)], row);
    if ((*page.rows)[static_cast<std::size_t>(i)].note == 0) is_seen = bottom(row) <= bottom(inner);
  }
  kept->SetBool(seen, is_seen);
  feel_mouse(view, page, origin);
  // So far that at the end, too, the topmost row is whole and a line's first.
  const int top = ImGui::GetStateStorage()->GetInt(ImGui::GetID("top"));
  const float rest = std::fmod(inner.height, page.row), rows = static_cast<float>(count) * page.row;
  scrolled.reach(origin + std::max(rows + rest, static_cast<float>(top) * page.row + inner.height));
}

// Presenting, the text alone: which kernel it is stands in the top bar.
void draw_stage_source(const View& view, const Rect& rect) {
  draw_ground(view, rect, view.state.editing ? 1 : 0);
  draw_text_of(view, rect, {rect.x, rect.y + view.px(4), rect.width, rect.height - view.px(6)});
}

}  // namespace

void draw_source(const View& view, const Rect& rect) {
  if (view.state.present) return draw_stage_source(view, rect);
  // Room for the pencil at the right of the heading.
  Heading heading = source_heading(view);
  const float pencil = view.px(26);
  Rect inner = draw_panel(view, rect, {"", "", {}, heading.active});
  const Rect button{right(rect) - view.px(12) - pencil, rect.y + view.px(7), pencil, pencil};
  const float buttons = view.is_a ? right(rect) - view.px(4) : file_buttons(view, button);
  const Type answer{14, heading.answer_color.value_or(view.palette.secondary), Align::Right,
                    heading.answer_color ? Face::WordsBold : Face::Words, 0.42f * rect.width};
  const float y = rect.y + view.px(20);
  const float taken = draw_text(view, {buttons - view.px(10), y}, heading.answer, answer);
  const float room = std::max(view.px(30), buttons - inner.x - taken - view.px(24));
  draw_text(view, {inner.x, y}, heading.title, title_type(view, room));
  tell_whole(view, {inner.x, y - view.px(10), room, view.px(20)}, heading.title);
  if (!view.is_a) draw_pencil(view, button);

  draw_text_of(view, rect, inner);
}

// The index expression: a line to type into, and what is wrong with it.
namespace {

// What is wrong: with the expression by itself, else with the kernel that it was put into. A race's own words
// are long, and stand at its line of the source.
std::optional<std::string> trouble_of(const View& view, const std::optional<cuda::Diagnostic>& alone) {
  if (alone) return view.strings(alone->message, alone->remedy);
  for (const app::Problem& problem : view.sim.problems) {
    if (problem.severity == cuda::Severity::Error)
      return problem.kind == sim::RunError::Kind::Race ? view.strings("expression.race.tip")
                                                       : view.strings(problem.message, problem.remedy);
  }
  return std::nullopt;
}

// Sectors, or wavefronts of an index into shared memory.
std::string cost_text(const View& view, const app::PricedAccess& now) {
  const bool shared = now.access.space == memory::Space::Shared;
  return view.strings(shared ? "expression.cost.shared" : "expression.cost",
                      {{"n", std::to_string(shared ? now.cost.wavefronts : now.cost.sectors)}});
}

// Below the input, in as many rows as there are; the mouse tells the rest. Gives the height taken.
float draw_below(const View& view, const Rect& room, const std::string& text, const Color& color) {
  const Type type{13, color, Align::Left, Face::Words, room.width};
  const float row = view.px(16);
  std::vector<std::string> all = wrapped(view, text, room.width, type);
  const auto rows = std::max<std::size_t>(1, static_cast<std::size_t>(room.height / row));
  if (all.size() > rows) {
    all[rows - 1] = language::joined(std::span(all).subspan(rows - 1), " ");
    all.resize(rows);
    tell_whole(view, room, text);
  }
  return draw_lines(view, top_left(room), all, row, type);
}

}  // namespace

void draw_index_input(const View& view, const Rect& rect) {
  const auto index = app::find_index(view.source());
  if (!index) return;
  const scene::Palette& p = view.palette;
  const bool active = has_keyboard(view, app::kIndexInput);
  const std::string& expression = active ? view.state.field.text : index->text;
  const auto alone = app::index_problem(expression);
  const auto trouble = trouble_of(view, alone);
  const std::string answer = trouble || !view.sim.now                 ? std::string()
                             : view.sim.now->known != app::Known::All ? "?"
                                                                      : cost_text(view, *view.sim.now);
  Heading heading{view.strings("expression.title"),
                  trouble ? view.strings(app::index_trouble(!alone, view.sim)) : answer,
                  {},
                  active};
  if (trouble) heading.answer_color = p.costly;
  const Rect inner = draw_panel(view, rect, heading);
  const Rect input{inner.x, inner.y + view.px(2), inner.width, view.px(32)};
  draw_input(view, app::kIndexInput, input, index->text,
             {.placeholder = "threadIdx.x",
              .wrong = trouble.has_value(),
              .size = 15,
              .squiggle = alone ? &alone->range : nullptr});
  const float from = bottom(input) + view.px(6);
  Rect room{inner.x, from, inner.width, bottom(rect) - view.px(4) - from};
  if (trouble) {
    const float taken = draw_below(view, room, *trouble, p.costly);
    room.y += taken, room.height -= taken;
    if (room.height < view.px(16)) return;
  }
  draw_below(view, room,
             view.strings(app::is_of_tile(view.source()) ? "expression.tip.tile" : "expression.tip"),
             p.faint);
}

// One line below the top bar: what could not be done, what is under way beside the frame, or what is left
// out of the picture; the first of these that there is.
namespace {

bool works(const app::State& state, const app::Simulation& s, double working) {
  return (s.halted && !state.reading) || working > kPatienceSeconds;
}

void ground(const View& view, const Rect& rect, const Color& hue) {
  fill(rect, scene::mix(view.palette.window, hue, 0.14f), 0.5f * rect.height);
}

// As far as `end`.
void draw_told(const View& view, const Rect& strip, float end, const std::string& text) {
  const float x = strip.x + view.px(18);
  draw_text(view, {x, middle(strip)}, text, {14, view.palette.text, Align::Left, Face::Words, end - x});
}

// A word to click on; `end` is its right end. Gives its left end.
float word(const View& view, const char* id, const Rect& strip, float end, const std::string& label,
           bool* clicked) {
  const float width = pill_width(view, label, false), height = strip.height - view.px(4);
  const Rect rect{end - width, strip.y + view.px(2), width, height};
  *clicked = pill(view, id, rect, label, false).clicked;
  return rect.x - view.px(8);
}

void draw_notice(const View& view, const Rect& rect) {
  const app::Notice& notice = *view.state.notice;
  const Color hue = notice.bad && !notice.offers_recovery ? view.palette.costly : view.palette.accent;
  ground(view, rect, hue);
  bool clicked = false;
  float end = right(rect) - rect.height;
  if (notice.offers_recovery) {
    end = word(view, "recover", rect, end, view.strings("files.recover.yes"), &clicked);
    if (clicked) view.act(app::ReadRecovery{});
    end = word(view, "discard", rect, end, view.strings("files.recover.no"), &clicked);
    if (clicked) view.act(app::DiscardRecovery{});
  }
  if (notice.asks_to_leave && notice.key != "leave.export") {
    end = word(view, "leave", rect, end, view.strings("leave.yes"), &clicked);
    if (clicked) view.act(app::Leave{});
    end = word(view, "save_as", rect, end, view.strings("leave.save"), &clicked);
    if (clicked && view.state.lecturing.unsaved) view.act(app::SaveLecture{});
    if (clicked && !view.state.lecturing.unsaved) view.act(app::Save{true});
  }
  const std::string text = view.strings(notice.key, {{"words", view.strings(notice.words)}});
  draw_told(view, rect, end - view.px(8), text);
  const Rect cross{right(rect) - rect.height, rect.y, rect.height, rect.height};
  const Hit hit = hit_area("close", cross);
  draw_icon(view, Icon::Cross, {cross.x + 0.5f * cross.width, middle(cross)}, 0.32f * cross.height,
            hit.hovered ? view.palette.text : view.palette.secondary);
  if (hit.clicked) view.act(app::DismissNotice{});
  if (hit_area("all", {rect.x, rect.y, std::max(end - rect.x, 1.0f), rect.height}).hovered)
    tooltip(view, text);
}

// What is under way, and how much of it is done: 0 to 1; negative where that is not known.
struct Work {
  std::string text;
  double part = -1;
};
std::string percent_of(double part) {
  return std::to_string(static_cast<int>(100 * part));
}
// What the block did at first is shown: how far it has come since.
std::string far_words(const View& view, std::string_view key) {
  const app::Unfinished& far = *view.sim.unfinished;
  return view.strings(key, {{"count", grouped(far.instructions)}, {"line", far.line}});
}
// The block first, then the grid, then what a plot of many of them waits for.
Work work_of(const View& view) {
  const app::Simulation& s = view.sim;
  if (view.state.reading) return {view.strings("work.reading", {{"name", *view.state.reading}})};
  if (!s.fresh && s.compiling) return {view.strings("work.compiling")};
  if (!s.fresh) return {view.strings("work.block")};
  if (s.unfinished) return {far_words(view, "work.beginning")};
  const auto landscape = app::made_of<views::Landscape>(view.made, ViewId::Landscape);
  if (landscape && view.made->busy) {
    const auto count = [](std::size_t n) { return grouped(n); };
    return {view.strings("work.landscape",
                         {{"done", count(landscape->done)}, {"total", count(landscape->cells.size())}}),
            static_cast<double>(landscape->done) / static_cast<double>(landscape->cells.size())};
  }
  if (view.reuse != nullptr && view.reuse->busy) return {view.strings("reuse.work")};
  if (s.totals && view.made != nullptr && view.made->busy && view.state.shown == ViewId::Why) {
    const double part = view.made->progress;
    return {view.strings("why.working.part", {{"percent", percent_of(part)}}), part};
  }
  return {view.strings("work.grid", {{"percent", percent_of(s.totals_progress)}}), s.totals_progress};
}

void draw_work(const View& view, const Rect& rect) {
  const app::Simulation& s = view.sim;
  const scene::Palette& p = view.palette;
  const bool reading = view.state.reading.has_value(), halted = s.halted && !reading;
  ground(view, rect, halted ? p.secondary : p.accent);
  Work work = work_of(view);
  if (halted)
    work = {view.strings(s.compiling ? "work.halted.text"
                         : s.fresh   ? "work.halted.grid"
                                     : "work.halted.block")};
  if (halted && s.unfinished) work = {far_words(view, "work.halted.beginning")};
  if (work.part >= 0)
    fill({rect.x + 0.5f * rect.height, bottom(rect) - view.px(3),
          (rect.width - rect.height) * static_cast<float>(std::min(work.part, 1.0)), view.px(2)},
         p.accent);
  bool clicked = false;
  const float end = word(view, "stop", rect, right(rect) - view.px(6),
                         view.strings(halted ? "work.go_on" : "work.stop"), &clicked);
  if (clicked && reading) view.act(app::EndReading{});
  if (clicked && !reading) view.act(app::Halt{!s.halted});
  draw_told(view, rect, end, work.text);
}

void draw_cut(const View& view, const Rect& rect) {
  ground(view, rect, view.palette.secondary);
  draw_told(view, rect, right(rect) - view.px(18),
            view.strings("work.cut", {{"shown", grouped(view.sim.trace->events.size())},
                                      {"all", grouped(view.sim.trace->total_events)}}));
}

}  // namespace

bool has_message(const app::State& state, const app::Simulation& s, double working) {
  return state.notice || works(state, s, working) || s.cut_short();
}

void draw_message_strip(const View& view, const Rect& rect) {
  if (view.state.notice) return draw_notice(view, rect);
  if (works(view.state, view.sim, view.working)) return draw_work(view, rect);
  if (view.sim.cut_short()) return draw_cut(view, rect);
  if (view.alone)
    draw_text(view, {rect.x + view.px(8), middle(rect)}, view.strings("alone.rest"),
              {14, view.palette.secondary, Align::Left, Face::Words, rect.width - view.px(16)});
}

namespace {

// Of what the picture is, where it is not of the settings on screen.
std::string words_of_picture(const View& view, bool wrong) {
  const app::PictureOf of = app::picture_of(view.sim, view.state.settings);
  if (of == app::PictureOf::OtherKernel)
    return view.strings("source.other_kernel", {{"name", view.sim.program().kernel}});
  if (!wrong) return view.strings("source.before");
  if (of == app::PictureOf::OtherText) {
    const auto index =
        app::other_index(app::text_of(view.catalog, view.sim.compiled->settings), view.source());
    return index ? view.strings("source.last_good.index", {{"expression", *index}})
                 : view.strings("source.last_good");
  }
  const scenario::Scenario* scenario = view.scenario();
  const std::string values = scenario == nullptr
                                 ? std::string()
                                 : app::other_values(*scenario, view.state.settings.values,
                                                     view.sim.compiled->settings.values, view.state.language);
  return values.empty() ? view.strings("source.last_launch")
                        : view.strings("source.last_launch.values", {{"values", values}});
}

}  // namespace

// The picture is of other settings than those on screen: it steps back.
void draw_staleness(const View& view, const Layout& layout) {
  const auto error = std::ranges::find(view.sim.problems, cuda::Severity::Error, &app::Problem::severity);
  const bool wrong = !view.sim.fresh && error != view.sim.problems.end();
  if (view.sim.fresh || view.sim.empty() || (!wrong && view.stale < kPatienceSeconds)) return;
  const Color veil = scene::with_alpha(view.palette.window, 0.55f);
  const Rect none, &place = layout.floats ? none : layout.transport,
                   &block = layout.floats ? none : layout.map;
  for (const Rect* rect :
       {&layout.picture, &layout.access, &layout.grid, &layout.times, &layout.lanes, &block, &place,
        &layout.strip, &layout.b.picture, &layout.b.strip, &layout.table}) {
    if (rect->width > 0) fill(*rect, veil, view.px(8));
  }
  const Rect* on = layout.picture.width < 1 ? &layout.b.picture : &layout.picture;
  std::string words = words_of_picture(view, wrong);
  if (wrong && layout.source.width < 1 && layout.b.source.width < 1) {  // no line tells it
    words = view.strings(error->message);
    if (error->range)
      words = view.strings("diagnosis.place", {{"line", error->range->begin.line}, {"why", words}});
  }
  // On the panel's upper border, where no panel has words.
  Type type{14, view.palette.text, Align::Center, Face::WordsBold};
  type.room = on->width - view.px(60);
  const float width = std::min(text_width(view, words, type), type.room) + view.px(32), height = view.px(26);
  const Rect label{std::round(on->x + 0.5f * (on->width - width)),
                   std::max(0.0f, std::round(on->y - 0.5f * height)), width, height};
  draw_box(label, view.palette.panel, wrong ? view.palette.costly : view.palette.accent, 0.5f * height,
           view.px(1.5f));
  draw_text(view, {label.x + 0.5f * width, middle(label)}, words, type);
}

}  // namespace warplens::panels
