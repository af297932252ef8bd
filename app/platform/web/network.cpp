// A page serves nobody.
#include "app/platform/network.h"

#include "app/platform/http.h"

namespace warplens::platform {

std::vector<NetworkAddress> network_addresses() {
  return {};
}
bool has_ufw() {
  return false;
}

std::unique_ptr<HttpServer> HttpServer::open(const std::string&, int, Handler, HttpTrouble* trouble,
                                             const HttpBounds&) {
  *trouble = {HttpTrouble::Kind::Failed, {}};
  return nullptr;
}
bool answers_http(const std::string&, int, double, std::string*) {
  return false;
}

}  // namespace warplens::platform
