# SPDX-License-Identifier: GPL-2.0-or-later
# Transcodes a movie with Candela and with ffmpeg, both with the same libx265 or libx264 and the
# same parameters, and compares medians of wall time, CPU time and peak memory of interleaved runs.
# Then measures the color core by itself, as Scripts/bench conversion does.
#
#   Scripts/bench [transcode] FILE [RUNS]
#
#   FILE   an HLG movie; a short one is repeated to at least 10 s
#   RUNS   runs of each program (3)

[ $# -ge 1 ] || stop "name an HLG movie: Scripts/bench FILE [RUNS]; --help lists other measurements"
input=$(cd "$OLDPWD" && realpath "$1")
runs=${2:-3}
[ -f "$input" ] || stop "$1: there is no such file, and no such measurement; --help lists them"

need_packages ffmpeg linux-perf time
find_candela
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

seconds=$(ffprobe -v error -show_entries format=duration -of csv=p=0 "$input")
loops=$(awk -v s="$seconds" 'BEGIN { n = int(10 / s + 0.999999); print (n < 1 ? 0 : n - 1) }')
say "repeating $input $loops times"
ffmpeg -v error -y -stream_loop "$loops" -i "$input" -map 0:v:0 -map '0:a:0?' -c copy "$work/in.mp4"

# These are the filters with which users of ffmpeg usually convert HDR to SDR.
chain="zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
for run in $(seq "$runs"); do
  say "run $run of $runs"
  time_run candela "$candela" transcode "$work/in.mp4" "$work/candela.mov" --overwrite \
    --preset hevc-hlg --set video.compressionProperties.speed=veryfast --progress none
  time_run ffmpeg ffmpeg -y -v error -nostdin -noautorotate -i "$work/in.mp4" -map 0:v -map '0:a?' \
    -vsync passthrough -c:v libx265 -preset veryfast -crf 20 \
    -x265-params keyint=250:log-level=none -pix_fmt yuv420p10le -tag:v hvc1 -c:a copy \
    "$work/ffmpeg.mov"
  time_run candela-sdr "$candela" transcode "$work/in.mp4" "$work/candela.mp4" --overwrite \
    --preset h264-sdr --set video.compressionProperties.speed=veryfast \
    --set video.compressionProperties.constantRateFactor=20 --progress none
  time_run ffmpeg-sdr ffmpeg -y -v error -nostdin -noautorotate -i "$work/in.mp4" -map 0:v \
    -map '0:a?' -vsync passthrough -vf "$chain" -c:v libx264 -preset veryfast -crf 20 -g 250 \
    -c:a copy "$work/ffmpeg.mp4"
done

table "HLG → HLG, x265 veryfast" candela ffmpeg candela ffmpeg
table "HLG → SDR, x264 veryfast" candela ffmpeg candela-sdr ffmpeg-sdr

# The color core's share of the CPU time, estimated by sampling where the time is spent.
if perf record -q -e cpu-clock -o "$work/perf.data" "$candela" transcode "$work/in.mp4" \
  "$work/candela.mp4" --overwrite --preset h264-sdr --set video.compressionProperties.speed=veryfast \
  --progress none >/dev/null 2>&1; then
  perf report -i "$work/perf.data" --stdio -F overhead,symbol 2>/dev/null | awk '
    /RowKernels|RowOperations|ColorConversion/ { sum += $1 }
    END { printf "%-28s %10.1f\n", "color conversion (% of CPU)", sum }'
else
  say "perf cannot sample on this machine: no figure for the color core alone"
fi
Scripts/bench conversion "$input" "$runs"
