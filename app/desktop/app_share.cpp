// What the state asks for that only the app has: pixels, the clipboard, files that join the catalog.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/desktop/app.h"
#include "app/language/languages.h"
#include "app/platform/system.h"
#include "app/readout/question.h"
#include "app/readout/words/vote.h"
#include "app/state/chosen_kernel.h"
#include "app/storage/files.h"
#include "app/storage/link.h"
#include "app/storage/session_file.h"

namespace warplens::desktop {

bool App::serve(const app::Request& request) {
  if (const auto* clip = std::get_if<app::SetClipboard>(&request)) {
    if (clipboard.set) clipboard.set(clip->text);
  } else if (const auto* file = std::get_if<app::AdoptFile>(&request)) {
    adopt(*file);
  } else if (std::holds_alternative<app::ReadFile>(request) ||
             std::holds_alternative<app::OpenLink>(request)) {
    begin_reading(request);
  } else if (std::holds_alternative<app::RunSanitizer>(request)) {
    check_wished_ = true;
  } else if (std::holds_alternative<app::MakeRound>(request)) {
    ask_class();
  } else if (std::holds_alternative<app::CloseWindow>(request)) {
    quit_wished_ = true;
  } else if (std::holds_alternative<app::CopyLink>(request)) {
    copy_link();
  } else if (const auto* figure = std::get_if<app::CopyFigure>(&request)) {
    copy_figure(figure->size);
  } else if (const auto* wanted = std::get_if<app::ShareRequest>(&request)) {
    if (wanted->what == app::ShareWhat::Window)
      wanted_window_ = *wanted;
    else
      begin_share(*wanted, {});
  } else {
    return false;
  }
  return true;
}

// The question on screen, as phones are asked it in any language.
void App::ask_class() {
  std::vector<const language::Strings*> all;
  for (const std::string& language : language::languages()) all.push_back(&words(language));
  auto asked = app::round_on_screen(state_, *simulation_, catalog_, all);
  if (!asked) return act({app::ShowNotice{{"vote.nothing", {}, true, false}}});
  asked->round.began = measure::utc_now();
  asked->round.id = vote::random_text(16, "0123456789abcdef");  // the clock may be wrong, and may go back
  act({app::TakeRound{std::move(asked->round), asked->truth}});
}

std::string App::answered() {
  const app::Guess* guess = app::guess_of(state_.classroom);
  if (guess == nullptr || !guess->locked) return {};
  const auto question = app::question_of(state_, *simulation_, words(state_.language));
  if (!question || !question->answer) return {};
  nlohmann::ordered_json out{{"question", question->text},
                             {"given", guess->value()},
                             {"answer", *question->answer},
                             {"right", app::is_right(*question, *guess)}};
  if (!question->choices.empty()) out["choices"] = question->choices;
  if (const auto& active = state_.classroom.active)
    out["lesson"] = active->lesson->name, out["step"] = active->step + 1;
  return out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void App::copy_link() {
  tell_copied(app::write_link(state_, *simulation_, catalog_));
}

void App::copy_figure(app::ShareFormat size) {
  tell_copied(figure(size));
}

void App::tell_copied(const std::string& text) {
  if (text.empty()) return act({app::ShareTold{"share.long_link", {}, true, false, 0}});
  if (clipboard.set) clipboard.set(text);
  const std::string place = text.size() > 200 ? text.substr(0, 200) + "…" : text;
  act({app::ShareTold{"share.copied", Message::verbatim(place), false, false, 0}});
}

std::string App::figure(app::ShareFormat size) {
  app::Figure figure;
  figure.link = app::write_link(state_, *simulation_, catalog_);
  if (figure.link.empty()) return {};
  figure.site = state_.share_site;
  figure.title = spoken();
  if (figure.title.empty()) figure.title = "Warplens: " + state_.settings.scenario;
  if (size == app::ShareFormat::Small) figure.width = 360, figure.height = 240;
  if (size == app::ShareFormat::Large) figure.width = 1120, figure.height = 630;
  const scenario::Scenario* scenario = app::scenario_of(catalog_, state_.settings);
  if (!state_.share || state_.share->left_out.empty() || scenario == nullptr) return app::figure_html(figure);
  figure.controls.emplace();
  for (const auto& parameter : scenario->parameters)
    if (!state_.share->left_out.contains(parameter.name)) figure.controls->push_back(parameter.name);
  return app::figure_html(figure);
}

void App::open_lesson_of(const std::string& link, Budget& budget) {
  const auto read = app::read_link(link, catalog_, {programs_.get(), &budget});
  if (read && !(*read.value)->lesson.empty()) take_link(*read.value);
}

void App::take_link(const std::shared_ptr<const app::Link>& link) {
  act(app::actions_of(link, state_, false));
}

// Reading may take long: a text is parsed and its launch tried out, also that of a link; a pack has
// megabytes.
void App::begin_reading(const app::Request& request) {
  app::Places places = options_.places;
  places.recovery = nullptr;
  reader_.start(
      [this, request, places, state = state_](const std::atomic<bool>* cancel, std::atomic<double>*) {
        Budget budget(app::app_allowance(cancel));
        return app::perform(request, state, catalog_, places, {programs_.get(), &budget});
      });
  take_read();
}

void App::take_read() {
  if (!state_.reading) reader_.cancel();
  if (auto answers = reader_.take()) {
    app::keep_aside(*answers, state_, options_.places);
    act(*answers);
  } else if (const Message words = reader_.failure(); !words.empty()) {
    reader_.cancel();
    act({app::EndReading{}, app::ShowNotice{{"files.trouble", words, true, false}}});
  }
}

void App::begin_share(const app::ShareRequest& request, scene::Image window) {
  if (sharing_.busy()) return;
  if (!languages_.contains(state_.language)) prepare_fonts(1);
  share::Order order{request.what, request.format, platform::without_tilde(request.folder), {}};
  share::Source source;
  const language::Strings& strings = languages_.find(state_.language)->second;
  if (simulation_->empty()) {
    source.subject.simulation = simulation_;
  } else {
    const auto mode = state_.optimised ? measure::CompileMode::AsOptimised : measure::CompileMode::AsWritten;
    const auto& times = times_.of(catalog_, state_.settings, measurements_, mode);
    source.subject = share::subject_of(state_, shown_, catalog_, times, strings);
    if (const measure::Measurement* shown = app::measurement_of(times))
      source.subject.measured = std::make_shared<const measure::Measurement>(*shown);
    if (const measure::PeakRecord* peaks = peaks_of(*shown_, times))
      source.subject.peaks = std::make_shared<const measure::PeakRecord>(*peaks);
    if (plots_ && !plots_->busy) source.subject.plots = plots_;
    if (a_.shown() && !a_.simulation().empty()) {
      const auto& times_a = a_times_.of(catalog_, a_.state().settings, measurements_, mode);
      source.subject.beside =
          share::beside_of({a_.state(), a_.held_simulation(), app::measurement_of(times_a)},
                           {state_, shown_, app::measurement_of(times)}, a_.comparison(), catalog_, strings);
    }
  }
  source.whole = simulation_;
  source.name = simulation_->empty() ? state_.settings.scenario : simulation_->compiled->setup.name;
  app::State kept = state_;  // the sheet itself is no part of the session
  kept.share.reset();
  kept.field = {};
  source.session =
      app::to_json(kept, app::Simulation{}).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) +
      "\n";
  source.window = std::move(window);
  sharing_.start(std::move(order), std::move(source));
}

// The window without the sheet and without the pointer.
scene::Image App::shoot(panels::Input input) {
  GLint target = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
  std::string error;
  const auto shot = gl::Framebuffer::create(input.width, input.height, &error);
  if (!shot) return {};
  input.mouse_inside = false;
  input.typed.clear();
  std::fill(std::begin(input.buttons), std::end(input.buttons), false);
  input.wheel = input.wheel_sideways = 0;
  input.seconds = 0;
  auto sheet = std::exchange(state_.share, std::nullopt);
  shot->bind();
  build(input);
  host_.end_frame();
  redraw_.forget();  // what it kept is the window's
  draw(input);
  redraw_.forget();
  state_.share = std::move(sheet);
  scene::Image image = shot->read();
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(target));
  return image;
}

void App::adopt(const app::AdoptFile& file) {
  const auto tell = [&](const Message& words, bool bad) {
    act({app::ShowNotice{{bad ? "files.trouble" : "share.adopted", words, bad, false}}});
  };
  app::Adopted read = file.read ? std::move(*file.read) : app::read_adopted(file.path, file.schema);
  if (read.scenario) {
    // A user's own file goes before a gallery's of the same name; dropped again, it is read again.
    const std::string name = read.scenario->name;
    for (int n = 2; catalog_.find(read.scenario->name) != nullptr; ++n)
      read.scenario->name = name + " " + std::to_string(n);
    catalog_.scenarios.push_back(std::move(*read.scenario));
    act({app::SelectScenario{catalog_.scenarios.back().name}});
  } else if (read.pack) {
    measurements_.packs.insert(measurements_.packs.begin(), std::move(*read.pack));
    set_measurements(std::move(measurements_), std::move(pack_errors_));
  } else {
    return tell(read.errors.empty() ? Message::verbatim(file.path) : read.errors.front(), true);
  }
  tell(Message::verbatim(file.path), false);
}

}  // namespace warplens::desktop
