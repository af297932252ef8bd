#include <algorithm>

#include "app/actions/appliers.h"
#include "app/source/text_fixes.h"
#include "app/state/catalog.h"
#include "app/state/sheets.h"
#include "app/state/teaching.h"
#include "app/state/user_kernel.h"

namespace warplens::app {
namespace {

std::string gesture_of(const std::string& field) {
  return "field:" + field;
}

}  // namespace

bool is_edited(const State& state) {
  if (!state.settings.text) return false;
  if (!state.settings.own) return true;
  const auto disk = state.on_disk.find(state.settings.own->file.string());
  return disk == state.on_disk.end() || *disk->second != *state.settings.text;
}

// ---- kernels of one's own ---------------------------------------------------------------------------------

void Appliers::trouble(const Message& words, const std::string& key) {
  if (state.dialog) {
    state.dialog->trouble = words;
    state.dialog->trouble_key = key;
  } else {
    state.notice = Notice{key, words, true, false};
  }
}

void Appliers::operator()(const OpenText& a) {
  if (a.kernel == nullptr) {
    if (const Message why = cannot_open(a.path, a.text); !why.empty()) return trouble(why);
  }
  auto text = std::make_shared<const std::string>(a.text);
  if (!a.is_part) state.on_disk[a.path] = text;
  state.chosen.insert(a.path);
  state.told.erase(a.path);
  change(settings_of(a.kernel ? *a.kernel : opened_kernel(a.path, a.text), text), {});
  state.position = {};
  state.playback.playing = false;
  state.caret = {};
  state.form = true;
  make_room(&state, std::nullopt);
  state.notice.reset();
}

void Appliers::operator()(const TakeSettings& a) {
  if (!a.path.empty()) {
    state.on_disk[a.path] = std::make_shared<const std::string>(a.on_disk);
    state.chosen.erase(a.path);  // it was chosen for another text
  }
  change(a.settings, {});
  state.pinned = a.pinned;
  state.paired = false;
  state.position = a.position;
  state.caret = {};
  state.form = a.settings.own != nullptr;
  make_room(&state, std::nullopt);
  state.notice.reset();
  if (a.lecture == nullptr) return;
  state.lecturing = Lecturing();
  state.lecturing.lecture = a.lecture;
  state.lecturing.scene = a.scene;
}

void Appliers::operator()(const SetFormField& a) {
  if (!state.settings.own) return;
  LaunchForm form = state.settings.own->form;
  if (!set_field(&form, a.field, a.text)) return;
  change(with_own(state.settings, with_form(*state.settings.own, std::move(form))), a.gesture);
}

void Appliers::operator()(const ChooseKernel& a) {
  if (!state.settings.own || a.kernel == state.settings.own->form.kernel) return;
  change(with_own(state.settings, wishing_kernel(*state.settings.own, a.kernel)), {});
  state.position = {};
  state.field = {};
}

void Appliers::operator()(const UseLaunch& a) {
  if (!state.settings.own || a.launch < 0) return;
  change(with_own(state.settings, wishing_launch(*state.settings.own, static_cast<std::size_t>(a.launch))),
         {});
  state.field = {};
}

void Appliers::operator()(const SetIndexExpression& a) {
  const std::string before = text();
  if (!find_index(before)) return;
  const auto valued = [&](const std::string& name) {
    return typed_parameter(catalog, state.settings, std::string(kValueInput) + name);
  };
  const scenario::ScenarioParameter* element = valued("element");
  const std::int64_t bytes = element == nullptr ? 4 : value_of(*element, state.settings.values);
  const TypedIndex typed = typed_index(before, a.expression, static_cast<int>(bytes));
  Settings next = with_text(catalog, state.settings, with_index(before, typed.expression));
  // A layout says how large the tile is.
  const auto turn = [&](const std::string& name, std::int64_t to) {
    const scenario::ScenarioParameter* parameter = valued(name);
    if (parameter != nullptr && value_in(*parameter, std::to_string(to))) next.values[name] = to;
  };
  if (typed.layout) turn("rows", typed.layout->rows()), turn("columns", typed.layout->columns());
  change(next, a.gesture);
}

void Appliers::operator()(const ShowForm& a) {
  state.form = a.on && state.settings.own != nullptr;
  state.menu.reset();
  if (!state.form && !state.dialog) state.field = {};
}

// ---- one-line inputs --------------------------------------------------------------------------------------

void Appliers::operator()(const FocusField& a) {
  const std::string value = field_value(catalog, state, a.id);
  state.field = {a.id, value, value};
  state.editing = false;
  state.playback.playing = false;
  state.gesture.clear();
}

void Appliers::operator()(const EditField& a) {
  if (state.field.id.empty()) return;
  const bool changed = state.field.text != a.text;
  state.field.text = a.text;
  if (!changed) return;
  const std::string id = state.field.id;
  if (state.classroom.palette) {
    state.classroom.palette->selected = 0;
    return;
  }
  if (id == kDialogField) {
    if (!state.dialog) return;
    state.dialog->selected = state.dialog->saving ? -1 : 0;
    state.dialog->trouble = {};
    state.dialog->overwrite.clear();
  } else if (id == kShareFolder) {
    state.share_folder = a.text;
  } else if (id == kShareSite) {
    state.share_site = a.text;
  } else if (id == kSceneName || id == kSceneNotes) {
    again(SetSceneField{id, a.text});
  } else if (is_typed_whole(id)) {
    return;  // counts when it is finished: on the way to 1023 there is no 10
  } else if (id == kIndexInput) {
    (*this)(SetIndexExpression{a.text, gesture_of(id)});
  } else {
    (*this)(SetFormField{id, a.text, gesture_of(id)});
  }
}

void Appliers::operator()(const LeaveField& a) {
  if (leave_typed(a)) return;
  if (state.dialog) return;
  if (!a.keep) (*this)(EditField{state.field.before});
  state.field = {};
  state.gesture.clear();
}

void Appliers::operator()(const NextField& a) {
  if (next_typed(a)) return;
  if (state.field.id == kShareFolder || state.field.id == kShareSite) return (*this)(LeaveField{true});
  if (state.field.id == kSceneName || state.field.id == kSceneNotes)
    return (*this)(FocusField{state.field.id == kSceneName ? kSceneNotes : kSceneName});
  if (!state.settings.own || state.dialog || state.field.id == kIndexInput) return;
  const std::vector<std::string> fields = form_fields(*state.settings.own);
  const auto at = std::find(fields.begin(), fields.end(), state.field.id) - fields.begin();
  const auto count = static_cast<std::ptrdiff_t>(fields.size());
  if (count == 0) return;
  const std::ptrdiff_t to = at == count ? 0 : ((at + a.by) % count + count) % count;
  (*this)(FocusField{fields[static_cast<std::size_t>(to)]});
}

// ---- work beside the frame --------------------------------------------------------------------------------

void Appliers::operator()(const KernelSettled& a) {
  const auto settle = [&](Settings& settings) {
    if (settings.own == a.before) settings = with_own(settings, *a.after);
  };
  settle(state.settings);
  if (state.pinned) settle(*state.pinned);
  for (Settings& settings : state.past) settle(settings);
  for (Settings& settings : state.future) settle(settings);
}
void Appliers::operator()(const ShowNotice& a) {
  if (a.notice.asks_to_leave) make_room(&state, std::nullopt);  // nothing lies over the question
  state.notice = a.notice;
}
}  // namespace warplens::app
