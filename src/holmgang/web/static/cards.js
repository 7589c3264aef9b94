/** @file The card of a choice: the mark on its back, the choice on its front, the seat's shape. */
import { html } from "./html.js";
import { choiceIcon, Icon, Mark } from "./icons.js";
import { capitalised, spoken } from "./words.js";

/**
 * @param {{ seat: import("./types.js").Seat, word: string | null, isOpen: boolean,
 *   label?: string[], axes?: [string, string] }} props `axes` name the parts of a pair `a/b`
 */
export function FlipCard({ seat, word, isOpen, label, axes }) {
  return html`<div class="flip ${seat} ${isOpen ? "open" : ""}" data-card=${seat}>
    <div class="face back"><${Outline} seat=${seat} /><${Mark} /></div>
    <div class="face front">
      <${Outline} seat=${seat} />
      ${isOpen && word !== null && html`<${Face} word=${word} label=${label} axes=${axes} />`}
    </div>
  </div>`;
}

/** @param {{ word: string, label?: string[], axes?: [string, string] }} props */
function Face({ word, label, axes }) {
  const pair = word.split("/");
  if (pair.length === 2) {
    return html`<span class="pair">
      ${pair.map(
        (value, place) => html`<span>
        <b>${value}</b>${axes && html`<small>${axes[place]}</small>`}
      </span>`,
      )}
    </span>`;
  }
  const icon = choiceIcon(word);
  const [verb, ...meanings] = label ?? [capitalised(spoken(word))];
  return html`${icon && html`<${Icon} name=${icon} />`}
    <span class="word">
      ${verb}${meanings.length > 0 && html`<small>${meanings.join(", ")}</small>`}
    </span>`;
}

/** Round corners for red, cut ones for blue. @param {{ seat: string }} props */
function Outline({ seat }) {
  return html`<svg
    class="outline"
    viewBox="0 0 100 120"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${
      seat === "red"
        ? html`<rect x="2" y="2" width="96" height="116" rx="16" ry="16" />`
        : html`<path d="M16 2h68l14 14v88l-14 14H16L2 104V16z" />`
    }
  </svg>`;
}
