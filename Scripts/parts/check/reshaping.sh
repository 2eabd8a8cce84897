# SPDX-License-Identifier: GPL-2.0-or-later
# Frames of Dolby Vision profile 5 are reshaped as a second program in double precision does it.
#
#   Scripts/check reshaping [--seed N] [--random N] [--keep FOLDER] [FILE|FOLDER]…
#
#   --seed N       where the random numbers begin (1)
#   --random N     how many random RPUs to try (24)
#   --keep FOLDER  keeps the clip and its transcode there
#   FILE|FOLDER    RPUs to try as well, each in a file .bin; without these, those in ../shared/media
#
# Makes a lossless clip of patches with random code values, and gives each frame another RPU: a
# stored one of profile 5, or a random one (polynomials and regressions, fixed and floating point,
# odd matrices). Transcodes the clip to PQ without loss, computes the same with NumPy, and prints
# the largest difference of each frame. Ends with 1 if one is above 0.6 codes of 10 bits.
#
# NumPy is installed once, into the user's cache, unless PYTHON (python3) has it.

seed=1 random=24 keep='' sources=()
while [ $# -gt 0 ]; do
  case $1 in
    --seed) seed=${2:?} && shift 2 ;;
    --random) random=${2:?} && shift 2 ;;
    --keep) keep=$(cd "$OLDPWD" && realpath -m "${2:?}") && shift 2 ;;
    *) sources+=("$(given "$1")"); shift ;;
  esac
done
if [ ${#sources[@]} -eq 0 ] && [ -d ../shared/media ]; then
  for folder in rpu metadata/rpu; do sources+=("$(realpath "../shared/media/$folder")"); done
fi

need_packages ffmpeg python3
find_candela

python=${PYTHON:-python3}
if ! "$python" -c 'import numpy' 2>/dev/null; then
  venv=${XDG_CACHE_HOME:-$HOME/.cache}/candela/numpy
  if [ ! -e "$venv/ready" ]; then
    need_packages python3-venv
    say "installing numpy into $venv"
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet numpy || stop "pip could not install numpy (is there a network?)"
    touch "$venv/ready"
  fi
  python=$venv/bin/python
fi

work=${keep:-$(mktemp -d)}
mkdir -p "$work"
[ -n "$keep" ] || trap 'rm -rf "$work"' EXIT
PYTHONPATH=Scripts/parts "$python" -B Scripts/parts/check/reshaping.py "$candela" "$work" \
  "$seed" "$random" ${sources[@]+"${sources[@]}"} ||
  stop "frames differ from those that were computed (see above)"
