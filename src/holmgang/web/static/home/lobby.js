/** @file Matches that wait for an opponent, on the first page. */
import { useState } from "preact/hooks";
import { messageOf } from "../api.js";
import { html } from "../html.js";
import { Problem } from "../parts.js";
import { navigate } from "../router.js";
import { joinMatch } from "../session.js";
import { changedRules, playerName, timeText } from "../words.js";

/** @typedef {import("../types.js").MatchLine} MatchLine */

/** @param {{ matches: MatchLine[], own: string[] }} props */
export function OpenMatches({ matches, own }) {
  const [problem, setProblem] = useState("");
  /** @param {MatchLine} match */
  const join = async (match) => {
    try {
      if (!own.includes(match.match)) await joinMatch(match.match);
      navigate(`/match/${match.match}`);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return html`<section class="card flush" aria-labelledby="lobby" data-lobby>
    <h2 id="lobby" class="head">Lobby</h2>
    ${html`<ul class="lobby">
          ${matches.slice(0, 8).map((match) => {
            const host = match.players.red ?? match.players.blue;
            const changed = changedRules(match.ruleset);
            const isOwn = own.includes(match.match);
            return html`<li key=${match.match}>
              <b class="who" dir="auto">${playerName(host)}</b>
              <span class="soft small what">
                ${[match.title, ...changed].join(", ")} · ${timeText(match.seconds)}
              </span>
              <button
                type="button"
                class="btn"
                aria-label="${isOwn ? "Open" : "Join"} ${playerName(host)}, ${match.title}"
                data-join=${match.match}
                onClick=${() => join(match)}
              >
                ${isOwn ? "Open" : "Join"}
              </button>
            </li>`;
          })}
        </ul>`}
    <${Problem} error=${problem} />
  </section>`;
}
