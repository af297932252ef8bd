#include "app/views/layout.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <tuple>
#include <unordered_map>

#include "app/simulate/matrix_shape.h"
#include "app/views/drawing.h"
#include "app/views/inputs.h"

namespace warplens::views {
namespace {

using app::Compiled;
using app::Simulation;

// ---- the picture

using memory::Address;

class TilePicture {
 public:
  TilePicture(const TileView& view, const Canvas& canvas) : view_(view), pen_(canvas) {
    if (view_.access) plan_ = memory::plan_banks(*view_.access);
    find_lanes();
    find_pieces();
  }

  Scene draw() {
    pen_.scene().title = pen_.text("scene.layout.title", {{"tile", view_.tile}, {"in", view_.in}});
    answer();
    if (pen_.too_small() || view_.elements.empty()) return pen_.finish();
    Pen room(pen_.canvas());  // with all its words, of which those are said that hold
    numbered_ = true;
    const float foot = draw_foot(&room);
    numbered_ = false;
    place_grids(foot);
    draw_matrix();
    draw_memory();
    draw_foot(&pen_);
    return pen_.finish();
  }

 private:
  static constexpr std::size_t kBack = 0, kFront = 1;  // the layers
  static constexpr int kBanks = 32, kBankBytes = 4, kRowBytes = 128;
  // At scale 1: above a grid its name, beside it the numbers of its rows.
  static constexpr float kHead = 22, kRowNumbers = 26, kBetween = 26;
  static constexpr std::size_t kMostSpots = 2048;  // elements that tell of themselves

  struct Touch {
    int lane = -1;       // that accesses the element; of ldmatrix: that gives its row
    int holder = -1;     // that has it then; of ldmatrix another
    int wavefront = -1;  // in which it is served
  };

  bool has_matrices() const { return view_.access && view_.access->matrix; }

  // Who touches what: by the element's address.
  void find_lanes() {
    if (!view_.access) return;
    for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
      if ((view_.access->active >> lane & 1) == 0) continue;
      const auto at = static_cast<std::size_t>(lane);
      const Address from = view_.access->addresses[at];
      for (int byte = 0; byte < view_.access->bytes; byte += view_.element_bytes) {
        Touch& touch = touched_[from + static_cast<Address>(byte)];
        if (touch.lane >= 0) continue;  // a broadcast shows its first lane
        const int holder =
            has_matrices() ? holder_after_ldmatrix(lane % 8, byte / 2, view_.transposed) : lane;
        touch = {lane, holder, plan_.wavefront[at]};
      }
    }
  }
  const Touch* touch_of(Address address) const {
    const auto found = touched_.find(address);
    return found == touched_.end() ? nullptr : &found->second;
  }

  // Elements of a word that lie beside each other in both, and that one lane accesses: one cell. Sorted by
  // place.
  struct Piece {
    TileElement first;
    int elements = 1;
    const Touch* touch = nullptr;
  };
  void find_pieces() {
    std::vector<TileElement> elements = view_.elements;
    std::ranges::sort(elements,
                      [](const TileElement& a, const TileElement& b) { return a.address < b.address; });
    for (const TileElement& element : elements) {
      const Touch* touch = touch_of(element.address);
      Piece* last = pieces_.empty() ? nullptr : &pieces_.back();
      const auto continues = [&] {
        const TileElement& first = last->first;
        const auto bytes = static_cast<Address>(last->elements * view_.element_bytes);
        const bool alike =
            (touch == nullptr) == (last->touch == nullptr) &&
            (touch == nullptr || (touch->lane == last->touch->lane && touch->holder == last->touch->holder));
        return alike && element.row == first.row && element.column == first.column + last->elements &&
               element.address == first.address + bytes &&
               element.address / kBankBytes == first.address / kBankBytes;
      };
      if (last != nullptr && continues())
        ++last->elements;
      else
        pieces_.push_back({element, 1, touch});
    }
  }

  void answer() {
    if (!view_.access) return;
    const bool costly = plan_.wavefronts > plan_.least;
    const std::string text =
        pen_.counted(costly ? "scene.layout.ways" : "scene.layout.ideal", plan_.wavefronts,
                     {{"n", plan_.wavefronts}, {"ways", plan_.degree}});
    pen_.scene().answer = (costly ? "" : "= ") + text;
    pen_.scene().answer_is_costly = costly;
    pen_.scene().answer_is_ideal = !costly;
  }

