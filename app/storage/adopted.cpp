#include "app/storage/adopted.h"

#include <utility>

namespace warplens::app {

Adopted read_adopted(const std::string& path, const std::string& schema) {
  Adopted out;
  if (schema == "warplens.scenario/1") {
    auto loaded = scenario::load_scenario(path);
    out.scenario = std::move(loaded.value);
    out.errors = std::move(loaded.errors);
  } else if (schema == "warplens.pack/1") {
    auto loaded = measure::load_pack(path);
    out.pack = std::move(loaded.value);
    out.errors = std::move(loaded.errors);
  } else {
    auto loaded = measure::load_measurement(path);
    out.errors = std::move(loaded.errors);
    if (!loaded.value) return out;
    loaded.value->recorded = true;
    measure::Pack& pack = out.pack.emplace();
    pack.device = loaded.value->device;
    pack.when = loaded.value->when.substr(0, 10);
    pack.measurements.push_back(std::move(*loaded.value));
    pack.index();
  }
  return out;
}

}  // namespace warplens::app
