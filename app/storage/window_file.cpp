#include "app/storage/window_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/file/whole_file.h"
#include "sim/scenario/text_file.h"

namespace warplens::app {
namespace {

constexpr const char* kWindowSchema = "warplens.window/1";

}  // namespace

std::optional<Panels> panels_named(std::string_view names) {
  if (names == "none") return Panels();
  if (names == "all") return Panels(kAllPanels);
  Panels panels;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    const auto at = std::ranges::find(kPanelNames, name);
    if (at == kPanelNames.end()) return std::nullopt;
    panels.set(static_cast<std::size_t>(at - kPanelNames.begin()));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
  }
  return panels;
}

std::optional<Panels> load_panels(const std::filesystem::path& state_folder) {
  const auto text = scenario::read_text(state_folder / "window.json");
  if (!text) return std::nullopt;
  const nlohmann::json document = nlohmann::json::parse(*text.value, nullptr, false);
  const bool is_ours = document.is_object() && document.contains("schema") &&
                       document["schema"] == kWindowSchema && document.contains("panels") &&
                       document["panels"].is_array();
  if (!is_ours) return std::nullopt;
  std::string names;
  for (const nlohmann::json& name : document["panels"])
    if (name.is_string()) names += (names.empty() ? "" : ",") + name.get<std::string>();
  return panels_named(names.empty() ? "none" : names);
}

void keep_panels(const std::filesystem::path& state_folder, const Panels& panels) {
  if (state_folder.empty()) return;  // there is no home to keep it in
  nlohmann::json names = nlohmann::json::array();
  for (std::size_t i = 0; i < kPanelNames.size(); ++i)
    if (panels.test(i)) names.push_back(kPanelNames[i]);
  std::error_code failed;
  std::filesystem::create_directories(state_folder, failed);
  file::write_whole(state_folder / "window.json",
                    nlohmann::json{{"schema", kWindowSchema}, {"panels", names}}.dump() + "\n");
}

}  // namespace warplens::app
