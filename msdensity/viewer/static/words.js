// Small helpers of the page: elements, and numbers in words.

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && name !== "list" && name !== "role") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

let labels = 0;

// A labelled control: the label is what a screen reader says.
export function labelled(text, control, ...more) {
  control.id = `msd-${(labels += 1)}`;
  return make("span", { className: "msd-field" },
    make("label", { htmlFor: control.id }, text), control, ...more);
}

export function select(options, value, onchange) {
  const element = make("select", { onchange },
    ...options.map((option) => make("option", { value: option }, option)));
  if (value !== undefined) element.value = value;
  return element;
}

export function percent(share, digits = 1) {
  if (share === 1) return "100 %";
  if (share === 0) return "0 %";
  const shown = (100 * share).toFixed(digits);
  if (Number(shown) === 100) return `> ${(100 - 10 ** -digits).toFixed(digits)} %`;
  if (Number(shown) === 0) return `< ${(10 ** -digits).toFixed(digits)} %`;
  return `${shown} %`;
}

export function probability(value) {
  return value === 1 ? "1" : value >= 0.001 ? value.toPrecision(3) : value.toExponential(2);
}
