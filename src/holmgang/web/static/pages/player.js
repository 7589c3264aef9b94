/** @file A player: ratings, their history, and matches. */
import { useEffect, useState } from "preact/hooks";
import { html } from "../html.js";
import { gameIcon, Icon } from "../icons.js";
import { Loading, MatchList, Problem, useLoaded } from "../parts.js";
import { catalogue, loadCatalogue, me, signOut } from "../session.js";
import { useTitle } from "../title.js";
import { navigate } from "../router.js";
import { counted } from "../words.js";

/** @typedef {import("../types.js").RatingLine & { history: [number, number][] }} RatingWithHistory */

/**
 * `history` has when, and the rating from then on.
 *
 * @typedef {object} PlayerProfile
 * @property {string} name
 * @property {boolean} guest
 * @property {Record<string, RatingWithHistory>} ratings
 * @property {import("../types.js").MatchLine[]} matches
 * @property {number} unlisted further matches, by link
 */

/** @param {{ argument: string }} props */
export function Profile({ argument }) {
  useTitle(argument);
  const { value, error, code } =
    /** @type {{ value: PlayerProfile | null, error: string, code: string }} */ (
      useLoaded(`/api/players/${encodeURIComponent(argument)}`)
    );
  const [picked, setPicked] = useState("");
  useEffect(() => {
    loadCatalogue().catch(() => {});
  }, []);
  if (code === "not found") {
    return html`<div class="plain">
      <h1>
        No such player
      </h1><p class="soft">${error}</p><p><a class="btn main" href="/players">All players</a></p>
    </div>`;
  }
  if (error) return html`<${Problem} error=${error} />`;
  if (!value) return html`<${Loading} />`;
  const games = catalogue.value?.games ?? [];
  /** @param {string} name */
  const titleOf = (name) => games.find((each) => each.name === name)?.title ?? name;
  const rated = Object.entries(value.ratings).sort(([, one], [, two]) => two.matches - one.matches);
  const game = value.ratings[picked] ? picked : (rated[0]?.[0] ?? "");
  const isOwn = me.value?.name === value.name;
  return html`<div class="plain wide-plain profile">
    <header class="row between">
      <h1 dir="auto">${value.name}</h1>
      ${
        isOwn &&
        html`<button
        type="button"
        class="btn"
        data-sign-out
        onClick=${() => signOut().then(() => navigate("/"))}
      >
        Sign out
      </button>`
      }
    </header>
    ${
      rated.length === 0
        ? html`<p class="soft">No rated duel yet.</p>`
        : html`<ul class="ratings">
            ${rated.map(
              ([name, rating]) => html`<li key=${name}>
                <button
                  type="button"
                  class="card"
                  aria-pressed=${name === game}
                  onClick=${() => setPicked(name)}
                >
                  <${Icon} name=${gameIcon(name)} />
                  <span>${titleOf(name)}</span>
                  <b>${Math.round(rating.rating)}${rating.provisional ? "?" : ""}</b>
                  <small>
                    ± ${Math.round(rating.deviation)} ·${" "}
                    ${counted(rating.matches, "rated match", "rated matches")}
                  </small>
                </button>
              </li>`,
            )}
          </ul>
          <${Curve} points=${value.ratings[game].history} title=${titleOf(game)} />`
    }
    <section class="card flush" aria-labelledby="matches">
      <h2 id="matches" class="head">Matches</h2>
      ${
        value.matches?.length
          ? html`<${MatchList}
        matches=${value.matches}
      />`
          : value.unlisted === 0 && html`<p class="empty soft">No match yet.</p>`
      }
      ${
        value.unlisted > 0 &&
        html`<p class="empty soft" data-unlisted>
          ${counted(value.unlisted, "match by link is", "matches by link are")} not listed here.
        </p>`
      }
    </section>
  </div>`;
}

const WIDTH = 720;
const HEIGHT = 200;

/** The rating over time. @param {{ points: [number, number][], title: string }} props */
function Curve({ points, title }) {
  if (points.length < 2) return null;
  const times = points.map(([at]) => at);
  const values = points.map(([, value]) => value);
  const [first, last] = [times[0], times[times.length - 1]];
  const step = niceStep(Math.max(...values) - Math.min(...values));
  const low = Math.floor(Math.min(...values) / step) * step;
  const high = Math.max(low + step, Math.ceil(Math.max(...values) / step) * step);
  /** @param {number} at */
  const x = (at) => 48 + ((WIDTH - 60) * (at - first)) / Math.max(1, last - first);
  /** @param {number} value */
  const y = (value) => HEIGHT - 12 - ((HEIGHT - 28) * (value - low)) / (high - low);
  const lines = Array.from(
    { length: Math.round((high - low) / step) + 1 },
    (_, index) => low + index * step,
  );
  const path = points
    .map(([at, value], index) => `${index ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`)
    .join("");
  const newest = values[values.length - 1];
  return html`<figure class="card curve">
    <figcaption class="small soft">
      ${title}: rating since ${new Date(first).toLocaleDateString()}
    </figcaption>
    <svg
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      role="img"
      aria-label="Rating from ${values[0]} to ${newest}, highest ${Math.max(...values)}"
    >
      ${lines.map(
        (value) => html`<g>
        <path
          class="rule"
          d="M48 ${y(value)}H${WIDTH - 12}"
        /><text x="40" y=${y(value) + 4}>${value}</text>
      </g>`,
      )}
      <path class="line" d=${path} />
      <circle cx=${x(last)} cy=${y(newest)} r="4" />
    </svg>
  </figure>`;
}

/** A round number, so that the span takes three or four lines. @param {number} span */
function niceStep(span) {
  return [10, 25, 50, 100, 200, 500].find((step) => span / step <= 4) ?? 1000;
}
