# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the time of `candela compare` with the time that ffmpeg takes to decode both files: wall
# and CPU time, as medians of interleaved runs. The file is transcoded with two presets, one that
# keeps its colors and one that makes SDR, and each output is compared with the file.
#
#   Scripts/bench compare FILE [RUNS]     runs of each (3)
[ $# -ge 1 ] || stop "name a movie: Scripts/bench compare FILE [RUNS]"
clip=$(given "$1")
runs=${2:-3}

need_packages ffmpeg time
find_candela
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

timed() { /usr/bin/time -q -a -o "$work/$1.txt" -f '%e %U' "${@:2}" >/dev/null 2>&1; }
decode() { timed "$1-decode" ffmpeg -v error -i "$2" -i "$3" -map 0:v:0 -f null - -map 1:v:0 -f null -; }

printf '%-20s %10s %10s %8s\n' "seconds, wall (CPU)" compare decode ratio
for preset in hevc-match-source h264-sdr; do
  "$candela" transcode "$clip" "$work/$preset.mov" --preset "$preset" \
    --set video.compressionProperties.speed=ultrafast 2>/dev/null
  for _ in $(seq "$runs"); do
    decode "$preset" "$clip" "$work/$preset.mov"
    # Status 1 only means that the output lost something, which is not a failure here.
    timed "$preset-compare" "$candela" compare "$clip" "$work/$preset.mov" || [ $? -eq 1 ]
  done
  a=$(median "$work/$preset-compare.txt" '$1') b=$(median "$work/$preset-decode.txt" '$1')
  c=$(median "$work/$preset-compare.txt" '$2') d=$(median "$work/$preset-decode.txt" '$2')
  printf '%-20s %10s %10s %8.2f\n' "$preset" "$a ($c)" "$b ($d)" \
    "$(awk -v a="$a" -v b="$b" 'BEGIN { print a / b }')"
done
