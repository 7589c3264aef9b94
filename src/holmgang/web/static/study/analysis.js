/** @file The analysis of a finished game: where it was won, by skill and by luck. */
import { useEffect, useState } from "preact/hooks";
import { get } from "../api.js";
import { Board } from "../board.js";
import { useKeys } from "../duel/choices.js";
import { stepWord } from "../duel/steps.js";
import { exploreLink } from "../duel/story.js";
import { html } from "../html.js";
import { Icon, SeatSign } from "../icons.js";
import { Problem } from "../parts.js";
import { address, navigate } from "../router.js";
import { capitalised, choiceVerb, counted } from "../words.js";
import { useComputed } from "./computed.js";
import { Curve, Flag, judged } from "./curve.js";
import { LEGEND, scoreText, sizeText, valueText } from "./figures.js";
import { PlayFromHere } from "./play_from_here.js";
import { SkillAndLuck } from "./skill_and_luck.js";
import { Tendencies } from "./tendencies.js";
import { Certainty, Chances, Mixes } from "./worth.js";

/** @typedef {import("../types.js").GameAnalysis} AnalysisJson */
/** @typedef {import("../types.js").AnalysedRound} AnalysedRound */
/** @typedef {import("../types.js").MatchView} View */
/** @typedef {import("../types.js").Seat} Seat */

/** Ids of the board here begin with this: the page has another board. */
const PREFIX = "study";

/** @param {{ view: View, game: number }} props `game` is one that is over */
export function Analysis({ view, game }) {
  const path = `/api/matches/${view.match}/games/${game}/analysis`;
  const { answer, done, of, error } = useComputed(path);
  const analysis = /** @type {AnalysisJson | null} */ (answer);
  /** @param {number} to */
  const goToGame = (to) => navigate(`/match/${view.match}?analysis=${to}`, { replace: true });
  return html`<header class="row between">
      <h2 class="big">Analysis</h2>
      ${
        view.games.length > 1 &&
        html`<span class="row games-tabs" role="group" aria-label="Game">
        ${view.games.map(
          ({ number, winner }) => html`<button
            key=${number}
            type="button"
            class="tab ${winner ?? ""}"
            aria-pressed=${number === game}
            aria-label="Game ${number}${winner ? `, won by ${winner}` : ""}"
            onClick=${() => goToGame(number)}
          >
            ${number}${winner && html`<${SeatSign} seat=${winner} />`}
          </button>`,
        )}
      </span>`
      }
      ${analysis && html`<${Certainty} ...${analysis} />`}
    </header>
    <${Problem} error=${error} />
    ${
      !analysis &&
      !error &&
      html`<p class="soft working" role="status" data-working>
      <span>
        ${of ? `Analysed: ${done} of ${counted(of, "round")}` : "Analysing every round…"}
      </span>
      <progress value=${of ? done : undefined} max=${of || 1} aria-label="Progress"></progress>
    </p>`
    }
    ${
      analysis &&
      (analysis.rounds.length
        ? html`<${Rounds} key=${game} view=${view} game=${game} analysis=${analysis} />`
        : html`<p class="soft">No round was played.</p>`)
    }`;
}

