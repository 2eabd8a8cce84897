# SPDX-License-Identifier: GPL-2.0-or-later
# Converts HDR clips with ffmpeg, HandBrake and Candela, and makes the README's image from the
# results. Also reads the results, for the README's table.
#
#   Scripts/demo peers CLIP…
#       puts side-by-side.jpg, readings.txt and all conversions into .build/demo/peers
#
# Each program makes SDR that every player can show, in the way that its users would choose: ffmpeg
# with libx264 at 8 bits, HandBrake with its preset "Fast 1080p30", Candela with h264-sdr. The image
# has a row for each clip: the first frame of each SDR file, read by ffmpeg without any HDR
# conversion, as a player without HDR shows it. The readings are what ffprobe and exiftool find in
# the clips, in the SDR files, and in an HEVC file that each program makes from each clip.
#
# To use other programs than the installed ones, name them in FFMPEG, FFPROBE, HANDBRAKE and
# CANDELA. The image in the repository was made on Debian 13, with ffmpeg 7.1 and HandBrake 1.9.2.
shift
[ $# -ge 1 ] || stop "name HDR clips: Scripts/demo peers CLIP…"
clips=()
for clip in "$@"; do clips+=("$(given "$clip")"); done

need_packages fonts-dejavu-core libimage-exiftool-perl
[ -n "${FFMPEG:-}" ] || need_packages ffmpeg
[ -n "${HANDBRAKE:-}" ] || need_packages handbrake-cli
ffmpeg=${FFMPEG:-ffmpeg} ffprobe=${FFPROBE:-ffprobe} handbrake=${HANDBRAKE:-HandBrakeCLI}
find_candela
mkdir -p .build/demo/peers
cd .build/demo/peers
ffmpeg_version=$("$ffmpeg" -version | sed -n '1s/^ffmpeg version \([0-9]*\.[0-9]*\).*/\1/p')
handbrake_version=$("$handbrake" --version 2>/dev/null | sed -n 's/^HandBrake \([0-9.]*\).*/\1/p')

# run NAME COMMAND…: makes a file, and prints the command.
run() {
  say "${2##*/} ${*:3}" | sed "s|$clip|${clip##*/}|g"
  "${@:2}" >"$1.log" 2>&1 || stop "the command failed; its messages are in $PWD/$1.log"
}

# panel TEXT: prints the filters that make a panel from a frame. They make its pixels square, cut
# off its lower part and add a label.
panel() {
  printf '%s,' 'scale=360:ceil(ih/iw/sar*180)*2:flags=lanczos' setsar=1 'crop=iw:min(ih\,400):0:0' \
    pad=iw+8:ih+48:4:44:white
  printf 'drawtext=fontfile=%s:text=%s:fontsize=22:x=(w-tw)/2:y=12' \
    /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf "'$1'"
}

# stream FILE ENTRIES: prints in one line what ffprobe says about the video.
stream() {
  "$ffprobe" -v error -select_streams v:0 -show_entries "$2" -of csv=p=0 "$1" |
    sed 's/,*$//' | paste -sd';'
}

# intervals FILE: prints the intervals between frames, in ms, and how often each occurs.
intervals() {
  "$ffprobe" -v error -ignore_editlist 1 -select_streams v:0 -show_entries packet=pts_time \
    -of csv=p=0 "$1" | tr -d , | sort -g |
    awk 'NR > 1 { printf "%.2f\n", 1000 * ($1 - last) } { last = $1 }' | sort -g | uniq -c |
    awk '{ printf "%s%s×%s", (NR > 1 ? ", " : ""), $1, $2 }'
}

# readings FILE: prints what ffprobe and exiftool find in it.
readings() {
  printf '\n%s\n' "${1##*/}"
  printf '  %-12s %s\n' \
    video "$(stream "$1" stream=codec_tag_string,profile,pix_fmt,width,height)" \
    color "$(stream "$1" stream=color_primaries,color_transfer,color_space)" \
    frames "$("$ffprobe" -v error -ignore_editlist 1 -select_streams v:0 -count_packets \
      -show_entries stream=nb_read_packets -of csv=p=0 "$1" | tr -d ,)" \
    intervals "$(intervals "$1")" \
    'side data' "$(stream "$1" stream_side_data=side_data_type,dv_profile,rotation)" \
    tracks "$("$ffprobe" -v error -show_entries stream=codec_type -of csv=p=0 "$1" | tr -d , |
      paste -sd' ')" \
    metadata "$(exiftool -s3 -QuickTime:CreateDate -Keys:CreationDate -Keys:GPSCoordinates \
      -Keys:Model "$1" | paste -sd';')"
}

rm -rf -- *
echo "ffmpeg $ffmpeg_version, HandBrake $handbrake_version, $("$candela" --version | head -1)" >readings.txt
rows=()
for clip in "${clips[@]}"; do
  name=$(basename "${clip%.*}")
  run "$name.1" "$ffmpeg" -y -i "$clip" -c:v libx264 -pix_fmt yuv420p "$name.ffmpeg.mp4"
  run "$name.2" "$handbrake" -i "$clip" -o "$name.handbrake.mp4" --preset "Fast 1080p30"
  run "$name.3" "$candela" transcode "$clip" "$name.candela.mp4" --preset h264-sdr
  run "$name.4" "$ffmpeg" -y -i "$clip" -c:v libx265 -c:a copy "$name.ffmpeg.mov"
  run "$name.5" "$handbrake" -i "$clip" -o "$name.handbrake.mov.mp4" --encoder x265_10bit
  run "$name.6" "$candela" transcode "$clip" "$name.candela.mov" --preset hevc-hlg
  panels=()
  for text in "ffmpeg $ffmpeg_version" "HandBrake $handbrake_version" Candela; do
    program=${text%% *}
    program=${program,,}
    "$ffmpeg" -v error -y -i "$name.$program.mp4" -frames:v 1 -vf "$(panel "$text")" "$name.$program.png"
    panels+=(-i "$name.$program.png")
  done
  "$ffmpeg" -v error -y "${panels[@]}" -filter_complex hstack=3 "$name.png"
  rows+=(-i "$name.png")
  for file in "$clip" "$name".*.m[op]*; do readings "$file"; done >>readings.txt
done
stack=null
if [ ${#clips[@]} -gt 1 ]; then stack=vstack=${#clips[@]}; fi
"$ffmpeg" -v error -y "${rows[@]}" -filter_complex "$stack" -frames:v 1 -q:v 4 side-by-side.jpg
cat readings.txt
say "$PWD/side-by-side.jpg ($(stat -c %s side-by-side.jpg | numfmt --to=si)B) and readings.txt"
