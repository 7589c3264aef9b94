/** @file The best players of each game. */
import { useEffect, useState } from "preact/hooks";
import { html } from "../html.js";
import { Loading, Problem, Segments, useLoaded } from "../parts.js";
import { catalogue, loadCatalogue, me, recall } from "../session.js";
import { useTitle } from "../title.js";

/** @typedef {{ name: string, rating: number, deviation: number, matches: number }} Ranked */

export function Players() {
  useTitle("Players");
  const [game, setGame] = useState(recall("game") ?? "bagh");
  useEffect(() => {
    loadCatalogue().catch(() => {});
  }, []);
  const games = catalogue.value?.games ?? [];
  const { value, error } = /** @type {{ value: { players: Ranked[] } | null, error: string }} */ (
    useLoaded(`/api/leaderboards/${encodeURIComponent(game)}`)
  );
  return html`<div class="plain wide-plain">
    <h1>Players</h1>
    <${Segments}
      name="game"
      label="Game"
      kind="small"
      isLabelShown=${false}
      value=${game}
      onChange=${setGame}
      options=${games.map((each) => ({ value: each.name, label: each.title }))}
    />
    <section class="card flush" aria-label="Leaderboard">
      ${
        error
          ? html`<${Problem} error=${error} />`
          : !value
            ? html`<${Loading} />`
            : value.players.length
              ? html`<table class="ranks">
                <thead>
                  <tr>
                    <th scope="col" class="num">#</th>
                    <th scope="col">player</th>
                    <th scope="col" class="num">rating</th>
                    <th scope="col" class="num">matches</th>
                  </tr>
                </thead>
                <tbody>
                  ${value.players.map(
                    (player, place) => html`<tr
                      key=${player.name}
                      class=${player.name === me.value?.name ? "own" : ""}
                    >
                      <td class="num soft">${place + 1}</td>
                      <td>
                        <a href="/player/${encodeURIComponent(player.name)}" dir="auto">
                          ${player.name}
                        </a>
                      </td>
                      <td class="num">
                        <b>
                          ${Math.round(player.rating)}
                        </b> <span class="soft small">± ${Math.round(player.deviation)}</span>
                      </td>
                      <td class="num">${player.matches}</td>
                    </tr>`,
                  )}
                </tbody>
              </table>`
              : html`<p class="empty soft">
                Nobody has a settled rating in this game yet. Duels between two accounts by the
                standard rules and with a time limit are rated.
              </p>`
      }
    </section>
    <p class="small soft">
      This list shows players with a settled rating who have played in the last 90 days.
    </p>
  </div>`;
}
