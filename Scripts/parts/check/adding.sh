# SPDX-License-Identifier: GPL-2.0-or-later
# Adding a codec, curve or other row of a list takes one file and one line, as Adding.md says.
# Made-up rows that were added in this way work in the program's commands.
#
#   Scripts/check adding [NAME]…
#
# Each folder of Scripts/parts/check/adding is one row. Its `patch` adds one file, and one line to
# another file. Its `run.sh` runs commands of a program that has the row. All patches are applied to
# a copy of the package, which is built once. With names, only the commands of those rows are run.
# The copy stays in .build/check-adding, so that the next run builds only what has changed since.

need_swift
need_packages "${library_packages[@]}" ffmpeg

rows=$PWD/Scripts/parts/check/adding
home=$PWD/.build/check-adding
package=$home/package
# Otherwise Git would look for a repository around the copy, and apply patches to that.
export GIT_CEILING_DIRECTORIES=$home

# is_one_line PATCH: fails unless a patch adds one file, and one line to a file that exists.
is_one_line() {
  git apply --numstat --summary "$1" | awk '
    /^ create mode/ { created[$4]; next }
    { added[$3] = $1; removed += $2 }
    END {
      for (file in added) if (file in created) files++; else { lists++; lines += added[file] }
      exit !(files == 1 && lists == 1 && lines == 1 && removed == 0)
    }'
}

# copy_package FOLDER: copies the tracked files of the package as they are now.
copy_package() {
  mkdir -p "$1"
  git ls-files -z | while IFS= read -r -d '' file; do
    if [ -e "$file" ]; then printf '%s\0' "$file"; fi
  done | tar --null --files-from=- --create | tar --extract --directory "$1"
  if [ -e Package.resolved ]; then cp Package.resolved "$1"; fi
}

# update FROM TO: makes the folder TO like the folder FROM. Files that are already the same are not
# touched, so that they are not built again.
update() {
  local file
  while IFS= read -r file; do
    [ -e "$1/$file" ] || [ -L "$1/$file" ] || rm "$2/$file"
  done < <(cd "$2" && find . -path ./.build -prune -o ! -type d -print)
  while IFS= read -r file; do
    cmp -s "$1/$file" "$2/$file" || {
      mkdir -p "$2/$(dirname "$file")"
      cp -P "$1/$file" "$2/$file"
    }
  done < <(cd "$1" && find . ! -type d ! -type l -print)
  while IFS= read -r file; do
    [ -L "$2/$file" ] || {
      mkdir -p "$2/$(dirname "$file")"
      cp -P "$1/$file" "$2/$file"
    }
  done < <(cd "$1" && find . -type l -print)
}

# candela ARGUMENT…: runs the program that has all rows.
candela() { "$program" "$@"; }

# prints TEXT COMMAND…: runs a command and stops unless its output contains the text.
prints() {
  local text=$1 output
  shift
  output=$("$@" 2>&1) || stop "$row: '$*' failed: $output"
  grep -qF -- "$text" <<<"$output" || stop "$row: '$*' should print '$text', but prints: $output"
}

# failing COMMAND…: succeeds if the command fails, for use with prints.
failing() { ! "$@"; }

# pictures FILE: prints the checksum of each frame.
pictures() { ffmpeg -loglevel error -i "$1" -map 0:v -f framemd5 - | grep -v '^#'; }

# is_like ONE OTHER: stops unless the frames of two files are nearly the same.
is_like() {
  local quality
  quality=$(ffmpeg -hide_banner -i "$1" -i "$2" -lavfi '[0:v][1:v]psnr' -f null - 2>&1 |
    sed -n 's/.* average:\([0-9a-z]*\).*/\1/p')
  [ "$quality" = inf ] || [ "${quality:-0}" -ge 30 ] || stop "$row: $2 is not like $1: ${quality:-?} dB"
}

# Settings that make a transcode quick and lossless.
fast=(--set video.compressionProperties.speed=ultrafast --set video.compressionProperties.lossless=true)

say "a copy of the package with a patch for each row"
rm -rf "$home/next"
copy_package "$home/next"
for folder in "$rows"/*; do
  row=$(basename "$folder")
  is_one_line "$folder/patch" || stop "$row: its patch is more than a new file and a line"
  (cd "$home/next" && git apply --unidiff-zero "$folder/patch") || stop "$row: its patch does not fit"
done
mkdir -p "$package"
update "$home/next" "$package"
rm -rf "$home/next"
# The packages that the copy depends on were already fetched for this package.
if [ ! -e "$package/.build" ] && [ -e .build/repositories ]; then
  mkdir "$package/.build"
  cp -a .build/{checkouts,repositories,workspace-state.json} "$package/.build/"
fi

say "building it (the first time takes some minutes)"
log=$(new_log check-adding)
swift build --package-path "$package" --product candela >"$log" 2>&1 || {
  grep -E 'error:' "$log" >&2 || tail -n 20 "$log" >&2
  stop "the copy does not build; see $log"
}
program=$(swift build --package-path "$package" --show-bin-path)/candela

media=$(mktemp -d)
trap 'rm -rf "$media"' EXIT
candela sample "$media/hlg.mov" --seconds 0.2 --size 320x180 --quiet
ffmpeg -loglevel error -f lavfi -i testsrc2=size=320x180:rate=25:duration=0.2 -pix_fmt yuv420p \
  -c:v libx264 -color_primaries bt709 -color_trc bt709 -colorspace bt709 "$media/sdr.mov"
for folder in "$rows"/*; do
  row=$(basename "$folder")
  [[ $# -eq 0 || " $* " == *" $row "* ]] || continue
  say "$row"
  (
    mkdir "$media/$row"
    cd "$media/$row"
    source "$folder/run.sh"
  )
done
