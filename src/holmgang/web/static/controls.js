/** @file Controls of a form: a number, and a text to copy. */
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { Icon } from "./icons.js";

/**
 * A number with buttons for less and more.
 *
 * @param {{
 *   id: string, value: number, least: number, most: number, label?: string,
 *   onChange: (value: number) => void,
 * }} props
 */
export function Stepper({ id, value, least, most, onChange, label }) {
  /** @param {number} to */
  const set = (to) => {
    if (Number.isFinite(to)) onChange(Math.min(most, Math.max(least, Math.round(to))));
  };
  return html`<span class="stepper">
    <button
      type="button"
      aria-label=${label ? `${label}: less` : "Less"}
      disabled=${value <= least}
      onClick=${() => set(value - 1)}
    >
      −
    </button>
    <input
      id=${id}
      type="number"
      inputmode="numeric"
      min=${least}
      max=${most}
      value=${value}
      aria-label=${label}
      onChange=${(/** @type {any} */ event) => {
        set(event.target.valueAsNumber);
        event.target.value = String(value);
      }}
    />
    <button
      type="button"
      aria-label=${label ? `${label}: more` : "More"}
      disabled=${value >= most}
      onClick=${() => set(value + 1)}
    >
      +
    </button>
  </span>`;
}

/**
 * A button that copies a text and says so.
 *
 * @param {{ text: string, label?: string, main?: boolean }} props
 */
export function CopyButton({ text, label = "Copy link", main = false }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Only secure pages have a clipboard; the old way works everywhere.
      const field = document.createElement("textarea");
      field.value = text;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  };
  return html`<button type="button" class="btn ${main ? "main" : ""}" onClick=${copy}>
    <${Icon} name=${isDone ? "check" : "copy"} />
    <span aria-live="polite">${isDone ? "Copied" : label}</span>
  </button>`;
}
