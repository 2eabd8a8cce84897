# SPDX-License-Identifier: GPL-2.0-or-later
# ColorScience agrees with colour-science, an independent implementation in Python.
#
#   Scripts/check color-science
#
# Compares every curve in both directions, the light that HLG and BT.1886 displays show, every pair
# of primaries and every matrix code point. Prints the largest differences, and fails if one is
# above its bound.
#
# The package is installed once, into the user's cache; nothing of it is part of Candela.
need_swift
need_packages "${library_packages[@]}" python3 python3-venv

venv=${XDG_CACHE_HOME:-$HOME/.cache}/candela/colour-science-0.4.7
if [ ! -e "$venv/ready" ]; then
  say "installing colour-science into $venv"
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet colour-science==0.4.7 numpy ||
    stop "pip could not install colour-science (is there a network?)"
  touch "$venv/ready"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say "writing the numbers of ColorScience"
if ! CANDELA_COLOR_TABLE="$work/table.txt" swift test --filter ColorTableTests >"$work/log" 2>&1; then
  cat "$work/log" >&2
  stop "the test that writes the numbers failed (see above)"
fi

say "comparing with colour-science"
"$venv/bin/python" -W ignore Scripts/parts/check/color-science.py "$work/table.txt" \
  2>"$work/warnings" || {
  tail -5 "$work/warnings" >&2
  stop "a difference is above its bound, or the comparison failed (see above)"
}
