/** @file Any position: its value, the results of each choice, and a duel from there. */
import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../api.js";
import { Board } from "../board.js";
import { useKeys } from "../duel/choices.js";
import { stepWord } from "../duel/steps.js";
import { html } from "../html.js";
import { Icon, SeatSign } from "../icons.js";
import { Loading, Problem, useLoaded } from "../parts.js";
import { CopyButton } from "../controls.js";
import { Dialog } from "../dialog.js";
import { navigate } from "../router.js";
import { catalogue, loadCatalogue, recall, remember } from "../session.js";
import { Editor } from "../study/editor.js";
import { LEGEND, scoreText } from "../study/figures.js";
import { PlayFromHere } from "../study/play_from_here.js";
import { addressOf, useWalk, useWorth } from "../study/walk.js";
import { Certainty, Chances, Matrix, Mixes, Pairs, unknownWorth } from "../study/worth.js";
import { useTitle } from "../turns.js";
import { capitalised, changedRules, spoken } from "../words.js";
import { RulesForm } from "./setup.js";

/** @typedef {import("../types.js").ExploredPosition} Position */
/** @typedef {import("../types.js").ExploredResult} ExploredResult */

const COMPILING = "The search for these rules is being compiled; this takes a few seconds.";

/** @param {{ argument: string }} props */
export function Explore({ argument }) {
  useEffect(() => {
    if (!argument) navigate(`/explore/${recall("game") ?? "bagh"}`, { replace: true });
  }, [argument]);
  return argument ? html`<${Explorer} ruleset=${argument} />` : null;
}

