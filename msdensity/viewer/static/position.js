// The panel of a position from outside: paste, analyse, export.
import { labelled, make } from "./words.js";

const EXAMPLE = "12.\n...\n...";

export function positionPanel(viewer) {
  return new PositionPanel(viewer);
}

class PositionPanel {
  constructor(viewer) {
    this.viewer = viewer;
    this.name = "Position";
    this.rows = make("textarea", { rows: 8, value: EXAMPLE, spellcheck: false,
      "aria-describedby": "msd-rows-help" });
    this.mines = make("input", { type: "number", min: "0", max: "40000", placeholder: "not known" });
    this.trust = make("input", { type: "checkbox", checked: true });
    const button = (text, onclick, className = "") =>
      make("button", { type: "button", onclick, className }, text);
    this.element = make("section", {},
      labelled("Rows", this.rows),
      make("p", { className: "msd-small", id: "msd-rows-help" },
        "One line a row: . unknown, digits (a, b, … are 10, 11, …), F flag. The topology is that "
        + "of the panel Game."),
      make("div", { className: "msd-row" }, labelled("Mines", this.mines),
        labelled("Flags are known mines", this.trust)),
      make("div", { className: "msd-row" }, button("Show this position", () => this.bring(), "msd-main"),
        button("Export the board", () => viewer.send({ do: "export" }))));
  }

  bring() {
    this.viewer.setHints(this.viewer.hints.value === "off" ? "on" : this.viewer.hints.value);
    this.viewer.send({ do: "bring", rows: this.rows.value, mines: this.mines.value,
      topology: this.viewer.panels[0].topology.value, trust: this.trust.checked });
  }

  receive(message) {
    if (message.kind === "export") {
      this.rows.value = message.rows.join("\n");
      this.mines.value = message.mines === null ? "" : String(message.mines);
      const link = `${this.viewer.address ? location.href.split("#")[0] : ""}#${message.link}`;
      this.viewer.panels[0].link.value = link;
      this.viewer.say("The board is in the field Rows.", false, [link]);
    }
    if (message.kind === "impossible") {
      this.viewer.say(message.text, true);
      this.viewer.board.mark(new Map(message.numbers.map((cell) => [cell, "ask"])));
    }
  }
}
