# SPDX-License-Identifier: GPL-2.0-or-later
# Copies to MOV, MP4 and Matroska have the frames of their sources, bit for bit.
#
#   Scripts/check copies [--bytes N] [--seconds N] [--jobs N] [--make FOLDER] [--keep FOLDER]
#                        [--verbose] [FILE|FOLDER]…
#
#   --bytes N      copies only files of at most this many bytes (20000000)
#   --seconds N    how long one run may take (120); files that take longer are listed
#   --jobs N       how many runs are at work at once (2)
#   --make FOLDER  first writes test files there, for each codec that ffmpeg encodes in software and
#                  each container that takes the codec; these files are copied, too. Files that
#                  are already there stay
#   --keep FOLDER  keeps the outputs there
#   --verbose      prints refusals, too
#   FILE|FOLDER    what to copy; if neither this nor --make is given, ../shared/media and its
#                  folders
#
# Copies files without encoding, and decodes each output and its source with ffmpeg. The frames have
# to be the same whenever the program ends with 0 or 2. Refusals are only counted. A run has failed
# if the program ends with 3, 70 or 74, or by a signal. Prints a table, and lists what failed.

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
