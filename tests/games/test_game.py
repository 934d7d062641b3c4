"""The classical rules by hand, and games of players move by move."""

import numpy as np
import pytest
from brute_force import neighbour_lists

from msdensity import Board, Game, InputError, Rules, Task, analyse, play_game
from msdensity.games.analysis import analyse_states
from msdensity.games.play import play_batch

# What is true | layout | actions | view | status
RULES = """
a zero floods up to its numbers | *--- ---- ---- | open 2 3 | .100 1100 0000 | won
only the opened mine is shown | *- *- | flag 1 0, open 0 0 | *. F. | lost
a loss ends it | *-- --- --- | open 0 0, open 2 2, flag 0 1, chord 0 0 | *.. ... ... | lost
a win ends it | *-- --- --- | open 2 2, open 0 0, flag 0 0, chord 0 1 | .10 110 000 | won
a flag shields from both | *-- --- --- | flag 2 1, open 2 1, open 2 2 | .10 .10 .F0 | playing
a flag toggles | *-- --- --- | flag 2 1, open 2 2, flag 2 1 | .10 .10 ..0 | playing
opened cells take no flag | *- -- | open 1 1, flag 1 1 | .. .1 | playing
flags do not win | *- -- | flag 0 0, flag 0 1, flag 1 0, open 1 1 | FF F1 | playing
a chord on its number of flags | *-* --- | open 1 1, flag 0 0, flag 0 2, chord 1 1 | F2F 121 | won
one flag too few | *-* --- | open 1 1, flag 0 0, chord 1 1 | F.. .2. | playing
too many | *-* --- | open 1 1, flag 0 0, flag 0 1, flag 0 2, chord 1 1 | FFF .2. | playing
a chord on a covered cell | *-* --- | chord 1 1 | ... ... | playing
it opens in reading order | --- --- -*- | open 1 1, flag 2 0, chord 1 1 | 000 111 F*. | lost
it ends at the first mine | -*- --- --- | open 1 1, flag 0 0, chord 1 1 | F*. .1. ... | lost
a chord on 0 opens | *-- --- --- | flag 2 1, open 2 2, flag 2 1, chord 2 2 | .10 110 000 | won
a board without safe cells is won | ** ** | open 0 0 | .. .. | won
""".strip().splitlines()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.partition(" |")[0])
def test_the_classical_rules(rule: str) -> None:
    _, layout, actions, view, status = rule.split(" | ")
    game = Game(layout.split())
    for text in actions.split(", "):
        action, *cell = text.split()
        before = game.view()
        assert game.act(action, *map(int, cell)) == (game.view() != before)
    assert (game.view(), game.status) == (view.split(), status)


@pytest.mark.parametrize(
    "call,message",
    [
        (lambda: Game([]), "layout must be rows"),
        (lambda: Game(["-*", "-"]), "layout must be rows of one length"),
        (lambda: Game("--"), "layout must be a list of rows"),
        (lambda: Game(["-.*"]), r"layout holds '\.' in row 0, column 1"),
        (lambda: Game(["--"], "square9"), "topology='square9' must be one of"),
        (lambda: Game(["--"], shape=(2, 2)), "must have 2 of 2"),
        (lambda: Game(["--"]).open(0), "must have 2 coordinates"),
        (lambda: Game(["--"]).open(0, 2), r"axis 1=2 must be a whole number in 0\.\.1"),
        (lambda: Game(["--"]).open(-1, 0), "axis 0=-1"),
        (lambda: Game(["--"]).act("look", 0, 0), "action='look' must be one of open, flag, chord"),
        (lambda: Game(["--"], [[1], []]), "must list cell"),
        (lambda: Game(["--"], [[1]]), "has 1 neighbour lists, must have 2"),
        (lambda: Game(["--"], [[0], []]), "neighbour 0 of cell 0 must be another cell"),
        (lambda: Game(["--"], [[2], []]), r"neighbour 2 of cell 0 must be another cell in 0\.\.1"),
    ],
)
def test_bad_input_is_named(call, message) -> None:
    with pytest.raises(InputError, match=message):
        call()