  // What the colours and numbers mean; gives where it begins.
  float draw_foot(Pen* pen) const {
    std::vector<Pen::Paragraph> paragraphs;
    const Palette& p = pen_.palette();
    if (view_.access) {
      const int most = *std::ranges::max_element(plan_.words_in_bank);
      const auto banks = std::ranges::count_if(plan_.words_in_bank, [](int words) { return words > 0; });
      const bool conflict = plan_.wavefronts > plan_.groups;
      paragraphs.push_back(
          {conflict ? pen_.counted("scene.layout.say.conflict", banks, {{"banks", banks}, {"most", most}})
                    : pen_.text("scene.layout.say.none", {{"banks", banks}}),
           conflict ? p.costly : p.text});
    }
    if (pen_.height() > pen_.px(300)) {
      const bool is_full =
          view_.elements.size() * static_cast<std::size_t>(view_.element_bytes) >= view_.end - view_.begin;
      std::string key = has_matrices() ? "scene.layout.legend.matrix"
                        : view_.access ? "scene.layout.legend.lanes"
                                       : "scene.layout.legend";
      if (!numbered_ && !has_matrices()) key += ".plain";
      paragraphs.push_back(
          {pen_.text(key) + (is_full ? "" : pen_.text("scene.layout.legend.unused")), p.secondary});
    }
    return pen->foot(kFront, paragraphs, 1.4f * pen_.size_of({14})) - pen_.px(8);
  }

  Address first_row() const { return view_.begin / kRowBytes; }
  int memory_rows() const {
    return static_cast<int>((std::max(view_.end, view_.begin + 1) - 1) / kRowBytes - first_row()) + 1;
  }
  // Where both grids stand.
  struct Arrangement {
    CellGrid matrix, memory;
  };
  // Cells as large as the room lets them be, of whole pixels, none much longer than high.
  Point cell_in(float width, float height, int columns, int rows) const {
    Point cell{std::min(width / static_cast<float>(columns), pen_.px(30)),
               std::min(height / static_cast<float>(rows), pen_.px(26))};
    cell = {std::min(cell.x, 3 * cell.y), std::min(cell.y, 2 * cell.x)};
    return {cell.x > 3 ? std::floor(cell.x) : cell.x, cell.y > 3 ? std::floor(cell.y) : cell.y};
  }
  static Rect rect_of(float x, float y, const Point& cell, int columns, int rows) {
    return {x, y, cell.x * static_cast<float>(columns), cell.y * static_cast<float>(rows)};
  }

  // Beside each other, or one below the other.
  Arrangement arranged(float foot, bool stacked) const {
    const float head = pen_.px(kHead), numbers = pen_.px(kRowNumbers);
    const auto share = [](int one, int other, float most) {
      return std::clamp(static_cast<float>(one) / static_cast<float>(one + other), 0.25f, most);
    };
    const float width = pen_.width() - numbers - (stacked ? 0 : pen_.px(kBetween) + numbers);
    const float high = foot - head - (stacked ? head + pen_.px(8) : 0);
    const float left = width * (stacked ? 1 : share(view_.columns, kBanks, 0.6f)),
                upper = high * (stacked ? share(view_.rows, memory_rows(), 0.75f) : 1);
    Arrangement a;
    a.matrix.cell = cell_in(left, upper, view_.columns, view_.rows);
    a.memory.cell =
        cell_in(stacked ? width : width - left, stacked ? high - upper : high, kBanks, memory_rows());
    a.matrix.rect = rect_of(numbers, head, a.matrix.cell, view_.columns, view_.rows);
    const float x = stacked ? numbers : pen_.width() - a.memory.cell.x * kBanks,
                y = head + (stacked ? a.matrix.rect.height + pen_.px(8) + head : 0);
    a.memory.rect = rect_of(x, y, a.memory.cell, kBanks, memory_rows());
    return a;
  }
  // Below each other in a room that is not wide.
  void place_grids(float foot) {
    const bool stacks = pen_.width() < 1.2f * pen_.height();
    const Arrangement a = arranged(foot, stacks);
    matrix_ = a.matrix, memory_ = a.memory;
    name_room_ = stacks ? pen_.width() : memory_.rect.x - pen_.px(kRowNumbers + 4);
  }

