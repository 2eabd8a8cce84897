# SPDX-License-Identifier: GPL-2.0-or-later
# Copies to MOV, MP4 and Matroska have the frames of their sources, bit for bit.
#
#   Scripts/check copies [--bytes N] [--seconds N] [--jobs N] [--make FOLDER] [--keep FOLDER]
#                        [--verbose] [FILE|FOLDER]…
#
#   --bytes N      files of at most this many bytes (20000000)
#   --seconds N    how long one run may take (120); files that take longer are listed
#   --jobs N       how many run at once (2)
#   --make FOLDER  writes files there first, with every codec that ffmpeg encodes in every container
#                  that takes it, and copies them, too; files that are already there stay
#   --keep FOLDER  keeps the outputs there
#   --verbose      prints refusals, too
#   FILE|FOLDER    without these and --make, ../shared/media and its folders
#
# Copies files without encoding, and decodes each output and its source with ffmpeg. The frames have
# to be the same whenever the program ends with 0 or 2. Refusals are only counted. A run has failed
# if the program ends with 3, 70 or 74, or by a signal. Prints a table and what failed.

arguments=() previous='' sources=0
for argument in "$@"; do
  case $previous in
    --make) argument=$(cd "$OLDPWD" && realpath -m "$argument") && sources=1 ;;
    --keep) argument=$(cd "$OLDPWD" && realpath -m "$argument") ;;
    --bytes | --seconds | --jobs) ;;
    *)
      if [[ $argument != --* ]]; then
        argument=$(given "$argument")
        sources=1
      fi
      ;;
  esac
  arguments+=("$argument")
  previous=$argument
done
if [ "$sources" -eq 0 ]; then
  [ -d ../shared/media ] || stop "which files? Scripts/check copies FOLDER"
  arguments+=("$(realpath ../shared/media)")
fi

need_packages ffmpeg python3
find_candela
export CANDELA=$candela
PYTHONPATH=Scripts/parts/check PYTHONDONTWRITEBYTECODE=1 exec python3 -m copies "${arguments[@]}"
