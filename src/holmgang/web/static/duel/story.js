/** @file What has happened, round by round, and stepping through it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../html.js";
import { Icon, SeatSign } from "../icons.js";
import { unbroken, useKeys } from "./choices.js";
import { capitalised, choiceVerb } from "../words.js";
import { stepWord } from "./steps.js";

/** @typedef {import("../types.js").RoundLine} Round */
/** @typedef {import("../types.js").Seat} Seat */
/** @typedef {import("../live_match.js").LiveMatch} LiveMatch */

/** The rounds of the game that is looked at. @param {LiveMatch} match */
export function useRounds(match) {
  const view = match.shown.value;
  const game = match.place.value?.game ?? view?.game ?? 1;
  const [other, setOther] = useState(
    /** @type {{ game: number, rounds: Round[] } | null} */ (null),
  );
  const isOpen = game === view?.game;
  useEffect(() => {
    if (isOpen) return;
    match.loadGame(game).then(
      ({ log }) => setOther({ game, rounds: log }),
      () => {},
    );
  }, [game, isOpen]);
  const rounds = isOpen ? (view?.rounds ?? []) : other?.game === game ? other.rounds : [];
  const ending = view?.games.find((each) => each.number === game)?.ending ?? "";
  return { game, rounds, ending, isOpen };
}

/** @param {{ match: LiveMatch }} props */
export function Story({ match }) {
  const view = match.shown.value;
  const { game, rounds, ending, isOpen } = useRounds(match);
  const log = useRef(/** @type {HTMLElement | null} */ (null));
  const place = match.place.value;
  const last = rounds.at(-1);
  const told = match.told.value;
  useEffect(() => {
    const list = log.current;
    if (!list) return undefined;
    // Only the list is scrolled, never the page under it; again, when it gets more or less room.
    const scroll = () => {
      const current = list.querySelector("[aria-current]");
      if (!current) {
        list.scrollTop = 0;
        return;
      }
      const { top, bottom } = current.getBoundingClientRect();
      const frame = list.getBoundingClientRect();
      if (top < frame.top) list.scrollTop -= frame.top - top;
      else if (bottom > frame.bottom) list.scrollTop += bottom - frame.bottom;
    };
    const observer = new ResizeObserver(scroll);
    observer.observe(list);
    return () => observer.disconnect();
  }, [rounds.length, ending, place?.round]);
  if (!view) return null;
  const isReal = view.games.some((each) => each.number === game);
  const count = Math.max(view.game, ...view.games.map((each) => each.number));
  const word = stepWord(rounds, isOpen ? view.asked : []);
  return html`<section class="card flush story" aria-labelledby="story">
    <h2 id="story" class="head">
      <span>Story</span>
      ${
        count > 1
          ? html`<span class="row games-tabs" role="group" aria-label="Game">
            ${Array.from({ length: count }, (_, index) => index + 1).map((number) => {
              const won = view.games.find((each) => each.number === number)?.winner;
              return html`<button
                type="button"
                class="tab ${won ?? ""}"
                aria-pressed=${number === game}
                aria-label="Game ${number}${won ? `, won by ${won}` : ""}"
                data-game=${number}
                onClick=${() => goToGame(match, number)}
              >
                ${number}${won && html`<${SeatSign} seat=${won} />`}
              </button>`;
            })}
          </span>`
          : html`<span class="soft small">
            ${rounds.length > 1 ? `${rounds.length} ${word}s, newest first` : ""}
          </span>`
      }
    </h2>
    <ol class="log" ref=${log} tabindex="0" aria-label="${capitalised(word)}s of game ${game}" data-story>
      ${
        rounds.length === 0 &&
        !ending &&
        html`<li class="none soft">
        Nothing has happened yet.
      </li>`
      }
      ${isReal && ending && html`<li class="ending"><span></span><b>${ending}</b></li>`}
      ${[...rounds].reverse().map(
        (round) => html`<li
          key=${`${round.game}/${round.round}`}
          class=${round === last && match.reveal.value ? "new" : ""}
          aria-current=${place?.round === round.round ? "true" : undefined}
          data-round=${round.round}
        >
          <button
            type="button"
            class="at"
            aria-label="Show the board after ${word} ${round.round}"
            onClick=${() => match.look({ game, round: round.round })}
          >
            ${round.round}
          </button>
          <div>
            <h3>
              ${match.seats.value.map(
                (seat) =>
                  round[seat] !== null &&
                  html`<span class="seat ${seat}">
                      <${SeatSign}
                        seat=${seat}
                      />${choiceVerb(round[seat] ?? "", round.labels[seat])}${
                        round.late?.includes(seat) &&
                        html`<${Icon}
                        name="clock"
                        label="made at the time limit"
                      />`
                      }
                    </span>`,
              )}
              ${
                isReal &&
                html`<a
                  class="explore-link"
                  href=${exploreLink(view, round)}
                  aria-label="Explore ${word} ${round.round}"
                  title="Explore from here"
                  data-explore-from
                >
                  <${Icon} name="compass" />
                </a>`
              }
            </h3>
            ${round.story.map((line) => html`<p>${unbroken(line)}</p>`)}
            <${Lesson} lesson=${match.lessons.value[`${round.game}/${round.round}`]} />
          </div>
        </li>`,
      )}
    </ol>
    <p class="sr" aria-live="polite" data-announce>
      ${told && !place ? `${capitalised(word)} ${told.round}. ${told.story.join(" ")}` : ""}
    </p>
  </section>`;
}

