/** @file The result of an attempt at a puzzle: right or wrong, costs of choices, both mixes. */
import { html } from "../html.js";
import { choiceIcon, Icon, SeatSign } from "../icons.js";
import { me } from "../session.js";
import { LEGEND, sizeText } from "../study/figures.js";
import { other, SEAT_NAMES } from "../words.js";

/** @typedef {import("../types.js").PuzzleView} Puzzle */
/** @typedef {import("../types.js").PuzzleResult} PuzzleResult */
/** @typedef {import("../types.js").JudgedChoice} OwnJudgedChoice */

/** Number of choices of a large menu that are shown at first. */
const FEW = 8;
/** A share that would be shown as 0 %. */
const RARE = 0.005;

/** @param {number} share */
const percent = (share) =>
  share > 0 && share < RARE ? "<\u00a01\u00a0%" : `${Math.round(100 * share)}\u00a0%`;

/** @param {{ puzzle: Puzzle, result: PuzzleResult, children: any }} props */
export function Verdict({ puzzle, result, children }) {
  const { rating } = result;
  const change = rating ? rating.after - rating.before : 0;
  return html`<section
    class="card verdict ${result.solved ? "solved" : ""}"
    aria-label="Result"
    tabindex="-1"
    data-result=${result.solved ? "solved" : "failed"}
  >
    <h2 role="status">
      <${Icon} name=${result.solved ? "check" : "close"} />
      ${result.solved ? "Solved" : "Not solved"}
    </h2>
    ${result.story.map((line) => html`<p>${line}</p>`)}
    <p class="small soft" data-rating>
      ${
        rating
          ? html`Your puzzle rating in ${puzzle.title}: <b>${rating.after}</b> (${
              change < 0 ? "−" : "+"
            }${Math.abs(change)})`
          : me.value?.guest
            ? html`<a href="/sign-in">With an account</a> you get a puzzle rating.`
            : "This attempt is not rated."
      }
    </p>
    <div class="row">${children}</div>
  </section>`;
}

/** @param {{ puzzle: Puzzle, result: PuzzleResult }} props */
export function Worths({ puzzle, result }) {
  const rank = (/** @type {OwnJudgedChoice} */ each) => (each.right ? -each.share : 1 + each.cost);
  const ranked = [...result.choices].sort((one, two) => rank(one) - rank(two));
  const isMarked = (/** @type {OwnJudgedChoice} */ each) =>
    each.right || each.word === result.answer || each.word === result.natural;
  const shown =
    ranked.length <= FEW
      ? ranked
      : [
          ...ranked.filter(isMarked),
          ...ranked.filter((each) => !isMarked(each)).slice(0, FEW - 4),
        ].sort((one, two) => ranked.indexOf(one) - ranked.indexOf(two));
  const rest = ranked.filter((each) => !shown.includes(each));
  return html`<section class="card worths" aria-labelledby="worths">
    <h2 id="worths">What each choice costs</h2>
    <${Table} puzzle=${puzzle} result=${result} choices=${shown} />
    ${
      rest.length > 0 &&
      html`<details>
        <summary>${rest.length} other choices</summary>
        <${Table} puzzle=${puzzle} result=${result} choices=${rest} />
      </details>`
    }
    <${Replies} puzzle=${puzzle} result=${result} />
  </section>`;
}

/** @param {{ puzzle: Puzzle, result: PuzzleResult, choices: OwnJudgedChoice[] }} props */
function Table({ puzzle, result, choices }) {
  const most = Math.max(0.1, ...result.choices.map((each) => each.cost));
  const mix = typeof result.answer === "string" ? null : result.answer;
  return html`<table class="bars">
    <thead>
      <tr>
        <th scope="col">choice</th>
        <th scope="col">costs</th>
        ${mix && html`<th scope="col" class="num">your mix</th>`}
        <th scope="col" class="num">best mix</th>
      </tr>
    </thead>
    <tbody>
      ${choices.map((each) => {
        const icon = choiceIcon(each.word);
        const isYours = each.word === result.answer;
        const isNatural = each.word === result.natural;
        return html`<tr
          key=${each.word}
          class="${each.right ? "right" : ""} ${isYours ? "yours" : ""}"
          data-judged=${each.word}
        >
          <th scope="row">
            <span>
              ${icon && html`<${Icon} name=${icon} />`}${each.label}
              ${isYours && html`<small>your answer</small>`}
              ${isNatural && html`<small>tempting</small>`}
            </span>
          </th>
          <td>
            <span class="meter">
              <i style=${{ width: `${Math.max(0, (100 * each.cost) / most)}%` }}></i>
            </span>
            <span class="figure">
              ${
                each.right
                  ? html`<${Icon} name="check" /><span class="sr">nothing</span>`
                  : sizeText(each.cost, true)
              }
            </span>
          </td>
          ${mix && html`<td class="num">${percent(mix[each.word] ?? 0)}</td>`}
          <td class="num">${percent(each.share)}</td>
        </tr>`;
      })}
    </tbody>
    <caption class="small soft">
      ${
        puzzle.kind === "mix"
          ? `The least loss against any best mix of the other side. A mix costs what its best reply gains. ${LEGEND}`
          : `The least loss against any best mix of the other side. ${LEGEND}`
      }
    </caption>
  </table>`;
}

/** How the other side should choose. @param {{ puzzle: Puzzle, result: PuzzleResult }} props */
function Replies({ puzzle, result }) {
  const seat = other(puzzle.seat);
  const shown = result.replies
    .filter((each) => each.share >= RARE)
    .sort((one, two) => two.share - one.share);
  if (!shown.length) return null;
  return html`<h3><${SeatSign} seat=${seat} /> ${SEAT_NAMES[seat]} should choose</h3>
    <ul class="replies">
      ${shown.map((each) => {
        const icon = choiceIcon(each.word);
        return html`<li key=${each.word}>
          <span>${icon && html`<${Icon} name=${icon} />`}${each.label}</span>
          <span class="meter ${seat}"><i style=${{ width: `${100 * each.share}%` }}></i></span>
          <span class="num">${percent(each.share)}</span>
        </li>`;
      })}
    </ul>`;
}
