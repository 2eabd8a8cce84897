# SPDX-License-Identifier: GPL-2.0-or-later
# Converts a movie of Dolby Vision profile 5 to SDR, and then the same frames from HDR10, and compares
# medians of wall time, CPU time and peak memory of interleaved runs. Most of the difference is what
# reshaping costs; a little is due to the coded sizes of the two files.
#
#   Scripts/bench reshaping FILE [RUNS]
#
#   FILE   a movie of profile 5; HDR10 with nearly the same colors is made from it first
#   RUNS   runs of each (5)

[ $# -ge 1 ] || stop "name a movie of Dolby Vision profile 5; see --help"
input=$(given "$1")
runs=${2:-5}
need_packages time
find_candela
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$candela" inspect "$input" | grep -q 'Dolby Vision 5' || stop "$1 is not profile 5"
say "making HDR10 of the same frames"
"$candela" transcode "$input" "$work/hdr10.mp4" --quiet --preset hevc-pq --speed superfast --crf 8 \
  --set video.hdrMetadata.dolbyVision=none

sdr=(--overwrite --quiet --preset h264-sdr --workers 1)
for run in $(seq "$runs"); do
  say "run $run of $runs"
  time_run profile5 "$candela" transcode "$input" "$work/out.mp4" "${sdr[@]}"
  time_run hdr10 "$candela" transcode "$work/hdr10.mp4" "$work/out.mp4" "${sdr[@]}"
done
table "to SDR H.264" "profile 5" HDR10 profile5 hdr10
