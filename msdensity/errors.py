"""The one error that bad input raises."""


class InputError(ValueError):
    """A value from outside is not allowed; the message names the field, the value and what is."""
