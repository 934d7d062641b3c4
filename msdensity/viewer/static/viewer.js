// The viewer: the board, what can be done with it, and the panels beside it.
import { BoardCanvas, MINED, SAFE } from "./board.js";
import { gamePanel } from "./game.js";
import { guessPanel } from "./guess.js";
import { lostPanel } from "./lost.js";
import { manyPanel } from "./many.js";
import { positionPanel } from "./position.js";
import { watchPanel } from "./watch.js";
import { labelled, make, percent, probability, select } from "./words.js";

const KEYS = "Arrows move; Enter or Space opens, or chords on a number; F flags; W says why; "
  + "H turns hints on and off; U takes the last action back; N starts the next game.";

const WAITING = "Waiting for the answer. What is new to this machine is compiled once.";

// root: the element that gets the viewer; address: whether links go to the page's address.
export function mountViewer(root, { address }) {
  const viewer = new Viewer(root, address);
  root.viewer = viewer; // where a test or the console finds what is shown
  return {
    start: (send) => viewer.start(send),
    receive: (message) => viewer.receive(message),
    fail: (text) => viewer.say(text, true),
  };
}

class Viewer {
  constructor(root, address) {
    this.address = address;
    this.frame = null;
    this.frames = 0;
    this.log = [];
    this.zoom = 1;
    this.asked = 0;
    this.began = null;
    this.canvas = make("canvas", {
      className: "msd-board", tabIndex: 0, role: "application", "aria-label": "Board",
      "aria-roledescription": "Minesweeper board",
    });
    this.board = new BoardCanvas(this.canvas);
    this.holder = make("div", { className: "msd-holder" }, this.canvas);
    this.heading = make("h1", {}, "msdensity");
    this.facts = make("dl", { className: "msd-facts" });
    this.words = make("div", { className: "msd-words", role: "status", "aria-live": "polite" });
    this.note = make("p", { className: "msd-note", hidden: true });
    this.spoken = make("div", { className: "msd-spoken", "aria-live": "polite" });
    this.panels = [
      gamePanel(this), guessPanel(this), watchPanel(this), manyPanel(this), positionPanel(this),
      lostPanel(this),
    ];
    root.classList.add("msd");
    root.replaceChildren(
      make("header", {}, this.heading, this.facts),
      make("div", { className: "msd-columns" },
        make("main", {}, this.toolbar(), this.holder, this.note, this.words, this.spoken,
          make("p", { className: "msd-keys" }, KEYS)),
        make("aside", { "aria-label": "Panels" }, this.tabs(), ...this.panels.map((p) => p.element))));
    this.listen();
    this.openPanel(0);
  }

  start(send) {
    this.transmit = send;
    this.send({ do: "hello" });
    this.openAddress(location.hash);
    window.addEventListener("hashchange", () => {
      if (this.address && location.hash.slice(1) !== this.frame?.link) {
        this.openAddress(location.hash);
      }
    });
    new ResizeObserver(() => this.fit()).observe(this.holder.parentElement);
    setInterval(() => this.showFacts(), 1000);
  }

  send(message) {
    if (!["stop", "density"].includes(message.do)) {
      clearTimeout(this.slow);
      this.slow = setTimeout(() => this.say(WAITING), 2500);
    }
    this.transmit(message);
  }

  // Open the game or position that the part of an address after # says.
  openAddress(hash) {
    if (!this.address || hash.length < 2) return;
    const given = Object.fromEntries(new URLSearchParams(hash.slice(1)));
    if (given.rows !== undefined) {
      this.send({ ...given, do: "bring", trust: given.trust !== "no" });
      return;
    }
    const options = {};
    for (const [name, value] of Object.entries(given)) {
      if (name.startsWith("option.")) options[name.slice(7)] = value;
    }
    this.send({ ...given, do: given.player ? "watch" : "new", options });
  }

  receive(message) {
    clearTimeout(this.slow);
    if (this.words.textContent === WAITING) this.say("");
    const deed = {
      board: () => this.showBoard(message),
      frame: () => this.showFrame(message),
      error: () => this.say(message.text, true),
      why: () => this.showWhy(message),
    }[message.kind];
    if (deed) deed();
    for (const panel of this.panels) panel.receive?.(message);
  }

  // Say something below the board; wrong: it is an error.
  say(text, wrong = false, steps = []) {
    this.words.classList.toggle("msd-wrong", wrong);
    this.words.replaceChildren(...[text, ...steps].filter(Boolean).map((line) => make("p", {}, line)));
  }

  showBoard(message) {
    this.log = [];
    this.board.setBoard(message);
    const [rows, columns] = message.shape;
    this.canvas.setAttribute("aria-label",
      `Board ${message.name}, ${rows} rows and ${columns} columns. ${KEYS}`);
    this.name = message.name;
    this.fit();
  }

