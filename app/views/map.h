// An array as it is thought of: rows and columns, coloured by how often a warp, a block or the grid visits
// each 32-byte sector, with the lanes of the access looked at where they go; the whole of it in small beside
// it.
// Sums over larger and larger cells draw a matrix of any size in the time that its pixels take. A visit is
// one request of one warp that touches the sector: what l1tex__t_sectors counts, an atomic's passes among
// them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/scene/file/files.h"
#include "app/scene/scene.h"
#include "app/scene/views.h"
#include "app/state/action.h"
#include "app/views/views.h"
#include "sim/memory/gpu_model.h"
#include "sim/trace/trace.h"

namespace warplens::views {

const Row& map();  // its row

class HeatMap {
 public:
  // The most sectors that are counted one by one: 1 GiB of array.
  static constexpr std::uint64_t kMostSectors = std::uint64_t{1} << 25;

  explicit HeatMap(const scene::MatrixShape& shape);

  // The global accesses of one warp of the traced block, or of all (-1), to the buffer at `base`.
  void add(const sim::Trace& trace, const sim::Program& program, memory::Address base, int warp);
  void add_visits(std::uint64_t sector, std::uint32_t visits);
  void sum_up();  // makes the levels; after the last add()

  // Cells of 2^k rows and as many columns as are 2^k elements, a sector's at least. Level 0: one row by one
  // sector; a sector belongs to the cell that its first byte is in.
  struct Level {
    std::int64_t rows = 0, columns = 0;           // of cells
    std::int64_t cell_rows = 1, cell_bytes = 32;  // that a cell spans
    std::vector<std::uint64_t> sums;              // visits, row by row
    std::uint64_t at(std::int64_t row, std::int64_t column) const {
      return sums[static_cast<std::size_t>(row * columns + column)];
    }
  };
  int levels() const { return static_cast<int>(levels_.size()); }
  const Level& level(int index) const { return levels_[static_cast<std::size_t>(index)]; }

  const scene::MatrixShape& shape() const { return shape_; }
  std::uint64_t sectors() const { return visits_.size(); }
  std::uint32_t visits(std::uint64_t sector) const {
    return sector < visits_.size() ? visits_[static_cast<std::size_t>(sector)] : 0;
  }
  std::uint32_t most() const { return most_; }  // visits of one sector
  std::uint64_t total() const { return total_; }
  std::uint64_t touched() const { return touched_; }  // sectors with a visit

 private:
  scene::MatrixShape shape_;
  std::vector<std::uint32_t> visits_;  // by sector from the array's start
  std::vector<Level> levels_;
  std::uint32_t most_ = 0;
  std::uint64_t total_ = 0, touched_ = 0;
};

// ---- which part of it is in view, and its pixels

// Where a position leads in a picture of this size in pixels.
struct MapWindow {
  double width = 1, height = 1;  // of the picture
  double scale = 1;              // pixels an element
  double row = 0, column = 0;    // of the picture's top left corner, in elements; may lie outside
  double x_of(double element_column) const { return (element_column - column) * scale; }
  double y_of(double element_row) const { return (element_row - row) * scale; }
};
MapWindow window_of(const scene::MatrixShape& shape, const scene::MapPosition& position, double width,
                    double height);

inline constexpr double kMostPixelsAnElement = 96;
// The largest zoom: an element as large as kMostPixelsAnElement, or what fills the picture.
double most_zoom(const scene::MatrixShape& shape, double width, double height);
// Zooms so that what is at x, y of the picture stays there; moves by pixels. Both stay inside.
scene::MapPosition zoomed(const scene::MatrixShape& shape, const scene::MapPosition& from, double width,
                          double height, double x, double y, double factor);
scene::MapPosition moved(const scene::MatrixShape& shape, const scene::MapPosition& from, double width,
                         double height, double dx, double dy);

struct MapElement {
  std::int64_t row = 0, column = 0;
  std::uint64_t byte = 0;  // from the array's start
  std::uint64_t sector() const { return byte / memory::kSectorBytes; }
};
// The element under a point of the picture; false: outside of the matrix.
bool element_at(const scene::MatrixShape& shape, const MapWindow& window, double x, double y,
                MapElement* out);

// From the colour of what is not touched over a few visits to as many as `most`: lighter (darker, on a light
// ground) is more, at any hue.
struct HeatColors {
  static constexpr int kSteps = 256;
  std::array<std::uint32_t, kSteps> ramp{};  // RGBA, red in the low byte; 0: not touched
  std::uint32_t outside = 0;
  double most = 1;
  // Of a mean number of visits a sector.
  int step_of(double visits) const;
};
HeatColors heat_colors(const scene::Palette& palette, double most);
scene::Color heat_color(const HeatColors& colors, double visits);

// The level whose cells are as large as a pixel, or the finest.
int level_for(const HeatMap& map, double elements_a_pixel);
// `image`: whose memory may be used again.
scene::Image map_pixels(const HeatMap& map, const MapWindow& window, const HeatColors& colors,
                        scene::Image image = {});

// ---- its picture
struct MatrixMapView {
  std::shared_ptr<const HeatMap> heat;
  scene::MapPosition position;
  memory::WarpAccess access;
  memory::Address base = 0;  // of the array
  bool access_is_here = false;
  std::string counted;  // what the colours count, in words
};
scene::Scene matrix_map_scene(const MatrixMapView& view, const scene::Canvas& canvas);
// Where in the scene the matrix is, and the whole of it in small, shown where only a part is in view; width
// 0: there is no room for that.
scene::Rect matrix_map_room(const scene::Canvas& canvas);
scene::Rect matrix_overview_room(const scene::Canvas& canvas);

// ---- what is on screen, or in a file
struct MapShown {
  std::shared_ptr<const HeatMap> heat;  // null: not yet
  int parameter = -1;                   // index into Program::parameters; -1: there is no buffer
  std::vector<std::string> buffers;     // names of those there are, in the kernel's order
  std::string buffer;                   // the one mapped
  memory::Address base = 0;
  app::MapScope scope = app::MapScope::Block;
  scene::MapPosition opening;  // where the block is
  double progress = 1;         // of the counting
  bool too_large = false;      // more than HeatMap::kMostSectors
  bool fresh = true;           // `heat` is of what is looked at
  Message error;               // why it could not be counted
  friend bool operator==(const MapShown&, const MapShown&) = default;
};
// What part of it is in view.
scene::MapPosition position_of(const MapShown& map, const app::MapView& view);

// ---- what is done in it
void act(const Acting& on, const app::SetMapArray& a);
void act(const Acting& on, const app::StepMapArray& a);
void act(const Acting& on, const app::SetMapScope& a);
void act(const Acting& on, const app::MoveMap& a);
void act(const Acting& on, const app::ZoomMap& a);
void act(const Acting& on, const app::PanMap& a);
void act(const Acting& on, const app::FindOnMap& a);

}  // namespace warplens::views
