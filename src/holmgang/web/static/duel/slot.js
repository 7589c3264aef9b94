/**
 * @file The line between the board and the choices. It has one height, whatever it says, so that
 * nothing moves under a finger: the prompt, a draw offer, a question, a lost connection.
 */
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { capitalised, choiceText, other, playerName, uncapitalised } from "../words.js";
import { stepWordOf } from "./steps.js";
import { Steps } from "./story.js";

/** @typedef {import("../live_match.js").LiveMatch} LiveMatch */
/** @typedef {import("../types.js").MatchView} View */

/**
 * @param {{
 *   match: LiveMatch, view: View, isAsking: boolean, onAsked: () => void, isWhatIf: boolean,
 *   onWhatIf: () => void,
 * }} props `isAsking`: whether to ask if the match is to be forfeited
 */
export function Slot({ match, view, isAsking, onAsked, isWhatIf, onWhatIf }) {
  const opponent = view.you ? playerName(view.players[other(view.you)]) : "";
  const ended = match.interlude.value;

  if (match.connection.value === "lost") {
    return html`<div class="slot warn" role="status" data-slot="offline">
      <span>
        <b>
          Connection lost. Reconnecting…
        </b> ${view.menu ? "A choice you make now is sent when you reconnect." : "Nothing is lost."}
      </span>
    </div>`;
  }
  if (isAsking && view.status === "playing") {
    return html`<div class="slot warn" role="alertdialog" aria-label="Forfeit" data-slot="forfeit">
      <span><b>Forfeit the match?</b> ${opponent} wins it.</span>
      <span class="end">
        <button type="button" class="btn main" ref=${focusOnce} onClick=${onAsked}>
          Keep playing
        </button>
        <button
          type="button"
          class="btn"
          data-forfeit-yes
          onClick=${() => (onAsked(), match.forfeit())}
        >
          Forfeit
        </button>
      </span>
    </div>`;
  }
  if (ended) {
    return html`<div class="slot note" role="status" data-slot="interlude">
      <span><b>Game ${ended.number}: ${wonText(view, ended.winner)}</b> ${ended.ending}</span>
      <span class="end">
        <button type="button" class="btn main" data-next onClick=${() => match.skip()}>
          Next game
        </button>
      </span>
    </div>`;
  }
  if (match.place.value) {
    return html`<div class="slot" data-slot="steps">
      <${Steps} match=${match} isLive=${view.status === "playing"} />
      ${
        view.status === "playing" &&
        html`<span class="end">
        <button type="button" class="btn main" data-present onClick=${() => match.look(null)}>
          Back to the present
        </button>
      </span>`
      }
    </div>`;
  }
  if (match.notice.value) {
    return html`<div class="slot warn" role="alert" data-slot="notice">
      <span>${match.notice.value}</span>
      <span class="end">
        <button type="button" class="btn" onClick=${() => (match.notice.value = "")}>OK</button>
      </span>
    </div>`;
  }
  if (view.status === "playing" && view.you && view.draw_offered_by.includes(other(view.you))) {
    return html`<div class="slot note" role="status" data-slot="draw">
      <span><b>${opponent} offers a draw</b> of this game.</span>
      <span class="end">
        <button type="button" class="btn" data-draw-accept onClick=${() => match.offerDraw()}>
          Accept
        </button>
        <button type="button" class="btn" data-draw-decline onClick=${() => match.declineDraw()}>
          Decline
        </button>
      </span>
    </div>`;
  }
  const held = match.held.value;
  if (held && !match.reveal.value) {
    const warning = held.advice
      ? html`<b>Coach:</b> ${held.advice.sentence}`
      : held.loss && html`<b>⚠ ${held.loss}</b>`;
    return html`<div
      class="slot ${warning ? "warn" : ""}"
      role="alert"
      data-slot=${held.loss ? "fatal" : "coach"}
    >
      ${
        warning
          ? html`<span class="brief">${warning}</span>
              <span class="end">
                <button
                  type="button"
                  class="btn main"
                  data-choose-again
                  ref=${focusOnce}
                  onClick=${() => (match.held.value = null)}
                >
                  Choose again
                </button>
                <button type="button" class="btn" data-keep onClick=${() => match.keep()}>
                  Keep it
                </button>
              </span>`
          : html`<span><b>Coach:</b> <span class="soft">checking it…</span></span>`
      }
    </div>`;
  }
  if (match.reveal.value) {
    return html`<div class="slot" data-slot="reveal">
      <span class="soft">${match.reveal.value.isStill ? "" : "A tap or a key skips this."}</span>
    </div>`;
  }
  if (view.status !== "playing") {
    return html`<div class="slot" data-slot="steps">
      <${Steps} match=${match} isLive=${false} />
    </div>`;
  }
  if (!view.you) {
    return html`<div class="slot" data-slot="watch">
      <span>
        <b>You are watching.</b>${" "}
        ${
          (declinedText(view) || view.asked.length === 2) &&
          html`<span class="soft">
            ${declinedText(view) || "Choices appear when both are revealed."}
          </span>`
        }
      </span>
      <${Steps} match=${match} isLive=${true} />
    </div>`;
  }
  return html`<${Prompt}
    match=${match}
    view=${view}
    opponent=${opponent}
    isWhatIf=${isWhatIf}
    onWhatIf=${onWhatIf}
  />`;
}