  Color ground_of(Address address) const {
    const Palette& p = pen_.palette();
    const float bank = static_cast<float>(address / kBankBytes % kBanks) / (kBanks - 1);
    return mix(p.cell, mix(p.panel, p.accent, 0.75f), 0.15f + 0.6f * bank);
  }

  // The access comes to its wavefronts one after another.
  float strength_of(const Touch& touch) const {
    if (!view_.now || touch.wavefront < view_.wavefront) return 1;
    if (touch.wavefront > view_.wavefront) return 0.25f;
    return 0.25f + 0.75f * eased(view_.progress);
  }
  bool is_served_now(const Touch& touch) const { return view_.now && touch.wavefront == view_.wavefront; }

  // A cell in the colour of `lane`, or of its bank; with `plain` as its number where no lane has one.
  void draw_cell(const Rect& rect, Address address, const Touch* touch, int lane, int plain) {
    const Palette& p = pen_.palette();
    const Color ground = ground_of(address);
    if (touch == nullptr) {
      pen_.cell(kBack, rect, ground).radius = 1;
      if (!view_.access && draw_number(&pen_, kFront, rect, std::to_string(plain), ground, false) > 0)
        numbered_ = true;
      return;
    }
    float strength = strength_of(*touch);
    if (pen_.hovered_lane() >= 0 && pen_.hovered_lane() != lane) strength *= 0.4f;
    const Color color = mix(p.cell, lane_color(p, lane), strength);
    const float border = std::min(pen_.px(2), 0.16f * std::min(rect.width, rect.height));
    Cell& cell = is_served_now(*touch) && border >= 0.8f ? pen_.framed(kFront, rect, color, p.text, border)
                                                         : pen_.cell(kBack, rect, color);
    cell.radius = 1;
    if (draw_number(&pen_, kFront, rect, std::to_string(lane), color) > 0) numbered_ = true;
  }

  void add_spot(const Rect& rect, const TileElement& element) {
    const Touch* touch = touch_of(element.address);
    if (view_.elements.size() > kMostSpots && touch == nullptr) return;
    std::string tip = pen_.text("scene.layout.element", {{"in", view_.in},
                                                         {"row", element.row},
                                                         {"column", element.column},
                                                         {"tile", view_.tile},
                                                         {"byte", element.address - view_.begin},
                                                         {"bank", memory::bank_of(element.address)}});
    if (touch != nullptr)
      tip += pen_.text(has_matrices() ? "scene.layout.element.row" : "scene.layout.element.lane",
                       {{"lane", touch->lane}, {"holder", touch->holder}});
    pen_.hot_spot({.rect = rect, .lane = touch == nullptr ? -1 : touch->holder, .tooltip = std::move(tip)});
  }

  void row_numbers(const CellGrid& grid, int rows, int step) {
    const Palette& p = pen_.palette();
    const int every = grid.cell.y >= 1.2f * pen_.px(std::max(12.0f, pen_.least_type())) ? 1
                      : 4 * grid.cell.y >= pen_.px(14)                                  ? 4
                                                                                        : 16;
    for (int row = 0; row < rows; row += every)
      pen_.label(kFront,
                 {grid.rect.x - pen_.px(5), grid.rect.y + (static_cast<float>(row) + 0.5f) * grid.cell.y},
                 std::to_string(row * step), {12, p.faint, Align::Right, Font::Code});
  }

  void draw_matrix() {
    const Palette& p = pen_.palette();
    pen_.label_within(kFront, {0, pen_.px(9)}, name_room_,
                      pen_.text("scene.layout.matrix", {{"in", view_.in}}),
                      {13, p.secondary, Align::Left, Font::Words, true});
    row_numbers(matrix_, view_.rows, 1);
    for (const Piece& piece : pieces_) {
      const TileElement& element = piece.first;
      const Rect rect = matrix_.of(static_cast<float>(element.row), static_cast<float>(element.column),
                                   static_cast<float>(piece.elements));
      draw_cell(rect, element.address, piece.touch, piece.touch == nullptr ? -1 : piece.touch->holder,
                memory::bank_of(element.address));
    }
    for (const TileElement& element : view_.elements)
      add_spot(matrix_.of(element.row, element.column), element);
  }

