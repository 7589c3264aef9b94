/** @file Puzzles: the next one at the visitor's rating, or the one that the address names. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { messageOf, post } from "../api.js";
import { Board } from "../board.js";
import { Choices, useKeys } from "../duel/choices.js";
import { html } from "../html.js";
import { Icon, SeatSign } from "../icons.js";
import { Loading, Problem, Segments, useLoaded } from "../parts.js";
import { CopyButton } from "../controls.js";
import { Dialog, RulesText } from "../dialog.js";
import { evenMixture, Mixer } from "../puzzle/mixer.js";
import { Verdict, Worths } from "../puzzle/result.js";
import { navigate } from "../router.js";
import { loadMe, me, recall, remember } from "../session.js";
import { addressOf } from "../study/walk.js";
import { loadStyle } from "../styles.js";
import { useTitle } from "../turns.js";
import { capitalised, changedRules, SEAT_NAMES, spoken } from "../words.js";

/** @typedef {import("../types.js").PuzzleView} Puzzle */
/** @typedef {import("../types.js").PuzzleOverview} PuzzleList */

await loadStyle("puzzles");

/** @param {{ argument: string }} props */
export function Puzzles({ argument }) {
  return argument
    ? html`<${OnePuzzle} key=${argument} id=${argument} />`
    : html`<${NextPuzzles} />`;
}

/** The puzzle of a permanent link. @param {{ id: string }} props */
function OnePuzzle({ id }) {
  const { value, error } = useLoaded(`/api/puzzles/${encodeURIComponent(id)}`);
  const puzzle = /** @type {Puzzle | null} */ (value);
  useTitle(puzzle ? `Puzzle, ${puzzle.title}` : "Puzzle");
  if (error)
    return html`<div class="plain">
      <h1>No such puzzle</h1>
      <p class="soft">${error}</p>
      <p><a class="btn main" href="/puzzles">Other puzzles</a></p>
    </div>`;
  if (!puzzle) return html`<${Loading} what="Loading the puzzle…" />`;
  return html`<${Desk} puzzle=${puzzle} onNext=${() => navigate("/puzzles")} />`;
}

/** One puzzle after the other, of a game or of all. */
function NextPuzzles() {
  useTitle("Puzzles");
  const list = useLoaded("/api/puzzles");
  const known = /** @type {PuzzleList | null} */ (list.value);
  const [game, setGame] = useState(recall("puzzles") ?? "");
  const [skip, setSkip] = useState("");
  const games = known?.games.filter((each) => each.puzzles > 0) ?? [];
  const chosen = games.some((each) => each.name === game) ? game : "";
  if (list.error) return html`<${Problem} error=${list.error} />`;
  if (!known) return html`<${Loading} what="Loading puzzles…" />`;
  /** @param {string} name */
  const choose = (name) => {
    remember("puzzles", name);
    setGame(name);
  };
  return html`<div class="stack">
    <div class="row between">
      <h1>Puzzles</h1>
      <${Ratings} known=${known} />
    </div>
    ${
      games.length === 0
        ? html`<p class="card" data-no-puzzles>
            There are no puzzles yet. The server makes the first ones within minutes of
            starting.
          </p>`
        : html`<${Segments}
            name="puzzles"
            label="Game"
            kind="small"
            isLabelShown=${false}
            value=${chosen}
            onChange=${choose}
            options=${[
              { value: "", label: "All games" },
              ...games.map(({ name, title }) => ({ value: name, label: title })),
            ]}
          />
          <${NextPuzzle}
            key=${`${chosen}/${skip}`}
            game=${chosen}
            skip=${skip}
            onNext=${(/** @type {string} */ id) => (setSkip(id), list.reload())}
          />`
    }
    <${Unproven} known=${known} />
  </div>`;
}

/** @param {{ game: string, skip: string, onNext: (id: string) => void }} props */
function NextPuzzle({ game, skip, onNext }) {
  const query = new URLSearchParams({ ...(game && { game }), ...(skip && { skip }) });
  const { value, error } = useLoaded(`/api/puzzles/next?${query}`);
  const puzzle = /** @type {Puzzle | null} */ (value);
  if (error) return html`<p class="card" data-none-left>${error}</p>`;
  if (!puzzle) return html`<${Loading} what="Loading the puzzle…" />`;
  return html`<${Desk} key=${puzzle.puzzle} puzzle=${puzzle} onNext=${() => onNext(puzzle.puzzle)} />`;
}

/** @param {{ known: PuzzleList }} props */
function Ratings({ known }) {
  const own = known.games.filter(({ name }) => known.ratings[name]);
  return html`<ul class="facts">
    ${own.map(({ name, title }) => {
      const { rating, provisional, solved, attempts } = known.ratings[name];
      return html`<li key=${name}>
        ${title} <b>${rating}${provisional ? "?" : ""}</b> · ${solved} of ${attempts} solved
      </li>`;
    })}
  </ul>`;
}

/** The games that have none, and why. @param {{ known: PuzzleList }} props */
function Unproven({ known }) {
  const without = known.games.filter((each) => each.note);
  const notes = [...new Set(without.map((each) => each.note))];
  return html`<div class="small soft" data-without>
    ${notes.map((note) => {
      const titles = without.filter((each) => each.note === note).map((each) => each.title);
      return html`<p key=${note}>${titles.join(", ")}: ${note}</p>`;
    })}
  </div>`;
}

// One puzzle

