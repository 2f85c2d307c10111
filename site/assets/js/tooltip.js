/** @import { TooltipHandler } from 'vega' */

/**
 * A tooltip for one figure, as Vega calls it. Only text is ever put into it: names come from specs.
 * @param {HTMLElement} figure
 * @returns {TooltipHandler}
 */
export function tooltipIn(figure) {
  const box = document.createElement('div');
  box.className = 'tooltip';
  box.hidden = true;
  box.setAttribute('aria-hidden', 'true');
  figure.append(box);
  return (_handler, event, _item, value) => {
    box.hidden = value === null || value === undefined || value === '';
    if (box.hidden) return;
    box.replaceChildren(...Object.entries(value).map(([name, text]) => line(name, text)));
    place(box, figure, event);
  };
}

/** @param {string} name @param {string} text */
function line(name, text) {
  const row = document.createElement('div');
  const label = document.createElement('span');
  const strong = document.createElement('strong');
  label.textContent = name;
  strong.textContent = text;
  row.append(label, strong);
  return row;
}

/** Beside the pointer, inside the figure. @param {HTMLElement} box @param {HTMLElement} figure @param {MouseEvent} event */
function place(box, figure, event) {
  const frame = figure.getBoundingClientRect();
  const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
  const left = x + 12 + box.offsetWidth > frame.width ? x - 12 - box.offsetWidth : x + 12;
  box.style.left = `${Math.max(0, left)}px`;
  box.style.top = `${y + 12}px`;
}
