/** @file The ratings and last duels of someone who has been here before. */
import { html } from "../html.js";
import { Result, useLoaded } from "../parts.js";
import { catalogue, me } from "../session.js";
import { Spark } from "../spark.js";
import { dayText, other, playerName, resultOf, scoreText } from "../words.js";

/** @typedef {import("../types.js").MatchHistory} MatchHistory */
/** @typedef {import("../types.js").Profile} Profile */

const MOST = 5;

export function Record() {
  const { value } = /** @type {{ value: MatchHistory | null }} */ (useLoaded("/api/me/matches"));
  const name = me.value?.guest ? "" : (me.value?.name ?? "");
  return html`${name && html`<${Ratings} name=${name} />`}
    ${
      value &&
      value.matches.length > 0 &&
      html`<section class="card flush" aria-labelledby="last">
      <h2 id="last" class="head"><span>Last duels</span><a href="/history">All duels</a></h2>
      <ul class="last">
        ${value.matches.slice(0, MOST).map(
          (match) => html`<li key=${match.match}>
          <a href="/match/${match.match}">
            <${Result} result=${resultOf(match)} />
            <span>
              <b>
                ${scoreText(match.score, match.you)}${" "}
                <span dir="auto">${playerName(match.players[other(match.you)])}</span>
              </b>
              <small class="soft">
                ${match.title} · ${dayText(match.updated_at ?? match.created_at)}
              </small>
            </span>
          </a>
        </li>`,
        )}
      </ul>
    </section>`
    }`;
}

/** @param {{ name: string }} props */
function Ratings({ name }) {
  const { value } = /** @type {{ value: Profile | null }} */ (
    useLoaded(`/api/players/${encodeURIComponent(name)}`)
  );
  const ratings = Object.entries(value?.ratings ?? {});
  if (!ratings.length) return null;
  const games = catalogue.value?.games ?? [];
  return html`<section class="card flush" aria-labelledby="ratings">
    <h2 id="ratings" class="head">
      <span>Your ratings</span><a href="/player/${encodeURIComponent(name)}">Profile</a>
    </h2>
    <ul class="ratings">
      ${ratings.map(
        ([game, rating]) => html`<li key=${game}>
        <span class="soft">${games.find((each) => each.name === game)?.title ?? game}</span>
        <b class="num">${rating.rating}</b><small class="soft"> ± ${rating.deviation}</small>
        <${Spark} history=${rating.history} />
      </li>`,
      )}
    </ul>
  </section>`;
}
