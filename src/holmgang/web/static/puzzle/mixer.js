/** @file Sliders for a mix, which always sum to 100 %. */
import { html } from "../html.js";
import { choiceIcon, Icon } from "../icons.js";

/** @typedef {import("../types.js").MenuOption} Option */

/** Shares in whole percent, and the words whose sliders were moved, the latest last. */
/** @typedef {{ shares: Record<string, number>, moved: string[] }} Mixture */

/** All choices alike. @param {string[]} words @returns {Mixture} */
export function evenMixture(words) {
  const [least, rest] = [Math.floor(100 / words.length), 100 % words.length];
  const shares = words.map((word, place) => [word, least + (place < rest ? 1 : 0)]);
  return { shares: Object.fromEntries(shares), moved: [] };
}

/**
 * The mixture with one share set. The difference is taken from (or given to) the sliders that were
 * not moved yet, the largest first; then the one that was moved longest ago.
 *
 * @param {Mixture} mixture
 * @param {string} word
 * @param {number} share
 * @returns {Mixture}
 */
export function withShare({ shares, moved }, word, share) {
  const next = { ...shares, [word]: share };
  const others = Object.keys(shares).filter((each) => each !== word);
  const untouched = others.filter((each) => !moved.includes(each));
  let rest = share - shares[word];
  while (rest > 0 && untouched.some((each) => next[each] > 0)) {
    const largest = untouched.reduce((one, two) => (next[two] > next[one] ? two : one));
    next[largest] -= 1;
    rest -= 1;
  }
  while (rest < 0 && untouched.length) {
    const smallest = untouched.reduce((one, two) => (next[two] < next[one] ? two : one));
    next[smallest] += 1;
    rest += 1;
  }
  for (const each of moved.filter((one) => one !== word)) {
    const taken = rest > 0 ? Math.min(rest, next[each]) : rest;
    next[each] -= taken;
    rest -= taken;
  }
  return { shares: next, moved: [...moved.filter((each) => each !== word), word] };
}

/**
 * @param {{ options: Option[], mixture: Mixture, isDisabled: boolean,
 *   onChange: (mixture: Mixture) => void }} props
 */
export function Mixer({ options, mixture, isDisabled, onChange }) {
  return html`<fieldset class="mixer card" disabled=${isDisabled} data-mixer>
    <legend class="sr">Your mix; the shares sum to 100 %</legend>
    ${options.map((option) => {
      const share = mixture.shares[option.word];
      const icon = choiceIcon(option.word);
      return html`<div class="mix-row" key=${option.word}>
        <label for="mix-${option.word}">
          ${icon && html`<${Icon} name=${icon} />`}<b>${option.label ?? option.word}</b>
        </label>
        <input
          id="mix-${option.word}"
          type="range"
          min="0"
          max="100"
          step="1"
          value=${share}
          aria-valuetext="${share} %"
          data-share=${option.word}
          onInput=${(/** @type {any} */ event) =>
            onChange(withShare(mixture, option.word, event.target.valueAsNumber))}
        />
        <output for="mix-${option.word}">${share} %</output>
        <span class="soft small">${option.note}</span>
      </div>`;
    })}
  </fieldset>`;
}
