// A user's own kernel: its file, what its text says of itself, and how it is launched. A value; every
// change makes another.
//
//   UserKernel own = opened_kernel("mine.cu", text);
//   Settings settings = settings_of(own, text);      // ready to be simulated
//
// Reading a text and trying out its launch take their time. A change that needs them is noted as a wish at
// once, and carried out beside the frame:
//
//   settings = settings_of(wishing_kernel(own, "other"), text);   // at once; is_unsettled(settings)
//   UserKernel later = settled(*settings.own, *settings.text, means);
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/source/launch_form.h"
#include "app/source/programs.h"
#include "app/state/state.h"

namespace warplens::app {

// What facts and form do not follow yet.
struct Wish {
  bool text = false;                  // the text has changed
  std::string kernel;                 // another one of the file; empty: none
  std::optional<std::size_t> launch;  // as the host code launches it
  // Of the gallery, whose text is the user's own file now; without a text: none is known.
  std::shared_ptr<const scenario::Setup> setup;
  bool form() const { return !kernel.empty() || launch || setup; }  // the form is another one
};

struct UserKernel {
  std::filesystem::path file;  // empty: it has never been saved
  // The file was opened or saved here, so that the headers beside it may be read. A session that somebody
  // sent only names one.
  bool has_place = false;
  FileFacts facts;                                     // of the last text that could be parsed
  LaunchForm form, home;                               // as filled in, and as it was at first
  std::optional<std::size_t> launch;                   // of the host code, that was chosen for it
  std::map<std::string, std::string> guessed_lengths;  // of the buffers that the host code says nothing of
  FormValues values;
  scenario::Scenario scenario{};  // the form as a scenario, for everything that runs one
  std::optional<Wish> wish = std::nullopt;
  // Of PTX that was compiled here: from what, where that is known, and by which compiler for what.
  std::shared_ptr<const Settings> written = nullptr;
  std::optional<sim::Dim3> cluster = std::nullopt;  // as a launch document gives it
  std::string compiler{};
};
// The length in the form is the guess.
bool has_guessed_length(const UserKernel& own, const std::string& buffer);
// The guess is no size, but how far the blocks that were tried reach: it hides what is read in excess.
bool has_length_of_what_is_read(const UserKernel& own, const std::string& buffer);
// There is no launch for the settings until their kernel's wish is carried out.
bool is_unsettled(const Settings& settings);

// A text is opened, also unfinished, where it is one and means to be a kernel: what is wrong with it is told
// beside it. Gives what refusal() does; `is_known`: what it is of was open here before, whatever has become
// of it.
Message cannot_open(const std::filesystem::path& file, const std::string& text, const Means& means = {},
                    bool reads_headers = true, bool is_known = false);
// A file's text is refused where it can be no kernel: nul bytes, bytes that are no UTF-8, no __global__
// function, nor a header beside the file that has one. Gives what is wrong, in words, or empty.
Message refusal(const std::filesystem::path& file, const std::string& text, const Means& means = {},
                bool reads_headers = true);

UserKernel opened_kernel(const std::filesystem::path& file, const std::string& text, const Means& means = {});
// The form for another kernel of the file, for another text, with another value; as the host code launches
// it.
UserKernel with_kernel(const UserKernel& own, const std::string& kernel, const std::string& text,
                       const Means& means = {});
UserKernel with_text(const UserKernel& own, const std::string& text, const Means& means = {});
UserKernel with_form(const UserKernel& own, LaunchForm form);
UserKernel with_launch(const UserKernel& own, std::size_t launch, const std::string& text,
                       const Means& means = {});
UserKernel with_file(const UserKernel& own, const std::filesystem::path& file);
// A scenario of the gallery whose text became the user's own file: the same launch, as numbers.
UserKernel taken_over(const scenario::Setup& setup, const std::filesystem::path& file,
                      const std::string& text, const Means& means = {});

// What as_compiled() gives: PTX with its source, or what a launch document says of a kernel.
UserKernel given_kernel(const scenario::Setup& setup, const std::filesystem::path& file,
                        const Means& means = {});
bool is_compiled(const Settings& settings);  // PTX
// The text on screen as a person reads it: of PTX what it was compiled from, where that is known.
const std::string& read_text_of(const Settings& settings, const std::string& text);

// The same four as wishes, which cost nothing; and what comes of all that were made.
UserKernel wishing_text(const UserKernel& own);
UserKernel wishing_kernel(const UserKernel& own, const std::string& kernel);
UserKernel wishing_launch(const UserKernel& own, std::size_t launch);
UserKernel wishing_setup(const std::filesystem::path& file, const scenario::Setup& setup);
UserKernel settled(const UserKernel& own, const std::string& text, const Means& means);

Settings settings_of(UserKernel own, std::shared_ptr<const std::string> text);
// The same settings with another form, wish or place of the kernel.
Settings with_own(const Settings& settings, UserKernel own);
// A slider's parameter is a field of the form.
std::string field_of(const UserKernel& own, const std::string& parameter);

}  // namespace warplens::app
