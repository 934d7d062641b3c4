"""Weigh every mine so that the number of mines left stands in the middle of what can be.

No safety depends on the weight of a mine in exact arithmetic; in floating point it keeps the wanted
total among large terms.
"""

import numpy as np

from msdensity.kernel.counting import LARGE, weigh_forward
from msdensity.kernel.jit import part

FAR = 20.0
STEPS = 60


@part
def set_odds(ws, odds):
    """Weigh every mine with `odds`, or as near to it as keeps the weights of large boxes in range.

    No safety depends on them in exact arithmetic; they keep the wanted totals among large terms.
    """
    bound = LARGE ** (1.0 / len(ws.power))
    odds = min(max(odds, 1.0 / bound), bound)
    ws.power[0] = 1.0
    for v in range(1, len(ws.power)):
        ws.power[v] = ws.power[v - 1] * odds


@part
def solve_tilt(ws, floating):
    """Return the logarithm of the factor per mine that makes the mean number of mines right.

    That is, equal to those left. With it the wanted total stands in the middle of the distribution,
    so that trimming far tails loses nothing. Bisection on the logarithm: the mean is monotone.
    """
    game = ws.game[0]
    odds = ws.power[1]
    low = -30.0
    high = 30.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        factor = np.exp(middle)
        mean = floating * odds * factor / (1.0 + odds * factor)
        for i in range(game.live):
            component = ws.component[ws.live[i]]
            if component.over:
                continue
            at = ws.node[component.end].poly
            weight = 0.0
            mines = 0.0
            power = 1.0
            for j in range(component.high - component.low + 1):
                weight += ws.poly[at + j] * power
                mines += ws.poly[at + j] * power * j
                if weight > 0.0:  # before, the terms may have vanished
                    power *= factor
                if power > 1e100:
                    weight *= 1e-100
                    mines *= 1e-100
                    power *= 1e-100
            mean += component.low + mines / weight
        if mean < game.shared_mines:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@part
def centre_weights(ws, floating, widest):
    """Return the factor per mine that puts the wanted total in the middle (see `solve_tilt`).

    Where it is far from 1 for the widest component, the wanted terms of that component are among
    those that rounding or underflow touched: then all are weighed again with better odds, in steps
    short enough for what is left of the weights to show the way. Returns 0 if the arena is full.
    """
    game = ws.game[0]
    for _ in range(STEPS):
        step = solve_tilt(ws, floating)
        if abs(step) * widest < FAR:
            return np.exp(step)
        before = ws.power[1]
        set_odds(ws, before * np.exp(min(max(step, -1.0), 1.0)))
        if ws.power[1] == before:  # as far as it goes: an extreme total
            return np.exp(min(max(step, -FAR / widest), FAR / widest))
        game.poly = 0
        for i in range(game.live):
            if not ws.component[ws.live[i]].over and not weigh_forward(ws, ws.live[i]):
                return 0.0
    return 0.0
