// What works on this machine, and what to do about the rest.
#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/target.h"
#include "app/measure/gpu_client.h"
#include "app/measure/toolkit.h"
#include "app/platform/system.h"
#include "sim/base/numbers.h"
#include "sim/base/team.h"
#include "sim/report/output/table.h"
#include "sim/scenario/scenario.h"

namespace warplens::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

enum class State { Works, Absent, Broken };  // Absent: not here, and nothing is wrong with that

struct Finding {
  std::string what;
  State state = State::Works;
  std::string found;   // in words
  std::string remedy;  // what to do; empty where nothing is to be done
};

const char* name_of(State state) {
  return state == State::Works ? "works" : state == State::Absent ? "absent" : "broken";
}

// What is found, or that it is not here.
Finding there(const char* what, std::string found, const char* absent, const char* remedy) {
  if (found.empty()) return {what, State::Absent, absent, remedy};
  return {what, State::Works, std::move(found), ""};
}

Finding simulator() {
  return {"simulator", State::Works,
          "everything but live measuring works without a GPU, on " + std::to_string(processor_threads()) +
              " cores",
          ""};
}

Finding gallery(Budget& budget) {
  const fs::path folder = scenario::data_folder("kernels");
  const std::string remedy =
      "Reinstall Warplens, or set WARPLENS_DATA to the folder that holds kernels/ and assets/.";
  if (folder.empty()) return {"gallery", State::Broken, "the folder of the kernels is not found", remedy};
  const auto scenarios = scenario::load_scenarios(folder, &budget);
  const std::size_t count = scenarios ? scenarios.value->size() : 0;
  std::string found = std::to_string(count) + " scenarios in " + folder.string();
  if (scenarios.errors.empty() && count > 0) return {"gallery", State::Works, found, ""};
  for (const std::string& error : scenarios.errors) found += "; " + error;
  return {"gallery", State::Broken, found,
          count == 0 ? remedy : "Correct these files: warplens-cli validate FILE."};
}

Finding data(const std::string& which, const std::string& purpose) {
  const fs::path folder = scenario::data_folder(which);
  if (!folder.empty()) return {which, State::Works, folder.string(), ""};
  return {which, State::Broken, "the folder is not found (" + purpose + ")",
          "Reinstall Warplens, or set WARPLENS_DATA to the folder that holds " + which + "/."};
}

Finding recordings(Budget& budget) {
  const fs::path folder = scenario::data_folder("assets") / "recorded";
  std::size_t files = 0;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    budget.check(Stage::Reading);
    files += entry->path().extension() == ".json";
  }
  if (files > 0) return {"recorded", State::Works, std::to_string(files) + " packs of measurements", ""};
  return {"recorded", State::Absent, "no recorded measurements in " + folder.string(),
          "Times are shown once they were measured, on a GPU here or over ssh: warplens-cli measure."};
}

Finding driver() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  const bool library = platform::has_library("libcuda.so.1");
  if (!line.empty() && library) return {"driver", State::Works, line, ""};
  if (library) return {"driver", State::Works, "libcuda.so.1 is here", ""};
  if (!line.empty()) {
    return {"driver", State::Broken, "the kernel's driver is loaded, but libcuda.so.1 is not found",
            "Install the driver's user part (Debian: libcuda1), of the same version."};
  }
  return {"driver", State::Absent, "no NVIDIA driver",
          "Nothing to do without an NVIDIA GPU: recorded measurements stand in. A lab's machine serves over "
          "measure --via \"ssh host\"."};
}

Finding gpu_program() {
  Message error;
  const std::vector<std::string> command = measure::gpu_command("", error);
  return there(
      "warplens-gpu", command.empty() ? "" : command.front(), "not built or not found",
      "Install the CUDA Toolkit 12.0 or newer (Debian: nvidia-cuda-toolkit from non-free, or NVIDIA's "
      "own), then "
      "build again; or use a lab's machine: measure --via \"ssh host\".");
}

// Asks warplens-gpu itself: only it may call CUDA, and it may hang or die without harm. Waits as long as the
// budget lasts.
Finding gpu(Budget& budget, double seconds) {
  Message error;
  const std::vector<std::string> command = measure::gpu_command("", error);
  if (command.empty()) return {"gpu", State::Absent, "not looked for without warplens-gpu", ""};
  measure::ClientOptions options;
  options.hello_seconds = seconds;
  options.patience_seconds = 0.05;  // nothing was begun that would have to be put away
  measure::GpuClient client(command, options);
  measure::ClientStatus status = client.status();
  while (status.state == measure::ClientState::Starting && budget.look() == StopReason::None)
    status = client.wait_for_status(0.05);
  if (budget.stopped() == StopReason::Cancelled) throw budget.why(Stage::Running);
  if (status.state == measure::ClientState::Ready && status.gpu) {
    return {"gpu", State::Works,
            status.gpu->name + ", " + status.gpu->sm() + ", driver " + status.gpu->driver + ", CUDA " +
                status.gpu->cuda,
            ""};
  }
  if (status.state == measure::ClientState::Starting) {
    return {"gpu", State::Broken, "warplens-gpu gave no answer within " + fixed(seconds, 0) + " seconds",
            "Try it by hand: echo '{\"request\": \"hello\", \"id\": 1}' | warplens-gpu"};
  }
  const bool none = status.state == measure::ClientState::NoGpu;
  return {"gpu", none ? State::Absent : State::Broken,
          status.failure.message.empty() ? "no GPU" : status.failure.message.english(),
          status.failure.remedy.english()};
}

