# SPDX-License-Identifier: GPL-2.0-or-later
# The service for Immich adds the right copies, with a server that answers like Immich 3.
#
#   Scripts/check immich [PROGRAM]     PROGRAM instead of a release build; CANDELA names one, too
find_candela "${1:-}"
need_packages python3
python3 -B Scripts/parts/check/immich.py "$candela"
