// Goes through the app without a display and has its texts checked everywhere.
#pragma once

#include <cstdint>
#include <filesystem>

#include "app/desktop/app.h"
#include "app/desktop/options.h"

namespace warplens::desktop {

// All: every scenario in every view, language and theme, every step of every lesson, every sheet, every pair
// of rungs. Each: each of these once, in one language and theme. Few: some of the many alike.
enum class TextTourOf : std::uint8_t { All, Each, Few };

// At the size given. `pictures`: a folder for a picture of every look, or empty. Says the complaints of
// TextCheck, then a line that tells how much was looked at. The exit code is 0 whether or not there are any:
// who reads them knows which are meant (tests/app/check_texts.py).
int check_texts(App& app, const Options& options, TextTourOf of, const std::filesystem::path& pictures);

}  // namespace warplens::desktop
