#!/bin/sh
# Install what tests/slurm/run.py needs, where that is possible within two minutes; else say why
# not. Always a success: without the packages the test skips with the reason.

limit=120

skip() {
  echo "Slurm not installed: $*" >&2
  exit 0
}

slurm_is_there() {
  PATH=$PATH:/usr/sbin:/sbin
  for program in munged slurmctld slurmd sbatch srun scontrol; do
    command -v "$program" >/dev/null || return 1
  done
}

if slurm_is_there; then
  echo "Slurm is installed already"
  exit 0
fi
[ "$(id -u)" -eq 0 ] || skip "only root can install packages"
command -v apt-get >/dev/null || skip "no apt-get, so not a Debian or Ubuntu"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
begin=$(date +%s)
left() { echo $((limit - $(date +%s) + begin)); }
apt() {
  seconds=$(left)
  [ "$seconds" -gt 0 ] && DEBIAN_FRONTEND=noninteractive timeout "$seconds" \
    apt-get -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=15 "$@" >"$log" 2>&1 </dev/null
}

# The daemons are started by the test itself; packages that start them as services may not be able to.
packages() { apt install -y --no-install-recommends slurm-wlm munge; }

# A list of packages may be there already; fetching it takes the longest.
packages || { apt update && packages; } ||
  skip "apt-get failed, or took more than $limit s: $(tail -n 1 "$log")"
slurm_is_there || skip "the packages do not hold all its programs"
echo "Slurm installed in $(($(date +%s) - begin)) s"
