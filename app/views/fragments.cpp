// The matrices of an mma.sync as they lie in a warp: each element in its lane's colour, with the lane and the
// register. D stands where a product stands: below B, beside A.
//
//            B
//          A D
#include <algorithm>
#include <cmath>

#include "app/views/drawing.h"
#include "app/views/inputs.h"
#include "app/views/layout.h"

namespace warplens::views {
namespace {

using layout::Holder;
using layout::MatrixOf;
using layout::MmaShape;

class FragmentPicture {
 public:
  FragmentPicture(const MmaShape& shape, const Canvas& canvas) : shape_(shape), pen_(canvas) {}

  Scene draw() {
    pen_.scene().title =
        pen_.text(shape_.is_warpgroups() ? "scene.fragment.title.wgmma" : "scene.fragment.title",
                  {{"mma", shape_.name}});
    if (pen_.too_small()) return pen_.finish();
    const float foot = draw_foot(), name = pen_.px(22), gap = pen_.px(18);
    const float margin =
        shape_.is_warpgroups() && pen_.width() > pen_.px(400) ? pen_.px(72) : 0;  // for the warps' names
    const float room = pen_.width() - margin - gap;
    cell_ = {std::floor(std::min(room / static_cast<float>(shape_.k + shape_.columns), pen_.px(66))),
             std::floor(std::min((foot - 2 * name - gap) / static_cast<float>(shape_.k + shape_.rows),
                                 pen_.px(34)))};
    if (cell_.x < 2 || cell_.y < 2) return pen_.finish();
    const float k = static_cast<float>(shape_.k);
    const float left =
        std::floor(margin + 0.5f * (room - cell_.x * (k + static_cast<float>(shape_.columns))));
    const Point a{left, 2 * name + gap + cell_.y * k}, d{left + cell_.x * k + gap, a.y};
    draw_matrix(MatrixOf::A, "A", "a", a);
    draw_matrix(MatrixOf::B, "B", "b", {d.x, name});
    draw_matrix(MatrixOf::C, "C, D", "d", d);
    draw_warps(a);
    return pen_.finish();
  }

 private:
  static constexpr std::size_t kBack = 0, kFront = 1;  // the layers
  static constexpr int kRowsOfWarp = 16;

  float draw_foot() {
    const char* legend = shape_.is_warpgroups() ? "scene.fragment.legend.wgmma" : "scene.fragment.legend";
    return pen_.foot(kFront, {{pen_.text(legend), pen_.palette().secondary, 3}}, 1.4f * pen_.size_of({14})) -
           pen_.px(8);
  }

  void draw_matrix(MatrixOf of, const char* name, const char* registers, Point at) {
    const Palette& p = pen_.palette();
    pen_.label(kFront, {at.x, at.y - pen_.px(11)}, name, {14, p.text, Align::Left, Font::Words, true});
    for (int row = 0; row < layout::rows_of(shape_, of); ++row)
      for (int column = 0; column < layout::columns_of(shape_, of); ++column) {
        const Holder h = layout::holder_of(shape_, of, row, column);
        const Rect rect = CellGrid{{at.x, at.y}, cell_}.of(row, column);
        if (h.lane < 0) {
          pen_.cell(kBack, rect, p.cell).radius = 1;
          continue;
        }
        const std::string number = registers + std::to_string(h.register_number);
        draw_element(of, rect, h, number);
        pen_.hot_spot({.rect = rect,
                       .lane = h.lane,
                       .tooltip = pen_.text("scene.fragment.element", {{"matrix", name},
                                                                       {"row", row},
                                                                       {"column", column},
                                                                       {"lane", lane_of(h)},
                                                                       {"register", number},
                                                                       {"part", h.part}})});
      }
  }

  // Of a warpgroup with the warp's.
  std::string lane_of(const Holder& h) const {
    const std::string lane = std::to_string(h.lane);
    return shape_.is_warpgroups() ? pen_.text("scene.fragment.lane", {{"lane", lane}, {"warp", h.warp}})
                                  : lane;
  }

  // The rows of each warp of a warpgroup, in front of them.
  void draw_warps(Point at) {
    const Palette& p = pen_.palette();
    for (int row = 0; shape_.is_warpgroups() && row < shape_.rows; row += kRowsOfWarp) {
      const float y = at.y + cell_.y * static_cast<float>(row);
      const std::string name = pen_.text("scene.fragment.warp", {{"warp", row / kRowsOfWarp}});
      const Type type{std::max(12.5f, pen_.least_type()), p.secondary, Align::Right};
      if (pen_.width_of(name, type) + pen_.px(8) > at.x || cell_.y * kRowsOfWarp < 1.4f * pen_.px(type.size))
        return;
      pen_.label(kFront, {at.x - pen_.px(8), y + 0.5f * cell_.y * kRowsOfWarp}, name, type);
    }
  }

  // The lane's number, and the register below or beside it where it has room.
  void draw_element(MatrixOf of, const Rect& rect, const Holder& h, const std::string& name) {
    const Palette& p = pen_.palette();
    const bool other = pen_.hovered_lane() >= 0 && pen_.hovered_lane() != h.lane;
    const Color color = mix(p.cell, lane_color(p, h.lane), other ? 0.25f : 1);
    pen_.cell(kBack, rect, color).radius = 1;
    const bool parts = of != MatrixOf::C && shape_.in_register > 1;
    const std::string lane = std::to_string(h.lane), part = parts ? "." + std::to_string(h.part) : "";
    const Type type{12.5f, ink_on(color), Align::Center, Font::Code, true};
    const Point middle{rect.x + 0.5f * rect.width, rect.y + 0.5f * rect.height};
    for (const std::string& text : {lane + " " + name + part, lane + " " + name}) {
      if (pen_.width_of(text, type) > rect.width - 4 || !takes_numbers(pen_, rect.width, rect.height))
        continue;
      pen_.label(kFront, middle, text, type);
      return;
    }
    draw_number(&pen_, kFront, rect, lane, color, true, 13);
  }

  const MmaShape shape_;
  Pen pen_;
  Point cell_;
};

}  // namespace

Scene fragment_scene(const MmaShape& shape, const Canvas& canvas) {
  return FragmentPicture(shape, canvas).draw();
}

namespace {

std::vector<MmaShape> shapes_of(const app::Simulation& s) {
  return s.compiled == nullptr ? std::vector<MmaShape>()
                               : layout::mma_shapes_in(s.compiled->setup.compile.text);
}

// Of the first mma.sync in the kernel's text.
Scene draw_fragments(const Inputs& in, const Canvas& canvas) {
  const auto shapes = shapes_of(*in.simulation);
  return shapes.empty() ? nothing_of(canvas, "fragments.title", (*canvas.strings)("fragments.none"))
                        : fragment_scene(shapes.front(), canvas);
}

constexpr app::Command kFragmentsCommands[] = {
    {"fragments", app::Focus::Window, "Ctrl Shift M", "help.fragments", app::toggles<ViewId::Fragments>},
};

}  // namespace

const Row& fragments() {
  static const Row kRow{
      .id = ViewId::Fragments,
      .tab = "fragments.tab",
      .tip = "fragments.tab.tip",
      .file = "fragments",
      .where = Tab::WhereThereIsOne,
      .is_there = [](const app::State&, const app::Simulation& s) { return !shapes_of(s).empty(); },
      .tells = {.of_access = false, .tells_answers = false},
      .draw = draw_fragments,
      .feel = feel_lanes,
      .commands = kFragmentsCommands};
  return kRow;
}

}  // namespace warplens::views
