// The machine's own addresses (IPv4), and what stands before them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplens::platform {

struct NetworkAddress {
  enum class Kind : std::uint8_t { Loopback, Cable, Wifi, Hotspot, Virtual };
  std::string interface, address;
  Kind kind = Kind::Cable;
  friend bool operator==(const NetworkAddress&, const NetworkAddress&) = default;
};

// The addresses of interfaces that are up: those that a hall is likely to use first, loopback last.
std::vector<NetworkAddress> network_addresses();

// Ubuntu's firewall says that it is on; which rules it has only root may read.
bool has_ufw();

}  // namespace warplens::platform
