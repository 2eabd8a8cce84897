# SPDX-License-Identifier: GPL-2.0-or-later
# A segment is the same to the bit in every run, even while other runs keep the machine busy.
#
#   Scripts/check determinism [--runs N] [--program FILE] [SOURCE]
#
#   --runs N         how many runs of each preset, some of them side by side (50)
#   --program FILE   the program; without it, the one in CANDELA, or a release build
#   SOURCE           a file of a few seconds; without one, a test movie

runs=50 program='' source=''
while [ $# -gt 0 ]; do
  case $1 in
    --runs) runs=$2; shift 2 ;;
    --program) program=$2; shift 2 ;;
    -*) stop "there is no option $1; see --help" ;;
    *) source=$(given "$1"); shift ;;
  esac
done
need_packages ffmpeg python3
find_candela "$program"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "$source" ]; then
  source=$work/source.mp4
  ffmpeg -v error -f lavfi -i testsrc2=size=480x270:rate=30:duration=10 -c:v libx264 \
    -preset veryfast -bf 3 -g 48 "$source"
fi

# samples FILE: prints the digest of a segment's samples, without the facts at the segment's end.
samples() {
  python3 - "$1" <<'PYTHON'
import hashlib, struct, sys
data = open(sys.argv[1], "rb").read()
_, facts = struct.unpack("<II", data[-40:-32])
print(hashlib.sha256(data[:len(data) - 40 - facts]).hexdigest())
PYTHON
}

for preset in hevc-match-source h264-sdr; do
  for index in $(seq "$runs"); do
    # How many runs are at work at once varies; each has one to eight decoding threads.
    "$candela" segments plan "$source" "$work/out.mov" --preset "$preset" --job "$work/job-$index" \
      --set video.compressionProperties.speed=veryfast \
      --set video.compressionProperties.maxKeyFrameInterval=60 >/dev/null
    "$candela" segments encode --job "$work/job-$index" 1 \
      --decoder-threads $((1 + index % 8)) &
    if [ $((index % (1 + index / 2 % 8))) -eq 0 ]; then wait; fi
  done
  wait
  count=$(for index in $(seq "$runs"); do
    samples "$work/job-$index/segment-00001.segment"
  done | sort -u | wc -l)
  [ "$count" -eq 1 ] || stop "$preset: $count different segments in $runs runs"
  echo "$preset: $runs of $runs runs are equal"
  rm -rf "$work"/job-*
done