/**
 * @param {{
 *   match: LiveMatch, view: View, opponent: string, isWhatIf: boolean, onWhatIf: () => void,
 * }} props
 */
function Prompt({ match, view, opponent, isWhatIf, onWhatIf }) {
  const chosen = match.chosen.value;
  const hasChosen = chosen !== null;
  const you = /** @type {import("../types.js").Seat} */ (view.you);
  const them = other(you);
  const isTheirs = view.asked.includes(them) && !match.chosenSeats.value.includes(them);
  const offered = view.draw_offered_by.includes(you)
    ? `You have offered ${opponent} a draw.`
    : declinedText(view);
  const lesson = match.isCoached
    ? match.lessons.value[`${view.game}/${view.round - 1}`]?.sentence
    : "";
  /** @type {[string, string]} */
  let text;
  if (view.menu === null) text = [`It is ${opponent}’s turn.`, "You have nothing to choose now."];
  else if (hasChosen) {
    const isSent = match.sending.value === null;
    text = [
      `You chose ${uncapitalised(labelOfChoice(view, chosen))}.`,
      isSent ? `Waiting for ${opponent}. ${offered || "You can still change it."}` : "Sending…",
    ];
  } else if (!view.asked.includes(them)) text = ["It is your turn.", offered];
  else {
    const state = isTheirs ? `${opponent} cannot see it.` : `${opponent} has chosen.`;
    text = [`Round ${view.round}: choose.`, offered || state];
  }
  if (lesson && !hasChosen && !offered)
    text[1] = `${capitalised(stepWordOf(view))} ${view.round - 1}: ${uncapitalised(lesson)}`;
  return html`<div
    class="slot"
    aria-live="polite"
    data-slot=${hasChosen ? "chosen" : view.menu ? "choose" : "wait"}
  >
    <span class="brief"><b>${text[0]}</b> <span class="soft">${text[1]}</span></span>
    <span class="end">
      ${
        hasChosen &&
        html`<button
        type="button"
        class="btn quiet"
        data-take-back
        onClick=${() => match.withdraw()}
      >
        <${Icon} name="undo" />Take back <kbd aria-hidden="true">Esc</kbd>
      </button>`
      }
      ${view.menu && html`<${WhatIfButton} isWhatIf=${isWhatIf} onWhatIf=${onWhatIf} />`}
    </span>
  </div>`;
}

/** @param {{ isWhatIf: boolean, onWhatIf: () => void }} props */
function WhatIfButton({ isWhatIf, onWhatIf }) {
  return html`<button
    type="button"
    class="btn quiet"
    aria-pressed=${isWhatIf}
    data-what-if
    onClick=${onWhatIf}
  >
    What if? <kbd aria-hidden="true">?</kbd>
  </button>`;
}

/** Who has declined a draw in this round, as a sentence. @param {View} view */
function declinedText({ you, players, draw_declined_by: seat }) {
  if (!seat) return "";
  return seat === you
    ? "You declined the draw."
    : `${playerName(players[seat])} declined the draw.`;
}

/** @param {View} view @param {string} chosen */
function labelOfChoice(view, chosen) {
  const option = view.menu?.options.find((each) => each.word === chosen);
  return choiceText(chosen, option && [option.label]);
}

/** @param {View} view @param {import("../types.js").Seat | null} winner */
function wonText(view, winner) {
  if (!winner) return "a draw.";
  if (!view.you) return `${playerName(view.players[winner])} wins.`;
  return winner === view.you ? "you win." : `${playerName(view.players[winner])} wins.`;
}

/** The safe answer is the one that Enter gives. @param {HTMLElement | null} element */
function focusOnce(element) {
  if (element && !element.dataset.focused) {
    element.dataset.focused = "yes";
    element.focus();
  }
}