  // Of elements one after another, under the banks.
  Rect place_of(Address address, int elements) const {
    const Address byte = address - first_row() * kRowBytes;
    return memory_.of(static_cast<float>(byte / kRowBytes), static_cast<float>(byte % kRowBytes) / kBankBytes,
                      static_cast<float>(elements * view_.element_bytes) / kBankBytes);
  }

  void draw_memory() {
    const Palette& p = pen_.palette();
    pen_.label_within(kFront, {memory_.rect.x, memory_.rect.y - pen_.px(kHead - 9)}, memory_.rect.width,
                      pen_.text("scene.layout.memory", {{"tile", view_.tile}}),
                      {13, p.secondary, Align::Left, Font::Words, true});
    draw_holes();
    row_numbers(memory_, memory_rows(), 1);
    for (const Piece& piece : pieces_) {
      draw_cell(place_of(piece.first.address, piece.elements), piece.first.address, piece.touch,
                piece.touch == nullptr ? -1 : piece.touch->lane, piece.first.column);
    }
    for (const TileElement& element : view_.elements) add_spot(place_of(element.address, 1), element);
  }

  // Words of the array that hold no element: padding.
  void draw_holes() {
    const Palette& p = pen_.palette();
    Address next = view_.begin;
    const auto hatch = [&](Address from, Address to) {
      for (Address at = from; at + kBankBytes <= to;) {
        const Address end = std::min(to, (at / kRowBytes + 1) * kRowBytes),
                      byte = at - first_row() * kRowBytes;
        pen_.sharp(kBack,
                   memory_.of(static_cast<float>(byte / kRowBytes),
                              static_cast<float>(byte % kRowBytes) / kBankBytes,
                              static_cast<float>(end - at) / kBankBytes),
                   p.panel)
            .hatched(std::max(4.0f, pen_.px(6)), p.hatch);
        at = end;
      }
    };
    for (const Piece& piece : pieces_) {
      if (piece.first.address > next) hatch(next, piece.first.address);
      next = std::max(next, piece.first.address + static_cast<Address>(piece.elements * view_.element_bytes));
    }
    hatch(next, view_.end);
  }

  const TileView& view_;
  Pen pen_;
  memory::BankPlan plan_;
  std::unordered_map<Address, Touch> touched_;
  std::vector<Piece> pieces_;
  CellGrid matrix_, memory_;
  float name_room_ = 0;    // of the matrix's name
  bool numbered_ = false;  // some cell has room for its number
};

}  // namespace

int holder_after_ldmatrix(int row, int half, bool transposed) {
  return transposed ? half * 4 + row / 2 : row * 4 + half / 2;
}

Scene tile_scene(const TileView& view, const Canvas& canvas) {
  return TilePicture(view, canvas).draw();
}

// ---- what it is of
namespace {

constexpr const char* kTransposed = "ldmatrix.trans";  // as the text of its access begins

// What of a matrix lies in a tile, before its rows are known.
struct Filled {
  std::unordered_map<Address, Address> from;  // by the element's place in shared memory: its address
  bool read = false;                          // since it was filled: what is stored next begins anew
};

// One that is as long as the launch makes it reaches to the end.
bool holds(const sim::SharedArray& array, Address address) {
  const auto begin = static_cast<Address>(array.offset);
  return address >= begin && (array.bytes == 0 || address < begin + static_cast<Address>(array.bytes));
}

// Follows elements from global to shared memory up to an access. A thread stores what it loaded in that
// order.
class TileFollower {
 public:
  TileFollower(const Compiled& compiled, const sim::Trace& trace) : compiled_(compiled), trace_(trace) {}

