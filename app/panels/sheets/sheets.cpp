// What lies over the window until it is answered: the keys, the profilers' names, a block's number, a file,
// the scenes of a lecture.
#include <algorithm>
#include <climits>
#include <cmath>

#include "app/input/commands.h"
#include "app/input/palette.h"
#include "app/panels/panels.h"
#include "app/panels/widgets/text_input.h"
#include "app/panels/widgets/ui.h"
#include "app/platform/system.h"
#include "app/readout/verdict.h"
#include "app/state/catalog.h"
#include "app/state/share_sheet.h"
#include "app/state/teaching.h"
#include "app/views/views.h"

namespace warplens::panels {
Window::Window(const View& view, const char* name, const Rect& rect, bool over_all, ImGuiWindowFlags more) {
  if (over_all) ImGui::SetNextWindowFocus();
  ImGui::SetNextWindowPos(top_left(rect));
  ImGui::SetNextWindowSize({rect.width, rect.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, view.px(10));
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarRounding, view.px(5));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, 0);
  ImGui::PushStyleColor(ImGuiCol_ScrollbarBg, 0);
  ImGui::PushStyleColor(ImGuiCol_ScrollbarGrab, color_of(view.palette.line));
  ImGui::PushStyleColor(ImGuiCol_ScrollbarGrabHovered, color_of(view.palette.faint));
  ImGui::PushStyleColor(ImGuiCol_ScrollbarGrabActive, color_of(view.palette.faint));
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollWithMouse |
                   ImGuiWindowFlags_NoNav | more);
}

Window::~Window() {
  ImGui::End();
  ImGui::PopStyleColor(5);
  ImGui::PopStyleVar(5);
}

Sheet::Sheet(const View& view, const Rect& window, const SheetLook& look)
    : window_(view, look.name, window, true), margin_(view.px(look.margin)) {
  const scene::Palette& p = view.palette;
  fill(window, scene::with_alpha(p.window, 0.72f));
  const float width = std::min(look.width, window.width - view.px(40));
  const float height = std::min(look.height, window.height - view.px(24));
  box_ = {std::round(window.x + 0.5f * (window.width - width)),
          std::round(window.y + look.rise * (window.height - height)), width, height};
  draw_box(box_, p.panel, p.accent, view.px(10), view.px(1.5f));
  if (!contains(box_, ImGui::GetIO().MousePos) && !look.stays && ImGui::IsMouseClicked(0) &&
      ImGui::IsWindowHovered())
    view.act(app::CloseSheet{});
  const Type quiet{13, p.secondary, Align::Left, Face::Words, room()};
  if (look.keys != nullptr)
    draw_text(view, {left(), bottom(box_) - view.px(20)}, view.strings(look.keys), quiet);
  if (look.title.empty()) return;
  const float side = view.px(24);
  draw_text(view, {left(), box_.y + view.px(32)}, look.title, {19, p.text, Align::Left, Face::WordsBold});
  const Rect cross{left() + room() - side + view.px(6), box_.y + view.px(20), side, side};
  if (icon_button(view, "close", cross, Icon::Cross, false).clicked) view.act(app::CloseSheet{});
}

namespace {

// The sheet of keys in columns, each as wide as its own rows ask for.
struct KeyColumns {
  struct Column {
    float keys = 0, words = 0;
  };
  std::vector<app::KeyRow> entries;  // without a text: air at the foot of a column
  std::size_t rows = 0;
  float size = 0;  // of the letters, in units
  std::vector<Column> columns;

