// Looks at a frame's texts and says what is wrong with them.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "app/desktop/window.h"
#include "app/panels/widgets/text_input.h"

namespace warplens::desktop {

// Draws what the app shows and judges every text of it: clipped, shortened, too small, too pale, over
// another. One line a complaint on standard output, "WHAT | WHERE | TEXT | figures | window", each text once
// a language and size of type.
class TextCheck {
 public:
  TextCheck(App& app, OffscreenTarget& target) : app_(app), target_(target) {}
  // Every look is written into the folder as well: "017 en dark transpose_shared present.png".
  void keep_pictures(const std::filesystem::path& folder) { pictures_ = folder; }
  void look(const std::string& where);
  int looks() const { return looks_; }

 private:
  void complain(const char* what, const panels::DrawnText& text, const std::string& figures);
  void told_at_once(const std::vector<panels::DrawnText>& texts);
  void leave_covered_out(std::vector<panels::DrawnText>* texts) const;
  void judge(const panels::DrawnText& text, const scene::Image& image);
  bool steps_back(const panels::DrawnText& text) const;
  void overlaps(const std::vector<panels::DrawnText>& texts);
  void keep(const scene::Image& image) const;

  App& app_;
  OffscreenTarget& target_;
  std::string where_;
  std::filesystem::path pictures_;
  std::set<std::string> told_;
  double now_ = 0;
  int looks_ = 0;
};

}  // namespace warplens::desktop
