// GIF, and MP4 by ffmpeg where it is installed.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "app/scene/file/gif.h"
#include "app/share/export.h"
#include "kernels/protocol/child_process.h"
#include "sim/file/whole_file.h"
#include "sim/text/read_file.h"

namespace warplens::share {
namespace {

namespace fs = std::filesystem;
constexpr double kPatience = 600;  // seconds
constexpr std::size_t kMostFilmBytes = std::size_t{1} << 30;

// ffmpeg's list: every picture with how long it stays; the last one twice, or its time would not count.
std::string list_of(const std::vector<fs::path>& pictures, const std::vector<FilmFrame>& frames) {
  std::string list = "ffconcat version 1.0\n";
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.3f", frames[i].seconds);
    list += "file " + pictures[i].filename().string() + "\nduration " + seconds + "\n";
  }
  return list + "file " + pictures.back().filename().string() + "\n";
}

Message join_gif(const std::vector<fs::path>& pictures, const std::vector<FilmFrame>& frames,
                 const fs::path& to, Budget& budget) {
  std::vector<scene::GifFrame> all;
  for (std::size_t i = 0; i < pictures.size(); ++i) all.push_back({pictures[i], frames[i].seconds});
  std::string bytes;
  if (const Message trouble = scene::gif_bytes(all, &bytes, budget); !trouble.empty()) return trouble;
  return file::write_whole(to, bytes, {.to_pipes = true}).words;
}

}  // namespace

bool needs_ffmpeg(app::ShareFormat format) {
  return format == app::ShareFormat::Mp4;
}

Message join_film(const std::vector<fs::path>& pictures, const std::vector<FilmFrame>& frames,
                  app::ShareFormat format, const fs::path& to, Budget& budget) {
  if (!needs_ffmpeg(format)) return join_gif(pictures, frames, to, budget);
  // From the root on, so that ffmpeg takes no part of a name before a colon for a protocol.
  const fs::path folder = fs::absolute(pictures.front().parent_path()), list = folder / "pictures.txt";
  const fs::path film = folder / (std::string("film") + app::extension_of(format));
  if (const file::Written written = file::write_whole(list, list_of(pictures, frames)); !written)
    return written.words;
  const std::vector<std::string> command{"ffmpeg",
                                         "-nostdin",
                                         "-loglevel",
                                         "error",
                                         "-y",
                                         "-f",
                                         "concat",
                                         "-i",
                                         list.string(),
                                         "-vf",
                                         "fps=30,format=yuv420p",
                                         "-movflags",
                                         "+faststart",
                                         film.string()};
  Message error;
  auto child = measure::ChildProcess::start(command, error);
  if (!child) return error;
  const auto deadline = measure::Clock::now() + std::chrono::duration_cast<measure::Clock::duration>(
                                                    std::chrono::duration<double>(kPatience));
  while (measure::Clock::now() < deadline && budget.look() == StopReason::None) {
    const auto received =
        child->read_line(measure::Clock::now() + std::chrono::milliseconds(50), nullptr, 1 << 16);
    if (received.event == measure::ChildProcess::Event::Ended) break;
  }
  const bool stopped = budget.stopped() != StopReason::None, late = measure::Clock::now() >= deadline;
  child->end(stopped ? 0.05 : 5);
  std::error_code failed;
  if (stopped) throw budget.why(Stage::Drawing);
  if (late) return Message("ffmpeg took longer than {} s and was ended", std::lround(kPatience));
  if (!fs::exists(film, failed) || fs::file_size(film, failed) == 0)
    return child->last_words().empty() ? Message("ffmpeg: {}", child->how_it_ended())
                                       : Message("ffmpeg: {}", child->last_words());
  std::string bytes;
  Message trouble;
  if (!text::read_file(film, kMostFilmBytes, &bytes, &trouble)) return trouble;
  return file::write_whole(to, bytes, {.to_pipes = true}).words;
}

}  // namespace warplens::share
