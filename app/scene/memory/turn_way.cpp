#include "app/scene/memory/turn_way.h"

#include <algorithm>
#include <cmath>

namespace warplens::scene {
namespace {

// Where an arc is at `t`, as the renderer draws it: it leaves and arrives vertically.
Point along(Point a, Point d, float t) {
  const float u = 1 - t, bend = 0.5f * (d.y - a.y);
  const Point b{a.x, a.y + bend}, c{d.x, d.y - bend};
  const float p = u * u * u, q = 3 * u * u * t, r = 3 * u * t * t, s = t * t * t;
  return {p * a.x + q * b.x + r * c.x + s * d.x, p * a.y + q * b.y + r * c.y + s * d.y};
}

// A part of no length is behind at once.
float behind(float t, float length) {
  return length > 0 ? std::clamp(t / length, 0.0f, 1.0f) : 1;
}

}  // namespace

float TurnWay::straight() const {
  const float bent = std::hypot(edge.x - lane.x, edge.y - lane.y), down = word.y - edge.y;
  return bent + down > 0 ? down / (bent + down) : 0;
}

Point TurnWay::at(float t) const {
  const float down = straight_from_lane(t);
  if (t > 1 - straight()) return {word.x, edge.y + (word.y - edge.y) * down};
  return along(lane, edge, bent_from_lane(t));
}

float TurnWay::bent_from_lane(float t) const {
  return behind(t, 1 - straight());
}
float TurnWay::straight_from_lane(float t) const {
  return behind(t - (1 - straight()), straight());
}
float TurnWay::bent_from_word(float t) const {
  return behind(t - straight(), 1 - straight());
}
float TurnWay::straight_from_word(float t) const {
  return behind(t, straight());
}

}  // namespace warplens::scene
