#!/usr/bin/env bash
# No program but warplens-gpu is linked with a CUDA library; warplens-cli also has no OpenGL and no GLFW.
set -u
failed=0
for program in "$1"/warplens "$1"/warplens-cli; do
  [ -x "$program" ] || continue
  if ldd "$program" | grep -Ei 'libcuda|libnvrtc|libcupti|libcublas|libcudart'; then
    echo "$program is linked with a CUDA library"; failed=1
  fi
done
if [ -x "$1/warplens-cli" ]; then
  if ldd "$1/warplens-cli" | grep -Ei 'libGL|libEGL|libglfw|libX11'; then
    echo "warplens-cli is linked with OpenGL or a window system"; failed=1
  fi
else
  echo "warplens-cli was not built"; failed=1
fi
exit $failed
