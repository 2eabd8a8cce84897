# SPDX-License-Identifier: GPL-2.0-or-later
# Root file systems of Debian ("roots"), in which commands run as if on a separate machine. Only the
# user root can make them. A script that sources this file first sets `home`, the folder of the
# roots; `release`, such as bookworm; and `keep`, which is 1 to keep the roots, and otherwise 0.

mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' \
  'Created-By: Packages' 'Origin: Debian' | head -1)}
[ -n "$mirror" ] || stop "apt knows no mirror of Debian: name one in DEBIAN_MIRROR"
proxy=''
eval "$(apt-config shell proxy Acquire::http::Proxy)"

mounts=()
finish() {
  local index
  for ((index = ${#mounts[@]} - 1; index >= 0; index--)); do umount -l "${mounts[index]}"; done
  if [ "$keep" = 0 ]; then rm -rf --one-file-system "$home"; fi
}
trap finish EXIT

# bind FOLDER PLACE: mounts a folder of this machine at a place in a root.
bind() {
  mkdir -p "$2"
  mount --bind "$1" "$2"
  mounts+=("$2")
}

# make_root NAME: makes a root of the release, unless it already exists, and mounts what it needs.
make_root() {
  local root=$home/$1
  if [ ! -f "$root/made" ]; then
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    http_proxy=$proxy debootstrap --variant=minbase "$release" "$root" "$mirror" \
      >"$home/debootstrap.log" 2>&1 ||
      stop "debootstrap failed: $(tail -1 "$home/debootstrap.log")"
    touch "$root/made"
  fi
  mount -t proc proc "$root/proc"
  mounts+=("$root/proc")
  # Without /sys, x265 finds no processors and encodes with one thread, which changes the samples.
  mount -t sysfs -o ro sysfs "$root/sys"
  mounts+=("$root/sys")
  bind /dev "$root/dev"
}

# within ROOT COMMAND…: runs a command in a root. Of this machine's environment, it gets only the
# proxy.
within() {
  local root=$1
  shift
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 http_proxy="$proxy" \
    DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}

# add ROOT PACKAGE…: installs packages in a root.
add() {
  within "$1" apt-get install -y --no-install-recommends "${@:2}" >"$home/apt.log" 2>&1 ||
    stop "apt-get failed: $(grep '^E:' "$home/apt.log" | head -1)"
}
