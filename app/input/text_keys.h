// What typed keys do to the source's text while it is edited.
#pragma once

#include "app/input/commands.h"

namespace warplens::app {

Actions in_editor(const KeyPress& press, In in);

}  // namespace warplens::app
