/** @file A match: waiting for an opponent, playing, watching, and reviewing it. */
import { Fragment } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Board } from "../board.js";
import { FlipCard } from "../cards.js";
import { Choices, useKeys } from "../duel/choices.js";
import { Hint } from "../duel/hints.js";
import { Invitation } from "../duel/invitation.js";
import { headline, Over, Seal, Watching } from "../duel/over.js";
import { PlayersBar } from "../duel/players.js";
import { Reason } from "../duel/reason.js";
import { Settings } from "../duel/settings.js";
import { Slot } from "../duel/slot.js";
import { roundNumber } from "../duel/steps.js";
import { Story, useStepKeys } from "../duel/story.js";
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { canBeCoached, LiveMatch } from "../live_match.js";
import { Loading, Problem, Seated } from "../parts.js";
import { Dialog, RulesText } from "../dialog.js";
import { address, navigate } from "../router.js";
import { loadStyle } from "../styles.js";
import { play } from "../sounds.js";
import { isDue, tellTurn, useTitle } from "../turns.js";
import { other, playerName } from "../words.js";

/** @typedef {import("../types.js").MatchView} View */
/** @typedef {import("../types.js").Seat} Seat */

/** @param {{ argument: string }} props */
export function MatchPage({ argument }) {
  const match = useMemo(() => new LiveMatch(encodeURIComponent(argument)), [argument]);
  useEffect(() => () => match.close(), [match]);
  const view = match.shown.value;
  useTitle(view ? titleOf(view) : "Match");
  useTurn(view);
  const rematch = useRef(/** @type {string | null | undefined} */ (undefined));
  useEffect(() => {
    // The other device or tab that asked for the rematch is taken there too; someone who comes back
    // to this match stays here.
    if (!view) return;
    const [before, next] = [rematch.current, view.rematch.match];
    rematch.current = next;
    if (before === null && next && view.you && view.rematch.offered_by.includes(view.you))
      navigate(`/match/${next}`);
  }, [view === null, view?.rematch.match]);
  if (match.failure.value) {
    return html`<div class="plain">
      <h1>No such match</h1>
      <p class="soft">${match.failure.value.message}</p>
      <p><a class="btn main" href="/">Play a duel</a> <a class="btn" href="/watch">Watch one</a></p>
    </div>`;
  }
  if (!view) return html`<${Loading} what="Loading the match…" />`;
  if (view.status === "cancelled") {
    return html`<div class="plain">
      <h1>This match was cancelled</h1>
      ${view.outcome?.reason === "rules changed" && html`<p class="soft">${view.outcome.sentence}</p>`}
      <p><a class="btn main" href="/">Play a duel</a> <a class="btn" href="/watch">Watch one</a></p>
    </div>`;
  }
  if (view.status === "open") return html`<${Invitation} match=${match} view=${view} />`;
  return html`<${Duel} match=${match} view=${view} />`;
}

/** @param {View} view */
function titleOf(view) {
  if (view.status === "open") return `Invitation to ${view.title}`;
  const names = `${playerName(view.players.red)} – ${playerName(view.players.blue)}`;
  const { you, rematch } = view;
  const isAsked = you !== null && !rematch.match && rematch.offered_by.includes(other(you));
  const news = isYourTurn(view) ? "Your turn · " : isAsked ? "Rematch? · " : "";
  return `${news}${names}, ${view.title}`;
}

/** @param {View | null} view */
const isYourTurn = (view) =>
  view !== null &&
  view.status === "playing" &&
  view.you !== null &&
  view.waiting_for.includes(view.you);

/**
 * Says by icon, sound and notification that it is the viewer's turn, whenever a round opens in which
 * they choose.
 *
 * @param {View | null} view
 */
function useTurn(view) {
  const isTurn = isYourTurn(view);
  const asked = view?.you && view.asked.includes(view.you) ? `${view.game}/${view.round}` : "";
  const before = useRef(asked);
  useEffect(() => {
    isDue.value = isTurn;
    return () => {
      isDue.value = false;
    };
  }, [isTurn]);
  useEffect(() => {
    const hadTurn = before.current !== "";
    before.current = asked;
    if (!asked || !isTurn || !view?.you) return;
    if (document.hidden || !hadTurn) play("turn");
    tellTurn(view.match, view.players[other(view.you)], view.title);
  }, [asked]);
}

