// The board on a canvas: cells drawn from their outlines, hit-tested by their outlines.

export const SAFE = 2;
export const MINED = -1;

// Okabe and Ito's colours, which people with any colour vision can tell apart; a certain cell also
// has a sign of its own.
const COLOUR = {
  covered: "#c3c9d1", open: "#ffffff", line: "#7b838c", ink: "#16191d", flag: "#16191d",
  safe: "#0072b2", mined: "#d55e00", fatal: "#d55e00", mine: "#e9ecef", proof: "#009e73",
  ask: "#cc3f93", cursor: "#16191d",
};
const NUMBERS = ["", "#0b5394", "#1b5e20", "#8a2500", "#3d1a78", "#5c3a00", "#00566b", "#16191d"];
// From mined over even to safe.
const SCALE = [[240, 150, 70], [246, 240, 225], [140, 195, 235]];
const RIM = 1;

function mix(share) {
  const half = share < 0.5 ? 0 : 1;
  const part = SCALE[half].map((low, i) =>
    Math.round(low + (2 * share - half) * (SCALE[half + 1][i] - low)));
  return `rgb(${part.join(",")})`;
}

function inside(polygon, x, y) {
  let within = false;
  for (let i = 0, j = polygon.length - 2; i < polygon.length; j = i, i += 2) {
    const [xi, yi, xj, yj] = [polygon[i], polygon[i + 1], polygon[j], polygon[j + 1]];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) within = !within;
  }
  return within;
}