/** @param {{ ruleset: string }} props */
function Explorer({ ruleset }) {
  const walk = useWalk(ruleset);
  const { position, problem } = walk;
  const { worth, error, note } = useWorth(walk.isFresh ? position : null);
  const [dice, setDice] = useState(
    /** @type {{ at: string, results: ExploredResult[] } | null} */ (null),
  );
  const [picking, setPicking] = useState("");
  const title = position?.title ?? "";
  useTitle(title ? `Explore ${title}` : "Explore");
  useEffect(() => {
    if (position) remember("game", position.game_name);
  }, [position?.game_name]);
  const here = position ? `${position.start} ${position.at}` : "";
  useKeys(false, (key) => {
    if (key === "Backspace") walk.undo();
    else if (key === "ArrowLeft" && position) walk.step(position.at - 1);
    else if (key === "ArrowRight" && position) walk.step(position.at + 1);
    else if (key === "Escape" && dice) setDice(null);
    else return false;
    return true;
  });
  if (!position)
    return problem
      ? html`<div class="plain">
          <h1>Explore</h1>
          <${Problem} error=${problem} />
          <p>
            <a class="btn main" href="/explore/${ruleset.split(":")[0]}">Start from the beginning</a>
          </p>
        </div>`
      : html`<${Loading} what="Setting up the position…" />`;
  /** @param {string | null} red @param {string | null} blue */
  const pick = async (red, blue) => {
    setPicking("");
    try {
      const results = await walk.results(red, blue);
      if (results.length === 1) walk.play(results[0].word);
      else setDice({ at: here, results });
    } catch (error) {
      setPicking(messageOf(error));
    }
  };
  /** @param {string} word */
  const play = (word) => {
    setDice(null);
    walk.play(word);
  };
  const isPair = Object.values(position.menus).every(Boolean);
  const last = position.at ? position.line[position.at - 1] : null;
  return html`<div class="explore" data-explore=${position.text} aria-busy=${!walk.isFresh}>
    <header>
      <div class="row between">
        <h1>Explore ${title}</h1>
        <${Rules} position=${position} />
      </div>
      <${Path} position=${position} onStep=${walk.step} />
    </header>
    <div class="left">
      <${Board} picture=${position.picture} label="Board" />
      <p class="told" aria-live="polite" data-told>
        ${
          last
            ? html`<b>${capitalised(stepWord(position.line))} ${position.at}.</b> ${last.story.join(" ")}`
            : html`<span class="soft">Set up a position, or select a pair of choices to play it.</span>`
        }
      </p>
      <section class="card editor" aria-labelledby="position">
        <div class="row between">
          <h2 id="position">Position</h2>
          <span class="row">
            <button
              type="button"
              class="btn quiet"
              data-undo
              disabled=${!walk.canUndo}
              onClick=${walk.undo}
            >
              <${Icon} name="undo" />Undo <kbd aria-hidden="true">Backspace</kbd>
            </button>
            ${
              position.mirrored !== null &&
              html`<button
              type="button"
              class="btn quiet"
              data-swap
              onClick=${() => walk.start(/** @type {string} */ (position.mirrored))}
            >
              Swap seats
            </button>`
            }
            <button type="button" class="btn quiet" data-begin onClick=${() => walk.start("")}>
              Start
            </button>
          </span>
        </div>
        <${Problem} error=${problem} />
        <${Editor} fields=${position.fields} onChange=${walk.change} />
      </section>
      <section class="card leave" aria-label="Play and share">
        ${
          position.outcome
            ? html`<p class="soft">${position.outcome.sentence} There is nothing left to play here.</p>`
            : html`<${PlayFromHere}
              ruleset=${position.ruleset}
              start=${position.text}
              game=${position.game_name}
            />`
        }
        <div class="share">
          <input
            readonly
            aria-label="Link to this position and line"
            value=${location.origin + addressOf(position.ruleset, shared(position))}
            data-link
            onFocus=${(/** @type {any} */ event) => event.target.select()}
          />
          <${CopyButton} text=${location.origin + addressOf(position.ruleset, shared(position))} />
        </div>
      </section>
    </div>
    <div class="right" aria-live="polite">
      ${
        position.outcome
          ? html`<section class="card value" data-outcome>
            <h2>${position.outcome.sentence}</h2>
            <p class="soft">Go back a step to keep exploring.</p>
          </section>`
          : error
            ? html`<${Problem} error=${error} />`
            : html`<section class="card value" aria-labelledby="value" aria-busy=${!worth}>
                <div class="row between">
                  <h2 id="value" data-value>
                    Red’s score <span title=${LEGEND}>${worth ? scoreText(worth.value, worth.exact) : "…"}</span>
                  </h2>
                  ${worth && html`<${Certainty} ...${worth} />`}
                </div>
                ${
                  worth
                    ? html`<${Chances} ...${worth} />`
                    : html`<div class="wdl"><span class="draw"></span></div>
                        <p class="small soft">Evaluating…</p>`
                }
                ${worth && !worth.exact && html`<${Proven} worth=${worth} />`}
                ${
                  note &&
                  html`<p class="small soft" role="status" data-note>
                  ${worth ? `${capitalised(note)}.` : COMPILING}
                </p>`
                }
              </section>
              ${
                worth &&
                html`<section class="card mix" aria-label="Best play">
                <${Mixes}
                  mixes=${{ red: worth.red_mix, blue: worth.blue_mix }}
                  costs=${worth.cost}
                  labels=${worth.labels}
                  exact=${worth.worths_exact}
                />
              </section>`
              }
              <section class="card matrix" aria-labelledby="pairs">
                <div class="row between">
                  <h2 id="pairs">${isPair ? "Every pair of choices" : "Every choice"}</h2>
                  <span class="soft small">select one to play it</span>
                </div>
                <${Problem} error=${picking} />
                ${
                  dice?.at === here &&
                  html`<${Dice} results=${dice.results} onPick=${play} onClose=${() => setDice(null)} />`
                }
                ${
                  worth
                    ? html`${
                        isPair &&
                        html`<div class="axis small">
                          <span class="seat red"><${SeatSign} seat="red" />Red, by row</span>
                          <span class="seat blue">Blue, by column<${SeatSign} seat="blue" /></span>
                        </div>`
                      }
                        <${Matrix} worth=${worth} onPick=${pick} />
                        <p class="small soft">
                          Points of 100 for Red after the round: a win is 100, a draw 50, a loss 0.
                          Dice are averaged.
                        </p>`
                    : html`<p class="soft" aria-busy="true">Evaluating every choice…</p>
                        <${Pairs} worth=${unknownWorth(position.menus)} onPick=${pick} />`
                }
              </section>`
      }
    </div>
  </div>`;
}

/** @param {Position} position */
function shared(position) {
  return {
    state: position.is_usual_start ? "" : position.start,
    line: position.line.map((round) => round.word),
    at: position.at,
  };
}

/** @param {{ worth: import("../types.js").PositionWorth }} props */
function Proven({ worth }) {
  if (worth.low <= -1 && worth.high >= 1) return null;
  return html`<p class="small soft">
    Proven: between ${scoreText(worth.low, true)} and ${scoreText(worth.high, true)} points.
  </p>`;
}

