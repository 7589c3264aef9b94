/** @file An address without a page. */
import { html } from "../html.js";
import { useTitle } from "../turns.js";

export function Missing() {
  useTitle("Not found");
  return html`<div class="plain">
    <h1>Page not found</h1>
    <p class="soft">There is no page at <code>${location.pathname}</code>.</p>
    <p><a class="btn main" href="/">Play a duel</a> <a class="btn" href="/watch">Watch one</a></p>
  </div>`;
}
