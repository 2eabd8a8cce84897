# SPDX-License-Identifier: GPL-2.0-or-later
# The commands of Recipes.md work.
#
# Each block runs in a separate folder, on sample movies. Blocks that need another machine, or would
# change this one, are only parsed.
#
#   Scripts/check recipes [PROGRAM]     without PROGRAM: the one in CANDELA, or a release build
find_candela "${1:-}"
need_packages python3 util-linux jq
python3 -B Scripts/parts/check/recipes.py "$candela"
