#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs a command on a Slurm of one node, this machine, which is gone afterwards: to try a job before a cluster has it. As root, with
# Debian's packages slurmctld, slurmd, slurm-client and munge; nothing in /etc is read or changed:
#
#     bash slurm-one-node.sh sbatch --wait slurm.sh
set -eu
state=$(mktemp -d)
chmod 755 "$state" # munge refuses a socket that others cannot reach
export SLURM_CONF=$state/slurm.conf
mkdir "$state/ctld" "$state/slurmd"
head -c 1024 /dev/urandom >"$state/munge.key"
chmod 600 "$state/munge.key"

host=$(hostname -s)
cat >"$SLURM_CONF" <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
SlurmUser=root
StateSaveLocation=$state/ctld
SlurmdSpoolDir=$state/slurmd
SlurmctldPidFile=$state/slurmctld.pid
SlurmdPidFile=$state/slurmd.pid
# A requeued task waits as long as a credential may be used, by default two minutes.
AuthInfo=socket=$state/munge.socket,cred_expire=5
# Seconds between SIGTERM and SIGKILL.
KillWait=5
# Neither cgroups nor systemd.
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
# Looks for tasks that can start as soon as others have ended.
SchedulerParameters=sched_min_interval=0,sched_interval=1,bf_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=all Nodes=ALL Default=YES
END

daemons=()
end() {
    scancel --user=root 2>/dev/null || true
    kill "${daemons[@]}" 2>/dev/null || true
    wait "${daemons[@]}" 2>/dev/null || true
    rm -rf "$state"
}
trap end EXIT
munged --foreground --key-file="$state/munge.key" --socket="$state/munge.socket" --pid-file="$state/munged.pid" \
    --seed-file="$state/munged.seed" --log-file="$state/munged.log" 2>"$state/munged.err" &
daemons+=($!)
until [ -S "$state/munge.socket" ]; do
    kill -0 "${daemons[0]}" || { cat "$state"/munged.* >&2; exit 1; }
    sleep 0.1
done
slurmctld -D 2>"$state/slurmctld.log" &
daemons+=($!)
slurmd -D 2>"$state/slurmd.log" &
daemons+=($!)
for ((i = 0; ; i++)); do
    sinfo --noheader --states=idle --format=%t 2>/dev/null | grep -q idle && break
    [ $i -lt 100 ] || { cat "$state"/*.log >&2; exit 1; }
    sleep 0.2
done
"$@"
