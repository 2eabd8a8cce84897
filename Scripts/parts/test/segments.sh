# SPDX-License-Identifier: GPL-2.0-or-later
# Checks that outputs do not show that they were made in segments. An output has to be the same,
# byte for byte, with any number of workers, after its segments were encoded by hand in any order,
# and after the run was killed and resumed. The output of a single process has to have the same
# frame times, the same RPUs if they are kept from the source, and nearly the same size and PSNR.
#
#   Scripts/test --segments [--kills N] [--only NAME] [--program FILE] [--media FOLDER]
#                           [--keep FOLDER]
#
#   --kills N        how many runs are killed in all, in the five cases that kill any (50)
#   --only NAME      only cases whose name contains this
#   --media FOLDER   where androidx__sample_edit_list.mp4 is; without it, three cases are left out
#   --keep FOLDER    makes the files in this folder, and keeps them

kills=50 only='' program='' media=../shared/media/hdr work=''
while [ $# -gt 0 ]; do
  case $1 in
    --kills) kills=$2 ;;
    --only) only=$2 ;;
    --program) program=$2 ;;
    --media) media=$(cd "$OLDPWD" && realpath -m "$2") ;;
    --keep) work=$(cd "$OLDPWD" && realpath -m "$2") ;;
    *) stop "there is no option $1; see --help" ;;
  esac
  shift 2
