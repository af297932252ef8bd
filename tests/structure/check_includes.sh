#!/usr/bin/env bash
# sim/ includes no CUDA, OpenGL, GLFW or ImGui header, and nothing of app/ or kernels/.
set -u
bad=$(grep -rnEi '^\s*#\s*include\s*[<"](cuda|nvrtc|cupti|cublas|GL/|GLES|EGL/|KHR/|glad|GLFW/|imgui|app/|kernels/)' \
        --include='*.h' --include='*.cpp' "$1/sim")
if [ -n "$bad" ]; then
  printf 'sim/ must stay free of these headers:\n%s\n' "$bad"
  exit 1
fi
count=$(find "$1/sim" -name '*.h' | wc -l)
[ "$count" -gt 0 ] || { echo "no header found in $1/sim: the check looked at nothing"; exit 1; }
echo "$count headers of sim/ are free of CUDA, OpenGL, GLFW and ImGui"
