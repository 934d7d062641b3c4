// The panel of a new game: board, mines, rules, seed and number, and the link to it.
import { labelled, make, select } from "./words.js";

export function gamePanel(viewer) {
  return new GamePanel(viewer);
}

class GamePanel {
  constructor(viewer) {
    this.viewer = viewer;
    this.name = "Game";
    const number = (value, min, max, oninput) =>
      make("input", { type: "number", value: String(value), min: String(min), max: String(max), oninput });
    const changed = () => this.boardChanged();
    this.level = select([], undefined, () => this.setLevel());
    this.rows = number(9, 1, 200, changed);
    this.columns = number(9, 1, 200, changed);
    this.topology = select([], undefined, changed);
    this.mines = number(10, 1, 39999, () => this.showDensity());
    this.slider = make("input", {
      type: "range", min: "1", max: "80", value: "10",
      oninput: () => { this.mines.value = this.slider.value; this.showDensity(); },
    });
    this.mark = make("div", { className: "msd-mark", hidden: true });
    this.density = make("output", {});
    this.half = make("p", { className: "msd-small" });
    this.start = select([], undefined, () => this.startChanged());
    this.first = select([], undefined, () => {});
    this.seed = make("input", { type: "text", inputMode: "numeric", value: "0", size: 12 });
    this.game = make("input", { type: "text", inputMode: "numeric", value: "0", size: 12 });
    this.link = make("input", { type: "text", readOnly: true, className: "msd-wide" });
    const button = (text, onclick) => make("button", { type: "button", onclick }, text);
    const form = make("form", { onsubmit: (event) => { event.preventDefault(); this.play(); } },
      labelled("Level", this.level),
      make("div", { className: "msd-row" }, labelled("Rows", this.rows),
        labelled("Columns", this.columns)),
      labelled("Topology", this.topology),
      make("div", { className: "msd-row" }, labelled("Mines", this.mines), this.density),
      labelled("Mine density", this.slider, this.mark),
      this.half,
      make("div", { className: "msd-row" }, labelled("Start", this.start),
        labelled("First click", this.first)),
      make("div", { className: "msd-row" }, labelled("Seed", this.seed),
        labelled("Game number", this.game)),
      make("div", { className: "msd-row" },
        make("button", { type: "submit", className: "msd-main" }, "Play this game"),
        button("Next game", () => this.next()), button("Again", () => this.viewer.send({ do: "new", ...this.task("anywhere") }))),
      labelled("Link to this game", this.link),
      button("Copy the link", () => this.copy()));
    this.element = make("section", {}, form);
    this.asked = "";
  }

  receive(message) {
    if (message.kind === "hello") this.fill(message);
    if (message.kind === "density" && message.board === this.boardName()) this.showHalf(message);
    if (message.kind === "board") this.showBoard(message);
    if (message.kind === "frame") this.showFrame(message);
  }

  fill(hello) {
    this.levels = new Map(hello.levels.map(([name, board, mines]) => [name, [board, mines]]));
    const put = (element, names) =>
      element.replaceChildren(...names.map((name) => make("option", { value: name }, name)));
    put(this.level, ["of your own", ...this.levels.keys()]);
    put(this.topology, hello.topologies);
    put(this.start, hello.starts);
    put(this.first, hello.first_clicks);
  }

  showBoard(message) {
    this.shown = message;
    this.fillBoard();
  }

  // The form says which board is shown.
  fillBoard() {
    [this.rows.value, this.columns.value] = this.shown.shape.map(String);
    this.topology.value = this.shown.topology;
    this.boardChanged();
  }

  showFrame(frame) {
    const given = new URLSearchParams(frame.link);
    if (given.has("game")) {
      const before = this.current ?? {};
      this.current = Object.fromEntries(given);
      // Another move in the same game leaves alone what is being typed for the next one.
      const names = ["board", "mines", "start", "seed", "game"];
      if (names.some((name) => this.current[name] !== before[name])) this.fillGame(this.current);
    }
    this.link.value = `${this.viewer.address ? location.href.split("#")[0] : ""}#${frame.link}`;
  }

