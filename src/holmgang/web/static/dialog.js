/** @file Dialogs over a page, and the rules of a game. */
import { useEffect, useRef } from "preact/hooks";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { Problem, useLoaded } from "./parts.js";
import { loadStyle } from "./styles.js";

await loadStyle("dialog");

/**
 * The rules of a game, as the server words them.
 *
 * @param {{ game: string }} props
 */
export function RulesText({ game }) {
  const { value, error } = useLoaded(`/api/games/${encodeURIComponent(game)}/rules`);
  const text = /** @type {string | null} */ (value);
  useEffect(() => {
    // The paragraph that the address names is there only now.
    if (text && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [text]);
  if (error) return html`<${Problem} error=${error} />`;
  if (!text) return html`<p class="soft" aria-busy="true">Loading the rules…</p>`;
  return html`<div class="rulebook" dangerouslySetInnerHTML=${{ __html: text }}></div>`;
}

/**
 * A dialog over the page; Escape closes it.
 *
 * @param {{ title: string, onClose: () => void, children: any }} props
 */
export function Dialog({ title, onClose, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  // Closed this way, the browser gives the focus back to where it was.
  const close = () => dialog.current?.close();
  /** @param {MouseEvent} event */
  const onClick = (event) => {
    if (event.target === dialog.current) close();
  };
  return html`<dialog ref=${dialog} aria-label=${title} onClose=${onClose} onClick=${onClick}>
    <header class="row between">
      <h2>${title}</h2>
      <button type="button" class="btn quiet" aria-label="Close" onClick=${close}>
        <${Icon} name="close" />
      </button>
    </header>
    <div class="body" tabindex="0">${children}</div>
  </dialog>`;
}
