/**
 * @file A match as this browser sees it: the view the server has sent, and what is on the screen.
 *
 * The two differ for moments. When a round is revealed, `shown` still has the round before until
 * both cards have turned over and could be read; when a game of the match has ended, its last board
 * stays for a while before the next game is shown.
 */
import { batch, computed, signal } from "@preact/signals";
import { get, messageOf, post, Refusal } from "./api.js";
import { Channel } from "./channel.js";
import { recall, remember } from "./session.js";
import { isOwnLeft, isStill, nextPace, speed } from "./settings.js";
import { play } from "./sounds.js";
import { other } from "./words.js";

/** @typedef {import("./types.js").MatchView} View */
/** @typedef {import("./types.js").RoundLine} Round */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").GameFrame} Frame */
/** @typedef {import("./types.js").GameLine} FinishedGame */
/** @typedef {import("./types.js").Advice} Advice */
/** @typedef {import("./types.js").Explanation} Explanation */

// The moments of a reveal, at normal speed: until the first, both cards lie face down.
const TURN_MS = 150;
const EFFECTS_MS = 1250;
const TOLD_MS = 1650;
const OPEN_MS = 1900;
// With reduced motion, both cards lie face down and then the end is shown at once.
const STILL_MS = 600;
const STILL_OPEN_MS = 900;
/** The second click of a double-click does not skip the reveal. */
const LEAST_SHOWN_MS = 350;
/** A computer seems to choose this long after a reveal, in milliseconds. */
const [LEAST_THOUGHT_MS, MOST_THOUGHT_MS] = [600, 1400];
const PAUSE_BETWEEN_GAMES_MS = 6000;
const SHORT_PAUSE_MS = 2500;
/** At most this many rounds that arrived while the page could not show them are animated. */
const MOST_REVEALS = 3;

/**
 * A round that is being revealed: both cards lie face down, they turn over and can be read, the
 * board shows the effects, the reason is told. Then the choices open.
 *
 * @typedef {object} Reveal
 * @property {Round} round
 * @property {"down" | "turn" | "effects" | "told"} phase
 * @property {Seat[]} cards the seats whose cards are shown
 * @property {number} pace the factor of all times
 * @property {boolean} isStill whether nothing moves
 */

/** @typedef {{ game: number, round: number }} Place */

export class LiveMatch {
  /** What the server has sent; null until then. */
  view = signal(/** @type {View | null} */ (null));
  /** What is on the screen. */
  shown = signal(/** @type {View | null} */ (null));
  reveal = signal(/** @type {Reveal | null} */ (null));
  /** The board before the last round, while that round is shown again. */
  boardBefore = signal(/** @type {string | null} */ (null));
  /** Whether a computer seems to think, though it may have chosen. */
  isThinking = signal(false);
  /** The game that has just ended, while its last board is shown. */
  interlude = signal(/** @type {FinishedGame | null} */ (null));
  /** Why the match cannot be shown. */
  failure = signal(/** @type {Refusal | null} */ (null));
  /** The last refusal of the server, as text. */
  notice = signal("");
  /** The choice that is on its way to the server; null if none is, empty if it is taken back. */
  sending = signal(/** @type {string | null} */ (null));
  /** The round that is looked at; null for the present. */
  place = signal(/** @type {Place | null} */ (null));
  /** The frame at that place; null while it is loaded. */
  frame = signal(/** @type {Frame | null} */ (null));
  /** Whether the coach looks at each choice before it is made; against levels only. */
  coach = signal(recall("coach") === "on");
  /**
   * A choice that is held back, because it loses at once (`loss` says how), or until the coach has
   * checked it and for its advice; null if there is none.
   */
  held = signal(
    /** @type {{ choice: string, advice: Advice | null, loss?: string } | null} */ (null),
  );
  /** The coach's comments on rounds, by game and round: `1/7`. */
  lessons = signal(/** @type {Record<string, Explanation>} */ ({}));
  /** How far the server's clock is ahead of this one, in milliseconds. */
  clockOffset = 0;

