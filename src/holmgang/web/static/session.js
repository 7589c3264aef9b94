/** @file State shared by several pages: the visitor, the catalogue, and remembered settings. */
import { signal } from "@preact/signals";
import { get, post, request } from "./api.js";

/** @typedef {import("./types.js").Me} Me */
/** @typedef {import("./types.js").Catalogue} Catalogue */

/** Who the visitor is; null until the server has said so. */
export const me = signal(/** @type {Me | null} */ (null));

/** The games, levels and bots; null until they are loaded. */
export const catalogue = signal(/** @type {Catalogue | null} */ (null));

export async function loadMe() {
  me.value = await get("/api/me");
}

/** @type {Promise<Catalogue> | null} */
let loading = null;

/** Loads the catalogue once, without the rules of the games; again after a failure. */
export function loadCatalogue() {
  loading ??= get("/api/games?rules=0").then(
    (loaded) => (catalogue.value = loaded),
    (error) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** @param {string} name @param {string} password */
export async function claimName(name, password) {
  await post("/api/account", { name, password });
  await loadMe();
}

/** A name for a guest, shown in the matches that follow. @param {string} name */
export async function nameGuest(name) {
  me.value = await post("/api/me/name", { name });
}

/** @param {string} name @param {string} password */
export async function signIn(name, password) {
  await post("/api/session", { name, password });
  await loadMe();
}

export async function signOut() {
  await request("DELETE", "/api/session");
  await loadMe();
}

/**
 * Opens a match and gives its id.
 *
 * @param {import("./types.js").Opening} asked
 * @returns {Promise<string>}
 */
export async function openMatch(asked) {
  const { match } = await post("/api/matches", asked);
  if (!me.value?.name) loadMe().catch(() => {});
  return match;
}

/**
 * @param {string} match
 * @returns {Promise<void>}
 */
export async function joinMatch(match) {
  await post(`/api/matches/${match}/join`);
  if (!me.value?.name) loadMe().catch(() => {});
}

// Settings remembered by this browser. Storage can be forbidden; then nothing is remembered.

/** @param {string} key */
export function recall(key) {
  try {
    return localStorage.getItem(`holmgang.${key}`);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string | null} value */
export function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(`holmgang.${key}`);
    else localStorage.setItem(`holmgang.${key}`, value);
  } catch {
    // As above.
  }
}

/** The theme: `light`, `dark`, or empty for the device's. */
export const theme = signal(document.documentElement.className);

export function nextTheme() {
  theme.value = { "": "light", light: "dark" }[theme.value] ?? "";
  document.documentElement.className = theme.value;
  remember("theme", theme.value || null);
}