  showFrame(frame) {
    const before = this.frame;
    this.frame = frame;
    this.frames += 1;
    if (!before && frame.hints) {
      this.hints.value = "on";
      this.board.showHints = "on";
    }
    this.log.length = frame.log_from;
    this.log.push(...frame.log);
    if (this.board.marks.size) this.board.mark(new Map());
    this.board.update(frame);
    if (before?.title !== frame.title || frame.moves < 2) this.began = null;
    if (frame.mode !== "position" && frame.moves > 0) this.began ??= performance.now();
    if (frame.status !== "playing") this.ended ??= performance.now();
    else this.ended = null;
    this.heading.textContent = frame.title;
    this.showFacts();
    this.showNote(frame);
    if (frame.status !== before?.status && frame.status !== "playing") {
      this.say(`The game is ${frame.status}.`);
    } else if (before && this.words.textContent && frame.cells.length) this.say("");
    this.showAddress();
    if (this.asked) {
      const start = this.asked;
      this.asked = 0;
      requestAnimationFrame(() => performance.measure("msdensity answer", { start }));
    }
  }

  // A browser allows few changes of the address in a second: the last one counts.
  showAddress() {
    clearTimeout(this.addressTimer);
    if (!this.address || this.frame.link.length > 2000) return;
    this.addressTimer = setTimeout(() => {
      if (location.hash.slice(1) !== this.frame.link) {
        history.replaceState(null, "", `#${this.frame.link}`);
      }
    }, 200);
  }

