// One access of a traced warp, as the view that pictures it.
//
//   memory::WarpAccess access = trace.access(program, event);
//   scene = access.space == memory::Space::Shared ? bank_scene(bank_view_of(...), canvas)
//                                                 : global_scene(global_view_of(...), canvas);
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "app/scene/views.h"
#include "sim/lower/lower.h"

namespace warplens::scene {

// The buffer is the parameter whose address window holds the lowest active lane's address.
GlobalView global_view_of(const warp::Program& program, const memory::GpuModel& gpu,
                          const warp::AccessSite& site, const memory::WarpAccess& access);

// `names`: template arguments, macros and scenario parameters that padding is written with.
BankView bank_view_of(const warp::Program& program, const memory::GpuModel& gpu, const warp::AccessSite& site,
                      const memory::WarpAccess& access, const std::map<std::string, std::int64_t>& names);

// The integers that a compilation gives to names: its template arguments and macros. {"PAD", 2}, {"BX", 32}.
std::map<std::string, std::int64_t> constants_of(const warp::CompileRequest& request);

}  // namespace warplens::scene
