#include "app/derive/motion.h"

#include <algorithm>
#include <utility>

namespace warplens::app {
namespace {

float part(double now, double began, double length, bool enabled) {
  return enabled ? static_cast<float>(std::clamp((now - began) / length, 0.0, 1.0)) : 1.0f;
}

bool same_words(const memory::WarpAccess& a, const memory::WarpAccess& b) {
  if (a.active != b.active || a.bytes != b.bytes) return false;
  for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((a.active >> lane & 1) != 0 && a.addresses[lane] != b.addresses[lane]) return false;
  }
  return true;
}

}  // namespace

float Motion::access(double now) const {
  return part(now, access_began, kAccessMotion, enabled);
}
float Motion::wavefront(double now) const {
  return part(now, wavefront_began, kWavefrontMotion, enabled);
}
float Motion::slide(double now) const {
  return previous ? part(now, slide_began, kSlideMotion, enabled) : 1.0f;
}
bool Motion::moving(double now) const {
  return access(now) < 1 || wavefront(now) < 1 || slide(now) < 1;
}

double motion_rate(const Playback& playback) {
  return playback.frozen ? 0 : playback.speed;
}

Motion follow(const Motion& last, const Simulation& s, double now, int scene) {
  const bool is_back =
      last.held && s.compiled != last.compiled && name_of(s, s.place.event) == last.held->name;
  Motion before = is_back ? *last.held : last;
  if (is_back) before.place.event = s.place.event, before.enabled = last.enabled;
  Motion motion = before;
  const std::shared_ptr<const Compiled> compiled = s.compiled;
  const bool other_program = compiled != before.compiled;
  const ResolvedPosition& a = s.place;
  const ResolvedPosition& b = before.place;
  const bool other_access = a.event != b.event || a.warp != b.warp || !(a.block == b.block);
  // Another scene of a lecture is no parameter that was turned.
  if (std::exchange(motion.scene, scene) != scene) motion.turned = nullptr;
  if (other_program || other_access || a.wavefront != b.wavefront) {
    if (other_access) motion.access_began = now;
    if (other_access || a.wavefront != b.wavefront) motion.wavefront_began = now;
    // The lanes fall first; who comes to a later wavefront finds them fallen.
    if (other_access && a.wavefront == 0 && s.now && s.now->access.space == memory::Space::Shared)
      motion.wavefront_began += kAccessMotion;
    motion.backwards = !other_access && a.wavefront < b.wavefront;
    motion.name = s.now ? name_of(s, a.event) : AccessId{};
    motion.units = s.now && a.event >= 0 ? (*s.events)[static_cast<std::size_t>(a.event)].units : 0;
    if (other_program && before.compiled && motion.name == before.name && scene == before.scene)
      motion.turned = before.compiled, motion.turned_units = before.units;
    else if (other_program || other_access)
      motion.turned = nullptr;
    const AccessId wanted = motion.held ? motion.held->name : before.name;
    if (!other_program || failure_of(s) == nullptr || motion.name == wanted)
      motion.held = nullptr;
    else if (!motion.held && before.compiled)
      motion.held = std::make_shared<const Motion>(before);
    motion.compiled = compiled;
    motion.place = a;
    motion.shared = s.shared ? std::make_shared<const memory::WarpAccess>(s.shared->access) : nullptr;
    motion.shared_name = s.shared ? name_of(s, s.shared->event) : AccessId{};
    const bool same_name = motion.shared_name == before.shared_name && !motion.shared_name.any;
    if (other_program && same_name && before.shared && motion.shared &&
        !same_words(*before.shared, *motion.shared)) {
      motion.previous = before.shared;
      motion.previous_wavefront = b.wavefront;
      motion.previous_compiled = before.compiled;
      motion.slide_began = now;
    } else if (other_access || !same_name) {
      motion.previous = nullptr;
    }
  }
  if (motion.slide(now) >= 1) motion.previous = nullptr, motion.previous_compiled = nullptr;
  return motion;
}

}  // namespace warplens::app
