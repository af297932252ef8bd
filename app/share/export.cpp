#include "app/share/export.h"

#include <algorithm>

#include "app/scene/file/files.h"
#include "app/scene/palette.h"
#include "app/scene/pen.h"
#include "app/scene/scene.h"
#include "app/simulate/pricing.h"
#include "app/simulate/simulation.h"
#include "app/state/teaching.h"
#include "app/views/blocks.h"
#include "app/views/counts.h"
#include "app/views/times.h"
#include "app/views/views.h"
#include "app/views/vote.h"
#include "sim/base/numbers.h"
#include "sim/file/temporary.h"
#include "sim/file/whole_file.h"
#include "sim/scenario/launch_document.h"

namespace warplens::share {

namespace {

namespace fs = std::filesystem;
using app::ShareFormat;
using app::ShareWhat;

constexpr std::size_t kMostFrames = 600;
constexpr double kMovingSeconds = 0.08;  // of a picture while something moves
constexpr std::size_t kMostMoving = 6;   // of those, from one moment to the next

Result failed(std::string key, Message words) {
  return {{}, 0, std::move(key), std::move(words)};
}

Result written(const fs::path& file, const Message& trouble, std::size_t files = 1) {
  return trouble.empty() ? Result{file, files, {}, {}} : failed("share.failed", trouble);
}

Result write_text(const fs::path& path, const std::string& text) {
  return written(path, file::write_whole(path, text, {.to_pipes = true}).words);
}

std::string safe(std::string name) {
  for (char& c : name) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
    if (!plain) c = '_';
  }
  return name.empty() ? "kernel" : name.substr(0, 60);
}

views::Tells tells_of(const Order& order) {
  if (order.what.other == ShareWhat::View) return views::row_of(order.what.view).tells;
  if (order.what == ShareWhat::Source && order.format == ShareFormat::Csv)  // of the whole grid
    return {.of_access = false};
  if (const views::Panel* panel = views::panel_of(order.what)) return panel->tells;
  return {.of_access = order.what != ShareWhat::Session && order.what != ShareWhat::Steps,
          .tells_answers = false};
}

std::string stem_of(const Order& order, const Source& source) {
  const app::Simulation& s = *source.subject.simulation;
  std::string stem = "warplens-" + safe(source.name) + "-" + app::row_of(order.what).name;
  if (tells_of(order).of_access && s.place.event >= 0) stem += "-access" + std::to_string(s.place.event + 1);
  return stem;
}

// What is not there while a question is open: what only tells the answer, and until the last one is answered
// what tells of the other accesses and of the whole grid.
bool is_hidden(const Order& order, const app::Hidden& hidden) {
  if (order.what == ShareWhat::Steps) return hidden.rest && !hidden.costs;  // else every slide asks
  const views::Tells tells = tells_of(order);
  return (tells.tells_answers && (hidden.costs || hidden.rest)) || (tells.tells_times && hidden.times) ||
         (tells.tells_cost && hidden.costs);
}

// The first of NAME.png, NAME-2.png, ... that is not there.
fs::path free_name(const fs::path& folder, const std::string& stem, const std::string& extension) {
  for (int n = 1;; ++n) {
    fs::path file = folder / (stem + (n > 1 ? "-" + std::to_string(n) : "") + extension);
    std::error_code unknown;
    if (fs::symlink_status(file, unknown).type() == fs::file_type::not_found || n == 10000) return file;
  }
}

fs::path target_of(const Order& order, const Source& source) {
  if (!order.file.empty()) return order.file;
  return free_name(order.folder, stem_of(order, source), app::extension_of(order.format));
}

std::string csv_of(const report::Table& table) {
  return table.empty() ? std::string() : table.csv();
}

Result write_table(const Order& order, const Source& source) {
  const Subject& subject = source.subject;
  std::string text;
  switch (order.what.other) {
    case ShareWhat::Source:
      text = views::lines_csv(*subject.simulation);
      break;
    case ShareWhat::Lanes:
      if (subject.simulation->now) {
        text = views::lanes_table(*subject.simulation, subject.strings, views::kMostVariables, true).csv();
      }
      break;
    case ShareWhat::Times:
      if (subject.times) text = csv_of(views::times_table(*subject.times, subject.strings.language()));
      break;
    default:
      text = csv_of(views::counts_table(*subject.simulation, measured_of(subject), subject.strings));
  }
  if (text.empty()) return failed("share.nothing", Message::verbatim(app::row_of(order.what).name));
  return write_text(target_of(order, source), text);
}

// A slide of every moment, as 001.png, 002.png, ...; the pictures of a GIF are smaller.
Result write_steps(const Order& order, const Source& source, Budget& budget, std::atomic<double>* progress) {
  const bool film = order.format == ShareFormat::Gif;
  const auto frames = film_frames(*source.subject.simulation, film);
  if (frames.empty()) return failed("share.nothing", Message::verbatim("steps"));
  if (frames.size() > kMostFrames) return failed("share.too_many", Message("{}", frames.size()));
  const fs::path to = film || !order.file.empty() ? target_of(order, source)
                                                  : free_name(order.folder, stem_of(order, source), "");
  file::DraftFolder draft(to);
  if (!draft.trouble().empty()) return failed("share.failed", draft.trouble());
  Subject subject = source.subject;
  const app::Hidden hidden = subject.simulation->hidden;
  add_reuse(&subject, budget);
  // A film shows what moves between its moments, unless there are too many of them.
  const bool moves = film && !subject.stills && kMostMoving * frames.size() <= kMostFrames;
  std::size_t done = 0;
  std::vector<scene::GifFrame> files;
  gl::Offscreen offscreen;
  const ShareFormat format = order.format == ShareFormat::Svg ? ShareFormat::Svg : ShareFormat::Png;
  const float scale = film ? 1.0f : kSlideScale;
  for (const FilmFrame& frame : frames) {
    budget.check(Stage::Drawing);
    subject.simulation =
        app::visible(app::moved_to(*source.whole, frame.event, frame.wavefront, budget), hidden);
    if (subject.reuse)
      subject.reuse =
          std::make_shared<const views::Reuse>(views::moved_to(*subject.reuse, *subject.simulation, budget));
    if (moves)
      subject.motion = app::follow(subject.motion.value_or(app::Motion()), *subject.simulation, subject.now);
    const double ends = subject.now + frame.seconds;
    for (bool moving = true; moving;) {
      moving = moves && subject.motion->moving(subject.now);
      const double seconds = moving ? kMovingSeconds : std::max(ends - subject.now, kMovingSeconds);
      files.push_back(
          {draft.path() / formatted("%03zu%s", files.size() + 1, app::extension_of(format)), seconds});
      const Message trouble = write_scene(page(ShareWhat::Slide, subject), *subject.palette, format, scale,
                                          files.back().png, offscreen, budget);
      if (!trouble.empty()) return failed("share.failed", trouble);
      subject.now += seconds;
    }
    ++done;
    if (progress != nullptr)
      *progress = (film ? 0.8 : 1.0) * static_cast<double>(done) / static_cast<double>(frames.size());
  }
  if (!film) return written(to, draft.keep(), files.size());
  std::string bytes;
  const Message trouble = scene::gif_bytes(files, &bytes, budget);
  return trouble.empty() ? write_text(to, bytes) : failed("share.failed", trouble);
}

}  // namespace

