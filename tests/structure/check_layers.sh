#!/usr/bin/env bash
# Folders of sim/ and app/ include only what lies below them, so that data flows one way.
set -u
root=$1
failed=0
allow() {  # allow FOLDER ALLOWED-FOLDER...: project includes in FOLDER may only name these (and FOLDER itself)
  local folder=$1; shift
  local pattern="$folder/" f bad
  for f in "$folder" "$@"; do
    [ -n "$(find "$root/$f" -name '*.h' 2>/dev/null)" ] || { echo "$f: no such folder with headers"; failed=1; }
    pattern="$pattern|$f/"
  done
  bad=$(grep -rnE '^\s*#\s*include\s*"(sim|app|kernels)/' --include='*.h' --include='*.cpp' "$root/$folder" |
          grep -vE "#\s*include\s*\"($pattern)")
  if [ -n "$bad" ]; then
    printf '%s may include only itself and: %s\n%s\n' "$folder" "$*" "$bad"
    failed=1
  fi
}
allow sim/base
allow sim/file
allow sim/text
allow sim/memory
allow sim/cuda sim/base
allow sim/warp sim/cuda sim/memory sim/base
allow sim/scenario sim/file sim/text sim/warp sim/cuda sim/memory sim/base
allow sim/report sim/file sim/text sim/scenario sim/warp sim/cuda sim/memory sim/base
allow sim/lesson sim/file sim/text sim/report sim/scenario sim/warp sim/cuda sim/memory sim/base
allow app/language sim/text
allow app/scene app/language sim
allow app/measure sim
allow app/session app/measure app/scene app/language sim
allow app/gl app/scene sim
allow app/share app/session app/measure app/scene app/language sim
allow app/cli app/share app/session app/scene app/language app/measure sim
exit $failed
