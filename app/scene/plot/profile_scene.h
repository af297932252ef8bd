// What a profiler counted, number by number: bars of what each consists of. Those that differ stand first,
// with their sum in words; those that are as predicted have a line each.
#pragma once

#include <string>
#include <vector>

#include "app/scene/views.h"

namespace warplens::scene {

struct ProfileRow {
  enum class Kind : std::uint8_t { Unexplained, Explained, Behind, Equal };
  Kind kind = Kind::Equal;
  std::string label;     // "bank conflicts, shared store"
  std::string counter;   // Nsight Compute's name
  std::string measured;  // "16,012,462"
  // "= 15,728,640 by addresses + 283,822 by arbitration", or that it is as predicted.
  std::string sum;
  double exact = 0, total = 0;  // what is predicted, and what was measured; both 0: no bar
  std::string tip;
};

struct ProfileView {
  std::vector<ProfileRow> rows;  // in any order
  std::string title, answer;
  bool answer_is_costly = false;  // something is not explained
  std::string foot;               // what is not predicted, in a line
  std::string foot_tip;
};

Scene profile_scene(const ProfileView& view, const Canvas& canvas);

}  // namespace warplens::scene
