# SPDX-License-Identifier: GPL-2.0-or-later
# Dolby Vision 8.4 movies keep each frame's RPU and HDR metadata.
#
#   Scripts/check dolby-vision FILE…
#
# Transcodes each file to HEVC in HLG, as MOV and as MP4. Then compares what the FFmpeg in PyPI's
# `av` reads from each frame of the output and of the source: Dolby Vision level 1 and the whole
# RPU, ambient viewing environment, mastering display, content light level. Prints a line for each
# output and fails if one differs.
#
# The package is installed once, into the user's cache; nothing of it is part of Candela.

[ $# -gt 0 ] || stop "which movies? Scripts/check dolby-vision FILE…"
sources=()
for name in "$@"; do sources+=("$(given "$name")"); done

need_packages python3 python3-venv
find_candela

venv=${XDG_CACHE_HOME:-$HOME/.cache}/candela/av-18.1.0
if [ ! -e "$venv/ready" ]; then
  say "installing av into $venv"
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet av==18.1.0 || stop "pip could not install av (is there a network?)"
  touch "$venv/ready"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pairs=()
for source in "${sources[@]}"; do
  for container in mov mp4; do
    output=$work/$(basename "$source").$container
    "$candela" transcode "$source" "$output" --preset hevc-hlg --progress none \
      --set video.compressionProperties.speed=ultrafast || stop "$source could not be transcoded"
    pairs+=("$source" "$output")
  done
done

say "comparing"
"$venv/bin/python" Scripts/parts/check/dolby-vision.py "${pairs[@]}" || stop "metadata differ from the source's"
