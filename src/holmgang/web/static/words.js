/** @file Texts used on several pages: names, times, choices, scores. */

/** @typedef {import("./types.js").Seat} Seat */

/** @type {Record<Seat, string>} */
export const SEAT_NAMES = { red: "Red", blue: "Blue" };

/** @param {Seat} seat @returns {Seat} */
export const other = (seat) => (seat === "red" ? "blue" : "red");

/** @param {string} text */
export const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} text */
export const uncapitalised = (text) => text.charAt(0).toLowerCase() + text.slice(1);

/** A rule or a choice without underscores: `double_walk` is "double walk". @param {string} word */
export const spoken = (word) => word.replaceAll("_", " ");

/**
 * @param {{ name: string, kind: string } | null} player
 * @param {string} [free] what stands for a free seat
 */
export function playerName(player, free = "nobody yet") {
  if (!player) return free;
  return player.kind === "level" ? capitalised(player.name) : player.name;
}

/** @param {{ rating?: number | null, provisional?: boolean } | null} player */
export function ratingText(player) {
  if (player?.rating == null) return "";
  return `${Math.round(player.rating)}${player.provisional ? "?" : ""}`;
}

/**
 * A choice for people: its verb and the meaning of its arguments. Pairs such as `2/5` are shorter as
 * they are.
 *
 * @param {string} word
 * @param {string[]} [label]
 */
export function choiceText(word, [verb, ...meanings] = [spoken(word)]) {
  if (word.includes("/")) return word;
  return meanings.length ? `${verb}: ${meanings.join(", ")}` : verb;
}

/** The same without the arguments. @param {string} word @param {string[]} [label] */
export const choiceVerb = (word, label) => choiceText(word, label?.slice(0, 1));

/** The time for a choice. @param {number | null | undefined} seconds */
export function timeText(seconds) {
  if (seconds == null) return "no limit";
  if (seconds >= 86400) return seconds === 86400 ? "1 day" : `${Math.round(seconds / 86400)} days`;
  return `${seconds} s`;
}

/** @param {number | null | undefined} seconds */
export function choiceTimeText(seconds) {
  return seconds == null ? "no time limit" : `${timeText(seconds)} a choice`;
}

/**
 * The usual seconds for a choice: against strangers there is a limit, so that nobody can make them
 * wait for ever, and the duel can be rated.
 *
 * @param {string} opponent
 */
export function usualSeconds(opponent) {
  return opponent === "lobby" ? 60 : null;
}

/** How much time is left. @param {number} ms */
export function leftText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds >= 7200) return `${Math.floor(seconds / 3600)} h`;
  const rest = String(seconds % 60).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${rest}`;
}

/** The score; that of `first` comes first. @param {Record<Seat, number>} score @param {Seat} [first] */
export const scoreText = (score, first = "red") => `${score[first]} – ${score[other(first)]}`;

/** How a match of one's own ended. @param {import("./types.js").HistoryLine} match */
export const resultOf = ({ you, winner }) => (!winner ? "drawn" : winner === you ? "won" : "lost");

/** When something happened, as far as one day is concerned. @param {number} ms since 1970 */
export function dayText(ms) {
  const days = Math.floor((Date.now() - ms) / 864e5);
  if (days < 1) return new Date(ms).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  if (days < 7) return days === 1 ? "yesterday" : `${days} days ago`;
  return new Date(ms).toLocaleDateString();
}

/** @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** The match in a line: "first to 3 · 15 s a choice". @param {import("./types.js").MatchView} match */
export function termsText(match) {
  const wins = match.wins_needed === 1 ? "one game" : `first to ${match.wins_needed}`;
  const seconds = match.time.seconds;
  const time = choiceTimeText(seconds);
  const start = match.start ? "from a position · " : "";
  return `${start}${wins} · ${time} · ${ratedText(match)}`;
}

/** @param {import("./types.js").MatchView} match */
function ratedText(match) {
  if (match.rated === null) {
    return match.you ? "rated if your opponent has an account" : "rated between accounts";
  }
  return match.rated ? "rated" : "not rated";
}

/** Settings of a ruleset that differ from the catalogue's: "start_hp 5". @param {string} ruleset */
export function changedRules(ruleset) {
  const settings = ruleset.split(":")[1];
  return settings ? settings.split(",").map((each) => spoken(each.replace("=", " "))) : [];
}
