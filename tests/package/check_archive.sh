#!/usr/bin/env bash
# What the archive is to hold, unpacked in a folder: that it brings what it needs, and asks no newer system than it says.
#   check_archive.sh FOLDER
# Of a library it may need only what every system has, or what OpenGL brings; the versions of glibc and libstdc++ are those of
# Debian 12, or of the system that it was made on where that is a newer one, which is then said.
set -u
folder=$1 failed=0
fail() { echo "FAIL: $*"; failed=1; }
base=" libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 ld-linux-x86-64.so.2 libstdc++.so.6 libgcc_s.so.1 libz.so.1 libX11.so.6 libxcb.so.1 "
glibc=2.36 glibcxx=3.4.30
own=$(ldd --version | sed -n '1s/.* //p')
if [ "$(printf '%s\n' $glibc "$own" | sort -V | tail -1)" != $glibc ]; then
  echo "made with glibc $own: it runs from there on; for Debian 12 it is made on Debian 12"
  glibc=$own glibcxx=$(strings "$(ldconfig -p | sed -n 's/.*libstdc++.so.6 .*=> //p' | head -1)" | sed -n 's/^GLIBCXX_\([0-9.]*\)$/\1/p' | sort -V | tail -1)
fi
newest() { printf '%s\n' "$wanted" | sed -n "s/^$1_\([0-9.]*\)\$/\1/p" | sort -V | tail -1; }
count=0
while read -r file; do
  readelf -h "$file" >/dev/null 2>&1 || continue
  count=$((count + 1)) name=${file#"$folder"/}
  wanted=$(readelf -W --version-info "$file" | sed -n '/Version needs/,$s/.*Name: \([A-Z]*_[0-9.]*\) .*/\1/p' | sort -u)
  for of in "GLIBC $glibc" "GLIBCXX $glibcxx"; do
    version=$(newest "${of% *}")
    [ -z "$version" ] || [ "$(printf '%s\n' "$version" "${of#* }" | sort -V | tail -1)" = "${of#* }" ] || fail "$name needs ${of% *}_$version, newer than ${of#* }"
    case $of in GLIBC\ *) all_glibc+=" $version" ;; *) all_glibcxx+=" $version" ;; esac
  done
  for needed in $(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
    [ -e "$folder/lib/warplens/$needed" ] || [[ $base == *" $needed "* ]] || fail "$name needs $needed, which is not there"
  done
done < <(find "$folder" -type f)
[ $count -ge 10 ] || fail "$count programs and libraries were looked at"
for program in warplens warplens-cli; do
  readelf -d "$folder/bin/$program" | grep -q 'RPATH.*\[\$ORIGIN/../lib/warplens\]' || fail "bin/$program does not look beside itself"
done
libraries=$(find "$folder/lib/warplens" -name '*.so*' | wc -l) told=$(find "$folder/share/doc/warplens/carried" -name '*.copyright' | wc -l)
[ "$told" -gt 4 ] || fail "the licences of what is carried are not there: $told"
find "$folder/share/warplens/fonts" -name '*.?t[fc]' | grep -q . || fail "no fonts"
last() { printf '%s\n' $1 | sort -V | tail -1; }
echo "$count programs and libraries, $libraries of them carried, with $told copyright files: GLIBC up to $(last "${all_glibc:-}"), GLIBCXX up to $(last "${all_glibcxx:-}")"
exit $failed
