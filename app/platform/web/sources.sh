# Sourced with the repository's root as the working directory, after .ci/setup.sh: web_sources unpacks what a
# browser's build compiles itself, Debian's sources of the libraries that the desktop links, into build/web-sources.

web_packages="emscripten dpkg-dev python3-fonttools fonttools"
command -v npm >/dev/null || web_packages="$web_packages npm"  # some builds of nodejs bring it along, and refuse another

# fetch_sources FOLDER PATTERN PACKAGE...: Debian's sources. The machine need not have deb-src in its lists, and its
# lists stay as they are; they come from where its packages come from, of the releases that match.
fetch_sources() {
  local folder=$1 releases=$2; shift 2
  mkdir -p "$folder/lists"
  apt-get indextargets --format 'deb-src $(REPO_URI) $(CODENAME) $(COMPONENT)' "Identifier: Packages" |
    sort -u | grep -E "$releases" >"$folder/sources.list"
  local apart=(-o "Dir::Etc::SourceList=$PWD/$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$PWD/$folder/lists" -o APT::Sandbox::User=root)
  apt-get "${apart[@]}" update -qq >&2 && (cd "$folder" && apt-get "${apart[@]}" source -qq --download-only "$@" >&2)
}

web_sources() {
  local to=build/web-sources folder package
  local -A packages=([imgui]=imgui [zlib]=zlib [libpng]=libpng1.6 [giflib]=giflib [libmd]=libmd)
  local missing=()
  for folder in "${!packages[@]}"; do [ -e "$to/$folder/.whole" ] || missing+=("$folder"); done
  if [ ${#missing[@]} -gt 0 ]; then
    say "Fetching the sources of: ${missing[*]}"
    local wanted=()
    for folder in "${missing[@]}"; do wanted+=("${packages[$folder]}"); done
    # Where a mirror lacks the sources of the newest fixes, those that the release came with will do.
    fetch_sources $to/fetched . "${wanted[@]}" ||
      { rm -rf $to/fetched && fetch_sources $to/fetched ' [a-z]+ [a-z]+$' "${wanted[@]}"; } ||
      { say "The sources could not be fetched: see apt-get's words above."; exit 3; }
    for folder in "${missing[@]}"; do
      package=${packages[$folder]}
      rm -rf "${to:?}/$folder"
      dpkg-source --no-check -x $to/fetched/"$package"_*.dsc $to/"$folder" >&2 || exit 3
      touch $to/"$folder"/.whole
    done
  fi
  # The linker's optimiser of JavaScript wants acorn 8, which Debian's emscripten does not bring.
  [ -d $to/node_modules/acorn ] || npm install --silent --no-save --prefix $to acorn@8 >&2 ||
    { say "npm could not install acorn, which the linker needs."; exit 3; }
}
