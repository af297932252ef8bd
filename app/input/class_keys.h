// Keys of lessons and predictions; the part of keys.h that goes before the others.
#pragma once

#include <optional>

#include "app/input/keys.h"

namespace warplens::session {

// Nothing: the key means nothing here.
std::optional<Actions> in_class(const KeyPress& press, const State& state, const Catalog& catalog);

}  // namespace warplens::session