  // The filling of the array that is there when event `last` is made.
  const Filled* follow(const sim::SharedArray& array, std::size_t last) {
    const std::size_t end = std::min(last + 1, trace_.events.size());
    if (end > kMostTileEvents) return nullptr;
    std::size_t copied = 0;
    for (std::size_t i = 0; i < end; ++i) {
      if (!take_bulk(copied, i, array) || !take(i, array)) return nullptr;
    }
    if (!take_bulk(copied, end, array)) return nullptr;
    if (filled_.from.empty() && !take_first_box(copied, array)) return nullptr;
    return filled_.from.empty() || computes() || filled_.from.size() > kMostTileElements ? nullptr : &filled_;
  }
  int element_bytes() const { return bytes_; }
  int parameter() const { return parameter_; }

 private:
  struct Loaded {
    std::size_t event = 0;
    Address address = 0;
    int parameter = 0;
  };

  bool is_of(const sim::SharedArray& array, const memory::WarpAccess& access) const {
    return access.active != 0 &&
           holds(array, access.addresses[static_cast<std::size_t>(std::countr_zero(access.active))]);
  }

  bool take(std::size_t index, const sim::SharedArray& array) {
    const memory::WarpAccess access = trace_.access(compiled_.program, index);
    if (memory::is_atomic(access.op)) return true;
    const bool shared = access.space == memory::Space::Shared, load = app::loads(access);
    if (!shared && load) return load_elements(index, access);
    if (shared && load) return is_of(array, access) ? (filled_.read = true) : true;
    if (!shared) return true;
    return store_elements(index, access, is_of(array, access));
  }

  // What was copied in bulk before event `index`.
  bool take_bulk(std::size_t& next, std::size_t index, const sim::SharedArray& array) {
    for (; next < trace_.bulk_copies.size() && trace_.bulk_copies[next].event <= index; ++next)
      if (!take_bulk(trace_.bulk_copies[next], array)) return false;
    return true;
  }
  // A tile that is still to come is shown as it will be.
  bool take_first_box(std::size_t next, const sim::SharedArray& array) {
    std::size_t event = trace_.events.size() + 1;
    for (; next < trace_.bulk_copies.size() && trace_.bulk_copies[next].event <= event; ++next) {
      if (!holds(array, trace_.bulk_copies[next].to)) continue;
      event = trace_.bulk_copies[next].event;
      if (!take_bulk(trace_.bulk_copies[next], array)) return false;
    }
    return true;
  }
  bool take_bulk(const sim::BulkCopy& copy, const sim::SharedArray& array) {
    if (!holds(array, copy.to)) return true;
    if (filled_.read) filled_ = {}, parameter_ = -1;
    const int parameter = app::parameter_of(compiled_.program, copy.from);
    if (parameter < 0) return false;
    const int bytes = bytes_of(parameter);
    if (parameter_ < 0) parameter_ = parameter, bytes_ = bytes;
    if (parameter_ != parameter || bytes_ != bytes) return false;
    for (Address at = 0; at < copy.bytes; at += static_cast<Address>(bytes))
      filled_.from[copy.to + at] = copy.from + at;
    return true;
  }

  bool load_elements(std::size_t index, const memory::WarpAccess& access) {
    const int parameter = app::parameter_of(compiled_.program, trace_.events[index].base);
    if (parameter < 0) return true;
    app::each_word(access, bytes_of(parameter), [&](int lane, Address address) {
      holds_[thread(index, lane)].push_back({index, address, parameter});
    });
    return true;
  }

  // `wanted`: into the array that is asked about; of others the elements are given away alone.
  bool store_elements(std::size_t index, const memory::WarpAccess& access, bool wanted) {
    bool good = true;
    if (wanted && filled_.read) filled_ = {}, parameter_ = -1;
    const int bytes = bytes_of_held(index, access);
    if (bytes == 0) return !wanted;
    for (int lane = 0; wanted && lane < memory::kWarpLanes; ++lane)
      if ((access.active >> lane & 1) != 0) stored_at_[thread(index, lane)] = index;
    app::each_word(access, bytes, [&](int lane, Address address) {
      std::deque<Loaded>& held = holds_[thread(index, lane)];
      if (held.empty()) {
        good = good && !wanted;
        return;
      }
      const Loaded loaded = held.front();
      held.pop_front();
      if (!wanted) return;
      if (parameter_ < 0) parameter_ = loaded.parameter, bytes_ = bytes;
      good = good && parameter_ == loaded.parameter && bytes_ == bytes;
      filled_.from[address] = loaded.address;
    });
    return good;
  }

