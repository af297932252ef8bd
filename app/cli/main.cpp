// warplens-cli: reports, traces and checks without a window. See docs/cli.md.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>
#include <sstream>

#include "app/cli/target.h"
#include "app/platform/stop.h"
#include "sim/text/shown.h"

namespace {

using namespace warplens::cli;

int run(const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return kInputWrong;
}

}  // namespace

int main(int argc, char** argv) {
  warplens::platform::prepare_command();
  CLI::App app("Shows what a CUDA kernel's warps ask of global and shared memory", "warplens-cli");
  app.set_version_flag("--version", "warplens-cli " WARPLENS_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 a check failed, 2 the input is wrong, 3 this machine cannot, 4 a limit was "
      "hit.");
  const std::vector<Command> commands = {
      add_report(app),  add_trace(app),  add_analyze(app), add_compare(app), add_check(app),
      add_explain(app), add_render(app), add_measure(app), add_list(app),    add_validate(app),
      add_doctor(app),  add_grade(app),  add_class(app),   add_layout(app)};
  try {
    app.parse(argc, argv);
    return run(commands);
  } catch (const CLI::Success& success) {
    std::ostringstream out;
    const int code = app.exit(success, out, out);  // --help, --version
    print(out.str());
    return code;
  } catch (const CLI::ParseError& error) {
    warn(std::string(error.what()) + "\nwarplens-cli --help says what there is");
    return kInputWrong;
  } catch (const CommandFailure& failure) {
    warplens::text::print(stderr, std::string(failure.what()) + "\n");
    return failure.code();
  } catch (const warplens::Stopped& stopped) {
    warn(failure_of(stopped).what());
    return kLimitHit;
  } catch (const std::bad_alloc&) {
    warn("out of memory; a smaller size needs less");
    return kLimitHit;
  } catch (const std::exception& error) {
    warn(error.what());
    return kMachineCannot;
  }
}
