/** @file The rules of the games: one screen to begin with, then the full rules with contents. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { Board } from "../board.js";
import { html } from "../html.js";
import { choiceIcon, gameIcon, Icon } from "../icons.js";
import { Loading, Problem, useLoaded } from "../parts.js";
import { RulesText } from "../dialog.js";
import { catalogue, loadCatalogue } from "../session.js";
import { loadStyle } from "../styles.js";
import { useTitle } from "../turns.js";
import { capitalised, counted } from "../words.js";

/** @typedef {import("../types.js").RulesOverview} Overview */

await loadStyle("rules");

const MARKS = { good: "▲", bad: "▼", even: "=" };
const MEANINGS = { good: "good for you", bad: "bad for you", even: "decides little" };
/** A section of the full rules. */
const SECTION = /<h2 id="(rule-[^"]+)">(.*?)<\/h2>/g;

/** @param {{ argument: string }} props */
export function Rules({ argument }) {
  const games = catalogue.value?.games ?? [];
  const game = games.find((each) => each.name === argument);
  useTitle(game ? `Rules of ${game.title}` : "Rules");
  useEffect(() => {
    loadCatalogue().catch(() => {});
  }, []);
  if (!argument) {
    return html`<div class="plain">
      <h1>Rules</h1>
      <ul class="game-list">
        ${games.map(
          (each) => html`<li key=${each.name}>
            <a class="card" href="/rules/${each.name}">
              <${Icon}
                name=${gameIcon(each.name)}
              /><span><b>${each.title}</b><small>${capitalised(each.line)}.</small></span>
            </a>
          </li>`,
        )}
      </ul>
    </div>`;
  }
  if (catalogue.value && !game) {
    return html`<div class="plain">
      <h1>No such game</h1>
      <p class="soft">No game called “${argument}”.</p>
      <p><a class="btn main" href="/rules">All games</a></p>
    </div>`;
  }
  return html`<${OneGame} key=${argument} name=${argument} />`;
}

/** @param {{ name: string }} props */
function OneGame({ name }) {
  const { value, error } = useLoaded(`/api/games/${encodeURIComponent(name)}/overview`);
  const overview = /** @type {Overview | null} */ (value);
  if (error) return html`<${Problem} error=${error} />`;
  if (!overview) return html`<${Loading} what="Loading the rules…" />`;
  const game = encodeURIComponent(name);
  return html`<div class="rules-page" data-overview=${name}>
    <header class="row between">
      <h1>${overview.title}: the rules on one screen</h1>
      <div class="row">
        <a class="btn" href="/learn/${game}">Learn it in a few rounds</a>
        <a class="btn main" href="/setup?game=${game}">Play</a>
      </div>
    </header>
    <div class="screen">
      <${Board} picture=${overview.picture} label="A position of the game" />
      <section class="card">
        <h2>Aim</h2>
        <p>${overview.aim}</p>
      </section>
      <section class="card">
        <h2>How it ends</h2>
        <p>${overview.ending}</p>
      </section>
      <section class="card">
        <h2>Choices</h2>
        <dl>
          ${overview.choices.map(({ word, label, does }) => {
            const icon = choiceIcon(word);
            return html`<div>
              <dt>${icon && html`<${Icon} name=${icon} />`}${label}</dt>
              <dd>${does}</dd>
            </div>`;
          })}
        </dl>
      </section>
    </div>
    ${overview.rows.length > 0 && html`<${Meetings} overview=${overview} />`}
    ${
      overview.note &&
      html`<section class="card">
        <h2>Also good to know</h2>
        <p>${overview.note}</p>
      </section>`
    }
    <${Presets} name=${name} />
    <${FullRules} name=${name} />
    <p class="small row"><a href="/rules">Rules of other games</a></p>
  </div>`;
}

/** Who beats what, or with what odds. @param {{ overview: Overview }} props */
function Meetings({ overview }) {
  const { corner, columns, rows } = overview;
  const isMarked = rows.some(({ cells }) => cells.some(({ mark }) => mark));
  return html`<section class="card" aria-labelledby="beats">
    <h2 id="beats">${isMarked ? "Who beats what" : "How often an attack hits"}</h2>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="beats">
      <table class="beats ${isMarked ? "" : "odds"}" data-beats>
        <thead>
          <tr>
            <th scope="col" class="corner">${corner}</th>
            ${columns.map((label) => html`<th scope="col"><${Choice} label=${label} /></th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ label, cells }) => html`<tr>
              <th scope="row"><${Choice} label=${label} /></th>
              ${cells.map(({ mark, text }, place) => {
                const known = /** @type {keyof typeof MARKS} */ (mark);
                return html`<td class=${mark} data-column=${columns[place]}>
                  ${
                    mark &&
                    html`<span class="mark" aria-hidden="true">${MARKS[known]}</span
                      ><span class="sr">${MEANINGS[known]}: </span>`
                  }${text}
                </td>`;
              })}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${
      isMarked &&
      html`<p class="legend small">
      ${Object.entries(MARKS).map(
        ([mark, sign]) =>
          html`<span class=${mark}>${sign} ${MEANINGS[/** @type {keyof typeof MARKS} */ (mark)]}</span>`,
      )}
    </p>`
    }
  </section>`;
}

/** @param {{ label: string }} props */
function Choice({ label }) {
  const icon = choiceIcon(label.toLowerCase().replaceAll(" ", "_"));
  return html`<span class="choice-name">${icon && html`<${Icon} name=${icon} />`}${label}</span>`;
}

/** @param {{ name: string }} props */
function Presets({ name }) {
  const { value } = useLoaded(`/api/games/${encodeURIComponent(name)}/form`);
  const form = /** @type {import("../types.js").GameForm | null} */ (value);
  if (!form?.presets.length) return null;
  return html`<section class="card">
    <h2>Ways to play it</h2>
    <ul class="ways">
      ${form.presets.map(
        (preset) => html`<li>
          <a href="/setup?${new URLSearchParams({ game: name, preset: preset.name })}">
            ${preset.name}
          </a>: ${preset.line}.
        </li>`,
      )}
    </ul>
  </section>`;
}

/** @param {{ name: string }} props */
function FullRules({ name }) {
  const [isOpen, setOpen] = useState(Boolean(location.hash));
  return html`<details class="card full" open=${isOpen} data-full>
    <summary
      onClick=${(/** @type {Event} */ event) => {
        event.preventDefault();
        setOpen(!isOpen);
      }}
    >
      <b>Full rules</b> <span class="soft">every case, every number, and rulings</span>
    </summary>
    ${isOpen && html`<${RuleBook} name=${name} />`}
  </details>`;
}

/** @param {{ name: string }} props */
function RuleBook({ name }) {
  const { value, error } = useLoaded(`/api/games/${encodeURIComponent(name)}/rules`);
  const text = /** @type {string | null} */ (value);
  const sections = useMemo(
    () => [...(text ?? "").matchAll(SECTION)].map(([, id, title]) => ({ id, title: plain(title) })),
    [text],
  );
  if (error) return html`<${Problem} error=${error} />`;
  if (!text) return html`<${Loading} what="Loading the rules…" />`;
  return html`${
    sections.length > 0 &&
    html`<nav class="contents" aria-label="Contents">
      <b>${counted(sections.length, "section")}</b>
      <ul>
        ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
      </ul>
    </nav>`
  }
    <${RulesText} game=${name} />`;
}

/** The text of some HTML of the server. @param {string} markup */
function plain(markup) {
  return markup.replace(/<[^>]+>/g, "").replaceAll("&amp;", "&");
}
