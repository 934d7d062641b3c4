"""The study of topologies: whether winning has a critical density on any lattice."""
