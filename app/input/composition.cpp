#include "app/input/composition.h"

namespace warplens::app {

bool Composition::is_the_apps(const KeyPress& press, bool types) {
  if (!types || press.key == Key::Text) {
    letters_ = 0;
    return true;
  }
  if (press.key == Key::Character) {
    letters_ += press.control ? 0 : 1;  // its text follows at once where nothing is composed
    return true;
  }
  if (letters_ == 0 || press.key >= Key::F1) return true;
  const bool ends = press.key == Key::Escape || press.key == Key::Enter || press.key == Key::Space;
  letters_ = ends ? 0 : letters_ - (press.key == Key::Backspace ? 1 : 0);
  return false;
}

}  // namespace warplens::app
