// What nvprof called a count, what Nsight Compute calls it, and what it is called here.
#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/sheets/overlay.h"
#include "app/panels/widgets/row_list.h"
#include "app/readout/profiler_names.h"

namespace warplens::panels {
namespace {

struct NameColumns {
  float nvprof = 0, counter = 0, here = 0, end = 0;  // left ends
};

NameColumns columns_of(const View& view, float x, float width) {
  float nvprof = 0, here = text_width(view, view.strings("nvprof.column.here"), {13});
  for (const app::ProfilerName& name : app::profiler_names()) {
    nvprof = std::max(nvprof, text_width(view, name.nvprof, {13, {}, Align::Left, Face::CodeBold}));
    if (!name.here.empty()) here = std::max(here, text_width(view, view.strings(name.here), {13}));
  }
  const float gap = view.px(20);
  nvprof = std::min(nvprof, 0.3f * width), here = std::min(here, 0.25f * width);
  return {x, x + nvprof + gap, x + width - here, x + width};
}

void draw_name(const View& view, const app::ProfilerName& name, const NameColumns& columns, const Rect& row) {
  const scene::Palette& p = view.palette;
  const float y = middle(row), gap = view.px(16);
  const auto put = [&](float from, float to, const std::string& text, const Type& type) {
    Type fitted = type;
    fitted.room = to - from;
    draw_text(view, {from, y}, text, fitted);
  };
  put(columns.nvprof, columns.counter - gap, std::string(name.nvprof),
      {13, p.text, Align::Left, Face::CodeBold});
  if (name.counter.empty())
    put(columns.counter, columns.here - gap, view.strings("nvprof.no_counter"), {13, p.faint});
  else
    put(columns.counter, columns.here - gap, std::string(name.counter),
        {13, p.secondary, Align::Left, Face::Code});
  if (!name.here.empty()) put(columns.here, columns.end, view.strings(name.here), {13, p.text});
  const Hit hit = hit_area(std::string(name.nvprof).c_str(), row);
  if (hit.hovered) tooltip(view, app::profiler_name_tip(name.nvprof, view.strings));
}

}  // namespace

Actions draw_names(const View& view, const Rect& window) {
  const scene::Palette& p = view.palette;
  const auto names = app::profiler_names();
  const int count = static_cast<int>(names.size());
  const float least = std::max(view.px(17), view.state.present ? view.px(30) : 0.0f), natural = view.px(22);
  const float around = view.px(124);
  const float height = std::min(around + natural * static_cast<float>(count), window.height - view.px(40));
  const Sheet sheet(view, window, {"names", view.px(1240), height, 0.5f, 24, view.strings("nvprof.title")});
  const Rect rows{sheet.left(), sheet.box().y + view.px(82), sheet.room(), height - around};
  const NameColumns columns = columns_of(view, rows.x, rows_width(view, rows, count, least));
  const float head = sheet.box().y + view.px(66);
  draw_text(view, {columns.nvprof, head}, view.strings("nvprof.column.nvprof"), {13, p.faint});
  draw_text(view, {columns.counter, head}, view.strings("nvprof.column.counter"), {13, p.faint});
  draw_text(view, {columns.here, head}, view.strings("nvprof.column.here"), {13, p.faint});
  draw_rows(view, "names", rows, count, natural, least, [&](int i, const Rect& row) {
    draw_name(view, names[static_cast<std::size_t>(i)], columns, row);
  });
  draw_text(view, {sheet.left(), bottom(sheet.box()) - view.px(22)}, view.strings("nvprof.source"),
            {13, p.secondary, Align::Left, Face::Words, sheet.room()});
  return sheet.closed() ? Actions{app::ShowNames{false}} : Actions{};
}

}  // namespace warplens::panels
