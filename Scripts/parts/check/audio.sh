# SPDX-License-Identifier: GPL-2.0-or-later
# Audio of each codec comes through in each container, and is still heard at the same time.
#
#   Scripts/check audio
#
# Makes a clip with each codec of audio, transcodes it to MOV, MP4, Matroska and WebM, and decodes
# the clip and the outputs with ffmpeg. Prints two tables. The first says what becomes of the audio,
# as the documentation does. The second says how many samples later the output's audio is heard,
# relative to the frames, and how many samples longer it is. The offset is found by
# cross-correlation. After that, does the same for codecs that a preset asks for, some of which WebM
# refuses. An offset may be one sample, plus half a millisecond for each time stamp that Matroska
# rounds. If an offset is larger, the script ends with 1.

need_packages ffmpeg python3 python3-numpy
find_candela
CANDELA=$candela exec python3 Scripts/parts/check/audio.py
