/** @file Live and finished duels. */
import { useEffect, useState } from "preact/hooks";
import { get, messageOf } from "../api.js";
import { html } from "../html.js";
import { Television } from "../home/live.js";
import { Loading, MatchList, Problem, Seated, Segments, SmallBoard } from "../parts.js";
import { useTitle } from "../turns.js";
import { counted, scoreText } from "../words.js";
import { useLobby } from "./home.js";

/** @typedef {import("../types.js").MatchLine} MatchLine */
/** @typedef {import("../types.js").LiveMatchLine} LiveMatchLine */

const PAGE = 30;

export function Watch() {
  useTitle("Watch");
  const [status, setStatus] = useState("live");
  const lobby = useLobby();
  const live = lobby?.live ?? [];
  return html`<div class="plain wide-plain">
    <header class="row between">
      <h1>Watch</h1>
      <a class="btn" href="/upload">Upload a record</a>
    </header>
    <${Segments}
      name="status"
      label="Which duels"
      isLabelShown=${false}
      value=${status}
      onChange=${setStatus}
      options=${[
        { value: "live", label: "Live", note: live.length ? String(live.length) : "" },
        { value: "over", label: "Finished" },
      ]}
    />
    ${
      status === "live"
        ? html`<section aria-label="Live duels">
          ${
            !lobby
              ? html`<${Loading} />`
              : live.length
                ? html`<${Screens} matches=${live} />`
                : html`<div class="stack">
                  <p class="card row between">
                    <span>Nobody is playing in public at the moment.</span>
                    <a class="btn" href="/">Start a duel</a>
                  </p>
                  <h2>Finished duels</h2>
                  <${Finished} />
                </div>`
          }
        </section>`
        : html`<${Finished} />`
    }
  </div>`;
}

/** Live duels as boards, the first of them as it goes on. @param {{ matches: LiveMatchLine[] }} props */
function Screens({ matches: [first, ...rest] }) {
  return html`<div class="screens" data-matches>
    <div class="card flush screen first" data-match=${first.match}>
      <${Television} key=${first.match} match=${first} />
      <${Caption} match=${first} />
    </div>
    ${rest.map(
      (match) => html`<a
        key=${match.match}
        class="card flush screen"
        href="/match/${match.match}"
        data-match=${match.match}
      >
        <${SmallBoard} match=${match} />
        <${Caption} match=${match} />
      </a>`,
    )}
  </div>`;
}

/** @param {{ match: LiveMatchLine }} props */
function Caption({ match }) {
  return html`<p>
    <${Seated} seat="red" player=${match.players.red} />
    <b class="num">${scoreText(match.score)}</b>
    <${Seated} seat="blue" player=${match.players.blue} />
    <small class="soft">${match.title} · ${counted(match.rounds, "round")}</small>
  </p>`;
}

/** Finished duels, the newest first, a page at a time. */
function Finished() {
  const [matches, setMatches] = useState(/** @type {MatchLine[]} */ ([]));
  const [state, setState] = useState(/** @type {"loading" | "more" | "all"} */ ("loading"));
  const [problem, setProblem] = useState("");
  /** @param {MatchLine | undefined} last */
  const load = async (last) => {
    setState("loading");
    setProblem("");
    try {
      const before = last ? `&before=${last.created_at}` : "";
      const page = await get(`/api/matches?status=over&limit=${PAGE}${before}`);
      setMatches((old) => [...old, ...page.matches]);
      setState(page.matches.length < PAGE ? "all" : "more");
    } catch (error) {
      setProblem(messageOf(error));
      setState("more");
    }
  };
  useEffect(() => {
    load(undefined);
  }, []);
  return html`<section class="card flush" aria-label="Finished duels">
    <${MatchList} matches=${matches} hasBoards=${true} />
    ${state === "all" && !matches.length && html`<p class="empty soft">No duel has ended yet.</p>`}
    ${state === "loading" && html`<${Loading} />`}
    ${
      state === "more" &&
      html`<p class="more">
        <button type="button" class="btn" onClick=${() => load(matches.at(-1))}>Older duels</button>
      </p>`
    }
    <${Problem} error=${problem} />
  </section>`;
}
