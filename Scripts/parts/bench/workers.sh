# SPDX-License-Identifier: GPL-2.0-or-later
# Measures a transcode with 1, 2, 4 and more workers: wall time, processor time, peak memory of all
# processes, the ratio of the wall time to that of the first number of workers, and how many cores
# are busy, second by second.
#
#   Scripts/bench workers FILE [--preset NAME] [--set KEY=VALUE]… [--workers "1 2 4 8"] [--runs N]
#     [--memory SIZE] [--simulate "CORES …"]
#
#   --workers LIST    the numbers of workers; without it, powers of two up to the number of cores
#   --memory SIZE     the memory that all processes together may take, such as 2G; ends with 1 if
#                     they take more
#   --runs N          how many interleaved runs; their medians count (3); 0 for none
#   --simulate CORES  measures each segment's processor time, and predicts the wall time on this
#                     many cores; the prediction uses the program's own schedule, and the number
#                     of cores that encoders keep busy

input='' options=() list='' runs=3 memory='' simulated=''
simulation=${CANDELA_SIMULATION:-}
while [ $# -gt 0 ]; do
  case $1 in
    --preset | --set) options+=("$1" "$2"); shift 2 ;;
    --workers) list=$2; shift 2 ;;
    --memory) memory=$2; shift 2 ;;
    --runs) runs=$2; shift 2 ;;
    --simulate) simulated=$2; shift 2 ;;
    -*) stop "there is no option $1; see --help" ;;
    *) input=$(given "$1"); shift ;;
  esac
done
[ -n "$input" ] || stop "name a file; see --help"
need_packages python3 time
find_candela
if [ -n "$simulated" ] && [ -z "$simulation" ]; then
  swift build --quiet -c release --product worker-simulation
  simulation=$(swift build -c release --show-bin-path)/worker-simulation
fi
if [ -z "$list" ]; then
  count=1
  while [ "$count" -le "$(nproc)" ]; do
    list+=" $count"
    count=$((count * 2))
  done
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 Scripts/parts/bench/workers.py "$candela" "$input" "$work" "$runs" "$list" "$memory" \
  "$simulated" "$simulation" "${options[@]}"