  // The bytes of an element that the first lane holds; 0: it holds none.
  int bytes_of_held(std::size_t index, const memory::WarpAccess& access) {
    if (access.active == 0) return 0;
    const std::deque<Loaded>& held = holds_[thread(index, std::countr_zero(access.active))];
    return held.empty() ? 0 : bytes_of(held.front().parameter);
  }
  int bytes_of(int parameter) const {
    return std::max(1, compiled_.program.parameters[static_cast<std::size_t>(parameter)].element_bytes);
  }

  // A thread had loaded more than it stored: what lies there is made of several.
  bool computes() const {
    return std::ranges::any_of(holds_, [&](const auto& held) {
      const auto last = stored_at_.find(held.first);
      return last != stored_at_.end() && !held.second.empty() && held.second.front().event < last->second;
    });
  }

  std::uint32_t thread(std::size_t index, int lane) const {
    return trace_.events[index].warp * memory::kWarpLanes + static_cast<std::uint32_t>(lane);
  }

  const Compiled& compiled_;
  const sim::Trace& trace_;
  Filled filled_;
  int bytes_ = 0, parameter_ = -1;
  std::unordered_map<std::uint32_t, std::deque<Loaded>> holds_;  // by thread
  std::unordered_map<std::uint32_t, std::size_t> stored_at_;     // last, into the array
};

const sim::SharedArray* array_of(const Simulation& s) {
  const auto& arrays = s.program().shared_arrays;
  if (arrays.empty()) return nullptr;
  if (!s.shared) return &arrays.front();
  const memory::WarpAccess& access = s.shared->access;
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    const Address address = access.addresses[static_cast<std::size_t>(lane)];
    for (const sim::SharedArray& array : arrays)
      if (holds(array, address)) return &array;
  }
  return nullptr;
}

// Puts the elements at their rows and columns.
FoundTile placed(const Simulation& s, const TileFollower& follower, const Filled& filled, TileLayout tile) {
  const MatrixShape shape = app::matrix_shape(*s.compiled, *s.trace, follower.parameter());
  tile.in = s.program().parameters[static_cast<std::size_t>(follower.parameter())].name;
  tile.element_bytes = follower.element_bytes();
  if (!shape.known || shape.element_bytes != tile.element_bytes) return {nullptr, NoTile::UnknownRows};
  app::RowsAndColumns box;
  for (const auto& [address, from] : filled.from) {
    const auto byte = static_cast<std::int64_t>(from % sim::kBufferSpacing);
    const int row = static_cast<int>(byte / shape.row_bytes()),
              column = static_cast<int>(byte % shape.row_bytes() / tile.element_bytes);
    tile.elements.push_back({row, column, address});
    box.add(row, column);
  }
  for (TileElement& element : tile.elements)
    element.row -= static_cast<int>(box.top), element.column -= static_cast<int>(box.left);
  std::ranges::sort(tile.elements,
                    [](const TileElement& a, const TileElement& b) { return a.address < b.address; });
  tile.rows = static_cast<int>(box.rows()), tile.columns = static_cast<int>(box.columns());
  if (tile.rows > kMostTileSide || tile.columns > kMostTileSide) return {nullptr, NoTile::TooLarge};
  return {std::make_shared<const TileLayout>(std::move(tile)), NoTile::NoShared};
}

FoundTile find_tile(const Simulation& s, const sim::SharedArray& array, std::size_t last) {
  if (last >= kMostTileEvents) return {nullptr, NoTile::TooLarge};
  TileFollower follower(*s.compiled, *s.trace);
  const Filled* filled = follower.follow(array, last);
  if (filled == nullptr) return {nullptr, NoTile::NotCopied};
  TileLayout tile;
  tile.tile = array.name;
  tile.begin = static_cast<Address>(array.offset);
  tile.end = tile.begin + static_cast<Address>(array.bytes);
  if (array.bytes == 0)
    for (const auto& [address, from] : filled->from)
      tile.end = std::max(tile.end, address + static_cast<Address>(follower.element_bytes()));
  return placed(s, follower, *filled, std::move(tile));
}