class Reference:
    """The rules again, as short as possible: sets of cells and repeated floods."""

    def __init__(self, neighbours: list[list[int]], mined: set[int]) -> None:
        self.near, self.mined = neighbours, mined
        self.opened: set[int] = set()
        self.flags: set[int] = set()
        self.fatal: int | None = None

    def number(self, c: int) -> int:
        return len(self.mined & set(self.near[c]))

    def over(self) -> bool:
        return self.fatal is not None or len(self.opened | self.mined) == len(self.near)

    def open(self, c: int) -> None:
        if self.over() or c in self.flags | self.opened:
            return
        if c in self.mined:
            self.fatal = c
            return
        self.opened.add(c)
        while True:
            zeros = [z for z in self.opened if self.number(z) == 0]
            more = {d for z in zeros for d in self.near[z]} - self.flags - self.opened
            if not more:
                return
            self.opened |= more

    def flag(self, c: int) -> None:
        if not self.over() and c not in self.opened:
            self.flags ^= {c}

    def chord(self, c: int) -> None:
        if c in self.opened and len(self.flags & set(self.near[c])) == self.number(c):
            for d in self.near[c]:
                self.open(d)

    def view(self) -> str:
        def symbol(c: int) -> str:
            if c == self.fatal:
                return "*"
            if c in self.opened:
                return str(self.number(c))
            return "F" if c in self.flags else "."

        return "".join(map(symbol, range(len(self.near))))


@pytest.mark.parametrize("topology", ["square8", "torus8", "square4", "hexagonal", "triangle3"])
def test_random_actions_follow_the_rules(topology: str) -> None:
    rng = np.random.default_rng(11)
    neighbours = neighbour_lists((4, 5), topology)
    ends = {"playing": 0, "won": 0, "lost": 0}
    for _ in range(150):
        mined = set(rng.permutation(20)[: rng.integers(1, 6)].tolist())
        text = "".join("*" if c in mined else "-" for c in range(20))
        game = Game([text[i : i + 5] for i in range(0, 20, 5)], topology)
        custom = Game(game.layout, neighbours)
        reference = Reference(neighbours, mined)
        for _ in range(rng.integers(1, 40)):
            # few clicks on mines and most flags on them, so that games last
            c = int(rng.integers(20))
            action = ("open", "flag", "chord")[rng.integers(3)]
            if action == "open" and c in mined and rng.random() < 0.8:
                continue
            if action == "flag" and c not in mined and rng.random() < 0.8:
                continue
            before = reference.view()
            getattr(reference, action)(c)
            assert game.act(action, *divmod(c, 5)) == (before != reference.view())
            custom.act(action, *divmod(c, 5))
            assert "".join(game.view()) == "".join(custom.view()) == reference.view()
        assert (game.status != "playing") == reference.over()
        ends[game.status] += 1
        assert game.replay(game.actions).view() == game.view()
        assert game.replay(game.actions).actions == game.actions
    assert min(ends.values()) > 5


def test_more_axes_than_two() -> None:
    layout = ["*--", "---", "---"] * 3
    game = Game(layout, "cubic26", shape=(3, 3, 3))
    assert game.mines == 3
    game.open(2, 2, 2)
    assert game.status == "won"
    assert game.numbers()[3:6] == ["*30", "330", "000"]


def test_numbers_above_nine_are_letters() -> None:
    layout = ["***", "***", "***"] * 3
    layout[4] = "*-*"
    game = Game(layout, "cubic26", shape=(3, 3, 3))
    assert game.numbers()[4] == "*q*"
    game.open(1, 1, 1)
    assert game.view()[4] == ".q."
    analysis = analyse(game.view(), 26, "cubic26", shape=(3, 3, 3))
    assert (analysis.configurations, len(analysis.mined)) == (1, 26)


