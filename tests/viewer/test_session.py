"""A session says what the library says, and sends only what changed."""

import json
import math

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.games.analysis import analyse
from msdensity.games.game import Game, play_game
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.state import UNKNOWN
from msdensity.players.registry import PLAYERS
from msdensity.runs.sweep import top_up
from msdensity.studies.published_players.losses import kind_of_loss
from msdensity.viewer.choices import REMEMBER, choices, fitting_mines
from msdensity.viewer.duel import duel
from msdensity.viewer.many import many_games
from msdensity.viewer.picture import MINED, SAFE
from msdensity.viewer.session import FLAT, Session
from msdensity.viewer.table import Position, Watched


class Page:
    """What a page knows after the replies of a session, as the JavaScript keeps it."""

    def __init__(self, session: Session | None = None) -> None:
        self.session = session or Session()
        self.frame: dict = {}
        self.log: list = []
        self.others: list[dict] = []
        self.ask(do="hello")

    def ask(self, **message: object) -> "Page":
        work = self.session.background(message)
        replies = list(work) if work is not None else self.session.answer(message)
        for reply in json.loads(json.dumps(replies, allow_nan=False)):
            if reply["kind"] == "board":
                self.shape, self.board = reply["shape"], reply
                cells = math.prod(self.shape)
                self.symbols, self.hints = ["."] * cells, [None] * cells
                self.log = []
            elif reply["kind"] == "frame":
                self.frame = reply
                for c, symbol in zip(reply["cells"], reply["symbols"][0], strict=True):
                    self.symbols[c] = symbol
                for c, i in zip(reply["hinted"], reply["which"], strict=True):
                    self.hints[c] = reply["values"][i]
                self.log = self.log[: reply["log_from"]] + reply["log"]
            else:
                self.others.append(reply)
        return self

    @property
    def error(self) -> str:
        last = self.others[-1]
        assert last["kind"] == "error"
        return last["text"]

    @property
    def rows(self) -> list[str]:
        width = self.shape[1]
        text = "".join(self.symbols)
        return [text[i : i + width] for i in range(0, len(text), width)]


NEW = {"do": "new", "board": "8x8", "mines": 10, "first": "corner", "start": "zero", "game": 3}


def hints_by_analyse(page: Page, mines: int | None, trust: bool = True) -> list[float | None]:
    answer = analyse(page.rows, mines, page.board["topology"], trust)
    hints = answer.safety.copy()
    for value, places in ((SAFE, answer.safe), (MINED, answer.mined)):
        for place in places:
            hints[place] = value
    return [None if math.isnan(x) else x for x in hints.ravel().tolist()]


@pytest.mark.parametrize("topology", FLAT)
def test_hints_are_those_of_analyse_after_every_action(topology: str) -> None:
    page = Page().ask(do="see", on=True)
    page.ask(**NEW | {"board": "6x8" if topology == "square8" else f"6x8-{topology}", "mines": 6})
    rng = np.random.default_rng(1)
    for _ in range(12):
        assert page.hints == hints_by_analyse(page, 6, trust=False)
        covered = [c for c, symbol in enumerate(page.symbols) if symbol == "."]
        action = ("open", "flag")[rng.integers(2)]
        page.ask(do="act", action=action, cell=int(rng.choice(covered)))
        if page.frame["status"] != "playing":
            assert set(page.hints) == {None}
            break


def test_a_frame_has_only_what_changed_and_the_log_grows() -> None:
    page = Page().ask(**NEW)
    covered = page.symbols.index(".")
    page.ask(do="act", action="flag", cell=covered)
    assert page.frame["cells"] == [covered] and page.frame["symbols"] == ["F"]
    assert page.frame["log_from"] == 1 and len(page.frame["log"]) == 1
    page.ask(do="act", action="open", cell=covered)  # a flag protects its cell
    assert page.frame["cells"] == [] and page.frame["log"] == []
    assert page.frame["mines_left"] == 9
    page.ask(do="undo")
    assert page.symbols[covered] == "." and len(page.log) == 1