export class BoardCanvas {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.unit = 28;
    this.cells = 0;
    this.showHints = "on";
    this.cursor = 0;
    this.hovered = -1;
    this.marks = new Map();
    this.waiting = new Set();
  }

  // facts: the message "board" of the server.
  setBoard(facts) {
    Object.assign(this, facts.outlines, { shape: facts.shape, near: facts.near });
    this.cells = this.x.length;
    this.symbols = new Array(this.cells).fill(".");
    this.hints = new Float64Array(this.cells).fill(NaN);
    this.marks.clear();
    this.waiting.clear();
    this.cursor = Math.min(this.cursor, this.cells - 1);
    this.rim = this.wraps ? RIM : 0;
    this.buckets = new Map();
    for (let cell = 0; cell < this.cells; cell += 1) {
      const [left, top, right, bottom] = this.box(cell);
      for (let column = Math.floor(left); column <= Math.floor(right); column += 1) {
        for (let row = Math.floor(top); row <= Math.floor(bottom); row += 1) {
          const key = row * 4096 + column;
          if (!this.buckets.has(key)) this.buckets.set(key, []);
          this.buckets.get(key).push(cell);
        }
      }
    }
    this.inner = this.polygons.map((polygon) => {
      let least = Infinity;
      for (let i = 0; i < polygon.length; i += 2) {
        const [x, y] = [polygon[i], polygon[i + 1]];
        const [u, v] = [polygon[(i + 2) % polygon.length], polygon[(i + 3) % polygon.length]];
        least = Math.min(least, Math.abs(x * v - u * y) / Math.hypot(u - x, v - y));
      }
      return least;
    });
  }

  polygon(cell) {
    return this.polygons[this.kinds[cell]];
  }

  box(cell) {
    const polygon = this.polygon(cell);
    const xs = polygon.filter((_, i) => i % 2 === 0).map((x) => x + this.x[cell]);
    const ys = polygon.filter((_, i) => i % 2 === 1).map((y) => y + this.y[cell]);
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }

  // Fit the board to a width in CSS pixels, unless its cells would be too small to read and hit.
  fit(width, zoom) {
    const units = this.width + 2 * this.rim;
    const fitting = (width - 2) / units;
    this.unit = Math.max(6, Math.min(zoom * Math.max(20, Math.min(fitting, 46)), 96));
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const size = (length) => Math.ceil((length + 2 * this.rim) * this.unit) + 2;
    const [wide, high] = [size(this.width), size(this.height)];
    this.canvas.width = wide * ratio;
    this.canvas.height = high * ratio;
    this.canvas.style.width = `${wide}px`;
    this.canvas.style.height = `${high}px`;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.drawAll();
  }

  // The place of a point of the board on the canvas, in CSS pixels.
  toCanvas(x, y) {
    return [1 + (x + this.rim) * this.unit, 1 + (y + this.rim) * this.unit];
  }

  // The cell at a place of the canvas, -1 outside; beyond the edge of a torus, its other side.
  cellAt(left, top) {
    const x = (left - 1) / this.unit - this.rim;
    const y = (top - 1) / this.unit - this.rim;
    if (!this.wraps) return this.cellAround(x, y);
    // Hexagons and triangles at the far edges reach beyond them.
    const [nearX, nearY] = [[x, this.width], [y, this.height]].map(([at, size]) => (
      ((at % size) + size) % size));
    const both = (at, size) => [at, at + size];
    return Math.max(...both(nearY, this.height).flatMap((b) => (
      both(nearX, this.width).map((a) => this.cellAround(a, b)))));
  }

  cellAround(x, y) {
    const near = this.buckets.get(Math.floor(y) * 4096 + Math.floor(x)) || [];
    const hit = near.find((cell) => inside(this.polygon(cell), x - this.x[cell], y - this.y[cell]));
    return hit === undefined ? -1 : hit;
  }

  // Change what the frame says, and draw those cells.
  update(frame) {
    const text = frame.symbols[0];
    frame.cells.forEach((cell, i) => { this.symbols[cell] = text[i]; });
    frame.hinted.forEach((cell, i) => {
      const value = frame.values[frame.which[i]];
      this.hints[cell] = value === null ? NaN : value;
    });
    this.draw(new Set([...frame.cells, ...frame.hinted]));
  }

  // marks: cell -> "proof" or "ask"; the others lose theirs.
  mark(marks) {
    const changed = new Set([...this.marks.keys(), ...marks.keys()]);
    this.marks = marks;
    this.draw(changed);
  }

  moveCursor(cell) {
    const old = this.cursor;
    this.cursor = cell;
    this.draw(new Set([old, cell]));
  }

  hover(cell) {
    if (cell === this.hovered) return;
    const old = this.hovered;
    this.hovered = cell;
    if (this.showHints === "hover") this.draw(new Set([old, cell].filter((c) => c >= 0)));
  }

  // After a scroll: draw what waited for it.
  drawWaiting() {
    if (this.waiting.size) this.draw([...this.waiting]);
  }

  drawAll() {
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.draw(Array.from({ length: this.cells }, (_, cell) => cell));
  }

  // Draw cells that are in view; the others wait until they are.
  draw(cells) {
    const seen = this.inView();
    for (const cell of cells) {
      if (this.places(cell).some(([dx, dy]) => seen(this.x[cell] + dx, this.y[cell] + dy))) {
        this.drawCell(cell);
        this.waiting.delete(cell);
      } else this.waiting.add(cell);
    }
    this.drawEdge();
    // A neighbour drawn later covers half of a ring.
    if (this.marks.size) this.drawRings(this.marks.keys());
    if (document.activeElement === this.canvas) this.drawRing(this.cursor, COLOUR.cursor, 2, true);
  }

  // Whether the holder of the canvas, which scrolls, shows a place of the board.
  inView() {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.canvas.parentElement;
    const [left, top] = [scrollLeft, scrollTop].map((at) => at / this.unit - this.rim - 2);
    const [right, bottom] = [left + clientWidth / this.unit + 4, top + clientHeight / this.unit + 4];
    return (x, y) => x > left && x < right && y > top && y < bottom;
  }

  hintOf(cell) {
    if (this.showHints === "off") return NaN;
    if (this.showHints === "hover" && cell !== this.hovered) return NaN;
    return this.hints[cell];
  }

  path(cell, dx, dy, scale = 1) {
    const polygon = this.polygon(cell);
    const { context } = this;
    context.beginPath();
    for (let i = 0; i < polygon.length; i += 2) {
      const [x, y] = this.toCanvas(
        this.x[cell] + dx + scale * polygon[i], this.y[cell] + dy + scale * polygon[i + 1]);
      if (i) context.lineTo(x, y);
      else context.moveTo(x, y);
    }
    context.closePath();
  }

  // Where a cell is drawn: itself, and on a torus its copies in the rim.
  places(cell) {
    if (!this.wraps) return [[0, 0]];
    const all = [];
    for (const dx of [0, -this.width, this.width]) {
      for (const dy of [0, -this.height, this.height]) {
        const [x, y] = [this.x[cell] + dx, this.y[cell] + dy];
        if (x > -RIM && y > -RIM && x < this.width + RIM && y < this.height + RIM) {
          all.push([dx, dy]);
        }
      }
    }
    return all;
  }

  drawCell(cell) {
    const { context } = this;
    const symbol = this.symbols[cell];
    const hint = this.hintOf(cell);
    for (const [dx, dy] of this.places(cell)) {
      this.path(cell, dx, dy);
      if (dx || dy) { // the rim of a torus is pale
        context.globalAlpha = 1;
        context.fillStyle = "#ffffff";
        context.fill();
        context.globalAlpha = 0.45;
      }
      context.fillStyle = this.background(symbol, hint);
      context.fill();
      context.strokeStyle = COLOUR.line;
      context.lineWidth = 1;
      context.stroke();
      this.drawSymbol(cell, symbol, hint, dx, dy);
    }
    context.globalAlpha = 1;
  }

  background(symbol, hint) {
    if (symbol === "*") return COLOUR.fatal;
    if (symbol === "m" || symbol === "x") return COLOUR.mine;
    if (symbol !== "." && symbol !== "F") return COLOUR.open;
    if (hint === SAFE) return COLOUR.safe;
    if (hint === MINED) return COLOUR.mined;
    return Number.isNaN(hint) ? COLOUR.covered : mix(hint);
  }

  drawSymbol(cell, symbol, hint, dx, dy) {
    const { context } = this;
    const [x, y] = this.toCanvas(this.x[cell] + dx, this.y[cell] + dy);
    const size = this.inner[this.kinds[cell]] * this.unit;
    const certain = hint === SAFE || hint === MINED;
    if (symbol === "F" || symbol === "x") {
      this.drawFlag(x, y, size, certain ? "#ffffff" : COLOUR.flag);
      if (symbol === "x") this.drawSign("×", x, y, 2.2 * size, COLOUR.mined);
    } else if (symbol === "m" || symbol === "*") {
      this.drawMine(x, y, size, symbol === "*" ? "#ffffff" : COLOUR.ink);
    } else if (symbol === ".") {
      if (certain) this.drawSign(hint === SAFE ? "✓" : "✕", x, y, 1.25 * size, "#ffffff");
      else if (!Number.isNaN(hint) && size >= 8) this.drawSafety(hint, x, y, size);
    } else if (symbol !== "0") {
      const number = parseInt(symbol, 36);
      this.drawSign(String(number), x, y, (number > 9 ? 1.05 : 1.3) * size,
        NUMBERS[number] || COLOUR.ink);
    }
  }

  drawSign(text, x, y, height, colour) {
    const { context } = this;
    context.font = `600 ${Math.max(7, height)}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = colour;
    context.fillText(text, x, y + 0.05 * height);
  }

  drawSafety(hint, x, y, size) {
    const share = 100 * hint;
    const text = size >= 15 && share < 99.95 ? share.toFixed(1) : String(Math.round(share));
    this.drawSign(text, x, y, text.length > 3 ? 0.72 * size : 0.9 * size, COLOUR.ink);
  }

  drawFlag(x, y, size, colour) {
    const { context } = this;
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.lineWidth = Math.max(1.5, size / 8);
    context.beginPath();
    context.moveTo(x - 0.25 * size, y + 0.65 * size);
    context.lineTo(x - 0.25 * size, y - 0.65 * size);
    context.stroke();
    context.beginPath();
    context.moveTo(x - 0.25 * size, y - 0.65 * size);
    context.lineTo(x + 0.55 * size, y - 0.25 * size);
    context.lineTo(x - 0.25 * size, y + 0.15 * size);
    context.fill();
  }

  drawMine(x, y, size, colour) {
    const { context } = this;
    context.fillStyle = colour;
    context.strokeStyle = colour;
    context.lineWidth = Math.max(1, size / 8);
    context.beginPath();
    context.arc(x, y, 0.42 * size, 0, 2 * Math.PI);
    context.fill();
    context.beginPath();
    for (let i = 0; i < 4; i += 1) {
      const [u, v] = [Math.cos((i * Math.PI) / 4), Math.sin((i * Math.PI) / 4)];
      context.moveTo(x - 0.68 * size * u, y - 0.68 * size * v);
      context.lineTo(x + 0.68 * size * u, y + 0.68 * size * v);
    }
    context.stroke();
  }

  drawRings(cells) {
    for (const cell of cells) {
      this.drawRing(cell, COLOUR[this.marks.get(cell)] || COLOUR.ask, 3, false);
    }
  }

  drawRing(cell, colour, width, dashed) {
    const { context } = this;
    this.path(cell, 0, 0, 1 - (width + 1) / (2 * this.inner[this.kinds[cell]] * this.unit));
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash(dashed ? [4, 3] : []);
    context.stroke();
    context.setLineDash([]);
  }

  // The edge of a torus: beyond it the board is shown again.
  drawEdge() {
    if (!this.wraps) return;
    const [left, top] = this.toCanvas(0, 0);
    this.context.strokeStyle = COLOUR.ink;
    this.context.lineWidth = 2;
    this.context.setLineDash([6, 4]);
    this.context.strokeRect(left, top, this.width * this.unit, this.height * this.unit);
    this.context.setLineDash([]);
  }
}
