/** @file What both did in the last round and what came of it, under the board until the next one. */
import { html } from "../html.js";
import { Icon, SeatSign } from "../icons.js";
import { capitalised, choiceVerb } from "../words.js";
import { unbroken } from "./choices.js";
import { stepWordOf } from "./steps.js";

/** @typedef {import("../live_match.js").LiveMatch} LiveMatch */

/** @param {{ match: LiveMatch, view: import("../types.js").MatchView }} props */
export function Reason({ match, view }) {
  const round = match.told.value;
  if (!round) {
    const isFirst = !match.reveal.value && view.status === "playing";
    return html`<div class="reason ${isFirst ? "first" : ""}" data-reason="">
      ${
        isFirst &&
        html`<p class="soft">
          ${
            view.asked.length === 2
              ? "Both choose in secret. Then both cards turn over at once."
              : "What each move does appears here."
          }
        </p>`
      }
    </div>`;
  }
  return html`<div class="reason new" key=${`${round.game}/${round.round}`} data-reason=${round.round}>
    <h3>
      <span class="soft">${capitalised(stepWordOf(view))} ${round.round}</span>
      ${match.seats.value.map(
        (seat) =>
          round[seat] !== null &&
          html`<span class="seat ${seat}">
          <${SeatSign} seat=${seat} />${choiceVerb(round[seat] ?? "", round.labels[seat])}
        </span>`,
      )}
      <button
        type="button"
        class="btn quiet again"
        data-again
        aria-label="Show again"
        disabled=${match.reveal.value !== null}
        onClick=${() => match.showAgain()}
      >
        <${Icon} name="undo" /><span>Show again</span>
      </button>
    </h3>
    <p>${unbroken(round.story.join(" "))}</p>
  </div>`;
}
