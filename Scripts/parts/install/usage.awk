# SPDX-License-Identifier: GPL-2.0-or-later
# In a usage text, puts each form of a command on one line, as help2man expects it. From
#
#   USAGE: candela retag INPUT OUTPUT [--color …]
#            [--range …]
#          candela retag --in-place FILE...
#
# it makes
#
#   Usage: candela retag INPUT OUTPUT [--color …] [--range …]
#     or: candela retag --in-place FILE...
/^USAGE: / { sub(/^USAGE/, "Usage"); form = $0; next }
form == "" { print; next }
/^ +candela / { print form; sub(/^ +/, "  or: "); form = $0; next }
/^ / { sub(/^ +/, " "); form = form $0; next }
{ print form; form = ""; print }
END { if (form != "") print form }
