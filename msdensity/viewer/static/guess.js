// The panel of a guess: the safest cells, what the game had to survive, what players would choose.
import { make, percent, probability } from "./words.js";

export function guessPanel(viewer) {
  return new GuessPanel(viewer);
}

class GuessPanel {
  constructor(viewer) {
    this.viewer = viewer;
    this.name = "Guess";
    this.words = make("p", {});
    this.groups = make("tbody");
    this.players = make("tbody");
    this.ask = make("button", { type: "button", onclick: () => this.askPlayers() },
      "What would each player choose?");
    const head = (...names) => make("thead", {},
      make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name))));
    this.element = make("section", {}, this.words,
      make("table", {}, make("caption", {}, "Safest cells"), head("safety", "cells", "where"),
        this.groups),
      this.ask,
      make("table", { className: "msd-choices" }, make("caption", {}, "Choices of the players"),
        head("player", "cell", "safety, reason"), this.players));
  }

  open() {
    this.viewer.send({ do: "advice" });
  }

  receive(message) {
    if (message.kind === "frame") {
      this.players.replaceChildren();
      if (!this.element.hidden) this.open();
    }
    if (message.kind === "advice") this.show(message);
    if (message.kind === "choice") this.showChoice(message);
  }

  show(advice) {
    const { frame } = this.viewer;
    const survived = frame.guesses
      ? `Up to here the game had to survive guesses of probability ${probability(frame.survival)} together.`
      : "The game has had no guess so far.";
    let words = "No safeties are known here.";
    if (frame.status !== "playing") words = "The game has ended.";
    else if (advice.guess) words = "No cell is certainly safe: a guess is needed.";
    else if (advice.groups.length) words = "Some cell is certainly safe: no guess is needed.";
    if (!advice.exact) words += " The safeties are estimates.";
    this.words.textContent = `${words} ${frame.mode === "position" ? "" : survived}`;
    this.groups.replaceChildren(...advice.groups.map((group) => make("tr", {},
      make("td", {}, percent(group.safety, 2)),
      make("td", {}, String(group.cells.length)),
      make("td", {}, this.shower(group.cells)))));
  }

  // A button that lights up cells.
  shower(cells) {
    const few = cells.slice(0, 3).map((cell) => this.viewer.place(cell)).join("  ");
    return make("button", {
      type: "button", className: "msd-link",
      onclick: () => this.viewer.board.mark(new Map(cells.map((cell) => [cell, "ask"]))),
    }, cells.length > 3 ? `${few} …` : few);
  }

  askPlayers() {
    this.players.replaceChildren();
    this.viewer.send({ do: "choices" });
  }

  showChoice(choice) {
    const cell = choice.cell === null ? "none" : this.shower([choice.cell]);
    this.players.append(make("tr", {},
      make("th", { scope: "row" }, ...choice.player.split(/(?<=_)/).flatMap((part) =>
        [part, document.createElement("wbr")])),
      make("td", {}, cell),
      make("td", {}, `${choice.safety === null ? "" : `${percent(choice.safety, 2)}, `}${choice.reason}`)));
  }
}