  float gap() const { return size; }
  float between() const { return 2 * size; }
  float line() const { return 1.42f * size; }
  float width() const {  // in units
    float sum = between() * static_cast<float>(columns.size() - 1);
    for (const Column& column : columns) sum += column.keys + gap() + column.words;
    return sum;
  }
};

KeyColumns in_columns(const View& view, const std::vector<app::KeyRow>& entries, std::size_t columns,
                      float size) {
  KeyColumns made{
      {}, (entries.size() + columns - 1) / columns, size, std::vector<KeyColumns::Column>(columns)};
  std::vector<app::KeyRow>& all = made.entries;
  for (;; ++made.rows) {  // until no section need be broken
    all.clear();
    for (auto from = entries.begin(), to = from; from != entries.end(); from = to) {
      to = std::find_if(from + 1, entries.end(), [](const app::KeyRow& row) { return row.keys.empty(); });
      const auto free = made.rows - all.size() % made.rows, section = static_cast<std::size_t>(to - from);
      if (section > free) all.resize(all.size() + free % made.rows);
      all.insert(all.end(), from, to);
    }
    if (all.size() <= columns * made.rows) break;
  }
  const Type bold{size, {}, Align::Right, Face::CodeBold}, plain{size, {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].text.empty()) continue;
    KeyColumns::Column& column = made.columns[std::min(i / made.rows, columns - 1)];
    const auto widen = [&](float& width, const std::string& text, const Type& type) {
      width = std::max(width, text_width(view, text, type) / view.scale + 2);
    };
    widen(column.keys, app::in_language(all[i].keys, view.strings), bold);
    widen(column.words, view.strings(all[i].text), plain);
  }
  return made;
}

// All of them in the largest letters that fit, down to those of a window that is not enlarged; else those
// that fit, and the palette.
KeyColumns key_columns(const View& view, const Rect& window, float around) {
  const float width = (window.width - view.px(96)) / view.scale;
  const float height = (window.height - view.px(24)) / view.scale - around;
  const float plain = std::min(window.width / 1920, window.height / 1080);
  const float least =
      view.is_large() ? kLeastPresented : std::max(kLeastPresented * plain, 10.5f) / view.scale;
  for (int kept = static_cast<int>(app::sheet_rows(INT_MAX).size());; kept -= 1 + kept / 16)
    for (float size = 14; size == 14 || size >= least; --size)
      for (std::size_t columns = 1; columns <= 4; ++columns) {
        KeyColumns made = in_columns(view, app::sheet_rows(kept, view.state.present), columns, size);
        const bool fits = made.width() <= width && static_cast<float>(made.rows) * made.line() <= height;
        if (fits || kept <= 2) return made;
      }
}

}  // namespace

void draw_help(const View& of, const Rect& window) {
  View view = of;
  view.bare = false;  // beside no stage, small letters can be read: all keys stand there
  const scene::Palette& p = view.palette;
  const float around = 84;
  const KeyColumns keys = key_columns(view, window, around);
  const Sheet sheet(
      view, window,
      {"keys", view.px(keys.width() + 56), view.px(keys.line() * static_cast<float>(keys.rows) + around),
       0.5f, 28, view.strings("help.title")});
  float x = sheet.left();
  for (std::size_t i = 0; i < keys.entries.size(); ++i) {
    const KeyColumns::Column& column = keys.columns[std::min(i / keys.rows, keys.columns.size() - 1)];
    if (i > 0 && i % keys.rows == 0) {
      const KeyColumns::Column& before = keys.columns[i / keys.rows - 1];
      x += view.px(before.keys + keys.gap() + before.words + keys.between());
    }
    const app::KeyRow& entry = keys.entries[i];
    if (entry.text.empty()) continue;
    const float y = sheet.box().y + view.px(62 + keys.line() * (static_cast<float>(i % keys.rows) + 0.5f));
    const bool heads = entry.keys.empty();
    draw_text(view, {x + view.px(column.keys), y}, app::in_language(entry.keys, view.strings),
              {keys.size, p.text, Align::Right, Face::CodeBold});
    draw_text(view, {x + view.px(column.keys + keys.gap()), y}, view.strings(entry.text),
              {keys.size, heads ? p.secondary : p.text, Align::Left, heads ? Face::WordsBold : Face::Words,
               view.px(column.words)});
  }
  if (hit_area("all", sheet.box()).clicked) view.act(app::CloseSheet{});
}

// Where the block to go to is typed: over whatever is on screen, so that it is there when presenting too.

namespace {

// "0 … 16,383, or x, y", as the grid has them.
std::string range_of(const View& view, const sim::Dim3& grid) {
  const std::string last = grouped(static_cast<long long>(grid.count()) - 1);
  const char* key = grid.z > 1   ? "map.block.range.xyz"
                    : grid.y > 1 ? "map.block.range.xy"
                                 : "map.block.range";
  return view.strings(
      key, {{"last", last}, {"x", grouped(grid.x)}, {"y", grouped(grid.y)}, {"z", grouped(grid.z)}});
}

}  // namespace