// While a tile is being filled it is shown as it will be: up to the last store before something reads it.
std::size_t last_of_filling(const Simulation& s, const sim::SharedArray& array, std::size_t from) {
  std::size_t last = from;
  const std::size_t most = std::min(s.trace->events.size(), kMostTileEvents);
  for (std::size_t i = from; i < most; ++i) {
    const sim::TraceEvent& event = s.trace->events[i];
    const bool is_of = event.space == memory::Space::Shared && holds(array, event.base);
    if (is_of && s.program().sites[event.site].op == memory::Op::Load) break;
    if (is_of) last = i;
  }
  return last;
}

}  // namespace

FoundTile tile_layout(const Simulation& s) {
  if (s.empty() || !s.trace) return {};
  const sim::SharedArray* array = array_of(s);
  if (array == nullptr) return {};
  const int at = s.shared ? s.shared->event : s.place.event;
  const std::size_t from = at < 0 ? 0 : (*s.events)[static_cast<std::size_t>(at)].event;
  const std::size_t last = last_of_filling(s, *array, from);
  using Key = std::tuple<std::shared_ptr<const sim::Trace>, const sim::SharedArray*, std::size_t>;
  thread_local jobs::Newest<Key, FoundTile> known(2);
  return *known.get({s.trace, array, last},
                    [&] { return std::make_shared<const FoundTile>(find_tile(s, *array, last)); });
}

TileView tile_view(const TileLayout& tile, const Simulation& s) {
  TileView view;
  static_cast<TileLayout&>(view) = tile;
  if (!s.shared || s.shared->known != app::Known::All || s.shared->refused != 0) return view;
  view.access = s.shared->access;
  view.transposed = s.shared->site->text.starts_with(kTransposed);
  view.now = s.shared->event == s.place.event;
  view.wavefront = view.now ? s.place.wavefront : s.wavefronts_of(s.shared->event);
  return view;
}

namespace {

Scene draw_layout(const Inputs& in, const Canvas& canvas) {
  const language::Strings& strings = *canvas.strings;
  const FoundTile found = tile_layout(*in.simulation);
  if (found.tile == nullptr) {
    const std::string why = strings("layout.none." + std::to_string(static_cast<int>(found.why)));
    return nothing_of(canvas, "layout.title", strings("layout.none") + "\n" + why);
  }
  TileView view = tile_view(*found.tile, *in.simulation);
  if (in.motion != nullptr && view.now) view.progress = in.motion->wavefront(in.now);
  if (in.whole) view.now = false;
  return tile_scene(view, canvas);
}

constexpr app::Command kLayoutCommands[] = {
    {"layout", app::Focus::Window, "Ctrl M", "help.layout", app::toggles<ViewId::Layout>},
};

}  // namespace

const Row& layout_row() {
  static const Row kRow{.id = ViewId::Layout,
                        .file = "layout",
                        .where = Tab::WhereWide,
                        .draw = draw_layout,
                        .feel = feel_lanes,
                        .commands = kLayoutCommands};
  return kRow;
}

