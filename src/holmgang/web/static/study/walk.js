/**
 * @file The position that is explored: the address of the page says which, so that a link shares it.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { get, messageOf } from "../api.js";
import { address, navigate } from "../router.js";

/** @typedef {import("../types.js").ExploredPosition} Position */
/** @typedef {import("../types.js").PositionWorth} Worth */

/**
 * Where to look: a line of rounds from a state, or a finished game of a match.
 *
 * @typedef {object} Place
 * @property {string} state as short text; empty for the game's start
 * @property {string[]} line
 * @property {number} at how many rounds of the line are played
 * @property {string} [match]
 * @property {string} [game]
 */

/** @returns {Place} */
function placeOf() {
  const query = new URLSearchParams(address.value.split("?")[1] ?? "");
  const line = (query.get("line") ?? "").split(",").filter(Boolean);
  const at = Number.parseInt(query.get("at") ?? "", 10);
  return {
    state: query.get("state") ?? "",
    line,
    at: Number.isNaN(at) || at < 0 ? line.length : at,
    match: query.get("match") ?? undefined,
    game: query.get("game") ?? undefined,
  };
}

/** What need not be escaped in a query stays readable. @param {string} text */
function readable(text) {
  return encodeURIComponent(text).replace(/%(2F|3A|2C|3D|40)/g, decodeURIComponent);
}

/** The address of a position. @param {string} ruleset @param {Place} place */
export function addressOf(ruleset, { state, line, at }) {
  const parts = [];
  if (state) parts.push(`state=${readable(state)}`);
  if (line.length) parts.push(`line=${readable(line.join(","))}`);
  if (line.length && at !== line.length) parts.push(`at=${at}`);
  return `/explore/${readable(ruleset)}${parts.length ? `?${parts.join("&")}` : ""}`;
}

/** @param {string} ruleset @param {Place} place */
function query(ruleset, place) {
  const asked = new URLSearchParams();
  if (place.match) {
    asked.set("match", place.match);
    asked.set("game", place.game ?? "1");
    if (!place.line.length && address.value.includes("at=")) asked.set("at", String(place.at));
    return asked;
  }
  asked.set("ruleset", ruleset);
  if (place.state) asked.set("state", place.state);
  if (place.line.length) {
    asked.set("line", place.line.join(" "));
    asked.set("at", String(Math.min(place.at, place.line.length)));
  }
  return asked;
}

/**
 * The position of the address, and what changes it.
 *
 * @param {string} ruleset
 */
export function useWalk(ruleset) {
  const place = placeOf();
  const asked = query(ruleset, place).toString();
  const [found, setFound] = useState({
    asked: "",
    position: /** @type {Position | null} */ (null),
  });
  const [problem, setProblem] = useState("");
  /** The places before each change, for undo. */
  const past = useRef(/** @type {string[]} */ ([]));
  const isFresh = found.asked === asked;
  const position = found.position;

  useEffect(() => {
    if (isFresh) return undefined;
    let isWanted = true;
    get(`/api/explore?${asked}`).then(
      (/** @type {Position} */ position) => {
        if (!isWanted) return;
        setProblem("");
        const here = { state: startOf(position), line: wordsOf(position), at: position.at };
        setFound({ asked: query(position.ruleset, here).toString(), position });
        navigate(addressOf(position.ruleset, here), { replace: true });
      },
      (error) => isWanted && setProblem(messageOf(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [asked]);

  /** @param {Place} to */
  const go = (to) => {
    past.current.push(addressOf(ruleset, place));
    navigate(addressOf(ruleset, to), { replace: true });
  };

  return {
    position,
    problem,
    isFresh,
    /** Looks at another round of the line. @param {number} at */
    step(at) {
      if (position && at >= 0 && at <= position.line.length)
        navigate(addressOf(ruleset, { ...place, at }), { replace: true });
    },
    /** Plays a round, given as its word in a line. @param {string} word */
    play(word) {
      const line = [...place.line.slice(0, place.at), word];
      go({ state: place.state, line, at: line.length });
    },
    /** Begins anew in another state. @param {string} state as short text */
    start(state) {
      go({ state, line: [], at: 0 });
    },
    /** Changes a field of the position. @param {string} path @param {number} value */
    async change(path, value) {
      try {
        const changed = await get(
          `/api/explore?${asked}&change=${encodeURIComponent(`${path}=${value}`)}`,
        );
        setProblem("");
        go({ state: changed.start, line: [], at: 0 });
      } catch (error) {
        setProblem(messageOf(error));
      }
    },
    /** Takes the last change back; without one, the last round. */
    undo() {
      setProblem("");
      const before = past.current.pop();
      if (before !== undefined) navigate(before, { replace: true });
      else if (place.at > 0)
        navigate(addressOf(ruleset, { ...place, at: place.at - 1 }), { replace: true });
    },
    get canUndo() {
      return past.current.length > 0 || place.at > 0;
    },
    /**
     * The possible results of two choices.
     *
     * @param {string | null} red
     * @param {string | null} blue
     * @returns {Promise<import("../types.js").ExploredResult[]>}
     */
    async results(red, blue) {
      const more = new URLSearchParams(asked);
      if (red !== null) more.set("red", red);
      if (blue !== null) more.set("blue", blue);
      return (await get(`/api/explore/round?${more}`)).results;
    },
  };
}

/** @param {Position} position */
const startOf = (position) => (position.is_usual_start ? "" : position.start);

/** @param {Position} position */
const wordsOf = (position) => position.line.map((round) => round.word);

const ASK_AGAIN_MS = 2000;
const MOST_ASKED = 40;

/**
 * The value of the position; asked for again while the server is still preparing a deeper search.
 *
 * @param {Position | null} position
 */
export function useWorth(position) {
  const [found, setFound] = useState({
    text: "",
    worth: /** @type {Worth | null} */ (null),
    error: "",
    note: "",
    asked: 0,
  });
  const text = position && !position.outcome ? position.text : "";
  const ruleset = position?.ruleset ?? "";
  useEffect(() => {
    if (!text) return undefined;
    let isWanted = true;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const ask = (/** @type {number} */ asked) => {
      const query = new URLSearchParams({ ruleset, state: text });
      get(`/api/explore/worth?${query}`).then(
        (/** @type {Worth} */ worth) => {
          if (!isWanted) return;
          const isReady = worth.value !== undefined;
          setFound({ text, worth: isReady ? worth : null, error: "", note: worth.note, asked });
          if (worth.note && asked < MOST_ASKED)
            timer = setTimeout(() => ask(asked + 1), ASK_AGAIN_MS);
        },
        (error) =>
          isWanted && setFound({ text, worth: null, error: messageOf(error), note: "", asked }),
      );
    };
    ask(1);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [ruleset, text]);
  return found.text === text ? found : { worth: null, error: "", note: "" };
}
