/**
 * @file Three hints for a first duel, each shown once, under the choices. Playing on dismisses them,
 * too.
 */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { html } from "../html.js";
import { recall, remember } from "../session.js";
import { other, SEAT_NAMES } from "../words.js";
import { stepWordOf } from "./steps.js";

/** @typedef {import("../types.js").MatchView} View */

const COUNT = 3;

/** Number of hints that are done: dismissed, or passed by playing on. */
const read = signal(Number(recall("hints") ?? 0));

/**
 * The hint for what is on the screen; null if there is none.
 *
 * @param {View} view
 * @param {string | null} chosen
 * @returns {{ number: number, text: string } | null}
 */
function useHint(view, chosen) {
  const played = view.game > 1 ? COUNT : view.rounds.length;
  const isPlayer = view.you !== null && view.status === "playing";
  useEffect(() => {
    if (isPlayer && played > read.value) setRead(played);
  }, [isPlayer, played]);
  if (view.you === null || !isPlayer || view.menu === null || chosen) return null;
  const [you, them] = [SEAT_NAMES[view.you], SEAT_NAMES[other(view.you)]];
  const texts = [
    view.asked.length === 2
      ? `You are ${you}. Choose what to do; ${them} cannot see it.`
      : `You are ${you}. Choose what to do.`,
    `Select a number in the story to see that ${stepWordOf(view)} again.`,
    "“What if?” shows what each choice would do.",
  ];
  const number = Math.max(read.value, played);
  return number < COUNT ? { number: number + 1, text: texts[number] } : null;
}

/** @param {number} count */
function setRead(count) {
  read.value = Math.min(COUNT, count);
  remember("hints", String(read.value));
}

/** @param {{ match: import("../live_match.js").LiveMatch, view: View }} props */
export function Hint({ match, view }) {
  const hint = useHint(view, match.chosen.value);
  if (!hint) return null;
  const isLast = hint.number === COUNT;
  return html`<div class="banner hint" role="status" data-hint>
    <span><b>Hint ${hint.number} of ${COUNT}.</b> ${hint.text}</span>
    <span class="row">
      <button type="button" class="btn small" onClick=${() => setRead(read.value + 1)}>
        ${isLast ? "Got it" : "Next"}
      </button>
      ${
        !isLast &&
        html`<button type="button" class="btn quiet small" onClick=${() => setRead(COUNT)}>
        No hints
      </button>`
      }
    </span>
  </div>`;
}
