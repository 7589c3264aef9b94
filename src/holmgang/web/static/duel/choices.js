/**
 * @file What a player may choose, in the form that the server's menu asks for: cards, two dials, or
 * words with parts. None of it knows a game; labels, notes and forecasts come from the server.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "../api.js";
import { html } from "../html.js";
import { choiceIcon, Icon, SeatSign } from "../icons.js";
import { Segments } from "../parts.js";
import { Stepper } from "../controls.js";
import { loadStyle } from "../styles.js";
import { capitalised, counted, spoken } from "../words.js";

await loadStyle("duel");

/** @typedef {import("../types.js").Menu} Menu */
/** @typedef {import("../types.js").MenuOption} Option */
/** @typedef {import("../types.js").MenuVerb} Verb */
/** @typedef {import("../types.js").ForecastRow} ForecastLine */

/**
 * Where a choice is made: a match, or a puzzle.
 *
 * @typedef {object} Chooser
 * @property {{ value: { game: number, round: number } | null }} shown the position on the board
 * @property {(choice: string) => unknown} choose
 * @property {boolean} [isDraft] whether a choice is taken at once because it is confirmed elsewhere
 * @property {(choice: string) => Promise<import("../types.js").ForecastTable>} forecast
 */

/** With more cards than this they are drawn smaller, and what-if is shown for one at a time. */
const FEW = 6;
/** With more lines in a card, what-if tells only the likeliest roll of the dice for each reply. */
const MOST_LINES = 7;

/**
 * @typedef {object} Choosing
 * @property {Chooser} match
 * @property {Menu} menu
 * @property {string | null} chosen
 * @property {boolean} isWhatIf
 * @property {boolean} isDisabled
 */

/** @param {Choosing} props */
export function Choices(props) {
  const kinds = { cards: Cards, dials: Dials, parts: Parts };
  const Kind = kinds[props.menu.controls] ?? Cards;
  return html`<${Kind} ...${props} />`;
}

/**
 * Forgets what was set in another round; the controls stay, and with them the focus.
 *
 * @param {Chooser} match
 * @param {() => void} forget
 */
function useNewRound(match, forget) {
  const view = match.shown.value;
  const position = `${view?.game}/${view?.round}`;
  const last = useRef(position);
  if (last.current !== position) {
    last.current = position;
    forget();
  }
}

/** A change such as "hp 3 → 4" and a score such as 1-0 stay on one line. @param {string} text */
export const unbroken = (text) =>
  text.replaceAll(" → ", "\u00a0→\u00a0").replace(/(\d)-(?=\d)/g, "$1\u2011");

// Cards

/** @param {Choosing} props */
function Cards({ match, menu, chosen, isWhatIf, isDisabled }) {
  const { options } = menu;
  const isFew = options.length <= FEW;
  const [looked, setLooked] = useState("");
  const [open, setOpen] = useState("");
  useNewRound(match, () => (setLooked(""), setOpen("")));
  const forecasts = useForecasts(
    match,
    isWhatIf ? (isFew ? options.map((each) => each.word) : looked ? [looked] : []) : [],
  );
  const groups = [...new Set(options.map((each) => each.group ?? ""))].filter(Boolean);
  const opened = groups.includes(open) ? open : "";
  const shown = options.filter((each) => (each.group ?? "") === opened);
  const shared = shown.some((each) => each.own) ? menu.shared : "";
  /** @param {string} word */
  const pick = (word) => {
    if (isDisabled) return;
    if (isWhatIf && !isFew) setLooked(word);
    else match.choose(word);
  };
  useKeys(isDisabled, (key) => {
    const found =
      options.find((each) => each.key === key) ??
      options.find((each) => each.key === key.toLowerCase());
    const group = groups.find((each) => keyOf(each, options) === key.toLowerCase());
    if (found) pick(found.word);
    else if (group) setOpen(group === opened ? "" : group);
    else if (key === "Escape" && opened) setOpen("");
    else if (key === "Enter" && isWhatIf && looked) match.choose(looked);
    else return false;
    return true;
  });
  const picked = options.find((each) => each.word === looked);
  return html`<div
    class="choices ${isDisabled ? "closed" : ""} ${isFew ? "few" : "many"} ${chosen ? "dim" : ""}"
    role="group"
    aria-label="Your choices"
    data-controls="cards"
  >
      ${
        opened &&
        html`<p class="shared">
          <button type="button" class="btn small" data-unfold="" onClick=${() => setOpen("")}>
            <${Icon} name="previous" />All choices
          </button>
          ${shared && html`<span>Each of these: ${shared}</span>`}
        </p>`
      }
      ${shown.map(
        (option) => html`<${Card}
          key=${option.word}
          option=${option}
          isChosen=${chosen === option.word}
          isDisabled=${isDisabled}
          onPick=${() => pick(option.word)}
        >
          ${
            isWhatIf && isFew
              ? html`<${ForecastList} found=${forecasts[option.word]} most=${MOST_LINES} />`
              : html`<span class="does">${option.fatal && "⚠ "}${unbroken(
                  opened && option.own ? option.note.slice(0, option.own) : option.note,
                )}</span>`
          }
        </${Card}>`,
      )}
      ${
        !opened &&
        groups.map(
          (group) => html`<${Fold}
            key=${group}
            group=${group}
            menu=${menu}
            chosen=${chosen}
            isDisabled=${isDisabled}
            onOpen=${() => setOpen(group)}
          />`,
        )
      }
    </div>
    ${
      isWhatIf &&
      !isFew &&
      html`<${WhatIf}
      title=${picked?.label ?? ""}
      empty="Pick a card to see what it would do against each reply."
      found=${picked && forecasts[picked.word]}
      onChoose=${() => match.choose(looked)}
    />`
    }`;
}

