/**
 * @file Whose turn it is: on the page of a match, and in the visitor's other matches, which every
 * page asks for. Title and icon show it, and a notification if no page of the site is seen.
 *
 * It is told when a round opens. What the other does in it changes nothing, so that nobody learns
 * when the other has chosen.
 */
import { useEffect } from "preact/hooks";
import { effect, signal } from "@preact/signals";
import { get } from "./api.js";
import { address, navigate } from "./router.js";
import { me, recall, remember } from "./session.js";
import { hasNotifications } from "./settings.js";
import { other, playerName } from "./words.js";

/** @typedef {import("./types.js").OwnMatchLine} OwnMatchLine */

const ASK_MS = 15_000;
/** A page of the site that was seen this lately is still looked at. */
const SEEN_MS = 25_000;
const ICON = new URL("./icon.svg", import.meta.url).href;
/** The same with a dot, for "your turn". */
const ICON_DUE = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M6 6h12v12H6z" fill="none" stroke="#1a7082" stroke-width="2"/><circle cx="17" cy="7" r="7" fill="#d4491f"/></svg>`,
)}`;

/** Whether it is the visitor's turn in the match that this page shows. */
export const isDue = signal(false);
/** The visitor's matches in which it is their turn. */
export const waiting = signal(/** @type {OwnMatchLine[]} */ ([]));

/** Those of other pages. */
export const elsewhere = () =>
  waiting.value.filter(({ match }) => !address.value.startsWith(`/match/${match}`));

/** Tells what is known already; null before the first answer. @type {Set<string> | null} */
let known = null;

async function ask() {
  if (me.value?.name) {
    const answer = await get("/api/lobby/waiting").catch(() => null);
    if (answer) hear(answer.matches);
  }
  if (!document.hidden) remember("seen", String(Date.now()));
  // Not at regular times, so that many pages do not ask at once.
  setTimeout(ask, ASK_MS * (0.8 + Math.random() * 0.4));
}

/** @param {OwnMatchLine[]} matches */
function hear(matches) {
  waiting.value = matches;
  const keys = new Set(matches.map(({ match, rounds }) => `${match}/${rounds}`));
  for (const line of matches) {
    const isNew = known && !known.has(`${line.match}/${line.rounds}`);
    if (isNew) tellTurn(line.match, line.players[other(line.you)], line.title);
  }
  known = keys;
}

/**
 * Says that it is the visitor's turn, if they want it and look elsewhere.
 *
 * @param {string} match
 * @param {{ name: string, kind: string } | null} opponent
 * @param {string} title of the game
 */
export function tellTurn(match, opponent, title) {
  if (!document.hidden || !hasNotifications.value || Notification.permission !== "granted") return;
  if (Date.now() - Number(recall("seen") ?? 0) < SEEN_MS) return;
  // The same tag from several tabs makes one notification.
  const told = new Notification("Your turn", {
    body: `${title} against ${playerName(opponent)}`,
    tag: `holmgang ${match}`,
    icon: ICON,
  });
  told.onclick = () => {
    told.close();
    focus();
    navigate(`/match/${match}`);
  };
}

export function startTurns() {
  effect(() => {
    const icon = document.querySelector("link[rel=icon]");
    icon?.setAttribute("href", isDue.value || elsewhere().length ? ICON_DUE : ICON);
  });
  document.addEventListener("visibilitychange", () =>
    remember("seen", document.hidden ? null : String(Date.now())),
  );
  setTimeout(ask, 1000);
}

/**
 * The title of the browser's tab: the page, and how many other duels wait.
 *
 * @param {string} title
 */
export function useTitle(title) {
  const { length } = elsewhere();
  useEffect(() => {
    document.title = `${length ? `(${length}) ` : ""}${title ? `${title} · ` : ""}Holmgang`;
  }, [title, length]);
}
