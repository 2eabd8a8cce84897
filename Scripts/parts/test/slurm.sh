# SPDX-License-Identifier: GPL-2.0-or-later
# Tries the scripts of `candela segments script` with the real engines. One is a Slurm cluster on
# this machine, from Debian's packages, with two nodes of one core each. One node is killed while it
# works. The other engine is GNU parallel over two local hosts. Both outputs have to be the same as
# the output of `transcode --workers 2`. Afterward, everything that was started is stopped, and what
# was installed is removed, unless --keep-packages is given. Has to run as root.
#
#   Scripts/test --slurm [--program FILE] [--keep-packages]

program='' keep=''
while [ $# -gt 0 ]; do
  case $1 in
    --program) program=$2; shift 2 ;;
    --keep-packages) keep=1; shift ;;
    *) stop "there is no option $1; see --help" ;;
  esac
done
[ "$(id -u)" -eq 0 ] || stop "only root can start Slurm's daemons: run this as root"
wanted=(slurm-wlm munge parallel ffmpeg)
new=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || new+=("$package")
done
need_packages "${wanted[@]}"
find_candela "$program"
program=$candela
work=$(mktemp -d)
chmod 755 "$work"
processes=()
clean() {
  for process in "${processes[@]}"; do kill -9 "$process" 2>/dev/null || true; done
  rm -rf "$work"
  if [ -z "$keep" ] && [ ${#new[@]} -gt 0 ]; then
    apt-get purge -y --autoremove "${new[@]}" >/dev/null 2>&1 || true
  fi
}
trap clean EXIT

source=$work/source.mp4
ffmpeg -v error -f lavfi -i testsrc2=size=640x360:rate=30:duration=24 -c:v libx264 \
  -preset veryfast -g 48 "$source"
options=(--set video.compressionProperties.speed=medium
  --set video.compressionProperties.maxKeyFrameInterval=60)
"$program" transcode "$source" "$work/expected.mov" --workers 2 "${options[@]}" --progress none

say "GNU parallel over two local hosts"
job=$work/job-parallel
"$program" segments plan "$source" "$work/parallel.mov" --job "$job" "${options[@]}"
"$program" segments script --engine parallel --job "$job" >"$work/parallel.sh"
# Stands in for ssh, because both hosts are this machine.
cat >"$work/ssh" <<'SSH'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do
  case $1 in -o | -l | -p | -S) shift ;; esac
  shift
done
echo "$1" >>"$(dirname "$0")/hosts"
shift
if [ "$1" = -- ]; then shift; fi
exec sh -c "$*"
SSH
chmod +x "$work/ssh"
sh "$work/parallel.sh" --will-cite --ssh "$work/ssh" --sshlogin 1/one,1/two
[ "$(sort -u "$work/hosts" | wc -l)" -eq 2 ] || stop "parallel did not use both hosts"
cmp "$work/parallel.mov" "$work/expected.mov" || stop "the output of parallel differs"

say "Slurm with two nodes"
host=$(hostname -s)
[ -s /etc/munge/munge.key ] || mungekey --create --force
mkdir -p /run/munge "$work/state" "$work/spool1" "$work/spool2"
chown munge:munge /run/munge /etc/munge/munge.key
if ! pgrep -x munged >/dev/null; then
  runuser -u munge -- munged --force
  # If munged kept running, the package's user could not be removed.
  processes+=("$(cat /run/munge/munged.pid 2>/dev/null || pgrep -nx munged)")
fi
cat >"$work/slurm.conf" <<CONFIGURATION
ClusterName=test
SlurmctldHost=$host
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
SchedulerParameters=batch_sched_delay=1,sched_interval=2
RequeueExit=1
NodeName=one NodeHostname=$host Port=17001 CPUs=1
NodeName=two NodeHostname=$host Port=17002 CPUs=1
PartitionName=all Nodes=one,two Default=YES MaxTime=60 State=UP
CONFIGURATION
export SLURM_CONF=$work/slurm.conf
mkdir -p "$work/spoolone" "$work/spooltwo"
slurmctld -D >/dev/null 2>&1 &
processes+=($!)
for node in one two; do
  slurmd -D -N "$node" >/dev/null 2>&1 &
  processes+=($!)
done
victim=${processes[-1]}
for _ in $(seq 60); do
  if [ "$(sinfo -h -N -t idle -o %n 2>/dev/null | wc -l)" -eq 2 ]; then break; fi
  sleep 1
done
[ "$(sinfo -h -N -t idle -o %n | wc -l)" -eq 2 ] || stop "$(tail -5 "$work"/slurm*.log)"

job=$work/job-slurm
"$program" segments plan "$source" "$work/slurm.mov" --job "$job" "${options[@]}"
"$program" segments script --engine slurm --job "$job" >"$work/slurm.sh"
join=$(sh "$work/slurm.sh" --ntasks=1)
while [ -z "$(squeue -h -t running -w two -o %A)" ]; do sleep 0.2; done
say "a node goes down"
kill -9 "$victim"
for process in $(pgrep -P "$victim"); do kill -9 "$process" 2>/dev/null || true; done
scontrol update NodeName=two State=DOWN Reason=test
sleep 2
slurmd -D -N two >/dev/null 2>&1 &
processes+=($!)
scontrol update NodeName=two State=RESUME
# Wait for the file instead of asking the controller: a busy controller may not answer, and then the
# job would seem to have ended.
for _ in $(seq 300); do
  if [ -s "$work/slurm.mov" ]; then break; fi
  sleep 1
done
[ -s "$work/slurm.mov" ] ||
  stop "the join has not run: $(tail -n 3 "$job"/*.log; tail -n 25 "$work/slurmctld.log")"
cmp "$work/slurm.mov" "$work/expected.mov" || stop "the output of Slurm differs"
say "both engines made the same output as two workers"
