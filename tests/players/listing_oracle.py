"""Annex A.1 in plain Python, line by line and slow: the reference for the player `listing`.

C# collections are modelled if their behaviour decides a move: `HashSet` iterates by slot, gives a
new element the slot that was emptied last, and finds an element by the hash stored when it was
added. Variables of a constraint keep their order. Names are those of the listing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Generic, TypeVar

T = TypeVar("T")

PRIMES = (3, 7, 17, 37, 89, 197, 431, 919, 1931, 4049, 8419, 17519, 36353, 75431)
"""Sizes of a growing .NET set: the next above twice the last in its table of primes."""

PAIRS = 3_000_000


class GivenUp(Exception):
    """The game exceeds the limit of the player, or the program stops with an exception."""


class HashSet(Generic[T]):
    """System.Collections.Generic.HashSet of .NET 8, with buckets, chains and the list of holes."""

    def __init__(self, items: Iterable[T] = ()) -> None:
        self.buckets: list[int] = []
        self.slots: list[list] = []  # [stored hash, next, value]; next < -1: emptied
        self.free = -1
        self.emptied = 0
        for item in items:
            self.add(item)

    def __len__(self) -> int:
        return len(self.slots) - self.emptied

    def __iter__(self) -> Iterator[T]:
        index = 0
        while index < len(self.slots):
            if self.slots[index][1] >= -1:
                yield self.slots[index][2]
            index += 1

    def add(self, item: T) -> bool:
        if not self.buckets:
            self.buckets = [-1] * PRIMES[0]
        key = hash_code(item)
        index = self.buckets[key % len(self.buckets)]
        while index >= 0:
            if self.slots[index][0] == key and self.slots[index][2] == item:
                return False
            index = self.slots[index][1]
        if self.emptied:
            index = self.free
            self.emptied -= 1
            self.free = -3 - self.slots[index][1]
        else:
            if len(self.slots) == len(self.buckets):
                self.resize()
            index = len(self.slots)
            self.slots.append([])
        bucket = key % len(self.buckets)
        self.slots[index] = [key, self.buckets[bucket], item]
        self.buckets[bucket] = index
        return True

    def resize(self) -> None:
        self.buckets = [-1] * PRIMES[PRIMES.index(len(self.buckets)) + 1]
        for index, slot in enumerate(self.slots):
            bucket = slot[0] % len(self.buckets)
            slot[1] = self.buckets[bucket]
            self.buckets[bucket] = index

    def remove(self, item: T) -> bool:
        if not self.buckets:
            return False
        key = hash_code(item)
        bucket = key % len(self.buckets)
        last, index = -1, self.buckets[bucket]
        while index >= 0:
            slot = self.slots[index]
            if slot[0] == key and slot[2] == item:
                if last < 0:
                    self.buckets[bucket] = slot[1]
                else:
                    self.slots[last][1] = slot[1]
                slot[1], slot[2] = -3 - self.free, None
                self.free = index
                self.emptied += 1
                return True
            last, index = index, slot[1]
        return False

    def remove_where(self, match: Callable[[T], bool]) -> None:
        for index in range(len(self.slots)):
            if self.slots[index][1] >= -1 and match(self.slots[index][2]):
                self.remove(self.slots[index][2])


def except_(first: Iterable[T], second: Iterable[T]) -> Iterator[T]:
    """Enumerable.Except: elements of `first`, each once, that are not in `second`."""
    known = HashSet(second)
    for item in first:
        if known.add(item):
            yield item


def hash_code(item: object) -> int:
    """GetHashCode as an unsigned number of 32 bits."""
    code = item.sum if isinstance(item, Constraint) else hash(item)
    if isinstance(item, Constraint):
        for variable in item.variables:
            code ^= variable
    return code & 0xFFFFFFFF


def int32(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


class Constraint:
    """Sum and variables, in order; equal by value; changed in place."""

    def __init__(self, variables: Iterable[int], total: int) -> None:
        self.variables = list(variables)
        self.sum = int32(total)

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, Constraint)
        return self.sum == other.sum and set(self.variables) == set(other.variables)

    __hash__ = None  # type: ignore[assignment]  # only `hash_code` may be used

    def subtract(self, other: Constraint) -> Constraint | None:
        if not set(self.variables) >= set(other.variables):
            return None
        left = [v for v in self.variables if v not in other.variables]
        return Constraint(left, self.sum - other.sum)


@dataclass
class Grid:
    """The board, index = q * y + x, with the moves and the scores of each guess."""

    p: int
    q: int
    mined: Sequence[bool]
    opened: list[int] = field(default_factory=list)
    flagged: set[int] = field(default_factory=set)
    lost: bool = False
    pairs: int = 0
    moves: list[tuple[str, int]] = field(default_factory=list)
    scores: list[dict[int, float]] = field(default_factory=list)

    @property
    def cells(self) -> range:
        return range(self.p * self.q)

    def adjacent(self, cell: int) -> list[int]:
        """Neighbours, by column, then by row."""
        y, x = divmod(cell, self.q)
        return [
            self.q * b + a
            for a in range(max(x - 1, 0), min(x + 2, self.q))
            for b in range(max(y - 1, 0), min(y + 2, self.p))
            if (a, b) != (x, y)
        ]

    def mine_count(self, cell: int) -> int:
        return sum(self.mined[c] for c in self.adjacent(cell))

    @property
    def unknown(self) -> list[int]:
        return [c for c in self.cells if c not in self.opened and c not in self.flagged]

    @property
    def boundary(self) -> list[int]:
        unknown = set(self.unknown)
        return [c for c in sorted(self.opened) if unknown & set(self.adjacent(c))]

    @property
    def exposed(self) -> list[int]:
        return [c for c in self.unknown if set(self.opened) & set(self.adjacent(c))]

    @property
    def floating(self) -> list[int]:
        return [c for c in self.unknown if not set(self.opened) & set(self.adjacent(c))]

    @property
    def remaining_mines(self) -> int:
        return sum(self.mined) - len(self.flagged)

    @property
    def won(self) -> bool:
        return len(self.opened) == len(self.mined) - sum(self.mined)

    @property
    def ongoing(self) -> bool:
        return not self.lost and not self.won

    def open_cell(self, cell: int, why: str) -> None:
        if not self.ongoing or cell in self.opened or cell in self.flagged:
            return
        self.moves.append((why, cell))
        if self.mined[cell]:
            self.lost = True
            return
        self.opened.append(cell)
        if self.mine_count(cell) == 0:
            for c in self.adjacent(cell):
                self.open_cell(c, "cascade")

    def flag_cell(self, cell: int) -> None:
        if cell not in self.opened and cell not in self.flagged:
            self.moves.append(("flag", cell))
            self.flagged.add(cell)

    def constraints(self) -> HashSet[Constraint]:
        """Constructors of Inferrer and Guesser."""
        unknown = set(self.unknown)
        return HashSet(
            Constraint(
                [c for c in self.adjacent(b) if c in unknown],
                self.mine_count(b) - len(self.flagged & set(self.adjacent(b))),
            )
            for b in self.boundary
        )


class Inferrer:
    """Inferrer.cs."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.constraints = grid.constraints()
        self.solutions: HashSet[Constraint] = HashSet()
        self.contradiction = False

    def solve(self) -> None:
        run = True
        old: list[Constraint] = []
        while run:
            self.solve_trivials()
            self.construct_constraints()
            self.constraints.remove_where(lambda i: len(i.variables) == 0)
            self.update_solutions()
            run = any(True for _ in except_(self.constraints, old)) and not self.contradiction
            old = list(self.constraints)

    def solve_trivials(self) -> None:
        safe = HashSet(i for i in self.constraints if i.sum == 0)
        mined = HashSet(i for i in self.constraints if i.sum == len(i.variables))
        for group, value in ((safe, 0), (mined, 1)):
            for constraint in group:
                for variable in constraint.variables:
                    self.solutions.add(Constraint([variable], value))
                self.constraints.remove(constraint)

    def construct_constraints(self) -> None:
        listed = list(self.constraints)
        self.grid.pairs += len(listed) ** 2
        if self.grid.pairs > PAIRS:
            raise GivenUp
        for x in listed:
            for y in listed:
                difference = x.subtract(y)
                if difference is not None:
                    self.contradiction = difference.sum < 0
                    self.constraints.add(difference)

    def update_solutions(self) -> None:
        for constraint in list(self.constraints):
            if len(constraint.variables) == 1:
                self.solutions.add(constraint)
        self.constraints = HashSet(except_(self.constraints, self.solutions))
        for solution in self.solutions:
            variable = solution.variables[0]
            for constraint in self.constraints:
                if variable in constraint.variables:
                    constraint.variables.remove(variable)
                    constraint.sum = int32(constraint.sum - solution.sum)


