"""The version of the outcomes: raised whenever a change makes any game end differently."""

KERNEL_VERSION = 2