void draw_block_prompt(const View& view, const Rect& window) {
  if (view.sim.empty()) return;
  const sim::Dim3& grid = view.sim.compiled->setup.launch.grid;
  const Window over(view, "prompt", window, true);
  const scene::Palette& p = view.palette;
  const float width = std::min(view.px(440), window.width - view.px(40)), height = view.px(96);
  const Rect box{std::round(0.5f * (window.width - width)), view.px(64), width, height};
  draw_box(box, p.panel, p.accent, view.px(10), view.px(1.5f));
  const float left = box.x + view.px(18), room = box.width - view.px(36);
  const bool wrong = !view.state.field.text.empty() && !app::block_in(grid, view.state.field.text);
  const float label = draw_text(view, {left, box.y + view.px(32)}, view.strings("map.block.prompt"),
                                {15, p.text, Align::Left, Face::WordsBold}) +
                      view.px(14);
  draw_input(view, app::kBlockInput, {left + label, box.y + view.px(14), room - label, view.px(36)}, {},
             {.wrong = wrong, .size = 16});
  const Color ink = wrong ? legible(p.costly, p.panel, p) : p.secondary;
  draw_text(view, {left, box.y + view.px(74)}, range_of(view, grid),
            {13, ink, Align::Left, Face::Words, room});
}

// The file chooser: recent files, then the folder. Everything that it shows is in the state.

namespace {

// A folder, or a page with its corner folded.
void draw_entry_icon(const View& view, const app::ShownEntry& entry, ImVec2 at, const Color& color) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 ink = color_of(color);
  const float h = view.px(6), thick = std::max(1.2f, view.px(1.3f));
  if (entry.is_folder) {
    list->AddRectFilled({at.x - h, at.y - 0.75f * h}, {at.x - 0.1f * h, at.y}, ink, 1);
    list->AddRectFilled({at.x - h, at.y - 0.4f * h}, {at.x + 1.1f * h, at.y + 0.9f * h}, ink, 1);
    return;
  }
  add_rect(list, {at.x - 0.75f * h, at.y - h}, {at.x + 0.75f * h, at.y + h}, ink, 1, thick);
  for (const float y : {-0.35f, 0.1f, 0.55f})
    list->AddLine({at.x - 0.4f * h, at.y + y * h}, {at.x + 0.4f * h, at.y + y * h}, ink, 1);
}

void draw_entry(const View& view, const app::ShownEntry& entry, const Rect& line, bool chosen, bool hovered) {
  const scene::Palette& p = view.palette;
  draw_row_ground(view, line, chosen, hovered);
  draw_entry_icon(view, entry, {line.x + view.px(16), middle(line)},
                  entry.is_folder ? p.accent : p.secondary);
  const float used = draw_text(view, {line.x + view.px(34), middle(line)}, entry.label,
                               {14, p.text, Align::Left, Face::Words, 0.6f * line.width});
  if (!entry.is_recent) return;
  const std::size_t slash = entry.path.find_last_of('/');
  draw_text(view, {right(line) - view.px(8), middle(line)},
            view.strings("dialog.recent") + " · " + entry.path.substr(0, std::max<std::size_t>(slash, 1)),
            {13, chosen ? p.text : p.secondary, Align::Right, Face::Words, line.width - used - view.px(60)});
}

void draw_entries(const View& view, const Rect& rect) {
  const std::vector<app::ShownEntry> entries = app::shown_entries(view.state);
  fill(rect, view.palette.cell, view.px(5));
  if (entries.empty())
    draw_text(view, {rect.x + view.px(14), rect.y + view.px(22)}, view.strings("dialog.empty"),
              {14, view.palette.faint});
  const int selected = view.state.dialog->selected;
  draw_list(view, "entries", inset(rect, view.px(4)), static_cast<int>(entries.size()), view.px(28), selected,
            [&](int i, const Rect& line) {
              const Hit hit = hit_area(i, line);
              draw_entry(view, entries[static_cast<std::size_t>(i)], line, i == selected, hit.hovered);
              // One click takes it, as in a menu; keys choose first.
              if (hit.clicked) {
                view.act(app::SelectEntry{i});
                view.act(app::ChooseEntry{});
              }
            });
}

}  // namespace

