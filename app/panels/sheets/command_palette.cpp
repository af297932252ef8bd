// The command palette: type a few letters of what is wanted.
#include <algorithm>
#include <cmath>

#include "app/input/palette.h"
#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/sheets/overlay.h"
#include "app/panels/widgets/text_input.h"
#include "app/panels/widgets/ui.h"

namespace warplens::panels {
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
  const float used = draw_text(view, {right(line) - view.px(12), middle(line)}, kind,
                               {13, legible(is_command ? p.accent : p.secondary, ground, p), Align::Right,
                                is_command ? Face::CodeBold : Face::Words, 0.5f * line.width});
  const Type type{15, p.text, Align::Left, Face::Words, line.width - used - view.px(40)};
  draw_text(view, {line.x + view.px(14), middle(line)}, entry.label, type);
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
    if (grouped) {
      const std::string mine = heading_of(view, entries.all[static_cast<std::size_t>(found[i])]);
      if (rows.empty() || mine != group) rows.push_back({mine, -1});
      group = mine;
    }
    rows.push_back({{}, static_cast<int>(i)});
  }
  return rows;
}

const char* prompt_of(app::CommandPalette::Offer offer) {
  constexpr const char* kPrompts[] = {"palette.type", "palette.type.scenarios", "palette.type.compare"};
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
  if (sheet.closed()) view.act(app::ShowPalette{false});
  const app::CommandPalette& palette = *view.state.classroom.palette;
  const Rect input{sheet.left(), sheet.box().y + view.px(16), sheet.room(), view.px(40)};
  draw_input(view, "palette", input, {}, {.placeholder = view.strings(prompt_of(palette.offer)), .size = 17});
  const std::vector<int> found =
      palette.entries ? app::fitting(*palette.entries, view.state.field.text) : std::vector<int>{};
  const bool grouped = palette.offer != app::CommandPalette::Offer::Commands &&
                       view.state.field.text.find_first_not_of(' ') == std::string::npos;
  const std::vector<PaletteRow> rows =
      palette.entries ? rows_of(view, *palette.entries, found, grouped) : std::vector<PaletteRow>{};
  const auto selected = std::ranges::find(rows, palette.selected, &PaletteRow::found);
  const float row = view.px(34), top = bottom(input) + view.px(10), foot = bottom(sheet.box()) - view.px(20);
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

}  // namespace warplens::panels
