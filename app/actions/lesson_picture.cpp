#include "app/actions/lesson_picture.h"

namespace warplens::app {
namespace {

using lesson::Picture;

Picture picture_of(Plot plot) {
  switch (plot) {
    case Plot::Timeline:
      return Picture::Timeline;
    case Plot::Landscape:
      return Picture::Landscape;
    case Plot::Why:
      return Picture::Why;
    case Plot::Roofline:
      return Picture::Roofline;
    case Plot::Layout:
      return Picture::Layout;
    case Plot::Fragments:
      return Picture::Fragments;
    default:
      return Picture::Memory;
  }
}

Plot plot_of(Picture picture) {
  for (const Plot plot :
       {Plot::Timeline, Plot::Landscape, Plot::Why, Plot::Roofline, Plot::Layout, Plot::Fragments}) {
    if (picture_of(plot) == picture) return plot;
  }
  return Plot::None;
}

}  // namespace

Picture picture_on(const State& state) {
  if (state.plot.shown != Plot::None) return picture_of(state.plot.shown);
  return state.phases      ? Picture::Phases
         : state.map.shown ? Picture::Map
         : state.reuse     ? Picture::Reuse
                           : Picture::Memory;
}

void show_picture(State* state, Picture picture) {
  if (picture == Picture::AsItIs) return;
  state->map.shown = picture == Picture::Map;
  state->map.held = false;
  state->phases = picture == Picture::Phases;
  state->reuse = picture == Picture::Reuse;
  state->plot.shown = plot_of(picture);
  state->plot.held = false;
  state->plot.pointed.reset();
}

}  // namespace warplens::app
