/** @file A duel with all its options, and a form made from the ranges of the game's rules. */
import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../api.js";
import { RulesPreview } from "../duel/rules_preview.js";
import { html } from "../html.js";
import { Icon, SeatSign } from "../icons.js";
import { Loading, Problem, Segments, useLoaded } from "../parts.js";
import { CopyButton, Stepper } from "../controls.js";
import { address, navigate } from "../router.js";
import { catalogue, loadCatalogue, me, openMatch, recall } from "../session.js";
import { loadStyle } from "../styles.js";
import { useTitle } from "../turns.js";
import { capitalised, choiceTimeText, counted, spoken, usualSeconds } from "../words.js";
import { levelText } from "./home.js";

/** @typedef {import("../types.js").PresetLine} Preset */
/** @typedef {import("../types.js").GameForm} GameForm */

await loadStyle("setup");

const MOST_WINS = 99;

export function Setup() {
  useTitle("Set up a duel");
  const [problem, setProblem] = useState("");
  useEffect(() => {
    loadCatalogue().catch((error) => setProblem(messageOf(error)));
  }, []);
  if (problem) return html`<${Problem} error=${problem} />`;
  if (!catalogue.value) return html`<${Loading} />`;
  return html`<${Form} known=${catalogue.value} />`;
}

/** @param {{ known: import("../types.js").Catalogue }} props */
function Form({ known }) {
  const query = new URLSearchParams(address.value.split("?")[1] ?? "");
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [name, setName] = useState(query.get("game") ?? recall("game") ?? "bagh");
  const [opponent, setOpponent] = useState(query.get("opponent") ?? "level");
  const [level, setLevel] = useState(query.get("level") ?? "");
  const [bot, setBot] = useState("");
  const [seat, setSeat] = useState(/** @type {"red" | "blue" | "random"} */ ("random"));
  const [time, setTime] = useState(/** @type {string | null} */ (null));
  const [late, setLate] = useState(/** @type {"lose" | "harmless"} */ ("lose"));
  const game = known.games.find((each) => each.name === name) ?? known.games[0];
  const loaded = useLoaded(`/api/games/${encodeURIComponent(game.name)}/form`);
  const form = /** @type {GameForm | null} */ (loaded.value);
  const presets = form?.presets ?? [];
  const rules = form?.rules ?? {};
  const [wins, setWins] = useState(/** @type {number | null} */ (null));
  const [changes, setChanges] = useState(/** @type {Record<string, number>} */ ({}));
  const { bots } = known;
  const kind = opponent === "bot" && !bots.length ? "level" : opponent;
  const levelName =
    known.levels.find((each) => each.name === level)?.name ?? game.opponent ?? known.levels[0].name;
  const botName = bots.find((each) => each.name === bot)?.name ?? bots[0]?.name ?? "";
  const seconds = time ?? String(usualSeconds(kind) ?? "");
  const winsNeeded = wins ?? game.wins_needed;
  const changed = Object.entries(changes).filter(
    ([rule, value]) => rule in rules && value !== rules[rule].default,
  );
  const ruleset = changed.length
    ? `${game.name}:${changed
        .map(([rule, value]) => `${rule}=${value}`)
        .sort()
        .join(",")}`
    : game.name;
  const preset = presets.find(
    (each) => each.ruleset === ruleset && each.wins_needed === winsNeeded,
  );
  /** @param {Preset | undefined} to */
  const choosePreset = (to) => {
    setChanges({ ...to?.rules });
    setWins(to?.wins_needed ?? null);
  };
  useEffect(() => {
    // Those of the address, or those for newcomers.
    if (form) choosePreset(presets.find((each) => each.name === query.get("preset")) ?? presets[0]);
  }, [form]);
  const opponentText =
    { link: "a friend, by link", lobby: "anyone, in the lobby", bot: botName }[kind] ??
    capitalised(levelName);

  /** @param {string} to */
  const changeGame = (to) => {
    setName(to);
    choosePreset(undefined);
  };
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    /** @type {any} */
    const against =
      kind === "level" ? { level: levelName } : kind === "bot" ? { bot: botName } : kind;
    try {
      const id = await openMatch({
        ruleset,
        opponent: against,
        seat,
        seconds: /** @type {15 | 60 | 86400 | null} */ (seconds ? Number(seconds) : null),
        on_timeout: late,
        wins_needed: winsNeeded,
      });
      navigate(`/match/${id}`);
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };

  return html`<form class="setup" onSubmit=${submit}>
    <header><h1>Set up a duel</h1></header>
    <div class="stack">
      <section class="card stack" aria-label="Game, opponent and time">
        <p class="field">
          <label for="game">Game</label>
          <select
            id="game"
            name="game"
            value=${game.name}
            onChange=${(/** @type {any} */ event) => changeGame(event.target.value)}
          >
            ${known.games.map(
              (each) => html`<option
              value=${each.name}
              selected=${each.name === game.name}
            >
              ${each.title}
            </option>`,
            )}
          </select>
          <span class="soft small">${capitalised(game.line)}.</span>
        </p>
        ${
          presets.length > 0 &&
          html`<${Segments}
            name="preset"
            label="Rules"
            value=${preset?.name ?? ""}
            onChange=${(/** @type {string} */ to) =>
              choosePreset(presets.find((each) => each.name === to))}
            options=${[
              ...presets.map((each) => ({ value: each.name, label: each.name })),
              ...(preset ? [] : [{ value: "", label: "Your own" }]),
            ]}
          />
          <p class="small soft under" data-preset=${preset?.name ?? ""}>
            ${preset ? `${capitalised(preset.line)}.` : "Rules that you have changed below."}
          </p>`
        }
        <${Segments}
          name="opponent"
          label="Opponent"
          value=${kind}
          onChange=${setOpponent}
          options=${[
            { value: "level", label: html`<${Icon} name="computer" />Computer` },
            { value: "link", label: html`<${Icon} name="link" />A friend, by link` },
            { value: "lobby", label: html`<${Icon} name="people" />Anyone, in the lobby` },
            ...(bots.length ? [{ value: "bot", label: html`<${Icon} name="robot" />A bot` }] : []),
          ]}
        />
        ${
          kind === "level" &&
          html`<${Segments}
          name="level"
          label="Level"
          value=${levelName}
          onChange=${setLevel}
          options=${known.levels.map(({ name }) => ({ value: name, label: capitalised(name) }))}
        />
        <p class="small soft under">${levelText(known, game, levelName)}</p>`
        }
        ${
          kind === "bot" &&
          html`<${Segments}
            name="bot"
            label="Bot"
            value=${botName}
            onChange=${setBot}
            options=${bots.map((each) => ({ value: each.name, label: each.name }))}
          />`
        }
        <${Segments}
          name="seat"
          label="Your seat"
          value=${seat}
          onChange=${setSeat}
          options=${[
            { value: "red", label: html`<${SeatSign} seat="red" />Red` },
            { value: "blue", label: html`<${SeatSign} seat="blue" />Blue` },
            { value: "random", label: "Random" },
          ]}
        />
        <${Segments}
          name="seconds"
          label="Time for each choice"
          value=${seconds}
          onChange=${setTime}
          options=${[
            { value: "", label: "No limit" },
            { value: "15", label: "15 seconds" },
            { value: "60", label: "60 seconds" },
            { value: "86400", label: "1 day" },
          ]}
        />
        ${
          seconds !== "" &&
          html`<${Segments}
          name="on_timeout"
          label="When a player runs out of time"
          value=${late}
          onChange=${setLate}
          options=${[
            { value: "lose", label: "They lose the match" },
            { value: "harmless", label: "A harmless choice is made for them" },
          ]}
        />`
        }
        <p class="field row">
          <label for="wins">Games to win the match</label>
          <${Stepper}
            id="wins"
            value=${winsNeeded}
            least=${1}
            most=${MOST_WINS}
            onChange=${setWins}
          />
          <span class="soft small">1 to ${MOST_WINS} · standard ${game.wins_needed}</span>
        </p>
      </section>
      <${RulesForm}
        game=${game}
        changes=${changes}
        onChange=${setChanges}
        count=${changed.length}
      />
    </div>
    <aside class="card sum" aria-label="Summary">
      <h2>Your duel</h2>
      <dl>
        <dt>Game</dt><dd>${game.title}</dd>
        <dt>Opponent</dt><dd>${opponentText}</dd>
        <dt>Seat</dt><dd>${seat}</dd>
        <dt>Time</dt><dd>${choiceTimeText(seconds ? Number(seconds) : null)}</dd>
        <dt>Match</dt><dd>${winsNeeded === 1 ? "one game" : `first to ${winsNeeded}`}</dd>
        <dt>
          Rules
        </dt><dd data-changed>
          ${preset?.name.toLowerCase() ?? (changed.length ? `${changed.length} changed` : "standard")}
        </dd>
      </dl>
      ${
        changed.length > 0 &&
        html`<p class="small ruleset">
        <code>${ruleset}</code> <${CopyButton} text=${ruleset} label="Copy" />
      </p>`
      }
      ${changed.length > 0 && html`<${RulesPreview} game=${game} ruleset=${ruleset} />`}
      <button class="btn main big" type="submit" data-start disabled=${isBusy}>
        <${Icon}
          name="play"
        />${{ link: "Create the link", lobby: "Find an opponent" }[kind] ?? `Play ${opponentText}`}
      </button>
      <${Problem} error=${problem} />
      <p class="small soft rated">${ratedText(kind, changed.length, seconds !== "")}</p>
    </aside>
  </form>`;
}

