# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the wall time of retagging a movie of 1 GB with that of copying it, from memory and from
# the disk, and prints the peak memory of retagging it from memory. All numbers are medians of
# interleaved runs in changing order. A run ends when its bytes are on the disk; the programs
# themselves are already in memory.
#
#   Scripts/bench retag [RUNS]     runs of each (9)
runs=${1:-9}

need_packages ffmpeg time
find_candela
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say "making a movie of 1 GB: 4K, H.264, 50 Mbit/s"
ffmpeg -v error -f lavfi -i 'testsrc2=s=3840x2160:r=30,noise=alls=12:allf=t' -frames:v 60 \
  -c:v libx264 -preset ultrafast -b:v 50M -pix_fmt yuv420p -y "$work/short.mp4"
size=$(stat -c %s "$work/short.mp4")
ffmpeg -v error -stream_loop $((1000000000 / size)) -i "$work/short.mp4" -c copy -y "$work/in.mp4"
rm "$work/short.mp4"

# measure NAME COMMAND…: measures a run, and adds a line "wall peak" to its results.
measure() {
  local name=$1
  shift
  rm -f "$work/out.mp4"
  sync
  case $name in
    *disk) dd of="$work/in.mp4" oflag=nocache conv=notrunc,fdatasync count=0 status=none ;;
    *) cat "$work/in.mp4" >/dev/null ;;
  esac
  /usr/bin/time -a -o "$work/$name.txt" -f '%e %M' "$@" >/dev/null || stop "$name failed"
}
copy() { measure "copy-$1" sh -c "cp '$work/in.mp4' '$work/out.mp4' && sync '$work/out.mp4'"; }
retag() { measure "retag-$1" "$candela" retag "$work/in.mp4" "$work/out.mp4" --color 709; }

for place in memory disk; do
  # Memory that a machine has not used for a while is slow at first.
  copy warm-up && retag warm-up
  for run in $(seq "$runs"); do
    say "source from $place, run $run of $runs"
    if ((run % 2)); then copy "$place" && retag "$place"; else retag "$place" && copy "$place"; fi
  done
done

printf '\n%-34s %8s %8s %8s\n' "$(stat -c %s "$work/in.mp4") bytes" retag copy ratio
for place in memory disk; do
  copy=$(median "$work/copy-$place.txt" '$1')
  retag=$(median "$work/retag-$place.txt" '$1')
  printf '%-34s %8.2f %8.2f %8.2f\n' "source from $place, wall time (s)" "$retag" "$copy" \
    "$(awk -v a="$retag" -v b="$copy" 'BEGIN { print a / b }')"
done
printf '%-34s %8.0f\n' "peak memory (MiB)" \
  "$(awk -v k="$(median "$work/retag-memory.txt" '$2')" 'BEGIN { print k / 1024 }')"
