# Shared by ./run and ./test: installs what is missing (Debian or Ubuntu), configures and builds.
# Sourced with the repository's root as the working directory.

packages_build="g++ cmake ninja-build pkg-config python3 python3-glad libimgui-dev libstb-dev libglfw3-dev
  libegl-dev libgl-dev libopengl-dev libcli11-dev nlohmann-json3-dev libpng-dev libgif-dev
  libqrencode-dev libmd-dev zlib1g-dev dpkg-dev file"
packages_run="libegl1 libgl1 libgl1-mesa-dri fonts-inter fonts-jetbrains-mono fonts-dejavu-core fonts-wqy-microhei"
packages_test="libx11-dev libgtest-dev libgmock-dev libbenchmark-dev xvfb xauth xdotool x11-utils imagemagick librsvg2-bin libxml2-utils
  openssh-server openssh-client desktop-file-utils appstream shared-mime-info man-db
  faketime nftables iproute2 curl"

say() { printf '%s\n' "$*" >&2; }

# install_missing PACKAGE...: says what it will install, then does; nothing where all is there.
install_missing() {
  if ! command -v dpkg-query >/dev/null; then
    say "This machine has no dpkg: install the equivalents of these Debian packages yourself: $*"
    return 0
  fi
  local missing=() p
  for p in "$@"; do
    dpkg-query -W -f='${db:Status-Status}\n' "$p" 2>/dev/null | grep -qx installed || missing+=("$p")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  say "Installing: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { say "Not root and no sudo. Install these packages, then run this again: ${missing[*]}"; exit 3; }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq || say "apt-get update failed; trying with the package lists that are there"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 ||
    { say "Installing failed: see apt-get's words above."; exit 3; }
}

# build PRESET [CMAKE ARGUMENT...]: configures where needed, builds what changed.
build() {
  local preset=$1; shift
  if [ ! -f "build/$preset/build.ninja" ] || [ $# -gt 0 ]; then
    cmake --preset "$preset" "$@" >&2 || exit 1
  fi
  cmake --build --preset "$preset" >&2 || exit 1
}

# select_tests [CTEST ARGUMENT...]: ctest knows suites; where -R names tests of one, those alone are run (tests/suites.cmake).
select_tests() {
  while [ $# -gt 0 ]; do
    case $1 in
      -R|--tests-regex) export WARPLENS_TESTS=${2-} ;;
      -R*) export WARPLENS_TESTS=${1#-R} ;;
    esac
    shift
  done
}
