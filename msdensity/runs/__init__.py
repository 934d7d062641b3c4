"""Many games, kept on disk: settings, ledgers, sweeps, and records of where results come from.

`sweep.top_up` plays what a ledger lacks, `ledger.Ledger.append` stores a row of counts, and
`win_rates` reads them back. `checkpoint` keeps the batches of jobs that have no ledger.
"""
