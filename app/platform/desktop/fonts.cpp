#include "app/platform/system.h"

namespace warplens::platform {
namespace {

const std::string kInter = "/usr/share/fonts/opentype/inter/";
const std::string kMono = "/usr/share/fonts/truetype/jetbrains-mono/";
const std::string kDejaVu = "/usr/share/fonts/truetype/dejavu/";
const std::string kNoto = "/usr/share/fonts/truetype/noto/";

}  // namespace

std::vector<std::string> font_files(Face face) {
  switch (face) {
    case Face::Words:
      return {kInter + "Inter-Regular.otf", kDejaVu + "DejaVuSans.ttf", kNoto + "NotoSans-Regular.ttf"};
    case Face::WordsBold:
      return {kInter + "Inter-SemiBold.otf", kDejaVu + "DejaVuSans-Bold.ttf", kNoto + "NotoSans-Bold.ttf"};
    case Face::Code:
      return {kMono + "JetBrainsMono-Regular.ttf", kDejaVu + "DejaVuSansMono.ttf",
              kNoto + "NotoSansMono-Regular.ttf"};
    case Face::CodeBold:
      return {kMono + "JetBrainsMono-Bold.ttf", kDejaVu + "DejaVuSansMono-Bold.ttf",
              kNoto + "NotoSansMono-Bold.ttf"};
    case Face::Chinese:
      break;
  }
  return {"/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
          "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"};
}

std::vector<std::filesystem::path> font_folders() {
  std::vector<std::filesystem::path> folders = {"/usr/share/fonts", "/usr/local/share/fonts"};
  if (!home_folder().empty()) folders.push_back(home_folder() / ".local/share/fonts");
  return folders;
}

}  // namespace warplens::platform
