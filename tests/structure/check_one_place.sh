#!/usr/bin/env bash
# What is done in one place is done nowhere else: text leaves for a terminal through sim/text/shown.h, free of control
# characters, and a file whose name or content is a stranger's is read through sim/text/read_file.h, which never waits.
set -u
cd "$1" || exit 1
failed=0
refuse() {  # refuse WHY PATTERN ALLOWED-FILES...: no line of the programs but in these files has the pattern
  local why=$1 pattern=$2; shift 2
  local bad file args=()
  for file in "$@"; do args+=(-e "^$file:"); done
  bad=$(grep -rnE "$pattern" --include='*.h' --include='*.cpp' sim app kernels | grep -vE ':[0-9]+:\s*//' | grep -v "${args[@]}")
  if [ -n "$bad" ]; then
    printf '%s:\n%s\n' "$why" "$bad"
    failed=1
  fi
}
# The progress of a simulation is drawn over itself, of digits alone, and only on a terminal.
refuse "print with text::print or text::say" \
  '\b(f?printf|vf?printf|f?puts|putchar|fputc|putc|perror|psignal)\(|std::(cout|cerr|clog)\b|\bf?write\([^;]*std(out|err)' \
  sim/text/shown.cpp app/cli/command.cpp
refuse "read with text::read_file" '\bi?fstream\b[ (]|std::i?fstream|\bfopen\(' \
  app/cli/doctor_command.cpp tests/probe/soak.cpp
refuse "hues are the lanes', greys those of origins (app/scene/palette.h)" \
  '\b(p|palette|palette\(\)|palette_)(\.|->)(lanes|lane_texts|origins)\[' \
  app/scene/palette.cpp app/scene/memory/lane_marks.cpp app/scene/memory/question_scene.cpp app/views/blocks.cpp \
  app/panels/source/lanes.cpp app/views/global.cpp
refuse "colours have their names in app/scene/palette.h" '\bColor\{ ?[01]\.[0-9]|\brgb\(0x' app/scene/palette.cpp
grep -q 'fwrite' sim/text/shown.cpp || { echo "sim/text/shown.cpp prints nothing: the check looked at nothing"; failed=1; }
exit $failed
