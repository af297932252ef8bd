// A launch: grid, block, dynamic shared memory and a value for every kernel parameter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/memory/gpu_model.h"
#include "sim/program/program.h"

namespace warplens::sim {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  // The index of a block or thread by its number: x runs fastest.
  Dim3 at(std::uint64_t number) const {
    return {static_cast<std::uint32_t>(number % x), static_cast<std::uint32_t>(number / x % y),
            static_cast<std::uint32_t>(number / x / y)};
  }
  std::string text() const {
    return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
  }
  friend bool operator==(const Dim3&, const Dim3&) = default;
};

// What a buffer holds before the kernel runs, the same on host and GPU. Element i is: Zero: 0. Iota: i,
// converted to the element's type. Random: any value as often as any other. Zipf: k is 1 / (k + 1) times as
// often as 0. Permutation: each index once, in no order. List: the index of another element, so that one
// chain leads through all of them and back. Letters: of the small ones of the alphabet. Ascending: none is
// less than the one before, as the places at which the rows of a sparse matrix begin. Small: 0 to 6 in turn,
// whole numbers whose products even halves add up exactly. See fill_element.
enum class Fill : std::uint8_t { Zero, Iota, Random, Zipf, Permutation, List, Letters, Ascending, Small };
inline constexpr std::array<const char*, 9> kFillNames{"zero", "iota",    "random",    "zipf", "permutation",
                                                       "list", "letters", "ascending", "small"};
constexpr const char* name_of(Fill fill) {
  return kFillNames[static_cast<std::size_t>(fill)];
}
constexpr std::optional<Fill> fill_named(std::string_view name) {
  for (std::size_t i = 0; i < kFillNames.size(); ++i)
    if (name == kFillNames[i]) return static_cast<Fill>(i);
  return std::nullopt;
}

using FillRange = std::array<double, 2>;  // from the one to the other, both included
constexpr bool takes_range(Fill fill) {
  return fill == Fill::Random || fill == Fill::Ascending;
}

// Of what a buffer holds: at each place, in bytes from its begin and a multiple of 8, lie 8 bytes to which
// the address of another buffer's begin is added, as by a linker's relocations.
struct Addresses {
  std::string of;
  std::shared_ptr<const std::vector<std::uint64_t>> places;  // ascending
  friend bool operator==(const Addresses&, const Addresses&) = default;
};

struct Buffer {
  std::uint64_t elements = 0;  // 0: without end; an access beyond the end is an error
  Fill fill = Fill::Zero;
  std::uint64_t offset = 0;             // the argument points to this element: `d_in + RADIUS`
  std::optional<FillRange> range = {};  // of a fill that takes one
  std::string file = {};                // whose bytes it holds, `data`; zeros behind them
  std::shared_ptr<const std::string> data = {};
  std::vector<Addresses> addresses = {};   // among `data`
  bool is_null = false;                    // no buffer: the pointer is null
  std::optional<ScalarType> element = {};  // of what type its elements are; else the parameter's
  std::uint64_t offset_bytes = 0;          // beside `offset`
  std::string same_as = {};  // the parameter whose buffer it is; elements and contents are that one's
  bool is_filled() const {   // elements, fill and range say all
    return offset == 0 && offset_bytes == 0 && same_as.empty() && !element && !data && !is_null;
  }
  friend bool operator==(const Buffer&, const Buffer&) = default;
};

// A scalar keeps the kind in which it was given; binding converts it to the parameter's type, and refuses
// what does not fit (2^40 for an int, NaN for an int, -1 for a size_t). std::uint64_t is for what is beyond
// std::int64_t, and for nothing else.
using Argument = std::variant<std::int64_t, std::uint64_t, double, Buffer>;
// Of the type's register bits.
Argument integer_argument(ScalarType type, std::uint64_t bits);

struct Launch {
  Dim3 grid, block;
  std::uint64_t shared_bytes = 0;             // dynamic
  std::map<std::string, Argument> arguments;  // a pointer left out: a zero-filled buffer without end
  std::optional<Dim3> cluster = {};           // in blocks, where the program's text does not say it

  const Argument* argument(const std::string& name) const {  // null: it is left out
    const auto given = arguments.find(name);
    return given == arguments.end() ? nullptr : &given->second;
  }
  const Buffer* buffer(const std::string& name) const {  // null: it is left out, or a number
    return std::get_if<Buffer>(argument(name));
  }
};

// Every way in which the launch cannot be made, in words ("block 64 x 32 has 2048 threads; sm_90 takes at
// most 1024"); empty: it can. Scalars left out are errors, as are names that the kernel does not have.
std::vector<Message> check_launch(const Program& program, const Launch& launch, const memory::GpuModel& gpu);

// Element `index` of a filled buffer: an integer type's value in `bits` as it lies in memory (low bytes), a
// floating one as its bit pattern. `elements` bounds random integers to [0, elements) so that they can serve
// as indices into a buffer of the same length (0: [0, 2^16)); random floats are multiples of 2^-12 in [0, 1).
// Zipf has the same bound, or 1024 where that is less, and gives floats whole numbers. Permutation and List
// are of all elements, or, without an end, of each 2^16 by themselves. A `range` takes the place of Random's
// bounds, and of Ascending's, which are the first and the last index.
std::uint64_t fill_element(Fill fill, ScalarType type, std::uint64_t index, std::uint64_t elements,
                           const std::optional<FillRange>& range = {});

// `count` bytes of a filled buffer from byte `first` on. Both need be multiples of the scalar's size.
void fill_bytes(Fill fill, ScalarType type, std::uint64_t elements, const std::optional<FillRange>& range,
                std::uint64_t first, std::byte* out, std::uint64_t count);

}  // namespace warplens::sim