/** @param {{ view: View, game: number, analysis: AnalysisJson }} props */
function Rounds({ view, game, analysis }) {
  const { rounds, players } = analysis;
  const query = new URLSearchParams(address.value.split("?")[1] ?? "");
  const wished = Number(query.get("round")) || worst(analysis);
  const at = Math.min(Math.max(1, wished), rounds.length);
  const round = rounds[at - 1];
  const word = capitalised(stepWord(rounds));
  /** @param {number} to */
  const pick = (to) => {
    if (to >= 1 && to <= rounds.length)
      navigate(`/match/${view.match}?analysis=${game}&round=${to}`, { replace: true });
  };
  useKeys(false, (key) => {
    if (key === "ArrowLeft") pick(at - 1);
    else if (key === "ArrowRight") pick(at + 1);
    else return false;
    return true;
  });
  const isPicked = query.has("round");
  return html`<section class="card all" aria-labelledby="short">
      <h3 id="short">In short</h3>
      <div class="summary" data-summary>
        ${analysis.summary.map((sentence) => html`<p key=${sentence}>${sentence}</p>`)}
      </div>
    </section>
    <section class="card all" aria-labelledby="chances">
      <div class="row between">
        <h3 id="chances">Winning chances</h3>
        <span class="soft small keys">
          <kbd>←</kbd> <kbd>→</kbd> previous, next ${stepWord(rounds)}
        </span>
      </div>
      <${Curve} analysis=${analysis} at=${at} onPick=${pick} />
      <p class="key small soft">
        <span><i class="red"></i>Red wins</span>
        ${analysis.exact && html`<span><i class="draw"></i>draw</span>`}
        <span><i class="blue"></i>Blue wins</span>
        <span>
          ${analysis.errors_exact ? "" : "Proven errors: "}
          <b>?!</b> inaccuracy, 5 points · <b>?</b> mistake, 10 · <b>??</b> blunder, 15
          (rounded to whole points)
        </span>
        <span>${LEGEND}</span>
      </p>
    </section>
    <${Fold} title="${word} ${at}" name="round" isOpen=${isPicked}>
      <${OneRound} view=${view} game=${game} analysis=${analysis} round=${round} onPick=${pick} />
    </${Fold}>
    <${Fold} title="Mistakes" name="turns">
      <${TurningPoints} analysis=${analysis} onPick=${pick} />
    </${Fold}>
    <${Fold} title="Guessing and luck" name="luck">
      <section class="card" aria-labelledby="apart">
        <h3 id="apart">Skill and luck</h3>
        <${SkillAndLuck} analysis=${analysis} />
        <ul class="facts" data-accuracy>
          ${
            /** @type {Seat[]} */ (["red", "blue"]).map((seat) => {
              const accuracy = analysis.accuracy[seat];
              return html`<li key=${seat}>
            <span class="seat ${seat}">
              <${SeatSign} seat=${seat} /><span class="name">${players[seat]}</span>
            </span>${" "}
            accuracy${" "}
            <b class="num">${accuracy === null ? "not known" : `${Math.round(accuracy)} %`}</b>
          </li>`;
            })
          }
        </ul>
      </section>
    </${Fold}>
    <${Fold} title="All ${stepWord(rounds)}s" name="rounds">
      <${AllRounds} analysis=${analysis} at=${at} onPick=${pick} />
    </${Fold}>
    ${
      analysis.errors_exact &&
      view.status === "over" &&
      html`<${Fold} title="Tendencies" name="tendencies">
        <${Tendencies} match=${view.match} />
      </${Fold}>`
    }`;
}

/**
 * A part of the analysis that is folded until somebody asks for it.
 *
 * @param {{ title: string, name: string, isOpen?: boolean, children: any }} props
 */
function Fold({ title, name, isOpen = false, children }) {
  const [open, setOpen] = useState(isOpen);
  useEffect(() => {
    if (isOpen) setOpen(true);
  }, [isOpen]);
  return html`<details
    class="fold all"
    data-fold=${name}
    open=${open}
    onToggle=${(/** @type {any} */ event) => setOpen(event.currentTarget.open)}
  >
    <summary>${title}</summary>
    ${open && children}
  </details>`;
}

/** The round to begin with: that of the largest error, or the first. @param {AnalysisJson} analysis */
function worst({ rounds }) {
  const errors = rounds.map((round) => Math.max(round.red_error, round.blue_error));
  const most = Math.max(...errors);
  return most >= 0.09 ? errors.indexOf(most) + 1 : 1;
}

/**
 * @param {{ view: View, game: number, analysis: AnalysisJson, round: AnalysedRound,
 *   onPick: (round: number) => void }} props
 */
function OneRound({ view, game, analysis, round, onPick }) {
  const { exact } = round;
  const number = round.round;
  const picture = usePicture(view.match, game, number - 1);
  return html`<section class="card one" aria-labelledby="round" data-round-shown=${number}>
    <div class="row between">
      <h3 id="round" aria-live="polite">${capitalised(stepWord(analysis.rounds))} ${number}</h3>
      <span class="row">
        ${!exact && html`<${Certainty} exact=${exact} source="search" depth=${round.depth} />`}
        <button
          type="button"
          class="btn"
          aria-label="Previous round"
          disabled=${number === 1}
          onClick=${() => onPick(number - 1)}
        >
          <${Icon} name="previous" />
        </button>
        <button
          type="button"
          class="btn"
          aria-label="Next round"
          disabled=${number === analysis.rounds.length}
          onClick=${() => onPick(number + 1)}
        >
          <${Icon} name="next" />
        </button>
      </span>
    </div>
    <${Board} picture=${picture} label="Board before round ${number}" />
    <div>
      <${Chances} value=${round.value_before} ...${round.chances} exact=${exact} />
    </div>
    <div>
      <${Mixes}
        mixes=${{ red: round.red_mix, blue: round.blue_mix }}
        costs=${round.cost}
        labels=${round.labels}
        exact=${round.worths_exact}
        played=${{ red: round.red, blue: round.blue }}
      />
    </div>
    <p data-judged>
      ${judged(round, analysis.players)}${" "}
      <span class="soft">
        Match-up ${valueText(round.meeting_luck, round.errors_exact)}, dice
        ${" "}${valueText(round.dice_luck, round.errors_exact)}:
        ${" "}${scoreText(round.value_before, exact)} → ${scoreText(round.value_after, exact)} points for
        Red.
      </span>
    </p>
    <div class="leave">
      <${PlayFromHere}
        key=${round.text}
        ruleset=${analysis.ruleset}
        start=${round.text}
        game=${view.game_name}
        label="Play from round ${number}"
        isMain=${false}
      />
      <a class="btn quiet" href=${exploreLink(view, { game, round: number })} data-explore-round>
        <${Icon} name="compass" />Explore
      </a>
    </div>
  </section>`;
}

