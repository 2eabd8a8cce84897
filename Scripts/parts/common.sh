# SPDX-License-Identifier: GPL-2.0-or-later
# All scripts begin with this file. With it, they work from the project's folder, explain themselves
# with --help, install what is missing, and stop with one clear line.
set -euo pipefail
script=$(realpath "$0")
script_name=${script##*/}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# Some scripts do one of several things, and their first argument says which: Scripts/bench retag,
# Scripts/test --slurm. script_part is that part's file, parts/SCRIPT/NAME.sh, or empty if there is
# none.
first_argument=${1:-}
script_part=Scripts/parts/$script_name/${first_argument#--}.sh
if [ -f "$script_part" ]; then script_name+=" $first_argument"; else script_part=''; fi

# SwiftPM hands the names of the package's traits to the compiler in the order of a set. Without
# this variable, that order can change each time SwiftPM plans a build, and half of the plans would
# compile everything again.
export SWIFT_DETERMINISTIC_HASHING=1

# The help of a script, or of its part, is the comment that it begins with.
if [[ " $* " =~ \ (-h|--help)\  ]]; then
  sed -n '/^#/!q; /^#!/d; /^# SPDX-/d; s/^# \{0,1\}//p' "${script_part:-$script}"
  exit 0
fi

say() { printf '\033[1m== %s\033[0m\n' "$*"; }

stop() {
  printf '%s: %s\n' "$script_name" "$*" >&2
  exit 1
}

# given PATH: prints the full path of an existing file or folder. A relative PATH is looked up from
# the folder in which the script was called.
given() {
  (cd "$OLDPWD" && realpath -e -- "$1" 2>/dev/null) || stop "$1: there is no such file"
}

# The libraries that Candela is built with.
library_packages=(
  libavformat-dev libavcodec-dev libavfilter-dev libavutil-dev libswscale-dev libswresample-dev
  libx264-dev libx265-dev pkg-config
)

# need_packages PACKAGE…: installs those Debian packages that are missing.
need_packages() {
  local missing=() package
  command -v dpkg-query >/dev/null || stop "this script installs Debian packages, and this system is not Debian; install by hand: $*"
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
      missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  say "installing ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      stop "not root, and no sudo: run as root: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  local log reason
  log=$(new_log apt)
  if ! { "${as_root[@]}" apt-get update &&
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y "${missing[@]}"; } \
    >"$log" 2>&1; then
    reason=$(grep -m 1 '^E:' "$log" || true)
    stop "apt-get could not install ${missing[*]} (is there a network?): $reason; all its messages are in $log"
  fi
}

# new_log NAME: makes an empty log and prints its path. The log stays until there is a new one with
# the same name.
new_log() {
  mkdir -p .build/logs
  : >".build/logs/$1.log"
  printf '%s\n' "$PWD/.build/logs/$1.log"
}

# logged LOG COMMAND…: runs a command, appends its output to a log, and stops if it fails.
logged() {
  local log=$1
  shift
  "$@" >>"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    stop "$1 failed (see above); all its messages are in $log"
  }
}

# need_swift: stops if there is no Swift 6.2 or later.
need_swift() {
  command -v swift >/dev/null ||
    stop "Swift is missing: install 6.3 from https://www.swift.org/install/linux"
  local version
  version=$(swift --version 2>&1) || stop "swift does not run: ${version%%$'\n'*}"
  version=$(sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' <<<"$version")
  if [ "$(printf '%s\n6.2\n' "$version" | sort -V | head -1)" != 6.2 ]; then
    stop "Swift $version is too old: 6.2 or later is needed"
  fi
}

# build_release [OPTION…]: builds the program, with options of swift build, and shows progress; the
# log is shown only if the build fails.
build_release() {
  local log status=0
  log=$(new_log build)
  swift build -c release --product candela "$@" 2>&1 | tee "$log" | show_progress || status=$?
  if [ "$status" -ne 0 ]; then
    cat "$log" >&2
    stop "the build failed (see above, and $log); without a network, packages cannot be fetched"
  fi
}

# find_candela [PROGRAM]: sets candela to that program, or to the one that CANDELA names; without
# either, it makes a release build.
find_candela() {
  local program=${1:-${CANDELA:-}}
  if [ -n "$program" ]; then
    candela=$(given "$program")
    return
  fi
  need_swift
  need_packages "${library_packages[@]}"
  say "building for release (the first time takes a few minutes)"
  build_release
  candela=$(swift build -c release --show-bin-path)/candela
}

# show_progress: on a terminal, shows the latest line that it reads, always in the same place;
# elsewhere, prints a line for each tenth of the steps, and each line that is not a step.
show_progress() {
  local line tenth last=-1
  while read -r line; do
    if [ -t 1 ]; then
      printf '\r%.*s\033[K' "$(($(tput cols 2>/dev/null || echo 80) - 1))" "$line"
    elif [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
      tenth=$((10 * BASH_REMATCH[1] / (BASH_REMATCH[2] + 1)))
      if [ "$tenth" -gt "$last" ]; then printf '   %s\n' "$line"; fi
      last=$((tenth > last ? tenth : last))
    else
      printf '   %s\n' "$line"
    fi
  done
  if [ -t 1 ]; then printf '\r\033[K'; fi
}
