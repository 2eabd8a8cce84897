# SPDX-License-Identifier: GPL-2.0-or-later
# The service for Immich adds the right copies, on a server that answers like Immich 3.
#
#   Scripts/check immich [PROGRAM]     without PROGRAM: the one in CANDELA, or a release build
find_candela "${1:-}"
need_packages python3
python3 -B Scripts/parts/check/immich.py "$candela"