/** @param {{ match: LiveMatch, view: View }} props */
function Duel({ match, view }) {
  const [isAsking, setAsking] = useState(false);
  const [isWhatIf, setWhatIf] = useState(false);
  const [hasRules, setRules] = useState(false);
  const [hasSettings, setSettings] = useState(false);
  const position = `${view.game}/${view.round}`;
  useEffect(() => setWhatIf(false), [position]);
  const studied = studiedGame(view);
  useStepKeys(match, view.status === "playing", studied > 0);
  useKeys(hasRules || hasSettings, (key) => {
    if (key === "?" && view.menu) setWhatIf(!isWhatIf);
    else if (key === "Escape" && isAsking) setAsking(false);
    else if (key === "Escape" && isWhatIf) setWhatIf(false);
    else if (key === "Escape" && match.place.value && view.status === "playing") match.look(null);
    else if (key === "Escape" && match.held.value) match.held.value = null;
    else if (key === "Escape" && match.chosen.value) match.withdraw();
    else if (key.toLowerCase() === "r" && view.status === "over" && view.you && !view.rematch.match)
      match.rematch();
    else if (key === "Enter" && match.interlude.value) match.skip();
    else return false;
    return true;
  });
  const reveal = match.reveal.value;
  const names = { red: playerName(view.players.red), blue: playerName(view.players.blue) };
  const place = match.place.value;
  const now = match.boardBefore.value ?? view.picture;
  const picture = place ? (match.frame.value?.picture ?? now) : now;
  const cards = cardsOnBoard(match, view);
  const isPlayer = view.you !== null;
  const isPlaying = view.status === "playing";
  const duel = useRoomForBoard(`${isWhatIf}/${view.status}`);
  useSkipping(duel, match);
  useBoardInView(duel, match);
  useKeptFocus(duel);
  return html`<${Fragment}><div
    ref=${duel}
    class="duel ${reveal ? "revealing" : ""} ${isWhatIf ? "what-if" : ""}"
    data-status=${view.status}
    data-you=${view.you ?? ""}
    data-connection=${match.connection.value}
    style=${{ "--pace": reveal?.pace ?? 1 }}
  >
    <h1 class="sr">
      ${view.title}: ${names.red} (red) against ${names.blue} (blue)
      ${isPlaying ? `, game ${view.game}, round ${roundNumber(view)}` : `. ${headline(view)}`}
    </h1>
    <${PlayersBar} match=${match} view=${view} />
    <${Board}
      picture=${picture}
      chosen=${cards.down}
      away=${cards.away}
      isTurned=${match.seats.value[0] === "blue"}
      label="Board: ${names.red} (red) against ${names.blue} (blue)"
    >
      ${
        reveal &&
        !place &&
        html`<${RevealCards}
        key=${`${reveal.round.game}/${reveal.round.round}`}
        match=${match}
        view=${view}
      />`
      }
    </${Board}>
    <section class="pick" aria-label=${isPlayer && isPlaying ? "Your choice" : "Match"}>
      ${!place && html`<${Reason} match=${match} view=${view} />`}
      ${!isPlaying && !reveal && html`<${Over} match=${match} view=${view} />`}
      <${Slot}
        match=${match}
        view=${view}
        isAsking=${isAsking}
        onAsked=${() => setAsking(false)}
        isWhatIf=${isWhatIf}
        onWhatIf=${() => setWhatIf(!isWhatIf)}
      />
      ${
        isPlaying &&
        (isPlayer
          ? html`<${PlayerChoices} match=${match} view=${view} isWhatIf=${isWhatIf} />
            <${Hint} match=${match} view=${view} />`
          : html`<${Hidden} match=${match} view=${view} />`)
      }
    </section>
    <aside class="side" aria-label="Story and match">
      <${Story} match=${match} />
      <div class="tools">
        ${isPlayer && isPlaying && html`<${DrawButton} match=${match} view=${view} />`}
        ${canBeCoached(view) && html`<${CoachButton} match=${match} />`}
        ${
          isPlayer &&
          isPlaying &&
          html`<button
          type="button"
          class="btn"
          data-forfeit
          onClick=${() => setAsking(true)}
        >
          <${Icon} name="flag" />Forfeit
        </button>`
        }
        <a
          class="btn"
          href="/rules/${view.game_name}"
          data-rules
          onClick=${(/** @type {Event} */ event) => (event.preventDefault(), setRules(true))}
        >
          <${Icon} name="book" />Rules
        </a>
        <button type="button" class="btn" data-settings onClick=${() => setSettings(true)}>
          <${Icon} name="settings" />Settings
        </button>
      </div>
      ${
        view.start &&
        html`<p class="small soft" data-start-position>
        The games of this match start from a${" "}
        <a href="/explore/${encodeURIComponent(view.ruleset)}?state=${encodeURIComponent(view.start)}">
          position
        </a>, so it is not rated.
      </p>`
      }
      ${
        view.visibility === "uploaded" &&
        html`<p class="small soft" data-uploaded>
          This duel is an uploaded record. The rounds were checked; the names were not.
          ${view.kept_days && ` It is kept until nobody has looked at it for ${view.kept_days} days.`}
        </p>`
      }
      ${isPlaying && view.unrated && html`<p class="small soft" data-unrated>${view.unrated}</p>`}
      <${Seal} view=${view} />
      <${Watching} view=${view} />
    </aside>
    ${
      hasRules &&
      html`<${Dialog} title="Rules of ${view.title}" onClose=${() => setRules(false)}>
      <${RulesText} game=${view.game_name} />
    </${Dialog}>`
    }
    ${
      hasSettings &&
      html`<${Dialog} title="Settings" onClose=${() => setSettings(false)}><${Settings} /></${Dialog}>`
    }
  </div>
  ${studied > 0 && html`<${Study} view=${view} game=${studied} />`}
  </${Fragment}>`;
}

