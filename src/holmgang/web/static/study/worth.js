/**
 * @file The evaluation of a position: the value, both mixes and the matrix of all pairs. Exact
 * values are drawn solid; estimates are hatched and have a dashed tag.
 */
import { useState } from "preact/hooks";
import { html } from "../html.js";
import { choiceIcon, Icon, SeatSign } from "../icons.js";
import { choiceText, counted, SEAT_NAMES, uncapitalised } from "../words.js";
import { leastCost, percentText, scoreText, sizeText } from "./figures.js";

/** @typedef {import("../types.js").Seat} Seat */
/** @typedef {import("../types.js").PositionWorth} Worth */

/** Number of rows of a mix that are all shown; of longer ones, only those that matter. */
const FEW_ROWS = 8;
/** A matrix with more columns is drawn small, and its pairs are picked from lists. */
const FEW_COLUMNS = 8;
const LEAST_SHARE = 0.005;

/**
 * Whether values are exact, and how they were found.
 *
 * @param {{ exact: boolean, source: string, depth: number }} props
 */
export function Certainty({ exact, source, depth }) {
  const ahead = `${counted(depth, "round")} ahead`;
  if (!exact)
    return html`<span class="tag guess" data-certainty="estimate">≈ Estimate, ${ahead}</span>`;
  return html`<span class="tag exact" data-certainty="exact">
    ${source !== "proof" ? "Exact" : depth ? `Proven, ${ahead}` : "Proven"}
  </span>`;
}

/**
 * Win, draw and loss in one bar. Chances that are not known are not shown as 0.
 *
 * @param {{ value: number, win: number | null, draw: number | null, loss: number | null,
 *   exact: boolean }} props
 */
export function Chances({ value, win, draw, loss, exact }) {
  if (win === null || draw === null || loss === null) {
    const red = (1 + value) / 2;
    return html`<div
        class="wdl guess"
        role="img"
        aria-label="Red about ${percentText(red)}, Blue about ${percentText(1 - red)}"
      >
        <span class="red" style=${{ width: `${red * 100}%` }}>≈ ${percentText(red)}</span>
        <span class="blue">≈ ${percentText(1 - red)}</span>
      </div>
      <p class="small soft">The chance of a draw is not known; draws count half for each side.</p>`;
  }
  const [red, drawn, blue] = [win, draw, loss].map(percentText);
  const text = `Red wins ${red}, draw ${drawn}, Blue wins ${blue}`;
  return html`<div class="wdl ${exact ? "" : "guess"}" role="img" aria-label=${text}>
      <${Chance} kind="red" share=${win} />
      <${Chance} kind="draw" share=${draw} />
      <${Chance} kind="blue" share=${loss} />
    </div>
    <p class="small soft">
      ${exact ? "With best play:" : "Estimate, with best play:"} ${text}.
    </p>`;
}

/**
 * A part of the bar; one that is too narrow has no figure.
 *
 * @param {{ kind: string, share: number }} props
 */
function Chance({ kind, share }) {
  if (share < 0.0005) return null;
  return html`<span class=${kind} style=${{ width: `${share * 100}%` }}>
    ${share >= 0.08 ? percentText(share) : ""}
  </span>`;
}

/**
 * How both seats should choose, back to back, with what was chosen.
 *
 * @param {{
 *   mixes: Record<Seat, Record<string, number>>, costs: Record<Seat, Record<string, number>>,
 *   labels: Record<Seat, Record<string, string[]>>, exact: boolean,
 *   played?: Partial<Record<Seat, string | null>>,
 * }} props
 */
