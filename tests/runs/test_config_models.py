"""The key `models` of a configuration: known names, each once."""

import pytest

from msdensity.errors import InputError
from msdensity.runs.config import load_config


def test_the_default_is_the_papers_model_and_each_counts_once() -> None:
    assert load_config({"name": "x"}).models == ("logistic",)
    names = ["weibull", "logistic", "weibull"]
    assert load_config({"name": "x", "models": names}).models == ("weibull", "logistic")


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ([], r"models=\[\] must not be empty"),
        (["cubic"], r"models\[0\]: model='cubic' must be one of logistic, weibull, gompertz or"),
        (["logistic", 5], r"models\[1\]=5 must be one of logistic, weibull, gompertz or package"),
        (["nowhere_at_all:x"], "cannot import nowhere_at_all"),
        ("logistic", "models='logistic' must be a list"),
    ],
)
def test_an_unknown_model_is_refused(models, message) -> None:
    with pytest.raises(InputError, match=message):
        load_config({"name": "x", "models": models})
