# SPDX-License-Identifier: GPL-2.0-or-later
# Audio of each codec comes through in each container, and is still heard at the same time.
#
#   Scripts/check audio
#
# Makes a clip with each codec of audio, transcodes it to MOV, MP4 and Matroska, and prints what
# becomes of the audio, as the documentation shows it; then how many samples later it is relative to
# the frames (found by cross-correlation), and how many samples longer, as ffmpeg decodes both.
# After that it does the same for each codec that a preset can ask for. Ends with 1 if an offset is
# more than one sample plus half a millisecond for each time that Matroska rounds.

need_packages ffmpeg python3 python3-numpy
find_candela
CANDELA=$candela exec python3 Scripts/parts/check/audio.py
