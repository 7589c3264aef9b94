/** @file Parts that several pages are made of. */
import { useEffect, useState } from "preact/hooks";
import { get, messageOf } from "./api.js";
import { html } from "./html.js";
import { SeatSign } from "./icons.js";
import { theme } from "./session.js";
import { capitalised, counted, dayText, playerName, ratingText, scoreText } from "./words.js";

/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").MatchLine} MatchLine */
/** @typedef {import("./types.js").LiveMatchLine} LiveMatchLine */

/**
 * A player with the sign of the seat; with a link to the profile, if asked for and there is one.
 *
 * @param {{ seat: Seat, free?: string, isLinked?: boolean, isAway?: boolean,
 *   player: { name: string, kind: string, rating?: number | null, provisional?: boolean } | null
 * }} props
 */
export function Seated({ seat, player, free, isLinked = false, isAway = false }) {
  const rating = ratingText(player);
  const name = playerName(player, free);
  return html`<span class="seat ${seat}">
    <${SeatSign} seat=${seat} />
    ${
      isLinked && player?.kind === "account"
        ? html`<a class="name" dir="auto" href="/player/${encodeURIComponent(name)}">${name}</a>`
        : html`<span class="name" dir="auto">${name}</span>`
    }
    ${rating && html`<small>${rating}</small>`} ${isAway && html`<small class="away">away</small>`}
  </span>`;
}

/**
 * A row of radio buttons.
 *
 * @param {{
 *   name: string, label: string, value: string, onChange: (value: string) => void, kind?: string,
 *   options: { value: string, label: any, note?: any, hidden?: boolean }[], isLabelShown?: boolean,
 * }} props
 */
export function Segments({
  name,
  label,
  value,
  onChange,
  options,
  kind = "",
  isLabelShown = true,
}) {
  return html`<fieldset class="seg ${kind}">
    <legend class=${isLabelShown ? "" : "sr"}>${label}</legend>
    ${options.map(
      (option) => html`<label key=${option.value}>
        <input
          type="radio"
          name=${name}
          value=${option.value}
          checked=${option.value === value}
          onChange=${() => onChange(option.value)}
        />
        ${option.label}${option.note && html`<small>${option.note}</small>`}
      </label>`,
    )}
  </fieldset>`;
}

/** An error message, shown where it happened. @param {{ error: string, children?: any }} props */
export function Problem({ error, children }) {
  if (!error) return null;
  return html`<p class="banner warn" role="alert" data-problem>${error} ${children}</p>`;
}

/**
 * The board of a match as it is now, beside a text that says what it is.
 *
 * @param {{ match: MatchLine }} props
 */
export function SmallBoard({ match }) {
  const query = `rounds=${match.rounds}&theme=${theme.value}`;
  return html`<img
    class="mini"
    src="/api/matches/${match.match}/board.svg?${query}"
    alt=""
    width="144"
    height="60"
    loading="lazy"
  />`;
}

/** Won, drawn or lost, as a letter. @param {{ result: "won" | "drawn" | "lost" }} props */
export function Result({ result }) {
  return html`<span class="result ${result}" role="img" aria-label=${capitalised(result)}>
    ${{ won: "W", drawn: "D", lost: "L" }[result]}
  </span>`;
}

/**
 * A list of matches, each a link to watch or to continue it; with boards, if asked for.
 *
 * @param {{ matches: MatchLine[], hasBoards?: boolean }} props
 */
export function MatchList({ matches, hasBoards = false }) {
  return html`<ul class="list ${hasBoards ? "boards" : ""}" data-matches>
    ${matches.map(
      (match) => html`<li key=${match.match}>
        <a href="/match/${match.match}" data-match=${match.match}>
          ${hasBoards && html`<${SmallBoard} match=${match} />`}
          <${Seated} seat="red" player=${match.players.red} isAway=${isAway(match, "red")} />
          <b class="num">${match.status === "open" ? "–" : scoreText(match.score)}</b>
          <${Seated} seat="blue" player=${match.players.blue} isAway=${isAway(match, "blue")} />
          <span class="soft where">${whereText(match)}</span>
        </a>
      </li>`,
    )}
  </ul>`;
}

/** Whether a person in a live duel is not connected. @param {MatchLine | LiveMatchLine} match @param {Seat} seat */
function isAway(match, seat) {
  const kind = match.players[seat]?.kind;
  return (
    (kind === "guest" || kind === "account") && "present" in match && !match.present.includes(seat)
  );
}

/** @param {MatchLine} match */
function whereText(match) {
  if (match.status === "open") return `${match.title}, open`;
  if (match.status !== "over") return `${match.title}, ${counted(match.rounds, "round")}`;
  const won = match.winner ? `${capitalised(match.winner)} won` : "drawn";
  const what = match.visibility === "uploaded" ? "uploaded" : won;
  return `${match.title}, ${what} · ${dayText(match.updated_at ?? match.created_at)}`;
}

/**
 * Loads something and shows it.
 *
 * @template T
 * @param {string} path
 * @returns {{ value: T | null, error: string, code: string, reload: () => void }}
 */
export function useLoaded(path) {
  const [loaded, setLoaded] = useState({
    path: "",
    value: /** @type {T | null} */ (null),
    error: "",
    code: "",
  });
  const [count, setCount] = useState(0);
  useEffect(() => {
    let isWanted = true;
    get(path).then(
      (value) => isWanted && setLoaded({ path, value, error: "", code: "" }),
      (error) =>
        isWanted &&
        setLoaded({ path, value: null, error: messageOf(error), code: error.code ?? "" }),
    );
    return () => {
      isWanted = false;
    };
  }, [path, count]);
  const isFresh = loaded.path === path;
  return {
    value: isFresh ? loaded.value : null,
    error: isFresh ? loaded.error : "",
    code: isFresh ? loaded.code : "",
    reload: () => setCount(count + 1),
  };
}

/** Says what is being loaded. @param {{ what?: string }} props */
export function Loading({ what = "Loading…" }) {
  return html`<p class="soft loading" aria-busy="true">${what}</p>`;
}