/**
 * The key that opens a group: its first letter, unless a choice has that key.
 *
 * @param {string} group
 * @param {Option[]} options
 */
function keyOf(group, options) {
  const first = group[0].toLowerCase();
  return options.some((each) => each.key === first) ? "" : first;
}

/**
 * A card for several choices of one kind, which opens them.
 *
 * @param {{ group: string, menu: Menu, chosen: string | null, isDisabled: boolean,
 *   onOpen: () => void }} props
 */
function Fold({ group, menu, chosen, isDisabled, onOpen }) {
  const members = menu.options.filter((each) => each.group === group);
  const isChosen = members.some((each) => each.word === chosen);
  const isFatal = members.every((each) => each.fatal);
  const label = members.find((each) => each.word === chosen)?.label;
  const key = keyOf(group, menu.options);
  return html`<button
    type="button"
    class="choice fold ${isFatal ? "fatal" : ""}"
    data-unfold=${group}
    aria-expanded="false"
    aria-pressed=${isChosen}
    aria-keyshortcuts=${key || undefined}
    aria-disabled=${isDisabled}
    onClick=${() => !isDisabled && onOpen()}
  >
    ${choiceIcon(members[0].word) && html`<${Icon} name=${choiceIcon(members[0].word)} />`}
    <b>${label ?? `${capitalised(group)} …`}</b>
    ${isChosen ? html`<${Icon} name="check" />` : key && html`<kbd aria-hidden="true">${key}</kbd>`}
    <span class="does">
      ${isFatal ? `⚠ ${members[0].note}` : `${counted(members.length, "choice")}. ${unbroken(menu.shared ?? "")}`}
    </span>
  </button>`;
}

/**
 * @param {{ option: Option | Verb, isChosen: boolean, isPressed?: boolean, isDisabled: boolean,
 *   onPick: () => void, children?: any }} props
 */
function Card({ option, isChosen, isPressed = isChosen, isDisabled, onPick, children }) {
  const icon = choiceIcon(option.word);
  return html`<button
    type="button"
    class="choice ${"fatal" in option && option.fatal ? "fatal" : ""}"
    data-choice=${option.word}
    aria-pressed=${isPressed}
    aria-keyshortcuts=${option.key}
    aria-disabled=${isDisabled}
    onClick=${onPick}
  >
    ${icon && html`<${Icon} name=${icon} />`}
    <b>${option.label}</b>
    ${isChosen ? html`<${Icon} name="check" />` : html`<kbd aria-hidden="true">${option.key}</kbd>`}
    ${children}
  </button>`;
}

// Two dials

