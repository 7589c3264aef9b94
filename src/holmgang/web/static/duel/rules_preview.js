/** @file What changed rules do, as the server finds it by solving them, beside the standard rules. */
import { useEffect, useState } from "preact/hooks";
import { get, messageOf } from "../api.js";
import { html } from "../html.js";
import { capitalised, SEAT_NAMES } from "../words.js";

/** @typedef {import("../types.js").RulesMeasures} Measured */
/** @typedef {import("../types.js").RulesetPreview} Preview */

const PAUSE_MS = 700; // after the last change, before the server is asked
const NEVER = 0.0005; // a smaller share is rounding
const TOO_LARGE = "these rules cannot be solved in seconds";

/**
 * @param {{ game: import("../types.js").CatalogueGame, ruleset: string }} props
 */
export function RulesPreview({ game, ruleset }) {
  const [found, problem] = usePreview(ruleset);
  const [standard] = usePreview(found ? game.name : ""); // afterwards, as it may take longer
  return html`<section class="preview" aria-live="polite" data-preview=${found ? "ready" : ""}>
    <h3>What these rules do</h3>
    ${
      found
        ? html`<${Measures} found=${found} standard=${standard} />`
        : html`<p class="small soft" aria-busy=${!problem}>
            ${problem ? `${capitalised(problem)}.` : "Solving these rules…"}
          </p>`
    }
  </section>`;
}

/**
 * The measures of a ruleset, if one is given, and why there are none.
 *
 * @param {string} ruleset @returns {[Measured | null, string]}
 */
function usePreview(ruleset) {
  const [loaded, setLoaded] = useState({
    ruleset: "",
    found: /** @type {Measured | null} */ (null),
    problem: "",
  });
  useEffect(() => {
    if (!ruleset) return;
    let isWanted = true;
    const [name, rules] = ruleset.split(":");
    const query = rules ? `?rules=${encodeURIComponent(rules)}` : "";
    const ask = () =>
      get(`/api/games/${encodeURIComponent(name)}/preview${query}`).then(
        (/** @type {Preview} */ { measures }) =>
          isWanted && setLoaded({ ruleset, found: measures, problem: measures ? "" : TOO_LARGE }),
        (error) => isWanted && setLoaded({ ruleset, found: null, problem: messageOf(error) }),
      );
    const timer = setTimeout(ask, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [ruleset]);
  return loaded.ruleset === ruleset ? [loaded.found, loaded.problem] : [null, ""];
}

/** @param {{ found: Measured, standard: Measured | null }} props */
function Measures({ found, standard }) {
  /** @type {[string, (of: Measured) => string][]} */
  const rows = [
    ["Red wins", (of) => percent(of.red)],
    ["Blue wins", (of) => percent(of.blue)],
    ["Drawn", (of) => percent(of.draws)],
    ["Rounds, on average", (of) => (of.length === null ? "–" : of.length.toFixed(1))],
    ["19 in 20 are over after", (of) => (of.long === null ? "–" : String(of.long))],
  ];
  if (Math.max(found.endless, standard?.endless ?? 0) > NEVER)
    rows.splice(3, 0, ["Never end", (of) => percent(of.endless)]);
  const useless = found.useless.map(uselessText);
  return html`<table class="small">
      <caption class="soft">Between perfect players; exact</caption>
      <thead>
        <tr><td></td>${standard && html`<th scope="col">standard</th>`}<th scope="col">yours</th></tr>
      </thead>
      <tbody>
        ${rows.map(
          ([label, text]) => html`<tr key=${label}>
            <th scope="row">${label}</th>
            ${standard && html`<td>${text(standard)}</td>`}
            <td><b>${text(found)}</b></td>
          </tr>`,
        )}
      </tbody>
    </table>
    ${useless.length > 0 && html`<p class="small">Never right: ${useless.join("; ")}.</p>`}`;
}

/** @param {Measured["useless"][number]} useless */
function uselessText({ seat, choice, condition }) {
  return `${choice}${seat ? ` for ${SEAT_NAMES[seat]}` : ""}${condition && ` when ${condition}`}`;
}

/** @param {number} share */
function percent(share) {
  if (share > 0 && share < 0.005) return share < NEVER ? "0 %" : "under 1 %";
  return share > 0.995 && share < 1 ? "over 99 %" : `${Math.round(100 * share)} %`;
}
