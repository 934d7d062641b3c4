"""The layout drawn at a guess is one of all that are possible, each equally likely."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from brute_force import arrangements, neighbour_lists
from scipy import stats

from msdensity.games.boards import Board, Rules
from msdensity.games.play import kernel_task
from msdensity.games.tasks import Task
from msdensity.kernel.batch import prepare
from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.field import is_mined
from msdensity.kernel.knowledge import is_opened, is_unknown, open_cell
from msdensity.kernel.play import deduce, start_game
from msdensity.kernel.rng import start_stream
from msdensity.kernel.state import (
    BOARD,
    FLOATING_GUESS,
    GUESS,
    MARKED,
    OPEN,
    PLAYING,
    UNKNOWN,
    make_workspace,
    open_planes,
    open_table,
    open_workspace,
)
from msdensity.kernel.topology import cached_table
from msdensity.players.redraw import can_redraw, redraw
from msdensity.players.weighted import choose

FALSE_ALARM = 1e-4
"""Of the chi-square test of all positions together."""

MOST_LAYOUTS = 400
"""Positions with more possible layouts are left out, so that each is drawn often."""

PLANES = (
    ("5x5", 7, Rules("corner", "safe")),
    ("4x6", 8, Rules("centre", "safe")),
    ("2x12", 8, Rules("corner", "safe")),
    ("5x5-hexagonal", 8, Rules("corner", "safe")),
)

OTHERS = (
    ("5x5-torus8", 7, Rules("corner", "safe")),
    ("3x3x3-cubic26", 6, Rules("corner", "safe")),
    ("4x5-triangle12", 6, Rules("corner", "safe")),
)


@compiled
def draw_at_guess(table, ws_words, number, guess, known, found):
    """Play game `number` to a guess that survived `guess` others; draw rows of `found` there.

    Returns (cell, floats): (-1, False) if there is no such guess, cell -2 after a fault. known,
    found: states (cells,), and which cells are mined (layouts, cells).
    """
    ws = open_workspace(ws_words)
    game = ws.game[0]
    start_game(table, ws, number, np.int64(0))
    while game.status == PLAYING:
        deduce(table, ws)
        if game.status != PLAYING:
            break
        c, floats, safety = choose(table, ws)
        if guess > 0:
            guess -= 1
            open_cell(table, ws, c, FLOATING_GUESS if floats else GUESS, safety)
            continue
        if not can_redraw(ws):
            break
        for d in range(game.cells):
            known[d] = MARKED
            if is_unknown(table, ws, np.int64(d)):
                known[d] = UNKNOWN
            elif is_opened(table, ws, np.int64(d)):
                known[d] = OPEN
        top = game.poly
        for r in range(len(found)):
            start_stream(ws.stream[BOARD], ws.task[0].board_key + np.uint64(r + 1), number)
            redraw(table, ws, c, floats)
            game.poly = top
            if game.status != PLAYING:
                return -2, floats
            for d in range(game.cells):
                found[r, d] = is_mined(table, ws, np.int64(d))
        return c, floats
    return -1, False


@entry
def draw_in_planes(words, ws_words, number, guess, known, found):
    """Call `draw_at_guess` on a board in planes."""
    return draw_at_guess(open_planes(words), ws_words, number, guess, known, found)


@entry
def draw_by_cells(words, ws_words, number, guess, known, found):
    """Call `draw_at_guess` on a board with a record for each cell."""
    return draw_at_guess(open_table(words), ws_words, number, guess, known, found)


BOARDS, GAMES, DRAWS = PLANES + OTHERS, 120, 8000


class Drawn(NamedTuple):
    """Of a position: how often each possible layout was drawn, and its floating mines."""

    counts: np.ndarray
    floating_mines: np.ndarray
    floats: bool


def drawn(name: str, mines: int, rules: Rules, games: int, draws: int) -> list[Drawn]:
    """Return what is drawn at the first three guesses of some games of a board."""
    task = kernel_task(Task(Board.parse(name), mines, "weighted", {}, rules, 77))
    table = cached_table(task.shape, task.topology)
    workspace = make_workspace(table)
    prepare(task, workspace)
    near = neighbour_lists(task.shape, task.topology)
    cells = len(near)
    positions = []
    for number in range(games):
        for guess in range(3):
            known, found = np.zeros(cells, np.int64), np.zeros((draws, cells), np.int64)
            draw = draw_in_planes if len(table.tiles) else draw_by_cells
            c, floats = draw(table.words, workspace.words, number, guess, known, found)
            assert c >= -1
            if c < 0:
                break
            numbers = np.array([found[0, d].sum() for d in near])
            possible = arrangements(near, known, numbers, mines)
            unknown = np.flatnonzero(known == UNKNOWN)
            possible = possible[possible[:, unknown == c].sum(axis=1) == 0]
            assert (found[:, known == MARKED] == 1).all() and (found[:, known == OPEN] == 0).all()
            if not 2 <= len(possible) <= MOST_LAYOUTS:
                continue
            keys = possible @ (1 << np.arange(len(unknown)))
            order = np.argsort(keys)
            drawn_keys = found[:, unknown] @ (1 << np.arange(len(unknown)))
            place = np.searchsorted(keys[order], drawn_keys)
            assert (keys[order][np.minimum(place, len(keys) - 1)] == drawn_keys).all()
            floating = [not any(known[e] == OPEN for e in near[d]) for d in unknown]
            counts = np.bincount(place, minlength=len(keys))
            positions.append(Drawn(counts, possible[order][:, floating].sum(axis=1), floats))
    return positions


def chi_square_p(positions: list[Drawn], shares: list[np.ndarray]) -> float:
    """Return the p-value of all positions together; shares: of each possible layout, wanted."""
    total, df = 0.0, 0
    for each, share in zip(positions, shares, strict=True):
        expected = share * each.counts.sum()
        total += float(((each.counts - expected) ** 2 / expected).sum())
        df += len(share) - 1
    return float(stats.chi2.sf(total, df))


@pytest.mark.campaign
@pytest.mark.statistical
def test_every_possible_layout_is_drawn_equally_often() -> None:
    positions = [at for board in BOARDS for at in drawn(*board, GAMES, DRAWS)]
    uniform = [np.full(len(at.counts), 1 / len(at.counts)) for at in positions]
    print(len(positions), "positions,", sum(at.floats for at in positions), "floating guesses")
    assert len(positions) > GAMES and sum(at.floats for at in positions) > 5
    assert sum(not at.floats for at in positions) > 5
    assert chi_square_p(positions, uniform) > FALSE_ALARM
    # negative control: a sampler to which every number of floating mines is equally likely
    wrong = []
    for at in positions:
        _, kind, size = np.unique(at.floating_mines, return_inverse=True, return_counts=True)
        wrong.append(1 / (size[kind] * len(size)))
    assert chi_square_p(positions, wrong) < FALSE_ALARM