/** @param {Choosing} props */
function Dials({ match, menu, chosen, isWhatIf, isDisabled }) {
  const { rows = [], columns = [], axes = ["", ""], options } = menu;
  const [row, setRow] = useState(chosen?.split("/")[0] ?? "");
  const [column, setColumn] = useState(chosen?.split("/")[1] ?? "");
  const typed = useRef({ text: "", at: 0 });
  useNewRound(match, () => (setRow(""), setColumn("")));
  const word = row && column ? `${row}/${column}` : "";
  const option = options.find((each) => each.word === word);
  const forecasts = useForecasts(match, isWhatIf && option ? [word] : []);
  const choose = () => option && !isDisabled && match.choose(word);
  /** @param {string} toRow @param {string} toColumn */
  const set = (toRow, toColumn) => {
    setRow(toRow);
    setColumn(toColumn);
    const pair = `${toRow}/${toColumn}`;
    if (match.isDraft) match.choose(options.some((each) => each.word === pair) ? pair : "");
  };
  useKeys(isDisabled, (key) => {
    if (key === "Enter") {
      if (!option || match.isDraft) return false;
      choose();
      return true;
    }
    // Two keys in a row: the first sets the first dial, the second the other.
    const now = Date.now();
    const isSecond = now - typed.current.at < 2000 && typed.current.text.length === 1;
    const text = isSecond ? typed.current.text + key : key;
    const found = options.find((each) => each.key.startsWith(text));
    if (!found) return false;
    typed.current = { text, at: now };
    if (isSecond) set(row, found.word.split("/")[1]);
    else set(found.word.split("/")[0], column);
    return true;
  });
  const isChosen = chosen !== null && chosen === word;
  return html`<div class="dials" data-controls="dials">
      <${Dial}
        axis=${axes[0]}
        values=${rows}
        value=${row}
        onChange=${(/** @type {string} */ to) => set(to, column)}
        isDisabled=${isDisabled}
      />
      <${Dial}
        axis=${axes[1]}
        values=${columns}
        value=${column}
        onChange=${(/** @type {string} */ to) => set(row, to)}
        isDisabled=${isDisabled}
      />
      <${Confirm}
        match=${match}
        note=${option?.note ?? "Set both, or type two digits."}
        label=${`${chosen ? "Change to" : "Choose"} ${word || "…"}`}
        isChosen=${isChosen}
        isDisabled=${isDisabled || !option}
        onChoose=${choose}
      />
    </div>
    ${
      isWhatIf &&
      html`<${WhatIf}
        title=${word}
        empty="Set both dials to see what they would do."
        found=${forecasts[word]}
      />`
    }`;
}

/**
 * @param {{ axis: string, values: string[], value: string, isDisabled: boolean,
 *   onChange: (value: string) => void }} props
 */
function Dial({ axis, values, value, onChange, isDisabled }) {
  const place = values.indexOf(value);
  return html`<fieldset class="dial" disabled=${isDisabled}>
    <legend>${capitalised(axis)} <b>${value || "–"}</b></legend>
    <div class="notches">
      ${values.map(
        (each, index) => html`<label
          key=${each}
          class=${index === place ? "full on" : index < place && index > 0 ? "full" : ""}
        >
          <input
            type="radio"
            name="dial-${axis}"
            value=${each}
            checked=${each === value}
            onChange=${() => onChange(each)}
            data-dial=${`${axis}-${each}`}
          />
          <span>${each}</span>
        </label>`,
      )}
    </div>
  </fieldset>`;
}

/**
 * What the choice that is set does, and the button that makes it.
 *
 * @param {{ match: Chooser, note: string, label: string, isChosen: boolean, isDisabled: boolean,
 *   onChoose: () => void }} props
 */
function Confirm({ match, note, label, isChosen, isDisabled, onChoose }) {
  return html`<div class="confirm">
    <span class="does" aria-live="polite">${note}</span>
    ${
      !match.isDraft &&
      html`<button
      type="button"
      class="btn main"
      data-choose
      disabled=${isDisabled || isChosen}
      onClick=${onChoose}
    >
      ${isChosen ? html`<${Icon} name="check" />Chosen` : html`${label}<kbd aria-hidden="true">Enter</kbd>`}
    </button>`
    }
  </div>`;
}

// Words with parts