  connection = computed(() => this.#channel.value?.state.value ?? "connecting");

  /** The choice as it will be once the server has answered. */
  chosen = computed(() => {
    if (this.held.value) return this.held.value.choice;
    const sending = this.sending.value;
    return sending === null ? (this.shown.value?.chosen ?? null) : sending || null;
  });

  /** The seats that have chosen in the open round. */
  chosenSeats = computed(() => {
    const view = this.shown.value;
    const isOwnMade = this.chosen.value !== null && !this.held.value;
    return (view?.asked ?? []).filter((seat) =>
      seat === view?.you
        ? isOwnMade
        : !view?.waiting_for.includes(seat) && !(this.isThinking.value && isComputer(view, seat)),
    );
  });

  /** The seats from left to right: players see themselves on the left, unless they do not want it. */
  seats = computed(() => {
    const isTurned = isOwnLeft.value && this.shown.value?.you === "blue";
    return /** @type {Seat[]} */ (isTurned ? ["blue", "red"] : ["red", "blue"]);
  });

  /** The last round, once it has been revealed; null before the first. */
  told = computed(() => {
    const reveal = this.reveal.value;
    if (reveal && reveal.phase !== "told") return null;
    return this.shown.value?.rounds.at(-1) ?? null;
  });

  #id;
  #channel = signal(/** @type {Channel | null} */ (null));
  /** @type {{ round: Round | null, after: View }[]} */
  #reveals = [];
  #isPlaying = false;
  /** Whether the choice in `sending` was answered; the view with it is still to come. */
  #isSent = false;
  #isClosed = false;
  #wake = () => {};
  #isSkipping = false;
  #shownAt = 0;
  #thinking = 0;
  /** @type {Map<string, Promise<any>>} */
  #loaded = new Map();

  /** @param {string} id */
  constructor(id) {
    this.#id = id;
    this.#open();
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#thinking);
    this.#wake();
    this.#channel.value?.close();
  }

  async #open() {
    // The first view comes over HTTP: a socket that is refused does not say why.
    while (!this.#isClosed) {
      try {
        this.#receive({ type: "view", view: await get(`/api/matches/${this.#id}?picture=1`) });
        break;
      } catch (error) {
        const refusal = error instanceof Refusal ? error : new Refusal("bad", messageOf(error));
        if (["not found", "404", "bad", "422"].includes(refusal.code)) {
          this.failure.value = refusal;
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, 1500));
      }
    }
    if (!this.#isClosed) this.#listen();
  }

