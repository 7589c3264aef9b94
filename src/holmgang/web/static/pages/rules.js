/** @file The rules of the games. */
import { useEffect } from "preact/hooks";
import { html } from "../html.js";
import { gameIcon, Icon } from "../icons.js";
import { RulesText } from "../parts.js";
import { catalogue, loadCatalogue } from "../session.js";
import { useTitle } from "../title.js";
import { capitalised } from "../words.js";

/** @param {{ argument: string }} props */
export function Rules({ argument }) {
  const games = catalogue.value?.games ?? [];
  const game = games.find((each) => each.name === argument);
  useTitle(game ? `Rules of ${game.title}` : "Rules");
  useEffect(() => {
    loadCatalogue().catch(() => {});
  }, []);
  if (!argument) {
    return html`<div class="plain">
      <h1>Rules</h1>
      <ul class="game-list">
        ${games.map(
          (each) => html`<li key=${each.name}>
            <a class="card" href="/rules/${each.name}">
              <${Icon}
                name=${gameIcon(each.name)}
              /><span><b>${each.title}</b><small>${capitalised(each.line)}.</small></span>
            </a>
          </li>`,
        )}
      </ul>
    </div>`;
  }
  if (catalogue.value && !game) {
    return html`<div class="plain">
      <h1>No such game</h1>
      <p class="soft">No game called “${argument}”.</p>
      <p><a class="btn main" href="/rules">All games</a></p>
    </div>`;
  }
  return html`<div class="plain">
    <nav class="row between small" aria-label="Rules">
      <a href="/rules">All games</a>
      <a href="/setup?game=${argument}">Play with rules of your own</a>
    </nav>
    <${RulesText} game=${argument} />
  </div>`;
}