Message write_scene(const scene::Scene& scene, const scene::Palette& palette, ShareFormat format, float scale,
                    const fs::path& path, gl::Offscreen& offscreen, Budget& budget) {
  if (format == ShareFormat::Svg)
    return file::write_whole(path, scene::write_svg(scene, budget), {.to_pipes = true}).words;
  Message error;
  const scene::Image image = offscreen.draw(scene, scale, palette.window, &error, budget);
  if (image.width > 0) scene::write_png(path, image, &error, budget);
  return error;
}

std::vector<FilmFrame> film_frames(const app::Simulation& s, bool wavefronts) {
  std::vector<FilmFrame> frames;
  for (int event = 0; event < s.event_count(); ++event) {
    const int count = wavefronts ? s.wavefronts_of(event) : 1;
    for (int w = 0; w < count; ++w)
      frames.push_back({event, w, count > 1 ? (w + 1 < count ? 0.3 : 1.0) : 1.5});
  }
  return wavefronts && frames.size() > kMostFrames ? film_frames(s, false) : frames;
}

namespace {

// Makes what is not there. Gives why there is nothing to picture; empty: there is something.
std::string complete(ShareWhat what, Subject* subject, Budget& budget, std::atomic<double>* progress) {
  if (what == ShareWhat::Comparison) return subject->beside != nullptr ? "" : app::row_of(what).name;
  if (what.other != ShareWhat::View || views::row_of(what.view).draw == nullptr) return {};
  const views::Row& row = views::row_of(what.view);
  const bool there = subject->made && subject->made->of == row.id && subject->made->value;
  if (row.derive != nullptr && !there) {
    jobs::Memos at_once(budget, progress);
    const app::Compiled& compiled = *subject->simulation->compiled;
    app::Settings settings = compiled.settings;
    settings.values = compiled.setup.values;
    views::Deriving on{*subject->simulation, subject->plot_view, at_once, settings,
                       compiled.scenario != nullptr ? compiled.scenario : subject->scenario.get()};
    on.profile = subject->profile;
    if (const measure::Measurement* measured = measured_of(*subject); measured && measured->registers > 0)
      on.registers = measured->registers;
    subject->made = std::make_shared<const app::Made>(row.derive(on));
  }
  return view(row.id, *subject, kSlideWidth, kSlideHeight).nothing;
}

Result write(const Order& order, Source source, Budget& budget, std::atomic<double>* progress) {
  std::error_code unknown;
  if (order.file.empty() && !order.folder.empty() && !fs::is_directory(order.folder, unknown))
    return failed("share.no_folder", Message::verbatim(order.folder.string()));
  if (order.what == ShareWhat::Session) return write_text(target_of(order, source), source.session);
  if (source.subject.simulation->empty())
    return failed("share.nothing", Message::verbatim(app::row_of(order.what).name));
  if (order.what == ShareWhat::Launch) {
    const fs::path file = target_of(order, source);
    const app::Compiled& of = *source.subject.simulation->compiled;
    const auto errors = scenario::write_launch({of.setup, of.program, of.gpu, {}}, file);
    return errors.empty() ? written(file, {}) : failed("files.trouble", errors.front());
  }
  if (is_hidden(order, source.subject.simulation->hidden))
    return failed("share.hidden", Message::verbatim(app::row_of(order.what).name));
  if (order.what == ShareWhat::Steps) return write_steps(order, source, budget, progress);
  // The other memory's picture is of an access of its own, which caption and file name have to name.
  const app::Simulation& s = *source.subject.simulation;
  const auto& drawn = order.what == ShareWhat::Global   ? s.global
                      : order.what == ShareWhat::Shared ? s.shared
                                                        : s.now;
  if (drawn && drawn->event != s.place.event && !s.hidden.costs && !s.hidden.rest)
    source.subject.simulation = app::moved_to(*source.whole, drawn->event, 0, budget);
  if (order.format == ShareFormat::Csv) return write_table(order, source);
  Subject subject = source.subject;
  gl::Offscreen offscreen;
  if (std::string why = complete(order.what, &subject, budget, progress); !why.empty()) {
    std::ranges::replace(why, '\n', ' ');
    return failed("share.nothing", Message::verbatim(why));
  }
  const fs::path file = target_of(order, source);
  add_reuse(&subject, budget, progress);
  return written(file, write_scene(page(order.what, subject), *subject.palette, order.format, kSlideScale,
                                   file, offscreen, budget));
}

}  // namespace

scene::Scene preview(const app::State& state, const app::Catalog& catalog, const language::Strings& strings,
                     const scene::Canvas& canvas, Budget& budget) {
  const app::Look look = app::look_at(catalog, state.settings, state.position, {{}, &budget});
  if (!look.simulation || look.simulation->empty()) return {};
  Subject subject =
      subject_of(state, app::visible(look.simulation, app::hidden_by(state.classroom)), catalog, {}, strings);
  subject.scale = canvas.scale;
  Order order;
  order.what = state.shown;
  if (is_hidden(order, subject.simulation->hidden) ||
      !complete(order.what, &subject, budget, nullptr).empty())
    order.what = ViewId::Memory;
  add_reuse(&subject, budget);
  return view(order.what, subject, canvas.width, canvas.height);
}

Result carry_out(const Order& order, const Source& source, Budget& budget, std::atomic<double>* progress) {
  Result result;
  const auto stopped = stopped_in(Stage::Drawing, [&] { result = write(order, source, budget, progress); });
  // Memory that the machine does not have is told; what was asked for is known.
  if (stopped)
    return failed("share.stopped",
                  budget.stopped() == StopReason::None ? Message(": {}", stopped->message()) : Message());
  return result;
}

}  // namespace warplens::share
