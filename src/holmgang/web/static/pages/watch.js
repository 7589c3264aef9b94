/** @file Live and finished duels. */
import { useEffect, useState } from "preact/hooks";
import { get, messageOf } from "../api.js";
import { html } from "../html.js";
import { Loading, MatchList, Problem, Segments } from "../parts.js";
import { useTitle } from "../title.js";
import { useLobby } from "./home.js";

/** @typedef {import("../types.js").MatchLine} MatchLine */

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
        ? html`<section class="card flush" aria-label="Live duels">
          ${
            !lobby
              ? html`<${Loading} />`
              : live.length
                ? html`<${MatchList} matches=${live} />`
                : html`<p class="empty soft">
                  Nobody is playing at the moment. <a href="/">Start a duel</a>
                </p>`
          }
        </section>`
        : html`<${Finished} />`
    }
  </div>`;
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
    <${MatchList} matches=${matches} />
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
