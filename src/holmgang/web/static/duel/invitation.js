/** @file A match that waits for its second player. */
import { useState } from "preact/hooks";
import { messageOf } from "../api.js";
import { Board } from "../board.js";
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { Problem, Seated, useLoaded } from "../parts.js";
import { CopyButton } from "../controls.js";
import { navigate } from "../router.js";
import { joinMatch, me, nameGuest } from "../session.js";
import { changedRules, other, playerName, SEAT_NAMES, termsText } from "../words.js";

/** @typedef {import("../types.js").MatchView} View */
/** @typedef {import("../types.js").Seat} Seat */
/** @typedef {import("../live_match.js").LiveMatch} LiveMatch */

/** @param {{ match: LiveMatch, view: View }} props */
export function Invitation({ match, view }) {
  const free = /** @type {Seat} */ (view.players.red ? "blue" : "red");
  const isFull = view.players.red !== null && view.players.blue !== null;
  return html`<div class="invitation">
    <section class="card">
      ${
        isFull
          ? html`<${Absent} match=${match} view=${view} />`
          : view.you
            ? html`<${Host} match=${match} view=${view} />`
            : html`<${Visitor} match=${match} view=${view} free=${free} />`
      }
      <dl>
        <dt>Game</dt><dd><a href="/rules/${view.game_name}">${view.title}</a></dd>
        <dt>Match</dt><dd>${termsText(view)}</dd>
        ${
          changedRules(view.ruleset).length > 0 &&
          html`<dt>
          Rules
        </dt><dd>${changedRules(view.ruleset).join(", ")}</dd>`
        }
        <dt>Seats</dt>
        <dd class="seats">
          <${Seated}
            seat="red"
            player=${view.players.red}
            free="free"
          /><${Seated} seat="blue" player=${view.players.blue} free="free" />
        </dd>
      </dl>
    </section>
    <${Board} picture=${view.picture} />
  </div>`;
}

/** @param {{ match: LiveMatch, view: View }} props */
function Host({ match, view }) {
  const link = `${location.origin}/match/${view.match}`;
  const isLink = view.visibility === "link";
  const share = async () => {
    try {
      await navigator.share({ title: `${view.title} on Holmgang`, url: link });
    } catch {
      // The visitor closed the list of ways to share.
    }
  };
  return html`<h1>
    <span class="pulse" aria-hidden="true">
    </span>${isLink ? "Waiting for your friend" : "Waiting for an opponent"}
  </h1>
    <p class="soft">
      ${
        isLink
          ? "Send this link. The first person to open it takes the other seat, and the duel begins."
          : "Your duel is in the lobby while this page is open, and begins when someone joins."
      }
    </p>
    <p class="link">
      <input
        readonly
        value=${link}
        aria-label="Link to this match"
        data-link
        onFocus=${(/** @type {any} */ event) => event.target.select()}
      />
      <${CopyButton} text=${link} main=${true} />
      ${
        "share" in navigator &&
        html`<button type="button" class="btn" onClick=${share}>
        <${Icon} name="upload" />Share
      </button>`
      }
    </p>
    <p>
      <button type="button" class="btn quiet" data-cancel onClick=${() => match.cancel()}>
        Cancel the match
      </button>
    </p>`;
}

/** Both seats are taken, and a player is away. @param {{ match: LiveMatch, view: View }} props */
function Absent({ match, view }) {
  const who = view.you ? playerName(view.players[other(view.you)]) : "both players";
  return html`<h1 data-absent>
    <span class="pulse" aria-hidden="true"></span>Waiting for <span dir="auto">${who}</span>
  </h1>
    <p class="soft">
      The duel begins, and the clock starts, as soon as both players are here.
    </p>
    ${
      view.you &&
      html`<p>
        <button type="button" class="btn quiet" data-cancel onClick=${() => match.cancel()}>
          Cancel the match
        </button>
      </p>`
    }`;
}

/** @param {{ match: LiveMatch, view: View, free: Seat }} props */
function Visitor({ match, view, free }) {
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [name, setName] = useState("");
  const host = playerName(view.players.red ?? view.players.blue, "Someone");
  const join = async () => {
    setBusy(true);
    try {
      if (name.trim()) await nameGuest(name);
      await joinMatch(view.match);
      match.reconnect();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return html`<h1><span dir="auto">${host}</span> invites you to a duel</h1>
    <p class="soft">
      You play ${view.title}. No account is needed.
    </p>
    <${RatedForYou} view=${view} />
    ${
      me.value?.guest &&
      html`<p>
        <label for="guest-name">Your name</label>${" "}
        <input
          id="guest-name"
          maxlength="20"
          autocomplete="nickname"
          placeholder=${me.value.name ?? "guest"}
          value=${name}
          data-guest-name
          onInput=${(/** @type {any} */ event) => setName(event.target.value)}
        />
      </p>`
    }
    <p class="row">
      <button type="button" class="btn main big" disabled=${isBusy} data-join onClick=${join}>
        Join as ${SEAT_NAMES[free]}
      </button>
      <a class="btn big" href="/rules/${view.game_name}">Read the rules</a>
    </p>
    <${Problem} error=${problem}>
      <button type="button" class="btn quiet" onClick=${() => navigate("/")}>
        Play something else
      </button>
    </${Problem}>`;
}

/** Whether the match is rated if this visitor joins. @param {{ view: View }} props */
function RatedForYou({ view }) {
  const { value } = /** @type {{ value: { rated: boolean, reason: string | null } | null }} */ (
    useLoaded(`/api/matches/${view.match}/join`)
  );
  if (!value) return null;
  const text = value.rated ? "Rated: your rating changes with the result." : value.reason;
  return html`<p data-rated>
    ${text}${" "}
    ${view.rated === null && me.value?.guest && html`<a href="/sign-in">Sign in</a>`}
  </p>`;
}
