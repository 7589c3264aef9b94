/** @file Duels that are played now, on the first page: one as it goes on, and a list. */
import { useEffect, useState } from "preact/hooks";
import { Board } from "../board.js";
import { Channel } from "../channel.js";
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { MatchList } from "../parts.js";
import { playerName } from "../words.js";

/** @typedef {import("../types.js").LiveMatchLine} LiveMatchLine */

/** @param {{ matches: LiveMatchLine[] }} props */
export function Live({ matches }) {
  return html`<section class="card flush" aria-labelledby="live">
    <h2 id="live" class="head"><span>Live duels</span><a href="/watch">All duels</a></h2>
    <div class="live">
      <${Television} key=${matches[0].match} match=${matches[0]} />
      <${MatchList} matches=${matches.slice(0, 6)} />
    </div>
  </section>`;
}

/** The board of a match as it goes on. @param {{ match: LiveMatchLine }} props */
export function Television({ match }) {
  const [view, setView] = useState(/** @type {Partial<import("../types.js").MatchView>} */ ({}));
  useEffect(() => {
    const channel = new Channel(
      `/api/matches/${match.match}/socket?picture=1`,
      (frame) => {
        setView((before) => ({ ...before, ...(frame.view ?? frame.patch) }));
      },
      { canAsk: false },
    );
    return () => channel.close();
  }, [match.match]);
  const chosen = view.asked?.filter((seat) => !view.waiting_for?.includes(seat));
  const names = `${playerName(match.players.red)} – ${playerName(match.players.blue)}`;
  return html`<a class="tv" href="/match/${match.match}">
    <div aria-hidden="true"><${Board} picture=${view.picture} chosen=${chosen} prefix="tv-" /></div>
    <span class="small soft"><${Icon} name="eye" /><span class="sr">Watch </span>${names}</span>
  </a>`;
}
