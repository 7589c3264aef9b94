/** @file A duel from a position, against a level. */
import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { Problem } from "../parts.js";
import { navigate } from "../router.js";
import { catalogue, loadCatalogue, openMatch, recall, remember } from "../session.js";
import { capitalised } from "../words.js";

/**
 * @param {{ ruleset: string, start: string, game: string, label?: string, isMain?: boolean }} props
 *   `start` is the position as short text, `game` the name of the game
 */
export function PlayFromHere({ ruleset, start, game, label = "Play from here", isMain = true }) {
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [seat, setSeat] = useState(/** @type {"red" | "blue"} */ ("red"));
  const [level, setLevel] = useState(recall("explore.level") ?? "");
  useEffect(() => {
    loadCatalogue().catch((error) => setProblem(messageOf(error)));
  }, []);
  const levels = catalogue.value?.levels ?? [];
  const usual = catalogue.value?.games.find((each) => each.name === game)?.opponent;
  const against =
    levels.find((each) => each.name === level)?.name ?? usual ?? levels[0]?.name ?? "";
  const play = async () => {
    setBusy(true);
    try {
      remember("explore.level", against);
      navigate(`/match/${await openMatch({ ruleset, opponent: { level: against }, seat, start })}`);
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return html`<div class="row play-from">
      <button
        type="button"
        class="btn ${isMain ? "main" : ""}"
        data-play-from
        disabled=${isBusy || !against}
        onClick=${play}
      >
        <${Icon} name="play" />${label}
      </button>
      <label>
        <span class="soft">as</span>
        <select
          aria-label="Your seat"
          data-seat
          value=${seat}
          onChange=${(/** @type {any} */ event) => setSeat(event.target.value)}
        >
          <option value="red">Red</option>
          <option value="blue">Blue</option>
        </select>
      </label>
      <label>
        <span class="soft">against</span>
        <select
          aria-label="Level"
          data-level
          value=${against}
          onChange=${(/** @type {any} */ event) => setLevel(event.target.value)}
        >
          ${levels.map(
            ({ name }) => html`<option key=${name} value=${name} selected=${name === against}>
            ${capitalised(name)}
          </option>`,
          )}
        </select>
      </label>
    </div>
    <${Problem} error=${problem} />`;
}