/** The board before a round. @param {string} match @param {number} game @param {number} round */
function usePicture(match, game, round) {
  const [picture, setPicture] = useState("");
  useEffect(() => {
    let isWanted = true;
    get(`/api/matches/${match}/games/${game}/frames/${round}?prefix=${PREFIX}&last=0`).then(
      (frame) => isWanted && setPicture(frame.picture),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [match, game, round]);
  return picture;
}

const MOST_POINTS = 6;

/** @param {{ analysis: AnalysisJson, onPick: (round: number) => void }} props */
function TurningPoints({ analysis, onPick }) {
  const largest = [...analysis.turning_points].sort((one, other) => other.cost - one.cost);
  const word = capitalised(stepWord(analysis.rounds));
  const shown = largest.slice(0, MOST_POINTS).sort((one, other) => one.round - other.round);
  return html`<section class="card" aria-labelledby="turns">
    <h3 id="turns">Turning points</h3>
    ${
      shown.length
        ? html`<ul class="turns" data-turns>
          ${shown.map(
            ({ round, seat, mark, text }) => html`<li key="${round}${seat}">
            <button type="button" class="btn quiet small" onClick=${() => onPick(round)}>
              ${word} ${round}
            </button>
            <${Flag} seat=${seat} mark=${mark} />
            <p>${text}.</p>
          </li>`,
          )}
        </ul>`
        : html`<p class="soft">
          ${
            analysis.errors_exact
              ? "Nobody made an error of 5 points or more."
              : "The values are estimates, and no error is proven."
          }
        </p>`
    }
  </section>`;
}

/** @param {{ analysis: AnalysisJson, at: number, onPick: (round: number) => void }} props */
function AllRounds({ analysis, at, onPick }) {
  const { rounds, totals, exact, errors_exact: isSure } = analysis;
  /** @param {AnalysedRound} round @param {Seat} seat */
  const choice = (round, seat) => {
    const word = round[seat];
    if (word === null) return html`<td class="soft">–</td>`;
    const mark = seat === "red" ? round.red_mark : round.blue_mark;
    const label = choiceVerb(word, round.labels[seat][word]);
    return html`<td>
      <span class="seat ${seat}"><${SeatSign} seat=${seat} />${label}</span>${" "}
      ${mark && html`<b class="err">${mark}</b>`}
    </td>`;
  };
  /** @param {number} value @param {boolean} isExact @param {boolean} [isError] */
  const figure = (value, isExact, isError = false) => {
    const isNone = Math.abs(value) < (isExact ? 0.001 : 0.01);
    const text = isError ? sizeText(value, isExact) : valueText(value, isExact);
    return html`<td class="num ${isNone ? "soft" : ""}">${isNone && isError ? "·" : text}</td>`;
  };
  return html`<section class="card flush all" aria-labelledby="all">
    <h3 id="all" class="head">All ${stepWord(rounds)}s, in points for Red</h3>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="all">
      <table class="rounds" data-all-rounds>
        <thead>
          <tr>
            <th scope="col">${capitalised(stepWord(rounds))}</th><th scope="col">Red</th><th scope="col">Blue</th>
            <th scope="col" class="num">before</th><th scope="col" class="num">Red’s error</th>
            <th scope="col" class="num">Blue’s error</th><th scope="col" class="num">match-up</th>
            <th scope="col" class="num">dice</th><th scope="col" class="num">after</th>
          </tr>
        </thead>
        <tbody>
          ${rounds.map(
            (round) => html`<tr
            key=${round.round}
            class=${round.round === at ? "on" : ""}
            onClick=${() => onPick(round.round)}
          >
            <th scope="row"><button type="button" class="btn quiet small">${round.round}</button></th>
            ${choice(round, "red")}${choice(round, "blue")}
            <td class="num">${scoreText(round.value_before, round.exact)}</td>
            ${figure(round.red_error, round.errors_exact, true)}
            ${figure(round.blue_error, round.errors_exact, true)}
            ${figure(round.meeting_luck, round.errors_exact)}
            ${figure(round.dice_luck, round.errors_exact)}
            <td class="num">${scoreText(round.value_after, round.exact)}</td>
          </tr>`,
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Sum</th>
            <td colspan="3" class="soft">− Red’s + Blue’s + match-up + dice</td>
            ${figure(totals.red_error, isSure, true)}${figure(totals.blue_error, isSure, true)}
            ${figure(totals.meeting_luck, isSure)}${figure(totals.dice_luck, isSure)}
            ${figure(analysis.end_value - analysis.start_value, exact)}
          </tr>
        </tfoot>
      </table>
    </div>
  </section>`;
}
