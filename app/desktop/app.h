// The app without its window: state, what follows from it, and one frame of it.
#pragma once

#include <bitset>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/actions/apply.h"
#include "app/derive/comparison.h"
#include "app/derive/fix_finder.h"
#include "app/derive/lesson_judge.h"
#include "app/derive/motion.h"
#include "app/desktop/options.h"
#include "app/gl/framebuffer.h"
#include "app/input/commands.h"
#include "app/jobs/job.h"
#include "app/language/strings.h"
#include "app/panels/panels.h"
#include "app/panels/widgets/fonts.h"
#include "app/panels/widgets/scene_batch.h"
#include "app/platform/system.h"
#include "app/share/export.h"
#include "app/simulate/simulator.h"
#include "app/state/action.h"
#include "app/state/catalog.h"
#include "app/state/state.h"
#include "app/storage/files.h"
#include "app/views/plot_worker.h"
#include "app/views/reuse.h"

namespace warplens::desktop {

// What is derived beside its simulation for what is on screen, and in A│B for each side.
struct Side {
  Side(const app::Catalog* catalog, jobs::Runner& runner, app::RegistersOf registers_of)
      : plotter(catalog, runner, std::move(registers_of)) {}
  void derive(const app::State& state, const app::Simulation& simulation) {
    std::tie(made, reuse) = plotter.derive(state, simulation);
  }
  bool awaits(const app::Simulation& simulation) const {
    return (made && made->busy) || (reuse && reuse->busy) || simulation.busy ||
           (simulation.fresh && simulation.totals == nullptr);
  }

  app::Motion motion;
  std::shared_ptr<const views::Reuse> reuse;
  app::PlotWorker plotter;
  std::shared_ptr<const app::Made> made;
  app::LadderTimes times;
};

// A of A│B: the second simulation, its motion, and what differs; alive while two are compared.
class Baseline : public Side {
 public:
  Baseline(const app::Catalog* catalog, jobs::Runner& runner, app::SimulatorOptions options,
           app::RegistersOf registers_of, bool moves);

  // Follows B's state; gives B's simulation back, which then knows how many wavefronts A has to go.
  std::shared_ptr<const app::Simulation> follow(const app::State& b,
                                                std::shared_ptr<const app::Simulation> seen, double now);
  bool shown() const { return simulation != nullptr; }
  bool awaits() const { return shown() && !simulation->halted && Side::awaits(*simulation); }
  bool moving(double now) const { return shown() && motion.moving(now); }

  app::State state;                                   // only while shown()
  std::shared_ptr<const app::Simulation> simulation;  // A's
  app::Comparison comparison;

 private:
  const app::Catalog* catalog_;
  jobs::Runner& runner_;
  app::SimulatorOptions options_;
  bool moves_;
  bool raced_ = false;  // when it followed last
  std::unique_ptr<app::Simulator> simulator_;
  std::shared_ptr<const app::Simulation> seen_;                      // B's as it came
  std::shared_ptr<const app::Simulation> seen_with_a_;               // B's with A's wavefronts
  std::optional<std::pair<app::Settings, app::Settings>> compared_;  // that `comparison` is of
};

// For how long something has been so.
struct Since {
  double begun = -1;  // negative: it is not so
  void follow(bool is_so, double now) { begun = !is_so ? -1 : begun < 0 ? now : begun; }
  double seconds(double now) const { return begun < 0 ? 0 : now - begun; }
};

// Exports beside the frame, one at a time.

class Sharing {
 public:
  explicit Sharing(jobs::Runner& runner) : job_(runner) {}

  // Precondition: not busy().
  void start(share::Order order, share::Source source);
  bool busy() const { return busy_; }
  void refuse() { refused_ = true, percent_ = -1; }  // another one, until this one is done
  // What the sheet shall say now; empty: as before.
  std::optional<app::ShareTold> news();