/** @param {Choosing} props */
function Parts({ match, menu, chosen, isWhatIf, isDisabled }) {
  const verbs = menu.verbs ?? [];
  const [word, setWord] = useState(
    verbs.find((verb) => chosen && starts(chosen, verb))?.word ?? "",
  );
  const [values, setValues] = useState(/** @type {Record<string, string[]>} */ ({}));
  useNewRound(match, () => (setWord(""), setValues({})));
  const panel = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (word && !match.isDraft) panel.current?.scrollIntoView({ block: "nearest" });
  }, [word]);
  const verb = verbs.find((each) => each.word === word);
  const choice = verb ? composed(verb, values[verb.word]) : "";
  const option = menu.options.find((each) => each.word === choice);
  const needsForecast = Boolean(choice) && (isWhatIf || !option);
  const forecasts = useForecasts(match, needsForecast ? [choice] : []);
  const found = forecasts[choice];
  const note = option?.note ?? (found ? found.error || found.note : "…");

  /** @param {Verb} picked */
  const pick = (picked) => {
    if (isDisabled) return;
    const isSimple = picked.parts.every((part) => (part.values?.length ?? 2) <= 1);
    if (match.isDraft) match.choose(composed(picked, values[picked.word]));
    else if (isSimple && !isWhatIf) match.choose(composed(picked, undefined));
    setWord(picked.word);
  };
  useKeys(isDisabled, (key) => {
    const found =
      verbs.find((each) => each.key === key) ??
      verbs.find((each) => each.key === key.toLowerCase());
    if (found) pick(found);
    else if (key === "Enter" && choice && !match.isDraft) match.choose(choice);
    else return false;
    return true;
  });
  const isChosen = chosen !== null && chosen === choice;
  const hasParts = verb?.parts.some((part) => !part.values || part.values.length > 1);
  return html`<div class="worded"><div
    class="choices few verbs ${isDisabled ? "closed" : ""} ${chosen ? "dim" : ""}"
    role="group"
    aria-label="Your choices"
    data-controls="parts"
  >
      ${verbs.map((each) => {
        const isOfChoice = chosen !== null && starts(chosen, each);
        return html`<${Card}
          key=${each.word}
          option=${each}
          isChosen=${isOfChoice}
          isPressed=${chosen ? isOfChoice : each.word === word}
          isDisabled=${isDisabled}
          onPick=${() => pick(each)}
        >
          <span class="does">
            ${unbroken(menu.options.find((option) => starts(option.word, each))?.note ?? "")}
          </span>
        </${Card}>`;
      })}
    </div>
    ${
      verb && (hasParts || isWhatIf || isChosen)
        ? html`<div class="parts card" data-parts=${verb.word} ref=${panel}>
      ${verb.parts.map((part, place) => {
        const own = values[verb.word] ?? verb.parts.map(firstValue);
        /** @param {string} to */
        const set = (to) => {
          const changed = own.map((each, at) => (at === place ? to : each));
          setValues({ ...values, [verb.word]: changed });
          if (match.isDraft) match.choose(composed(verb, changed));
        };
        if (part.values) {
          return (
            part.values.length > 1 &&
            html`<${Segments}
              key=${part.label}
              name="part-${place}"
              label=${part.label}
              kind="small"
              value=${own[place]}
              onChange=${set}
              options=${part.values}
            />`
          );
        }
        return html`<div class="amount" key=${part.label}>
          <label for="part-${place}">${part.label}</label>
          <${Stepper}
            id="part-${place}"
            value=${Number(own[place])}
            least=${part.least ?? 0}
            most=${part.most ?? 999}
            onChange=${(/** @type {number} */ to) => set(String(to))}
          />
          <span class="listed">
            ${(part.listed ?? []).map(
              (each) => html`<button
                type="button"
                class="btn small"
                aria-pressed=${own[place] === String(each)}
                onClick=${() => set(String(each))}
              >
                ${each}
              </button>`,
            )}
          </span>
        </div>`;
      })}
      <${Confirm}
        match=${match}
        note=${note}
        label=${verb.label}
        isChosen=${isChosen}
        isDisabled=${isDisabled}
        onChoose=${() => match.choose(choice)}
      />
      ${isWhatIf && html`<${ForecastList} found=${forecasts[choice]} />`}
    </div>`
        : html`<p class="parts card soft">
          Pick a card. If it needs a target or an amount, you set it here.
        </p>`
    }</div>`;
}

/** Whether a choice is one of a verb's. @param {string} choice @param {Verb} verb */
const starts = (choice, verb) => choice === verb.word || choice.startsWith(`${verb.word} `);

/** @param {import("../types.js").MenuPart} part */
const firstValue = (part) => part.values?.[0]?.value ?? String(part.listed?.[0] ?? part.least ?? 0);

/**
 * The choice: the verb and the values of its parts.
 *
 * @param {Verb} verb
 * @param {string[] | undefined} values
 */
const composed = (verb, values) => [verb.word, ...(values ?? verb.parts.map(firstValue))].join(" ");

// What if

/** @typedef {{ note: string, lines: ForecastLine[], error: string } | undefined} Found */

/**
 * The forecasts of these choices, each loaded once for the position on the board.
 *
 * @param {Chooser} match
 * @param {string[]} words
 * @returns {Record<string, Found>}
 */
