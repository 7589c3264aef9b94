/** @file Which page is shown: the address of the browser, kept in a signal. */
import { signal } from "@preact/signals";

/** The path and the query of the page that is shown. */
export const address = signal(location.pathname + location.search);

/**
 * Goes to another page of the site.
 *
 * @param {string} to
 * @param {{ replace?: boolean }} [how]
 */
export function navigate(to, { replace = false } = {}) {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  address.value = location.pathname + location.search;
  if (!replace) scrollTo(0, 0);
}

/** Follows ordinary links within the site without loading the page again. */
export function startRouter() {
  addEventListener("popstate", () => {
    address.value = location.pathname + location.search;
  });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const target = /** @type {Element | null} */ (event.target);
    const link = target?.closest("a");
    if (!link || link.target || link.hasAttribute("download")) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || /^\/(api|static)\//.test(url.pathname)) return;
    if (url.pathname === location.pathname && url.hash) return;
    event.preventDefault();
    navigate(url.pathname + url.search);
  });
}