  #listen() {
    this.#channel.value = new Channel(`/api/matches/${this.#id}/socket?picture=1`, (frame) =>
      this.#receive(frame),
    );
  }

  /** Reconnects with the visitor's current identity, for a seat taken after connecting. */
  reconnect() {
    this.#channel.value?.close();
    this.#listen();
  }

  /** @param {any} message */
  #receive(message) {
    batch(() => {
      this.#update(message);
      if (this.#isSent) this.sending.value = null;
      this.#isSent = false;
    });
  }

  /** @param {any} message */
  #update(message) {
    const before = this.view.value;
    if (message.type === "view") {
      /** @type {View} */
      const view = message.view;
      this.clockOffset = view.now - Date.now();
      const missed = before ? newRounds(before, view) : [];
      this.view.value = view;
      if (missed.length && missed.length <= MOST_REVEALS) this.#show(missed, view);
      else this.#catchUp();
    } else if (message.type === "change" && before) {
      if (message.version <= before.version) return;
      if (message.since !== before.version) {
        this.#channel.value?.send({ type: "sync" }).catch(() => {});
        return;
      }
      const view = patched(before, message);
      if (message.patch.now !== undefined) this.clockOffset = view.now - Date.now();
      this.view.value = view;
      if (message.rounds.length) this.#show(message.rounds, view);
      else if (view.game > before.game) this.#show([null], view);
      else this.#catchUp();
    }
  }

  // The reveal

  /** @param {(Round | null)[]} rounds null for a game that ended without one @param {View} after */
  #show(rounds, after) {
    this.held.value = null;
    const last = rounds.at(-1);
    if (last && this.coach.value && after.status === "playing" && canBeCoached(after))
      this.#learn(last);
    rounds.forEach((round) => this.#reveals.push({ round, after }));
    this.#reveals.splice(0, this.#reveals.length - MOST_REVEALS);
    if (!this.#isPlaying) this.#play();
    else if (this.interlude.value || this.boardBefore.value !== null) this.#end();
  }

  #catchUp() {
    if (!this.#isPlaying) this.shown.value = this.view.value;
  }

  async #play() {
    this.#isPlaying = true;
    for (let next = this.#reveals.shift(); next; next = this.#reveals.shift()) {
      await this.#playOne(next.round, next.after);
      if (this.#isClosed) return;
    }
    this.#isPlaying = false;
    batch(() => {
      this.reveal.value = null;
      this.interlude.value = null;
      this.shown.value = this.view.value;
    });
  }

  /** @param {Round | null} round @param {View} after */
  async #playOne(round, after) {
    const before = this.shown.value ?? after;
    const ended = after.games.find((game) => game.number === before.game);
    const isOver = ended && (round === null || round.round === ended.rounds);
    const isBetweenGames = isOver && after.game !== ended.number;
    const show = () => {
      this.sending.value = null;
      this.shown.value = isBetweenGames ? atTheEnd(before, after, ended, round) : after;
    };
    const isSeen = speed.value !== "off" && !document.hidden && this.place.value === null;
    if (round && isSeen) await this.#turnOver(round, after.you, show);
    else show();
    this.#think();
    if (isBetweenGames && !document.hidden && this.#reveals.length === 0) {
      this.interlude.value = ended;
      const isShort = after.time.seconds !== null && after.time.seconds < 60;
      this.#isSkipping = false;
      await this.#pause(isShort ? SHORT_PAUSE_MS : PAUSE_BETWEEN_GAMES_MS);
      this.interlude.value = null;
    }
  }

  /**
   * Shows how a round is revealed.
   *
   * @param {Round} round
   * @param {Seat | null} you
   * @param {() => void} show shows the board after it
   */
  async #turnOver(round, you, show) {
    const reveal = { round, cards: cardsOf(round, you), pace: nextPace(), isStill: isStill() };
    const { cards, pace } = reveal;
    /** @param {Reveal["phase"]} phase */
    const enter = (phase) => (this.reveal.value = { ...reveal, phase });
    this.#isSkipping = false;
    this.#shownAt = Date.now();
    if (cards.length) {
      enter("down");
      await this.#pause(reveal.isStill ? STILL_MS * pace : TURN_MS * pace);
      if (!reveal.isStill) {
        enter("turn");
        play("reveal");
        await this.#pause((EFFECTS_MS - TURN_MS) * pace);
      }
    }
    if (!reveal.isStill) {
      batch(() => (show(), enter("effects")));
      if (round.hit) play("hit");
      await this.#pause((TOLD_MS - EFFECTS_MS) * pace);
    }
    batch(() => (show(), enter("told")));
    if (reveal.isStill && round.hit) play("hit");
    const left = reveal.isStill ? STILL_OPEN_MS - STILL_MS : OPEN_MS - TOLD_MS;
    await this.#pause(left * pace);
    this.reveal.value = null;
  }

  /** Shows the last round again. */
  async showAgain() {
    const round = this.shown.value?.rounds.at(-1);
    if (!round || this.#isPlaying) return;
    this.#isPlaying = true;
    try {
      const { picture } = await this.loadFrame({ game: round.game, round: round.round - 1 });
      this.boardBefore.value = picture;
      await this.#turnOver(round, null, () => (this.boardBefore.value = null));
    } catch (error) {
      this.notice.value = messageOf(error);
    }
    batch(() => {
      this.boardBefore.value = null;
      this.reveal.value = null;
    });
    if (!this.#isClosed) this.#play();
  }

  /** Lets a computer seem to think for a moment. */
  #think() {
    clearTimeout(this.#thinking);
    this.isThinking.value = true;
    const ms = LEAST_THOUGHT_MS + Math.random() * (MOST_THOUGHT_MS - LEAST_THOUGHT_MS);
    this.#thinking = setTimeout(() => (this.isThinking.value = false), ms);
  }

  /** @param {number} ms */
  #pause(ms) {
    if (this.#isSkipping || this.#isClosed) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }

  /** Jumps to the end of what is being shown. */
  skip() {
    if (this.reveal.value && Date.now() - this.#shownAt < LEAST_SHOWN_MS) return;
    this.#end();
  }

  #end() {
    this.#isSkipping = true;
    this.#wake();
  }

  // Looking at earlier rounds

  /**
   * @param {Place} place
   * @returns {Promise<Frame>}
   */
  loadFrame({ game, round }) {
    return this.#load(`games/${game}/frames/${round}`);
  }

  /**
   * The rounds of a finished game.
   *
   * @param {number} game
   * @returns {Promise<{ log: Round[] }>}
   */
  loadGame(game) {
    return this.#load(`games/${game}`);
  }

  /** @param {string} path */
  #load(path) {
    const found = this.#loaded.get(path);
    if (found) return found;
    const loading = get(`/api/matches/${this.#id}/${path}`);
    this.#loaded.set(path, loading);
    loading.catch(() => this.#loaded.delete(path));
    return loading;
  }

  /** Looks at the board after a round; at the present for null. @param {Place | null} place */
  async look(place) {
    this.place.value = place;
    this.notice.value = "";
    if (place === null) {
      this.frame.value = null;
      return;
    }
    try {
      const frame = await this.loadFrame(place);
      if (this.place.value === place) this.frame.value = frame;
    } catch (error) {
      this.notice.value = messageOf(error);
      this.place.value = null;
    }
  }

  // Commands

  /** @param {string} choice */
  async choose(choice) {
    const loss = this.#lossBy(choice);
    if (loss) {
      this.held.value = { choice, advice: null, loss };
      return;
    }
    if (this.isCoached && !(await this.#passes(choice))) return;
    this.held.value = null;
    await this.#sendChoice(choice, { ...this.#openRound(), type: "choose", choice });
  }

  /** How a choice loses at once; empty if it does not, or if every choice does. @param {string} choice */
  #lossBy(choice) {
    const options = this.shown.value?.menu?.options ?? [];
    const option = options.find((each) => each.word === choice);
    return option?.fatal && options.some((each) => !each.fatal) ? option.note : "";
  }

  /** Whether the player has switched the coach on, and may have one. */
  get isCoached() {
    const view = this.shown.value;
    return this.coach.value && view !== null && canBeCoached(view);
  }

  /** @param {boolean} isOn */
  switchCoach(isOn) {
    this.coach.value = isOn;
    this.held.value = null;
    remember("coach", isOn ? "on" : null);
  }

  /**
   * Whether the coach lets a choice pass; otherwise it is held back, with a warning.
   *
   * @param {string} choice
   */
  async #passes(choice) {
    const held = { choice, advice: /** @type {Advice | null} */ (null) };
    this.held.value = held;
    try {
      const advice = await post(`/api/matches/${this.#id}/coach`, { choice });
      if (this.held.value !== held) return false; // another was picked in the meantime
      if (!advice.is_warning) return true;
      this.held.value = { choice, advice };
      return false;
    } catch (error) {
      if (this.held.value !== held) return false;
      if (error instanceof Refusal && error.code === "offline") return true;
      this.held.value = null;
      this.notice.value = messageOf(error);
      return false;
    }
  }

  /** Makes the choice that was held back. */
  async keep() {
    const choice = this.held.value?.choice;
    this.held.value = null;
    if (choice !== undefined)
      await this.#sendChoice(choice, { ...this.#openRound(), type: "choose", choice });
  }

  /** Asks the coach about a round. @param {Round} round */
  async #learn({ game, round }) {
    try {
      const path = `/api/matches/${this.#id}/coach?game=${game}&round=${round}`;
      const lesson = await get(path);
      this.lessons.value = { ...this.lessons.value, [`${game}/${round}`]: lesson };
    } catch {
      // After the last round there is the analysis.
    }
  }

  withdraw() {
    return this.#sendChoice("", { ...this.#openRound(), type: "withdraw" });
  }

  offerDraw() {
    return this.#command({ ...this.#openRound(), type: "offer draw" });
  }

  declineDraw() {
    return this.#command({ ...this.#openRound(), type: "decline draw" });
  }

  forfeit() {
    return this.#command({ type: "forfeit" });
  }

  rematch() {
    return this.#command({ type: "rematch" });
  }

  cancel() {
    return this.#command({ type: "cancel" });
  }

  /**
   * What a choice would do, against each choice of the other.
   *
   * @param {string} choice
   * @returns {Promise<import("./types.js").ForecastTable>}
   */
  forecast(choice) {
    return post(`/api/matches/${this.#id}/forecast`, { choice });
  }

  #openRound() {
    const view = this.shown.value;
    return { game: view?.game, round: view?.round };
  }

  /** @param {Record<string, unknown>} command */
  async #command(command) {
    this.notice.value = "";
    try {
      await this.#channel.value?.send(command);
      return true;
    } catch (error) {
      // No message if a choice was already revealed when it was changed.
      if (!(error instanceof Refusal && error.code === "late"))
        this.notice.value = messageOf(error);
      return false;
    }
  }

  /**
   * Sends a choice. It counts as made until the view that has it arrives, which can be after the
   * answer.
   *
   * @param {string} choice empty to take it back
   * @param {Record<string, unknown>} command
   */
  async #sendChoice(choice, command) {
    this.sending.value = choice;
    this.#isSent = false;
    const isDone = await this.#command(command);
    if (this.sending.value !== choice) return;
    const isSeen = (this.view.value?.chosen ?? "") === choice;
    if (isSeen || !isDone) this.sending.value = null;
    else this.#isSent = true;
  }
}

