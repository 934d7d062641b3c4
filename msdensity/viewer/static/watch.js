// The panel in which a player plays: its moves, its reasons, and two players on one board.
import { labelled, make, percent, select } from "./words.js";

const WINDOW = 120;

export function watchPanel(viewer) {
  return new WatchPanel(viewer);
}

// The choice of a player and its options.
export class PlayerChoice {
  constructor(label) {
    this.player = select([], undefined, () => this.showOptions());
    this.summary = make("p", { className: "msd-small" });
    this.options = make("div", { className: "msd-options" });
    this.more = make("details", {}, make("summary", {}, "Options"), this.options);
    this.element = make("div", {}, labelled(label, this.player), this.summary, this.more);
  }

  fill(hello, value) {
    this.players = hello.players;
    this.player.replaceChildren(...Object.keys(hello.players).map((name) =>
      make("option", { value: name }, name)));
    this.player.value = value;
    this.showOptions();
  }

  showOptions() {
    const info = this.players[this.player.value];
    this.summary.textContent = `${info.summary} (${info.source})`;
    this.more.hidden = Object.keys(info.options).length === 0;
    this.selects = {};
    this.options.replaceChildren(...Object.entries(info.options).map(([key, option]) => {
      this.selects[key] = select(option.choices, option.default, () => {});
      return labelled(key, this.selects[key]);
    }));
  }

  get value() {
    const options = Object.entries(this.selects).map(([key, element]) => [key, element.value]);
    return { player: this.player.value, options: Object.fromEntries(options) };
  }
}

class WatchPanel {
  constructor(viewer) {
    this.viewer = viewer;
    this.name = "Watch";
    this.choice = new PlayerChoice("Player");
    this.other = select([], undefined, () => {});
    this.playing = false;
    const button = (text, name, onclick) =>
      make("button", { type: "button", onclick, title: name, "aria-label": name }, text);
    this.playButton = button("Play", "Play", () => this.toggle());
    this.speed = make("input", { type: "range", min: "0", max: "100", value: "45",
      oninput: () => this.showSpeed() });
    this.rate = make("output", {});
    this.log = make("ol", { className: "msd-log", tabIndex: 0, "aria-label": "Log of the moves" });
    this.words = make("p", { className: "msd-small", "aria-live": "polite" });
    this.element = make("section", {}, this.choice.element,
      make("div", { className: "msd-row" },
        make("button", { type: "button", className: "msd-main", onclick: () => this.watch() },
          "Watch this game"),
        make("button", { type: "button", onclick: () => viewer.send({ do: "take" }) },
          "Play on by hand")),
      make("div", { className: "msd-row msd-transport" },
        button("Start", "To the start", () => this.step(0)),
        button("Back", "Step back", () => this.step(this.at - 1)),
        this.playButton,
        button("Forward", "Step forward", () => this.step(this.at + 1)),
        button("Next guess", "To the next guess", () => this.nextGuess()),
        button("End", "To the end", () => this.step(this.count))),
      labelled("Speed", this.speed, this.rate),
      this.words, this.log,
      make("div", { className: "msd-row" }, labelled("Against", this.other),
        make("button", { type: "button", onclick: () => this.duel() }, "Where do they part?")));
    this.showSpeed();
  }

  get at() {
    return this.viewer.frame?.at ?? 0;
  }

  get count() {
    return this.viewer.log.length;
  }

  // Moves in a second: 1 at the left, 240 at the right.
  get perSecond() {
    return Math.round(240 ** (this.speed.value / 100));
  }

  showSpeed() {
    this.rate.textContent = `${this.perSecond} / s`;
  }

  receive(message) {
    if (message.kind === "hello") {
      this.choice.fill(message, "weighted");
      this.other.replaceChildren(...Object.keys(message.players).map((name) =>
        make("option", { value: name }, name)));
      this.other.value = "single_point";
    }
    if (message.kind === "frame") this.showFrame(message);
    if (message.kind === "duel") this.showDuel(message);
    if (message.kind === "error") this.pause();
  }

  open() {
    if (this.viewer.frame) this.showLog(this.viewer.frame);
  }