  fillGame(given) {
    this.fillBoard();
    for (const name of ["mines", "seed", "game", "start"]) this[name].value = given[name];
    if (!given.first.startsWith("cell:")) this.first.value = given.first;
    this.showDensity();
  }

  setLevel() {
    const level = this.levels.get(this.level.value);
    if (!level) return;
    const [board, mines] = level;
    [this.rows.value, this.columns.value] = board.split("x");
    this.topology.value = "square8";
    this.boardChanged();
    this.mines.value = String(mines);
    this.showDensity();
    this.play();
  }

  boardName() {
    const plain = `${Number(this.rows.value)}x${Number(this.columns.value)}`;
    const topology = this.topology.value;
    return topology === "square8" ? plain : `${plain}-${topology}`;
  }

  boardChanged() {
    const cells = this.rows.value * this.columns.value;
    this.slider.max = String(Math.max(1, cells - 1));
    this.mines.max = this.slider.max;
    this.showDensity();
    const fits = [this.rows, this.columns].every((side) => side.validity.valid && side.value);
    if (fits && this.asked !== this.boardName()) {
      this.asked = this.boardName();
      this.mark.hidden = true;
      this.half.textContent = "";
      this.viewer.send({ do: "density", board: this.asked });
    }
  }

  showDensity() {
    const cells = this.rows.value * this.columns.value;
    this.slider.value = this.mines.value;
    this.density.textContent = cells ? `density ${(this.mines.value / cells).toFixed(4)}` : "";
    const level = [...(this.levels ?? [])].find(([, [board, mines]]) =>
      board === this.boardName() && mines === Number(this.mines.value));
    this.level.value = level ? level[0] : "of your own";
  }

  // Where `weighted` wins half of the games: measured, or marked as an estimate.
  showHalf(message) {
    this.mark.hidden = message.value === null;
    if (message.value === null) {
      this.half.textContent = message.text;
      return;
    }
    const share = (message.value * this.rows.value * this.columns.value - 1) / (this.slider.max - 1);
    this.mark.style.left = `calc(8px + (100% - 16px) * ${share.toFixed(4)})`;
    const error = message.error === null ? "" : ` ± ${message.error.toFixed(4)}`;
    const value = `${message.value.toFixed(4)}${error}`;
    const cells = this.rows.value * this.columns.value;
    const mines = `${(message.value * cells).toFixed(1)} mines`;
    this.half.textContent = message.sort === "measured"
      ? `▲ rho50 of weighted: ${value} (${mines}), measured, one standard error.`
      : `▲ rho50 of weighted: about ${value} (${mines}), an estimate between measured boards; `
        + "the error is that of the interpolation.";
    this.half.title = message.text;
  }

  startChanged() {
    if (this.start.value.startsWith("first_zero")) this.first.value = "corner";
  }

  play() {
    this.viewer.send({
      do: "new", board: this.boardName(), mines: this.mines.value, start: this.start.value,
      first: this.first.value, seed: this.seed.value.trim(), game: this.game.value.trim(),
    });
  }

  next() {
    const game = this.game.value.trim() || "0";
    if (/^\d+$/.test(game)) this.game.value = String(BigInt(game) + 1n);
    this.play();
  }

  // The game of the form; the first click by hand is part of the game that is shown.
  task(anywhere = "corner") {
    const task = {
      board: this.boardName(), mines: this.mines.value, start: this.start.value,
      seed: this.seed.value.trim(), game: this.game.value.trim(),
    };
    const same = Object.entries(task).every(([name, value]) => this.current?.[name] === value);
    const first = same ? this.current.first : this.first.value;
    return { ...task, first: first === "anywhere" ? anywhere : first };
  }

  copy() {
    this.link.select();
    navigator.clipboard?.writeText(this.link.value).then(
      () => this.viewer.say("The link is copied."), () => document.execCommand("copy"));
  }
}