void draw_file_dialog(const View& view, const Rect& window) {
  const scene::Palette& p = view.palette;
  const app::FileDialog& dialog = *view.state.dialog;
  const Sheet sheet(view, window,
                    {"chooser", view.px(760), view.px(620), 0.45f, 24,
                     view.strings(dialog.saving ? "dialog.save" : "dialog.open"), nullptr, true});
  const float left = sheet.left(), room = sheet.room(), end = bottom(sheet.box());
  draw_text(view, {left + room - view.px(30), sheet.box().y + view.px(32)}, dialog.folder,
            {13, p.secondary, Align::Right, Face::Words, 0.6f * room});
  const Rect input{left, sheet.box().y + view.px(58), room, view.px(34)};
  draw_input(view, "dialog", input, {},
             {.placeholder = view.strings(dialog.saving ? "dialog.name" : "dialog.filter"), .size = 15});

  const Type small{13, p.costly, Align::Left, Face::Words};
  const std::string words = dialog.trouble.empty()
                                ? std::string()
                                : view.strings(dialog.trouble_key, {{"words", view.strings(dialog.trouble)}});
  const auto lines = wrapped(view, words, room, small);
  const float trouble = lines.empty() ? 0 : view.px(18) * static_cast<float>(lines.size()) + view.px(8);
  const float top = bottom(input) + view.px(12), foot = end - view.px(44);
  draw_entries(view, {left, top, room, foot - trouble - top});
  draw_lines(view, {left, foot - trouble + view.px(5)}, lines, view.px(18), small);
  draw_text(view, {left, end - view.px(20)}, view.strings(dialog.saving ? "dialog.keys.save" : "dialog.keys"),
            {13, p.faint, Align::Left, Face::Words, room});
}

// The scenes of the lecture: in order, with name and notes to type.

namespace {

// What the scene shows: "tile · A│B", "naive · predict".
std::string scene_detail(const View& view, const app::LectureScene& scene) {
  const scenario::Scenario* s = app::scenario_of(view.catalog, scene.view.settings);
  std::string words = s == nullptr ? scene.view.settings.scenario : app::rung_name(*s, view.state.language);
  const auto add = [&](bool there, const std::string& key) {
    if (there) words += " · " + view.strings(key);
  };
  add(scene.view.pinned.has_value(), "top.compare");
  add(scene.view.question.has_value(), "top.predict");
  add(scene.view.shown != ViewId::Memory, views::row_of(scene.view.shown).tab());
  return words;
}

void draw_scene_row(const View& view, int i, const app::LectureScene& scene, const Rect& row, bool chosen,
                    bool hovered) {
  const scene::Palette& p = view.palette;
  draw_row_ground(view, row, chosen, hovered);
  const Color quiet = chosen ? p.text : p.secondary;
  const bool here = i == view.state.lecturing.scene;
  draw_text(view, {row.x + view.px(32), middle(row)}, std::to_string(i + 1),
            {15, here ? p.text : quiet, Align::Right, here ? Face::CodeBold : Face::Code});
  if (here) fill({row.x, row.y + view.px(4), view.px(3), row.height - view.px(8)}, p.accent, view.px(1.5f));
  const float end = right(row) - view.px(12), x = row.x + view.px(44);
  const float used = draw_text(view, {end, middle(row)}, scene_detail(view, scene),
                               {13, quiet, Align::Right, Face::Words, 0.45f * row.width});
  draw_text(view, {x, middle(row)}, app::scene_words(scene.name, view.state.language),
            {15, p.text, Align::Left, Face::WordsBold, end - x - used - view.px(12)});
}

// Name and notes of the one selected; gives the height used, from the bottom.
void draw_fields(const View& view, const Rect& rect) {
  const float label_room = std::max(text_width(view, view.strings("lecture.name"), {14}),
                                    text_width(view, view.strings("lecture.notes"), {14})) +
                           view.px(12);
  float y = rect.y;
  for (const auto& [id, label] :
       {std::pair(app::kSceneName, "lecture.name"), std::pair(app::kSceneNotes, "lecture.notes")}) {
    const Rect input{rect.x + label_room, y, rect.width - label_room, view.px(32)};
    draw_text(view, {rect.x, middle(input)}, view.strings(label), {14, view.palette.secondary});
    const char* empty = id == app::kSceneName ? "lecture.name.empty" : "lecture.notes.empty";
    draw_input(view, id, input, app::scene_field(view.state, id),
               {.placeholder = view.strings(empty), .size = 14});
    y += view.px(40);
  }
}

}  // namespace

