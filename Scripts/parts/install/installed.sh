# SPDX-License-Identifier: GPL-2.0-or-later
# Installs files, and removes what was installed. An installation has a list of what it made. The
# list is written before any file, so that an interruption leaves nothing that --remove does not
# know about. Folders that the installation created are in the list with a slash at the end: "./" is
# the root itself, and "../" the folder that contains the root.

# installed_list ROOT: prints the path of the list.
installed_list() { printf '%s\n' "$1/share/candela/installed"; }

# missing_folders TREE ROOT: prints the folders of TREE that ROOT lacks, each before its parent.
missing_folders() {
  local name path up=./
  (cd "$1" && find . -mindepth 1 -depth -type d -printf '%P/\n') |
    while read -r name; do [ -d "$2/$name" ] || printf '%s\n' "$name"; done
  path=$2
  while [ ! -d "$path" ]; do
    printf '%s\n' "$up"
    path=$(dirname "$path")
    if [ "$up" = ./ ]; then up=../; else up=../$up; fi
  done
}

# write_list ROOT: writes the list, which it reads from standard input.
write_list() {
  local list
  list=$(installed_list "$1")
  mkdir -p "$(dirname "$list")"
  cat >"$list.new"
  mv "$list.new" "$list"
}

# install_tree TREE ROOT: puts each file of TREE below ROOT in one step. Then removes the files that
# only an earlier installation had.
install_tree() {
  local tree=$1 root=$2 list files folders old='' name
  list=$(installed_list "$root")
  mkdir -p "$(dirname "$(installed_list "$tree")")"
  if [ -f "$list" ]; then old=$(cat "$list"); fi
  files=$(cd "$tree" && find . -mindepth 1 ! -type d -printf '%P\n' | sort)
  folders=$( { missing_folders "$tree" "$root"; grep '/$' <<<"$old" || true; } | awk '!seen[$0]++')
  { printf '%s\n' "$files"; grep -v '/$' <<<"$old" || true; printf '%s\n' "$folders"; } |
    awk 'NF && !seen[$0]++' | write_list "$root"
  while read -r name; do
    install -D -m "$(stat -c %a "$tree/$name")" "$tree/$name" "$root/$name.new"
    mv -T "$root/$name.new" "$root/$name"
  done <<<"$files"
  { grep -v '/$' <<<"$old" || true; } | while read -r name; do
    [ -z "$name" ] || grep -qxF -- "$name" <<<"$files" || rm -f "${root:?}/$name"
  done
  printf '%s\n' "$files" "$folders" | awk NF | write_list "$root"
}

# remove_installed ROOT: removes what is in the list, but folders only if nothing else is in them.
remove_installed() {
  local root=$1 list names name
  list=$(installed_list "$root")
  names=$(cat "$list")
  { grep -v '/$' <<<"$names" || true; } | while read -r name; do
    rm -f "${root:?}/$name" "${root:?}/$name.new"
  done
  rm -f "$list"
  { grep '/$' <<<"$names" || true; } | while read -r name; do
    rmdir --ignore-fail-on-non-empty "$(realpath -sm "$root/$name")" 2>/dev/null || true
  done
}
