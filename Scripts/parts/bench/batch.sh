# SPDX-License-Identifier: GPL-2.0-or-later
# Measures a batch with several numbers of jobs: wall time, processor time, and the wall time that
# a model predicts. The model knows the processor time of each file when it runs alone, how much
# that grows while all cores are busy and how much a file waits then, and the processor time of the
# batch with the first number of jobs.
#
#   Scripts/bench batch FOLDER [--preset NAME] [--set KEY=VALUE]… [--jobs "1 2"] [--runs N]
#     [--simulate "CORES …"]
#
#   --jobs LIST       the numbers of jobs; without it, 1 and the number of cores
#   --runs N          how many interleaved runs; their medians count (3)
#   --simulate CORES  predicts the wall time on this many cores, with one job for each core

input='' options=() list='' runs=3 simulated=''
while [ $# -gt 0 ]; do
  case $1 in
    --preset | --set) options+=("$1" "$2"); shift 2 ;;
    --jobs) list=$2; shift 2 ;;
    --runs) runs=$2; shift 2 ;;
    --simulate) simulated=$2; shift 2 ;;
    -*) stop "there is no option $1; see --help" ;;
    *) input=$(given "$1"); shift ;;
  esac
done
[ -n "$input" ] || stop "name a folder; see --help"
need_packages python3
find_candela
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 Scripts/parts/bench/batch.py "$candela" "$input" "$work" "$runs" "${list:-1 $(nproc)}" \
  "$simulated" "${options[@]}"
