// What a claim of an exercise is about: a figure of one request of a warp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/memory/access.h"

namespace warplens::exercise {

enum class Figure : std::uint8_t { Coalesced, Sectors, Lines, Ways, Wavefronts };
inline constexpr std::array kFigures{Figure::Coalesced, Figure::Sectors, Figure::Lines, Figure::Ways,
                                     Figure::Wavefronts};

// As in exercises, claim sheets and results: "coalesced", "sectors", "lines", "ways", "wavefronts".
const char* name_of(Figure figure);
std::optional<Figure> figure_named(std::string_view name);

// Whether a figure is one of requests to that memory: ways and wavefronts of shared memory, the others of
// global.
bool belongs_to(Figure figure, memory::Space space);

// Coalesced: 1 where the request needs no more sectors than would hold its bytes, else 0. Ways:
// BankPlan::degree, so that a float4 without a conflict is 1-way though it takes 4 wavefronts.
std::int64_t value_of(Figure figure, const memory::WarpAccess& access);

}  // namespace warplens::exercise
