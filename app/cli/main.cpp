// warplens-cli: reports, traces and checks without a window. See docs/cli.md.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>
#include <sstream>

#include "app/cli/target.h"
#include "app/platform/stop.h"
#include "sim/text/shown.h"

using namespace warplens::cli;

int main(int argc, char** argv) {
  warplens::platform::prepare_command();
  Program program;
  CLI::App& app = program.app;
  app.set_version_flag("--version", "warplens-cli " WARPLENS_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 a check failed, 2 the input is wrong, 3 this machine cannot, 4 a limit was "
      "hit.");
  for (const auto add : {add_report, add_trace, add_compare, add_check, add_explain, add_render, add_measure,
                         add_list, add_validate, add_doctor, add_grade, add_class, add_layout})
    add(program);
  try {
    std::ostringstream out;
    try {
      app.parse(argc, argv);
      return program.code;
    } catch (const CLI::Success& success) {
      app.exit(success, out, out);  // --help, --version
    }
    print(out.str());
    return kDone;
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> unknown = app.remaining();
    const bool names_none = app.get_subcommands().empty() && !unknown.empty();
    warn((names_none ? "'" + unknown.front() + "' is no subcommand" : std::string(error.what())) +
         "\nwarplens-cli --help says what there is");
    return kInputWrong;
  } catch (const CommandFailure& failure) {
    print_error(std::string(failure.what()) + "\n");
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
