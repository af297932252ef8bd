# What an installed Warplens must do, wherever it was put. Sourced by the checks beside it.
# try_installed PREFIX SCRATCH: 0 where all of it works.

try_installed() {
  local prefix=$1 scratch=$2 failed=0
  # A folder of another user, nothing of the source tree in the environment.
  local run=(env -u WARPLENS_DATA -u DISPLAY -u WAYLAND_DISPLAY -C "$scratch")
  wrong() { echo "FAIL: $*"; failed=1; }

  "${run[@]}" "$prefix/bin/warplens-cli" --version | grep -q '^warplens-cli [0-9]' || wrong "warplens-cli --version"
  "${run[@]}" "$prefix/bin/warplens" --version | grep -q '^warplens [0-9]' || wrong "warplens --version"
  "${run[@]}" "$prefix/bin/warplens-cli" list scenarios | grep -q transpose_padded || wrong "list scenarios"
  "${run[@]}" "$prefix/bin/warplens-cli" list lessons | grep -q banks || wrong "list lessons"
  local sectors
  sectors=$("${run[@]}" "$prefix/bin/warplens-cli" report transpose_naive_row --set nrows=2048 --set ncols=2048 --json |
            python3 -c 'import json, sys; print(json.load(sys.stdin)["totals"]["global"]["store"]["sectors"])')
  [ "$sectors" = 4194304 ] || wrong "report transpose_naive_row: $sectors sectors stored, not 4194304"
  "${run[@]}" env PYTHONPATH="$prefix/lib/python3/dist-packages" python3 -c 'import warplens; print(warplens._program("warplens-cli"))' |
    grep -qx "$(realpath "$prefix")/bin/warplens-cli" || wrong "warplens.py does not find its programs"
  local word
  word=$("${run[@]}" "$prefix/bin/warplens-cli" doctor 2>&1)
  case $word in *"$prefix"*) ;; *) wrong "doctor does not name data in $prefix: $word" ;; esac

  # Two pictures in two languages: shaders, fonts, languages and recorded times are found; the pictures differ.
  local language size
  for language in en zh-CN; do
    "${run[@]}" "$prefix/bin/warplens" transpose_shared --lang $language --screenshot "$scratch/$language.png" --size 1280x720 ||
      wrong "warplens --screenshot, $language"
    size=$(stat -c %s "$scratch/$language.png" 2>/dev/null || echo 0)
    [ "$size" -gt 30000 ] || wrong "warplens --screenshot, $language: a picture of $size bytes"
  done
  cmp -s "$scratch/en.png" "$scratch/zh-CN.png" && wrong "the pictures in both languages are the same"

  local file
  for file in share/applications/org.warplens.Warplens.desktop share/icons/hicolor/scalable/apps/org.warplens.Warplens.svg \
              share/mime/packages/org.warplens.Warplens.xml share/metainfo/org.warplens.Warplens.metainfo.xml \
              share/man/man1/warplens.1.gz share/man/man1/warplens-cli.1.gz share/doc/warplens/copyright \
              share/doc/warplens/changelog.gz share/doc/warplens/changelog.Debian.gz share/doc/warplens/README.md share/doc/warplens/docs/cli.md; do
    [ -s "$prefix/$file" ] || wrong "$file is not there"
  done
  return $failed
}
