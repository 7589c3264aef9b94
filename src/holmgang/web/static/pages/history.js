/** @file All finished matches of the visitor, with filters; also as a guest in this browser. */
import { useEffect, useState } from "preact/hooks";
import { get, messageOf } from "../api.js";
import { html } from "../html.js";
import { Loading, Problem, Result, Segments, SmallBoard } from "../parts.js";
import { catalogue, loadCatalogue, me } from "../session.js";
import { useTitle } from "../turns.js";
import { dayText, other, playerName, resultOf, scoreText } from "../words.js";

/** @typedef {import("../types.js").HistoryLine} HistoryLine */

const AGAINST = [
  ["", "Everyone"],
  ["people", "People"],
  ["computers", "Computers"],
];
const RESULTS = [
  ["", "All results"],
  ["won", "Won"],
  ["drawn", "Drawn"],
  ["lost", "Lost"],
];
const VERBS = { won: "Won", drawn: "Drew", lost: "Lost" };

export function History() {
  useTitle("Your duels");
  const [game, setGame] = useState("");
  const [against, setAgainst] = useState("");
  const [result, setResult] = useState("");
  useEffect(() => {
    loadCatalogue().catch(() => {});
  }, []);
  const filters = Object.entries({ game, against, result }).filter(([, value]) => value);
  const query = new URLSearchParams(filters).toString();
  const games = catalogue.value?.games ?? [];
  /** @param {string[][]} options */
  const choices = (options) => options.map(([value, label]) => ({ value, label }));
  return html`<div class="plain wide-plain">
    <header class="row between">
      <h1>Your duels</h1>
      ${
        me.value &&
        (me.value.guest
          ? html`<p class="small soft">
            Kept for this browser. <a href="/sign-in">With an account</a> you see them everywhere.
          </p>`
          : html`<a class="btn" href="/player/${encodeURIComponent(me.value.name ?? "")}">Profile</a>`)
      }
    </header>
    <div class="filters">
      <label class="small">
        Game${" "}
        <select
          data-filter="game"
          value=${game}
          onChange=${(/** @type {any} */ event) => setGame(event.target.value)}
        >
          <option value="">All games</option>
          ${games.map((each) => html`<option value=${each.name}>${each.title}</option>`)}
        </select>
      </label>
      <${Segments}
        name="against"
        label="Against"
        kind="small"
        isLabelShown=${false}
        value=${against}
        onChange=${setAgainst}
        options=${choices(AGAINST)}
      />
      <${Segments}
        name="result"
        label="Result"
        kind="small"
        isLabelShown=${false}
        value=${result}
        onChange=${setResult}
        options=${choices(RESULTS)}
      />
    </div>
    <${Rows} key=${query} query=${query} />
    <p class="small soft">
      Duels against the computer and by link are seen only by you, and by those who have their link.
    </p>
  </div>`;
}

/** @param {{ query: string }} props */
function Rows({ query }) {
  const [matches, setMatches] = useState(/** @type {HistoryLine[] | null} */ (null));
  const [isWhole, setWhole] = useState(false);
  const [problem, setProblem] = useState("");
  const load = async () => {
    const last = matches?.at(-1);
    setProblem("");
    try {
      const page = await get(`/api/me/matches?${query}${last ? `&before=${last.created_at}` : ""}`);
      setMatches([...(matches ?? []), ...page.matches]);
      setWhole(page.is_whole);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  useEffect(() => {
    load();
  }, []);
  return html`<section class="card flush" aria-label="Matches" data-history>
    ${!matches && !problem && html`<${Loading} />`}
    ${
      matches?.length === 0 &&
      html`<p class="empty soft">
      ${query ? "No duel like this." : html`No duel yet. <a href="/">Play one</a>`}
    </p>`
    }
    <ul class="rows">
      ${(matches ?? []).map((match) => html`<li key=${match.match}><${Row} match=${match} /></li>`)}
    </ul>
    ${
      matches &&
      !isWhole &&
      html`<p class="more"><button type="button" class="btn" onClick=${load}>Older duels</button></p>`
    }
    <${Problem} error=${problem} />
  </section>`;
}

/** @param {{ match: HistoryLine }} props */
function Row({ match }) {
  const result = resultOf(match);
  const when = dayText(match.updated_at ?? match.created_at);
  const rated = match.rated ? "rated" : "not rated";
  return html`<${SmallBoard} match=${match} />
    <span class="what">
      <span>
        <${Result} result=${result} />${" "}
        <b>${VERBS[result]} ${scoreText(match.score, match.you)}</b> against${" "}
        <b dir="auto">${playerName(match.players[other(match.you)])}</b>
      </span>
      <span class="soft small">${match.title} · ${when} · ${rated}</span>
    </span>
    <a class="btn" href="/match/${match.match}" data-match=${match.match}>Watch</a>
    <a class="btn quiet" href="/match/${match.match}?analysis=1">What decided it?</a>`;
}