/** The line, round by round. @param {{ position: Position, onStep: (at: number) => void }} props */
function Path({ position, onStep }) {
  const places = ["Start", ...position.line.map(roundText)];
  return html`<nav class="path" aria-label="Line of play" data-path>
    ${places.map(
      (text, at) => html`<button
        key=${at}
        type="button"
        aria-current=${at === position.at ? "step" : undefined}
        onClick=${() => onStep(at)}
      >
        ${at > 0 && html`<span class="soft">${at}</span>`} ${text}
      </button>`,
    )}
  </nav>`;
}

/** @param {import("../types.js").ExploredRound} round */
function roundText(round) {
  return [round.red, round.blue]
    .filter((word) => word !== null)
    .map(spoken)
    .join(" – ");
}

/**
 * The results of the dice, to pick one or to let it roll.
 *
 * @param {{ results: ExploredResult[], onPick: (word: string) => void, onClose: () => void }} props
 */
function Dice({ results, onPick, onClose }) {
  const roll = () => {
    let left = Math.random();
    const thrown = results.find((each) => (left -= each.share) < 0) ?? results[results.length - 1];
    onPick(thrown.word);
  };
  return html`<div class="dice" role="group" aria-label="Dice" data-dice ref=${comeIntoView}>
    <div class="row between">
      <b>${roundText(results[0])}</b>
      <span class="row">
        <button type="button" class="btn" data-roll onClick=${roll}>
          <${Icon} name="dice" />Roll
        </button>
        <button type="button" class="btn quiet" aria-label="Close" onClick=${onClose}>
          <${Icon} name="close" />
        </button>
      </span>
    </div>
    <ul>
      ${results.map(
        (result) => html`<li key=${result.word}>
        <button type="button" data-result=${result.word} onClick=${() => onPick(result.word)}>
          <b class="num">${result.odds}</b><span>${result.story.join(" ")}</span>
        </button>
      </li>`,
      )}
    </ul>
  </div>`;
}

/** @param {HTMLElement | null} element */
function comeIntoView(element) {
  if (element && !element.dataset.seen) {
    element.dataset.seen = "yes";
    element.scrollIntoView({ block: "nearest" });
    element.querySelector("button")?.focus({ preventScroll: true });
  }
}

/** Another game, or other rules. @param {{ position: Position }} props */
function Rules({ position }) {
  const [isOpen, setOpen] = useState(false);
  const changed = changedRules(position.ruleset);
  useEffect(() => {
    loadCatalogue().catch(() => {});
  }, []);
  const games = catalogue.value?.games ?? [];
  return html`<span class="row">
    ${
      changed.length > 0 &&
      html`<span class="tag" title=${changed.join(", ")}>${changed.length} changed</span>`
    }
    <select
      aria-label="Game"
      data-game
      value=${position.game_name}
      onChange=${(/** @type {any} */ event) => navigate(`/explore/${event.target.value}`)}
    >
      ${(games.length ? games : [{ name: position.game_name, title: position.title }]).map(
        (
          game,
        ) => html`<option key=${game.name} value=${game.name} selected=${game.name === position.game_name}>
        ${game.title}
      </option>`,
      )}
    </select>
    <button type="button" class="btn" data-rules onClick=${() => setOpen(true)}>Change rules</button>
    ${isOpen && html`<${RulesDialog} position=${position} onClose=${() => setOpen(false)} />`}
  </span>`;
}

/** @param {{ position: Position, onClose: () => void }} props */
function RulesDialog({ position, onClose }) {
  const game = catalogue.value?.games.find((each) => each.name === position.game_name);
  const [changes, setChanges] = useState(() => {
    const settings = (position.ruleset.split(":")[1] ?? "").split(",").filter(Boolean);
    return Object.fromEntries(
      settings.map((each) => [each.split("=")[0], Number(each.split("=")[1])]),
    );
  });
  const { value } = useLoaded(`/api/games/${encodeURIComponent(position.game_name)}/form`);
  const form = /** @type {import("../types.js").GameForm | null} */ (value);
  if (!game) return null;
  const changed = Object.entries(changes).filter(
    ([rule, value]) => value !== form?.rules[rule]?.default,
  );
  const ruleset = [
    game.name,
    changed
      .map(([rule, value]) => `${rule}=${value}`)
      .sort()
      .join(","),
  ]
    .filter(Boolean)
    .join(":");
  return html`<${Dialog} title="Explore other rules" onClose=${onClose}>
    <${RulesForm} game=${game} changes=${changes} onChange=${setChanges} count=${changed.length} />
    <p class="row">
      <a class="btn main" href=${addressOf(ruleset, { state: "", line: [], at: 0 })} data-explore-rules>
        Explore these rules
      </a>
    </p>
  </${Dialog}>`;
}
