// A kernel of somebody's own: its file, what its text says of itself, and how it is launched. A value; every
// change makes another.
//
//   OwnKernel own = opened_kernel("mine.cu", text);
//   Settings settings = settings_of(own, text);      // ready to be simulated
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "app/session/launch_form.h"
#include "app/session/state.h"

namespace warplens::session {

struct OwnKernel {
  std::filesystem::path file;  // empty: it has never been saved
  FileFacts facts;             // of the last text that could be parsed
  LaunchForm form, home;       // as filled in, and as it was at first
  FormValues values;
  scenario::Scenario scenario{};  // the form as a scenario, for everything that runs one
};

// A file's text is refused where it can be no kernel: nul bytes, bytes that are no UTF-8, no __global__
// function. Gives what is wrong, in words, or empty.
std::string refusal(const std::filesystem::path& file, const std::string& text);

OwnKernel opened_kernel(const std::filesystem::path& file, const std::string& text);
// The form for another kernel of the file, for another text, with another value; as the host code launches
// it.
OwnKernel with_kernel(const OwnKernel& own, const std::string& kernel, const std::string& text);
OwnKernel with_text(const OwnKernel& own, const std::string& text);
OwnKernel with_form(const OwnKernel& own, LaunchForm form);
OwnKernel with_launch(const OwnKernel& own, std::size_t launch, const std::string& text);
OwnKernel with_file(const OwnKernel& own, const std::filesystem::path& file);
// A scenario of the gallery whose text became somebody's own file: the same launch, as numbers.
OwnKernel taken_over(const scenario::Setup& setup, const std::filesystem::path& file,
                     const std::string& text);

Settings settings_of(OwnKernel own, std::shared_ptr<const std::string> text);
// A slider's parameter is a field of the form.
std::string field_of(const OwnKernel& own, const std::string& parameter);

}  // namespace warplens::session