export function Mixes({ mixes, costs, labels, exact, played = {} }) {
  const [isWhole, setWhole] = useState(false);
  const words = [...new Set([...Object.keys(costs.red), ...Object.keys(costs.blue)])];
  const seats = /** @type {Seat[]} */ (["red", "blue"]);
  /** @param {string} word */
  const matters = (word) =>
    seats.some((seat) => (mixes[seat][word] ?? 0) >= LEAST_SHARE || played[seat] === word);
  const isLong = words.length > FEW_ROWS;
  const shown = isLong && !isWhole ? words.filter(matters) : words;
  const asked = seats.filter((seat) => Object.keys(costs[seat]).length);
  /** @param {Seat} seat */
  const areEqual = (seat) =>
    exact &&
    Object.keys(costs[seat]).length > 1 &&
    Object.values(costs[seat]).every((cost) => cost < leastCost(exact));
  /** @param {string} word */
  const labelOf = (word) => labels.red[word] ?? labels.blue[word];
  const pair = shown.find((word) => word.includes("/"));
  /** @param {Seat} seat @param {string} word */
  const half = (seat, word) => html`<${Half}
    seat=${seat}
    share=${areEqual(seat) ? 0 : (mixes[seat][word] ?? 0)}
    cost=${costs[seat][word]}
    exact=${exact}
    isPlayed=${played[seat] === word}
  />`;
  return html`<div class="mixes-head">
      ${seats.map(
        (seat) => html`<span class="seat ${seat}">
        ${
          asked.includes(seat) &&
          html`<${SeatSign} seat=${seat} />${
            areEqual(seat) ? "All choices are equally good" : `${SEAT_NAMES[seat]} should play`
          }`
        }
      </span>`,
      )}
    </div>
    <ul class="mixes ${exact ? "" : "guess"} ${asked.length === 1 ? "one" : ""}" data-mixes>
      ${shown.map((word) => {
        const icon = word.includes("/") ? "" : choiceIcon(word);
        return html`<li key=${word}>
          ${half("red", word)}
          <span class="mid">
            ${icon && html`<${Icon} name=${icon} />`}<span>${choiceText(word, labelOf(word))}</span>
          </span>
          ${half("blue", word)}
        </li>`;
      })}
    </ul>
    ${pair && html`<p class="small soft" data-pairs>${pair} is ${uncapitalised(labelOf(pair)[0])}.</p>`}
    ${
      isLong &&
      html`<button type="button" class="btn quiet small" onClick=${() => setWhole(!isWhole)}>
      ${isWhole ? "Show fewer choices" : `Show all ${words.length} choices`}
    </button>`
    }`;
}

/**
 * @param {{ seat: Seat, share: number, cost?: number, exact: boolean, isPlayed: boolean }} props
 *   without a `cost` it is no choice of the seat
 */
function Half({ seat, share, cost, exact, isPlayed }) {
  if (cost === undefined) return html`<span class="half ${seat}"></span>`;
  return html`<span class="half ${seat} ${isPlayed ? "on" : ""}" data-share=${share.toFixed(4)}>
    <i style=${{ "--share": share }}></i>
    <span>${share < LEAST_SHARE ? "–" : `${exact ? "" : "≈ "}${percentText(share)}`}</span>
    ${isPlayed && html`<span class="tag">played</span>`}
    ${cost >= leastCost(exact) && html`<small>costs ${sizeText(cost, exact)}</small>`}
    ${
      cost < leastCost(exact) &&
      share < LEAST_SHARE &&
      exact &&
      html`<small title="Another best mix may contain it">costs nothing</small>`
    }
  </span>`;
}

/**
 * The matrix of all pairs as a heat map; a pair that is picked is played.
 *
 * @param {{ worth: Worth, onPick: (red: string | null, blue: string | null) => void }} props
 */
