// warplens-cli: reports, traces and checks without a window. See docs/cli.md.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <new>

#include "app/cli/command.h"
#include "app/cli/target_options.h"

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
  std::signal(SIGPIPE, SIG_IGN);  // told by the write that fails: see print
  std::signal(SIGXFSZ, SIG_IGN);  // so is a file that grows beyond what is allowed
  CLI::App app("Shows what a CUDA kernel's warps ask of global and shared memory", "warplens-cli");
  app.set_version_flag("--version", "warplens-cli " WARPLENS_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 a check failed, 2 the input is wrong, 3 this machine cannot, 4 a limit was "
      "hit.");
  const std::vector<Command> commands = {
      add_report(app), add_trace(app),   add_analyze(app), add_compare(app),  add_check(app),
      add_render(app), add_measure(app), add_list(app),    add_validate(app), add_doctor(app)};
  try {
    app.parse(argc, argv);
    return run(commands);
  } catch (const CLI::Success& success) {
    return app.exit(success);  // --help, --version
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "warplens-cli: %s\nwarplens-cli --help says what there is\n", error.what());
    return kInputWrong;
  } catch (const CommandFailure& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return failure.code();
  } catch (const warplens::Stopped& stopped) {
    std::fprintf(stderr, "warplens-cli: %s\n", failure_of(stopped).what());
    return kLimitHit;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "warplens-cli: out of memory; a smaller size needs less\n");
    return kLimitHit;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warplens-cli: %s\n", error.what());
    return kMachineCannot;
  }
}
