// A layout, and a fragment, as text for people, JSON and CSV.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/budget.h"
#include "sim/layout/fragment.h"
#include "sim/layout/layout.h"

namespace warplens::cli {

// What a layout is asked with.
struct LayoutSubject {
  layout::Layout layout;
  int element_bytes = 4;
  bool show_banks = false;  // in the table, not places
};

// All throw Stopped where the budget ends.
std::string layout_text(const LayoutSubject& subject, Budget& budget);
nlohmann::ordered_json layout_json(const LayoutSubject& subject, Budget& budget);  // warplens.layout/1
std::string layout_csv(const LayoutSubject& subject, Budget& budget);

std::string fragment_text(const layout::MmaShape& shape);
nlohmann::ordered_json fragment_json(const layout::MmaShape& shape);  // warplens.fragment/1
std::string fragment_csv(const layout::MmaShape& shape);

}  // namespace warplens::cli
