/**
 * @file The board: the server's SVG, put into the page and changed from state to state.
 *
 * A new picture does not replace the old one but is merged into it, element by element, by id.
 * Remaining elements keep their place in the document, so that CSS transitions move them.
 */
import { useLayoutEffect, useRef } from "preact/hooks";
import { html } from "./html.js";
import { isStill } from "./settings.js";
import { theme } from "./session.js";

/**
 * @param {{
 *   picture: string | undefined, chosen?: string[], away?: string[], isTurned?: boolean,
 *   children?: any, label?: string, prefix?: string, isSmall?: boolean,
 * }} props
 *   `picture` is SVG text that the server drew; the seats in `chosen` have chosen, so that a card of
 *   theirs lies face down; the last cards of those in `away` are gone; a board that `isTurned` has
 *   blue on the left; a second board of a page needs a `prefix` for its ids, or it would show what
 *   the first one has under them; a board that `isSmall` shows its middle only
 */
export function Board(props) {
  const {
    picture,
    chosen = [],
    away = [],
    isTurned,
    children,
    label,
    prefix = "",
    isSmall,
  } = props;
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const colours = theme.value;
  useLayoutEffect(() => {
    if (frame.current && picture)
      draw(frame.current, picture, colours, prefix, isSmall ? SMALL_BOX : VIEW_BOX);
  }, [picture, colours]);
  useLayoutEffect(() => {
    for (const seat of ["red", "blue"]) {
      const classes = frame.current?.firstElementChild?.classList;
      classes?.toggle(`${seat}-chosen`, chosen.includes(seat));
      classes?.toggle(`${seat}-away`, away.includes(seat));
    }
  });
  return html`<div class="frame ${isTurned ? "turned" : ""}" role="group" aria-label=${label ?? "Board"}>
    <div class="svg" ref=${frame}></div>
    ${children}
  </div>`;
}

/** The page names the players itself, so the picture's own heading is left out. */
const VIEW_BOX = "0 50 720 430";
const SMALL_BOX = "0 50 720 300";

/**
 * @param {HTMLElement} frame
 * @param {string} picture
 * @param {string} colours
 * @param {string} prefix
 * @param {string} box
 */
function draw(frame, picture, colours, prefix, box) {
  const template = document.createElement("template");
  template.innerHTML = picture;
  const drawn = template.content.firstElementChild;
  if (!drawn) return;
  drawn.setAttribute("viewBox", box);
  if (colours) drawn.classList.add(colours);
  if (prefix) rename(drawn, prefix);
  const there = frame.firstElementChild;
  if (there) merge(there, drawn, !isStill());
  else frame.append(drawn);
}

/** Puts the prefix before all ids, also where they are used. @param {Element} drawn @param {string} prefix */
function rename(drawn, prefix) {
  const labels = drawn.getAttribute("aria-labelledby")?.split(" ") ?? [];
  drawn.setAttribute("aria-labelledby", labels.map((id) => prefix + id).join(" "));
  for (const each of drawn.querySelectorAll("[id]")) each.id = prefix + each.id;
  for (const each of drawn.querySelectorAll("[href^='#']"))
    each.setAttribute("href", `#${prefix}${each.getAttribute("href")?.slice(1)}`);
}

/**
 * Makes the first element like the second, keeping what they have in common.
 *
 * @param {Element} there
 * @param {Element} wanted
 * @param {boolean} isMoving whether what is new fades in
 */
function merge(there, wanted, isMoving) {
  for (const { name } of [...there.attributes]) {
    if (!wanted.hasAttribute(name)) there.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (there.getAttribute(name) !== value) there.setAttribute(name, value);
  }
  const isText = wanted.nodeName === "text" || wanted.children.length === 0;
  if (isText) {
    // Text may have parts of its own, such as the small "/20" after a number.
    if (there.innerHTML !== wanted.innerHTML) {
      there.replaceChildren(...wanted.childNodes);
      if (isMoving && there.nodeName === "text") fadeIn(there);
    }
    return;
  }
  mergeChildren(there, wanted, isMoving);
}

/** @param {Element} there @param {Element} wanted @param {boolean} isMoving */
function mergeChildren(there, wanted, isMoving) {
  const wantedIds = new Set([...wanted.children].map((child) => child.id));
  /** @type {Map<string, Element>} */
  const byId = new Map();
  for (const child of [...there.children]) {
    if (!child.id) continue;
    if (wantedIds.has(child.id)) byId.set(child.id, child);
    else child.remove();
  }
  let place = there.firstElementChild;
  for (const child of [...wanted.children]) {
    const found = child.id ? byId.get(child.id) : place && !place.id ? place : undefined;
    if (found && found.nodeName === child.nodeName) {
      if (found === place) place = place.nextElementSibling;
      else there.insertBefore(found, place);
      merge(found, child, isMoving);
    } else {
      if (found && found === place) place = place.nextElementSibling;
      found?.remove();
      there.insertBefore(child, place);
      if (isMoving) fadeIn(child);
    }
  }
  while (place) {
    const next = place.nextElementSibling;
    place.remove();
    place = next;
  }
}

/**
 * New elements and changed values appear a moment after the figures have begun to move; the style
 * sheet delays bars and pips by the same time.
 *
 * @param {Element} element
 */
function fadeIn(element) {
  element.animate([{ opacity: 0.15 }, {}], {
    duration: 220,
    delay: 140,
    easing: "ease-out",
    fill: "backwards",
  });
}