void draw_scenes(const View& view, const Rect& window) {
  const app::Lecturing& now = view.state.lecturing;
  const int count = now.lecture ? static_cast<int>(now.lecture->scenes.size()) : 0;
  const std::string title = now.lecture ? app::scene_words(now.lecture->title, view.state.language) : "";
  const std::string heading = view.strings("lecture.scenes") + (title.empty() ? "" : " · " + title) +
                              (now.unsaved ? view.strings("source.edited") : "");
  const float row = view.px(34), least = view.px(260);
  const float height =
      std::min(std::max(view.px(250) + row * static_cast<float>(count), least), window.height - view.px(48));
  const Sheet sheet(view, window, {"scenes", view.px(860), height, 0.5f, 22, heading});
  const float foot = bottom(sheet.box());
  const Rect rows{sheet.left(), sheet.box().y + view.px(58), sheet.room(), height - view.px(58 + 152)};
  if (count == 0) {
    draw_lines(view, {rows.x, rows.y + view.px(1)},
               wrapped(view, view.strings("lecture.none"), rows.width, {15}), view.px(22),
               {15, view.palette.text});
  } else {
    draw_list(view, "scene rows", rows, count, row, *now.list, [&](int i, const Rect& line) {
      const Hit hit = hit_area(i, line);
      draw_scene_row(view, i, now.lecture->scenes[static_cast<std::size_t>(i)], line, i == *now.list,
                     hit.hovered);
      if (hit.double_clicked)
        view.act(app::GoToScene{i});
      else if (hit.clicked)
        view.act(app::MoveSelection{i - *now.list});
    });
    draw_fields(view, {sheet.left(), foot - view.px(144), sheet.room(), view.px(80)});
  }
  const Type keys{13, view.palette.secondary, Align::Left, Face::Words, sheet.room()};
  draw_text(view, {sheet.left(), foot - view.px(46)},
            view.strings(count == 0 ? "lecture.keys.none" : "lecture.keys"), keys);
  if (count > 0)
    draw_text(view, {sheet.left(), foot - view.px(22)}, view.strings("lecture.keys.order"), keys);
}

// ---- The command palette: type a few letters of what is wanted.