// ---- The matrices of an mma.sync as they lie in a warp: each element in its lane's colour, with the lane
// and the register. D stands where a product stands: below B, beside A.
//
//            B
//          A D

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
    const float name = pen_.px(22), gap = pen_.px(18);
    const float beside = pen_.px(shape_.is_warpgroups() ? 72 : 24);  // for the warps' names, or the rows'
    const float margin = pen_.width() > pen_.px(400) ? beside : 0;
    const float room = pen_.width() - margin - gap;
    // With room for all words; where that leaves cells too low for numbers, for those that hold then.
    for (const Numbered told : {Numbered::Register, Numbered::Lane}) {
      Pen words(pen_.canvas());
      numbered_ = told;
      const float foot = draw_foot(&words);
      cell_ = {std::floor(std::min(room / static_cast<float>(shape_.k + shape_.columns), pen_.px(66))),
               std::floor(std::min((foot - 2 * name - gap) / static_cast<float>(shape_.k + shape_.rows),
                                   pen_.px(34)))};
      if (takes_numbers(pen_, cell_.x - 1, cell_.y - 1)) break;
    }
    numbered_ = Numbered::Nothing;
    if (cell_.x < 2 || cell_.y < 2) return pen_.finish();
    const float k = static_cast<float>(shape_.k);
    const float left =
        std::floor(margin + 0.5f * (room - cell_.x * (k + static_cast<float>(shape_.columns))));
    const Point a{left, 2 * name + gap + cell_.y * k}, d{left + cell_.x * k + gap, a.y};
    draw_matrix(MatrixOf::A, "A", "a", a);
    draw_matrix(MatrixOf::B, "B", "b", {d.x, name});
    draw_matrix(MatrixOf::C, "C, D", "d", d);
    draw_warps(a);
    draw_foot(&pen_);
    return pen_.finish();
  }

 private:
  static constexpr std::size_t kBack = 0, kFront = 1;  // the layers
  static constexpr int kRowsOfWarp = 16;

  enum class Numbered : std::uint8_t { Nothing, Lane, Register };

  float draw_foot(Pen* pen) const {
    const char* legend = shape_.is_warpgroups() ? "scene.fragment.legend.wgmma" : "scene.fragment.legend";
    constexpr const char* kNumbers[] = {"", "scene.fragment.legend.lane", "scene.fragment.legend.register"};
    const auto& numbers = kNumbers[static_cast<std::size_t>(numbered_)];
    const std::string told = *numbers == 0 ? "" : pen_.text(numbers);
    std::vector<Pen::Paragraph> words{{pen_.text(legend, {{"numbers", told}}), pen_.palette().secondary, 3}};
    if (shape_.of_wmma)
      words.push_back({pen_.text("scene.fragment.wmma", {{"mma", shape_.name}}), pen_.palette().text, 4});
    return pen->foot(kFront, words, 1.4f * pen_.size_of({14})) - pen_.px(8);
  }

  void draw_matrix(MatrixOf of, const char* name, const char* registers, Point at) {
    const Palette& p = pen_.palette();
    pen_.label(kFront, {at.x, at.y - pen_.px(11)}, name, {14, p.text, Align::Left, Font::Words, true});
    draw_edges(of, at);
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

  // The number of each fourth row, where they have room, and behind the matrix' name of each fourth column.
  void draw_edges(MatrixOf of, Point at) {
    const Type type{13, pen_.palette().secondary, Align::Center, Font::Code};
    const bool rows = at.x > pen_.px(20) && 4 * cell_.y > pen_.px(14) && !shape_.is_warpgroups();
    for (int row = 0; rows && row < layout::rows_of(shape_, of); row += 4)
      pen_.label(kFront, {at.x - pen_.px(10), at.y + cell_.y * (static_cast<float>(row) + 0.5f)},
                 std::to_string(row), type);
    for (int i = 4; 4 * cell_.x > pen_.px(50) && i < layout::columns_of(shape_, of); i += 4)
      pen_.label(kFront, {at.x + cell_.x * (static_cast<float>(i) + 0.5f), at.y - pen_.px(11)},
                 std::to_string(i), type);
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
    for (const std::string& text : {" " + name + part, " " + name}) {
      // All alike: with the register where one of two digits has it.
      if (pen_.width_of("31" + text, type) > rect.width - 4 || !takes_numbers(pen_, rect.width, rect.height))
        continue;
      pen_.label(kFront, middle, lane + text, type);
      numbered_ = Numbered::Register;
      return;
    }
    // Of the lane looked at also where rows are too low for it: in front of those beside it.
    const Rect chip{rect.x, middle.y - pen_.px(8), rect.width, pen_.px(16)};
    const bool low = !other && pen_.hovered_lane() >= 0 && h.part == 0 && rect.height < chip.height;
    if (const Type large{13, type.color, Align::Center, Font::Code, true};
        low && pen_.width_of(lane, large) < rect.width) {
      pen_.cell(kFront, chip, color).radius = 2;
      return pen_.label(kFront, middle, lane, large);
    }
    if (draw_number(&pen_, kFront, rect, lane, color, true, 13) > 0)
      numbered_ = std::max(numbered_, Numbered::Lane);
  }

  const MmaShape shape_;
  Pen pen_;
  Numbered numbered_ = Numbered::Nothing;
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