  showFacts() {
    const { frame } = this;
    if (!frame) return;
    const rows = [["status", frame.mode === "position" ? "position" : frame.status],
      ["mines left", frame.mines_left ?? "not known"]];
    if (frame.mode !== "position") {
      rows.push(["moves", frame.moves], ["guesses", frame.guesses],
        ["survived", frame.guesses ? this.survival(frame) : "1"]);
    }
    if (frame.mode !== "position") {
      const until = this.ended ?? performance.now();
      rows.push(["time", `${this.began === null ? 0 : Math.floor((until - this.began) / 1000)} s`]);
    }
    this.facts.replaceChildren(...rows.map(([name, value]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, String(value)))));
  }

  survival(frame) {
    return `${frame.survival_exact ? "" : "about "}${probability(frame.survival)}`;
  }

  // What the hints cannot say, or say with a reserve.
  showNote({ hints }) {
    let text = "";
    if (hints && !hints.consistent) text = `This position is impossible: ${hints.reason}.`;
    else if (hints && !hints.exact) {
      text = "This position is too large for exact counting: its safeties are estimates, and there "
        + "may be more certain cells than are marked.";
    } else if (hints && this.frame.mines === null) {
      const [low, high] = hints.mines_range;
      text = `The number of mines is not known, so that only certain cells are marked; the numbers `
        + `allow ${low} to ${high}.`;
    }
    this.note.textContent = text;
    this.note.hidden = !text;
  }

  showWhy(message) {
    const marks = new Map(message.numbers.map((cell) => [cell, "proof"]));
    marks.set(message.cell, "ask");
    this.board.mark(marks);
    const rule = message.rule ? ` (${message.rule})` : "";
    const proof = message.steps.length ? ["Proof by resolution, one number at a time:"] : [];
    this.say(message.text + rule, false, [...proof, ...message.steps]);
  }

  toolbar() {
    this.hints = select(["off", "on", "on hover"], "off", () => this.setHints(this.hints.value));
    this.clicks = select(["plays", "asks why"], "plays", () => {});
    const button = (text, name, onclick) =>
      make("button", { type: "button", onclick, title: name, "aria-label": name }, text);
    return make("div", { className: "msd-toolbar" },
      labelled("Safeties", this.hints), labelled("A click", this.clicks),
      button("Undo", "Take the last action back", () => this.send({ do: "undo" })),
      button("−", "Smaller cells", () => this.setZoom(this.zoom / 1.25)),
      button("+", "Larger cells", () => this.setZoom(this.zoom * 1.25)));
  }

  setHints(value) {
    this.hints.value = value;
    this.board.showHints = value === "on hover" ? "hover" : value;
    this.send({ do: "see", on: value !== "off" });
    this.board.drawAll();
  }

  setZoom(zoom) {
    this.zoom = Math.max(0.25, Math.min(zoom, 8));
    this.fit();
  }

  fit() {
    const width = this.holder.parentElement.clientWidth;
    if (this.board.cells && width) this.board.fit(width, this.zoom);
  }

  tabs() {
    this.tabButtons = this.panels.map((panel, i) => {
      panel.element.id = `msd-panel-${panel.name.replace(" ", "-").toLowerCase()}`;
      panel.element.setAttribute("role", "tabpanel");
      panel.element.setAttribute("aria-label", panel.name);
      return make("button", {
        type: "button", role: "tab", "aria-controls": panel.element.id,
        onclick: () => this.openPanel(i),
        onkeydown: (event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (!step) return;
          event.preventDefault();
          const next = (i + step + this.panels.length) % this.panels.length;
          this.openPanel(next);
          this.tabButtons[next].focus();
        },
      }, panel.name);
    });
    return make("div", { className: "msd-tabs", role: "tablist" }, ...this.tabButtons);
  }

  openPanel(index) {
    this.panels.forEach((panel, i) => {
      panel.element.hidden = i !== index;
      this.tabButtons[i].setAttribute("aria-selected", String(i === index));
      this.tabButtons[i].tabIndex = i === index ? 0 : -1;
    });
    this.panels[index].open?.();
  }

  listen() {
    const { canvas, board } = this;
    const at = (event) => {
      const frame = canvas.getBoundingClientRect();
      return board.cellAt(event.clientX - frame.left, event.clientY - frame.top);
    };
    canvas.addEventListener("click", (event) => {
      const cell = at(event);
      if (cell < 0) return;
      board.moveCursor(cell);
      this.use(cell, event.shiftKey);
    });
    canvas.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const cell = at(event);
      if (cell >= 0) this.act("flag", cell);
    });
    canvas.addEventListener("pointermove", (event) => {
      const cell = at(event);
      board.hover(cell);
      canvas.title = cell < 0 ? "" : this.describe(cell);
    });
    canvas.addEventListener("pointerleave", () => board.hover(-1));
    canvas.addEventListener("focus", () => board.moveCursor(board.cursor));
    canvas.addEventListener("blur", () => board.moveCursor(board.cursor));
    this.holder.addEventListener("scroll", () => board.drawWaiting());
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.board.cells) return;
    const { board } = this;
    const [rows, columns] = board.shape;
    const row = Math.floor(board.cursor / columns);
    const column = board.cursor % columns;
    const to = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1], Home: [row, 0], End: [row, columns - 1],
    }[event.key];
    const deed = {
      Enter: () => this.use(board.cursor, false), " ": () => this.use(board.cursor, false),
      f: () => this.act("flag", board.cursor), w: () => this.why(board.cursor),
      h: () => this.setHints(this.hints.value === "off" ? "on" : "off"),
      u: () => this.send({ do: "undo" }), n: () => this.panels[0].next(),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!to && !deed) return;
    event.preventDefault();
    if (deed) {
      deed();
      return;
    }
    const inRange = (value, size) => (board.wraps ? (value + size) % size
      : Math.max(0, Math.min(value, size - 1)));
    board.moveCursor(inRange(to[0], rows) * columns + inRange(to[1], columns));
    if (board.showHints === "hover") board.hover(board.cursor);
    this.spoken.textContent = this.describe(board.cursor);
    this.scrollTo(board.cursor);
  }

  scrollTo(cell) {
    const { board, holder } = this;
    const [x, y] = board.toCanvas(board.x[cell], board.y[cell]);
    const margin = 2 * board.unit;
    if (x - margin < holder.scrollLeft) holder.scrollLeft = x - margin;
    if (x + margin > holder.scrollLeft + holder.clientWidth) {
      holder.scrollLeft = x + margin - holder.clientWidth;
    }
    if (y - margin < holder.scrollTop) holder.scrollTop = y - margin;
    if (y + margin > holder.scrollTop + holder.clientHeight) {
      holder.scrollTop = y + margin - holder.clientHeight;
    }
  }

  // A click on a cell, or Enter.
  use(cell, ask) {
    const symbol = this.board.symbols[cell];
    if (ask || this.clicks.value === "asks why" || this.frame.mode !== "hand") this.why(cell);
    else if (symbol === ".") this.act("open", cell);
    else if (symbol !== "F") this.act("chord", cell);
  }

  act(action, cell) {
    if (this.frame.mode !== "hand") return;
    this.asked = performance.now();
    this.send({ do: "act", action, cell });
  }

  why(cell) {
    if (".F".includes(this.board.symbols[cell])) this.send({ do: "why", cell });
    else this.say(this.describe(cell));
  }

  place(cell) {
    const columns = this.board.shape[1];
    return `${Math.floor(cell / columns)},${cell % columns}`;
  }

  // A cell in words, as the tooltip and a screen reader say it.
  describe(cell) {
    const columns = this.board.shape[1];
    const where = `row ${Math.floor(cell / columns)}, column ${cell % columns}`;
    const symbol = this.board.symbols[cell];
    const names = { ".": "covered", F: "flagged", m: "a mine", x: "a wrong flag",
      "*": "the mine that was opened" };
    const hint = this.board.hints[cell];
    let safety = "";
    if (this.board.showHints !== "off" && hint === SAFE) safety = ", certainly safe";
    else if (this.board.showHints !== "off" && hint === MINED) safety = ", certainly a mine";
    else if (this.board.showHints !== "off" && !Number.isNaN(hint)) {
      safety = `, safety ${percent(hint, 2)}`;
    }
    return `${where}: ${names[symbol] ?? `number ${parseInt(symbol, 36)}`}${safety}`;
  }
}