namespace {

std::string kind_of(const View& view, const app::PaletteEntry& entry) {
  using Kind = app::PaletteEntry::Kind;
  if (entry.kind == Kind::Command) return entry.keys;
  if (entry.kind == Kind::Scenario) return entry.group;
  constexpr const char* kKeys[] = {"",  // by Kind
                                   "palette.scene",
                                   "palette.lecture",
                                   "",
                                   "palette.lesson",
                                   "palette.file",
                                   "palette.kernel",
                                   "palette.launch"};
  const std::string words = view.strings(kKeys[static_cast<std::size_t>(entry.kind)]);
  return entry.keys.empty() ? words : words + " · " + entry.keys;
}

// What stands above the first of a group, where the list is in the order of its groups.
std::string heading_of(const View& view, const app::PaletteEntry& entry) {
  if (entry.kind == app::PaletteEntry::Kind::Scenario) return entry.group;
  return view.strings(entry.kind == app::PaletteEntry::Kind::File ? "palette.files" : "palette.own");
}

// `under_heading`: which names its group.
void draw_entry(const View& view, const app::PaletteEntry& entry, const Rect& line, bool chosen, bool hovered,
                bool under_heading) {
  const scene::Palette& p = view.palette;
  draw_row_ground(view, line, chosen, hovered);
  const Color ground = chosen ? scene::mix(p.panel, p.accent, 0.26f) : hovered ? p.cell : p.panel;
  const bool is_command = entry.kind == app::PaletteEntry::Kind::Command;
  const std::string kind = under_heading ? entry.keys : kind_of(view, entry);
  const bool whole = line.height > view.px(40);  // there is a second line
  const float y = whole ? line.y + 0.32f * line.height : middle(line);
  const float used = draw_text(view, {right(line) - view.px(12), y}, kind,
                               {13, legible(is_command ? p.accent : p.secondary, ground, p), Align::Right,
                                is_command ? Face::CodeBold : Face::Words, 0.5f * line.width});
  const Type type{15, p.text, Align::Left, Face::Words, line.width - used - view.px(40)};
  draw_text(view, {line.x + view.px(14), y}, entry.label, type);
  if (whole)
    draw_text(view, {line.x + view.px(14), line.y + 0.72f * line.height}, entry.detail,
              {13, legible(p.secondary, ground, p), Align::Left, Face::Words, line.width - view.px(26)});
  if (hovered && text_width(view, entry.label, type) > type.room) tooltip(view, entry.label);
}

// A row of the list: a heading, or the i-th of those that fit.
struct PaletteRow {
  std::string heading;
  int found = -1;
};
std::vector<PaletteRow> rows_of(const View& view, const app::PaletteEntries& entries,
                                const std::vector<int>& found, bool grouped) {
  std::vector<PaletteRow> rows;
  std::string group;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string mine =
        grouped ? heading_of(view, entries.all[static_cast<std::size_t>(found[i])]) : std::string();
    if (mine != group) rows.push_back({mine, -1});
    group = mine;
    rows.push_back({{}, static_cast<int>(i)});
  }
  return rows;
}

const char* prompt_of(app::CommandPalette::Offer offer) {
  constexpr const char* kPrompts[] = {"palette.type", "palette.type.scenarios", "palette.type.lessons"};
  return kPrompts[static_cast<std::size_t>(offer)];
}

}  // namespace

void draw_command_palette(const View& view, const Rect& window) {
  const float height = std::min(view.px(560), window.height - view.px(100));
  const Sheet sheet(view, window,
                    {"command palette",
                     view.px(720),
                     height,
                     view.px(60) / (window.height - height),
                     16,
                     {},
                     "palette.keys"});
  const app::CommandPalette& palette = *view.state.classroom.palette;
  const Rect input{sheet.left(), sheet.box().y + view.px(16), sheet.room(), view.px(40)};
  draw_input(view, "palette", input, {}, {.placeholder = view.strings(prompt_of(palette.offer)), .size = 17});
  const std::vector<int> found =
      palette.entries ? app::fitting(*palette.entries, view.state.field.text) : std::vector<int>{};
  using Offer = app::CommandPalette::Offer;
  const bool grouped =
      palette.offer == Offer::Scenarios && view.state.field.text.find_first_not_of(' ') == std::string::npos;
  const std::vector<PaletteRow> rows =
      palette.entries ? rows_of(view, *palette.entries, found, grouped) : std::vector<PaletteRow>{};
  const auto selected = std::ranges::find(rows, palette.selected, &PaletteRow::found);
  const float row = view.px(palette.offer == Offer::Lessons ? 50 : 34);
  const float top = bottom(input) + view.px(10), foot = bottom(sheet.box()) - view.px(20);
  // Whole rows: the sliver of one more looks like a fault.
  const float room = std::floor((foot - view.px(20) - top) / row) * row;
  draw_list(view, "found", {input.x, top, input.width, room}, static_cast<int>(rows.size()), row,
            rows.empty() ? -1 : static_cast<int>(selected - rows.begin()), [&](int i, const Rect& line) {
              const PaletteRow& each = rows[static_cast<std::size_t>(i)];
              if (each.found < 0) {
                draw_text(view, {line.x + view.px(6), line.y + 0.62f * line.height}, each.heading,
                          {13, view.palette.secondary, Align::Left, Face::WordsBold, line.width});
                return;
              }
              const auto entry = static_cast<std::size_t>(found[static_cast<std::size_t>(each.found)]);
              const Hit hit = hit_area(i, line);
              draw_entry(view, palette.entries->all[entry], line, each.found == palette.selected, hit.hovered,
                         grouped);
              if (hit.clicked) view.act(app::ChooseCommand{each.found});
            });
  if (found.empty())
    draw_text(view, {input.x + view.px(14), top + 0.5f * row}, view.strings("palette.none"),
              {15, view.palette.secondary});
}

