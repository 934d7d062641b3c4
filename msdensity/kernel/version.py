"""The version of the outcomes: raised whenever a change makes any game end or be counted
differently."""

KERNEL_VERSION = 4
