// A text as a QR code.
#pragma once

#include <string>
#include <vector>

namespace warplens::vote {

struct QrCode {
  int side = 0;             // modules; 0: it cannot be made (built without libqrencode)
  std::vector<bool> black;  // row by row
};
QrCode qr_code(const std::string& text);

}  // namespace warplens::vote