// ---- The sheet of exports: what there is, in which forms, where to, and what became of the last one.

namespace {

// A row's words at the left, a pill for each of its formats at the right. A click chooses and writes.
void draw_row(const View& view, int index, const Rect& row) {
  const scene::Palette& p = view.palette;
  const app::ShareSheet& sheet = *view.state.share;
  const app::ShareRow& entry = app::share_rows()[static_cast<std::size_t>(index)];
  const bool here = index == sheet.row;
  if (here) fill(row, scene::with_alpha(p.accent, 0.16f), view.px(5));
  float end = right(row) - view.px(8);
  const float inset = std::clamp((row.height - view.px(22)) / 2, view.px(1), view.px(3));
  ImGui::PushID(index);
  for (int i = static_cast<int>(entry.formats.size()) - 1; i >= 0; --i) {
    const std::string label = app::name_of(entry.formats[static_cast<std::size_t>(i)]);
    const float width = std::max(view.px(62), pill_width(view, label, true));
    const Rect button{end - width, row.y + inset, width, row.height - 2 * inset};
    if (pill(view, label.c_str(), button, label, here && i == sheet.column).clicked) {
      view.act(app::ChooseShare{index, i});
      view.act(app::Export{});
    }
    end -= width + view.px(6);
  }
  ImGui::PopID();
  const Hit words = hit_area(entry.name, {row.x, row.y, end - row.x, row.height});
  if (words.clicked) view.act(app::ChooseShare{index, 0});
  draw_text(view, {row.x + view.px(12), middle(row)}, view.strings(std::string("share.what.") + entry.name),
            {15, p.text, Align::Left, here ? Face::WordsBold : Face::Words, end - row.x - view.px(16)});
}

void draw_place(const View& view, const Rect& rect) {
  const float label =
      draw_text(view, {rect.x, middle(rect)}, view.strings("share.folder"), {14, view.palette.secondary}) +
      view.px(12);
  const char* empty = platform::has_folders() ? "share.folder.here" : "share.folder.downloads";
  draw_input(view, app::kShareFolder, {rect.x + label, rect.y, rect.width - label, rect.height},
             view.state.share_folder, {.placeholder = view.strings(empty), .size = 14});
}

// What became of the last one, on two lines at most.
void draw_told(const View& view, const Rect& rect) {
  const scene::Palette& p = view.palette;
  const app::ShareTold& told = view.state.share->told;
  if (told.key.empty()) return;
  const std::string text = view.strings(
      told.key,
      {{"words", view.strings(told.words)}, {"n", std::to_string(static_cast<int>(100 * told.progress))}});
  const Type type{14, told.bad ? p.costly : p.text, Align::Left, Face::Words, rect.width};
  auto lines = wrapped(view, text, rect.width, type);
  if (lines.size() > 2) lines = {lines[0], lines[1] + "…"};
  draw_lines(view, top_left(rect), lines, view.px(20), type);
  if (hit_area("told", rect).hovered) tooltip(view, text);
}

}  // namespace

void draw_share(const View& view, const Rect& window) {
  const auto rows = static_cast<int>(app::share_rows().size());
  const float above = view.px(104), below = view.px(84);
  const float row =
      std::min(view.px(34), (window.height - view.px(24) - above - below) / static_cast<float>(rows));
  const Sheet sheet(view, window,
                    {"share", view.px(780), above + below + row * static_cast<float>(rows), 0.5f, 24,
                     view.strings("share.title"), "share.keys"});
  const Rect& box = sheet.box();
  const float left = sheet.left(), room = sheet.room();
  draw_place(view, {left, box.y + view.px(58), room, view.px(32)});
  for (int i = 0; i < rows; ++i)
    draw_row(
        view, i,
        {box.x + view.px(12), box.y + above + row * static_cast<float>(i), box.width - view.px(24), row});
  draw_told(view, {left, bottom(box) - view.px(78), room, view.px(42)});
}

}  // namespace warplens::panels
