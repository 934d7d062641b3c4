"""`md.view`: the widget shows a game, a played game and an analysis, and answers."""

import pickle

import numpy as np
import pytest

import msdensity as md
from msdensity.errors import InputError
from msdensity.viewer.widget import Viewer


def frame_of(viewer: Viewer) -> dict:
    kinds = [reply["kind"] for reply in viewer.first]
    assert kinds == ["hello", "board", "frame"]
    return viewer.first[2]


def test_a_game_is_played_on_in_the_widget_and_yours_stays_as_it_is(monkeypatch) -> None:
    game = md.Game.deal(md.Task("8x8", 10), 3)
    game.open(0, 0)
    viewer = md.view(game)
    assert frame_of(viewer)["symbols"] == ["".join(game.view())]
    replies: list[dict] = []
    monkeypatch.setattr(viewer, "send", replies.append)
    mine = next(c for c, cell in enumerate("".join(game.layout)) if cell == "*")
    viewer._answer(viewer, {"do": "act", "action": "open", "cell": mine}, [])
    assert replies[-1]["status"] == "lost"
    viewer._answer(viewer, {"do": "undo"}, [])
    viewer._answer(viewer, {"do": "undo"}, [])
    assert replies[-1]["status"] == "playing" and len(game.actions) == 1


def test_a_widget_that_is_shown_again_shows_what_came_after(monkeypatch) -> None:
    viewer = md.view(md.Game(["*-", "--"]))
    replies: list[dict] = []
    monkeypatch.setattr(viewer, "send", replies.append)
    viewer._answer(viewer, {"do": "act", "action": "open", "cell": 1}, [])
    viewer._answer(viewer, {"do": "again"}, [])
    assert [reply["kind"] for reply in replies] == ["frame", "board", "frame"]
    assert replies[-1]["symbols"] == [".1.."] and replies[-1]["log_from"] == 0
    assert len(replies[-1]["log"]) == 1


def test_a_played_game_is_watched() -> None:
    played = md.play_game(md.Task("8x8", 10), 3)
    frame = frame_of(md.view(played))
    assert frame["mode"] == "watch" and frame["at"] == len(played.moves) == len(frame["log"])


def test_an_analysis_is_shown_with_its_safeties() -> None:
    answer = md.analyse(["1.F", "...", "..2"], 3, "hexagonal")
    frame = frame_of(md.view(answer))
    assert frame["symbols"] == ["1.F.....2"] and frame["mode"] == "position"
    hints = [frame["values"][i] for i in frame["which"]]
    known = ~np.isnan(answer.safety.ravel())
    assert len(hints) == known.sum()
    assert frame["hints"]["safe"] == len(answer.safe)
    assert "hints" not in frame_of(md.view(answer, hints=False))


def test_what_cannot_be_shown_is_refused() -> None:
    with pytest.raises(InputError, match="must be a Game, a PlayedGame or an Analysis"):
        md.view("8x8")
    with pytest.raises(InputError, match="at most 200"):
        md.view(md.analyse(["." * 300], 3))
    with pytest.raises(InputError, match="built-in"):
        md.view(md.Game(["*-"], [[1], [0]]))
    copy = pickle.loads(pickle.dumps(md.analyse(["1."], 1)))
    with pytest.raises(InputError, match=r"that `md\.analyse` has returned here"):
        md.view(copy)
