/** @file The end of a match: the result, what can be done now, and the proof of the dice. */
import { useEffect, useState } from "preact/hooks";
import { html } from "../html.js";
import { Icon, SeatSign } from "../icons.js";
import { CopyButton } from "../controls.js";
import { counted, other, playerName, scoreText } from "../words.js";

/** @typedef {import("../types.js").MatchView} View */
/** @typedef {import("../types.js").Seat} Seat */
/** @typedef {import("../live_match.js").LiveMatch} LiveMatch */

/** @param {{ match: LiveMatch, view: View }} props */
export function Over({ match, view }) {
  const { you, outcome } = view;
  const game = match.place.value?.game ?? view.game;
  const canRematch = you !== null && view.visibility !== "uploaded" && view.status === "over";
  return html`<section
    class="card over ${you && outcome?.winner === you ? "won" : ""}"
    role="status"
    aria-label="Result"
    data-over
  >
    <h2 tabindex="-1">
      ${outcome?.winner && html`<${SeatSign} seat=${outcome.winner} />`}${headline(view)}
    </h2>
    ${outcome && html`<p>${reasonOf(view)}</p>`}
    <${RatingChanges} match=${match} view=${view} />
    <div class="row">
      ${canRematch ? html`<${Rematch} match=${match} view=${view} />` : html`<${NewDuel} view=${view} />`}
      ${
        view.games.some((each) => each.number === game) &&
        html`<a class="btn big" href="/match/${view.match}?analysis=${game}" data-analyse>
        <${Icon} name="analysis" />What decided it?
      </a>`
      }
    </div>
    ${view.unrated && html`<p class="small soft">${view.unrated}</p>`}
    <div class="row small links">
      ${canRematch && html`<${NewDuel} view=${view} />`}
      <button
        type="button"
        class="btn"
        data-replay
        onClick=${() => match.look({ game: 1, round: 0 })}
      >
        <${Icon} name="play" />Replay
      </button>
      <${CopyButton} text=${location.href} />
      <a class="btn" href="/api/matches/${view.match}/games/${game}/record" download data-record>
        <${Icon} name="download" />Record${view.games.length > 1 ? ` of game ${game}` : ""}
      </a>
      <a
        class="btn"
        href="/api/matches/${view.match}/games/${game}/replay.html"
        target="_blank"
        data-replay-page
      >
        <${Icon} name="book" />Replay page
      </a>
    </div>
  </section>`;
}

/** @param {{ view: View }} props */
function NewDuel({ view }) {
  const isMain = view.you === null || view.status !== "over";
  return html`<a class="btn ${isMain ? "big main" : ""}" href="/">
    ${view.you ? "New opponent" : "Play"}
  </a>`;
}

/**
 * Why the match ended so: for one of several games, whose score is in the headline, the end of the
 * last.
 *
 * @param {View} view
 */
function reasonOf(view) {
  const last = view.games[view.games.length - 1];
  return view.games.length > 1 && last.number === view.game && view.status === "over"
    ? `Game ${last.number}: ${last.ending}`
    : view.outcome?.sentence;
}

/** @param {View} view */
export function headline(view) {
  const { outcome, you, score } = view;
  if (view.status === "cancelled") return "This match was cancelled";
  const isOne = score.red + score.blue + view.draws <= 1;
  const tally = isOne
    ? ""
    : ` ${outcome?.winner === "blue" ? `${score.blue} – ${score.red}` : scoreText(score)}`;
  if (!outcome?.winner) return `The match is drawn${tally}`;
  if (you === outcome.winner) return `You win${isOne ? "" : " the match"}${tally}`;
  return `${playerName(view.players[outcome.winner])} wins${isOne ? "" : " the match"}${tally}`;
}

/** @param {{ match: LiveMatch, view: View }} props */
function RatingChanges({ match, view }) {
  const changes = view.rating_changes;
  if (!changes) return null;
  return html`<ul class="facts" data-rating-changes>
    ${match.seats.value.map((seat) => {
      const [before, after] = changes[seat];
      const change = Math.round(after) - Math.round(before);
      const sign = change < 0 ? "−" : "+";
      return html`<li>
          ${playerName(view.players[seat])}${" "}
          <b>${Math.round(before)} → ${Math.round(after)}</b> (${sign}${Math.abs(change)})
        </li>`;
    })}
  </ul>`;
}

/** @param {{ match: LiveMatch, view: View }} props */
function Rematch({ match, view }) {
  const { rematch } = view;
  const you = /** @type {Seat} */ (view.you);
  const them = playerName(view.players[other(you)]);
  if (rematch.match)
    return html`<a class="btn main big" href="/match/${rematch.match}" data-rematch>
      Go to the rematch
    </a>`;
  if (rematch.offered_by.includes(you)) {
    return html`<button type="button" class="btn big" disabled data-rematch>
      Waiting for ${them}…
    </button>`;
  }
  const isOffered = rematch.offered_by.length > 0;
  const label = isOffered ? `Accept ${them}’s rematch` : "Rematch";
  return html`<button
    type="button"
    class="btn main big"
    title="The seats are exchanged"
    data-rematch
    onClick=${() => match.rematch()}
  >
    ${label} <kbd aria-hidden="true">R</kbd>
  </button>`;
}

/** The seal of the dice, in a line. @param {{ view: View }} props */
export function Seal({ view }) {
  const { seal } = view;
  const [isRight, setRight] = useState(/** @type {boolean | null} */ (null));
  const isOpen = Boolean(seal?.seed && seal.salt);
  useEffect(() => {
    if (seal && isOpen) checkSeal(seal).then(setRight, () => setRight(null));
  }, [seal?.commitment, isOpen]);
  if (!seal?.commitment) return null;
  const short = html`<code title=${seal.commitment}>
    ${seal.commitment.slice(0, 4)}…${seal.commitment.slice(-4)}
  </code>`;
  return html`<p
    class="seal small soft"
    data-seal=${isOpen ? (isRight === false ? "broken" : isRight ? "checked" : "open") : "sealed"}
  >
    <${Icon} name="dice" />
    ${
      !isOpen
        ? html`<span>
          Dice sealed before round 1: ${short}. The seed is published at the end, so that anyone can
          check it.
        </span>`
        : isRight === false
          ? html`<span><b>The published seed does not match the seal</b> ${short}.</span>`
          : html`<span>
            ${isRight ? "Dice checked: the" : "The"} seed${" "}
            <code title="salt ${seal.salt}">${seal.seed}</code>${" "}
            ${isRight ? "matches" : "belongs to"} the seal ${short} published before round 1.
          </span>`
    }
  </p>`;
}

/**
 * Whether the seed is the one that was sealed: SHA-256 of the seed in 8 bytes and the salt. Throws
 * where the browser offers no cryptography, as on pages that are not secure.
 *
 * @param {NonNullable<View["seal"]>} seal
 */
async function checkSeal(seal) {
  const salt = (seal.salt ?? "").match(/../g) ?? [];
  const bytes = new Uint8Array(8 + salt.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(seal.seed ?? 0));
  bytes.set(
    salt.map((pair) => parseInt(pair, 16)),
    8,
  );
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  const found = Array.from(new Uint8Array(digest), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  return found === seal.commitment;
}

/** @param {{ view: View }} props */
export function Watching({ view }) {
  return view.watching
    ? html`<span class="soft small">
      <${Icon} name="eye" />${counted(view.watching, "spectator")}
    </span>`
    : null;
}
