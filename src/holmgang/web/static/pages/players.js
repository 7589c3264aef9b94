/** @file The best players of each game. */
import { useEffect, useState } from "preact/hooks";
import { html } from "../html.js";
import { Loading, Problem, Segments, useLoaded } from "../parts.js";
import { catalogue, loadCatalogue, me, recall } from "../session.js";
import { useTitle } from "../turns.js";

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
                    <th scope="col" class="wide">95 % range</th>
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
                      <td class="wide"><${Interval} player=${player} all=${value.players} /></td>
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

/**
 * Where the true rating probably is, drawn on the same scale for all.
 *
 * @param {{ player: Ranked, all: Ranked[] }} props
 */
function Interval({ player, all }) {
  const low = Math.min(...all.map((each) => each.rating - 2 * each.deviation));
  const high = Math.max(...all.map((each) => each.rating + 2 * each.deviation));
  /** @param {number} rating */
  const x = (rating) => 4 + (192 * (rating - low)) / Math.max(1, high - low);
  const [from, to] = [-2, 2].map((times) => player.rating + times * player.deviation);
  return html`<svg
    class="interval"
    viewBox="0 0 200 16"
    preserveAspectRatio="xMidYMid meet"
    role="img"
    aria-label="${Math.round(from)} to ${Math.round(to)}"
  >
    <path d="M${x(from)} 8H${x(to)}" /><circle cx=${x(player.rating)} cy="8" r="4" />
  </svg>`;
}
