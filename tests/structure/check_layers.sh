#!/usr/bin/env bash
# Folders include what their row of docs/architecture.md names, and nothing else; the rows are in order, so that data flows
# one way; and every folder with sources has a row.
set -u
root=$1
failed=0 above=' '
fail() { echo "$*"; failed=1; }
while IFS='|' read -r _ folder allowed _; do
  folder=$(tr -d '` ' <<<"$folder"); read -ra allowed <<<"${allowed//\`/}"
  [ -n "$(find "$root/$folder" -name '*.h' -o -name '*.cpp' 2>/dev/null)" ] || fail "docs/architecture.md: $folder: no such folder with sources"
  pattern="$folder/"
  for f in "${allowed[@]}"; do
    [ "$f" = sim ] || [[ $above == *" $f "* ]] || fail "docs/architecture.md: $folder may include $f, which has no row above it"
    pattern="$pattern|$f/"
    grep -rqE "^\s*#\s*include\s*\"$f/" --include='*.h' --include='*.cpp' "$root/$folder" ||
      fail "docs/architecture.md: $folder may include $f, but does not"
  done
  above="$above$folder "
  bad=$(grep -rnE '^\s*#\s*include\s*"(sim|app|kernels)/' --include='*.h' --include='*.cpp' "$root/$folder" |
          grep -vE "#\s*include\s*\"($pattern)")
  [ -z "$bad" ] || fail "$folder may include only itself and: ${allowed[*]}"$'\n'"$bad"
done < <(grep -E '^\| `(sim|app|kernels)/' "$root/docs/architecture.md" | grep -v '^| `kernels/\*')
while read -r folder; do
  [[ $above == *" $folder "* ]] || fail "docs/architecture.md says nothing of $folder"
done < <(cd "$root" && find sim app kernels -name '*.cpp' -o -name '*.h' | cut -d/ -f1,2 | sort -u)
exit $failed
