// One-line inputs. Which of them has the keyboard, and its text, is in the state; caret, selection, clipboard
// and composed characters are those of Dear ImGui's InputText, which stands there then.
#pragma once

#include <functional>
#include <string>

#include "app/panels/panels.h"
#include "app/scene/scene.h"

// Tells an observer of every text that is drawn, and where it landed.
//
//   observe_texts([&](const DrawnText& text) { texts.push_back(text); });   app.frame(in); observe_texts({});

namespace warplens::panels {

struct DrawnText {
  std::string text;   // as drawn
  std::string whole;  // as asked for; longer where it was shortened
  scene::Rect rect;   // of the window, from ascenders to descenders
  scene::Rect clip;   // what of the window it may be drawn in
  float size = 0;     // pixels, em
  scene::Color color;
  std::string window;  // of ImGui: what lies over what
  float beyond = 0;    // of the letters, above or below the picture whose label it is, pixels
};

// From now on; an empty function: no more. Nothing is gathered while there is none.
using TextObserver = std::function<void(const DrawnText&)>;
void observe_texts(TextObserver observer);

// The same of areas that answer to a click or a drag, and of framed areas, the picture's own among them.
enum class Drawn { Control, Frame };
void observe_areas(std::function<void(Drawn)> observer);

// Below what is wrong.
void draw_wave(const View& view, float x, float end, float y, const scene::Color& color);

struct InputLook {
  std::string placeholder{};  // where nothing is typed
  std::string suffix{};       // at the right, quiet: "= 4,096"
  bool wrong = false;
  float size = 13;
  const cuda::SourceRange* squiggle = nullptr;  // of the text, columns in bytes
};
// `value`: what it shows while it has not the keyboard.
void draw_input(const View& view, const std::string& id, const Rect& rect, const std::string& value,
                const InputLook& look);
bool has_keyboard(const View& view, const std::string& id);
// Between two frames: the input of the state takes in what is typed. It needs a frame or two for that.
bool takes_typing(const app::State& state);

// A list that opens under a button, walked through by keys (Focus::List).

struct PopupLook {
  float width = 340, row = 32;  // of the design
  float size = 15;
  Face face = Face::Words;
};
// The menu of the state, where it is this one, under (or above) the button that it belongs to.
void draw_menu(const View& view, app::Menu::Of of, const Rect& button, const PopupLook& look);

}  // namespace warplens::panels