export function Matrix({ worth, onPick }) {
  const { matrix } = worth;
  if (!matrix) return html`<${Pairs} worth=${worth} onPick=${onPick} />`;
  if (matrix.blue.length > FEW_COLUMNS)
    return html`<${SmallHeat} worth=${worth} onPick=${onPick} />
      <${Pairs} worth=${worth} onPick=${onPick} />`;
  const { worths_exact: exact } = worth;
  const hasColumns = matrix.blue[0] !== null;
  const hasRows = matrix.red[0] !== null;
  return html`<div class="scroll">
    <table class="heat ${exact ? "" : "guess"}" data-matrix>
      ${
        hasColumns &&
        html`<thead>
        <tr>
          ${hasRows && html`<td></td>`}
          ${matrix.blue.map(
            (word) => html`<th scope="col" key=${word}>
            <${Head} worth=${worth} seat="blue" word=${word} />
          </th>`,
          )}
        </tr>
      </thead>`
      }
      <tbody>
        ${matrix.red.map(
          (red, row) => html`<tr key=${red}>
          ${hasRows && html`<th scope="row"><${Head} worth=${worth} seat="red" word=${red} /></th>`}
          ${matrix.blue.map((blue, column) => {
            const value = matrix.values[row][column];
            return html`<td key=${blue}>
              <button
                type="button"
                class=${tone(value)}
                style=${{ "--m": `${Math.abs(value) * 46}%` }}
                data-pair="${red ?? ""} ${blue ?? ""}"
                aria-label="${pairText(worth, red, blue)}: ${scoreText(value, exact)} points for Red"
                onClick=${() => onPick(red, blue)}
              >
                ${scoreText(value, exact)}
              </button>
            </td>`;
          })}
        </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** @param {number} value */
const tone = (value) => (Math.abs(value) < 0.005 ? "" : value > 0 ? "red" : "blue");

/** @param {Worth} worth @param {Seat} seat @param {string | null} word */
function labelOf(worth, seat, word) {
  if (word === null) return "";
  return choiceText(word, worth.labels[seat][word]);
}

/** @param {Worth} worth @param {string | null} red @param {string | null} blue */
function pairText(worth, red, blue) {
  const parts = [
    red && `Red ${labelOf(worth, "red", red)}`,
    blue && `Blue ${labelOf(worth, "blue", blue)}`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** @param {{ worth: Worth, seat: Seat, word: string | null }} props */
function Head({ worth, seat, word }) {
  const share = (seat === "red" ? worth.red_mix : worth.blue_mix)[word ?? ""] ?? 0;
  const about = worth.worths_exact ? "" : "≈ ";
  return html`${labelOf(worth, seat, word)}
    <small>${share < LEAST_SHARE ? "–" : `${about}${percentText(share)}`}</small>`;
}

/** Most choices that are named at a side of a small heat map. */
const MOST_TICKS = 6;

/**
 * Some of the choices along a side of a small heat map, each where its row or column begins.
 *
 * @param {{ worth: Worth, seat: Seat, words: (string | null)[] }} props
 */
function Ticks({ worth, seat, words }) {
  const step = Math.ceil(words.length / MOST_TICKS);
  return html`<div class="ticks ${seat}" aria-hidden="true">
    ${words.map(
      (word, place) =>
        place % step === 0 &&
        html`<span key=${word} style=${{ flexGrow: Math.min(step, words.length - place) }}>
          ${labelOf(worth, seat, word)}
        </span>`,
    )}
  </div>`;
}

/** Shades of a small heat map, from blue to red. */
const SHADES = 8;

/**
 * A large matrix without figures, in which colours tell who gains against the position's value. It
 * can be clicked; with keys, the lists under it do the same.
 *
 * @param {{ worth: Worth, onPick: (red: string | null, blue: string | null) => void }} props
 */
function SmallHeat({ worth, onPick }) {
  const { red, blue, values } = /** @type {NonNullable<Worth["matrix"]>} */ (worth.matrix);
  const [over, setOver] = useState("");
  const most = Math.max(1e-9, ...values.flat().map((value) => Math.abs(value - worth.value)));
  /** @type {Record<string, string>} */
  const paths = {};
  values.forEach((line, row) =>
    line.forEach((value, column) => {
      const shade = Math.round(((value - worth.value) / most) * SHADES);
      paths[shade] = `${paths[shade] ?? ""}M${column} ${row}h1v1h-1z`;
    }),
  );
  /** @param {MouseEvent} event */
  const at = (event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * blue.length);
    const row = Math.floor(((event.clientY - box.top) / box.height) * red.length);
    return [
      Math.min(Math.max(row, 0), red.length - 1),
      Math.min(Math.max(column, 0), blue.length - 1),
    ];
  };
  return html`<div class="heat-map">
    <${Ticks} worth=${worth} seat="blue" words=${blue} />
    <${Ticks} worth=${worth} seat="red" words=${red} />
    <svg
      class="small-heat ${worth.worths_exact ? "" : "guess"}"
      viewBox="0 0 ${blue.length} ${red.length}"
      preserveAspectRatio="none"
      role="img"
      aria-label="Values of all ${red.length * blue.length} pairs; pick one from the lists below"
      data-matrix
      onClick=${(/** @type {MouseEvent} */ event) => {
        const [row, column] = at(event);
        onPick(red[row], blue[column]);
      }}
      onMouseMove=${(/** @type {MouseEvent} */ event) => {
        const [row, column] = at(event);
        setOver(
          `${pairText(worth, red[row], blue[column])}: ${scoreText(values[row][column], worth.worths_exact)} points for Red`,
        );
      }}
      onMouseLeave=${() => setOver("")}
    >
      ${Object.entries(paths).map(([shade, path]) => {
        const level = Number(shade);
        return html`<path
          key=${shade}
          class=${level > 0 ? "red" : level < 0 ? "blue" : "none"}
          fill-opacity=${level === 0 ? 1 : 0.12 + (0.88 * Math.abs(level)) / SHADES}
          d=${path}
        />`;
      })}
    </svg>
    </div>
    <p class="small soft over-pair">
      ${over || "Colours show who gains, compared with the value of the position."}
    </p>`;
}

/**
 * The choices of a position that has not been evaluated yet.
 *
 * @param {Record<Seat, import("../types.js").Menu | null>} menus
 */
export function unknownWorth(menus) {
  /** @param {(option: import("../types.js").MenuOption) => unknown} value */
  const ofEach = (value) =>
    Object.fromEntries(
      Object.entries(menus).map(([seat, menu]) => [
        seat,
        Object.fromEntries((menu?.options ?? []).map((each) => [each.word, value(each)])),
      ]),
    );
  return {
    cost: ofEach(() => 0),
    labels: ofEach((option) => [option.label]),
    red_mix: {},
    blue_mix: {},
    matrix: null,
    exact: false,
    worths_exact: false,
  };
}

/**
 * A pair from two lists, with what it is worth.
 *
 * @param {{ worth: Worth, onPick: (red: string | null, blue: string | null) => void }} props
 */
export function Pairs({ worth, onPick }) {
  const seats = /** @type {Seat[]} */ (["red", "blue"]);
  const [picked, setPicked] = useState(/** @type {Partial<Record<Seat, string>>} */ ({}));
  const mixes = { red: worth.red_mix, blue: worth.blue_mix };
  /** @param {Seat} seat */
  const wordOf = (seat) => {
    const words = Object.keys(worth.cost[seat]);
    const likely = words.reduce(
      (best, word) => ((mixes[seat][word] ?? 0) > (mixes[seat][best] ?? 0) ? word : best),
      words[0] ?? "",
    );
    return picked[seat] !== undefined && words.includes(picked[seat])
      ? picked[seat]
      : likely || null;
  };
  const [red, blue] = seats.map(wordOf);
  const { matrix } = worth;
  const value = matrix && matrix.values[matrix.red.indexOf(red)]?.[matrix.blue.indexOf(blue)];
  return html`<div class="pairs row">
    ${seats.map(
      (seat) =>
        Object.keys(worth.cost[seat]).length > 0 &&
        html`<label key=${seat}>
        <${SeatSign} seat=${seat} /><span class="sr">${seat === "red" ? "Red" : "Blue"}</span>
        <select
          data-pick=${seat}
          value=${wordOf(seat) ?? ""}
          onChange=${(/** @type {any} */ event) => setPicked({ ...picked, [seat]: event.target.value })}
        >
          ${Object.keys(worth.cost[seat]).map(
            (word) => html`<option key=${word} value=${word} selected=${word === wordOf(seat)}>
            ${labelOf(worth, seat, word)}
          </option>`,
          )}
        </select>
      </label>`,
    )}
    ${value != null && html`<b class="num">${scoreText(value, worth.worths_exact)} points for Red</b>`}
    <button type="button" class="btn" data-play-pair onClick=${() => onPick(red, blue)}>Play it</button>
  </div>`;
}
