"""Look at games: the page of `msdensity view` and the notebook widget of `md.view`."""