Configuration = dict[int, "int | None"]


class Guesser:
    """Guesser.cs."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.constraints = grid.constraints()

    def groups(self) -> list[list[Constraint]]:
        """GetPreliminaryGroups; GetFinalGroups finds no finer ones."""
        groups: list[list[Constraint]] = []
        remaining: HashSet[Constraint] = HashSet(self.constraints)
        to_search: HashSet[Constraint] = HashSet()
        searched: HashSet[Constraint] = HashSet()
        group: HashSet[Constraint] = HashSet()
        while len(remaining) > 0:
            if len(to_search) != 0:
                seed = next(iter(to_search))
            else:
                groups.append(list(group))
                group = HashSet()
                seed = next(iter(remaining))
            for variable in seed.variables:
                for constraint in [i for i in remaining if variable in i.variables]:
                    to_search.add(constraint)
            to_search = HashSet(except_(to_search, searched))
            group.add(seed)
            searched.add(seed)
            remaining.remove(seed)
        groups.append(list(group))
        return [group for group in groups if group]

    def infer(self, seed: Configuration, variable: int, value: int) -> Inferrer:
        solver = Inferrer(self.grid)
        for solved, assigned in seed.items():
            if assigned is not None:
                solver.constraints.add(Constraint([solved], assigned))
        solver.constraints.add(Constraint([variable], value))
        solver.solve()
        return solver

    @staticmethod
    def configuration(seed: Configuration, solver: Inferrer) -> Configuration:
        result: Configuration = dict.fromkeys(seed)
        for solution in solver.solutions:
            if solution.variables[0] in result:
                result[solution.variables[0]] = solution.sum
        return result

    def group_configurations(self, seed: Configuration, depth: int = 0) -> list[Configuration]:
        unsolved = [v for v, value in seed.items() if value is None]
        if not unsolved:
            return [seed]
        configurations: list[Configuration] = []
        for value in (0, 1):
            new = self.configuration(seed, self.infer(seed, unsolved[0], value))
            if any(v is not None and v < 0 for v in new.values()):
                continue
            if None not in new.values():
                configurations.append(new)
            elif depth <= 5:
                configurations += self.group_configurations(new, depth + 1)
            else:
                one = self.one_configuration(new)
                configurations += [] if one is None else [one]
        return configurations

    def one_configuration(self, seed: Configuration) -> Configuration | None:
        variable = next(v for v, value in seed.items() if value is None)
        for value in (0, 1):
            solver = self.infer(seed, variable, value)
            if not solver.contradiction:
                new = self.configuration(seed, solver)
                return new if None not in new.values() else self.one_configuration(new)
        return None

    def safety(self) -> dict[int, float]:
        grid = self.grid
        unknown, exposed, floating = grid.unknown, set(grid.exposed), grid.floating
        if not exposed:
            return {c: 1 - grid.remaining_mines / len(unknown) for c in unknown}
        results = []
        for group in self.groups():
            variables = dict.fromkeys(chain.from_iterable(i.variables for i in group))
            configurations = self.group_configurations(dict.fromkeys(variables))
            results.append([c for c in configurations if not any(v < 0 for v in c.values())])
        safety = dict.fromkeys(unknown, 0.0)
        weights = [
            [choose(len(floating), grid.remaining_mines - count_mines(c)) for c in configurations]
            for configurations in results
        ]
        denominator = 0.0
        for weight in chain.from_iterable(weights):
            denominator += weight
        for configurations, group_weights in zip(results, weights, strict=True):
            for configuration, weight in zip(configurations, group_weights, strict=True):
                for cell, value in configuration.items():
                    if value == 0:
                        safety[cell] += weight
        if denominator == 0:
            raise GivenUp  # every score is NaN, and First() finds no cell of the highest
        total = 0.0
        for cell in safety:
            safety[cell] /= denominator
            total += safety[cell]
        expected = grid.remaining_mines - len(safety) + total
        if floating:
            floating_safety = 1 - expected / len(floating)
            for cell in floating:
                safety[cell] = floating_safety
        return safety


def count_mines(configuration: Configuration) -> int:
    return sum(value == 1 for value in configuration.values())


def choose(n: int, k: int) -> float:
    """Utility.Choose, multiplied and divided in the order of the program."""
    k = min(k, n - k)
    result = 1.0
    for i in range(1, k + 1):
        result *= n - k + i
        result /= i
    return result


def solve(grid: Grid) -> None:
    """Solver.cs; the grid records the moves. Raises GivenUp at the limit."""
    grid.open_cell(0, "first")
    while grid.ongoing:
        solver = Inferrer(grid)
        solver.solve()
        if len(solver.solutions) != 0:
            for solution in solver.solutions:
                cell = solution.variables[0]
                assert solution.sum in (0, 1), "Invalid solution"
                if solution.sum == 0:
                    grid.open_cell(cell, "infer")
                elif grid.ongoing:
                    grid.flag_cell(cell)
            continue
        scores = Guesser(grid).safety()
        grid.scores.append(scores)
        grid.moves.append(("scores", len(grid.scores) - 1))
        for cell in [c for c, score in scores.items() if score == 1]:
            grid.open_cell(cell, "score 1")
        best = max(scores.values())
        opened = set(grid.opened)
        candidates = [c for c, score in scores.items() if score == best]
        chosen = min(
            candidates,
            key=lambda c: (
                len(grid.adjacent(c)),
                -len(opened & set(grid.adjacent(c))),
            ),
        )
        grid.open_cell(chosen, "guess")
