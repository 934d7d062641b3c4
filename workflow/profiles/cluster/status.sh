#!/bin/sh
# Print what Snakemake wants to know of the Slurm job with number $1: running, success or failed.
# Asks the controller, for not every site has an accounting database.

if ! job=$(LC_ALL=C scontrol --oneliner show job "$1" 2>&1); then
  case $job in
    # Forgotten: the controller keeps a job that has ended for MinJobAge (300 s) only. How it ended
    # is not known; as failed it is run again, which takes seconds when all its games are played.
    *"Invalid job id"*) echo failed ;;
    # The controller does not answer. The job does not mind.
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
