#include "app/vote/qr.h"

#ifdef WARPLENS_QR
#include <qrencode.h>

#include <memory>
#endif

namespace warplens::vote {

QrCode qr_code([[maybe_unused]] const std::string& text) {
  QrCode code;
#ifdef WARPLENS_QR
  const std::unique_ptr<QRcode, void (*)(QRcode*)> made(
      QRcode_encodeString8bit(text.c_str(), 0, QR_ECLEVEL_M), QRcode_free);
  if (!made) return code;
  code.side = made->width;
  for (int i = 0; i < made->width * made->width; ++i) code.black.push_back((made->data[i] & 1) != 0);
#endif
  return code;
}

}  // namespace warplens::vote