def test_a_game_by_hand_is_won_and_lost_as_game_says() -> None:
    task = Task("8x8", 10)
    page = Page().ask(**NEW | {"start": "safe", "game": 5})
    game = Game.deal(task, 5)
    mined = [c == "*" for c in "".join(game.layout)]
    chances = 1.0
    for c, mine in enumerate(mined):
        if not mine:
            chance = 1.0
            if page.symbols[c] == "." and page.frame["moves"]:
                answer = analyse(page.rows, 10)
                if (c // 8, c % 8) not in answer.safe:
                    chance = float(answer.safety.ravel()[c])
            chances *= chance
            page.ask(do="act", action="open", cell=c)
    assert page.frame["status"] == "won"
    assert page.frame["survival"] == pytest.approx(chances)
    assert all(page.symbols[c] == "m" for c, mine in enumerate(mined) if mine)
    page.ask(**NEW | {"start": "safe", "game": 5})
    page.ask(do="act", action="flag", cell=mined.index(False, 9))
    page.ask(do="act", action="open", cell=mined.index(True))
    assert page.frame["status"] == "lost" and page.symbols[mined.index(True)] == "*"
    assert "x" in page.symbols  # the wrong flag


def test_a_chord_counts_the_probability_that_all_its_cells_are_safe() -> None:
    page = Page().ask(do="new", board="1x4", mines=1, first="cell:1", start="safe", game=0)
    while page.rows != [".1.."]:
        page.ask(do="new", board="1x4", mines=1, first="cell:1", start="safe", game=1)
    page.ask(do="act", action="flag", cell=0).ask(do="act", action="chord", cell=1)
    assert page.log[-1][1] == "chord" and page.log[-1][4] == pytest.approx(1 / 2)


def test_a_flag_before_the_first_click_stays() -> None:
    page = Page().ask(**NEW | {"first": "anywhere"})
    page.ask(do="act", action="flag", cell=9).ask(do="act", action="flag", cell=10)
    page.ask(do="act", action="flag", cell=10).ask(do="act", action="open", cell=9)
    assert page.rows[1] == ".F......" and page.frame["mines_left"] == 9
    page.ask(do="act", action="open", cell=0)
    assert page.rows[1][1] == "F" and page.rows[0][0] == "0"
    page.ask(do="undo")
    assert page.rows[0][0] == "0"


def test_the_first_click_by_hand_deals_the_game_of_its_link() -> None:
    page = Page().ask(**NEW | {"first": "anywhere", "start": "safe", "board": "16x30", "mines": 99})
    assert page.frame["moves"] == 0 and "first=anywhere" in page.frame["link"]
    page.ask(do="act", action="open", cell=100)
    link = dict(part.split("=") for part in page.frame["link"].split("&"))
    assert link["first"] == "cell%3A100"
    again = Page().ask(do="new", **link | {"first": "cell:100"})
    assert again.symbols == page.symbols and again.frame["link"] == page.frame["link"]


@pytest.mark.parametrize("player", ["weighted", "single_point", "csp_report", "cellular_automaton"])
def test_a_watched_game_is_that_of_play_game(player: str) -> None:
    played = play_game(Task("9x9", 14, player, seed=4), 2)
    page = Page().ask(
        do="watch", board="9x9", mines=14, player=player, seed=4, game=2, first="corner"
    )
    columns = 9
    for entry, move in zip(page.log, played.moves, strict=True):
        assert entry[0] == move.cell[0] * columns + move.cell[1]
        assert entry[1:4] == [move.action, move.reason, move.guess]
        exact = move.safety if move.safeties is None else move.safeties[move.cell]
        assert entry[4] == pytest.approx(float(exact))
    for at in (1, len(played.moves), len(played.moves) // 2, 0):
        page.ask(do="step", to=at)
        view = played.game(at).view()
        shown = [row.replace("m", ".").replace("x", "F") for row in page.rows]
        assert shown == view and page.frame["at"] == at
    page.ask(do="step", to=10**6)
    assert page.frame["status"] == played.status
    page.ask(do="step", to=1).ask(do="take")
    assert page.frame["mode"] == "hand" and page.rows == played.game(1).view()


def test_why_names_the_numbers_and_the_rule() -> None:
    page = Page().ask(do="bring", rows="1..\n...", mines=None)
    page.ask(do="bring", rows="0..")
    page.ask(do="why", cell=1)
    why = page.others[-1]
    assert why["rule"] == "single" and why["numbers"] == [0] and not why["mined"]
    page.ask(do="bring", rows="121\n...\n...")
    page.ask(do="why", cell=4)
    why = page.others[-1]
    assert why["rule"] in ("pair", "component") and set(why["numbers"]) <= {0, 1, 2}
    assert why["steps"]
    page.ask(do="bring", rows="1..", mines=1).ask(do="why", cell=2)
    assert page.others[-1]["rule"] in ("single", "mine count")
    page.ask(do="bring", rows="1...\n....", mines=3).ask(do="why", cell=1)
    assert "is not certain: its safety is" in page.others[-1]["text"]


def test_an_impossible_position_names_its_numbers() -> None:
    page = Page().ask(do="see", on=True).ask(do="bring", rows="1..1", mines=1)
    found = page.others[-1]
    assert found["kind"] == "impossible" and found["numbers"] == [0, 3] and found["total"]
    assert not page.frame["hints"]["consistent"]


def test_the_exported_text_and_link_bring_the_same_position() -> None:
    page = Page().ask(**NEW).ask(do="act", action="flag", cell=63).ask(do="export")
    export = page.others[-1]
    assert export["rows"] == page.rows and export["mines"] == 10
    link = dict(part.split("=") for part in export["link"].split("&"))
    again = Page().ask(do="bring", **link | {"trust": link.get("trust") != "no"})
    assert again.symbols == page.symbols and again.frame["mines"] == 10


def test_alternatives_are_the_safest_cells() -> None:
    page = Page().ask(do="bring", rows="1.2\n...\n...", mines=3).ask(do="advice")
    advice = page.others[-1]
    safety = analyse(["1.2", "...", "..."], 3).safety.ravel()
    best = advice["groups"][0]
    assert best["safety"] == np.nanmax(safety)
    assert [g["safety"] for g in advice["groups"]] == sorted(
        {g["safety"] for g in advice["groups"]}, reverse=True
    )


def test_players_choose_as_in_their_own_games() -> None:
    """In a position of its own game a player without memory makes the move of that game."""
    for name, g in (("weighted", 6), ("weighted", 7), ("csp_report", 6), ("resolution", 6)):
        played = play_game(Task("8x8", 14, name, seed=1), g)
        at = next(i for i, move in enumerate(played.moves) if move.guess)
        watched = Watched(played)
        watched.step(at)
        found = {choice["player"]: choice for choice in choices(watched.position())}
        assert set(found) == set(PLAYERS)
        move = played.moves[at]
        cell = move.cell[0] * 8 + move.cell[1]
        assert found[name]["reason"] == move.reason
        if name == "weighted":  # the others draw among ties
            assert found[name]["cell"] == cell
        assert all("memory" in found[other]["reason"] for other in REMEMBER)


def test_mines_that_fit_meet_every_number() -> None:
    rng = np.random.default_rng(3)
    for g in range(20):
        played = play_game(Task("8x8", 12, seed=2), g)
        watched = Watched(played)
        watched.step(int(rng.integers(1, len(played.moves))))
        position = watched.position()
        mined = fitting_mines(position)
        assert mined.sum() == 12
        states = np.where((position.states != UNKNOWN) & (position.states != 2), 1, 0)
        rows = ["".join("*" if m else "-" for m in row) for row in mined.reshape(8, 8)]
        numbers = "".join(Game(rows).numbers())
        for c in np.flatnonzero(states).tolist():
            assert numbers[c] == str(position.numbers[c])


def test_many_games_add_up_to_those_of_a_batch() -> None:
    task = Task("8x8", 14, seed=5)
    *_, last = many_games(task, 7, 150)
    sums = play_batch(task, 7, 150)
    assert last["games"] == 150 and last["wins"] == sums["wins"]
    assert sum(last["guesses"]) == 150
    assert last["low"] < last["wins"] / 150 < last["high"]
    kinds = dict.fromkeys(last["kinds"], 0)
    for g in range(7, 157):
        played = play_game(task, g)
        if played.status == "lost":
            kinds[kind_of_loss(played)] += 1
    assert last["kinds"] == kinds and len([n for n in kinds.values() if n]) > 2


def test_lost_games_of_a_ledger_and_only_of_a_ledger(tmp_path) -> None:
    task = Task("8x8", 14, "single_point", seed=5)
    top_up([task], 60, tmp_path / "inner" / "a.csv")
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    session = Session(tmp_path)
    page = Page(session).ask(do="ledgers")
    assert page.others[-1]["names"] == ["inner/a.csv"]
    page.ask(do="lost", ledger="inner/a.csv", count=60)
    lost = page.others[-1]
    games = [play_game(task, g) for g in range(60)]
    wanted = [str(game.g) for game in games if game.status == "lost"]
    assert [game["game"] for game in lost["games"]] == wanted and 0 < len(wanted) < 60
    first = lost["games"][0]
    page.ask(do="open_lost", ledger="inner/a.csv", game=first["game"])
    assert page.frame["at"] == first["move"] - 1 and page.frame["status"] == "playing"
    for name in ("secret.csv", "../inner/a.csv", "/etc/passwd", "inner/../inner/a.csv", ""):
        assert "must be the name of a ledger" in page.ask(do="lost", ledger=name).error
    assert "must be the name" in Page().ask(do="lost", ledger="inner/a.csv").error


def test_lost_games_are_told_as_they_are_found(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("msdensity.viewer.lost.SECONDS", 0.0)
    top_up([Task("8x8", 14, "single_point", seed=5)], 9, tmp_path / "a.csv")
    work = Session(tmp_path).background({"do": "lost", "ledger": "a.csv", "count": 9})
    assert work is not None
    told = [(len(reply["games"]), reply["text"].split(". ", 1)[1]) for reply in work]
    assert len(told) == 10
    for played, (lost, text) in enumerate(told[:-1], 1):
        assert text == f"{lost} of {played} games are lost. Playing ..."
    assert told[-1] == (told[-2][0], f"{told[-2][0]} of 9 games are lost.")


def test_what_was_shown_before_an_error_is_sent(monkeypatch) -> None:
    def fail(position: Position) -> None:
        raise InputError("grid must be smaller")

    page = Page()
    monkeypatch.setattr("msdensity.viewer.advice.impossible", fail)
    page.ask(do="bring", rows="12.\n...\n...", mines="")
    assert page.error == "grid must be smaller" and page.rows == ["12.", "...", "..."]


def test_a_page_can_ask_for_all_of_its_table_again() -> None:
    page = Page().ask(**NEW)
    page.ask(do="act", action="flag", cell=page.symbols.index("."))
    known = page.rows, page.log
    late = Page(page.session).ask(do="again")
    assert (late.rows, late.log) == known and len(late.log) == 2


def test_two_players_part_at_their_first_different_guess() -> None:
    task = Task("8x8", 14, seed=5)
    parted = 0
    for g in range(12):
        found, played = duel(task, g, "csp_report")
        other = play_game(Task("8x8", 14, "csp_report", seed=5), g)
        if found["parting"] is None:
            assert [m.cell for m in played.guesses] == [m.cell for m in other.guesses]
            continue
        parted += 1
        assert played.moves[found["parting"]].guess or found["cells"][0] != found["cells"][1]
    assert parted > 2
    same, _ = duel(task, 0, "weighted")
    assert same["parting"] is None


def test_a_board_beyond_the_bounds_is_refused_in_words() -> None:
    page = Page()
    before = page.frame
    assert "at most 200 cells" in page.ask(**NEW | {"board": "1000x1000", "mines": 9}).error
    assert "at most 200" in page.ask(do="bring", rows="\n".join(["." * 1000] * 1000)).error
    assert "must have two sides" in page.ask(**NEW | {"board": "4x4x4-cubic6"}).error
    assert "do=" in page.ask(do="delete").error
    assert "cell=" in page.ask(do="act", action="open", cell=10**6).error
    assert "player=" in page.ask(do="watch", board="8x8", mines=9, player="os:system").error
    slow = {"board": "200x200", "mines": 6000, "player": "listing"}
    assert "to be played by listing here" in page.ask(do="watch", **slow).error
    assert "games=" in page.ask(**NEW | {"do": "many", "games": 10**9}).error
    assert "board=" in page.ask(**NEW | {"board": "mine.json"}).error
    assert Session().answer([1])[0]["kind"] == "error"
    assert page.frame is before


def test_the_marked_density_is_measured_or_an_estimate_or_absent() -> None:
    page = Page().ask(do="density", board="16x30")
    known = page.others[-1]
    assert known["sort"] == "measured" and 0 < known["error"] < 0.01
    page.ask(do="density", board="17x23")
    assert page.others[-1]["sort"] == "estimate"
    page.ask(do="density", board="9x9-hexagonal")
    assert page.others[-1]["value"] is None and "error" not in page.others[-1]


def test_an_estimate_is_called_one() -> None:
    """A position beyond the exact budget says so."""
    task = Task("60x60", 900, seed=1)
    page = Page().ask(do="see", on=True)
    rng = np.random.default_rng(5)
    mined = rng.random((40, 40)) < 0.3
    game = Game(["".join("*" if m else "-" for m in row) for row in mined])
    for i in range(0, 40, 2):
        for j in range(0, 40, 2):
            if not mined[i, j]:
                game.open(i, j)
    rows = "\n".join(game.view())
    page.ask(do="bring", rows=rows, mines=int(mined.sum()))
    assert page.frame["hints"]["exact"] is analyse(rows.split("\n"), int(mined.sum())).exact
    assert page.frame["hints"]["exact"] is False
    assert task.mines == 900


def test_positions_read_and_write_the_same_rows() -> None:
    rows = ["12F", ".a0"]
    position = Position.read(rows, None, "square8", True)
    assert position.rows == rows