/** The finished game whose analysis the address asks for; 0 for none. @param {View} view */
function studiedGame(view) {
  const asked = new URLSearchParams(address.value.split("?")[1] ?? "").get("analysis");
  if (view.status === "playing" || asked === null) return 0;
  const games = view.games.map((game) => game.number);
  return games.includes(Number(asked)) ? Number(asked) : (games.at(-1) ?? 0);
}

/** The analysis, which is loaded when it is asked for. @param {{ view: View, game: number }} props */
function Study({ view, game }) {
  const [found, setFound] = useState(/** @type {{ part: any } | null} */ (null));
  const [problem, setProblem] = useState("");
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    Promise.all([import("../study/analysis.js"), loadStyle("study")]).then(
      ([module]) => setFound({ part: module.Analysis }),
      () => setProblem("The analysis could not be loaded."),
    );
  }, []);
  useEffect(() => place.current?.scrollIntoView({ block: "start" }), [found]);
  return html`<section class="study" aria-label="Analysis" ref=${place} data-study=${game}>
    <${Problem} error=${problem} />
    ${found && html`<${found.part} view=${view} game=${game} />`}
  </section>`;
}

/**
 * Tells the style sheet how much height everything but the board takes, so that the board gets the
 * rest of the window. While the same kind of content is shown it only grows, because a board that
 * changes size with every round would be distracting.
 *
 * @param {string} kind
 */
function useRoomForBoard(kind) {
  const duel = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const element = duel.current;
    if (!element) return undefined;
    const parts = [...element.querySelectorAll(".players, .pick")];
    let [most, width] = [0, 0];
    const observer = new ResizeObserver(() => {
      if (width !== element.clientWidth) [most, width] = [0, element.clientWidth];
      const taken = parts.reduce((sum, part) => sum + part.getBoundingClientRect().height, 0);
      most = Math.max(most, Math.ceil(taken));
      element.style.setProperty("--taken", `${most}px`);
    });
    parts.forEach((part) => observer.observe(part));
    return () => observer.disconnect();
  }, [kind]);
  return duel;
}

/**
 * The cards that lie on the board. Both of the last round stay until the player chooses again; that
 * the other has chosen is said by the name only.
 *
 * @param {LiveMatch} match
 * @param {View} view
 * @returns {{ down: Seat[], away: Seat[] }}
 */
function cardsOnBoard(match, view) {
  const reveal = match.reveal.value;
  const { you } = view;
  if (match.place.value) return { down: [], away: [] };
  if (reveal) {
    const isHidden = reveal.phase === "down" || reveal.phase === "turn";
    return { down: isHidden ? reveal.cards : [], away: [] };
  }
  if (!you || !match.chosenSeats.value.includes(you)) return { down: [], away: [] };
  return { down: [you], away: view.asked.filter((seat) => seat !== you) };
}

/**
 * While a round is revealed, any click or key jumps to its end, and does nothing else.
 *
 * @param {{ current: HTMLElement | null }} duel
 * @param {LiveMatch} match
 */
function useSkipping(duel, match) {
  const isRevealing = match.reveal.value !== null;
  useLayoutEffect(() => {
    const element = duel.current;
    if (!isRevealing || !element) return undefined;
    /** @param {Event} event */
    const skip = (event) => {
      event.preventDefault();
      event.stopPropagation();
      match.skip();
    };
    /** @param {KeyboardEvent} event */
    const onKey = (event) => {
      const isKey = event.key.length === 1 || event.key === "Enter" || event.key === "Escape";
      if (isKey && !event.ctrlKey && !event.metaKey && !event.altKey) skip(event);
    };
    element.addEventListener("click", skip, true);
    addEventListener("keydown", onKey, true);
    return () => {
      element.removeEventListener("click", skip, true);
      removeEventListener("keydown", onKey, true);
    };
  }, [isRevealing]);
}

/**
 * Scrolls the board into view when a round is revealed: on a phone the choices are below it.
 *
 * @param {{ current: HTMLElement | null }} duel
 * @param {LiveMatch} match
 */
function useBoardInView(duel, match) {
  const round = match.reveal.value?.round ?? match.told.value;
  const place = round ? `${round.game}/${round.round}` : "";
  const before = useRef(place);
  useEffect(() => {
    if (place && place !== before.current)
      duel.current?.querySelector(".frame")?.scrollIntoView({ block: "nearest" });
    before.current = place || before.current;
  }, [place]);
}

