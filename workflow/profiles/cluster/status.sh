#!/bin/sh
# Print what Snakemake wants to know of the Slurm job with number $1: running, success or failed.
# Asks the controller, because not every site has an accounting database.

if ! job=$(LC_ALL=C scontrol --oneliner show job "$1" 2>&1); then
  case $job in
    # The controller forgets a job MinJobAge (300 s) after its end, so how it ended is unknown. It
    # counts as failed and runs again, which takes seconds if all its games are played.
    *"Invalid job id"*) echo failed ;;
    # The controller does not answer, which does not affect the job.
    *) echo running ;;
  esac
  exit 0
fi

state=${job#*JobState=}
case ${state%% *} in
  COMPLETED) echo success ;;
  BOOT_FAIL | CANCELLED | DEADLINE | FAILED | NODE_FAIL | OUT_OF_MEMORY | PREEMPTED | REVOKED | TIMEOUT)
    echo failed ;;
  # PENDING, CONFIGURING, RUNNING, SUSPENDED, COMPLETING and whatever is not an end
  *) echo running ;;
esac