/**
 * Where the position before a round can be explored.
 *
 * @param {import("../types.js").MatchView} view
 * @param {{ game: number, round: number }} place
 */
export function exploreLink(view, { game, round }) {
  const where = `match=${view.match}&game=${game}&at=${round - 1}`;
  return `/explore/${encodeURIComponent(view.ruleset)}?${where}`;
}

/** What the coach said of a round. @param {{ lesson?: import("../types.js").Explanation }} props */
function Lesson({ lesson }) {
  if (!lesson) return null;
  return html`<p class="lesson" data-lesson>
    <b>Coach:</b> ${[lesson.sentence, ...lesson.details].join(" ")}
  </p>`;
}

/** Looks at the end of another game. @param {LiveMatch} match @param {number} number */
function goToGame(match, number) {
  const view = match.shown.value;
  const ended = view?.games.find((each) => each.number === number);
  if (number === view?.game && view.status === "playing") match.look(null);
  else match.look({ game: number, round: ended?.rounds ?? view?.rounds.length ?? 0 });
}

/** Buttons to step through the rounds. @param {{ match: LiveMatch, isLive: boolean }} props */
export function Steps({ match, isLive }) {
  const { game, rounds, isOpen } = useRounds(match);
  const end = rounds.length;
  const at = match.place.value?.round ?? end;
  /** @param {number} round */
  const go = (round) => {
    const isPresent = isOpen && isLive && round > end;
    match.look(isPresent ? null : { game, round: Math.max(0, Math.min(end, round)) });
  };
  const isPresent = match.place.value === null;
  const word = stepWord(rounds, isOpen ? match.shown.value?.asked : []);
  const label =
    isPresent && isLive ? "Now" : at === 0 ? "Start" : `${capitalised(word)} ${at} of ${end}`;
  return html`<div class="steps" role="group" aria-label="Step through the ${word}s" data-steps>
    <button
      type="button"
      class="btn"
      aria-label="Start of the game"
      disabled=${at === 0}
      onClick=${() => go(0)}
    >
      <${Icon} name="first" />
    </button>
    <button
      type="button"
      class="btn"
      aria-label="Previous ${word}"
      disabled=${at === 0}
      onClick=${() => go(at - 1)}
    >
      <${Icon} name="previous" />
    </button>
    <span class="where" aria-live="polite">${label}</span>
    <button
      type="button"
      class="btn"
      aria-label="Next ${word}"
      disabled=${isPresent || (at === end && !(isLive && isOpen))}
      onClick=${() => go(at + 1)}
    >
      <${Icon} name="next" />
    </button>
    <button
      type="button"
      class="btn"
      aria-label=${isLive ? "Back to the present" : "End of the game"}
      disabled=${isPresent || (at === end && !isLive)}
      onClick=${() => (isLive ? match.look(null) : go(end))}
    >
      <${Icon} name="last" />
    </button>
  </div>`;
}

/**
 * Left and right step, Home and End jump.
 *
 * @param {LiveMatch} match
 * @param {boolean} isLive
 * @param {boolean} isOff while the keys step through something else
 */
export function useStepKeys(match, isLive, isOff) {
  const { game, rounds, isOpen } = useRounds(match);
  useKeys(isOff, (key) => {
    const end = rounds.length;
    const at = match.place.value?.round ?? end;
    if (key === "ArrowLeft" && at > 0) match.look({ game, round: at - 1 });
    else if (key === "ArrowRight" && match.place.value && at < end)
      match.look({ game, round: at + 1 });
    else if (key === "ArrowRight" && match.place.value && isLive && isOpen) match.look(null);
    else if (key === "Home") match.look({ game, round: 0 });
    else if (key === "End") match.look(isLive ? null : { game, round: end });
    else return false;
    return true;
  });
}