done
need_packages ffmpeg bc
find_candela "$program"
program=$candela
if [ -z "$work" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
RANDOM=15

encode=(--set video.compressionProperties.speed=ultrafast
  --set video.compressionProperties.maxKeyFrameInterval=60 --progress none --overwrite)

# make NAME COMMAND…: makes a source, unless it already exists. Prints the command's messages only
# if it fails.
make() {
  local file=$work/$1
  shift
  [ -s "$file" ] || "$@" "$file" 2>"$work/make.log" || stop "$(cat "$work/make.log")"
}
pictures() { # RATE SECONDS: prints ffmpeg's source of a moving test pattern
  echo "testsrc2=size=270x480:rate=$1:duration=$2"
}
sources() {
  make hlg.mov "$program" sample --size 270x480 --seconds 24 --overwrite
  make sdr.mp4 ffmpeg -v error -y -f lavfi -i "$(pictures 30 24)" -f lavfi \
    -i sine=duration=24 -c:v libx264 -preset veryfast -g 45 -c:a aac
  make reordered.mp4 ffmpeg -v error -y -f lavfi -i "$(pictures 25 24)" -c:v libx264 \
    -preset medium -g 70 -bf 5 -x264-params open-gop=1:b-pyramid=normal
  make open.mkv ffmpeg -v error -y -f lavfi -i "$(pictures 25 24)" -c:v libx265 -preset veryfast \
    -x265-params log-level=none:open-gop=1:keyint=50:bframes=4
  make variable.mp4 ffmpeg -v error -y -f lavfi -i "$(pictures 50 24)" \
    -vf "select='not(eq(mod(n\,5)\,1))*not(eq(mod(n\,7)\,3))'" -fps_mode vfr -c:v libx264 \
    -preset veryfast -g 60
  make onesync.mp4 ffmpeg -v error -y -f lavfi -i "$(pictures 25 24)" -c:v libx264 \
    -preset veryfast -g 100000 -keyint_min 100000 -sc_threshold 0
  make stream.ts ffmpeg -v error -y -f lavfi -i "$(pictures 25 24)" -c:v libx264 \
    -preset veryfast -g 50
  make interlaced.mov ffmpeg -v error -y -f lavfi -i "$(pictures 25 12)" -c:v libx264 \
    -preset veryfast -g 50 -flags +ildct+ilme -x264-params tff=1
  local clip=$media/androidx__sample_edit_list.mp4
  if [ -f "$clip" ] && [ ! -s "$work/phone.mov" ]; then
    ffmpeg -v error -y -stream_loop 8 -i "$clip" -map 0:v:0 -map 0:a:0 -c copy -t 24 \
      "$work/loop.mov"
    "$program" transcode "$work/loop.mov" "$work/phone.mov" --overwrite \
      --set video.codec=passthrough 2>/dev/null
  fi
}

same() { cmp -s "$1" "$2" || stop "$(basename "$1") and $(basename "$2") differ"; }
segment_count() { sed -n 's/^ *"count" : \([0-9]*\).*/\1/p' "$1"; }
reused_count() { sed -n 's/^ *"reused" : \([0-9]*\).*/\1/p' "$1"; }

# by_hand SOURCE OUTPUT: plans a job, encodes the segments in a shuffled order, one of them twice,
# and joins them.
by_hand() {
  local source=$1 output=$2 job=$work/job count number
  shift 2
  rm -rf "$job"
  "$program" segments plan "$source" "$output" --job "$job" "${options[@]}" >"$work/plan.txt"
  count=$("$program" segments status --job "$job" --json | segment_count /dev/stdin)
  for number in $(seq 0 $((count - 1)) | shuf --random-source=<(yes)); do
    "$program" segments encode --job "$job" "$number"
  done
  "$program" segments encode --job "$job" 0
  "$program" segments join --job "$job" --overwrite --remove --progress none
  [ ! -e "$job" ] || stop "$job was not removed"
}

done_count() { { find "$1" -name '*.segment' 2>/dev/null || true; } | wc -l; }

# killed SOURCE OUTPUT COUNT: kills COUNT runs, resumes each, and counts the reused segments.
killed() {
  local source=$1 output=$2 reused report=$work/report.json wanted done_before
  local folder
  folder=$(dirname "$output")/.$(basename "$output").candela-job
  for _ in $(seq "$3"); do
    rm -f "$output"
    "$program" transcode "$source" "$output" --workers 2 "${encode[@]}" "${options[@]}" \
      2>/dev/null &
    local process=$!
    # Waits until some segments are done, and then a little longer.
    wanted=$((RANDOM % count))
    while kill -0 "$process" 2>/dev/null && [ "$(done_count "$folder")" -lt "$wanted" ]; do
      sleep 0.02
    done
    sleep "0.$((RANDOM % 60 + 10))"
    kill -9 "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
    # Workers end once their standard input has ended.
    sleep 0.3
    done_before=$(done_count "$folder")
    "$program" transcode "$source" "$output" --workers 3 --report "$report" "${encode[@]}" \
      "${options[@]}" 2>/dev/null
    reused=$(reused_count "$report")
    [ "$done_before" -eq 0 ] || [ "$reused" -ge 1 ] || [ ! -s "$output" ] ||
      stop "$done_before segments were done, but none was reused"
    [ ! -e "$folder" ] || stop "$folder was not removed"
    same "$output" "$first"
    all_reused=$((all_reused + reused))
  done
}

times() { ffprobe -v error -select_streams v:0 -show_entries packet=pts,duration -of csv "$1" | sort; }
psnr() { # OUTPUT REFERENCE: prints the PSNR of luma, in dB
  local size
  size=$(ffprobe -v error -select_streams v:0 -show_entries stream=width,height -of csv=p=0:s=x "$1" |
    grep -oEm 1 '^[0-9]+x[0-9]+')
  ffmpeg -v info -noautorotate -i "$1" -noautorotate -i "$2" -lavfi \
    "[0:v:0]setpts=N[a];[1:v:0]setpts=N,scale=${size}[b];[a][b]psnr" -f null - 2>&1 |
    sed -n 's/.*PSNR y:\([^ ]*\).*/\1/p'
}

# lowest_fullness FILE RATE SIZE: simulates a decoder's buffer that frames leave at the file's
# decode times. Prints how full the buffer is at its lowest, as a share of its size. RATE is in
# thousands of bits a second, SIZE in thousands of bits.
lowest_fullness() {
  ffprobe -v error -select_streams v:0 -show_entries packet=dts_time,size -of csv=p=0 "$1" |
    awk -F, -v rate="$2" -v size="$3" 'BEGIN { full = 0.9 * size; lowest = 1 }
      NR > 1 { full += ($1 - before) * rate; if (full > size) full = size }
      { before = $1; full -= $2 * 8 / 1000; if (full / size < lowest) lowest = full / size }
      END { printf "%.3f", lowest }'
}

# test_case NAME SOURCE PRESET EXTENSION KILLS OPTION…: makes outputs in segments in all of the ways
# above, and compares them with the output of a single process.
test_case() {
  local name=$1 source=$work/$2 preset=$3 extension=$4 kill_count=$5
  shift 5
  [[ $name == *$only* ]] || return 0
  [ -s "$source" ] || { echo "$name: left out, there is no $source"; return 0; }
  options=(--preset "$preset" "$@" --set video.compressionProperties.speed=ultrafast
    --set video.compressionProperties.maxKeyFrameInterval=60)
  local workers count all_reused=0
  first=$work/$name-2.$extension
  for workers in 2 3 7; do
    "$program" transcode "$source" "$work/$name-$workers.$extension" --workers "$workers" \
      --report "$work/report.json" "${encode[@]}" "${options[@]}" 2>"$work/stderr.txt" ||
      stop "$name: $(cat "$work/stderr.txt")"
    same "$work/$name-$workers.$extension" "$first"
  done
  count=$(segment_count "$work/report.json")
  by_hand "$source" "$work/$name-hand.$extension"
  same "$work/$name-hand.$extension" "$first"
  killed "$source" "$work/$name-killed.$extension" "$kill_count"
  [ "$kill_count" -lt 3 ] || [ "$count" -eq 1 ] || [ "$all_reused" -gt 0 ] ||
    stop "$name: $kill_count runs were killed, and no segment was reused"
  "$program" transcode "$source" "$work/$name-one.$extension" --workers 1 "${encode[@]}" \
    "${options[@]}" 2>/dev/null
  local one=$work/$name-one.$extension
  cmp -s <(times "$first") <(times "$one") || stop "$name: the frame times differ"
  local size size_one
  size=$(stat -c %s "$first") size_one=$(stat -c %s "$one")
  "$program" validate --all "$first" >"$work/validate.txt" || stop "$name: $(grep -v pass "$work/validate.txt")"
  if [ "$extension" = mov ] && grep -q 'pass  RPU in every frame' "$work/validate.txt"; then
    "$program" rpu extract "$first" "$work/a.bin" --overwrite
    "$program" rpu extract "$one" "$work/b.bin" --overwrite
    cmp -s "$work/a.bin" "$work/b.bin" && rpus=', same RPUs' || rpus=', RPUs measured anew'
  else
    rpus=''
  fi
  # A decoder's buffer with the rate and size of these settings must not run empty.
  local buffer='' least=-0.05
  if [[ "$*" =~ vbv-maxrate\":\"([0-9]+)\",\"vbv-bufsize\":\"([0-9]+) ]]; then
    buffer=$(lowest_fullness "$first" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}")
    [ "$(bc <<<"$buffer >= 0")" = 1 ] || missed+=("$name: the buffer runs empty: $buffer")
    buffer=", buffer at least $buffer"
    # If the rate is limited, frames after a seam get fewer bits.
    least=-0.5
  fi
  local more gain
  more=$(bc <<<"scale=4; 100 * ($size - $size_one) / $size_one")
  gain=$(bc <<<"scale=3; $(psnr "$first" "$source") - $(psnr "$one" "$source")")
  printf '%-22s %2d segments  %+.2f %% bytes  %+.3f dB  %d reused%s\n' "$name" "$count" "$more" \
    "$gain" "$all_reused" "$rpus$buffer"
  [ "$(bc <<<"$more <= 1")" = 1 ] || missed+=("$name: $more % larger than from a single process")
  [ "$(bc <<<"$gain >= $least")" = 1 ] || missed+=("$name: $gain dB compared with a single process")
  # If frames keep their size, the RPUs are those of the source.
  [ "$name" != phone-whole ] || [ "$rpus" = ', same RPUs' ] || stop "$name: the RPUs differ"
}

sources
missed=()
small=(--set video.width=270)
each=$(((kills + 4) / 5))
test_case phone-hevc phone.mov hevc-match-source mov "$each" "${small[@]}"
test_case phone-whole phone.mov hevc-match-source mov 0
test_case phone-h264 phone.mov h264-sdr mp4 "$each" "${small[@]}"
test_case hlg-hevc hlg.mov hevc-hlg mov "$each"
test_case hlg-h264 hlg.mov h264-sdr mp4 0
test_case sdr-hevc sdr.mp4 hevc-match-source mp4 "$each"
test_case sdr-h264 sdr.mp4 h264-sdr mp4 "$each"
test_case reordered reordered.mp4 h264-sdr mp4 0
test_case open-gop open.mkv hevc-match-source mov 0
test_case variable-rate variable.mp4 h264-sdr mp4 0
test_case one-sync onesync.mp4 h264-sdr mp4 0
test_case stream stream.ts hevc-match-source mp4 0
test_case interlaced interlaced.mov h264-sdr mp4 0 --set video.deinterlace=auto
test_case composition sdr.mp4 h264-sdr mp4 0 --set video.composition.crop.width=200 \
  --set video.composition.crop.height=400 --set video.composition.crop.x=10 \
  --set video.composition.crop.y=10
test_case range sdr.mp4 h264-sdr mp4 0 --from 3.01 --to 20.5
test_case range-ts stream.ts hevc-match-source mp4 0 --from 100f --to 550f
test_case lossless hlg.mov hevc-match-source mov 0 --set video.compressionProperties.lossless=true
test_case light hlg.mov hevc-match-source mov 0 --set video.compressionProperties.contentLightLevel=measure
tight='video.compressionProperties.encoderOptions={"vbv-maxrate":"400","vbv-bufsize":"400"}'
test_case buffer-hevc sdr.mp4 hevc-match-source mp4 0 --set "$tight"
test_case buffer-h264 sdr.mp4 h264-sdr mp4 0 --set "$tight"
for text in "${missed[@]}"; do echo "$script_name: $text" >&2; done
[ ${#missed[@]} -eq 0 ] || exit 1
