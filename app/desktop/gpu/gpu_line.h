// What the top bar says of measured times where there is no GPU: which were recorded, or that there are none.
#pragma once

#include <string>
#include <vector>

#include "app/language/strings.h"
#include "app/measure/pack.h"
#include "app/panels/view.h"

namespace warplens::desktop {

panels::GpuLine recorded_line(const std::vector<measure::Pack>& packs, const std::vector<Message>& errors,
                              const language::Strings& strings);

}  // namespace warplens::desktop
