/** @file The winning chances over a game: a curve in which each round is a button. */
import { html } from "../html.js";
import { SeatSign } from "../icons.js";
import { stepWord } from "../duel/steps.js";
import { capitalised, choiceText, uncapitalised } from "../words.js";
import { costText, leastCost, MARK_WORDS, scoreText } from "./figures.js";

/** @typedef {import("../types.js").GameAnalysis} Analysis */
/** @typedef {import("../types.js").AnalysedRound} AnalysedRound */
/** @typedef {import("../types.js").Seat} Seat */

/** @typedef {{ value: number, win: number, loss: number, exact: boolean }} Point */

/**
 * The chances before each round and at the end. Where draws are not known they count half to each
 * side.
 *
 * @param {Analysis} analysis
 * @returns {Point[]}
 */
function pointsOf({ rounds, end_value, result }) {
  const points = rounds.map(({ value_before: value, chances: { win, loss }, exact }) => ({
    value,
    win: win ?? (1 + value) / 2,
    loss: loss ?? (1 - value) / 2,
    exact,
  }));
  const isEnd = result !== null && Math.abs(result - end_value) < 1e-9;
  points.push({
    value: end_value,
    win: isEnd ? (result === 1 ? 1 : 0) : (1 + end_value) / 2,
    loss: isEnd ? (result === -1 ? 1 : 0) : (1 - end_value) / 2,
    exact: isEnd || (rounds.at(-1)?.exact ?? true),
  });
  return points;
}

/** @param {number[][]} points */
const path = (points) =>
  points.map(([x, y], place) => `${place ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`).join("");

/**
 * @param {{ analysis: Analysis, at: number, onPick: (round: number) => void }} props
 */
export function Curve({ analysis, at, onPick }) {
  const { rounds, players } = analysis;
  const points = pointsOf(analysis);
  const count = rounds.length;
  /** @param {number} place */
  const x = (place) => (100 * place) / count;
  const red = points.map(({ win }, place) => [x(place), 100 - 100 * win]);
  const blue = points.map(({ loss }, place) => [x(place), 100 * loss]);
  const line = points.map(({ value }, place) => [x(place), 50 - 50 * value]);
  const isExact = points.every((point) => point.exact);
  const step = count > 40 ? 10 : count > 20 ? 5 : 1;
  const isSmall = count > 16;
  const word = stepWord(rounds);
  /** Labels next to that of the picked round would overlap it. @param {number} number */
  const hasLabel = (number) =>
    number === at || (number % step === 0 && (step === 1 || Math.abs(number - at) >= count / 20));
  return html`<div class="curve-frame ${isExact ? "" : "guess"}" data-curve>
    <span class="y top">Red</span><span class="y even">even</span><span class="y bottom">Blue</span>
    <div class="plot">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <defs>
          <pattern
            id="curve-hatch"
            width="1.2"
            height="4"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(20)"
          >
            <path class="hatch" d="M0 0V4" />
          </pattern>
        </defs>
        <rect class="draws" width="100" height="100" />
        <path class="reds" d="${path(red)}L100 100L0 100Z" />
        <path class="blues" d="${path(blue)}L100 0L0 0Z" />
        ${!isExact && html`<rect width="100" height="100" fill="url(#curve-hatch)" />`}
        <path class="middle" d="M0 50H100" />
        ${line.slice(1).map(
          (to, place) => html`<path
            key=${place}
            class="value ${points[place].exact && points[place + 1].exact ? "" : "guess"}"
            d=${path([line[place], to])}
          />`,
        )}
      </svg>
      ${rounds.map(
        (round, place) => html`<button
          key=${round.round}
          type="button"
          data-at=${round.round}
          style=${{ left: `${x(place)}%`, width: `${100 / count}%` }}
          aria-pressed=${round.round === at}
          aria-label=${roundText(round, players, word)}
          title=${roundText(round, players, word)}
          tabindex=${round.round === at ? 0 : -1}
          onClick=${() => onPick(round.round)}
        >
          <${Flag} seat="blue" mark=${round.blue_mark} isSmall=${isSmall} />
          <${Flag} seat="red" mark=${round.red_mark} isSmall=${isSmall} />
          <span class="number">
            ${hasLabel(round.round) ? round.round : ""}
          </span>
        </button>`,
      )}
    </div>
  </div>`;
}

/**
 * The mark of an error, if there is one.
 *
 * @param {{ seat: Seat, mark: string | null, isSmall?: boolean }} props
 */
export function Flag({ seat, mark, isSmall = false }) {
  if (!mark) return null;
  return html`<span class="flag ${seat} ${isSmall ? "narrow" : ""}">
    <${SeatSign} seat=${seat} />${!isSmall && mark}
  </span>`;
}

/**
 * A round with its errors, in words.
 *
 * @param {AnalysedRound} round
 * @param {Record<Seat, string>} players
 * @param {string} word
 */
function roundText(round, players, word) {
  const score = scoreText(round.value_before, round.exact);
  return `${capitalised(word)} ${round.round}, ${score} points for Red. ${judged(round, players)}`;
}

/**
 * The judgement of each side's choice, in sentences.
 *
 * @param {AnalysedRound} round
 * @param {Record<Seat, string>} players
 */
export function judged(round, players) {
  return /** @type {Seat[]} */ (["red", "blue"])
    .filter((seat) => round[seat] !== null)
    .map((seat) => {
      const word = round[seat] ?? "";
      const label = uncapitalised(choiceText(word, round.labels[seat][word]));
      const mark = seat === "red" ? round.red_mark : round.blue_mark;
      const error = seat === "red" ? round.red_error : round.blue_error;
      const who = `${players[seat]}: ${label}`;
      const size = costText(error, round.errors_exact);
      if (mark) return `${who} is ${MARK_WORDS[mark]} and costs ${size}.`;
      if (!round.errors_exact)
        return error >= leastCost(false) ? `${who} seems to cost ${size}.` : `${who} looks right.`;
      return error >= leastCost(true) ? `${who} costs ${size}.` : `${who} is right.`;
    })
    .join(" ");
}