Finding desktop() {
  std::error_code failed;
  const fs::path program = platform::program_folder() / "warplens";
  return there(
      "warplens", fs::exists(program, failed) ? program.string() : "", "the desktop app was not built",
      "Install libglfw3-dev, libimgui-dev, libstb-dev and python3-glad, then build again: ./run does both.");
}

Finding display() {
  return there("display", platform::display(), "no display (DISPLAY and WAYLAND_DISPLAY are not set)",
               "Pictures can be made without one: warplens --screenshot FILE.png, warplens-cli render. Over "
               "ssh: ssh -X.");
}

Finding opengl() {
  std::string missing;
  for (const auto& [found, package] :
       {std::pair(platform::has_library("libGL.so.1") || platform::has_library("libOpenGL.so.0"), "libgl1"),
        {platform::has_library("libEGL.so.1"), "libegl1"}})
    if (!found) missing += (missing.empty() ? "" : " ") + std::string(package);
  if (missing.empty()) return {"opengl", State::Works, "libGL and libEGL are here", ""};
  return {"opengl", State::Absent, "a library of OpenGL is not here",
          "Install " + missing +
              " libgl1-mesa-dri: libGL for the window, libEGL for pictures without a display."};
}

// The first that is there of those that the window looks for.
std::string font(platform::Face face) {
  for (const fs::path file : platform::font_files(face))
    if (std::error_code failed; fs::exists(file, failed)) return file.filename().string();
  return {};
}

Finding fonts() {
  const std::string latin = font(platform::Face::Words), chinese = font(platform::Face::Chinese);
  return there("fonts", latin.empty() || chinese.empty() ? "" : latin + " and " + chinese,
               latin.empty() ? "no font for words" : "no Chinese font",
               "Install fonts-dejavu-core and fonts-wqy-microhei.");
}

// What takes too long is a finding too. Cancelled, there is nothing to tell.
template <class Look>
Finding within(Budget& budget, const char* what, Look look) {
  try {
    return look(budget);
  } catch (const Stopped& stopped) {
    if (stopped.why == StopReason::Cancelled) throw;
    return {what, State::Broken, stopped.message().english(), "--seconds gives it more time."};
  }
}

// warplens-gpu comes last, since it may take all the time that there is, and is told in its place.
std::vector<Finding> all_findings(Budget& budget, double seconds) {
  std::vector<Finding> findings = {simulator(),
                                   within(budget, "gallery", gallery),
                                   data("assets", "languages, lessons, recordings"),
                                   data("shaders", "for the window"),
                                   within(budget, "recorded", recordings),
                                   driver(),
                                   gpu_program(),
                                   {},
                                   desktop(),
                                   display(),
                                   opengl(),
                                   fonts()};
  std::ranges::find(findings, std::string(), &Finding::what)[0] = gpu(budget, seconds);
  return findings;
}

ExitCode run_doctor(const CommonOptions& options) {
  const std::vector<Finding> findings = all_findings(options.simulation.budget(), options.simulation.seconds);
  bool usable = true;
  ordered_json json = {
      {"schema", "warplens.doctor/1"}, {"version", WARPLENS_VERSION}, {"findings", ordered_json::array()}};
  std::string text = "warplens " WARPLENS_VERSION "\n";
  report::Table table({report::Side::Left, report::Side::Left, report::Side::Left});
  std::string remedies;
  for (const Finding& f : findings) {
    json["findings"].push_back(
        {{"what", f.what}, {"state", name_of(f.state)}, {"found", f.found}, {"remedy", f.remedy}});
    table.add({f.what, name_of(f.state), f.found});
    if (!f.remedy.empty()) remedies += "  " + f.what + ": " + f.remedy + "\n";
    if (f.what == "gallery" && f.state == State::Broken) usable = false;
  }
  options.format.print_one_of(
      [&] { return text + table.text("  ") + (remedies.empty() ? "" : "\nWhat to do:\n" + remedies); },
      [&] { return json; });
  return usable ? kDone : kMachineCannot;
}

}  // namespace

void add_doctor(Program& program) {
  auto options = std::make_shared<CommonOptions>();
  CLI::App* command =
      program.app.add_subcommand("doctor", "Say what works on this machine, and what to do about the rest");
  options->format.add_to(*command, false);
  options->simulation.seconds = 10;
  add_number(*command, "--seconds", &options->simulation.seconds, 0.1, 600.0,
             "The time limit of the command; most of it is for warplens-gpu",
             CLI::detail::to_string(options->simulation.seconds));
  program.runs(command, options, run_doctor);
}

}  // namespace warplens::cli