 private:
  jobs::Job<share::Result> job_;  // an export that is cancelled leaves nothing behind
  bool busy_ = false, refused_ = false;
  int percent_ = -1;
};

struct AppOptions {
  bool still = false;  // no animation: pictures
  bool alone = false;  // the picture without the other panels, as in a page that embeds it
  // With it: the parameters that are offered, by name; nothing: all of them.
  std::optional<std::vector<std::string>> controls = {};
  jobs::RunnerOptions jobs{.thread_begins =
                               platform::give_way_to_frames};  // its `wake`: there is something to draw
  app::Places places{};  // where files may be remembered; empty: nowhere
};

struct FrameInput {
  panels::Input input;
  std::vector<app::KeyPress> keys;
  double now = 0;  // seconds, steady
};

// That the window closes; that the kernel is compiled.
enum class Wish { Quit, Compile };

class App {
 public:
  App(app::Catalog catalog, app::State state, AppOptions options);
  // Needs a current OpenGL context; false: `error` in words.
  bool create_graphics(std::string* error);
  void destroy_graphics();  // while that context is still current
  // The framebuffers that are drawn into keep their picture, rows from the top (platform::Window).
  void draw_straight() { straight_ = true; }

  // One frame, drawn into the bound framebuffer. It reads as the data flows.
  void frame(const FrameInput& in);
  // Draws the next frame whole, not only what differs from the last.
  void forget_picture() { redraw_.forget(); }
  // Something moves or is awaited, so that another frame will differ.
  bool animates() const;
  // Presenting: seconds for which what lies over the picture is still there.
  double chrome_left() const;
  double news_left() const;  // and until news goes
  bool awaits() const;
  bool exports() const { return sharing_.busy(); }
  bool is_slow() const;

  void fonts_changed() { fonts_.forget(); }
  // Whether a place of the window belongs to the picture of an access.
  bool is_picture(float x, float y) const;
  // Whether an input on screen takes what is typed, and its caret in pixels.
  struct Typing {
    bool on = false;
    float x = 0, y = 0, height = 0;
  };
  Typing typing() const;
  // The access looked at and what it costs, in a sentence; empty: there is none, or a question hides it.
  std::string spoken();

  // The question that was answered, what was said and whether it is right, as JSON; empty: none is on screen.
  std::string answered();
  // HTML that shows this in another page; empty: it does not fit into a link.
  std::string figure();
  void open_lesson_of(const std::string& link, Budget& budget);  // where it names one
  void act(const app::Actions& actions);
  void press(const app::KeyPress& key);
  // `errors`: packs that could not be read, in words.
  void set_measurements(app::Measurements measurements, std::vector<Message> errors = {});
  // From a GPU at hand; until then the top bar says what was recorded.
  const panels::GpuLine& gpu() const { return gpu_; }
  void set_gpu(panels::GpuLine gpu) { gpu_ = std::move(gpu), gpu_language_ = "*"; }
  app::Measurements& measurements() { return measurements_; }
  // As if the access on screen had just been come to.
  void arrive() { here_.motion = a_.motion = {}; }
  void measurements_changed() { here_.times.forget(), a_.times.forget(); }

  const language::Strings& words(const std::string& language);
  const app::State& state() const { return state_; }
  const scene::Palette& palette() const {
    return state_.theme == app::Theme::Dark ? scene::dark_palette() : scene::light_palette();
  }
  const app::Places& places() const { return options_.places; }
  const app::Simulation& simulation() const { return *simulation_; }
  const app::Simulation& shown() const { return *shown_; }  // what may be seen of it
  // The measurements of the settings on screen and of those of A; null: not measured.
  std::pair<const measure::Measurement*, const measure::Measurement*> times();
  const Baseline& baseline() const { return a_; }
  jobs::Runner& runner() { return runner_; }
  const std::shared_ptr<app::Programs>& programs() const { return programs_; }
  const app::Catalog& catalog() const { return catalog_; }
  app::Catalog& catalog() { return catalog_; }
  app::Clipboard clipboard;
  // Something was asked of the window; true once for each time.
  bool take_wish(Wish wish) {
    const auto at = static_cast<std::size_t>(wish);
    return wishes_.test(at) && (wishes_.reset(at), true);
  }