/** Whether a level or a bot sits there. @param {View | null} view @param {Seat} seat */
function isComputer(view, seat) {
  return ["level", "bot"].includes(view?.players[seat]?.kind ?? "");
}

/** Whether the viewer plays against a level. @param {View} view */
export function canBeCoached(view) {
  return (
    view.you !== null &&
    view.status === "playing" &&
    view.players[other(view.you)]?.kind === "level"
  );
}

/** @param {View} view @param {any} message @returns {View} */
function patched(view, message) {
  const next = { ...view, ...message.patch, version: message.version };
  const rounds = [...view.rounds, ...(message.rounds ?? [])];
  next.rounds = message.patch.rounds ?? rounds.filter((round) => round.game === next.game);
  return next;
}

/** The rounds that were revealed between two views. @param {View} before @param {View} after */
function newRounds(before, after) {
  if (before.game !== after.game) return [];
  return after.rounds.filter((round) => round.round > before.rounds.length);
}

/**
 * The seats whose cards turn over. A player who had the only choice of a round already knows it.
 *
 * @param {Round} round
 * @param {Seat | null} you
 * @returns {Seat[]}
 */
function cardsOf(round, you) {
  const seats = /** @type {Seat[]} */ (["red", "blue"]).filter((seat) => round[seat] !== null);
  return seats.length === 1 && seats[0] === you ? [] : seats;
}

/**
 * The view at the end of a game, when the next one has already begun.
 *
 * @param {View} before
 * @param {View} after
 * @param {FinishedGame} ended
 * @param {Round | null} round the last one, if it was not known before
 * @returns {View}
 */
function atTheEnd(before, after, ended, round) {
  const isKnown = after.previous?.game === ended.number;
  return {
    ...after,
    game: ended.number,
    round: ended.rounds,
    rounds: round ? [...before.rounds, round] : before.rounds,
    picture: isKnown ? after.previous?.picture : before.picture,
    menu: null,
    chosen: null,
    asked: [],
    waiting_for: [],
    deadline: null,
  };
}
