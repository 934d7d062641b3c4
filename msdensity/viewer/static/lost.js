// The panel of lost games from a ledger.
import { labelled, make, percent, select } from "./words.js";

export function lostPanel(viewer) {
  return new LostPanel(viewer);
}

class LostPanel {
  constructor(viewer) {
    this.viewer = viewer;
    this.name = "Lost games";
    this.ledger = select([], undefined, () => this.list());
    this.mines = select([], undefined, () => {});
    this.first = make("input", { type: "text", inputMode: "numeric", value: "0", size: 10 });
    this.count = make("input", { type: "number", value: "50", min: "1", max: "500" });
    this.words = make("p", { className: "msd-small", "aria-live": "polite" });
    this.body = make("tbody");
    this.button = make("button", { type: "button", className: "msd-main", disabled: true,
      onclick: () => this.find() }, "Find the lost games");
    this.element = make("section", {}, labelled("Ledger", this.ledger),
      make("div", { className: "msd-row" }, labelled("Mines", this.mines),
        labelled("From game", this.first), labelled("Games", this.count)),
      make("div", { className: "msd-row" },
        this.button),
      this.words,
      make("table", {}, make("thead", {}, make("tr", {},
        ...["game", "move", "cell", "safety", "kind"].map((name) => make("th", { scope: "col" }, name)))),
        this.body));
  }

  open() {
    this.viewer.send({ do: "ledgers" });
  }

  list() {
    if (this.ledger.value) this.viewer.send({ do: "lost", ledger: this.ledger.value, count: 0 });
  }

  query() {
    return { ledger: this.ledger.value, mines: this.mines.value, from: this.first.value.trim(),
      count: Number(this.count.value) };
  }

  find() {
    this.body.replaceChildren();
    this.viewer.send({ do: "lost", ...this.query() });
  }

  receive(message) {
    if (message.kind === "ledgers") this.showNames(message.names);
    if (message.kind === "lost") this.showLost(message);
  }

  showNames(names) {
    const chosen = this.ledger.value;
    this.ledger.replaceChildren(...names.map((name) => make("option", { value: name }, name)));
    this.button.disabled = !names.length;
    if (names.includes(chosen)) this.ledger.value = chosen;
    this.words.textContent = names.length ? ""
      : "No ledgers: start the page with msdensity view --ledgers FOLDER.";
    if (names.length && this.ledger.value !== chosen) this.list();
  }

  showLost(message) {
    if (message.totals.length) {
      const chosen = this.mines.value;
      this.mines.replaceChildren(...message.totals.map((mines) =>
        make("option", { value: String(mines) }, String(mines))));
      if (message.totals.map(String).includes(chosen)) this.mines.value = chosen;
    }
    this.words.textContent = message.text;
    this.body.replaceChildren(...message.games.map((game) => make("tr", {},
      make("td", {}, make("button", { type: "button", className: "msd-link",
        onclick: () => this.viewer.send({ do: "open_lost", ...this.query(), game: game.game }) },
      game.game)),
      make("td", {}, String(game.move)), make("td", {}, this.name2(game.cell)),
      make("td", {}, game.safety === null ? "" : percent(game.safety, 2)),
      make("td", {}, game.kind))));
  }

  name2([row, column]) {
    return `${row},${column}`;
  }
}
