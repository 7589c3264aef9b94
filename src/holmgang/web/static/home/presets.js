/** @file Named rules of a game, such as leagues, to start it with. */
import { html } from "../html.js";
import { Segments, useLoaded } from "../parts.js";
import { capitalised } from "../words.js";

/** @typedef {import("../types.js").PresetLine} Preset */

/**
 * @param {{
 *   game: import("../types.js").CatalogueGame, preset: Preset | null,
 *   onChange: (preset: Preset) => void,
 * }} props `preset`: null for the first one
 */
export function Presets({ game, preset, onChange }) {
  const { value } = useLoaded(`/api/games/${encodeURIComponent(game.name)}/form`);
  const form = /** @type {import("../types.js").GameForm | null} */ (value);
  if (!form?.presets.length) return null;
  const { presets } = form;
  const chosen = presets.find((each) => each.name === preset?.name) ?? presets[0];
  return html`<${Segments}
      name="preset"
      label="Rules of ${game.title}"
      kind="small variants"
      isLabelShown=${false}
      value=${chosen.name}
      onChange=${(/** @type {string} */ to) =>
        onChange(presets.find((each) => each.name === to) ?? presets[0])}
      options=${presets.map((each) => ({ value: each.name, label: each.name }))}
    />
    <p class="small soft line" data-preset=${chosen.name}>${capitalised(chosen.line)}.</p>`;
}