/** @param {string} kind @param {number} changed @param {boolean} hasClock */
function ratedText(kind, changed, hasClock) {
  if (changed) return "Changed rules are never rated.";
  if (kind === "level" || kind === "bot") return "Duels against the computer are not rated.";
  if (!hasClock) return "Duels without a time limit are not rated.";
  return me.value?.guest
    ? "Only duels between players with an account are rated."
    : "Rated, if your opponent has an account too.";
}

/**
 * @param {{
 *   game: import("../types.js").CatalogueGame, changes: Record<string, number>, count: number,
 *   onChange: (changes: Record<string, number>) => void,
 * }} props
 */
export function RulesForm({ game, changes, onChange, count }) {
  const { value } = useLoaded(`/api/games/${encodeURIComponent(game.name)}/form`);
  const form = /** @type {GameForm | null} */ (value);
  const groups = form?.groups ?? [];
  const rules = form?.rules ?? {};
  return html`<section class="card flush" aria-labelledby="rules">
    <h2 id="rules" class="head">
      <span>Rules of ${game.title}</span>
      <span class="row">
        <a class="small" href="/rules/${game.name}">Read the rules</a>
        <button type="button" class="btn quiet" disabled=${!count} onClick=${() => onChange({})}>
          Reset all
        </button>
      </span>
    </h2>
    ${groups.map((group) => {
      const count = group.rules.filter(
        (rule) => (changes[rule] ?? rules[rule].default) !== rules[rule].default,
      ).length;
      return html`<details key=${group.title} class="group" open=${groups.length === 1}>
        <summary>
          <b>${group.title}</b>${" "}
          <span class="soft small">
            ${counted(group.rules.length, "rule")}${count > 0 && `, ${count} changed`}
          </span>
        </summary>
        <ul class="rules">
          ${group.rules.map((rule) => {
            const { default: standard, range, meaning } = rules[rule];
            const [least, most] = range;
            const value = changes[rule] ?? standard;
            const isChanged = value !== standard;
            /** @param {number} to */
            const set = (to) => onChange({ ...changes, [rule]: to });
            return html`<li key=${rule} class=${isChanged ? "changed" : ""} data-rule=${rule}>
              <label for="rule-${rule}">
                ${capitalised(meaning || spoken(rule))}
                <small><code>${rule}</code> ${least} to ${most}</small>
              </label>
              <button
                type="button"
                class="btn quiet reset"
                hidden=${!isChanged}
                onClick=${() => set(standard)}
                aria-label="Reset to ${standard}: ${spoken(rule)}"
              >
                Reset to ${standard}
              </button>
              ${
                least === 0 && most === 1
                  ? html`<span class="switch">
                    <input
                      id="rule-${rule}"
                      type="checkbox"
                      role="switch"
                      checked=${value === 1}
                      onChange=${(/** @type {any} */ event) => set(event.target.checked ? 1 : 0)}
                    /><span>${value === 1 ? "on" : "off"}</span>
                  </span>`
                  : html`<${Stepper}
                    id="rule-${rule}"
                    value=${value}
                    least=${least}
                    most=${most}
                    onChange=${set}
                  />`
              }
            </li>`;
          })}
        </ul>
      </details>`;
    })}
  </section>`;
}