const CONTROLS = ".choice, .dials input, .parts :is(button, input)";

/**
 * Keeps the focus on the choices from round to round, also when the control that had it is gone; in
 * the end it goes to the result.
 *
 * @param {{ current: HTMLElement | null }} duel
 */
function useKeptFocus(duel) {
  const kept = useRef("");
  useEffect(() => {
    /** @param {FocusEvent} event */
    const note = (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const { choice, dial } = target.dataset;
      const isControl = target.matches(CONTROLS);
      kept.current = !isControl
        ? ""
        : choice
          ? `[data-choice="${choice}"]`
          : dial
            ? `[data-dial="${dial}"]`
            : CONTROLS;
    };
    addEventListener("focusin", note);
    return () => removeEventListener("focusin", note);
  }, []);
  useLayoutEffect(() => {
    if (!kept.current || document.activeElement !== document.body) return;
    const found = duel.current?.querySelector(`:is(${kept.current}):enabled`);
    const next = found ?? duel.current?.querySelector(`:is(${CONTROLS}):enabled, .over h2`);
    /** @type {HTMLElement | null | undefined} */ (next)?.focus({ preventScroll: true });
  });
}

/** @param {{ match: LiveMatch, view: View, isWhatIf: boolean }} props */
function PlayerChoices({ match, view, isWhatIf }) {
  const controls = useRef("");
  if (view.menu) controls.current = view.menu.controls;
  else
    return html`<div class="worded ${controls.current === "parts" ? "" : "plain-idle"}" data-idle>
      <div class="choices idle" aria-hidden="true"><span class="ghost"></span></div>
      ${
        controls.current === "parts" &&
        html`<p class="parts card soft">
          It is ${playerName(view.players[other(/** @type {Seat} */ (view.you))])}’s turn.
        </p>`
      }
    </div>`;
  const isDisabled = match.reveal.value !== null || match.place.value !== null;
  return html`<${Choices}
    match=${match}
    menu=${view.menu}
    chosen=${match.chosen.value}
    isWhatIf=${isWhatIf}
    isDisabled=${isDisabled}
  />`;
}

/**
 * What a spectator sees instead of choices: who has chosen, never what.
 *
 * @param {{ match: LiveMatch, view: View }} props
 */
function Hidden({ match, view }) {
  return html`<div class="hidden-choices">
    ${match.seats.value.map((seat) => {
      const isAsked = view.asked.includes(seat);
      const hasChosen = match.chosenSeats.value.includes(seat);
      return html`<div class="hidden-choice ${seat}">
        <${Seated} seat=${seat} player=${view.players[seat]} />
        <span class=${hasChosen ? "done" : "soft"}>
          ${
            !isAsked
              ? "nothing to choose"
              : hasChosen
                ? html`has chosen <${Icon} name="check" />`
                : "choosing…"
          }
        </span>
      </div>`;
    })}
  </div>`;
}

/** @param {{ match: LiveMatch, view: View }} props */
function DrawButton({ match, view }) {
  const hasOffered = view.you !== null && view.draw_offered_by.includes(view.you);
  return html`<button
    type="button"
    class="btn"
    data-draw
    aria-pressed=${hasOffered}
    onClick=${() => (hasOffered ? match.declineDraw() : match.offerDraw())}
  >
    <${Icon} name="handshake" />${hasOffered ? "Take back offer" : "Offer draw"}
  </button>`;
}

/** Warns before errors and explains them. @param {{ match: LiveMatch }} props */
function CoachButton({ match }) {
  const isOn = match.coach.value;
  return html`<button
    type="button"
    class="btn"
    data-coach
    aria-pressed=${isOn}
    title="Warns you before an error, and explains each round"
    onClick=${() => match.switchCoach(!isOn)}
  >
    <${Icon} name="coach" />Coach
  </button>`;
}

/**
 * Both cards, over the board; when the board shows the effects, it shows the cards, too.
 *
 * @param {{ match: LiveMatch, view: View }} props
 */
function RevealCards({ match, view }) {
  const reveal = match.reveal.value;
  const axes = useRef(view.menu?.axes);
  if (!reveal || !reveal.cards.length || reveal.phase === "told") return null;
  return html`<div class="reveal ${reveal.phase}" data-reveal title="Click to skip">
    ${match.seats.value
      .filter((seat) => reveal.cards.includes(seat))
      .map(
        (seat) => html`<${FlipCard}
        key=${seat}
        seat=${seat}
        word=${reveal.round[seat]}
        label=${reveal.round.labels[seat]}
        isOpen=${reveal.phase !== "down"}
        axes=${axes.current}
      />`,
      )}
  </div>`;
}
