/** @file Skill and luck: one bar, and a waterfall chart from the start to the result. */
import { html } from "../html.js";
import { LEGEND, scoreText, valueText } from "./figures.js";

/** @typedef {import("../types.js").GameAnalysis} Analysis */

/** Of a bar that is drawn, in percent of the width. */
const LEAST_WIDTH = 0.2;

/** @param {{ analysis: Analysis }} props */
export function SkillAndLuck({ analysis }) {
  const { totals, players, exact, errors_exact: isSure, start_value: start } = analysis;
  const skill = totals.blue_error - totals.red_error;
  const luck = totals.meeting_luck + totals.dice_luck;
  const end = analysis.result ?? analysis.end_value;
  const sum = Math.abs(skill) + Math.abs(luck);
  /** @type {[string, string, number][]} */
  const parts = [
    [`${players.red}’s errors`, "skill", -totals.red_error],
    [`${players.blue}’s errors`, "skill", totals.blue_error],
    ["Luck of the match-up", "luck", totals.meeting_luck],
    ["Luck of the dice", "luck", totals.dice_luck],
  ];
  if (Math.abs(totals.ending) >= 0.005)
    parts.push([`Ending by ${analysis.reason}`, "ending", totals.ending]);
  let at = start;
  const rows = parts.map(([label, kind, change]) => {
    const from = at;
    at += change;
    return { label, kind, change, from, to: at };
  });
  const places = [0, start, end, ...rows.map(({ to }) => to), -1, 1];
  const [least, most] = [Math.min(...places), Math.max(...places)];
  /** @param {number} value */
  const x = (value) => (100 * (value - least)) / (most - least);
  return html`${
    sum >= 0.005 &&
    html`<div
        class="apart"
        role="img"
        aria-label="Skill ${valueText(skill, isSure)} and luck ${valueText(luck, isSure)} for Red"
        data-apart
      >
        <div class="skill" style=${{ flexGrow: Math.abs(skill) / sum }}>
          <span>Skill ${valueText(skill, isSure)}</span>
        </div>
        <div class="luck" style=${{ flexGrow: Math.abs(luck) / sum }}>
          <span>Luck ${valueText(luck, isSure)}</span>
        </div>
      </div>`
  }
    <table class="fall" data-fall>
      <tbody>
        <tr>
          <th scope="row">Start</th>
          <${Bar} from=${x(0)} to=${x(start)} zero=${x(0)} />
          <td class="num">${scoreText(start, exact)}</td>
        </tr>
        ${rows.map(
          ({ label, kind, change, from, to }) => html`<tr key=${label} class=${kind}>
          <th scope="row" dir="auto">${label}</th>
          <${Bar} from=${x(from)} to=${x(to)} zero=${x(0)} />
          <td class="num">${valueText(change, isSure)}</td>
        </tr>`,
        )}
        <tr class="end">
          <th scope="row">${resultText(analysis)}</th>
          <${Bar} from=${x(0)} to=${x(end)} zero=${x(0)} />
          <td class="num">${scoreText(end, analysis.result !== null || exact)}</td>
        </tr>
      </tbody>
    </table>
    <p class="small soft">
      ${LEGEND} Start and result are Red’s; the parts between them add up.
    </p>`;
}

/**
 * A bar between two places, in percent of the width, and a line where the value is 0.
 *
 * @param {{ from: number, to: number, zero: number }} props
 */
function Bar({ from, to, zero }) {
  const isSeen = Math.abs(to - from) >= LEAST_WIDTH;
  return html`<td class="bar">
    <div>
      ${
        isSeen &&
        html`<i style=${{ left: `${Math.min(from, to)}%`, width: `${Math.abs(to - from)}%` }}></i>`
      }
      <u style=${{ left: `${zero}%` }}></u>
    </div>
  </td>`;
}

/** @param {Analysis} analysis */
function resultText({ result, players }) {
  if (result === null) return "Unfinished";
  if (result === 0) return "Result: a draw";
  return `Result: ${result > 0 ? players.red : players.blue} wins`;
}