  watch() {
    this.pause();
    this.viewer.send({ do: "watch", ...this.viewer.panels[0].task(), ...this.choice.value });
  }

  duel() {
    this.pause();
    this.viewer.send({ do: "duel", ...this.viewer.panels[0].task(), ...this.choice.value,
      other: this.other.value });
  }

  showDuel(message) {
    this.viewer.say(message.text);
    const marks = new Map();
    if (message.cells[1] !== null) marks.set(message.cells[1], "ask");
    if (message.cells[0] !== null) marks.set(message.cells[0], "proof");
    this.viewer.board.mark(marks);
  }

  step(to) {
    if (this.viewer.frame?.mode !== "watch") return;
    this.viewer.send({ do: "step", to: Math.max(0, Math.min(to, this.count)) });
  }

  nextGuess() {
    const { log } = this.viewer;
    let next = this.at + 1;
    while (next < log.length && !log[next][3]) next += 1;
    this.step(next);
  }

  toggle() {
    if (this.playing) this.pause();
    else if (this.viewer.frame?.mode === "watch") {
      this.playing = true;
      this.playButton.textContent = "Pause";
      this.playButton.setAttribute("aria-label", "Pause");
      this.playButton.title = "Pause";
      this.due = performance.now();
      if (this.at >= this.count) this.step(0);
      else this.advance();
    }
  }

  pause() {
    this.playing = false;
    clearTimeout(this.timer);
    this.playButton.textContent = "Play";
    this.playButton.setAttribute("aria-label", "Play");
    this.playButton.title = "Play";
  }

  // Make the moves that are due; the next ones wait for the answer, so that none pile up.
  advance() {
    const now = performance.now();
    const each = 1000 / this.perSecond;
    const moves = Math.floor((now - this.due) / each);
    if (moves < 1) {
      this.timer = setTimeout(() => this.advance(), Math.max(this.due + each - now, 16));
      return;
    }
    this.due = Math.max(this.due + moves * each, now - 250);
    this.step(this.at + moves);
  }

  showFrame(frame) {
    if (frame.mode === "watch" && this.playing) {
      if (frame.at >= this.count) this.pause();
      else this.timer = setTimeout(() => this.advance(), 0);
    } else if (frame.mode !== "watch") this.pause();
    if (frame.mode === "watch" && frame.at > 0) {
      const [cell] = this.viewer.log[frame.at - 1];
      this.viewer.board.mark(new Map([[cell, "ask"]]));
      this.viewer.scrollTo(cell);
    }
    if (!this.element.hidden) this.showLog(frame);
  }

  showLog(frame) {
    const { log } = this.viewer;
    const first = Math.max(0, frame.at - WINDOW);
    const last = Math.min(log.length, frame.at + WINDOW);
    this.log.start = first + 1;
    this.log.replaceChildren(...log.slice(first, last).map((entry, i) =>
      this.line(entry, first + i, first + i === frame.at - 1)));
    const cut = first > 0 || last < log.length ? `, ${first + 1} to ${last} shown` : "";
    this.words.textContent = frame.mode === "position" ? "A position has no log."
      : `${frame.at} of ${log.length} moves${cut}`;
    const current = this.log.querySelector("[aria-current]");
    if (current) this.log.scrollTop = current.offsetTop - this.log.clientHeight / 2;
  }

  line([cell, action, reason, guess, safety], index, current) {
    const share = safety === null || (!guess && (safety === 1 || safety === 0)) ? "" : `, safety ${percent(safety, 2)}`;
    const text = `${action} ${this.viewer.place(cell)}: ${reason}${share}`;
    const item = make("li", { className: guess ? "msd-guess" : "" },
      make("button", { type: "button", className: "msd-link", tabIndex: current ? 0 : -1,
        onclick: () => this.jump(index, cell) }, text));
    if (current) item.setAttribute("aria-current", "step");
    return item;
  }

  // Show the board before a move that was clicked, and its cell.
  jump(index, cell) {
    this.pause();
    if (this.viewer.frame.mode === "watch") this.step(index + 1);
    else this.viewer.board.mark(new Map([[cell, "ask"]]));
  }
}
