#!/usr/bin/env bash
# No program but warplens-gpu is linked with a CUDA library; warplens-cli also has no OpenGL and no GLFW.
#   check_links.sh FOLDER PROGRAM...    the programs of the folder that were built
set -u
folder=$1 failed=0; shift
for program in "$@"; do
  libraries=$(ldd "$folder/$program") || { echo "ldd $folder/$program failed"; failed=1; continue; }
  # Every program of ours is linked with the C library: where that is not told, nothing was looked at.
  grep -q libc.so <<<"$libraries" || { echo "$program: ldd does not tell the C library"; failed=1; }
  if grep -Ei 'libcuda|libnvrtc|libcupti|libcublas|libcudart' <<<"$libraries"; then
    echo "$program is linked with a CUDA library"; failed=1
  fi
  if [ "$program" = warplens-cli ] && grep -Ei 'libGL|libEGL|libglfw|libX11' <<<"$libraries"; then
    echo "warplens-cli is linked with OpenGL or a window system"; failed=1
  fi
done
exit $failed