 private:
  void derive();
  std::vector<app::KeyPress> hear(const std::vector<app::KeyPress>& keys);
  bool listens() const;  // to typed text
  void watch_mouse(const FrameInput& in);
  bool is_parked(const panels::Input& input) const;
  void watch_news();
  // Alone, the picture plays once, and then the key that goes on lights up three times, until it was pressed
  // once.
  void watch_playing();
  float asks() const;                // panels::View::asks
  scene::Counting counting() const;  // panels::View::counting
  void settle();
  // The registers of a thread of the state's launch, from the measurement on screen.
  std::optional<int> registers_of(const app::State& state, Side* side);
  const std::vector<app::RungTime>& times_of(const app::State& state, Side* side);
  const measure::PeakRecord* peaks_of(const app::Simulation& simulation,
                                      const std::vector<app::RungTime>& times) const;
  void ask_judge();
  lesson::Recorded recorded_of(const lesson::View& view) const;
  bool works() const;  // on what the picture waits for
  bool prepare_fonts(float scale);
  app::Actions build(const panels::Input& input);
  panels::LayoutOptions layout_wanted(const panels::Input& input, double working) const;
  panels::View view_of(const app::State& state, const app::Simulation& simulation, Side* side, double working,
                       app::Actions* actions);
  void draw(const panels::Input& input);
  // What the state asks for that only the app has: pixels, the clipboard, the catalog. false: not
  // its own.
  bool serve(const app::Request& request);
  void begin_share(const app::ShareRequest& request);
  app::Actions perform(const app::Request& request);
  void begin_reading(const app::Request& request);
  void take_read();
  void adopt(const app::AdoptFile& file);
  void ask_class();
  void begin_race();
  void tell_copied(const std::string& text);
  bool keep_picture(int width, int height);

  panels::Layout layout_;  // of the last frame
  app::Catalog catalog_;
  AppOptions options_;
  app::State state_;
  jobs::Runner runner_;  // outlives all that runs jobs
  std::shared_ptr<app::Programs> programs_ = std::make_shared<app::Programs>();
  app::Simulator simulator_;
  std::shared_ptr<const app::Simulation> simulation_;
  std::shared_ptr<const app::Simulation> shown_;  // what may be seen of ...
  std::shared_ptr<const app::Simulation> shown_of_;
  app::LessonJudge judge_;
  app::FixFinder fixes_;
  app::ErrorFollower errors_;
  app::KernelSettler settler_;
  jobs::Job<app::Actions> reader_;  // of files
  Side here_;
  Baseline a_;  // of A│B
  app::Measurements measurements_;
  std::vector<Message> pack_errors_;
  panels::GpuLine gpu_;
  std::string gpu_language_;  // that gpu_ is in; "*": the one who set it translates it
  std::map<std::string, language::Strings, std::less<>> languages_;

  gl::SceneRenderer renderer_;
  panels::ImGuiHost host_;
  panels::Fonts fonts_;
  std::string fonts_language_;  // whose words they have
  panels::SceneBatch stage_{&renderer_};
  panels::Redraw redraw_;
  bool straight_ = false;
  std::unique_ptr<gl::Framebuffer> picture_;  // the frame before, for the next to be drawn over
  std::pair<int, int> refused_;               // the size of which there could be none
  double now_ = 0, last_ = 0;
  double motion_now_ = 0;  // runs at the speed of playing
  Since working_;          // something is under way beside the frame
  Since stale_;            // the picture is not of the settings asked for
  Sharing sharing_;
  std::bitset<3> wishes_;
  app::Composition composition_;
  std::deque<app::KeyPress> heard_;  // keys that are not done yet
  int waited_ = 0;                   // frames for the input that they are typed into
  bool quiet_ = true;                // no tooltips, until the mouse leaves its place
  double pointed_ = -1e9;  // when the mouse was last used: presenting, what is over the picture goes after it
  float pointed_x_ = -1, pointed_y_ = -1;
  bool over_top_ = false, over_bottom_ = false;  // of the bars that lie over the picture
  double counts_since_ = -1;
  scene::Count counts_ = scene::Count::None;
  Since asks_;  // something asks to be pressed
  Since news_;  // news is told
  std::string news_key_;
  bool plays_on_ = false;  // Space was pressed once
  bool acted_ = false;     // the mouse did something that the frame did not show yet
  char swallowed_ = 0;     // the key that opened an input is not typed into it
};

// What --block, --warp, --step, --wavefront, --lesson-step or a pasted target names and is not
// there, in words with what there is; empty: nothing, or the kernel cannot be run, which the window tells.
std::string wrong_place(const Options& options, const app::Catalog& catalog, const app::State& state);

}  // namespace warplens::desktop
