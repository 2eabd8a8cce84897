# SPDX-License-Identifier: GPL-2.0-or-later
# The service for Immich adds right copies, against a server that answers as Immich 3 does.
#
#   Scripts/check immich [PROGRAM]     PROGRAM instead of a release build; CANDELA names one, too
find_candela "${1:-}"
need_packages python3
python3 -B Scripts/parts/check/immich.py "$candela"
