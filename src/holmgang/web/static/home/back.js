/** @file What waits for someone who has been here before. */
import { html } from "../html.js";
import { SmallBoard } from "../parts.js";
import { me } from "../session.js";
import { counted, leftText, other, playerName, scoreText } from "../words.js";

/** @typedef {import("../types.js").OwnMatchLine} OwnMatchLine */

const MOST = 5;

/** @param {{ yours: OwnMatchLine[] }} props */
export function Back({ yours }) {
  const due = yours.filter((match) => match.waiting_for.includes(match.you));
  const rest = yours.filter((match) => !due.includes(match));
  const going = rest.filter((match) => match.status !== "cancelled");
  if (!yours.length)
    return html`<h1 class="greeting">
      Welcome back${!me.value?.guest && html`, <span dir="auto">${me.value?.name}</span>`}
    </h1>`;
  return html`<section class="card flush yours" aria-labelledby="yours" data-yours>
    <h1 id="yours" class="head">
      ${
        due.length
          ? `Your turn in ${counted(due.length, "match", "matches")}`
          : going.length
            ? `You have ${counted(going.length, "match", "matches")} in progress`
            : "A match of yours was cancelled."
      }
    </h1>
    <ul class="rows">
      ${[...due, ...rest].slice(0, MOST).map(
        (match) => html`<li key=${match.match}>
        <${Own} match=${match} isDue=${due.includes(match)} />
      </li>`,
      )}
    </ul>
  </section>`;
}

/** @param {{ match: OwnMatchLine, isDue: boolean }} props */
function Own({ match, isDue }) {
  const opponent = match.players[other(match.you)];
  const state =
    match.status === "open"
      ? opponent
        ? "begins when both are here"
        : "waiting for an opponent"
      : match.status === "cancelled"
        ? `cancelled: ${match.reason}`
        : `${scoreText(match.score)}, ${counted(match.rounds, "round")} played`;
  const left = isDue && match.deadline ? leftText(match.deadline - Date.now()) : "";
  return html`<${SmallBoard} match=${match} />
    <span class="what">
      <b dir="auto">${playerName(opponent, "Open")}</b> · ${match.title}
      <span class="soft small">${state}</span>
    </span>
    ${left && html`<span class="tag">${left} left</span>`}
    <a class="btn ${isDue ? "main" : ""}" href="/match/${match.match}">
      ${isDue ? "Choose" : match.status === "cancelled" ? "See it" : "Open"}
      <span class="sr"> the match with ${playerName(opponent, "nobody yet")}</span>
    </a>`;
}
