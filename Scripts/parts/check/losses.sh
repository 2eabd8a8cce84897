# SPDX-License-Identifier: GPL-2.0-or-later
# Outputs lose nothing of their sources except what the plan names.
#
#   Scripts/check losses [--bytes N] [--seconds N] [--keep FOLDER] [FILE|FOLDER]…
#
#   --bytes N      transcodes only files of at most this many bytes (3000000)
#   --seconds N    how long one transcode may take (120); files that take longer are listed
#   --keep FOLDER  keeps outputs, reports and messages there
#   FILE|FOLDER    what to transcode; without these, hdr, sdr and found in ../shared/media
#
# Transcodes files with hevc-match-source, with h264-sdr and as copies, to MOV, MP4 and Matroska,
# and compares each output with its source. Prints what was lost although the plan did not name it,
# and every other run that did not end with 0. Ends with 1 if something was lost or the program
# failed. With --keep, other programs then count the tracks of the outputs: ffprobe, mediainfo,
# mkvmerge and, if PYTHON (python3) has it, PyPI's av. Ends with 1 if these disagree, too.

bytes=3000000 seconds=120 keep='' sources=()
while [ $# -gt 0 ]; do
  case $1 in
    --bytes) bytes=${2:?} && shift 2 ;;
    --seconds) seconds=${2:?} && shift 2 ;;
    --keep) keep=$(cd "$OLDPWD" && realpath -m "${2:?}") && shift 2 ;;
    *) sources+=("$(given "$1")"); shift ;;
  esac
done
if [ ${#sources[@]} -eq 0 ]; then
  [ -d ../shared/media ] || stop "which files? Scripts/check losses FOLDER"
  for folder in hdr sdr found; do sources+=("$(realpath "../shared/media/$folder")"); done
fi

find_candela
work=${keep:-$(mktemp -d)}
mkdir -p "$work"
[ -n "$keep" ] || trap 'rm -rf "$work"' EXIT

speed=video.compressionProperties.speed=ultrafast
declare -A arguments=(
  [match]="--preset hevc-match-source --set $speed"
  [sdr]="--preset h264-sdr --set $speed"
  [copy]='--set video={"codec":"passthrough"}'
)
declare -A meaning=([1]=lost [2]=concealed [64]=usage [65]=refused [66]=missing [69]=unavailable
  [70]=FAILED [74]=FAILED [124]=slow)
declare -A counts
failed=0

# transcode FILE SETTINGS CONTAINER: prints one line, unless there is nothing to say.
transcode() {
  local name status=0 word
  name=$(basename "$1")-$2
  # shellcheck disable=SC2086
  timeout "$seconds" nice "$candela" transcode "$1" "$work/$name.$3" ${arguments[$2]} --overwrite \
    --progress none --compare --report "$work/$name.$3.json" \
    </dev/null >"$work/$name.$3.txt" 2>&1 || status=$?
  word=${meaning[$status]:-$([ "$status" -eq 0 ] && echo done || echo "FAILED")}
  counts[$word]=$((${counts[$word]:-0} + 1))
  case $word in lost | FAILED) failed=1 ;; esac
  if [ "$status" -ne 0 ]; then
    printf '%-9s %3d  %s.%s\n' "$word" "$status" "$name" "$3"
    if [ "$status" -eq 1 ]; then
      grep -a '^candela: lost' "$work/$name.$3.txt" | sed 's/^candela: lost: /             /' || true
    else
      tail -1 "$work/$name.$3.txt" | sed 's/^/             /'
    fi
  fi
  [ -n "$keep" ] || rm -f "$work/$name.$3"*
}

while IFS= read -r file; do
  for settings in match sdr copy; do
    for container in mov mp4 mkv; do transcode "$file" "$settings" "$container"; done
  done
done < <(find "${sources[@]}" -maxdepth 1 -type f -size "-$((bytes + 1))c" \
  ! -name '*.md' ! -name '*.txt' ! -name '*.json' ! -name '*.bin' -printf '%s %p\n' |
  sort -n | cut -d' ' -f2-)

for word in "${!counts[@]}"; do say "${counts[$word]} $word"; done
if [ -n "$keep" ]; then
  need_packages ffmpeg mediainfo mkvtoolnix python3
  find "$work" \( -name '*.mov' -o -name '*.mp4' -o -name '*.mkv' \) -print0 |
    xargs -0 -n 10000 "${PYTHON:-python3}" Scripts/parts/check/losses.py || failed=1
fi
exit $failed