function useForecasts(match, words) {
  const [found, setFound] = useState(/** @type {Record<string, Found>} */ ({}));
  const asked = useRef(/** @type {Set<string>} */ (new Set()));
  const view = match.shown.value;
  const position = `${view?.game}/${view?.round}`;
  useEffect(() => {
    asked.current = new Set();
    setFound({});
  }, [position]);
  useEffect(() => {
    const { current } = asked;
    const timer = setTimeout(
      () => {
        for (const word of words) {
          if (current.has(word)) continue;
          current.add(word);
          match.forecast(word).then(
            ({ note, lines }) =>
              current === asked.current &&
              setFound((old) => ({ ...old, [word]: { note, lines, error: "" } })),
            (error) =>
              current === asked.current &&
              setFound((old) => ({
                ...old,
                [word]: { note: "", lines: [], error: messageOf(error) },
              })),
          );
        }
      },
      words.length > 1 ? 0 : 120,
    );
    return () => clearTimeout(timer);
  }, [words.join("\n"), position]);
  return found;
}

/** What happens, with the signs of seats instead of their names. @param {ForecastLine} line */
function happens({ result, changes = [], ending = "" }) {
  if (!changes.length) return result;
  return html`${changes.map(
    ([seat, text], place) => html`<span class="effect">
      ${seat && html`<${SeatSign} seat=${seat} /><span class="sr">${seat}</span>${" "}`}${text}${
        place < changes.length - 1 ? "," : ending && "."
      }</span>${" "}`,
  )}${ending}`;
}

/**
 * @param {{ found: Found, most?: number }} props with more than `most` lines, those about further
 *   rolls of the dice are only counted
 */
function ForecastList({ found, most = Infinity }) {
  if (!found) return html`<span class="whatif soft" aria-busy="true">…</span>`;
  if (found.error) return html`<span class="whatif soft">${found.error}</span>`;
  return html`<span class="whatif" data-forecast>
    ${(found.lines.length > most ? likeliest(found.lines) : whole(found.lines)).map((line) => {
      const { against, replies = [] } = line;
      const icon = replies.length === 1 ? choiceIcon(replies[0]) : "";
      return html`<span class="case ${icon ? "" : against ? "words" : "again"}">
        ${
          icon
            ? html`<${Icon} name=${icon} /><span class="sr">${against}: </span>`
            : html`<span class="against">
              ${against && `${replies.map(spoken).join(", ") || against}:`}
            </span>${" "}`
        }
        <span>
          ${line.odds && html`<i>${line.odds}:</i> `}${happens(line)}
          ${line.rest > 0 && html`<i>(+ ${counted(line.rest, "other roll")})</i>`}
        </span>
      </span>`;
    })}
  </span>`;
}

/** @typedef {ForecastLine & { rest: number }} CountedLine `rest`: lines that are left out after it */

/** @param {ForecastLine[]} lines @returns {CountedLine[]} */
const whole = (lines) => lines.map((line) => ({ ...line, rest: 0 }));

/**
 * The first line about each reply, which has the likeliest roll.
 *
 * @param {ForecastLine[]} lines
 */
function likeliest(lines) {
  const firsts = /** @type {CountedLine[]} */ ([]);
  for (const line of lines) {
    const last = firsts.at(-1);
    if (line.against || !last) firsts.push({ ...line, rest: 0 });
    else last.rest += 1;
  }
  return firsts;
}

/** @param {{ title: string, empty: string, found: Found, onChoose?: () => void }} props */
function WhatIf({ title, empty, found, onChoose }) {
  return html`<section class="card ahead" aria-label="What if" data-whatif>
    ${
      title
        ? html`<div class="row between">
            <h3>What if you choose ${title}?</h3>
            ${
              onChoose &&
              html`<button
              type="button"
              class="btn main"
              data-choose
              onClick=${onChoose}
            >
              Choose it
            </button>`
            }
          </div>
          <div class="lines" tabindex="0" role="group" aria-label="What would happen">
            <${ForecastList} found=${found} />
          </div>`
        : html`<p class="soft">${empty}</p>`
    }
  </section>`;
}

// Keys

/**
 * Handles keys that are not meant for a field or a dialog.
 *
 * @param {boolean} isOff
 * @param {(key: string) => boolean} onKey whether it was of use
 */
export function useKeys(isOff, onKey) {
  const latest = useRef(onKey);
  latest.current = onKey;
  // A layout effect: the keys work as soon as one sees what they do.
  useLayoutEffect(() => {
    if (isOff) return undefined;
    /** @param {KeyboardEvent} event */
    const listen = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat)
        return;
      const target = /** @type {Element} */ (event.target);
      if (target.closest("input:not([type=radio]), textarea, select, dialog")) return;
      if (event.key === "Enter" && target.closest("button, a, summary")) return;
      if (event.key.startsWith("Arrow") && target.closest("input, .body, .log, .lines")) return;
      if (latest.current(event.key)) event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [isOff]);
}
