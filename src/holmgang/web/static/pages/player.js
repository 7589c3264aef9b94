/** @file A player: ratings, their history, and matches. */
import { useEffect, useState } from "preact/hooks";
import { html } from "../html.js";
import { Loading, MatchList, Problem, useLoaded } from "../parts.js";
import { catalogue, loadCatalogue, me, signOut } from "../session.js";
import { Spark } from "../spark.js";
import { useTitle } from "../turns.js";
import { navigate } from "../router.js";
import { counted } from "../words.js";

/** @typedef {import("../types.js").Profile} PlayerProfile */

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
  const names = [...new Set([...Object.keys(value.results), ...Object.keys(value.ratings)])];
  const played = names
    .map((name) => /** @type {const} */ ([name, value.results[name] ?? NOTHING]))
    .sort(([, one], [, two]) => sum(two) - sum(one));
  const rated = played.map(([name]) => name).filter((name) => value.ratings[name]);
  const game = value.ratings[picked] ? picked : (rated[0] ?? "");
  const isOwn = me.value?.name === value.name;
  const since = new Date(value.since).toLocaleDateString();
  const count = played.reduce((total, [, results]) => total + sum(results), 0);
  return html`<div class="plain wide-plain profile">
    <header class="row between">
      <div>
        <h1 dir="auto">${value.name}</h1>
        <p class="soft small">Since ${since} · ${counted(count, "duel")}</p>
      </div>
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
    ${played.length === 0 && html`<p class="soft">No duel yet.</p>`}
    <ul class="ratings">
      ${played.map(
        ([name, results]) => html`<li key=${name}>
          <${Played}
            title=${titleOf(name)}
            results=${results}
            rating=${value.ratings[name]}
            isPicked=${name === game}
            onPick=${() => setPicked(name)}
          />
        </li>`,
      )}
    </ul>
    ${game && html`<${Curve} points=${value.ratings[game].history} title=${titleOf(game)} />`}
    <section class="card flush" aria-labelledby="matches">
      <h2 id="matches" class="head">
        <span>Duels</span>${isOwn && html`<a href="/history">All duels</a>`}
      </h2>
      ${
        value.matches?.length
          ? html`<${MatchList} matches=${value.matches} hasBoards=${true} />`
          : value.unlisted === 0 && html`<p class="empty soft">No match yet.</p>`
      }
      ${
        value.unlisted > 0 &&
        html`<p class="empty soft" data-unlisted>
          ${counted(value.unlisted, "match", "matches")} by link or against the computer${" "}
          ${value.unlisted === 1 ? "is" : "are"} not listed here.
        </p>`
      }
    </section>
  </div>`;
}

const NOTHING = { won: 0, drawn: 0, lost: 0 };

/** @param {import("../types.js").ResultCounts} results */
const sum = ({ won, drawn, lost }) => won + drawn + lost;

/**
 * A game that someone has played: rating, its course, and results.
 *
 * @param {{ title: string, results: import("../types.js").ResultCounts, isPicked: boolean,
 *   rating: import("../types.js").RatingHistory | undefined, onPick: () => void }} props
 */
function Played({ title, results, rating, isPicked, onPick }) {
  return html`<button
    type="button"
    class="card"
    aria-pressed=${isPicked}
    disabled=${!rating}
    onClick=${onPick}
  >
    <span>${title}</span>
    <b>${rating ? `${rating.rating}${rating.provisional ? "?" : ""}` : "–"}</b>
    <small>
      ${
        rating
          ? `± ${rating.deviation} · ${counted(rating.matches, "rated match", "rated matches")}`
          : "no rating yet"
      }
    </small>
    ${rating && html`<${Spark} history=${rating.history} />`}
    <span class="score-bar">
      ${
        /** @type {const} */ (["won", "drawn", "lost"]).map(
          (result) =>
            results[result] > 0 &&
            html`<span class="result ${result}" style=${{ flexGrow: results[result] }}>
            <span class="sr">${result}</span>
            <span aria-hidden="true">${result[0].toUpperCase()}</span> ${results[result]}
          </span>`,
        )
      }
    </span>
  </button>`;
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
