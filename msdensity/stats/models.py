"""Models of the win rate as a function of mine density: built-in ones, and custom ones by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError, shown
from msdensity.files.own_code import load_own_code, names_own_code

Values = Sequence[float] | NDArray[np.float64]


@dataclass(frozen=True)
class Model:
    """A curve W(density; parameters) and its critical density.

    function: takes densities, shape (n,), and one number for each parameter; returns win rates,
    shape (n,). parameters: their names, Python identifiers. start: takes rising densities and their
    win rates, shape (n,), including the points (0, 1) and (1, 0); returns the parameters at which
    the fit starts. bounds: the lowest and the highest values of all parameters. critical_density:
    takes the parameters; its result may lie outside [0, 1], to which P is clipped. Raises
    InputError for anything else.
    """

    name: str
    function: Callable[..., Any]
    parameters: tuple[str, ...]
    start: Callable[[NDArray[np.float64], NDArray[np.float64]], Values]
    bounds: tuple[Values, Values]
    critical_density: Callable[[Values], float]

    def __post_init__(self) -> None:
        given: object = self.parameters
        names = tuple(given) if isinstance(given, Iterable) else (given,)
        if not names or not all(isinstance(name, str) and name.isidentifier() for name in names):
            raise InputError(f"parameters={shown(names)} of a model must be names, at least one")
        if len(set(names)) < len(names):
            raise InputError(f"parameters={shown(names)} of a model must be different names")
        try:
            low, high = (np.asarray(ends, float) for ends in self.bounds)
        except (TypeError, ValueError):
            low = high = np.empty(0)
        if not low.shape == high.shape == (len(names),) or not (low < high).all():
            raise InputError(
                f"bounds={shown(self.bounds)} must be the lowest and the highest value of each of "
                f"{', '.join(map(str, names))}"
            )
        for field in ("function", "start", "critical_density"):
            if not callable(getattr(self, field)):
                raise InputError(f"{field}={shown(getattr(self, field))} must be a function")
        object.__setattr__(self, "parameters", names)
        object.__setattr__(self, "bounds", (tuple(low.tolist()), tuple(high.tolist())))

    def rates(self, density: ArrayLike, values: Values) -> NDArray[np.float64]:
        """Return the win rates at densities, in their shape, for one value of each parameter."""
        with np.errstate(all="ignore"):  # a fit may try any value within the bounds
            return np.asarray(self.function(np.asarray(density, float), *values), float)


def logistic(x: ArrayLike, b: Any, L: Any, k: Any, Q: Any) -> NDArray[np.float64]:
    """Return b + L / (1 + exp(k (x - Q))) (paper 001, formula 7.2), of the shape of x.

    The parameters are numbers, or arrays that broadcast with x.
    """
    with np.errstate(over="ignore"):  # an infinite exponential gives the right limit: 0
        return b + L / (1 + np.exp(k * (np.asarray(x, float) - Q)))


def weibull(x: ArrayLike, rho50: Any, k: Any) -> NDArray[np.float64]:
    """Return 2^-((x / rho50)^k), of the shape of x."""
    with np.errstate(over="ignore"):
        return np.exp2(-((np.asarray(x, float) / rho50) ** k))


def gompertz(x: ArrayLike, k: Any, Q: Any) -> NDArray[np.float64]:
    """Return exp(-exp(k (x - Q))), of the shape of x."""
    with np.errstate(over="ignore"):
        return np.exp(-np.exp(k * (np.asarray(x, float) - Q)))


def _half(density: NDArray[np.float64], rate: NDArray[np.float64]) -> float:
    """Return the first density with a win rate below 1/2, where a fit can start."""
    return float(density[np.argmax(rate < 0.5)])


def _steepest(values: Values) -> float:
    """Return the density of the steepest descent of `weibull`; 0 if it is steepest at 0."""
    rho50, k = values
    return float(rho50 * ((1 - 1 / k) / np.log(2)) ** (1 / k)) if k > 1 else 0.0


LOGISTIC = Model(
    "logistic",
    logistic,
    ("b", "L", "k", "Q"),
    # Annex A.2, lines 35 and 36.
    lambda density, rate: [rate.min(), rate.max() - rate.min(), 10, np.median(density)],
    ((-np.inf, 0, 0, -np.inf), (np.inf, 3, np.inf, np.inf)),
    lambda values: float(values[3]),
)
"""The paper's model (section 8.2); `msdensity.fit_critical_density` fits it as published."""

MODELS = {
    model.name: model
    for model in (
        LOGISTIC,
        Model(
            "weibull",
            weibull,
            ("rho50", "k"),
            lambda density, rate: [_half(density, rate), 4],
            ((1e-6, 1e-3), (10, 1e3)),
            _steepest,
        ),
        Model(
            "gompertz",
            gompertz,
            ("k", "Q"),
            lambda density, rate: [4 / _half(density, rate), _half(density, rate)],
            ((1e-3, -10), (1e4, 10)),
            lambda values: float(values[1]),
        ),
    )
}
"""The built-in models. Each has its critical density at the steepest descent."""


def load_model(name: str | Model) -> Model:
    """Return the model called `name`: one of MODELS, or a custom one, "package.module:name".

    The module may be in the working directory. Raises InputError, in one line, if there is no such
    module or name, if it cannot be imported, or if it is not a Model.
    """
    if isinstance(name, Model):
        return name
    if isinstance(name, str) and name in MODELS:
        return MODELS[name]
    if not names_own_code(name):
        known = ", ".join(MODELS)
        raise InputError(f"model={shown(name)} must be one of {known} or package.module:name")
    model = load_own_code("model", name).value
    if not isinstance(model, Model):
        raise InputError(f"model={name} must be a msdensity.Model, is {shown(model)}")
    return model
