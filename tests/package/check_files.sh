#!/usr/bin/env bash
# The files of the desktop and the man pages, by their validators; and every option that --help tells is in the man page.
#   check_files.sh SOURCE_DIR PROGRAM_DIR
# A validator that is not installed fails the check.
set -u
source=$1 programs=$2
desktop=$source/assets/desktop id=org.warplens.Warplens
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
failed=0
fail() { echo "FAIL: $*"; failed=1; }
has() { command -v "$1" >/dev/null || { fail "$1 is not installed"; false; }; }

has desktop-file-validate && { desktop-file-validate --warn-kde "$desktop/$id.desktop" || fail "$id.desktop"; }
has appstreamcli && { appstreamcli validate --no-net "$desktop/$id.metainfo.xml" || fail "$id.metainfo.xml"; }
if has xmllint; then
  for file in "$desktop/$id.xml" "$desktop/$id.svg" "$desktop/$id.metainfo.xml"; do
    xmllint --noout --nonet "$file" || fail "$file"
  done
fi

# The MIME types as the desktop reads them, and none in the desktop entry that is not there.
if has update-mime-database; then
  mkdir -p "$scratch/mime/packages"
  cp "$desktop/$id.xml" "$scratch/mime/packages/"
  said=$(XDG_DATA_HOME=$scratch update-mime-database "$scratch/mime" 2>&1) || fail "update-mime-database: $said"
  [ -z "$said" ] || fail "update-mime-database: $said"
  for glob in warplens.json scenario.json lesson.json cu; do
    grep -q "\*\.$glob\$" "$scratch/mime/globs2" || fail "$id.xml: no type for *.$glob"
  done
  for type in $(sed -n 's/^MimeType=//p' "$desktop/$id.desktop" | tr ';' ' '); do
    grep -q ":$type:" "$scratch/mime/globs2" || fail "$id.desktop: $type is not in $id.xml"
  done
fi

for page in warplens warplens-cli warplens-gpu; do
  if has man; then
    said=$(man --warnings -E UTF-8 -l -Tutf8 -Z "$source/docs/man/$page.1" 2>&1 >/dev/null)
    [ -z "$said" ] || fail "docs/man/$page.1: $said"
  fi
  [ -x "$programs/$page" ] || continue
  for option in $("$programs/$page" --help 2>&1 | grep -oE '(^|[ ,])--[a-z][a-z-]*' | tr -d ' ,' | sort -u); do
    grep -qF -e "${option//-/\\-}" "$source/docs/man/$page.1" || fail "docs/man/$page.1 does not tell $option"
  done
done
for command in $("$programs/warplens-cli" --help | sed -n '/Subcommands/,$s/^  \([a-z]*\) .*/\1/p'); do
  grep -qE "^\.B[IR]? $command( |\$)" "$source/docs/man/warplens-cli.1" || fail "docs/man/warplens-cli.1 does not tell $command"
done
exit $failed
