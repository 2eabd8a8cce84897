# SPDX-License-Identifier: GPL-2.0-or-later
# Memory does not grow with a movie's length.
#
#   Scripts/check memory [PROGRAM]     without PROGRAM: the one in CANDELA, or the release build
#
# The build has to be optimized, because without optimization, the program keeps the memory of C
# objects until it ends.

need_packages time

program=${1:-${CANDELA:-}}
if [ -n "$program" ]; then
  program=$(given "$program")
else
  program=$(swift build -c release --show-bin-path)/candela
fi
[ -x "$program" ] || stop "$program: there is no such program; swift build -c release makes it"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# peak SECONDS ARGUMENT…: transcodes a movie of that length, and prints the peak memory in KiB.
peak() {
  local movie=$work/$1.mov
  [ -f "$movie" ] || "$program" sample "$movie" --size 640x360 --seconds "$1"
  shift
  /usr/bin/time -o "$work/peak" -f %M "$program" transcode "$movie" "$work/out.mov" --overwrite \
    --progress none --workers 1 "$@" || stop "transcode $* failed"
  cat "$work/peak"
}

for arguments in "hevc-match-source video.codec=passthrough" \
  "h264-sdr video.compressionProperties.speed=ultrafast"; do
  read -r preset change <<<"$arguments"
  short=$(peak 4 --preset "$preset" --set "$change")
  long=$(peak 40 --preset "$preset" --set "$change")
  say "memory of $preset, $change: $((short / 1024)) MiB for 4 s, $((long / 1024)) MiB for 40 s"
  [ "$long" -le $((short + 32 * 1024)) ] || stop "memory grows with the movie's length"
done
