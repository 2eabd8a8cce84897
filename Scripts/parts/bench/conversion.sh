# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the color core with ffmpeg's zscale and scale on 10-bit 4:2:0 frames of 3840×2160 pixels.
# Prints millions of pixels per second, on one core and on all.
#
#   Scripts/bench conversion [FILE] [RUNS]
#
#   FILE   an HLG movie to take frames from; without one, gradients are drawn
#   RUNS   runs of each program (3)
#
# The color core and ffmpeg work on frames in memory. The time that ffmpeg takes to start does not
# count, because the time for 20 frames is subtracted from the time for 80. Figures are medians of
# interleaved runs. On one core, processor time is measured, because other programs hardly change
# it.
input=${1:-}
[ -z "$input" ] || input=$(cd "$OLDPWD" && realpath "$input")
runs=${2:-3}

need_swift
need_packages "${library_packages[@]}" ffmpeg
say "building for release"
swift build --quiet -c release --product conversion-bench
bench=$(swift build -c release --show-bin-path)/conversion-bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

frames=$work/frames.yuv
if [ -n "$input" ]; then
  ffmpeg -v error -i "$input" -vf 'thumbnail=20,scale=3840:2160:flags=lanczos,format=yuv420p10le' \
    -frames:v 3 -vsync 0 -f rawvideo -y "$frames"
else
  ffmpeg -v error -f lavfi -i 'gradients=s=3840x2160:n=5:seed=7,format=gbrp,scale=out_color_matrix=bt2020,format=yuv420p10le' \
    -frames:v 3 -f rawvideo -y "$frames"
fi

hlg=color_primaries=bt2020:color_trc=arib-std-b67:colorspace=bt2020nc:range=tv
wide=color_primaries=bt2020:color_trc=bt2020-10:colorspace=bt2020nc:range=tv
p3=color_primaries=smpte432:color_trc=bt709:colorspace=bt709:range=tv
sd=color_primaries=bt709:color_trc=bt709:colorspace=bt470bg:range=tv
hd=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv
to709=zscale=p=bt709:t=bt709:m=bt709:r=tv
chain="zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
# Each row is a conversion, with Candela's name for it, the source's tags, ffmpeg's filters and a
# description.
rows=(
  "hlg-sdr|$hlg|$chain|HLG → 709, tone and gamut mapped"
  "hlg-709|$hlg|$to709,format=yuv420p|HLG → 709, clipped"
  "2020-709|$wide|$to709,format=yuv420p10le|2020 → 709"
  "p3-709|$p3|$to709,format=yuv420p10le|P3 → 709"
  "hlg-pq|$hlg|zscale=t=smpte2084,format=yuv420p10le|HLG → PQ"
  "matrix|$sd|zscale=m=bt709,format=yuv420p10le|matrix, zscale"
  "range|$hd|zscale=r=pc,format=yuv420p10le|range, zscale"
  "range|$hd|scale=in_range=tv:out_range=pc,format=yuv420p10le|range, swscale"
  "depth|$hd|zscale=d=none,format=yuv420p|depth, zscale"
)

# peer PREFIX TAGS FILTERS COUNT: prints the seconds that ffmpeg takes for COUNT frames.
peer() {
  local TIMEFORMAT='%R %U %S'
  {
    time $1 ffmpeg -v error -nostdin -f rawvideo -pix_fmt yuv420p10le -s 3840x2160 -r 30 \
      -i "$frames" -vf "loop=loop=-1:size=3,setparams=$2,$3" -frames:v "$4" -f null -
  } 2>&1 | awk -v cores="$cores" '{ print cores == "one" ? $2 + $3 : $1 }'
}

need_packages bc
printf '\n%-34s %9s %9s %7s\n' "million pixels a second" candela ffmpeg ratio
for cores in one all; do
  prefix=""
  [ "$cores" = all ] || prefix="taskset -c 0"
  echo "on $cores core$([ $cores = one ] || echo s)"
  for row in "${rows[@]}"; do
    IFS='|' read -r name tags filters title <<<"$row"
    : >"$work/ours" && : >"$work/theirs"
    for _ in $(seq "$runs"); do
      $prefix "$bench" "$frames" 1 "$name" |
        awk -v cores="$cores" '{ print cores == "one" ? $3 : $2 }' >>"$work/ours"
      few=$(peer "$prefix" "$tags" "$filters" 20)
      many=$(peer "$prefix" "$tags" "$filters" 80)
      echo "($many - $few) * 1000 / 60" | bc -l >>"$work/theirs"
    done
    awk -v a="$(median "$work/ours" '$1')" -v b="$(median "$work/theirs" '$1')" -v t="$title" \
      'BEGIN { p = 3840 * 2160 / 1000; printf "  %-32s %9.0f %9.0f %7.2f\n", t, p / a, p / b, b / a }'
  done
done
