/** @file How both players chose over a whole match, compared with the best mixes. */
import { html } from "../html.js";
import { SeatSign } from "../icons.js";
import { capitalised, counted, spoken } from "../words.js";
import { useComputed } from "./computed.js";
import { costText, percentText } from "./figures.js";

/** @typedef {import("../types.js").Seat} Seat */
/** @typedef {import("../types.js").PlayerTendencies} PlayerTendencies */
/** @typedef {import("../types.js").SituationLine} Situation */

/** Situations of a player that are shown. */
const MOST_SHOWN = 2;
/** Choices of a situation that are shown. */
const MOST_CHOICES = 6;

/** Shown where there is a table: estimated mixes say nothing of habits. @param {{ match: string }} props */
export function Tendencies({ match }) {
  const { answer, error } = useComputed(`/api/matches/${match}/tendencies`);
  if (error || !answer) return null;
  const { players } = /** @type {import("../types.js").MatchTendencies} */ (answer);
  const seats = /** @type {Seat[]} */ (["red", "blue"]);
  return html`<section class="card all" aria-labelledby="tendencies" data-tendencies>
    <h3 id="tendencies">Tendencies in this match</h3>
    <p class="small soft">
      How often each player made a choice, next to how often the best mix makes it, in situations
      of the same kind.
    </p>
    <div class="tendencies">
      ${seats.map((seat) => html`<${Player} key=${seat} seat=${seat} of=${players[seat]} />`)}
    </div>
  </section>`;
}

/** @param {{ seat: Seat, of: PlayerTendencies }} props */
function Player({ seat, of }) {
  const shown = of.kinds.filter((kind) => kind.gain !== null).slice(0, MOST_SHOWN);
  return html`<div data-tendencies-of=${seat}>
    <h4 class="seat ${seat}">
      <${SeatSign} seat=${seat} /><span class="name">${of.player}</span>
      <span class="soft small">${counted(of.rounds, "choice")}</span>
    </h4>
    ${
      shown.length
        ? shown.map(
            (kind) => html`<${OneSituation} key=${kind.situation} seat=${seat} kind=${kind} />`,
          )
        : html`<p class="soft">No situation came up often enough to show a tendency.</p>`
    }
  </div>`;
}

/** @param {{ seat: Seat, kind: Situation }} props */
function OneSituation({ seat, kind }) {
  const { frequencies, equilibrium } = kind;
  const words = Object.keys(frequencies)
    .sort((one, other) => equilibrium[other] - equilibrium[one])
    .slice(0, MOST_CHOICES);
  return html`<table class="habit ${seat}">
      <caption>Where ${listed(kind.choices.map(spoken))} should be mixed · ${counted(kind.rounds, "round")}</caption>
      <thead>
        <tr><th scope="col">Choice</th><th scope="col">played</th><th scope="col">best</th></tr>
      </thead>
      <tbody>
        ${words.map(
          (word) => html`<tr key=${word}>
          <th scope="row">${capitalised(spoken(word))}</th>
          <td><${Share} share=${frequencies[word]} /></td>
          <td class="best"><${Share} share=${equilibrium[word]} /></td>
        </tr>`,
        )}
      </tbody>
    </table>
    <p class="small">${gainText(kind)}</p>`;
}

/** @param {string[]} words */
function listed(words) {
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** @param {{ share: number }} props */
function Share({ share }) {
  return html`<span class="num">${percentText(share)}</span><i style=${{ "--share": share }}></i>`;
}

/** @param {Situation} kind */
function gainText({ gain, gain_by_chance: chance, gain_limit: limit, rounds }) {
  const about = `${costText(gain ?? 0, false)} per round`;
  const verdict =
    (gain ?? 0) > (limit ?? 0) ? "That is more than chance explains" : "That may be chance";
  return `An opponent who knew this could gain ${about}. ${verdict}: in ${counted(rounds, "round")} a perfect player would show ${costText(chance ?? 0, true)}.`;
}
