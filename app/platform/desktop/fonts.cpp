#include "app/platform/system.h"
#include "sim/text/fonts_folder.h"

namespace warplens::platform {

std::vector<std::string> font_files(Face face) {
  const std::string fonts = text::fonts_folder(), inter = fonts + "opentype/inter/",
                    mono = fonts + "truetype/jetbrains-mono/", deja_vu = fonts + "truetype/dejavu/",
                    noto = fonts + "truetype/noto/";
  switch (face) {
    case Face::Words:
      return {inter + "Inter-Regular.otf", deja_vu + "DejaVuSans.ttf", noto + "NotoSans-Regular.ttf"};
    case Face::WordsBold:
      return {inter + "Inter-SemiBold.otf", deja_vu + "DejaVuSans-Bold.ttf", noto + "NotoSans-Bold.ttf"};
    case Face::Code:
      return {mono + "JetBrainsMono-Regular.ttf", deja_vu + "DejaVuSansMono.ttf",
              noto + "NotoSansMono-Regular.ttf"};
    case Face::CodeBold:
      return {mono + "JetBrainsMono-Bold.ttf", deja_vu + "DejaVuSansMono-Bold.ttf",
              noto + "NotoSansMono-Bold.ttf"};
    case Face::Chinese:
      break;
  }
  return {fonts + "truetype/wqy/wqy-microhei.ttc", fonts + "opentype/noto/NotoSansCJK-Regular.ttc"};
}

std::vector<std::filesystem::path> font_folders() {
  std::vector<std::filesystem::path> folders = {text::fonts_folder(), "/usr/share/fonts",
                                                "/usr/local/share/fonts"};
  if (!home_folder().empty()) folders.push_back(home_folder() / ".local/share/fonts");
  return folders;
}

}  // namespace warplens::platform