TASKS = [
    Task(Board.parse("8x8"), 10, seed=3),
    Task(Board.parse("10x10"), 20, "weighted", {"ties": "random"}, Rules("random", "zero"), 5),
    Task(Board.parse("6x7-torus8"), 8, rules=Rules("centre", "unprotected"), seed=1),
    Task(Board.parse("3x3x4-cubic26"), 4, seed=2),
    Task(Board.parse("7x6-hexagonal"), 9, rules=Rules("cell:8"), seed=4),
]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.board.name)
def test_a_played_game_is_the_one_of_the_batch(task: Task) -> None:
    games = 40
    played = [play_game(task, g) for g in range(games)]
    measures = play_batch(task, 0, games)
    assert measures["wins"] == sum(game.status == "won" for game in played)
    assert measures["guesses"] == sum(len(game.guesses) for game in played)
    opened = 0
    for g, record in enumerate(played):
        game = record.game()
        assert game.status == record.status
        assert game.layout == record.layout == Game.deal(task, g).layout
        assert game.mines == task.mines
        text = "".join(game.view())
        opened += sum(character not in "F.*" for character in text)
        # a player may prove mines before it opens cells that a flood has already opened
        flags = sum(move.action == "flag" for move in record.moves)
        assert text.count("F") == flags or (text.count("F") < flags and game.status == "won")
        assert record.moves[0].reason == "first click"
        assert record.game(1).view() != Game.deal(task, g).view()
    assert measures["opened"] == opened
    assert 0 < measures["wins"] < games


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.board.name)
def test_every_move_has_a_valid_reason(task: Task) -> None:
    """Cells called certain are certain by exact counting; a guess has the highest safety."""
    guesses = 0
    for g in range(15):
        record = play_game(task, g)
        game = Game(record.layout, task.board.topology, shape=task.board.shape)
        for number, move in enumerate(record.moves):
            states, numbers = game.known()
            before = analyse_states(
                task.board.shape, task.board.topology, states, numbers, task.mines
            )
            if move.guess:
                guesses += 1
                assert move.safeties is not None
                np.testing.assert_allclose(move.safeties, before.safety, rtol=0, atol=1e-12)
                assert move.safeties[move.cell] == pytest.approx(move.safety, abs=1e-12)
                assert move.safety == pytest.approx(np.nanmax(move.safeties), abs=1e-12)
                assert 0 < move.safety < 1
                assert move.action == "open"
                assert not before.safe and not before.mined
            else:
                assert move.safeties is None
                if number > 0 and game.view() != game.replay([*game.actions, move_of(move)]).view():
                    certain = before.mined if move.action == "flag" else before.safe
                    assert move.cell in certain
            game.act(*move_of(move))
    assert guesses > 10


def move_of(move) -> tuple:
    return (move.action, *move.cell)


def test_the_number_of_the_game_is_checked() -> None:
    for call in (play_game, Game.deal):
        with pytest.raises(InputError, match=r"g=-1 must be a whole number in 0\.\."):
            call(TASKS[0], -1)
    assert play_game(TASKS[0], np.int64(3)).moves == play_game(TASKS[0], 3).moves


def test_a_start_without_room_is_an_error_at_once() -> None:
    with pytest.raises(InputError, match="all 9 cells of board 3x3: choose start=safe"):
        Task(Board.parse("3x3"), 8, rules=Rules("centre", "zero"))
    task = Task(Board.parse("3x4"), 8, rules=Rules("centre", "zero"))
    for call in (play_game, Game.deal):
        with pytest.raises(InputError, match=r"mines=8 must be in 0\.\.3"):
            call(task, 0)


def test_games_of_a_player_that_cannot_guess_end_won_or_stuck() -> None:
    task = Task(Board((8, 8)), 8, "cellular_automaton", seed=2)
    games = [play_game(task, g) for g in range(60)]
    assert {played.status for played in games} == {"won", "stuck"}
    assert sum(played.status == "won" for played in games) == play_batch(task, 0, 60)["wins"]
    for played in games:
        assert played.game().status == ("won" if played.status == "won" else "playing")


def test_a_game_prints_its_moves_and_what_the_player_sees() -> None:
    played = play_game(Task(Board((4, 4)), 3, seed=1), 0)
    lines = str(played).splitlines()
    assert lines[0] == f"{played.task.title}; game 0: {played.status}"
    assert [line.split()[0] for line in lines[1:-4]] == [move.action for move in played.moves]
    assert lines[-4:] == played.game().view() == str(played.game()).splitlines()[1:]
    assert len(repr(played)) < 300
