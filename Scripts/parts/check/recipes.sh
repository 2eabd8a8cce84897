# SPDX-License-Identifier: GPL-2.0-or-later
# Every command of Recipes.md works: each block runs in a separate folder, on sample movies.
#
#   Scripts/check recipes [PROGRAM]     without PROGRAM: the one in CANDELA, or a release build
find_candela "${1:-}"
need_packages python3 util-linux jq
python3 -B Scripts/parts/check/recipes.py "$candela"
