// The panel of many games in the background: wins, guesses, kinds of loss.
import { labelled, make, percent } from "./words.js";
import { PlayerChoice } from "./watch.js";

export function manyPanel(viewer) {
  return new ManyPanel(viewer);
}

class ManyPanel {
  constructor(viewer) {
    this.viewer = viewer;
    this.name = "Many games";
    this.choice = new PlayerChoice("Player");
    this.games = make("input", { type: "number", value: "10000", min: "1", max: "1000000" });
    this.facts = make("dl", { className: "msd-facts" });
    this.bars = make("tbody");
    this.kinds = make("tbody");
    this.note = make("p", { className: "msd-small" });
    const table = (caption, body) => make("table", { className: "msd-bars" },
      make("caption", {}, caption), body);
    this.element = make("section", {}, this.choice.element, labelled("Games", this.games),
      make("div", { className: "msd-row" },
        make("button", { type: "button", className: "msd-main", onclick: () => this.start() },
          "Play them"),
        make("button", { type: "button", onclick: () => viewer.send({ do: "stop" }) }, "Stop")),
      this.facts, table("Guesses in a game", this.bars), table("Lost games by kind (003, 5.2)",
        this.kinds), this.note);
  }

  receive(message) {
    if (message.kind === "hello") this.choice.fill(message, "weighted");
    if (message.kind === "many") this.show(message);
    if (message.kind === "stopped") {
      this.note.textContent = this.note.textContent.replace("Playing ...", "Stopped.");
    }
  }

  start() {
    this.viewer.send({ do: "many", ...this.viewer.panels[0].task(), ...this.choice.value,
      games: Number(this.games.value) });
  }

  show(many) {
    const interval = `${percent(many.low, 2)} to ${percent(many.high, 2)}`;
    const rows = [["games", many.games.toLocaleString("en")], ["wins", many.wins.toLocaleString("en")],
      ["win rate", percent(many.rate, 2)], ["95 %", interval],
      ["games a second", Math.round(many.per_second).toLocaleString("en")]];
    this.facts.replaceChildren(...rows.map(([name, value]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, value))));
    this.fillBars(this.bars, many.guesses.map((count, i) => [many.labels[i], count]), many.games);
    this.fillBars(this.kinds, Object.entries(many.kinds).map(([kind, count]) => [kind.replace("_", " "), count]), many.games - many.wins);
    this.note.textContent = many.note;
  }

  fillBars(body, rows, total) {
    const most = Math.max(1, ...rows.map(([, count]) => count));
    body.replaceChildren(...rows.map(([name, count]) => {
      const bar = make("div", { className: "msd-bar" });
      bar.style.width = `${(100 * count) / most}%`;
      return make("tr", {}, make("th", { scope: "row" }, String(name)),
        make("td", { className: "msd-track" }, bar),
        make("td", { className: "msd-count" }, `${count.toLocaleString("en")}  ${percent(total ? count / total : 0)}`));
    }));
  }
}