/** @param {{ puzzle: Puzzle, onNext: () => void }} props */
function Desk({ puzzle: given, onNext }) {
  const [puzzle, setPuzzle] = useState(given);
  const [chosen, setChosen] = useState("");
  const [mixture, setMixture] = useState(() =>
    evenMixture(given.menu.options.map((each) => each.word)),
  );
  const [isWhatIf, setWhatIf] = useState(false);
  const [hasRules, setRules] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const article = useRef(/** @type {HTMLElement | null} */ (null));
  const [isAnswered, setAnswered] = useState(false);
  useEffect(() => setPuzzle(given), [given]);
  useEffect(() => {
    // The button that was pressed is gone: move the focus to the result.
    if (isAnswered)
      /** @type {HTMLElement | null} */ (article.current?.querySelector("[data-result]"))?.focus();
  }, [isAnswered]);
  const { result, kind } = puzzle;
  const path = `/api/puzzles/${puzzle.puzzle}`;
  const chooser = useMemo(
    () => ({
      shown: { value: { game: 1, round: 1 } },
      isDraft: true,
      choose: (/** @type {string} */ word) => setChosen(word),
      forecast: (/** @type {string} */ choice) => post(`${path}/forecast`, { choice }),
    }),
    [path],
  );
  const canAnswer = !isBusy && !result && (kind === "mix" || chosen !== "");
  const answer = async () => {
    if (!canAnswer) return;
    setBusy(true);
    setProblem("");
    const shares = Object.entries(mixture.shares).map(([word, share]) => [word, share / 100]);
    try {
      setPuzzle(
        await post(
          `${path}/attempt`,
          kind === "mix" ? { mix: Object.fromEntries(shares) } : { choice: chosen },
        ),
      );
      setAnswered(true);
      if (!me.value?.name) loadMe().catch(() => {});
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  useKeys(hasRules, (key) => {
    if (key === "?" && !result && kind === "choice") setWhatIf(!isWhatIf);
    else if (key === "Escape" && isWhatIf) setWhatIf(false);
    else if (key === "Enter" && result) onNext();
    else if (key === "Enter" && canAnswer) answer();
    else return false;
    return true;
  });
  return html`<article
    ref=${article}
    class="puzzle ${isWhatIf ? "what-if" : ""}"
    data-puzzle=${puzzle.puzzle}
    data-kind=${kind}
    data-you=${puzzle.seat}
  >
    <header>
      <p class="soft small">
        ${[puzzle.title, ...changedRules(puzzle.ruleset), kind].join(" · ")} · rated${" "}
        <b>${puzzle.rating}${puzzle.provisional ? "?" : ""}</b>
        ${puzzle.source === "duel" ? " · from a played duel" : ""}
      </p>
      <h2 class="you"><${SeatSign} seat=${puzzle.seat} /> You are ${SEAT_NAMES[puzzle.seat]}</h2>
      <p>${puzzle.question}</p>
    </header>
    <${Board} picture=${puzzle.picture} label="Board" />
    ${
      result
        ? html`<${Verdict} puzzle=${puzzle} result=${result}>
              <button type="button" class="btn main" data-next onClick=${onNext}>
                Next puzzle<kbd aria-hidden="true">Enter</kbd>
              </button>
              <a
                class="btn"
                href=${addressOf(puzzle.ruleset, { state: puzzle.text, line: [], at: 0 })}
                data-explore
              >
                Explore it
              </a>
              <${CopyButton} text=${`${location.origin}/puzzles/${puzzle.puzzle}`} />
            </${Verdict}>
            <${Worths} puzzle=${puzzle} result=${result} />`
        : html`<section class="answer" aria-label="Your answer">
            ${
              kind === "mix"
                ? html`<${Mixer}
                    options=${puzzle.menu.options}
                    mixture=${mixture}
                    isDisabled=${isBusy}
                    onChange=${setMixture}
                  />`
                : html`<${Choices}
                    match=${chooser}
                    menu=${puzzle.menu}
                    chosen=${chosen || null}
                    isWhatIf=${isWhatIf}
                    isDisabled=${isBusy}
                  />`
            }
            <div class="row between submit">
              <button
                type="button"
                class="btn main big"
                data-answer
                disabled=${!canAnswer}
                onClick=${answer}
              >
                ${answerText(puzzle, chosen)}
              </button>
              <span class="row">
                ${
                  kind === "choice" &&
                  html`<button
                    type="button"
                    class="btn"
                    data-what-if
                    aria-pressed=${isWhatIf}
                    onClick=${() => setWhatIf(!isWhatIf)}
                  >
                    What if?
                  </button>`
                }
                <button type="button" class="btn" onClick=${() => setRules(true)}>
                  <${Icon} name="book" />Rules
                </button>
                <button type="button" class="btn quiet" data-skip onClick=${onNext}>Skip</button>
              </span>
            </div>
            <p class="small soft">Only your first answer counts.</p>
            <${Problem} error=${problem} />
          </section>`
    }
    ${
      hasRules &&
      html`<${Dialog} title="Rules of ${puzzle.title}" onClose=${() => setRules(false)}>
        <${RulesText} game=${puzzle.game_name} />
      </${Dialog}>`
    }
  </article>`;
}

/** @param {Puzzle} puzzle @param {string} chosen */
function answerText(puzzle, chosen) {
  if (puzzle.kind === "mix") return "Answer with this mix";
  if (!chosen) return "Pick your answer";
  const option = puzzle.menu.options.find((each) => each.word === chosen);
  return `Answer: ${option?.label ?? capitalised(spoken(chosen))}`;
}
