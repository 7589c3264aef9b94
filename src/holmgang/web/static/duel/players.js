/** @file The line above the board: who plays, the score, the clock. */
import { useEffect, useState } from "preact/hooks";
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { Seated } from "../parts.js";
import { play } from "../sounds.js";
import { counted, leftText, SEAT_NAMES } from "../words.js";
import { roundNumber } from "./steps.js";

/** @typedef {import("../types.js").MatchView} View */
/** @typedef {import("../types.js").Seat} Seat */
/** @typedef {import("../live_match.js").LiveMatch} LiveMatch */

const MOST_PIPS = 7;
const LITTLE_MS = 10_000;

/** @param {{ match: LiveMatch, view: View }} props */
export function PlayersBar({ match, view }) {
  const [left, right] = match.seats.value;
  return html`<section class="players" aria-label="Players, score and clock">
    <${Side} match=${match} view=${view} seat=${left} />
    <div class="middle">
      <${Score} view=${view} seats=${match.seats.value} />
      <${Clock} match=${match} view=${view} />
    </div>
    <${Side} match=${match} view=${view} seat=${right} />
  </section>`;
}

/** @param {{ match: LiveMatch, view: View, seat: Seat }} props */
function Side({ match, view, seat }) {
  const isYou = view.you === seat;
  const isAsked = view.status === "playing" && view.asked.includes(seat) && !match.reveal.value;
  const hasChosen = isAsked && match.chosenSeats.value.includes(seat);
  const state = !isAsked ? "" : hasChosen ? "has chosen" : isYou ? "" : "is choosing…";
  const note = view.notes[seat];
  const rest = [isYou && "you", state, view.outcome?.winner === seat && "winner"]
    .filter(Boolean)
    .join(" · ");
  const hasWon = view.outcome?.winner === seat;
  return html`<div class="side-${seat} ${hasWon ? "winner" : ""}" data-player=${seat}>
    <${Seated} seat=${seat} player=${view.players[seat]} free="free seat" isLinked=${true} />
    <span
      class="said ${hasChosen ? "done" : ""}"
      data-state=${!isAsked ? "idle" : hasChosen ? "chosen" : "choosing"}
    >
      <span class=${rest && !isYou ? "wide" : ""}>
        ${SEAT_NAMES[seat]}${rest && " · "}
      </span>${rest}${hasChosen ? html` <${Icon} name="check" />` : ""}
    </span>
    ${note && html`<span class="said note">${note}</span>`}
  </div>`;
}

/** @param {{ view: View, seats: Seat[] }} props */
function Score({ view, seats: [left, right] }) {
  const { wins_needed: needed, score } = view;
  const isOne = needed === 1;
  const text = isOne ? "One game decides the match" : `First to ${needed} games wins the match`;
  const hasPips = !isOne && needed <= MOST_PIPS;
  /** @param {Seat} seat */
  const pips = (seat) =>
    hasPips &&
    html`<span class="pips ${seat}" aria-hidden="true">
      ${Array.from(
        { length: needed },
        (_, place) => html`<i
        class=${place < score[seat] ? "on" : ""}
      >
      </i>`,
      )}
    </span>`;
  return html`<div class="score" title=${text}>
    ${pips(left)}
    <b data-score>
      ${
        isOne && view.status === "playing"
          ? html`<span class="soft">
        vs
      </span>`
          : `${score[left]} – ${score[right]}`
      }
    </b>
    ${pips(right)}
    <span class="sr">${text}. ${view.draws ? counted(view.draws, "draw") : ""}</span>
  </div>`;
}

/** @param {{ match: LiveMatch, view: View }} props */
function Clock({ match, view }) {
  const [, tick] = useState(0);
  const { deadline } = view;
  useEffect(() => {
    if (deadline === null) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 200);
    return () => clearInterval(timer);
  }, [deadline]);
  const isLow = deadline !== null && deadline - Date.now() - match.clockOffset < LITTLE_MS;
  const isYours = view.you !== null && view.waiting_for.includes(view.you);
  useEffect(() => {
    if (isLow && isYours) play("low");
  }, [isLow, deadline]);
  const game =
    view.wins_needed > 1 || view.game > 1
      ? html`<span class="wide">game ${view.game}, </span>`
      : "";
  const where = html`${game}round ${roundNumber(view)}`;
  if (view.status !== "playing") return html`<div class="clock">${view.title}</div>`;
  if (deadline === null)
    return html`<div class="clock">${where}<span class="sr">, no time limit</span></div>`;
  const left = Math.max(0, deadline - Date.now() - match.clockOffset);
  const share = Math.min(1, left / ((view.time.seconds ?? 1) * 1000));
  return html`<div
    class="clock ${isLow ? "late" : ""}"
    role="timer"
    aria-label="${leftText(left)} left"
  >
    <span title="Until ${new Date(deadline - match.clockOffset).toLocaleTimeString()}">
      <b data-left>${leftText(left)}</b> · ${where}
    </span>
    <div class="bar"><i style=${{ transform: `scaleX(${share})` }}></i></div>
  </div>`;
}
