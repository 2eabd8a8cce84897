# SPDX-License-Identifier: GPL-2.0-or-later
# Audio of each codec comes through in each container, and is heard when it was.
#
#   Scripts/check audio
#
# Makes a clip with each codec of audio, transcodes it to MOV, MP4 and Matroska, and prints what
# becomes of the audio, as the documentation shows it; then how many samples later it is beside the
# frames, and by how many it is longer, as ffmpeg decodes both: found by cross-correlation. After
# that the same for each codec that a preset can ask for. Ends with 1 where an offset is more than a
# sample, or than half a millisecond of Matroska's clock.

need_packages ffmpeg python3 python3-numpy
find_candela
CANDELA=$candela exec python3 Scripts/parts/check/audio.py
