#include "app/platform/network.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>

#include <algorithm>
#include <filesystem>

#include "sim/text/read_file.h"

namespace warplens::platform {
namespace {

namespace fs = std::filesystem;
using Kind = NetworkAddress::Kind;

Kind kind_of(const std::string& interface, const std::string& address, unsigned flags) {
  if ((flags & IFF_LOOPBACK) != 0) return Kind::Loopback;
  const fs::path about = fs::path("/sys/class/net") / interface;
  std::error_code failed;
  const bool wireless = fs::exists(about / "wireless", failed) || fs::exists(about / "phy80211", failed);
  if (wireless && address.starts_with("10.42."))
    return Kind::Hotspot;  // as NetworkManager gives it to one that it opens
  if (wireless) return Kind::Wifi;
  return fs::exists(about / "device", failed) ? Kind::Cable : Kind::Virtual;
}

int order_of(Kind kind) {
  constexpr Kind kOrder[] = {Kind::Hotspot, Kind::Wifi, Kind::Cable, Kind::Virtual, Kind::Loopback};
  return static_cast<int>(std::find(std::begin(kOrder), std::end(kOrder), kind) - std::begin(kOrder));
}

}  // namespace

std::vector<NetworkAddress> network_addresses() {
  std::vector<NetworkAddress> found;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return found;
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    constexpr unsigned kThere = IFF_UP | IFF_RUNNING;  // with a cable in it, or a Wi-Fi
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET ||
        (one->ifa_flags & kThere) != kThere)
      continue;
    char text[INET_ADDRSTRLEN] = {};
    const auto* in = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
    if (::inet_ntop(AF_INET, &in->sin_addr, text, sizeof text) == nullptr) continue;
    found.push_back({one->ifa_name, text, kind_of(one->ifa_name, text, one->ifa_flags)});
  }
  ::freeifaddrs(all);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return order_of(a.kind) < order_of(b.kind); });
  return found;
}

bool has_ufw() {
  std::string settings;
  Message error;
  return text::read_file("/etc/ufw/ufw.conf", 1 << 16, &settings, &error) &&
         settings.find("\nENABLED=yes") != std::string::npos;
}

}  // namespace warplens::platform
