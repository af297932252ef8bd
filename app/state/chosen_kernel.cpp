#include "app/state/chosen_kernel.h"

#include <memory>

#include "app/source/index_expression.h"
#include "app/state/teaching/lecture.h"
#include "app/state/typed_value.h"
#include "app/state/user_kernel.h"

namespace warplens::app {

const scenario::Scenario* scenario_of(const Catalog& catalog, const Settings& settings) {
  return settings.own ? &settings.own->scenario : catalog.find(settings.scenario);
}

std::string kernel_name_of(const Catalog& catalog, const Settings& settings) {
  if (settings.own) return settings.own->form.kernel;
  const scenario::Scenario* scenario = scenario_of(catalog, settings);
  return scenario == nullptr ? std::string() : scenario->kernel;
}

const std::string& text_of(const Catalog& catalog, const Settings& settings) {
  static const std::string kNone;
  if (settings.text) return *settings.text;
  const scenario::Scenario* s = catalog.find(settings.scenario);
  return s ? s->text : kNone;
}

Settings with_text(const Catalog& catalog, const Settings& settings, const std::string& text) {
  Settings out = settings;
  if (settings.own) {
    out.text = std::make_shared<const std::string>(text);
    return with_own(out, wishing_text(*settings.own));
  }
  const scenario::Scenario* s = catalog.find(settings.scenario);
  const bool is_the_file = s != nullptr && text == s->text;
  out.text = is_the_file ? nullptr : std::make_shared<const std::string>(text);
  return out;
}

std::vector<std::string> form_fields(const UserKernel& own) {
  std::vector<std::string> fields;
  for (const auto& value : own.form.templates) fields.push_back("template." + value.name);
  for (const char* group : {"grid", "block"}) {
    for (const char* axis : {".x", ".y", ".z"}) fields.push_back(std::string(group) + axis);
  }
  fields.emplace_back("shared");
  for (const auto& value : own.form.scalars) fields.push_back("scalar." + value.name);
  for (const auto& buffer : own.form.buffers) {
    fields.push_back("offset." + buffer.name);
    fields.push_back("elements." + buffer.name);
  }
  return fields;
}

std::string field_value(const Catalog& catalog, const State& state, const std::string& id) {
  if (id == kShareFolder) return state.share_folder;
  if (id == kShareSite) return state.share_site;
  if (id == kSceneName || id == kSceneNotes) return scene_field(state, id);
  if (const scenario::ScenarioParameter* p = typed_parameter(catalog, state.settings, id))
    return typed_text(*p, value_of(*p, state.settings.values), state.language);
  if (id == kIndexInput) {
    const auto index = find_index(text_of(catalog, state.settings));
    return index ? index->text : std::string();
  }
  return state.settings.own ? field_text(state.settings.own->form, id) : std::string();
}

}  // namespace warplens::app
